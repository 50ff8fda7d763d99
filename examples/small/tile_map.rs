//! A map of tiles from text: slopes, one-way platforms, and a tunnel that is dug while things move.

use cairn2d::prelude::*;

const DT: f32 = 1.0 / 60.0;

/// The top row first: `#` solid, `/` and `\` slopes, `=` one-way platforms.
const MAP: &str = r"
#                  #
#                  #
#     ====         #
#                  #
#            /###\ #
#           /#####\#
####################
####################
";

/// Heights of a ball on the platform, and after the ground below it was dug away [m].
fn run() -> [f32; 2] {
    let mut world = World::default();
    let mut grid = TileGrid::from_text(MAP, 1.0);
    grid.update(&mut world);
    let ball = world.create_body(BodyDef::dynamic().position(7.5, 7.5));
    world.create_shape(ball, Circle::of_radius(0.4), ShapeDef::default());
    for _ in 0..120 {
        world.step(DT);
    }
    let on_platform = world.body(ball).position().y;

    // Remove the platform, and dig one cell into the ground.
    let below = grid.cell_at((7.5, 5.5)).unwrap();
    for column in below[0] - 2..=below[0] + 3 {
        grid.set([column, below[1]], Tile::Empty);
    }
    grid.set([7, 1], Tile::Empty);
    let changes = grid.update(&mut world);
    println!(
        "{changes} pieces of surface changed of {}",
        grid.piece_count()
    );
    for _ in 0..180 {
        world.step(DT);
    }
    [on_platform, world.body(ball).position().y]
}

fn main() {
    let [before, after] = run();
    println!("the ball lay at {before:.2} m, then in the hole at {after:.2} m");
}

#[cfg(test)]
mod tests {
    #[test]
    fn ball_lies_on_the_platform_and_then_in_the_hole() {
        let [before, after] = super::run();
        assert!((before - 6.4).abs() < 0.01, "{before}");
        assert!((after - 1.4).abs() < 0.01, "{after}");
    }
}
