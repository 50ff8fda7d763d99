//! Ellipse.

use super::ray_cast::circle_entry;
use super::rounded::{Projection, is_unit, outward_box};
use crate::aabb::Aabb;
use crate::double::{DPose, DVec, narrow_point, normalize64, to_f32, to_f64, wide_vec};
use crate::error::{ShapeError, bounded, bounded_points, demand, positive};
use crate::mass::MassData;
use crate::math::{Point, Pose, Rotation, Vec2, angle, rotation};
use crate::ray::{Ray, RayHit};
use crate::state_record;
use crate::support::{Support, SupportPoint};
use crate::vector_input::IntoPoint;
use core::f64::consts::TAU;

/// Largest factor between the half axes.
///
/// The ends of a flatter ellipse have radii of curvature of a millionth of its length, and `f32` support points
/// cannot distinguish them from corners. Use a [`Segment`](crate::Segment) or a [`Capsule`](crate::Capsule) instead.
const MAX_ASPECT: f32 = 1000.0;

/// Solid ellipse with two half axes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(
        try_from = "super::data::EllipseData",
        into = "super::data::EllipseData"
    )
)]
pub struct Ellipse {
    center: Point,
    pub(super) rotation: Rotation,
    radii: Vec2,
}

state_record!(
    Ellipse {
        center,
        rotation,
        radii,
    },
    is_valid
);

impl Ellipse {
    /// Returns `true` if the parts, read from a save, can be those of a shape.
    pub(super) fn is_valid(&self) -> bool {
        let (long, short) = (self.radii.max(), self.radii.min());
        bounded_points(&[self.center, self.radii.into()]).is_ok()
            && short > 0.0
            && long <= MAX_ASPECT * short
            && is_unit(&Vec2::new(self.rotation.re, self.rotation.im))
    }

    /// Creates the ellipse about `center` with half axes `rx` and `ry` \[m\], turned by `angle` \[rad\].
    ///
    /// # Panics
    /// If a number is invalid; [`try_new`](Self::try_new) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn new(center: impl IntoPoint, rx: f32, ry: f32, angle: f32) -> Self {
        let center = center.into_point();
        demand(Self::try_new(center, rx, ry, angle), "create the ellipse")
    }

    /// Creates the ellipse about `center` with half axes `rx` and `ry` \[m\], turned by `angle` \[rad\].
    ///
    /// # Errors
    /// If a number is not finite or too large, or a half axis is not greater than zero. If the half axes
    /// differ by more than a factor of 1000.
    pub fn try_new(center: Point, rx: f32, ry: f32, angle: f32) -> Result<Self, ShapeError> {
        bounded_points(&[center])?;
        let radii = Vec2::new(positive("rx", rx)?, positive("ry", ry)?);
        let (long, short) = (radii.max(), radii.min());
        if long > MAX_ASPECT * short {
            return Err(ShapeError::TooFlat {
                long,
                short,
                limit: MAX_ASPECT,
            });
        }
        Ok(Self {
            center,
            rotation: rotation(bounded("angle", angle)?),
            radii,
        })
    }

    /// Returns the center \[m\].
    #[must_use]
    pub const fn center(&self) -> Point {
        self.center
    }

    /// Returns the two half axes \[m\].
    #[must_use]
    pub const fn radii(&self) -> Vec2 {
        self.radii
    }

    /// Returns the angle of the first half axis in (-pi, pi] \[rad\].
    #[must_use]
    pub fn angle(&self) -> f32 {
        angle(&self.rotation)
    }

    /// Returns the radius of curvature where the outward normal is the unit vector `normal` \[m\]: `(rx ry)^2 / d^3` for
    /// the distance `d` from the center to the tangent there; at most the length.
    pub(super) fn rolling_radius(&self, normal: &Vec2) -> f32 {
        let upright = self.rotation.inverse_transform_vector(normal);
        let distance = upright.component_mul(&self.radii).norm();
        let ratio = self.radii.x * self.radii.y / distance;
        (ratio * ratio / distance).min(2.0 * self.radii.max())
    }

    /// Returns the two half axes as vectors in the frame of the shape \[m\].
    pub(super) fn axes(&self) -> [DVec; 2] {
        let turn = DVec::new(self.rotation.re.into(), self.rotation.im.into());
        let (x, y) = (f64::from(self.radii.x), f64::from(self.radii.y));
        [turn * x, DVec::new(-turn.y, turn.x) * y]
    }

    /// Maps the upright frame about the center to that of the shape.
    fn frame(&self) -> DPose {
        DPose::new(&Pose::from_parts(self.center.coords.into(), self.rotation))
    }

    /// Returns the box around the ellipse at `pose`, rounded outward.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb {
        let turn = pose.rotation * self.rotation;
        let squares = Vec2::new(turn.re * turn.re, turn.im * turn.im);
        let axes = self.radii.component_mul(&self.radii);
        let half = Vec2::new(
            (axes.x * squares.x + axes.y * squares.y).sqrt(),
            (axes.x * squares.y + axes.y * squares.x).sqrt(),
        );
        let center = pose.rotation * self.center;
        outward_box(&Aabb::from_center_half(center, half), 0.0, pose)
    }

    /// Returns mass, center and inertia at `density` [kg/m^2].
    #[must_use]
    pub fn mass(&self, density: f32) -> MassData {
        let (x, y) = (f64::from(self.radii.x), f64::from(self.radii.y));
        let mass = core::f64::consts::PI * x * y * f64::from(density);
        let inertia = mass * (x * x + y * y) / 4.0;
        MassData {
            mass: mass as f32,
            center: self.center,
            inertia: inertia as f32,
        }
    }

    /// Returns the surface point that is farthest along `direction`; the center for the zero vector.
    #[must_use]
    pub fn support(&self, direction: &Vec2) -> Point {
        narrow_point(&self.precise_support(&wide_vec(direction)))
    }

    fn precise_support(&self, direction: &DVec) -> DVec {
        let frame = self.frame();
        let radii = wide_vec(&self.radii);
        let stretched = frame.unrotate(direction).component_mul(&radii);
        let on_circle = normalize64(&stretched).unwrap_or_default();
        frame.apply(&on_circle.component_mul(&radii))
    }

    /// Returns `true` if `point` is inside or on the surface.
    #[must_use]
    pub fn contains(&self, point: &Point) -> bool {
        let frame = self.frame();
        let p = frame.unrotate(&(to_f64(point) - frame.offset));
        p.component_div(&wide_vec(&self.radii)).norm_squared() <= 1.0
    }

    /// Returns the point of the surface nearest to `point`, which may be inside or outside.
    #[must_use]
    pub fn project(&self, point: &Point) -> Projection {
        let frame = self.frame();
        let radii = wide_vec(&self.radii);
        let p = frame.unrotate(&(to_f64(point) - frame.offset));
        let nearest = nearest_on_ellipse(&radii, &p);
        let normal = nearest.component_div(&radii.component_mul(&radii));
        let normal = normalize64(&normal).unwrap_or_else(DVec::x);
        Projection {
            point: narrow_point(&frame.apply(&nearest)),
            normal: to_f32(&frame.rotate(&normal)),
            separation: normal.dot(&(p - nearest)) as f32,
        }
    }

    /// Returns a bound of the largest distance of the surface from `point` \[m\]: exact for the
    /// center, and never more than the smaller half axis too large.
    #[must_use]
    pub fn extent_about(&self, point: &Point) -> f32 {
        (self.center - point).norm() + self.radii.max()
    }

    /// Returns the first point of the ellipse on `ray`; fraction 0 and a zero normal where the ray
    /// starts inside or on the surface.
    #[must_use]
    pub fn ray_cast(&self, ray: &Ray) -> Option<RayHit> {
        if self.contains(&ray.origin) {
            return Some(RayHit {
                fraction: 0.0,
                point: ray.origin,
                normal: Vec2::zeros(),
            });
        }
        let frame = self.frame();
        let radii = wide_vec(&self.radii);
        let origin = frame.unrotate(&(to_f64(&ray.origin) - frame.offset));
        let step = frame.unrotate(&wide_vec(&ray.translation));
        // The map to the unit circle keeps fractions.
        let (o, s) = (origin.component_div(&radii), step.component_div(&radii));
        let t = circle_entry(&o, &s, 1.0)?;
        let on_circle = o + s * t;
        let normal = normalize64(&on_circle.component_div(&radii))?;
        (t <= f64::from(ray.max_fraction)).then(|| RayHit {
            fraction: t as f32,
            point: narrow_point(&(to_f64(&ray.origin) + wide_vec(&ray.translation) * t)),
            normal: to_f32(&frame.rotate(&normal)),
        })
    }
}

