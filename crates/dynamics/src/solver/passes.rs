//! The passes over the constraints of one color, or of the overflow, in parts for the workers.

use super::block::{BlockFeatures, BlockLocation, ContactBlock};
use super::breaking::JointLoads;
use super::constraint_blocks::{ColorRange, ConstraintBlocks, JointBlocks};
use super::contacts::{SolveContacts, WarmStartContacts};
use super::gears;
use super::joint_blocks::{
    JointBlock, JointPass, SolveJoints, WarmStartJoints, prefetch_joints, sweep_crowded,
};
use super::prepare::PrepareContacts;
use super::restitution::Restitution;
use super::shared_world::SharedWorld;
use super::stages::ALL_PIECES;
use super::states::SharedStates;
use super::store::StoreContacts;
use crate::joint::parts::row::Pass;
use crate::joint::rows::LaneKind;
use crate::shared::SharedSlice;
use cairn2d_simd::{F32, Lanes, Simd, Single};
use core::ops::Range;
use std::borrow::Cow;

/// The blocks of constraints, shared by the workers. `ranges` has the blocks of each color.
pub(crate) struct SharedBlocks<'a, L: Lanes> {
    pub(crate) simd: L::Simd,
    contacts: SharedSlice<'a, ContactBlock<L>>,
    features: SharedSlice<'a, BlockFeatures>,
    fast: SharedSlice<'a, u32>,
    contact_slots: &'a [u32],
    joints: SharedJoints<'a, L>,
    crowded: SharedJoints<'a, F32<Single>>,
    gear_slots: &'a [u32],
    pub(crate) ranges: &'a [ColorRange],
    location: BlockLocation,
}

/// Blocks of joints, shared by the workers.
struct SharedJoints<'a, L: Lanes> {
    blocks: SharedSlice<'a, JointBlock<L>>,
    kinds: &'a [LaneKind],
    slots: &'a [u32],
}

impl<'a, L: Lanes> SharedJoints<'a, L> {
    fn new(joints: &'a mut JointBlocks<L>) -> Self {
        Self {
            blocks: SharedSlice::new(&mut joints.blocks),
            kinds: &joints.kinds,
            slots: &joints.slots,
        }
    }

    /// Returns the slots of the joints of some blocks.
    fn slots(&self, blocks: &Range<usize>) -> &'a [u32] {
        &self.slots[blocks.start * L::WIDTH..blocks.end * L::WIDTH]
    }

    /// Fills some blocks.
    fn prepare(&self, blocks: &Range<usize>, world: &SharedWorld<'_>) {
        for i in blocks.clone() {
            prefetch_joints::<L>(world.joints, self.slots, i + 1);
            // SAFETY: each joint is in one block, and a worker has its own part of them.
            unsafe {
                self.blocks.at(i as u32).prepare(
                    self.kinds[i],
                    self.slots(&(i..i + 1)),
                    world.joints,
                    &world.joint_context,
                    world.states,
                );
            }
        }
    }

    /// Writes the impulses of some blocks back to the joints.
    fn store(&self, blocks: &Range<usize>, world: &SharedWorld<'_>) {
        for i in blocks.clone() {
            prefetch_joints::<L>(world.joints, self.slots, i + 1);
            // SAFETY: as above.
            unsafe { self.blocks.at(i as u32).store(world.joints) };
        }
    }
}

impl<'a, L: Lanes> SharedBlocks<'a, L> {
    pub(crate) fn new(blocks: &'a mut ConstraintBlocks<L>) -> Self {
        Self {
            simd: blocks.simd,
            location: BlockLocation::of::<L>(blocks.contacts.len()),
            contacts: SharedSlice::new(&mut blocks.contacts),
            features: SharedSlice::new(&mut blocks.features),
            fast: SharedSlice::new(&mut blocks.fast),
            contact_slots: &blocks.contact_slots,
            joints: SharedJoints::new(&mut blocks.joints),
            crowded: SharedJoints::new(&mut blocks.crowded),
            gear_slots: &blocks.gear_slots,
            ranges: &blocks.colors,
        }
    }

    /// Returns the slots of gears.
    pub(crate) fn gear_slots(&self) -> &[u32] {
        self.gear_slots
    }

    /// Returns the range of all constraints.
    pub(crate) fn whole(&self) -> ColorRange {
        ColorRange {
            contacts: 0..self.contact_slots.len() / L::WIDTH,
            joints: 0..self.joints.kinds.len(),
            crowded: 0..self.crowded.kinds.len(),
            gears: 0..self.gear_slots.len(),
        }
    }

    /// Fills the blocks of a part of a color. Gears are prepared later: they read other joints.
    pub(crate) fn prepare(&self, part: &ColorRange, world: &SharedWorld<'_>) {
        self.joints.prepare(&part.joints, world);
        self.crowded.prepare(&part.crowded, world);
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
        let states = world.states;
        if part.crowded.len() + part.gears.len() > 0 {
            let gears = &self.gear_slots[part.gears.clone()];
            // SAFETY: as in `pass`.
            unsafe { gears::warm_start(world.joints, gears, states) };
            // SAFETY: a worker has its own part of the blocks.
            let blocks = unsafe { self.crowded.blocks.part(part.crowded.clone()) };
            blocks.iter_mut().for_each(JointBlock::forget_springs);
            Single::BASELINE.enter(WarmStartJoints { states, blocks });
        }
        if !part.joints.is_empty() {
            // SAFETY: a worker has its own part of the blocks.
            let blocks = unsafe { self.joints.blocks.part(part.joints.clone()) };
            self.simd.enter(WarmStartJoints { states, blocks });
        }
        if part.contacts.is_empty() {
            return;
        }
        // SAFETY: as above.
        let (contacts, features) = unsafe {
            (
                self.contacts.part(part.contacts.clone()),
                self.features.part(part.contacts.clone()),
            )
        };
        self.simd.enter(WarmStartContacts {
            states,
            blocks: contacts,
            features,
            location: self.location,
        });
    }

