//! Thresholds and defaults for speeds, times, masses and stiffness, each with its reason.
//!
//! Lengths are in `cairn2d_geometry::tolerance`. Values that users change per world are in [`Tuning`]; the
//! rest is constant.

use crate::error::{ValueError, limit, not_negative};
use crate::mechanisms::{Mechanism, Mechanisms};
use cairn2d_geometry::math::PI;
use cairn2d_geometry::state_record;

/// Tuning values of a world; the defaults suit bodies of 0.1 m to 10 m.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Tuning {
    /// Stiffness of contacts \[Hz\]: the rate at which an overlap is pushed out. At most
    /// [`MAX_CONTACT_HERTZ_SHARE`] of the substep rate is used, which is the limit at usual steps: 36 Hz at
    /// 60 steps of 4 substeps a second. Contacts with static bodies are twice as stiff.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub contact_hertz: f32,
    /// Damping ratio of contacts; far above 1, so that an overlap vanishes without a bounce. Below 5 large
    /// piles stay in motion, at 10 they spread by 3 mm more.
    pub contact_damping_ratio: f32,
    /// Greatest speed at which an overlap is pushed out [m/s]. Larger: deep overlaps explode.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub contact_push_speed: f32,
    /// Approach speed below which shapes do not bounce [m/s]: the speed after a fall by one slop, below which
    /// a bounce is no different from rest. Smaller: piles of nearly elastic shapes fall apart.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub restitution_threshold: f32,
    /// Approach speed from which a contact is reported as a hit [m/s]; infinite: never.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub hit_event_threshold: f32,
    /// Speed cap of bodies [m/s], applied before joints and contacts act in each substep and at the end of
    /// each step; in between, joints, contacts and impacts may move bodies faster. The default is above the
    /// speed of bullets. Larger: the motion of a step crosses whole levels, and sweeps take milliseconds.
    #[cfg_attr(feature = "serde", serde(with = "cairn2d_geometry::infinite"))]
    pub max_linear_speed: f32,
    /// Stiffness of joints \[Hz\]: the rate at which a gap between anchors is closed.
    pub joint_hertz: f32,
    /// Damping ratio of joints.
    pub joint_damping_ratio: f32,
    /// Drag of ropes, chains, bridges and nets that hang from a static or kinematic body: the rate at which their
    /// bodies lose velocity relative to that body \[1/s\]. With 0 they swing for minutes and do not fall asleep.
    ///
    /// It acts fully on 10 or more bodies that joints connect, in proportion on fewer, and not at all on 4 or fewer,
    /// so that pendulums keep their energy. It slows nothing by more than a quarter of gravity, and a rope with a heavy
    /// load by less than half of that: a wrecking ball falls and swings. It does not act where a motor drives
    /// one of the joints, nor on linkages that hang from nothing. With the default, a chain comes to rest within 8 to 15 s.
    pub linkage_drag: f32,
    /// Special mechanisms of the solver; [`Mechanisms::NONE`] is a plain solver for comparisons.
    pub mechanisms: Mechanisms,
}

state_record!(Tuning {
    contact_hertz,
    contact_damping_ratio,
    contact_push_speed,
    restitution_threshold,
    hit_event_threshold,
    max_linear_speed,
    joint_hertz,
    joint_damping_ratio,
    // Worlds in older formats have no drag.
    linkage_drag: since(3),
    mechanisms,
});

