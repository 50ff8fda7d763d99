//! Reference problems with known answers, as scenes to look at; `docs/validation.md` has their errors.

use crate::engine::{BodyHandle, CairnEngine, Engine};
use crate::kit::{lying_capsule, rectangle};
use crate::mark::{Mark, Tone};
use crate::scene::{Category, DT, Scene, Script, Stage};
use crate::validation::lab::{G, settings, slab};
use crate::validation::squeezer::Scale;
use crate::validation::{arch, blocks, four_bar, friction, hopper, squeezer};
use crate::view::Frame;
use cairn2d::prelude::{Capsule, Filter, Polygon, Shape, ShapeDef, World, point};

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        Category::Stacking,
        "masonry_arch",
        "The least thickness of an arch",
        Frame::new(-26.0, -1.5, 26.0, 13.0),
        masonry_arch,
    )
    .about("Semicircular arches of 31 stones with 1.02 and 0.98 of the thickness that a line of thrust needs: one stands.")
    .steps(140)
    .with_exits(),
    Scene::new(
        Category::Stacking,
        "book_overhang",
        "The largest overhang",
        Frame::new(-5.0, -1.5, 9.5, 7.0),
        book_overhang,
    )
    .about("Thirty-one books reach two lengths beyond the table at 0.99 of the harmonic limit; at 1.01 of it the top falls off.")
    .steps(110)
    .with_exits(),
    Scene::new(
        Category::Stacking,
        "rocking_blocks",
        "Rocking blocks",
        Frame::new(-4.0, -1.0, 8.0, 5.5),
        rocking_blocks,
    )
    .about("Blocks of the same slenderness are released at half the tilt at which they fall: the larger a block, the slower it rocks.")
    .steps(80),
    Scene::new(
        Category::Joints,
        "four_bars",
        "Four-bar linkages that pass through a line",
        Frame::new(-1.5, -1.5, 3.5, 1.5),
        four_bars,
    )
    .about("Three cranks turn and keep parallel, although all bars lie on a line twice a turn.")
    .steps(330),
    Scene::new(
        Category::Joints,
        "squeezer",
        "Andrews' squeezing mechanism",
        Frame::new(-2.4, -1.0, 0.8, 1.5),
        squeezing_mechanism,
    )
    .about("Seven bodies in closed loops, driven by a torque on the crank, at twenty times its size and two hundred times slower.")
    .steps(200),
    Scene::new(
        Category::Contacts,
        "capstan",
        "The capstan",
        Frame::new(-3.5, -4.0, 3.5, 1.8),
        capstan,
    )
    .about("Belts over half a drum with friction 0.3: a weight of 2.5 times the other is held, one of 2.65 times is not.")
    .steps(150)
    .with_exits(),
    Scene::new(
        Category::Contacts,
        "hopper",
        "A hopper",
        Frame::new(-16.0, -5.0, 16.0, 23.0),
        hopper_flow,
    )
    .about("Discs flow out of a hopper: the rate grows with the power 3/2 of the opening, whatever the height above it.")
    // A flowing heap is iterated: thirty layers press its lowest discs together, by 8 to 11 slops from step to step.
    .overlap(12.0)
    .steps(420)
    .with_exits(),
];

fn engine() -> CairnEngine {
    CairnEngine::new(&settings(G), None)
}

/// Gives the bodies the picture's colors in turn.
fn tint(engine: &mut CairnEngine, bodies: &[BodyHandle]) {
    for (index, &body) in bodies.iter().enumerate() {
        let id = engine.id(body);
        engine.world.body_mut(id).set_user_data(index as u64);
    }
}

/// Adds a shape that is seen and neither weighs nor collides.
fn paint(engine: &mut CairnEngine, body: BodyHandle, shape: impl Into<Shape>) {
    let nothing = Filter {
        mask: 0,
        ..Filter::default()
    };
    let def = ShapeDef::default().density(0.0).filter(nothing);
    engine.create_shape(body, &shape.into(), &def);
}

fn masonry_arch() -> Stage {
    let mut engine = engine();
    let least = arch::least_thickness(arch::STONES) * arch::RADIUS;
    for (factor, middle) in [(1.02, -13.0), (0.98, 13.0)] {
        let stones = arch::build(&mut engine, arch::STONES, factor * least, middle);
        tint(&mut engine, &stones);
    }
    Stage::new(engine.world)
}

