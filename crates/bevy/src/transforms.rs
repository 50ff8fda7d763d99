//! From the world to components: poses and velocities after a step, and poses between two steps.
//!
//! A transform holds the pose of the last step while fixed schedules run, and the interpolated one from then on to the next
//! step, so that games compute with the former and see the latter. A pose that the user changed meanwhile is left alone:
//! it is set in the next step.

use crate::body::{Placed, Planar, Synced, Velocity};
use crate::convert::to_bevy;
use crate::hierarchy::{Parents, parent_frame};
use crate::physics::Physics;
use bevy_ecs::change_detection::Tick;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::{SystemChangeTick, SystemParam};
use bevy_math::Affine3A;
use bevy_time::{Fixed, Time};
use bevy_transform::components::{GlobalTransform, Transform};
use cairn2d::{BodyId, BodyRef, SimulatedBody};

/// The values that are written for a body.
#[derive(QueryData)]
#[query_data(mutable)]
struct BodyParts {
    entity: Entity,
    transform: &'static mut Transform,
    velocity: &'static mut Velocity,
    synced: &'static mut Synced,
    nested: Has<ChildOf>,
}

/// Components of bodies without parent that interpolation reads and writes.
type Roots<'w, 's> = Query<'w, 's, (&'static mut Transform, &'static mut Synced), Without<ChildOf>>;

/// Components that may be overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overwrite {
    /// Components that the user did not change.
    Unchanged,
    /// All: they follow a restored state.
    All,
}

/// The bodies that a step moved: the others need no interpolation.
#[derive(Debug, Default)]
struct Moved {
    /// Number of the step, which the records of the bodies carry.
    step: u32,
    entities: Vec<Entity>,
}

/// Ticks of the last runs of the systems that write poses and velocities since the changes of the user were gathered. A component
/// whose last change has such a tick was not changed by the user, so its value need not be compared.
///
/// Each of these systems has another one directly before it ([`begin_tick`]): a change outside of systems has the tick of the next
/// system that runs, which is never one of these.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OwnTicks {
    step: Option<Tick>,
    shown: Option<Tick>,
    last_step: Option<Tick>,
}

impl OwnTicks {
    /// Returns the ticks, in which `other` stands for missing ones.
    pub(crate) fn or(self, other: Tick) -> [Tick; 3] {
        [self.step, self.shown, self.last_step].map(|tick| tick.unwrap_or(other))
    }
}

/// Runs directly before a system whose tick is one of [`OwnTicks`].
pub(crate) const fn begin_tick() {}

/// The bodies that the last step simulated. Not a part of the state: a restore computes it anew.
#[derive(Resource, Debug, Default)]
pub(crate) struct Simulated {
    /// In order of slots.
    bodies: Vec<SimulatedBody>,
    moved: Moved,
    /// Share of the step whose poses the transforms hold.
    shown: f32,
    /// Ticks of the systems that wrote last.
    pub(crate) written: OwnTicks,
}

impl Simulated {
    /// Reads the bodies of the last step. Returns an empty list for the bodies that the step moved.
    fn read(&mut self, physics: &Physics) -> Moved {
        self.shown = 1.0;
        physics.world.read_simulated(&mut self.bodies);
        let mut moved = core::mem::take(&mut self.moved);
        moved.step = moved.step.wrapping_add(1);
        moved.entities.clear();
        moved
    }

    /// Returns a body. In most loops it is `next` or not simulated: entities are spawned in the order of slots. Sets `next` to the
    /// place after it.
    fn find(&self, body: BodyId, next: &mut usize) -> Option<&SimulatedBody> {
        let slot = body.index();
        let slot_at = |place: usize| self.bodies.get(place).map(|of| of.body.index());
        if slot_at(*next) != Some(slot) {
            let is_after_last = slot_at(next.wrapping_sub(1)).is_none_or(|last| last < slot);
            if is_after_last && slot_at(*next).is_none_or(|next| next > slot) {
                return None;
            }
            let place = |of: &SimulatedBody| of.body.index();
            *next = self.bodies.binary_search_by_key(&slot, place).ok()?;
        }
        let found = &self.bodies[*next];
        *next += 1;
        (found.body == body).then_some(found)
    }
}

