//! A warmed-up crowd allocates nothing in a step; and the memory per agent.

#[expect(dead_code, reason = "the other tests use more of it")]
mod scenes;

use cairn2d_crowd::{AgentId, Crowd, CrowdDef, Motion, ObstacleDef};
use cairn2d_geometry::math::{point, rotation, vec2};
use core::cell::Cell;
use std::alloc::{GlobalAlloc, Layout, System};

/// The system's allocator, which counts the allocations of this thread.
struct Counting;

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
    static HELD: Cell<isize> = const { Cell::new(0) };
}

/// Counts `asked` allocations, and a change of the allocated memory by `bytes`.
fn note(asked: usize, bytes: isize) {
    // The counters of an ending thread are gone; its last allocations do not matter.
    let _ = ASKED.try_with(|count| count.set(count.get() + asked));
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

// SAFETY: the system's allocator does it all; the count touches no memory that it hands out.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(1, layout.size() as isize);
        // SAFETY: the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        note(0, -(layout.size() as isize));
        // SAFETY: the caller's.
        unsafe { System.dealloc(pointer, layout) };
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note(1, size as isize - layout.size() as isize);
        // SAFETY: the caller's.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A crowd that walks back and forth past a wall and a rotating bar.
struct Hall {
    crowd: Crowd,
    ids: Vec<AgentId>,
    bar: cairn2d_crowd::ObstacleId,
    steps: usize,
}

/// Step [s].
const STEP: f32 = 0.1;

/// Steps from one end of the hall to the other.
const WAY: usize = 300;

impl Hall {
    fn new() -> Self {
        let mut crowd = Crowd::default();
        let scene = scenes::random(400, 0.3, 3);
        let ids = scene.agents.iter().map(|def| crowd.create_agent(def));
        let ids = ids.collect();
        let wall = [point(-3.0, 40.0), point(20.0, 42.0)];
        crowd.create_obstacle(ObstacleDef::line(wall));
        let bar = [point(-4.0, 0.0), point(4.0, 0.0)];
        let bar = crowd.create_obstacle(ObstacleDef::line(bar));
        Self {
            crowd,
            ids,
            bar,
            steps: 0,
        }
    }

    fn step(&mut self) {
        let angle = 0.2 * STEP * self.steps as f32;
        self.crowd.obstacle_mut(self.bar).set_motion(Motion {
            position: (-8.0, 10.0).into(),
            rotation: rotation(angle),
            velocity: vec2(0.0, 0.0),
            angular_velocity: 0.2,
        });
        let back = (self.steps / WAY) % 2 == 1;
        for (i, &id) in self.ids.iter().enumerate() {
            let speed = if back == i.is_multiple_of(2) {
                -1.0
            } else {
                1.0
            };
            self.crowd
                .agent_mut(id)
                .set_preferred_velocity(vec2(speed, 0.0));
        }
        self.crowd.step(STEP);
        self.steps += 1;
    }

    /// Number of allocations on one walk through the hall.
    fn asked_on_the_way(&mut self) -> usize {
        let before = ASKED.get();
        (0..WAY).for_each(|_| self.step());
        ASKED.get() - before
    }
}

#[test]
fn a_step_that_has_found_its_sizes_allocates_nothing() {
    for steering_interval in [1, 3] {
        let mut hall = Hall::new();
        hall.crowd.set_def(CrowdDef {
            steering_interval,
            ..*hall.crowd.def()
        });
        // The densest crowd may occur on a later walk.
        let at_first: usize = (0..8).map(|_| hall.asked_on_the_way()).sum();
        assert!(at_first > 0, "the count counts");
        assert_eq!(hall.asked_on_the_way(), 0, "interval {steering_interval}");
    }
}

#[test]
fn an_agent_takes_at_most_320_bytes() {
    let scene = scenes::random(10_000, 0.3, 1);
    let before = HELD.get();
    let mut crowd = Crowd::default();
    for (def, goal) in scene.agents.iter().zip(&scene.goals) {
        let id = crowd.create_agent(def);
        crowd
            .agent_mut(id)
            .set_preferred_velocity(scenes::wish(def.position, *goal));
    }
    (0..100).for_each(|_| crowd.step(0.25));
    let bytes = (HELD.get() - before) / scene.agents.len() as isize;
    println!("{bytes} bytes an agent");
    assert!(bytes > 100 && bytes <= 320, "{bytes} bytes an agent");
}
