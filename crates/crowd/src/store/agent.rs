//! Agents: definition, parameters and checks.

use crate::error::{CrowdError, measure, not_negative, within};
use crate::limits::region::Region;
use crate::tuning::{MAX_COORDINATE, MAX_MEASURE, MAX_NEIGHBORS};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{HashState, StateHasher};

/// How an agent predicts the velocity of another agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Model {
    /// Velocity obstacle: the other keeps its velocity. Two such agents oscillate from side to side [Fiorini98].
    VelocityObstacle,
    /// Reciprocal velocity obstacle: the other takes half of the change [vdBerg08].
    Reciprocal,
    /// Hybrid: reciprocal on the side of passing, the full velocity obstacle on the other side [Snape11].
    Hybrid,
    /// Optimal reciprocal collision avoidance within the time horizon [vdBerg11].
    #[default]
    Orca,
}

impl HashState for Model {
    fn hash_state(&self, hash: &mut StateHasher) {
        hash.word(*self as u64);
    }
}

/// A place to which an agent walks by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The place to reach [m].
    pub point: WorldPoint,
    /// Distance from the place within which the agent has arrived [m].
    pub radius: f32,
    /// Speed of an unobstructed agent [m/s].
    pub speed: f32,
}

impl HashState for Target {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            point,
            radius,
            speed,
        } = self;
        hash.add(point).add(radius).add(speed);
    }
}

/// Defines an agent; a plain struct whose [`Default`] is a walking person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentDef {
    /// Center of the disc [m].
    pub position: WorldPoint,
    /// Present velocity [m/s].
    pub velocity: Vec2,
    /// Preferred velocity [m/s]: the velocity without other agents and obstacles. Not used while there is a target.
    pub preferred_velocity: Vec2,
    /// Place to which the agent walks by itself; with `None` the caller sets the preferred velocity.
    pub target: Option<Target>,
    /// Radius of the disc [m].
    pub radius: f32,
    /// Greatest speed [m/s].
    pub max_speed: f32,
    /// Greatest change of velocity [m/s^2]; infinite for none.
    pub max_acceleration: f32,
    /// Greatest turn rate of the walking direction [rad/s]; infinite for none. An agent that prefers another
    /// direction slows down, and turns on the spot if necessary; contacts may still push it sideways.
    pub max_turn_rate: f32,
    /// Number of other agents that are considered, nearest first; at most [`MAX_NEIGHBORS`].
    pub neighbor_limit: usize,
    /// Distance from this agent's center to another agent's edge within which the other is considered [m].
    pub neighbor_range: f32,
    /// Time horizon to other agents: the chosen velocity is free of collision with them for this time [s].
    pub time_horizon: f32,
    /// Time horizon to obstacles: the chosen velocity is free of collision with them for this time [s].
    pub obstacle_horizon: f32,
    /// Weight of this agent's responsibility: of two agents `a` takes the share `a / (a + b)` of the change. An agent
    /// with 0 yields to no other.
    pub weight: f32,
    /// Right of way: of two agents the one with less takes the whole change.
    pub priority: u8,
    /// Layers that the agent is in, one bit each.
    pub layers: u32,
    /// Layers of agents and obstacles that the agent considers.
    pub mask: u32,
    /// Angle by which a blocked agent turns its preferred velocity [rad]; positive to the right, negative to the
    /// left. It resolves symmetric encounters: agents with equal signs pass each other on one side.
    pub bias: f32,
    /// Prediction of the velocities of others.
    pub model: Model,
    /// Time constant with which an overlap is resolved [s].
    pub recovery_time: f32,
    /// Greatest speed at which an overlap is resolved [m/s].
    pub recovery_speed: f32,
}

impl Default for AgentDef {
    fn default() -> Self {
        Self {
            position: WorldPoint::ORIGIN,
            velocity: Vec2::zeros(),
            preferred_velocity: Vec2::zeros(),
            target: None,
            radius: 0.3,
            max_speed: 2.0,
            max_acceleration: f32::INFINITY,
            max_turn_rate: f32::INFINITY,
            neighbor_limit: 10,
            neighbor_range: 10.0,
            time_horizon: 3.0,
            obstacle_horizon: 1.0,
            weight: 1.0,
            priority: 0,
            layers: 1,
            mask: u32::MAX,
            bias: 0.3,
            model: Model::Orca,
            recovery_time: 0.2,
            recovery_speed: 1.0,
        }
    }
}

impl AgentDef {
    /// Returns the definition of a default agent at `position` [m].
    #[must_use]
    pub fn at(position: impl Into<WorldPoint>) -> Self {
        Self {
            position: position.into(),
            ..Self::default()
        }
    }

    /// Checks all numbers.
    ///
    /// # Errors
    /// The first field that is not finite, negative or too large, with its value.
    pub fn validate(&self) -> Result<(), CrowdError> {
        if self.is_sound() {
            Ok(())
        } else {
            self.refuse()
        }
    }

