//! Eight numbers side by side, and the choice of the instructions that compute with them.
//!
//! Neighbours, half-planes and linear programs are computed on eights; ten neighbours fill two of them. Every
//! operation is the IEEE one, lane by lane: no fused multiply-add, no approximate reciprocal, minima and maxima by
//! comparison, and sums over lanes in one order. So a formula in lanes gives the bits that it gives for single numbers,
//! on every processor and with every type of lanes: where there are no registers of eight, two of four do the same.
//!
//! The only home of `unsafe` in this crate: it stands round intrinsics, and where code compiled for them is entered.

mod pairs;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod width;

pub(crate) use pairs::Pairs;
pub(crate) use width::Width;

use crate::places::Place;
use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// Number of lanes.
pub(crate) const LANES: usize = 8;

/// Eight numbers in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Eight(pub(crate) [f32; LANES]);

impl Eight {
    /// Returns `value` eight times.
    pub(crate) const fn splat(value: f32) -> Self {
        Self([value; LANES])
    }
}

/// Eight integers in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Indices(pub(crate) [u32; LANES]);

/// Twice eight numbers or integers in memory: sixteen side by side, in one line of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Twice<T>(pub(crate) [T; 2]);

/// How many that are.
pub(crate) const TWICE: usize = 2 * LANES;

/// Sixteen agents: their places, radii and names, a column each.
pub(crate) struct Spots<'a> {
    pub(crate) x: &'a [f32; TWICE],
    pub(crate) y: &'a [f32; TWICE],
    pub(crate) radius: &'a [f32; TWICE],
    pub(crate) names: &'a [u32; TWICE],
}

/// Eight agents as seen from a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen<L> {
    /// Ways from the point to their centers [m], rounded only then.
    pub(crate) way: [L; 2],
    /// Velocities [m/s].
    pub(crate) velocity: [L; 2],
    /// Radii [m].
    pub(crate) radius: L,
}

