//! Agents in bodies: they stop at walls, push what they can, are shoved and go on, and repeat bit by bit.

use cairn2d::crowd::{AgentDef, AgentId, CrowdEventKind, Target};
use cairn2d::geometry::tolerance::LINEAR_SLOP;
use cairn2d::prelude::*;
use proptest::prelude::*;

const DT: f32 = 1.0 / 60.0;
const RADIUS: f32 = 0.3;

/// A world seen from above, and a controller.
fn plane() -> (World, CrowdController) {
    let world = World::new(WorldDef::weightless());
    (world, CrowdController::default())
}

fn add(world: &mut World, def: BodyDef, shape: impl Into<Shape>) -> BodyId {
    let body = world.create_body(def);
    world.create_shape(body, shape, ShapeDef::default());
    body
}

fn disc(radius: f32) -> Circle {
    Circle::new(Point::origin(), radius).unwrap()
}

fn block(half_width: f32, half_height: f32) -> Polygon {
    Polygon::rectangle(half_width, half_height).unwrap()
}

/// Adds a walker of the usual size at (`x`, `y`).
fn walker(world: &mut World, crowd: &mut CrowdController, x: f32, y: f32) -> (AgentId, BodyId) {
    let body = add(world, BodyDef::dynamic().at(x, y), disc(RADIUS));
    let def = WalkerDef::around(world, body);
    (crowd.attach(world, body, &def), body)
}

fn run(world: &mut World, crowd: &mut CrowdController, seconds: f32) {
    for _ in 0..(seconds / DT) as u32 {
        crowd.update(world, DT);
        world.step(DT);
        crowd.validate();
    }
    world.validate();
}

#[test]
fn walker_stops_at_a_wall_across_its_way() {
    let (mut world, mut crowd) = plane();
    add(&mut world, BodyDef::fixed().at(3.0, 0.0), block(0.5, 10.0));
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    crowd
        .crowd_mut()
        .set_preferred_velocity(agent, vec2(1.5, 0.0));
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
    add(&mut world, BodyDef::fixed().at(3.0, 0.0), block(0.5, 3.0));
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    crowd.follow(agent, Route::through([(2.0, 3.6), (4.0, 3.6), (6.0, 0.0)]));
    run(&mut world, &mut crowd, 10.0);
    let place = world.body(body).position();
    assert!((place - point(6.0, 0.0)).norm() <= 0.2 + 0.01, "{place}");
    assert!(crowd.crowd().has_arrived(agent));
    assert_eq!(crowd.way_ahead(agent), [WorldPoint::new(6.0, 0.0)]);
}

#[test]
fn path_finder_is_asked_at_the_start_and_when_the_way_is_lost() {
    let (mut world, mut crowd) = plane();
    add(&mut world, BodyDef::fixed().at(3.0, 0.0), block(0.5, 3.0));
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
            // Carried off behind the wall: what was next is out of sight.
            world.body_mut(body).set_pose((1.5, -2.0), 0.0);
        }
        crowd.update_with(&mut world, DT, &mut finder);
        world.step(DT);
    }
    assert!(
        crowd.crowd().has_arrived(agent),
        "{}",
        world.body(body).position()
    );
    assert!((2..6).contains(&asked), "asked {asked} times");
}

#[test]
fn walker_without_a_way_waits_and_says_so() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    crowd.follow(agent, Route::to((6.0, 0.0)));
    let mut reports = 0;
    for _ in 0..150 {
        crowd.update_with(&mut world, DT, &mut |_: &PathQuery<'_>| None);
        reports += crowd
            .events()
            .iter()
            .filter(|e| e.kind == ControllerEventKind::NoWay)
            .count();
        world.step(DT);
    }
    assert_eq!(reports, 3, "at once and each second");
    assert_eq!(world.body(body).position(), Point::origin());
}

