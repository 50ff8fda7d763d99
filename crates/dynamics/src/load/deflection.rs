//! Static deflection of links: how far contacts and joints yield to a load.
//!
//! All deflections are those of iterated islands, so that they do not depend on the method that an island has.

use crate::contact::constraint::{ConstraintPoint, ContactConstraint};
use crate::graph::GraphPlace;
use crate::joint::sim::JointKind;
use crate::links::{LinkTables, visiting_body};
use crate::mechanisms::Mechanisms;
use crate::softness::{contact_hertz, joint_hertz};
use crate::step_context::StepContext;
use cairn2d_geometry::math::{PI, cross};

/// Deflection of contacts with immovable bodies, relative to that between moving bodies: they are twice as
/// stiff in Hz.
pub(crate) const IMMOVABLE_DEFLECTION_SHARE: f32 = 0.25;

/// Greatest factor by which an uneven load increases the deflection of a contact: a square that is pressed at
/// one edge deflects there two and a half times as far, and three times as far less at the other edge.
const MAX_UNEVEN_FACTOR: f32 = 6.0;

/// Stiffness of links at the world's substeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkStiffness {
    /// Squares of the angular frequencies of contacts and joints [1/s^2].
    pub(crate) contact_rate_sq: f32,
    pub(crate) joint_rate_sq: f32,
    pub(crate) mechanisms: Mechanisms,
}

impl LinkStiffness {
    pub(crate) fn new(ctx: &StepContext<'_>) -> Self {
        let tuning = &ctx.def.tuning;
        let h = ctx.dt / ctx.def.substeps as f32;
        let square = |hertz: f32| (2.0 * PI * hertz) * (2.0 * PI * hertz);
        let contact = contact_hertz(tuning.contact_hertz, h);
        Self {
            contact_rate_sq: square(contact),
            joint_rate_sq: square(joint_hertz(tuning.joint_hertz, h)),
            mechanisms: tuning.mechanisms,
        }
    }
}

/// Measures deflections by the impulses of the last step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeflectionMeasure<'a> {
    pub(crate) tables: LinkTables<'a>,
    pub(crate) stiffness: &'a LinkStiffness,
    /// Length of the world's substeps in the last step [s].
    pub(crate) last_h: f32,
    /// Deflection below which the distribution of a load does not matter [m].
    pub(crate) threshold: f32,
}

impl DeflectionMeasure<'_> {
    /// Returns the greatest deflection of the joints of `bodies`, and of their contacts if these count \[m\].
    pub(crate) fn of_bodies(&self, bodies: &[u32], contacts_count: bool) -> f32 {
        let of_contacts = bodies.iter().filter(|_| contacts_count);
        let of_contacts = of_contacts.map(|&slot| self.of_contacts(slot));
        let of_joints = bodies.iter().map(|&slot| self.of_joints(slot));
        of_contacts.chain(of_joints).fold(0.0, f32::max)
    }

    /// Returns the greatest deflection of the contacts of a body; a contact counts for one of its bodies only.
    fn of_contacts(&self, slot: u32) -> f32 {
        let LinkTables {
            bodies, contacts, ..
        } = self.tables;
        let of_contacts = bodies.slots[slot].contacts.iter().map(|&contact| {
            let constraint = &contacts.constraints[contact as usize];
            let is_counted = visiting_body(bodies, constraint.bodies()) == slot;
            if !is_counted || contacts.slots[contact].graph == GraphPlace::NONE {
                return 0.0;
            }
            self.contact_acceleration(constraint)
        });
        of_contacts.fold(0.0, f32::max) / self.stiffness.contact_rate_sq
    }

    fn of_joints(&self, slot: u32) -> f32 {
        let LinkTables { bodies, joints, .. } = self.tables;
        let solved = joints.solved_joints_of(&bodies.slots[slot]);
        let of_joints = solved.map(|joint| self.joint_acceleration(joint));
        of_joints.fold(0.0, f32::max) / self.stiffness.joint_rate_sq
    }

    /// Returns the acceleration at which the load of a contact would separate its bodies [m/s^2], at the
    /// point with the greatest load, plus the difference to the point with the least.
    ///
    /// A body that is pressed at one edge turns, and its contact opens at the other edge. A column only sinks
    /// in; in an arch rotations add up: one that deflects by 5 mm from stone to stone sags by 60. The
    /// distribution is left out where it cannot reach the threshold.
    fn contact_acceleration(&self, constraint: &ContactConstraint) -> f32 {
        let substep = self.last_h;
        if substep <= 0.0 {
            return 0.0;
        }
        let masses = &self.tables.bodies.masses;
        let [a, b] = constraint.bodies().map(|body| &masses[body as usize]);
        let share = if constraint.has_immovable_body(masses) {
            IMMOVABLE_DEFLECTION_SHARE
        } else {
            1.0
        };
        let points = constraint.points_in_use();
        let impulse: f32 = points.iter().map(|point| point.normal_impulse).sum();
        let even = share * impulse * (a.inv_mass + b.inv_mass) / substep;
        if MAX_UNEVEN_FACTOR * even < self.threshold * self.stiffness.contact_rate_sq {
            return even;
        }
        even + share * self.uneven_velocity(constraint) / substep
    }

    /// Returns the velocity that the rotations due to a contact's impulses add at the point with the greatest
    /// load, plus the difference to the point with the least [m/s].
    fn uneven_velocity(&self, constraint: &ContactConstraint) -> f32 {
        let bodies = self.tables.bodies;
        let [a, b] = constraint.bodies().map(|body| body as usize);
        let [pose_a, pose_b] = [a, b].map(|body| &bodies.poses[body]);
        let inv_inertias = [a, b].map(|body| bodies.masses[body].inv_inertia);
        let normal_in_b = pose_b.unrotate(pose_a.rotate(constraint.normal));
        let points = constraint.points_in_use();
        let levers = |point: &ConstraintPoint| {
            [
                cross(&point.anchor_a, &constraint.normal),
                cross(&point.anchor_b, &normal_in_b),
            ]
        };
        let mut rotations = [0.0; 2];
        for point in points {
            let levers = levers(point);
            for end in 0..2 {
                rotations[end] += inv_inertias[end] * levers[end] * point.normal_impulse;
            }
        }
        let (mut min, mut max) = (f32::INFINITY, f32::NEG_INFINITY);
        for [lever_a, lever_b] in points.iter().map(levers) {
            let velocity = rotations[0] * lever_a + rotations[1] * lever_b;
            (min, max) = (min.min(velocity), max.max(velocity));
        }
        max + (max - min)
    }

    /// Returns the acceleration at which the load of a joint would separate its bodies [m/s^2]; the torque with which one
    /// holds the angle counts at their outermost points. That of a hinge at its limit does not: the worlds of walkers took 2.7 times
    /// as long with it, and chains of motors went 0.545 rad beyond their limits on average instead of 0.547.
    fn joint_acceleration(&self, slot: u32) -> f32 {
        let bodies = self.tables.bodies;
        let joint = &self.tables.joints.sims[slot as usize];
        let ends = [joint.base.body_a, joint.base.body_b].map(|body| body as usize);
        let reaction = joint.reaction();
        let torque = match &joint.kind {
            JointKind::Weld(_) | JointKind::Prismatic(_) => reaction.torque,
            _ => 0.0,
        };
        let [a, b] = ends.map(|body| bodies.masses[body].inv_mass);
        let [rotation_a, rotation_b] =
            ends.map(|body| bodies.masses[body].inv_inertia * bodies.tracks[body].max_extent);
        reaction.force.norm() * (a + b) + torque.abs() * (rotation_a + rotation_b)
    }
}