/// Eight numbers that are computed with side by side.
///
/// A value of a type with an instruction set above the baseline may only be made where the processor has that set.
/// [`Width::detect`] is what chooses the type, and [`enter`](Self::enter) what compiles a kernel for it.
pub(crate) trait Lanes:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Agents from which on it takes less time to decide abreast.
    const LEAST_ABREAST: u32;

    /// One truth value a lane.
    type Mask: Copy;
    /// One count a lane.
    type Counts: Copy;

    /// Returns `value` in every lane.
    fn splat(value: f32) -> Self;
    /// Reads eight numbers.
    fn load(from: &Eight) -> Self;
    /// Writes eight numbers.
    fn store(self) -> Eight;
    /// Reads eight numbers wherever they lie.
    fn read(from: &[f32; LANES]) -> Self;
    /// Reads eight of a list of records of two numbers, and returns them by number.
    ///
    /// # Panics
    /// If there is no such record.
    fn gather(from: &[[f32; 2]], at: &[u32; LANES]) -> [Self; 2];
    /// Reads eight places, as seen `from` a point.
    fn see(places: [&Place; LANES], from: [f64; 2]) -> Seen<Self>;

    /// Returns the square root.
    fn sqrt(self) -> Self;
    /// Says where `self` is less than `other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// Says where `self` is at most `other`.
    fn le(self, other: Self) -> Self::Mask;
    /// Returns `self` where it is less than `other`, else `other`.
    fn lesser(self, other: Self) -> Self;
    /// Returns the greatest of the eight; none of them may be not a number.
    fn greatest(self) -> f32;

    /// Returns eight times eight numbers with rows and columns exchanged.
    fn transpose(rows: [Self; LANES]) -> [Self; LANES];

    /// Says where both are true.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Says where one of two is true.
    fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Returns `yes` where `mask` is true, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Returns the set of lanes where `mask` is true, a bit each.
    fn bits(mask: Self::Mask) -> u32;
    /// Says where an integer is not `index`, and `mask` true.
    fn without(mask: Self::Mask, of: &[u32; LANES], index: u32) -> Self::Mask;

    /// Returns zero in every lane.
    fn no_counts() -> Self::Counts;
    /// Counts one more where `mask` is true.
    fn count(counts: Self::Counts, mask: Self::Mask) -> Self::Counts;
    /// Writes eight counts.
    fn store_counts(counts: Self::Counts) -> Indices;

    /// Writes the integers of a set of lanes one after the other, and anything after them.
    fn pack(of: &[u32; LANES], set: u32, to: &mut [u32; LANES]);

    /// Returns sixteen numbers of four bits each, the lowest ones first.
    fn unpack(nibbles: u64) -> Twice<Indices>;
    /// Picks some of sixteen numbers, by their places among them.
    fn pick(from: &Twice<Eight>, places: &Twice<Indices>) -> Twice<Eight>;
    /// Picks some of sixteen integers, by their places among them.
    fn pick_integers(from: &[u32; TWICE], places: &Twice<Indices>) -> [u32; TWICE];

    /// Finds those of sixteen who are within `range` and their radius of a place, but `own`; writes their names one after
    /// the other, and anything after them, and returns how many they are.
    #[inline(always)]
    fn near(
        spots: &Spots<'_>,
        at: [Self; 2],
        range: Self,
        own: u32,
        to: &mut [u32; TWICE],
    ) -> usize {
        let mut count = 0;
        for half in 0..2 {
            let x = Self::read(&spots.x.as_chunks().0[half]) - at[0];
            let y = Self::read(&spots.y.as_chunks().0[half]) - at[1];
            let range = Self::read(&spots.radius.as_chunks().0[half]) + range;
            let names = &spots.names.as_chunks().0[half];
            let near = (x * x + y * y).le(range * range);
            let set = Self::bits(Self::without(near, names, own));
            if let Some(to) = to[count..].first_chunk_mut() {
                Self::pack(names, set, to);
            }
            count += count_lanes(set);
        }
        count
    }
    /// Returns which of sixteen numbers is the least, the second, and so on, in four bits each; and the sum of how many
    /// are less than each. Where two are alike a place is missing, and the sum is less than otherwise.
    fn rank(of: &Twice<Eight>) -> (u64, u32);
    /// Writes two eights side by side.
    #[inline(always)]
    fn join(low: Self, high: Self) -> Twice<Eight> {
        Twice([low.store(), high.store()])
    }

    /// Runs `kernel`, compiled for this type's instruction set.
    fn enter<K: Kernel>(kernel: K) -> K::Output;

    /// Returns `self` where it is greater than `other`, else `other`.
    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        Self::select(self.gt(other), self, other)
    }
    /// Says where `self` is greater than `other`.
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }
    /// Says where `self` is at least `other`.
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        other.le(self)
    }
    /// Returns the least of the eight; none of them may be not a number.
    #[inline(always)]
    fn least(self) -> f32 {
        -(-self).greatest()
    }
    /// Says which lanes are in a set.
    #[inline(always)]
    fn among(set: u32) -> Self::Mask {
        let bit = |lane: usize| (set >> lane & 1) as f32;
        Self::load(&Eight(each_lane(bit))).gt(Self::splat(0.0))
    }
    /// Says where lanes are below `count`.
    #[inline(always)]
    fn first(count: usize) -> Self::Mask {
        const LANE: Eight = Eight([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        Self::load(&LANE).lt(Self::splat(count as f32))
    }
}

/// What is compiled for each type of lanes. `run`, and every function that it hands lanes to, must be
/// `#[inline(always)]`: only what is inlined into [`Lanes::enter`] is compiled for its instruction set. Closures that
/// compute with lanes are a trap: they cannot be marked, and one that stays a call turns each operation in it into one.
pub(crate) trait Kernel {
    /// What it returns.
    type Output;
    /// Computes with lanes of a type.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Returns what is `of` each lane.
///
/// What the library has for arrays stays a call where crates are not linked as one.
#[inline(always)]
pub(crate) fn each_lane<T>(mut of: impl FnMut(usize) -> T) -> [T; LANES] {
    [of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)]
}

/// For each set of lanes those in it, first to last.
const MEMBERS: [[u8; LANES]; 1 << LANES] = members();

const fn members() -> [[u8; LANES]; 1 << LANES] {
    let mut members = [[0; LANES]; 1 << LANES];
    let mut set = 0;
    while set < members.len() {
        let (mut lane, mut count) = (0, 0);
        while lane < LANES {
            if set >> lane & 1 == 1 {
                members[set][count] = lane as u8;
                count += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    members
}

/// Returns the number of lanes in a set; what counts bits fast, not every processor has.
#[inline(always)]
pub(crate) fn count_lanes(set: u32) -> usize {
    const COUNTS: [u8; 1 << LANES] = {
        let mut counts = [0; 1 << LANES];
        let mut set = 0;
        while set < counts.len() {
            counts[set] = (set as u32).count_ones() as u8;
            set += 1;
        }
        counts
    };
    COUNTS[set as usize % COUNTS.len()].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What every operation makes of two eights, as bits.
    struct All([f32; LANES], [f32; LANES]);

    impl Kernel for All {
        type Output = Vec<u32>;
        #[inline(always)]
        fn run<L: Lanes>(self) -> Vec<u32> {
            let Self(x, y) = self;
            let (a, b) = (L::read(&x), L::load(&Eight(y)));
            let eights = [
                a + b,
                a - b,
                a * b,
                a / b,
                -a,
                a.sqrt(),
                a.lesser(b),
                a.greater(b),
                L::select(L::both(a.lt(b), b.ge(L::splat(0.0))), a, b),
                L::select(L::either(a.le(b), b.gt(L::splat(1.0))), a, b),
                L::select(L::first(3), a, b),
                L::select(L::among(0b1001_0110), a, b),
            ];
            let mut bits: Vec<u32> = eights
                .iter()
                .flat_map(|eight| eight.store().0.map(f32::to_bits))
                .collect();
            if x.iter().all(|number| !number.is_nan()) {
                bits.extend([a.greatest().to_bits(), a.least().to_bits()]);
            }
            let indices = core::array::from_fn(|lane| 3 * lane as u32 + 1);
            let near = L::without(a.lt(b), &indices, 7);
            let counts = L::count(L::count(L::no_counts(), near), a.le(b));
            let mut packed = [0; LANES];
            L::pack(&indices, L::bits(near), &mut packed);
            let some = &packed[..count_lanes(L::bits(near))];
            bits.push(L::bits(near));
            bits.extend(some);
            bits.extend(L::store_counts(counts).0);
            bits
        }
    }

    #[test]
    fn every_width_gives_the_same_bits() {
        let specials = [0.0, -0.0, 1.5, -2.25, 1.0e-40, 3.0e38, f32::INFINITY, 0.1];
        for turn in 0..LANES {
            let y = core::array::from_fn(|lane| specials[(lane + turn) % LANES]);
            let fold = |bits: Vec<u32>| -> Vec<u32> {
                let nan_as_one = |b: u32| if f32::from_bits(b).is_nan() { 1 } else { b };
                bits.into_iter().map(nan_as_one).collect()
            };
            let want = fold(Width::Four.enter(All(specials, y)));
            for width in Width::available() {
                assert_eq!(fold(width.enter(All(specials, y))), want, "{width:?}");
            }
        }
    }

    /// Moves numbers about: rows, ways, exchange of rows and columns, picking.
    struct Moves;

    impl Kernel for Moves {
        type Output = ();
        #[inline(always)]
        fn run<L: Lanes>(self) {
            let number = |i: usize, j: usize| (10 * i + j) as f32;
            let order = [7, 0, 3, 2, 1, 6, 5, 4];
            let pairs: [[f32; 2]; LANES] = core::array::from_fn(|i| [number(i, 2), number(i, 3)]);
            let gathered = L::gather(&pairs, &order);
            let places: [Place; LANES] = core::array::from_fn(|i| Place {
                center: [1.0e9 + i as f64, 0.25 * i as f64],
                body: core::array::from_fn(|j| number(i, j)),
            });
            let seen = L::see(order.map(|i| &places[i as usize]), [1.0e9 - 1.0, 1.0]);
            let square =
                core::array::from_fn(|i| L::load(&Eight(core::array::from_fn(|j| number(i, j)))));
            let exchanged = L::transpose(square);
            for (lane, &place) in order.iter().enumerate() {
                let i = place as usize;
                for (j, numbers) in gathered.iter().enumerate() {
                    assert_eq!(numbers.store().0[lane], number(i, j + 2));
                }
                assert_eq!(seen.way[0].store().0[lane], i as f32 + 1.0);
                assert_eq!(seen.way[1].store().0[lane], 0.25 * i as f32 - 1.0);
                for (j, numbers) in seen.velocity.iter().enumerate() {
                    assert_eq!(numbers.store().0[lane], number(i, j));
                }
                assert_eq!(seen.radius.store().0[lane], number(i, 2));
                for (j, row) in exchanged.iter().enumerate() {
                    assert_eq!(row.store().0[lane], number(lane, j));
                }
            }
        }
    }

    /// Finds, ranks and picks among sixteen.
    struct Choices;

    impl Kernel for Choices {
        type Output = ();
        #[inline(always)]
        fn run<L: Lanes>(self) {
            let halves = |of: fn(usize) -> f32| {
                Twice([0, LANES].map(|start| Eight(each_lane(|lane| of(start + lane)))))
            };
            let numbers = halves(|i| ((7 * i) % TWICE) as f32);
            let [low, high] = &numbers.0;
            assert_eq!(L::join(L::load(low), L::load(high)), numbers);
            let (order, sum) = L::rank(&numbers);
            assert_eq!(sum, 120);
            let places = L::unpack(order);
            assert_eq!(L::pick(&numbers, &places), halves(|i| i as f32));
            let integers: [u32; TWICE] = core::array::from_fn(|i| (7 * i % TWICE) as u32);
            let want: [u32; TWICE] = core::array::from_fn(|i| i as u32);
            assert_eq!(L::pick_integers(&integers, &places), want);
            // Two alike: the sum says so.
            assert_eq!(L::rank(&halves(|i| (i / 2) as f32)).1, 112);

            let column = |of: fn(usize) -> f32| core::array::from_fn(of);
            let spots = Spots {
                x: &column(|i| i as f32),
                y: &column(|_| 1.0),
                radius: &column(|i| if i == 9 { 3.0 } else { 0.0 }),
                names: &core::array::from_fn(|i| 100 + i as u32),
            };
            let (at, mut names) = ([L::splat(5.0), L::splat(1.0)], [0; TWICE]);
            let count = L::near(&spots, at, L::splat(2.0), 106, &mut names);
            assert_eq!(names[..count], [103, 104, 105, 107, 109]);
        }
    }

    #[test]
    fn sixteen_are_found_ranked_and_picked() {
        for width in Width::available() {
            width.enter(Choices);
        }
    }

    #[test]
    fn what_moves_comes_where_it_should() {
        for width in Width::available() {
            width.enter(Moves);
        }
    }
}
