//! Islands in a world: records of their loads, and what decides their substep level.

use super::LoadTables;
use super::deflection::LinkStiffness;
use super::substep_choice::{estimate_deflection, may_have_level};
use super::support_depth::SupportLevels;
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
    let floor = Polygon::rectangle(20.0, 1.0).unwrap();
    world.create_shape(ground, floor, ShapeDef::default());
    world
}

/// A box of 1 m and 1 kg with its center at (x, y).
fn add_box(world: &mut World, x: f32, y: f32) -> BodyId {
    let body = world.create_body(BodyDef::dynamic().position(x, y));
    let shape = Polygon::rectangle(0.5, 0.5).unwrap();
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
fn rest_acceleration_falls_when_the_load_is_removed() {
    // An island whose raised push speed never fell again pushed out every later overlap too fast.
    let mut world = world_with_ground();
    let column = add_column(&mut world, 0.0, 6);
    run(&mut world, 10);
    let acceleration = |world: &World| {
        let island = island_of(world, column[0]) as usize;
        world.islands.slots[island].rest_acceleration
    };
    let before = acceleration(&world);
    assert!(before > 10.0, "the column has rest loads: {before}");
    for &body in &column[1..] {
        world.destroy_body(body);
    }
    run(&mut world, 240);
    let after = acceleration(&world);
    assert!(after < 0.25 * before, "{after} of {before}");
    world.body_mut(column[0]).set_pose((0.0, 5.0), 0.0);
    run(&mut world, 20);
    let island = island_of(&world, column[0]) as usize;
    assert!(!world.islands.slots[island].has_rest_loads);
}

#[test]
fn island_without_an_estimate_has_no_support_levels() {
    let mut world = world_with_ground();
    let column = add_column(&mut world, 0.0, 4);
    let single = add_box(&mut world, 10.0, 0.5);
    run(&mut world, 5);
    let islands = [column[0], single].map(|body| island_of(&world, body));
    let stiffness = LinkStiffness {
        contact_rate_sq: 1000.0,
        joint_rate_sq: 4000.0,
        gravity: 10.0,
        mechanisms: crate::mechanisms::Mechanisms::ALL,
    };
    let mut support = SupportLevels::default();
    for (island, levels) in islands.into_iter().zip([4, 0]) {
        let tables = tables_of(&mut world);
        estimate_deflection(&tables, &mut support, &stiffness, island);
        assert_eq!(support.count(), levels);
    }
}

#[test]
fn island_is_a_net_by_its_own_joints() {
    // As many joints elsewhere made a heap of more than a thousand a net.
    const HEAP_BODIES: usize = 1100;
    let mut world = World::new(WorldDef::weightless());
    let mut add = |is_jointed: bool| {
        let bodies: Vec<_> = (0..HEAP_BODIES)
            .map(|i| world.create_body(BodyDef::dynamic().position(i as f32, 0.0)))
            .collect();
        for i in 0..HEAP_BODIES {
            let (a, b) = (bodies[i], bodies[(i + 1) % HEAP_BODIES]);
            if is_jointed {
                world.create_joint(RevoluteJointDef::new(a, b));
            } else {
                world.merge_islands(a.index(), b.index());
            }
        }
        bodies[0]
    };
    let [heap, net] = [add(false), add(true)].map(|body| island_of(&world, body));
    let tables = tables_of(&mut world);
    assert!(!may_have_level(&tables, heap));
    assert!(may_have_level(&tables, net));
}

#[test]
fn freed_island_keeps_no_records() {
    let mut world = world_with_ground();
    let body = add_box(&mut world, 0.0, 0.5);
    run(&mut world, 3);
    let island = island_of(&world, body) as usize;
    world.islands.slots[island].links_changed = true;
    world.islands.slots[island].hysteresis.raise(7);
    world.destroy_body(body);
    let record = &world.islands.slots[island];
    assert!(!record.links_changed);
    assert_eq!(record.hysteresis.target, 0);
}

#[test]
fn pieces_of_a_split_island_share_its_rest_offsets() {
    let mut world = world_with_ground();
    let columns = [0.0, 5.0].map(|x| add_column(&mut world, x, 2)[0]);
    run(&mut world, 30);
    let [a, b] = columns.map(BodyId::index);
    world.merge_islands(a, b);
    for constraint in world.contacts.constraints.iter_mut() {
        for point in &mut constraint.points {
            point.rest_load = -1.0;
        }
    }
    // Sums of both columns are equal, as they are built alike.
    const SUM: f32 = 1.0;
    let island = island_of(&world, columns[0]);
    world.islands.slots[island as usize].rest_offset_sum = SUM;
    world.split_island(island);
    let [rest, of_piece] = columns.map(|body| {
        let island = island_of(&world, body) as usize;
        world.islands.slots[island].rest_offset_sum
    });
    assert!(of_piece > 0.0 && of_piece < 0.5 * SUM, "{of_piece}");
    assert_eq!(rest, SUM - of_piece);
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
