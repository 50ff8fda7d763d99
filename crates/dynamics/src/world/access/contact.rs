//! A view that reads one contact.

use crate::contact::Contact;
use crate::contact::world_manifold::WorldManifold;
use crate::event::other_of;
use crate::id::{BodyId, ContactId, ShapeId};
use crate::world::World;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use smallvec::SmallVec;

/// A view of one touching contact.
#[derive(Clone, Copy, Debug)]
pub struct ContactRef<'a> {
    pub(crate) world: &'a World,
    pub(crate) slot: u32,
}

impl<'a> ContactRef<'a> {
    fn record(&self) -> &Contact {
        &self.world.contacts.slots[self.slot]
    }

    /// Returns the id of the contact.
    #[must_use]
    pub fn id(&self) -> ContactId {
        self.world.contacts.slots.id_at(self.slot)
    }

    /// Returns the two shapes; [`normal`](Self::normal) points from the first to the second.
    #[must_use]
    pub fn shapes(&self) -> [ShapeId; 2] {
        let contact = self.record();
        [contact.shape_a, contact.shape_b].map(|slot| self.world.shapes.slots.id_at(slot))
    }

    /// Returns the other body of the contact; `None` if `body` is neither of the two.
    #[must_use]
    pub fn other(&self, body: BodyId) -> Option<BodyId> {
        other_of(self.bodies(), body)
    }

    /// Returns the bodies of the two shapes.
    #[must_use]
    pub fn bodies(&self) -> [BodyId; 2] {
        let contact = self.record();
        [contact.body_a, contact.body_b].map(|slot| self.world.bodies.slots.id_at(slot))
    }

    /// Returns the unit normal from the first shape to the second in the world, at the present poses.
    #[must_use]
    pub fn normal(&self) -> Vec2 {
        self.manifold().normal
    }

    /// Returns the manifold with the bodies at their present poses. A single point may have moved over the shapes since the
    /// narrow phase, as with a rolling ball, so it is computed again; two points are kept.
    fn manifold(&self) -> WorldManifold {
        let constraint = &self.world.contacts.constraints[self.slot as usize];
        let single = (constraint.count == 1)
            .then(|| self.nearest_point())
            .flatten();
        single.unwrap_or_else(|| WorldManifold::after_solve(constraint, &self.world.bodies))
    }

    /// Returns the deepest point of a new manifold; `None` if the shapes are too far apart.
    fn nearest_point(&self) -> Option<WorldManifold> {
        let contact = self.record();
        let poses =
            [contact.body_a, contact.body_b].map(|body| self.world.bodies.poses[body as usize]);
        let shapes = [contact.shape_a, contact.shape_b];
        let manifold = self.world.shapes.manifold_at(shapes, &poses);
        let points = manifold.points().iter();
        let nearest = points.min_by(|p, q| p.separation.total_cmp(&q.separation))?;
        Some(WorldManifold {
            normal: poses[0].rotate(manifold.normal),
            points: SmallVec::from_slice(&[(poses[0].to_world(nearest.point), nearest.separation)]),
        })
    }

    /// Returns the unit normal away from `body` in the world; `None` if `body` is neither of the two.
    #[must_use]
    pub fn normal_from(&self, body: BodyId) -> Option<Vec2> {
        let [a, b] = self.bodies();
        match body {
            _ if body == a => Some(self.normal()),
            _ if body == b => Some(-self.normal()),
            _ => None,
        }
    }

    /// Returns the mean force of the last step of length `dt` \[s\] on the second body, friction included
    /// \[N\].
    #[must_use]
    pub fn force(&self, dt: f32) -> Vec2 {
        self.impulse() / dt
    }

    /// Returns the friction coefficient of the two shapes.
    #[must_use]
    pub fn friction(&self) -> f32 {
        self.world.contacts.constraints[self.slot as usize].friction
    }

    /// Returns the restitution of the two shapes.
    #[must_use]
    pub fn restitution(&self) -> f32 {
        self.world.contacts.constraints[self.slot as usize].restitution
    }

    /// Returns the impulse of the last step on the second body [N s]. Its friction part assumes that the
    /// friction of the last substep acted during the whole step.
    #[must_use]
    pub fn impulse(&self) -> Vec2 {
        self.world.contact_impulse(self.slot)
    }

    /// Iterates over the one or two points at the present poses, with the impulses of the last step.
    pub fn points(&self) -> impl Iterator<Item = ContactPointRef> + use<'a> {
        let world = self.world;
        let constraint = &world.contacts.constraints[self.slot as usize];
        let substeps = world.history.last_substeps;
        let places = self.manifold().points;
        let points = constraint.points.iter().zip(places);
        points.map(move |(point, (place, separation))| ContactPointRef {
            point: place,
            separation,
            normal_impulse: point.total_normal_impulse,
            tangent_impulse: point.tangent_impulse * substeps,
        })
    }
}

/// One point of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ContactPointRef {
    /// Position in the world \[m\].
    pub point: WorldPoint,
    /// Signed gap between the surfaces, negative = overlap \[m\].
    pub separation: f32,
    /// Impulse along the normal in the last step [N s].
    pub normal_impulse: f32,
    /// Impulse along the tangent, which is the normal rotated clockwise, in the last step [N s]. It assumes
    /// that the friction of the last substep acted during the whole step.
    pub tangent_impulse: f32,
}
