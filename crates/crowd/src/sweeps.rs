//! Sweeps over the contacts of all agents, until nobody changes any more.
//!
//! The first sweep looks at all who have contacts, each later one at those whose velocity the last one has
//! changed and at those who have them in contact. So a jam costs what the jam needs, whatever stands around it.

use crate::contacts::{Contacts, Settled, Sweep};
use crate::region::Region;
use crate::tuning::{CHUNK, MAX_SWEEPS, SWEEP_CHANGE, SWEEP_GAIN, SWEEP_SLOP};
use cairn2d_simd::{Kernel, LANES, Lanes8, Level, Simd, each_lane};
use rayon::prelude::*;

/// The velocities that are being settled, and who has to look again.
///
/// A team is called by a number: [`TEAMS`] times its block of contacts, and its place there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweeps {
    /// Contacts of all agents, in blocks of [`CHUNK`] agents at most.
    pub(crate) contacts: Vec<Contacts>,
    /// Velocities in the order of the grid, and nobody's [m/s].
    pub(crate) velocities: Vec<[f32; 2]>,
    listeners: Listeners,
    /// Who looks in this sweep, and what comes of it.
    active: Vec<Active>,
    results: Vec<Settled>,
    /// Those of each team who are called to the next sweep, a bit each.
    called: Vec<u8>,
}

/// Those of a team who look at their contacts.
#[derive(Clone, Copy, Debug)]
struct Active {
    team: u32,
    set: u32,
}

/// Teams in a block of contacts at most.
const TEAMS: usize = CHUNK / LANES;

/// Teams to look at from which on a sweep goes over the threads of the pool, and those that one task looks at.
///
/// Below it takes less time than handing it out.
const SHARED: usize = 4 * SHARE;
const SHARE: usize = 64;

impl Sweeps {
    /// Settles the contacts of a step of `step` seconds, where `region` tells what a sorted agent can do at all.
    pub(crate) fn settle(
        &mut self,
        width: Level,
        step: f32,
        region: impl Fn(usize) -> Region + Sync,
    ) {
        self.called.clear();
        // And a team after all teams, which nobody is in.
        let teams = TEAMS * self.contacts.len();
        self.called.resize(teams + 1, 0);
        for (block, called) in self.contacts.iter().zip(self.called.chunks_mut(TEAMS)) {
            for (set, called) in block.sets().zip(called) {
                *called = set as u8;
            }
        }
        self.listeners.clear();
        for sweep in 0..MAX_SWEEPS {
            self.answer();
            if self.active.is_empty() {
                break;
            }
            let slop = SWEEP_SLOP / step;
            let how = Sweep {
                slop,
                // A pair is settled at once; where that was not enough, a little more helps the many.
                gain: if sweep == 0 { 1.0 } else { SWEEP_GAIN },
                least_change: SWEEP_CHANGE * slop,
            };
            self.sweep(width, &how, &region);
            self.apply();
        }
    }

    /// Lists those who are called, and calls nobody any more.
    fn answer(&mut self) {
        self.active.clear();
        self.called.pop();
        for (team, called) in (0..).zip(&mut self.called) {
            if *called != 0 {
                let set = u32::from(core::mem::take(called));
                self.active.push(Active { team, set });
            }
        }
        self.called.push(0);
    }

    /// Finds what the velocities of the active ones become, each from those of the last sweep.
    fn sweep(&mut self, width: Level, how: &Sweep, region: &(impl Fn(usize) -> Region + Sync)) {
        self.results.resize(self.active.len(), Settled::default());
        let (contacts, velocities) = (&self.contacts, &self.velocities);
        let sweep = |(active, results): (&[Active], &mut [Settled])| {
            width.enter(Settle {
                contacts,
                velocities,
                how,
                region,
                active,
                results,
            });
        };
        if self.active.len() < SHARED || rayon::current_num_threads() == 1 {
            sweep((&self.active, &mut self.results));
        } else {
            let parts = self.active.par_chunks(SHARE);
            parts
                .zip(self.results.par_chunks_mut(SHARE))
                .for_each(sweep);
        }
    }

    /// Takes over the results, and calls those whom a change concerns to the next sweep.
    fn apply(&mut self) {
        for (active, settled) in self.active.iter().zip(&self.results) {
            let (contacts, team) = find(&self.contacts, active.team);
            let agents = contacts.agents(team);
            for (lane, &agent) in agents.iter().enumerate() {
                self.velocities[agent as usize] = [settled.x.0[lane], settled.y.0[lane]];
            }
            if settled.changed != 0 {
                let count = self.velocities.len();
                self.listeners.fill(&self.contacts, count);
                self.called[active.team as usize] |= settled.changed as u8;
                self.listeners
                    .call(agents, settled.changed, &mut self.called);
            }
        }
    }
}

/// What a sweep makes of some teams.
struct Settle<'a, R> {
    contacts: &'a [Contacts],
    velocities: &'a [[f32; 2]],
    how: &'a Sweep,
    region: &'a R,
    active: &'a [Active],
    results: &'a mut [Settled],
}

