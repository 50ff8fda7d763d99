//! Scenes: a world to build, a script that runs before each step, and a frame to show.

use crate::mark::Mark;
use crate::view::Frame;
use cairn2d::crowd::Crowd;
use cairn2d::draw::{Color, DebugDraw, Draw, DrawOptions, Layer};
use cairn2d::prelude::{BodyId, BodyKind, BodyRef, World, WorldPoint};

/// Step that all scenes are run with \[s\].
pub const DT: f32 = 1.0 / 60.0;

/// Default number of steps of a scene: five seconds.
pub const USUAL_STEPS: u32 = 300;

/// Overlap at the end of a scene that does not allow for more \[slops\].
pub const USUAL_OVERLAP: f32 = 2.0;

/// Gap of a joint at the end of a scene that does not allow for more \[m\].
pub const USUAL_GAP: f32 = 0.03;

/// Subject of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// First things to see.
    Basics,
    /// Things that must stay where they are put.
    Stacking,
    /// Things that hang together.
    Joints,
    /// Kinds of shapes.
    Shapes,
    /// Friction, restitution and other properties of surfaces.
    Contacts,
    /// Fast things, and things that others catch on.
    Continuous,
    /// Events of a world, and forces of the user.
    Events,
    /// Queries of a world.
    Queries,
    /// Agents that walk in bodies.
    Crowd,
    /// Scenes that other engines fail.
    Robustness,
    /// Far from the origin.
    FarAway,
    /// Scenes that compare engines.
    Benchmark,
}

impl Category {
    /// Returns the heading under which scenes of the category are listed.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Basics => "Basics",
            Self::Stacking => "Stacking",
            Self::Joints => "Joints",
            Self::Shapes => "Shapes",
            Self::Contacts => "Contacts",
            Self::Continuous => "Continuous collision",
            Self::Events => "Events and forces",
            Self::Queries => "Queries",
            Self::Crowd => "Crowds",
            Self::Robustness => "Robustness",
            Self::FarAway => "Far away",
            Self::Benchmark => "Benchmarks",
        }
    }
}

/// Whether bodies may leave a scene's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exits {
    /// Everything stays inside: a body outside is a defect.
    None,
    /// Things roll off or fly away, as they should.
    Expected,
}

/// One scene: the same for examples, benches, tests and pictures.
#[derive(Clone, Copy, Debug)]
pub struct Scene {
    /// Name by which it is called: lower case, `_` between words.
    pub name: &'static str,
    /// Heading.
    pub title: &'static str,
    /// Subject.
    pub category: Category,
    /// Description in one line.
    pub about: &'static str,
    /// Builds it. Always the same: no clock, no state outside.
    pub build: fn() -> Stage,
    /// Steps of a run.
    pub steps: u32,
    /// Step of its picture; `None` if a picture would show nothing, or the same as that of another scene.
    pub shown: Option<u32>,
    /// Part of the world in the picture.
    pub frame: Frame,
    /// Whether bodies may leave the frame.
    pub exits: Exits,
    /// Most overlap at the end \[slops\].
    pub overlap: f32,
    /// Widest gap of a joint at the end \[m\].
    pub gap: f32,
    /// Numbers that it can be built with instead of the usual ones.
    pub knobs: &'static [Knob],
    /// Builds it with a value for each knob, in their order; with the usual values the same as `build`.
    pub build_with: Option<fn(&[f32]) -> Stage>,
}

/// A number that a scene can be built with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knob {
    /// Name, with the unit if it has one.
    pub title: &'static str,
    /// Least value.
    pub low: f32,
    /// Greatest value.
    pub high: f32,
    /// Value in pictures and tests.
    pub usual: f32,
    /// Distance of two values; 1 for counts, the whole range for a switch.
    pub step: f32,
}

impl Knob {
    /// Returns the knob of something that is counted, `low` to `high`.
    #[must_use]
    pub const fn count(title: &'static str, low: u32, usual: u32, high: u32) -> Self {
        Self {
            title,
            low: low as f32,
            high: high as f32,
            usual: usual as f32,
            step: 1.0,
        }
    }

    /// Returns the knob of something that is measured, `low` to `high`, in a hundred steps.
    #[must_use]
    pub const fn measure(title: &'static str, low: f32, usual: f32, high: f32) -> Self {
        Self {
            title,
            low,
            high,
            usual,
            step: 0.01 * (high - low),
        }
    }
}

