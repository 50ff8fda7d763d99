//! Sensors detect overlapping shapes: each begin event has an end event, at any speed.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, BodyKind, Continuous, Filter, ShapeDef, World};
use cairn2d_geometry::math::{point, vec2};
use cairn2d_geometry::{Capsule, Chain, Polygon, Shape};

fn sensor() -> ShapeDef {
    ShapeDef {
        sensor: true,
        ..ShapeDef::default()
    }
}

/// Numbers of sensor events of the last step.
fn counts(world: &World) -> (usize, usize) {
    (world.sensor_begins().len(), world.sensor_ends().len())
}

fn stepped(world: &mut World) -> (usize, usize) {
    step(world);
    counts(world)
}

#[test]
fn visitor_is_noticed_once_through_all_that_happens_to_it() {
    let mut world = weightless();
    let zone = add(
        &mut world,
        BodyDef::static_().position(-2.0, 1.0),
        rect(1.0, 1.0),
        sensor(),
    );
    let visitor = ball_at(&mut world, -2.0, 1.0, 0.5);
    assert_eq!(stepped(&mut world), (1, 0));
    assert_eq!(world.sensor_begins()[0].visitor_body, visitor);
    assert_eq!(world.sensor_begins()[0].sensor_body, zone);
    assert_eq!(stepped(&mut world), (0, 0));
    world.body_mut(visitor).disable();
    assert_eq!(stepped(&mut world), (0, 1));
    world.body_mut(visitor).enable();
    assert_eq!(stepped(&mut world), (1, 0));
    let shape = shape_of(&world, visitor);
    world.shape_mut(shape).set_filter(Filter {
        mask: 0,
        ..Filter::default()
    });
    assert_eq!(stepped(&mut world), (0, 1));
    world.shape_mut(shape).set_filter(Filter::default());
    assert_eq!(stepped(&mut world), (1, 0));
    world.body_mut(visitor).set_pose((5.0, 5.0), 0.0);
    assert_eq!(stepped(&mut world), (0, 1));
    world.body_mut(visitor).set_pose((-2.0, 1.5), 0.0);
    assert_eq!(stepped(&mut world), (1, 0));
    world.destroy_body(visitor);
    assert_eq!(stepped(&mut world), (0, 1));
    ball_at(&mut world, -2.0, 1.0, 0.5);
    assert_eq!(stepped(&mut world), (1, 0));
    world.destroy_body(zone);
    assert_eq!(stepped(&mut world), (0, 1));
    assert_eq!(stepped(&mut world), (0, 0));
}

#[test]
fn two_sensors_notice_each_other() {
    let mut world = weightless();
    add(&mut world, BodyDef::static_(), disc(1.0), sensor());
    let other = add(
        &mut world,
        BodyDef::dynamic().position(0.5, 0.0),
        disc(1.0),
        sensor(),
    );
    assert_eq!(stepped(&mut world), (2, 0));
    world.body_mut(other).set_pose((9.0, 0.0), 0.0);
    assert_eq!(stepped(&mut world), (0, 2));
}

#[test]
fn fast_body_is_noticed_by_a_thin_sensor_and_not_slowed() {
    for bullet in [false, true] {
        let mut world = weightless();
        add(
            &mut world,
            BodyDef::static_(),
            segment((0.0, -5.0), (0.0, 5.0)),
            sensor(),
        );
        let def = BodyDef {
            bullet,
            ..BodyDef::dynamic().position(-26.7, 0.0).velocity(250.0, 0.0)
        };
        let body = solid(&mut world, def, disc(0.25));
        let mut seen = (0, 0);
        for _ in 0..30 {
            let (begins, ends) = stepped(&mut world);
            seen = (seen.0 + begins, seen.1 + ends);
        }
        assert_eq!(seen, (1, 1));
        close(x(&world, body), 98.3, 0.1);
    }
}

#[test]
fn fast_sensor_passes_a_wall_and_notices_it() {
    let mut world = weightless();
    solid(&mut world, BodyDef::static_(), rect(0.1, 10.0));
    let def = BodyDef::dynamic().position(-4.0, 0.0).velocity(400.0, 0.0);
    let body = add(&mut world, def, disc(0.2), sensor());
    let mut seen = (0, 0);
    for _ in 0..3 {
        let (begins, ends) = stepped(&mut world);
        seen = (seen.0 + begins, seen.1 + ends);
    }
    assert_eq!(seen, (1, 1));
    assert!(x(&world, body) > 3.0);
}

