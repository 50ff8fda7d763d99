//! Half-planes in lanes: a list in blocks of eight.

use crate::half_plane::HalfPlane;
use crate::tuning::MAX_NEIGHBORS;
use cairn2d_geometry::math::{Vec2, vec2};
use cairn2d_simd::{BASELINE8, Baseline8, F32, F32x8, LANES, Lanes8, Mask, Simd};

/// Eight half-planes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub(crate) normal_x: F32x8,
    pub(crate) normal_y: F32x8,
    pub(crate) offset: F32x8,
}

impl Block {
    /// Eight trivial half-planes, which every velocity satisfies.
    pub(crate) const ALL: Self = Self {
        normal_x: F32x8::splat(1.0),
        normal_y: F32x8::splat(0.0),
        offset: F32x8::splat(f32::NEG_INFINITY),
    };

    /// Returns the violation of each by `velocity` [m/s]; negative inside.
    #[inline(always)]
    pub(crate) fn violation<L: Lanes8>(&self, simd: L::Simd, velocity: &Vec2) -> L {
        self.violations([simd.splat(velocity.x), simd.splat(velocity.y)])
    }

    /// The same for one velocity per lane.
    #[inline(always)]
    pub(crate) fn violations<L: Lanes8>(&self, [x, y]: [L; 2]) -> L {
        let simd = x.simd();
        L::load(simd, &self.offset)
            - (L::load(simd, &self.normal_x) * x + L::load(simd, &self.normal_y) * y)
    }

    /// Returns the block with all but the first `count` half-planes replaced by trivial ones.
    #[inline(always)]
    pub(crate) fn up_to<L: Lanes8>(&self, simd: L::Simd, count: usize) -> Self {
        let none = simd.splat(f32::NEG_INFINITY);
        Self {
            offset: L::select(
                L::mask_first(simd, count),
                L::load(simd, &self.offset),
                none,
            )
            .store(),
            ..*self
        }
    }

    /// Writes one of the eight.
    pub(crate) fn set(&mut self, lane: usize, plane: &HalfPlane) {
        self.normal_x.0[lane] = plane.normal.x;
        self.normal_y.0[lane] = plane.normal.y;
        self.offset.0[lane] = plane.offset;
    }
}

/// A list of half-planes.
///
/// A tier starts with a new block. The last block of the tier before is padded with trivial half-planes, so that
/// indices count blocks and lanes alike.
#[derive(Clone, Debug)]
pub(crate) struct Planes {
    /// Blocks in use, then unused ones: the list is refilled for each agent.
    memory: Vec<Block>,
    used: usize,
    /// Number of half-planes in use, with padding.
    len: usize,
}

impl Default for Planes {
    fn default() -> Self {
        Self {
            memory: vec![Block::ALL; INITIAL_BLOCKS],
            used: 0,
            len: 0,
        }
    }
}

/// Initial capacity in blocks: all neighbors, and as many walls.
const INITIAL_BLOCKS: usize = 2 * MAX_NEIGHBORS / LANES;

impl Planes {
    /// Returns the number of half-planes, with padding.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns the blocks.
    #[inline]
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.memory[..self.used]
    }

    /// Cuts the list off at the end of a tier.
    pub(crate) fn truncate(&mut self, len: usize) {
        debug_assert!(len.is_multiple_of(LANES), "a tier ends with a block");
        self.used = self.used.min(len / LANES);
        self.len = len;
    }

    pub(crate) fn push(&mut self, plane: &HalfPlane) {
        if self.len == LANES * self.used {
            self.append(LANES)[0] = Block::ALL;
            self.len -= LANES;
        }
        self.memory[self.len / LANES].set(self.len % LANES, plane);
        self.len += 1;
    }

    /// Appends eight at once.
    pub(crate) fn push_block(&mut self, block: Block) {
        self.append(LANES)[0] = block;
    }

    /// Appends blocks for `count` half-planes and returns them for writing.
    pub(crate) fn append(&mut self, count: usize) -> &mut [Block] {
        let start = self.used;
        self.used += count.div_ceil(LANES);
        self.len = LANES * self.used;
        if self.memory.len() < self.used {
            self.memory.resize(2 * self.used, Block::ALL);
        }
        &mut self.memory[start..self.used]
    }

    /// Ends a tier and returns its end.
    pub(crate) fn end_tier(&mut self) -> usize {
        self.len = LANES * self.used;
        self.len
    }

    /// Returns the half-plane at `index`.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> HalfPlane {
        let (block, lane) = (&self.memory[index / LANES], index % LANES);
        HalfPlane {
            normal: vec2(block.normal_x.0[lane], block.normal_y.0[lane]),
            offset: block.offset.0[lane],
        }
    }

    /// Iterates over the half-planes of a range of indices, without padding.
    pub(crate) fn iter(
        &self,
        range: core::ops::Range<usize>,
    ) -> impl Iterator<Item = HalfPlane> + '_ {
        range
            .map(|i| self.get(i))
            .filter(|plane| plane.offset > f32::NEG_INFINITY)
    }

    /// Returns the first half-plane from index `from` on that `velocity` violates by more than
    /// `limit` [m/s].
    #[inline(always)]
    pub(crate) fn first_violated<L: Lanes8>(
        &self,
        simd: L::Simd,
        from: usize,
        velocity: &Vec2,
        limit: f32,
    ) -> Option<usize> {
        let mut skip = u32::MAX << (from % LANES);
        for (i, block) in self.blocks().iter().enumerate().skip(from / LANES) {
            let violated = block.violation::<L>(simd, velocity).gt(simd.splat(limit));
            let mask = violated.bits() & skip;
            if mask != 0 {
                return Some(LANES * i + mask.trailing_zeros() as usize);
            }
            skip = u32::MAX;
        }
        None
    }

    /// Returns the one of the first `end` half-planes that `velocity` violates most, if any; the first of equal ones.
    pub(crate) fn most_violated(&self, end: usize, velocity: &Vec2) -> Option<usize> {
        let (mut worst, mut found) = (0.0, None);
        for (i, block) in self.blocks()[..end / LANES].iter().enumerate() {
            let violations = block
                .violation::<F32<Baseline8>>(BASELINE8, velocity)
                .store()
                .0;
            for (lane, &violation) in violations.iter().enumerate() {
                if violation > worst {
                    (worst, found) = (violation, Some(LANES * i + lane));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_start_with_blocks_and_filling_is_satisfied_by_all() {
        let mut planes = Planes::default();
        let plane = |offset| HalfPlane::new(vec2(0.0, 1.0), offset);
        for i in 0..5 {
            planes.push(&plane(i as f32));
        }
        assert_eq!(planes.end_tier(), 8);
        planes.push(&plane(9.0));
        assert_eq!(planes.get(8), plane(9.0));
        assert_eq!(planes.iter(0..8).count(), 5);
        assert_eq!(
            planes.first_violated::<F32<Baseline8>>(BASELINE8, 0, &vec2(0.0, 2.5), 0.0),
            Some(3)
        );
        assert_eq!(
            planes.first_violated::<F32<Baseline8>>(BASELINE8, 5, &vec2(0.0, 2.5), 0.0),
            Some(8)
        );
        assert_eq!(
            planes.first_violated::<F32<Baseline8>>(BASELINE8, 0, &vec2(0.0, 9.0), 0.0),
            None
        );
        planes.truncate(8);
        assert_eq!(
            planes.first_violated::<F32<Baseline8>>(BASELINE8, 5, &vec2(0.0, 2.5), 0.0),
            None
        );
    }
}
