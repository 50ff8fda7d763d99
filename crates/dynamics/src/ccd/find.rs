//! The search for events, first for all sweeps, then for changed ones.
//!
//! Events of a sweep with bodies without one do not depend on other sweeps: one or several workers find them,
//! block by block. Events among sweeps are found afterward.

use super::budget::Need;
use super::change::place_body;
use super::step::{CcdStep, SweptShape};
use super::sweep::{BodySweep, BodySweeps, SweepSegment, SweepView};
use super::tables::{CcdScene, CcdTables};
use super::threshold::moved_far;
use super::toi::{ToiEvent, ToiOutcome};
use crate::body::state::angle_bound;
use crate::body::track_flags;
use crate::fat_box::{GrownBox, ShapeBoxes, box_lead, prefetch_boxes};
use crate::mechanisms::Mechanism;
use crate::workers::{Chunks, StepWorkers};
use cairn2d_broadphase::{ProxyId, ProxyKind};
use cairn2d_geometry::math::Vec2;
use core::ops::ControlFlow;

/// Sweeps of a block, of some 300 ns each.
const SWEEPS_PER_BLOCK: usize = 32;

/// Sweeps between the one at hand and the one whose records are prefetched.
const SWEEPS_AHEAD: usize = 2;

/// Sweeps against dynamic bodies up to which all other sweeps are searched linearly: a tree over them costs
/// more.
const MAX_LINEAR_SEARCH: usize = 32;

/// Events and swept boxes of a block of sweeps, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct SweepBlock {
    boxes: Vec<SweptShape>,
    grown: Vec<GrownBox>,
    events: Vec<ToiEvent>,
    /// Bodies without a sweep that a shape enters, and the shifts of their ends [m].
    entered: Vec<(u32, Vec2)>,
    /// Shapes near the motion of the shape at hand.
    near: Vec<u32>,
    /// Slots of bodies that are swept against dynamic bodies.
    against_dynamic: Vec<u32>,
    /// Places in the block of sweeps of bodies that touch a static body.
    touching_static: Vec<u32>,
    tested: usize,
}

impl SweepBlock {
    fn clear(&mut self) {
        self.boxes.clear();
        self.grown.clear();
        self.events.clear();
        self.entered.clear();
        self.against_dynamic.clear();
        self.touching_static.clear();
        self.tested = 0;
    }
}

