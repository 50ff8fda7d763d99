//! Parameter sets, shared by all agents that have equal ones: most crowds have a few.

use crate::store::agent::Params;
use std::collections::BTreeMap;

/// Sets of parameters, found by their bits. A set is dropped with its last agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParamSets {
    sets: Vec<Params>,
    /// Number of agents of each set.
    agents: Vec<u32>,
    /// The sets that have agents.
    by_bits: BTreeMap<[u32; Params::WORDS], u32>,
    free: Vec<u32>,
    /// The set that was found last: agents are often created alike.
    last: u32,
}

impl ParamSets {
    /// Returns a set.
    #[inline(always)]
    pub(crate) fn get(&self, set: u32) -> &Params {
        &self.sets[set as usize]
    }

    /// Iterates over the sets that have agents.
    pub(crate) fn used(&self) -> impl Iterator<Item = &Params> {
        let sets = self.sets.iter().zip(&self.agents);
        sets.filter_map(|(set, &agents)| (agents > 0).then_some(set))
    }

    /// Adds an agent with these parameters; returns its set.
    pub(crate) fn join(&mut self, params: &Params) -> u32 {
        let (key, last) = (params.bits(), self.last as usize);
        let is_last = self
            .sets
            .get(last)
            .is_some_and(|set| are_equal(&set.bits(), &key));
        if !is_last || self.agents[last] == 0 {
            let (sets, agents, free) = (&mut self.sets, &mut self.agents, &mut self.free);
            self.last = *self.by_bits.entry(key).or_insert_with(|| {
                let set = free.pop().unwrap_or_else(|| {
                    agents.push(0);
                    sets.push(*params);
                    (sets.len() - 1) as u32
                });
                sets[set as usize] = *params;
                set
            });
        }
        self.agents[self.last as usize] += 1;
        self.last
    }

    /// Removes an agent from its set.
    pub(crate) fn leave(&mut self, set: u32) {
        let agents = &mut self.agents[set as usize];
        *agents -= 1;
        if *agents == 0 {
            self.by_bits.remove(&self.sets[set as usize].bits());
            self.free.push(set);
        }
    }
}

/// Returns whether all words are equal; without the call that a comparison of arrays is.
#[inline]
fn are_equal(a: &[u32; Params::WORDS], b: &[u32; Params::WORDS]) -> bool {
    a.iter().zip(b).fold(0, |change, (a, b)| change | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::agent::AgentDef;

    #[test]
    fn equal_parameters_share_a_set_and_the_last_agent_drops_it() {
        let mut sets = ParamSets::default();
        let params = |radius: u8| {
            Params::from(&AgentDef {
                radius: radius.into(),
                ..AgentDef::default()
            })
        };
        let found: Vec<u32> = (0..60).map(|i| sets.join(&params(i % 20))).collect();
        assert_eq!(sets.sets.len(), 20);
        for (i, &set) in found.iter().enumerate() {
            assert_eq!(*sets.get(set), params(i as u8 % 20));
            assert_eq!(set, found[i % 20]);
        }
        for &set in &found[..50] {
            sets.leave(set);
        }
        assert_eq!(sets.free.len(), 10);
        for i in 0..30 {
            let set = sets.join(&params(i));
            assert_eq!(*sets.get(set), params(i));
        }
        assert_eq!((sets.sets.len(), sets.free.len()), (30, 0));
    }
}
