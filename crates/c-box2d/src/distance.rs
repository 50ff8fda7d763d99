//! `collision.h`: distance, casts and times of impact of two shapes.

use crate::abi::{In, Out, Outcome};
use crate::geometry::cast_output;
use crate::proxy::Proxy;
use crate::shape_convert::proxy;
use crate::types::*;
use cairn2d::geometry::{
    SimplexCache, Sweep, ToiState, distance, shape_cast_of, time_of_impact_of,
};
use cairn2d::{Point, Pose, Vec2};
use core::ffi::c_int;

/// Nearest points of two segments [Ericson05, sec. 5.1.9].
fn segment_distance(p1: Point, q1: Point, p2: Point, q2: Point) -> b2SegmentDistanceResult {
    let (d1, d2, r) = (q1 - p1, q2 - p2, p1 - p2);
    let (length1, length2) = (d1.norm_squared(), d2.norm_squared());
    let (a, b, e) = (d1.dot(&r), d1.dot(&d2), d2.dot(&r));
    let is_point = |length: f32| length <= f32::EPSILON * f32::EPSILON;
    let share = |part: f32, whole: f32| {
        if is_point(whole) {
            0.0
        } else {
            (part / whole).clamp(0.0, 1.0)
        }
    };
    let across = length1 * length2 - b * b;
    let mut fraction1 = share(b * e - a * length2, across);
    let mut fraction2 = share(b * fraction1 + e, length2);
    // The second fraction may have been cut, so the first is found anew.
    fraction1 = share(b * fraction2 - a, length1);
    if is_point(length2) {
        fraction2 = 0.0;
    }
    let closest1 = p1 + fraction1 * d1;
    let closest2 = p2 + fraction2 * d2;
    b2SegmentDistanceResult {
        closest1: closest1.into(),
        closest2: closest2.into(),
        fraction1,
        fraction2,
        distanceSquared: (closest2 - closest1).norm_squared(),
    }
}

fn shape_distance(input: &b2DistanceInput) -> Outcome<b2DistanceOutput> {
    let (mut a, mut b) = (Proxy::new(&input.proxyA)?, Proxy::new(&input.proxyB)?);
    if !input.useRadii.is_set() {
        (a, b) = (a.without_radius(), b.without_radius());
    }
    let pose = input.transform.pose();
    let found = distance(&a, &b, &pose, &mut SimplexCache::default());
    Ok(b2DistanceOutput {
        pointA: found.point_a.into(),
        pointB: found.point_b.into(),
        normal: found.normal.into(),
        distance: found.distance,
        iterations: found.iterations as c_int,
        simplexCount: 0,
    })
}

fn shape_cast(input: &b2ShapeCastPairInput) -> Outcome<b2CastOutput> {
    let (a, b) = (Proxy::new(&input.proxyA)?, Proxy::new(&input.proxyB)?);
    let translation = input.translationB.finite("translation")?.vec();
    let pose = input.transform.pose();
    let hit = shape_cast_of(&a, &b, &pose, translation, input.maxFraction);
    Ok(cast_output(hit))
}

fn sweep(sweep: &b2Sweep) -> Sweep {
    Sweep {
        local_center: sweep.localCenter.point(),
        start: sweep.c1.point(),
        end: sweep.c2.point(),
        start_rotation: sweep.q1.rotation(),
        end_rotation: sweep.q2.rotation(),
    }
}

fn sweep_transform(input: &b2Sweep, time: f32) -> b2Transform {
    let pose: Pose = sweep(input).pose_at(time);
    let place: Vec2 = pose.translation.vector;
    b2Transform::new(place, pose.rotation)
}

fn time_of_impact(input: &b2TOIInput) -> Outcome<b2TOIOutput> {
    let (a, b) = (Proxy::new(&input.proxyA)?, Proxy::new(&input.proxyB)?);
    let (sweep_a, sweep_b) = (sweep(&input.sweepA), sweep(&input.sweepB));
    let found = time_of_impact_of(&a, &sweep_a, &b, &sweep_b, input.maxFraction);
    let state = match found.state {
        ToiState::Failed => b2_toiStateFailed,
        ToiState::Overlapped => b2_toiStateOverlapped,
        ToiState::Touching => b2_toiStateHit,
        ToiState::Separated => b2_toiStateSeparated,
        _ => b2_toiStateUnknown,
    };
    Ok(b2TOIOutput {
        state,
        point: found.point.into(),
        normal: found.normal.into(),
        fraction: found.fraction,
    })
}

/// Returns the points of an array that a proxy takes, at most as many as it has room for.
fn proxy_points(points: In<b2Vec2>, count: c_int) -> Outcome<Vec<Point>> {
    let most = crate::shape_convert::MAX_VERTICES as c_int;
    let points = points.slice(count.min(most))?;
    Ok(points.iter().map(|point| point.point()).collect())
}

c_functions! {
    fn b2SegmentDistance(p1: b2Vec2, q1: b2Vec2, p2: b2Vec2, q2: b2Vec2) -> b2SegmentDistanceResult {
        segment_distance(p1.point(), q1.point(), p2.point(), q2.point())
    }

    /// The cache and the simplexes stay as they are: the search needs no start.
    fn b2ShapeDistance(
        input: In<b2DistanceInput>,
        _cache: Out<b2SimplexCache>,
        _simplexes: Out<b2Simplex>,
        _capacity: c_int,
    ) -> b2DistanceOutput {
        shape_distance(input.as_ref()?)?
    }

    fn b2ShapeCast(input: In<b2ShapeCastPairInput>) -> b2CastOutput { shape_cast(input.as_ref()?)? }

    fn b2MakeProxy(points: In<b2Vec2>, count: c_int, radius: f32) -> b2ShapeProxy {
        proxy(&proxy_points(points, count)?, radius)
    }

    fn b2MakeOffsetProxy(
        points: In<b2Vec2>,
        count: c_int,
        radius: f32,
        position: b2Vec2,
        rotation: b2Rot,
    ) -> b2ShapeProxy {
        let pose = b2Transform { p: position, q: rotation }.pose();
        let moved: Vec<_> = proxy_points(points, count)?.iter().map(|point| pose * point).collect();
        proxy(&moved, radius)
    }

    fn b2GetSweepTransform(sweep: In<b2Sweep>, time: f32) -> b2Transform { sweep_transform(sweep.as_ref()?, time) }

    fn b2TimeOfImpact(input: In<b2TOIInput>) -> b2TOIOutput { time_of_impact(input.as_ref()?)? }
}
