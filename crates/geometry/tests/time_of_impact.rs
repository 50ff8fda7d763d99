//! Times of impact with known answers.

use approx::assert_abs_diff_eq;
use cairn2d_geometry::math::{Pose, point, pose, rotation};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{
    Circle, Polygon, Segment, Shape, SimplexCache, Sweep, TimeOfImpact, ToiState,
    conservative_advancement, distance, time_of_impact,
};

fn check_hit(a: &Shape, sweep_a: &Sweep, b: &Shape, sweep_b: &Sweep) -> TimeOfImpact {
    let hit = time_of_impact(a, sweep_a, b, sweep_b, 1.0);
    assert_eq!(hit.state, ToiState::Touching, "{hit:?}");
    let at = sweep_a.pose_at(hit.fraction).inverse() * sweep_b.pose_at(hit.fraction);
    let gap = distance(a, b, &at, &mut SimplexCache::default()).distance;
    assert!(gap > 0.0 && gap < 2.0 * LINEAR_SLOP, "gap {gap}");
    let slow = conservative_advancement(a, sweep_a, b, sweep_b, 1.0);
    assert_eq!(slow.state, ToiState::Touching);
    hit
}

fn rectangle(x: f32, y: f32) -> Shape {
    Polygon::rectangle(x, y).into()
}

#[test]
fn a_bullet_stops_before_a_thin_wall() {
    let wall = rectangle(0.01, 5.0);
    let ball: Shape = Circle::new(point(0.0, 0.0), 0.05).into();
    let way = Sweep::between(&pose(-100.0, 1.0, 0.0), &pose(100.0, 1.0, 0.0));
    let hit = check_hit(&wall, &Sweep::resting(&Pose::identity()), &ball, &way);
    assert_abs_diff_eq!(
        hit.fraction,
        (100.0 - 0.06 - LINEAR_SLOP) / 200.0,
        epsilon = 1e-5
    );
    assert_eq!(hit.normal.x, -1.0);
}

#[test]
fn a_bar_that_sweeps_past_between_two_free_ends_is_seen() {
    // The bar turns from one side of the ball to the other: both ends of the step are free.
    let bar: Shape = Segment::new(point(0.0, 0.0), point(4.0, 0.0)).into();
    let mut turn = Sweep::resting(&pose(0.0, 0.0, -0.6));
    turn.end_rotation = rotation(0.6);
    let ball: Shape = Circle::new(point(3.0, 0.0), 0.1).into();
    let hit = check_hit(&bar, &turn, &ball, &Sweep::resting(&Pose::identity()));
    assert!(hit.fraction < 0.5);
}

#[test]
fn crossing_ways_that_miss_are_separated() {
    let a = Sweep::between(&pose(-5.0, 0.0, 0.0), &pose(5.0, 0.0, 1.0));
    let b = Sweep::between(&pose(0.0, -9.0, 0.0), &pose(0.0, 1.0, 1.0));
    let square = rectangle(0.5, 0.5);
    let miss = time_of_impact(&square, &a, &square, &b, 1.0);
    assert_eq!((miss.state, miss.fraction), (ToiState::Separated, 1.0));
}

#[test]
fn overlap_at_the_start_is_told() {
    let way = Sweep::between(&Pose::identity(), &pose(1.0, 0.0, 0.0));
    let square = rectangle(0.5, 0.5);
    let rest = Sweep::resting(&pose(0.9, 0.0, 0.3));
    let impact = time_of_impact(&square, &way, &square, &rest, 1.0);
    assert_eq!((impact.state, impact.fraction), (ToiState::Overlapped, 0.0));
}

#[test]
fn sliding_within_the_slop_is_no_impact_but_approaching_is() {
    let square = rectangle(0.5, 0.5);
    let rest = Sweep::resting(&Pose::identity());
    let gap = 0.4 * LINEAR_SLOP;
    let slide = Sweep::between(&pose(-3.0, 1.0 + gap, 0.0), &pose(3.0, 1.0 + gap, 0.0));
    assert_eq!(
        time_of_impact(&square, &rest, &square, &slide, 1.0).state,
        ToiState::Touching
    );
    let slide = Sweep::between(&pose(-0.4, 1.0 + gap, 0.0), &pose(0.4, 1.0 + gap, 0.0));
    assert_eq!(
        time_of_impact(&square, &rest, &square, &slide, 1.0).state,
        ToiState::Separated
    );
    let fall = Sweep::between(&pose(0.0, 1.0 + gap, 0.0), &pose(0.0, 0.0, 0.0));
    let hit = check_hit(&square, &rest, &square, &fall);
    assert_abs_diff_eq!(hit.separation, 0.5 * gap, epsilon = 0.2 * gap);
}

#[test]
fn the_arm_of_a_resting_body_counts_when_the_other_turns() {
    // The axis turns with the bar; the ball sits far from the center of its own body.
    // Cause of a miss: the arm of the shape without rotation was taken as zero.
    let bar: Shape = Polygon::rectangle(4.0, 0.02).into();
    let ball: Shape = Circle::new(point(3.0, 0.0), 0.05).into();
    for angle in [0.2_f32, 0.5, 1.0] {
        let mut turn = Sweep::resting(&pose(0.0, 0.0, -angle));
        turn.end_rotation = rotation(angle);
        let rest = Sweep::resting(&Pose::identity());
        check_hit(&bar, &turn, &ball, &rest);
        check_hit(&ball, &rest, &bar, &turn);
    }
}
