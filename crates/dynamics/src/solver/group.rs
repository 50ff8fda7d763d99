//! The passes over the constraints of one color, or of the overflow, in parts.

use super::block::{ContactBlock, Extras, Stream};
use super::breaking::Loads;
use super::contacts::{SolveContacts, WarmStart};
use super::context::Context;
use super::joints;
use super::lists::{Color, Lists};
use super::pins::{
    HingeBlock, PinBlock, SolvePins, WarmStartPins, ask_for_hinges, prepare_hinges, prepare_pins,
    store_hinges, store_pins,
};
use super::prepare::{PrepareContacts, PrepareInput};
use super::restitution::Restitution;
use super::states::SharedStates;
use super::store::StoreContacts;
use crate::contact::constraint::ContactConstraint;
use crate::joint::base::JointContext;
use crate::joint::parts::row::Pass;
use crate::joint::sim::JointSim;
use crate::shared::SharedSlice;
use cairn2d_simd::{Lanes, Simd};
use core::ops::Range;

/// Joints of other kinds that are claimed together: about the work of one block.
const OTHERS_PER_ITEM: usize = 4;

/// The blocks of a step, shared by the workers.
pub(crate) struct Group<'a, L: Lanes> {
    pub(crate) simd: L::Simd,
    contacts: SharedSlice<'a, ContactBlock<L>>,
    extras: SharedSlice<'a, Extras>,
    fast: SharedSlice<'a, u32>,
    pins: SharedSlice<'a, PinBlock<L>>,
    hinges: SharedSlice<'a, HingeBlock<L>>,
    contact_slots: &'a [u32],
    pin_slots: &'a [u32],
    hinge_slots: &'a [u32],
    other_slots: &'a [u32],
    pub(crate) colors: &'a [Color],
    stream: Stream,
}

/// What the passes work on besides the blocks.
#[derive(Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) context: Context,
    pub(crate) joint_context: JointContext<'a>,
    pub(crate) states: SharedStates<'a>,
    pub(crate) joints: SharedSlice<'a, JointSim>,
    pub(crate) constraints: SharedSlice<'a, ContactConstraint>,
    /// Where joints that can break add up what they bear, if there are any.
    pub(crate) loads: Option<Loads<'a>>,
    /// What contacts note as the length of the substeps, if they note it.
    pub(crate) noted_substep: Option<f32>,
}

impl<'a, L: Lanes> Group<'a, L> {
    pub(crate) fn new(lists: &'a mut Lists<L>) -> Self {
        Self {
            simd: lists.simd,
            stream: Stream::of::<L>(lists.contacts.len()),
            contacts: SharedSlice::new(&mut lists.contacts),
            extras: SharedSlice::new(&mut lists.extras),
            fast: SharedSlice::new(&mut lists.fast),
            pins: SharedSlice::new(&mut lists.pins),
            hinges: SharedSlice::new(&mut lists.hinges),
            contact_slots: &lists.contact_slots,
            pin_slots: &lists.pin_slots,
            hinge_slots: &lists.hinge_slots,
            other_slots: &lists.other_slots,
            colors: &lists.colors,
        }
    }

    /// Slots of joints that are solved one by one.
    pub(crate) fn other_slots(&self) -> &[u32] {
        self.other_slots
    }

    /// All constraints as one color.
    pub(crate) fn whole(&self) -> Color {
        Color {
            contacts: 0..self.contact_slots.len() / L::WIDTH,
            pins: 0..self.pin_slots.len() / L::WIDTH,
            hinges: 0..self.hinge_slots.len() / L::WIDTH,
            others: 0..self.other_slots.len(),
        }
    }

    /// Fills the blocks of a part of the color. Gears come later.
    pub(crate) fn prepare(&self, part: &Color, field: &Field<'_>, input: &PrepareInput<'_>) {
        let context = &field.joint_context;
        for i in part.hinges.clone() {
            let slots = &self.hinge_slots[i * L::WIDTH..(i + 1) * L::WIDTH];
            ask_for_hinges::<L>(field.joints, self.hinge_slots, i + 1);
            // SAFETY: each joint is in one list, and each part of a list in one worker's hands.
            let joint = |slot: u32| unsafe { field.joints.at(slot) };
            // SAFETY: as above, for blocks.
            let block = unsafe { &mut self.hinges.part(i..i + 1)[0] };
            prepare_hinges(block, slots, joint, context, field.states);
        }
        for i in part.pins.clone() {
            let slots = &self.pin_slots[i * L::WIDTH..(i + 1) * L::WIDTH];
            // SAFETY: as above.
            let joint = |slot: u32| unsafe { field.joints.at(slot) };
            // SAFETY: as above.
            let block = unsafe { &mut self.pins.part(i..i + 1)[0] };
            prepare_pins(block, slots, joint, context, field.states);
        }
        for &slot in &self.other_slots[part.others.clone()] {
            // SAFETY: as above.
            unsafe { field.joints.at(slot) }.prepare(context);
        }
        self.simd.enter(PrepareContacts {
            input: *input,
            contacts: &self.contact_slots
                [part.contacts.start * L::WIDTH..part.contacts.end * L::WIDTH],
            // SAFETY: as above.
            blocks: unsafe { self.contacts.part(part.contacts.clone()) },
            // SAFETY: as above.
            extras: unsafe { self.extras.part(part.contacts.clone()) },
        });
    }

