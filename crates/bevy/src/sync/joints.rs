//! Creates and changes joints.

use super::bodies::refuse_second;
use crate::joint::Joint;
use crate::key::PhysicsKey;
use crate::physics::Physics;
use crate::problem::{PhysicsError, PhysicsProblem, report};
use bevy_ecs::prelude::*;
use cairn2d::{JointDef, JointId};

/// Creates joints whose bodies exist, and applies changes of components, by key. Gears come last: they need their joints.
pub(crate) fn sync_joints(
    mut physics: ResMut<'_, Physics>,
    joints: Query<'_, '_, (Entity, &PhysicsKey, Ref<'_, Joint>)>,
    mut problems: MessageWriter<'_, PhysicsProblem>,
) {
    let all = physics.restored;
    let is_due = |key: &PhysicsKey, joint: &Ref<'_, Joint>| {
        all || joint.is_changed() || physics.registry.waiting.contains(&key.get())
    };
    let due = joints.iter().filter(|(_, key, joint)| is_due(key, joint));
    let mut due: Vec<(bool, u64, Entity)> = due
        .map(|(entity, key, joint)| (joint.geared.is_some(), key.get(), entity))
        .collect();
    due.sort_unstable();
    for (.., entity) in due {
        let Ok((entity, key, joint)) = joints.get(entity) else {
            continue;
        };
        let result = sync_joint(&mut physics, entity, *key, &joint);
        report(&mut problems, entity, result);
    }
}

fn sync_joint(
    physics: &mut Physics,
    entity: Entity,
    key: PhysicsKey,
    joint: &Ref<'_, Joint>,
) -> Result<(), PhysicsError> {
    refuse_second(physics, entity, key)?;
    let Some(def) = resolved(physics, key, joint) else {
        physics.registry.record(entity, key);
        physics.registry.waiting.insert(key.get());
        return Ok(());
    };
    let before = physics.registry.get(entity).and_then(|record| record.joint);
    let existing = before.filter(|&id| physics.world.get_joint(id).is_some());
    let joint = match (existing, before) {
        (Some(id), _) => change_joint(physics, id, def)?,
        // A joint that broke is not restored together with the state.
        (None, Some(_)) if !joint.is_changed() => return Ok(()),
        (None, _) => physics.world.try_create_joint(def)?,
    };
    physics.registry.record(entity, key).joint = Some(joint);
    physics.registry.waiting.remove(&key.get());
    Ok(())
}

/// Changes a joint, or makes it anew if it became one of another kind or of other bodies.
fn change_joint(
    physics: &mut Physics,
    id: JointId,
    def: JointDef,
) -> Result<JointId, PhysicsError> {
    let now = physics.world.joint(id).def();
    let same_kind = core::mem::discriminant(now) == core::mem::discriminant(&def);
    let bodies = |def: &JointDef| [def.base().body_a, def.base().body_b];
    if same_kind && bodies(now) == bodies(&def) {
        physics.world.try_set_joint(id, def)?;
        return Ok(id);
    }
    let new = physics.world.try_create_joint(def)?;
    physics.world.destroy_joint(id);
    Ok(new)
}

/// Returns the definition with the ids of bodies and joints; `None` while one of them does not exist.
fn resolved(physics: &Physics, key: PhysicsKey, joint: &Joint) -> Option<JointDef> {
    let [a, b] = joint.bodies;
    let mut def = joint.def;
    let base = def.base_mut();
    base.body_a = physics.registry.body(a)?;
    base.body_b = physics.registry.body(b)?;
    base.user_data = key.get();
    if let JointDef::Gear(gear) = &mut def {
        let [a, b] = joint.geared?;
        gear.joint_a = physics.joint_id(a)?;
        gear.joint_b = physics.joint_id(b)?;
    }
    Some(def)
}
