//! Recordings of all calls on a world, and players that repeat them.

use crate::bytes::cairn_bytes;
use crate::failure::{Failure, cairn_result, call};
use crate::handle::{Handle, change, destroy, give, read};
use crate::pointer::{array, put};
use crate::values::cairn_bool;
use crate::world::cairn_world;
use engine::{Player, Recording, RecordingDef};
use std::sync::RwLock;

/// Starts to record the calls on a world, from its present state.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_start_recording(world: *mut cairn_world) -> cairn_result {
    call(|| {
        change(world, |world| {
            if world.is_recording() {
                return Err(Failure::state("the world is already recording"));
            }
            world.start_recording(RecordingDef::default());
            Ok(())
        })
    })
}

/// Ends the recording of a world and writes it into `bytes`.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_stop_recording(
    world: *mut cairn_world,
    bytes: *mut cairn_bytes,
) -> cairn_result {
    call(|| {
        change(bytes, |bytes| {
            change(world, |world| {
                if !world.is_recording() {
                    return Err(Failure::state("the world is not recording"));
                }
                *bytes = world.stop_recording();
                Ok(())
            })
        })
    })
}

/// Repeats a recording. The caller owns it and destroys it with cairn_player_destroy().
pub struct cairn_player(RwLock<Player>);

impl Handle for cairn_player {
    type Inner = Player;
    const NAME: &'static str = "player";

    fn new(inner: RwLock<Player>) -> Self {
        Self(inner)
    }

    fn lock(&self) -> &RwLock<Player> {
        &self.0
    }
}

/// Creates a player at the start of a recording. The bytes are copied.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_player_create(
    data: *const u8,
    size: usize,
    player: *mut *mut cairn_player,
) -> cairn_result {
    call(|| {
        let data = array(data, size, "data")?;
        give(player, || Ok(Player::new(Recording::new(data)?)?))
    })
}

/// Destroys a player; null is ignored.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_player_destroy(player: *mut cairn_player) -> cairn_result {
    call(|| destroy(player))
}

/// Repeats the calls up to the end of the next step. Writes 0 to `advanced` if the recording is over.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_player_advance(
    player: *mut cairn_player,
    advanced: *mut cairn_bool,
) -> cairn_result {
    call(|| {
        change(player, |player| {
            put(advanced, player.advance()?.into(), "advanced")
        })
    })
}

/// Goes to the state after a step of the recording, forward or backward.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_player_seek(player: *mut cairn_player, step: u64) -> cairn_result {
    call(|| change(player, |player| Ok(player.seek(step)?)))
}

/// Writes the steps that a player has repeated, and those in its recording; null declines one.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_player_get_steps(
    player: *const cairn_player,
    step: *mut u64,
    step_count: *mut u64,
) -> cairn_result {
    call(|| {
        read(player, |player| {
            crate::pointer::put_optional(step, player.step(), "step")?;
            let steps = player.recording().step_count();
            crate::pointer::put_optional(step_count, steps, "step_count")
        })
    })
}

/// Creates a copy of the world of a player in its present state; the caller owns it.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_player_copy_world(
    player: *const cairn_player,
    world: *mut *mut cairn_world,
) -> cairn_result {
    call(|| give(world, || read(player, |player| Ok(player.world().clone()))))
}
