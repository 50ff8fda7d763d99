//! AVX2: eight lanes.

use crate::eight::Lanes8;
use crate::memory::{F32x8, LANES, MEMBERS, U32x8, WIDE, Wide};
use crate::twice::TwiceF32;
use core::arch::x86_64::*;

token! {
    /// AVX2, and the extensions for integers that came with it: eight lanes.
    Avx2, vector Avx2F32, enables "avx2,bmi1,bmi2,lzcnt,popcnt",
    asks "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
}

vector! {
    /// Eight numbers in a register.
    Avx2F32(__m256) of Avx2, 8 lanes, mask Avx2Mask(__m256);
    splat _mm256_set1_ps, add _mm256_add_ps, sub _mm256_sub_ps, mul _mm256_mul_ps, div _mm256_div_ps,
    min _mm256_min_ps, max _mm256_max_ps, sqrt _mm256_sqrt_ps;
    neg |a| _mm256_xor_ps(a, _mm256_set1_ps(-0.0));
    lt |a, b| _mm256_cmp_ps::<_CMP_LT_OQ>(a, b);
    le |a, b| _mm256_cmp_ps::<_CMP_LE_OQ>(a, b);
    select |mask, yes, no| _mm256_blendv_ps(no, yes, mask);
    and |a, b| _mm256_and_ps(a, b);
    or |a, b| _mm256_or_ps(a, b);
    bits |mask| _mm256_movemask_ps(mask).cast_unsigned();
}

lanes! {
    Avx2F32, 8, unpack _mm256_unpacklo_ps _mm256_unpackhi_ps, shuffle _mm256_shuffle_ps;

    #[inline(always)]
    unsafe fn load_rows(_: Avx2, row: impl Fn(usize) -> *const f32) -> [Self; 4] {
        // SAFETY: the caller's; the token exists.
        Self::transpose_fours(unsafe {
            [
                two_rows(row(0), row(4)),
                two_rows(row(1), row(5)),
                two_rows(row(2), row(6)),
                two_rows(row(3), row(7)),
            ]
        })
    }

    #[inline(always)]
    unsafe fn store_rows(rows: [Self; 4], row: impl Fn(usize) -> *mut f32) {
        let [a, b, c, d] = Self::transpose_fours(rows);
        // SAFETY: the caller's; the token exists.
        unsafe {
            store_two(a, row(0), row(4));
            store_two(b, row(1), row(5));
            store_two(c, row(2), row(6));
            store_two(d, row(3), row(7));
        }
    }
}

impl Lanes8 for Avx2F32 {
    type Wide = TwiceF32<Self>;

    #[inline(always)]
    fn load(_: Avx2, from: &F32x8) -> Self {
        // SAFETY: the token exists; eight numbers in memory are aligned to 32 bytes.
        unsafe { Self(_mm256_load_ps(from.0.as_ptr())) }
    }
    #[inline(always)]
    fn load_unaligned(_: Avx2, from: &[f32; LANES]) -> Self {
        // SAFETY: the token exists; eight numbers are read.
        unsafe { Self(_mm256_loadu_ps(from.as_ptr())) }
    }
    #[inline(always)]
    fn store(self) -> F32x8 {
        let mut numbers = F32x8::default();
        // SAFETY: the token exists; eight numbers in memory are aligned to 32 bytes.
        unsafe { _mm256_store_ps(numbers.0.as_mut_ptr(), self.0) };
        numbers
    }
    #[inline(always)]
    fn twice(self) -> TwiceF32<Self> {
        TwiceF32([self, self])
    }

