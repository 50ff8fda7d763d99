//! Definitions, shapes, ids, events and worlds as data: written values are read back, and invalid data give errors.

use cairn2d::crowd::AgentDef;
use cairn2d::prelude::*;
use cairn2d::{ChainSegment, HalfSpace, SceneDef, Shape};
use core::fmt::Debug;
use serde::Serialize;
use serde::de::DeserializeOwned;

const DT: f32 = 1.0 / 60.0;

/// A scene as written by hand: missing fields have their defaults, and infinite numbers are words.
const SCENE: &str = r#"{
    "world": { "gravity": [0, -9.81], "substeps": 6, "id_mark": 3 },
    "bodies": [
        { "shapes": [{ "shape": { "Polygon": { "half": [20, 0.5] } } }] },
        {
            "def": { "kind": "Dynamic", "position": [0, 3], "max_angular_speed": "inf", "user_data": 7 },
            "shapes": [
                { "shape": { "Circle": { "radius": 0.5 } }, "def": { "density": 2.5 } },
                { "shape": { "Capsule": { "a": [0, 0], "b": [1, 0], "radius": 0.25 } } }
            ]
        },
        {
            "def": { "kind": "Dynamic", "position": [2, 3] },
            "shapes": [{ "shape": { "Polygon": { "vertices": [[0, 0], [1, 0], [0, 1]], "radius": 0.1 } } }]
        }
    ],
    "joints": [
        { "def": { "Revolute": {
            "base": { "body_a": 1, "body_b": 2, "frame_a": { "anchor": [1, 0] } },
            "motor": { "speed": 2, "max_effort": 5 },
            "limit": { "lower": "-inf", "upper": 9 }
        } } }
    ]
}"#;

/// The same scene in RON.
const RON_SCENE: &str = r#"#![enable(implicit_some, unwrap_variant_newtypes)]
(
    world: (gravity: (0, -9.81), substeps: 6, id_mark: 3),
    bodies: [
        (shapes: [(shape: Polygon(half: (20, 0.5)))]),
        (
            def: (kind: Dynamic, position: (0, 3), max_angular_speed: inf, user_data: 7),
            shapes: [
                (shape: Circle(radius: 0.5), def: (density: 2.5)),
                (shape: Capsule(a: (0, 0), b: (1, 0), radius: 0.25)),
            ],
        ),
        (
            def: (kind: Dynamic, position: (2, 3)),
            shapes: [(shape: Polygon(vertices: [(0, 0), (1, 0), (0, 1)], radius: 0.1))],
        ),
    ],
    joints: [
        (def: Revolute(
            base: (body_a: 1, body_b: 2, frame_a: (anchor: (1, 0))),
            motor: (speed: 2, max_effort: 5),
            limit: (lower: -inf, upper: 9),
        )),
    ],
)"#;

/// Checks that `value` is the same after it was written and read, and returns its text in JSON.
#[track_caller]
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap();
    let read: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(&read, value, "{text}");
    let ron = ron::to_string(value).unwrap();
    let read: T = ron::from_str(&ron).unwrap_or_else(|error| panic!("{ron}: {error}"));
    assert_eq!(&read, value, "{ron}");
    text
}

/// Returns why `text` is no `T`.
#[track_caller]
fn refusal<T: DeserializeOwned + Debug>(text: &str) -> String {
    serde_json::from_str::<T>(text).unwrap_err().to_string()
}

