//! State of islands that persists between steps, and the choice of their substep levels.

use super::substeps::Rates;
use crate::body::track_flags;
use crate::contact::constraint::constraint_flags;
use crate::{BodyDef, BodyId, RevoluteJointDef, ShapeDef, Switch, World, WorldDef};
use cairn2d_geometry::math::{PI, point, sin_cos, vec2};
use cairn2d_geometry::{Circle, MassData, Polygon, Segment};

const DT: f32 = 1.0 / 60.0;

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(DT);
    }
    world.validate();
}

/// A world with static ground up to y = 0, without sleep.
fn on_ground(def: WorldDef) -> World {
    let mut world = World::new(WorldDef {
        sleeping: Switch::Off,
        ..def
    });
    let ground = world.create_body(BodyDef::static_().at(0.0, -1.0));
    let floor = Polygon::rectangle(20.0, 1.0).unwrap();
    world.create_shape(ground, floor, ShapeDef::default());
    world
}

/// A box of 1 m and `mass` kg with its center at (x, y).
fn add_box(world: &mut World, x: f32, y: f32, mass: f32) -> BodyId {
    let body = world.create_body(BodyDef::dynamic().at(x, y));
    let shape = Polygon::rectangle(0.5, 0.5).unwrap();
    world.create_shape(body, shape, ShapeDef::default().density(mass));
    body
}

fn island_of(world: &World, body: BodyId) -> u32 {
    world.bodies.slots[body.index()].island
}

const RATES: Rates = Rates {
    contact_sq: 1000.0,
    joint_sq: 4000.0,
    gravity: 10.0,
};

