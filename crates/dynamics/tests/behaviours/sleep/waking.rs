//! Causes that wake a body: touch, loss of support, joints, edits; and calls that do not.

use crate::sleep::sleeping::{BaseAt, box_asleep_on_platform, pin, sleeping_column};
use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKind, DistanceJointDef, Filter, InitialState, JointDef, JointFrame,
    Material, Motor, MouseJointDef, RevoluteJointDef, ShapeDef, SleepChange, WeldJointDef, World,
};
use cairn2d_geometry::math::vec2;

#[test]
fn jointed_pair_may_be_put_to_sleep_and_woken_at_will() {
    let mut world = world();
    let a = ball_at(&mut world, 0.0, 0.0, 0.5);
    let b = ball_at(&mut world, 1.5, 0.0, 0.5);
    pin(&mut world, a, b);
    world.body_mut(a).sleep();
    world.body_mut(b).sleep();
    for i in 0..500 {
        match i % 40 {
            10 => {
                world.body_mut(a).sleep();
                world.body_mut(b).sleep();
            }
            20 => world.body_mut(a).wake(),
            30 => world.body_mut(b).sleep(),
            35 => world.body_mut(b).wake(),
            _ => {}
        }
        step(&mut world);
        assert_eq!(is_awake(&world, a), is_awake(&world, b));
    }
}

#[test]
fn woken_box_is_still_supported() {
    // Catches contacts that are dropped at sleep and not restored.
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    assert!(run_until_asleep(&mut world, 100).is_some());
    world.body_mut(body).apply_impulse(vec2(0.5, 0.0));
    for _ in 0..120 {
        step(&mut world);
        assert!(y(&world, body) > 0.49);
    }
}

#[test]
fn one_restless_body_keeps_what_it_touches_awake() {
    let mut world = world();
    ground(&mut world);
    let boxes = row(&mut world, 0.0, 8);
    let lone = crate_at(&mut world, 30.0, 0.5, 0.5);
    world.body_mut(boxes[0]).set_can_sleep(false);
    run(&mut world, 400);
    for (i, &body) in boxes.iter().enumerate() {
        assert!(is_awake(&world, body));
        close(x(&world, body), i as f32, 0.1);
    }
    assert!(!is_awake(&world, lone));
}

#[test]
fn impact_wakes_and_moves_a_sleeping_row() {
    let mut world = world();
    ground(&mut world);
    let boxes = row(&mut world, 0.0, 6);
    assert!(run_until_asleep(&mut world, 200).is_some());
    solid(
        &mut world,
        BodyDef::dynamic().position(-3.0, 0.5).velocity(20.0, 0.0),
        rect(0.5, 0.5),
    );
    run(&mut world, 30);
    assert!(is_awake(&world, boxes[0]));
    assert!(x(&world, boxes[0]) > 0.1);
}

#[test]
fn slow_drift_stays_awake_and_what_is_all_but_still_sleeps() {
    let mut world = weightless();
    let drifting = solid(&mut world, BodyDef::dynamic().velocity(0.3, 0.0), disc(0.5));
    let creeping = BodyDef::dynamic().position(0.0, 5.0).velocity(0.03, 0.0);
    let creeping = solid(&mut world, creeping, disc(0.5));
    let still = BodyDef::dynamic().position(0.0, 10.0).velocity(3.0e-4, 0.0);
    let still = solid(&mut world, still, disc(0.5));
    run(&mut world, 400);
    assert!(is_awake(&world, drifting));
    assert!(is_awake(&world, creeping));
    assert!(!is_awake(&world, still));
}

#[test]
fn slow_kinematic_body_wakes_and_pushes_a_sleeper() {
    for (half_width, half_height, gap) in [(0.5, 0.5, 2.0), (10.0, 0.4, 0.5)] {
        let mut world = world();
        ground(&mut world);
        let body = crate_at(&mut world, 0.0, 0.5, 0.5);
        assert!(run_until_asleep(&mut world, 100).is_some());
        let start = x(&world, body);
        let def = BodyDef::kinematic()
            .position(-0.5 - gap - half_width, 0.5)
            .velocity(0.3, 0.0);
        solid(&mut world, def, rect(half_width, half_height));
        let arrival = (gap / 0.3 / DT) as usize;
        run(&mut world, arrival + 60);
        assert!(is_awake(&world, body));
        assert!(x(&world, body) > start + 0.2);
    }
}

