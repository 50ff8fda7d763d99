//! Finalization: the solver's motions become poses, and everything that follows from a body's motion in the
//! step.
//!
//! Per body: the new pose, the sleep timer, the remaining slack in its fat boxes, and whether continuous
//! collision sweeps it. Bodies are processed in blocks, by one thread or several. A block writes the records
//! of its own bodies and lists everything that concerns other records; the lists are then applied in order of
//! body slot.

use crate::bitset::{BitSet, WORD, ones};
use crate::body::state::{BodyMotion, BodyPose, BodyState};
use crate::body::table::BodyTable;
use crate::body::{Body, BodyTrack, track_flags};
use crate::ccd::{CcdInput, Travel, is_swept, may_turn_into_ground, moved_far};
use crate::contact::table::ContactTable;
use crate::fat_box::{GrownBox, ShapeBoxes, box_lead, prefetch_boxes};
use crate::id::{Slots, kind};
use crate::island::set::IslandSet;
use crate::shape::BodyShape;
use crate::shape::table::ShapeTable;
use crate::sleep::support::is_unsupported_body_at_rest;
use crate::step_context::StepContext;
use crate::tuning::{MAX_COORDINATE, TIME_TO_SLEEP};
use crate::workers::{Chunks, Selected, StepWorkers};
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::Aabb;

/// Share of the speed of a body's motion, as opposed to its velocity, that counts against sleep.
///
/// A body that is pushed out of an overlap moves without a velocity: the relax stage removes it. Smaller:
/// bodies fall asleep inside each other. Larger: the slow settling of a large pile keeps it awake.
const CREEP_SHARE: f32 = 0.5;

/// Words of the set of awake bodies in a block: 128 slots of about 50 ns.
const BLOCK_WORDS: usize = 2;

/// Body slots of a block.
const BLOCK_SLOTS: usize = BLOCK_WORDS * WORD;

/// Number of bodies by which the records for fat boxes are prefetched.
const PREFETCH_DISTANCE: usize = 3;

/// The lists of the stage, and its results for the island stage. No part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct FinalizeStage {
    /// Bodies that the solver moved in this step.
    moving: BitSet,
    /// The blocks with such bodies, ascending, and a report of each.
    places: Vec<u32>,
    blocks: Vec<BlockReport>,
    /// Islands with a body that was not slow for long enough.
    pub(crate) restless: BitSet,
    /// The island without known unity whose body has been slow longest: the one to search for pieces.
    pub(crate) split_candidate: Option<u32>,
}

/// The results of a block that concern other records than those of its bodies; each list in order of body
/// slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockReport {
    /// Bodies whose state is not finite, or which left the world.
    pub(crate) lost: Vec<u32>,
    /// Kinematic bodies that come to rest.
    pub(crate) resting: Vec<u32>,
    /// Bodies that constraints made faster than their caps.
    over_speed: Vec<u32>,
    /// Bodies that continuous collision sweeps.
    swept: Vec<u32>,
    /// Bodies that moved further than their half thickness.
    far: Vec<u32>,
    /// Swept bodies whose ends moved by rotation further than their half thickness.
    spinning: Vec<u32>,
    /// Bodies of which a shape may have left its fat box.
    due: Vec<u32>,
    grown: Vec<GrownBox>,
    /// Islands with a body that was not slow for long enough.
    restless: Vec<u32>,
    split: Option<SplitCandidate>,
}

/// An island that may be in pieces.
#[derive(Clone, Copy, Debug)]
struct SplitCandidate {
    island: u32,
    /// Time for which one of its bodies has been slow \[s\].
    slow_time: f32,
}

/// The tables of the stage.
pub(crate) struct FinalizeTables<'a> {
    pub(crate) bodies: &'a mut BodyTable,
    pub(crate) shapes: &'a mut ShapeTable,
    pub(crate) contacts: &'a ContactTable,
    pub(crate) islands: &'a IslandSet,
    pub(crate) ccd: &'a mut CcdInput,
    /// New fat boxes for the broad phase.
    pub(crate) grown: &'a mut Vec<(ProxyId, Aabb)>,
}

