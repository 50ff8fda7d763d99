//! What the world counts since it usually is a mistake: bodies without mass, and steps that are too long or too short.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKind, FixedTimestep, InitialState, MAX_STEP, MIN_STEP, ShapeDef, World,
};
use cairn2d_geometry::math::point;
use cairn2d_geometry::{Chain, MassData};

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
        assert!(FixedTimestep::try_new(dt).is_err());
    }
    world.step(MIN_STEP);
    assert_ne!(world.state_hash(), before);
    assert!(FixedTimestep::try_new(MIN_STEP).is_ok());
}
