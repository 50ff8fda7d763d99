//! Equations of motion of linkages, against finite differences: of energies, and of the speeds after a short step.
//!
//! The linkages of the tests are placed by formulas of their own, from coordinates; velocities are finite differences of places.

use cairn2d::prelude::*;
use cairn2d::{Linkage, LinkageError};

/// A joint of the test: place of the carrier (0 is the base), and whether the carried body is the first of the joint.
#[derive(Clone, Copy)]
struct Part {
    kind: Kind,
    carrier: usize,
    is_reversed: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Hinge,
    Slider,
    Wheel,
    Weld,
}

/// Anchors and axes of all joints, in the frames of first and second body.
const ANCHORS: [[f64; 2]; 2] = [[0.6, 0.2], [-0.4, 0.1]];
const ANGLES: [f64; 2] = [0.7, 0.3];

/// Place and angle of a body.
type Placed = ([f64; 2], f64);

/// A tree with both directions of each kind, and branches.
const TREE: [Part; 8] = [
    part(Kind::Hinge, 0, false),
    part(Kind::Slider, 1, false),
    part(Kind::Wheel, 1, false),
    part(Kind::Weld, 2, false),
    part(Kind::Hinge, 4, true),
    part(Kind::Slider, 5, true),
    part(Kind::Wheel, 6, true),
    part(Kind::Hinge, 7, false),
];

const fn part(kind: Kind, carrier: usize, is_reversed: bool) -> Part {
    Part {
        kind,
        carrier,
        is_reversed,
    }
}

fn turned([x, y]: [f64; 2], angle: f64) -> [f64; 2] {
    let (s, c) = angle.sin_cos();
    [c * x - s * y, s * x + c * y]
}

fn sum(a: [f64; 2], b: [f64; 2], scale: f64) -> [f64; 2] {
    [a[0] + scale * b[0], a[1] + scale * b[1]]
}

/// Places of all bodies, the base first. The first three coordinates of a floating base are its center, which is its origin.
fn place(is_floating: bool, q: &[f64]) -> Vec<Placed> {
    let (base, mut rest) = if is_floating {
        (([q[0], q[1]], q[2]), &q[3..])
    } else {
        (([0.5, -0.5], 0.4), q)
    };
    let mut bodies = vec![base];
    for part in TREE {
        let (mut slide, mut turn) = (0.0, 0.0);
        if matches!(part.kind, Kind::Slider | Kind::Wheel) {
            (slide, rest) = (rest[0], &rest[1..]);
        }
        if matches!(part.kind, Kind::Hinge | Kind::Wheel) {
            (turn, rest) = (rest[0], &rest[1..]);
        }
        let (origin, angle) = bodies[part.carrier];
        let way = |angle_a: f64| turned([slide, 0.0], angle_a + ANGLES[0]);
        bodies.push(if part.is_reversed {
            let own = angle + ANGLES[1] - ANGLES[0] - turn;
            let anchor = sum(sum(origin, turned(ANCHORS[1], angle), 1.0), way(own), -1.0);
            (sum(anchor, turned(ANCHORS[0], own), -1.0), own)
        } else {
            let own = angle + ANGLES[0] - ANGLES[1] + turn;
            let anchor = sum(sum(origin, turned(ANCHORS[0], angle), 1.0), way(angle), 1.0);
            (sum(anchor, turned(ANCHORS[1], own), -1.0), own)
        });
    }
    bodies
}

/// Coordinates, shifted along a direction.
fn shifted(q: &[f64], v: &[f64], t: f64) -> Vec<f64> {
    q.iter().zip(v).map(|(q, v)| q + t * v).collect()
}

