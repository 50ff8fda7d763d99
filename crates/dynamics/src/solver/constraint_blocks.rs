//! Constraints in blocks of as many as there are lanes, color by color, in order of the color's list.

use super::block::{BlockFeatures, ContactBlock};
use super::input::ColorLists;
use super::pins::{HingeBlock, PinBlock};
use super::springs::SpringBlock;
use crate::bitset::ones;
use crate::id::NO_SLOT;
use crate::joint::sim::{JointClass, JointTraits};
use cairn2d_simd::{F32, Lanes, Single};
use core::ops::Range;

/// The constraints of several colors in blocks.
#[derive(Debug)]
pub(crate) struct ConstraintBlocks<L: Lanes> {
    pub(crate) simd: L::Simd,
    /// Constraints of a block: as many as lanes, or one where they are solved in order.
    per_block: usize,
    pub(crate) contacts: Vec<ContactBlock<L>>,
    /// One for each block of contacts.
    pub(crate) features: Vec<BlockFeatures>,
    /// One for each block of contacts: a bit for each lane whose contact closed fast.
    pub(crate) fast: Vec<u32>,
    pub(crate) pins: Vec<PinBlock<L>>,
    pub(crate) hinges: Vec<HingeBlock<L>>,
    pub(crate) springs: Vec<SpringBlock<L>>,
    /// Slots in the blocks: `L::WIDTH` each, with `NO_SLOT` in the lanes that are not in use.
    pub(crate) contact_slots: Vec<u32>,
    pub(crate) pin_slots: Vec<u32>,
    pub(crate) hinge_slots: Vec<u32>,
    pub(crate) spring_slots: Vec<u32>,
    /// Slots of joints outside blocks, which are solved one by one.
    pub(crate) other_slots: Vec<u32>,
    /// Slots of the joints of crowded bodies.
    pub(crate) crowded_slots: Vec<u32>,
    /// Of the colors in use.
    pub(crate) colors: Vec<ColorRange>,
}

/// The constraints of a color: ranges of blocks, of `other_slots` and of `crowded_slots`.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColorRange {
    pub(crate) contacts: Range<usize>,
    pub(crate) pins: Range<usize>,
    pub(crate) hinges: Range<usize>,
    pub(crate) springs: Range<usize>,
    pub(crate) others: Range<usize>,
    pub(crate) crowded: Range<usize>,
}

impl<L: Lanes> ConstraintBlocks<L> {
    pub(crate) fn new(simd: L::Simd) -> Self {
        Self {
            simd,
            per_block: L::WIDTH,
            contacts: Vec::new(),
            features: Vec::new(),
            fast: Vec::new(),
            pins: Vec::new(),
            hinges: Vec::new(),
            springs: Vec::new(),
            contact_slots: Vec::new(),
            pin_slots: Vec::new(),
            hinge_slots: Vec::new(),
            spring_slots: Vec::new(),
            other_slots: Vec::new(),
            crowded_slots: Vec::new(),
            colors: Vec::new(),
        }
    }

