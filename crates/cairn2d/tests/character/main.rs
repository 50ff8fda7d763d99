//! The character controller: how it walks, what it meets, and which numbers it refuses.

mod support;

mod ground;
mod bodies;
mod properties;
mod reported;
mod hostile_numbers;
