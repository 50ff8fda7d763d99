//! The part of a scene's frame that its content needs, so that a window of any aspect is filled.

use crate::mark::Mark;
use crate::scene::{Exits, Scene, Stage};
use crate::view::Frame;
use cairn2d::prelude::{BodyKind, BodyRef, Shape, Vec2, WorldPoint, pose};

/// Most bodies times steps of a run that is looked at, a fraction of a second.
const MAX_WORK: usize = 300_000;

/// Share of the content's size that is left free on each side.
const MARGIN: f64 = 0.06;

/// Least share of the width and of the height of a scene's frame that is shown: the surroundings of small content.
const MIN_SHARE: f64 = 0.3;

/// Largest share of the width and of the height of a scene's frame that static scenery may have to be shown whole: a bowl is, a floor
/// is not.
const MAX_SCENERY: f64 = 0.95;

/// Size of the region in which bodies count, relative to the frame, if no body leaves the frame for good: bodies that begin outside
/// are shown. Bodies that wait far above are not.
const REACH: f32 = 1.35;

/// Half width of a marked text as a share of the frame's width.
const TEXT_SHARE: f32 = 0.1;

/// Smallest upright rectangle around some places \[m\]; empty at first.
#[derive(Clone, Copy, Debug)]
struct Extent {
    low: [f64; 2],
    high: [f64; 2],
}

impl Extent {
    const EMPTY: Self = Self {
        low: [f64::INFINITY; 2],
        high: [f64::NEG_INFINITY; 2],
    };

    fn of(frame: &Frame) -> Self {
        let center = [frame.center.x, frame.center.y];
        let half = [frame.half_width, frame.half_height].map(f64::from);
        Self {
            low: [center[0] - half[0], center[1] - half[1]],
            high: [center[0] + half[0], center[1] + half[1]],
        }
    }

    fn add(&mut self, place: WorldPoint) {
        for (i, value) in [place.x, place.y].into_iter().enumerate() {
            self.low[i] = self.low[i].min(value);
            self.high[i] = self.high[i].max(value);
        }
    }

    fn add_shape(&mut self, shape: &Shape, at: WorldPoint, angle: f32) {
        let around = shape.aabb(&pose(0.0, 0.0, angle));
        self.add(at + around.min.coords);
        self.add(at + around.max.coords);
    }

    fn add_all(&mut self, other: &Self) {
        for i in 0..2 {
            self.low[i] = self.low[i].min(other.low[i]);
            self.high[i] = self.high[i].max(other.high[i]);
        }
    }

    fn add_body(&mut self, body: &BodyRef<'_>) {
        for shape in body.shapes() {
            self.add_shape(shape.geometry(), body.position_exact(), body.angle());
        }
    }

    fn add_mark(&mut self, mark: &Mark, frame: &Frame) {
        match mark {
            Mark::Line { from, to, .. } => [*from, *to].into_iter().for_each(|end| self.add(end)),
            Mark::Outline {
                shape, at, angle, ..
            } => self.add_shape(shape, *at, *angle),
            Mark::Dot { at, .. } => self.add(*at),
            Mark::Text { at, .. } => {
                let half = Vec2::new(2.0 * TEXT_SHARE * frame.half_width, 0.0);
                [*at - half, *at + half]
                    .into_iter()
                    .for_each(|end| self.add(end));
            }
        }
    }

    /// Adds the bodies that move inside `frame`, the agents, and the marks of the script.
    fn add_moving(&mut self, stage: &Stage, frame: &Frame) {
        let bodies = stage.world.bodies();
        bodies
            .filter(|body| body.kind() != BodyKind::Static)
            .filter(|body| frame.contains(body.center_exact()))
            .for_each(|body| self.add_body(&body));
        let marks = stage.marks();
        marks.iter().for_each(|mark| self.add_mark(mark, frame));
        let agents = stage.crowd().into_iter().flat_map(|crowd| crowd.agents());
        agents.for_each(|agent| self.add(agent.position()));
    }

