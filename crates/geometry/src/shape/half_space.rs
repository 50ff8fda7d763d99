//! Half-space: everything behind a straight line, for endless ground and walls.

use super::rounded::{Projection, is_unit};
use crate::aabb::Aabb;
use crate::double::{DPose, DVec, narrow_point, perp64, to_f64, unit, wide_vec};
use crate::error::{MAX_COORDINATE, ShapeError, bounded_points, demand};
use crate::math::{Point, Pose, Vec2, left_perp};
use crate::persist::{LoadError, Persist, Reader, Sink};
use crate::ray::{Ray, RayHit};
use crate::rounded_hull::RoundedHull;
use crate::state_hash::{HashState, StateHasher};
use crate::support::Support;
use crate::sweep::Sweep;
use crate::vector_input::{IntoPoint, IntoVec2};

/// Extent of a half-space to each side of its point, and down \[m\]: as far as coordinates of shapes do.
const REACH: f32 = MAX_COORDINATE;

/// Half width of a [near part](HalfSpace::near), as a multiple of the width that it must cover. Smaller: the
/// shortest way out of the part may lead through one of its sides. Larger: coordinates are rounded more.
const NEAR_SHARE: f64 = 4.0;

/// All points behind a line: ground, walls and ceilings without end. The half-space has no mass, so it belongs on static or
/// kinematic bodies.
///
/// It reaches 1000 km to each side of its point. Place the point within some kilometers of the action: coordinates along the surface
/// are rounded as those of any shape, by 1 mm at 10 km.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "super::data::HalfSpaceData",
        into = "super::data::HalfSpaceData"
    )
)]
pub struct HalfSpace {
    point: Point,
    /// A square that represents the half-space where its extent is of no importance; for a near part, the exact
    /// piece.
    corners: [Point; 4],
    /// The normal of the surface, then those of the other sides, counter-clockwise.
    normals: [Vec2; 4],
}

impl HashState for HalfSpace {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.add(&self.point).add(&self.normals[0]);
    }
}

/// Corners and the other normals follow from the two.
impl Persist for HalfSpace {
    fn write<S: Sink>(&self, sink: &mut S) {
        sink.field("point", &self.point);
        sink.field("normal", &self.normals[0]);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let (point, normal) = (reader.read()?, reader.read()?);
        let is_valid = bounded_points(&[point]).is_ok() && is_unit(&normal);
        reader.in_range("HalfSpace", is_valid)?;
        Ok(Self::from_unit(point, normal))
    }
}

impl HalfSpace {
    /// Creates the half-space whose surface goes through `point` \[m\]; `outward` leads out of the solid and may have any
    /// length.
    ///
    /// ```
    /// use cairn2d_geometry::HalfSpace;
    /// use cairn2d_geometry::math::{point, vec2};
    ///
    /// let ground = HalfSpace::new(point(0.0, 0.0), vec2(0.0, 1.0));
    /// assert_eq!(ground.normal(), vec2(0.0, 1.0));
    /// ```
    ///
    /// # Panics
    /// If a number is invalid; [`try_new`](Self::try_new) returns the error instead.
    #[doc(alias("halfspace", "WorldBoundaryShape2D"))]
    #[must_use]
    #[track_caller]
    pub fn new(point: impl IntoPoint, outward: impl IntoVec2) -> Self {
        let (point, outward) = (point.into_point(), outward.into_vec2());
        demand(Self::try_new(point, outward), "create the half-space")
    }

    /// Creates the half-space whose surface goes through `point` \[m\]; `outward` leads out of the solid and may have any
    /// length.
    ///
    /// # Errors
    /// Refuses numbers that are not finite or too large, and a zero vector.
    pub fn try_new(point: Point, outward: Vec2) -> Result<Self, ShapeError> {
        bounded_points(&[point, outward.into()])?;
        let normal = unit(&outward).ok_or(ShapeError::NotPositive {
            what: "length of the normal",
            value: 0.0,
        })?;
        Ok(Self::from_unit(point, normal))
    }

    /// Creates the half-space with a normal that is kept as it is if it has unit length: normalizing it again would
    /// round it again.
    #[cfg(feature = "serde")]
    pub(super) fn try_of_unit(point: Point, normal: Vec2) -> Result<Self, ShapeError> {
        let half_space = Self::try_new(point, normal)?;
        let is_same = (half_space.normal() - normal).norm() <= f32::EPSILON;
        Ok(if is_same {
            Self::from_unit(point, normal)
        } else {
            half_space
        })
    }

    /// Creates the half-space that is solid below a level through the origin of its body.
    #[must_use]
    pub fn ground() -> Self {
        Self::from_unit(Point::origin(), Vec2::y())
    }

    fn from_unit(point: Point, normal: Vec2) -> Self {
        let along = -left_perp(&normal);
        Self {
            point,
            corners: square(&to_f64(&point), &wide_vec(&normal), REACH.into()),
            normals: [normal, -along, -normal, along],
        }
    }

