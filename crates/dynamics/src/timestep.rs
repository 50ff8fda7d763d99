//! Time of the screen into steps of one length: an account of what is owed.

use crate::error::{ValueError, demand, finite};
use crate::tuning::MAX_STEP;
use crate::world::World;

/// Turns the uneven time of frames into steps of one length.
///
/// It keeps account of the time that has passed and was not simulated yet, and says how many whole steps to take. What is left over is a
/// share of a step: draw bodies that far between their last two poses, with
/// [`BodyRef::pose_within_step`](crate::BodyRef::pose_within_step), and they move smoothly at any frame rate.
///
/// ```
/// use cairn2d_dynamics::{BodyDef, FixedTimestep, World};
///
/// let mut world = World::default();
/// let body = world.create_body(BodyDef::kinematic().velocity(6.0, 0.0));
/// let mut time = FixedTimestep::per_second(60.0);
///
/// // A frame of 40 ms: two steps, and 0.4 of one left.
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
    /// Time that was not simulated yet [s].
    owed: f64,
}

impl FixedTimestep {
    /// Makes an account of steps of `step` \[s\], with nothing owed.
    ///
    /// # Panics
    /// If `step` is not positive or longer than [`MAX_STEP`](crate::MAX_STEP); [`try_new`](Self::try_new) returns the error instead.
    #[must_use]
    #[track_caller]
    pub fn new(step: f32) -> Self {
        demand(Self::try_new(step), "step so")
    }

    /// Makes an account of steps of `step` \[s\]: see [`new`](Self::new).
    ///
    /// # Errors
    /// If `step` is not positive or longer than [`MAX_STEP`](crate::MAX_STEP).
    pub fn try_new(step: f32) -> Result<Self, ValueError> {
        let name = "step";
        finite(name, step)?;
        if !(f32::MIN_POSITIVE..=MAX_STEP).contains(&step) {
            return Err(ValueError::OutOfRange {
                name,
                value: step.into(),
                min: f32::MIN_POSITIVE.into(),
                max: MAX_STEP.into(),
            });
        }
        let max_steps = ((MAX_STEP / step).round() as u32).max(1);
        Ok(Self {
            step,
            max_steps,
            owed: 0.0,
        })
    }

    /// Makes an account of `rate` steps a second.
    ///
    /// # Panics
    /// If `rate` is not finite, or a step would be longer than [`MAX_STEP`](crate::MAX_STEP).
    #[must_use]
    #[track_caller]
    pub fn per_second(rate: f32) -> Self {
        Self::new(1.0 / rate)
    }

    /// Sets the greatest number of steps taken for one frame, at least 1. Without it, about as many as make up
    /// [`MAX_STEP`](crate::MAX_STEP), a quarter of a second.
    ///
    /// Fewer: a game that cannot keep up slows down sooner, and does not stall on the way.
    #[must_use]
    pub fn max_steps(mut self, max_steps: u32) -> Self {
        self.max_steps = max_steps.max(1);
        self
    }

    /// Lets `elapsed` \[s\] pass: takes the whole steps that are owed. Returns their number.
    ///
    /// Steps beyond the greatest number are dropped: the world falls behind and does not try to catch up. Time that is negative or no
    /// number, as from a clock that was set back, counts as none.
    pub fn advance(&mut self, world: &mut World, elapsed: f32) -> u32 {
        let steps = self.take(elapsed);
        for _ in 0..steps {
            world.step(self.step);
        }
        steps
    }

    /// Lets `elapsed` \[s\] pass and returns how many steps the caller is to take: [`advance`](Self::advance), for who has something to do
    /// before or after each step.
    #[must_use]
    pub fn take(&mut self, elapsed: f32) -> u32 {
        if elapsed > 0.0 {
            self.owed += f64::from(elapsed);
        }
        let step = f64::from(self.step);
        let whole = (self.owed / step).floor();
        if whole > f64::from(self.max_steps) {
            self.owed = if whole.is_finite() {
                self.owed % step
            } else {
                0.0
            };
            return self.max_steps;
        }
        self.owed -= whole * step;
        whole as u32
    }

    /// Share of a step that is left over, from 0 to below 1.
    #[must_use]
    pub fn alpha(&self) -> f32 {
        let share = (self.owed / f64::from(self.step)) as f32;
        share.clamp(0.0, LAST_BELOW_ONE)
    }

    /// Time that has passed and was not simulated yet \[s\]: less than a step.
    #[must_use]
    pub fn accumulated(&self) -> f32 {
        self.owed as f32
    }

    /// Length of a step \[s\].
    #[must_use]
    pub fn step(&self) -> f32 {
        self.step
    }

    /// Forgets the time that is owed: after a pause, or when another level was loaded.
    pub fn reset(&mut self) {
        self.owed = 0.0;
    }
}

/// Greatest `f32` below 1.
const LAST_BELOW_ONE: f32 = 1.0 - 0.5 * f32::EPSILON;

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: f32 = 1.0 / 60.0;

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
    fn held_up_game_goes_on_and_does_not_catch_up() {
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
    fn steps_of_nonsense_are_refused() {
        for step in [0.0, -STEP, f32::NAN, f32::INFINITY, 0.3] {
            assert!(FixedTimestep::try_new(step).is_err(), "{step}");
        }
        assert_eq!(FixedTimestep::new(MAX_STEP).take(1.0), 1);
    }
}
