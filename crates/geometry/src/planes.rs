//! Translation of a mover among planes: the nearest to a desired one that stays in front of all planes.

use crate::double::{DVec, to_f32, wide_vec};
use crate::math::Vec2;
use smallvec::SmallVec;

/// A plane that a mover is to stay in front of: the surface of something, flat near the mover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollisionPlane {
    /// Unit normal, away from the solid side.
    pub normal: Vec2,
    /// Signed distance of the mover from the plane, negative where it is behind it \[m\].
    pub separation: f32,
    /// Farthest that the plane may push \[m\]: infinity for a rigid plane, less for a soft one. A negative
    /// number or NaN counts as 0.
    pub max_push: f32,
    /// Distance by which the plane pushed: written by [`solve_planes`] \[m\].
    pub push: f32,
}

impl CollisionPlane {
    /// Returns the plane of something that does not give way.
    #[must_use]
    pub const fn rigid(normal: Vec2, separation: f32) -> Self {
        Self::soft(normal, separation, f32::INFINITY)
    }

    /// Returns the plane of something that pushes no farther than `max_push` \[m\].
    #[must_use]
    pub const fn soft(normal: Vec2, separation: f32, max_push: f32) -> Self {
        Self {
            normal,
            separation,
            max_push,
            push: 0.0,
        }
    }

    fn is_finite(&self) -> bool {
        let numbers = [self.normal.x, self.normal.y, self.separation];
        numbers.iter().all(|number| number.is_finite())
    }
}

/// Answer of [`solve_planes`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlaneSolution {
    /// The translation nearest to the desired one \[m\].
    pub translation: Vec2,
    /// Number of searches along a line.
    pub iterations: u32,
    /// Whether this is the best translation to rounding; otherwise it is the best one found.
    pub converged: bool,
}

/// Returns the translation nearest to `wish` \[m\] that ends in front of all planes, and writes into each how far it
/// pushed: `translation = wish + sum of push * normal`.
///
/// A plane pushes only if the result touches it, and never farther than its `max_push`: a soft one may be
/// entered. Rigid planes without a common solution share the violation, as least squares: a mover in a gap that is
/// too narrow goes to its middle. Except for rounding, the result does not depend on the order of the planes. A
/// desired translation that is not finite counts as none; a plane that is not finite is skipped.
///
/// ```
/// use cairn2d_geometry::{CollisionPlane, solve_planes};
/// use cairn2d_geometry::math::vec2;
///
/// // One meter to the right, with a wall 0.4 m away and a floor under the feet.
/// let mut planes = [
///     CollisionPlane::rigid(vec2(-1.0, 0.0), 0.4),
///     CollisionPlane::rigid(vec2(0.0, 1.0), 0.0),
/// ];
/// let way = solve_planes(vec2(1.0, -0.1), &mut planes).translation;
/// assert!((way - vec2(0.4, 0.0)).norm() < 1.0e-6);
/// assert!((planes[0].push - 0.6).abs() < 1.0e-6);
/// ```
pub fn solve_planes(wish: Vec2, planes: &mut [CollisionPlane]) -> PlaneSolution {
    let is_finite = wish.x.is_finite() && wish.y.is_finite();
    let wish = if is_finite { wish } else { Vec2::zeros() };
    let mut cost = Cost::new(wish, planes);
    let mut place = cost.wish;
    let mut iterations = 0;
    let mut converged = true;
    for _ in 0..ROUNDS {
        let (found, count) = cost.lowest(place);
        place = found;
        iterations += count;
        converged = count < MAX_ITERATIONS;
        cost.take_pushes(&place);
    }
    let mut walls = cost.walls.iter();
    for plane in planes {
        plane.push = 0.0;
        if plane.is_finite() {
            let wall = walls.next();
            plane.push = wall.map_or(0.0, |wall| wall.base as f32);
        }
    }
    PlaneSolution {
        translation: to_f32(&place),
        iterations,
        converged,
    }
}

/// Returns the velocity nearest to `velocity` [m/s] that does not go into the rigid planes that pushed in
/// [`solve_planes`]; soft planes take no speed.
#[must_use]
pub fn clip_velocity(velocity: Vec2, planes: &[CollisionPlane]) -> Vec2 {
    let pushed = planes
        .iter()
        .filter(|plane| plane.push > 0.0 && plane.max_push == f32::INFINITY);
    let mut cone: SmallVec<[CollisionPlane; 8]> = pushed
        .map(|plane| CollisionPlane::rigid(plane.normal, 0.0))
        .collect();
    solve_planes(velocity, &mut cone).translation
}