    /// Distributes the constraints of `colors` over blocks, which prepare fills. `traits` returns the traits
    /// of a joint. Colors without constraints get no range.
    pub(crate) fn fill(&mut self, colors: &[ColorLists<'_>], traits: impl Fn(u32) -> JointTraits) {
        self.contact_slots.clear();
        self.pin_slots.clear();
        self.hinge_slots.clear();
        self.spring_slots.clear();
        self.other_slots.clear();
        self.crowded_slots.clear();
        self.colors.clear();
        for color in colors.iter().filter(|color| !color.is_empty()) {
            let before = self.ends();
            self.contact_slots.extend_from_slice(color.contacts);
            for &slot in color.joints {
                if let Some(list) = self.joint_list(traits(slot)) {
                    list.push(slot);
                }
            }
            let per_block = self.per_block;
            pad::<L>(&mut self.contact_slots, before[0], per_block);
            pad::<L>(&mut self.pin_slots, before[1], per_block);
            pad::<L>(&mut self.hinge_slots, before[2], per_block);
            pad::<L>(&mut self.spring_slots, before[3], per_block);
            let after = self.ends();
            let range = ColorRange {
                contacts: before[0]..after[0],
                pins: before[1]..after[1],
                hinges: before[2]..after[2],
                springs: before[3]..after[3],
                others: before[4]..after[4],
                crowded: before[5]..after[5],
            };
            if range.items() > 0 {
                self.colors.push(range);
            }
        }
        let simd = self.simd;
        let [contacts, pins, hinges, springs, ..] = self.ends();
        self.contacts.resize(contacts, ContactBlock::empty(simd));
        self.features.resize(contacts, BlockFeatures::NONE);
        self.fast.resize(contacts, 0);
        self.pins.resize(pins, PinBlock::empty(simd));
        self.hinges.resize(hinges, HingeBlock::empty(simd));
        self.springs.resize(springs, SpringBlock::empty(simd));
    }

    /// Returns the numbers of blocks so far, and of other joints.
    fn ends(&self) -> [usize; 6] {
        [
            self.contact_slots.len() / L::WIDTH,
            self.pin_slots.len() / L::WIDTH,
            self.hinge_slots.len() / L::WIDTH,
            self.spring_slots.len() / L::WIDTH,
            self.other_slots.len(),
            self.crowded_slots.len(),
        ]
    }

    /// Returns `true` if there are joints of crowded bodies.
    pub(crate) fn has_crowded(&self) -> bool {
        !self.crowded_slots.is_empty()
    }

    /// Adds the contacts that closed fast to `slots`.
    pub(crate) fn list_fast(&self, slots: &mut Vec<u32>) {
        for (block, &lanes) in self.contacts.iter().zip(&self.fast) {
            let contacts = block.contacts.as_ref();
            slots.extend(ones(lanes.into()).map(|lane| contacts[lane as usize]));
        }
    }

    fn joint_list(&mut self, traits: JointTraits) -> Option<&mut Vec<u32>> {
        match traits.class {
            JointClass::Pins => Some(&mut self.pin_slots),
            JointClass::Hinges => Some(&mut self.hinge_slots),
            JointClass::Scalar if traits.is_spring => Some(&mut self.spring_slots),
            JointClass::Scalar => Some(&mut self.other_slots),
            JointClass::Crowded => Some(&mut self.crowded_slots),
            JointClass::Direct => None,
        }
    }
}

/// Blocks of one constraint each, to be solved in order.
impl Default for ConstraintBlocks<F32<Single>> {
    fn default() -> Self {
        Self {
            per_block: 1,
            ..Self::new(Single::BASELINE)
        }
    }
}

/// Distributes the slots behind the first `blocks` blocks over blocks.
#[inline]
fn pad<L: Lanes>(slots: &mut Vec<u32>, blocks: usize, per_block: usize) {
    if per_block == L::WIDTH {
        return slots.resize(slots.len().next_multiple_of(L::WIDTH), NO_SLOT);
    }
    let start = blocks * L::WIDTH;
    let count = slots.len() - start;
    slots.resize(start + count.div_ceil(per_block) * L::WIDTH, NO_SLOT);
    for i in (1..count).rev() {
        slots.swap(start + i, start + i * L::WIDTH);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_simd::Baseline4;

    #[test]
    fn blocks_hold_as_many_constraints_as_they_should() {
        for count in 0..12 {
            let slots = || (0..8).chain(100..100 + count).collect::<Vec<u32>>();
            let mut one_each = slots();
            pad::<F32<Baseline4>>(&mut one_each, 2, 1);
            let blocks = (0..count).flat_map(|i| [100 + i, NO_SLOT, NO_SLOT, NO_SLOT]);
            assert_eq!(one_each, (0..8).chain(blocks).collect::<Vec<_>>());

            let mut full = slots();
            pad::<F32<Baseline4>>(&mut full, 2, 4);
            let padding = (count..count.next_multiple_of(4)).map(|_| NO_SLOT);
            assert_eq!(full, slots().into_iter().chain(padding).collect::<Vec<_>>());
        }
    }
}
