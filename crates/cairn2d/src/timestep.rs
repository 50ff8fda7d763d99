//! Fixed time step: converts frame times into steps of one length.

use cairn2d_dynamics::{MAX_STEP, MIN_STEP, ValueError, World};
use cairn2d_geometry::demand;

/// Converts uneven frame times into steps of one length.
///
/// It accumulates the time that was not simulated yet and computes the number of whole steps to take. The rest is a
/// fraction of a step. For smooth motion at any frame rate, draw bodies at that fraction between their last two
/// poses, with [`BodyRef::pose_within_step`](crate::BodyRef::pose_within_step).
///
/// ```
/// use cairn2d::prelude::*;
///
/// let mut world = World::default();
/// let body = world.create_body(BodyDef::kinematic().velocity(6.0, 0.0));
/// let mut time = FixedTimestep::per_second(60.0);
///
/// // A frame of 40 ms: two steps and 0.4 of a step.
/// assert_eq!(time.advance(&mut world, 0.040), 2);
/// let (place, _) = world.body(body).pose_within_step(time.alpha());
/// // The body is drawn a step late: as it was 40 ms - 1/60 s after the start.
/// assert!((place.x - 6.0 * (0.040 - 1.0 / 60.0)).abs() < 1.0e-6);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FixedTimestep {
    /// Length of a step [s].
    step: f32,
    max_steps: u32,
    /// Time that was not simulated yet \[s\].
    accumulated: f64,
}

impl FixedTimestep {
    /// Makes a time step of `step` \[s\] with no accumulated time.
    ///
    /// # Panics
    /// If `step` is shorter than [`MIN_STEP`](crate::MIN_STEP) or longer than [`MAX_STEP`](crate::MAX_STEP); [`try_new`](Self::try_new)
    /// returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn new(step: f32) -> Self {
        demand(Self::try_new(step), "make the time step")
    }

    /// Makes a time step of `step` \[s\]: see [`new`](Self::new).
    ///
    /// # Errors
    /// If `step` is shorter than [`MIN_STEP`](crate::MIN_STEP) or longer than [`MAX_STEP`](crate::MAX_STEP).
    pub fn try_new(step: f32) -> Result<Self, ValueError> {
        let name = "step";
        if !step.is_finite() {
            let value = step.into();
            return Err(ValueError::NotFinite { name, value });
        }
        if !(MIN_STEP..=MAX_STEP).contains(&step) {
            return Err(ValueError::OutOfRange {
                name,
                value: step.into(),
                min: MIN_STEP.into(),
                max: MAX_STEP.into(),
            });
        }
        let max_steps = ((MAX_STEP / step).round() as u32).max(1);
        Ok(Self {
            step,
            max_steps,
            accumulated: 0.0,
        })
    }

    /// Makes a time step of `rate` steps per second [1/s].
    ///
    /// # Panics
    /// If `rate` is not finite, or a step would be longer than [`MAX_STEP`](crate::MAX_STEP) or shorter than
    /// [`MIN_STEP`](crate::MIN_STEP); [`try_new`](Self::try_new) of `1.0 / rate` returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn per_second(rate: f32) -> Self {
        Self::new(1.0 / rate)
    }

    /// Sets the maximum number of steps per frame, at least 1. By default as many as fit into
    /// [`MAX_STEP`](crate::MAX_STEP), a quarter of a second.
    ///
    /// With fewer steps, a game that cannot keep up slows down earlier instead of stalling.
    #[must_use]
    pub fn max_steps(mut self, max_steps: u32) -> Self {
        self.max_steps = max_steps.max(1);
        self
    }

    /// Adds `elapsed` \[s\], takes the whole steps that have accumulated, and returns their number.
    ///
    /// Steps beyond the maximum are dropped: the world falls behind the frame time. An `elapsed` that is
    /// negative or NaN counts as 0, as from a clock that was set back.
    pub fn advance(&mut self, world: &mut World, elapsed: f32) -> u32 {
        let steps = self.take(elapsed);
        for _ in 0..steps {
            world.step(self.step);
        }
        steps
    }

    /// Adds `elapsed` \[s\] and returns the number of steps to take, like [`advance`](Self::advance), for
    /// callers that act before or after each step.
    #[must_use]
    pub fn take(&mut self, elapsed: f32) -> u32 {
        if elapsed > 0.0 {
            self.accumulated += f64::from(elapsed);
        }
        let step = f64::from(self.step);
        let whole = (self.accumulated / step).floor();
        if whole > f64::from(self.max_steps) {
            self.accumulated = if whole.is_finite() {
                self.accumulated % step
            } else {
                0.0
            };
            return self.max_steps;
        }
        self.accumulated -= whole * step;
        whole as u32
    }

    /// Returns the accumulated share of a step, from 0 to below 1.
    #[must_use]
    pub fn alpha(&self) -> f32 {
        let share = (self.accumulated / f64::from(self.step)) as f32;
        share.clamp(0.0, LAST_BELOW_ONE)
    }

    /// Returns the accumulated time that was not simulated yet \[s\], less than a step.
    #[must_use]
    pub fn accumulated(&self) -> f32 {
        self.accumulated as f32
    }

    /// Returns the length of a step \[s\].
    #[must_use]
    pub fn step(&self) -> f32 {
        self.step
    }

    /// Discards the accumulated time, for example after a pause or when a level was loaded.
    pub fn reset(&mut self) {
        self.accumulated = 0.0;
    }
}

