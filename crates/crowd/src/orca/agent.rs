//! An agent that is being steered: its settings, its state, and its time horizon.

use crate::limits::braking::approach_speed;
use crate::limits::heading::Heading;
use crate::limits::recovery::apart;
use crate::limits::region::Region;
use crate::neighbors::step_context::StepContext;
use crate::store::Memory;
use crate::store::agent::Params;
use crate::tuning::{HORIZON_FACTOR, MAX_HORIZON_LEVEL, MIN_CRAWL_HORIZON, MIN_HORIZON_STEPS};
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// Share of the horizon after each number of halvings.
const HALVINGS: [f32; MAX_HORIZON_LEVEL as usize + 1] = {
    let mut parts = [1.0; MAX_HORIZON_LEVEL as usize + 1];
    let mut level = 1;
    while level < parts.len() {
        parts[level] = HORIZON_FACTOR * parts[level - 1];
        level += 1;
    }
    parts
};

/// An agent that is being steered.
pub(crate) struct SteeringAgent<'a> {
    pub(crate) ctx: &'a StepContext<'a>,
    pub(crate) params: &'a Params,
    pub(crate) memory: &'a Memory,
    /// Center [m], and velocity [m/s].
    pub(crate) position: WorldPoint,
    pub(crate) velocity: Vec2,
    /// Its row in the store, and its index in the grid.
    pub(crate) row: usize,
    pub(crate) own: u32,
}

impl<'a> SteeringAgent<'a> {
    /// Returns the sorted agent `own`.
    #[inline(always)]
    pub(crate) fn new(ctx: &'a StepContext<'a>, own: u32) -> Self {
        let row = ctx.row(own);
        Self {
            ctx,
            params: ctx.store.params(row),
            memory: &ctx.store.memory[row],
            position: ctx.grid.position(own as usize),
            velocity: ctx.store.velocity[row],
            row,
            own,
        }
    }

    /// Returns the time constant with which its overlaps are resolved [s].
    #[inline]
    pub(crate) fn recovery_time(&self) -> f32 {
        self.params.recovery_time.max(self.ctx.step)
    }

    /// Returns the greatest speed towards something `gap` away from which it can still stop [m/s].
    #[inline]
    pub(crate) fn approach_speed(&self, gap: f32) -> f32 {
        approach_speed(gap, self.ctx.step, self.params.max_acceleration)
    }

    /// Returns its share in all encounters; `None` if they differ.
    #[inline]
    pub(crate) fn common_share(&self) -> Option<f32> {
        self.ctx.grid.common_share()
    }

    /// Returns the velocity that it was given in the last step [m/s].
    ///
    /// This is not always the velocity that it has: a body may have been pushed since, and the agent must resist that at
    /// once.
    #[inline]
    pub(crate) fn given_velocity(&self) -> Vec2 {
        self.ctx.store.next_velocity[self.row]
    }

    /// Returns its reachable velocities.
    #[inline]
    pub(crate) fn region(&self) -> Region {
        self.params.region(self.velocity, self.ctx.step)
    }

    /// Returns the heading, if the turns are limited.
    pub(crate) fn heading(&self) -> Option<Heading> {
        Heading::limited(
            self.ctx.store.facing(self.row),
            self.params.max_turn_rate,
            self.ctx.step,
        )
    }

    /// Returns whether a horizon that is halved `level` times must be halved again: because it is infeasible or the
    /// agent `crawls`.
    #[inline]
    pub(crate) fn is_too_long(&self, level: u8, is_infeasible: bool, crawls: bool) -> bool {
        let horizon = self.horizon(level);
        (is_infeasible || (crawls && horizon > MIN_CRAWL_HORIZON))
            && level < MAX_HORIZON_LEVEL
            && horizon > self.shortest_horizon()
    }

    fn shortest_horizon(&self) -> f32 {
        MIN_HORIZON_STEPS * self.ctx.step
    }

    /// Returns the time horizon to agents after `level` halvings [s].
    pub(crate) fn horizon(&self, level: u8) -> f32 {
        let horizon = self.params.time_horizon * HALVINGS[usize::from(level)];
        horizon.max(self.shortest_horizon())
    }

    /// Returns the time horizon to obstacles [s].
    pub(crate) fn obstacle_horizon(&self) -> f32 {
        self.params.obstacle_horizon.max(self.ctx.step)
    }

    /// Returns the unit vector to a neighbor at the same position.
    pub(crate) fn separation_direction(&self, index: u32) -> Vec2 {
        apart(self.ctx.slot(self.own), self.ctx.slot(index))
    }
}
