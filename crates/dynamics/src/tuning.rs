//! Speeds, times and stiffnesses that the step treats as small, large or usual, each with its reason.
//!
//! Lengths live in `cairn2d_geometry::tolerance`. What a user may want to change per world is in
//! [`Tuning`]; the rest is constant.

use crate::error::{ValueError, limit, not_negative};
use cairn2d_geometry::math::PI;

/// Values that a world's behaviour is tuned with; the defaults suit things of 0.1 m to 10 m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Stiffness of contacts \[Hz\]: how fast an overlap is pushed out. At most
    /// [`MAX_CONTACT_HERTZ_SHARE`] of the substep rate is used, which decides at usual steps: 36 Hz at 60
    /// steps of 4 substeps a second. Contacts with static bodies are twice as stiff.
    pub contact_hertz: f32,
    /// Damping ratio of contacts; far above 1, so that overlap goes without bounce. Below 5 large piles are
    /// restless, at 10 they spread by 3 mm more.
    pub contact_damping_ratio: f32,
    /// Greatest speed at which an overlap is pushed out [m/s]. Larger: deep overlaps explode.
    pub contact_push_speed: f32,
    /// Approach speed below which things do not bounce [m/s]: that of a fall from the height of a slop, below which a bounce
    /// cannot be told from rest. Smaller: piles of things that lose next to nothing fall apart.
    pub restitution_threshold: f32,
    /// Approach speed from which a contact is reported as a hit [m/s]; infinite: never.
    pub hit_event_threshold: f32,
    /// Greatest speed of a body [m/s]. Faster bodies are slowed to it before joints and contacts act in each substep, and at the end of
    /// each step; in between, joints, contacts and impacts may move them faster. Above all bullets by default; larger: the way
    /// of a step crosses whole levels, and sweeping along it takes milliseconds.
    pub max_linear_speed: f32,
    /// Stiffness of joints \[Hz\]: how fast a gap between anchors is closed.
    pub joint_hertz: f32,
    /// Damping ratio of joints.
    pub joint_damping_ratio: f32,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            contact_hertz: 240.0,
            contact_damping_ratio: 7.0,
            contact_push_speed: 3.0,
            restitution_threshold: RESTITUTION_THRESHOLD,
            hit_event_threshold: 1.0,
            max_linear_speed: 4000.0,
            joint_hertz: 60.0,
            joint_damping_ratio: 2.0,
        }
    }
}

/// Speed from which on something is shot at what it meets [m/s]: a fall from 5 m. Below, contacts yield by millimetres to what stopped it.
pub(crate) const SHOT_SPEED: f32 = 10.0;

/// Usual [`Tuning::restitution_threshold`] [m/s].
pub(crate) const RESTITUTION_THRESHOLD: f32 = 0.3;

/// Greatest turn of a body in one step, unless it allows fast rotation \[rad\].
///
/// Shapes are swept by interpolating their rotation, and contacts are found once a step: beyond an
/// eighth of a turn a corner can pass through a neighbour unseen.
pub const MAX_ROTATION: f32 = 0.25 * PI;

/// Time that an island must be slow before it sleeps \[s\].
///
/// Long enough that a thing at the top of its flight or a slow pendulum at its turning point is not
/// caught; short enough that a settled pile stops costing.
pub const TIME_TO_SLEEP: f32 = 0.5;

/// Speed below which a body counts as slow, by default [m/s].
pub const SLEEP_SPEED: f32 = 0.05;

/// Greatest share of the substep rate used as the stiffness of contacts.
///
/// Contacts sink in proportion to their load and to the inverse square of this. At 0.125 and 4 substeps a stack of
/// 20 boxes sinks 13 mm at the bottom, at 0.15 9 mm. At 0.2 pyramids of 30 rows wander sideways by 8 cm while
/// they settle, at 0.25 they never come to rest: a sweep over the contacts no longer carries a push through the
/// pile before the next one.
pub const MAX_CONTACT_HERTZ_SHARE: f32 = 0.15;

/// Greatest share of the substep rate used as the stiffness of a joint: more than that of a contact, since
/// joints are solved before contacts and do not switch on and off.
pub(crate) const MAX_JOINT_HERTZ_SHARE: f32 = 0.25;

/// Acceleration that a contact gives its bodies from which on it bears a load [m/s^2]: less than half of what falls.
pub(crate) const LOADED: f32 = 4.0;

/// Depth to which what bears a load need not come out of an overlap \[m\]: it sinks in so far by itself.
pub(crate) const SUNK: f32 = 2.0 * cairn2d_geometry::tolerance::LINEAR_SLOP;

/// Greatest distance from the origin along an axis \[m\].
///
/// Far enough for a solar system of toys; close enough that boxes in `f32` keep a meaning (their
/// spacing out there is 64 m) and that no product of coordinates overflows.
pub const MAX_COORDINATE: f64 = 1.0e9;

/// Least mass that counts \[kg\]; a body with less is one without mass.
///
/// The solver multiplies two inverse masses: below the square root of the least `f32` and above that of
/// the greatest nothing is left of their product.
pub const MIN_MASS: f32 = 1.0e-15;

/// Greatest mass of a body \[kg\]: see [`MIN_MASS`].
pub const MAX_MASS: f32 = 1.0e15;

/// Greatest inertia of a body [kg m^2]: that of [`MAX_MASS`] at the greatest size of a shape.
pub const MAX_INERTIA: f32 = 1.0e27;

/// Longest step that is simulated \[s\]; what is asked for beyond it is dropped.
///
/// A game that was held up for seconds should go on, not explode: a quarter of a second is 15 frames,
/// the most that anyone takes for motion.
pub const MAX_STEP: f32 = 0.25;

impl Tuning {
    /// Checks all numbers.
    ///
    /// # Errors
    /// Names the first field that is not finite (a maximum may be infinite) or negative.
    pub fn validate(&self) -> Result<(), ValueError> {
        not_negative("contact_hertz", self.contact_hertz)?;
        not_negative("contact_damping_ratio", self.contact_damping_ratio)?;
        limit("contact_push_speed", self.contact_push_speed)?;
        not_negative("restitution_threshold", self.restitution_threshold)?;
        limit("hit_event_threshold", self.hit_event_threshold)?;
        limit("max_linear_speed", self.max_linear_speed)?;
        not_negative("joint_hertz", self.joint_hertz)?;
        not_negative("joint_damping_ratio", self.joint_damping_ratio)
    }
}
