//! Velocity obstacles of edges, and the half-plane that avoids them.
//!
//! Relative to the edge, the velocity obstacle is a truncated wedge: from the origin, tangent to the edge inflated by
//! the agent's radius, cut off by that inflated edge divided by the horizon. For an oblique view both legs start at one
//! corner. A leg that points into the adjacent edge is marked foreign, since that edge adds its own half-plane
//! [vdBerg11, sec. 4.3].

use crate::half_plane::HalfPlane;
use crate::obstacles::edge::Edge;
use cairn2d_geometry::math::{Vec2, WorldPoint, cross, left_perp, right_perp};

/// An edge relative to an agent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) edge: &'a Edge,
    /// From the agent's center to the nearest point of the edge [m].
    pub(crate) nearest: Vec2,
    /// Fraction of that point along the edge, 0 to 1.
    pub(crate) fraction: f32,
    /// Velocity of the edge's material there [m/s].
    pub(crate) velocity: Vec2,
}

/// A corner at which a leg starts.
#[derive(Clone, Copy)]
struct Corner {
    /// From the agent's center [m].
    at: Vec2,
    convex: bool,
}

/// A leg of the wedge: unit direction away from the origin.
#[derive(Clone, Copy)]
struct ObstacleLeg {
    direction: Vec2,
    foreign: bool,
}

/// The velocity obstacle of the edge.
struct Wedge {
    left: Vec2,
    right: Vec2,
    left_leg: ObstacleLeg,
    right_leg: ObstacleLeg,
    /// Radius over horizon [m/s].
    thickness: f32,
}

impl<'a> View<'a> {
    /// Returns the view of `edge` from an agent at `from`.
    #[cfg(test)]
    pub(crate) fn new(edge: &'a Edge, from: WorldPoint) -> Self {
        let (fraction, nearest) = edge.nearest(from);
        Self::at(edge, fraction, nearest)
    }

    /// Returns the view of `edge` with a known nearest point.
    pub(crate) fn at(edge: &'a Edge, fraction: f32, nearest: Vec2) -> Self {
        Self {
            edge,
            nearest,
            fraction,
            velocity: edge.velocity_at(fraction),
        }
    }

    /// Returns whether these half-planes already exclude the velocity obstacle of this edge.
    ///
    /// They do if one of them has both ends of the inflated, scaled edge on its forbidden side.
    pub(crate) fn is_covered(
        &self,
        planes: &[HalfPlane],
        from: WorldPoint,
        radius: f32,
        horizon: f32,
    ) -> bool {
        let rate = 1.0 / horizon;
        let ends = [self.edge.start - from, self.edge.end() - from];
        let ends = ends.map(|end| end * rate + self.velocity);
        planes
            .iter()
            .any(|plane| ends.iter().all(|end| plane.violation(end) >= radius * rate))
    }

    /// Returns the half-plane that is free of collision with the edge within `horizon` [s].
    ///
    /// `None` if the edge adds nothing: in contact (the contact half-plane is used then), seen past a corner that is
    /// not convex, or where the adjacent edge is nearer.
    pub(crate) fn half_plane(
        &self,
        from: WorldPoint,
        velocity: &Vec2,
        radius: f32,
        horizon: f32,
    ) -> Option<HalfPlane> {
        if self.nearest.norm_squared() <= radius * radius {
            return None;
        }
        let wedge = self.wedge(from, radius, horizon)?;
        let relative = velocity - self.velocity;
        let (normal, at_rest) = wedge.border(&relative, &self.edge.direction)?;
        let change = at_rest - normal.dot(&relative);
        Some(HalfPlane::new(
            normal,
            normal.dot(velocity) + self.edge.share * change,
        ))
    }

    fn wedge(&self, from: WorldPoint, radius: f32, horizon: f32) -> Option<Wedge> {
        let edge = self.edge;
        let start = Corner {
            at: edge.start - from,
            convex: edge.convex_start,
        };
        let end = Corner {
            at: edge.end() - from,
            convex: edge.convex_end,
        };
        let line_distance = cross(&edge.direction, &start.at).abs();
        let oblique = line_distance <= radius && (self.fraction <= 0.0 || self.fraction >= 1.0);
        let (left, right) = match (oblique, self.fraction <= 0.0) {
            (false, _) => (start, end),
            (true, true) => (start, start),
            (true, false) => (end, end),
        };
        if oblique && !left.convex {
            return None;
        }
        // The edge before the left corner and the edge after the right one.
        let before = if oblique && self.fraction >= 1.0 {
            edge.direction
        } else {
            edge.previous
        };
        let after = if oblique && self.fraction <= 0.0 {
            edge.direction
        } else {
            edge.next
        };
        let rate = 1.0 / horizon;
        Some(Wedge {
            left: left.at * rate,
            right: right.at * rate,
            left_leg: leg(&left, -edge.direction, -before, radius, 1.0),
            right_leg: leg(&right, edge.direction, after, radius, -1.0),
            thickness: radius * rate,
        })
    }
}

