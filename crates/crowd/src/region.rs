//! The reachable velocities of an agent: speed limit and acceleration limit.

use crate::agent::Params;
use crate::half_plane::HalfPlane;
use cairn2d_geometry::math::{Vec2, left_perp};
use cairn2d_simd::{Lanes8, Simd};

/// Intersection of the disc of the speed limit with the disc that one step's acceleration can reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    /// Greatest speed [m/s].
    pub(crate) max_speed: f32,
    /// Present velocity: center of the second disc [m/s].
    pub(crate) center: Vec2,
    /// Greatest change of velocity in one step [m/s]; infinite without a limit.
    pub(crate) reach: f32,
}

/// Factor slightly above 1, so that tangent discs share a velocity in spite of rounding.
const TANGENT_MARGIN: f32 = 1.0 + 4.0 * f32::EPSILON;

impl Region {
    /// Returns the disc of `max_speed` alone.
    pub(crate) fn disc(max_speed: f32) -> Self {
        Self {
            max_speed,
            center: Vec2::zeros(),
            reach: f32::INFINITY,
        }
    }

    /// Returns the velocities up to `max_speed` that differ from `center` by at most `reach`.
    ///
    /// An agent faster than `max_speed` by more than `reach` brakes as hard as it can: the speed limit is then the
    /// lowest reachable speed.
    pub(crate) fn new(max_speed: f32, center: Vec2, reach: f32) -> Self {
        if reach.is_infinite() {
            return Self::disc(max_speed);
        }
        let lowest = center.norm() - reach;
        Self {
            max_speed: max_speed.max(lowest * TANGENT_MARGIN),
            center,
            reach,
        }
    }

    /// Returns the chord of the boundary of `plane` in the region, as distances from its foot along its direction;
    /// `None` if they do not intersect.
    #[inline]
    pub(crate) fn chord(&self, plane: &HalfPlane) -> Option<(f32, f32)> {
        let half_sq = self.max_speed * self.max_speed - plane.offset * plane.offset;
        if half_sq < 0.0 {
            return None;
        }
        let half = half_sq.sqrt();
        if self.reach.is_infinite() {
            return Some((-half, half));
        }
        let miss = plane.violation(&self.center);
        let reach_sq = self.reach * self.reach - miss * miss;
        if reach_sq < 0.0 {
            return None;
        }
        let (middle, other) = (plane.direction().dot(&self.center), reach_sq.sqrt());
        let (low, high) = ((middle - other).max(-half), (middle + other).min(half));
        if low <= high { Some((low, high)) } else { None }
    }

    /// Returns the velocity of the region nearest to `velocity`.
    #[inline]
    pub(crate) fn nearest(&self, velocity: &Vec2) -> Vec2 {
        let limited = within(velocity, self.max_speed);
        if self.reach.is_infinite() || (limited - self.center).norm_squared() <= self.reach_sq() {
            return limited;
        }
        let reached = self.center + within(&(velocity - self.center), self.reach);
        if reached.norm_squared() <= self.max_speed * self.max_speed {
            return reached;
        }
        let [a, b] = self.corners();
        if (a - velocity).norm_squared() <= (b - velocity).norm_squared() {
            a
        } else {
            b
        }
    }

    /// Returns the velocity of the region farthest along the unit `direction`.
    pub(crate) fn extreme(&self, direction: &Vec2) -> Vec2 {
        let fastest = direction * self.max_speed;
        if self.reach.is_infinite() || (fastest - self.center).norm_squared() <= self.reach_sq() {
            return fastest;
        }
        let reached = self.center + direction * self.reach;
        if reached.norm_squared() <= self.max_speed * self.max_speed {
            return reached;
        }
        let [a, b] = self.corners();
        if a.dot(direction) >= b.dot(direction) {
            a
        } else {
            b
        }
    }

    fn reach_sq(&self) -> f32 {
        self.reach * self.reach
    }

    /// Returns the two velocities where the circles around the discs cross.
    fn corners(&self) -> [Vec2; 2] {
        let distance = self.center.norm();
        if distance <= f32::MIN_POSITIVE {
            return [self.center; 2];
        }
        let axis = self.center / distance;
        let speed_sq = self.max_speed * self.max_speed;
        let along = (speed_sq - self.reach_sq() + distance * distance) / (2.0 * distance);
        let aside = (speed_sq - along * along).max(0.0).sqrt();
        [
            axis * along + left_perp(&axis) * aside,
            axis * along - left_perp(&axis) * aside,
        ]
    }
}

impl Params {
    /// Returns the reachable velocities of an agent that moves at `velocity` after a step of `step` seconds.
    pub(crate) fn region(&self, velocity: Vec2, step: f32) -> Region {
        Region::new(self.max_speed, velocity, self.reach(step))
    }

    /// Returns the greatest change of velocity in a step of `step` seconds [m/s].
    #[inline]
    pub(crate) fn reach(&self, step: f32) -> f32 {
        self.max_acceleration * step
    }
}

/// Returns `v`, shortened to `length` if it is longer.
#[inline]
pub(crate) fn within(v: &Vec2, length: f32) -> Vec2 {
    let norm_sq = v.norm_squared();
    if norm_sq <= length * length {
        *v
    } else {
        v * (length / norm_sq.sqrt())
    }
}

/// Returns the scalar products of vectors.
#[inline(always)]
pub(crate) fn dot<L: Lanes8>(a: [L; 2], b: [L; 2]) -> L {
    a[0] * b[0] + a[1] * b[1]
}

/// Returns the speed limits of agents that cannot brake to `max_speed`: as in [`Region::new`].
#[inline(always)]
pub(crate) fn lowest_limits<L: Lanes8>(max_speed: L, velocity: [L; 2], reach: L) -> L {
    let simd = reach.simd();
    let lowest = dot(velocity, velocity).sqrt() - reach;
    max_speed.max(lowest * simd.splat(TANGENT_MARGIN))
}

/// Returns vectors shortened to these lengths if they are longer.
#[inline(always)]
pub(crate) fn within_lengths<L: Lanes8>([x, y]: [L; 2], length: L) -> [L; 2] {
    let norm_sq = dot([x, y], [x, y]);
    let is_short = norm_sq.le(length * length);
    let scale = length / norm_sq.sqrt();
    [
        L::select(is_short, x, x * scale),
        L::select(is_short, y, y * scale),
    ]
}
