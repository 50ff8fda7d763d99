//! SSE2, the baseline of x86-64: four lanes; twice four make eight.

use crate::eight::Lanes8;
use crate::lanes::{Kernel, Sealed, Simd};
use crate::memory::{F32x8, LANES};
use crate::twice::{Twice, TwiceF32, TwiceMask};
use core::arch::x86_64::*;

/// SSE2: four lanes. Where the processor has AVX, kernels are compiled for its form of the same instructions: with three
/// operands instead of two there are a fifth fewer of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sse2(());

impl Sse2 {
    /// The token: SSE2 is part of x86-64.
    pub const BASELINE: Self = Self(());
}

impl Sealed for Sse2 {}

impl Simd for Sse2 {
    type F32 = Sse2F32;

    fn detect() -> Option<Self> {
        Some(Self::BASELINE)
    }

    #[inline(always)]
    fn enter<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        /// # Safety
        /// The processor must have AVX.
        #[target_feature(enable = "avx")]
        unsafe fn enter_avx<K: Kernel<Sse2>>(simd: Sse2, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        /// Not inlined, so that callers stay as short as with one call.
        #[inline(never)]
        fn enter<K: Kernel<Sse2>>(simd: Sse2, kernel: K) -> K::Output {
            kernel.run(simd)
        }
        if is_x86_feature_detected!("avx") {
            // SAFETY: the processor has AVX.
            unsafe { enter_avx(self, kernel) }
        } else {
            enter(self, kernel)
        }
    }
}

vector! {
    /// Four numbers in a register.
    Sse2F32(__m128) of Sse2, 4 lanes, mask Sse2Mask(__m128);
    splat _mm_set1_ps, add _mm_add_ps, sub _mm_sub_ps, mul _mm_mul_ps, div _mm_div_ps,
    min _mm_min_ps, max _mm_max_ps, sqrt _mm_sqrt_ps;
    neg |a| _mm_xor_ps(a, _mm_set1_ps(-0.0));
    lt |a, b| _mm_cmplt_ps(a, b);
    le |a, b| _mm_cmple_ps(a, b);
    select |mask, yes, no| _mm_or_ps(_mm_and_ps(mask, yes), _mm_andnot_ps(mask, no));
    and |a, b| _mm_and_ps(a, b);
    or |a, b| _mm_or_ps(a, b);
    bits |mask| _mm_movemask_ps(mask).cast_unsigned();
}

lanes! {
    Sse2F32, 4, unpack _mm_unpacklo_ps _mm_unpackhi_ps, shuffle _mm_shuffle_ps;

    #[inline(always)]
    unsafe fn load_rows(_: Sse2, row: impl Fn(usize) -> *const f32) -> [Self; 4] {
        // SAFETY: the caller's; the token exists.
        Self::transpose_fours(unsafe {
            [
                Self(_mm_loadu_ps(row(0))),
                Self(_mm_loadu_ps(row(1))),
                Self(_mm_loadu_ps(row(2))),
                Self(_mm_loadu_ps(row(3))),
            ]
        })
    }

    #[inline(always)]
    unsafe fn store_rows(rows: [Self; 4], row: impl Fn(usize) -> *mut f32) {
        let [a, b, c, d] = Self::transpose_fours(rows);
        // SAFETY: the caller's; the token exists.
        unsafe {
            _mm_storeu_ps(row(0), a.0);
            _mm_storeu_ps(row(1), b.0);
            _mm_storeu_ps(row(2), c.0);
            _mm_storeu_ps(row(3), d.0);
        }
    }
}

impl Lanes8 for TwiceF32<Sse2F32> {
    type Wide = TwiceF32<Self>;

    #[inline(always)]
    fn load(_: Twice<Sse2>, from: &F32x8) -> Self {
        let from = from.0.as_ptr();
        // SAFETY: the token exists; eight numbers in memory are aligned to 32 bytes.
        unsafe {
            Self([
                Sse2F32(_mm_load_ps(from)),
                Sse2F32(_mm_load_ps(from.add(4))),
            ])
        }
    }
    #[inline(always)]
    fn load_unaligned(_: Twice<Sse2>, from: &[f32; LANES]) -> Self {
        let from = from.as_ptr();
        // SAFETY: the token exists; eight numbers can be read.
        unsafe {
            Self([
                Sse2F32(_mm_loadu_ps(from)),
                Sse2F32(_mm_loadu_ps(from.add(4))),
            ])
        }
    }
    #[inline(always)]
    fn store(self) -> F32x8 {
        let mut numbers = F32x8::default();
        let [low, high] = self.0;
        let to = numbers.0.as_mut_ptr();
        // SAFETY: the token exists; eight numbers in memory are aligned to 32 bytes.
        unsafe {
            _mm_store_ps(to, low.0);
            _mm_store_ps(to.add(4), high.0);
        }
        numbers
    }
    #[inline(always)]
    fn twice(self) -> Self::Wide {
        TwiceF32([self, self])
    }
    #[inline(always)]
    fn and_not_equal(mask: Self::Mask, of: &[u32; LANES], value: u32) -> Self::Mask {
        let of = of.as_ptr().cast::<__m128i>();
        // SAFETY: the token exists; eight integers are read.
        unsafe {
            let value = _mm_set1_epi32(value.cast_signed());
            let low = _mm_cmpeq_epi32(_mm_loadu_si128(of), value);
            let high = _mm_cmpeq_epi32(_mm_loadu_si128(of.add(1)), value);
            TwiceMask([
                Sse2Mask(_mm_andnot_ps(_mm_castsi128_ps(low), mask.0[0].0)),
                Sse2Mask(_mm_andnot_ps(_mm_castsi128_ps(high), mask.0[1].0)),
            ])
        }
    }
}
