//! Changing a world's settings between steps.

use crate::error::demand;
use crate::world::{World, WorldError};
use crate::world_def::{Switch, WorldDef};
use cairn2d_geometry::math::Vec2;

impl World {
    /// What the world was made from, with later changes.
    #[must_use]
    pub fn def(&self) -> &WorldDef {
        &self.def
    }

    /// Changes the settings of the world: take [`def`](Self::def), change it, hand it back. Other gravity wakes
    /// everything, and so does sleep that is switched off. The broad phase stays that of creation.
    ///
    /// # Panics
    /// If `def` holds nonsense; [`try_set_def`](Self::try_set_def) returns the error instead.
    #[track_caller]
    pub fn set_def(&mut self, def: WorldDef) {
        demand(self.try_set_def(def), "change the world");
    }

    /// Changes the settings of the world: see [`set_def`](Self::set_def).
    ///
    /// # Errors
    /// If `def` holds nonsense: see [`WorldDef::validate`]. The world is then unchanged.
    pub fn try_set_def(&mut self, def: WorldDef) -> Result<(), WorldError> {
        def.validate()?;
        let old = core::mem::replace(&mut self.def, def);
        self.def.broad_phase = old.broad_phase;
        if self.def.bounds != old.bounds {
            self.outside.clear();
        }
        self.follow_speed_cap();
        let stays_awake = self.def.sleeping == Switch::Off && old.sleeping == Switch::On;
        if self.def.gravity != old.gravity || stays_awake {
            self.wake_all();
        }
        Ok(())
    }

    /// Gives bodies without a speed cap of their own that of the world.
    fn follow_speed_cap(&mut self) {
        let cap = self.def.tuning.max_linear_speed;
        for (slot, body) in self.bodies.slots.iter() {
            if !body.has_own_speed_cap {
                self.bodies.motions[slot as usize].max_linear_speed = cap;
            }
        }
    }

    /// Acceleration of everything that falls [m/s^2].
    #[must_use]
    pub fn gravity(&self) -> Vec2 {
        self.def.gravity
    }

    /// Changes gravity [m/s^2] and wakes everything that it moves.
    ///
    /// # Panics
    /// If `gravity` is not finite.
    #[track_caller]
    pub fn set_gravity(&mut self, gravity: Vec2) {
        self.set_def(WorldDef {
            gravity,
            ..self.def.clone()
        });
    }
}