/// The tree in a world, with coordinates q and speeds v.
fn build(is_floating: bool, q: &[f64], v: &[f64]) -> (World, Linkage) {
    const T: f64 = 1.0e-4;
    let mut def = WorldDef::default();
    def.tuning.linkage_drag = 0.0;
    let mut world = World::new(def);
    let frames = [0, 1].map(|side| JointFrame {
        anchor: point(ANCHORS[side][0] as f32, ANCHORS[side][1] as f32),
        angle: ANGLES[side] as f32,
    });
    let now = place(is_floating, q);
    let [before, after] = [-T, T].map(|t| place(is_floating, &shifted(q, v, t)));
    let mut bodies = Vec::new();
    for (index, &([x, y], angle)) in now.iter().enumerate() {
        let def = if index > 0 || is_floating {
            BodyDef::dynamic()
        } else {
            BodyDef::static_()
        };
        let body = world.create_body(def);
        // Bodies of different masses whose centers are not at their origins, but for the base.
        let half = 0.1 + 0.03 * index as f32;
        let offset = 0.05 * index as f32;
        let shape = Polygon::offset_rectangle(half, 0.2, (offset, -offset), 0.2);
        let nothing = Filter {
            mask: 0,
            ..Filter::default()
        };
        world.create_shape(
            body,
            shape,
            ShapeDef::default().filter(nothing).density(2.0),
        );
        let mut view = world.body_mut(body);
        view.set_pose(WorldPoint::new(x, y), angle as f32);
        if index > 0 || is_floating {
            // Velocities are those of centers.
            let center = |placed: &Placed| {
                let local = view.as_ref().local_center();
                let local = [f64::from(local.x), f64::from(local.y)];
                sum(placed.0, turned(local, placed.1), 1.0)
            };
            let rate = sum(center(&after[index]), center(&before[index]), -1.0);
            let spin = (after[index].1 - before[index].1) / (2.0 * T);
            view.set_velocity(rate.map(|x| (x / (2.0 * T)) as f32));
            view.set_angular_velocity(spin as f32);
        }
        view.set_gravity_scale(1.0 - 0.1 * index as f32);
        bodies.push(body);
    }
    let mut joints = Vec::new();
    for (index, part) in TREE.iter().enumerate() {
        let (carrier, own) = (bodies[part.carrier], bodies[index + 1]);
        let (a, b) = if part.is_reversed {
            (own, carrier)
        } else {
            (carrier, own)
        };
        let mut def: JointDef = match part.kind {
            Kind::Hinge => RevoluteJointDef::new(a, b).into(),
            Kind::Slider => PrismaticJointDef::new(a, b).into(),
            Kind::Wheel => WheelJointDef {
                spring: None,
                ..WheelJointDef::new(a, b)
            }
            .into(),
            Kind::Weld => WeldJointDef::new(a, b).into(),
        };
        [def.base_mut().frame_a, def.base_mut().frame_b] = frames;
        joints.push(world.create_joint(def));
    }
    let linkage = Linkage::new(&world, bodies[0], &joints).unwrap();
    (world, linkage)
}

/// Numbers between -1 and 1.
fn numbers(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as f64 / f64::from(1_u32 << 30) - 1.0
    };
    (0..n).map(|_| next()).collect()
}

/// Number of coordinates of the tree.
const N: usize = 9;

fn count(is_floating: bool) -> usize {
    N + if is_floating { 3 } else { 0 }
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    let size = expected.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!(
            (a - b).abs() < tolerance * size,
            "{found:?} against {expected:?}"
        );
    }
}

#[test]
fn coordinates_and_speeds_are_those_of_the_placement() {
    for is_floating in [false, true] {
        let n = count(is_floating);
        let (q, v) = (numbers(n, 1), numbers(n, 2));
        let (world, linkage) = build(is_floating, &q, &v);
        assert_eq!(linkage.coordinate_count(), n);
        assert_close(&linkage.positions(&world), &q, 1.0e-5);
        assert_close(&linkage.velocities(&world), &v, 1.0e-4);
    }
}

#[test]
fn mass_matrix_gives_the_kinetic_energy() {
    for is_floating in [false, true] {
        let n = count(is_floating);
        for seed in 0..5 {
            let (q, v) = (numbers(n, seed), numbers(n, seed + 100));
            let (world, linkage) = build(is_floating, &q, &v);
            let matrix = linkage.mass_matrix(&world);
            let energy = 0.5 * product(&matrix, &v, &v);
            let bodies = world.bodies().map(|body| f64::from(body.kinetic_energy()));
            assert_close(&[energy], &[bodies.sum()], 1.0e-4);
        }
    }
}

/// `a M b` of a symmetric matrix.
fn product(matrix: &[f64], a: &[f64], b: &[f64]) -> f64 {
    let rows = matrix.chunks_exact(b.len());
    let entries = rows.zip(a).map(|(row, a)| {
        let row = row.iter().zip(b);
        a * row.map(|(m, b)| m * b).sum::<f64>()
    });
    entries.sum()
}

