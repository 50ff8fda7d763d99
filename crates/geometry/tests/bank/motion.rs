//! Casts and times of impact.

use crate::case::{Case, V, Verdict, replay, rotation_of, to_point, to_vec, v, vec_to_f64};
use cairn2d_geometry::{
    Shape, Sweep, TimeOfImpact, ToiState, conservative_advancement, shape_cast, time_of_impact,
};
use serde_json::Value;

#[test]
fn shape_casts() {
    replay(
        include_str!("../data/shape_cast.json"),
        500,
        |case, verdict| {
            let (a, b) = (case.shape("a"), case.shape("b"));
            let (frame_a, frame_b) = (case.frame("xf_a"), case.frame("xf_b"));
            let step = v(case.input("translation_b"));
            let max = case.number("max_fraction") as f32;
            check_cast(case, verdict, &a, &b, &frame_a, &frame_b, step, max, 1.0);
            // The same meeting, seen from B.
            check_cast(
                case,
                verdict,
                &b,
                &a,
                &frame_b,
                &frame_a,
                [-step[0], -step[1]],
                max,
                -1.0,
            );
        },
    );
}

#[expect(
    clippy::too_many_arguments,
    reason = "the two views of a case differ in all of them"
)]
fn check_cast(
    case: &Case,
    verdict: &mut Verdict,
    a: &Shape,
    b: &Shape,
    frame_a: &crate::case::Frame,
    frame_b: &crate::case::Frame,
    step: V,
    max: f32,
    sign: f64,
) {
    let ours = shape_cast(
        a,
        b,
        &frame_a.relative(frame_b),
        to_vec(frame_a.unturn(step)),
        max,
    );
    if case.policy() == Some("initial_overlap") {
        let is_start =
            ours.is_some_and(|hit| hit.fraction == 0.0 && (hit.normal.norm() - 1.0).abs() < 1e-5);
        return verdict.check(case, is_start, || format!("{ours:?}"));
    }
    let expected = case.expect_bool("hit");
    verdict.check(case, ours.is_some() == expected, || format!("{ours:?}"));
    let Some(hit) = ours.filter(|_| expected) else {
        return;
    };
    let length = (step[0] * step[0] + step[1] * step[1]).sqrt();
    let off = (f64::from(hit.fraction) - case.expect_number("fraction")) * length;
    let approach = case.expect("approach").as_f64().unwrap_or(1.0);
    verdict.check(
        case,
        (off * approach).abs() <= 1e-5 * case.tol().max(1.0).max(length),
        || format!("fraction {}, off by {off} m", hit.fraction),
    );
    if case.expect("normal").is_array() {
        let n = v(case.expect("normal"));
        let normal = frame_a.turn(vec_to_f64(hit.normal));
        verdict.near_point(case, "normal", normal, [sign * n[0], sign * n[1]], 1e-2);
    }
}

fn sweep(value: &Value) -> Sweep {
    let number = |key: &str| value[key].as_f64().unwrap();
    Sweep {
        local_center: to_point(v(&value["local_center"])),
        start: to_point(v(&value["c1"])),
        end: to_point(v(&value["c2"])),
        start_rotation: rotation_of(number("a1")),
        end_rotation: rotation_of(number("a2")),
    }
}

#[test]
fn times_of_impact() {
    replay(
        include_str!("../data/time_of_impact.json"),
        300,
        |case, verdict| {
            check_impact(case, verdict, time_of_impact);
        },
    );
}

#[test]
fn times_of_impact_by_conservative_advancement() {
    replay(
        include_str!("../data/time_of_impact.json"),
        300,
        |case, verdict| {
            check_impact(case, verdict, conservative_advancement::<Shape, Shape>);
        },
    );
}

fn check_impact(
    case: &Case,
    verdict: &mut Verdict,
    ask: impl Fn(&Shape, &Sweep, &Shape, &Sweep, f32) -> TimeOfImpact,
) {
    let (a, b) = (case.shape("a"), case.shape("b"));
    let (sweep_a, sweep_b) = (sweep(case.input("sweep_a")), sweep(case.input("sweep_b")));
    let max = case.number("t_max") as f32;
    let ours = ask(&a, &sweep_a, &b, &sweep_b, max);
    // Rotations are interpolated by their cosine and sine.
    let state = case
        .expect("state_nlerp")
        .as_str()
        .or(case.expect("state").as_str())
        .unwrap();
    if case.policy() == Some("gap_below_slop") {
        return verdict.check(case, ours.state == ToiState::Separated, || {
            format!("{ours:?}")
        });
    }
    match state {
        "separated" => verdict.check(case, ours.state == ToiState::Separated, || {
            format!("{ours:?}")
        }),
        "hit" => {
            verdict.check(case, ours.state == ToiState::Touching, || {
                format!("{ours:?}")
            });
            let exact = case
                .expect("t_nlerp")
                .as_f64()
                .or(case.expect("t").as_f64())
                .unwrap();
            let t = f64::from(ours.fraction);
            verdict.check(case, t <= exact + 1e-6, || format!("{t} is past {exact}"));
            if let Some(early) = case
                .expect("t_at_gap_0.01")
                .as_f64()
                .filter(|_| case.expect("t_nlerp").is_null())
            {
                verdict.check(case, t >= early - 1e-4, || format!("{t} is before {early}"));
            }
        }
        other => panic!("{other}"),
    }
}
