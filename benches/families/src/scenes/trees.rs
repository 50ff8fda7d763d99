//! Random trees of joints, closed by loop joints, in the air and on terrain.

use crate::conditions::Draw;
use crate::family::{Family, Limits};
use crate::form::Form;
use crate::scene::{Scene, Weight};
use cairn2d::{BodyDef, BodyId, Filter, Limit, ShapeDef};

const LIMITS: Limits = Limits {
    speed: 200.0,
    ..Limits::STANDS
};

pub(super) const FAMILIES: [Family; 2] = [
    Family {
        name: "joint-trees",
        title: "random joint trees on a pin, closed by three loop joints",
        criterion: "top speed at most 200 m/s",
        limits: LIMITS,
        rarity: 1,
        build: hanging,
    },
    Family {
        name: "terrain-trees",
        title: "the same, falling on terrain, with a mass ratio of 1000",
        criterion: "top speed at most 200 m/s",
        limits: LIMITS,
        rarity: 1,
        build: falling,
    },
];

/// A tree of bars: each hangs on a random earlier one.
struct Tree {
    bars: Vec<(BodyId, [f32; 2])>,
}

impl Tree {
    fn grow(scene: &mut Scene, draw: &mut Draw, root: [f32; 2], is_uneven: bool) -> Self {
        let mut bars: Vec<(BodyId, [f32; 2])> = Vec::new();
        // Bars that collide with each other begin in overlap.
        let group = if draw.rng.bool() { -1 } else { 0 };
        let filter = Filter {
            group,
            ..Filter::default()
        };
        for _ in 0..draw.count(5, 16) {
            let parent = match bars.len() {
                0 => None,
                count => Some(bars[draw.rng.usize(..count)]),
            };
            let from = parent.map_or(root, |(_, at)| {
                [at[0] + draw.range(-0.5, 0.5), at[1] + draw.range(-0.5, 0.5)]
            });
            let at = [
                from[0] + draw.range(-0.6, 0.6),
                from[1] + draw.range(-0.6, 0.6),
            ];
            let density = match is_uneven && draw.chance(0.3) {
                true => 1000.0,
                false => 1.0,
            };
            let form = Form::Rectangle(draw.range(0.1, 0.5), draw.range(0.05, 0.2));
            let shape = ShapeDef::default().density(density).filter(filter);
            let bar = scene.dynamic_of(BodyDef::dynamic(), at, form, &shape);
            if let Some((parent, _)) = parent {
                join(scene, draw, parent, bar, from);
            }
            bars.push((bar, at));
        }
        Self { bars }
    }

    /// Adds joints between random bars.
    fn close(&self, scene: &mut Scene, draw: &mut Draw, loops: usize) {
        for _ in 0..loops {
            let (a, at) = self.bars[draw.rng.usize(..self.bars.len())];
            let (b, other) = self.bars[draw.rng.usize(..self.bars.len())];
            if a != b {
                let middle = [0.5 * (at[0] + other[0]), 0.5 * (at[1] + other[1])];
                join(scene, draw, a, b, middle);
            }
        }
    }
}

fn join(scene: &mut Scene, draw: &mut Draw, a: BodyId, b: BodyId, at: [f32; 2]) {
    match draw.count(0, 3) {
        0 => scene.weld(a, b, at),
        1 => {
            let limit = Limit::new(-draw.range(0.05, 1.0), draw.range(0.05, 1.0));
            scene.hinge(a, b, at, Some(limit), None)
        }
        _ => scene.pin(a, b, at),
    };
}

fn hanging(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 4.0);
    let post = scene.fixed_at([0.0, 10.0], Form::Ball(0.05));
    let tree = Tree::grow(&mut scene, draw, [0.0, 10.0], false);
    tree.close(&mut scene, draw, 3);
    let (root, _) = tree.bars[0];
    scene.pin(post, root, [0.0, 10.0]);
    scene
}

fn falling(draw: &mut Draw) -> Scene {
    let mut scene = Scene::new(draw, Weight::On, 4.0);
    let points: Vec<[f32; 2]> = (-20..=20)
        .map(|i| [2.0 * i as f32, draw.range(-0.5, 0.5)])
        .collect();
    scene.terrain(&points);
    scene.fixed(Form::Beside([60.0, 2.0], [0.0, -5.0], 0.0));
    let height = draw.range(3.0, 8.0);
    let tree = Tree::grow(&mut scene, draw, [0.0, height], true);
    tree.close(&mut scene, draw, 3);
    scene
}
