//! Islands in a world: records of their loads, and the causes of strain.

use super::LoadTables;
use super::structure::is_slow_to_sweep;
use crate::island::strain::{EVALUATION_INTERVAL, Strain};
use crate::{BodyDef, BodyId, RevoluteJointDef, ShapeDef, World, WorldDef};
use cairn2d_geometry::Polygon;

const DT: f32 = 1.0 / 60.0;

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(DT);
    }
    world.assert_consistent();
}

/// A world with static ground up to y = 0, without sleep.
fn world_with_ground() -> World {
    let mut world = World::new(WorldDef {
        sleeping: false,
        ..WorldDef::default()
    });
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    let floor = Polygon::rectangle(20.0, 1.0);
    world.create_shape(ground, floor, ShapeDef::default());
    world
}

/// A box of 1 m and 1 kg with its center at (x, y).
fn add_box(world: &mut World, x: f32, y: f32) -> BodyId {
    let body = world.create_body(BodyDef::dynamic().position(x, y));
    let shape = Polygon::rectangle(0.5, 0.5);
    world.create_shape(body, shape, ShapeDef::default());
    body
}

/// The boxes of a column at `x`, from the ground up.
fn add_column(world: &mut World, x: f32, count: u32) -> Vec<BodyId> {
    (0..count)
        .map(|i| add_box(world, x, i as f32 + 0.5))
        .collect()
}

fn island_of(world: &World, body: BodyId) -> u32 {
    world.bodies.slots[body.index()].island
}

fn tables_of(world: &mut World) -> LoadTables<'_> {
    world.load_stage(DT).2
}

#[test]
fn rest_loads_go_when_the_load_is_removed() {
    let mut world = world_with_ground();
    let column = add_column(&mut world, 0.0, 6);
    run(&mut world, 10);
    let has_rest_loads = |world: &World| {
        let island = island_of(world, column[0]) as usize;
        world.islands.slots[island].has_rest_loads
    };
    assert!(has_rest_loads(&world));
    for &body in &column[1..] {
        world.destroy_body(body);
    }
    run(&mut world, 240);
    world.body_mut(column[0]).set_pose((0.0, 5.0), 0.0);
    run(&mut world, 20);
    assert!(!has_rest_loads(&world));
}

#[test]
fn loops_of_joints_are_slow_to_sweep_and_trees_are_not() {
    for (is_anchored, is_closed) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut world = World::new(WorldDef::weightless());
        let bodies: Vec<_> = (0..5)
            .map(|i| world.create_body(BodyDef::dynamic().position(i as f32, 0.0)))
            .collect();
        for pair in bodies.windows(2) {
            world.create_joint(RevoluteJointDef::new(pair[0], pair[1]));
        }
        if is_anchored {
            let anchor = world.create_body(BodyDef::static_());
            world.create_joint(RevoluteJointDef::new(anchor, bodies[0]));
        }
        if is_closed {
            world.create_joint(RevoluteJointDef::new(bodies[0], bodies[4]));
        }
        let island = island_of(&world, bodies[0]);
        let is_slow = is_slow_to_sweep(&tables_of(&mut world), island);
        assert_eq!(is_slow, is_closed, "anchored: {is_anchored}");
    }
}

#[test]
fn freed_island_keeps_no_records() {
    let mut world = world_with_ground();
    let body = add_box(&mut world, 0.0, 0.5);
    run(&mut world, 3);
    let island = island_of(&world, body) as usize;
    world.islands.slots[island].links_changed = true;
    world.islands.slots[island].strain.raise();
    world.destroy_body(body);
    let record = &world.islands.slots[island];
    assert!(!record.links_changed);
    assert_eq!(record.strain, Strain::default());
}

#[test]
fn freed_islands_keep_little_memory() {
    // In a churn, every slot came to hold the memory of the largest island.
    const CHURN_BODIES: usize = 256;
    let mut world = World::new(WorldDef::weightless());
    let mut add = |i: usize| world.create_body(BodyDef::dynamic().position(i as f32, 0.0));
    let bodies: Vec<u32> = (0..CHURN_BODIES).map(|i| add(i).index()).collect();
    let mut random = 1_u64;
    let mut pick = || {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        bodies[(random >> 40) as usize % CHURN_BODIES]
    };
    for _ in 0..100 {
        for _ in 0..8 * CHURN_BODIES {
            world.merge_islands(pick(), pick());
        }
        let largest = world.bodies.slots[bodies[0]].island;
        world.split_island(largest);
    }
    let islands = world.islands.slots.iter();
    let room: usize = islands.map(|island| island.bodies.capacity()).sum();
    assert!(room <= 20 * CHURN_BODIES, "{room}");
}

/// A tall column, which is strained.
fn strained_column(world: &mut World) -> Vec<BodyId> {
    let column = add_column(world, 0.0, 40);
    run(world, 60);
    assert!(is_strained(world, column[0]));
    column
}

fn is_strained(world: &World, body: BodyId) -> bool {
    let island = island_of(world, body) as usize;
    world.islands.slots[island].strain.is_strained
}

#[test]
fn body_that_stays_alone_is_not_strained() {
    let mut world = world_with_ground();
    let column = strained_column(&mut world);
    for &body in &column[1..] {
        world.destroy_body(body);
    }
    run(&mut world, 3 * EVALUATION_INTERVAL as usize);
    assert!(!is_strained(&world, column[0]));
}

#[test]
fn column_that_is_thrown_over_is_no_longer_strained() {
    let mut world = world_with_ground();
    let column = strained_column(&mut world);
    for (i, &body) in column.iter().enumerate() {
        world.body_mut(body).set_velocity((0.5 * i as f32, 0.0));
    }
    run(&mut world, 4 * EVALUATION_INTERVAL as usize);
    assert!(!is_strained(&world, column[0]));
}
