//! Query areas: few boxes that contain all walkers and their surroundings.

use cairn2d_dynamics::QueryFilter;
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// The surroundings of a walker that its agent considers.
#[derive(Clone, Copy, Debug)]
pub(super) struct AreaLookahead {
    pub(super) position: WorldPoint,
    /// Distance up to which obstacles affect the agent \[m\].
    pub(super) reach: f32,
    pub(super) filter: QueryFilter<'static>,
}

/// A box in which shapes are queried.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueryArea {
    pub(super) bounds: Aabb,
    pub(super) filter: QueryFilter<'static>,
}

/// Minimum side of the cells by which walkers share a query \[m\]: one query costs more than a few shapes
/// that no agent needs.
const MIN_CELL_SIDE: f32 = 8.0;

/// Returns boxes that contain everything in reach of the walkers; walkers of one cell share a box.
///
/// The boxes may also contain shapes beyond the reach, which depend on the cells. Results do not depend on them, since
/// agents ignore such shapes.
pub(super) fn query_areas(lookaheads: &[AreaLookahead]) -> Vec<QueryArea> {
    let reach = lookaheads.iter().map(|o| o.reach).fold(0.0, f32::max);
    let side = f64::from((2.0 * reach).max(MIN_CELL_SIDE));
    let cell = |p: WorldPoint| [(p.x / side).floor() as i64, (p.y / side).floor() as i64];
    let mut cells: Vec<([i64; 2], u32)> = (0u32..)
        .zip(lookaheads)
        .map(|(i, o)| (cell(o.position), i))
        .collect();
    cells.sort_unstable();
    let groups = cells.chunk_by(|a, b| a.0 == b.0);
    groups
        .map(|group| {
            let members = group.iter().map(|&(_, i)| &lookaheads[i as usize]);
            members
                .map(QueryArea::of)
                .reduce(QueryArea::with)
                .expect("chunks are not empty")
        })
        .collect()
}

impl QueryArea {
    fn of(lookahead: &AreaLookahead) -> Self {
        let center = lookahead.position.to_point();
        // The box is in `f32`, the position in `f64`.
        let rounding = f32::EPSILON * center.coords.abs().max();
        Self {
            bounds: Aabb::from_center_half(center, Vec2::repeat(lookahead.reach + rounding)),
            filter: lookahead.filter,
        }
    }

    fn with(self, other: Self) -> Self {
        Self {
            bounds: self.bounds.union(&other.bounds),
            filter: QueryFilter {
                category: self.filter.category | other.filter.category,
                mask: self.filter.mask | other.filter.mask,
                ..self.filter
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_walker_sees_its_reach_and_neighbors_share_a_box() {
        let places = [(0.0, 0.0), (1.0, 2.0), (100.0, 0.0), (1.0e6, 5.0)];
        let lookaheads = places.map(|place: (f64, f64)| AreaLookahead {
            position: place.into(),
            reach: 3.0,
            filter: QueryFilter::default(),
        });
        let found = query_areas(&lookaheads);
        assert_eq!(found.len(), 3);
        for lookahead in &lookaheads {
            let own = QueryArea::of(lookahead).bounds;
            assert!(
                found
                    .iter()
                    .any(|area| area.bounds.union(&own) == area.bounds)
            );
        }
    }
}
