//! Common parts of measurements: worlds at default settings, and measures of motion.

use crate::kit::{drop_in, floor, rectangle, thing, usual_world};
use crate::scene::DT;
use cairn2d::prelude::{BodyDef, BodyId, World, WorldPoint};

/// One measured figure. What it should be is at most `goal`, or as it should be at 0.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// The measured quantity, with its unit.
    pub what: &'static str,
    /// The figure, less is better.
    pub ours: f64,
    /// The goal.
    pub goal: f64,
    /// The best of the peers, in words.
    pub peer: &'static str,
}

impl Figure {
    pub(crate) const fn new(what: &'static str, ours: f64, goal: f64, peer: &'static str) -> Self {
        Self {
            what,
            ours,
            goal,
            peer,
        }
    }

    /// Says whether the goal is reached.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.ours <= self.goal
    }
}

/// Steps the world for `seconds`.
pub(crate) fn run(world: &mut World, seconds: f32) {
    for _ in 0..(seconds / DT).round() as u32 {
        world.step(DT);
    }
}

/// A world with a floor whose top is at height 0 and reaches from `-half_width` to `half_width`.
pub(crate) fn world_with_floor(half_width: f32) -> World {
    let mut world = usual_world();
    floor(&mut world, half_width);
    world
}

/// Adds a unit box that stays awake.
pub(crate) fn unit_box(world: &mut World, x: f32, y: f32) -> BodyId {
    drop_in(world, awake(thing(x, y)), rectangle(0.5, 0.5))
}

/// Forbids sleep: rows measure whether bodies rest by themselves.
pub(crate) fn awake(def: BodyDef) -> BodyDef {
    BodyDef {
        can_sleep: false,
        ..def
    }
}

/// Earlier places of bodies.
pub(crate) struct Places(Vec<(BodyId, WorldPoint)>);

impl Places {
    pub(crate) fn of(world: &World) -> Self {
        let place = |body: cairn2d::prelude::BodyRef<'_>| (body.id(), body.position_exact());
        Self(world.bodies().map(place).collect())
    }

    /// Greatest way of a body along x since [m].
    pub(crate) fn drift(&self, world: &World) -> f64 {
        let way = |(id, before): &(BodyId, WorldPoint)| {
            (world.body(*id).position_exact().x - before.x).abs()
        };
        self.0.iter().map(way).fold(0.0, f64::max)
    }

    /// Greatest way of a body downward since [m].
    pub(crate) fn sink(&self, world: &World) -> f64 {
        let way =
            |(id, before): &(BodyId, WorldPoint)| before.y - world.body(*id).position_exact().y;
        self.0.iter().map(way).fold(0.0, f64::max)
    }

    /// Greatest way of a body since [m].
    pub(crate) fn shift(&self, world: &World) -> f64 {
        let way = |(id, before): &(BodyId, WorldPoint)| {
            let now = world.body(*id).position_exact();
            (now - *before).norm().into()
        };
        self.0.iter().map(way).fold(0.0, f64::max)
    }
}

/// Deepest overlap of two shapes that touch [m].
pub(crate) fn overlap(world: &World) -> f64 {
    let mut deepest = 0.0_f32;
    for contact in world.contacts() {
        for point in contact.points() {
            deepest = deepest.max(-point.separation);
        }
    }
    deepest.into()
}

/// Widest gap of a joint between its anchors [m].
pub(crate) fn gap(world: &World) -> f64 {
    let gap = |joint: cairn2d::prelude::JointRef<'_>| {
        let [a, b] = joint.anchors();
        f64::from((b - a).norm())
    };
    world.joints().map(gap).fold(0.0, f64::max)
}
