//! Changing a world's settings between steps.

use crate::error::demand;
use crate::world::record::call::WorldCall;
use crate::world::{World, WorldError};
use crate::world_def::WorldDef;
use cairn2d_geometry::IntoVec2;
use cairn2d_geometry::math::Vec2;

/// # Settings
impl World {
    /// Returns the definition of the world, with later changes.
    #[doc(alias = "b2World_GetGravity")]
    #[must_use]
    pub fn def(&self) -> &WorldDef {
        &self.def
    }

    /// Changes the settings of the world: pass a changed copy of [`def`](Self::def). A change of gravity
    /// wakes all bodies, and so does switching off sleep. The broad phase and the mark of ids stay those of creation.
    ///
    /// # Panics
    /// If `def` is invalid; [`try_set_def`](Self::try_set_def) returns the error instead.
    #[track_caller]
    pub fn set_def(&mut self, def: WorldDef) {
        demand(self.try_set_def(def), "change the world");
    }

    /// Changes the settings of the world: see [`set_def`](Self::set_def).
    ///
    /// # Errors
    /// If `def` is invalid: see [`WorldDef::validate`]. The world is then unchanged.
    pub fn try_set_def(&mut self, def: WorldDef) -> Result<(), WorldError> {
        def.validate()?;
        self.record_own(|| WorldCall::SetDef {
            def: Box::new(def.clone()),
        });
        let old = core::mem::replace(&mut self.def, def);
        self.def.broad_phase = old.broad_phase;
        self.def.id_mark = old.id_mark;
        if self.def.bounds != old.bounds {
            self.outside.clear();
        }
        self.follow_speed_cap();
        let stays_awake = !self.def.sleeping && old.sleeping;
        if self.def.gravity != old.gravity || stays_awake {
            self.wake_all();
        }
        Ok(())
    }

    /// Sets the speed cap of bodies without one of their own to the world's.
    fn follow_speed_cap(&mut self) {
        let cap = self.def.tuning.max_linear_speed;
        for (slot, body) in self.bodies.slots.iter() {
            if !body.has_own_speed_cap {
                self.bodies.motions[slot as usize].max_linear_speed = cap;
            }
        }
    }

    /// Returns the gravitational acceleration [m/s^2].
    #[must_use]
    pub fn gravity(&self) -> Vec2 {
        self.def.gravity
    }

    /// Changes gravity [m/s^2] and wakes all bodies.
    ///
    /// # Panics
    /// If `gravity` is not finite; [`try_set_gravity`](Self::try_set_gravity) returns the error instead.
    #[doc(alias = "b2World_SetGravity")]
    #[track_caller]
    pub fn set_gravity(&mut self, gravity: impl IntoVec2) {
        demand(self.try_set_gravity(gravity.into_vec2()), "set the gravity");
    }

    /// Like [`set_gravity`](Self::set_gravity), but returns an error instead of panicking.
    ///
    /// # Errors
    /// If `gravity` is not finite.
    pub fn try_set_gravity(&mut self, gravity: Vec2) -> Result<(), WorldError> {
        self.try_set_def(WorldDef {
            gravity,
            ..self.def.clone()
        })
    }
}
