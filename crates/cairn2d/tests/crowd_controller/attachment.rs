//! Attachment: agents and their bodies, destruction of either, refused arguments.

use crate::support::*;
use cairn2d::crowd::{AgentDef, AgentId, Target};
use cairn2d::geometry::tolerance::LINEAR_SLOP;
use cairn2d::prelude::*;

#[test]
fn agent_goes_with_its_body_and_the_body_stays_without_agent() {
    let (mut world, mut crowd) = plane();
    let (first, first_body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let (second, second_body) = walker(&mut world, &mut crowd, 5.0, 0.0);
    for agent in [first, second] {
        crowd
            .crowd_mut()
            .agent_mut(agent)
            .set_preferred_velocity(vec2(0.0, 1.0));
    }
    run(&mut world, &mut crowd, 0.5);
    world.destroy_body(first_body);
    crowd.update(&mut world, DT);
    let events: Vec<_> = crowd
        .events()
        .iter()
        .map(|e| (e.agent, e.body, e.kind))
        .collect();
    assert_eq!(events, [(first, first_body, ControllerEventKind::BodyGone)]);
    assert!(crowd.crowd().get_agent(first).is_none());
    crowd.crowd_mut().destroy_agent(second);
    run(&mut world, &mut crowd, 0.5);
    assert_eq!(crowd.walker_count(), 0);
    assert_eq!(
        world.body(second_body).velocity(),
        vec2(0.0, 1.0),
        "left to itself"
    );
}

#[test]
fn detached_bodies_are_left_alone() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let other = add(
        &mut world,
        BodyDef::kinematic().position(0.0, 5.0),
        disc(RADIUS),
    );
    let second = crowd.attach(&world, other, &CrowdBodyDef::default());
    for agent in [agent, second] {
        crowd
            .crowd_mut()
            .agent_mut(agent)
            .set_preferred_velocity(vec2(1.0, 0.0));
    }
    run(&mut world, &mut crowd, 1.0);
    assert!(crowd.detach(&mut world, agent) && crowd.detach(&mut world, second));
    assert!(!crowd.detach(&mut world, agent), "once");
    assert_eq!(world.body(body).velocity(), vec2(1.0, 0.0));
    assert_eq!(world.body(other).velocity(), Vec2::zeros());
    assert_eq!(
        (crowd.crowd().agent_count(), crowd.agent_of(body)),
        (0, None)
    );
    let again = crowd.attach(&world, body, &CrowdBodyDef::default());
    assert_ne!(again, agent, "a name never comes to mean another");
    assert_eq!(crowd.body_of(agent), None);
}

#[test]
fn agent_destroyed_between_updates_leaves_its_slot_to_another() {
    let (mut world, mut crowd) = plane();
    let (first, first_body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    crowd.crowd_mut().destroy_agent(first);
    let (second, second_body) = walker(&mut world, &mut crowd, 5.0, 0.0);
    assert_eq!(first.index(), second.index());
    run(&mut world, &mut crowd, 0.1);
    assert_eq!(crowd.agent_of(first_body), None);
    assert_eq!(crowd.agent_of(second_body), Some(second));
    assert_eq!(crowd.walker_count(), 1);
}

#[test]
fn agents_of_disabled_bodies_are_invisible() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let (other, other_body) = walker(&mut world, &mut crowd, -3.0, 0.0);
    world.body_mut(body).disable();
    crowd
        .crowd_mut()
        .agent_mut(other)
        .set_preferred_velocity(vec2(1.0, 0.0));
    run(&mut world, &mut crowd, 5.0);
    let passed = world.body(other_body).position();
    assert!(
        passed.x > 1.5 && passed.y == 0.0,
        "straight through: {passed}"
    );
    world.body_mut(body).enable();
    crowd.update(&mut world, DT);
    assert_eq!(crowd.events()[0].kind, ControllerEventKind::Unparked);
    assert_eq!(crowd.crowd().agent(agent).def().mask, u32::MAX);
    crowd
        .crowd_mut()
        .agent_mut(agent)
        .set_preferred_velocity(vec2(-1.0, 0.0));
    run(&mut world, &mut crowd, 1.0);
    assert!(world.body(body).position().x < -0.5);
}

#[test]
fn agents_without_bodies_walk_among_the_others() {
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let ghost = crowd.crowd_mut().create_agent(AgentDef::at((4.0, 0.0)));
    let to = |x: f32| {
        Some(Target {
            point: (x, 0.0).into(),
            radius: 0.1,
            speed: 1.0,
        })
    };
    crowd.crowd_mut().agent_mut(agent).set_target(to(4.0));
    crowd.crowd_mut().agent_mut(ghost).set_target(to(0.0));
    for _ in 0..600 {
        crowd.update(&mut world, DT);
        world.step(DT);
        let apart =
            (crowd.crowd().agent(ghost).position() - world.body(body).center_exact()).norm();
        assert!(apart > 0.6 - LINEAR_SLOP, "{apart}");
    }
    assert!(crowd.crowd().agent(agent).has_arrived() && crowd.crowd().agent(ghost).has_arrived());
}

#[test]
fn invalid_arguments_are_refused_and_change_nothing() {
    let (mut world, mut crowd) = plane();
    let wall = add(&mut world, BodyDef::static_(), disc(1.0));
    let empty = world.create_body(BodyDef::dynamic());
    let (agent, body) = walker(&mut world, &mut crowd, 5.0, 0.0);
    let gone = add(&mut world, BodyDef::dynamic(), disc(1.0));
    world.destroy_body(gone);
    let def = CrowdBodyDef::default();
    let check = |result: Result<AgentId, ControllerError>, text: &str| {
        assert_eq!(result.unwrap_err().to_string(), text);
    };
    let message = format!("{wall:?} is static: only dynamic and kinematic bodies can walk");
    check(crowd.try_attach(&world, wall, &def), &message);
    let message =
        format!("{empty:?} is dynamic and has no mass: give it a shape with density first");
    check(crowd.try_attach(&world, empty, &def), &message);
    check(
        crowd.try_attach(&world, gone, &def),
        &format!("{gone:?} names no body of this world"),
    );
    check(
        crowd.try_attach(&world, body, &def),
        &format!("{body:?} is driven by {agent:?} already"),
    );
    let bad = CrowdBodyDef {
        max_force: -1.0,
        ..def
    };
    check(
        crowd.try_attach(&world, body, &bad),
        "max_force is -1, which is negative",
    );
    let bad = ControllerDef {
        push_ratio: f32::NAN,
        ..ControllerDef::default()
    };
    let error = CrowdController::try_new(bad).unwrap_err().to_string();
    assert_eq!(error, "push_ratio is NaN, which is not a finite number");
    assert_eq!((crowd.walker_count(), crowd.crowd().agent_count()), (1, 1));
    assert!(crowd.try_follow(agent, Route::default()).is_err() && crowd.route(agent).is_none());
    crowd.update(&mut world, 0.0);
    assert_eq!(crowd.events(), []);
}

#[test]
#[should_panic(expected = "dt is NaN, which is not a finite number")]
fn step_of_nan_is_refused() {
    let (mut world, mut crowd) = plane();
    crowd.update(&mut world, f32::NAN);
}
