//! First time of impact, certified: between the start and the time returned nothing touches.
//!
//! In words, after [Catto13, slides 45-60] with a bound in place of its trust in the end of an interval:
//!
//! 1. Measure the distance. Within the target: done.
//! 2. Take the direction of the nearest points as an axis. The separation along any axis is never more than
//!    the distance.
//! 3. Look at the end of the time left. While some pair of points is too deep there, go back to where
//!    that pair is at the target.
//! 4. The separation is now at least the target at both ends. Unless it provably stays positive between them, halve
//!    the time.
//! 5. Go there, and start over.

use super::axis::{SeparationAxis, least_between};
use super::circles;
use super::curve::Curve;
use super::motion::Motion;
use super::record::{TARGET_TOLERANCE, TimeOfImpact, ToiState, floor_to_single};
use super::root::find_root;
use crate::distance::core_distance;
use crate::double::{DPose, DVec, narrow_point, to_f32};
use crate::shape::{Outline, Shape, part_in_motion};
use crate::simplex::{Difference, Owner, Simplex, SimplexCache};
use crate::support::Support;
use crate::sweep::Sweep;
use crate::tolerance::LINEAR_SLOP;

/// Distances measured before giving up. Usual: two to four; a long bar that turns by 150 degrees and grazes all the
/// while takes up to some hundred.
const MAX_DISTANCES: u32 = 1024;
/// Ends of an interval looked at for one axis before giving up. Usual: one or two.
const MAX_ENDS: u32 = 64;
/// Part of the target above which a separation must provably stay.
const SAFE_SHARE: f64 = 0.25;

/// Returns when two moving shapes first come within a slop of each other.
///
/// "Within a slop" is half the distance at the start where that is less: shapes that are nearer than a slop
/// still meet only when they come nearer. At the fraction, the distance is that target within a quarter of it, and
/// before it nothing touches: both hold for any motion. Sweeps and the answer share a frame. A chain segment
/// counts from both sides. `max_fraction` is cut to 0 to 1.
#[must_use]
pub fn time_of_impact(
    a: &Shape,
    sweep_a: &Sweep,
    b: &Shape,
    sweep_b: &Sweep,
    max_fraction: f32,
) -> TimeOfImpact {
    if let (Shape::Circle(circle_a), Shape::Circle(circle_b)) = (a, b)
        && circles::goes_straight(circle_a, sweep_a)
        && circles::goes_straight(circle_b, sweep_b)
    {
        return circles::straight_impact(circle_a, sweep_a, circle_b, sweep_b, max_fraction);
    }
    time_of_impact_of(a, sweep_a, b, sweep_b, max_fraction)
}

/// Returns the first time of impact as [`time_of_impact`] does, for any convex shapes.
#[must_use]
pub fn time_of_impact_of<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    sweep_a: &Sweep,
    b: &B,
    sweep_b: &Sweep,
    max_fraction: f32,
) -> TimeOfImpact {
    if let Some(part) = part_in_motion(a, sweep_a, b, sweep_b) {
        let part = Outline(part.as_hull());
        return time_of_impact_of(&part, sweep_a, b, sweep_b, max_fraction);
    }
    if let Some(part) = part_in_motion(b, sweep_b, a, sweep_a) {
        let part = Outline(part.as_hull());
        return time_of_impact_of(a, sweep_a, &part, sweep_b, max_fraction);
    }
    match (a.as_rounded_hull(), b.as_rounded_hull()) {
        (Some(a), Some(b)) => {
            search_impact(&Outline(a), sweep_a, &Outline(b), sweep_b, max_fraction)
        }
        _ => search_impact(a, sweep_a, b, sweep_b, max_fraction),
    }
}

fn search_impact<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    sweep_a: &Sweep,
    b: &B,
    sweep_b: &Sweep,
    max_fraction: f32,
) -> TimeOfImpact {
    let motion = Motion::new(a, sweep_a, b, sweep_b);
    let end = f64::from(max_fraction.clamp(0.0, 1.0));
    let mut search = Search::default();
    let mut fraction = 0.0;
    loop {
        let near = search.measure(&motion, fraction);
        if fraction == 0.0 {
            if near.gap <= 0.0 {
                return search.answer(ToiState::Overlapped, 0.0);
            }
            search.aim(near.gap);
        }
        if near.gap <= search.target + search.tolerance {
            return search.touching(&motion, &near, fraction);
        }
        let advance = near
            .axis
            .map(|axis| search.advance(&motion, &axis, (fraction, near.gap), end));
        match advance {
            Some(Advancement::Clear) => return search.answer(ToiState::Separated, end),
            Some(Advancement::To(next)) if search.count.distance_iterations < MAX_DISTANCES => {
                fraction = next;
            }
            _ => return search.answer(ToiState::Failed, fraction),
        }
    }
}

