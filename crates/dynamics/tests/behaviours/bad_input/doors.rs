//! Nonsense at every public entry: a clear error or a defined no-op, and nothing else lost.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, Filter, JointBaseDef, JointFrame, JointId, JointSoftness, Limit, Material,
    Motor, QueryFilter, RevoluteJointDef, ShapeDef, ShapeId, Spring, Tuning, World, WorldDef,
    WorldError,
};
use cairn2d_geometry::math::{WorldPoint, point, vec2};
use cairn2d_geometry::{Aabb, Capsule, Circle, MassData, Polygon, Segment};
use std::panic::{AssertUnwindSafe, catch_unwind};

const BAD: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

/// A small world at work: ground, a pile, a pendulum.
pub(crate) fn workshop() -> (World, BodyId) {
    let mut world = world();
    ground(&mut world);
    let boxes = column(&mut world, 0.0, 3);
    let base = world.create_body(BodyDef::static_().position(5.0, 5.0));
    let bob = ball_at(&mut world, 6.0, 5.0, 0.2);
    world.create_joint(RevoluteJointDef {
        base: JointBaseDef {
            frame_b: JointFrame::at(-1.0, 0.0),
            ..JointBaseDef::new(base, bob)
        },
        limit: None,
        motor: None,
        spring: None,
    });
    run(&mut world, 10);
    (world, boxes[1])
}

/// Asserts that `act` panics with a message that contains `word`, and leaves the world as it was.
#[track_caller]
pub(crate) fn refuses(word: &str, act: impl FnOnce(&mut World, BodyId)) {
    let (mut world, body) = workshop();
    let before = world.state_hash();
    let result = catch_unwind(AssertUnwindSafe(|| act(&mut world, body)));
    let panic = result.expect_err("must be refused");
    let message = panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
        .expect("a message");
    assert!(message.contains(word), "{message:?} does not name {word:?}");
    assert_eq!(world.state_hash(), before);
    run(&mut world, 3);
}

#[test]
fn step_of_no_time_changes_nothing() {
    let (mut world, _) = workshop();
    let (before, steps) = (world.state_hash(), world.step_count());
    world.step(0.0);
    world.step(-0.0);
    assert_eq!(world.state_hash(), before);
    assert_eq!(world.step_count(), steps);
    world.assert_consistent();
}

#[test]
fn step_of_nonsense_is_refused() {
    for dt in [-1.0, -1.0e-30, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let (mut world, _) = workshop();
        let before = world.state_hash();
        let error = world.try_step(dt).unwrap_err().to_string();
        assert!(error.contains("dt"), "{error}");
        assert_eq!(world.state_hash(), before);
        refuses("dt", |world, _| world.step(dt));
    }
}

#[test]
fn step_of_seconds_is_cut_short() {
    let (mut long, _) = workshop();
    let mut short = long.clone();
    long.step(10.0);
    short.step(cairn2d_dynamics::MAX_STEP);
    assert_eq!(long.state_hash(), short.state_hash());
    run(&mut long, 100);
}

#[test]
fn dt_of_zero_is_harmless_with_a_violated_joint() {
    let mut world = world();
    let base = world.create_body(BodyDef::static_());
    let body = ball_at(&mut world, 0.0, 0.0, 0.5);
    world.create_joint(RevoluteJointDef {
        base: JointBaseDef {
            frame_a: JointFrame::at(0.0, 1.0),
            frame_b: JointFrame::at(0.0, -3.0),
            ..JointBaseDef::new(base, body)
        },
        limit: None,
        motor: None,
        spring: None,
    });
    world.step(0.0);
    world.assert_consistent();
    assert_eq!(world.body(body).position(), point(0.0, 0.0));
    assert_eq!(
        world.joints().next().unwrap().reaction().force,
        vec2(0.0, 0.0)
    );
    run(&mut world, 60);
}

