//! Eight lanes of AVX2.

use super::{Kernel, Lanes, NO_SLOT};
use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// 8 numbers in a register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct F32x8(__m256);

impl Add for F32x8 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_add_ps(self.0, other.0) })
    }
}

impl Sub for F32x8 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_sub_ps(self.0, other.0) })
    }
}

impl Mul for F32x8 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_mul_ps(self.0, other.0) })
    }
}

impl Div for F32x8 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_div_ps(self.0, other.0) })
    }
}

impl Neg for F32x8 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_set1_ps(-0.0)) })
    }
}

impl Lanes for F32x8 {
    const WIDTH: usize = 8;
    // SAFETY: any bits are a value.
    const ZERO: Self = unsafe { core::mem::zeroed() };
    const NO_SLOTS: [u32; 8] = [NO_SLOT; 8];
    type Slots = [u32; 8];
    type Mask = __m256;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_set1_ps(value) })
    }
    #[inline(always)]
    fn as_slice(&self) -> &[f32] {
        // SAFETY: the register has the size of the array and at least its alignment.
        unsafe { &*(&raw const *self).cast::<[f32; 8]>() }
    }
    #[inline(always)]
    fn as_mut_slice(&mut self) -> &mut [f32] {
        // SAFETY: the register has the size of the array and at least its alignment.
        unsafe { &mut *(&raw mut *self).cast::<[f32; 8]>() }
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_min_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_sqrt_ps(self.0) })
    }
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_cmp_ps::<_CMP_GT_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_cmp_ps::<_CMP_GE_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_and_ps(a, b) }
    }
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_movemask_ps(mask) != 0 }
    }
    #[inline(always)]
    fn all(mask: Self::Mask) -> bool {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_movemask_ps(mask) == 0b1111_1111 }
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_blendv_ps(no.0, yes.0, mask) })
    }

    #[inline(always)]
    unsafe fn load_rows(row: impl Fn(usize) -> *const f32) -> [Self; 4] {
        // SAFETY: the caller says that each row is readable for four floats; a value of this type exists only where the instruction set does.
        unsafe {
            let [a, b, c, d] = transpose([
                two_rows(row(0), row(4)),
                two_rows(row(1), row(5)),
                two_rows(row(2), row(6)),
                two_rows(row(3), row(7)),
            ]);
            [Self(a), Self(b), Self(c), Self(d)]
        }
    }

    #[inline(always)]
    unsafe fn store_rows([a, b, c, d]: [Self; 4], row: impl Fn(usize) -> *mut f32) {
        // SAFETY: the caller says that each row is writable for four floats; a value of this type exists only where the instruction set does.
        unsafe {
            let [a, b, c, d] = transpose([a.0, b.0, c.0, d.0]);
            put_two(a, row(0), row(4));
            put_two(b, row(1), row(5));
            put_two(c, row(2), row(6));
            put_two(d, row(3), row(7));
        }
    }

    #[inline(always)]
    fn enter<K: Kernel<Self>>(kernel: K) -> K::Output {
        // SAFETY: the width is chosen after asking the processor.
        unsafe { enter(kernel) }
    }
}

/// # Safety
/// The processor must have the instruction set.
#[target_feature(enable = "avx2")]
unsafe fn enter<K: Kernel<F32x8>>(kernel: K) -> K::Output {
    kernel.run()
}

/// # Safety
/// The processor must have the instruction set, and each row be readable for four floats.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn two_rows(a: *const f32, b: *const f32) -> __m256 {
    // SAFETY: the caller's.
    unsafe { _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b)) }
}

/// # Safety
/// The processor must have the instruction set, and each row be writable for four floats.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn put_two(rows: __m256, a: *mut f32, b: *mut f32) {
    // SAFETY: the caller's.
    unsafe {
        _mm_storeu_ps(a, _mm256_castps256_ps128(rows));
        _mm_storeu_ps(b, _mm256_extractf128_ps::<1>(rows));
    }
}

/// Transposes 4 by 4 within each group of four lanes.
///
/// # Safety
/// The processor must have the instruction set.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn transpose([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
    let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
    [
        _mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
        _mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
        _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
        _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
    ]
}
