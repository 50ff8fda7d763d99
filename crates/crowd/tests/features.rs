//! Features of agents beside collision avoidance: weights, right of way, layers, limits, recovery,
//! targets, moving obstacles, events.

use cairn2d_crowd::{
    AgentDef, AgentId, Crowd, CrowdDef, CrowdEventKind, CrowdWarning, Model, Motion, ObstacleDef,
    ObstacleId, Target,
};
use cairn2d_geometry::math::{Point, Rotation, Vec2, WorldPoint, point, vec2};

const STEP: f32 = 0.05;

fn walker(x: f32, y: f32, speed: f32) -> AgentDef {
    AgentDef {
        preferred_velocity: vec2(speed, 0.0),
        velocity: vec2(speed, 0.0),
        radius: 0.5,
        bias: 0.0,
        time_horizon: 4.0,
        ..AgentDef::at((x, y))
    }
}

/// Two agents meet slightly offset; returns the greatest deviation of each from its line.
fn meet(a: AgentDef, b: AgentDef) -> [f64; 2] {
    let mut crowd = Crowd::default();
    let ids = [crowd.create_agent(a), crowd.create_agent(b)];
    let mut aside = [0.0f64; 2];
    for _ in 0..240 {
        crowd.step(STEP);
        for (most, (id, def)) in aside.iter_mut().zip(ids.iter().zip([&a, &b])) {
            *most = most.max((crowd.agent(*id).position().y - def.position.y).abs());
        }
        let gap = (crowd.agent(ids[0]).position() - crowd.agent(ids[1]).position()).norm();
        assert!(
            gap > 0.999 * (a.radius + b.radius) || a.mask != u32::MAX,
            "gap {gap}"
        );
    }
    aside
}

#[test]
fn weights_share_the_way() {
    let a = AgentDef {
        weight: 3.0,
        ..walker(-6.0, 0.1, 1.0)
    };
    let b = AgentDef {
        weight: 1.0,
        ..walker(6.0, -0.1, -1.0)
    };
    let [da, db] = meet(a, b);
    let ratio = da / db;
    assert!((ratio - 3.0).abs() < 0.15, "{da} to {db}");
}

#[test]
fn an_agent_with_right_of_way_walks_straight() {
    let a = AgentDef {
        priority: 1,
        ..walker(-6.0, 0.1, 1.0)
    };
    let [da, db] = meet(a, walker(6.0, -0.1, -1.0));
    assert!(da <= 1e-3, "{da}");
    assert!(db > 0.5, "{db}");
}

#[test]
fn disjoint_layers_walk_through_each_other() {
    let a = AgentDef {
        layers: 1,
        mask: 1,
        ..walker(-6.0, 0.0, 1.0)
    };
    let b = AgentDef {
        layers: 2,
        mask: 2,
        ..walker(6.0, 0.0, -1.0)
    };
    assert_eq!(meet(a, b), [0.0, 0.0]);
}

#[test]
fn an_ignored_agent_takes_the_whole_change() {
    let a = AgentDef {
        mask: 2,
        ..walker(-6.0, 0.1, 1.0)
    };
    let [da, db] = meet(a, walker(6.0, -0.1, -1.0));
    assert_eq!(da, 0.0);
    assert!(db > 0.5, "{db}");
}

/// Sign changes of the lateral velocity of one of two agents that meet.
fn swings(model: Model) -> usize {
    let mut crowd = Crowd::default();
    let def = |x, y, v| AgentDef {
        model,
        time_horizon: 1e3,
        ..walker(x, y, v)
    };
    let a = crowd.create_agent(def(-8.0, 0.05, 1.0));
    crowd.create_agent(def(8.0, -0.05, -1.0));
    let (mut count, mut last) = (0, 0.0f32);
    for _ in 0..140 {
        crowd.step(STEP);
        let change = crowd.agent(a).velocity().y;
        let lateral = if change.abs() < 1e-3 { 0.0 } else { change };
        let swung = (lateral == 0.0) != (last == 0.0) || lateral * last < 0.0;
        count += usize::from(swung);
        last = lateral;
    }
    count
}

#[test]
fn plain_velocity_obstacles_swing_and_reciprocal_ones_do_not() {
    assert!(
        swings(Model::VelocityObstacle) > 10,
        "{}",
        swings(Model::VelocityObstacle)
    );
    for model in [Model::Reciprocal, Model::Hybrid, Model::Orca] {
        assert!(swings(model) <= 2, "{model:?}: {}", swings(model));
    }
}

