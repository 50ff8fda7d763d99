//! Agents with a turn limit: they respect it, and still reach their targets.

#[expect(dead_code, reason = "the other tests use more of it")]
mod scenes;

use approx::assert_abs_diff_eq;
use cairn2d_crowd::{AgentDef, AgentId, Crowd, Target};
use cairn2d_geometry::math::{Vec2, WorldPoint, atan2, cross};
use scenes::ring;

const STEP: f32 = 0.05;

/// Angle between two vectors [rad].
fn angle(a: &Vec2, b: &Vec2) -> f32 {
    atan2(cross(a, b), a.dot(b)).abs()
}

/// Checks a step's turns: of the heading of each agent, and of its velocity relative to the heading.
fn step(crowd: &mut Crowd, ids: &[AgentId], rate: f32) {
    let before: Vec<Option<Vec2>> = ids.iter().map(|id| crowd.agent(*id).heading()).collect();
    crowd.step(STEP);
    for (id, before) in ids.iter().zip(before) {
        let after = crowd.agent(*id).heading().unwrap();
        assert_abs_diff_eq!(after.norm(), 1.0, epsilon = 1e-5);
        let turn = before.map_or(0.0, |before| angle(&before, &after));
        assert!(turn <= rate * STEP + 1e-4, "turned by {turn}");
    }
}

/// One agent at the origin, on its way along x, whose target lies elsewhere.
fn walker(max_turn_rate: f32, point: WorldPoint, radius: f32) -> (Crowd, AgentId) {
    let mut crowd = Crowd::default();
    let target = Target {
        point,
        radius,
        speed: 1.0,
    };
    let id = crowd.create_agent(AgentDef {
        velocity: Vec2::new(1.0, 0.0),
        target: Some(target),
        max_turn_rate,
        ..AgentDef::at((0.0, 0.0))
    });
    (crowd, id)
}

#[test]
fn an_agent_that_goes_back_turns_on_the_spot() {
    let rate = 1.0;
    let (mut crowd, id) = walker(rate, WorldPoint::new(-5.0, 0.0), 0.1);
    let mut steps = 0;
    while !crowd.agent(id).has_arrived() {
        step(&mut crowd, &[id], rate);
        let velocity = crowd.agent(id).velocity();
        if velocity.norm() > 1e-3 {
            assert!(angle(&velocity, &crowd.agent(id).heading().unwrap()) < 1e-3);
        }
        steps += 1;
        // Half a turn, the path, and a quarter more for the turn while it walks.
        assert!(
            steps as f32 * STEP < 5.0 + 1.25 * core::f32::consts::PI,
            "late"
        );
    }
    assert!(steps as f32 * STEP > core::f32::consts::PI);
}

#[test]
fn no_agent_circles_a_target_beside_its_path() {
    let rate = 0.5;
    let (mut crowd, id) = walker(rate, WorldPoint::new(-0.6, 1.6), 0.05);
    // It needs 3.9 s to turn and 1.7 s for the path; without the arc speed it still circled after 12 s.
    (0..160).for_each(|_| step(&mut crowd, &[id], rate));
    assert!(
        crowd.agent(id).has_arrived(),
        "{:?}",
        crowd.agent(id).position()
    );
}

#[test]
fn slow_turners_cross_a_circle_without_touching() {
    let rate = 1.0;
    let scene = ring(20, 20.0);
    let mut crowd = Crowd::default();
    let create = |(def, goal): (&AgentDef, &WorldPoint)| {
        let target = Target {
            point: *goal,
            radius: 1.5,
            speed: 1.0,
        };
        crowd.create_agent(AgentDef {
            max_turn_rate: rate,
            target: Some(target),
            ..*def
        })
    };
    let ids: Vec<AgentId> = scene.agents.iter().zip(&scene.goals).map(create).collect();
    let mut steps = 0;
    while !ids.iter().all(|id| crowd.agent(*id).has_arrived()) {
        step(&mut crowd, &ids, rate);
        for (i, a) in ids.iter().enumerate() {
            for b in &ids[..i] {
                let apart = (crowd.agent(*a).position() - crowd.agent(*b).position()).norm();
                assert!(apart > 3.0 - 0.03, "{apart}");
            }
        }
        steps += 1;
        assert!(steps as f32 * STEP < 100.0, "free, they need 40 s");
    }
}

#[test]
fn an_agent_that_cannot_turn_walks_straight_on() {
    let mut crowd = Crowd::default();
    let id = crowd.create_agent(AgentDef {
        velocity: Vec2::new(1.0, 0.0),
        preferred_velocity: Vec2::new(0.6, 0.8),
        max_turn_rate: 0.0,
        ..AgentDef::at((0.0, 0.0))
    });
    crowd.step(STEP);
    let velocity = crowd.agent(id).velocity();
    assert!((velocity - Vec2::new(0.6, 0.0)).norm() < 1e-4, "{velocity}");
}
