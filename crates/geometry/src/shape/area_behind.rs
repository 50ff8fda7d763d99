//! Area and centroid of the part of a shape behind a line, in closed form.
//!
//! By Green's theorem the area and the first moments of a region are integrals along its outline. In a frame with the
//! line as the u axis, `area = -∮ w du`, `∫ u dA = -∮ u w du` and `∫ w dA = -½ ∮ w² du`: on the line itself w is zero,
//! so only the outline of the shape counts, and each of its edges and arcs is cut at the line by itself. The part of an
//! ellipse is that of its unit circle, stretched.

use super::Shape;
use super::ShapeView;
use crate::double::{DVec, cross64, narrow_point, normalize64, perp64, to_f64, wide_vec};
use crate::math::{Point, Vec2};
use crate::rounded_hull::RoundedHull;
use core::f64::consts::PI;

/// Area and centroid of a part of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ShapeArea {
    /// \[m^2\].
    pub area: f32,
    /// Center of the area, in the frame of the shape \[m\]; for an empty part a point of the shape nearest to it.
    pub centroid: Point,
}

/// The line: points with `normal . p <= offset` are behind it.
struct CutLine {
    /// Unit vectors along the line and out of the part behind it: a right-handed frame.
    along: DVec,
    normal: DVec,
    offset: f64,
    /// Coordinate along the line from which u counts, near the shape.
    start: f64,
}

/// Area and first moments of a region, in the frame of the line.
#[derive(Default)]
struct Sums {
    area: f64,
    first_u: f64,
    first_w: f64,
}

impl Shape {
    /// Returns area and centroid of the points `p` of the shape with `normal . p <= offset` \[m\], exact with rounding:
    /// the submerged part, if the line is the surface of a fluid. `normal` is a unit vector in the frame of the shape.
    ///
    /// ```
    /// use cairn2d_geometry::math::vec2;
    /// use cairn2d_geometry::{Polygon, Shape};
    ///
    /// let crate_: Shape = Polygon::rectangle(1.0, 1.0).into();
    /// let part = crate_.area_behind(&vec2(0.0, 1.0), -0.5);
    /// assert_eq!((part.area, part.centroid.y), (1.0, -0.75));
    /// ```
    #[must_use]
    pub fn area_behind(&self, normal: &Vec2, offset: f32) -> ShapeArea {
        let Some(unit) = normalize64(&wide_vec(normal)) else {
            return ShapeArea {
                area: 0.0,
                centroid: self.support(normal),
            };
        };
        let height = |p: Point| unit.dot(&to_f64(&p)) - f64::from(offset);
        let (lowest, highest) = (self.support(&-normal), self.support(normal));
        if height(highest) <= 0.0 {
            let whole = self.mass(1.0);
            return ShapeArea {
                area: whole.mass,
                centroid: whole.center,
            };
        }
        let empty = ShapeArea {
            area: 0.0,
            centroid: lowest,
        };
        if height(lowest) >= 0.0 {
            return empty;
        }
        let along = -perp64(&unit);
        let line = CutLine {
            start: along.dot(&to_f64(&lowest)),
            along,
            normal: unit,
            offset: offset.into(),
        };
        let sums = match self.view() {
            // Without an end: nothing that floats.
            ShapeView::Hull(_) if matches!(self, Self::HalfSpace(_)) => return empty,
            ShapeView::Hull(hull) => line.part_of_hull(&hull),
            ShapeView::Ellipse(_) => return self.part_of_ellipse(&line).unwrap_or(empty),
        };
        line.area(&sums).unwrap_or(empty)
    }

    /// Returns the part of an ellipse behind the line, `None` without area.
    fn part_of_ellipse(&self, line: &CutLine) -> Option<ShapeArea> {
        let Self::Ellipse(ellipse) = self else {
            return None;
        };
        let center = to_f64(&ellipse.center());
        let [x_axis, y_axis] = ellipse.axes();
        // The unit disk: its points q are at center + q.x x_axis + q.y y_axis.
        let gradient = DVec::new(line.normal.dot(&x_axis), line.normal.dot(&y_axis));
        let steepness = gradient.norm();
        let height = ((line.offset - line.normal.dot(&center)) / steepness).clamp(-1.0, 1.0);
        let half_chord = (1.0 - height * height).max(0.0).sqrt();
        let unit_area = libm::acos(-height) + height * half_chord;
        if unit_area <= 0.0 {
            return None;
        }
        let depth = -2.0 * half_chord * half_chord * half_chord / (3.0 * unit_area);
        let q = gradient * (depth / steepness);
        Some(ShapeArea {
            area: (unit_area * cross64(&x_axis, &y_axis)) as f32,
            centroid: narrow_point(&(center + x_axis * q.x + y_axis * q.y)),
        })
    }
}

impl CutLine {
    /// Returns a point of the shape as (u, w).
    fn place(&self, p: &DVec) -> DVec {
        DVec::new(
            self.along.dot(p) - self.start,
            self.normal.dot(p) - self.offset,
        )
    }

