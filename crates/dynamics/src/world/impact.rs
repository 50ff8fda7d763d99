//! The impact stage in the world: its input.

use crate::world::World;

impl World {
    /// Stops fast bodies at static ground.
    pub(crate) fn solve_static_impacts(&mut self, dt: f32) {
        let impacts = &mut self.scratch.impacts;
        impacts.begin_step();
        let ctx = self.history.context(&self.def, dt);
        impacts.solve_static_impacts(&ctx, &mut self.bodies, &self.shapes, &self.contacts);
    }
}
