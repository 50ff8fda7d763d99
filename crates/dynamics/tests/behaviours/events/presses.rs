//! Force events: contacts that press with more than a threshold.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, ContactForce, ShapeDef, World};
use cairn2d_geometry::math::vec2;

/// A disc of 1 kg that rests on the ground and has its contacts listed above `threshold` [N].
fn resting_ball(threshold: f32) -> (World, BodyId) {
    let mut world = sleepless();
    ground(&mut world);
    let density = 1.0 / (core::f32::consts::PI * 0.25);
    let ball = add(
        &mut world,
        BodyDef::dynamic().position(0.0, 0.5),
        disc(0.5),
        ShapeDef::default()
            .density(density)
            .force_event_threshold(threshold),
    );
    (world, ball)
}

/// Steps while `push` \[N\] acts downward on the body; returns the events.
fn pressed(world: &mut World, body: BodyId, push: f32, steps: usize) -> Vec<ContactForce> {
    let mut events = Vec::new();
    for _ in 0..steps {
        world.body_mut(body).apply_force(vec2(0.0, -push));
        step(world);
        events.extend_from_slice(world.contact_forces());
    }
    events
}

#[test]
fn force_is_told_in_each_step_and_its_start_is_marked() {
    let (mut world, ball) = resting_ball(30.0);
    assert!(pressed(&mut world, ball, 0.0, 100).is_empty());
    for _ in 0..2 {
        let events = pressed(&mut world, ball, 100.0, 60);
        // The push takes a few steps to go through the soft contact.
        assert!((55..=60).contains(&events.len()), "{}", events.len());
        for (i, event) in events.iter().enumerate() {
            assert_eq!(event.started, i == 0, "event {i}");
            assert_eq!(event.body_b, ball);
        }
        let last = events.last().unwrap();
        close(last.force, 110.0, 1.0);
        close(last.normal.y, 1.0, 1.0e-6);
        close(last.point.y as f32, 0.0, 0.02);
        let freed = pressed(&mut world, ball, 0.0, 60);
        assert!(freed.len() < 5 && freed.iter().all(|event| !event.started));
    }
    world.body_mut(ball).set_velocity(vec2(0.0, 4.0));
    let landing = pressed(&mut world, ball, 0.0, 100);
    assert!(landing[0].started);
    assert!(landing.iter().skip(1).all(|event| !event.started));
}

#[test]
fn threshold_may_change_as_the_world_runs() {
    let (mut world, ball) = resting_ball(f32::INFINITY);
    let shape = shape_of(&world, ball);
    assert!(pressed(&mut world, ball, 0.0, 30).is_empty());
    world.shape_mut(shape).set_force_event_threshold(0.0);
    let events = pressed(&mut world, ball, 0.0, 2);
    assert_eq!(events.len(), 2);
    assert!(events[0].started && !events[1].started);
    close(events[1].force, 10.0, 0.1);
    world
        .shape_mut(shape)
        .set_force_event_threshold(f32::INFINITY);
    assert!(pressed(&mut world, ball, 0.0, 2).is_empty());
    assert_eq!(world.shape(shape).force_event_threshold(), f32::INFINITY);
    // Asked again, it starts again.
    world.shape_mut(shape).set_force_event_threshold(5.0);
    assert!(pressed(&mut world, ball, 0.0, 1)[0].started);
}

#[test]
fn smaller_threshold_of_two_shapes_counts() {
    for (of_ball, of_ground, expected) in [(5.0, 50.0, 1), (50.0, 5.0, 1), (50.0, 20.0, 0)] {
        let (mut world, ball) = resting_ball(of_ball);
        let floor = world.bodies().next().unwrap().id();
        let shape = shape_of(&world, floor);
        world.shape_mut(shape).set_force_event_threshold(of_ground);
        run(&mut world, 30);
        let events = pressed(&mut world, ball, 0.0, 1);
        assert_eq!(events.len(), expected, "{of_ball} and {of_ground}");
    }
}

