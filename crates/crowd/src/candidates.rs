//! Who is near enough to be a neighbour: all of a window whose edge is within a gap of an agent, the nearest first.
//!
//! Places in `f32` say, but for rounding, who is; they are looked at eight at a time. Those found are measured by
//! differences of places in `f64`. Then each gets the place of how many are nearer, found by counting, so no branch
//! depends on the numbers; those at one gap stand in order of their place in the plane, so that no order of storage
//! shows.

use crate::grid::Grid;
use crate::simd::{Eight, Indices, LANES, Lanes, count_lanes, each_lane};
use crate::tuning::MAX_NEIGHBORS;
use crate::window::Window;
use cairn2d_geometry::math::WorldPoint;

/// Candidates that are measured and ranked; of more the nearest are taken first.
const FEW: usize = 64;

/// Candidates that are ranked, and picked from, at once.
const RANKED: usize = 2 * LANES;

const _: () = assert!(FEW.is_multiple_of(RANKED) && FEW > MAX_NEIGHBORS);

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

/// The candidates of one search, kept to be filled again; a column of each number.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    /// Indices in the grid of those who may be near, of whom the first are measured.
    found: Vec<u32>,
    /// From the agent's center to theirs [m].
    x: [f32; FEW],
    y: [f32; FEW],
    radius: [f32; FEW],
    /// Velocities [m/s].
    velocity_x: [f32; FEW],
    velocity_y: [f32; FEW],
    /// Gaps to their edges [m], infinite for those too far.
    gap: [f32; FEW],
    /// How many are nearer.
    nearer: [u32; FEW],
    /// Which of them is the nearest, the second, and so on.
    order: [u32; FEW + LANES],
    /// Of those found where the nearest have to be chosen, the gaps [m].
    gaps: Vec<(f32, u32)>,
}

/// Eight candidates next in order.
pub(crate) struct Picked {
    pub(crate) index: Indices,
    pub(crate) x: Eight,
    pub(crate) y: Eight,
    pub(crate) radius: Eight,
    pub(crate) velocity_x: Eight,
    pub(crate) velocity_y: Eight,
}

impl Default for Candidates {
    fn default() -> Self {
        let zeros = [0.0; FEW];
        Self {
            found: vec![0; 4 * FEW],
            x: zeros,
            y: zeros,
            radius: zeros,
            velocity_x: zeros,
            velocity_y: zeros,
            gap: zeros,
            nearer: [0; FEW],
            order: [0; FEW + LANES],
            gaps: Vec::new(),
        }
    }
}

impl Candidates {
    /// Finds all of a window whose edge is within the gap, and measures them, or if they are too many the nearest ones;
    /// returns how many were measured, and how many of them are near enough.
    #[inline(always)]
    pub(crate) fn look<L: Lanes>(&mut self, search: &Search<'_>, window: &Window) -> [usize; 2] {
        let mut count = self.find::<L>(search, window);
        if !search.grid.alike {
            count = self.keep_seen(search, count);
        }
        if count > FEW {
            self.keep_nearest(search, count);
            count = FEW;
        }
        // Whoever fills up the last eights is measured and counts for nothing.
        self.found[count..][..RANKED].fill(search.own as u32);
        let mut near = 0;
        for start in (0..count).step_by(RANKED) {
            near += self.measure::<L>(search, start, count);
            near += self.measure::<L>(search, start + LANES, count);
        }
        [count, near]
    }