    /// Returns a point of the surface \[m\]: the one that the half-space was created with.
    #[must_use]
    #[inline]
    pub const fn point(&self) -> Point {
        self.point
    }

    /// Returns the unit normal of the surface, out of the solid.
    #[must_use]
    #[inline]
    pub const fn normal(&self) -> Vec2 {
        self.normals[0]
    }

    /// Returns the square that represents the half-space. Its surface is rounded as numbers of its size are.
    #[must_use]
    #[inline]
    pub const fn as_hull(&self) -> RoundedHull<'_> {
        RoundedHull {
            vertices: &self.corners,
            normals: &self.normals,
            radius: 0.0,
        }
    }

    /// Returns the corners of a square behind the surface, counter-clockwise: its face on the surface reaches `reach` \[m\] to each side of
    /// the place nearest to `center`. For drawing, and for algorithms on polygons.
    #[must_use]
    pub fn square_near(&self, center: Point, reach: f32) -> [Point; 4] {
        let foot = self.project(&center).point;
        square(&to_f64(&foot), &wide_vec(&self.normal()), reach.into())
    }

    /// Returns the part of the half-space that a shape within `reach` \[m\] of `center` can meet: a square so wide and deep
    /// that the shape leaves it through the surface. Its corners are as near as the shape, so that no digits are lost.
    pub(crate) fn near(&self, center: &DVec, reach: f64) -> Self {
        let normal = wide_vec(&self.normal());
        let height = normal.dot(&(center - to_f64(&self.point)));
        let half = NEAR_SHARE * (reach + height.abs());
        if half >= f64::from(REACH) || half.is_nan() {
            return *self;
        }
        let foot = center - normal * height;
        Self {
            corners: square(&foot, &normal, half),
            ..*self
        }
    }

    /// Returns the height of `point` over the surface \[m\].
    fn height_of(&self, point: &Point) -> f64 {
        wide_vec(&self.normal()).dot(&(to_f64(point) - to_f64(&self.point)))
    }

    /// Returns `true` if `point` is inside or on the surface.
    #[must_use]
    pub fn contains(&self, point: &Point) -> bool {
        self.height_of(point) <= 0.0
    }

    /// Returns the point of the surface nearest to `point`, which may be inside or outside.
    #[must_use]
    pub fn project(&self, point: &Point) -> Projection {
        let height = self.height_of(point);
        Projection {
            point: narrow_point(&(to_f64(point) - wide_vec(&self.normal()) * height)),
            normal: self.normal(),
            separation: height as f32,
        }
    }

    /// Returns the first point on `ray`: fraction 0 and a zero normal for a ray that starts inside or on the surface.
    #[must_use]
    pub fn ray_cast(&self, ray: &Ray) -> Option<RayHit> {
        let height = self.height_of(&ray.origin);
        if height <= 0.0 {
            return Some(RayHit {
                fraction: 0.0,
                point: ray.origin,
                normal: Vec2::zeros(),
            });
        }
        let sink = -wide_vec(&self.normal()).dot(&wide_vec(&ray.translation));
        // Compare before dividing: the quotient does not exist for a ray along the surface.
        if height > sink * f64::from(ray.max_fraction) {
            return None;
        }
        let fraction = (height / sink) as f32;
        Some(RayHit {
            fraction,
            point: ray.at(fraction),
            normal: self.normal(),
        })
    }

    /// Returns the box around the half-space at `pose`, rounded outward: level ground ends at its surface.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        let (c, s) = (pose.rotation.re, pose.rotation.im);
        let n = self.normal();
        // The components of the turned normal, each with a bound of its rounding: none where both products are zero.
        let [nx, ny] = [[c * n.x, -s * n.y], [s * n.x, c * n.y]]
            .map(|[p, q]| [p + q, (p.abs() + q.abs()) * f32::EPSILON]);
        let rise = |across: [f32; 2], down: f32| {
            let slope = across[0].abs() + across[1];
            let slope = if across[1] == 0.0 { 0.0 } else { slope };
            REACH * (slope + down.max(0.0)) * (1.0 + 4.0 * f32::EPSILON)
        };
        let at = pose * self.point;
        let size = self.point.coords.abs().sum() + pose.translation.vector.abs().sum();
        let grow = 4.0 * f32::EPSILON * size;
        Aabb {
            min: Point::new(at.x - rise(ny, nx[0]) - grow, at.y - rise(nx, ny[0]) - grow),
            max: Point::new(
                at.x + rise(ny, -nx[0]) + grow,
                at.y + rise(nx, -ny[0]) + grow,
            ),
        }
    }
}

