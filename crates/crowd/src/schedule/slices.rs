//! Time slices: which agents decide in a step.
//!
//! Between decisions an agent keeps its chosen velocity, within its limits; contacts are settled in every step. The slice
//! depends on ids and steps alone, never on positions or threads.

use crate::hash_fields::hash_fields;
use crate::lanes::within;
use crate::limits::heading::Heading;
use crate::store::agent::Params;
use cairn2d_geometry::math::Vec2;

/// The present time slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeSlices {
    /// Number of steps in which each agent decides once, at least 1.
    interval: u32,
    /// Index of the present step among them.
    step: u32,
}

hash_fields!(TimeSlices: interval step);

impl Default for TimeSlices {
    fn default() -> Self {
        Self::every(1)
    }
}

impl TimeSlices {
    /// Returns time slices in which each agent decides once in `interval` steps.
    pub(crate) fn every(interval: u32) -> Self {
        Self { interval, step: 0 }
    }

    /// Returns the number of steps in which each agent decides once.
    pub(crate) fn interval(&self) -> u32 {
        self.interval
    }

    /// Advances to the next step.
    pub(crate) fn advance(&mut self) {
        self.step = (self.step + 1) % self.interval;
    }

    /// Returns whether an agent decides in this step, by the slot of its id.
    pub(crate) fn is_due(&self, slot: u32) -> bool {
        self.interval == 1 || slot % self.interval == self.step
    }

    /// Returns the velocity in a step of `dt` seconds of an agent that keeps a chosen velocity until its next
    /// decision [m/s].
    pub(crate) fn approach(&self, now: &Vec2, chosen: &Vec2, params: &Params, dt: f32) -> Vec2 {
        if self.interval == 1 {
            // The choice itself is reachable within one step.
            return *chosen;
        }
        let next = turned(now, chosen, params.max_turn_rate, dt);
        if params.max_acceleration.is_infinite() {
            return next;
        }
        now + within(&(next - now), params.max_acceleration * dt)
    }
}

/// Returns `chosen`, turned from `now` by no more than the limit in `dt` seconds; its speed is kept.
fn turned(now: &Vec2, chosen: &Vec2, rate: f32, dt: f32) -> Vec2 {
    let Some(heading) = Heading::limited(Vec2::zeros(), rate, dt) else {
        return *chosen;
    };
    heading.facing(now).towards(chosen) * chosen.norm()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::agent::AgentDef;
    use cairn2d_geometry::math::{sin_cos, vec2};

    #[test]
    fn each_is_on_once_in_an_interval() {
        let mut slices = TimeSlices::every(3);
        let mut turns = [0; 7];
        for _ in 0..3 {
            for (slot, turns) in turns.iter_mut().enumerate() {
                *turns += u32::from(slices.is_due(slot as u32));
            }
            slices.advance();
        }
        assert_eq!((turns, slices.step), ([1; 7], 0));
    }

    #[test]
    fn a_choice_for_several_steps_is_reached_within_the_limits_of_each() {
        let check = |def: AgentDef, want: Vec2| {
            let params = Params::from(&def);
            let (now, chosen) = (vec2(1.0, 0.0), vec2(0.0, 2.0));
            let next = TimeSlices::every(4).approach(&now, &chosen, &params, 0.1);
            assert!((next - want).norm() < 1e-6, "{next}");
            assert_eq!(
                TimeSlices::every(1).approach(&now, &chosen, &params, 0.1),
                chosen
            );
        };
        let free = AgentDef::default();
        check(free, vec2(0.0, 2.0));
        let slow_to_turn = AgentDef {
            max_turn_rate: 2.0,
            ..free
        };
        let (sin, cos) = sin_cos(0.2);
        check(slow_to_turn, vec2(2.0 * cos, 2.0 * sin));
        let slow_to_speed_up = AgentDef {
            max_acceleration: 5.0f32.sqrt(),
            ..free
        };
        check(slow_to_speed_up, vec2(0.9, 0.2));
    }
}
