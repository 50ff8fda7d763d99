//! Characters that walk, climb steps and slide.

use crate::body::find as find_body;
use crate::failure::{Failure, cairn_result, call};
use crate::filter::{body_kinds, cairn_body_kinds, cairn_query_filter, kinds_of, with_filter};
use crate::geometry::cairn_geometry;
use crate::handle::{change, read};
use crate::pointer::{check_result, fill, get, put};
use crate::values::{
    CAIRN_FALSE, cairn_body_id, cairn_bool, cairn_position, cairn_shape_id, cairn_vec2, finite,
    number, position,
};
use crate::world::cairn_world;
use engine::{CharacterController, CharacterHit, CharacterMove, Footing, Mover, QueryFilter};

/// Support of a character.
pub type cairn_footing = u32;

/// Nothing supports it.
pub const CAIRN_AIR: cairn_footing = 0;
/// It is on a slope that is too steep.
pub const CAIRN_SLOPE: cairn_footing = 1;
/// It stands.
pub const CAIRN_GROUND: cairn_footing = 2;

/// How a character walks: start from cairn_default_character_def().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct cairn_character_def {
    /// Up direction; any length but 0.
    pub up: cairn_vec2,
    /// Gap to all surfaces, 0.001 to 0.1 [m].
    pub skin: f32,
    /// Steepest slope that it walks up [rad].
    pub max_climb_angle: f32,
    /// Slope from which it slides down [rad].
    pub min_slide_angle: f32,
    /// Greatest height of steps that it climbs [m]; 0: none.
    pub max_step_height: f32,
    /// Least depth of free space on top of a step [m].
    pub min_step_width: f32,
    /// Distance by which it follows ground that falls away below it [m]; 0: it does not.
    pub snap_distance: f32,
    /// Mass with which it pushes the dynamic bodies that it runs into [kg]; 0: it pushes none.
    pub push_mass: f32,
    /// Kinds of bodies that it steps onto: see cairn_body_kinds.
    pub step_onto: cairn_body_kinds,
    /// Whether the ground carries it.
    pub ride: cairn_bool,
    /// Filter of the shapes that are solid to it.
    pub filter: cairn_query_filter,
}

/// Returns a character that walks as in most games and pushes nothing.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_default_character_def() -> cairn_character_def {
    let def = CharacterController::default();
    cairn_character_def {
        up: def.up.into(),
        skin: def.skin,
        max_climb_angle: def.max_climb_angle,
        min_slide_angle: def.min_slide_angle,
        max_step_height: def.max_step_height,
        min_step_width: def.min_step_width,
        snap_distance: def.snap_distance,
        push_mass: 0.0,
        step_onto: kinds_of(def.step_onto),
        ride: def.ride.into(),
        filter: crate::filter::cairn_default_query_filter(),
    }
}

impl cairn_character_def {
    fn controller<'a>(&self, filter: QueryFilter<'a>) -> Result<CharacterController<'a>, Failure> {
        Ok(CharacterController {
            up: self.up.into(),
            skin: self.skin,
            max_climb_angle: self.max_climb_angle,
            min_slide_angle: self.min_slide_angle,
            max_step_height: self.max_step_height,
            min_step_width: self.min_step_width,
            step_onto: body_kinds(self.step_onto, "step_onto")?,
            snap_distance: self.snap_distance,
            ride: self.ride != CAIRN_FALSE,
            filter,
        })
    }
}

/// A shape that a character ran into.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_character_hit {
    /// The shape.
    pub shape: cairn_shape_id,
    /// Its body.
    pub body: cairn_body_id,
    /// Where it was hit [m].
    pub point: cairn_position,
    /// Unit normal of the surface, towards the character.
    pub normal: cairn_vec2,
    /// Speed at which the character ran into it [m/s].
    pub approach: f32,
    /// Length of the way that it blocked [m].
    pub blocked: f32,
}

impl From<&CharacterHit> for cairn_character_hit {
    fn from(hit: &CharacterHit) -> Self {
        Self {
            shape: hit.shape.into(),
            body: hit.body.into(),
            point: hit.point.into(),
            normal: hit.normal.into(),
            approach: hit.approach,
            blocked: hit.blocked,
        }
    }
}

