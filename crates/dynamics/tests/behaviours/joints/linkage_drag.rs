//! Drag of linkages: what hangs comes to rest, pendulums swing on.

use cairn2d_dynamics::{
    BodyDef, BodyId, DistanceJointDef, JointFrame, Motor, PrismaticJointDef, RevoluteJointDef,
    ShapeDef, WeldJointDef, World, WorldDef,
};
use cairn2d_geometry::math::{point, sin_cos, vec2};
use cairn2d_geometry::{Capsule, Circle};

const SECOND: usize = 60;

fn world_with_drag(drag: f32) -> World {
    let mut def = WorldDef::default();
    def.tuning.linkage_drag = drag;
    World::new(def)
}

fn world() -> World {
    World::new(WorldDef::default())
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(1.0 / 60.0);
    }
}

/// Links of 0.25 m from (0, 0) in the direction `angle`, each pinned to the one before, the first to `anchor`.
fn chain(world: &mut World, anchor: BodyId, count: usize, angle: f32) -> Vec<BodyId> {
    let (s, c) = sin_cos(angle);
    let mut before = (anchor, JointFrame::at(0.0, 0.0));
    (0..count)
        .map(|i| {
            let along = 0.25 * (i as f32 + 0.5);
            let def = BodyDef::dynamic()
                .position(along * c, along * s)
                .angle(angle);
            let link = world.create_body(def);
            let shape = Capsule::new(point(-0.1, 0.0), point(0.1, 0.0), 0.03);
            world.create_shape(link, shape, ShapeDef::default());
            let mut joint = RevoluteJointDef::new(before.0, link);
            (joint.base.frame_a, joint.base.frame_b) = (before.1, JointFrame::at(-0.125, 0.0));
            world.create_joint(joint);
            before = (link, JointFrame::at(0.125, 0.0));
            link
        })
        .collect()
}

/// A bridge of planks along x, slightly sagging, pinned to two static bodies.
fn bridge(world: &mut World, count: usize) -> Vec<BodyId> {
    let left = world.create_body(BodyDef::static_());
    let planks = chain(world, left, count, 0.0);
    let right = world.create_body(BodyDef::static_().position(0.245 * count as f32, 0.0));
    let mut joint = RevoluteJointDef::new(planks[count - 1], right);
    joint.base.frame_a = JointFrame::at(0.125, 0.0);
    world.create_joint(joint);
    planks
}

/// A net of rods between bodies 0.25 m apart, which hangs from its upper corners.
fn net(world: &mut World, rows: usize) -> Vec<BodyId> {
    let frame = world.create_body(BodyDef::static_());
    let place = |i: usize| (0.25 * (i % rows) as f32, -0.25 * (i / rows) as f32);
    let nodes: Vec<BodyId> = (0..rows * rows)
        .map(|i| {
            let (x, y) = place(i);
            disk_at(world, x, y)
        })
        .collect();
    let rod = |world: &mut World, a: (BodyId, usize), b: (BodyId, usize)| {
        let def = DistanceJointDef::new(a.0, b.0).between(world, place(a.1), place(b.1));
        world.create_joint(def);
    };
    for i in 0..nodes.len() {
        if i % rows > 0 {
            rod(world, (nodes[i - 1], i - 1), (nodes[i], i));
        }
        if i >= rows {
            rod(world, (nodes[i - rows], i - rows), (nodes[i], i));
        }
    }
    for corner in [0, rows - 1] {
        let (x, y) = place(corner);
        world.create_joint(RevoluteJointDef::new(frame, nodes[corner]).at(world, (x, y)));
    }
    nodes
}

fn disk_at(world: &mut World, x: f32, y: f32) -> BodyId {
    let body = world.create_body(BodyDef::dynamic().position(x, y));
    world.create_shape(body, Circle::of_radius(0.05), ShapeDef::default());
    body
}

fn fastest(world: &World, bodies: &[BodyId]) -> f32 {
    let speed = |&body: &BodyId| world.body(body).velocity().norm();
    bodies.iter().map(speed).fold(0.0, f32::max)
}

fn assert_rests(name: &str, world: &mut World, bodies: &[BodyId]) {
    run(world, 15 * SECOND);
    let speed = fastest(world, bodies);
    assert!(speed < 0.02, "{name}: {speed} m/s");
    run(world, 5 * SECOND);
    assert!(!world.body(bodies[0]).is_awake(), "{name} is awake");
}

