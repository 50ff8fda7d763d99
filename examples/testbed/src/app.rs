//! The window: panels around the world, and the keys.

use crate::arguments::Request;
use crate::camera::Look;
use crate::controls::{self, Tools};
use crate::hand::select;
use crate::help;
use crate::past::scrub_bar;
use crate::play::Play;
use crate::scene_list::SceneList;
use crate::screenshot::Screenshot;
use crate::stage_view;
use crate::tape::Tape;
use crate::theme::{self, PALETTE};
use cairn2d::draw::{DrawOptions, Layer, Layers};
use cairn2d::prelude::WorldPoint;
use eframe::egui::{self, CentralPanel, Frame, Key, Margin, Panel, Ui};
use scenes::scene::{Scene, Stage, Steering};

/// Width of the list of scenes [points].
const LIST_WIDTH: f32 = 190.0;

/// Width of the controls [points].
const CONTROLS_WIDTH: f32 = 300.0;

/// Distance at which a place on the command line reaches an anchor [m].
const SELECT_REACH: f32 = 0.05;

/// Samples a pixel: lines are triangles with hard ends.
const MULTISAMPLING: u16 = 4;

/// Longest time between two frames that is caught up on [s].
const MAX_FRAME: f32 = 0.1;

struct App {
    list: SceneList,
    play: Play,
    /// `None` until the size of the view is known, and after a request to fit.
    look: Option<Look>,
    options: DrawOptions,
    tools: Tools,
    panels: bool,
    legend: bool,
    help: bool,
    screenshot: Option<Screenshot>,
}

/// The first scene or recording.
pub(crate) struct Opened(Play);

impl Opened {
    /// Builds the scene or opens the recording, and takes the steps of the request.
    pub(crate) fn new(request: &Request) -> Result<Self, String> {
        let mut play = match &request.tape {
            Some(path) => Play::of_tape(request.scene, Tape::open(path)?),
            None => Play::new(request.scene),
        };
        if let Some(path) = &request.record {
            play.switch_recording(Some(path.clone()));
        }
        if let Some(steps) = request.steps {
            play.paused = true;
            if play.tape.is_some() {
                play.seek(steps.into());
            } else {
                (0..steps).for_each(|_| play.step());
            }
        }
        if let Some((x, y)) = request.select {
            play.selected = select(&play.stage.world, WorldPoint::new(x, y), SELECT_REACH);
        }
        Ok(Self(play))
    }
}

/// Opens the window and returns when it is closed.
pub(crate) fn run(request: Request, Opened(play): Opened) -> eframe::Result {
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("cairn2d testbed")
            .with_inner_size([request.size.0, request.size.1]),
        multisampling: MULTISAMPLING,
        renderer: eframe::Renderer::Glow,
        ..Default::default()
    };
    eframe::run_native(
        "cairn2d-testbed",
        options,
        Box::new(move |creation| {
            theme::apply(&creation.egui_ctx);
            Ok(Box::new(App::new(request, play)))
        }),
    )
}

/// Returns the state of the arrow keys.
fn steering(ui: &Ui) -> Steering {
    let is_down = |key| ui.input(|input| input.key_down(key));
    let [left, right] = [Key::ArrowLeft, Key::ArrowRight].map(is_down);
    Steering {
        right: f32::from(u8::from(right)) - f32::from(u8::from(left)),
        up: is_down(Key::ArrowUp),
        down: is_down(Key::ArrowDown),
    }
}

/// Returns the usual layers, the parts of joints, and those whose titles begin with one of the words.
fn layers(words: &[String]) -> Layers {
    let asked = |layer: &Layer| {
        let title = layer.title().to_lowercase();
        words
            .iter()
            .any(|word| word == "all" || title.starts_with(word.as_str()))
    };
    let asked = Layer::ALL.iter().copied().filter(asked);
    asked.fold(Layers::USUAL.with(Layer::JointParts), Layers::with)
}

impl App {
    fn new(request: Request, play: Play) -> Self {
        Self {
            list: SceneList::new(),
            play,
            look: None,
            options: DrawOptions {
                layers: layers(&request.layers),
                palette: PALETTE,
                ..Stage::draw_options()
            },
            tools: Tools::default(),
            panels: true,
            legend: true,
            help: false,
            screenshot: request.screenshot.map(Screenshot::new),
        }
    }

    fn open(&mut self, scene: &'static Scene) {
        let paused = self.play.paused;
        self.play = Play::new(scene);
        self.play.paused = paused;
        self.look = None;
        self.list.reveal = true;
    }

