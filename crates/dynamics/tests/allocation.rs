//! A settled step allocates nothing.

use cairn2d_dynamics::{
    BodyDef, BodyId, JointFrame, Motor, RevoluteJointDef, ShapeDef, World, WorldDef,
};
use cairn2d_geometry::math::{Vec2, point, vec2};
use cairn2d_geometry::{Aabb, Circle, Polygon, Shape};
use core::cell::Cell;
use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, which counts the allocations of this thread.
struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

fn note() {
    // While a thread ends its counter is gone; allocations then are ignored.
    let _ = ASKED.try_with(|asked| asked.set(asked.get() + 1));
}

// SAFETY: the system's allocator does it all; the count touches no memory that it hands out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's.
        unsafe { System.dealloc(pointer, layout) };
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        // SAFETY: the caller's.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Boxes in a pyramid, balls beside it, and a driven wheel, on the ground.
fn build(sleeping: bool) -> World {
    let mut world = World::new(WorldDef {
        sleeping,
        threads: 1,
        bounds: Some(Aabb::new(point(-5.0, -5.0), point(30.0, 30.0))),
        ..WorldDef::default()
    });
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    let floor = Polygon::rectangle(40.0, 1.0);
    world.create_shape(
        ground,
        floor,
        ShapeDef::default().force_event_threshold(20.0),
    );
    for row in 0..10 {
        for place in row..10 {
            let x = 0.5 * row as f32 + (place - row) as f32;
            let body = world.create_body(BodyDef::dynamic().position(x, row as f32 + 0.5));
            let shape = Polygon::rectangle(0.5, 0.5);
            world.create_shape(body, shape, ShapeDef::default());
        }
    }
    for i in 0..8 {
        let body = world.create_body(BodyDef::dynamic().position(-10.0 - 1.5 * i as f32, 0.5));
        let ball = Circle::new(point(0.0, 0.0), 0.5);
        world.create_shape(body, ball, ShapeDef::default());
    }
    let wheel = world.create_body(BodyDef::dynamic().position(20.0, 5.0));
    let shape = Polygon::rectangle(2.0, 0.2);
    world.create_shape(wheel, shape, ShapeDef::default());
    let mut hinge = RevoluteJointDef::new(ground, wheel);
    hinge.base.frame_a = JointFrame::at(20.0, 6.0);
    hinge.motor = Some(Motor::new(3.0, 1000.0));
    world.create_joint(hinge);
    world
}

/// Number of allocations in `steps` steps.
fn asked_in(world: &mut World, steps: usize) -> usize {
    let before = ASKED.get();
    for _ in 0..steps {
        world.step(1.0 / 60.0);
    }
    ASKED.get() - before
}

#[test]
fn settled_step_allocates_nothing() {
    for sleeping in [true, false] {
        let mut world = build(sleeping);
        let at_first = asked_in(&mut world, 240);
        assert!(at_first > 0, "the count counts");
        let settled = asked_in(&mut world, 120);
        assert_eq!(settled, 0, "sleeping {sleeping:?}");
        let told = !world.contact_forces().is_empty();
        assert_eq!(told, !sleeping, "forces are told");
    }
}

/// Balls that bounce between walls and on a row of others, beside a column under a mass that falls on it, for so many steps: each round begins as the one
/// before it.
struct Impacts {
    world: World,
    /// Each with where it begins, and its velocity.
    bodies: Vec<(BodyId, (f32, f32), Vec2)>,
}

impl Impacts {
    fn new() -> Self {
        let mut world = World::new(WorldDef {
            sleeping: false,
            threads: 1,
            ..WorldDef::default()
        });
        let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
        let floor = Polygon::rectangle(60.0, 1.0);
        world.create_shape(ground, floor, ShapeDef::default());
        let mut bodies = Vec::new();
        let mut add = |at: (f32, f32), velocity: Vec2, shape: Shape, def: ShapeDef| {
            let body = world.create_body(BodyDef::dynamic().position(at.0, at.1));
            world.create_shape(body, shape, def);
            bodies.push((body, at, velocity));
        };
        let cube = || Shape::from(Polygon::rectangle(0.5, 0.5));
        let ball = || Shape::from(Circle::new(point(0.0, 0.0), 0.5));
        for i in 0..4 {
            let at = (20.0, 0.5 + i as f32);
            add(at, Vec2::zeros(), cube(), ShapeDef::default());
        }
        let heavy = ShapeDef::default().density(1000.0);
        add((20.0, 8.0), vec2(0.0, -10.0), cube(), heavy);
        let bouncy = || ShapeDef::default().restitution(0.9);
        for i in 0..6 {
            let at = (i as f32, 0.5);
            add(at, Vec2::zeros(), ball(), bouncy());
        }
        add((-4.0, 0.5), vec2(30.0, 0.0), ball(), bouncy());
        add((-10.0, 6.0), vec2(0.0, -20.0), ball(), bouncy());
        Self { world, bodies }
    }

    /// Puts all back, and steps; returns the allocations of the steps. The first step is not counted: the broad phase stores the
    /// moved bodies in it.
    fn round(&mut self) -> usize {
        for &(body, (x, y), velocity) in &self.bodies {
            let mut body = self.world.body_mut(body);
            body.set_pose((x, y), 0.0);
            body.set_velocity(velocity);
            body.set_angular_velocity(0.0);
        }
        self.world.step(1.0 / 60.0);
        asked_in(&mut self.world, 90)
    }
}

/// Rounds in which the lists grow. Rounds are not alike, as contacts remember the last one: after the 67th of
/// 600 rounds, three found a list too short, with four requests in 48 000 steps.
const GROWING_ROUNDS: usize = 100;

/// Rounds that are counted.
const COUNTED_ROUNDS: usize = 60;

#[test]
fn impacts_allocate_nothing_once_their_lists_have_grown() {
    let mut impacts = Impacts::new();
    let at_first = impacts.round();
    assert!(at_first > 0, "the count counts");
    for _ in 1..GROWING_ROUNDS {
        impacts.round();
    }
    let asked = [(); COUNTED_ROUNDS].map(|()| impacts.round());
    assert_eq!(asked, [0; COUNTED_ROUNDS]);
}

#[test]
fn saves_and_deltas_into_reused_buffers_allocate_nothing() {
    let mut world = build(false);
    asked_in(&mut world, 240);
    let mut base = world.save_base();
    let (mut save, mut delta, mut made) = (Vec::new(), Vec::new(), Vec::new());
    let mut round = |world: &mut World| {
        world.save_into(&mut save);
        world.save_delta_into(&base, &mut delta);
        World::apply_delta(base.bytes(), &delta, &mut made).expect("the base");
        assert!(made == save, "the delta makes the save");
        world.save_base_into(&mut base);
    };
    // Rounds in which the buffers grow to the longest save and delta.
    for _ in 0..60 {
        asked_in(&mut world, 2);
        round(&mut world);
    }
    for _ in 0..20 {
        world.step(1.0 / 60.0);
        let before = ASKED.get();
        round(&mut world);
        assert_eq!(ASKED.get(), before);
    }
}
