//! Joints without a drive never add energy, whatever graph they form.

use cairn2d_dynamics::{
    BodyDef, BodyId, DistanceJointDef, Filter, JointDef, JointSoftness, Limit, Motor,
    MotorJointDef, PrismaticJointDef, RevoluteJointDef, ShapeDef, Spring, WeldJointDef,
    WheelJointDef, World, WorldDef,
};
use cairn2d_geometry::math::{Vec2, sin_cos, vec2};
use cairn2d_geometry::{Circle, Polygon};

const DT: f32 = 1.0 / 60.0;
const TURN: f32 = 2.0 * std::f32::consts::PI;

/// Energy beyond that of the start, relative to it, that counts as rounding.
const TOLERANCE: f64 = 1.0e-3;

/// Graphs of each kind that the property test draws; the variable `CAIRN_GRAPHS` sets another number.
const GRAPHS: u32 = 200;

/// Splitmix: the same numbers everywhere.
struct Draws(u64);

impl Draws {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        (self.bits() % count as u64) as usize
    }

    fn chance(&mut self, share: f32) -> bool {
        self.between(0.0, 1.0) < share
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.bits() >> 40) as f32 / (1 << 24) as f32
    }
}

fn unit(angle: f32) -> Vec2 {
    let (s, c) = sin_cos(angle);
    vec2(c, s)
}

fn disc(world: &mut World, body: BodyDef, radius: f32, def: ShapeDef) -> BodyId {
    let body = world.create_body(body);
    world.create_shape(body, Circle::of_radius(radius), def);
    body
}

fn without_contacts() -> ShapeDef {
    ShapeDef::default().filter(Filter {
        mask: 0,
        ..Filter::default()
    })
}

/// Returns the greatest kinetic energy after each of some steps, relative to that before the step; with springs, which
/// are at rest at the start, relative to that at the start.
fn greatest_energy(world: &mut World, springs: Springs, steps: usize) -> f64 {
    let mut before = world.kinetic_energy();
    (0..steps).fold(0.0, |most: f64, _| {
        world.step(DT);
        let after = world.kinetic_energy();
        let growth = after / before;
        if springs == Springs::None {
            before = after;
        }
        // NaN counts as too much.
        if growth <= most { most } else { growth }
    })
}

/// Whether joints may have springs, and whether these are too stiff for the substeps.
#[derive(Clone, Copy, PartialEq)]
enum Springs {
    None,
    Some,
    Stiff,
}

/// Returns a passive joint of any kind between two bodies at `a` and `b`.
fn any_joint(
    (draws, springs): (&mut Draws, Springs),
    world: &World,
    bodies: [BodyId; 2],
    [a, b]: [Vec2; 2],
) -> JointDef {
    let is_sprung = springs != Springs::None;
    let faster = if springs == Springs::Stiff { 20.0 } else { 1.0 };
    let [body_a, body_b] = bodies;
    let share = [0.0, 0.3, 0.5, 1.0][draws.below(4)];
    let place = a + share * (b - a);
    let place = (place.x, place.y);
    let axis = unit(draws.between(0.0, TURN));
    let limit = draws.chance(0.5).then(|| {
        let half = draws.between(0.01, 0.5);
        Limit::new(-half, half)
    });
    let motor = draws
        .chance(0.2)
        .then(|| Motor::new(0.0, draws.between(0.0, 1.0)));
    let spring = draws
        .chance(0.3)
        .then_some(())
        .filter(|()| is_sprung)
        .map(|()| Spring::new(faster * draws.between(0.2, 8.0), draws.between(0.1, 2.0)));
    let is_soft = draws.chance(0.5) && is_sprung;
    let softness = is_soft.then(|| JointSoftness {
        hertz: faster.min(6.0) * draws.between(1.0, 30.0),
        damping_ratio: draws.between(0.1, 2.0),
    });
    match draws.below(6) {
        0 => RevoluteJointDef {
            limit,
            motor,
            spring,
            ..RevoluteJointDef::new(body_a, body_b).at(world, place)
        }
        .into(),
        1 => PrismaticJointDef {
            limit,
            motor,
            spring,
            ..PrismaticJointDef::new(body_a, body_b).at(world, place, axis)
        }
        .into(),
        2 => WheelJointDef {
            limit,
            spring,
            ..WheelJointDef::new(body_a, body_b).at(world, place, axis)
        }
        .into(),
        3 => WeldJointDef {
            linear: softness,
            angular: softness,
            ..WeldJointDef::new(body_a, body_b).at(world, place)
        }
        .into(),
        4 => {
            let def = DistanceJointDef::new(body_a, body_b).between(world, (a.x, a.y), (b.x, b.y));
            let rope = draws.chance(0.5);
            DistanceJointDef {
                limit: rope.then(|| Limit::new(0.9 * def.length, 1.1 * def.length)),
                spring,
                ..def
            }
            .into()
        }
        _ => MotorJointDef {
            linear_spring: softness,
            angular_spring: softness,
            max_velocity_force: draws.between(0.0, 1.0),
            max_velocity_torque: draws.between(0.0, 1.0),
            ..MotorJointDef::new(body_a, body_b).at(world, place)
        }
        .into(),
    }
}

