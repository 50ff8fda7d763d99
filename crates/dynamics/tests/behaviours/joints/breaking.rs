//! Joints that break, and their events.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, DistanceJointDef, GearJointDef, JointDef, Limit, MotorJointDef, MouseJointDef,
    PrismaticJointDef, PulleyJointDef, RevoluteJointDef, WeldJointDef, WheelJointDef, World,
};
use cairn2d_geometry::math::{WorldPoint, vec2};

/// A static body and a beam hung from it, both at (`x`, 0).
fn pair(world: &mut World, x: f32) -> (BodyId, BodyId) {
    let base = world.create_body(BodyDef::static_().position(x, 0.0));
    let beam = solid(world, BodyDef::dynamic().position(x, 0.0), rect(0.5, 0.5));
    (base, beam)
}

#[test]
fn each_kind_of_joint_breaks_once_and_tells_its_load() {
    let mut world = world();
    let mut beams = Vec::new();
    let mut joints = Vec::new();
    for kind in 0..6_u64 {
        let x = 5.0 * kind as f32;
        let (base, beam) = pair(&mut world, x);
        let mut def: JointDef = match kind {
            0 => {
                let rod = DistanceJointDef::new(base, beam);
                rod.between(&world, (x, 1.0), (x, 0.0)).into()
            }
            1 => {
                let mut motor = MotorJointDef::new(base, beam);
                (motor.max_velocity_force, motor.max_velocity_torque) = (1.0e6, 1.0e6);
                motor.into()
            }
            2 => PrismaticJointDef::new(base, beam)
                .at(&world, (x, 0.0), vec2(1.0, 0.0))
                .into(),
            3 => RevoluteJointDef::new(base, beam).into(),
            4 => WeldJointDef::new(base, beam).into(),
            _ => WheelJointDef::new(base, beam)
                .at(&world, (x, 0.0), vec2(1.0, 0.0))
                .into(),
        };
        def.base_mut().break_force = 100.0;
        def.base_mut().user_data = kind;
        joints.push(world.create_joint(def));
        beams.push(beam);
    }
    let mut broken = Vec::new();
    for i in 0..300 {
        for &beam in &beams {
            world.body_mut(beam).apply_force(vec2(0.0, -0.5 * i as f32));
        }
        step(&mut world);
        for event in world.joint_breaks() {
            assert!(world.get_joint(event.joint).is_none());
            let force = event.reaction.force.norm();
            assert!(
                (100.0..130.0).contains(&force),
                "kind {}: {force}",
                event.user_data
            );
            broken.push(event.user_data);
        }
    }
    broken.sort_unstable();
    assert_eq!(broken, [0, 1, 2, 3, 4, 5]);
    assert_eq!(world.joint_count(), 0);
}

#[test]
fn mouse_pulley_and_gear_break_once_and_tell_their_load() {
    for kind in 0..3 {
        let mut world = world();
        let (base, beam) = pair(&mut world, 0.0);
        let mut def: JointDef = match kind {
            0 => MouseJointDef::new(base, beam).into(),
            1 => {
                let (_, other) = pair(&mut world, 5.0);
                let wheels = [(0.0, 3.0), (5.0, 3.0)].map(WorldPoint::from);
                PulleyJointDef::new(beam, other, wheels[0], wheels[1], 6.0).into()
            }
            _ => {
                let (far, other) = pair(&mut world, 5.0);
                let slide = |base: BodyId, beam: BodyId, x: f32| {
                    PrismaticJointDef::new(base, beam).at(&world, (x, 0.0), vec2(0.0, 1.0))
                };
                let [a, b] = [slide(base, beam, 0.0), slide(far, other, 5.0)];
                let joints = [a, b].map(|slider| world.create_joint(slider));
                GearJointDef::new(beam, other, joints[0], joints[1]).into()
            }
        };
        // The load of a gear is that on the coordinate of its first joint, as a torque.
        def.base_mut().break_force = 100.0;
        def.base_mut().break_torque = 100.0;
        def.base_mut().user_data = 7;
        let joint = world.create_joint(def);
        let mut loads = Vec::new();
        for i in 0..600 {
            let push = vec2(0.0, -0.5 * i as f32);
            let bodies: Vec<_> = world.bodies().map(|body| body.id()).collect();
            for body in bodies {
                world.body_mut(body).apply_force(push);
            }
            step(&mut world);
            for event in world.joint_breaks() {
                assert_eq!((event.joint, event.user_data), (joint, 7));
                let reaction = event.reaction;
                loads.push(reaction.force.norm().max(reaction.torque.abs()));
            }
        }
        assert_eq!(loads.len(), 1, "kind {kind}: {loads:?}");
        assert!((100.0..130.0).contains(&loads[0]), "kind {kind}: {loads:?}");
        assert!(world.get_joint(joint).is_none());
    }
}

