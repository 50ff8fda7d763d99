//! Which islands are solved directly, and that they are.
//!
//! A direct solution holds what no sweep over the joints does, and costs some ten times as much. It is for islands that
//! only joints hold together, and of these for those that need it: where loads ask for more substeps, and in worlds of few
//! joints for small linkages. Which islands they are is looked at every few steps, from what is part of the state; it is part of the
//! state itself.

use crate::body::state::state_flags;
use crate::graph::GraphPlace;
use crate::joint::JointDef;
use crate::joint::ask::Asks;
use crate::joint::base::joint_flags;
use crate::joint::sim::JointCompany;
use crate::softness::{Softness, joint_hertz};
use crate::solver::{DirectInput, Solver};
use crate::substep_level::SUBSTEP_LEVELS;
use crate::tuning::Tuning;
use crate::world::World;
use crate::world::substeps::LOOK_STEPS;

/// Most joints of all islands that are solved directly since they bear much: a millisecond or two a step.
const MAX_LOADED_JOINTS: usize = 512;

/// Most awake joints of a world in which small linkages are solved directly: some tenths of a millisecond a step.
const FEW_JOINTS: usize = 64;

/// Most joints, besides welds, of an island that is solved directly without bearing much: pendulums, springs, linkages, arms.
/// They keep their energy so. A rope should come to rest, as ropes do, and the iterations see to that.
const LINKAGE: usize = 8;

/// Looks at which nothing may have touched an island before it is solved directly again: a second. What bounces on a bridge
/// would have it change over at each bounce, and a bridge that is solved directly swings on and on.
const LOOKS_TO_CALM: u8 = 15;

/// Looks at which an island is iterated that could not be solved: 17 s. What is taut between two fixed places has no solution
/// where it is straight, and hardly one where it sags a little.
const LOOKS_TO_SLACKEN: u8 = 255;

/// Memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct DirectLists {
    islands: Vec<u32>,
    joints: Vec<u32>,
    /// What the direct solver has moved in this step.
    moved_joints: Vec<u32>,
    moved_bodies: Vec<u32>,
}

impl World {
    /// Looks at the awake islands, every few steps, and chooses those that are solved directly.
    pub(crate) fn choose_direct_islands(&mut self, dt: f32) {
        if !self.history.steps.is_multiple_of(LOOK_STEPS) {
            return;
        }
        let awake_joints = self.graph.joints();
        if awake_joints == 0 || !is_stiff(&self.def.tuning) {
            self.leave_direct_everywhere(dt);
            return;
        }
        let few = awake_joints <= FEW_JOINTS;
        let mut room = MAX_LOADED_JOINTS;
        let mut lists = core::mem::take(&mut self.scratch.direct);
        lists.islands.clear();
        lists.islands.extend(self.islands.awake.iter());
        for &island in &lists.islands {
            let loaded = self.islands.slots[island as usize].goal > 0;
            let fits = (few || loaded)
                && self.was_left_alone(island, &mut lists.joints)
                && (loaded || self.is_linkage(&lists.joints))
                && lists.joints.len() <= room;
            if fits {
                room -= lists.joints.len();
            }
            let was_direct = self.islands.direct.contains(island);
            if fits && !was_direct {
                self.islands.direct.insert(island);
                if lists.joints.iter().any(|&joint| self.was_solved(joint)) {
                    self.shift_phase(island, &lists.joints, 0.5 * dt);
                }
            } else if !fits && was_direct {
                self.leave_direct(island, &mut lists.joints, dt);
            }
        }
        self.scratch.direct = lists;
    }

    /// Takes all islands off the direct solver. Those that sleep are at rest, which is the same at all times.
    fn leave_direct_everywhere(&mut self, dt: f32) {
        let mut lists = core::mem::take(&mut self.scratch.direct);
        lists.islands.clear();
        lists.islands.extend(self.islands.direct_awake());
        for &island in &lists.islands {
            self.leave_direct(island, &mut lists.joints, dt);
        }
        self.islands.direct.clear();
        self.scratch.direct = lists;
    }

    /// Takes an island off the direct solver. Its velocities become those of iterated substeps, so that all joints of the island hold:
    /// the list of [`list_joints`](Self::list_joints) may have been cut, or be that of another island.
    fn leave_direct(&mut self, island: u32, joints: &mut Vec<u32>, dt: f32) {
        self.islands.direct.remove(island);
        joints.clear();
        for &body in &self.islands.slots[island as usize].bodies {
            for &joint in &self.bodies.slots[body].joints {
                if self.joints.slots[joint].graph != GraphPlace::NONE
                    && self.is_listed_at(joint, body)
                {
                    joints.push(joint);
                }
            }
        }
        self.shift_phase(island, joints, -0.5 * dt);
    }

    /// Says whether a joint is listed where `body` is, of the two bodies that may list it.
    fn is_listed_at(&self, joint: u32, body: u32) -> bool {
        let first = self.joints.slots[joint].body_a;
        first == body || !self.bodies.is_dynamic(first)
    }

    /// Says whether few joints leave any freedom, and none has a limit.
    fn is_linkage(&self, joints: &[u32]) -> bool {
        let is_free = |&&joint: &&u32| !matches!(self.joints.slots[joint].def, JointDef::Weld(_));
        let mut free = joints.iter().filter(is_free);
        free.clone().count() <= LINKAGE && !free.any(|&joint| self.has_limit(joint))
    }

    /// Lists the joints of `island` if it can be solved directly, and could for a while.
    fn was_left_alone(&mut self, island: u32, joints: &mut Vec<u32>) -> bool {
        let is_free = self.list_joints(island, joints);
        let touched = &mut self.islands.slots[island as usize].touched;
        match (is_free, *touched) {
            (true, 0) => {}
            (true, _) => *touched -= 1,
            (false, _) if joints.is_empty() => {}
            (false, _) => *touched = LOOKS_TO_CALM,
        }
        is_free && *touched == 0
    }

