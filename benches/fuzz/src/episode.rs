//! An episode: a sequence of random calls on a new world, with checks after each call.

use crate::ids::{Foreign, Ids};
use crate::journal::{Journal, Journaling};
use crate::values::{Temper, Values};
use cairn2d::BaseSave;
use cairn2d::crowd::{AgentId, ObstacleId};
use cairn2d::prelude::*;
use cairn2d::{Player, Recording, RecordingDef};
use core::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Whether setters that have no `try_` twin get arguments that they refuse by a documented panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panics {
    /// They get only arguments that they must accept.
    Avoided,
    /// They get anything; a documented panic must leave the world as it was.
    Provoked,
}

/// Calls between two checks of all invariants, which cost more than a call.
const VALIDATE_INTERVAL: u64 = 16;

/// Work between two keyframes of the recording: some tens of steps.
const KEYFRAMES: RecordingDef = RecordingDef { keyframe_work: 500 };
/// Calls between two bases of deltas.
const BASE_INTERVAL: u64 = 7 * VALIDATE_INTERVAL;

/// A world with everything that calls are made on.
pub struct Episode {
    pub(crate) values: Values,
    pub(crate) panics: Panics,
    pub(crate) world: World,
    pub(crate) ids: Ids,
    /// Ids of another world.
    pub(crate) foreign: Foreign,
    pub(crate) snapshot: Option<World>,
    base: BaseSave,
    pub(crate) timestep: FixedTimestep,
    pub(crate) walk: CharacterMove,
    pub(crate) crowd: CrowdController,
    pub(crate) agents: Vec<AgentId>,
    pub(crate) obstacles: Vec<ObstacleId>,
    pub(crate) journal: Journal,
    /// Hash of the world before the present call.
    before: u64,
    seed: u64,
    number: u64,
}