/// A walker that had turned aside for others went on turned when they were gone, and slid along a wall away from its
/// goal. Cure: who is held up by nobody but a wall turns back.
#[test]
fn walker_turned_aside_in_a_crowd_turns_back_when_it_is_alone() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let others: Vec<_> = (0..9u8)
        .map(|i| {
            let turn = rotation(math::PI * (f32::from(i) / 8.0 - 0.5));
            let place = turn * vec2(0.75, 0.0);
            let (other, body) = walker(&mut world, &mut crowd, place.x, place.y);
            let firm = crowd.crowd().agent(other);
            let firm = AgentDef {
                priority: 1,
                ..firm
            };
            crowd.crowd_mut().set_agent(other, &firm);
            body
        })
        .collect();
    crowd
        .crowd_mut()
        .set_preferred_velocity(agent, vec2(1.0, 0.0));
    run(&mut world, &mut crowd, 6.0);
    for other in others {
        world.destroy_body(other);
    }
    add(&mut world, BodyDef::fixed().at(1.5, 0.0), block(0.5, 9.0));
    world.body_mut(body).set_pose((0.6, 0.0), 0.0);
    run(&mut world, &mut crowd, 5.0);
    let before = world.body(body).position();
    run(&mut world, &mut crowd, 2.0);
    let slid = (world.body(body).position() - before).norm();
    assert!(slid < 0.1, "slid by {slid} along the wall");
}

/// Returns how far a crate of `density` is pushed in six seconds.
fn pushed(density: f32) -> f32 {
    let (mut world, mut crowd) = plane();
    let (agent, _) = walker(&mut world, &mut crowd, 0.0, 0.0);
    // What stands for friction on the floor in a world seen from above.
    let def = BodyDef {
        linear_damping: 6.0,
        angular_damping: 2.0,
        ..BodyDef::dynamic().at(1.5, 0.0)
    };
    let crate_ = world.create_body(def);
    world.create_shape(
        crate_,
        block(0.5, 0.5),
        ShapeDef::default().density(density),
    );
    crowd
        .crowd_mut()
        .set_preferred_velocity(agent, vec2(1.5, 0.0));
    run(&mut world, &mut crowd, 6.0);
    world.body(crate_).position().x - 1.5
}

#[test]
fn heavier_crates_are_pushed_slower_and_too_heavy_ones_not_at_all() {
    // The walker has 0.28 kg: twice that is what it pushes.
    let ways = [0.1, 0.3, 0.5].map(pushed);
    assert!(
        ways[0] > 1.1 * ways[1] && ways[1] > 1.1 * ways[2] && ways[2] > 1.0,
        "{ways:?}"
    );
    assert_eq!(pushed(0.6), 0.0);
}

#[test]
fn crate_moves_as_fast_as_the_force_allows() {
    // Steady: the force against the damping, c m v.
    let mut world = World::new(WorldDef::weightless());
    let body = add(&mut world, BodyDef::dynamic(), disc(RADIUS));
    let damping = 10.0;
    let def = BodyDef {
        linear_damping: damping,
        ..BodyDef::dynamic().at(0.9, 0.0)
    };
    let crate_ = add(
        &mut world,
        BodyDef {
            locks: Locks {
                rotation: true,
                y: true,
                x: false,
            },
            ..def
        },
        block(0.5, 0.5),
    );
    let mass = world.body(crate_).mass();
    let force = 2.0;
    let mut crowd = CrowdController::new(ControllerDef {
        push_ratio: 100.0,
        ..ControllerDef::default()
    });
    let walker = WalkerDef {
        max_force: force,
        ..WalkerDef::around(&world, body)
    };
    let agent = crowd.attach(&world, body, &walker);
    crowd
        .crowd_mut()
        .set_preferred_velocity(agent, vec2(1.5, 0.0));
    run(&mut world, &mut crowd, 3.0);
    // In each substep h the crate's velocity fades to v / (1 + c h), and then the contact adds F h / m.
    let fade = 1.0 + damping * DT / 4.0;
    let expected = fade * force / (damping * mass);
    let speed = world.body(crate_).velocity().x;
    assert!(
        (speed / expected - 1.0).abs() < 1.0e-3,
        "{speed}, not {expected}"
    );
}

