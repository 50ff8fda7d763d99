//! Batches of queries, distributed over the threads of the world.

use crate::id::ShapeId;
use crate::material::QueryFilter;
use crate::workers::map_on_pool;
use crate::world::World;
use crate::world::query::cast::ShapeHit;
use crate::world::query::overlap::Nearest;
use crate::world::query::scene::ShapeQuery;
use cairn2d_geometry::IntoVec2;
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// A ray to cast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayQuery {
    /// Start of the ray \[m\].
    pub origin: WorldPoint,
    /// Vector from the start to the end of the ray \[m\].
    pub translation: Vec2,
}

impl RayQuery {
    /// Returns the ray from `origin` along `translation` \[m\].
    #[must_use]
    pub fn new(origin: impl Into<WorldPoint>, translation: impl IntoVec2) -> Self {
        Self {
            origin: origin.into(),
            translation: translation.into_vec2(),
        }
    }
}

/// Number of queries from which several threads are used: a ray takes about 1 us, passing work to a thread 10
/// us.
const MIN_PARALLEL_QUERIES: usize = 128;

/// Least number of queries that a thread takes at once.
const QUERIES_PER_TASK: usize = 32;

/// # Batches of queries
impl World {
    /// Casts many rays and returns, in their order, the result of [`ray_cast`](Self::ray_cast) for each.
    ///
    /// Batches of 128 queries or more use the threads of the world.
    #[must_use]
    pub fn ray_casts(&self, rays: &[RayQuery], filter: QueryFilter<'_>) -> Vec<Option<ShapeHit>> {
        self.map_queries(rays, |ray| {
            self.ray_cast(ray.origin, ray.translation, filter)
        })
    }

    /// Casts many shapes and returns, in their order, the result of [`shape_cast`](Self::shape_cast) for each.
    #[must_use]
    pub fn shape_casts(
        &self,
        casts: &[ShapeQuery<'_>],
        filter: QueryFilter<'_>,
    ) -> Vec<Option<ShapeHit>> {
        self.map_queries(casts, |cast| {
            self.shape_cast(
                cast.shape,
                cast.position,
                cast.angle,
                cast.translation,
                filter,
            )
        })
    }

    /// Finds the overlaps of many shapes and returns, in their order, the result of
    /// [`overlap_shape`](Self::overlap_shape) for each.
    #[must_use]
    pub fn overlap_shapes(
        &self,
        places: &[ShapeQuery<'_>],
        filter: QueryFilter<'_>,
    ) -> Vec<Vec<ShapeId>> {
        self.map_queries(places, |place| {
            self.overlap_shape(place.shape, place.position, place.angle, filter)
        })
    }

    /// Finds the shapes nearest to many points and returns, in their order, the result of
    /// [`closest_shape`](Self::closest_shape) for each; `max_distance` in \[m\].
    #[must_use]
    pub fn closest_shapes(
        &self,
        points: &[WorldPoint],
        max_distance: f32,
        filter: QueryFilter<'_>,
    ) -> Vec<Option<Nearest>> {
        self.map_queries(points, |point| {
            self.closest_shape(*point, max_distance, filter)
        })
    }

    fn map_queries<Q: Sync, A: Send>(
        &self,
        queries: &[Q],
        answer: impl Fn(&Q) -> A + Send + Sync,
    ) -> Vec<A> {
        if self.def.threads == 1 || queries.len() < MIN_PARALLEL_QUERIES {
            return queries.iter().map(answer).collect();
        }
        map_on_pool(self.pool.as_ref(), QUERIES_PER_TASK, queries, answer)
    }
}
