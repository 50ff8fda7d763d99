//! Contact events: each begin has its end, with point, normal, speed and impulse.

use crate::support::*;
use approx::assert_abs_diff_eq;
use cairn2d_dynamics::{BodyDef, ContactId, Filter, ShapeDef, World};
use cairn2d_geometry::ChainKind;
use cairn2d_geometry::math::vec2;
use std::collections::BTreeSet;

/// Keeps the set of contacts that began and have not ended.
#[derive(Default)]
struct Ledger(BTreeSet<ContactId>);

impl Ledger {
    /// Adds the events of the last step; panics if they do not match earlier events.
    fn book(&mut self, world: &World) {
        // Ends before the step are listed with the step's own ends; a contact that began and
        // ended within the report of one step is in both lists.
        for begin in world.contact_begins() {
            assert!(self.0.insert(begin.contact), "began twice");
        }
        for end in world.contact_ends() {
            assert!(self.0.remove(&end.contact), "ended without a beginning");
        }
        let touching: BTreeSet<_> = world.contacts().map(|contact| contact.id()).collect();
        assert_eq!(touching, self.0);
    }
}

#[test]
fn destroyed_body_ends_its_contact_once() {
    let mut world = world();
    let floor = ground(&mut world);
    let ball = ball_at(&mut world, 0.0, 0.5, 0.5);
    let (floor, shape) = (shape_of(&world, floor), shape_of(&world, ball));
    run(&mut world, 30);
    world.destroy_body(ball);
    step(&mut world);
    let ends = world.contact_ends();
    assert_eq!(ends.len(), 1);
    assert_eq!([ends[0].shape_a, ends[0].shape_b], [floor, shape]);
    assert!(world.get_shape(shape).is_none());
    step(&mut world);
    assert!(world.contact_ends().is_empty());
}

#[test]
fn begins_and_ends_balance_while_rolling_over_a_chain() {
    let mut world = world();
    let floor = world.create_body(BodyDef::static_());
    let points: Vec<_> = (0..=30).map(|i| (15.0 - i as f32, 0.0)).collect();
    add_chain(&mut world, floor, &points, ChainKind::Open);
    let def = BodyDef {
        angular_velocity: -4.0,
        ..BodyDef::dynamic().position(-5.0, 0.5).velocity(2.0, 0.0)
    };
    let ball = solid(&mut world, def, disc(0.5));
    let (mut ledger, mut begins) = (Ledger::default(), 0);
    for _ in 0..300 {
        step(&mut world);
        ledger.book(&world);
        begins += world.contact_begins().len();
        assert!(ledger.0.len() <= 2);
        close(y(&world, ball), 0.5, 0.001);
    }
    assert!(begins > 5);
    close(x(&world, ball), 5.0, 0.05);
}

#[test]
fn begin_tells_place_normal_speed_and_impulse() {
    let mut world = weightless();
    let floor = ground(&mut world);
    let def = BodyDef::dynamic().position(3.0, 2.0).velocity(0.0, -25.0);
    let ball = solid(&mut world, def, disc(0.25));
    let mut seen = 0;
    for _ in 0..60 {
        step(&mut world);
        for begin in world.contact_begins() {
            seen += 1;
            assert_eq!((begin.body_a, begin.body_b), (floor, ball));
            close(begin.approach_speed, 25.0, 0.01);
            close(begin.normal.y, 1.0, 1.0e-6);
            assert_abs_diff_eq!(begin.point.x, 3.0, epsilon = 1.0e-3);
            let momentum = world.body(ball).mass() * 25.0;
            close(begin.impulse, momentum, 0.01 * momentum);
        }
    }
    assert_eq!(seen, 1);
}

#[test]
fn every_way_to_part_ends_the_contact() {
    type Act = fn(&mut World, cairn2d_dynamics::BodyId);
    let acts: [Act; 7] = [
        |world, body| assert!(world.destroy_body(body)),
        |world, body| world.body_mut(body).disable(),
        |world, body| world.body_mut(body).set_pose((9.0, 9.0), 0.0),
        |world, body| world.body_mut(body).set_velocity(vec2(0.0, 50.0)),
        |world, body| assert!(world.destroy_shape(shape_of(world, body))),
        |world, body| {
            let shape = shape_of(world, body);
            world.shape_mut(shape).set_filter(Filter {
                mask: 0,
                ..Filter::default()
            });
        },
        |world, body| {
            world
                .body_mut(body)
                .set_kind(cairn2d_dynamics::BodyKind::Static)
        },
    ];
    for (i, act) in acts.into_iter().enumerate() {
        let mut world = world();
        ground(&mut world);
        let body = crate_at(&mut world, 0.0, 0.5, 0.5);
        let mut ledger = Ledger::default();
        for _ in 0..3 {
            step(&mut world);
            ledger.book(&world);
        }
        assert_eq!(ledger.0.len(), 1);
        act(&mut world, body);
        let mut ends = 0;
        for _ in 0..5 {
            step(&mut world);
            ledger.book(&world);
            ends += world.contact_ends().len();
        }
        assert_eq!(ends, 1, "act {i}");
    }
}