impl CcdScene<'_> {
    fn begin_block(
        &self,
        sweeps: &BodySweeps,
        slots: &[u32],
        list: &mut [BodySweep],
        block: &mut SweepBlock,
    ) {
        block.clear();
        for (place, (&slot, sweep)) in slots.iter().zip(list).enumerate() {
            prefetch_boxes(
                &self.bodies.slots,
                &self.shapes.slots,
                &slots[place..],
                SWEEPS_AHEAD,
            );
            let end = self.bodies.poses[slot as usize];
            let segment = SweepSegment::of_step(&self.bodies.states[slot as usize], end);
            *sweep = BodySweep::of_step(slot, segment);
            if self.bodies.is_dynamic(slot) {
                self.constrain_cores(sweeps, sweep);
            }
            if self.bodies.slots[slot].static_touches > 0 {
                block.touching_static.push(place as u32);
            }
            self.list_boxes(sweep, block);
            self.find_among_unswept(sweeps, sweep, block);
        }
    }

    /// Lists the boxes around the motion of the body's shapes, and the fat boxes that their shapes have left.
    fn list_boxes(&self, sweep: &mut BodySweep, block: &mut SweepBlock) {
        let first = block.boxes.len();
        let mut slack = f32::INFINITY;
        let body = &self.bodies.slots[sweep.slot];
        let translation = sweep.translation();
        let lead = box_lead(body, translation);
        let extent = self.bodies.tracks[sweep.slot as usize].max_extent;
        let turned = extent * angle_bound(sweep.rotation());
        for &shape in &body.shapes {
            let record = &self.shapes.slots[shape];
            if record.proxy == ProxyId::NULL {
                continue;
            }
            let boxes = ShapeBoxes::of(record, &sweep.segment.end, lead, &mut slack);
            let bounds = boxes.swept(translation, turned.max(record.margin));
            block.boxes.push((shape, bounds));
            if boxes.fat != record.fat_box {
                block.grown.push(GrownBox {
                    shape,
                    proxy: record.proxy,
                    fat_box: boxes.fat,
                });
            }
        }
        sweep.slack = slack.max(0.0);
        sweep.boxes = (first as u32, (block.boxes.len() - first) as u32);
    }

    /// Finds the events of a sweep with bodies without one.
    fn find_among_unswept(
        &self,
        sweeps: &BodySweeps,
        sweep: &mut BodySweep,
        block: &mut SweepBlock,
    ) {
        let against_dynamic = self.is_swept_against_dynamic(sweep.slot);
        if against_dynamic && !sweep.against_dynamic {
            sweep.against_dynamic = true;
            block.against_dynamic.push(sweep.slot);
        }
        let kinds = self.obstacle_kinds(sweep, against_dynamic);
        let mut near = core::mem::take(&mut block.near);
        let mut limit = 1.0;
        for place in sweep.box_range() {
            let (shape, bounds) = block.boxes[place];
            near.clear();
            self.broad.query_kinds(kinds, &bounds, u64::MAX, |other| {
                if !sweeps.has(self.shapes.slots[other].body) {
                    near.push(other);
                }
                ControlFlow::Continue(())
            });
            // A shallow impact shifts the motion that is tested next, so the order must not be that of the
            // tree.
            near.sort_unstable();
            for &other in &near {
                self.test_unswept(sweeps, sweep, [shape, other], &mut limit, block);
            }
        }
        block.near = near;
    }

    fn test_unswept(
        &self,
        sweeps: &BodySweeps,
        sweep: &mut BodySweep,
        shapes: [u32; 2],
        limit: &mut f32,
        block: &mut SweepBlock,
    ) {
        let view = SweepView {
            sweeps,
            own: Some(sweep),
        };
        match self.test_pair(view, shapes, *limit, &mut block.tested) {
            ToiOutcome::Nothing => {}
            // Sliding into a wedge from both sides at once, the body would be wedged: it stops at the second side.
            ToiOutcome::Event(event) if sweep.slides && event.bodies[0] == sweep.slot => {
                sweep.stop();
            }
            ToiOutcome::Event(event) => {
                if event.bodies[0] == sweep.slot && self.is_final(&event) {
                    *limit = limit.min(event.fraction);
                }
                block.events.push(event);
            }
            ToiOutcome::Shallow(bodies, shifts) => {
                for (body, shift) in bodies.into_iter().zip(shifts) {
                    let Some(shift) = shift else { continue };
                    if body != sweep.slot {
                        block.entered.push((body, shift));
                    } else if sweep.slides {
                        sweep.stop();
                    } else {
                        sweep.shift(shift);
                    }
                }
            }
        }
    }

    /// Returns `true` if later events of the first body need not be known: it stops at this event, and the
    /// second body, which has no sweep, moves on unchanged.
    fn is_final(&self, event: &ToiEvent) -> bool {
        !self.bodies.is_dynamic(event.bodies[1]) && !self.is_substep_pair(event.shapes)
    }

    /// Returns the kinds of bodies that a body is swept against.
    fn obstacle_kinds(&self, sweep: &BodySweep, against_dynamic: bool) -> &'static [ProxyKind] {
        if !self.bodies.is_dynamic(sweep.slot) {
            return &[ProxyKind::Dynamic];
        }
        let is_stopped = sweep.revision > 0 && sweep.segment.is_at_rest();
        match (against_dynamic, is_stopped) {
            (true, true) => &[ProxyKind::Kinematic, ProxyKind::Dynamic],
            (true, false) => &ProxyKind::ALL,
            (false, true) => &[ProxyKind::Kinematic],
            (false, false) => &[ProxyKind::Static, ProxyKind::Kinematic],
        }
    }

    /// Returns `true` if the body in `slot`, which has a sweep, is swept against dynamic bodies, which are
    /// many.
    ///
    /// Two bodies that both moved by less than their half thickness do not pass through each other.
    fn is_swept_against_dynamic(&self, slot: u32) -> bool {
        let track = &self.bodies.tracks[slot as usize];
        let moved = self.bodies.moved[slot as usize];
        let always = track_flags::BULLET
            | track_flags::SUBSTEP
            | track_flags::BOUNCE_CANDIDATE
            | track_flags::HAS_DEFERRED_CONTACTS;
        track.flags & track_flags::DYNAMIC == 0
            || track.flags & always != 0
            || self.ctx.uses(Mechanism::DynamicSweeps)
                && moved_far(&self.bodies.slots[slot], track, moved)
                && Need::of_travel(self.bodies, slot)
                    .order(&self.input.least_far)
                    .is_le()
    }
}

