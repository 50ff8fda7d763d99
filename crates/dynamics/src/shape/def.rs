//! What a shape on a body is made from, besides its geometry.

use crate::error::{ValueError, finite, not_negative};
use crate::material::{Filter, Material};

/// Properties of a shape on a body: plain data, reusable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeDef {
    /// Mass per area [kg/m^2]; 0 adds no mass.
    pub density: f32,
    /// Surface.
    pub material: Material,
    /// Which shapes this one meets.
    pub filter: Filter,
    /// Whether the shape only notices others and is never touched: it has no contacts.
    pub sensor: bool,
    /// For the user.
    pub user_data: u64,
}

impl Default for ShapeDef {
    fn default() -> Self {
        Self {
            density: 1.0,
            material: Material::default(),
            filter: Filter::default(),
            sensor: false,
            user_data: 0,
        }
    }
}

impl ShapeDef {
    /// Starts a definition of a sensor: it notices what overlaps it, and adds its mass but touches nothing.
    #[must_use]
    pub fn sensor() -> Self {
        Self {
            sensor: true,
            ..Self::default()
        }
    }

    /// Sets which shapes this one meets.
    #[must_use]
    pub fn filter(mut self, filter: Filter) -> Self {
        self.filter = filter;
        self
    }

    /// Sets the surface.
    #[must_use]
    pub fn material(mut self, material: Material) -> Self {
        self.material = material;
        self
    }

    /// Attaches a number for the user.
    #[must_use]
    pub fn user_data(mut self, user_data: u64) -> Self {
        self.user_data = user_data;
        self
    }

    /// Sets the mass per area [kg/m^2].
    #[must_use]
    pub fn density(mut self, density: f32) -> Self {
        self.density = density;
        self
    }

    /// Sets the Coulomb coefficient.
    #[must_use]
    pub fn friction(mut self, friction: f32) -> Self {
        self.material.friction = friction;
        self
    }

    /// Sets the share of the approach speed that is given back.
    #[must_use]
    pub fn restitution(mut self, restitution: f32) -> Self {
        self.material.restitution = restitution;
        self
    }

    /// Checks all numbers.
    ///
    /// # Errors
    /// Names the first field that is not finite, or negative where that makes no sense.
    pub fn validate(&self) -> Result<(), ValueError> {
        not_negative("density", self.density)?;
        check_material(&self.material)
    }
}

/// Checks the numbers of a material.
pub(crate) fn check_material(material: &Material) -> Result<(), ValueError> {
    not_negative("friction", material.friction)?;
    not_negative("restitution", material.restitution)?;
    not_negative("rolling_resistance", material.rolling_resistance)?;
    finite("surface_speed", material.surface_speed)
}
