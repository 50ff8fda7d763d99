//! Impacts in their order: what meets fast bounces before the substeps begin, and passes on what it got through all that
//! touches it.
//!
//! The substeps know no order. They bring what touches to one velocity, so that of a row of balls which is hit all leave
//! together. Here instead, in rounds: all contacts that are met fast now are solved together, with the velocity
//! `-e v` as their aim; then those that their bodies meet in turn; until nothing is met fast any more. Joints of the bodies
//! hold within each round. A round takes no energy from nowhere: without friction it adds
//! `x (v' + v) / 2 <= 0` for each impulse x, as v' = -e v where there is one ([Glocker01, ch. 6]).

use super::context::Context;
use super::group::{Field, Group};
use super::input::{ColorLists, ImpactInput};
use super::lists::{Color, Lists};
use super::prepare::PrepareInput;
use super::restitution::{Aim, Bounce, Law, bounce_of, solve_bounce};
use super::states::SharedStates;
use crate::bitset::BitSet;
use crate::contact::constraint::{ContactConstraint, constraint_flags};
use crate::id::NO_SLOT;
use crate::joint::JointSoftness;
use crate::joint::base::JointContext;
use crate::joint::parts::row::Pass;
use crate::joint::sim::{JointKind, JointSim};
use crate::shared::SharedSlice;
use crate::tuning::MAX_CONTACT_HERTZ_SHARE;
use cairn2d_simd::{F32, Lanes, Portable};

/// Sweeps over the contacts and joints of a round before they are left as they are. A contact alone takes two, one
/// between pendulums four.
const MAX_SWEEPS: usize = 24;

/// Change of velocity below which a round is solved, as a share of the fastest approach.
const SOLVED_SHARE: f32 = 2.0e-6;

/// Most joints that hold within a round; an impact is felt further off in the substeps.
const MAX_JOINTS: usize = 128;

/// Bounces of each contact, on average, after which the rest is left to the substeps, and what is added to their number.
///
/// A ball between two heavy ones that come together bounces without end. Rows of a hundred balls need one a contact.
const MAX_BOUNCES: usize = 8;
const MORE_BOUNCES: usize = 64;

/// Restitution from which the order of impacts is of interest: what bounces less keeps 2 % of its energy, and has its
/// bounce from the last pass of the step.
pub(crate) const MIN_RESTITUTION: f32 = 0.15;

/// Most contacts solved in the sweeps of all rounds of a step: 1 ms of work. What would take more is left to the substeps:
/// in a heap that is stirred thousands meet at once, and no one sees in which order.
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
    /// What may be met next.
    candidates: Vec<u32>,
    /// Contacts of an impact in the midst of a step.
    struck: Vec<u32>,
    round: Round,
    given: Vec<Given>,
}

/// What an impact gave to a contact.
#[derive(Clone, Copy, Debug)]
struct Given {
    contact: u32,
    /// Of the two points [N s].
    impulses: [f32; 2],
    /// Normal velocities at which they met [m/s].
    approach: [f32; 2],
}

/// The contacts that are met at once, and the joints of their bodies.
#[derive(Debug, Default)]
struct Round {
    contacts: Vec<u32>,
    joints: Vec<u32>,
    /// The bodies of both.
    bodies: Vec<u32>,
    reached: BitSet,
    reached_joints: BitSet,
    lists: Lists<F32<Portable<1>>>,
    bounces: Vec<Bounce<F32<Portable<1>>>>,
    /// The joints as they were: their impulses are those of the substeps.
    saved: Vec<JointSim>,
}

