//! Each kind of joint against its closed form, through the solver.

use super::rig::{Made, Rig};
use crate::id::{BodyId, JointId};
use crate::joint::sim::{JointKind, JointSim};
use crate::joint::{
    DistanceJointDef, FilterJointDef, GearJointDef, JointDef, JointFrame, JointSoftness, Limit,
    Motor, MotorJointDef, MouseJointDef, PrismaticJointDef, PulleyJointDef, RevoluteJointDef,
    Spring, WeldJointDef, WheelJointDef,
};
use cairn2d_geometry::math::{PI, WorldPoint, vec2};
use cairn2d_simd::Width;

const A: BodyId = BodyId::from_bits(0);
const B: BodyId = BodyId::from_bits(1);
const G: f32 = 10.0;

fn rig() -> Rig {
    Rig::new(Width::detect())
}

/// A static body at the origin and one of 2 kg and 0.5 kg m^2 at (`x`, `y`), joined by `def`.
fn joined(def: impl Into<JointDef>, x: f64, y: f64) -> (Rig, usize, usize) {
    let mut rig = rig();
    let ground = rig.body(Made::Static, 0.0, 0.0, 0.0);
    let body = rig.body(Made::Dynamic(2.0, 0.5), x, y, 0.0);
    let joint = rig.joint(JointSim::new(&def.into(), ground, body));
    rig.color(1);
    (rig, body as usize, joint as usize)
}

fn angle(rig: &Rig, joint: usize) -> f32 {
    rig.joints[joint].angle(&rig.poses)
}

#[test]
fn revolute_motor_turns_with_its_torque_up_to_its_speed() {
    let mut def = RevoluteJointDef::new(A, B);
    def.motor = Some(Motor::new(4.0, 1.0));
    let (mut rig, body, joint) = joined(def, 0.0, 0.0);
    rig.run(1.0);
    let w = rig.states[body].angular_velocity;
    assert!((w - 1.0 / 0.5).abs() < 1.0e-4, "{w}");
    assert!((rig.joints[joint].reaction().torque - 1.0).abs() < 1.0e-4);
    rig.run(2.0);
    assert!((rig.states[body].angular_velocity - 4.0).abs() < 1.0e-4);
}

#[test]
fn revolute_limit_past_half_turn_is_reached() {
    for (speed, bound) in [(3.0, 5.0), (-3.0, -8.0)] {
        let mut def = RevoluteJointDef::new(A, B);
        def.motor = Some(Motor::new(speed, 10.0));
        def.limit = Some(Limit::new(-8.0, 5.0));
        let (mut rig, body, joint) = joined(def, 0.0, 0.0);
        rig.run(5.0);
        assert!((angle(&rig, joint) - bound).abs() < 2.0e-3, "{bound}");
        assert!(rig.states[body].angular_velocity.abs() < 1.0e-3);
    }
}

#[test]
fn undamped_spring_keeps_its_amplitude_and_period() {
    for (hertz, amplitude_error, period_error) in [(1.0, 0.002, 0.001), (5.0, 0.005, 0.001)] {
        let mut def = RevoluteJointDef::new(A, B);
        def.spring = Some(Spring::new(hertz, 0.0));
        let (mut rig, body, joint) = joined(def, 0.0, 0.0);
        rig.states[body].angular_velocity = 2.0 * PI * hertz * 0.5;
        let (mut greatest, mut crossings, mut last) = (0.0_f32, Vec::new(), 0.0_f32);
        for step in 0..600 {
            rig.step();
            let now = angle(&rig, joint);
            if step >= 540 {
                greatest = greatest.max(now.abs());
            }
            if last < 0.0 && now >= 0.0 {
                crossings.push((step as f32 + last / (last - now)) * rig.dt);
            }
            last = now;
        }
        // The largest sample of a sine lies up to 1 - cos(w dt / 2) under its crest.
        let half_turn = PI * hertz * rig.dt;
        let sampling = 0.5 * half_turn * half_turn;
        let error = (greatest / 0.5 - 1.0).abs();
        assert!(error < amplitude_error + sampling, "{hertz} Hz: {greatest}");
        let periods = crossings.len() as f32 - 1.0;
        let period = (crossings[crossings.len() - 1] - crossings[0]) / periods;
        assert!((period * hertz - 1.0).abs() < period_error, "{period}");
    }
}

