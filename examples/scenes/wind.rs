//! Bodies that the air moves.

use crate::kit::{circle, floor, hull, place, rectangle_at, thing, tinted, usual_world};
use crate::random::Random;
use crate::scene::{Category, Scene, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::sin_cos;
use cairn2d::prelude::{BodyId, ShapeDef, Spring, WheelJointDef, Wind, World, vec2};

pub(crate) const SCENES: &[Scene] = &[Scene::new(
    Category::Events,
    "breeze",
    "A breeze",
    Frame::new(-9.0, -1.0, 9.0, 7.0),
    breeze,
)
.about("A gusty breeze carries leaves, which flutter as they fall, and drives three carts: the larger the sail, the faster.")
.steps(170)
.with_exits()];

/// Mass of the air per area [kg/m^2]: thick, as all is light.
const AIR: f32 = 0.12;

/// Density of leaves and carts [kg/m^2].
const LEAF: f32 = 0.5;
const WOOD: f32 = 1.0;

const WHEEL: f32 = 0.25;

/// Adds a cart whose middle is at `x`, with a mast, and a sail of this height \[m\].
fn add_cart(world: &mut World, x: f32, sail: f32, tint: u64) -> BodyId {
    let surface = ShapeDef::default().density(WOOD);
    let height = 2.0 * WHEEL;
    let cart = world.create_body(tinted(thing(x, height), tint));
    let mast = 0.5 * sail + 0.3;
    for part in [
        rectangle_at(0.7, 0.08, 0.0, 0.0, 0.0),
        rectangle_at(0.03, mast, 0.0, mast, 0.0),
        rectangle_at(0.05, 0.5 * sail, 0.08, 0.5 * sail + 0.5, 0.0),
    ] {
        world.create_shape(cart, part, surface);
    }
    for side in [-0.5, 0.5] {
        let wheel = place(
            world,
            tinted(thing(x + side, WHEEL), tint),
            circle(WHEEL),
            surface,
        );
        let mut joint =
            WheelJointDef::new(cart, wheel).at(world, (x + side, WHEEL), vec2(0.0, 1.0));
        joint.spring = Some(Spring::new(8.0, 0.7));
        world.create_joint(joint);
    }
    cart
}

/// Adds leaves in the air, turned anyhow.
fn add_leaves(world: &mut World, count: u64) {
    let mut random = Random::new(5);
    for i in 0..count {
        let long = random.range(0.16, 0.28);
        let thick = 0.25 * long;
        let leaf = hull(&[(-long, 0.0), (0.0, thick), (long, 0.0), (0.0, -thick)]);
        let def = thing(random.range(-14.0, 4.0), random.range(3.0, 9.0));
        let def = tinted(def.angle(random.range(-1.5, 1.5)), i % 6);
        place(world, def, leaf, ShapeDef::default().density(LEAF));
    }
}

fn breeze() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 9.0);
    for (x, sail, tint) in [(-7.5, 0.7, 2), (-5.0, 1.4, 1), (-2.5, 2.2, 0)] {
        add_cart(&mut world, x, sail, tint);
    }
    add_leaves(&mut world, 90);
    Stage::new(world).with(|world: &mut World, step: u64| {
        let (gust, swell) = sin_cos(0.05 * step as f32);
        let wind = Wind {
            density: AIR,
            ..Wind::new(vec2(3.0 + 1.5 * gust, 0.5 * swell)).coefficients(1.2, 1.0)
        };
        let bodies: Vec<_> = world.bodies().map(|body| body.id()).collect();
        for body in bodies {
            world.body_mut(body).apply_wind(&wind);
        }
    })
}
