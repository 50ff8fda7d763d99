//! Touching, resting, stacking and sliding.

use crate::support::*;
use approx::assert_abs_diff_eq;
use cairn2d_dynamics::{
    BodyDef, BodyId, JointBaseDef, JointFrame, JointSoftness, Locks, Material, Motor,
    RevoluteJointDef, ShapeDef, World, WorldDef,
};
use cairn2d_geometry::math::{PI, point, vec2};
use cairn2d_geometry::{Circle, Ellipse, Polygon, Shape};

/// Sum of the normal impulses on a body in the last step [N s].
fn normal_impulse(world: &World, body: BodyId) -> f32 {
    let points = |contact: cairn2d_dynamics::ContactRef<'_>| -> f32 {
        contact.points().map(|point| point.normal_impulse).sum()
    };
    world.body(body).contacts().map(points).sum()
}

#[test]
fn resting_impulse_carries_the_weight() {
    // Catches impulses that are reported without those of the warm start.
    for warm_starting in [true, false] {
        for shape in [disc(0.5).into(), Shape::from(rect(0.5, 0.5))] {
            let mut world = World::new(WorldDef {
                warm_starting,
                sleeping: false,
                ..WorldDef::default()
            });
            ground(&mut world);
            let body = solid(&mut world, BodyDef::dynamic().position(0.0, 0.5), shape);
            run(&mut world, 300);
            let weight = world.body(body).mass() * G * DT;
            close(normal_impulse(&world, body), weight, 0.01 * weight);
            let contact = world.body(body).contacts().next().unwrap();
            close(contact.impulse().y, weight, 0.01 * weight);
            assert_eq!(contact.bodies()[1], body);
            close(contact.normal().y, 1.0, 1.0e-6);
        }
    }
}

#[test]
fn friction_impulse_is_always_finite() {
    let mut world = world();
    let def = ShapeDef::default().friction(0.9);
    let slope = BodyDef::static_().angle(0.25 * PI);
    add(&mut world, slope, rect(5.0, 5.0), def);
    let locks = Locks {
        rotation: true,
        ..Locks::default()
    };
    let body = BodyDef {
        locks,
        ..BodyDef::dynamic().position(2.5, 9.0)
    };
    let body = add(&mut world, body, capsule(1.0, 0.5), def);
    let mut largest = 0.0_f32;
    for _ in 0..500 {
        step(&mut world);
        for contact in world.body(body).contacts() {
            for point in contact.points() {
                assert!(point.normal_impulse.is_finite() && point.tangent_impulse.is_finite());
                largest = largest.max(point.tangent_impulse.abs());
            }
        }
    }
    assert!(largest > 1.0e-4);
}

#[test]
fn box_driven_into_the_floor_each_step_does_not_sink() {
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    for _ in 0..600 {
        step(&mut world);
        assert!(y(&world, body) > 0.49, "{}", y(&world, body));
        world.body_mut(body).set_velocity(vec2(0.0, -20.0));
    }
}

#[test]
fn overlap_goes_without_an_explosion() {
    let mut world = world();
    ground(&mut world);
    let mut boxes = Vec::new();
    for level in 0..4 {
        let count = 4 - level;
        for i in 0..count {
            let x = 0.75 * (i as f32 - 0.5 * (count - 1) as f32);
            boxes.push(crate_at(&mut world, x, 0.5 + 0.75 * level as f32, 0.5));
        }
    }
    let push = world.def().tuning.contact_push_speed;
    for _ in 0..300 {
        step(&mut world);
        for &body in &boxes {
            assert!(speed(&world, body) < 1.15 * push, "{}", speed(&world, body));
        }
    }
    assert_eq!(awake_dynamic(&world), 0);
    assert!(boxes.iter().all(|&body| x(&world, body).abs() < 2.0));
}

