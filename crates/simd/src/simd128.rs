//! SIMD128 of wasm, where it is enabled for the whole module: four lanes; twice four make eight.
#![expect(
    unused_unsafe,
    reason = "intrinsics of wasm are safe where the module has SIMD128; the macros are for all sets"
)]

use crate::eight::Lanes8;
use crate::lanes::{Kernel, Simd};
use crate::memory::{F32x8, LANES};
use crate::twice::{Twice, TwiceF32, TwiceMask};
use core::arch::wasm32::*;

/// SIMD128: four lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simd128(());

impl Simd128 {
    /// The token: this file is compiled only where the whole module has SIMD128.
    pub const BASELINE: Self = Self(());
}

impl crate::lanes::Sealed for Simd128 {}

impl Simd for Simd128 {
    type F32 = Simd128F32;

    fn detect() -> Option<Self> {
        Some(Self::BASELINE)
    }

    #[inline(always)]
    fn enter<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

/// Returns `a` where it is less than `b`, else `b`. The instruction compares its operands the other way round.
#[inline(always)]
fn min(a: v128, b: v128) -> v128 {
    f32x4_pmin(b, a)
}

/// Returns `a` where it is greater than `b`, else `b`. The instruction compares its operands the other way round.
#[inline(always)]
fn max(a: v128, b: v128) -> v128 {
    f32x4_pmax(b, a)
}

vector! {
    /// Four numbers in a register.
    Simd128F32(v128) of Simd128, 4 lanes, mask Simd128Mask(v128);
    splat f32x4_splat, add f32x4_add, sub f32x4_sub, mul f32x4_mul, div f32x4_div,
    min min, max max, sqrt f32x4_sqrt;
    neg |a| f32x4_neg(a);
    lt |a, b| f32x4_lt(a, b);
    le |a, b| f32x4_le(a, b);
    select |mask, yes, no| v128_bitselect(yes, no, mask);
    and |a, b| v128_and(a, b);
    or |a, b| v128_or(a, b);
    bits |mask| u32::from(i32x4_bitmask(mask));
}

/// Selections of [`halves`], in the code of the x86 shuffle.
const LOW_HALVES: i32 = 0b01_00_01_00;
const HIGH_HALVES: i32 = 0b11_10_11_10;

/// Returns the low halves of both registers, or the high ones.
#[inline(always)]
fn halves<const SELECTION: i32>(a: v128, b: v128) -> v128 {
    const { assert!(SELECTION == LOW_HALVES || SELECTION == HIGH_HALVES) };
    if SELECTION == LOW_HALVES {
        i64x2_shuffle::<0, 2>(a, b)
    } else {
        i64x2_shuffle::<1, 3>(a, b)
    }
}

/// Interleaves the first two lanes of both registers.
#[inline(always)]
fn unpack_low(a: v128, b: v128) -> v128 {
    i32x4_shuffle::<0, 4, 1, 5>(a, b)
}

/// Interleaves the last two lanes of both registers.
#[inline(always)]
fn unpack_high(a: v128, b: v128) -> v128 {
    i32x4_shuffle::<2, 6, 3, 7>(a, b)
}

lanes! {
    Simd128F32, 4, unpack unpack_low unpack_high, shuffle halves;

    #[inline(always)]
    unsafe fn load_rows(_: Simd128, row: impl Fn(usize) -> *const f32) -> [Self; 4] {
        // SAFETY: the caller's; loads of wasm need no alignment.
        Self::transpose_fours(unsafe {
            [
                Self(v128_load(row(0).cast())),
                Self(v128_load(row(1).cast())),
                Self(v128_load(row(2).cast())),
                Self(v128_load(row(3).cast())),
            ]
        })
    }

    #[inline(always)]
    unsafe fn store_rows(rows: [Self; 4], row: impl Fn(usize) -> *mut f32) {
        let [a, b, c, d] = Self::transpose_fours(rows);
        // SAFETY: the caller's; stores of wasm need no alignment.
        unsafe {
            v128_store(row(0).cast(), a.0);
            v128_store(row(1).cast(), b.0);
            v128_store(row(2).cast(), c.0);
            v128_store(row(3).cast(), d.0);
        }
    }
}

/// Reads eight numbers or integers as two registers.
///
/// # Safety
/// `from` must be readable for 32 bytes.
#[inline(always)]
unsafe fn load_two(from: *const v128) -> [v128; 2] {
    // SAFETY: the caller's; loads of wasm need no alignment.
    unsafe { [v128_load(from), v128_load(from.add(1))] }
}

/// Writes two registers one after the other.
///
/// # Safety
/// `to` must be writable for 32 bytes.
#[inline(always)]
unsafe fn store_two(to: *mut v128, [low, high]: [v128; 2]) {
    // SAFETY: the caller's; stores of wasm need no alignment.
    unsafe {
        v128_store(to, low);
        v128_store(to.add(1), high);
    }
}

impl Lanes8 for TwiceF32<Simd128F32> {
    type Wide = TwiceF32<Self>;

    #[inline(always)]
    fn load(simd: Twice<Simd128>, from: &F32x8) -> Self {
        Self::load_unaligned(simd, &from.0)
    }
    #[inline(always)]
    fn load_unaligned(_: Twice<Simd128>, from: &[f32; LANES]) -> Self {
        // SAFETY: eight numbers can be read.
        Self(unsafe { load_two(from.as_ptr().cast()) }.map(Simd128F32))
    }
    #[inline(always)]
    fn store(self) -> F32x8 {
        let mut numbers = F32x8::default();
        // SAFETY: eight numbers can be written.
        unsafe { store_two(numbers.0.as_mut_ptr().cast(), self.0.map(|half| half.0)) };
        numbers
    }
    #[inline(always)]
    fn twice(self) -> Self::Wide {
        TwiceF32([self, self])
    }
    #[inline(always)]
    fn and_not_equal(mask: Self::Mask, of: &[u32; LANES], value: u32) -> Self::Mask {
        let value = u32x4_splat(value);
        // SAFETY: eight integers are read.
        let [low, high] = unsafe { load_two(of.as_ptr().cast()) };
        TwiceMask([
            Simd128Mask(v128_andnot(mask.0[0].0, u32x4_eq(low, value))),
            Simd128Mask(v128_andnot(mask.0[1].0, u32x4_eq(high, value))),
        ])
    }
}
