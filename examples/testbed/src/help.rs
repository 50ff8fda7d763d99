//! The keys, in a window of their own.

use crate::theme::{ACCENT, FAINT};
use eframe::egui::{Align2, Context, Grid, RichText, Window};

const KEYS: [(&str, &str); 23] = [
    ("P or Space", "run or pause"),
    (".", "one step"),
    (",", "one step back"),
    ("Home and End", "first state, and last step that was seen"),
    (
        "Arrows",
        "steer the car, the character or the flippers; else one step, back and on",
    ),
    ("Click", "inspect a shape, or the anchor of a joint"),
    ("R", "restart the scene"),
    ("T", "record to a file, and end the recording"),
    ("[ and ]", "scene before, scene after"),
    ("/", "search the scenes; Enter opens the best match"),
    ("F", "show the whole scene"),
    ("Drag a body", "pull it"),
    ("Drag anything else", "move the view"),
    ("Right or middle drag", "move the view"),
    ("Wheel", "zoom"),
    ("N", "add a thing at the pointer"),
    ("B", "shoot a bullet at the pointer"),
    ("Del", "remove the body at the pointer"),
    ("C", "contacts, normals and impulses"),
    ("D", "everything that can be drawn, and back"),
    ("L", "hide or show the legend"),
    ("V", "hide or show the panels"),
    ("H", "this"),
];

pub(crate) fn show(ctx: &Context, open: &mut bool) {
    Window::new("Keys")
        .open(open)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .show(ctx, |ui| {
            Grid::new("keys")
                .num_columns(2)
                .spacing([22.0, 5.0])
                .show(ui, |ui| {
                    for (key, does) in KEYS {
                        ui.label(RichText::new(key).color(ACCENT).strong());
                        ui.label(RichText::new(does).color(FAINT));
                        ui.end_row();
                    }
                });
        });
}
