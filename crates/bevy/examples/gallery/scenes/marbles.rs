//! Marbles in a tray, pushed by a resource that a game sets from its input.

use super::at;
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;

/// Half the side of the tray \[m\].
pub(crate) const HALF: f32 = 5.0;

/// Acceleration of the marbles [m/s^2].
#[derive(Resource, Default)]
pub(crate) struct Push(pub(crate) Vec2);

#[derive(Component)]
pub(crate) struct Marble;

pub(crate) fn scene(app: &mut App) {
    // Seen from above: no gravity.
    app.add_plugins(PhysicsPlugin::new(WorldDef::weightless()))
        .init_resource::<Push>()
        .add_systems(Startup, spawn)
        .add_systems(FixedUpdate, push);
}

fn spawn(mut commands: Commands) {
    for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
        let size = |along: f32| if along == 0.0 { 2.0 * HALF } else { 1.0 };
        let wall = Collider::rectangle(size(x), size(y));
        let distance = HALF + 0.5;
        commands.spawn((RigidBody::Static, wall, at(x * distance, y * distance)));
    }
    let damped = BodyOptions::default().with(|def| def.linear_damping = 0.3);
    for i in 0..36 {
        let (x, y) = ((i % 6) as f32 - 2.5, (i / 6) as f32 - 2.5);
        commands.spawn((
            Marble,
            RigidBody::Dynamic,
            Collider::circle(0.3),
            SurfaceMaterial::restitution(0.7),
            at(x, y),
            damped.clone(),
        ));
    }
}

/// Forces are calls of the engine, which apply at once: in the order of keys they do not depend on archetypes.
fn push(
    push: Res<Push>,
    marbles: Query<(&PhysicsKey, Entity), With<Marble>>,
    mut physics: ResMut<Physics>,
) {
    let mut marbles: Vec<_> = marbles.iter().collect();
    marbles.sort_unstable();
    for (_, marble) in marbles {
        if let Some(mut body) = physics.body_mut(marble) {
            body.apply_acceleration(push.0);
        }
    }
}
