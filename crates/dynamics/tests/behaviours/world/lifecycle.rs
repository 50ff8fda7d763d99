//! Worlds, ids, and things that come and go.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, ContactId, JointId, QueryFilter, RevoluteJointDef, ShapeDef, ShapeId, World,
    WorldDef, WorldError,
};
use cairn2d_geometry::math::vec2;
use cairn2d_geometry::{Chain, ChainKind, Shape};
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn dropped_box_comes_to_rest_upright() {
    let mut world = world();
    solid(
        &mut world,
        BodyDef::static_().position(0.0, -10.0),
        rect(50.0, 10.0),
    );
    let def = ShapeDef::default().friction(0.3);
    let body = add(
        &mut world,
        BodyDef::dynamic().position(0.0, 4.0),
        rect(1.0, 1.0),
        def,
    );
    run(&mut world, 90);
    let body = world.body(body);
    close(body.position().x, 0.0, 0.01);
    close(body.position().y, 1.0, 0.01);
    close(body.angle(), 0.0, 0.01);
}

#[test]
fn empty_world_steps() {
    let mut world = world();
    run(&mut world, 60);
    assert_eq!(world.step_count(), 60);
    assert_eq!(world.body_count(), 0);
}

/// The definitions of a heap of boxes, and its ground.
fn heap() -> impl Iterator<Item = (BodyDef, Vec<(Shape, ShapeDef)>)> {
    let ground = (
        BodyDef::static_().position(0.0, -1.0),
        vec![(rect(50.0, 1.0).into(), ShapeDef::default())],
    );
    let boxes = (0..300).map(|i: u32| {
        let (x, y) = (1.3 * (i % 20) as f32 - 13.0, 1.0 + 1.2 * (i / 20) as f32);
        let body = BodyDef::dynamic().position(x + 0.2 * (i % 3) as f32, y);
        (body, vec![(rect(0.5, 0.5).into(), ShapeDef::default())])
    });
    core::iter::once(ground).chain(boxes)
}

#[test]
fn bodies_created_at_once_move_as_if_created_one_by_one() {
    let (mut at_once, mut singly) = (world(), world());
    let bodies = at_once.create_bodies(heap());
    let twins: Vec<_> = heap()
        .map(|(def, shapes)| {
            let body = singly.create_body(def);
            for (shape, def) in shapes {
                singly.create_shape(body, shape, def);
            }
            body
        })
        .collect();
    for _ in 0..90 {
        step(&mut at_once);
        step(&mut singly);
    }
    for (body, twin) in bodies.into_iter().zip(twins) {
        let (body, twin) = (at_once.body(body), singly.body(twin));
        assert_eq!(body.position_exact(), twin.position_exact());
        assert_eq!(body.velocity(), twin.velocity());
    }
}

#[test]
fn no_body_is_created_if_a_definition_is_invalid() {
    let mut world = world();
    let mut defs: Vec<_> = heap().collect();
    defs[250].0.linear_damping = -1.0;
    let created = catch_unwind(AssertUnwindSafe(|| world.create_bodies(defs)));
    let message = *created.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(
        message,
        "cannot create the bodies: linear_damping is -1, which is negative"
    );
    assert_eq!(world.body_count(), 0);
    run(&mut world, 10);
    world.assert_consistent();
}

