//! Behavior of a world: a folder for each feature, a file for each subject. Names of tests state the behavior.
//!
//! | folder | what its tests are about |
//! |---|---|
//! | `world` | the life of a world: bodies and shapes that come, change and go, free motion, the order of a step, and laws of mechanics |
//! | `bad_input` | invalid and extreme numbers, refused calls, warnings, and recovery from states that would not be finite |
//! | `contacts` | what touches: friction, stacks, loads, filters, hooks, and the kinds of ground |
//! | `impacts` | what collides at speed: momentum, bounces, and continuous collision |
//! | `joints` | each kind of joint, limits, motors, breaking, linkages, and the direct solution of them |
//! | `sleep` | islands, falling asleep and waking |
//! | `events` | contact, hit, force and sensor events |
//! | `queries` | rays, casts, overlaps, and shapes that are moved by hand |
//! | `media` | wind, fluids and explosions |
//! | `state` | determinism, hashes, saves, deltas, recordings and scene definitions |
//!
//! `cargo test -p cairn2d-dynamics --test behaviours sleep::` runs a folder, and `sleep::waking` a file.

mod support;

mod world {
    mod access;
    mod bulk;
    mod lifecycle;
    mod kinds;
    mod enabling;
    mod mass;
    mod integration;
    mod speed_caps;
    mod changing_steps;
    mod step_order;
    mod bounds;
    mod far;
    mod energy;
    mod closed_forms;
    mod properties;
    mod mechanisms;
}

mod bad_input {
    mod doors;
    mod joint_doors;
    mod refusals;
    mod warnings;
    mod hostile_numbers;
    mod extremes;
    mod recovery;
}

mod contacts {
    mod touching;
    mod corner_landings;
    mod stacks;
    mod loads;
    mod squeezes;
    mod riding;
    mod rocking;
    mod quiet_pairs;
    mod filtering;
    mod ignoring;
    mod one_way;
    mod hooks;
    mod hook_panics;
    mod hook_threads;
    mod half_spaces;
    mod chains;
    mod two_sided;
    mod reported;
}

mod impacts {
    mod momentum;
    mod restitution;
    mod bouncing;
    mod bounce_energy;
    mod bounce_forces;
    mod continuous;
    mod rotation;
}

mod joints {
    mod holding;
    mod hinges;
    mod sliders;
    mod links;
    mod breaking;
    mod bridges;
    mod linkage_drag;
    mod passive_graphs;
    mod direct;
    mod direct_changeover;
    mod reported;
}

mod sleep {
    mod sleeping;
    mod waking;
    mod islands;
}

mod events {
    mod contact_events;
    mod end_events;
    mod hits;
    mod presses;
    mod sensors;
}

mod queries {
    mod spatial;
    mod movers;
    mod reported;
}

mod media {
    mod wind;
    mod fluids;
    mod explosions;
}

mod state {
    mod determinism;
    mod rebuilding;
    mod state_hash;
    mod saves;
    mod save_format;
    mod deltas;
    mod recordings;
    mod recorded_calls;
    mod replay;
    mod scene_definitions;
}
