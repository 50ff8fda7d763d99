//! Points, lines, outlines and boxes.

use crate::case::{Case, V, Verdict, apart, points, replay, to_f64, to_point, v};
use cairn2d_geometry::math::{Point, Pose, Vec2};
use cairn2d_geometry::{
    Aabb, Chain, ChainKind, Convexity, Polygon, Ray, SegmentIntersection, centroid, check_outline,
    cleaned_outline, convex_hull, convex_intersection, convex_pieces, line_intersection,
    minkowski_sum, offset_outline, orientation, orientation_of_points, outline_contains,
    segment_intersection, signed_area, triangulate,
};

fn outline(case: &Case, key: &str) -> Vec<Point> {
    points(case.input(key).as_array().unwrap())
        .into_iter()
        .map(to_point)
        .collect()
}

/// Says whether two outlines have the same corners in the same order, wherever they start.
fn is_same_loop(ours: &[Point], expected: &[V], tol: f64) -> bool {
    let n = expected.len();
    ours.len() == n
        && (n == 0
            || (0..n).any(|shift| {
                (0..n).all(|i| apart(to_f64(ours[(i + shift) % n]), expected[i]) <= tol)
            }))
}

fn corners(case: &Case, key: &str) -> Vec<V> {
    case.expect(key).as_array().unwrap().iter().map(v).collect()
}

#[test]
fn orientations() {
    replay(
        include_str!("../data/orientation.json"),
        60,
        |case, verdict| {
            let [a, b, p] = ["a", "b", "p"].map(|key| v(case.input(key)));
            let ours = orientation(a, b, p);
            let sign = case.expect_number("sign");
            let is_right = if sign == 0.0 {
                ours == 0.0
            } else {
                ours * sign > 0.0
            };
            verdict.check(case, is_right, || format!("{ours:e}, sign {sign}"));
        },
    );
}

#[test]
fn segments() {
    replay(
        include_str!("../data/segment_intersection.json"),
        125,
        |case, verdict| {
            let [a, b, c, d] = ["a0", "a1", "b0", "b1"].map(|key| to_point(v(case.input(key))));
            let ours = segment_intersection(&a, &b, &c, &d);
            if case.policy() == Some("collinear_overlap") {
                return verdict.check(case, ours == SegmentIntersection::Overlapping, || {
                    format!("{ours:?}")
                });
            }
            let is_inclusive = case.input("inclusive").as_bool() != Some(false);
            let at = match ours {
                SegmentIntersection::Crossing(p) => Some(p),
                SegmentIntersection::Touching(p) if is_inclusive => Some(p),
                _ => None,
            };
            verdict.check(case, at.is_some() == case.expect_bool("hit"), || {
                format!("{ours:?}")
            });
            let is_proper = matches!(ours, SegmentIntersection::Crossing(_));
            verdict.check(case, is_proper == case.expect_bool("proper"), || {
                format!("{ours:?}")
            });
            if let (Some(p), true) = (at, case.expect("point").is_array()) {
                verdict.near_point(
                    case,
                    "point",
                    to_f64(p),
                    v(case.expect("point")),
                    case.tol(),
                );
            }
        },
    );
}

#[test]
fn lines() {
    replay(
        include_str!("../data/line_intersection.json"),
        10,
        |case, verdict| {
            let [a, b, c, d] = ["a0", "a1", "b0", "b1"].map(|key| to_point(v(case.input(key))));
            let ours = line_intersection(&a, &b, &c, &d);
            verdict.check(case, ours.is_some() == case.expect_bool("hit"), || {
                format!("{ours:?}")
            });
            if let (Some(p), true) = (ours, case.expect("point").is_array()) {
                verdict.near_point(
                    case,
                    "point",
                    to_f64(p),
                    v(case.expect("point")),
                    case.tol(),
                );
            }
        },
    );
}

