//! Bad input at the doors of joints: refused with the field's name, and nothing is changed.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, DistanceJointDef, FilterJointDef, GearJointDef, JointDef, JointDefError, JointFrame,
    JointId, JointSoftness, Limit, MAX_COORDINATE, Motor, MotorJointDef, MouseJointDef,
    PrismaticJointDef, PulleyJointDef, RevoluteJointDef, Spring, WeldJointDef, WheelJointDef,
    World, WorldError,
};
use cairn2d_geometry::math::{WorldPoint, vec2};
use std::panic::{AssertUnwindSafe, catch_unwind};

const BAD: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

/// A world with one joint of each kind between its own two bodies.
fn workshop() -> (World, Vec<JointId>) {
    let mut world = weightless();
    let bodies: Vec<_> = (0..20)
        .map(|i| ball_at(&mut world, 3.0 * i as f32, 0.0, 0.5))
        .collect();
    let pair = |i: usize| (bodies[2 * i], bodies[2 * i + 1]);
    let of = |i: usize| pair(i).0;
    let up = |i: usize| WorldPoint::from((6.0 * i as f32, 5.0));
    let (a, b) = pair(7);
    let defs: [JointDef; 9] = [
        RevoluteJointDef::new(of(0), pair(0).1).into(),
        PrismaticJointDef::new(of(1), pair(1).1).into(),
        DistanceJointDef::new(of(2), pair(2).1).into(),
        WeldJointDef::new(of(3), pair(3).1).into(),
        WheelJointDef::new(of(4), pair(4).1).into(),
        MotorJointDef::new(of(5), pair(5).1).into(),
        MouseJointDef::new(of(6), pair(6).1).into(),
        PulleyJointDef::new(a, b, up(7), up(8), 10.0).into(),
        FilterJointDef::new(of(8), pair(8).1).into(),
    ];
    let mut joints: Vec<_> = defs
        .into_iter()
        .map(|def| world.create_joint(def))
        .collect();
    let second = world.create_joint(RevoluteJointDef::new(of(9), pair(9).1));
    let gear = GearJointDef::new(pair(0).1, pair(9).1, joints[0], second);
    joints.push(world.create_joint(gear));
    (world, joints)
}

/// Hands a definition in, as a new joint and as a change of the old one: both must be refused, and name `field`.
#[track_caller]
fn refused(world: &mut World, id: JointId, def: JointDef, field: &str) {
    let (hash, count, old) = (
        world.state_hash(),
        world.joint_count(),
        *world.joint(id).def(),
    );
    let made = world.try_create_joint(def).unwrap_err().to_string();
    let changed = world.try_set_joint(id, def).unwrap_err().to_string();
    for error in [made, changed] {
        assert!(error.contains(field), "{error} does not name {field}");
    }
    assert_eq!((world.state_hash(), world.joint_count()), (hash, count));
    assert_eq!(*world.joint(id).def(), old);
}

#[test]
fn shared_fields_of_every_kind_are_checked() {
    let (mut world, joints) = workshop();
    type Set = fn(&mut JointDef, f32);
    let fields: [(&str, Set); 9] = [
        ("frame_a.anchor.x", |def, v| {
            def.base_mut().frame_a.anchor.x = v
        }),
        ("frame_a.anchor.y", |def, v| {
            def.base_mut().frame_a.anchor.y = v
        }),
        ("frame_a.angle", |def, v| def.base_mut().frame_a.angle = v),
        ("frame_b.anchor.x", |def, v| {
            def.base_mut().frame_b.anchor.x = v
        }),
        ("frame_b.anchor.y", |def, v| {
            def.base_mut().frame_b.anchor.y = v
        }),
        ("frame_b.angle", |def, v| def.base_mut().frame_b.angle = v),
        ("softness.hertz", |def, v| {
            def.base_mut().softness = Some(JointSoftness {
                hertz: v,
                damping_ratio: 1.0,
            });
        }),
        ("softness.damping_ratio", |def, v| {
            def.base_mut().softness = Some(JointSoftness {
                hertz: 1.0,
                damping_ratio: v,
            });
        }),
        ("break_force", |def, v| {
            def.base_mut().break_force = if v == f32::INFINITY { f32::NAN } else { v };
        }),
    ];
    for &id in &joints {
        for (field, set) in fields {
            for bad in BAD {
                let mut def = *world.joint(id).def();
                set(&mut def, bad);
                refused(&mut world, id, def, field);
            }
        }
        let mut def = *world.joint(id).def();
        def.base_mut().break_torque = -1.0;
        refused(&mut world, id, def, "break_torque");
    }
    step(&mut world);
}

