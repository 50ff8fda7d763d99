//! The user's hooks: selection of pairs, and changes of contacts.

use crate::support::*;
use approx::assert_abs_diff_eq;
use cairn2d_dynamics::{BodyDef, BodyId, BodyKind, Continuous, ShapeDef, World, WorldDef};
use cairn2d_geometry::Segment;
use cairn2d_geometry::math::{point, vec2};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Adds a crate with a number on its body.
fn marked(world: &mut World, x: f32, y: f32, mark: u64) -> BodyId {
    let def = BodyDef::dynamic().position(x, y).user_data(mark);
    solid(world, def, rect(0.5, 0.5))
}

#[test]
fn pair_filter_keeps_chosen_pairs_apart_and_is_asked_once_a_pair() {
    let mut world = world();
    ground(&mut world);
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    world.set_pair_filter(move |a, b| {
        count.fetch_add(1, Ordering::Relaxed);
        a.body_user_data() == 0 || a.body_user_data() != b.body_user_data()
    });
    let lower = marked(&mut world, 0.0, 0.5, 1);
    let same = marked(&mut world, 0.2, 2.0, 1);
    let other = marked(&mut world, 0.0, 4.0, 2);
    run(&mut world, 240);
    close(y(&world, same), 0.5, 2.0 * SLOP);
    close(y(&world, other), 1.5, 3.0 * SLOP);
    assert!(!touch(&world, lower, same));
    let asked = asked.load(Ordering::Relaxed);
    assert!(asked <= 8, "asked {asked} times");
}

#[test]
fn pair_filter_decides_for_fast_bodies_and_sensors() {
    let mut world = weightless();
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    world.set_pair_filter(move |_, _| {
        count.fetch_add(1, Ordering::Relaxed);
        false
    });
    solid(&mut world, BodyDef::static_(), rect(0.1, 5.0));
    add(
        &mut world,
        BodyDef::static_().position(5.0, 0.0),
        rect(0.1, 5.0),
        ShapeDef::sensor(),
    );
    let fast = solid(
        &mut world,
        BodyDef::dynamic().position(-3.0, 0.0).velocity(200.0, 0.0),
        disc(0.1),
    );
    for _ in 0..10 {
        step(&mut world);
        assert!(world.sensor_begins().is_empty());
    }
    assert!(x(&world, fast) > 10.0);
    assert!(asked.load(Ordering::Relaxed) > 0);
}

#[test]
fn setting_and_clearing_the_filter_ends_and_begins_contacts() {
    let mut world = world();
    let floor = ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    assert!(run_until_asleep(&mut world, 120).is_some());
    world.set_pair_filter(|_, _| false);
    assert!(is_awake(&world, body) && !touch(&world, body, floor));
    step(&mut world);
    assert_eq!(world.contact_ends().len(), 1);
    world.clear_pair_filter();
    step(&mut world);
    assert!(touch(&world, body, floor));
}

#[test]
fn pre_solve_can_leave_a_contact_out() {
    let mut world = world();
    let def = ShapeDef::default().pre_solve();
    add(
        &mut world,
        BodyDef::static_().position(0.0, -1.0),
        rect(5.0, 1.0),
        def,
    );
    // Solid for bodies on the left half only.
    world.set_pre_solve(|contact| {
        if contact.points()[0].point.x > 0.0 {
            contact.ignore();
        }
    });
    let left = ball_at(&mut world, -2.0, 1.0, 0.5);
    let right = ball_at(&mut world, 2.0, 1.0, 0.5);
    run(&mut world, 120);
    close(y(&world, left), 0.5, 2.0 * SLOP);
    assert!(y(&world, right) < -2.0);
    world.clear_pre_solve();
    world.body_mut(right).set_pose((2.0, 1.0), 0.0);
    world.body_mut(right).set_velocity(vec2(0.0, 0.0));
    run(&mut world, 120);
    close(y(&world, right), 0.5, 2.0 * SLOP);
}

/// The hook's answer counts for continuous collision, too: a fast box stood for a second at a shape that it should pass.
#[test]
fn fast_bodies_pass_what_pre_solve_leaves_out() {
    for continuous in [Continuous::Auto, Continuous::Clamp, Continuous::Substep] {
        let mut world = world();
        let wall = Segment::new(point(0.0, -5.0), point(0.0, 5.0));
        let wall = add(
            &mut world,
            BodyDef::static_(),
            wall,
            ShapeDef::default().pre_solve(),
        );
        world.set_pre_solve(|contact| contact.ignore());
        let mut def = BodyDef::dynamic().position(-3.0, 0.0).velocity(25.0, 0.0);
        def.continuous = continuous;
        def.gravity_scale = 0.0;
        let body = add(&mut world, def.clone(), rect(0.5, 0.5), ShapeDef::default());
        run(&mut world, 60);
        // One step may end at the surface: until the shapes are near each other nothing is known about their contact.
        assert!(
            x(&world, body) > 21.0,
            "{continuous:?}: {}",
            x(&world, body)
        );

        // Without the hook the wall stops it.
        world.clear_pre_solve();
        world.body_mut(body).set_pose((-3.0, 0.0), 0.0);
        run(&mut world, 60);
        assert!(
            x(&world, body) < -0.4,
            "{continuous:?}: {}",
            x(&world, body)
        );
        assert!(world.get_body(wall).is_some());
    }
}

