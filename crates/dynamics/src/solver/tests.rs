//! The solver against closed forms, and each width against one lane.

use super::batches::NO_BATCH;
use super::input::BodyOrder;
use super::rig::{Made, Rig};
use crate::body::state::state_flags;
use crate::id::BodyId;
use crate::joint::sim::{JointKind, JointSim};
use crate::joint::{JointFrame, Limit, Motor, RevoluteJointDef, Spring};
use cairn2d_geometry::math::{PI, atan2, sin_cos, vec2};
use cairn2d_simd::Width;

const UP: [f32; 2] = [0.0, 1.0];

/// A box of 1 m on the plane y = 0, with its anchors `gap` above it.
fn box_on_ground(rig: &mut Rig, gap: f32) -> (u32, u32) {
    let ground = rig.body(Made::Static, 0.0, 0.0, 0.0);
    let falling = rig.unit_box(0.0, 0.5 + f64::from(gap));
    let points = [-0.5, 0.5].map(|x| (vec2(x, 0.0), vec2(x, -0.5)));
    let contact = rig.contact(ground, falling, UP.into(), &points);
    rig.color(2);
    (falling, contact)
}

#[test]
fn resting_box_is_carried_by_its_weight() {
    let mut rig = Rig::new(Width::detect());
    let (resting, contact) = box_on_ground(&mut rig, 0.0);
    rig.run(2.0);
    let constraint = &rig.constraints[contact as usize];
    let h = rig.dt / rig.substeps as f32;
    let sum = constraint.points[0].normal_impulse + constraint.points[1].normal_impulse;
    assert!((sum - 10.0 * h).abs() < 1.0e-5, "{sum}");
    let total =
        constraint.points[0].total_normal_impulse + constraint.points[1].total_normal_impulse;
    assert!((total - 10.0 * rig.dt).abs() < 1.0e-4, "{total}");
    assert!(rig.states[resting as usize].velocity.norm() < 1.0e-5);
    assert!((rig.poses[resting as usize].center.y - 0.5).abs() < 0.005);
}

#[test]
fn free_flight_is_exact_for_constant_acceleration() {
    let mut rig = Rig::new(Width::detect());
    let body = rig.body(Made::Dynamic(2.0, 1.0), 0.0, 0.0, 0.0) as usize;
    rig.states[body].flags |= state_flags::UNCONSTRAINED;
    rig.states[body].velocity = vec2(30.0, 40.0);
    rig.run(10.0);
    let end = rig.poses[body].center;
    assert!((end.x - 300.0).abs() < 1.0e-3, "{end:?}");
    assert!((end.y - (400.0 - 500.0)).abs() < 1.0e-3, "{end:?}");
}

#[test]
fn fast_spin_keeps_its_angle() {
    let mut rig = Rig::new(Width::detect());
    rig.gravity = vec2(0.0, 0.0);
    let body = rig.body(Made::Dynamic(1.0, 1.0), 0.0, 0.0, 0.0) as usize;
    rig.states[body].flags |= state_flags::UNCONSTRAINED | state_flags::FAST_ROTATION;
    rig.states[body].angular_velocity = 100.0;
    rig.run(60.0);
    let q = rig.poses[body].rotation;
    let exact = (100.0_f64 * f64::from(rig.dt) * 3600.0).rem_euclid(2.0 * core::f64::consts::PI);
    let error = (f64::from(atan2(q.y, q.x)) - exact + core::f64::consts::PI)
        .rem_euclid(2.0 * core::f64::consts::PI)
        - core::f64::consts::PI;
    assert!(error.abs() < 0.01, "{error}");
}

#[test]
fn spin_is_capped_unless_allowed() {
    let mut rig = Rig::new(Width::detect());
    let body = rig.body(Made::Dynamic(1.0, 1.0), 0.0, 0.0, 0.0) as usize;
    rig.states[body].angular_velocity = 500.0;
    rig.step();
    let cap = 0.25 * PI * 60.0;
    assert!((rig.states[body].angular_velocity - cap).abs() < 1.0e-3);
}

#[test]
fn box_landing_flat_bounces_level() {
    let mut rig = Rig::new(Width::detect());
    let (falling, contact) = box_on_ground(&mut rig, 0.01);
    rig.constraints[contact as usize].restitution = 1.0;
    rig.states[falling as usize].velocity = vec2(0.0, -4.0);
    let energy = |rig: &Rig| {
        let (speed, height) = (
            rig.states[falling as usize].velocity.y,
            rig.poses[falling as usize].center.y,
        );
        0.5 * f64::from(speed * speed) + 10.0 * height
    };
    let before = energy(&rig);
    rig.step();
    let state = rig.states[falling as usize];
    assert!(state.velocity.y > 0.0, "{state:?}");
    // In each substep the place follows the new velocity: half a substep ahead of it.
    let ahead = 10.0 * 0.5 * f64::from(10.0 * rig.dt * rig.dt) / 4.0;
    assert!((energy(&rig) - before).abs() < 1.1 * ahead, "{state:?}");
    assert!(state.angular_velocity.abs() < 1.0e-5, "{state:?}");
}

