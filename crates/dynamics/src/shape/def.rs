//! Definition of a shape on a body, besides its geometry.

use crate::error::{ValueError, finite_up_to, limit, not_negative, not_negative_up_to};
use crate::material::{Filter, Material};
use crate::tuning::{MAX_DRIVE_SPEED, MAX_FRICTION, MAX_RESTITUTION};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{IntoVec2, state_record};

/// Properties of a shape on a body: plain data, reusable.
#[doc(alias("b2ShapeDef", "ColliderBuilder", "b2FixtureDef"))]
#[doc(alias("Collider2D", "CollisionShape2D"))]
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct ShapeDef {
    /// Mass per area [kg/m^2]; 0 adds no mass.
    pub density: f32,
    /// Surface.
    pub material: Material,
    /// Selects the shapes that this one collides with.
    pub filter: Filter,
    /// Whether the shape only detects overlaps: a sensor has no contacts.
    pub sensor: bool,
    /// Whether the world's pre-solve hook is called for the contacts of this shape: see
    /// [`World::set_pre_solve`](crate::World::set_pre_solve).
    pub pre_solve: bool,
    /// Mean normal force in a step above which a contact of this shape is listed in
    /// [`World::contact_forces`](crate::World::contact_forces) \[N\]; infinite: never. The smaller threshold
    /// of two shapes applies.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub force_event_threshold: f32,
    /// A number for your own use.
    pub user_data: u64,
}

state_record!(ShapeDef {
    density,
    material,
    filter,
    sensor,
    pre_solve,
    force_event_threshold,
    user_data,
});

impl Default for ShapeDef {
    fn default() -> Self {
        Self {
            density: 1.0,
            material: Material::default(),
            filter: Filter::default(),
            sensor: false,
            pre_solve: false,
            force_event_threshold: f32::INFINITY,
            user_data: 0,
        }
    }
}

impl ShapeDef {
    /// Starts the definition of a sensor, which detects overlaps and adds its mass, but has no contacts.
    #[doc(alias("isSensor", "is_trigger", "isTrigger", "Area2D"))]
    #[must_use]
    pub fn sensor() -> Self {
        Self {
            sensor: true,
            ..Self::default()
        }
    }

    /// Sets which shapes this one collides with.
    #[doc(alias("collision_groups", "collision_layer", "layer"))]
    #[doc(alias = "categoryBits")]
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

    /// Attaches a number for your own use.
    #[must_use]
    pub fn user_data(mut self, user_data: u64) -> Self {
        self.user_data = user_data;
        self
    }

    /// Sets the mass per area [kg/m^2].
    #[doc(alias = "mass")]
    #[must_use]
    pub fn density(mut self, density: f32) -> Self {
        self.density = density;
        self
    }

    /// Sets the Coulomb coefficient.
    #[doc(alias("absorbent", "PhysicsMaterial2D"))]
    #[must_use]
    pub fn friction(mut self, friction: f32) -> Self {
        self.material.friction = friction;
        self
    }

    /// Sets the restitution.
    #[doc(alias("bounciness", "bounce"))]
    #[must_use]
    pub fn restitution(mut self, restitution: f32) -> Self {
        self.material.restitution = restitution;
        self
    }

    /// Makes the shape one-way: bodies pass through in this direction of the body's frame, and only the side
    /// to which it points is solid.
    #[doc(alias("PlatformEffector2D", "one_way_collision"))]
    #[doc(alias = "oneWay")]
    #[must_use]
    pub fn one_way(mut self, direction: impl IntoVec2) -> Self {
        self.material.one_way = Some(direction.into_vec2());
        self
    }

    /// Sets the speed of the surface along the outline, counter-clockwise around the shape [m/s].
    #[doc(alias("tangentSpeed", "SurfaceEffector2D"))]
    #[doc(alias = "constant_linear_velocity")]
    #[must_use]
    pub fn surface_speed(mut self, speed: f32) -> Self {
        self.material.surface_speed = speed;
        self
    }

    /// Sets the resistance to rolling, as a share of the radius.
    #[must_use]
    pub fn rolling_resistance(mut self, resistance: f32) -> Self {
        self.material.rolling_resistance = resistance;
        self
    }

    /// Calls the world's pre-solve hook for the contacts of this shape.
    #[must_use]
    pub fn pre_solve(mut self) -> Self {
        self.pre_solve = true;
        self
    }

    /// Lists the contacts of this shape whenever their normal force is above `force` \[N\]: see
    /// [`World::contact_forces`](crate::World::contact_forces).
    #[must_use]
    pub fn force_event_threshold(mut self, force: f32) -> Self {
        self.force_event_threshold = force;
        self
    }

    /// Checks all numbers.
    ///
    /// # Errors
    /// Names the first field that is not finite (a threshold may be infinite), is negative where that is invalid, or is
    /// beyond its bound: see [`Material`].
    pub fn validate(&self) -> Result<(), ValueError> {
        not_negative("density", self.density)?;
        limit("force_event_threshold", self.force_event_threshold)?;
        check_material(&self.material)
    }
}

/// Checks the numbers of a material.
pub(crate) fn check_material(material: &Material) -> Result<(), ValueError> {
    not_negative_up_to("friction", material.friction, MAX_FRICTION)?;
    not_negative_up_to("restitution", material.restitution, MAX_RESTITUTION)?;
    not_negative_up_to(
        "rolling_resistance",
        material.rolling_resistance,
        MAX_FRICTION,
    )?;
    finite_up_to("surface_speed", material.surface_speed, MAX_DRIVE_SPEED)?;
    let direction = material.one_way.unwrap_or(Vec2::new(0.0, 1.0));
    let value = f64::from(direction.norm());
    if (MIN_DIRECTION..=MAX_DIRECTION).contains(&value) {
        return Ok(());
    }
    Err(ValueError::OutOfRange {
        name: "length of one_way",
        value,
        min: MIN_DIRECTION,
        max: MAX_DIRECTION,
    })
}

/// Smallest length of a direction vector: its square is a normal number in `f32`.
const MIN_DIRECTION: f64 = 1.0e-12;

/// Largest length of a direction vector: see [`MIN_DIRECTION`].
const MAX_DIRECTION: f64 = 1.0e12;
