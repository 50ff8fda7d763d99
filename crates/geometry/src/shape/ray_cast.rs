//! First hit of a ray on a rounded convex polygon of one, two or more vertices.

use super::rounded::nearest_on_segment;
use crate::double::{DVec, cross64, narrow_point, normalize64, to_f32, to_f64, wide_vec};
use crate::math::{Point, Vec2};
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
            [a, b] if self.radius > 0.0 => {
                ray_cast_capsule([&a, &b], &self.normals[0], self.radius, ray)
            }
            [a, b] => ray_cast_segment([&a, &b], &self.normals[0], ray),
            _ if self.radius > 0.0 => self.ray_cast_rounded(ray),
            _ => self.ray_cast_corners(ray),
        }
    }

    /// Clips the ray by the half-planes of a polygon without rounding.
    pub(super) fn ray_cast_corners(&self, ray: &Ray) -> Option<RayHit> {
        let (origin, step) = (to_f64(&ray.origin), wide_vec(&ray.translation));
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
            let height = n.dot(&(origin - to_f64(v)));
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
    /// The circles lie inside the shape, so testing all of each circle closes the gaps between
    /// edges and arcs without a tolerance.
    pub(super) fn ray_cast_rounded(&self, ray: &Ray) -> Option<RayHit> {
        if self.contains(&ray.origin) {
            return Some(inside(ray));
        }
        let (origin, step) = (to_f64(&ray.origin), wide_vec(&ray.translation));
        let radius = f64::from(self.radius);
        let mut best: Option<Entry> = None;
        let mut consider = |(t, normal): Entry| {
            if t >= 0.0 && best.is_none_or(|(least, _)| t < least) {
                best = Some((t, normal));
            }
        };
        for (i, n) in self.normals.iter().enumerate() {
            let (v, n) = (to_f64(&self.vertices[i]), wide_vec(n));
            let speed = -n.dot(&step);
            if speed > 0.0 {
                let t = (n.dot(&(origin - v)) - radius) / speed;
                let edge = to_f64(&self.vertices[(i + 1) % self.vertices.len()]) - v;
                let along = edge.dot(&(origin + step * t - v));
                if along >= 0.0 && along <= edge.norm_squared() {
                    consider((t, n));
                }
            }
        }
        for v in self.vertices {
            if let Some(entry) = enter_disk(&(origin - to_f64(v)), &step, radius) {
                consider(entry);
            }
        }
        hit(ray, best?)
    }
}

/// Result of clipping a line by a polygon.
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
        point: narrow_point(&(to_f64(&ray.origin) + wide_vec(&ray.translation) * t)),
        normal: to_f32(&normal),
    })
}

/// Returns the first point of the disk on `ray`.
#[inline]
pub(super) fn ray_cast_disk(center: &Point, radius: f32, ray: &Ray) -> Option<RayHit> {
    let offset = to_f64(&ray.origin) - to_f64(center);
    let radius = f64::from(radius);
    if offset.norm_squared() <= radius * radius {
        return Some(inside(ray));
    }
    let step = wide_vec(&ray.translation);
    let inv_radius = 1.0 / radius;
    let t = circle_entry(&offset, &step, radius)?;
    hit(ray, (t, (offset + step * t) * inv_radius))
}

/// Position of a line relative to the strip of points within a radius of the line of a segment.
enum Strip {
    /// Outside, and not toward it.
    Away,
    /// Into the side of the segment.
    Side(Entry),
    /// Into the strip beyond an end of the segment, the first if so.
    Beyond { is_first: bool },
    /// It starts in the strip.
    Inside,
}

impl Strip {
    /// `offset` leads from the first end to the start of the line; `normal` is that of the right side.
    #[inline]
    fn enter(offset: &DVec, step: &DVec, edge: &DVec, normal: &DVec, radius: f64) -> Self {
        let height = normal.dot(offset);
        let over = height.abs() - radius;
        if over <= 0.0 {
            return Self::Inside;
        }
        // The side is a sign and not a branch: it cannot be predicted.
        let side = 1.0_f64.copysign(height);
        let speed = -side * normal.dot(step);
        if speed <= 0.0 {
            return Self::Away;
        }
        // Times the speed, so that the division need not be waited for.
        let along = edge.dot(offset) * speed + edge.dot(step) * over;
        if (along >= 0.0) & (along <= edge.norm_squared() * speed) {
            return Self::Side((over / speed, normal * side));
        }
        Self::Beyond {
            is_first: along < 0.0,
        }
    }
}

