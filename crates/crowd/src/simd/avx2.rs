//! Eight lanes of AVX2.

use super::{Eight, Indices, Kernel, LANES, Lanes, MEMBERS, Seen, TWICE, Twice};
use crate::places::Place;
use core::arch::x86_64::*;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// 8 numbers in a register.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Avx2(pub(super) __m256);

impl Avx2 {
    /// Says whether the processor has AVX2, and what came with it to all that have.
    pub(super) fn is_there() -> bool {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    }
}

impl Add for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_add_ps(self.0, other.0) })
    }
}

impl Sub for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_sub_ps(self.0, other.0) })
    }
}

impl Mul for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_mul_ps(self.0, other.0) })
    }
}

impl Div for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_div_ps(self.0, other.0) })
    }
}

impl Neg for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        Self(unsafe { _mm256_xor_ps(self.0, _mm256_set1_ps(-0.0)) })
    }
}

impl Lanes for Avx2 {
    const LEAST_ABREAST: u32 = 3;

    type Mask = __m256;
    type Counts = __m256i;

    #[inline(always)]
    fn splat(value: f32) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { Self(_mm256_set1_ps(value)) }
    }
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        // SAFETY: as above; eight numbers in memory are aligned to 32 bytes.
        unsafe { Self(_mm256_load_ps(from.0.as_ptr())) }
    }
    #[inline(always)]
    fn store(self) -> Eight {
        // SAFETY: as above; eight numbers in memory are aligned to 32 bytes.
        unsafe {
            let mut eight = Eight::splat(0.0);
            _mm256_store_ps(eight.0.as_mut_ptr(), self.0);
            eight
        }
    }
    #[inline(always)]
    fn read(from: &[f32; LANES]) -> Self {
        // SAFETY: as above; references to eight numbers can be read and written.
        unsafe { Self(_mm256_loadu_ps(from.as_ptr())) }
    }
    #[inline(always)]
    fn gather(from: &[[f32; 2]], at: &[u32; LANES]) -> [Self; 2] {
        // SAFETY: a value of this type exists only where the instruction set does; every record read is in the list.
        unsafe {
            assert!(are_below(at, from.len()), "{at:?} among {}", from.len());
            let pair = |lane: usize| {
                let place = from.as_ptr().add(at[lane] as usize);
                _mm_loadl_epi64(place.cast())
            };
            let two = |a: usize, b: usize| _mm_castsi128_ps(_mm_unpacklo_epi64(pair(a), pair(b)));
            let (low, high) = (join(two(0, 1), two(4, 5)), join(two(2, 3), two(6, 7)));
            [
                Self(_mm256_shuffle_ps::<0b10_00_10_00>(low, high)),
                Self(_mm256_shuffle_ps::<0b11_01_11_01>(low, high)),
            ]
        }
    }
    #[inline(always)]
    fn see(places: [&Place; LANES], from: [f64; 2]) -> Seen<Self> {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe {
            let body = |a: usize, b: usize| two_rows(&places[a].body, &places[b].body);
            let [x, y, radius, _] = transpose([body(0, 4), body(1, 5), body(2, 6), body(3, 7)]);
            let from = _mm256_setr_pd(from[0], from[1], from[0], from[1]);
            let ways = |a: usize, b: usize| two_ways(&places[a].center, &places[b].center, from);
            let low = join(ways(0, 1), ways(4, 5));
            let high = join(ways(2, 3), ways(6, 7));
            Seen {
                way: [
                    Self(_mm256_shuffle_ps::<0b10_00_10_00>(low, high)),
                    Self(_mm256_shuffle_ps::<0b11_01_11_01>(low, high)),
                ],
                velocity: [Self(x), Self(y)],
                radius: Self(radius),
            }
        }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { Self(_mm256_sqrt_ps(self.0)) }
    }
    #[inline(always)]
    fn lt(self, other: Self) -> __m256 {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn le(self, other: Self) -> __m256 {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0) }
    }
    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { Self(_mm256_min_ps(self.0, other.0)) }
    }
    #[inline(always)]
    fn greatest(self) -> f32 {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe {
            let (low, high) = (
                _mm256_castps256_ps128(self.0),
                _mm256_extractf128_ps::<1>(self.0),
            );
            let four = _mm_max_ps(low, high);
            let two = _mm_max_ps(four, _mm_movehl_ps(four, four));
            _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)))
        }
    }

    #[inline(always)]
    fn transpose([a, b, c, d, e, f, g, h]: [Self; LANES]) -> [Self; LANES] {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe {
            let [a, b, c, d] = transpose([a.0, b.0, c.0, d.0]);
            let [e, f, g, h] = transpose([e.0, f.0, g.0, h.0]);
            // The first halves make the first four rows, the second halves the others.
            const LOW: i32 = 0x20;
            const HIGH: i32 = 0x31;
            [
                Self(_mm256_permute2f128_ps::<LOW>(a, e)),
                Self(_mm256_permute2f128_ps::<LOW>(b, f)),
                Self(_mm256_permute2f128_ps::<LOW>(c, g)),
                Self(_mm256_permute2f128_ps::<LOW>(d, h)),
                Self(_mm256_permute2f128_ps::<HIGH>(a, e)),
                Self(_mm256_permute2f128_ps::<HIGH>(b, f)),
                Self(_mm256_permute2f128_ps::<HIGH>(c, g)),
                Self(_mm256_permute2f128_ps::<HIGH>(d, h)),
            ]
        }
    }

    #[inline(always)]
    fn both(a: __m256, b: __m256) -> __m256 {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_and_ps(a, b) }
    }
    #[inline(always)]
    fn either(a: __m256, b: __m256) -> __m256 {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_or_ps(a, b) }
    }
    #[inline(always)]
    fn select(mask: __m256, yes: Self, no: Self) -> Self {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { Self(_mm256_blendv_ps(no.0, yes.0, mask)) }
    }
    #[inline(always)]
    fn bits(mask: __m256) -> u32 {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_movemask_ps(mask).cast_unsigned() }
    }
    #[inline(always)]
    fn without(mask: __m256, of: &[u32; LANES], index: u32) -> __m256 {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe {
            let same = _mm256_cmpeq_epi32(integers(of), _mm256_set1_epi32(index.cast_signed()));
            _mm256_andnot_ps(_mm256_castsi256_ps(same), mask)
        }
    }

    #[inline(always)]
    fn no_counts() -> __m256i {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe { _mm256_setzero_si256() }
    }
    #[inline(always)]
    fn count(counts: __m256i, mask: __m256) -> __m256i {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe {
            // What is true is -1 as an integer.
            _mm256_sub_epi32(counts, _mm256_castps_si256(mask))
        }
    }
    #[inline(always)]
    fn store_counts(counts: __m256i) -> Indices {
        // SAFETY: as above; references to eight numbers can be read and written.
        unsafe {
            let mut to = Indices::default();
            _mm256_storeu_si256(to.0.as_mut_ptr().cast(), counts);
            to
        }
    }

    #[inline(always)]
    fn pack(of: &[u32; LANES], set: u32, to: &mut [u32; LANES]) {
        let members = &MEMBERS[set as usize % MEMBERS.len()];
        // SAFETY: as above; eight bytes are read, as many as the members of a set, and eight integers written.
        unsafe {
            let members = _mm256_cvtepu8_epi32(_mm_loadl_epi64(members.as_ptr().cast()));
            let packed = _mm256_permutevar8x32_epi32(integers(of), members);
            _mm256_storeu_si256(to.as_mut_ptr().cast(), packed);
        }
    }

    #[inline(always)]
    fn rank(of: &Twice<Eight>) -> (u64, u32) {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe {
            let (low, high) = (Self::load(&of.0[0]), Self::load(&of.0[1]));
            let (mut less_low, mut less_high) = (Self::no_counts(), Self::no_counts());
            for half in &of.0 {
                for &number in &half.0 {
                    let number = Self::splat(number);
                    less_low = Self::count(less_low, number.lt(low));
                    less_high = Self::count(less_high, number.lt(high));
                }
            }
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
    fn unpack(nibbles: u64) -> Twice<Indices> {
        // SAFETY: a value of this type exists only where the instruction set does.
        unsafe {
            Twice([
                Self::store_counts(unpack(nibbles as u32)),
                Self::store_counts(unpack((nibbles >> 32) as u32)),
            ])
        }
    }
    #[inline(always)]
    fn pick(from: &Twice<Eight>, places: &Twice<Indices>) -> Twice<Eight> {
        let from: *const Twice<Eight> = from;
        let [low, high] = &places.0;
        // SAFETY: a value of this type exists only where the instruction set does; sixteen numbers are read.
        unsafe {
            Twice([
                Self(pick(from.cast(), low)).store(),
                Self(pick(from.cast(), high)).store(),
            ])
        }
    }
    #[inline(always)]
    fn pick_integers(from: &[u32; TWICE], places: &Twice<Indices>) -> [u32; TWICE] {
        let from: *const [u32; TWICE] = from;
        let mut to = [0; TWICE];
        let start: *mut f32 = to.as_mut_ptr().cast();
        // SAFETY: as above; sixteen integers are read, moved as they are, and written.
        unsafe {
            _mm256_storeu_ps(start, pick(from.cast(), &places.0[0]));
            _mm256_storeu_ps(start.add(LANES), pick(from.cast(), &places.0[1]));
        }
        to
    }

    #[inline(always)]
    fn enter<K: Kernel>(kernel: K) -> K::Output {
        // SAFETY: the width is chosen after asking the processor.
        unsafe { enter(kernel) }
    }
}

/// # Safety
/// The processor must have the instruction set.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
unsafe fn enter<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

/// # Safety
/// The processor must have the instruction set.
#[inline(always)]
unsafe fn integers(of: &[u32; LANES]) -> __m256i {
    // SAFETY: the caller's; eight integers are read.
    unsafe { _mm256_loadu_si256(of.as_ptr().cast()) }
}

/// Writes the numbers of eight, from `first` on, in four bits each to the places that `less` tells, over four sums.
///
/// # Safety
/// The processor must have the instruction set.
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

/// Returns eight numbers of four bits each, the lowest ones first.
///
/// # Safety
/// The processor must have the instruction set.
#[inline(always)]
unsafe fn unpack(nibbles: u32) -> __m256i {
    // SAFETY: the caller's.
    unsafe {
        let shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
        let shifted = _mm256_srlv_epi32(_mm256_set1_epi32(nibbles.cast_signed()), shifts);
        _mm256_and_si256(shifted, _mm256_set1_epi32(15))
    }
}

/// Picks eight of sixteen.
///
/// # Safety
/// The processor must have the instruction set, and `from` be readable for sixteen numbers.
#[inline(always)]
unsafe fn pick(from: *const f32, places: &Indices) -> __m256 {
    // SAFETY: the caller's.
    unsafe {
        let places = integers(&places.0);
        let is_high = _mm256_cmpgt_epi32(places, _mm256_set1_epi32(LANES as i32 - 1));
        let low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(from), places);
        let high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(from.add(LANES)), places);
        _mm256_blendv_ps(low, high, _mm256_castsi256_ps(is_high))
    }
}