#[test]
fn rider_wakes_when_its_support_is_dragged_away() {
    let mut world = world();
    ground(&mut world);
    let support = crate_at(&mut world, 0.0, 0.5, 0.5);
    let rider = crate_at(&mut world, 0.0, 1.5, 0.5);
    assert!(run_until_asleep(&mut world, 200).is_some());
    solid(
        &mut world,
        BodyDef::kinematic().position(-2.0, 0.5).velocity(0.15, 0.0),
        rect(0.5, 0.4),
    );
    let mut woke = false;
    for _ in 0..600 {
        step(&mut world);
        woke |= is_awake(&world, rider);
    }
    assert!(woke);
    assert!(x(&world, support) > 0.3);
    close(x(&world, rider), x(&world, support), 0.75);
    close(y(&world, rider), 1.5, 0.05);
}

#[test]
fn dominoes_all_fall_and_sleep() {
    let mut world = world();
    ground(&mut world);
    let dominoes: Vec<_> = (0..10)
        .map(|i| {
            let lean = if i == 0 { -0.2 } else { 0.0 };
            let def = BodyDef::dynamic().position(i as f32, 2.0).angle(lean);
            solid(&mut world, def, rect(0.1, 2.0))
        })
        .collect();
    run(&mut world, 900);
    for &body in &dominoes {
        assert!(world.body(body).angle().abs() > 0.5);
    }
    assert!(run_until_asleep(&mut world, 600).is_some());
}

#[test]
fn slow_hit_passes_its_momentum_on_to_a_sleeper() {
    // Catches a sleeper that acts as an infinite mass in the step in which it is hit.
    let mut world = world();
    ground_of(&mut world, slippery());
    let target = add(
        &mut world,
        BodyDef::dynamic().position(0.0, 0.5),
        rect(0.5, 0.5),
        slippery(),
    );
    assert!(run_until_asleep(&mut world, 100).is_some());
    let mover = BodyDef::dynamic().position(-2.5, 0.5).velocity(0.6, 0.0);
    let mover = add(&mut world, mover, rect(0.5, 0.5), slippery());
    run(&mut world, 240);
    assert!(is_awake(&world, target));
    close(world.body(target).velocity().x, 0.3, 0.01);
    close(world.body(mover).velocity().x, 0.3, 0.01);
}

#[test]
fn column_on_a_restless_base_stays_awake() {
    let mut world = world();
    ground(&mut world);
    let boxes = column(&mut world, 0.0, 4);
    let control = column(&mut world, 20.0, 4);
    world.body_mut(boxes[0]).set_can_sleep(false);
    run(&mut world, 600);
    assert!(boxes.iter().all(|&body| is_awake(&world, body)));
    assert!(control.iter().all(|&body| !is_awake(&world, body)));
}

#[test]
fn islands_sleep_and_wake_on_their_own() {
    let mut world = world();
    ground(&mut world);
    let left = column(&mut world, -5.0, 4);
    let right = column(&mut world, 5.0, 4);
    assert!(run_until_asleep(&mut world, 300).is_some());
    world.body_mut(left[2]).wake();
    assert!(left.iter().all(|&body| is_awake(&world, body)));
    assert!(right.iter().all(|&body| !is_awake(&world, body)));
    step(&mut world);
    assert_eq!(awake_dynamic(&world), 4);
}

#[test]
fn sleeper_wakes_and_falls_when_its_support_goes() {
    type Act = fn(&mut World, BodyId);
    let acts: [Act; 6] = [
        |world, platform| assert!(world.destroy_body(platform)),
        |world, platform| world.body_mut(platform).disable(),
        |world, platform| world.body_mut(platform).set_pose((10.0, 0.9), 0.0),
        |world, platform| {
            let shape = shape_of(world, platform);
            assert!(world.destroy_shape(shape));
        },
        |world, platform| {
            let shape = shape_of(world, platform);
            world.shape_mut(shape).set_filter(Filter {
                mask: 0,
                ..Filter::default()
            });
        },
        |world, platform| world.body_mut(platform).set_kind(BodyKind::Dynamic),
    ];
    for (i, act) in acts.into_iter().enumerate() {
        let mut world = world();
        let (body, platform) = box_asleep_on_platform(&mut world);
        act(&mut world, platform);
        world.assert_consistent();
        assert!(is_awake(&world, body), "act {i}");
        run(&mut world, 90);
        assert!(y(&world, body) < 1.0, "act {i}: {}", y(&world, body));
    }
}

#[test]
fn change_of_gravity_wakes() {
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    assert!(run_until_asleep(&mut world, 100).is_some());
    world.set_gravity(vec2(0.0, -10.0));
    assert!(!is_awake(&world, body));
    world.set_gravity(vec2(0.0, 10.0));
    assert!(is_awake(&world, body));
    run(&mut world, 60);
    assert!(y(&world, body) > 4.0);
}