/// Sign changes of the lateral velocity of one of two agents that meet, each with a target straight ahead.
fn turns_to_the_other_side(model: Model) -> usize {
    let mut crowd = Crowd::default();
    let def = |x, y, v| AgentDef {
        model,
        time_horizon: 1e3,
        ..walker(x, y, v)
    };
    let starts = [(-8.0, 0.05, 1.0), (8.0, -0.05, -1.0)];
    let ids = starts.map(|(x, y, v)| crowd.create_agent(def(x, y, v)));
    let (mut count, mut last) = (0, 0.0f32);
    for _ in 0..140 {
        for (id, (x, y, _)) in ids.iter().zip(starts) {
            let goal = WorldPoint::new(f64::from(-x), f64::from(y));
            let wish = (goal - crowd.agent(*id).position()).normalize();
            crowd.agent_mut(*id).set_preferred_velocity(wish);
        }
        crowd.step(STEP);
        let lateral = crowd.agent(ids[0]).velocity().y;
        if lateral.abs() > 1e-3 {
            count += usize::from(lateral * last < 0.0);
            last = lateral;
        }
    }
    count
}

#[test]
fn agents_with_targets_oscillate_with_plain_velocity_obstacles_only() {
    let plain = turns_to_the_other_side(Model::VelocityObstacle);
    assert!(plain > 10, "{plain}");
    for model in [Model::Reciprocal, Model::Hybrid, Model::Orca] {
        let turns = turns_to_the_other_side(model);
        assert!(turns <= 2, "{model:?}: {turns}");
    }
}

#[test]
fn a_giant_out_of_range_by_its_center_is_avoided() {
    let mut crowd = Crowd::default();
    let giant = AgentDef {
        radius: 10.0,
        ..walker(0.0, 0.0, 0.0)
    };
    let giant = crowd.create_agent(giant);
    let small = AgentDef {
        neighbor_range: 5.0,
        bias: 0.3,
        ..walker(-20.0, 1.0, 1.0)
    };
    let small = crowd.create_agent(small);
    for _ in 0..600 {
        crowd.step(STEP);
        let gap = (crowd.agent(giant).position() - crowd.agent(small).position()).norm() - 10.5;
        assert!(gap > -1e-3, "{gap}");
    }
}

#[test]
fn the_acceleration_limit_is_kept() {
    let mut crowd = Crowd::default();
    let limit = 4.0;
    let ids: Vec<AgentId> = (0..60)
        .map(|i| {
            let at = (1.3 * (i % 10) as f32, 1.3 * (i / 10) as f32);
            let preferred_velocity = if i % 2 == 0 {
                vec2(1.0, 0.2)
            } else {
                vec2(-1.0, 0.1)
            };
            let def = AgentDef {
                max_acceleration: limit,
                preferred_velocity,
                radius: 0.4,
                ..AgentDef::at(at)
            };
            crowd.create_agent(def)
        })
        .collect();
    for _ in 0..200 {
        crowd.solve(STEP);
        for id in &ids {
            let change = crowd.agent(*id).new_velocity() - crowd.agent(*id).velocity();
            assert!(
                change.norm() / STEP <= limit + 1e-4,
                "{}",
                change.norm() / STEP
            );
        }
        crowd.integrate(STEP);
    }
}

/// Time in which agents react to others that are close [s].
const REACTION_TIME: f32 = 0.15;

#[test]
fn an_agent_among_others_changes_its_velocity_with_a_delay() {
    let start = AgentDef {
        velocity: Vec2::zeros(),
        ..walker(0.0, 0.0, 1.0)
    };
    let speed_after = |dt: f32, others: &[(f32, f32)]| {
        let mut crowd = Crowd::default();
        let agent = crowd.create_agent(start);
        for &other in others {
            crowd.create_agent(AgentDef {
                radius: 0.5,
                ..AgentDef::at(other)
            });
        }
        crowd.step(dt);
        crowd.agent(agent).velocity().norm()
    };
    let dt = 1.0 / 60.0;
    assert_eq!(speed_after(dt, &[]), 1.0, "alone");
    assert_eq!(speed_after(dt, &[(-1.2, 0.0)]), 1.0, "nobody in the way");
    let in_the_way = [(0.8, 0.75)];
    let speed = speed_after(dt, &in_the_way);
    assert!(
        speed > 0.0 && speed <= 1.001 * dt / REACTION_TIME,
        "{speed} m/s"
    );
    let speed = speed_after(REACTION_TIME, &in_the_way);
    assert!(speed > 0.3, "{speed} m/s after a step of the reaction time");
}

