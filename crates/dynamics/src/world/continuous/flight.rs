//! Where a body is within the step: the pieces of its way.

use super::{Hunt, MAX_MEETINGS};
use crate::body::state::BodyPose;
use crate::world::World;
use crate::world::finalize::turn_of;
use crate::world::shapes::place_box;
use cairn2d_geometry::Sweep;
use cairn2d_geometry::math::{Point, Vec2, WorldPoint, rotation_from_parts};
use core::ops::Range;

/// The piece of a body's way that is left of the step. It ends at the body's pose.
#[derive(Clone, Debug)]
pub(crate) struct Flight {
    pub(crate) slot: u32,
    /// Fraction of the step at which the piece begins, and where the body is then.
    pub(crate) from: f32,
    pub(crate) start: BodyPose,
    /// Where the body was when the step began.
    pub(crate) origin: BodyPose,
    /// Impacts of the body in this step that were solved, and meetings of any kind.
    pub(crate) impacts: u32,
    pub(crate) meetings: u32,
    /// The shapes whose impact began the piece: ascending slots.
    pub(crate) met: Option<[u32; 2]>,
    /// Its boxes.
    pub(crate) areas: Range<u32>,
}

/// Returns the pose at `share` of the way from `start` to `end`, as a sweep has it.
fn between(start: &BodyPose, end: &BodyPose, share: f32) -> BodyPose {
    let rotation = start.rotation * (1.0 - share) + end.rotation * share;
    let length = rotation.norm();
    BodyPose {
        center: start.center + (end.center - start.center) * share,
        rotation: if length > 0.0 {
            rotation / length
        } else {
            start.rotation
        },
        local_center: end.local_center,
    }
}

impl World {
    /// Returns the fraction of the step from which on the body in `slot` moves to where it is now, and its pose then.
    pub(super) fn piece_of(&self, hunt: &Hunt, slot: u32) -> (f32, BodyPose) {
        match hunt.flight(slot) {
            Some(flight) => (flight.from, flight.start),
            None => (0.0, self.start_of_step(slot)),
        }
    }

    /// Returns the pose of the body in `slot` at the fraction `at` of the step, not before its piece begins.
    pub(super) fn pose_within(&self, hunt: &Hunt, slot: u32, at: f32) -> BodyPose {
        let (from, start) = self.piece_of(hunt, slot);
        let end = &self.bodies.poses[slot as usize];
        if at >= 1.0 || from >= 1.0 {
            return *end;
        }
        let share = ((at - from) / (1.0 - from)).clamp(0.0, 1.0);
        between(&start, end, share)
    }

    /// Returns the motion of the body in `slot` from the fraction `at` to the end of the step, relative to `base`.
    pub(super) fn sweep_from(&self, hunt: &Hunt, slot: u32, at: f32, base: WorldPoint) -> Sweep {
        let start = self.pose_within(hunt, slot, at);
        sweep_between(&start, &self.bodies.poses[slot as usize], base)
    }

    /// Has the body in `slot` go from `start`, at the fraction `from`, to `end`. Its meetings must be found anew.
    pub(super) fn change_way(
        &mut self,
        hunt: &mut Hunt,
        slot: u32,
        from: f32,
        (start, end): (BodyPose, BodyPose),
    ) {
        if hunt.flight(slot).is_none() {
            let origin = self.start_of_step(slot);
            let first = hunt.areas.len() as u32;
            let boxes = self.bodies.slots[slot].shapes.iter();
            hunt.areas
                .extend(boxes.map(|&shape| (shape, self.shapes[shape].fat_box)));
            let areas = first..hunt.areas.len() as u32;
            hunt.begin(slot, from, origin, areas);
        }
        let flight = hunt.flight_mut(slot).expect("a flight that was begun");
        flight.from = from;
        flight.start = start;
        flight.meetings += 1;
        let origin = flight.origin;
        self.place_within(slot, &origin, end);
        self.hold_back_cores(hunt, slot);
        self.update_areas(hunt, slot);
    }

    /// Puts the body in `slot`, which was at `origin` when the step began, at `pose`.
    pub(super) fn place_within(&mut self, slot: u32, origin: &BodyPose, pose: BodyPose) {
        let index = slot as usize;
        let state = &mut self.bodies.states[index];
        state.delta_position = pose.center - origin.center;
        let (a, b) = (origin.rotation, pose.rotation);
        state.delta_rotation = Vec2::new(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x);
        self.bodies.poses[index] = pose;
        let extent = self.bodies.tracks[index].max_extent;
        let travel = state.delta_position.norm() + turn_of(state) * extent;
        // What collide counts must not be less than what was moved.
        self.bodies.moved[index] = self.bodies.moved[index].max(travel);
        self.bodies.tracks[index].slack = 0.0;
    }

    /// Makes the boxes of a flight those of its piece.
    fn update_areas(&mut self, hunt: &mut Hunt, slot: u32) {
        let flight = hunt.flight(slot).expect("a flight");
        let (start, range) = (flight.start, flight.areas.clone());
        let end = self.bodies.poses[slot as usize];
        for (shape, area) in &mut hunt.areas[range.start as usize..range.end as usize] {
            let shape = &self.shapes[*shape];
            let at = |pose: &BodyPose| {
                let near = shape.geometry.aabb(&pose.relative_to(pose.center));
                place_box(&near, pose.center, shape.margin)
            };
            *area = at(&start).union(&at(&end));
        }
    }

    /// Says whether meetings of the body in `slot` are still looked at.
    pub(super) fn is_followed(&self, hunt: &Hunt, slot: u32) -> bool {
        hunt.flight(slot).is_none_or(|f| f.meetings < MAX_MEETINGS)
    }
}

/// Returns the motion from one pose to the other, relative to `base`.
pub(super) fn sweep_between(start: &BodyPose, end: &BodyPose, base: WorldPoint) -> Sweep {
    Sweep {
        local_center: Point::from(end.local_center),
        start: Point::from(start.center - base),
        end: Point::from(end.center - base),
        start_rotation: rotation_from_parts(start.rotation.x, start.rotation.y),
        end_rotation: end.rotation(),
    }
}