#[test]
fn outline_facts() {
    replay(
        include_str!("../data/polygon_valid.json"),
        300,
        |case, verdict| {
            let ours = check_outline(&outline(case, "vertices"));
            let convexity = match case.expect("convexity").as_str().unwrap() {
                "strict" => Convexity::Strict,
                "weak" => Convexity::Weak,
                _ => Convexity::Not,
            };
            verdict.check(case, ours.convexity == convexity, || format!("{ours:?}"));
            if ours.signed_area != 0.0 {
                let is_ccw = ours.signed_area > 0.0;
                verdict.check(case, is_ccw == case.expect_bool("ccw"), || {
                    format!("{ours:?}")
                });
            }
            let has_same = ours.same_point.is_some();
            verdict.check(case, has_same == case.expect_bool("coincident"), || {
                format!("{ours:?}")
            });
            if !has_same {
                verdict.check(case, ours.is_simple() == case.expect_bool("simple"), || {
                    format!("{ours:?}")
                });
            }
        },
    );
}

#[test]
fn windings() {
    replay(include_str!("../data/winding.json"), 4, |case, verdict| {
        let ours = signed_area(&outline(case, "vertices"));
        verdict.near(
            case,
            "area",
            ours.into(),
            case.expect_number("signed_area"),
            10.0 * case.tol(),
        );
    });
}

#[test]
fn centers_of_area() {
    replay(
        include_str!("../data/centroid.json"),
        43,
        |case, verdict| {
            let corners = outline(case, "vertices");
            let ours = centroid(&corners);
            if case.policy() == Some("zero_area") {
                return verdict.check(case, ours == corners[0], || format!("{ours}"));
            }
            verdict.near_point(
                case,
                "center",
                to_f64(ours),
                v(case.expect("center")),
                case.tol(),
            );
        },
    );
}

#[test]
fn points_in_outlines() {
    replay(
        include_str!("../data/point_in_polygon.json"),
        92,
        |case, verdict| {
            let p = to_point(v(case.input("point")));
            let ours = outline_contains(&outline(case, "vertices"), &p);
            verdict.check(case, ours == case.expect_bool("inside"), || {
                format!("{ours}")
            });
        },
    );
}

#[test]
fn clean_up() {
    replay(
        include_str!("../data/polygon_clean.json"),
        3,
        |case, verdict| {
            let ours = cleaned_outline(&outline(case, "vertices"));
            let expected = corners(case, "vertices");
            verdict.check(case, is_same_loop(&ours, &expected, 1e-6), || {
                format!("{ours:?}")
            });
        },
    );
}

fn any_outline(case: &Case, key: &str) -> Vec<Point> {
    let list = case.0[key].as_array().unwrap();
    let skip = if list[0] == "polygon" { 2 } else { 1 };
    let frame = case.frame(if key == "a" { "xf_a" } else { "xf_b" });
    points(&list[skip..])
        .into_iter()
        .map(|p| to_point(frame.out(p)))
        .collect()
}

#[test]
fn sums_of_outlines() {
    replay(
        include_str!("../data/minkowski_sum.json"),
        5,
        |case, verdict| {
            let ours = minkowski_sum(&any_outline(case, "a"), &any_outline(case, "b"));
            // Parallel edges may leave a corner that rounding does not quite straighten.
            let strict = convex_hull(&ours);
            let area = f64::from(signed_area(&strict));
            verdict.near(case, "area", area, case.expect_number("area"), case.tol());
            // The expected list may name points on an edge.
            let hull = Polygon::hull(&strict);
            for p in corners(case, "vertices") {
                let off = hull.as_hull().project(&to_point(p)).separation;
                verdict.near(case, "off the border", off.into(), 0.0, case.tol());
            }
        },
    );
}

#[test]
fn common_parts() {
    replay(
        include_str!("../data/polygon_intersection.json"),
        70,
        |case, verdict| {
            let (a, b) = (any_outline(case, "a"), any_outline(case, "b"));
            let ours = convex_intersection(&a, &b, &Pose::identity());
            let area = f64::from(signed_area(&ours));
            verdict.near(
                case,
                "area",
                area,
                case.expect_number("area"),
                case.tol().max(2e-6),
            );
            let back = f64::from(signed_area(&convex_intersection(&b, &a, &Pose::identity())));
            verdict.near(
                case,
                "area swapped",
                back,
                case.expect_number("area"),
                case.tol().max(2e-6),
            );
        },
    );
}

