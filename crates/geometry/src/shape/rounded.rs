//! Convex polygon of one, two or more vertices, rounded: the common form of circle, capsule, segment and polygon.

use crate::aabb::Aabb;
use crate::double::{DVec, narrow_point, normalize64, perp64, to_f32, to_f64, wide_vec};
use crate::error::{MAX_COORDINATE, bounded_points};
use crate::math::{Point, Pose, Vec2};
use crate::rounded_hull::RoundedHull;
use crate::support::{Support, SupportPoint};

/// Place on a surface that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Projection {
    /// Nearest place on the surface \[m\].
    pub point: Point,
    /// Outward unit normal of the surface there.
    pub normal: Vec2,
    /// Distance of the point from the surface, negative where it is inside \[m\].
    pub separation: f32,
}

/// Returns `true` for unit vectors, as far as those of any version of the engine are exact.
pub(super) fn is_unit(v: &Vec2) -> bool {
    (v.norm_squared() - 1.0).abs() < 1.0e-3
}

impl RoundedHull<'_> {
    /// Returns `true` if vertices, normals and radius, read from a save, can be those of a shape.
    pub(super) fn is_valid(&self) -> bool {
        let count = self.vertices.len();
        let has_all_normals = self.normals.len() == if count == 1 { 0 } else { count };
        has_all_normals
            && count <= usize::from(u16::MAX)
            && bounded_points(self.vertices).is_ok()
            && self.normals.iter().all(is_unit)
            && (0.0..=MAX_COORDINATE).contains(&self.radius)
    }

    /// Returns the box around the shape at `pose`, rounded outward.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        let mut turned = Aabb::EMPTY;
        for v in self.vertices {
            turned = turned.with_point(&(pose.rotation * v));
        }
        outward_box(&turned, self.radius, pose)
    }

    /// Returns the surface point that is farthest along `direction`; for the zero vector, some point
    /// of the shape.
    #[must_use]
    pub fn support(&self, direction: &Vec2) -> Point {
        let out = normalize64(&wide_vec(direction)).unwrap_or_default();
        // Products with a tiny direction would vanish.
        let is_tiny = direction.norm_squared() < f32::MIN_POSITIVE;
        let direction = if is_tiny { to_f32(&out) } else { *direction };
        let core = to_f64(&self.core_support(&direction).point);
        narrow_point(&(core + out * f64::from(self.radius)))
    }

    /// Returns `true` if `point` is inside or on the surface.
    #[must_use]
    pub fn contains(&self, point: &Point) -> bool {
        let (p, radius) = (to_f64(point), f64::from(self.radius));
        if let [a, b] = self.vertices {
            let on_line = nearest_on_segment(&to_f64(a), &to_f64(b), &p);
            return (p - on_line).norm_squared() <= radius * radius;
        }
        self.project_on_core(&p).separation <= radius
    }

    /// Returns the nearest place of the surface to `point`, which may be inside or outside.
    #[must_use]
    pub fn project(&self, point: &Point) -> Projection {
        let core = self.project_on_core(&to_f64(point));
        let radius = f64::from(self.radius);
        Projection {
            point: narrow_point(&(core.point + core.normal * radius)),
            normal: to_f32(&core.normal),
            separation: (core.separation - radius) as f32,
        }
    }

    /// Returns the largest distance of the surface from `point` \[m\].
    #[must_use]
    pub fn extent_about(&self, point: &Point) -> f32 {
        let far_sq = self
            .vertices
            .iter()
            .map(|v| (v - point).norm_squared())
            .fold(0.0, f32::max);
        far_sq.sqrt() + self.radius
    }

    /// Returns the nearest place on the border of the core, its outward normal, and the signed
    /// distance.
    fn project_on_core(&self, point: &DVec) -> CoreProjection {
        let mut nearest = CoreProjection {
            point: to_f64(&self.vertices[0]),
            normal: DVec::y(),
            separation: f64::INFINITY,
        };
        let mut face = (f64::NEG_INFINITY, 0);
        for (i, n) in self.normals.iter().enumerate() {
            let height = wide_vec(n).dot(&(point - to_f64(&self.vertices[i])));
            if height > face.0 {
                face = (height, i);
            }
        }
        if self.vertices.len() > 2 && face.0 <= 0.0 {
            let normal = wide_vec(&self.normals[face.1]);
            let normal = normalize64(&normal).unwrap_or(normal);
            return CoreProjection {
                point: point - normal * face.0,
                normal,
                separation: face.0,
            };
        }
        let mut least_sq = f64::INFINITY;
        for i in 0..self.vertices.len() {
            let (a, b) = (
                self.vertices[i],
                self.vertices[(i + 1) % self.vertices.len()],
            );
            let on_edge = nearest_on_segment(&to_f64(&a), &to_f64(&b), point);
            let offset = point - on_edge;
            if offset.norm_squared() < least_sq {
                least_sq = offset.norm_squared();
                nearest.point = on_edge;
                nearest.separation = least_sq.sqrt();
                let fallback = self.normals.get(i).map_or_else(DVec::y, wide_vec);
                nearest.normal = normalize64(&offset).unwrap_or(fallback);
            }
        }
        nearest
    }
}

