//! Heading of an agent, and its turn limit in a step.
//!
//! An agent with a turn limit walks in the direction of its heading: its velocities lie between two rays from rest,
//! at its greatest turn to either side. Rest is always among them: to go back the agent stops, and turns on the spot.

use crate::half_plane::HalfPlane;
use crate::tuning::SPEED_SLOP;
use cairn2d_geometry::math::{PI, Vec2, cross, left_perp, right_perp, sin_cos};

/// Greatest turn in a step [rad]: beyond it the set of velocities would not be convex.
const MAX_STEP_TURN: f32 = 0.5 * PI;

/// Heading of an agent, and the sine and cosine of its greatest turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading {
    /// Unit vector, or zero before the agent has moved.
    facing: Vec2,
    sin: f32,
    cos: f32,
}

impl Heading {
    /// Returns the heading of an agent that turns by `rate` [rad/s] at most, for `time` seconds; `None` without a
    /// limit.
    pub(crate) fn limited(facing: Vec2, rate: f32, time: f32) -> Option<Self> {
        if rate.is_infinite() {
            return None;
        }
        let (sin, cos) = sin_cos((rate * time).min(MAX_STEP_TURN));
        Some(Self { facing, sin, cos })
    }

    /// Returns the heading in the direction of a vector; undefined for a zero vector.
    pub(crate) fn facing(self, along: &Vec2) -> Self {
        let length = along.norm_squared().sqrt();
        let facing = if length > 0.0 {
            along / length
        } else {
            Vec2::zeros()
        };
        Self { facing, ..self }
    }

    /// Returns the half-planes of reachable directions; none if the heading is undefined.
    pub(crate) fn half_planes(&self) -> Option<[HalfPlane; 2]> {
        let (left, right) = (self.turned(self.sin), self.turned(-self.sin));
        (self.facing != Vec2::zeros()).then(|| {
            [right_perp(&left), left_perp(&right)].map(|normal| HalfPlane::new(normal, 0.0))
        })
    }

    /// Returns the heading after walking at `velocity`; at rest it turns towards `wanted`.
    pub(crate) fn after(&self, velocity: &Vec2, wanted: &Vec2) -> Vec2 {
        let moves = velocity.norm_squared() > SPEED_SLOP * SPEED_SLOP;
        self.towards(if moves { velocity } else { wanted })
    }

    /// Returns the heading after a turn towards a vector, as far as the limit; to the right for the opposite
    /// direction.
    pub(crate) fn towards(&self, to: &Vec2) -> Vec2 {
        let length = to.norm_squared().sqrt();
        if length <= 0.0 {
            return self.facing;
        }
        let to = to / length;
        if self.facing == Vec2::zeros() || self.facing.dot(&to) >= self.cos {
            return to;
        }
        let sin = if cross(&self.facing, &to) > 0.0 {
            self.sin
        } else {
            -self.sin
        };
        let turned = self.turned(sin);
        // Otherwise rounding would accumulate over the steps.
        turned / turned.norm_squared().sqrt()
    }

    fn turned(&self, sin: f32) -> Vec2 {
        self.facing * self.cos + left_perp(&self.facing) * sin
    }
}

/// Returns the greatest speed at which an agent that turns by `rate` at most reaches a place at the offset `offset` on
/// an arc [m/s].
///
/// At a higher speed it would circle the place for a long time.
pub(crate) fn arc_speed(facing: &Vec2, offset: &Vec2, rate: f32) -> f32 {
    let distance = offset.norm_squared().sqrt();
    let across = cross(facing, offset).abs();
    // The sine of the angle to the place; a place behind is reached by half a circle.
    let sin = if facing.dot(offset) > 0.0 {
        across / distance
    } else {
        1.0
    };
    if *facing == Vec2::zeros() || sin <= 0.0 || rate.is_infinite() {
        return f32::INFINITY;
    }
    // The arc's curvature is 2 sin / distance.
    rate * distance / (2.0 * sin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::vec2;

    const EAST: Vec2 = Vec2::new(1.0, 0.0);

    fn heading(rate: f32) -> Heading {
        Heading::limited(EAST, rate, 0.5).unwrap()
    }

    #[test]
    fn it_walks_where_it_can_turn_to() {
        let planes = heading(1.0).half_planes().unwrap();
        for (angle, inside) in [(0.0, true), (0.49, true), (0.51, false), (3.0, false)] {
            for angle in [angle, -angle] {
                let (sin, cos) = sin_cos(angle);
                let kept = planes.iter().all(|p| p.violation(&vec2(cos, sin)) <= 0.0);
                assert_eq!(kept, inside, "{angle}");
            }
        }
        assert!(planes.iter().all(|p| p.violation(&Vec2::zeros()) <= 0.0));
    }

    #[test]
    fn it_turns_as_far_as_it_can_and_not_past_its_aim() {
        let check = |rate, to: Vec2, angle: f32| {
            let (sin, cos) = sin_cos(angle);
            assert!((heading(rate).towards(&to) - vec2(cos, sin)).norm() < 1e-6);
        };
        check(1.0, vec2(0.0, 2.0), 0.5);
        check(1.0, vec2(0.0, -2.0), -0.5);
        check(1.0, vec2(-1.0, 0.0), -0.5);
        check(1.0, vec2(3.0, 0.0), 0.0);
        check(100.0, vec2(-1.0, 1.0), 0.5 * PI);
    }

    #[test]
    fn an_arc_ends_where_it_should() {
        let check = |offset, speed| assert_eq!(arc_speed(&EAST, &offset, 0.5), speed);
        // A quarter and a half of a circle of radius 2, walked at 1 m/s.
        assert!((arc_speed(&EAST, &vec2(2.0, 2.0), 0.5) - 1.0).abs() < 1e-6);
        check(vec2(0.0, 4.0), 1.0);
        check(vec2(3.0, 0.0), f32::INFINITY);
        assert_eq!(arc_speed(&Vec2::zeros(), &EAST, 0.5), f32::INFINITY);
        assert_eq!(arc_speed(&EAST, &-EAST, f32::INFINITY), f32::INFINITY);
    }

    #[test]
    fn without_a_limit_or_a_heading_nothing_holds_it() {
        assert!(Heading::limited(EAST, f32::INFINITY, 0.1).is_none());
        let free = Heading::limited(Vec2::zeros(), 1.0, 0.1).unwrap();
        assert!(free.half_planes().is_none());
        assert_eq!(free.after(&vec2(0.0, -3.0), &EAST), -left_perp(&EAST));
        assert_eq!(free.after(&Vec2::zeros(), &EAST), EAST);
    }
}
