//! Creates and changes bodies.

use super::columns::{has_changes, has_changes_but, is_changed};
use crate::body::{BodyOptions, Placed, RigidBody, Synced, Velocity, body_def};
use crate::changes::Changes;
use crate::hierarchy::Hierarchy;
use crate::key::PhysicsKey;
use crate::physics::Physics;
use crate::problem::{PhysicsError, PhysicsProblem, report};
use crate::transforms::Simulated;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_ecs::system::SystemChangeTick;
use bevy_transform::components::Transform;
use cairn2d::{BodyDef, BodyId, BodyKind, BodyMut, InitialState, WorldPoint};

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct BodyView {
    entity: Entity,
    key: &'static PhysicsKey,
    kind: Ref<'static, RigidBody>,
    transform: Ref<'static, Transform>,
    velocity: Ref<'static, Velocity>,
    options: Ref<'static, BodyOptions>,
    synced: &'static mut Synced,
}

/// The components of bodies, as columns of tables.
type Columns = (
    Entity,
    &'static PhysicsKey,
    Ref<'static, RigidBody>,
    Ref<'static, BodyOptions>,
    Ref<'static, Transform>,
    Ref<'static, Velocity>,
    &'static Synced,
);

/// Lists the bodies that are new or changed.
pub(crate) fn gather_bodies(
    physics: Res<'_, Physics>,
    mut changes: ResMut<'_, Changes>,
    mut simulated: ResMut<'_, Simulated>,
    bodies: Query<'_, '_, Columns>,
    tick: SystemChangeTick,
) {
    let all = physics.restored;
    let own = core::mem::take(&mut simulated.written).or(tick.last_run());
    // There is such an iterator for components in tables, as all of these are.
    let tables = bodies.contiguous_iter().into_iter().flatten();
    for (entities, keys, kinds, options, transforms, velocities, synced) in tables {
        let settings = all || has_changes(&kinds) || has_changes(&options);
        let motions = has_changes_but(&transforms, own) || has_changes_but(&velocities, own);
        if !settings && !motions {
            continue;
        }
        let has_changed = |row: usize| {
            let synced: &Synced = &synced[row];
            (settings && (all || is_changed(&kinds, row) || is_changed(&options, row)))
                || (is_changed(&transforms, row) && !synced.has_pose_of(&transforms[row]))
                || (is_changed(&velocities, row) && !synced.velocity.is_same(velocities[row]))
        };
        let changed = (0..entities.len()).filter(|&row| has_changed(row));
        changes
            .bodies
            .extend(changed.map(|row| (keys[row].get(), entities[row])));
    }
}

/// Creates the bodies of new entities, and applies changes of components to the others, by key.
pub(crate) fn sync_bodies(
    mut physics: ResMut<'_, Physics>,
    mut changes: ResMut<'_, Changes>,
    mut bodies: Query<'_, '_, BodyView>,
    hierarchy: Hierarchy<'_, '_>,
    mut problems: MessageWriter<'_, PhysicsProblem>,
) {
    changes.bodies.sort_unstable();
    for (_, entity) in changes.bodies.drain(..) {
        let Ok(mut body) = bodies.get_mut(entity) else {
            continue;
        };
        let result = sync_body(&mut physics, &mut body, &hierarchy);
        report(&mut problems, entity, result);
    }
}

fn sync_body(
    physics: &mut Physics,
    view: &mut BodyViewItem<'_, '_>,
    hierarchy: &Hierarchy<'_, '_>,
) -> Result<(), PhysicsError> {
    let pose = hierarchy.pose(view.entity, &view.transform);
    let def = body_def(*view.kind, &view.options, *view.velocity, pose, *view.key);
    def.validate()?;
    let body = match physics.registry.body(view.entity) {
        Some(body) => {
            change_body(physics, view, body, &def)?;
            body
        }
        None => {
            view.synced.body = None;
            refuse_second(physics, view.entity, *view.key)?;
            let body = physics.world.try_create_body(&def)?;
            physics.registry.set_body(view.entity, *view.key, body);
            body
        }
    };
    let body = physics.world.body(body);
    *view.synced = Synced::of(body, &view.transform, *view.velocity);
    Ok(())
}

