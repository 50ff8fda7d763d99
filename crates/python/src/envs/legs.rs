//! The body of a walker: a hull on two legs of two parts, for the bipedal walker and for Multiwalker, whose walkers are alike.

use crate::envs::box2d_scene::{FPS, Fixture, Hinge, SCALE, Scene, VIEWPORT, corners, vector};
use cairn2d::{BodyId, JointId, Motor, WorldPoint};
use std::sync::LazyLock;

const MOTORS_TORQUE: f32 = 80.0;
const SPEED_HIP: f64 = 4.0;
const SPEED_KNEE: f64 = 6.0;
const LIDAR_RANGE: f64 = 160.0 / SCALE;
const INITIAL_RANDOM: f64 = 5.0;
const HULL: [[f64; 2]; 5] = [
    [-30.0, 9.0],
    [6.0, 9.0],
    [34.0, 1.0],
    [34.0, -8.0],
    [-30.0, -8.0],
];
const LEG_DOWN: f64 = -8.0 / SCALE;
const LEG_WIDTH: f64 = 8.0 / SCALE;

/// Length of each part of a leg [m].
pub(super) const LEG_HEIGHT: f64 = 34.0 / SCALE;

/// Rays of the lidar of a walker.
pub(super) const LIDAR_RAYS: usize = 10;

/// Reach of each ray [m]: from straight down to nearly level.
static RAYS: LazyLock<[[f64; 2]; LIDAR_RAYS]> = LazyLock::new(|| {
    core::array::from_fn(|ray| {
        let angle = 1.5 * ray as f64 / LIDAR_RAYS as f64;
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        [sin * LIDAR_RANGE, cos * LIDAR_RANGE]
    })
});

/// Numbers that a walker knows of itself: its hull, its legs and its lidar.
pub(super) const OWN_NUMBERS: usize = 14 + LIDAR_RAYS;

/// Cost of full torque for a step; Gymnasium computes it in `f32`.
pub(super) fn effort_price() -> f32 {
    (0.00035 * f64::from(MOTORS_TORQUE)) as f32
}

/// Greatest force by which a hull is pushed at the start [N].
pub(super) const fn greatest_push() -> f64 {
    INITIAL_RANDOM
}

/// Hull, legs and joints of a walker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Legs {
    pub(super) hull: BodyId,
    /// Upper and lower leg of one side, then of the other.
    pub(super) legs: [BodyId; 4],
    joints: [JointId; 4],
    /// Whether each lower leg touches the ground.
    pub(super) contacts: [bool; 2],
}

impl Default for Legs {
    fn default() -> Self {
        Self {
            hull: BodyId::from_bits(0),
            legs: [BodyId::from_bits(0); 4],
            joints: [JointId::from_bits(0); 4],
            contacts: [false; 2],
        }
    }
}

impl Legs {
    /// Makes a walker at a place, whose hull is pushed by a force [N]. Density and friction of the fixture are those of the walker.
    pub(super) fn create(scene: &mut Scene, place: [f64; 2], push: f64, bits: Fixture) -> Self {
        let fixture = Fixture {
            density: 5.0,
            friction: 0.1,
            ..bits
        };
        let outline = HULL.map(|[x, y]| [x / SCALE, y / SCALE]);
        let mut walker = Self {
            hull: scene.dynamic(place, 0.0, &outline, fixture),
            ..Self::default()
        };
        scene
            .world
            .body_mut(walker.hull)
            .apply_force(vector(push, 0.0));
        for (at, side) in [-1.0, 1.0].into_iter().enumerate() {
            walker.create_leg(scene, at, side, place, bits);
        }
        walker
    }

