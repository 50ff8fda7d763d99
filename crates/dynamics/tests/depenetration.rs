//! Initial penetrations and torn joints are corrected without high speeds.

use cairn2d_dynamics::{
    BodyDef, BodyId, JointFrame, JointId, RevoluteJointDef, ShapeDef, WeldJointDef, World, WorldDef,
};
use cairn2d_geometry::{Circle, Polygon};

const DT: f32 = 1.0 / 60.0;

fn add_box(world: &mut World, def: BodyDef, half: [f32; 2]) -> BodyId {
    let body = world.create_body(def);
    let shape = Polygon::rectangle(half[0], half[1]);
    world.create_shape(body, shape, ShapeDef::default());
    body
}

fn floor(world: &mut World) -> BodyId {
    add_box(world, BodyDef::static_().position(0.0, -0.5), [20.0, 0.5])
}

fn deepest(world: &World) -> f32 {
    let points = world.contacts().flat_map(|contact| {
        let points: Vec<f32> = contact.points().map(|point| -point.separation).collect();
        points
    });
    points.fold(0.0, f32::max)
}

fn widest(world: &World) -> f32 {
    let gap = |joint: cairn2d_dynamics::JointRef<'_>| {
        let [a, b] = joint.anchors();
        (b - a).norm()
    };
    world.joints().map(gap).fold(0.0, f32::max)
}

fn fastest(world: &World) -> f32 {
    let speeds = world.bodies().map(|body| body.velocity().norm());
    speeds.fold(0.0, f32::max)
}

/// Steps for `steps` and returns the greatest speed of a body on the way.
fn run(world: &mut World, steps: u32) -> f32 {
    let mut greatest = 0.0_f32;
    for _ in 0..steps {
        world.step(DT);
        world.assert_consistent();
        greatest = greatest.max(fastest(world));
    }
    greatest
}

#[test]
fn boxes_at_one_point_part_without_a_velocity() {
    let mut world = World::new(WorldDef::weightless());
    for _ in 0..20 {
        add_box(&mut world, BodyDef::dynamic(), [0.5, 0.5]);
    }
    assert!(run(&mut world, 42) < 0.01);
    assert!(deepest(&world) < 0.01, "{}", deepest(&world));
    assert!(run(&mut world, 60) < 2.0e-3);
}

#[test]
fn boxes_at_one_point_on_a_floor_come_to_stand() {
    let mut world = World::new(WorldDef::default());
    floor(&mut world);
    let boxes: Vec<BodyId> = (0..20)
        .map(|_| {
            add_box(
                &mut world,
                BodyDef::dynamic().position(0.0, 0.5),
                [0.5, 0.5],
            )
        })
        .collect();
    let greatest = run(&mut world, 60);
    assert!(greatest < 5.0, "{greatest}");
    assert!(deepest(&world) < 0.02, "{}", deepest(&world));
    run(&mut world, 240);
    for body in boxes {
        let place = world.body(body).position();
        assert!(place.y > 0.48 && place.x.abs() < 5.0, "{place}");
    }
}

#[test]
fn box_put_into_a_wall_does_not_shoot_out() {
    let mut world = World::new(WorldDef::weightless());
    add_box(&mut world, BodyDef::static_(), [1.0, 10.0]);
    let body = add_box(
        &mut world,
        BodyDef::dynamic().position(1.2, 0.0),
        [0.5, 0.5],
    );
    assert!(run(&mut world, 30) < 1.0e-3);
    let x = world.body(body).position().x;
    assert!((x - 1.5).abs() < 0.01, "{x}");
}

#[test]
fn what_is_moved_out_of_one_thing_is_not_moved_into_another() {
    // Between a deep overlap on its left and a thin wall on its right, which it touches.
    let mut world = World::new(WorldDef::weightless());
    add_box(
        &mut world,
        BodyDef::static_().position(0.505, 0.0),
        [0.005, 5.0],
    );
    let squeezed = add_box(&mut world, BodyDef::dynamic(), [0.5, 0.5]);
    let pushing = add_box(
        &mut world,
        BodyDef::dynamic().position(-0.4, 0.0),
        [0.5, 0.5],
    );
    run(&mut world, 60);
    let [a, b] = [squeezed, pushing].map(|id| world.body(id).position().x);
    assert!(a.abs() < 0.01 && (a - b - 1.0).abs() < 0.01, "{a} {b}");
}

#[test]
fn locked_body_stays_in_its_place() {
    let mut world = World::new(WorldDef::weightless());
    let def = BodyDef {
        locks: cairn2d_dynamics::Locks {
            x: true,
            y: true,
            rotation: true,
        },
        ..BodyDef::dynamic()
    };
    let locked = add_box(&mut world, def, [0.5, 0.5]);
    add_box(
        &mut world,
        BodyDef::dynamic().position(0.3, 0.0),
        [0.5, 0.5],
    );
    run(&mut world, 60);
    assert_eq!(world.body(locked).position().coords.norm(), 0.0);
}

#[test]
fn stack_in_which_one_box_is_put_too_low_comes_to_rest() {
    let mut world = World::new(WorldDef::default());
    floor(&mut world);
    for i in 0..6_u8 {
        let low = if i == 3 { 0.3 } else { 0.0 };
        let def = BodyDef::dynamic().position(0.0, 0.5 + f32::from(i) - low);
        add_box(&mut world, def, [0.5, 0.5]);
    }
    let greatest = run(&mut world, 300);
    assert!(greatest < 4.0, "{greatest}");
    assert!(deepest(&world) < 0.015, "{}", deepest(&world));
    let awake = world
        .bodies()
        .filter(|body| body.is_awake() && body.mass() > 0.0);
    assert_eq!(awake.count(), 0);
}

