//! What a body cannot run into: all that lies behind a plane on which it slides.

use super::flight::Ways;
use crate::body::state::BodyPose;
use crate::world::World;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::tolerance::LINEAR_SLOP;

/// A plane that a body touches: a point of it, and the normal toward the body.
struct Plane {
    point: WorldPoint,
    normal: Vec2,
}

impl Plane {
    fn height(&self, point: WorldPoint) -> f32 {
        (point - self.point).dot(&self.normal)
    }
}

impl World {
    /// Says whether the static shape `other` lies wholly behind a plane that the first of the bodies touches, and does not
    /// go behind itself: then it cannot run into it, whatever its edges look like from there.
    ///
    /// A body that slides over tiles sinks in a little, and finds the side of each next tile in its way. Its top is no
    /// higher than what the body slides on.
    pub(super) fn lies_behind(&self, ways: Ways<'_>, bodies: [u32; 2], other: u32) -> bool {
        let [body, its_body] = bodies;
        if self.bodies.awake.contains(its_body) || self.bodies.is_dynamic(its_body) {
            return false;
        }
        let places = self.bodies.slots[body].contacts.iter();
        places.copied().any(|contact| {
            self.plane_of(contact, body)
                .is_some_and(|plane| self.is_held_before(ways, &plane, body, other))
        })
    }

    /// Returns the plane in which the body touches something static by `contact`.
    fn plane_of(&self, contact: u32, body: u32) -> Option<Plane> {
        let record = &self.contacts[contact];
        let ground = record.body_a;
        let at_rest = !self.bodies.awake.contains(ground) && !self.bodies.is_dynamic(ground);
        if !record.pushes() || record.body_b != body || !at_rest {
            return None;
        }
        let (point, normal) = self.contact_place(contact);
        Some(Plane { point, normal })
    }

    fn is_held_before(&self, ways: Ways<'_>, plane: &Plane, body: u32, other: u32) -> bool {
        let shape = &self.shapes[other];
        let ground = &self.bodies.poses[shape.body as usize];
        let up = shape.geometry.support(&ground.unrotate(plane.normal));
        if plane.height(ground.to_world(up)) > LINEAR_SLOP {
            return false;
        }
        let piece = self.piece_of(ways, body);
        let lowest = |pose: &BodyPose| self.lowest(plane, body, pose);
        lowest(&piece.end) >= lowest(&piece.start).min(0.0) - 2.0 * LINEAR_SLOP
    }

    /// Returns the least height of the body's shapes over the plane, with the body at `pose` \[m\].
    fn lowest(&self, plane: &Plane, body: u32, pose: &BodyPose) -> f32 {
        let down = pose.unrotate(-plane.normal);
        let shapes = self.bodies.slots[body].shapes.iter();
        shapes
            .map(|&shape| plane.height(pose.to_world(self.shapes[shape].geometry.support(&down))))
            .fold(f32::INFINITY, f32::min)
    }
}
