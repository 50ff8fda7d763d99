//! Stage 6 of the step: continuous collision. It wakes the bodies that impacts hit, which needs the whole
//! world.

use crate::ccd::{self, CcdStep, CcdTables};
use crate::workers::StepWorkers;
use crate::world::World;
use crate::world::record::answer_log;
use std::panic::{AssertUnwindSafe, catch_unwind};

impl World {
    /// Sweeps the fast bodies of this step of `dt` \[s\], and updates their boxes even if the user's filter panics.
    ///
    /// # Errors
    /// If the filter panicked: its message. Bodies that were not swept yet are where their velocities took
    /// them.
    pub(crate) fn sweep_fast_bodies(
        &mut self,
        workers: &StepWorkers,
        dt: f32,
    ) -> std::thread::Result<()> {
        self.counters.continuous_bodies = self.scratch.ccd_input.swept.len();
        self.recent_impacts.clear();
        if self.scratch.ccd_input.swept.is_empty() {
            return Ok(());
        }
        let swept = catch_unwind(AssertUnwindSafe(|| self.run_sweeps(workers, dt)));
        if swept.is_err() {
            self.scratch.ccd = CcdStep::default();
            // Boxes that the sweeps have grown must reach the broad phase before they are replaced.
            self.refit();
            for place in 0..self.scratch.ccd_input.swept.len() {
                self.replace_boxes(self.scratch.ccd_input.swept[place]);
            }
        }
        swept
    }

    fn run_sweeps(&mut self, workers: &StepWorkers, dt: f32) {
        let (step, mut tables) = self.ccd_tables(dt);
        step.begin(&mut tables, workers);
        while let Some(at) = self.next_impact(dt) {
            for place in 0..self.scratch.ccd.impact_bodies().len() {
                let body = self.scratch.ccd.impact_bodies()[place];
                self.wake_body(body);
            }
            let (step, mut tables) = self.ccd_tables(dt);
            step.solve_impact(&mut tables, at);
        }
        let (step, mut tables) = self.ccd_tables(dt);
        step.finish(&mut tables);
    }

    fn next_impact(&mut self, dt: f32) -> Option<f32> {
        let (step, mut tables) = self.ccd_tables(dt);
        step.next_impact(&mut tables)
    }

    fn ccd_tables(&mut self, dt: f32) -> (&mut CcdStep, CcdTables<'_>) {
        let tables = CcdTables {
            ctx: self.history.context(&self.def, dt),
            input: &self.scratch.ccd_input,
            bodies: &mut self.bodies,
            shapes: &mut self.shapes,
            contacts: &mut self.contacts,
            joints: &mut self.joints,
            broad: &self.broad,
            ignores: &self.ignores,
            filter: self.hooks.pair_hook(answer_log(&self.recorder)),
            solver: &mut self.scratch.solver,
            grown: &mut self.scratch.grown,
            recent_impacts: &mut self.recent_impacts,
            events: &mut self.events,
            counters: &mut self.counters,
        };
        (&mut self.scratch.ccd, tables)
    }

    /// Marks the bodies that continuous collision treats with care in this step, before the substeps.
    pub(crate) fn mark_ccd_candidates(&mut self, awake: &[u32], dt: f32) {
        ccd::mark_bounce_candidates(
            &self.history.context(&self.def, dt),
            &mut self.scratch.ccd_input,
            &mut self.bodies,
            &self.shapes,
            &self.contacts,
            awake,
        );
    }

    /// Marks the contacts of the body in `slot` that the substeps skip. Returns their number.
    pub(crate) fn defer_contacts(&mut self, slot: u32, dt: f32) -> u32 {
        if !ccd::may_defer_contacts(&self.bodies.tracks[slot as usize]) {
            return 0;
        }
        let ctx = self.history.context(&self.def, dt);
        let input = &self.scratch.ccd_input;
        ccd::defer_contacts(&ctx, input, &mut self.bodies, &mut self.contacts, slot)
    }
}
