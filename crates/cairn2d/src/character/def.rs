//! The settings of a character controller.

use crate::numbers::{finite, not_negative, within};
use cairn2d_dynamics::{BodyKinds, QueryFilter, ShapeId, ValueError};
use cairn2d_geometry::math::{PI, Vec2};

/// Moves a shape through a world without forces, as a character of a game: it slides along walls, climbs
/// slopes and steps up to a limit, follows the ground downhill, rides on platforms, and never enters solid
/// shapes.
///
/// Plain settings without state: each call computes one step. Gravity, jumps and speeds are up to the caller.
///
/// ```
/// use cairn2d::prelude::*;
///
/// let mut world = World::default();
/// let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
/// world.create_shape(ground, Polygon::rectangle(20.0, 1.0), ShapeDef::default());
/// let hero = world.create_body(BodyDef::kinematic().position(0.0, 2.0));
/// let trunk = Capsule::new(point(0.0, -0.5), point(0.0, 0.5), 0.4);
/// world.create_shape(hero, trunk, ShapeDef::default());
///
/// let controller = CharacterController::default();
/// let (dt, mut fall) = (1.0 / 60.0, 0.0);
/// for _ in 0..120 {
///     fall -= 10.0 * dt;
///     let walk = controller.move_body(&mut world, hero, vec2(2.0, fall) * dt, dt);
///     if walk.is_grounded() {
///         fall = 0.0;
///     }
///     world.step(dt);
/// }
/// let at = world.body(hero).position();
/// assert!((at.y - (0.9 + controller.skin)).abs() < 1.0e-3);
/// assert!(at.x > 3.9);
/// ```
///
/// The lifetime is that of the predicate of [`accept`](Self::accept). A struct that stores the settings has a
/// field of type `CharacterController<'static>`, and calls `accept` where the predicate is needed.
#[doc(alias("KinematicCharacterController", "CharacterBody2D"))]
#[doc(alias = "move_and_slide")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CharacterController<'a> {
    /// Up direction; any length but 0.
    pub up: Vec2,
    /// Gap to all surfaces, 0.001 to 0.1 \[m\]. Smaller: rounding makes the character stick. Larger: it
    /// visibly floats.
    pub skin: f32,
    /// Steepest slope that it walks up, 0 to a quarter turn \[rad\]. Steeper slopes stop it like walls.
    pub max_climb_angle: f32,
    /// Slope from which it slides down without input, 0 to a quarter turn \[rad\]; on gentler slopes it
    /// stands still.
    pub min_slide_angle: f32,
    /// Maximum height of steps that it climbs without a jump \[m\]; 0: none.
    pub max_step_height: f32,
    /// Minimum depth of free space on top of a step \[m\].
    pub min_step_width: f32,
    /// Kinds of bodies that it steps onto.
    pub step_onto: BodyKinds,
    /// Distance by which it follows ground that falls away below it \[m\]; 0: it does not.
    pub snap_distance: f32,
    /// Whether the ground carries it.
    pub ride: bool,
    /// Filter of the shapes that are solid to it.
    pub filter: QueryFilter<'a>,
}

impl Default for CharacterController<'_> {
    fn default() -> Self {
        Self {
            up: Vec2::new(0.0, 1.0),
            skin: 0.01,
            max_climb_angle: 0.25 * PI,
            min_slide_angle: PI / 6.0,
            max_step_height: 0.0,
            min_step_width: 0.2,
            step_onto: BodyKinds::ALL,
            snap_distance: 0.2,
            ride: true,
            filter: QueryFilter::default(),
        }
    }
}

/// Minimum skin \[m\]: a thousand times the rounding of a coordinate of some meters.
const MIN_SKIN: f32 = 0.001;

/// Maximum skin \[m\]: a tenth of the size of a character.
const MAX_SKIN: f32 = 0.1;

impl<'a> CharacterController<'a> {
    /// Sets the steepest slope that the character walks up, and the slope from which it slides down \[rad\].
    #[must_use]
    pub fn slopes(mut self, max_climb: f32, min_slide: f32) -> Self {
        self.max_climb_angle = max_climb;
        self.min_slide_angle = min_slide;
        self
    }

    /// Sets the maximum height of steps that the character climbs, and the minimum depth of free space on top
    /// \[m\].
    #[must_use]
    pub fn steps(mut self, max_height: f32, min_width: f32) -> Self {
        self.max_step_height = max_height;
        self.min_step_width = min_width;
        self
    }

    /// Sets the filter of the shapes that are solid to the character.
    #[must_use]
    pub fn filter(mut self, filter: QueryFilter<'a>) -> Self {
        self.filter = filter;
        self
    }

    /// Makes only those shapes solid that `predicate` accepts: see [`QueryFilter::accept`]. To drop through a one-way
    /// platform, reject it.
    #[must_use]
    pub fn accept<'b>(
        self,
        predicate: &'b (dyn Fn(ShapeId) -> bool + Sync),
    ) -> CharacterController<'b>
    where
        'a: 'b,
    {
        CharacterController {
            filter: self.filter.accept(predicate),
            ..self
        }
    }

    /// Checks all numbers.
    ///
    /// # Errors
    /// Names the first field that is not finite, negative where it must not be, or out of range.
    pub fn validate(&self) -> Result<(), ValueError> {
        finite("up.x", self.up.x)?;
        finite("up.y", self.up.y)?;
        within("length of up", self.up.norm(), f32::MIN_POSITIVE, f32::MAX)?;
        within("skin", self.skin, MIN_SKIN, MAX_SKIN)?;
        within("max_climb_angle", self.max_climb_angle, 0.0, 0.5 * PI)?;
        within("min_slide_angle", self.min_slide_angle, 0.0, 0.5 * PI)?;
        not_negative("max_step_height", self.max_step_height)?;
        not_negative("min_step_width", self.min_step_width)?;
        not_negative("snap_distance", self.snap_distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_named() {
        let good = CharacterController::default();
        assert_eq!(good.validate(), Ok(()));
        let up = |x, y| CharacterController {
            up: Vec2::new(x, y),
            ..good
        };
        let bad = [
            (up(0.0, 0.0), "length of up"),
            (up(0.0, f32::NAN), "up.y"),
            (CharacterController { skin: 0.0, ..good }, "skin"),
            (good.slopes(2.0, 0.1), "max_climb_angle"),
            (good.slopes(0.1, -1.0), "min_slide_angle"),
            (good.steps(-0.1, 0.2), "max_step_height"),
            (good.steps(0.1, f32::INFINITY), "min_step_width"),
        ];
        for (controller, name) in bad {
            let error = controller.validate().unwrap_err().to_string();
            assert!(error.starts_with(name), "{error}");
        }
    }
}
