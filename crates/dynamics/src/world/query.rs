//! Questions to the world: rays, points and boxes. They see what was created or moved since the last
//! step.

use crate::body::state::BodyPose;
use crate::id::ShapeId;
use crate::material::{BodyKinds, QueryFilter, Sensors};
use crate::shape::BodyShape;
use crate::world::World;
use crate::world::query_cast::{CastPath, RayReport, ShapeHit, SurfaceHit, spacing};
use cairn2d_geometry::math::{Point, Vec2, WorldPoint};
use cairn2d_geometry::{Aabb, Polygon, Ray, Segment, Shape};
use core::ops::ControlFlow;

impl World {
    /// Casts a ray from `origin` along `translation` \[m\] and returns the nearest hit; of two at one
    /// fraction, that of the lesser shape slot.
    ///
    /// A shape that contains the origin is hit at fraction 0 with a zero normal. A ray that is not
    /// finite hits nothing.
    #[must_use]
    pub fn ray_cast(
        &self,
        origin: impl Into<WorldPoint>,
        translation: Vec2,
        filter: QueryFilter,
    ) -> Option<ShapeHit> {
        self.ray_cast_where(origin, translation, filter, RayReport::Closest, |_| true)
    }

    /// Like [`ray_cast`](Self::ray_cast), among the shapes that `accept` takes.
    #[must_use]
    pub fn ray_cast_where(
        &self,
        origin: impl Into<WorldPoint>,
        translation: Vec2,
        filter: QueryFilter,
        report: RayReport,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Option<ShapeHit> {
        let origin = origin.into();
        let hit_test = ray_hit_test(origin, translation);
        self.cast_first(
            &ray_path(origin, translation),
            filter,
            report,
            accept,
            hit_test,
        )
    }

    /// Casts a ray and returns all hits, at most one a shape, in order of fraction and then of shape
    /// slot.
    #[must_use]
    pub fn ray_cast_all(
        &self,
        origin: impl Into<WorldPoint>,
        translation: Vec2,
        filter: QueryFilter,
    ) -> Vec<ShapeHit> {
        self.ray_cast_all_where(origin, translation, filter, |_| true)
    }

    /// Like [`ray_cast_all`](Self::ray_cast_all), among the shapes that `accept` takes.
    #[must_use]
    pub fn ray_cast_all_where(
        &self,
        origin: impl Into<WorldPoint>,
        translation: Vec2,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<ShapeHit> {
        let origin = origin.into();
        let hit_test = ray_hit_test(origin, translation);
        self.cast_all(&ray_path(origin, translation), filter, accept, hit_test)
    }

    /// Returns the shape in `slot` if `filter` lets a query see it.
    pub(crate) fn visible_shape(&self, slot: u32, filter: QueryFilter) -> Option<&BodyShape> {
        let shape = &self.shapes.slots[slot];
        let meets =
            shape.filter.category & filter.mask != 0 && shape.filter.mask & filter.category != 0;
        let solid = !shape.sensor || filter.sensors == Sensors::Included;
        let wanted = filter.kinds == BodyKinds::ALL
            || filter.kinds.contains(self.bodies.slots[shape.body].kind);
        let other = filter
            .exclude
            .is_none_or(|body| self.bodies.slots.id_at(shape.body) != body);
        (meets && solid && wanted && other).then_some(shape)
    }

    /// Returns the shapes that contain `point`, in order of id.
    #[must_use]
    pub fn shapes_at(&self, point: impl Into<WorldPoint>, filter: QueryFilter) -> Vec<ShapeId> {
        self.shapes_at_where(point, filter, |_| true)
    }

    /// Like [`shapes_at`](Self::shapes_at), of the shapes that `accept` takes.
    #[must_use]
    pub fn shapes_at_where(
        &self,
        point: impl Into<WorldPoint>,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<ShapeId> {
        let point = point.into();
        if !point.is_finite() {
            return Vec::new();
        }
        let near = point.to_point();
        let half = Vec2::new(spacing(near.x), spacing(near.y));
        let around = Aabb::from_center_half(near, half);
        self.collect_shapes(&around, filter, accept, |shape, body| {
            shape.geometry.contains(&body.to_local(point))
        })
    }

    /// Returns the shapes that touch or overlap the box `area`, in order of id.
    #[must_use]
    pub fn shapes_in(&self, area: &Aabb, filter: QueryFilter) -> Vec<ShapeId> {
        self.shapes_in_where(area, filter, |_| true)
    }

    /// Like [`shapes_in`](Self::shapes_in), of the shapes that `accept` takes.
    #[must_use]
    pub fn shapes_in_where(
        &self,
        area: &Aabb,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<ShapeId> {
        if !area.is_finite() {
            return Vec::new();
        }
        let half = 0.5 * (area.max - area.min);
        let corners = [
            area.min,
            Point::new(area.max.x, area.min.y),
            area.max,
            Point::new(area.min.x, area.max.y),
        ];
        let center = area.center();
        let around = corners.map(|corner| corner - center.coords);
        // A box without area is a line, and one without length a point.
        let shape = Polygon::rectangle(half.x, half.y)
            .map(Shape::from)
            .or_else(|_| Segment::new(around[0], around[2]).map(Shape::from));
        match shape {
            Ok(shape) => self.overlap_shape_where(&shape, center, 0.0, filter, accept),
            Err(_) => self.shapes_at_where(center, filter, accept),
        }
    }

    /// Returns the shapes whose fat boxes overlap `area`, in order of id: quick, and a little too many.
    #[must_use]
    pub fn shapes_near(&self, area: &Aabb, filter: QueryFilter) -> Vec<ShapeId> {
        self.shapes_near_where(area, filter, |_| true)
    }

    /// Like [`shapes_near`](Self::shapes_near), of the shapes that `accept` takes.
    #[must_use]
    pub fn shapes_near_where(
        &self,
        area: &Aabb,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<ShapeId> {
        self.collect_shapes(area, filter, accept, |_, _| true)
    }

    /// Returns the shapes near `area` that `accept` takes and `overlaps_area` says yes to, in order of id.
    pub(super) fn collect_shapes(
        &self,
        area: &Aabb,
        filter: QueryFilter,
        mut accept: impl FnMut(ShapeId) -> bool,
        mut overlaps_area: impl FnMut(&BodyShape, &BodyPose) -> bool,
    ) -> Vec<ShapeId> {
        let mut found = Vec::new();
        if !area.is_finite() {
            return found;
        }
        self.broad.query(area, filter.mask, |slot| {
            if let Some(shape) = self.visible_shape(slot, filter) {
                let id = self.shapes.slots.id_at(slot);
                if overlaps_area(shape, &self.bodies.poses[shape.body as usize]) && accept(id) {
                    found.push(id);
                }
            }
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        found
    }
}

/// Returns the way of a ray.
fn ray_path(origin: WorldPoint, translation: Vec2) -> CastPath {
    let near = origin.to_point();
    CastPath {
        start: Aabb {
            min: near,
            max: near,
        },
        translation,
    }
}

/// Returns what says where a ray meets a shape.
fn ray_hit_test(
    origin: WorldPoint,
    translation: Vec2,
) -> impl Fn(&BodyShape, &BodyPose, f32) -> Option<SurfaceHit> {
    move |shape, body, max_fraction| {
        let ray = Ray {
            origin: body.to_local(origin),
            translation: body.unrotate(translation),
            max_fraction,
        };
        let hit = shape.geometry.ray_cast(&ray)?;
        Some(SurfaceHit {
            fraction: hit.fraction,
            point: origin + translation * hit.fraction,
            normal: body.rotate(hit.normal),
        })
    }
}
