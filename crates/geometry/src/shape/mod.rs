//! The shapes, and one enum for all of them.

mod rounded;
mod ray_cast;
mod inertia;
mod circle;
mod capsule;
mod segment;
mod rectangle;
mod polygon;
mod ellipse;
mod chain;
mod half_space;
mod grid_outlines;
mod area_behind;
mod moved;
#[cfg(feature = "serde")]
mod data;
#[cfg(feature = "serde")]
mod chain_data;

pub use area_behind::ShapeArea;
pub use capsule::Capsule;
pub use chain::{Chain, ChainKind, ChainSegment};
pub use circle::Circle;
pub use ellipse::Ellipse;
pub use half_space::HalfSpace;
pub(crate) use half_space::{part_along, part_in_motion, part_near};
pub use polygon::{INLINE_VERTICES, Polygon};
pub(crate) use ray_cast::circle_entry;
pub(crate) use rectangle::Rectangle;
pub(crate) use rounded::Outline;
pub use rounded::Projection;
pub use segment::Segment;

use ray_cast::{ray_cast_capsule, ray_cast_disk, ray_cast_segment};

use crate::aabb::Aabb;
use crate::error::MAX_COORDINATE;
use crate::mass::MassData;
use crate::math::{Point, Pose, Vec2};
use crate::ray::{Ray, RayHit};
use crate::rounded_hull::RoundedHull;
use crate::state_variants;
use crate::support::{Support, SupportPoint};

impl RoundedHull<'_> {
    /// Returns mass, center and inertia at `density` [kg/m^2], rounding included and exact.
    #[must_use]
    pub fn mass(&self, density: f32) -> MassData {
        inertia::rounded_mass(self.vertices, self.normals, self.radius, density)
    }
}

/// Any shape.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shape {
    /// Disk.
    Circle(Circle),
    /// Rounded segment.
    Capsule(Capsule),
    /// Line, solid from both sides.
    Segment(Segment),
    /// Convex polygon, possibly rounded.
    Polygon(Polygon),
    /// Ellipse.
    Ellipse(Ellipse),
    /// Line, solid from one side, with neighbors.
    ChainSegment(ChainSegment),
    /// Everything behind a line.
    HalfSpace(HalfSpace),
}

state_variants!(Shape {
    Circle(shape) = 0,
    Capsule(shape) = 1,
    Segment(shape) = 2,
    Polygon(shape) = 3,
    Ellipse(shape) = 4,
    ChainSegment(shape) = 5,
    HalfSpace(shape) = 6,
});

