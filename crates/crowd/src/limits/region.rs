//! The reachable velocities of agents: speed limit and acceleration limit.

use crate::half_plane::PlaneRow;
use crate::lanes::{difference, dot, load, select, within_lengths};
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{F32x8, LANES, Lanes8, Mask, Simd, each_lane};

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
    /// Returns the regions of eight agents with the velocities `center`.
    ///
    /// An agent faster than its limit by more than its reach brakes as hard as it can: the speed limit is then the
    /// lowest reachable speed.
    #[inline(always)]
    pub(crate) fn new(center: [L; 2], region: impl Fn(usize) -> Region) -> Self {
        let simd = center[0].simd();
        let reaches = each_lane(|lane| region(lane).reach);
        let reach = L::load(simd, &F32x8(reaches));
        let limit = L::load(simd, &F32x8(each_lane(|lane| region(lane).max_speed)));
        let lowest = dot(center, center).sqrt() - reach;
        Self {
            max_speed: limit.max(lowest * simd.splat(TANGENT_MARGIN)),
            center,
            reach,
            discs: reaches.iter().all(|reach| reach.is_infinite()),
        }
    }

    /// Returns the regions of eight agents.
    #[inline(always)]
    pub(crate) fn of(simd: L::Simd, regions: [Region; LANES]) -> Self {
        let center = load(simd, &each_lane(|lane| regions[lane].center));
        Self::new(center, |lane| regions[lane])
    }

    /// Returns the velocities of the regions nearest to the given ones.
    #[inline(always)]
    pub(crate) fn nearest(&self, velocity: [L; 2]) -> [L; 2] {
        let limited = within_lengths(velocity, self.max_speed);
        let change = || within_lengths(difference(velocity, self.center), self.reach);
        self.within_reach(limited, change, |a, b| {
            let (to_a, to_b) = (difference(a, velocity), difference(b, velocity));
            dot(to_a, to_a).le(dot(to_b, to_b))
        })
    }

    /// Returns the velocities of the regions farthest along unit directions.
    #[inline(always)]
    pub(crate) fn extreme(&self, direction: [L; 2]) -> [L; 2] {
        let fastest = [direction[0] * self.max_speed, direction[1] * self.max_speed];
        let change = || [direction[0] * self.reach, direction[1] * self.reach];
        self.within_reach(fastest, change, |a, b| {
            dot(a, direction).ge(dot(b, direction))
        })
    }

    /// Returns `fastest`, the best velocities within the speed limits, where they are within reach.
    ///
    /// Elsewhere the best ones within reach, at the greatest `change`, or the corner where both limits hold, the first
    /// one in the mask that `is_first` returns.
    #[inline(always)]
    fn within_reach(
        &self,
        fastest: [L; 2],
        change: impl FnOnce() -> [L; 2],
        is_first: impl FnOnce([L; 2], [L; 2]) -> L::Mask,
    ) -> [L; 2] {
        let [x, y] = difference(fastest, self.center);
        let far = dot([x, y], [x, y]).gt(self.reach * self.reach);
        if self.discs || !far.any() {
            return fastest;
        }
        let [x, y] = change();
        let reached = [self.center[0] + x, self.center[1] + y];
        let best = select(far, reached, fastest);
        let fast = far.and(dot(best, best).gt(self.max_speed * self.max_speed));
        if !fast.any() {
            return best;
        }
        let [a, b] = self.corners();
        select(fast, select(is_first(a, b), a, b), best)
    }

    /// Returns the two velocities where the circles around the discs cross.
    #[inline(always)]
    fn corners(&self) -> [[L; 2]; 2] {
        let simd = self.reach.simd();
        let distance = dot(self.center, self.center).sqrt();
        let [x, y] = [self.center[0] / distance, self.center[1] / distance];
        let speed_sq = self.max_speed * self.max_speed;
        let along = (speed_sq - self.reach * self.reach + distance * distance)
            / (simd.splat(2.0) * distance);
        let aside = (speed_sq - along * along).max(simd.splat(0.0)).sqrt();
        let is_apart = distance.gt(simd.splat(f32::MIN_POSITIVE));
        let corner = |aside: L| {
            let corner = [x * along - y * aside, y * along + x * aside];
            select(is_apart, corner, self.center)
        };
        [corner(aside), corner(-aside)]
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
