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
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemParam;
use bevy_math::{Affine3A, Quat, Vec2};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use cairn2d::math::Rotation;
use cairn2d::{BodyId, BodyRef, SimulatedBody, WorldPoint};

/// Pose in the plane.
type Planar = (WorldPoint, Rotation);

/// Components of a body that are written.
#[derive(QueryData)]
#[query_data(mutable)]
struct BodyParts {
    transform: &'static mut Transform,
    velocity: &'static mut Velocity,
    synced: &'static mut Synced,
    nested: Has<ChildOf>,
}

/// Components that may be overwritten.
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

/// The bodies that the last step simulated. Not a part of the state: a restore computes it anew.
#[derive(Resource, Debug, Default)]
pub(crate) struct Simulated {
    /// Number of the step, which the records of its bodies carry.
    step: u32,
    bodies: Vec<SimulatedBody>,
    /// Their entities.
    entities: Vec<Entity>,
    /// Place in `bodies` of the body in each slot. Places of other slots are old: a search compares the ids.
    places: Vec<u32>,
    /// Share of the step whose poses the transforms hold.
    shown: f32,
}

impl Simulated {
    /// Reads the bodies of the last step.
    fn read(&mut self, physics: &Physics) {
        self.step = self.step.wrapping_add(1);
        self.shown = 1.0;
        physics.world.read_simulated(&mut self.bodies);
        let slots = self
            .bodies
            .last()
            .map_or(0, |of| of.body.index() as usize + 1);
        self.places.resize(self.places.len().max(slots), 0);
        self.entities.clear();
        for (place, of) in self.bodies.iter().enumerate() {
            self.places[of.body.index() as usize] = place as u32;
            self.entities.push(physics.registry.entity_in_slot(of.body));
        }
    }

    fn of(&self, body: BodyId) -> Option<&SimulatedBody> {
        let place = *self.places.get(body.index() as usize)?;
        self.bodies.get(place as usize).filter(|of| of.body == body)
    }
}

/// Bodies for each simulated one from which on the simulated ones are looked up one by one: a look-up takes several times
/// as long as a step of the loop over all.
const MANY_AT_REST: usize = 4;

/// Write access to the components of bodies.
#[derive(SystemParam)]
pub(crate) struct BodyWriter<'w, 's> {
    transforms: ParamSet<'w, 's, (Query<'w, 's, BodyParts>, Query<'w, 's, &'static Transform>)>,
    nested: Query<'w, 's, Entity, (With<Synced>, With<ChildOf>)>,
    parents: Query<'w, 's, &'static ChildOf>,
}

impl BodyWriter<'_, '_> {
    /// Visits the components of all simulated bodies, and maybe those of others.
    fn visit(&mut self, simulated: &Simulated, mut act: impl FnMut(BodyPartsItem<'_, '_>)) {
        let mut bodies = self.transforms.p0();
        if bodies.iter().len() < MANY_AT_REST * simulated.entities.len() {
            bodies.iter_mut().for_each(act);
            return;
        }
        for &entity in &simulated.entities {
            if let Ok(parts) = bodies.get_mut(entity) {
                act(parts);
            }
        }
    }

    /// Writes the poses of the bodies that the last step simulated, at a share of that step.
    fn write_simulated(&mut self, physics: &Physics, simulated: &mut Simulated, share: f32) {
        if simulated.shown != share {
            simulated.shown = share;
            self.visit(simulated, |mut parts| {
                if parts.synced.simulated_in == simulated.step && !parts.nested {
                    let pose = parts.synced.within_step(share);
                    parts.write_pose(pose, Overwrite::Unchanged);
                }
            });
        }
        self.write_nested(physics, share, Overwrite::Unchanged);
    }

