//! The stage: sweeps begin, their events are resolved in order of time, and their results are stored.

use super::box_tree::BoxTree;
use super::budget::{ImpactWork, MAX_BODY_IMPACTS};
use super::find::SweepBlock;
use super::sweep::{BodySweep, BodySweeps, NO_SWEEP, PastSegment};
use super::tables::{CcdScene, CcdTables};
use super::toi::ToiEvent;
use crate::body::state::BodyState;
use crate::contact::constraint::ContactConstraint;
use crate::event::ContactHit;
use crate::fat_box::ShapeBoxes;
use crate::workers::StepWorkers;
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::Vec2;
use std::collections::BinaryHeap;

/// A shape of a swept body, and a box around its motion.
pub(super) type SweptShape = (u32, Aabb);

/// The sweeps and events of a step. Memory only: no state of the simulation.
#[derive(Clone, Debug, Default)]
pub(crate) struct CcdStep {
    /// Slots of the swept bodies in the order of their sweeps: ascending, then of sweeps that began within
    /// the step.
    pub(super) slots: Vec<u32>,
    pub(super) sweeps: BodySweeps,
    /// Indices of sweeps that end at another pose than that of the substeps, in no order: the sweeps whose
    /// `moved` is set.
    pub(super) moved: Vec<u32>,
    /// Indices, ascending, of sweeps of bodies that touched a static body at the start of the step.
    pub(super) touching_static: Vec<u32>,
    /// Boxes around the shapes of each sweep.
    pub(super) boxes: Vec<SweptShape>,
    /// Tree over the boxes of the first sweeps, if many are swept against dynamic bodies.
    pub(super) tree: BoxTree,
    /// Events to resolve, some of them stale.
    pub(super) events: BinaryHeap<ToiEvent>,
    /// Length of the heap from which on its stale events are removed.
    event_limit: usize,
    pub(super) blocks: Vec<SweepBlock>,
    /// Results for the sweep that was changed last.
    pub(super) retry: SweepBlock,
    /// Bodies without a sweep that a shape enters, and the shifts of their ends [m].
    pub(super) entered: Vec<(u32, Vec2)>,
    pub(super) near: Vec<u32>,
    /// Slots of bodies that are swept against dynamic bodies.
    pub(super) against_dynamic: Vec<u32>,
    pub(super) group: ImpactGroup,
    pub(super) work: ImpactWork,
    /// Impacts of shapes that did not touch at the start of the step, in the end one for each pair in
    /// ascending order.
    pub(super) new_impacts: Vec<([u32; 2], ContactHit)>,
    /// Segments that ended with an impact, in order of time, if there are sensors.
    pub(super) trail: Vec<PastSegment>,
    /// Pairs of shapes, one of them a sensor, that overlapped within the step only.
    pub(super) crossed: Vec<(u32, u32)>,
}

/// An impact and the bodies, contacts and joints that it is propagated to.
#[derive(Clone, Debug, Default)]
pub(super) struct ImpactGroup {
    /// Simultaneous events.
    pub(super) events: Vec<ToiEvent>,
    /// Dynamic bodies, first those of the events.
    pub(super) bodies: Vec<u32>,
    /// Kinematic bodies of the events, contacts and joints; an impact changes nothing about them.
    pub(super) kinematic: Vec<u32>,
    /// States of the dynamic bodies before the impact, then of the kinematic ones.
    pub(super) before: Vec<BodyState>,
    /// Bodies whose velocity has changed.
    pub(super) changed: Vec<u32>,
    pub(super) contacts: Vec<u32>,
    pub(super) joints: Vec<u32>,
    /// Constraints of the events, then of the contacts.
    pub(super) constraints: Vec<ContactConstraint>,
}

impl CcdStep {
    /// Begins the sweeps of the bodies in the input and finds all their events.
    pub(crate) fn begin(&mut self, tables: &mut CcdTables<'_>, workers: &StepWorkers) {
        self.clear(tables.bodies.states.len());
        self.slots.extend_from_slice(&tables.input.swept);
        for (index, &slot) in self.slots.iter().enumerate() {
            debug_assert!(!tables.bodies.slots[slot].disabled);
            self.sweeps.of_body[slot as usize] = index as u32;
        }
        self.begin_sweeps(tables, workers);
        self.find_among_sweeps(tables);
        self.set_event_limit();
    }

    /// Resolves events up to the next impact that is solved at its time. Returns the fraction of the step of
    /// the impact.
    ///
    /// The caller must wake [`impact_bodies`](Self::impact_bodies) and call
    /// [`solve_impact`](Self::solve_impact).
    pub(crate) fn next_impact(&mut self, tables: &mut CcdTables<'_>) -> Option<f32> {
        while let Some(event) = self.take_first() {
            let scene = tables.scene();
            // Only the contact of the next step calls the user's hook.
            let has_hook = |&shape: &u32| scene.shapes.slots[shape].asks_pre_solve();
            let is_substep =
                !event.shapes.iter().any(has_hook) && scene.is_substep_pair(event.shapes);
            if is_substep && !self.is_exhausted(&scene, &event) && !event.is_uncertain {
                let at = self.begin_impact(tables, &event);
                if at.is_some() {
                    return at;
                }
            } else {
                tables.counters.impacts += 1;
                tables.counters.impacts_cut += usize::from(is_substep);
                self.clamp(tables, &event);
            }
        }
        None
    }