impl CcdStep {
    /// Begins the sweeps of the bodies in `slots`, and finds their events with bodies without a sweep.
    pub(super) fn begin_sweeps(&mut self, tables: &mut CcdTables<'_>, workers: &StepWorkers) {
        let slots = &self.slots;
        let mut list = core::mem::take(&mut self.sweeps.list);
        list.resize(slots.len(), BodySweep::NONE);
        let count = slots.len().div_ceil(SWEEPS_PER_BLOCK);
        if self.blocks.len() < count {
            self.blocks.resize_with(count, SweepBlock::default);
        }
        let (scene, sweeps) = (tables.scene(), &self.sweeps);
        let pieces = (
            Chunks::new(&mut list, SWEEPS_PER_BLOCK),
            Chunks::new(&mut self.blocks[..count], 1),
        );
        workers.share(pieces, |index, (list, block)| {
            let slots = &slots[index * SWEEPS_PER_BLOCK..][..list.len()];
            scene.begin_block(sweeps, slots, list, &mut block[0]);
        });
        self.sweeps.list = list;
        self.merge_blocks(tables, count);
    }

    /// Stores the results of the blocks, in the order of the sweeps.
    fn merge_blocks(&mut self, tables: &mut CcdTables<'_>, count: usize) {
        let lists = self.sweeps.list.chunks_mut(SWEEPS_PER_BLOCK);
        for (i, (list, block)) in lists.zip(&self.blocks[..count]).enumerate() {
            let first_sweep = (i * SWEEPS_PER_BLOCK) as u32;
            let first_box = self.boxes.len() as u32;
            for (sweep, index) in list.iter_mut().zip(first_sweep..) {
                sweep.boxes.0 += first_box;
                tables.bodies.tracks[sweep.slot as usize].slack = sweep.slack;
                if sweep.moved {
                    place_body(tables.bodies, sweep);
                    self.moved.push(index);
                }
            }
            let touching = block.touching_static.iter();
            self.touching_static
                .extend(touching.map(|place| first_sweep + place));
            self.boxes.extend_from_slice(&block.boxes);
            self.events.extend(block.events.iter().copied());
            self.entered.extend_from_slice(&block.entered);
            self.against_dynamic
                .extend_from_slice(&block.against_dynamic);
            tables.shapes.store_boxes(&block.grown, tables.grown);
            tables.counters.impacts_tested += block.tested;
        }
        let entered = core::mem::take(&mut self.entered);
        for &(body, shift) in &entered {
            self.shift_sweep(tables, body, shift);
        }
        self.entered = entered;
    }

    /// Finds the events among sweeps.
    pub(super) fn find_among_sweeps(&mut self, tables: &mut CcdTables<'_>) {
        if self.sweeps.list.len() > 1 && self.against_dynamic.len() > MAX_LINEAR_SEARCH {
            let boxes = &self.boxes;
            self.tree.build(boxes.len(), |i| boxes[i as usize].1);
        }
        let list = core::mem::take(&mut self.against_dynamic);
        for &slot in &list {
            // If both bodies are swept against dynamic ones, the first tests the pair.
            self.find_with_sweeps(tables, slot, |scene, other| {
                other > slot || !scene.is_swept_against_dynamic(other)
            });
        }
        self.against_dynamic = list;
    }

