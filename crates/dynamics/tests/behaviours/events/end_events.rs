//! Events that name something destroyed: they carry the user's data of it.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, ContactEnd, SensorEnd, ShapeDef, WeldJointDef, World, WorldDef,
};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::{point, vec2};

/// Adds a box with numbers on its body and its shape.
fn marked(world: &mut World, def: BodyDef, shape: ShapeDef, mark: u64) -> BodyId {
    let shape = shape.user_data(100 + mark);
    add(world, def.user_data(mark), rect(0.5, 0.5), shape)
}

/// The marks of body and shape, A first.
fn marks(end: &ContactEnd) -> [[u64; 2]; 2] {
    [
        [end.body_user_data_a, end.user_data_a],
        [end.body_user_data_b, end.user_data_b],
    ]
}

#[test]
fn contact_end_carries_the_data_of_what_was_destroyed() {
    for with_body in [true, false] {
        let mut world = world();
        let def = BodyDef::static_().position(0.0, -0.5);
        let floor = marked(&mut world, def, ShapeDef::default(), 1);
        let def = BodyDef::dynamic().position(0.0, 0.5);
        let body = marked(&mut world, def, ShapeDef::default(), 2);
        run(&mut world, 10);
        let shape = shape_of(&world, body);
        if with_body {
            world.destroy_body(body);
        } else {
            world.destroy_shape(shape);
        }
        step(&mut world);
        let ends = world.contact_ends();
        assert_eq!(ends.len(), 1);
        assert!(world.get_shape(shape).is_none());
        assert_eq!([ends[0].body_a, ends[0].body_b], [floor, body]);
        assert_eq!(marks(&ends[0]), [[1, 101], [2, 102]]);
    }
}

#[test]
fn contact_that_begins_and_ends_within_a_step_carries_the_data() {
    let mut world = weightless();
    let bouncy = ShapeDef::default().restitution(1.0);
    let def = BodyDef::static_().position(10.0, 0.0);
    marked(&mut world, def, bouncy, 1);
    let def = BodyDef::dynamic().velocity(300.0, 0.0);
    let ball = marked(&mut world, def, bouncy, 2);
    let mut ends = Vec::new();
    for _ in 0..10 {
        step(&mut world);
        ends.extend_from_slice(world.contact_ends());
    }
    assert!(world.body(ball).velocity().x < 0.0);
    assert_eq!(ends.len(), 1);
    let mut marks = marks(&ends[0]);
    marks.sort_unstable();
    assert_eq!(marks, [[1, 101], [2, 102]]);
    let of_ball = if ends[0].body_a == ball { 0 } else { 1 };
    let data = [ends[0].body_user_data_a, ends[0].body_user_data_b];
    assert_eq!(data[of_ball], 2);
}

#[test]
fn sensor_end_carries_the_data_of_what_was_destroyed() {
    let of_end = |end: &SensorEnd| {
        [
            [end.sensor_body_user_data, end.sensor_user_data],
            [end.visitor_body_user_data, end.visitor_user_data],
        ]
    };
    for sensor_goes in [true, false] {
        let mut world = weightless();
        let sensor = marked(&mut world, BodyDef::static_(), ShapeDef::sensor(), 1);
        let visitor = marked(&mut world, BodyDef::dynamic(), ShapeDef::default(), 2);
        run(&mut world, 2);
        world.destroy_body(if sensor_goes { sensor } else { visitor });
        step(&mut world);
        let ends = world.sensor_ends();
        assert_eq!(ends.len(), 1);
        assert_eq!(
            [ends[0].sensor_body, ends[0].visitor_body],
            [sensor, visitor]
        );
        assert_eq!(of_end(&ends[0]), [[1, 101], [2, 102]]);
    }
}

#[test]
fn body_exit_carries_the_data_of_the_body() {
    let mut world = World::new(WorldDef {
        bounds: Some(Aabb {
            min: point(-5.0, -5.0),
            max: point(5.0, 5.0),
        }),
        ..WorldDef::weightless()
    });
    let def = BodyDef::dynamic().velocity(100.0, 0.0);
    let body = marked(&mut world, def, ShapeDef::default(), 7);
    while world.body_exits().is_empty() {
        step(&mut world);
    }
    let exit = world.body_exits()[0];
    world.destroy_body(body);
    assert_eq!((exit.body, exit.user_data), (body, 7));
}

