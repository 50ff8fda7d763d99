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

/// A world, a map that holds its ids, and what the game counts.
#[derive(Clone)]
struct Mine {
    world: World,
    map: TileGrid,
    dug: u32,
}

fn dig(mine: &mut Mine, column: &Option<usize>) {
    if let Some(column) = *column {
        mine.map.set([column, 1], Tile::Empty);
        mine.dug += 1;
    }
    mine.map.update(&mut mine.world);
    mine.world.step(DT);
}

fn mine() -> (Mine, BodyId) {
    let mut world = World::default();
    let mut map = TileGrid::from_text("####\n####", 1.0);
    map.update(&mut world);
    let ball = world.create_body(BodyDef::dynamic().position(1.5, 2.4));
    world.create_shape(ball, Circle::of_radius(0.4), ShapeDef::default());
    (Mine { world, map, dug: 0 }, ball)
}

#[test]
fn state_beside_the_world_goes_back_with_it() {
    let (start, ball) = mine();
    let mut late = Rollback::new(start.clone(), 80);
    let mut punctual = Rollback::new(start, 80);
    for frame in 0..70 {
        late.advance(None, dig);
        punctual.advance((frame == 4).then_some(1), dig);
    }
    assert!(late.state().world.body(ball).position().y > 2.39);
    late.set_input(4, Some(1)).unwrap();
    // Not right before they are repeated.
    assert!(late.before(4).is_some() && late.before(5).is_none());
    late.repeat(dig);
    let [a, b] = [&late, &punctual].map(Rollback::state);
    assert_eq!((a.dug, a.world.state_hash()), (1, b.world.state_hash()));
    assert!((a.world.body(ball).position().y - 1.4).abs() < 0.01);
    for frame in [0, 4, 5, 69, 70] {
        let hash =
            |game: &Rollback<_, Mine>| game.before(frame).map(|mine| mine.world.state_hash());
        assert!(
            hash(&late).is_some() && hash(&late) == hash(&punctual),
            "{frame}"
        );
    }
    assert!(late.before(71).is_none());
}

/// A frame in which the game panicked is made up for by the next call, and no correction is lost.
#[test]
fn panic_of_a_frame_loses_no_correction() {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    let (start, _) = mine();
    let mut tried = Rollback::new(start.clone(), 20);
    let mut untroubled = Rollback::new(start, 20);
    // Fails half way.
    let fails = |mine: &mut Mine, column: &Option<usize>| {
        mine.dug += 100;
        panic!("the game fails at {column:?}");
    };
    for _ in 0..8 {
        tried.advance(None, dig);
        untroubled.advance(None, dig);
    }
    for game in [&mut tried, &mut untroubled] {
        game.set_input(2, Some(1)).unwrap();
    }
    for _ in 0..2 {
        let caught = catch_unwind(AssertUnwindSafe(|| tried.repeat(fails)));
        assert!(caught.is_err() && tried.before(8).is_none());
    }
    assert_eq!(tried.repeat(dig), 6);
    let caught = catch_unwind(AssertUnwindSafe(|| tried.advance(Some(2), fails)));
    assert!(caught.is_err());
    assert_eq!(tried.next_frame(), 9);
    assert_eq!(tried.repeat(dig), 1);
    untroubled.advance(Some(2), dig);
    let [a, b] = [&tried, &untroubled].map(Rollback::state);
    assert_eq!((a.dug, a.world.state_hash()), (2, b.world.state_hash()));
}

#[test]
fn rollback_without_frames_only_advances() {
    let (world, _) = court();
    let mut rollback = Rollback::new(world, 0);
    rollback.advance((), |world, ()| world.step(DT));
    assert_eq!((rollback.oldest_frame(), rollback.next_frame()), (1, 1));
}
