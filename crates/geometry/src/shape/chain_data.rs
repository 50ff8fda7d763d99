//! Chains as data: their points, and which side is solid.

use super::{Chain, ChainKind, ChainSegment};
use crate::error::ShapeError;
use crate::math::Point;
use serde::{Deserialize, Serialize};

/// The solid side of a chain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum SolidSide {
    /// The right side, looking along the chain.
    #[default]
    Right,
    /// The upper side, in whichever order the points are: see [`Chain::ground`].
    Above,
    /// Both sides.
    Both,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChainData {
    points: Vec<Point>,
    #[serde(default = "open")]
    kind: ChainKind,
    #[serde(default)]
    side: SolidSide,
    /// Bodies may be let through it.
    #[serde(default)]
    platform: bool,
}

const fn open() -> ChainKind {
    ChainKind::Open
}

impl From<Chain> for ChainData {
    fn from(chain: Chain) -> Self {
        let is_two_sided = chain.segments[0].is_two_sided();
        let count = chain.segments.len() / if is_two_sided { 2 } else { 1 };
        let segments = &chain.segments[..count];
        let end = (chain.kind == ChainKind::Open).then(|| segments[count - 1].b());
        Self {
            points: segments.iter().map(ChainSegment::a).chain(end).collect(),
            kind: chain.kind,
            side: if is_two_sided {
                SolidSide::Both
            } else {
                SolidSide::Right
            },
            platform: segments[0].is_platform(),
        }
    }
}

impl TryFrom<ChainData> for Chain {
    type Error = ShapeError;

    fn try_from(data: ChainData) -> Result<Self, ShapeError> {
        let mut chain = match (data.side, data.kind) {
            (SolidSide::Above, ChainKind::Open) => Self::try_ground(&data.points)?,
            // A loop has no upper side: inside and outside differ.
            (SolidSide::Right | SolidSide::Above, kind) => Self::try_new(&data.points, kind)?,
            (SolidSide::Both, kind) => Self::try_two_sided(&data.points, kind)?,
        };
        if data.platform {
            for segment in &mut chain.segments {
                *segment = segment.into_platform();
            }
        }
        Ok(chain)
    }
}

impl Chain {
    /// Returns the chain that is made of the first of `segments`, if its points alone give them again.
    #[doc(hidden)]
    #[must_use]
    pub fn leading(segments: &[&ChainSegment]) -> Option<Self> {
        let first = segments.first()?;
        let follows = |pair: &[&ChainSegment]| {
            pair[0].ghost_after() == Some(pair[1].b()) && pair[0].b() == pair[1].a()
        };
        let linked = segments.windows(2).take_while(|pair| follows(pair)).count();
        let closing = segments[..=linked].iter().position(|s| s.b() == first.a());
        let (last, kind) = match closing {
            Some(last) if first.ghost_before().is_some() => (last, ChainKind::Loop),
            _ => (linked, ChainKind::Open),
        };
        let count = (last + 1) * if first.is_two_sided() { 2 } else { 1 };
        let chain = Self {
            segments: segments.get(..count)?.iter().map(|&&s| s).collect(),
            kind,
        };
        let again = Self::try_from(ChainData::from(chain.clone()));
        (again.as_ref() == Ok(&chain)).then_some(chain)
    }
}
