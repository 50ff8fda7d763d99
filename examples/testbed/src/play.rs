//! The scene in play: built, stepped, restarted, changed by the user.

use crate::hand::{Grip, Selected, body_at, shoot};
use crate::history::History;
use crate::past::Past;
use crate::tape::{Tape, TapeWriter};
use cairn2d::prelude::{
    BodyDef, BodyKind, Capsule, Circle, Point, Polygon, Shape, ShapeDef, Vec2, WorldDef,
    WorldPoint, point, std_clock,
};
use scenes::content::content_frame;
use scenes::scene::{Scene, Stage, Steering};
use scenes::view::Frame;
use std::cell::OnceCell;
use std::path::PathBuf;

/// Most steps that are made up for in one frame: a slow machine shows slow motion instead of standing still.
const MAX_STEPS_A_FRAME: u32 = 8;

/// Settings of a world that the user can change while it runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Settings {
    pub(crate) gravity: Vec2,
    pub(crate) substeps: u32,
    pub(crate) threads: u32,
    pub(crate) sleeping: bool,
    pub(crate) continuous: bool,
    pub(crate) warm_starting: bool,
}

impl Settings {
    fn of(def: &WorldDef) -> Self {
        Self {
            gravity: def.gravity,
            substeps: def.substeps,
            threads: def.threads,
            sleeping: def.sleeping,
            continuous: def.continuous,
            warm_starting: def.warm_starting,
        }
    }

    fn put_into(&self, def: &WorldDef) -> WorldDef {
        WorldDef {
            gravity: self.gravity,
            substeps: self.substeps,
            threads: self.threads,
            sleeping: self.sleeping,
            continuous: self.continuous,
            warm_starting: self.warm_starting,
            clock: Some(std_clock),
            ..def.clone()
        }
    }
}

/// Body that the user adds by a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Thing {
    Box,
    Ball,
    Capsule,
    Hexagon,
}

impl Thing {
    pub(crate) const ALL: [Self; 4] = [Self::Box, Self::Ball, Self::Capsule, Self::Hexagon];

    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Box => "Box",
            Self::Ball => "Ball",
            Self::Capsule => "Capsule",
            Self::Hexagon => "Hexagon",
        }
    }

    fn shape(self, size: f32) -> Shape {
        match self {
            Self::Box => Polygon::rectangle(size, size).into(),
            Self::Ball => Circle::new(Point::origin(), size).into(),
            Self::Capsule => {
                let (a, b) = (point(-size, 0.0), point(size, 0.0));
                Capsule::new(a, b, 0.5 * size).into()
            }
            Self::Hexagon => Polygon::regular(6, size).into(),
        }
    }
}

/// A scene in play.
pub(crate) struct Play {
    pub(crate) scene: &'static Scene,
    /// A value for each knob of the scene.
    pub(crate) values: Vec<f32>,
    pub(crate) stage: Stage,
    pub(crate) settings: Settings,
    /// Settings that the scene was built with.
    usual: Settings,
    pub(crate) paused: bool,
    /// Steps in a second of the world's time.
    pub(crate) hertz: f32,
    /// Seconds of the world in a second of the user's.
    pub(crate) pace: f32,
    pub(crate) grip: Option<Grip>,
    pub(crate) history: History,
    /// Selected shape or joint.
    pub(crate) selected: Option<Selected>,
    /// Stages to go back to.
    pub(crate) past: Past,
    /// Whether the user steers the scene.
    steers: bool,
    /// The recording that is played instead of the scene.
    pub(crate) tape: Option<Tape>,
    /// The recording that is written.
    writer: Option<TapeWriter>,
    /// Result of the last recording that was written.
    pub(crate) notice: String,
    /// Part of the scene's frame with its content, once it was looked at.
    content: OnceCell<Frame>,
    /// Time that has not been stepped yet [s].
    due: f32,
}

/// Steps in a second of scenes and pictures.
pub(crate) const USUAL_HERTZ: f32 = 60.0;

