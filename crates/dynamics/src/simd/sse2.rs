//! Four lanes of SSE2, which every x86-64 has.

use super::{Kernel, Lanes, NO_SLOT};
use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// 4 numbers in a register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct F32x4(__m128);

impl Add for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_add_ps(self.0, other.0) })
    }
}

impl Sub for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_sub_ps(self.0, other.0) })
    }
}

impl Mul for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_mul_ps(self.0, other.0) })
    }
}

impl Div for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_div_ps(self.0, other.0) })
    }
}

impl Neg for F32x4 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_xor_ps(self.0, _mm_set1_ps(-0.0)) })
    }
}

impl Lanes for F32x4 {
    const WIDTH: usize = 4;
    // SAFETY: any bits are a value.
    const ZERO: Self = unsafe { core::mem::zeroed() };
    const NO_SLOTS: [u32; 4] = [NO_SLOT; 4];
    type Slots = [u32; 4];
    type Mask = __m128;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_set1_ps(value) })
    }
    #[inline(always)]
    fn as_slice(&self) -> &[f32] {
        // SAFETY: the register has the size of the array and at least its alignment.
        unsafe { &*(&raw const *self).cast::<[f32; 4]>() }
    }
    #[inline(always)]
    fn as_mut_slice(&mut self) -> &mut [f32] {
        // SAFETY: the register has the size of the array and at least its alignment.
        unsafe { &mut *(&raw mut *self).cast::<[f32; 4]>() }
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_min_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_sqrt_ps(self.0) })
    }
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_cmpgt_ps(self.0, other.0) }
    }
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_cmpge_ps(self.0, other.0) }
    }
    #[inline(always)]
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_and_ps(a, b) }
    }
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_movemask_ps(mask) != 0 }
    }
    #[inline(always)]
    fn all(mask: Self::Mask) -> bool {
        // SAFETY: SSE2 is part of x86-64.
        unsafe { _mm_movemask_ps(mask) == 0b1111 }
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        // SAFETY: SSE2 is part of x86-64.
        Self(unsafe { _mm_or_ps(_mm_and_ps(mask, yes.0), _mm_andnot_ps(mask, no.0)) })
    }

    #[inline(always)]
    unsafe fn load_rows(row: impl Fn(usize) -> *const f32) -> [Self; 4] {
        // SAFETY: the caller says that each row is readable for four floats; SSE2 is part of x86-64.
        unsafe {
            let [a, b, c, d] = transpose([
                _mm_loadu_ps(row(0)),
                _mm_loadu_ps(row(1)),
                _mm_loadu_ps(row(2)),
                _mm_loadu_ps(row(3)),
            ]);
            [Self(a), Self(b), Self(c), Self(d)]
        }
    }

    #[inline(always)]
    unsafe fn store_rows([a, b, c, d]: [Self; 4], row: impl Fn(usize) -> *mut f32) {
        // SAFETY: the caller says that each row is writable for four floats; SSE2 is part of x86-64.
        unsafe {
            let [a, b, c, d] = transpose([a.0, b.0, c.0, d.0]);
            _mm_storeu_ps(row(0), a);
            _mm_storeu_ps(row(1), b);
            _mm_storeu_ps(row(2), c);
            _mm_storeu_ps(row(3), d);
        }
    }

    #[inline(always)]
    fn enter<K: Kernel<Self>>(kernel: K) -> K::Output {
        kernel.run()
    }
}

/// Transposes 4 by 4 within each group of four lanes.
///
/// # Safety
/// The processor must have the instruction set.
#[inline]
#[target_feature(enable = "sse2")]
unsafe fn transpose([a, b, c, d]: [__m128; 4]) -> [__m128; 4] {
    let (ab_low, ab_high) = (_mm_unpacklo_ps(a, b), _mm_unpackhi_ps(a, b));
    let (cd_low, cd_high) = (_mm_unpacklo_ps(c, d), _mm_unpackhi_ps(c, d));
    [
        _mm_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
        _mm_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
        _mm_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
        _mm_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
    ]
}
