//! Faults that fuzzing found, named by the violated property.

use approx::assert_abs_diff_eq;
use cairn2d_geometry::math::{Pose, point};
use cairn2d_geometry::*;

#[test]
fn a_circle_beside_nearly_parallel_edges_is_measured_from_the_right_one() {
    // Two edges whose normals differ by less than an ulp: the height over both is the same, and the
    // first was taken, though the circle is over the second. Now the nearest vertex is looked for along the hull.
    let corners = [
        point(-9.796413e-25, -13.125),
        point(13.625, -5.75),
        point(13.25, 13.25),
        point(0.0, 0.05834961),
        point(-9.796413e-25, 0.0),
    ];
    let polygon: Shape = Polygon::hull(&corners).into();
    let circle: Shape = Circle::new(point(-1.6173999e-5, -5.75), 5.375).into();
    let m = collide(
        &circle,
        &polygon,
        &Pose::identity(),
        &mut ManifoldCache::default(),
    );
    assert!((m.min_separation().unwrap() + 5.374984).abs() < 1e-5);
}

#[test]
fn an_ellipse_deep_in_a_segment_is_pushed_all_the_way_out() {
    // Support points of a smooth shape are good to an ulp, so short edges of the growing polygon had a
    // random direction and ended the search early. The best measured direction is kept now.
    let ellipse: Shape = Ellipse::new(point(1.25, 0.0), 0.62768555, 5.375, -0.783).into();
    let line: Shape = Segment::new(point(4.746826, 0.0), point(0.0, 0.0)).into();
    let overlap = penetration(&ellipse, &line, &Pose::identity()).unwrap();
    let out = Pose::from_parts(overlap.push_apart().into(), Pose::identity().rotation);
    let rest = penetration(&ellipse, &line, &out).map_or(0.0, |p| p.depth);
    assert!(rest < 1e-5, "{rest} is left");
}

#[test]
fn shapes_that_would_vanish_are_refused() {
    let thin = Polygon::try_hull(&[
        point(0.0, 0.0),
        point(2.7e-39, 0.0),
        point(9.9e-25, 4.9e-25),
    ]);
    assert!(matches!(thin, Err(ShapeError::TooSmall { .. })), "{thin:?}");
    let hair = Capsule::try_new(point(1.25, 12.875), point(0.0, 1.25), 1.2e-16);
    assert!(matches!(hair, Err(ShapeError::TooSmall { .. })));
    let flat = Ellipse::try_new(point(0.0, 0.0), 7.0, 1.8e-7, 0.0);
    assert!(flat.is_err());
}

#[test]
fn nonsense_is_refused_with_its_name_and_value() {
    let nan = Circle::try_new(point(f32::NAN, 0.0), 1.0).unwrap_err();
    assert_eq!(nan.to_string(), "x must be a finite number, not NaN");
    let negative = Polygon::try_rectangle(1.0, -2.0).unwrap_err();
    assert_eq!(
        negative.to_string(),
        "half height must be greater than zero, not -2"
    );
    let line = Polygon::try_hull(&[point(0.0, 0.0), point(1.0, 1.0), point(2.0, 2.0)]).unwrap_err();
    assert_eq!(line, ShapeError::NoArea { count: 3 });
    let same = Segment::try_new(point(1.0, 2.0), point(1.0, 2.0)).unwrap_err();
    assert_eq!(
        same,
        ShapeError::SamePoint {
            first: 0,
            second: 1,
            x: 1.0,
            y: 2.0
        }
    );
    let far = Circle::try_new(point(1e7, 0.0), 1.0).unwrap_err();
    assert!(matches!(far, ShapeError::TooLarge { what: "x", .. }));
}

#[test]
fn a_polygon_of_many_corners_is_a_polygon() {
    let wheel: Shape = Polygon::regular(100, 1.0).into();
    let square: Shape = Polygon::rectangle(0.5, 0.5).into();
    let at = math::pose(0.0, 1.495, 0.0);
    let m = collide(&wheel, &square, &at, &mut ManifoldCache::default());
    assert!((m.min_separation().unwrap() + 0.005).abs() < 1e-3);
    assert_abs_diff_eq!(wheel.mass(1.0).mass, core::f32::consts::PI, epsilon = 3e-3);
}