/// Lagrange's equations: `h = dM/dt v - (v M v)' / 2 + V'`, with the derivatives by the coordinates as central differences.
#[test]
fn bias_forces_are_those_of_the_energies() {
    const STEP: f64 = 0.01;
    for is_floating in [false, true] {
        let n = count(is_floating);
        let (q, v) = (numbers(n, 7), numbers(n, 8));
        let at = |shift: &[f64], t: f64| {
            let (world, linkage) = build(is_floating, &shifted(&q, shift, t), &vec![0.0; n]);
            let bodies = world.bodies();
            let potential = bodies.map(|body| f64::from(body.potential_energy()));
            (linkage.mass_matrix(&world), potential.sum::<f64>())
        };
        let mut expected = vec![0.0; n];
        let [(before, _), (after, _)] = [-STEP, STEP].map(|t| at(&v, t));
        for i in 0..n {
            let mut unit = vec![0.0; n];
            unit[i] = 1.0;
            let [change, _] = [&after, &before].map(|matrix| product(matrix, &unit, &v));
            let change = change - product(&before, &unit, &v);
            let [(low, down), (high, up)] = [-STEP, STEP].map(|t| at(&unit, t));
            let kinetic = 0.5 * (product(&high, &v, &v) - product(&low, &v, &v));
            expected[i] = (change - kinetic + up - down) / (2.0 * STEP);
        }
        let (world, linkage) = build(is_floating, &q, &v);
        assert_close(&linkage.bias_forces(&world), &expected, 1.0e-3);
    }
}

#[test]
fn efforts_of_inverse_dynamics_accelerate_the_world_as_asked() {
    const DT: f64 = 1.0e-3;
    for is_floating in [false, true] {
        let n = count(is_floating);
        for seed in 0..3 {
            let (q, v) = (numbers(n, seed), numbers(n, seed + 50));
            let wanted: Vec<f64> = numbers(n, seed + 90).iter().map(|a| 5.0 * a).collect();
            let (mut world, linkage) = build(is_floating, &q, &v);
            // The first step takes up the velocities that the joints do not allow, finite differences that they are.
            world.step(DT as f32);
            let efforts = linkage.inverse_dynamics(&world, &wanted);
            let before = linkage.velocities(&world);
            linkage.apply_efforts(&mut world, &efforts);
            world.step(DT as f32);
            let after = linkage.velocities(&world);
            let found: Vec<f64> = after
                .iter()
                .zip(&before)
                .map(|(a, b)| (a - b) / DT)
                .collect();
            assert_close(&found, &wanted, 0.02);
        }
    }
}

#[test]
fn what_is_no_tree_is_refused_by_name() {
    let mut world = World::default();
    let base = world.create_body(BodyDef::static_());
    let mut ball = |x: f32| {
        let body = world.create_body(BodyDef::dynamic().position(x, 0.0));
        world.create_shape(body, Circle::of_radius(0.1), ShapeDef::default());
        body
    };
    let (a, b, c) = (ball(1.0), ball(2.0), ball(3.0));
    let massless = world.create_body(BodyDef::dynamic());
    let mut join = |a, b| world.create_joint(RevoluteJointDef::new(a, b));
    let (first, second, closing) = (join(base, a), join(a, b), join(base, b));
    let (loose, heavy) = (join(b, c), join(base, massless));
    let rope = world.create_joint(DistanceJointDef::new(base, c));
    let made = |joints: &[JointId]| Linkage::new(&world, base, joints).map(|_| ());
    assert_eq!(made(&[second, first]), Ok(()));
    assert_eq!(
        made(&[first, second, closing]),
        Err(LinkageError::Loop(closing))
    );
    assert_eq!(made(&[first, loose]), Err(LinkageError::Unconnected(loose)));
    assert_eq!(made(&[rope]), Err(LinkageError::Kind(rope)));
    assert_eq!(made(&[heavy]), Err(LinkageError::Fixed(massless)));
    let linkage = Linkage::new(&world, base, &[first]).unwrap();
    world.destroy_joint(first);
    assert_eq!(linkage.check(&world), Err(LinkageError::NoSuchJoint(first)));
}
