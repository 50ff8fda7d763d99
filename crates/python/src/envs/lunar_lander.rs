//! Lunar lander: equal to `LunarLander-v3` of Gymnasium on `cairn2d.compat.Box2D`.

use crate::box2d::SolverSettings;
use crate::envs::box2d_scene::{
    FPS, Fixture, GROUND_ONLY, Hinge, SCALE, Scene, VIEWPORT, corners, ground_edge, vector,
};
use crate::envs::environment::{Environment, Observation, Outcome};
use crate::envs::random::Random;
use cairn2d::{BodyId, World, WorldPoint};

const MAIN_ENGINE_POWER: f64 = 13.0;
const SIDE_ENGINE_POWER: f64 = 0.6;
const INITIAL_RANDOM: f64 = 1000.0;
const LANDER: [[f64; 2]; 6] = [
    [-14.0, 17.0],
    [-17.0, 0.0],
    [-17.0, -10.0],
    [17.0, -10.0],
    [17.0, 0.0],
    [14.0, 17.0],
];
const LEG_AWAY: f64 = 20.0;
const LEG_DOWN: f64 = 18.0;
const LEG: [f64; 2] = [2.0, 8.0];
const LEG_SPRING_TORQUE: f64 = 40.0;
const SIDE_ENGINE_HEIGHT: f64 = 14.0;
const SIDE_ENGINE_AWAY: f64 = 12.0;
const MAIN_ENGINE_Y: f64 = 4.0;
const CHUNKS: usize = 11;
/// Size of the world [m].
const SIZE: [f64; 2] = [VIEWPORT[0] / SCALE, VIEWPORT[1] / SCALE];

/// Arguments of the environment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LanderOptions {
    pub(crate) is_continuous: bool,
    pub(crate) gravity: f64,
    pub(crate) has_wind: bool,
    pub(crate) wind_power: f64,
    pub(crate) turbulence_power: f64,
    pub(crate) solver: SolverSettings,
}

/// A lander above the moon.
#[derive(Debug)]
pub(crate) struct LunarLander {
    options: LanderOptions,
    scene: Scene,
    lander: BodyId,
    legs: [BodyId; 2],
    /// Whether each leg touches the ground.
    contacts: [bool; 2],
    has_crashed: bool,
    shaping: Option<f64>,
    helipad_y: f64,
    /// Phases of wind and turbulence.
    gusts: [i64; 2],
    observation: [f64; 8],
}

/// Throttle and side of the engines.
#[derive(Clone, Copy, Debug, Default)]
struct Throttle {
    main: f64,
    side: f64,
    direction: f64,
}

impl LunarLander {
    pub(crate) fn new(options: LanderOptions) -> Self {
        Self {
            options,
            scene: Scene::new(options.gravity, options.solver),
            lander: BodyId::from_bits(0),
            legs: [BodyId::from_bits(0); 2],
            contacts: [false; 2],
            has_crashed: false,
            shaping: None,
            helipad_y: 0.0,
            gusts: [0; 2],
            observation: [0.0; 8],
        }
    }

    fn create_terrain(&mut self, random: &mut Random) {
        let mut height = [0.0; CHUNKS + 1];
        height.fill_with(|| random.uniform(0.0, SIZE[1] / 2.0));
        let chunk_x = |i: usize| SIZE[0] / (CHUNKS as f64 - 1.0) * i as f64;
        self.helipad_y = SIZE[1] / 4.0;
        height[CHUNKS / 2 - 2..=CHUNKS / 2 + 2].fill(self.helipad_y);
        let before = |i: usize| height[(i + CHUNKS) % (CHUNKS + 1)];
        let smooth = |i: usize| 0.33 * (before(i) + height[i] + height[i + 1]);
        let moon = self.scene.ground();
        let floor = ground_edge([[0.0, 0.0], [SIZE[0], 0.0]]);
        self.scene.add(moon, floor, Fixture::default());
        for i in 0..CHUNKS - 1 {
            let ends = [[chunk_x(i), smooth(i)], [chunk_x(i + 1), smooth(i + 1)]];
            self.scene.add(
                moon,
                ground_edge(ends),
                Fixture {
                    friction: 0.1,
                    ..Fixture::default()
                },
            );
        }
    }

