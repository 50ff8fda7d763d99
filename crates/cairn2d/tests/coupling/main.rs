//! Agents in bodies: they stop at walls, push what they can, are shoved and go on, and repeat bit by bit.

mod support;

mod books;
mod forces;
mod laws;
mod links;
mod ways;