/// Returns the tangent at a convex corner, or the extended edge at another one; `side` as in [`tangent`].
///
/// `extension` is the direction of the edge past the corner, `adjacent` that of the adjacent edge, both away from the edge.
fn leg(corner: &Corner, extension: Vec2, adjacent: Vec2, radius: f32, side: f32) -> ObstacleLeg {
    let tangent = tangent(&corner.at, radius, side);
    let foreign = corner.convex && side * cross(&tangent, &adjacent) >= 0.0;
    let direction = match (corner.convex, foreign) {
        (false, _) => extension,
        (true, true) => adjacent,
        (true, false) => tangent,
    };
    ObstacleLeg { direction, foreign }
}

/// Returns the unit direction from the origin tangent to the disc around `center`; `side` 1 for the
/// left tangent, -1 for the right one.
fn tangent(center: &Vec2, radius: f32, side: f32) -> Vec2 {
    let distance_sq = center.norm_squared();
    let length_sq = distance_sq - radius * radius;
    if length_sq <= 0.0 {
        // Rounding: the point was outside by another formula.
        return left_perp(center) * (side / distance_sq.sqrt());
    }
    (center * length_sq.sqrt() + left_perp(center) * (side * radius)) / distance_sq
}

impl Wedge {
    /// Returns the normal of the boundary nearest to `velocity`, and the speed along it there.
    fn border(&self, velocity: &Vec2, edge: &Vec2) -> Option<(Vec2, f32)> {
        let span = self.right - self.left;
        let single = self.left == self.right;
        let (from_left, from_right) = (velocity - self.left, velocity - self.right);
        let along = if single {
            0.5
        } else {
            from_left.dot(&span) / span.norm_squared()
        };
        let past_left = from_left.dot(&self.left_leg.direction);
        let past_right = from_right.dot(&self.right_leg.direction);
        if (along < 0.0 && past_left < 0.0) || (single && past_left < 0.0 && past_right < 0.0) {
            return self.around(&self.left, &from_left);
        }
        if along > 1.0 && past_right < 0.0 {
            return self.around(&self.right, &from_right);
        }
        let between = !single && (0.0..=1.0).contains(&along);
        let to_tip = if between {
            (from_left - span * along).norm_squared()
        } else {
            f32::INFINITY
        };
        let to_left = distance_sq(&from_left, &self.left_leg, past_left);
        let to_right = distance_sq(&from_right, &self.right_leg, past_right);
        let (normal, at, foreign) = if to_tip <= to_left && to_tip <= to_right {
            (right_perp(edge), self.left, false)
        } else if to_left <= to_right {
            (
                left_perp(&self.left_leg.direction),
                self.left,
                self.left_leg.foreign,
            )
        } else {
            (
                right_perp(&self.right_leg.direction),
                self.right,
                self.right_leg.foreign,
            )
        };
        if foreign {
            None
        } else {
            Some((normal, normal.dot(&at) + self.thickness))
        }
    }

    /// Returns the boundary on the disc around an end of the scaled edge.
    fn around(&self, end: &Vec2, away: &Vec2) -> Option<(Vec2, f32)> {
        let normal = away.try_normalize(0.0)?;
        Some((normal, normal.dot(end) + self.thickness))
    }
}

