//! Kinematics of contact points, positions and velocities: each formula once, for every stage.

use crate::body::state::{BodyMass, BodyPose};
use crate::body::table::BodyTable;
use crate::contact::constraint::{ContactConstraint, constraint_flags};
use crate::contact::table::ContactTable;
use crate::graph::GraphPlace;
use cairn2d_geometry::math::{Vec2, cross};

/// A point of a contact, with its bodies at given poses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedPoint {
    /// From the centers of mass of A and B to the point [m].
    pub(crate) arms: [Vec2; 2],
    /// Signed gap along the normal \[m\]; negative: overlap.
    pub(crate) separation: f32,
}

impl ContactConstraint {
    /// Returns the slots of bodies A and B.
    pub(crate) fn bodies(&self) -> [u32; 2] {
        [self.body_a, self.body_b]
    }

    /// Returns `true` if one of the bodies cannot be moved: it is static, kinematic or without mass.
    #[inline]
    pub(crate) fn has_immovable_body(&self, masses: &[BodyMass]) -> bool {
        let [a, b] = self.bodies();
        masses[a as usize].inv_mass == 0.0 || masses[b as usize].inv_mass == 0.0
    }

    /// Returns the unit normal from A to B, in the world.
    pub(crate) fn world_normal(&self, poses: &[BodyPose]) -> Vec2 {
        poses[self.body_a as usize].rotate(self.normal)
    }

    /// Returns both points, with the bodies at `poses`. A point that is not in use coincides with the centers
    /// of mass.
    pub(crate) fn placed_points(&self, poses: &[BodyPose]) -> [PlacedPoint; 2] {
        [0, 1].map(|index| self.placed_point(index, poses))
    }

    /// Returns one point, with the bodies at `poses`.
    #[inline]
    pub(crate) fn placed_point(&self, index: usize, poses: &[BodyPose]) -> PlacedPoint {
        let point = &self.points[index];
        let [a, b] = self.bodies().map(|body| &poses[body as usize]);
        let normal = a.rotate(self.normal);
        let arms = [a.rotate(point.anchor_a), b.rotate(point.anchor_b)];
        let gap = (b.center - a.center) + (arms[1] - arms[0]);
        PlacedPoint {
            arms,
            separation: point.base_separation + gap.dot(&normal),
        }
    }

    /// Returns the greatest approach speed before the step of the points that were pushed in it [m/s]; 0 if none was.
    pub(crate) fn approach_speed(&self) -> f32 {
        let pushed = self.points_in_use().iter();
        pushed
            .filter(|point| point.total_normal_impulse > 0.0)
            .map(|point| -point.relative_velocity)
            .fold(0.0, f32::max)
    }

    /// Returns the separation \[m\] and the normal velocity of B against A \[m/s\] of one point.
    pub(crate) fn point_motion(&self, index: usize, bodies: &BodyTable) -> (f32, f32) {
        let placed = self.placed_point(index, &bodies.poses);
        let normal = self.world_normal(&bodies.poses);
        let [arm_a, arm_b] = placed.arms;
        let relative =
            bodies.velocity_at(self.body_b, arm_b) - bodies.velocity_at(self.body_a, arm_a);
        (placed.separation, relative.dot(&normal))
    }

    /// Returns the arms of the point at which friction acts: the middle of the points in use.
    pub(crate) fn friction_arms(&self, placed: &[PlacedPoint; 2]) -> [Vec2; 2] {
        let [first, second] = placed.map(|point| point.arms);
        if self.count == 2 {
            [0, 1].map(|end| 0.5 * (first[end] + second[end]))
        } else {
            first
        }
    }

    /// Returns the inverse effective mass of the bodies at `arms` along the unit vector `line` [1/kg].
    pub(crate) fn inv_effective_mass(
        &self,
        masses: &[BodyMass],
        arms: [Vec2; 2],
        line: Vec2,
    ) -> f32 {
        let ends = self.bodies().into_iter().zip(arms);
        ends.map(|(body, arm)| masses[body as usize].inv_effective_mass(arm, line))
            .sum()
    }
}

impl BodyMass {
    /// Returns the inverse effective mass of a body at `arm` from its center of mass along the unit vector
    /// `line` [1/kg].
    pub(crate) fn inv_effective_mass(&self, arm: Vec2, line: Vec2) -> f32 {
        let turn = cross(&arm, &line);
        self.inv_mass + self.inv_inertia * turn * turn
    }
}

impl ContactTable {
    /// Returns `true` if the substeps solve the contact in this step.
    pub(crate) fn is_solved(&self, contact: u32) -> bool {
        self.slots[contact].graph != GraphPlace::NONE
            && self.constraints[contact as usize].flags & constraint_flags::INACTIVE == 0
    }

    /// Returns the body that the one in slot `body` has `contact` with.
    pub(crate) fn other_body(&self, contact: u32, body: u32) -> u32 {
        // The budgets hold both bodies in 16 bytes, so that nothing larger is read.
        let budget = &self.budgets[contact as usize];
        if budget.body_a == body {
            budget.body_b
        } else {
            budget.body_a
        }
    }
}