/// Ids and hash are those of a world that was not asked.
#[test]
fn refused_batch_leaves_no_trace() {
    let mut world = world();
    column(&mut world, 3.0, 3);
    run(&mut world, 3);
    let hash = world.state_hash();
    let crates = || vec![(rect(0.5, 0.5), ShapeDef::default())];
    let heavy = || {
        vec![
            (rect(0.5, 0.5), ShapeDef::default()),
            (rect(9.0, 9.0), ShapeDef::default().density(1.0e37)),
        ]
    };
    let mut thin = crates();
    thin[0].1.density = -1.0;
    let wrong = BodyDef::dynamic().angle(f32::NAN);
    let refused = [
        (BodyDef::dynamic(), thin),
        (BodyDef::dynamic(), heavy()),
        (wrong, crates()),
    ];
    for last in refused {
        let batch = [(BodyDef::dynamic(), crates()), last];
        assert!(world.try_create_bodies(batch).is_err());
        assert_eq!(world.state_hash(), hash);
    }
    let panics = (0..5).map(|i| {
        assert!(i < 3, "the level file ends here");
        (BodyDef::dynamic(), crates())
    });
    let caught = catch_unwind(AssertUnwindSafe(|| world.create_bodies(panics)));
    assert!(caught.is_err());
    assert_eq!(world.state_hash(), hash);
    let body = world.create_body(BodyDef::dynamic());
    assert_eq!((body.index(), body.generation()), (3, 0));
}

#[test]
fn coincident_boxes_come_and_go_while_stepping() {
    // Catches pairs that are not cleaned up, and coincident centers without a normal.
    let mut world = world();
    let mut bodies = Vec::new();
    for _ in 0..10 {
        bodies.push(crate_at(&mut world, 0.0, 0.0, 0.5));
        step(&mut world);
    }
    while let Some(body) = bodies.pop() {
        assert!(world.destroy_body(body));
        step(&mut world);
    }
    run(&mut world, 10);
    assert_eq!(world.body_count(), 0);
    assert_eq!(world.counters().contacts, 0);
    assert_eq!(world.counters().islands, 0);
}

#[test]
fn id_is_stale_as_soon_as_its_thing_is_gone() {
    let mut world = world();
    let a = crate_at(&mut world, 0.0, 0.0, 0.5);
    let b = crate_at(&mut world, 3.0, 0.0, 0.5);
    let shape_a = shape_of(&world, a);
    let joint = world.create_joint(RevoluteJointDef::new(a, b));
    world.destroy_body(a);
    assert!(world.get_body(a).is_none());
    assert!(world.get_body_mut(a).is_none());
    assert!(world.get_shape(shape_a).is_none());
    assert!(world.get_joint(joint).is_none());
    assert!(world.get_body(b).is_some());
    world.destroy_body(b);
    assert!(world.get_body(b).is_none());
    step(&mut world);
}

#[test]
fn worlds_come_and_go_by_the_thousand() {
    for _ in 0..20 {
        let marked = |id_mark| {
            World::new(WorldDef {
                id_mark,
                ..WorldDef::default()
            })
        };
        let mut worlds: Vec<_> = (0..64).map(marked).collect();
        let bodies: Vec<_> = worlds
            .iter_mut()
            .map(|world| ball_at(world, 0.0, 0.0, 0.5))
            .collect();
        for (world, &body) in worlds.iter_mut().zip(&bodies) {
            run(world, 3);
            assert!(world.get_body(body).is_some());
        }
        assert!(worlds[1].get_body(bodies[0]).is_none());
        while worlds.pop().is_some() {}
    }
}

#[test]
fn reused_slot_does_not_revive_an_old_id() {
    let mut world = world();
    let a = crate_at(&mut world, 0.0, 0.0, 0.5);
    let c = crate_at(&mut world, 3.0, 0.0, 0.5);
    world.destroy_body(a);
    let again = crate_at(&mut world, 6.0, 0.0, 0.5);
    assert_eq!(again.index(), a.index());
    assert_ne!(again, a);
    assert!(world.get_body(a).is_none());
    assert!(world.get_body(again).is_some() && world.get_body(c).is_some());
}

#[test]
fn ids_survive_packing() {
    let mut world = world();
    let a = crate_at(&mut world, 0.0, 0.5, 0.5);
    let b = crate_at(&mut world, 0.9, 0.5, 0.5);
    let far = crate_at(&mut world, 9.0, 0.5, 0.5);
    let joint = world.create_joint(RevoluteJointDef::new(a, far));
    step(&mut world);
    let contact = world.contact_begins()[0].contact;
    let shape = shape_of(&world, b);
    assert_eq!(BodyId::from_bits(a.to_bits()), a);
    assert_eq!(ShapeId::from_bits(shape.to_bits()), shape);
    assert_eq!(JointId::from_bits(joint.to_bits()), joint);
    assert_eq!(ContactId::from_bits(contact.to_bits()), contact);
    for bits in [0, u64::MAX, 0x0123_4567_89ab_cdef] {
        assert_eq!(BodyId::from_bits(bits).to_bits(), bits);
    }
}

