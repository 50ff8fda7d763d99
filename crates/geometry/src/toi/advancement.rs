//! Conservative advancement: a second, independent way to the time of impact, and the curve itself.

use super::impact::Search;
use super::motion::Motion;
use super::record::{TimeOfImpact, ToiState};
use crate::epa::separation;
use crate::shape::Shape;
use crate::simplex::SimplexCache;
use crate::support::Support;
use crate::sweep::Sweep;

/// Steps before giving up. Each closes the gap by at least the share that the true speed has in its
/// bound.
const MAX_STEPS: u32 = 1000;

/// Returns the first time of impact as [`time_of_impact`](crate::time_of_impact()) does, by a slower and simpler method: advance
/// by the distance over a bound of the speed, as often as needed. Source: [Mirtich96, sec. 2.3].
#[must_use]
pub fn conservative_advancement<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    sweep_a: &Sweep,
    b: &B,
    sweep_b: &Sweep,
    max_fraction: f32,
) -> TimeOfImpact {
    let motion = Motion::new(a, sweep_a, b, sweep_b);
    let end = f64::from(max_fraction.clamp(0.0, 1.0));
    let turning = |turn: &super::motion::Turn, shape_radius: f32| {
        if turn.rate == 0.0 {
            0.0
        } else {
            turn.rate * (turn.reach + f64::from(shape_radius))
        }
    };
    let speed = motion.drift.norm()
        + turning(&motion.turn_a, a.rounding())
        + turning(&motion.turn_b, b.rounding());
    let mut search = Search::default();
    let mut fraction = 0.0;
    for step in 0..MAX_STEPS {
        let near = search.measure(&motion, fraction);
        if step == 0 {
            if near.gap <= 0.0 {
                return search.answer(ToiState::Overlapped, 0.0);
            }
            search.aim(near.gap);
        }
        if near.gap <= search.target + search.tolerance {
            return search.touching(&motion, &near, fraction);
        }
        // Aims at the target itself, so that the last step ends within the tolerance.
        let next = fraction + (near.gap - search.target) / speed;
        if next >= end || !next.is_finite() {
            let near = search.measure(&motion, end);
            return if near.gap <= search.target + search.tolerance {
                search.touching(&motion, &near, end)
            } else {
                search.answer(ToiState::Separated, end)
            };
        }
        fraction = next;
    }
    search.answer(ToiState::Failed, fraction)
}

/// Returns the signed separation of two moving shapes at `count` evenly spaced fractions from 0 to 1,
/// as pairs of fraction and separation \[m\]. For debugging and plots.
#[must_use]
pub fn separation_curve(
    a: &Shape,
    sweep_a: &Sweep,
    b: &Shape,
    sweep_b: &Sweep,
    count: usize,
) -> Vec<(f32, f32)> {
    let last = count.saturating_sub(1).max(1) as f32;
    (0..count)
        .map(|i| {
            let fraction = i as f32 / last;
            let pose = sweep_a.pose_at(fraction).inverse() * sweep_b.pose_at(fraction);
            let gap = separation(a, b, &pose, &mut SimplexCache::default());
            (fraction, gap.separation as f32)
        })
        .collect()
}