fn book_overhang() -> Stage {
    let mut engine = engine();
    for (factor, edge) in [(0.99, -0.5), (1.01, 6.5)] {
        let books = blocks::build_books(&mut engine, 31, factor, edge);
        tint(&mut engine, &books);
    }
    Stage::new(engine.world)
}

fn rocking_blocks() -> Stage {
    let mut engine = engine();
    slab(&mut engine, [-5.0, -1.0, 9.0, 0.0], &blocks::rough());
    let mut rockers = Vec::new();
    for (size, x) in [(0.5, -2.0), (1.0, 0.5), (2.0, 4.5)] {
        let half = blocks::ROCKER.map(|half| size * half);
        rockers.push(blocks::build_rocker(&mut engine, half, x));
    }
    tint(&mut engine, &rockers);
    Stage::new(engine.world)
}

fn four_bars() -> Stage {
    let mut engine = engine();
    let bars = four_bar::Linkage::benchmark(2).build(&mut engine);
    let all = [bars.cranks, bars.couplers].concat();
    for &bar in &all {
        paint(&mut engine, bar, lying_capsule(0.5, 0.04));
    }
    tint(&mut engine, &all);
    Stage::new(engine.world)
}

/// Size and slowness of the squeezing mechanism in the picture.
const SQUEEZER_SCALE: Scale = Scale {
    length: 20.0,
    time: 200.0,
};

/// Drives the squeezing mechanism.
#[derive(Clone)]
struct Drive {
    bodies: Vec<BodyHandle>,
    /// Holds the stage's world while forces are applied, and an empty one else.
    engine: CairnEngine,
}

impl Script for Drive {
    fn before_step(&mut self, world: &mut World, _step: u64) {
        core::mem::swap(world, &mut self.engine.world);
        squeezer::drive(&mut self.engine, &self.bodies, DT.into(), SQUEEZER_SCALE);
        core::mem::swap(world, &mut self.engine.world);
    }

    /// Draws the spring.
    fn marks(&self, world: &World) -> Vec<Mark> {
        let scaled = |x: f64| (x * SQUEEZER_SCALE.length) as f32;
        let [x, y] = squeezer::SPRING_ANCHOR.map(scaled);
        let body = world.body(self.engine.id(self.bodies[2]));
        vec![Mark::Line {
            from: squeezer::C.map(|x| x * SQUEEZER_SCALE.length).into(),
            to: body.to_world_exact(point(x, y)),
            tone: Tone::Note,
        }]
    }
}

/// Half the width of the bodies of the squeezing mechanism \[m\].
const SQUEEZER_HALF_WIDTH: f32 = 0.025;

fn squeezing_mechanism() -> Stage {
    let mut engine = CairnEngine::new(&settings(0.0), None);
    let bodies = squeezer::build(&mut engine, SQUEEZER_SCALE);
    for (index, &body) in bodies.iter().enumerate() {
        let corners: Vec<_> = squeezer::anchors(index)
            .into_iter()
            .map(|anchor| anchor.map(|x| (x * SQUEEZER_SCALE.length) as f32))
            .map(|[x, y]| point(x, y))
            .collect();
        let shape = match corners[..] {
            [a, b] => Shape::from(Capsule::new(a, b, SQUEEZER_HALF_WIDTH)),
            _ => Polygon::rounded_hull(&corners, SQUEEZER_HALF_WIDTH).into(),
        };
        paint(&mut engine, body, shape);
    }
    tint(&mut engine, &bodies);
    let empty = CairnEngine::new(&settings(0.0), None).world;
    let world = core::mem::replace(&mut engine.world, empty);
    Stage::new(world).with(Drive { bodies, engine })
}

fn capstan() -> Stage {
    let mut engine = engine();
    for (ratio, middle) in [(2.5, -1.7), (2.65, 1.7)] {
        let (belt, weights) = friction::build_capstan(&mut engine, ratio, middle);
        tint(&mut engine, &belt);
        for (body, mass) in weights.into_iter().zip([1.0, ratio]) {
            let side = 0.2 * f64::sqrt(mass) as f32;
            paint(&mut engine, body, rectangle(side, side));
        }
    }
    Stage::new(engine.world)
}

fn hopper_flow() -> Stage {
    let mut engine = engine();
    let discs = hopper::build(&mut engine, 8.0);
    for (layer, discs) in discs.chunks(hopper::LAYER).enumerate() {
        for &disc in discs {
            let id = engine.id(disc);
            engine.world.body_mut(id).set_user_data(layer as u64);
        }
    }
    Stage::new(engine.world)
}