#[test]
fn shoved_walker_resumes() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    crowd.follow(agent, Route::through([(10.0, 0.0)]));
    run(&mut world, &mut crowd, 1.0);
    let before = world.body(body).velocity();
    assert!((before.x - 1.4).abs() < 0.01);
    // A ball four times as heavy hits it from the side.
    let ball = BodyDef::dynamic()
        .at(world.body(body).position().x + 0.35, -3.0)
        .moving(0.0, 10.0);
    let ball = world.create_body(ball);
    world.create_shape(ball, disc(RADIUS), ShapeDef::default().density(4.0));
    let mut sideways = 0.0f32;
    for _ in 0..60 {
        crowd.update(&mut world, DT);
        world.step(DT);
        sideways = sideways.max(world.body(body).velocity().norm());
    }
    assert!(sideways > 3.0, "shoved at {sideways}");
    run(&mut world, &mut crowd, 16.0);
    assert!(
        crowd.crowd().has_arrived(agent),
        "{}",
        world.body(body).position()
    );
}

#[test]
fn force_stays_within_its_limit() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let mass = world.body(body).mass();
    let def = WalkerDef {
        max_force: 3.0 * mass,
        ..WalkerDef::around(&world, body)
    };
    crowd.set_walker(agent, &def);
    let mut steepest = 0.0f32;
    for step in 0..300 {
        let wish = if step / 60 % 2 == 0 {
            vec2(2.0, 0.0)
        } else {
            vec2(-1.0, 1.0)
        };
        crowd.crowd_mut().set_preferred_velocity(agent, wish);
        if step == 100 {
            world.body_mut(body).apply_impulse(vec2(0.0, 9.0 * mass));
        }
        let before = world.body(body).velocity();
        crowd.update(&mut world, DT);
        world.step(DT);
        steepest = steepest.max((world.body(body).velocity() - before).norm() / DT);
    }
    assert!((steepest - 3.0).abs() < 1.0e-3, "{steepest}");
}

#[test]
fn kinematic_walker_takes_the_chosen_velocity_and_pushes_all() {
    let (mut world, mut crowd) = plane();
    let body = add(&mut world, BodyDef::kinematic(), disc(RADIUS));
    let def = WalkerDef {
        turn_rate: 0.0,
        ..WalkerDef::around(&world, body)
    };
    let agent = crowd.attach(&world, body, &def);
    crowd.follow(agent, Route::through([(4.0, 0.0)]));
    crowd.update(&mut world, DT);
    assert_eq!(
        world.body(body).velocity(),
        crowd.crowd().new_velocity(agent)
    );
    run(&mut world, &mut crowd, 5.0);
    assert!(crowd.crowd().has_arrived(agent));
    assert_eq!(world.body(body).velocity(), Vec2::zeros());
    assert!(!world.body(body).is_awake(), "one that stands may rest");
}

#[test]
fn standing_walkers_sleep_and_wake_when_they_want_to_go() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    crowd.follow(agent, Route::through([(2.0, 0.0)]));
    run(&mut world, &mut crowd, 4.0);
    assert!(!world.body(body).is_awake());
    let slept_at = world.body(body).position();
    run(&mut world, &mut crowd, 1.0);
    assert_eq!(world.body(body).position(), slept_at);
    crowd.follow(agent, Route::through([(0.0, 0.0)]));
    run(&mut world, &mut crowd, 4.0);
    assert!(world.body(body).position().coords.norm() < 0.25);
}

#[test]
fn walker_keeps_clear_of_a_kinematic_body_that_comes_by() {
    let (mut world, mut crowd) = plane();
    let (_, body) = walker(&mut world, &mut crowd, 0.0, 0.1);
    add(
        &mut world,
        BodyDef::kinematic().at(-6.0, 0.0).moving(1.5, 0.0),
        disc(0.5),
    );
    let mut nearest = f32::INFINITY;
    for _ in 0..480 {
        crowd.update(&mut world, DT);
        world.step(DT);
        let car = world.bodies().last().unwrap().position();
        nearest = nearest.min((car - world.body(body).position()).norm());
    }
    assert!(nearest >= 0.8 - LINEAR_SLOP, "{nearest}");
    assert_eq!(world.contacts().count(), 0);
}

