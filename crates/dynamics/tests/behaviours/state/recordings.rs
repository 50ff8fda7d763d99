//! Recordings: repetition, seeking, cut and damaged bytes, comparison.

use crate::support::*;
use cairn2d_dynamics::*;
use cairn2d_geometry::math::vec2;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Work between keyframes: a few steps of the worlds below.
const OFTEN: RecordingDef = RecordingDef { keyframe_work: 200 };

/// Steps of a run.
const STEPS: u64 = 60;

/// Boxes in columns on the ground, half of them with a hook.
fn columns(count: u16, threads: u32) -> World {
    let mut world = World::new(WorldDef {
        threads,
        ..WorldDef::default()
    });
    ground(&mut world);
    for i in 0..count {
        let (column, line) = (f32::from(i % 30), f32::from(i / 30));
        let def = BodyDef::dynamic()
            .position(1.1 * column - 16.0, 0.5 + 1.02 * line)
            .velocity(0.0, if i % 7 == 0 { -30.0 } else { 0.0 })
            .user_data(i.into());
        let shape = ShapeDef {
            pre_solve: i % 2 == 0,
            user_data: i.into(),
            ..ShapeDef::default()
        };
        add(&mut world, def, rect(0.5, 0.5), shape);
    }
    world
}

/// Hooks whose answers follow from their arguments.
fn set_pure_hooks(world: &mut World) {
    world.set_pair_filter(|a, b| (a.user_data() + 3 * b.user_data()) % 11 != 0);
    world.set_pre_solve(|contact| {
        let [a, b] = contact.shapes();
        contact.friction = if contact.points()[0].separation < 0.0 {
            0.1
        } else {
            f32::NAN
        };
        if (a.user_data() ^ b.user_data()) % 16 == 5 {
            contact.ignore();
        }
    });
}

/// Acts between steps.
fn act(world: &mut World, step: u64) {
    // All but the ground.
    let moving = world.body_count() - 1;
    let body = world.bodies().nth(1 + step as usize % moving);
    let body = body.unwrap().id();
    match step % 10 {
        3 => world.body_mut(body).apply_impulse(vec2(0.5, 1.0)),
        5 => world.explode(&ExplosionDef::new((0.0, 0.0), 2.0, 1.0).falloff(3.0)),
        7 => _ = world.destroy_body(body),
        9 => _ = ball_at(world, 0.3 * step as f32 - 9.0, 30.0, 0.3),
        _ => {}
    }
}

/// Records a run with its states' hashes, that of the start first.
fn record(world: &mut World, mut act: impl FnMut(&mut World, u64)) -> (Vec<u8>, Vec<u64>) {
    world.start_recording(OFTEN);
    let (mut bytes, mut hashes) = (Vec::new(), vec![world.state_hash()]);
    for step in 1..=STEPS {
        act(world, step);
        world.step(DT);
        hashes.push(world.state_hash());
        if step % 3 == 0 {
            bytes.extend(world.take_recording());
        }
    }
    bytes.extend(world.stop_recording());
    (bytes, hashes)
}

fn read(bytes: &[u8]) -> Arc<Recording> {
    Arc::new(Recording::new(bytes).unwrap())
}

/// Plays a recording to its end, and checks each state.
fn play(bytes: &[u8], hashes: &[u64], threads: u32) -> Player {
    let mut player = Player::new(read(bytes)).unwrap();
    player.set_threads(threads);
    for (step, &hash) in hashes.iter().enumerate() {
        assert_eq!(player.step(), step as u64);
        assert_eq!(player.world().state_hash(), hash, "step {step}");
        let is_last = step + 1 == hashes.len();
        assert_eq!(player.advance().unwrap(), !is_last);
    }
    player
}

#[test]
fn recording_is_the_same_and_repeats_for_any_number_of_threads() {
    let run = |threads: u32| {
        let mut world = columns(900, threads);
        set_pure_hooks(&mut world);
        world.start_recording(OFTEN);
        for step in 1..=12 {
            act(&mut world, step);
            world.step(DT);
        }
        (world.stop_recording(), world.state_hash())
    };
    let (alone, hash) = run(1);
    let (shared, same) = run(4);
    assert_eq!(hash, same);
    let calls = |bytes: &[u8]| -> Vec<_> {
        let recording = read(bytes);
        (1..=12)
            .map(|step| recording.calls_of(step).unwrap())
            .collect()
    };
    assert!(calls(&alone) == calls(&shared));
    for (bytes, threads) in [(&alone, 3), (&shared, 1)] {
        let mut player = Player::new(read(bytes)).unwrap();
        player.set_threads(threads);
        while player.advance().unwrap() {}
        assert_eq!(player.world().state_hash(), hash);
    }
}