#[test]
fn world_of_nonsense_is_refused() {
    let refused = |def: WorldDef, word: &str| {
        let error = World::try_new(def).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
    };
    for bad in BAD {
        let gravity = vec2(0.0, bad);
        refused(
            WorldDef {
                gravity,
                ..WorldDef::default()
            },
            "gravity.y",
        );
    }
    for substeps in [0, 65, u32::MAX] {
        refused(
            WorldDef {
                substeps,
                ..WorldDef::default()
            },
            "substeps",
        );
    }
    type Set = fn(&mut Tuning, f32);
    let fields: [(&str, Set); 7] = [
        ("contact_hertz", |tuning, v| tuning.contact_hertz = v),
        ("contact_damping_ratio", |tuning, v| {
            tuning.contact_damping_ratio = v
        }),
        ("contact_push_speed", |tuning, v| {
            tuning.contact_push_speed = v
        }),
        ("restitution_threshold", |tuning, v| {
            tuning.restitution_threshold = v
        }),
        ("max_linear_speed", |tuning, v| tuning.max_linear_speed = v),
        ("joint_hertz", |tuning, v| tuning.joint_hertz = v),
        ("joint_damping_ratio", |tuning, v| {
            tuning.joint_damping_ratio = v
        }),
    ];
    for (name, set) in fields {
        for bad in [f32::NAN, -1.0, f32::NEG_INFINITY] {
            let mut tuning = Tuning::default();
            set(&mut tuning, bad);
            refused(
                WorldDef {
                    tuning,
                    ..WorldDef::default()
                },
                name,
            );
        }
    }
}

#[test]
fn body_of_nonsense_is_refused() {
    type Set = fn(&mut BodyDef, f32);
    let fields: [(&str, Set); 11] = [
        ("position", |def, v| def.position.x = v.into()),
        ("position", |def, v| def.position.y = v.into()),
        ("angle", |def, v| def.angle = v),
        ("velocity.x", |def, v| def.velocity.x = v),
        ("velocity.y", |def, v| def.velocity.y = v),
        ("angular_velocity", |def, v| def.angular_velocity = v),
        ("linear_damping", |def, v| def.linear_damping = v),
        ("angular_damping", |def, v| def.angular_damping = v),
        ("gravity_scale", |def, v| def.gravity_scale = v),
        ("max_linear_speed", |def, v| def.max_linear_speed = Some(v)),
        ("sleep_speed", |def, v| def.sleep_speed = v),
    ];
    for (name, set) in fields {
        for bad in [f32::NAN, f32::NEG_INFINITY] {
            let (mut world, _) = workshop();
            let (before, count) = (world.state_hash(), world.body_count());
            let mut def = BodyDef::dynamic();
            set(&mut def, bad);
            let error = world.try_create_body(&def).unwrap_err();
            assert!(matches!(error, WorldError::Value(_)));
            assert!(error.to_string().contains(name), "{error}");
            assert_eq!((world.state_hash(), world.body_count()), (before, count));
        }
    }
    let far = BodyDef {
        position: WorldPoint::new(1.1e9, 0.0),
        ..BodyDef::dynamic()
    };
    assert!(world().try_create_body(&far).is_err());
    refuses("linear_damping", |world, _| {
        world.create_body(BodyDef {
            linear_damping: -1.0,
            ..BodyDef::dynamic()
        });
    });
}

#[test]
fn shape_of_nonsense_is_refused() {
    type Set = fn(&mut ShapeDef, f32);
    let fields: [(&str, Set); 5] = [
        ("density", |def, v| def.density = v),
        ("friction", |def, v| def.material.friction = v),
        ("restitution", |def, v| def.material.restitution = v),
        ("rolling_resistance", |def, v| {
            def.material.rolling_resistance = v
        }),
        ("surface_speed", |def, v| def.material.surface_speed = v),
    ];
    for (name, set) in fields {
        for bad in BAD.into_iter().chain([-1.0]) {
            if name == "surface_speed" && bad == -1.0 {
                continue;
            }
            let (mut world, body) = workshop();
            let (before, count) = (world.state_hash(), world.shape_count());
            let mut def = ShapeDef::default();
            set(&mut def, bad);
            let error = world.try_create_shape(body, disc(0.1), def).unwrap_err();
            assert!(error.to_string().contains(name), "{error}");
            assert_eq!((world.state_hash(), world.shape_count()), (before, count));
        }
    }
}