#[test]
fn anchors_and_wheels_beyond_the_world_are_refused() {
    let edge = MAX_COORDINATE as f32;
    let (mut world, joints) = workshop();
    type Set = fn(&mut JointDef, f32);
    let anchors: [(&str, Set); 4] = [
        ("frame_a.anchor.x", |def, v| {
            def.base_mut().frame_a.anchor.x = v
        }),
        ("frame_a.anchor.y", |def, v| {
            def.base_mut().frame_a.anchor.y = v
        }),
        ("frame_b.anchor.x", |def, v| {
            def.base_mut().frame_b.anchor.x = v
        }),
        ("frame_b.anchor.y", |def, v| {
            def.base_mut().frame_b.anchor.y = v
        }),
    ];
    for &id in &joints {
        for (field, set) in anchors {
            for far in [1.001 * edge, -1.001 * edge, 6.4e33, f32::MAX] {
                let mut def = *world.joint(id).def();
                set(&mut def, far);
                refused(&mut world, id, def, field);
                let error = JointDefError::OutOfWorld {
                    field,
                    value: far,
                    limit: edge,
                };
                assert_eq!(def.validate(), Err(error));
                assert!(error.to_string().contains(&far.to_string()));
            }
            for near in [edge, -edge] {
                let mut def = *world.joint(id).def();
                set(&mut def, near);
                assert_eq!(def.validate(), Ok(()));
            }
        }
    }
    for (field, far) in [
        ("wheel_a", WorldPoint::new(1.0e12, 0.0)),
        ("wheel_b", WorldPoint::new(0.0, -1.0e12)),
    ] {
        let mut def = *world.joint(joints[7]).def();
        if let JointDef::Pulley(def) = &mut def {
            let wheel = match field {
                "wheel_a" => &mut def.wheel_a,
                _ => &mut def.wheel_b,
            };
            *wheel = far;
        }
        refused(&mut world, joints[7], def, field);
    }
    step(&mut world);
}

#[test]
fn own_fields_of_every_kind_are_checked() {
    let (mut world, joints) = workshop();
    type Set = fn(&mut JointDef, f32);
    fn motor(def: &mut JointDef, f: impl Fn(&mut MotorJointDef)) {
        if let JointDef::Motor(def) = def {
            f(def);
        }
    }
    let soft = |hertz, damping_ratio| {
        Some(JointSoftness {
            hertz,
            damping_ratio,
        })
    };
    let _ = soft;
    let fields: [(usize, &str, Set); 13] = [
        (2, "length", |def, v| {
            if let JointDef::Distance(def) = def {
                def.length = v;
            }
        }),
        (3, "linear.hertz", |def, v| {
            if let JointDef::Weld(def) = def {
                def.linear = Some(JointSoftness {
                    hertz: v,
                    damping_ratio: 1.0,
                });
            }
        }),
        (3, "angular.damping_ratio", |def, v| {
            if let JointDef::Weld(def) = def {
                def.angular = Some(JointSoftness {
                    hertz: 1.0,
                    damping_ratio: v,
                });
            }
        }),
        (5, "linear_velocity.x", |def, v| {
            motor(def, |def| def.linear_velocity.x = v)
        }),
        (5, "angular_velocity", |def, v| {
            motor(def, |def| def.angular_velocity = v)
        }),
        (5, "linear_spring.hertz", |def, v| {
            motor(def, |def| {
                def.linear_spring = Some(JointSoftness {
                    hertz: v,
                    damping_ratio: 1.0,
                });
            });
        }),
        (5, "angular_spring.damping_ratio", |def, v| {
            motor(def, |def| {
                def.angular_spring = Some(JointSoftness {
                    hertz: 1.0,
                    damping_ratio: v,
                });
            });
        }),
        (6, "spring.hertz", |def, v| {
            if let JointDef::Mouse(def) = def {
                def.spring.hertz = v;
            }
        }),
        (7, "length", |def, v| {
            if let JointDef::Pulley(def) = def {
                def.length = v;
            }
        }),
        (7, "ratio", |def, v| {
            if let JointDef::Pulley(def) = def {
                def.ratio = v;
            }
        }),
        (7, "wheel_a", |def, v| {
            if let JointDef::Pulley(def) = def {
                def.wheel_a.x = f64::from(v);
            }
        }),
        (7, "wheel_b", |def, v| {
            if let JointDef::Pulley(def) = def {
                def.wheel_b.y = f64::from(v);
            }
        }),
        (9, "ratio", |def, v| {
            if let JointDef::Gear(def) = def {
                def.ratio = v;
            }
        }),
    ];
    for (kind, field, set) in fields {
        for bad in BAD {
            let mut def = *world.joint(joints[kind]).def();
            set(&mut def, bad);
            refused(&mut world, joints[kind], def, field);
        }
    }
    // Values that must be positive, or not negative.
    for (place, bad) in [
        (0, 0.0),
        (0, -1.0),
        (1, -1.0),
        (2, -1.0),
        (7, -1.0),
        (8, 0.0),
        (9, -2.0),
    ] {
        let (kind, field, set) = fields[place];
        let mut def = *world.joint(joints[kind]).def();
        set(&mut def, bad);
        refused(&mut world, joints[kind], def, field);
    }
    for force in [f32::NAN, -1.0] {
        let mut def = *world.joint(joints[5]).def();
        motor(&mut def, |def| def.max_velocity_force = force);
        refused(&mut world, joints[5], def, "max_velocity_force");
        let mut def = *world.joint(joints[5]).def();
        motor(&mut def, |def| def.max_spring_torque = force);
        refused(&mut world, joints[5], def, "max_spring_torque");
    }
    step(&mut world);
}