#[test]
fn scene_written_by_hand_makes_the_world_of_the_calls() {
    let scene: SceneDef = serde_json::from_str(SCENE).unwrap();
    let mut world = World::from_scene(&scene).unwrap();
    let mut made = World::new(WorldDef {
        gravity: vec2(0.0, -9.81),
        substeps: 6,
        id_mark: 3,
        ..WorldDef::default()
    });
    let floor = made.create_body(BodyDef::static_());
    made.create_shape(floor, Polygon::rectangle(20.0, 0.5), ShapeDef::default());
    let ball = made.create_body(BodyDef::dynamic().position(0.0, 3.0).user_data(7));
    made.create_shape(
        ball,
        Circle::of_radius(0.5),
        ShapeDef::default().density(2.5),
    );
    let arm = Capsule::new(point(0.0, 0.0), point(1.0, 0.0), 0.25);
    made.create_shape(ball, arm, ShapeDef::default());
    let wedge = made.create_body(BodyDef::dynamic().position(2.0, 3.0));
    let corners = [point(0.0, 0.0), point(1.0, 0.0), point(0.0, 1.0)];
    let corners = Polygon::rounded_hull(&corners, 0.1);
    made.create_shape(wedge, corners, ShapeDef::default());
    let mut hinge = RevoluteJointDef::new(ball, wedge);
    hinge.base.frame_a = JointFrame::at(1.0, 0.0);
    hinge.motor = Some(Motor::new(2.0, 5.0));
    hinge.limit = Some(Limit::new(f32::NEG_INFINITY, 9.0));
    made.create_joint(hinge);
    for _ in 0..60 {
        assert_eq!(world.state_hash(), made.state_hash());
        world.step(DT);
        made.step(DT);
    }
    assert_eq!(world.first_difference(&made), None);
}

#[test]
fn scene_is_the_same_after_it_was_written() {
    let scene: SceneDef = serde_json::from_str(SCENE).unwrap();
    let json = serde_json::to_string_pretty(&scene).unwrap();
    let ron = ron::ser::to_string_pretty(&scene, ron::ser::PrettyConfig::default()).unwrap();
    let scenes: [SceneDef; 4] = [
        scene,
        serde_json::from_str(&json).unwrap(),
        ron::from_str(&ron).unwrap_or_else(|error| panic!("{ron}: {error}")),
        ron::from_str(RON_SCENE).unwrap(),
    ];
    let [first, others @ ..] = scenes.map(|scene| World::from_scene(&scene).unwrap().save());
    assert!(others.iter().all(|other| *other == first));
}

#[test]
fn definitions_are_the_same_after_they_were_written() {
    check(&BodyDef::default());
    check(&BodyDef {
        max_linear_speed: Some(f32::INFINITY),
        position: WorldPoint::new(1.0 / 3.0, -1.0e7 / 7.0),
        locks: Locks {
            x: true,
            ..Locks::default()
        },
        ..BodyDef::dynamic()
    });
    check(&ShapeDef::default().restitution(0.3));
    let mut tuning = Tuning::PLAIN;
    tuning.hit_event_threshold = f32::INFINITY;
    check(&tuning);
    check(&AgentDef {
        max_acceleration: f32::INFINITY,
        ..AgentDef::default()
    });
    let (a, b) = (BodyId::from_bits(1), BodyId::from_bits(u64::MAX));
    let (joint_a, joint_b) = (JointId::from_bits(4), JointId::from_bits(5));
    let wheels = [WorldPoint::new(0.5, 1.0), WorldPoint::new(2.0, 1.0e9)];
    let defs: [JointDef; 10] = [
        RevoluteJointDef::new(a, b).into(),
        PrismaticJointDef {
            spring: Some(Spring::new(2.0, 0.5)),
            ..PrismaticJointDef::new(a, b)
        }
        .into(),
        DistanceJointDef::new(a, b).into(),
        WeldJointDef::new(a, b).into(),
        WheelJointDef::new(a, b).into(),
        MotorJointDef::new(a, b).into(),
        MouseJointDef::new(a, b).into(),
        PulleyJointDef::new(a, b, wheels[0], wheels[1], 20.0).into(),
        GearJointDef::new(a, b, joint_a, joint_b).into(),
        FilterJointDef::new(a, b).into(),
    ];
    for def in &defs {
        check(def);
    }
}

#[test]
fn mouse_joint_of_a_scene_is_read_back_with_any_spring() {
    let usual = MouseJointDef::new(BodyId::from_bits(1), BodyId::from_bits(2)).spring;
    for (hertz, damping_ratio) in [
        (usual.hertz, usual.damping_ratio),
        (10.0, usual.damping_ratio),
        (usual.hertz, 0.5),
        (10.0, 0.5),
    ] {
        let mut world = World::default();
        let [a, b] = [BodyDef::static_(), BodyDef::dynamic()].map(|def| world.create_body(def));
        let mut mouse = MouseJointDef::new(a, b);
        mouse.spring = JointSoftness {
            hertz,
            damping_ratio,
        };
        world.create_joint(mouse);
        let text = serde_json::to_string(&world.to_scene()).unwrap();
        let scene: SceneDef = serde_json::from_str(&text).unwrap();
        assert_eq!(scene.joints[0].def, mouse.into(), "{text}");
    }
}