#[test]
fn rest_of_a_sleeping_stack_falls_when_its_lowest_goes() {
    let mut world = world();
    let boxes = sleeping_column(&mut world);
    world.destroy_body(boxes[0]);
    assert!(boxes[1..].iter().all(|&body| is_awake(&world, body)));
    run(&mut world, 300);
    close(y(&world, boxes[9]), 8.5, 0.1);
}

#[test]
fn all_that_touches_the_ground_can_be_woken() {
    let mut world = world();
    let floor = ground(&mut world);
    let boxes: Vec<_> = (0..10)
        .map(|i| crate_at(&mut world, 3.0 * i as f32 - 15.0, 0.5, 0.5))
        .collect();
    assert!(run_until_asleep(&mut world, 100).is_some());
    let touching: Vec<_> = world
        .body(floor)
        .contacts()
        .map(|contact| contact.bodies()[1])
        .collect();
    for body in touching {
        world.body_mut(body).wake();
    }
    assert!(boxes.iter().all(|&body| is_awake(&world, body)));
}

#[test]
fn removing_a_sensor_wakes_nothing() {
    let mut world = world();
    let floor = ground(&mut world);
    let sensor = ShapeDef {
        sensor: true,
        ..ShapeDef::default()
    };
    let sensor = world.create_shape(floor, disc(3.0), sensor);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    assert!(run_until_asleep(&mut world, 100).is_some());
    world.destroy_shape(sensor);
    step(&mut world);
    assert!(!is_awake(&world, body));
}

#[test]
fn body_that_starts_asleep_but_may_not_sleep_is_awake() {
    let mut world = world();
    let def = BodyDef {
        can_sleep: false,
        initial_state: InitialState::Asleep,
        ..BodyDef::dynamic().position(0.0, 5.0)
    };
    let body = solid(&mut world, def, disc(0.5));
    step(&mut world);
    assert!(is_awake(&world, body));
    assert!(y(&world, body) < 5.0);
}

#[test]
fn body_that_starts_asleep_stays_in_the_air_until_touched() {
    let mut world = world();
    let def = BodyDef {
        initial_state: InitialState::Asleep,
        ..BodyDef::dynamic().position(0.0, 5.0)
    };
    let body = solid(&mut world, def, rect(0.5, 0.5));
    run(&mut world, 60);
    assert_eq!(y(&world, body), 5.0);
    ball_at(&mut world, 0.2, 7.0, 0.3);
    run(&mut world, 60);
    assert!(is_awake(&world, body) && y(&world, body) < 5.0);
}

#[test]
fn sleepers_made_overlapping_stay_until_one_is_woken() {
    let mut world = world();
    ground(&mut world);
    let def = BodyDef {
        initial_state: InitialState::Asleep,
        ..BodyDef::dynamic()
    };
    let a = solid(&mut world, def.clone().position(0.0, 0.5), rect(0.5, 0.5));
    let b = solid(&mut world, def.position(0.8, 0.5), rect(0.5, 0.5));
    run(&mut world, 30);
    assert!(!is_awake(&world, a) && !is_awake(&world, b));
    assert!(world.contact_begins().is_empty());
    world.body_mut(a).wake();
    run(&mut world, 120);
    assert!(x(&world, b) - x(&world, a) > 1.0 - 2.0 * SLOP);
}

#[test]
fn putting_one_to_sleep_leaves_what_it_no_longer_touches_awake() {
    // Catches islands that are searched for pieces only when they would like to sleep.
    let mut world = weightless();
    let a = crate_at(&mut world, 0.0, 0.0, 0.5);
    let b = crate_at(&mut world, 0.99, 0.0, 0.5);
    step(&mut world);
    assert!(touch(&world, a, b));
    world.body_mut(b).set_pose((5.0, 0.0), 0.0);
    world.body_mut(b).set_velocity(vec2(1.0, 0.0));
    step(&mut world);
    world.body_mut(a).sleep();
    assert!(!is_awake(&world, a));
    assert!(is_awake(&world, b));
    run(&mut world, 10);
    assert!(x(&world, b) > 5.1);
}

#[test]
fn sleep_and_wake_are_reported_once_each() {
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    let mut changes = Vec::new();
    for i in 0..200 {
        step(&mut world);
        changes.extend(
            world
                .sleep_changes()
                .iter()
                .map(|event| (event.body, event.change)),
        );
        if i == 100 {
            world.body_mut(body).wake();
            world.body_mut(body).wake();
        }
    }
    let (fell, woke) = (SleepChange::FellAsleep, SleepChange::Woke);
    assert_eq!(changes, [(body, fell), (body, woke), (body, fell)]);
}

