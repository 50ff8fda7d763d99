//! The families.

mod weldments;
mod trees;
mod heaps;
mod crushed;
mod sweeps;
mod columns;
mod cards;
mod pendulums;
mod impacts;
mod machines;
mod gas;
mod towers;
mod presses;
mod paces;
mod stars;
mod extremes;

use crate::family::Family;

/// Returns all families.
#[must_use]
pub fn all() -> Vec<Family> {
    let lists: [&[Family]; 16] = [
        &weldments::FAMILIES,
        &trees::FAMILIES,
        &heaps::FAMILIES,
        &crushed::FAMILIES,
        &sweeps::FAMILIES,
        &columns::FAMILIES,
        &cards::FAMILIES,
        &pendulums::FAMILIES,
        &impacts::FAMILIES,
        &machines::FAMILIES,
        &gas::FAMILIES,
        &towers::FAMILIES,
        &presses::FAMILIES,
        &paces::FAMILIES,
        &stars::FAMILIES,
        &extremes::FAMILIES,
    ];
    lists.concat()
}

/// Returns the family of this name.
#[must_use]
pub fn named(name: &str) -> Option<Family> {
    all().into_iter().find(|family| family.name == name)
}