#[test]
fn force_adds_up_both_points_and_all_substeps() {
    let mut world = sleepless();
    let floor = ground(&mut world);
    let shape = shape_of(&world, floor);
    world.shape_mut(shape).set_force_event_threshold(1.0);
    let stack = column(&mut world, 0.0, 5);
    run(&mut world, 120);
    // Five boxes of 1 kg; contacts between them are not counted.
    assert_eq!(world.contact_forces().len(), 1);
    let event = world.contact_forces()[0];
    assert_eq!(event.body_b, stack[0]);
    close(event.force, 50.0, 0.5);
}

#[test]
fn sleeper_presses_in_silence_and_does_not_start_again_when_it_wakes() {
    let mut world = world();
    let floor = ground(&mut world);
    let shape = shape_of(&world, floor);
    world.shape_mut(shape).set_force_event_threshold(1.0);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    run_until_asleep(&mut world, 200).unwrap();
    step(&mut world);
    assert!(world.contact_forces().is_empty());
    world.body_mut(body).wake();
    step(&mut world);
    assert!(!world.contact_forces()[0].started);
}

#[test]
fn press_ends_with_its_contact() {
    let (mut world, ball) = resting_ball(1.0);
    assert!(!pressed(&mut world, ball, 0.0, 10).is_empty());
    world.body_mut(ball).disable();
    assert!(pressed(&mut world, ball, 0.0, 2).is_empty());
    world.body_mut(ball).enable();
    assert!(pressed(&mut world, ball, 0.0, 3)[0].started);
    let shape = shape_of(&world, ball);
    world.destroy_shape(shape);
    assert!(pressed(&mut world, ball, 0.0, 2).is_empty());
}

#[test]
fn copy_goes_on_with_the_same_presses() {
    let (mut world, ball) = resting_ball(5.0);
    pressed(&mut world, ball, 0.0, 10);
    let mut copy = world.clone();
    let expected = pressed(&mut world, ball, 3.0, 5);
    assert_eq!(pressed(&mut copy, ball, 3.0, 5), expected);
    assert!(!expected.is_empty() && expected.iter().all(|event| !event.started));
}

#[test]
#[should_panic(expected = "force_event_threshold")]
fn negative_threshold_is_refused() {
    let (mut world, ball) = resting_ball(5.0);
    let shape = shape_of(&world, ball);
    world.shape_mut(shape).set_force_event_threshold(-1.0);
}

#[test]
fn list_agrees_with_what_the_contacts_say() {
    let mut world = world();
    ground(&mut world);
    let mut random = Random::new(21);
    let mut bodies: Vec<BodyId> = Vec::new();
    let mut told = 0;
    for i in 0..300 {
        if i % 8 == 0 {
            let threshold = [f32::INFINITY, 0.0, 15.0, 60.0][i / 8 % 4];
            let def = BodyDef::dynamic().position(random.range(-2.0, 2.0), 5.0);
            let shape = ShapeDef::default().force_event_threshold(threshold);
            bodies.push(match i % 3 {
                0 => add(&mut world, def, disc(0.4), shape),
                _ => add(&mut world, def, rect(0.4, 0.3), shape),
            });
        }
        if i % 30 == 29 {
            world.destroy_body(bodies.remove(i / 30 % bodies.len()));
        }
        if i % 12 == 5 {
            let body = bodies[i % bodies.len()];
            let shape = shape_of(&world, body);
            let threshold = [5.0, f32::INFINITY][i / 12 % 2];
            world.shape_mut(shape).set_force_event_threshold(threshold);
        }
        step(&mut world);
        for event in world.contact_forces() {
            let points = world.contact(event.contact).points();
            let impulse: f32 = points.map(|point| point.normal_impulse).sum();
            assert_eq!(event.force, impulse / DT);
            told += 1;
        }
        let listed = |id| {
            world
                .contact_forces()
                .iter()
                .any(|event| event.contact == id)
        };
        for contact in world.contacts() {
            let threshold = contact
                .shapes()
                .map(|shape| world.shape(shape).force_event_threshold());
            let threshold = threshold[0].min(threshold[1]);
            let force = contact
                .points()
                .map(|point| point.normal_impulse)
                .sum::<f32>()
                / DT;
            let solved = contact.bodies().iter().any(|&body| is_awake(&world, body));
            if solved {
                assert_eq!(
                    listed(contact.id()),
                    force > threshold,
                    "step {i}: {force} N"
                );
            }
        }
    }
    assert!(told > 1000, "{told}");
}
