//! Bridges of pinned planks under bodies of hundreds of times their mass.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, RevoluteJointDef, ShapeDef, World};
use cairn2d_geometry::math::{PI, sin_cos};

const PLANKS: u32 = 30;

/// A bridge of planks of 1 m along an arc, its ends nearer to each other by twice the `slack` \[m\], and `clearance` over it at `x` a ball of 1 m of
/// `ratio` times a plank's mass. Returns the ball.
fn loaded_bridge(world: &mut World, slack: f32, (x, clearance): (f32, f32), ratio: f32) -> BodyId {
    let half = 0.5 * PLANKS as f32;
    // An arc of length 2 a, of which half turns by b, spans 2 a sin(b) / b.
    let bend = (6.0 * slack / half).sqrt();
    let ways: Vec<(f32, (f32, f32))> = (0..PLANKS)
        .map(|i| bend * ((i as f32 + 0.5) / half - 1.0))
        .map(|angle| (angle, sin_cos(angle)))
        .collect();
    let span: f32 = ways.iter().map(|(_, (_, cos))| cos).sum();
    let ground = world.create_body(BodyDef::static_());
    let (mut before, mut at, mut top) = (ground, (-0.5 * span, 0.0), f32::NEG_INFINITY);
    for (angle, (sin, cos)) in ways {
        let def = BodyDef::dynamic()
            .position(at.0 + 0.5 * cos, at.1 + 0.5 * sin)
            .angle(angle);
        let plank = solid(world, def, rect(0.5, 0.1));
        world.create_joint(RevoluteJointDef::new(before, plank).at(world, at));
        let next = (at.0 + cos, at.1 + sin);
        if next.0 > x - 1.5 && at.0 < x + 1.5 {
            top = top.max(at.1).max(next.1);
        }
        (before, at) = (plank, next);
    }
    world.create_joint(RevoluteJointDef::new(before, ground).at(world, at));
    let density = ratio * world.body(before).mass() / PI;
    let def = BodyDef::dynamic().position(x, top + 1.1 + clearance);
    add(world, def, disc(1.0), ShapeDef::default().density(density))
}

#[test]
fn slack_bridge_closes_its_joints_under_what_rests_on_it() {
    for (slack, ratio) in [(0.3, 1000.0), (1.0, 300.0), (1.0, 3000.0), (2.0, 1000.0)] {
        let mut world = exact();
        loaded_bridge(&mut world, slack, (0.0, 0.1), ratio);
        run(&mut world, 1200);
        // It was 1 mm: soft joints yield by their load.
        assert!(
            widest_gap(&world) < 3.0e-4,
            "{slack} m, {ratio}: {}",
            widest_gap(&world)
        );
    }
}

#[test]
fn taut_bridge_holds_what_falls_on_it_and_does_not_throw_it() {
    // Its joints take all of the ball's energy into gaps of some 10 um and give it back. Taken for an explosion, that left the bridge to the
    // sweeps, and the ball fell through where it lay 9 m from the middle.
    for (ratio, drop) in [(1000.0, 0.1), (300.0, 1.0), (3000.0, 0.1), (1000.0, 3.0)] {
        for i in -7..=7 {
            let x = 1.87 * i as f32;
            let mut world = exact();
            let ball = loaded_bridge(&mut world, 0.0, (x, drop), ratio);
            let start = y(&world, ball) - drop;
            for _ in 0..300 {
                step(&mut world);
                // By joints that got stiffer while they were open it was thrown to twelve meters.
                assert!(y(&world, ball) < start + drop + 0.1, "from {x}, {ratio}");
                assert!(
                    y(&world, ball) > start - 0.5,
                    "through the bridge at {x}, {ratio}"
                );
            }
            assert!(speed(&world, ball) < 1.0, "from {x}, {ratio}");
        }
    }
}

#[test]
fn bridge_that_loses_its_load_lets_go_of_what_it_bore() {
    let mut world = exact();
    let ball = loaded_bridge(&mut world, 1.0, (0.0, 0.1), 1000.0);
    run(&mut world, 900);
    world.destroy_body(ball);
    for _ in 0..600 {
        step(&mut world);
        // The load of the joints without a gap is some 2000 times a plank's weight. Planks fly up, but none far above the ends of the bridge.
        let highest = world
            .bodies()
            .map(|body| body.position().y)
            .fold(0.0, f32::max);
        assert!(highest < 1.0, "{highest}");
    }
    assert!(widest_gap(&world) < 1.0e-3);
}
