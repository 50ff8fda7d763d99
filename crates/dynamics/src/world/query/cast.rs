//! Ray and shape casts: one traversal of the broad phase, with a test of each shape near the path.

use crate::body::state::BodyPose;
use crate::id::{BodyId, ShapeId};
use crate::material::{QueryFilter, one_way_stops};
use crate::shape::BodyShape;
use crate::world::query::scene::{QueryScene, ShapeQuery, box_around, spacing};
use cairn2d_geometry::math::{Pose, Vec2, WorldPoint};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{Aabb, CastHit, ManifoldCache, Ray, Shape, collide, shape_cast};

/// A hit of a ray or of a cast shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapeHit {
    /// The shape that was hit.
    pub shape: ShapeId,
    /// The body of that shape.
    pub body: BodyId,
    /// Share of the translation up to the hit, 0 to 1.
    pub fraction: f32,
    /// Point of the hit in the world \[m\].
    pub point: WorldPoint,
    /// Outward unit normal of the surface that was hit, in the world. Zero for a ray that starts inside; for
    /// a cast shape that overlaps at the start, the direction of least penetration.
    pub normal: Vec2,
}

/// The hit that a ray cast reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RayReport {
    /// The nearest hit.
    Closest,
    /// The first hit found: the fastest way to find out whether there is any.
    Any,
}

/// The straight path of a point or a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct CastPath {
    /// Box at the start \[m\].
    pub(super) start: Aabb,
    /// \[m\]
    pub(super) translation: Vec2,
}

/// A hit on one shape, in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct SurfaceHit {
    pub(super) fraction: f32,
    pub(super) point: WorldPoint,
    pub(super) normal: Vec2,
}

/// The answer with the smallest key so far; of two with the same key, that of the lower slot.
pub(super) struct NearestSoFar<T>(Option<(T, f32, u32)>);

impl<T> NearestSoFar<T> {
    pub(super) const NONE: Self = Self(None);

    /// Takes an answer if its `key` is smaller than that of the present one.
    pub(super) fn offer(&mut self, answer: T, key: f32, slot: u32) {
        let is_better = |(_, before, its_slot): &(T, f32, u32)| (key, slot) < (*before, *its_slot);
        if self.0.as_ref().is_none_or(is_better) {
            self.0 = Some((answer, key, slot));
        }
    }

    pub(super) fn take(self) -> Option<T> {
        self.0.map(|(answer, ..)| answer)
    }
}

