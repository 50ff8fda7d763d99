//! The pointer in the world: it drags bodies, and finds objects under it.

use cairn2d::prelude::{
    BodyDef, BodyId, BodyKind, Circle, JointDef, JointId, JointSoftness, MouseJointDef, Point,
    QueryFilter, ShapeDef, ShapeId, Vec2, World, WorldPoint,
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

/// Selected shape or joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selected {
    Shape(ShapeId),
    Joint(JointId),
}

/// Returns the object at `at`: the joint of the nearest anchor within `reach` [m], else the shape.
pub(crate) fn select(world: &World, at: WorldPoint, reach: f32) -> Option<Selected> {
    let distance = |anchors: [WorldPoint; 2]| {
        let [a, b] = anchors.map(|anchor| (anchor - at).norm());
        a.min(b)
    };
    let has_anchors = |def: &JointDef| !matches!(def, JointDef::Gear(_) | JointDef::Filter(_));
    let joints = world.joints().filter(|joint| has_anchors(joint.def()));
    let near = joints.map(|joint| (distance(joint.anchors()), joint.id()));
    let nearest = near.min_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((distance, joint)) if distance <= reach => Some(Selected::Joint(joint)),
        _ => shape_at(world, at).map(Selected::Shape),
    }
}

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
    shape_at(world, at).map(|shape| world.shape(shape).body())
}

fn shape_at(world: &World, at: WorldPoint) -> Option<ShapeId> {
    let shapes = world.shapes_at(at, QueryFilter::default());
    let is_dynamic =
        |shape: ShapeId| world.body(world.shape(shape).body()).kind() == BodyKind::Dynamic;
    shapes.into_iter().max_by_key(|&shape| is_dynamic(shape))
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
    use cairn2d::prelude::{Polygon, RevoluteJointDef, point};

    #[test]
    fn anchors_are_selected_before_shapes() {
        let mut world = World::default();
        let wall = world.create_body(BodyDef::static_());
        let body = world.create_body(BodyDef::dynamic());
        let shape = world.create_shape(body, Polygon::rectangle(2.0, 1.0), ShapeDef::default());
        let mut pin = RevoluteJointDef::new(wall, body);
        for frame in [&mut pin.base.frame_a, &mut pin.base.frame_b] {
            frame.anchor = point(1.0, 0.0);
        }
        let pin = world.create_joint(pin);
        let at = |x: f64| select(&world, WorldPoint::from([x, 0.05]), 0.1);
        assert_eq!(at(1.0), Some(Selected::Joint(pin)));
        assert_eq!(at(0.5), Some(Selected::Shape(shape)));
        assert_eq!(at(5.0), None);
    }

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
