//! A character climbs stairs and gentle slopes, stops at steep ones, and pushes a crate.

use cairn2d::prelude::*;

const DT: f32 = 1.0 / 60.0;

/// Walks to the right on `ground` for 3 s; returns where the character ends [m].
fn walk(ground: &[(f32, f32)]) -> Point {
    let mut world = World::default();
    let points: Vec<Point> = ground.iter().map(|&(x, y)| point(x, y)).collect();
    let terrain = world.create_body(BodyDef::static_());
    world.create_chain(terrain, &Chain::ground(&points), ShapeDef::default());
    let hero = world.create_body(BodyDef::kinematic().position(0.0, 0.8));
    let trunk = Capsule::new(point(0.0, -0.4), point(0.0, 0.4), 0.3);
    world.create_shape(hero, trunk, ShapeDef::default());
    let crate_ = world.create_body(BodyDef::dynamic().position(2.0, 0.3));
    world.create_shape(crate_, Polygon::rectangle(0.3, 0.3), ShapeDef::default());

    let controller = CharacterController::default().steps(0.35, 0.2);
    let mut fall = 0.0;
    for _ in 0..180 {
        fall += world.gravity().y * DT;
        let walk = controller.move_body(&mut world, hero, vec2(2.0, fall) * DT, DT);
        if walk.is_grounded() {
            fall = 0.0;
        }
        controller.push(&mut world, &walk, 80.0, DT);
        world.step(DT);
    }
    // The crate was pushed along, or up to the obstacle.
    assert!(world.body(crate_).position().x > 2.3);
    world.body(hero).position()
}

const LEVEL: [(f32, f32); 2] = [(-5.0, 0.0), (30.0, 0.0)];
const STEEP: [(f32, f32); 4] = [(-5.0, 0.0), (4.0, 0.0), (5.0, 4.0), (30.0, 4.0)];

fn main() {
    println!("on level ground {:.2}", walk(&LEVEL));
    println!("before a steep slope {:.2}", walk(&STEEP));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn character_pushes_a_crate_and_stops_at_a_steep_slope() {
        let level = walk(&LEVEL);
        assert!(level.x > 4.0 && (level.y - 0.7).abs() < 0.03, "{level}");
        let steep = walk(&STEEP);
        assert!(steep.x < 4.5 && steep.y < 1.2, "{steep}");
    }
}
