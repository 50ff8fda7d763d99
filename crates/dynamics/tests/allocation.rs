//! A settled step allocates nothing.

use cairn2d_dynamics::{
    BodyDef, JointFrame, Motor, RevoluteJointDef, ShapeDef, Switch, World, WorldDef,
};
use cairn2d_geometry::math::point;
use cairn2d_geometry::{Aabb, Circle, Polygon};
use core::cell::Cell;
use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, which counts what this thread asks for.
struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

fn note() {
    // While a thread ends its counter is gone; what it asks for then is of no interest.
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
fn build(sleeping: Switch) -> World {
    let mut world = World::new(WorldDef {
        sleeping,
        threads: 1,
        bounds: Some(Aabb::new(point(-5.0, -5.0), point(30.0, 30.0))),
        ..WorldDef::default()
    });
    let ground = world.create_body(BodyDef::static_().at(0.0, -1.0));
    let floor = Polygon::rectangle(40.0, 1.0).expect("a floor");
    world.create_shape(ground, floor, ShapeDef::default().force_events_above(20.0));
    for row in 0..10 {
        for place in row..10 {
            let x = 0.5 * row as f32 + (place - row) as f32;
            let body = world.create_body(BodyDef::dynamic().at(x, row as f32 + 0.5));
            let shape = Polygon::rectangle(0.5, 0.5).expect("a box");
            world.create_shape(body, shape, ShapeDef::default());
        }
    }
    for i in 0..8 {
        let body = world.create_body(BodyDef::dynamic().at(-10.0 - 1.5 * i as f32, 0.5));
        let ball = Circle::new(point(0.0, 0.0), 0.5).expect("a ball");
        world.create_shape(body, ball, ShapeDef::default());
    }
    let wheel = world.create_body(BodyDef::dynamic().at(20.0, 5.0));
    let shape = Polygon::rectangle(2.0, 0.2).expect("a bar");
    world.create_shape(wheel, shape, ShapeDef::default());
    let mut hinge = RevoluteJointDef::new(ground, wheel);
    hinge.base.frame_a = JointFrame::at(20.0, 6.0);
    hinge.motor = Some(Motor::new(3.0, 1000.0));
    world.create_joint(hinge);
    world
}

/// Times that `steps` steps ask for memory.
fn asked_in(world: &mut World, steps: usize) -> usize {
    let before = ASKED.get();
    for _ in 0..steps {
        world.step(1.0 / 60.0);
    }
    ASKED.get() - before
}

#[test]
fn settled_step_allocates_nothing() {
    for sleeping in [Switch::On, Switch::Off] {
        let mut world = build(sleeping);
        let at_first = asked_in(&mut world, 240);
        assert!(at_first > 0, "the count counts");
        let settled = asked_in(&mut world, 120);
        assert_eq!(settled, 0, "sleeping {sleeping:?}");
        let told = !world.contact_forces().is_empty();
        assert_eq!(told, sleeping == Switch::Off, "forces are told");
    }
}
