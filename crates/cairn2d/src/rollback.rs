//! Rollback: repeats the last frames of a game when an input arrives late.

use cairn2d_dynamics::World;
use std::collections::VecDeque;
use thiserror::Error;

/// A game that keeps its last frames. Predict the inputs of the other players; when the real ones arrive, set them and
/// repeat the frames since then.
///
/// `I` is the input of a frame, of all players together. `S` is the state of the game: a [`World`], or a struct of yours
/// that implements [`Clone`] and contains the world. Everything that a frame reads and changes belongs in it: a
/// [`TileGrid`](crate::TileGrid), a [`CrowdController`](crate::CrowdController), random numbers, timers, the score.
///
/// The closure that you pass with each call makes the frame: it applies the input and steps the world. It must do the
/// same for the same state and input: see the manual on determinism. Peers with the same inputs have the same bits,
/// whatever the order in which the inputs arrived.
///
/// Each frame costs a clone of the state, and its memory.
///
/// ```
/// use cairn2d::Rollback;
/// use cairn2d::prelude::*;
///
/// let mut world = World::default();
/// let body = world.create_body(BodyDef::dynamic());
/// world.create_shape(body, Circle::of_radius(0.5), ShapeDef::default());
/// let play = |world: &mut World, kick: &f32| {
///     world.body_mut(body).apply_impulse(vec2(*kick, 0.0));
///     world.step(1.0 / 60.0);
/// };
///
/// let mut here = Rollback::new(world.clone(), 8);
/// for _ in 0..5 {
///     here.advance(0.0, play); // the prediction: no kick
/// }
/// here.set_input(2, 3.0).unwrap(); // it was kicked in frame 2
/// assert_eq!(here.repeat(play), 3);
///
/// let mut there = Rollback::new(world, 8);
/// for kick in [0.0, 0.0, 3.0, 0.0, 0.0] {
///     there.advance(kick, play);
/// }
/// assert_eq!(here.world().state_hash(), there.world().state_hash());
/// ```
///
/// A game with more state than the world:
///
/// ```
/// use cairn2d::Rollback;
/// use cairn2d::prelude::*;
///
/// #[derive(Clone)]
/// struct Game {
///     world: World,
///     score: u32,
/// }
/// let play = |game: &mut Game, points: &u32| {
///     game.score += points;
///     game.world.step(1.0 / 60.0);
/// };
/// let start = Game { world: World::default(), score: 0 };
/// let mut game = Rollback::new(start, 8);
/// for _ in 0..5 {
///     game.advance(0, play);
/// }
/// game.set_input(2, 7).unwrap();
/// game.repeat(play);
/// assert_eq!(game.state().score, 7);
/// assert_eq!(game.before(2).unwrap().score, 0);
/// ```
#[derive(Clone, Debug)]
pub struct Rollback<I, S = World> {
    state: S,
    /// The frames that can be repeated, oldest first.
    frames: VecDeque<Frame<I, S>>,
    /// Greatest number of frames that are kept.
    capacity: usize,
    /// Number of the next frame.
    next: u64,
    /// First frame that must be repeated: its input changed since it was made, or `step` panicked in it.
    changed: Option<u64>,
}

#[derive(Clone, Debug)]
struct Frame<I, S> {
    /// The state before the frame; on the heap, so that frames move cheaply.
    before: Box<S>,
    input: I,
}

/// The input of a frame that cannot be repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "frame {frame} is not among the frames {oldest} to {next} (exclusive) that can be repeated"
)]
#[non_exhaustive]
pub struct FrameError {
    /// Number of the frame.
    pub frame: u64,
    /// The oldest frame that can be repeated.
    pub oldest: u64,
    /// The frame that comes next.
    pub next: u64,
}

impl<I> Rollback<I> {
    /// Returns the world after the last frame.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.state
    }
}

impl<I, S: Clone> Rollback<I, S> {
    /// Starts at frame 0, and keeps the last `frames` frames.
    #[must_use]
    pub const fn new(state: S, frames: usize) -> Self {
        Self {
            state,
            frames: VecDeque::new(),
            capacity: frames,
            next: 0,
            changed: None,
        }
    }

