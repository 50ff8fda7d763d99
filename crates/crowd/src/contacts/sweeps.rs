//! Sweeps over the contacts of all agents, until no velocity changes.
//!
//! The first sweep solves all agents with contacts, each later one the agents whose velocity has changed and their
//! neighbors. So the work of a jam does not depend on the rest of the crowd.

use crate::contacts::{Contacts, Settled, SweepParams, grow};
use crate::lanes::each_of;
use crate::limits::region::Region;
use crate::tuning::{MAX_SWEEPS, SWEEP_CHANGE, SWEEP_GAIN, SWEEP_SLOP};
use crate::workers::for_each;
use cairn2d_simd::{Kernel, LANES, Lanes8, Level, Simd};

/// Velocities that are being settled, and the agents to solve again.
///
/// The index of a group is `stride` times the index of its thread, plus its index there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweeps {
    /// Contacts of all agents, by the thread that found them.
    pub(crate) contacts: Vec<Contacts>,
    stride: usize,
    /// Velocities in the order of the grid, and of the sentinel [m/s].
    pub(crate) velocities: Vec<[f32; 2]>,
    dependents: Dependents,
    /// Groups of the present sweep, and their results.
    active: Vec<Active>,
    results: Vec<Settled>,
    /// Mask of agents of each group that the next sweep solves.
    dirty: Vec<u8>,
}

/// Agents of a group that are solved.
#[derive(Clone, Copy, Debug)]
struct Active {
    group: u32,
    set: u32,
}

/// Number of groups from which on a sweep is parallel, and groups per task.
///
/// Below, the distribution of tasks costs more than it saves.
const PARALLEL_GROUPS: usize = 4 * GROUPS_PER_TASK;
const GROUPS_PER_TASK: usize = 64;

impl Sweeps {
    /// Settles the contacts of a step of `step` seconds; `region` returns the region of a sorted agent.
    pub(crate) fn settle(
        &mut self,
        width: Level,
        threads: u32,
        step: f32,
        region: impl Fn(usize) -> Region + Sync,
    ) {
        let counts = self.contacts.iter().map(|contacts| contacts.sets().len());
        self.stride = counts.fold(1, usize::max);
        self.dirty.clear();
        for (thread, contacts) in self.contacts.iter().enumerate() {
            self.dirty.resize(self.stride * thread, 0);
            self.dirty.extend(contacts.sets());
        }
        self.dependents.ends.clear();
        for sweep in 0..MAX_SWEEPS {
            self.collect_dirty();
            if self.active.is_empty() {
                break;
            }
            let slop = SWEEP_SLOP / step;
            let how = SweepParams {
                slop,
                // A pair is settled at once; if that did not suffice, over-relaxation helps.
                gain: if sweep == 0 { 1.0 } else { SWEEP_GAIN },
                least_change: SWEEP_CHANGE * slop,
            };
            self.sweep(width, threads, &how, &region);
            self.apply();
        }
    }

    /// Lists the dirty groups and clears their masks.
    fn collect_dirty(&mut self) {
        self.active.clear();
        for (group, dirty) in (0..).zip(&mut self.dirty) {
            if *dirty != 0 {
                let set = u32::from(core::mem::take(dirty));
                self.active.push(Active { group, set });
            }
        }
    }

    /// Computes the velocities of the active agents, from those of the last sweep.
    fn sweep(
        &mut self,
        width: Level,
        threads: u32,
        how: &SweepParams,
        region: &(impl Fn(usize) -> Region + Sync),
    ) {
        self.results.resize(self.active.len(), Settled::default());
        let (contacts, stride) = (&self.contacts, self.stride);
        let velocities = &self.velocities;
        let is_small = self.active.len() < PARALLEL_GROUPS;
        let results = self.results.chunks_mut(GROUPS_PER_TASK);
        let parts = self.active.chunks(GROUPS_PER_TASK).zip(results);
        for_each(
            if is_small { 1 } else { threads },
            parts,
            |(active, results)| {
                width.enter(SweepTask {
                    contacts,
                    stride,
                    velocities,
                    how,
                    region,
                    active,
                    results,
                });
            },
        );
    }

    /// Stores the results, and marks the agents with changed neighbors for the next sweep.
    fn apply(&mut self) {
        for (active, settled) in self.active.iter().zip(&self.results) {
            let (contacts, group) = find(&self.contacts, self.stride, active.group);
            let agents = contacts.agents(group);
            for (lane, &agent) in agents.iter().enumerate() {
                self.velocities[agent as usize] = settled.velocities[lane];
            }
            if settled.changed != 0 {
                let count = self.velocities.len();
                self.dependents.fill(&self.contacts, self.stride, count);
                self.dirty[active.group as usize] |= settled.changed;
                each_of(settled.changed.into(), |lane| {
                    self.dependents.mark(agents[lane], &mut self.dirty);
                });
            }
        }
    }
}

