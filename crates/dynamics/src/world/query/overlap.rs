//! Overlap queries: shapes at a point, in a box, under a shape, and the shape nearest to a point.

use crate::id::{BodyId, ShapeId};
use crate::material::QueryFilter;
use crate::world::query::cast::NearestSoFar;
use crate::world::query::scene::{QueryScene, ShapeQuery, box_around, spacing};
use cairn2d_geometry::math::{Point, Vec2, WorldPoint};
use cairn2d_geometry::{Aabb, Polygon, Segment, Shape, overlaps};

/// The shape nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Nearest {
    /// The shape.
    pub shape: ShapeId,
    /// The body of that shape.
    pub body: BodyId,
    /// Point on the surface of the shape nearest to the given point \[m\].
    pub point: WorldPoint,
    /// Signed distance of the given point from the surface, negative inside \[m\].
    pub distance: f32,
    /// Outward unit normal of the surface at `point`, in the world.
    pub normal: Vec2,
}

impl QueryScene<'_> {
    /// Lists the shapes that contain `point`, in order of id.
    pub(super) fn shapes_at(
        &self,
        point: WorldPoint,
        filter: QueryFilter<'_>,
        found: &mut Vec<ShapeId>,
    ) {
        if !point.is_finite() {
            found.clear();
            return;
        }
        let near = point.to_point();
        let half = Vec2::new(spacing(near.x), spacing(near.y));
        let around = Aabb::from_center_half(near, half);
        self.collect_shapes(&around, filter, found, |shape, body| {
            shape.geometry.contains(&body.to_local(point))
        });
    }

    /// Lists the shapes that touch or overlap the box `area`, in order of id.
    pub(super) fn shapes_in(&self, area: &Aabb, filter: QueryFilter<'_>, found: &mut Vec<ShapeId>) {
        if !area.is_finite() {
            found.clear();
            return;
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
        // A box without area is a segment, and one without length a point.
        let shape = Polygon::try_rectangle(half.x, half.y)
            .map(Shape::from)
            .or_else(|_| Segment::try_new(around[0], around[2]).map(Shape::from));
        match shape {
            Ok(shape) => {
                let query = ShapeQuery::new(&shape, center, Vec2::zeros());
                self.overlap_shape(&query, filter, found);
            }
            Err(_) => self.shapes_at(center.into(), filter, found),
        }
    }

    /// Lists the shapes that touch or overlap the shape of `query`, in order of id.
    pub(super) fn overlap_shape(
        &self,
        query: &ShapeQuery<'_>,
        filter: QueryFilter<'_>,
        found: &mut Vec<ShapeId>,
    ) {
        if !query.is_placed() {
            found.clear();
            return;
        }
        let pose = query.pose();
        let area = box_around(query.shape, &pose, 0.0);
        self.collect_shapes(&area, filter, found, |other, body| {
            overlaps(query.shape, &other.geometry, &pose.pose_of(body))
        });
    }

    /// Returns the shape nearest to `point`: see [`World::closest_shape`](crate::World::closest_shape).
    pub(super) fn closest_shape(
        &self,
        point: WorldPoint,
        max_distance: f32,
        filter: QueryFilter<'_>,
    ) -> Option<Nearest> {
        if !point.is_finite() || max_distance.is_nan() || max_distance < 0.0 {
            return None;
        }
        let near = point.to_point();
        let rounding = spacing(near.x) + spacing(near.y);
        let mut best = NearestSoFar::NONE;
        self.broad
            .closest(near, max_distance + rounding, filter.mask, |slot, limit| {
                let Some(found) = self.distance_to(slot, point, filter) else {
                    return limit;
                };
                // The squares of lengths overflow from 1e19 m on.
                if !found.distance.is_finite() || !found.normal.norm().is_finite() {
                    return limit;
                }
                if found.distance <= max_distance {
                    best.offer(found, found.distance, slot);
                }
                (found.distance.max(0.0) + rounding).min(limit)
            });
        best.take()
    }

    fn distance_to(
        &self,
        slot: u32,
        point: WorldPoint,
        filter: QueryFilter<'_>,
    ) -> Option<Nearest> {
        let shape = self.visible_shape(slot, filter)?;
        let pose = &self.bodies.poses[shape.body as usize];
        let local: Point = pose.to_local(point);
        let projection = shape.geometry.project(&local);
        Some(Nearest {
            shape: self.shapes.slots.id_at(slot),
            body: self.bodies.slots.id_at(shape.body),
            point: pose.to_world(projection.point),
            distance: projection.separation,
            normal: pose.rotate(projection.normal),
        })
    }
}