    /// Returns whether all numbers are in their ranges.
    ///
    /// The ranges of [`Self::refuse`] in one test: one by one they took half of the time of creating an agent.
    fn is_sound(&self) -> bool {
        const LIMIT: f32 = MAX_MEASURE as f32;
        let measures = [
            self.radius,
            self.max_speed,
            self.neighbor_range,
            self.time_horizon,
            self.obstacle_horizon,
            self.weight,
            self.recovery_time,
            self.recovery_speed,
        ];
        let (v, w) = (&self.velocity, &self.preferred_velocity);
        let fits = |ok: bool, speed: f32| ok & (speed.abs() <= LIMIT);
        let ok = [v.x, v.y, w.x, w.y].into_iter().fold(true, fits);
        let fits = |ok: bool, measure: f32| ok & (0.0..=LIMIT).contains(&measure);
        let ok = measures.into_iter().fold(ok, fits);
        let (x, y) = (self.position.x, self.position.y);
        ok & (x.abs() <= MAX_COORDINATE)
            & (y.abs() <= MAX_COORDINATE)
            & (self.max_acceleration >= 0.0)
            & (self.max_turn_rate >= 0.0)
            & (self.neighbor_limit <= MAX_NEIGHBORS)
            & (f64::from(self.bias).abs() <= core::f64::consts::FRAC_PI_2)
            && self.target.is_none_or(|target| target.validate().is_ok())
    }

    /// Returns the first error.
    #[cold]
    fn refuse(&self) -> Result<(), CrowdError> {
        check_point(["position.x", "position.y"], self.position)?;
        check_velocity(["velocity.x", "velocity.y"], &self.velocity)?;
        let names = ["preferred_velocity.x", "preferred_velocity.y"];
        check_velocity(names, &self.preferred_velocity)?;
        if let Some(target) = &self.target {
            target.validate()?;
        }
        check_measure("radius", self.radius)?;
        check_measure("max_speed", self.max_speed)?;
        not_negative("max_acceleration", self.max_acceleration.into())?;
        not_negative("max_turn_rate", self.max_turn_rate.into())?;
        let limit = MAX_NEIGHBORS as f64;
        within("neighbor_limit", self.neighbor_limit as f64, limit)?;
        check_measure("neighbor_range", self.neighbor_range)?;
        check_measure("time_horizon", self.time_horizon)?;
        check_measure("obstacle_horizon", self.obstacle_horizon)?;
        check_measure("weight", self.weight)?;
        within("bias", self.bias.into(), core::f64::consts::FRAC_PI_2)?;
        check_measure("recovery_time", self.recovery_time)?;
        check_measure("recovery_speed", self.recovery_speed)
    }
}

impl Target {
    /// Checks all numbers.
    ///
    /// # Errors
    /// The first field that is not finite, negative or too large, with its value.
    pub fn validate(&self) -> Result<(), CrowdError> {
        check_point(["target.point.x", "target.point.y"], self.point)?;
        check_measure("target.radius", self.radius)?;
        check_measure("target.speed", self.speed)
    }
}

/// Refuses points that are not finite or too far from the origin.
pub(crate) fn check_point(names: [&'static str; 2], p: WorldPoint) -> Result<(), CrowdError> {
    within(names[0], p.x, MAX_COORDINATE)?;
    within(names[1], p.y, MAX_COORDINATE)
}

/// Refuses velocities that are not finite or too fast.
pub(crate) fn check_velocity(names: [&'static str; 2], v: &Vec2) -> Result<(), CrowdError> {
    within(names[0], v.x.into(), MAX_MEASURE)?;
    within(names[1], v.y.into(), MAX_MEASURE)
}

fn check_measure(name: &'static str, value: f32) -> Result<(), CrowdError> {
    measure(name, value.into())?;
    within(name, value.into(), MAX_MEASURE)
}

/// Parameters of an agent that steering reads in each step; written only when the caller changes them.
///
/// 64 bytes: one cache line per agent, read once a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Params {
    pub(crate) radius: f32,
    pub(crate) max_speed: f32,
    pub(crate) max_acceleration: f32,
    pub(crate) max_turn_rate: f32,
    pub(crate) neighbor_range: f32,
    pub(crate) time_horizon: f32,
    pub(crate) obstacle_horizon: f32,
    pub(crate) weight: f32,
    pub(crate) bias: f32,
    pub(crate) recovery_time: f32,
    pub(crate) recovery_speed: f32,
    pub(crate) layers: u32,
    pub(crate) mask: u32,
    pub(crate) neighbor_limit: u8,
    pub(crate) priority: u8,
    pub(crate) model: Model,
}

impl HashState for Params {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            radius,
            max_speed,
            max_acceleration,
            max_turn_rate,
            neighbor_range,
            time_horizon,
            obstacle_horizon,
            weight,
            bias,
            recovery_time,
            recovery_speed,
            layers,
            mask,
            neighbor_limit,
            priority,
            model,
        } = self;
        hash.add(radius)
            .add(max_speed)
            .add(max_acceleration)
            .add(max_turn_rate);
        hash.add(neighbor_range)
            .add(time_horizon)
            .add(obstacle_horizon)
            .add(weight);
        hash.add(bias)
            .add(recovery_time)
            .add(recovery_speed)
            .add(layers);
        hash.add(mask).add(neighbor_limit).add(priority).add(model);
    }
}

