//! Bounces with friction never create energy.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, Continuous, ShapeDef, World};
use cairn2d_geometry::Shape;
use proptest::prelude::*;

fn kinetic(world: &World, bodies: &[BodyId]) -> f32 {
    let of = |&id: &BodyId| world.body(id).kinetic_energy();
    bodies.iter().map(of).sum()
}

/// Lets a body hit the ground, or a slab that floats, and returns the greatest energy over that of the start.
fn greatest_energy(shape: Shape, def: BodyDef, surface: ShapeDef, floats: bool) -> f32 {
    let mut world = weightless();
    let slab = match floats {
        true => add(
            &mut world,
            BodyDef::dynamic().position(0.0, -1.0),
            rect(2.0, 1.0),
            surface,
        ),
        false => ground_of(&mut world, surface),
    };
    let body = add(&mut world, def, shape, surface);
    let bodies = match floats {
        true => vec![body, slab],
        false => vec![body],
    };
    let start = kinetic(&world, &bodies);
    let mut greatest = 0.0_f32;
    for _ in 0..60 {
        world.step(DT);
        greatest = greatest.max(kinetic(&world, &bodies) / start);
    }
    greatest
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let long = (0.3_f32..0.8, 0.03_f32..0.2);
    let triangle = hull(&[(-0.6, -0.3), (0.6, -0.3), (0.0, 0.6)]);
    prop_oneof![
        long.clone().prop_map(|(x, y)| rect(x, y).into()),
        (0.2_f32..0.5, 0.2_f32..0.5).prop_map(|(x, y)| rect(x, y).into()),
        long.prop_map(|(x, radius)| capsule(x, radius).into()),
        Just(Shape::from(triangle)),
        Just(Shape::from(disc(0.4))),
    ]
}

#[test]
fn spinning_rod_gains_nothing_where_friction_reverses_its_slip() {
    for shape in [
        Shape::from(rect(0.6, 0.05)),
        rect(0.5, 0.4).into(),
        capsule(0.5, 0.1).into(),
    ] {
        for angle in [0.5, 1.0, 1.6, 2.2, 2.75] {
            for spin in [-12.0, -4.0, 4.0, 12.0] {
                let def = BodyDef {
                    angular_velocity: spin,
                    ..BodyDef::dynamic()
                        .position(0.0, 1.5)
                        .angle(angle)
                        .velocity(0.0, -6.0)
                };
                let surface = ShapeDef::default().restitution(1.0).friction(0.6);
                let found = greatest_energy(shape.clone(), def, surface, false);
                assert!(found < 1.0001, "{angle} rad, {spin} rad/s: {found}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn no_bounce_creates_energy(
        shape in any_shape(),
        (angle, spin) in (0.0_f32..6.3, -15.0_f32..15.0),
        velocity in (-6.0_f32..6.0, 0.5_f32..12.0),
        friction in 0.0_f32..1.2,
        restitution in prop_oneof![Just(1.0_f32), 0.5_f32..1.0],
        policy in prop_oneof![Just(Continuous::Auto), Just(Continuous::Substep), Just(Continuous::Clamp)],
        floats in any::<bool>(),
    ) {
        let def = BodyDef {
            angular_velocity: spin,
            continuous: policy,
            ..BodyDef::dynamic().position(0.0, 1.5).angle(angle).velocity(velocity.0, -velocity.1)
        };
        let surface = ShapeDef::default().restitution(restitution).friction(friction);
        let found = greatest_energy(shape, def, surface, floats);
        prop_assert!(found < 1.0002, "{found}");
    }
}
