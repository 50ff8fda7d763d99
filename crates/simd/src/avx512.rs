//! AVX-512: sixteen lanes.

use core::arch::x86_64::*;

token! {
    /// AVX-512 as all have it that compute with it fast, and AVX2: sixteen lanes.
    Avx512, vector Avx512F32,
    enables "avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi1,bmi2,lzcnt,popcnt",
    asks "avx512f" "avx512vl" "avx512bw" "avx512dq" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
}

vector! {
    /// Sixteen numbers in a register.
    Avx512F32(__m512) of Avx512, 16 lanes, mask Avx512Mask(__mmask16);
    splat _mm512_set1_ps, add _mm512_add_ps, sub _mm512_sub_ps, mul _mm512_mul_ps, div _mm512_div_ps,
    min _mm512_min_ps, max _mm512_max_ps, sqrt _mm512_sqrt_ps;
    neg |a| _mm512_xor_ps(a, _mm512_set1_ps(-0.0));
    lt |a, b| _mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b);
    le |a, b| _mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b);
    select |mask, yes, no| _mm512_mask_blend_ps(mask, no, yes);
    and |a, b| _kand_mask16(a, b);
    or |a, b| _kor_mask16(a, b);
    bits |mask| _cvtmask16_u32(mask);
}

lanes! {
    Avx512F32, 16, unpack _mm512_unpacklo_ps _mm512_unpackhi_ps, shuffle _mm512_shuffle_ps;

    #[inline(always)]
    unsafe fn load_rows(_: Avx512, row: impl Fn(usize) -> *const f32) -> [Self; 4] {
        // SAFETY: the caller's; the token exists.
        Self::transpose_fours(unsafe {
            [
                four_rows(row(0), row(4), row(8), row(12)),
                four_rows(row(1), row(5), row(9), row(13)),
                four_rows(row(2), row(6), row(10), row(14)),
                four_rows(row(3), row(7), row(11), row(15)),
            ]
        })
    }

    #[inline(always)]
    unsafe fn load_long_rows(_: Avx512, row: impl Fn(usize) -> *const f32) -> [[Self; 4]; 2] {
        // A quarter of a register each: first halves of rows 0 to 3, second halves, first halves of 4 to 7, second halves.
        // SAFETY: the caller's; the token exists.
        let ([a, b, c, d], [e, f, g, h]) = unsafe {
            (
                Self::transpose_fours([
                    two_long_rows(row(0), row(4)),
                    two_long_rows(row(1), row(5)),
                    two_long_rows(row(2), row(6)),
                    two_long_rows(row(3), row(7)),
                ]),
                Self::transpose_fours([
                    two_long_rows(row(8), row(12)),
                    two_long_rows(row(9), row(13)),
                    two_long_rows(row(10), row(14)),
                    two_long_rows(row(11), row(15)),
                ]),
            )
        };
        [
            [even_quarters(a, e), even_quarters(b, f), even_quarters(c, g), even_quarters(d, h)],
            [odd_quarters(a, e), odd_quarters(b, f), odd_quarters(c, g), odd_quarters(d, h)],
        ]
    }

    #[inline(always)]
    unsafe fn store_rows(rows: [Self; 4], row: impl Fn(usize) -> *mut f32) {
        let [a, b, c, d] = Self::transpose_fours(rows);
        // SAFETY: the caller's; the token exists.
        unsafe {
            store_four(a, row(0), row(4), row(8), row(12));
            store_four(b, row(1), row(5), row(9), row(13));
            store_four(c, row(2), row(6), row(10), row(14));
            store_four(d, row(3), row(7), row(11), row(15));
        }
    }
}

// The functions below require a processor with AVX-512: that is the contract of each.

/// # Safety
/// Each row must be readable for four floats.
#[inline(always)]
unsafe fn four_rows(a: *const f32, b: *const f32, c: *const f32, d: *const f32) -> Avx512F32 {
    // SAFETY: the caller's.
    unsafe {
        let rows = _mm512_castps128_ps512(_mm_loadu_ps(a));
        let rows = _mm512_insertf32x4::<1>(rows, _mm_loadu_ps(b));
        let rows = _mm512_insertf32x4::<2>(rows, _mm_loadu_ps(c));
        Avx512F32(_mm512_insertf32x4::<3>(rows, _mm_loadu_ps(d)))
    }
}

/// # Safety
/// Each row must be readable for eight floats.
#[inline(always)]
unsafe fn two_long_rows(a: *const f32, b: *const f32) -> Avx512F32 {
    // SAFETY: the caller's.
    unsafe {
        let rows = _mm512_castps256_ps512(_mm256_loadu_ps(a));
        Avx512F32(_mm512_insertf32x8::<1>(rows, _mm256_loadu_ps(b)))
    }
}

/// # Safety
/// Each row must be writable for four floats.
#[inline(always)]
unsafe fn store_four(rows: Avx512F32, a: *mut f32, b: *mut f32, c: *mut f32, d: *mut f32) {
    // SAFETY: the caller's.
    unsafe {
        _mm_storeu_ps(a, _mm512_castps512_ps128(rows.0));
        _mm_storeu_ps(b, _mm512_extractf32x4_ps::<1>(rows.0));
        _mm_storeu_ps(c, _mm512_extractf32x4_ps::<2>(rows.0));
        _mm_storeu_ps(d, _mm512_extractf32x4_ps::<3>(rows.0));
    }
}

/// Returns quarters 0 and 2 of `a`, then of `b`.
#[inline(always)]
fn even_quarters(a: Avx512F32, b: Avx512F32) -> Avx512F32 {
    // SAFETY: the token exists.
    Avx512F32(unsafe { _mm512_shuffle_f32x4::<0b10_00_10_00>(a.0, b.0) })
}

/// Returns quarters 1 and 3 of `a`, then of `b`.
#[inline(always)]
fn odd_quarters(a: Avx512F32, b: Avx512F32) -> Avx512F32 {
    // SAFETY: the token exists.
    Avx512F32(unsafe { _mm512_shuffle_f32x4::<0b11_01_11_01>(a.0, b.0) })
}
