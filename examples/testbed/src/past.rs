//! Stages that were kept while a scene ran, and the bar to go back to them.

use crate::hand::Grip;
use crate::theme::TEXT;
use eframe::egui::{Button, RichText, Slider, Ui};
use scenes::scene::Stage;

/// Bodies in all kept stages together: 200 000 take some 200 MB.
const MAX_BODIES: usize = 200_000;

/// Numbers of stages that are kept, of any size.
const KEPT: core::ops::RangeInclusive<usize> = 16..=900;

/// Width for the words after the bar [points].
const WORDS_WIDTH: f32 = 230.0;

/// An earlier stage, with the grip of the pointer on a body of it.
struct Kept {
    stage: Stage,
    grip: Option<Grip>,
}

impl Kept {
    fn step(&self) -> u64 {
        self.stage.world.step_count()
    }
}

/// Earlier stages, at each step or, after many steps, at every second, fourth, ... of them.
pub(crate) struct Past {
    kept: Vec<Kept>,
    /// Steps between two kept stages.
    stride: u64,
}

impl Default for Past {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            stride: 1,
        }
    }
}

impl Past {
    /// Keeps the stage, if it is its turn. Stages of the same or later steps are forgotten: another future has begun.
    pub(crate) fn keep(&mut self, stage: &Stage, grip: Option<Grip>) {
        let step = stage.world.step_count();
        self.kept.retain(|kept| kept.step() < step);
        if !step.is_multiple_of(self.stride) {
            return;
        }
        let stage = stage.clone();
        self.kept.push(Kept { stage, grip });
        let bodies = self.kept[0].stage.world.body_count().max(1);
        let room = (MAX_BODIES / bodies).clamp(*KEPT.start(), *KEPT.end());
        if self.kept.len() > room {
            self.stride *= 2;
            let stride = self.stride;
            self.kept.retain(|kept| kept.step().is_multiple_of(stride));
        }
    }

    /// Returns the kept stage nearest to a step, as it was.
    pub(crate) fn at(&self, step: u64) -> Option<(Stage, Option<Grip>)> {
        let nearest = self
            .kept
            .iter()
            .min_by_key(|kept| kept.step().abs_diff(step))?;
        Some((nearest.stage.clone(), nearest.grip))
    }

    /// Returns the last step before `step` that was kept.
    pub(crate) fn before(&self, step: u64) -> Option<u64> {
        let steps = self.kept.iter().map(Kept::step);
        steps.filter(|&kept| kept < step).max()
    }

    /// Returns the last step that was kept.
    pub(crate) fn last(&self) -> u64 {
        self.kept.last().map_or(0, Kept::step)
    }
}

/// Shows the buttons and the scrub bar from step 0 to `last`; returns the step that the user chose.
pub(crate) fn scrub_bar(ui: &mut Ui, now: u64, last: u64) -> Option<u64> {
    let mut step = now;
    let targets = [
        ("Start", "First state (Home)", 0),
        ("Back", "One step back (,)", now.saturating_sub(1)),
        ("Forward", "One step (.)", now + 1),
        ("End", "Last step (End)", last),
    ];
    for (word, hint, target) in targets {
        let is_there = target == now || target > last;
        let button = ui.add_enabled(!is_there, Button::new(word));
        if button.on_hover_text(hint).clicked() {
            step = target;
        }
    }
    ui.spacing_mut().slider_width = (ui.available_width() - WORDS_WIDTH).max(100.0);
    ui.add(Slider::new(&mut step, 0..=last.max(now)).show_value(false));
    ui.label(RichText::new(format!("step {now} of {}", last.max(now))).color(TEXT));
    (step != now).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenes::registry;

    #[test]
    fn kept_stages_go_on_as_they_did() {
        let mut stage = (registry::find("readme").unwrap().build)();
        let mut past = Past::default();
        past.keep(&stage, None);
        let mut hashes = vec![stage.world.state_hash()];
        for _ in 0..30 {
            stage.step();
            past.keep(&stage, None);
            hashes.push(stage.world.state_hash());
        }
        assert_eq!((past.last(), past.before(12)), (30, Some(11)));
        let (mut stage, _) = past.at(12).unwrap();
        assert_eq!(stage.world.state_hash(), hashes[12]);
        stage.step();
        assert_eq!(stage.world.state_hash(), hashes[13]);
        past.keep(&stage, None);
        assert_eq!(past.last(), 13, "another future has begun");
    }

    #[test]
    fn long_runs_are_kept_at_fewer_steps() {
        let mut stage = (registry::find("stack").unwrap().build)();
        let mut past = Past::default();
        let steps = 2 * *KEPT.end() as u64 + 100;
        for _ in 0..steps {
            stage.step();
            past.keep(&stage, None);
        }
        assert!(past.kept.len() <= *KEPT.end());
        assert_eq!(past.stride, 4);
        assert_eq!(past.before(100), Some(96));
        assert!(past.last() + past.stride > steps);
    }
}