#[test]
fn holes_are_left_out_of_the_pieces() {
    let square = |x: f32, y: f32, half: f32| {
        vec![
            point(x - half, y - half),
            point(x + half, y - half),
            point(x + half, y + half),
            point(x - half, y + half),
        ]
    };
    let outline = square(0.0, 0.0, 5.0);
    let holes = [
        square(-2.0, -2.0, 1.0),
        square(2.0, 2.0, 1.5),
        square(-2.0, 2.5, 0.5),
    ];
    let views: Vec<&[math::Point]> = holes.iter().map(Vec::as_slice).collect();
    let pieces = convex_pieces(&outline, &views).unwrap();
    let area: f32 = pieces.iter().map(|p| signed_area(p)).sum();
    assert_abs_diff_eq!(area, (100.0 - 4.0 - 9.0 - 1.0), epsilon = 1e-4);
    for hole in [point(-2.0, -2.0), point(2.0, 2.0), point(-2.0, 2.5)] {
        assert!(!pieces.iter().any(|p| outline_contains(p, &hole)));
    }
    let outside = square(9.0, 0.0, 1.0);
    let error = convex_pieces(&outline, &[&outside]).unwrap_err();
    assert_eq!(
        error,
        DecomposeError::NotNested {
            first: 0,
            second: 1
        }
    );
}

#[test]
fn a_circle_about_almost_the_end_of_a_segment_has_a_unit_normal() {
    // The square of 1e-22 is a number with three digits left; the offset over its root was 6 % too long.
    let segment = Segment::new(point(1.124_966e-22, 0.0), point(524_416.0, 0.0));
    let circle = Circle::new(point(0.0, 0.0), 2.875);
    let mut cache = ManifoldCache::default();
    let manifold = collide(
        &segment.into(),
        &circle.into(),
        &Pose::identity(),
        &mut cache,
    );
    assert_abs_diff_eq!(manifold.normal.norm(), 1.0, epsilon = 4.0 * f32::EPSILON);
    assert_eq!(manifold.min_separation(), Some(-2.875));
}

/// Motion that turns by `angle` about `center` and moves by `way`.
fn turning(at: &Pose, angle: f32, center: math::Point, way: math::Vec2) -> Sweep {
    let mut sweep = Sweep::resting(at);
    sweep.end_rotation = sweep.start_rotation * math::rotation(angle);
    sweep.local_center = center;
    sweep.start += sweep.start_rotation * center.coords;
    sweep.end = sweep.start + way;
    sweep
}

#[test]
fn long_grazing_turns_are_followed_to_the_end() {
    // Each certified step is short where a bar turns fast beside something within a slop; the search gave up after 64
    // distances, at a fraction that was safe but early. Cured by a limit that such motions do not reach.
    let still = math::vec2(0.0, 0.0);
    let origin = point(0.0, 0.0);

    let bar: Shape = Segment::new(origin, point(-1.0, 0.0)).into();
    let wall: Shape = Segment::new(origin, point(-6.5, 0.0)).into();
    let at = math::pose(-1.0, 6.6, 1.6);
    let swing = turning(&Pose::identity(), 2.67, point(-1.0, 0.0), still);
    let found = time_of_impact(&bar, &swing, &wall, &Sweep::resting(&at), 1.0);
    assert_eq!(found.state, ToiState::Touching, "{found:?}");

    let bar: Shape = Segment::new(origin, point(1.0, 0.0)).into();
    let grain: Shape = Circle::new(origin, 1e-5).into();
    let at = math::pose(-0.0002, 0.0, 0.0);
    let swing = turning(&Pose::identity(), 1.0, origin, still);
    let roll = turning(&at, 1.0, point(0.0, -3e-5), math::vec2(0.0001, 0.0));
    let found = time_of_impact(&bar, &swing, &grain, &roll, 1.0);
    assert_eq!(found.state, ToiState::Touching, "{found:?}");
    assert!(found.fraction > 0.97, "{found:?}");
}

#[test]
fn corners_less_than_a_rounding_apart_do_not_hide_a_farther_one() {
    // Two corners that differ by 2e-44 are as far along almost any direction, and a search along the outline took that for
    // the top. Now it searches all corners where two are as far.
    let corners = [
        point(-48.0, 0.0),
        point(0.0, -48.0),
        point(-48.0, 2e-44),
        point(0.0, 0.0),
    ];
    let block: Shape = Polygon::hull(&corners).into();
    for (x, y) in [(60.0, 10.0), (-10.0, 70.0), (-90.0, -1.0), (-1.0, -90.0)] {
        let ball: Shape = Circle::new(point(x, y), 1.0).into();
        let at = Pose::identity();
        let gap = distance(&block, &ball, &at, &mut SimplexCache::default());
        let exact = block.project(&point(x, y)).separation - 1.0;
        assert!((gap.distance - exact).abs() < 1e-5, "{gap:?} {exact}");
    }
    let circle: Shape = Circle::new(point(-20_000.0, -30_000.0), 20_000.0).into();
    let corners = [
        point(0.0, 0.0),
        point(-3.0, 0.0),
        point(0.0, 3.0),
        point(-3.0, 3e-45),
    ];
    let block: Shape = Polygon::hull(&corners).into();
    let at = math::pose(-40_000.0, 0.0, 3.0);
    let hit = shape_cast(&circle, &block, &at, math::vec2(20_000.0, -20_000.0), 1.0).unwrap();
    assert!((hit.fraction - 0.588_466_45).abs() < 1e-6, "{hit:?}");
}

