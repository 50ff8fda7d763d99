//! Names that users of other engines try first. The compiler answers such a guess with a warning that gives our name;
//! without these it would only say that the name does not exist. Where it can, a guess does what the name does in the
//! other engine, so a ported program runs before all of its warnings are gone. Where it cannot, it is refused with the
//! reason.
//!
//! They are methods of traits, which the prelude imports without names, so that the types themselves stay small.

/// Makes a trait of names and implements it. A macro, since a trait alone would need each head twice.
macro_rules! names {
    ($names:ident for $type:ty { $($note:literal fn $name:ident($($argument:tt)*) $(-> $result:ty)? $body:block)* }) => {
        #[doc(hidden)]
        pub trait $names: Sized {
            $(#[deprecated(note = $note)] fn $name($($argument)*) $(-> $result)?;)*
        }

        impl $names for $type {
            $(#[track_caller] fn $name($($argument)*) $(-> $result)? $body)*
        }
    };
}

mod world;
mod definitions;
mod bodies;
mod parts;

pub use bodies::{BodyMutNames, BodyRefNames};
pub use definitions::{
    BodyDefNames, DistanceNames, PrismaticNames, RevoluteNames, ShapeDefNames, WeldNames,
    WheelNames,
};
pub use parts::{JointMutNames, JointRefNames, ShapeMutNames, ShapeRefNames};
pub use world::{CharacterNames, QueryFilterNames, WorldNames};

/// Nothing implements it: a motor has a speed and a bound, which a switch alone does not give.
#[diagnostic::on_unimplemented(
    message = "use `set_motor(Some(Motor::new(speed, max_effort)))`, or `set_motor(None)` for no motor",
    label = "a motor is set as a whole"
)]
pub trait SetMotor {}

/// Nothing implements it: a limit has two bounds.
#[diagnostic::on_unimplemented(
    message = "use `set_limit(Some(Limit::new(lower, upper)))`, or `set_limit(None)` for no limit",
    label = "a limit is set as a whole"
)]
pub trait SetLimit {}

/// Nothing implements it: a spring has a stiffness and a damping.
#[diagnostic::on_unimplemented(
    message = "use `set_spring(Some(Spring::new(hertz, damping_ratio)))`, or `set_spring(None)` for no spring",
    label = "a spring is set as a whole"
)]
pub trait SetSpring {}

/// Nothing implements it: the velocity follows from the time of the step.
#[diagnostic::on_unimplemented(
    message = "use `move_to(position, angle, dt)` with the `dt` of the next step",
    label = "a motion needs position, angle and time"
)]
pub trait MoveTo {}

/// Nothing implements it: the mass follows from the shapes.
#[diagnostic::on_unimplemented(
    message = "use `ShapeDef::density` for the shapes of the body, or `set_mass` on the body",
    label = "the mass of a body follows from its shapes"
)]
pub trait SetDensity {}

/// Nothing implements it: the world knows which bodies ignore each other.
#[diagnostic::on_unimplemented(
    message = "use `world.ignore_pair(a, b, IgnoreFor::Forever)`, and `world.unignore_pair(a, b)` to end it",
    label = "the world makes two bodies ignore each other"
)]
pub trait IgnorePair {}

/// Nothing implements it: a joint is placed in the world, or has a frame on each of its bodies.
#[diagnostic::on_unimplemented(
    message = "use `at(&world, point)`, for sliding joints `at(&world, point, axis)`, or set `base.frame_a` and `base.frame_b`",
    label = "a joint has a frame on each body"
)]
pub trait PlaceJoint {}

/// Nothing implements it: the world has the query.
#[diagnostic::on_unimplemented(
    message = "use `world.shapes_at(point, QueryFilter::default())`, which finds all shapes at a point",
    label = "the world finds shapes at a point"
)]
pub trait UseShapesAt {}
