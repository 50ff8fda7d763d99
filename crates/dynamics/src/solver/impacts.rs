//! Impact propagation: fast contacts bounce before the substeps begin, one round of simultaneous impacts
//! after the other.
//!
//! The substeps do not order impacts. They bring touching bodies to one velocity, so that all balls of a row leave
//! together after an impact. Here instead, a round solves all contacts that approach fast together, to the relative
//! velocity `-e v`. The next round solves the contacts at which their bodies then collide, and so on until no contact
//! approaches fast. Joints of the bodies hold within each round. A round adds no energy: without friction it adds `x
//! (v' + v) / 2 <= 0` for each impulse x, since v' = -e v where there is one ([Glocker01, ch. 6]); with friction the
//! bounce is bounded (`bounce_energy.rs`).

use super::block::ContactBlock;
use super::bounce_energy::RoundState;
use super::constants::StepConstants;
use super::constraint_blocks::{ColorRange, ConstraintBlocks};
use super::input::{ColorLists, ImpactInput};
use super::passes::SharedBlocks;
use super::restitution::{BounceLaw, BounceRule, BounceTargets, bounce_targets, solve_bounce};
use super::shared_world::SharedWorld;
use crate::bitset::BitSet;
use crate::contact::constraint::{ContactConstraint, constraint_flags};
use crate::id::NO_SLOT;
use crate::joint::parts::row::Pass;
use crate::joint::sim::{JointKind, JointSim};
use cairn2d_simd::{F32, Lanes, Single};

/// Greatest number of sweeps over the contacts and joints of a round; after that the round stays as it is. A single
/// contact takes two, a contact between pendulums four.
const MAX_ROUND_SWEEPS: usize = 24;

/// Change of velocity below which a round has converged, as a share of the fastest approach.
const CONVERGED_SHARE: f32 = 2.0e-6;

/// Greatest number of joints that hold within a round. The substeps transmit the impact to bodies beyond these.
const MAX_ROUND_JOINTS: usize = 128;

/// Bounces per contact, and extra bounces, after which the rest is left to the substeps.
///
/// A ball between two heavy balls that approach each other bounces without end. Rows of a hundred balls need one
/// bounce per contact.
const BOUNCES_PER_CONTACT: usize = 8;
const EXTRA_BOUNCES: usize = 8;

/// Restitution above which the order of impacts matters. Contacts with less keep at most 2 % of their energy, and
/// bounce in the restitution pass at the end of the step.
pub(crate) const MIN_RESTITUTION: f32 = 0.15;

/// Greatest number of contacts solved in the sweeps of all rounds of a step, about 1 ms. Larger impacts are left to
/// the substeps: in a stirred heap thousands of contacts collide at once, and their order is not visible.
const MAX_CONTACT_SOLVES: usize = 16_384;

/// Sweeps that a round is expected to take.
const EXPECTED_SWEEPS: usize = 4;

/// Finds and solves impacts round by round. It holds memory only, no state.
#[derive(Debug, Default)]
pub(crate) struct Impacts {
    /// Slots of the contacts that may bounce, ascending.
    bouncy: Vec<u32>,
    /// (body, contact) of these, sorted.
    contact_ends: Vec<(u32, u32)>,
    /// (body, joint), sorted.
    joint_ends: Vec<(u32, u32)>,
    /// Contacts that may collide in the next round.
    candidates: Vec<u32>,
    /// Contacts of a time-of-impact event.
    toi_contacts: Vec<u32>,
    round: ImpactRound,
    impulses: Vec<BounceImpulse>,
}

/// The impulses of a bounce on a contact.
#[derive(Clone, Copy, Debug)]
struct BounceImpulse {
    contact: u32,
    /// Impulses of the two points [N s].
    impulses: [f32; 2],
    /// Normal velocities of the points before the bounce [m/s].
    approach: [f32; 2],
}

/// Contacts that collide at the same time, and the joints of their bodies.
#[derive(Debug, Default)]
struct ImpactRound {
    contacts: Vec<u32>,
    joints: Vec<u32>,
    /// The bodies of both.
    bodies: Vec<u32>,
    reached: BitSet,
    reached_joints: BitSet,
    lists: ConstraintBlocks<F32<Single>>,
    targets: Vec<BounceTargets<F32<Single>>>,
    /// Copies of the joints: their stored impulses are those of the substeps, and are restored after the
    /// round.
    saved: Vec<JointSim>,
    /// States before the round, after it by Newton's law of restitution, and after it without bounce.
    start: RoundState,
    bounced: RoundState,
    stopped: RoundState,
}

