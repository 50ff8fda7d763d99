//! Support depth: an estimate of the load on each link of an island, before it is loaded.
//!
//! Impulses take as many steps to propagate down a column as it has links. Until then a tall one has begun to
//! sink, and an uneven one to lean. The estimate needs no impulses. Level 1 of support is the bodies that
//! touch something immovable, level 2 the bodies that touch level 1, and so on; each level carries all levels
//! above it, in equal shares.

use super::deflection::{IMMOVABLE_DEFLECTION_SHARE, LinkStiffness};
use crate::graph::ConstraintKind;
use crate::island::set::{NO_ISLAND, StaticDeflection};
use crate::links::{LinkTables, LinkWalk, ReachedBody};

/// The levels of support of an island, and the walk that finds them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SupportLevels {
    levels: Vec<SupportLevel>,
    walk: LinkWalk,
}

/// Levels of support above which sweeps carry an impulse too slowly.
const MAX_SWEPT_LEVELS: usize = 12;

/// Bodies per level of support of a column. A broader pile supports itself.
const MAX_COLUMN_BREADTH: usize = 3;

/// Bodies at the same number of links from something immovable.
#[derive(Clone, Copy, Debug)]
struct SupportLevel {
    bodies: u32,
    /// Sum over the bodies [kg].
    mass: f32,
    /// Of the lightest body [1/kg].
    inv_mass: f32,
    /// One of the bodies was reached by a contact, which deflects further than a joint.
    by_contact: bool,
}

impl SupportLevels {
    /// Returns `true` if the last island, of this number of bodies, is a column: many levels for its bodies.
    pub(crate) fn is_column(&self, bodies: usize) -> bool {
        let levels = self.levels.len();
        levels > MAX_SWEPT_LEVELS && bodies <= MAX_COLUMN_BREADTH * levels
    }

    /// Removes all levels: of an island that is not estimated.
    pub(crate) fn clear(&mut self) {
        self.levels.clear();
    }

    /// Returns the greatest deflection of the links of an island of these bodies under the weight that they
    /// support.
    pub(crate) fn estimate(
        &mut self,
        tables: LinkTables<'_>,
        bodies: &[u32],
        stiffness: &LinkStiffness,
    ) -> StaticDeflection {
        self.find(tables, bodies);
        greatest_deflection(&self.levels, stiffness)
    }

    fn find(&mut self, tables: LinkTables<'_>, bodies: &[u32]) {
        let Self { levels, walk } = self;
        levels.clear();
        walk.start(bodies.len());
        let mut add = |reached: ReachedBody| {
            let inv_mass = tables.bodies.masses[reached.slot as usize].inv_mass;
            add_body(levels, &reached, inv_mass);
        };
        for &slot in bodies {
            if let Some(kind) = immovable_support(tables, slot)
                && let Some(reached) = walk.add_seed(tables.bodies, slot, kind)
            {
                add(reached);
            }
        }
        walk.run(tables, add);
    }
}

fn add_body(levels: &mut Vec<SupportLevel>, reached: &ReachedBody, inv_mass: f32) {
    let mass = if inv_mass > 0.0 { 1.0 / inv_mass } else { 0.0 };
    let by_contact = reached.kind == ConstraintKind::Contact;
    match levels.get_mut(reached.level as usize) {
        Some(level) => {
            level.bodies += 1;
            level.mass += mass;
            level.inv_mass = level.inv_mass.max(inv_mass);
            level.by_contact |= by_contact;
        }
        None => levels.push(SupportLevel {
            bodies: 1,
            mass,
            inv_mass,
            by_contact,
        }),
    }
}

/// Returns the kind of link by which something in no island supports a body; a contact, if there are both.
fn immovable_support(tables: LinkTables<'_>, slot: u32) -> Option<ConstraintKind> {
    let mut found = None;
    for link in tables.links_of(slot) {
        if tables.bodies.tracks[link.other as usize].island == NO_ISLAND {
            // Contacts come first.
            found = found.or(Some(link.kind));
        }
    }
    found
}

/// Returns the greatest deflection of the links between two levels under the weight above them.
fn greatest_deflection(levels: &[SupportLevel], stiffness: &LinkStiffness) -> StaticDeflection {
    let mut greatest = StaticDeflection::default();
    let mut above = 0.0;
    for (i, level) in levels.iter().enumerate().rev() {
        above += level.mass;
        let (inv_mass_below, share) = match i.checked_sub(1) {
            Some(below) => (levels[below].inv_mass, 1.0),
            None => (0.0, IMMOVABLE_DEFLECTION_SHARE),
        };
        let load = stiffness.gravity * above / level.bodies as f32;
        let (rate_sq, deflection) = if level.by_contact {
            (stiffness.contact_rate_sq, &mut greatest.contacts)
        } else {
            (stiffness.joint_rate_sq, &mut greatest.joints)
        };
        *deflection = deflection.max(share * load * (level.inv_mass + inv_mass_below) / rate_sq);
    }
    greatest
}

#[cfg(test)]
mod tests {
    use super::*;

    const STIFFNESS: LinkStiffness = LinkStiffness {
        contact_rate_sq: 1000.0,
        joint_rate_sq: 4000.0,
        gravity: 10.0,
        mechanisms: crate::mechanisms::Mechanisms::ALL,
    };

    /// A level of `bodies` of 1 kg.
    fn level(bodies: u32, by_contact: bool) -> SupportLevel {
        SupportLevel {
            bodies,
            mass: bodies as f32,
            inv_mass: 1.0,
            by_contact,
        }
    }

    #[test]
    fn second_link_of_a_column_deflects_most() {
        // It carries 9 of 10 boxes; the first carries 10 on immovable ground, four times as stiff and half as
        // light.
        let column = [level(1, true); 10];
        assert_eq!(
            greatest_deflection(&column, &STIFFNESS).contacts,
            9.0 * 10.0 * 2.0 / 1000.0
        );
    }

    #[test]
    fn broad_levels_share_the_load() {
        let pyramid: Vec<_> = (1..=10).rev().map(|n| level(n, true)).collect();
        assert_eq!(
            greatest_deflection(&pyramid, &STIFFNESS).contacts,
            45.0 / 9.0 * 10.0 * 2.0 / 1000.0
        );
    }

    #[test]
    fn joints_deflect_less_than_contacts() {
        let [chain, column] = [false, true]
            .map(|by_contact| greatest_deflection(&[level(1, by_contact); 20], &STIFFNESS));
        let (chain, column) = (chain.joints, column.contacts);
        assert_eq!(4.0 * chain, column);
    }

    #[test]
    fn nothing_is_supported_without_immovable_bodies() {
        assert_eq!(
            greatest_deflection(&[], &STIFFNESS),
            StaticDeflection::default()
        );
    }
}
