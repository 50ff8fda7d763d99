//! The ten scenes for which Box2D publishes results, and groups of other worlds, defined once for every [`Engine`].
//!
//! SI units, y up, a step of 1/60 s with 4 substeps. The first step builds all pairs and is not timed.

use crate::engine::{BodyHandle, Counts, Engine, EngineSettings, JointHandle};
use cairn2d::prelude::*;

mod compounds;
mod games;
mod joint_grid;
mod junkyard;
mod play;
mod pyramids;
mod queries;
mod ragdoll;
mod rain;
mod sized;
mod smash;
mod spinner;
mod tumbler;
mod washer;
mod worlds;

pub use sized::Family;
pub use worlds::{SceneGroup, groups};

/// Length of a step \[s\].
pub const STEP: f32 = 1.0 / 60.0;

/// Substeps of a step.
pub const SUBSTEPS: u32 = 4;

/// Most common gravity of the scenes [m/s^2].
const GRAVITY: Vec2 = vec2(0.0, -10.0);

/// The moving bodies of a scene, in groups that the scene handles as one.
#[derive(Clone, Debug, Default)]
pub struct Cast {
    /// Bodies by group, each in order of creation.
    pub groups: Vec<Vec<BodyHandle>>,
    /// Joints that the scene drives.
    pub joints: Vec<JointHandle>,
    /// Number of the world, where a scene has several.
    pub world: u32,
    /// Group that is replaced next, where a scene does that.
    next: usize,
}

impl Cast {
    /// Returns the cast with one group.
    fn one(bodies: Vec<BodyHandle>) -> Self {
        Self {
            groups: vec![bodies],
            ..Self::default()
        }
    }

    /// Iterates over the moving bodies that exist.
    pub fn bodies(&self) -> impl Iterator<Item = BodyHandle> + '_ {
        self.groups.iter().flatten().copied()
    }
}

/// A scene to time.
#[derive(Clone, Copy, Debug)]
pub struct BenchmarkScene {
    /// Name, as published.
    pub name: &'static str,
    /// Steps that are timed, after one that is not.
    pub timed_steps: u32,
    /// Acceleration of everything that falls [m/s^2].
    pub gravity: Vec2,
    /// Whether bodies at rest fall asleep.
    pub sleeping: bool,
    /// Worlds of the scene, which are stepped one after the other.
    pub worlds: u32,
    /// Whether the engine steps; else it does so only once, at the start, and the calls of the scene are what is timed.
    pub is_stepped: bool,
    /// Numbers of objects in the first world after the timed steps, by Box2D; contacts of shapes that touch or are near.
    pub end: Counts,
    /// No body may leave this box \[m\].
    pub bounds: Aabb,
    /// Fills an empty world.
    pub build: fn(&mut dyn Engine) -> Cast,
    /// Action of the scene before step number `step`, which counts from 0.
    pub before_step: fn(&mut Cast, &mut dyn Engine, step: u32),
}

/// The scenes in order of name.
#[must_use]
pub fn scenes() -> [BenchmarkScene; 10] {
    [
        compounds::SCENE,
        joint_grid::SCENE,
        junkyard::SCENE,
        pyramids::LARGE,
        pyramids::MANY,
        rain::SCENE,
        smash::SCENE,
        spinner::SCENE,
        tumbler::SCENE,
        washer::SCENE,
    ]
}

/// Scenes that are small enough to count their instructions, in order of name.
#[must_use]
pub fn small_scenes() -> [BenchmarkScene; 4] {
    [
        worlds::AWAKE_10,
        worlds::AWAKE_100,
        pyramids::SMALL,
        rain::SMALL,
    ]
}

/// Returns the scene of a name, those of groups and small ones included.
#[must_use]
pub fn scene(name: &str) -> Option<BenchmarkScene> {
    let grouped = groups().into_iter().flat_map(|group| group.scenes).copied();
    let mut all = scenes().into_iter().chain(grouped).chain(small_scenes());
    all.find(|scene| scene.name == name)
}

