//! Eight lanes of AVX-512: truth values lie in mask registers, and a set of lanes is packed by one instruction.
//!
//! Registers of eight, not of sixteen: agents abreast are eight, and a processor of 2022 computes sixteen in two halves
//! anyway. Arithmetic and what moves numbers about is [`Avx2`]'s.

use super::avx2::Avx2;
use super::{Eight, Indices, Kernel, LANES, Lanes, Seen, Spots, TWICE, Twice};
use crate::places::Place;
use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// 8 numbers in a register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    /// Says whether the processor has what is used of AVX-512, and AVX2.
    pub(super) fn is_there() -> bool {
        Avx2::is_there()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
    }
}

impl Add for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Div for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(self.0 / other.0)
    }
}

impl Neg for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Lanes for Avx512 {
    const LEAST_ABREAST: u32 = Avx2::LEAST_ABREAST;

    type Mask = __mmask8;
    type Counts = __m256i;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self(Avx2::splat(value))
    }
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        Self(Avx2::load(from))
    }
    #[inline(always)]
    fn store(self) -> Eight {
        self.0.store()
    }
    #[inline(always)]
    fn read(from: &[f32; LANES]) -> Self {
        Self(Avx2::read(from))
    }
    #[inline(always)]
    fn gather(from: &[[f32; 2]], at: &[u32; LANES]) -> [Self; 2] {
        let [a, b] = Avx2::gather(from, at);
        [Self(a), Self(b)]
    }
    #[inline(always)]
    fn see(places: [&Place; LANES], from: [f64; 2]) -> Seen<Self> {
        let seen = Avx2::see(places, from);
        Seen {
            way: [Self(seen.way[0]), Self(seen.way[1])],
            velocity: [Self(seen.velocity[0]), Self(seen.velocity[1])],
            radius: Self(seen.radius),
        }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn lt(self, other: Self) -> __mmask8 {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_cmp_ps_mask::<_CMP_LT_OQ>(self.0.0, other.0.0) }
    }
    #[inline(always)]
    fn le(self, other: Self) -> __mmask8 {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_cmp_ps_mask::<_CMP_LE_OQ>(self.0.0, other.0.0) }
    }
    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        Self(self.0.lesser(other.0))
    }
    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(Avx2(unsafe { _mm256_max_ps(self.0.0, other.0.0) }))
    }
    #[inline(always)]
    fn greatest(self) -> f32 {
        self.0.greatest()
    }

    #[inline(always)]
    fn transpose([a, b, c, d, e, f, g, h]: [Self; LANES]) -> [Self; LANES] {
        let [a, b, c, d, e, f, g, h] = Avx2::transpose([a.0, b.0, c.0, d.0, e.0, f.0, g.0, h.0]);
        [
            Self(a),
            Self(b),
            Self(c),
            Self(d),
            Self(e),
            Self(f),
            Self(g),
            Self(h),
        ]
    }

    #[inline(always)]
    fn both(a: __mmask8, b: __mmask8) -> __mmask8 {
        a & b
    }
    #[inline(always)]
    fn either(a: __mmask8, b: __mmask8) -> __mmask8 {
        a | b
    }
    #[inline(always)]
    fn select(mask: __mmask8, yes: Self, no: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(Avx2(unsafe { _mm256_mask_blend_ps(mask, no.0.0, yes.0.0) }))
    }
    #[inline(always)]
    fn bits(mask: __mmask8) -> u32 {
        mask.into()
    }
    #[inline(always)]
    fn without(mask: __mmask8, of: &[u32; LANES], index: u32) -> __mmask8 {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe {
            let index = _mm256_set1_epi32(index.cast_signed());
            _mm256_mask_cmpneq_epi32_mask(mask, integers(of), index)
        }
    }
    #[inline(always)]
    fn among(set: u32) -> __mmask8 {
        set as __mmask8
    }
    #[inline(always)]
    fn first(count: usize) -> __mmask8 {
        !(u32::MAX << count.min(LANES)) as __mmask8
    }

    #[inline(always)]
    fn no_counts() -> __m256i {
        Avx2::no_counts()
    }
    #[inline(always)]
    fn count(counts: __m256i, mask: __mmask8) -> __m256i {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_mask_sub_epi32(counts, mask, counts, _mm256_set1_epi32(-1)) }
    }
    #[inline(always)]
    fn store_counts(counts: __m256i) -> Indices {
        Avx2::store_counts(counts)
    }

    #[inline(always)]
    fn pack(of: &[u32; LANES], set: u32, to: &mut [u32; LANES]) {
        // SAFETY: as above; eight integers are written. Not compressed straight into memory, which some processors do
        // in a hundred steps.
        unsafe {
            let packed = _mm256_maskz_compress_epi32(set as __mmask8, integers(of));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), packed);
        }
    }

    #[inline(always)]
    fn unpack(nibbles: u64) -> Twice<Indices> {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe {
            let [low, high] = [nibbles as u32, (nibbles >> 32) as u32].map(u32::cast_signed);
            let both = _mm512_mask_set1_epi32(_mm512_set1_epi32(low), 0xff00, high);
            let shifts =
                _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 0, 4, 8, 12, 16, 20, 24, 28);
            let shifted = _mm512_srlv_epi32(both, shifts);
            write_integers(_mm512_and_si512(shifted, _mm512_set1_epi32(15)))
        }
    }
    #[inline(always)]
    fn pick(from: &Twice<Eight>, places: &Twice<Indices>) -> Twice<Eight> {
        // SAFETY: a value of this type exists only where the instruction set does.
        write(unsafe { _mm512_permutexvar_ps(sixteen_integers(places), sixteen(from)) })
    }
    #[inline(always)]
    fn pick_integers(from: &[u32; TWICE], places: &Twice<Indices>) -> [u32; TWICE] {
        let mut to = [0; TWICE];
        // SAFETY: as above; sixteen integers are read, and written.
        unsafe {
            let from = _mm512_loadu_si512(from.as_ptr().cast());
            let picked = _mm512_permutexvar_epi32(sixteen_integers(places), from);
            _mm512_storeu_si512(to.as_mut_ptr().cast(), picked);
        }
        to
    }

    #[inline(always)]
    fn near(
        spots: &Spots<'_>,
        at: [Self; 2],
        range: Self,
        own: u32,
        to: &mut [u32; TWICE],
    ) -> usize {
        // SAFETY: as above; sixteen numbers of each column are read, and sixteen integers written. Not compressed straight
        // into memory, which some processors do in a hundred steps.
        unsafe {
            let x = _mm512_sub_ps(_mm512_loadu_ps(spots.x.as_ptr()), twice(at[0]));
            let y = _mm512_sub_ps(_mm512_loadu_ps(spots.y.as_ptr()), twice(at[1]));
            let radius = _mm512_loadu_ps(spots.radius.as_ptr());
            let range = _mm512_add_ps(radius, twice(range));
            let distance_sq = _mm512_add_ps(_mm512_mul_ps(x, x), _mm512_mul_ps(y, y));
            let near = _mm512_cmp_ps_mask::<_CMP_LE_OQ>(distance_sq, _mm512_mul_ps(range, range));
            let names = _mm512_loadu_si512(spots.names.as_ptr().cast());
            let own = _mm512_set1_epi32(own.cast_signed());
            let near = _mm512_mask_cmpneq_epi32_mask(near, names, own);
            let packed = _mm512_maskz_compress_epi32(near, names);
            _mm512_storeu_si512(to.as_mut_ptr().cast(), packed);
            near.count_ones() as usize
        }
    }
    #[inline(always)]
    fn rank(of: &Twice<Eight>) -> (u64, u32) {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe {
            let all = sixteen(of);
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
    fn join(low: Self, high: Self) -> Twice<Eight> {
        // SAFETY: a value of this type exists only where the instruction set does.
        write(unsafe { _mm512_insertf32x8::<1>(_mm512_castps256_ps512(low.0.0), high.0.0) })
    }

    #[inline(always)]
    fn enter<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: the width is chosen after asking the processor.
        unsafe { enter(kernel) }
    }
}

