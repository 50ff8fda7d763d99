//! Linear programs over half-planes of velocities: on a line, in the plane, and with minimal violation.
//!
//! The velocity must lie in the disc of the speed limit (and in the disc of the acceleration limit) and in all
//! half-planes. Half-planes are added one after the other; a violated one moves the optimum onto its boundary, where
//! the rest is a program in one unknown [deBerg08, ch. 4]. If the half-planes are infeasible, the hard ones are kept
//! and the largest violation of the others is minimized: a program in three unknowns, solved as programs on bisectors
//! [vdBerg11, sec. 5.3]. Half-planes are tested eight at a time; the tests solve the same programs with one
//! half-plane at a time and require the same bits.

use crate::half_plane::HalfPlane;
use crate::planes::{Block, Planes};
use crate::region::Region;
use crate::tuning::{PARALLEL_SINE, SPEED_SLOP};
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{F32x8, LANES, Lanes8, Mask, Simd};
use core::ops::Range;

/// Objective of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Objective {
    /// Minimize the distance to this velocity.
    Nearest(Vec2),
    /// Maximize the speed along this unit direction.
    Farthest(Vec2),
}

/// Returns the best velocity, and how many of the `planes` from the first on it satisfies.
///
/// If that is fewer than all, the velocity is the optimum of the planes before.
#[inline(always)]
pub(crate) fn optimize<L: Lanes8>(
    simd: L::Simd,
    planes: &Planes,
    region: &Region,
    aim: Objective,
) -> (Vec2, usize) {
    let mut best = match aim {
        Objective::Nearest(velocity) => region.nearest(&velocity),
        Objective::Farthest(direction) => region.extreme(&direction),
    };
    let mut next = 0;
    while let Some(i) = planes.first_violated::<L>(simd, next, &best, 0.0) {
        match on_boundary::<L>(simd, planes, i, region, aim) {
            Some(velocity) => best = velocity,
            None => return (best, i),
        }
        next = i + 1;
    }
    (best, planes.len())
}

/// Returns the best velocity on the boundary of half-plane `index` subject to the half-planes before it, if there is
/// one.
#[inline(always)]
fn on_boundary<L: Lanes8>(
    simd: L::Simd,
    planes: &Planes,
    index: usize,
    region: &Region,
    aim: Objective,
) -> Option<Vec2> {
    let plane = planes.get(index);
    let direction = plane.direction();
    let foot = plane.foot();
    let (start, end) = region.chord(&plane)?;
    let ends = [simd.splat(start), simd.splat(end)];
    let along = [simd.splat(direction.x), simd.splat(direction.y)];
    let from = [simd.splat(foot.x), simd.splat(foot.y)];
    let mut interval = Interval::<L>::new(ends);
    let (full, rest) = (index / LANES, index % LANES);
    for block in &planes.blocks()[..full] {
        interval.cut(block, from, along);
    }
    interval.cut(&planes.blocks()[full].up_to::<L>(simd, rest), from, along);
    let (low, high) = interval.ends()?;
    let wanted = match aim {
        Objective::Nearest(velocity) => direction.x * velocity.x + direction.y * velocity.y,
        Objective::Farthest(towards) => match direction.dot(&towards) {
            gain if gain > PARALLEL_SINE => high,
            gain if gain < -PARALLEL_SINE => low,
            // If the boundary is perpendicular to the objective all its points are optimal: take the slowest, not a
            // corner.
            _ => 0.0,
        },
    };
    // The upper end last, since low exceeds high by the tolerance at most; then the region, which is never exceeded.
    let wanted = if wanted > low { wanted } else { low };
    let wanted = if wanted < high { wanted } else { high };
    let wanted = if wanted > start { wanted } else { start };
    let wanted = if wanted < end { wanted } else { end };
    Some(foot + direction * wanted)
}

/// Feasible interval of a boundary, as distances from its foot; bounds of eight half-planes at a time.
pub(crate) struct Interval<L: Lanes8> {
    pub(crate) low: L,
    pub(crate) high: L,
    /// Mask of lanes in which a parallel half-plane excludes the whole boundary.
    pub(crate) excluded: u32,
}

impl<L: Lanes8> Interval<L> {
    #[inline(always)]
    pub(crate) fn new([low, high]: [L; 2]) -> Self {
        let excluded = 0;
        Self {
            low,
            high,
            excluded,
        }
    }

