//! Rest loads of contacts: the force at which the overlap of a point does not change.
//!
//! A contact point deflects only under the load beyond its rest load, since the solver measures its overlap from
//! where the rest load would have pressed it. The rest load is constant: it shifts the position at which the contact
//! rests, but not its response.

use super::deflection::IMMOVABLE_DEFLECTION_SHARE;
use crate::body::table::BodyTable;
use crate::contact::constraint::{ConstraintPoint, ContactConstraint};
use crate::contact::kinematics::PlacedPoint;
use crate::contact::table::ContactTable;
use crate::island::set::Island;
use crate::island::strain::EVALUATION_INTERVAL;
use crate::links::visiting_body;
use crate::softness::{contact_hertz, static_deflection};
use crate::step_context::StepContext;

/// Share of a rest load that a contact need not carry. Smaller: a pile that sways loses its rest loads.
/// Larger: a contact that has lost its load hovers, at most as high as it would have sunk in.
const MAX_EXCESS_SHARE: f32 = 0.5;

/// Share of the excess of a rest load that is relaxed in an evaluation: gone in half a second, so that
/// hovering bodies come down gently.
const EXCESS_RELAX_SHARE: f32 = 0.25;

/// Rest load that counts as none, as an acceleration of the effective mass [m/s^2]: it holds a contact 2 nm
/// above where it would lie, the spacing of the grid of body centers.
const NEGLIGIBLE_REST_ACCELERATION: f32 = 1.0e-4;

/// Number of evaluations that look for excess after a change: loads take a second to propagate down a pile.
const RELAX_EVALUATIONS: u8 = 15;

/// Interval of the evaluations that look for excess without a change: one second at 60 Hz.
const IDLE_RELAX_INTERVAL: u64 = 15;

/// Forces of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct StaticContactForces {
    pub(super) contact: u32,
    /// Normal force and friction at each point [N].
    pub(super) points: [[f32; 2]; 2],
}

/// Writes the static forces of a contact as stored impulses and rest loads. A load that the overlap already
/// carries is no rest load.
pub(super) fn write_forces(
    forces: &StaticContactForces,
    ctx: &StepContext<'_>,
    deflections: [f32; 2],
    bodies: &BodyTable,
    contacts: &mut ContactTable,
) {
    let constraint = &contacts.constraints[forces.contact as usize];
    let placed = constraint.placed_points(&bodies.poses);
    let normal = constraint.world_normal(&bodies.poses);
    let inv_masses =
        placed.map(|at| constraint.inv_effective_mass(&bodies.masses, at.arms, normal));
    let deflection = deflections[usize::from(constraint.has_immovable_body(&bodies.masses))];
    let impulses = forces
        .points
        .map(|forces| forces.map(|force| force * ctx.last_h));
    contacts.store_static_impulses(forces.contact, impulses);
    for (index, placed) in placed.iter().enumerate() {
        let of_point = deflection * inv_masses[index];
        let depth = (-placed.separation).max(0.0);
        let rest_load = if of_point > 0.0 {
            (forces.points[index][0] - depth / of_point).max(0.0)
        } else {
            0.0
        };
        contacts.set_rest_load(forces.contact, index, rest_load);
    }
}

/// Returns the deflection of contacts per acceleration [s^2]: between moving bodies, and with immovable ones.
pub(crate) fn contact_deflections(ctx: &StepContext<'_>) -> [f32; 2] {
    let h = ctx.dt / ctx.def.substeps as f32;
    let moving = static_deflection(contact_hertz(ctx.def.tuning.contact_hertz, h));
    [moving, IMMOVABLE_DEFLECTION_SHARE * moving]
}

/// Relaxes rest loads in `island` that contacts no longer carry: a body that has lost its load would hover on
/// them. They are checked after links have changed, and from time to time, as forces change, too.
pub(crate) fn relax_rest_loads(
    ctx: &StepContext<'_>,
    bodies: &BodyTable,
    contacts: &mut ContactTable,
    island: &mut Island,
) {
    if !island.has_rest_loads {
        return;
    }
    let evaluation = ctx.steps / EVALUATION_INTERVAL;
    if island.links_changed {
        island.relax_countdown = RELAX_EVALUATIONS;
    } else if island.relax_countdown > 0 {
        island.relax_countdown -= 1;
    } else if !evaluation.is_multiple_of(IDLE_RELAX_INTERVAL) {
        return;
    }
    let (mut has_excess, mut greatest) = (false, 0.0_f32);
    for &slot in &island.bodies {
        for &contact in &bodies.slots[slot].contacts {
            let ends = contacts.constraints[contact as usize].bodies();
            if visiting_body(bodies, ends) == slot {
                has_excess |= relax_excess(contact, contacts, ctx.last_h);
                let constraint = &contacts.constraints[contact as usize];
                greatest = greatest.max(rest_acceleration(constraint, bodies));
            }
        }
    }
    if has_excess {
        island.relax_countdown = RELAX_EVALUATIONS;
    }
    island.has_rest_loads = greatest > NEGLIGIBLE_REST_ACCELERATION;
}

/// Returns the greatest rest load of a contact as an acceleration of the effective mass [m/s^2].
fn rest_acceleration(constraint: &ContactConstraint, bodies: &BodyTable) -> f32 {
    let points = constraint.points_in_use();
    if points.iter().all(|point| point.rest_load <= 0.0) {
        return 0.0;
    }
    let placed = constraint.placed_points(&bodies.poses);
    let normal = constraint.world_normal(&bodies.poses);
    let of_point = |(point, at): (&ConstraintPoint, PlacedPoint)| {
        point.rest_load * constraint.inv_effective_mass(&bodies.masses, at.arms, normal)
    };
    let accelerations = points.iter().zip(placed).map(of_point);
    accelerations.fold(0.0, f32::max)
}

/// Relaxes the excess of rest loads over the loads that the points carry. Returns `true` if there was any.
/// Stored impulses are those of substeps of `last_h` [s].
fn relax_excess(contact: u32, contacts: &mut ContactTable, last_h: f32) -> bool {
    let constraint = &contacts.constraints[contact as usize];
    let points = constraint.points;
    let mut has_excess = false;
    for (index, point) in points.iter().enumerate() {
        let excess = point.rest_load - point.normal_impulse / last_h;
        if excess > MAX_EXCESS_SHARE * point.rest_load {
            let relaxed = point.rest_load - EXCESS_RELAX_SHARE * excess;
            contacts.set_rest_load(contact, index, relaxed);
            has_excess = true;
        }
    }
    has_excess
}
