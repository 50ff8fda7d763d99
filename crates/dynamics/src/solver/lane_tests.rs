//! Joints of all kinds in lanes give the same bits whatever the width.

use super::rig::{Made, Rig};
use crate::body::state::BodyState;
use crate::id::BodyId;
use crate::joint::sim::JointSim;
use crate::joint::{
    DistanceJointDef, JointDef, JointSoftness, Limit, Motor, MotorJointDef, MouseJointDef,
    PrismaticJointDef, PulleyJointDef, RevoluteJointDef, Spring, WeldJointDef, WheelJointDef,
};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_simd::Width;

const A: BodyId = BodyId::from_bits(0);
const B: BodyId = BodyId::from_bits(1);

/// A joint of some kind between two neighbors of a net, with parts that depend on `i`.
fn net_joint(i: usize) -> JointDef {
    let spring = Some(Spring::new(1.0 + i as f32, 0.1 * (i % 9) as f32));
    let soft = JointSoftness {
        hertz: 1.0 + i as f32,
        damping_ratio: 0.3,
    };
    let limit = i.is_multiple_of(2).then(|| Limit::new(-0.1, 0.3));
    let motor = i.is_multiple_of(3).then(|| Motor::new(1.0, 5.0));
    match i % 9 {
        0 => {
            let mut def = DistanceJointDef::new(A, B);
            def.length = 0.4 + 0.2 * (i % 4) as f32;
            (def.spring, def.limit) = (spring, i.is_multiple_of(4).then(|| Limit::new(0.3, 0.9)));
            def.into()
        }
        1 => DistanceJointDef::new(A, B).into(),
        2 => {
            let mut def = RevoluteJointDef::new(A, B);
            (def.limit, def.motor) = (limit, motor);
            def.spring = spring.filter(|_| i.is_multiple_of(4));
            def.into()
        }
        3 => {
            let mut def = PrismaticJointDef::new(A, B);
            (def.limit, def.motor, def.spring) = (limit, motor, spring);
            def.into()
        }
        4 => {
            let mut def = WeldJointDef::new(A, B);
            def.linear = i.is_multiple_of(4).then_some(soft);
            def.angular = i.is_multiple_of(3).then_some(soft);
            def.into()
        }
        5 => {
            let mut def = WheelJointDef::new(A, B);
            (def.limit, def.motor) = (limit, motor);
            def.into()
        }
        6 => {
            let mut def = MotorJointDef::new(A, B);
            (def.max_velocity_force, def.max_velocity_torque) = (3.0, (i % 2) as f32);
            def.linear_spring = i.is_multiple_of(4).then_some(soft);
            def.angular_spring = i.is_multiple_of(3).then_some(soft);
            (def.max_spring_force, def.max_spring_torque) = (9.0, 2.0);
            def.into()
        }
        7 => {
            let mut def = MouseJointDef::new(A, B);
            def.max_force = 20.0;
            def.into()
        }
        _ => {
            let wheels = [0.0, 5.0].map(|x| WorldPoint::new(x, 3.0));
            let mut def = PulleyJointDef::new(A, B, wheels[0], wheels[1], 8.0 + 0.1 * i as f32);
            def.ratio = 1.5;
            def.into()
        }
    }
}

/// A net of boxes on joints of all kinds.
fn joint_net(width: Width) -> Rig {
    const SIDE: usize = 10;
    let mut rig = Rig::new(width);
    let mut knots = Vec::new();
    for i in 0..SIDE * SIDE {
        let (column, row) = ((i % SIDE) as f64, (i / SIDE) as f64);
        let made = match i {
            0 | 6 => Made::Static,
            3 => Made::Kinematic,
            _ => Made::Dynamic(1.0 + 0.1 * i as f32, 0.2),
        };
        let knot = rig.body(made, column, -row, 0.1 * i as f32);
        rig.states[knot as usize].angular_velocity = 0.3 * (i % 5) as f32 - 0.5;
        knots.push(knot);
        let left = (i % SIDE > 0).then(|| knots[i - 1]);
        let above = (i >= SIDE).then(|| knots[i - SIDE]);
        for other in left.into_iter().chain(above) {
            let mut sim = JointSim::new(&net_joint(rig.joints.len()), other, knot);
            if i % 6 != 5 {
                sim.base.frame_a.anchor = Vec2::new(0.1 * (i % 3) as f32, -0.2);
            }
            rig.joint(sim);
        }
    }
    // Neither of the two bodies can be pushed, and the anchors coincide.
    let massless = rig.body(Made::Kinematic, 3.0, 0.0, 0.0);
    let mut def = DistanceJointDef::new(A, B);
    def.spring = Some(Spring::new(2.0, 0.5));
    rig.joint(JointSim::new(&def.into(), knots[3], massless));
    rig.color(3);
    rig
}

#[test]
fn joints_in_lanes_solve_to_the_bits_of_single_ones() {
    let state = |rig: &Rig| {
        let of_joint = |joint: &JointSim| {
            let reaction = joint.reaction();
            [reaction.force.x, reaction.force.y, reaction.torque].map(f32::to_bits)
        };
        (
            rig.bits(),
            rig.joints.iter().map(of_joint).collect::<Vec<_>>(),
        )
    };
    let mut single = joint_net(Width::ONE);
    let mut wide: Vec<_> = Width::available().into_iter().map(joint_net).collect();
    for step in 0..40 {
        single.step();
        for wide in &mut wide {
            wide.step();
            assert!(state(wide) == state(&single), "{step}");
        }
        let is_finite = |body: &BodyState| body.has_finite_velocity();
        assert!(single.states.iter().all(is_finite), "{step}");
    }
}
