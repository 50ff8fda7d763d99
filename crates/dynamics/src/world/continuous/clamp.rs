//! Policy *clamp*: what met goes on together until the step ends.
//!
//! Velocities stay: the next step solves the contact. At a wall that means to stand still; on a bar that turns, to be
//! carried with it, as standing still would let it through; with a body that is slow, to stay beside it. Two fast
//! bodies both go on with the velocity of their common centre of mass, so neither comes first.

use super::Hunt;
use super::flight::{Ways, turn_between};
use super::meetings::Meeting;
use crate::body::grid;
use crate::body::state::{BodyPose, state_flags};
use crate::world::World;
use cairn2d_geometry::math::Vec2;

/// Returns where a body at `pose` is carried to by another that goes from `start` to `end`.
fn carried(pose: &BodyPose, start: &BodyPose, end: &BodyPose) -> BodyPose {
    if start == end {
        // To the bit: what waits for what stands still is not looked at again.
        return *pose;
    }
    let turn = turn_between(start.rotation, end.rotation);
    let turned = |v: Vec2| Vec2::new(turn.x * v.x - turn.y * v.y, turn.y * v.x + turn.x * v.y);
    BodyPose {
        center: grid::moved(end.center, turned(pose.center - start.center)),
        rotation: turned(pose.rotation).normalize(),
        local_center: pose.local_center,
    }
}

impl World {
    /// Has the bodies of a meeting go on together.
    pub(super) fn clamp(&mut self, hunt: &mut Hunt, meeting: &Meeting, dt: f32) {
        let at = meeting.fraction;
        let rest = (1.0 - at) * dt;
        let [a, b] = meeting.bodies;
        let ways = Ways::of(&hunt.flights);
        let pieces = meeting.bodies.map(|body| self.piece_of(ways, body));
        let [pose_a, pose_b] = pieces.each_ref().map(|piece| piece.pose_at(at));
        let [end_a, end_b] = pieces.map(|piece| piece.end);
        let both_dynamic = self.bodies.is_dynamic(b);
        let [fast_a, fast_b] = meeting.bodies.map(|body| hunt.flights.has(body));
        if !both_dynamic || !fast_b {
            let mut end = carried(&pose_a, &pose_b, &end_b);
            let is_free = self.bodies.states[a as usize].flags & state_flags::UNCONSTRAINED != 0;
            let mut slide = Vec2::zeros();
            if is_free && pose_b.rotation == end_b.rotation {
                slide = self.slide(meeting, end_a.center - end.center);
                end.center = grid::moved(end.center, slide);
            }
            if let Some(flight) = hunt.flights.of_mut(a) {
                flight.slides = slide != Vec2::zeros();
            }
            self.go_on(hunt, a, (at, rest), (pose_a, end));
        } else if !fast_a {
            self.go_on(
                hunt,
                b,
                (at, rest),
                (pose_b, carried(&pose_b, &pose_a, &end_a)),
            );
        } else {
            let way = self.common_way(
                [a, b],
                [end_a.center - pose_a.center, end_b.center - pose_b.center],
            );
            for (body, pose) in [(a, pose_a), (b, pose_b)] {
                let end = BodyPose {
                    center: grid::moved(pose.center, way),
                    ..pose
                };
                self.go_on(hunt, body, (at, rest), (pose, end));
            }
        }
    }

    /// Returns how far the first body of a meeting slides along the second one, past which it would go by `way` \[m\], without
    /// what friction takes when it meets it.
    fn slide(&self, meeting: &Meeting, way: Vec2) -> Vec2 {
        let into = -way.dot(&meeting.normal);
        let along = way + into * meeting.normal;
        let length = along.norm();
        if into <= 0.0 || length <= 0.0 || meeting.normal == Vec2::zeros() {
            return Vec2::zeros();
        }
        let [a, b] = meeting
            .shapes
            .map(|shape| &self.shapes.slots[shape].material);
        let rubbed = a.friction_with(b) * (1.0 + a.restitution_with(b)) * into;
        along * (1.0 - rubbed / length).max(0.0)
    }

    /// Returns the way of the common centre of mass of two bodies with the given ways \[m\].
    fn common_way(&self, bodies: [u32; 2], ways: [Vec2; 2]) -> Vec2 {
        let [a, b] = bodies.map(|body| self.bodies.masses[body as usize].inv_mass);
        if a + b > 0.0 {
            (ways[0] * b + ways[1] * a) / (a + b)
        } else {
            0.5 * (ways[0] + ways[1])
        }
    }

    /// Has the body spend the `rest` of the step \[s\] otherwise. What accelerates it does so no longer: it keeps the velocity
    /// with which it met what it met, and bounces as high as it came from.
    fn go_on(
        &mut self,
        hunt: &mut Hunt,
        body: u32,
        (at, rest): (f32, f32),
        way: (BodyPose, BodyPose),
    ) {
        let gained = rest * self.free_acceleration(body);
        let state = &mut self.bodies.states[body as usize];
        state.velocity -= gained;
        state.flags &= !state_flags::UNCONSTRAINED;
        self.bodies.cap_speeds(body);
        self.change_way(hunt, body, at, way);
        if let Some(flight) = hunt.flights.of_mut(body) {
            flight.met = None;
        }
        self.find_meetings_again(hunt, body);
    }
}