#[test]
fn hanging_chains_bridges_and_nets_come_to_rest_and_sleep() {
    for count in [16, 30, 60] {
        for angle in [-1.07, -0.5] {
            let mut world = world();
            let anchor = world.create_body(BodyDef::static_());
            let links = chain(&mut world, anchor, count, angle);
            assert_rests(
                &format!("chain of {count} from {angle}"),
                &mut world,
                &links,
            );
        }
        let mut world = world();
        let planks = bridge(&mut world, count);
        assert_rests(&format!("bridge of {count}"), &mut world, &planks);
    }
    let mut world = world();
    let nodes = net(&mut world, 8);
    assert_rests("net", &mut world, &nodes);
}

/// Returns the states of the bodies after some seconds, with and without drag.
fn with_and_without(
    seconds: usize,
    build: impl Fn(&mut World) -> Vec<BodyId>,
) -> [Vec<[f32; 6]>; 2] {
    [0.0, WorldDef::default().tuning.linkage_drag].map(|drag| {
        let mut world = world_with_drag(drag);
        let bodies = build(&mut world);
        run(&mut world, seconds * SECOND);
        let state = |&body: &BodyId| {
            let body = world.body(body);
            let (place, velocity) = (body.position(), body.velocity());
            let [x, y] = [place.x, place.y];
            [
                x,
                y,
                body.angle(),
                velocity.x,
                velocity.y,
                body.angular_velocity(),
            ]
        };
        bodies.iter().map(state).collect()
    })
}

#[test]
fn pendulums_of_up_to_four_bodies_have_no_drag() {
    for count in 1..=4 {
        let [without, with] = with_and_without(5, |world| {
            let anchor = world.create_body(BodyDef::static_());
            chain(world, anchor, count, 0.0)
        });
        assert_eq!(without, with, "{count} bodies");
    }
}

#[test]
fn what_hangs_from_nothing_falls_freely() {
    let [without, with] = with_and_without(2, |world| {
        let first = disk_at(world, 0.0, 0.0);
        let mut links = chain(world, first, 20, 0.3);
        links.push(first);
        world.body_mut(first).set_velocity(vec2(3.0, 4.0));
        links
    });
    assert_eq!(without, with);
}

#[test]
fn driven_linkages_have_no_drag() {
    let [without, with] = with_and_without(2, |world| {
        let anchor = world.create_body(BodyDef::static_());
        let links = chain(world, anchor, 20, 0.3);
        let wheel = disk_at(world, 3.0, 5.0);
        let mut joint = RevoluteJointDef::new(links[0], wheel).at(world, (3.0, 5.0));
        joint.motor = Some(Motor::new(1.0, 1.0));
        world.create_joint(joint);
        links
    });
    assert_eq!(without, with);
}

#[test]
fn what_turns_with_its_anchor_goes_on() {
    // A chain that stands out from a turntable, without weight.
    let mut world = World::new(WorldDef::weightless());
    let table = BodyDef::kinematic()
        .velocity(1.0, 0.0)
        .angular_velocity(2.0);
    let table = world.create_body(table);
    let links = chain(&mut world, table, 20, 0.0);
    for (i, &link) in links.iter().enumerate() {
        let away = 0.25 * (i as f32 + 0.5);
        let mut body = world.body_mut(link);
        body.set_velocity(vec2(1.0, 2.0 * away));
        body.set_angular_velocity(2.0);
    }
    run(&mut world, 3 * SECOND);
    let center = world.body(table).position();
    let last = world.body(links[19]);
    let place = last.position();
    let away = vec2(place.x - center.x, place.y - center.y).norm();
    assert!((away - 4.875).abs() < 0.01, "{away}");
    assert!((last.angular_velocity() - 2.0).abs() < 0.02);
}

