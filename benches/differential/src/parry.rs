//! parry2d's shapes out of ours.

use cairn2d_geometry::Shape as Ours;
use cairn2d_geometry::math::{self as our_math};
use parry2d::math::{Pose, Vector};
use parry2d::shape::{Ball, Capsule, ConvexPolygon, RoundShape, Segment, SharedShape};

pub fn vec(v: &our_math::Vec2) -> Vector {
    Vector::new(v.x, v.y)
}

pub fn at(p: &our_math::Point) -> Vector {
    Vector::new(p.x, p.y)
}

pub fn pose(p: &our_math::Pose) -> Pose {
    let mut made = Pose::IDENTITY;
    made.translation = vec(&p.translation.vector);
    made.rotation.re = p.rotation.re;
    made.rotation.im = p.rotation.im;
    made
}

/// Returns the shape, and the offset that it cannot hold (the center of a circle).
pub fn make(shape: &Ours) -> (SharedShape, Vector) {
    let none = Vector::new(0.0, 0.0);
    match shape {
        Ours::Circle(s) => (SharedShape::new(Ball::new(s.radius())), at(&s.center())),
        Ours::Capsule(s) => (
            SharedShape::new(Capsule::new(at(&s.a()), at(&s.b()), s.radius())),
            none,
        ),
        Ours::Segment(s) => (SharedShape::new(Segment::new(at(&s.a()), at(&s.b()))), none),
        Ours::Polygon(s) => {
            let corners = s.vertices().iter().map(at).collect();
            let made = ConvexPolygon::from_convex_polyline(corners).expect("convex");
            if s.radius() > 0.0 {
                let round = RoundShape {
                    inner_shape: made,
                    border_radius: s.radius(),
                };
                (SharedShape::new(round), none)
            } else {
                (SharedShape::new(made), none)
            }
        }
        _ => panic!("parry2d has no such shape"),
    }
}

/// Returns the pose of a shape with its offset.
pub fn shifted(p: &our_math::Pose, offset: Vector) -> Pose {
    let mut made = pose(p);
    let r = p.rotation * our_math::Vec2::new(offset.x, offset.y);
    made.translation += vec(&r);
    made
}