    /// Writes pose and velocity of one body, from the engine.
    fn write_body(&mut self, body: BodyRef<'_>, entity: Entity, overwrite: Overwrite) {
        let mut bodies = self.transforms.p0();
        if let Ok(mut parts) = bodies.get_mut(entity) {
            let after = planar((body.position_exact(), body.rotation()));
            let before = planar(body.pose_within_step(0.0));
            let velocity = velocity_of(body.velocity(), body.angular_velocity());
            parts.write_step(velocity, [before, after], overwrite);
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
            if let Ok(mut parts) = self.transforms.p0().get_mut(entity) {
                parts.write_pose(pose, overwrite);
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

fn velocity_of(linear: cairn2d::Vec2, angular: f32) -> Velocity {
    Velocity {
        linear: to_bevy(linear),
        angular,
    }
}

impl BodyPartsItem<'_, '_> {
    /// Writes a velocity and the poses before and after a step.
    fn write_step(&mut self, velocity: Velocity, step: [(Vec2, Quat); 2], overwrite: Overwrite) {
        let synced = &mut *self.synced;
        if overwrite == Overwrite::All || synced.velocity == *self.velocity {
            self.velocity.set_if_neq(velocity);
            synced.velocity = velocity;
        }
        if !self.nested {
            synced.step = step;
            self.write_pose(step[1], overwrite);
        }
    }

    /// Writes a pose, unless the user changed it. Depth and scale belong to the user.
    fn write_pose(&mut self, (at, turn): (Vec2, Quat), overwrite: Overwrite) {
        let (transform, synced) = (&mut self.transform, &mut *self.synced);
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
}

/// Writes poses and velocities after a step.
pub(crate) fn write_back(
    mut physics: ResMut<'_, Physics>,
    mut simulated: ResMut<'_, Simulated>,
    mut writer: BodyWriter<'_, '_>,
) {
    let touched = core::mem::take(&mut physics.registry.touched);
    let before = match physics.registry.all_touched {
        true => Before::AsComputed,
        false => Before::AsWritten,
    };
    physics.registry.all_touched = false;
    simulated.read(&physics);
    writer.visit(&simulated, |mut parts| {
        let Some(of) = parts.synced.body.and_then(|body| simulated.of(body)) else {
            return;
        };
        let before = match before {
            Before::AsWritten => parts.synced.step[1],
            Before::AsComputed => planar(physics.world.body(of.body).pose_within_step(0.0)),
        };
        parts.synced.simulated_in = simulated.step;
        let after = planar((of.position, of.rotation));
        let velocity = velocity_of(of.velocity, of.angular_velocity);
        parts.write_step(velocity, [before, after], Overwrite::Unchanged);
    });
    for entity in touched {
        if let Some(body) = physics.body(entity) {
            writer.write_body(body, entity, Overwrite::Unchanged);
        }
    }
    writer.write_nested(&physics, 1.0, Overwrite::Unchanged);
}

/// Writes poses between the last two steps, for drawing.
pub(crate) fn interpolate(
    physics: Res<'_, Physics>,
    mut simulated: ResMut<'_, Simulated>,
    time: Res<'_, Time<Fixed>>,
    mut writer: BodyWriter<'_, '_>,
) {
    writer.write_simulated(&physics, &mut simulated, time.overstep_fraction());
}

/// Writes the poses of the last step, for systems in fixed schedules.
pub(crate) fn show_last_step(
    physics: Res<'_, Physics>,
    mut simulated: ResMut<'_, Simulated>,
    mut writer: BodyWriter<'_, '_>,
) {
    writer.write_simulated(&physics, &mut simulated, 1.0);
}

/// Writes poses and velocities of all bodies, whatever the components hold: after the state was restored.
pub(crate) fn write_all(
    physics: Res<'_, Physics>,
    mut simulated: ResMut<'_, Simulated>,
    mut writer: BodyWriter<'_, '_>,
) {
    simulated.read(&physics);
    for mut parts in &mut writer.transforms.p0() {
        parts.synced.body = None;
    }
    for body in physics.world.bodies() {
        let entity = physics.registry.entity_in_slot(body.id());
        if let Ok(mut parts) = writer.transforms.p0().get_mut(entity) {
            parts.synced.body = Some(body.id());
            parts.synced.simulated_in = simulated.step;
        }
        writer.write_body(body, entity, Overwrite::All);
    }
    writer.write_nested(&physics, 1.0, Overwrite::All);
}
