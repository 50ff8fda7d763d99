//! Maps of tiles.

use crate::kit::{circle, place, rectangle, standing_capsule, thing, tinted, usual_world};
use crate::random::Random;
use crate::scene::{Category, DT, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::prelude::{
    BodyDef, BodyId, CharacterController, ShapeDef, Tile, TileGrid, World, vec2,
};

pub(crate) const SCENES: &[Scene] = &[Scene::new(
    Category::Contacts,
    "tile_map",
    "A map of tiles",
    Frame::new(-0.5, -0.5, 40.5, 16.5),
    tile_map,
)
.about("A runner crosses a map of solid, sloped and one-way cells. Three seconds in, cells are dug away below the balls: they fall into the pit.")
.steps(420)];

/// The top row first: `#` solid, `/` and `\` slopes, `F` and `7` slanted ceilings, `=` one-way cells.
const MAP: &str = r"
########################################
#F                                    7#
#                                      #
#                                      #
#                        ====          #
#                                      #
#              ====                    #
#                                      #
#        ===            /##\           #
#                      /####\          #
#   /\                /######\         #
#  /##\         /####/########\      / #
# /####\       /###############\    /# #
########################################
########################################
########################################
";

/// Step at which the pit is dug.
const DIG: u64 = 180;

/// Speeds of the runner [m/s].
const RUN: f32 = 6.0;
const JUMP: f32 = 8.5;

/// The map, and the runner on it.
#[derive(Clone)]
struct Runner {
    map: TileGrid,
    body: BodyId,
    rise: f32,
    is_grounded: bool,
}

impl Script for Runner {
    fn before_step(&mut self, world: &mut World, step: u64) {
        if step == DIG {
            for column in 9..14 {
                for row in 1..3 {
                    self.map.set([column, row], Tile::Empty);
                }
            }
            self.map.update(world);
        }
        let x = world.body(self.body).position().x;
        let is_at_ledge = (8.5..9.5).contains(&x) || (31.5..32.5).contains(&x);
        if self.is_grounded && is_at_ledge {
            self.rise = JUMP;
        }
        self.rise += world.gravity().y * DT;
        let run = if x < 38.0 { RUN } else { 0.0 };
        let controller = CharacterController::default();
        let walk = controller.move_body(world, self.body, vec2(run, self.rise) * DT, DT);
        self.is_grounded = walk.is_grounded();
        if self.is_grounded {
            self.rise = 0.0;
        }
        controller.push(world, &walk, 80.0, DT);
    }
}

fn tile_map() -> Stage {
    let mut world = usual_world();
    let mut map = TileGrid::from_text(MAP, 1.0);
    map.update(&mut world);
    let mut random = Random::new(3);
    for i in 0..24_u8 {
        let (column, row) = (f32::from(i % 6), f32::from(i / 6));
        let at = thing(9.3 + 0.8 * column + random.range(0.0, 0.1), 7.5 + row);
        place(
            &mut world,
            tinted(at, i.into()),
            circle(0.35),
            ShapeDef::default(),
        );
    }
    for i in 0..5_u8 {
        let at = tinted(
            thing(25.4 + 0.7 * f32::from(i), 12.5 + 0.1 * f32::from(i)),
            1,
        );
        place(&mut world, at, rectangle(0.3, 0.3), ShapeDef::default());
    }
    let body = BodyDef::kinematic().position(1.5, 3.9);
    let body = place(
        &mut world,
        body,
        standing_capsule(0.4, 0.35),
        ShapeDef::default(),
    );
    Stage::new(world).with(Runner {
        map,
        body,
        rise: 0.0,
        is_grounded: false,
    })
}