#[test]
fn damped_spring_decays_by_its_ratio() {
    let mut def = RevoluteJointDef::new(A, B);
    let (hertz, ratio) = (5.0_f32, 0.1_f32);
    def.spring = Some(Spring::new(hertz, ratio));
    let (mut rig, body, joint) = joined(def, 0.0, 0.0);
    rig.substeps = 1;
    rig.dt = 1.0 / 240.0;
    rig.states[body].angular_velocity = 1.0;
    let mut crests = Vec::new();
    let mut samples = [0.0_f32; 3];
    for _ in 0..480 {
        rig.step();
        samples = [samples[1], samples[2], angle(&rig, joint)];
        if samples[1] > samples[0] && samples[1] > samples[2] {
            crests.push(samples[1]);
        }
    }
    // Logarithmic decrement: ln(crest / next) = 2 pi z / sqrt(1 - z^2).
    let count = crests.len() - 1;
    let decrement = f64::from(crests[0] / crests[count]).ln() / count as f64;
    let measured = decrement / (decrement * decrement + (2.0 * f64::from(PI)).powi(2)).sqrt();
    assert!((measured - 0.1).abs() < 0.001, "{measured}");
}

/// Swings a body of 2 kg and 0.5 kg m^2 from 90 degrees for 60 s, and returns by how much the last crests lie
/// under the first, as a share of the depth of the swing, and the greatest error of the joint [m]. The world would solve
/// such a pendulum directly and keep its energy; sweeps lose some.
///
/// At a crest all energy is height; elsewhere velocity and place belong to times half a substep apart.
fn swing(def: JointDef, length: f32) -> (f32, f32) {
    let (mut rig, body, joint) = joined(def, 1.0, 0.0);
    let (mut crest, mut error) = (-1.0_f64, 0.0_f32);
    for step in 0..3600 {
        rig.step();
        error = error.max((rig.joints[joint].length(&rig.poses) - length).abs());
        if step >= 3300 {
            crest = crest.max(rig.poses[body].center.y);
        }
    }
    (-crest as f32, error)
}

#[test]
fn pendulums_lose_at_most_a_twentieth_of_their_energy_in_a_minute() {
    let mut pin = RevoluteJointDef::new(A, B);
    pin.base.frame_b = JointFrame::at(-1.0, 0.0);
    let (lost, error) = swing(pin.into(), 0.0);
    assert!(
        (0.0..0.05).contains(&lost) && error < 1.0e-3,
        "{lost} {error}"
    );
    let rod = DistanceJointDef::new(A, B);
    let (lost, error) = swing(rod.into(), 1.0);
    assert!(
        (0.0..0.05).contains(&lost) && error < 1.0e-3,
        "{lost} {error}"
    );
}

#[test]
fn turn_of_a_rod_with_a_long_lever_adds_no_spin() {
    let mut rod = DistanceJointDef::new(A, B);
    rod.base.frame_b = JointFrame::at(-1000.0, 0.0);
    rod.length = 999.0;
    let (mut rig, body, _) = joined(rod, 1.0, 0.0);
    rig.states[body].angular_velocity = 300.0;
    rig.step();
    let after = rig.states[body].angular_velocity.abs();
    assert!(after <= 300.0, "{after}");
}

#[test]
fn rod_rope_and_spring_hold_their_lengths() {
    let hang = |def: DistanceJointDef, seconds: f32| {
        let (mut rig, _, joint) = joined(def, 0.0, -2.0);
        rig.run(seconds);
        let reaction = rig.joints[joint].reaction();
        (rig.joints[joint].length(&rig.poses), reaction.force)
    };
    let mut rod = DistanceJointDef::new(A, B);
    rod.length = 2.0;
    let (length, force) = hang(rod, 2.0);
    assert!((length - 2.0).abs() < 1.0e-3, "{length}");
    assert!((force - vec2(0.0, 2.0 * G)).norm() < 0.01, "{force}");

    let mut rope = rod;
    rope.limit = Some(Limit::new(0.0, 2.5));
    let (length, _) = hang(rope, 4.0);
    assert!((length - 2.5).abs() < 2.0e-3, "{length}");

    let mut spring = rod;
    spring.spring = Some(Spring::new(1.0, 1.0));
    let (length, _) = hang(spring, 6.0);
    let sag = G / (2.0 * PI * 2.0 * PI);
    assert!((length - (2.0 + sag)).abs() < 1.0e-3, "{length}");
}