struct CoreProjection {
    point: DVec,
    normal: DVec,
    separation: f64,
}

impl Support for RoundedHull<'_> {
    #[inline]
    fn core_support(&self, direction: &Vec2) -> SupportPoint {
        let (first, rest) = match self.vertices {
            [a, b] => return farther_end(a, b, direction),
            [first, rest @ ..] => (first, rest),
            [] => {
                return SupportPoint {
                    point: Point::origin(),
                    index: 0,
                };
            }
        };
        let (mut best, mut most) = (0, first.coords.dot(direction));
        for (i, v) in rest.iter().enumerate() {
            let reach = v.coords.dot(direction);
            if reach > most {
                (best, most) = (i + 1, reach);
            }
        }
        SupportPoint {
            point: self.vertices[best],
            index: best as u16,
        }
    }

    #[inline]
    fn core_vertex(&self, index: u16) -> Point {
        self.vertices[usize::from(index).min(self.vertices.len() - 1)]
    }

    #[inline]
    fn rounding(&self) -> f32 {
        self.radius
    }
}

/// Hull whose corners are known to turn strictly left: support points are searched along the outline.
///
/// Not so for any [`RoundedHull`]: the corners of one that was moved are rounded, and where two of them are nearly one, the
/// outline turns right, and a search along it ends there.
pub(crate) struct Outline<'a>(pub(crate) RoundedHull<'a>);

impl Support for Outline<'_> {
    #[inline]
    fn core_support(&self, direction: &Vec2) -> SupportPoint {
        self.0.core_support(direction)
    }

    #[inline(always)]
    fn core_support_near(&self, direction: &Vec2, index: u16) -> SupportPoint {
        let count = self.0.vertices.len();
        if count < 3 {
            return self.0.core_support(direction);
        }
        // In double precision, where hardly any two corners are as far as each other.
        let direction = wide_vec(direction);
        let reach = |i: usize| to_f64(&self.0.vertices[i]).dot(&direction);
        let after = |i: usize| if i + 1 == count { 0 } else { i + 1 };
        let before = |i: usize| if i == 0 { count - 1 } else { i - 1 };
        let start = usize::from(index).min(count - 1);
        let here = reach(start);
        let (mut best, mut most) = (start, here);
        // On to corners that are just as far: two may differ by less than a rounding, with a farther one behind.
        let mut next = after(start);
        let mut beside = reach(next);
        while beside >= most && next != start {
            (best, most) = (next, beside);
            next = after(next);
            beside = reach(next);
        }
        if most <= here {
            next = before(start);
            beside = reach(next);
            while beside >= most && next != start {
                (best, most) = (next, beside);
                next = before(next);
                beside = reach(next);
            }
        }
        SupportPoint {
            point: self.0.vertices[best],
            index: best as u16,
        }
    }

    #[inline]
    fn core_vertex(&self, index: u16) -> Point {
        self.0.core_vertex(index)
    }

    #[inline]
    fn rounding(&self) -> f32 {
        self.0.radius
    }

    #[inline]
    fn as_rounded_hull(&self) -> Option<RoundedHull<'_>> {
        Some(self.0)
    }
}

/// Returns the end of a line that is farther along `direction`, the first where both are as far.
#[inline]
fn farther_end(a: &Point, b: &Point, direction: &Vec2) -> SupportPoint {
    let is_second = b.coords.dot(direction) > a.coords.dot(direction);
    SupportPoint {
        point: if is_second { *b } else { *a },
        index: is_second.into(),
    }
}

/// Returns `turned`, the box of a shape that was rotated but not yet moved, moved to `pose` and grown by
/// `radius` and by the greatest error of rounding.
pub(super) fn outward_box(turned: &Aabb, radius: f32, pose: &Pose) -> Aabb {
    /// Two products, their sum, the radius and the translation round, each by half an epsilon.
    const ROUNDINGS: f32 = 2.5 * f32::EPSILON;
    let at = pose.translation.vector;
    let reach = turned.min.coords.abs().sup(&turned.max.coords.abs());
    // Each coordinate of a rotated point depends on both of the point.
    let scale = at.abs().add_scalar(reach.x + reach.y + radius);
    let grow = (scale * ROUNDINGS).add_scalar(radius);
    Aabb {
        min: turned.min + at - grow,
        max: turned.max + at + grow,
    }
}

/// Returns the point of the segment `a b` that is nearest to `point`.
pub(crate) fn nearest_on_segment(a: &DVec, b: &DVec, point: &DVec) -> DVec {
    let edge = b - a;
    let length_sq = edge.norm_squared();
    let along = edge.dot(&(point - a));
    if along <= 0.0 || length_sq == 0.0 {
        *a
    } else if along >= length_sq {
        *b
    } else {
        a + edge * (along / length_sq)
    }
}

/// Returns the outward unit normals of the edges of a counter-clockwise polygon.
pub(crate) fn edge_normals(vertices: &[Point]) -> impl Iterator<Item = Vec2> + '_ {
    vertices.iter().enumerate().map(|(i, v)| {
        let edge = to_f64(&vertices[(i + 1) % vertices.len()]) - to_f64(v);
        to_f32(&normalize64(&-perp64(&edge)).unwrap_or_default())
    })
}
