//! Vectors of `f32`, the same bits on every instruction set, and the choice of the set at run time.
//!
//! A *token* ([`Portable`], [`Sse2`], [`Avx2`], [`Avx512`], `Simd128` on wasm, [`Twice`]) is a zero-sized value of an instruction
//! set and a number of lanes. A *vector* ([`Vector`]) holds that number of `f32`. A [`Kernel`] is code that is compiled once for
//! each token that enters it.
//!
//! Every operation is the IEEE one, lane by lane: no fused multiply-add, no approximate reciprocal, `min` and `max` by
//! comparison. So a kernel gives the same bits with every token, and the bits of the same formula on single numbers.
//!
//! ```
//! use cairn2d_simd::{Kernel, Lanes8, Level, Simd};
//!
//! struct Half<'a>(&'a mut [f32; 8]);
//!
//! impl<S: Simd<F32: Lanes8>> Kernel<S> for Half<'_> {
//!     type Output = ();
//!     #[inline(always)]
//!     fn run(self, simd: S) {
//!         let numbers = S::F32::load_unaligned(simd, self.0);
//!         *self.0 = (numbers * simd.splat(0.5)).store().0;
//!     }
//! }
//!
//! let mut numbers = [1.0; 8];
//! Level::detect().enter(Half(&mut numbers));
//! assert_eq!(numbers, [0.5; 8]);
//! ```
//!
//! # Safety
//!
//! One argument covers every intrinsic of this crate:
//!
//! 1. A token of an instruction set exists only where the processor has the set. Its field is private, it has no `Default`,
//!    and the only functions that make one from nothing are [`Simd::detect`], which tests the processor first, and the
//!    constants `BASELINE` of sets that every processor of the target has.
//! 2. A vector, a mask or a vector of counts exists only where its token does. Their fields are private, and every function
//!    that returns one takes the token, or another of them from which [`Vector::simd`] gives the token back.
//! 3. So a function that holds a token, a vector, a mask or counts may execute the instructions of the set. The comment
//!    `SAFETY: the token exists` beside each block refers to this. The functions on raw registers, all private, are `unsafe` and called
//!    from such blocks only.
//!
//! So safe code cannot make a token, nor a vector without one:
//!
//! ```compile_fail,E0423
//! let simd = cairn2d_simd::Avx2(());
//! ```
//! ```compile_fail,E0277
//! let simd: cairn2d_simd::Avx2 = Default::default();
//! ```
//! ```compile_fail,E0277
//! let vector: cairn2d_simd::F32<cairn2d_simd::Avx2> = Default::default();
//! ```
//!
//! Pointers occur in [`Lanes::load_rows`] and its siblings alone, which are `unsafe` with their own contract. Casts between a
//! register and the array of its numbers rest on their equal size; the register has at least the alignment.
//!
//! # Speed
//!
//! Only code that is inlined into [`Simd::enter`] is compiled for its instruction set. So [`Kernel::run`], and every function
//! that gets a vector, must be `#[inline(always)]`. Closures on vectors are a hazard: they cannot be marked, and one that
//! stays a call makes a call of each operation in it. `map` and `from_fn` of arrays are calls across crates: [`each_lane`] is not.

mod memory;
mod lanes;
mod eight;
#[macro_use]
mod operator;
mod twice;
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
#[macro_use]
mod vector;
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
mod level;
mod prefetch;
#[cfg(test)]
mod tests;

pub use eight::{Lanes8, Lanes16};
pub use lanes::{F32, Kernel, Lanes, Mask, Simd, Vector};
pub use level::{BASELINE8, Baseline4, Baseline8, Level, Single, Width};
pub use memory::{F32x8, LANES, U32x8, WIDE, Wide, count_lanes, each_lane};
pub use portable::Portable;
pub use prefetch::{LINE, prefetch, prefetch_start};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use simd128::Simd128;
pub use twice::Twice;
#[cfg(target_arch = "x86_64")]
pub use {avx2::Avx2, avx512::Avx512, sse2::Sse2};

/// The program of the page of the crate, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
