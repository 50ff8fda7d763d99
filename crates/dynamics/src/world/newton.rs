//! Newton's method in the world: the tables that it borrows, and its place in the step.

use crate::newton::NewtonTables;
use crate::world::World;

impl World {
    /// Chooses the islands that Newton's method solves, solves them, and marks their bodies and joints.
    pub(crate) fn solve_newton_islands(&mut self, dt: f32) {
        let ctx = self.history.context(&self.def, dt);
        let mut tables = NewtonTables {
            bodies: &mut self.bodies,
            contacts: &mut self.contacts,
            joints: &mut self.joints,
            islands: &mut self.islands,
        };
        let links = self.graph.contacts() + self.graph.joints();
        let stage = &mut self.scratch.newton;
        stage.choose(&ctx, links, &mut tables);
        stage.solve(&ctx, &mut tables);
        self.scratch.solver.note_fast(stage.fast_contacts());
    }
}
