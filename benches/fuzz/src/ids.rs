//! The ids of an episode: of present objects, of destroyed ones, of another world, and forged.

use crate::values::Values;
use cairn2d::{BodyId, JointId, ShapeId};

/// Places for ids of one kind.
const PLACES: usize = 32;

/// Ids of one kind, each in a place that its call draws. So a replay that leaves out a call still finds the others where they were.
#[derive(Clone, Debug)]
pub(crate) struct Shelf<T> {
    places: [Option<T>; PLACES],
}

impl<T: Copy> Default for Shelf<T> {
    fn default() -> Self {
        Self {
            places: [None; PLACES],
        }
    }
}

impl<T: Copy> Shelf<T> {
    /// Keeps an id instead of the one in a place that is drawn by lot.
    pub(crate) fn keep(&mut self, id: T, values: &mut Values) {
        self.places[values.below(PLACES)] = Some(id);
    }

    /// Returns the id in a place drawn by lot or the next one after it; seldom one of `foreign`, or one that `forge` makes.
    pub(crate) fn choose(&self, foreign: &[T], forge: fn(u64) -> T, values: &mut Values) -> T {
        let start = values.below(PLACES);
        let forged = forge(values.bits());
        match values.below(32) {
            0 => foreign.first().copied().unwrap_or(forged),
            1 => forged,
            _ => {
                let mut places = (start..start + PLACES).map(|place| self.places[place % PLACES]);
                places.find_map(|id| id).unwrap_or(forged)
            }
        }
    }
}

/// Ids of bodies, shapes and joints of the world, some of them stale.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ids {
    pub(crate) bodies: Shelf<BodyId>,
    pub(crate) shapes: Shelf<ShapeId>,
    pub(crate) joints: Shelf<JointId>,
}

/// Ids of another world.
#[derive(Clone, Debug, Default)]
pub(crate) struct Foreign {
    pub(crate) bodies: Vec<BodyId>,
    pub(crate) shapes: Vec<ShapeId>,
    pub(crate) joints: Vec<JointId>,
}