#[test]
fn kinematic_floor_carries_with_its_friction() {
    let mut rig = Rig::new(Width::detect());
    let floor = rig.body(Made::Kinematic, 0.0, 0.0, 0.0);
    let carried = rig.unit_box(0.0, 0.5);
    rig.states[floor as usize].velocity = vec2(5.0, 0.0);
    let points = [-0.5, 0.5].map(|x| (vec2(x, 0.0), vec2(x, -0.5)));
    rig.contact(floor, carried, UP.into(), &points);
    rig.color(2);
    rig.run(0.5);
    let early = rig.states[carried as usize].velocity.x;
    rig.run(0.1);
    // It gains mu g t while it has not caught up.
    let gained = rig.states[carried as usize].velocity.x - early;
    // The soft contact has settled to a thousandth of its load by now.
    assert!((gained - 0.6).abs() < 1.0e-3, "{gained}");
    rig.run(1.0);
    assert!((rig.states[carried as usize].velocity.x - 5.0).abs() < 1.0e-3);
    assert_eq!(rig.states[floor as usize].velocity, vec2(5.0, 0.0));
}

pub(super) fn pin(rig: &mut Rig, a: u32, b: u32, anchor_a: [f32; 2], anchor_b: [f32; 2]) -> u32 {
    let mut def = RevoluteJointDef::new(BodyId::from_bits(0), BodyId::from_bits(1));
    def.base.frame_a = JointFrame::at(anchor_a[0], anchor_a[1]);
    def.base.frame_b = JointFrame::at(anchor_b[0], anchor_b[1]);
    rig.joint(JointSim::new(&def.into(), a, b))
}

#[test]
fn hanging_body_loads_its_pin_with_its_weight() {
    let mut rig = Rig::new(Width::detect());
    let ceiling = rig.body(Made::Static, 0.0, 0.0, 0.0);
    let hanging = rig.body(Made::Dynamic(2.0, 0.1), 0.0, -1.0, 0.0);
    let joint = pin(&mut rig, ceiling, hanging, [0.0, 0.0], [0.0, 1.0]);
    rig.color(1);
    rig.run(2.0);
    let reaction = rig.joints[joint as usize].reaction();
    assert!(
        (reaction.force - vec2(0.0, 20.0)).norm() < 0.01,
        "{reaction:?}"
    );
    assert!((rig.poses[hanging as usize].center.y + 1.0).abs() < 1.0e-3);
}

/// A heap of boxes on boxes, with pins between some: several colors and an overflow.
fn heap(width: Width, columns: u32) -> Rig {
    let mut rig = Rig::new(width);
    add_heap(&mut rig, columns);
    rig.color(2);
    rig
}

fn add_heap(rig: &mut Rig, columns: u32) {
    let ground = rig.body(Made::Static, 0.0, 0.0, 0.0);
    let mut below = vec![ground];
    for row in 0..6 {
        let mut boxes = Vec::new();
        for column in 0..columns {
            let x = f64::from(column) * 1.1 + f64::from(row) * 0.05;
            let placed = rig.unit_box(x, 0.5 + f64::from(row) * 1.01);
            rig.states[placed as usize].velocity = vec2(0.3 - 0.1 * row as f32, -2.0);
            rig.states[placed as usize].angular_velocity = 0.2 * column as f32;
            boxes.push(placed);
        }
        for (i, &upper) in boxes.iter().enumerate() {
            let lower = below[i % below.len()];
            let y = if lower == ground { 0.0 } else { 0.5 };
            let shift = if lower == ground {
                1.1 * i as f32
            } else {
                0.05
            };
            let points = [-0.45, 0.4].map(|x| (vec2(x + shift, y), vec2(x, -0.5)));
            let count = 2 - usize::from((i + row as usize).is_multiple_of(3));
            let contact = rig.contact(lower, upper, UP.into(), &points[..count]);
            let constraint = &mut rig.constraints[contact as usize];
            constraint.restitution = 0.1 * i as f32;
            constraint.rolling_resistance = 0.02 * (i % 2) as f32;
            constraint.tangent_speed = 0.1 * (i % 3) as f32;
        }
        for side in boxes.windows(2).step_by(2) {
            let joint = pin(rig, side[0], side[1], [0.55, 0.0], [-0.55, 0.0]);
            if let JointKind::Revolute(hinge) = &mut rig.joints[joint as usize].kind {
                hinge.drive.limit = (row % 2 == 1).then_some(Limit::new(-0.1, 0.2));
                hinge.drive.motor = (row % 3 == 1).then_some(Motor::new(1.0, 0.5));
                hinge.drive.spring = (row % 4 == 1).then_some(Spring::new(4.0, 0.3));
            }
        }
        below = boxes;
    }
}

