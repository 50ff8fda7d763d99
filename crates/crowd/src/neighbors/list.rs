//! The nearest neighbors of an agent, ordered by the gap to them.

use crate::neighbors::candidates::{COLUMNS, Candidates, Column, X, Y};
use crate::neighbors::step_context::StepContext;
use crate::tuning::MAX_NEIGHBORS;
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{F32x8, LANES, Lanes8, WIDE};

/// A neighbor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neighbor {
    /// From the agent's center to the other's [m].
    pub(crate) offset: Vec2,
    /// Distance of the centers [m].
    pub(crate) distance: f32,
    /// Index in the grid.
    pub(crate) index: u32,
}

/// Neighbors in columns, nearest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Neighbors {
    len: usize,
    /// Indices in the grid; the nearest fills the rest of the last block.
    pub(crate) index: [u32; MAX_NEIGHBORS],
    pub(crate) columns: [Column; COLUMNS],
}

impl Neighbors {
    /// Returns the number of neighbors.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Iterates over the neighbors, nearest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Neighbor> + '_ {
        (0..self.len).map(|i| {
            let offset = Vec2::new(at(&self.columns[X], i), at(&self.columns[Y], i));
            Neighbor {
                offset,
                distance: (offset.x * offset.x + offset.y * offset.y).sqrt(),
                index: self.index[i],
            }
        })
    }

    /// Replaces the velocity of each neighbor by its `expected` velocity, from its index in the grid and its
    /// velocity.
    pub(crate) fn expect(&mut self, expected: impl Fn(u32, [f32; 2]) -> Vec2) {
        for (i, &index) in self.index[..self.len].iter().enumerate() {
            let [.., x, y] = &mut self.columns;
            let (x, y) = (&mut x[i / LANES], &mut y[i / LANES]);
            let (x, y) = (&mut x.0[i % LANES], &mut y.0[i % LANES]);
            let velocity = expected(index, [*x, *y]);
            (*x, *y) = (velocity.x, velocity.y);
        }
    }

    /// Selects the nearest of some candidates in order, at most `limit`; returns the gap to the last of them [m].
    #[inline(always)]
    pub(crate) fn choose<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        candidates: &mut Candidates,
        ctx: &StepContext<'_>,
        [count, near]: [usize; 2],
        limit: usize,
    ) -> f32 {
        self.len = near.min(limit).min(MAX_NEIGHBORS);
        let last = candidates.arrange::<L>(simd, ctx, [count, near], self.len);
        for batch in 0..self.len.div_ceil(WIDE) {
            let index = &mut self.index.as_chunks_mut().0[batch];
            candidates.pick::<L>(simd, batch, index, &mut self.columns);
        }
        last
    }
}

/// Returns one number of a column.
#[inline]
fn at(column: &[F32x8], index: usize) -> f32 {
    column[index / LANES].0[index % LANES]
}
