//! Joints in a world: they hold, are changed, wake their bodies, and name them.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, DistanceJointDef, JointFrame, JointId, JointSoftness, Limit, Motor,
    MotorJointDef, PrismaticJointDef, RevoluteJointDef, ShapeDef, WeldJointDef, WheelJointDef,
    World, WorldDef,
};
use cairn2d_geometry::MassData;
use cairn2d_geometry::math::{PI, point, vec2};

/// A disc that hangs `length` below a static body at the origin, on a pin.
pub(crate) fn pendulum(world: &mut World, length: f32) -> (BodyId, BodyId, JointId) {
    let base = world.create_body(BodyDef::static_());
    let bob = ball_at(world, 0.0, -length, 0.3);
    let pin = world.create_joint(RevoluteJointDef::new(base, bob).at(world, (0.0, 0.0)));
    (base, bob, pin)
}

/// A disc of the given mass [kg] and inertia [kg m^2] at (`x`, `y`).
pub(crate) fn weight(world: &mut World, x: f32, y: f32, mass: f32, inertia: f32) -> BodyId {
    let body = ball_at(world, x, y, 0.5);
    world.body_mut(body).set_mass(Some(MassData {
        mass,
        center: point(0.0, 0.0),
        inertia,
    }));
    body
}

/// Distance of a joint's two anchors [m].
pub(crate) fn gap(world: &World, joint: JointId) -> f32 {
    world.joint(joint).length()
}

#[test]
fn removed_joint_holds_no_more() {
    let mut world = world();
    let (_, bob, pin) = pendulum(&mut world, 2.0);
    run(&mut world, 30);
    assert!(y(&world, bob) > -2.5);
    world.destroy_joint(pin);
    run(&mut world, 60);
    assert!(y(&world, bob) < -4.0);
}

#[test]
fn changed_anchor_is_followed() {
    let mut world = world();
    let (_, bob, pin) = pendulum(&mut world, 2.0);
    run(&mut world, 30);
    let mut frames = [JointFrame::ORIGIN, JointFrame::at(0.0, 4.0)];
    world.joint_mut(pin).set_frames(frames);
    run(&mut world, 120);
    let height = y(&world, bob);
    assert!((-4.6..-3.4).contains(&height), "{height}");
    frames[0] = JointFrame::at(1.0, 0.0);
    world.joint_mut(pin).set_frames(frames);
    run(&mut world, 60);
    assert!(gap(&world, pin) < SLOP);
}

#[test]
fn moved_static_anchor_is_followed() {
    let mut world = world();
    let (base, bob, pin) = pendulum(&mut world, 2.0);
    run(&mut world, 30);
    world.body_mut(base).set_pose((5.0, 0.0), 0.0);
    run(&mut world, 300);
    let away = world.body(bob).position() - point(5.0, 0.0);
    close(away.norm(), 2.0, 0.02);
    assert!(gap(&world, pin) < 0.02);
}

#[test]
fn changing_a_joint_wakes_and_changing_nothing_does_not() {
    let mut world = world();
    let (_, bob, pin) = pendulum(&mut world, 2.0);
    assert!(run_until_asleep(&mut world, 600).is_some());
    world.joint_mut(pin).set_motor(None);
    world.joint_mut(pin).set_user_data(3);
    let same = *world.joint(pin).def();
    world.set_joint(pin, same);
    assert!(!is_awake(&world, bob));
    world.joint_mut(pin).set_motor(Some(Motor::new(2.0, 100.0)));
    assert!(is_awake(&world, bob));
    run(&mut world, 50);
    assert!(world.body(bob).angular_velocity().abs() > 0.1);
    assert_eq!(world.joint(pin).user_data(), 3);
}

#[test]
fn moving_kinematic_anchor_wakes_and_carries() {
    let mut world = world();
    let (base, bob, _) = pendulum(&mut world, 2.0);
    world
        .body_mut(base)
        .set_kind(cairn2d_dynamics::BodyKind::Kinematic);
    assert!(run_until_asleep(&mut world, 600).is_some());
    for i in 1..=200 {
        world
            .body_mut(base)
            .move_to((0.05 * i as f32, 0.0), 0.0, DT);
        step(&mut world);
        assert!(is_awake(&world, bob) || i == 1);
    }
    close(x(&world, bob), 10.0, 2.0);
}

