//! The choice of the instruction set at run time, for kernels of eight lanes and of as many as a register has.

use crate::lanes::{Kernel, Simd};
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use crate::portable::Portable;
#[cfg(target_arch = "x86_64")]
use crate::{Avx2, Avx512, Sse2 as Register4, Twice};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::{Simd128 as Register4, Twice};

/// Four lanes on every machine: SSE2 on x86-64, SIMD128 on wasm that has it, arrays that the compiler maps to NEON elsewhere.
#[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
pub type Baseline4 = Register4;
/// Four lanes on every machine: SSE2 on x86-64, SIMD128 on wasm that has it, arrays that the compiler maps to NEON elsewhere.
#[cfg(not(any(target_arch = "x86_64", target_feature = "simd128")))]
pub type Baseline4 = Portable<4>;

/// Eight lanes on every machine: two registers of four lanes, arrays elsewhere.
#[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
pub type Baseline8 = Twice<Register4>;
/// Eight lanes on every machine: two registers of four lanes, arrays elsewhere.
#[cfg(not(any(target_arch = "x86_64", target_feature = "simd128")))]
pub type Baseline8 = Portable<8>;

/// The token of [`Baseline8`].
#[cfg(any(target_arch = "x86_64", target_feature = "simd128"))]
pub const BASELINE8: Baseline8 = Twice::new(Register4::BASELINE);
/// The token of [`Baseline8`].
#[cfg(not(any(target_arch = "x86_64", target_feature = "simd128")))]
pub const BASELINE8: Baseline8 = Portable::BASELINE;

/// One constraint at a time. It is one lane, but on wasm that has SIMD128 a register of which one lane is in use: so a module has one
/// copy of each kernel, and a module is loaded over networks.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub type Single = Portable<1>;
/// One constraint at a time. It is one lane, but on wasm that has SIMD128 a register of which one lane is in use: so a module has one
/// copy of each kernel, and a module is loaded over networks.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub type Single = Register4;

/// Instruction set for eight lanes. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The baseline of the target: every processor supports it.
    Baseline(Baseline8),
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
}

impl Level {
    /// Returns the best that the processor has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = Avx2::detect() {
            return Self::Avx2(simd);
        }
        Self::Baseline(BASELINE8)
    }

    /// Returns all that the processor has.
    pub fn available() -> Vec<Self> {
        let baseline = Some(Self::Baseline(BASELINE8)).into_iter();
        #[cfg(target_arch = "x86_64")]
        let baseline = baseline.chain(Avx2::detect().map(Self::Avx2));
        baseline.collect()
    }

    /// Runs `kernel`, compiled for this instruction set.
    #[cfg(target_arch = "x86_64")]
    pub fn enter<K, T>(self, kernel: K) -> T
    where
        K: Kernel<Baseline8, Output = T> + Kernel<Avx2, Output = T>,
    {
        match self {
            Self::Baseline(simd) => simd.enter(kernel),
            Self::Avx2(simd) => simd.enter(kernel),
        }
    }

    /// Runs `kernel`, compiled for this instruction set.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn enter<K: Kernel<Baseline8>>(self, kernel: K) -> K::Output {
        let Self::Baseline(simd) = self;
        simd.enter(kernel)
    }
}

impl Default for Level {
    fn default() -> Self {
        Self::detect()
    }
}

/// Instruction set for as many lanes as a register has. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// One constraint at a time: the reference.
    One(Single),
    /// SSE2, NEON, wasm.
    Four(Baseline4),
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Eight(Avx2),
    /// AVX-512.
    #[cfg(target_arch = "x86_64")]
    Sixteen(Avx512),
}

impl Width {
    /// One constraint at a time.
    pub const ONE: Self = Self::One(Single::BASELINE);
    /// Four lanes.
    pub const FOUR: Self = Self::Four(Baseline4::BASELINE);

    /// Returns the widest that the processor has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = Avx512::detect() {
            return Self::Sixteen(simd);
        } else if let Some(simd) = Avx2::detect() {
            return Self::Eight(simd);
        }
        Self::FOUR
    }

    /// Returns the widest of at most `lanes` lanes that is not wider than this one.
    pub fn at_most(self, lanes: usize) -> Self {
        match self {
            _ if lanes < 4 => Self::ONE,
            Self::One(_) => self,
            _ if lanes < 8 => Self::FOUR,
            #[cfg(target_arch = "x86_64")]
            Self::Sixteen(_) if lanes < 16 => Avx2::detect().map_or(Self::FOUR, Self::Eight),
            _ => self,
        }
    }

    /// Returns all that the processor has, narrowest first.
    pub fn available() -> Vec<Self> {
        let widths = [Self::ONE, Self::FOUR].into_iter();
        #[cfg(target_arch = "x86_64")]
        let widths = widths
            .chain(Avx2::detect().map(Self::Eight))
            .chain(Avx512::detect().map(Self::Sixteen));
        widths.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(width: Width) -> usize {
        match width {
            Width::One(_) => 1,
            Width::Four(_) => 4,
            #[cfg(target_arch = "x86_64")]
            Width::Eight(_) => 8,
            #[cfg(target_arch = "x86_64")]
            Width::Sixteen(_) => 16,
        }
    }

    #[test]
    fn width_is_limited_to_a_number_of_lanes() {
        for width in Width::available() {
            for most in 1..20 {
                let mut fitting = Width::available()
                    .into_iter()
                    .filter(|&of| lanes(of) <= most && lanes(of) <= lanes(width));
                assert_eq!(Some(width.at_most(most)), fitting.next_back());
            }
        }
    }
}
