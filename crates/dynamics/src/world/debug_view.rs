//! Read access for debug drawing: nodes of the broad phase, colors of the constraint graph.

use crate::graph::{GraphPlace, NO_COLOR};
use crate::world::{ContactRef, JointRef, World};
use cairn2d_geometry::Aabb;

/// # For debug drawing
impl World {
    /// Calls `visit` with the level and the box \[m\] of each node of the trees of the broad phase, lowest
    /// levels first. A broad phase without trees has no nodes.
    pub fn visit_tree_boxes(&self, visit: impl FnMut(usize, &Aabb)) {
        self.broad.visit_nodes(visit);
    }
}

impl ContactRef<'_> {
    /// Returns the color of the contact in the constraint graph, [`OVERFLOW_COLOR`] for a contact without
    /// color: constraints of one color share no dynamic body. `None` while the contact is not solved, as in a
    /// sleeping island.
    #[must_use]
    pub fn color(&self) -> Option<u32> {
        color_of(self.world.contacts.slots[self.slot].graph)
    }
}

impl JointRef<'_> {
    /// Returns the color of the joint in the constraint graph: see [`ContactRef::color`].
    #[must_use]
    pub fn color(&self) -> Option<u32> {
        color_of(self.world.joints.slots[self.slot].graph)
    }
}

/// Color number of constraints that found no color and are solved one after the other.
pub const OVERFLOW_COLOR: u32 = crate::graph::OVERFLOW as u32;

fn color_of(place: GraphPlace) -> Option<u32> {
    (place.color != NO_COLOR).then_some(place.color.into())
}

#[cfg(test)]
mod tests {
    use crate::body::def::BodyDef;
    use crate::joint::RevoluteJointDef;
    use crate::shape::def::ShapeDef;
    use crate::world::World;
    use cairn2d_geometry::Polygon;

    /// Two boxes side by side on the ground, pinned together.
    fn pinned_pair() -> World {
        let mut world = World::default();
        let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
        let floor = Polygon::rectangle(10.0, 1.0);
        world.create_shape(ground, floor, ShapeDef::default());
        let bodies = [0.0, 1.5].map(|x| {
            let body = world.create_body(BodyDef::dynamic().position(x, 0.5));
            let shape = Polygon::rectangle(0.5, 0.5);
            world.create_shape(body, shape, ShapeDef::default());
            body
        });
        let mut pin = RevoluteJointDef::new(bodies[0], bodies[1]);
        [pin.base.frame_a, pin.base.frame_b] =
            world.joint_frames(bodies[0], bodies[1], [0.75, 0.5], 0.0);
        world.create_joint(pin);
        world
    }

    #[test]
    fn constraints_on_one_body_differ_in_color_and_lose_it_asleep() {
        let mut world = pinned_pair();
        world.step(1.0 / 60.0);
        let joint = world.joints().next().unwrap().color();
        assert!(joint.is_some());
        assert_eq!(world.contacts().count(), 2);
        assert_eq!(
            world.counters().tree_height,
            1,
            "up to eight boxes make one level"
        );
        for contact in world.contacts() {
            assert_ne!(contact.color(), joint);
            assert!(contact.color().is_some());
        }
        for _ in 0..120 {
            world.step(1.0 / 60.0);
        }
        assert!(world.bodies().all(|body| !body.is_awake()));
        assert!(world.contacts().all(|contact| contact.color().is_none()));
        assert_eq!(world.joints().next().unwrap().color(), None);
    }

    #[test]
    fn tree_boxes_hold_the_boxes_of_all_shapes() {
        let world = pinned_pair();
        let mut boxes = Vec::new();
        world.visit_tree_boxes(|_, aabb| boxes.push(*aabb));
        for shape in world.shapes() {
            let held = boxes.iter().any(|aabb| aabb.contains(&shape.fat_box()));
            assert!(held, "{:?}", shape.id());
        }
    }
}