/// Refuses the key of another entity.
pub(super) fn refuse_second(
    physics: &Physics,
    entity: Entity,
    key: PhysicsKey,
) -> Result<(), PhysicsError> {
    let key = key.get();
    match physics.registry.present(key) {
        Some(other) if other != entity => Err(PhysicsError::SameKey { key, other }),
        _ => Ok(()),
    }
}

fn change_body(
    physics: &mut Physics,
    view: &BodyViewItem<'_, '_>,
    body: BodyId,
    def: &BodyDef,
) -> Result<(), PhysicsError> {
    let max_speed = physics.world.def().tuning.max_linear_speed;
    let Some(mut body) = physics.world.get_body_mut(body) else {
        return Ok(());
    };
    set_options(&mut body, def, max_speed)?;
    set_motion(&mut body, view, def)?;
    Ok(())
}

/// Sets pose and velocity where the user changed them. A coordinate that was not changed keeps its exact value.
fn set_motion(
    body: &mut BodyMut<'_>,
    view: &BodyViewItem<'_, '_>,
    def: &BodyDef,
) -> Result<(), PhysicsError> {
    let (before, now) = (view.synced.pose, Placed::of(&view.transform));
    if before != now {
        let kept = body.as_ref();
        let position: WorldPoint = if before.at == now.at {
            kept.position_exact()
        } else {
            def.position
        };
        let angle = if before.has_rotation_of(now) {
            kept.angle()
        } else {
            def.angle
        };
        body.try_set_pose(position, angle)?;
    }
    if view.synced.velocity != *view.velocity {
        body.try_set_velocity(def.velocity)?;
        body.try_set_angular_velocity(def.angular_velocity)?;
    }
    Ok(())
}

/// Sets the fields that differ from the definition: a call that changes nothing may still wake the body.
fn set_options(body: &mut BodyMut<'_>, def: &BodyDef, max_speed: f32) -> Result<(), PhysicsError> {
    set_kind_and_state(body, def.kind, def.initial_state);
    let now = body.as_ref();
    let (damping, locks) = (now.damping(), now.locks());
    let sleep_speed = now.sleep_speed();
    let (continuous, bullet, fast) = (now.continuous(), now.is_bullet(), now.has_fast_rotation());
    let (linear_cap, angular_cap) = (now.max_linear_speed(), now.max_angular_speed());
    if now.gravity_scale() != def.gravity_scale {
        body.try_set_gravity_scale(def.gravity_scale)?;
    }
    if damping != [def.linear_damping, def.angular_damping] {
        body.try_set_damping(def.linear_damping, def.angular_damping)?;
    }
    if linear_cap != def.max_linear_speed.unwrap_or(max_speed) {
        body.try_set_max_linear_speed(def.max_linear_speed)?;
    }
    if angular_cap != def.max_angular_speed {
        body.try_set_max_angular_speed(def.max_angular_speed)?;
    }
    match def.can_sleep.then_some(def.sleep_speed) {
        wanted if wanted == sleep_speed => {}
        None => body.set_can_sleep(false),
        Some(speed) => body.try_set_sleep_speed(speed)?,
    }
    if locks != def.locks {
        body.set_locks(def.locks);
    }
    if continuous != def.continuous {
        body.set_continuous(def.continuous);
    }
    if bullet != def.bullet {
        body.set_bullet(def.bullet);
    }
    if fast != def.fast_rotation {
        body.set_fast_rotation(def.fast_rotation);
    }
    Ok(())
}

fn set_kind_and_state(body: &mut BodyMut<'_>, kind: BodyKind, state: InitialState) {
    if body.as_ref().kind() != kind {
        body.set_kind(kind);
    }
    match (state == InitialState::Disabled, body.as_ref().is_enabled()) {
        (true, true) => body.disable(),
        (false, false) => body.enable(),
        _ => {}
    }
}
