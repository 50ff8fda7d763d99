//! What already touches is held back by its core: a small circle inside the shape that must not pass through anything,
//! so that the shape itself may slide and turn.

use super::Hunt;
use crate::body::state::{BodyPose, BodyState};
use crate::body::track_flags;
use crate::contact::patch::{PatchPoint, patch_flags};
use crate::world::World;
use crate::world::finalize::turn_of;
use cairn2d_geometry::math::{Point, Pose, Vec2, WorldPoint};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{Shape, Sweep, TimeOfImpact, ToiState, time_of_impact};

/// Times that the contacts of a body are gone over: in a narrow corner one side pushes the core into the other.
const HOLD_PASSES: u32 = 3;

/// Way below which a core was not held back: rounding [m].
const NO_WAY: f32 = 0.01 * LINEAR_SLOP;

/// A face that a core must not pass: a plane that moves and turns with what it belongs to.
struct Face {
    /// Fraction of the sweeps at which it is as said here.
    fraction: f32,
    /// Unit vector toward the core, and a point of the plane.
    normal: Vec2,
    point: Point,
    /// Height over the plane that the core must keep [m].
    least: f32,
}

impl Face {
    /// The face that an impact is with.
    ///
    /// The core must not come nearer than half a slop: from nearer and nearer the search for the next impact has less and
    /// less to go by.
    fn of_impact(impact: &TimeOfImpact) -> Self {
        Self {
            fraction: impact.fraction,
            normal: impact.normal,
            point: impact.point,
            least: 0.5 * impact.separation.max(LINEAR_SLOP),
        }
    }

    /// Returns how the end of a core's way must be moved so that it stays before the face.
    ///
    /// The face goes on, and turns, with what is met until the step ends: so a bar that turns pushes the core before it.
    fn way_out(&self, core: &Shape, [mine, its]: [&Sweep; 2]) -> Vec2 {
        let (then, end) = (its.pose_at(self.fraction), its.pose_at(1.0));
        let normal = end.rotation * (then.rotation.inverse() * self.normal);
        let place = end * (then.inverse() * self.point);
        let height = height_of(core, &mine.pose_at(1.0), &place, &normal);
        normal * (self.least - height).max(0.0)
    }
}

/// Returns the least height of a shape at `pose` over the plane through `place` [m].
fn height_of(shape: &Shape, pose: &Pose, place: &Point, normal: &Vec2) -> f32 {
    let lowest = pose * shape.support(&(pose.rotation.inverse() * -normal));
    (lowest - place).dot(normal)
}

impl World {
    /// Says whether the core of the first body is held back by the second one.
    fn stops(&self, mine: u32, other: u32) -> bool {
        let flags = |body: u32| self.bodies.tracks[body as usize].flags;
        flags(other) & track_flags::DYNAMIC == 0 || flags(mine) & track_flags::BULLET != 0
    }

    /// Keeps the cores of the body's shapes from passing what they touch, on what is left of its way. Returns whether one
    /// would have.
    pub(super) fn hold_back_cores(&mut self, hunt: &Hunt, slot: u32) -> bool {
        let mut held = false;
        for _ in 0..HOLD_PASSES {
            if self.hold_back_once(hunt, slot).is_none() {
                return held;
            }
            held = true;
        }
        // In a narrow corner each side pushes into the other: there the body waits.
        if let Some(fraction) = self.hold_back_once(hunt, slot) {
            let (from, _) = self.piece_of(hunt, slot);
            let stop = self.pose_within(hunt, slot, from + (1.0 - from) * fraction);
            let change = stop.center - self.bodies.poses[slot as usize].center;
            self.shift(slot, change);
        }
        held
    }