#[test]
fn joint_break_carries_the_bodies_and_their_data() {
    let mut world = weightless();
    let wall = marked(&mut world, BodyDef::static_(), ShapeDef::default(), 1);
    let def = BodyDef::dynamic().position(2.0, 0.0);
    let body = marked(&mut world, def, ShapeDef::default(), 2);
    let mut def = WeldJointDef::new(wall, body).at(&world, (1.0, 0.0));
    (def.base.break_force, def.base.user_data) = (1.0, 3);
    world.create_joint(def);
    for _ in 0..60 {
        world.body_mut(body).apply_force(vec2(100.0, 0.0));
        step(&mut world);
        if let Some(broken) = world.joint_breaks().first() {
            assert_eq!(broken.user_data, 3);
            assert_eq!([broken.body_a, broken.body_b], [wall, body]);
            assert_eq!([broken.body_user_data_a, broken.body_user_data_b], [1, 2]);
            return;
        }
    }
    panic!("the joint holds");
}

/// Drops a marked box on a marked floor with a marked sensor, and steps until it touches the floor.
fn landing() -> (World, BodyId, BodyId) {
    let mut world = world();
    let watched = ShapeDef::default().force_event_threshold(1.0);
    let floor = marked(
        &mut world,
        BodyDef::static_().position(0.0, -0.5),
        watched,
        1,
    );
    let def = BodyDef::dynamic().position(0.0, 0.6).velocity(0.0, -6.0);
    let body = marked(&mut world, def, watched, 2);
    marked(
        &mut world,
        BodyDef::static_().position(0.0, -0.1),
        ShapeDef::sensor(),
        3,
    );
    let mut is_seen = false;
    for _ in 0..60 {
        step(&mut world);
        for seen in world.sensor_begins() {
            assert_eq!(
                (seen.sensor_body_user_data, seen.sensor_user_data),
                (3, 103)
            );
            assert_eq!(
                (seen.visitor_body_user_data, seen.visitor_user_data),
                (2, 102)
            );
            is_seen = true;
        }
        if !world.contact_begins().is_empty() && is_seen {
            return (world, floor, body);
        }
    }
    panic!("the box has not landed");
}

/// The marks of the beginnings, hits and forces of the last step, A first.
fn all_marks(world: &World) -> Vec<[u64; 4]> {
    let begins = world.contact_begins().iter().map(|e| {
        [
            e.body_user_data_a,
            e.user_data_a,
            e.body_user_data_b,
            e.user_data_b,
        ]
    });
    let hits = world.contact_hits().iter().map(|e| {
        [
            e.body_user_data_a,
            e.user_data_a,
            e.body_user_data_b,
            e.user_data_b,
        ]
    });
    let forces = world.contact_forces().iter().map(|e| {
        [
            e.body_user_data_a,
            e.user_data_a,
            e.body_user_data_b,
            e.user_data_b,
        ]
    });
    begins.chain(hits).chain(forces).collect()
}

#[test]
fn beginnings_hits_and_forces_carry_the_data_of_both_sides() {
    let (mut world, _, body) = landing();
    let touch = [1, 101, 2, 102];
    let wanted = [touch; 3];
    assert_eq!(all_marks(&world), wanted);
    // A save holds the events without the data, which follow from the bodies.
    let loaded = World::load(&world.save()).expect("a save of this world");
    assert_eq!(all_marks(&loaded), wanted);
    // Still there when the body is gone.
    world.destroy_body(body);
    assert_eq!(all_marks(&world), wanted);
}

#[test]
fn events_tell_the_other_body_and_the_normal_away_from_one() {
    let (mut world, floor, body) = landing();
    let stranger = world.create_body(BodyDef::static_());
    let begin = world.contact_begins()[0];
    assert_eq!(begin.other(floor), Some(body));
    assert_eq!(begin.other(body), Some(floor));
    assert_eq!(begin.other(stranger), None);
    let up = begin.normal_from(floor).expect("a body of the contact");
    assert!(up.y > 0.99);
    assert_eq!(begin.normal_from(body), Some(-up));
    assert_eq!(begin.normal_from(stranger), None);
    let (hit, force) = (world.contact_hits()[0], world.contact_forces()[0]);
    assert_eq!(
        (hit.normal_from(floor), hit.other(floor)),
        (Some(up), Some(body))
    );
    assert_eq!(force.other(body), Some(floor));
    world.destroy_body(body);
    step(&mut world);
    assert_eq!(world.contact_ends()[0].other(floor), Some(body));
}