impl Play {
    pub(crate) fn new(scene: &'static Scene) -> Self {
        let values = scene.usual_values();
        let stage = scene.build_with(&values);
        let usual = Settings::of(stage.world.def());
        let mut play = Self {
            scene,
            values,
            stage,
            settings: usual,
            usual,
            paused: false,
            hertz: USUAL_HERTZ,
            pace: 1.0,
            grip: None,
            history: History::default(),
            selected: None,
            past: Past::default(),
            steers: false,
            tape: None,
            writer: None,
            notice: String::new(),
            content: OnceCell::new(),
            due: 0.0,
        };
        play.apply_settings();
        play.past.keep(&play.stage, None);
        play
    }

    /// Plays a recording. `scene` is the one to return to.
    pub(crate) fn of_tape(scene: &'static Scene, tape: Tape) -> Self {
        let mut play = Self::new(scene);
        play.stage = Stage::new(tape.world().clone());
        play.tape = Some(tape);
        play
    }

    pub(crate) fn title(&self) -> &str {
        self.tape
            .as_ref()
            .map_or(self.scene.title, |tape| &tape.title)
    }

    pub(crate) fn about(&self) -> &str {
        match &self.tape {
            Some(_) => "nothing but the recorded calls changes it",
            None => self.scene.about,
        }
    }

    /// Part of the world to look at: of a recording its bodies, of a scene with a body to follow its frame, of others their content.
    pub(crate) fn frame(&self) -> &Frame {
        match &self.tape {
            Some(tape) => &tape.frame,
            None if self.stage.focus().is_some() => &self.scene.frame,
            None => self.content.get_or_init(|| {
                let start = self.scene.build_with(&self.values);
                content_frame(self.scene, &start)
            }),
        }
    }

    /// The last step that [`seek`](Self::seek) can go to.
    pub(crate) fn last_step(&self) -> u64 {
        self.tape.as_ref().map_or(self.past.last(), Tape::len)
    }

    /// Pauses and goes to a step: of the recording, or the nearest that was kept. A step beyond them is taken.
    pub(crate) fn seek(&mut self, step: u64) {
        self.paused = true;
        if let Some(tape) = &mut self.tape {
            tape.seek(step);
            self.stage.world.clone_from(tape.world());
        } else if step > self.past.last() {
            self.step();
        } else if let Some((stage, grip)) = self.past.at(step) {
            self.end_recording();
            self.stage = stage;
            self.grip = grip;
            self.release();
            self.apply_settings();
        }
    }

    /// Goes back by a step, or to the last one that was kept.
    pub(crate) fn step_back(&mut self) {
        let now = self.stage.world.step_count();
        let kept = self.past.before(now).unwrap_or(now);
        let before = self.tape.as_ref().map(|tape| tape.step().saturating_sub(1));
        self.seek(before.unwrap_or(kept));
    }

    /// Passes the keys that the user holds down to the scene. The first key takes over; returns whether there is anything to
    /// steer.
    pub(crate) fn steer(&mut self, steering: Steering) -> bool {
        if self.tape.is_none() && (self.steers || steering != Steering::default()) {
            self.steers = self.stage.steer(steering);
        }
        self.steers
    }

    /// Says which keys steer the scene, if any do.
    pub(crate) fn steering_hint(&self) -> String {
        match (&self.tape, self.stage.keys(), self.steers) {
            (Some(_), ..) | (None, "", _) => String::new(),
            (None, keys, false) => format!("the arrow keys take over: {keys}"),
            (None, keys, true) => keys.to_owned(),
        }
    }

    pub(crate) const fn is_recording(&self) -> bool {
        self.writer.is_some()
    }

    /// Starts to record into a file, named after the scene if no name is given, or ends the recording.
    pub(crate) fn switch_recording(&mut self, path: Option<PathBuf>) {
        if self.writer.is_some() {
            return self.end_recording();
        }
        if self.tape.is_some() {
            return;
        }
        let path =
            path.unwrap_or_else(|| PathBuf::from(self.scene.name).with_extension("recording"));
        match TapeWriter::start(&mut self.stage.world, path) {
            Ok(writer) => {
                self.notice = format!("recording to {}", writer.path().display());
                self.writer = Some(writer);
            }
            Err(message) => self.notice = message,
        }
    }

    /// Writes the rest of the recording, if there is one.
    fn end_recording(&mut self) {
        if let Some(writer) = self.writer.take() {
            let written = format!("recorded to {}", writer.path().display());
            let ended = writer.finish(&mut self.stage.world);
            self.notice = ended.err().unwrap_or(written);
        }
    }