#[test]
fn slider_runs_along_its_axis_to_its_limit() {
    let mut def = PrismaticJointDef::new(A, B);
    def.base.frame_a.angle = -PI / 6.0;
    def.base.frame_b.angle = -PI / 6.0;
    def.limit = Some(Limit::new(-1.0, 5.0));
    let (mut rig, body, joint) = joined(def, 0.0, 0.0);
    rig.run(1.0);
    let speed = rig.joints[joint].translation_speed(&rig.poses, &rig.states);
    assert!((speed - G * 0.5).abs() < 1.0e-3, "{speed}");
    rig.run(4.0);
    let translation = rig.joints[joint].translation(&rig.poses);
    assert!((translation - 5.0).abs() < 2.0e-3, "{translation}");
    assert!(angle(&rig, joint).abs() < 1.0e-4);
    assert!(rig.states[body].velocity.norm() < 1.0e-3);
    let force = rig.joints[joint].reaction().force;
    assert!((force - vec2(0.0, 2.0 * G)).norm() < 0.01, "{force}");
}

#[test]
fn slider_motor_holds_up_to_its_force() {
    for (max, moves) in [(19.9, true), (20.1, false)] {
        let mut def = PrismaticJointDef::new(A, B);
        def.base.frame_a.angle = 0.5 * PI;
        def.base.frame_b.angle = 0.5 * PI;
        def.motor = Some(Motor::new(0.0, max));
        let (mut rig, _, joint) = joined(def, 0.0, 0.0);
        rig.run(1.0);
        let translation = rig.joints[joint].translation(&rig.poses);
        assert_eq!(translation < -1.0e-3, moves, "{max}: {translation}");
    }
}

#[test]
fn welded_beam_carries_its_moment() {
    let mut def = WeldJointDef::new(A, B);
    def.base.frame_b = JointFrame::at(-1.5, 0.0);
    let (mut rig, _, joint) = joined(def, 1.5, 0.0);
    rig.run(2.0);
    assert!(angle(&rig, joint).abs() < 1.0e-3);
    let reaction = rig.joints[joint].reaction();
    assert!(
        (reaction.torque - 2.0 * G * 1.5).abs() < 0.05,
        "{reaction:?}"
    );
    assert!((reaction.force - vec2(0.0, 2.0 * G)).norm() < 0.05);
}

#[test]
fn soft_weld_sags_by_its_spring() {
    let mut def = WeldJointDef::new(A, B);
    def.angular = Some(JointSoftness {
        hertz: 8.0,
        damping_ratio: 1.0,
    });
    def.base.frame_b = JointFrame::at(-0.25, 0.0);
    let (mut rig, _, joint) = joined(def, 0.25, 0.0);
    rig.run(4.0);
    // The spring's stiffness is that of the inertia about the center: k = I w^2.
    let stiffness = 0.5 * (2.0 * PI * 8.0) * (2.0 * PI * 8.0);
    let sag = 2.0 * G * 0.25 / stiffness;
    assert!((angle(&rig, joint) + sag).abs() < 0.02 * sag, "{sag}");
}

#[test]
fn wheel_suspension_sags_by_its_spring_and_its_motor_spins() {
    let mut def = WheelJointDef::new(A, B);
    def.base.frame_a.angle = 0.5 * PI;
    def.motor = Some(Motor::new(20.0, 2.0));
    let (mut rig, body, joint) = joined(def, 0.0, 0.0);
    rig.run(8.0);
    let sag = G / (2.0 * PI * 2.0 * PI);
    let translation = rig.joints[joint].translation(&rig.poses);
    assert!((translation + sag).abs() < 1.0e-3, "{translation}");
    assert!((rig.states[body].angular_velocity - 20.0).abs() < 1.0e-3);
    assert!(rig.poses[body].center.x.abs() < 1.0e-4);
}