#[test]
fn cart_keeps_its_wheels() {
    let mut world = World::new(WorldDef {
        gravity: vec2(0.0, -22.0),
        substeps: 12,
        ..WorldDef::default()
    });
    ground(&mut world);
    let heavy = ShapeDef::default().density(1000.0);
    let chassis = add(
        &mut world,
        BodyDef::dynamic().position(0.0, 0.35),
        rect(1.0, 0.1),
        heavy,
    );
    let mut joints = Vec::new();
    for side in [-0.8, 0.8] {
        let def = ShapeDef::default().density(50.0);
        let wheel = add(
            &mut world,
            BodyDef::dynamic().position(side, 0.1),
            disc(0.1),
            def,
        );
        joints.push(world.create_joint(RevoluteJointDef {
            base: JointBaseDef {
                frame_a: JointFrame::at(side, -0.25),
                softness: Some(JointSoftness {
                    hertz: 240.0,
                    damping_ratio: 2.0,
                }),
                ..JointBaseDef::new(chassis, wheel)
            },
            motor: Some(Motor::new(-5.0, 100.0)),
            limit: None,
            spring: None,
        }));
    }
    for _ in 0..600 {
        step(&mut world);
        for &joint in &joints {
            let [a, b] = world.joint(joint).anchors();
            assert!((b - a).norm() < 0.02, "{}", (b - a).norm());
        }
    }
    assert!(world.body(chassis).velocity().y.abs() < 0.1);
    // The wheels roll at the motor's speed: v = r w.
    close(world.body(chassis).velocity().x, 0.5, 0.05);
}

#[test]
fn support_that_is_made_anew_each_step_still_supports() {
    // Catches contacts that only work one step after their creation.
    let mut world = world();
    let body = crate_at(&mut world, 0.0, 1.0, 1.0);
    let mut floor = solid(
        &mut world,
        BodyDef::static_(),
        segment((-10.0, 0.0), (10.0, 0.0)),
    );
    for _ in 0..300 {
        world.destroy_body(floor);
        floor = solid(
            &mut world,
            BodyDef::static_(),
            segment((-10.0, 0.0), (10.0, 0.0)),
        );
        step(&mut world);
        close(y(&world, body), 1.0, 0.01);
    }
}

#[test]
fn conveyor_carries_at_its_speed() {
    // The surface runs counter-clockwise round the belt: leftwards on its top.
    let mut world = sleepless();
    let belt = Polygon::rounded_rectangle(10.0, 0.25, 0.25);
    let material = Material {
        friction: 0.8,
        surface_speed: 2.0,
        ..Material::default()
    };
    add(&mut world, BodyDef::static_(), belt, surface(material));
    let body = crate_at(&mut world, 5.0, 1.0, 0.5);
    for _ in 0..180 {
        step(&mut world);
        assert!(world.body(body).velocity().y.abs() < 0.05);
    }
    close(world.body(body).velocity().x, -2.0, 0.01);
}

#[test]
fn conveyor_wakes_what_comes_to_lie_on_it_and_keeps_it_going() {
    let mut world = world();
    let material = Material {
        surface_speed: -1.0,
        ..Material::default()
    };
    add(
        &mut world,
        BodyDef::static_(),
        rect(30.0, 0.5),
        surface(material),
    );
    let body = crate_at(&mut world, 0.0, 1.0, 0.5);
    run(&mut world, 300);
    assert!(is_awake(&world, body));
    close(world.body(body).velocity().x, 1.0, 0.01);
}

#[test]
fn kinematic_platform_carries_its_rider() {
    let mut world = world();
    let platform = BodyDef::kinematic().velocity(2.0, 0.0);
    let platform = solid(&mut world, platform, rect(5.0, 0.25));
    let rider = crate_at(&mut world, 0.0, 0.75, 0.5);
    run(&mut world, 120);
    let slip = world.body(rider).velocity() - world.body(platform).velocity();
    assert!(slip.norm() < 1.0e-5, "{slip}");
    // Slip until the speeds agree: v^2 / (2 mu g) = 4 / (2 * 0.6 * 10) = 1/3 m.
    close(x(&world, platform) - x(&world, rider), 1.0 / 3.0, 0.015);
}

#[test]
fn rolling_resistance_stops_the_sooner_the_larger_it_is() {
    let mut world = world();
    let mut reached = Vec::new();
    for i in 0..20 {
        let height = 10.0 * i as f32;
        let floor = BodyDef::static_().position(0.0, height - 1.0);
        solid(&mut world, floor, rect(100.0, 1.0));
        let def = BodyDef {
            angular_velocity: -10.0,
            ..BodyDef::dynamic()
                .position(-80.0, height + 0.5)
                .velocity(5.0, 0.0)
        };
        let material = Material {
            rolling_resistance: 0.02 * i as f32,
            ..Material::default()
        };
        reached.push(add(&mut world, def, disc(0.5), surface(material)));
    }
    run_unchecked(&mut world, 600);
    close(world.body(reached[0]).velocity().x, 5.0, 0.01);
    for pair in reached.windows(2) {
        assert!(x(&world, pair[0]) > x(&world, pair[1]));
    }
    assert!(speed(&world, reached[1]) < 5.0 && speed(&world, reached[19]) < 1.0e-3);
}

