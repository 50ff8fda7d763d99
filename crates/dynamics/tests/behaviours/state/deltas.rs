//! Deltas: base and delta make the world, after any calls since the base.

use crate::state::saves::everything;
use crate::support::*;
use cairn2d_broadphase::BroadPhaseKind;
use cairn2d_dynamics::*;
use cairn2d_geometry::math::vec2;
use cairn2d_geometry::{Circle, LoadError, LoadReason};
use proptest::prelude::*;

/// Bytes of the head of a delta, and the places of its length and its checksum.
const HEADER: usize = 32;
const LENGTH: core::ops::Range<usize> = 16..24;
const CHECKSUM: core::ops::Range<usize> = 24..HEADER;

/// Checks that `delta` makes the save of `world` of `base`.
fn check(world: &World, base: &BaseSave) {
    let delta = world.save_delta(base);
    let mut save = vec![7; 9];
    World::apply_delta(base.bytes(), &delta, &mut save).unwrap();
    if save != world.save() {
        let other = World::load(&save).map(|made| world.first_difference(&made));
        panic!("the delta makes another world: {other:?}");
    }
}

/// An edit of a world: the kind, the body, the strength.
#[derive(Clone, Debug)]
struct Edit {
    kind: u8,
    body: prop::sample::Index,
    push: (f32, f32),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = (
        0_u8..KINDS,
        any::<prop::sample::Index>(),
        -3.0..3.0_f32,
        0.0..8.0_f32,
    );
    let edit = edit.prop_map(|(kind, body, x, y)| Edit {
        kind,
        body,
        push: (x, y),
    });
    prop::collection::vec(edit, 1..24)
}

/// Number of kinds of edits.
const KINDS: u8 = 22;

