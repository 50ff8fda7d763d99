//! The engines by name.

use crate::box2d::Box2d;
use crate::rapier::Rapier;
use scenes::engine::{CairnEngine, Engine, EngineSettings};

/// The engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    #[value(name = "cairn2d", alias = "cairn")]
    Cairn2d,
    #[value(name = "box2d")]
    Box2d,
    #[value(name = "rapier")]
    Rapier,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Cairn2d => "cairn2d",
            Self::Box2d => "Box2D",
            Self::Rapier => "Rapier",
        }
    }

    /// Makes an empty world.
    pub(crate) fn make(self, settings: &EngineSettings) -> Box<dyn Engine> {
        match self {
            Self::Cairn2d => Box::new(CairnEngine::new(settings, None)),
            Self::Box2d => Box::new(Box2d::new(settings)),
            Self::Rapier => Box::new(Rapier::new(settings)),
        }
    }
}