/// Task of a thread: a sweep over some groups.
struct SweepTask<'a, R> {
    contacts: &'a [Contacts],
    stride: usize,
    velocities: &'a [[f32; 2]],
    how: &'a SweepParams,
    region: &'a R,
    active: &'a [Active],
    results: &'a mut [Settled],
}

impl<S: Simd<F32: Lanes8>, R: Fn(usize) -> Region> Kernel<S> for SweepTask<'_, R> {
    type Output = ();
    #[inline(always)]
    fn run(self, simd: S) {
        for (active, result) in self.active.iter().zip(self.results) {
            let (contacts, group) = find(self.contacts, self.stride, active.group);
            *result = contacts.settled::<S::F32>(
                simd,
                group,
                active.set,
                self.velocities,
                self.how,
                self.region,
            );
        }
    }
}

/// Returns the contacts of a group's thread, and its index there.
#[inline]
fn find(contacts: &[Contacts], stride: usize, group: u32) -> (&Contacts, usize) {
    let group = group as usize;
    (&contacts[group / stride], group % stride)
}

/// For each agent the agents that have it in contact, one list after the other.
#[derive(Clone, Debug, Default)]
struct Dependents {
    /// Ends of the lists: each starts where the one before ends. Empty until they are needed.
    ends: Vec<u32>,
    /// Places of agents: eight times the group, plus the lane.
    places: Vec<u32>,
}

impl Dependents {
    /// Lists the contacts of `count` agents and of the sentinel, unless that is done.
    fn fill(&mut self, contacts: &[Contacts], stride: usize, count: usize) {
        if !self.ends.is_empty() {
            return;
        }
        self.ends.resize(count + 1, 0);
        for part in contacts {
            part.each_contact(|_, _, other| self.ends[other as usize + 1] += 1);
        }
        let mut sum = 0;
        for end in &mut self.ends {
            // The start of each list; filling it moves that to its end.
            sum += *end;
            *end = sum;
        }
        self.places.clear();
        grow(&mut self.places, sum as usize, 0);
        for (part, first) in contacts.iter().zip((0..).step_by(stride)) {
            part.each_contact(|group, lane, other| {
                let end = &mut self.ends[other as usize];
                self.places[*end as usize] = (LANES * (first + group) + lane) as u32;
                *end += 1;
            });
        }
    }

    /// Marks the agents that have `agent` in contact.
    #[inline]
    fn mark(&self, agent: u32, dirty: &mut [u8]) {
        let agent = agent as usize;
        let start = agent.checked_sub(1).map_or(0, |before| self.ends[before]);
        for &place in &self.places[start as usize..self.ends[agent] as usize] {
            dirty[place as usize / LANES] |= 1 << (place as usize % LANES);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::ContactLanes;
    use cairn2d_geometry::math::Vec2;
    use cairn2d_simd::{F32x8, each_lane};

    const X: Vec2 = Vec2::new(1.0, 0.0);

    /// Another agent, the direction to it, and the speed at which the gap may close.
    type Contact = (u32, Vec2, f32);

    fn contact(other: u32, towards: Vec2, room: f32) -> Contact {
        (other, towards, room)
    }

    /// Settles these velocities in a step of a second, where member `i` has `contacts[i]`.
    fn settled(velocities: &[Vec2], contacts: &[&[Contact]]) -> Vec<Vec2> {
        let mut all = Contacts::default();
        all.clear(velocities.len(), Some(0.5));
        all.begin();
        for row in 0..contacts
            .iter()
            .map(|contacts| contacts.len())
            .max()
            .unwrap_or(0)
        {
            let of = |agent: usize| contacts.get(agent).and_then(|contacts| contacts.get(row));
            let column = |of_contact: fn(&Contact) -> f32, none: f32| {
                F32x8(each_lane(|lane| of(lane).map_or(none, of_contact)))
            };
            let touch = ContactLanes {
                set: (0..LANES)
                    .map(|lane| u32::from(of(lane).is_some()) << lane)
                    .sum(),
                x: column(|c| c.1.x, 0.0),
                y: column(|c| c.1.y, 0.0),
                room: column(|c| c.2, f32::INFINITY),
                share: F32x8::splat(0.5),
            };
            all.put_row(row, &touch, each_lane(|lane| of(lane).map_or(0, |c| c.0)));
        }
        for agent in 0..contacts.len() {
            all.set_agent(agent, agent as u32, &Region::disc(9.0), &[]);
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
        sweeps.settle(Level::detect(), 1, 1.0, |_| Region::disc(9.0));
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
        // The first agent does not have the second in contact: it pushes, and does not change itself.
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
    fn dependents_without_a_change_are_marked_too() {
        // The third agent has the second in contact, the second only the first.
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