    /// Returns the state after the last frame.
    #[must_use]
    pub const fn state(&self) -> &S {
        &self.state
    }

    /// Returns the state before `frame`, as it was after the frame before; before the next frame it is
    /// [`state`](Self::state). `None` if it is not kept, or not right yet: an earlier frame must be repeated.
    ///
    /// To find out early that two peers differ, exchange a hash of the state before the first frame for which an
    /// input is missing. All inputs before it are final, so the hashes must be equal.
    #[must_use]
    pub fn before(&self, frame: u64) -> Option<&S> {
        if self.changed.is_some_and(|changed| changed < frame) {
            return None;
        }
        if frame == self.next {
            return Some(&self.state);
        }
        Some(&self.frames[self.place(frame).ok()?].before)
    }

    /// Number of the next frame, which is the number of frames made so far.
    #[must_use]
    pub const fn next_frame(&self) -> u64 {
        self.next
    }

    /// Number of the oldest frame that can be repeated.
    #[must_use]
    pub fn oldest_frame(&self) -> u64 {
        self.next - self.frames.len() as u64
    }

    /// Returns the input of a frame that can be repeated.
    #[must_use]
    pub fn input(&self, frame: u64) -> Option<&I> {
        let place = self.place(frame).ok()?;
        Some(&self.frames[place].input)
    }

    /// Makes the next frame. Frames whose inputs were changed are repeated before it. If
    /// `step` panics, the frame counts as made, and is repeated with the next call.
    pub fn advance(&mut self, input: I, mut step: impl FnMut(&mut S, &I)) {
        self.repeat(&mut step);
        let Some(before) = self.keep() else {
            step(&mut self.state, &input);
            self.next += 1;
            return;
        };
        self.changed = Some(self.next);
        self.next += 1;
        self.frames.push_back(Frame { before, input });
        let place = self.frames.len() - 1;
        step(&mut self.state, &self.frames[place].input);
        self.changed = None;
    }

    /// Returns a copy of the state. It reuses the memory of the oldest frame if all frames are in use.
    fn keep(&mut self) -> Option<Box<S>> {
        if self.frames.len() < self.capacity {
            return Some(Box::new(self.state.clone()));
        }
        let mut before = self.frames.pop_front()?.before;
        S::clone_from(&mut before, &self.state);
        Some(before)
    }

    /// Replaces the input of an earlier frame. The state follows with the next [`repeat`](Self::repeat) or
    /// [`advance`](Self::advance).
    ///
    /// # Errors
    /// If the frame is older than the kept ones, or was not made yet.
    pub fn set_input(&mut self, frame: u64, input: I) -> Result<(), FrameError> {
        let place = self.place(frame)?;
        self.frames[place].input = input;
        self.changed = Some(self.changed.map_or(frame, |first| first.min(frame)));
        Ok(())
    }

    /// Goes back to the first frame whose input was changed, and repeats it and those after it. Returns their number.
    ///
    /// # Panics
    /// If `step` panics. The next call repeats that frame and those after it.
    pub fn repeat(&mut self, mut step: impl FnMut(&mut S, &I)) -> usize {
        let Some(first) = self.changed.and_then(|frame| self.place(frame).ok()) else {
            return 0;
        };
        self.state.clone_from(&self.frames[first].before);
        for place in first..self.frames.len() {
            if place > first {
                S::clone_from(&mut self.frames[place].before, &self.state);
            }
            self.changed = Some(self.oldest_frame() + place as u64);
            step(&mut self.state, &self.frames[place].input);
        }
        self.changed = None;
        self.frames.len() - first
    }

    fn place(&self, frame: u64) -> Result<usize, FrameError> {
        let (oldest, next) = (self.oldest_frame(), self.next);
        if (oldest..next).contains(&frame) {
            return Ok((frame - oldest) as usize);
        }
        Err(FrameError {
            frame,
            oldest,
            next,
        })
    }
}