/// View of a shape for the algorithms.
pub(crate) enum ShapeView<'a> {
    Hull(RoundedHull<'a>),
    Ellipse(&'a Ellipse),
}

impl Shape {
    #[inline]
    pub(crate) fn view(&self) -> ShapeView<'_> {
        ShapeView::Hull(match self {
            Self::Circle(s) => s.as_hull(),
            Self::Capsule(s) => s.as_hull(),
            Self::Segment(s) => s.as_hull(),
            Self::Polygon(s) => s.as_hull(),
            Self::ChainSegment(s) => s.as_hull(),
            Self::HalfSpace(s) => s.as_hull(),
            Self::Ellipse(s) => return ShapeView::Ellipse(s),
        })
    }

    /// Returns the box around the shape at `pose`, rounded outward: it contains every point of the shape.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        match (self, self.view()) {
            (Self::HalfSpace(s), _) => s.aabb(pose),
            (_, ShapeView::Hull(s)) => s.aabb(pose),
            (_, ShapeView::Ellipse(s)) => s.aabb(pose),
        }
    }

    /// Returns mass, center and inertia at `density` [kg/m^2], exact with rounding; zero for lines and half-spaces.
    #[must_use]
    pub fn mass(&self, density: f32) -> MassData {
        match self {
            Self::HalfSpace(_) => MassData::ZERO,
            Self::Polygon(s) if s.radius() == 0.0 => inertia::polygon_mass(s.vertices(), density),
            _ => match self.view() {
                ShapeView::Hull(s) => s.mass(density),
                ShapeView::Ellipse(s) => s.mass(density),
            },
        }
    }

    /// Returns the first point of the shape on `ray`, both in the frame of the shape.
    ///
    /// Where the ray starts inside or on the surface, fraction and normal are zero. A ray that
    /// touches a round surface hits it, and one along the line of a segment hits its near end. A chain
    /// segment is hit only from its solid side.
    #[must_use]
    #[inline]
    pub fn ray_cast(&self, ray: &Ray) -> Option<RayHit> {
        // Inlined for circles and sharp polygons: the call was a fifth of the time of the fastest.
        match self {
            Self::Circle(s) => ray_cast_disk(&s.center(), s.radius(), ray),
            Self::Polygon(s) if s.radius() == 0.0 => s.as_hull().ray_cast_corners(ray),
            _ => self.ray_cast_others(ray),
        }
    }

    /// Casts a ray at one of the more expensive shapes, out of line.
    fn ray_cast_others(&self, ray: &Ray) -> Option<RayHit> {
        // One arm per kind: dispatch on a view takes half as long again.
        match self {
            Self::Circle(s) => s.as_hull().ray_cast(ray),
            Self::Capsule(s) => ray_cast_capsule([&s.a(), &s.b()], &s.normal(), s.radius(), ray),
            Self::Segment(s) => ray_cast_segment([&s.a(), &s.b()], &s.normal(), ray),
            Self::ChainSegment(s) if ray.translation.dot(&s.normal()) >= 0.0 => None,
            Self::ChainSegment(s) => ray_cast_segment([&s.a(), &s.b()], &s.normal(), ray),
            Self::Polygon(s) if s.radius() > 0.0 => s.as_hull().ray_cast_rounded(ray),
            Self::Polygon(s) => s.as_hull().ray_cast_corners(ray),
            Self::Ellipse(s) => s.ray_cast(ray),
            Self::HalfSpace(s) => s.ray_cast(ray),
        }
    }

    /// Returns `true` if `point` is inside or on the surface.
    #[must_use]
    pub fn contains(&self, point: &Point) -> bool {
        match (self, self.view()) {
            (Self::HalfSpace(s), _) => s.contains(point),
            (_, ShapeView::Hull(s)) => s.contains(point),
            (_, ShapeView::Ellipse(s)) => s.contains(point),
        }
    }

    /// Returns the point of the surface nearest to `point`, which may be inside or outside.
    #[must_use]
    pub fn project(&self, point: &Point) -> Projection {
        match (self, self.view()) {
            (Self::HalfSpace(s), _) => s.project(point),
            (_, ShapeView::Hull(s)) => s.project(point),
            (_, ShapeView::Ellipse(s)) => s.project(point),
        }
    }

    /// Returns the surface point that is farthest along `direction`; of a half-space, up to 1000 km from its point.
    #[must_use]
    pub fn support(&self, direction: &Vec2) -> Point {
        match self.view() {
            ShapeView::Hull(s) => s.support(direction),
            ShapeView::Ellipse(s) => s.support(direction),
        }
    }

    /// Returns the largest distance of the surface from `point` \[m\], or a bound of it for an ellipse.
    #[must_use]
    pub fn extent_about(&self, point: &Point) -> f32 {
        match self.view() {
            ShapeView::Hull(s) => s.extent_about(point),
            ShapeView::Ellipse(s) => s.extent_about(point),
        }
    }

    /// Returns the smallest distance from the middle of the shape to its surface \[m\]; zero for lines.
    #[must_use]
    pub fn min_extent(&self) -> f32 {
        match self {
            Self::Circle(s) => s.radius(),
            Self::Capsule(s) => s.radius(),
            Self::Segment(_) | Self::ChainSegment(_) => 0.0,
            Self::Polygon(s) => -s.as_hull().project(&s.centroid()).separation,
            Self::Ellipse(s) => s.radii().min(),
            Self::HalfSpace(_) => MAX_COORDINATE,
        }
    }

    /// Returns the points of the shape that are `depth` \[m\] or more inside its surface, which form a smaller shape
    /// of the same kind. If there are none, or the smaller shape would have fewer edges, this is the circle about the
    /// center of area with half the [smallest extent](Self::min_extent). A line or half-space stays as it is.
    #[must_use]
    pub fn inset(&self, depth: f32) -> Self {
        let smaller = match self {
            Self::Circle(s) => Circle::try_new(s.center(), s.radius() - depth)
                .ok()
                .map(Self::Circle),
            Self::Capsule(s) => Capsule::try_new(s.a(), s.b(), s.radius() - depth)
                .ok()
                .map(Self::Capsule),
            Self::Polygon(s) => s.inset(depth).map(Self::Polygon),
            Self::Ellipse(s) => {
                let radii = s.radii();
                Ellipse::try_new(s.center(), radii.x - depth, radii.y - depth, s.angle())
                    .ok()
                    .map(Self::Ellipse)
            }
            Self::Segment(_) | Self::ChainSegment(_) | Self::HalfSpace(_) => return self.clone(),
        };
        smaller.unwrap_or_else(|| {
            let center = self.mass(1.0).center;
            Circle::try_new(center, 0.5 * self.min_extent())
                .map_or_else(|_| self.clone(), Self::Circle)
        })
    }

    /// Returns the rounding: the radius of a circle, capsule or rounded polygon, zero for the rest \[m\].
    #[must_use]
    #[inline]
    pub fn radius(&self) -> f32 {
        match self {
            Self::Circle(s) => s.radius(),
            Self::Capsule(s) => s.radius(),
            Self::Polygon(s) => s.radius(),
            Self::Segment(_) | Self::ChainSegment(_) | Self::Ellipse(_) | Self::HalfSpace(_) => 0.0,
        }
    }
}

