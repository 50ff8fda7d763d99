//! Stages 2 and 3 of the step: manifolds of awake contacts, then touches that begin and end.

use crate::bitset::{WORD, ones};
use crate::contact::adjust::Adjusting;
use crate::contact::constraint::ContactConstraint;
use crate::contact::recycle::{RecycleBudget, RecycleKey};
use crate::contact::update::{ContactChange, ContactRecords, update_contact};
use crate::id::{Slots, kind};
use crate::shape::BodyShape;
use crate::workers::{Chunks, StepWorkers};
use crate::world::World;
use cairn2d_simd::prefetch;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// What collide found, as bits by contact slot: one word of each for 64 contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChangeWord {
    pub(crate) begins: u64,
    ends: u64,
    parts: u64,
    /// Contacts looked at, and how many of them were made anew.
    remade: u32,
}

/// A word of changes for every 64 contact slots.
pub(crate) type ChangeBits = Vec<ChangeWord>;

/// Words that a thread takes at a time: 256 contacts, of some 20 ns if they are kept and 150 ns if made anew.
const BLOCK: usize = 4;

impl World {
    /// Stage 2: brings every awake contact up to date. Each writes its own records only, so the order
    /// does not matter.
    pub(crate) fn collide(&mut self, workers: &StepWorkers) {
        let words = self.contacts.awake.words();
        let mut changes = core::mem::take(&mut self.scratch.changes);
        changes.clear();
        changes.resize(words.len(), ChangeWord::default());
        let scene = Scene {
            moved: &self.bodies.moved,
            shapes: &self.shapes.slots,
            adjusting: Adjusting {
                bodies: &self.bodies,
                hook: self.hooks.pre_solve.as_deref(),
            },
        };
        let pieces = (
            Chunks::new(&mut self.contacts.budgets, WORD * BLOCK),
            Chunks::new(&mut self.contacts.keys, WORD * BLOCK),
            Chunks::new(&mut self.contacts.constraints, WORD * BLOCK),
            Chunks::new(&mut changes, BLOCK),
        );
        let collided = catch_unwind(AssertUnwindSafe(|| {
            workers.share(pieces, |block, (budgets, keys, constraints, changes)| {
                let records = Records {
                    budgets,
                    keys,
                    constraints,
                };
                let words = &words[block * BLOCK..][..changes.len()];
                collide_words(words, records, changes, &scene);
            });
        }));
        self.counters.awake_contacts = self.contacts.awake.len();
        let remade: usize = changes.iter().map(|change| change.remade as usize).sum();
        self.counters.recycled_contacts = self.counters.awake_contacts - remade;
        self.scratch.changes = changes;
        if let Err(panic) = collided {
            // The user's hook panicked, and may be caught further up: touches that were found begin and end all the same. What was
            // not looked at is looked at by the next step.
            self.link_and_unlink();
            resume_unwind(panic);
        }
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
                self.depenetration.note_new_contact(
                    slot(bit),
                    &self.bodies,
                    &self.shapes,
                    &mut self.contacts,
                );
            }
        }
        self.scratch.changes = changes;
        self.depenetration.forget_placed();
    }
}

/// Records of contacts, from one slot on.
struct Records<'a> {
    budgets: &'a mut [RecycleBudget],
    keys: &'a mut [RecycleKey],
    constraints: &'a mut [ContactConstraint],
}

/// What all contacts read.
struct Scene<'a> {
    /// Way of each body's fastest point in the last step [m].
    moved: &'a [f32],
    shapes: &'a Slots<kind::Shape, BodyShape>,
    adjusting: Adjusting<'a>,
}

/// Brings the contacts of some words up to date; all slices start at the same contact slot.
fn collide_words(
    words: &[u64],
    records: Records<'_>,
    changes: &mut [ChangeWord],
    scene: &Scene<'_>,
) {
    let mut due = Due::default();
    for (word, (&bits, change)) in words.iter().zip(changes).enumerate() {
        due.find(word * WORD, bits, records.budgets, scene);
        for place in 0..due.count {
            due.prefetch(place, &records, scene);
            let index = due.contacts[place] as usize;
            let contact = ContactRecords {
                budget: &mut records.budgets[index],
                key: &mut records.keys[index],
                constraint: &mut records.constraints[index],
            };
            let mask = 1 << (index - word * WORD);
            match update_contact(contact, scene.shapes, scene.adjusting) {
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

/// The contacts of a word whose budget is used up.
struct Due {
    contacts: [u32; WORD],
    count: usize,
}

impl Default for Due {
    fn default() -> Self {
        Self {
            contacts: [0; WORD],
            count: 0,
        }
    }
}

/// How many contacts ahead the records of a contact are asked for, and those of its shapes, whose slots stand in the
/// former: as much as memory takes to come, while each contact takes 100 ns.
const RECORDS_AHEAD: usize = 4;
const SHAPES_AHEAD: usize = 2;

impl Due {
    /// Charges the ways of the bodies to the contacts of a word, and lists those that must be looked at.
    fn find(&mut self, first: usize, bits: u64, budgets: &mut [RecycleBudget], scene: &Scene<'_>) {
        self.count = 0;
        for bit in ones(bits) {
            let index = first + bit as usize;
            let budget = &mut budgets[index];
            let way = scene.moved[budget.body_a as usize] + scene.moved[budget.body_b as usize];
            budget.remaining -= way;
            if budget.remaining < 0.0 {
                self.contacts[self.count] = index as u32;
                self.count += 1;
            }
        }
    }

    /// Asks for what contacts after `place` will need.
    #[inline(always)]
    fn prefetch(&self, place: usize, records: &Records<'_>, scene: &Scene<'_>) {
        let ahead = |by: usize| {
            let contact = self.contacts[..self.count].get(place + by);
            contact.map(|&contact| contact as usize)
        };
        if let Some(index) = ahead(RECORDS_AHEAD) {
            let budget = &records.budgets[index];
            prefetch::<1, _>(&records.keys[index]);
            prefetch::<2, _>(&records.constraints[index]);
            prefetch::<1, _>(&scene.adjusting.bodies.poses[budget.body_a as usize]);
            prefetch::<1, _>(&scene.adjusting.bodies.poses[budget.body_b as usize]);
        }
        if let Some(index) = ahead(SHAPES_AHEAD) {
            let key = &records.keys[index];
            for shape in [key.shape_a, key.shape_b] {
                prefetch::<SHAPE_LINES, _>(scene.shapes.place(shape));
            }
        }
    }
}

/// Lines of a shape's record that a manifold of a box or a small polygon needs.
const SHAPE_LINES: usize = 4;
