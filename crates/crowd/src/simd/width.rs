//! The choice of the type of lanes, once at run time, by what the processor has.

use super::{Kernel, Lanes, Pairs};
#[cfg(target_arch = "x86_64")]
use super::{avx2::Avx2, avx512::Avx512};

/// What eight numbers are computed with. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// Two registers of four: SSE2, NEON, wasm.
    Four,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Eight,
    /// AVX-512, eight numbers in a register too.
    #[cfg(target_arch = "x86_64")]
    Masked,
}

impl Width {
    /// Returns the widest that the processor has.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if Avx512::is_there() {
            return Self::Masked;
        } else if Avx2::is_there() {
            return Self::Eight;
        }
        Self::Four
    }

    /// Returns all that the processor has.
    #[cfg(test)]
    pub(crate) fn available() -> Vec<Self> {
        let mut widths = vec![Self::Four];
        #[cfg(target_arch = "x86_64")]
        {
            widths.extend(Avx2::is_there().then_some(Self::Eight));
            widths.extend(Avx512::is_there().then_some(Self::Masked));
        }
        widths
    }

    /// Runs `kernel` with lanes of this width.
    pub(crate) fn enter<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            Self::Four => Pairs::enter(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Eight => Avx2::enter(kernel),
            #[cfg(target_arch = "x86_64")]
            Self::Masked => Avx512::enter(kernel),
        }
    }
}

impl Default for Width {
    fn default() -> Self {
        Self::detect()
    }
}
