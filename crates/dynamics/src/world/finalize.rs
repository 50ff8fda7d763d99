//! Stage 5 of the step: poses from deltas, sleep timers, boxes that their shapes have left, and who
//! moved too fast.

use crate::body::state::{BodyPose, BodyState};
use crate::body::track_flags;
use crate::island::NO_ISLAND;
use crate::tuning::{MAX_COORDINATE, TIME_TO_SLEEP};
use crate::world::shapes::place_box;
use crate::world::{Switch, World};
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::math::{PI, Vec2};

/// Share of a body's half thickness that it may move in a step before it is swept.
///
/// The centre must not come to lie behind a surface that the body has not met yet. Smaller: more
/// sweeps. Larger: thin things are entered more than half.
pub(crate) const FAST_SHARE: f32 = 0.5;

/// Share of the speed at which a body really moved that counts against sleep.
///
/// A body that is pushed out of an overlap moves without a velocity: the relax pass takes it away.
/// Without this, things fall asleep in each other. Larger: the slow settling of a large pile keeps it
/// awake.
const CREEP_SHARE: f32 = 0.5;

impl World {
    /// Writes the new poses and all that follows from them, in order of body slot.
    pub(crate) fn finalize(&mut self, dt: f32) {
        self.scratch.restless.clear();
        self.scratch.restless.grow(self.islands.slots.len());
        self.scratch.split_candidate = None;
        self.scratch.split_time = 0.0;
        self.scratch.fast.clear();
        let awake = core::mem::take(&mut self.scratch.awake);
        self.keep_carried_awake(&awake);
        for &slot in &awake {
            self.finalize_body(slot, dt);
        }
        self.scratch.awake = awake;
    }

    fn finalize_body(&mut self, slot: u32, dt: f32) {
        let index = slot as usize;
        let state = self.bodies.states[index];
        let Some(pose) = moved_pose(&self.bodies.poses[index], &state) else {
            self.freeze(slot);
            return;
        };
        self.bodies.poses[index] = pose;
        self.bodies.forget_forces(slot);
        let track = &mut self.bodies.tracks[index];
        let travel = state.delta_position.norm() + turn_of(&state) * track.max_extent;
        track.slack -= travel;
        self.bodies.moved[index] = travel;
        let leaves_box = track.slack <= 0.0;
        let fast =
            travel > FAST_SHARE * track.min_extent || track.flags & track_flags::SUBSTEP != 0;
        let fastest_point = (state.velocity.norm()
            + state.angular_velocity.abs() * track.max_extent)
            .max(CREEP_SHARE * travel / dt);
        self.update_sleep(slot, fastest_point, dt);
        if fast && self.def.continuous == Switch::On {
            self.scratch.fast.push(slot);
        } else if leaves_box {
            self.grow_boxes(slot);
        }
    }

    /// Counts how long the body has been slow, and notes islands that may not sleep.
    fn update_sleep(&mut self, slot: u32, fastest_point: f32, dt: f32) {
        let track = &mut self.bodies.tracks[slot as usize];
        if track.flags & track_flags::DYNAMIC == 0 {
            self.update_kinematic_sleep(slot, fastest_point, dt);
            return;
        }
        if fastest_point > track.sleep_speed {
            track.slow_time = 0.0;
        } else {
            track.slow_time += dt;
        }
        let island = track.island;
        if track.slow_time < TIME_TO_SLEEP {
            self.scratch.restless.insert(island);
        } else if track.slow_time > self.scratch.split_time
            && self.islands.slots[island as usize].wounds > 0
        {
            self.scratch.split_time = track.slow_time;
            self.scratch.split_candidate = Some(island);
        }
    }

    /// Puts a kinematic body to rest that has not moved for a while. It is in no island.
    fn update_kinematic_sleep(&mut self, slot: u32, speed: f32, dt: f32) {
        let track = &mut self.bodies.tracks[slot as usize];
        debug_assert_eq!(track.island, NO_ISLAND);
        track.slow_time = if speed > 0.0 {
            0.0
        } else {
            track.slow_time + dt
        };
        let rests = track.slow_time >= TIME_TO_SLEEP && track.sleep_speed >= 0.0;
        if rests && self.def.sleeping == Switch::On {
            self.rest_kinematic(slot);
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

    /// Grows the boxes that shapes of the body in `slot` have left, and finds how far it may move before
    /// it must be looked at again.
    pub(crate) fn grow_boxes(&mut self, slot: u32) {
        let pose = self.bodies.poses[slot as usize];
        let mut slack = f32::INFINITY;
        for place in 0..self.bodies.slots[slot].shapes.len() {
            let shape = &mut self.shapes[self.bodies.slots[slot].shapes[place]];
            if shape.proxy == ProxyId::NULL {
                continue;
            }
            let near = shape.geometry.aabb(&pose.relative_to(pose.center));
            let tight = place_box(&near, pose.center, 0.0);
            if !shape.fat_box.contains(&tight) {
                shape.fat_box = place_box(&near, pose.center, shape.margin);
                self.scratch.grown.push((shape.proxy, shape.fat_box));
            }
            let low = tight.min - shape.fat_box.min;
            let high = shape.fat_box.max - tight.max;
            slack = slack.min(low.min().min(high.min()));
        }
        self.bodies.tracks[slot as usize].slack = slack.max(0.0);
    }
}

/// Returns an upper bound of how far the body turned in the step [rad].
pub(crate) fn turn_of(state: &BodyState) -> f32 {
    // Up to a sixth of a turn the angle is below 1.21 times its sine.
    let (cos, sin) = (state.delta_rotation.x, state.delta_rotation.y);
    if cos >= 0.5 { 1.21 * sin.abs() } else { PI }
}

/// Returns `pose` moved by the deltas of `state`, or `None` if it or a velocity is not finite, or
/// beyond the edge of the world.
fn moved_pose(pose: &BodyPose, state: &BodyState) -> Option<BodyPose> {
    let center = pose.center + state.delta_position;
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