#[test]
fn geometry_of_nonsense_is_refused_before_it_reaches_the_world() {
    for bad in BAD.into_iter().chain([0.0, -1.0, 1.0e9]) {
        assert!(Circle::try_new(point(0.0, 0.0), bad).is_err(), "{bad}");
        assert!(Polygon::try_rectangle(bad, 1.0).is_err(), "{bad}");
        assert!(
            Capsule::try_new(point(0.0, 0.0), point(1.0, 0.0), bad).is_err(),
            "{bad}"
        );
    }
    for bad in BAD {
        assert!(Circle::try_new(point(bad, 0.0), 1.0).is_err());
        assert!(Segment::try_new(point(bad, 0.0), point(0.0, 0.0)).is_err());
        assert!(Polygon::try_hull(&[point(0.0, 0.0), point(1.0, 0.0), point(bad, 1.0)]).is_err());
    }
    assert!(Segment::try_new(point(1.0, 1.0), point(1.0, 1.0)).is_err());
    assert!(Polygon::try_hull(&[]).is_err());
    assert!(Polygon::try_hull(&[point(0.0, 0.0), point(1.0, 1.0), point(2.0, 2.0)]).is_err());
}

#[test]
fn density_of_zero_adds_no_mass() {
    let mut world = world();
    let body = ball_at(&mut world, 0.0, 0.0, 0.5);
    let before = world.body(body).mass();
    world.create_shape(body, disc(1.0), ShapeDef::default().density(0.0));
    assert_eq!(world.body(body).mass(), before);
}

#[test]
fn joint_of_nonsense_is_refused() {
    let (mut world, body) = workshop();
    let other = crate_at(&mut world, 20.0, 5.0, 0.5);
    let good = RevoluteJointDef::new(body, other);
    type Set = fn(&mut RevoluteJointDef, f32);
    let fields: [(&str, Set); 12] = [
        ("frame_a.anchor.x", |def, v| def.base.frame_a.anchor.x = v),
        ("frame_b.anchor.y", |def, v| def.base.frame_b.anchor.y = v),
        ("frame_a.angle", |def, v| def.base.frame_a.angle = v),
        ("frame_b.angle", |def, v| def.base.frame_b.angle = v),
        ("break_force", |def, v| def.base.break_force = v),
        ("break_torque", |def, v| def.base.break_torque = v),
        ("limit", |def, v| def.limit = Some(Limit::new(v, 0.0))),
        ("limit", |def, v| def.limit = Some(Limit::new(0.0, v))),
        ("motor.speed", |def, v| def.motor = Some(Motor::new(v, 1.0))),
        ("motor.max_effort", |def, v| {
            def.motor = Some(Motor::new(1.0, v))
        }),
        ("spring.hertz", |def, v| {
            def.spring = Some(Spring::new(v, 1.0))
        }),
        ("softness.hertz", |def, v| {
            def.base.softness = Some(JointSoftness {
                hertz: v,
                damping_ratio: 1.0,
            });
        }),
    ];
    let before = world.state_hash();
    for (name, set) in fields {
        let mut def = good;
        set(&mut def, f32::NAN);
        let error = world.try_create_joint(def).unwrap_err().to_string();
        assert!(error.contains(name), "{error}");
    }
    for set in [
        fields[4].1,
        fields[5].1,
        fields[9].1,
        fields[10].1,
        fields[11].1,
    ] {
        let mut def = good;
        set(&mut def, -1.0);
        assert!(world.try_create_joint(def).is_err());
    }
    let crossed = RevoluteJointDef {
        limit: Some(Limit::new(1.0, -1.0)),
        ..good
    };
    assert!(world.try_create_joint(crossed).is_err());
    assert!(
        world
            .try_create_joint(RevoluteJointDef::new(body, body))
            .is_err()
    );
    assert_eq!(world.state_hash(), before);
    assert_eq!(world.joint_count(), 1);
}

