//! Geometry of shapes.

use crate::failure::Failure;
use crate::pointer::{array, fill};
use crate::values::{cairn_vec2, number, points};
use engine::{Capsule, Circle, Ellipse, HalfSpace, Polygon, Segment, Shape, math, pose};
use std::ptr;

/// Kind of a geometry.
pub type cairn_geometry_kind = u32;

/// A disc: center `a`, `radius`.
pub const CAIRN_CIRCLE: cairn_geometry_kind = 0;
/// All points within `radius` of the segment from `a` to `b`.
pub const CAIRN_CAPSULE: cairn_geometry_kind = 1;
/// A line from `a` to `b`, solid from both sides.
pub const CAIRN_SEGMENT: cairn_geometry_kind = 2;
/// The convex hull of `points`, rounded by `radius`.
pub const CAIRN_POLYGON: cairn_geometry_kind = 3;
/// A rectangle: center `a`, half width and half height `b`, rotated by `angle`, rounded by `radius`.
pub const CAIRN_RECTANGLE: cairn_geometry_kind = 4;
/// An ellipse: center `a`, radii `b`, rotated by `angle`.
pub const CAIRN_ELLIPSE: cairn_geometry_kind = 5;
/// All points behind the line through `a` with the outward normal `b`. For static and kinematic bodies.
pub const CAIRN_HALF_SPACE: cairn_geometry_kind = 6;
/// A segment of a chain from `a` to `b`. Only read: chains are made by cairn_shape_create_chain().
pub const CAIRN_CHAIN_SEGMENT: cairn_geometry_kind = 7;

/// Geometry of a shape in the frame of its body. The functions cairn_make_... fill it. All lengths are in meters, angles
/// in radians; fields that the kind does not name are ignored.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cairn_geometry {
    /// Kind of geometry: see cairn_geometry_kind.
    pub kind: cairn_geometry_kind,
    /// Radius, or width of the rounding [m].
    pub radius: f32,
    /// First point [m].
    pub a: cairn_vec2,
    /// Second point, half extents or radii [m]; or a direction.
    pub b: cairn_vec2,
    /// Angle, counter-clockwise [rad].
    pub angle: f32,
    /// Number of `points`.
    pub point_count: u32,
    /// Points of a polygon [m], in any order; those inside the hull are dropped. They belong to the caller and are only read
    /// during calls that get the geometry.
    pub points: *const cairn_vec2,
}

impl cairn_geometry {
    fn new(kind: cairn_geometry_kind, a: cairn_vec2, b: cairn_vec2, radius: f32) -> Self {
        Self {
            kind,
            radius,
            a,
            b,
            angle: 0.0,
            point_count: 0,
            points: ptr::null(),
        }
    }

    /// Returns the shape.
    pub(crate) fn shape(&self) -> Result<Shape, Failure> {
        let (a, b, radius) = (self.a.point(), self.b.point(), self.radius);
        Ok(match self.kind {
            CAIRN_CIRCLE => Circle::try_new(a, radius)?.into(),
            CAIRN_CAPSULE => Capsule::try_new(a, b, radius)?.into(),
            CAIRN_SEGMENT => Segment::try_new(a, b)?.into(),
            CAIRN_POLYGON => {
                let corners = points(array(
                    self.points,
                    self.point_count as usize,
                    "geometry.points",
                )?);
                Polygon::try_rounded_hull(&corners, radius)?.into()
            }
            CAIRN_RECTANGLE => self.rectangle()?,
            CAIRN_ELLIPSE => Ellipse::try_new(a, b.x, b.y, self.angle)?.into(),
            CAIRN_HALF_SPACE => HalfSpace::try_new(a, b.coords)?.into(),
            kind => return Err(Failure::unknown("geometry.kind", kind)),
        })
    }

    fn rectangle(&self) -> Result<Shape, Failure> {
        let (center, half) = (self.a.point(), self.b);
        if self.radius == 0.0 {
            return Ok(Polygon::try_offset_rectangle(half.x, half.y, center, self.angle)?.into());
        }
        let rounded: Shape = Polygon::try_rounded_rectangle(half.x, half.y, self.radius)?.into();
        let angle = number(self.angle, "geometry.angle")?;
        let (x, y) = (
            number(center.x, "geometry.a.x")?,
            number(center.y, "geometry.a.y")?,
        );
        Ok(rounded.try_moved(&pose(x, y, angle))?)
    }
}