#[test]
fn sensor_on_a_bullet_passes_a_wall_with_one_begin_and_one_end() {
    let mut world = weightless();
    let visible = ShapeDef::default();
    add(
        &mut world,
        BodyDef::static_().position(1.5, 11.0),
        rect(0.5, 10.0),
        visible,
    );
    let def = BodyDef {
        bullet: true,
        ..BodyDef::dynamic().position(7.398, 4.0).velocity(-20.0, 0.0)
    };
    let body = add(&mut world, def, disc(0.1), sensor());
    let (mut begins, mut ends) = (Vec::new(), Vec::new());
    for i in 0..60 {
        let (begun, ended) = stepped(&mut world);
        begins.extend(vec![i; begun]);
        ends.extend(vec![i; ended]);
    }
    assert!(x(&world, body) < -1.0);
    assert_eq!((begins.len(), ends.len()), (1, 1));
    assert!(begins[0] < ends[0]);
}

#[test]
fn bullet_through_a_sensor_stopped_by_a_wall_is_booked_once() {
    let mut world = weightless();
    solid(
        &mut world,
        BodyDef::static_().position(1.5, 11.0),
        rect(0.5, 10.0),
    );
    add(
        &mut world,
        BodyDef::static_().position(4.0, 4.0),
        rect(0.2, 2.0),
        sensor(),
    );
    let def = BodyDef {
        bullet: true,
        ..BodyDef::dynamic().position(7.398, 4.0).velocity(-20.0, 0.0)
    };
    solid(&mut world, def, disc(0.1));
    let mut seen = (0, 0);
    for _ in 0..120 {
        let (begins, ends) = stepped(&mut world);
        seen = (seen.0 + begins, seen.1 + ends);
        assert!(begins <= 1 && ends <= 1);
    }
    assert_eq!(seen, (1, 1));
}

#[test]
fn kinematic_and_sleeping_visitors_are_noticed() {
    let mut world = weightless();
    add(&mut world, BodyDef::static_(), disc(1.0), sensor());
    solid(
        &mut world,
        BodyDef::kinematic().position(-3.0, 0.0).velocity(2.0, 0.0),
        disc(0.2),
    );
    let mut seen = (0, 0);
    for _ in 0..240 {
        let (begins, ends) = stepped(&mut world);
        seen = (seen.0 + begins, seen.1 + ends);
    }
    assert_eq!(seen, (1, 1));
}

#[test]
fn sleep_of_the_visitor_ends_nothing() {
    let mut world = world();
    ground(&mut world);
    add(&mut world, BodyDef::static_(), rect(2.0, 2.0), sensor());
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    let mut seen = (0, 0);
    for i in 0..200 {
        if i == 120 {
            assert!(!is_awake(&world, body));
            world.body_mut(body).wake();
        }
        let (begins, ends) = stepped(&mut world);
        seen = (seen.0 + begins, seen.1 + ends);
    }
    assert_eq!(seen, (1, 0));
}

#[test]
fn change_of_kind_keeps_the_books() {
    let mut world = weightless();
    add(&mut world, BodyDef::static_(), disc(2.0), sensor());
    let visitor = ball_at(&mut world, 0.0, 0.0, 0.5);
    let mut open = 0_isize;
    let kinds = [
        BodyKind::Kinematic,
        BodyKind::Dynamic,
        BodyKind::Static,
        BodyKind::Dynamic,
    ];
    for i in 0..40 {
        world.body_mut(visitor).set_kind(kinds[i % 4]);
        let (begins, ends) = stepped(&mut world);
        open += begins as isize - ends as isize;
        assert!((0..=1).contains(&open));
    }
}

