//! Lanes: several `f32` side by side, and the choice of how many.
//!
//! The only home of intrinsics. Every operation is the IEEE one, lane by lane, so that a kernel written over
//! [`Lanes`] gives the same bits at every width: no fused multiply-add, no approximate reciprocal, and `min`
//! and `max` defined by a comparison. Plain arrays of `f32` would do for arithmetic (the compiler turns them into the
//! same instructions inside a function with the target feature), but not for the transposes that bring
//! records of bodies into lanes: gathers of single floats measured 1.6 times slower.

pub(crate) mod plain;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub(crate) mod width;
pub(crate) mod records;
pub(crate) mod prefetch;

#[cfg(target_arch = "x86_64")]
pub(crate) use {avx2::F32x8, avx512::F32x16, sse2::F32x4};

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// `WIDTH` numbers that are computed with side by side.
///
/// A value of a type with an instruction set above the baseline may only be made where the processor
/// has that set. [`width::Width::detect`] is what chooses the type, and [`enter`](Self::enter) what
/// compiles a kernel for it.
pub(crate) trait Lanes:
    Copy
    + Debug
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Number of lanes.
    const WIDTH: usize;
    /// Zero in every lane.
    const ZERO: Self;
    /// [`NO_SLOT`] in every lane.
    const NO_SLOTS: Self::Slots;
    /// One body slot a lane.
    type Slots: Copy + Debug + Send + Sync + AsRef<[u32]> + AsMut<[u32]>;
    /// One truth value a lane.
    type Mask: Copy;

    /// Returns `value` in every lane.
    fn splat(value: f32) -> Self;
    /// Returns the lanes as numbers.
    fn as_slice(&self) -> &[f32];
    /// Returns the lanes as numbers that can be written.
    fn as_mut_slice(&mut self) -> &mut [f32];
    /// Returns `self` where it is less than `other`, else `other`.
    fn min(self, other: Self) -> Self;
    /// Returns `self` where it is greater than `other`, else `other`.
    fn max(self, other: Self) -> Self;
    /// Returns the square root.
    fn sqrt(self) -> Self;
    /// Says where `self` is greater than `other`.
    fn gt(self, other: Self) -> Self::Mask;
    /// Says where `self` is greater than or equal to `other`.
    fn ge(self, other: Self) -> Self::Mask;
    /// Says where both are true.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Says whether any lane is true.
    fn any(mask: Self::Mask) -> bool;
    /// Says whether every lane is true.
    fn all(mask: Self::Mask) -> bool;
    /// Returns `yes` where `mask` is true, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// Reads four numbers for each lane and returns them by number: the first of all lanes, the second of
    /// all lanes, and so on.
    ///
    /// # Safety
    /// `row(lane)` must be readable for 16 bytes, for every lane.
    unsafe fn load_rows(row: impl Fn(usize) -> *const f32) -> [Self; 4];

    /// Reads eight numbers for each lane and returns them by number, as [`load_rows`](Self::load_rows) does.
    ///
    /// # Safety
    /// `row(lane)` must be readable for 32 bytes, for every lane.
    #[inline(always)]
    unsafe fn load_long_rows(row: impl Fn(usize) -> *const f32) -> [[Self; 4]; 2] {
        // SAFETY: the halves of what the caller says is readable.
        unsafe {
            [
                Self::load_rows(&row),
                Self::load_rows(|lane| row(lane).wrapping_add(4)),
            ]
        }
    }

    /// Undoes [`load_rows`](Self::load_rows): writes four numbers for each lane, in order of lane.
    ///
    /// # Safety
    /// `row(lane)` must be writable for 16 bytes, for every lane.
    unsafe fn store_rows(rows: [Self; 4], row: impl Fn(usize) -> *mut f32);

    /// Runs `kernel`, compiled for this type's instruction set.
    fn enter<K: Kernel<Self>>(kernel: K) -> K::Output;
}

/// A loop over lanes. `run`, and every function that it hands lanes to, must be `#[inline(always)]`: only what is
/// inlined into [`Lanes::enter`] is compiled for its instruction set. Closures that compute with lanes are a trap: they
/// cannot be marked, and one that stays a call turns each operation in it into a call.
pub(crate) trait Kernel<L: Lanes> {
    /// What the loop returns.
    type Output;
    /// Runs the loop.
    fn run(self) -> Self::Output;
}

pub(crate) use crate::id::NO_SLOT;

#[cfg(test)]
mod tests {
    use super::*;

    struct Arithmetic<'a>(&'a [f32], &'a [f32]);

