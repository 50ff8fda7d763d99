//! The impact stages in the world: their input and their order.

use crate::impact::ImpactScene;
use crate::impact::warm_start_reset::reset_warm_starts;
use crate::mechanisms::Mechanism;
use crate::world::World;

impl World {
    /// Raises the substep levels of narrow islands with a heavy body on a light one, where links have changed
    /// or bodies approach fast, and stops their impacts.
    pub(crate) fn solve_heavy_impacts(&mut self, dt: f32) {
        self.scratch.impacts.begin_step();
        let is_off = !self.def.tuning.uses(Mechanism::HeavyImpacts);
        if is_off || self.high_ratio_contacts.is_empty() {
            return;
        }
        let mut impacts = core::mem::take(&mut self.scratch.impacts);
        let scene = ImpactScene {
            bodies: &self.bodies,
            shapes: &self.shapes,
            contacts: &self.contacts,
            dt,
            mechanisms: self.def.tuning.mechanisms,
        };
        impacts.find_heavy_impacts(&scene, &self.high_ratio_contacts, &self.islands);
        for place in 0..impacts.heavy_islands().len() {
            let island = impacts.heavy_islands()[place];
            if self.raise_level_for_impact(island, dt) {
                impacts.solve_heavy_impact(
                    &self.history.context(&self.def, dt),
                    &mut self.bodies,
                    &self.shapes,
                    &self.contacts,
                    &self.high_ratio_contacts,
                    &self.islands.slots[island as usize].bodies,
                );
            }
        }
        self.scratch.impacts = impacts;
    }

    /// Gives a narrow island at once the level that its support requires, whatever the speed of its bodies:
    /// nothing has been compressed yet that would be thrown back. Returns `true` if the island is narrow.
    fn raise_level_for_impact(&mut self, island: u32, dt: f32) -> bool {
        let (load, ctx, mut tables) = self.load_stage(dt);
        load.raise_level_for_impact(&ctx, &mut tables, island)
    }

    /// Stops fast bodies at static ground, and moves heavy bodies to the light ones that they hit.
    pub(crate) fn solve_static_impacts(&mut self, dt: f32) {
        let impacts = &mut self.scratch.impacts;
        let ctx = self.history.context(&self.def, dt);
        impacts.solve_static_impacts(&ctx, &mut self.bodies, &self.shapes, &self.contacts);
        impacts.move_heavy_bodies(&mut self.bodies);
    }

    /// Drops the impulses of fast bodies that may be wedged: see [`reset_warm_starts`].
    pub(crate) fn reset_warm_starts_of_impacts(&mut self) {
        if !self.def.tuning.uses(Mechanism::WarmStartReset) {
            return;
        }
        reset_warm_starts(
            self.solver.fast_contacts(),
            &self.bodies,
            &mut self.contacts,
            &mut self.scratch.hit_bodies,
        );
    }
}