/// The records of a block's bodies; all slices start at the same slot.
struct BlockRecords<'a> {
    /// Slot of the first record.
    first: usize,
    poses: &'a mut [BodyPose],
    motions: &'a mut [BodyMotion],
    tracks: &'a mut [BodyTrack],
    moved: &'a mut [f32],
}

/// The records that all blocks read.
struct FinalizeScene<'a> {
    ctx: &'a StepContext<'a>,
    states: &'a [BodyState],
    bodies: &'a Slots<kind::Body, Body>,
    shapes: &'a Slots<kind::Shape, BodyShape>,
    islands: &'a IslandSet,
    /// Travel in the step above which bounce candidates are swept \[m\].
    min_bounce_travel: f32,
}

impl FinalizeStage {
    /// Stores the bodies that the solver moved. Bodies that wake after this have not moved in the step.
    pub(crate) fn begin(&mut self, bodies: &BodyTable) {
        self.moving.copy_from(&bodies.awake);
    }

    /// Writes the new poses and everything that follows from them, except that lost bodies are not yet frozen
    /// and resting ones not yet asleep: see [`BlockReport`].
    pub(crate) fn run(
        &mut self,
        ctx: &StepContext<'_>,
        workers: &StepWorkers,
        min_bounce_travel: f32,
        tables: &mut FinalizeTables<'_>,
    ) {
        self.restless.clear();
        self.restless.grow(tables.islands.slots.len());
        tables.ccd.clear();
        self.process_blocks(ctx, workers, min_bounce_travel, tables);
        self.apply_reports(ctx, tables);
    }

    /// Takes the reports for the structural edits of the world, which returns them by
    /// [`put_reports_back`](Self::put_reports_back).
    pub(crate) fn take_reports(&mut self) -> Vec<BlockReport> {
        core::mem::take(&mut self.blocks)
    }

    /// Keeps the memory of the reports for the next step.
    pub(crate) fn put_reports_back(&mut self, blocks: Vec<BlockReport>) {
        self.blocks = blocks;
    }

    fn process_blocks(
        &mut self,
        ctx: &StepContext<'_>,
        workers: &StepWorkers,
        min_bounce_travel: f32,
        tables: &mut FinalizeTables<'_>,
    ) {
        let bodies = &mut *tables.bodies;
        let scene = FinalizeScene {
            ctx,
            states: &bodies.states,
            bodies: &bodies.slots,
            shapes: &tables.shapes.slots,
            islands: tables.islands,
            min_bounce_travel,
        };
        let (moving, places) = (&self.moving, &mut self.places);
        moving.list_blocks(BLOCK_WORDS, places);
        self.blocks.resize_with(places.len(), BlockReport::default);
        let records = (
            Chunks::new(bodies.poses.write_awake(), BLOCK_SLOTS),
            Chunks::new(bodies.motions.write_awake(), BLOCK_SLOTS),
            Chunks::new(bodies.tracks.write_awake(), BLOCK_SLOTS),
            Chunks::new(bodies.moved.write_awake(), BLOCK_SLOTS),
        );
        let pieces = (
            Selected::new(records, places),
            Chunks::new(&mut self.blocks, 1),
        );
        workers.share(pieces, |index, (records, report)| {
            let (poses, motions, tracks, moved) = records;
            let block = places[index] as usize;
            let mut records = BlockRecords {
                first: block * BLOCK_SLOTS,
                poses,
                motions,
                tracks,
                moved,
            };
            let words = core::array::from_fn(|i| moving.word(block * BLOCK_WORDS + i));
            finalize_block(&words, &mut records, &scene, &mut report[0]);
        });
    }

