//! Where a ray first meets a rounded convex polygon of one, two or more vertices.

use super::rounded::nearest_on_segment;
use crate::math::{Point, Vec2};
use crate::precise::{DVec, dcross, dunit, narrow, narrow_point, wide, wide_vec};
use crate::ray::{Ray, RayHit};
use crate::rounded_hull::RoundedHull;

/// Fraction of the ray and outward normal of the surface there.
type Entry = (f64, DVec);

impl RoundedHull<'_> {
    /// Returns the first point of the shape on `ray`; fraction 0 and a zero normal where the ray
    /// starts inside or on the surface.
    ///
    /// A ray along the line of a segment hits its near end.
    #[must_use]
    pub fn ray_cast(&self, ray: &Ray) -> Option<RayHit> {
        match *self.vertices {
            [center] => ray_cast_disk(&center, self.radius, ray),
            [a, b] => ray_cast_line([&a, &b], &self.normals[0], self.radius, ray),
            _ if self.radius > 0.0 => self.ray_cast_rounded(ray),
            _ => self.ray_cast_corners(ray),
        }
    }

    /// Clips the ray by the half-planes of a polygon without rounding.
    pub(super) fn ray_cast_corners(&self, ray: &Ray) -> Option<RayHit> {
        let (origin, step) = (wide(&ray.origin), wide_vec(&ray.translation));
        match self.clip_ray(&origin, &step) {
            Clip::Outside => None,
            Clip::Inside => Some(inside(ray)),
            Clip::Entry(t, normal) => hit(ray, (t, normal)),
        }
    }

    /// Clips the line by all half-planes.
    #[inline]
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
    pub(super) fn ray_cast_rounded(&self, ray: &Ray) -> Option<RayHit> {
        if self.contains(&ray.origin) {
            return Some(inside(ray));
        }
        let (origin, step) = (wide(&ray.origin), wide_vec(&ray.translation));
        let radius = f64::from(self.radius);
        let mut best: Option<Entry> = None;
        let mut consider = |(t, normal): Entry| {
            if t >= 0.0 && best.is_none_or(|(least, _)| t < least) {
                best = Some((t, normal));
            }
        };
        for (i, n) in self.normals.iter().enumerate() {
            let (v, n) = (wide(&self.vertices[i]), wide_vec(n));
            let speed = -n.dot(&step);
            if speed > 0.0 {
                let t = (n.dot(&(origin - v)) - radius) / speed;
                let edge = wide(&self.vertices[(i + 1) % self.vertices.len()]) - v;
                let along = edge.dot(&(origin + step * t - v));
                if along >= 0.0 && along <= edge.norm_squared() {
                    consider((t, n));
                }
            }
        }
        for v in self.vertices {
            if let Some(entry) = enter_disk(&(origin - wide(v)), &step, radius) {
                consider(entry);
            }
        }
        hit(ray, best?)
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

/// Returns the hit of a ray that starts inside.
#[inline]
fn inside(ray: &Ray) -> RayHit {
    RayHit {
        fraction: 0.0,
        point: ray.origin,
        normal: Vec2::zeros(),
    }
}

/// Returns the hit at an entry, if that is not after the end of the ray.
#[inline]
fn hit(ray: &Ray, (t, normal): Entry) -> Option<RayHit> {
    (t <= f64::from(ray.max_fraction)).then(|| RayHit {
        fraction: t as f32,
        point: narrow_point(&(wide(&ray.origin) + wide_vec(&ray.translation) * t)),
        normal: narrow(&normal),
    })
}

/// Returns the first point of the disk on `ray`.
#[inline]
pub(super) fn ray_cast_disk(center: &Point, radius: f32, ray: &Ray) -> Option<RayHit> {
    let offset = wide(&ray.origin) - wide(center);
    let radius = f64::from(radius);
    if offset.norm_squared() <= radius * radius {
        return Some(inside(ray));
    }
    let step = wide_vec(&ray.translation);
    let t = circle_entry(&offset, &step, radius)?;
    hit(ray, (t, (offset + step * t) / radius))
}

/// Returns the first point on `ray` of the segment between `ends`, rounded by `radius`, which may be zero;
/// `normal` is that of its right side.
///
/// The ray enters the strip along the segment from the side, and hits that side or the disk about the end that it is
/// beyond. One that starts in the strip is beyond an end, or inside.
#[inline]
pub(super) fn ray_cast_line(
    ends: [&Point; 2],
    normal: &Vec2,
    radius: f32,
    ray: &Ray,
) -> Option<RayHit> {
    let (origin, step) = (wide(&ray.origin), wide_vec(&ray.translation));
    let (a, b) = (wide(ends[0]), wide(ends[1]));
    let (offset, edge) = (origin - a, b - a);
    let (normal, radius) = (wide_vec(normal), f64::from(radius));
    let height = normal.dot(&offset);
    let out = if height < 0.0 { -normal } else { normal };
    let over = height.abs() - radius;
    let along = if over > 0.0 {
        let speed = -out.dot(&step);
        if speed <= 0.0 {
            return None;
        }
        let t = over / speed;
        let along = edge.dot(&(offset + step * t));
        if along >= 0.0 && along <= edge.norm_squared() {
            return hit(ray, (t, out));
        }
        along
    } else {
        edge.dot(&offset)
    };
    let end = if along < 0.0 { a } else { b };
    if over <= 0.0 {
        let nearest = nearest_on_segment(&a, &b, &origin);
        if (origin - nearest).norm_squared() <= radius * radius {
            return Some(inside(ray));
        }
    }
    if radius > 0.0 {
        hit(ray, enter_disk(&(origin - end), &step, radius)?)
    } else if over == 0.0
        && dcross(&(origin - a), &step) == 0.0
        && dcross(&(origin - b), &step) == 0.0
    {
        // Along the line of the segment: its ends are disks without a radius.
        let (t, _) = enter_disk(&(origin - end), &step, 0.0)?;
        hit(ray, (t, dunit(&-step).unwrap_or_default()))
    } else {
        None
    }
}

/// Returns where `offset + t step` first reaches the circle of `radius` about zero, and the normal there.
#[inline]
fn enter_disk(offset: &DVec, step: &DVec, radius: f64) -> Option<Entry> {
    let t = circle_entry(offset, step, radius)?;
    Some((t, dunit(&(offset + step * t)).unwrap_or_default()))
}

/// Returns the time at which `offset + t step` first reaches the circle of `radius` about zero from
/// outside; `None` if it passes by, stands still or starts inside.
#[inline]
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
