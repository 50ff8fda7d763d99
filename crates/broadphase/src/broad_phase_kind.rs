//! The choice of a structure.

use cairn2d_geometry::state_choice;

/// Structure that finds the pairs. All find the same pairs, in the same order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BroadPhaseKind {
    /// A tree of boxes: for everything.
    #[default]
    Tree,
    /// Boxes sorted along one axis: for a few hundred, or for worlds that are long and flat.
    SweepAndPrune,
    /// A uniform grid: for many boxes of similar size.
    Grid,
}

state_choice!(BroadPhaseKind {
    Tree,
    SweepAndPrune,
    Grid,
});

impl BroadPhaseKind {
    /// Every structure.
    pub const ALL: &[Self] = &[Self::Tree, Self::SweepAndPrune, Self::Grid];
}
