//! One directed edge of an obstacle, with data of its neighbors in the ring.

use crate::obstacles::obstacle::Obstacle;
use cairn2d_geometry::math::{Vec2, WorldPoint, cross, right_perp};

/// A directed edge, solid on its left.
///
/// Written when an obstacle is added or moves; read by every agent near it. 80 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// Start point [m].
    pub(crate) start: WorldPoint,
    /// From its start to its end [m].
    pub(crate) span: Vec2,
    /// Unit direction.
    pub(crate) direction: Vec2,
    /// Unit direction of the edge before it.
    pub(crate) previous: Vec2,
    /// Unit direction of the edge after it.
    pub(crate) next: Vec2,
    /// Velocity of the material at the start [m/s].
    pub(crate) velocity: Vec2,
    /// Rate of turn of the obstacle [rad/s].
    pub(crate) angular_velocity: f32,
    /// Layers of the obstacle.
    pub(crate) layers: u32,
    /// Share of the change that agents take.
    pub(crate) share: f32,
    /// Whether the corner at the start is convex or straight.
    pub(crate) convex_start: bool,
    /// Whether the corner at the end is convex or straight.
    pub(crate) convex_end: bool,
}

impl Edge {
    /// Appends the edges of `obstacle`.
    pub(crate) fn append(obstacle: &Obstacle, edges: &mut Vec<Self>) {
        let count = obstacle.ring.len();
        let arm = |i: usize| obstacle.arm(i % count);
        let (mut here, mut next) = (arm(0), arm(1));
        let mut previous_direction = (here - arm(count - 1)).normalize();
        let mut direction = (next - here).normalize();
        for i in 0..count {
            let after = arm(i + 2);
            let next_direction = (after - next).normalize();
            edges.push(Self {
                start: obstacle.motion.position + here,
                span: next - here,
                direction,
                previous: previous_direction,
                next: next_direction,
                velocity: obstacle.motion.velocity_at(&here),
                angular_velocity: obstacle.motion.angular_velocity,
                layers: obstacle.layers,
                share: obstacle.share,
                convex_start: cross(&previous_direction, &direction) >= 0.0,
                convex_end: cross(&direction, &next_direction) >= 0.0,
            });
            (here, next) = (next, after);
            (previous_direction, direction) = (direction, next_direction);
        }
    }

    /// Returns the unit normal away from the solid.
    pub(crate) fn outward(&self) -> Vec2 {
        right_perp(&self.direction)
    }

    /// Returns the point of the edge nearest to `from`: its fraction along the edge, and the vector to it from `from`
    /// [m].
    #[inline]
    pub(crate) fn nearest(&self, from: WorldPoint) -> (f32, Vec2) {
        let start = self.start - from;
        let fraction = -start.dot(&self.span) / self.span.norm_squared();
        let fraction = unit(fraction);
        (fraction, start + self.span * fraction)
    }

    /// Returns the velocity of the material at a fraction of the edge [m/s].
    #[inline]
    pub(crate) fn velocity_at(&self, fraction: f32) -> Vec2 {
        let arm = self.span * fraction;
        self.velocity + cairn2d_geometry::math::cross_scalar(self.angular_velocity, &arm)
    }

    /// Returns where the edge ends [m].
    pub(crate) fn end(&self) -> WorldPoint {
        self.start + self.span
    }
}

/// Clamps `fraction` to 0..1; the NaN of a degenerate edge counts as its start.
#[inline]
#[expect(clippy::manual_clamp, reason = "clamp would keep NaN")]
pub(crate) fn unit(fraction: f32) -> f32 {
    fraction.max(0.0).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::obstacles::obstacle::ObstacleDef;
    use cairn2d_geometry::math::{point, vec2};

    fn edges(def: &ObstacleDef) -> Vec<Edge> {
        let mut edges = Vec::new();
        Edge::append(&Obstacle::new(def), &mut edges);
        edges
    }

    #[test]
    fn corners_know_whether_they_stick_out() {
        let l_shape = [(0., 0.), (2., 0.), (2., 1.), (1., 1.), (1., 2.), (0., 2.)];
        let edges = edges(&ObstacleDef::ring(l_shape.map(|(x, y)| point(x, y))));
        let convex: Vec<bool> = edges.iter().map(|e| e.convex_start).collect();
        assert_eq!(convex, [true, true, true, false, true, true]);
        for (i, edge) in edges.iter().enumerate() {
            assert_eq!(edge.convex_end, convex[(i + 1) % convex.len()]);
        }
    }

    #[test]
    fn a_wall_is_solid_from_both_sides() {
        let edges = edges(&ObstacleDef::line([point(0.0, 0.0), point(2.0, 0.0)]));
        assert_eq!(edges.len(), 2);
        assert_eq!(edges[0].outward(), vec2(0.0, -1.0));
        assert_eq!(edges[1].outward(), vec2(0.0, 1.0));
        assert!(edges.iter().all(|e| e.convex_start && e.convex_end));
    }

    #[test]
    fn nearest_points_clamp_to_the_ends() {
        let edges = edges(&ObstacleDef::line([point(0.0, 0.0), point(2.0, 0.0)]));
        let check = |x, fraction, offset: Vec2| {
            assert_eq!(
                edges[0].nearest(WorldPoint::new(x, -1.0)),
                (fraction, offset)
            );
        };
        check(-3.0, 0.0, vec2(3.0, 1.0));
        check(0.5, 0.25, vec2(0.0, 1.0));
        check(5.0, 1.0, vec2(-3.0, 1.0));
    }
}
