//! Conduct: crowds walk calmly through a door, rest at their places, and stand where they cannot get on.

#[expect(dead_code, reason = "other programs use more of it")]
mod scenes;

use cairn2d_crowd::ObstacleDef;
use cairn2d_geometry::math::{PI, point, sin_cos};
use scenes::conduct::{Conduct, OwnCrowd, run};
use scenes::trips::{
    Leg, Trips, dead_end, door, goal_in_block, narrow_corridor, packed_room, spiral, streams,
    walled_in,
};

/// Runs trips in our crowd for `limit` seconds.
fn conduct(trips: &Trips, dt: f32, limit: f32) -> Conduct {
    let mut crowd = OwnCrowd::new(trips, 1, false);
    run(&mut crowd, trips, dt, limit, false)
}

/// Without queues the agents turn aside from each other: 5 sign changes a second, and 1.7 rad/s. Without a reaction time they
/// close each gap at full speed: 1.2 sign changes a second.
#[test]
fn a_queue_before_a_door_does_not_tremble() {
    let calm = conduct(&door(21), 1.0 / 60.0, 25.0);
    assert!(calm.sign_changes < 0.6, "{} a second", calm.sign_changes);
    assert!(calm.turning < 0.35, "{} rad/s", calm.turning);
    assert!(calm.wall <= 1e-3 && calm.deepest < 0.02);
    let through = calm.through.iter().flatten().count();
    assert!(through > 60, "{through} through");
}

/// Without a reaction time they turn from side to side 4.8 times a second, at 2.3 rad/s.
#[test]
fn agents_pass_each_other_calmly_in_a_packed_room() {
    let calm = conduct(&packed_room(), 1.0 / 60.0, 40.0);
    assert!(calm.sign_changes < 2.0, "{} a second", calm.sign_changes);
    assert!(calm.turning < 1.0, "{} rad/s", calm.turning);
    assert!(calm.wall <= 1e-3 && calm.deepest < 0.02);
    assert!(calm.share_done() > 0.9, "{} arrived", calm.share_done());
}

/// With a reaction time at their goals, too, they were pushed past them, and 127 of 196 still walked.
#[test]
fn a_packed_room_with_goals_comes_to_rest() {
    let trips = packed_room();
    let rest = run(
        &mut OwnCrowd::new(&trips, 1, true),
        &trips,
        1.0 / 60.0,
        100.0,
        false,
    );
    assert_eq!((rest.share_done(), rest.walking()), (1.0, 0));
}

/// Agents near their places turned their low preferred velocities to get around their neighbors, and walked in circles.
#[test]
fn streams_that_have_arrived_rest() {
    let rest = conduct(&streams(), 0.1, 150.0);
    assert_eq!(rest.share_done(), 1.0);
    assert_eq!(rest.walking(), 0, "{:?}", rest.last_speeds);
}

/// It walked along its walls forever.
#[test]
fn an_agent_that_is_walled_in_stands() {
    let stands = conduct(&walled_in(), 1.0 / 60.0, 30.0);
    assert_eq!(stands.walking(), 0, "{} m/s", stands.last_speed());
    assert_eq!([stands.stuck, stands.freed], [1, 0]);
}

/// It walked around the block forever.
#[test]
fn an_agent_whose_goal_is_in_a_block_stands_where_it_is_nearest() {
    let mut trips = goal_in_block();
    trips.scene.agents.truncate(1);
    trips.scene.goals.truncate(1);
    trips.legs.truncate(1);
    let mut crowd = OwnCrowd::new(&trips, 1, false);
    let stands = run(&mut crowd, &trips, 1.0 / 60.0, 60.0, false);
    assert_eq!(stands.walking(), 0, "{} m/s", stands.last_speed());
    assert_eq!(stands.stuck, 1 + stands.freed);
    let at = scenes::conduct::Walkers::motion(&crowd, 0).0;
    let nearest = at.x.abs().min(at.y.abs());
    assert!(nearest < 0.7, "{at:?} is a corner");
}

/// They orbited the block forever: each detour and each turn brought them past another side of it, where they began anew. 113
/// times one was reported stuck, 102 times freed.
#[test]
fn agents_around_a_block_with_their_goal_come_to_rest() {
    let rest = conduct(&goal_in_block(), 1.0 / 60.0, 90.0);
    assert_eq!(rest.walking(), 0, "{} m/s", rest.last_speed());
    assert_eq!(rest.stuck - rest.freed, 24);
    assert!(rest.freed < 12, "{} freed", rest.freed);
    assert!(rest.wall <= 1e-3 && rest.deepest < 0.02);
}

/// Its way along the round wall never turned towards its goal, so it walked around at full speed.
#[test]
fn an_agent_whose_goal_is_in_a_pillar_stands_after_one_round() {
    let mut trips = goal_in_block();
    trips.scene.agents.truncate(1);
    trips.scene.goals.truncate(1);
    trips.legs.truncate(1);
    let corner = |i: u8| {
        let (sin, cos) = sin_cos(2.0 * PI * f32::from(i) / 24.0);
        point(2.5 * cos, 2.5 * sin)
    };
    trips.scene.obstacles = vec![ObstacleDef::ring((0..24).map(corner).collect::<Vec<_>>())];
    let stands = conduct(&trips, 1.0 / 60.0, 40.0);
    assert_eq!(stands.walking(), 0, "{} m/s", stands.last_speed());
    assert_eq!([stands.stuck, stands.freed], [1, 0]);
}

#[test]
fn twenty_against_twenty_pass_in_a_narrow_corridor() {
    assert_eq!(
        conduct(&narrow_corridor(), 1.0 / 60.0, 120.0).share_done(),
        1.0
    );
}

#[test]
fn all_leave_through_a_spiral_corridor_with_velocities_and_with_targets() {
    for by_target in [false, true] {
        let trips = spiral();
        let mut crowd = OwnCrowd::new(&trips, 1, by_target);
        let left = run(&mut crowd, &trips, 1.0 / 60.0, 120.0, true);
        assert_eq!(left.share_done(), 1.0, "by target: {by_target}");
        assert!(left.wall <= 1e-3 && left.deepest < 0.02);
    }
}

/// The way out of a dead end is the job of a path finder: without one those inside are reported stuck and rest.
#[test]
fn agents_in_a_dead_end_are_stuck_and_get_out_by_a_route() {
    let mut trips = dead_end();
    let stuck = conduct(&trips, 1.0 / 60.0, 120.0);
    let inside = stuck.done.iter().filter(|done| done.is_none()).count();
    assert_eq!(stuck.stuck - stuck.freed, inside);
    assert!(stuck.last_speed() < 0.1, "{} m/s", stuck.last_speed());

    // Up beside the walls, and then past them.
    let gate = |a: (f32, f32), b: (f32, f32)| Leg::Gate([a.into(), b.into()]);
    let way = [gate((-4.5, 4.0), (-6.0, 4.0)), gate((0.5, 4.0), (0.5, 7.0))];
    for legs in &mut trips.legs {
        legs.splice(0..0, way);
    }
    let out = run(
        &mut OwnCrowd::new(&trips, 1, false),
        &trips,
        1.0 / 60.0,
        120.0,
        true,
    );
    assert_eq!(out.share_done(), 1.0);
}
