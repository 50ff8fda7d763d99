//! The records of a contact: hot, copied once per contact and step.

use crate::math::{Point, Vec2};
use crate::persist::{LoadError, Persist, Reader, Sink};
use crate::simplex::SimplexCache;
use crate::state_hash::{HashState, StateHasher};
use crate::state_record;
use crate::tolerance::SPECULATIVE_DISTANCE;

/// Feature id of a contact point: a corner of A and one of B. It stays the same while shapes slide and turn
/// a little, so that impulses are matched to the same point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeatureId(pub u32);

impl FeatureId {
    /// Names the point by the corner of A and the corner of B that its end of the contact belongs to.
    #[must_use]
    #[inline]
    pub const fn new(vertex_a: usize, vertex_b: usize) -> Self {
        Self((vertex_a as u32 & 0xffff) << 16 | (vertex_b as u32 & 0xffff))
    }

    /// Returns the name of the same point with A and B exchanged.
    #[must_use]
    #[inline]
    pub const fn swapped(self) -> Self {
        Self(self.0.rotate_left(16))
    }
}

/// Place where two surfaces touch or are about to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ManifoldPoint {
    /// Middle between the two surfaces, in the frame of A \[m\].
    pub point: Point,
    /// Signed gap along the normal, negative where the shapes overlap \[m\].
    pub separation: f32,
    /// Features that made the point.
    pub id: FeatureId,
}

impl ManifoldPoint {
    const NONE: Self = Self {
        point: Point::new(0.0, 0.0),
        separation: 0.0,
        id: FeatureId(0),
    };
}

/// Up to two places along which two shapes touch, with one normal.
///
/// Written by the narrow phase, read when contact constraints are prepared. 48 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Manifold {
    /// Unit vector from A to B, in the frame of A; zero without points.
    pub normal: Vec2,
    points: [ManifoldPoint; 2],
    count: u16,
    /// With one point: the second is the other end of the same face, beyond the speculative distance.
    has_far_end: bool,
    /// Without points: a lower bound of how much farther apart than the speculative distance the surfaces are \[m\]; 0 if
    /// that is unknown. As long as the shapes approach each other by no more than this, there are no points.
    pub clearance: f32,
}

const _: () = assert!(size_of::<Manifold>() == 48);

impl Manifold {
    /// No contact.
    pub const EMPTY: Self = Self {
        normal: Vec2::new(0.0, 0.0),
        points: [ManifoldPoint::NONE; 2],
        count: 0,
        has_far_end: false,
        clearance: 0.0,
    };

    /// Returns the manifold of shapes whose surfaces are at least `separation` \[m\] apart, more than the speculative distance.
    #[must_use]
    #[inline]
    pub(super) fn of_separated(separation: f32) -> Self {
        Self {
            clearance: separation - SPECULATIVE_DISTANCE,
            ..Self::EMPTY
        }
    }

    /// Returns a manifold without points yet.
    #[must_use]
    #[inline]
    pub const fn with_normal(normal: Vec2) -> Self {
        Self {
            normal,
            ..Self::EMPTY
        }
    }

    /// Returns the manifold of the ends of a face that are within the speculative distance, made in
    /// one piece: filled in point by point, it is copied before its numbers have left the store buffer.
    #[inline]
    pub(super) fn of_near(normal: Vec2, points: [ManifoldPoint; 2]) -> Self {
        let [first, second] = points;
        let is_near = |p: &ManifoldPoint| p.separation <= SPECULATIVE_DISTANCE;
        let (points, count) = match (is_near(&first), is_near(&second)) {
            (true, true) => (points, 2),
            (true, false) => (points, 1),
            (false, true) => ([second, first], 1),
            (false, false) => return Self::EMPTY,
        };
        Self {
            normal,
            points,
            count,
            has_far_end: count == 1,
            clearance: 0.0,
        }
    }

    /// Adds the other end of the face on which the only point lies, if it is no more than `reach` \[m\] away.
    /// Returns `true` if it was added.
    ///
    /// A box that lands on a corner is turned by the impact, and its other corner lands within the same step.
    #[inline]
    pub fn include_far_end(&mut self, reach: f32) -> bool {
        let is_included = self.has_far_end && self.points[1].separation <= reach;
        if is_included {
            self.count = 2;
            self.has_far_end = false;
        }
        is_included
    }

    /// Returns `true` if the only point is an end of a face whose other end is known.
    #[must_use]
    #[inline]
    pub const fn has_far_end(&self) -> bool {
        self.has_far_end
    }

    /// Returns the points, none to two.
    #[must_use]
    #[inline]
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points[..usize::from(self.count)]
    }

    /// Returns the points for change, for example by a hook of the user.
    #[must_use]
    #[inline]
    pub fn points_mut(&mut self) -> &mut [ManifoldPoint] {
        &mut self.points[..self.count as usize]
    }

    /// Returns `true` if there is no point.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a point; a third one is left out.
    #[inline]
    pub fn push(&mut self, point: ManifoldPoint) {
        if let Some(slot) = self.points.get_mut(self.count as usize) {
            *slot = point;
            self.count += 1;
        }
    }

    /// Returns the least separation of the points, or `None` without any \[m\].
    #[must_use]
    pub fn min_separation(&self) -> Option<f32> {
        self.points().iter().map(|p| p.separation).reduce(f32::min)
    }

    /// Returns the same contact with A and B exchanged, still in the same frame.
    #[must_use]
    #[inline]
    pub fn swapped(mut self) -> Self {
        self.normal = -self.normal;
        for p in &mut self.points {
            p.id = p.id.swapped();
        }
        self
    }
}

/// Cache of a pair from its last manifold for the next: 16 bytes, any value is valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ManifoldCache {
    /// For smooth shapes.
    pub(super) simplex: SimplexCache,
    /// For polygons: the face with the largest separation.
    pub(super) axis: CachedAxis,
}

state_record!(ManifoldCache { simplex, axis });

const _: () = assert!(size_of::<ManifoldCache>() == 16);

/// Face of A or B, or nothing yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CachedAxis(u16);

impl HashState for CachedAxis {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self(face) = self;
        hash.add(face);
    }
}

impl Persist for CachedAxis {
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self(face) = self;
        face.write(sink);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        reader.read().map(Self)
    }
}

impl CachedAxis {
    #[inline]
    pub(super) const fn face_of_a(index: usize) -> Self {
        Self((index as u16) << 2 | 1)
    }

    #[inline]
    pub(super) const fn face_of_b(index: usize) -> Self {
        Self((index as u16) << 2 | 2)
    }

    /// Returns the index if this is a face of A.
    #[inline]
    pub(super) fn in_a(self) -> Option<usize> {
        (self.0 & 3 == 1).then_some(usize::from(self.0 >> 2))
    }

    /// Returns the index if this is a face of B.
    #[inline]
    pub(super) fn in_b(self) -> Option<usize> {
        (self.0 & 3 == 2).then_some(usize::from(self.0 >> 2))
    }
}
