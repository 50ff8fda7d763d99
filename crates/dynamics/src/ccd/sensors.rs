//! Sensors that fast bodies crossed within the step: the overlap begins and ends.
//!
//! A motion with impacts is followed segment by segment: a sensor in front of a wall is crossed, one behind
//! it is not.

use super::change::swept_box;
use super::step::{CcdStep, SweptShape};
use super::sweep::{BodySweep, BodySweeps, PastSegment, SweepView};
use super::tables::{CcdScene, CcdTables};
use crate::body::table::sweep_between;
use crate::event::Overlap;
use cairn2d_broadphase::ProxyKind;
use cairn2d_geometry::tolerance::FACE_TOLERANCE;
use cairn2d_geometry::{Shape, Sweep, ToiState, overlaps, time_of_impact};
use core::ops::ControlFlow;

impl CcdStep {
    /// Reports the sensors that swept shapes crossed, and the shapes that swept sensors crossed. The contact
    /// of the next step finds overlaps that last.
    pub(super) fn report_crossed_sensors(&mut self, tables: &mut CcdTables<'_>) {
        self.trail.sort_by_key(|past| past.slot);
        let (scene, sweeps) = (tables.scene(), &self.sweeps);
        let crossed = &mut self.crossed;
        for sweep in &sweeps.list {
            let first = self.trail.partition_point(|past| past.slot < sweep.slot);
            let trail = self.trail[first..].iter();
            let trail = trail.take_while(|past| past.slot == sweep.slot);
            for &(shape, bounds) in &self.boxes[sweep.box_range()] {
                for past in trail.clone() {
                    let bounds = swept_box(scene.shapes, shape, &past.start, &past.end);
                    scene.list_crossed(sweeps, (shape, bounds), past, crossed);
                }
                scene.list_crossed(sweeps, (shape, bounds), &last_segment(sweep), crossed);
            }
        }
        // Each pair once, though both bodies are swept or one comes back, in order of slots.
        crossed.sort_unstable();
        crossed.dedup();
        for (low, high) in crossed.drain(..) {
            for change in [Overlap::Begins, Overlap::Ends] {
                for shapes in [[low, high], [high, low]] {
                    tables
                        .events
                        .report_overlap(tables.bodies, tables.shapes, shapes, change);
                }
            }
        }
    }
}

impl CcdScene<'_> {
    /// Lists the shapes that a moving shape crosses on a segment.
    fn list_crossed(
        &self,
        sweeps: &BodySweeps,
        (shape, bounds): SweptShape,
        segment: &PastSegment,
        crossed: &mut Vec<(u32, u32)>,
    ) {
        let kinds = match self.shapes.dynamic_sensors || self.shapes.slots[shape].sensor {
            true => &ProxyKind::ALL[..],
            false => &[ProxyKind::Static, ProxyKind::Kinematic],
        };
        self.broad.query_kinds(kinds, &bounds, u64::MAX, |other| {
            if self.crosses(sweeps, [shape, other], segment) {
                crossed.push((shape.min(other), shape.max(other)));
            }
            ControlFlow::Continue(())
        });
    }

    /// Returns `true` if the first, moving shape and the second one, one of them a sensor, overlap on the
    /// segment but neither before nor after the step.
    fn crosses(&self, sweeps: &BodySweeps, shapes: [u32; 2], segment: &PastSegment) -> bool {
        let [a, b] = shapes.map(|shape| &self.shapes.slots[shape]);
        let is_sensed = (a.sensor || b.sensor) && a.body != b.body;
        if !is_sensed || !self.rules.allow(shapes[0], shapes[1]) || self.is_overlap_known(shapes) {
            return false;
        }
        let base = segment.start.center;
        let its_segment = self.segment_of(SweepView::of(sweeps), b.body);
        let sweep = sweep_between(&segment.start, &segment.end, base);
        let its_sweep = sweep_between(
            &its_segment.pose_at(segment.from),
            &its_segment.pose_at(segment.to),
            base,
        );
        if !overlap_on_the_way([&a.geometry, &b.geometry], [sweep, its_sweep]) {
            return false;
        }
        let poses = [a.body, b.body].map(|body| &self.bodies.poses[body as usize]);
        !overlaps(&a.geometry, &b.geometry, &poses[0].pose_of(poses[1]))
    }

    /// Returns `true` if the contact of two shapes overlaps since the start of the step.
    fn is_overlap_known(&self, shapes: [u32; 2]) -> bool {
        let body = self.shapes.slots[shapes[0]].body;
        let contact = self
            .contacts
            .find_pair(&self.bodies.slots[body].contacts, shapes);
        contact.is_some_and(|contact| self.contacts.slots[contact].touching)
    }
}

/// Returns `true` if two shapes that are apart at first overlap within their motions.
///
/// A time of impact ends at a gap of up to a slop. So the motion is searched from both ends in turn, each time up to half
/// the gap that is left, until the shapes overlap in the middle of what remains, or one search finds that they come no
/// nearer. Without this, a body that only comes near has events, and a second pair of them when it enters.
fn overlap_on_the_way([a, b]: [&Shape; 2], mut sweeps: [Sweep; 2]) -> bool {
    let mut is_first = true;
    loop {
        let impact = time_of_impact(a, &sweeps[0], b, &sweeps[1], 1.0);
        match impact.state {
            ToiState::Touching => {}
            // They overlap at the end of the motion, or at its start: that overlap is known already.
            ToiState::Overlapped => return !is_first,
            _ => return false,
        }
        is_first = false;
        sweeps = sweeps.map(|sweep| reversed_from(&sweep, impact.fraction));
        let middle = sweeps.map(|sweep| sweep.pose_at(0.5));
        // Two lines that cross while they are parallel overlap at one moment only, which no search finds.
        let is_near = impact.separation < FACE_TOLERANCE;
        if is_near || overlaps(a, b, &middle[0].inv_mul(&middle[1])) {
            return true;
        }
    }
}

/// Returns the motion from the fraction `from` on, backward.
fn reversed_from(sweep: &Sweep, from: f32) -> Sweep {
    Sweep {
        local_center: sweep.local_center,
        start: sweep.end,
        end: sweep.start + (sweep.end - sweep.start) * from,
        start_rotation: sweep.end_rotation,
        end_rotation: sweep.pose_at(from).rotation,
    }
}

/// Returns the remaining motion of a body.
fn last_segment(sweep: &BodySweep) -> PastSegment {
    PastSegment {
        slot: sweep.slot,
        from: sweep.segment.from,
        to: 1.0,
        start: sweep.segment.start,
        end: sweep.segment.end,
    }
}