impl<S: Simd<F32: Lanes8>, R: Fn(usize) -> Region> Kernel<S> for Settle<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run(self, simd: S) {
        for (active, result) in self.active.iter().zip(self.results) {
            let (contacts, team) = find(self.contacts, active.team);
            *result = contacts.settled::<S::F32>(
                simd,
                team,
                active.set,
                self.velocities,
                self.how,
                self.region,
            );
        }
    }
}

/// Returns a team's block and its place there.
#[inline]
fn find(blocks: &[Contacts], team: u32) -> (&Contacts, usize) {
    (&blocks[team as usize / TEAMS], team as usize % TEAMS)
}

/// For each agent those who have it in contact: lists threaded through the places in rows of contacts.
///
/// They end at a place after all rows, which is in a team after all teams: nobody who goes along several lists at once
/// has to foretell which of them ends first.
#[derive(Clone, Debug, Default)]
struct Listeners {
    /// First place in each agent's list, in the order of the grid.
    first: Vec<u32>,
    /// After each place the next one in its list.
    next: Vec<[u32; LANES]>,
    /// Team of each row.
    teams: Vec<u32>,
}

impl Listeners {
    fn clear(&mut self) {
        self.first.clear();
    }

    /// Makes the lists for `count` agents and nobody, unless they are there already.
    fn fill(&mut self, blocks: &[Contacts], count: usize) {
        if !self.first.is_empty() {
            return;
        }
        let rows: usize = blocks.iter().map(Contacts::row_count).sum();
        let end = (LANES * rows) as u32;
        self.first.resize(count, end);
        self.teams.clear();
        self.next.clear();
        if rows >= self.next.capacity() {
            self.teams.reserve_exact(rows + rows / 8 + 1);
            self.next.reserve_exact(rows + rows / 8 + 1);
        }
        let first = &mut self.first;
        for (block, start) in blocks.iter().zip((0..).step_by(TEAMS)) {
            for (team, others) in block.rows() {
                let place = (LANES * self.teams.len()) as u32;
                self.teams.push(start + team as u32);
                // Nobody has a list too, which nobody reads: so nothing has to be foretold here.
                self.next.push(each_lane(|lane| {
                    let first = &mut first[others[lane] as usize];
                    core::mem::replace(first, place + lane as u32)
                }));
            }
        }
        self.teams.push((TEAMS * blocks.len()) as u32);
        self.next.push([end; LANES]);
    }

    /// Calls those who have one of a set of agents in contact.
    #[inline]
    fn call(&self, agents: &[u32; LANES], mut set: u32, called: &mut [u8]) {
        let (mut places, mut count) = ([0; LANES], 0);
        while set != 0 {
            let lane = set.trailing_zeros() as usize % LANES;
            set &= set - 1;
            places[count % LANES] = self.first[agents[lane] as usize] as usize;
            count += 1;
        }
        let end = LANES * (self.teams.len() - 1);
        let mut goes_on = true;
        while goes_on {
            goes_on = false;
            for place in &mut places[..count] {
                let (row, lane) = (*place / LANES, *place % LANES);
                called[self.teams[row] as usize] |= 1 << lane;
                *place = self.next[row][lane] as usize;
                goes_on |= *place != end;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::separate::Touch;
    use cairn2d_geometry::math::Vec2;
    use cairn2d_simd::F32x8;
    use core::iter::empty;

    const X: Vec2 = Vec2::new(1.0, 0.0);

    /// Another agent, the way to it, and the speed at which the gap may close.
    type Contact = (u32, Vec2, f32);

    fn contact(other: u32, towards: Vec2, room: f32) -> Contact {
        (other, towards, room)
    }

    fn column(contacts: &[Contact], of: impl Fn(&Contact) -> f32, nobody: f32) -> F32x8 {
        F32x8(core::array::from_fn(|i| {
            contacts.get(i).map_or(nobody, &of)
        }))
    }

    /// Settles these velocities in a step of a second, where member `i` has `contacts[i]`.
    fn settled(velocities: &[Vec2], contacts: &[&[Contact]]) -> Vec<Vec2> {
        let mut all = Contacts::default();
        all.clear(velocities.len(), Some(0.5));
        all.begin();
        for (agent, contacts) in contacts.iter().enumerate() {
            for contacts in contacts.chunks(LANES) {
                let others = core::array::from_fn(|i| contacts.get(i).map_or(0, |c| c.0));
                let touch = Touch {
                    set: (1 << contacts.len()) - 1,
                    x: column(contacts, |c| c.1.x, 0.0),
                    y: column(contacts, |c| c.1.y, 0.0),
                    room: column(contacts, |c| c.2, f32::INFINITY),
                    share: F32x8::splat(0.5),
                };
                all.put(agent, 0, &touch, &others);
            }
            all.name(agent, agent, &Region::disc(9.0), empty());
        }
        let mut sweeps = Sweeps {
            contacts: vec![Contacts::default(), all],
            velocities: velocities
                .iter()
                .map(|v| [v.x, v.y])
                .chain([[0.0; 2]])
                .collect(),
            ..Sweeps::default()
        };
        sweeps.settle(Level::detect(), 1.0, |_| Region::disc(9.0));
        sweeps.velocities.truncate(velocities.len());
        sweeps.velocities.into_iter().map(Vec2::from).collect()
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
