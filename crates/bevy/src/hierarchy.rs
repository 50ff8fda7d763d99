//! Poses through the hierarchy of entities.

use crate::body::RigidBody;
use crate::convert::{angle_of, to_world_point};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_transform::components::{GlobalTransform, Transform};
use cairn2d::WorldPoint;
use cairn2d::math::{self, Pose};

/// The parents of entities, disabled ones included: colliders wait for a disabled body.
pub(crate) type Parents<'w, 's> = Query<'w, 's, &'static ChildOf, Allow<Disabled>>;

/// Read access to the hierarchy.
#[derive(SystemParam)]
pub(crate) struct Hierarchy<'w, 's> {
    parents: Parents<'w, 's>,
    transforms: Query<'w, 's, &'static Transform, Allow<Disabled>>,
    bodies: Query<'w, 's, (), (With<RigidBody>, Allow<Disabled>)>,
}

impl Hierarchy<'_, '_> {
    /// Returns position \[m\] and angle \[rad\] of an entity in the world.
    pub(crate) fn pose(&self, entity: Entity, transform: &Transform) -> (WorldPoint, f32) {
        if self.parents.get(entity).is_err() {
            return planar(transform);
        }
        let parent = parent_frame(entity, &self.parents, |at| {
            self.transforms.get(at).ok().copied()
        });
        planar(&(parent * *transform).compute_transform())
    }

    /// Returns the entity of the body that the collider of `entity` belongs to, and the frame of the collider in that of
    /// the body; `None` without a body.
    pub(crate) fn owner(&self, entity: Entity) -> Option<(Entity, Pose)> {
        let mut frame = Pose::identity();
        let mut at = entity;
        while !self.bodies.contains(at) {
            if let Ok(transform) = self.transforms.get(at) {
                frame = pose_of(transform) * frame;
            }
            at = self.parents.get(at).ok()?.parent();
        }
        Some((at, frame))
    }
}

/// Returns the frame of the parent of `entity` in the world, from the transforms of its ancestors: global transforms are
/// those of the last frame.
pub(crate) fn parent_frame(
    entity: Entity,
    parents: &Parents<'_, '_>,
    transform: impl Fn(Entity) -> Option<Transform>,
) -> GlobalTransform {
    let mut frame = GlobalTransform::IDENTITY;
    for ancestor in parents.iter_ancestors(entity) {
        if let Some(transform) = transform(ancestor) {
            frame = GlobalTransform::from(transform) * frame;
        }
    }
    frame
}

/// Returns the rigid part of a transform in the plane, without scale.
fn pose_of(transform: &Transform) -> Pose {
    let (at, angle) = (transform.translation, angle_of(transform.rotation));
    math::pose(at.x, at.y, angle)
}

/// Returns position \[m\] and angle \[rad\] in the plane.
fn planar(transform: &Transform) -> (WorldPoint, f32) {
    let at = transform.translation.truncate();
    (to_world_point(at), angle_of(transform.rotation))
}
