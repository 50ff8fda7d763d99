//! Agents: definition, parameters and checks.

use crate::error::{CrowdError, limit, measure, range, within};
use crate::hash_fields::hash_fields;
use crate::limits::region::Region;
use crate::tuning::{MAX_COORDINATE, MAX_MEASURE, MAX_NEIGHBORS};
use cairn2d_geometry::math::{Vec2, WorldPoint};
use cairn2d_geometry::{HashState, StateHasher};

/// Prediction of the velocity of another agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Target {
    /// The place to reach [m].
    pub point: WorldPoint,
    /// Distance from the place within which the agent has arrived [m].
    pub radius: f32,
    /// Speed of an unobstructed agent [m/s].
    pub speed: f32,
}

hash_fields!(Target: point radius speed);

/// Defines an agent; a plain struct whose [`Default`] is a walking person.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
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
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub max_acceleration: f32,
    /// Greatest turn rate of the walking direction [rad/s]; infinite for none. An agent that prefers another
    /// direction slows down, and turns on the spot if necessary; contacts may still push it sideways.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub max_turn_rate: f32,
    /// Number of other agents that are considered, nearest first; at most [`MAX_NEIGHBORS`].
    pub neighbor_limit: usize,
    /// Distance from this agent's center to another agent's edge within which the other is considered [m].
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
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
        check_point(["position.x", "position.y"], self.position)?;
        check_velocity(["velocity.x", "velocity.y"], &self.velocity)?;
        let names = ["preferred_velocity.x", "preferred_velocity.y"];
        check_velocity(names, &self.preferred_velocity)?;
        if let Some(target) = &self.target {
            target.validate()?;
        }
        measure("radius", self.radius)?;
        measure("max_speed", self.max_speed)?;
        limit("max_acceleration", self.max_acceleration)?;
        limit("max_turn_rate", self.max_turn_rate)?;
        let most = MAX_NEIGHBORS as f64;
        range("neighbor_limit", self.neighbor_limit as f64, 0.0, most)?;
        measure("neighbor_range", self.neighbor_range)?;
        measure("time_horizon", self.time_horizon)?;
        measure("obstacle_horizon", self.obstacle_horizon)?;
        measure("weight", self.weight)?;
        within("bias", self.bias.into(), core::f64::consts::FRAC_PI_2)?;
        measure("recovery_time", self.recovery_time)?;
        measure("recovery_speed", self.recovery_speed)
    }
}

impl Target {
    /// Checks all numbers.
    ///
    /// # Errors
    /// The first field that is not finite, negative or too large, with its value.
    pub fn validate(&self) -> Result<(), CrowdError> {
        check_point(["target.point.x", "target.point.y"], self.point)?;
        measure("target.radius", self.radius)?;
        measure("target.speed", self.speed)
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

/// Defines the parameters of an agent: the fields of [`AgentDef`] that steering reads in each step.
macro_rules! params {
    ($($field:ident: $type:ty,)*) => {
        /// Parameters of an agent that steering reads in each step; written only when the caller changes them.
        ///
        /// 56 bytes. Agents share equal sets.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) struct Params {
            $(pub(crate) $field: $type,)*
            pub(crate) neighbor_limit: u8,
            pub(crate) priority: u8,
            pub(crate) model: Model,
        }

        impl From<&AgentDef> for Params {
            fn from(def: &AgentDef) -> Self {
                Self {
                    $($field: def.$field,)*
                    neighbor_limit: def.neighbor_limit as u8,
                    priority: def.priority,
                    model: def.model,
                }
            }
        }

        impl Params {
            /// Number of [`Self::bits`].
            pub(crate) const WORDS: usize = size_of::<Self>() / size_of::<u32>();

            /// Returns the definition with these parameters.
            pub(crate) fn with(&self, def: AgentDef) -> AgentDef {
                AgentDef {
                    $($field: self.$field,)*
                    neighbor_limit: self.neighbor_limit.into(),
                    priority: self.priority,
                    model: self.model,
                    ..def
                }
            }

            /// Returns all numbers as bits, so that zeros of different sign differ.
            pub(crate) fn bits(&self) -> [u32; Self::WORDS] {
                let rest = [self.neighbor_limit, self.priority, self.model as u8, 0];
                [$(self.$field.to_le_bytes(),)* rest].map(u32::from_le_bytes)
            }
        }

        hash_fields!(Params: $($field)* neighbor_limit priority model);
    };
}

params! {
    radius: f32, max_speed: f32, max_acceleration: f32, max_turn_rate: f32, neighbor_range: f32, time_horizon: f32,
    obstacle_horizon: f32, weight: f32, bias: f32, recovery_time: f32, recovery_speed: f32, layers: u32, mask: u32,
}

const _: () = assert!(size_of::<Params>() == 56);

impl Params {
    /// Returns the reachable velocities of an agent that moves at `velocity` after a step of `step` seconds.
    #[inline]
    pub(crate) fn region(&self, velocity: Vec2, step: f32) -> Region {
        Region {
            max_speed: self.max_speed,
            center: velocity,
            reach: self.max_acceleration * step,
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
        let check = |change: fn(&mut AgentDef), text: &str| {
            let mut def = AgentDef::default();
            change(&mut def);
            assert_eq!(def.validate().unwrap_err().to_string(), text);
        };
        let measure = "which is not in 0 to 1000000000";
        check(|def| def.radius = -1.0, &format!("radius is -1, {measure}"));
        check(
            |def| def.weight = 2e9,
            &format!("weight is 2000000000, {measure}"),
        );
        let infinite = "max_speed is inf, which is not a finite number";
        check(|def| def.max_speed = f32::INFINITY, infinite);
        check(
            |def| def.neighbor_limit = 33,
            "neighbor_limit is 33, which is not in 0 to 32",
        );
        let not_a_number = "velocity.y is NaN, which is not a finite number";
        check(|def| def.velocity.y = f32::NAN, not_a_number);
        let target = |def: &mut AgentDef| {
            let point = WorldPoint::ORIGIN;
            def.target = Some(Target {
                point,
                radius: -0.5,
                speed: 1.0,
            });
        };
        check(target, &format!("target.radius is -0.5, {measure}"));
    }
}
