//! How a world behaves, theme by theme. Each file is one theme; test names say the behaviour.

mod support;

mod closed_forms;
mod contacts;
mod integration;
mod islands;
mod kinds;
mod lifecycle;
mod mass;
mod restitution;
mod sleeping;