#[test]
fn motor_joint_at_rest_is_dry_friction() {
    let mut def = MotorJointDef::new(A, B);
    def.max_velocity_force = 10.0;
    def.max_velocity_torque = 0.25;
    let (mut rig, body, joint) = joined(def, 0.0, 0.0);
    rig.gravity = vec2(0.0, 0.0);
    rig.states[body].velocity = vec2(4.0, 3.0);
    rig.states[body].angular_velocity = 0.5;
    rig.run(0.5);
    // 5 m/s less F / m t; 0.5 rad/s less T / I t.
    assert!((rig.states[body].velocity.norm() - (5.0 - 2.5)).abs() < 1.0e-3);
    assert!((rig.states[body].angular_velocity - 0.25).abs() < 1.0e-4);
    assert!((rig.joints[joint].reaction().force.norm() - 10.0).abs() < 1.0e-3);
    rig.run(2.0);
    assert!(rig.states[body].velocity.norm() < 1.0e-5);
    assert!(rig.states[body].angular_velocity.abs() < 1.0e-5);
}

#[test]
fn motor_joint_springs_reach_their_pose_within_their_caps() {
    let mut def = MotorJointDef::new(A, B);
    let soft = JointSoftness {
        hertz: 3.0,
        damping_ratio: 1.0,
    };
    def.base.frame_a = JointFrame {
        anchor: [0.0, 1.0].into(),
        angle: PI / 6.0,
    };
    def.linear_spring = Some(soft);
    def.angular_spring = Some(soft);
    def.max_spring_force = 100.0;
    def.max_spring_torque = 10.0;
    let (mut rig, body, joint) = joined(def, 0.0, -3.0);
    rig.gravity = vec2(0.0, 0.0);
    rig.step();
    let reaction = rig.joints[joint].reaction();
    assert!(
        (reaction.force.norm() - 100.0).abs() < 1.0e-3,
        "{reaction:?}"
    );
    rig.run(6.0);
    assert!(rig.joints[joint].length(&rig.poses) < 1.0e-3);
    assert!(angle(&rig, joint).abs() < 1.0e-3);
    assert!(rig.states[body].velocity.norm() < 1.0e-3);
}

#[test]
fn mouse_joint_pulls_to_its_target_but_not_beyond_its_force() {
    let mut def = MouseJointDef::new(A, B);
    def.base.frame_a = JointFrame::at(0.7, 0.5);
    let (mut rig, _, joint) = joined(def, 0.0, 0.0);
    rig.gravity = vec2(0.0, 0.0);
    rig.run(2.0);
    assert!(rig.joints[joint].length(&rig.poses) < 1.0e-3);

    def.max_force = 0.0;
    let (mut rig, body, _) = joined(def, 0.0, 0.0);
    rig.gravity = vec2(0.0, 0.0);
    rig.run(1.0);
    assert_eq!(rig.poses[body].center, WorldPoint::ORIGIN);
}

/// Bodies of the given masses under wheels at (-1, 0) and (1, 0), 2 m down.
fn pulley(mass_a: f32, mass_b: f32, ratio: f32, length: f32) -> (Rig, usize, usize) {
    let mut rig = rig();
    let a = rig.body(Made::Dynamic(mass_a, 1.0), -1.0, -2.0, 0.0);
    let b = rig.body(Made::Dynamic(mass_b, 1.0), 1.0, -2.0, 0.0);
    let wheels = [-1.0, 1.0].map(|x| WorldPoint::new(x, 0.0));
    let mut def = PulleyJointDef::new(A, B, wheels[0], wheels[1], length);
    def.ratio = ratio;
    rig.joint(JointSim::new(&def.into(), a, b));
    rig.color(1);
    (rig, a as usize, b as usize)
}

