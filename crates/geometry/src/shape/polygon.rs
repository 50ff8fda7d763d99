//! Convex polygon of any number of vertices, with optional rounding.

use super::inertia::rounded_mass;
use super::rectangle::Rectangle;
use super::rounded::edge_normals;
use crate::error::{
    ShapeError, bounded, bounded_points, demand, large_enough, not_negative, positive,
};
use crate::hull::convex_hull;
use crate::math::{PI, Point, Vec2, rotation, sin_cos};
use crate::rounded_hull::RoundedHull;
use crate::state_record;
use crate::vector_input::{IntoPoint, points_of};
use smallvec::SmallVec;

/// Vertices that a polygon holds without an allocation. Most shapes of a world are boxes: with 8, each took 64 bytes more, a
/// tenth of a body with a box.
pub const INLINE_VERTICES: usize = 4;

/// Convex polygon, grown by a rounding radius.
///
/// Vertices are counter-clockwise and turn strictly left at each corner.
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "super::data::PolygonData",
        into = "super::data::PolygonData"
    )
)]
pub struct Polygon {
    pub(super) vertices: SmallVec<[Point; INLINE_VERTICES]>,
    pub(super) normals: SmallVec<[Vec2; INLINE_VERTICES]>,
    pub(super) centroid: Point,
    pub(super) radius: f32,
    pub(super) rectangle: Option<Rectangle>,
}

state_record!(
    Polygon {
        vertices,
        normals,
        centroid,
        radius,
        rectangle,
    },
    is_valid
);

/// Copies the corners as a block, not one by one as their lists would.
impl Clone for Polygon {
    #[inline]
    fn clone(&self) -> Self {
        Self {
            vertices: SmallVec::from_slice(&self.vertices),
            normals: SmallVec::from_slice(&self.normals),
            ..*self
        }
    }
}

impl Polygon {
    /// Returns `true` if the parts, read from a save, can be those of a shape.
    pub(super) fn is_valid(&self) -> bool {
        self.vertices.len() >= 3
            && self.as_hull().is_valid()
            && self
                .rectangle
                .is_none_or(|rectangle| rectangle.has_corners(&self.vertices))
    }

    /// Creates the convex hull of `points`, in any order; points inside and on edges are dropped.
    ///
    /// The hull of a concave outline therefore has fewer corners; use [`convex_pieces`](crate::convex_pieces) to
    /// decompose such an outline.
    ///
    /// # Panics
    /// If a number is invalid; [`try_hull`](Self::try_hull) returns the error instead.
    #[doc(alias("b2ComputeHull", "b2MakePolygon", "convex_hull"))]
    #[doc(alias("PolygonCollider2D", "ConvexPolygonShape2D"))]
    #[must_use]
    #[track_caller]
    pub fn hull(points: &[impl IntoPoint]) -> Self {
        demand(Self::try_hull(&points_of(points)), "create the polygon")
    }

    /// Creates the convex hull of `points`, in any order; points inside and on edges are dropped.
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, and points that enclose no area or hardly any.
    pub fn try_hull(points: &[Point]) -> Result<Self, ShapeError> {
        Self::try_rounded_hull(points, 0.0)
    }

    /// Creates the convex hull of `points`, grown by `radius` \[m\] on all sides.
    ///
    /// # Panics
    /// If a number is invalid; [`try_rounded_hull`](Self::try_rounded_hull) returns the error instead.
    #[doc(alias = "round_convex_hull")]
    #[must_use]
    #[track_caller]
    pub fn rounded_hull(points: &[impl IntoPoint], radius: f32) -> Self {
        let points = points_of(points);
        demand(
            Self::try_rounded_hull(&points, radius),
            "create the polygon",
        )
    }

