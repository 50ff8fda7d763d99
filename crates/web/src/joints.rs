//! Joints from plain objects.

use crate::error::{refused, thrown};
use crate::fields::{Fields, put};
use cairn2d::{
    BodyId, DistanceJointDef, FilterJointDef, GearJointDef, JointBaseDef, JointDef, JointId,
    JointSoftness, MotorJointDef, MouseJointDef, PrismaticJointDef, PulleyJointDef,
    RevoluteJointDef, Spring, Vec2, WeldJointDef, WheelJointDef, World, WorldError, WorldPoint,
};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// See `definitions.d.ts`.
    #[wasm_bindgen(typescript_type = "JointDef")]
    pub type JsJointDef;
}

/// Returns a spring without its rest position.
pub(crate) fn softness(spring: &Spring) -> JointSoftness {
    JointSoftness {
        hertz: spring.hertz,
        damping_ratio: spring.damping_ratio,
    }
}

/// Returns the id of a field that names a body of the world.
fn body(world: &World, id: Option<f64>, field: &str) -> Result<BodyId, JsValue> {
    let id = id.ok_or_else(|| refused(field, "is missing"))?;
    let id = BodyId::from_bits(id as u64);
    let exists = world.get_body(id).is_some();
    exists
        .then_some(id)
        .ok_or_else(|| thrown(&WorldError::NoSuchBody(id)))
}

/// Returns the definition of a joint.
pub(crate) fn joint_def(world: &World, from: &Fields) -> Result<JointDef, JsValue> {
    let a = body(world, from.body_a(), "bodyA")?;
    let b = body(world, from.body_b(), "bodyB")?;
    let mut def = kind_of(world, from, a, b)?;
    if let JointDef::Gear(gear) = &def {
        let exists = |id| world.get_joint(id).is_some();
        for id in [gear.joint_a, gear.joint_b] {
            if !exists(id) {
                return Err(thrown(&WorldError::NoSuchJoint(id)));
            }
        }
    }
    put_base(def.base_mut(), from);
    Ok(def)
}

/// Overwrites the fields that all kinds of joints have.
pub(crate) fn put_base(base: &mut JointBaseDef, from: &Fields) {
    if let Some(frame) = from.frame_a() {
        base.frame_a = frame.to_frame();
    }
    if let Some(frame) = from.frame_b() {
        base.frame_b = frame.to_frame();
    }
    let collide = from.collide_connected();
    base.collide_connected = collide.unwrap_or(base.collide_connected);
    put(&mut base.break_force, from.break_force());
    put(&mut base.break_torque, from.break_torque());
    if let Some(user_data) = from.user_data() {
        base.user_data = user_data as u64;
    }
}

fn kind_of(world: &World, from: &Fields, a: BodyId, b: BodyId) -> Result<JointDef, JsValue> {
    let anchor = from.anchor().map(|anchor| anchor.to_place());
    let axis = from.axis().map_or(Vec2::x(), |axis| axis.to_vec2());
    let limit = from.limit().map(|limit| limit.to_limit());
    let motor = from.motor().map(|motor| motor.to_motor());
    let spring = from.spring().map(|spring| spring.to_spring());
    Ok(match from.kind().as_deref() {
        Some("revolute") => {
            let def = RevoluteJointDef {
                limit,
                motor,
                spring,
                ..RevoluteJointDef::new(a, b)
            };
            match anchor {
                Some(anchor) => def.at(world, anchor).into(),
                None => def.into(),
            }
        }
        Some("prismatic") => {
            let def = PrismaticJointDef {
                limit,
                motor,
                spring,
                ..PrismaticJointDef::new(a, b)
            };
            match anchor {
                Some(anchor) => def.at(world, anchor, axis).into(),
                None => def.into(),
            }
        }
        Some("wheel") => {
            let def = WheelJointDef {
                limit,
                motor,
                spring,
                ..WheelJointDef::new(a, b)
            };
            match anchor {
                Some(anchor) => def.at(world, anchor, axis).into(),
                None => def.into(),
            }
        }
        Some("distance") => {
            let mut def = DistanceJointDef {
                limit,
                motor,
                spring,
                ..DistanceJointDef::new(a, b)
            };
            if let (Some(start), Some(end)) = (anchor, from.anchor_b()) {
                def = def.between(world, start, end.to_place());
            }
            put(&mut def.length, from.length());
            def.into()
        }
        Some("weld") => weld(world, from, (a, b), anchor).into(),
        Some("motor") => drive(from, a, b).into(),
        Some("mouse") => {
            let mut def = MouseJointDef::new(a, b);
            if let Some(anchor) = anchor {
                def = def.at(world, anchor);
            }
            if let Some(spring) = &spring {
                def.spring = softness(spring);
            }
            put(&mut def.max_force, from.max_force());
            def.into()
        }
        Some("pulley") => {
            let place =
                |wheel: Option<Fields>| wheel.map_or(WorldPoint::ORIGIN, |at| at.to_place());
            let length = from.length().unwrap_or(f64::NAN) as f32;
            let wheels = [place(from.wheel_a()), place(from.wheel_b())];
            let mut def = PulleyJointDef::new(a, b, wheels[0], wheels[1], length);
            put(&mut def.ratio, from.ratio());
            def.into()
        }
        Some("gear") => {
            let joint = |id: Option<f64>| JointId::from_bits(id.unwrap_or(f64::INFINITY) as u64);
            let mut def = GearJointDef::new(a, b, joint(from.joint_a()), joint(from.joint_b()));
            put(&mut def.ratio, from.ratio());
            def.into()
        }
        Some("filter") => FilterJointDef::new(a, b).into(),
        _ => return Err(refused("type", "must be a kind of joint")),
    })
}

fn weld(
    world: &World,
    from: &Fields,
    (a, b): (BodyId, BodyId),
    anchor: Option<WorldPoint>,
) -> WeldJointDef {
    let soft = |spring: Option<Fields>| spring.map(|spring| softness(&spring.to_spring()));
    let def = WeldJointDef {
        linear: soft(from.spring()),
        angular: soft(from.angular_spring()),
        ..WeldJointDef::new(a, b)
    };
    match anchor {
        Some(anchor) => def.at(world, anchor),
        None => def,
    }
}

fn drive(from: &Fields, a: BodyId, b: BodyId) -> MotorJointDef {
    let soft = |spring: Option<Fields>| spring.map(|spring| softness(&spring.to_spring()));
    let mut def = MotorJointDef::new(a, b);
    if let Some(velocity) = from.velocity() {
        def.linear_velocity = velocity.to_vec2();
    }
    put(&mut def.angular_velocity, from.angular_velocity());
    put(&mut def.max_velocity_force, from.max_force());
    put(&mut def.max_velocity_torque, from.max_torque());
    def.linear_spring = soft(from.spring());
    def.angular_spring = soft(from.angular_spring());
    def
}
