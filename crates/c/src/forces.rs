//! Explosions, fluids and wind.

use crate::failure::{Failure, cairn_result, call};
use crate::filter::{cairn_default_query_filter, cairn_query_filter};
use crate::handle::change;
use crate::pointer::get;
use crate::values::{
    CAIRN_FALSE, cairn_body_id, cairn_bool, cairn_box, cairn_position, cairn_vec2,
};
use crate::world::cairn_world;
use engine::{ExplosionDef, Fluid, Wind};

/// Defines an explosion. The filter's callback is not called.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cairn_explosion_def {
    /// Center [m].
    pub position: cairn_position,
    /// Distance up to which it acts in full [m].
    pub radius: f32,
    /// Distance beyond the radius over which it fades linearly to zero [m].
    pub falloff: f32,
    /// Impulse per width of a shape across the direction from the center [N s/m]; negative pulls inward.
    pub impulse_per_length: f32,
    /// Filter of the shapes on which it acts.
    pub filter: cairn_query_filter,
}

/// Returns an explosion at the origin of 1 m that acts on all shapes with 10 N s/m.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_explosion_def() -> cairn_explosion_def {
    cairn_explosion_def {
        position: cairn_position::default(),
        radius: 1.0,
        falloff: 0.0,
        impulse_per_length: 10.0,
        filter: cairn_default_query_filter(),
    }
}

/// Pushes the dynamic bodies around a point away from it.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_explode(
    world: *mut cairn_world,
    def: *const cairn_explosion_def,
) -> cairn_result {
    call(|| {
        let def = get(def, "def")?;
        let explosion = ExplosionDef {
            position: def.position.into(),
            radius: def.radius,
            falloff: def.falloff,
            impulse_per_length: def.impulse_per_length,
            filter: def.filter.to_static()?,
        };
        change(world, |world| Ok(world.try_explode(&explosion)?))
    })
}

/// Defines a fluid. The filter's callback is not called.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cairn_fluid {
    /// Point of the surface [m].
    pub surface: cairn_position,
    /// Unit vector out of the fluid.
    pub up: cairn_vec2,
    /// Velocity of the flow [m/s].
    pub velocity: cairn_vec2,
    /// Mass per area, like the density of shapes [kg/m^2].
    pub density: f32,
    /// Rate at which a submerged body takes on the velocity of the flow [1/s].
    pub linear_drag: f32,
    /// Rate at which the spin of a submerged body decays [1/s].
    pub angular_drag: f32,
    /// Whether `bounds` count.
    pub has_bounds: cairn_bool,
    /// Whether the fluid wakes sleeping bodies, for steps in which surface or flow change.
    pub wakes: cairn_bool,
    /// Box to which the fluid is confined [m].
    pub bounds: cairn_box,
    /// Filter of the shapes on which it acts.
    pub filter: cairn_query_filter,
}

impl cairn_fluid {
    fn fluid(&self) -> Result<Fluid, Failure> {
        let bounds = (self.has_bounds != CAIRN_FALSE).then(|| self.bounds.aabb("bounds"));
        Ok(Fluid {
            surface: self.surface.into(),
            up: self.up.into(),
            density: self.density,
            linear_drag: self.linear_drag,
            angular_drag: self.angular_drag,
            velocity: self.velocity.into(),
            bounds: bounds.transpose()?,
            filter: self.filter.to_static()?,
            wakes: self.wakes != CAIRN_FALSE,
        })
    }
}

/// Returns water of 1 kg/m^2 below y = 0.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_fluid_def() -> cairn_fluid {
    let fluid = Fluid::new((0.0, 0.0), 1.0);
    cairn_fluid {
        surface: fluid.surface.into(),
        up: fluid.up.into(),
        velocity: fluid.velocity.into(),
        density: fluid.density,
        linear_drag: fluid.linear_drag,
        angular_drag: fluid.angular_drag,
        has_bounds: CAIRN_FALSE,
        wakes: fluid.wakes.into(),
        bounds: cairn_box::default(),
        filter: cairn_default_query_filter(),
    }
}

/// Lets a fluid act on all bodies in it for the next step: buoyancy and drag.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_world_apply_fluid(
    world: *mut cairn_world,
    fluid: *const cairn_fluid,
) -> cairn_result {
    call(|| {
        let fluid = get(fluid, "fluid")?.fluid()?;
        change(world, |world| Ok(world.try_apply_fluid(&fluid)?))
    })
}

/// Moving air.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_wind {
    /// Velocity of the air [m/s]; zero is still air, which brakes.
    pub velocity: cairn_vec2,
    /// Drag coefficient: force along the flow.
    pub drag: f32,
    /// Lift coefficient: force across the flow.
    pub lift: f32,
    /// Mass per area of the air, like the density of shapes [kg/m^2].
    pub density: f32,
    /// Greatest relative speed [m/s], to which faster flow is reduced; may be infinite.
    pub max_speed: f32,
    /// Whether the wind wakes sleeping bodies.
    pub wakes: cairn_bool,
}

/// Returns wind of the default coefficients with a velocity [m/s].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_wind_def(x: f32, y: f32) -> cairn_wind {
    let wind = Wind::new((x, y));
    cairn_wind {
        velocity: wind.velocity.into(),
        drag: wind.drag,
        lift: wind.lift,
        density: wind.density,
        max_speed: wind.max_speed,
        wakes: wind.wakes.into(),
    }
}

/// Lets wind act on the shapes of a body for the next step.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_apply_wind(
    world: *mut cairn_world,
    body: cairn_body_id,
    wind: *const cairn_wind,
) -> cairn_result {
    call(|| {
        let wind = get(wind, "wind")?;
        let wind = Wind {
            velocity: wind.velocity.into(),
            drag: wind.drag,
            lift: wind.lift,
            density: wind.density,
            max_speed: wind.max_speed,
            wakes: wind.wakes != CAIRN_FALSE,
        };
        change(world, |world| {
            let found = world.get_body_mut(body.into());
            let mut found = found.ok_or_else(|| Failure::stale("body", body.bits))?;
            Ok(found.try_apply_wind(&wind)?)
        })
    })
}
