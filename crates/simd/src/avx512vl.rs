//! AVX-512 on registers of eight: masks are in mask registers, and one instruction compresses a set of lanes.
//!
//! Eight lanes and not sixteen: batches of agents are eight, and a processor of 2022 computes sixteen in two halves anyway.
//! Arithmetic and what moves numbers is that of AVX2; what orders sixteen numbers uses registers of sixteen.

use crate::avx2::{Avx2, Avx2Counts, Avx2F32, integers};
use crate::avx512::{Avx512, Avx512F32};
use crate::eight::Lanes8;
use crate::lanes::Vector;
use crate::memory::{F32x8, LANES, U32x8, WIDE, Wide, each_lane};
use core::arch::x86_64::*;

token! {
    /// The same set as [`Avx512`], on registers of eight: eight lanes.
    Avx512Vl, vector Avx512VlF32,
    enables "avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi1,bmi2,lzcnt,popcnt",
    asks "avx512f" "avx512vl" "avx512bw" "avx512dq" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
}

impl Avx512Vl {
    /// Returns the token of AVX2, which is part of the set.
    #[inline(always)]
    pub(crate) fn avx2(self) -> Avx2 {
        Avx2::part_of(self)
    }
    /// Returns the token of sixteen lanes.
    #[inline(always)]
    pub(crate) fn wide(self) -> Avx512 {
        Avx512::same_as(self)
    }
}

vector! {
    /// Eight numbers in a register.
    Avx512VlF32(__m256) of Avx512Vl, 8 lanes, mask Avx512VlMask(__mmask8);
    splat _mm256_set1_ps, add _mm256_add_ps, sub _mm256_sub_ps, mul _mm256_mul_ps, div _mm256_div_ps,
    min _mm256_min_ps, max _mm256_max_ps, sqrt _mm256_sqrt_ps;
    neg |a| _mm256_xor_ps(a, _mm256_set1_ps(-0.0));
    lt |a, b| _mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b);
    le |a, b| _mm256_cmp_ps_mask::<_CMP_LE_OQ>(a, b);
    select |mask, yes, no| _mm256_mask_blend_ps(mask, no, yes);
    and |a, b| _kand_mask8(a, b);
    or |a, b| _kor_mask8(a, b);
    bits |mask| _cvtmask8_u32(mask);
}

impl Avx512VlF32 {
    /// Returns the vector as one of AVX2, which is part of the set.
    #[inline(always)]
    fn avx2(self) -> Avx2F32 {
        // SAFETY: the token exists.
        unsafe { Avx2F32::of(self.0) }
    }
    #[inline(always)]
    fn of(_: Avx512Vl, vector: Avx2F32) -> Self {
        Self(vector.register())
    }
    #[inline(always)]
    fn of_two(simd: Avx512Vl, [a, b]: [Avx2F32; 2]) -> [Self; 2] {
        [Self::of(simd, a), Self::of(simd, b)]
    }
    #[inline(always)]
    fn of_four(simd: Avx512Vl, [a, b, c, d]: [Avx2F32; 4]) -> [Self; 4] {
        [
            Self::of(simd, a),
            Self::of(simd, b),
            Self::of(simd, c),
            Self::of(simd, d),
        ]
    }
}

impl Lanes8 for Avx512VlF32 {
    const REGISTERS: usize = 1;
    type Wide = Avx512F32;
    type Counts = Avx2Counts;

    #[inline(always)]
    fn load(simd: Avx512Vl, from: &F32x8) -> Self {
        Self::of(simd, Avx2F32::load(simd.avx2(), from))
    }
    #[inline(always)]
    fn load_unaligned(simd: Avx512Vl, from: &[f32; LANES]) -> Self {
        Self::of(simd, Avx2F32::load_unaligned(simd.avx2(), from))
    }
    #[inline(always)]
    fn store(self) -> F32x8 {
        self.avx2().store()
    }
    #[inline(always)]
    fn twice(self) -> Avx512F32 {
        Avx512F32::twice(self.simd().wide(), self.avx2())
    }
    #[inline(always)]
    fn join(low: Self, high: Self) -> Wide<F32x8> {
        // SAFETY: the token exists.
        unsafe {
            store(_mm512_insertf32x8::<1>(
                _mm512_castps256_ps512(low.0),
                high.0,
            ))
        }
    }

    #[inline(always)]
    fn gather(simd: Avx512Vl, from: &[[f32; 2]], at: &[u32; LANES]) -> [Self; 2] {
        Self::of_two(simd, Avx2F32::gather(simd.avx2(), from, at))
    }
    #[inline(always)]
    fn load_records(simd: Avx512Vl, records: [&[f32; 4]; LANES]) -> [Self; 4] {
        Self::of_four(simd, Avx2F32::load_records(simd.avx2(), records))
    }
    #[inline(always)]
    fn differences(simd: Avx512Vl, points: [&[f64; 2]; LANES], from: [f64; 2]) -> [Self; 2] {
        Self::of_two(simd, Avx2F32::differences(simd.avx2(), points, from))
    }
    #[inline(always)]
    fn transpose(rows: [Self; LANES]) -> [Self; LANES] {
        let columns = Avx2F32::transpose(each_lane(|row| rows[row].avx2()));
        each_lane(|lane| Self::of(rows[0].simd(), columns[lane]))
    }
    #[inline(always)]
    fn reduce_max(self) -> f32 {
        self.avx2().reduce_max()
    }

