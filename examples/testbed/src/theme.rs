//! Colors, spacing and fonts of the window.

use cairn2d::draw::Palette;
use eframe::egui::{
    Color32, Context, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Theme, Visuals,
    vec2,
};

/// Behind the panels.
pub(crate) const PANEL: Color32 = Color32::from_rgb(0x1d, 0x22, 0x2a);

/// Behind widgets.
const WIDGET: Color32 = Color32::from_rgb(0x2a, 0x31, 0x3c);

/// Behind a widget under the pointer.
const HOVERED: Color32 = Color32::from_rgb(0x36, 0x40, 0x4e);

/// Color of the selection.
pub(crate) const ACCENT: Color32 = Color32::from_rgb(0x4f, 0x9b, 0xe0);

/// Words.
pub(crate) const TEXT: Color32 = Color32::from_rgb(0xd7, 0xdd, 0xe4);

/// Words of less weight.
pub(crate) const FAINT: Color32 = Color32::from_rgb(0x8b, 0x96, 0xa3);

/// Lines of the grid, and those through the origin.
pub(crate) const GRID: [Color32; 2] = [
    Color32::from_rgb(0x1e, 0x23, 0x2b),
    Color32::from_rgb(0x2b, 0x32, 0x3d),
];

/// Colors of bodies and the like.
pub(crate) const PALETTE: Palette = Palette::dark();

/// Gives the window its look.
pub(crate) fn apply(ctx: &Context) {
    ctx.set_theme(Theme::Dark);
    let mut visuals = Visuals::dark();
    visuals.panel_fill = PANEL;
    visuals.window_fill = PANEL;
    visuals.extreme_bg_color = Color32::from_rgb(0x13, 0x17, 0x1d);
    visuals.override_text_color = Some(TEXT);
    visuals.selection.bg_fill = ACCENT.gamma_multiply(0.45);
    visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
    visuals.slider_trailing_fill = true;
    visuals.indent_has_left_vline = false;
    let round = CornerRadius::same(5);
    let widgets = &mut visuals.widgets;
    for (look, fill) in [
        (&mut widgets.inactive, WIDGET),
        (&mut widgets.hovered, HOVERED),
        (&mut widgets.active, HOVERED),
        (&mut widgets.open, WIDGET),
    ] {
        look.bg_fill = fill;
        look.weak_bg_fill = fill;
        look.bg_stroke = Stroke::NONE;
        look.corner_radius = round;
    }
    widgets.noninteractive.bg_stroke = Stroke::new(1.0, Color32::from_rgb(0x2c, 0x33, 0x3d));
    ctx.set_visuals_of(Theme::Dark, visuals);
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = vec2(8.0, 4.0);
        style.spacing.button_padding = vec2(8.0, 4.0);
        style.spacing.slider_width = 130.0;
        style.spacing.indent = 12.0;
        style.spacing.window_margin = Margin::same(14);
        style.text_styles = [
            (
                TextStyle::Heading,
                FontId::new(17.0, FontFamily::Proportional),
            ),
            (TextStyle::Body, FontId::new(13.5, FontFamily::Proportional)),
            (
                TextStyle::Button,
                FontId::new(13.5, FontFamily::Proportional),
            ),
            (
                TextStyle::Small,
                FontId::new(11.5, FontFamily::Proportional),
            ),
            (
                TextStyle::Monospace,
                FontId::new(12.5, FontFamily::Monospace),
            ),
        ]
        .into();
    });
}