#[test]
fn offsets() {
    replay(
        include_str!("../data/polygon_offset.json"),
        1,
        |case, verdict| {
            let hull = convex_hull(&any_outline(case, "a"));
            let ours = offset_outline(&hull, case.number("distance") as f32);
            let expected = corners(case, "vertices");
            verdict.check(case, is_same_loop(&ours, &expected, case.tol()), || {
                format!("{ours:?}")
            });
        },
    );
}

#[test]
fn hulls() {
    replay(include_str!("../data/hull.json"), 300, |case, verdict| {
        let cloud = outline(case, "points");
        let ours = convex_hull(&cloud);
        if !case.expect_bool("valid") {
            return verdict.check(case, ours.len() < 3, || format!("{ours:?}"));
        }
        let scale = cloud
            .iter()
            .map(|p| f64::from(p.coords.amax()))
            .fold(1.0, f64::max);
        let area = case.expect("area").as_f64().unwrap_or(0.0);
        verdict.near(
            case,
            "area",
            check_outline(&ours).signed_area,
            area,
            1e-6 * scale * scale,
        );
        // Points that single precision puts on an edge, or off it, are no corners or new ones.
        if !case.has_tag("f32_fragile") {
            let expected = corners(case, "hull");
            verdict.check(case, is_same_loop(&ours, &expected, 1e-6 * scale), || {
                format!("{ours:?}")
            });
        }
        let mut backward = cloud.clone();
        backward.reverse();
        verdict.check(case, convex_hull(&backward) == ours, || {
            "order matters".into()
        });
        verdict.check(case, convex_hull(&ours) == ours, || "not idempotent".into());
    });
}

#[test]
fn decompositions() {
    replay(
        include_str!("../data/convex_decomposition.json"),
        200,
        |case, verdict| {
            let corners = outline(case, "vertices");
            let pieces = convex_pieces(&corners, &[]);
            if case.policy() == Some("clockwise_input") {
                return verdict.check(case, pieces.is_ok(), || format!("{pieces:?}"));
            }
            if case.policy().is_some() {
                return verdict.check(case, pieces.is_err(), || format!("{pieces:?}"));
            }
            let (Ok(pieces), Ok(triangles)) = (&pieces, triangulate(&corners, &[])) else {
                return verdict.check(case, false, || format!("{:?}", pieces.as_ref().err()));
            };
            let area: f64 = pieces.iter().map(|p| f64::from(signed_area(p))).sum();
            let expected = case.expect_number("area").abs();
            verdict.near(case, "area", area, expected, 1e-5 * expected);
            let area: f64 = triangles.iter().map(|p| f64::from(signed_area(p))).sum();
            verdict.near(case, "area of triangles", area, expected, 1e-5 * expected);
            let most = case.expect_number("max_pieces");
            verdict.check(case, pieces.len() as f64 <= most, || {
                format!("{} pieces", pieces.len())
            });
            for piece in pieces {
                let n = piece.len();
                let is_convex = (0..n).all(|i| {
                    orientation_of_points(&piece[i], &piece[(i + 1) % n], &piece[(i + 2) % n]) > 0.0
                });
                verdict.check(case, n > 2 && is_convex, || {
                    format!("{piece:?} is not convex")
                });
            }
            for (i, p) in pieces.iter().enumerate() {
                for q in &pieces[..i] {
                    let shared = signed_area(&convex_intersection(p, q, &Pose::identity()));
                    verdict.near(case, "shared area", shared.into(), 0.0, 1e-6 * expected);
                }
            }
        },
    );
}

#[test]
fn areas() {
    replay(include_str!("../data/area.json"), 10, |case, verdict| {
        let ours = case.shape("a").mass(1.0).mass;
        let expected = case.expect_number("area");
        verdict.near(
            case,
            "area",
            ours.into(),
            expected,
            1e-6 * expected.max(1e-3),
        );
    });
}