/// The velocity changes from the one that the agent was given. If it changed from that of the body, an agent that is held
/// back would never walk faster than in its first step.
#[test]
fn an_agent_that_is_held_back_tries_harder() {
    let dt = 1.0 / 60.0;
    let mut crowd = Crowd::default();
    let agent = crowd.create_agent(walker(0.0, 0.0, 1.0));
    crowd.create_agent(AgentDef {
        radius: 0.5,
        ..AgentDef::at((0.8, 0.75))
    });
    for _ in 0..60 {
        crowd.agent_mut(agent).set_motion((0.0, 0.0), Vec2::zeros());
        crowd.solve(dt);
    }
    let speed = crowd.agent(agent).new_velocity().norm();
    assert!(speed > 0.3, "{speed} m/s");
}

#[test]
fn a_gap_closes_in_the_reaction_time() {
    let dt = 1.0 / 60.0;
    let mut crowd = Crowd::default();
    let agent = crowd.create_agent(AgentDef {
        time_horizon: 0.0,
        ..walker(-2.0, 0.0, 1.0)
    });
    let other = crowd.create_agent(AgentDef {
        weight: 0.0,
        ..walker(0.0, 0.0, 0.0)
    });
    let gap = |crowd: &Crowd| {
        let offset = crowd.agent(other).position() - crowd.agent(agent).position();
        offset.norm() - 1.0
    };
    let mut last = gap(&crowd);
    for _ in 0..180 {
        crowd.step(dt);
        let now = gap(&crowd);
        let (closing, most) = ((last - now) / dt, last / REACTION_TIME);
        // Excess speeds of 1.5 mm/s are ignored.
        assert!(
            last > 0.06 || closing < most + 2e-3,
            "{closing} m/s at {last} m"
        );
        last = now;
    }
    assert!(last < 0.01, "{last} m");
}

#[test]
fn overlaps_are_undone_within_a_second_and_below_the_cap() {
    let mut crowd = Crowd::default();
    let def = AgentDef {
        recovery_speed: 0.8,
        radius: 0.5,
        ..AgentDef::default()
    };
    let a = crowd.create_agent(AgentDef {
        position: (0.0, 0.0).into(),
        ..def
    });
    let b = crowd.create_agent(AgentDef {
        position: (0.5, 0.0).into(),
        ..def
    });
    crowd.create_obstacle(ObstacleDef::line([point(-0.25, -3.0), point(-0.25, 3.0)]));
    let mut fastest = 0.0f32;
    for _ in 0..20 {
        crowd.step(STEP);
        fastest = fastest
            .max(crowd.agent(a).velocity().norm())
            .max(crowd.agent(b).velocity().norm());
    }
    let gap = (crowd.agent(b).position() - crowd.agent(a).position()).norm();
    assert!(gap > 0.98, "{gap}");
    assert!(
        crowd.agent(a).position().x > 0.23,
        "{}",
        crowd.agent(a).position().x
    );
    assert!(fastest <= 1.6 + 1e-4, "{fastest}");
}

/// Two agents that overlap by half: neither is faster than the cap, and they are apart after a second, except for the
/// remainder of an exponential approach.
#[test]
fn two_that_overlap_part_no_faster_than_the_cap() {
    let mut crowd = Crowd::default();
    let def = AgentDef {
        recovery_speed: 0.8,
        radius: 0.5,
        ..AgentDef::default()
    };
    let ids = [0.0, 0.5].map(|x| {
        crowd.create_agent(AgentDef {
            position: (x, 0.0).into(),
            ..def
        })
    });
    for _ in 0..20 {
        crowd.step(STEP);
        for id in ids {
            let speed = crowd.agent(id).velocity().norm();
            assert!(speed <= 0.8 + 1e-4, "{speed}");
        }
    }
    let gap = (crowd.agent(ids[1]).position() - crowd.agent(ids[0]).position()).norm();
    assert!(gap > 0.99, "{gap}");
}

