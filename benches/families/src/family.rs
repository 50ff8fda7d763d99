//! A family: the constructor of its scenes, and their limits.

use crate::conditions::Draw;
use crate::measure::Measures;
use crate::scene::Scene;

/// Limits of a run's measures: the criterion of a family. Infinite: any value.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// See [`Measures`].
    pub speed: f64,
    /// See [`Measures`].
    pub gain: f64,
    /// See [`Measures`].
    pub error: f64,
    /// See [`Measures`].
    pub gap: f64,
    /// See [`Measures`].
    pub limit: f64,
    /// See [`Measures`].
    pub overlap: f64,
    /// See [`Measures`].
    pub shift: f64,
    /// See [`Measures`].
    pub thrown: f64,
    /// Nothing may fall or pass, if `true`.
    pub stands: bool,
    /// Slowest step relative to the mean step.
    pub spike: f64,
}

impl Limits {
    /// Anything but falls and passages.
    pub(crate) const STANDS: Self = Self {
        speed: f64::INFINITY,
        gain: f64::INFINITY,
        error: f64::INFINITY,
        gap: f64::INFINITY,
        limit: f64::INFINITY,
        overlap: f64::INFINITY,
        shift: f64::INFINITY,
        thrown: f64::INFINITY,
        stands: true,
        spike: f64::INFINITY,
    };

    /// Returns `true` if a run exceeds a limit that is no time.
    #[must_use]
    pub fn are_exceeded(&self, m: &Measures) -> bool {
        m.speed > self.speed
            || m.gain > self.gain
            || m.error > self.error
            || m.gap > self.gap
            || m.limit > self.limit
            || m.overlap > self.overlap
            || m.shift > self.shift
            || m.thrown > self.thrown
            || self.stands && m.fallen + m.passed > 0.0
    }

    /// Returns `true` if the slowest step exceeds its limit.
    #[must_use]
    pub fn has_spike(&self, m: &Measures) -> bool {
        m.slowest > self.spike * m.mean
    }
}

/// A family of scenes.
#[derive(Clone, Copy)]
pub struct Family {
    /// Name for the command line.
    pub name: &'static str,
    /// Description of its scenes.
    pub title: &'static str,
    /// The limits in words.
    pub criterion: &'static str,
    /// The criterion.
    pub limits: Limits,
    /// One in this many of the requested seeds is run; above 1 for slow scenes.
    pub rarity: u64,
    pub(crate) build: fn(&mut Draw) -> Scene,
}