#[test]
fn parts_of_every_kind_are_checked() {
    let (mut world, joints) = workshop();
    for kind in [0, 1, 2, 4] {
        let id = joints[kind];
        for bad in BAD {
            let put = |set: &dyn Fn(&mut JointDef)| {
                let mut def = *world.joint(id).def();
                set(&mut def);
                def
            };
            let speed = put(&|def| *def.motor_mut().unwrap() = Some(Motor::new(bad, 1.0)));
            let hertz = put(&|def| *def.spring_mut().unwrap() = Some(Spring::new(bad, 1.0)));
            let ratio = put(&|def| *def.spring_mut().unwrap() = Some(Spring::new(1.0, bad)));
            let target = put(&|def| {
                *def.spring_mut().unwrap() = Some(Spring {
                    target: bad,
                    ..Spring::new(1.0, 1.0)
                });
            });
            refused(&mut world, id, speed, "motor.speed");
            refused(&mut world, id, hertz, "spring.hertz");
            refused(&mut world, id, ratio, "spring.damping_ratio");
            refused(&mut world, id, target, "spring.target");
        }
        for limit in [
            Limit::new(1.0, -1.0),
            Limit::new(f32::NAN, 1.0),
            Limit::new(0.0, f32::NAN),
        ] {
            let mut def = *world.joint(id).def();
            *def.limit_mut().unwrap() = Some(limit);
            refused(&mut world, id, def, "limit");
        }
        let mut def = *world.joint(id).def();
        *def.motor_mut().unwrap() = Some(Motor::new(1.0, -1.0));
        refused(&mut world, id, def, "motor.max_effort");
    }
}

#[test]
fn setters_of_joints_refuse_nonsense_and_name_it() {
    type Change = fn(&mut World, JointId, f32);
    let changes: [(usize, &str, Change); 14] = [
        (0, "motor.speed", |w, id, v| {
            w.joint_mut(id).set_motor(Some(Motor::new(v, 1.0)))
        }),
        (1, "limit", |w, id, v| {
            w.joint_mut(id).set_limit(Some(Limit::new(f32::NAN, v)));
        }),
        (2, "spring.hertz", |w, id, v| {
            w.joint_mut(id).set_spring(Some(Spring::new(v, 1.0)))
        }),
        (2, "length", |w, id, v| w.joint_mut(id).set_length(v)),
        (4, "spring.target", |w, id, v| {
            w.joint_mut(id).set_spring_target(v)
        }),
        (5, "angular_velocity", |w, id, v| {
            w.joint_mut(id).set_velocity(vec2(0.0, 0.0), v)
        }),
        (5, "frame_a", |w, id, v| {
            w.joint_mut(id).set_target((v, 0.0))
        }),
        (5, "frame_a.angle", |w, id, v| {
            w.joint_mut(id).set_target_angle(v)
        }),
        (6, "frame_a", |w, id, v| {
            w.joint_mut(id).set_target((0.0, v))
        }),
        (7, "ratio", |w, id, v| w.joint_mut(id).set_ratio(v)),
        (9, "ratio", |w, id, v| w.joint_mut(id).set_ratio(v)),
        (3, "frame_b", |w, id, v| {
            w.joint_mut(id)
                .set_frames([JointFrame::ORIGIN, JointFrame::at(v, 0.0)]);
        }),
        (3, "softness", |w, id, v| {
            w.joint_mut(id).set_softness(Some(JointSoftness {
                hertz: v,
                damping_ratio: 1.0,
            }));
        }),
        (3, "break_torque", |w, id, v| {
            w.joint_mut(id).set_break_limits(1.0, v.min(-1.0))
        }),
    ];
    let (mut world, joints) = workshop();
    for (kind, field, change) in changes {
        for bad in BAD {
            let id = joints[kind];
            let before = *world.joint(id).def();
            let result = catch_unwind(AssertUnwindSafe(|| change(&mut world, id, bad)));
            let message = *result.unwrap_err().downcast::<String>().unwrap();
            assert!(message.contains(field), "{message} does not name {field}");
            assert_eq!(*world.joint(id).def(), before);
        }
    }
    step(&mut world);
}

