//! Impacts in their order: contacts that close fast bounce before the substeps, and the impulse propagates
//! through the bodies that touch.
//!
//! The substeps have no order of impacts. They give touching bodies one velocity, so all balls of a row that
//! is hit leave together. Here instead, in rounds: all contacts that close fast are solved together, with the
//! target velocity `-e v`; then the contacts of their bodies that close fast now; until none does. Joints of
//! the bodies hold within each round. A round does not add energy: without friction it adds `x (v' + v) / 2
//! <= 0` for each impulse x, as v' = -e v where there is one ([Glocker01, ch. 6]).

use super::constants::StepConstants;
use super::constraint_blocks::{ColorRange, ConstraintBlocks};
use super::input::{ColorLists, ImpactInput};
use super::passes::SharedBlocks;
use super::restitution::{Bounce, BounceLaw, BounceRule, bounce_of, solve_bounce};
use super::shared_world::SharedWorld;
use crate::bitset::BitSet;
use crate::contact::constraint::{ContactConstraint, constraint_flags};
use crate::id::NO_SLOT;
use crate::joint::JointSoftness;
use crate::joint::parts::row::Pass;
use crate::joint::sim::{JointKind, JointSim};
use crate::tuning::MAX_CONTACT_HERTZ_SHARE;
use cairn2d_simd::{F32, Lanes, Portable};

/// Most sweeps over the contacts and joints of a round. A single contact takes two, one between pendulums
/// four.
const MAX_SWEEPS: usize = 24;

/// Change of velocity below which a round has converged, as a share of the fastest approach.
const SOLVED_SHARE: f32 = 2.0e-6;

/// Most joints that hold within a round; the substeps propagate the impact further.
const MAX_JOINTS: usize = 128;

/// Mean number of bounces of a contact after which the impact is left to the substeps, and its offset.
///
/// A ball between two heavy ones that come together bounces without end. Rows of a hundred balls need one a
/// contact.
const MAX_BOUNCES: usize = 8;
const MORE_BOUNCES: usize = 64;

/// Restitution from which the order of impacts matters. Contacts with less keep 2 % of their energy, and
/// bounce in the last pass of the step.
pub(crate) const MIN_RESTITUTION: f32 = 0.15;

/// Most contacts solved in the sweeps of all rounds of a step: 1 ms of work. Larger problems are left to the
/// substeps: in a stirred heap thousands of contacts close at once, and their order is not visible.
const MAX_WORK: usize = 16_384;

/// Sweeps that a round is expected to take.
const USUAL_SWEEPS: usize = 4;

/// Finds and solves the impacts at the start of a step. Memory only: no state of the simulation.
#[derive(Debug, Default)]
pub(crate) struct Impacts {
    /// Slots of contacts that may bounce, ascending.
    bouncy: Vec<u32>,
    /// (body, contact) of these, and (body, joint), sorted.
    contact_ends: Vec<(u32, u32)>,
    joint_ends: Vec<(u32, u32)>,
    /// Contacts that may close next.
    candidates: Vec<u32>,
    /// Contacts of an impact within a step.
    struck: Vec<u32>,
    round: Round,
    applied: Vec<AppliedImpulse>,
}

/// The impulses of a contact in an impact.
#[derive(Clone, Copy, Debug)]
struct AppliedImpulse {
    contact: u32,
    /// Of the two points [N s].
    impulses: [f32; 2],
    /// Normal velocities before the impact \[m/s\].
    approach: [f32; 2],
}

/// The contacts that close at the same time, and the joints of their bodies.
#[derive(Debug, Default)]
struct Round {
    contacts: Vec<u32>,
    joints: Vec<u32>,
    /// The bodies of both.
    bodies: Vec<u32>,
    reached: BitSet,
    reached_joints: BitSet,
    lists: ConstraintBlocks<F32<Portable<1>>>,
    bounces: Vec<Bounce<F32<Portable<1>>>>,
    /// Copies of the joints from before the round: stored impulses are those of the substeps.
    saved: Vec<JointSim>,
}

