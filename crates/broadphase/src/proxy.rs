//! Proxies: a box, a kind, a category, and the user's number of each shape.

use cairn2d_geometry::{Aabb, state_choice, state_record};
use thiserror::Error;

/// Kind of motion of a proxy; decides which pairs are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProxyKind {
    /// Does not move.
    Static,
    /// Moves as the program sets it; contacts do not push it.
    Kinematic,
    /// Moves, and contacts push it.
    #[default]
    Dynamic,
}

impl ProxyKind {
    /// Every kind, in the order of the enum.
    pub const ALL: [Self; 3] = [Self::Static, Self::Kinematic, Self::Dynamic];
}

/// Pairs of kinds that are reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pairing {
    /// Pairs with at least one dynamic side.
    #[default]
    Dynamic,
    /// Those, and kinematic against kinematic and static ones: a kinematic sensor detects walls.
    Kinematic,
}

state_choice!(Pairing { Dynamic, Kinematic });

impl Pairing {
    /// Returns `true` if a pair of these kinds is reported.
    #[must_use]
    pub const fn allows(self, a: ProxyKind, b: ProxyKind) -> bool {
        use ProxyKind::{Dynamic, Static};
        match self {
            Self::Dynamic => matches!(a, Dynamic) || matches!(b, Dynamic),
            Self::Kinematic => !(matches!(a, Static) && matches!(b, Static)),
        }
    }
}

state_choice!(ProxyKind {
    Static,
    Kinematic,
    Dynamic,
});

/// Name of a proxy: its kind and its place, 4 bytes. Reused after the proxy is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProxyId(u32);

/// Bits of a `ProxyId` below its kind.
const INDEX_BITS: u32 = 30;

impl ProxyId {
    /// No proxy.
    pub const NULL: Self = Self(u32::MAX);

    /// Returns `true` if this is `NULL`.
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.0 == u32::MAX
    }

    /// The kind given at insertion.
    ///
    /// # Panics
    /// When the id is `NULL`.
    #[must_use]
    #[inline]
    pub fn kind(self) -> ProxyKind {
        match self.0 >> INDEX_BITS {
            0 => ProxyKind::Static,
            1 => ProxyKind::Kinematic,
            2 => ProxyKind::Dynamic,
            _ => panic!("null proxy id"),
        }
    }

    /// Packs a kind and an index.
    pub(crate) fn new(kind: ProxyKind, index: u32) -> Self {
        assert!(
            index >> INDEX_BITS == 0,
            "more than 2^30 proxies of one kind"
        );
        Self(((kind as u32) << INDEX_BITS) | index)
    }

    /// Place among the proxies of its kind.
    #[inline]
    pub(crate) const fn index(self) -> u32 {
        self.0 & ((1 << INDEX_BITS) - 1)
    }
}

impl Default for ProxyId {
    fn default() -> Self {
        Self::NULL
    }
}

/// Returns `true` if a query with `mask` finds proxies with these category bits: if they share one, or if the
/// mask has all bits.
#[inline]
pub(crate) fn is_seen(category: u64, mask: u64) -> bool {
    mask == u64::MAX || category & mask != 0
}

/// A proxy, once for all kinds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) now: Aabb,
    /// The box at the last pairing, `EMPTY` for new boxes and boxes to be paired again.
    pub(crate) paired: Aabb,
    pub(crate) category: u64,
    pub(crate) data: u32,
    pub(crate) kind: ProxyKind,
    pub(crate) has_moved: bool,
}

state_record!(Record {
    now,
    paired,
    category,
    data,
    kind,
    has_moved,
});

/// A record, as the slot of an index that holds it is saved: `None` in a hole.
pub(crate) type SavedSlot = Option<Record>;

/// A box that the broad phase refuses.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BoxError {
    /// A coordinate is infinite or not a number.
    #[error("box {0:?} has a coordinate that is not finite")]
    NotFinite(Aabb),
    /// The minimum lies beyond the maximum.
    #[error("box {0:?} has its minimum beyond its maximum")]
    Inverted(Aabb),
}

/// Checks a box of the caller: finite, minimum not beyond maximum (no extent is fine).
pub(crate) fn check_box(aabb: &Aabb) -> Result<(), BoxError> {
    let all = [aabb.min.x, aabb.min.y, aabb.max.x, aabb.max.y];
    if !all.iter().all(|c| c.is_finite()) {
        return Err(BoxError::NotFinite(*aabb));
    }
    if aabb.min.x > aabb.max.x || aabb.min.y > aabb.max.y {
        return Err(BoxError::Inverted(*aabb));
    }
    Ok(())
}

/// Panics with the reason where `check_box` refuses.
#[inline]
pub(crate) fn demand_box(aabb: &Aabb) {
    if let Err(error) = check_box(aabb) {
        panic!("{error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::point;

    #[test]
    fn id_keeps_kind_and_index() {
        for kind in ProxyKind::ALL {
            let id = ProxyId::new(kind, 12_345);
            assert_eq!((id.kind(), id.index(), id.is_null()), (kind, 12_345, false));
        }
        assert!(ProxyId::default().is_null());
        assert_eq!(size_of::<ProxyId>(), 4);
    }

    #[test]
    fn bad_boxes_are_named() {
        let bad = Aabb {
            min: point(0.0, f32::NAN),
            max: point(1.0, 1.0),
        };
        assert!(matches!(check_box(&bad), Err(BoxError::NotFinite(_))));
        let inverted = Aabb {
            min: point(2.0, 0.0),
            max: point(1.0, 1.0),
        };
        assert_eq!(check_box(&inverted), Err(BoxError::Inverted(inverted)));
        let flat = Aabb {
            min: point(1.0, 0.0),
            max: point(1.0, 0.0),
        };
        assert_eq!(check_box(&flat), Ok(()));
    }
}
