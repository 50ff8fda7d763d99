//! Many questions at once, shared out to the threads of the world.

use crate::id::ShapeId;
use crate::material::QueryFilter;
use crate::world::World;
use crate::world::query_cast::ShapeHit;
use crate::world::query_shape::Nearest;
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use rayon::prelude::*;

/// A ray to be cast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayQuery {
    /// Where it starts \[m\].
    pub origin: WorldPoint,
    /// Where it goes from there \[m\].
    pub translation: Vec2,
}

impl RayQuery {
    /// Returns the ray from `origin` along `translation` \[m\].
    #[must_use]
    pub fn new(origin: impl Into<WorldPoint>, translation: Vec2) -> Self {
        Self {
            origin: origin.into(),
            translation,
        }
    }
}

/// A shape somewhere, to be cast or to overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeQuery<'a> {
    /// The shape.
    pub shape: &'a Shape,
    /// Where its origin is \[m\].
    pub position: WorldPoint,
    /// How it is turned \[rad\].
    pub angle: f32,
    /// Where it goes from there \[m\]; an overlap does not look at it.
    pub translation: Vec2,
}

impl<'a> ShapeQuery<'a> {
    /// Returns the query of `shape` at `position` \[m\], not turned, that goes along `translation` \[m\].
    #[must_use]
    pub fn new(shape: &'a Shape, position: impl Into<WorldPoint>, translation: Vec2) -> Self {
        Self {
            shape,
            position: position.into(),
            angle: 0.0,
            translation,
        }
    }
}

/// Queries from which more than one thread is used: a ray takes about a microsecond, handing work over ten.
const PARALLEL_FROM: usize = 128;

/// Queries that a thread takes at a time.
const BLOCK: usize = 32;

impl World {
    /// Casts many rays: the answer to each is that of [`ray_cast`](Self::ray_cast), at its place.
    ///
    /// A world of several threads shares the work out.
    #[must_use]
    pub fn ray_casts(&self, rays: &[RayQuery], filter: QueryFilter) -> Vec<Option<ShapeHit>> {
        self.answer_all(rays, |ray| {
            self.ray_cast(ray.origin, ray.translation, filter)
        })
    }

    /// Casts many shapes: the answer to each is that of [`shape_cast`](Self::shape_cast), at its place.
    #[must_use]
    pub fn shape_casts(
        &self,
        casts: &[ShapeQuery<'_>],
        filter: QueryFilter,
    ) -> Vec<Option<ShapeHit>> {
        self.answer_all(casts, |cast| {
            self.shape_cast(
                cast.shape,
                cast.position,
                cast.angle,
                cast.translation,
                filter,
            )
        })
    }

    /// Finds what many shapes overlap: the answer to each is that of [`overlap_shape`](Self::overlap_shape), at its
    /// place.
    #[must_use]
    pub fn overlap_shapes(
        &self,
        places: &[ShapeQuery<'_>],
        filter: QueryFilter,
    ) -> Vec<Vec<ShapeId>> {
        self.answer_all(places, |place| {
            self.overlap_shape(place.shape, place.position, place.angle, filter)
        })
    }

    /// Finds the shapes nearest to many points: the answer to each is that of
    /// [`closest_shape`](Self::closest_shape), at its place.
    #[must_use]
    pub fn closest_shapes(
        &self,
        points: &[WorldPoint],
        max_distance: f32,
        filter: QueryFilter,
    ) -> Vec<Option<Nearest>> {
        self.answer_all(points, |point| {
            self.closest_shape(*point, max_distance, filter)
        })
    }

    fn answer_all<Q: Sync, A: Send>(
        &self,
        queries: &[Q],
        answer: impl Fn(&Q) -> A + Send + Sync,
    ) -> Vec<A> {
        if self.def.threads == 1 || queries.len() < PARALLEL_FROM {
            return queries.iter().map(answer).collect();
        }
        let run = || {
            let shared = queries.par_iter().with_min_len(BLOCK);
            shared.map(&answer).collect()
        };
        match self.pool.as_deref() {
            Some(pool) => pool.install(run),
            None => run(),
        }
    }
}