    /// Returns a direction as (u, w).
    fn turn(&self, v: &DVec) -> DVec {
        DVec::new(self.along.dot(v), self.normal.dot(v))
    }

    fn part_of_hull(&self, hull: &RoundedHull<'_>) -> Sums {
        let (count, radius) = (hull.vertices.len(), f64::from(hull.radius));
        let mut sums = Sums::default();
        let place = |i: usize| self.place(&to_f64(&hull.vertices[i % count]));
        if count == 1 {
            sums.add_arc(&place(0), radius, 0.0, 2.0 * PI);
            return sums;
        }
        let normal = |i: usize| self.turn(&wide_vec(&hull.normals[i % count]));
        for i in 0..count {
            let out = normal(i);
            sums.add_edge(place(i) + out * radius, place(i + 1) + out * radius);
            if radius > 0.0 {
                let next = normal(i + 1);
                // The two normals of a capsule are opposite: half a turn, whatever the sign of a zero.
                let angle = libm::atan2(cross64(&out, &next).abs(), out.dot(&next));
                let start = libm::atan2(out.y, out.x);
                sums.add_arc(&place(i + 1), radius, start, start + angle);
            }
        }
        sums
    }

    /// Returns the sums as area and centroid in the frame of the shape, `None` without area.
    fn area(&self, sums: &Sums) -> Option<ShapeArea> {
        if sums.area <= 0.0 {
            return None;
        }
        let u = sums.first_u / sums.area + self.start;
        let w = sums.first_w / sums.area + self.offset;
        Some(ShapeArea {
            area: sums.area as f32,
            centroid: narrow_point(&(self.along * u + self.normal * w)),
        })
    }
}

impl Sums {
    /// Adds the part of an edge from `a` to `b` that is behind the line.
    fn add_edge(&mut self, a: DVec, b: DVec) {
        if a.y >= 0.0 && b.y >= 0.0 {
            return;
        }
        let cut = |below: DVec, above: DVec| {
            let share = below.y / (below.y - above.y);
            DVec::new(below.x + (above.x - below.x) * share, 0.0)
        };
        let from = if a.y > 0.0 { cut(b, a) } else { a };
        let to = if b.y > 0.0 { cut(a, b) } else { b };
        let du = to.x - from.x;
        self.area -= 0.5 * du * (from.y + to.y);
        self.first_w -= du * (from.y * from.y + from.y * to.y + to.y * to.y) / 6.0;
        self.first_u -= du * (from.x * (2.0 * from.y + to.y) + to.x * (from.y + 2.0 * to.y)) / 6.0;
    }

    /// Adds the part behind the line of the arc about `center` from the angle `start`, within (-pi, pi], to `end`, by at
    /// most a turn, counter-clockwise.
    fn add_arc(&mut self, center: &DVec, radius: f64, start: f64, end: f64) {
        // Behind: sin(angle) <= limit.
        let limit = -center.y / radius;
        if limit >= 1.0 {
            return self.add_whole_arc(center, radius, start, end);
        }
        if limit <= -1.0 {
            return;
        }
        let angle = libm::asin(limit);
        for turn in [-2.0 * PI, 0.0] {
            let from = start.max(PI - angle + turn);
            let to = end.min(2.0 * PI + angle + turn);
            if from < to {
                self.add_whole_arc(center, radius, from, to);
            }
        }
    }