/// Hooks that answer by an outer counter give a run that nothing but its answers can repeat.
#[test]
fn answers_of_hooks_are_repeated_without_the_hooks() {
    let mut world = columns(120, 1);
    let count = Arc::new(AtomicU32::new(0));
    let (filter, pre_solve) = (Arc::clone(&count), count);
    world.set_pair_filter(move |_, _| filter.fetch_add(1, Ordering::Relaxed) % 5 != 0);
    world.set_pre_solve(move |contact| {
        let count = pre_solve.fetch_add(1, Ordering::Relaxed);
        contact.friction = (count % 7) as f32 * 0.1;
        contact.surface_speed = (count % 3) as f32;
        if count % 11 == 0 {
            contact.ignore();
        }
    });
    let (bytes, hashes) = record(&mut world, |world, step| {
        act(world, step);
        match step {
            20 => world.filter_again(),
            30 => world.clear_pair_filter(),
            35 => world.set_pair_filter(|a, b| a.user_data() % 4 != b.user_data() % 4),
            40 => world.clear_pre_solve(),
            45 => world.set_pre_solve(|contact| contact.friction = 0.0),
            _ => {}
        }
    });
    play(&bytes, &hashes, 4);
}

#[test]
fn any_step_can_be_sought_in_any_order() {
    let mut world = columns(60, 1);
    let snapshot = world.clone();
    let (bytes, hashes) = record(&mut world, |world, step| {
        act(world, step);
        if step == 31 {
            world.clone_from(&snapshot);
        }
    });
    let mut player = play(&bytes, &hashes, 1);
    let info = player.recording().info();
    assert_eq!((info.steps, info.lost_bytes), (STEPS, 0));
    assert!(info.states > 5, "{info:?}");
    for i in 0..200 {
        let step = i * 37 % (STEPS + 1);
        player.seek(step).unwrap();
        assert_eq!(player.step(), step);
        assert_eq!(player.world().state_hash(), hashes[step as usize], "{step}");
        if i % 3 == 0 && step < STEPS {
            player.advance().unwrap();
            assert_eq!(player.world().state_hash(), hashes[step as usize + 1]);
        }
    }
    player.seek(u64::MAX).unwrap();
    assert_eq!(player.step(), STEPS);
}

#[test]
fn calls_behind_the_last_step_are_repeated_at_the_end() {
    let mut world = columns(10, 1);
    world.start_recording(RecordingDef::default());
    world.step(DT);
    let hash = world.state_hash();
    let body = ball_at(&mut world, 0.0, 20.0, 0.5);
    world.body_mut(body).set_velocity(vec2(3.0, 0.0));
    let mut player = Player::new(read(&world.stop_recording())).unwrap();
    assert!(player.advance().unwrap());
    assert_eq!(player.world().state_hash(), hash);
    assert!(!player.advance().unwrap());
    assert_eq!(player.world().state_hash(), world.state_hash());
    player.seek(1).unwrap();
    assert_eq!(player.world().state_hash(), hash);
}

/// A step that a panic cuts short cannot be repeated by calls: the state behind it is recorded.
#[test]
fn panic_of_a_hook_leaves_a_recording_that_repeats() {
    let mut world = columns(60, 1);
    world.set_pair_filter(|_, _| true);
    let calls = AtomicU32::new(0);
    world.set_pre_solve(move |_| assert!(calls.fetch_add(1, Ordering::Relaxed) % 100 != 99));
    world.start_recording(OFTEN);
    let mut panics = 0;
    let mut hashes = vec![world.state_hash()];
    while hashes.len() < 30 {
        match catch_unwind(AssertUnwindSafe(|| world.step(DT))) {
            Ok(()) => hashes.push(world.state_hash()),
            Err(_) => panics += 1,
        }
    }
    assert!(panics > 3);
    play(&world.stop_recording(), &hashes, 1);
}

#[test]
fn clone_of_a_recorded_world_is_not_recorded() {
    let mut world = columns(10, 1);
    assert!(world.take_recording().is_empty());
    world.start_recording(RecordingDef::default());
    let mut copy = world.clone();
    assert!(world.is_recording() && !copy.is_recording());
    copy.step(DT);
    world.step(DT);
    assert!(copy.stop_recording().is_empty());
    let recording = read(&world.stop_recording());
    assert_eq!(recording.step_count(), 1);
    assert!(!world.is_recording());
}

#[test]
fn cut_recording_has_the_steps_before_the_cut() {
    let (bytes, hashes) = record(&mut columns(6, 1), act);
    let whole = read(&bytes);
    let mut lengths = Vec::new();
    for end in 0..=bytes.len() {
        match Recording::new(&bytes[..end]) {
            Ok(recording) => {
                let steps = recording.step_count();
                assert_eq!(recording.hash_after(steps), whole.hash_after(steps));
                lengths.push(steps);
            }
            Err(error) => assert!(lengths.is_empty(), "{end}: {error}"),
        }
    }
    assert!(lengths.is_sorted());
    lengths.dedup();
    assert_eq!(lengths, Vec::from_iter(0..=STEPS));
    let half = &bytes[..bytes.len() / 2];
    let steps = read(half).step_count() as usize;
    play(half, &hashes[..=steps], 1);
}

