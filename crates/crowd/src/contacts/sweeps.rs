//! Sweeps over the contacts of all agents, until no velocity changes.
//!
//! The first sweep solves all agents with contacts, each later one the agents whose velocity has changed and their
//! neighbors. So the work of a jam does not depend on the rest of the crowd.

use crate::contacts::{AgentSet, Contacts, Settled, SweepParams};
use crate::lanes::each_of;
use crate::limits::region::Region;
use crate::tuning::{MAX_SWEEPS, SWEEP_CHANGE, SWEEP_GAIN, SWEEP_SLOP};
use crate::workers::for_each;
use cairn2d_simd::{Kernel, Lanes8, Level, Simd};

/// Velocities that are being settled, and the agents to solve again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweeps {
    /// Contacts of all agents, by the thread that found them.
    pub(crate) contacts: Vec<Contacts>,
    /// Velocities in the order of the grid, and of the sentinel [m/s].
    pub(crate) velocities: Vec<[f32; 2]>,
    /// Groups of the present sweep, and their results.
    active: Vec<Active>,
    results: Vec<Settled>,
    /// Agents that the last sweep has changed.
    changed: AgentSet,
}

/// Agents of a group that are solved.
#[derive(Clone, Copy, Debug)]
struct Active {
    /// The thread that found the contacts of the group, and its index there.
    thread: u16,
    group: u32,
    set: u8,
}

/// Number of groups from which on a sweep is parallel, and groups per task.
///
/// Below, the distribution of tasks costs more than it saves.
const PARALLEL_GROUPS: usize = 4 * GROUPS_PER_TASK;
const GROUPS_PER_TASK: usize = 64;

impl Sweeps {
    /// Settles the contacts of a step; `region` returns the region of a sorted agent.
    pub(crate) fn settle(
        &mut self,
        width: Level,
        threads: u32,
        region: impl Fn(usize) -> Region + Sync,
    ) {
        for sweep in 0..MAX_SWEEPS {
            self.collect(sweep == 0);
            if self.active.is_empty() {
                break;
            }
            let how = SweepParams {
                slop: SWEEP_SLOP,
                // A pair is settled at once; if that did not suffice, over-relaxation helps.
                gain: if sweep == 0 { 1.0 } else { SWEEP_GAIN },
                least_change: SWEEP_CHANGE * SWEEP_SLOP,
            };
            self.sweep(width, threads, &how, &region);
            self.apply();
        }
        self.contacts.iter_mut().for_each(Contacts::trim);
    }

    /// Lists the agents to solve: at `first` all agents with contacts, later the changed agents and the agents in contact
    /// with them.
    fn collect(&mut self, first: bool) {
        self.active.clear();
        for (thread, contacts) in (0..).zip(&self.contacts) {
            for (group, set) in (0..).zip(contacts.sets()) {
                let set = if first || set == 0 {
                    set
                } else {
                    contacts.affected(group as usize, &self.changed) as u8
                };
                if set != 0 {
                    self.active.push(Active { thread, group, set });
                }
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
        let (contacts, velocities) = (&self.contacts, &self.velocities);
        let is_small = self.active.len() < PARALLEL_GROUPS;
        let results = self.results.chunks_mut(GROUPS_PER_TASK);
        let parts = self.active.chunks(GROUPS_PER_TASK).zip(results);
        for_each(
            if is_small { 1 } else { threads },
            parts,
            |(active, results)| {
                width.enter(SweepTask {
                    contacts,
                    velocities,
                    how,
                    region,
                    active,
                    results,
                });
            },
        );
    }

    /// Stores the results, and notes the agents that have changed.
    fn apply(&mut self) {
        self.changed.clear(self.velocities.len());
        for (active, settled) in self.active.iter().zip(&self.results) {
            let agents = self.contacts[usize::from(active.thread)].agents(active.group as usize);
            for (lane, &agent) in agents.iter().enumerate() {
                self.velocities[agent as usize] = settled.velocities[lane];
            }
            each_of(settled.changed.into(), |lane| {
                self.changed.insert(agents[lane]);
            });
        }
    }
}

/// Task of a thread: a sweep over some groups.
struct SweepTask<'a, R> {
    contacts: &'a [Contacts],
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
            let contacts = &self.contacts[usize::from(active.thread)];
            *result = contacts.settled::<S::F32>(
                simd,
                active.group as usize,
                active.set.into(),
                self.velocities,
                self.how,
                self.region,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contacts::ContactLanes;
    use cairn2d_geometry::math::Vec2;
    use cairn2d_simd::{F32x8, LANES, each_lane};

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
        sweeps.settle(Level::detect(), 1, |_| Region::disc(9.0));
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
