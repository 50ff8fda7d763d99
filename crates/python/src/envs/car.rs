//! Car seen from above: a hull on four wheels, which roll, slide and steer.
//!
//! Each wheel has a rate of rotation of its own, beside the body that moves in the plane: engine and brakes change it, and
//! friction with the ground couples the two.

use crate::envs::box2d_scene::{FPS, Fixture, GROUND_ONLY, Hinge, Scene, body_polygon, vector};
use crate::envs::car_track::sign;
use cairn2d::{BodyId, JointId, Motor};

/// Size of a unit of the outlines [m].
const SIZE: f64 = 0.02;
/// Power of the engine at a gas of 1 [W].
const ENGINE_POWER: f64 = 100_000_000.0 * SIZE * SIZE;
/// Time step [s].
const STEP: f64 = 1.0 / FPS;
/// Work of the engine in a step at a gas of 1 [J].
const ENGINE_WORK: f64 = STEP * ENGINE_POWER;
/// Moment of inertia of a rolling wheel [kg m^2].
const WHEEL_INERTIA: f64 = 4000.0 * SIZE * SIZE;
/// Greatest friction of a wheel on the road [N].
const ROAD_FRICTION: f64 = 1_000_000.0 * SIZE * SIZE;
/// Greatest friction of a wheel on grass [N].
const GRASS_FRICTION: f64 = ROAD_FRICTION * 0.6;
/// Force for a slip of 1 m/s [N]: less than would stop it in a step, so that it does not swing.
const SLIP_FORCE: f64 = 205_000.0 * SIZE * SIZE;
/// Torque that steers [N m].
const STEER_TORQUE: f64 = 180.0 * 900.0 * SIZE * SIZE;
/// Greatest rate of steering [rad/s].
const STEER_RATE: f64 = 3.0;
/// Rate of steering for an error of 1 rad [1/s].
const STEER_GAIN: f64 = 50.0;
/// Greatest angle of a wheel to the hull [rad].
const STEER_LIMIT: f64 = 0.4;
/// Greatest increase of the gas in a step.
const GAS_INCREASE: f64 = 0.1;
/// Brake from which a wheel is locked.
const LOCKING_BRAKE: f64 = 0.9;
/// Loss of angular speed in a step at a brake of 1 [rad/s].
const BRAKE_RATE: f64 = 15.0;
/// Added to the angular speed that the power of the engine is divided by [rad/s].
const MIN_ENGINE_RATE: f64 = 5.0;
/// Radius and half the width of a wheel, in units.
pub(super) const WHEEL_RADIUS: f64 = 27.0;
pub(super) const WHEEL_WIDTH: f64 = 14.0;
const WHEEL_PLACES: [[f64; 2]; 4] = [[-55.0, 80.0], [55.0, 80.0], [-55.0, -82.0], [55.0, -82.0]];
/// Outlines of the parts of the hull, in units.
const HULL: [&[[f64; 2]]; 4] = [
    &[[-60.0, 130.0], [60.0, 130.0], [60.0, 110.0], [-60.0, 110.0]],
    &[[-15.0, 120.0], [15.0, 120.0], [20.0, 20.0], [-20.0, 20.0]],
    &[
        [25.0, 20.0],
        [50.0, -10.0],
        [50.0, -40.0],
        [20.0, -90.0],
        [-20.0, -90.0],
        [-50.0, -40.0],
        [-50.0, -10.0],
        [-25.0, 20.0],
    ],
    &[
        [-50.0, -120.0],
        [50.0, -120.0],
        [50.0, -90.0],
        [-50.0, -90.0],
    ],
];

/// Outlines of the parts of the hull in its frame [m].
pub(super) fn hull_outlines() -> [Vec<[f64; 2]>; 4] {
    HULL.map(|part| part.iter().map(|&[x, y]| [x * SIZE, y * SIZE]).collect())
}

/// Outline of a wheel between two heights, in units, in its frame [m].
pub(super) fn wheel_outline([from, to]: [f64; 2]) -> [[f64; 2]; 4] {
    let corner = |x: f64, y: f64| [x * SIZE, y * SIZE];
    [
        corner(-WHEEL_WIDTH, from),
        corner(WHEEL_WIDTH, from),
        corner(WHEEL_WIDTH, to),
        corner(-WHEEL_WIDTH, to),
    ]
}

/// A wheel with its controls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wheel {
    pub(super) body: BodyId,
    pub(super) joint: JointId,
    gas: f64,
    brake: f64,
    steer: f64,
    /// Angle by which it has rolled [rad].
    pub(super) phase: f64,
    /// Angular speed at which it rolls [rad/s].
    pub(super) omega: f64,
    /// Number of tiles that it is on.
    pub(super) tiles: u32,
}

