//! Rest offsets of joints: a joint that gets stiffer pulls no harder than before, and closes slowly under its
//! load.
//!
//! A pin stores half its stiffness times the square of its gap. A taut bridge that has sagged by its own
//! weight, its pins open by centimetres, threw a ball that fell on it ten times as high as it came from when
//! it got 16 times the substeps at once. So a change of stiffness keeps the force of each pin: the part of
//! the gap that would increase it becomes the pin's *rest offset*, and the solver measures the gap from
//! there.
//!
//! In an island with a substep level above the world's, each evaluation then reduces the rest offset by a
//! share of the gap, beyond zero under a permanent load: the negative offset is the force that the pin
//! carries without a gap, the multiplier of an augmented Lagrangian ([NocedalWright06, sec. 17.3]).

use super::level_change::LevelChange;
use crate::body::table::BodyTable;
use crate::graph::GraphPlace;
use crate::island::hysteresis::EVALUATION_INTERVAL;
use crate::island::set::{Island, IslandSet};
use crate::island::substep_level::SUBSTEP_LEVELS;
use crate::joint::base::joint_flags;
use crate::joint::sim::JointSim;
use crate::joint::table::JointTable;
use crate::mechanisms::Mechanism;
use crate::softness::{joint_hertz, static_deflection};
use crate::step_context::StepContext;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::tolerance::LINEAR_SLOP;

/// Time constant at which gaps close [s]: slow relative to the swing of hanging structures, so that closing
/// does not drive it.
const CLOSING_TIME: f32 = 2.0;

/// Root mean square speed of the bodies of an island, by mass, up to which its pins close under their load
/// [m/s]: faster ones swing or bounce, and would be driven.
const MAX_CLOSING_SPEED: f32 = 0.4;

/// Greatest share of its gap by which the rest offset of a pin changes in one evaluation.
const MAX_CLOSING_SHARE: f32 = 0.25;

/// Greatest length of a rest offset, where neither the gap nor the old offset is longer [m].
const MAX_MULTIPLIER: f32 = 4.0 * LINEAR_SLOP;

/// Length of a rest offset that counts as none [m].
const NEGLIGIBLE_OFFSET: f32 = 1.0e-3 * LINEAR_SLOP;

/// Keeps the forces of the pins of `island` in a change of level.
pub(crate) fn keep_joint_forces(
    ctx: &StepContext<'_>,
    bodies: &BodyTable,
    joints: &mut JointTable,
    island: &mut Island,
    change: LevelChange,
) {
    let [old, new] = [change.from, change.to].map(|level| pin_deflection(ctx, level));
    if old == 0.0 || !ctx.uses(Mechanism::JointRestOffsets) {
        return;
    }
    let share = new / old;
    for_each_pin(bodies, joints, island, |pin, gap| {
        let offset = pin.base.rest_offset();
        let max_length = offset.norm().max(gap.norm());
        pin.base
            .set_rest_offset(clamped(gap - share * (gap - offset), max_length));
        true
    });
}

/// Closes the pins of `island` slowly: against their load if the island has a level above the world's and is
/// nearly at rest, else until they have no rest offset.
pub(crate) fn update_multipliers(
    ctx: &StepContext<'_>,
    bodies: &BodyTable,
    joints: &mut JointTable,
    islands: &mut IslandSet,
    island: u32,
) {
    let is_direct = islands.direct.contains(island);
    let island = &mut islands.slots[island as usize];
    let is_loaded = ctx.uses(Mechanism::JointMultipliers)
        && island.level > 0
        && !is_direct
        && is_nearly_at_rest(bodies, &island.bodies);
    if !is_loaded && !island.has_joint_offsets {
        return;
    }
    let share = (EVALUATION_INTERVAL as f32 * ctx.dt / CLOSING_TIME).min(MAX_CLOSING_SHARE);
    for_each_pin(bodies, joints, island, |pin, gap| {
        let offset = pin.base.rest_offset();
        let error = if is_loaded { gap } else { offset };
        let left = clamped(offset - share * error, offset.norm());
        if is_direct || !is_loaded && left.norm() < NEGLIGIBLE_OFFSET {
            pin.base.clear_rest_offset();
            return false;
        }
        pin.base.set_rest_offset(left);
        true
    });
}

/// Returns `true` if bodies move slowly, by their kinetic energy: planks may jitter under a load.
fn is_nearly_at_rest(bodies: &BodyTable, island: &[u32]) -> bool {
    let (mut mass, mut energy) = (0.0, 0.0);
    for &body in island {
        let inv_mass = bodies.masses[body as usize].inv_mass;
        if inv_mass > 0.0 {
            mass += 1.0 / inv_mass;
            energy += bodies.states[body as usize].velocity.norm_squared() / inv_mass;
        }
    }
    energy < MAX_CLOSING_SPEED * MAX_CLOSING_SPEED * mass
}

/// Returns the deflection of a pin per acceleration at a substep level [s^2].
fn pin_deflection(ctx: &StepContext<'_>, level: u8) -> f32 {
    let level = &SUBSTEP_LEVELS[usize::from(level)];
    let h = ctx.dt / level.substeps(ctx.def.substeps) as f32;
    let [hertz, _] = level.joints(&ctx.def.tuning);
    static_deflection(joint_hertz(hertz, h))
}

/// Visits the pins of `island` with their gaps [m]. `visit` returns `true` if the pin has a rest offset then.
fn for_each_pin(
    bodies: &BodyTable,
    joints: &mut JointTable,
    island: &mut Island,
    mut visit: impl FnMut(&mut JointSim, Vec2) -> bool,
) {
    island.has_joint_offsets = false;
    for &body in &island.bodies {
        for &joint in &bodies.slots[body].joints {
            let record = &joints.slots[joint];
            // A joint between two bodies of the island is visited at A.
            let is_visited = record.body_a == body || !bodies.is_dynamic(record.body_a);
            let sim = &mut joints.sims[joint as usize];
            if is_visited && record.graph != GraphPlace::NONE && is_solved_pin(sim) {
                let gap = sim.base.gap(&bodies.poses);
                island.has_joint_offsets |= visit(sim, gap);
            }
        }
    }
}

/// Returns `true` if a joint holds its anchors together with the world's stiffness, and was solved before.
fn is_solved_pin(joint: &JointSim) -> bool {
    joint.is_pinned()
        && joint.base.flags & joint_flags::INITIAL_ERROR == 0
        && joint.base.substep > 0.0
}

/// Returns `offset`, no longer than `max_length` or [`MAX_MULTIPLIER`], whichever is longer.
fn clamped(offset: Vec2, max_length: f32) -> Vec2 {
    let (length, max_length) = (offset.norm(), max_length.max(MAX_MULTIPLIER));
    if length > max_length {
        (max_length / length) * offset
    } else {
        offset
    }
}
