//! Bodies that fall asleep, stay awake, and wake.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKind, JointBaseDef, JointFrame, Material, RevoluteJointDef, ShapeDef,
    World, WorldDef,
};
use cairn2d_geometry::math::{WorldPoint, sin_cos, vec2};
use cairn2d_geometry::{ChainKind, Polygon};

/// A box asleep on a static platform whose top is at y = 1.
pub(crate) fn box_asleep_on_platform(world: &mut World) -> (BodyId, BodyId) {
    ground(world);
    let platform = solid(world, BodyDef::static_().position(0.0, 0.9), rect(2.0, 0.1));
    let body = crate_at(world, 0.0, 1.5, 0.5);
    assert!(run_until_asleep(world, 200).is_some());
    (body, platform)
}

/// Ten boxes on each other, asleep on the ground; the lowest comes first.
pub(crate) fn sleeping_column(world: &mut World) -> Vec<BodyId> {
    ground(world);
    let boxes = column(world, 0.0, 10);
    assert!(run_until_asleep(world, 400).is_some());
    boxes
}

/// Pins `b` to `a` where `b`'s center is.
pub(crate) fn pin(world: &mut World, a: BodyId, b: BodyId) -> cairn2d_dynamics::JointId {
    let place = world.body(b).position();
    let anchor = world.body(a).to_local(place);
    world.create_joint(RevoluteJointDef::new(a, b).base_at(anchor))
}

/// Shorthand for a pin at a place of A and the origin of B.
pub(crate) trait BaseAt {
    fn base_at(self, anchor: cairn2d_geometry::math::Point) -> Self;
}

impl BaseAt for RevoluteJointDef {
    fn base_at(self, anchor: cairn2d_geometry::math::Point) -> Self {
        let frame_a = JointFrame { anchor, angle: 0.0 };
        Self {
            base: JointBaseDef {
                frame_a,
                ..self.base
            },
            ..self
        }
    }
}

#[test]
fn pyramid_sleeps_at_the_same_step_wherever_it_stands() {
    let settle = |base: f64| {
        let mut world = world();
        let place = |x: f32, y: f32| WorldPoint::new(base + f64::from(x), base + f64::from(y));
        let at = |position: WorldPoint, def: BodyDef| BodyDef { position, ..def };
        let floor = at(place(0.0, -1.0), BodyDef::static_());
        solid(&mut world, floor, rect(20.0, 1.0));
        let mut boxes = Vec::new();
        for (level, count) in [(0, 4), (1, 3), (2, 2)] {
            for i in 0..count {
                let x = 1.1 * (i as f32 - 0.5 * (count - 1) as f32);
                let def = at(place(x, 0.55 + 1.05 * level as f32), BodyDef::dynamic());
                boxes.push(solid(&mut world, def, rect(0.5, 0.5)));
            }
        }
        let steps = run_until_asleep(&mut world, 250).expect("sleeps");
        let origin = place(0.0, 0.0);
        let places: Vec<_> = boxes
            .iter()
            .map(|&body| world.body(body).position_exact() - origin)
            .collect();
        (steps, places)
    };
    let (here, there) = (settle(0.0), settle(1.0e7));
    assert_eq!(here.0, there.0);
    for (a, b) in here.1.iter().zip(&there.1) {
        assert!((a - b).norm() < 1.0e-3);
    }
}

#[test]
fn body_put_to_sleep_in_the_air_stays_there() {
    let mut world = world();
    let body = ball_at(&mut world, 0.0, 30.0, 0.5);
    run(&mut world, 10);
    world.body_mut(body).set_pose((0.0, 20.0), 0.0);
    world.body_mut(body).sleep();
    run(&mut world, 10);
    assert!(!is_awake(&world, body));
    assert_eq!(y(&world, body), 20.0);
    assert_eq!(speed(&world, body), 0.0);
}

#[test]
fn joint_shares_sleep() {
    let mut world = world();
    ground(&mut world);
    let restless = crate_at(&mut world, 0.0, 0.5, 0.5);
    let touched = crate_at(&mut world, 1.0, 0.5, 0.5);
    let jointed = crate_at(&mut world, 4.0, 0.5, 0.5);
    let control = crate_at(&mut world, 20.0, 0.5, 0.5);
    pin(&mut world, touched, jointed);
    world.body_mut(restless).set_can_sleep(false);
    run(&mut world, 400);
    for (body, place) in [(restless, 0.0), (touched, 1.0), (jointed, 4.0)] {
        assert!(is_awake(&world, body));
        close(x(&world, body), place, 0.1);
    }
    assert!(!is_awake(&world, control));
}

/// Share of its sleep speed up to which a body that nothing holds may fall asleep.
const STILL_SHARE: f32 = 0.008;

#[test]
fn speed_of_the_fastest_point_decides_about_sleep() {
    let mut world = weightless();
    let turning = |w: f32, x: f32| BodyDef {
        angular_velocity: w,
        sleep_speed: cairn2d_dynamics::SLEEP_SPEED / STILL_SHARE,
        ..BodyDef::dynamic().position(x, 0.0)
    };
    let beam = solid(&mut world, turning(0.3, 0.0), rect(10.0, 0.1));
    let pebble = solid(&mut world, turning(0.55, 30.0), rect(0.05, 0.05));
    run(&mut world, 200);
    assert!(is_awake(&world, beam));
    assert!(!is_awake(&world, pebble));
}