/// Controls of the car.
#[derive(Clone, Copy, Debug)]
pub(super) struct Controls {
    /// Angle at which the front wheels aim [rad]; to the left it is positive.
    pub(super) steer: f64,
    pub(super) gas: f64,
    pub(super) brake: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Car {
    pub(super) hull: BodyId,
    /// Left and right, at the front and then at the back.
    pub(super) wheels: [Wheel; 4],
}

impl Car {
    pub(super) fn new(scene: &mut Scene, angle: f64, [x, y]: [f64; 2]) -> Self {
        let fixture = Fixture {
            density: 1.0,
            ..Fixture::default()
        };
        let [front, rest @ ..] = hull_outlines();
        let hull = scene.dynamic([x, y], angle, &front, fixture);
        for part in rest {
            scene.add(hull, body_polygon(&part), fixture);
        }
        let wheels = WHEEL_PLACES
            .map(|[wx, wy]| Wheel::new(scene, hull, angle, [x, y], [wx * SIZE, wy * SIZE]));
        Self { hull, wheels }
    }

    pub(super) fn destroy(&self, scene: &mut Scene) {
        scene.world.destroy_body(self.hull);
        for wheel in &self.wheels {
            scene.world.destroy_body(wheel.body);
        }
    }

    /// Sets the controls: steering at the front, gas at the back, brakes at all wheels.
    pub(super) fn control(&mut self, controls: Controls) {
        for wheel in &mut self.wheels[..2] {
            wheel.steer = controls.steer;
        }
        for wheel in &mut self.wheels[2..] {
            wheel.gas += (controls.gas.clamp(0.0, 1.0) - wheel.gas).min(GAS_INCREASE);
        }
        for wheel in &mut self.wheels {
            wheel.brake = controls.brake;
        }
    }

    /// Applies the forces of the wheels for the next step of the world.
    pub(super) fn drive(&mut self, scene: &mut Scene) {
        for wheel in &mut self.wheels {
            wheel.drive(scene);
        }
    }
}

impl Wheel {
    /// Makes a wheel at a place of the hull. It is not turned about the hull: the first step brings it to its joint.
    fn new(scene: &mut Scene, hull: BodyId, angle: f64, [x, y]: [f64; 2], at: [f64; 2]) -> Self {
        let fixture = Fixture {
            density: 0.1,
            category: 0x0020,
            mask: GROUND_ONLY,
            ..Fixture::default()
        };
        let outline = wheel_outline([WHEEL_RADIUS, -WHEEL_RADIUS]);
        let body = scene.dynamic([x + at[0], y + at[1]], angle, &outline, fixture);
        let joint = scene.hinge(&Hinge {
            bodies: [hull, body],
            anchors: [at, [0.0, 0.0]],
            limit: [-STEER_LIMIT, STEER_LIMIT],
            motor: [0.0, STEER_TORQUE],
        });
        Self {
            body,
            joint,
            gas: 0.0,
            brake: 0.0,
            steer: 0.0,
            phase: 0.0,
            omega: 0.0,
            tiles: 0,
        }
    }

    fn drive(&mut self, scene: &mut Scene) {
        let error = self.steer - f64::from(scene.world.joint(self.joint).angle());
        let rate = sign(error) * (STEER_GAIN * error.abs()).min(STEER_RATE);
        let motor = Motor::new(rate as f32, STEER_TORQUE as f32);
        // A revolute joint has a motor, and its numbers are finite.
        let _ = scene.world.joint_mut(self.joint).try_set_motor(Some(motor));
        let body = scene.world.body(self.body);
        let (sin, cos) = libm::sincos(body.angle().into());
        let velocity = [body.velocity().x, body.velocity().y].map(f64::from);
        let forward_speed = -sin * velocity[0] + cos * velocity[1];
        let side_speed = cos * velocity[0] + sin * velocity[1];
        self.rotate();
        let [forward, side] = self.friction(forward_speed, side_speed);
        let force = vector(side * cos + forward * -sin, side * sin + forward * cos);
        scene.world.body_mut(self.body).apply_force(force);
    }

    /// Lets engine and brake act on the rotation.
    fn rotate(&mut self) {
        self.omega += ENGINE_WORK * self.gas / WHEEL_INERTIA / (self.omega.abs() + MIN_ENGINE_RATE);
        if self.brake >= LOCKING_BRAKE {
            self.omega = 0.0;
        } else if self.brake > 0.0 {
            let loss = (BRAKE_RATE * self.brake).min(self.omega.abs());
            self.omega -= sign(self.omega) * loss;
        }
        self.phase += self.omega * STEP;
    }

    /// Lets the ground act on the rotation; returns the forces on the body, forward and to the right [N].
    fn friction(&mut self, forward_speed: f64, side_speed: f64) -> [f64; 2] {
        let limit = if self.tiles == 0 {
            GRASS_FRICTION
        } else {
            ROAD_FRICTION
        };
        let radius = WHEEL_RADIUS * SIZE;
        let mut forward = (-forward_speed + self.omega * radius) * SLIP_FORCE;
        let mut side = -side_speed * SLIP_FORCE;
        let force = (forward * forward + side * side).sqrt();
        if force > limit {
            forward = forward / force * limit;
            side = side / force * limit;
        }
        self.omega -= STEP * forward * radius / WHEEL_INERTIA;
        [forward, side]
    }
}
