//! Shift of the world's origin: relative positions stay.

use crate::body::def::check_position;
use crate::body::grid;
use crate::error::demand;
use crate::joint::JointDef;
use crate::world::record::call::WorldCall;
use crate::world::{World, WorldError};
use cairn2d_geometry::math::WorldPoint;

/// # Moving the origin
impl World {
    /// Makes `origin` \[m\] the new origin: all bodies, the wheels of pulleys and the bounds move by its
    /// negative. Velocities, contacts, sleep and events do not change. Each coordinate is rounded once, in
    /// `f64`: whole meters are exact.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, World};
    ///
    /// let mut world = World::default();
    /// let body = world.create_body(BodyDef::dynamic().position(1001.0, 0.0));
    /// world.shift_origin((1000.0, 0.0));
    /// assert_eq!(world.body(body).position().x, 1.0);
    /// ```
    ///
    /// # Panics
    /// If a body or the wheel of a pulley would leave the world; [`try_shift_origin`](Self::try_shift_origin) returns the error
    /// instead.
    #[track_caller]
    pub fn shift_origin(&mut self, origin: impl Into<WorldPoint>) {
        demand(self.try_shift_origin(origin), "shift the origin");
    }

    /// Makes `origin` \[m\] the new origin: see [`shift_origin`](Self::shift_origin).
    ///
    /// # Errors
    /// If `origin` is not finite, or a body or the wheel of a pulley would leave the world. The world is then unchanged.
    pub fn try_shift_origin(&mut self, origin: impl Into<WorldPoint>) -> Result<(), WorldError> {
        let origin = origin.into();
        check_position("origin", origin)?;
        for (slot, _) in self.bodies.slots.iter() {
            let center = self.bodies.poses[slot as usize].center;
            check_position("position", relative_to(center, origin))?;
        }
        for (_, joint) in self.joints.slots.iter() {
            if let JointDef::Pulley(pulley) = &joint.def {
                check_position("wheel_a of a pulley", relative_to(pulley.wheel_a, origin))?;
                check_position("wheel_b of a pulley", relative_to(pulley.wheel_b, origin))?;
            }
        }
        self.record_own(|| WorldCall::ShiftOrigin { origin });
        for slot in 0..self.bodies.slots.bound() as u32 {
            if self.bodies.slots.get(slot).is_some() {
                let center = &mut self.bodies.poses[slot as usize].center;
                *center = grid::nearest(relative_to(*center, origin));
                self.replace_boxes(slot);
            }
        }
        self.shift_wheels(origin);
        self.shift_bounds(origin);
        Ok(())
    }

    fn shift_bounds(&mut self, origin: WorldPoint) {
        if let Some(bounds) = &mut self.def.bounds {
            for corner in [&mut bounds.min, &mut bounds.max] {
                *corner = relative_to(WorldPoint::from(*corner), origin).to_point();
            }
        }
    }

    /// Moves the wheels of pulleys: the only points that joints store in the world's frame.
    fn shift_wheels(&mut self, origin: WorldPoint) {
        for slot in 0..self.joints.slots.bound() as u32 {
            if self.joints.slots.get(slot).is_none() {
                continue;
            }
            if let JointDef::Pulley(pulley) = &mut self.joints.slots[slot].def {
                pulley.wheel_a = relative_to(pulley.wheel_a, origin);
                pulley.wheel_b = relative_to(pulley.wheel_b, origin);
                self.joints.sims[slot as usize].configure(&self.joints.slots[slot].def);
            }
        }
    }
}

/// Returns the coordinates of `point` relative to `origin`.
fn relative_to(point: WorldPoint, origin: WorldPoint) -> WorldPoint {
    WorldPoint {
        x: point.x - origin.x,
        y: point.y - origin.y,
    }
}
