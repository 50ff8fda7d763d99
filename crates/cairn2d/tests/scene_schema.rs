//! `docs/scene.schema.json` describes the scenes that are read: the same fields, the same defaults, and the same values of
//! choices. Each is asked of the reader.

#[path = "scene_schema/validator.rs"]
mod validator;

use cairn2d::prelude::*;
use cairn2d::{
    BroadPhaseKind, ChainSegment, HalfSpace, JointDef, MassData, SceneBody, SceneDef, SceneJoint,
    Shape,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use validator::Schema;

const SCHEMA: &str = include_str!("../../../docs/scene.schema.json");

/// Returns a definition of the schema.
fn def<'a>(schema: &'a Schema, name: &str) -> &'a Value {
    &schema.0["$defs"][name]
}

/// Returns the names between backticks in an error of the reader after "expected".
fn expected_names(error: &str) -> Vec<String> {
    let (_, list) = error
        .split_once("expected")
        .unwrap_or_else(|| panic!("{error}"));
    let mut names: Vec<String> = list
        .split('`')
        .skip(1)
        .step_by(2)
        .map(String::from)
        .collect();
    names.sort();
    names
}

fn read<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}

/// Checks a record: its fields, which of them must be there, and their defaults.
#[track_caller]
fn check_record<T: DeserializeOwned + Serialize>(schema: &Schema, name: &str) {
    let part = def(schema, name);
    let properties = part["properties"].as_object().unwrap();
    let error = read::<T>(&json!({ "?": 0 })).err().unwrap();
    let names: Vec<String> = properties.keys().cloned().collect();
    assert_eq!(expected_names(&error), sorted(names), "{name}: {error}");
    for example in part["examples"].as_array().unwrap() {
        schema.check_part(part, example, name).unwrap();
        check_example::<T>(schema, name, properties, example);
    }
}

fn check_example<T: DeserializeOwned + Serialize>(
    schema: &Schema,
    name: &str,
    properties: &Map<String, Value>,
    example: &Value,
) {
    let part = def(schema, name);
    let written = |value: &Value| {
        let value = read::<T>(value).unwrap_or_else(|error| panic!("{name} {value}: {error}"));
        serde_json::to_value(value).unwrap()
    };
    let whole = written(example);
    for (field, rule) in properties {
        let mut other = example.clone();
        let had = other.as_object_mut().unwrap().remove(field).is_some();
        let is_required = schema.check_part(part, &other, name).is_err();
        assert_eq!(
            had && read::<T>(&other).is_err(),
            had && is_required,
            "{name}.{field}"
        );
        if let Some(default) = rule.get("default") {
            assert!(
                !is_required,
                "{name}.{field} has a default and must be there"
            );
            // Fields that a rectangle has and other polygons do not, and the other way round, cannot be added to either.
            other[field.as_str()] = default.clone();
            if !had {
                assert_eq!(written(&other), whole, "{name}.{field}");
            }
        }
    }
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}

/// Checks a choice between names, or between records that each have a name.
#[track_caller]
fn check_choice<T: DeserializeOwned>(names: Vec<String>, unknown: &Value) {
    let error = read::<T>(unknown).err().unwrap();
    assert_eq!(expected_names(&error), sorted(names), "{error}");
}

#[track_caller]
fn check_enum<T: DeserializeOwned>(schema: &Schema, name: &str) {
    let names = def(schema, name)["enum"].as_array().unwrap();
    let names = names.iter().map(|name| name.as_str().unwrap().to_owned());
    check_choice::<T>(names.collect(), &json!("?"));
}

#[track_caller]
fn check_tagged<T: DeserializeOwned>(schema: &Schema, name: &str) {
    let names = def(schema, name)["properties"].as_object().unwrap();
    check_choice::<T>(names.keys().cloned().collect(), &json!({ "?": 0 }));
}

