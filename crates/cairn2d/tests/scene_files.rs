//! Scene files that people write: names, chains as their points, no fields that have their defaults, and errors with
//! place and line.

use cairn2d::prelude::*;
use cairn2d::{JointDef, SceneBody, SceneDef, SceneJoint, SceneShape};

const DT: f32 = 1.0 / 60.0;

/// A car on a hill: lines 2 to 18 of the file.
const CAR: &str = r#"{
    "bodies": [
        { "shapes": [{ "chain": { "points": [[-20, 1], [0, 0], [9, 3]], "side": "Above" } }] },
        {
            "name": "car",
            "def": { "kind": "Dynamic", "position": [0, 2] },
            "shapes": [{ "shape": { "Polygon": { "half": [1, 0.25], "center": [0, 0.5], "angle": 0.1 } } }]
        },
        {
            "name": "wheel",
            "def": { "kind": "Dynamic", "position": [0, 1.5] },
            "shapes": [{ "shape": { "Circle": { "radius": 0.4 } } }]
        }
    ],
    "joints": [
        { "name": "axle", "def": { "Revolute": { "base": { "body_a": "car", "body_b": "wheel" } } } }
    ],
    "ignored_pairs": [["car", 0, "Overlap"]]
}"#;

fn read(text: &str) -> SceneDef {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns why `text` is no scene.
#[track_caller]
fn refusal(text: &str) -> String {
    serde_json::from_str::<SceneDef>(text)
        .unwrap_err()
        .to_string()
}

#[test]
fn names_stand_for_bodies_and_joints() {
    let mut scene = read(CAR);
    // A number that may be missing or infinite.
    scene.bodies[1].def.max_linear_speed = Some(9.0);
    let mut world = World::from_scene(&scene).unwrap();
    let [car, wheel] = ["car", "wheel"].map(|name| scene.body_id(name).unwrap());
    let axle = scene.joint_id("axle").unwrap();
    let JointDef::Revolute(def) = world.joint(axle).def() else {
        panic!("the axle is a revolute joint");
    };
    assert_eq!((def.base.body_a, def.base.body_b), (car, wheel));
    assert!(scene.body_id("boat").is_none() && scene.joint_id("car").is_none());
    for _ in 0..60 {
        world.step(DT);
    }
    assert!(world.body(car).position().y > 0.0);

    // They are written again, and so is everything else.
    let text = serde_json::to_string(&scene).unwrap();
    assert!(
        text.contains(r#""body_a":"car","body_b":"wheel""#),
        "{text}"
    );
    assert!(text.contains(r#"["car",0,"Overlap"]"#), "{text}");
    let again = World::from_scene(&read(&text)).unwrap();
    let start = World::from_scene(&scene).unwrap();
    assert_eq!(again.first_difference(&start), None);
    let ron = ron::ser::to_string_pretty(&scene, ron::ser::PrettyConfig::default()).unwrap();
    assert!(ron.contains("body_a: \"car\""), "{ron}");
    let again: SceneDef = ron::from_str(&ron).unwrap_or_else(|error| panic!("{ron}: {error}"));
    let again = World::from_scene(&again).unwrap();
    assert_eq!(again.first_difference(&start), None);
}

#[test]
fn gears_name_their_joints() {
    let text = r#"{
        "world": { "id_mark": 5 },
        "bodies": [{}, { "name": "a", "def": { "kind": "Dynamic" } }, { "name": "b", "def": { "kind": "Dynamic" } }],
        "joints": [
            { "name": "first", "def": { "Revolute": { "base": { "body_a": 0, "body_b": "a" } } } },
            { "name": "second", "def": { "Revolute": { "base": { "body_a": 0, "body_b": "b" } } }, "disabled": true },
            { "def": { "Gear": { "base": { "body_a": "a", "body_b": "b" }, "joint_a": "first", "joint_b": "second" } } }
        ]
    }"#;
    let scene = read(text);
    let world = World::from_scene(&scene).unwrap();
    let second = scene.joint_id("second").unwrap();
    assert!(!world.joint(second).is_enabled());
    let gear = world.joints().last().unwrap();
    assert!(matches!(gear.def(), JointDef::Gear(gear) if gear.joint_b == second));
    let again = serde_json::to_string(&scene).unwrap();
    assert!(
        again.contains(r#""joint_a":"first","joint_b":"second""#),
        "{again}"
    );
    let again = World::from_scene(&read(&again)).unwrap();
    assert_eq!(again.first_difference(&world), None);
}

#[test]
fn fields_with_their_defaults_are_left_out_of_texts() {
    assert_eq!(serde_json::to_string(&SceneDef::default()).unwrap(), "{}");
    let mut world = World::default();
    let shape = ShapeDef::default().friction(0.25);
    let ball = [(Circle::of_radius(0.5), shape)];
    world.spawn(BodyDef::dynamic().position(1.0, 3.0), ball);
    world.spawn(
        BodyDef::static_(),
        [(Polygon::rectangle(9.0, 1.0), ShapeDef::default())],
    );
    let ids = [0, 1].map(BodyId::from_bits);
    world.create_joint(DistanceJointDef {
        length: 2.0,
        ..DistanceJointDef::new(ids[0], ids[1])
    });
    let expected = concat!(
        r#"{"bodies":[{"def":{"kind":"Dynamic","position":[1.0,3.0]},"#,
        r#""shapes":[{"shape":{"Circle":{"center":[0.0,0.0],"radius":0.5}},"def":{"material":{"friction":0.25}}}]},"#,
        r#"{"shapes":[{"shape":{"Polygon":{"half":[9.0,1.0]}}}]}],"#,
        r#""joints":[{"def":{"Distance":{"base":{"body_a":0,"body_b":1},"length":2.0}}}]}"#,
    );
    let text = serde_json::to_string(&world.to_scene()).unwrap();
    assert_eq!(text, expected);
}

/// A joint of each kind whose fields have their defaults is read as it was written.
#[test]
fn joints_are_read_without_the_fields_that_have_their_defaults() {
    let [a, b] = [0, 1].map(BodyId::from_bits);
    let hinges = [0, 1].map(JointId::from_bits);
    let wheel = WorldPoint::new(0.0, 3.0);
    let defs: [JointDef; 11] = [
        RevoluteJointDef::new(a, b).into(),
        RevoluteJointDef::new(a, b).into(),
        PrismaticJointDef::new(a, b).into(),
        DistanceJointDef::new(a, b).into(),
        WeldJointDef::new(a, b).into(),
        WheelJointDef::new(a, b).into(),
        MotorJointDef::new(a, b).into(),
        MouseJointDef::new(a, b).into(),
        PulleyJointDef::new(a, b, wheel, wheel, 1.0).into(),
        GearJointDef::new(a, b, hinges[0], hinges[1]).into(),
        FilterJointDef::new(a, b).into(),
    ];
    let scene = SceneDef {
        bodies: vec![SceneBody::default(); 2],
        joints: defs.map(SceneJoint::new).to_vec(),
        ..SceneDef::default()
    };
    let text = serde_json::to_string(&scene).unwrap();
    assert_eq!(read(&text).joints, scene.joints, "{text}");
    assert!(
        !text.contains("null") && !text.contains("break_force"),
        "{text}"
    );
    // A joint whose bodies collide although they need not, and the other way round.
    let mut scene = scene;
    for joint in &mut scene.joints {
        let base = joint.def.base_mut();
        base.collide_connected = !base.collide_connected;
    }
    let text = serde_json::to_string(&scene).unwrap();
    assert_eq!(read(&text).joints, scene.joints, "{text}");
}

#[test]
fn chains_are_their_points() {
    let open = [
        point(0.0, 0.0),
        point(1.0, 0.25),
        point(2.0, 0.0),
        point(3.0, 1.0),
    ];
    let ring = [point(0.0, 0.0), point(4.0, 0.0), point(2.0, 3.0)];
    let chains = [
        Chain::new(&open, ChainKind::Open),
        Chain::ground(&open),
        Chain::two_sided(&open, ChainKind::Open),
        Chain::new(&ring, ChainKind::Loop),
        Chain::two_sided(&ring, ChainKind::Loop),
        Chain::two_sided(&ring, ChainKind::Loop).reversed(),
        Chain::new(&open[..2], ChainKind::Open),
    ];
    for chain in &chains {
        let text = serde_json::to_string(chain).unwrap();
        let read: Chain = serde_json::from_str(&text).unwrap();
        assert_eq!(&read, chain, "{text}");
    }
    // One after another on a body, also with equal ends, and between other shapes.
    let mut world = World::default();
    let body = world.create_body(BodyDef::static_());
    for chain in chains.iter().chain(&chains) {
        world.create_chain(body, chain, ShapeDef::default());
    }
    world.create_shape(body, Circle::of_radius(1.0), ShapeDef::default());
    world.create_chain(body, &chains[0], ShapeDef::default().friction(0.1));
    let scene = world.to_scene();
    let text = serde_json::to_string(&scene).unwrap();
    assert_eq!(
        text.matches("points").count(),
        2 * chains.len() + 1,
        "{text}"
    );
    assert!(!text.contains("ghost"), "{text}");
    let again = World::from_scene(&read(&text)).unwrap();
    assert_eq!(again.first_difference(&world), None);
    // A platform, and a part of a chain alone, which is no chain.
    let platform = r#"{ "points": [[0, 0], [1, 0]], "side": "Above", "platform": true }"#;
    let platform: Chain = serde_json::from_str(platform).unwrap();
    assert!(platform.segments()[0].is_platform());
    let mut scene = SceneDef::default();
    let parts = chains[0].segments()[1..].iter().chain(platform.segments());
    scene.bodies.push(SceneBody {
        shapes: parts.map(|&part| SceneShape::new(part)).collect(),
        ..SceneBody::default()
    });
    let text = serde_json::to_string(&scene).unwrap();
    assert_eq!(read(&text).bodies, scene.bodies, "{text}");
    assert!(
        text.contains("ghost_before") && text.contains(r#""platform":true"#),
        "{text}"
    );
}

/// Angles of rectangles and ellipses are written as such, and give the same bits.
#[test]
fn turned_rectangles_are_written_with_their_angle() {
    for step in 0..200 {
        let angle = 0.0942 * (step - 100) as f32;
        let (x, y) = (0.1 * step as f32, -0.7);
        let rectangle = Shape::from(Polygon::offset_rectangle(1.0, 0.3, point(x, y), angle));
        let ellipse = Shape::from(Ellipse::new(point(x, y), 2.0, 0.5, angle));
        for shape in [rectangle, ellipse] {
            let text = serde_json::to_string(&shape).unwrap();
            let read: Shape = serde_json::from_str(&text).unwrap();
            assert_eq!(read, shape, "{text}");
            // An angle of more than half a turn may have other bits than the same rotation within.
            let is_plain = !text.contains("exact") && !text.contains("rotation");
            assert!(is_plain || angle.abs() > 3.1, "{text}");
        }
    }
}

#[test]
fn errors_name_place_and_line() {
    // Each case: a part of the file of the car, its replacement, and the error.
    let cases = [
        (
            r#""radius": 0.4"#,
            r#""radus": 0.4"#,
            "bodies[2]: shapes[0]: unknown field `radus`, expected `center` or `radius` at line 12 ",
        ),
        (
            r#""radius": 0.4"#,
            r#""radius": -0.4"#,
            "bodies[2]: shapes[0]: radius must be greater than zero, not -0.4 at line 12 ",
        ),
        (
            r#""kind": "Dynamic", "position": [0, 1.5]"#,
            r#""kind": "Dynamic", "linear_damping": -1"#,
            "bodies[2]: linear_damping is -1, which is negative at line 11 ",
        ),
        (
            r#""name": "wheel""#,
            r#""name": "car""#,
            r#"bodies[2]: body 1 is also called "car""#,
        ),
        (
            r#""body_b": "wheel""#,
            r#""body_b": "weel""#,
            r#"joints[0]: no body above is called "weel" at line 16 "#,
        ),
        (
            r#""body_b": "wheel""#,
            r#""body_b": 7"#,
            "joints[0]: there is no body 7: the list above has 3, counted from 0 at line 16 ",
        ),
        (r#""body_b": "wheel""#, r#""body_b": "car""#, "joints[0]: "),
        (
            r#""half": [1, 0.25], "center": [0, 0.5], "angle": 0.1"#,
            r#""half": [1, 0.25], "angle": 90"#,
            "bodies[1]: shapes[0]: angle is 90, more than a full turn: angles are in radians at line 7 ",
        ),
        (
            r#""half": [1, 0.25], "center": [0, 0.5], "angle": 0.1"#,
            r#""vertices": [[0, 0], [2, 0], [1, 0.5], [2, 2], [0, 2]]"#,
            "bodies[1]: shapes[0]: the polygon is not convex: vertex 2 is ",
        ),
        (
            r#""chain": {"#,
            r#""shape": { "Circle": { "radius": 1 } }, "chain": {"#,
            "bodies[0]: shapes[0]: an element has either `shape` or `chain` at line 3 ",
        ),
        (
            r#""bodies": ["#,
            r#""world": { "substeps": 0 }, "bodies": ["#,
            "world: substeps is 0, ",
        ),
    ];
    for (part, replacement, expected) in cases {
        let text = CAR.replacen(part, replacement, 1);
        assert_ne!(text, CAR, "{part}");
        let error = refusal(&text);
        assert!(error.starts_with(expected), "{error}\n{expected}");
        assert!(error.contains(" at line "), "{error}");
    }
    let ron = "(bodies: [\n(),\n(def: (linear_damping: -1)),\n])";
    let error = ron::from_str::<SceneDef>(ron).unwrap_err();
    assert!(
        error.to_string().contains("bodies[1]: linear_damping"),
        "{error}"
    );
    assert_eq!(error.span.start.line, 3, "{error}");
}

/// An angle of a body, a joint or its limit of more than a full turn is probably in degrees. It is allowed, since a
/// program may have turned a body that far, and the world warns.
#[test]
fn degrees_of_bodies_and_joints_are_warned_of() {
    let text = r#"{
        "bodies": [{}, { "def": { "kind": "Dynamic", "angle": 90 }, "shapes": [{ "shape": { "Circle": { "radius": 1 } } }] }],
        "joints": [{ "def": { "Revolute": { "base": { "body_a": 0, "body_b": 1 }, "limit": { "lower": -45, "upper": 45 } } } }]
    }"#;
    let world = World::from_scene(&read(text)).unwrap();
    let warnings: Vec<String> = world.warnings().iter().map(ToString::to_string).collect();
    let expected = [
        "angle of more than a full turn: angles are in radians",
        "more than a full turn: angles are in radians",
    ];
    assert_eq!(warnings.len(), expected.len(), "{warnings:?}");
    for (warning, expected) in warnings.iter().zip(expected) {
        assert!(warning.contains(expected), "{warning}");
    }
}

/// Names are those of the scene that is read: an id outside of one is a number.
#[test]
fn ids_outside_of_scenes_are_numbers() {
    let error = serde_json::from_str::<BodyId>("\"car\"").unwrap_err();
    assert!(error.to_string().contains("expected u64"), "{error}");
    assert!(refusal(r#"{ "bodies": [{ "name": "car" }], "joints": 1 }"#).contains("joints"));
    assert_eq!(serde_json::from_str::<BodyId>("7").unwrap().index(), 7);
    let scene = SceneDef {
        bodies: vec![
            SceneBody {
                name: "twin".into(),
                ..SceneBody::default()
            };
            2
        ],
        ..SceneDef::default()
    };
    assert!(serde_json::to_string(&scene).is_err());
}