impl BenchmarkScene {
    /// Returns the settings of the scene's world.
    #[must_use]
    pub fn settings(&self, threads: usize) -> EngineSettings {
        EngineSettings {
            gravity: self.gravity,
            sleeping: self.sleeping,
            substeps: SUBSTEPS,
            solver_budget: None,
            linkage_drag: None,
            threads,
        }
    }
}

/// Returns the numbers of objects at the end of a scene, in the order of the published table.
const fn end(bodies: usize, shapes: usize, contacts: usize, joints: usize) -> Counts {
    Counts {
        bodies,
        shapes,
        contacts,
        joints,
        touching: 0,
        awake_bodies: 0,
    }
}

/// Returns the box from one corner to the other [m].
const fn bounds(min: Point, max: Point) -> Aabb {
    Aabb { min, max }
}

/// For scenes that run by themselves.
fn nothing(_: &mut Cast, _: &mut dyn Engine, _: u32) {}

/// Returns a box of the given half extents [m].
fn rectangle(half_width: f32, half_height: f32) -> Shape {
    Polygon::rectangle(half_width, half_height).into()
}

/// Returns a box of the given half extents about (`x`, `y`) [m].
fn rectangle_at(half_width: f32, half_height: f32, x: f32, y: f32) -> Shape {
    let placed = Polygon::offset_rectangle(half_width, half_height, point(x, y), 0.0);
    placed.into()
}

/// Returns the hull of some points.
fn hull(points: &[Point]) -> Shape {
    Polygon::hull(points).into()
}

/// Adds a dynamic body of one shape at (`x`, `y`) [m].
fn drop_shape(
    engine: &mut dyn Engine,
    x: f32,
    y: f32,
    shape: &Shape,
    def: &ShapeDef,
) -> BodyHandle {
    let body = engine.create_body(&BodyDef::dynamic().position(x, y));
    engine.create_shape(body, shape, def);
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::CairnEngine;

    fn build(scene: &BenchmarkScene) -> (CairnEngine, Cast) {
        let mut engine = CairnEngine::new(&scene.settings(1), None);
        let cast = (scene.build)(&mut engine);
        (engine, cast)
    }

    #[test]
    fn bodies_shapes_and_joints_are_as_published() {
        let grouped = groups().into_iter().flat_map(|group| group.scenes).copied();
        for scene in scenes().into_iter().chain(grouped).chain(small_scenes()) {
            let (mut engine, mut cast) = build(&scene);
            // Actions of the scene need no steps of the engine between them.
            // Those that only ask, or act once, need no more than the first two.
            let last = if scene.is_stepped {
                scene.timed_steps
            } else {
                1
            };
            for step in 0..=last {
                (scene.before_step)(&mut cast, &mut engine, step);
            }
            let counts = engine.counts();
            let found = (counts.bodies, counts.shapes, counts.joints);
            let end = scene.end;
            assert_eq!(
                found,
                (end.bodies, end.shapes, end.joints),
                "{}",
                scene.name
            );
            assert!(cast.bodies().count() <= end.bodies, "{}", scene.name);
        }
    }

    #[test]
    fn pyramids_touch_where_boxes_meet() {
        for scene in [pyramids::LARGE, pyramids::MANY, pyramids::SMALL] {
            let (mut engine, _) = build(&scene);
            engine.step(STEP);
            engine.step(STEP);
            assert_eq!(
                engine.counts().contacts,
                scene.end.contacts,
                "{}",
                scene.name
            );
        }
    }

    #[test]
    fn nothing_leaves_the_scene() {
        for scene in scenes() {
            let (mut engine, mut cast) = build(&scene);
            for step in 0..24 {
                (scene.before_step)(&mut cast, &mut engine, step);
                engine.step(STEP);
            }
            for body in cast.bodies() {
                let position = engine.motion(body).position;
                let inside = scene.bounds.contains_point(&position);
                assert!(inside, "{}: body {body:?} at {position}", scene.name);
            }
        }
    }
}
