//! Bipedal walker: equal to `BipedalWalker-v3` and `BipedalWalkerHardcore-v3` of Gymnasium on `cairn2d.compat.Box2D`.

use crate::box2d::SolverSettings;
use crate::envs::bipedal_terrain::{
    Columns, TERRAIN_GRASS, TERRAIN_HEIGHT, TERRAIN_LENGTH, TERRAIN_STARTPAD, TERRAIN_STEP,
    create_terrain, skip_clouds,
};
use crate::envs::box2d_scene::{
    FPS, Fixture, GROUND_ONLY, Hinge, SCALE, Scene, VIEWPORT, corners, vector,
};
use crate::envs::environment::{Environment, Observation, Outcome};
use crate::envs::random::Random;
use cairn2d::{BodyId, JointId, Motor, World, WorldPoint};

const MOTORS_TORQUE: f32 = 80.0;
const SPEED_HIP: f64 = 4.0;
const SPEED_KNEE: f64 = 6.0;
const LIDAR_RANGE: f64 = 160.0 / SCALE;
const LIDAR_RAYS: usize = 10;
const INITIAL_RANDOM: f64 = 5.0;
const HULL: [[f64; 2]; 5] = [
    [-30.0, 9.0],
    [6.0, 9.0],
    [34.0, 1.0],
    [34.0, -8.0],
    [-30.0, -8.0],
];
const LEG_DOWN: f64 = -8.0 / SCALE;
const LEG: [f64; 2] = [8.0 / SCALE, 34.0 / SCALE];
const OBSERVATIONS: usize = 24;

/// A walker on its terrain. One world serves all episodes, as in Gymnasium.
#[derive(Debug)]
pub(crate) struct BipedalWalker {
    is_hardcore: bool,
    scene: Scene,
    /// Bodies of the terrain, in the order in which they are destroyed.
    terrain: Vec<BodyId>,
    columns: Columns,
    hull: BodyId,
    /// Upper and lower leg of one side, then of the other.
    legs: [BodyId; 4],
    joints: [JointId; 4],
    /// Whether each lower leg touches the ground.
    contacts: [bool; 2],
    has_fallen: bool,
    shaping: Option<f64>,
    observation: [f64; OBSERVATIONS],
}

impl BipedalWalker {
    pub(crate) fn new(is_hardcore: bool, solver: SolverSettings) -> Self {
        Self {
            is_hardcore,
            scene: Scene::new(-10.0, solver),
            terrain: Vec::new(),
            columns: Columns::default(),
            hull: BodyId::from_bits(0),
            legs: [BodyId::from_bits(0); 4],
            joints: [JointId::from_bits(0); 4],
            contacts: [false; 2],
            has_fallen: false,
            shaping: None,
            observation: [0.0; OBSERVATIONS],
        }
    }

    fn destroy(&mut self) {
        if self.terrain.is_empty() {
            return;
        }
        for body in self.terrain.drain(..) {
            self.scene.world.destroy_body(body);
        }
        self.scene.world.destroy_body(self.hull);
        for leg in self.legs {
            self.scene.world.destroy_body(leg);
        }
    }

    fn create_walker(&mut self, random: &mut Random) {
        let place = [
            TERRAIN_STEP * TERRAIN_STARTPAD as f64 / 2.0,
            TERRAIN_HEIGHT + 2.0 * LEG[1],
        ];
        let fixture = Fixture {
            density: 5.0,
            friction: 0.1,
            category: 0x0020,
            mask: GROUND_ONLY,
            ..Fixture::default()
        };
        self.hull = self.scene.dynamic(
            place,
            0.0,
            &HULL.map(|[x, y]| [x / SCALE, y / SCALE]),
            fixture,
        );
        let force = vector(random.uniform(-INITIAL_RANDOM, INITIAL_RANDOM), 0.0);
        self.scene.world.body_mut(self.hull).apply_force(force);
        for (at, side) in [-1.0, 1.0].into_iter().enumerate() {
            self.create_leg(at, side, place);
        }
    }

    fn create_leg(&mut self, at: usize, side: f64, [x, y]: [f64; 2]) {
        let fixture = Fixture {
            density: 1.0,
            category: 0x0020,
            mask: GROUND_ONLY,
            ..Fixture::default()
        };
        let [width, height] = LEG;
        let upper_outline = corners(width / 2.0, height / 2.0);
        let lower_outline = corners(0.8 * width / 2.0, height / 2.0);
        let torque = f64::from(MOTORS_TORQUE);
        let upper = self.scene.dynamic(
            [x, y - height / 2.0 - LEG_DOWN],
            side * 0.05,
            &upper_outline,
            fixture,
        );
        self.joints[2 * at] = self.scene.hinge(&Hinge {
            bodies: [self.hull, upper],
            anchors: [[0.0, LEG_DOWN], [0.0, height / 2.0]],
            limit: [-0.8, 1.1],
            motor: [side, torque],
        });
        let lower = self.scene.dynamic(
            [x, y - height * 3.0 / 2.0 - LEG_DOWN],
            side * 0.05,
            &lower_outline,
            fixture,
        );
        self.joints[2 * at + 1] = self.scene.hinge(&Hinge {
            bodies: [upper, lower],
            anchors: [[0.0, -height / 2.0], [0.0, height / 2.0]],
            limit: [-1.6, -0.1],
            motor: [1.0, torque],
        });
        (self.legs[2 * at], self.legs[2 * at + 1]) = (upper, lower);
    }