impl Scene {
    /// Returns the scene with the usual number of steps, in which everything stays inside `frame`.
    #[must_use]
    pub const fn new(
        category: Category,
        name: &'static str,
        title: &'static str,
        frame: Frame,
        build: fn() -> Stage,
    ) -> Self {
        Self {
            name,
            title,
            category,
            about: "",
            build,
            steps: USUAL_STEPS,
            shown: Some(USUAL_STEPS),
            frame,
            exits: Exits::None,
            overlap: USUAL_OVERLAP,
            gap: USUAL_GAP,
            knobs: &[],
            build_with: None,
        }
    }

    /// Adds numbers that the scene can be built with.
    #[must_use]
    pub const fn with_knobs(
        mut self,
        knobs: &'static [Knob],
        build_with: fn(&[f32]) -> Stage,
    ) -> Self {
        self.knobs = knobs;
        self.build_with = Some(build_with);
        self
    }

    /// Returns the usual values of the knobs.
    #[must_use]
    pub fn usual_values(&self) -> Vec<f32> {
        self.knobs.iter().map(|knob| knob.usual).collect()
    }

    /// Builds the scene with a value for each knob.
    #[must_use]
    pub fn build_with(&self, values: &[f32]) -> Stage {
        match self.build_with {
            Some(build) if values.len() == self.knobs.len() => build(values),
            _ => (self.build)(),
        }
    }

    /// Sets the description, one line.
    #[must_use]
    pub const fn about(mut self, about: &'static str) -> Self {
        self.about = about;
        self
    }

    /// Returns whether the scene is a figure: it takes a single step, and nothing in it moves.
    #[must_use]
    pub const fn is_figure(&self) -> bool {
        self.steps == 1
    }

    /// Sets the number of steps of a run, the last of which is shown.
    #[must_use]
    pub const fn steps(mut self, steps: u32) -> Self {
        self.steps = steps;
        self.shown = Some(steps);
        self
    }

    /// Shows another step than the last.
    #[must_use]
    pub const fn shown_at(mut self, step: u32) -> Self {
        assert!(step <= self.steps, "a step of the run");
        self.shown = Some(step);
        self
    }

    /// Leaves out the picture, which would show nothing, or the same as that of another scene.
    #[must_use]
    pub const fn without_picture(mut self) -> Self {
        self.shown = None;
        self
    }

    /// Lets bodies leave the frame.
    #[must_use]
    pub const fn with_exits(mut self) -> Self {
        self.exits = Exits::Expected;
        self
    }

    /// Sets the most overlap at the end \[slops\].
    #[must_use]
    pub const fn overlap(mut self, slops: f32) -> Self {
        self.overlap = slops;
        self
    }

    /// Sets the widest gap of a joint at the end \[m\].
    #[must_use]
    pub const fn gap(mut self, meters: f32) -> Self {
        self.gap = meters;
        self
    }

    /// Builds the scene and lets it run for `steps`.
    #[must_use]
    pub fn run(&self, steps: u32) -> Stage {
        let mut stage = (self.build)();
        for _ in 0..steps {
            stage.step();
        }
        stage
    }
}

/// Keys that the user holds down while a scene runs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steering {
    /// To the right, from -1 (left) to 1.
    pub right: f32,
    /// Up: jump.
    pub up: bool,
    /// Down: brake.
    pub down: bool,
}

/// Actions of a scene while it runs. State is in the implementing type, and is cloned with the stage.
///
/// A closure over the world and the number of the step is one.
pub trait Script: CloneScript + Send {
    /// Acts before step number `step`, the first being 0.
    fn before_step(&mut self, world: &mut World, step: u64);

    /// Returns the crowd that walks in the world, to be drawn with it.
    fn crowd(&self) -> Option<&Crowd> {
        None
    }

    /// Returns the marks to draw beside the world.
    fn marks(&self, _world: &World) -> Vec<Mark> {
        Vec::new()
    }

    /// Takes the keys that the user holds down, once the user has taken over. Returns whether there is anything to steer.
    fn steer(&mut self, _steering: Steering) -> bool {
        false
    }

    /// Says what the arrow keys do once the user has taken over; empty if there is nothing to steer.
    fn keys(&self) -> &'static str {
        ""
    }

    /// Returns the body that the scene is about, which a window may follow.
    fn hero(&self) -> Option<BodyId> {
        None
    }

    /// Returns the crowd whose agents walk in bodies of the world: it is drawn where half-planes are.
    fn walkers(&self) -> Option<&Crowd> {
        None
    }
}

impl<F: FnMut(&mut World, u64) + Clone + Send + 'static> Script for F {
    fn before_step(&mut self, world: &mut World, step: u64) {
        self(world, step);
    }
}