#[test]
fn bodies_may_go_before_the_first_step() {
    let mut world = world();
    let bodies = [
        BodyDef::dynamic(),
        BodyDef::dynamic(),
        BodyDef::kinematic(),
        BodyDef::static_(),
    ]
    .map(|def| world.create_body(def));
    for body in bodies {
        assert!(world.destroy_body(body));
    }
    step(&mut world);
}

#[test]
fn shape_may_go_before_the_first_step() {
    let mut world = world();
    let body = ball_at(&mut world, 0.0, 0.0, 1.0);
    let shape = shape_of(&world, body);
    assert!(world.destroy_shape(shape));
    world.assert_consistent();
    assert!(world.destroy_body(body));
    run(&mut world, 10);
    assert_eq!(world.shape_count(), 0);
}

#[test]
fn copy_hands_out_the_same_ids_after_removals() {
    // Catches a list of free slots that a snapshot does not keep.
    let mut world = world();
    let bodies = [0.0, 2.0, 4.0].map(|x| crate_at(&mut world, x, 0.0, 0.5));
    for i in [0, 2, 1] {
        world.destroy_body(bodies[i]);
    }
    let mut copy = world.clone();
    for i in 0..3 {
        let here = crate_at(&mut world, i as f32, 5.0, 0.2);
        let there = crate_at(&mut copy, i as f32, 5.0, 0.2);
        assert_eq!(here, there);
    }
}

#[test]
fn destroying_what_is_gone_or_foreign_changes_nothing() {
    let (mut here, mut there) = (world(), another_world());
    let a = crate_at(&mut here, 0.0, 0.0, 0.5);
    let b = crate_at(&mut here, 2.0, 0.0, 0.5);
    let shape = shape_of(&here, a);
    let joint = here.create_joint(RevoluteJointDef::new(a, b));
    assert!(!there.destroy_body(a));
    assert!(!there.destroy_shape(shape));
    assert!(!there.destroy_joint(joint));
    assert!(here.destroy_joint(joint) && !here.destroy_joint(joint));
    assert!(here.destroy_shape(shape) && !here.destroy_shape(shape));
    assert!(here.destroy_body(a) && !here.destroy_body(a));
    assert!(!here.destroy_body(BodyId::from_bits(u64::MAX)));
    assert!(here.get_body(b).is_some());
    step(&mut here);
}

#[test]
fn joint_of_foreign_or_stale_bodies_is_refused() {
    let (mut here, mut there) = (world(), another_world());
    let a = crate_at(&mut here, 0.0, 0.0, 0.5);
    let b = crate_at(&mut there, 0.0, 0.0, 0.5);
    let c = crate_at(&mut here, 3.0, 0.0, 0.5);
    let refused = here.try_create_joint(RevoluteJointDef::new(a, b));
    assert_eq!(refused, Err(WorldError::NoSuchBody(b)));
    here.destroy_body(c);
    let refused = here.try_create_joint(RevoluteJointDef::new(c, a));
    assert_eq!(refused, Err(WorldError::NoSuchBody(c)));
    assert_eq!(here.joint_count(), 0);
    step(&mut here);
}

#[test]
fn static_body_without_shapes_is_no_obstacle() {
    let mut world = world();
    world.create_body(BodyDef::static_());
    let ball = ball_at(&mut world, 0.0, 1.0, 0.5);
    assert!(Chain::try_new(&[], ChainKind::Open).is_err());
    run(&mut world, 10);
    assert!(y(&world, ball) < 0.9);
    let hit = world.ray_cast((0.0, 10.0), vec2(0.0, -20.0), QueryFilter::default());
    assert_eq!(hit.map(|hit| hit.body), Some(ball));
}

