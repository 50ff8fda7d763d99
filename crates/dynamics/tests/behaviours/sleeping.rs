//! What falls asleep, what stays awake, and what wakes.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKind, Filter, JointBaseDef, JointFrame, Material, Motor, RevoluteJointDef,
    ShapeDef, SleepChange, StartAs, World,
};
use cairn2d_geometry::math::{WorldPoint, vec2};
use cairn2d_geometry::{ChainKind, Polygon};

/// A box asleep on a static platform whose top is at y = 1.
fn box_asleep_on_platform(world: &mut World) -> (BodyId, BodyId) {
    ground(world);
    let platform = solid(world, BodyDef::fixed().at(0.0, 0.9), rect(2.0, 0.1));
    let body = crate_at(world, 0.0, 1.5, 0.5);
    assert!(run_until_asleep(world, 200).is_some());
    (body, platform)
}

/// Ten boxes on each other, asleep on the ground; the lowest comes first.
fn sleeping_column(world: &mut World) -> Vec<BodyId> {
    ground(world);
    let boxes = column(world, 0.0, 10);
    assert!(run_until_asleep(world, 400).is_some());
    boxes
}

/// Pins `b` to `a` where `b`'s centre is.
fn pin(world: &mut World, a: BodyId, b: BodyId) -> cairn2d_dynamics::JointId {
    let place = world.body(b).position();
    let anchor = world.body(a).to_local(place);
    world.create_joint(RevoluteJointDef::new(a, b).base_at(anchor))
}

/// Shorthand for a pin at a place of A and the origin of B.
trait BaseAt {
    fn base_at(self, anchor: cairn2d_geometry::math::Point) -> Self;
}

impl BaseAt for RevoluteJointDef {
    fn base_at(self, anchor: cairn2d_geometry::math::Point) -> Self {
        let frame_a = JointFrame { anchor, angle: 0.0 };
        Self {
            base: JointBaseDef {
                frame_a,
                ..self.base
            },
            ..self
        }
    }
}

#[test]
fn pyramid_sleeps_at_the_same_step_wherever_it_stands() {
    let settle = |base: f64| {
        let mut world = world();
        let place = |x: f32, y: f32| WorldPoint::new(base + f64::from(x), base + f64::from(y));
        let at = |position: WorldPoint, def: BodyDef| BodyDef { position, ..def };
        let floor = at(place(0.0, -1.0), BodyDef::fixed());
        solid(&mut world, floor, rect(20.0, 1.0));
        let mut boxes = Vec::new();
        for (level, count) in [(0, 4), (1, 3), (2, 2)] {
            for i in 0..count {
                let x = 1.1 * (i as f32 - 0.5 * (count - 1) as f32);
                let def = at(place(x, 0.55 + 1.05 * level as f32), BodyDef::dynamic());
                boxes.push(solid(&mut world, def, rect(0.5, 0.5)));
            }
        }
        let steps = run_until_asleep(&mut world, 250).expect("sleeps");
        let origin = place(0.0, 0.0);
        let places: Vec<_> = boxes
            .iter()
            .map(|&body| world.body(body).position_exact() - origin)
            .collect();
        (steps, places)
    };
    let (here, there) = (settle(0.0), settle(1.0e7));
    assert_eq!(here.0, there.0);
    for (a, b) in here.1.iter().zip(&there.1) {
        assert!((a - b).norm() < 1.0e-3);
    }
}

#[test]
fn body_put_to_sleep_in_the_air_stays_there() {
    let mut world = world();
    let body = ball_at(&mut world, 0.0, 30.0, 0.5);
    run(&mut world, 10);
    world.body_mut(body).set_pose((0.0, 20.0), 0.0);
    world.body_mut(body).sleep();
    run(&mut world, 10);
    assert!(!is_awake(&world, body));
    assert_eq!(y(&world, body), 20.0);
    assert_eq!(speed(&world, body), 0.0);
}

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
        BodyDef::dynamic().at(-3.0, 0.5).moving(20.0, 0.0),
        rect(0.5, 0.5),
    );
    run(&mut world, 30);
    assert!(is_awake(&world, boxes[0]));
    assert!(x(&world, boxes[0]) > 0.1);
}

#[test]
fn joint_shares_sleep() {
    let mut world = world();
    ground(&mut world);
    let restless = crate_at(&mut world, 0.0, 0.5, 0.5);
    let touched = crate_at(&mut world, 1.0, 0.5, 0.5);
    let jointed = crate_at(&mut world, 4.0, 0.5, 0.5);
    let control = crate_at(&mut world, 20.0, 0.5, 0.5);
    pin(&mut world, touched, jointed);
    world.body_mut(restless).set_can_sleep(false);
    run(&mut world, 400);
    for (body, place) in [(restless, 0.0), (touched, 1.0), (jointed, 4.0)] {
        assert!(is_awake(&world, body));
        close(x(&world, body), place, 0.1);
    }
    assert!(!is_awake(&world, control));
}