    /// Goes once over the contacts of the body in `slot`; returns the fraction of its way at which the first core was held
    /// back, if one was.
    fn hold_back_once(&mut self, hunt: &Hunt, slot: u32) -> Option<f32> {
        let mut first: Option<f32> = None;
        for place in 0..self.bodies.slots[slot].contacts.len() {
            let contact = self.bodies.slots[slot].contacts[place];
            // In a pile nearly all end here: what is asked first must be near in memory.
            let partner = self.partner(slot, contact);
            if self.stops(slot, partner)
                && self.contacts[contact].pushes()
                && self.patches[contact as usize].flags & patch_flags::LEFT_OUT == 0
                && self.may_pass(slot, contact)
                && let Some(fraction) = self.hold_back_core(hunt, slot, contact)
            {
                first = Some(first.map_or(fraction, |other| other.min(fraction)));
            }
        }
        first
    }

    /// Returns the body that the one in `slot` has `contact` with.
    pub(super) fn partner(&self, slot: u32, contact: u32) -> u32 {
        let watch = &self.watches[contact as usize];
        if watch.body_a == slot {
            watch.body_b
        } else {
            watch.body_a
        }
    }

    /// Says whether a core may have come to what its shape touches in `contact`.
    ///
    /// Cheap and on the safe side: the other shape lies behind the plane of the contact, no further before it than
    /// the overlap. A core that stays in front by its radius has not met it.
    fn may_pass(&self, slot: u32, contact: u32) -> bool {
        let patch = &self.patches[contact as usize];
        let [start_a, start_b] = [patch.body_a, patch.body_b].map(|body| self.start_of_step(body));
        let is_a = patch.body_a == slot;
        let sign = if is_a { -1.0 } else { 1.0 };
        let away = start_a.rotate(patch.normal) * sign;
        let record = &self.contacts[contact];
        let mine = &self.shapes[if is_a { record.shape_a } else { record.shape_b }];
        let Some(core) = &mine.core else {
            return true;
        };
        let my_start = if is_a { &start_a } else { &start_b };
        // Height of my centre of mass over each point, less the overlap there.
        let height = |point: &PatchPoint| {
            let on_a = start_a.rotate(point.anchor_a);
            let on_b = (start_b.center - start_a.center) + start_b.rotate(point.anchor_b);
            let overlap = (point.base_separation + (on_b - on_a).dot(&away) * sign).min(0.0);
            ((my_start.center - start_a.center) - on_a).dot(&away) + overlap
        };
        let points = &patch.points[..patch.count as usize];
        let lowest = points.iter().map(height).fold(f32::INFINITY, f32::min);
        // About a centre of mass that is not its own, a core also moves by turning; and what it touches may move.
        let offset = mine.core_offset(&self.bodies.poses[slot as usize]);
        let state = &self.bodies.states[slot as usize];
        let other = if is_a { patch.body_b } else { patch.body_a };
        let comes_nearer = (-state.delta_position.dot(&away)).max(0.0)
            + (1.0 + turn_of(state)) * offset
            + self.bodies.moved[other as usize];
        lowest - comes_nearer < core.radius()
    }

    /// Takes back the way of a core into the shape that it touches in `contact`. The contact was solved in this
    /// step and the shape may slide and turn on it: only the way is taken back, not the time. Returns when it met it, if it
    /// did.
    fn hold_back_core(&mut self, hunt: &Hunt, slot: u32, index: u32) -> Option<f32> {
        let contact = &self.contacts[index];
        let (mine, other) = if contact.body_a == slot {
            (contact.shape_a, contact.shape_b)
        } else {
            (contact.shape_b, contact.shape_a)
        };
        let (from, start) = self.piece_of(hunt, slot);
        let (core, target) = (self.shapes[mine].core_shape(), &self.shapes[other]);
        let its_body = target.body;
        let [sweep, its_sweep] =
            [slot, target.body].map(|body| self.sweep_from(hunt, body, from, start.center));
        let impact = time_of_impact(&target.geometry, &its_sweep, &core, &sweep, 1.0);
        let face = match impact.state {
            ToiState::Touching => Face::of_impact(&impact),
            ToiState::Overlapped => {
                let mut face = self.face_of_contact(index, slot, start.center);
                let pose = sweep.pose_at(0.0);
                let height = height_of(&core, &pose, &face.point, &face.normal);
                // No deeper than it is.
                face.least = height.min(0.0);
                face
            }
            _ => return None,
        };
        let back = face.way_out(&core, [&sweep, &its_sweep]);
        self.shift(slot, back);
        // Who waits for what moves is passed by it: it is pushed to the end of the step.
        let waits = !self.bodies.awake.contains(its_body);
        let fraction = if waits { face.fraction } else { 1.0 };
        (back.norm() > NO_WAY).then_some(fraction)
    }

