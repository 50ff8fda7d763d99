//! Chains: lists of segments with a material each. The engine knows only their segments.

use crate::abi::{Fault, Outcome};
use crate::types::*;
use cairn2d::{BodyId, ShapeId};

/// A chain.
#[derive(Clone)]
pub(crate) struct Chain {
    pub(crate) body: BodyId,
    pub(crate) segments: Vec<ShapeId>,
    /// One for all segments, or one for each.
    pub(crate) materials: Vec<b2SurfaceMaterial>,
}

/// The chains of a world.
#[derive(Clone, Default)]
pub(crate) struct ChainTable {
    entries: Vec<(u16, Option<Chain>)>,
}

impl ChainTable {
    /// Returns the index that the next chain gets.
    pub(crate) fn next(&self) -> usize {
        let free = self.entries.iter().position(|(_, chain)| chain.is_none());
        free.unwrap_or(self.entries.len())
    }

    pub(crate) fn insert(&mut self, chain: Chain, world0: u16) -> b2ChainId {
        let index = self.next();
        if index == self.entries.len() {
            self.entries.push((0, None));
        }
        self.entries[index].1 = Some(chain);
        b2ChainId::of_parts(index as i32 + 1, world0, self.entries[index].0)
    }

    fn index(&self, id: b2ChainId) -> Outcome<usize> {
        let index = id.index1.wrapping_sub(1) as usize;
        match self.entries.get(index) {
            Some((generation, Some(_))) if *generation == id.generation => Ok(index),
            _ => Err(Fault::Stale("chain")),
        }
    }

    pub(crate) fn get(&self, id: b2ChainId) -> Outcome<&Chain> {
        let index = self.index(id)?;
        self.entries[index].1.as_ref().ok_or(Fault::Stale("chain"))
    }

    pub(crate) fn get_mut(&mut self, id: b2ChainId) -> Outcome<&mut Chain> {
        let index = self.index(id)?;
        self.entries[index].1.as_mut().ok_or(Fault::Stale("chain"))
    }

    pub(crate) fn remove(&mut self, id: b2ChainId) -> Outcome<Chain> {
        let index = self.index(id)?;
        self.entries[index].0 = self.entries[index].0.wrapping_add(1);
        self.entries[index].1.take().ok_or(Fault::Stale("chain"))
    }

    /// Removes the chains of a body that is destroyed.
    pub(crate) fn remove_of_body(&mut self, body: BodyId) {
        for (generation, chain) in &mut self.entries {
            if chain.as_ref().is_some_and(|chain| chain.body == body) {
                *chain = None;
                *generation = generation.wrapping_add(1);
            }
        }
    }

    /// Returns the id of the chain with a number, which counts from 1; null for 0.
    pub(crate) fn id_of(&self, number: u32, world0: u16) -> b2ChainId {
        let entry = self.entries.get((number as usize).wrapping_sub(1));
        entry.map_or(b2ChainId::of_parts(0, 0, 0), |(generation, _)| {
            b2ChainId::of_parts(number as i32, world0, *generation)
        })
    }

    /// Returns the number of entries, those without a chain included.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Generations and chains, for a snapshot.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u16, Option<&Chain>)> {
        self.entries
            .iter()
            .map(|(generation, chain)| (*generation, chain.as_ref()))
    }

    /// Adds an entry of a snapshot.
    pub(crate) fn push(&mut self, generation: u16, chain: Option<Chain>) {
        self.entries.push((generation, chain));
    }
}