#[test]
fn agent_goes_with_its_body_and_the_body_stays_without_agent() {
    let (mut world, mut crowd) = plane();
    let (first, first_body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let (second, second_body) = walker(&mut world, &mut crowd, 5.0, 0.0);
    for agent in [first, second] {
        crowd
            .crowd_mut()
            .set_preferred_velocity(agent, vec2(0.0, 1.0));
    }
    run(&mut world, &mut crowd, 0.5);
    world.destroy_body(first_body);
    crowd.update(&mut world, DT);
    let events: Vec<_> = crowd
        .events()
        .iter()
        .map(|e| (e.agent, e.body, e.kind))
        .collect();
    assert_eq!(events, [(first, first_body, ControllerEventKind::BodyGone)]);
    assert!(!crowd.crowd().has_agent(first));
    crowd.crowd_mut().destroy_agent(second);
    run(&mut world, &mut crowd, 0.5);
    assert_eq!(crowd.walker_count(), 0);
    assert_eq!(
        world.body(second_body).velocity(),
        vec2(0.0, 1.0),
        "left to itself"
    );
}

#[test]
fn detached_bodies_are_left_alone() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let other = add(&mut world, BodyDef::kinematic().at(0.0, 5.0), disc(RADIUS));
    let second = crowd.attach(&world, other, &WalkerDef::default());
    for agent in [agent, second] {
        crowd
            .crowd_mut()
            .set_preferred_velocity(agent, vec2(1.0, 0.0));
    }
    run(&mut world, &mut crowd, 1.0);
    assert!(crowd.detach(&mut world, agent) && crowd.detach(&mut world, second));
    assert!(!crowd.detach(&mut world, agent), "once");
    assert_eq!(world.body(body).velocity(), vec2(1.0, 0.0));
    assert_eq!(world.body(other).velocity(), Vec2::zeros());
    assert_eq!(
        (crowd.crowd().agent_count(), crowd.agent_of(body)),
        (0, None)
    );
    let again = crowd.attach(&world, body, &WalkerDef::default());
    assert_ne!(again, agent, "a name never comes to mean another");
    assert_eq!(crowd.body_of(agent), None);
}

#[test]
fn agent_destroyed_between_updates_leaves_its_slot_to_another() {
    let (mut world, mut crowd) = plane();
    let (first, first_body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    crowd.crowd_mut().destroy_agent(first);
    let (second, second_body) = walker(&mut world, &mut crowd, 5.0, 0.0);
    assert_eq!(first.index(), second.index());
    run(&mut world, &mut crowd, 0.1);
    assert_eq!(crowd.agent_of(first_body), None);
    assert_eq!(crowd.agent_of(second_body), Some(second));
    assert_eq!(crowd.walker_count(), 1);
}

#[test]
fn disabled_bodies_have_agents_that_nobody_sees() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let (other, other_body) = walker(&mut world, &mut crowd, -3.0, 0.0);
    world.body_mut(body).disable();
    crowd
        .crowd_mut()
        .set_preferred_velocity(other, vec2(1.0, 0.0));
    run(&mut world, &mut crowd, 5.0);
    let passed = world.body(other_body).position();
    assert!(
        passed.x > 1.5 && passed.y == 0.0,
        "straight through: {passed}"
    );
    world.body_mut(body).enable();
    crowd.update(&mut world, DT);
    assert_eq!(crowd.events()[0].kind, ControllerEventKind::Unparked);
    assert_eq!(crowd.crowd().agent(agent).mask, u32::MAX);
    crowd
        .crowd_mut()
        .set_preferred_velocity(agent, vec2(-1.0, 0.0));
    run(&mut world, &mut crowd, 1.0);
    assert!(world.body(body).position().x < -0.5);
}