const _: () = assert!(size_of::<Params>() <= 64);

impl Params {
    /// Returns the reachable velocities of an agent that moves at `velocity` after a step of `step` seconds.
    pub(crate) fn region(&self, velocity: Vec2, step: f32) -> Region {
        Region::new(self.max_speed, velocity, self.reach(step))
    }

    /// Returns the greatest change of velocity in a step of `step` seconds [m/s].
    #[inline]
    pub(crate) fn reach(&self, step: f32) -> f32 {
        self.max_acceleration * step
    }
}

impl Default for Params {
    fn default() -> Self {
        Self::from(&AgentDef::default())
    }
}

impl From<&AgentDef> for Params {
    fn from(def: &AgentDef) -> Self {
        Self {
            radius: def.radius,
            max_speed: def.max_speed,
            max_acceleration: def.max_acceleration,
            max_turn_rate: def.max_turn_rate,
            neighbor_range: def.neighbor_range,
            time_horizon: def.time_horizon,
            obstacle_horizon: def.obstacle_horizon,
            weight: def.weight,
            bias: def.bias,
            recovery_time: def.recovery_time,
            recovery_speed: def.recovery_speed,
            layers: def.layers,
            mask: def.mask,
            neighbor_limit: def.neighbor_limit as u8,
            priority: def.priority,
            model: def.model,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_agent_is_valid() {
        assert_eq!(AgentDef::default().validate(), Ok(()));
    }

    #[test]
    fn bad_numbers_are_refused_by_name() {
        let base = AgentDef::default();
        let check = |def: AgentDef, text: &str| {
            assert_eq!(def.validate().unwrap_err().to_string(), text);
        };
        check(
            AgentDef {
                radius: -1.0,
                ..base
            },
            "radius must not be negative, got -1",
        );
        check(
            AgentDef {
                max_speed: f32::INFINITY,
                ..base
            },
            "max_speed must be finite, got inf",
        );
        check(
            AgentDef {
                neighbor_limit: 33,
                ..base
            },
            "neighbor_limit must be at most 32, got 33",
        );
        let velocity = Vec2::new(0.0, f32::NAN);
        check(
            AgentDef { velocity, ..base },
            "velocity.y must be finite, got NaN",
        );
        let target = Target {
            point: WorldPoint::ORIGIN,
            radius: -0.5,
            speed: 1.0,
        };
        check(
            AgentDef {
                target: Some(target),
                ..base
            },
            "target.radius must not be negative, got -0.5",
        );
    }

    /// Every number of a definition, by a function that sets it.
    const NUMBERS: [fn(&mut AgentDef, f32); 17] = [
        |def, x| def.position.x = x.into(),
        |def, x| def.position.y = x.into(),
        |def, x| def.velocity.x = x,
        |def, x| def.velocity.y = x,
        |def, x| def.preferred_velocity.x = x,
        |def, x| def.preferred_velocity.y = x,
        |def, x| def.radius = x,
        |def, x| def.max_speed = x,
        |def, x| def.max_acceleration = x,
        |def, x| def.max_turn_rate = x,
        |def, x| def.neighbor_range = x,
        |def, x| def.time_horizon = x,
        |def, x| def.obstacle_horizon = x,
        |def, x| def.weight = x,
        |def, x| def.bias = x,
        |def, x| def.recovery_time = x,
        |def, x| def.recovery_speed = x,
    ];

    #[test]
    fn all_numbers_at_once_are_refused_where_one_of_them_is() {
        let values = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            1.6,
            -1.6,
            1.0e9,
            1.1e9,
            -1.1e9,
            1.1e12,
            -1.1e12,
            3.0e38,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        for set in NUMBERS {
            for value in values {
                let mut def = AgentDef::default();
                set(&mut def, value);
                assert_eq!(def.is_sound(), def.refuse().is_ok(), "{def:?}");
            }
        }
        let target = Target {
            point: WorldPoint::ORIGIN,
            radius: -1.0,
            speed: 1.0,
        };
        let no_target = AgentDef {
            target: Some(target),
            ..AgentDef::default()
        };
        let too_many = AgentDef {
            neighbor_limit: MAX_NEIGHBORS + 1,
            ..AgentDef::default()
        };
        for def in [no_target, too_many] {
            assert!(!def.is_sound() && def.refuse().is_err());
        }
    }
}
