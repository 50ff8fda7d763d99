//! The narrow phase: manifolds of awake contacts, on all workers.

use crate::bitset::{WORD, ones};
use crate::contact::constraint::ContactConstraint;
use crate::contact::pre_solve::PreSolveInput;
use crate::contact::recycle::{RecycleBudget, RecycleKey};
use crate::contact::table::ContactTable;
use crate::contact::update::{ContactChange, ContactRecords, update_contact};
use crate::id::{Slots, kind};
use crate::shape::BodyShape;
use crate::shape::table::ShapeTable;
use crate::workers::{Chunks, Selected, StepWorkers};
use cairn2d_simd::prefetch;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// Changes of 64 contacts, as bits by contact slot.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChangeWord {
    /// Slot of the first contact.
    pub(crate) first: u32,
    /// The shapes began to touch.
    pub(crate) begins: u64,
    /// The shapes ceased to touch.
    pub(crate) ends: u64,
    /// The fat boxes no longer overlap.
    pub(crate) parts: u64,
    /// Number of new manifolds.
    new: u32,
}

/// Changes of the awake contacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactChanges {
    /// The blocks with awake contacts, ascending.
    blocks: Vec<u32>,
    /// Of each of these blocks, in ascending order of slots.
    pub(crate) words: Vec<ChangeWord>,
}

/// Words that a thread takes at a time: 256 contacts, of about 20 ns with a recycled and 150 ns with a new
/// manifold.
const BLOCK_WORDS: usize = 4;

/// Contact slots of a block.
const BLOCK_SLOTS: usize = WORD * BLOCK_WORDS;

/// Updates all awake contacts and writes into `changes` which of them begin or cease to touch. A contact is
/// independent of all others, so the order does not matter.
///
/// # Errors
/// The payload of a panic of the user's hook. The records are consistent then, and the next step updates the
/// contacts that were not reached.
pub(crate) fn update_contacts(
    workers: &StepWorkers,
    pre_solve: PreSolveInput<'_>,
    shapes: &ShapeTable,
    contacts: &mut ContactTable,
    changes: &mut ContactChanges,
) -> thread::Result<()> {
    let ContactChanges { blocks, words } = changes;
    contacts.awake.list_blocks(BLOCK_WORDS, blocks);
    words.clear();
    words.resize(blocks.len() * BLOCK_WORDS, ChangeWord::default());
    let awake = &contacts.awake;
    let input = NarrowPhaseInput {
        moved: &pre_solve.bodies.moved,
        shapes: &shapes.slots,
        pre_solve,
    };
    let records = (
        Chunks::new(contacts.budgets.write_awake(), BLOCK_SLOTS),
        Chunks::new(contacts.keys.write_awake(), BLOCK_SLOTS),
        Chunks::new(contacts.constraints.write_awake(), BLOCK_SLOTS),
    );
    let pieces = (
        Selected::new(records, blocks),
        Chunks::new(words, BLOCK_WORDS),
    );
    catch_unwind(AssertUnwindSafe(|| {
        workers.share(pieces, |index, ((budgets, keys, constraints), changes)| {
            let records = RecordSlices {
                budgets,
                keys,
                constraints,
            };
            let first_word = blocks[index] as usize * BLOCK_WORDS;
            let words = core::array::from_fn(|i| awake.word(first_word + i));
            for (word, change) in (first_word..).zip(&mut *changes) {
                change.first = (word * WORD) as u32;
            }
            update_words(&words, records, changes, &input);
        });
    }))
}

impl ContactChanges {
    /// Returns the number of contacts whose manifold was not recycled.
    pub(crate) fn count_new_manifolds(&self) -> usize {
        self.words.iter().map(|change| change.new as usize).sum()
    }
}

/// Records of a range of contact slots.
struct RecordSlices<'a> {
    budgets: &'a mut [RecycleBudget],
    keys: &'a mut [RecycleKey],
    constraints: &'a mut [ContactConstraint],
}

/// Input of all contacts.
struct NarrowPhaseInput<'a> {
    /// Path length of the fastest point of each body in the last step [m].
    moved: &'a [f32],
    shapes: &'a Slots<kind::Shape, BodyShape>,
    pre_solve: PreSolveInput<'a>,
}

/// Updates the contacts of some words; all slices start at the same contact slot.
fn update_words(
    words: &[u64; BLOCK_WORDS],
    records: RecordSlices<'_>,
    changes: &mut [ChangeWord],
    input: &NarrowPhaseInput<'_>,
) {
    let mut due = DueContacts::default();
    for (word, (&bits, change)) in words.iter().zip(changes).enumerate() {
        due.find(word * WORD, bits, records.budgets, input);
        for place in 0..due.count {
            due.prefetch(place, &records, input);
            let index = due.contacts[place] as usize;
            let contact = ContactRecords {
                budget: &mut records.budgets[index],
                key: &mut records.keys[index],
                constraint: &mut records.constraints[index],
            };
            let mask = 1 << (index - word * WORD);
            match update_contact(contact, input.shapes, input.pre_solve) {
                ContactChange::Kept => continue,
                ContactChange::None => {}
                ContactChange::Begins => change.begins |= mask,
                ContactChange::Ends => change.ends |= mask,
                ContactChange::Parts => change.parts |= mask,
            }
            change.new += 1;
        }
    }
}

/// The contacts of a word whose budget is used up.
struct DueContacts {
    contacts: [u32; WORD],
    count: usize,
}

impl Default for DueContacts {
    fn default() -> Self {
        Self {
            contacts: [0; WORD],
            count: 0,
        }
    }
}

/// Number of contacts by which the records of a contact are prefetched, and those of its shapes, whose slots
/// are in the former: the latency of memory over the 100 ns of a contact.
const RECORDS_AHEAD: usize = 4;
const SHAPES_AHEAD: usize = 2;

impl DueContacts {
    /// Subtracts the motion of the bodies from the budgets of a word, and lists the contacts whose budget is
    /// used up.
    fn find(
        &mut self,
        first: usize,
        bits: u64,
        budgets: &mut [RecycleBudget],
        input: &NarrowPhaseInput<'_>,
    ) {
        self.count = 0;
        for bit in ones(bits) {
            let index = first + bit as usize;
            let budget = &mut budgets[index];
            let distance =
                input.moved[budget.body_a as usize] + input.moved[budget.body_b as usize];
            budget.remaining -= distance;
            if budget.remaining < 0.0 {
                self.contacts[self.count] = index as u32;
                self.count += 1;
            }
        }
    }

    /// Prefetches the records of contacts after `place`.
    #[inline(always)]
    fn prefetch(&self, place: usize, records: &RecordSlices<'_>, input: &NarrowPhaseInput<'_>) {
        let ahead = |by: usize| {
            let contact = self.contacts[..self.count].get(place + by);
            contact.map(|&contact| contact as usize)
        };
        if let Some(index) = ahead(RECORDS_AHEAD) {
            let budget = &records.budgets[index];
            prefetch::<1, _>(&records.keys[index]);
            prefetch::<2, _>(&records.constraints[index]);
            prefetch::<1, _>(&input.pre_solve.bodies.poses[budget.body_a as usize]);
            prefetch::<1, _>(&input.pre_solve.bodies.poses[budget.body_b as usize]);
        }
        if let Some(index) = ahead(SHAPES_AHEAD) {
            let key = &records.keys[index];
            for shape in [key.shape_a, key.shape_b] {
                prefetch::<SHAPE_LINES, _>(input.shapes.place(shape));
            }
        }
    }
}

/// Cache lines of a shape's record that a manifold of a box or a small polygon needs.
const SHAPE_LINES: usize = 4;
