//! The state hash of a few crowds, pinned: a change of any bit of a trajectory shows here.
//!
//! A failure prints the new numbers. A commit may replace them if it changes trajectories for a stated reason.

#[expect(dead_code, reason = "the other tests use more of it")]
mod scenes;

use cairn2d_crowd::{AgentDef, CrowdDef, Model, Motion, ObstacleDef, Target};
use cairn2d_geometry::math::{point, rotation, vec2};
use scenes::run::Run;
use scenes::{Scene, blocks, circle, corridor, random};

const STEP: f32 = 0.25;

/// Returns the definition of agent `i` with a feature that follows from its number.
fn with_features(i: usize, def: &AgentDef) -> AgentDef {
    let limit = |applies: bool, value: f32| if applies { value } else { f32::INFINITY };
    AgentDef {
        weight: if i % 5 == 1 { 2.0 } else { 1.0 },
        priority: u8::from(i % 7 == 2),
        max_acceleration: limit(i.is_multiple_of(3), 4.0),
        max_turn_rate: limit(i.is_multiple_of(4), 2.0),
        radius: if i.is_multiple_of(9) { 0.1 } else { def.radius },
        mask: if i.is_multiple_of(11) { 2 } else { u32::MAX },
        layers: 1 + (i % 2) as u32,
        neighbor_limit: [10, 20, 3][i % 3],
        model: [
            Model::Orca,
            Model::Orca,
            Model::Reciprocal,
            Model::Hybrid,
            Model::VelocityObstacle,
        ][i % 5],
        ..*def
    }
}

/// A random crowd whose agents use all features.
fn mixed() -> Scene {
    let mut scene = random(400, 0.3, 9);
    for (i, def) in scene.agents.iter_mut().enumerate() {
        *def = with_features(i, def);
    }
    scene
}

/// Returns the hash of a crowd after some steps, of which the caller's changes are part.
fn hash(scene: &Scene, def: CrowdDef, mut change: impl FnMut(usize, &mut Run)) -> u64 {
    let mut run = Run::with(scene, def);
    for step in 0..80 {
        change(step, &mut run);
        run.step(STEP);
    }
    run.crowd.state_hash()
}

#[test]
fn state_hashes_are_the_pinned_ones() {
    let plain = |scene: &Scene| hash(scene, CrowdDef::default(), |_, _| {});
    let slices = CrowdDef {
        steering_interval: 3,
        ..CrowdDef::default()
    };
    // Agents are removed and created, walk to targets, and a bar turns among them.
    let changes = |step: usize, run: &mut Run| {
        if step == 0 {
            let bar = [point(-4.0, 0.0), point(4.0, 0.0)];
            run.crowd.create_obstacle(ObstacleDef::line(bar));
            for id in run.ids.iter().step_by(3) {
                let (point, radius, speed) = ((20.0, 20.0).into(), 0.5, 1.2);
                let target = Target {
                    point,
                    radius,
                    speed,
                };
                run.crowd.agent_mut(*id).set_target(Some(target));
            }
        }
        let bar = run.crowd.obstacles().next().map(|bar| bar.id());
        run.crowd.obstacle_mut(bar.unwrap()).set_motion(Motion {
            position: (18.0, 18.0).into(),
            rotation: rotation(0.1 * step as f32),
            velocity: vec2(0.0, 0.0),
            angular_velocity: 0.4,
        });
        if step % 20 == 5 {
            let id = run.ids[step];
            let def = run.crowd.agent(id).def();
            assert!(run.crowd.destroy_agent(id));
            run.ids[step] = run.crowd.create_agent(def);
        }
    };
    let found = [
        ("circle", plain(&circle(100))),
        ("blocks", plain(&blocks(3, 1))),
        ("corridor", plain(&corridor())),
        ("dense", plain(&random(600, 0.3, 2))),
        ("mixed", plain(&mixed())),
        ("time slices", hash(&mixed(), slices, |_, _| {})),
        ("changes", hash(&mixed(), CrowdDef::default(), changes)),
    ];
    let found = found.map(|(name, hash)| format!("{name} {hash:016x}"));
    let pinned = [
        "circle 325b068bf6db5b9c",
        "blocks 774581040cef6966",
        "corridor 96f342bc228399c4",
        "dense 645fed5c50ac3837",
        "mixed 7da237d661e29301",
        "time slices fd8d3ac22e05ff13",
        "changes a61439d23bf1c158",
    ];
    assert_eq!(found, pinned);
}