#[test]
fn every_width_solves_to_the_same_bits() {
    let mut one = heap(Width::ONE, 9);
    one.run(0.5);
    assert!(!one.overflow.0.is_empty() || !one.overflow.1.is_empty());
    for width in Width::available() {
        let mut wide = heap(width, 9);
        wide.run(0.5);
        assert!(wide.bits() == one.bits(), "{width:?}");
    }
}

/// Boxes at rest on a floor whose surface has these speeds \[m/s\]: tiny ones, and zeros of both signs.
fn surfaces(width: Width, speeds: &[f32]) -> Rig {
    let mut rig = Rig::new(width);
    let ground = rig.body(Made::Static, 0.0, 0.0, 0.0);
    for (i, &speed) in speeds.iter().enumerate() {
        let x = 1.5 * i as f32;
        let placed = rig.unit_box(x.into(), 0.5);
        let points = [-0.5, 0.5].map(|side| (vec2(x + side, 0.0), vec2(side, -0.5)));
        let contact = rig.contact(ground, placed, UP.into(), &points);
        rig.constraints[contact as usize].tangent_speed = speed;
    }
    rig.color(1);
    rig
}

#[test]
fn tiny_surface_speeds_act_alike_in_every_width() {
    let speeds = [1.0e-30, 0.0, -0.0, -1.0e-30, 0.5, -0.0, 1.0e-25, 0.0];
    let mut one = surfaces(Width::ONE, &speeds);
    one.run(0.1);
    for width in Width::available() {
        let mut wide = surfaces(width, &speeds);
        wide.run(0.1);
        assert!(wide.bits() == one.bits(), "{width:?}");
    }
}

#[test]
fn any_number_of_threads_solves_to_the_same_bits() {
    // Enough blocks that eight workers have something to do.
    let mut one = heap(Width::ONE, 120);
    one.run(0.25);
    for (threads, order) in [
        (2, BodyOrder::Slots),
        (3, BodyOrder::Places),
        (8, BodyOrder::Places),
    ] {
        let mut crowd = heap(Width::ONE, 120);
        crowd.threads = threads;
        crowd.order = order;
        if order == BodyOrder::Places {
            for (contacts, joints) in &mut crowd.colors {
                contacts.reverse();
                joints.reverse();
            }
        }
        crowd.run(0.25);
        assert!(crowd.bits() == one.bits(), "{threads} {order:?}");
    }
}

#[test]
fn batches_change_no_bits() {
    // Five heaps; the last is in no batch.
    let heaps = |threads: usize| {
        let mut rig = Rig::new(Width::FOUR);
        let columns = [3, 9, 1, 5, 7];
        let mut ends = Vec::new();
        for count in columns {
            add_heap(&mut rig, count);
            ends.push(rig.states.len() as u32);
        }
        rig.color(2);
        rig.threads = threads;
        (rig, ends)
    };
    let (mut together, _) = heaps(1);
    together.run(0.5);
    assert!(!together.overflow.0.is_empty());
    for threads in [1, 3] {
        let (mut apart, ends) = heaps(threads);
        apart.sort(3, |body| match ends.iter().position(|&end| body < end) {
            Some(0 | 3) => 1,
            Some(1) => 0,
            Some(2) => 2,
            _ => NO_BATCH,
        });
        apart.run(0.5);
        assert!(apart.bits() == together.bits(), "{threads}");
    }
}

#[test]
fn box_just_below_the_friction_angle_does_not_creep() {
    let mut rig = Rig::new(Width::detect());
    let (resting, _) = box_on_ground(&mut rig, 0.0);
    // The slope of 0.2 degrees less than atan(0.6), as a turned gravity.
    let (s, c) = sin_cos(atan2(0.6, 1.0) - PI / 900.0);
    rig.gravity = 10.0 * vec2(s, -c);
    rig.run(1.0);
    let settled = rig.poses[resting as usize].center.x;
    rig.run(5.0);
    let crept = rig.poses[resting as usize].center.x - settled;
    assert!(crept.abs() < 1.0e-5, "{crept}");
}
