//! 2D convex geometry: shapes, and queries of one or two of them.
//!
//! Frames: shapes live in their own frame; a query of two shapes uses the frame of A, in which `b_in_a` is
//! the pose of B. Normals are unit vectors from A to B, or outward where there is only one shape. Separation
//! is signed: negative where shapes overlap. Lengths are in meters, angles in radians, counter-clockwise
//! positive.
#![forbid(unsafe_code)]

pub mod math;
#[doc(hidden)]
pub mod inverse;
mod vector_input;
#[cfg(any(
    feature = "mint",
    feature = "glam030",
    feature = "glam031",
    feature = "glam032",
    feature = "glam033"
))]
mod conversions;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod infinite;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod sparse;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod placed_list;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod name_list;
pub mod tolerance;
mod state_hash;
mod persist;
mod sort;
mod double;
mod planes;
mod error;
mod ray;
mod aabb;
mod mass;
mod approximate;
mod predicate;
mod hull;
mod intersection;
mod outline;
mod convex;
mod decompose;
mod sweep;
mod rounded_hull;
mod support;
mod inflated;
mod shape;
mod hints;
mod tile;
mod tile_surface;
mod simplex;
mod distance;
mod epa;
mod sat;
mod manifold;
mod cast;
mod toi;

pub use aabb::Aabb;
pub use cast::{CastHit, shape_cast, shape_cast_of, shape_cast_to_gap};
pub use convex::{convex_intersection, minkowski_difference, minkowski_sum, offset_outline};
pub use decompose::{DecomposeError, convex_pieces, triangulate};
pub use distance::{Distance, distance, overlaps};
pub use epa::{Penetration, penetration};
pub use error::{MAX_CELLS, MAX_COORDINATE, MIN_SIZE, ShapeError};
#[doc(hidden)]
pub use error::{demand, try_filled};
pub use hull::convex_hull;
pub use inflated::Inflated;
pub use intersection::{SegmentIntersection, line_intersection, segment_intersection};
pub use manifold::{FeatureId, Manifold, ManifoldCache, ManifoldPoint, collide, surface_normal};
pub use mass::MassData;
pub use outline::{
    Convexity, PolygonReport, centroid, check_outline, cleaned_outline, outline_contains,
    signed_area,
};
pub use persist::{
    ByteSink, Compared, DeltaSink, LoadError, LoadReason, Number, Persist, Place, PlacesSink,
    Reader, RecordPlaces, Sink, WrittenSlots, apply_delta,
};
pub use planes::{CollisionPlane, PlaneSolution, clip_velocity, solve_planes};
pub use predicate::{orientation, orientation_of_points};
pub use ray::{Ray, RayHit};
pub use rounded_hull::RoundedHull;
pub use sat::{AxisCache, SweptContact, hulls_overlap, minimum_translation, swept_contact};
pub use shape::{
    Capsule, Chain, ChainKind, ChainSegment, Circle, Ellipse, HalfSpace, INLINE_VERTICES, Polygon,
    Projection, Segment, Shape, ShapeArea,
};
pub use simplex::SimplexCache;
#[doc(hidden)]
pub use sort::{select_compact, sort_compact};
pub use state_hash::{HashState, StateHasher};
pub use support::{Support, SupportPoint};
pub use sweep::Sweep;
pub use tile::Tile;
#[doc(hidden)]
pub use tile_surface::TileCells;
pub use toi::{
    TimeOfImpact, ToiState, circle_time_of_impact, conservative_advancement, separation_curve,
    time_of_impact, time_of_impact_of,
};
pub use vector_input::{IntoPoint, IntoVec2};

/// The program of the page of the crate, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