    /// Adds the static shapes that overlap the extent, unless they are as large as `all`.
    fn add_scenery(&mut self, stage: &Stage, all: &Self) {
        let moving = *self;
        let bodies = stage.world.bodies();
        for body in bodies.filter(|body| body.kind() == BodyKind::Static) {
            for shape in body.shapes() {
                let mut around = Self::EMPTY;
                around.add_shape(shape.geometry(), body.position_exact(), body.angle());
                let is_scenery = (0..2).all(|i| {
                    let (size, whole) = (around.size(i), all.size(i));
                    let overlaps = around.low[i] < moving.high[i] && moving.low[i] < around.high[i];
                    overlaps && size < MAX_SCENERY * whole
                });
                if is_scenery {
                    self.add_all(&around);
                }
            }
        }
    }

    fn size(&self, i: usize) -> f64 {
        self.high[i] - self.low[i]
    }

    /// Adds a margin, widens the extent to the least share of `all`, and moves it inside `all`.
    fn fitted(&self, all: &Self) -> Self {
        let mut fitted = *all;
        for i in 0..2 {
            let whole = all.size(i);
            let (low, high) = (self.low[i].max(all.low[i]), self.high[i].min(all.high[i]));
            let half = (0.5 + MARGIN) * (high - low);
            let half = half.max(0.5 * MIN_SHARE * whole).min(0.5 * whole);
            let middle = 0.5 * (low + high);
            let middle = middle.max(all.low[i] + half).min(all.high[i] - half);
            fitted.low[i] = middle - half;
            fitted.high[i] = middle + half;
        }
        fitted
    }

    fn frame(&self) -> Frame {
        let [x, y] = [0, 1].map(|i| 0.5 * (self.low[i] + self.high[i]));
        let [half_width, half_height] = [0, 1].map(|i| (0.5 * self.size(i)) as f32);
        Frame {
            center: WorldPoint::new(x, y),
            half_width,
            half_height,
        }
    }
}

/// Returns the region in which bodies count for the view of `scene`.
#[must_use]
pub const fn region(scene: &Scene) -> Frame {
    match scene.exits {
        Exits::None => scene.frame.scaled(REACH),
        Exits::Expected => scene.frame,
    }
}

/// Returns the part of the region of `scene` in which anything moves or is marked while it runs from `start`, with a margin. It is
/// the frame if nothing moves, and for scenes that take long to run.
#[must_use]
pub fn content_frame(scene: &Scene, start: &Stage) -> Frame {
    if start.world.body_count() * scene.steps as usize > MAX_WORK {
        return scene.frame;
    }
    let mut stage = start.clone();
    let mut content = Extent::EMPTY;
    let region = region(scene);
    content.add_moving(&stage, &region);
    for _ in 0..scene.steps {
        stage.step();
        content.add_moving(&stage, &region);
    }
    if content.low[0] > content.high[0] {
        return scene.frame;
    }
    let all = Extent::of(&region);
    content.add_scenery(start, &Extent::of(&scene.frame));
    content.fitted(&all).frame()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn a_narrow_tower_needs_a_narrow_part_of_its_frame() {
        let scene = registry::find("circle_stack").expect("a scene of this name");
        let content = content_frame(scene, &(scene.build)());
        // Its floor, which is half as wide as the frame, is shown whole.
        let share = content.half_width / scene.frame.half_width;
        assert!((0.5..0.7).contains(&share), "{share}");
        assert!(content.half_height > 0.9 * scene.frame.half_height);
        let all = Extent::of(&region(scene));
        let part = Extent::of(&content);
        assert!((0..2).all(|i| all.low[i] <= part.low[i] && part.high[i] <= all.high[i]));
    }

    #[test]
    fn long_scenes_and_scenes_without_motion_keep_their_frame() {
        let scene = registry::find("tumbler_drum").expect("a scene of this name");
        assert_eq!(content_frame(scene, &(scene.build)()), scene.frame);
        let still = Scene {
            build: || Stage::new(cairn2d::prelude::World::default()),
            ..*scene
        };
        assert_eq!(content_frame(&still, &(still.build)()), scene.frame);
    }
}
