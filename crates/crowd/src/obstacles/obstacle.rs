//! Obstacles: outlines that may be static, move, or be removed.

use crate::error::{CrowdError, range, within};
use crate::hash_fields::hash_fields;
use crate::store::agent::{check_point, check_velocity};
use crate::tuning::MAX_MEASURE;
use cairn2d_geometry::math::{Point, Rotation, Vec2, WorldPoint, cross_scalar};

/// The region that the points of an obstacle bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outline {
    /// A ring; counter-clockwise with a solid inside, clockwise with a solid outside (a room).
    #[default]
    Ring,
    /// An open line, a wall from both sides.
    Line,
}

/// Defines an obstacle; a plain struct.
#[derive(Clone, Debug, PartialEq)]
pub struct ObstacleDef {
    /// Corners in the frame of the obstacle [m]; repeated ones are merged.
    pub points: Vec<Point>,
    /// The region that the corners bound.
    pub outline: Outline,
    /// Position of the frame's origin [m].
    pub position: WorldPoint,
    /// Rotation of the frame.
    pub rotation: Rotation,
    /// Velocity of the frame's origin [m/s].
    pub velocity: Vec2,
    /// Rate of turn, counter-clockwise [rad/s].
    pub angular_velocity: f32,
    /// Share of the change that agents take towards it, 0 to 1: 1 for walls and independently moving obstacles. Below
    /// 1 agents rely on the obstacle to yield too, or to be pushed.
    pub share: f32,
    /// Its layers, for the masks of agents.
    pub layers: u32,
}

impl Default for ObstacleDef {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            outline: Outline::Ring,
            position: WorldPoint::ORIGIN,
            rotation: Rotation::identity(),
            velocity: Vec2::zeros(),
            angular_velocity: 0.0,
            share: 1.0,
            layers: 1,
        }
    }
}

impl ObstacleDef {
    /// Returns a ring through `points` [m]: counter-clockwise solid inside, clockwise outside.
    #[must_use]
    pub fn ring(points: impl Into<Vec<Point>>) -> Self {
        Self {
            points: points.into(),
            ..Self::default()
        }
    }

    /// Returns a wall along `points` [m].
    #[must_use]
    pub fn line(points: impl Into<Vec<Point>>) -> Self {
        Self {
            points: points.into(),
            outline: Outline::Line,
            ..Self::default()
        }
    }

    /// Checks every number.
    ///
    /// # Errors
    /// The first field that is not finite or out of range, or too few points.
    pub fn validate(&self) -> Result<(), CrowdError> {
        for p in &self.points {
            within("points.x", p.x.into(), MAX_MEASURE)?;
            within("points.y", p.y.into(), MAX_MEASURE)?;
        }
        let count = distinct(&self.points).len();
        if count < 2 {
            return Err(CrowdError::TooFewPoints { count });
        }
        Motion::from(self).validate()?;
        range("share", self.share.into(), 0.0, 1.0)
    }
}

/// Pose and velocity of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Position of the frame's origin [m].
    pub position: WorldPoint,
    /// Rotation of the frame.
    pub rotation: Rotation,
    /// Velocity of the frame's origin [m/s].
    pub velocity: Vec2,
    /// Rate of turn, counter-clockwise [rad/s].
    pub angular_velocity: f32,
}

hash_fields!(Motion: position rotation velocity angular_velocity);

impl From<&ObstacleDef> for Motion {
    fn from(def: &ObstacleDef) -> Self {
        Self {
            position: def.position,
            rotation: def.rotation,
            velocity: def.velocity,
            angular_velocity: def.angular_velocity,
        }
    }
}

impl Motion {
    /// Checks every number.
    ///
    /// # Errors
    /// The first field that is not finite or too large.
    pub fn validate(&self) -> Result<(), CrowdError> {
        check_point(["position.x", "position.y"], self.position)?;
        within("rotation.cos", self.rotation.re.into(), 2.0)?;
        within("rotation.sin", self.rotation.im.into(), 2.0)?;
        check_velocity(["velocity.x", "velocity.y"], &self.velocity)?;
        within(
            "angular_velocity",
            self.angular_velocity.into(),
            MAX_MEASURE,
        )
    }

