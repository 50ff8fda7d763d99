//! Changes of the motion of a body in the step.

use super::step::{CcdStep, SweptShape};
use super::sweep::{BodySweep, PastSegment, SweepSegment};
use super::tables::{CcdScene, CcdTables};
use crate::body::state::{BodyPose, angle_bound};
use crate::body::table::BodyTable;
use crate::fat_box::place_box;
use crate::shape::table::ShapeTable;
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::Vec2;

impl CcdStep {
    /// Replaces the motion of the body in `slot` by `next`, from its start on. The events of the body must be
    /// searched again.
    pub(super) fn change_sweep(
        &mut self,
        tables: &mut CcdTables<'_>,
        slot: u32,
        next: SweepSegment,
    ) {
        let scene = tables.scene();
        let mut sweep = self.sweep_or_new(&scene, slot);
        let before = sweep.segment;
        if scene.shapes.sensors > 0 && next.from > before.from {
            self.trail.push(PastSegment {
                slot,
                from: before.from,
                to: next.from,
                start: before.start,
                end: next.start,
            });
        }
        sweep.revision += 1;
        // The events of an inactive sweep are not searched, so its body must not move on.
        let next = if sweep.is_active() {
            next
        } else {
            SweepSegment::at_rest(next.from, next.start)
        };
        sweep.segment = scene.stopped_by_static(slot, &before, next);
        sweep.moved = true;
        if !sweep.segment.is_at_rest() {
            scene.constrain_cores(&self.sweeps, &mut sweep);
        }
        self.store_sweep(tables.bodies, sweep);
        let SweepSegment { start, end, .. } = sweep.segment;
        for place in sweep.box_range() {
            let bounds = swept_box(tables.shapes, self.boxes[place].0, &start, &end);
            self.boxes[place].1 = bounds;
            if place < self.tree.len() {
                self.tree.enlarge(place, &bounds);
            }
        }
    }

    /// Shifts the end of the motion of a body.
    pub(super) fn shift_sweep(&mut self, tables: &mut CcdTables<'_>, slot: u32, change: Vec2) {
        let mut sweep = self.sweep_or_new(&tables.scene(), slot);
        sweep.shift(change);
        self.store_sweep(tables.bodies, sweep);
    }

    /// Returns the sweep of a body, which begins one if it has none.
    fn sweep_or_new(&mut self, scene: &CcdScene<'_>, slot: u32) -> BodySweep {
        if let Some(&sweep) = self.sweeps.of(slot) {
            return sweep;
        }
        let first = self.boxes.len();
        let shapes = scene.bodies.slots[slot].shapes.iter();
        self.boxes.extend(
            shapes.map(|&shape| -> SweptShape { (shape, scene.shapes.slots[shape].fat_box) }),
        );
        let sweep = BodySweep {
            boxes: (first as u32, (self.boxes.len() - first) as u32),
            ..BodySweep::of_step(slot, scene.step_segment(slot))
        };
        self.sweeps.of_body[slot as usize] = self.sweeps.list.len() as u32;
        self.slots.push(slot);
        self.sweeps.list.push(sweep);
        sweep
    }

    /// Stores a changed sweep in the list.
    pub(super) fn store_sweep(&mut self, bodies: &mut BodyTable, sweep: BodySweep) {
        let index = self.sweeps.of_body[sweep.slot as usize];
        let stored = &mut self.sweeps.list[index as usize];
        if sweep.moved {
            place_body(bodies, &sweep);
            // Listed once: a motion may change many times in a step.
            if !stored.moved {
                self.moved.push(index);
            }
        }
        *stored = sweep;
    }
}

impl CcdScene<'_> {
    /// Returns the next segment of a body's motion. If the segment `before` it leads through a static shape,
    /// the body stays there.
    fn stopped_by_static(
        &self,
        slot: u32,
        before: &SweepSegment,
        next: SweepSegment,
    ) -> SweepSegment {
        let mut before = SweepSegment {
            from: 0.0,
            end: next.start,
            ..*before
        };
        if !self.bodies.is_dynamic(slot) || !self.constrain_fallback_core(slot, &mut before) {
            return next;
        }
        SweepSegment::at_rest(next.from, before.end)
    }
}

/// Moves the body of a sweep to the end of its motion.
pub(super) fn place_body(bodies: &mut BodyTable, sweep: &BodySweep) {
    let index = sweep.slot as usize;
    let state = &mut bodies.states[index];
    state.delta_position = sweep.translation();
    state.delta_rotation = sweep.rotation();
    bodies.poses[index] = sweep.segment.end;
    let extent = bodies.tracks[index].max_extent;
    let travel = sweep.translation().norm() + angle_bound(sweep.rotation()) * extent;
    // The narrow phase recycles manifolds by this bound, so it must not shrink.
    bodies.moved[index] = bodies.moved[index].max(travel);
    bodies.tracks[index].slack = 0.0;
}

/// Returns a box around a shape on the motion of its body from one pose to another.
pub(super) fn swept_box(shapes: &ShapeTable, shape: u32, start: &BodyPose, end: &BodyPose) -> Aabb {
    let shape = &shapes.slots[shape];
    let at = |pose: &BodyPose| {
        let near = shape.geometry.aabb(&pose.relative_to(pose.center));
        place_box(&near, pose.center, shape.margin)
    };
    at(start).union(&at(end))
}
