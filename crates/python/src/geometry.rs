//! Geometry of shapes in the frame of a body: circles, polygons, capsules, segments, ellipses, half-spaces.

use crate::argument::{Pair, definition, points, snake_case};
use crate::error::{Refusal, finite, refuse};
use crate::record::{pair, record};
use cairn2d::geometry::{ManifoldCache, Sweep, collide, time_of_impact};
use cairn2d::math::{Pose, rotation};
use cairn2d::{Capsule, Circle, Ellipse, HalfSpace, Point, Polygon, Segment, Shape};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Geometry of a shape: immutable, and usable for any number of shapes and queries.
#[pyclass(frozen, module = "cairn2d._native")]
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    pub(crate) shape: Shape,
}

impl<S: Into<Shape>> From<S> for Geometry {
    fn from(shape: S) -> Self {
        Self {
            shape: shape.into(),
        }
    }
}

#[pymethods]
impl Geometry {
    /// Circle of `radius` [m] about `center` [m].
    #[staticmethod]
    #[pyo3(signature = (radius, center = Pair([0.0, 0.0])))]
    fn circle(radius: f32, center: Pair) -> PyResult<Self> {
        let circle = Circle::try_new(center.point(), radius).map_err(refuse)?;
        Ok(circle.into())
    }

    /// Rectangle of `half_width` and `half_height` [m], turned by `angle` [rad] about its `center` [m]; `radius` [m] rounds
    /// the corners of a rectangle at the origin and angle 0.
    #[staticmethod]
    #[pyo3(signature = (half_width, half_height, center = Pair([0.0, 0.0]), angle = 0.0, radius = 0.0))]
    fn rectangle(
        half_width: f32,
        half_height: f32,
        center: Pair,
        angle: f32,
        radius: f32,
    ) -> PyResult<Self> {
        let is_centered = center.0 == [0.0, 0.0] && angle == 0.0;
        let polygon = match (radius == 0.0, is_centered) {
            (true, true) => Polygon::try_rectangle(half_width, half_height),
            (true, false) => {
                Polygon::try_offset_rectangle(half_width, half_height, center.point(), angle)
            }
            (false, true) => Polygon::try_rounded_rectangle(half_width, half_height, radius),
            (false, false) => {
                let message = format!(
                    "radius is {radius}: a rounded rectangle has its center at the origin and angle 0"
                );
                return Err(refuse(Refusal::argument("radius", message)));
            }
        };
        Ok(polygon.map_err(refuse)?.into())
    }

    /// Convex hull of `vertices`, an array (n, 2) [m], grown by `radius` [m].
    #[staticmethod]
    #[pyo3(signature = (vertices, radius = 0.0))]
    fn polygon(vertices: &Bound<'_, PyAny>, radius: f32) -> PyResult<Self> {
        let vertices = points("vertices", vertices)?;
        let polygon = Polygon::try_rounded_hull(&vertices, radius).map_err(refuse)?;
        Ok(polygon.into())
    }

    /// All points within `radius` [m] of the segment from `a` to `b` [m].
    #[staticmethod]
    fn capsule(a: Pair, b: Pair, radius: f32) -> PyResult<Self> {
        let capsule = Capsule::try_new(a.point(), b.point(), radius).map_err(refuse)?;
        Ok(capsule.into())
    }

    /// Line from `a` to `b` [m], solid from both sides, without mass.
    #[staticmethod]
    fn segment(a: Pair, b: Pair) -> PyResult<Self> {
        let segment = Segment::try_new(a.point(), b.point()).map_err(refuse)?;
        Ok(segment.into())
    }

    /// Ellipse of the half axes `rx` and `ry` [m], turned by `angle` [rad] about its `center` [m].
    #[staticmethod]
    #[pyo3(signature = (rx, ry, center = Pair([0.0, 0.0]), angle = 0.0))]
    fn ellipse(rx: f32, ry: f32, center: Pair, angle: f32) -> PyResult<Self> {
        let ellipse = Ellipse::try_new(center.point(), rx, ry, angle).map_err(refuse)?;
        Ok(ellipse.into())
    }

    /// All points behind the line through `point` [m] across `outward`, the direction out of the solid: ground or a wall
    /// without end, for static and kinematic bodies.
    #[staticmethod]
    #[pyo3(signature = (point = Pair([0.0, 0.0]), outward = Pair([0.0, 1.0])))]
    fn half_space(point: Pair, outward: Pair) -> PyResult<Self> {
        let outward = outward.point().coords;
        let half_space = HalfSpace::try_new(point.point(), outward).map_err(refuse)?;
        Ok(half_space.into())
    }