impl Impacts {
    /// Solves the impacts at the start of a step, and those that they cause. Returns the number of bounces.
    pub(crate) fn propagate(&mut self, world: &SharedWorld<'_>, lists: &[ColorLists<'_>]) -> usize {
        self.find_bouncy(world, lists);
        self.candidates.clone_from(&self.bouncy);
        let rule = BounceRule {
            dt: world.constants.dt,
            law: BounceLaw::AtStepStart,
        };
        self.run(world, lists, &rule)
    }

    /// Solves the impact of the first constraints within a step, and the impacts that it causes among the
    /// others; adds impulses to the totals of the constraints. Returns the number of bounces.
    pub(crate) fn solve_impact(&mut self, input: ImpactInput<'_>) -> usize {
        let tuning = input.world.tuning;
        let h = input.dt / input.substeps as f32;
        let constants =
            StepConstants::new(input.dt, input.substeps, h, tuning, MAX_CONTACT_HERTZ_SHARE);
        let softness = JointSoftness {
            hertz: tuning.joint_hertz,
            damping_ratio: tuning.joint_damping_ratio,
        };
        let mut contacts = core::mem::take(&mut self.struck);
        contacts.clear();
        contacts.extend(0..input.world.constraints.len() as u32);
        let world = SharedWorld::new(input.world, constants, [&softness; 2], 0.0);
        let lists = [ColorLists {
            contacts: &contacts,
            joints: input.joint_slots,
        }];
        self.bouncy.clone_from(&contacts);
        self.candidates.clear();
        self.candidates.extend(0..input.struck);
        let rule = BounceRule {
            dt: input.rest,
            law: BounceLaw::AtSurface,
        };
        let bounces = self.run(&world, &lists, &rule);
        // SAFETY: nothing reads the constraints any more.
        self.store(unsafe { world.constraints.whole() });
        self.struck = contacts;
        bounces
    }

    /// Solves round after round, beginning with the candidates.
    fn run(
        &mut self,
        world: &SharedWorld<'_>,
        lists: &[ColorLists<'_>],
        rule: &BounceRule,
    ) -> usize {
        self.applied.clear();
        let mut world = *world;
        world.joint_context.warm_share = 0.0;
        self.round.select(&self.candidates, &world, rule);
        let count = self.round.contacts.len();
        if count == 0 || USUAL_SWEEPS * count > MAX_WORK {
            return 0;
        }
        self.connect(&world, lists);
        let most = MORE_BOUNCES + MAX_BOUNCES * self.bouncy.len();
        let (mut bounces, mut work) = (0, 0);
        while !self.round.contacts.is_empty() && bounces < most {
            let contacts = self.round.contacts.len();
            if work + USUAL_SWEEPS * contacts > MAX_WORK {
                break;
            }
            bounces += contacts;
            self.round.gather(&world, &self.joint_ends);
            work += contacts * self.round.solve(&world, rule);
            self.note_applied();
            self.find_candidates();
            self.round.select(&self.candidates, &world, rule);
        }
        self.applied.len()
    }

    /// Lists the contacts that may bounce.
    fn find_bouncy(&mut self, world: &SharedWorld<'_>, lists: &[ColorLists<'_>]) {
        self.bouncy.clear();
        let slots = lists.iter().flat_map(|list| list.contacts).copied();
        let bouncy = |&slot: &u32| {
            // SAFETY: no one writes constraints before the impulses are stored.
            let constraint = unsafe { world.constraint(slot) };
            constraint.restitution >= MIN_RESTITUTION
                && constraint.flags & constraint_flags::INACTIVE == 0
        };
        self.bouncy.extend(slots.filter(bouncy));
        self.bouncy.sort_unstable();
    }

    /// Lists the bouncy contacts and the joints of each body.
    fn connect(&mut self, world: &SharedWorld<'_>, lists: &[ColorLists<'_>]) {
        // SAFETY: no one writes constraints or joints before the stages begin.
        let (constraints, joints) = unsafe { (world.constraints.all(), world.joints.all()) };
        self.contact_ends.clear();
        for &contact in &self.bouncy {
            let constraint = &constraints[contact as usize];
            self.contact_ends
                .extend([(constraint.body_a, contact), (constraint.body_b, contact)]);
        }
        self.contact_ends.sort_unstable();
        self.joint_ends.clear();
        for &slot in lists.iter().flat_map(|list| list.joints) {
            let joint = &joints[slot as usize];
            if !matches!(joint.kind, JointKind::Gear(_)) {
                let base = &joint.base;
                self.joint_ends
                    .extend([(base.body_a, slot), (base.body_b, slot)]);
            }
        }
        self.joint_ends.sort_unstable();
    }

    /// Notes the impulses of the contacts of the round.
    fn note_applied(&mut self) {
        let blocks = self.round.lists.contacts.iter();
        for (block, bounce) in blocks.zip(&self.round.bounces) {
            if !bounce.closes() {
                continue;
            }
            let of = |lanes: F32<Portable<1>>| lanes.as_slice()[0];
            self.applied.push(AppliedImpulse {
                contact: block.contacts[0],
                impulses: block.points.map(|point| of(point.impulse)),
                approach: block.approach.map(of),
            });
        }
    }

    /// Lists the contacts of the bodies that the round has changed.
    fn find_candidates(&mut self) {
        self.candidates.clear();
        for &body in &self.round.bodies {
            self.candidates.extend(of_body(&self.contact_ends, body));
        }
        self.candidates.sort_unstable();
        self.candidates.dedup();
    }

    /// Slots of the contacts that bounced, some more than once.
    pub(crate) fn bounced(&self) -> impl Iterator<Item = u32> {
        self.applied.iter().map(|applied| applied.contact)
    }

    /// Adds the impulses to the totals that the substeps have stored.
    pub(crate) fn store(&self, constraints: &mut [ContactConstraint]) {
        for applied in &self.applied {
            let points = constraints[applied.contact as usize].points.iter_mut();
            for (i, point) in points.enumerate() {
                point.total_normal_impulse += applied.impulses[i];
                point.relative_velocity = point.relative_velocity.min(applied.approach[i]);
            }
        }
    }
}