    /// Creates the convex hull of `points`, grown by `radius` \[m\] on all sides.
    ///
    /// # Errors
    /// Refuses the same as [`try_hull`](Self::try_hull), and a negative radius.
    pub fn try_rounded_hull(points: &[Point], radius: f32) -> Result<Self, ShapeError> {
        let radius = not_negative("radius", radius)?;
        bounded_points(points)?;
        let corners = convex_hull(points);
        if corners.len() < 3 {
            return Err(match points.len() {
                count @ 0..=2 => ShapeError::TooFewPoints { count, least: 3 },
                count => ShapeError::NoArea { count },
            });
        }
        let most = usize::from(u16::MAX);
        if corners.len() > most {
            return Err(ShapeError::TooManyPoints {
                count: corners.len(),
                most,
            });
        }
        let polygon = Self::from_corners(SmallVec::from_slice(&corners), radius);
        large_enough("width", polygon.core_width())?;
        Ok(polygon)
    }

    /// Creates the rectangle about the origin with the given half width and half height \[m\].
    ///
    /// # Panics
    /// If a number is invalid; [`try_rectangle`](Self::try_rectangle) returns the error instead.
    #[doc(alias("b2MakeBox", "cuboid", "BoxCollider2D"))]
    #[doc(alias("RectangleShape2D", "SetAsBox"))]
    #[must_use]
    #[track_caller]
    pub fn rectangle(half_width: f32, half_height: f32) -> Self {
        demand(
            Self::try_rectangle(half_width, half_height),
            "create the rectangle",
        )
    }

    /// Creates the rectangle about the origin with the given half width and half height \[m\].
    ///
    /// # Errors
    /// Refuses numbers that are not finite, too large, or not greater than zero.
    pub fn try_rectangle(half_width: f32, half_height: f32) -> Result<Self, ShapeError> {
        Self::try_rounded_rectangle(half_width, half_height, 0.0)
    }

    /// Creates a rectangle with half width and half height \[m\] about `center`, turned by `angle`
    /// \[rad\].
    ///
    /// # Panics
    /// If a number is invalid; [`try_offset_rectangle`](Self::try_offset_rectangle) returns the error instead.
    #[doc(alias = "b2MakeOffsetBox")]
    #[must_use]
    #[track_caller]
    pub fn offset_rectangle(
        half_width: f32,
        half_height: f32,
        center: impl IntoPoint,
        angle: f32,
    ) -> Self {
        let center = center.into_point();
        demand(
            Self::try_offset_rectangle(half_width, half_height, center, angle),
            "create the rectangle",
        )
    }

    /// Creates a rectangle with half width and half height \[m\] about `center`, turned by `angle`
    /// \[rad\].
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, and sizes that are not greater than zero.
    pub fn try_offset_rectangle(
        half_width: f32,
        half_height: f32,
        center: Point,
        angle: f32,
    ) -> Result<Self, ShapeError> {
        bounded_points(&[center])?;
        let turn = rotation(bounded("angle", angle)?);
        let upright = Self::try_rectangle(half_width, half_height)?;
        let corners: SmallVec<_> = upright
            .vertices
            .iter()
            .map(|v| center + turn * v.coords)
            .collect();
        bounded_points(&corners)?;
        // Far from the origin a small rectangle may collapse by rounding.
        if convex_hull(&corners).len() != 4 {
            return Err(ShapeError::NoArea { count: 4 });
        }
        let half = Vec2::new(half_width, half_height);
        let rectangle = Rectangle {
            center,
            axis: Vec2::new(turn.re, turn.im),
            half,
        };
        Ok(Self {
            rectangle: Some(rectangle),
            ..Self::from_corners(corners, 0.0)
        })
    }

    /// Creates the rectangle about the origin with half width and half height \[m\], grown by `radius`
    /// \[m\].
    ///
    /// # Panics
    /// If a number is invalid; [`try_rounded_rectangle`](Self::try_rounded_rectangle) returns the error instead.
    #[doc(alias("b2MakeRoundedBox", "round_cuboid"))]
    #[must_use]
    #[track_caller]
    pub fn rounded_rectangle(half_width: f32, half_height: f32, radius: f32) -> Self {
        demand(
            Self::try_rounded_rectangle(half_width, half_height, radius),
            "create the rectangle",
        )
    }