    fn drive(&mut self, action: &[f32]) {
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
            let _ = self.scene.world.joint_mut(joint).try_set_motor(Some(motor));
        }
    }

    fn note_contacts(&mut self) {
        let (hull, feet) = (self.hull, [self.legs[1], self.legs[3]]);
        let (contacts, has_fallen) = (&mut self.contacts, &mut self.has_fallen);
        self.scene.touches(|began, bodies| {
            *has_fallen |= began && bodies.contains(&hull);
            for (foot, contact) in feet.iter().zip(&mut *contacts) {
                if bodies.contains(foot) {
                    *contact = began;
                }
            }
        });
    }

    /// Share of its range at which a ray of the lidar hits the ground.
    fn lidar(&self, ray: usize, from: WorldPoint) -> f64 {
        let angle = 1.5 * ray as f64 / LIDAR_RAYS as f64;
        let to = [
            from.x + libm::sin(angle) * LIDAR_RANGE,
            from.y - libm::cos(angle) * LIDAR_RANGE,
        ];
        let along = [to[0] - from.x, to[1] - from.y];
        self.columns.ray_cast(from.to_point(), along).into()
    }

    fn note_state(&mut self) {
        let hull = self.scene.world.body(self.hull);
        let (place, velocity) = (hull.position_exact(), hull.velocity());
        let s = &mut self.observation;
        s[0] = self.scene.angle(self.hull);
        s[1] = 2.0 * f64::from(hull.angular_velocity()) / FPS;
        s[2] = 0.3 * f64::from(velocity.x) * (VIEWPORT[0] / SCALE) / FPS;
        s[3] = 0.3 * f64::from(velocity.y) * (VIEWPORT[1] / SCALE) / FPS;
        for (side, contact) in self.contacts.iter().enumerate() {
            let at = 4 + 5 * side;
            let [hip, knee] = [0, 1].map(|i| self.scene.world.joint(self.joints[2 * side + i]));
            s[at] = f64::from(hip.angle());
            s[at + 1] = f64::from(hip.angular_speed()) / SPEED_HIP;
            s[at + 2] = f64::from(knee.angle()) + 1.0;
            s[at + 3] = f64::from(knee.angular_speed()) / SPEED_KNEE;
            s[at + 4] = f64::from(*contact);
        }
        for ray in 0..LIDAR_RAYS {
            self.observation[14 + ray] = self.lidar(ray, place);
        }
    }

    /// Reward of a step; Gymnasium computes the cost of the motors in `f32`.
    fn reward(&mut self, x: f64, action: &[f32]) -> f64 {
        let shaping = 130.0 * x / SCALE - 5.0 * self.observation[0].abs();
        let gain = self
            .shaping
            .replace(shaping)
            .map_or(0.0, |before| shaping - before);
        let price = (0.00035 * f64::from(MOTORS_TORQUE)) as f32;
        let reward = action.iter().fold(gain as f32, |reward, drive| {
            reward - price * drive.abs().clamp(0.0, 1.0)
        });
        reward.into()
    }
}

impl Environment for BipedalWalker {
    fn reset(&mut self, random: &mut Random) {
        self.destroy();
        (self.contacts, self.has_fallen, self.shaping) = ([false; 2], false, None);
        (self.terrain, self.columns) = create_terrain(&mut self.scene, random, self.is_hardcore);
        skip_clouds(random);
        self.create_walker(random);
        self.step(&[0.0; 4], random);
    }

    fn step(&mut self, action: &[f32], _random: &mut Random) -> Outcome {
        self.drive(action);
        // The step is valid; the world changes in no other way that could fail.
        let _ = self.scene.step();
        self.note_contacts();
        self.note_state();
        let x = self.scene.world.body(self.hull).position_exact().x;
        let reward = self.reward(x, action);
        let is_lost = self.has_fallen || x < 0.0;
        let has_arrived = x > (TERRAIN_LENGTH as f64 - TERRAIN_GRASS as f64) * TERRAIN_STEP;
        Outcome {
            reward: if is_lost { -100.0 } else { reward },
            terminated: is_lost || has_arrived,
            lap_finished: None,
        }
    }

    fn world(&self) -> Option<&World> {
        Some(&self.scene.world)
    }

    fn observe(&mut self, out: &mut Observation) {
        out.write(&self.observation);
    }
}
