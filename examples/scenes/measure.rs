//! Measures of the present state of a world.

use cairn2d::geometry::tolerance::LINEAR_SLOP;
use cairn2d::prelude::{BodyKind, JointDef, JointRef, World};

/// Figures of a world at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Bodies of all kinds.
    pub bodies: usize,
    /// Dynamic and kinematic bodies that are simulated.
    pub awake: usize,
    /// Shapes.
    pub shapes: usize,
    /// Contacts that touch.
    pub contacts: usize,
    /// Joints.
    pub joints: usize,
    /// Energy of motion \[J\].
    pub kinetic_energy: f64,
    /// Greatest speed of a dynamic body's center [m/s].
    pub max_speed: f32,
    /// Deepest overlap of two touching shapes, 0 if none overlap \[slops\].
    pub max_overlap: f32,
    /// Greatest distance between the two anchors of a pin, 0 without one \[m\].
    pub max_joint_gap: f32,
}

/// Takes the figures of `world`.
#[must_use]
pub fn measure(world: &World) -> Figures {
    let dynamic = || {
        world
            .bodies()
            .filter(|body| body.kind() == BodyKind::Dynamic)
    };
    let kinetic = dynamic().map(|body| {
        let linear = f64::from(body.mass()) * f64::from(body.velocity().norm_squared());
        let spin = f64::from(body.angular_velocity());
        0.5 * (linear + f64::from(body.inertia()) * spin * spin)
    });
    let separations = world.contacts().flat_map(|contact| {
        let points: Vec<f32> = contact.points().map(|point| point.separation).collect();
        points
    });
    let deepest = separations.fold(0.0, |deepest: f32, separation| deepest.max(-separation));
    let is_pin = |joint: &JointRef<'_>| matches!(joint.def(), JointDef::Revolute(_));
    let gap = |[a, b]: [cairn2d::prelude::WorldPoint; 2]| (b - a).norm();
    Figures {
        bodies: world.body_count(),
        awake: world.bodies().filter(|body| body.is_awake()).count(),
        shapes: world.shape_count(),
        contacts: world.contacts().count(),
        joints: world.joint_count(),
        kinetic_energy: kinetic.sum(),
        max_speed: dynamic()
            .map(|body| body.velocity().norm())
            .fold(0.0, f32::max),
        max_overlap: deepest / LINEAR_SLOP,
        max_joint_gap: world
            .joints()
            .filter(is_pin)
            .map(|joint| gap(joint.anchors()))
            .fold(0.0, f32::max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::{circle, drop_in, floor, thing, usual_world};

    #[test]
    fn falling_ball_has_the_energy_that_it_lost_in_height() {
        let mut world = usual_world();
        floor(&mut world, 5.0);
        let ball = drop_in(&mut world, thing(0.0, 20.0), circle(0.5));
        for _ in 0..60 {
            world.step(1.0 / 60.0);
        }
        let fallen = 20.0 - world.body(ball).position().y;
        let expected = world.body(ball).mass() * 10.0 * fallen;
        let figures = measure(&world);
        // The integrator's error after the time t with substep h: g h / 2 in speed against g t.
        assert!((figures.kinetic_energy as f32 / expected - 1.0).abs() < 1.0 / 120.0);
        assert_eq!((figures.bodies, figures.awake, figures.contacts), (2, 1, 0));
    }
}