impl Default for Tuning {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Default of [`Tuning::restitution_threshold`] [m/s].
pub(crate) const RESTITUTION_THRESHOLD: f32 = 0.3;

/// Largest rotation of a body in one step, unless it allows fast rotation \[rad\].
///
/// Sweeps interpolate the rotation, and contacts are found once a step: beyond an eighth of a turn a vertex
/// can pass through a neighbor undetected.
pub const MAX_ROTATION: f32 = 0.25 * PI;

/// Time for which all bodies of an island must be slow before it falls asleep \[s\].
///
/// Longer than a body is slow at the top of its flight or a slow pendulum at its turning point. Larger:
/// settled piles cost time for longer.
pub const TIME_TO_SLEEP: f32 = 0.5;

/// Speed below which a body counts as slow, by default [m/s].
pub const SLEEP_SPEED: f32 = 0.05;

/// Largest stiffness of contacts, as a share of the substep rate.
///
/// Static deflection is proportional to the load and to the inverse square of this. At 0.125 and 4 substeps a
/// stack of 20 boxes sinks 13 mm at the bottom, at 0.15 9 mm. At 0.2 pyramids of 30 rows move sideways by 8
/// cm while they settle, at 0.25 they never come to rest: a sweep over the contacts no longer carries an
/// impulse through the pile before the next one.
pub const MAX_CONTACT_HERTZ_SHARE: f32 = 0.15;

/// Largest stiffness of joints, as a share of the substep rate. Larger than that of contacts, since joints
/// are solved before contacts and do not switch on and off.
pub(crate) const MAX_JOINT_HERTZ_SHARE: f32 = 0.25;

/// A contact that accelerates its bodies by more than this carries a load [m/s^2]. The value is less than half of
/// usual gravity.
pub(crate) const MIN_LOAD_ACCELERATION: f32 = 4.0;

/// Depth of overlap that remains in a loaded contact \[m\]: the load itself presses the shapes together by
/// that much.
pub(crate) const LOADED_DEPTH: f32 = 2.0 * cairn2d_geometry::tolerance::LINEAR_SLOP;

/// Largest coordinate \[m\].
///
/// Far enough for a toy solar system; close enough that boxes in `f32`, whose spacing there is 64 m, remain
/// useful, and that no product of coordinates overflows.
pub const MAX_COORDINATE: f64 = 1.0e9;

/// Mass up to which a body counts as massless \[kg\].
///
/// The solver multiplies two inverse masses: outside the square roots of the smallest and the largest `f32`
/// their product under- or overflows.
pub const MIN_MASS: f32 = 1.0e-15;

/// Largest mass of a body \[kg\]: see [`MIN_MASS`].
pub const MAX_MASS: f32 = 1.0e15;

/// Largest inertia of a body [kg m^2]: that of [`MAX_MASS`] at the largest size of a shape.
pub const MAX_INERTIA: f32 = 1.0e27;

/// Largest friction coefficient and rolling resistance.
///
/// Real surfaces stay below 10, and a million holds whatever the solver can hold. The largest value tried without
/// harm is 1e16; at 1e20 the product with a normal force is no longer finite.
pub const MAX_FRICTION: f32 = 1.0e6;

/// Largest coefficient of restitution.
///
/// Kickers of a pinball machine have 3 or 4. Larger: the velocity after a few bounces is no longer finite.
pub const MAX_RESTITUTION: f32 = 1.0e3;

/// Largest speed of a surface or motor [m/s] or [rad/s].
///
/// A body of this speed crosses the whole world in a second. Larger: the impulse that brings the mass [`MAX_MASS`] to it
/// comes near the end of the range of `f32`.
pub const MAX_DRIVE_SPEED: f32 = 1.0e9;

/// Longest step that is simulated \[s\]; the rest of a longer one is dropped.
///
/// After a pause of seconds a game must continue without an explosion: a quarter of a second is 15 frames,
/// the most that still looks like motion.
pub const MAX_STEP: f32 = 0.25;

/// Shortest step that is simulated \[s\]; a shorter one does nothing.
///
/// A nanosecond is the rounding error of an ordinary step, so no measurable time is lost. The reciprocal of a much
/// shorter step would not be finite, nor would the speeds that are calculated with it.
pub const MIN_STEP: f32 = 1.0e-9;

impl Tuning {
    const DEFAULT: Self = Self {
        contact_hertz: 240.0,
        contact_damping_ratio: 7.0,
        contact_push_speed: 3.0,
        restitution_threshold: RESTITUTION_THRESHOLD,
        hit_event_threshold: 1.0,
        max_linear_speed: 4000.0,
        joint_hertz: 60.0,
        joint_damping_ratio: 2.0,
        linkage_drag: 1.2,
        mechanisms: Mechanisms::ALL,
    };

    /// The defaults without special mechanisms and drag: soft contacts and joints, solved by the world's substeps, and
    /// sweeps against static shapes. The baseline that the defaults are compared with.
    pub const PLAIN: Self = Self {
        linkage_drag: 0.0,
        mechanisms: Mechanisms::NONE,
        ..Self::DEFAULT
    };

    /// Returns `true` if the world uses a mechanism.
    #[inline]
    pub(crate) const fn uses(&self, mechanism: Mechanism) -> bool {
        self.mechanisms.has(mechanism)
    }

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
        not_negative("joint_damping_ratio", self.joint_damping_ratio)?;
        not_negative("linkage_drag", self.linkage_drag)
    }
}