#[test]
fn sleep_speed_of_a_body_decides() {
    let mut world = world();
    ground(&mut world);
    let def = BodyDef {
        sleep_speed: 0.5,
        ..BodyDef::dynamic().position(0.0, 0.5).velocity(0.3, 0.0)
    };
    let body = world.create_body(def);
    world.create_shape(body, rect(0.5, 0.5), slippery());
    run(&mut world, 60);
    assert!(!is_awake(&world, body));
    world.body_mut(body).set_sleep_speed(0.1);
    world.body_mut(body).set_velocity(vec2(0.3, 0.0));
    run(&mut world, 60);
    assert!(is_awake(&world, body));
}

#[test]
fn weightless_pair_in_the_air_sleeps_as_a_whole() {
    let mut world = world();
    let def = BodyDef {
        gravity_scale: 0.0,
        ..BodyDef::dynamic()
    };
    solid(&mut world, def.clone().position(0.0, 30.0), rect(0.5, 0.5));
    solid(&mut world, def.position(0.9, 30.0), rect(0.5, 0.5));
    assert!(run_until_asleep(&mut world, 400).is_some());
    world.assert_consistent();
}

#[test]
fn wide_bodies_sleep() {
    let mut world = world();
    ground(&mut world);
    let tub = world.create_body(BodyDef::dynamic().position(0.0, 0.25));
    for (x, y, w, h) in [
        (0.0, 0.0, 4.0, 0.25),
        (-3.75, 1.0, 0.25, 1.0),
        (3.75, 1.0, 0.25, 1.0),
    ] {
        let part = Polygon::offset_rectangle(w, h, cairn2d_geometry::math::point(x, y), 0.0);
        world.create_shape(tub, part, ShapeDef::default());
    }
    assert!(run_until_asleep(&mut world, 300).is_some());
}

#[test]
fn body_without_forces_does_not_move_by_a_bit() {
    let mut world = weightless();
    let def = BodyDef {
        can_sleep: false,
        ..BodyDef::dynamic().position(1.0, 2.0).angle(0.7)
    };
    let body = solid(&mut world, def, rect(0.2, 8.0));
    let before = (world.body(body).position(), world.body(body).rotation());
    run(&mut world, 200);
    assert_eq!(
        (world.body(body).position(), world.body(body).rotation()),
        before
    );
}

#[test]
fn stack_sleeps_after_a_passing_kinematic_body_left() {
    let mut world = world();
    ground(&mut world);
    let boxes = column(&mut world, 0.0, 3);
    let def = BodyDef::kinematic().position(-4.0, 3.45).velocity(2.0, 0.0);
    let mover = add(&mut world, def, rect(0.5, 0.46), slippery());
    for &body in &boxes {
        world
            .shape_mut(shape_of(&world, body))
            .set_material(Material {
                friction: 0.9,
                ..Material::default()
            });
    }
    run(&mut world, 240);
    assert!(x(&world, mover) > 3.0);
    assert!(run_until_asleep(&mut world, 300).is_some());
}

#[test]
fn rest_sleeps_once_its_joint_to_a_restless_body_is_gone() {
    let jointed = |world: &mut World| {
        ground(world);
        let body = crate_at(world, 0.0, 0.5, 0.5);
        let def = BodyDef {
            can_sleep: false,
            gravity_scale: 0.0,
            ..BodyDef::dynamic().position(0.0, 5.0)
        };
        let restless = solid(world, def, rect(0.5, 0.5));
        let joint = pin(world, body, restless);
        run(world, 100);
        assert!(is_awake(world, body));
        (body, restless, joint)
    };
    for how in 0..4 {
        let mut world = world();
        let (body, restless, joint) = jointed(&mut world);
        match how {
            0 => assert!(world.destroy_joint(joint)),
            1 => world.body_mut(restless).set_kind(BodyKind::Static),
            2 => world.body_mut(restless).disable(),
            _ => assert!(world.destroy_body(restless)),
        }
        run(&mut world, 200);
        assert!(!is_awake(&world, body), "way {how}");
    }
}

#[test]
fn body_that_may_not_sleep_may_do_so_when_allowed() {
    let mut world = world();
    ground(&mut world);
    let def = BodyDef {
        can_sleep: false,
        ..BodyDef::dynamic().position(0.0, 0.5)
    };
    let body = solid(&mut world, def, rect(0.5, 0.5));
    run(&mut world, 100);
    assert!(is_awake(&world, body));
    world.body_mut(body).set_can_sleep(true);
    run(&mut world, 60);
    assert!(!is_awake(&world, body));
    world.body_mut(body).set_can_sleep(false);
    run(&mut world, 60);
    assert!(is_awake(&world, body));
}