#[test]
fn setters_refuse_nonsense_and_name_it() {
    for bad in BAD {
        let v = vec2(0.0, bad);
        refuses("gravity", |world, _| world.set_gravity(v));
        refuses("velocity", |world, body| {
            world.body_mut(body).set_velocity(v)
        });
        refuses("angular_velocity", |world, body| {
            world.body_mut(body).set_angular_velocity(bad);
        });
        refuses("position", |world, body| {
            world.body_mut(body).set_pose((bad, 0.0), 0.0)
        });
        refuses("angle", |world, body| {
            world.body_mut(body).set_pose((0.0, 0.0), bad)
        });
        refuses("position", |world, body| {
            world.body_mut(body).move_to((bad, 0.0), 0.0, DT);
        });
        refuses("angle", |world, body| {
            world.body_mut(body).move_to((0.0, 0.0), bad, DT)
        });
        refuses("dt", |world, body| {
            world.body_mut(body).move_to((0.0, 0.0), 0.0, bad)
        });
        refuses("gravity_scale", |world, body| {
            world.body_mut(body).set_gravity_scale(bad)
        });
        refuses("linear_damping", |world, body| {
            world.body_mut(body).set_damping(bad, 0.0)
        });
        refuses("angular_damping", |world, body| {
            world.body_mut(body).set_damping(0.0, bad)
        });
        refuses("sleep_speed", |world, body| {
            world.body_mut(body).set_sleep_speed(bad)
        });
        refuses("force", |world, body| world.body_mut(body).apply_force(v));
        refuses("force", |world, body| {
            world.body_mut(body).apply_force_at(v, (0.0, 0.0))
        });
        refuses("point", |world, body| {
            world
                .body_mut(body)
                .apply_force_at(vec2(1.0, 0.0), (bad, 0.0));
        });
        refuses("torque", |world, body| {
            world.body_mut(body).apply_torque(bad)
        });
        refuses("impulse", |world, body| {
            world.body_mut(body).apply_impulse(v)
        });
        refuses("impulse", |world, body| {
            world.body_mut(body).apply_impulse_at(v, (0.0, 0.0))
        });
        refuses("point", |world, body| {
            world
                .body_mut(body)
                .apply_impulse_at(vec2(1.0, 0.0), (bad, 0.0));
        });
        refuses("angular impulse", |world, body| {
            world.body_mut(body).apply_angular_impulse(bad);
        });
        refuses("density", |world, body| {
            let shape = shape_of(world, body);
            world.shape_mut(shape).set_density(bad);
        });
        refuses("friction", |world, body| {
            let shape = shape_of(world, body);
            world.shape_mut(shape).set_material(Material {
                friction: bad,
                ..Material::default()
            });
        });
        let data = |mass: f32, inertia: f32, x: f32| MassData {
            mass,
            center: point(x, 0.0),
            inertia,
        };
        refuses("mass", |world, body| {
            world.body_mut(body).set_mass(Some(data(bad, 1.0, 0.0)))
        });
        refuses("inertia", |world, body| {
            world.body_mut(body).set_mass(Some(data(1.0, bad, 0.0)));
        });
        refuses("center", |world, body| {
            world.body_mut(body).set_mass(Some(data(1.0, 1.0, bad)))
        });
    }
    refuses("damping", |world, body| {
        world.body_mut(body).set_damping(-1.0, 0.0)
    });
    refuses("sleep_speed", |world, body| {
        world.body_mut(body).set_sleep_speed(-1.0)
    });
    refuses("dt", |world, body| {
        world.body_mut(body).move_to((0.0, 0.0), 0.0, 0.0)
    });
    refuses("dt", |world, body| {
        world.body_mut(body).move_to((0.0, 0.0), 0.0, -1.0)
    });
    refuses("position", |world, body| {
        world.body_mut(body).set_pose((2.0e9, 0.0), 0.0)
    });
    refuses("density", |world, body| {
        let shape = shape_of(world, body);
        world.shape_mut(shape).set_density(-1.0);
    });
}

