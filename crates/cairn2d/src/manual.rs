//! The programs of the manual, compiled and run as tests: `cargo test --doc -p cairn2d`.
//!
//! One module per page, compiled only for documentation tests. A test checks that no page is missing.

#[doc = include_str!("../../../README.md")]
mod readme {}

#[doc = include_str!("../../../docs/manual/README.md")]
mod contents {}

#[doc = include_str!("../../../docs/manual/getting-started.md")]
mod getting_started {}

#[doc = include_str!("../../../docs/manual/bodies-and-shapes.md")]
mod bodies_and_shapes {}

#[doc = include_str!("../../../docs/manual/joints.md")]
mod joints {}

#[doc = include_str!("../../../docs/manual/contacts.md")]
mod contacts {}

#[doc = include_str!("../../../docs/manual/sensors.md")]
mod sensors {}

#[doc = include_str!("../../../docs/manual/filters-and-hooks.md")]
mod filters_and_hooks {}

#[doc = include_str!("../../../docs/manual/queries.md")]
mod queries {}

#[doc = include_str!("../../../docs/manual/characters.md")]
mod characters {}

#[doc = include_str!("../../../docs/manual/recipes.md")]
mod recipes {}

#[doc = include_str!("../../../docs/manual/continuous.md")]
mod continuous {}

#[doc = include_str!("../../../docs/manual/sleeping.md")]
mod sleeping {}

#[cfg(feature = "crowd")]
#[doc = include_str!("../../../docs/manual/crowd.md")]
mod crowd {}

#[doc = include_str!("../../../docs/manual/units.md")]
mod units {}

#[doc = include_str!("../../../docs/manual/determinism.md")]
mod determinism {}

#[doc = include_str!("../../../docs/manual/rollback.md")]
mod rollback {}

#[doc = include_str!("../../../docs/manual/saving.md")]
mod saving {}

#[doc = include_str!("../../../docs/manual/recordings.md")]
mod recordings {}

#[cfg(feature = "serde")]
#[doc = include_str!("../../../docs/manual/scenes-as-data.md")]
mod scenes_as_data {}

#[doc = include_str!("../../../docs/manual/drawing.md")]
mod drawing {}

#[doc = include_str!("../../../docs/manual/debugging.md")]
mod debugging {}

#[doc = include_str!("../../../docs/manual/performance.md")]
mod performance {}

#[doc = include_str!("../../../docs/manual/settings.md")]
mod settings {}

#[doc = include_str!("../../../docs/manual/robotics.md")]
mod robotics {}

#[doc = include_str!("../../../docs/manual/from-box2d.md")]
mod from_box2d {}

#[doc = include_str!("../../../docs/manual/from-rapier.md")]
mod from_rapier {}

#[doc = include_str!("../../../docs/manual/faq.md")]
mod faq {}