/// Numbers of recorded calls, by object and name.
pub(crate) type CallCounts = Vec<([&'static str; 2], usize)>;

impl Episode {
    /// Starts episode `number` of a `seed`.
    #[must_use]
    pub fn new(seed: u64, number: u64) -> Self {
        Self::start(seed, number, Journaling::Off)
    }

    pub(crate) fn start(seed: u64, number: u64, journaling: Journaling) -> Self {
        let temper = Temper::ALL[(number % Temper::ALL.len() as u64) as usize];
        let mut values = Values::new(temper);
        values.seed(seed, number, u64::MAX);
        let panics = match number / Temper::ALL.len() as u64 % 2 {
            0 => Panics::Avoided,
            _ => Panics::Provoked,
        };
        let mut other = World::new(WorldDef {
            id_mark: 1,
            ..WorldDef::default()
        });
        let (a, b) = (
            other.create_body(BodyDef::dynamic()),
            other.create_body(BodyDef::static_()),
        );
        let shape = values.shape();
        let foreign = Foreign {
            bodies: vec![a, b],
            shapes: vec![other.create_shape(a, shape, ShapeDef::default())],
            joints: vec![other.create_joint(RevoluteJointDef::new(a, b))],
        };
        let mut world = World::try_new(values.world_def()).unwrap_or_default();
        world.start_recording(KEYFRAMES);
        let base = world.save_base();
        let mut episode = Self {
            values,
            panics,
            before: world.state_hash(),
            world,
            ids: Ids::default(),
            foreign,
            snapshot: None,
            base,
            timestep: FixedTimestep::per_second(60.0),
            walk: CharacterMove::default(),
            crowd: CrowdController::default(),
            agents: Vec::new(),
            obstacles: Vec::new(),
            journal: Journal::new(journaling),
            seed,
            number,
        };
        episode.furnish();
        episode
    }

    /// Lays a floor, without which most things would only fall.
    fn furnish(&mut self) {
        let floor = self
            .world
            .create_body(BodyDef::static_().position(0.0, -9.0));
        let shape = Polygon::rectangle(20.0, 1.0);
        self.ids.bodies.keep(floor, &mut self.values);
        let shape = self.world.create_shape(floor, shape, ShapeDef::default());
        self.ids.shapes.keep(shape, &mut self.values);
    }

    /// Makes call `call`, and checks the invariants after it.
    pub fn call(&mut self, call: u64) {
        self.values.seed(self.seed, self.number, call);
        self.journal.begin(call);
        self.before = self.world.state_hash();
        self.make_call();
        if call.is_multiple_of(VALIDATE_INTERVAL) {
            self.assert_consistent();
            self.assert_delta();
        }
        if call.is_multiple_of(BASE_INTERVAL) {
            self.world.save_base_into(&mut self.base);
        }
    }

    /// Checks all invariants.
    pub fn assert_consistent(&self) {
        self.world.assert_consistent();
        self.assert_saved();
        self.crowd.assert_consistent();
    }

    /// Ends the recording of the calls and returns it.
    pub(crate) fn take_recording(&mut self) -> Recording {
        let recording = Recording::new(self.world.stop_recording());
        recording.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Checks that the recorded calls repeat to the same bits, and returns how often each was recorded.
    pub(crate) fn assert_repeats(&mut self) -> CallCounts {
        let recording = self.take_recording();
        let counts = recording.call_counts();
        let mut player = Player::new(recording).unwrap_or_else(|error| panic!("{error}"));
        while player.advance().unwrap_or_else(|error| panic!("{error}")) {}
        let difference = self.world.first_difference(player.world());
        assert_eq!(difference, None, "the recording ends otherwise");
        let has_same_reports = self.world.save() == player.world().save();
        assert!(has_same_reports, "the recording ends with other reports");
        counts.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Checks that a save of the world loads, with the same state.
    fn assert_saved(&self) {
        let save = self.world.save();
        let loaded = World::load(&save).unwrap_or_else(|error| panic!("{error}"));
        let (hash, expected) = (loaded.state_hash(), self.world.state_hash());
        assert_eq!(hash, expected, "hash of the loaded world");
        assert!(loaded.save() == save, "save of the loaded world");
    }

    /// Checks that a delta of the world makes its save of the base.
    fn assert_delta(&self) {
        let delta = self.world.save_delta(&self.base);
        let mut save = Vec::new();
        World::apply_delta(self.base.bytes(), &delta, &mut save)
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(save == self.world.save(), "save of base and delta");
    }

    pub(crate) fn note(&mut self, what: impl FnOnce() -> String) {
        self.journal.note(what);
    }

    pub(crate) fn body(&mut self) -> BodyId {
        self.ids
            .bodies
            .choose(&self.foreign.bodies, BodyId::from_bits, &mut self.values)
    }

    pub(crate) fn shape_id(&mut self) -> ShapeId {
        self.ids
            .shapes
            .choose(&self.foreign.shapes, ShapeId::from_bits, &mut self.values)
    }

    pub(crate) fn joint(&mut self) -> JointId {
        self.ids
            .joints
            .choose(&self.foreign.joints, JointId::from_bits, &mut self.values)
    }

    pub(crate) fn keep_shape(&mut self, id: ShapeId) {
        self.ids.shapes.keep(id, &mut self.values);
    }

    /// Takes the present state as that before the rest of the call: the first part has changed the world.
    pub(crate) fn begin_anew(&mut self) {
        self.before = self.world.state_hash();
    }

    /// Checks that the world is as before the call.
    #[track_caller]
    pub(crate) fn expect_unchanged(&self, why: &str) {
        assert_eq!(
            self.world.state_hash(),
            self.before,
            "the world has changed: {why}"
        );
    }

    /// Returns the created object. A refused call must leave the world unchanged.
    #[track_caller]
    pub(crate) fn settle<T>(&mut self, made: Result<T, impl Display>) -> Option<T> {
        match made {
            Ok(made) => Some(made),
            Err(error) => {
                self.expect_unchanged(&error.to_string());
                self.note(|| format!("        refused: {error}"));
                None
            }
        }
    }

    /// Changes the world by something that panics where it refuses. Only a documented panic is accepted, and it must leave the
    /// world as it was.
    #[track_caller]
    pub(crate) fn may_panic(&mut self, change: impl FnOnce(&mut World)) {
        let changed = catch_unwind(AssertUnwindSafe(|| change(&mut self.world)));
        let Err(payload) = changed else {
            return;
        };
        let message = message_of(payload.as_ref());
        if !is_refusal(&message) {
            resume_unwind(payload);
        }
        self.expect_unchanged(&message);
        self.note(|| format!("        refused: {message}"));
    }

    /// Changes the world by a setter that panics where it refuses: with arguments that it must accept, or as
    /// [`may_panic`](Self::may_panic).
    #[track_caller]
    pub(crate) fn set(&mut self, change: impl FnOnce(&mut World)) {
        match self.panics {
            Panics::Avoided => change(&mut self.world),
            Panics::Provoked => self.may_panic(change),
        }
    }
}

/// Returns the words of a panic.
pub(crate) fn message_of(payload: &(dyn core::any::Any + Send)) -> String {
    let words = payload.downcast_ref::<String>().map(String::as_str);
    let words = words.or_else(|| payload.downcast_ref::<&str>().copied());
    words.unwrap_or("a panic without words").to_owned()
}

/// Returns `true` if the panic is documented: its message names an argument and its value.
pub(crate) fn is_refusal(message: &str) -> bool {
    message.starts_with("cannot ") || message.contains(", which is not ")
}
