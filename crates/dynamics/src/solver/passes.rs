//! The passes over the constraints of one color, or of the overflow, in parts for the workers.

use super::block::{BlockFeatures, BlockLocation, ContactBlock};
use super::breaking::JointLoads;
use super::constraint_blocks::{ColorRange, ConstraintBlocks};
use super::contacts::{SolveContacts, WarmStartContacts};
use super::joints;
use super::pins::{
    HingeBlock, PinBlock, SolvePins, WarmStartPins, prefetch_hinges, prepare_hinges, prepare_pins,
    store_hinges, store_pins,
};
use super::prepare::PrepareContacts;
use super::restitution::Restitution;
use super::shared_world::SharedWorld;
use super::springs::{SolveSprings, SpringBlock, WarmStartSprings, prepare_springs, store_springs};
use super::store::StoreContacts;
use crate::joint::parts::row::Pass;
use crate::shared::SharedSlice;
use cairn2d_simd::{Lanes, Simd};
use core::ops::Range;

/// Joints outside blocks that are claimed together: about the work of one block.
const OTHERS_PER_ITEM: usize = 4;

/// The blocks of constraints, shared by the workers. `ranges` has the blocks of each color.
pub(crate) struct SharedBlocks<'a, L: Lanes> {
    pub(crate) simd: L::Simd,
    contacts: SharedSlice<'a, ContactBlock<L>>,
    features: SharedSlice<'a, BlockFeatures>,
    fast: SharedSlice<'a, u32>,
    pins: SharedSlice<'a, PinBlock<L>>,
    hinges: SharedSlice<'a, HingeBlock<L>>,
    springs: SharedSlice<'a, SpringBlock<L>>,
    contact_slots: &'a [u32],
    pin_slots: &'a [u32],
    hinge_slots: &'a [u32],
    spring_slots: &'a [u32],
    other_slots: &'a [u32],
    crowded_slots: &'a [u32],
    pub(crate) ranges: &'a [ColorRange],
    location: BlockLocation,
}

impl<'a, L: Lanes> SharedBlocks<'a, L> {
    pub(crate) fn new(blocks: &'a mut ConstraintBlocks<L>) -> Self {
        Self {
            simd: blocks.simd,
            location: BlockLocation::of::<L>(blocks.contacts.len()),
            contacts: SharedSlice::new(&mut blocks.contacts),
            features: SharedSlice::new(&mut blocks.features),
            fast: SharedSlice::new(&mut blocks.fast),
            pins: SharedSlice::new(&mut blocks.pins),
            hinges: SharedSlice::new(&mut blocks.hinges),
            springs: SharedSlice::new(&mut blocks.springs),
            contact_slots: &blocks.contact_slots,
            pin_slots: &blocks.pin_slots,
            hinge_slots: &blocks.hinge_slots,
            spring_slots: &blocks.spring_slots,
            other_slots: &blocks.other_slots,
            crowded_slots: &blocks.crowded_slots,
            ranges: &blocks.colors,
        }
    }

    /// Returns the slots of the joints outside blocks, which are solved one by one.
    pub(crate) fn other_slots(&self) -> &[u32] {
        self.other_slots
    }

    /// Returns the range of all constraints.
    pub(crate) fn whole(&self) -> ColorRange {
        ColorRange {
            contacts: 0..self.contact_slots.len() / L::WIDTH,
            pins: 0..self.pin_slots.len() / L::WIDTH,
            hinges: 0..self.hinge_slots.len() / L::WIDTH,
            springs: 0..self.spring_slots.len() / L::WIDTH,
            others: 0..self.other_slots.len(),
            crowded: 0..self.crowded_slots.len(),
        }
    }

    /// Returns the joints of a part that are solved one by one, and those of crowded bodies.
    fn single_slots(&self, part: &ColorRange) -> (&[u32], &[u32]) {
        let others = &self.other_slots[part.others.clone()];
        (others, &self.crowded_slots[part.crowded.clone()])
    }