#[test]
fn agents_without_bodies_walk_among_the_others() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let ghost = crowd.crowd_mut().create_agent(&AgentDef::at((4.0, 0.0)));
    let to = |x: f32| {
        Some(Target {
            point: (x, 0.0).into(),
            radius: 0.1,
            speed: 1.0,
        })
    };
    crowd.crowd_mut().set_target(agent, to(4.0));
    crowd.crowd_mut().set_target(ghost, to(0.0));
    for _ in 0..600 {
        crowd.update(&mut world, DT);
        world.step(DT);
        let apart = (crowd.crowd().position(ghost) - world.body(body).center_exact()).norm();
        assert!(apart > 0.6 - LINEAR_SLOP, "{apart}");
    }
    assert!(crowd.crowd().has_arrived(agent) && crowd.crowd().has_arrived(ghost));
}

#[test]
fn doors_refuse_nonsense_and_change_nothing() {
    let (mut world, mut crowd) = plane();
    let wall = add(&mut world, BodyDef::fixed(), disc(1.0));
    let empty = world.create_body(BodyDef::dynamic());
    let (agent, body) = walker(&mut world, &mut crowd, 5.0, 0.0);
    let gone = add(&mut world, BodyDef::dynamic(), disc(1.0));
    world.destroy_body(gone);
    let def = WalkerDef::default();
    let check = |result: Result<AgentId, ControllerError>, text: &str| {
        assert_eq!(result.unwrap_err().to_string(), text);
    };
    let message = format!("{wall:?} is static: only dynamic and kinematic bodies can walk");
    check(crowd.try_attach(&world, wall, &def), &message);
    let message =
        format!("{empty:?} is dynamic and has no mass: give it a shape with density first");
    check(crowd.try_attach(&world, empty, &def), &message);
    check(
        crowd.try_attach(&world, gone, &def),
        &format!("{gone:?} names no body of this world"),
    );
    check(
        crowd.try_attach(&world, body, &def),
        &format!("{body:?} is driven by {agent:?} already"),
    );
    let bad = WalkerDef {
        max_force: -1.0,
        ..def
    };
    check(
        crowd.try_attach(&world, body, &bad),
        "max_force is -1, which is negative",
    );
    let bad = ControllerDef {
        push_ratio: f32::NAN,
        ..ControllerDef::default()
    };
    let error = CrowdController::try_new(bad).unwrap_err().to_string();
    assert_eq!(error, "push_ratio is NaN, which is not a finite number");
    assert_eq!((crowd.walker_count(), crowd.crowd().agent_count()), (1, 1));
    assert!(crowd.try_follow(agent, Route::default()).is_err() && crowd.route(agent).is_none());
    crowd.update(&mut world, 0.0);
    assert_eq!(crowd.events(), []);
}

#[test]
#[should_panic(expected = "dt is NaN, which is not a finite number")]
fn step_that_is_no_number_is_refused() {
    let (mut world, mut crowd) = plane();
    crowd.update(&mut world, f32::NAN);
}

/// A hall of 8 m by 8 m with a door of 1.6 m to the right, and `count` walkers in it, who want to leave.
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
            BodyDef::fixed().at(x, y),
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

