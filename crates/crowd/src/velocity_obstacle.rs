//! Velocity obstacles of two agents, and the half-plane that avoids them.
//!
//! In the frame of A, B is at `offset`; velocities are relative, A's minus B's. The relative velocities that bring
//! the centers closer than the sum of the radii `R` within the horizon `tau` fill a truncated cone: from the origin,
//! tangent to the disc of radius `R` around `offset`, cut off by the disc of radius `R / tau` around `offset / tau`.
//! ORCA moves the relative velocity to the nearest point of its boundary, and each of the two takes its share of the
//! change [vdBerg11, sec. 4].

use crate::agent::Model;
use crate::half_plane::HalfPlane;
use crate::separation::Recovery;
use crate::tuning::LEFT_LEG_SINE;
use cairn2d_geometry::math::{Vec2, cross, left_perp};

/// An encounter of agents A and B, relative to A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encounter {
    /// From A's center to B's [m].
    pub(crate) offset: Vec2,
    /// A's velocity minus B's [m/s].
    pub(crate) relative_velocity: Vec2,
    /// A's velocity [m/s].
    pub(crate) velocity: Vec2,
    /// Sum of the radii [m].
    pub(crate) radius: f32,
    /// Share of A, 0 to 1.
    pub(crate) share: f32,
}

/// Nearest boundary of the velocity obstacle.
#[derive(Clone, Copy, Debug)]
struct Border {
    /// Unit normal, out of the velocity obstacle.
    normal: Vec2,
    /// Distance from the relative velocity to the boundary along the normal [m/s]; positive inside.
    change: f32,
}

/// A leg of the cone, as seen from A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leg {
    Left,
    Right,
}

impl Encounter {
    /// Returns the half-plane of A, free of collision within `horizon` [s]; overlaps have none here (see
    /// [`Self::opening_plane`]).
    pub(crate) fn half_plane(
        &self,
        model: Model,
        wanted: &Vec2,
        horizon: f32,
    ) -> Option<HalfPlane> {
        let distance_sq = self.offset.norm_squared();
        if distance_sq <= self.radius * self.radius {
            return None;
        }
        Some(match model {
            Model::Orca => self.orca(distance_sq, horizon),
            Model::VelocityObstacle => {
                self.cone(distance_sq, self.side(&self.relative_velocity), 1.0)
            }
            Model::Reciprocal => {
                self.cone(distance_sq, self.side(&self.relative_velocity), self.share)
            }
            Model::Hybrid => self.hybrid(distance_sq, wanted),
        })
    }

    /// Half-plane of ORCA: the nearest boundary, moved by the share of A.
    fn orca(&self, distance_sq: f32, horizon: f32) -> HalfPlane {
        let rate = 1.0 / horizon;
        let from_disc = self.relative_velocity - self.offset * rate;
        let speed_sq = from_disc.norm_squared();
        let along = from_disc.dot(&self.offset);
        let before_tip = along < 0.0 && along * along > self.radius * self.radius * speed_sq;
        let border = if before_tip {
            let speed = speed_sq.sqrt();
            Border {
                normal: from_disc / speed,
                change: self.radius * rate - speed,
            }
        } else {
            self.leg(distance_sq, self.side(&from_disc))
        };
        self.keep(&border, self.share)
    }

    /// Returns the half-plane that resolves an overlap; `towards` is the unit vector to the other.
    pub(crate) fn opening_plane(
        &self,
        towards: &Vec2,
        distance: f32,
        recovery: &Recovery,
    ) -> HalfPlane {
        let away = -towards;
        let speed = recovery.opening_speed(self.radius - distance);
        let change = speed - away.dot(&self.relative_velocity);
        let border = Border {
            normal: away,
            change,
        };
        self.keep(&border, self.share)
    }

    /// Returns the half-plane of a boundary of which A takes `share`.
    fn keep(&self, border: &Border, share: f32) -> HalfPlane {
        let offset = border.normal.dot(&self.velocity) + share * border.change;
        HalfPlane::new(border.normal, offset)
    }

    /// Returns the leg nearer to a velocity relative to the cone's axis; the right one for head-on velocities.
    fn side(&self, velocity: &Vec2) -> Leg {
        let speed = velocity.norm_squared().sqrt();
        let distance = self.offset.norm_squared().sqrt();
        if cross(&self.offset, velocity) > LEFT_LEG_SINE * (speed * distance) {
            Leg::Left
        } else {
            Leg::Right
        }
    }

    /// Returns the boundary on a leg of the cone.
    ///
    /// The normal of the left leg is `(-R p + l perp(p)) / |p|^2` with `l` the length of the
    /// tangent; the right one is its mirror image.
    fn leg(&self, distance_sq: f32, leg: Leg) -> Border {
        let tangent = (distance_sq - self.radius * self.radius).sqrt() / distance_sq;
        let signed = if leg == Leg::Left { tangent } else { -tangent };
        let sine = self.radius / distance_sq;
        let normal = left_perp(&self.offset) * signed - self.offset * sine;
        Border {
            normal,
            change: -normal.dot(&self.relative_velocity),
        }
    }

    /// Half-plane of one leg of the cone without truncation, its apex moved so that A takes `share`.
    fn cone(&self, distance_sq: f32, leg: Leg, share: f32) -> HalfPlane {
        self.keep(&self.leg(distance_sq, leg), share)
    }