impl Impacts {
    /// Solves what is met at the start of a step of `dt` [s], and what that meets. Returns the number of bounces.
    pub(crate) fn pass_on(
        &mut self,
        field: &Field<'_>,
        input: &PrepareInput<'_>,
        lists: &[&[ColorLists<'_>]],
        dt: f32,
    ) -> usize {
        self.find_springy(input, lists);
        self.candidates.clone_from(&self.bouncy);
        let aim = Aim {
            dt,
            law: Law::AtHeight,
        };
        self.run(field, input, lists, &aim)
    }

    /// Solves the impact that the first constraints describe, in the midst of a step, and what is met by it among
    /// the others; adds impulses to the totals of the constraints. Returns the number of bounces.
    pub(crate) fn strike(&mut self, input: ImpactInput<'_>) -> usize {
        let h = input.dt / input.substeps as f32;
        let context = Context::new(
            input.dt,
            input.substeps,
            h,
            input.tuning,
            MAX_CONTACT_HERTZ_SHARE,
        );
        let softness = JointSoftness {
            hertz: input.tuning.joint_hertz,
            damping_ratio: input.tuning.joint_damping_ratio,
        };
        let mut contacts = core::mem::take(&mut self.struck);
        contacts.clear();
        contacts.extend(0..input.constraints.len() as u32);
        let field = Field {
            context,
            joint_context: JointContext::new(
                context.h,
                [&softness; 2],
                0.0,
                input.poses,
                input.masses,
            ),
            states: SharedStates::new(input.states),
            joints: SharedSlice::new(input.joints),
            constraints: SharedSlice::new(input.constraints),
            loads: None,
            noted_substep: None,
        };
        let prepare = PrepareInput {
            context: &field.context,
            states: field.states,
            poses: input.poses,
            masses: input.masses,
            motions: input.motions,
            gravity: input.gravity,
            constraints: field.constraints,
            warm_share: 0.0,
        };
        let lists = [ColorLists {
            contacts: &contacts,
            joints: input.joint_slots,
        }];
        self.bouncy.clone_from(&contacts);
        self.candidates.clear();
        self.candidates.extend(0..input.struck);
        let aim = Aim {
            dt: input.rest,
            law: Law::AtOnce,
        };
        let bounces = self.run(&field, &prepare, &[&lists], &aim);
        // SAFETY: nothing reads the constraints any more.
        self.store(unsafe { field.constraints.whole() });
        self.struck = contacts;
        bounces
    }

    /// Solves round after round, from the candidates on.
    fn run(
        &mut self,
        field: &Field<'_>,
        input: &PrepareInput<'_>,
        lists: &[&[ColorLists<'_>]],
        aim: &Aim,
    ) -> usize {
        self.given.clear();
        let mut input = *input;
        let mut field = *field;
        input.warm_share = 0.0;
        field.joint_context.warm_share = 0.0;
        self.round.select(&self.candidates, &input, aim);
        let count = self.round.contacts.len();
        if count == 0 || USUAL_SWEEPS * count > MAX_WORK {
            return 0;
        }
        self.connect(&field, lists);
        let most = MORE_BOUNCES + MAX_BOUNCES * self.bouncy.len();
        let (mut bounces, mut work) = (0, 0);
        while !self.round.contacts.is_empty() && bounces < most {
            let contacts = self.round.contacts.len();
            if work + USUAL_SWEEPS * contacts > MAX_WORK {
                break;
            }
            bounces += contacts;
            self.round.gather(&input, &self.joint_ends, &field);
            work += contacts * self.round.solve(&field, &input, aim);
            self.note_given();
            self.find_candidates();
            self.round.select(&self.candidates, &input, aim);
        }
        self.given.len()
    }

    fn find_springy(&mut self, input: &PrepareInput<'_>, lists: &[&[ColorLists<'_>]]) {
        self.bouncy.clear();
        let slots = lists.iter().flat_map(|lists| lists.iter());
        let slots = slots.flat_map(|list| list.contacts).copied();
        let bouncy = |&slot: &u32| {
            // SAFETY: no one writes constraints before the impulses are stored.
            let constraint = unsafe { input.constraint(slot) };
            constraint.restitution >= MIN_RESTITUTION
                && constraint.flags & constraint_flags::INACTIVE == 0
        };
        self.bouncy.extend(slots.filter(bouncy));
        self.bouncy.sort_unstable();
    }

    /// Lists what each body touches and hangs on.
    fn connect(&mut self, field: &Field<'_>, lists: &[&[ColorLists<'_>]]) {
        // SAFETY: no one writes constraints or joints before the stages begin.
        let (constraints, joints) = unsafe { (field.constraints.all(), field.joints.all()) };
        self.contact_ends.clear();
        for &contact in &self.bouncy {
            let constraint = &constraints[contact as usize];
            self.contact_ends
                .extend([(constraint.body_a, contact), (constraint.body_b, contact)]);
        }
        self.contact_ends.sort_unstable();
        self.joint_ends.clear();
        let slots = lists.iter().flat_map(|lists| lists.iter());
        for &slot in slots.flat_map(|list| list.joints) {
            let joint = &joints[slot as usize];
            if !matches!(joint.kind, JointKind::Gear(_)) {
                let base = &joint.base;
                self.joint_ends
                    .extend([(base.body_a, slot), (base.body_b, slot)]);
            }
        }
        self.joint_ends.sort_unstable();
    }