/// Writes the description of a shape, and the corners of a polygon into a buffer.
pub(crate) fn describe(
    shape: &Shape,
    buffer: *mut cairn_vec2,
    capacity: usize,
    count: *mut usize,
) -> Result<cairn_geometry, Failure> {
    let none = cairn_vec2::default();
    let corners: &[math::Point] = match shape {
        Shape::Polygon(polygon) => polygon.vertices(),
        _ => &[],
    };
    let corners = corners.iter().map(|&corner| cairn_vec2::from(corner));
    fill(corners, buffer, capacity, count)?;
    Ok(match shape {
        Shape::Circle(circle) => {
            cairn_geometry::new(CAIRN_CIRCLE, circle.center().into(), none, circle.radius())
        }
        Shape::Capsule(capsule) => cairn_geometry::new(
            CAIRN_CAPSULE,
            capsule.a().into(),
            capsule.b().into(),
            capsule.radius(),
        ),
        Shape::Segment(segment) => {
            cairn_geometry::new(CAIRN_SEGMENT, segment.a().into(), segment.b().into(), 0.0)
        }
        Shape::ChainSegment(segment) => cairn_geometry::new(
            CAIRN_CHAIN_SEGMENT,
            segment.a().into(),
            segment.b().into(),
            0.0,
        ),
        Shape::Ellipse(ellipse) => cairn_geometry {
            angle: ellipse.angle(),
            ..cairn_geometry::new(
                CAIRN_ELLIPSE,
                ellipse.center().into(),
                ellipse.radii().into(),
                0.0,
            )
        },
        Shape::HalfSpace(half_space) => cairn_geometry::new(
            CAIRN_HALF_SPACE,
            half_space.point().into(),
            half_space.normal().into(),
            0.0,
        ),
        Shape::Polygon(polygon) => cairn_geometry {
            point_count: polygon.vertices().len() as u32,
            points: buffer,
            ..cairn_geometry::new(CAIRN_POLYGON, none, none, polygon.radius())
        },
        _ => return Err(Failure::state("the geometry is of a kind that C has not")),
    })
}

const fn vector(x: f32, y: f32) -> cairn_vec2 {
    cairn_vec2 { x, y }
}

/// Returns a disc with the center (`x`, `y`) and a radius [m].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_make_circle(x: f32, y: f32, radius: f32) -> cairn_geometry {
    cairn_geometry::new(CAIRN_CIRCLE, vector(x, y), vector(0.0, 0.0), radius)
}

/// Returns a capsule around the segment from (`ax`, `ay`) to (`bx`, `by`) [m].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_make_capsule(
    ax: f32,
    ay: f32,
    bx: f32,
    by: f32,
    radius: f32,
) -> cairn_geometry {
    cairn_geometry::new(CAIRN_CAPSULE, vector(ax, ay), vector(bx, by), radius)
}

/// Returns the segment from (`ax`, `ay`) to (`bx`, `by`) [m].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_make_segment(ax: f32, ay: f32, bx: f32, by: f32) -> cairn_geometry {
    cairn_geometry::new(CAIRN_SEGMENT, vector(ax, ay), vector(bx, by), 0.0)
}

/// Returns a rectangle around the origin, of twice the half width and half height [m].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_make_rectangle(half_width: f32, half_height: f32) -> cairn_geometry {
    cairn_geometry::new(
        CAIRN_RECTANGLE,
        vector(0.0, 0.0),
        vector(half_width, half_height),
        0.0,
    )
}

/// Returns the convex hull of points [m], rounded by `radius`. The points are not copied: they must exist as long as the
/// geometry is used.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_make_polygon(
    points: *const cairn_vec2,
    point_count: u32,
    radius: f32,
) -> cairn_geometry {
    cairn_geometry {
        points,
        point_count,
        ..cairn_geometry::new(CAIRN_POLYGON, vector(0.0, 0.0), vector(0.0, 0.0), radius)
    }
}

/// Returns an ellipse around (`x`, `y`) with radii `rx` and `ry` [m], rotated by `angle` [rad].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_make_ellipse(
    x: f32,
    y: f32,
    rx: f32,
    ry: f32,
    angle: f32,
) -> cairn_geometry {
    cairn_geometry {
        angle,
        ..cairn_geometry::new(CAIRN_ELLIPSE, vector(x, y), vector(rx, ry), 0.0)
    }
}

/// Returns the half-space behind the line through (`x`, `y`) [m] with the outward normal (`nx`, `ny`).
#[unsafe(no_mangle)]
pub extern "C" fn cairn_make_half_space(x: f32, y: f32, nx: f32, ny: f32) -> cairn_geometry {
    cairn_geometry::new(CAIRN_HALF_SPACE, vector(x, y), vector(nx, ny), 0.0)
}
