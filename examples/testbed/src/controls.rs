//! All controls: transport, knobs of the scene, world, layers, tools, and the times of the step.

use crate::inspector;
use crate::play::{Play, Settings, Thing, USUAL_HERTZ};
use crate::theme::FAINT;
use cairn2d::draw::{DrawOptions, Layer};
use cairn2d::prelude::{Counters, vec2};
use eframe::egui::{
    Button, CollapsingHeader, ComboBox, DragValue, Grid, RichText, ScrollArea, Slider, Ui,
};
use scenes::scene::Knob;

/// Most threads of the slider; more than most machines have.
const MAX_THREADS: u32 = 16;

/// Share of a range that is no change.
const ROUNDING: f32 = 1.0e-5;

/// Decimals of measured values.
const DECIMALS: usize = 2;

/// Most substeps of the slider.
const MAX_SUBSTEPS: u32 = 16;

/// Bodies that the pointer and the keys add to the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tools {
    pub(crate) thing: Thing,
    /// Half the size of a thing, and the radius of a bullet [m].
    pub(crate) size: f32,
    /// Of a bullet [m/s].
    pub(crate) speed: f32,
}

impl Default for Tools {
    fn default() -> Self {
        Self {
            thing: Thing::Box,
            size: 0.4,
            speed: 60.0,
        }
    }
}

/// Requests of the user for the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wishes {
    pub(crate) fit: bool,
    pub(crate) help: bool,
}

/// Shows the controls.
pub(crate) fn show(
    ui: &mut Ui,
    play: &mut Play,
    options: &mut DrawOptions,
    tools: &mut Tools,
) -> Wishes {
    let wishes = transport(ui, play);
    ui.separator();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let is_scene = play.tape.is_none();
        if is_scene && !play.scene.knobs.is_empty() {
            section(ui, "Scene", true, |ui| knobs(ui, play));
        }
        section(ui, "Inspector", true, |ui| inspector::show(ui, play));
        section(ui, "Draw", true, |ui| layers(ui, options));
        if is_scene {
            section(ui, "World", true, |ui| world(ui, play));
            section(ui, "Profile", true, |ui| play.history.show(ui));
        }
        section(ui, "Counters", true, |ui| counters(ui, play));
        if is_scene {
            section(ui, "Tools", false, |ui| tool_box(ui, tools));
        }
    });
    wishes
}

fn section(ui: &mut Ui, title: &str, open: bool, contents: impl FnOnce(&mut Ui)) {
    CollapsingHeader::new(RichText::new(title).strong())
        .default_open(open)
        .show_unindented(ui, |ui| {
            contents(ui);
            ui.add_space(6.0);
        });
}

fn transport(ui: &mut Ui, play: &mut Play) -> Wishes {
    let mut wishes = Wishes::default();
    ui.add_space(6.0);
    ui.horizontal_wrapped(|ui| {
        let word = if play.paused { "Run" } else { "Pause" };
        if button(ui, (word, "Space"), "Run or pause (also P)") {
            play.paused = !play.paused;
        }
        if button(ui, ("Step", "."), "One step; a comma goes back") {
            play.paused = true;
            play.step();
        }
        if button(ui, ("Restart", "R"), "Build the scene anew") {
            play.restart();
        }
        if play.tape.is_none() {
            let word = if play.is_recording() {
                "Stop"
            } else {
                "Record"
            };
            if button(ui, (word, "T"), "Record to a file, or end the recording") {
                play.switch_recording(None);
            }
        }
        wishes.fit = button(ui, ("Fit", "F"), "Show the whole scene");
        wishes.help = button(ui, ("Keys", "H"), "All keys");
    });
    wishes
}

/// Shows a button with its key.
fn button(ui: &mut Ui, (word, key): (&str, &str), hint: &str) -> bool {
    let button = Button::new(word).shortcut_text(key);
    ui.add(button).on_hover_text(hint).clicked()
}

/// Shows the numbers that the scene can be built with; a change builds it anew.
fn knobs(ui: &mut Ui, play: &mut Play) {
    let mut changed = false;
    for (knob, value) in play.scene.knobs.iter().zip(&mut play.values) {
        changed |= knob_slider(ui, knob, value);
    }
    let usual = play.scene.usual_values();
    let reset = ui.add_enabled(play.values != usual, Button::new("As in the picture"));
    if reset.clicked() {
        play.values = usual;
        changed = true;
    }
    if changed {
        play.restart();
    }
}

fn knob_slider(ui: &mut Ui, knob: &Knob, value: &mut f32) -> bool {
    let is_switch = knob.step >= knob.high - knob.low;
    if is_switch {
        let mut on = *value > 0.5 * (knob.low + knob.high);
        let changed = ui.checkbox(&mut on, knob.title).changed();
        *value = if on { knob.high } else { knob.low };
        return changed;
    }
    let before = *value;
    let slider = Slider::new(value, knob.low..=knob.high).text(knob.title);
    let slider = if knob.step == 1.0 {
        slider.integer()
    } else {
        slider.max_decimals(DECIMALS)
    };
    ui.add(slider);
    // A slider rounds its value: that alone is no change.
    let changed = (*value - before).abs() > ROUNDING * (knob.high - knob.low);
    if !changed {
        *value = before;
    }
    changed
}

