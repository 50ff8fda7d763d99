//! Manifolds of pairs with a smooth shape: one point, from distance or penetration.

use super::record::{FeatureId, Manifold, ManifoldCache, ManifoldPoint};
use crate::double::{narrow_point, to_f32};
use crate::epa::{Gap, separation};
use crate::math::Pose;
use crate::support::Support;
use crate::tolerance::SPECULATIVE_DISTANCE;

/// Returns the manifold of two shapes of which at least one is smooth.
pub(super) fn collide_smooth<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    b_in_a: &Pose,
    cache: &mut ManifoldCache,
) -> Manifold {
    let gap = separation(a, b, b_in_a, &mut cache.simplex);
    single_point(&gap, FeatureId::default())
}

/// Returns the manifold with the one point where `gap` is measured.
pub(super) fn single_point(gap: &Gap, id: FeatureId) -> Manifold {
    let separation = gap.separation as f32;
    if separation > SPECULATIVE_DISTANCE {
        return Manifold::of_separated(separation);
    }
    let mut manifold = Manifold::with_normal(to_f32(&gap.normal));
    let point = narrow_point(&((gap.point_a + gap.point_b) * 0.5));
    manifold.push(ManifoldPoint {
        point,
        separation,
        id,
    });
    manifold
}