    /// Solves those islands that are solved directly and marks their bodies and joints, so that the substeps leave them
    /// alone. What meets something, or cannot be solved, is iterated until the next look.
    pub(crate) fn solve_direct_islands(&mut self, dt: f32) {
        let mut lists = core::mem::take(&mut self.scratch.direct);
        lists.islands.clear();
        lists.islands.extend(self.islands.direct_awake());
        for &island in &lists.islands {
            let is_free = self.list_joints(island, &mut lists.joints);
            if is_free && self.solve_directly(island, &lists.joints, dt) {
                let bodies = &self.islands.slots[island as usize].bodies;
                lists.moved_joints.extend_from_slice(&lists.joints);
                lists.moved_bodies.extend_from_slice(bodies);
            } else {
                let looks = if is_free {
                    LOOKS_TO_SLACKEN
                } else {
                    LOOKS_TO_CALM
                };
                self.islands.slots[island as usize].touched = looks;
                self.leave_direct(island, &mut lists.joints, dt);
            }
        }
        for &joint in &lists.moved_joints {
            self.joints.traits[joint as usize].company = JointCompany::Direct;
        }
        for &body in &lists.moved_bodies {
            self.bodies.states[body as usize].flags |= state_flags::DIRECT;
        }
        self.scratch.direct = lists;
    }

    /// Takes the marks off that [`solve_direct_islands`](Self::solve_direct_islands) has set.
    pub(crate) fn unmark_direct_islands(&mut self) {
        let mut lists = core::mem::take(&mut self.scratch.direct);
        for joint in lists.moved_joints.drain(..) {
            self.note_joint_traits(joint);
        }
        for body in lists.moved_bodies.drain(..) {
            self.bodies.states[body as usize].flags &= !state_flags::DIRECT;
        }
        self.scratch.direct = lists;
    }

    /// Lists the joints of `island`. Returns false, with a list that may be cut, if anything else holds its bodies, there are too many joints, or
    /// one cannot be solved directly.
    fn list_joints(&self, island: u32, joints: &mut Vec<u32>) -> bool {
        joints.clear();
        let mut asks = Asks::new();
        let mut is_alone = true;
        let locked = state_flags::LOCK_X | state_flags::LOCK_Y;
        for &body in &self.islands.slots[island as usize].bodies {
            let mut held = 0;
            for &joint in &self.bodies.slots[body].joints {
                let record = &self.joints.slots[joint];
                if record.graph == GraphPlace::NONE {
                    continue;
                }
                held += 1;
                is_alone &=
                    self.joints.sims[joint as usize].base.flags & joint_flags::INITIAL_ERROR == 0;
                if self.is_listed_at(joint, body) {
                    joints.push(joint);
                }
            }
            let flags = self.bodies.states[body as usize].flags;
            let others = self.bodies.tracks[body as usize].constraints != held;
            is_alone &= !others && flags & locked == 0;
            let is_listed = is_alone || self.islands.direct.contains(island);
            if !is_listed || joints.len() > MAX_LOADED_JOINTS {
                return false;
            }
        }
        let mut can_be_held = |&joint: &u32| self.joints.sims[joint as usize].ask(&mut asks);
        is_alone && !joints.is_empty() && joints.iter().all(&mut can_be_held)
    }

    /// Says whether the joint has a limit.
    fn has_limit(&self, joint: u32) -> bool {
        self.joints.slots[joint].def.limit().is_some()
    }

    /// Says whether the joint has been solved before.
    fn was_solved(&self, joint: u32) -> bool {
        self.joints.sims[joint as usize].base.substep > 0.0
    }

    /// Shifts the velocities of an island by a share of the substeps that it is iterated with: `time` \[s\] for one substep
    /// a step. Bodies that nothing holds any more keep theirs: free flight needs no shift.
    fn shift_phase(&mut self, island: u32, joints: &[u32], time: f32) {
        let effort = &SUBSTEP_LEVELS[usize::from(self.islands.slots[island as usize].effort)];
        let time = time / effort.substeps(self.def.substeps) as f32;
        let (solver, input) = self.direct_input(island, joints, time.abs());
        solver.shift_phase(input, time);
    }

    fn solve_directly(&mut self, island: u32, joints: &[u32], dt: f32) -> bool {
        let (solver, input) = self.direct_input(island, joints, dt);
        solver.solve_directly(input)
    }

    fn direct_input<'a>(
        &'a mut self,
        island: u32,
        joints: &'a [u32],
        dt: f32,
    ) -> (&'a mut Solver, DirectInput<'a>) {
        let h = dt / self.def.substeps as f32;
        let tuning = &self.def.tuning;
        let hertz = joint_hertz(tuning.joint_hertz, h);
        let rigid = Softness::new(hertz, tuning.joint_damping_ratio, h);
        let input = DirectInput {
            dt,
            substeps: self.def.substeps,
            gravity: self.def.gravity,
            correction: h * rigid.bias_rate,
            states: &mut self.bodies.states,
            poses: &self.bodies.poses,
            masses: &self.bodies.masses,
            motions: &self.bodies.motions,
            joints: &mut self.joints.sims,
            body_slots: &self.islands.slots[island as usize].bodies,
            joint_slots: joints,
        };
        (&mut self.solver, input)
    }
}

/// Says whether joints are to be as stiff as they can.
fn is_stiff(tuning: &Tuning) -> bool {
    tuning.joint_hertz >= Tuning::default().joint_hertz
}