#[test]
fn overlaps_of_a_sensor_agree_with_its_events() {
    let mut world = world();
    ground(&mut world);
    let zone = add(
        &mut world,
        BodyDef::static_().position(0.0, 1.0),
        rect(1.0, 1.0),
        sensor(),
    );
    let zone = shape_of(&world, zone);
    let mut random = Random::new(8);
    let mut bodies: Vec<BodyId> = Vec::new();
    let mut inside = std::collections::BTreeMap::new();
    for i in 0..300 {
        if i % 10 == 0 {
            let def = BodyDef::dynamic().position(random.range(-3.0, 3.0), 5.0);
            bodies.push(solid(&mut world, def, disc(0.3)));
        }
        if i % 25 == 24 {
            world.destroy_body(bodies.remove(0));
        }
        if i % 30 == 29 {
            let pushed = bodies[bodies.len() / 2];
            world.body_mut(pushed).set_velocity(vec2(5.0, 3.0));
        }
        step(&mut world);
        // A visitor that has left and crosses the sensor again in the same step has two ends and a begin.
        for begin in world.sensor_begins() {
            *inside.entry(begin.visitor).or_insert(0) += 1;
        }
        for end in world.sensor_ends() {
            *inside.entry(end.visitor).or_insert(0) -= 1;
        }
        inside.retain(|_, count| *count != 0);
        let now: std::collections::BTreeMap<_, _> = world
            .shape(zone)
            .overlaps()
            .map(|visitor| (visitor, 1))
            .collect();
        assert_eq!(now, inside);
    }
}

#[test]
fn sleepers_are_noticed_asleep_and_leave_when_they_go() {
    let mut world = weightless();
    add(&mut world, BodyDef::static_(), rect(1.0, 1.0), sensor());
    let asleep = BodyDef::dynamic().initial_state(cairn2d_dynamics::InitialState::Asleep);
    let visitor = solid(&mut world, asleep, disc(0.3));
    assert_eq!(stepped(&mut world), (1, 0));
    assert!(!is_awake(&world, visitor));
    world.body_mut(visitor).wake();
    assert_eq!(stepped(&mut world), (0, 0));
    world.body_mut(visitor).sleep();
    assert_eq!(stepped(&mut world), (0, 0));
    world.destroy_body(visitor);
    assert_eq!(stepped(&mut world), (0, 1));
}

#[test]
fn foot_sensor_counts_the_segments_of_a_chain_above_and_below_it() {
    let mut world = world();
    let ground = world.create_body(BodyDef::static_());
    let points: Vec<_> = (0..=20)
        .map(|i| point(2.0 * i as f32 - 20.0, 0.0))
        .collect();
    world.create_chain(ground, &Chain::ground(&points), ShapeDef::default());
    let player = world.create_body(BodyDef {
        locks: cairn2d_dynamics::Locks {
            rotation: true,
            ..Default::default()
        },
        ..BodyDef::dynamic().position(-18.5, 1.2)
    });
    let body = Capsule::new(point(0.0, -0.5), point(0.0, 0.5), 0.5);
    world.create_shape(player, body, ShapeDef::default());
    // Its middle is under the chain when the player stands on it.
    let foot = Polygon::offset_rectangle(0.5, 0.25, point(0.0, -1.1), 0.0);
    let foot = world.create_shape(player, foot, sensor());
    let (mut under_foot, mut jumps) = (0_i32, 0);
    for i in 0..600 {
        if i % 120 == 60 {
            let velocity = vec2(world.body(player).velocity().x, 6.0);
            world.body_mut(player).set_velocity(velocity);
        } else {
            let fall = world.body(player).velocity().y;
            world.body_mut(player).set_velocity(vec2(2.0, fall));
        }
        step(&mut world);
        let (begins, ends) = counts(&world);
        under_foot += begins as i32 - ends as i32;
        assert_eq!(under_foot as usize, world.shape(foot).overlaps().count());
        let height = y(&world, player) - 1.0;
        let x = x(&world, player);
        // Ends of the sensor, 0.35 below the capsule's foot.
        let low = height - 0.35;
        let expected = (0..20)
            .filter(|&i| {
                let left = 2.0 * i as f32 - 20.0;
                low <= 0.0 && left <= x + 0.5 && x - 0.5 <= left + 2.0
            })
            .count();
        // The events are of the poses before the step; near a change both are right.
        let at_joint = |x: f32| !(0.1..1.9).contains(&x.rem_euclid(2.0));
        let near = low.abs() < 0.2 || at_joint(x - 0.5) || at_joint(x + 0.5);
        assert!(
            near || under_foot as usize == expected,
            "step {i}: {under_foot} of {expected}"
        );
        jumps += usize::from(expected == 0);
    }
    assert!(jumps > 100, "{jumps}");
}