#[test]
fn speed_of_the_fastest_point_decides_about_sleep() {
    let mut world = weightless();
    let turning = |w: f32, x: f32| BodyDef {
        angular_velocity: w,
        ..BodyDef::dynamic().at(x, 0.0)
    };
    let beam = solid(&mut world, turning(0.3, 0.0), rect(10.0, 0.1));
    let pebble = solid(&mut world, turning(0.55, 30.0), rect(0.05, 0.05));
    run(&mut world, 200);
    assert!(is_awake(&world, beam));
    assert!(!is_awake(&world, pebble));
}

#[test]
fn slow_drift_stays_awake_and_creeping_sleeps() {
    let mut world = weightless();
    let drifting = solid(&mut world, BodyDef::dynamic().moving(0.3, 0.0), disc(0.5));
    let creeping = BodyDef::dynamic().at(0.0, 5.0).moving(0.03, 0.0);
    let creeping = solid(&mut world, creeping, disc(0.5));
    run(&mut world, 400);
    assert!(is_awake(&world, drifting));
    assert!(!is_awake(&world, creeping));
}

#[test]
fn sleep_speed_of_a_body_decides() {
    let mut world = weightless();
    let def = BodyDef {
        sleep_speed: 0.5,
        ..BodyDef::dynamic().moving(0.3, 0.0)
    };
    let body = solid(&mut world, def, disc(0.5));
    run(&mut world, 60);
    assert!(!is_awake(&world, body));
    world.body_mut(body).set_sleep_speed(0.1);
    world.body_mut(body).set_velocity(vec2(0.3, 0.0));
    run(&mut world, 60);
    assert!(is_awake(&world, body));
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
            .at(-0.5 - gap - half_width, 0.5)
            .moving(0.3, 0.0);
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
        BodyDef::kinematic().at(-2.0, 0.5).moving(0.15, 0.0),
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
            let def = BodyDef::dynamic().at(i as f32, 2.0).turned(lean);
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
        BodyDef::dynamic().at(0.0, 0.5),
        rect(0.5, 0.5),
        slippery(),
    );
    assert!(run_until_asleep(&mut world, 100).is_some());
    let mover = BodyDef::dynamic().at(-2.5, 0.5).moving(0.6, 0.0);
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
fn weightless_pair_in_the_air_sleeps_as_a_whole() {
    let mut world = world();
    let def = BodyDef {
        gravity_scale: 0.0,
        ..BodyDef::dynamic()
    };
    solid(&mut world, def.clone().at(0.0, 30.0), rect(0.5, 0.5));
    solid(&mut world, def.at(0.9, 30.0), rect(0.5, 0.5));
    assert!(run_until_asleep(&mut world, 400).is_some());
    world.validate();
}

#[test]
fn wide_bodies_sleep() {
    let mut world = world();
    ground(&mut world);
    let tub = world.create_body(BodyDef::dynamic().at(0.0, 0.25));
    for (x, y, w, h) in [
        (0.0, 0.0, 4.0, 0.25),
        (-3.75, 1.0, 0.25, 1.0),
        (3.75, 1.0, 0.25, 1.0),
    ] {
        let part = Polygon::offset_rectangle(w, h, cairn2d_geometry::math::point(x, y), 0.0);
        world.create_shape(tub, part.unwrap(), ShapeDef::default());
    }
    assert!(run_until_asleep(&mut world, 300).is_some());
}