#[test]
fn bodies_may_be_destroyed_while_events_are_read() {
    let mut world = world();
    let floor = ground(&mut world);
    let mut random = Random::new(11);
    for i in 0..400 {
        if i % 4 == 0 {
            let def = BodyDef::dynamic().position(random.range(-5.0, 5.0), 6.0);
            solid(&mut world, def, disc(random.range(0.2, 0.5)));
        }
        step(&mut world);
        let landed: BTreeSet<_> = world
            .contact_begins()
            .iter()
            .flat_map(|begin| [begin.body_a, begin.body_b])
            .filter(|&body| body != floor)
            .collect();
        for body in landed {
            assert!(world.destroy_body(body));
        }
        world.assert_consistent();
        for end in world.contact_ends() {
            let _ = (world.get_shape(end.shape_a), world.get_shape(end.shape_b));
        }
    }
    assert!(world.body_count() < 40);
}

#[test]
fn events_balance_in_a_lively_pile() {
    let mut world = world();
    ground(&mut world);
    let mut random = Random::new(2);
    let mut bodies = Vec::new();
    let mut ledger = Ledger::default();
    for i in 0..400 {
        if i % 8 == 0 {
            let def = BodyDef::dynamic().position(random.range(-2.0, 2.0), 5.0);
            bodies.push(solid(&mut world, def, rect(0.3, 0.2)));
        }
        if i % 50 == 49 {
            let gone = bodies.remove(bodies.len() / 2);
            world.destroy_body(gone);
            world
                .body_mut(bodies[0])
                .set_pose((random.range(-2.0, 2.0), 8.0), 1.0);
        }
        step(&mut world);
        ledger.book(&world);
    }
    assert!(ledger.0.len() > 10);
}

#[test]
fn sleep_neither_ends_nor_begins_a_contact() {
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    let mut ledger = Ledger::default();
    for i in 0..200 {
        if i == 120 {
            world.body_mut(body).wake();
        }
        step(&mut world);
        ledger.book(&world);
        assert!(i == 0 || world.contact_begins().is_empty());
        assert!(world.contact_ends().is_empty());
    }
}

#[test]
fn copy_has_its_own_events() {
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    run(&mut world, 5);
    let mut copy = world.clone();
    world.body_mut(body).disable();
    step(&mut copy);
    step(&mut world);
    assert!(copy.contact_ends().is_empty());
    assert_eq!(world.contact_ends().len(), 1);
}

#[test]
fn impulses_of_a_contact_act_on_its_second_body() {
    let mut world = weightless();
    let left = solid(
        &mut world,
        BodyDef::dynamic().position(-1.0, 0.0).velocity(2.0, 0.0),
        disc(0.5),
    );
    let right = solid(&mut world, BodyDef::dynamic().position(1.0, 0.0), disc(0.5));
    for _ in 0..60 {
        step(&mut world);
        if let Some(begin) = world.contact_begins().first() {
            let contact = world.get_contact(begin.contact).unwrap();
            let mass = world.body(right).mass();
            let gained = world.body(right).velocity() * mass;
            assert_eq!(contact.bodies(), [left, right]);
            assert!((contact.impulse() - gained).norm() < 0.01 * gained.norm());
            return;
        }
    }
    panic!("the discs never met");
}

#[test]
fn sensors_touch_nothing() {
    let mut world = world();
    let def = ShapeDef {
        sensor: true,
        ..ShapeDef::default()
    };
    add(&mut world, BodyDef::static_(), rect(5.0, 1.0), def);
    let body = crate_at(&mut world, 0.0, 3.0, 0.5);
    for _ in 0..120 {
        step(&mut world);
        assert!(world.contact_begins().is_empty());
    }
    close(world.body(body).velocity().y, -20.0, 1.0e-3);
}

#[test]
fn contacts_over_many_seams_are_told_one_by_one() {
    let mut world = world();
    for i in 0..40 {
        solid(
            &mut world,
            BodyDef::static_().position(i as f32, -0.5),
            rect(0.5, 0.5),
        );
    }
    let def = BodyDef::dynamic().position(1.0, 0.5).velocity(8.0, 0.0);
    add(&mut world, def, rect(0.5, 0.5), slippery());
    let (mut begins, mut ends) = (0, 0);
    for _ in 0..240 {
        step(&mut world);
        begins += world.contact_begins().len();
        ends += world.contact_ends().len();
        assert_eq!(begins - ends, world.contacts().count());
    }
    assert!(begins > 2, "{begins}");
}

#[test]
fn ground_that_is_made_anew_each_step_still_holds() {
    let mut world = world();
    let floor = world.create_body(BodyDef::static_());
    let body = crate_at(&mut world, 0.0, 1.0, 1.0);
    let mut line = world.create_shape(
        floor,
        segment((-10.0, 0.0), (10.0, 0.0)),
        ShapeDef::default(),
    );
    for _ in 0..300 {
        world.destroy_shape(line);
        line = world.create_shape(
            floor,
            segment((-10.0, 0.0), (10.0, 0.0)),
            ShapeDef::default(),
        );
        step(&mut world);
        close(y(&world, body), 1.0, 0.01);
    }
}

#[test]
fn end_names_the_bodies_of_its_beginning() {
    let mut world = world();
    let floor = ground(&mut world);
    let body = crate_at(&mut world, 0.0, 0.5, 0.5);
    step(&mut world);
    let begin = world.contact_begins()[0];
    world.destroy_body(body);
    step(&mut world);
    let end = world.contact_ends()[0];
    assert_eq!((end.contact, end.shape_b), (begin.contact, begin.shape_b));
    assert_eq!((end.body_a, end.body_b), (floor, body));
    assert!(world.get_body(end.body_b).is_none());
}
