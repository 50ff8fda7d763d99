//! Joints of a world: their readings, and changes after creation.

use crate::error::{set, thrown};
use crate::events::object;
use crate::fields::{Fields, part, put};
use crate::joints::softness;
use crate::world::{WebWorld, joint_id, number, or_throw};
use cairn2d::{JointDef, JointDefError, JointMut, JointSoftness, WorldError, WorldPoint};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "JointChange")]
    pub type JsJointChange;
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "JointState")]
    pub type JsJointState;
}

const fn no_part(part: &'static str) -> JointDefError {
    JointDefError::NoSuchPart { part }
}

/// Overwrites a part of a definition if the object names it. Joints without such a part refuse it.
fn put_part<T>(
    field: Option<&mut Option<T>>,
    change: Option<Option<T>>,
    name: &'static str,
) -> Result<(), JointDefError> {
    if let Some(change) = change {
        *field.ok_or(no_part(name))? = change;
    }
    Ok(())
}

/// Overwrites a number of a definition if the object names it.
fn put_number(
    field: Option<&mut f32>,
    value: Option<f64>,
    name: &'static str,
) -> Result<(), JointDefError> {
    if value.is_some() {
        put(field.ok_or(no_part(name))?, value);
    }
    Ok(())
}

/// Returns the springs of a joint that has a stiffness and a damping ratio, but no rest position: linear and angular.
fn soft_parts(
    def: &mut JointDef,
) -> (
    Option<&mut Option<JointSoftness>>,
    Option<&mut Option<JointSoftness>>,
) {
    match def {
        JointDef::Weld(weld) => (Some(&mut weld.linear), Some(&mut weld.angular)),
        JointDef::Motor(motor) => (
            Some(&mut motor.linear_spring),
            Some(&mut motor.angular_spring),
        ),
        _ => (None, None),
    }
}

fn change_springs(def: &mut JointDef, from: &Fields) -> Result<(), JointDefError> {
    let soft = |value| part(value, |spring| softness(&spring.to_spring()));
    match def {
        JointDef::Weld(_) | JointDef::Motor(_) => {
            let (linear, angular) = soft_parts(def);
            put_part(linear, soft(from.spring_value()), "spring")?;
            put_part(angular, soft(from.angular_spring_value()), "angularSpring")
        }
        JointDef::Mouse(mouse) => match soft(from.spring_value()) {
            Some(spring) => {
                mouse.spring = spring.ok_or(no_part("null for the spring"))?;
                Ok(())
            }
            None => Ok(()),
        },
        _ => {
            let spring = part(from.spring_value(), Fields::to_spring);
            put_part(def.spring_mut(), spring, "spring")
        }
    }
}

fn change_numbers(def: &mut JointDef, from: &Fields) -> Result<(), JointDefError> {
    let length = match def {
        JointDef::Distance(joint) => Some(&mut joint.length),
        JointDef::Pulley(joint) => Some(&mut joint.length),
        _ => None,
    };
    put_number(length, from.length(), "length")?;
    let ratio = match def {
        JointDef::Gear(joint) => Some(&mut joint.ratio),
        JointDef::Pulley(joint) => Some(&mut joint.ratio),
        _ => None,
    };
    put_number(ratio, from.ratio(), "ratio")?;
    let force = match def {
        JointDef::Mouse(joint) => Some(&mut joint.max_force),
        JointDef::Motor(joint) => Some(&mut joint.max_velocity_force),
        _ => None,
    };
    put_number(force, from.max_force(), "maxForce")?;
    let JointDef::Motor(drive) = def else {
        if from.velocity().is_some() {
            return Err(no_part("velocity"));
        }
        put_number(None, from.angular_velocity(), "angularVelocity")?;
        return put_number(None, from.max_torque(), "maxTorque");
    };
    if let Some(velocity) = from.velocity() {
        drive.linear_velocity = velocity.to_vec2();
    }
    put(&mut drive.angular_velocity, from.angular_velocity());
    put(&mut drive.max_velocity_torque, from.max_torque());
    Ok(())
}