#[test]
fn sensor_notices_a_chain_from_behind() {
    let mut world = weightless();
    let ground = world.create_body(BodyDef::static_());
    let points = [(-4.0, 0.0), (-2.0, 0.0), (2.0, 0.0), (4.0, 0.0)].map(|(x, y)| point(x, y));
    world.create_chain(ground, &Chain::ground(&points), ShapeDef::default());
    let from_below = BodyDef::dynamic().position(0.0, -1.0).velocity(0.0, 3.0);
    let zone = world.create_body(from_below);
    let zone = world.create_shape(zone, rect(0.5, 0.5), sensor());
    let (mut begun, mut ended) = (0, 0);
    for _ in 0..60 {
        let (begins, ends) = stepped(&mut world);
        begun += begins;
        ended += ends;
        if begun > ended {
            assert_eq!(world.shape(zone).overlaps().count(), 1);
        }
    }
    assert_eq!((begun, ended), (1, 1));
}

#[test]
fn sensors_that_never_move_notice_no_static_shapes_and_what_moves_once() {
    let mut world = weightless();
    add(&mut world, BodyDef::static_(), disc(1.0), sensor());
    add(
        &mut world,
        BodyDef::static_().position(0.5, 0.0),
        disc(1.0),
        sensor(),
    );
    solid(
        &mut world,
        BodyDef::static_().position(-0.5, 0.0),
        disc(1.0),
    );
    assert_eq!(stepped(&mut world), (0, 0));
    let body = world.create_body(BodyDef::dynamic());
    world.create_shape(body, disc(0.1), ShapeDef::default());
    assert_eq!(stepped(&mut world), (2, 0));
}

#[test]
fn sensor_before_a_wall_is_noticed_by_what_bounces_off_it_and_one_behind_is_not() {
    for continuous in [Continuous::Auto, Continuous::Clamp, Continuous::Substep] {
        let mut world = weightless();
        let wall = ShapeDef::default().restitution(1.0);
        add(&mut world, BodyDef::static_(), rect(0.1, 5.0), wall);
        let gate = |world: &mut World, x: f32| {
            let body = add(
                world,
                BodyDef::static_().position(x, 0.0),
                rect(0.02, 5.0),
                sensor(),
            );
            shape_of(world, body)
        };
        let (before, behind) = (gate(&mut world, -1.0), gate(&mut world, 1.0));
        // 5 m in a step: in, off the wall, and out again within one.
        let def = BodyDef {
            continuous,
            ..BodyDef::dynamic().position(-2.6, 0.0).velocity(300.0, 0.0)
        };
        let ball = add(&mut world, def, disc(0.1), wall);
        let (mut begun, mut ended) = (0, 0);
        for _ in 0..10 {
            step(&mut world);
            assert!(
                world
                    .sensor_begins()
                    .iter()
                    .all(|begin| begin.sensor != behind)
            );
            begun += world.sensor_begins().len();
            ended += world.sensor_ends().len();
        }
        assert!(x(&world, ball) < -2.0);
        // In one step it comes by both ways at once; clamped it comes back in another.
        let expected = if continuous == Continuous::Clamp {
            2
        } else {
            1
        };
        assert_eq!((begun, ended), (expected, expected), "{continuous:?}");
        assert_eq!(world.shape(before).overlaps().count(), 0);
    }
}

#[test]
fn fast_body_and_fast_sensor_that_cross_are_booked_once() {
    let mut world = weightless();
    let def = BodyDef::dynamic().position(-5.0, 0.0).velocity(300.0, 0.0);
    solid(&mut world, def, disc(0.2));
    let def = BodyDef::dynamic().position(5.0, 0.0).velocity(-300.0, 0.0);
    add(&mut world, def, disc(0.2), sensor());
    let mut seen = (0, 0);
    for _ in 0..5 {
        let (begins, ends) = stepped(&mut world);
        seen = (seen.0 + begins, seen.1 + ends);
    }
    assert_eq!(seen, (1, 1));
}

