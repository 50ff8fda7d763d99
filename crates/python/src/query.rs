//! Queries: rays, shape casts, overlaps and nearest shapes.

use crate::argument::{Pair, finite_number, matrix};
use crate::body::body_kind;
use crate::error::{Refusal, refuse};
use crate::geometry::Geometry;
use crate::handle::World;
use crate::handle::{Body, Shape, borrow};
use crate::record::{pair, place, record};
use cairn2d::{
    Aabb, BodyKind, BodyKinds, Nearest, QueryFilter, RayQuery, Sensors, ShapeHit, ShapeId, Vec2,
    WorldPoint,
};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};

/// Filter of a query, as keyword arguments.
struct FilterArguments<'py> {
    filter: QueryFilter<'static>,
    accept: Option<Bound<'py, PyAny>>,
}

impl<'py> FilterArguments<'py> {
    fn new(world: &Bound<'py, World>, fields: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        let mut filter = QueryFilter::default();
        let mut accept = None;
        for (name, value) in fields.iter().flat_map(|fields| fields.iter()) {
            match name.extract::<String>()?.as_str() {
                "category" => filter.category = value.extract()?,
                "mask" => filter.mask = value.extract()?,
                "sensors" => {
                    filter.sensors = if value.extract()? {
                        Sensors::Included
                    } else {
                        Sensors::Ignored
                    }
                }
                "kinds" => filter.kinds = body_kinds(&value.extract::<Vec<String>>()?)?,
                "exclude" => {
                    let body = value.cast::<Body>().map_err(PyErr::from)?;
                    filter.exclude = Some(body.get().id_in(world, "exclude")?);
                }
                "accept" if value.is_callable() => accept = Some(value),
                other => {
                    return Err(refuse(Refusal::argument(
                        other,
                        format!("a query has no argument {other:?} of this type"),
                    )));
                }
            }
        }
        Ok(Self { filter, accept })
    }

    /// Makes a query with the filter. An exception of the predicate is raised after it.
    fn query<T>(
        &self,
        world: &Bound<'py, World>,
        query: impl FnOnce(&cairn2d::World, QueryFilter<'_>) -> T,
    ) -> PyResult<T> {
        let guard = borrow(world)?;
        let Some(accept) = &self.accept else {
            return Ok(query(&guard.world, self.filter));
        };
        let raised = Mutex::new(None);
        let (accept, handle) = (accept.clone().unbind(), world.clone().unbind());
        let predicate = |id: ShapeId| {
            Python::attach(|py| {
                let shape = Shape::new(handle.bind(py), id);
                let answer = accept
                    .bind(py)
                    .call1((shape,))
                    .and_then(|answer| answer.is_truthy());
                answer.unwrap_or_else(|error| {
                    *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                    false
                })
            })
        };
        let answer = query(&guard.world, self.filter.accept(&predicate));
        match raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(answer),
        }
    }
}

/// Returns the set of the kinds of these names.
pub(crate) fn body_kinds(names: &[String]) -> PyResult<BodyKinds> {
    let mut kinds = BodyKinds {
        fixed: false,
        kinematic: false,
        dynamic: false,
    };
    for name in names {
        match body_kind(name)? {
            BodyKind::Static => kinds.fixed = true,
            BodyKind::Kinematic => kinds.kinematic = true,
            BodyKind::Dynamic => kinds.dynamic = true,
        }
    }
    Ok(kinds)
}

fn hit_record<'py>(world: &Bound<'py, World>, hit: &ShapeHit) -> PyResult<Bound<'py, PyAny>> {
    let (shape, body) = (Shape::new(world, hit.shape), Body::new(world, hit.body));
    record(
        world.py(),
        "ShapeHit",
        (
            shape,
            body,
            hit.fraction,
            place(hit.point),
            pair(hit.normal),
        ),
    )
}

fn nearest_record<'py>(world: &Bound<'py, World>, near: &Nearest) -> PyResult<Bound<'py, PyAny>> {
    let (shape, body) = (Shape::new(world, near.shape), Body::new(world, near.body));
    record(
        world.py(),
        "Nearest",
        (
            shape,
            body,
            place(near.point),
            near.distance,
            pair(near.normal),
        ),
    )
}

fn shape_handles(world: &Bound<'_, World>, ids: Vec<ShapeId>) -> Vec<Shape> {
    ids.into_iter().map(|id| Shape::new(world, id)).collect()
}