/// The time whose poses transforms hold: a share of the step of this number.
#[derive(Clone, Copy, Debug)]
struct Shown {
    step: u32,
    share: f32,
}

impl Shown {
    const fn after(step: u32) -> Self {
        Self { step, share: 1.0 }
    }
}

/// Bodies for each chosen one from which on the chosen ones are looked up one by one: a look-up takes several times as long as a
/// step of the loop over all.
const MANY_OTHERS: usize = 4;

/// Write access to the components of bodies.
#[derive(SystemParam)]
pub(crate) struct BodyWriter<'w, 's> {
    transforms: ParamSet<
        'w,
        's,
        (
            Query<'w, 's, BodyParts>,
            Query<'w, 's, &'static Transform, Allow<Disabled>>,
            Roots<'w, 's>,
        ),
    >,
    nested: Query<'w, 's, (Entity, &'static ChildOf), With<Synced>>,
    parents: Parents<'w, 's>,
}

impl BodyWriter<'_, '_> {
    /// Returns `true` if a loop over all bodies takes less time than look-ups of `chosen` ones.
    fn are_most(&mut self, chosen: usize) -> bool {
        self.transforms.p0().iter().len() < MANY_OTHERS * chosen
    }

    /// Writes the poses of the bodies that the last step moved, at a share of that step.
    fn write_moved(&mut self, physics: &Physics, simulated: &mut Simulated, share: f32) {
        if simulated.shown != share {
            simulated.shown = share;
            let moved = &simulated.moved;
            let are_most = self.are_most(moved.entities.len());
            let mut bodies = self.transforms.p2();
            let show = |(mut transform, mut synced): (Mut<'_, Transform>, Mut<'_, Synced>)| {
                if synced.moved_in == moved.step {
                    let pose = synced.within_step(moved.step, share).into();
                    write_pose(&mut transform, &mut synced, pose, Overwrite::Unchanged);
                }
            };
            if are_most {
                bodies.iter_mut().for_each(show);
            } else {
                let mut found = bodies.iter_many_mut(&moved.entities);
                while let Some(parts) = found.fetch_next() {
                    show(parts);
                }
            }
        }
        let step = simulated.moved.step;
        self.write_nested(physics, Shown { step, share }, Overwrite::Unchanged);
    }

    /// Writes pose and velocity of one body, from the engine, and notes whether the last step moved it.
    fn write_body(
        &mut self,
        body: BodyRef<'_>,
        entity: Entity,
        overwrite: Overwrite,
        moved: &mut Moved,
    ) {
        let mut bodies = self.transforms.p0();
        if let Ok(mut parts) = bodies.get_mut(entity) {
            let of = SimulatedBody {
                body: body.id(),
                position: body.position_exact(),
                rotation: body.rotation(),
                velocity: body.velocity(),
                angular_velocity: body.angular_velocity(),
            };
            parts.follow_velocity(&of, overwrite);
            parts.follow_motion(&of, planar_before(body), overwrite, moved);
        }
    }

    /// Writes the poses of bodies whose entities have parents, ancestors first: also those of bodies at rest, since their
    /// parents may have moved.
    fn write_nested(&mut self, physics: &Physics, at: Shown, overwrite: Overwrite) {
        let nested = self.nested.iter();
        let mut nested: Vec<(Entity, Entity)> = nested
            .map(|(entity, child_of)| (child_of.parent(), entity))
            .collect();
        nested.sort_unstable();
        let families = nested.chunk_by(|a, b| a.0 == b.0);
        let depth = |family: &[(Entity, Entity)]| {
            let ancestors = self.parents.iter_ancestors(family[0].1);
            ancestors.count()
        };
        let mut families: Vec<_> = families.map(|family| (depth(family), family)).collect();
        families.sort_by_key(|(depth, _)| *depth);
        for (_, family) in families {
            self.write_family(physics, family, at, overwrite);
        }
    }

