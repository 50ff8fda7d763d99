//! Time slices: crowds arrive in the same time, limits hold, and results do not depend on threads.

#[expect(dead_code, reason = "the other tests use more of it")]
mod scenes;

use cairn2d_crowd::{AgentDef, Crowd, CrowdDef};
use cairn2d_geometry::math::vec2;
use scenes::run::{Report, Run};
use scenes::{Scene, circle, corridor, packed, random};

const STEP: f32 = 1.0 / 60.0;

/// Lets the scene's agents decide in one of `interval` steps until all have arrived.
fn walked(scene: &Scene, interval: u32, limit: f32) -> Report {
    let def = CrowdDef {
        steering_interval: interval,
        ..CrowdDef::default()
    };
    let run = Run::with(scene, def);
    run.until_all_arrive(STEP, limit)
}

#[test]
fn decisions_at_20_hz_lead_through_as_fast_as_at_60() {
    for (scene, limit) in [(corridor(), 120.0), (circle(30), 90.0)] {
        let [all, turns] = [1, 3].map(|interval| walked(&scene, interval, limit));
        assert_eq!(turns.arrived(), 1.0);
        assert!(turns.time_of(0.95) <= 1.1 * all.time_of(0.95));
        assert!(turns.deepest < 0.02, "deepest overlap {}", turns.deepest);
        assert!(turns.wall <= 1e-4, "wall overlap {}", turns.wall);
    }
}

/// Only the agents that decided in a step settled their contacts. The others kept their velocities, so those that pushed
/// against them came to overlap by more than 6 %.
#[test]
fn packed_crowds_do_not_overlap_between_decisions() {
    for interval in [1, 3, 6] {
        let report = walked(&packed(), interval, 10.0);
        let deepest = report.deepest;
        assert!(deepest < 0.03, "deepest overlap {deepest} at {interval}");
        assert!(report.wall <= 1e-3, "wall overlap {}", report.wall);
    }
}

#[test]
fn limits_of_a_step_hold_between_decisions() {
    let (acceleration, rate) = (3.0, 2.0);
    let mut crowd = Crowd::default();
    crowd.set_def(CrowdDef {
        steering_interval: 4,
        ..*crowd.def()
    });
    let def = |i: usize| AgentDef {
        max_acceleration: acceleration,
        max_turn_rate: rate,
        velocity: vec2(1.0, 0.0),
        preferred_velocity: vec2(-0.3, if i.is_multiple_of(2) { 1.0 } else { -1.0 }),
        ..AgentDef::at((1.5 * (i % 6) as f32, 1.5 * (i / 6) as f32))
    };
    let ids: Vec<_> = (0..36).map(|i| crowd.create_agent(def(i))).collect();
    for _ in 0..240 {
        crowd.solve(STEP);
        for id in &ids {
            let change = crowd.agent(*id).new_velocity() - crowd.agent(*id).velocity();
            assert!(change.norm() <= acceleration * STEP + 1e-5);
        }
        crowd.integrate(STEP);
    }
    let risen = ids
        .iter()
        .step_by(2)
        .filter(|id| crowd.agent(**id).velocity().y > 0.5);
    assert!(risen.count() > 12, "most walk where they want");
}

#[test]
fn neither_threads_nor_a_snapshot_show() {
    let hash = |threads: u32| {
        let def = CrowdDef {
            threads,
            steering_interval: 3,
            ..CrowdDef::default()
        };
        let mut run = Run::with(&random(2500, 0.3, 4), def);
        (0..40).for_each(|_| run.step(STEP));
        let mut copy = run.crowd.clone();
        for crowd in [&mut run.crowd, &mut copy] {
            (0..7).for_each(|_| crowd.step(STEP));
        }
        assert_eq!(copy.state_hash(), run.crowd.state_hash());
        copy.state_hash()
    };
    let alone = hash(1);
    assert_eq!([hash(2), hash(4)], [alone; 2]);
}

#[test]
#[should_panic(expected = "cannot make the crowd: steering_interval is 0, which is not in 1 to")]
fn an_interval_of_no_steps_is_refused() {
    let _ = Crowd::new(CrowdDef {
        steering_interval: 0,
        ..CrowdDef::default()
    });
}
