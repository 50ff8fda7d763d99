//! What lies along a straight way: the walk through the broad phase that rays and casts share.

use crate::body::state::BodyPose;
use crate::id::{BodyId, ShapeId};
use crate::material::QueryFilter;
use crate::shape::BodyShape;
use crate::world::World;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{Aabb, Ray};

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

/// A straight way of a point or a shape.
pub(super) struct CastPath {
    /// Box around it at the start \[m\].
    pub(super) start: Aabb,
    /// Where it goes \[m\].
    pub(super) translation: Vec2,
}

/// Where the way meets one shape, in the world.
pub(super) struct SurfaceHit {
    pub(super) fraction: f32,
    pub(super) point: WorldPoint,
    pub(super) normal: Vec2,
}

/// The best answer so far; of two that are equally good, that of the lesser slot.
pub(super) struct NearestSoFar<T>(Option<(T, f32, u32)>);

impl<T> NearestSoFar<T> {
    pub(super) const NONE: Self = Self(None);

    /// Takes an answer if its `key` is less than that of the one before.
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

impl World {
    /// Calls `visit` with each hit, the shape's slot and the largest fraction still of interest; it returns the new
    /// one. `hit_test` says where the way meets a shape of a body up to such a fraction. Numbers that are not finite hit_test
    /// nothing.
    pub(super) fn visit_cast_hits(
        &self,
        way: &CastPath,
        filter: QueryFilter,
        mut hit_test: impl FnMut(&BodyShape, &BodyPose, f32) -> Option<SurfaceHit>,
        mut visit: impl FnMut(ShapeHit, u32, f32) -> f32,
    ) {
        let CastPath { start, translation } = *way;
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
            let Some(hit_on_surface) = hit_test(shape, body, limit) else {
                return limit;
            };
            let hit = ShapeHit {
                shape: self.shapes.slots.id_at(slot),
                body: self.bodies.slots.id_at(shape.body),
                fraction: hit_on_surface.fraction,
                point: hit_on_surface.point,
                normal: hit_on_surface.normal,
            };
            visit(hit, slot, limit)
        });
    }

    /// Returns the nearest hit along a way, or any, among the shapes that `accept` takes.
    pub(super) fn cast_first(
        &self,
        way: &CastPath,
        filter: QueryFilter,
        report: RayReport,
        mut accept: impl FnMut(ShapeId) -> bool,
        hit_test: impl FnMut(&BodyShape, &BodyPose, f32) -> Option<SurfaceHit>,
    ) -> Option<ShapeHit> {
        let mut best = NearestSoFar::NONE;
        self.visit_cast_hits(way, filter, hit_test, |hit, slot, limit| {
            if !accept(hit.shape) {
                return limit;
            }
            best.offer(hit, hit.fraction, slot);
            match report {
                RayReport::Closest => hit.fraction.min(limit),
                RayReport::Any => -1.0,
            }
        });
        best.take()
    }

    /// Returns all hits along a way among the shapes that `accept` takes, in order of fraction and then of shape slot.
    pub(super) fn cast_all(
        &self,
        way: &CastPath,
        filter: QueryFilter,
        mut accept: impl FnMut(ShapeId) -> bool,
        hit_test: impl FnMut(&BodyShape, &BodyPose, f32) -> Option<SurfaceHit>,
    ) -> Vec<ShapeHit> {
        let mut hits = Vec::new();
        self.visit_cast_hits(way, filter, hit_test, |hit, _, limit| {
            if accept(hit.shape) {
                hits.push(hit);
            }
            limit
        });
        hits.sort_by(|a, b| {
            a.fraction
                .total_cmp(&b.fraction)
                .then(a.shape.cmp(&b.shape))
        });
        hits
    }
}

/// Returns the distance from `x` to the next larger number of its size.
pub(super) fn spacing(x: f32) -> f32 {
    x.abs().next_up() - x.abs()
}
