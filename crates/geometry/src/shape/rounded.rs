//! Convex polygon of one, two or more vertices, rounded: what circle, capsule, segment and polygon are.

use crate::aabb::Aabb;
use crate::math::{Point, Pose, Vec2};
use crate::precise::{DVec, dcross, dleft, dunit, narrow, narrow_point, wide, wide_vec};
use crate::ray::{Ray, RayHit};
use crate::rounded_hull::RoundedHull;
use crate::support::{Support, SupportPoint};

/// Place on a surface that is nearest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Projection {
    /// Nearest place on the surface \[m\].
    pub point: Point,
    /// Outward unit normal of the surface there.
    pub normal: Vec2,
    /// Distance of the point from the surface, negative where it is inside \[m\].
    pub separation: f32,
}

impl RoundedHull<'_> {
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
        let core = wide(&self.core_support(direction).point);
        let out = dunit(&wide_vec(direction)).unwrap_or_default();
        narrow_point(&(core + out * f64::from(self.radius)))
    }

    /// Says whether `point` is inside or on the surface.
    #[must_use]
    pub fn contains(&self, point: &Point) -> bool {
        let (p, radius) = (wide(point), f64::from(self.radius));
        if let [a, b] = self.vertices {
            let on_line = nearest_on_segment(&wide(a), &wide(b), &p);
            return (p - on_line).norm_squared() <= radius * radius;
        }
        self.project_on_core(&p).separation <= radius
    }

    /// Returns the nearest place of the surface to `point`, which may be inside or outside.
    #[must_use]
    pub fn project(&self, point: &Point) -> Projection {
        let core = self.project_on_core(&wide(point));
        let radius = f64::from(self.radius);
        Projection {
            point: narrow_point(&(core.point + core.normal * radius)),
            normal: narrow(&core.normal),
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

    /// Returns the first point of the shape on `ray`; fraction 0 and a zero normal where the ray
    /// starts inside or on the surface.
    ///
    /// A ray along the line of a segment hits its near end.
    #[must_use]
    pub fn ray_cast(&self, ray: &Ray) -> Option<RayHit> {
        let (origin, step) = (wide(&ray.origin), wide_vec(&ray.translation));
        let at_start = RayHit {
            fraction: 0.0,
            point: ray.origin,
            normal: Vec2::zeros(),
        };
        let (t, normal) = match (self.vertices.len(), self.radius > 0.0) {
            (1, _) => {
                let offset = origin - wide(&self.vertices[0]);
                if offset.norm_squared() <= f64::from(self.radius) * f64::from(self.radius) {
                    return Some(at_start);
                }
                let t = circle_entry(&offset, &step, f64::from(self.radius))?;
                (t, (offset + step * t) / f64::from(self.radius))
            }
            (3.., false) => match self.clip_ray(&origin, &step) {
                Clip::Outside => return None,
                Clip::Inside => return Some(at_start),
                Clip::Entry(t, normal) => (t, normal),
            },
            (2, false) if !self.is_on_line(&origin) => self.cross_line(&origin, &step)?,
            _ if self.contains(&ray.origin) => return Some(at_start),
            _ => self.first_rounded_hit(&origin, &step)?,
        };
        (t <= f64::from(ray.max_fraction)).then(|| RayHit {
            fraction: t as f32,
            point: narrow_point(&(origin + step * t)),
            normal: narrow(&normal),
        })
    }

    fn is_on_line(&self, point: &DVec) -> bool {
        wide_vec(&self.normals[0]).dot(&(point - wide(&self.vertices[0]))) == 0.0
    }

    /// Crosses a segment from one side or the other.
    fn cross_line(&self, origin: &DVec, step: &DVec) -> Option<(f64, DVec)> {
        let (a, normal) = (wide(&self.vertices[0]), wide_vec(&self.normals[0]));
        let height = normal.dot(&(origin - a));
        let t = -height / normal.dot(step);
        let edge = wide(&self.vertices[1]) - a;
        let along = edge.dot(&(origin + step * t - a));
        let is_hit =
            (0.0..f64::INFINITY).contains(&t) && along >= 0.0 && along <= edge.norm_squared();
        is_hit.then(|| (t, normal * height.signum()))
    }

    /// Clips the line by all half-planes.
    fn clip_ray(&self, origin: &DVec, step: &DVec) -> Clip {
        let (mut entry, mut exit) = (0.0, f64::INFINITY);
        let mut face = None;
        let mut is_inside = true;
        for (i, (v, n)) in self.vertices.iter().zip(self.normals).enumerate() {
            let n = wide_vec(n);
            let height = n.dot(&(origin - wide(v)));
            let speed = -n.dot(step);
            is_inside &= height <= 0.0;
            if speed > 0.0 {
                if height >= speed * entry {
                    entry = height / speed;
                    face = Some(i);
                }
            } else if height > 0.0 {
                return Clip::Outside;
            } else if height > speed * exit {
                exit = height / speed;
            }
        }
        match face {
            _ if is_inside => Clip::Inside,
            Some(i) if entry <= exit => Clip::Entry(entry, wide_vec(&self.normals[i])),
            _ => Clip::Outside,
        }
    }

    /// Takes the earliest of: entering a pushed-out edge, entering a vertex circle.
    ///
    /// The circles lie inside the shape, so testing all of each circle closes the seams between
    /// edges and arcs without a tolerance.
    fn first_rounded_hit(&self, origin: &DVec, step: &DVec) -> Option<(f64, DVec)> {
        let radius = f64::from(self.radius);
        let mut best: Option<(f64, DVec)> = None;
        let mut consider = |t: f64, normal: DVec| {
            if t >= 0.0 && best.is_none_or(|(least, _)| t < least) {
                best = Some((t, normal));
            }
        };
        for (i, n) in self.normals.iter().enumerate() {
            let (v, n) = (wide(&self.vertices[i]), wide_vec(n));
            let speed = -n.dot(step);
            if speed > 0.0 {
                let t = (n.dot(&(origin - v)) - radius) / speed;
                let edge = wide(&self.vertices[(i + 1) % self.vertices.len()]) - v;
                let along = edge.dot(&(origin + step * t - v));
                if along >= 0.0 && along <= edge.norm_squared() {
                    consider(t, n);
                }
            }
        }
        if self.radius > 0.0 || self.is_along(origin, step) {
            for v in self.vertices {
                if let Some(t) = circle_entry(&(origin - wide(v)), step, radius) {
                    let outward = origin + step * t - wide(v);
                    let normal = if radius > 0.0 { outward } else { -step };
                    consider(t, dunit(&normal).unwrap_or_default());
                }
            }
        }
        best
    }

    /// Says whether a segment lies on the line of a ray. Its ends then are disks without radius.
    fn is_along(&self, origin: &DVec, step: &DVec) -> bool {
        self.vertices
            .iter()
            .all(|v| dcross(&(origin - wide(v)), step) == 0.0)
    }

    /// Returns the nearest place on the border of the core, its outward normal, and the signed
    /// distance.
    fn project_on_core(&self, point: &DVec) -> CoreProjection {
        let mut nearest = CoreProjection {
            point: wide(&self.vertices[0]),
            normal: DVec::y(),
            separation: f64::INFINITY,
        };
        let mut face = (f64::NEG_INFINITY, 0);
        for (i, n) in self.normals.iter().enumerate() {
            let height = wide_vec(n).dot(&(point - wide(&self.vertices[i])));
            if height > face.0 {
                face = (height, i);
            }
        }
        if self.vertices.len() > 2 && face.0 <= 0.0 {
            let normal = wide_vec(&self.normals[face.1]);
            let normal = dunit(&normal).unwrap_or(normal);
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
            let on_edge = nearest_on_segment(&wide(&a), &wide(&b), point);
            let offset = point - on_edge;
            if offset.norm_squared() < least_sq {
                least_sq = offset.norm_squared();
                nearest.point = on_edge;
                nearest.separation = least_sq.sqrt();
                let fallback = self.normals.get(i).map_or_else(DVec::y, wide_vec);
                nearest.normal = dunit(&offset).unwrap_or(fallback);
            }
        }
        nearest
    }
}

/// What is left of a line that was clipped by a polygon.
enum Clip {
    Outside,
    /// It starts inside.
    Inside,
    /// It enters after this time, over the face with this normal.
    Entry(f64, DVec),
}

struct CoreProjection {
    point: DVec,
    normal: DVec,
    separation: f64,
}

impl Support for RoundedHull<'_> {
    #[inline]
    fn core_support(&self, direction: &Vec2) -> SupportPoint {
        let Some((first, rest)) = self.vertices.split_first() else {
            return SupportPoint {
                point: Point::origin(),
                index: 0,
            };
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

    #[inline]
    fn as_rounded_hull(&self) -> Option<RoundedHull<'_>> {
        Some(*self)
    }
}

/// Returns `turned`, the box of a shape that was rotated but not yet moved, moved to `pose` and grown by
/// `radius` and by what rounding may have cut off.
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

/// Returns the time at which `offset + t step` first reaches the circle of `radius` about zero from
/// outside; `None` if it passes by, stands still or starts inside.
pub(crate) fn circle_entry(offset: &DVec, step: &DVec, radius: f64) -> Option<f64> {
    let speed_sq = step.norm_squared();
    let toward = -offset.dot(step);
    if speed_sq == 0.0 || toward < 0.0 {
        return None;
    }
    // Height of the path over the center, times the speed. The difference of squares cancels for a
    // path that only touches, to a part in 1e8 of the radius: the inputs are no better.
    let height = dcross(offset, step);
    let half_chord_sq = radius * radius * speed_sq - height * height;
    if half_chord_sq < 0.0 {
        return None;
    }
    let t = (toward - half_chord_sq.sqrt()) / speed_sq;
    (t >= 0.0).then_some(t)
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
        let edge = wide(&vertices[(i + 1) % vertices.len()]) - wide(v);
        narrow(&dunit(&-dleft(&edge)).unwrap_or_default())
    })
}
