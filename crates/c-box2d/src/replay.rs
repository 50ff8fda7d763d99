//! Replay of recordings: a player has a world of its own in the table, which shows the present step.

use crate::abi::{Fault, In, Out, Outcome, Zeroed, log};
use crate::registry::Registry;
use crate::slot::Slot;
use crate::stream::engine_part;
use crate::types::*;
use crate::worlds::{insert, remove, world, world_mut};
use cairn2d::{MAX_THREADS, Player, Recording, ReplayError};
use core::ffi::{c_int, c_void};

/// A player and its world.
struct Replay {
    player: Player,
    world: b2WorldId,
    threads: c_int,
    diverged_at: Option<u64>,
    budget: usize,
    interval: c_int,
}

static REPLAYS: Registry<Replay> = Registry::new("player");

/// Keyframe memory of a new player [bytes], and steps between keyframes. Both are stored only: the engine's recordings have
/// keyframes of their own.
const KEYFRAMES: (usize, c_int) = (512 << 20, 16);

fn threads(count: c_int) -> u32 {
    count.clamp(1, MAX_THREADS as c_int) as u32
}

/// Returns the bytes that C hands over.
fn bytes<'a>(data: *const c_void, size: c_int) -> Outcome<&'a [u8]> {
    In::<u8>::of_pointer(data.cast()).slice(size)
}

fn engine_fault(error: ReplayError) -> Fault {
    Fault::Engine(error.to_string())
}

fn open(bytes: &[u8], thread_count: c_int) -> Outcome<Player> {
    let recording = Recording::new(engine_part(bytes)?.to_vec()).map_err(engine_fault)?;
    let mut player = Player::new(recording).map_err(engine_fault)?;
    player.set_threads(threads(thread_count));
    Ok(player)
}

fn create(bytes: &[u8], thread_count: c_int) -> Outcome<usize> {
    let player = open(bytes, thread_count)?;
    let world = insert(|world0| Ok(Slot::new(player.world().clone(), world0)))?;
    Ok(REPLAYS.insert(Replay {
        player,
        world,
        threads: threads(thread_count) as c_int,
        diverged_at: None,
        budget: KEYFRAMES.0,
        interval: KEYFRAMES.1,
    }))
}

impl Replay {
    /// Notes a failed step. One whose result differs goes on; another ends the replay.
    fn note<T>(&mut self, result: Result<T, ReplayError>) -> Option<T> {
        match result {
            Ok(done) => Some(done),
            Err(error) => {
                if let ReplayError::Mismatch { step, .. } = error {
                    self.diverged_at.get_or_insert(step);
                }
                log(&error.to_string());
                None
            }
        }
    }

    /// Shows the present step in the table.
    fn show(&self) -> Outcome<()> {
        world_mut(self.world, |slot| {
            slot.world = self.player.world().clone();
            slot.events.clear();
            Ok(())
        })
    }

    fn is_at_end(&self) -> bool {
        self.player.step() >= self.player.recording().step_count()
    }

    fn step(&mut self) -> Outcome<bool> {
        if self.is_at_end() {
            return Ok(false);
        }
        let result = self.player.advance();
        let advanced = self.note(result).unwrap_or(false);
        self.show()?;
        Ok(advanced)
    }

    fn seek(&mut self, frame: c_int) -> Outcome<()> {
        let last = self.player.recording().step_count();
        let step = (frame.max(0) as u64).min(last);
        let result = self.player.seek(step);
        self.note(result);
        self.show()
    }

    fn info(&self) -> Outcome<b2RecPlayerInfo> {
        Ok(b2RecPlayerInfo {
            frameCount: self.player.recording().step_count() as c_int,
            workerCount: self.threads,
            timeStep: 1.0 / 60.0,
            subStepCount: self.player.world().def().substeps as c_int,
            lengthScale: crate::math::length_units(),
            bounds: b2AABB::zeroed(),
        })
    }

    fn body(&self, index: c_int) -> Outcome<b2BodyId> {
        world(self.world, |slot| {
            let mut bodies = slot.world.bodies();
            let found = bodies.find(|body| body.id().index() as c_int == index);
            Ok(found.map_or(b2BodyId::NULL, |body| b2BodyId::of(body.id(), slot.world0)))
        })
    }

    /// One more than the last slot of a body.
    fn body_count(&self) -> Outcome<c_int> {
        world(self.world, |slot| {
            let slots = slot.world.bodies().map(|body| body.id().index() + 1);
            Ok(slots.max().unwrap_or(0) as c_int)
        })
    }
}

