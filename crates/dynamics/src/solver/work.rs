//! The stages of a step, for one width of lanes.

use super::block::ContactBlock;
use super::contacts::{SolveContacts, WarmStart};
use super::context::Context;
use super::input::{ColorLists, SolveInput, SolveStats, WarmStarting};
use super::integrate::{Drive, fly, integrate_position, integrate_velocity};
use super::prepare::{PrepareContacts, PrepareInput, store_impulses};
use super::restitution::Restitution;
use super::states::SharedStates;
use super::{BrokenJoint, joints};
use crate::body::state::{BodyMass, BodyMotion, state_flags};
use crate::contact::patch::ContactPatch;
use crate::joint::JointSoftness;
use crate::joint::base::JointContext;
use crate::joint::parts::row::Pass;
use crate::joint::sim::JointSim;
use crate::simd::Lanes;
use crate::simd::plain::Plain;
use core::ops::Range;

/// Memory of a step.
#[derive(Debug)]
pub(crate) struct Work<L: Lanes> {
    /// Contacts of all colors, color by color.
    blocks: Vec<ContactBlock<L>>,
    /// Blocks of each color.
    ranges: Vec<Range<usize>>,
    /// Contacts that fit no color.
    overflow: Vec<ContactBlock<Plain<1>>>,
}

impl<L: Lanes> Default for Work<L> {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            ranges: Vec::new(),
            overflow: Vec::new(),
        }
    }
}

/// A step in progress.
struct Step<'a, L: Lanes> {
    context: Context,
    drive: Drive,
    substeps: u32,
    awake: &'a [u32],
    masses: &'a [BodyMass],
    motions: &'a [BodyMotion],
    joint_context: JointContext<'a>,
    states: SharedStates<'a>,
    work: &'a mut Work<L>,
    joints: &'a mut [JointSim],
    colors: &'a [ColorLists<'a>],
    overflow: ColorLists<'a>,
}

impl<L: Lanes> Work<L> {
    /// Runs all stages.
    pub(crate) fn solve(
        &mut self,
        input: SolveInput<'_>,
        broken: &mut Vec<BrokenJoint>,
    ) -> SolveStats {
        let context = Context::new(input.dt, input.substeps, input.tuning);
        let warm_share = match input.warm_start {
            WarmStarting::On => 1.0,
            WarmStarting::Off => 0.0,
        };
        let joint_context = JointContext {
            h: context.h,
            inv_h: context.inv_h,
            softness: JointSoftness {
                hertz: input.tuning.joint_hertz,
                damping_ratio: input.tuning.joint_damping_ratio,
            },
            warm_share,
            poses: input.poses,
            masses: input.masses,
        };
        let stats = count(&input);
        let mut step = Step {
            context,
            drive: Drive::new(input.dt, context.h, input.gravity),
            substeps: input.substeps,
            awake: input.awake,
            masses: input.masses,
            motions: input.motions,
            joint_context,
            states: SharedStates::new(input.states),
            work: self,
            joints: input.joints,
            colors: input.colors,
            overflow: input.overflow,
        };

        step.fly();
        step.prepare_joints();
        step.prepare_contacts(input.patches, warm_share);
        for _ in 0..input.substeps {
            step.integrate_velocities();
            step.warm_start();
            step.pass(Pass::Solve);
            step.integrate_positions();
            step.pass(Pass::Relax);
        }
        step.restitution();
        step.store(input.patches);
        step.find_broken(broken);
        SolveStats {
            broken_joints: broken.len() as u32,
            ..stats
        }
    }
}

fn count(input: &SolveInput<'_>) -> SolveStats {
    SolveStats {
        bodies: input.awake.len() as u32,
        contacts: input.colors.iter().map(|c| c.contacts.len() as u32).sum(),
        joints: input.colors.iter().map(|c| c.joints.len() as u32).sum(),
        overflow_contacts: input.overflow.contacts.len() as u32,
        overflow_joints: input.overflow.joints.len() as u32,
        broken_joints: 0,
    }
}

