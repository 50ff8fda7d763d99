//! Refused calls: they change nothing, name the invalid argument, and show the line of the caller.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKind, ExplosionDef, IgnoreFor, JointFrame, JointId, Limit, Motor,
    RevoluteJointDef, ShapeDef, Spring, Wind, World, WorldDef, WorldError,
};
use cairn2d_geometry::math::{Point, Vec2, WorldPoint, point, vec2};
use cairn2d_geometry::{
    Capsule, Chain, ChainKind, ChainSegment, Circle, Ellipse, MassData, Polygon, Segment, Shape,
};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// File of the last panic of this thread.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Returns the message of the panic of `act`, and the file that it names.
fn panic_of<R>(act: impl FnOnce() -> R) -> (String, String) {
    static NOTE_PLACE: Once = Once::new();
    NOTE_PLACE.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            let file = info.location().map_or("", |location| location.file());
            PLACE.with(|place| *place.borrow_mut() = file.to_owned());
            usual(info);
        }));
    });
    let Err(panic) = catch_unwind(AssertUnwindSafe(act)) else {
        panic!("accepted");
    };
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    (
        text.unwrap_or_default(),
        PLACE.with(|place| place.borrow().clone()),
    )
}

#[test]
fn refused_call_shows_the_line_of_the_caller() {
    type Act = fn(&mut World, BodyId);
    let acts: [(&str, Act); 14] = [
        ("new", |_, _| {
            let substeps = 0;
            drop(World::new(WorldDef {
                substeps,
                ..WorldDef::default()
            }));
        }),
        ("create_body", |world, _| {
            world.create_body(BodyDef::dynamic().position(f32::NAN, 0.0));
        }),
        ("create_shape", |world, body| {
            world.create_shape(body, disc(1.0), ShapeDef::default().density(-1.0));
        }),
        ("create_chain", |world, body| {
            let chain = Chain::ground(&[point(0.0, 0.0), point(1.0, 0.0)]);
            world.create_chain(body, &chain, ShapeDef::default().density(-1.0));
        }),
        ("create_joint", |world, body| {
            world.create_joint(RevoluteJointDef::new(body, body));
        }),
        ("step", |world, _| world.step(-1.0)),
        ("set_def", |world, _| {
            let def = WorldDef {
                threads: 0,
                ..world.def().clone()
            };
            world.set_def(def);
        }),
        ("set_gravity", |world, _| {
            world.set_gravity(vec2(f32::NAN, 0.0))
        }),
        ("shift_origin", |world, _| {
            world.shift_origin((f32::NAN, 0.0))
        }),
        ("ignore_pair", |world, body| {
            world.ignore_pair(body, body, IgnoreFor::Time(-1.0));
        }),
        ("explode", |world, _| {
            world.explode(&ExplosionDef::new((0.0, 0.0), -1.0, 1.0));
        }),
        ("set_mass", |world, body| {
            let mass = MassData {
                mass: -1.0,
                ..MassData::ZERO
            };
            world.body_mut(body).set_mass(Some(mass));
        }),
        ("apply_impulse_at", |world, body| {
            let impulse = vec2(0.0, f32::INFINITY);
            world.body_mut(body).apply_impulse_at(impulse, (1.0, 0.0));
        }),
        ("move_to", |world, body| {
            world.body_mut(body).move_to((1.0, 0.0), 0.0, 1.0e-45);
        }),
    ];
    for (name, act) in acts {
        let mut world = world();
        let body = ball_at(&mut world, 0.0, 0.0, 0.5);
        let (text, file) = panic_of(|| act(&mut world, body));
        assert!(file.ends_with("refusals.rs"), "{name}: {text} in {file}");
    }
}

