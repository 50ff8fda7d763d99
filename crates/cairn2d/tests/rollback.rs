//! Late inputs give the same bits as punctual ones.

use cairn2d::Rollback;
use cairn2d::prelude::*;

const DT: f32 = 1.0 / 60.0;

/// Boxes on the ground, one of which is kicked.
fn court() -> (World, BodyId) {
    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    let wide = Polygon::rectangle(20.0, 1.0);
    world.create_shape(ground, wide, ShapeDef::default());
    let mut last = ground;
    for i in 0..12 {
        let place = BodyDef::dynamic().position(0.3 * (i % 3) as f32, 0.6 + 1.1 * (i / 3) as f32);
        last = world.create_body(place);
        let square = Polygon::rectangle(0.5, 0.5);
        world.create_shape(last, square, ShapeDef::default());
    }
    (world, last)
}

/// The kick of a frame: rarely any.
fn kick_of(frame: u64) -> f32 {
    if frame % 7 == 3 { 2.0 } else { 0.0 }
}

/// Plays with inputs that arrive `late` frames late, in pairs in reverse order; no kick is predicted.
fn play(late: u64, kept: usize) -> (Rollback<f32>, usize) {
    let (world, body) = court();
    let mut rollback = Rollback::new(world, kept);
    let mut repeated = 0;
    let step = |world: &mut World, kick: &f32| {
        world.body_mut(body).apply_impulse(vec2(*kick, 0.0));
        world.step(DT);
    };
    for frame in 0..90 {
        let known = if late == 0 { kick_of(frame) } else { 0.0 };
        rollback.advance(known, step);
        if late > 0 && frame % 2 == 1 {
            for arrived in [frame, frame - 1] {
                if let Some(arrived) = arrived.checked_sub(late) {
                    rollback.set_input(arrived, kick_of(arrived)).unwrap();
                }
            }
            repeated += rollback.repeat(step);
        }
    }
    for frame in rollback.oldest_frame()..rollback.next_frame() {
        rollback.set_input(frame, kick_of(frame)).unwrap();
    }
    repeated += rollback.repeat(step);
    (rollback, repeated)
}

#[test]
fn late_inputs_end_in_the_bits_of_punctual_ones() {
    let (punctual, _) = play(0, 1);
    for late in [1, 3, 6] {
        let (corrected, repeated) = play(late, late as usize + 3);
        assert!(repeated > 90);
        let [a, b] = [&corrected, &punctual].map(|peer| peer.world().state_hash());
        assert_eq!(a, b, "{late} frames late");
    }
}

#[test]
fn only_kept_frames_can_be_changed() {
    let (world, _) = court();
    let mut rollback = Rollback::new(world, 4);
    let step = |world: &mut World, _: &u32| world.step(DT);
    for input in 0..10 {
        rollback.advance(input, step);
    }
    assert_eq!((rollback.oldest_frame(), rollback.next_frame()), (6, 10));
    assert_eq!((rollback.input(5), rollback.input(6)), (None, Some(&6)));
    let mut refused = |frame| {
        let error = rollback.set_input(frame, 0).unwrap_err();
        (error.frame, error.oldest, error.next)
    };
    assert_eq!(refused(5), (5, 6, 10));
    assert_eq!(refused(10), (10, 6, 10));
    assert_eq!(rollback.repeat(step), 0);
    rollback.set_input(9, 0).unwrap();
    rollback.set_input(7, 0).unwrap();
    assert_eq!(rollback.repeat(step), 3);
    // The frames since a change are repeated before the next one.
    rollback.set_input(6, 0).unwrap();
    rollback.advance(10, step);
    assert_eq!(rollback.oldest_frame(), 7);
}

#[test]
fn rollback_without_frames_only_advances() {
    let (world, _) = court();
    let mut rollback = Rollback::new(world, 0);
    rollback.advance((), |world, ()| world.step(DT));
    assert_eq!((rollback.oldest_frame(), rollback.next_frame()), (1, 1));
}
