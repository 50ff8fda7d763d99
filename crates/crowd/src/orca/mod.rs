//! Steering: half-planes of agents and obstacles, and the linear programs that choose a velocity within them.

pub(crate) mod encounter;
pub(crate) mod linear_program;
pub(crate) mod detour;
pub(crate) mod agent;
mod arrival;
pub(crate) mod queue;
pub(crate) mod obstacle_lines;
pub(crate) mod steer;
mod giving_up;
pub(crate) mod solver;