#[test]
fn refused_shape_shows_the_line_of_the_caller_and_the_value() {
    type Make = fn(f32) -> Shape;
    let origin = point(0.0, 0.0);
    let acts: [(&str, Make); 10] = [
        ("radius", |x| Circle::new(point(0.0, 0.0), x).into()),
        ("radius", |x| Circle::of_radius(x).into()),
        ("radius", |x| {
            Capsule::new(point(0.0, 0.0), point(1.0, 0.0), x).into()
        }),
        ("half width", |x| Polygon::rectangle(x, 1.0).into()),
        ("half height", |x| {
            Polygon::rounded_rectangle(1.0, x, 0.1).into()
        }),
        ("half width", |x| {
            Polygon::offset_rectangle(x, 1.0, point(0.0, 0.0), 0.5).into()
        }),
        ("circumradius", |x| Polygon::regular(5, x).into()),
        ("radius", |x| {
            let corners = [point(0.0, 0.0), point(1.0, 0.0), point(0.0, 1.0)];
            Polygon::rounded_hull(&corners, x).into()
        }),
        ("rx", |x| Ellipse::new(point(0.0, 0.0), x, 1.0, 0.0).into()),
        ("ry", |x| Ellipse::new(point(0.0, 0.0), 1.0, x, 0.0).into()),
    ];
    for (name, act) in acts {
        let (text, file) = panic_of(|| act(-2.5));
        assert!(file.ends_with("refusals.rs"), "{name}: {text} in {file}");
        assert!(
            text.contains(name) && text.contains("-2.5"),
            "{name}: {text}"
        );
    }
    let same: [fn(Point) -> Shape; 3] = [
        |p| Segment::new(p, p).into(),
        |p| ChainSegment::new(None, p, p, None).into(),
        |p| Polygon::hull(&[p, p, p]).into(),
    ];
    for act in same {
        let (text, file) = panic_of(|| act(origin));
        assert!(file.ends_with("refusals.rs"), "{text} in {file}");
    }
    for act in [
        |p| Chain::ground(&[p]),
        |p| Chain::new(&[p], ChainKind::Loop),
    ] {
        let (text, file) = panic_of(|| act(origin));
        assert!(file.ends_with("refusals.rs"), "{text} in {file}");
        assert!(text.contains("1 points are too few"), "{text}");
    }
}

#[test]
fn refused_setter_with_a_result_names_the_value_and_changes_nothing() {
    type Act = fn(&mut World, BodyId, f32) -> Result<(), String>;
    fn text(result: Result<(), impl std::fmt::Display>) -> Result<(), String> {
        result.map_err(|error| error.to_string())
    }
    let acts: [Act; 28] = [
        |world, body, x| text(world.body_mut(body).try_set_velocity(vec2(x, 0.0))),
        |world, body, x| text(world.body_mut(body).try_set_angular_velocity(x)),
        |world, body, x| text(world.body_mut(body).try_set_pose((0.0, 1.0), x)),
        |world, body, x| text(world.body_mut(body).try_move_to((0.0, 1.0), x, DT)),
        |world, body, x| text(world.body_mut(body).try_set_gravity_scale(x)),
        |world, body, x| text(world.body_mut(body).try_set_damping(0.5, x)),
        |world, body, x| text(world.body_mut(body).try_set_max_linear_speed(Some(x))),
        |world, body, x| text(world.body_mut(body).try_set_max_angular_speed(x)),
        |world, body, x| text(world.body_mut(body).try_set_sleep_speed(x)),
        |world, body, x| {
            let mass = MassData {
                mass: x,
                ..MassData::ZERO
            };
            text(world.body_mut(body).try_set_mass(Some(mass)))
        },
        |world, body, x| text(world.body_mut(body).try_apply_force(vec2(0.0, x))),
        |world, body, x| {
            let place = (x, 0.0);
            text(
                world
                    .body_mut(body)
                    .try_apply_force_at(vec2(0.0, 1.0), place),
            )
        },
        |world, body, x| text(world.body_mut(body).try_apply_local_force(vec2(0.0, x))),
        |world, body, x| {
            let place = point(0.0, 0.0);
            text(
                world
                    .body_mut(body)
                    .try_apply_local_force_at(vec2(x, 1.0), place),
            )
        },
        |world, body, x| text(world.body_mut(body).try_apply_torque(x)),
        |world, body, x| text(world.body_mut(body).try_apply_impulse(vec2(x, 0.0))),
        |world, body, x| text(world.body_mut(body).try_apply_local_impulse(vec2(x, 0.0))),
        |world, body, x| text(world.body_mut(body).try_apply_acceleration(vec2(x, 0.0))),
        |world, body, x| {
            let place = (0.0, x);
            text(
                world
                    .body_mut(body)
                    .try_apply_impulse_at(vec2(1.0, 0.0), place),
            )
        },
        |world, body, x| text(world.body_mut(body).try_apply_angular_impulse(x)),
        |world, body, x| {
            let shape = shape_of(world, body);
            text(world.shape_mut(shape).try_set_friction(x))
        },
        |world, body, x| {
            let shape = shape_of(world, body);
            text(world.shape_mut(shape).try_set_restitution(x))
        },
        |world, body, x| {
            let shape = shape_of(world, body);
            text(world.shape_mut(shape).try_set_surface_speed(x))
        },
        |world, body, x| {
            let shape = shape_of(world, body);
            text(world.shape_mut(shape).try_set_density(x))
        },
        |world, body, x| {
            let shape = shape_of(world, body);
            text(world.shape_mut(shape).try_set_one_way(Some(vec2(x, 0.0))))
        },
        |world, body, x| {
            let shape = shape_of(world, body);
            text(world.shape_mut(shape).try_set_force_event_threshold(x))
        },
        |world, body, x| {
            text(
                world
                    .body_mut(body)
                    .try_apply_wind(&Wind::new(vec2(x, 0.0))),
            )
        },
        |world, _, x| text(world.try_set_gravity(vec2(x, 0.0))),
    ];
    for (i, act) in acts.into_iter().enumerate() {
        let mut world = world();
        let body = ball_at(&mut world, 0.0, 0.0, 0.5);
        let before = world.state_hash();
        let error = act(&mut world, body, f32::NAN).expect_err("NaN is refused");
        assert!(error.contains("NaN"), "setter {i}: {error}");
        assert_eq!(world.state_hash(), before, "setter {i}");
        assert_eq!(act(&mut world, body, 1.0), Ok(()), "setter {i}");
    }
}