#[test]
fn rolling_resistance_stops_an_ellipse_like_a_disc_of_its_size() {
    let stop_of = |shape: Shape| {
        let mut world = world();
        solid(
            &mut world,
            BodyDef::static_().position(0.0, -1.0),
            rect(100.0, 1.0),
        );
        let def = BodyDef {
            angular_velocity: -6.0,
            ..BodyDef::dynamic().position(-50.0, 0.5).velocity(3.0, 0.0)
        };
        let material = Material {
            rolling_resistance: 0.1,
            ..Material::default()
        };
        let body = add(&mut world, def, shape, surface(material));
        let stops = |world: &mut World| {
            step(world);
            speed(world, body) < 0.1
        };
        (1..600_u32).find(|_| stops(&mut world)).unwrap_or(600)
    };
    let ellipse = Ellipse::new(point(0.0, 0.0), 0.505, 0.495, 0.0);
    let (disc, ellipse) = (stop_of(disc(0.5).into()), stop_of(ellipse.into()));
    assert!(
        disc < 400 && ellipse.abs_diff(disc) < 40,
        "{disc} {ellipse}"
    );
}

#[test]
fn shapes_of_one_body_never_touch() {
    let mut world = weightless();
    let body = ball_at(&mut world, 0.0, 0.0, 0.5);
    world.create_shape(body, disc(0.4), ShapeDef::default());
    run(&mut world, 3);
    assert_eq!(world.counters().contacts, 0);
    assert_eq!(speed(&world, body), 0.0);
}

#[test]
fn shape_that_is_made_anew_on_another_body_touches_and_back_it_does_not() {
    let mut world = weightless();
    let a = ball_at(&mut world, 0.0, 0.0, 0.5);
    let b = world.create_body(BodyDef::dynamic());
    let mut part = world.create_shape(a, disc(0.4), ShapeDef::default());
    step(&mut world);
    assert_eq!(world.counters().contacts, 0);
    world.destroy_shape(part);
    part = world.create_shape(b, disc(0.4), ShapeDef::default());
    step(&mut world);
    assert!(touch(&world, a, b));
    let mut apart = world.clone();
    run(&mut apart, 120);
    let way = apart.body(b).position() - apart.body(a).position();
    assert!(way.norm() > 0.9 - SLOP, "{way}");
    world.destroy_shape(part);
    world.create_shape(a, disc(0.4), ShapeDef::default());
    step(&mut world);
    assert_eq!(world.contacts().count(), 0);
}

#[test]
fn static_and_kinematic_bodies_do_not_touch() {
    let mut world = world();
    solid(&mut world, BodyDef::static_(), disc(10.0));
    solid(
        &mut world,
        BodyDef::kinematic().velocity(1.0, 0.0),
        disc(10.0),
    );
    solid(&mut world, BodyDef::kinematic(), disc(10.0));
    run(&mut world, 10);
    assert_eq!(world.counters().contacts, 0);
}

#[test]
fn thin_slab_dropped_askew_stays_above_the_floor() {
    let mut world = world();
    let floor = world.create_body(BodyDef::static_());
    for i in -10..10 {
        let x = i as f32;
        world.create_shape(
            floor,
            segment((x, 0.0), (x + 1.0, 0.0)),
            ShapeDef::default(),
        );
    }
    let slab = BodyDef::dynamic().position(0.0, 5.0).angle(0.4);
    let slab = solid(&mut world, slab, rect(1.0, 0.03));
    for _ in 0..600 {
        step(&mut world);
        assert!(y(&world, slab) > 0.0);
    }
    close(y(&world, slab), 0.03, 2.0 * SLOP);
    assert!(!is_awake(&world, slab));
}