impl Impacts {
    /// Solves the impacts at the start of a step, and the impacts that follow. Returns the number of bounces.
    pub(crate) fn solve_at_start(
        &mut self,
        world: &SharedWorld<'_>,
        lists: &[ColorLists<'_>],
    ) -> usize {
        self.list_bouncy(world, lists);
        self.candidates.clone_from(&self.bouncy);
        let rule = BounceRule {
            time: world.constants.dt,
            law: BounceLaw::AtSeparation,
        };
        self.run(world, lists, &rule)
    }

    /// Solves a time-of-impact event at the first constraints, and the impacts that follow from it among the
    /// others. Adds the impulses to the totals of the constraints. Returns the number of bounces.
    pub(crate) fn solve_at_toi(&mut self, input: ImpactInput<'_>) -> usize {
        let tuning = input.world.tuning;
        let h = input.dt / input.substeps as f32;
        let constants = StepConstants::new(input.dt, input.substeps, h, tuning);
        let mut contacts = core::mem::take(&mut self.toi_contacts);
        contacts.clear();
        contacts.extend(0..input.world.constraints.len() as u32);
        let world = SharedWorld::new(input.world, constants, 0.0);
        let lists = [ColorLists {
            contacts: &contacts,
            joints: input.joint_slots,
        }];
        self.bouncy.clone_from(&contacts);
        self.candidates.clear();
        self.candidates.extend(0..input.struck);
        let rule = BounceRule {
            time: input.rest,
            law: BounceLaw::AtSurface,
        };
        let bounces = self.run(&world, &lists, &rule);
        // SAFETY: nothing reads the constraints after the rounds.
        self.store(unsafe { world.constraints.whole() });
        self.toi_contacts = contacts;
        bounces
    }

    /// Solves round after round, beginning with the candidates.
    fn run(
        &mut self,
        world: &SharedWorld<'_>,
        lists: &[ColorLists<'_>],
        rule: &BounceRule,
    ) -> usize {
        self.impulses.clear();
        let mut world = *world;
        world.joint_context.warm_share = 0.0;
        world.joint_context.drives = false;
        self.round.select(&self.candidates, &world, rule);
        let count = self.round.contacts.len();
        if count == 0 || EXPECTED_SWEEPS * count > MAX_CONTACT_SOLVES {
            return 0;
        }
        self.list_ends(&world, lists);
        let max_bounces = EXTRA_BOUNCES + BOUNCES_PER_CONTACT * self.bouncy.len();
        let (mut bounces, mut solves) = (0, 0);
        while !self.round.contacts.is_empty() && bounces < max_bounces {
            let contacts = self.round.contacts.len();
            if solves + EXPECTED_SWEEPS * contacts > MAX_CONTACT_SOLVES {
                break;
            }
            bounces += contacts;
            self.round.list_joints(&world, &self.joint_ends);
            solves += contacts * self.round.solve(&world, rule);
            // The test of the candidates is conservative. Where none of them collides, another round would be the same.
            if !self.store_round() {
                break;
            }
            self.find_candidates();
            self.round.select(&self.candidates, &world, rule);
        }
        self.impulses.len()
    }

    /// Lists the active contacts whose restitution is high enough to bounce in rounds.
    fn list_bouncy(&mut self, world: &SharedWorld<'_>, lists: &[ColorLists<'_>]) {
        self.bouncy.clear();
        let slots = lists.iter().flat_map(|list| list.contacts).copied();
        let bouncy = |&slot: &u32| {
            // SAFETY: nothing writes constraints before the impulses are stored.
            let constraint = unsafe { world.constraint(slot) };
            constraint.restitution >= MIN_RESTITUTION
                && constraint.flags & constraint_flags::INACTIVE == 0
        };
        self.bouncy.extend(slots.filter(bouncy));
        self.bouncy.sort_unstable();
    }

    /// Lists the bouncy contacts and the joints of each body. Gears act on up to four bodies and
    /// take no part.
    fn list_ends(&mut self, world: &SharedWorld<'_>, lists: &[ColorLists<'_>]) {
        // SAFETY: nothing writes constraints or joints before the stages begin.
        let (constraints, joints) = unsafe { (world.constraints.all(), world.joints.all()) };
        self.contact_ends.clear();
        // Bodies that do not give way are never reached: without them the lists are short, and often sorted already.
        let reachable = |&(body, _): &(u32, u32)| gives_way(world, body);
        for &contact in &self.bouncy {
            let constraint = &constraints[contact as usize];
            let ends = [(constraint.body_a, contact), (constraint.body_b, contact)];
            self.contact_ends.extend(ends.into_iter().filter(reachable));
        }
        self.contact_ends.sort_unstable();
        self.joint_ends.clear();
        for &slot in lists.iter().flat_map(|list| list.joints) {
            let joint = &joints[slot as usize];
            if !matches!(joint.kind, JointKind::Gear(_)) {
                let ends = [(joint.base.body_a, slot), (joint.base.body_b, slot)];
                self.joint_ends.extend(ends.into_iter().filter(reachable));
            }
        }
        self.joint_ends.sort_unstable();
    }

