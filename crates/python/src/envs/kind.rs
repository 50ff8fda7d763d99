//! Kinds of environments by name, with their arguments.

use crate::box2d::SolverSettings;
use crate::envs::bipedal_walker::BipedalWalker;
use crate::envs::car_racing::{CarRacing, RacingOptions};
use crate::envs::cart_pole::CartPole;
use crate::envs::environment::{ActionKind, Environment, Observation};
use crate::envs::lunar_lander::{LanderOptions, LunarLander};
use crate::envs::multiwalker::{CarrierOptions, Multiwalker, NUMBERS};
use crate::envs::raster::SIZE;

/// Arguments of the kinds with one agent; each kind uses some of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    pub(crate) is_continuous: bool,
    pub(crate) gravity: f64,
    pub(crate) has_wind: bool,
    pub(crate) wind_power: f64,
    pub(crate) turbulence_power: f64,
    pub(crate) is_hardcore: bool,
    pub(crate) sutton_barto_reward: bool,
    pub(crate) lap_complete_percent: f64,
    pub(crate) has_random_colors: bool,
    pub(crate) solver: SolverSettings,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            is_continuous: false,
            gravity: -10.0,
            has_wind: false,
            wind_power: 0.0,
            turbulence_power: 0.0,
            is_hardcore: false,
            sutton_barto_reward: false,
            lap_complete_percent: 0.95,
            has_random_colors: false,
            solver: SolverSettings::BOX2D,
        }
    }
}

/// A kind of environment.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    CartPole,
    LunarLander,
    BipedalWalker,
    CarRacing,
    Multiwalker(CarrierOptions),
}

impl Kind {
    /// Returns the kind of this name, of those with one agent.
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "cart_pole" => Some(Self::CartPole),
            "lunar_lander" => Some(Self::LunarLander),
            "bipedal_walker" => Some(Self::BipedalWalker),
            "car_racing" => Some(Self::CarRacing),
            _ => None,
        }
    }

    /// Makes an environment.
    pub(crate) fn make(self, options: &Options) -> Box<dyn Environment> {
        let solver = options.solver;
        match self {
            Self::CartPole => Box::new(CartPole::new(options.sutton_barto_reward)),
            Self::LunarLander => Box::new(LunarLander::new(LanderOptions {
                is_continuous: options.is_continuous,
                gravity: options.gravity,
                has_wind: options.has_wind,
                wind_power: options.wind_power,
                turbulence_power: options.turbulence_power,
                solver,
            })),
            Self::BipedalWalker => Box::new(BipedalWalker::new(options.is_hardcore, solver)),
            Self::CarRacing => Box::new(CarRacing::new(RacingOptions {
                is_continuous: options.is_continuous,
                lap_complete_percent: options.lap_complete_percent,
                has_random_colors: options.has_random_colors,
                solver,
            })),
            Self::Multiwalker(options) => Box::new(Multiwalker::new(options)),
        }
    }

    /// Kind of its actions.
    pub(crate) const fn action(self, options: &Options) -> ActionKind {
        match self {
            Self::CartPole => ActionKind::Discrete(2),
            Self::LunarLander if options.is_continuous => ActionKind::Continuous(2),
            Self::LunarLander => ActionKind::Discrete(4),
            Self::BipedalWalker => ActionKind::Continuous(4),
            Self::CarRacing if options.is_continuous => ActionKind::Continuous(3),
            Self::CarRacing => ActionKind::Discrete(5),
            Self::Multiwalker(options) => ActionKind::Continuous(4 * options.walkers),
        }
    }

    /// Shape of its observations.
    pub(crate) fn observation_shape(self) -> Vec<usize> {
        match self {
            Self::CartPole => vec![4],
            Self::LunarLander => vec![8],
            Self::BipedalWalker => vec![24],
            Self::CarRacing => vec![SIZE, SIZE, 3],
            Self::Multiwalker(options) => vec![options.walkers, NUMBERS],
        }
    }

    /// Returns a buffer for its observations, all zero.
    pub(crate) fn observation(self) -> Observation {
        let len = self.observation_shape().iter().product();
        match self {
            Self::CarRacing => Observation::Pixels(vec![0; len]),
            _ => Observation::Numbers(vec![0.0; len]),
        }
    }
}
