//! Definitions of crowds, agents and obstacles.

use crate::failure::Failure;
use crate::pointer::array;
use crate::values::{CAIRN_FALSE, cairn_bool, cairn_position, cairn_vec2, number, points};
use engine::crowd::{AgentDef, CrowdDef, Model, Motion, ObstacleDef, Outline, Target};
use engine::{ControllerDef, WorldPoint, rotation};

/// Names an agent of a crowd. All bits 0 name no agent.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct cairn_agent_id {
    /// The bits of the id; compare them to compare ids.
    pub bits: u64,
}

/// Names an obstacle of a crowd. All bits 0 name no obstacle.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct cairn_obstacle_id {
    /// The bits of the id; compare them to compare ids.
    pub bits: u64,
}

/// Defines a crowd: start from cairn_default_crowd_def().
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_crowd_def {
    /// Threads that a step may use, 1 to 64. Results do not depend on it.
    pub threads: u32,
    /// Number of steps in which each agent decides once, at least 1.
    pub steering_interval: u32,
    /// Mark in the ids of the crowd, 0 to 65535: crowds of different marks recognize each other's ids as foreign.
    pub id_mark: u32,
    /// Dynamic bodies with up to this many times the mass of the heaviest walker are pushed out of the way.
    pub push_ratio: f32,
    /// Speed of other bodies up to which walkers avoid them in time [m/s].
    pub notice_speed: f32,
}

/// Returns the default crowd.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_crowd_def() -> cairn_crowd_def {
    let (crowd, controller) = (CrowdDef::default(), ControllerDef::default());
    cairn_crowd_def {
        threads: crowd.threads,
        steering_interval: crowd.steering_interval,
        id_mark: crowd.id_mark.into(),
        push_ratio: controller.push_ratio,
        notice_speed: controller.notice_speed,
    }
}

impl cairn_crowd_def {
    pub(crate) fn defs(&self) -> Result<(CrowdDef, ControllerDef), Failure> {
        let crowd = CrowdDef {
            threads: self.threads,
            steering_interval: self.steering_interval,
            id_mark: u16::try_from(self.id_mark)
                .map_err(|_| Failure::value("id_mark is greater than 65535"))?,
            clock: None,
        };
        let controller = ControllerDef {
            push_ratio: self.push_ratio,
            notice_speed: self.notice_speed,
        };
        Ok((crowd, controller))
    }
}

/// How an agent predicts the velocities of others.
pub type cairn_crowd_model = u32;

/// Velocity obstacle: the other keeps its velocity.
pub const CAIRN_VELOCITY_OBSTACLE: cairn_crowd_model = 0;
/// Reciprocal velocity obstacle: the other takes half of the change.
pub const CAIRN_RECIPROCAL: cairn_crowd_model = 1;
/// Reciprocal on the side of passing, the full velocity obstacle on the other side.
pub const CAIRN_HYBRID: cairn_crowd_model = 2;
/// Optimal reciprocal collision avoidance.
pub const CAIRN_ORCA: cairn_crowd_model = 3;

/// Place to which an agent walks.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_target {
    /// The place [m].
    pub point: cairn_position,
    /// Distance within which the agent has arrived [m].
    pub radius: f32,
    /// Speed of an unobstructed agent [m/s].
    pub speed: f32,
}

impl From<cairn_target> for Target {
    fn from(target: cairn_target) -> Self {
        Self {
            point: target.point.into(),
            radius: target.radius,
            speed: target.speed,
        }
    }
}

/// Defines an agent: start from cairn_default_agent_def().
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_agent_def {
    /// Center of the disc [m].
    pub position: cairn_position,
    /// Place to which the agent walks by itself, if `has_target`.
    pub target: cairn_target,
    /// Velocity [m/s].
    pub velocity: cairn_vec2,
    /// Velocity without others and obstacles [m/s]; not used while there is a target.
    pub preferred_velocity: cairn_vec2,
    /// Radius of the disc [m].
    pub radius: f32,
    /// Greatest speed [m/s].
    pub max_speed: f32,
    /// Greatest change of velocity [m/s^2]; may be infinite.
    pub max_acceleration: f32,
    /// Greatest turn rate [rad/s]; may be infinite.
    pub max_turn_rate: f32,
    /// Range in which others are considered [m].
    pub neighbor_range: f32,
    /// Greatest number of others that are considered.
    pub neighbor_limit: u32,
    /// Time for which collisions with others are foreseen [s].
    pub time_horizon: f32,
    /// Time for which collisions with obstacles are foreseen [s].
    pub obstacle_horizon: f32,
    /// Weight of this agent's share of the change.
    pub weight: f32,
    /// Angle by which a blocked agent turns its preferred velocity [rad].
    pub bias: f32,
    /// Time constant with which an overlap is resolved [s].
    pub recovery_time: f32,
    /// Greatest speed at which an overlap is resolved [m/s].
    pub recovery_speed: f32,
    /// Layers that the agent is in, one bit each.
    pub layers: u32,
    /// Layers of agents and obstacles that it considers.
    pub mask: u32,
    /// Prediction of the velocities of others: see cairn_crowd_model.
    pub model: cairn_crowd_model,
    /// Right of way, 0 to 255: of two agents the one with less takes the whole change.
    pub priority: u8,
    /// Whether `target` counts.
    pub has_target: cairn_bool,
}

