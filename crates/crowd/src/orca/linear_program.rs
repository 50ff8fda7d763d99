//! Linear programs over half-planes of velocities, one agent per lane: on a line, in the plane, and with minimal
//! violation (`linearProgram1` to `linearProgram3` of RVO2).
//!
//! The velocity must lie in the disc of the speed limit (and in the disc of the acceleration limit) and in all
//! half-planes. Half-planes are added one after the other; a violated one moves the optimum onto its boundary, where
//! the rest is a program in one unknown [deBerg08, ch. 4]. If the half-planes are infeasible, the hard ones are kept
//! and the largest violation of the others is minimized: a program in three unknowns, solved as programs on bisectors
//! [vdBerg11, sec. 5.3].

use crate::half_plane::PlaneRow;
use crate::lanes::{dot, each_of, select};
use crate::limits::region::Regions;
use crate::tuning::{PARALLEL_SINE, SPEED_SLOP};
use cairn2d_simd::{F32x8, LANES, Lanes8, Mask, Simd};

/// The mask of all lanes.
pub(crate) const ALL_LANES: u32 = (1 << LANES) - 1;

/// Objective of eight programs.
#[derive(Clone, Copy)]
pub(crate) enum Objective<L> {
    /// Minimize the distances to these velocities.
    Nearest([L; 2]),
    /// Maximize the speeds along these unit directions.
    Farthest([L; 2]),
}

/// Result of [`linear_program2`].
#[derive(Clone, Copy)]
pub(crate) struct Optima<L> {
    /// The optima of all rows, or of the rows before the first infeasible one [m/s].
    pub(crate) velocity: [L; 2],
    /// Mask of lanes whose velocity satisfies all rows.
    pub(crate) feasible: u32,
    /// The first infeasible row of the other lanes.
    pub(crate) failed: [u32; LANES],
}

/// Returns the best velocities on the boundaries of half-planes subject to the rows before them, and the mask of lanes
/// that have one.
#[inline(always)]
fn linear_program1<L: Lanes8>(
    earlier: &[PlaneRow],
    plane: &PlaneRow,
    regions: &Regions<L>,
    aim: Objective<L>,
) -> ([L; 2], u32) {
    let simd = regions.max_speed.simd();
    let normal = plane.normal::<L>(simd);
    let offset = L::load(simd, &plane.offset);
    let direction = [normal[1], -normal[0]];
    let foot = [normal[0] * offset, normal[1] * offset];
    let (ends, mut found) = regions.chords(plane, direction);
    let [mut low, mut high] = ends;
    let [shallow, steep] = [simd.splat(PARALLEL_SINE), simd.splat(-PARALLEL_SINE)];
    let mut excluded = 0;
    for other in earlier {
        // At `foot + t direction` it requires `t slope >= gap`.
        let slope = dot(other.normal(simd), direction);
        let gap = other.violations(foot);
        let at = gap / slope;
        let (rises, falls) = (slope.gt(shallow), slope.lt(steep));
        low = L::select(rises.and(at.gt(low)), at, low);
        high = L::select(falls.and(at.lt(high)), at, high);
        let misses = gap.gt(simd.splat(SPEED_SLOP));
        excluded |= misses.bits() & !rises.or(falls).bits();
    }
    found &= !excluded & !low.gt(high + simd.splat(SPEED_SLOP)).bits();
    let wanted = match aim {
        Objective::Nearest(velocity) => dot(direction, velocity),
        Objective::Farthest(towards) => {
            let gain = dot(direction, towards);
            // If the boundary is perpendicular to the objective all its points are optimal: take the slowest, not a
            // corner.
            let end = L::select(gain.gt(shallow), high, simd.splat(0.0));
            L::select(gain.lt(steep), low, end)
        }
    };
    // The upper end last, since low exceeds high by the tolerance at most; then the region, which is never exceeded.
    let wanted = wanted.max(low).min(high);
    let wanted = wanted.max(ends[0]).min(ends[1]);
    let place = [
        foot[0] + direction[0] * wanted,
        foot[1] + direction[1] * wanted,
    ];
    (place, found)
}