#[test]
fn pulley_is_an_atwood_machine() {
    let (mut rig, a, b) = pulley(1.0, 3.0, 1.0, 4.0);
    rig.run(0.5);
    // a = g (mb - ma) / (ma + mb)
    let speed = G * 0.5 * 0.5;
    assert!((rig.states[a].velocity.y - speed).abs() < 0.01);
    assert!((rig.states[b].velocity.y + speed).abs() < 0.01);
    let length = -(rig.poses[a].center.y + rig.poses[b].center.y);
    assert!((length - 4.0).abs() < 1.0e-3, "{length}");
}

#[test]
fn pulley_ratio_balances_twice_the_mass() {
    let (mut rig, a, b) = pulley(1.0, 2.0, 2.0, 6.0);
    rig.run(2.0);
    assert!(rig.states[a].velocity.norm() < 1.0e-3);
    assert!(rig.states[b].velocity.norm() < 1.0e-3);
}

#[test]
fn slack_rope_does_not_push() {
    let (mut rig, a, _) = pulley(1.0, 1.0, 1.0, 5.0);
    rig.run(0.25);
    // Half a meter each until it is taut: still in free fall.
    assert!((rig.states[a].velocity.y + G * 0.25).abs() < 1.0e-3);
    rig.run(1.0);
    assert!(rig.states[a].velocity.norm() < 1.0e-3);
}

/// Two wheels of 2 and 1 kg m^2 on pins, geared.
fn wheels(ratio: f32) -> (Rig, usize, usize) {
    let mut rig = rig();
    rig.gravity = vec2(0.0, 0.0);
    let ground = rig.body(Made::Static, 0.0, 0.0, 0.0);
    let a = rig.body(Made::Dynamic(1.0, 2.0), 0.0, 0.0, 0.0);
    let b = rig.body(Made::Dynamic(1.0, 1.0), 0.0, 0.0, 0.0);
    for wheel in [a, b] {
        let def = RevoluteJointDef::new(A, B);
        rig.joint(JointSim::new(&def.into(), ground, wheel));
    }
    let joints = [0, 1].map(JointId::from_bits);
    let mut def = GearJointDef::new(A, B, joints[0], joints[1]);
    def.ratio = ratio;
    rig.joint(JointSim::new(&def.into(), a, b));
    rig.color(0);
    (rig, a as usize, b as usize)
}

#[test]
fn gear_keeps_the_ratio_of_two_wheels() {
    for ratio in [1.0, 0.5, -2.0] {
        let (mut rig, a, b) = wheels(ratio);
        rig.states[a].angular_velocity = 3.0;
        rig.run(2.0);
        let (wa, wb) = (
            rig.states[a].angular_velocity,
            rig.states[b].angular_velocity,
        );
        assert!((wa + ratio * wb).abs() < 1.0e-3, "{wa} {wb}");
        // Impulse x on A and ratio x on B: wa = 3 + x / Ia, wb = ratio x / Ib.
        let x = -3.0 / (0.5 + ratio * ratio);
        assert!((wa - (3.0 + 0.5 * x)).abs() < 1.0e-2, "{wa}");
        let sum = rig.joints[0].angle(&rig.poses) + ratio * rig.joints[1].angle(&rig.poses);
        assert!(sum.abs() < 2.0e-2, "{sum}");
    }
}

#[test]
fn rack_and_pinion_move_together() {
    let mut rig = rig();
    rig.gravity = vec2(0.0, 0.0);
    let ground = rig.body(Made::Static, 0.0, 0.0, 0.0);
    let pinion = rig.body(Made::Dynamic(1.0, 1.0), 0.0, 0.0, 0.0);
    let rack = rig.body(Made::Dynamic(1.0, 1.0), 0.0, 1.0, 0.0);
    let mut motor = RevoluteJointDef::new(A, B);
    motor.motor = Some(Motor::new(2.0, f32::INFINITY));
    rig.joint(JointSim::new(&motor.into(), ground, pinion));
    let mut slider = PrismaticJointDef::new(A, B);
    slider.base.frame_a = JointFrame::at(0.0, 1.0);
    rig.joint(JointSim::new(&slider.into(), ground, rack));
    let mut def = GearJointDef::new(A, B, JointId::from_bits(0), JointId::from_bits(1));
    // Radius 0.5 m: the rack goes 0.5 m a radian.
    def.ratio = -2.0;
    rig.joint(JointSim::new(&def.into(), pinion, rack));
    rig.color(0);
    rig.run(2.0);
    assert!((rig.states[rack as usize].velocity.x - 1.0).abs() < 1.0e-3);
    let turn = rig.joints[0].angle(&rig.poses);
    let translation = rig.joints[1].translation(&rig.poses);
    assert!(
        (turn - 2.0 * translation).abs() < 1.0e-2,
        "{turn} {translation}"
    );
}

