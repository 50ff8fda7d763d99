//! Saves: the kept state, and damaged or forged saves.

use crate::support::*;
use cairn2d_broadphase::BroadPhaseKind;
use cairn2d_dynamics::*;
use cairn2d_geometry::math::{WorldPoint, point, vec2};
use cairn2d_geometry::{
    Aabb, Capsule, Chain, ChainKind, Circle, Ellipse, LoadError, LoadReason, Polygon, Shape,
};
use proptest::prelude::*;

/// Bytes before the world in a save, and the place of the checksum in them.
const HEADER: usize = 32;
const CHECKSUM: core::ops::Range<usize> = 24..HEADER;

/// A world with something of everything: all shapes and joints, sensors, sleeping and disabled bodies, ignored pairs,
/// free slots, events, and contacts that touch.
pub(crate) fn everything(broad_phase: BroadPhaseKind) -> World {
    let mut world = World::new(WorldDef {
        broad_phase,
        bounds: Some(Aabb::new(point(-50.0, -50.0), point(50.0, 50.0))),
        id_mark: 7,
        ..WorldDef::default()
    });
    let floor = ground(&mut world);
    let chain = Chain::new(
        &[point(20.0, 0.0), point(15.0, 1.0), point(10.0, 0.5)],
        ChainKind::Open,
    );
    let _ = world.create_chain(floor, &chain, ShapeDef::default());
    let shapes: [Shape; 5] = [
        Circle::of_radius(0.4).into(),
        Capsule::new(point(-0.4, 0.0), point(0.4, 0.0), 0.2).into(),
        Polygon::rectangle(0.4, 0.3).into(),
        Ellipse::new(point(0.0, 0.0), 0.5, 0.3, 0.4).into(),
        Polygon::regular(9, 0.4).into(),
    ];
    let mut bodies = Vec::new();
    for (i, shape) in shapes.iter().cycle().take(15).enumerate() {
        let (column, row) = ((i % 5) as f32, (i / 5) as f32);
        let body = world.create_body(BodyDef::dynamic().position(1.2 * column - 3.0, 0.6 + row));
        let def = ShapeDef {
            force_event_threshold: 5.0,
            user_data: i as u64,
            ..ShapeDef::default()
        };
        world.create_shape(body, shape.clone(), def);
        bodies.push(body);
    }
    let sensor = world.create_body(BodyDef::kinematic().position(0.0, 1.0));
    world.create_shape(sensor, Circle::of_radius(2.0), ShapeDef::sensor());
    link(&mut world);
    world.ignore_pair(bodies[0], bodies[1], IgnoreFor::Time(2.0));
    world.ignore_pair(bodies[3], bodies[4], IgnoreFor::Overlap);
    run(&mut world, 40);
    world.destroy_body(bodies[7]);
    world.body_mut(bodies[9]).disable();
    let thrown = world.create_body(BodyDef::dynamic().position(-8.0, 6.0).velocity(60.0, -40.0));
    world.create_shape(thrown, Circle::of_radius(0.2), ShapeDef::default());
    world
}

/// A row of pairs of bodies, one for each kind of joint.
fn link(world: &mut World) {
    let mut pair = |x: f32| {
        let hook = world.create_body(BodyDef::static_().position(x, 8.0));
        let body = world.create_body(BodyDef::dynamic().position(x + 0.5, 7.5));
        world.create_shape(body, Circle::of_radius(0.2), ShapeDef::default());
        (hook, body)
    };
    let pairs: Vec<_> = (0..9).map(|i| pair(2.0 * i as f32 - 9.0)).collect();
    let mut joints = Vec::new();
    for (i, &(a, b)) in pairs.iter().enumerate() {
        let def: JointDef = match i {
            0 => RevoluteJointDef {
                motor: Some(Motor::new(1.0, 5.0)),
                limit: Some(Limit::new(-9.0, 9.0)),
                ..RevoluteJointDef::new(a, b)
            }
            .into(),
            1 => PrismaticJointDef {
                spring: Some(Spring::new(2.0, 0.3)),
                ..PrismaticJointDef::new(a, b)
            }
            .into(),
            2 => DistanceJointDef::new(a, b).into(),
            3 => WeldJointDef::new(a, b).into(),
            4 => WheelJointDef::new(a, b).into(),
            5 => MotorJointDef::new(a, b).into(),
            6 => MouseJointDef::new(a, b).into(),
            7 => FilterJointDef::new(a, b).into(),
            _ => {
                let wheels = [-2.0, 2.0].map(|x| WorldPoint::new(x, 12.0));
                PulleyJointDef::new(pairs[7].1, b, wheels[0], wheels[1], 20.0).into()
            }
        };
        joints.push(world.create_joint(def));
    }
    let gear = GearJointDef::new(pairs[0].1, pairs[1].1, joints[0], joints[1]);
    world.create_joint(gear);
}

