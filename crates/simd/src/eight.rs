//! Vectors of eight lanes, and of sixteen made of the same instruction set.

use crate::lanes::Vector;
use crate::memory::{F32x8, LANES, MEMBERS, U32x8, WIDE, Wide, each_lane};

/// A vector of eight lanes. Instruction sets override methods; the defaults here work on arrays.
pub trait Lanes8: Vector {
    /// Sixteen lanes of the same instruction set.
    type Wide: Lanes16;

    /// Reads eight numbers.
    fn load(simd: Self::Simd, from: &F32x8) -> Self;
    /// Reads eight numbers of any alignment.
    fn load_unaligned(simd: Self::Simd, from: &[f32; LANES]) -> Self;
    /// Returns the numbers.
    fn store(self) -> F32x8;
    /// Returns the lanes twice.
    fn twice(self) -> Self::Wide;
    /// Writes two vectors side by side.
    #[inline(always)]
    fn join(low: Self, high: Self) -> Wide<F32x8> {
        Wide([low.store(), high.store()])
    }

    /// Reads the records at `at` of a list, two numbers each, and returns them by number.
    ///
    /// # Panics
    /// If there is no such record.
    #[inline(always)]
    fn gather(simd: Self::Simd, from: &[[f32; 2]], at: &[u32; LANES]) -> [Self; 2] {
        let pairs = each_lane(|lane| &from[at[lane] as usize]);
        let number = |i: usize| Self::load(simd, &F32x8(each_lane(|lane| pairs[lane][i])));
        [number(0), number(1)]
    }
    /// Reads eight records of four numbers and returns them by number.
    #[inline(always)]
    fn load_records(simd: Self::Simd, records: [&[f32; 4]; LANES]) -> [Self; 4] {
        let number = |i: usize| Self::load(simd, &F32x8(each_lane(|lane| records[lane][i])));
        [number(0), number(1), number(2), number(3)]
    }
    /// Returns the differences of points to one point, rounded to `f32` last.
    #[inline(always)]
    fn differences(simd: Self::Simd, points: [&[f64; 2]; LANES], from: [f64; 2]) -> [Self; 2] {
        let axis = |i: usize| F32x8(each_lane(|lane| (points[lane][i] - from[i]) as f32));
        [Self::load(simd, &axis(0)), Self::load(simd, &axis(1))]
    }
    /// Returns eight vectors with rows and columns exchanged.
    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        let numbers = each_lane(|row| rows[row].store());
        let column = |lane: usize| F32x8(each_lane(|row| numbers[row].0[lane]));
        each_lane(|lane| Self::load(rows[0].simd(), &column(lane)))
    }

    /// Returns where `mask` is true and an integer is not `value`.
    fn and_not_equal(mask: Self::Mask, of: &[u32; LANES], value: u32) -> Self::Mask;
    /// Returns the mask of a set of lanes.
    #[inline(always)]
    fn mask_from_bits(simd: Self::Simd, set: u32) -> Self::Mask {
        let bit = |lane: usize| (set >> lane & 1) as f32;
        let bits = Self::load(simd, &F32x8(each_lane(bit)));
        bits.gt(Self::splat(simd, 0.0))
    }
    /// Returns the mask of the first `count` lanes.
    #[inline(always)]
    fn mask_first(simd: Self::Simd, count: usize) -> Self::Mask {
        const LANE: F32x8 = F32x8([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        Self::load(simd, &LANE).lt(Self::splat(simd, count as f32))
    }

    /// Writes the integers of a set of lanes one after the other; the contents of `to` after them are unspecified.
    #[inline(always)]
    fn compress(_: Self::Simd, of: &[u32; LANES], set: u32, to: &mut [u32; LANES]) {
        let members = &MEMBERS[set as usize % MEMBERS.len()];
        *to = each_lane(|lane| of[usize::from(members[lane]) % LANES]);
    }

    /// Returns the order of sixteen numbers: the index of the least, the second and so on, in four bits each, the least
    /// lowest; and the sum over the numbers of how many are less, which is 120 if no two are equal. Equal numbers leave gaps.
    #[inline(always)]
    fn rank(_: Self::Simd, of: &Wide<F32x8>) -> (u64, u32) {
        let numbers = || of.0.iter().flat_map(|half| half.0);
        let (mut order, mut sum) = (0, 0);
        for (number, i) in numbers().zip(0u64..) {
            let less: u32 = numbers().map(|other| u32::from(other < number)).sum();
            order |= i << (4 * less);
            sum += less;
        }
        (order, sum)
    }
    /// Returns sixteen numbers of four bits each, the lowest first.
    #[inline(always)]
    fn unpack_nibbles(_: Self::Simd, nibbles: u64) -> Wide<U32x8> {
        let nibble = |i: usize| (nibbles >> (4 * i)) as u32 % 16;
        let half = |start: usize| U32x8(each_lane(|lane| nibble(start + lane)));
        Wide([half(0), half(LANES)])
    }
    /// Returns the numbers at the given indices, each below sixteen.
    #[inline(always)]
    fn permute(_: Self::Simd, from: &Wide<F32x8>, at: &Wide<U32x8>) -> Wide<F32x8> {
        let number = |at: u32| from.0[at as usize / LANES % 2].0[at as usize % LANES];
        let half = |half: usize| F32x8(each_lane(|lane| number(at.0[half].0[lane])));
        Wide([half(0), half(1)])
    }
    /// Returns the integers at the given indices, each below sixteen.
    #[inline(always)]
    fn permute_u32(_: Self::Simd, from: &[u32; WIDE], at: &Wide<U32x8>) -> [u32; WIDE] {
        core::array::from_fn(|i| from[at.0[i / LANES].0[i % LANES] as usize % WIDE])
    }
}

/// A vector of sixteen lanes.
pub trait Lanes16: Vector {
    /// Reads sixteen numbers of any alignment.
    fn load16(simd: Self::Simd, from: &[f32; WIDE]) -> Self;
    /// Writes the integers where `mask` is true, other than `but`, one after the other; returns how many they are. The contents
    /// of `to` after them are unspecified.
    fn compress_but(
        simd: Self::Simd,
        mask: Self::Mask,
        of: &[u32; WIDE],
        but: u32,
        to: &mut [u32; WIDE],
    ) -> usize;
}