#[test]
fn box_slides_over_the_seams_of_a_tiled_floor() {
    // Feature ids change at each tile: impulses must neither be lost nor doubled.
    let mut world = world();
    let floor = world.create_body(BodyDef::static_().position(0.0, -0.5));
    for i in 0..40 {
        let tile = Polygon::offset_rectangle(0.5, 0.5, point(i as f32, 0.0), 0.0);
        world.create_shape(floor, tile, slippery());
    }
    let def = BodyDef::dynamic().position(1.03, 0.5).velocity(8.0, 0.0);
    let body = add(&mut world, def, rect(0.5, 0.5), slippery());
    let mut begins = 0;
    for _ in 0..240 {
        step(&mut world);
        begins += world.contact_begins().len();
        assert!(world.body(body).angle().abs() < 0.1);
    }
    assert!(begins > 2);
    assert!(x(&world, body) > 25.0);
}

#[test]
fn ball_and_box_push_each_other_alike_in_either_order_of_creation() {
    let meet = |ball_first: bool| {
        let mut world = weightless();
        let mut ids = [None, None];
        let order = if ball_first { [0, 1] } else { [1, 0] };
        for which in order {
            ids[which] = Some(if which == 0 {
                solid(
                    &mut world,
                    BodyDef::dynamic().position(-2.0, 0.1).velocity(3.0, 0.0),
                    disc(0.5),
                )
            } else {
                solid(
                    &mut world,
                    BodyDef::dynamic().position(0.0, 0.0),
                    rect(0.5, 0.5),
                )
            });
        }
        run(&mut world, 60);
        ids.map(|id| world.body(id.unwrap()).velocity())
    };
    let (first, second) = (meet(true), meet(false));
    for i in 0..2 {
        assert!(
            (first[i] - second[i]).norm() < 1.0e-3,
            "{first:?} {second:?}"
        );
    }
}

#[test]
fn touching_circles_of_one_centre_are_pushed_apart() {
    let mut world = weightless();
    let a = ball_at(&mut world, 0.0, 0.0, 0.5);
    let b = ball_at(&mut world, 0.0, 0.0, 0.5);
    run(&mut world, 120);
    let apart = (world.body(b).position() - world.body(a).position()).norm();
    assert!(apart > 1.0 - 2.0 * SLOP, "{apart}");
}

#[test]
fn offset_circle_rolls_about_its_surface() {
    // The shape's center is not the body's origin: arms start at the center of mass.
    let mut world = world();
    ground(&mut world);
    let body = world.create_body(BodyDef::dynamic().position(0.0, -1.5));
    world.create_shape(body, Circle::new(point(0.0, 2.0), 0.5), ShapeDef::default());
    run(&mut world, 60);
    close(world.body(body).center().y, 0.5, SLOP);
    close(x(&world, body), 0.0, 1.0e-4);
}

#[test]
fn impulse_of_a_sliding_contact_has_its_friction_in_proportion() {
    let mut world = world();
    ground(&mut world);
    let body = solid(
        &mut world,
        BodyDef::dynamic().position(0.0, 0.5).velocity(20.0, 0.0),
        rect(0.5, 0.5),
    );
    run(&mut world, 20);
    let contact = world.body(body).contacts().next().unwrap();
    let impulse = contact.impulse();
    let weight = world.body(body).mass() * G * DT;
    close(impulse.y, weight, 0.02 * weight);
    close(impulse.x, -0.6 * weight, 0.02 * weight);
    let along: f32 = contact.points().map(|point| point.tangent_impulse).sum();
    // The tangent is the normal turned right: along x.
    close(along, -0.6 * weight, 0.02 * weight);
}

#[test]
fn rolling_ball_tells_its_true_gap_and_place() {
    let mut world = world();
    ground(&mut world);
    let def = BodyDef {
        angular_velocity: -20.0,
        ..BodyDef::dynamic().position(0.0, 0.5).velocity(10.0, 0.0)
    };
    let ball = solid(&mut world, def, disc(0.5));
    for _ in 0..60 {
        step(&mut world);
        let contacts: Vec<_> = world.body(ball).contacts().collect();
        for point in contacts.iter().flat_map(|contact| contact.points()) {
            close(point.separation, y(&world, ball) - 0.5, 1.0e-5);
            close(point.point.x as f32, x(&world, ball), 1.0e-3);
        }
        assert!(!contacts.is_empty());
    }
}

