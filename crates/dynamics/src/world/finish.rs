//! The end of the step: finalization, exits from the bounds, the broad phase, events and counters.

use crate::ccd;
use crate::step::bounds::report_exits;
use crate::step::finalize::FinalizeTables;
use crate::workers::StepWorkers;
use crate::world::World;
use cairn2d_geometry::math::Vec2;

impl World {
    /// Finalizes the bodies that the solver moved. The structural edits that follow from it wake bodies,
    /// which needs the whole world.
    pub(crate) fn finalize(&mut self, workers: &StepWorkers, dt: f32) {
        self.scratch.finalize.begin(&self.bodies);
        self.wake_bodies_on_moving_kinematic();
        let min_bounce_travel = ccd::min_swept_travel(&self.def, dt);
        let ctx = self.history.context(&self.def, dt);
        let mut tables = FinalizeTables {
            bodies: &mut self.bodies,
            shapes: &mut self.shapes,
            contacts: &self.contacts,
            islands: &self.islands,
            ccd: &mut self.scratch.ccd_input,
            grown: &mut self.scratch.grown,
        };
        self.scratch
            .finalize
            .run(&ctx, workers, min_bounce_travel, &mut tables);
        self.freeze_and_rest();
    }

    /// Freezes the bodies that finalization lost and puts resting kinematic bodies to sleep, block by block.
    fn freeze_and_rest(&mut self) {
        let reports = self.scratch.finalize.take_reports();
        for report in &reports {
            for &slot in &report.lost {
                self.freeze(slot);
            }
            if self.def.sleeping {
                for &slot in &report.resting {
                    self.sleep_kinematic(slot);
                }
            }
        }
        self.scratch.finalize.put_reports_back(reports);
    }

    /// Wakes the bodies that touch or are jointed to a moving kinematic body, and keeps them awake: it
    /// carries them, however slowly.
    fn wake_bodies_on_moving_kinematic(&mut self) {
        for place in 0..self.scratch.awake.len() {
            let slot = self.scratch.awake[place];
            if self.bodies.is_dynamic(slot) {
                continue;
            }
            let state = &self.bodies.states[slot as usize];
            if state.velocity != Vec2::zeros() || state.angular_velocity != 0.0 {
                self.wake_neighbors(slot);
            }
        }
    }

    /// Lists the bodies that left the bounds of the world.
    pub(crate) fn report_exits(&mut self) {
        if let Some(bounds) = &self.def.bounds {
            report_exits(
                bounds,
                &self.scratch.awake,
                &self.bodies,
                &self.shapes,
                &mut self.outside,
                &mut self.events.collecting.exits,
            );
        }
    }

    /// Updates the broad phase with the new fat boxes.
    pub(crate) fn refit(&mut self) {
        self.broad.enlarge_many(&self.scratch.grown);
        self.counters.grown_boxes = self.scratch.grown.len();
        self.scratch.grown.clear();
    }

    /// Removes broken joints, and publishes the events of the step.
    pub(crate) fn complete_events(&mut self) {
        self.remove_broken_joints();
        self.complete_begin_events();
        let lists = &mut self.events.collecting;
        lists.fill_user_data(&self.bodies, &self.shapes);
        self.events.publish();
    }

    /// Counts the work of the step.
    pub(crate) fn count(&mut self) {
        self.counters.massless_bodies = self.massless_bodies().count();
        self.counters.large_angles = self.bodies.large_angles.len();
        let counters = &mut self.counters;
        counters.bodies = self.bodies.slots.len();
        counters.awake_bodies = self.scratch.awake.len();
        counters.shapes = self.shapes.slots.len();
        counters.contacts = self.contacts.slots.len();
        counters.joints = self.joints.slots.len();
        counters.tree_height = self.broad.stats().height;
        counters.islands = self.islands.len();
        counters.newton_islands = self.islands.newton_awake().count();
        counters.direct_islands = self.islands.direct_awake().count();
        counters.colors = self.graph.used_colors().count();
        let [colored, _] = self.graph.count_and_removed();
        counters.overflow = self.graph.contacts() + self.graph.joints() - colored;
        counters.solved_contacts = self.graph.contacts();
    }
}
