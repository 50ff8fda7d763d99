//! A world as a scene: its definitions make it again.

use crate::support::*;
use cairn2d_dynamics::*;
use cairn2d_geometry::math::{Vec2, WorldPoint, point, vec2};
use cairn2d_geometry::{Circle, MassData, Polygon, Shape};
use proptest::prelude::*;

/// A body as drawn by lot: a definition, its shapes with their densities, and whether the mass is set.
type Lot = (BodyDef, Vec<(Shape, f32)>, bool);

fn body() -> impl Strategy<Value = Lot> {
    let number = -3.0..3.0_f32;
    let kinds = [BodyKind::Static, BodyKind::Kinematic, BodyKind::Dynamic];
    let def = (
        prop::sample::select(kinds.to_vec()),
        [-1.0e4..1.0e4_f64, -1.0e4..1.0e4],
        // Up to two turns.
        -12.0..12.0_f32,
        [number.clone(), number.clone()],
        -50.0..50.0_f32,
    );
    let def = def.prop_map(|(kind, [x, y], angle, velocity, spin)| BodyDef {
        kind,
        position: WorldPoint::new(x, y),
        angle: angle / 2.0,
        velocity: Vec2::from(velocity),
        angular_velocity: spin,
        can_sleep: spin > 0.0,
        max_linear_speed: (angle > 0.0).then_some(100.0),
        ..BodyDef::default()
    });
    let shape = (number.clone(), number, 0.1..1.0_f32, any::<bool>());
    let shape = shape.prop_map(|(x, y, size, round)| {
        let shape: Shape = if round {
            Circle::new(point(x, y), size).into()
        } else {
            Polygon::offset_rectangle(size, 0.3, point(x, y), x).into()
        };
        (shape, if y > 2.0 { 0.0 } else { size })
    });
    (def, prop::collection::vec(shape, 0..5), any::<bool>())
}

/// Makes a world of the bodies, in order of bodies or of shapes, with joints and pairs that ignore each other.
fn world_of(bodies: &[Lot], by_shape: bool) -> World {
    let mut world = World::new(WorldDef {
        id_mark: 9,
        ..WorldDef::default()
    });
    let mut ids = Vec::new();
    let add = |world: &mut World, id, (shape, density): &(Shape, f32)| {
        let def = ShapeDef::default().density(*density).friction(*density);
        let shape = world.create_shape(id, shape.clone(), def);
        if *density == 0.0 {
            world.shape_mut(shape).disable();
        }
    };
    for (def, shapes, _) in bodies {
        let id = world.create_body(def);
        ids.push(id);
        for shape in shapes.iter().filter(|_| !by_shape) {
            add(&mut world, id, shape);
        }
    }
    for round in (0..5).filter(|_| by_shape) {
        for (&id, (_, shapes, _)) in ids.iter().zip(bodies) {
            if let Some(shape) = shapes.get(round) {
                add(&mut world, id, shape);
            }
        }
    }
    let set = ids.iter().zip(bodies).filter(|(_, (_, _, is_set))| *is_set);
    for (&id, _) in set {
        let mass = MassData {
            mass: 3.0,
            center: point(0.1, 0.7),
            inertia: 2.0,
        };
        world.body_mut(id).set_mass(Some(mass));
    }
    for (place, pair) in ids.windows(2).enumerate() {
        let joint = world.create_joint(RevoluteJointDef::new(pair[0], pair[1]));
        if place % 3 == 1 {
            world.joint_mut(joint).disable();
            world.ignore_pair(pair[0], pair[1], IgnoreFor::Forever);
        }
    }
    world
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn new_world_is_made_again_to_the_bit(
        bodies in prop::collection::vec(body(), 0..6),
        by_shape in any::<bool>(),
    ) {
        let mut world = world_of(&bodies, by_shape);
        let mut again = World::from_scene(&world.to_scene()).unwrap();
        prop_assert_eq!(again.first_difference(&world), None);
        for _ in 0..5 {
            prop_assert_eq!(again.state_hash(), world.state_hash());
            world.step(DT);
            again.step(DT);
        }
        again.assert_consistent();
    }

    #[test]
    fn bodies_keep_their_places_after_steps(
        bodies in prop::collection::vec(body(), 1..6),
        removed in 0..3_usize,
        steps in 1..40_usize,
    ) {
        let mut world = world_of(&bodies, false);
        run(&mut world, steps);
        let first = world.bodies().nth(removed).map(|body| body.id());
        first.into_iter().for_each(|body| _ = world.destroy_body(body));
        let again = World::from_scene(&world.to_scene()).unwrap();
        prop_assert_eq!(again.body_count(), world.body_count());
        prop_assert_eq!(again.joints().count(), world.joints().count());
        for (a, b) in again.bodies().zip(world.bodies()) {
            prop_assert_eq!(a.center_exact(), b.center_exact());
            prop_assert_eq!(a.angular_velocity(), b.angular_velocity());
            prop_assert!((a.velocity() - b.velocity()).norm() <= 1.0e-4);
            prop_assert!((a.angle() - b.angle()).abs() <= 1.0e-6);
            prop_assert_eq!(a.mass(), b.mass());
        }
    }
}