/// Largest `f32` below 1.
const LAST_BELOW_ONE: f32 = 1.0 - 0.5 * f32::EPSILON;

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f32 = 1.0 / 60.0;

    #[test]
    fn lengths_that_no_world_steps_by_are_refused() {
        for step in [
            -1.0,
            0.0,
            f32::NAN,
            f32::INFINITY,
            0.5 * MIN_STEP,
            2.0 * MAX_STEP,
        ] {
            let error = FixedTimestep::try_new(step).unwrap_err().to_string();
            assert!(error.starts_with("step is "), "{error}");
        }
        assert!(FixedTimestep::try_new(MIN_STEP).is_ok());
    }

    #[test]
    fn whole_steps_are_taken_and_the_rest_is_owed() {
        let mut time = FixedTimestep::new(STEP);
        assert_eq!(time.take(STEP), 1);
        assert_eq!(time.alpha(), 0.0);
        assert_eq!(time.take(2.5 * STEP), 2);
        assert!((time.alpha() - 0.5).abs() < 1.0e-5);
        assert!((time.accumulated() - 0.5 * STEP).abs() < 1.0e-7);
        for nothing in [0.0, -2.0, f32::NAN, f32::NEG_INFINITY] {
            assert_eq!(time.take(nothing), 0, "{nothing}");
        }
        assert!((time.alpha() - 0.5).abs() < 1.0e-5);
        time.reset();
        assert_eq!(time.alpha(), 0.0);
    }

    #[test]
    fn steps_and_what_is_owed_make_up_the_time() {
        let mut time = FixedTimestep::per_second(50.0);
        let (mut passed, mut steps) = (0.0_f64, 0);
        for i in 0..10_000_u32 {
            let elapsed = 1.0e-4 * (i * 37 % 400) as f32;
            passed += f64::from(elapsed);
            steps += time.take(elapsed);
            assert!((0.0..1.0).contains(&time.alpha()));
        }
        let made_up = f64::from(steps) * f64::from(time.step()) + f64::from(time.accumulated());
        assert!((made_up - passed).abs() < 1.0e-6, "{made_up} of {passed}");
    }

    #[test]
    fn steps_beyond_the_maximum_are_dropped() {
        let mut time = FixedTimestep::new(STEP);
        assert_eq!(time.take(100.0), 15);
        assert!(time.alpha() < 1.0);
        assert_eq!(time.take(0.0), 0);
        let mut few = FixedTimestep::new(STEP).max_steps(4);
        assert_eq!(few.take(10.3 * STEP), 4);
        assert!((few.alpha() - 0.3).abs() < 1.0e-4);
        assert_eq!(few.take(f32::INFINITY), 4);
        assert_eq!(few.take(0.0), 0);
        assert_eq!(FixedTimestep::new(STEP).max_steps(0).take(1.0), 1);
    }

    #[test]
    fn invalid_steps_are_refused() {
        for step in [0.0, -STEP, f32::NAN, f32::INFINITY, 0.3] {
            assert!(FixedTimestep::try_new(step).is_err(), "{step}");
        }
        assert_eq!(FixedTimestep::new(MAX_STEP).take(1.0), 1);
    }
}