impl Edit {
    fn apply(&self, world: &mut World) {
        let bodies: Vec<BodyId> = world.bodies().map(|body| body.id()).collect();
        let at = self.body.index(bodies.len());
        let (body, other) = (bodies[at], bodies[(at + 1) % bodies.len()]);
        let push = vec2(self.push.0, self.push.1);
        let shape = world.body(body).shapes().next().map(|shape| shape.id());
        let joint = world.joints().map(|joint| joint.id()).nth(at % 5);
        match self.kind {
            0..4 => run(world, 1 + at % 4),
            4 => world.body_mut(body).apply_impulse(push),
            5 => world.body_mut(body).set_pose((push.x, push.y), push.x),
            6 => world.body_mut(body).sleep(),
            7 => world.body_mut(body).wake(),
            8 => _ = world.destroy_body(body),
            9 => _ = crate_at(world, push.x, push.y, 0.3),
            10 => world
                .body_mut(body)
                .set_user_data(u64::from(push.x.to_bits())),
            11 if world.body(body).is_enabled() => world.body_mut(body).disable(),
            11 => world.body_mut(body).enable(),
            12 => world
                .body_mut(body)
                .set_kind([BodyKind::Static, BodyKind::Kinematic, BodyKind::Dynamic][at % 3]),
            13 => world.set_gravity(-push),
            14 => world.shift_origin((1.0, 0.5)),
            15 => world.ignore_pair(body, other, IgnoreFor::Time(push.y)),
            16 => _ = world.create_joint(RevoluteJointDef::new(body, other)),
            17 => {
                if let Some(joint) = joint {
                    world.destroy_joint(joint);
                }
            }
            18 => {
                if let Some(shape) = shape {
                    world.shape_mut(shape).set_friction(push.y);
                }
            }
            19 => {
                if let Some(shape) = shape {
                    world.destroy_shape(shape);
                }
            }
            20 => {
                let ball = Circle::of_radius(0.1 + push.y);
                world.create_shape(body, ball, ShapeDef::default());
            }
            _ => run(world, 40),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn delta_makes_the_world_after_any_edits(
        kind in prop::sample::select(BroadPhaseKind::ALL),
        before in edits(),
        after in edits(),
    ) {
        let mut world = everything(kind);
        before.iter().for_each(|edit| edit.apply(&mut world));
        let first = world.save_base();
        let old = world.clone();
        for edit in &after {
            edit.apply(&mut world);
            check(&world, &first);
        }
        // A world that was set back has the base of the clone.
        let second = world.save_base();
        check(&world, &first);
        world.clone_from(&old);
        for edit in after.iter().rev() {
            edit.apply(&mut world);
            check(&world, &first);
            check(&world, &second);
        }
        let mut loaded = World::load_delta(first.bytes(), &world.save_delta(&first)).unwrap();
        for _ in 0..10 {
            world.step(DT);
            loaded.step(DT);
            prop_assert_eq!(loaded.state_hash(), world.state_hash());
        }
    }
}

/// Boxes of which few move.
fn quarters() -> (World, Vec<BodyId>) {
    let mut world = World::default();
    ground(&mut world);
    let boxes: Vec<BodyId> = (0..200)
        .map(|i| {
            crate_at(
                &mut world,
                1.5 * (i / 5) as f32 - 30.0,
                0.5 + (i % 5) as f32,
                0.5,
            )
        })
        .collect();
    run(&mut world, 200);
    assert_eq!(world.bodies().filter(|body| body.is_awake()).count(), 0);
    (world, boxes[..10].to_vec())
}

#[test]
fn delta_of_a_world_that_mostly_sleeps_is_small() {
    let (mut world, moving) = quarters();
    let base = world.save_base();
    let untouched = world.save_delta(&base);
    assert!(untouched.len() < HEADER + 8 + 16, "{}", untouched.len());
    for &body in &moving {
        world.body_mut(body).apply_impulse(vec2(1.0, 0.0));
    }
    run(&mut world, 30);
    let (delta, save) = (world.save_delta(&base), world.save());
    assert!(
        10 * delta.len() < save.len(),
        "{} of {}",
        delta.len(),
        save.len()
    );
    check(&world, &base);
}

#[test]
fn delta_needs_its_base_and_its_own_bytes() {
    let (mut world, _) = quarters();
    let base = world.save_base();
    run(&mut world, 1);
    let delta = world.save_delta(&base);
    let error = |base: &[u8], delta: &[u8]| World::load_delta(base, delta).unwrap_err();
    let at = |offset, reason| LoadError { offset, reason };
    assert_eq!(
        error(&world.save(), &delta),
        at(HEADER, LoadReason::OtherBase)
    );
    assert_eq!(
        error(base.bytes(), base.bytes()),
        at(0, LoadReason::NotADelta)
    );
    assert_eq!(error(&delta, &delta), at(0, LoadReason::NotASave));
    for len in 0..delta.len() {
        let reason = error(base.bytes(), &delta[..len]).reason;
        assert_eq!(reason, LoadReason::Truncated, "{len}");
    }
    for place in HEADER..delta.len() {
        let mut changed = delta.clone();
        changed[place] ^= 4;
        assert_eq!(error(base.bytes(), &changed), at(24, LoadReason::Checksum));
    }
}

#[test]
fn instructions_that_do_not_fit_are_refused() {
    let base = World::default().save_base();
    let with = |instructions: &[u8]| {
        let mut delta = World::default().save_delta(&base);
        delta.truncate(HEADER + 8);
        delta.extend_from_slice(instructions);
        let length = (delta.len() - HEADER) as u64;
        delta[LENGTH].copy_from_slice(&length.to_le_bytes());
        let checksum = World::save_checksum(&delta);
        delta[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
        World::load_delta(base.bytes(), &delta).map(|_| ())
    };
    let start = HEADER + 8;
    let length = |offset, reason| Err(LoadError { offset, reason });
    assert!(with(&[]).is_err(), "the base is not used up");
    // More than there is.
    let huge = [0xff, 0xff, 0xff, 0xff, 0x7f];
    assert_eq!(
        with(&huge),
        length(start, LoadReason::Length((1 << 35) - 1))
    );
    // A number without an end.
    assert!(with(&[0x80; 20]).is_err());
    // Bytes to add that are not there.
    assert_eq!(
        with(&[0, 0, 9, 1]),
        length(start + 3, LoadReason::Truncated)
    );
}

/// Cause: the broad phases save different numbers of tables. A base with fewer of them made `save_delta` panic; one with
/// more made a delta that does not use the base up, which is refused.
#[test]
fn the_base_may_be_of_a_world_with_another_broad_phase() {
    for &base_kind in BroadPhaseKind::ALL {
        for &kind in BroadPhaseKind::ALL {
            let [mut other, mut world] = [base_kind, kind].map(|broad_phase| {
                World::new(WorldDef {
                    broad_phase,
                    ..WorldDef::default()
                })
            });
            crate_at(&mut world, 0.0, 1.0, 0.3);
            check(&world, &other.save_base());
        }
    }
}
