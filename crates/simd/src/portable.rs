//! Arrays as vectors: the reference in tests of the others, and the source for NEON and wasm.

use crate::eight::Lanes8;
use crate::lanes::{Kernel, Lanes, Mask, Sealed, Simd, Vector};
use crate::memory::{F32x8, LANES, each_lane};
use crate::twice::TwiceF32;
use core::ops::Neg;

/// Any processor, with vectors of `W` lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Portable<const W: usize>(());

/// `W` numbers in an array.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct PortableF32<const W: usize>([f32; W]);

/// `W` truth values.
#[derive(Clone, Copy, Debug)]
pub struct PortableMask<const W: usize>([bool; W]);

impl<const W: usize> Portable<W> {
    /// The token: every processor supports it.
    pub const BASELINE: Self = Self(());
}

impl<const W: usize> Sealed for Portable<W> {}
impl<const W: usize> Sealed for PortableF32<W> {}

impl<const W: usize> Simd for Portable<W> {
    type F32 = PortableF32<W>;

    fn detect() -> Option<Self> {
        Some(Self::BASELINE)
    }

    #[inline(always)]
    fn enter<K: Kernel<Self>>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

impl<const W: usize> PortableF32<W> {
    #[inline(always)]
    fn zip<T>(self, other: Self, f: impl Fn(f32, f32) -> T) -> [T; W] {
        core::array::from_fn(|i| f(self.0[i], other.0[i]))
    }
}

operator!(Add add, [const W: usize] PortableF32<W>, |a, b| core::array::from_fn(|i| a[i] + b[i]));
operator!(Sub sub, [const W: usize] PortableF32<W>, |a, b| core::array::from_fn(|i| a[i] - b[i]));
operator!(Mul mul, [const W: usize] PortableF32<W>, |a, b| core::array::from_fn(|i| a[i] * b[i]));
operator!(Div div, [const W: usize] PortableF32<W>, |a, b| core::array::from_fn(|i| a[i] / b[i]));

impl<const W: usize> Neg for PortableF32<W> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|a| -a))
    }
}

impl<const W: usize> Mask for PortableMask<W> {
    const WIDTH: usize = W;
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] & other.0[i]))
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(core::array::from_fn(|i| self.0[i] | other.0[i]))
    }
    #[inline(always)]
    fn bits(self) -> u32 {
        (0..W).fold(0, |bits, i| bits | u32::from(self.0[i]) << i)
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0.contains(&true)
    }
    #[inline(always)]
    fn all(self) -> bool {
        !self.0.contains(&false)
    }
}

impl<const W: usize> Vector for PortableF32<W> {
    type Simd = Portable<W>;
    type Mask = PortableMask<W>;

    #[inline(always)]
    fn splat(_: Portable<W>, value: f32) -> Self {
        Self([value; W])
    }
    #[inline(always)]
    fn zero(_: Portable<W>) -> Self {
        Self([0.0; W])
    }
    #[inline(always)]
    fn simd(self) -> Portable<W> {
        Portable::BASELINE
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.zip(other, |a, b| if a < b { a } else { b }))
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.zip(other, |a, b| if a > b { a } else { b }))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> PortableMask<W> {
        PortableMask(self.zip(other, |a, b| a < b))
    }
    #[inline(always)]
    fn le(self, other: Self) -> PortableMask<W> {
        PortableMask(self.zip(other, |a, b| a <= b))
    }
    #[inline(always)]
    fn select(mask: PortableMask<W>, yes: Self, no: Self) -> Self {
        let lane = |i: usize| if mask.0[i] { yes.0[i] } else { no.0[i] };
        Self(core::array::from_fn(lane))
    }
}

impl<const W: usize> Lanes for PortableF32<W> {
    const WIDTH: usize = W;
    type Indices = [u32; W];

    #[inline(always)]
    fn indices(value: u32) -> [u32; W] {
        [value; W]
    }
    #[inline(always)]
    fn as_slice(&self) -> &[f32] {
        &self.0
    }
    #[inline(always)]
    fn as_mut_slice(&mut self) -> &mut [f32] {
        &mut self.0
    }

    #[inline(always)]
    unsafe fn load_rows(_: Portable<W>, row: impl Fn(usize) -> *const f32) -> [Self; 4] {
        let mut lanes = [Self([0.0; W]); 4];
        for i in 0..W {
            // SAFETY: the caller says that each row is readable for four floats.
            let numbers = unsafe { row(i).cast::<[f32; 4]>().read_unaligned() };
            for (lane, number) in lanes.iter_mut().zip(numbers) {
                lane.0[i] = number;
            }
        }
        lanes
    }

    #[inline(always)]
    unsafe fn store_rows(rows: [Self; 4], row: impl Fn(usize) -> *mut f32) {
        for i in 0..W {
            let numbers = rows.map(|lane| lane.0[i]);
            // SAFETY: the caller says that each row is writable for four floats.
            unsafe { row(i).cast::<[f32; 4]>().write_unaligned(numbers) };
        }
    }
}

impl Lanes8 for PortableF32<LANES> {
    type Wide = TwiceF32<Self>;

    #[inline(always)]
    fn load(_: Portable<LANES>, from: &F32x8) -> Self {
        Self(from.0)
    }
    #[inline(always)]
    fn load_unaligned(_: Portable<LANES>, from: &[f32; LANES]) -> Self {
        Self(*from)
    }
    #[inline(always)]
    fn store(self) -> F32x8 {
        F32x8(self.0)
    }
    #[inline(always)]
    fn twice(self) -> Self::Wide {
        TwiceF32([self, self])
    }
    #[inline(always)]
    fn and_not_equal(mask: Self::Mask, of: &[u32; LANES], value: u32) -> Self::Mask {
        PortableMask(each_lane(|i| mask.0[i] & (of[i] != value)))
    }
}