impl QueryScene<'_> {
    /// Casts a ray: see [`World::ray_cast`](crate::World::ray_cast).
    pub(super) fn ray_cast(
        &self,
        origin: WorldPoint,
        translation: Vec2,
        filter: QueryFilter<'_>,
        report: RayReport,
    ) -> Option<ShapeHit> {
        let path = ray_path(origin, translation);
        let hit_test = ray_hit_test(origin, translation);
        self.first_hit(&path, filter, report, hit_test)
    }

    /// Casts a ray through everything: see [`World::ray_cast_all`](crate::World::ray_cast_all).
    pub(super) fn ray_cast_all(
        &self,
        origin: WorldPoint,
        translation: Vec2,
        filter: QueryFilter<'_>,
        hits: &mut Vec<ShapeHit>,
    ) {
        let path = ray_path(origin, translation);
        self.all_hits(&path, filter, hits, ray_hit_test(origin, translation));
    }

    /// Casts a shape: see [`World::shape_cast`](crate::World::shape_cast).
    pub(super) fn shape_cast(
        &self,
        query: &ShapeQuery<'_>,
        filter: QueryFilter<'_>,
    ) -> Option<ShapeHit> {
        if !query.is_placed() {
            return None;
        }
        let path = shape_path(query);
        let hit_test = shape_hit_test(query);
        self.first_hit(&path, filter, RayReport::Closest, hit_test)
    }

    /// Casts a shape through everything: see [`World::shape_cast_all`](crate::World::shape_cast_all).
    pub(super) fn shape_cast_all(
        &self,
        query: &ShapeQuery<'_>,
        filter: QueryFilter<'_>,
        hits: &mut Vec<ShapeHit>,
    ) {
        if !query.is_placed() {
            hits.clear();
            return;
        }
        self.all_hits(&shape_path(query), filter, hits, shape_hit_test(query));
    }

    /// Returns the nearest hit along a path, or any.
    pub(super) fn first_hit(
        &self,
        path: &CastPath,
        filter: QueryFilter<'_>,
        report: RayReport,
        hit_test: impl FnMut(&BodyShape, &BodyPose, f32) -> Option<SurfaceHit>,
    ) -> Option<ShapeHit> {
        let mut best = NearestSoFar::NONE;
        self.visit_hits(path, filter, hit_test, |hit, slot, limit| {
            best.offer(hit, hit.fraction, slot);
            match report {
                RayReport::Closest => hit.fraction.min(limit),
                // A negative limit ends the traversal.
                RayReport::Any => -1.0,
            }
        });
        best.take()
    }

    /// Lists all hits along a path, in order of fraction and then of shape slot.
    fn all_hits(
        &self,
        path: &CastPath,
        filter: QueryFilter<'_>,
        hits: &mut Vec<ShapeHit>,
        hit_test: impl FnMut(&BodyShape, &BodyPose, f32) -> Option<SurfaceHit>,
    ) {
        hits.clear();
        self.visit_hits(path, filter, hit_test, |hit, _, limit| {
            hits.push(hit);
            limit
        });
        hits.sort_by(|a, b| {
            a.fraction
                .total_cmp(&b.fraction)
                .then(a.shape.cmp(&b.shape))
        });
    }

    /// Calls `visit` with each hit, the slot of its shape and the largest fraction still of interest; it
    /// returns the new one. `hit_test` finds the hit on one shape up to such a fraction. A path that is not
    /// finite has no hits.
    fn visit_hits(
        &self,
        path: &CastPath,
        filter: QueryFilter<'_>,
        mut hit_test: impl FnMut(&BodyShape, &BodyPose, f32) -> Option<SurfaceHit>,
        mut visit: impl FnMut(ShapeHit, u32, f32) -> f32,
    ) {
        let CastPath { start, translation } = *path;
        if !start.is_finite() || !translation.x.is_finite() || !translation.y.is_finite() {
            return;
        }
        let ray = Ray {
            origin: start.center(),
            translation,
            max_fraction: 1.0,
        };
        // The tree works in `f32`: far out the rounded origin lies beside the true one.
        let rounding = Vec2::new(spacing(ray.origin.x), spacing(ray.origin.y));
        let half = 0.5 * (start.max - start.min) + rounding;
        self.broad.box_cast(half, &ray, filter.mask, |slot, limit| {
            let Some(shape) = self.visible_shape(slot, filter) else {
                return limit;
            };
            let body = &self.bodies.poses[shape.body as usize];
            let Some(surface) = hit_test(shape, body, limit) else {
                return limit;
            };
            let hit = ShapeHit {
                shape: self.shapes.slots.id_at(slot),
                body: self.bodies.slots.id_at(shape.body),
                fraction: surface.fraction,
                point: surface.point,
                normal: surface.normal,
            };
            visit(hit, slot, limit)
        });
    }
}

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

/// Returns the function that finds the hit of a ray on a shape.
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

fn shape_path(query: &ShapeQuery<'_>) -> CastPath {
    CastPath {
        start: box_around(query.shape, &query.pose(), 0.0),
        translation: query.translation,
    }
}

/// Returns the function that finds the hit of a cast shape on another.
fn shape_hit_test<'a>(
    query: &ShapeQuery<'a>,
) -> impl Fn(&BodyShape, &BodyPose, f32) -> Option<SurfaceHit> + use<'a> {
    let (shape, pose, translation) = (query.shape, query.pose(), query.translation);
    move |other, body, limit| {
        let in_body = body.pose_of(&pose);
        let local_translation = body.unrotate(translation);
        let hit = shape_cast(&other.geometry, shape, &in_body, local_translation, limit)?;
        solid_hit(other, body, shape, &in_body, &hit)
    }
}

/// Returns the hit of a cast of `shape` on `other`, in the world; `None` if that is a one-way shape that lets
/// it pass.
pub(super) fn solid_hit(
    other: &BodyShape,
    body: &BodyPose,
    shape: &Shape,
    in_body: &Pose,
    hit: &CastHit,
) -> Option<SurfaceHit> {
    let normal = body.rotate(hit.normal);
    let is_inside = || hit.fraction == 0.0 && is_embedded(&other.geometry, shape, in_body);
    is_solid_along(other, body, normal, is_inside).then(|| SurfaceHit {
        fraction: hit.fraction,
        point: body.to_world(hit.point),
        normal,
    })
}

/// Returns `true` if `other` is solid to a shape that lies along `normal` from it. A one-way shape is solid
/// from one side only, and not to a shape that overlaps it already.
pub(super) fn is_solid_along(
    other: &BodyShape,
    body: &BodyPose,
    normal: Vec2,
    is_inside: impl FnOnce() -> bool,
) -> bool {
    let one_way = other.material.one_way;
    one_way.is_none() || (one_way_stops(one_way, body.rotation, normal) && !is_inside())
}

/// Returns `true` if two shapes overlap by more than shapes at rest do.
fn is_embedded(other: &Shape, shape: &Shape, in_other: &Pose) -> bool {
    let manifold = collide(other, shape, in_other, &mut ManifoldCache::default());
    let gap = manifold.min_separation();
    gap.is_some_and(|gap| gap < -LINEAR_SLOP)
}
