//! Tokens, kernels, and vectors of any number of lanes.

use core::fmt::Debug;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// Keeps implementations in this crate: the safety argument is about these.
pub trait Sealed {}

/// A token: the processor has an instruction set, used with vectors of one width.
pub trait Simd: Copy + Debug + PartialEq + Eq + Send + Sync + Sealed + 'static {
    /// The vector of `f32`.
    type F32: Vector<Simd = Self>;

    /// Returns the token if the processor has the instruction set.
    fn detect() -> Option<Self>;

    /// Runs `kernel`, compiled for the instruction set.
    fn enter<K: Kernel<Self>>(self, kernel: K) -> K::Output;

    /// Returns `value` in every lane.
    #[inline(always)]
    fn splat(self, value: f32) -> Self::F32 {
        Vector::splat(self, value)
    }

    /// Returns zero in every lane.
    #[inline(always)]
    fn zero(self) -> Self::F32 {
        Vector::zero(self)
    }
}

/// Code that is compiled for each token that enters it. `run`, and every function that it hands vectors to, must be
/// `#[inline(always)]`.
pub trait Kernel<S: Simd> {
    /// Result of the kernel.
    type Output;
    /// Runs the kernel.
    fn run(self, simd: S) -> Self::Output;
}

/// One truth value a lane.
pub trait Mask: Copy + Debug {
    /// Number of lanes.
    const WIDTH: usize;
    /// Returns where both are true.
    fn and(self, other: Self) -> Self;
    /// Returns where one of the two is true.
    fn or(self, other: Self) -> Self;
    /// Returns the set of the lanes that are true, a bit each, the first lane lowest.
    fn bits(self) -> u32;
    /// Returns whether any lane is true.
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
    /// Returns whether every lane is true.
    #[inline(always)]
    fn all(self) -> bool {
        self.bits() == (1 << Self::WIDTH) - 1
    }
}

/// Numbers that are computed with side by side.
pub trait Vector:
    Copy
    + Debug
    + Send
    + Sync
    + Sealed
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The token.
    type Simd: Simd<F32 = Self>;
    /// One truth value a lane.
    type Mask: Mask;

    /// Returns `value` in every lane.
    fn splat(simd: Self::Simd, value: f32) -> Self;
    /// Returns zero in every lane; without an instruction of the set, so that it is no call outside of kernels.
    fn zero(simd: Self::Simd) -> Self;
    /// Returns the token, which exists where the vector does.
    fn simd(self) -> Self::Simd;
    /// Returns `self` where it is less than `other`, else `other`.
    fn min(self, other: Self) -> Self;
    /// Returns `self` where it is greater than `other`, else `other`.
    fn max(self, other: Self) -> Self;
    /// Returns the square root.
    fn sqrt(self) -> Self;
    /// Returns where `self` is less than `other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// Returns where `self` is at most `other`.
    fn le(self, other: Self) -> Self::Mask;
    /// Returns where `self` is greater than `other`.
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        other.lt(self)
    }
    /// Returns where `self` is at least `other`.
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        other.le(self)
    }
    /// Returns `yes` where `mask` is true, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
}

/// A vector whose lanes are filled from records.
pub trait Lanes: Vector {
    /// Number of lanes.
    const WIDTH: usize;
    /// One index a lane, in memory.
    type Indices: Copy + Debug + Send + Sync + AsRef<[u32]> + AsMut<[u32]>;

    /// Returns an index in every lane.
    fn indices(value: u32) -> Self::Indices;
    /// Returns the numbers.
    fn as_slice(&self) -> &[f32];
    /// Returns the numbers, to be written.
    fn as_mut_slice(&mut self) -> &mut [f32];

    /// Reads four numbers for each lane and returns them by number: the first of all lanes, the second of all lanes, and
    /// so on. A gather of single numbers takes 1.6 times as long.
    ///
    /// # Safety
    /// `row(lane)` must be readable for 16 bytes, for every lane.
    unsafe fn load_rows(simd: Self::Simd, row: impl Fn(usize) -> *const f32) -> [Self; 4];

    /// Reads eight numbers for each lane and returns them by number, as [`load_rows`](Self::load_rows) does.
    ///
    /// # Safety
    /// `row(lane)` must be readable for 32 bytes, for every lane.
    #[inline(always)]
    unsafe fn load_long_rows(
        simd: Self::Simd,
        row: impl Fn(usize) -> *const f32,
    ) -> [[Self; 4]; 2] {
        // SAFETY: each half of the range that the caller guarantees is readable.
        unsafe {
            [
                Self::load_rows(simd, &row),
                Self::load_rows(simd, |lane| row(lane).wrapping_add(4)),
            ]
        }
    }

    /// Undoes [`load_rows`](Self::load_rows): writes four numbers for each lane, in order of lane.
    ///
    /// # Safety
    /// `row(lane)` must be writable for 16 bytes, for every lane.
    unsafe fn store_rows(rows: [Self; 4], row: impl Fn(usize) -> *mut f32);
}

/// The vector of a token.
pub type F32<S> = <S as Simd>::F32;
