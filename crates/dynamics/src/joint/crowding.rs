//! How strongly a body couples a joint to its other joints.

use super::base::JointAnchors;
use super::sim::{JointKind, JointSim};
use crate::body::state::BodyMass;
use crate::body::table::BodyTable;
use cairn2d_geometry::math::Vec2;

impl JointSim {
    /// Returns the greatest share that `body` has in the inverse effective masses of the joint's rows, 0 to 1: near 1 for
    /// the light one of its two bodies. Springs count by their weight in substeps of `h` \[s\].
    pub(crate) fn coupling_to(&self, body: u32, bodies: &BodyTable, h: f32) -> f32 {
        let base = &self.base;
        let JointAnchors { arm_a, arm_b, gap } = base.anchors(&bodies.poses);
        // The axis turns with A, so A's arm reaches to B's anchor.
        let arm_a = match &self.kind {
            JointKind::Prismatic(_) | JointKind::Wheel(_) | JointKind::Motor(_) => arm_a + gap,
            _ => arm_a,
        };
        let a = (bodies.masses[base.body_a as usize], arm_a);
        let b = (bodies.masses[base.body_b as usize], arm_b);
        let (own, other) = if base.body_a == body { (a, b) } else { (b, a) };
        let weight = self.row_weight(h);
        let holds_angle = match &self.kind {
            JointKind::Weld(_) | JointKind::Motor(_) | JointKind::Prismatic(_) => true,
            JointKind::Revolute(revolute) => revolute.has_twist(),
            _ => false,
        };
        let of_angle = if holds_angle {
            share(own.0.inv_inertia, other.0.inv_inertia)
        } else {
            0.0
        };
        // Where the angle is held too, a force can act on the center of the other body, at a long arm of this one.
        let holds_center = match &self.kind {
            JointKind::Weld(_) | JointKind::Motor(_) | JointKind::Prismatic(_) => true,
            JointKind::Revolute(_) => weight > 1.0,
            _ => false,
        };
        let of_center = if holds_center {
            let center = Vec2::new(0.0, 0.0);
            share_of_point((own.0, own.1 - other.1), (other.0, center))
        } else {
            0.0
        };
        weight * share_of_point(own, other).max(of_angle).max(of_center)
    }

    /// Returns the weight of the heaviest row in substeps of `h` \[s\]: 1 for a rigid one, see `SpringRate::row_weight`.
    #[inline]
    pub(crate) fn row_weight(&self, h: f32) -> f32 {
        match &self.kind {
            JointKind::Weld(weld) => weld.row_weight(h),
            JointKind::Motor(motor) => motor.row_weight(h),
            JointKind::Distance(distance) => distance.row_weight(h),
            JointKind::Prismatic(slider) => slider.drive.spring_weight(h).max(1.0),
            JointKind::Wheel(wheel) => wheel.drive.spring_weight(h).max(1.0),
            JointKind::Revolute(revolute) => revolute.drive.spring_weight(h).max(1.0),
            _ => 1.0,
        }
    }
}

/// Returns the share of `own` in a sum.
fn share(own: f32, other: f32) -> f32 {
    let sum = own + other;
    if sum > 0.0 { own / sum } else { 0.0 }
}

/// Returns the greatest share of a body in the inverse effective mass of a point at the ends of two arms, over all
/// directions: from the greatest eigenvalue of `B^-1 A`, with the inverse effective masses A and B of both ends.
fn share_of_point(own: (BodyMass, Vec2), other: (BodyMass, Vec2)) -> f32 {
    let matrix = |(mass, arm): (BodyMass, Vec2)| {
        let i = mass.inv_inertia;
        [
            mass.inv_mass + i * arm.y * arm.y,
            mass.inv_mass + i * arm.x * arm.x,
            -i * arm.x * arm.y,
        ]
    };
    let ([ax, ay, az], [bx, by, bz]) = (matrix(own), matrix(other));
    let det = bx * by - bz * bz;
    if ax + ay <= 0.0 {
        return 0.0;
    }
    if det <= 0.0 {
        return 1.0;
    }
    let half_trace = 0.5 * (ax * by + ay * bx - 2.0 * az * bz) / det;
    let product = (ax * ay - az * az) / det;
    let ratio = half_trace + (half_trace * half_trace - product).max(0.0).sqrt();
    ratio / (1.0 + ratio)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::vec2;

    #[test]
    fn shares_are_those_of_the_inverse_effective_masses() {
        let body = |inv_mass, inv_inertia, x| {
            let mass = BodyMass {
                inv_mass,
                inv_inertia,
            };
            (mass, vec2(x, 0.0))
        };
        let fixed = body(0.0, 0.0, 1.0);
        for (own, other, expected) in [
            (body(1.0, 0.0, 0.0), body(1.0, 0.0, 0.0), 0.5),
            (body(3.0, 0.0, 0.0), body(1.0, 0.0, 0.0), 0.75),
            // Across the arm: 1 + 2 * 3^2 against 1.
            (body(1.0, 2.0, 3.0), body(1.0, 0.0, 0.0), 0.95),
            // The arm of the other body leaves the share along it.
            (body(1.0, 0.0, 0.0), body(1.0, 2.0, 3.0), 0.5),
            (body(1.0, 1.0, 1.0), fixed, 1.0),
            (fixed, body(1.0, 1.0, 1.0), 0.0),
        ] {
            let found = share_of_point(own, other);
            assert!((found - expected).abs() < 1.0e-6, "{found} {expected}");
        }
    }
}
