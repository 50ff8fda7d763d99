//! Linear programs over half-planes of velocities: on a line, in the plane, and giving way.
//!
//! The velocity must lie in the disc of the speed limit (and in the disc that the acceleration limit
//! leaves) and in all half-planes. Half-planes are added one after the other; a violated one moves
//! the optimum onto its boundary, where the rest is a program in one unknown [deBerg08, ch. 4].
//! If the half-planes contradict each other, the hard ones are kept and the largest violation of the
//! others is made as small as possible: a program in three unknowns, solved as programs on bisectors
//! [vdBerg11, sec. 5.3].

use crate::half_plane::HalfPlane;
use crate::region::Region;
use crate::tuning::{PARALLEL_SINE, SPEED_SLOP};
use cairn2d_geometry::math::Vec2;
use smallvec::SmallVec;

/// What the program makes as small, or as large, as possible.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Aim {
    /// The distance to this velocity, small.
    Nearest(Vec2),
    /// The speed along this unit direction, large.
    Farthest(Vec2),
}

/// Half-planes of a program that gives way; 48 on the stack cover the usual case.
type Planes = SmallVec<[HalfPlane; 48]>;

/// Returns the best velocity and how many of the `planes`, from the first on, it satisfies.
///
/// If that is fewer than all, the velocity is the best for those before.
pub(crate) fn optimize(planes: &[HalfPlane], region: &Region, aim: Aim) -> (Vec2, usize) {
    let mut best = match aim {
        Aim::Nearest(velocity) => region.nearest(&velocity),
        Aim::Farthest(direction) => region.extreme(&direction),
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

/// Returns the best velocity on the boundary of `plane` within `earlier` planes, if there is one.
fn on_boundary(
    earlier: &[HalfPlane],
    plane: &HalfPlane,
    region: &Region,
    aim: Aim,
) -> Option<Vec2> {
    let direction = plane.direction();
    let foot = plane.foot();
    let (mut low, mut high) = region.chord(plane)?;
    for other in earlier {
        // On the boundary, at `foot + t direction`: t slope >= gap.
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
        Aim::Nearest(velocity) => direction.x * velocity.x + direction.y * velocity.y,
        Aim::Farthest(towards) if direction.dot(&towards) > 0.0 => high,
        Aim::Farthest(_) => low,
    };
    // `min` last: low exceeds high by the slop at the most.
    Some(foot + direction * wanted.max(low).min(high))
}

/// Returns the velocity that keeps the `hard` first planes and makes the largest violation of the
/// others as small as possible; `start` satisfies all planes before `failed`.
pub(crate) fn give_way(
    planes: &[HalfPlane],
    hard: usize,
    failed: usize,
    region: &Region,
    start: Vec2,
) -> Vec2 {
    let mut best = start;
    let mut worst = 0.0;
    for i in failed..planes.len() {
        let plane = &planes[i];
        if plane.violation(&best) > worst {
            let mut projected: Planes = SmallVec::from_slice(&planes[..hard]);
            projected.extend(
                planes[hard..i]
                    .iter()
                    .filter_map(|other| no_worse(other, plane)),
            );
            let (velocity, count) = optimize(&projected, region, Aim::Farthest(plane.normal));
            if count == projected.len() {
                best = velocity;
            }
            worst = plane.violation(&best);
        }
    }
    best
}

/// Returns the half-plane of velocities that violate `other` no more than `plane`; `None` for
/// planes of one direction, of which the later never is the worse one.
fn no_worse(other: &HalfPlane, plane: &HalfPlane) -> Option<HalfPlane> {
    let normal = other.normal - plane.normal;
    let length = normal.norm();
    if length <= PARALLEL_SINE {
        return None;
    }
    Some(HalfPlane::new(
        normal / length,
        (other.offset - plane.offset) / length,
    ))
}

/// What [`solve_tiers`] found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solution {
    /// The velocity to take [m/s].
    pub(crate) velocity: Vec2,
    /// The first tier that could not be satisfied; the number of tiers if all could.
    pub(crate) tiers: usize,
}

/// Solves for the velocity nearest to `wanted` within `planes`, whose tiers end at `ends`.
///
/// If a tier contradicts those before it, those stay hard, the largest violation within the tier is
/// made as small as possible, and later tiers are left aside: nothing is left to choose.
pub(crate) fn solve_tiers(
    planes: &[HalfPlane],
    ends: &[usize],
    region: &Region,
    wanted: Vec2,
) -> Solution {
    let (velocity, count) = optimize(planes, region, Aim::Nearest(wanted));
    let Some(tier) = ends.iter().position(|&end| count < end) else {
        return Solution {
            velocity,
            tiers: ends.len(),
        };
    };
    let hard = if tier == 0 { 0 } else { ends[tier - 1] };
    let velocity = give_way(&planes[..ends[tier]], hard, count, region, velocity);
    Solution {
        velocity,
        tiers: tier,
    }
}