/// Time up to which nothing is touched.
enum Advancement {
    Clear,
    To(f64),
    Stuck,
}

/// Distance at one moment.
pub(super) struct Near {
    pub(super) gap: f64,
    /// Unit, from A to B, in the frame of A; zero where the cores overlap.
    normal: DVec,
    axis: Option<SeparationAxis>,
    frame: DPose,
}

/// Caches and counters of the search.
#[derive(Default)]
pub(super) struct Search {
    cache: SimplexCache,
    /// Simplex of the last distance. Written in place: it is large.
    simplex: Simplex,
    pub(super) target: f64,
    pub(super) tolerance: f64,
    pub(super) count: TimeOfImpact,
}

impl Search {
    /// Sets the target from the distance at the start.
    pub(super) fn aim(&mut self, gap: f64) {
        self.target = f64::from(LINEAR_SLOP).min(0.5 * gap);
        self.tolerance = TARGET_TOLERANCE * self.target;
    }

    /// Measures the distance, and finds the shapes to which the nearest features are fixed.
    pub(super) fn measure<A: Support + ?Sized, B: Support + ?Sized>(
        &mut self,
        motion: &Motion<'_, A, B>,
        fraction: f64,
    ) -> Near {
        self.count.distance_iterations += 1;
        let moment = motion.at(fraction);
        let difference = Difference {
            a: motion.a,
            b: motion.b,
            b_in_a: moment.b_in_a(),
        };
        let core = core_distance(&difference, &mut self.cache, &mut self.simplex);
        let mut near = Near {
            gap: 0.0,
            normal: DVec::zeros(),
            axis: None,
            frame: moment.pose_a,
        };
        if let Some(offset) = core.offset {
            let norm = offset.norm();
            let normal = offset / norm;
            near.gap = norm - motion.radii;
            near.normal = normal;
            near.axis = Some(match self.simplex.face_owner() {
                Some(Owner::A) => SeparationAxis::FaceA(normal),
                Some(Owner::B) => SeparationAxis::FaceB(difference.b_in_a.unrotate(&normal)),
                None => SeparationAxis::World(moment.pose_a.rotate(&normal)),
            });
        }
        near
    }

    /// Goes along the axis, from a moment at which it measures the distance, as far as nothing can touch.
    fn advance<A: Support + ?Sized, B: Support + ?Sized>(
        &mut self,
        motion: &Motion<'_, A, B>,
        axis: &SeparationAxis,
        (start, first): (f64, f64),
        end: f64,
    ) -> Advancement {
        let bend = axis.bend(motion);
        let mut at = end;
        let corners = self.simplex.hint();
        let mut indices = [corners.index_a(), corners.index_b()];
        for _ in 0..MAX_ENDS {
            self.count.push_iterations += 1;
            let (separation, pair) = axis.separation(motion, at, indices);
            indices = pair.indices;
            if separation < self.target - self.tolerance {
                let curve = Curve::new(motion, axis, &pair);
                let first = curve.at(start);
                if first <= self.target {
                    return Advancement::Stuck;
                }
                // A tenth of the band: the rest of it is for other pairs.
                let tolerance = 0.1 * self.tolerance;
                let ends = [(start, first), (at, separation)];
                let root = find_root(ends, self.target, tolerance, |t| curve.at(t));
                self.count.root_iterations += root.steps;
                at = root.at;
            } else if least_between(first, separation, at - start, bend) > SAFE_SHARE * self.target
            {
                let is_clear = at == end && separation > self.target + self.tolerance;
                return match (is_clear, at > start) {
                    (true, _) => Advancement::Clear,
                    (false, true) => Advancement::To(at),
                    (false, false) => Advancement::Stuck,
                };
            } else {
                at = 0.5 * (start + at);
            }
        }
        Advancement::Stuck
    }

    pub(super) fn answer(&self, state: ToiState, fraction: f64) -> TimeOfImpact {
        TimeOfImpact {
            state,
            fraction: floor_to_single(fraction),
            ..self.count
        }
    }

    pub(super) fn touching<A: Support + ?Sized, B: Support + ?Sized>(
        &self,
        motion: &Motion<'_, A, B>,
        near: &Near,
        fraction: f64,
    ) -> TimeOfImpact {
        let (on_a, on_b) = self.simplex.witnesses();
        let normal = near.normal;
        let on_a = on_a + normal * f64::from(motion.a.rounding());
        let on_b = on_b - normal * f64::from(motion.b.rounding());
        TimeOfImpact {
            separation: near.gap as f32,
            point: narrow_point(&near.frame.apply(&((on_a + on_b) * 0.5))),
            normal: to_f32(&near.frame.rotate(&normal)),
            ..self.answer(ToiState::Touching, fraction)
        }
    }
}
