//! The pointer in the world: dragging bodies, and what lies under it.

use cairn2d::prelude::{
    BodyDef, BodyId, BodyKind, Circle, JointId, JointSoftness, MouseJointDef, Point, QueryFilter,
    ShapeDef, Vec2, World, WorldPoint,
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

/// Density of bullets, four times that of usual things [kg/m^2].
const BULLET_DENSITY: f32 = 4.0;

/// A body that is held.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grip {
    pub(crate) body: BodyId,
    /// A static body without shapes, where the pointer took hold: the frame of the pull.
    handle: BodyId,
    joint: JointId,
}

/// Returns the body under the pointer, one that moves before one that does not.
pub(crate) fn body_at(world: &World, at: WorldPoint) -> Option<BodyId> {
    let shapes = world.shapes_at(at, QueryFilter::default());
    let bodies = shapes.into_iter().map(|shape| world.shape(shape).body());
    bodies.max_by_key(|&body| world.body(body).kind() == BodyKind::Dynamic)
}

impl Grip {
    /// Takes hold of the dynamic body at `at`.
    pub(crate) fn take(world: &mut World, at: WorldPoint) -> Option<Self> {
        let body = body_at(world, at)?;
        let view = world.body(body);
        if view.kind() != BodyKind::Dynamic {
            return None;
        }
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
        Some(Self {
            body,
            handle,
            joint,
        })
    }

    /// Says whether the scene has left the body and the pull alone.
    pub(crate) fn is_alive(&self, world: &World) -> bool {
        world.get_joint(self.joint).is_some()
    }

    /// Pulls towards `at`.
    pub(crate) fn pull(&self, world: &mut World, at: WorldPoint) {
        let (Some(handle), Some(joint)) =
            (world.get_body(self.handle), world.get_joint(self.joint))
        else {
            return;
        };
        let (anchor, mut def) = (handle.to_local(at), *joint.def());
        if def.base().frame_a.anchor != anchor {
            def.base_mut().frame_a.anchor = anchor;
            world.set_joint(self.joint, def);
        }
    }

    /// Lets go.
    pub(crate) fn release(self, world: &mut World) {
        world.destroy_joint(self.joint);
        world.destroy_body(self.handle);
    }
}

/// Adds a ball at `from` that flies with `velocity` [m/s].
pub(crate) fn shoot(world: &mut World, from: WorldPoint, velocity: Vec2, radius: f32) {
    let body = world.create_body(BodyDef {
        position: from,
        velocity,
        bullet: true,
        user_data: 3,
        ..BodyDef::dynamic()
    });
    let ball = Circle::new(Point::origin(), radius);
    world.create_shape(body, ball, ShapeDef::default().density(BULLET_DENSITY));
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d::prelude::{Polygon, point};

    #[test]
    fn a_held_body_follows_the_pointer_and_is_let_go() {
        let mut world = World::default();
        let body = world.create_body(BodyDef::dynamic());
        let shape = Polygon::rectangle(0.5, 0.5);
        world.create_shape(body, shape, ShapeDef::default());
        assert!(Grip::take(&mut world, WorldPoint::from([3.0, 0.0])).is_none());
        let grip = Grip::take(&mut world, WorldPoint::from([0.2, 0.2])).unwrap();
        let target = WorldPoint::from([2.0, 3.0]);
        for _ in 0..180 {
            grip.pull(&mut world, target);
            world.step(1.0 / 60.0);
        }
        let held = world.body(body).to_world_exact(point(0.2, 0.2));
        assert!((held - target).norm() < 0.1, "{held:?}");
        assert!(grip.is_alive(&world));
        grip.release(&mut world);
        assert_eq!((world.joint_count(), world.body_count()), (0, 1));
    }
}
