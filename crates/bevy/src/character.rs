//! Characters: bodies that the engine's character controller moves.

use crate::body::RigidBody;
use crate::convert::{from_world_point, to_bevy, to_engine};
use crate::key::PhysicsKey;
use crate::physics::Physics;
use crate::problem::{PhysicsError, PhysicsProblem, report};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::Time;
use cairn2d::{CharacterController, CharacterMove, Footing, ShapeId};

/// Moves a kinematic body as a character: it slides along walls, climbs slopes and steps, and rides on platforms.
///
/// You set the velocity, including gravity and jumps; [`CharacterState`] has the motion of the last step.
#[derive(Component, Clone, Debug, PartialEq)]
#[require(PhysicsKey, RigidBody = RigidBody::Kinematic, CharacterState)]
pub struct Character {
    /// The settings of the engine.
    pub controller: CharacterController<'static>,
    /// Velocity that it should have [m/s].
    pub velocity: Vec2,
    /// Mass with which it pushes dynamic bodies \[kg\]; 0: it does not.
    pub push_mass: f32,
    /// Colliders and bodies that are not solid to it, such as a one-way platform through which it drops.
    pub ignored: Vec<Entity>,
}

impl Default for Character {
    fn default() -> Self {
        Self {
            controller: CharacterController::default(),
            velocity: Vec2::ZERO,
            push_mass: 0.0,
            ignored: Vec::new(),
        }
    }
}

/// Result of the last step of a character.
#[derive(Component, Clone, Debug, Default, PartialEq)]
pub struct CharacterState {
    /// Translation \[m\], the motion of the ground that carries it included.
    pub translation: Vec2,
    /// Kind of support.
    pub footing: Footing,
    /// The ground; `None` unless it stands on ground that it can walk on.
    pub ground: Option<Ground>,
    /// The colliders that it ran into, each once, in order of the first hit.
    pub obstacles: Vec<Obstacle>,
}

impl CharacterState {
    /// Returns `true` if the character stands on ground that it can walk on.
    #[must_use]
    pub const fn is_grounded(&self) -> bool {
        self.ground.is_some()
    }
}

/// The ground under a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Entity of the collider; `None` for a shape without entity.
    pub collider: Option<Entity>,
    /// Point of support \[m\].
    pub point: Vec2,
    /// Unit normal of the surface.
    pub normal: Vec2,
    /// Velocity of the ground at the point [m/s].
    pub velocity: Vec2,
}

/// A collider that a character ran into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// Entity of the collider; `None` for a shape without entity.
    pub collider: Option<Entity>,
    /// Point of the hit \[m\].
    pub point: Vec2,
    /// Unit normal out of the collider, toward the character.
    pub normal: Vec2,
}

/// Moves the characters for the coming step, by key.
pub(crate) fn move_characters(
    mut physics: ResMut<'_, Physics>,
    mut characters: Query<'_, '_, (Entity, &PhysicsKey, &Character, &mut CharacterState)>,
    time: Res<'_, Time>,
    mut problems: MessageWriter<'_, PhysicsProblem>,
) {
    let mut order: Vec<_> = characters
        .iter()
        .map(|(entity, key, ..)| (key.get(), entity))
        .collect();
    order.sort_unstable();
    for (_, entity) in order {
        let Ok((.., character, mut state)) = characters.get_mut(entity) else {
            continue;
        };
        let moved = move_character(&mut physics, entity, character, time.delta_secs());
        let result = moved.map(|walk| {
            if let Some(walk) = walk {
                state.set_if_neq(state_of(&physics, &walk));
            }
        });
        report(&mut problems, entity, result);
    }
}

fn move_character(
    physics: &mut Physics,
    entity: Entity,
    character: &Character,
    dt: f32,
) -> Result<Option<CharacterMove>, PhysicsError> {
    let Some(body) = physics.body_id(entity) else {
        return Ok(None);
    };
    let ignored = ignored_shapes(physics, &character.ignored);
    let accept = |shape: ShapeId| ignored.binary_search(&shape).is_err();
    let controller = character.controller.accept(&accept);
    let desired = to_engine(character.velocity) * dt;
    let walk = controller.try_move_body(&mut physics.world, body, desired, dt)?;
    controller.push(&mut physics.world, &walk, character.push_mass, dt);
    Ok(Some(walk))
}

/// Returns the shapes of colliders and bodies, sorted.
fn ignored_shapes(physics: &Physics, entities: &[Entity]) -> Vec<ShapeId> {
    let mut shapes = Vec::new();
    for &entity in entities {
        shapes.extend_from_slice(physics.shapes(entity));
        let body = physics.body(entity);
        shapes.extend(
            body.into_iter()
                .flat_map(|body| body.shapes().map(|s| s.id())),
        );
    }
    shapes.sort_unstable();
    shapes
}

fn state_of(physics: &Physics, walk: &CharacterMove) -> CharacterState {
    CharacterState {
        translation: to_bevy(walk.translation),
        footing: walk.footing,
        ground: walk.ground.map(|ground| Ground {
            collider: physics.entity_of_shape(ground.shape),
            point: from_world_point(ground.point),
            normal: to_bevy(ground.normal),
            velocity: to_bevy(ground.velocity),
        }),
        obstacles: walk
            .hits
            .iter()
            .map(|hit| Obstacle {
                collider: physics.entity_of_shape(hit.shape),
                point: from_world_point(hit.point),
                normal: to_bevy(hit.normal),
            })
            .collect(),
    }
}
