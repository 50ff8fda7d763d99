//! Box2D's shapes out of ours.

use boxdd_sys::ffi::*;
use cairn2d_geometry::math::{Point, Pose, Rotation, Vec2};
use cairn2d_geometry::{Polygon, RoundedHull, Shape, Sweep};

pub fn vec(v: &Vec2) -> b2Vec2 {
    b2Vec2 { x: v.x, y: v.y }
}

pub fn at(p: &Point) -> b2Vec2 {
    b2Vec2 { x: p.x, y: p.y }
}

pub fn ours(v: &b2Vec2) -> Vec2 {
    Vec2::new(v.x, v.y)
}

pub fn rot(r: &Rotation) -> b2Rot {
    b2Rot { c: r.re, s: r.im }
}

pub fn transform(pose: &Pose) -> b2Transform {
    b2Transform {
        p: vec(&pose.translation.vector),
        q: rot(&pose.rotation),
    }
}

pub fn hull_of(shape: &Shape) -> RoundedHull<'_> {
    match shape {
        Shape::Circle(s) => s.as_hull(),
        Shape::Capsule(s) => s.as_hull(),
        Shape::Segment(s) => s.as_hull(),
        Shape::Polygon(s) => s.as_hull(),
        Shape::ChainSegment(s) => s.as_hull(),
        _ => panic!("Box2D has no such shape"),
    }
}

pub fn proxy(shape: &Shape) -> b2ShapeProxy {
    let hull = hull_of(shape);
    let points: Vec<b2Vec2> = hull.vertices.iter().map(at).collect();
    unsafe { b2MakeProxy(points.as_ptr(), points.len() as i32, hull.radius) }
}

/// Copies vertices and normals: the welding of its own hull would change the question.
pub fn polygon(shape: &Polygon) -> b2Polygon {
    let mut made: b2Polygon = unsafe { std::mem::zeroed() };
    for (i, (v, n)) in shape.vertices().iter().zip(shape.normals()).enumerate() {
        made.vertices[i] = at(v);
        made.normals[i] = vec(n);
    }
    made.count = shape.vertices().len() as i32;
    made.radius = shape.radius();
    made.centroid = at(&shape.centroid());
    made
}

pub fn sweep(s: &Sweep) -> b2Sweep {
    b2Sweep {
        localCenter: at(&s.local_center),
        c1: at(&s.start),
        c2: at(&s.end),
        q1: rot(&s.start_rotation),
        q2: rot(&s.end_rotation),
    }
}

/// Shape of Box2D.
pub enum Made {
    Circle(b2Circle),
    Capsule(b2Capsule),
    Segment(b2Segment),
    Polygon(b2Polygon),
}

pub fn make(shape: &Shape) -> Made {
    match shape {
        Shape::Circle(s) => Made::Circle(b2Circle {
            center: at(&s.center()),
            radius: s.radius(),
        }),
        Shape::Capsule(s) => Made::Capsule(b2Capsule {
            center1: at(&s.a()),
            center2: at(&s.b()),
            radius: s.radius(),
        }),
        Shape::Segment(s) => Made::Segment(b2Segment {
            point1: at(&s.a()),
            point2: at(&s.b()),
        }),
        Shape::Polygon(s) => Made::Polygon(polygon(s)),
        _ => panic!("Box2D has no such shape"),
    }
}

/// Returns the manifold in the frame of A; `None` for pairs that it has only the other way round or not
/// at all.
pub fn collide(a: &Made, b: &Made, b_in_a: b2Transform) -> Option<b2LocalManifold> {
    use Made::*;
    unsafe {
        Some(match (a, b) {
            (Circle(a), Circle(b)) => b2CollideCircles(a, b, b_in_a),
            (Capsule(a), Circle(b)) => b2CollideCapsuleAndCircle(a, b, b_in_a),
            (Segment(a), Circle(b)) => b2CollideSegmentAndCircle(a, b, b_in_a),
            (Polygon(a), Circle(b)) => b2CollidePolygonAndCircle(a, b, b_in_a),
            (Capsule(a), Capsule(b)) => b2CollideCapsules(a, b, b_in_a),
            (Segment(a), Capsule(b)) => b2CollideSegmentAndCapsule(a, b, b_in_a),
            (Polygon(a), Capsule(b)) => b2CollidePolygonAndCapsule(a, b, b_in_a),
            (Polygon(a), Polygon(b)) => b2CollidePolygons(a, b, b_in_a),
            (Segment(a), Polygon(b)) => b2CollideSegmentAndPolygon(a, b, b_in_a),
            _ => return None,
        })
    }
}

/// Returns the mass; segments have none.
pub fn mass(shape: &Made) -> Option<b2MassData> {
    unsafe {
        Some(match shape {
            Made::Circle(s) => b2ComputeCircleMass(s, 1.0),
            Made::Capsule(s) => b2ComputeCapsuleMass(s, 1.0),
            Made::Polygon(s) => b2ComputePolygonMass(s, 1.0),
            Made::Segment(_) => return None,
        })
    }
}

pub fn ray_cast(shape: &Made, input: &b2RayCastInput) -> b2CastOutput {
    unsafe {
        match shape {
            Made::Circle(s) => b2RayCastCircle(s, input),
            Made::Capsule(s) => b2RayCastCapsule(s, input),
            Made::Segment(s) => b2RayCastSegment(s, input, false),
            Made::Polygon(s) => b2RayCastPolygon(s, input),
        }
    }
}
