//! Paths: walls across them, routes around walls, path finders, doors.

use crate::support::*;
use approx::assert_abs_diff_eq;
use cairn2d::crowd::{AgentDef, AgentId, Crowd, CrowdEventKind, ObstacleDef};
use cairn2d::geometry::tolerance::LINEAR_SLOP;
use cairn2d::prelude::*;

#[test]
fn walker_without_bias_stops_at_a_wall_across_its_way() {
    let (mut world, mut crowd) = plane();
    add(
        &mut world,
        BodyDef::static_().position(3.0, 0.0),
        block(0.5, 10.0),
    );
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let straight = AgentDef {
        bias: 0.0,
        ..crowd.crowd().agent(agent).def()
    };
    crowd.crowd_mut().agent_mut(agent).set_def(straight);
    crowd
        .crowd_mut()
        .agent_mut(agent)
        .set_preferred_velocity(vec2(1.5, 0.0));
    run(&mut world, &mut crowd, 6.0);
    let gap = 2.5 - world.body(body).position().x - RADIUS;
    assert!((-LINEAR_SLOP..0.05).contains(&gap), "gap of {gap}");
    assert!(world.body(body).velocity().norm() < 0.02);
    assert_eq!(
        world
            .contacts()
            .map(|c| c.impulse().norm())
            .fold(0.0, f32::max),
        0.0,
        "it need not lean"
    );
}

#[test]
fn walker_rounds_a_wall_by_its_route() {
    let (mut world, mut crowd) = plane();
    add(
        &mut world,
        BodyDef::static_().position(3.0, 0.0),
        block(0.5, 3.0),
    );
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    crowd.follow(agent, Route::through([(2.0, 3.6), (4.0, 3.6), (6.0, 0.0)]));
    run(&mut world, &mut crowd, 10.0);
    let place = world.body(body).position();
    assert!((place - point(6.0, 0.0)).norm() <= 0.2 + 0.01, "{place}");
    assert!(crowd.crowd().agent(agent).has_arrived());
    assert_eq!(crowd.remaining_path(agent), [WorldPoint::new(6.0, 0.0)]);
}

#[test]
fn paths_are_requested_at_the_start_and_when_the_next_point_is_lost() {
    let (mut world, mut crowd) = plane();
    add(
        &mut world,
        BodyDef::static_().position(3.0, 0.0),
        block(0.5, 3.0),
    );
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let mut asked = 0;
    let mut finder = |query: &PathQuery<'_>| {
        asked += 1;
        if query.is_clear(query.from, query.goal) {
            return Some(vec![query.goal]);
        }
        let corners = [WorldPoint::new(2.0, 3.6), WorldPoint::new(4.0, 3.6)];
        let first = usize::from(!query.is_clear(query.from, corners[1]));
        Some([&corners[1 - first..], &[query.goal]].concat())
    };
    crowd.follow(agent, Route::to((6.0, 0.0)));
    for step in 0..900 {
        if step == 330 {
            // Moved behind the wall: the next point is out of sight.
            world.body_mut(body).set_pose((1.5, -2.0), 0.0);
        }
        crowd.update_with(&mut world, DT, &mut finder);
        world.step(DT);
    }
    assert!(
        crowd.crowd().agent(agent).has_arrived(),
        "{}",
        world.body(body).position()
    );
    assert!((2..6).contains(&asked), "asked {asked} times");
}

#[test]
fn walker_without_a_path_waits_and_reports_it() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    crowd.follow(agent, Route::to((6.0, 0.0)));
    let mut reports = 0;
    for _ in 0..150 {
        crowd.update_with(&mut world, DT, &mut |_: &PathQuery<'_>| None::<Path>);
        reports += crowd
            .events()
            .iter()
            .filter(|e| e.kind == ControllerEventKind::NoPath)
            .count();
        world.step(DT);
    }
    assert_eq!(reports, 3, "at once and each second");
    assert_eq!(world.body(body).position(), Point::origin());
}

/// A walker that had turned aside for others kept its direction when they were gone, and slid along a wall
/// away from its goal. Cure: a walker that only a wall obstructs turns back.
#[test]
fn walker_turned_aside_in_a_crowd_turns_back_when_it_is_alone() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let others: Vec<_> = (0..9u8)
        .map(|i| {
            let turn = rotation(math::PI * (f32::from(i) / 8.0 - 0.5));
            let place = turn * vec2(0.75, 0.0);
            let (other, body) = walker(&mut world, &mut crowd, place.x, place.y);
            let firm = crowd.crowd().agent(other).def();
            let firm = AgentDef {
                priority: 1,
                ..firm
            };
            crowd.crowd_mut().agent_mut(other).set_def(firm);
            body
        })
        .collect();
    crowd
        .crowd_mut()
        .agent_mut(agent)
        .set_preferred_velocity(vec2(1.0, 0.0));
    run(&mut world, &mut crowd, 6.0);
    for other in others {
        world.destroy_body(other);
    }
    run(&mut world, &mut crowd, 5.0);
    let before = world.body(body).position();
    run(&mut world, &mut crowd, 2.0);
    let way = world.body(body).position() - before;
    assert!((way - vec2(2.0, 0.0)).norm() < 0.05, "went {way}");
}

