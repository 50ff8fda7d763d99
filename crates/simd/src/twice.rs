//! Two vectors as one of twice the lanes: eight lanes of SSE2, sixteen of AVX2.

use crate::eight::{Lanes8, Lanes16};
use crate::lanes::{Kernel, Mask, Sealed, Simd, Vector};
use crate::memory::{WIDE, count_lanes};
use core::ops::Neg;

/// The instruction set of `S`, with vectors of two of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Twice<S>(S);

/// Two vectors side by side.
#[derive(Clone, Copy, Debug)]
pub struct TwiceF32<V>(pub(crate) [V; 2]);

/// Two masks side by side.
#[derive(Clone, Copy, Debug)]
pub struct TwiceMask<M>(pub(crate) [M; 2]);

impl<S: Simd> Twice<S> {
    /// Returns the token of twice the lanes.
    #[inline(always)]
    pub const fn new(simd: S) -> Self {
        Self(simd)
    }
}

impl<S: Sealed> Sealed for Twice<S> {}
impl<V: Sealed> Sealed for TwiceF32<V> {}

impl<S: Simd> Simd for Twice<S> {
    type F32 = TwiceF32<S::F32>;

    fn detect() -> Option<Self> {
        S::detect().map(Self)
    }

    #[inline(always)]
    fn enter<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        self.0.enter(Double(kernel))
    }
}

/// A kernel of twice the lanes, compiled for the same instruction set.
struct Double<K>(K);

impl<S: Simd, K: Kernel<Twice<S>>> Kernel<S> for Double<K> {
    type Output = K::Output;
    #[inline(always)]
    fn run(self, simd: S) -> K::Output {
        self.0.run(Twice(simd))
    }
}

operator!(Add add, [V: Vector] TwiceF32<V>, |a, b| [a[0] + b[0], a[1] + b[1]]);
operator!(Sub sub, [V: Vector] TwiceF32<V>, |a, b| [a[0] - b[0], a[1] - b[1]]);
operator!(Mul mul, [V: Vector] TwiceF32<V>, |a, b| [a[0] * b[0], a[1] * b[1]]);
operator!(Div div, [V: Vector] TwiceF32<V>, |a, b| [a[0] / b[0], a[1] / b[1]]);

impl<V: Neg<Output = V>> Neg for TwiceF32<V> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let [a, b] = self.0;
        Self([-a, -b])
    }
}

impl<M: Mask> Mask for TwiceMask<M> {
    const WIDTH: usize = 2 * M::WIDTH;
    #[inline(always)]
    fn and(self, Self([c, d]): Self) -> Self {
        let [a, b] = self.0;
        Self([a.and(c), b.and(d)])
    }
    #[inline(always)]
    fn or(self, Self([c, d]): Self) -> Self {
        let [a, b] = self.0;
        Self([a.or(c), b.or(d)])
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        let [low, high] = self.0;
        low.bits() | high.bits() << M::WIDTH
    }
}

impl<V: Vector> Vector for TwiceF32<V> {
    type Simd = Twice<V::Simd>;
    type Mask = TwiceMask<V::Mask>;

    #[inline(always)]
    fn splat(simd: Self::Simd, value: f32) -> Self {
        let half = V::splat(simd.0, value);
        Self([half, half])
    }
    #[inline(always)]
    fn zero(simd: Self::Simd) -> Self {
        let half = V::zero(simd.0);
        Self([half, half])
    }
    #[inline(always)]
    fn simd(self) -> Self::Simd {
        Twice(self.0[0].simd())
    }
    #[inline(always)]
    fn min(self, Self([c, d]): Self) -> Self {
        let [a, b] = self.0;
        Self([a.min(c), b.min(d)])
    }
    #[inline(always)]
    fn max(self, Self([c, d]): Self) -> Self {
        let [a, b] = self.0;
        Self([a.max(c), b.max(d)])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let [a, b] = self.0;
        Self([a.sqrt(), b.sqrt()])
    }
    #[inline(always)]
    fn lt(self, Self([c, d]): Self) -> Self::Mask {
        let [a, b] = self.0;
        TwiceMask([a.lt(c), b.lt(d)])
    }
    #[inline(always)]
    fn le(self, Self([c, d]): Self) -> Self::Mask {
        let [a, b] = self.0;
        TwiceMask([a.le(c), b.le(d)])
    }
    #[inline(always)]
    fn select(mask: Self::Mask, Self([a, b]): Self, Self([c, d]): Self) -> Self {
        let [low, high] = mask.0;
        Self([V::select(low, a, c), V::select(high, b, d)])
    }
}

impl<V: Lanes8> Lanes16 for TwiceF32<V> {
    #[inline(always)]
    fn load16(simd: Self::Simd, from: &[f32; WIDE]) -> Self {
        let [low, high] = from.as_chunks().0 else {
            unreachable!("sixteen are twice eight");
        };
        Self([
            V::load_unaligned(simd.0, low),
            V::load_unaligned(simd.0, high),
        ])
    }
    #[inline(always)]
    fn compress_but(
        simd: Self::Simd,
        mask: Self::Mask,
        of: &[u32; WIDE],
        but: u32,
        to: &mut [u32; WIDE],
    ) -> usize {
        let mut count = 0;
        for (half, of) in of.as_chunks().0.iter().enumerate() {
            let set = V::and_not_equal(mask.0[half], of, but).bits();
            if let Some(to) = to[count..].first_chunk_mut() {
                V::compress(simd.0, of, set, to);
            }
            count += count_lanes(set);
        }
        count
    }
}
