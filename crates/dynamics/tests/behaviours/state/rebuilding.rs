//! A world that was emptied and filled again by the same calls takes the same course as a new one.

use crate::support::*;
use cairn2d_broadphase::BroadPhaseKind;
use cairn2d_dynamics::{
    BodyDef, BodyId, BodyKind, JointBaseDef, JointFrame, RevoluteJointDef, ShapeDef, Spring, Tile,
    WeldJointDef, World, WorldDef,
};
use cairn2d_geometry::{ChainKind, TileCells};

/// Adds a scene to the world and returns its bodies in order of creation.
type Scene = fn(&mut World) -> Vec<BodyId>;

const SCENES: [(&str, Scene); 8] = [
    ("disks", disks),
    ("jointed stacks", jointed_stacks),
    ("sensors", sensors),
    ("chains", chains),
    ("bullets", bullets),
    ("bouncing", bouncing),
    ("tile grid", tiles),
    ("overlapping", overlapping),
];

fn disks(world: &mut World) -> Vec<BodyId> {
    let mut bodies = vec![ground(world)];
    for x in [-4.0, 4.0] {
        bodies.push(solid(
            world,
            BodyDef::static_().position(x, 4.0),
            rect(0.5, 4.0),
        ));
    }
    let mut random = Random::new(5);
    for i in 0..40 {
        let (x, y) = (random.range(-3.0, 3.0), 0.5 + 0.4 * i as f32);
        bodies.push(ball_at(world, x, y, random.range(0.15, 0.4)));
    }
    bodies
}

fn jointed_stacks(world: &mut World) -> Vec<BodyId> {
    let mut bodies = vec![ground(world)];
    bodies.extend(jointed_columns(world));
    bodies
}

/// Columns on springs and welds, and a heavy box that falls on them.
fn jointed_columns(world: &mut World) -> Vec<BodyId> {
    let mut bodies = Vec::new();
    for x in [-2.0, 0.3, 2.0] {
        let boxes = column(world, x, 6);
        for pair in boxes.windows(2).step_by(2) {
            let base = JointBaseDef {
                frame_a: JointFrame::at(0.4, 0.5),
                frame_b: JointFrame::at(0.4, -0.5),
                ..JointBaseDef::new(pair[0], pair[1])
            };
            if x > 0.0 {
                world.create_joint(RevoluteJointDef {
                    base,
                    limit: None,
                    motor: None,
                    spring: Some(Spring::new(2.0, 0.3)),
                });
            } else {
                world.create_joint(WeldJointDef {
                    base,
                    ..WeldJointDef::new(pair[0], pair[1])
                });
            }
        }
        bodies.extend(boxes);
    }
    let heavy = BodyDef::dynamic().position(0.1, 9.0).velocity(1.0, -4.0);
    bodies.push(add(
        world,
        heavy,
        rect(0.6, 0.6),
        ShapeDef::default().density(40.0),
    ));
    bodies
}

fn sensors(world: &mut World) -> Vec<BodyId> {
    let mut bodies = vec![ground(world)];
    let zone = BodyDef::static_().position(0.0, 1.0);
    bodies.push(add(world, zone, rect(3.0, 1.0), ShapeDef::sensor()));
    let lift = BodyDef::kinematic().position(2.0, 0.5).velocity(-0.7, 0.3);
    bodies.push(add(world, lift, rect(1.0, 0.3), ShapeDef::sensor()));
    for i in 0..12 {
        bodies.push(crate_at(world, 0.3 * (i % 5) as f32, 1.0 + i as f32, 0.3));
    }
    bodies
}

fn chains(world: &mut World) -> Vec<BodyId> {
    let hills = world.create_body(BodyDef::static_());
    let mut points = vec![];
    for i in 0..30 {
        points.push((15.0 - i as f32, 0.4 * sine(i as f32)));
    }
    add_chain(world, hills, &points, ChainKind::Open);
    let mut bodies = vec![hills];
    for i in 0..15 {
        let def = BodyDef::dynamic().position(-6.0 + 0.8 * i as f32, 2.0 + 0.3 * (i % 4) as f32);
        bodies.push(solid(world, def.angle(0.2 * i as f32), capsule(0.3, 0.2)));
    }
    // A rope of links between two posts.
    let mut previous = hills;
    for i in 0..10 {
        let def = BodyDef::dynamic().position(-5.0 + i as f32, 6.0);
        let link = solid(world, def, capsule(0.4, 0.1));
        let at = (-5.5 + i as f32, 6.0);
        let joint = RevoluteJointDef::new(previous, link).at(world, at);
        world.create_joint(joint);
        bodies.push(link);
        previous = link;
    }
    bodies
}