    /// Applies the lists of the blocks to the records of shapes, islands and continuous collision.
    fn apply_reports(&mut self, ctx: &StepContext<'_>, tables: &mut FinalizeTables<'_>) {
        let mut split: Option<SplitCandidate> = None;
        for report in &self.blocks {
            for &island in &report.restless {
                self.restless.insert(island);
            }
            if let Some(candidate) = report.split
                && split.is_none_or(|longest| candidate.slow_time > longest.slow_time)
            {
                split = Some(candidate);
            }
            tables.ccd.swept.extend_from_slice(&report.swept);
            tables.shapes.store_boxes(&report.grown, tables.grown);
            for &slot in &report.over_speed {
                tables.bodies.cap_speeds(slot);
            }
        }
        self.split_candidate = split.map(|candidate| candidate.island);
        let far = self.blocks.iter().flat_map(|report| &report.far);
        tables.ccd.set_far(far.copied(), tables.bodies);
        let spinning = self.blocks.iter().flat_map(|report| &report.spinning);
        tables
            .ccd
            .set_spinning(ctx, spinning.copied(), tables.bodies, tables.contacts);
    }
}

impl BlockReport {
    fn clear(&mut self) {
        self.lost.clear();
        self.resting.clear();
        self.over_speed.clear();
        self.swept.clear();
        self.far.clear();
        self.spinning.clear();
        self.due.clear();
        self.grown.clear();
        self.restless.clear();
        self.split = None;
    }
}

impl FinalizeScene<'_> {
    /// Returns `true` if `island` may be in pieces and is due for a search.
    fn is_searchable(&self, island: u32) -> bool {
        let island = &self.islands.slots[island as usize];
        island.removed_links > 0 && island.search_from <= self.ctx.steps
    }
}

fn finalize_block(
    words: &[u64; BLOCK_WORDS],
    records: &mut BlockRecords<'_>,
    scene: &FinalizeScene<'_>,
    report: &mut BlockReport,
) {
    report.clear();
    for (word, &bits) in words.iter().enumerate() {
        for bit in ones(bits) {
            finalize_body(word * WORD + bit as usize, records, scene, report);
        }
    }
    grow_due_boxes(records, scene, report);
}

/// Finalizes the body at `place` in the block.
fn finalize_body(
    place: usize,
    records: &mut BlockRecords<'_>,
    scene: &FinalizeScene<'_>,
    report: &mut BlockReport,
) {
    let slot = (records.first + place) as u32;
    let state = &scene.states[slot as usize];
    let Some(pose) = moved_pose(&records.poses[place], state) else {
        report.lost.push(slot);
        return;
    };
    records.poses[place] = pose;
    records.motions[place].forget_forces();
    let track = &mut records.tracks[place];
    let by_rotation = state.rotation_bound() * track.max_extent;
    let travel = Travel {
        total: state.delta_position.norm() + by_rotation,
        by_rotation,
    };
    track.slack -= travel.total;
    records.moved[place] = travel.total;
    let motion = &records.motions[place];
    let (mut speed, mut spin) = (state.velocity.norm(), state.angular_velocity.abs());
    if speed > motion.max_linear_speed || spin > motion.max_angular_speed {
        report.over_speed.push(slot);
        // The speeds after the caps, which are applied after the blocks.
        speed = speed.min(motion.max_linear_speed);
        spin = spin.min(motion.max_angular_speed);
    }
    let fastest_point =
        (speed + spin * track.max_extent).max(CREEP_SHARE * travel.total / scene.ctx.dt);
    update_slow_time(track, fastest_point, scene.ctx.dt);
    report_sleep(slot, track, scene, report);
    report_travel(slot, track, travel, scene, report);
}

/// Counts the time for which the body has been slow, by the speed of its fastest point \[m/s\].
#[inline]
fn update_slow_time(track: &mut BodyTrack, fastest_point: f32, dt: f32) {
    let is_dynamic = track.flags & track_flags::DYNAMIC != 0;
    let mut is_slow = fastest_point <= if is_dynamic { track.sleep_speed } else { 0.0 };
    if track.flags & track_flags::UNSUPPORTED != 0 {
        is_slow &= is_unsupported_body_at_rest(track, fastest_point);
    }
    track.slow_time = if is_slow { track.slow_time + dt } else { 0.0 };
}