/// Returns the definition of a pedestrian at the origin who stands.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_agent_def() -> cairn_agent_def {
    AgentDef::default().into()
}

impl From<AgentDef> for cairn_agent_def {
    fn from(def: AgentDef) -> Self {
        let target = def.target.unwrap_or(Target {
            point: WorldPoint::ORIGIN,
            radius: 0.1,
            speed: def.max_speed,
        });
        Self {
            position: def.position.into(),
            target: cairn_target {
                point: target.point.into(),
                radius: target.radius,
                speed: target.speed,
            },
            velocity: def.velocity.into(),
            preferred_velocity: def.preferred_velocity.into(),
            radius: def.radius,
            max_speed: def.max_speed,
            max_acceleration: def.max_acceleration,
            max_turn_rate: def.max_turn_rate,
            neighbor_range: def.neighbor_range,
            neighbor_limit: def.neighbor_limit as u32,
            time_horizon: def.time_horizon,
            obstacle_horizon: def.obstacle_horizon,
            weight: def.weight,
            bias: def.bias,
            recovery_time: def.recovery_time,
            recovery_speed: def.recovery_speed,
            layers: def.layers,
            mask: def.mask,
            model: match def.model {
                Model::VelocityObstacle => CAIRN_VELOCITY_OBSTACLE,
                Model::Reciprocal => CAIRN_RECIPROCAL,
                Model::Hybrid => CAIRN_HYBRID,
                _ => CAIRN_ORCA,
            },
            priority: def.priority,
            has_target: def.target.is_some().into(),
        }
    }
}

impl cairn_agent_def {
    pub(crate) fn def(&self) -> Result<AgentDef, Failure> {
        Ok(AgentDef {
            position: self.position.into(),
            velocity: self.velocity.into(),
            preferred_velocity: self.preferred_velocity.into(),
            target: (self.has_target != CAIRN_FALSE).then(|| self.target.into()),
            radius: self.radius,
            max_speed: self.max_speed,
            max_acceleration: self.max_acceleration,
            max_turn_rate: self.max_turn_rate,
            neighbor_limit: self.neighbor_limit as usize,
            neighbor_range: self.neighbor_range,
            time_horizon: self.time_horizon,
            obstacle_horizon: self.obstacle_horizon,
            weight: self.weight,
            priority: self.priority,
            layers: self.layers,
            mask: self.mask,
            bias: self.bias,
            model: match self.model {
                CAIRN_VELOCITY_OBSTACLE => Model::VelocityObstacle,
                CAIRN_RECIPROCAL => Model::Reciprocal,
                CAIRN_HYBRID => Model::Hybrid,
                CAIRN_ORCA => Model::Orca,
                model => return Err(Failure::unknown("model", model)),
            },
            recovery_time: self.recovery_time,
            recovery_speed: self.recovery_speed,
        })
    }
}

/// Defines an obstacle of a crowd: start from cairn_default_obstacle_def().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cairn_obstacle_def {
    /// Corners in the frame of the obstacle [m]. They belong to the caller and are copied.
    pub points: *const cairn_vec2,
    /// Number of corners.
    pub point_count: usize,
    /// Position of the frame's origin [m].
    pub position: cairn_position,
    /// Angle of the frame [rad].
    pub angle: f32,
    /// Velocity of the frame's origin [m/s].
    pub velocity: cairn_vec2,
    /// Rate of turn, counter-clockwise [rad/s].
    pub angular_velocity: f32,
    /// Share of the change that agents take towards it, 0 to 1.
    pub share: f32,
    /// Its layers, for the masks of agents.
    pub layers: u32,
    /// Whether the corners are a closed ring, counter-clockwise around a solid, clockwise around a room; otherwise a line.
    pub ring: cairn_bool,
}

/// Returns the definition of a closed wall with the given corners [m], which are not copied until the obstacle is created.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_obstacle_def(
    points: *const cairn_vec2,
    point_count: usize,
) -> cairn_obstacle_def {
    let def = ObstacleDef::default();
    cairn_obstacle_def {
        points,
        point_count,
        position: def.position.into(),
        angle: def.rotation.angle(),
        velocity: def.velocity.into(),
        angular_velocity: def.angular_velocity,
        share: def.share,
        layers: def.layers,
        ring: 1,
    }
}

impl cairn_obstacle_def {
    pub(crate) fn def(&self) -> Result<ObstacleDef, Failure> {
        let corners = points(array(self.points, self.point_count, "points")?);
        let motion = self.motion()?;
        Ok(ObstacleDef {
            points: corners,
            outline: if self.ring == CAIRN_FALSE {
                Outline::Line
            } else {
                Outline::Ring
            },
            position: motion.position,
            rotation: motion.rotation,
            velocity: motion.velocity,
            angular_velocity: motion.angular_velocity,
            share: self.share,
            layers: self.layers,
        })
    }

    /// Returns where the obstacle is and how it moves.
    pub(crate) fn motion(&self) -> Result<Motion, Failure> {
        Ok(Motion {
            position: self.position.into(),
            rotation: rotation(number(self.angle, "angle")?),
            velocity: self.velocity.into(),
            angular_velocity: self.angular_velocity,
        })
    }
}