    fn create_lander(&mut self, random: &mut Random) {
        let place = [SIZE[0] / 2.0, SIZE[1]];
        let fixture = Fixture {
            density: 5.0,
            friction: 0.1,
            category: 0x0010,
            mask: GROUND_ONLY,
            ..Fixture::default()
        };
        self.lander = self.scene.dynamic(
            place,
            0.0,
            &LANDER.map(|[x, y]| [x / SCALE, y / SCALE]),
            fixture,
        );
        let [x, y] = [0; 2].map(|_| random.uniform(-INITIAL_RANDOM, INITIAL_RANDOM));
        self.scene
            .world
            .body_mut(self.lander)
            .apply_force(vector(x, y));
        if self.options.has_wind {
            self.gusts = [0; 2].map(|_| random.integers(-9999, 9999));
        }
        for (leg, side) in [-1.0, 1.0].into_iter().enumerate() {
            self.legs[leg] = self.create_leg(place, side);
        }
    }

    fn create_leg(&mut self, [x, y]: [f64; 2], side: f64) -> BodyId {
        let fixture = Fixture {
            density: 1.0,
            category: 0x0020,
            mask: GROUND_ONLY,
            ..Fixture::default()
        };
        let outline = corners(LEG[0] / SCALE, LEG[1] / SCALE);
        let leg = self.scene.dynamic(
            [x - side * LEG_AWAY / SCALE, y],
            side * 0.05,
            &outline,
            fixture,
        );
        self.scene.hinge(&Hinge {
            bodies: [self.lander, leg],
            anchors: [[0.0, 0.0], [side * LEG_AWAY / SCALE, LEG_DOWN / SCALE]],
            limit: if side < 0.0 {
                [0.9 - 0.5, 0.9]
            } else {
                [-0.9, -0.9 + 0.5]
            },
            motor: [0.3 * side, LEG_SPRING_TORQUE],
        });
        leg
    }

    /// Applies the force and torque of the wind.
    fn blow(&mut self) {
        if !self.options.has_wind || self.contacts != [false; 2] {
            return;
        }
        let gust = |phase: i64| {
            let phase = phase as f64;
            libm::tanh(libm::sin(0.02 * phase) + libm::sin(std::f64::consts::PI * 0.01 * phase))
        };
        let [wind, torque] = self.gusts.map(gust);
        self.gusts = self.gusts.map(|phase| phase + 1);
        let mut lander = self.scene.world.body_mut(self.lander);
        lander.apply_force(vector(wind * self.options.wind_power, 0.0));
        lander.apply_torque((torque * self.options.turbulence_power) as f32);
    }

    /// Reads the action.
    fn throttle(&self, action: &[f32]) -> Throttle {
        if !self.options.is_continuous {
            let action = f64::from(action[0]);
            let is_side = action == 1.0 || action == 3.0;
            return Throttle {
                main: f64::from(action == 2.0),
                side: f64::from(is_side),
                direction: action - 2.0,
            };
        }
        let [main, side] = [0, 1].map(|i| f64::from(action[i].clamp(-1.0, 1.0)));
        Throttle {
            main: if main > 0.0 {
                (main.clamp(0.0, 1.0) + 1.0) * 0.5
            } else {
                0.0
            },
            side: if side.abs() > 0.5 {
                side.abs().clamp(0.5, 1.0)
            } else {
                0.0
            },
            direction: if side > 0.0 { 1.0 } else { -1.0 },
        }
    }