    /// Notes what the contacts of the round were given.
    fn note_given(&mut self) {
        let blocks = self.round.lists.contacts.iter();
        for (block, bounce) in blocks.zip(&self.round.bounces) {
            if !bounce.meets() {
                continue;
            }
            let of = |lanes: F32<Portable<1>>| lanes.as_slice()[0];
            self.given.push(Given {
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
        self.given.iter().map(|given| given.contact)
    }

    /// Adds what was given to what the substeps have stored.
    pub(crate) fn store(&self, constraints: &mut [ContactConstraint]) {
        for given in &self.given {
            let points = constraints[given.contact as usize].points.iter_mut();
            for (i, point) in points.enumerate() {
                point.total_normal_impulse += given.impulses[i];
                point.relative_velocity = point.relative_velocity.min(given.approach[i]);
            }
        }
    }
}

/// Returns what is paired with `body` in the sorted list `ends`.
fn of_body(ends: &[(u32, u32)], body: u32) -> impl Iterator<Item = u32> {
    let first = ends.partition_point(|end| end.0 < body);
    let of_body = ends[first..].iter().take_while(move |end| end.0 == body);
    of_body.map(|end| end.1)
}

/// Returns `true` if a point of the contact may close within the step at the speed of an impact: a conservative first test.
fn may_meet(constraint: &ContactConstraint, input: &PrepareInput<'_>, aim: &Aim) -> bool {
    let [slot_a, slot_b] = constraint.moving_slots();
    // SAFETY: one thread solves impacts, and writes no state meanwhile.
    let (state_a, state_b) = unsafe { (input.states.get(slot_a), input.states.get(slot_b)) };
    let normal = constraint.world_normal(input.poses);
    (0..constraint.count.into()).any(|index| {
        let placed = constraint.placed_point(index, input.poses);
        let [arm_a, arm_b] = placed.arms;
        let closing = (state_a.velocity_at(arm_a) - state_b.velocity_at(arm_b)).dot(&normal);
        closing > aim.least_approach(input.context) && placed.separation <= 2.0 * closing * aim.dt
    })
}

impl Round {
    /// Picks the contacts that may be met fast.
    fn select(&mut self, candidates: &[u32], input: &PrepareInput<'_>, aim: &Aim) {
        // SAFETY: no one writes constraints before the impulses are stored.
        let meets = |&slot: &u32| may_meet(unsafe { input.constraint(slot) }, input, aim);
        self.contacts.clear();
        self.contacts
            .extend(candidates.iter().copied().filter(meets));
    }

    /// Lists the joints that feel the impact: those of the contacts' bodies, of what hangs on these, and so on.
    fn gather(&mut self, input: &PrepareInput<'_>, joint_ends: &[(u32, u32)], field: &Field<'_>) {
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
            let constraint = unsafe { input.constraint(self.contacts[i]) };
            self.reach(constraint.body_a, input);
            self.reach(constraint.body_b, input);
        }
        // SAFETY: no one writes joints before the stages begin.
        let joints = unsafe { field.joints.all() };
        let mut next = 0;
        while next < self.bodies.len() && self.joints.len() < MAX_JOINTS {
            for joint in of_body(joint_ends, self.bodies[next]) {
                if !self.reached_joints.contains(joint) {
                    self.reached_joints.insert(joint);
                    self.joints.push(joint);
                    let base = &joints[joint as usize].base;
                    self.reach(base.body_a, input);
                    self.reach(base.body_b, input);
                }
            }
            next += 1;
        }
        self.joints.sort_unstable();
    }

    fn reach(&mut self, body: u32, input: &PrepareInput<'_>) {
        if input.masses[body as usize].inv_mass > 0.0 && !self.reached.contains(body) {
            self.reached.insert(body);
            self.bodies.push(body);
        }
    }

    /// Solves the contacts of the round together, with the joints; returns the number of sweeps.
    fn solve(&mut self, field: &Field<'_>, input: &PrepareInput<'_>, aim: &Aim) -> usize {
        self.save_joints(field);
        let lists = ColorLists {
            contacts: &self.contacts,
            joints: &self.joints,
        };
        // SAFETY: no one writes joints before the stages begin.
        let company = |slot| unsafe { field.joints.at(slot) }.traits().company;
        self.lists.fill(&[lists], company);
        let group = Group::new(&mut self.lists);
        group.prepare(&group.whole(), field, input);
        let fastest = self.aim(field, input.context, aim);
        let mut sweeps = 0;
        while sweeps < MAX_SWEEPS {
            sweeps += 1;
            if self.sweep(field) <= SOLVED_SHARE * fastest {
                break;
            }
        }
        self.restore_joints(field);
        sweeps
    }

    /// Sets what each contact is to do, and returns the fastest approach [m/s].
    fn aim(&mut self, field: &Field<'_>, context: &Context, aim: &Aim) -> f32 {
        self.bounces.clear();
        let mut fastest = 0.0_f32;
        for block in &self.lists.contacts {
            let bounce = bounce_of(block, field.states, context, aim);
            fastest = fastest.max(bounce.fastest());
            self.bounces.push(bounce);
        }
        fastest
    }

    /// One sweep over joints and contacts; returns the greatest change of a contact's velocity [m/s].
    fn sweep(&mut self, field: &Field<'_>) -> f32 {
        let group = Group::new(&mut self.lists);
        let joints = Color {
            contacts: 0..0,
            ..group.whole()
        };
        group.pass(&joints, field, Pass::Relax);
        let mut change = 0.0_f32;
        for (block, bounce) in self.lists.contacts.iter_mut().zip(&self.bounces) {
            if bounce.meets() {
                change = change.max(solve_bounce(block, bounce, field.states));
            }
        }
        change
    }

    fn save_joints(&mut self, field: &Field<'_>) {
        self.saved.clear();
        for &slot in &self.joints {
            // SAFETY: no one else uses joints before the stages begin.
            self.saved.push(unsafe { field.joints.at(slot) }.clone());
        }
    }

    fn restore_joints(&mut self, field: &Field<'_>) {
        for (&slot, saved) in self.joints.iter().zip(self.saved.drain(..)) {
            debug_assert_ne!(slot, NO_SLOT);
            // SAFETY: no one else uses joints before the stages begin.
            *unsafe { field.joints.at(slot) } = saved;
        }
    }
}