#[test]
fn motor_that_turns_keeps_its_wheel_awake() {
    let mut world = weightless();
    let base = world.create_body(BodyDef::static_());
    let wheel = ball_at(&mut world, 0.0, 0.0, 0.5);
    let def = RevoluteJointDef {
        motor: Some(Motor::new(1.0, 100.0)),
        ..RevoluteJointDef::new(base, wheel)
    };
    world.create_joint(def);
    run(&mut world, 300);
    assert!(is_awake(&world, wheel));
    close(world.body(wheel).angular_velocity(), 1.0, 1.0e-3);
}

#[test]
fn moving_the_anchor_of_a_sleeper_wakes_it() {
    for kinematic in [true, false] {
        let mut world = world();
        let def = if kinematic {
            BodyDef::kinematic()
        } else {
            BodyDef::static_()
        };
        let base = solid(&mut world, def.position(0.0, 5.0), rect(0.1, 0.1));
        let bob = ball_at(&mut world, 0.0, 3.0, 0.3);
        world.create_joint(
            RevoluteJointDef::new(bob, base).base_at(cairn2d_geometry::math::point(0.0, 2.0)),
        );
        assert!(run_until_asleep(&mut world, 200).is_some());
        if kinematic {
            world.body_mut(base).set_velocity(vec2(1.0, 0.0));
        } else {
            world.body_mut(base).set_pose((0.5, 5.0), 0.0);
        }
        run(&mut world, 120);
        assert!(is_awake(&world, bob));
        assert!(x(&world, bob) > 0.2);
    }
}

#[test]
fn started_conveyor_wakes_what_sleeps_on_it() {
    let mut world = world();
    let floor = ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    assert!(run_until_asleep(&mut world, 100).is_some());
    let material = Material {
        surface_speed: -2.0,
        ..Material::default()
    };
    world
        .shape_mut(shape_of(&world, floor))
        .set_material(material);
    assert!(is_awake(&world, body));
    run(&mut world, 60);
    close(world.body(body).velocity().x, 2.0, 0.05);
}

#[test]
fn platform_that_starts_to_move_wakes_its_rider() {
    let mut world = world();
    let platform = solid(&mut world, BodyDef::kinematic(), rect(3.0, 0.5));
    let rider = crate_at(&mut world, 0.0, 1.0, 0.5);
    assert!(run_until_asleep(&mut world, 200).is_some());
    world.body_mut(platform).set_velocity(vec2(0.0, -20.0));
    run(&mut world, 10);
    assert!(is_awake(&world, rider));
    assert!(y(&world, rider) < 0.9);
}

#[test]
fn kinematic_body_at_rest_still_carries_what_stays_awake() {
    // Catches constraints that are dropped when the kinematic body of the two falls asleep.
    let mut world = world();
    let platform = BodyDef::kinematic().position(0.0, -0.5).velocity(1.0, 0.0);
    let platform = solid(&mut world, platform, rect(5.0, 0.5));
    let def = BodyDef {
        can_sleep: false,
        ..BodyDef::dynamic().position(0.0, 0.5)
    };
    let rider = solid(&mut world, def, rect(0.5, 0.5));
    run(&mut world, 30);
    world.body_mut(platform).sleep();
    for _ in 0..120 {
        step(&mut world);
        assert!(!is_awake(&world, platform));
        close(y(&world, rider), 0.5, SLOP);
    }
    close(speed(&world, rider), 0.0, 1.0e-3);
}

/// It stayed in the air, asleep: its joint was gone before anything looked for neighbors.
#[test]
fn destroyed_anchor_wakes_what_hangs_on_it() {
    let joints: [fn(BodyId, BodyId) -> JointDef; 4] = [
        |a, b| DistanceJointDef::new(a, b).length(3.0).into(),
        |a, b| {
            let mut pin = RevoluteJointDef::new(a, b);
            pin.base.frame_b = JointFrame::at(0.0, 3.0);
            pin.into()
        },
        |a, b| {
            let mut weld = WeldJointDef::new(a, b);
            weld.base.frame_b = JointFrame::at(0.0, 3.0);
            weld.into()
        },
        |a, b| MouseJointDef::new(a, b).into(),
    ];
    for kind in [BodyKind::Static, BodyKind::Kinematic] {
        for (i, joint) in joints.iter().enumerate() {
            let mut world = world();
            let anchor = world.create_body(BodyDef {
                kind,
                ..BodyDef::static_().position(0.0, 5.0)
            });
            let body = crate_at(&mut world, 0.0, 2.0, 0.3);
            world.body_mut(body).set_damping(0.5, 0.5);
            world.create_joint(joint(anchor, body));
            assert!(run_until_asleep(&mut world, 900).is_some(), "{kind:?}, {i}");
            let from = y(&world, body);
            world.destroy_body(anchor);
            run(&mut world, 60);
            // 5 m without the damping.
            let fallen = from - y(&world, body);
            assert!(fallen > 4.0, "{kind:?}, {i}: {fallen}");
        }
    }
}
