//! Queries of a world: rays, casts, overlaps and nearest shapes.
//!
//! Queries include all changes since the last step: shapes that were created, moved, disabled or destroyed. Each
//! query exists once, in `QueryScene`; the methods of [`World`] here call it.
//!
//! The `mod` lines below are the layer order, lowest first.

mod scene;
mod cast;
mod overlap;
mod mover;
mod batch;

pub(in crate::world) use scene::{QueryScene, box_around_point};

pub use batch::RayQuery;
use cast::RayReport;
pub use cast::ShapeHit;
pub use mover::{Mover, MoverPlane};
pub use overlap::Nearest;
pub use scene::ShapeQuery;

use crate::id::ShapeId;
use crate::material::QueryFilter;
use crate::world::World;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{Aabb, IntoVec2, Shape};

impl World {
    /// Returns the tables that queries read.
    pub(in crate::world) fn query_scene(&self) -> QueryScene<'_> {
        QueryScene {
            bodies: &self.bodies,
            shapes: &self.shapes,
            broad: &self.broad,
        }
    }
}

/// # Rays
impl World {
    /// Casts a ray from `origin` along `translation` \[m\] and returns the nearest hit; of two hits at one
    /// fraction, that of the lower shape slot.
    ///
    /// A shape that contains the origin is hit at fraction 0 with a zero normal. A ray that is not finite has
    /// no hit.
    #[doc(alias("raycast", "b2World_CastRayClosest", "cast_ray"))]
    #[doc(alias("Raycast", "intersect_ray", "RayCast2D"))]
    #[must_use]
    pub fn ray_cast(
        &self,
        origin: impl Into<WorldPoint>,
        translation: impl IntoVec2,
        filter: QueryFilter<'_>,
    ) -> Option<ShapeHit> {
        let (origin, translation) = (origin.into(), translation.into_vec2());
        let scene = self.query_scene();
        scene.ray_cast(origin, translation, filter, RayReport::Closest)
    }

    /// Casts a ray like [`ray_cast`](Self::ray_cast) from `origin` along `translation` \[m\], and returns the first hit
    /// found, which need not be the nearest: the fastest way to find out whether there is any.
    #[doc(alias = "Linecast")]
    #[must_use]
    pub fn ray_cast_any(
        &self,
        origin: impl Into<WorldPoint>,
        translation: impl IntoVec2,
        filter: QueryFilter<'_>,
    ) -> Option<ShapeHit> {
        let (origin, translation) = (origin.into(), translation.into_vec2());
        let scene = self.query_scene();
        scene.ray_cast(origin, translation, filter, RayReport::Any)
    }

    /// Casts a ray from `origin` along `translation` \[m\] and returns all hits, at most one per shape, in
    /// order of fraction and then of shape slot.
    #[doc(alias("b2World_CastRay", "intersections_with_ray"))]
    #[doc(alias("RaycastAll", "cast_ray_all"))]
    #[must_use]
    pub fn ray_cast_all(
        &self,
        origin: impl Into<WorldPoint>,
        translation: impl IntoVec2,
        filter: QueryFilter<'_>,
    ) -> Vec<ShapeHit> {
        let mut hits = Vec::new();
        self.ray_cast_all_into(origin, translation, filter, &mut hits);
        hits
    }

    /// Like [`ray_cast_all`](Self::ray_cast_all) along `translation` \[m\], into the buffer `hits`: it is cleared first and keeps its memory.
    pub fn ray_cast_all_into(
        &self,
        origin: impl Into<WorldPoint>,
        translation: impl IntoVec2,
        filter: QueryFilter<'_>,
        hits: &mut Vec<ShapeHit>,
    ) {
        let scene = self.query_scene();
        scene.ray_cast_all(origin.into(), translation.into_vec2(), filter, hits);
    }
}

/// # Overlaps and distances
impl World {
    /// Returns the shapes that contain `point` in the world \[m\], in order of id. A point that is not finite
    /// is in none.
    #[doc(alias("b2World_OverlapPoint", "OverlapPoint"))]
    #[doc(alias("intersect_point", "intersections_with_point"))]
    #[must_use]
    pub fn shapes_at(&self, point: impl Into<WorldPoint>, filter: QueryFilter<'_>) -> Vec<ShapeId> {
        let mut found = Vec::new();
        self.shapes_at_into(point, filter, &mut found);
        found
    }

