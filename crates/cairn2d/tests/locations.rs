//! Location of the panic of a refused call: the line of the caller, not of the engine.

use cairn2d::crowd::{AgentDef, Crowd};
use cairn2d::prelude::*;
use std::panic::{catch_unwind, set_hook, take_hook};
use std::sync::Mutex;

/// Files of the panics so far.
static FILES: Mutex<Vec<String>> = Mutex::new(Vec::new());

#[test]
fn refused_call_of_crowd_or_controller_shows_the_line_of_the_caller() {
    let acts: [fn(); 9] = [
        || {
            let _ = Crowd::default().create_agent(AgentDef::at((f32::NAN, 0.0)));
        },
        || Crowd::default().step(-1.0),
        || Crowd::default().solve(f32::NAN),
        || {
            let mut crowd = Crowd::default();
            let agent = crowd.create_agent(AgentDef::at((0.0, 0.0)));
            crowd.set_preferred_velocities(|_, _| vec2(f32::NAN, 0.0));
            crowd.destroy_agent(agent);
        },
        || {
            let mut crowd = Crowd::default();
            let agent = crowd.create_agent(AgentDef::at((0.0, 0.0)));
            crowd.destroy_agent(agent);
            let _ = crowd.agent(agent).position();
        },
        || {
            let mut crowd = Crowd::default();
            let agent = crowd.create_agent(AgentDef::at((0.0, 0.0)));
            let velocity = vec2(0.0, f32::INFINITY);
            crowd.agent_mut(agent).set_preferred_velocity(velocity);
        },
        || {
            let mut world = World::default();
            let wall = world.create_body(BodyDef::static_());
            CrowdController::new(ControllerDef::default()).attach(
                &world,
                wall,
                &CrowdBodyDef::default(),
            );
        },
        || CrowdController::new(ControllerDef::default()).update(&mut World::default(), -1.0),
        || {
            let mut world = World::default();
            let body = world.create_body(BodyDef::kinematic());
            let mut walkers = CrowdController::new(ControllerDef::default());
            let agent = walkers.attach(&world, body, &CrowdBodyDef::default());
            walkers.follow(agent, Route::to((5.0, 0.0)));
            let nowhere = WorldPoint::from((f32::NAN, 0.0));
            let mut finder = |_: &PathQuery<'_>| Some(vec![nowhere]);
            walkers.update_with(&mut world, 1.0, &mut finder);
        },
    ];
    let usual = take_hook();
    set_hook(Box::new(|info| {
        let file = info.location().map_or("", |location| location.file());
        FILES.lock().unwrap().push(file.to_owned());
    }));
    let refused = acts.map(|act| catch_unwind(act).is_err());
    set_hook(usual);
    assert_eq!(refused, [true; 9]);
    for (i, file) in FILES.lock().unwrap().iter().enumerate() {
        assert!(file.ends_with("locations.rs"), "call {i}: {file}");
    }
}