#[test]
fn setter_of_a_part_that_the_kind_lacks_says_so() {
    type Change = fn(&mut World, JointId);
    let changes: [(&[usize], &str, Change); 7] = [
        (&[3, 5, 6, 7, 8, 9], "motor", |w, id| {
            w.joint_mut(id).set_motor(None)
        }),
        (&[3, 5, 6, 7, 8, 9], "limit", |w, id| {
            w.joint_mut(id).set_limit(None)
        }),
        (&[3, 5, 6, 7, 8, 9], "spring", |w, id| {
            w.joint_mut(id).set_spring(None)
        }),
        (&[0, 1, 2, 4], "motor", |w, id| {
            w.joint_mut(id).set_motor_speed(1.0)
        }),
        (&[0, 1, 2, 3, 4, 7, 8, 9], "target", |w, id| {
            w.joint_mut(id).set_target((0.0, 0.0))
        }),
        (&[0, 1, 3, 4, 5, 6, 8, 9], "length", |w, id| {
            w.joint_mut(id).set_length(1.0)
        }),
        (&[0, 1, 2, 3, 4, 5, 6, 8], "ratio", |w, id| {
            w.joint_mut(id).set_ratio(1.0)
        }),
    ];
    let (mut world, joints) = workshop();
    for (kinds, part, change) in changes {
        for &kind in kinds {
            let id = joints[kind];
            let result = catch_unwind(AssertUnwindSafe(|| change(&mut world, id)));
            let message = *result.unwrap_err().downcast::<String>().unwrap();
            assert!(
                message.contains("has no") && message.contains(part),
                "{message}"
            );
        }
    }
}

#[test]
fn wrong_bodies_joints_and_kinds_are_refused() {
    let (mut world, joints) = workshop();
    let [a, b] = world.joint(joints[0]).bodies();
    let gone = ball_at(&mut world, 0.0, 9.0, 0.5);
    world.destroy_body(gone);
    let foreign = another_world().create_body(BodyDef::dynamic());
    for bad in [gone, foreign] {
        let refused = world.try_create_joint(WeldJointDef::new(a, bad));
        assert_eq!(refused, Err(WorldError::NoSuchBody(bad)));
    }
    let same = world.try_create_joint(WheelJointDef::new(a, a));
    assert_eq!(same, Err(JointDefError::SameBody.into()));
    let other_kind = world.try_set_joint(joints[0], WeldJointDef::new(a, b));
    assert_eq!(other_kind, Err(WorldError::OtherJoint(joints[0])));
    let other_bodies = world.try_set_joint(joints[0], RevoluteJointDef::new(b, a));
    assert_eq!(other_bodies, Err(WorldError::OtherJoint(joints[0])));
    let ungearable = world.try_create_joint(GearJointDef::new(a, b, joints[0], joints[3]));
    assert_eq!(
        ungearable,
        Err(JointDefError::NotGearable { field: "joint_b" }.into())
    );
    let same = world.try_create_joint(GearJointDef::new(a, b, joints[0], joints[0]));
    assert_eq!(same, Err(JointDefError::SameJoint.into()));
    let elsewhere = world.try_create_joint(GearJointDef::new(b, a, joints[0], joints[1]));
    assert_eq!(
        elsewhere,
        Err(JointDefError::NotOnGearedJoint { field: "body_b" }.into())
    );
    world.destroy_joint(joints[4]);
    assert!(world.get_joint_mut(joints[4]).is_none());
    let stale = world.try_create_joint(GearJointDef::new(a, b, joints[0], joints[4]));
    assert_eq!(stale, Err(WorldError::NoSuchJoint(joints[4])));
    let result = catch_unwind(AssertUnwindSafe(|| {
        world.joint_mut(joints[4]);
    }));
    assert!(result.is_err());
}