    fn obey_keys(&mut self, ui: &Ui) {
        if ui.memory(|memory| memory.focused().is_some()) {
            return;
        }
        let pressed = |key| ui.input(|input| input.key_pressed(key));
        if pressed(Key::P) || pressed(Key::Space) {
            self.play.paused = !self.play.paused;
        }
        let steers = self.play.steer(steering(ui));
        if pressed(Key::Period) || pressed(Key::ArrowRight) && !steers {
            self.play.paused = true;
            self.play.step();
        }
        if pressed(Key::Comma) || pressed(Key::ArrowLeft) && !steers {
            self.play.step_back();
        }
        if pressed(Key::T) {
            self.play.switch_recording(None);
        }
        if pressed(Key::Home) {
            self.play.seek(0);
        }
        if pressed(Key::End) {
            self.play.seek(self.play.last_step());
        }
        if pressed(Key::R) {
            self.play.restart();
        }
        if pressed(Key::F) {
            self.look = None;
        }
        if pressed(Key::H) || pressed(Key::Questionmark) {
            self.help = !self.help;
        }
        if pressed(Key::L) {
            self.legend = !self.legend;
        }
        if pressed(Key::V) {
            self.panels = !self.panels;
        }
        if pressed(Key::Slash) {
            self.list.start_search();
        }
        self.switch_layers(pressed(Key::C), pressed(Key::D));
        let way = isize::from(pressed(Key::CloseBracket)) - isize::from(pressed(Key::OpenBracket));
        if way != 0 {
            self.open(self.list.neighbor(self.play.scene, way));
        }
    }

    fn switch_layers(&mut self, contacts: bool, all: bool) {
        let shown = &mut self.options.layers;
        if contacts {
            let layers = [Layer::Contacts, Layer::Normals, Layer::Impulses];
            let switch = if shown.contains(Layer::Contacts) {
                Layers::without
            } else {
                Layers::with
            };
            *shown = layers.into_iter().fold(*shown, switch);
        }
        if all {
            let every = Layer::ALL.iter().copied().fold(Layers::NONE, Layers::with);
            *shown = if *shown == every { layers(&[]) } else { every };
        }
    }

    fn show_panels(&mut self, ui: &mut Ui) {
        let frame = Frame::new()
            .fill(theme::PANEL)
            .inner_margin(Margin::symmetric(12, 6));
        let list = Panel::left("scenes").default_size(LIST_WIDTH).frame(frame);
        let chosen = list
            .show(ui, |ui| self.list.show(ui, self.play.scene))
            .inner;
        let controls = Panel::right("controls")
            .default_size(CONTROLS_WIDTH)
            .frame(frame);
        let wishes = controls
            .show(ui, |ui| {
                controls::show(ui, &mut self.play, &mut self.options, &mut self.tools)
            })
            .inner;
        let bar = Panel::bottom("scrub").frame(frame);
        let shown = bar.show(ui, |ui| ui.horizontal(|ui| self.scrub(ui)).inner);
        if let Some(step) = shown.inner {
            self.play.seek(step);
        }
        if let Some(scene) = chosen {
            self.open(scene);
        }
        if wishes.fit {
            self.look = None;
        }
        self.help ^= wishes.help;
    }

    /// Shows the scrub bar; returns the step that the user chose.
    fn scrub(&self, ui: &mut Ui) -> Option<u64> {
        match &self.play.tape {
            Some(tape) => tape.show(ui),
            None => scrub_bar(
                ui,
                self.play.stage.world.step_count(),
                self.play.last_step(),
            ),
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.obey_keys(ui);
        let elapsed = ui.input(|input| input.stable_dt).min(MAX_FRAME);
        self.play.advance(elapsed);
        if self.panels {
            self.show_panels(ui);
        }
        CentralPanel::default().frame(Frame::NONE).show(ui, |ui| {
            stage_view::show(
                ui,
                &mut self.play,
                &mut self.look,
                &self.options,
                &self.tools,
                self.legend,
            );
        });
        help::show(ui.ctx(), &mut self.help);
        if !self.play.paused {
            ui.ctx().request_repaint();
        }
        if let Some(screenshot) = &mut self.screenshot {
            screenshot.after_frame(ui.ctx());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_add_layers() {
        let words = ["impulse".to_owned(), "tree".to_owned()];
        let shown = layers(&words);
        assert!(shown.contains(Layer::Impulses) && shown.contains(Layer::Tree));
        assert!(shown.contains(Layer::JointParts) && !shown.contains(Layer::Ids));
        let all = layers(&["all".to_owned()]);
        assert!(Layer::ALL.iter().copied().all(|layer| all.contains(layer)));
    }
}