#[test]
fn filter_joint_does_not_hold_anything() {
    let (mut rig, body, _) = joined(FilterJointDef::new(A, B), 0.0, 0.0);
    rig.run(0.5);
    assert!((rig.states[body].velocity.y + G * 0.5).abs() < 1.0e-3);
}

#[test]
fn overloaded_joint_is_reported_with_its_load() {
    let mut def = RevoluteJointDef::new(A, B);
    def.base.break_force = 15.0;
    let (mut rig, _, joint) = joined(def, 0.0, 0.0);
    rig.step();
    assert_eq!(rig.solver.broken().len(), 1);
    let broken = rig.solver.broken()[0];
    assert_eq!(broken.joint as usize, joint);
    assert!((broken.reaction.force.norm() - 2.0 * G).abs() < 2.0);
}

#[test]
fn load_that_overflows_is_not_reported() {
    let mut def = RevoluteJointDef::new(A, B);
    def.base.break_force = 15.0;
    let (mut rig, _, joint) = joined(def, 0.0, 0.0);
    let JointKind::Revolute(hinge) = &mut rig.joints[joint].kind else {
        panic!("not a hinge");
    };
    hinge.point_impulse = vec2(f32::MAX, f32::MAX);
    rig.step();
    assert_eq!(rig.solver.measured_joints().len(), 1);
    for measured in rig.solver.measured_joints() {
        let reaction = measured.reaction;
        let sum = reaction.force.x + reaction.force.y + reaction.torque;
        assert!(sum.is_finite(), "{reaction:?}");
    }
}

#[test]
fn momentum_is_kept_between_jointed_bodies() {
    let weld = WeldJointDef::new(A, B).into();
    let pin = RevoluteJointDef::new(A, B).into();
    let rod = DistanceJointDef::new(A, B).into();
    let slider = PrismaticJointDef::new(A, B).into();
    let wheel = WheelJointDef::new(A, B).into();
    for mut def in [weld, pin, rod, slider, wheel] {
        let base = JointDef::base_mut(&mut def);
        base.frame_a = JointFrame::at(0.5, 0.1);
        base.frame_b = JointFrame::at(-0.5, 0.1);
        let mut rig = rig();
        rig.gravity = vec2(0.0, 0.0);
        let a = rig.body(Made::Dynamic(1.0, 0.2), 0.0, 0.0, 0.0) as usize;
        let b = rig.body(Made::Dynamic(3.0, 0.7), 1.0, 0.0, 0.0) as usize;
        rig.states[a].velocity = vec2(1.0, -2.0);
        rig.states[b].angular_velocity = 1.0;
        let joint = JointSim::new(&def, a as u32, b as u32);
        rig.joint(joint);
        rig.color(1);
        let momentum = |rig: &Rig| {
            let mut sum = [0.0_f64; 3];
            for (i, mass, inertia) in [(a, 1.0, 0.2), (b, 3.0, 0.7)] {
                let (state, center) = (&rig.states[i], rig.poses[i].center);
                let (vx, vy) = (f64::from(state.velocity.x), f64::from(state.velocity.y));
                sum[0] += mass * vx;
                sum[1] += mass * vy;
                sum[2] += mass * (center.x * vy - center.y * vx)
                    + inertia * f64::from(state.angular_velocity);
            }
            sum
        };
        let before = momentum(&rig);
        rig.run(1.0);
        let after = momentum(&rig);
        for (i, bound) in [(0, 1.0e-4), (1, 1.0e-4), (2, 2.0e-2)] {
            assert!(
                (after[i] - before[i]).abs() < bound,
                "{def:?}: {before:?} {after:?}"
            );
        }
    }
}
