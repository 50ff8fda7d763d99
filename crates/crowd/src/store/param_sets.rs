//! Parameter sets, shared by all agents that have equal ones: most crowds have a few.

use crate::store::agent::Params;
use cairn2d_geometry::StateHasher;

/// The end of a chain.
const NONE: u32 = u32::MAX;

/// Sets of parameters, found by their hash in chains. A set is dropped with its last agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct ParamSets {
    sets: Vec<Params>,
    /// Number of agents of each set.
    agents: Vec<u32>,
    /// Next set in the chain of each set, and the first one of each chain.
    next: Vec<u32>,
    first: Vec<u32>,
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
        let key = params.bits();
        let is_last = self
            .sets
            .get(self.last as usize)
            .is_some_and(|last| are_equal(&last.bits(), &key));
        if !is_last || self.agents[self.last as usize] == 0 {
            self.last = self.find(params, &key).unwrap_or_else(|| self.add(params));
        }
        self.agents[self.last as usize] += 1;
        self.last
    }

    /// Removes an agent from its set.
    pub(crate) fn leave(&mut self, set: u32) {
        let agents = &mut self.agents[set as usize];
        *agents -= 1;
        if *agents > 0 {
            return;
        }
        let chain = self.chain(&self.sets[set as usize]);
        let after = self.next[set as usize];
        let mut before = self.first[chain];
        if before == set {
            self.first[chain] = after;
        } else {
            while self.next[before as usize] != set {
                before = self.next[before as usize];
            }
            self.next[before as usize] = after;
        }
        self.free.push(set);
    }

    fn find(&self, params: &Params, key: &[u32; Params::WORDS]) -> Option<u32> {
        let mut set = *self.first.get(self.chain(params))?;
        while set != NONE && self.sets[set as usize].bits() != *key {
            set = self.next[set as usize];
        }
        (set != NONE).then_some(set)
    }

    fn add(&mut self, params: &Params) -> u32 {
        let set = self.free.pop().unwrap_or_else(|| {
            self.agents.push(0);
            self.next.push(NONE);
            self.sets.push(*params);
            (self.sets.len() - 1) as u32
        });
        self.sets[set as usize] = *params;
        if self.sets.len() > self.first.len() {
            // Chains of one set on average.
            self.first = vec![NONE; (2 * self.sets.len()).next_power_of_two()];
            for set in 0..self.sets.len() as u32 {
                if self.agents[set as usize] > 0 {
                    self.link(set);
                }
            }
        }
        self.link(set);
        set
    }

    fn link(&mut self, set: u32) {
        let chain = self.chain(&self.sets[set as usize]);
        self.next[set as usize] = core::mem::replace(&mut self.first[chain], set);
    }

    /// Returns the chain of these parameters.
    fn chain(&self, params: &Params) -> usize {
        StateHasher::new().add(params).finish() as usize & self.first.len().wrapping_sub(1)
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
