//! The load stages in the world: their input and their order.

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
            contacts: &mut self.contacts,
            joints: &self.joints,
            islands: &mut self.islands,
        };
        (&mut self.scratch.load, context, tables)
    }

    /// Evaluates the loads of islands: see [`LoadStage::evaluate_strain`].
    pub(crate) fn evaluate_strain(&mut self, dt: f32) {
        let (load, ctx, mut tables) = self.load_stage(dt);
        load.evaluate_strain(&ctx, &mut tables);
    }

    /// Gives new piles their static loads: see [`LoadStage::propagate_loads`].
    pub(crate) fn propagate_loads(&mut self, dt: f32) {
        let changes = core::mem::take(&mut self.scratch.changes);
        let begins = changes
            .words
            .iter()
            .map(|change| (change.first, change.begins));
        let (load, ctx, mut tables) = self.load_stage(dt);
        load.propagate_loads(&ctx, &mut tables, begins);
        self.scratch.changes = changes;
    }
}