/// # Safety
/// The processor must have the instruction set.
#[inline(always)]
unsafe fn join(low: __m128, high: __m128) -> __m256 {
    // SAFETY: the caller's.
    unsafe { _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(low), high) }
}

/// # Safety
/// The processor must have the instruction set.
#[inline(always)]
unsafe fn two_rows(a: &[f32; 4], b: &[f32; 4]) -> __m256 {
    // SAFETY: the caller's; rows of four numbers are read.
    unsafe { join(_mm_loadu_ps(a.as_ptr()), _mm_loadu_ps(b.as_ptr())) }
}

/// Says whether all of eight integers are below a length.
///
/// # Safety
/// The processor must have the instruction set.
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

/// Returns the ways from one point, twice given, to two.
///
/// # Safety
/// The processor must have the instruction set.
#[inline(always)]
unsafe fn two_ways(a: &[f64; 2], b: &[f64; 2], from: __m256d) -> __m128 {
    // SAFETY: the caller's; points of two numbers are read.
    unsafe {
        let a = _mm256_castpd128_pd256(_mm_loadu_pd(a.as_ptr()));
        let to = _mm256_insertf128_pd::<1>(a, _mm_loadu_pd(b.as_ptr()));
        _mm256_cvtpd_ps(_mm256_sub_pd(to, from))
    }
}

/// Transposes 4 by 4 within each group of four lanes.
///
/// # Safety
/// The processor must have the instruction set.
#[inline(always)]
unsafe fn transpose([a, b, c, d]: [__m256; 4]) -> [__m256; 4] {
    // SAFETY: the caller's.
    unsafe {
        let (ab_low, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
        let (cd_low, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
        [
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_low, cd_low),
            _mm256_shuffle_ps::<0b01_00_01_00>(ab_high, cd_high),
            _mm256_shuffle_ps::<0b11_10_11_10>(ab_high, cd_high),
        ]
    }
}
