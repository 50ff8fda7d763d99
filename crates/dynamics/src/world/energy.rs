//! Mechanical energy of bodies and of the whole world.

use crate::world::World;

impl World {
    /// Returns the kinetic energy of all enabled bodies \[J\], summed in order of slot.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, World};
    /// use cairn2d_geometry::Polygon;
    ///
    /// let mut world = World::default();
    /// let crate_ = world.create_body(BodyDef::dynamic().position(0.0, 3.0).velocity(2.0, 0.0));
    /// world.create_shape(crate_, Polygon::rectangle(0.5, 0.5), ShapeDef::default());
    /// // 1 kg at 2 m/s, 3 m above the origin in a gravity of 10 m/s^2.
    /// assert_eq!((world.kinetic_energy(), world.potential_energy()), (2.0, 30.0));
    /// ```
    #[must_use]
    pub fn kinetic_energy(&self) -> f64 {
        self.sum_of_enabled(|slot| self.kinetic_energy_of(slot))
    }

    /// Returns the potential energy of all enabled bodies in the gravity of the world \[J\], summed in order of
    /// slot; 0 is at the world's origin. Springs of joints and of contacts are not counted.
    #[must_use]
    pub fn potential_energy(&self) -> f64 {
        self.sum_of_enabled(|slot| self.potential_energy_of(slot))
    }

    fn sum_of_enabled(&self, energy: impl Fn(u32) -> f64) -> f64 {
        let enabled = self.bodies.slots.iter().filter(|(_, body)| !body.disabled);
        // Begins at +0: the standard sum of no numbers is -0.
        enabled.fold(0.0, |sum, (slot, _)| sum + energy(slot))
    }

    pub(crate) fn kinetic_energy_of(&self, slot: u32) -> f64 {
        let body = self.body_at(slot);
        let (velocity, spin) = (body.velocity(), f64::from(body.angular_velocity()));
        let [x, y] = [velocity.x, velocity.y].map(f64::from);
        let [mass, inertia] = [body.mass(), body.inertia()].map(f64::from);
        0.5 * (mass * (x * x + y * y) + inertia * spin * spin)
    }

    pub(crate) fn potential_energy_of(&self, slot: u32) -> f64 {
        let body = self.body_at(slot);
        let (center, gravity) = (body.center_exact(), self.def.gravity);
        let weight = f64::from(body.mass()) * f64::from(body.gravity_scale());
        let along = f64::from(gravity.x) * center.x + f64::from(gravity.y) * center.y;
        // Not -weight * along: a body without weight has +0.
        0.0 - weight * along
    }
}
