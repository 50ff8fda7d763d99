//! Bodies, contacts, joints, islands, solver, continuous collision and the world.
