//! Queries of a world: rays, casts, overlaps and nearest shapes.
//!
//! Queries include all changes since the last step: shapes that were created, moved, disabled or destroyed. Each
//! query exists once, in `QueryScene`; the methods of [`World`] here call it with and without a predicate.
//!
//! The `mod` lines below are the layer order, lowest first.

mod scene;
mod cast;
mod overlap;
mod mover;
mod batch;

pub(in crate::world) use scene::{QueryScene, box_around_point};

pub use batch::RayQuery;
pub use cast::{RayReport, ShapeHit};
pub use mover::{Mover, MoverPlane};
pub use overlap::Nearest;
pub use scene::ShapeQuery;

use crate::id::ShapeId;
use crate::material::QueryFilter;
use crate::world::World;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{Aabb, Shape};

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
    #[must_use]
    pub fn ray_cast(
        &self,
        origin: impl Into<WorldPoint>,
        translation: Vec2,
        filter: QueryFilter,
    ) -> Option<ShapeHit> {
        self.ray_cast_where(origin, translation, filter, RayReport::Closest, |_| true)
    }

    /// Like [`ray_cast`](Self::ray_cast) from `origin` along `translation` \[m\], among the shapes for which
    /// `accept` returns `true`; `report` chooses between the nearest and any hit.
    #[must_use]
    pub fn ray_cast_where(
        &self,
        origin: impl Into<WorldPoint>,
        translation: Vec2,
        filter: QueryFilter,
        report: RayReport,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Option<ShapeHit> {
        let scene = self.query_scene();
        scene.ray_cast(origin.into(), translation, filter, report, accept)
    }

    /// Casts a ray from `origin` along `translation` \[m\] and returns all hits, at most one per shape, in
    /// order of fraction and then of shape slot.
    #[must_use]
    pub fn ray_cast_all(
        &self,
        origin: impl Into<WorldPoint>,
        translation: Vec2,
        filter: QueryFilter,
    ) -> Vec<ShapeHit> {
        self.ray_cast_all_where(origin, translation, filter, |_| true)
    }

    /// Like [`ray_cast_all`](Self::ray_cast_all) from `origin` along `translation` \[m\], among the shapes for
    /// which `accept` returns `true`.
    #[must_use]
    pub fn ray_cast_all_where(
        &self,
        origin: impl Into<WorldPoint>,
        translation: Vec2,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<ShapeHit> {
        let scene = self.query_scene();
        scene.ray_cast_all(origin.into(), translation, filter, accept)
    }
}

/// # Overlaps and distances
impl World {
    /// Returns the shapes that contain `point` in the world \[m\], in order of id. A point that is not finite
    /// is in none.
    #[must_use]
    pub fn shapes_at(&self, point: impl Into<WorldPoint>, filter: QueryFilter) -> Vec<ShapeId> {
        self.shapes_at_where(point, filter, |_| true)
    }

    /// Like [`shapes_at`](Self::shapes_at) a `point` \[m\], among the shapes for which `accept` returns `true`.
    #[must_use]
    pub fn shapes_at_where(
        &self,
        point: impl Into<WorldPoint>,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<ShapeId> {
        self.query_scene().shapes_at(point.into(), filter, accept)
    }

    /// Returns the shapes that touch or overlap the box `area` in the world \[m\], in order of id. A box that
    /// is not finite overlaps none.
    #[must_use]
    pub fn shapes_in(&self, area: &Aabb, filter: QueryFilter) -> Vec<ShapeId> {
        self.shapes_in_where(area, filter, |_| true)
    }

    /// Like [`shapes_in`](Self::shapes_in) an `area` \[m\], among the shapes for which `accept` returns `true`.
    #[must_use]
    pub fn shapes_in_where(
        &self,
        area: &Aabb,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<ShapeId> {
        self.query_scene().shapes_in(area, filter, accept)
    }

    /// Returns the shapes whose fat boxes overlap `area` in the world \[m\], in order of id: faster than
    /// [`shapes_in`](Self::shapes_in), and includes shapes that are only near the box.
    #[must_use]
    pub fn shapes_near(&self, area: &Aabb, filter: QueryFilter) -> Vec<ShapeId> {
        self.shapes_near_where(area, filter, |_| true)
    }

    /// Like [`shapes_near`](Self::shapes_near) an `area` \[m\], among the shapes for which `accept` returns `true`.
    #[must_use]
    pub fn shapes_near_where(
        &self,
        area: &Aabb,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<ShapeId> {
        let scene = self.query_scene();
        scene.collect_shapes(area, filter, accept, |_, _| true)
    }

    /// Returns the shapes that touch or overlap `shape`, placed at `position` \[m\] and `angle` \[rad\] in
    /// the world, in order of id. A position or angle that is not finite overlaps none.
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

    /// Like [`overlap_shape`](Self::overlap_shape) at `position` \[m\] and `angle` \[rad\], among the shapes for
    /// which `accept` returns `true`.
    #[must_use]
    pub fn overlap_shape_where(
        &self,
        shape: &Shape,
        position: impl Into<WorldPoint>,
        angle: f32,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<ShapeId> {
        let query = ShapeQuery::new(shape, position, Vec2::zeros()).turned_to(angle);
        self.query_scene().overlap_shape(&query, filter, accept)
    }

    /// Returns the shape whose surface is nearest to `point`, or that contains it most deeply, if its
    /// distance is at most `max_distance` \[m\]; of two shapes at one distance, that of the lower slot.
    ///
    /// A point that is not finite, and a distance that is negative or NaN, has none.
    #[must_use]
    pub fn closest_shape(
        &self,
        point: impl Into<WorldPoint>,
        max_distance: f32,
        filter: QueryFilter,
    ) -> Option<Nearest> {
        self.closest_shape_where(point, max_distance, filter, |_| true)
    }

    /// Like [`closest_shape`](Self::closest_shape) within `max_distance` \[m\], among the shapes for which `accept`
    /// returns `true`.
    #[must_use]
    pub fn closest_shape_where(
        &self,
        point: impl Into<WorldPoint>,
        max_distance: f32,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Option<Nearest> {
        let scene = self.query_scene();
        scene.closest_shape(point.into(), max_distance, filter, accept)
    }
}

/// # Shape casts and movers
impl World {
    /// Moves `shape` from `position` \[m\] at `angle` \[rad\] along `translation` \[m\] and returns the first
    /// shape that it touches; of two hits at one fraction, that of the lower slot.
    ///
    /// A shape that it touches at the start is hit at fraction 0. One-way shapes are hit only from their open
    /// side, and not if they overlap `shape` at the start. Arguments that are not finite have no hit.
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

    /// Like [`shape_cast`](Self::shape_cast) from `position` \[m\] at `angle` \[rad\] along `translation` \[m\],
    /// among the shapes for which `accept` returns `true`.
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
        let query = ShapeQuery::new(shape, position, translation).turned_to(angle);
        self.query_scene().shape_cast(&query, filter, accept)
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
        translation: Vec2,
        filter: QueryFilter,
    ) -> Vec<ShapeHit> {
        self.shape_cast_all_where(shape, position, angle, translation, filter, |_| true)
    }

    /// Like [`shape_cast_all`](Self::shape_cast_all) from `position` \[m\] at `angle` \[rad\] along `translation`
    /// \[m\], among the shapes for which `accept` returns `true`.
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
        let query = ShapeQuery::new(shape, position, translation).turned_to(angle);
        self.query_scene().shape_cast_all(&query, filter, accept)
    }

    /// Returns the surfaces within `reach` \[m\] of a mover as planes, at most one per shape, in order of id.
    ///
    /// A chain segment has planes only on its solid side, with normals that its chain has there. A one-way
    /// shape has them only on its open side, and not if it overlaps the mover. Arguments that are not finite
    /// have none.
    #[must_use]
    pub fn mover_planes(
        &self,
        mover: &Mover<'_>,
        reach: f32,
        filter: QueryFilter,
    ) -> Vec<MoverPlane> {
        self.mover_planes_where(mover, reach, filter, |_| true)
    }

    /// Like [`mover_planes`](Self::mover_planes) within `reach` \[m\], among the shapes for which `accept` returns
    /// `true`.
    #[must_use]
    pub fn mover_planes_where(
        &self,
        mover: &Mover<'_>,
        reach: f32,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<MoverPlane> {
        let scene = self.query_scene();
        scene.mover_planes(mover, reach, filter, accept)
    }

    /// Moves a mover along `translation` \[m\] and returns the first shape that comes within `skin` \[m\] of
    /// it; of two hits at one fraction, that of the lower slot.
    ///
    /// Unlike [`shape_cast`](Self::shape_cast) it ignores shapes that the mover touches or overlaps at the
    /// start, unless the translation leads deeper into them. One-way shapes are hit only from their open
    /// side, and not if they overlap the mover. Arguments that are not finite have no hit.
    #[must_use]
    pub fn mover_cast(
        &self,
        mover: &Mover<'_>,
        translation: Vec2,
        skin: f32,
        filter: QueryFilter,
    ) -> Option<ShapeHit> {
        self.mover_cast_where(mover, translation, skin, filter, |_| true)
    }

    /// Like [`mover_cast`](Self::mover_cast) along `translation` \[m\] with `skin` \[m\], among the shapes for
    /// which `accept` returns `true`.
    #[must_use]
    pub fn mover_cast_where(
        &self,
        mover: &Mover<'_>,
        translation: Vec2,
        skin: f32,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Option<ShapeHit> {
        let scene = self.query_scene();
        scene.mover_cast(mover, translation, skin, filter, accept)
    }
}