    /// Finds the events of the sweep of `body` with those of other bodies that `accepts` allows.
    fn find_with_sweeps(
        &mut self,
        tables: &mut CcdTables<'_>,
        body: u32,
        accepts: impl Fn(&CcdScene<'_>, u32) -> bool,
    ) {
        let Some(range) = self.sweeps.of(body).map(BodySweep::box_range) else {
            return;
        };
        let mut near = core::mem::take(&mut self.near);
        for place in range {
            let (shape, bounds) = self.boxes[place];
            near.clear();
            self.tree.query(&bounds, &mut near);
            // Boxes without a leaf: all, if there is no tree, or those of sweeps that began within the step.
            for i in self.tree.len()..self.boxes.len() {
                if bounds.overlaps(&self.boxes[i].1) {
                    near.push(i as u32);
                }
            }
            for &i in &near {
                let (other, its_bounds) = self.boxes[i as usize];
                let its_body = tables.shapes.slots[other].body;
                if its_body != body
                    && bounds.overlaps(&its_bounds)
                    && accepts(&tables.scene(), its_body)
                {
                    self.test_sweeps(tables, [shape, other]);
                }
            }
        }
        self.near = near;
    }

    /// Finds the events of the sweep of `body` with those against dynamic bodies.
    fn find_with_listed(&mut self, tables: &mut CcdTables<'_>, body: u32) {
        let Some(range) = self.sweeps.of(body).map(BodySweep::box_range) else {
            return;
        };
        for i in 0..self.against_dynamic.len() {
            let its_range = match self.sweeps.of(self.against_dynamic[i]) {
                Some(its) if its.slot != body => its.box_range(),
                _ => continue,
            };
            for place in range.clone() {
                for its_place in its_range.clone() {
                    let (shape, bounds) = self.boxes[place];
                    let (other, its_bounds) = self.boxes[its_place];
                    if bounds.overlaps(&its_bounds) {
                        self.test_sweeps(tables, [shape, other]);
                    }
                }
            }
        }
    }

    /// Tests two shapes of swept bodies.
    fn test_sweeps(&mut self, tables: &mut CcdTables<'_>, shapes: [u32; 2]) {
        let mut tested = 0;
        let view = SweepView::of(&self.sweeps);
        let outcome = tables.scene().test_pair(view, shapes, 1.0, &mut tested);
        tables.counters.impacts_tested += tested;
        match outcome {
            ToiOutcome::Nothing => {}
            ToiOutcome::Event(event) => self.events.push(event),
            ToiOutcome::Shallow(bodies, shifts) => {
                for (body, shift) in bodies.into_iter().zip(shifts) {
                    if let Some(shift) = shift {
                        self.shift_sweep(tables, body, shift);
                    }
                }
            }
        }
    }

    /// Finds the events of a body again after its motion was changed.
    pub(super) fn find_again(&mut self, tables: &mut CcdTables<'_>, body: u32) {
        let Some(&sweep) = self.sweeps.of(body) else {
            return;
        };
        if !sweep.is_active() {
            return;
        }
        self.find_among_unswept_again(tables, sweep);
        if tables.scene().is_swept_against_dynamic(body) {
            self.find_with_sweeps(tables, body, |_, _| true);
        } else if self.against_dynamic.len() <= MAX_LINEAR_SEARCH {
            self.find_with_listed(tables, body);
        } else {
            self.find_with_sweeps(tables, body, |scene, other| {
                scene.is_swept_against_dynamic(other)
            });
        }
        self.limit_stale_events();
    }

    fn find_among_unswept_again(&mut self, tables: &mut CcdTables<'_>, mut sweep: BodySweep) {
        let mut block = core::mem::take(&mut self.retry);
        block.clear();
        let boxes = sweep.boxes;
        block
            .boxes
            .extend_from_slice(&self.boxes[sweep.box_range()]);
        sweep.boxes.0 = 0;
        tables
            .scene()
            .find_among_unswept(&self.sweeps, &mut sweep, &mut block);
        sweep.boxes = boxes;
        tables.counters.impacts_tested += block.tested;
        self.events.extend(block.events.iter().copied());
        // An impact may make a body one that is swept against dynamic bodies.
        self.against_dynamic
            .extend_from_slice(&block.against_dynamic);
        self.store_sweep(tables.bodies, sweep);
        for &(body, shift) in &block.entered {
            self.shift_sweep(tables, body, shift);
        }
        self.retry = block;
    }
}
