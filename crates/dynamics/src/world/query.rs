//! Questions to the world: rays, points and boxes. They see what was created or moved since the last
//! step.

use crate::id::{BodyId, ShapeId};
use crate::material::{BodyKinds, QueryFilter, Sensors};
use crate::world::World;
use cairn2d_geometry::math::{Point, Vec2, WorldPoint};
use cairn2d_geometry::{Aabb, Polygon, Ray, Segment, Shape};
use core::ops::ControlFlow;

/// Where a ray, or a shape that is cast, meets a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeHit {
    /// The shape.
    pub shape: ShapeId,
    /// Its body.
    pub body: BodyId,
    /// Share of the translation up to the hit, 0 to 1.
    pub fraction: f32,
    /// Place of the hit \[m\].
    pub point: WorldPoint,
    /// Outward unit normal of the surface that was hit; zero where a ray starts inside. For a cast shape that overlaps
    /// at the start, the shortest way out.
    pub normal: Vec2,
}

/// What a ray should report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RayReport {
    /// The nearest hit.
    Closest,
    /// Some hit: the quickest way to learn whether there is one.
    Any,
}

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
        mut accept: impl FnMut(ShapeId) -> bool,
    ) -> Option<ShapeHit> {
        let mut best: Option<(ShapeHit, u32)> = None;
        self.visit_ray(origin.into(), translation, filter, |hit, slot, limit| {
            if !accept(hit.shape) {
                return limit;
            }
            let nearer = best.is_none_or(|(before, its_slot)| {
                (hit.fraction, slot) < (before.fraction, its_slot)
            });
            if nearer {
                best = Some((hit, slot));
            }
            match report {
                RayReport::Closest => hit.fraction.min(limit),
                RayReport::Any => -1.0,
            }
        });
        best.map(|(hit, _)| hit)
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
        let mut hits = Vec::new();
        self.visit_ray(origin.into(), translation, filter, |hit, _, limit| {
            hits.push(hit);
            limit
        });
        hits.sort_by(|a, b| {
            a.fraction
                .total_cmp(&b.fraction)
                .then(a.shape.cmp(&b.shape))
        });
        hits
    }

    /// Calls `visit` with each hit, the shape's slot and the largest fraction still of interest; it
    /// returns the new one.
    fn visit_ray(
        &self,
        origin: WorldPoint,
        translation: Vec2,
        filter: QueryFilter,
        mut visit: impl FnMut(ShapeHit, u32, f32) -> f32,
    ) {
        if !origin.is_finite() || !translation.x.is_finite() || !translation.y.is_finite() {
            return;
        }
        let near = origin.to_point();
        let ray = Ray {
            origin: near,
            translation,
            max_fraction: 1.0,
        };
        // The tree works in `f32`: far out the rounded origin lies beside the true one.
        let rounding = Vec2::new(spacing(near.x), spacing(near.y));
        self.broad
            .box_cast(rounding, &ray, filter.mask, |slot, limit| {
                match self.hit_shape(slot, origin, translation, limit, filter) {
                    Some(hit) => visit(hit, slot, limit),
                    None => limit,
                }
            });
    }

    fn hit_shape(
        &self,
        slot: u32,
        origin: WorldPoint,
        translation: Vec2,
        max_fraction: f32,
        filter: QueryFilter,
    ) -> Option<ShapeHit> {
        let shape = self.seen(slot, filter)?;
        let pose = &self.bodies.poses[shape.body as usize];
        let ray = Ray {
            origin: pose.to_local(origin),
            translation: pose.unrotate(translation),
            max_fraction,
        };
        let hit = shape.geometry.ray_cast(&ray)?;
        Some(ShapeHit {
            shape: self.shapes.id_at(slot),
            body: self.bodies.slots.id_at(shape.body),
            fraction: hit.fraction,
            point: origin + translation * hit.fraction,
            normal: pose.rotate(hit.normal),
        })
    }

    /// Returns the shape in `slot` if `filter` lets a query see it.
    pub(crate) fn seen(&self, slot: u32, filter: QueryFilter) -> Option<&crate::shape::BodyShape> {
        let shape = &self.shapes[slot];
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
        let point = point.into();
        let near = point.to_point();
        let mut found = Vec::new();
        if !point.is_finite() {
            return found;
        }
        let half = Vec2::new(spacing(near.x), spacing(near.y));
        let around = Aabb::from_center_half(near, half);
        self.broad.query(&around, filter.mask, |slot| {
            if let Some(shape) = self.seen(slot, filter) {
                let local: Point = self.bodies.poses[shape.body as usize].to_local(point);
                if shape.geometry.contains(&local) {
                    found.push(self.shapes.id_at(slot));
                }
            }
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        found
    }

    /// Returns the shapes that touch or overlap the box `area`, in order of id.
    #[must_use]
    pub fn shapes_in(&self, area: &Aabb, filter: QueryFilter) -> Vec<ShapeId> {
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
            Ok(shape) => self.overlap_shape(&shape, center, 0.0, filter),
            Err(_) => self.shapes_at(center, filter),
        }
    }

    /// Returns the shapes whose fat boxes overlap `area`, in order of id: quick, and a little too many.
    #[must_use]
    pub fn shapes_near(&self, area: &Aabb, filter: QueryFilter) -> Vec<ShapeId> {
        let mut found = Vec::new();
        if !area.is_finite() {
            return found;
        }
        self.broad.query(area, filter.mask, |slot| {
            if self.seen(slot, filter).is_some() {
                found.push(self.shapes.id_at(slot));
            }
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        found
    }
}

/// Returns the distance from `x` to the next larger number of its size.
pub(crate) fn spacing(x: f32) -> f32 {
    x.abs().next_up() - x.abs()
}