/// A hall of 8 m by 8 m with a door of 1.6 m at the right, and `count` walkers inside that leave it.
fn hall(count: usize, threads: u32) -> (World, CrowdController, Vec<AgentId>) {
    let mut world = World::new(WorldDef {
        threads,
        ..WorldDef::weightless()
    });
    let mut crowd = CrowdController::default();
    let sides = [
        (-4.25, 0.0, 0.25, 4.5),
        (0.0, 4.25, 4.5, 0.25),
        (0.0, -4.25, 4.5, 0.25),
    ];
    let door = [(4.25, 2.4, 0.25, 1.6), (4.25, -2.4, 0.25, 1.6)];
    for (x, y, half_width, half_height) in sides.into_iter().chain(door) {
        add(
            &mut world,
            BodyDef::static_().position(x, y),
            block(half_width, half_height),
        );
    }
    let across = 8;
    let agents = (0..count).map(|i| {
        let (column, row) = (i % across, i / across);
        let (agent, _) = walker(
            &mut world,
            &mut crowd,
            0.9 * column as f32 - 3.4,
            0.9 * row as f32 - 3.2,
        );
        let goal = (12.0, 0.9 * row as f32 - 3.2);
        crowd.follow(agent, Route::through([(3.2, 0.0), (5.2, 0.0), goal]));
        agent
    });
    let agents = agents.collect();
    (world, crowd, agents)
}

#[test]
fn all_leave_through_the_door() {
    let (mut world, mut crowd, agents) = hall(56, 1);
    let mut arrived = 0;
    for _ in 0..60 * 60 {
        crowd.update(&mut world, DT);
        let events = crowd.crowd().events().iter();
        arrived += events.filter(|e| e.kind == CrowdEventKind::Arrived).count();
        world.step(DT);
        if arrived == agents.len() {
            break;
        }
    }
    assert_eq!(arrived, agents.len());
}

/// Obstacles made from shapes bound the velocity of a walker as the same obstacles made by hand do.
#[test]
fn obstacles_from_shapes_equal_those_made_by_hand() {
    let (mut world, mut crowd) = plane();
    add(
        &mut world,
        BodyDef::static_().position(2.0, 0.5),
        block(1.0, 0.5),
    );
    let line = Segment::new(point(-1.0, -0.5), point(3.0, -0.75));
    add(&mut world, BodyDef::static_(), line);
    let (agent, _) = walker(&mut world, &mut crowd, 0.2, 0.25);
    let wish = vec2(1.2, -0.3);
    crowd
        .crowd_mut()
        .agent_mut(agent)
        .set_preferred_velocity(wish);
    crowd.update(&mut world, DT);

    let mut by_hand = Crowd::default();
    let corners = [(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)];
    let corners = corners.map(|(x, y)| point(x, y));
    by_hand.create_obstacle(&ObstacleDef {
        position: (2.0, 0.5).into(),
        ..ObstacleDef::ring(corners)
    });
    by_hand.create_obstacle(ObstacleDef::line([point(-1.0, -0.5), point(3.0, -0.75)]));
    let other = by_hand.create_agent(crowd.crowd().agent(agent).def());
    by_hand.solve(DT);
    let walls = |crowd: &Crowd, agent| crowd.agent(agent).constraints(DT).unwrap().walls;
    assert!(!walls(&by_hand, other).is_empty());
    assert_eq!(walls(crowd.crowd(), agent), walls(&by_hand, other));
    assert_eq!(
        crowd.crowd().agent(agent).new_velocity(),
        by_hand.agent(other).new_velocity()
    );
}

/// `try_follow` accepted values that the crowd refuses, and the next update panicked.
#[test]
fn route_that_is_accepted_can_be_followed() {
    const MOST: f32 = 1.0e9;
    let values = [0.0, 1.0e-38, 1.0, MOST, 1.0e10, 1.0e30, f32::MAX];
    for speed in values {
        for arrival_radius in values {
            let (mut world, mut crowd) = plane();
            let (agent, _) = walker(&mut world, &mut crowd, 0.0, 0.0);
            let route = Route {
                arrival_radius,
                ..Route::through([(3.0, 4.0), (7.0, -2.0)]).speed(speed)
            };
            let accepted = crowd.try_follow(agent, route).is_ok();
            let fits = speed <= MOST && arrival_radius <= MOST;
            assert_eq!(accepted, fits, "{speed} m/s, {arrival_radius} m");
            run(&mut world, &mut crowd, 3.0 * DT);
        }
    }
}

/// The bound of the torque was 0 times infinity.
#[test]
fn walker_without_radius_and_bound_of_force_is_driven() {
    let (mut world, mut crowd) = plane();
    let body = add(&mut world, BodyDef::dynamic(), disc(RADIUS));
    let agent = AgentDef {
        radius: 0.0,
        preferred_velocity: vec2(1.0, 0.0),
        ..AgentDef::default()
    };
    let def = CrowdBodyDef {
        agent,
        ..CrowdBodyDef::default()
    };
    crowd.attach(&world, body, &def);
    run(&mut world, &mut crowd, 1.0);
    assert_abs_diff_eq!(world.body(body).velocity().x, 1.0, epsilon = 1.0e-3);
}