    /// Collects all others whose edge may be within the gap; returns how many.
    #[inline(always)]
    fn find<L: Lanes>(&mut self, search: &Search<'_>, window: &Window) -> usize {
        let (at, slack) = window.spot(search.center);
        let (x, y) = (L::splat(at.x), L::splat(at.y));
        let range = L::splat(search.gap + slack);
        // More are written than count.
        if self.found.len() < window.len() + RANKED {
            self.found.resize(2 * window.len() + RANKED, 0);
        }
        let found = self.found.as_mut_slice();
        let mut count = 0;
        for eight in window.eights() {
            let (x, y) = (L::read(eight.x) - x, L::read(eight.y) - y);
            let range = L::read(eight.radius) + range;
            let near = (x * x + y * y).le(range * range);
            let set = L::bits(L::without(near, eight.index, search.own as u32));
            if let Some(to) = found[count..].first_chunk_mut() {
                L::pack(eight.index, set, to);
            }
            count += count_lanes(set);
        }
        count
    }

    /// Measures eight of `count` candidates, from `start` on; returns how many of them are near enough.
    #[inline(always)]
    fn measure<L: Lanes>(&mut self, search: &Search<'_>, start: usize, count: usize) -> usize {
        let found = eight(&self.found, start);
        let places = each_lane(|lane| &search.grid.places[found[lane] as usize]);
        let center = [search.center.x, search.center.y];
        let [x, y] = L::ways(each_lane(|lane| &places[lane].center), center);
        let [velocity_x, velocity_y, radius, _] = L::rows(each_lane(|lane| &places[lane].body));
        let gap = (x * x + y * y).sqrt() - radius;
        let counts = L::first(count.saturating_sub(start));
        let near = L::both(gap.le(L::splat(search.gap)), counts);
        let gap = L::select(near, gap, L::splat(f32::INFINITY));
        let start = start % FEW;
        x.write(&mut self.x, start);
        y.write(&mut self.y, start);
        radius.write(&mut self.radius, start);
        velocity_x.write(&mut self.velocity_x, start);
        velocity_y.write(&mut self.velocity_y, start);
        gap.write(&mut self.gap, start);
        count_lanes(L::bits(near))
    }

    /// Puts `count` candidates in order, of whom `near` are near enough; returns the gap to the last of the `len`
    /// nearest [m].
    #[inline(always)]
    pub(crate) fn arrange<L: Lanes>(
        &mut self,
        grid: &Grid,
        [count, near]: [usize; 2],
        len: usize,
    ) -> f32 {
        if !self.rank::<L>(count, near) {
            self.sort(grid, count);
        }
        let Some(last) = len.checked_sub(1) else {
            return 0.0;
        };
        // What is left of the last eight repeats the nearest.
        let nearest = self.order[0];
        if let Some(rest) = self.order[len..].first_chunk_mut::<LANES>() {
            *rest = [nearest; LANES];
        }
        self.gap[self.order[last] as usize % FEW]
    }

    /// Returns the eight from place `8 * block` on, in the order found by [`Self::arrange`], of `count` candidates.
    #[inline(always)]
    pub(crate) fn pick<L: Lanes>(&self, block: usize, count: usize) -> Picked {
        let places = Indices(eight(&self.order, LANES * block));
        if count <= RANKED {
            let picking = L::picking(&places);
            let eight = |column: &[f32; FEW]| L::pick(sixteen(column), picking).store();
            return Picked {
                index: L::pick_integers(sixteen(&self.found), picking),
                x: eight(&self.x),
                y: eight(&self.y),
                radius: eight(&self.radius),
                velocity_x: eight(&self.velocity_x),
                velocity_y: eight(&self.velocity_y),
            };
        }
        let places = each_lane(|lane| places.0[lane] as usize % FEW);
        let eight = |column: &[f32; FEW]| Eight(each_lane(|lane| column[places[lane]]));
        Picked {
            index: Indices(each_lane(|lane| self.found[places[lane]])),
            x: eight(&self.x),
            y: eight(&self.y),
            radius: eight(&self.radius),
            velocity_x: eight(&self.velocity_x),
            velocity_y: eight(&self.velocity_y),
        }
    }