#[test]
fn time_to_sleep_starts_anew_whenever_a_body_was_fast() {
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    let steps_to_sleep = |world: &mut World| run_until_asleep(world, 100).unwrap();
    // Half a second.
    assert!(steps_to_sleep(&mut world).abs_diff(30) <= 1);
    world.body_mut(body).wake();
    for _ in 0..10 {
        run(&mut world, 25);
        assert!(is_awake(&world, body));
        world.body_mut(body).set_velocity(vec2(0.0, 0.3));
        step(&mut world);
    }
    assert!(steps_to_sleep(&mut world) >= 30);
}

#[test]
fn round_shapes_sleep_on_a_segmented_floor() {
    // Catches kept contact points that add energy to bodies that roll over internal edges.
    for thing in 0..2 {
        let mut world = world();
        let floor = world.create_body(BodyDef::static_());
        let points: Vec<_> = (0..=40).map(|i| (20.0 - i as f32, 0.0)).collect();
        add_chain(&mut world, floor, &points, ChainKind::Open);
        let def = BodyDef::dynamic().position(0.3, 0.5).velocity(0.2, 0.0);
        let body = if thing == 0 {
            solid(&mut world, def, disc(0.5))
        } else {
            solid(&mut world, def, capsule(0.5, 0.5))
        };
        // A ball without would roll on for ever.
        let material = Material {
            rolling_resistance: if thing == 0 { 0.01 } else { 0.0 },
            ..Material::default()
        };
        world
            .shape_mut(shape_of(&world, body))
            .set_material(material);
        assert!(
            run_until_asleep(&mut world, 2000).is_some(),
            "thing {thing}"
        );
        close(y(&world, body), 0.5, SLOP);
    }
}

#[test]
fn restless_body_keeps_its_island_from_being_put_to_sleep() {
    let mut world = world();
    ground(&mut world);
    let boxes = column(&mut world, 0.0, 2);
    world.body_mut(boxes[0]).set_can_sleep(false);
    run(&mut world, 10);
    world.body_mut(boxes[1]).sleep();
    assert!(is_awake(&world, boxes[0]) && is_awake(&world, boxes[1]));
}

#[test]
fn sleeping_can_be_switched_off_for_a_world() {
    let mut world = sleepless();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    run(&mut world, 200);
    assert!(is_awake(&world, body));
    close(y(&world, body), 0.5, SLOP);
}

#[test]
fn what_creeps_out_of_an_overlap_is_not_put_to_rest() {
    // Its velocity is 0: only its displacement shows the motion.
    for speed in [0.15, 0.05, 0.01] {
        let mut world = World::new(WorldDef {
            tuning: cairn2d_dynamics::Tuning {
                contact_push_speed: speed,
                ..Default::default()
            },
            ..WorldDef::weightless()
        });
        solid(&mut world, BodyDef::static_(), rect(2.0, 2.0));
        let body = solid(
            &mut world,
            BodyDef::dynamic().position(2.0, 0.0),
            rect(0.5, 0.5),
        );
        run(&mut world, 120);
        assert!(is_awake(&world, body));
        close(x(&world, body) - 2.0, 2.0 * speed, 0.1 * speed);
    }
}

#[test]
fn what_nothing_holds_is_not_put_to_rest_while_it_moves() {
    let mut world = world();
    let slope = 0.05_f32.to_radians();
    let floor = world.create_body(BodyDef::static_().angle(-slope));
    world.create_shape(floor, rect(50.0, 0.5), ShapeDef::default());
    let (sin, cos) = sin_cos(slope);
    let up = vec2(sin, cos);
    let ball = solid(
        &mut world,
        BodyDef::dynamic().position(up.x, up.y),
        disc(0.5),
    );
    let base = world.create_body(BodyDef::static_().position(0.0, 10.0));
    let bob = solid(
        &mut world,
        BodyDef::dynamic().position(0.02, 8.0),
        disc(0.25),
    );
    let joint = RevoluteJointDef::new(base, bob).at(&world, WorldPoint::new(0.0, 10.0));
    world.create_joint(joint);
    run(&mut world, 600);
    assert!(is_awake(&world, ball) && is_awake(&world, bob));
    // A disc rolls with two thirds of the acceleration of sliding.
    let way = 0.5 * (G * sin / 1.5) * 100.0;
    close(x(&world, ball) - up.x, way, 0.02 * way);
}

#[test]
fn what_nothing_holds_and_is_still_sleeps() {
    let mut world = world();
    ground(&mut world);
    solid(&mut world, BodyDef::dynamic().position(0.0, 0.5), disc(0.5));
    assert!(run_until_asleep(&mut world, 90).is_some());
}

#[test]
fn what_is_moved_by_hand_in_each_step_stays_awake() {
    let mut world = weightless();
    let body = ball_at(&mut world, 0.0, 0.0, 0.5);
    for i in 0..100 {
        world.body_mut(body).set_pose((1.0e-4 * i as f32, 0.0), 0.0);
        step(&mut world);
    }
    assert!(is_awake(&world, body));
    run(&mut world, 60);
    assert!(!is_awake(&world, body));
}
