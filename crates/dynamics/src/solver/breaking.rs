//! Joints that break: what each that can was loaded with on average over the step.
//!
//! Impulses are those of the last substep, and a jerk may be over by then: of forty ropes that a ball pulled taut at 10 m/s twenty held 100 N,
//! by when in the step they came taut. So of joints that can break the loads of all substeps are added up.

use super::MeasuredJoint;
use super::input::ColorLists;
use crate::joint::sim::{JointClass, JointReaction, JointSim, JointTraits};
use crate::shared::SharedSlice;

/// Where the loads of joints are added up, substep by substep.
#[derive(Clone, Copy)]
pub(crate) struct Loads<'a> {
    /// By joint slot; of what cannot break it means nothing.
    sums: SharedSlice<'a, JointReaction>,
    traits: &'a [JointTraits],
}

impl Loads<'_> {
    /// Says whether what the joint in `slot` bears is to be added up.
    pub(crate) fn counts(&self, slot: u32) -> bool {
        self.traits
            .get(slot as usize)
            .is_some_and(|traits| traits.can_break)
    }

    /// Adds what a joint bore in a substep.
    ///
    /// # Safety
    /// No other worker has this joint now.
    pub(crate) unsafe fn add(&self, slot: u32, joint: &JointSim) {
        let load = joint.reaction();
        // SAFETY: by the caller.
        let sum = unsafe { self.sums.at(slot) };
        sum.force += load.force;
        sum.torque += load.torque;
    }
}

/// Memory for joints that can break.
#[derive(Debug, Default)]
pub(crate) struct Breaking {
    /// Slots of those that are solved.
    slots: Vec<u32>,
    sums: Vec<JointReaction>,
}

impl Breaking {
    /// Lists the joints that can break, and says where to add up their loads if there are any.
    pub(crate) fn start<'a>(
        &'a mut self,
        traits: &'a [JointTraits],
        lists: &[ColorLists<'_>],
    ) -> Option<Loads<'a>> {
        self.slots.clear();
        for list in lists {
            let can_break = |slot: &&u32| traits[**slot as usize].can_break;
            self.slots.extend(list.joints.iter().filter(can_break));
        }
        if self.slots.is_empty() {
            return None;
        }
        self.sums.resize(traits.len(), JointReaction::NONE);
        for &slot in &self.slots {
            self.sums[slot as usize] = JointReaction::NONE;
        }
        Some(Loads {
            sums: SharedSlice::new(&mut self.sums),
            traits,
        })
    }

    /// Lists the mean loads over so many substeps, and the joints that do not hold theirs, these in order of slot. The load of a joint
    /// that is solved directly is that of its last substep.
    pub(crate) fn find(
        &self,
        joints: &[JointSim],
        traits: &[JointTraits],
        substeps: u32,
        (measured, broken): (&mut Vec<MeasuredJoint>, &mut Vec<MeasuredJoint>),
    ) {
        let share = 1.0 / substeps as f32;
        for &slot in &self.slots {
            let index = slot as usize;
            let reaction = if traits[index].class == JointClass::Direct {
                joints[index].reaction()
            } else {
                let sum = self.sums[index];
                JointReaction {
                    force: share * sum.force,
                    torque: share * sum.torque,
                }
            };
            let joint = MeasuredJoint {
                joint: slot,
                reaction,
            };
            measured.push(joint);
            if joints[index].breaks_under(&reaction) {
                broken.push(joint);
            }
        }
        broken.sort_unstable_by_key(|broken| broken.joint);
    }
}
