//! Questions about one shape.

use crate::case::{Case, Frame, Verdict, apart, replay, to_f64, to_point, to_vec, v, vec_to_f64};
use cairn2d_geometry::math::{Pose, Vec2};
use cairn2d_geometry::{Aabb, ChainSegment, MassData, Ray, Shape};

fn local_ray(case: &Case, frame: &Frame) -> Ray {
    let origin = frame.inward(v(case.input("origin")));
    let mut ray = Ray::new(
        to_point(origin),
        to_vec(frame.unturn(v(case.input("translation")))),
    );
    if let Some(max) = case.input("max_fraction").as_f64() {
        ray.max_fraction = max as f32;
    }
    ray
}

#[test]
fn ray_casts() {
    replay(
        include_str!("../data/ray_cast.json"),
        1200,
        |case, verdict| {
            let (shape, frame) = (case.shape("a"), case.frame("xf_a"));
            let ray = local_ray(case, &frame);
            let ours = shape.ray_cast(&ray);
            match case.policy() {
                Some("one_sided") => return check_one_sided(case, verdict, &shape, &ray),
                Some("start_inside" | "start_on_boundary") => {
                    let is_start =
                        ours.is_some_and(|hit| hit.fraction == 0.0 && hit.normal == Vec2::zeros());
                    return verdict.check(case, is_start, || format!("{ours:?}"));
                }
                _ => (),
            }
            let expected = case.expect_bool("hit");
            verdict.check(case, ours.is_some() == expected, || format!("{ours:?}"));
            let Some(hit) = ours.filter(|_| expected) else {
                return;
            };
            let length = f64::from(ray.translation.norm());
            let place = f64::from(hit.fraction) * length;
            // Fractions of a ray of 1000 m have a spacing of 6e-5 m.
            let tol = case.tol().max(length * f64::from(f32::EPSILON));
            verdict.near(
                case,
                "distance",
                place,
                case.expect_number("fraction") * length,
                tol,
            );
            verdict.near_point(
                case,
                "point",
                frame.out(to_f64(hit.point)),
                v(case.expect("point")),
                tol,
            );
            if case.expect("normal").is_array() && case.expect_number("fraction") > 0.0 {
                let normal = frame.turn(vec_to_f64(hit.normal));
                verdict.near_point(
                    case,
                    "normal",
                    normal,
                    v(case.expect("normal")),
                    tol.max(1e-3),
                );
            }
        },
    );
}

/// Shapes from behind pass a chain segment, but not a segment.
fn check_one_sided(case: &Case, verdict: &mut Verdict, shape: &Shape, ray: &Ray) {
    let Shape::Segment(s) = shape else {
        panic!("{} is no segment", case.id())
    };
    let sided = Shape::from(ChainSegment::new(None, s.a(), s.b(), None));
    let back = Ray::between(ray.at(1.0), ray.origin);
    // The case comes from the hollow side, which in the source is the left one as well.
    let (from_here, from_there) = (sided.ray_cast(ray), sided.ray_cast(&back));
    verdict.check(case, from_here.is_some() != from_there.is_some(), || {
        format!("{from_here:?}")
    });
    verdict.check(case, shape.ray_cast(ray).is_some(), || {
        "two-sided segment missed".into()
    });
}

#[test]
fn box_rays() {
    replay(
        include_str!("../data/aabb_ray_cast.json"),
        20,
        |case, verdict| {
            let corners = case
                .polygon("a")
                .into_iter()
                .map(to_point)
                .collect::<Vec<_>>();
            let ours = Aabb::from_points(&corners).ray_cast(&local_ray(case, &case.frame("xf_a")));
            if case.policy().is_some() {
                return verdict.check(case, ours.is_some_and(|hit| hit.fraction == 0.0), || {
                    format!("{ours:?}")
                });
            }
            let expected = case.expect_bool("hit");
            verdict.check(case, ours.is_some() == expected, || format!("{ours:?}"));
            let Some(hit) = ours.filter(|_| expected) else {
                return;
            };
            verdict.near(
                case,
                "fraction",
                hit.fraction.into(),
                case.expect_number("fraction"),
                case.tol(),
            );
            if let Some(normals) = case.expect("normals").as_array() {
                let is_known = normals
                    .iter()
                    .any(|n| apart(v(n), vec_to_f64(hit.normal)) <= case.tol());
                verdict.check(case, is_known, || format!("normal {}", hit.normal));
            }
        },
    );
}

#[test]
fn containment() {
    replay(
        include_str!("../data/contains_point.json"),
        250,
        |case, verdict| {
            let (shape, frame) = (case.shape("a"), case.frame("xf_a"));
            let p = to_point(frame.inward(v(case.input("point"))));
            let ours = shape.contains(&p);
            let margin = case.expect_number("margin");
            // On the border, rounding the input to single precision decides.
            if margin.abs() > 2e-7 * case.tol().max(1.0) * 10.0 {
                verdict.check(case, ours == case.expect_bool("inside"), || {
                    format!("inside is {ours}")
                });
            } else {
                let off = shape.project(&p).separation;
                verdict.near(case, "margin", off.into(), 0.0, 1e-6);
            }
        },
    );
}