/// Returns the partners of `body` in the sorted list `ends`.
fn of_body(ends: &[(u32, u32)], body: u32) -> impl Iterator<Item = u32> {
    let first = ends.partition_point(|end| end.0 < body);
    let of_body = ends[first..].iter().take_while(move |end| end.0 == body);
    of_body.map(|end| end.1)
}

/// Returns `true` if a point of the contact may close within the step at the speed of an impact: a
/// conservative first test.
fn may_meet(constraint: &ContactConstraint, world: &SharedWorld<'_>, rule: &BounceRule) -> bool {
    let [slot_a, slot_b] = constraint.moving_slots();
    // SAFETY: one thread solves impacts, and writes no state meanwhile.
    let (state_a, state_b) = unsafe { (world.states.get(slot_a), world.states.get(slot_b)) };
    let normal = constraint.world_normal(world.poses);
    (0..constraint.count.into()).any(|index| {
        let placed = constraint.placed_point(index, world.poses);
        let [arm_a, arm_b] = placed.arms;
        let closing = (state_a.velocity_at(arm_a) - state_b.velocity_at(arm_b)).dot(&normal);
        closing > rule.min_approach(&world.constants)
            && placed.separation <= 2.0 * closing * rule.dt
    })
}

impl Round {
    /// Selects the contacts that may close fast.
    fn select(&mut self, candidates: &[u32], world: &SharedWorld<'_>, rule: &BounceRule) {
        // SAFETY: no one writes constraints before the impulses are stored.
        let meets = |&slot: &u32| may_meet(unsafe { world.constraint(slot) }, world, rule);
        self.contacts.clear();
        self.contacts
            .extend(candidates.iter().copied().filter(meets));
    }