fn layers(ui: &mut Ui, options: &mut DrawOptions) {
    let mut shown = options.layers;
    Grid::new("layers")
        .num_columns(2)
        .spacing([14.0, 3.0])
        .show(ui, |ui| {
            for (i, layer) in Layer::ALL.iter().copied().enumerate() {
                let mut on = shown.contains(layer);
                if ui.checkbox(&mut on, layer.title()).changed() {
                    shown = if on {
                        shown.with(layer)
                    } else {
                        shown.without(layer)
                    };
                }
                if i % 2 == 1 {
                    ui.end_row();
                }
            }
        });
    options.layers = shown;
    if shown.contains(Layer::Impulses) {
        let scale = Slider::new(&mut options.impulse_scale, 0.01..=10.0);
        ui.add(scale.logarithmic(true).text("impulses [m/(N s)]"));
    }
    if shown.contains(Layer::Velocities) {
        let time = Slider::new(&mut options.velocity_time, 0.01..=1.0);
        ui.add(time.logarithmic(true).text("velocities [s]"));
    }
}

fn world(ui: &mut Ui, play: &mut Play) {
    let mut settings = play.settings;
    ui.add(
        Slider::new(&mut play.hertz, 15.0..=240.0)
            .integer()
            .text("steps a second"),
    );
    ui.add(
        Slider::new(&mut play.pace, 0.05..=2.0)
            .logarithmic(true)
            .text("pace"),
    );
    ui.add(Slider::new(&mut settings.substeps, 1..=MAX_SUBSTEPS).text("substeps"));
    ui.add(Slider::new(&mut settings.threads, 1..=MAX_THREADS).text("threads"));
    gravity(ui, &mut settings);
    ui.horizontal(|ui| {
        ui.checkbox(&mut settings.sleeping, "Sleep");
        ui.checkbox(&mut settings.continuous, "Continuous");
        ui.checkbox(&mut settings.warm_starting, "Warm start");
    });
    if settings != play.settings {
        play.settings = settings;
        play.apply_settings();
    }
    if ui.button("As in the scene").clicked() {
        play.reset_settings();
    }
}

fn gravity(ui: &mut Ui, settings: &mut Settings) {
    let [mut x, mut y] = [settings.gravity.x, settings.gravity.y];
    ui.horizontal(|ui| {
        for value in [&mut x, &mut y] {
            ui.add(DragValue::new(value).range(-50.0..=50.0).speed(0.1));
        }
        ui.label("gravity x, y [m/s\u{B2}]");
        if ui.button("flip").clicked() {
            [x, y] = [-x, -y];
        }
    });
    settings.gravity = vec2(x, y);
}

fn tool_box(ui: &mut Ui, tools: &mut Tools) {
    ComboBox::from_label("thing to add (N)")
        .selected_text(tools.thing.title())
        .show_ui(ui, |ui| {
            for thing in Thing::ALL {
                ui.selectable_value(&mut tools.thing, thing, thing.title());
            }
        });
    ui.add(
        Slider::new(&mut tools.size, 0.05..=3.0)
            .logarithmic(true)
            .text("half size [m]"),
    );
    ui.add(
        Slider::new(&mut tools.speed, 5.0..=400.0)
            .logarithmic(true)
            .text("bullet (B) [m/s]"),
    );
}

type Row = (&'static str, fn(&Counters) -> usize);

const COUNTERS: [Row; 14] = [
    ("bodies", |c| c.bodies),
    ("awake", |c| c.awake_bodies),
    ("shapes", |c| c.shapes),
    ("joints", |c| c.joints),
    ("contacts", |c| c.contacts),
    ("solved", |c| c.solved_contacts),
    ("recycled", |c| c.recycled_contacts),
    ("islands", |c| c.islands),
    ("new pairs", |c| c.new_pairs),
    ("grown boxes", |c| c.grown_boxes),
    ("colors", |c| c.colors),
    ("overflow", |c| c.overflow),
    ("swept", |c| c.continuous_bodies),
    ("impacts", |c| c.impacts_tested),
];

fn counters(ui: &mut Ui, play: &Play) {
    let counters = play.stage.world.counters();
    Grid::new("counters")
        .num_columns(4)
        .spacing([14.0, 2.0])
        .show(ui, |ui| {
            for pair in COUNTERS.chunks(2) {
                for (name, of) in pair {
                    ui.label(RichText::new(*name).small().color(FAINT));
                    ui.label(RichText::new(of(counters).to_string()).small());
                }
                ui.end_row();
            }
        });
    let steps = play.stage.world.step_count();
    let rate = if play.hertz == USUAL_HERTZ {
        ""
    } else {
        " (own rate)"
    };
    let seconds = steps as f32 / play.hertz;
    let line = format!("step {steps}, {seconds:.2} s{rate}");
    ui.label(RichText::new(line).small().color(FAINT));
}