    /// The reciprocal leg on the side of passing, the full one on the other side: the one that the preferred velocity
    /// violates less.
    fn hybrid(&self, distance_sq: f32, wanted: &Vec2) -> HalfPlane {
        let (here, there) = match self.side(&self.relative_velocity) {
            Leg::Left => (Leg::Left, Leg::Right),
            Leg::Right => (Leg::Right, Leg::Left),
        };
        let under_way = self.cone(distance_sq, here, self.share);
        let other = self.cone(distance_sq, there, 1.0);
        if under_way.violation(wanted) <= other.violation(wanted) {
            under_way
        } else {
            other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::{sin_cos, vec2};
    use proptest::prelude::*;

    /// Returns whether the relative velocity brings the discs together within the horizon: by the
    /// closest approach, not by any tangent.
    fn collides(offset: &Vec2, velocity: &Vec2, radius: f32, horizon: f32) -> bool {
        let (p, v) = (offset.cast::<f64>(), velocity.cast::<f64>());
        let time = (p.dot(&v) / v.norm_squared().max(1e-30)).clamp(0.0, horizon.into());
        (p - v * time).norm() < radius.into()
    }

    fn encounter() -> impl Strategy<Value = Encounter> {
        (
            -9.0f32..9.0,
            0.1f32..3.0,
            1.02f32..8.0,
            -3.0f32..3.0,
            -3.0f32..3.0,
        )
            .prop_map(|(angle, radius, far, x, y)| {
                let (sin, cos) = sin_cos(angle);
                let offset = vec2(cos, sin) * (radius * far);
                let relative_velocity = vec2(x, y);
                Encounter {
                    offset,
                    relative_velocity,
                    velocity: vec2(y, -x),
                    radius,
                    share: 0.5,
                }
            })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// The border point lies on the border: a little inside collides, a little outside not,
        /// and no nearer velocity changes from one to the other.
        #[test]
        fn the_orca_border_is_the_nearest_of_the_sampled_velocity_obstacle(
            e in encounter(), horizon in 0.3f32..8.0,
        ) {
            let full = Encounter { share: 1.0, ..e };
            let plane = full.orca(e.offset.norm_squared(), horizon);
            let change = plane.violation(&e.velocity);
            let inside = collides(&e.offset, &e.relative_velocity, e.radius, horizon);
            let scale = 1.0 + e.relative_velocity.norm();
            let slop = 2e-3 * scale;
            if change.abs() > slop {
                prop_assert_eq!(change > 0.0, inside);
            }
            // Samples nearer than the border are all on one side.
            for i in 0..64 {
                let (sin, cos) = sin_cos(i as f32 * 0.0982);
                let near = e.relative_velocity + vec2(cos, sin) * (change.abs() - slop).max(0.0);
                prop_assert_eq!(collides(&e.offset, &near, e.radius, horizon), inside);
            }
            let past = change + if inside { slop } else { -slop };
            let beyond = e.relative_velocity + plane.normal * past;
            prop_assert_eq!(collides(&e.offset, &beyond, e.radius, horizon), !inside);
        }

        /// Two agents that both keep their half-planes are together outside the velocity obstacle.
        #[test]
        fn shares_of_two_agents_add_up(e in encounter(), weight in 0.0f32..1.0) {
            let a = Encounter { share: weight, ..e };
            let b = Encounter {
                offset: -e.offset,
                relative_velocity: -e.relative_velocity,
                velocity: e.velocity - e.relative_velocity,
                radius: e.radius,
                share: 1.0 - weight,
            };
            let d = e.offset.norm_squared();
            let (pa, pb) = (a.orca(d, 2.0), b.orca(d, 2.0));
            let full = Encounter { share: 1.0, ..e }.orca(d, 2.0).violation(&e.velocity);
            let sum = pa.violation(&a.velocity) + pb.violation(&b.velocity);
            // Tangent points slide along a leg when the axis is hit within rounding.
            if cross(&e.offset, &(e.relative_velocity - e.offset * 0.5)).abs() > 1e-3 {
                prop_assert!((pa.normal + pb.normal).norm() < 1e-3);
                prop_assert!((sum - full).abs() < 1e-3 * (1.0 + full.abs()));
            }
        }

        /// The leg of the plain velocity obstacle is the limit of ORCA for a long horizon.
        #[test]
        fn cones_are_orca_without_the_cut_off(e in encounter()) {
            let full = Encounter { share: 1.0, ..e };
            let d = e.offset.norm_squared();
            let cone = full.half_plane(Model::VelocityObstacle, &e.velocity, 1.0).unwrap();
            let long = full.orca(d, 1.0e6);
            if cross(&e.offset, &e.relative_velocity).abs() > 1e-2 && e.relative_velocity.dot(&e.offset) > 0.0 {
                prop_assert!((cone.normal - long.normal).norm() < 1e-3);
                prop_assert!((cone.offset - long.offset).abs() < 1e-3);
            }
        }
    }

    #[test]
    fn overlapping_agents_have_no_velocity_obstacle() {
        let e = Encounter {
            offset: vec2(0.5, 0.0),
            relative_velocity: vec2(1.0, 0.0),
            velocity: vec2(1.0, 0.0),
            radius: 1.0,
            share: 0.5,
        };
        assert_eq!(e.half_plane(Model::Orca, &e.velocity, 1.0), None);
    }
}
