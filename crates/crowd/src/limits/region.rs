//! The reachable velocities of an agent: speed limit and acceleration limit.

use crate::half_plane::PlaneRow;
use crate::lanes::{dot, each_of, within, within_lengths};
use cairn2d_geometry::math::{Vec2, left_perp};
use cairn2d_simd::{F32x8, Lanes8, Mask, Simd};

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

/// The regions of eight agents, one per lane.
#[derive(Clone, Copy)]
pub(crate) struct Regions<L> {
    pub(crate) max_speed: L,
    center: [L; 2],
    reach: L,
    /// Whether no agent's acceleration is limited.
    discs: bool,
}

impl<L: Lanes8> Regions<L> {
    /// Returns the regions of agents with these speed limits, velocities and reaches; as in [`Region::new`].
    #[inline(always)]
    pub(crate) fn new(max_speed: &F32x8, center: [L; 2], reach: &F32x8) -> Self {
        let simd = center[0].simd();
        let lowest = dot(center, center).sqrt() - L::load(simd, reach);
        let limit = L::load(simd, max_speed).max(lowest * simd.splat(TANGENT_MARGIN));
        Self {
            max_speed: limit,
            center,
            reach: L::load(simd, reach),
            discs: reach.0.iter().all(|reach| reach.is_infinite()),
        }
    }

    /// Returns the velocities of the regions nearest to the given ones.
    #[inline(always)]
    pub(crate) fn nearest(&self, velocity: [L; 2]) -> [L; 2] {
        let limited = within_lengths(velocity, self.max_speed);
        self.reached(limited, velocity, Region::nearest)
    }

    /// Returns the velocities of the regions farthest along unit directions.
    #[inline(always)]
    pub(crate) fn extreme(&self, direction: [L; 2]) -> [L; 2] {
        let fastest = [direction[0] * self.max_speed, direction[1] * self.max_speed];
        self.reached(fastest, direction, Region::extreme)
    }

    /// Returns `velocity` where it is within reach in a step, and elsewhere what `find` returns for `aim`.
    #[inline(always)]
    fn reached(&self, velocity: [L; 2], aim: [L; 2], find: fn(&Region, &Vec2) -> Vec2) -> [L; 2] {
        let change = [velocity[0] - self.center[0], velocity[1] - self.center[1]];
        let far = dot(change, change).gt(self.reach * self.reach);
        if self.discs || !far.any() {
            return velocity;
        }
        let simd = self.reach.simd();
        let (mut x, mut y) = (velocity[0].store(), velocity[1].store());
        let (center_x, center_y) = (self.center[0].store(), self.center[1].store());
        let (aim_x, aim_y) = (aim[0].store(), aim[1].store());
        let (max_speed, reach) = (self.max_speed.store(), self.reach.store());
        each_of(far.bits(), |lane| {
            let region = Region {
                max_speed: max_speed.0[lane],
                center: Vec2::new(center_x.0[lane], center_y.0[lane]),
                reach: reach.0[lane],
            };
            let found = find(&region, &Vec2::new(aim_x.0[lane], aim_y.0[lane]));
            (x.0[lane], y.0[lane]) = (found.x, found.y);
        });
        [L::load(simd, &x), L::load(simd, &y)]
    }

    /// Returns the chords of boundaries in the regions, as distances from their feet along their directions, and the
    /// mask of agents that have one.
    #[inline(always)]
    pub(crate) fn chords(&self, plane: &PlaneRow, direction: [L; 2]) -> ([L; 2], u32) {
        let simd = self.reach.simd();
        let offset = L::load(simd, &plane.offset);
        let half_sq = self.max_speed * self.max_speed - offset * offset;
        let half = half_sq.sqrt();
        let found = half_sq.ge(simd.splat(0.0)).bits();
        if self.discs {
            return ([-half, half], found);
        }
        let miss = plane.violations(self.center);
        let reach_sq = self.reach * self.reach - miss * miss;
        let (middle, other) = (dot(direction, self.center), reach_sq.sqrt());
        let (low, high) = ((middle - other).max(-half), (middle + other).min(half));
        let found = found & reach_sq.ge(simd.splat(0.0)).bits() & low.le(high).bits();
        ([low, high], found)
    }
}