#[test]
fn many_statics_can_go_over_a_huge_area() {
    let mut world = world();
    let mut statics = Vec::new();
    for i in 0..20 {
        for j in 0..20 {
            let def = BodyDef::static_().position(50.0 * i as f32, -50.0 * j as f32);
            statics.push(solid(&mut world, def, rect(0.5, 0.5)));
        }
    }
    let balls: Vec<_> = (0..10)
        .map(|i| ball_at(&mut world, 50.0 * i as f32, 0.9, 0.4))
        .collect();
    run(&mut world, 10);
    for &body in statics.iter().step_by(2) {
        world.destroy_body(body);
    }
    world.body_mut(balls[0]).set_pose((0.0, -10.0), 0.0);
    run(&mut world, 10);
    for &body in &statics {
        world.destroy_body(body);
    }
    for &ball in &balls[..5] {
        world.destroy_body(ball);
    }
    run(&mut world, 10);
    assert_eq!(world.body_count(), 5);
}

#[test]
fn slots_do_not_grow_under_churn() {
    // Catches leaked bodies, shapes, contacts and proxies.
    let mut world = world();
    let mut random = Random::new(1);
    let mut living = std::collections::VecDeque::new();
    for _ in 0..400 {
        let (x, y) = (random.range(0.0, 10.0), random.range(0.0, 10.0));
        living.push_back(ball_at(&mut world, x, y, 0.5));
        if living.len() > 10 {
            world.destroy_body(living.pop_front().unwrap());
        }
        step(&mut world);
        for body in &living {
            assert!(body.index() <= 10);
            assert!(shape_of(&world, *body).index() <= 10);
        }
        for begin in world.contact_begins() {
            assert!(begin.contact.index() < 11 * 10 / 2);
        }
    }
}

#[test]
fn destroyed_body_takes_its_joints_and_contacts_along() {
    let mut world = world();
    ground(&mut world);
    let a = crate_at(&mut world, 0.0, 0.5, 0.5);
    let b = crate_at(&mut world, 3.0, 0.5, 0.5);
    world.create_joint(RevoluteJointDef::new(a, b));
    run(&mut world, 5);
    world.destroy_body(a);
    assert_eq!(world.joint_count(), 0);
    assert!(
        world
            .contacts()
            .all(|contact| !contact.bodies().contains(&a))
    );
    run(&mut world, 5);
    assert_eq!(world.counters().joints, 0);
}

#[test]
fn spawned_body_is_the_same_as_one_made_in_parts() {
    let def = BodyDef::dynamic().position(1.0, 2.0);
    let parts = || {
        let heavy = ShapeDef::default().density(3.0);
        [(disc(0.5), heavy), (disc(0.25), ShapeDef::sensor())]
    };
    let mut spawned = world();
    let body = spawned.spawn(&def, parts());
    let mut made = world();
    let same = made.create_body(&def);
    for (shape, def) in parts() {
        made.create_shape(same, shape, def);
    }
    assert_eq!(body, same);
    assert_eq!(spawned.state_hash(), made.state_hash());
}

#[test]
fn refused_spawn_leaves_the_world_as_it_was() {
    let mut world = world();
    let before = world.state_hash();
    let bad = ShapeDef::default().density(-1.0);
    let shapes = [(disc(0.5), ShapeDef::default()), (disc(0.5), bad)];
    assert!(world.try_spawn(BodyDef::dynamic(), shapes).is_err());
    let huge = ShapeDef::default().density(1.0e15);
    let shapes = [(disc(0.5), huge), (disc(0.5), huge)];
    assert!(world.try_spawn(BodyDef::dynamic(), shapes).is_err());
    let nowhere = BodyDef::dynamic().position(f32::NAN, 0.0);
    let shapes = [(disc(0.5), ShapeDef::default())];
    assert!(world.try_spawn(nowhere, shapes).is_err());
    assert_eq!((world.state_hash(), world.body_count()), (before, 0));
}