/// Newton steps of a round after which the best answer so far is taken. Random sets of ten planes take two to eight.
const MAX_ITERATIONS: u32 = 64;

/// Push of a rigid plane for each meter that the mover is behind it. Larger: rounding of the search shows.
/// Smaller: more rounds are needed until planes do not give way.
const STIFFNESS: f64 = 1.0e8;

/// Number of searches, each from the pushes of the last (method of multipliers, [Hestenes69]). In a
/// wedge of angle `2 a` a round leaves `1 / (STIFFNESS sin^2 a)` of the error: with three, one of 0.01 rad is exact.
const ROUNDS: u32 = 3;

/// A plane with numbers for the search: `f32` would not hold the stiffness.
struct Wall {
    normal: DVec,
    separation: f64,
    max_push: f64,
    /// Push at depth 0: that of the last round.
    base: f64,
}

impl Wall {
    fn new(plane: &CollisionPlane) -> Self {
        Self {
            normal: wide_vec(&plane.normal),
            separation: plane.separation.into(),
            max_push: plane.max_push.max(0.0).into(),
            base: 0.0,
        }
    }

    /// Push on a mover at `place`.
    fn push(&self, place: &DVec) -> f64 {
        let depth = -(self.normal.dot(place) + self.separation);
        (self.base + STIFFNESS * depth).clamp(0.0, self.max_push)
    }

    /// Whether the push changes with the place.
    fn is_springy(&self, place: &DVec) -> bool {
        let push = self.push(place);
        push > 0.0 && push < self.max_push
    }

    /// Places along a line at which the push begins or ends to change, as multiples of `way`.
    fn bends(&self, place: &DVec, way: &DVec) -> [f64; 2] {
        let (depth, approach) = (
            -(self.normal.dot(place) + self.separation),
            -self.normal.dot(way),
        );
        [0.0, self.max_push].map(|push| ((push - self.base) / STIFFNESS - depth) / approach)
    }
}

/// `1/2 |d - wish|^2` and for each plane a spring of [`STIFFNESS`] that does not pull and pushes `max_push` at the most.
///
/// Convex and, piece by piece, quadratic: Newton steps with an exact search along each come to the lowest point in finitely many.
struct Cost {
    wish: DVec,
    walls: SmallVec<[Wall; 8]>,
}

impl Cost {
    fn new(wish: Vec2, planes: &[CollisionPlane]) -> Self {
        let finite = planes.iter().filter(|plane| plane.is_finite());
        Self {
            wish: wide_vec(&wish),
            walls: finite.map(Wall::new).collect(),
        }
    }

    /// Returns the lowest point, searched from `place`, and the searches along a line that it took.
    fn lowest(&self, mut place: DVec) -> (DVec, u32) {
        for count in 1..MAX_ITERATIONS {
            let way = self.newton_step(&place);
            let (share, is_whole) = self.lowest_along(&place, &way);
            place += way * share;
            if is_whole {
                return (place, count);
            }
        }
        (place, MAX_ITERATIONS)
    }

    /// Starts the next round from the pushes at `place`.
    fn take_pushes(&mut self, place: &DVec) {
        for wall in &mut self.walls {
            wall.base = wall.push(place);
        }
    }

    fn gradient(&self, place: &DVec) -> DVec {
        let pushes = self.walls.iter().map(|wall| wall.normal * wall.push(place));
        pushes.fold(place - self.wish, |sum, push| sum - push)
    }

    /// Way to the lowest point of the quadratic piece at `place`.
    fn newton_step(&self, place: &DVec) -> DVec {
        let (mut xx, mut xy, mut yy) = (1.0, 0.0, 1.0);
        for wall in self.walls.iter().filter(|wall| wall.is_springy(place)) {
            let n = wall.normal;
            xx += STIFFNESS * n.x * n.x;
            xy += STIFFNESS * n.x * n.y;
            yy += STIFFNESS * n.y * n.y;
        }
        let g = self.gradient(place);
        let determinant = xx * yy - xy * xy;
        DVec::new(xy * g.y - yy * g.x, xy * g.x - xx * g.y) / determinant
    }

