//! Axis-aligned boxes.

use crate::math::{Point, Vec2};
use crate::persist::{LoadError, Persist, Reader, Sink};
use crate::ray::{Ray, RayHit};
use crate::state_hash::{HashState, StateHasher};

/// Axis-aligned box, closed: its border belongs to it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Aabb {
    /// Corner with the smallest coordinates \[m\].
    pub min: Point,
    /// Corner with the largest coordinates \[m\].
    pub max: Point,
}

impl HashState for Aabb {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { min, max } = self;
        hash.add(min).add(max);
    }
}

/// Unlike points, boxes may have infinite coordinates: see [`Aabb::EMPTY`].
impl Persist for Aabb {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self { min, max } = self;
        sink.field("min", min);
        sink.field("max", max);
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let [x, y, right, top] = reader.read()?;
        Ok(Self::new(Point::new(x, y), Point::new(right, top)))
    }
}

impl Aabb {
    /// Box that contains nothing and leaves every box unchanged in a union.
    pub const EMPTY: Self = Self {
        min: Point::new(f32::INFINITY, f32::INFINITY),
        max: Point::new(f32::NEG_INFINITY, f32::NEG_INFINITY),
    };

    /// Returns the box from corner `min` to corner `max`.
    #[must_use]
    #[inline]
    pub const fn new(min: Point, max: Point) -> Self {
        Self { min, max }
    }

    /// Returns the box around `center` that reaches `half` to each side \[m\].
    #[must_use]
    #[inline]
    pub fn from_center_half(center: Point, half: Vec2) -> Self {
        Self {
            min: center - half,
            max: center + half,
        }
    }

    /// Returns the smallest box around all `points`; [`Aabb::EMPTY`] for none.
    #[must_use]
    pub fn from_points(points: &[Point]) -> Self {
        points
            .iter()
            .fold(Self::EMPTY, |aabb, p| aabb.with_point(p))
    }

    /// Returns the smallest box around this one and `point`.
    #[must_use]
    #[inline]
    pub fn with_point(&self, point: &Point) -> Self {
        Self {
            min: self.min.inf(point),
            max: self.max.sup(point),
        }
    }

