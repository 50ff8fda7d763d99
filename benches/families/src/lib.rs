//! Random families of scenes, run with the default and with the plain solver.
//!
//! A *family* builds a scene from a seed. The even seeds have standard conditions: gravity of 10 m/s^2, 60
//! steps a second, bodies of about a meter, nothing else in the world. The odd ones have other gravity, other
//! rates, other sizes, and sometimes a thousand other bodies. A run measures the possible failures of a scene: speeds,
//! energy, gaps, overlaps, falls, passages, slow steps. The default must be no worse than the plain solver in
//! any of them.
//!
//! Lengths, speeds and times of scenes are those of standard conditions; a [`Conditions`] scales them, so
//! that scenes of all conditions are similar.
//!
//! The `mod` lines below are the layer order, lowest first.
#![forbid(unsafe_code)]

mod conditions;
mod form;
mod scene;
mod measure;
mod family;
mod verdict;
mod scenes;
mod statistics;
mod run;
mod report;

pub use conditions::Conditions;
pub use family::{Family, Limits};
pub use measure::{MEASURES, Measures};
pub use report::{ablation_row, brief_head, brief_row, csv_head, csv_row, family_rows, table_head};
pub use run::{Pair, Setting, run, run_pair};
pub use scenes::{all, named};
pub use statistics::Summary;
pub use verdict::{Costs, worse};
