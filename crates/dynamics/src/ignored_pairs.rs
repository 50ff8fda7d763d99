//! Pairs of bodies that the user exempted from collision, for some time or forever.

use cairn2d_geometry::{state_record, state_variants};

/// Time for which two bodies ignore each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum IgnoreFor {
    /// Until [`World::unignore_pair`](crate::World::unignore_pair).
    Forever,
    /// For this long, rounded to whole steps \[s\]: a bullet and its shooter.
    Time(f32),
    /// Until none of their shapes touch: for a body that is dropped, thrown or created inside another.
    Overlap,
    /// Only their one-way shapes, until none of them is near the other body: for a body that drops through the platform
    /// under it, see [`World::drop_through`](crate::World::drop_through). Solid shapes of the same bodies still collide.
    OneWay,
}

state_variants!(IgnoreFor {
    Forever = 0,
    Time(left) = 1,
    Overlap = 2,
    OneWay = 3,
});

/// A pair of bodies that ignore each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IgnoredPair {
    /// Slots of the two bodies, the smaller first.
    pub(crate) pair: (u32, u32),
    pub(crate) how_long: IgnoreFor,
}

state_record!(IgnoredPair { pair, how_long });

/// All pairs of bodies that ignore each other, in order of slots.
#[derive(Clone, Debug, Default)]
pub(crate) struct IgnoredPairs {
    pub(crate) list: Vec<IgnoredPair>,
}

state_record!(IgnoredPairs { list });

impl IgnoredPairs {
    fn place(&self, a: u32, b: u32) -> Result<usize, usize> {
        let pair = (a.min(b), a.max(b));
        self.list.binary_search_by_key(&pair, |entry| entry.pair)
    }

    /// Returns `true` if the two bodies ignore each other, at least at their one-way shapes.
    #[inline]
    pub(crate) fn contains(&self, a: u32, b: u32) -> bool {
        !self.list.is_empty() && self.place(a, b).is_ok()
    }

    /// Returns `true` if two shapes of the bodies `a` and `b` ignore each other; `is_one_way` says whether one of them is
    /// one-way.
    #[inline]
    pub(crate) fn contains_shapes(
        &self,
        a: u32,
        b: u32,
        is_one_way: impl FnOnce() -> bool,
    ) -> bool {
        if self.list.is_empty() {
            return false;
        }
        let entry = self.place(a, b).map(|place| &self.list[place].how_long);
        entry.is_ok_and(|how_long| *how_long != IgnoreFor::OneWay || is_one_way())
    }

    pub(crate) fn insert(&mut self, a: u32, b: u32, how_long: IgnoreFor) {
        match self.place(a, b) {
            Ok(place) => self.list[place].how_long = how_long,
            Err(place) => {
                let pair = (a.min(b), a.max(b));
                self.list.insert(place, IgnoredPair { pair, how_long });
            }
        }
    }

    pub(crate) fn remove(&mut self, a: u32, b: u32) -> bool {
        let place = self.place(a, b);
        place.map(|place| self.list.remove(place)).is_ok()
    }

    /// Removes the pairs of a body that is destroyed.
    pub(crate) fn forget(&mut self, body: u32) {
        self.list
            .retain(|entry| entry.pair.0 != body && entry.pair.1 != body);
    }
}