    /// Like [`shapes_at`](Self::shapes_at) a `point` \[m\], into the buffer `found`: it is cleared first and keeps its memory.
    pub fn shapes_at_into(
        &self,
        point: impl Into<WorldPoint>,
        filter: QueryFilter<'_>,
        found: &mut Vec<ShapeId>,
    ) {
        self.query_scene().shapes_at(point.into(), filter, found);
    }

    /// Returns the shapes that touch or overlap the box `area` in the world \[m\], in order of id. A box that
    /// is not finite overlaps none.
    #[doc(alias("b2World_OverlapAABB", "OverlapArea", "QueryAABB"))]
    #[doc(alias = "query_aabb")]
    #[must_use]
    pub fn shapes_in(&self, area: &Aabb, filter: QueryFilter<'_>) -> Vec<ShapeId> {
        let mut found = Vec::new();
        self.shapes_in_into(area, filter, &mut found);
        found
    }

    /// Like [`shapes_in`](Self::shapes_in) an `area` \[m\], into the buffer `found`: it is cleared first and keeps its memory.
    pub fn shapes_in_into(&self, area: &Aabb, filter: QueryFilter<'_>, found: &mut Vec<ShapeId>) {
        self.query_scene().shapes_in(area, filter, found);
    }

    /// Returns the shapes whose fat boxes overlap `area` in the world \[m\], in order of id: faster than
    /// [`shapes_in`](Self::shapes_in), and includes shapes that are only near the box.
    #[must_use]
    pub fn shapes_near(&self, area: &Aabb, filter: QueryFilter<'_>) -> Vec<ShapeId> {
        let mut found = Vec::new();
        self.shapes_near_into(area, filter, &mut found);
        found
    }

    /// Like [`shapes_near`](Self::shapes_near) an `area` \[m\], into the buffer `found`: it is cleared first and keeps its memory.
    pub fn shapes_near_into(&self, area: &Aabb, filter: QueryFilter<'_>, found: &mut Vec<ShapeId>) {
        let scene = self.query_scene();
        scene.collect_shapes(area, filter, found, |_, _| true);
    }

    /// Returns the shapes that touch or overlap `shape`, placed at `position` \[m\] and `angle` \[rad\] in
    /// the world, in order of id. A position or angle that is not finite overlaps none.
    #[doc(alias("b2World_OverlapShape", "intersect_shape"))]
    #[doc(alias("OverlapCircle", "OverlapBox"))]
    #[must_use]
    pub fn overlap_shape(
        &self,
        shape: &Shape,
        position: impl Into<WorldPoint>,
        angle: f32,
        filter: QueryFilter<'_>,
    ) -> Vec<ShapeId> {
        let mut found = Vec::new();
        self.overlap_shape_into(shape, position, angle, filter, &mut found);
        found
    }

    /// Like [`overlap_shape`](Self::overlap_shape) at `position` \[m\] and `angle` \[rad\], into the buffer `found`: it is cleared first and keeps its memory.
    pub fn overlap_shape_into(
        &self,
        shape: &Shape,
        position: impl Into<WorldPoint>,
        angle: f32,
        filter: QueryFilter<'_>,
        found: &mut Vec<ShapeId>,
    ) {
        let query = ShapeQuery::new(shape, position, Vec2::zeros()).turned_to(angle);
        self.query_scene().overlap_shape(&query, filter, found);
    }

    /// Returns the shape whose surface is nearest to `point`, or that contains it most deeply, if its
    /// distance is at most `max_distance` \[m\]; of two shapes at one distance, that of the lower slot.
    ///
    /// A point that is not finite, or so far away that its distance is not, has none; nor has a distance that is negative
    /// or NaN.
    #[doc(alias("project_point", "ClosestPoint", "b2ShapeDistance"))]
    #[must_use]
    pub fn closest_shape(
        &self,
        point: impl Into<WorldPoint>,
        max_distance: f32,
        filter: QueryFilter<'_>,
    ) -> Option<Nearest> {
        let scene = self.query_scene();
        scene.closest_shape(point.into(), max_distance, filter)
    }
}