#[test]
fn schema_has_the_fields_and_defaults_of_the_reader() {
    let schema = Schema::of_text(SCHEMA);
    check_record::<WorldDef>(&schema, "WorldDef");
    check_record::<Tuning>(&schema, "Tuning");
    check_record::<Aabb>(&schema, "Aabb");
    check_record::<SceneBody>(&schema, "SceneBody");
    check_record::<BodyDef>(&schema, "BodyDef");
    check_record::<Locks>(&schema, "Locks");
    check_record::<MassData>(&schema, "MassData");
    check_record::<ShapeDef>(&schema, "ShapeDef");
    check_record::<Material>(&schema, "Material");
    check_record::<Filter>(&schema, "Filter");
    check_record::<Circle>(&schema, "Circle");
    check_record::<Capsule>(&schema, "Capsule");
    check_record::<Segment>(&schema, "Segment");
    check_record::<Polygon>(&schema, "Polygon");
    check_record::<Ellipse>(&schema, "Ellipse");
    check_record::<ChainSegment>(&schema, "ChainSegment");
    check_record::<HalfSpace>(&schema, "HalfSpace");
    check_record::<Chain>(&schema, "Chain");
    check_record::<SceneJoint>(&schema, "SceneJoint");
    check_record::<JointBaseDef>(&schema, "JointBaseDef");
    check_record::<JointFrame>(&schema, "JointFrame");
    check_record::<JointSoftness>(&schema, "JointSoftness");
    check_record::<Limit>(&schema, "Limit");
    check_record::<Motor>(&schema, "Motor");
    check_record::<Spring>(&schema, "Spring");
    check_record::<RevoluteJointDef>(&schema, "RevoluteJointDef");
    check_record::<PrismaticJointDef>(&schema, "PrismaticJointDef");
    check_record::<DistanceJointDef>(&schema, "DistanceJointDef");
    check_record::<WeldJointDef>(&schema, "WeldJointDef");
    check_record::<WheelJointDef>(&schema, "WheelJointDef");
    check_record::<MotorJointDef>(&schema, "MotorJointDef");
    check_record::<MouseJointDef>(&schema, "MouseJointDef");
    check_record::<PulleyJointDef>(&schema, "PulleyJointDef");
    check_record::<GearJointDef>(&schema, "GearJointDef");
    check_record::<FilterJointDef>(&schema, "FilterJointDef");

    // The scene itself, and the elements of the list of shapes, which have no type of their own.
    let of_scene = |value: &Value| read::<SceneDef>(value).err().unwrap();
    let whole: Value = serde_json::from_str(SCHEMA).unwrap();
    let names = whole["properties"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    assert_eq!(expected_names(&of_scene(&json!({ "?": 0 }))), sorted(names));
    let element = json!({ "bodies": [{ "shapes": [{ "?": 0 }] }] });
    let names = def(&schema, "SceneShape")["properties"]
        .as_object()
        .unwrap();
    let names = names.keys().cloned().collect();
    assert_eq!(expected_names(&of_scene(&element)), sorted(names));
}

#[test]
fn schema_has_the_choices_of_the_reader() {
    let schema = Schema::of_text(SCHEMA);
    check_enum::<BroadPhaseKind>(&schema, "BroadPhaseKind");
    check_enum::<BodyKind>(&schema, "BodyKind");
    check_enum::<InitialState>(&schema, "InitialState");
    check_enum::<Continuous>(&schema, "Continuous");
    check_enum::<MixRule>(&schema, "MixRule");
    check_tagged::<Shape>(&schema, "Shape");
    check_tagged::<JointDef>(&schema, "JointDef");
    let [names, time] = [0, 1].map(|i| &def(&schema, "IgnoreFor")["anyOf"][i]);
    let names = names["enum"].as_array().unwrap().iter();
    let mut names: Vec<String> = names
        .map(|name| name.as_str().unwrap().to_owned())
        .collect();
    names.extend(time["properties"].as_object().unwrap().keys().cloned());
    check_choice::<IgnoreFor>(names, &json!("?"));
    for (field, choice) in [("kind", "?"), ("side", "?")] {
        let mut chain = def(&schema, "Chain")["examples"][0].clone();
        chain[field] = json!(choice);
        let names = def(&schema, "Chain")["properties"][field]["enum"]
            .as_array()
            .unwrap();
        let names = names.iter().map(|name| name.as_str().unwrap().to_owned());
        check_choice::<Chain>(names.collect(), &chain);
    }
}

/// What an editor marks in a scene is what the reader refuses.
#[test]
fn schema_refuses_mistakes() {
    let schema = Schema::of_text(SCHEMA);
    let good = json!({
        "bodies": [{ "name": "a" }, { "shapes": [{ "shape": { "Circle": { "radius": 1 } } }] }],
        "joints": [{ "def": { "Weld": { "base": { "body_a": "a", "body_b": 1 } } } }],
        "ignored_pairs": [["a", 1, { "Time": 0.5 }]]
    });
    schema.check(&good).unwrap();
    World::from_scene(&read(&good).unwrap()).unwrap();
    let mistakes = [
        (
            "/bodies/0",
            json!({ "nam": "a" }),
            "scene.bodies[0]: unknown property nam",
        ),
        (
            "/bodies/1/shapes/0",
            json!({}),
            "scene.bodies[1].shapes[0]: not oneOf",
        ),
        (
            "/bodies/1/shapes/0/shape",
            json!({ "Circle": {} }),
            "scene.bodies[1].shapes[0].shape.Circle: not required",
        ),
        (
            "/joints/0/def",
            json!({ "Weld": {} }),
            "scene.joints[0].def.Weld: not required",
        ),
        (
            "/joints/0/def",
            json!({}),
            "scene.joints[0].def: not minProperties",
        ),
        (
            "/ignored_pairs/0/2",
            json!("Never"),
            "scene.ignored_pairs[0]: not anyOf",
        ),
    ];
    for (place, mistake, expected) in mistakes {
        let mut bad = good.clone();
        *bad.pointer_mut(place).unwrap() = mistake;
        let error = schema.check(&bad).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
        assert!(read::<SceneDef>(&bad).is_err(), "{bad}");
    }
}