    /// Returns the velocity of the obstacle's material at `arm` from its origin [m/s].
    #[must_use]
    pub fn velocity_at(&self, arm: &Vec2) -> Vec2 {
        self.velocity + cross_scalar(self.angular_velocity, arm)
    }

    fn is_still(&self) -> bool {
        self.velocity == Vec2::zeros() && self.angular_velocity == 0.0
    }
}

/// An obstacle of the crowd: its directed ring of corners and its motion.
#[derive(Clone, Debug)]
pub(crate) struct Obstacle {
    /// Corners of a directed ring, solid on its left [m, local]; an open line is traversed there and back.
    pub(crate) ring: Vec<Vec2>,
    pub(crate) motion: Motion,
    pub(crate) share: f32,
    pub(crate) layers: u32,
    /// Whether it was ever moved or given a velocity: it is then in the tree of moving obstacles.
    pub(crate) moves: bool,
}

hash_fields!(Obstacle: ring motion share layers moves);

impl Obstacle {
    /// Returns the obstacle of a checked definition.
    pub(crate) fn new(def: &ObstacleDef) -> Self {
        let mut ring = distinct(&def.points);
        if def.outline == Outline::Ring {
            while ring.len() > 2 && ring.first() == ring.last() {
                ring.pop();
            }
        } else {
            let back: Vec<Vec2> = ring[1..ring.len() - 1].iter().rev().copied().collect();
            ring.extend(back);
        }
        let motion = Motion::from(def);
        Self {
            ring,
            motion,
            share: def.share,
            layers: def.layers,
            moves: !motion.is_still(),
        }
    }

    /// Returns the corner `index` relative to the origin of the frame, turned to the world [m].
    pub(crate) fn arm(&self, index: usize) -> Vec2 {
        self.motion.rotation * self.ring[index]
    }

    /// Returns the greatest speed of any of its corners [m/s].
    pub(crate) fn top_speed(&self) -> f32 {
        let reach = self.ring.iter().map(|p| p.norm()).fold(0.0, f32::max);
        self.motion.velocity.norm() + self.motion.angular_velocity.abs() * reach
    }
}

/// Returns the points without immediate repetitions.
fn distinct(points: &[Point]) -> Vec<Vec2> {
    let mut kept: Vec<Vec2> = Vec::with_capacity(points.len());
    for p in points {
        if kept.last() != Some(&p.coords) {
            kept.push(p.coords);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::{point, vec2};

    #[test]
    fn open_lines_are_walked_there_and_back() {
        let line = [
            point(0.0, 0.0),
            point(1.0, 0.0),
            point(1.0, 0.0),
            point(2.0, 1.0),
        ];
        let obstacle = Obstacle::new(&ObstacleDef::line(line));
        let want = [
            vec2(0.0, 0.0),
            vec2(1.0, 0.0),
            vec2(2.0, 1.0),
            vec2(1.0, 0.0),
        ];
        assert_eq!(obstacle.ring, want);
    }

    #[test]
    fn rings_close_by_themselves() {
        let ring = [
            point(0.0, 0.0),
            point(1.0, 0.0),
            point(0.0, 1.0),
            point(0.0, 0.0),
        ];
        assert_eq!(Obstacle::new(&ObstacleDef::ring(ring)).ring.len(), 3);
    }

    #[test]
    fn too_few_points_are_refused() {
        let error = ObstacleDef::ring([point(1.0, 1.0); 4])
            .validate()
            .unwrap_err();
        assert_eq!(error, CrowdError::TooFewPoints { count: 1 });
        let bad = ObstacleDef::line([point(0.0, 0.0), point(f32::NAN, 1.0)]);
        assert_eq!(
            bad.validate().unwrap_err().to_string(),
            "points.x is NaN, which is not a finite number"
        );
    }
}