#[test]
fn rest_loads_end_with_the_bodies_that_caused_them() {
    // An island whose raised push speed never came down again pushed out every later overlap too fast.
    let mut world = on_ground(WorldDef::default());
    let column: Vec<_> = (0..6)
        .map(|i| add_box(&mut world, 0.0, i as f32 + 0.5, 1.0))
        .collect();
    run(&mut world, 10);
    let acceleration = |world: &World| {
        let island = island_of(world, column[0]) as usize;
        world.islands.slots[island].rest_acceleration
    };
    let before = acceleration(&world);
    assert!(before > 10.0, "loads were propagated: {before}");
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
fn island_without_evaluation_has_no_support_levels() {
    let mut world = on_ground(WorldDef::default());
    let column: Vec<_> = (0..4)
        .map(|i| add_box(&mut world, 0.0, i as f32 + 0.5, 1.0))
        .collect();
    let alone = add_box(&mut world, 10.0, 0.5, 1.0);
    run(&mut world, 5);
    world.expected_yield(island_of(&world, column[0]), &RATES);
    assert_eq!(world.scratch.levels.count(), 4);
    world.expected_yield(island_of(&world, alone), &RATES);
    assert_eq!(world.scratch.levels.count(), 0);
}

#[test]
fn set_mass_updates_contacts_of_high_mass_ratio() {
    let mut world = on_ground(WorldDef::default());
    add_box(&mut world, 0.0, 0.5, 1.0);
    let upper = add_box(&mut world, 0.0, 1.5, 1.0);
    run(&mut world, 5);
    assert!(world.steep.is_empty());
    let heavy = MassData {
        mass: 1000.0,
        center: point(0.0, 0.0),
        inertia: 170.0,
    };
    world.body_mut(upper).set_mass(Some(heavy));
    run(&mut world, 1);
    assert!(!world.steep.is_empty());
    world.body_mut(upper).set_mass(None);
    run(&mut world, 1);
    assert!(world.steep.is_empty());
}

#[test]
fn island_is_a_net_by_its_own_joints() {
    // An equal number of joints elsewhere made a pile of more than a thousand bodies a net.
    const BODIES: usize = 1100;
    let mut world = World::new(WorldDef::weightless());
    let mut add = |joined: bool| {
        let bodies: Vec<_> = (0..BODIES)
            .map(|i| world.create_body(BodyDef::dynamic().at(i as f32, 0.0)))
            .collect();
        for i in 0..BODIES {
            let (a, b) = (bodies[i], bodies[(i + 1) % BODIES]);
            if joined {
                world.create_joint(RevoluteJointDef::new(a, b));
            } else {
                world.merge_islands(a.index(), b.index());
            }
        }
        bodies[0]
    };
    let (heap, net) = (add(false), add(true));
    assert!(!world.may_double(island_of(&world, heap)));
    assert!(world.may_double(island_of(&world, net)));
}

#[test]
fn heavy_impact_does_not_depend_on_contacts_deferred_in_the_last_step() {
    let mut world = on_ground(WorldDef::default());
    let light = add_box(&mut world, 0.0, 0.5, 1.0);
    let heavy = add_box(&mut world, 0.0, 1.5, 1000.0);
    run(&mut world, 30);
    world.body_mut(heavy).set_velocity(vec2(0.0, -10.0));
    let mut marked = world.clone();
    // The marks that a step leaves in which the light box hit the ground.
    for contact in marked.bodies.slots[light.index()].contacts.clone() {
        if !marked.steep_contains(contact) {
            marked.contacts.constraints[contact as usize].flags |= constraint_flags::DEFERRED;
        }
    }
    marked.bodies.tracks[light.index() as usize].flags |= track_flags::HAS_DEFERRED_CONTACTS;
    run(&mut world, 1);
    run(&mut marked, 1);
    assert_eq!(world.state_hash(), marked.state_hash());
}

#[test]
fn freed_island_is_reset() {
    let mut world = on_ground(WorldDef::default());
    let body = add_box(&mut world, 0.0, 0.5, 1.0);
    run(&mut world, 3);
    let island = island_of(&world, body);
    let record = &mut world.islands.slots[island as usize];
    (record.changed, record.nearest_wish) = (true, 7);
    world.destroy_body(body);
    let record = &world.islands.slots[island as usize];
    assert_eq!((record.changed, record.nearest_wish), (false, 0));
}

#[test]
fn pieces_share_the_rest_offset_of_their_island() {
    let mut world = on_ground(WorldDef::default());
    let boxes = [0.0, 5.0].map(|x| {
        let lower = add_box(&mut world, x, 0.5, 1.0);
        add_box(&mut world, x, 1.5, 1.0);
        lower
    });
    run(&mut world, 30);
    let [a, b] = boxes.map(|body| body.index());
    world.merge_islands(a, b);
    let island = island_of(&world, boxes[0]);
    for contact in 0..world.contacts.constraints.len() {
        for point in &mut world.contacts.constraints[contact].points {
            point.rest_load = -1.0;
        }
    }
    let dt_of_last = world.history.last_h * 4.0;
    let all = world.spared_of(island, dt_of_last);
    assert!(all > 0.0);
    world.islands.slots[island as usize].spared = all;
    world.split_island(island);
    let parts = boxes.map(|body| {
        let island = island_of(&world, body) as usize;
        world.islands.slots[island].spared
    });
    assert!(
        (parts[0] - 0.5 * all).abs() < 1.0e-3 * all,
        "{parts:?} of {all}"
    );
    assert!(
        (parts[1] - 0.5 * all).abs() < 1.0e-3 * all,
        "{parts:?} of {all}"
    );
}

#[test]
fn internal_edge_tests_of_a_body_on_many_segments_are_bounded() {
    const SEGMENTS: usize = 400;
    const RADIUS: f32 = 50.0;
    let mut world = World::new(WorldDef::weightless());
    let bowl = world.create_body(BodyDef::static_());
    let corner = |i: usize| {
        let (sin, cos) = sin_cos(PI + PI * i as f32 / SEGMENTS as f32);
        point(RADIUS * cos, RADIUS * sin)
    };
    for i in 0..SEGMENTS {
        let segment = Segment::new(corner(i), corner(i + 1)).unwrap();
        world.create_shape(bowl, segment, ShapeDef::default());
    }
    let ball = world.create_body(BodyDef::dynamic());
    let shape = Circle::new(point(0.0, 0.0), RADIUS).unwrap();
    world.create_shape(ball, shape, ShapeDef::default());
    let before = super::seams::tests::PAIRS.get();
    world.step(DT);
    let contacts = world.bodies.slots[ball.index()].static_touches as usize;
    assert!(contacts > 300, "{contacts}");
    let pairs = super::seams::tests::PAIRS.get() - before;
    assert!(pairs > 0 && pairs <= 1 << 16, "{pairs}");
}

#[test]
fn freed_islands_keep_little_memory() {
    // After long churn every slot had the memory of the largest island.
    const BODIES: usize = 256;
    let mut world = World::new(WorldDef::weightless());
    let bodies: Vec<_> = (0..BODIES)
        .map(|i| {
            world
                .create_body(BodyDef::dynamic().at(i as f32, 0.0))
                .index()
        })
        .collect();
    let mut random = 1_u64;
    let mut pick = || {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        bodies[(random >> 40) as usize % BODIES]
    };
    for _ in 0..100 {
        for _ in 0..8 * BODIES {
            world.merge_islands(pick(), pick());
        }
        let largest = world.bodies.slots[bodies[0]].island;
        world.split_island(largest);
    }
    let islands = world.islands.slots.iter();
    let room: usize = islands.map(|island| island.bodies.capacity()).sum();
    assert!(room <= 20 * BODIES, "{room}");
}
