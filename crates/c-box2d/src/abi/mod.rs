//! The border to C: plain structs, pointers of the caller, and exported functions.
//!
//! All `unsafe` code of the crate is here. What C hands over is taken as Box2D's contract states it: a
//! pointer is null or points to an initialized object of its type, an array has at least as many items as the count beside it,
//! and a callback is a function of the type that the header gives it.

#[macro_use]
mod structs;
mod pointer;
mod flag;
#[macro_use]
mod functions;

pub(crate) use flag::Flag;
pub(crate) use functions::{Fault, Outcome, export, log, logged, set_assert, set_log};
pub(crate) use pointer::{In, Out, UserPointer};
pub(crate) use structs::Zeroed;
