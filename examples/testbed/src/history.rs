//! Times of the last steps by stage, and the chart that shows them.

use crate::theme::{FAINT, TEXT};
use cairn2d::prelude::Profile;
use eframe::egui::{
    Align2, Color32, FontId, Grid, Mesh, RichText, Sense, Shape, Stroke, Ui, pos2, vec2,
};
use std::collections::VecDeque;

/// Steps that are kept: four seconds.
const LENGTH: usize = 240;

/// Height of the chart [points].
const CHART_HEIGHT: f32 = 110.0;

/// A stage: its name, its color, and the field of a profile with its time.
type Stage = (&'static str, Color32, fn(&Profile) -> u64);

/// Stages of a step that are drawn, with their colors, the lowest first.
const STAGES: [Stage; 9] = [
    ("pairs", Color32::from_rgb(0x4e, 0x9a, 0xd9), |p| p.pairs),
    ("collide", Color32::from_rgb(0xe8, 0x9a, 0x3c), |p| {
        p.collide
    }),
    ("links", Color32::from_rgb(0xc2, 0xb7, 0x3a), |p| p.links),
    ("solve", Color32::from_rgb(0x5f, 0xb5, 0x5c), |p| p.solve),
    ("finalize", Color32::from_rgb(0x9b, 0x7f, 0xd6), |p| {
        p.finalize
    }),
    ("continuous", Color32::from_rgb(0xdd, 0x5f, 0x5f), |p| {
        p.continuous
    }),
    ("refit", Color32::from_rgb(0x3f, 0xb8, 0xb8), |p| p.refit),
    ("islands", Color32::from_rgb(0xe0, 0x7b, 0xb5), |p| {
        p.islands
    }),
    ("events", Color32::from_rgb(0x8a, 0x93, 0xa0), |p| p.events),
];

/// Time below which microseconds are easier to read [ms].
const SHORT: f32 = 0.1;

/// Returns a time in the unit that fits.
fn time_text(milliseconds: f32) -> String {
    if milliseconds < SHORT {
        format!("{:.1} \u{B5}s", 1.0e3 * milliseconds)
    } else {
        format!("{milliseconds:.2} ms")
    }
}

/// Heights at which the chart may end [ms].
const TOPS: [f32; 12] = [
    0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0,
];

/// Profiles of the last steps.
#[derive(Default)]
pub(crate) struct History {
    steps: VecDeque<Profile>,
}

fn milliseconds(nanoseconds: u64) -> f32 {
    nanoseconds as f32 * 1.0e-6
}

impl History {
    pub(crate) fn add(&mut self, profile: Profile) {
        if self.steps.len() == LENGTH {
            self.steps.pop_front();
        }
        self.steps.push_back(profile);
    }

    fn mean(&self, of: impl Fn(&Profile) -> u64) -> f32 {
        let sum: u64 = self.steps.iter().map(&of).sum();
        milliseconds(sum) / self.steps.len().max(1) as f32
    }

    /// Returns the first round height that nearly all steps fit under; single long ones are cut.
    fn top(&self) -> f32 {
        let mut times: Vec<u64> = self.steps.iter().map(|p| p.step).collect();
        times.sort_unstable();
        let long = times.get(times.len() * 19 / 20).copied().unwrap_or(0);
        let needed = 1.15 * milliseconds(long);
        TOPS.into_iter()
            .find(|&top| top >= needed)
            .unwrap_or(needed)
    }

    /// Shows the chart and, below it, the mean of each stage.
    pub(crate) fn show(&self, ui: &mut Ui) {
        let size = vec2(ui.available_width(), CHART_HEIGHT);
        let (area, _) = ui.allocate_exact_size(size, Sense::hover());
        let painter = ui.painter_at(area);
        painter.rect_filled(area, 5.0, ui.visuals().extreme_bg_color);
        let top = self.top();
        let width = area.width() / LENGTH as f32;
        let mut mesh = Mesh::default();
        let start = LENGTH - self.steps.len();
        for (i, profile) in self.steps.iter().enumerate() {
            let left = area.left() + (start + i) as f32 * width;
            let mut height = 0.0;
            for (_, color, of) in STAGES {
                let next = height + milliseconds(of(profile)) / top * area.height();
                let low = pos2(left, area.bottom() - next);
                let high = pos2(left + width, area.bottom() - height);
                mesh.add_colored_rect(eframe::egui::Rect::from_min_max(low, high), color);
                height = next;
            }
        }
        painter.add(Shape::mesh(mesh));
        for share in [0.0, 0.5] {
            let y = area.top() + share * area.height();
            let line = Stroke::new(1.0, Color32::from_white_alpha(18));
            painter.hline(area.x_range(), y, line);
            let label = time_text((1.0 - share) * top);
            let font = FontId::proportional(11.0);
            painter.text(
                pos2(area.left() + 6.0, y + 4.0),
                Align2::LEFT_TOP,
                label,
                font,
                FAINT,
            );
        }
        self.legend(ui);
    }

    fn legend(&self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.label(
                RichText::new(time_text(self.mean(|p| p.step)))
                    .strong()
                    .color(TEXT),
            );
            ui.label(
                RichText::new("a step, mean of the chart")
                    .small()
                    .color(FAINT),
            );
        });
        Grid::new("stages")
            .num_columns(2)
            .spacing(vec2(14.0, 2.0))
            .show(ui, |ui| {
                for row in STAGES.chunks(2) {
                    for (name, color, of) in row {
                        let mean = self.mean(of);
                        ui.horizontal(|ui| {
                            ui.spacing_mut().item_spacing.x = 4.0;
                            let (dot, _) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
                            ui.painter().rect_filled(dot, 2.0, *color);
                            ui.label(RichText::new(*name).small().color(FAINT));
                            ui.label(RichText::new(time_text(mean)).small());
                        });
                    }
                    ui.end_row();
                }
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_times_are_in_microseconds() {
        let texts = [0.0004, 0.0994, 0.1, 2.345].map(time_text);
        assert_eq!(texts, ["0.4 \u{B5}s", "99.4 \u{B5}s", "0.10 ms", "2.35 ms"]);
    }

    #[test]
    fn the_chart_is_as_high_as_most_steps_need() {
        let mut history = History::default();
        for i in 0..300 {
            let step = if i == 299 { 90_000_000 } else { 1_500_000 };
            let mut profile = Profile::default();
            profile.step = step;
            history.add(profile);
        }
        assert_eq!(history.steps.len(), LENGTH);
        assert_eq!(
            history.top(),
            2.0,
            "one long step does not flatten the rest"
        );
    }
}