    #[inline(always)]
    fn gather(_: Avx2, from: &[[f32; 2]], at: &[u32; LANES]) -> [Self; 2] {
        // SAFETY: the token exists; every record read is in the list.
        unsafe {
            assert!(are_below(at, from.len()), "{at:?} among {}", from.len());
            let pair = |lane: usize| {
                let record = from.as_ptr().add(at[lane] as usize);
                _mm_loadl_epi64(record.cast())
            };
            let two = |a: usize, b: usize| _mm_castsi128_ps(_mm_unpacklo_epi64(pair(a), pair(b)));
            let (low, high) = (join(two(0, 1), two(4, 5)), join(two(2, 3), two(6, 7)));
            even_and_odd(low, high)
        }
    }
    #[inline(always)]
    fn load_records(_: Avx2, records: [&[f32; 4]; LANES]) -> [Self; 4] {
        let two = |a: usize, b: usize| (records[a].as_ptr(), records[b].as_ptr());
        let [(a, e), (b, f), (c, g), (d, h)] = [two(0, 4), two(1, 5), two(2, 6), two(3, 7)];
        // SAFETY: the token exists; records of four numbers are read.
        Self::transpose_fours(unsafe {
            [
                two_rows(a, e),
                two_rows(b, f),
                two_rows(c, g),
                two_rows(d, h),
            ]
        })
    }
    #[inline(always)]
    fn differences(_: Avx2, points: [&[f64; 2]; LANES], from: [f64; 2]) -> [Self; 2] {
        // SAFETY: the token exists.
        unsafe {
            let from = _mm256_setr_pd(from[0], from[1], from[0], from[1]);
            let two = |a: usize, b: usize| two_differences(points[a], points[b], from);
            let (low, high) = (join(two(0, 1), two(4, 5)), join(two(2, 3), two(6, 7)));
            even_and_odd(low, high)
        }
    }
    #[inline(always)]
    fn transpose([a, b, c, d, e, f, g, h]: [Self; LANES]) -> [Self; LANES] {
        let [a, b, c, d] = Self::transpose_fours([a, b, c, d]);
        let [e, f, g, h] = Self::transpose_fours([e, f, g, h]);
        // The first halves make the first four rows, the second halves the others.
        const LOW: i32 = 0x20;
        const HIGH: i32 = 0x31;
        // SAFETY: the token exists.
        unsafe {
            [
                Self(_mm256_permute2f128_ps::<LOW>(a.0, e.0)),
                Self(_mm256_permute2f128_ps::<LOW>(b.0, f.0)),
                Self(_mm256_permute2f128_ps::<LOW>(c.0, g.0)),
                Self(_mm256_permute2f128_ps::<LOW>(d.0, h.0)),
                Self(_mm256_permute2f128_ps::<HIGH>(a.0, e.0)),
                Self(_mm256_permute2f128_ps::<HIGH>(b.0, f.0)),
                Self(_mm256_permute2f128_ps::<HIGH>(c.0, g.0)),
                Self(_mm256_permute2f128_ps::<HIGH>(d.0, h.0)),
            ]
        }
    }
    #[inline(always)]
    fn and_not_equal(mask: Avx2Mask, of: &[u32; LANES], value: u32) -> Avx2Mask {
        // SAFETY: the token exists.
        unsafe {
            let same = _mm256_cmpeq_epi32(integers(of), _mm256_set1_epi32(value.cast_signed()));
            Avx2Mask(_mm256_andnot_ps(_mm256_castsi256_ps(same), mask.0))
        }
    }

