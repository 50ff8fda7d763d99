//! Stage 5 of the step: poses from deltas, sleep timers, boxes that their shapes have left, and who
//! moved too fast.
//!
//! Bodies are worked through in blocks, by one thread or several: a block writes the records of its own bodies and
//! lists what else there is to do. The lists are then worked off in order of body slot.

use crate::bitset::{WORD, ones};
use crate::body::filtered_velocity::{FilteredVelocity, MAX_JITTER};
use crate::body::state::{BodyMotion, BodyPose, BodyState};
use crate::body::{Body, BodyTrack, grid, track_flags};
use crate::ccd::{self, is_swept};
use crate::fat_box::{GrownBox, ShapeBoxes, box_lead, prefetch_boxes};
use crate::id::{Slots, kind};
use crate::island::set::IslandSet;
use crate::shape::BodyShape;
use crate::sleep::support::is_unsupported_body_at_rest;
use crate::tuning::{MAX_COORDINATE, TIME_TO_SLEEP};
use crate::workers::{Chunks, StepWorkers};
use crate::world::World;
use crate::world_def::Switch;
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::math::Vec2;

/// Share of the speed at which a body really moved that counts against sleep.
///
/// A body that is pushed out of an overlap moves without a velocity: the relax pass takes it away.
/// Without this, things fall asleep in each other. Larger: the slow settling of a large pile keeps it
/// awake.
const CREEP_SHARE: f32 = 0.5;

/// Words of the set of awake bodies that a block has: 128 slots, of some 50 ns.
const BLOCK: usize = 2;

/// Body slots of a block.
const LEN: usize = BLOCK * WORD;

/// What is to be done after a block, each list in order of body slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    /// Bodies whose state is not finite, or which left the world.
    lost: Vec<u32>,
    /// Kinematic bodies that come to rest.
    resting: Vec<u32>,
    /// Bodies that constraints have made faster than their caps.
    speeding: Vec<u32>,
    /// Bodies that moved too fast to be left unswept.
    fast: Vec<u32>,
    /// How many of these moved further than their half thickness.
    far: usize,
    /// Those of them that spun so fast that their ends moved further than that.
    spinning: Vec<u32>,
    /// Bodies of which a shape may have left its box.
    due: Vec<u32>,
    grown: Vec<GrownBox>,
    /// Islands with a body that was not slow for long enough.
    restless: Vec<u32>,
    /// Wounded island whose body has been slow longest, and for how long [s].
    split: Option<(u32, f32)>,
}

impl Findings {
    fn clear(&mut self) {
        self.lost.clear();
        self.resting.clear();
        self.speeding.clear();
        self.fast.clear();
        self.far = 0;
        self.spinning.clear();
        self.due.clear();
        self.grown.clear();
        self.restless.clear();
        self.split = None;
    }
}

/// What is written of the bodies of a block; all slices start at the same slot.
struct Records<'a> {
    poses: &'a mut [BodyPose],
    motions: &'a mut [BodyMotion],
    tracks: &'a mut [BodyTrack],
    moved: &'a mut [f32],
    filtered_velocities: &'a mut [FilteredVelocity],
}

/// What all blocks read.
struct Scene<'a> {
    dt: f32,
    /// Number of this step.
    step: u64,
    states: &'a [BodyState],
    bodies: &'a Slots<kind::Body, Body>,
    shapes: &'a Slots<kind::Shape, BodyShape>,
    islands: &'a IslandSet,
    continuous: Switch,
    /// Travel above which bounce candidates are swept [m].
    least_way: f32,
}

impl Scene<'_> {
    /// Says whether `island` may be in pieces, and it is time to look.
    fn is_searchable(&self, island: u32) -> bool {
        let island = &self.islands.slots[island as usize];
        island.removed_links > 0 && island.search_from <= self.step
    }
}

impl World {
    /// Writes the new poses and all that follows from them.
    pub(crate) fn finalize(&mut self, workers: &StepWorkers, dt: f32) {
        self.scratch.restless.clear();
        self.scratch.restless.grow(self.islands.slots.len());
        self.scratch.split_candidate = None;
        self.scratch.ccd_input.clear();
        self.scratch.moving.copy_from(&self.bodies.awake);
        let awake = core::mem::take(&mut self.scratch.awake);
        self.keep_carried_awake(&awake);
        self.scratch.awake = awake;
        let mut findings = core::mem::take(&mut self.scratch.findings);
        self.finalize_blocks(workers, dt, &mut findings);
        self.take_findings(&findings);
        self.scratch.findings = findings;
    }

