//! Applies the components that were spawned, changed or removed since the last step to the world.
//!
//! Each system collects the entities that changed, sorts them by key and applies their changes in this order. So the
//! world sees the same calls in the same order, however the entities lie in archetypes.
//!
//! The `mod` lines below are in the order of the step.

mod columns;
pub(crate) mod reconcile;
pub(crate) mod removals;
pub(crate) mod bodies;
pub(crate) mod colliders;
pub(crate) mod joints;
pub(crate) mod agents;
