//! How a world behaves, theme by theme. Each file is one theme; test names say the behaviour.

mod support;

mod access;
mod breaking;
mod chains;
mod characters;
mod closed_forms;
mod contacts;
mod continuous;
mod determinism;
mod doors;
mod events;
mod extremes;
mod filtering;
mod hits;
mod hooks;
mod ignoring;
mod impacts;
mod integration;
mod islands;
mod joint_doors;
mod joints;
mod kinds;
mod lifecycle;
mod mass;
mod movers;
mod one_way;
mod properties;
mod queries;
mod recovery;
mod restitution;
mod sensors;
mod sleeping;
mod waking;