/// A chain of `count` links of 1 m that hangs from the origin, each put `share` as far down as it belongs.
fn drawn_chain(world: &mut World, count: u32, share: f32) -> Vec<JointId> {
    let mut above = world.create_body(BodyDef::static_());
    let mut joints = Vec::new();
    for i in 0..count {
        let y = -share * (0.5 + i as f32);
        let link = add_box(world, BodyDef::dynamic().position(0.0, y), [0.05, 0.5]);
        let mut joint = RevoluteJointDef::new(above, link);
        joint.base.frame_a = JointFrame::at(0.0, if i == 0 { 0.0 } else { -0.5 });
        joint.base.frame_b = JointFrame::at(0.0, 0.5);
        joints.push(world.create_joint(joint));
        above = link;
    }
    joints
}

#[test]
fn chain_drawn_to_twice_its_length_comes_together_within_a_second() {
    let mut world = World::new(WorldDef::default());
    drawn_chain(&mut world, 20, 2.0);
    let greatest = run(&mut world, 60);
    assert!(greatest < 15.0, "{greatest}");
    assert!(widest(&world) < 0.01, "{}", widest(&world));
}

#[test]
fn two_that_are_welded_apart_meet_without_a_velocity_and_keep_their_center() {
    let mut world = World::new(WorldDef::weightless());
    let a = add_box(
        &mut world,
        BodyDef::dynamic().position(-3.0, 0.0),
        [0.5, 0.5],
    );
    let b = add_box(
        &mut world,
        BodyDef::dynamic().position(3.0, 0.0),
        [0.5, 1.0],
    );
    let mut weld = WeldJointDef::new(a, b);
    weld.base.frame_a = JointFrame::at(0.5, 0.0);
    weld.base.frame_b = JointFrame::at(-0.5, 0.0);
    world.create_joint(weld);
    assert!(run(&mut world, 60) < 1.0e-3);
    assert!(widest(&world) < 1.0e-3);
    let [a, b] = [a, b].map(|id| world.body(id).position().x);
    assert!((a + 2.0 * b - 3.0).abs() < 1.0e-3, "{a} {b}");
}

#[test]
fn link_that_is_teleported_draws_its_chain_after_it() {
    let mut world = World::new(WorldDef::default());
    drawn_chain(&mut world, 10, 1.0);
    run(&mut world, 60);
    let last = world.bodies().last().unwrap().id();
    world.body_mut(last).set_pose((4.0, -4.0), 0.0);
    let greatest = run(&mut world, 60);
    assert!(greatest < 15.0, "{greatest}");
    assert!(widest(&world) < 0.01, "{}", widest(&world));
}

/// Steps a closed box of 20 x 19.5 diameters that holds 25 x 25 circles, a quarter more area than it has, for a second;
/// returns the depth of the deepest pair in diameters.
fn deepest_in_a_full_box(diameter: f32, rate: u16) -> f32 {
    let mut world = World::new(WorldDef::default());
    let walls = [
        ([0.0, -5.0], [20.0, 5.0]),
        ([0.0, 24.5], [20.0, 5.0]),
        ([-15.0, 10.0], [5.0, 20.0]),
        ([15.0, 10.0], [5.0, 20.0]),
    ];
    for ([x, y], half) in walls {
        let def = BodyDef::static_().position(x * diameter, y * diameter);
        add_box(&mut world, def, half.map(|length| length * diameter));
    }
    for i in 0..625_u16 {
        let at = [i % 25, i / 25].map(|place| 0.72 * f32::from(place) * diameter);
        let [x, y] = [at[0] - 8.64 * diameter, at[1] + 0.6 * diameter];
        let body = world.create_body(BodyDef::dynamic().position(x, y));
        let circle = Circle::of_radius(0.5 * diameter);
        world.create_shape(body, circle, ShapeDef::default());
    }
    for _ in 0..rate {
        world.step(1.0 / f32::from(rate));
    }
    deepest(&world) / diameter
}

/// Each contact asked for the same motion, and nothing parted the deepest pairs: they coincided. The densest packing of
/// these circles overlaps by 0.15 everywhere.
#[test]
fn circles_in_a_box_that_is_too_small_do_not_merge() {
    for (diameter, rate) in [(1.0, 60), (1.0, 30), (1.0, 240), (0.1, 60), (20.0, 60)] {
        let depth = deepest_in_a_full_box(diameter, rate);
        assert!(depth < 0.45, "{diameter} m, {rate} Hz: {depth}");
    }
}

/// Their contacts have one normal and made a row of them, whose ends left at 143 m/s.
#[test]
fn two_hundred_circles_at_one_point_become_a_disk_without_high_speeds() {
    let mut world = World::new(WorldDef::weightless());
    for _ in 0..200 {
        let body = world.create_body(BodyDef::dynamic());
        world.create_shape(body, Circle::of_radius(0.5), ShapeDef::default());
    }
    let mut greatest = 0.0_f32;
    for _ in 0..180 {
        world.step(DT);
        greatest = greatest.max(fastest(&world));
    }
    assert!(greatest < 0.1, "{greatest}");
    assert!(deepest(&world) < 0.01, "{}", deepest(&world));
}
