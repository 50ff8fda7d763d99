//! Bounds of the world: who has left them.

use crate::body::state::BodyPose;
use crate::event::BodyExit;
use crate::fat_box::world_box;
use crate::world::World;
use cairn2d_geometry::Aabb;

impl World {
    /// Lists the bodies simulated in this step that lie outside the bounds now, and did not when last looked at.
    pub(crate) fn report_exits(&mut self) {
        let Some(bounds) = self.def.bounds else {
            return;
        };
        for place in 0..self.scratch.awake.len() {
            let slot = self.scratch.awake[place];
            let Some(body) = self.bodies.slots.get(slot) else {
                continue;
            };
            if body.disabled || self.is_within(slot, &bounds) {
                self.outside.remove(slot);
            } else if !self.outside.contains(slot) {
                self.outside.insert(slot);
                self.events.collecting.exits.push(BodyExit {
                    body: self.bodies.slots.id_at(slot),
                    user_data: self.bodies.slots[slot].user_data,
                });
            }
        }
    }

    /// Says whether the centre of mass of the body in `slot` or a part of it lies in `bounds`, as far as boxes around its shapes tell.
    fn is_within(&self, slot: u32, bounds: &Aabb) -> bool {
        let pose: &BodyPose = &self.bodies.poses[slot as usize];
        let mut shapes = self.bodies.slots[slot].shapes.iter();
        bounds.contains_point(&pose.center.to_point())
            || shapes.any(|&shape| {
                world_box(&self.shapes.slots[shape].geometry, pose, 0.0).overlaps(bounds)
            })
    }
}