    /// Writes the poses of bodies with one parent. A parent of scale zero shows nothing of them.
    fn write_family(
        &mut self,
        physics: &Physics,
        family: &[(Entity, Entity)],
        at: Shown,
        overwrite: Overwrite,
    ) {
        let transforms = self.transforms.p1();
        let frame = parent_frame(family[0].1, &self.parents, |of| {
            transforms.get(of).ok().copied()
        });
        let inverse = frame.affine().inverse();
        if !inverse.is_finite() {
            return;
        }
        let is_level = frame == GlobalTransform::IDENTITY;
        let mut bodies = self.transforms.p0();
        for &(_, entity) in family {
            let Ok(mut parts) = bodies.get_mut(entity) else {
                continue;
            };
            let body = parts.synced.body;
            if body.and_then(|body| physics.world.get_body(body)).is_none() {
                continue;
            }
            let world = Placed::from(parts.synced.within_step(at.step, at.share));
            let pose = if is_level {
                world
            } else {
                local(&inverse, world)
            };
            write_pose(&mut parts.transform, &mut parts.synced, pose, overwrite);
        }
    }
}

/// Returns the pose of a body before the last step.
fn planar_before(body: BodyRef<'_>) -> Planar {
    let (position, rotation) = body.pose_within_step(0.0);
    Planar::new(position, rotation)
}

/// Returns a pose in the frame of the parent.
fn local(to_parent: &Affine3A, world: Placed) -> Placed {
    let world = Affine3A::from_rotation_translation(world.rotation(), world.at.extend(0.0));
    let (_, turn, at) = (*to_parent * world).to_scale_rotation_translation();
    Placed::new(at.truncate(), turn)
}

fn velocity_of(linear: cairn2d::Vec2, angular: f32) -> Velocity {
    Velocity {
        linear: to_bevy(linear),
        angular,
    }
}

impl BodyPartsItem<'_, '_> {
    /// Writes the velocity of a body.
    #[inline]
    fn follow_velocity(&mut self, of: &SimulatedBody, overwrite: Overwrite) {
        let velocity = velocity_of(of.velocity, of.angular_velocity);
        let synced = self.synced.bypass_change_detection();
        let follows = match overwrite {
            Overwrite::All => *self.velocity != velocity,
            Overwrite::Unchanged => {
                !synced.velocity.is_same(velocity) && synced.velocity.is_same(*self.velocity)
            }
        };
        if follows {
            *self.velocity = velocity;
        }
        if follows || overwrite == Overwrite::All {
            synced.velocity = velocity;
        }
    }

