//! Drops a box on the ground and watches it come to rest.

use cairn2d::prelude::*;

fn main() {
    let mut world = World::new(WorldDef::default());
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    world.create_shape(ground, Polygon::rectangle(20.0, 1.0), ShapeDef::default());
    let dropped = world.create_body(BodyDef::dynamic().position(0.0, 4.0).angle(0.3));
    world.create_shape(dropped, Polygon::rectangle(0.5, 0.5), ShapeDef::default());
    for step in 0..120 {
        world.step(1.0 / 60.0);
        for touch in world.contact_begins() {
            println!("step {step}: hit at {:.1} m/s", touch.approach_speed);
        }
        if step % 20 == 0 {
            println!(
                "step {step}: height {:.2} m",
                world.body(dropped).position().y
            );
        }
    }
}
