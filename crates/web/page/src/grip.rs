//! A body that the pointer holds.

use cairn2d::{
    BodyDef, BodyId, BodyKind, JointId, JointSoftness, MouseJointDef, QueryFilter, World,
    WorldPoint,
};

/// Greatest pull in weights of the body, with gravity of at least [`PULL_GRAVITY`].
const PULL: f32 = 100.0;

/// Gravity that pulls are measured by in a world without [m/s^2].
const PULL_GRAVITY: f32 = 10.0;

/// Stiffness of the pull.
const SOFTNESS: JointSoftness = JointSoftness {
    hertz: 5.0,
    damping_ratio: 0.8,
};

/// A held body.
pub(crate) struct Grip {
    /// A static body without shapes at the pointer: the frame of the pull.
    handle: BodyId,
    joint: JointId,
}

impl Grip {
    /// Takes hold of the dynamic body at a place, if there is one.
    pub(crate) fn take(world: &mut World, at: WorldPoint) -> Option<Self> {
        let shapes = world.shapes_at(at, QueryFilter::default());
        let mut bodies = shapes.into_iter().map(|shape| world.shape(shape).body());
        let body = bodies.find(|&body| world.body(body).kind() == BodyKind::Dynamic)?;
        let view = world.body(body);
        let anchor = view.to_local(at);
        let gravity = world.gravity().norm().max(PULL_GRAVITY);
        let max_force = PULL * view.mass() * gravity;
        let handle = world.create_body(BodyDef {
            position: at,
            ..BodyDef::static_()
        });
        let mut def = MouseJointDef {
            spring: SOFTNESS,
            max_force,
            ..MouseJointDef::new(handle, body)
        };
        def.base.frame_b.anchor = anchor;
        let joint = world.create_joint(def);
        Some(Self { handle, joint })
    }

    /// Pulls the body to a place. A body that a scene has removed is left alone.
    pub(crate) fn pull(&self, world: &mut World, to: WorldPoint) {
        if let Some(mut joint) = world.get_joint_mut(self.joint) {
            // A place out of the world is refused: the pull keeps its target.
            let _ = joint.try_set_target(to);
        }
    }

    /// Lets the body go.
    pub(crate) fn release(self, world: &mut World) {
        world.destroy_body(self.handle);
    }
}