/// Lists kinematic bodies that come to rest, islands that may not sleep, and the best island to search for
/// pieces.
fn report_sleep(slot: u32, track: &BodyTrack, scene: &FinalizeScene<'_>, report: &mut BlockReport) {
    let (island, slow_time) = (track.island, track.slow_time);
    if track.flags & track_flags::DYNAMIC == 0 {
        // A kinematic body is in no island.
        if slow_time >= TIME_TO_SLEEP && track.sleep_speed >= 0.0 {
            report.resting.push(slot);
        }
    } else if slow_time < TIME_TO_SLEEP {
        if report.restless.last() != Some(&island) {
            report.restless.push(island);
        }
    } else if report.split.is_none_or(|best| slow_time > best.slow_time)
        && scene.is_searchable(island)
    {
        report.split = Some(SplitCandidate { island, slow_time });
    }
}

/// Lists the body for continuous collision, which grows the boxes of the bodies that it moves, or for a new
/// fat box.
#[inline]
fn report_travel(
    slot: u32,
    track: &BodyTrack,
    travel: Travel,
    scene: &FinalizeScene<'_>,
    report: &mut BlockReport,
) {
    let is_continuous = scene.ctx.def.continuous;
    let is_grounded = || scene.bodies[slot].static_touches > 0;
    let is_fast = is_swept(track, &travel, scene.min_bounce_travel)
        || may_turn_into_ground(track, &travel) && is_grounded();
    if is_continuous && is_fast {
        report.swept.push(slot);
        if moved_far(&scene.bodies[slot], track, travel.total) {
            report.far.push(slot);
        }
        if travel.by_rotation > track.min_extent {
            report.spinning.push(slot);
        }
    } else if track.slack <= 0.0 {
        report.due.push(slot);
    }
}

/// Tests the boxes of the bodies that may have left theirs. A loop of its own, so that the records of shapes,
/// which nothing else here reads, can be prefetched.
fn grow_due_boxes(
    records: &mut BlockRecords<'_>,
    scene: &FinalizeScene<'_>,
    report: &mut BlockReport,
) {
    for i in 0..report.due.len() {
        let next = &report.due[i..];
        prefetch_boxes(scene.bodies, scene.shapes, next, PREFETCH_DISTANCE);
        let slot = report.due[i];
        let place = slot as usize - records.first;
        let pose = &records.poses[place];
        records.tracks[place].slack = grow_boxes(slot, pose, scene, &mut report.grown);
    }
}

/// Lists new boxes for the shapes of the body in `slot` that have left theirs. Returns the distance that the
/// body may move before the next test \[m\].
fn grow_boxes(
    slot: u32,
    pose: &BodyPose,
    scene: &FinalizeScene<'_>,
    grown: &mut Vec<GrownBox>,
) -> f32 {
    let mut slack = f32::INFINITY;
    let body = &scene.bodies[slot];
    let lead = box_lead(body, scene.states[slot as usize].delta_position);
    for &index in &body.shapes {
        let shape = &scene.shapes[index];
        if shape.proxy == ProxyId::NULL {
            continue;
        }
        let fat_box = ShapeBoxes::of(shape, pose, lead, &mut slack).fat;
        if fat_box != shape.fat_box {
            grown.push(GrownBox {
                shape: index,
                proxy: shape.proxy,
                fat_box,
            });
        }
    }
    slack.max(0.0)
}

/// Returns `pose` moved by the deltas of `state`, or `None` if it or a velocity is not finite, or beyond the
/// edge of the world.
fn moved_pose(pose: &BodyPose, state: &BodyState) -> Option<BodyPose> {
    let end = state.end_of(pose);
    let (center, length) = (end.center, end.rotation.norm());
    // NaN fails each comparison.
    let is_valid = center.x.abs() <= MAX_COORDINATE
        && center.y.abs() <= MAX_COORDINATE
        && (0.5..2.0).contains(&length)
        && state.velocity.x.is_finite()
        && state.velocity.y.is_finite()
        && state.angular_velocity.is_finite();
    is_valid.then(|| BodyPose {
        rotation: end.rotation / length,
        ..end
    })
}
