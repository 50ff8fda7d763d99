//! Off-mesh links: walkers stop at jumps and doors until the caller starts the crossing.

use crate::support::*;
use cairn2d::crowd::AgentId;
use cairn2d::prelude::*;

const JUMP: u32 = 7;
const DOOR: u32 = 8;

/// A wall at x = 3, and a walker at the origin whose route has a link through it.
fn before_a_wall(route: Route) -> (World, CrowdController, AgentId, [BodyId; 2]) {
    let (mut world, mut crowd) = plane();
    let wall = add(
        &mut world,
        BodyDef::static_().position(3.0, 0.0),
        block(0.2, 50.0),
    );
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    crowd.follow(agent, route);
    (world, crowd, agent, [body, wall])
}

fn way(kind: u32) -> Route {
    Route::through([(2.0, 0.0), (4.0, 0.0), (6.0, 1.0)]).link(0, kind)
}

/// Runs until the walker is at a link, for at most ten seconds; returns the kinds of the reported links.
fn reports(world: &mut World, crowd: &mut CrowdController) -> Vec<u32> {
    let mut kinds = Vec::new();
    for _ in 0..600 {
        crowd.update(world, DT);
        world.step(DT);
        for event in crowd.events() {
            if let ControllerEventKind::AtLink { kind } = event.kind {
                kinds.push(kind);
            }
        }
    }
    kinds
}

#[test]
fn walker_waits_at_a_link_and_reports_it_once() {
    let (mut world, mut crowd, agent, [body, _]) = before_a_wall(way(JUMP));
    assert_eq!(crowd.link(agent), None);
    assert!(!crowd.suspend(agent) && !crowd.cross_on_foot(agent) && !crowd.resume(agent));
    assert_eq!(reports(&mut world, &mut crowd), [JUMP]);
    let link = OffMeshLink {
        start: 0,
        kind: JUMP,
    };
    assert_eq!(crowd.link(agent), Some(link));
    assert!((world.body(body).position() - point(2.0, 0.0)).norm() < 0.4);
    assert!(world.body(body).velocity().norm() < 0.05);
}

#[test]
fn suspended_walker_is_left_to_the_caller_and_resumes_behind_the_link() {
    let (mut world, mut crowd, agent, [body, _]) = before_a_wall(way(JUMP));
    reports(&mut world, &mut crowd);
    assert!(crowd.suspend(agent));
    assert!(!crowd.suspend(agent), "once");
    // Over the wall, invisible to others, with a velocity that no agent would choose.
    world.body_mut(body).set_pose((3.2, 0.5), 0.0);
    world.body_mut(body).set_velocity(vec2(0.0, 3.0));
    crowd.update(&mut world, DT);
    assert_eq!(crowd.events()[0].kind, ControllerEventKind::Parked);
    assert_eq!(world.body(body).velocity(), vec2(0.0, 3.0));
    world.body_mut(body).set_pose((4.0, 0.0), 0.0);
    assert!(crowd.resume(agent));
    assert!(!crowd.resume(agent), "once");
    run(&mut world, &mut crowd, 6.0);
    assert!(crowd.crowd().agent(agent).has_arrived());
    assert!((world.body(body).position() - point(6.0, 1.0)).norm() < 0.25);
}

#[test]
fn walker_crosses_a_door_when_allowed() {
    let (mut world, mut crowd, agent, [body, wall]) = before_a_wall(way(DOOR));
    assert_eq!(reports(&mut world, &mut crowd), [DOOR]);
    world.destroy_body(wall);
    run(&mut world, &mut crowd, 1.0);
    assert!(world.body(body).position().x < 2.4, "still waits");
    assert!(crowd.cross_on_foot(agent));
    assert_eq!(crowd.link(agent), None);
    run(&mut world, &mut crowd, 6.0);
    assert!(crowd.crowd().agent(agent).has_arrived());
}

#[test]
fn no_corner_is_cut_past_the_start_of_a_link() {
    // The far end is visible, and nearer than the start.
    let (mut world, mut crowd) = plane();
    let (agent, body) = walker(&mut world, &mut crowd, 0.0, 0.0);
    let mut finder = |_: &PathQuery<'_>| {
        let points = [(2.0, 2.0), (2.0, 0.0), (5.0, 0.0)];
        Some(Path {
            points: points.map(WorldPoint::from).to_vec(),
            links: vec![OffMeshLink {
                start: 0,
                kind: JUMP,
            }],
        })
    };
    crowd.follow(agent, Route::to((5.0, 0.0)));
    for _ in 0..600 {
        crowd.update_with(&mut world, DT, &mut finder);
        world.step(DT);
    }
    assert!((world.body(body).position() - point(2.0, 2.0)).norm() < 0.4);
    assert!(crowd.cross_on_foot(agent));
    for _ in 0..600 {
        crowd.update_with(&mut world, DT, &mut finder);
        world.step(DT);
    }
    assert!(crowd.crowd().agent(agent).has_arrived());
}

#[test]
fn links_without_an_end_are_refused() {
    let (_, mut crowd, agent, _) = before_a_wall(way(DOOR));
    let error = crowd
        .try_follow(agent, way(DOOR).link(2, JUMP))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "a link starts at point 2 of 3: it needs a point after it"
    );
}
