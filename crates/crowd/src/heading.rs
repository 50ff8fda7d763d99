//! Where an agent faces, and how far it can turn in a step.
//!
//! An agent with a limit walks the way it faces: its velocities lie between two rays from rest, as far to either
//! side as it can turn. Rest is always among them; who wants to go back stops, and turns on the spot.

use crate::half_plane::HalfPlane;
use crate::tuning::SPEED_SLOP;
use cairn2d_geometry::math::{PI, Vec2, cross, left_perp, right_perp, sin_cos};

/// Farthest turn in a step [rad]: with more, velocities would not be convex.
const MAX_STEP_TURN: f32 = 0.5 * PI;

/// Where an agent faces, and the sine and cosine of the angle it can turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Heading {
    /// Unit vector, or zero for one that faces nowhere yet.
    facing: Vec2,
    sin: f32,
    cos: f32,
}

impl Heading {
    /// Returns the heading of an agent that turns by `rate` [rad/s] at most, for `time` seconds; `None` without
    /// a limit.
    pub(crate) fn limited(facing: Vec2, rate: f32, time: f32) -> Option<Self> {
        if rate.is_infinite() {
            return None;
        }
        let (sin, cos) = sin_cos((rate * time).min(MAX_STEP_TURN));
        Some(Self { facing, sin, cos })
    }

    /// Returns the same, facing along a vector; nowhere if that is zero.
    pub(crate) fn facing(self, along: &Vec2) -> Self {
        let length = along.norm_squared().sqrt();
        let facing = if length > 0.0 {
            along / length
        } else {
            Vec2::zeros()
        };
        Self { facing, ..self }
    }

    /// Returns the half-planes of velocities that it can turn to; none for one that faces nowhere.
    pub(crate) fn half_planes(&self) -> Option<[HalfPlane; 2]> {
        let (left, right) = (self.turned(self.sin), self.turned(-self.sin));
        (self.facing != Vec2::zeros()).then(|| {
            [right_perp(&left), left_perp(&right)].map(|normal| HalfPlane::new(normal, 0.0))
        })
    }

    /// Returns where it faces after walking at `velocity`; at rest it turns towards `wanted`.
    pub(crate) fn after(&self, velocity: &Vec2, wanted: &Vec2) -> Vec2 {
        let moves = velocity.norm_squared() > SPEED_SLOP * SPEED_SLOP;
        self.towards(if moves { velocity } else { wanted })
    }

    /// Returns where it faces after turning towards a vector as far as it can; straight back, to the right.
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
        // Else rounding would add up over the steps.
        turned / turned.norm_squared().sqrt()
    }

    fn turned(&self, sin: f32) -> Vec2 {
        self.facing * self.cos + left_perp(&self.facing) * sin
    }
}

/// Returns the speed at which an agent that turns by `rate` at most gets on an arc from where it faces to a place `way`
/// from it [m/s].
///
/// Faster, and it would circle the place for a long time.
pub(crate) fn arc_speed(facing: &Vec2, way: &Vec2, rate: f32) -> f32 {
    let distance = way.norm_squared().sqrt();
    let across = cross(facing, way).abs();
    // The sine of the angle to the place; what lies behind is passed by half a circle.
    let sin = if facing.dot(way) > 0.0 {
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
        let check = |way, speed| assert_eq!(arc_speed(&EAST, &way, 0.5), speed);
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