    /// Builds the scene anew with the present values, and settings as the user has changed them.
    pub(crate) fn restart(&mut self) {
        if self.tape.is_some() {
            return self.seek(0);
        }
        self.end_recording();
        let changed = self.settings != self.usual;
        self.stage = self.scene.build_with(&self.values);
        self.usual = Settings::of(self.stage.world.def());
        self.content = OnceCell::new();
        if !changed {
            self.settings = self.usual;
        }
        self.grip = None;
        self.selected = None;
        self.steers = false;
        self.history = History::default();
        self.due = 0.0;
        self.apply_settings();
        self.past = Past::default();
        self.past.keep(&self.stage, None);
    }

    /// Resets the settings to those of the scene.
    pub(crate) fn reset_settings(&mut self) {
        self.settings = self.usual;
        self.hertz = USUAL_HERTZ;
        self.pace = 1.0;
        self.apply_settings();
    }

    /// Hands the settings to the world.
    pub(crate) fn apply_settings(&mut self) {
        let def = self.settings.put_into(self.stage.world.def());
        self.stage.world.set_def(def);
    }

    /// Takes one step.
    pub(crate) fn step(&mut self) {
        if let Some(tape) = &mut self.tape {
            self.paused |= !tape.advance();
            self.stage.world.clone_from(tape.world());
            return;
        }
        self.stage.step_by(1.0 / self.hertz);
        self.history.add(*self.stage.world.profile());
        if let Some(writer) = &mut self.writer
            && let Err(message) = writer.write(&mut self.stage.world)
        {
            self.notice = message;
            self.writer = None;
        }
        if self
            .grip
            .is_some_and(|grip| !grip.is_alive(&self.stage.world))
        {
            self.release();
        }
        self.past.keep(&self.stage, self.grip);
    }

    /// Lets `elapsed` seconds of the user's pass.
    pub(crate) fn advance(&mut self, elapsed: f32) {
        if self.paused {
            return;
        }
        self.due += elapsed * self.pace;
        let dt = 1.0 / self.hertz;
        let mut steps = 0;
        while self.due >= dt && steps < MAX_STEPS_A_FRAME {
            self.step();
            self.due -= dt;
            steps += 1;
        }
        self.due = self.due.min(dt);
    }

    /// Takes hold of the body at `at`; returns whether there is one.
    pub(crate) fn take(&mut self, at: WorldPoint) -> bool {
        self.release();
        if self.tape.is_some() {
            return false;
        }
        self.grip = Grip::take(&mut self.stage.world, at);
        self.grip.is_some()
    }

    pub(crate) fn pull(&mut self, at: WorldPoint) {
        if let Some(grip) = self.grip {
            grip.pull(&mut self.stage.world, at);
        }
    }

    pub(crate) fn release(&mut self) {
        if let Some(grip) = self.grip.take() {
            grip.release(&mut self.stage.world);
        }
    }

    /// Adds a thing of half the given size [m].
    pub(crate) fn spawn(&mut self, thing: Thing, at: WorldPoint, size: f32) {
        if self.tape.is_some() {
            return;
        }
        let world = &mut self.stage.world;
        let body = world.create_body(BodyDef {
            position: at,
            user_data: 1,
            ..BodyDef::dynamic()
        });
        world.create_shape(body, thing.shape(size), ShapeDef::default());
    }

    /// Shoots a ball from `from` through `at`.
    pub(crate) fn shoot(&mut self, from: WorldPoint, at: WorldPoint, speed: f32, size: f32) {
        if let Some(along) = (at - from).try_normalize(f32::EPSILON)
            && self.tape.is_none()
        {
            shoot(&mut self.stage.world, from, along * speed, size);
        }
    }