    #[inline(always)]
    fn compress(_: Avx2, of: &[u32; LANES], set: u32, to: &mut [u32; LANES]) {
        let members = &MEMBERS[set as usize % MEMBERS.len()];
        // SAFETY: the token exists; eight bytes are read, as many as the members of a set, and eight integers written.
        unsafe {
            let members = _mm256_cvtepu8_epi32(_mm_loadl_epi64(members.as_ptr().cast()));
            let packed = _mm256_permutevar8x32_epi32(integers(of), members);
            _mm256_storeu_si256(to.as_mut_ptr().cast(), packed);
        }
    }
    #[inline(always)]
    fn rank(simd: Avx2, of: &Wide<F32x8>) -> (u64, u32) {
        let (low, high) = (Self::load(simd, &of.0[0]), Self::load(simd, &of.0[1]));
        // SAFETY: the token exists.
        unsafe {
            let mut less = [_mm256_setzero_si256(); 2];
            for &number in of.0.iter().flat_map(|half| &half.0) {
                let number: Self = crate::Vector::splat(simd, number);
                for (less, of) in less.iter_mut().zip([low, high]) {
                    // A true lane is -1 as an integer.
                    let is_less = crate::Vector::lt(number, of);
                    *less = _mm256_sub_epi32(*less, _mm256_castps_si256(is_less.0));
                }
            }
            let [less_low, less_high] = less;
            let order = _mm256_or_si256(ranked(less_low, 0), ranked(less_high, 8));
            let (a, b) = (
                _mm256_castsi256_si128(order),
                _mm256_extracti128_si256::<1>(order),
            );
            let order = _mm_or_si128(a, b);
            let order = _mm_or_si128(order, _mm_unpackhi_epi64(order, order));
            let sum = _mm256_add_epi32(less_low, less_high);
            let (a, b) = (
                _mm256_castsi256_si128(sum),
                _mm256_extracti128_si256::<1>(sum),
            );
            let sum = _mm_add_epi32(a, b);
            let sum = _mm_add_epi32(sum, _mm_unpackhi_epi64(sum, sum));
            let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<1>(sum));
            let sum = _mm_cvtsi128_si32(sum).cast_unsigned();
            (_mm_cvtsi128_si64(order).cast_unsigned(), sum)
        }
    }
    #[inline(always)]
    fn unpack_nibbles(_: Avx2, nibbles: u64) -> Wide<U32x8> {
        // SAFETY: the token exists.
        unsafe {
            let (low, high) = (unpack(nibbles as u32), unpack((nibbles >> 32) as u32));
            Wide([store_integers(low), store_integers(high)])
        }
    }
    #[inline(always)]
    fn permute(_: Avx2, from: &Wide<F32x8>, at: &Wide<U32x8>) -> Wide<F32x8> {
        let from: *const Wide<F32x8> = from;
        let [low, high] = &at.0;
        // SAFETY: the token exists; sixteen numbers are read.
        unsafe {
            Wide([
                Self(permute(from.cast(), low)).store(),
                Self(permute(from.cast(), high)).store(),
            ])
        }
    }
    #[inline(always)]
    fn permute_u32(_: Avx2, from: &[u32; WIDE], at: &Wide<U32x8>) -> [u32; WIDE] {
        let from: *const [u32; WIDE] = from;
        let mut to = [0; WIDE];
        let start: *mut f32 = to.as_mut_ptr().cast();
        // SAFETY: the token exists; sixteen integers are read, moved as they are, and written.
        unsafe {
            _mm256_storeu_ps(start, permute(from.cast(), &at.0[0]));
            _mm256_storeu_ps(start.add(LANES), permute(from.cast(), &at.0[1]));
        }
        to
    }
}

// The functions below require a processor with AVX2: that is the contract of each.

/// # Safety
/// Both rows must be readable for four floats.
#[inline(always)]
unsafe fn two_rows(a: *const f32, b: *const f32) -> Avx2F32 {
    // SAFETY: the caller's.
    Avx2F32(unsafe { join(_mm_loadu_ps(a), _mm_loadu_ps(b)) })
}

/// # Safety
/// Both rows must be writable for four floats.
#[inline(always)]
unsafe fn store_two(rows: Avx2F32, a: *mut f32, b: *mut f32) {
    // SAFETY: the caller's.
    unsafe {
        _mm_storeu_ps(a, _mm256_castps256_ps128(rows.0));
        _mm_storeu_ps(b, _mm256_extractf128_ps::<1>(rows.0));
    }
}

/// # Safety
/// See above.
#[inline(always)]
unsafe fn join(low: __m128, high: __m128) -> __m256 {
    // SAFETY: the caller's.
    unsafe { _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high) }
}

/// Returns the first numbers of pairs, and the second ones; pairs 0, 1, 4, 5 are in `low`.
///
/// # Safety
/// See above.
#[inline(always)]
unsafe fn even_and_odd(low: __m256, high: __m256) -> [Avx2F32; 2] {
    // SAFETY: the caller's.
    unsafe {
        [
            Avx2F32(_mm256_shuffle_ps::<0b10_00_10_00>(low, high)),
            Avx2F32(_mm256_shuffle_ps::<0b11_01_11_01>(low, high)),
        ]
    }
}