    /// Lists the joints that the impact reaches: those of the bodies in contact, of the bodies on these
    /// joints, and so on.
    fn gather(&mut self, world: &SharedWorld<'_>, joint_ends: &[(u32, u32)]) {
        self.bodies
            .iter()
            .for_each(|&body| self.reached.remove(body));
        self.joints
            .iter()
            .for_each(|&joint| self.reached_joints.remove(joint));
        self.bodies.clear();
        self.joints.clear();
        for i in 0..self.contacts.len() {
            // SAFETY: no one writes constraints before the impulses are stored.
            let constraint = unsafe { world.constraint(self.contacts[i]) };
            self.reach(constraint.body_a, world);
            self.reach(constraint.body_b, world);
        }
        // SAFETY: no one writes joints before the stages begin.
        let joints = unsafe { world.joints.all() };
        let mut next = 0;
        while next < self.bodies.len() && self.joints.len() < MAX_JOINTS {
            for joint in of_body(joint_ends, self.bodies[next]) {
                if !self.reached_joints.contains(joint) {
                    self.reached_joints.insert(joint);
                    self.joints.push(joint);
                    let base = &joints[joint as usize].base;
                    self.reach(base.body_a, world);
                    self.reach(base.body_b, world);
                }
            }
            next += 1;
        }
        self.joints.sort_unstable();
    }

    fn reach(&mut self, body: u32, world: &SharedWorld<'_>) {
        if world.masses[body as usize].inv_mass > 0.0 && !self.reached.contains(body) {
            self.reached.insert(body);
            self.bodies.push(body);
        }
    }

    /// Solves the contacts of the round together, with the joints; returns the number of sweeps.
    fn solve(&mut self, world: &SharedWorld<'_>, rule: &BounceRule) -> usize {
        self.save_joints(world);
        let lists = ColorLists {
            contacts: &self.contacts,
            joints: &self.joints,
        };
        // SAFETY: no one writes joints before the stages begin.
        let company = |slot| unsafe { world.joints.at(slot) }.traits().company;
        self.lists.fill(&[lists], company);
        let blocks = SharedBlocks::new(&mut self.lists);
        blocks.prepare(&blocks.whole(), world);
        let fastest = self.list_bounces(world, rule);
        let mut sweeps = 0;
        while sweeps < MAX_SWEEPS {
            sweeps += 1;
            if self.sweep(world) <= SOLVED_SHARE * fastest {
                break;
            }
        }
        self.restore_joints(world);
        sweeps
    }

    /// Lists the bounce of each contact, and returns the greatest velocity after it \[m/s\].
    fn list_bounces(&mut self, world: &SharedWorld<'_>, rule: &BounceRule) -> f32 {
        self.bounces.clear();
        let mut fastest = 0.0_f32;
        for block in &self.lists.contacts {
            let bounce = bounce_of(block, world.states, &world.constants, rule);
            fastest = fastest.max(bounce.fastest());
            self.bounces.push(bounce);
        }
        fastest
    }

    /// One sweep over joints and contacts; returns the greatest change of a contact's velocity [m/s].
    fn sweep(&mut self, world: &SharedWorld<'_>) -> f32 {
        let blocks = SharedBlocks::new(&mut self.lists);
        let joints = ColorRange {
            contacts: 0..0,
            ..blocks.whole()
        };
        blocks.pass(&joints, world, Pass::Relax);
        let mut change = 0.0_f32;
        for (block, bounce) in self.lists.contacts.iter_mut().zip(&self.bounces) {
            if bounce.closes() {
                change = change.max(solve_bounce(block, bounce, world.states));
            }
        }
        change
    }

    fn save_joints(&mut self, world: &SharedWorld<'_>) {
        self.saved.clear();
        for &slot in &self.joints {
            // SAFETY: no one else uses joints before the stages begin.
            self.saved.push(unsafe { world.joints.at(slot) }.clone());
        }
    }

    fn restore_joints(&mut self, world: &SharedWorld<'_>) {
        for (&slot, saved) in self.joints.iter().zip(self.saved.drain(..)) {
            debug_assert_ne!(slot, NO_SLOT);
            // SAFETY: no one else uses joints before the stages begin.
            *unsafe { world.joints.at(slot) } = saved;
        }
    }
}
