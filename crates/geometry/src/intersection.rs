//! Intersection of two lines or two segments.

use crate::double::{DVec, cross64, narrow_point, to_f64};
use crate::math::Point;
use crate::predicate::orientation_of;

/// Intersection of two segments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SegmentIntersection {
    /// Not at all.
    None,
    /// They cross at a point inside both \[m\].
    Crossing(Point),
    /// An end of one lies on the other \[m\].
    Touching(Point),
    /// They lie on one line and share more than a point.
    Overlapping,
}

/// Returns how the segments from `a` to `b` and from `c` to `d` meet.
///
/// The case is exact; only the point of a crossing is rounded. Segments may be points.
#[must_use]
pub fn segment_intersection(a: &Point, b: &Point, c: &Point, d: &Point) -> SegmentIntersection {
    let [a, b, c, d] = [to_f64(a), to_f64(b), to_f64(c), to_f64(d)];
    match intersect(&a, &b, &c, &d) {
        Meeting::None => SegmentIntersection::None,
        Meeting::Crossing => {
            let at = crossing(&a, &b, &c, &d).unwrap_or(a);
            SegmentIntersection::Crossing(narrow_point(&at))
        }
        Meeting::Touching(p) => SegmentIntersection::Touching(narrow_point(&p)),
        Meeting::Overlapping => SegmentIntersection::Overlapping,
    }
}

/// Returns where the lines through `a` and `b` and through `c` and `d` cross, or `None` where they are
/// parallel \[m\].
#[must_use]
pub fn line_intersection(a: &Point, b: &Point, c: &Point, d: &Point) -> Option<Point> {
    crossing(&to_f64(a), &to_f64(b), &to_f64(c), &to_f64(d)).map(|p| narrow_point(&p))
}

/// Intersection of two segments, in double precision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meeting {
    None,
    Crossing,
    Touching(DVec),
    Overlapping,
}

/// Returns how the segments from `a` to `b` and from `c` to `d` meet, exactly.
pub(crate) fn intersect(a: &DVec, b: &DVec, c: &DVec, d: &DVec) -> Meeting {
    let sides = [
        orientation_of(a, b, c),
        orientation_of(a, b, d),
        orientation_of(c, d, a),
        orientation_of(c, d, b),
    ];
    let is_split = |p: f64, q: f64| (p > 0.0 && q < 0.0) || (p < 0.0 && q > 0.0);
    if is_split(sides[0], sides[1]) && is_split(sides[2], sides[3]) {
        return Meeting::Crossing;
    }
    let mut touch: Option<DVec> = None;
    let ends = [
        (sides[0], c, a, b),
        (sides[1], d, a, b),
        (sides[2], a, c, d),
        (sides[3], b, c, d),
    ];
    for (side, p, q, r) in ends {
        if side == 0.0 && is_in_box(p, q, r) {
            if touch.is_some_and(|t| t != *p) {
                return Meeting::Overlapping;
            }
            touch = Some(*p);
        }
    }
    touch.map_or(Meeting::None, Meeting::Touching)
}

fn crossing(a: &DVec, b: &DVec, c: &DVec, d: &DVec) -> Option<DVec> {
    let (along, across) = (b - a, d - c);
    let area = cross64(&along, &across);
    (area != 0.0).then(|| a + along * (cross64(&(c - a), &across) / area))
}

/// Returns `true` if `p`, which lies on the line through `q` and `r`, lies between them or on one of them.
pub(crate) fn is_in_box(p: &DVec, q: &DVec, r: &DVec) -> bool {
    q.x.min(r.x) <= p.x && p.x <= q.x.max(r.x) && q.y.min(r.y) <= p.y && p.y <= q.y.max(r.y)
}
