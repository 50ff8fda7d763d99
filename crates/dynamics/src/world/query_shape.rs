//! Questions to the world with a shape: what overlaps it, what it meets on its way, what is nearest.

use crate::body::state::BodyPose;
use crate::id::{BodyId, ShapeId};
use crate::material::{QueryFilter, one_way_stops};
use crate::world::World;
use crate::world::query::{ShapeHit, spacing};
use crate::world::shapes::place_box;
use cairn2d_geometry::math::{Point, Pose, Vec2, WorldPoint, sin_cos};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{ManifoldCache, Ray, Shape, SimplexCache, collide, distance, shape_cast};
use core::ops::ControlFlow;

/// The shape nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The shape.
    pub shape: ShapeId,
    /// Its body.
    pub body: BodyId,
    /// Place on its surface nearest to the point \[m\].
    pub point: WorldPoint,
    /// Distance of the point from the surface, negative where it is inside \[m\].
    pub distance: f32,
    /// Outward unit normal of the surface there.
    pub normal: Vec2,
}

/// Where a query's shape is: like a body that is not there.
fn query_pose(position: WorldPoint, angle: f32) -> BodyPose {
    let (sin, cos) = sin_cos(angle);
    BodyPose {
        center: position,
        rotation: Vec2::new(cos, sin),
        local_center: Vec2::zeros(),
    }
}