#[test]
fn jerk_breaks_a_joint_whenever_in_the_step_it_comes() {
    // Cause: only the load of the last substep was looked at, which a jerk before it has left.
    for kind in 0..4 {
        for i in 0..40 {
            let mut world = weightless();
            let base = world.create_body(BodyDef::static_());
            let body = BodyDef::dynamic().position(0.5 + 0.01 * i as f32, 0.0);
            let body = solid(&mut world, body.velocity(10.0, 0.0), disc(0.2));
            let mass = world.body(body).mass();
            let limit = Some(Limit::new(0.0, 1.5));
            let mut def: JointDef = match kind {
                0 => DistanceJointDef {
                    limit,
                    ..DistanceJointDef::new(base, body)
                }
                .into(),
                1 => PrismaticJointDef {
                    limit,
                    ..PrismaticJointDef::new(base, body)
                }
                .into(),
                2 => WheelJointDef {
                    limit,
                    spring: None,
                    ..WheelJointDef::new(base, body)
                }
                .into(),
                _ => {
                    // A post on a pin and a limit, that is kicked at its end.
                    world.body_mut(body).set_pose((1.0, 0.0), 0.0);
                    world.body_mut(body).set_velocity(vec2(0.0, 10.0));
                    RevoluteJointDef {
                        limit: Some(Limit::new(-1.0, 0.1 + 0.02 * i as f32)),
                        ..RevoluteJointDef::new(base, body).at(&world, (0.0, 0.0))
                    }
                    .into()
                }
            };
            let held = mass * 10.0 / DT;
            def.base_mut().break_force = 0.2 * held;
            def.base_mut().break_torque = 0.2 * held;
            world.create_joint(def);
            let mut loads = Vec::new();
            for _ in 0..60 {
                step(&mut world);
                let breaks = world.joint_breaks().iter();
                loads.extend(breaks.map(|event| {
                    let load = event.reaction.force.norm();
                    load.max(event.reaction.torque.abs())
                }));
            }
            assert_eq!(loads.len(), 1, "kind {kind}, start {i}");
            // On average over the step; a load late in a step is reported in two steps.
            assert!(
                (0.2 * held..1.05 * held).contains(&loads[0]),
                "kind {kind}, start {i}: {} of {held}",
                loads[0]
            );
        }
    }
}

#[test]
fn torque_breaks_a_weld_and_its_bodies_may_be_destroyed_in_answer() {
    let mut world = weightless();
    let (base, beam) = pair(&mut world, 0.0);
    let mut def = WeldJointDef::new(base, beam);
    def.base.break_torque = 50.0;
    let joint = world.create_joint(def);
    world.body_mut(beam).apply_torque(40.0);
    step(&mut world);
    assert!(world.joint_breaks().is_empty());
    world.body_mut(beam).apply_torque(80.0);
    step(&mut world);
    let breaks = world.joint_breaks().to_vec();
    assert_eq!(breaks.len(), 1);
    assert_eq!(breaks[0].joint, joint);
    assert!(breaks[0].reaction.torque.abs() > 50.0);
    world.destroy_body(beam);
    world.destroy_body(base);
    run(&mut world, 3);
    assert!(world.joint_breaks().is_empty());
}

#[test]
fn break_limits_may_be_set_as_the_joint_runs() {
    let mut world = world();
    let (base, beam) = pair(&mut world, 0.0);
    let joint = world.create_joint(RevoluteJointDef::new(base, beam));
    run(&mut world, 60);
    world.joint_mut(joint).set_break_limits(5.0, f32::INFINITY);
    step(&mut world);
    assert_eq!(world.joint_breaks().len(), 1);
}

/// Steps a joint with this limit until it breaks or 60 steps have passed. Returns the reaction read after each step, and that of the break.
fn read_reactions(break_force: f32, is_direct: bool) -> (Vec<f32>, Option<f32>) {
    let mut world = world();
    let base = world.create_body(BodyDef::static_());
    let body = BodyDef::dynamic().position(1.0, 0.0).velocity(0.0, 3.0);
    let body = solid(&mut world, body, disc(0.2));
    let mut def: JointDef = if is_direct {
        RevoluteJointDef::new(base, body)
            .at(&world, (0.0, 0.0))
            .into()
    } else {
        DistanceJointDef {
            limit: Some(Limit::new(0.0, 1.13)),
            ..DistanceJointDef::new(base, body)
        }
        .into()
    };
    def.base_mut().break_force = break_force;
    let joint = world.create_joint(def);
    let mut reactions = Vec::new();
    for _ in 0..60 {
        step(&mut world);
        if let [event] = world.joint_breaks() {
            return (reactions, Some(event.reaction.force.norm()));
        }
        let reaction = world.joint(joint).reaction();
        assert_eq!(world.clone().joint(joint).reaction(), reaction);
        reactions.push(reaction.force.norm());
    }
    assert_eq!(world.counters().direct_islands, usize::from(is_direct));
    (reactions, None)
}

#[test]
fn joint_breaks_where_the_reaction_that_can_be_read_exceeds_its_limit() {
    // Cause: the mean load of the step was compared, and that of the last substep was read.
    for is_direct in [false, true] {
        let (reactions, broke) = read_reactions(1.0e6, is_direct);
        assert_eq!(broke, None);
        let peak = reactions.iter().copied().fold(0.0, f32::max);
        let (held, broke) = read_reactions(1.001 * peak, is_direct);
        assert_eq!((held, broke), (reactions.clone(), None));
        let (held, broke) = read_reactions(0.999 * peak, is_direct);
        let first = reactions.iter().position(|&force| force > 0.999 * peak);
        assert_eq!(held, reactions[..first.unwrap()]);
        assert_eq!(broke, Some(reactions[held.len()]));
    }
}

#[test]
fn reaction_can_be_read_as_soon_as_a_break_limit_is_set() {
    let mut world = world();
    let (base, beam) = pair(&mut world, 0.0);
    let joint = world.create_joint(RevoluteJointDef::new(base, beam));
    run(&mut world, 60);
    let before = world.joint(joint).reaction();
    assert!(before.force.y > 1.0);
    assert_eq!(world.joint(joint).load(), None);
    world.joint_mut(joint).set_break_limits(1.0e3, 1.0e3);
    assert_eq!(world.joint(joint).reaction(), before);
    assert_eq!(world.joint(joint).load(), Some(before));
    step(&mut world);
    close(world.joint(joint).reaction().force.y, before.force.y, 0.01);
    world.body_mut(beam).sleep();
    step(&mut world);
    close(world.joint(joint).reaction().force.y, before.force.y, 0.01);
}