    /// Applies the impulses of the substep before.
    pub(crate) fn warm_start(&self, part: &Color, field: &Field<'_>) {
        // SAFETY: a worker has its own part of the blocks.
        let (pins, hinges, contacts, extras) = unsafe {
            (
                self.pins.part(part.pins.clone()),
                self.hinges.part(part.hinges.clone()),
                self.contacts.part(part.contacts.clone()),
                self.extras.part(part.contacts.clone()),
            )
        };
        let states = field.states;
        let others = &self.other_slots[part.others.clone()];
        // SAFETY: as above; joints of a color share no moving body.
        unsafe { joints::warm_start(field.joints, others, states) };
        self.simd.enter(WarmStartPins {
            states,
            pins,
            hinges,
        });
        self.simd.enter(WarmStart {
            states,
            blocks: contacts,
            extras,
            stream: self.stream,
        });
    }

    /// Solves or relaxes: joints, then contacts, so that what touches is kept apart last.
    pub(crate) fn pass(&self, part: &Color, field: &Field<'_>, pass: Pass) {
        // SAFETY: a worker has its own part of the blocks.
        let (pins, hinges, contacts, extras) = unsafe {
            (
                self.pins.part(part.pins.clone()),
                self.hinges.part(part.hinges.clone()),
                self.contacts.part(part.contacts.clone()),
                self.extras.part(part.contacts.clone()),
            )
        };
        let states = field.states;
        let others = &self.other_slots[part.others.clone()];
        // SAFETY: as above; joints of a color share no moving body.
        unsafe { joints::solve(field.joints, others, states, &field.joint_context, pass) };
        self.simd.enter(SolvePins {
            states,
            h: field.context.h,
            inv_h: field.context.inv_h,
            pass,
            pins,
            hinges,
        });
        self.simd.enter(SolveContacts {
            states,
            context: &field.context,
            pass,
            blocks: contacts,
            extras,
            stream: self.stream,
        });
        if let (Some(loads), Pass::Relax) = (&field.loads, pass) {
            self.add_loads(part, field, loads);
        }
    }

    /// Adds what the joints of a part have borne in the substep that ends with this pass.
    #[cold]
    fn add_loads(&self, part: &Color, field: &Field<'_>, loads: &Loads<'_>) {
        // SAFETY: a worker has its own part of the blocks, and each joint is in one block.
        unsafe {
            for i in part.pins.clone() {
                store_pins(self.pins.at(i as u32), |slot| field.joints.at(slot));
            }
            for i in part.hinges.clone() {
                store_hinges(self.hinges.at(i as u32), |slot| field.joints.at(slot));
            }
        }
        let pins = &self.pin_slots[part.pins.start * L::WIDTH..part.pins.end * L::WIDTH];
        let hinges = &self.hinge_slots[part.hinges.start * L::WIDTH..part.hinges.end * L::WIDTH];
        let others = &self.other_slots[part.others.clone()];
        for &slot in pins.iter().chain(hinges).chain(others) {
            if loads.counts(slot) {
                // SAFETY: as above.
                unsafe { loads.add(slot, field.joints.at(slot)) };
            }
        }
    }

    /// Applies restitution.
    pub(crate) fn restitution(&self, part: &Color, field: &Field<'_>) {
        self.simd.enter(Restitution {
            states: field.states,
            context: &field.context,
            // SAFETY: a worker has its own part of the blocks.
            blocks: unsafe { self.contacts.part(part.contacts.clone()) },
        });
    }

    /// Writes the impulses back.
    pub(crate) fn store(&self, part: &Color, field: &Field<'_>) {
        // SAFETY: a worker has its own part of the blocks; each contact and joint is in one block.
        unsafe {
            self.simd.enter(StoreContacts {
                blocks: self.contacts.part(part.contacts.clone()),
                extras: self.extras.part(part.contacts.clone()),
                fast: self.fast.part(part.contacts.clone()),
                hit_speed: field.context.hit_speed,
                substep: field.noted_substep,
                constraints: field.constraints,
            });
            for i in part.pins.clone() {
                store_pins(self.pins.at(i as u32), |slot| field.joints.at(slot));
            }
            for i in part.hinges.clone() {
                ask_for_hinges::<L>(field.joints, self.hinge_slots, i + 1);
                store_hinges(self.hinges.at(i as u32), |slot| field.joints.at(slot));
            }
        }
    }
}

impl Color {
    /// Number of pieces of work that can be done apart.
    pub(crate) fn items(&self) -> usize {
        self.pins.len()
            + self.hinges.len()
            + self.contacts.len()
            + self.others.len().div_ceil(OTHERS_PER_ITEM)
    }

    /// Returns the constraints of the given items.
    pub(crate) fn part(&self, items: &Range<usize>) -> Self {
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
            contacts: next(&self.contacts, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_color_cover_it_once() {
        let color = Color {
            contacts: 10..17,
            pins: 3..5,
            hinges: 0..1,
            others: 20..31,
        };
        for size in 1..15 {
            let mut found = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
            let mut start = 0;
            while start < color.items() {
                let part = color.part(&(start..(start + size).min(color.items())));
                found[0].extend(part.contacts);
                found[1].extend(part.pins);
                found[2].extend(part.hinges);
                found[3].extend(part.others);
                start += size;
            }
            let whole = [&color.contacts, &color.pins, &color.hinges, &color.others];
            for (found, range) in found.iter().zip(whole) {
                assert_eq!(*found, range.clone().collect::<Vec<_>>(), "{size}");
            }
        }
    }
}