#[test]
fn gear_in_the_slot_of_an_older_joint_follows_its_joints() {
    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_());
    let wheel = |world: &mut World, x: f32| {
        let shapes = [(Circle::of_radius(0.5), ShapeDef::default())];
        let body = world.spawn(BodyDef::dynamic().position(x, 0.0), shapes);
        (
            body,
            world.create_joint(RevoluteJointDef::new(ground, body)),
        )
    };
    let (_, old) = wheel(&mut world, 0.0);
    let ((a, joint_a), (b, joint_b)) = (wheel(&mut world, 2.0), wheel(&mut world, 4.0));
    world.destroy_joint(old);
    let gear = world.create_joint(GearJointDef::new(a, b, joint_a, joint_b));
    assert_eq!(gear.index(), 0);
    world.body_mut(a).set_velocity(vec2(0.0, 0.0));
    let scene = world.to_scene();
    let kinds: Vec<bool> = scene
        .joints
        .iter()
        .map(|joint| matches!(joint.def, JointDef::Gear(_)))
        .collect();
    assert_eq!(kinds, [false, false, true]);
    let again = World::from_scene(&scene).unwrap();
    assert_eq!(again.joints().count(), 3);
}

#[test]
fn scenes_that_contradict_themselves_are_refused() {
    let ball = SceneShape::new(Circle::of_radius(0.5));
    let scene = SceneDef {
        bodies: vec![
            SceneBody {
                shapes: vec![ball.clone(), ball],
                ..SceneBody::default()
            },
            SceneBody::default(),
        ],
        ..SceneDef::default()
    };
    assert!(World::from_scene(&scene).is_ok());
    for (order, body) in [
        (vec![0], 0),
        (vec![0, 0, 0], 0),
        (vec![0, 1], 1),
        (vec![7], 7),
    ] {
        let scene = SceneDef {
            shape_order: order,
            ..scene.clone()
        };
        let error = World::from_scene(&scene).unwrap_err();
        assert_eq!(error, SceneError::ShapeOrder { body });
    }
    let missing = SceneDef {
        ignored_pairs: vec![(
            BodyId::from_bits(0),
            BodyId::from_bits(2),
            IgnoreFor::Forever,
        )],
        ..scene
    };
    let error = World::from_scene(&missing).unwrap_err();
    assert!(
        matches!(error, SceneError::IgnoredPair { pair: 0, .. }),
        "{error}"
    );
}

#[test]
fn frozen_body_at_the_edge_and_rest_of_a_time_are_scenes() {
    let mut world = weightless();
    let edge = MAX_COORDINATE as f32;
    // The center of mass of the block is within the world, and the origin of its body may leave it.
    let def = BodyDef::dynamic()
        .position(edge - 200.0, 0.0)
        .velocity(6000.0, 0.0);
    let block = world.create_body(BodyDef {
        max_linear_speed: Some(f32::INFINITY),
        ..def
    });
    let offset = Polygon::offset_rectangle(1.0, 1.0, point(-500.0, 0.0), 0.0);
    world.create_shape(block, offset, ShapeDef::default());
    let [a, b] = [0.0, 0.3].map(|x| ball_at(&mut world, x, 0.0, 0.5));
    world.ignore_pair(a, b, IgnoreFor::Time(0.035));
    for steps in 0..120 {
        let again = World::from_scene(&world.to_scene());
        assert!(again.is_ok(), "after {steps} steps: {:?}", again.err());
        world.step(DT);
    }
    assert!(!world.body(block).is_enabled());
    let position = world.body(block).position();
    assert!(position.x > edge, "{position:?}");
}