/// Returns the differences of two points to one, which is given twice.
///
/// # Safety
/// See above.
#[inline(always)]
unsafe fn two_differences(a: &[f64; 2], b: &[f64; 2], from: __m256d) -> __m128 {
    // SAFETY: the caller's; points of two numbers are read.
    unsafe {
        let a = _mm256_castpd128_pd256(_mm_loadu_pd(a.as_ptr()));
        let to = _mm256_insertf128_pd::<1>(a, _mm_loadu_pd(b.as_ptr()));
        _mm256_cvtpd_ps(_mm256_sub_pd(to, from))
    }
}

/// Returns whether all of eight integers are below a length.
///
/// # Safety
/// See above.
#[inline(always)]
unsafe fn are_below(at: &[u32; LANES], len: usize) -> bool {
    // SAFETY: the caller's.
    unsafe {
        let len = _mm256_set1_epi32(u32::try_from(len).unwrap_or(u32::MAX).cast_signed());
        let at = integers(at);
        let beyond = _mm256_cmpeq_epi32(_mm256_max_epu32(at, len), at);
        _mm256_testz_si256(beyond, beyond) == 1
    }
}

/// # Safety
/// See above.
#[inline(always)]
pub(crate) unsafe fn integers(of: &[u32; LANES]) -> __m256i {
    // SAFETY: the caller's; eight integers are read.
    unsafe { _mm256_loadu_si256(of.as_ptr().cast()) }
}

/// # Safety
/// See above.
#[inline(always)]
pub(crate) unsafe fn store_integers(register: __m256i) -> U32x8 {
    let mut to = U32x8::default();
    // SAFETY: the caller's; eight integers in memory are aligned to 32 bytes.
    unsafe { _mm256_store_si256(to.0.as_mut_ptr().cast(), register) };
    to
}

/// Writes the numbers of eight, from `first` on, in four bits each to the places given by `less`, over four sums.
///
/// # Safety
/// See above.
#[inline(always)]
unsafe fn ranked(less: __m256i, first: i64) -> __m256i {
    // SAFETY: the caller's.
    unsafe {
        let shifts = _mm256_slli_epi32::<2>(less);
        let low = _mm256_cvtepu32_epi64(_mm256_castsi256_si128(shifts));
        let high = _mm256_cvtepu32_epi64(_mm256_extracti128_si256::<1>(shifts));
        let numbers = _mm256_setr_epi64x(first, first + 1, first + 2, first + 3);
        let more = _mm256_setr_epi64x(first + 4, first + 5, first + 6, first + 7);
        _mm256_or_si256(
            _mm256_sllv_epi64(numbers, low),
            _mm256_sllv_epi64(more, high),
        )
    }
}

/// Returns eight numbers of four bits each, the lowest first.
///
/// # Safety
/// See above.
#[inline(always)]
unsafe fn unpack(nibbles: u32) -> __m256i {
    // SAFETY: the caller's.
    unsafe {
        let shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
        let shifted = _mm256_srlv_epi32(_mm256_set1_epi32(nibbles.cast_signed()), shifts);
        _mm256_and_si256(shifted, _mm256_set1_epi32(15))
    }
}

/// Returns eight of sixteen numbers.
///
/// # Safety
/// See above; `from` must be readable for sixteen numbers.
#[inline(always)]
unsafe fn permute(from: *const f32, at: &U32x8) -> __m256 {
    // SAFETY: the caller's.
    unsafe {
        let at = integers(&at.0);
        let is_high = _mm256_cmpgt_epi32(at, _mm256_set1_epi32(LANES as i32 - 1));
        let low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(from), at);
        let high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(from.add(LANES)), at);
        _mm256_blendv_ps(low, high, _mm256_castsi256_ps(is_high))
    }
}