fn with<R>(player: *const c_void, work: impl FnOnce(&mut Replay) -> Outcome<R>) -> Outcome<R> {
    REPLAYS.with(player as usize, work)
}

fn close(player: usize) -> Outcome<()> {
    let removed = REPLAYS.remove(player)?;
    let world = removed
        .lock()
        .map_or_else(|e| e.into_inner().world, |r| r.world);
    drop(remove(world)?);
    Ok(())
}

fn validate(bytes: &[u8], thread_count: c_int) -> bool {
    let Ok(mut player) = open(bytes, thread_count) else {
        return false;
    };
    loop {
        match player.advance() {
            Ok(true) => {}
            Ok(false) => return player.recording().defect().is_none(),
            Err(_) => return false,
        }
    }
}

c_functions! {
    fn b2ValidateReplay(data: *const c_void, size: c_int, threads: c_int) -> bool {
        bytes(data, size).is_ok_and(|bytes| validate(bytes, threads))
    }

    fn b2RecPlayer_Create(data: *const c_void, size: c_int, threads: c_int) -> *mut c_void {
        create(bytes(data, size)?, threads)? as *mut c_void
    }

    fn b2RecPlayer_Destroy(player: *mut c_void) {
        if !player.is_null() {
            close(player as usize)?;
        }
    }

    fn b2RecPlayer_StepFrame(player: *mut c_void) -> bool { with(player, Replay::step)? }

    fn b2RecPlayer_GetWorldId(player: *const c_void) -> b2WorldId { with(player, |replay| Ok(replay.world))? }

    fn b2RecPlayer_Restart(player: *mut c_void) { with(player, |replay| replay.seek(0))? }

    fn b2RecPlayer_SeekFrame(player: *mut c_void, frame: c_int) { with(player, |replay| replay.seek(frame))? }

    fn b2RecPlayer_GetFrame(player: *const c_void) -> c_int { with(player, |replay| Ok(replay.player.step() as c_int))? }

    fn b2RecPlayer_GetInfo(player: *const c_void) -> b2RecPlayerInfo { with(player, |replay| replay.info())? }

    fn b2RecPlayer_IsAtEnd(player: *const c_void) -> bool { with(player, |replay| Ok(replay.is_at_end()))? }

    fn b2RecPlayer_HasDiverged(player: *const c_void) -> bool { with(player, |replay| Ok(replay.diverged_at.is_some()))? }

    fn b2RecPlayer_GetDivergeFrame(player: *const c_void) -> c_int {
        with(player, |replay| Ok(replay.diverged_at.map_or(-1, |step| step as c_int)))?
    }

    fn b2RecPlayer_SetKeyframePolicy(player: *mut c_void, budget: usize, interval: c_int) {
        with(player, |replay| {
            if budget > 0 {
                replay.budget = budget;
            }
            if interval > 0 {
                replay.interval = interval;
            }
            Ok(())
        })?
    }

    fn b2RecPlayer_GetKeyframeBudget(player: *const c_void) -> usize { with(player, |replay| Ok(replay.budget))? }

    fn b2RecPlayer_GetKeyframeMinInterval(player: *const c_void) -> c_int { with(player, |replay| Ok(replay.interval))? }

    fn b2RecPlayer_GetKeyframeInterval(player: *const c_void) -> c_int { with(player, |replay| Ok(replay.interval))? }

    fn b2RecPlayer_GetKeyframeBytes(player: *const c_void) -> usize { with(player, |_| Ok(0))? }

    /// Recordings have no queries.
    fn b2RecPlayer_DrawFrameQueries(player: *mut c_void, _draw: Out<b2DebugDraw>, _index: c_int) { with(player, |_| Ok(()))? }

    fn b2RecPlayer_GetFrameQueryCount(player: *const c_void) -> c_int { with(player, |_| Ok(0))? }

    fn b2RecPlayer_GetFrameQuery(player: *const c_void, index: c_int) -> b2RecQueryInfo {
        with(player, |_| Err(Fault::Count(index)))?
    }

    fn b2RecPlayer_GetFrameQueryHit(player: *const c_void, query: c_int, _hit: c_int) -> b2RecQueryHit {
        with(player, |_| Err(Fault::Count(query)))?
    }

    fn b2RecPlayer_GetBodyCount(player: *const c_void) -> c_int { with(player, |replay| replay.body_count())? }

    fn b2RecPlayer_GetBodyId(player: *const c_void, index: c_int) -> b2BodyId { with(player, |replay| replay.body(index))? }
}
