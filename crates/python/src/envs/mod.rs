//! Environments of Gymnasium in Rust, and batches of them.
//!
//! Each follows the arithmetic of its Python file step by step, so that a batch and a single environment on
//! `cairn2d.compat.Box2D` give the same numbers.
//!
//! The `mod` lines below are the layer order, lowest first.

pub(crate) mod random;
mod gauss;
mod team;
mod environment;
mod cart_pole;
mod box2d_scene;
mod lunar_lander;
mod bipedal_terrain;
mod legs;
mod bipedal_walker;
mod multiwalker;
mod raster;
mod car_track;
mod car;
mod car_picture;
mod car_racing;
mod kind;
pub(crate) mod batch;
