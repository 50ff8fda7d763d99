//! Stars of joints without a drive gain no energy, and motor joints make no momentum.

use cairn2d_dynamics::{
    BodyDef, BodyId, Filter, JointDef, JointSoftness, Limit, MotorJointDef, PrismaticJointDef,
    RevoluteJointDef, ShapeDef, WeldJointDef, WheelJointDef, World, WorldDef,
};
use cairn2d_geometry::Circle;
use cairn2d_geometry::math::{Vec2, sin_cos, vec2};

const DT: f32 = 1.0 / 60.0;
const TURN: f32 = 2.0 * std::f32::consts::PI;

/// Energy beyond that of the start, relative to it, that counts as rounding.
const TOLERANCE: f64 = 1.0e-3;

fn weightless(solver_budget: u32) -> World {
    World::new(WorldDef {
        solver_budget,
        sleeping: false,
        ..WorldDef::weightless()
    })
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

/// Returns the greatest kinetic energy after each of some steps, relative to that of the start.
fn greatest_energy(world: &mut World, steps: usize) -> f64 {
    let start = world.kinetic_energy();
    (0..steps).fold(0.0, |most: f64, _| {
        world.step(DT);
        let energy = world.kinetic_energy() / start;
        // NaN counts as too much.
        if energy <= most { most } else { energy }
    })
}

/// Returns a star: `count` discs about a hub that moves and spins, each on the joint that `joint` returns for the world, the
/// two bodies, the angle, and the anchors at the hub's rim and the disc's center.
fn star(
    (count, budget, outer): (usize, u32, ShapeDef),
    joint: impl Fn(&World, [BodyId; 2], f32, [(f32, f32); 2]) -> JointDef,
) -> World {
    let mut world = weightless(budget);
    let hub = BodyDef::dynamic().velocity(0.3, 0.1).angular_velocity(0.4);
    let hub = disc(&mut world, hub, 0.3, ShapeDef::default());
    for i in 0..count {
        let angle = i as f32 * TURN / count as f32;
        let direction = unit(angle);
        let [rim, place] = [0.3, 1.2].map(|r| (r * direction.x, r * direction.y));
        let radius = if count < 12 { 0.3 } else { 0.15 };
        let body = BodyDef::dynamic().position(place.0, place.1);
        let body = disc(&mut world, body, radius, outer);
        let def = joint(&world, [hub, body], angle, [rim, place]);
        world.create_joint(def);
    }
    world
}

fn check_stars(joint: impl Fn(&World, [BodyId; 2], f32, [(f32, f32); 2]) -> JointDef + Copy) {
    for count in [3, 4, 6, 11, 20] {
        for budget in [0, WorldDef::default().solver_budget] {
            for outer in [without_contacts(), ShapeDef::default()] {
                let mut world = star((count, budget, outer), joint);
                let most = greatest_energy(&mut world, 120);
                let touches = outer == ShapeDef::default();
                assert!(
                    most <= 1.0 + TOLERANCE,
                    "{count} joints, budget {budget}, touch: {touches}: {most}"
                );
            }
        }
    }
}

const LIMITS: [Option<Limit>; 2] = [None, Some(Limit::new(-0.2, 0.2))];

#[test]
fn stars_of_sliders_gain_no_energy() {
    for limit in LIMITS {
        check_stars(|world, [hub, body], angle, [_, place]| {
            let mut def = PrismaticJointDef::new(hub, body).at(world, place, unit(angle));
            def.limit = limit;
            def.into()
        });
    }
}

#[test]
fn stars_of_wheels_gain_no_energy() {
    for limit in LIMITS {
        check_stars(|world, [hub, body], angle, [_, place]| {
            let mut def = WheelJointDef::new(hub, body).at(world, place, unit(angle));
            def.limit = limit;
            def.into()
        });
    }
}

#[test]
fn stars_of_pins_gain_no_energy() {
    for limit in LIMITS {
        check_stars(|world, [hub, body], _, [rim, _]| {
            let mut def = RevoluteJointDef::new(hub, body).at(world, rim);
            def.limit = limit;
            def.into()
        });
    }
}

#[test]
fn stars_of_welds_gain_no_energy() {
    check_stars(|world, [hub, body], _, [rim, _]| {
        WeldJointDef::new(hub, body).at(world, rim).into()
    });
}

#[test]
fn stars_of_soft_welds_and_motor_joints_gain_no_energy() {
    for damping_ratio in [0.3, 1.0, 2.0] {
        for hertz in [5.0, 20.0, 60.0] {
            let soft = Some(JointSoftness {
                hertz,
                damping_ratio,
            });
            check_stars(|world, [hub, body], _, [rim, _]| {
                let mut def = WeldJointDef::new(hub, body).at(world, rim);
                (def.linear, def.angular) = (soft, soft);
                def.into()
            });
            check_stars(|world, [hub, body], _, [rim, _]| {
                let mut def = MotorJointDef::new(hub, body).at(world, rim);
                (def.linear_spring, def.angular_spring) = (soft, soft);
                def.into()
            });
        }
    }
}

#[test]
fn motor_joints_make_no_momentum() {
    // Anchors apart, along the drive and across it; with a drive of the spin; with a spring.
    for direction in [vec2(0.0, 1.0), vec2(1.0, 0.0), vec2(0.6, -0.8)] {
        for spin in [0.0, 3.0] {
            for spring in [None, Some(2.0)] {
                let mut world = weightless(WorldDef::default().solver_budget);
                let [a, b] = [0.0, 1.5].map(|x| {
                    let body = BodyDef::dynamic().position(x, 0.0);
                    disc(&mut world, body, 0.3 + 0.1 * x, without_contacts())
                });
                world.create_joint(MotorJointDef {
                    linear_velocity: direction,
                    angular_velocity: spin,
                    max_velocity_force: 5.0,
                    max_velocity_torque: 5.0 * spin.min(1.0),
                    linear_spring: spring.map(|hertz| JointSoftness {
                        hertz,
                        damping_ratio: 0.2,
                    }),
                    ..MotorJointDef::new(a, b)
                });
                for _ in 0..60 {
                    world.step(DT);
                }
                let momentum = [a, b].map(|body| {
                    let body = world.body(body);
                    let (place, velocity) = (body.position(), body.velocity());
                    let [x, y] = [place.x, place.y];
                    let orbital = body.mass() * (x * velocity.y - y * velocity.x);
                    orbital + body.inertia() * body.angular_velocity()
                });
                let [a, b] = momentum;
                assert!(
                    (a + b).abs() <= 2.0e-3 * (a.abs() + b.abs()).max(1.0),
                    "{direction:?}, spin {spin}, spring {spring:?}: {a} {b}"
                );
            }
        }
    }
}
