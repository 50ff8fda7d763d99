//! Calm islands: bodies that hardly move within a step need no substeps.
//!
//! Substeps follow changes within a step: of the directions of rows, and of the set of points that touch. In an
//! island at rest nothing changes, and one substep gives the same impulses at a fraction of the price. After
//! the step its motion is checked: an island that was not calm is solved again in the substeps of the world.

use super::system::NewtonSystem;
use super::{IslandLists, NewtonTables};
use crate::body::table::BodyTable;
use crate::step_context::StepContext;

/// Greatest motion of a body in a step, relative to its greatest extent; at its outermost point.
///
/// The arm of a joint that turns by an angle leaves its tangent by half the square of the angle: 5e-7 of its
/// length, some units in the last place of the rotations, which are `f32` between steps.
const MAX_MOTION: f32 = 1.0e-3;

/// Returns `true` if a body with the given extent \[m\] hardly moves.
fn is_small(motion: f32, angle: f32, extent: f32) -> bool {
    motion + angle.abs() * extent <= MAX_MOTION * extent
}

impl IslandLists {
    /// Returns `true` if the velocities of the listed bodies hardly move them in a step.
    pub(super) fn is_calm(&self, ctx: &StepContext<'_>, tables: &NewtonTables<'_>) -> bool {
        self.bodies.iter().all(|&slot| {
            let state = &tables.bodies.states[slot as usize];
            let (speed, spin) = (state.velocity.norm(), state.angular_velocity);
            let extent = tables.bodies.tracks[slot as usize].max_extent;
            is_small(ctx.dt * speed, ctx.dt * spin, extent)
        })
    }
}

impl NewtonSystem {
    /// Returns `true` if the step hardly moved the free bodies.
    pub(super) fn was_calm(&self, table: &BodyTable) -> bool {
        let mut free = self.bodies.iter().filter(|body| body.is_free());
        free.all(|body| {
            let motion = body.motion.norm() as f32;
            let extent = table.tracks[body.slot as usize].max_extent;
            is_small(motion, body.pose.angle as f32, extent)
        })
    }
}
