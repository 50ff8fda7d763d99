//! The ratio of masses above which impacts and contacts of two bodies need special care.

/// Mass ratio of two bodies above which an impact is solved before the substeps [1].
///
/// Below, the substeps of some steps stop the heavy body: at 20 to 1 they take a third of its speed in each
/// step.
const HIGH_MASS_RATIO: f32 = 20.0;

/// Returns `true` if a body is much heavier than another one, by their inverse masses [1/kg].
pub(crate) fn is_high_mass_ratio(inv_mass_heavy: f32, inv_mass_light: f32) -> bool {
    inv_mass_light > HIGH_MASS_RATIO * inv_mass_heavy
}