#[test]
fn impulse_and_normal_of_a_ball_on_a_turning_disc_point_from_centre_to_centre() {
    let mut world = world();
    let wheel = BodyDef::kinematic().angular_velocity(12.0);
    add(&mut world, wheel, disc(1.0), slippery());
    let ball = add(
        &mut world,
        BodyDef::dynamic().position(0.0, 1.5),
        disc(0.5),
        slippery(),
    );
    // In its first step the ball comes to lie on the disc.
    step(&mut world);
    for _ in 0..30 {
        step(&mut world);
        let contact = world.body(ball).contacts().next().unwrap();
        let up = world.body(ball).position().coords.normalize();
        assert!((contact.normal() - up).norm() < 1.0e-3);
        let cosine = contact.impulse().normalize().dot(&up);
        assert!(cosine > 0.999_9, "{cosine}");
    }
}

#[test]
fn compounds_move_to_the_same_bits_on_two_threads() {
    let run = |threads: u32| {
        let mut world = World::new(WorldDef {
            threads,
            ..Default::default()
        });
        for i in 0..200 {
            let (x, level) = (4.0 * (i / 4) as f32, i % 4);
            let def = match level {
                0 => BodyDef::static_(),
                _ => BodyDef::dynamic(),
            };
            let body = world.create_body(def.position(x, 0.98 * level as f32));
            for x in [-1.0, 0.0, 1.0] {
                let part = Polygon::offset_rectangle(0.5, 0.5, point(x, 0.0), 0.0);
                world.create_shape(body, part, ShapeDef::default());
            }
        }
        run_unchecked(&mut world, 30);
        world.state_hash()
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn rule_of_a_surface_decides_how_it_rubs_and_bounces() {
    use cairn2d_dynamics::MixRule::{Average, Maximum, Minimum, Product};
    // Friction 0.2 on 0.8 and restitution 0.5 on 0.9, with a rule of the body's, read from the contact and seen in the motion.
    for (rule, friction, restitution) in [
        (None, 0.4, 0.9),
        (Some(Average), 0.5, 0.7),
        (Some(Minimum), 0.2, 0.5),
        (Some(Product), 0.16, 0.45),
        (Some(Maximum), 0.8, 0.9),
    ] {
        let mut world = world();
        ground_of(
            &mut world,
            ShapeDef::default().friction(0.8).restitution(0.9),
        );
        let material = Material {
            friction: 0.2,
            restitution: 0.5,
            friction_rule: rule,
            restitution_rule: rule,
            ..Material::default()
        };
        let def = BodyDef::dynamic().position(0.0, 0.5).velocity(5.0, 0.0);
        let slider = add(&mut world, def, rect(0.5, 0.5), surface(material));
        let ball = BodyDef::dynamic().position(9.0, 5.5);
        let ball = add(&mut world, ball, disc(0.5), surface(material));
        step(&mut world);
        let contact = world.body(slider).contacts().next().unwrap();
        close(contact.friction(), friction, 1.0e-6);
        close(contact.restitution(), restitution, 1.0e-6);
        run(&mut world, 19);
        let speed = world.body(slider).velocity().x;
        close(speed, 5.0 - friction * G * 20.0 * DT, 0.05);
        let mut up = 0.0_f32;
        for _ in 0..60 {
            step(&mut world);
            up = up.max(world.body(ball).velocity().y);
        }
        // From 5 m at 10 m/s.
        close(up, restitution * 10.0, 0.2);
    }
}

/// Two balls side by side, without gravity and friction; the first turns by a third of a radian in a step.
#[test]
fn normal_of_a_turning_ball_points_to_the_other_ball() {
    const RADIUS: f32 = 0.5;
    let mut world = weightless();
    let smooth = ShapeDef::default().friction(0.0);
    for (x, spin) in [(0.0, 20.0), (2.0 * RADIUS, 0.0)] {
        let def = BodyDef {
            angular_velocity: spin,
            ..BodyDef::dynamic().position(x, 0.0)
        };
        let ball = world.create_body(def);
        world.create_shape(ball, Circle::new(point(0.0, 0.0), RADIUS), smooth);
    }
    for _ in 0..3 {
        world.step(1.0 / 60.0);
    }
    let contact = world.contacts().next().unwrap();
    let contact_point = contact.points().next().unwrap();
    assert_abs_diff_eq!(contact.normal().x, 1.0, epsilon = 1.0e-6);
    assert!(
        contact_point.separation.abs() < 1.0e-6,
        "{}",
        contact_point.separation
    );
    let place = contact_point.point - cairn2d_geometry::math::WorldPoint::ORIGIN;
    assert!((place.x - RADIUS).abs() < 1.0e-6 && place.y.abs() < 1.0e-6);
}
