//! Warnings: bodies without mass, and steps that are too long or too short.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKind, InitialState, Limit, MAX_STEP, MIN_STEP, MasslessCause,
    RevoluteJointDef, ShapeDef, Warning, World,
};
use cairn2d_geometry::math::{point, vec2};
use cairn2d_geometry::{Chain, ChainKind, MassData, Segment};

fn massless(world: &World) -> Vec<BodyId> {
    world.massless_bodies().map(|body| body.id()).collect()
}

#[test]
fn dynamic_bodies_without_mass_are_listed_and_counted() {
    let mut world = world();
    ground(&mut world);
    crate_at(&mut world, 0.0, 0.5, 0.5);
    let empty = world.create_body(BodyDef::dynamic().position(5.0, 5.0));
    let weightless = add(
        &mut world,
        BodyDef::dynamic().position(10.0, 5.0),
        disc(0.5),
        ShapeDef::default().density(0.0),
    );
    let chain = world.create_body(BodyDef::dynamic().position(15.0, 5.0));
    let ground = Chain::ground(&[point(-1.0, 0.0), point(1.0, 0.0)]);
    world.create_chain(chain, &ground, ShapeDef::default());
    world.create_body(BodyDef::kinematic());
    world.create_body(BodyDef::dynamic().initial_state(InitialState::Disabled));
    let asleep = world.create_body(BodyDef::dynamic().initial_state(InitialState::Asleep));
    assert_eq!(massless(&world), [empty, weightless, chain, asleep]);
    step(&mut world);
    assert_eq!(world.counters().massless_bodies, 4);
    assert_eq!(massless(&world.clone()), massless(&world));
}

#[test]
fn body_leaves_the_list_when_it_gets_mass_or_goes() {
    let mut world = weightless();
    let bodies: Vec<BodyId> = (0..6)
        .map(|_| world.create_body(BodyDef::dynamic()))
        .collect();
    let heavy = MassData {
        mass: 1.0,
        inertia: 1.0,
        ..MassData::ZERO
    };
    world.create_shape(bodies[0], disc(0.5), ShapeDef::default());
    world.body_mut(bodies[1]).set_mass(Some(heavy));
    world.body_mut(bodies[2]).set_kind(BodyKind::Static);
    world.body_mut(bodies[3]).disable();
    world.destroy_body(bodies[4]);
    assert_eq!(massless(&world), [bodies[5]]);
    step(&mut world);
    assert_eq!(world.counters().massless_bodies, 1);

    let shape = shape_of(&world, bodies[0]);
    world.destroy_shape(shape);
    world.body_mut(bodies[1]).set_mass(None);
    world.body_mut(bodies[2]).set_kind(BodyKind::Dynamic);
    world.body_mut(bodies[3]).enable();
    world.destroy_body(bodies[5]);
    assert_eq!(massless(&world), bodies[..4]);
    step(&mut world);
    assert_eq!(world.counters().massless_bodies, 4);
}

#[test]
fn steps_that_are_cut_are_counted_for_good() {
    let mut world = world();
    world.step(MAX_STEP);
    world.step(DT);
    world.step(0.0);
    assert!(world.try_step(-1.0).is_err());
    assert_eq!(world.counters().clamped_steps, 0);
    // Milliseconds for seconds.
    world.step(16.6);
    world.step(16.6);
    assert_eq!(world.counters().clamped_steps, 2);
    run(&mut world, 3);
    assert_eq!(world.counters().clamped_steps, 2);
}

#[test]
fn steps_below_a_nanosecond_change_nothing() {
    let mut world = world();
    world.create_body(BodyDef::dynamic().velocity(1.0, 0.0));
    world.step(DT);
    let before = world.state_hash();
    for dt in [f32::from_bits(1), 1.0e-38, 0.5 * MIN_STEP] {
        world.step(dt);
        assert_eq!(world.state_hash(), before, "step of {dt} s");
    }
    world.step(MIN_STEP);
    assert_ne!(world.state_hash(), before);
}

/// Texts of the warnings of a world.
fn texts(world: &World) -> Vec<String> {
    world.warnings().iter().map(ToString::to_string).collect()
}

#[test]
fn sound_world_has_no_warnings() {
    let mut world = world();
    ground(&mut world);
    let hills = Chain::ground(&[point(-9.0, 0.0), point(0.0, 2.0), point(9.0, 0.0)]);
    let body = world.create_body(BodyDef::static_().angle(1.0));
    world.create_chain(body, &hills, ShapeDef::default());
    let [a, b] = [0.0, 2.0].map(|x| ball_at(&mut world, x, 9.0, 0.5));
    world.create_joint(RevoluteJointDef {
        limit: Some(Limit::degrees(-90.0, 90.0)),
        ..RevoluteJointDef::new(a, b)
    });
    run(&mut world, 10);
    assert_eq!(texts(&world), [""; 0]);
}

