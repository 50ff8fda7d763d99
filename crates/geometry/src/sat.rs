//! Separating axes of two convex polygons: overlap, shortest push, and first contact of straight
//! motion.

use crate::double::{DPose, DVec, to_f32, to_f64, wide_vec};
use crate::math::{Pose, Vec2};
use crate::rounded_hull::RoundedHull;

/// Axis that separated two polygons last time; most likely it still does. Any value is valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AxisCache(u32);

/// First contact of two polygons in straight motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweptContact {
    /// Time of the contact, in units of the displacement; negative if they overlap now: the time since the
    /// contact. Negative infinity if they overlap and do not move relative to each other.
    pub time: f32,
    /// Time at which they separate again; infinite if they never do.
    pub end: f32,
    /// Unit normal of the first contact, from A to B; for overlap without motion, the direction of the
    /// smallest separating translation of B.
    pub normal: Vec2,
}

/// Returns `true` if the cores of two hulls with edges share a point; touching ones do. Everything is in the
/// frame of `a`. Rounding does not count: see [`overlaps`](crate::overlaps).
#[must_use]
pub fn hulls_overlap(
    a: &RoundedHull<'_>,
    b: &RoundedHull<'_>,
    b_in_a: &Pose,
    cache: &mut AxisCache,
) -> bool {
    let pair = HullPair::new(a, b, b_in_a);
    let count = pair.axis_count() as u32;
    let is_apart = |index: u32| pair.separation(index as usize).1 > 0.0;
    if cache.0 < count && is_apart(cache.0) {
        return false;
    }
    match (0..count).find(|&index| is_apart(index)) {
        Some(index) => {
            cache.0 = index;
            false
        }
        None => true,
    }
}

/// Returns the shortest displacement of B that separates the cores of two hulls with edges, or `None` where they are
/// apart \[m\]. Everything is in the frame of `a`.
#[must_use]
pub fn minimum_translation(
    a: &RoundedHull<'_>,
    b: &RoundedHull<'_>,
    b_in_a: &Pose,
) -> Option<Vec2> {
    let (normal, separation) = HullPair::new(a, b, b_in_a).largest_separation();
    (separation <= 0.0).then(|| to_f32(&(normal * -separation)))
}

/// Returns the first contact of two hulls with edges while B moves along `translation` against A, or `None`
/// where they never touch, before or after. Rounding does not count: see
/// [`shape_cast`](crate::shape_cast).
///
/// On each axis the polygons are two intervals, which meet and part at known times; the polygons touch
/// from the last meeting to the first parting.
#[must_use]
pub fn swept_contact(
    a: &RoundedHull<'_>,
    b: &RoundedHull<'_>,
    b_in_a: &Pose,
    translation: &Vec2,
) -> Option<SweptContact> {
    let pair = HullPair::new(a, b, b_in_a);
    let step = wide_vec(translation);
    let mut first = (f64::NEG_INFINITY, None);
    let mut end = f64::INFINITY;
    for index in 0..pair.axis_count() {
        let (normal, separation) = pair.separation(index);
        let approach = -normal.dot(&step);
        let time = separation / approach;
        if approach > 0.0 {
            if time > first.0 {
                first = (time, Some(normal));
            }
        } else if approach < 0.0 {
            end = end.min(time);
        } else if separation > 0.0 {
            return None;
        }
    }
    let normal = first.1.unwrap_or_else(|| pair.largest_separation().0);
    (first.0 <= end).then(|| SweptContact {
        time: first.0 as f32,
        end: end as f32,
        normal: to_f32(&normal),
    })
}

/// Two cores in the frame of A, and all outward normals of both, as directions from A to B.
struct HullPair<'a> {
    a: &'a RoundedHull<'a>,
    b: &'a RoundedHull<'a>,
    b_in_a: DPose,
}

impl<'a> HullPair<'a> {
    fn new(a: &'a RoundedHull<'a>, b: &'a RoundedHull<'a>, b_in_a: &Pose) -> Self {
        Self {
            a,
            b,
            b_in_a: DPose::new(b_in_a),
        }
    }

    /// Returns the count of axes: the edge normals, and for two lines also their directions.
    fn axis_count(&self) -> usize {
        let edges = self.a.normals.len() + self.b.normals.len();
        if self.is_line_pair() {
            2 * edges
        } else {
            edges
        }
    }

    fn is_line_pair(&self) -> bool {
        self.a.vertices.len() == 2 && self.b.vertices.len() == 2
    }

    /// Returns axis `index` and the separation along it.
    fn separation(&self, index: usize) -> (DVec, f64) {
        let edges = self.a.normals.len() + self.b.normals.len();
        let normal = self.edge_axis(index % edges);
        // Two lines on one line are apart along it, or not at all.
        let normal = if index < edges {
            normal
        } else {
            crate::double::perp64(&normal)
        };
        let top = self
            .a
            .vertices
            .iter()
            .map(|v| normal.dot(&to_f64(v)))
            .fold(f64::NEG_INFINITY, f64::max);
        let bottom = self
            .b
            .vertices
            .iter()
            .map(|v| normal.dot(&self.b_in_a.apply(&to_f64(v))))
            .fold(f64::INFINITY, f64::min);
        (normal, bottom - top)
    }

    fn edge_axis(&self, index: usize) -> DVec {
        match self.a.normals.get(index) {
            Some(n) => wide_vec(n),
            None => -self
                .b_in_a
                .rotate(&wide_vec(&self.b.normals[index - self.a.normals.len()])),
        }
    }

    fn largest_separation(&self) -> (DVec, f64) {
        (0..self.axis_count())
            .map(|index| self.separation(index))
            .fold((DVec::y(), f64::NEG_INFINITY), |best, next| {
                if next.1 > best.1 { next } else { best }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{pose, vec2};
    use crate::shape::Polygon;

    #[test]
    fn meeting_and_parting_times_are_those_of_the_sides() {
        let square = Polygon::rectangle(0.5, 0.5);
        let hull = square.as_hull();
        let contact = swept_contact(&hull, &hull, &pose(3.0, 0.2, 0.0), &vec2(-4.0, 0.0)).unwrap();
        assert_eq!(
            (contact.time, contact.end, contact.normal),
            (0.5, 1.0, vec2(1.0, 0.0))
        );
        let ago = swept_contact(&hull, &hull, &pose(0.5, 0.2, 0.0), &vec2(-1.0, 0.0)).unwrap();
        assert_eq!((ago.time, ago.normal), (-0.5, vec2(1.0, 0.0)));
        assert!(swept_contact(&hull, &hull, &pose(3.0, 1.2, 0.0), &vec2(-4.0, 0.0)).is_none());
        let still = swept_contact(&hull, &hull, &pose(0.9, 0.0, 0.0), &Vec2::zeros()).unwrap();
        assert_eq!(
            (still.time, still.normal),
            (f32::NEG_INFINITY, vec2(1.0, 0.0))
        );
    }

    #[test]
    fn the_shortest_push_is_across_the_thin_side() {
        let square = Polygon::rectangle(0.5, 0.5);
        let (hull, cache) = (square.as_hull(), &mut AxisCache::default());
        let push = minimum_translation(&hull, &hull, &pose(0.25, -0.75, 0.0)).unwrap();
        assert_eq!(push, vec2(0.0, -0.25));
        assert!(minimum_translation(&hull, &hull, &pose(1.1, 0.0, 0.0)).is_none());
        for x in [0.9, 1.1, 1.2, 0.8] {
            assert_eq!(
                hulls_overlap(&hull, &hull, &pose(x, 0.0, 0.0), cache),
                x < 1.0
            );
        }
    }
}
