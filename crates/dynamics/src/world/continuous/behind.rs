//! What a body cannot run into: all that lies behind a plane on which it slides.

use super::flight::{Piece, Ways};
use crate::body::state::BodyPose;
use crate::contact::constraint::constraint_flags;
use crate::world::World;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::tolerance::LINEAR_SLOP;

/// A plane that a body touches at the end of the step: a point of it, and the normal toward the body. It is not dynamic
/// and does not turn.
struct Plane {
    point: WorldPoint,
    normal: Vec2,
    /// Its body.
    ground: u32,
}

impl World {
    /// Says whether the shape `other`, which is not dynamic, lies wholly behind a plane that the first of the bodies touches,
    /// and does not go behind itself: then it cannot run into it, whatever its edges look like from there.
    ///
    /// A body that slides over tiles sinks in a little, and finds the side of each next tile in its way. Its top is no
    /// higher than what the body slides on. The same holds for the tiles of a lift or a raft: both planes and tiles may
    /// move, as long as they do not turn, and what lies behind at the start and at the end of the way does so in between.
    pub(super) fn lies_behind(&self, ways: Ways<'_>, bodies: [u32; 2], other: u32) -> bool {
        let [body, its_body] = bodies;
        if !self.is_level(its_body) {
            return false;
        }
        let places = self.bodies.slots[body].contacts.iter();
        places.copied().any(|contact| {
            self.plane_of(contact, body)
                .is_some_and(|plane| self.is_held_before(ways, &plane, body, other))
        })
    }

    /// Says whether a body is not dynamic and does not turn in this step.
    fn is_level(&self, body: u32) -> bool {
        let keeps_level = self.bodies.states[body as usize].delta_rotation.y == 0.0;
        !self.bodies.is_dynamic(body) && (keeps_level || !self.bodies.awake.contains(body))
    }

    /// Returns the plane in which the body touches something that is not dynamic by `contact`, and is held by the substeps:
    /// what they leave out lies behind its own plane, and would never be met.
    fn plane_of(&self, contact: u32, body: u32) -> Option<Plane> {
        let record = &self.contacts.slots[contact];
        let ground = record.body_a;
        let left_out =
            self.contacts.constraints[contact as usize].flags & constraint_flags::DEFERRED != 0;
        if !record.pushes() || left_out || record.body_b != body || !self.is_level(ground) {
            return None;
        }
        let (point, normal) = self.contact_place(contact);
        Some(Plane {
            point,
            normal,
            ground,
        })
    }

    fn is_held_before(&self, ways: Ways<'_>, plane: &Plane, body: u32, other: u32) -> bool {
        let shape = &self.shapes.slots[other];
        let [piece, ground, its] =
            [body, plane.ground, shape.body].map(|body| self.piece_of(ways, body));
        // Of the plane since the body's way began, and of the other shape.
        let way_since = |piece: &Piece, from: f32| piece.end.center - piece.pose_at(from).center;
        let (way, its_way) = (way_since(&ground, piece.from), way_since(&its, piece.from));
        let rose = |way: Vec2| way.dot(&plane.normal);
        let up = shape.geometry.support(&its.end.unrotate(plane.normal));
        let top = plane.height(its.end.to_world(up));
        if top.max(top - rose(its_way) + rose(way)) > LINEAR_SLOP {
            return false;
        }
        let before = self.lowest(plane, body, &piece.start) + rose(way);
        let after = self.lowest(plane, body, &piece.end);
        after >= before.min(0.0) - 2.0 * LINEAR_SLOP
    }

    /// Returns the least height of the body's shapes over the plane, with the body at `pose` \[m\].
    fn lowest(&self, plane: &Plane, body: u32, pose: &BodyPose) -> f32 {
        let down = pose.unrotate(-plane.normal);
        let shapes = self.bodies.slots[body].shapes.iter();
        shapes
            .map(|&shape| {
                plane.height(pose.to_world(self.shapes.slots[shape].geometry.support(&down)))
            })
            .fold(f32::INFINITY, f32::min)
    }
}

impl Plane {
    fn height(&self, point: WorldPoint) -> f32 {
        (point - self.point).dot(&self.normal)
    }
}
