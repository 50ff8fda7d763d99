//! Every method that changes a world is recorded, or consists of methods that are: read from the sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Types whose methods change a world.
const TYPES: [&str; 4] = ["World", "BodyMut", "ShapeMut", "JointMut"];

/// Ways in which a method records itself.
const RECORDS: [&str; 3] = [".record(", ".record_own(", ".record_answered("];

/// Why a method does not record itself.
enum Exempt {
    /// It changes the world by these methods only.
    By(&'static [&'static str]),
    /// It changes nothing that a later step reads.
    Unread(&'static str),
}

use Exempt::{By, Unread};

const EXEMPT: &[(&str, Exempt)] = &[
    ("World::try_spawn", By(&["create_checked"])),
    ("World::drop_through", By(&["try_ignore_pair"])),
    ("BodyMut::set_linear_damping", By(&["try_set_damping"])),
    ("BodyMut::set_angular_damping", By(&["try_set_damping"])),
    ("World::save_base", By(&["save_base_into"])),
    (
        "World::save_base_into",
        Unread("a base of deltas is no state"),
    ),
    ("World::try_create_chain", By(&["try_create_shape"])),
    ("World::try_apply_fluid", By(&["apply_fluid_to"])),
    ("BodyMut::try_apply_fluid", By(&["apply_fluid_to"])),
    ("World::try_explode", By(&["try_apply_impulse_at"])),
    ("World::try_set_gravity", By(&["try_set_def"])),
    ("World::clear", By(&["destroy_body"])),
    ("World::reserve", Unread("no result depends on capacity")),
    (
        "World::set_pair_filter",
        By(&["restore_pair_filter", "filter_again"]),
    ),
    ("World::restore_pair_filter", By(&["record_hooks"])),
    ("World::restore_hooks_of", By(&["record_hooks"])),
    (
        "World::clear_pair_filter",
        By(&["record_hooks", "filter_again"]),
    ),
    (
        "World::set_pre_solve",
        By(&["restore_pre_solve", "refresh_hooked_contacts"]),
    ),
    ("World::restore_pre_solve", By(&["record_hooks"])),
    (
        "World::clear_pre_solve",
        By(&["record_hooks", "refresh_hooked_contacts"]),
    ),
    ("World::set_pool", Unread("no result depends on threads")),
    ("World::start_recording", By(&["record_state"])),
    ("World::take_recording", Unread("the recorder is no state")),
    ("World::stop_recording", Unread("the recorder is no state")),
    ("World::body_mut", Unread("a view")),
    ("World::get_body_mut", Unread("a view")),
    ("World::shape_mut", Unread("a view")),
    ("World::get_shape_mut", Unread("a view")),
    ("World::joint_mut", Unread("a view")),
    ("World::get_joint_mut", Unread("a view")),
    (
        "BodyMut::try_move_to",
        By(&["try_set_velocity", "try_set_angular_velocity"]),
    ),
    ("BodyMut::try_apply_local_force", By(&["try_apply_force"])),
    (
        "BodyMut::try_apply_local_force_at",
        By(&["try_apply_force_at"]),
    ),
    (
        "BodyMut::try_apply_local_impulse",
        By(&["try_apply_impulse"]),
    ),
    ("BodyMut::try_apply_acceleration", By(&["try_apply_force"])),
    ("ShapeMut::try_set_friction", By(&["try_set_material"])),
    ("ShapeMut::try_set_restitution", By(&["try_set_material"])),
    ("ShapeMut::try_set_surface_speed", By(&["try_set_material"])),
    ("ShapeMut::try_set_one_way", By(&["try_set_material"])),
    ("JointMut::try_edit", By(&["try_set_joint"])),
    ("JointMut::try_set_motor", By(&["try_edit"])),
    ("JointMut::try_set_motor_speed", By(&["try_edit"])),
    ("JointMut::try_set_limit", By(&["try_edit"])),
    ("JointMut::try_set_spring", By(&["try_edit"])),
    ("JointMut::try_set_spring_target", By(&["try_edit"])),
    ("JointMut::try_set_target", By(&["try_edit"])),
    ("JointMut::try_set_target_angle", By(&["try_edit"])),
    ("JointMut::try_set_velocity", By(&["try_edit"])),
    ("JointMut::try_set_length", By(&["try_edit"])),
    ("JointMut::try_set_ratio", By(&["try_edit"])),
    ("JointMut::try_set_frames", By(&["try_edit"])),
    ("JointMut::try_set_softness", By(&["try_edit"])),
    ("JointMut::try_set_break_limits", By(&["try_edit"])),
    ("JointMut::set_collide_connected", By(&["try_edit"])),
];

/// Files outside of `world/` that get a `&mut World`, all of which use public methods only.
const USERS: [&str; 1] = ["replay/apply.rs"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Sources with their paths below `src`, without unit tests.
fn files() -> Vec<(String, String)> {
    let (mut found, mut folders) = (Vec::new(), vec![source()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text
                .split("\n#[cfg(test)]\nmod tests")
                .next()
                .unwrap()
                .to_owned();
            let name = path.strip_prefix(source()).unwrap();
            if path.ends_with("tests.rs") {
                continue;
            }
            found.push((name.to_string_lossy().replace('\\', "/"), code));
        }
    }
    found.sort();
    found
}

/// Public methods of [`TYPES`] that take `&mut self`, with their bodies.
fn methods() -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (_, code) in files() {
        let mut owner = None;
        let mut lines = code.lines();
        while let Some(line) = lines.next() {
            if let Some(block) = line.strip_prefix("impl ") {
                let name = block.split(['<', ' ']).next().unwrap();
                owner = TYPES.iter().find(|&&owner| owner == name);
            }
            let Some(rest) = line.strip_prefix("    pub fn ") else {
                continue;
            };
            let name = rest.split(['(', '<']).next().unwrap();
            let mut text = line.to_owned();
            for line in lines.by_ref().take_while(|line| *line != "    }") {
                text.push('\n');
                text.push_str(line);
            }
            let head = text.split('{').next().unwrap();
            if let (Some(owner), true) = (owner, head.contains("&mut self")) {
                found.insert(format!("{owner}::{name}"), text);
            }
        }
    }
    found
}

#[test]
fn every_method_that_changes_a_world_is_recorded() {
    let methods = methods();
    assert!(methods.len() > 90, "{} methods", methods.len());
    let exempt: BTreeMap<_, _> = EXEMPT.iter().map(|(name, why)| (*name, why)).collect();
    for (name, body) in &methods {
        // `x` panics where its twin `try_x` returns an error.
        let (_, method) = name.split_once("::").unwrap();
        if body.contains(&format!("self.try_{method}(")) {
            continue;
        }
        let records = RECORDS.iter().any(|call| body.contains(call));
        match exempt.get(name.as_str()) {
            None => assert!(records, "{name} is not recorded"),
            Some(By(parts)) => {
                assert!(!records, "{name} is recorded, and so are its parts");
                for part in *parts {
                    let call = format!("{part}(");
                    assert!(body.contains(&call), "{name} does not call {part}");
                }
            }
            Some(Unread(reason)) => assert!(!records, "{name} is recorded: {reason}"),
        }
    }
    for name in exempt.keys() {
        assert!(methods.contains_key(*name), "{name} is not a method");
    }
}

#[test]
fn other_modules_change_a_world_by_its_methods() {
    let users: Vec<String> = files()
        .into_iter()
        .filter(|(name, _)| !name.starts_with("world/"))
        .filter(|(_, code)| code.contains("&mut World"))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(users, USERS);
}