    /// Returns the face of what the body in `slot` touches, relative to `base`, as it is when the step begins.
    fn face_of_contact(&self, contact: u32, slot: u32, base: WorldPoint) -> Face {
        let patch = &self.patches[contact as usize];
        let a = self.start_of_step(patch.body_a);
        let normal = a.rotate(patch.normal);
        let anchor = a.center + a.rotate(patch.points[0].anchor_a);
        Face {
            fraction: 0.0,
            normal: if patch.body_b == slot {
                normal
            } else {
                -normal
            },
            point: Point::from(anchor - base),
            least: 0.0,
        }
    }

    /// Holds the core of the first body before a static face that the body enters by less than would be an impact: only
    /// the way is taken back, no time.
    pub(super) fn hold_before(
        &mut self,
        shapes: [u32; 2],
        bodies: [u32; 2],
        sweeps: [&Sweep; 2],
        impact: &TimeOfImpact,
    ) {
        if !self.bodies.is_dynamic(bodies[1]) {
            let core = self.shapes[shapes[0]].core_shape();
            let back = Face::of_impact(impact).way_out(&core, sweeps);
            self.shift(bodies[0], back);
        }
    }

    /// Keeps two shapes whose impact was just solved from turning deep into each other in what is left of the step.
    pub(super) fn hold_back_from(&mut self, hunt: &Hunt, shapes: [u32; 2], bodies: [u32; 2]) {
        for [i, j] in [[0, 1], [1, 0]] {
            let slot = bodies[i];
            if !self.bodies.is_dynamic(slot) {
                continue;
            }
            let (from, start) = self.piece_of(hunt, slot);
            let [sweep, its_sweep] =
                [slot, bodies[j]].map(|body| self.sweep_from(hunt, body, from, start.center));
            let (core, target) = (self.shapes[shapes[i]].core_shape(), &self.shapes[shapes[j]]);
            let impact = time_of_impact(&target.geometry, &its_sweep, &core, &sweep, 1.0);
            if impact.state == ToiState::Touching {
                let back = Face::of_impact(&impact).way_out(&core, [&sweep, &its_sweep]);
                self.shift(slot, back);
            }
        }
    }

    /// Moves the end of the way of the body in `slot`.
    fn shift(&mut self, slot: u32, change: Vec2) {
        self.bodies.states[slot as usize].delta_position += change;
        self.bodies.poses[slot as usize].center += change;
    }

    /// Returns the pose that the body in `slot` had before this step.
    pub(crate) fn start_of_step(&self, slot: u32) -> BodyPose {
        let pose = &self.bodies.poses[slot as usize];
        if !self.bodies.awake.contains(slot) {
            return *pose;
        }
        let state: &BodyState = &self.bodies.states[slot as usize];
        let (c, s) = (state.delta_rotation.x, state.delta_rotation.y);
        let (re, im) = (pose.rotation.x, pose.rotation.y);
        BodyPose {
            center: pose.center - state.delta_position,
            rotation: Vec2::new(c * re + s * im, c * im - s * re),
            local_center: pose.local_center,
        }
    }

    /// Returns the motion of the body in `slot` in this step, relative to `base`.
    pub(crate) fn sweep_of(&self, slot: u32, base: WorldPoint) -> Sweep {
        let start = self.start_of_step(slot);
        super::flight::sweep_between(&start, &self.bodies.poses[slot as usize], base)
    }
}
