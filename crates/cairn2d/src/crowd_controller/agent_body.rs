//! Agents with bodies: their definition, and the forces and velocities that drive the body.

use super::error::{ControllerError, limit};
use super::off_mesh_link::Crossing;
use super::route::RouteProgress;
use crate::numbers::not_negative;
use cairn2d_crowd::{AgentDef, AgentId};
use cairn2d_dynamics::{BodyId, BodyKind, BodyMut, World};
use cairn2d_geometry::math::{Rotation, Vec2, atan2};

/// Default acceleration [m/s^2]: that of starting and stopping people.
const DEFAULT_ACCELERATION: f32 = 5.0;

/// Default rate of turn [rad/s]: half a turn in half a second.
const DEFAULT_TURN_RATE: f32 = 6.0;

/// Speed below which a walker that should stand is not pushed [m/s].
///
/// Each push on a body delays its sleep. Below this speed, at which bodies fall asleep, standing walkers
/// drift by at most 1 cm before they sleep.
const REST_SPEED: f32 = 0.02;

/// Share of the greatest change of velocity in a step above which a walker does not stand: it starts.
///
/// At small steps or accelerations the first velocity of a walker is below [`REST_SPEED`].
const START_SHARE: f32 = 0.5;

/// Speed from which a walker turns to its direction of motion [m/s]: below, the direction is noise.
const HEADING_SPEED: f32 = 0.1;

/// Time in which a walker turns to its direction of motion, if its rate of turn allows \[s\].
const TURN_TIME: f32 = 0.15;

/// Definition of a walker: plain data.
///
/// [`CrowdBodyDef::around`] makes one that fits a body.
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdBodyDef {
    /// The agent. Position and velocity are those of the center of mass of the body. A finite force limits
    /// the acceleration further, so that the agent plans its stopping distance.
    pub agent: AgentDef,
    /// Maximum force on a dynamic body \[N\]; infinite: no limit. Kinematic bodies need no force.
    pub max_force: f32,
    /// Maximum rate at which the x axis of the body turns to its direction of motion [rad/s]; 0 leaves the
    /// rotation alone.
    pub turn_rate: f32,
}

impl Default for CrowdBodyDef {
    fn default() -> Self {
        Self {
            agent: AgentDef::default(),
            max_force: f32::INFINITY,
            turn_rate: DEFAULT_TURN_RATE,
        }
    }
}

impl CrowdBodyDef {
    /// Returns the definition of a walker for `body`: a disc about its center of mass that contains its solid
    /// shapes, and a force that accelerates its mass by 5 m/s^2.
    ///
    /// # Panics
    /// If `body` is stale or foreign.
    #[must_use]
    #[track_caller]
    pub fn around(world: &World, body: BodyId) -> Self {
        let body = world.body(body);
        let solid = body.shapes().filter(|shape| !shape.is_sensor());
        let extents = solid.map(|shape| shape.geometry().extent_about(&body.local_center()));
        let radius = extents.fold(0.0, f32::max);
        let mass = body.mass();
        let usual = Self::default();
        Self {
            agent: AgentDef {
                radius: if radius > 0.0 {
                    radius
                } else {
                    usual.agent.radius
                },
                ..usual.agent
            },
            max_force: if mass > 0.0 {
                DEFAULT_ACCELERATION * mass
            } else {
                usual.max_force
            },
            ..usual
        }
    }

    /// Checks every number.
    ///
    /// # Errors
    /// The first field that is not finite, negative or too large, with its value.
    pub fn validate(&self) -> Result<(), ControllerError> {
        self.agent.validate()?;
        limit("max_force", self.max_force)?;
        Ok(not_negative("turn_rate", self.turn_rate)?)
    }

    /// Returns the maximum acceleration of a body of `mass` \[kg\] [m/s^2].
    pub(super) fn acceleration(&self, kind: BodyKind, mass: f32) -> f32 {
        let own = self.agent.max_acceleration;
        match kind {
            BodyKind::Dynamic if mass > 0.0 => own.min(self.max_force / mass),
            _ => own,
        }
    }
}

/// An agent with a body.
#[derive(Clone, Debug)]
pub(super) struct AgentBody {
    pub(super) agent: AgentId,
    pub(super) body: BodyId,
    pub(super) def: CrowdBodyDef,
    /// Mass for which the acceleration of the agent was computed \[kg\].
    pub(super) mass: f32,
    /// The agent before its body was taken out of the simulation; `None` while it is active.
    pub(super) parked: Option<AgentDef>,
    pub(super) progress: Option<RouteProgress>,
}

impl AgentBody {
    /// Returns `true` while the caller moves the body across a link.
    pub(super) fn is_suspended(&self) -> bool {
        let progress = self.progress.as_ref();
        progress.is_some_and(|progress| progress.crossing == Crossing::Suspended)
    }
}

/// The motion that a body should have at the end of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct BodyDrive<'a> {
    pub(super) def: &'a CrowdBodyDef,
    /// Radius of the agent \[m\].
    pub(super) radius: f32,
    /// New velocity of the agent [m/s].
    pub(super) target_velocity: Vec2,
    /// Maximum acceleration of the agent [m/s^2].
    pub(super) acceleration: f32,
    /// Length of the step \[s\], greater than 0.
    pub(super) dt: f32,
}