/// Returns the point of the upright ellipse about zero that is nearest to `p`, by bisection on the
/// Lagrange multiplier [Eberly13, sec. 2].
fn nearest_on_ellipse(radii: &DVec, p: &DVec) -> DVec {
    /// Halvings after which an interval of doubles cannot shrink further.
    const HALVINGS: usize = 128;
    let squares = radii.component_mul(radii);
    let least = squares.min();
    let q = p.abs();
    // The nearest point is (r^2 q) / (r^2 + t), with t the root of a falling function on (-least, inf).
    let value = |t: f64| {
        let x = radii.x * q.x / (squares.x + t);
        let y = radii.y * q.y / (squares.y + t);
        x * x + y * y - 1.0
    };
    let mut low = -least;
    let mut high = radii.component_mul(&q).norm();
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if value(middle) > 0.0 {
            low = middle
        } else {
            high = middle
        }
    }
    let denominator = squares.add_scalar(high);
    let mut nearest = DVec::zeros();
    let major = usize::from(radii.y > radii.x);
    let minor = 1 - major;
    nearest[major] = squares[major] * q[major] / denominator[major];
    // On the major axis inside the evolute the minor coordinate is 0 / 0: take it from the ellipse.
    let rest = 1.0 - (nearest[major] / radii[major]) * (nearest[major] / radii[major]);
    nearest[minor] = radii[minor] * rest.max(0.0).sqrt();
    DVec::new(nearest.x.copysign(p.x), nearest.y.copysign(p.y))
}

impl Support for Ellipse {
    fn core_support(&self, direction: &Vec2) -> SupportPoint {
        let point = self.precise_support(&wide_vec(direction));
        let local = self.frame().unrotate(&(point - to_f64(&self.center)));
        let on_circle = local.component_div(&wide_vec(&self.radii));
        let turns = libm::atan2(on_circle.y, on_circle.x) / TAU;
        let index = (turns.rem_euclid(1.0) * f64::from(u16::MAX)) as u16;
        SupportPoint {
            point: narrow_point(&point),
            index,
        }
    }

    fn core_vertex(&self, index: u16) -> Point {
        let (sin, cos) = libm::sincos(TAU * f64::from(index) / f64::from(u16::MAX));
        let local = DVec::new(cos, sin).component_mul(&wide_vec(&self.radii));
        narrow_point(&self.frame().apply(&local))
    }

    fn rounding(&self) -> f32 {
        0.0
    }
}