    fn create_leg(
        &mut self,
        scene: &mut Scene,
        at: usize,
        side: f64,
        [x, y]: [f64; 2],
        bits: Fixture,
    ) {
        let fixture = Fixture {
            density: 1.0,
            ..bits
        };
        let (width, height) = (LEG_WIDTH, LEG_HEIGHT);
        let upper_outline = corners(width / 2.0, height / 2.0);
        let lower_outline = corners(0.8 * width / 2.0, height / 2.0);
        let torque = f64::from(MOTORS_TORQUE);
        let upper = scene.dynamic(
            [x, y - height / 2.0 - LEG_DOWN],
            side * 0.05,
            &upper_outline,
            fixture,
        );
        self.joints[2 * at] = scene.hinge(&Hinge {
            bodies: [self.hull, upper],
            anchors: [[0.0, LEG_DOWN], [0.0, height / 2.0]],
            limit: [-0.8, 1.1],
            motor: [side, torque],
        });
        let lower = scene.dynamic(
            [x, y - height * 3.0 / 2.0 - LEG_DOWN],
            side * 0.05,
            &lower_outline,
            fixture,
        );
        self.joints[2 * at + 1] = scene.hinge(&Hinge {
            bodies: [upper, lower],
            anchors: [[0.0, -height / 2.0], [0.0, height / 2.0]],
            limit: [-1.6, -0.1],
            motor: [1.0, torque],
        });
        (self.legs[2 * at], self.legs[2 * at + 1]) = (upper, lower);
    }

    /// Removes hull and legs.
    pub(super) fn destroy(&self, scene: &mut Scene) {
        scene.world.destroy_body(self.hull);
        for leg in self.legs {
            scene.world.destroy_body(leg);
        }
    }

    /// Sets the motors by an action of four numbers.
    pub(super) fn drive(&self, scene: &mut Scene, action: &[f32]) {
        for (i, (&joint, &drive)) in self.joints.iter().zip(action).enumerate() {
            let top_speed = if i % 2 == 0 { SPEED_HIP } else { SPEED_KNEE };
            let sign = if drive == 0.0 {
                0.0
            } else {
                f64::from(drive.signum())
            };
            let torque = MOTORS_TORQUE * drive.abs().clamp(0.0, 1.0);
            let motor = Motor::new((top_speed * sign) as f32, torque);
            // A revolute joint has a motor, and its numbers are finite.
            let _ = scene.world.joint_mut(joint).try_set_motor(Some(motor));
        }
    }

    /// Notes that a pair of bodies began (`true`) or ceased to touch.
    pub(super) fn note_touch(&mut self, began: bool, bodies: [BodyId; 2]) {
        for (foot, contact) in [self.legs[1], self.legs[3]].iter().zip(&mut self.contacts) {
            if bodies.contains(foot) {
                *contact = began;
            }
        }
    }

    /// Writes what the walker knows of itself. `cast` returns the share of a ray at which it hits something.
    pub(super) fn note_state(
        &self,
        scene: &Scene,
        numbers: &mut [f64; OWN_NUMBERS],
        mut cast: impl FnMut(WorldPoint, [f64; 2]) -> f32,
    ) {
        let hull = scene.world.body(self.hull);
        let (place, velocity) = (hull.position_exact(), hull.velocity());
        numbers[0] = scene.angle(self.hull);
        numbers[1] = 2.0 * f64::from(hull.angular_velocity()) / FPS;
        numbers[2] = 0.3 * f64::from(velocity.x) * (VIEWPORT[0] / SCALE) / FPS;
        numbers[3] = 0.3 * f64::from(velocity.y) * (VIEWPORT[1] / SCALE) / FPS;
        for (side, contact) in self.contacts.iter().enumerate() {
            let at = 4 + 5 * side;
            let [hip, knee] = [0, 1].map(|i| scene.world.joint(self.joints[2 * side + i]));
            numbers[at] = f64::from(hip.angle());
            numbers[at + 1] = f64::from(hip.angular_speed()) / SPEED_HIP;
            numbers[at + 2] = f64::from(knee.angle()) + 1.0;
            numbers[at + 3] = f64::from(knee.angular_speed()) / SPEED_KNEE;
            numbers[at + 4] = f64::from(*contact);
        }
        for (number, [right, down]) in numbers[14..].iter_mut().zip(*RAYS) {
            // The ends are places, as in Gymnasium, so that rays are rounded as there.
            let to = [place.x + right, place.y - down];
            *number = cast(place, [to[0] - place.x, to[1] - place.y]).into();
        }
    }
}