    impl<L: Lanes> Kernel<L> for Arithmetic<'_> {
        type Output = Vec<u32>;
        #[inline(always)]
        fn run(self) -> Vec<u32> {
            let mut bits = Vec::new();
            for (x, y) in self.0.chunks(L::WIDTH).zip(self.1.chunks(L::WIDTH)) {
                let (mut a, mut b) = (L::ZERO, L::ZERO);
                a.as_mut_slice().copy_from_slice(x);
                b.as_mut_slice().copy_from_slice(y);
                let results = [
                    a + b,
                    a - b,
                    a * b,
                    a / b,
                    -a,
                    a.min(b),
                    a.max(b),
                    a.sqrt(),
                    L::select(a.gt(b), a, b),
                    L::select(L::both(a.ge(b), b.ge(L::ZERO)), a, b),
                ];
                for lane in 0..L::WIDTH {
                    bits.extend(results.iter().map(|r| r.as_slice()[lane].to_bits()));
                }
            }
            bits
        }
    }

    struct Transpose;

    impl<L: Lanes> Kernel<L> for Transpose {
        type Output = (Vec<f32>, Vec<f32>);
        #[inline(always)]
        fn run(self) -> Self::Output {
            let source: Vec<f32> = (0..4 * L::WIDTH).map(|i| i as f32).collect();
            // SAFETY: the rows of 4 numbers tile the vector.
            let rows = unsafe { L::load_rows(|lane| source.as_ptr().add(4 * lane)) };
            let mut back = vec![0.0; source.len()];
            let start = back.as_mut_ptr();
            // SAFETY: as above.
            unsafe { L::store_rows(rows, |lane| start.add(4 * lane)) };
            (rows[2].as_slice().to_vec(), back)
        }
    }

    struct LongRows;

    impl<L: Lanes> Kernel<L> for LongRows {
        type Output = Vec<f32>;
        #[inline(always)]
        fn run(self) -> Self::Output {
            let source: Vec<f32> = (0..8 * L::WIDTH).map(|i| i as f32).collect();
            // SAFETY: the rows of 8 numbers tile the vector.
            let halves = unsafe { L::load_long_rows(|lane| source.as_ptr().add(8 * lane)) };
            let mut all = Vec::new();
            for number in halves.iter().flatten() {
                all.extend_from_slice(number.as_slice());
            }
            all
        }
    }

    fn check_transpose<L: Lanes>() {
        let numbers = (0..8 * L::WIDTH).map(|i| (8 * (i % L::WIDTH) + i / L::WIDTH) as f32);
        assert_eq!(L::enter(LongRows), numbers.collect::<Vec<_>>());
        let (third, back) = L::enter(Transpose);
        let expected: Vec<f32> = (0..L::WIDTH).map(|i| (4 * i + 2) as f32).collect();
        assert_eq!(third, expected);
        assert_eq!(
            back,
            (0..4 * L::WIDTH).map(|i| i as f32).collect::<Vec<_>>()
        );
    }

    #[test]
    fn every_width_gives_the_same_bits() {
        let specials = [0.0, -0.0, 1.5, -2.25, 1.0e-40, 3.0e38, f32::INFINITY, 0.1];
        let (mut x, mut y) = (Vec::new(), Vec::new());
        for a in specials {
            for b in specials {
                x.push(a);
                y.push(b);
            }
        }
        let scalar = plain::Plain::<1>::enter(Arithmetic(&x, &y));
        let nan_as_one = |bits: &[u32]| -> Vec<u32> {
            let fold = |&b: &u32| if f32::from_bits(b).is_nan() { 1 } else { b };
            bits.iter().map(fold).collect()
        };
        for width in width::Width::available() {
            let wide = match width {
                width::Width::One => plain::Plain::<1>::enter(Arithmetic(&x, &y)),
                width::Width::Four => width::Four::enter(Arithmetic(&x, &y)),
                #[cfg(target_arch = "x86_64")]
                width::Width::Eight => F32x8::enter(Arithmetic(&x, &y)),
                #[cfg(target_arch = "x86_64")]
                width::Width::Sixteen => F32x16::enter(Arithmetic(&x, &y)),
            };
            assert_eq!(nan_as_one(&wide), nan_as_one(&scalar), "{width:?}");
        }
    }

    #[test]
    fn rows_and_lanes_are_transposes() {
        check_transpose::<plain::Plain<1>>();
        check_transpose::<plain::Plain<4>>();
        for width in width::Width::available() {
            match width {
                width::Width::One => {}
                width::Width::Four => check_transpose::<width::Four>(),
                #[cfg(target_arch = "x86_64")]
                width::Width::Eight => check_transpose::<F32x8>(),
                #[cfg(target_arch = "x86_64")]
                width::Width::Sixteen => check_transpose::<F32x16>(),
            }
        }
    }
}
