//! Joints with break limits: measures the mean load of each over the step.
//!
//! Stored impulses are those of the last substep, when a jerk may be over. Of forty ropes that a ball pulled taut at
//! 10 m/s, twenty held 100 N and twenty broke, depending on the substep in which they came taut. So the loads of all
//! substeps are summed up.

use super::MeasuredJoint;
use super::input::ColorLists;
use crate::joint::sim::{JointClass, JointReaction, JointSim, JointTraits};
use crate::shared::SharedSlice;
use cairn2d_geometry::sort_compact;

/// Sums of the loads of joints over the substeps.
#[derive(Clone, Copy)]
pub(crate) struct JointLoads<'a> {
    /// By joint slot; meaningless for joints that cannot break.
    sums: SharedSlice<'a, JointReaction>,
    traits: &'a [JointTraits],
}

impl JointLoads<'_> {
    /// Returns `true` if the joint in `slot` can break.
    pub(crate) fn is_measured(&self, slot: u32) -> bool {
        let traits = self.traits.get(slot as usize);
        traits.is_some_and(|traits| traits.can_break)
    }

    /// Adds the load of a joint in a substep, unless it overflows: then the world stops the bodies.
    ///
    /// # Safety
    /// No other worker uses this joint during the call.
    pub(crate) unsafe fn add(&self, slot: u32, joint: &JointSim) {
        let load = joint.reaction();
        // SAFETY: the caller excludes other users.
        let sum = unsafe { self.sums.at(slot) };
        if load.force.norm_squared().is_finite() && load.torque.is_finite() {
            sum.force += load.force;
            sum.torque += load.torque;
        }
    }
}

/// Measures the loads of joints that can break.
#[derive(Debug, Default)]
pub(crate) struct BreakDetection {
    /// Slots of the solved joints that can break.
    slots: Vec<u32>,
    sums: Vec<JointReaction>,
}

impl BreakDetection {
    /// Lists the joints that can break; returns the sums of their loads, or `None` without such joints.
    pub(crate) fn begin<'a>(
        &'a mut self,
        traits: &'a [JointTraits],
        lists: &[ColorLists<'_>],
    ) -> Option<JointLoads<'a>> {
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
        Some(JointLoads {
            sums: SharedSlice::new(&mut self.sums),
            traits,
        })
    }

    /// Lists the mean loads over `substeps`, and the joints whose load is above a limit, in order of slot.
    /// For a joint that is solved directly the load is that of its last substep.
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
        sort_compact(broken, |one, other| one.joint.cmp(&other.joint));
    }
}