#[test]
fn books_balance_among_fast_bodies_that_bounce() {
    let mut crossings = 0;
    for seed in 0..12 {
        let mut random = Random::new(seed);
        let mut world = weightless();
        let lively = slippery().restitution(1.0);
        for (x, y, w, h) in [
            (0.0, 6.0, 8.0, 0.2),
            (0.0, -6.0, 8.0, 0.2),
            (8.0, 0.0, 0.2, 6.0),
            (-8.0, 0.0, 0.2, 6.0),
        ] {
            add(
                &mut world,
                BodyDef::static_().position(x, y),
                rect(w, h),
                lively,
            );
        }
        let mut bodies = Vec::new();
        for i in 0..14 {
            let (place, way) = (random.vector(5.0), random.vector(250.0));
            let def = BodyDef {
                continuous: [Continuous::Clamp, Continuous::Substep][i % 2],
                bullet: i % 3 == 0,
                ..BodyDef::dynamic()
                    .position(place.x, place.y)
                    .velocity(way.x, way.y)
            };
            let shape = if i % 4 == 0 { sensor() } else { lively };
            bodies.push(add(&mut world, def, disc(0.2), shape));
        }
        for _ in 0..4 {
            let place = random.vector(5.0);
            let def = BodyDef::kinematic()
                .position(place.x, place.y)
                .angular_velocity(3.0);
            add(&mut world, def, rect(1.5, 0.05), sensor());
        }
        let mut open = std::collections::BTreeMap::new();
        for i in 0..60 {
            if i % 20 == 19 {
                world.destroy_body(bodies.swap_remove(i / 20));
            }
            step(&mut world);
            for begin in world.sensor_begins() {
                *open.entry((begin.sensor, begin.visitor)).or_insert(0) += 1;
            }
            for end in world.sensor_ends() {
                *open.entry((end.sensor, end.visitor)).or_insert(0) -= 1;
                crossings += 1;
            }
            open.retain(|pair, count| {
                assert!(
                    (0..=1).contains(count),
                    "{pair:?}: {count} open, seed {seed}, step {i}"
                );
                *count > 0
            });
            let overlapping: usize = world.shapes().map(|shape| shape.overlaps().count()).sum();
            assert_eq!(overlapping, open.len(), "seed {seed}, step {i}");
        }
    }
    assert!(crossings > 500, "{crossings}");
}

#[test]
fn ball_that_passes_thin_sensors_is_noticed_once_by_each_at_any_rate() {
    const COUNT: u16 = 20;
    for hz in [30.0, 60.0, 144.0, 240.0] {
        for speed in [2.0, 5.0, 20.0, 50.0, 400.0] {
            for (radius, half_width) in [(0.05, 0.01), (0.05, 0.001), (0.3, 0.05)] {
                let mut world = weightless();
                for i in 0..COUNT {
                    let place = BodyDef::static_().position(1.0 + 0.37 * f32::from(i), 0.0);
                    add(&mut world, place, rect(half_width, 1.0), sensor());
                }
                let def = BodyDef::dynamic().velocity(speed, 0.0);
                solid(&mut world, def, disc(radius));
                let mut seen = (0, 0);
                for _ in 0..((9.0 / speed + 0.1) * hz) as usize {
                    world.step(1.0 / hz);
                    let (begins, ends) = counts(&world);
                    seen = (seen.0 + begins, seen.1 + ends);
                }
                let all = usize::from(COUNT);
                assert_eq!(
                    seen,
                    (all, all),
                    "{hz} Hz, {speed} m/s, radius {radius}, half width {half_width}"
                );
            }
        }
    }
}

#[test]
fn fast_body_that_passes_beside_a_sensor_is_not_noticed() {
    let gaps = [1.0e-4, 5.0e-4, 2.0e-3, 5.0e-3];
    for (gap, speed) in gaps.into_iter().flat_map(|gap| [(gap, 3.0), (gap, 100.0)]) {
        for is_box in [false, true] {
            for enters in [false, true] {
                let mut world = weightless();
                add(&mut world, BodyDef::static_(), rect(0.01, 0.5), sensor());
                // One that enters by as much is noticed.
                let height = 0.6 + if enters { -gap } else { gap };
                let def = BodyDef::dynamic()
                    .position(-1.03, height)
                    .velocity(speed, 0.0);
                let shape: Shape = if is_box {
                    rect(0.1, 0.1).into()
                } else {
                    disc(0.1).into()
                };
                solid(&mut world, def, shape);
                let mut seen = (0, 0);
                for _ in 0..(150.0 / speed) as usize {
                    let (begins, ends) = stepped(&mut world);
                    seen = (seen.0 + begins, seen.1 + ends);
                }
                let expected = (usize::from(enters), usize::from(enters));
                assert_eq!(seen, expected, "box: {is_box}, {speed} m/s, {gap} m");
            }
        }
    }
}
