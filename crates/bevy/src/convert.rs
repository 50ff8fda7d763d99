//! Conversions between the vector types of Bevy and of the engine.

use bevy_math::{Quat, Vec2};
use cairn2d::math::{self, Rotation, WorldPoint};

/// Returns the vector as that of the engine.
#[must_use]
pub fn to_engine(v: Vec2) -> cairn2d::Vec2 {
    math::vec2(v.x, v.y)
}

/// Returns the vector of the engine as that of Bevy.
#[must_use]
pub fn to_bevy(v: cairn2d::Vec2) -> Vec2 {
    Vec2::new(v.x, v.y)
}

/// Returns the point as one of a world, which has `f64` coordinates.
#[must_use]
pub fn to_world_point(p: Vec2) -> WorldPoint {
    WorldPoint::from([p.x, p.y])
}

/// Returns the nearest `f32` point.
#[must_use]
pub fn from_world_point(p: WorldPoint) -> Vec2 {
    Vec2::new(p.x as f32, p.y as f32)
}

/// Returns the rotation about z of a planar rotation, from half-angle formulas: square roots give the same bits on
/// every machine.
pub(crate) fn quat_of(rotation: Rotation) -> Quat {
    let (cos, sin) = (rotation.re, rotation.im);
    let half = |x: f32| (0.5 * (1.0 + x)).max(0.0).sqrt();
    let (z, w) = if cos >= 0.0 {
        let w = half(cos);
        (0.5 * sin / w, w)
    } else {
        let z = half(-cos).copysign(sin);
        (z, 0.5 * sin / z)
    };
    Quat::from_xyzw(0.0, 0.0, z, w)
}

/// Returns the angle of the x axis that `rotation` turns, in the plane \[rad\].
pub(crate) fn angle_of(rotation: Quat) -> f32 {
    let [x, y, z, w] = rotation.to_array();
    math::atan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_survive_the_way_through_quaternions() {
        for i in -31..=31 {
            let angle = 0.1 * i as f32;
            let back = angle_of(quat_of(math::rotation(angle)));
            assert!((back - angle).abs() < 1.0e-6, "{angle} became {back}");
        }
        let half_turn = quat_of(math::rotation(math::PI));
        assert!((angle_of(half_turn).abs() - math::PI).abs() < 1.0e-6);
    }
}
