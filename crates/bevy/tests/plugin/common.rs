//! Apps for tests.

use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use cairn2d::WorldDef;

/// Steps in a second.
pub(crate) const RATE: f64 = 60.0;

/// An app that makes one step in each update.
pub(crate) fn app() -> App {
    app_of(PhysicsPlugin::default())
}

/// An app without gravity.
pub(crate) fn weightless() -> App {
    app_of(PhysicsPlugin::new(WorldDef::weightless()))
}

pub(crate) fn app_of(plugin: PhysicsPlugin) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, plugin))
        .insert_resource(Time::<Fixed>::from_hz(RATE))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    collect::<ContactStarted>(&mut app);
    collect::<ContactEnded>(&mut app);
    collect::<ContactHit>(&mut app);
    collect::<ContactForce>(&mut app);
    collect::<SensorEntered>(&mut app);
    collect::<SensorLeft>(&mut app);
    collect::<JointBroke>(&mut app);
    collect::<BodyEvent>(&mut app);
    collect::<AgentEvent>(&mut app);
    collect::<PhysicsProblem>(&mut app);
    // The first update starts the clock: it has no time and no step.
    app.update();
    app
}

pub(crate) fn run(app: &mut App, steps: usize) {
    for _ in 0..steps {
        app.update();
        app.world()
            .resource::<Physics>()
            .world()
            .assert_consistent();
    }
}

pub(crate) fn spawn(app: &mut App, bundle: impl Bundle) -> Entity {
    app.world_mut().spawn(bundle).id()
}

pub(crate) fn at(x: f32, y: f32) -> Transform {
    Transform::from_xyz(x, y, 0.0)
}

pub(crate) fn ground(app: &mut App) -> Entity {
    let floor = (
        RigidBody::Static,
        Collider::rectangle(40.0, 2.0),
        at(0.0, -1.0),
    );
    spawn(app, floor)
}

pub(crate) fn place(app: &App, entity: Entity) -> Vec2 {
    let transform = app.world().get::<Transform>(entity).unwrap();
    transform.translation.truncate()
}

pub(crate) fn velocity(app: &App, entity: Entity) -> Velocity {
    *app.world().get::<Velocity>(entity).unwrap()
}

pub(crate) fn physics(app: &App) -> &Physics {
    app.world().resource::<Physics>()
}

/// Messages since they were last drained: Bevy keeps them for two frames only.
#[derive(Resource)]
struct Collected<M>(Vec<M>);

fn collect<M: Message + Clone>(app: &mut App) {
    let read = |mut reader: MessageReader<M>, mut collected: ResMut<Collected<M>>| {
        collected.0.extend(reader.read().cloned());
    };
    app.insert_resource(Collected::<M>(Vec::new()))
        .add_systems(Last, read);
}

/// Messages of a kind that were sent since they were last drained.
pub(crate) fn drain<M: Message>(app: &mut App) -> Vec<M> {
    core::mem::take(&mut app.world_mut().resource_mut::<Collected<M>>().0)
}