#[test]
fn damaged_byte_ends_the_recording_there() {
    let (bytes, _) = record(&mut columns(6, 1), act);
    for place in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0x10;
        let Ok(recording) = Recording::new(damaged) else {
            continue;
        };
        let info = recording.info();
        // The solver's epoch only is not checked.
        let end = bytes.len() - info.lost_bytes;
        let is_cut = info.lost_bytes > 0 && end <= place;
        let named = match recording.defect() {
            Some(ReplayError::Invalid { offset, .. }) => offset == end,
            _ => info.lost_bytes == 0,
        };
        assert!(named, "{place}: {:?}", recording.defect());
        assert!(is_cut || (12..16).contains(&place), "{place}: {info:?}");
    }
    let newer = [&bytes[..8], &2_u32.to_le_bytes(), &bytes[12..]].concat();
    let refused =
        [newer, b"cairnrec".to_vec(), Vec::new()].map(|bytes| Recording::new(bytes).err());
    assert_eq!(
        refused,
        [
            Some(ReplayError::UnknownFormat(2)),
            Some(ReplayError::NotARecording),
            Some(ReplayError::NotARecording)
        ]
    );
}

/// Changes the recorded hash of a step, as if another machine had computed it.
fn with_other_hash(bytes: &[u8], step: u64) -> Vec<u8> {
    let hash = read(bytes).hash_after(step).unwrap().to_le_bytes();
    let at = bytes.windows(8).position(|window| window == hash).unwrap();
    let mut forged = bytes.to_vec();
    forged[at] ^= 1;
    World::forge_recording(&mut forged);
    forged
}

#[test]
fn other_state_than_recorded_is_reported_with_its_step() {
    let (bytes, _) = record(&mut columns(60, 1), act);
    let forged = with_other_hash(&bytes, 17);
    let mut player = Player::new(read(&forged)).unwrap();
    let mut wrong = Vec::new();
    loop {
        match player.advance() {
            Ok(true) => {}
            Ok(false) => break,
            Err(ReplayError::Mismatch { step, .. }) => wrong.push(step),
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(wrong, [17]);
    assert_eq!(player.step(), STEPS);
}

#[test]
fn comparison_names_the_first_call_step_and_field_that_differ() {
    let run = |kick: f32| {
        let (bytes, _) = record(&mut columns(60, 1), |world, step| {
            act(world, step);
            if step == 24 {
                let body = world.bodies().nth(5).unwrap().id();
                world.body_mut(body).set_angular_velocity(kick);
            }
        });
        bytes
    };
    let (a, b) = (run(0.5), run(0.25));
    let same = Recording::compare(&read(&a), &read(&a)).unwrap();
    assert_eq!((same.steps, same.call, same.desync), (STEPS, None, None));

    let found = Recording::compare(&read(&a), &read(&b)).unwrap();
    let call = found.call.unwrap();
    assert_eq!((call.step, call.index), (24, 0));
    let [of_a, of_b] = call.calls.map(Option::unwrap);
    assert_eq!(
        of_a,
        "SetAngularVelocity { angular_velocity: 0.5 } of body 5.0"
    );
    assert_eq!(of_b, of_a.replace("0.5 }", "0.25 }"));
    let desync = found.desync.unwrap();
    let (step, difference) = desync.field.unwrap();
    assert_eq!((desync.step, step), (24, 24));
    assert!(difference.field.starts_with("bodies[5]"), "{difference}");
}

/// A recording of a machine that computes otherwise does not repeat here: the states are compared at its next keyframe.
#[test]
fn recordings_of_unequal_machines_are_compared_where_both_states_are_known() {
    let (bytes, _) = record(&mut columns(60, 1), act);
    let (good, forged) = (read(&bytes), read(&with_other_hash(&bytes, 17)));
    let found = Recording::compare(&good, &forged).unwrap();
    assert_eq!(found.call, None);
    let desync = found.desync.unwrap();
    // Only the hash is forged, so the states of both are equal.
    assert_eq!((desync.step, desync.field), (17, None));
}

/// The broad phase sorts the boxes of a batch in another order than single ones, which the hash sees.
#[test]
fn batch_of_bodies_is_repeated_as_a_batch() {
    let boxes = || {
        (0..300_u16).map(|i| {
            let (x, y) = (0.9 * f32::from(i % 20) - 9.0, 30.0 + f32::from(i / 20));
            (
                BodyDef::dynamic().position(x, y),
                [(rect(0.4, 0.4), ShapeDef::default())],
            )
        })
    };
    let mut world = columns(60, 1);
    let (bytes, hashes) = record(&mut world, |world, step| {
        if step == 5 {
            world.create_bodies(boxes());
        }
    });
    play(&bytes, &hashes, 1);
}
