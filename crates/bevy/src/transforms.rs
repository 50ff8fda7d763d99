//! From the world to components: poses and velocities after a step, and poses between two steps.
//!
//! A transform holds the pose of the last step while fixed schedules run, and the interpolated one from then on to the next
//! step, so that games compute with the former and see the latter. A pose that the user changed meanwhile is left alone:
//! it is set in the next step.

use crate::body::{Synced, Velocity};
use crate::convert::{from_world_point, quat_of, to_bevy};
use crate::hierarchy::parent_frame;
use crate::physics::Physics;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{Affine3A, Quat, Vec2};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use cairn2d::math::Rotation;
use cairn2d::{BodyRef, WorldPoint};

/// Pose in the plane.
type Planar = (WorldPoint, Rotation);

type BodyParts = (
    &'static mut Transform,
    &'static mut Velocity,
    &'static mut Synced,
    Has<ChildOf>,
);

/// What may be overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overwrite {
    /// Components that the user did not change.
    Unchanged,
    /// All: they follow a restored state.
    All,
}

/// Source of the pose before a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// The pose after the step before, which nothing changed since.
    AsWritten,
    /// The engine: the body may have been moved by a call.
    AsComputed,
}

/// Write access to the components of bodies.
#[derive(SystemParam)]
pub(crate) struct BodyWriter<'w, 's> {
    transforms: ParamSet<'w, 's, (Query<'w, 's, BodyParts>, Query<'w, 's, &'static Transform>)>,
    nested: Query<'w, 's, Entity, (With<Synced>, With<ChildOf>)>,
    parents: Query<'w, 's, &'static ChildOf>,
}

impl BodyWriter<'_, '_> {
    /// Writes the poses of the bodies that the last step simulated, at a share of that step.
    fn write_simulated(&mut self, physics: &Physics, share: f32) {
        let mut bodies = self.transforms.p0();
        for placement in physics.world.placements(1.0) {
            let entity = physics.registry.entity_in_slot(placement.body);
            if let Ok((mut transform, _, mut synced, false)) = bodies.get_mut(entity) {
                let pose = synced.within_step(share);
                write_pose(&mut transform, &mut synced, pose, Overwrite::Unchanged);
            }
        }
        self.write_nested(physics, share, Overwrite::Unchanged);
    }

    /// Writes pose and velocity of a body after a step.
    fn write_body(
        &mut self,
        body: BodyRef<'_>,
        entity: Entity,
        before: Before,
        overwrite: Overwrite,
    ) {
        let mut bodies = self.transforms.p0();
        let Ok((mut transform, mut velocity, mut synced, nested)) = bodies.get_mut(entity) else {
            return;
        };
        let now = Velocity {
            linear: to_bevy(body.velocity()),
            angular: body.angular_velocity(),
        };
        if overwrite == Overwrite::All || synced.velocity == *velocity {
            velocity.set_if_neq(now);
            synced.velocity = now;
        }
        if !nested {
            let after = planar((body.position_exact(), body.rotation()));
            let before = match before {
                Before::AsWritten => synced.step[1],
                Before::AsComputed => planar(body.pose_within_step(0.0)),
            };
            synced.step = [before, after];
            write_pose(&mut transform, &mut synced, after, overwrite);
        }
    }

    /// Writes the poses of bodies whose entities have parents, ancestors first: also those of bodies at rest, since their
    /// parents may have moved.
    fn write_nested(&mut self, physics: &Physics, share: f32, overwrite: Overwrite) {
        let depth = |entity| self.parents.iter_ancestors(entity).count();
        let mut nested: Vec<(usize, Entity)> = self
            .nested
            .iter()
            .map(|entity| (depth(entity), entity))
            .collect();
        nested.sort_unstable();
        for (_, entity) in nested {
            let Some(body) = physics.body(entity) else {
                continue;
            };
            let transforms = self.transforms.p1();
            let frame = parent_frame(entity, &self.parents, |at| transforms.get(at).ok().copied());
            let pose = local_pose(&frame.affine(), body.pose_within_step(share));
            if let Ok((mut transform, _, mut synced, _)) = self.transforms.p0().get_mut(entity) {
                write_pose(&mut transform, &mut synced, pose, overwrite);
            }
        }
    }
}

fn planar((position, rotation): Planar) -> (Vec2, Quat) {
    (from_world_point(position), quat_of(rotation))
}

/// Returns the pose of a body in the frame of its parent.
fn local_pose(parent: &Affine3A, (position, rotation): Planar) -> (Vec2, Quat) {
    let at = from_world_point(position).extend(0.0);
    let world = Affine3A::from_rotation_translation(quat_of(rotation), at);
    let (_, turn, at) = (parent.inverse() * world).to_scale_rotation_translation();
    (at.truncate(), turn)
}

/// Writes a pose, unless the user changed it. Depth and scale belong to the user.
fn write_pose(
    transform: &mut Mut<'_, Transform>,
    synced: &mut Synced,
    (at, turn): (Vec2, Quat),
    overwrite: Overwrite,
) {
    if overwrite == Overwrite::Unchanged && !synced.has_pose_of(transform) {
        return;
    }
    let present = (transform.translation.truncate(), transform.rotation);
    if present != (at, turn) {
        transform.translation = at.extend(transform.translation.z);
        transform.rotation = turn;
    }
    (synced.translation, synced.rotation) = (at, turn);
}

/// Writes poses and velocities after a step.
pub(crate) fn write_back(mut physics: ResMut<'_, Physics>, mut writer: BodyWriter<'_, '_>) {
    let touched = core::mem::take(&mut physics.registry.touched);
    let before = match physics.registry.all_touched {
        true => Before::AsComputed,
        false => Before::AsWritten,
    };
    physics.registry.all_touched = false;
    for placement in physics.world.placements(1.0) {
        let entity = physics.registry.entity_in_slot(placement.body);
        let body = physics.world.body(placement.body);
        writer.write_body(body, entity, before, Overwrite::Unchanged);
    }
    for entity in touched {
        if let Some(body) = physics.body(entity) {
            writer.write_body(body, entity, Before::AsComputed, Overwrite::Unchanged);
        }
    }
    writer.write_nested(&physics, 1.0, Overwrite::Unchanged);
}

/// Writes poses between the last two steps, for drawing.
pub(crate) fn interpolate(
    physics: Res<'_, Physics>,
    time: Res<'_, Time<Fixed>>,
    mut writer: BodyWriter<'_, '_>,
) {
    writer.write_simulated(&physics, time.overstep_fraction());
}

/// Writes the poses of the last step, for systems in fixed schedules.
pub(crate) fn show_last_step(physics: Res<'_, Physics>, mut writer: BodyWriter<'_, '_>) {
    writer.write_simulated(&physics, 1.0);
}

/// Writes poses and velocities of all bodies, whatever the components hold: after the state was restored.
pub(crate) fn write_all(physics: Res<'_, Physics>, mut writer: BodyWriter<'_, '_>) {
    for body in physics.world.bodies() {
        let entity = physics.registry.entity_in_slot(body.id());
        writer.write_body(body, entity, Before::AsComputed, Overwrite::All);
    }
    writer.write_nested(&physics, 1.0, Overwrite::All);
}