    fn finalize_blocks(&mut self, workers: &StepWorkers, dt: f32, findings: &mut Vec<Findings>) {
        let least_way = ccd::min_swept_travel(&self.def, dt);
        let bodies = &mut self.bodies;
        let scene = Scene {
            dt,
            step: self.steps,
            states: &bodies.states,
            bodies: &bodies.slots,
            shapes: &self.shapes.slots,
            islands: &self.islands,
            continuous: self.def.continuous,
            least_way,
        };
        let words = self.scratch.moving.words();
        findings.resize_with(words.len().div_ceil(BLOCK), Findings::default);
        let pieces = (
            Chunks::new(&mut bodies.poses, LEN),
            Chunks::new(&mut bodies.motions, LEN),
            Chunks::new(&mut bodies.tracks, LEN),
            (
                Chunks::new(&mut bodies.moved, LEN),
                Chunks::new(&mut bodies.filtered_velocities, LEN),
            ),
            Chunks::new(findings, 1),
        );
        workers.share(
            pieces,
            |block, (poses, motions, tracks, (moved, filtered_velocities), found)| {
                let records = Records {
                    poses,
                    motions,
                    tracks,
                    moved,
                    filtered_velocities,
                };
                let end = (block * BLOCK + BLOCK).min(words.len());
                let words = &words[block * BLOCK..end];
                finalize_block(block * LEN, words, records, &scene, &mut found[0]);
            },
        );
    }

    /// Does what the blocks could not do by themselves, in order of body slot.
    fn take_findings(&mut self, findings: &[Findings]) {
        let mut split: Option<(u32, f32)> = None;
        for found in findings {
            for &island in &found.restless {
                self.scratch.restless.insert(island);
            }
            if let Some((island, time)) = found.split
                && split.is_none_or(|(_, longest)| time > longest)
            {
                split = Some((island, time));
            }
            self.scratch.ccd_input.swept.extend_from_slice(&found.fast);
            self.scratch.ccd_input.far += found.far;
            self.shapes
                .store_boxes(&found.grown, &mut self.scratch.grown);
            for &slot in &found.speeding {
                self.bodies.cap_speeds(slot);
            }
        }
        self.scratch.split_candidate = split.map(|(island, _)| island);
        let spinning = findings.iter().flat_map(|found| &found.spinning);
        self.scratch
            .ccd_input
            .set_spinning(spinning.copied(), &self.bodies, &self.contacts);
        for found in findings {
            for &slot in &found.lost {
                self.freeze(slot);
            }
            if self.def.sleeping == Switch::On {
                for &slot in &found.resting {
                    self.rest_kinematic(slot);
                }
            }
        }
    }

    /// Keeps awake, or wakes, what touches or hangs on a kinematic body that moves, however slowly: it
    /// is carried.
    fn keep_carried_awake(&mut self, awake: &[u32]) {
        for &slot in awake {
            if self.bodies.tracks[slot as usize].flags & track_flags::DYNAMIC != 0 {
                continue;
            }
            let state = &self.bodies.states[slot as usize];
            if state.velocity == Vec2::zeros() && state.angular_velocity == 0.0 {
                continue;
            }
            self.wake_neighbours(slot);
        }
    }
}

/// Finalizes the bodies of a block, whose first slot is `first`.
fn finalize_block(
    first: usize,
    words: &[u64],
    mut records: Records<'_>,
    scene: &Scene<'_>,
    found: &mut Findings,
) {
    found.clear();
    for (word, &bits) in words.iter().enumerate() {
        for bit in ones(bits) {
            finalize_body(
                first,
                word * WORD + bit as usize,
                &mut records,
                scene,
                found,
            );
        }
    }
    grow_due_boxes(first, &mut records, scene, found);
}