#[test]
fn turns_of_shapes_with_hardly_an_edge_are_followed() {
    // Where an edge of either shape is nearest, the axis turns with one of them. It turned with an edge of 4e-9 m, and each
    // step ended as soon as the other shape's long edge was no longer along it; now the longer edge leads.
    let corners = [
        point(0.0, 0.0),
        point(0.0, -0.005),
        point(-0.005_908_93, -0.005_371_316_3),
        point(-0.005_908_923_7, -0.005_371_32),
    ];
    let chip: Shape = Polygon::hull(&corners).into();
    let wall: Shape = Segment::new(point(-6.3, -9.5), point(14.1, 5.6)).into();
    let at = math::pose(-3.7, -2.7, 2.11);
    let spin = turning(
        &Pose::identity(),
        1.0,
        point(0.0, 0.0),
        math::vec2(0.0, 0.0),
    );
    let found = time_of_impact(&chip, &spin, &wall, &Sweep::resting(&at), 1.0);
    assert_eq!(found.state, ToiState::Separated, "{found:?}");
}

#[test]
fn hairs_far_from_the_middle_of_a_circle_are_where_they_are() {
    // Placed in the frame of the circle, both ends of the hair were rounded to one point or beside each other.
    let circle: Shape = Circle::new(point(0.0, 0.0), 6000.0).into();
    let hair: Shape = Segment::new(point(0.0, 6e-5), point(0.0, 0.0)).into();
    let at = math::pose(5e-5, 5000.0, 1.0);
    let found = collide(&circle, &hair, &at, &mut ManifoldCache::default());
    let least = found.min_separation().unwrap();
    assert!((least + 1000.0).abs() < 1e-2, "{found:?}");
}

#[test]
fn a_tiny_direction_has_its_own_support_point() {
    // Products of the direction with coordinates vanished, so that all corners were as far.
    let segment: Shape = Segment::new(point(0.0, 0.0), point(0.0002, 0.0)).into();
    assert_eq!(segment.support(&math::vec2(2e-44, 0.0)), point(0.0002, 0.0));
}

#[test]
fn manifolds_of_hulls_with_nearly_equal_corners_have_the_right_depth() {
    // Moved, corners less than an ulp apart make an outline that turns right, and a search along it ended there. Hulls
    // that were moved are searched at all their corners.
    let a = [
        point(1.135_499_9e-5, 2.760_742_2),
        point(2.760_742_2, 2.760_742_2),
        point(15.25, 3.125),
    ];
    let b = [
        point(0.0, 0.0),
        point(7.499_999_6e-8, 0.0),
        point(1.254_882_8, 1.299_999_9e-8),
        point(2.760_742_2, 1.971_199_9e-5),
        point(15.375, 2.5),
        point(3.840_332, 14.25),
        point(2.920_399_9e-5, 14.25),
        point(5.139_999_8e-6, 13.25),
        point(0.0, 2.5),
    ];
    let a: Shape = Polygon::rounded_hull(&a, 2.760_742_2).into();
    let b: Shape = Polygon::rounded_hull(&b, 4.625).into();
    let turn = math::rotation_from_parts(-0.801_143_6, 0.598_472_1);
    let at = Pose::from_parts(math::vec2(0.317_382_8, 1.625).into(), turn);
    let found = collide(&a, &b, &at, &mut ManifoldCache::default());
    let least = found.min_separation().unwrap();
    assert!((least + 6.665_787_5).abs() < 1e-5, "{found:?}");
}

#[test]
fn a_huge_needle_far_away_is_no_deeper_than_it_is() {
    // Two corners closer than a rounding came in the wrong order into the polygon that grows toward the way out. The
    // edge between them pointed inward, and its far side, 43 km off, was taken for the depth.
    let a: Shape = Segment::new(point(6577.0, -49570.0), point(0.0, 0.0)).into();
    let corners = [
        point(-14_650.235, 47_805.547),
        point(-15_000.0, 50_000.0),
        point(-14_650.237, 47_805.55),
    ];
    let b: Shape = Polygon::hull(&corners).into();
    let at = math::pose(-35_210.0, -22_100.0, -2.449_599_7);
    let found = penetration(&a, &b, &at).unwrap();
    // Exact: 2.059 m; numbers of 50 km are a thirtieth of a meter apart here.
    assert!((found.depth - 2.059).abs() < 0.05, "{found:?}");
}
