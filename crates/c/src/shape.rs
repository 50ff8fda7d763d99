//! Shapes of bodies.

use crate::body::find as find_body;
use crate::failure::{Failure, cairn_result, call};
use crate::filter::cairn_filter;
use crate::geometry::{cairn_geometry, describe};
use crate::handle::{change, read};
use crate::pointer::{array, check_result, fill, get, get_optional, put};
use crate::values::{
    CAIRN_FALSE, cairn_body_id, cairn_bool, cairn_box, cairn_shape_id, cairn_vec2,
    points as points_of,
};
use crate::world::cairn_world;
use engine::{Chain, ChainKind, Material, MixRule, ShapeDef, ShapeId, ShapeMut, ShapeRef, World};

/// How the coefficients of two surfaces are mixed.
pub type cairn_mix_rule = u32;

/// The rule of the other surface; by default the geometric mean for friction, the maximum for restitution.
pub const CAIRN_MIX_DEFAULT: cairn_mix_rule = 0;
/// The mean of the two.
pub const CAIRN_MIX_AVERAGE: cairn_mix_rule = 1;
/// The root of their product.
pub const CAIRN_MIX_GEOMETRIC_MEAN: cairn_mix_rule = 2;
/// The smaller.
pub const CAIRN_MIX_MINIMUM: cairn_mix_rule = 3;
/// Their product.
pub const CAIRN_MIX_PRODUCT: cairn_mix_rule = 4;
/// The larger.
pub const CAIRN_MIX_MAXIMUM: cairn_mix_rule = 5;

/// Surface of a shape.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_material {
    /// Coefficient of friction.
    pub friction: f32,
    /// Coefficient of restitution, usually 0 to 1.
    pub restitution: f32,
    /// Mix rule for friction: see cairn_mix_rule.
    pub friction_rule: cairn_mix_rule,
    /// Mix rule for restitution.
    pub restitution_rule: cairn_mix_rule,
    /// Rolling resistance as a share of the radius.
    pub rolling_resistance: f32,
    /// Speed of the surface along the outline, counter-clockwise around the shape: a conveyor belt [m/s].
    pub surface_speed: f32,
    /// Direction in the body's frame in which shapes pass through this one; its length does not matter. (0, 0): solid from
    /// all sides.
    pub one_way: cairn_vec2,
    /// Identifier of the material, for the caller.
    pub user_id: u64,
}

/// Defines a shape: start from cairn_default_shape_def().
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_shape_def {
    /// Surface.
    pub material: cairn_material,
    /// Selects the shapes with which this one collides.
    pub filter: cairn_filter,
    /// For the caller.
    pub user_data: u64,
    /// Mass per area [kg/m^2]; 0 adds no mass.
    pub density: f32,
    /// Mean normal force in a step above which a contact of this shape is listed in cairn_world_contact_forces() [N];
    /// infinite: never.
    pub force_event_threshold: f32,
    /// Whether the shape only detects overlaps: a sensor has no contacts.
    pub sensor: cairn_bool,
    /// Whether the pre-solve callback is called for the contacts of this shape.
    pub pre_solve: cairn_bool,
}

fn rule(rule: cairn_mix_rule, name: &str) -> Result<Option<MixRule>, Failure> {
    Ok(Some(match rule {
        CAIRN_MIX_DEFAULT => return Ok(None),
        CAIRN_MIX_AVERAGE => MixRule::Average,
        CAIRN_MIX_GEOMETRIC_MEAN => MixRule::GeometricMean,
        CAIRN_MIX_MINIMUM => MixRule::Minimum,
        CAIRN_MIX_PRODUCT => MixRule::Product,
        CAIRN_MIX_MAXIMUM => MixRule::Maximum,
        rule => return Err(Failure::unknown(name, rule)),
    }))
}

const fn rule_of(rule: Option<MixRule>) -> cairn_mix_rule {
    match rule {
        Some(MixRule::Average) => CAIRN_MIX_AVERAGE,
        Some(MixRule::GeometricMean) => CAIRN_MIX_GEOMETRIC_MEAN,
        Some(MixRule::Minimum) => CAIRN_MIX_MINIMUM,
        Some(MixRule::Product) => CAIRN_MIX_PRODUCT,
        Some(MixRule::Maximum) => CAIRN_MIX_MAXIMUM,
        _ => CAIRN_MIX_DEFAULT,
    }
}

impl cairn_material {
    fn material(&self) -> Result<Material, Failure> {
        Ok(Material {
            friction: self.friction,
            restitution: self.restitution,
            friction_rule: rule(self.friction_rule, "friction_rule")?,
            restitution_rule: rule(self.restitution_rule, "restitution_rule")?,
            rolling_resistance: self.rolling_resistance,
            surface_speed: self.surface_speed,
            one_way: (self.one_way != cairn_vec2::default()).then(|| self.one_way.into()),
            user_id: self.user_id,
        })
    }
}

