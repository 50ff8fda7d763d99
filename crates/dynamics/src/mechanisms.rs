//! Switches of the solver's special mechanisms, which a world has in addition to substeps, soft constraints and
//! sweeps against static shapes.

use cairn2d_geometry::{HashState, LoadError, LoadReason, Persist, Reader, Sink, StateHasher};

/// A mechanism beyond soft substeps ([Catto24]) and sweeps against static shapes.
///
/// Each is read at one place, the entry of its stage. Switches are for measurements: no combination but all
/// and none is tested.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mechanism {
    /// New piles at rest start with the impulses of their equilibrium, and contacts measure their overlap from where these would
    /// press them.
    StaticLoads,
    /// Equilibrium of all bodies of a pile at once, where bodies lean on each other.
    PileEquilibrium,
    /// Bounces are solved before the substeps, in rounds. Numbers that are left out belonged to mechanisms that are gone.
    ImpactPropagation = 5,
    /// Bounces are solved at their time of impact.
    ToiImpacts,
    /// Errors that the user created are removed without velocity.
    Depenetration = 8,
    /// Small linkages are solved directly.
    Articulations,
    /// Friction and normals of contacts with fixed ground are relaxed together.
    CoupledGroundContacts = 14,
    /// Bodies on fixed ground take back half a substep of their change of velocity.
    GroundedHalfStep,
    /// Separations of round shapes follow from their centers.
    RoundContacts,
    /// Bodies without constraints move by the whole step, exactly.
    FreeFlight,
    /// Some fast bodies are swept against dynamic ones.
    DynamicSweeps = 19,
    /// Long spinning bodies are swept by their points.
    SpinSweeps,
    /// A second sweep of a smaller core against static shapes.
    FallbackCores,
    /// Bodies slide along the shapes that clamp them.
    ClampSlide,
    /// Sweeps ignore shapes behind a plane on which the body slides.
    SupportPlanes,
    /// Contacts at internal edges are dropped.
    InternalEdges,
    /// Bodies without support must be slower to sleep.
    SupportTest = 26,
    /// Islands in which iterations converge slowly are solved by Newton's method.
    NewtonIslands,
}

impl Mechanism {
    /// All mechanisms, in the order of their bits.
    pub const ALL: [Self; 18] = [
        Self::StaticLoads,
        Self::PileEquilibrium,
        Self::ImpactPropagation,
        Self::ToiImpacts,
        Self::Depenetration,
        Self::Articulations,
        Self::CoupledGroundContacts,
        Self::GroundedHalfStep,
        Self::RoundContacts,
        Self::FreeFlight,
        Self::DynamicSweeps,
        Self::SpinSweeps,
        Self::FallbackCores,
        Self::ClampSlide,
        Self::SupportPlanes,
        Self::InternalEdges,
        Self::SupportTest,
        Self::NewtonIslands,
    ];

    const fn bit(self) -> u64 {
        1 << self as u8
    }
}

/// The special mechanisms that a world uses. Default: all.
#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u64", into = "u64"))]
pub struct Mechanisms(u64);

impl Mechanisms {
    /// All mechanisms.
    ///
    /// Bits of mechanisms that are gone stay set, so that saves keep their bytes.
    pub const ALL: Self = Self((1 << 28) - 1);

    /// None: soft contacts and joints, solved by the world's substeps, and sweeps against static shapes. A
    /// baseline for comparisons.
    pub const NONE: Self = Self(0);

    /// Returns the set without a mechanism.
    #[doc(hidden)]
    #[must_use]
    pub const fn without(self, mechanism: Mechanism) -> Self {
        Self(self.0 & !mechanism.bit())
    }

    /// Returns the set without the mechanisms of the given names, divided by commas.
    ///
    /// # Errors
    ///
    /// A name is no mechanism's.
    #[doc(hidden)]
    pub fn without_named(self, names: &str) -> Result<Self, String> {
        names.split(',').try_fold(self, |set, name| {
            let named = Mechanism::ALL.iter().find(|one| format!("{one:?}") == name);
            let named = named.ok_or_else(|| format!("no mechanism is called {name:?}"))?;
            Ok(set.without(*named))
        })
    }

    /// Returns the set with a mechanism.
    #[doc(hidden)]
    #[must_use]
    pub const fn with(self, mechanism: Mechanism) -> Self {
        Self(self.0 | mechanism.bit())
    }

    /// Returns `true` if the mechanism is used.
    #[inline]
    pub(crate) const fn has(self, mechanism: Mechanism) -> bool {
        self.0 & mechanism.bit() != 0
    }
}

#[cfg(feature = "serde")]
impl From<Mechanisms> for u64 {
    fn from(set: Mechanisms) -> Self {
        set.0
    }
}

#[cfg(feature = "serde")]
impl TryFrom<u64> for Mechanisms {
    type Error = &'static str;
    fn try_from(bits: u64) -> Result<Self, Self::Error> {
        if bits & !Self::ALL.0 == 0 {
            Ok(Self(bits))
        } else {
            Err("bits of no mechanism")
        }
    }
}

impl Default for Mechanisms {
    fn default() -> Self {
        Self::ALL
    }
}

impl core::fmt::Debug for Mechanisms {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::ALL => f.write_str("ALL"),
            Self::NONE => f.write_str("NONE"),
            _ => f
                .debug_set()
                .entries(Mechanism::ALL.iter().filter(|&&one| self.has(one)))
                .finish(),
        }
    }
}

impl HashState for Mechanisms {
    /// All mechanisms add nothing, so hashes of usual worlds do not change with the list of mechanisms.
    fn hash_state(&self, hash: &mut StateHasher) {
        if *self != Self::ALL {
            hash.word(self.0);
        }
    }
}

impl Persist for Mechanisms {
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self(bits) = self;
        bits.write(sink);
    }

    /// A save may switch off mechanisms that this version of the engine does not have, and not on.
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let start = *reader;
        let set = Self(reader.read()?);
        if set.0 & !Self::ALL.0 != 0 {
            return Err(start.error(LoadReason::Tag(set.0)));
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mechanism_has_its_own_bit() {
        for (index, mechanism) in Mechanism::ALL.into_iter().enumerate() {
            let without = Mechanisms::ALL.without(mechanism);
            let off = Mechanism::ALL.map(|one| !without.has(one));
            assert_eq!(off.into_iter().filter(|&is_off| is_off).count(), 1);
            assert!(off[index]);
            assert_eq!(without.with(mechanism), Mechanisms::ALL);
        }
    }
}