    /// Stores the impulses of the round. Returns `true` if there was a collision.
    fn store_round(&mut self) -> bool {
        let before = self.impulses.len();
        let blocks = self.round.lists.contacts.iter();
        for (block, targets) in blocks.zip(&self.round.targets) {
            if !targets.has_collision() {
                continue;
            }
            let of = |lanes: F32<Single>| lanes.as_slice()[0];
            self.impulses.push(BounceImpulse {
                contact: block.contacts[0],
                impulses: block.points.map(|point| of(point.impulse)),
                approach: block.approach.map(of),
            });
        }
        self.impulses.len() > before
    }

    /// Lists the contacts of the bodies of the round.
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
        self.impulses.iter().map(|bounce| bounce.contact)
    }

    /// Adds the impulses to the totals of the substeps.
    pub(crate) fn store(&self, constraints: &mut [ContactConstraint]) {
        for bounce in &self.impulses {
            let points = constraints[bounce.contact as usize].points.iter_mut();
            for (i, point) in points.enumerate() {
                point.total_normal_impulse += bounce.impulses[i];
                point.relative_velocity = point.relative_velocity.min(bounce.approach[i]);
            }
        }
    }
}

/// Returns `true` if impulses can move the body.
fn gives_way(world: &SharedWorld<'_>, body: u32) -> bool {
    let mass = &world.masses[body as usize];
    mass.inv_mass > 0.0 || mass.inv_inertia > 0.0
}

/// Returns the partners of `body` in the sorted list `ends`.
fn of_body(ends: &[(u32, u32)], body: u32) -> impl Iterator<Item = u32> {
    let first = ends.partition_point(|end| end.0 < body);
    let of_body = ends[first..].iter().take_while(move |end| end.0 == body);
    of_body.map(|end| end.1)
}

/// Returns `true` if a point of the contact may close its gap in time at the speed of an impact. The test is
/// conservative.
fn may_collide(constraint: &ContactConstraint, world: &SharedWorld<'_>, rule: &BounceRule) -> bool {
    let [slot_a, slot_b] = constraint.moving_slots();
    // SAFETY: one thread solves impacts, and writes no state during the test.
    let (state_a, state_b) = unsafe { (world.states.get(slot_a), world.states.get(slot_b)) };
    let normal = constraint.world_normal(world.poses);
    (0..constraint.count.into()).any(|index| {
        let placed = constraint.placed_point(index, world.poses);
        let [arm_a, arm_b] = placed.arms;
        let closing = (state_a.velocity_at(arm_a) - state_b.velocity_at(arm_b)).dot(&normal);
        closing > rule.min_approach(&world.constants)
            && placed.separation <= 2.0 * closing * rule.time
    })
}

impl ImpactRound {
    /// Selects the candidates that may collide.
    fn select(&mut self, candidates: &[u32], world: &SharedWorld<'_>, rule: &BounceRule) {
        // SAFETY: nothing writes constraints before the impulses are stored.
        let collides = |&slot: &u32| may_collide(unsafe { world.constraint(slot) }, world, rule);
        self.contacts.clear();
        self.contacts
            .extend(candidates.iter().copied().filter(collides));
    }

