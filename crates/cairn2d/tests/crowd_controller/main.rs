//! Agents in bodies: they stop at walls, push what they can, are shoved and go on, and repeat bit by bit.

mod support;

mod attachment;
mod forces;
mod off_mesh_links;
mod paths;
mod properties;