/// What a character did.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct cairn_character_move {
    /// Shape on which it stands; bits of 0: it does not stand.
    pub ground_shape: cairn_shape_id,
    /// Body on which it stands.
    pub ground_body: cairn_body_id,
    /// Point on which it stands [m].
    pub ground_point: cairn_position,
    /// Unit normal of the ground.
    pub ground_normal: cairn_vec2,
    /// Velocity of the ground [m/s].
    pub ground_velocity: cairn_vec2,
    /// Way that it went, that of the ground included [m].
    pub translation: cairn_vec2,
    /// Support at the end: see cairn_footing.
    pub footing: cairn_footing,
    /// No meaning; keeps the size free of gaps.
    pub reserved: u32,
}

impl From<&CharacterMove> for cairn_character_move {
    fn from(walk: &CharacterMove) -> Self {
        let none = Self {
            ground_shape: cairn_shape_id::default(),
            ground_body: cairn_body_id::default(),
            ground_point: cairn_position::default(),
            ground_normal: cairn_vec2::default(),
            ground_velocity: cairn_vec2::default(),
            translation: walk.translation.into(),
            footing: match walk.footing {
                Footing::Ground => CAIRN_GROUND,
                Footing::Slope => CAIRN_SLOPE,
                _ => CAIRN_AIR,
            },
            reserved: 0,
        };
        walk.ground.as_ref().map_or(none, |ground| Self {
            ground_shape: ground.shape.into(),
            ground_body: ground.body.into(),
            ground_point: ground.point.into(),
            ground_normal: ground.normal.into(),
            ground_velocity: ground.velocity.into(),
            ..none
        })
    }
}

/// Gives a kinematic body the velocity with which it moves as a character by (`dx`, `dy`) [m] in the next step of `dt` seconds,
/// and writes what it will do and what it runs into. If
/// the buffer of hits is too small, the body moves nevertheless.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_character_move_body(
    world: *mut cairn_world,
    def: *const cairn_character_def,
    body: cairn_body_id,
    dx: f32,
    dy: f32,
    dt: f32,
    walk: *mut cairn_character_move,
    buffer: *mut cairn_character_hit,
    capacity: usize,
    count: *mut usize,
) -> cairn_result {
    call(|| {
        let def = get(def, "def")?;
        let desired = finite(dx, dy, "translation")?;
        if !(def.push_mass >= 0.0 && def.push_mass.is_finite()) {
            return Err(Failure::value("push_mass is negative or not finite"));
        }
        check_result(walk, "walk")?;
        let none: [cairn_character_hit; 0] = [];
        fill(none, buffer, capacity, count)?;
        change(world, |world| {
            find_body(world, body)?;
            let done = with_filter(Some(def.filter), |filter| {
                let controller = def.controller(filter)?;
                let done = controller.try_move_body(world, body.into(), desired, dt)?;
                if def.push_mass > 0.0 {
                    controller.push(world, &done, def.push_mass, dt);
                }
                Ok(done)
            })?;
            put(walk, (&done).into(), "walk")?;
            fill(
                done.hits.iter().map(cairn_character_hit::from),
                buffer,
                capacity,
                count,
            )
        })
    })
}

/// Finds how a character of a geometry at a position [m] and angle [rad] would move by (`dx`, `dy`) [m] in `dt` seconds,
/// without changing the world. It pushes nothing.
#[unsafe(no_mangle)]
pub extern "C" fn cairn_character_walk(
    world: *const cairn_world,
    def: *const cairn_character_def,
    geometry: *const cairn_geometry,
    x: f64,
    y: f64,
    angle: f32,
    dx: f32,
    dy: f32,
    dt: f32,
    walk: *mut cairn_character_move,
) -> cairn_result {
    call(|| {
        let def = get(def, "def")?;
        let shape = get(geometry, "geometry")?.shape()?;
        let mover = Mover {
            angle: number(angle, "angle")?,
            ..Mover::new(&shape, position(x, y)?)
        };
        let desired = finite(dx, dy, "translation")?;
        read(world, |world| {
            let done = with_filter(Some(def.filter), |filter| {
                Ok(def
                    .controller(filter)?
                    .try_walk(world, &mover, desired, dt)?)
            })?;
            put(walk, (&done).into(), "walk")
        })
    })
}