/// How deep a disc is in a square of `half` side at (`x`, `y`) [m]; negative outside.
fn depth(place: Point, square: (f32, f32, f32)) -> f32 {
    let (x, y, half) = square;
    let beyond = vec2((place.x - x).abs() - half, (place.y - y).abs() - half);
    let outside = vec2(beyond.x.max(0.0), beyond.y.max(0.0)).norm();
    let inside = beyond.x.max(beyond.y).min(0.0);
    RADIUS - (outside + inside)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever stands, moves and is wanted: all numbers stay finite, no walker that was not thrown is in a wall by more
    /// than the slop, no force is exceeded, and the books agree.
    #[test]
    fn walkers_in_random_worlds_keep_out_of_walls(
        walls in prop::collection::vec((-6i8..7, -6i8..7, 0.2f32..0.9), 0..10),
        crates in prop::collection::vec((-6i8..7, -6i8..7, 0.05f32..4.0), 0..6),
        wishes in prop::collection::vec((-2.5f32..2.5, -2.5f32..2.5, -8.0f32..8.0, -8.0f32..8.0), 12),
        kinematic in prop::bits::u16::ANY,
    ) {
        let (mut world, mut crowd) = plane();
        let squares: Vec<_> = walls.iter().map(|&(x, y, half)| (2.0 * f32::from(x), 2.0 * f32::from(y), half)).collect();
        for &(x, y, half) in &squares {
            add(&mut world, BodyDef::fixed().at(x, y), block(half, half));
        }
        for &(x, y, density) in &crates {
            // Between the walls, which stand on even places.
            let def = BodyDef { linear_damping: 1.0, ..BodyDef::dynamic().at(2.0 * f32::from(x) + 1.0, 2.0 * f32::from(y) + 1.0) };
            let body = world.create_body(def);
            world.create_shape(body, block(0.4, 0.3), ShapeDef::default().density(density));
        }
        for (i, &(vx, vy, x, y)) in wishes.iter().enumerate() {
            let start = (2.0 * i as f32 - 11.0, if i % 2 == 0 { 15.0 } else { -15.0 });
            let def = if kinematic >> i & 1 == 1 { BodyDef::kinematic() } else { BodyDef::dynamic() };
            let body = add(&mut world, def.at(start.0, start.1), disc(RADIUS));
            let agent = crowd.attach(&world, body, &WalkerDef::around(&world, body));
            crowd.crowd_mut().set_preferred_velocity(agent, vec2(vx, vy));
            if i % 3 > 0 {
                crowd.follow(agent, Route::through([(x, y), (-x, -y)]).at_speed(1.9));
            }
        }
        for _ in 0..600 {
            crowd.update(&mut world, DT);
            let before: Vec<Vec2> = crowd.walkers().map(|(_, body)| world.body(body).velocity()).collect();
            world.step(DT);
            for ((agent, body), before) in crowd.walkers().zip(before) {
                let now = world.body(body);
                prop_assert!(now.center_exact().is_finite() && now.velocity().norm().is_finite());
                for &square in &squares {
                    let depth = depth(now.position(), square);
                    prop_assert!(depth <= LINEAR_SLOP, "{agent:?} is {depth} in {square:?}");
                }
                if now.kind() == BodyKind::Dynamic && now.contacts().next().is_none() {
                    let change = (now.velocity() - before).norm() / DT;
                    prop_assert!(change < 5.01, "{agent:?} accelerates by {change}");
                }
            }
        }
        crowd.validate();
        world.validate();
    }
}

/// Two blocks of walkers, more than one task of the pool steers, who want to change places, and crates between them.
fn crossing(threads: u32) -> (World, CrowdController) {
    let mut world = World::new(WorldDef {
        threads,
        ..WorldDef::weightless()
    });
    let mut crowd = CrowdController::default();
    for i in 0..320u16 {
        let side = if i % 2 == 0 { -1.0 } else { 1.0 };
        let (column, row) = (f32::from(i / 2 % 10), f32::from(i / 20));
        let (x, y) = (side * (4.0 + 0.8 * column), 0.8 * row);
        let (agent, _) = walker(&mut world, &mut crowd, x, y);
        crowd.follow(agent, Route::through([(-x, y)]));
    }
    for i in 0..8u8 {
        let crate_ = BodyDef {
            linear_damping: 1.0,
            ..BodyDef::dynamic().at(0.0, 1.5 * f32::from(i))
        };
        add(&mut world, crate_, block(0.3, 0.3));
    }
    (world, crowd)
}

#[test]
fn same_bits_for_any_thread_count_and_after_a_clone() {
    let run_with = |threads: u32| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads as usize)
            .build()
            .unwrap();
        pool.install(|| {
            let (mut world, mut crowd) = crossing(threads);
            run(&mut world, &mut crowd, 2.0);
            let mut copies = (world.clone(), crowd.clone());
            run(&mut world, &mut crowd, 2.0);
            run(&mut copies.0, &mut copies.1, 2.0);
            let state = [world.state_hash(), crowd.crowd().state_hash()];
            assert_eq!(
                state,
                [copies.0.state_hash(), copies.1.crowd().state_hash()]
            );
            state
        })
    };
    let alone = run_with(1);
    assert_eq!(alone, run_with(2));
    assert_eq!(alone, run_with(4));
}