#[test]
fn refused_setter_of_a_joint_names_the_value_and_changes_nothing() {
    type Act = fn(&mut World, JointId, f32) -> Result<(), WorldError>;
    let acts: [Act; 6] = [
        |world, joint, x| {
            let motor = Some(Motor::new(x, 1.0));
            world.joint_mut(joint).try_set_motor(motor)
        },
        |world, joint, x| world.joint_mut(joint).try_set_motor_speed(x),
        |world, joint, x| {
            let limit = Some(Limit::new(x, 2.0));
            world.joint_mut(joint).try_set_limit(limit)
        },
        |world, joint, x| world.joint_mut(joint).try_set_spring_target(x),
        |world, joint, x| world.joint_mut(joint).try_set_break_limits(x, 1.0),
        |world, joint, x| {
            let frame = JointFrame {
                angle: x,
                ..JointFrame::at(0.0, 0.0)
            };
            let frames = [JointFrame::at(0.0, 0.0), frame];
            world.joint_mut(joint).try_set_frames(frames)
        },
    ];
    for (i, act) in acts.into_iter().enumerate() {
        let mut world = world();
        let [a, b] = [0.0, 3.0].map(|x| ball_at(&mut world, x, 0.0, 0.5));
        let def = RevoluteJointDef {
            motor: Some(Motor::new(1.5, 1.0)),
            spring: Some(Spring::new(2.0, 0.5)),
            ..RevoluteJointDef::new(a, b)
        };
        let joint = world.create_joint(def);
        let before = world.state_hash();
        let error = act(&mut world, joint, f32::NAN).expect_err("NaN is refused");
        assert!(error.to_string().contains("NaN"), "setter {i}: {error}");
        assert_eq!(world.state_hash(), before, "setter {i}");
        assert_eq!(act(&mut world, joint, 1.0), Ok(()), "setter {i}");
        let other = world.joint_mut(joint).try_set_length(1.0);
        assert!(other.is_err(), "a hinge has no length");
    }
}

/// Velocity, angular velocity and whether it is awake.
fn motion(world: &World, body: BodyId) -> (Vec2, f32, bool) {
    let body = world.body(body);
    (body.velocity(), body.angular_velocity(), body.is_awake())
}

