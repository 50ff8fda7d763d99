//! Steering: half-planes of agents and obstacles, and the linear programs that choose a velocity within them.

pub(crate) mod encounter;
pub(crate) mod linear_program;
pub(crate) mod detour;
pub(crate) mod agent;
mod arrival;
mod queue;
pub(crate) mod obstacle_lines;
pub(crate) mod steer;
pub(crate) mod solver;
