//! Manifolds whose answer can be read off a sketch.

use cairn2d_geometry::math::{Pose, point, pose, vec2};
use cairn2d_geometry::{
    Capsule, Chain, ChainKind, Circle, Ellipse, Manifold, ManifoldCache, Polygon, Segment, Shape,
    collide,
};

fn touch(a: &Shape, b: &Shape, b_in_a: &Pose) -> Manifold {
    collide(a, b, b_in_a, &mut ManifoldCache::default())
}

fn assert_near(a: f32, b: f32) {
    assert!((a - b).abs() < 1e-5, "{a} is not {b}");
}

fn unit_box() -> Shape {
    Polygon::rectangle(0.5, 0.5).into()
}

#[test]
fn a_box_on_a_box_has_two_points_at_its_corners() {
    let m = touch(&unit_box(), &unit_box(), &pose(0.1, 0.99, 0.0));
    assert_eq!(m.normal, vec2(0.0, 1.0));
    let mut xs: Vec<f32> = m.points().iter().map(|p| p.point.x).collect();
    xs.sort_by(f32::total_cmp);
    assert_near(xs[0], -0.4);
    assert_near(xs[1], 0.5);
    for p in m.points() {
        assert_near(p.separation, -0.01);
        assert_near(p.point.y, 0.495);
    }
}

#[test]
fn a_box_on_its_corner_has_one_point() {
    let m = touch(
        &unit_box(),
        &unit_box(),
        &pose(0.0, 0.5 + 0.5_f32.sqrt(), core::f32::consts::FRAC_PI_4),
    );
    assert_eq!(m.points().len(), 1);
    assert_near(m.points()[0].separation, 0.0);
    assert_near(m.points()[0].point.x, 0.0);
}

#[test]
fn diagonal_corners_measure_their_distance() {
    let m = touch(&unit_box(), &unit_box(), &pose(1.003, 1.004, 0.0));
    assert_eq!(m.points().len(), 1);
    assert_near(m.points()[0].separation, 0.005);
    assert_near(m.normal.x, 0.6);
}

#[test]
fn a_lying_capsule_has_two_points_and_a_standing_one_has_one() {
    let lying: Shape = Capsule::new(point(-0.3, 0.0), point(0.3, 0.0), 0.2).into();
    let m = touch(&unit_box(), &lying, &pose(0.0, 0.7, 0.0));
    assert_eq!(m.points().len(), 2);
    let m = touch(
        &unit_box(),
        &lying,
        &pose(0.0, 1.0, core::f32::consts::FRAC_PI_2),
    );
    assert_eq!(m.points().len(), 1);
    assert_near(m.points()[0].separation, 0.0);
}

#[test]
fn collinear_segments_measure_the_distance_of_their_ends() {
    let s: Shape = Segment::new(point(0.0, 0.0), point(1.0, 0.0)).into();
    let m = touch(&s, &s, &pose(1.01, 0.0, 0.0));
    assert_eq!(m.points().len(), 1);
    assert_near(m.points()[0].separation, 0.01);
    assert!(touch(&s, &s, &pose(1.1, 0.0, 0.0)).is_empty());
}

#[test]
fn a_circle_touches_whatever_is_first() {
    let ball: Shape = Circle::new(point(0.0, 0.0), 0.25).into();
    for (a, b, sign) in [(unit_box(), ball.clone(), 1.0), (ball, unit_box(), -1.0)] {
        let m = touch(&a, &b, &pose(sign * 0.74, 0.0, 0.0));
        assert_near(m.normal.x, sign);
        assert_near(m.points()[0].separation, -0.01);
    }
}

#[test]
fn an_ellipse_rests_on_one_point() {
    let egg: Shape = Ellipse::new(point(0.0, 0.0), 0.5, 0.25, 0.0).into();
    let m = touch(&unit_box(), &egg, &pose(0.1, 0.74, 0.0));
    assert_near(m.normal.y, 1.0);
    assert_near(m.points()[0].separation, -0.01);
    assert_near(m.points()[0].point.x, 0.1);
}

#[test]
fn nothing_catches_on_the_joint_of_a_flat_chain() {
    let floor = [
        point(4.0, 0.0),
        point(2.0, 0.0),
        point(0.0, 0.0),
        point(-2.0, 0.0),
    ];
    let chain = Chain::new(&floor, ChainKind::Open);
    let mut touched = 0;
    for i in 0..400_u16 {
        let at = pose(f32::from(i) * 0.01 - 1.0, 0.49, 0.0);
        for segment in chain.segments() {
            let m = touch(&(*segment).into(), &unit_box(), &at);
            if !m.is_empty() {
                touched += 1;
                assert_near(m.normal.y, 1.0);
            }
        }
    }
    assert!(touched >= 400);
}

#[test]
fn a_chain_is_hollow_from_behind() {
    let floor = Chain::new(&[point(2.0, 0.0), point(-2.0, 0.0)], ChainKind::Open);
    let segment: Shape = floor.segments()[0].into();
    assert!(!touch(&segment, &unit_box(), &pose(0.0, 0.1, 0.0)).is_empty());
    assert!(touch(&segment, &unit_box(), &pose(0.0, -0.1, 0.0)).is_empty());
}