impl Shape {
    /// Returns the radius of the arc on which the shape rolls where its outward normal is the unit vector `normal` \[m\]: the
    /// radius of curvature of an ellipse, at most its length, since a flatter part is too short to roll on; of other
    /// shapes the [`radius`](Self::radius).
    #[must_use]
    #[inline]
    pub fn rolling_radius(&self, normal: &Vec2) -> f32 {
        match self {
            Self::Ellipse(s) => s.rolling_radius(normal),
            _ => self.radius(),
        }
    }
}

impl Support for Shape {
    #[inline]
    fn core_support(&self, direction: &Vec2) -> SupportPoint {
        match self.view() {
            ShapeView::Hull(s) => s.core_support(direction),
            ShapeView::Ellipse(s) => s.core_support(direction),
        }
    }

    #[inline]
    fn core_support_near(&self, direction: &Vec2, index: u16) -> SupportPoint {
        match self.view() {
            ShapeView::Hull(s) => Outline(s).core_support_near(direction, index),
            ShapeView::Ellipse(s) => s.core_support(direction),
        }
    }

    #[inline]
    fn core_vertex(&self, index: u16) -> Point {
        match self.view() {
            ShapeView::Hull(s) => s.core_vertex(index),
            ShapeView::Ellipse(s) => s.core_vertex(index),
        }
    }

    #[inline]
    fn rounding(&self) -> f32 {
        self.radius()
    }

    #[inline]
    fn as_rounded_hull(&self) -> Option<RoundedHull<'_>> {
        match self.view() {
            ShapeView::Hull(hull) => Some(hull),
            ShapeView::Ellipse(_) => None,
        }
    }

    #[inline]
    fn as_half_space(&self) -> Option<(Point, Vec2)> {
        match self {
            Self::HalfSpace(s) => Some((s.point(), s.normal())),
            _ => None,
        }
    }
}

impl From<Circle> for Shape {
    fn from(shape: Circle) -> Self {
        Self::Circle(shape)
    }
}

impl From<Capsule> for Shape {
    fn from(shape: Capsule) -> Self {
        Self::Capsule(shape)
    }
}

impl From<Segment> for Shape {
    fn from(shape: Segment) -> Self {
        Self::Segment(shape)
    }
}

impl From<Polygon> for Shape {
    fn from(shape: Polygon) -> Self {
        Self::Polygon(shape)
    }
}

impl From<Ellipse> for Shape {
    fn from(shape: Ellipse) -> Self {
        Self::Ellipse(shape)
    }
}

impl From<ChainSegment> for Shape {
    fn from(shape: ChainSegment) -> Self {
        Self::ChainSegment(shape)
    }
}

impl From<HalfSpace> for Shape {
    fn from(shape: HalfSpace) -> Self {
        Self::HalfSpace(shape)
    }
}
