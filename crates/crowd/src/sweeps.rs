//! Sweeps over the contacts of all agents, until nobody changes any more.
//!
//! The first sweep looks at all who have contacts, each later one at those whose velocity the last one has
//! changed and at those who have them in contact. So a jam costs what the jam needs, whatever stands around it.

use crate::region::Region;
use crate::separate::{Contacts, Sweep};
use crate::tuning::{CHUNK, MAX_SWEEPS, SWEEP_CHANGE, SWEEP_GAIN, SWEEP_SLOP};
use cairn2d_geometry::math::Vec2;
use rayon::prelude::*;

/// End of a list.
const END: u32 = u32::MAX;

/// The velocities that are being settled, and who has to look again.
///
/// A member is called by a number: [`CHUNK`] times its block of contacts, and its place there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweeps {
    /// Contacts of all agents, in blocks of [`CHUNK`] agents at most.
    pub(crate) contacts: Vec<Contacts>,
    /// Velocities in the order of the grid [m/s].
    pub(crate) velocities: Vec<Vec2>,
    listeners: Listeners,
    /// Members to look at in this sweep, and their velocities after it.
    active: Vec<u32>,
    results: Vec<Vec2>,
    /// Members called to the next sweep, a bit each.
    called: Vec<u64>,
}

/// Members to a word of bits.
const WORD: usize = u64::BITS as usize;

/// Members to look at from which on a sweep goes over the threads of the pool.
///
/// Below it takes less time than handing it out.
const SHARED: usize = 4 * CHUNK;

impl Sweeps {
    /// Settles the contacts of a step of `step` seconds, where `region` tells what a sorted agent can do at all.
    pub(crate) fn settle(&mut self, step: f32, region: impl Fn(usize) -> Region + Sync) {
        self.active.clear();
        self.active.extend(members(&self.contacts));
        self.called.clear();
        self.called
            .resize((CHUNK * self.contacts.len()).div_ceil(WORD), 0);
        self.listeners.clear();
        for sweep in 0..MAX_SWEEPS {
            let how = Sweep {
                slop: SWEEP_SLOP / step,
                // A pair is settled at once; where that was not enough, a little more helps the many.
                gain: if sweep == 0 { 1.0 } else { SWEEP_GAIN },
            };
            self.sweep(&how, &region);
            self.apply(&how);
            if self.active.is_empty() {
                break;
            }
        }
    }

    /// Finds what the active members' velocities become, each from those of the last sweep.
    fn sweep(&mut self, how: &Sweep, region: &(impl Fn(usize) -> Region + Sync)) {
        let settled = |member: &u32| {
            let (contacts, place) = find(&self.contacts, *member);
            contacts.settled(place, &self.velocities, how, region)
        };
        self.results.clear();
        if self.active.len() < SHARED || rayon::current_num_threads() == 1 {
            self.results.extend(self.active.iter().map(settled));
        } else {
            let members = self.active.par_iter().with_min_len(CHUNK);
            self.results.par_extend(members.map(settled));
        }
    }

    /// Takes over the results, and calls those whom a change concerns to the next sweep.
    fn apply(&mut self, how: &Sweep) {
        let least = SWEEP_CHANGE * how.slop;
        let agents = self.velocities.len();
        for (&member, result) in self.active.iter().zip(&self.results) {
            let (contacts, place) = find(&self.contacts, member);
            let agent = contacts.agent(place);
            let velocity = &mut self.velocities[agent];
            if (result - *velocity).norm_squared() > least * least {
                self.listeners.fill(&self.contacts, agents);
                call(&mut self.called, member);
                for listener in self.listeners.of(agent) {
                    call(&mut self.called, listener);
                }
            }
            *velocity = *result;
        }
        self.active.clear();
        for (word, bits) in self.called.iter_mut().enumerate() {
            while *bits != 0 {
                self.active
                    .push(word as u32 * u64::BITS + bits.trailing_zeros());
                *bits &= *bits - 1;
            }
        }
    }
}

/// Goes through the members of blocks of contacts.
fn members(blocks: &[Contacts]) -> impl Iterator<Item = u32> + '_ {
    let first = (0..).step_by(CHUNK);
    blocks
        .iter()
        .zip(first)
        .flat_map(|(contacts, first)| (first..).take(contacts.len()))
}

/// Returns a member's block and its place there.
#[inline]
fn find(blocks: &[Contacts], member: u32) -> (&Contacts, usize) {
    (&blocks[member as usize / CHUNK], member as usize % CHUNK)
}

#[inline]
fn call(called: &mut [u64], member: u32) {
    called[member as usize / WORD] |= 1 << (member as usize % WORD);
}