fn change_def(def: &mut JointDef, from: &Fields) -> Result<(), JointDefError> {
    let limit = part(from.limit_value(), Fields::to_limit);
    put_part(def.limit_mut(), limit, "limit")?;
    let motor = part(from.motor_value(), Fields::to_motor);
    put_part(def.motor_mut(), motor, "motor")?;
    change_springs(def, from)?;
    change_numbers(def, from)?;
    crate::joints::put_base(def.base_mut(), from);
    Ok(())
}

impl WebWorld {
    fn joint(&mut self, id: f64) -> Result<JointMut<'_>, JsValue> {
        let id = joint_id(id);
        let joint = self.world.get_joint_mut(id);
        joint.ok_or_else(|| thrown(&WorldError::NoSuchJoint(id)))
    }
}

#[wasm_bindgen(js_class = World)]
impl WebWorld {
    /// Readings of a joint, or undefined if the id is stale.
    #[wasm_bindgen(js_name = jointState)]
    pub fn joint_state(&self, joint: f64) -> Option<JsJointState> {
        let joint = self.world.get_joint(joint_id(joint))?;
        let (bodies, anchors, reaction) = (joint.bodies(), joint.anchors(), joint.reaction());
        let state = object(&[
            ("bodyA", number(bodies[0].to_bits())),
            ("bodyB", number(bodies[1].to_bits())),
            ("angle", joint.angle().into()),
            ("angularSpeed", joint.angular_speed().into()),
            ("translation", joint.translation().into()),
            ("translationSpeed", joint.translation_speed().into()),
            ("length", joint.length().into()),
            ("gap", joint.gap().into()),
            ("forceX", reaction.force.x.into()),
            ("forceY", reaction.force.y.into()),
            ("torque", reaction.torque.into()),
            ("ax", anchors[0].x),
            ("ay", anchors[0].y),
            ("bx", anchors[1].x),
            ("by", anchors[1].y),
            ("userData", joint.user_data() as f64),
        ]);
        set(&state, "enabled", joint.is_enabled().into());
        Some(state.unchecked_into())
    }

    /// Changes the named properties of a joint, all or none; `null` removes a limit, motor or spring. Throws for invalid values, a stale
    /// joint, and parts that a joint of its kind does not have.
    #[wasm_bindgen(js_name = setJoint)]
    pub fn set_joint(&mut self, joint: f64, change: JsJointChange) -> Result<(), JsValue> {
        let from: &Fields = change.unchecked_ref();
        let mut joint = self.joint(joint)?;
        or_throw(joint.try_edit(|def| change_def(def, from)))?;
        match from.enabled() {
            Some(true) => joint.enable(),
            Some(false) => joint.disable(),
            None => {}
        }
        Ok(())
    }

    /// Sets the speed of a joint's motor [rad/s or m/s]. Throws if the joint is stale or has no motor.
    #[wasm_bindgen(js_name = setMotorSpeed)]
    pub fn set_motor_speed(&mut self, joint: f64, speed: f32) -> Result<(), JsValue> {
        or_throw(self.joint(joint)?.try_set_motor_speed(speed))
    }

    /// Moves the target of a mouse or motor joint [m]. Throws if the joint is stale or of another kind.
    #[wasm_bindgen(js_name = setTarget)]
    pub fn set_target(&mut self, joint: f64, x: f64, y: f64) -> Result<(), JsValue> {
        let target = WorldPoint::new(x, y);
        or_throw(self.joint(joint)?.try_set_target(target))
    }

    /// Sets the angle to which a motor joint turns its body [rad]. Throws if the joint is stale or of another kind.
    #[wasm_bindgen(js_name = setTargetAngle)]
    pub fn set_target_angle(&mut self, joint: f64, angle: f32) -> Result<(), JsValue> {
        or_throw(self.joint(joint)?.try_set_target_angle(angle))
    }
}
