//! The choice of the number of lanes, once at run time, by what the processor has.

/// Four lanes on every machine: SSE2 on x86-64, arrays that the compiler maps to NEON or wasm elsewhere.
#[cfg(target_arch = "x86_64")]
pub(crate) type Four = super::F32x4;
/// Four lanes on every machine: SSE2 on x86-64, arrays that the compiler maps to NEON or wasm elsewhere.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) type Four = super::plain::Plain<4>;

/// How many constraints are solved side by side. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// One by one: what the others are tested against.
    One,
    /// SSE2, NEON, wasm.
    Four,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Eight,
    /// AVX-512.
    #[cfg(target_arch = "x86_64")]
    Sixteen,
}

impl Width {
    /// Returns the widest that the processor has.
    pub(crate) fn detect() -> Self {
        *Self::available().last().expect("one lane is everywhere")
    }

    /// Returns all that the processor has, narrowest first.
    pub(crate) fn available() -> Vec<Self> {
        let mut widths = vec![Self::One, Self::Four];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                widths.push(Self::Eight);
            }
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl") {
                widths.push(Self::Sixteen);
            }
        }
        widths
    }
}