impl BodyDrive<'_> {
    /// Drives `body` to the target velocity.
    pub(super) fn apply_to(&self, body: &mut BodyMut<'_>) {
        match body.as_ref().kind() {
            BodyKind::Static => {}
            BodyKind::Kinematic => self.move_kinematic(body),
            BodyKind::Dynamic => self.push(body),
        }
    }

    /// Returns whether the walker should stand: its target velocity is small, and not because it only starts.
    fn stands(&self) -> bool {
        let start_speed = START_SHARE * self.acceleration * self.dt;
        self.target_velocity.norm() <= REST_SPEED.min(start_speed)
    }

    /// Applies the force that gives the body the target velocity at the end of the step, limited to the
    /// maximum force.
    fn push(&self, body: &mut BodyMut<'_>) {
        let now = body.as_ref();
        let spin = self.spin(&now.rotation());
        let slow = now.velocity().norm() < REST_SPEED
            && now.angular_velocity().abs() * self.radius < REST_SPEED;
        if self.stands() && (slow || !now.is_awake()) {
            return;
        }
        let change = self.target_velocity - now.velocity();
        let torque = now.inertia() * (spin - now.angular_velocity()) / self.dt;
        let force = within(change * (now.mass() / self.dt), self.def.max_force);
        if force.x.is_finite() && force.y.is_finite() {
            body.apply_force(force);
        }
        // The torque is limited to that of the greatest force at the rim.
        let most = self.max_torque();
        if self.def.turn_rate > 0.0 && torque.is_finite() {
            body.apply_torque(torque.max(-most).min(most));
        }
    }

    /// Returns the greatest torque [N m]: that of the greatest force at the rim. An agent without a radius has no rim, so its
    /// torque is 0 even where its force has no limit.
    fn max_torque(&self) -> f32 {
        if self.radius > 0.0 {
            self.def.max_force * self.radius
        } else {
            0.0
        }
    }

    fn move_kinematic(&self, body: &mut BodyMut<'_>) {
        let now = body.as_ref();
        // A moving kinematic body keeps the bodies awake that touch it, however slow it is.
        let target_velocity = if self.stands() {
            Vec2::zeros()
        } else {
            self.target_velocity
        };
        let spin = self.spin(&now.rotation());
        let (velocity, angular_velocity) = (now.velocity(), now.angular_velocity());
        if velocity != target_velocity {
            body.set_velocity(target_velocity);
        }
        if self.def.turn_rate > 0.0 && angular_velocity != spin {
            body.set_angular_velocity(spin);
        }
    }

    /// Returns the rate of turn of a body with the given rotation [rad/s].
    fn spin(&self, facing: &Rotation) -> f32 {
        if self.target_velocity.norm() < HEADING_SPEED {
            return 0.0;
        }
        let heading = facing.inverse() * self.target_velocity;
        let error = atan2(heading.y, heading.x);
        (error / TURN_TIME.max(self.dt))
            .max(-self.def.turn_rate)
            .min(self.def.turn_rate)
    }
}

/// Returns `v`, reduced to the length `limit`.
fn within(v: Vec2, limit: f32) -> Vec2 {
    let norm = v.norm();
    if norm > limit { v * (limit / norm) } else { v }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_dynamics::{BodyDef, ShapeDef, WorldDef};
    use cairn2d_geometry::math::{PI, point, rotation, vec2};
    use cairn2d_geometry::{Circle, Polygon};

    #[test]
    fn definition_fits_the_body() {
        let mut world = World::new(WorldDef::weightless());
        let body = world.create_body(BodyDef::dynamic());
        let shape = Polygon::rectangle(0.3, 0.4);
        world.create_shape(body, shape, ShapeDef::default());
        let far = Circle::new(point(9.0, 0.0), 1.0);
        let sensor = ShapeDef {
            density: 0.0,
            ..ShapeDef::sensor()
        };
        world.create_shape(body, far, sensor);
        let def = CrowdBodyDef::around(&world, body);
        assert!((def.agent.radius - 0.5).abs() < 1.0e-6);
        assert!((def.max_force - 5.0 * 0.6 * 0.8).abs() < 1.0e-5);
    }

    #[test]
    fn bad_numbers_are_refused_by_name() {
        let check = |def: CrowdBodyDef, text: &str| {
            assert_eq!(def.validate().unwrap_err().to_string(), text);
        };
        let base = CrowdBodyDef::default();
        check(
            CrowdBodyDef {
                max_force: f32::NAN,
                ..base.clone()
            },
            "max_force is NaN, which is not a finite number",
        );
        check(
            CrowdBodyDef {
                turn_rate: -1.0,
                ..base.clone()
            },
            "turn_rate is -1, which is negative",
        );
        let agent = AgentDef {
            radius: -0.5,
            ..base.agent
        };
        check(
            CrowdBodyDef { agent, ..base },
            "radius is -0.5, which is not in 0 to 1000000000",
        );
    }

    #[test]
    fn turn_takes_the_short_way_round() {
        let def = CrowdBodyDef::default();
        let spin = |target_velocity, angle: f32| {
            let turn = rotation(angle);
            let drive = BodyDrive {
                def: &def,
                radius: 0.3,
                target_velocity,
                acceleration: f32::INFINITY,
                dt: 1.0 / 60.0,
            };
            drive.spin(&turn)
        };
        assert_eq!(spin(vec2(1.0, 0.0), 0.0), 0.0);
        assert_eq!(spin(vec2(0.0, 1.0), 0.0), def.turn_rate);
        // Past half a turn the other direction is shorter.
        assert!(spin(vec2(1.0, 0.0), PI - 0.1) < 0.0);
        assert!(spin(vec2(1.0, 0.0), PI + 0.1) > 0.0);
        assert_eq!(spin(vec2(0.01, 0.0), 2.0), 0.0);
    }
}
