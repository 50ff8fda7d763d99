//! The fallback core sweep: a smaller core must not pass static shapes, without any exception.
//!
//! Contacts constrain the cores of their shapes. But internal edges remove contacts, shapes behind a support plane
//! stop nothing, and small overlaps are ignored, and a spinning body that is thrown from tile to tile within a step
//! may meet all of these in turn. So bodies with an event or a static contact are swept once more.

use super::step::CcdStep;
use super::sweep::{SweepSegment, rotation_between};
use super::tables::{CcdScene, CcdTables};
use crate::body::state::angle_bound;
use crate::body::table::sweep_between;
use crate::fat_box::place_box;
use crate::mechanisms::Mechanism;
use crate::shape::BodyShape;
use cairn2d_broadphase::ProxyKind;
use cairn2d_geometry::{Circle, Shape, Sweep, ToiState, time_of_impact};
use core::ops::ControlFlow;
use smallvec::SmallVec;

/// Radius of the fallback core as a share of the core's; the second one is used where the first overlaps a
/// shape already.
///
/// Larger: a body that slides over a bump is stopped there. Smaller: thin walls are entered deeper before.
const FALLBACK_SHARES: [f32; 2] = [0.5, 0.02];

/// Returns a circle about the center of a shape's core.
fn fallback_core(record: &BodyShape, share: f32) -> Option<Circle> {
    let core = record.core?;
    Circle::try_new(core.center(), share * core.radius()).ok()
}

impl CcdStep {
    /// Constrains the fallback cores of dynamic bodies that had an event or touched a static body at the
    /// start of the step.
    pub(super) fn constrain_fallback_cores(&mut self, tables: &mut CcdTables<'_>) {
        if !tables.ctx.uses(Mechanism::FallbackCores) {
            return;
        }
        let mut list = core::mem::take(&mut self.touching_static);
        list.extend_from_slice(&self.moved);
        list.sort_unstable();
        list.dedup();
        for &i in &list {
            let mut sweep = self.sweeps.list[i as usize];
            let touches_static = tables.bodies.slots[sweep.slot].static_touches > 0;
            if (touches_static || sweep.revision > 0)
                && tables.bodies.is_dynamic(sweep.slot)
                && tables
                    .scene()
                    .constrain_fallback_core(sweep.slot, &mut sweep.segment)
            {
                sweep.moved = true;
                self.store_sweep(tables.bodies, sweep);
            }
        }
        self.touching_static = list;
    }
}

impl CcdScene<'_> {
    /// Ends the motion of a body where the fallback core of one of its shapes meets a static shape. Returns `true` if there was
    /// an obstacle.
    pub(super) fn constrain_fallback_core(&self, slot: u32, segment: &mut SweepSegment) -> bool {
        let fraction = self.first_static_impact(slot, segment);
        if let Some(fraction) = fraction {
            segment.end_at(segment.from + (1.0 - segment.from) * fraction);
        }
        fraction.is_some()
    }

    /// Returns the fraction of its motion at which a fallback core of the body first meets a static shape.
    fn first_static_impact(&self, slot: u32, segment: &SweepSegment) -> Option<f32> {
        let travel = (segment.end.center - segment.start.center).norm();
        let turn = angle_bound(rotation_between(
            segment.start.rotation,
            segment.end.rotation,
        ));
        let sweep = segment.sweep_from(segment.from, segment.start.center);
        let mut first: Option<f32> = None;
        for &shape in &self.bodies.slots[slot].shapes {
            let record = &self.shapes.slots[shape];
            let Some(core) = fallback_core(record, FALLBACK_SHARES[0]) else {
                continue;
            };
            let reach = travel + turn * record.core_offset(&segment.end);
            if record.sensor || !record.is_enabled() || reach <= core.radius() {
                continue;
            }
            let near = self.static_shapes_near(segment, &core.into()).into_iter();
            let found =
                near.filter_map(|other| self.static_impact([shape, other], segment, &sweep));
            first = first.into_iter().chain(found).min_by(f32::total_cmp);
        }
        first
    }

    /// Lists the shapes of static bodies near the motion of a core, in order of slot.
    fn static_shapes_near(&self, segment: &SweepSegment, core: &Shape) -> SmallVec<[u32; 8]> {
        let [start, end] = [&segment.start, &segment.end].map(|pose| {
            let near = core.aabb(&pose.relative_to(pose.center));
            place_box(&near, pose.center, 0.0)
        });
        let mut near = SmallVec::new();
        let region = start.union(&end);
        self.broad
            .query_kinds(&[ProxyKind::Static], &region, u64::MAX, |other| {
                near.push(other);
                ControlFlow::Continue(())
            });
        near.sort_unstable();
        near
    }

    /// Returns the fraction of the motion at which the fallback core of the first shape meets the second one, which is static.
    fn static_impact(
        &self,
        [shape, other]: [u32; 2],
        segment: &SweepSegment,
        sweep: &Sweep,
    ) -> Option<f32> {
        let (record, target) = (&self.shapes.slots[shape], &self.shapes.slots[other]);
        // A hook or the side of a one-way shape decides about each contact: such a shape is no wall.
        let is_conditional =
            |shape: &BodyShape| shape.asks_pre_solve() || shape.material.one_way.is_some();
        if target.sensor || is_conditional(record) || is_conditional(target) {
            return None;
        }
        let pose = self.bodies.poses[target.body as usize];
        let its_sweep = sweep_between(&pose, &pose, segment.start.center);
        let impacts = FALLBACK_SHARES.into_iter().filter_map(|share| {
            let core: Shape = fallback_core(record, share)?.into();
            Some(time_of_impact(
                &target.geometry,
                &its_sweep,
                &core,
                sweep,
                1.0,
            ))
        });
        let mut impacts = impacts.filter(|impact| impact.state != ToiState::Overlapped);
        let impact = impacts.next()?;
        let stops = impact.state == ToiState::Touching
            && self.is_solid_along(other, impact.normal)
            && self.rules.allow(shape, other);
        stops.then_some(impact.fraction)
    }
}