/// Returns the square behind a surface with the middle `foot`, `half` \[m\] to each side, counter-clockwise from the right end of the
/// surface, seen with the normal up.
fn square(foot: &DVec, normal: &DVec, half: f64) -> [Point; 4] {
    let along = -perp64(normal) * half;
    let down = normal * (-2.0 * half);
    [
        foot + along,
        foot - along,
        foot - along + down,
        foot + along + down,
    ]
    .map(|p| narrow_point(&p))
}

/// Returns the center of the box around a shape, and the distance to its corners \[m\].
fn bounds_of(shape: &(impl Support + ?Sized)) -> (DVec, f64) {
    let end = |x: f32, y: f32| to_f64(&shape.core_support(&Vec2::new(x, y)).point);
    let low = DVec::new(end(-1.0, 0.0).x, end(0.0, -1.0).y);
    let high = DVec::new(end(1.0, 0.0).x, end(0.0, 1.0).y);
    let reach = 0.5 * (high - low).norm() + f64::from(shape.rounding());
    ((low + high) * 0.5, reach)
}

/// Returns the part of `a` near `b`, which is at `b_in_a`, if `a` is a half-space: searches on convex shapes use it instead.
#[inline]
pub(crate) fn part_near<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    b_in_a: &Pose,
) -> Option<HalfSpace> {
    part_along(a, b, b_in_a, &Vec2::zeros())
}

/// Returns the part of `a` near `b` on a translation by `step` \[m\] from `b_in_a`, if `a` is a half-space.
#[inline]
pub(crate) fn part_along<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    b: &B,
    b_in_a: &Pose,
    step: &Vec2,
) -> Option<HalfSpace> {
    let (point, normal) = a.as_half_space()?;
    let (center, reach) = bounds_of(b);
    let half_step = wide_vec(step) * 0.5;
    let start = DPose::new(b_in_a).apply(&center);
    let whole = HalfSpace::from_unit(point, normal);
    Some(whole.near(&(start + half_step), reach + half_step.norm()))
}

/// Returns the part of `a` near `b` on two sweeps, if `a` is a half-space.
#[inline]
pub(crate) fn part_in_motion<A: Support + ?Sized, B: Support + ?Sized>(
    a: &A,
    sweep_a: &Sweep,
    b: &B,
    sweep_b: &Sweep,
) -> Option<HalfSpace> {
    let (point, normal) = a.as_half_space()?;
    let whole = HalfSpace::from_unit(point, normal);
    let (middle, extent) = bounds_of(b);
    let center = to_f64(&sweep_b.local_center);
    let reach = extent + (middle - center).norm();
    let place = |fraction: f64| {
        let own = sweep_a.precise_pose_at(fraction);
        own.unrotate(&(sweep_b.precise_pose_at(fraction).apply(&center) - own.offset))
    };
    let (start, end) = (place(0.0), place(1.0));
    if sweep_a.start_rotation == sweep_a.end_rotation {
        let half_step = (end - start) * 0.5;
        return Some(whole.near(&(start + half_step), reach + half_step.norm()));
    }
    // Seen from a half-space that turns, the center of B goes round that of A, never farther off than at an end.
    let pivot = to_f64(&sweep_a.local_center);
    let far = (start - pivot).norm().max((end - pivot).norm());
    Some(whole.near(&pivot, reach + far))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{point, pose, vec2};

    #[test]
    fn level_ground_has_a_box_that_ends_at_its_surface() {
        let aabb = HalfSpace::ground().aabb(&pose(3.0, -2.0, 0.0));
        assert!((-2.0..-1.999_99).contains(&aabb.max.y), "{aabb:?}");
        assert!(aabb.min.x < -9.0e5 && aabb.max.x > 9.0e5 && aabb.min.y < -9.0e5);
    }

    #[test]
    fn the_box_contains_the_surface_at_every_tilt() {
        let half_space = HalfSpace::new(point(0.1, 0.2), vec2(0.6, 0.8));
        for step in 0..1000 {
            let at = pose(0.3, -0.7, 0.006_283 * step as f32);
            let aabb = half_space.aabb(&at);
            // From the point along the surface and down: as far as the half-space reaches.
            for (along, down) in [
                (1.0, 0.0),
                (-1.0, 0.0),
                (0.0, 1.0),
                (1.0, 1.0),
                (1.0e-3, 0.0),
            ] {
                let n = half_space.normal();
                let local =
                    half_space.point() + (left_perp(&n) * along - n * down) * (0.999 * REACH);
                assert!(aabb.contains_point(&(at * local)), "{aabb:?} {step}");
            }
        }
    }

    #[test]
    fn a_part_has_the_surface_of_the_whole() {
        let whole = HalfSpace::new(point(5.0, 1.0), vec2(-0.6, 0.8));
        let part = whole.near(&DVec::new(20.0, 13.0), 2.0);
        for corner in &part.corners[..2] {
            assert!(whole.project(corner).separation.abs() < 1.0e-5);
            assert!((corner - point(20.0, 13.0)).norm() < 60.0);
        }
    }
}