    /// Applies the impulses of the engines.
    fn fire(&mut self, throttle: &Throttle, random: &mut Random) {
        let angle = self.scene.angle(self.lander);
        let tip = [libm::sin(angle), libm::cos(angle)];
        let side = [-tip[1], tip[0]];
        let dispersion = [0; 2].map(|_| random.uniform(-1.0, 1.0) / SCALE);
        if throttle.main > 0.0 {
            let out = MAIN_ENGINE_Y / SCALE + 2.0 * dispersion[0];
            let ox = tip[0] * out + side[0] * dispersion[1];
            let oy = -tip[1] * out - side[1] * dispersion[1];
            let place = self.scene.world.body(self.lander).position_exact();
            let impulse = [ox, oy].map(|o| -o * MAIN_ENGINE_POWER * throttle.main);
            self.push(impulse, [place.x + ox, place.y + oy]);
        }
        if throttle.side > 0.0 {
            let away = 3.0 * dispersion[1] + throttle.direction * SIDE_ENGINE_AWAY / SCALE;
            let ox = tip[0] * dispersion[0] + side[0] * away;
            let oy = -tip[1] * dispersion[0] - side[1] * away;
            let place = self.scene.world.body(self.lander).position_exact();
            let x = place.x + ox - tip[0] * 17.0 / SCALE;
            let y = place.y + oy + tip[1] * SIDE_ENGINE_HEIGHT / SCALE;
            self.push(
                [ox, oy].map(|o| -o * SIDE_ENGINE_POWER * throttle.side),
                [x, y],
            );
        }
    }

    fn push(&mut self, [ix, iy]: [f64; 2], [x, y]: [f64; 2]) {
        let mut lander = self.scene.world.body_mut(self.lander);
        lander.apply_impulse_at(vector(ix, iy), WorldPoint::new(x, y));
    }

    /// Takes over the contacts of the last step.
    fn note_contacts(&mut self) {
        let (lander, legs) = (self.lander, self.legs);
        let (contacts, has_crashed) = (&mut self.contacts, &mut self.has_crashed);
        self.scene.touches(|began, bodies| {
            *has_crashed |= began && bodies.contains(&lander);
            for (leg, contact) in legs.iter().zip(&mut *contacts) {
                if bodies.contains(leg) {
                    *contact = began;
                }
            }
        });
    }

    fn note_state(&mut self) {
        let body = self.scene.world.body(self.lander);
        let (place, velocity) = (body.position_exact(), body.velocity());
        self.observation = [
            (place.x - SIZE[0] / 2.0) / (SIZE[0] / 2.0),
            (place.y - (self.helipad_y + LEG_DOWN / SCALE)) / (SIZE[1] / 2.0),
            f64::from(velocity.x) * (SIZE[0] / 2.0) / FPS,
            f64::from(velocity.y) * (SIZE[1] / 2.0) / FPS,
            self.scene.angle(self.lander),
            20.0 * f64::from(body.angular_velocity()) / FPS,
            f64::from(self.contacts[0]),
            f64::from(self.contacts[1]),
        ];
    }

    fn reward(&mut self, throttle: &Throttle) -> f64 {
        let s = &self.observation;
        let shaping = -100.0 * (s[0] * s[0] + s[1] * s[1]).sqrt()
            - 100.0 * (s[2] * s[2] + s[3] * s[3]).sqrt()
            - 100.0 * s[4].abs()
            + 10.0 * s[6]
            + 10.0 * s[7];
        let gain = self
            .shaping
            .replace(shaping)
            .map_or(0.0, |before| shaping - before);
        gain - throttle.main * 0.30 - throttle.side * 0.03
    }
}

impl Environment for LunarLander {
    fn reset(&mut self, random: &mut Random) {
        self.scene = Scene::new(self.options.gravity, self.options.solver);
        (self.contacts, self.has_crashed, self.shaping) = ([false; 2], false, None);
        self.create_terrain(random);
        self.create_lander(random);
        let idle = [0.0; 2];
        self.step(&idle, random);
    }

    fn step(&mut self, action: &[f32], random: &mut Random) -> Outcome {
        self.blow();
        let throttle = self.throttle(action);
        self.fire(&throttle, random);
        // The step is valid; the world changes in no other way that could fail.
        let _ = self.scene.step();
        self.note_contacts();
        self.note_state();
        let reward = self.reward(&throttle);
        let is_awake = self.scene.world.body(self.lander).is_awake();
        let is_lost = self.has_crashed || self.observation[0].abs() >= 1.0;
        let reward = if !is_awake {
            100.0
        } else if is_lost {
            -100.0
        } else {
            reward
        };
        Outcome {
            reward,
            terminated: is_lost || !is_awake,
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