fn bullets(world: &mut World) -> Vec<BodyId> {
    let mut bodies = vec![ground(world)];
    let wall = BodyDef::static_().position(8.0, 5.0);
    bodies.push(solid(world, wall, rect(0.05, 5.0)));
    bodies.extend(column(world, 5.0, 5));
    for i in 0..8 {
        let def = BodyDef::dynamic().position(-10.0 - i as f32, 0.7 + 0.6 * i as f32);
        let def = def.velocity(200.0, 10.0).bullet();
        bodies.push(solid(world, def, disc(0.1)));
    }
    bodies
}

fn bouncing(world: &mut World) -> Vec<BodyId> {
    let rubber = ShapeDef::default().restitution(0.8);
    let mut bodies = vec![ground_of(world, rubber)];
    for i in 0..20 {
        let def = BodyDef::dynamic().position(0.6 * (i % 5) as f32, 1.0 + 0.9 * i as f32);
        bodies.push(add(world, def, rect(0.2, 0.3), rubber));
    }
    bodies
}

fn tiles(world: &mut World) -> Vec<BodyId> {
    let tile = |column: usize, row: usize| match row {
        0 => Tile::Solid,
        1 if column % 7 < 3 => Tile::Solid,
        4 if column % 9 == 4 => Tile::OneWay,
        _ => Tile::Empty,
    };
    let size = [40, 10];
    let tiles: Vec<Tile> = (0..400).map(|cell| tile(cell % 40, cell / 40)).collect();
    let cells = TileCells {
        tiles: &tiles,
        size,
    };
    let level = world.create_body(BodyDef::static_().position(-10.0, -1.0));
    for piece in cells.surface(&(0..size[0]), &(0..size[1]), 0.5) {
        world.create_shape(level, piece, ShapeDef::default());
    }
    let mut bodies = vec![level];
    for i in 0..20 {
        let def = BodyDef::dynamic().position(-8.0 + 0.8 * i as f32, 2.0 + 0.2 * (i % 3) as f32);
        bodies.push(solid(
            world,
            def.velocity(2.0, 0.0).angle(0.3 * i as f32),
            rect(0.3, 0.2),
        ));
    }
    bodies
}

/// Bodies created in overlap, which depenetration separates.
fn overlapping(world: &mut World) -> Vec<BodyId> {
    let mut bodies = vec![ground(world)];
    for i in 0..25 {
        bodies.push(crate_at(
            world,
            0.35 * (i % 5) as f32,
            0.4 + 0.35 * (i / 5) as f32,
            0.4,
        ));
    }
    bodies
}

/// Poses and velocities of bodies after a step, and the pairs that began to touch in it.
type Frame = (Vec<[u64; 4]>, Vec<[u32; 2]>);

fn frame(world: &World, bodies: &[BodyId]) -> Frame {
    let bits = |&id: &BodyId| {
        let body = world.body(id);
        let (place, turn, v) = (body.position_exact(), body.rotation(), body.velocity());
        let pair = |a: f32, b: f32| u64::from(a.to_bits()) << 32 | u64::from(b.to_bits());
        let spin = body.angular_velocity();
        [
            place.x.to_bits(),
            place.y.to_bits(),
            pair(turn.re, turn.im),
            pair(v.x, v.y) ^ u64::from(spin.to_bits()),
        ]
    };
    let begins = world.contact_begins().iter();
    let sensed = world.sensor_begins().iter();
    let touched = begins.map(|begin| [begin.body_a.index(), begin.body_b.index()]);
    let entered = sensed.map(|begin| [begin.sensor.index(), begin.visitor.index()]);
    (
        bodies.iter().map(bits).collect(),
        touched.chain(entered).collect(),
    )
}

/// Builds the scene and steps it; returns its bodies and the frames.
fn course(world: &mut World, scene: Scene, steps: usize) -> (Vec<BodyId>, Vec<Frame>) {
    let bodies = scene(world);
    let frames = (0..steps).map(|_| {
        world.step(DT);
        frame(world, &bodies)
    });
    let frames = frames.collect();
    world.assert_consistent();
    (bodies, frames)
}

/// Ways to empty a world.
#[derive(Clone, Copy, Debug)]
enum Emptied {
    AtOnce,
    AsCreated,
    Backward,
    Shuffled,
}

const WAYS: [Emptied; 4] = [
    Emptied::AtOnce,
    Emptied::AsCreated,
    Emptied::Backward,
    Emptied::Shuffled,
];

fn empty(world: &mut World, mut bodies: Vec<BodyId>, how: Emptied) {
    match how {
        Emptied::AtOnce => world.clear(),
        Emptied::AsCreated => {}
        Emptied::Backward => bodies.reverse(),
        Emptied::Shuffled => shuffle(&mut bodies),
    }
    for body in bodies {
        world.destroy_body(body);
    }
}

fn shuffle(bodies: &mut [BodyId]) {
    let mut random = Random::new(9);
    for i in (1..bodies.len()).rev() {
        bodies.swap(i, random.range(0.0, i as f32 + 0.99) as usize);
    }
}

#[track_caller]
fn assert_same_course(expected: &[Frame], found: &[Frame], what: &str) {
    let step = expected.iter().zip(found).position(|(a, b)| a != b);
    assert_eq!(step, None, "{what}: first step that differs");
}