#[test]
fn a_crowd_with_one_goal_comes_to_rest() {
    let mut crowd = Crowd::default();
    let target = Target {
        point: WorldPoint::ORIGIN,
        radius: 0.2,
        speed: 1.3,
    };
    let ids: Vec<AgentId> = (0..100)
        .map(|i| {
            let at = (-9.0 + 2.0 * (i % 10) as f32, -9.0 + 2.0 * (i / 10) as f32);
            crowd.create_agent(AgentDef {
                target: Some(target),
                ..AgentDef::at(at)
            })
        })
        .collect();
    for _ in 0..20 * 20 {
        crowd.step(STEP);
    }
    let resting = ids
        .iter()
        .filter(|id| crowd.agent(**id).velocity().norm() < 0.01)
        .count();
    assert_eq!(resting, 100);
    assert!(ids.iter().all(|id| crowd.agent(*id).has_arrived()));
}

#[test]
fn a_sliding_door_is_avoided() {
    let mut crowd = Crowd::default();
    let door = [
        point(-0.1, -2.0),
        point(0.1, -2.0),
        point(0.1, 2.0),
        point(-0.1, 2.0),
    ];
    let velocity = vec2(-1.0, 0.0);
    let door = crowd.create_obstacle(&ObstacleDef {
        position: WorldPoint::new(5.0, 0.0),
        velocity,
        ..ObstacleDef::ring(door)
    });
    let ids: Vec<AgentId> = (0..4)
        .map(|i| {
            let def = AgentDef {
                obstacle_horizon: 2.0,
                ..walker(0.0, -1.0 + 0.9 * i as f32, 0.0)
            };
            crowd.create_agent(AgentDef {
                radius: 0.3,
                bias: 0.3,
                ..def
            })
        })
        .collect();
    for i in 0..200 {
        let x = 5.0 - i as f32 * STEP;
        let motion = Motion {
            position: WorldPoint::new(x.into(), 0.0),
            rotation: Rotation::identity(),
            velocity,
            angular_velocity: 0.0,
        };
        crowd.obstacle_mut(door).set_motion(motion);
        crowd.step(STEP);
        for id in &ids {
            let p = crowd.agent(*id).position();
            let side = (p.x as f32 - (x - STEP)).abs() - 0.1;
            let above = (p.y as f32).abs() - 2.0;
            let gap = Vec2::new(side.max(0.0), above.max(0.0)).norm() - 0.3;
            assert!(gap > -1e-3, "{gap} at {x}");
        }
    }
}

#[test]
fn a_stuck_agent_is_reported_and_freed() {
    let mut crowd = Crowd::default();
    let agent = crowd.create_agent(AgentDef {
        bias: 0.0,
        ..walker(0.0, 0.0, 1.0)
    });
    let wall = crowd.create_obstacle(ObstacleDef::line([point(1.0, -5.0), point(1.0, 5.0)]));
    let mut kinds = Vec::new();
    let (mut stood, mut told) = (None, None);
    for i in 0..400 {
        if i == 300 {
            assert!(crowd.destroy_obstacle(wall));
        }
        crowd.step(STEP);
        if stood.is_none() && crowd.agent(agent).velocity().norm() < 0.05 {
            stood = Some(i);
        }
        if told.is_none() && !crowd.events().is_empty() {
            told = Some(i);
        }
        kinds.extend(crowd.events().iter().map(|e| (e.agent, e.kind)));
    }
    // After two seconds with less than a twentieth of its preferred speed.
    let waited = (told.unwrap() - stood.unwrap()) as f32 * STEP;
    assert!((waited - 2.0).abs() <= 2.0 * STEP, "{waited} s");
    assert_eq!(
        kinds,
        [
            (agent, CrowdEventKind::Stuck),
            (agent, CrowdEventKind::Freed)
        ]
    );
}

#[test]
fn walls_block_sight() {
    let mut crowd = Crowd::default();
    crowd.create_obstacle(ObstacleDef::line([point(1.0, -1.0), point(1.0, 1.0)]));
    crowd.update_obstacles();
    let sees = |to: (f32, f32), radius| crowd.is_visible(WorldPoint::ORIGIN, to, radius, u32::MAX);
    assert!(!sees((2.0, 0.0), 0.0));
    assert!(sees((0.9, 0.0), 0.05));
    assert!(!sees((0.9, 0.0), 0.2));
    assert!(sees((0.0, 5.0), 0.5));
    // Invalid numbers see nothing.
    assert!(!sees((0.0, 5.0), -1.0) && !sees((f32::NAN, 5.0), 0.5));
}