/// Writes the checksum of the bytes, as a forger would.
fn seal(save: &mut [u8]) {
    let checksum = World::save_checksum(save);
    save[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
}

/// Loads a save with any content: it must not panic, and a loaded world must be consistent and able to move.
fn try_to_load(save: &[u8]) {
    if let Ok(mut world) = World::load(save) {
        world.assert_consistent();
        assert!(World::load(&world.save()).is_ok());
        world.step(DT);
    }
}

#[test]
fn world_with_everything_goes_on_after_loading_with_each_broad_phase() {
    for &kind in BroadPhaseKind::ALL {
        let mut world = everything(kind);
        for step in 0..180 {
            let save = world.save();
            let loaded = World::load(&save).unwrap();
            loaded.assert_consistent();
            assert_eq!(loaded.state_hash(), world.state_hash(), "{kind:?} {step}");
            assert!(loaded.save() == save, "{kind:?} {step}: saved again");
            if step % 30 == 0 {
                let (mut a, mut b) = (world.clone(), loaded);
                for _ in 0..60 {
                    a.step(DT);
                    b.step(DT);
                    assert_eq!(a.state_hash(), b.state_hash(), "{kind:?} from {step}");
                    assert_eq!(a.contact_begins(), b.contact_begins());
                }
            }
            world.step(DT);
        }
    }
}

#[test]
fn ids_user_data_events_and_settings_survive() {
    let mut world = everything(BroadPhaseKind::Tree);
    world.step(DT);
    let loaded = World::load(&world.save()).unwrap();
    let ids = |world: &World| world.bodies().map(|body| body.id()).collect::<Vec<_>>();
    assert_eq!(ids(&loaded), ids(&world));
    for shape in world
        .bodies()
        .flat_map(|body| body.shapes().collect::<Vec<_>>())
    {
        assert_eq!(loaded.shape(shape.id()).user_data(), shape.user_data());
        assert_eq!(loaded.shape(shape.id()).geometry(), shape.geometry());
    }
    assert!(!world.contact_forces().is_empty());
    assert_eq!(loaded.contact_forces(), world.contact_forces());
    assert_eq!(loaded.sensor_begins(), world.sensor_begins());
    for joint in world.joints() {
        assert_eq!(loaded.joint(joint.id()).reaction(), joint.reaction());
    }
    let moved = |world: &World| {
        world
            .moved_bodies()
            .map(|body| body.id())
            .collect::<Vec<_>>()
    };
    assert_eq!(moved(&loaded), moved(&world));
    let mut copy = World::default();
    copy.clone_from(&world);
    assert_eq!(moved(&copy), moved(&world));
    assert_eq!(loaded.step_count(), world.step_count());
    assert_eq!(loaded.def().id_mark, 7);
}

#[test]
fn first_difference_names_the_field_and_both_values() {
    type Change = fn(&mut World, BodyId);
    let changes: [(Change, &str); 6] = [
        (
            |world, body| world.body_mut(body).apply_impulse(vec2(0.1, 0.0)),
            "state.velocity.x",
        ),
        (
            |world, body| world.body_mut(body).set_damping(0.5, 0.0),
            "motion.linear_damping",
        ),
        (
            |world, body| world.body_mut(body).set_user_data(9),
            "user_data",
        ),
        (
            |world, body| {
                let shape = shape_of(world, body);
                world.shape_mut(shape).set_user_data(9);
            },
            "shapes.slots[",
        ),
        (
            |world, _| world.set_gravity(vec2(0.0, -1.0)),
            "def.gravity.y",
        ),
        (
            |world, body| assert!(world.destroy_body(body)),
            "generations",
        ),
    ];
    let world = everything(BroadPhaseKind::Tree);
    let body = world
        .bodies()
        .find(|body| body.is_awake() && body.kind() == BodyKind::Dynamic)
        .unwrap()
        .id();
    assert_eq!(world.first_difference(&world.clone()), None);
    for (change, field) in changes {
        let mut changed = world.clone();
        change(&mut changed, body);
        let difference = world.first_difference(&changed).unwrap();
        assert!(
            difference.field.contains(field),
            "{difference} is not in {field}"
        );
        assert_ne!(difference.values[0], difference.values[1]);
    }
    // The number of threads is no state.
    let mut threaded = world.clone();
    threaded.set_def(WorldDef {
        threads: 3,
        ..world.def().clone()
    });
    assert_eq!(world.first_difference(&threaded), None);
}

/// Forces that cancel beyond the largest number leave a sum that is no number until the next step.
#[test]
fn sum_of_forces_that_is_no_number_survives() {
    let mut world = World::default();
    let body = crate_at(&mut world, 0.0, 0.0, 0.5);
    for force in [f32::MAX, f32::MAX, f32::MIN, f32::MIN, f32::MIN, f32::MIN] {
        world.body_mut(body).apply_force(vec2(force, 0.0));
    }
    let mut loaded = World::load(&world.save()).unwrap();
    assert!(loaded.save() == world.save());
    world.step(DT);
    loaded.step(DT);
    assert_eq!(loaded.state_hash(), world.state_hash());
}

#[test]
fn saving_into_a_large_enough_buffer_does_not_move_it() {
    let mut world = everything(BroadPhaseKind::Tree);
    let mut save = world.save();
    save.reserve(save.len());
    let (address, capacity) = (save.as_ptr(), save.capacity());
    for _ in 0..20 {
        world.step(DT);
        world.save_into(&mut save);
        assert_eq!(save, world.save());
    }
    assert_eq!((save.as_ptr(), save.capacity()), (address, capacity));
}

#[test]
fn every_truncation_is_an_error() {
    let save = everything(BroadPhaseKind::Tree).save();
    for len in 0..save.len() {
        let error = World::load(&save[..len]).unwrap_err();
        assert_eq!(error.reason, LoadReason::Truncated, "{len}");
        assert!(error.offset <= len);
    }
    // A forged length does not help.
    for len in (HEADER..save.len()).step_by(97) {
        let mut short = save[..len].to_vec();
        short[16..24].copy_from_slice(&((len - HEADER) as u64).to_le_bytes());
        seal(&mut short);
        assert!(World::load(&short).is_err(), "{len}");
    }
}

#[test]
fn head_is_checked_before_the_rest() {
    let save = World::default().save();
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut changed = save.clone();
        change(&mut changed);
        World::load(&changed).unwrap_err()
    };
    let at = |offset, reason| LoadError { offset, reason };
    assert_eq!(error(&|save| save[0] = b'C'), at(0, LoadReason::NotASave));
    assert_eq!(
        error(&|save| save[8] = 0),
        at(8, LoadReason::UnknownFormat(0))
    );
    assert_eq!(
        error(&|save| save[8] = SAVE_FORMAT as u8 + 1),
        at(8, LoadReason::UnknownFormat(SAVE_FORMAT + 1))
    );
    assert_eq!(error(&|save| save[24] ^= 1), at(24, LoadReason::Checksum));
    assert_eq!(error(&|save| save[40] ^= 1), at(24, LoadReason::Checksum));
    let longer = error(&|save| save.push(0));
    assert_eq!(longer, at(save.len(), LoadReason::TrailingBytes(1)));
    assert_eq!(SaveInfo::of(&save).unwrap().epoch, SOLVER_EPOCH);
    // Another epoch loads: it is for the caller to decide.
    let mut other = save.clone();
    other[12] ^= 1;
    seal(&mut other);
    assert!(World::load(&other).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_flipped_bit_passes_the_checksum(place in any::<prop::sample::Index>(), bit in 0_u8..8) {
        let mut save = everything(BroadPhaseKind::Tree).save();
        let place = place.index(save.len());
        save[place] ^= 1 << bit;
        prop_assert!(World::load(&save).is_err());
    }

    #[test]
    fn forged_bytes_never_panic(
        kind in prop::sample::select(BroadPhaseKind::ALL),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut save = everything(kind).save();
        for (place, byte) in changes {
            let place = HEADER + place.index(save.len() - HEADER);
            save[place] = byte;
        }
        seal(&mut save);
        try_to_load(&save);
    }

    #[test]
    fn noise_is_no_save(noise in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(World::load(&noise).is_err());
        let mut save = World::default().save()[..HEADER].to_vec();
        save.extend_from_slice(&noise);
        save[16..24].copy_from_slice(&(noise.len() as u64).to_le_bytes());
        seal(&mut save);
        prop_assert!(World::load(&save).is_err());
    }
}