/// Returns the first point on `ray` of the segment between `ends`, rounded by `radius`; `normal` is that of its right
/// side.
///
/// The ray enters the strip along the segment from the side, and hits that side or the disk about the end that it is
/// beyond. One that starts in the strip is beyond an end, or inside.
#[inline]
pub(super) fn ray_cast_capsule(
    ends: [&Point; 2],
    normal: &Vec2,
    radius: f32,
    ray: &Ray,
) -> Option<RayHit> {
    let (origin, step) = (to_f64(&ray.origin), wide_vec(&ray.translation));
    let (a, b) = (to_f64(ends[0]), to_f64(ends[1]));
    let (offset, edge) = (origin - a, b - a);
    let radius = f64::from(radius);
    let is_first = match Strip::enter(&offset, &step, &edge, &wide_vec(normal), radius) {
        Strip::Away => return None,
        Strip::Side(entry) => return hit(ray, entry),
        Strip::Beyond { is_first } => is_first,
        Strip::Inside => {
            let nearest = nearest_on_segment(&a, &b, &origin);
            if (origin - nearest).norm_squared() <= radius * radius {
                return Some(inside(ray));
            }
            edge.dot(&offset) < 0.0
        }
    };
    let end = if is_first { a } else { b };
    hit(ray, enter_disk(&(origin - end), &step, radius)?)
}

/// Returns the first point on `ray` of the segment between `ends`, whose right side has the normal `normal`.
// Always inline: a third of the time was the call.
#[inline(always)]
pub(super) fn ray_cast_segment(ends: [&Point; 2], normal: &Vec2, ray: &Ray) -> Option<RayHit> {
    let (origin, step) = (to_f64(&ray.origin), wide_vec(&ray.translation));
    let (a, b) = (to_f64(ends[0]), to_f64(ends[1]));
    let (offset, edge) = (origin - a, b - a);
    match Strip::enter(&offset, &step, &edge, &wide_vec(normal), 0.0) {
        Strip::Side(entry) => hit(ray, entry),
        Strip::Inside => ray_cast_along([&a, &b], &origin, &step, ray),
        Strip::Away | Strip::Beyond { .. } => None,
    }
}

/// Returns the first point of a segment on a ray that starts on its line: inside, or the near end if the ray runs
/// along the line.
#[cold]
fn ray_cast_along([a, b]: [&DVec; 2], origin: &DVec, step: &DVec, ray: &Ray) -> Option<RayHit> {
    let (from_a, from_b) = (origin - a, origin - b);
    if *origin == nearest_on_segment(a, b, origin) {
        return Some(inside(ray));
    }
    if cross64(&from_a, step) != 0.0 || cross64(&from_b, step) != 0.0 {
        return None;
    }
    // The ends are disks without a radius.
    let is_first = (b - a).dot(&from_a) < 0.0;
    let (t, _) = enter_disk(if is_first { &from_a } else { &from_b }, step, 0.0)?;
    hit(ray, (t, normalize64(&-step).unwrap_or_default()))
}

/// Returns where `offset + t step` first reaches the circle of `radius` about zero, and the normal there.
#[inline]
fn enter_disk(offset: &DVec, step: &DVec, radius: f64) -> Option<Entry> {
    let t = circle_entry(offset, step, radius)?;
    Some((t, normalize64(&(offset + step * t)).unwrap_or_default()))
}

/// Returns the time at which `offset + t step` first reaches the circle of `radius` about zero from
/// outside; `None` if it passes by, stands still or starts inside.
#[inline]
pub(crate) fn circle_entry(offset: &DVec, step: &DVec, radius: f64) -> Option<f64> {
    let speed_sq = step.norm_squared();
    // Height of the path over the center, times the speed. The difference of squares cancels for a
    // path that only touches, to a part in 1e8 of the radius: the inputs are no better.
    let height = cross64(offset, step);
    let half_chord_sq = radius * radius * speed_sq - height * height;
    if half_chord_sq < 0.0 {
        return None;
    }
    // Computed in parallel with the square root. NaN if the step is zero: every comparison below then fails.
    let inv_speed_sq = 1.0 / speed_sq;
    let t = (-offset.dot(step) - half_chord_sq.sqrt()) * inv_speed_sq;
    (t >= 0.0).then_some(t)
}