    /// Intersects with eight half-planes: at `foot + t direction` they require `t slope >= gap`.
    #[inline(always)]
    pub(crate) fn cut(&mut self, block: &Block, foot: [L; 2], [x, y]: [L; 2]) {
        let simd = self.low.simd();
        let slope = L::load(simd, &block.normal_x) * x + L::load(simd, &block.normal_y) * y;
        let gap = block.violations(foot);
        let at = gap / slope;
        let rises = slope.gt(simd.splat(PARALLEL_SINE));
        let falls = slope.lt(simd.splat(-PARALLEL_SINE));
        self.low = L::select(rises.and(at.gt(self.low)), at, self.low);
        self.high = L::select(falls.and(at.lt(self.high)), at, self.high);
        let misses = gap.gt(simd.splat(SPEED_SLOP));
        self.excluded |= misses.bits() & !rises.or(falls).bits();
    }

    /// Returns the ends, unless the interval is empty.
    #[inline(always)]
    fn ends(&self) -> Option<(f32, f32)> {
        let (low, high) = (self.low.reduce_max(), self.high.reduce_min());
        if self.excluded != 0 || low > high + SPEED_SLOP {
            None
        } else {
            Some((low, high))
        }
    }
}

/// Returns the velocity that satisfies the first `hard` planes and minimizes the largest violation of the others, up
/// to `end`; `start` satisfies all planes before `failed`.
///
/// `projected` is scratch for the programs on bisectors.
#[inline(always)]
pub(crate) fn minimize_violation<L: Lanes8>(
    simd: L::Simd,
    planes: &Planes,
    tier: Range<usize>,
    failed: usize,
    region: &Region,
    start: Vec2,
    projected: &mut Planes,
) -> Vec2 {
    let mut best = start;
    let mut worst = 0.0;
    let mut next = failed;
    while let Some(i) = planes.first_violated::<L>(simd, next, &best, worst) {
        if i >= tier.end {
            break;
        }
        let plane = planes.get(i);
        project::<L>(simd, planes, tier.start, i, &plane, projected);
        let (velocity, count) =
            optimize::<L>(simd, projected, region, Objective::Farthest(plane.normal));
        if count == projected.len() {
            best = velocity;
        }
        worst = plane.violation(&best).max(0.0);
        next = i + 1;
    }
    best
}

/// Writes the hard half-planes and, for each plane between them and `index`, the half-plane of velocities that
/// violate it no more than `plane`.
#[inline(always)]
fn project<L: Lanes8>(
    simd: L::Simd,
    planes: &Planes,
    hard: usize,
    index: usize,
    plane: &HalfPlane,
    to: &mut Planes,
) {
    to.truncate(0);
    for block in &planes.blocks()[..hard / LANES] {
        to.push_block(*block);
    }
    for (i, block) in planes.blocks()[..=index / LANES]
        .iter()
        .enumerate()
        .skip(hard / LANES)
    {
        to.push_block(bisectors::<L>(
            simd,
            &block.up_to::<L>(simd, index - LANES * i),
            plane,
        ));
    }
}

/// Returns the half-planes of velocities that violate those of `block` no more than `plane`. Trivial ones for
/// half-planes of the same direction, of which the later is never violated more.
#[inline(always)]
fn bisectors<L: Lanes8>(simd: L::Simd, block: &Block, plane: &HalfPlane) -> Block {
    let x = L::load(simd, &block.normal_x) - simd.splat(plane.normal.x);
    let y = L::load(simd, &block.normal_y) - simd.splat(plane.normal.y);
    let length = (x * x + y * y).sqrt();
    let crosses = length.gt(simd.splat(PARALLEL_SINE));
    let offset = (L::load(simd, &block.offset) - simd.splat(plane.offset)) / length;
    let or_all = |some: L, all: &F32x8| L::select(crosses, some, L::load(simd, all)).store();
    Block {
        normal_x: or_all(x / length, &Block::ALL.normal_x),
        normal_y: or_all(y / length, &Block::ALL.normal_y),
        offset: or_all(offset, &Block::ALL.offset),
    }
}

/// Result of [`solve_tiers`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solution {
    /// The optimum of all tiers if they are feasible, otherwise of the feasible ones [m/s].
    pub(crate) velocity: Vec2,
    /// The first infeasible tier; the number of tiers if there is none.
    pub(crate) tiers: usize,
    /// Number of half-planes, from the first on, for which `velocity` is optimal.
    satisfied: usize,
}