impl<L: Lanes> Step<'_, L> {
    fn prepare_joints(&mut self) {
        let lists = self.colors.iter().chain([&self.overflow]);
        joints::prepare(self.joints, lists.map(|l| l.joints), &self.joint_context);
    }

    fn prepare_contacts(&mut self, patches: &[ContactPatch], warm_share: f32) {
        let input = PrepareInput {
            context: &self.context,
            states: self.states,
            poses: self.joint_context.poses,
            masses: self.masses,
            motions: self.motions,
            gravity: self.drive.gravity,
            patches,
            warm_share,
        };
        let work = &mut *self.work;
        work.ranges.clear();
        let mut end = 0;
        for color in self.colors {
            let start = end;
            end += color.contacts.len().div_ceil(L::WIDTH);
            work.ranges.push(start..end);
        }
        work.blocks.resize(end, ContactBlock::EMPTY);
        for (color, range) in self.colors.iter().zip(&work.ranges) {
            L::enter(PrepareContacts {
                input,
                contacts: color.contacts,
                blocks: &mut work.blocks[range.clone()],
            });
        }
        work.overflow
            .resize(self.overflow.contacts.len(), ContactBlock::EMPTY);
        Plain::<1>::enter(PrepareContacts {
            input,
            contacts: self.overflow.contacts,
            blocks: &mut work.overflow,
        });
    }

    /// Moves the bodies that nothing touches by the whole step.
    fn fly(&mut self) {
        for &slot in self.awake {
            let mut state = self.states.get(slot);
            if state.flags & state_flags::FREE != 0 {
                let i = slot as usize;
                let (mass, motion) = (&self.masses[i], &self.motions[i]);
                fly(&mut state, mass, motion, &self.drive, self.substeps);
                self.states.set(slot, state);
            }
        }
    }

    fn integrate_velocities(&mut self) {
        for &slot in self.awake {
            let mut state = self.states.get(slot);
            let i = slot as usize;
            integrate_velocity(&mut state, &self.masses[i], &self.motions[i], &self.drive);
            self.states.set(slot, state);
        }
    }

    fn integrate_positions(&mut self) {
        for &slot in self.awake {
            let mut state = self.states.get(slot);
            integrate_position(&mut state, self.drive.h);
            self.states.set(slot, state);
        }
    }

    /// Joints come before contacts: what touches is kept apart last.
    fn warm_start(&mut self) {
        joints::warm_start(self.joints, self.overflow.joints, self.states);
        Plain::<1>::enter(WarmStart {
            states: self.states,
            blocks: &self.work.overflow,
        });
        for (color, range) in self.colors.iter().zip(&self.work.ranges) {
            joints::warm_start(self.joints, color.joints, self.states);
            L::enter(WarmStart {
                states: self.states,
                blocks: &self.work.blocks[range.clone()],
            });
        }
    }

    fn pass(&mut self, pass: Pass) {
        let (states, context) = (self.states, &self.context);
        joints::solve(
            self.joints,
            self.overflow.joints,
            states,
            &self.joint_context,
            pass,
        );
        Plain::<1>::enter(SolveContacts {
            states,
            context,
            pass,
            blocks: &mut self.work.overflow,
        });
        for (color, range) in self.colors.iter().zip(&self.work.ranges) {
            joints::solve(self.joints, color.joints, states, &self.joint_context, pass);
            L::enter(SolveContacts {
                states,
                context,
                pass,
                blocks: &mut self.work.blocks[range.clone()],
            });
        }
    }

    fn restitution(&mut self) {
        let (states, context) = (self.states, &self.context);
        Plain::<1>::enter(Restitution {
            states,
            context,
            blocks: &mut self.work.overflow,
        });
        for range in &self.work.ranges {
            L::enter(Restitution {
                states,
                context,
                blocks: &mut self.work.blocks[range.clone()],
            });
        }
    }

    fn store(&self, patches: &mut [ContactPatch]) {
        for block in &self.work.overflow {
            store_impulses(block, patches);
        }
        for block in &self.work.blocks {
            store_impulses(block, patches);
        }
    }

    fn find_broken(&self, broken: &mut Vec<BrokenJoint>) {
        for list in [&self.overflow].into_iter().chain(self.colors) {
            for &slot in list.joints {
                let joint = &self.joints[slot as usize];
                let reaction = joint.reaction(self.context.inv_h);
                if joint.breaks_under(&reaction) {
                    broken.push(BrokenJoint {
                        joint: slot,
                        reaction,
                    });
                }
            }
        }
    }
}