impl World {
    /// Returns the shapes that touch or overlap `shape`, placed at `position` and turned by `angle` \[rad\], in
    /// order of id. A position or angle that is not finite overlaps nothing.
    #[must_use]
    pub fn overlap_shape(
        &self,
        shape: &Shape,
        position: impl Into<WorldPoint>,
        angle: f32,
        filter: QueryFilter,
    ) -> Vec<ShapeId> {
        let position = position.into();
        let mut found = Vec::new();
        if !position.is_finite() || !angle.is_finite() {
            return found;
        }
        let pose = query_pose(position, angle);
        let area = place_box(&shape.aabb(&pose.relative_to(position)), position, 0.0);
        self.broad.query(&area, filter.mask, |slot| {
            if let Some(other) = self.seen(slot, filter) {
                let in_query = pose.pose_of(&self.bodies.poses[other.body as usize]);
                let gap = distance(
                    shape,
                    &other.geometry,
                    &in_query,
                    &mut SimplexCache::default(),
                );
                if gap.distance <= 0.0 {
                    found.push(self.shapes.id_at(slot));
                }
            }
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        found
    }

    /// Moves `shape` from `position`, turned by `angle` \[rad\], along `translation` \[m\], and returns the first
    /// shape that it touches; of two at one fraction, that of the lesser slot.
    ///
    /// What it touches at the start is hit at fraction 0. One-way shapes are hit only from their open side, and not by
    /// what already is in them. Numbers that are not finite hit nothing.
    #[must_use]
    pub fn shape_cast(
        &self,
        shape: &Shape,
        position: impl Into<WorldPoint>,
        angle: f32,
        translation: Vec2,
        filter: QueryFilter,
    ) -> Option<ShapeHit> {
        self.shape_cast_where(shape, position, angle, translation, filter, |_| true)
    }

    /// Like [`shape_cast`](Self::shape_cast), among the shapes that `accept` takes.
    #[must_use]
    pub fn shape_cast_where(
        &self,
        shape: &Shape,
        position: impl Into<WorldPoint>,
        angle: f32,
        translation: Vec2,
        filter: QueryFilter,
        mut accept: impl FnMut(ShapeId) -> bool,
    ) -> Option<ShapeHit> {
        let position = position.into();
        let finite = translation.x.is_finite() && translation.y.is_finite() && angle.is_finite();
        if !position.is_finite() || !finite {
            return None;
        }
        let pose = query_pose(position, angle);
        let around = shape.aabb(&pose.relative_to(position));
        let start = place_box(&around, position, 0.0);
        let ray = Ray {
            origin: start.center(),
            translation,
            max_fraction: 1.0,
        };
        let half = 0.5 * (start.max - start.min);
        let rounding = Vec2::new(spacing(ray.origin.x), spacing(ray.origin.y));
        let mut best: Option<(ShapeHit, u32)> = None;
        self.broad
            .box_cast(half + rounding, &ray, filter.mask, |slot, limit| {
                let Some(hit) = self.cast_against(slot, shape, &pose, translation, limit, filter)
                else {
                    return limit;
                };
                if !accept(hit.shape) {
                    return limit;
                }
                let nearer = best.is_none_or(|(before, its_slot)| {
                    (hit.fraction, slot) < (before.fraction, its_slot)
                });
                if nearer {
                    best = Some((hit, slot));
                }
                hit.fraction.min(limit)
            });
        best.map(|(hit, _)| hit)
    }

    fn cast_against(
        &self,
        slot: u32,
        shape: &Shape,
        pose: &BodyPose,
        translation: Vec2,
        max_fraction: f32,
        filter: QueryFilter,
    ) -> Option<ShapeHit> {
        let other = self.seen(slot, filter)?;
        let body = &self.bodies.poses[other.body as usize];
        let in_body: Pose = body.pose_of(pose);
        let way = body.unrotate(translation);
        let hit = shape_cast(&other.geometry, shape, &in_body, way, max_fraction)?;
        let normal = body.rotate(hit.normal);
        if other.material.one_way.is_some() {
            let cache = &mut ManifoldCache::default();
            let mut overlap = || collide(&other.geometry, shape, &in_body, cache).min_separation();
            let is_inside = hit.fraction == 0.0 && overlap().is_some_and(|gap| gap < -LINEAR_SLOP);
            if is_inside || !one_way_stops(other.material.one_way, body.rotation, normal) {
                return None;
            }
        }
        Some(ShapeHit {
            shape: self.shapes.id_at(slot),
            body: self.bodies.slots.id_at(other.body),
            fraction: hit.fraction,
            point: body.to_world(hit.point),
            normal,
        })
    }

    /// Returns the shape whose surface is nearest to `point`, or that contains it most deeply, if its distance is
    /// at most `max_distance` \[m\]; of two at one distance, that of the lesser slot.
    #[must_use]
    pub fn closest_shape(
        &self,
        point: impl Into<WorldPoint>,
        max_distance: f32,
        filter: QueryFilter,
    ) -> Option<Nearest> {
        self.closest_shape_where(point, max_distance, filter, |_| true)
    }

    /// Like [`closest_shape`](Self::closest_shape), among the shapes that `accept` takes.
    #[must_use]
    pub fn closest_shape_where(
        &self,
        point: impl Into<WorldPoint>,
        max_distance: f32,
        filter: QueryFilter,
        mut accept: impl FnMut(ShapeId) -> bool,
    ) -> Option<Nearest> {
        let point = point.into();
        if !point.is_finite() || max_distance.is_nan() || max_distance < 0.0 {
            return None;
        }
        let near = point.to_point();
        let rounding = spacing(near.x) + spacing(near.y);
        let mut best: Option<(Nearest, u32)> = None;
        self.broad
            .closest(near, max_distance + rounding, filter.mask, |slot, limit| {
                let Some(found) = self.distance_to(slot, point, filter) else {
                    return limit;
                };
                if !accept(found.shape) {
                    return limit;
                }
                let nearer = best.is_none_or(|(before, its_slot)| {
                    (found.distance, slot) < (before.distance, its_slot)
                });
                if nearer && found.distance <= max_distance {
                    best = Some((found, slot));
                }
                (found.distance.max(0.0) + rounding).min(limit)
            });
        best.map(|(found, _)| found)
    }

    fn distance_to(&self, slot: u32, point: WorldPoint, filter: QueryFilter) -> Option<Nearest> {
        let shape = self.seen(slot, filter)?;
        let pose = &self.bodies.poses[shape.body as usize];
        let local: Point = pose.to_local(point);
        let place = shape.geometry.project(&local);
        Some(Nearest {
            shape: self.shapes.id_at(slot),
            body: self.bodies.slots.id_at(shape.body),
            point: pose.to_world(place.point),
            distance: place.separation,
            normal: pose.rotate(place.normal),
        })
    }
}