    /// Returns `true` if no more impacts of the event's bodies are solved at their time in this step.
    fn is_exhausted(&self, scene: &CcdScene<'_>, event: &ToiEvent) -> bool {
        let has_too_many = |&body: &u32| {
            self.sweeps
                .of(body)
                .is_some_and(|sweep| sweep.impacts >= MAX_BODY_IMPACTS)
        };
        event.bodies.iter().any(has_too_many)
            || self.work.is_exhausted() && !scene.requests_substep(event.bodies)
    }

    /// Ends the sweeps: updates boxes, and reports sensors and impacts.
    pub(crate) fn finish(&mut self, tables: &mut CcdTables<'_>) {
        self.constrain_fallback_cores(tables);
        self.moved.sort_unstable();
        debug_assert!(
            self.moved.is_sorted_by(|a, b| a < b),
            "a sweep listed twice"
        );
        for &index in &self.moved {
            enlarge_boxes(tables, &self.sweeps.list[index as usize]);
        }
        for &slot in &self.slots {
            self.sweeps.of_body[slot as usize] = NO_SWEEP;
        }
        if tables.shapes.sensors > 0 {
            self.report_crossed_sensors(tables);
        }
        self.report_new_impacts(tables);
    }

    /// Removes and returns the impacts of shapes that did not touch at the start of the step, with the slots
    /// of the shapes.
    pub(crate) fn drain_new_impacts(&mut self) -> impl Iterator<Item = ([u32; 2], ContactHit)> {
        self.new_impacts.drain(..)
    }

    fn clear(&mut self, bodies: usize) {
        self.sweeps.of_body.resize(bodies, NO_SWEEP);
        self.slots.clear();
        self.moved.clear();
        self.touching_static.clear();
        self.boxes.clear();
        self.tree.clear();
        self.events.clear();
        self.entered.clear();
        self.against_dynamic.clear();
        self.trail.clear();
        self.work = ImpactWork::default();
        self.new_impacts.clear();
    }

    /// Removes and returns the earliest event that is not stale.
    pub(super) fn take_first(&mut self) -> Option<ToiEvent> {
        while let Some(event) = self.events.pop() {
            if is_current(&self.sweeps, &event) {
                return Some(event);
            }
        }
        None
    }

    /// Removes the stale events if the heap has doubled since they were removed last.
    ///
    /// In a crowded step each change of a motion adds a dozen events and makes as many stale: without this, nine
    /// of ten events were stale.
    pub(super) fn limit_stale_events(&mut self) {
        if self.events.len() >= self.event_limit {
            let sweeps = &self.sweeps;
            self.events.retain(|event| is_current(sweeps, event));
            self.set_event_limit();
        }
    }

    fn set_event_limit(&mut self) {
        self.event_limit = (2 * self.events.len()).max(MIN_EVENT_LIMIT);
    }
}

/// Length up to which the heap keeps its stale events: 5 kB, less than the sweeps of a crowded step.
const MIN_EVENT_LIMIT: usize = 128;

/// Returns `true` if no motion of the event's bodies has changed since it was found.
fn is_current(sweeps: &BodySweeps, event: &ToiEvent) -> bool {
    event.bodies.map(|body| sweeps.revision_of(body)) == event.revisions
}

/// Enlarges the fat boxes that the shapes of a sweep have left at its end.
fn enlarge_boxes(tables: &mut CcdTables<'_>, sweep: &BodySweep) {
    let mut slack = f32::INFINITY;
    for &shape in &tables.bodies.slots[sweep.slot].shapes {
        let record = &mut tables.shapes.slots[shape];
        if record.proxy == ProxyId::NULL {
            continue;
        }
        let fat_box = ShapeBoxes::of(record, &sweep.segment.end, Vec2::zeros(), &mut slack).fat;
        if fat_box != record.fat_box {
            record.fat_box = fat_box;
            tables.grown.push((record.proxy, fat_box));
        }
    }
    tables.bodies.tracks[sweep.slot as usize].slack = slack.max(0.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an event of the body in slot 0 at the given revision of its sweep, with a static body in slot 1.
    fn event_at(fraction: f32, revision: u32) -> ToiEvent {
        ToiEvent {
            fraction,
            shapes: [0, 1],
            bodies: [0, 1],
            normal: None,
            revisions: [revision, 0],
            is_uncertain: false,
            is_exact: true,
        }
    }

    #[test]
    fn stale_events_are_at_most_half_of_the_heap_and_current_ones_stay_in_order() {
        const CURRENT: u32 = 10;
        let mut step = CcdStep::default();
        step.sweeps.of_body = vec![0, NO_SWEEP];
        step.sweeps.list = vec![BodySweep::NONE];
        step.set_event_limit();
        for revision in 1..1000 {
            step.sweeps.list[0].revision = revision;
            for i in 0..CURRENT {
                step.events.push(event_at(1.0 / (1 + i) as f32, revision));
            }
            step.limit_stale_events();
            let len = step.events.len();
            assert!(len <= MIN_EVENT_LIMIT.max(2 * CURRENT as usize), "{len}");
        }
        let taken = core::iter::from_fn(|| step.take_first()).map(|event| event.fraction);
        let expected = (0..CURRENT).rev().map(|i| 1.0 / (1 + i) as f32);
        assert!(taken.eq(expected));
    }
}