    /// Returns the smallest box around both.
    #[must_use]
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.inf(&other.min),
            max: self.max.sup(&other.max),
        }
    }

    /// Returns the part that both share, or `None` where they do not meet.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let shared = Self {
            min: self.min.sup(&other.min),
            max: self.max.inf(&other.max),
        };
        (shared.min.x <= shared.max.x && shared.min.y <= shared.max.y).then_some(shared)
    }

    /// Returns `true` if the boxes share a point; touching borders do.
    #[must_use]
    #[inline]
    pub fn overlaps(&self, other: &Self) -> bool {
        // `&` and not `&&`: four comparisons without a branch.
        (self.min.x <= other.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.x <= self.max.x)
            & (other.min.y <= self.max.y)
    }

    /// Returns `true` if `other` lies inside; borders may touch.
    #[must_use]
    #[inline]
    pub fn contains(&self, other: &Self) -> bool {
        (self.min.x <= other.min.x)
            & (self.min.y <= other.min.y)
            & (other.max.x <= self.max.x)
            & (other.max.y <= self.max.y)
    }

    /// Returns `true` if `point` lies inside or on the border.
    #[must_use]
    #[inline]
    pub fn contains_point(&self, point: &Point) -> bool {
        self.contains(&Self::new(*point, *point))
    }

    /// Returns the box grown by `margin` on each side \[m\]; a negative margin shrinks it, at most to
    /// its center.
    #[must_use]
    #[inline]
    pub fn expanded(&self, margin: f32) -> Self {
        let m = Vec2::new(margin, margin);
        let grown = Self {
            min: self.min - m,
            max: self.max + m,
        };
        if margin >= 0.0 {
            return grown;
        }
        let center = self.center();
        Self {
            min: grown.min.inf(&center),
            max: grown.max.sup(&center),
        }
    }

    /// Returns the box moved by `offset` \[m\].
    #[must_use]
    #[inline]
    pub fn translated(&self, offset: &Vec2) -> Self {
        Self {
            min: self.min + offset,
            max: self.max + offset,
        }
    }

    /// Returns the sum of the four side lengths \[m\].
    #[must_use]
    #[inline]
    pub fn perimeter(&self) -> f32 {
        let size = self.max - self.min;
        2.0 * (size.x + size.y)
    }

    /// Returns width times height [m^2].
    #[must_use]
    pub fn area(&self) -> f32 {
        let size = self.max - self.min;
        size.x * size.y
    }

    /// Returns the middle \[m\].
    #[must_use]
    #[inline]
    pub fn center(&self) -> Point {
        // Halved first: the sum of two finite numbers may overflow.
        Point::from(self.min.coords * 0.5 + self.max.coords * 0.5)
    }

    /// Returns half of width and height \[m\].
    #[must_use]
    #[inline]
    pub fn extents(&self) -> Vec2 {
        self.max.coords * 0.5 - self.min.coords * 0.5
    }

    /// Returns `true` if all numbers are finite and `min` is nowhere above `max`.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.is_finite() && self.min.x <= self.max.x && self.min.y <= self.max.y
    }

    /// Returns `true` if all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.min
            .coords
            .iter()
            .chain(self.max.coords.iter())
            .all(|x| x.is_finite())
    }

    /// Returns the first point of the box on `ray`; fraction 0 and a zero normal where the ray
    /// starts inside or on the border.
    #[must_use]
    pub fn ray_cast(&self, ray: &Ray) -> Option<RayHit> {
        let mut entry = (0.0_f32, Vec2::zeros());
        let mut exit = ray.max_fraction;
        for axis in 0..2 {
            let (origin, step) = (ray.origin[axis], ray.translation[axis]);
            if step == 0.0 {
                if origin < self.min[axis] || origin > self.max[axis] {
                    return None;
                }
                continue;
            }
            let (near, far) = if step > 0.0 {
                (self.min[axis], self.max[axis])
            } else {
                (self.max[axis], self.min[axis])
            };
            let (near, far) = ((near - origin) / step, (far - origin) / step);
            if near > entry.0 {
                let mut normal = Vec2::zeros();
                normal[axis] = -step.signum();
                entry = (near, normal);
            }
            exit = exit.min(far);
        }
        let (fraction, normal) = entry;
        (fraction <= exit).then(|| RayHit {
            fraction,
            point: ray.at(fraction),
            normal,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{point, vec2};

    const UNIT: Aabb = Aabb::new(Point::new(-1.0, -1.0), Point::new(1.0, 1.0));

    #[test]
    fn touching_boxes_overlap() {
        assert!(UNIT.overlaps(&UNIT.translated(&vec2(2.0, 2.0))));
        assert!(!UNIT.overlaps(&UNIT.translated(&vec2(2.1, 0.0))));
    }

    #[test]
    fn shrinking_stops_at_the_center() {
        assert_eq!(
            UNIT.expanded(-3.0),
            Aabb::new(Point::origin(), Point::origin())
        );
    }

    #[test]
    fn a_ray_hits_the_near_side() {
        let hit = UNIT
            .ray_cast(&Ray::new(point(-3.0, 0.0), vec2(6.0, 0.0)))
            .unwrap();
        assert_eq!(hit.point, point(-1.0, 0.0));
        assert_eq!(hit.normal, vec2(-1.0, 0.0));
        let inside = UNIT
            .ray_cast(&Ray::new(point(0.5, 0.0), vec2(6.0, 0.0)))
            .unwrap();
        assert_eq!((inside.fraction, inside.normal), (0.0, Vec2::zeros()));
        assert!(
            UNIT.ray_cast(&Ray::new(point(-3.0, 2.0), vec2(6.0, 0.0)))
                .is_none()
        );
        assert!(
            UNIT.ray_cast(&Ray::new(point(-3.0, 0.0), vec2(1.0, 0.0)))
                .is_none()
        );
    }
}