#[test]
fn ghosts_of_chains() {
    replay(
        include_str!("../data/chain_ghosts.json"),
        30,
        |case, verdict| {
            let list = case.0["a"].as_array().unwrap();
            let kind = if list[1] == true {
                ChainKind::Loop
            } else {
                ChainKind::Open
            };
            let corners: Vec<Point> = points(&list[2..]).into_iter().map(to_point).collect();
            let chain = Chain::new(&corners, kind);
            let expected = case.expect("segments").as_array().unwrap();
            verdict.check(case, chain.segments().len() == expected.len(), || {
                format!("{chain:?}")
            });
            for (s, e) in chain.segments().iter().zip(expected) {
                let is_same = |ours: Option<Point>, key: &str| match ours {
                    Some(p) => e[key].is_array() && apart(to_f64(p), v(&e[key])) < 1e-6,
                    None => e[key].is_null(),
                };
                let is_right = is_same(s.ghost_before(), "ghost1")
                    && is_same(Some(s.a()), "p1")
                    && is_same(Some(s.b()), "p2")
                    && is_same(s.ghost_after(), "ghost2");
                verdict.check(case, is_right, || format!("{s:?}"));
            }
        },
    );
}

fn aabb(value: &serde_json::Value) -> Aabb {
    Aabb::new(to_point(v(&value["min"])), to_point(v(&value["max"])))
}

#[test]
fn box_operations() {
    replay(
        include_str!("../data/aabb_op.json"),
        25,
        check_box_operation,
    );
}

fn check_box_operation(case: &Case, verdict: &mut Verdict) {
    let a = aabb(case.input("a"));
    let kind = case.input("kind").as_str().unwrap();
    let made = match kind {
        "union" => Some(a.union(&aabb(case.input("b")))),
        "intersection" => a.intersection(&aabb(case.input("b"))),
        "expand" => Some(a.expanded(0.5 * case.number("margin_total") as f32)),
        "scale_about_center" => {
            let scale = v(case.input("scale")).map(|x| x.abs() as f32);
            let half = a.extents().component_mul(&Vec2::new(scale[0], scale[1]));
            Some(Aabb::from_center_half(a.center(), half))
        }
        _ => None,
    };
    if case.expect("min").is_array() {
        let Some(ours) = made else {
            // A line against a box is a ray of any length to both sides.
            if kind == "line_clip" {
                return check_line(case, verdict, &a);
            }
            return verdict.check(case, false, || format!("{kind} gives nothing"));
        };
        verdict.near_point(
            case,
            "min",
            to_f64(ours.min),
            v(case.expect("min")),
            case.tol(),
        );
        verdict.near_point(
            case,
            "max",
            to_f64(ours.max),
            v(case.expect("max")),
            case.tol(),
        );
        return;
    }
    if case.expect("empty").as_bool() == Some(true) {
        return verdict.check(case, made.is_none(), || format!("{made:?}"));
    }
    let result = match kind {
        "contains" => a.contains(&aabb(case.input("b"))),
        "contains_point" => a.contains_point(&to_point(v(case.input("point")))),
        "overlaps" => a.overlaps(&aabb(case.input("b"))),
        "is_valid" => a.is_valid(),
        "line_clip" => return check_line(case, verdict, &a),
        other => panic!("{other}"),
    };
    verdict.check(case, result == case.expect_bool("result"), || {
        format!("{result}")
    });
}

fn check_line(case: &Case, verdict: &mut Verdict, a: &Aabb) {
    let (origin, step) = (to_point(v(case.input("origin"))), v(case.input("dir")));
    let step = Vec2::new(step[0] as f32, step[1] as f32);
    let far = 1000.0;
    let line = Ray::between(origin - step * far, origin + step * far);
    let hit = a.ray_cast(&line).is_some();
    let expected = case.expect("result");
    let is_hit = expected.as_bool().unwrap_or(!expected.is_null());
    verdict.check(case, hit == is_hit, || {
        format!("{hit}, expected {expected}")
    });
}
