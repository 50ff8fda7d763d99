//! Constraints in blocks as wide as the lanes, color by color, in the order of each color's list.

use super::block::{BlockFeatures, ContactBlock};
use super::input::ColorLists;
use super::joint_blocks::JointBlock;
use crate::bitset::ones;
use crate::id::NO_SLOT;
use crate::joint::parts::drive::PartSet;
use crate::joint::rows::{LaneKind, RowKind};
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
    /// Slots of the contacts in the blocks: `L::WIDTH` each, with `NO_SLOT` in the lanes that are not in use.
    pub(crate) contact_slots: Vec<u32>,
    pub(crate) joints: JointBlocks<L>,
    /// Joints of crowded bodies, which are few: one a block, whatever the lanes.
    pub(crate) crowded: JointBlocks<F32<Single>>,
    /// Slots of gears, which are solved one by one.
    pub(crate) gear_slots: Vec<u32>,
    /// Ranges of the colors in use.
    pub(crate) colors: Vec<ColorRange>,
}

/// Joints in blocks.
#[derive(Debug)]
pub(crate) struct JointBlocks<L: Lanes> {
    pub(crate) blocks: Vec<JointBlock<L>>,
    /// One for each block.
    pub(crate) kinds: Vec<LaneKind>,
    /// Slots in the blocks, as those of contacts.
    pub(crate) slots: Vec<u32>,
}

impl<L: Lanes> JointBlocks<L> {
    fn new() -> Self {
        Self {
            blocks: Vec::new(),
            kinds: Vec::new(),
            slots: Vec::new(),
        }
    }

    fn clear(&mut self) {
        self.kinds.clear();
        self.slots.clear();
    }

    /// Adds blocks of the joints of a `class` among `joints`, kind by kind, and in their order within each.
    fn add(&mut self, joints: &[u32], per_block: usize, kind_of: impl Fn(u32) -> Option<LaneKind>) {
        // For each kind of rows, a bit for each set of parts that occurs.
        let mut present = [0_u64; RowKind::ALL.len()];
        let mut used = 0;
        for &slot in joints {
            if let Some(kind) = kind_of(slot) {
                present[kind.rows as usize] |= 1 << kind.parts.bits();
                used |= 1 << kind.rows as u32;
            }
        }
        for rows in ones(used).map(|rows| RowKind::ALL[rows as usize]) {
            for bits in ones(present[rows as usize]) {
                let parts = PartSet::from_bits(bits as u8);
                let kind = LaneKind { rows, parts };
                let start = self.kinds.len();
                let is_kind = |slot: &u32| kind_of(*slot) == Some(kind);
                self.slots.extend(joints.iter().copied().filter(is_kind));
                pad::<L>(&mut self.slots, start, per_block);
                self.kinds.resize(self.slots.len() / L::WIDTH, kind);
            }
        }
    }
}

/// The constraints of a color: ranges of blocks, and of `gear_slots`.
#[derive(Clone, Debug, Default)]
pub(crate) struct ColorRange {
    pub(crate) contacts: Range<usize>,
    pub(crate) joints: Range<usize>,
    pub(crate) crowded: Range<usize>,
    pub(crate) gears: Range<usize>,
}

impl<L: Lanes> ConstraintBlocks<L> {
    pub(crate) fn new(simd: L::Simd) -> Self {
        Self {
            simd,
            per_block: L::WIDTH,
            contacts: Vec::new(),
            features: Vec::new(),
            fast: Vec::new(),
            contact_slots: Vec::new(),
            joints: JointBlocks::new(),
            crowded: JointBlocks::new(),
            gear_slots: Vec::new(),
            colors: Vec::new(),
        }
    }

    /// Distributes the constraints of `colors` over blocks, which prepare fills. `traits` returns the traits
    /// of a joint. Colors without constraints get no range.
    pub(crate) fn fill(&mut self, colors: &[ColorLists<'_>], traits: impl Fn(u32) -> JointTraits) {
        self.contact_slots.clear();
        self.joints.clear();
        self.crowded.clear();
        self.gear_slots.clear();
        self.colors.clear();
        for color in colors.iter().filter(|color| !color.is_empty()) {
            let before = self.ends();
            self.contact_slots.extend_from_slice(color.contacts);
            let per_block = self.per_block;
            pad::<L>(&mut self.contact_slots, before[0], per_block);
            if !color.joints.is_empty() {
                self.add_joints(color.joints, &traits);
            }
            let after = self.ends();
            let range = ColorRange {
                contacts: before[0]..after[0],
                joints: before[1]..after[1],
                crowded: before[2]..after[2],
                gears: before[3]..after[3],
            };
            if range.items() > 0 {
                self.colors.push(range);
            }
        }
        let simd = self.simd;
        let [contacts, joints, crowded, _] = self.ends();
        self.contacts.resize(contacts, ContactBlock::empty(simd));
        self.features.resize(contacts, BlockFeatures::NONE);
        self.fast.resize(contacts, 0);
        let empty = JointBlock::empty(simd, LaneKind::default());
        self.joints.blocks.resize(joints, empty);
        let empty = JointBlock::empty(Single::BASELINE, LaneKind::default());
        self.crowded.blocks.resize(crowded, empty);
    }

    fn add_joints(&mut self, joints: &[u32], traits: &impl Fn(u32) -> JointTraits) {
        let lanes = |slot: u32| {
            let JointTraits { class, lanes, .. } = traits(slot);
            let is_solved = class != JointClass::Direct && lanes.rows != RowKind::None;
            is_solved.then_some((lanes, class == JointClass::Crowded))
        };
        self.joints.add(joints, self.per_block, |slot| {
            lanes(slot).and_then(|(kind, is_crowded)| (!is_crowded).then_some(kind))
        });
        self.crowded.add(joints, 1, |slot| {
            lanes(slot).and_then(|(kind, is_crowded)| is_crowded.then(|| kind.decoupled()))
        });
        let is_gear = |slot: &u32| traits(*slot).lanes.rows == RowKind::None;
        self.gear_slots
            .extend(joints.iter().copied().filter(is_gear));
    }

    /// Returns the numbers of blocks so far, and of gears.
    fn ends(&self) -> [usize; 4] {
        [
            self.contact_slots.len() / L::WIDTH,
            self.joints.kinds.len(),
            self.crowded.kinds.len(),
            self.gear_slots.len(),
        ]
    }

    /// Returns `true` if there are joints of crowded bodies.
    pub(crate) fn has_crowded(&self) -> bool {
        !self.crowded.kinds.is_empty()
    }

    /// Adds the contacts that closed fast to `slots`.
    pub(crate) fn list_fast(&self, slots: &mut Vec<u32>) {
        for (block, &lanes) in self.contacts.iter().zip(&self.fast) {
            let contacts = block.contacts.as_ref();
            slots.extend(ones(lanes.into()).map(|lane| contacts[lane as usize]));
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