#[test]
fn body_without_forces_does_not_move_by_a_bit() {
    let mut world = weightless();
    let def = BodyDef {
        can_sleep: false,
        ..BodyDef::dynamic().at(1.0, 2.0).turned(0.7)
    };
    let body = solid(&mut world, def, rect(0.2, 8.0));
    let before = (world.body(body).position(), world.body(body).rotation());
    run(&mut world, 200);
    assert_eq!(
        (world.body(body).position(), world.body(body).rotation()),
        before
    );
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
fn stack_sleeps_after_a_passing_kinematic_body_left() {
    let mut world = world();
    ground(&mut world);
    let boxes = column(&mut world, 0.0, 3);
    let def = BodyDef::kinematic().at(-4.0, 3.45).moving(2.0, 0.0);
    let mover = add(&mut world, def, rect(0.5, 0.46), slippery());
    for &body in &boxes {
        world.set_material(
            shape_of(&world, body),
            Material {
                friction: 0.9,
                ..Material::default()
            },
        );
    }
    run(&mut world, 240);
    assert!(x(&world, mover) > 3.0);
    assert!(run_until_asleep(&mut world, 300).is_some());
}

#[test]
fn rest_sleeps_once_its_joint_to_a_restless_body_is_gone() {
    let jointed = |world: &mut World| {
        ground(world);
        let body = crate_at(world, 0.0, 0.5, 0.5);
        let def = BodyDef {
            can_sleep: false,
            gravity_scale: 0.0,
            ..BodyDef::dynamic().at(0.0, 5.0)
        };
        let restless = solid(world, def, rect(0.5, 0.5));
        let joint = pin(world, body, restless);
        run(world, 100);
        assert!(is_awake(world, body));
        (body, restless, joint)
    };
    for how in 0..4 {
        let mut world = world();
        let (body, restless, joint) = jointed(&mut world);
        match how {
            0 => assert!(world.destroy_joint(joint)),
            1 => world.body_mut(restless).set_kind(BodyKind::Static),
            2 => world.body_mut(restless).disable(),
            _ => assert!(world.destroy_body(restless)),
        }
        run(&mut world, 200);
        assert!(!is_awake(&world, body), "way {how}");
    }
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
            world.set_filter(
                shape,
                Filter {
                    mask: 0,
                    ..Filter::default()
                },
            );
        },
        |world, platform| world.body_mut(platform).set_kind(BodyKind::Dynamic),
    ];
    for (i, act) in acts.into_iter().enumerate() {
        let mut world = world();
        let (body, platform) = box_asleep_on_platform(&mut world);
        act(&mut world, platform);
        world.validate();
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
fn body_that_may_not_sleep_may_do_so_when_allowed() {
    let mut world = world();
    ground(&mut world);
    let def = BodyDef {
        can_sleep: false,
        ..BodyDef::dynamic().at(0.0, 0.5)
    };
    let body = solid(&mut world, def, rect(0.5, 0.5));
    run(&mut world, 100);
    assert!(is_awake(&world, body));
    world.body_mut(body).set_can_sleep(true);
    run(&mut world, 60);
    assert!(!is_awake(&world, body));
    world.body_mut(body).set_can_sleep(false);
    run(&mut world, 60);
    assert!(is_awake(&world, body));
}

#[test]
fn body_that_starts_asleep_but_may_not_sleep_is_awake() {
    let mut world = world();
    let def = BodyDef {
        can_sleep: false,
        start_as: StartAs::Asleep,
        ..BodyDef::dynamic().at(0.0, 5.0)
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
        start_as: StartAs::Asleep,
        ..BodyDef::dynamic().at(0.0, 5.0)
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
        start_as: StartAs::Asleep,
        ..BodyDef::dynamic()
    };
    let a = solid(&mut world, def.clone().at(0.0, 0.5), rect(0.5, 0.5));
    let b = solid(&mut world, def.at(0.8, 0.5), rect(0.5, 0.5));
    run(&mut world, 30);
    assert!(!is_awake(&world, a) && !is_awake(&world, b));
    assert!(world.contact_begins().is_empty());
    world.body_mut(a).wake();
    run(&mut world, 120);
    assert!(x(&world, b) - x(&world, a) > 1.0 - 2.0 * SLOP);
}

#[test]
fn round_shapes_sleep_on_a_segmented_floor() {
    // Catches kept contact points that pump energy into what rolls over seams.
    for thing in 0..2 {
        let mut world = world();
        let floor = world.create_body(BodyDef::fixed());
        let points: Vec<_> = (0..=40).map(|i| (20.0 - i as f32, 0.0)).collect();
        add_chain(&mut world, floor, &points, ChainKind::Open);
        let def = BodyDef::dynamic().at(0.3, 0.5).moving(0.2, 0.0);
        let body = if thing == 0 {
            solid(&mut world, def, disc(0.5))
        } else {
            solid(&mut world, def, capsule(0.5, 0.5))
        };
        let material = Material {
            rolling_resistance: 0.01,
            ..Material::default()
        };
        world.set_material(shape_of(&world, body), material);
        assert!(
            run_until_asleep(&mut world, 2000).is_some(),
            "thing {thing}"
        );
        close(y(&world, body), 0.5, SLOP);
    }
}

#[test]
fn restless_body_keeps_its_island_from_being_put_to_sleep() {
    let mut world = world();
    ground(&mut world);
    let boxes = column(&mut world, 0.0, 2);
    world.body_mut(boxes[0]).set_can_sleep(false);
    run(&mut world, 10);
    world.body_mut(boxes[1]).sleep();
    assert!(is_awake(&world, boxes[0]) && is_awake(&world, boxes[1]));
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
                .sleep_events()
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
    let base = world.create_body(BodyDef::fixed());
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
            BodyDef::fixed()
        };
        let base = solid(&mut world, def.at(0.0, 5.0), rect(0.1, 0.1));
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
    world.set_material(shape_of(&world, floor), material);
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
fn sleeping_can_be_switched_off_for_a_world() {
    let mut world = sleepless();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    run(&mut world, 200);
    assert!(is_awake(&world, body));
    close(y(&world, body), 0.5, SLOP);
}

#[test]
fn kinematic_body_at_rest_still_carries_what_stays_awake() {
    // Catches constraints that are dropped when the kinematic body of the two falls asleep.
    let mut world = world();
    let platform = BodyDef::kinematic().at(0.0, -0.5).moving(1.0, 0.0);
    let platform = solid(&mut world, platform, rect(5.0, 0.5));
    let def = BodyDef {
        can_sleep: false,
        ..BodyDef::dynamic().at(0.0, 0.5)
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
