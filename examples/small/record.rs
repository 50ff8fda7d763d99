//! Records a game to a file, reads it back, and shows the moment of the kick again.

use cairn2d::prelude::*;
use cairn2d::{Player, Recording, RecordingDef};
use std::error::Error;
use std::fs::File;
use std::io::Write;
use std::path::Path;

const DT: f32 = 1.0 / 60.0;

/// Steps of the game, and the one before which the ball is kicked.
const STEPS: u64 = 240;
const KICK: u64 = 120;

/// Plays the game, and appends each step to the file: a crash would lose the last one only.
fn play(path: &Path) -> Result<(BodyId, u64), Box<dyn Error>> {
    let mut file = File::create(path)?;
    let mut world = World::new(WorldDef::default());
    world.start_recording(RecordingDef::default());
    let floor = world.create_body(BodyDef::static_().position(0.0, -1.0));
    world.create_shape(floor, Polygon::rectangle(20.0, 1.0), ShapeDef::default());
    let ball = world.create_body(BodyDef::dynamic().position(0.0, 3.0));
    world.create_shape(
        ball,
        Circle::of_radius(0.3),
        ShapeDef::default().restitution(0.5),
    );
    for step in 1..=STEPS {
        if step == KICK {
            world.body_mut(ball).apply_impulse(vec2(1.0, 0.5));
        }
        world.step(DT);
        file.write_all(&world.take_recording())?;
    }
    file.write_all(&world.stop_recording())?;
    Ok((ball, world.state_hash()))
}

/// Repeats the game from the file, and returns the hash of its end.
fn replay(path: &Path, ball: BodyId) -> Result<u64, Box<dyn Error>> {
    let mut player = Player::new(Recording::new(std::fs::read(path)?)?)?;
    for step in [KICK - 1, KICK, KICK + 1] {
        player.seek(step)?;
        let view = player.world().body(ball);
        println!(
            "step {step}: x {:.3} m, {:.2} m/s",
            view.position().x,
            view.velocity().x
        );
    }
    while player.advance()? {}
    Ok(player.world().state_hash())
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::temp_dir().join(format!("cairn2d-{}.recording", std::process::id()));
    let (ball, hash) = play(&path)?;
    let repeated = replay(&path, ball);
    std::fs::remove_file(&path)?;
    if repeated? != hash {
        return Err("the recording ends otherwise".into());
    }
    println!("{STEPS} steps repeat to the same bits");
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn recorded_game_repeats() {
        super::main().unwrap();
    }
}