/// Returns a world of 3 to 40 bodies in a tree, a star or between them, with some loops.
#[expect(
    clippy::disallowed_methods,
    reason = "the bits of the masses do not matter"
)]
fn any_graph(seed: u64, springs: Springs) -> World {
    let mut draws = Draws(seed);
    let mut def = WorldDef {
        sleeping: false,
        ..WorldDef::weightless()
    };
    if springs == Springs::Stiff {
        def.substeps = [1, 2, 4, 8][draws.below(4)];
    }
    let mut world = World::new(def);
    let count = 3 + draws.below(38);
    let star = [0.0, 0.3, 1.0][draws.below(3)];
    let loops = [0, 0, 1, 3][draws.below(4)];
    let heaviest = [1.0, 10.0, 100.0_f32][draws.below(3)];
    let is_rigid = draws.chance(0.5);
    let [drift, spin] = [draws.between(0.0, 3.0), draws.between(-3.0, 3.0)];
    let mut places: Vec<Vec2> = Vec::new();
    let mut bodies = Vec::new();
    let mut links = Vec::new();
    for i in 0..count {
        let parent = if draws.chance(star) {
            0
        } else {
            i.saturating_sub(1 + draws.below(3))
        };
        let away = draws.between(0.5, 1.5) * unit(draws.between(0.0, TURN));
        let place = places.get(parent).map_or(vec2(0.0, 0.0), |p| p + away);
        let (velocity, rate) = if is_rigid {
            (vec2(drift - spin * place.y, spin * place.x), spin)
        } else {
            let velocity = drift * unit(draws.between(0.0, TURN));
            (velocity, draws.between(-3.0, 3.0))
        };
        let body = BodyDef::dynamic()
            .position(place.x, place.y)
            .velocity(velocity.x, velocity.y)
            .angular_velocity(rate);
        let density = heaviest.powf(draws.between(0.0, 1.0));
        let shape = without_contacts().density(density);
        bodies.push(disc(&mut world, body, draws.between(0.15, 0.5), shape));
        places.push(place);
        if i > 0 {
            links.push([parent, i]);
        }
    }
    for _ in 0..loops {
        let [a, b] = [draws.below(count), draws.below(count)];
        if a != b {
            links.push([a, b]);
        }
    }
    for link in links {
        let ends = link.map(|i| bodies[i]);
        let def = any_joint((&mut draws, springs), &world, ends, link.map(|i| places[i]));
        world.create_joint(def);
    }
    world
}

fn check_graphs(springs: Springs) {
    let mut gains = Vec::new();
    let count = std::env::var("CAIRN_GRAPHS").map_or(GRAPHS, |count| count.parse().unwrap());
    for seed in 0..count {
        let most = greatest_energy(&mut any_graph(seed.into(), springs), springs, 90);
        if most.is_nan() || most > 1.0 + TOLERANCE {
            gains.push((seed, most));
        }
    }
    assert!(gains.is_empty(), "{} of {count}: {gains:?}", gains.len());
}

#[test]
fn no_graph_of_rigid_joints_gains_energy() {
    check_graphs(Springs::None);
}

#[test]
fn no_graph_with_springs_gains_energy() {
    check_graphs(Springs::Some);
}

/// Springs of up to 180 Hz in 1 to 8 substeps. Parts of a joint that each undid the work of the other, and bodies between
/// two such joints, threw the bodies about.
#[test]
fn no_graph_with_stiff_springs_gains_energy() {
    check_graphs(Springs::Stiff);
}

/// A star of `count` discs on a light hub falls onto a floor from 2 m; returns its greatest energy relative to that at the start.
fn energy_of_fallen_star(weld: bool, count: u32, hub_density: f32) -> f64 {
    let mut world = World::new(WorldDef::default());
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    world.create_shape(ground, Polygon::rectangle(50.0, 1.0), ShapeDef::default());
    let shape = |density: f32| {
        ShapeDef::default().density(density).filter(Filter {
            group: -1,
            ..Filter::default()
        })
    };
    let hub = BodyDef::dynamic().position(0.0, 4.0).angular_velocity(3.0);
    let hub = disc(&mut world, hub, 0.3, shape(hub_density));
    for i in 0..count {
        let arm = 1.5 * unit(TURN * i as f32 / count as f32);
        let speed = if i % 3 == 0 { 2.0 } else { -1.0 };
        let body = BodyDef::dynamic()
            .position(arm.x, 4.0 + arm.y)
            .velocity(0.0, speed);
        let body = disc(&mut world, body, 0.15, shape(1.0));
        if weld {
            let mut joint = WeldJointDef::new(hub, body);
            joint.base.frame_a.anchor = arm.into();
            world.create_joint(joint);
        } else {
            let mut joint = RevoluteJointDef::new(hub, body);
            joint.base.frame_a.anchor = arm.into();
            world.create_joint(joint);
        }
    }
    let energy = |world: &World| world.kinetic_energy() + world.potential_energy();
    let start = energy(&world);
    (0..900).fold(0.0_f64, |most, _| {
        world.step(DT);
        most.max(energy(&world) / start)
    })
}

/// Pins and welds on a hub of a twentieth of their mass threw the star up at 340 m/s. With 24 pins it
/// still gains energy.
#[test]
fn star_that_falls_onto_a_floor_gains_no_energy() {
    for weld in [false, true] {
        for count in [8, 16] {
            for hub_density in [0.1, 1.0] {
                let most = energy_of_fallen_star(weld, count, hub_density);
                assert!(most < 1.02, "weld {weld}, {count}, {hub_density}: {most}");
            }
        }
    }
}
