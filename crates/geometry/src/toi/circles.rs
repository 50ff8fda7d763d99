//! Two disks on straight paths: the time of impact is the root of a quadratic.

use super::record::{TimeOfImpact, ToiState, floor_to_single};
use crate::double::{narrow_point, to_f32, to_f64, wide_vec};
use crate::math::Vec2;
use crate::shape::{Circle, circle_entry};
use crate::sweep::Sweep;
use crate::tolerance::LINEAR_SLOP;

/// Returns the fraction at which two disks first touch, exactly and without slop; 0 where they do from
/// the start, `None` where they do not up to fraction 1.
///
/// `offset` leads from the center of A to that of B at the start. `translation` is the motion of B relative
/// to A, and `radii` the sum of the radii \[m\].
#[must_use]
pub fn circle_time_of_impact(offset: Vec2, translation: Vec2, radii: f32) -> Option<f32> {
    let offset = wide_vec(&offset);
    let radii = f64::from(radii);
    if offset.norm_squared() <= radii * radii {
        return Some(0.0);
    }
    let t = circle_entry(&offset, &wide_vec(&translation), radii)?;
    (t <= 1.0).then_some(t as f32)
}

/// Returns `true` if the center of the disk is that of the turn, or nothing turns.
pub(super) fn goes_straight(circle: &Circle, sweep: &Sweep) -> bool {
    circle.center() == sweep.local_center || sweep.start_rotation == sweep.end_rotation
}

/// Returns the time of impact of two disks that go straight.
pub(super) fn straight_impact(
    circle_a: &Circle,
    sweep_a: &Sweep,
    circle_b: &Circle,
    sweep_b: &Sweep,
    max_fraction: f32,
) -> TimeOfImpact {
    let place = |circle: &Circle, sweep: &Sweep, fraction: f64| {
        sweep
            .precise_pose_at(fraction)
            .apply(&to_f64(&circle.center()))
    };
    let step = |sweep: &Sweep| to_f64(&sweep.end) - to_f64(&sweep.start);
    let radii = [f64::from(circle_a.radius()), f64::from(circle_b.radius())];
    let offset = place(circle_b, sweep_b, 0.0) - place(circle_a, sweep_a, 0.0);
    let gap = offset.norm() - radii[0] - radii[1];
    let mut impact = TimeOfImpact {
        distance_iterations: 1,
        ..TimeOfImpact::default()
    };
    if gap <= 0.0 {
        impact.state = ToiState::Overlapped;
        return impact;
    }
    let target = f64::from(LINEAR_SLOP).min(0.5 * gap);
    let reach = radii[0] + radii[1] + target;
    let end = f64::from(max_fraction.clamp(0.0, 1.0));
    let entry = circle_entry(&offset, &(step(sweep_b) - step(sweep_a)), reach);
    let Some(fraction) = entry.filter(|t| *t <= end) else {
        impact.state = ToiState::Separated;
        impact.fraction = floor_to_single(end);
        return impact;
    };
    let (at_a, at_b) = (
        place(circle_a, sweep_a, fraction),
        place(circle_b, sweep_b, fraction),
    );
    let normal = (at_b - at_a).normalize();
    let (on_a, on_b) = (at_a + normal * radii[0], at_b - normal * radii[1]);
    TimeOfImpact {
        state: ToiState::Touching,
        fraction: floor_to_single(fraction),
        separation: (on_b - on_a).dot(&normal) as f32,
        point: narrow_point(&((on_a + on_b) * 0.5)),
        normal: to_f32(&normal),
        ..impact
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Point, vec2};

    #[test]
    fn disks_meet_where_pythagoras_says() {
        // Passing at height 3 with radii 5: they touch 4 before the point abreast.
        let t = circle_time_of_impact(vec2(-10.0, 3.0), vec2(20.0, 0.0), 5.0).unwrap();
        assert!((t - 0.3).abs() < f32::EPSILON);
        assert_eq!(
            circle_time_of_impact(vec2(-10.0, 5.1), vec2(20.0, 0.0), 5.0),
            None
        );
        assert_eq!(
            circle_time_of_impact(vec2(1.0, 0.0), vec2(9.0, 0.0), 5.0),
            Some(0.0)
        );
    }

    #[test]
    fn a_disk_about_its_center_goes_straight_however_it_turns() {
        let circle = Circle::new(Point::new(0.5, 0.0), 1.0);
        let mut sweep = Sweep::resting(&crate::math::Pose::identity());
        sweep.end_rotation = crate::math::rotation(1.0);
        assert!(!goes_straight(&circle, &sweep));
        sweep.local_center = circle.center();
        assert!(goes_straight(&circle, &sweep));
    }
}