#[test]
fn stale_and_foreign_ids_are_named_or_nothing() {
    let (mut world, body) = workshop();
    let shape = shape_of(&world, body);
    let joint = world.joints().next().unwrap().id();
    let contact = world.contacts().next().unwrap().id();
    world.destroy_joint(joint);
    world.destroy_body(body);
    let foreign = another_world().create_body(BodyDef::dynamic());
    let before = world.state_hash();
    let unknown = BodyId::from_bits(0x0001_0002_ffff_ffff);
    for id in [body, foreign, unknown] {
        assert!(world.get_body(id).is_none());
        assert!(world.get_body_mut(id).is_none());
        assert!(!world.destroy_body(id));
        let def = ShapeDef::default();
        let refused = world.try_create_shape(id, disc(0.5), def);
        assert_eq!(refused, Err(WorldError::NoSuchBody(id)));
        let refused = world.try_create_joint(RevoluteJointDef::new(id, id));
        assert_eq!(refused, Err(WorldError::NoSuchBody(id)));
    }
    assert!(world.get_shape(shape).is_none() && world.get_joint(joint).is_none());
    assert!(!world.destroy_shape(shape) && !world.destroy_joint(joint));
    assert!(world.get_shape(ShapeId::from_bits(u64::MAX)).is_none());
    assert!(world.get_joint(JointId::from_bits(u64::MAX)).is_none());
    step(&mut world);
    assert!(world.get_contact(contact).is_none() || world.contacts().count() > 0);
    world.assert_consistent();
    let _ = before;
    refuses("body", |world, _| {
        let _ = world.body(BodyId::from_bits(u64::MAX));
    });
    refuses("body", |world, _| {
        world.body_mut(BodyId::from_bits(7));
    });
    refuses("shape", |world, _| {
        world
            .shape_mut(ShapeId::from_bits(u64::MAX))
            .set_density(1.0);
    });
    refuses("shape", |world, _| {
        world
            .shape_mut(ShapeId::from_bits(u64::MAX))
            .set_filter(Filter::default());
    });
    refuses("joint", |world, _| {
        let _ = world.joint(JointId::from_bits(u64::MAX));
    });
    refuses("body", |world, _| {
        world.create_shape(BodyId::from_bits(u64::MAX), disc(1.0), ShapeDef::default());
    });
}

#[test]
fn queries_of_nonsense_find_nothing() {
    let (world, _) = workshop();
    let filter = QueryFilter::default();
    for bad in BAD {
        for (origin, way) in [
            ((bad, 5.0), vec2(0.0, -10.0)),
            ((0.0, bad), vec2(0.0, -10.0)),
            ((0.0, 5.0), vec2(bad, 0.0)),
            ((0.0, 5.0), vec2(0.0, bad)),
        ] {
            assert!(world.ray_cast(origin, way, filter).is_none());
            assert!(world.ray_cast_all(origin, way, filter).is_empty());
            let any = world.ray_cast_any(origin, way, filter);
            assert!(any.is_none());
        }
        assert!(world.shapes_at((bad, 0.0), filter).is_empty());
        let area = Aabb {
            min: point(bad, 0.0),
            max: point(1.0, 1.0),
        };
        assert!(world.shapes_near(&area, filter).is_empty());
    }
    let turned_over = Aabb {
        min: point(1.0, 1.0),
        max: point(-1.0, -1.0),
    };
    let _ = world.shapes_near(&turned_over, filter);
    let huge = world.ray_cast((0.0, 1.0e30), vec2(0.0, -3.0e38), filter);
    assert!(huge.is_none_or(|hit| hit.fraction.is_finite()));
}
