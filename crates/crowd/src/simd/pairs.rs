//! Eight lanes in two registers of four, which every processor of today has; without a register of eight.

use super::{Eight, Indices, Kernel, LANES, Lanes, MEMBERS, Seen, TWICE, Twice, each_lane};
use crate::places::Place;
use core::ops::{Add, Div, Mul, Neg, Sub};
use wide::{f32x8, i32x8};

/// 8 numbers in two registers.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Pairs(f32x8);

impl Add for Pairs {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Pairs {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Pairs {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Div for Pairs {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }
}

impl Neg for Pairs {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Lanes for Pairs {
    /// Never: two registers for each number are more than there are.
    const LEAST_ABREAST: u32 = u32::MAX;

    type Mask = f32x8;
    type Counts = i32x8;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(f32x8::splat(value))
    }
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        Self(f32x8::new(from.0))
    }
    #[inline(always)]
    fn store(self) -> Eight {
        Eight(self.0.to_array())
    }
    #[inline(always)]
    fn read(from: &[f32; LANES]) -> Self {
        Self(f32x8::new(*from))
    }
    #[inline(always)]
    fn gather(from: &[[f32; 2]], at: &[u32; LANES]) -> [Self; 2] {
        let pairs = each_lane(|lane| &from[at[lane] as usize]);
        let number = |i: usize| Self(f32x8::new(each_lane(|lane| pairs[lane][i])));
        [number(0), number(1)]
    }
    #[inline(always)]
    fn see(places: [&Place; LANES], from: [f64; 2]) -> Seen<Self> {
        let way = |i: usize| each_lane(|lane| (places[lane].center[i] - from[i]) as f32);
        let number = |i: usize| each_lane(|lane| places[lane].body[i]);
        let of = |numbers| Self(f32x8::new(numbers));
        Seen {
            way: [of(way(0)), of(way(1))],
            velocity: [of(number(0)), of(number(1))],
            radius: of(number(2)),
        }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn lt(self, other: Self) -> f32x8 {
        self.0.simd_lt(other.0)
    }
    #[inline(always)]
    fn le(self, other: Self) -> f32x8 {
        self.0.simd_le(other.0)
    }
    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        Self::select(self.lt(other), self, other)
    }
    #[inline(always)]
    fn greatest(self) -> f32 {
        let greater = |a: f32, b: f32| if a > b { a } else { b };
        let [a, b, c, d, e, f, g, h] = self.0.to_array();
        let (ae, bf, cg, dh) = (greater(a, e), greater(b, f), greater(c, g), greater(d, h));
        greater(greater(ae, cg), greater(bf, dh))
    }

    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        f32x8::transpose(rows.map(|row| row.0)).map(Self)
    }

    #[inline(always)]
    fn both(a: f32x8, b: f32x8) -> f32x8 {
        a & b
    }
    #[inline(always)]
    fn either(a: f32x8, b: f32x8) -> f32x8 {
        a | b
    }
    #[inline(always)]
    fn select(mask: f32x8, yes: Self, no: Self) -> Self {
        Self(mask.bitselect(yes.0, no.0))
    }
    #[inline(always)]
    fn bits(mask: f32x8) -> u32 {
        mask.to_bitmask()
    }
    #[inline(always)]
    fn without(mask: f32x8, of: &[u32; LANES], index: u32) -> f32x8 {
        let same = integers(of).simd_eq(i32x8::splat(index.cast_signed()));
        mask & as_mask(!same)
    }

    #[inline(always)]
    fn no_counts() -> i32x8 {
        i32x8::splat(0)
    }
    #[inline(always)]
    fn count(counts: i32x8, mask: f32x8) -> i32x8 {
        // What is true is -1 as an integer.
        counts - i32x8::from_ne_bytes(mask.to_ne_bytes())
    }
    #[inline(always)]
    fn store_counts(counts: i32x8) -> Indices {
        Indices(counts.to_array().map(i32::cast_unsigned))
    }

    #[inline(always)]
    fn pack(of: &[u32; LANES], set: u32, to: &mut [u32; LANES]) {
        let members = &MEMBERS[set as usize % MEMBERS.len()];
        *to = each_lane(|lane| of[usize::from(members[lane]) % LANES]);
    }

    #[inline(always)]
    fn rank(of: &Twice<Eight>) -> (u64, u32) {
        let numbers = || of.0.iter().flat_map(|half| half.0);
        let (mut order, mut sum) = (0, 0);
        for (number, i) in numbers().zip(0u64..) {
            let less: u32 = numbers().map(|other| u32::from(other < number)).sum();
            order |= i << (4 * less);
            sum += less;
        }
        (order, sum)
    }
    #[inline(always)]
    fn unpack(nibbles: u64) -> Twice<Indices> {
        let nibble = |i: usize| (nibbles >> (4 * i)) as u32 % 16;
        Twice([0, LANES].map(|start| Indices(each_lane(|lane| nibble(start + lane)))))
    }
    #[inline(always)]
    fn pick(from: &Twice<Eight>, places: &Twice<Indices>) -> Twice<Eight> {
        let of = |place: u32| from.0[place as usize / LANES % 2].0[place as usize % LANES];
        Twice([0, 1].map(|half| Eight(each_lane(|lane| of(places.0[half].0[lane])))))
    }
    #[inline(always)]
    fn pick_integers(from: &[u32; TWICE], places: &Twice<Indices>) -> [u32; TWICE] {
        core::array::from_fn(|i| from[places.0[i / LANES].0[i % LANES] as usize % TWICE])
    }

    #[inline(always)]
    fn enter<K: Kernel>(kernel: K) -> K::Output {
        kernel.run::<Self>()
    }
}

#[inline(always)]
fn integers(of: &[u32; LANES]) -> i32x8 {
    i32x8::new(each_lane(|lane| of[lane].cast_signed()))
}

#[inline(always)]
fn as_mask(integers: i32x8) -> f32x8 {
    f32x8::from_ne_bytes(integers.to_ne_bytes())
}