/// # Safety
/// The processor must have the instruction set.
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn enter<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512>()
}

/// # Safety
/// The processor must have the instruction set.
#[inline(always)]
unsafe fn integers(of: &[u32; LANES]) -> __m256i {
    // SAFETY: the caller's; eight integers are read.
    unsafe { _mm256_loadu_si256(of.as_ptr().cast()) }
}

/// Returns a register's eight numbers twice.
///
/// # Safety
/// The processor must have the instruction set.
#[inline(always)]
unsafe fn twice(eight: Avx512) -> __m512 {
    // SAFETY: the caller's.
    unsafe { _mm512_broadcast_f32x8(eight.0.0) }
}

/// Counts one more where one of sixteen is greater than a number.
///
/// # Safety
/// The processor must have the instruction set.
#[inline(always)]
unsafe fn count_if_greater(counts: __m512i, of: __m512, number: f32) -> __m512i {
    // SAFETY: the caller's.
    unsafe {
        let greater = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(_mm512_set1_ps(number), of);
        _mm512_mask_sub_epi32(counts, greater, counts, _mm512_set1_epi32(-1))
    }
}

/// # Safety
/// The processor must have the instruction set.
#[inline(always)]
unsafe fn sixteen(from: &Twice<Eight>) -> __m512 {
    let from: *const Twice<Eight> = from;
    // SAFETY: the caller's; twice eight numbers lie in a row, aligned to 64 bytes.
    unsafe { _mm512_load_ps(from.cast()) }
}

/// # Safety
/// The processor must have the instruction set.
#[inline(always)]
unsafe fn sixteen_integers(from: &Twice<Indices>) -> __m512i {
    let from: *const Twice<Indices> = from;
    // SAFETY: the caller's; twice eight integers lie in a row, aligned to 64 bytes.
    unsafe { _mm512_load_si512(from.cast()) }
}

/// Writes sixteen numbers from a register, which is there only where the instruction set is.
#[inline(always)]
fn write(numbers: __m512) -> Twice<Eight> {
    // SAFETY: both are sixteen numbers and nothing else.
    unsafe { core::mem::transmute(numbers) }
}

/// The same with integers.
#[inline(always)]
fn write_integers(integers: __m512i) -> Twice<Indices> {
    // SAFETY: both are sixteen integers and nothing else.
    unsafe { core::mem::transmute(integers) }
}