    /// Kind: "circle", "capsule", "segment", "polygon", "ellipse", "half_space" or "chain_segment".
    #[getter]
    const fn kind(&self) -> &'static str {
        match self.shape {
            Shape::Circle(_) => "circle",
            Shape::Capsule(_) => "capsule",
            Shape::Segment(_) => "segment",
            Shape::Polygon(_) => "polygon",
            Shape::Ellipse(_) => "ellipse",
            Shape::HalfSpace(_) => "half_space",
            Shape::ChainSegment(_) => "chain_segment",
            _ => "other",
        }
    }

    /// Corners, counter-clockwise, as an array (n, 2) [m]: the center of a circle or ellipse, the ends of a line or capsule,
    /// the point of a half-space.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let rows: Vec<Vec<f32>> = corners(&self.shape)
            .iter()
            .map(|p| vec![p.x, p.y])
            .collect();
        PyArray2::from_vec2(py, &rows).map_err(PyErr::from)
    }

    /// Radius of a circle, or of the rounding of other shapes [m].
    #[getter]
    fn radius(&self) -> f32 {
        self.shape.radius()
    }

    /// Mass [kg], center [m] and inertia about the center [kg m^2] at `density` [kg/m^2].
    fn mass<'py>(&self, py: Python<'py>, density: f32) -> PyResult<Bound<'py, PyAny>> {
        finite("density", density.into()).map_err(refuse)?;
        let mass = self.shape.mass(density);
        record(
            py,
            "MassData",
            (mass.mass, pair(mass.center.coords), mass.inertia),
        )
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyAny>,))> {
        let data = pythonize::pythonize(py, &self.shape)?;
        Ok((py.get_type::<Self>().getattr("_of_data")?, (data,)))
    }

    /// Makes the geometry of the data that a pickle holds.
    #[staticmethod]
    fn _of_data(data: &Bound<'_, PyDict>) -> PyResult<Self> {
        Ok(definition::<Shape>(data)?.into())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.shape == other.shape
    }

    fn __repr__(&self) -> String {
        format!("<cairn2d.Geometry {}>", self.kind())
    }
}

/// A placed shape as Python gives it: its geometry, position [m] and angle [rad].
type Placed<'a> = (PyRef<'a, Geometry>, Pair, f32);

/// A moving shape: its geometry, the center of mass in its frame [m], and centers and angles at the start and at the end.
type Moving<'a> = (PyRef<'a, Geometry>, Pair, [Pair; 2], [f32; 2]);

/// A point of a contact in the world: its place [m], separation [m] and feature.
type PointRow = ((f32, f32), f32, u32);

/// Contact of two placed shapes for the `Box2D` module: the normal from A to B, and the points.
#[pyfunction]
#[pyo3(name = "_collide")]
pub(crate) fn collide_placed(
    a: Placed<'_>,
    b: Placed<'_>,
) -> PyResult<((f32, f32), Vec<PointRow>)> {
    let [pose_a, pose_b] = [(a.1, a.2), (b.1, b.2)].map(|(at, angle)| pose(at, angle));
    let (pose_a, pose_b) = (pose_a?, pose_b?);
    let mut cache = ManifoldCache::default();
    let manifold = collide(&a.0.shape, &b.0.shape, &pose_a.inv_mul(&pose_b), &mut cache);
    let points = manifold.points().iter().map(|point| {
        let at = pose_a * point.point;
        (pair(at.coords), point.separation, point.id.0)
    });
    Ok((pair(pose_a.rotation * manifold.normal), points.collect()))
}

/// Whether two moving shapes touch in a part of their motion, for the `Box2D` module: the name of the state, and the fraction.
#[pyfunction]
#[pyo3(name = "_time_of_impact")]
pub(crate) fn impact_of_moving(
    a: Moving<'_>,
    b: Moving<'_>,
    max_fraction: f32,
) -> PyResult<(String, f32)> {
    finite("max_fraction", max_fraction.into()).map_err(refuse)?;
    let (sweep_a, sweep_b) = (sweep(&a)?, sweep(&b)?);
    let impact = time_of_impact(&a.0.shape, &sweep_a, &b.0.shape, &sweep_b, max_fraction);
    Ok((snake_case(&format!("{:?}", impact.state)), impact.fraction))
}

fn pose(position: Pair, angle: f32) -> PyResult<Pose> {
    finite("angle", angle.into()).map_err(refuse)?;
    let offset = position.finite_vec("position")?;
    Ok(Pose::from_parts(offset.into(), rotation(angle)))
}

fn sweep((_, local_center, centers, angles): &Moving<'_>) -> PyResult<Sweep> {
    let poses = [pose(centers[0], angles[0])?, pose(centers[1], angles[1])?];
    let motion = Sweep::between(&poses[0], &poses[1]);
    let local_center = local_center.finite_vec("local_center")?;
    Ok(Sweep {
        local_center: local_center.into(),
        ..motion
    })
}

/// Corners of a shape, without its rounding.
fn corners(shape: &Shape) -> Vec<Point> {
    match shape {
        Shape::Circle(circle) => vec![circle.center()],
        Shape::Capsule(capsule) => vec![capsule.a(), capsule.b()],
        Shape::Segment(segment) => vec![segment.a(), segment.b()],
        Shape::Polygon(polygon) => polygon.vertices().to_vec(),
        Shape::Ellipse(ellipse) => vec![ellipse.center()],
        Shape::HalfSpace(half_space) => vec![half_space.point()],
        Shape::ChainSegment(segment) => vec![segment.a(), segment.b()],
        _ => Vec::new(),
    }
}