impl From<Material> for cairn_material {
    fn from(material: Material) -> Self {
        Self {
            friction: material.friction,
            restitution: material.restitution,
            friction_rule: rule_of(material.friction_rule),
            restitution_rule: rule_of(material.restitution_rule),
            rolling_resistance: material.rolling_resistance,
            surface_speed: material.surface_speed,
            one_way: material.one_way.map_or_else(Default::default, Into::into),
            user_id: material.user_id,
        }
    }
}

impl From<ShapeDef> for cairn_shape_def {
    fn from(def: ShapeDef) -> Self {
        Self {
            material: def.material.into(),
            filter: def.filter.into(),
            user_data: def.user_data,
            density: def.density,
            force_event_threshold: def.force_event_threshold,
            sensor: def.sensor.into(),
            pre_solve: def.pre_solve.into(),
        }
    }
}

impl cairn_shape_def {
    fn def(&self) -> Result<ShapeDef, Failure> {
        Ok(ShapeDef {
            density: self.density,
            material: self.material.material()?,
            filter: self.filter.into(),
            sensor: self.sensor != CAIRN_FALSE,
            pre_solve: self.pre_solve != CAIRN_FALSE,
            force_event_threshold: self.force_event_threshold,
            user_data: self.user_data,
        })
    }
}

/// Returns the definition of a solid shape.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_shape_def() -> cairn_shape_def {
    ShapeDef::default().into()
}

fn optional_def(def: *const cairn_shape_def) -> Result<ShapeDef, Failure> {
    get_optional(def, "def")?.map_or_else(|| Ok(ShapeDef::default()), |def| def.def())
}

pub(crate) fn find(world: &World, shape: cairn_shape_id) -> Result<ShapeRef<'_>, Failure> {
    let found = world.get_shape(shape.into());
    found.ok_or_else(|| Failure::stale("shape", shape.bits))
}

fn edit(
    world: *mut cairn_world,
    shape: cairn_shape_id,
    edit: impl FnOnce(&mut ShapeMut<'_>) -> Result<(), Failure>,
) -> cairn_result {
    call(|| {
        change(world, |world| {
            let found = world.get_shape_mut(shape.into());
            edit(&mut found.ok_or_else(|| Failure::stale("shape", shape.bits))?)
        })
    })
}

/// Attaches a shape to a body and writes its id; a null `shape` declines the id, a null `def` is the default.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_shape_create(
    world: *mut cairn_world,
    body: cairn_body_id,
    geometry: *const cairn_geometry,
    def: *const cairn_shape_def,
    shape: *mut cairn_shape_id,
) -> cairn_result {
    call(|| {
        let geometry = get(geometry, "geometry")?.shape()?;
        let def = optional_def(def)?;
        if !shape.is_null() {
            check_result(shape, "shape")?;
        }
        change(world, |world| {
            let id = world.try_create_shape(body.into(), geometry, def)?;
            crate::pointer::put_optional(shape, id.into(), "shape")
        })
    })
}

/// Kind of a chain of segments.
pub type cairn_chain_kind = u32;

/// A line from the first point to the last. Shapes collide with it from the right side of that direction only.
pub const CAIRN_CHAIN_OPEN: cairn_chain_kind = 0;
/// A closed line. Counter-clockwise points enclose a solid region, clockwise points a room.
pub const CAIRN_CHAIN_LOOP: cairn_chain_kind = 1;
/// A line of ground, from left to right or from right to left. Shapes collide with it from above only.
pub const CAIRN_CHAIN_GROUND: cairn_chain_kind = 2;
/// A line from the first point to the last, solid from both sides.
pub const CAIRN_CHAIN_TWO_SIDED: cairn_chain_kind = 3;

/// Attaches a chain of segments through `points` [m] to a body; bodies slide over its joints without bumps. Writes the ids of
/// the segments. If the buffer is too small, the chain exists nevertheless.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_shape_create_chain(
    world: *mut cairn_world,
    body: cairn_body_id,
    kind: cairn_chain_kind,
    points: *const cairn_vec2,
    point_count: usize,
    def: *const cairn_shape_def,
    buffer: *mut cairn_shape_id,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        let corners = points_of(array(points, point_count, "points")?);
        let chain = match kind {
            CAIRN_CHAIN_OPEN => Chain::try_new(&corners, ChainKind::Open)?,
            CAIRN_CHAIN_LOOP => Chain::try_new(&corners, ChainKind::Loop)?,
            CAIRN_CHAIN_GROUND => Chain::try_ground(&corners)?,
            CAIRN_CHAIN_TWO_SIDED => Chain::try_two_sided(&corners, ChainKind::Open)?,
            kind => return Err(Failure::unknown("kind", kind)),
        };
        let def = optional_def(def)?;
        // The buffer is checked before the chain exists.
        let none: [cairn_shape_id; 0] = [];
        fill(none, buffer, capacity, count)?;
        change(world, |world| {
            let shapes = world.try_create_chain(body.into(), &chain, def)?;
            let ids = shapes.into_iter().map(cairn_shape_id::from);
            fill(ids, buffer, capacity, count)
        })
    })
}

