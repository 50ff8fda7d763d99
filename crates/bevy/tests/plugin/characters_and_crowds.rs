//! Characters and crowd agents as components.

use crate::common::*;
use bevy_app::prelude::*;
use bevy_cairn2d::prelude::*;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use cairn2d::{CharacterController, ControllerEventKind, Route, WorldDef};

const DT: f32 = 1.0 / RATE as f32;

/// Walks to the right and falls.
fn walk(mut characters: Query<(&mut Character, &CharacterState)>) {
    for (mut character, state) in &mut characters {
        let fall = if state.is_grounded() {
            0.0
        } else {
            character.velocity.y
        };
        character.velocity = Vec2::new(2.0, fall - 10.0 * DT);
    }
}

fn hero(app: &mut App, x: f32) -> Entity {
    let hero = (
        Character::default(),
        Collider::capsule(0.4, 1.0),
        at(x, 1.5),
    );
    spawn(app, hero)
}

#[test]
fn character_falls_walks_and_stops_at_a_wall() {
    let mut app = app();
    app.add_systems(FixedUpdate, walk);
    let floor = ground(&mut app);
    let wall = spawn(
        &mut app,
        (
            RigidBody::Static,
            Collider::rectangle(1.0, 6.0),
            at(5.0, 3.0),
        ),
    );
    let hero = hero(&mut app, 0.0);
    run(&mut app, 60);
    let state = app.world().get::<CharacterState>(hero).unwrap();
    assert_eq!(state.ground.unwrap().collider, Some(floor));
    let x = place(&app, hero).x;
    run(&mut app, 30);
    assert!((place(&app, hero).x - x - 1.0).abs() < 0.01);
    run(&mut app, 120);
    let skin = CharacterController::default().skin;
    assert!(
        (place(&app, hero).x - (4.1 - skin)).abs() < 0.01,
        "{}",
        place(&app, hero)
    );
    let state = app.world().get::<CharacterState>(hero).unwrap();
    assert!(
        state
            .obstacles
            .iter()
            .any(|o| o.collider == Some(wall) && o.normal.x < -0.99)
    );
}

#[test]
fn character_rides_on_a_platform_and_drops_through_what_it_ignores() {
    let mut app = app();
    let velocity = Velocity::linear(1.5, 0.0);
    let lift = spawn(
        &mut app,
        (
            RigidBody::Kinematic,
            Collider::rectangle(4.0, 0.2),
            velocity,
        ),
    );
    let hero = hero(&mut app, 0.0);
    let fall = |mut characters: Query<(&mut Character, &CharacterState)>| {
        for (mut character, state) in &mut characters {
            let fall = if state.is_grounded() {
                0.0
            } else {
                character.velocity.y
            };
            character.velocity = Vec2::new(0.0, fall - 10.0 * DT);
        }
    };
    app.add_systems(FixedUpdate, fall);
    run(&mut app, 60);
    let ground = app
        .world()
        .get::<CharacterState>(hero)
        .unwrap()
        .ground
        .unwrap();
    assert!((ground.velocity.x - 1.5).abs() < 1.0e-5);
    let apart = place(&app, hero).x - place(&app, lift).x;
    run(&mut app, 60);
    assert!((place(&app, hero).x - place(&app, lift).x - apart).abs() < 1.0e-3);
    app.world_mut()
        .get_mut::<Character>(hero)
        .unwrap()
        .ignored
        .push(lift);
    run(&mut app, 40);
    assert!(place(&app, hero).y < -1.0);
}

#[test]
fn character_pushes_what_it_runs_into() {
    let mut app = app();
    app.add_systems(FixedUpdate, walk);
    ground(&mut app);
    let hero = hero(&mut app, 0.0);
    app.world_mut()
        .get_mut::<Character>(hero)
        .unwrap()
        .push_mass = 50.0;
    let crate_ = spawn(
        &mut app,
        (
            RigidBody::Dynamic,
            Collider::rectangle(1.0, 1.0),
            at(2.5, 0.5),
        ),
    );
    run(&mut app, 150);
    assert!(place(&app, crate_).x > 3.0, "{}", place(&app, crate_));
}

#[test]
fn invalid_controller_is_reported() {
    let mut app = app();
    let hero = hero(&mut app, 0.0);
    app.world_mut()
        .get_mut::<Character>(hero)
        .unwrap()
        .controller
        .skin = -1.0;
    run(&mut app, 1);
    assert_eq!(drain::<PhysicsProblem>(&mut app)[0].entity, hero);
}

fn agent(app: &mut App, x: f32, goal: f32) -> Entity {
    let walker = (
        RigidBody::Dynamic,
        Collider::circle(0.3),
        at(x, 0.0),
        CrowdAgent::default(),
        CrowdRoute(Route::through([(goal, 0.0)])),
    );
    spawn(app, walker)
}

#[test]
fn agents_pass_each_other_and_arrive() {
    let mut app = app_of(PhysicsPlugin::new(WorldDef::weightless()));
    let [left, right] = [agent(&mut app, -4.0, 4.0), agent(&mut app, 4.0, -4.0)];
    let mut nearest = f32::INFINITY;
    for _ in 0..600 {
        run(&mut app, 1);
        nearest = nearest.min(place(&app, left).distance(place(&app, right)));
    }
    assert!(nearest > 0.59, "{nearest}");
    for (walker, goal) in [(left, 4.0), (right, -4.0)] {
        assert!((place(&app, walker).x - goal).abs() < 0.3);
        assert!(app.world().get::<AgentState>(walker).unwrap().has_arrived);
    }
    // Another route, then no agent.
    app.world_mut()
        .entity_mut(left)
        .insert(CrowdRoute(Route::through([(4.0, 2.0)])));
    run(&mut app, 200);
    assert!((place(&app, left).y - 2.0).abs() < 0.3);
    app.world_mut().entity_mut(left).remove::<CrowdAgent>();
    run(&mut app, 1);
    assert_eq!(physics(&app).crowd().walker_count(), 1);
}

#[test]
fn agent_events_name_entities() {
    let mut app = app_of(PhysicsPlugin::new(WorldDef::weightless()));
    let walker = agent(&mut app, 0.0, 4.0);
    run(&mut app, 1);
    app.world_mut()
        .get_mut::<BodyOptions>(walker)
        .unwrap()
        .initial_state = InitialState::Disabled;
    run(&mut app, 1);
    let events = drain::<AgentEvent>(&mut app);
    assert_eq!(
        events,
        [AgentEvent {
            entity: walker,
            kind: ControllerEventKind::Parked
        }]
    );
}
