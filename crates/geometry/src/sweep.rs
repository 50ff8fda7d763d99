//! Motion of a body over a step: its center goes straight, its rotation is interpolated.

use crate::double::{DPose, DVec, to_f64};
use crate::math::{Point, Pose, Rotation, Vec2, rotation_from_parts};

/// Motion of a body from fraction 0 to fraction 1 of a step.
///
/// The center moves on a straight line at constant speed. Cosine and sine are interpolated and normalized: no
/// sine is needed, and the turn is exact at both ends. For turns up to 30 degrees its speed is at most 2 %
/// above the mean. Turns of half a revolution or more between start and end are not represented.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sweep {
    /// Center of mass, in the frame of the body \[m\].
    pub local_center: Point,
    /// Center of mass at fraction 0 \[m\].
    pub start: Point,
    /// Center of mass at fraction 1 \[m\].
    pub end: Point,
    /// Rotation at fraction 0.
    pub start_rotation: Rotation,
    /// Rotation at fraction 1.
    pub end_rotation: Rotation,
}

impl Sweep {
    /// Returns the motion that stays at `pose`.
    #[must_use]
    pub fn resting(pose: &Pose) -> Self {
        let at = Point::from(pose.translation.vector);
        Self {
            local_center: Point::origin(),
            start: at,
            end: at,
            start_rotation: pose.rotation,
            end_rotation: pose.rotation,
        }
    }

    /// Returns the motion of the body origin from `start` to `end`.
    #[must_use]
    pub fn between(start: &Pose, end: &Pose) -> Self {
        Self {
            local_center: Point::origin(),
            start: Point::from(start.translation.vector),
            end: Point::from(end.translation.vector),
            start_rotation: start.rotation,
            end_rotation: end.rotation,
        }
    }

    /// Returns the pose of the body at `fraction` of the motion.
    #[must_use]
    pub fn pose_at(&self, fraction: f32) -> Pose {
        let pose = self.precise_pose_at(f64::from(fraction));
        Pose::from_parts(
            Vec2::new(pose.offset.x as f32, pose.offset.y as f32).into(),
            rotation_from_parts(pose.cos as f32, pose.sin as f32),
        )
    }

    /// Returns the pose of the body at `fraction` of the motion in double precision.
    #[inline]
    pub(crate) fn precise_pose_at(&self, fraction: f64) -> DPose {
        DSweep::new(self).pose_at(fraction)
    }
}

/// Sweep in double precision: converted once, for callers that need many poses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DSweep {
    pub(crate) local_center: DVec,
    pub(crate) start: DVec,
    end: DVec,
    pub(crate) start_rotation: DVec,
    pub(crate) end_rotation: DVec,
}

impl DSweep {
    #[inline]
    pub(crate) fn new(sweep: &Sweep) -> Self {
        let turn = |r: &Rotation| DVec::new(r.re.into(), r.im.into());
        Self {
            local_center: to_f64(&sweep.local_center),
            start: to_f64(&sweep.start),
            end: to_f64(&sweep.end),
            start_rotation: turn(&sweep.start_rotation),
            end_rotation: turn(&sweep.end_rotation),
        }
    }

    /// Returns the displacement of the center from start to end.
    #[inline]
    pub(crate) fn step(&self) -> DVec {
        self.end - self.start
    }

    /// Returns the center of mass at `fraction`, with the rotation about it: the map of points measured from
    /// `local_center` to the frame of the sweep.
    #[inline]
    pub(crate) fn turn_at(&self, fraction: f64) -> DPose {
        let keep = 1.0 - fraction;
        let turn = self.start_rotation * keep + self.end_rotation * fraction;
        let norm_sq = turn.norm_squared();
        // Opposite rotations cancel half way: any direction is as good as another.
        let (cos, sin) = if norm_sq > 0.0 {
            let inv = 1.0 / norm_sq.sqrt();
            (turn.x * inv, turn.y * inv)
        } else {
            (1.0, 0.0)
        };
        DPose {
            cos,
            sin,
            offset: self.start * keep + self.end * fraction,
        }
    }

    /// Returns the pose of the body at `fraction` of the motion.
    #[inline]
    pub(crate) fn pose_at(&self, fraction: f64) -> DPose {
        let turn = self.turn_at(fraction);
        DPose {
            offset: turn.offset - turn.rotate(&self.local_center),
            ..turn
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{point, rotation};

    #[test]
    fn ends_are_met_and_the_center_goes_straight() {
        let sweep = Sweep {
            local_center: point(0.5, -0.25),
            start: point(1.0, 2.0),
            end: point(3.0, -2.0),
            start_rotation: rotation(0.3),
            end_rotation: rotation(1.2),
        };
        for (fraction, center) in [(0.0, sweep.start), (0.5, point(2.0, 0.0)), (1.0, sweep.end)] {
            let at = sweep.pose_at(fraction) * sweep.local_center;
            assert!((at - center).norm() < 4.0 * f32::EPSILON);
        }
        let half = sweep.pose_at(0.5).rotation;
        assert!((half.im - rotation(0.75).im).abs() < 2.0 * f32::EPSILON);
    }
}