    /// Writes the pose of a body after a step that began at `before`, and notes the entity if it moved.
    #[inline]
    fn follow_motion(
        &mut self,
        of: &SimulatedBody,
        before: Planar,
        overwrite: Overwrite,
        moved: &mut Moved,
    ) {
        let step = [before, Planar::new(of.position, of.rotation)];
        let synced = self.synced.bypass_change_detection();
        synced.step = step;
        synced.rotation = of.rotation;
        if step[0] != step[1] {
            synced.moved_in = moved.step;
            moved.entities.push(self.entity);
        }
        if self.nested {
            return;
        }
        write_pose(
            &mut self.transform,
            &mut self.synced,
            step[1].into(),
            overwrite,
        );
    }
}

/// Writes a pose, unless the user changed it. Depth and scale belong to the user.
#[inline]
fn write_pose(
    transform: &mut Mut<'_, Transform>,
    synced: &mut Mut<'_, Synced>,
    pose: Placed,
    overwrite: Overwrite,
) {
    let synced = synced.bypass_change_detection();
    let follows = match overwrite {
        Overwrite::All => Placed::of(transform) != pose,
        // The transform of a body at rest is not read.
        Overwrite::Unchanged => synced.pose != pose && synced.has_pose_of(transform),
    };
    if follows {
        transform.translation = pose.at.extend(transform.translation.z);
        transform.rotation = pose.rotation();
    }
    if follows || overwrite == Overwrite::All {
        synced.pose = pose;
    }
}

/// Writes poses and velocities after a step.
pub(crate) fn write_back(
    mut physics: ResMut<'_, Physics>,
    mut simulated: ResMut<'_, Simulated>,
    mut writer: BodyWriter<'_, '_>,
    tick: SystemChangeTick,
) {
    let touched = core::mem::take(&mut physics.registry.touched);
    let all_touched = core::mem::take(&mut physics.registry.all_touched);
    let physics = &*physics;
    simulated.written.step = Some(tick.this_run());
    let shows_end = simulated.shown == 1.0;
    let mut moved = simulated.read(physics);
    let mut follow = |parts: &mut BodyPartsItem<'_, '_>, of: &SimulatedBody| {
        parts.follow_velocity(of, Overwrite::Unchanged);
        let before = if all_touched {
            planar_before(physics.world.body(of.body))
        } else if shows_end && parts.synced.is_at(of) {
            return;
        } else {
            // The end of the step before: no call can have moved the body since.
            parts.synced.step[1]
        };
        parts.follow_motion(of, before, Overwrite::Unchanged, &mut moved);
    };
    let are_most = writer.are_most(simulated.bodies.len());
    let mut bodies = writer.transforms.p0();
    if are_most {
        let mut next = 0;
        for mut parts in &mut bodies {
            let body = parts.synced.body;
            if let Some(of) = body.and_then(|body| simulated.find(body, &mut next)) {
                follow(&mut parts, of);
            }
        }
    } else {
        for of in &simulated.bodies {
            let entity = physics.registry.entity_of_body(of.body);
            if let Some(Ok(mut parts)) = entity.map(|entity| bodies.get_mut(entity)) {
                follow(&mut parts, of);
            }
        }
    }
    for entity in touched {
        if let Some(body) = physics.body(entity) {
            writer.write_body(body, entity, Overwrite::Unchanged, &mut moved);
        }
    }
    let at = Shown::after(moved.step);
    simulated.moved = moved;
    writer.write_nested(physics, at, Overwrite::Unchanged);
}

/// Writes poses between the last two steps, for drawing.
pub(crate) fn interpolate(
    physics: Res<'_, Physics>,
    mut simulated: ResMut<'_, Simulated>,
    time: Res<'_, Time<Fixed>>,
    mut writer: BodyWriter<'_, '_>,
    tick: SystemChangeTick,
) {
    simulated.written.shown = Some(tick.this_run());
    writer.write_moved(&physics, &mut simulated, time.overstep_fraction());
}

/// Returns `true` if transforms may hold other poses than those of the last step.
pub(crate) fn shows_other_poses(
    simulated: Res<'_, Simulated>,
    nested: Query<'_, '_, (), (With<Synced>, With<ChildOf>)>,
) -> bool {
    simulated.shown != 1.0 || !nested.is_empty()
}

/// Returns `true` if transforms between the last two steps may differ from those after them.
pub(crate) fn shows_motion(
    simulated: Res<'_, Simulated>,
    nested: Query<'_, '_, (), (With<Synced>, With<ChildOf>)>,
) -> bool {
    !simulated.moved.entities.is_empty() || !nested.is_empty()
}

/// Writes the poses of the last step, for systems in fixed schedules.
pub(crate) fn show_last_step(
    physics: Res<'_, Physics>,
    mut simulated: ResMut<'_, Simulated>,
    mut writer: BodyWriter<'_, '_>,
    tick: SystemChangeTick,
) {
    simulated.written.last_step = Some(tick.this_run());
    writer.write_moved(&physics, &mut simulated, 1.0);
}

/// Writes poses and velocities of all bodies, and replaces the values of the components: after the state was restored.
pub(crate) fn write_all(
    physics: Res<'_, Physics>,
    mut simulated: ResMut<'_, Simulated>,
    mut writer: BodyWriter<'_, '_>,
) {
    let mut moved = simulated.read(&physics);
    for mut parts in &mut writer.transforms.p0() {
        parts.synced.body = None;
    }
    for body in physics.world.bodies() {
        let Some(entity) = physics.registry.entity_of_body(body.id()) else {
            continue;
        };
        if let Ok(mut parts) = writer.transforms.p0().get_mut(entity) {
            parts.synced.body = Some(body.id());
        }
        writer.write_body(body, entity, Overwrite::All, &mut moved);
    }
    let at = Shown::after(moved.step);
    simulated.moved = moved;
    writer.write_nested(&physics, at, Overwrite::All);
}
