//! Cart-pole: a pole on a cart that is pushed left or right. Equal to `CartPole-v1` of Gymnasium, except for the last bits of sine
//! and cosine, which come from `libm` here.

use crate::envs::environment::{Environment, Observation, Outcome};
use crate::envs::random::Random;

/// Gravity [m/s^2].
const GRAVITY: f64 = 9.8;
/// Mass of the pole [kg].
const POLE_MASS: f64 = 0.1;
/// Mass of cart and pole [kg].
const TOTAL_MASS: f64 = POLE_MASS + 1.0;
/// Half the length of the pole [m].
const LENGTH: f64 = 0.5;
/// Force of a push [N].
const FORCE: f64 = 10.0;
/// Time step [s].
const STEP: f64 = 0.02;
/// Greatest angle [rad].
const MAX_ANGLE: f64 = 12.0 * 2.0 * std::f64::consts::PI / 360.0;
/// Greatest distance from the middle [m].
const MAX_PLACE: f64 = 2.4;

/// A cart with a pole.
#[derive(Clone, Debug, Default)]
pub(crate) struct CartPole {
    /// Place, speed, angle, angular speed.
    state: [f64; 4],
    /// Whether the reward is 0, and -1 at the end, in place of 1.
    sutton_barto_reward: bool,
    has_ended: bool,
}

impl Environment for CartPole {
    fn reset(&mut self, random: &mut Random) {
        self.state = [0; 4].map(|_| random.uniform(-0.05, 0.05));
        self.has_ended = false;
    }

    fn step(&mut self, action: &[f32], _random: &mut Random) -> Outcome {
        let [x, x_dot, theta, theta_dot] = self.state;
        let force = if action[0] == 1.0 { FORCE } else { -FORCE };
        let (sin, cos) = libm::sincos(theta);
        let pole = POLE_MASS * LENGTH;
        let temp = (force + pole * (theta_dot * theta_dot) * sin) / TOTAL_MASS;
        let theta_acc = (GRAVITY * sin - cos * temp)
            / (LENGTH * (4.0 / 3.0 - POLE_MASS * (cos * cos) / TOTAL_MASS));
        let x_acc = temp - pole * theta_acc * cos / TOTAL_MASS;
        self.state = [
            x + STEP * x_dot,
            x_dot + STEP * x_acc,
            theta + STEP * theta_dot,
            theta_dot + STEP * theta_acc,
        ];
        let terminated = self.state[0].abs() > MAX_PLACE || self.state[2].abs() > MAX_ANGLE;
        Outcome {
            reward: self.reward(terminated),
            terminated,
            lap_finished: None,
        }
    }

    fn observe(&mut self, out: &mut Observation) {
        out.write(&self.state);
    }
}

impl CartPole {
    pub(crate) fn new(sutton_barto_reward: bool) -> Self {
        Self {
            sutton_barto_reward,
            ..Self::default()
        }
    }

    fn reward(&mut self, terminated: bool) -> f64 {
        let had_ended = self.has_ended;
        self.has_ended |= terminated;
        match (self.sutton_barto_reward, terminated) {
            (true, _) => -f64::from(terminated),
            (false, false) => 1.0,
            (false, true) => f64::from(!had_ended),
        }
    }
}
