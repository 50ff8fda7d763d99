//! Rest offsets of contacts: a contact that gets stiffer presses no harder than before.
//!
//! A contact stores half its stiffness times the square of its overlap. If an island gets sixteen times the
//! substeps while a fall compresses it, its contacts would press with 256 times the load, and return 256
//! times the energy: a column of a hundred boxes that fell by 5 cm rose by 6 m. So a change of stiffness
//! keeps the force of each contact point: the part of the overlap that would increase it becomes the point's
//! *rest offset*, and the solver measures the overlap from there. It is stored as a negative rest load (see
//! `rest_load.rs`). The stored energy decreases, never increases. The rest offset is then relaxed slowly,
//! so that a column is lifted, not thrown.

use super::level_change::LevelChange;
use crate::body::table::BodyTable;
use crate::contact::constraint::constraint_flags;
use crate::contact::table::ContactTable;
use crate::island::hysteresis::EVALUATION_INTERVAL;
use crate::island::set::{Island, IslandSet};
use crate::island::substep_level::SUBSTEP_LEVELS;
use crate::links::visiting_body;
use crate::mechanisms::Mechanism;
use crate::softness::static_deflection;
use crate::step_context::StepContext;
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use smallvec::SmallVec;

/// Speed at which rest offsets are relaxed, relative to a fall from their sum.
///
/// A column that is lifted by x in a time proportional to `sqrt(x)`, slower and slower, is braked with a
/// constant share of gravity, here an eighth, and so not thrown. With a quarter of the offset per evaluation
/// a hundred boxes rose above the height from which they fell; with a thirtieth a small pile fell asleep
/// overlapped.
const RELAX_SPEED: f32 = 0.5;

/// Greatest share of a rest offset that is relaxed in one evaluation.
const MAX_RELAX_SHARE: f32 = 0.25;

/// Part of a rest offset that is relaxed in every evaluation besides [m], so that it ends, also without
/// gravity.
const MIN_RELAX: f32 = 0.02 * LINEAR_SLOP;

/// A contact point that may have a rest offset.
struct OffsetPoint {
    /// [N]; negative: a rest offset.
    rest_load: f32,
    /// 1 for a contact with an immovable body, else 0: index into [`contact_deflections`].
    stiffness: usize,
    /// [m]
    separation: f32,
    /// Inverse effective mass along the normal [1/kg].
    inv_mass: f32,
}

/// Keeps the normal forces of the contacts of `island` in a change of level.
pub(crate) fn keep_contact_forces(
    ctx: &StepContext<'_>,
    bodies: &BodyTable,
    contacts: &mut ContactTable,
    island: &mut Island,
    change: LevelChange,
) {
    if !ctx.uses(Mechanism::ContactRestOffsets) {
        return;
    }
    let [old, new] = [change.from, change.to].map(|level| contact_deflections(ctx, level.into()));
    let mut sum = 0.0;
    update_rest_loads(&island.bodies, bodies, contacts, |at| {
        let (old, new) = (old[at.stiffness], new[at.stiffness]);
        let mut rest_load = at.rest_load;
        if new > old {
            // A point that gets softer keeps its offset, not its force.
            if rest_load < 0.0 {
                rest_load *= old / new;
            }
        } else if at.separation < 0.0 {
            rest_load += at.separation / at.inv_mass * (1.0 / new - 1.0 / old);
        }
        sum += (-rest_load * new * at.inv_mass).max(0.0);
        rest_load
    });
    island.rest_offset_sum = sum;
}

/// Gives `piece`, which was split off `island`, its part of the sum of rest offsets of both.
pub(crate) fn share_rest_offsets(
    ctx: &StepContext<'_>,
    bodies: &BodyTable,
    contacts: &mut ContactTable,
    islands: &mut IslandSet,
    [island, piece]: [u32; 2],
) {
    let sum = islands.slots[island as usize].rest_offset_sum;
    if sum <= 0.0 {
        return;
    }
    let record = &mut islands.slots[piece as usize];
    let deflections = contact_deflections(ctx, record.level.into());
    let mut of_piece = 0.0;
    update_rest_loads(&record.bodies, bodies, contacts, |at| {
        of_piece += (-at.rest_load * deflections[at.stiffness] * at.inv_mass).max(0.0);
        at.rest_load
    });
    record.rest_offset_sum = of_piece;
    // Poses have changed since the sum was taken.
    islands.slots[island as usize].rest_offset_sum = (sum - of_piece).max(0.0);
}

