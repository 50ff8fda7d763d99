//! Who may be a neighbour: all whose edge is, but for rounding, within a gap of an agent.
//!
//! Runs of the grid are looked at four agents at a time. Places in `f32` are good enough for that; who is a
//! neighbour is decided from the places in `f64`.

use crate::grid::Grid;
use crate::lanes::{LANES, Lanes};
use crate::tuning::CROWDED_RUN;
use cairn2d_geometry::math::WorldPoint;
use core::cmp::Ordering;
use core::ops::Range;
use wide::i32x4;

/// For each set of lanes, those in it, and how many they are.
const MEMBERS: [[i32; LANES]; 1 << LANES] = members();
const COUNTS: [usize; 1 << LANES] = counts();

/// Whom an agent looks for.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) grid: &'a Grid,
    /// Index in the grid of who looks.
    pub(crate) own: usize,
    pub(crate) center: WorldPoint,
    /// Layers that it heeds.
    pub(crate) mask: u32,
    /// Distance up to which edges are looked for [m].
    pub(crate) gap: f32,
}

/// The candidates of one search, kept to be filled again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    /// Indices in the grid.
    found: Vec<i32>,
    /// The same with the gaps to them [m], where the nearest have to be chosen.
    gaps: Vec<(f32, i32)>,
}

impl Candidates {
    /// Returns the agent itself and all whose edge may be within the gap, the nearest ones if they are more than
    /// `most`, as indices in the grid.
    pub(crate) fn look(&mut self, search: &Search<'_>, most: usize) -> &[i32] {
        let count = self.collect(search);
        if count > most {
            self.keep_nearest(search, count, most);
        }
        &self.found[..count.min(most)]
    }

    /// Puts the `most` nearest of `count` candidates first.
    fn keep_nearest(&mut self, search: &Search<'_>, count: usize, most: usize) {
        let found = &mut self.found[..count];
        self.gaps.clear();
        let gaps = found.iter().map(|&index| (search.gap_to(index), index));
        self.gaps.extend(gaps);
        let order = |a: &(f32, i32), b: &(f32, i32)| {
            let gap = a.0.total_cmp(&b.0);
            gap.then_with(|| search.by_place(a.1, b.1))
        };
        self.gaps.select_nth_unstable_by(most - 1, order);
        for (index, (_, chosen)) in found.iter_mut().zip(&self.gaps) {
            *index = *chosen;
        }
    }

    /// Collects the agent itself and all whose edge may be within the gap; returns how many.
    fn collect(&mut self, search: &Search<'_>) -> usize {
        let (grid, spots) = (search.grid, &search.grid.spots);
        let at = spots.place(search.center);
        let (x, y) = (Lanes::splat(at.x), Lanes::splat(at.y));
        let range = Lanes::splat(search.gap + spots.slack);
        let mask = i32x4::splat(search.mask.cast_signed());
        let mut count = 0;
        grid.runs(search.center, search.gap, |run| {
            let run = window(run, search.own);
            let chunks = run.start..run.start + run.len().next_multiple_of(LANES);
            // Four are written before it is known how many of them count.
            if self.found.len() < count + chunks.len() + LANES {
                self.found.resize(2 * (count + chunks.len()) + LANES, 0);
            }
            let xs = spots.x[chunks.clone()].as_chunks::<LANES>().0;
            let ys = spots.y[chunks.clone()].as_chunks::<LANES>().0;
            let radii = spots.radius[chunks.clone()].as_chunks::<LANES>().0;
            let layers = spots.layers[chunks].as_chunks::<LANES>().0;
            let mut first = run.start;
            for (((xs, ys), radii), layers) in xs.iter().zip(ys).zip(radii).zip(layers) {
                let (x, y) = (Lanes::new(*xs) - x, Lanes::new(*ys) - y);
                let range = range + Lanes::new(*radii);
                let near = (x * x + y * y).simd_le(range * range).to_bitmask();
                // Also of one who heeds all layers: an agent may be in none.
                let unseen = (i32x4::new(*layers) & mask).simd_eq(i32x4::splat(0));
                let mut bits = near & !unseen.to_bitmask();
                if first + LANES > run.end {
                    bits &= (1 << (run.end - first)) - 1;
                }
                let those = i32x4::new(MEMBERS[bits as usize % MEMBERS.len()]);
                let those = (those + i32x4::splat(first as i32)).to_array();
                self.found[count..count + LANES].copy_from_slice(&those);
                count += count_lanes(bits);
                first += LANES;
            }
        });
        count
    }
}

impl Search<'_> {
    /// Returns the gap to a sorted agent's edge [m].
    fn gap_to(&self, index: i32) -> f32 {
        let place = &self.grid.places[index.cast_unsigned() as usize];
        let way = place.center - self.center;
        (way.x * way.x + way.y * way.y).sqrt() - place.radius
    }

    /// Compares two sorted agents by their place, and on one spot by their name.
    pub(crate) fn by_place(&self, a: i32, b: i32) -> Ordering {
        let (a, b) = (a.cast_unsigned() as usize, b.cast_unsigned() as usize);
        let (p, q) = (self.grid.position(a), self.grid.position(b));
        let place = p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y));
        place.then(self.grid.near[a].slot.cmp(&self.grid.near[b].slot))
    }
}

/// Returns, for each set of lanes, the lanes in it.
const fn members() -> [[i32; LANES]; 1 << LANES] {
    let mut members = [[0; LANES]; 1 << LANES];
    let mut set = 0;
    while set < members.len() {
        let (mut lane, mut count) = (0, 0);
        while lane < LANES {
            if set >> lane & 1 == 1 {
                members[set][count] = lane as i32;
                count += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    members
}

/// Returns the number of lanes in each set of lanes.
const fn counts() -> [usize; 1 << LANES] {
    let mut counts = [0; 1 << LANES];
    let mut set = 0;
    while set < counts.len() {
        counts[set] = set.count_ones() as usize;
        set += 1;
    }
    counts
}

/// Returns the number of lanes in a set of lanes; what counts bits fast, not every processor has.
#[inline]
pub(crate) fn count_lanes(set: u32) -> usize {
    COUNTS[set as usize % COUNTS.len()]
}

/// Returns the part of a run to look at: all of it, unless agents are piled up in a cell.
#[inline]
fn window(run: Range<usize>, own: usize) -> Range<usize> {
    if run.len() <= CROWDED_RUN {
        return run;
    }
    let start = if run.contains(&own) {
        own.saturating_sub(CROWDED_RUN / 2).max(run.start)
    } else {
        run.start
    };
    start..run.end.min(start + CROWDED_RUN)
}
