//! Who may be a neighbour: all whose edge is, but for rounding, within a gap of an agent.
//!
//! They are looked at four at a time. Places in `f32` are good enough for that; who is a
//! neighbour is decided from the places in `f64`.

use crate::lanes::{LANES, Lanes};
use crate::surroundings::Surroundings;
use crate::window::Window;
use cairn2d_geometry::math::WorldPoint;
use core::cmp::Ordering;
use wide::i32x4;

/// For each set of lanes, those in it, and how many they are.
const MEMBERS: [[i32; LANES]; 1 << LANES] = members();
const COUNTS: [usize; 1 << LANES] = counts();

/// Candidates that are ranked at once.
pub(crate) const RANKED: usize = 4 * LANES;

/// Whom an agent looks for.
#[derive(Clone, Copy)]
pub(crate) struct Search<'a> {
    pub(crate) around: &'a Surroundings<'a>,
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
    /// Places in the window.
    found: Vec<i32>,
    /// The same with the gaps to them [m], where the nearest have to be chosen.
    gaps: Vec<(f32, i32)>,
}

impl Candidates {
    /// Returns the agent itself and all whose edge may be within the gap, the nearest ones if they are more than
    /// `most`, as places in the window; and how many they are: the rest of the list fills up the last [`RANKED`].
    pub(crate) fn look(
        &mut self,
        search: &Search<'_>,
        window: &Window,
        most: usize,
    ) -> (&[i32], usize) {
        let mut count = self.collect(search, window);
        if !search.around.grid.alike {
            count = self.keep_seen(search, window, count);
        }
        if count > most {
            self.keep_nearest(search, window, count, most);
        }
        count = count.min(most);
        let filling = self.found[0] * i32::from(count > 0);
        self.found[count..][..RANKED].fill(filling);
        (&self.found[..count.next_multiple_of(RANKED)], count)
    }

    /// Puts those of `count` candidates first who are in the layers that the agent heeds; returns how many.
    fn keep_seen(&mut self, search: &Search<'_>, window: &Window, count: usize) -> usize {
        let manners = &search.around.grid.manners;
        let mut kept = 0;
        for i in 0..count {
            let place = self.found[i];
            if manners[window.index(place) as usize].layers & search.mask != 0 {
                self.found[kept] = place;
                kept += 1;
            }
        }
        kept
    }

    /// Puts the `most` nearest of `count` candidates first.
    fn keep_nearest(&mut self, search: &Search<'_>, window: &Window, count: usize, most: usize) {
        let found = &mut self.found[..count];
        self.gaps.clear();
        let gaps = found
            .iter()
            .map(|&place| (search.gap_to(window.index(place)), place));
        self.gaps.extend(gaps);
        let order = |a: &(f32, i32), b: &(f32, i32)| {
            let gap = a.0.total_cmp(&b.0);
            gap.then_with(|| search.by_place(window.index(a.1), window.index(b.1)))
        };
        self.gaps.select_nth_unstable_by(most - 1, order);
        for (place, (_, chosen)) in found.iter_mut().zip(&self.gaps) {
            *place = *chosen;
        }
    }

    /// Collects the agent itself and all whose edge may be within the gap; returns how many.
    fn collect(&mut self, search: &Search<'_>, window: &Window) -> usize {
        let (at, slack) = window.spot(search.center);
        let (x, y) = (Lanes::splat(at.x), Lanes::splat(at.y));
        let range = Lanes::splat(search.gap + slack);
        // More are written than count.
        if self.found.len() < window.len() + RANKED {
            self.found.resize(2 * window.len() + RANKED, 0);
        }
        let (mut count, mut first) = (0, i32x4::splat(0));
        for [xs, ys, radii] in window.fours() {
            let (x, y) = (xs - x, ys - y);
            let range = range + radii;
            let bits = (x * x + y * y).simd_le(range * range).to_bitmask();
            let those = i32x4::new(MEMBERS[bits as usize % MEMBERS.len()]) + first;
            self.found[count..count + LANES].copy_from_slice(those.as_array());
            count += count_lanes(bits);
            first += i32x4::splat(LANES as i32);
        }
        count
    }
}

impl Search<'_> {
    /// Returns the gap to a sorted agent's edge [m].
    fn gap_to(&self, index: i32) -> f32 {
        let place = &self.around.grid.places[index.cast_unsigned() as usize];
        let way = place.center - self.center;
        (way.x * way.x + way.y * way.y).sqrt() - place.radius
    }

    /// Compares two sorted agents by their place, and on one spot by their name.
    pub(crate) fn by_place(&self, a: i32, b: i32) -> Ordering {
        let (a, b) = (a.cast_unsigned() as usize, b.cast_unsigned() as usize);
        let (p, q) = (self.around.grid.position(a), self.around.grid.position(b));
        let place = p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y));
        place.then(
            self.around.grid.places[a]
                .slot
                .cmp(&self.around.grid.places[b].slot),
        )
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