/// Returns the best velocities of a set of `lanes`, subject to the rows of half-planes in order.
#[inline(always)]
pub(crate) fn linear_program2<L: Lanes8>(
    rows: &[PlaneRow],
    regions: &Regions<L>,
    aim: Objective<L>,
    lanes: u32,
) -> Optima<L> {
    let simd = regions.max_speed.simd();
    let mut best = match aim {
        Objective::Nearest(velocities) => regions.nearest(velocities),
        Objective::Farthest(directions) => regions.extreme(directions),
    };
    // Apart from the result: a record with an array that is indexed would stay in memory as a whole.
    let (mut feasible, mut failed) = (lanes, [0; LANES]);
    for (index, plane) in rows.iter().enumerate() {
        let violated = plane.violations(best).gt(simd.splat(0.0));
        let set = violated.bits() & feasible;
        if set == 0 {
            continue;
        }
        let (place, found) = linear_program1(&rows[..index], plane, regions, aim);
        let lost = set & !found;
        // The usual case first: no lane is infeasible, here or before.
        let moves = if set & !lost == violated.bits() {
            violated
        } else {
            L::mask_from_bits(simd, set & !lost)
        };
        best = select(moves, place, best);
        feasible &= !lost;
        each_of(lost, |lane| failed[lane] = index as u32);
    }
    Optima {
        velocity: best,
        feasible,
        failed,
    }
}

/// The programs of minimal violation: rows that are hard, and rows whose greatest violation is minimized.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Relaxation {
    /// Mask of the lanes to solve.
    pub(crate) lanes: u32,
    /// First and end row of the half-planes that may be violated; later ones are ignored.
    pub(crate) start: F32x8,
    pub(crate) end: F32x8,
    /// First infeasible row.
    pub(crate) failed: F32x8,
}

/// Returns the velocities that satisfy the hard rows and minimize the largest violation of the others; `best` are the
/// optima of the rows before the infeasible ones.
///
/// `projected` is scratch for the programs on bisectors.
#[inline(always)]
pub(crate) fn linear_program3<L: Lanes8>(
    rows: &[PlaneRow],
    regions: &Regions<L>,
    relaxation: &Relaxation,
    mut best: [L; 2],
    projected: &mut Vec<PlaneRow>,
) -> [L; 2] {
    let simd = regions.max_speed.simd();
    let start = L::load(simd, &relaxation.start);
    let end = L::load(simd, &relaxation.end);
    let failed = L::load(simd, &relaxation.failed);
    let (zero, mut worst) = (simd.splat(0.0), simd.splat(0.0));
    for (index, plane) in rows.iter().enumerate() {
        let row = simd.splat(index as f32);
        let violation = plane.violations(best);
        let violated = violation.gt(worst).and(failed.le(row)).and(row.lt(end));
        let lanes = violated.bits() & relaxation.lanes;
        if lanes == 0 {
            continue;
        }
        projected.clear();
        for (other, row) in (0..).zip(&rows[..index]) {
            let is_hard = simd.splat(other as f32).lt(start);
            let bisectors = row.bisectors::<L>(simd, plane);
            projected.push(either::<L>(simd, is_hard, row, &bisectors));
        }
        let aim = Objective::Farthest(plane.normal(simd));
        let optima = linear_program2(projected, regions, aim, lanes);
        let moves = L::mask_from_bits(simd, optima.feasible);
        best = select(moves, optima.velocity, best);
        let solved = L::mask_from_bits(simd, lanes);
        worst = L::select(solved, plane.violations(best).max(zero), worst);
    }
    best
}

