//! Scenes in any size, to see how the time of a step grows with the number of bodies.

use super::{BenchmarkScene, Cast, pyramids, tumbler};
use crate::engine::Engine;

/// A kind of scene that can be built in any size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Small pyramids, each by itself: many islands at rest.
    Pyramids,
    /// One drum of boxes: a single island in motion.
    Drum,
}

impl Family {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Pyramids, Self::Drum];

    /// Returns the scene of the same kind in its published size: for its name and settings.
    #[must_use]
    pub fn scene(self) -> BenchmarkScene {
        match self {
            Self::Pyramids => pyramids::MANY,
            Self::Drum => tumbler::SCENE,
        }
    }

    /// Fills an empty world with about `bodies` bodies.
    pub fn build(self, engine: &mut dyn Engine, bodies: usize) -> Cast {
        let side = |per_square: usize| (bodies as f64 / per_square as f64).sqrt().round() as usize;
        match self {
            Self::Pyramids => {
                let side = side(pyramids::SMALL_COUNT).max(1);
                Cast::one(pyramids::build_many(engine, side))
            }
            Self::Drum => tumbler::build(engine, side(1).max(1)),
        }
    }
}