#[test]
fn bodies_and_joints_know_each_other() {
    let mut world = weightless();
    let bodies: Vec<BodyId> = (0..3)
        .map(|i| ball_at(&mut world, 2.0 * i as f32, 0.0, 0.5))
        .collect();
    let first = world.create_joint(RevoluteJointDef::new(bodies[0], bodies[1]));
    let second = world.create_joint(DistanceJointDef::new(bodies[0], bodies[1]));
    let third = world.create_joint(WeldJointDef::new(bodies[1], bodies[2]));
    let of = |body: BodyId| -> Vec<JointId> {
        world.body(body).joints().map(|joint| joint.id()).collect()
    };
    assert_eq!(of(bodies[0]), [first, second]);
    assert_eq!(of(bodies[1]), [first, second, third]);
    assert_eq!(of(bodies[2]), [third]);
}

#[test]
fn joints_of_every_kind_live_with_locked_rotation() {
    let mut world = World::new(WorldDef::default());
    let base = world.create_body(BodyDef::static_());
    let locks = cairn2d_dynamics::Locks::ROTATION;
    let bodies: Vec<BodyId> = (0..6)
        .map(|i| {
            let def = BodyDef::dynamic()
                .position(3.0 * i as f32, 0.0)
                .locks(locks);
            solid(&mut world, def, rect(0.5, 0.3))
        })
        .collect();
    let at = |i: usize| (3.0 * i as f32 - 0.5, 0.3);
    let mut rope = DistanceJointDef::new(base, bodies[0]);
    rope = rope.between(&world, (0.0, 2.0), (0.0, 0.3));
    world.create_joint(rope);
    let mut motor = MotorJointDef::new(base, bodies[1]).at(&world, at(1));
    (motor.max_velocity_force, motor.max_velocity_torque) = (200.0, 10.0);
    world.create_joint(motor);
    let mut slider = PrismaticJointDef::new(base, bodies[2]).at(&world, at(2), vec2(0.0, 1.0));
    slider.limit = Some(Limit::new(-1.0, 1.0));
    world.create_joint(slider);
    let pin = world.create_joint(RevoluteJointDef::new(base, bodies[3]).at(&world, at(3)));
    let mut weld = WeldJointDef::new(base, bodies[4]).at(&world, at(4));
    weld.angular = Some(JointSoftness {
        hertz: 1.0,
        damping_ratio: 0.5,
    });
    let weld = world.create_joint(weld);
    world.create_joint(WheelJointDef::new(base, bodies[5]).at(&world, at(5), vec2(0.0, 1.0)));
    run(&mut world, 600);
    for body in bodies {
        assert_eq!(world.body(body).angle(), 0.0);
        assert!(y(&world, body).abs() < 3.0);
    }
    assert!(gap(&world, pin) < SLOP && gap(&world, weld) < SLOP);
}

/// Its island outgrew the work of a step when the ball hit the wall, and left Newton's method: chains opened by 0.1 to 1.5 m.
#[test]
fn chain_of_a_wrecking_ball_holds_when_it_hits_a_wall() {
    for (ratio, greatest) in [(100.0, 0.01), (1000.0, 0.002), (3000.0, 0.1)] {
        let mut world = world();
        ground(&mut world);
        let top = 9.4;
        let mut last = world.create_body(BodyDef::static_().position(0.0, top));
        let mut joints = Vec::new();
        for i in 0..21 {
            let x = -0.4 * i as f32;
            let link = BodyDef::dynamic().position(x - 0.2, top);
            let link = solid(&mut world, link, rect(0.18, 0.05));
            joints.push(RevoluteJointDef::new(last, link).at(&world, (x, top)));
            last = link;
        }
        let mass = ratio * world.body(last).mass();
        let ball = BodyDef::dynamic().position(-9.0, top);
        let shape = ShapeDef::default().density(mass / (PI * 0.6 * 0.6));
        let ball = add(&mut world, ball, disc(0.6), shape);
        joints.push(RevoluteJointDef::new(last, ball).at(&world, (-8.4, top)));
        let joints: Vec<JointId> = joints
            .into_iter()
            .map(|def| world.create_joint(def))
            .collect();
        for row in 0..4 {
            for column in 0..3 {
                let at = (1.0 + 0.82 * column as f32, 0.4 + 0.8 * row as f32);
                let brick = BodyDef::dynamic().position(at.0, at.1);
                let shape = ShapeDef::default().density(10.0);
                add(&mut world, brick, rect(0.4, 0.4), shape);
            }
        }
        let (mut widest, mut farthest) = (0.0_f32, 0.0_f32);
        for _ in 0..240 {
            world.step(DT);
            farthest = farthest.max(x(&world, ball));
            let gaps = joints.iter().map(|&joint| gap(&world, joint));
            widest = gaps.fold(widest, f32::max);
        }
        assert!(widest < greatest, "{ratio}: {widest} m");
        assert!(farthest > -0.02, "{ratio}: the ball hits the wall");
    }
}