#[test]
fn refused_impulse_or_velocity_changes_nothing() {
    type Act = fn(&mut World, BodyId);
    let acts: [(&str, Act); 9] = [
        ("torque of an impulse", |world, body| {
            let impulse = vec2(3.0e30, 1.0e30);
            world
                .body_mut(body)
                .apply_impulse_at(impulse, (1.0e9, -1.0e9));
        }),
        ("spin by an impulse", |world, body| {
            let impulse = vec2(0.0, 1.0e38);
            world.body_mut(body).apply_impulse_at(impulse, (3.0, 0.0));
        }),
        ("velocity by an impulse", |world, body| {
            let impulse = vec2(f32::MAX, 0.0);
            world.body_mut(body).apply_impulse(impulse);
        }),
        ("velocity by a local impulse", |world, body| {
            let impulse = vec2(f32::MAX, f32::MAX);
            world.body_mut(body).apply_local_impulse(impulse);
        }),
        ("angular impulse", |world, body| {
            world.body_mut(body).apply_angular_impulse(f32::MAX);
        }),
        ("torque of a force", |world, body| {
            let force = vec2(0.0, 1.0e38);
            world.body_mut(body).apply_force_at(force, (1.0e3, 0.0));
        }),
        ("torque of a local force", |world, body| {
            let force = vec2(0.0, 1.0e38);
            let place = point(1.0e3, 0.0);
            world.body_mut(body).apply_local_force_at(force, place);
        }),
        ("spin of a move", |world, body| {
            world.body_mut(body).set_kind(BodyKind::Kinematic);
            world.body_mut(body).set_velocity(vec2(1.0, 2.0));
            world.body_mut(body).set_angular_velocity(3.0);
            let position = world.body(body).position_exact();
            world.body_mut(body).move_to(position, 3.0, 1.0e-39);
        }),
        ("velocity of a move", |world, body| {
            world.body_mut(body).set_kind(BodyKind::Kinematic);
            world.body_mut(body).set_velocity(vec2(1.0, 2.0));
            world.body_mut(body).set_angular_velocity(3.0);
            world.body_mut(body).move_to((1.0e9, 0.0), 0.0, 1.0e-30);
        }),
    ];
    for (name, act) in acts {
        let mut world = weightless();
        // Of less than 1 kg, so that the greatest impulse is too much.
        let def = BodyDef::dynamic()
            .angle(0.5)
            .velocity(1.0, 2.0)
            .angular_velocity(3.0);
        let body = solid(&mut world, def, disc(0.5));
        let before = motion(&world, body);
        let (text, _) = panic_of(|| act(&mut world, body));
        assert_eq!(motion(&world, body), before, "{name}: {text}");
        assert!(text.contains("not a finite number"), "{name}: {text}");
        world.assert_consistent();
        step(&mut world);
        assert_eq!(motion(&world, body), before, "{name}: a force is left");
    }
}

#[test]
fn every_finite_velocity_is_accepted_and_capped_by_the_step() {
    // The norm of such a velocity is no number.
    let huge = vec2(1.0e38, -3.0e38);
    for kind in [BodyKind::Dynamic, BodyKind::Kinematic] {
        let mut world = weightless();
        let def = BodyDef {
            kind,
            velocity: huge,
            ..BodyDef::default()
        };
        let born = solid(&mut world, def, disc(0.5));
        let set = solid(
            &mut world,
            BodyDef {
                kind,
                ..BodyDef::default()
            },
            disc(0.5),
        );
        world.body_mut(set).set_velocity(huge);
        world.assert_consistent();
        step(&mut world);
        for body in [born, set] {
            assert!(world.body(body).is_enabled());
            close(speed(&world, body), 4000.0, 1.0);
        }
    }
    let mut world = weightless();
    let pushed = ball_at(&mut world, 0.0, 0.0, 0.5);
    world.body_mut(pushed).apply_impulse(vec2(1.0e38, 1.0e38));
    world.assert_consistent();
    step(&mut world);
    close(speed(&world, pushed), 4000.0, 1.0);
}

