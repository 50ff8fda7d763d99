//! How an island is built: what its links will have to bear, before they bear it.
//!
//! Loads take as many steps to come down a column as there are links. Until then a tall one has begun to
//! sink, and an uneven one to lean. What a link will bear can be told from the build: bodies that touch something
//! fixed are the first level, those that touch these the second, and so on; all that is above a level rests on it,
//! in equal shares.

use super::substeps::Rates;
use crate::graph::GraphPlace;
use crate::island::{NO_ISLAND, Yield};
use crate::world::World;

/// Levels of the island that is looked at. Kept for its memory; no part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Levels {
    levels: Vec<Level>,
    /// Level of each body of the island, by its place there.
    of_body: Vec<u32>,
    /// Bodies in order of level.
    queue: Vec<u32>,
}

impl Levels {
    /// Forgets the island that was looked at.
    fn clear(&mut self) {
        self.levels.clear();
    }

    /// Number of levels of the island that was looked at last.
    pub(crate) fn count(&self) -> usize {
        self.levels.len()
    }
}

/// No level yet, or none: the body hangs on nothing fixed.
const NO_LEVEL: u32 = u32::MAX;

/// Bodies that are equally far from something fixed.
#[derive(Clone, Copy, Debug)]
struct Level {
    bodies: u32,
    /// All together [kg].
    mass: f32,
    /// That of the lightest [1/kg].
    inv_mass: f32,
    /// Whether one of them was reached by a contact, which yields more than a joint.
    by_contact: bool,
}

impl World {
    /// Returns the most by which links of `island` will yield to what rests on them, at the world's substeps.
    pub(crate) fn expected_yield(&mut self, island: u32, rates: &Rates) -> Yield {
        if !self.may_double(island) || rates.gravity == 0.0 {
            self.scratch.levels.clear();
            return Yield::default();
        }
        let mut found = core::mem::take(&mut self.scratch.levels);
        self.find_levels(island, &mut found);
        let most = most_yield(&found.levels, rates);
        self.scratch.levels = found;
        most
    }

    fn find_levels(&self, island: u32, found: &mut Levels) {
        let bodies = &self.islands.slots[island as usize].bodies;
        found.levels.clear();
        found.queue.clear();
        found.of_body.clear();
        found.of_body.resize(bodies.len(), NO_LEVEL);
        for &slot in bodies {
            if let Some(by_contact) = self.is_held(slot) {
                self.reach_level(slot, 0, by_contact, found);
            }
        }
        let mut next = 0;
        while next < found.queue.len() {
            let slot = found.queue[next];
            next += 1;
            let level = found.of_body[self.bodies.slots[slot].island_place as usize] + 1;
            for (other, by_contact) in self.linked_to(slot) {
                self.reach_level(other, level, by_contact, found);
            }
        }
    }

    /// Notes that the body in `slot` is in `level`, unless it is in one already or not of this island.
    fn reach_level(&self, slot: u32, level: u32, by_contact: bool, found: &mut Levels) {
        let place = self.bodies.slots[slot].island_place as usize;
        if self.bodies.tracks[slot as usize].island == NO_ISLAND || found.of_body[place] != NO_LEVEL
        {
            return;
        }
        found.of_body[place] = level;
        found.queue.push(slot);
        let inv_mass = self.bodies.masses[slot as usize].inv_mass;
        let mass = if inv_mass > 0.0 { 1.0 / inv_mass } else { 0.0 };
        match found.levels.get_mut(level as usize) {
            Some(level) => {
                level.bodies += 1;
                level.mass += mass;
                level.inv_mass = level.inv_mass.max(inv_mass);
                level.by_contact |= by_contact;
            }
            None => found.levels.push(Level {
                bodies: 1,
                mass,
                inv_mass,
                by_contact,
            }),
        }
    }

    /// Says whether something fixed holds the body in `slot`, and whether by a contact.
    fn is_held(&self, slot: u32) -> Option<bool> {
        let fixed =
            |(other, _): &(u32, bool)| self.bodies.tracks[*other as usize].island == NO_ISLAND;
        let held = self.linked_to(slot).filter(fixed);
        held.map(|(_, by_contact)| by_contact).max()
    }

    /// Iterates over what the body in `slot` is linked to in the constraint graph, and whether by a contact.
    fn linked_to(&self, slot: u32) -> impl Iterator<Item = (u32, bool)> {
        let body = &self.bodies.slots[slot];
        let other = move |a: u32, b: u32| if a == slot { b } else { a };
        let contacts = body
            .contacts
            .iter()
            .map(|&contact| &self.contacts.slots[contact]);
        let contacts = contacts.filter(|contact| contact.graph != GraphPlace::NONE);
        let joints = body.joints.iter().map(|&joint| &self.joints.slots[joint]);
        let joints = joints.filter(|joint| joint.graph != GraphPlace::NONE);
        contacts
            .map(move |contact| (other(contact.body_a, contact.body_b), true))
            .chain(joints.map(move |joint| (other(joint.body_a, joint.body_b), false)))
    }
}

/// Returns the most by which links between two levels yield to what rests on them.
fn most_yield(levels: &[Level], rates: &Rates) -> Yield {
    let mut most = Yield::default();
    let mut above = 0.0;
    for (i, level) in levels.iter().enumerate().rev() {
        above += level.mass;
        // The first level stands on what does not move: four times as stiff.
        let (below, share) = match i.checked_sub(1) {
            Some(below) => (levels[below].inv_mass, 1.0),
            None => (0.0, 0.25),
        };
        let load = rates.gravity * above / level.bodies as f32;
        let (rate_sq, found) = if level.by_contact {
            (rates.contact_sq, &mut most.contacts)
        } else {
            (rates.joint_sq, &mut most.joints)
        };
        *found = found.max(share * load * (level.inv_mass + below) / rate_sq);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATES: Rates = Rates {
        contact_sq: 1000.0,
        joint_sq: 4000.0,
        gravity: 10.0,
    };

    /// A level of `bodies` of 1 kg.
    fn level(bodies: u32, by_contact: bool) -> Level {
        Level {
            bodies,
            mass: bodies as f32,
            inv_mass: 1.0,
            by_contact,
        }
    }

    #[test]
    fn second_link_of_a_column_yields_most() {
        // It bears 9 of 10 boxes; the first bears 10 on what does not move, four times as stiff and half as light.
        let column = [level(1, true); 10];
        assert_eq!(
            most_yield(&column, &RATES).contacts,
            9.0 * 10.0 * 2.0 / 1000.0
        );
    }

    #[test]
    fn broad_levels_share_what_rests_on_them() {
        let pyramid: Vec<_> = (1..=10).rev().map(|n| level(n, true)).collect();
        assert_eq!(
            most_yield(&pyramid, &RATES).contacts,
            45.0 / 9.0 * 10.0 * 2.0 / 1000.0
        );
    }

    #[test]
    fn joints_yield_less_than_contacts() {
        let [chain, column] =
            [false, true].map(|by_contact| most_yield(&[level(1, by_contact); 20], &RATES).most());
        assert_eq!(4.0 * chain, column);
    }

    #[test]
    fn nothing_rests_where_nothing_is_fixed() {
        assert_eq!(most_yield(&[], &RATES), Yield::default());
    }
}