#[test]
fn shapes_are_the_same_to_the_bit_after_they_were_written() {
    let point = |x: f32, y: f32| point(x / 3.0, y / 7.0);
    let shapes: [Shape; 10] = [
        Circle::new(point(1.0, 2.0), 0.3).into(),
        Capsule::new(point(1.0, 2.0), point(-1.0, 2.5), 0.1).into(),
        Segment::new(point(1.0, 2.0), point(-1.0, 2.5)).into(),
        Ellipse::new(point(1.0, 2.0), 0.5, 0.3, 0.7).into(),
        Polygon::rectangle(0.1, 0.3).into(),
        Polygon::rounded_rectangle(0.1, 0.3, 0.01).into(),
        Polygon::offset_rectangle(0.1, 0.3, point(5.0, 1.0), 0.3).into(),
        Polygon::regular(12, 0.7).into(),
        ChainSegment::new(
            None,
            point(1.0, 2.0),
            point(3.0, 2.0),
            Some(point(4.0, 4.0)),
        )
        .into(),
        HalfSpace::new(point(1.0, 2.0), vec2(-0.3, 1.0)).into(),
    ];
    for shape in &shapes {
        check(shape);
    }
    // A rectangle is written as by hand.
    assert_eq!(check(&shapes[4]), r#"{"Polygon":{"half":[0.1,0.3]}}"#);
    // The parts of a shape that was moved inward are no longer those of its constructor.
    for depth in [0.001, 0.02] {
        for shape in &shapes {
            check(&shape.inset(depth));
        }
    }
}

#[test]
fn invalid_data_are_errors() {
    let cases = [
        r#"{"Circle":{"radius":-1}}"#,
        r#"{"Circle":{"radius":1,"colour":2}}"#,
        r#"{"Capsule":{"a":[0,0],"b":[0,0],"radius":1}}"#,
        r#"{"Segment":{"a":[0,0],"b":[1e30,0]}}"#,
        r#"{"Polygon":{"vertices":[[0,0],[1,0]]}}"#,
        r#"{"Polygon":{"vertices":[[0,0],[1,0],[2,0]]}}"#,
        r#"{"Polygon":{"half":[1,1],"vertices":[[0,0],[1,0],[0,1]]}}"#,
        r#"{"Polygon":{"vertices":[[0,0],[1,0],[0,1]],"exact":{"normals":[[0,1]],"centroid":[0,0]}}}"#,
        r#"{"Polygon":{"vertices":[[0,0],[1,0],[0,1]],"exact":{"normals":[[0,1],[0,1],[0,1]],"centroid":[0,0]}}}"#,
        r#"{"Ellipse":{"radii":[1,0]}}"#,
        r#"{"Ellipse":{"radii":[1,1],"rotation":[2,0]}}"#,
        r#"{"ChainSegment":{"a":[0,0],"b":[1,0],"ghost_after":[1,0]}}"#,
        r#"{"HalfSpace":{"normal":[0,0]}}"#,
        r#"{"Sphere":{"radius":1}}"#,
    ];
    for text in cases {
        refusal::<Shape>(text);
    }
    assert!(refusal::<BodyDef>(r#"{"knid":"Dynamic"}"#).contains("knid"));
    assert!(refusal::<BodyDef>(r#"{"max_angular_speed":"fast"}"#).contains("fast"));
    refusal::<Tuning>(r#"{"mechanisms":18446744073709551615}"#);
    refusal::<World>("\"00\"");
    refusal::<World>("\"0\"");
    refusal::<World>("\"zz\"");
    refusal::<World>("[1, 2]");
}

#[test]
fn events_and_the_world_are_the_same_after_they_were_written() {
    let scene: SceneDef = serde_json::from_str(SCENE).unwrap();
    let mut world = World::from_scene(&scene).unwrap();
    let mut begins = 0;
    for _ in 0..120 {
        world.step(DT);
        for event in world.contact_begins() {
            begins += 1;
            check(event);
        }
        for event in world.contact_hits() {
            check(event);
        }
    }
    assert!(begins > 0);
    let ron = ron::to_string(&world).unwrap();
    let read: World = ron::from_str(&ron).unwrap();
    assert!(read.save() == world.save());
    let text = serde_json::to_string(&world).unwrap();
    let mut read: World = serde_json::from_str(&text).unwrap();
    assert!(read.save() == world.save());
    for _ in 0..30 {
        read.step(DT);
        world.step(DT);
        assert_eq!(read.state_hash(), world.state_hash());
    }
}

#[test]
fn two_sided_chain_is_read_back_with_both_sides() {
    let points = [point(0.0, 0.0), point(1.0, 0.2), point(2.0, 0.0)];
    for (chain, two_sided) in [
        (Chain::two_sided(&points, ChainKind::Open), true),
        (Chain::two_sided(&points, ChainKind::Loop), true),
        (Chain::new(&points, ChainKind::Open), false),
    ] {
        for segment in chain.segments() {
            let text = check(&Shape::from(*segment));
            assert_eq!(text.contains("two_sided"), two_sided, "{text}");
        }
    }
    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_());
    let chain = Chain::two_sided(&points, ChainKind::Open);
    world.create_chain(ground, &chain, ShapeDef::default());
    let text = serde_json::to_string(&world.to_scene()).unwrap();
    let scene: SceneDef = serde_json::from_str(&text).unwrap();
    let again = World::from_scene(&scene).unwrap();
    assert_eq!(again.state_hash(), world.state_hash());
}

#[test]
fn scene_is_read_back_from_a_format_without_names() {
    let mut scene: SceneDef = serde_json::from_str(SCENE).unwrap();
    let turned = Shape::from(Polygon::rectangle(1.0, 0.5)).try_moved(&pose(0.1, 0.2, 0.7));
    let line = Chain::two_sided(&[point(0.0, 0.0), point(1.0, 0.2)], ChainKind::Open);
    let others: [Shape; 6] = [
        turned.unwrap(),
        Polygon::rounded_rectangle(1.0, 0.3, 0.05).into(),
        Ellipse::new(point(0.0, 0.1), 1.0, 0.5, 0.3).into(),
        line.segments()[0].into(),
        Segment::new(point(0.0, 0.0), point(1.0, 0.0)).into(),
        HalfSpace::new(point(0.0, 0.0), vec2(0.0, 1.0)).into(),
    ];
    for shape in others {
        let bytes = bincode::serialize(&shape).unwrap();
        let read: Shape = bincode::deserialize(&bytes).unwrap();
        assert_eq!(read, shape);
        let body = scene.bodies.last_mut().unwrap();
        body.shapes.push(cairn2d::SceneShape::new(shape));
    }
    let bytes = bincode::serialize(&scene).unwrap();
    let read: SceneDef = bincode::deserialize(&bytes).unwrap();
    let [first, second] = [scene, read].map(|scene| World::from_scene(&scene).unwrap());
    assert_eq!(first.first_difference(&second), None);
}

#[test]
fn concave_outline_in_a_file_is_refused_with_its_vertex() {
    let text = r#"{"vertices": [[0, 0], [2, 0], [1, 0.5], [2, 2], [0, 2]], "radius": 0}"#;
    let error = refusal::<Polygon>(text);
    assert!(
        error.contains("not convex") && error.contains("vertex 2"),
        "{error}"
    );
    // A vertex on an edge, and one that is inside by a rounding, change nothing.
    for middle in ["[2, 1]", "[1.9999, 1]"] {
        let text =
            format!(r#"{{"vertices": [[0, 0], [2, 0], {middle}, [2, 2], [0, 2]], "radius": 0}}"#);
        let polygon: Polygon = serde_json::from_str(&text).unwrap();
        assert_eq!(polygon.vertices().len(), 4);
    }
}

#[test]
fn number_beyond_f32_is_not_read_as_no_limit() {
    let text = r#"{"max_angular_speed": 1e39}"#;
    let error = refusal::<BodyDef>(text);
    assert!(error.contains("1e39") || error.contains("1e+39"), "{error}");
}
