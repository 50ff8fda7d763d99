//! Three ropes with a weight: links on pins, one distance joint, and a rope that breaks.

use cairn2d::prelude::*;

const DT: f32 = 1.0 / 60.0;
const LENGTH: f32 = 4.0;

fn weight(world: &mut World, x: f32, y: f32) -> BodyId {
    let body = world.create_body(BodyDef::dynamic().position(x, y));
    let shape = Polygon::rectangle(0.5, 0.5);
    world.create_shape(body, shape, ShapeDef::default().density(5.0));
    body
}

/// Hangs a weight at the end of a row of links.
fn chain(world: &mut World, hook: BodyId, x: f32) -> BodyId {
    let links = 8;
    let half = 0.5 * LENGTH / links as f32;
    let mut last = hook;
    for i in 0..links {
        let y = -half * (2 * i + 1) as f32;
        let link = world.create_body(BodyDef::dynamic().position(x, y));
        let shape = Capsule::new(point(0.0, -half), point(0.0, half), 0.05);
        world.create_shape(link, shape, ShapeDef::default());
        world.create_joint(RevoluteJointDef::new(last, link).at(world, (x, y + half)));
        last = link;
    }
    let load = weight(world, x, -LENGTH - 0.5);
    world.create_joint(RevoluteJointDef::new(last, load).at(world, (x, -LENGTH)));
    load
}

/// Hangs a weight on one joint that limits the distance; returns the weight and the joint.
fn cord(world: &mut World, hook: BodyId, x: f32, break_force: f32) -> (BodyId, JointId) {
    let load = weight(world, x, -1.0);
    let mut joint = DistanceJointDef::new(hook, load);
    joint.base.frame_a = JointFrame::at(x, 0.0);
    joint.limit = Some(Limit::new(0.0, LENGTH));
    joint.base.break_force = break_force;
    (load, world.create_joint(joint))
}

/// State of the ropes after 5 s.
struct Outcome {
    /// Heights of the three weights [m].
    heights: [f32; 3],
    /// Widest gap of a joint [m].
    gap: f32,
    breaks: usize,
}

fn run() -> Outcome {
    let mut world = World::default();
    let hook = world.create_body(BodyDef::static_());
    let linked = chain(&mut world, hook, -3.0);
    let (held, cord_a) = cord(&mut world, hook, 0.0, f32::INFINITY);
    // 5 kg: it hangs with 50 N, but the jerk of the fall is more.
    let (lost, _) = cord(&mut world, hook, 3.0, 60.0);
    let mut breaks = 0;
    for _ in 0..300 {
        world.step(DT);
        breaks += world.joint_breaks().len();
    }
    assert!(world.get_joint(cord_a).is_some());
    Outcome {
        heights: [linked, held, lost].map(|body| world.body(body).position().y),
        gap: world.joints().map(|joint| joint.gap()).fold(0.0, f32::max),
        breaks,
    }
}

fn main() {
    let Outcome {
        heights,
        gap,
        breaks,
    } = run();
    println!(
        "heights {heights:.2?} m, widest gap {:.2} mm, {breaks} broken",
        1000.0 * gap
    );
}

#[cfg(test)]
mod tests {
    #[test]
    fn two_ropes_hold_and_one_breaks() {
        let outcome = super::run();
        let [linked, held, lost] = outcome.heights;
        assert!((linked + super::LENGTH + 0.5).abs() < 0.02, "{linked}");
        assert!((held + super::LENGTH).abs() < 0.02, "{held}");
        assert!(lost < -50.0 && outcome.breaks == 1, "{lost}");
        assert!(outcome.gap < 0.005, "{}", outcome.gap);
    }
}