/// Returns the half-planes of `yes` in a mask, those of `no` elsewhere.
#[inline(always)]
fn either<L: Lanes8>(simd: L::Simd, mask: L::Mask, yes: &PlaneRow, no: &PlaneRow) -> PlaneRow {
    let normal = select::<L>(mask, yes.normal(simd), no.normal(simd));
    let offset = L::select(mask, L::load(simd, &yes.offset), L::load(simd, &no.offset));
    PlaneRow {
        normal_x: normal[0].store(),
        normal_y: normal[1].store(),
        offset: offset.store(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::half_plane::HalfPlane;
    use crate::limits::region::Region;
    use cairn2d_geometry::math::{Vec2, sin_cos, vec2};
    use cairn2d_simd::{Kernel, Level};
    use proptest::prelude::*;

    const MAX_SPEED: f32 = 2.0;

    /// Solves one program in the fourth lane, beside half-planes in the other lanes that must not matter: the optimum,
    /// the number of satisfied half-planes, and the velocity of minimal violation with the first `hard` ones kept.
    struct Solve<'a> {
        planes: &'a [HalfPlane],
        hard: usize,
        aim: Vec2,
        farthest: bool,
        max_speed: f32,
        /// Velocity of the agent, and greatest change [m/s].
        center: Vec2,
        reach: f32,
    }

    const LANE: usize = 3;

    impl<S: Simd<F32: Lanes8>> Kernel<S> for Solve<'_> {
        type Output = (Vec2, usize, Vec2);
        #[inline(always)]
        fn run(self, simd: S) -> Self::Output {
            let rows: Vec<PlaneRow> = (0..self.planes.len())
                .map(|row| {
                    let mut planes = PlaneRow::ALL;
                    for lane in 0..LANES {
                        let other = (row * (1 + lane) + lane) % self.planes.len();
                        let own = if lane == LANE { row } else { other };
                        planes.set(lane, &self.planes[own]);
                    }
                    planes
                })
                .collect();
            let splat = |v: Vec2| [simd.splat(v.x), simd.splat(v.y)];
            let region = Region {
                max_speed: self.max_speed,
                center: self.center,
                reach: self.reach,
            };
            let regions = Regions::of(simd, [region; LANES]);
            let aim = if self.farthest {
                Objective::Farthest(splat(self.aim))
            } else {
                Objective::Nearest(splat(self.aim))
            };
            let optima = linear_program2(&rows, &regions, aim, ALL_LANES);
            let is_feasible = optima.feasible >> LANE & 1 == 1;
            let failed = if is_feasible {
                rows.len()
            } else {
                optima.failed[LANE] as usize
            };
            let relaxation = Relaxation {
                lanes: u32::from(!is_feasible) << LANE,
                start: F32x8::splat(self.hard as f32),
                end: F32x8::splat(rows.len() as f32),
                failed: F32x8::splat(failed as f32),
            };
            let mut memory = Vec::new();
            let given = linear_program3(&rows, &regions, &relaxation, optima.velocity, &mut memory);
            let of_lane = |v: [S::F32; 2]| vec2(v[0].store().0[LANE], v[1].store().0[LANE]);
            (of_lane(optima.velocity), failed, of_lane(given))
        }
    }

    impl<'a> Solve<'a> {
        /// The velocity nearest to `aim` in the disc of the speed limit.
        fn nearest(planes: &'a [HalfPlane], aim: Vec2) -> Self {
            let (hard, farthest, max_speed) = (0, false, MAX_SPEED);
            let (center, reach) = (Vec2::zeros(), f32::INFINITY);
            Self {
                planes,
                hard,
                aim,
                farthest,
                max_speed,
                center,
                reach,
            }
        }
    }

    type V = [f64; 2];

    fn dot(a: V, b: V) -> f64 {
        a[0] * b[0] + a[1] * b[1]
    }

    fn planes(limit: usize) -> impl Strategy<Value = Vec<HalfPlane>> {
        let plane = (0.0f32..6.3, -2.2f32..1.2).prop_map(|(angle, offset)| {
            let (sin, cos) = sin_cos(angle);
            HalfPlane::new(vec2(cos, sin), offset)
        });
        proptest::collection::vec(plane, 0..=limit)
    }

    fn wide(plane: &HalfPlane) -> (V, f64) {
        (
            [plane.normal.x.into(), plane.normal.y.into()],
            plane.offset.into(),
        )
    }

    /// Nearest feasible velocity among all places where the optimum can be: the preferred velocity, its foot on a
    /// boundary or on the circle, and where two boundaries, or one and the circle, cross.
    fn brute_force(planes: &[HalfPlane], preferred: V) -> Option<V> {
        let limit = f64::from(MAX_SPEED);
        let speed = dot(preferred, preferred).sqrt();
        let mut places = vec![
            preferred,
            [
                preferred[0] * limit / speed.max(1e-9),
                preferred[1] * limit / speed.max(1e-9),
            ],
        ];
        for (i, a) in planes.iter().enumerate() {
            let (n, c) = wide(a);
            let (foot, along) = ([n[0] * c, n[1] * c], [n[1], -n[0]]);
            let t = dot(along, preferred);
            let half = (limit * limit - c * c).max(0.0).sqrt();
            places
                .extend([t, half, -half].map(|t| [foot[0] + t * along[0], foot[1] + t * along[1]]));
            for b in &planes[..i] {
                let (m, d) = wide(b);
                let det = n[0] * m[1] - n[1] * m[0];
                if det.abs() > 1e-12 {
                    places.push([(c * m[1] - d * n[1]) / det, (n[0] * d - m[0] * c) / det]);
                }
            }
        }
        let feasible = |p: &V| {
            dot(*p, *p) <= limit * limit + 1e-9
                && planes.iter().map(wide).all(|(n, c)| dot(n, *p) >= c - 1e-9)
        };
        let distance = |p: &V| {
            let offset = [p[0] - preferred[0], p[1] - preferred[1]];
            dot(offset, offset)
        };
        places
            .into_iter()
            .filter(feasible)
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    fn worst(planes: &[HalfPlane], velocity: &Vec2) -> f32 {
        planes
            .iter()
            .map(|p| p.violation(velocity))
            .fold(f32::NEG_INFINITY, f32::max)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// If there is a solution, ours is as near to the preferred velocity as the best of all corners.
        #[test]
        fn the_optimum_is_that_of_brute_force(planes in planes(16), x in -3.0f32..3.0, y in -3.0f32..3.0) {
            let preferred = vec2(x, y);
            let (velocity, count, _) = Level::detect().enter(Solve::nearest(&planes, preferred));
            let wide_wish = [f64::from(x), f64::from(y)];
            if let Some(best) = brute_force(&planes, wide_wish) {
                // A solution that touches in one point may be lost to rounding: then none is inside.
                let shrunk: Vec<HalfPlane> = planes.iter().map(|p| HalfPlane::new(p.normal, p.offset + 1e-4)).collect();
                if count < planes.len() {
                    prop_assert!(brute_force(&shrunk, wide_wish).is_none());
                } else {
                    prop_assert!(worst(&planes, &velocity) <= 4.0 * SPEED_SLOP);
                    let ours = (preferred - velocity).norm();
                    let theirs = (preferred - vec2(best[0] as f32, best[1] as f32)).norm();
                    prop_assert!(ours <= theirs + 1e-3, "{ours} above {theirs}");
                }
            }
        }

        /// If half-planes contradict each other, no sampled velocity that keeps the hard ones
        /// violates the others less.
        #[test]
        fn the_minimal_violation_is_no_worse_than_any_sample(soft in planes(10), wall in 0.0f32..6.3) {
            let (sin, cos) = sin_cos(wall);
            let mut planes = vec![HalfPlane::new(vec2(cos, sin), -0.5)];
            planes.extend(soft);
            let (_, count, velocity) = Level::detect().enter(Solve { hard: 1, ..Solve::nearest(&planes, vec2(1.0, 0.0)) });
            if count < planes.len() && count >= 1 {
                prop_assert!(planes[0].violation(&velocity) <= 1e-4);
                prop_assert!(velocity.norm() <= MAX_SPEED * (1.0 + 1e-5));
                let ours = worst(&planes[1..], &velocity);
                for i in 0..400 {
                    let sample = vec2((i % 20) as f32 * 0.2 - 1.9, (i / 20) as f32 * 0.2 - 1.9);
                    if sample.norm() <= MAX_SPEED && planes[0].violation(&sample) <= 0.0 {
                        prop_assert!(ours <= worst(&planes[1..], &sample) + 1e-3);
                    }
                }
            }
        }

        /// All widths give the same bits, feasible or not, with or without a limit of acceleration.
        #[test]
        fn widths_change_no_bit(
            planes in planes(32), x in -3.0f32..3.0, y in -3.0f32..3.0, vx in -2.0f32..2.0, reach in 0.1f32..6.0,
        ) {
            for reach in [reach, f32::INFINITY] {
                for (aim, farthest) in [(vec2(x, y), false), (vec2(0.6, 0.8), true)] {
                    let center = vec2(vx, 0.5);
                    let all = Level::available().into_iter().map(|width| {
                        width.enter(Solve { farthest, center, reach, ..Solve::nearest(&planes, aim) })
                    });
                    let all: Vec<_> = all.collect();
                    prop_assert!(all.iter().all(|one| *one == all[0]), "{:?}", all);
                }
            }
        }
    }

    /// Two boundaries that cross 5 micrometers a second outside of the disc count as feasible; the velocity is inside.
    #[test]
    fn the_slop_never_leaves_the_disc() {
        let left = HalfPlane::new(vec2(-1.0, 0.0), 0.9999);
        let up = HalfPlane::new(vec2(0.0, 1.0), 0.0145);
        let planes = [left, up];
        let program = Solve::nearest(&planes, vec2(1.0, -1.0));
        let (velocity, count, _) = Level::detect().enter(Solve {
            max_speed: 1.0,
            ..program
        });
        assert_eq!(count, planes.len());
        assert!(velocity.norm() < 1.0 + 1e-7, "{}", velocity.norm());
        assert!(left.violation(&velocity) < SPEED_SLOP);
    }
}