#[test]
fn projections() {
    replay(
        include_str!("../data/project_point.json"),
        250,
        |case, verdict| {
            if case.input("infinite_line").as_bool() == Some(true) {
                return;
            }
            let (shape, frame) = (case.shape("a"), case.frame("xf_a"));
            let local = frame.inward(v(case.input("point")));
            let ours = shape.project(&to_point(local));
            verdict.near(
                case,
                "distance",
                f64::from(ours.separation).abs(),
                case.expect_number("distance"),
                case.tol(),
            );
            verdict.near_point(
                case,
                "point",
                frame.out(to_f64(ours.point)),
                v(case.expect("point")),
                4.0 * case.tol(),
            );
            let is_inside = ours.separation < 0.0;
            if case.expect("inside").is_boolean() && case.expect_number("distance") > case.tol() {
                verdict.check(case, is_inside == case.expect_bool("inside"), || {
                    format!("{ours:?}")
                });
            }
        },
    );
}

#[test]
fn boxes() {
    replay(include_str!("../data/aabb.json"), 300, |case, verdict| {
        let aabb = case.shape("a").aabb(&case.frame("xf_a").to_pose());
        if case.has_tag("conservative") {
            let (max, min) = (
                v(case.expect("max_at_least")),
                v(case.expect("min_at_most")),
            );
            let inner = Aabb::new(to_point(min), to_point(max));
            return verdict.check(case, aabb.expanded(1e-5).contains(&inner), || {
                format!("{aabb:?}")
            });
        }
        verdict.near_point(
            case,
            "min",
            to_f64(aabb.min),
            v(case.expect("min")),
            case.tol(),
        );
        verdict.near_point(
            case,
            "max",
            to_f64(aabb.max),
            v(case.expect("max")),
            case.tol(),
        );
    });
}

#[test]
fn supports() {
    replay(include_str!("../data/support.json"), 90, |case, verdict| {
        let (shape, frame) = (case.shape("a"), case.frame("xf_a"));
        let direction = v(case.input("direction"));
        let ours = frame.out(to_f64(shape.support(&to_vec(frame.unturn(direction)))));
        let length = apart(direction, [0.0; 2]);
        let reach = (ours[0] * direction[0] + ours[1] * direction[1]) / length;
        let expected = case.expect_number("extent");
        let is_near = (reach - expected).abs() <= case.tol()
            || (reach - expected / length).abs() <= case.tol();
        verdict.check(case, is_near, || format!("extent {reach}, not {expected}"));
    });
}

#[test]
fn projections_on_an_axis() {
    replay(include_str!("../data/project.json"), 30, |case, verdict| {
        let (shape, frame) = (case.shape("a"), case.frame("xf_a"));
        let axis = v(case.input("axis"));
        let reach = |n: crate::case::V| {
            let p = frame.out(to_f64(shape.support(&to_vec(frame.unturn(n)))));
            p[0] * axis[0] + p[1] * axis[1]
        };
        verdict.near(
            case,
            "max",
            reach(axis),
            case.expect_number("max"),
            case.tol(),
        );
        verdict.near(
            case,
            "min",
            reach([-axis[0], -axis[1]]),
            case.expect_number("min"),
            case.tol(),
        );
    });
}

/// Compares relative to the expected value, as far as single precision allows.
fn near_relative(
    verdict: &mut Verdict,
    case: &Case,
    what: &str,
    ours: f64,
    expected: f64,
    scale: f64,
) {
    let tol = case.0["tol"].as_f64().unwrap();
    verdict.near(case, what, ours, expected, tol * expected.abs().max(scale));
}

#[test]
fn masses() {
    replay(include_str!("../data/mass.json"), 600, |case, verdict| {
        let (shape, frame) = (case.shape("a"), case.frame("xf_a"));
        let ours = shape.mass(case.number("density") as f32);
        if case.policy() == Some("segment_mass") {
            return verdict.check(case, (ours.mass, ours.inertia) == (0.0, 0.0), || {
                format!("{ours:?}")
            });
        }
        near_relative(
            verdict,
            case,
            "mass",
            ours.mass.into(),
            case.expect_number("mass"),
            0.0,
        );
        let size = f64::from(shape.extent_about(&ours.center));
        let tol = case.tol().max(1e-6 * size);
        verdict.near_point(
            case,
            "center",
            frame.out(to_f64(ours.center)),
            v(case.expect("center")),
            tol,
        );
        near_relative(
            verdict,
            case,
            "inertia",
            ours.inertia.into(),
            case.expect_number("inertia"),
            0.0,
        );
        if let Some(expected) = case.expect("inertia_about_origin").as_f64() {
            let about = ours.inertia_about(&Pose::identity().translation.vector.into());
            near_relative(
                verdict,
                case,
                "inertia about the origin",
                about.into(),
                expected,
                0.0,
            );
        }
    });
}

#[test]
fn sums_of_masses() {
    replay(
        include_str!("../data/mass_combine.json"),
        15,
        |case, verdict| {
            let parts = case.input("parts").as_array().unwrap();
            let ours: MassData = parts
                .iter()
                .map(|p| MassData {
                    mass: p["mass"].as_f64().unwrap() as f32,
                    center: to_point(v(&p["center"])),
                    inertia: p["inertia"].as_f64().unwrap() as f32,
                })
                .sum();
            near_relative(
                verdict,
                case,
                "mass",
                ours.mass.into(),
                case.expect_number("mass"),
                0.0,
            );
            if case.has_tag("degenerate") {
                return verdict.check(case, ours == MassData::ZERO, || format!("{ours:?}"));
            }
            verdict.near_point(
                case,
                "center",
                to_f64(ours.center),
                v(case.expect("center")),
                case.tol(),
            );
            near_relative(
                verdict,
                case,
                "inertia",
                ours.inertia.into(),
                case.expect_number("inertia"),
                1e-6,
            );
        },
    );
}