/// Solves for the velocity nearest to `wanted` within `planes`, whose tiers end at `ends`.
#[inline(always)]
pub(crate) fn solve_tiers<L: Lanes8>(
    simd: L::Simd,
    planes: &Planes,
    ends: &[usize],
    region: &Region,
    wanted: Vec2,
) -> Solution {
    let (velocity, satisfied) = optimize::<L>(simd, planes, region, Objective::Nearest(wanted));
    let failed = ends.iter().position(|&end| satisfied < end);
    Solution {
        velocity,
        tiers: failed.unwrap_or(ends.len()),
        satisfied,
    }
}

impl Solution {
    /// Returns the velocity to choose [m/s], from the half-planes that were solved.
    ///
    /// If a tier is infeasible, the tiers before stay hard, the largest violation within it is minimized, and later
    /// tiers are ignored: no freedom is left.
    #[inline(always)]
    pub(crate) fn settle<L: Lanes8>(
        &self,
        simd: L::Simd,
        planes: &Planes,
        ends: &[usize],
        region: &Region,
        projected: &mut Planes,
    ) -> Vec2 {
        let Some(&end) = ends.get(self.tiers) else {
            return self.velocity;
        };
        let start = self.tiers.checked_sub(1).map_or(0, |tier| ends[tier]);
        let (failed, best) = (self.satisfied, self.velocity);
        minimize_violation::<L>(simd, planes, start..end, failed, region, best, projected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::{sin_cos, vec2};
    use cairn2d_simd::{BASELINE8, Baseline8, F32, Kernel, Lanes8, Level, Simd};
    use proptest::prelude::*;

    const MAX_SPEED: f32 = 2.0;

    fn list(planes: &[HalfPlane]) -> Planes {
        let mut list = Planes::default();
        planes.iter().for_each(|plane| list.push(plane));
        list.end_tier();
        list
    }

    /// The same programs, one half-plane after the other.
    mod single {
        use super::super::*;

        pub(crate) fn optimize(
            planes: &[HalfPlane],
            region: &Region,
            aim: Objective,
        ) -> (Vec2, usize) {
            let mut best = match aim {
                Objective::Nearest(velocity) => region.nearest(&velocity),
                Objective::Farthest(direction) => region.extreme(&direction),
            };
            for (i, plane) in planes.iter().enumerate() {
                if plane.violation(&best) > 0.0 {
                    match on_boundary(&planes[..i], plane, region, aim) {
                        Some(velocity) => best = velocity,
                        None => return (best, i),
                    }
                }
            }
            (best, planes.len())
        }

        fn on_boundary(
            earlier: &[HalfPlane],
            plane: &HalfPlane,
            region: &Region,
            aim: Objective,
        ) -> Option<Vec2> {
            let (direction, foot) = (plane.direction(), plane.foot());
            let (start, end) = region.chord(plane)?;
            let (mut low, mut high) = (start, end);
            for other in earlier {
                let slope = other.normal.x * direction.x + other.normal.y * direction.y;
                let gap = other.violation(&foot);
                if slope > PARALLEL_SINE {
                    low = low.max(gap / slope);
                } else if slope < -PARALLEL_SINE {
                    high = high.min(gap / slope);
                } else if gap > SPEED_SLOP {
                    return None;
                }
            }
            if low > high + SPEED_SLOP {
                return None;
            }
            let wanted = match aim {
                Objective::Nearest(velocity) => direction.x * velocity.x + direction.y * velocity.y,
                Objective::Farthest(towards) => match direction.dot(&towards) {
                    gain if gain > PARALLEL_SINE => high,
                    gain if gain < -PARALLEL_SINE => low,
                    _ => 0.0,
                },
            };
            Some(foot + direction * wanted.max(low).min(high).max(start).min(end))
        }

        pub(crate) fn minimize_violation(
            planes: &[HalfPlane],
            hard: usize,
            failed: usize,
            region: &Region,
            start: Vec2,
        ) -> Vec2 {
            let (mut best, mut worst) = (start, 0.0);
            for i in failed..planes.len() {
                let plane = &planes[i];
                if plane.violation(&best) > worst {
                    let mut projected = planes[..hard].to_vec();
                    projected.extend(planes[hard..i].iter().filter_map(|o| bisectors(o, plane)));
                    let aim = Objective::Farthest(plane.normal);
                    let (velocity, count) = optimize(&projected, region, aim);
                    if count == projected.len() {
                        best = velocity;
                    }
                    worst = plane.violation(&best).max(0.0);
                }
            }
            best
        }

        fn bisectors(other: &HalfPlane, plane: &HalfPlane) -> Option<HalfPlane> {
            let (x, y) = (
                other.normal.x - plane.normal.x,
                other.normal.y - plane.normal.y,
            );
            let length = (x * x + y * y).sqrt();
            let offset = (other.offset - plane.offset) / length;
            let normal = Vec2::new(x / length, y / length);
            (length > PARALLEL_SINE).then(|| HalfPlane::new(normal, offset))
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
            let region = Region::disc(MAX_SPEED);
            let preferred = vec2(x, y);
            let (velocity, count) = optimize::<F32<Baseline8>>(BASELINE8, &list(&planes), &region, Objective::Nearest(preferred));
            let count = count.min(planes.len());
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

        /// Where half-planes contradict each other, no sampled velocity that keeps the hard ones
        /// violates the others less.
        #[test]
        fn giving_way_is_no_worse_than_any_sample(soft in planes(10), wall in 0.0f32..6.3) {
            let (sin, cos) = sin_cos(wall);
            let mut planes = vec![HalfPlane::new(vec2(cos, sin), -0.5)];
            planes.extend(soft);
            let region = Region::disc(MAX_SPEED);
            let mut lanes = list(&planes[..1]);
            planes[1..].iter().for_each(|plane| lanes.push(plane));
            let end = lanes.end_tier();
            let (start, count) = optimize::<F32<Baseline8>>(BASELINE8, &lanes, &region, Objective::Nearest(vec2(1.0, 0.0)));
            if count < end && count >= LANES {
                let mut memory = Planes::default();
                let velocity = minimize_violation::<F32<Baseline8>>(BASELINE8, &lanes, LANES..end, count, &region, start, &mut memory);
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

        /// Lanes of every width give the bits that one half-plane after the other gives, feasible or not.
        #[test]
        fn lanes_change_no_bit(
            planes in planes(32), x in -3.0f32..3.0, y in -3.0f32..3.0, vx in -2.0f32..2.0, reach in 0.1f32..6.0,
        ) {
            let lanes = list(&planes);
            for region in [Region::disc(MAX_SPEED), Region::new(MAX_SPEED, vec2(vx, 0.5), reach)] {
                for aim in [Objective::Nearest(vec2(x, y)), Objective::Farthest(vec2(0.6, 0.8))] {
                    let (want, want_count) = single::optimize(&planes, &region, aim);
                    for width in Level::available() {
                        let (velocity, count, given) = width.enter(InLanes(&lanes, &region, aim));
                        prop_assert_eq!(velocity, want);
                        prop_assert_eq!(count.min(planes.len()), want_count);
                        if want_count < planes.len() {
                            prop_assert_eq!(given, single::minimize_violation(&planes, 0, want_count, &region, want));
                        }
                    }
                }
            }
        }
    }

    /// Two boundaries that cross 5 micrometres a second outside of the disc count as feasible; the velocity is inside.
    #[test]
    fn the_slop_never_leaves_the_disc() {
        let left = HalfPlane::new(vec2(-1.0, 0.0), 0.9999);
        let up = HalfPlane::new(vec2(0.0, 1.0), 0.0145);
        let planes = list(&[left, up]);
        let aim = Objective::Nearest(vec2(1.0, -1.0));
        let (velocity, count) =
            optimize::<F32<Baseline8>>(BASELINE8, &planes, &Region::disc(1.0), aim);
        assert_eq!(count, planes.len());
        assert!(velocity.norm() < 1.0 + 1e-7, "{}", velocity.norm());
        assert!(left.violation(&velocity) < SPEED_SLOP);
    }

    /// Both programs, one after the other.
    struct InLanes<'a>(&'a Planes, &'a Region, Objective);

    impl<S: Simd<F32: Lanes8>> Kernel<S> for InLanes<'_> {
        type Output = (Vec2, usize, Vec2);
        #[inline(always)]
        fn run(self, simd: S) -> Self::Output {
            let Self(planes, region, aim) = self;
            let (velocity, count) = optimize::<S::F32>(simd, planes, region, aim);
            let (all, mut memory) = (0..planes.len(), Planes::default());
            let given = minimize_violation::<S::F32>(
                simd,
                planes,
                all,
                count,
                region,
                velocity,
                &mut memory,
            );
            (velocity, count, given)
        }
    }
}