/// For each agent those who have it in contact: lists threaded through the contacts.
#[derive(Clone, Debug, Default)]
struct Listeners {
    /// First entry of each agent's list, in the order of the grid.
    first: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    member: u32,
    next: u32,
}

impl Listeners {
    fn clear(&mut self) {
        self.first.clear();
        self.entries.clear();
    }

    /// Makes the lists for `count` agents, unless they are there already.
    fn fill(&mut self, blocks: &[Contacts], count: usize) {
        if !self.first.is_empty() {
            return;
        }
        self.first.resize(count, END);
        let contacts = blocks.iter().map(Contacts::contact_count).sum();
        self.entries.clear();
        self.entries.resize(
            contacts,
            Entry {
                member: END,
                next: END,
            },
        );
        let (first, entries) = (&mut self.first, &mut self.entries);
        let mut free = 0;
        for (block, start) in blocks.iter().zip((0..).step_by(CHUNK)) {
            block.for_each(|member, agent| {
                let next = core::mem::replace(&mut first[agent as usize], free);
                let member = start + member;
                entries[free as usize] = Entry { member, next };
                free += 1;
            });
        }
    }

    /// Goes through the members that have an agent in contact.
    fn of(&self, agent: usize) -> impl Iterator<Item = u32> + '_ {
        let entry = |index: u32| self.entries.get(index as usize);
        core::iter::successors(entry(self.first[agent]), move |e| entry(e.next)).map(|e| e.member)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::Region;
    use crate::separate::Touch;
    use crate::simd::{Eight, LANES};
    use core::iter::empty;

    const X: Vec2 = Vec2::new(1.0, 0.0);

    /// Another agent, the way to it, and the speed at which the gap may close.
    type Contact = (u32, Vec2, f32);

    fn contact(other: u32, towards: Vec2, room: f32) -> Contact {
        (other, towards, room)
    }

    fn column(contacts: &[Contact], of: impl Fn(&Contact) -> f32, nobody: f32) -> Eight {
        Eight(core::array::from_fn(|i| {
            contacts.get(i).map_or(nobody, &of)
        }))
    }

    /// Settles these velocities in a step of a second, where member `i` has `contacts[i]`.
    fn settled(velocities: &[Vec2], contacts: &[&[Contact]]) -> Vec<Vec2> {
        let mut all = Contacts::default();
        for (agent, contacts) in contacts.iter().enumerate() {
            for contacts in contacts.chunks(LANES) {
                let others = core::array::from_fn(|i| contacts.get(i).map_or(0, |c| c.0));
                let touch = Touch {
                    set: (1 << contacts.len()) - 1,
                    x: column(contacts, |c| c.1.x, 0.0),
                    y: column(contacts, |c| c.1.y, 0.0),
                    room: column(contacts, |c| c.2, f32::INFINITY),
                    share: Eight::splat(0.5),
                };
                all.push(&touch, &others);
            }
            all.add(agent, empty());
        }
        let mut sweeps = Sweeps {
            contacts: vec![Contacts::default(), all],
            velocities: velocities.to_vec(),
            ..Sweeps::default()
        };
        sweeps.settle(1.0, |_| Region::disc(9.0));
        sweeps.velocities
    }

    #[test]
    fn a_pair_is_settled_in_one_sweep() {
        let contacts: [&[Contact]; 2] = [&[contact(1, X, 0.5)], &[contact(0, -X, 0.5)]];
        let velocities = settled(&[X * 2.0, X * -1.0], &contacts);
        assert_eq!(velocities, [X * 0.75, X * 0.25]);
    }

    #[test]
    fn a_shove_goes_through_a_row_though_one_end_does_not_look_back() {
        // The first does not have the second in contact: it shoves, and does not change itself.
        let contacts: [&[Contact]; 4] = [
            &[],
            &[contact(0, -X, 0.0), contact(2, X, 0.0)],
            &[contact(1, -X, 0.0), contact(3, X, 0.0)],
            &[contact(2, -X, 0.0)],
        ];
        let velocities = settled(&[X, X * 0.0, X * 0.0, X * 0.0], &contacts);
        assert_eq!(velocities[0], X);
        assert!(
            velocities[1].x > velocities[2].x - 1e-3 && velocities[2].x > velocities[3].x - 1e-3
        );
        assert!(velocities[3].x > 0.3);
    }

    #[test]
    fn who_only_listens_is_called_too() {
        // The third has the second in contact, the second looks at the first alone.
        let contacts: [&[Contact]; 3] = [
            &[contact(1, X, 0.0)],
            &[contact(0, -X, 0.0)],
            &[contact(1, -X, 0.0)],
        ];
        let velocities = settled(&[X, X * 0.0, X * 0.0], &contacts);
        assert_eq!(velocities[1], X * 0.5);
        assert!(velocities[2].x > 0.2);
    }
}