fn finalize_body(
    first: usize,
    place: usize,
    records: &mut Records<'_>,
    scene: &Scene<'_>,
    found: &mut Findings,
) {
    let slot = (first + place) as u32;
    let state = &scene.states[slot as usize];
    let Some(pose) = moved_pose(&records.poses[place], state) else {
        found.lost.push(slot);
        return;
    };
    records.poses[place] = pose;
    let motion = &mut records.motions[place];
    motion.forget_forces();
    let (speed, spin) = (state.velocity.norm(), state.angular_velocity.abs());
    if speed > motion.max_linear_speed || spin > motion.max_angular_speed {
        found.speeding.push(slot);
    }
    let speed = speed.min(motion.max_linear_speed);
    let spin = spin.min(motion.max_angular_speed);
    let track = &mut records.tracks[place];
    let swept = state.rotation_bound() * track.max_extent;
    let travel = state.delta_position.norm() + swept;
    track.slack -= travel;
    records.moved[place] = travel;
    let fastest_point = (speed + spin * track.max_extent).max(CREEP_SHARE * travel / scene.dt);
    let mut rests = if track.flags & track_flags::DYNAMIC == 0 {
        fastest_point <= 0.0
    } else {
        fastest_point <= track.sleep_speed
            || fastest_point <= MAX_JITTER * track.sleep_speed && {
                let filtered =
                    records.filtered_velocities[place].update(state, scene.dt, track.max_extent);
                filtered <= track.sleep_speed && leans_on_something(&scene.bodies[slot])
            }
    };
    if track.flags & track_flags::UNSUPPORTED != 0 {
        rests &= is_unsupported_body_at_rest(track, fastest_point);
    }
    track.slow_time = if rests {
        track.slow_time + scene.dt
    } else {
        0.0
    };
    note_sleep(slot, track, scene, found);
    if scene.continuous == Switch::On && is_swept(track, travel, scene.least_way) {
        found.fast.push(slot);
        found.far += usize::from(travel > track.min_extent);
        if swept > track.min_extent {
            found.spinning.push(slot);
        }
    } else if track.slack <= 0.0 {
        found.due.push(slot);
    }
}

/// How many bodies ahead records are asked for.
const BODIES_AHEAD: usize = 3;

/// Looks at the boxes of the bodies that may have left theirs: apart from all else, so that the records, which nothing else
/// here needs, can be asked for before.
fn grow_due_boxes(
    first: usize,
    records: &mut Records<'_>,
    scene: &Scene<'_>,
    found: &mut Findings,
) {
    for i in 0..found.due.len() {
        prefetch_boxes(scene.bodies, scene.shapes, &found.due[i..], BODIES_AHEAD);
        let slot = found.due[i];
        let place = slot as usize - first;
        let pose = &records.poses[place];
        records.tracks[place].slack = grow_boxes(slot, pose, scene, &mut found.grown);
    }
}

/// Says whether only contacts hold a body: then what trembles rests. On a joint it may be meant to.
fn leans_on_something(body: &Body) -> bool {
    body.joints.is_empty() && !body.contacts.is_empty()
}

/// Notes kinematic bodies that come to rest, and islands that may not sleep.
fn note_sleep(slot: u32, track: &BodyTrack, scene: &Scene<'_>, found: &mut Findings) {
    if track.flags & track_flags::DYNAMIC == 0 {
        // A kinematic body is in no island.
        if track.slow_time >= TIME_TO_SLEEP && track.sleep_speed >= 0.0 {
            found.resting.push(slot);
        }
        return;
    }
    let island = track.island;
    if track.slow_time < TIME_TO_SLEEP {
        if found.restless.last() != Some(&island) {
            found.restless.push(island);
        }
    } else if found.split.is_none_or(|(_, time)| track.slow_time > time)
        && scene.is_searchable(island)
    {
        found.split = Some((island, track.slow_time));
    }
}

/// Grows the boxes that shapes of the body in `slot` have left, and returns how far it may move before
/// it must be looked at again [m].
fn grow_boxes(slot: u32, pose: &BodyPose, scene: &Scene<'_>, grown: &mut Vec<GrownBox>) -> f32 {
    let mut slack = f32::INFINITY;
    let body = &scene.bodies[slot];
    let ahead = box_lead(body, scene.states[slot as usize].delta_position);
    for &index in &body.shapes {
        let shape = &scene.shapes[index];
        if shape.proxy == ProxyId::NULL {
            continue;
        }
        let fat_box = ShapeBoxes::of(shape, pose, ahead, &mut slack).fat;
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

/// Returns `pose` moved by the deltas of `state`, or `None` if it or a velocity is not finite, or
/// beyond the edge of the world.
fn moved_pose(pose: &BodyPose, state: &BodyState) -> Option<BodyPose> {
    let center = grid::moved(pose.center, state.delta_position);
    let (c, s) = (state.delta_rotation.x, state.delta_rotation.y);
    let (re, im) = (pose.rotation.x, pose.rotation.y);
    let turned = Vec2::new(c * re - s * im, s * re + c * im);
    let length = turned.norm();
    let fine = center.x.abs() <= MAX_COORDINATE
        && center.y.abs() <= MAX_COORDINATE
        && (0.5..2.0).contains(&length)
        && state.velocity.x.is_finite()
        && state.velocity.y.is_finite()
        && state.angular_velocity.is_finite();
    fine.then(|| BodyPose {
        center,
        rotation: turned / length,
        local_center: pose.local_center,
    })
}
