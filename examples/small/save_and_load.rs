//! A game is saved to a file and loaded: it goes on with the same bits, and its ids stay valid.

use cairn2d::prelude::*;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

const DT: f32 = 1.0 / 60.0;

fn tower() -> (World, BodyId) {
    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    world.create_shape(ground, Polygon::rectangle(20.0, 1.0), ShapeDef::default());
    for i in 0..10_u8 {
        let body = world.create_body(BodyDef::dynamic().position(0.0, 0.5 + f32::from(i)));
        world.create_shape(body, Polygon::rectangle(0.5, 0.5), ShapeDef::default());
    }
    let ball = world.create_body(BodyDef::dynamic().position(-8.0, 4.0).velocity(15.0, 3.0));
    world.create_shape(ball, Circle::of_radius(0.5), ShapeDef::default());
    (world, ball)
}

/// Runs a game, saves it in the middle, and plays both on. Returns the hashes of their ends.
fn run(file: PathBuf) -> Result<[u64; 2], Box<dyn Error>> {
    let (mut world, ball) = tower();
    for _ in 0..40 {
        world.step(DT);
    }
    fs::write(&file, world.save())?;

    let bytes = fs::read(&file)?;
    fs::remove_file(&file)?;
    let mut loaded = World::load(&bytes)?;
    if loaded.body(ball).position() != world.body(ball).position() {
        return Err("the ball is elsewhere".into());
    }
    for _ in 0..200 {
        world.step(DT);
        loaded.step(DT);
    }
    Ok([world.state_hash(), loaded.state_hash()])
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::temp_dir().join("cairn2d_tower.save");
    let [played, loaded] = run(file)?;
    println!("hash of the game {played:016x}, of the loaded one {loaded:016x}");
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn loaded_game_ends_with_the_same_bits() {
        let name = format!("cairn2d_tower_{}.save", std::process::id());
        let [played, loaded] = super::run(std::env::temp_dir().join(name)).unwrap();
        assert_eq!(played, loaded);
    }
}