#[test]
fn mass_center_that_moves_with_the_greatest_spin_leaves_a_finite_velocity() {
    let mut world = weightless();
    let body = solid(
        &mut world,
        BodyDef::dynamic().angular_velocity(f32::MAX),
        disc(0.5),
    );
    let mass = MassData {
        mass: 1.0,
        inertia: 1.0,
        center: point(0.0, 1.0e3),
    };
    world.body_mut(body).set_mass(Some(mass));
    world.assert_consistent();
}

#[test]
fn mass_center_beyond_the_edge_of_the_world_is_refused() {
    let edge = cairn2d_dynamics::MAX_COORDINATE;
    for (x, center, named) in [
        (0.0, 1.0e10, "10000000000"),
        (9.0e8, 5.0e8, "1400000000"),
        (0.0, f32::NAN, "NaN"),
    ] {
        let mut world = weightless();
        let def = BodyDef::dynamic().world_position(WorldPoint::new(x, 0.0));
        let body = solid(&mut world, def, disc(0.5));
        let before = (world.body(body).mass(), world.body(body).center_exact());
        let mass = MassData {
            mass: 2.0,
            inertia: 1.0,
            center: point(center, 0.0),
        };
        let (text, _) = panic_of(|| world.body_mut(body).set_mass(Some(mass)));
        assert!(
            text.contains("center of mass") && text.contains(named),
            "{text}"
        );
        let after = (world.body(body).mass(), world.body(body).center_exact());
        assert_eq!(after, before);
        world.shift_origin((1.0, 0.0));
        assert!(world.body(body).center_exact().x.abs() <= edge);
    }
}

#[test]
fn explosion_that_is_too_strong_for_one_body_pushes_none() {
    let mut world = weightless();
    let near = ball_at(&mut world, 1.0, 0.0, 0.5);
    // The impulse on the plank is a number, its torque is not: the explosion is at its long end.
    let plank = solid(
        &mut world,
        BodyDef::dynamic().position(0.0, 20.0),
        rect(0.5, 19.0),
    );
    world.body_mut(near).sleep();
    world.body_mut(plank).sleep();
    let before = world.state_hash();
    for strength in [1.0e38, -1.0e38, f32::MAX] {
        let def = ExplosionDef::new((-3.0, 2.0), 50.0, strength);
        let refused = world.try_explode(&def);
        assert!(
            matches!(refused, Err(WorldError::TooLargeImpulse(_))),
            "{refused:?}"
        );
        assert_eq!(world.state_hash(), before);
        assert!(!is_awake(&world, near) && !is_awake(&world, plank));
    }
    world.explode(&ExplosionDef::new((-3.0, 2.0), 50.0, 1.0));
    assert!(speed(&world, near) > 0.0 && speed(&world, plank) > 0.0);
}

#[test]
fn explosion_adds_up_what_the_shapes_of_a_body_get() {
    // Each impulse is a number, their sum is not.
    let mut world = weightless();
    let body = world.create_body(BodyDef::dynamic().position(3.0, 0.0));
    let def = ShapeDef::default().density(1.0e-3);
    for _ in 0..8 {
        world.create_shape(body, rect(0.5, 0.5), def);
    }
    let before = motion(&world, body);
    let strength = 0.5 * world.body(body).mass() * f32::MAX;
    let refused = world.try_explode(&ExplosionDef::new((0.0, 0.0), 9.0, strength));
    assert_eq!(refused, Err(WorldError::TooLargeImpulse(body)));
    assert_eq!(motion(&world, body), before);
}

#[test]
fn a_spring_has_its_target_in_the_world() {
    let mut world = weightless();
    let bodies = [0.0, 1.0].map(|x| crate_at(&mut world, x, 0.0, 0.2));
    let hinge = world.create_joint(RevoluteJointDef::new(bodies[0], bodies[1]));
    let before = world.state_hash();
    for target in [1.1e9, -3.0e23, f32::MAX] {
        let spring = Spring {
            target,
            ..Spring::new(2.0, 0.7)
        };
        let (message, _) = panic_of(|| world.joint_mut(hinge).set_spring(Some(spring)));
        assert!(message.contains("spring.target"), "{message}");
        assert_eq!(world.state_hash(), before);
    }
    let far = Spring {
        target: -1.0e9,
        ..Spring::new(2.0, 0.7)
    };
    world.joint_mut(hinge).set_spring(Some(far));
}