/// Cloning behind a `dyn` [`Script`]; every script that is `Clone` has it.
pub trait CloneScript {
    /// Returns a copy that goes on from the same state.
    fn clone_script(&self) -> Box<dyn Script>;
}

impl<S: Script + Clone + 'static> CloneScript for S {
    fn clone_script(&self) -> Box<dyn Script> {
        Box::new(self.clone())
    }
}

/// A scene in play: the world and the script that acts on it.
pub struct Stage {
    /// The world.
    pub world: World,
    script: Option<Box<dyn Script>>,
}

impl Stage {
    /// Returns the stage of a world that is left to itself.
    #[must_use]
    pub const fn new(world: World) -> Self {
        Self {
            world,
            script: None,
        }
    }

    /// Adds the script that acts before each step.
    #[must_use]
    pub fn with(mut self, script: impl Script + 'static) -> Self {
        self.script = Some(Box::new(script));
        self
    }

    /// Returns whether anything acts on the world before its steps.
    #[must_use]
    pub const fn has_script(&self) -> bool {
        self.script.is_some()
    }

    /// Passes the keys that the user holds down to the script, which acts on them in the next steps. Returns whether there is
    /// anything to steer: the scene then no longer goes by itself.
    pub fn steer(&mut self, steering: Steering) -> bool {
        let script = self.script.as_mut();
        script.is_some_and(|script| script.steer(steering))
    }

    /// Says what the arrow keys do once the user has taken over; empty if there is nothing to steer.
    #[must_use]
    pub fn keys(&self) -> &'static str {
        self.script.as_ref().map_or("", |script| script.keys())
    }

    /// Returns the center of the body that the scene is about \[m\], which a window may follow.
    #[must_use]
    pub fn focus(&self) -> Option<WorldPoint> {
        let hero = self.script.as_ref()?.hero()?;
        Some(self.world.get_body(hero)?.center_exact())
    }

    /// Lets the script act, and lets [`DT`] pass.
    pub fn step(&mut self) {
        self.step_by(DT);
    }

    /// Lets the script act, and lets `dt` pass \[s\].
    pub fn step_by(&mut self, dt: f32) {
        if let Some(script) = &mut self.script {
            let step = self.world.step_count();
            script.before_step(&mut self.world, step);
        }
        self.world.step(dt);
    }

    /// Draws the world, and over it the marks of the script.
    pub fn draw(&self, pen: &mut impl DebugDraw, options: &DrawOptions) {
        self.world.draw(pen, options);
        let script = self.script.as_ref();
        if let Some(crowd) = script.and_then(|script| script.crowd()) {
            crowd.draw(pen, options);
        }
        let walkers = script.and_then(|script| script.walkers());
        // Without half-planes, the bodies show the places of the agents.
        if let (Some(crowd), true) = (walkers, options.layers.contains(Layer::HalfPlanes)) {
            crowd.draw(pen, options);
        }
        for mark in self.marks() {
            mark.draw(pen, &options.palette);
        }
    }

    /// Returns options with the colors that bodies of scenes have: the user data of a dynamic body chooses one.
    #[must_use]
    pub fn draw_options() -> DrawOptions {
        DrawOptions {
            body_color: tint,
            ..DrawOptions::default()
        }
    }

    /// Returns the crowd of the script, if it has one.
    #[must_use]
    pub fn crowd(&self) -> Option<&Crowd> {
        let script = self.script.as_ref()?;
        script.crowd().or_else(|| script.walkers())
    }

    /// Returns the marks of the script.
    #[must_use]
    pub fn marks(&self) -> Vec<Mark> {
        let script = self.script.as_ref();
        script.map_or_else(Vec::new, |script| script.marks(&self.world))
    }
}

/// Fill colors of dynamic bodies; their user data selects one.
pub(crate) const TINTS: [Color; 6] = [
    Color::rgb(0x6b, 0x9a, 0xc9),
    Color::rgb(0xe5, 0xa8, 0x4b),
    Color::rgb(0x7d, 0xb3, 0x7a),
    Color::rgb(0xd5, 0x7f, 0x6b),
    Color::rgb(0x8f, 0x86, 0xc6),
    Color::rgb(0x55, 0xb0, 0xae),
];

fn tint(body: &BodyRef<'_>) -> Option<Color> {
    let color = TINTS[(body.user_data() % TINTS.len() as u64) as usize];
    (body.kind() == BodyKind::Dynamic).then_some(color)
}

impl Clone for Stage {
    fn clone(&self) -> Self {
        Self {
            world: self.world.clone(),
            script: self.script.as_ref().map(|script| script.clone_script()),
        }
    }
}
