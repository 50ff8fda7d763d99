//! Stages 2 and 3 of the step: manifolds of awake contacts, then touches that begin and end.

use crate::bitset::{WORD, ones};
use crate::body::state::BodyPose;
use crate::contact::key::ContactKey;
use crate::contact::patch::ContactPatch;
use crate::contact::update::{ContactChange, update_contact};
use crate::id::{Slots, kind};
use crate::shape::BodyShape;
use crate::world::World;
use rayon::prelude::*;

/// What collide found, as bits by contact slot: one word of each for 64 contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChangeWord {
    begins: u64,
    ends: u64,
    parts: u64,
    /// Contacts looked at, and how many of them were made anew.
    remade: u32,
}

/// A word of changes for every 64 contact slots.
pub(crate) type ChangeBits = Vec<ChangeWord>;

/// Contact slots from which collide uses more than one thread.
///
/// A contact takes some 20 ns to look at and 150 ns to make anew; handing work to other threads some
/// 10 us. Below this, one thread is done sooner.
const PARALLEL_FROM: usize = 4096;

/// Words that a thread takes at a time.
const BLOCK: usize = 16;

impl World {
    /// Stage 2: brings every awake contact up to date. Each writes its own records only, so the order
    /// does not matter.
    pub(crate) fn collide(&mut self) {
        let words = self.awake_contacts.words();
        let mut changes = core::mem::take(&mut self.scratch.changes);
        changes.clear();
        changes.resize(words.len(), ChangeWord::default());
        let slots = self.keys.len();
        let (poses, shapes) = (&self.bodies.poses, &self.shapes);
        if slots < PARALLEL_FROM || self.def.threads == 1 {
            collide_words(
                words,
                &mut self.keys,
                &mut self.patches,
                &mut changes,
                poses,
                shapes,
            );
        } else {
            self.keys
                .par_chunks_mut(WORD * BLOCK)
                .zip(self.patches.par_chunks_mut(WORD * BLOCK))
                .zip(words.par_chunks(BLOCK))
                .zip(changes.par_chunks_mut(BLOCK))
                .for_each(|(((keys, patches), words), changes)| {
                    collide_words(words, keys, patches, changes, poses, shapes);
                });
        }
        self.counters.awake_contacts = self.awake_contacts.len();
        let remade: usize = changes.iter().map(|change| change.remade as usize).sum();
        self.counters.recycled_contacts = self.counters.awake_contacts - remade;
        self.scratch.changes = changes;
    }

    /// Stage 3: touches that begin and end, in order of contact slot.
    pub(crate) fn link_and_unlink(&mut self) {
        let changes = core::mem::take(&mut self.scratch.changes);
        for (word, change) in changes.iter().enumerate() {
            let slot = |bit: u32| (word * WORD) as u32 + bit;
            for bit in ones(change.ends) {
                self.end_touch(slot(bit));
            }
            for bit in ones(change.parts) {
                self.remove_contact(slot(bit));
            }
            for bit in ones(change.begins) {
                self.begin_touch(slot(bit));
            }
        }
        self.scratch.changes = changes;
    }
}

/// Brings the contacts of some words up to date; all slices start at the same contact slot.
fn collide_words(
    words: &[u64],
    keys: &mut [ContactKey],
    patches: &mut [ContactPatch],
    changes: &mut [ChangeWord],
    poses: &[BodyPose],
    shapes: &Slots<kind::Shape, BodyShape>,
) {
    for (word, (&bits, change)) in words.iter().zip(changes).enumerate() {
        for bit in ones(bits) {
            let index = word * WORD + bit as usize;
            let found = update_contact(&mut keys[index], &mut patches[index], poses, shapes);
            let mask = 1 << bit;
            match found {
                ContactChange::Kept => continue,
                ContactChange::None => {}
                ContactChange::Begins => change.begins |= mask,
                ContactChange::Ends => change.ends |= mask,
                ContactChange::Parts => change.parts |= mask,
            }
            change.remade += 1;
        }
    }
}
