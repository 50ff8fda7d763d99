//! Native module of the Python package `cairn2d`.
//!
//! Each class wraps one type of the engine. Handles name objects of a world, definitions are keyword arguments, the state of
//! all bodies is an array, and each error of the engine is an exception. No call panics: the checked twin of each function
//! is used.
//!
//! The `mod` lines below are the layer order, lowest first.

mod error;
mod argument;
mod record;
mod geometry;
mod handle;
mod world;
mod event;
mod body;
mod shape;
mod hook;
mod joint;
mod linkage;
mod query;
mod array;
mod tile_grid;
mod recording;
mod character;
mod crowd;
mod crowd_controller;
mod drawing;
mod opening;
mod touching;
mod box2d;
mod box2d_objects;
mod envs;

use pyo3::prelude::*;

/// Native part of the package.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<handle::World>()?;
    module.add_class::<handle::Body>()?;
    module.add_class::<handle::Shape>()?;
    module.add_class::<handle::Joint>()?;
    module.add_class::<linkage::Linkage>()?;
    module.add_class::<geometry::Geometry>()?;
    module.add_class::<character::Character>()?;
    module.add_class::<crowd::Crowd>()?;
    module.add_class::<crowd::Agent>()?;
    module.add_class::<crowd::Obstacle>()?;
    module.add_class::<crowd_controller::CrowdController>()?;
    module.add_class::<tile_grid::TileGrid>()?;
    module.add_class::<recording::Player>()?;
    module.add_class::<hook::PreSolve>()?;
    module.add_class::<box2d::Box2dRules>()?;
    module.add_class::<envs::batch::Batch>()?;
    module.add_function(wrap_pyfunction!(box2d::sincos, module)?)?;
    module.add_function(wrap_pyfunction!(joint::spring_of_stiffness, module)?)?;
    module.add_function(wrap_pyfunction!(geometry::collide_placed, module)?)?;
    module.add_function(wrap_pyfunction!(geometry::impact_of_moving, module)?)?;
    module.add("_BOX2D_SKIN", box2d::SKIN)?;
    module.add(
        "_BOX2D_TUNING",
        pythonize::pythonize(module.py(), &box2d::tuning())?,
    )?;
    module.add("_BOX2D_SUBSTEPS", box2d::SolverSettings::BOX2D.substeps)?;
    module.add(
        "_BOX2D_SOLVER_BUDGET",
        box2d::SolverSettings::BOX2D.solver_budget,
    )?;
    Ok(())
}