    /// Removes the moving body at `at`.
    pub(crate) fn remove(&mut self, at: WorldPoint) {
        let world = &mut self.stage.world;
        let body = body_at(world, at).filter(|&id| world.body(id).kind() == BodyKind::Dynamic);
        if let Some(body) = body.filter(|_| self.tape.is_none()) {
            world.destroy_body(body);
        }
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        self.end_recording();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenes::registry;

    #[test]
    fn time_becomes_steps_and_a_pause_stops_it() {
        let mut play = Play::new(registry::find("stack").unwrap());
        play.advance(0.051);
        assert_eq!(play.stage.world.step_count(), 3);
        play.paused = true;
        play.advance(1.0);
        assert_eq!(play.stage.world.step_count(), 3);
        play.paused = false;
        play.advance(10.0);
        assert_eq!(
            play.stage.world.step_count(),
            3 + u64::from(MAX_STEPS_A_FRAME)
        );
    }

    #[test]
    fn settings_outlive_a_restart_but_not_a_reset() {
        let mut play = Play::new(registry::find("stack").unwrap());
        play.settings.substeps = 9;
        play.apply_settings();
        play.restart();
        assert_eq!(play.stage.world.def().substeps, 9);
        play.reset_settings();
        assert_ne!(play.stage.world.def().substeps, 9);
    }

    #[test]
    fn recording_of_a_scene_is_played_and_scrubbed() {
        let path = std::env::temp_dir().join(format!("testbed-{}.recording", std::process::id()));
        let mut play = Play::new(registry::find("stack").unwrap());
        play.switch_recording(Some(path.clone()));
        assert!(play.is_recording());
        let mut hashes = vec![play.stage.world.state_hash()];
        for step in 0..20 {
            if step == 7 {
                play.spawn(Thing::Ball, WorldPoint::from([0.0, 20.0]), 0.3);
            }
            play.step();
            hashes.push(play.stage.world.state_hash());
        }
        play.switch_recording(None);
        let mut seen = Play::of_tape(play.scene, Tape::open(&path).unwrap());
        std::fs::remove_file(&path).unwrap();
        seen.seek(13);
        assert_eq!(seen.stage.world.state_hash(), hashes[13]);
        seen.step_back();
        assert_eq!(seen.stage.world.state_hash(), hashes[12]);
        seen.spawn(Thing::Ball, WorldPoint::from([0.0, 20.0]), 0.3);
        seen.paused = false;
        for _ in 0..30 {
            seen.step();
        }
        assert!(seen.paused);
        assert_eq!(seen.stage.world.state_hash(), hashes[20]);
        assert_eq!(seen.tape.as_ref().unwrap().trouble, None);
    }

    #[test]
    fn a_scene_goes_back_and_on_again() {
        let mut play = Play::new(registry::find("readme").unwrap());
        let mut hashes = vec![play.stage.world.state_hash()];
        for step in 0..20 {
            if step == 5 {
                let ball = play.stage.world.bodies().last().unwrap().center_exact();
                assert!(play.take(ball));
            }
            play.step();
            hashes.push(play.stage.world.state_hash());
        }
        play.seek(4);
        assert!(play.paused);
        assert_eq!(play.stage.world.state_hash(), hashes[4]);
        play.step_back();
        assert_eq!(play.stage.world.state_hash(), hashes[3]);
        play.seek(12);
        assert_eq!(play.stage.world.joint_count(), 0, "what was held is let go");
        play.seek(20);
        assert_eq!(play.last_step(), 20);
        play.seek(21);
        assert_eq!((play.last_step(), play.stage.world.step_count()), (21, 21));
    }

    #[test]
    fn the_first_arrow_key_takes_over() {
        let right = Steering {
            right: 1.0,
            ..Steering::default()
        };
        let mut play = Play::new(registry::find("car").unwrap());
        assert!(!play.steer(Steering::default()) && play.steer(right));
        assert!(play.steer(Steering::default()), "until the scene restarts");
        play.restart();
        assert!(!play.steer(Steering::default()));
        assert!(!Play::new(registry::find("stack").unwrap()).steer(right));
    }

    #[test]
    fn things_come_and_go() {
        let mut play = Play::new(registry::find("readme").unwrap());
        let before = play.stage.world.body_count();
        let at = WorldPoint::from([-3.0, 12.0]);
        for thing in Thing::ALL {
            play.spawn(thing, at, 0.3);
        }
        play.shoot(at, WorldPoint::from([0.0, 12.0]), 30.0, 0.2);
        assert_eq!(play.stage.world.body_count(), before + 5);
        play.remove(at);
        assert_eq!(play.stage.world.body_count(), before + 4);
        assert!(play.take(at));
        play.release();
        assert_eq!(play.stage.world.body_count(), before + 4);
    }
}