/// Destroys a shape.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_shape_destroy(
    world: *mut cairn_world,
    shape: cairn_shape_id,
) -> cairn_result {
    call(|| {
        change(world, |world| {
            find(world, shape)?;
            world.destroy_shape(shape.into());
            Ok(())
        })
    })
}

/// Writes the body of a shape.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_shape_get_body(
    world: *const cairn_world,
    shape: cairn_shape_id,
    body: *mut cairn_body_id,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            put(body, find(world, shape)?.body().into(), "body")
        })
    })
}

/// Writes the definition of a shape with its present settings.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_shape_get_def(
    world: *const cairn_world,
    shape: cairn_shape_id,
    def: *mut cairn_shape_def,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let shape = find(world, shape)?;
            let now = ShapeDef {
                density: shape.density(),
                material: shape.material(),
                filter: shape.filter(),
                sensor: shape.is_sensor(),
                pre_solve: shape.asks_pre_solve(),
                force_event_threshold: shape.force_event_threshold(),
                user_data: shape.user_data(),
            };
            put(def, now.into(), "def")
        })
    })
}

/// Changes all settings of a shape, but not its geometry.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_shape_set_def(
    world: *mut cairn_world,
    shape: cairn_shape_id,
    def: *const cairn_shape_def,
) -> cairn_result {
    edit(world, shape, |shape| {
        let def = get(def, "def")?.def()?;
        def.validate()?;
        let now = shape.as_ref();
        let (density, sensor) = (now.density(), now.is_sensor());
        let filter = now.filter();
        shape.try_set_material(def.material)?;
        shape.try_set_force_event_threshold(def.force_event_threshold)?;
        if density != def.density {
            shape.try_set_density(def.density)?;
        }
        if filter != def.filter {
            shape.set_filter(def.filter);
        }
        if sensor != def.sensor {
            shape.set_sensor(def.sensor);
        }
        shape.set_pre_solve(def.pre_solve);
        shape.set_user_data(def.user_data);
        Ok(())
    })
}

/// Writes the geometry of a shape. The corners of a polygon go to `buffer`, to which `geometry.points` then points;
/// `count` receives their number.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_shape_get_geometry(
    world: *const cairn_world,
    shape: cairn_shape_id,
    geometry: *mut cairn_geometry,
    buffer: *mut cairn_vec2,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let shape = find(world, shape)?.geometry();
            put(
                geometry,
                describe(shape, buffer, capacity, count)?,
                "geometry",
            )
        })
    })
}

/// Replaces the geometry of a shape.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_shape_set_geometry(
    world: *mut cairn_world,
    shape: cairn_shape_id,
    geometry: *const cairn_geometry,
) -> cairn_result {
    edit(world, shape, |shape| {
        let geometry = get(geometry, "geometry")?.shape()?;
        Ok(shape.try_set_geometry(geometry)?)
    })
}

/// Lets a shape take part (1), or not (0).
#[unsafe(no_mangle)]
pub extern "C" fn cairn_shape_set_enabled(
    world: *mut cairn_world,
    shape: cairn_shape_id,
    enabled: cairn_bool,
) -> cairn_result {
    edit(world, shape, |shape| {
        if enabled == CAIRN_FALSE {
            shape.disable();
        } else {
            shape.enable();
        }
        Ok(())
    })
}

/// Writes the box around a shape [m].
#[unsafe(no_mangle)]
pub extern "C" fn cairn_shape_get_box(
    world: *const cairn_world,
    shape: cairn_shape_id,
    bounds: *mut cairn_box,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            put(bounds, find(world, shape)?.aabb().into(), "bounds")
        })
    })
}

/// Writes the shapes that overlap a sensor.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_shape_get_overlaps(
    world: *const cairn_world,
    sensor: cairn_shape_id,
    buffer: *mut cairn_shape_id,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let overlaps = find(world, sensor)?.overlaps();
            fill(overlaps.map(cairn_shape_id::from), buffer, capacity, count)
        })
    })
}

/// Writes 1 to `exists` if the id names a shape of this world, otherwise 0.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_shape_exists(
    world: *const cairn_world,
    shape: cairn_shape_id,
    exists: *mut cairn_bool,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let id: ShapeId = shape.into();
            put(exists, world.get_shape(id).is_some().into(), "exists")
        })
    })
}

/// Writes the box around all shapes of a body [m]. Fails with CAIRN_WRONG_STATE if it has none.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_body_get_box(
    world: *const cairn_world,
    body: cairn_body_id,
    bounds: *mut cairn_box,
) -> cairn_result {
    call(|| {
        read(world, |world| {
            let aabb = find_body(world, body)?.aabb();
            let aabb = aabb.ok_or_else(|| Failure::state("the body has no shape"))?;
            put(bounds, aabb.into(), "bounds")
        })
    })
}