    /// Lists the joints that transmit the impact, breadth first from the bodies of the contacts.
    fn list_joints(&mut self, world: &SharedWorld<'_>, joint_ends: &[(u32, u32)]) {
        self.bodies
            .iter()
            .for_each(|&body| self.reached.remove(body));
        self.joints
            .iter()
            .for_each(|&joint| self.reached_joints.remove(joint));
        self.bodies.clear();
        self.joints.clear();
        for i in 0..self.contacts.len() {
            // SAFETY: nothing writes constraints before the impulses are stored.
            let constraint = unsafe { world.constraint(self.contacts[i]) };
            self.reach(constraint.body_a, world);
            self.reach(constraint.body_b, world);
        }
        // SAFETY: nothing writes joints before the stages begin.
        let joints = unsafe { world.joints.all() };
        let mut next = 0;
        while next < self.bodies.len() && self.joints.len() < MAX_ROUND_JOINTS {
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
        if gives_way(world, body) && !self.reached.contains(body) {
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
        // SAFETY: nothing writes joints before the stages begin.
        let traits = |slot| unsafe { world.joints.at(slot) }.traits();
        self.lists.fill(&[lists], traits);
        let blocks = SharedBlocks::new(&mut self.lists);
        blocks.prepare(&blocks.whole(), world);
        let fastest = self.set_targets(world, rule);
        let rubs =
            |block: &ContactBlock<F32<Single>>| block.friction.coefficient.as_slice()[0] > 0.0;
        let has_friction = self.lists.contacts.iter().any(rubs);
        if has_friction {
            self.start
                .read(world.states, &self.bodies, &self.lists.contacts);
        }
        let mut sweeps = self.converge(world, fastest);
        if has_friction {
            sweeps += self.bound_energy(world, fastest);
        }
        self.restore_joints(world);
        sweeps
    }

    /// Reduces the bounce if friction would add energy by it; returns the number of sweeps.
    fn bound_energy(&mut self, world: &SharedWorld<'_>, fastest: f32) -> usize {
        self.bounced
            .read(world.states, &self.bodies, &self.lists.contacts);
        if !self.bounced.has_gained(&self.start) {
            return 0;
        }
        self.restore_joints(world);
        self.start.write_bodies(world.states, &self.bodies);
        let blocks = SharedBlocks::new(&mut self.lists);
        blocks.prepare(&blocks.whole(), world);
        self.targets.iter_mut().for_each(BounceTargets::stop);
        let sweeps = self.converge(world, fastest);
        let contacts = &mut self.lists.contacts;
        self.stopped.read(world.states, &self.bodies, contacts);
        self.stopped.bounce_without_gain(&self.start, &self.bounced);
        self.stopped.write_bodies(world.states, &self.bodies);
        self.stopped.write_impulses(contacts);
        sweeps
    }

    /// Sweeps until the contacts have their target velocities; returns the number of sweeps.
    fn converge(&mut self, world: &SharedWorld<'_>, fastest: f32) -> usize {
        let mut sweeps = 0;
        while sweeps < MAX_ROUND_SWEEPS {
            sweeps += 1;
            if self.sweep(world) <= CONVERGED_SHARE * fastest {
                break;
            }
        }
        sweeps
    }

    /// Sets the target velocities of the contacts, and returns the greatest of them [m/s].
    fn set_targets(&mut self, world: &SharedWorld<'_>, rule: &BounceRule) -> f32 {
        self.targets.clear();
        let mut fastest = 0.0_f32;
        for block in &self.lists.contacts {
            let targets = bounce_targets(block, world.states, &world.constants, rule);
            fastest = fastest.max(targets.fastest());
            self.targets.push(targets);
        }
        fastest
    }

    /// Sweeps once over joints and contacts; returns the greatest change of a contact's velocity [m/s].
    fn sweep(&mut self, world: &SharedWorld<'_>) -> f32 {
        let blocks = SharedBlocks::new(&mut self.lists);
        let joints = ColorRange {
            contacts: 0..0,
            ..blocks.whole()
        };
        blocks.pass(&joints, world, Pass::Relax);
        let mut change = 0.0_f32;
        for (block, targets) in self.lists.contacts.iter_mut().zip(&self.targets) {
            if targets.has_collision() {
                change = change.max(solve_bounce(block, targets, world.states));
            }
        }
        change
    }

    fn save_joints(&mut self, world: &SharedWorld<'_>) {
        self.saved.clear();
        for &slot in &self.joints {
            // SAFETY: nothing else uses joints before the stages begin.
            self.saved.push(unsafe { world.joints.at(slot) }.clone());
        }
    }

    fn restore_joints(&mut self, world: &SharedWorld<'_>) {
        for (&slot, saved) in self.joints.iter().zip(&self.saved) {
            debug_assert_ne!(slot, NO_SLOT);
            // SAFETY: nothing else uses joints before the stages begin.
            unsafe { world.joints.at(slot) }.clone_from(saved);
        }
    }
}
