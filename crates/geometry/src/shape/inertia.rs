//! Exact mass of a rounded convex polygon: core, edge strips and corner sectors.

use crate::double::{DVec, cross64, to_f64, wide_vec};
use crate::mass::MassData;
use crate::math::{Point, Vec2};
use core::f64::consts::PI;

const SIXTH: f64 = 1.0 / 6.0;

/// Sums of area, first and second moment about a reference point.
#[derive(Clone, Copy, Default)]
struct Moments {
    area: f64,
    first: DVec,
    second: f64,
}

impl Moments {
    /// Adds a part of given area and center, with its second moment about that center.
    fn add(&mut self, area: f64, center: DVec, second: f64) {
        self.area += area;
        self.first += center * area;
        self.second += second + area * center.norm_squared();
    }
}

/// Returns the mass of all points within `radius` of the polygon, at `density` [kg/m^2].
///
/// One vertex is a disk, two are a capsule. Without any area the mass is zero and the center is the middle
/// of the first and the middle vertex.
pub(crate) fn rounded_mass(
    vertices: &[Point],
    normals: &[Vec2],
    radius: f32,
    density: f32,
) -> MassData {
    let reference = to_f64(&vertices[0]);
    let mut moments = Moments::default();
    if vertices.len() > 2 {
        add_core(&mut moments, vertices, &reference);
    }
    if radius > 0.0 {
        add_border(
            &mut moments,
            vertices,
            normals,
            f64::from(radius),
            &reference,
        );
    }
    total(&moments, vertices, density)
}

/// Returns the mass of a polygon of three or more vertices without rounding.
#[inline]
pub(crate) fn polygon_mass(vertices: &[Point], density: f32) -> MassData {
    let mut moments = Moments::default();
    add_core(&mut moments, vertices, &to_f64(&vertices[0]));
    total(&moments, vertices, density)
}

/// Returns the mass of moments about the first vertex.
#[inline]
fn total(moments: &Moments, vertices: &[Point], density: f32) -> MassData {
    let reference = to_f64(&vertices[0]);
    if moments.area <= 0.0 {
        let middle = to_f64(&vertices[vertices.len() / 2]);
        return MassData {
            center: to_f32(&((reference + middle) * 0.5)),
            ..MassData::ZERO
        };
    }
    let center = moments.first * (1.0 / moments.area);
    let density = f64::from(density);
    MassData {
        mass: (density * moments.area) as f32,
        center: to_f32(&(reference + center)),
        inertia: (density * (moments.second - moments.area * center.norm_squared())).max(0.0)
            as f32,
    }
}

fn to_f32(p: &DVec) -> Point {
    crate::double::narrow_point(p)
}

/// Adds the fan of triangles from the reference point.
///
/// A triangle with one corner at zero has its center at a third of the sum of the others. Its second moment
/// is its area times a sixth of the sum of their products.
#[inline]
fn add_core(moments: &mut Moments, vertices: &[Point], reference: &DVec) {
    let (mut area, mut first, mut second) = (0.0, DVec::zeros(), 0.0);
    // The triangles of the two edges at the reference point are empty.
    let mut a = to_f64(&vertices[1]) - reference;
    let mut a_sq = a.norm_squared();
    for v in &vertices[2..] {
        let b = to_f64(v) - reference;
        let b_sq = b.norm_squared();
        let twice = cross64(&a, &b);
        area += twice;
        first += (a + b) * twice;
        second += twice * (a_sq + a.dot(&b) + b_sq);
        (a, a_sq) = (b, b_sq);
    }
    moments.area += 0.5 * area;
    moments.first += first * SIXTH;
    moments.second += second * (0.5 * SIXTH);
}

/// Adds a rectangle outside each edge and a circular sector at each corner.
fn add_border(
    moments: &mut Moments,
    vertices: &[Point],
    normals: &[Vec2],
    radius: f64,
    reference: &DVec,
) {
    let radius_sq = radius * radius;
    if vertices.len() == 1 {
        let area = PI * radius_sq;
        moments.add(
            area,
            to_f64(&vertices[0]) - reference,
            0.5 * area * radius_sq,
        );
        return;
    }
    let count = vertices.len();
    for i in 0..count {
        let (a, b) = (
            to_f64(&vertices[i]) - reference,
            to_f64(&vertices[(i + 1) % count]) - reference,
        );
        let normal = wide_vec(&normals[i]);
        let length = (b - a).norm();
        let area = length * radius;
        let strip = (length * length + radius_sq) / 12.0;
        moments.add(area, (a + b) * 0.5 + normal * (0.5 * radius), area * strip);

        let before = wide_vec(&normals[(i + count - 1) % count]);
        add_sector(moments, &a, &before, &normal, radius);
    }
}

/// Adds the sector about `apex` from the direction `from` counter-clockwise to `to`.
fn add_sector(moments: &mut Moments, apex: &DVec, from: &DVec, to: &DVec, radius: f64) {
    let (sin, cos) = (cross64(from, to), from.dot(to));
    // The two normals of a segment are opposite; the turn is left whatever the sign of a zero sine.
    let half_angle = 0.5 * libm::atan2(sin.abs(), cos);
    if half_angle <= 0.0 {
        return;
    }
    let middle = if cos > -0.5 {
        (from + to).normalize()
    } else {
        // Nearly opposite: their difference is better conditioned than their sum.
        let across = (from - to).normalize();
        DVec::new(-across.y, across.x)
    };
    let area = half_angle * radius * radius;
    let reach = 2.0 * radius * libm::sin(half_angle) / (3.0 * half_angle);
    let second = area * (0.5 * radius * radius - reach * reach);
    moments.add(area, apex + middle * reach, second);
}
