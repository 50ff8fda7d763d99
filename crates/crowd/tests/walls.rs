//! Walls: agents walk around them, rotating ones hit no agent, and visibility agrees with the plain
//! geometry.

#[expect(dead_code, reason = "other programs use more of it")]
mod scenes;

use cairn2d_crowd::{AgentDef, AgentId, Crowd, Motion, ObstacleDef, Target};
use cairn2d_geometry::math::{Vec2, WorldPoint, point, rotation, vec2};
use proptest::prelude::*;
use scenes::across;
use scenes::run::Run;

/// Without a detour, an agent squarely before a wall stands there forever: the half-planes of the
/// wall leave no velocity that is nearer to its preferred velocity than rest.
#[test]
fn a_block_squarely_across_the_way_is_walked_round() {
    for half_width in [0.5, 2.0, 8.0] {
        let report = Run::new(&across(half_width)).until_all_arrive(0.1, 60.0);
        assert_eq!(report.arrived(), 1.0, "half width {half_width}");
        assert!(report.wall <= 1e-3, "{}", report.wall);
        assert!(report.deepest <= 1e-2, "{}", report.deepest);
    }
}

#[test]
fn a_wall_close_behind_the_target_deflects_no_agent() {
    let mut crowd = Crowd::default();
    crowd.create_obstacle(ObstacleDef::line([point(5.4, -9.0), point(5.4, 9.0)]));
    let target = Target {
        point: WorldPoint::new(5.0, 0.0),
        radius: 0.05,
        speed: 1.3,
    };
    let def = AgentDef {
        target: Some(target),
        obstacle_horizon: 3.0,
        ..AgentDef::at((0.0, 0.0))
    };
    let agent = crowd.create_agent(def);
    for _ in 0..400 {
        crowd.step(0.05);
        assert!(crowd.agent(agent).position().y.abs() < 1e-3);
    }
    assert!(
        crowd.agent(agent).has_arrived(),
        "{:?}",
        crowd.agent(agent).position()
    );
}

#[test]
fn a_rotating_bar_hits_no_agent() {
    const STEP: f32 = 0.05;
    const RATE: f32 = 0.3;
    let mut crowd = Crowd::default();
    let bar = [(-2.0, -0.1), (2.0, -0.1), (2.0, 0.1), (-2.0, 0.1)].map(|(x, y)| point(x, y));
    let bar = crowd.create_obstacle(&ObstacleDef {
        angular_velocity: RATE,
        ..ObstacleDef::ring(bar)
    });
    let ids: Vec<AgentId> = [(1.5, 0.8), (-1.5, -0.8), (0.3, 1.2), (-1.0, -1.5)]
        .map(|at| {
            let def = AgentDef {
                obstacle_horizon: 1.5,
                ..AgentDef::at(at)
            };
            crowd.create_agent(def)
        })
        .to_vec();
    for i in 0..500 {
        let motion = |angle| Motion {
            position: WorldPoint::ORIGIN,
            rotation: rotation(angle),
            velocity: Vec2::zeros(),
            angular_velocity: RATE,
        };
        crowd
            .obstacle_mut(bar)
            .set_motion(motion(RATE * STEP * i as f32));
        crowd.step(STEP);
        let now = rotation(RATE * STEP * (i + 1) as f32);
        for id in &ids {
            let local =
                now.inverse_transform_vector(&(crowd.agent(*id).position() - WorldPoint::ORIGIN));
            let (x, y) = (local.x.abs() - 2.0, local.y.abs() - 0.1);
            let gap = vec2(x.max(0.0), y.max(0.0)).norm() - 0.3;
            assert!(gap > -5e-3, "{gap} at step {i}");
        }
    }
}

/// Smallest distance between points of a path and of segments, all sampled.
fn sampled_distance(walls: &[[(f32, f32); 2]], to: Vec2) -> f32 {
    let mut least = f32::INFINITY;
    for i in 0..=400 {
        let p = to * (i as f32 / 400.0);
        for &[a, b] in walls {
            let (a, b) = (vec2(a.0, a.1), vec2(b.0, b.1));
            let t = ((p - a).dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
            least = least.min((p - a - (b - a) * t).norm());
        }
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn sight_agrees_with_sampled_ways(
        walls in proptest::collection::vec(((-9.0f32..9.0, -9.0f32..9.0), (0.5f32..4.0, 0.5f32..4.0)), 1..20),
        x in -9.0f32..9.0, y in -9.0f32..9.0, radius in 0.0f32..1.0,
    ) {
        let walls: Vec<[(f32, f32); 2]> = walls.iter().map(|&(a, d)| [a, (a.0 + d.0, a.1 + d.1)]).collect();
        let mut crowd = Crowd::default();
        for &[a, b] in &walls {
            crowd.create_obstacle(ObstacleDef::line([point(a.0, a.1), point(b.0, b.1)]));
        }
        crowd.update_obstacles();
        let distance = sampled_distance(&walls, vec2(x, y));
        // Samples lie up to 13 m / 400 apart: nearer results are undecided.
        if (distance - radius).abs() > 0.02 {
            let seen = crowd.is_visible(WorldPoint::ORIGIN, (x, y), radius, u32::MAX);
            prop_assert_eq!(seen, distance > radius);
        }
    }
}