    #[inline(always)]
    fn and_not_equal(mask: Avx512VlMask, of: &[u32; LANES], value: u32) -> Avx512VlMask {
        // SAFETY: the token exists.
        Avx512VlMask(unsafe {
            let value = _mm256_set1_epi32(value.cast_signed());
            _mm256_mask_cmpneq_epi32_mask(mask.0, integers(of), value)
        })
    }
    #[inline(always)]
    fn mask_from_bits(_: Avx512Vl, set: u32) -> Avx512VlMask {
        Avx512VlMask(set as __mmask8)
    }
    #[inline(always)]
    fn mask_first(_: Avx512Vl, count: usize) -> Avx512VlMask {
        Avx512VlMask(!(u32::MAX << count.min(LANES)) as __mmask8)
    }

    #[inline(always)]
    fn zero_counts(simd: Avx512Vl) -> Avx2Counts {
        Avx2F32::zero_counts(simd.avx2())
    }
    #[inline(always)]
    fn count(counts: Avx2Counts, mask: Avx512VlMask) -> Avx2Counts {
        // SAFETY: the token exists.
        Avx2Counts(unsafe {
            _mm256_mask_sub_epi32(counts.0, mask.0, counts.0, _mm256_set1_epi32(-1))
        })
    }
    #[inline(always)]
    fn store_counts(counts: Avx2Counts) -> U32x8 {
        Avx2F32::store_counts(counts)
    }

    #[inline(always)]
    fn compress(_: Avx512Vl, of: &[u32; LANES], set: u32, to: &mut [u32; LANES]) {
        // SAFETY: the token exists; eight integers are written. Not compressed straight into memory, which some processors
        // do in a hundred steps.
        unsafe {
            let packed = _mm256_maskz_compress_epi32(set as __mmask8, integers(of));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), packed);
        }
    }
    #[inline(always)]
    fn rank(_: Avx512Vl, of: &Wide<F32x8>) -> (u64, u32) {
        // SAFETY: the token exists.
        unsafe {
            let all = load(of);
            let (mut even, mut odd) = (_mm512_setzero_si512(), _mm512_setzero_si512());
            for half in &of.0 {
                for [a, b] in half.0.as_chunks().0 {
                    even = count_if_greater(even, all, *a);
                    odd = count_if_greater(odd, all, *b);
                }
            }
            let less = _mm512_add_epi32(even, odd);
            let shifts = _mm512_slli_epi32::<2>(less);
            let low = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(shifts));
            let high = _mm512_cvtepu32_epi64(_mm512_extracti32x8_epi32::<1>(shifts));
            let numbers = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
            let more = _mm512_setr_epi64(8, 9, 10, 11, 12, 13, 14, 15);
            let order = _mm512_or_si512(
                _mm512_sllv_epi64(numbers, low),
                _mm512_sllv_epi64(more, high),
            );
            let sum = _mm512_reduce_add_epi32(less).cast_unsigned();
            (_mm512_reduce_or_epi64(order).cast_unsigned(), sum)
        }
    }
    #[inline(always)]
    fn unpack_nibbles(_: Avx512Vl, nibbles: u64) -> Wide<U32x8> {
        let [low, high] = [nibbles as u32, (nibbles >> 32) as u32].map(u32::cast_signed);
        // SAFETY: the token exists.
        unsafe {
            let both = _mm512_mask_set1_epi32(_mm512_set1_epi32(low), 0xff00, high);
            let shifts =
                _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28);
            let shifted = _mm512_srlv_epi32(both, shifts);
            store_integers(_mm512_and_si512(shifted, _mm512_set1_epi32(15)))
        }
    }
    #[inline(always)]
    fn permute(_: Avx512Vl, from: &Wide<F32x8>, at: &Wide<U32x8>) -> Wide<F32x8> {
        // SAFETY: the token exists.
        unsafe { store(_mm512_permutexvar_ps(load_integers(at), load(from))) }
    }
    #[inline(always)]
    fn permute_u32(_: Avx512Vl, from: &[u32; WIDE], at: &Wide<U32x8>) -> [u32; WIDE] {
        let mut to = [0; WIDE];
        // SAFETY: the token exists; sixteen integers are read, and written.
        unsafe {
            let from = _mm512_loadu_si512(from.as_ptr().cast());
            let permuted = _mm512_permutexvar_epi32(load_integers(at), from);
            _mm512_storeu_si512(to.as_mut_ptr().cast(), permuted);
        }
        to
    }
}

// The functions below require a processor with AVX-512: that is the contract of each.

/// Adds one where a lane is greater than a number.
///
/// # Safety
/// See above.
#[inline(always)]
unsafe fn count_if_greater(counts: __m512i, of: __m512, number: f32) -> __m512i {
    // SAFETY: the caller's.
    unsafe {
        let greater = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(_mm512_set1_ps(number), of);
        _mm512_mask_sub_epi32(counts, greater, counts, _mm512_set1_epi32(-1))
    }
}

/// # Safety
/// See above.
#[inline(always)]
unsafe fn load(from: &Wide<F32x8>) -> __m512 {
    let from: *const Wide<F32x8> = from;
    // SAFETY: the caller's; twice eight numbers are in a row, aligned to 64 bytes.
    unsafe { _mm512_load_ps(from.cast()) }
}

/// # Safety
/// See above.
#[inline(always)]
unsafe fn load_integers(from: &Wide<U32x8>) -> __m512i {
    let from: *const Wide<U32x8> = from;
    // SAFETY: the caller's; twice eight integers are in a row, aligned to 64 bytes.
    unsafe { _mm512_load_si512(from.cast()) }
}

/// # Safety
/// See above.
#[inline(always)]
unsafe fn store(numbers: __m512) -> Wide<F32x8> {
    // SAFETY: both are sixteen numbers and nothing else.
    unsafe { core::mem::transmute(numbers) }
}

/// # Safety
/// See above.
#[inline(always)]
unsafe fn store_integers(integers: __m512i) -> Wide<U32x8> {
    // SAFETY: both are sixteen integers and nothing else.
    unsafe { core::mem::transmute(integers) }
}