#[test]
fn drag_has_its_rate() {
    // A train on a level rail: all velocities fall alike.
    let mut world = world();
    let rail = world.create_body(BodyDef::static_());
    let mut last = None;
    for i in 0..7 {
        let x = i as f32;
        let def = BodyDef::dynamic().position(x, 0.0).velocity(1.0, 0.0);
        let wagon = world.create_body(def);
        world.create_shape(wagon, Circle::of_radius(0.2), ShapeDef::default());
        match last {
            None => {
                let rail = PrismaticJointDef::new(rail, wagon);
                world.create_joint(rail.at(&world, (0.0, 0.0), (1.0, 0.0)));
            }
            Some(last) => {
                let weld = WeldJointDef::new(last, wagon).at(&world, (x - 0.5, 0.0));
                world.create_joint(weld);
            }
        }
        last = Some(wagon);
    }
    run(&mut world, SECOND);
    // Of the 6 bodies from 4 to 10 half: half of the rate.
    let rate = 0.5 * WorldDef::default().tuning.linkage_drag;
    let expected = (0..SECOND).fold(1.0, |speed, _| speed / (1.0 + rate / 60.0));
    let speed = world.body(last.unwrap()).velocity().x;
    assert!((speed - expected).abs() < 0.01, "{speed}, not {expected}");
}

/// Releases a chain with a ball of `ratio` times a link's mass from the horizontal; returns how deep the ball has fallen after
/// a time \[s\], and how high it has risen on the other side in a swing, both relative to the depth of the chain.
fn swing_of_a_load(count: usize, ratio: f32, time: f32) -> (f32, f32) {
    let mut world = world();
    let anchor = world.create_body(BodyDef::static_());
    let links = chain(&mut world, anchor, count, 0.0);
    let length = 0.25 * count as f32;
    let ball = world.create_body(BodyDef::dynamic().position(length, 0.0));
    let density = ratio * world.body(links[0]).mass() / (core::f32::consts::PI * 0.04);
    let def = ShapeDef::default().density(density);
    world.create_shape(ball, Circle::of_radius(0.2), def);
    let joint = RevoluteJointDef::new(links[count - 1], ball).at(&world, (length, 0.0));
    world.create_joint(joint);
    let height = |world: &World| world.body(ball).position().y / length;
    run(&mut world, (60.0 * time) as usize);
    let fallen = -height(&world);
    let mut risen = f32::NEG_INFINITY;
    for _ in 0..8 * SECOND {
        run(&mut world, 1);
        if world.body(ball).position().x < 0.0 {
            risen = risen.max(1.0 + height(&world));
        }
    }
    (fallen, risen)
}

/// It sank as through honey: in 4 s to the bottom, where it stayed.
#[test]
fn load_on_a_rope_falls_and_swings() {
    for (count, ratio) in [(20, 100.0), (12, 30.0), (30, 300.0), (20, 10.0)] {
        // A pendulum from the horizontal is at its lowest after 1.85 times the root of length over gravity.
        let quarter = 1.85 * (0.25 * count as f32 / 9.81).sqrt();
        let (fallen, risen) = swing_of_a_load(count, ratio, quarter);
        assert!(fallen > 0.9, "{count} links, {ratio}: {fallen}");
        assert!(risen > 0.5, "{count} links, {ratio}: {risen}");
    }
}

/// Without gravity nothing hangs: a windmill went from 20 to 0.86 rad/s in five seconds.
#[test]
fn weightless_linkage_has_no_drag() {
    for (blades, spin) in [(6, 2.0), (10, 20.0)] {
        let mut world = World::new(WorldDef::weightless());
        let anchor = world.create_body(BodyDef::static_());
        let hub = world.create_body(BodyDef::dynamic().angular_velocity(spin));
        world.create_shape(hub, Circle::of_radius(0.3), ShapeDef::default());
        world.create_joint(RevoluteJointDef::new(anchor, hub));
        for i in 0..blades {
            let (s, c) = sin_cos(i as f32 / blades as f32 * core::f32::consts::TAU);
            let def = BodyDef::dynamic()
                .position(c, s)
                .velocity(-spin * s, spin * c)
                .angular_velocity(spin);
            let blade = world.create_body(def);
            world.create_shape(blade, Circle::of_radius(0.2), ShapeDef::default());
            let weld = WeldJointDef::new(hub, blade).at(&world, (0.5 * c, 0.5 * s));
            world.create_joint(weld);
        }
        run(&mut world, 5 * SECOND);
        let left = world.body(hub).angular_velocity() / spin;
        assert!((left - 1.0).abs() < 0.02, "{blades} blades: {left}");
    }
}
