//! Distance, overlap, penetration and manifolds of two shapes.

use crate::case::{Case, V, Verdict, apart, dot, replay, to_f64, v, vec_to_f64};
use cairn2d_geometry::math::Pose;
use cairn2d_geometry::{
    ManifoldCache, Shape, SimplexCache, collide, distance, overlaps, penetration,
};

struct Pair {
    a: Shape,
    b: Shape,
    b_in_a: Pose,
}

/// Returns the pair both ways round.
fn pairs(case: &Case) -> [Pair; 2] {
    let (a, b) = (case.shape("a"), case.shape("b"));
    let (frame_a, frame_b) = (case.frame("xf_a"), case.frame("xf_b"));
    [
        Pair {
            a: a.clone(),
            b: b.clone(),
            b_in_a: frame_a.relative(&frame_b),
        },
        Pair {
            a: b,
            b: a,
            b_in_a: frame_b.relative(&frame_a),
        },
    ]
}

#[test]
fn distances() {
    replay(
        include_str!("../data/distance.json"),
        200,
        |case, verdict| {
            for pair in pairs(case) {
                let ours = distance(&pair.a, &pair.b, &pair.b_in_a, &mut SimplexCache::default());
                verdict.near(
                    case,
                    "distance",
                    ours.distance.into(),
                    case.expect_number("distance"),
                    case.tol(),
                );
                verdict.check(case, ours.converged, || "not converged".into());
            }
        },
    );
}

#[test]
fn nearest_points() {
    replay(
        include_str!("../data/closest_points.json"),
        4000,
        |case, verdict| {
            for (i, pair) in pairs(case).iter().enumerate() {
                check_nearest(case, verdict, pair, i == 1);
            }
        },
    );
}

fn check_nearest(case: &Case, verdict: &mut Verdict, pair: &Pair, is_swapped: bool) {
    let ours = distance(&pair.a, &pair.b, &pair.b_in_a, &mut SimplexCache::default());
    let (tol, expected) = (case.tol(), case.expect_number("distance"));
    verdict.near(case, "distance", ours.distance.into(), expected, tol);
    if expected <= 10.0 * tol {
        return;
    }
    let (key_a, key_b) = if is_swapped {
        ("p2", "p1")
    } else {
        ("p1", "p2")
    };
    let frame = case.frame(if is_swapped { "xf_b" } else { "xf_a" });
    let sign = if is_swapped { -1.0 } else { 1.0 };
    let normal = frame.turn(vec_to_f64(ours.normal));
    let n = v(case.expect("normal"));
    let normal_tol = (8.0 * tol / expected).max(1e-5);
    verdict.near_point(
        case,
        "normal",
        normal,
        [n[0] * sign, n[1] * sign],
        normal_tol,
    );
    let (on_a, on_b) = (to_f64(ours.point_a), to_f64(ours.point_b));
    verdict.near(case, "span", apart(on_a, on_b), expected, 2.0 * tol);
    if case.expect("unique").as_bool() == Some(false) || case.has_tag("non_unique_points") {
        for (shape, p) in [
            (&pair.a, ours.point_a),
            (&pair.b, pair.b_in_a.inverse_transform_point(&ours.point_b)),
        ] {
            verdict.near(
                case,
                "surface",
                shape.project(&p).separation.into(),
                0.0,
                2.0 * tol,
            );
        }
        return;
    }
    let tol = if case.has_tag("loose_points") {
        2e-3
    } else {
        10.0 * tol.max(1e-5)
    };
    verdict.near_point(
        case,
        "point of A",
        frame.out(on_a),
        v(case.expect(key_a)),
        tol,
    );
    verdict.near_point(
        case,
        "point of B",
        frame.out(on_b),
        v(case.expect(key_b)),
        tol,
    );
}

#[test]
fn overlap() {
    replay(
        include_str!("../data/overlap.json"),
        800,
        |case, verdict| {
            for pair in pairs(case) {
                let ours = overlaps(&pair.a, &pair.b, &pair.b_in_a);
                // Exact touch is decided by the rounding of the input: either answer.
                if let Some(expected) = case.expect("overlap").as_bool()
                    && !case.has_tag("touching")
                {
                    verdict.check(case, ours == expected, || format!("overlap is {ours}"));
                }
            }
        },
    );
}

#[test]
fn penetrations() {
    replay(
        include_str!("../data/penetration.json"),
        800,
        |case, verdict| {
            for (i, pair) in pairs(case).iter().enumerate() {
                let Some(ours) = penetration(&pair.a, &pair.b, &pair.b_in_a) else {
                    verdict.check(case, false, || "no overlap".into());
                    continue;
                };
                let depth = case.expect_number("depth");
                verdict.near(case, "depth", ours.depth.into(), depth, case.tol());
                let frame = case.frame(if i == 1 { "xf_b" } else { "xf_a" });
                check_normal(
                    case,
                    verdict,
                    pair,
                    i == 1,
                    frame.turn(vec_to_f64(ours.normal)),
                    depth,
                );
            }
        },
    );
}

/// Accepts a normal along which the shapes overlap by no more than `depth`: such a normal is a shortest way
/// out, also where several are as short.
fn check_normal(
    case: &Case,
    verdict: &mut Verdict,
    pair: &Pair,
    is_swapped: bool,
    normal: V,
    depth: f64,
) {
    let frame = case.frame(if is_swapped { "xf_b" } else { "xf_a" });
    let other = case.frame(if is_swapped { "xf_a" } else { "xf_b" });
    let reach = |shape: &Shape, frame: &crate::case::Frame, n: V| {
        let local = frame.unturn(n);
        let p = shape.support(&crate::case::to_vec(local));
        dot(frame.out(to_f64(p)), n)
    };
    let along = reach(&pair.a, &frame, normal) + reach(&pair.b, &other, [-normal[0], -normal[1]]);
    verdict.check(case, along <= depth + 2.0 * case.tol(), || {
        format!("normal {normal:?} needs {along}, not {depth}")
    });
}

#[test]
fn manifolds() {
    replay(
        include_str!("../data/manifold.json"),
        200,
        |case, verdict| {
            for (i, pair) in pairs(case).iter().enumerate() {
                let ours = collide(
                    &pair.a,
                    &pair.b,
                    &pair.b_in_a,
                    &mut ManifoldCache::default(),
                );
                let mut depths: Vec<f64> = ours
                    .points()
                    .iter()
                    .map(|p| -f64::from(p.separation))
                    .collect();
                depths.sort_by(f64::total_cmp);
                let deepest = case.expect_number("max_depth");
                let Some(&most) = depths.last() else {
                    verdict.check(case, false, || "no points".into());
                    continue;
                };
                verdict.near(case, "depth", most, deepest, case.tol());
                let frame = case.frame(if i == 1 { "xf_b" } else { "xf_a" });
                check_normal(
                    case,
                    verdict,
                    pair,
                    i == 1,
                    frame.turn(vec_to_f64(ours.normal)),
                    deepest,
                );
                let sets = case.expect("depth_sets").as_array();
                if let Some(sets) =
                    sets.filter(|_| depths.len() == 2 && !case.has_tag("feature_choice_differs"))
                {
                    let is_known = sets.iter().filter_map(|set| set.as_array()).any(|set| {
                        let mut set: Vec<f64> = set.iter().filter_map(|x| x.as_f64()).collect();
                        set.sort_by(f64::total_cmp);
                        set.len() == 2 && (set[0] - depths[0]).abs() <= case.tol()
                    });
                    verdict.check(case, is_known, || format!("depths {depths:?}"));
                }
            }
        },
    );
}