    /// Solves or relaxes joints, then contacts: overlaps are corrected last.
    #[inline]
    pub(crate) fn pass(&self, part: &ColorRange, world: &SharedWorld<'_>, pass: Pass) {
        let states = world.states;
        let constants = JointPass::new(pass, &world.joint_context);
        if part.crowded.len() + part.gears.len() > 0 {
            if pass == Pass::Solve {
                self.sweep_crowded(&part.crowded, states, constants);
            }
            let gears = &self.gear_slots[part.gears.clone()];
            // SAFETY: gears are in the overflow only, which one worker solves.
            unsafe { gears::solve(world.joints, gears, states, &world.joint_context, pass) };
        }
        if !part.joints.is_empty() {
            self.simd.enter(SolveJoints {
                states,
                pass: constants,
                // SAFETY: a worker has its own part of the blocks.
                blocks: unsafe { self.joints.blocks.part(part.joints.clone()) },
            });
        }
        if !part.contacts.is_empty() {
            // SAFETY: as above.
            let (contacts, features) = unsafe {
                (
                    self.contacts.part(part.contacts.clone()),
                    self.features.part(part.contacts.clone()),
                )
            };
            self.simd.enter(SolveContacts {
                states,
                constants: &world.constants,
                pass,
                blocks: contacts,
                features,
                location: self.location,
            });
        }
        if let (Some(loads), Pass::Relax) = (&world.joint_loads, pass) {
            self.add_loads(part, world, loads);
        }
    }

    /// Relaxes the joints of crowded bodies, in the order opposite to that of the first pass.
    pub(crate) fn relax_crowded(&self, part: &ColorRange, world: &SharedWorld<'_>) {
        let constants = JointPass::new(Pass::Relax, &world.joint_context);
        self.sweep_crowded(&part.crowded, world.states, constants);
    }

    fn sweep_crowded(&self, blocks: &Range<usize>, states: SharedStates<'_>, pass: JointPass) {
        if !blocks.is_empty() {
            // SAFETY: a worker has its own part of the blocks.
            let blocks = unsafe { self.crowded.blocks.part(blocks.clone()) };
            sweep_crowded(blocks, states, &pass);
        }
    }

    /// Adds the loads of breakable joints in the substep that ends with this pass.
    #[cold]
    fn add_loads(&self, part: &ColorRange, world: &SharedWorld<'_>, loads: &JointLoads<'_>) {
        self.joints.store(&part.joints, world);
        self.crowded.store(&part.crowded, world);
        let (joints, crowded) = (
            self.joints.slots(&part.joints),
            self.crowded.slots(&part.crowded),
        );
        let gears = &self.gear_slots[part.gears.clone()];
        for &slot in joints.iter().chain(crowded).chain(gears) {
            if loads.is_measured(slot) {
                // SAFETY: as above.
                unsafe { loads.add(slot, world.joints.at(slot)) };
            }
        }
    }

    /// Applies restitution.
    pub(crate) fn restitution(&self, part: &ColorRange, world: &SharedWorld<'_>) {
        if part.contacts.is_empty() {
            return;
        }
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
        }
        self.joints.store(&part.joints, world);
        self.crowded.store(&part.crowded, world);
    }
}

impl ColorRange {
    /// Number of pieces of work for different workers.
    pub(crate) fn items(&self) -> usize {
        self.gears.len() + self.joints.len() + self.contacts.len() + self.crowded.len()
    }

    /// Returns the joints of crowded bodies in the given pieces of them.
    pub(crate) fn crowded_part(&self, items: &Range<usize>) -> Self {
        let Range { start, end } = self.crowded;
        Self {
            crowded: start + items.start..items.end.saturating_add(start).min(end),
            ..Self::default()
        }
    }

    /// Returns the constraints of the given items.
    #[inline]
    pub(crate) fn part(&self, items: &Range<usize>) -> Cow<'_, Self> {
        if *items == ALL_PIECES {
            return Cow::Borrowed(self);
        }
        let mut start = 0;
        let mut next = |range: &Range<usize>| {
            let count = range.len();
            let local = |item: usize| range.start + item.saturating_sub(start).min(count);
            let part = local(items.start)..local(items.end);
            start += count;
            part
        };
        Cow::Owned(Self {
            gears: next(&self.gears),
            joints: next(&self.joints),
            contacts: next(&self.contacts),
            crowded: next(&self.crowded),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_color_cover_it_once() {
        let color = ColorRange {
            contacts: 10..17,
            joints: 3..5,
            gears: 20..31,
            crowded: 7..12,
        };
        for size in 1..19 {
            let mut found = [const { Vec::new() }; 4];
            let mut start = 0;
            while start < color.items() {
                let part = color
                    .part(&(start..(start + size).min(color.items())))
                    .into_owned();
                found[0].extend(part.contacts);
                found[1].extend(part.joints);
                found[2].extend(part.gears);
                found[3].extend(part.crowded);
                start += size;
            }
            let whole = [&color.contacts, &color.joints, &color.gears, &color.crowded];
            for (found, range) in found.iter().zip(whole) {
                assert_eq!(*found, range.clone().collect::<Vec<_>>(), "{size}");
            }
        }
    }
}
