//! Common form of circle, capsule, segment and polygon: vertices, normals and a radius.

use crate::math::{Point, Vec2};

/// View of the points within `radius` of the convex hull of `vertices`.
///
/// One vertex makes a disk, two a capsule or segment, more a polygon. `normals[i]` belongs to the
/// edge from vertex `i` to the next; one vertex has none, two have one for each side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundedHull<'a> {
    /// Corners of the core, counter-clockwise \[m\].
    pub vertices: &'a [Point],
    /// Outward unit normals of the edges.
    pub normals: &'a [Vec2],
    /// Rounding \[m\].
    pub radius: f32,
}