/// Relaxes the rest offsets of the contacts of `island` by a share, and drops what exceeds the overlap.
pub(crate) fn relax_rest_offsets(
    ctx: &StepContext<'_>,
    bodies: &BodyTable,
    contacts: &mut ContactTable,
    island: &mut Island,
) {
    let sum = island.rest_offset_sum;
    if sum <= 0.0 {
        return;
    }
    let time = EVALUATION_INTERVAL as f32 * ctx.dt;
    let fall = time * (ctx.def.gravity.norm() / sum).sqrt();
    let share = (RELAX_SPEED * fall).min(MAX_RELAX_SHARE);
    let deflections = contact_deflections(ctx, island.level.into());
    let mut left = 0.0;
    update_rest_loads(&island.bodies, bodies, contacts, |at| {
        let deflection = deflections[at.stiffness] * at.inv_mass;
        if at.rest_load >= 0.0 {
            return at.rest_load;
        }
        let offset = (at.rest_load * deflection).max(at.separation.min(0.0));
        let kept = ((1.0 - share) * offset + MIN_RELAX).min(0.0);
        left -= kept;
        kept / deflection
    });
    island.rest_offset_sum = left;
}

/// Returns the deflection of contacts per acceleration at a substep level [s^2]: between moving bodies, and
/// with immovable ones.
pub(crate) fn contact_deflections(ctx: &StepContext<'_>, level: usize) -> [f32; 2] {
    let hertz = SUBSTEP_LEVELS[level].contact_hertz(&ctx.def.tuning, ctx.dt, ctx.def.substeps);
    [hertz, 2.0 * hertz].map(static_deflection)
}

/// Replaces the rest loads of the contact points of an island of these bodies that may have rest offsets.
fn update_rest_loads(
    island: &[u32],
    bodies: &BodyTable,
    contacts: &mut ContactTable,
    mut new_rest_load: impl FnMut(OffsetPoint) -> f32,
) {
    for &slot in island {
        for &contact in &bodies.slots[slot].contacts {
            let constraint = &contacts.constraints[contact as usize];
            let is_visited = visiting_body(bodies, constraint.bodies()) == slot;
            if !is_visited || !may_have_offset(bodies, contacts, contact) {
                continue;
            }
            let stiffness = usize::from(constraint.has_immovable_body(&bodies.masses));
            let placed = constraint.placed_points(&bodies.poses);
            let normal = constraint.world_normal(&bodies.poses);
            let inv_masses =
                placed.map(|at| constraint.inv_effective_mass(&bodies.masses, at.arms, normal));
            let points = constraint.points_in_use();
            let rest_loads: SmallVec<[f32; 2]> =
                points.iter().map(|point| point.rest_load).collect();
            for (i, rest_load) in rest_loads.into_iter().enumerate() {
                if inv_masses[i] > 0.0 {
                    let at = OffsetPoint {
                        rest_load,
                        stiffness,
                        separation: placed[i].separation,
                        inv_mass: inv_masses[i],
                    };
                    contacts.set_rest_load(contact, i, new_rest_load(at));
                }
            }
        }
    }
}

/// Returns `true` if a contact is solved and may have a rest offset. Jointed bodies have none, since their
/// joints get stiffer, too; initial penetrations have none, since they are removed without velocity.
fn may_have_offset(bodies: &BodyTable, contacts: &ContactTable, contact: u32) -> bool {
    let constraint = &contacts.constraints[contact as usize];
    let mut ends = constraint.bodies().into_iter();
    constraint.flags & constraint_flags::INITIAL_ERROR == 0
        && contacts.is_solved(contact)
        && ends.all(|body| bodies.slots[body].joints.is_empty())
}