#[test]
fn warning_of_a_body_without_mass_names_the_cause() {
    let mut world = weightless();
    let bodies: Vec<BodyId> = (0..4)
        .map(|_| world.create_body(BodyDef::dynamic()))
        .collect();
    world.create_shape(bodies[1], disc(0.5), ShapeDef::default().density(0.0));
    let line = Segment::new(point(0.0, 0.0), point(1.0, 0.0));
    world.create_shape(bodies[2], line, ShapeDef::default());
    world.create_shape(bodies[3], disc(0.5), ShapeDef::default());
    world.body_mut(bodies[3]).set_mass(Some(MassData::ZERO));
    let causes = [
        MasslessCause::NoShape,
        MasslessCause::Density,
        MasslessCause::Lines,
        MasslessCause::Set,
    ];
    let wanted: Vec<Warning> = bodies
        .iter()
        .zip(causes)
        .map(|(&body, cause)| Warning::Massless { body, cause })
        .collect();
    assert_eq!(world.warnings(), wanted);
    assert!(texts(&world)[2].contains("no area"));
}

#[test]
fn steps_in_milliseconds_give_a_warning() {
    let mut world = world();
    world.step(16.6);
    assert_eq!(world.warnings(), [Warning::ClampedSteps { count: 1 }]);
    assert!(texts(&world)[0].contains("seconds"));
}

#[test]
fn degrees_give_a_warning() {
    let mut world = weightless();
    let a = solid(&mut world, BodyDef::dynamic().angle(45.0), disc(0.5));
    let b = solid(
        &mut world,
        BodyDef::dynamic().angle_degrees(350.0),
        disc(0.5),
    );
    let joint = world.create_joint(RevoluteJointDef {
        limit: Some(Limit::new(-90.0, 90.0)),
        ..RevoluteJointDef::new(a, b)
    });
    step(&mut world);
    assert_eq!(world.counters().large_angles, 1);
    let angle = -90.0;
    assert_eq!(
        world.warnings(),
        [
            Warning::LargeBodyAngle { body: a },
            Warning::LargeJointAngle { joint, angle }
        ]
    );
    assert_eq!(world.warnings()[0].body(), Some(a));
    // A new pose, and a limit in radians.
    world.body_mut(a).set_pose((0.0, 0.0), 0.5);
    world
        .joint_mut(joint)
        .set_limit(Some(Limit::new(-1.5, 1.5)));
    assert_eq!(texts(&world), [""; 0]);
    world.body_mut(b).set_velocity(vec2(1.0, 0.0));
    close(world.body(b).angle(), (-10.0_f32).to_radians(), 1.0e-5);
}

#[test]
fn open_chain_that_faces_down_gives_a_warning() {
    let mut world = world();
    let corners = [point(-9.0, 0.0), point(0.0, 2.0), point(9.0, 0.0)];
    // From left to right: the right side is below.
    let chain = Chain::new(&corners, ChainKind::Open);
    let body = world.create_body(BodyDef::static_());
    let shapes = world.create_chain(body, &chain, ShapeDef::default());
    let shape = shapes[0];
    assert_eq!(world.warnings(), [Warning::ChainFacesDown { body, shape }]);
    let ball = ball_at(&mut world, 0.0, 4.0, 0.5);
    run(&mut world, 120);
    assert!(y(&world, ball) < 0.0, "the ball falls through");

    // Upside down, beside a chain that faces up; a loop; a chain with a wall.
    let mut world = crate::support::world();
    let turned = world.create_body(BodyDef::static_().angle(cairn2d_geometry::math::PI));
    world.create_chain(turned, &chain, ShapeDef::default());
    world.create_chain(turned, &chain.reversed(), ShapeDef::sensor());
    let closed = Chain::new(&corners, ChainKind::Loop);
    let loops = world.create_body(BodyDef::static_());
    world.create_chain(loops, &closed, ShapeDef::default());
    world.create_chain(loops, &closed.reversed(), ShapeDef::default());
    let pit = [(-9.0, 0.0), (-8.0, -1.0), (8.0, -1.0), (7.0, 9.0)];
    let pit = Chain::new(&pit.map(|(x, y)| point(x, y)), ChainKind::Open);
    world.create_chain(loops, &pit, ShapeDef::default());
    assert_eq!(texts(&world), [""; 0]);
}

#[test]
fn world_in_pixels_gives_a_warning() {
    let mut world = world();
    let far = solid(&mut world, BodyDef::dynamic(), disc(100.0));
    let near = solid(
        &mut world,
        BodyDef::dynamic().position(300.0, 0.0),
        disc(16.0),
    );
    let found = world.warnings();
    let [Warning::LargeBodies { body, size }] = found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(body, near);
    close(size, 32.0, 1.0e-4);
    // One body of an everyday size, and the world is in meters.
    ball_at(&mut world, -300.0, 0.0, 0.5);
    assert_eq!(texts(&world), [""; 0]);
    for body in [far, near] {
        world.destroy_body(body);
    }
    let mut world = crate::support::world();
    let body = solid(&mut world, BodyDef::dynamic(), disc(0.0005));
    let found = world.warnings();
    let [Warning::SmallBodies { body: small, .. }] = found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(small, body);
}
