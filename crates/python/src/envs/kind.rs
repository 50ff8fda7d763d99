//! Kinds of environments by name, with their arguments.

use crate::box2d::SolverSettings;
use crate::envs::bipedal_walker::BipedalWalker;
use crate::envs::car_racing::{CarRacing, RacingOptions};
use crate::envs::cart_pole::CartPole;
use crate::envs::environment::{ActionKind, Environment, Observation};
use crate::envs::lunar_lander::{LanderOptions, LunarLander};
use crate::envs::raster::SIZE;

/// Arguments of all kinds; each kind uses some of them.
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

/// A kind of environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    CartPole,
    LunarLander,
    BipedalWalker,
    CarRacing,
}

impl Kind {
    /// Returns the kind of this name.
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
        }
    }

    /// Shape of its observations.
    pub(crate) const fn observation_shape(self) -> &'static [usize] {
        match self {
            Self::CartPole => &[4],
            Self::LunarLander => &[8],
            Self::BipedalWalker => &[24],
            Self::CarRacing => &[SIZE, SIZE, 3],
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
