//! The crowd controller: walkers stop at walls, push light bodies, resume after collisions, and repeat bit by
//! bit.

mod support;

mod attachment;
mod forces;
mod off_mesh_links;
mod paths;
mod properties;