    /// Gives each candidate the place of how many are nearer; says whether no two of the `near` ones got the same,
    /// which they do where they are at one distance.
    #[inline(always)]
    fn rank<L: Lanes>(&mut self, count: usize, near: usize) -> bool {
        let all = count.next_multiple_of(RANKED).min(FEW);
        for start in (0..all).step_by(RANKED) {
            let (low, high) = (eight(&self.gap, start), eight(&self.gap, start + LANES));
            let (low, high) = (L::read(&low), L::read(&high));
            let (mut nearer_low, mut nearer_high) = (L::no_counts(), L::no_counts());
            for gaps in self.gap[..all].as_chunks::<RANKED>().0 {
                for &gap in gaps {
                    let gap = L::splat(gap);
                    nearer_low = L::count(nearer_low, gap.lt(low));
                    nearer_high = L::count(nearer_high, gap.lt(high));
                }
            }
            let nearer = &mut self.nearer[start..start + RANKED];
            nearer[..LANES].copy_from_slice(&L::store_counts(nearer_low).0);
            nearer[LANES..].copy_from_slice(&L::store_counts(nearer_high).0);
        }
        let mut sum = 0;
        for (&place, candidate) in self.nearer[..all].iter().zip(0..) {
            sum += place;
            // Those too far come behind all others, wherever that is.
            self.order[place as usize % FEW] = candidate;
        }
        // All others have as many nearer ones as there are near; two at one distance have one less together.
        let (near, all) = (near as u32, all as u32);
        sum + near == near * (near + 1) / 2 + (all - near) * near
    }

    /// Orders the first `count` candidates by gap, and those at one gap by their place.
    #[cold]
    fn sort(&mut self, grid: &Grid, count: usize) {
        let (gaps, index) = (&self.gap, &self.found);
        let order = &mut self.order[..count];
        for (place, candidate) in order.iter_mut().zip(0..) {
            *place = candidate;
        }
        order.sort_unstable_by(|&a, &b| {
            let (a, b) = (a as usize, b as usize);
            let gap = gaps[a].total_cmp(&gaps[b]);
            gap.then_with(|| grid.by_place(index[a], index[b]))
        });
    }

    /// Puts those of `count` candidates first who are in the layers that the agent heeds; returns how many.
    fn keep_seen(&mut self, search: &Search<'_>, count: usize) -> usize {
        let mut kept = 0;
        for i in 0..count {
            let index = self.found[i];
            self.found[kept] = index;
            let seen = search.grid.manners[index as usize].layers & search.mask != 0;
            kept += usize::from(seen);
        }
        kept
    }

    /// Puts the nearest of `count` candidates first.
    #[cold]
    fn keep_nearest(&mut self, search: &Search<'_>, count: usize) {
        let found = &mut self.found[..count];
        self.gaps.clear();
        let gap = |&index: &u32| (search.gap_to(index), index);
        self.gaps.extend(found.iter().map(gap));
        let order = |a: &(f32, u32), b: &(f32, u32)| {
            let gap = a.0.total_cmp(&b.0);
            gap.then_with(|| search.grid.by_place(a.1, b.1))
        };
        self.gaps.select_nth_unstable_by(FEW - 1, order);
        for (place, (_, chosen)) in found.iter_mut().zip(&self.gaps) {
            *place = *chosen;
        }
    }
}

impl Search<'_> {
    /// Returns the gap to a sorted agent's edge [m].
    fn gap_to(&self, index: u32) -> f32 {
        let place = &self.grid.places[index as usize];
        let way = place.center() - self.center;
        (way.x * way.x + way.y * way.y).sqrt() - place.radius()
    }
}

/// Returns eight of a column.
#[inline(always)]
fn eight<T: Copy>(column: &[T], start: usize) -> [T; LANES] {
    *column[start..]
        .first_chunk()
        .expect("columns end with an eight")
}

/// Returns the first sixteen of a column.
#[inline(always)]
fn sixteen<T>(column: &[T]) -> &[T; RANKED] {
    column.first_chunk().expect("columns have sixteen at least")
}