    /// Fills the blocks of a part of a color. Gears are prepared later: they read other joints.
    pub(crate) fn prepare(&self, part: &ColorRange, world: &SharedWorld<'_>) {
        let context = &world.joint_context;
        for i in part.hinges.clone() {
            let slots = &self.hinge_slots[i * L::WIDTH..(i + 1) * L::WIDTH];
            prefetch_hinges::<L>(world.joints, self.hinge_slots, i + 1);
            // SAFETY: each joint is in one list, and a worker has its own part of it.
            let joint = |slot: u32| unsafe { world.joints.at(slot) };
            // SAFETY: as above, for blocks.
            let block = unsafe { &mut self.hinges.part(i..i + 1)[0] };
            prepare_hinges(block, slots, joint, context, world.states);
        }
        for i in part.pins.clone() {
            let slots = &self.pin_slots[i * L::WIDTH..(i + 1) * L::WIDTH];
            // SAFETY: as above.
            let joint = |slot: u32| unsafe { world.joints.at(slot) };
            // SAFETY: as above.
            let block = unsafe { &mut self.pins.part(i..i + 1)[0] };
            prepare_pins(block, slots, joint, context, world.states);
        }
        for i in part.springs.clone() {
            let slots = &self.spring_slots[i * L::WIDTH..(i + 1) * L::WIDTH];
            // SAFETY: as above.
            let joint = |slot: u32| unsafe { world.joints.at(slot) };
            // SAFETY: as above.
            let block = unsafe { &mut self.springs.part(i..i + 1)[0] };
            prepare_springs(block, slots, joint, context, world.states);
        }
        let (others, crowded) = self.single_slots(part);
        for &slot in others.iter().chain(crowded) {
            // SAFETY: as above.
            unsafe { world.joints.at(slot) }.prepare(context);
        }
        self.simd.enter(PrepareContacts {
            world,
            contacts: &self.contact_slots
                [part.contacts.start * L::WIDTH..part.contacts.end * L::WIDTH],
            // SAFETY: as above.
            blocks: unsafe { self.contacts.part(part.contacts.clone()) },
            // SAFETY: as above.
            features: unsafe { self.features.part(part.contacts.clone()) },
        });
    }

    /// Applies the impulses of the last substep.
    pub(crate) fn warm_start(&self, part: &ColorRange, world: &SharedWorld<'_>) {
        // SAFETY: a worker has its own part of the blocks.
        let (pins, hinges, springs, contacts, features) = unsafe {
            (
                self.pins.part(part.pins.clone()),
                self.hinges.part(part.hinges.clone()),
                self.springs.part(part.springs.clone()),
                self.contacts.part(part.contacts.clone()),
                self.features.part(part.contacts.clone()),
            )
        };
        let states = world.states;
        let (others, crowded) = self.single_slots(part);
        // SAFETY: as above; joints of a color share no moving body.
        unsafe {
            joints::forget_springs(world.joints, crowded);
            joints::warm_start(world.joints, crowded, states);
            joints::warm_start(world.joints, others, states);
        }
        self.simd.enter(WarmStartSprings { states, springs });
        self.simd.enter(WarmStartPins {
            states,
            pins,
            hinges,
        });
        self.simd.enter(WarmStartContacts {
            states,
            blocks: contacts,
            features,
            location: self.location,
        });
    }

    /// Solves or relaxes joints, then contacts: overlaps are corrected last.
    pub(crate) fn pass(&self, part: &ColorRange, world: &SharedWorld<'_>, pass: Pass) {
        // SAFETY: a worker has its own part of the blocks.
        let (pins, hinges, springs, contacts, features) = unsafe {
            (
                self.pins.part(part.pins.clone()),
                self.hinges.part(part.hinges.clone()),
                self.springs.part(part.springs.clone()),
                self.contacts.part(part.contacts.clone()),
                self.features.part(part.contacts.clone()),
            )
        };
        let states = world.states;
        let (others, crowded) = self.single_slots(part);
        // SAFETY: as above; joints of a color share no moving body.
        unsafe {
            if pass == Pass::Solve {
                joints::solve_crowded(world.joints, crowded, states, &world.joint_context);
            }
            joints::solve(world.joints, others, states, &world.joint_context, pass);
        }
        self.simd.enter(SolveSprings {
            states,
            pass,
            springs,
        });
        self.simd.enter(SolvePins {
            states,
            inv_h: world.constants.inv_h,
            pass,
            pins,
            hinges,
        });
        self.simd.enter(SolveContacts {
            states,
            constants: &world.constants,
            pass,
            blocks: contacts,
            features,
            location: self.location,
        });
        if let (Some(loads), Pass::Relax) = (&world.joint_loads, pass) {
            self.add_loads(part, world, loads);
        }
    }

    /// Relaxes the joints of crowded bodies, in the order opposite to that of the first pass.
    pub(crate) fn relax_crowded(&self, part: &ColorRange, world: &SharedWorld<'_>) {
        let (_, crowded) = self.single_slots(part);
        // SAFETY: a worker has its own part of the joints, and those of a color share no moving body.
        unsafe { joints::relax_crowded(world.joints, crowded, world.states, &world.joint_context) };
    }