/// # Shape casts and movers
impl World {
    /// Moves `shape` from `position` \[m\] at `angle` \[rad\] along `translation` \[m\] and returns the first
    /// shape that it touches; of two hits at one fraction, that of the lower slot.
    ///
    /// A shape that it touches at the start is hit at fraction 0. One-way shapes are hit only from their solid side,
    /// and not if they overlap `shape` at the start. Arguments that are not finite have no hit.
    #[doc(alias("b2World_CastShape", "cast_shape", "CircleCast"))]
    #[doc(alias("BoxCast", "ShapeCast2D"))]
    #[must_use]
    pub fn shape_cast(
        &self,
        shape: &Shape,
        position: impl Into<WorldPoint>,
        angle: f32,
        translation: impl IntoVec2,
        filter: QueryFilter<'_>,
    ) -> Option<ShapeHit> {
        let query = ShapeQuery::new(shape, position, translation).turned_to(angle);
        self.query_scene().shape_cast(&query, filter)
    }

    /// Casts a shape like [`shape_cast`](Self::shape_cast) from `position` \[m\] at `angle` \[rad\] along
    /// `translation` \[m\], through all shapes, and returns all hits, one per shape, in order of fraction and then
    /// of shape slot.
    #[must_use]
    pub fn shape_cast_all(
        &self,
        shape: &Shape,
        position: impl Into<WorldPoint>,
        angle: f32,
        translation: impl IntoVec2,
        filter: QueryFilter<'_>,
    ) -> Vec<ShapeHit> {
        let mut hits = Vec::new();
        self.shape_cast_all_into(shape, position, angle, translation, filter, &mut hits);
        hits
    }

    /// Like [`shape_cast_all`](Self::shape_cast_all) from `position` \[m\] at `angle` \[rad\] along `translation` \[m\], into the buffer `hits`: it is cleared first and keeps its memory.
    pub fn shape_cast_all_into(
        &self,
        shape: &Shape,
        position: impl Into<WorldPoint>,
        angle: f32,
        translation: impl IntoVec2,
        filter: QueryFilter<'_>,
        hits: &mut Vec<ShapeHit>,
    ) {
        let query = ShapeQuery::new(shape, position, translation).turned_to(angle);
        self.query_scene().shape_cast_all(&query, filter, hits);
    }

    /// Returns the surfaces within `reach` \[m\] of a mover as planes, at most one per shape, in order of id.
    ///
    /// A chain segment has planes only on its solid side, with normals that its chain has there. A one-way shape has
    /// them only on its solid side, and not if it overlaps the mover. Arguments that are not finite have none.
    #[must_use]
    pub fn mover_planes(
        &self,
        mover: &Mover<'_>,
        reach: f32,
        filter: QueryFilter<'_>,
    ) -> Vec<MoverPlane> {
        let mut planes = Vec::new();
        self.mover_planes_into(mover, reach, filter, &mut planes);
        planes
    }

    /// Like [`mover_planes`](Self::mover_planes) within `reach` \[m\], into the buffer `planes`: it is cleared first and keeps its memory.
    pub fn mover_planes_into(
        &self,
        mover: &Mover<'_>,
        reach: f32,
        filter: QueryFilter<'_>,
        planes: &mut Vec<MoverPlane>,
    ) {
        let scene = self.query_scene();
        scene.mover_planes(mover, reach, filter, planes);
    }

    /// Moves a mover along `translation` \[m\] and returns the first shape that comes within `skin` \[m\] of
    /// it; of two hits at one fraction, that of the lower slot.
    ///
    /// Unlike [`shape_cast`](Self::shape_cast) it ignores shapes that the mover touches or overlaps at the start,
    /// unless the translation leads deeper into them. One-way shapes are hit only from their solid side, and not if
    /// they overlap the mover. Arguments that are not finite have no hit.
    #[must_use]
    pub fn mover_cast(
        &self,
        mover: &Mover<'_>,
        translation: impl IntoVec2,
        skin: f32,
        filter: QueryFilter<'_>,
    ) -> Option<ShapeHit> {
        let scene = self.query_scene();
        scene.mover_cast(mover, translation.into_vec2(), skin, filter)
    }
}
