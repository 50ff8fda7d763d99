//! Lanes as an array: the twin that the others are tested against, and what NEON and wasm are compiled from.

use super::{Kernel, Lanes, NO_SLOT};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// `W` numbers in an array.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Plain<const W: usize>([f32; W]);

impl<const W: usize> Plain<W> {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(core::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl<const W: usize> Add for Plain<W> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }
}

impl<const W: usize> Sub for Plain<W> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }
}

impl<const W: usize> Mul for Plain<W> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }
}

impl<const W: usize> Div for Plain<W> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.zip(other, |a, b| a / b)
    }
}

impl<const W: usize> Neg for Plain<W> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.map(|a| -a))
    }
}

impl<const W: usize> Lanes for Plain<W> {
    const WIDTH: usize = W;
    const ZERO: Self = Self([0.0; W]);
    const NO_SLOTS: [u32; W] = [NO_SLOT; W];
    type Slots = [u32; W];
    type Mask = [bool; W];

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([value; W])
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
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(f32::sqrt))
    }
    #[inline(always)]
    fn gt(self, other: Self) -> [bool; W] {
        core::array::from_fn(|i| self.0[i] > other.0[i])
    }
    #[inline(always)]
    fn ge(self, other: Self) -> [bool; W] {
        core::array::from_fn(|i| self.0[i] >= other.0[i])
    }
    #[inline(always)]
    fn both(a: [bool; W], b: [bool; W]) -> [bool; W] {
        core::array::from_fn(|i| a[i] & b[i])
    }
    #[inline(always)]
    fn any(mask: [bool; W]) -> bool {
        mask.contains(&true)
    }
    #[inline(always)]
    fn all(mask: [bool; W]) -> bool {
        !mask.contains(&false)
    }
    #[inline(always)]
    fn select(mask: [bool; W], yes: Self, no: Self) -> Self {
        Self(core::array::from_fn(|i| {
            if mask[i] { yes.0[i] } else { no.0[i] }
        }))
    }

    #[inline(always)]
    unsafe fn load_rows(row: impl Fn(usize) -> *const f32) -> [Self; 4] {
        let mut lanes = [Self::ZERO; 4];
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

    #[inline(always)]
    fn enter<K: Kernel<Self>>(kernel: K) -> K::Output {
        kernel.run()
    }
}
