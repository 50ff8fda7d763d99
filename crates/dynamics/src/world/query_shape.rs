//! Questions to the world with a shape: what overlaps it, what it meets on its way, what is nearest.

use crate::body::state::BodyPose;
use crate::fat_box::place_box;
use crate::id::{BodyId, ShapeId};
use crate::material::{QueryFilter, one_way_stops};
use crate::shape::BodyShape;
use crate::world::World;
use crate::world::query_way::{Best, Meeting, RayReport, ShapeHit, Way, spacing};
use cairn2d_geometry::math::{Point, Pose, Vec2, WorldPoint, sin_cos};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{Aabb, CastHit, ManifoldCache, Shape, collide, overlaps, shape_cast};

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
pub(super) fn query_pose(position: WorldPoint, angle: f32) -> BodyPose {
    let (sin, cos) = sin_cos(angle);
    BodyPose {
        center: position,
        rotation: Vec2::new(cos, sin),
        local_center: Vec2::zeros(),
    }
}

/// Returns the box around `shape` at `pose`, larger by `margin` \[m\].
pub(super) fn box_around(shape: &Shape, pose: &BodyPose, margin: f32) -> Aabb {
    let around = shape.aabb(&pose.relative_to(pose.center));
    place_box(&around, pose.center, margin)
}

/// Returns the box around `point` that reaches `half` \[m\] to each side.
pub(super) fn box_around_point(point: WorldPoint, half: f32) -> Aabb {
    let near = Aabb::from_center_half(Point::origin(), Vec2::new(half, half));
    place_box(&near, point, 0.0)
}

/// Returns where a cast of `shape` meets `other` on `body`; `None` if that is one-way and lets it pass.
pub(super) fn cast_meeting(
    other: &BodyShape,
    body: &BodyPose,
    shape: &Shape,
    in_body: &Pose,
    hit: &CastHit,
) -> Option<Meeting> {
    let normal = body.rotate(hit.normal);
    let is_inside = || hit.fraction == 0.0 && is_within(&other.geometry, shape, in_body);
    stops(other, body, normal, is_inside).then(|| Meeting {
        fraction: hit.fraction,
        point: body.to_world(hit.point),
        normal,
    })
}

/// Says whether `other` stops what lies along `normal` from it. A one-way shape does so on one side only, and does not stop what is in
/// it already.
pub(super) fn stops(
    other: &BodyShape,
    body: &BodyPose,
    normal: Vec2,
    is_inside: impl FnOnce() -> bool,
) -> bool {
    let one_way = other.material.one_way;
    one_way.is_none() || (one_way_stops(one_way, body.rotation, normal) && !is_inside())
}

/// Says whether two shapes overlap by more than things at rest do.
fn is_within(other: &Shape, shape: &Shape, in_other: &Pose) -> bool {
    let manifold = collide(other, shape, in_other, &mut ManifoldCache::default());
    let gap = manifold.min_separation();
    gap.is_some_and(|gap| gap < -LINEAR_SLOP)
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
        self.overlap_shape_where(shape, position, angle, filter, |_| true)
    }

    /// Like [`overlap_shape`](Self::overlap_shape), of the shapes that `accept` takes.
    #[must_use]
    pub fn overlap_shape_where(
        &self,
        shape: &Shape,
        position: impl Into<WorldPoint>,
        angle: f32,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<ShapeId> {
        let position = position.into();
        if !position.is_finite() || !angle.is_finite() {
            return Vec::new();
        }
        let pose = query_pose(position, angle);
        let area = box_around(shape, &pose, 0.0);
        self.shapes_among(&area, filter, accept, |other, body| {
            overlaps(shape, &other.geometry, &pose.pose_of(body))
        })
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
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Option<ShapeHit> {
        let position = position.into();
        if !position.is_finite() || !angle.is_finite() {
            return None;
        }
        let pose = query_pose(position, angle);
        let meet = shape_meets(shape, pose, translation);
        let way = shape_way(shape, &pose, translation);
        self.first_along(&way, filter, RayReport::Closest, accept, meet)
    }

    /// Casts a shape like [`shape_cast`](Self::shape_cast) and returns all that it would touch on its way if nothing stopped it, each
    /// shape once, in order of fraction and then of shape slot.
    #[must_use]
    pub fn shape_cast_all(
        &self,
        shape: &Shape,
        position: impl Into<WorldPoint>,
        angle: f32,
        translation: Vec2,
        filter: QueryFilter,
    ) -> Vec<ShapeHit> {
        self.shape_cast_all_where(shape, position, angle, translation, filter, |_| true)
    }

    /// Like [`shape_cast_all`](Self::shape_cast_all), among the shapes that `accept` takes.
    #[must_use]
    pub fn shape_cast_all_where(
        &self,
        shape: &Shape,
        position: impl Into<WorldPoint>,
        angle: f32,
        translation: Vec2,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<ShapeHit> {
        let position = position.into();
        if !position.is_finite() || !angle.is_finite() {
            return Vec::new();
        }
        let pose = query_pose(position, angle);
        let meet = shape_meets(shape, pose, translation);
        self.all_along(&shape_way(shape, &pose, translation), filter, accept, meet)
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
        let mut best = Best::NONE;
        self.broad
            .closest(near, max_distance + rounding, filter.mask, |slot, limit| {
                let Some(found) = self.distance_to(slot, point, filter) else {
                    return limit;
                };
                if !accept(found.shape) {
                    return limit;
                }
                if found.distance <= max_distance {
                    best.offer(found, found.distance, slot);
                }
                (found.distance.max(0.0) + rounding).min(limit)
            });
        best.take()
    }

    fn distance_to(&self, slot: u32, point: WorldPoint, filter: QueryFilter) -> Option<Nearest> {
        let shape = self.seen(slot, filter)?;
        let pose = &self.bodies.poses[shape.body as usize];
        let local: Point = pose.to_local(point);
        let place = shape.geometry.project(&local);
        Some(Nearest {
            shape: self.shapes.slots.id_at(slot),
            body: self.bodies.slots.id_at(shape.body),
            point: pose.to_world(place.point),
            distance: place.separation,
            normal: pose.rotate(place.normal),
        })
    }
}

/// Returns the way of a shape at `pose` along `translation`.
fn shape_way(shape: &Shape, pose: &BodyPose, translation: Vec2) -> Way {
    Way {
        start: box_around(shape, pose, 0.0),
        translation,
    }
}

/// Returns what says where a shape that goes from `pose` along `translation` meets another.
fn shape_meets(
    shape: &Shape,
    pose: BodyPose,
    translation: Vec2,
) -> impl FnMut(&BodyShape, &BodyPose, f32) -> Option<Meeting> + '_ {
    move |other, body, limit| {
        let in_body = body.pose_of(&pose);
        let way = body.unrotate(translation);
        let hit = shape_cast(&other.geometry, shape, &in_body, way, limit)?;
        cast_meeting(other, body, shape, &in_body, &hit)
    }
}