#[test]
#[should_panic(expected = "cannot create the agent: max_speed is -1, which is not in 0 to")]
fn nonsense_is_refused_at_the_door() {
    Crowd::default().create_agent(AgentDef {
        max_speed: -1.0,
        ..AgentDef::default()
    });
}

#[test]
fn half_planes_can_be_looked_at() {
    let mut crowd = Crowd::default();
    let a = crowd.create_agent(walker(-2.0, 0.1, 1.0));
    let b = crowd.create_agent(walker(2.0, -0.1, -1.0));
    crowd.solve(STEP);
    let constraints = crowd.agent(a).constraints(STEP).unwrap();
    assert_eq!(constraints.neighbors, [b]);
    assert_eq!(constraints.agents.len(), 1);
    assert!(constraints.agents[0].violation(&crowd.agent(a).new_velocity()) < 1e-4);
    // Another agent in its place has none yet.
    crowd.destroy_agent(a);
    let new = crowd.create_agent(walker(-9.0, 0.1, 1.0));
    assert_eq!(crowd.agent(new).constraints(STEP), None);
}

/// Makes a crowd whose ids have a mark, with an agent and an obstacle.
fn marked(id_mark: u16) -> (Crowd, AgentId, ObstacleId) {
    let mut crowd = Crowd::new(CrowdDef {
        id_mark,
        ..CrowdDef::default()
    });
    let agent = crowd.create_agent(walker(0.0, 0.0, 1.0));
    let wall = ObstacleDef::line([point(0.0, 1.0), point(1.0, 1.0)]);
    let wall = crowd.create_obstacle(wall);
    (crowd, agent, wall)
}

#[test]
fn ids_repeat_and_those_of_another_mark_are_foreign() {
    let (mut crowd, agent, wall) = marked(7);
    assert_eq!(marked(7).1, agent);
    let (other, foreign_agent, foreign_wall) = marked(8);
    assert_ne!(foreign_agent, agent);
    assert_eq!(crowd.state_hash(), other.state_hash());
    // The mark stays that of creation.
    crowd.set_def(CrowdDef::default());
    assert_eq!(crowd.def().id_mark, 7);
    assert!(crowd.get_agent(agent).is_some() && crowd.get_obstacle(wall).is_some());
    assert!(crowd.get_agent(foreign_agent).is_none());
    assert!(crowd.get_obstacle(foreign_wall).is_none());
    assert!(!crowd.destroy_agent(foreign_agent));
}

/// A square of this half width about the origin, solid inside.
fn square(half: f32) -> [Point; 4] {
    [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, y)| point(x, y))
}

/// A block that was given clockwise is a room: the agents outside walk through it, silently.
#[test]
fn a_clockwise_ring_without_agents_is_warned_of() {
    let mut crowd = Crowd::default();
    let turned = |half: f32| {
        let mut corners = square(half);
        corners.reverse();
        corners
    };
    let room = crowd.create_obstacle(ObstacleDef::ring(turned(1.0)));
    assert_eq!(
        crowd.warnings(),
        [],
        "a crowd without agents has no empty rooms"
    );
    let agent = crowd.create_agent(walker(-3.0, 0.0, 1.0));
    crowd.create_obstacle(ObstacleDef::ring(square(0.5)));
    crowd.create_obstacle(ObstacleDef::line(turned(2.0)));
    let hall = crowd.create_obstacle(ObstacleDef::ring(turned(5.0)));
    assert_eq!(
        crowd.warnings(),
        [CrowdWarning::EmptyRoom { obstacle: room }]
    );
    crowd.agent_mut(agent).set_motion((0.5, 0.2), Vec2::zeros());
    assert_eq!(crowd.warnings(), []);
    crowd.agent_mut(agent).set_motion((9.0, 0.2), Vec2::zeros());
    let both = [room, hall].map(|obstacle| CrowdWarning::EmptyRoom { obstacle });
    assert_eq!(crowd.warnings(), both);
}