#[test]
fn emptied_world_that_is_built_again_takes_the_same_course() {
    for (name, scene) in SCENES {
        let (_, expected) = course(&mut world(), scene, 150);
        for how in WAYS {
            let mut world = world();
            let (first, _) = course(&mut world, scene, 150);
            empty(&mut world, first.clone(), how);
            assert_eq!(world.body_count() + world.shape_count(), 0);
            let (second, found) = course(&mut world, scene, 150);
            assert_same_course(&expected, &found, &format!("{name}, {how:?}"));
            for (a, b) in first.iter().zip(&second) {
                assert_eq!(a.index(), b.index());
                assert!(world.get_body(*a).is_none(), "old ids remain stale");
            }
        }
    }
}

/// The course depends neither on the scene that the world held before, nor on steps of the empty world.
#[test]
fn emptied_world_takes_the_course_of_a_new_one_after_any_other_scene() {
    let mut used = world();
    for (i, (name, scene)) in SCENES.iter().enumerate() {
        let (_, expected) = course(&mut world(), *scene, 120);
        let (bodies, found) = course(&mut used, *scene, 120);
        assert_same_course(&expected, &found, name);
        empty(&mut used, bodies, WAYS[i % WAYS.len()]);
        if i % 2 == 0 {
            run(&mut used, 3);
        }
    }
}

#[test]
fn emptied_world_takes_the_same_course_with_each_broad_phase() {
    let kinds = [
        BroadPhaseKind::Tree,
        BroadPhaseKind::SweepAndPrune,
        BroadPhaseKind::Grid,
    ];
    for broad_phase in kinds {
        let empty_world = || {
            World::new(WorldDef {
                broad_phase,
                ..WorldDef::default()
            })
        };
        for (name, scene) in [SCENES[0], SCENES[4]] {
            let (_, expected) = course(&mut empty_world(), scene, 120);
            let mut world = empty_world();
            let (bodies, _) = course(&mut world, scene, 120);
            empty(&mut world, bodies, Emptied::Shuffled);
            let (_, found) = course(&mut world, scene, 120);
            assert_same_course(&expected, &found, &format!("{name}, {broad_phase:?}"));
        }
    }
}

/// A reset that keeps the level and replaces what moves.
#[test]
fn moving_bodies_that_are_built_again_on_the_same_level_take_the_same_course() {
    fn actors(world: &mut World) -> Vec<BodyId> {
        let mut bodies = column(world, 6.0, 5);
        bodies.extend(jointed_columns(world));
        for i in 0..12 {
            bodies.push(ball_at(world, 4.0 + 0.5 * i as f32, 6.0, 0.3));
        }
        bodies
    }
    let mut world = world();
    ground(&mut world);
    let (mut bodies, expected) = course(&mut world, actors, 150);
    for how in [Emptied::AsCreated, Emptied::Backward, Emptied::Shuffled] {
        empty(&mut world, bodies, how);
        let (again, found) = course(&mut world, actors, 150);
        assert_same_course(&expected, &found, &format!("{how:?}"));
        bodies = again;
    }
}

/// A clone and a loaded save of an emptied world, and of one that is half rebuilt, continue as the world itself.
#[test]
fn clone_and_save_of_an_emptied_world_take_the_same_course() {
    for (name, scene) in SCENES {
        let mut world = world();
        let (bodies, _) = course(&mut world, scene, 60);
        empty(&mut world, bodies, Emptied::Shuffled);
        let mut loaded = World::load(&world.save()).unwrap();
        let mut clone = world.clone();
        assert_eq!(loaded.state_hash(), world.state_hash(), "{name}");
        let (bodies, expected) = course(&mut world, scene, 60);
        for other in [&mut loaded, &mut clone] {
            let (_, found) = course(other, scene, 60);
            assert_same_course(&expected, &found, name);
            assert_eq!(other.state_hash(), world.state_hash(), "{name}");
        }
        // With some slots free in between.
        for &body in bodies.iter().skip(1).step_by(3) {
            if world.body(body).kind() == BodyKind::Dynamic {
                world.destroy_body(body);
            }
        }
        let mut loaded = World::load(&world.save()).unwrap();
        for other in [&mut loaded, &mut world] {
            for i in 0..7 {
                ball_at(other, 0.2 * i as f32, 12.0 + i as f32, 0.3);
            }
            run(other, 60);
        }
        assert_eq!(loaded.state_hash(), world.state_hash(), "{name}");
    }
}

#[test]
fn lowest_free_slot_is_used_first() {
    let mut world = world();
    let bodies: Vec<_> = (0..200)
        .map(|_| world.create_body(BodyDef::dynamic()))
        .collect();
    for i in [150, 3, 70, 4] {
        world.destroy_body(bodies[i]);
    }
    for slot in [3, 4, 70, 150, 200] {
        assert_eq!(world.create_body(BodyDef::dynamic()).index(), slot);
    }
}
