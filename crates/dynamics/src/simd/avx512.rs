//! Sixteen lanes of AVX-512.

use super::{Kernel, Lanes, NO_SLOT};
use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// 16 numbers in a register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct F32x16(__m512);

impl Add for F32x16 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm512_add_ps(self.0, other.0) })
    }
}

impl Sub for F32x16 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm512_sub_ps(self.0, other.0) })
    }
}

impl Mul for F32x16 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm512_mul_ps(self.0, other.0) })
    }
}

impl Div for F32x16 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm512_div_ps(self.0, other.0) })
    }
}

impl Neg for F32x16 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe {
            _mm512_castsi512_ps(_mm512_xor_si512(
                _mm512_castps_si512(self.0),
                _mm512_set1_epi32(i32::MIN),
            ))
        })
    }
}

impl Lanes for F32x16 {
    const WIDTH: usize = 16;
    // SAFETY: any bits are a value.
    const ZERO: Self = unsafe { core::mem::zeroed() };
    const NO_SLOTS: [u32; 16] = [NO_SLOT; 16];
    type Slots = [u32; 16];
    type Mask = __mmask16;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm512_set1_ps(value) })
    }
    #[inline(always)]
    fn as_slice(&self) -> &[f32] {
        // SAFETY: the register has the size of the array and at least its alignment.
        unsafe { &*(&raw const *self).cast::<[f32; 16]>() }
    }
    #[inline(always)]
    fn as_mut_slice(&mut self) -> &mut [f32] {
        // SAFETY: the register has the size of the array and at least its alignment.
        unsafe { &mut *(&raw mut *self).cast::<[f32; 16]>() }
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm512_min_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm512_max_ps(self.0, other.0) })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm512_sqrt_ps(self.0) })
    }
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm512_cmp_ps_mask::<_CMP_GT_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm512_cmp_ps_mask::<_CMP_GE_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        a & b
    }
    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        mask != 0
    }
    #[inline(always)]
    fn all(mask: Self::Mask) -> bool {
        mask == u16::MAX
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm512_mask_blend_ps(mask, no.0, yes.0) })
    }

    #[inline(always)]
    unsafe fn load_rows(row: impl Fn(usize) -> *const f32) -> [Self; 4] {
        // SAFETY: the caller says that each row is readable for four floats; a value of this type exists only where the instruction set does.
        unsafe {
            let [a, b, c, d] = transpose([
                four_rows(row(0), row(4), row(8), row(12)),
                four_rows(row(1), row(5), row(9), row(13)),
                four_rows(row(2), row(6), row(10), row(14)),
                four_rows(row(3), row(7), row(11), row(15)),
            ]);
            [Self(a), Self(b), Self(c), Self(d)]
        }
    }

    #[inline(always)]
    unsafe fn load_long_rows(row: impl Fn(usize) -> *const f32) -> [[Self; 4]; 2] {
        // SAFETY: the caller says that each row is readable for eight floats; a value of this type exists only where the instruction set does.
        unsafe {
            // A quarter of a register each: first halves of rows 0 to 3, second halves, first halves of 4 to 7, second halves.
            let low = transpose([
                two_long_rows(row(0), row(4)),
                two_long_rows(row(1), row(5)),
                two_long_rows(row(2), row(6)),
                two_long_rows(row(3), row(7)),
            ]);
            let high = transpose([
                two_long_rows(row(8), row(12)),
                two_long_rows(row(9), row(13)),
                two_long_rows(row(10), row(14)),
                two_long_rows(row(11), row(15)),
            ]);
            [
                [
                    Self(even_quarters(low[0], high[0])),
                    Self(even_quarters(low[1], high[1])),
                    Self(even_quarters(low[2], high[2])),
                    Self(even_quarters(low[3], high[3])),
                ],
                [
                    Self(odd_quarters(low[0], high[0])),
                    Self(odd_quarters(low[1], high[1])),
                    Self(odd_quarters(low[2], high[2])),
                    Self(odd_quarters(low[3], high[3])),
                ],
            ]
        }
    }

    #[inline(always)]
    unsafe fn store_rows([a, b, c, d]: [Self; 4], row: impl Fn(usize) -> *mut f32) {
        // SAFETY: the caller says that each row is writable for four floats; a value of this type exists only where the instruction set does.
        unsafe {
            let [a, b, c, d] = transpose([a.0, b.0, c.0, d.0]);
            put_four(a, row(0), row(4), row(8), row(12));
            put_four(b, row(1), row(5), row(9), row(13));
            put_four(c, row(2), row(6), row(10), row(14));
            put_four(d, row(3), row(7), row(11), row(15));
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
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn enter<K: Kernel<F32x16>>(kernel: K) -> K::Output {
    kernel.run()
}

/// # Safety
/// The processor must have the instruction set, and each row be readable for four floats.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn four_rows(a: *const f32, b: *const f32, c: *const f32, d: *const f32) -> __m512 {
    // SAFETY: the caller's.
    unsafe {
        let rows = _mm512_castps128_ps512(_mm_loadu_ps(a));
        let rows = _mm512_insertf32x4::<1>(rows, _mm_loadu_ps(b));
        let rows = _mm512_insertf32x4::<2>(rows, _mm_loadu_ps(c));
        _mm512_insertf32x4::<3>(rows, _mm_loadu_ps(d))
    }
}

/// # Safety
/// The processor must have the instruction set, and each row be readable for eight floats.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn two_long_rows(a: *const f32, b: *const f32) -> __m512 {
    // SAFETY: the caller's.
    unsafe {
        let rows = _mm512_castps256_ps512(_mm256_loadu_ps(a));
        let second = _mm256_castps_pd(_mm256_loadu_ps(b));
        _mm512_castpd_ps(_mm512_insertf64x4::<1>(_mm512_castps_pd(rows), second))
    }
}

/// Returns quarters 0 and 2 of `a`, then of `b`.
///
/// # Safety
/// The processor must have the instruction set.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn even_quarters(a: __m512, b: __m512) -> __m512 {
    _mm512_shuffle_f32x4::<0b10_00_10_00>(a, b)
}

/// Returns quarters 1 and 3 of `a`, then of `b`.
///
/// # Safety
/// The processor must have the instruction set.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn odd_quarters(a: __m512, b: __m512) -> __m512 {
    _mm512_shuffle_f32x4::<0b11_01_11_01>(a, b)
}

/// # Safety
/// The processor must have the instruction set, and each row be writable for four floats.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn put_four(rows: __m512, a: *mut f32, b: *mut f32, c: *mut f32, d: *mut f32) {
    // SAFETY: the caller's.
    unsafe {
        _mm_storeu_ps(a, _mm512_castps512_ps128(rows));
        _mm_storeu_ps(b, _mm512_extractf32x4_ps::<1>(rows));
        _mm_storeu_ps(c, _mm512_extractf32x4_ps::<2>(rows));
        _mm_storeu_ps(d, _mm512_extractf32x4_ps::<3>(rows));
    }
}

/// Transposes 4 by 4 within each group of four lanes.
///
/// # Safety
/// The processor must have the instruction set.
#[inline]
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn transpose([a, b, c, d]: [__m512; 4]) -> [__m512; 4] {
    let (ab_low, ab_high) = (_mm512_unpacklo_ps(a, b), _mm512_unpackhi_ps(a, b));
    let (cd_low, cd_high) = (_mm512_unpacklo_ps(c, d), _mm512_unpackhi_ps(c, d));
    [
        _mm512_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
        _mm512_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
        _mm512_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
        _mm512_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
    ]
}