    /// Returns the multiple of `way` at which the cost is least, and whether the piece of the start reaches that far.
    fn lowest_along(&self, place: &DVec, way: &DVec) -> (f64, bool) {
        let mut bends: SmallVec<[f64; 16]> = self
            .walls
            .iter()
            .flat_map(|wall| wall.bends(place, way))
            .filter(|&share| share > 0.0 && share.is_finite())
            .collect();
        bends.sort_unstable_by(f64::total_cmp);
        let slope = |share: f64| self.gradient(&(place + way * share)).dot(way);
        let (mut low, mut slope_low) = (0.0, slope(0.0));
        if slope_low >= 0.0 {
            return (0.0, true);
        }
        if bends.first().is_none_or(|&first| first >= 1.0) {
            return (1.0, true);
        }
        for high in bends {
            let slope_high = slope(high);
            if slope_high >= 0.0 {
                // Between two bends the slope is a straight line.
                let share = low + (high - low) * slope_low / (slope_low - slope_high);
                return (share, false);
            }
            (low, slope_low) = (high, slope_high);
        }
        let slope_beyond = slope(low + 1.0);
        (low + slope_low / (slope_low - slope_beyond), false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{sin_cos, vec2};
    use proptest::prelude::*;

    fn normal(angle: f32) -> Vec2 {
        let (sin, cos) = sin_cos(angle);
        vec2(cos, sin)
    }

    fn check(wish: Vec2, planes: &mut [CollisionPlane], expected: Vec2) {
        let solution = solve_planes(wish, planes);
        assert!(solution.converged, "{planes:?}");
        let error = (solution.translation - expected).norm();
        assert!(error < 1.0e-5, "{solution:?} for {expected:?}");
    }

    #[test]
    fn free_mover_gets_its_wish() {
        check(vec2(0.3, -2.0), &mut [], vec2(0.3, -2.0));
        let mut behind = [CollisionPlane::rigid(vec2(0.0, 1.0), 5.0)];
        check(vec2(0.3, -2.0), &mut behind, vec2(0.3, -2.0));
        assert_eq!(behind[0].push, 0.0);
    }

    #[test]
    fn mover_slides_along_one_plane() {
        let n = normal(2.0);
        let wish = vec2(1.0, -0.5);
        let separation = 0.1;
        let expected = wish - n * (n.dot(&wish) + separation);
        let mut planes = [CollisionPlane::rigid(n, separation)];
        check(wish, &mut planes, expected);
        let push = -(n.dot(&wish) + separation);
        assert!((planes[0].push - push).abs() < 1.0e-6);
    }

    #[test]
    fn two_planes_hold_a_mover_in_their_corner_however_sharp_it_is() {
        for half in [0.8_f32, 0.3, 0.05, 0.01] {
            // A wedge open to the left; the corner is at (1, 0).
            let (sin, cos) = sin_cos(half);
            let mut planes =
                [-1.0_f32, 1.0].map(|side| CollisionPlane::rigid(vec2(-sin, side * cos), sin));
            check(vec2(3.0, 0.01), &mut planes, vec2(1.0, 0.0));
        }
    }

    #[test]
    fn overlap_is_pushed_out_on_the_shortest_way() {
        let mut planes = [CollisionPlane::rigid(vec2(0.0, 1.0), -0.25)];
        check(Vec2::zeros(), &mut planes, vec2(0.0, 0.25));
    }

    #[test]
    fn soft_plane_pushes_no_farther_than_it_may() {
        let mut planes = [CollisionPlane::soft(vec2(-1.0, 0.0), 0.0, 0.2)];
        check(vec2(1.0, 0.0), &mut planes, vec2(0.8, 0.0));
        assert_eq!(planes[0].push, 0.2);
        check(vec2(0.1, 0.0), &mut planes, vec2(0.0, 0.0));
        let mut none = [CollisionPlane::soft(vec2(-1.0, 0.0), 0.0, f32::NAN)];
        check(vec2(1.0, 0.0), &mut none, vec2(1.0, 0.0));
    }

    #[test]
    fn gap_that_is_too_narrow_holds_the_mover_in_its_middle() {
        let mut planes = [
            CollisionPlane::rigid(vec2(1.0, 0.0), -0.3),
            CollisionPlane::rigid(vec2(-1.0, 0.0), -0.1),
        ];
        check(vec2(0.0, 1.0), &mut planes, vec2(0.1, 1.0));
    }

    #[test]
    fn numbers_that_are_not_finite_are_passed_over() {
        let mut planes = [
            CollisionPlane::rigid(vec2(f32::NAN, 1.0), 0.0),
            CollisionPlane::rigid(vec2(0.0, 1.0), f32::INFINITY),
            CollisionPlane::rigid(vec2(0.0, 1.0), 0.0),
        ];
        check(vec2(1.0, -1.0), &mut planes, vec2(1.0, 0.0));
        assert_eq!([planes[0].push, planes[1].push], [0.0, 0.0]);
        check(vec2(f32::NAN, -1.0), &mut planes, vec2(0.0, 0.0));
    }

    #[test]
    fn speed_is_clipped_by_the_rigid_planes_that_pushed() {
        let mut planes = [
            CollisionPlane::rigid(vec2(0.0, 1.0), 0.0),
            CollisionPlane::soft(vec2(-1.0, 0.0), 0.0, 0.1),
            CollisionPlane::rigid(normal(2.5), 9.0),
        ];
        solve_planes(vec2(1.0, -1.0), &mut planes);
        let clipped = clip_velocity(vec2(3.0, -4.0), &planes);
        assert!((clipped - vec2(3.0, 0.0)).norm() < 1.0e-5);
        let leaving = clip_velocity(vec2(3.0, 4.0), &planes);
        assert!((leaving - vec2(3.0, 4.0)).norm() < 1.0e-5);
    }

    fn any_plane() -> impl Strategy<Value = CollisionPlane> {
        let max_push = prop_oneof![Just(f32::INFINITY), 0.0..2.0_f32];
        (-3.2..3.2_f32, -1.0..1.0_f32, max_push)
            .prop_map(|(angle, gap, max_push)| CollisionPlane::soft(normal(angle), gap, max_push))
    }

    proptest! {
        /// The conditions of Karush, Kuhn and Tucker: for a convex cost they hold at the best place and nowhere else.
        #[test]
        fn pushes_prove_that_no_other_place_is_nearer(
            wish in (-2.0..2.0_f32, -2.0..2.0_f32),
            planes in prop::collection::vec(any_plane(), 0..10),
        ) {
            let mut planes = planes;
            let wish = vec2(wish.0, wish.1);
            let solution = solve_planes(wish, &mut planes);
            prop_assert!(solution.converged, "{planes:?}");
            let sum = planes.iter().fold(wish, |sum, plane| sum + plane.normal * plane.push);
            let total: f32 = planes.iter().map(|plane| plane.push).sum();
            // Contradicting planes push with their stiffness: the residual is rounding of that.
            prop_assert!((sum - solution.translation).norm() <= 1.0e-6 * (1.0 + total));
            let is_possible = total < 100.0;
            for plane in planes.iter().filter(|_| is_possible) {
                let gap = plane.normal.dot(&solution.translation) + plane.separation;
                prop_assert!(plane.push >= 0.0 && plane.push <= plane.max_push);
                if gap > 1.0e-5 {
                    prop_assert_eq!(plane.push, 0.0);
                }
                if gap < -1.0e-5 {
                    prop_assert_eq!(plane.push, plane.max_push);
                }
            }
        }

        /// Brute force: rigid planes in front of which there is a place, against the nearest of all feet and corners.
        #[test]
        fn rigid_planes_agree_with_all_feet_and_corners(
            wish in (-2.0..2.0_f32, -2.0..2.0_f32),
            planes in prop::collection::vec((-3.2..3.2_f32, 0.0..1.0_f32), 1..8),
        ) {
            let wish = vec2(wish.0, wish.1);
            let mut planes: Vec<_> = planes
                .into_iter()
                .map(|(angle, gap)| CollisionPlane::rigid(normal(angle), gap))
                .collect();
            let mut candidates = vec![wish];
            for (i, p) in planes.iter().enumerate() {
                candidates.push(wish - p.normal * (p.normal.dot(&wish) + p.separation));
                for q in &planes[..i] {
                    let det = p.normal.x * q.normal.y - p.normal.y * q.normal.x;
                    let x = -p.separation * q.normal.y + q.separation * p.normal.y;
                    let y = -q.separation * p.normal.x + p.separation * q.normal.x;
                    candidates.push(vec2(x, y) / det);
                }
            }
            let is_free = |d: &&Vec2| {
                planes.iter().all(|p| p.normal.dot(d) + p.separation > -1.0e-4)
            };
            let distances = candidates.iter().filter(is_free).map(|d| (d - wish).norm());
            let best = distances.reduce(f32::min).unwrap_or(f32::INFINITY);
            let found = solve_planes(wish, &mut planes).translation;
            let gap = (found - wish).norm() - best;
            // A hair outside a sharp corner is a hair over its sine inside.
            prop_assert!(gap.abs() < 1.0e-2 && gap < 1.0e-3, "{gap}");
        }
    }
}