    /// Creates the rectangle about the origin with half width and half height \[m\], grown by `radius`
    /// \[m\].
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, half sizes that are not greater than zero, and a
    /// negative radius.
    pub fn try_rounded_rectangle(
        half_width: f32,
        half_height: f32,
        radius: f32,
    ) -> Result<Self, ShapeError> {
        let x = positive("half width", half_width)?;
        let y = positive("half height", half_height)?;
        let radius = not_negative("radius", radius)?;
        let corners = [
            Point::new(-x, -y),
            Point::new(x, -y),
            Point::new(x, y),
            Point::new(-x, y),
        ];
        let half = Vec2::new(x, y);
        let rectangle = Rectangle {
            center: Point::origin(),
            axis: Vec2::x(),
            half,
        };
        let polygon = Self::from_corners(SmallVec::from_slice(&corners), radius);
        Ok(Self {
            rectangle: Some(rectangle),
            ..polygon
        })
    }

    /// Creates the regular polygon of `count` vertices at distance `circumradius` \[m\] from the
    /// origin, the first on the x axis.
    ///
    /// # Panics
    /// If a number is invalid; [`try_regular`](Self::try_regular) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn regular(count: usize, circumradius: f32) -> Self {
        demand(Self::try_regular(count, circumradius), "create the polygon")
    }

    /// Creates the regular polygon of `count` vertices at distance `circumradius` \[m\] from the
    /// origin, the first on the x axis.
    ///
    /// # Errors
    /// Refuses fewer than 3 vertices, and a radius that is not finite, too large or not greater than zero.
    pub fn try_regular(count: usize, circumradius: f32) -> Result<Self, ShapeError> {
        let radius = positive("circumradius", circumradius)?;
        if count < 3 {
            return Err(ShapeError::TooFewPoints { count, least: 3 });
        }
        let most = usize::from(u16::MAX);
        if count > most {
            return Err(ShapeError::TooManyPoints { count, most });
        }
        let corners: Vec<Point> = (0..count)
            .map(|i| {
                let (sin, cos) = sin_cos(2.0 * PI * (i as f32) / (count as f32));
                Point::new(radius * cos, radius * sin)
            })
            .collect();
        Self::try_hull(&corners)
    }

    /// Takes corners that are known to be counter-clockwise and strictly convex.
    fn from_corners(vertices: SmallVec<[Point; INLINE_VERTICES]>, radius: f32) -> Self {
        let normals: SmallVec<_> = edge_normals(&vertices).collect();
        let centroid = rounded_mass(&vertices, &normals, 0.0, 1.0).center;
        Self {
            vertices,
            normals,
            centroid,
            radius,
            rectangle: None,
        }
    }

    /// Returns twice the area over the perimeter: the least width of the core within a factor of 2.
    fn core_width(&self) -> f32 {
        let area = rounded_mass(&self.vertices, &self.normals, 0.0, 1.0).mass;
        let count = self.vertices.len();
        let perimeter: f32 = (0..count)
            .map(|i| (self.vertices[(i + 1) % count] - self.vertices[i]).norm())
            .sum();
        2.0 * area / perimeter
    }

    /// Returns the corners, counter-clockwise, before rounding \[m\].
    #[must_use]
    #[inline]
    pub fn vertices(&self) -> &[Point] {
        &self.vertices
    }

    /// Returns the outward unit normals; number `i` belongs to the edge from vertex `i` to the next.
    #[must_use]
    #[inline]
    pub fn normals(&self) -> &[Vec2] {
        &self.normals
    }

    /// Returns the center of area of the polygon before rounding \[m\].
    #[must_use]
    #[inline]
    pub const fn centroid(&self) -> Point {
        self.centroid
    }

    /// Returns the rounding radius \[m\].
    #[must_use]
    #[inline]
    pub const fn radius(&self) -> f32 {
        self.radius
    }

    /// Returns the polygon with its surface moved inward by `depth` \[m\], or `None` if an edge vanishes.
    pub(crate) fn inset(&self, depth: f32) -> Option<Self> {
        if depth <= self.radius {
            return Some(Self {
                radius: self.radius - depth,
                rectangle: None,
                ..self.clone()
            });
        }
        let count = self.vertices.len();
        let shift = depth - self.radius;
        let vertices: SmallVec<[Point; INLINE_VERTICES]> = (0..count)
            .map(|i| {
                // Intersection of the two edges that end here, moved along their normals.
                let (into, out) = (self.normals[(i + count - 1) % count], self.normals[i]);
                self.vertices[i] - (into + out) * (shift / (1.0 + into.dot(&out)))
            })
            .collect();
        let keeps_direction = (0..count).all(|i| {
            let next = (i + 1) % count;
            (vertices[next] - vertices[i]).dot(&(self.vertices[next] - self.vertices[i])) > 0.0
        });
        keeps_direction.then(|| Self {
            vertices,
            normals: self.normals.clone(),
            centroid: self.centroid,
            radius: 0.0,
            rectangle: None,
        })
    }

    /// Returns frame and size, if the polygon was made as a rectangle.
    #[inline]
    pub(crate) const fn as_rectangle(&self) -> Option<&Rectangle> {
        self.rectangle.as_ref()
    }

    /// Returns the polygon as a rounded hull.
    #[must_use]
    #[inline]
    pub fn as_hull(&self) -> RoundedHull<'_> {
        RoundedHull {
            vertices: &self.vertices,
            normals: &self.normals,
            radius: self.radius,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::point;

    #[test]
    fn a_rectangle_belongs_to_its_corners() {
        let made = [
            Polygon::rectangle(0.3, 7.0),
            Polygon::rounded_rectangle(1.0e-3, 2.0, 0.1),
            Polygon::offset_rectangle(0.2, 0.5, point(900.0, -40.0), 2.0),
        ];
        for polygon in made {
            assert!(polygon.is_valid());
            let damages: [fn(&mut Rectangle); 5] = [
                |r| r.axis = Vec2::new(1.0e-41, 0.97),
                |r| r.axis = -r.axis,
                |r| r.half = -r.half,
                |r| r.half.y *= 2.0,
                |r| r.center.x += 5.0,
            ];
            for damage in damages {
                let mut damaged = polygon.clone();
                damage(damaged.rectangle.as_mut().unwrap());
                assert!(!damaged.is_valid(), "{damaged:?}");
            }
        }
    }

    #[test]
    fn inset_moves_every_edge_inward_by_the_depth() {
        let shape = Polygon::regular(5, 1.0);
        let smaller = shape.inset(0.1).expect("no edge vanishes");
        for (i, normal) in shape.normals().iter().enumerate() {
            let moved = (smaller.vertices()[i] - shape.vertices()[i]).dot(normal);
            assert!((moved + 0.1).abs() < 1.0e-6, "edge {i}: {moved}");
        }
    }

    #[test]
    fn inset_takes_from_the_rounding_first() {
        let shape = Polygon::rounded_rectangle(1.0, 0.5, 0.2);
        let smaller = shape.inset(0.15).expect("the rounding suffices");
        assert_eq!(smaller.vertices(), shape.vertices());
        assert!((smaller.radius() - 0.05).abs() < 1.0e-6);
    }

    #[test]
    fn inset_that_loses_an_edge_is_none() {
        let corners = [
            (-1.0, -1.0),
            (1.0, -1.0),
            (1.0, 1.0),
            (-0.99, 1.0),
            (-1.0, 0.99),
        ];
        let points = corners.map(|(x, y)| point(x, y));
        let shape = Polygon::hull(&points);
        assert!(shape.inset(0.005).is_some());
        assert!(shape.inset(0.5).is_none());
    }
}