/// Returns the squared distance to the line of a leg, infinite before its start.
fn distance_sq(from_start: &Vec2, leg: &ObstacleLeg, along: f32) -> f32 {
    if along < 0.0 {
        f32::INFINITY
    } else {
        (from_start - leg.direction * along).norm_squared()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_are_units_on_the_disc_too() {
        for radius in [0.5_f32, 0.999, 1.0, 1.000_1, 1.01] {
            for side in [1.0, -1.0] {
                let direction = tangent(&vec2(0.6, -0.8), radius, side);
                assert!((direction.norm() - 1.0).abs() < 1.0e-6, "{radius}");
            }
        }
    }
    use crate::obstacles::obstacle::{Obstacle, ObstacleDef};
    use cairn2d_geometry::math::{point, vec2};
    use proptest::prelude::*;

    fn wall_from(a: (f32, f32), b: (f32, f32)) -> Vec<Edge> {
        let mut edges = Vec::new();
        let def = ObstacleDef::line([point(a.0, a.1), point(b.0, b.1)]);
        Edge::append(&Obstacle::new(&def), &mut edges);
        edges
    }

    /// Least distance between the moving center and the segment over the horizon, sampled.
    fn clearance(edge: &Edge, velocity: &Vec2, horizon: f32) -> f32 {
        const SAMPLES: usize = 400;
        (0..=SAMPLES)
            .map(|i| {
                let time = horizon * i as f32 / SAMPLES as f32;
                edge.nearest(WorldPoint::ORIGIN + velocity * time).1.norm()
            })
            .fold(f32::INFINITY, f32::min)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        /// No velocity of the half-plane reaches the wall within the horizon, and the border is
        /// tight: the border velocity nearest to the present one grazes the wall.
        #[test]
        fn half_planes_avoid_the_sampled_velocity_obstacle(
            x in -4.0f32..4.0, y in 1.0f32..6.0, dx in 0.5f32..6.0, dy in -3.0f32..3.0,
            vx in -2.0f32..2.0, vy in -2.0f32..2.0, horizon in 0.5f32..5.0,
        ) {
            let radius = 0.5;
            let edges = wall_from((x, y), (x + dx, y + dy));
            let facing = edges.iter().find(|e| cross(&e.direction, &-(e.start - WorldPoint::ORIGIN)) <= 0.0);
            let edge = facing.unwrap();
            let view = View::new(edge, WorldPoint::ORIGIN);
            prop_assume!(view.nearest.norm() > 1.05 * radius);
            let velocity = vec2(vx, vy);
            let plane = view.half_plane(WorldPoint::ORIGIN, &velocity, radius, horizon);
            let plane = plane.expect("a wall that stands alone hides no leg");
            prop_assert!(plane.violation(&vec2(0.0, 0.0)) <= 1e-5, "standing is always allowed");
            for i in 0..16 {
                let along = plane.direction() * (i as f32 - 8.0) * 0.3;
                let allowed = plane.foot() + along + plane.normal * 1e-3;
                prop_assert!(clearance(edge, &allowed, horizon) > radius - 2e-2);
            }
            let border = velocity + plane.normal * plane.violation(&velocity);
            let inside = border - plane.normal * 0.05;
            prop_assert!(clearance(edge, &inside, horizon) < radius + 2e-2);
        }
    }

    #[test]
    fn a_wall_straight_ahead_limits_the_approach() {
        let edges = wall_from((-5.0, 4.0), (5.0, 4.0));
        let edge = edges.iter().find(|e| e.outward().y < 0.0).unwrap();
        let view = View::new(edge, WorldPoint::ORIGIN);
        let plane = view
            .half_plane(WorldPoint::ORIGIN, &vec2(0.0, 1.9), 1.0, 2.0)
            .unwrap();
        assert_eq!(plane.normal, vec2(0.0, -1.0));
        assert!((plane.offset + 1.5).abs() < 1e-6);
    }

    #[test]
    fn a_far_side_of_an_earlier_half_plane_is_covered() {
        let edges = wall_from((-1.0, 4.0), (1.0, 4.0));
        let view = View::new(&edges[0], WorldPoint::ORIGIN);
        let nearer = HalfPlane::new(vec2(0.0, -1.0), -1.0);
        let farther = HalfPlane::new(vec2(0.0, -1.0), -1.9);
        let is_covered = |plane| view.is_covered(&[plane], WorldPoint::ORIGIN, 0.5, 2.0);
        assert!(is_covered(nearer));
        assert!(!is_covered(farther));
    }

    #[test]
    fn the_corner_of_a_block_gives_one_leg_and_hides_the_other() {
        // Walking up past the right side of a block: its lower edge sees the agent obliquely.
        let mut edges = Vec::new();
        let block = [(-2., 2.), (0., 2.), (0., 4.), (-2., 4.)].map(|(x, y)| point(x, y));
        Edge::append(&Obstacle::new(&ObstacleDef::ring(block)), &mut edges);
        let from = WorldPoint::new(0.4, 0.0);
        let planes: Vec<HalfPlane> = edges[..2]
            .iter()
            .filter_map(|e| View::new(e, from).half_plane(from, &vec2(0.0, 1.5), 0.5, 3.0))
            .collect();
        assert!(!planes.is_empty());
        assert!(
            planes.iter().all(|p| p.violation(&vec2(0.0, 1.5)) > 0.0),
            "{planes:?}"
        );
        assert!(
            planes.iter().all(|p| p.violation(&vec2(1.0, 1.5)) < 0.0),
            "{planes:?}"
        );
    }
}