#[test]
fn pre_solve_changes_the_surface_for_the_step() {
    let mut world = world();
    ground(&mut world);
    let def = BodyDef::dynamic().position(0.0, 0.5).velocity(5.0, 0.0);
    let body = add(
        &mut world,
        def,
        rect(0.5, 0.5),
        ShapeDef::default().pre_solve(),
    );
    world.set_pre_solve(|contact| contact.friction = 0.0);
    run(&mut world, 60);
    close(world.body(body).velocity().x, 5.0, 1.0e-3);
    // Invalid values are ignored.
    world.set_pre_solve(|contact| contact.friction = f32::NAN);
    run(&mut world, 90);
    close(world.body(body).velocity().x, 0.0, 1.0e-3);
    world.set_pre_solve(|contact| contact.surface_speed = -2.0);
    run(&mut world, 90);
    close(world.body(body).velocity().x.abs(), 2.0, 0.01);
    world.clear_pre_solve();
    run(&mut world, 90);
    close(world.body(body).velocity().x, 0.0, 1.0e-3);
}

#[test]
fn shape_that_does_not_ask_is_not_shown_to_the_hook() {
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    world.set_pre_solve(|contact| contact.ignore());
    run(&mut world, 60);
    close(y(&world, body), 0.5, 2.0 * SLOP);
    let shape = shape_of(&world, body);
    world.shape_mut(shape).set_pre_solve(true);
    run(&mut world, 60);
    assert!(y(&world, body) < -1.0);
}

#[test]
fn hooked_worlds_give_the_same_bits_with_any_number_of_threads_and_in_copies() {
    let scene = |threads: u32| {
        let mut world = World::new(WorldDef {
            threads,
            ..WorldDef::default()
        });
        ground(&mut world);
        world.set_pair_filter(|a, b| (a.body_user_data() ^ b.body_user_data()) % 5 != 1);
        world.set_pre_solve(|contact| {
            let [a, b] = contact.shapes();
            contact.friction = if a.user_data() == b.user_data() {
                0.0
            } else {
                1.0
            };
            if contact.normal().x > 0.9 && a.velocity().x > 1.0 {
                contact.ignore();
            }
        });
        for i in 0..600_u64 {
            let (column, line) = ((i % 30) as f32, (i / 30) as f32);
            let def = BodyDef::dynamic().position(0.9 * column - 13.0, 0.6 + 0.8 * line);
            let shape = ShapeDef::default().user_data(i % 3).pre_solve();
            add(&mut world, def.user_data(i % 7), rect(0.4, 0.35), shape);
        }
        world
    };
    let run = |world: &mut World| {
        let mut hashes = Vec::new();
        for _ in 0..90 {
            world.step(DT);
            hashes.push(world.state_hash());
        }
        world.assert_consistent();
        hashes
    };
    let first = run(&mut scene(1));
    assert_eq!(run(&mut scene(4)), first);
    let mut original = scene(1);
    for _ in 0..30 {
        original.step(DT);
    }
    let mut copy = original.clone();
    for expected in &first[30..] {
        copy.step(DT);
        assert_eq!(copy.state_hash(), *expected);
    }
}

#[test]
fn hook_sees_what_the_world_says() {
    let mut world = world();
    ground(&mut world);
    let body = add(
        &mut world,
        BodyDef::dynamic().position(3.0, 0.5).user_data(11),
        rect(0.5, 0.5),
        ShapeDef::default().user_data(12).pre_solve(),
    );
    let shape = shape_of(&world, body);
    world.set_pre_solve(move |contact| {
        let [_, mine] = contact.shapes();
        assert_eq!((mine.id(), mine.body()), (shape, body));
        assert_eq!((mine.user_data(), mine.body_user_data()), (12, 11));
        assert_abs_diff_eq!(mine.position().x, 3.0, epsilon = 0.01);
        assert!(contact.normal().y > 0.99 && contact.points().len() == 2);
        assert_abs_diff_eq!(contact.friction, 0.6, epsilon = 1.0e-6);
    });
    run(&mut world, 10);
}

/// The contact began, and the bodies slept on inside each other.
#[test]
fn sleepers_that_the_filter_no_longer_keeps_apart_separate() {
    let changes: [fn(&mut World); 3] = [
        World::clear_pair_filter,
        |world| world.set_pair_filter(|_, _| true),
        |world| {
            world.clear_pair_filter();
            world.filter_again();
        },
    ];
    for change in changes {
        let mut world = world();
        ground(&mut world);
        let boxes = [0.0, 0.3].map(|x| crate_at(&mut world, x, 0.5, 0.5));
        world.set_pair_filter(|a, b| [a.kind(), b.kind()].contains(&BodyKind::Static));
        assert!(run_until_asleep(&mut world, 200).is_some());
        change(&mut world);
        run(&mut world, 300);
        let apart = x(&world, boxes[1]) - x(&world, boxes[0]);
        assert!(apart > 0.98, "{apart}");
    }
}