    /// Adds an arc that is behind the line as a whole.
    fn add_whole_arc(&mut self, center: &DVec, r: f64, from: f64, to: f64) {
        let [(s0, c0), (s1, c1)] = [from, to].map(libm::sincos);
        // Integrals over the arc: sin, sin^2, sin^3, sin cos, sin^2 cos.
        let s = c0 - c1;
        let ss = 0.5 * (to - from - (s1 * c1 - s0 * c0));
        let sss = s - (c0 * c0 * c0 - c1 * c1 * c1) / 3.0;
        let sc = 0.5 * (s1 * s1 - s0 * s0);
        let ssc = (s1 * s1 * s1 - s0 * s0 * s0) / 3.0;
        let (u, w) = (center.x, center.y);
        self.area += r * (w * s + r * ss);
        self.first_w += 0.5 * r * (w * w * s + 2.0 * w * r * ss + r * r * sss);
        self.first_u += r * (u * w * s + u * r * ss + w * r * sc + r * r * ssc);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{point, vec2};
    use crate::{Capsule, Circle, Ellipse, Polygon, Segment};

    fn shapes() -> Vec<Shape> {
        let triangle = [point(0.2, -1.0), point(1.5, 0.4), point(-0.7, 0.9)];
        vec![
            Circle::new(point(0.4, -0.3), 0.7).into(),
            Capsule::new(point(-0.6, 0.1), point(0.8, 0.5), 0.3).into(),
            Capsule::new(point(0.0, -0.5), point(0.0, 0.5), 0.25).into(),
            Polygon::rectangle(0.8, 0.3).into(),
            Polygon::hull(&triangle).into(),
            Polygon::rounded_hull(&triangle, 0.2).into(),
            Polygon::rounded_rectangle(0.5, 0.25, 0.1).into(),
            Ellipse::new(point(0.1, 0.2), 0.9, 0.3, 0.6).into(),
        ]
    }

    /// Sums thin strips across the line: a twin that uses only the outline's support and membership.
    fn strips(shape: &Shape, normal: &Vec2, offset: f32) -> (f64, DVec) {
        let (low, high) = (
            shape.support(&-normal).coords.dot(normal),
            shape.support(normal).coords.dot(normal).min(offset),
        );
        let along = vec2(normal.y, -normal.x);
        let (count, mut area, mut first) = (400, 0.0, DVec::zeros());
        let thick = f64::from(high - low) / f64::from(count);
        let middle = shape.mass(1.0).center.coords.dot(&along);
        for i in 0..count {
            let w = f64::from(low) + (f64::from(i) + 0.5) * thick;
            let at = |u: f64| {
                let p = wide_vec(&along) * u + wide_vec(normal) * w;
                shape.project(&narrow_point(&p)).separation <= 0.0
            };
            // Ends of the strip by bisection from a point of the shape: convex, so one interval.
            let inside = (-60..=60)
                .map(|k| f64::from(middle) + 0.05 * f64::from(k))
                .find(|&u| at(u));
            let Some(inside) = inside else { continue };
            let end = |direction: f64| {
                let (mut near, mut far) = (0.0, 6.0);
                for _ in 0..24 {
                    let half = 0.5 * (near + far);
                    if at(inside + direction * half) {
                        near = half
                    } else {
                        far = half
                    }
                }
                inside + direction * near
            };
            let (left, right) = (end(-1.0), end(1.0));
            let part = (right - left) * thick;
            area += part;
            let center = wide_vec(&along) * (0.5 * (left + right)) + wide_vec(normal) * w;
            first += center * part;
        }
        (area, first / area)
    }

    #[test]
    fn parts_are_those_that_strips_sum_up() {
        for shape in shapes() {
            for k in 0..4 {
                let angle = 0.3 + 1.3 * k as f32;
                let (s, c) = crate::math::sin_cos(angle);
                let normal = vec2(c, s);
                let low = shape.support(&-normal).coords.dot(&normal);
                let high = shape.support(&normal).coords.dot(&normal);
                for share in [0.1, 0.35, 0.6, 0.93] {
                    let offset = low + share * (high - low);
                    let part = shape.area_behind(&normal, offset);
                    let (area, centroid) = strips(&shape, &normal, offset);
                    let near = |a: f64, b: f64| (a - b).abs() < 1.0e-3;
                    assert!(near(part.area.into(), area), "{shape:?} {area} {part:?}");
                    let c = to_f64(&part.centroid);
                    let is_near = near(c.x, centroid.x) && near(c.y, centroid.y);
                    assert!(is_near, "{shape:?} {centroid:?} {part:?}");
                }
            }
        }
    }

    #[test]
    fn two_sides_of_a_line_are_the_whole() {
        for shape in shapes() {
            let whole = shape.mass(1.0);
            for k in 0..40 {
                let (s, c) = crate::math::sin_cos(0.7 * k as f32);
                let (normal, offset) = (vec2(c, s), 0.05 * (k % 13) as f32 - 0.3);
                let below = shape.area_behind(&normal, offset);
                let above = shape.area_behind(&-normal, -offset);
                assert!((below.area + above.area - whole.mass).abs() < 2.0e-6);
                let moment =
                    below.centroid.coords * below.area + above.centroid.coords * above.area;
                assert!((moment - whole.center.coords * whole.mass).norm() < 3.0e-6);
            }
        }
    }

    #[test]
    fn half_a_disk_has_its_known_centroid() {
        let disk: Shape = Circle::new(point(2.0, 3.0), 0.5).into();
        let part = disk.area_behind(&vec2(0.0, 1.0), 3.0);
        assert!((part.area - 0.125 * PI as f32).abs() < 1.0e-7);
        assert!((part.centroid.y - (3.0 - 4.0 * 0.5 / (3.0 * PI as f32))).abs() < 1.0e-6);
        assert!((part.centroid.x - 2.0).abs() < 1.0e-6);
    }

    #[test]
    fn lines_and_shapes_before_the_line_have_none() {
        let line: Shape = Segment::new(point(-1.0, -1.0), point(1.0, 1.0)).into();
        assert_eq!(line.area_behind(&vec2(0.0, 1.0), 0.0).area, 0.0);
        for shape in shapes() {
            let far = shape.area_behind(&vec2(0.0, 1.0), -50.0);
            assert_eq!(far.area, 0.0);
            assert!(
                shape.contains(&far.centroid) || shape.project(&far.centroid).separation < 1e-5
            );
            assert_eq!(
                shape.area_behind(&vec2(0.0, 1.0), 50.0).area,
                shape.mass(1.0).mass
            );
        }
    }
}
