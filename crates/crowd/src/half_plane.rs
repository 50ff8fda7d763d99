//! Half-planes of permitted velocities.

use cairn2d_geometry::math::{Vec2, right_perp};

/// Velocities `v` with `normal . v >= offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfPlane {
    /// Unit vector towards the allowed side.
    pub normal: Vec2,
    /// Speed along the normal at the boundary [m/s].
    pub offset: f32,
}

impl HalfPlane {
    /// Half-plane that every velocity satisfies.
    pub const ALL: Self = Self {
        normal: Vec2::new(1.0, 0.0),
        offset: f32::NEG_INFINITY,
    };

    /// Returns the half-plane of the given unit normal and offset [m/s].
    #[must_use]
    #[inline]
    pub const fn new(normal: Vec2, offset: f32) -> Self {
        Self { normal, offset }
    }

    /// Returns the violation of the half-plane by `velocity` [m/s]; negative inside.
    #[must_use]
    #[inline]
    pub fn violation(&self, velocity: &Vec2) -> f32 {
        self.offset - (self.normal.x * velocity.x + self.normal.y * velocity.y)
    }

    /// Returns the unit direction of the boundary that has the allowed side on its left.
    #[must_use]
    #[inline]
    pub fn direction(&self) -> Vec2 {
        right_perp(&self.normal)
    }

    /// Returns the point of the boundary that is nearest to rest [m/s].
    #[must_use]
    #[inline]
    pub fn foot(&self) -> Vec2 {
        self.normal * self.offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::{left_perp, vec2};

    #[test]
    fn the_allowed_side_is_left_of_the_direction() {
        let plane = HalfPlane::new(vec2(0.6, 0.8), 0.5);
        let inside = plane.foot() + left_perp(&plane.direction());
        assert!((plane.violation(&inside) + 1.0).abs() < 4.0 * f32::EPSILON);
        assert!((plane.violation(&plane.foot())).abs() < 4.0 * f32::EPSILON);
        assert!(plane.violation(&vec2(0.0, 0.0)) > 0.0);
    }
}