/// A hit of a ray: shape id, x, y, normal x, normal y, fraction.
type RayRow = (u64, f64, f64, f32, f32, f32);

/// Answers of many rays: shapes, fractions (n,), points (n, 2), normals (n, 2).
type RayAnswers<'py> = (
    Vec<Option<Shape>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f32>>,
);

/// Queries. Filters are keyword arguments: `category`, `mask`, `sensors` (whether they are found), `kinds` (of bodies),
/// `exclude` (a body), `accept` (a function of a shape).
#[pymethods]
impl World {
    /// Nearest hit of a ray from `origin` along `translation` [m], a `ShapeHit`, or `None`.
    #[pyo3(signature = (origin, translation, **filter))]
    fn ray_cast<'py>(
        slf: &Bound<'py, Self>,
        origin: Pair,
        translation: Pair,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (origin, along) = (
            origin.finite_place("origin")?,
            translation.finite_vec("translation")?,
        );
        let filter = FilterArguments::new(slf, filter)?;
        let hit = filter.query(slf, |world, filter| world.ray_cast(origin, along, filter))?;
        hit.map(|hit| hit_record(slf, &hit)).transpose()
    }

    /// All hits of a ray from `origin` along `translation` [m], one for each shape, in order of fraction.
    #[pyo3(signature = (origin, translation, **filter))]
    fn ray_cast_all<'py>(
        slf: &Bound<'py, Self>,
        origin: Pair,
        translation: Pair,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let (origin, along) = (
            origin.finite_place("origin")?,
            translation.finite_vec("translation")?,
        );
        let filter = FilterArguments::new(slf, filter)?;
        let hits = filter.query(slf, |world, filter| {
            world.ray_cast_all(origin, along, filter)
        })?;
        hits.iter().map(|hit| hit_record(slf, hit)).collect()
    }

    /// All hits of a ray, sensors included, as tuples of shape id, x, y, normal x, normal y and fraction: for the `Box2D`
    /// module.
    fn _ray_hits(slf: &Bound<'_, Self>, origin: Pair, translation: Pair) -> PyResult<Vec<RayRow>> {
        let (origin, along) = (
            origin.finite_place("origin")?,
            translation.finite_vec("translation")?,
        );
        let filter = QueryFilter::default().sensors(Sensors::Included);
        let hits = borrow(slf)?.world.ray_cast_all(origin, along, filter);
        let row = |hit: &ShapeHit| {
            (
                hit.shape.to_bits(),
                hit.point.x,
                hit.point.y,
                hit.normal.x,
                hit.normal.y,
                hit.fraction,
            )
        };
        Ok(hits.iter().map(row).collect())
    }

    /// Nearest hits of many rays, from `origins` (n, 2) along `translations` (n, 2) [m]: shapes, fractions (n,), points
    /// (n, 2) and normals (n, 2). A ray without a hit has `None`, fraction 1, its end and a zero normal.
    #[pyo3(signature = (origins, translations, **filter))]
    fn ray_casts<'py>(
        slf: &Bound<'py, Self>,
        origins: &Bound<'py, PyAny>,
        translations: &Bound<'py, PyAny>,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<RayAnswers<'py>> {
        let py = slf.py();
        let origins = matrix("origins", origins, None, 2)?;
        let rows = origins.as_slice()?.len() / 2;
        let translations = matrix("translations", translations, Some(rows), 2)?;
        let pairs = origins
            .as_slice()?
            .chunks_exact(2)
            .zip(translations.as_slice()?.chunks_exact(2));
        let rays: Vec<RayQuery> = pairs
            .map(|(from, along)| {
                RayQuery::new(
                    WorldPoint::new(from[0], from[1]),
                    Vec2::new(along[0] as f32, along[1] as f32),
                )
            })
            .collect();
        let filter = FilterArguments::new(slf, filter)?;
        let hits = filter.query(slf, |world, filter| world.ray_casts(&rays, filter))?;
        let places = hits
            .iter()
            .zip(&rays)
            .map(|(hit, ray)| hit.map_or(ray.origin + ray.translation, |hit| hit.point));
        let points: Vec<Vec<f64>> = places.map(|point| vec![point.x, point.y]).collect();
        let normals = hits
            .iter()
            .map(|hit| hit.map_or(Vec2::zeros(), |hit| hit.normal));
        let normals: Vec<Vec<f32>> = normals.map(|normal| vec![normal.x, normal.y]).collect();
        let shapes = hits
            .iter()
            .map(|hit| hit.map(|hit| Shape::new(slf, hit.shape)))
            .collect();
        let fractions = PyArray1::from_iter(
            py,
            hits.iter().map(|hit| hit.map_or(1.0, |hit| hit.fraction)),
        );
        Ok((
            shapes,
            fractions,
            rows_array(py, &points, 2)?,
            rows_array(py, &normals, 2)?,
        ))
    }

    /// First shape that `geometry` touches on its way from `position` along `translation` [m], at `angle` [rad].
    #[pyo3(signature = (geometry, position, translation, angle = 0.0, **filter))]
    fn shape_cast<'py>(
        slf: &Bound<'py, Self>,
        geometry: &Geometry,
        position: Pair,
        translation: Pair,
        angle: f32,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (position, along) = (
            position.finite_place("position")?,
            translation.finite_vec("translation")?,
        );
        let angle = finite_number("angle", angle)?;
        let filter = FilterArguments::new(slf, filter)?;
        let cast = |world: &cairn2d::World, filter: QueryFilter<'_>| {
            world.shape_cast(&geometry.shape, position, angle, along, filter)
        };
        filter
            .query(slf, cast)?
            .map(|hit| hit_record(slf, &hit))
            .transpose()
    }

    /// Shapes that touch or overlap `geometry` at `position` [m] and `angle` [rad].
    #[pyo3(signature = (geometry, position = Pair([0.0, 0.0]), angle = 0.0, **filter))]
    fn overlap_shape<'py>(
        slf: &Bound<'py, Self>,
        geometry: &Geometry,
        position: Pair,
        angle: f32,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Shape>> {
        let (position, angle) = (
            position.finite_place("position")?,
            finite_number("angle", angle)?,
        );
        let filter = FilterArguments::new(slf, filter)?;
        let overlap = |world: &cairn2d::World, filter: QueryFilter<'_>| {
            world.overlap_shape(&geometry.shape, position, angle, filter)
        };
        Ok(shape_handles(slf, filter.query(slf, overlap)?))
    }

    /// Shapes that contain `point` [m].
    #[pyo3(signature = (point, **filter))]
    fn shapes_at<'py>(
        slf: &Bound<'py, Self>,
        point: Pair,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Shape>> {
        let point = point.finite_place("point")?;
        let filter = FilterArguments::new(slf, filter)?;
        Ok(shape_handles(
            slf,
            filter.query(slf, |world, filter| world.shapes_at(point, filter))?,
        ))
    }

    /// Shapes that touch or overlap the box from `lower` to `upper` [m].
    #[pyo3(signature = (lower, upper, **filter))]
    fn shapes_in<'py>(
        slf: &Bound<'py, Self>,
        lower: Pair,
        upper: Pair,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Shape>> {
        let (low, high) = (lower.finite_vec("lower")?, upper.finite_vec("upper")?);
        if low.x > high.x || low.y > high.y {
            return Err(refuse(Refusal::argument(
                "lower",
                format!("lower is {:?}, which is above upper", lower.0),
            )));
        }
        let area = Aabb {
            min: low.into(),
            max: high.into(),
        };
        let filter = FilterArguments::new(slf, filter)?;
        Ok(shape_handles(
            slf,
            filter.query(slf, |world, filter| world.shapes_in(&area, filter))?,
        ))
    }

    /// Nearest surface within `max_distance` [m] of `point` [m], a `Nearest`, or `None`.
    #[pyo3(signature = (point, max_distance, **filter))]
    fn closest_shape<'py>(
        slf: &Bound<'py, Self>,
        point: Pair,
        max_distance: f32,
        filter: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let point = point.finite_place("point")?;
        if max_distance.is_nan() || max_distance < 0.0 {
            let message = format!("max_distance is {max_distance}, which is not a distance");
            return Err(refuse(Refusal::argument("max_distance", message)));
        }
        let filter = FilterArguments::new(slf, filter)?;
        let nearest = filter.query(slf, |world, filter| {
            world.closest_shape(point, max_distance, filter)
        })?;
        nearest.map(|near| nearest_record(slf, &near)).transpose()
    }
}

/// Makes an array of rows, also of none.
pub(crate) fn rows_array<'py, T: numpy::Element>(
    py: Python<'py>,
    rows: &[Vec<T>],
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    if rows.is_empty() {
        return Ok(PyArray2::zeros(py, [0, columns], false));
    }
    PyArray2::from_vec2(py, rows).map_err(PyErr::from)
}