    /// Adds the loads of breakable joints in the substep that ends with this pass.
    #[cold]
    fn add_loads(&self, part: &ColorRange, world: &SharedWorld<'_>, loads: &JointLoads<'_>) {
        // SAFETY: a worker has its own part of the blocks, and each joint is in one block.
        unsafe {
            for i in part.pins.clone() {
                store_pins(self.pins.at(i as u32), |slot| world.joints.at(slot));
            }
            for i in part.hinges.clone() {
                store_hinges(self.hinges.at(i as u32), |slot| world.joints.at(slot));
            }
        }
        let pins = &self.pin_slots[part.pins.start * L::WIDTH..part.pins.end * L::WIDTH];
        let hinges = &self.hinge_slots[part.hinges.start * L::WIDTH..part.hinges.end * L::WIDTH];
        let (others, crowded) = self.single_slots(part);
        for &slot in pins.iter().chain(hinges).chain(others).chain(crowded) {
            if loads.is_measured(slot) {
                // SAFETY: as above.
                unsafe { loads.add(slot, world.joints.at(slot)) };
            }
        }
    }

    /// Applies restitution.
    pub(crate) fn restitution(&self, part: &ColorRange, world: &SharedWorld<'_>) {
        self.simd.enter(Restitution {
            states: world.states,
            constants: &world.constants,
            // SAFETY: a worker has its own part of the blocks.
            blocks: unsafe { self.contacts.part(part.contacts.clone()) },
        });
    }

    /// Writes the impulses back to contacts and joints.
    pub(crate) fn store(&self, part: &ColorRange, world: &SharedWorld<'_>) {
        // SAFETY: a worker has its own part of the blocks; each contact and joint is in one block.
        unsafe {
            self.simd.enter(StoreContacts {
                blocks: self.contacts.part(part.contacts.clone()),
                features: self.features.part(part.contacts.clone()),
                fast: self.fast.part(part.contacts.clone()),
                hit_speed: world.constants.hit_speed,
                constraints: world.constraints,
            });
            for i in part.pins.clone() {
                store_pins(self.pins.at(i as u32), |slot| world.joints.at(slot));
            }
            for i in part.hinges.clone() {
                prefetch_hinges::<L>(world.joints, self.hinge_slots, i + 1);
                store_hinges(self.hinges.at(i as u32), |slot| world.joints.at(slot));
            }
            for i in part.springs.clone() {
                store_springs(self.springs.at(i as u32), |slot| world.joints.at(slot));
            }
        }
    }
}

impl ColorRange {
    /// Number of pieces of work for different workers.
    pub(crate) fn items(&self) -> usize {
        self.pins.len()
            + self.hinges.len()
            + self.springs.len()
            + self.contacts.len()
            + self.others.len().div_ceil(OTHERS_PER_ITEM)
            + self.crowded_items()
    }

    /// Number of these pieces with joints of crowded bodies.
    pub(crate) fn crowded_items(&self) -> usize {
        self.crowded.len().div_ceil(OTHERS_PER_ITEM)
    }

    /// Returns the joints of crowded bodies in the given pieces of them.
    pub(crate) fn crowded_part(&self, items: &Range<usize>) -> Self {
        let at = |item: usize| (self.crowded.start + item * OTHERS_PER_ITEM).min(self.crowded.end);
        Self {
            crowded: at(items.start)..at(items.end),
            ..Self::default()
        }
    }

    /// Returns the constraints of the given items.
    #[inline]
    pub(crate) fn part(&self, items: &Range<usize>) -> Self {
        // A single worker takes whole colors, in each stage: 2 % of the step of ten bodies.
        if items.start == 0 && items.end == self.items() {
            return self.clone();
        }
        let mut start = 0;
        let mut next = |range: &Range<usize>, per_item: usize| {
            let count = range.len().div_ceil(per_item);
            let local = |item: usize| {
                let index = item.saturating_sub(start).min(count) * per_item;
                (range.start + index).min(range.end)
            };
            let part = local(items.start)..local(items.end);
            start += count;
            part
        };
        Self {
            others: next(&self.others, OTHERS_PER_ITEM),
            pins: next(&self.pins, 1),
            hinges: next(&self.hinges, 1),
            springs: next(&self.springs, 1),
            contacts: next(&self.contacts, 1),
            crowded: next(&self.crowded, OTHERS_PER_ITEM),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_color_cover_it_once() {
        let color = ColorRange {
            contacts: 10..17,
            pins: 3..5,
            hinges: 0..1,
            springs: 40..44,
            others: 20..31,
            crowded: 7..12,
        };
        for size in 1..19 {
            let mut found = [const { Vec::new() }; 6];
            let mut start = 0;
            while start < color.items() {
                let part = color.part(&(start..(start + size).min(color.items())));
                found[0].extend(part.contacts);
                found[1].extend(part.pins);
                found[2].extend(part.hinges);
                found[3].extend(part.others);
                found[4].extend(part.springs);
                found[5].extend(part.crowded);
                start += size;
            }
            let whole = [
                &color.contacts,
                &color.pins,
                &color.hinges,
                &color.others,
                &color.springs,
                &color.crowded,
            ];
            for (found, range) in found.iter().zip(whole) {
                assert_eq!(*found, range.clone().collect::<Vec<_>>(), "{size}");
            }
        }
    }
}
