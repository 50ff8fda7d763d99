//! The load stages in the world: their input and their order.

use crate::load::level_change::keep_forces_in_merge;
use crate::load::rest_offset::share_rest_offsets;
use crate::load::{LoadStage, LoadTables};
use crate::step_context::StepContext;
use crate::world::World;

impl World {
    /// Borrows the load stage, and all that it reads and writes in a step of `dt` [s].
    pub(crate) fn load_stage(
        &mut self,
        dt: f32,
    ) -> (&mut LoadStage, StepContext<'_>, LoadTables<'_>) {
        let context = self.history.context(&self.def, dt);
        let tables = LoadTables {
            bodies: &self.bodies,
            graph: &self.graph,
            contacts: &mut self.contacts,
            joints: &mut self.joints,
            islands: &mut self.islands,
        };
        (&mut self.load, context, tables)
    }

    /// Chooses the substep level of each island: see [`LoadStage::choose_substeps`].
    pub(crate) fn choose_substeps(&mut self, dt: f32) {
        let (load, ctx, mut tables) = self.load_stage(dt);
        load.choose_substeps(&ctx, &mut tables);
    }

    /// Gives new piles their static loads: see [`LoadStage::propagate_loads`].
    pub(crate) fn propagate_loads(&mut self, dt: f32) {
        let changes = core::mem::take(&mut self.scratch.changes);
        let begins = changes.iter().map(|change| change.begins);
        let (load, ctx, mut tables) = self.load_stage(dt);
        load.propagate_loads(&ctx, &mut tables, begins);
        self.scratch.changes = changes;
    }

    /// Keeps the forces of the island with the lower level before a merge: see [`keep_forces_in_merge`].
    pub(crate) fn keep_forces_in_merge(&mut self, islands: [u32; 2]) {
        let dt = self.last_dt();
        let (_, ctx, mut tables) = self.load_stage(dt);
        keep_forces_in_merge(&ctx, &mut tables, islands);
    }

    /// Gives `piece`, which was split off `island`, its part of the rest offsets: see [`share_rest_offsets`].
    pub(crate) fn share_rest_offsets(&mut self, island: u32, piece: u32) {
        let dt = self.last_dt();
        let (_, ctx, tables) = self.load_stage(dt);
        let islands = [island, piece];
        share_rest_offsets(
            &ctx,
            tables.bodies,
            tables.contacts,
            tables.islands,
            islands,
        );
    }

    /// Returns the length of the last step [s]; 0 before the first one.
    fn last_dt(&self) -> f32 {
        self.history.last_h * self.def.substeps as f32
    }
}
