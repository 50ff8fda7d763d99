//! The plain solver, and the switches of single mechanisms.

use cairn2d_dynamics::{
    BodyDef, Mechanism, Mechanisms, RevoluteJointDef, ShapeDef, Tuning, World, WorldDef,
};
use cairn2d_geometry::Polygon;
use cairn2d_geometry::math::point;

const DT: f32 = 1.0 / 60.0;

fn world_with(mechanisms: Mechanisms) -> World {
    World::new(WorldDef {
        tuning: Tuning {
            mechanisms,
            ..Tuning::default()
        },
        ..WorldDef::default()
    })
}

/// A column of 40 boxes with gaps, a pendulum of two links, and a heavy box in the air.
fn fill(world: &mut World) {
    let square = Polygon::rectangle(0.5, 0.5);
    let ground = world.create_body(BodyDef::static_());
    let floor = Polygon::offset_rectangle(50.0, 1.0, point(0.0, -1.0), 0.0);
    world.create_shape(ground, floor, ShapeDef::default());
    for i in 0..40 {
        let body = world.create_body(BodyDef::dynamic().position(0.0, 0.5 + 1.01 * i as f32));
        world.create_shape(body, square.clone(), ShapeDef::default());
    }
    let heavy = world.create_body(BodyDef::dynamic().position(0.1, 48.0).velocity(0.0, -10.0));
    world.create_shape(heavy, square.clone(), ShapeDef::default().density(1000.0));
    let mut last = ground;
    for i in 0..2 {
        let x = 10.0 + i as f32;
        let link = world.create_body(BodyDef::dynamic().position(x + 0.5, 20.0));
        world.create_shape(link, Polygon::rectangle(0.4, 0.1), ShapeDef::default());
        world.create_joint(RevoluteJointDef::new(last, link).at(world, point(x, 20.0)));
        last = link;
    }
}

#[test]
fn plain_world_has_only_iterated_islands() {
    let mut plain = world_with(Mechanisms::NONE);
    let mut usual = world_with(Mechanisms::ALL);
    fill(&mut plain);
    fill(&mut usual);
    let [mut newton, mut articulations] = [0; 2];
    for _ in 0..240 {
        plain.step(DT);
        usual.step(DT);
        assert_eq!(plain.counters().newton_islands, 0);
        assert_eq!(plain.counters().direct_islands, 0);
        newton = newton.max(usual.counters().newton_islands);
        articulations = articulations.max(usual.counters().direct_islands);
        plain.assert_consistent();
    }
    assert!(newton > 0 && articulations > 0);
}

#[test]
fn state_hash_covers_each_mechanism() {
    let usual = world_with(Mechanisms::ALL).state_hash();
    let hash = |mechanism| world_with(Mechanisms::ALL.without(mechanism)).state_hash();
    let mut hashes: Vec<u64> = Mechanism::ALL.map(hash).into();
    hashes.push(usual);
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), Mechanism::ALL.len() + 1);
}

#[test]
fn mechanisms_may_change_between_steps() {
    let mut world = world_with(Mechanisms::ALL);
    fill(&mut world);
    for step in 0..Mechanism::ALL.len() * 4 {
        let mut def = world.def().clone();
        let mechanism = Mechanism::ALL[step % Mechanism::ALL.len()];
        def.tuning.mechanisms = match step % 3 {
            0 => Mechanisms::NONE.with(mechanism),
            1 => Mechanisms::ALL.without(mechanism),
            _ => Mechanisms::ALL,
        };
        world.set_def(def);
        world.step(DT);
        world.assert_consistent();
    }
}
