//! Filters: pairs of shapes that collide.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyKind, Filter, FilterJointDef, JointBaseDef, RevoluteJointDef, ShapeDef,
};

#[test]
fn shapes_with_empty_masks_make_no_pairs() {
    // Fails if filters are called only after the pairs were made: 45 000 of them.
    let mut world = weightless();
    for _ in 0..300 {
        add(&mut world, BodyDef::dynamic(), disc(0.5), filtered(1, 0));
    }
    run_unchecked(&mut world, 10);
    assert_eq!(world.counters().contacts, 0);
}

#[test]
fn changed_filter_finds_the_pair_with_and_without_motion() {
    for moves in [false, true] {
        let mut world = weightless();
        let a = add(&mut world, BodyDef::dynamic(), disc(0.5), filtered(1, 1));
        let b = add(
            &mut world,
            BodyDef::dynamic().position(0.5, 0.0),
            rect(0.5, 0.5),
            filtered(2, 2),
        );
        run(&mut world, 3);
        assert!(!touch(&world, a, b));
        world.shape_mut(shape_of(&world, a)).set_filter(Filter {
            category: 3,
            mask: 3,
            group: 0,
        });
        if moves {
            world.body_mut(a).set_pose((0.1, 0.0), 0.0);
        }
        step(&mut world);
        assert!(touch(&world, a, b));
    }
}

#[test]
fn changed_filter_ends_the_contact() {
    let mut world = weightless();
    let a = ball_at(&mut world, 0.0, 0.0, 0.5);
    let b = ball_at(&mut world, 0.9, 0.0, 0.5);
    step(&mut world);
    assert!(touch(&world, a, b));
    world.shape_mut(shape_of(&world, a)).set_filter(Filter {
        category: 1,
        mask: 0,
        group: 0,
    });
    assert!(!touch(&world, a, b));
    step(&mut world);
    assert_eq!(world.contact_ends().len(), 1);
    assert_eq!(world.counters().contacts, 0);
}

#[test]
fn statics_make_no_pairs_until_one_turns_dynamic() {
    let mut world = weightless();
    let a = solid(&mut world, BodyDef::static_(), disc(0.5));
    solid(&mut world, BodyDef::static_().position(0.5, 0.0), disc(0.5));
    run(&mut world, 3);
    assert_eq!(world.counters().contacts, 0);
    world.body_mut(a).set_kind(BodyKind::Dynamic);
    step(&mut world);
    assert_eq!(world.contacts().count(), 1);
}

#[test]
fn shapes_meet_when_each_is_in_the_mask_of_the_other() {
    for bits in 0..4096_u64 {
        let filter = |category: u64, mask: u64| Filter {
            category,
            mask,
            group: 0,
        };
        let a = filter(bits & 7, bits >> 3 & 7);
        let b = filter(bits >> 6 & 7, bits >> 9 & 7);
        let expected = a.category & b.mask != 0 && b.category & a.mask != 0;
        assert_eq!(a.meets(&b), expected);
        assert_eq!(b.meets(&a), expected);
    }
}

#[test]
fn group_overrules_the_bits_in_a_world() {
    for (group_a, group_b, mask, expected) in [
        (-1, -1, 1, false),
        (2, 2, 0, true),
        (-1, -2, 1, true),
        (1, 2, 0, false),
        (0, 0, 1, true),
    ] {
        let mut world = weightless();
        let def = |group: i32| ShapeDef {
            filter: Filter {
                category: 1,
                mask,
                group,
            },
            ..ShapeDef::default()
        };
        let a = add(&mut world, BodyDef::dynamic(), disc(0.5), def(group_a));
        let b = add(
            &mut world,
            BodyDef::dynamic().position(0.5, 0.0),
            disc(0.5),
            def(group_b),
        );
        step(&mut world);
        assert_eq!(touch(&world, a, b), expected, "{group_a} {group_b}");
    }
}

#[test]
fn one_joint_that_forbids_contact_decides_in_either_order() {
    for order in [[true, false], [false, true], [true, true]] {
        let mut world = weightless();
        let a = ball_at(&mut world, 0.0, 0.0, 1.0);
        let b = ball_at(&mut world, 0.0, 0.0, 1.0);
        for collide_connected in order {
            world.create_joint(RevoluteJointDef {
                base: JointBaseDef {
                    collide_connected,
                    ..JointBaseDef::new(a, b)
                },
                limit: None,
                motor: None,
                spring: None,
            });
        }
        step(&mut world);
        assert_eq!(touch(&world, a, b), order == [true, true]);
    }
}

#[test]
fn jointed_bodies_meet_again_when_the_joint_goes() {
    let mut world = weightless();
    let a = ball_at(&mut world, 0.0, 0.0, 1.0);
    let b = ball_at(&mut world, 0.5, 0.0, 1.0);
    step(&mut world);
    assert!(touch(&world, a, b));
    let joint = world.create_joint(RevoluteJointDef::new(a, b));
    assert!(!touch(&world, a, b));
    assert!(run_until_asleep(&mut world, 200).is_some());
    world.destroy_joint(joint);
    assert!(is_awake(&world, a) && is_awake(&world, b));
    run(&mut world, 120);
    let apart = (world.body(b).position() - world.body(a).position()).norm();
    assert!(apart > 2.0 - 2.0 * SLOP, "{apart}");
}

#[test]
fn filter_joint_passes_no_contact_and_no_waking_until_it_goes() {
    let mut world = weightless();
    let [a, b] = [0.0, 1.0].map(|x| crate_at(&mut world, x, 0.0, 2.0));
    let joint = world.create_joint(FilterJointDef::new(a, b));
    assert!(run_until_asleep(&mut world, 120).is_some());
    assert!(!touch(&world, a, b));
    close(x(&world, b) - x(&world, a), 1.0, 1.0e-6);
    world.body_mut(a).wake();
    assert!(!is_awake(&world, b), "nothing links them");
    assert!(run_until_asleep(&mut world, 120).is_some());
    // Without it they wake, and part.
    assert!(world.destroy_joint(joint));
    run(&mut world, 240);
    assert!(x(&world, b) - x(&world, a) > 4.0 - 2.0 * SLOP);
}
