//! How many substeps each island is solved with: more of them where loads press it together.
//!
//! A soft contact yields by `force / (mass w^2)`, and `w` may be a share of the substep rate: twice the substeps at
//! twice the stiffness yield a quarter. Most islands bear little and are solved with the substeps of the
//! world. Where a link would yield too far - tall columns, heavy on light, long chains under a load - the
//! substeps of that island alone are doubled, up to four times, and the stiffness follows little by little.
//! How often follows from what the island is built of and from the impulses of the steps before, so it is part of the
//! state.

use crate::body::track_flags;
use crate::contact::constraint::{ConstraintPoint, ContactConstraint};
use crate::graph::{COLORS, ConstraintGraph, ConstraintList, GraphPlace};
use crate::id::NO_SLOT;
use crate::island::{Island, NO_ISLAND, Yield};
use crate::softness::{contact_hertz, joint_hertz};
use crate::solver::batches::OwnedLists;
use crate::substep_level::{LAST, SUBSTEP_LEVELS, one_doubling_up, whole_levels};
use crate::tuning::{MAX_CONTACT_HERTZ_SHARE, Tuning};
use crate::world::World;
use cairn2d_geometry::math::{PI, Vec2, cross};
use core::cmp::Ordering;

/// Steps between two looks at an island.
///
/// What needs more substeps bears its load for long, so it may wait; an impact is over by the next look.
pub(crate) const LOOK_STEPS: u64 = 4;

/// Yield of a link up to which the world's substeps are enough \[m\].
///
/// The undermost link of a column of 15 boxes at usual settings. Columns of 22 with offsets buckle without more substeps,
/// and of 50 with half as many again as they get.
const FREE_YIELD: f32 = 0.006;

/// Most bodies of an island, relative to the number of bodies like it that a link bears.
///
/// A column of n boxes: its undermost link bears n, and there is 1 for each. In a pyramid it is half the base: the links
/// of such an island hold each other, and doubling the substeps of so many would cost more than it helps.
const MAX_BREADTH: f32 = 3.0;

/// Most by which a contact's yield may grow as it bears unevenly: a square that is pressed at its edge yields there two and a half times
/// as much, and three times as much less at the other.
const MAX_UNEVEN: f32 = 6.0;

/// Speed from which on bodies that touch are not taken to rest on each other [m/s].
///
/// What a body falls at after six steps: a column that was just built begins to give way before it bears.
const QUIET_SPEED: f32 = 1.0;

/// Most work for which an island's substeps are doubled: its bodies, times how often they are solved.
const MAX_WORK: usize = 2048;

/// The same where joints are what yields, and [`MAX_BREADTH`] for these: a net hangs on few of its knots, and the pins there open as far
/// as all others together. A net of 900 discs takes 0.7 ms a step so instead of 0.2, and opens by a sixtieth.
const MAX_NET_WORK: usize = 8192;
const MAX_NET_BREADTH: f32 = 16.0;

/// The constraints and bodies that are solved with the same substeps. Filled each step; no part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    pub(crate) bodies: Vec<u32>,
    contacts: [ConstraintList; COLORS + 1],
    joints: [ConstraintList; COLORS + 1],
}

impl Batch {
    fn clear(&mut self) {
        self.bodies.clear();
        self.contacts.iter_mut().for_each(ConstraintList::clear);
        self.joints.iter_mut().for_each(ConstraintList::clear);
    }

    /// The lists by color, the overflow last.
    pub(crate) fn lists(&self) -> [OwnedLists<'_>; COLORS + 1] {
        core::array::from_fn(|color| [&self.contacts[color], &self.joints[color]])
    }
}

/// The batches of a step. Levels take them in the order in which they come: a level that is rare does not keep lists of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batches {
    pool: Vec<Batch>,
    /// By level: its place in the pool.
    places: [Option<usize>; SUBSTEP_LEVELS.len()],
}

impl Batches {
    /// Gives a batch to each level that is used, and to the world's.
    fn start(&mut self, is_used: &[bool; SUBSTEP_LEVELS.len()]) {
        self.pool.iter_mut().for_each(Batch::clear);
        let mut count = 0;
        for (place, &is_used) in self.places.iter_mut().zip(is_used) {
            *place = is_used.then_some(count);
            count += usize::from(is_used);
        }
        if self.pool.len() < count {
            self.pool.resize_with(count, Batch::default);
        }
    }

    /// Returns the batch of a level, if it is used.
    pub(crate) fn of_level(&self, level: usize) -> Option<&Batch> {
        self.places[level].map(|place| &self.pool[place])
    }

    fn of_level_mut(&mut self, level: usize) -> &mut Batch {
        &mut self.pool[self.places[level].expect("a level that is used")]
    }
}

/// The lists of the whole graph by color, the overflow last.
pub(crate) fn lists_of(graph: &ConstraintGraph) -> [OwnedLists<'_>; COLORS + 1] {
    core::array::from_fn(|color| {
        let color = &graph.colors[color];
        [&color.contacts, &color.joints]
    })
}

impl World {
    /// Notes that the island of the body in `slot` gained or lost a link.
    pub(crate) fn note_change_of_links(&mut self, slot: u32) {
        let island = self.bodies.tracks[slot as usize].island;
        if island != NO_ISLAND {
            self.islands.slots[island as usize].changed = true;
        }
    }

    /// Looks at the awake islands, every few steps, and leads each towards the effort that it needs.
    ///
    /// What an island's build asks for it gets; what the impulses of the last step ask for it gets when several looks in a
    /// row agree, and loses so: an impact is no load. It goes one level at a time, so that what sank in or was drawn apart
    /// comes back little by little.
    pub(crate) fn choose_substeps(&mut self, dt: f32) {
        let h = dt / self.def.substeps as f32;
        let rates = Rates::new(&self.def.tuning, h, self.def.gravity);
        self.brace_for_blows(dt, &rates);
        if !self.history.steps.is_multiple_of(LOOK_STEPS) {
            return;
        }
        let mut islands = core::mem::take(&mut self.scratch.islands);
        islands.clear();
        islands.extend(self.islands.awake.iter());
        for &island in &islands {
            self.look_at_island(island, dt, &rates);
        }
        self.scratch.islands = islands;
    }

    fn look_at_island(&mut self, island: u32, dt: f32, rates: &Rates) {
        self.ease_rest_loads(island);
        self.ease_spared(island, dt);
        if core::mem::take(&mut self.islands.slots[island as usize].changed) {
            let now = self.expected_yield(island, rates);
            let quiet = now.most() > FREE_YIELD && self.is_quiet(island);
            let record = &mut self.islands.slots[island as usize];
            record.expected_yield = if quiet {
                now
            } else {
                now.least(&record.expected_yield)
            };
            if record.rest_effort > 0 && !self.is_quiet(island) {
                self.islands.slots[island as usize].rest_effort = 0;
            }
        }
        let Island {
            expected_yield: expected,
            rest_effort,
            ..
        } = self.islands.slots[island as usize];
        let mut needed = self.affordable_effort(island, expected, rates);
        let bodies = self.islands.slots[island as usize].bodies.len();
        if self.is_affordable(rest_effort, bodies) {
            needed = needed.max(rest_effort);
        }
        let loaded = self.loaded_yield(island, rates);
        let wanted = self.affordable_effort(island, loaded, rates).max(needed);
        let record = &mut self.islands.slots[island as usize];
        record.note_wish(wanted);
        record.goal = record.goal.max(needed);
        let (effort, goal) = (record.effort, record.goal);
        let next = match effort.cmp(&goal) {
            _ if effort < needed => one_doubling_up(effort),
            Ordering::Less => effort + 1,
            Ordering::Equal => effort,
            Ordering::Greater => effort - 1,
        };
        self.lead_effort(island, next, dt);
        self.tighten(island, dt);
    }

    /// Says whether nothing in `island` moves fast: what lies on each other rests there, and does not just fall by.
    fn is_quiet(&self, island: u32) -> bool {
        let bodies = &self.islands.slots[island as usize].bodies;
        let speed_sq = |&slot: &u32| self.bodies.states[slot as usize].velocity.norm_squared();
        bodies
            .iter()
            .all(|slot| speed_sq(slot) < QUIET_SPEED * QUIET_SPEED)
    }

    /// Says whether the substeps of `island` may be doubled at all.
    pub(crate) fn may_double(&self, island: u32) -> bool {
        let bodies = self.islands.slots[island as usize].bodies.len();
        let is_net = || 2 * bodies <= MAX_NET_WORK && self.is_net(island);
        bodies > 1 && (2 * bodies <= MAX_WORK || is_net())
    }

    /// Says whether `island` has at least as many joints as bodies.
    fn is_net(&self, island: u32) -> bool {
        let bodies = &self.islands.slots[island as usize].bodies;
        if self.graph.joints() < bodies.len() {
            return false;
        }
        // A joint between two bodies of the island is listed by both: it counts for A.
        let counts = |slot: u32, joint: u32| {
            let joint = &self.joints.slots[joint];
            let from_a = self.bodies.tracks[joint.body_a as usize].island == island;
            joint.graph != GraphPlace::NONE && (joint.body_a == slot || !from_a)
        };
        let of_body = |&slot: &u32| {
            let joints = self.bodies.slots[slot].joints.iter();
            joints.filter(|&&joint| counts(slot, joint)).count()
        };
        bodies.iter().map(of_body).sum::<usize>() >= bodies.len()
    }

    /// Returns the effort for `island` where links yield by `most`.
    pub(crate) fn affordable_effort(&self, island: u32, most: Yield, rates: &Rates) -> u8 {
        let bodies = self.islands.slots[island as usize].bodies.len();
        let of_pile = if most.most() < rates.least_yield(bodies) {
            0
        } else {
            self.effort_within(MAX_WORK, bodies, most.most())
        };
        if most.joints < rates.least_yield_of_net(bodies) {
            return of_pile;
        }
        of_pile.max(self.effort_within(MAX_NET_WORK, bodies, most.joints))
    }

    /// Returns the effort for an island of so many bodies where a link yields by `most` [m], with at most so much `work`.
    fn effort_within(&self, work: usize, bodies: usize, most: f32) -> u8 {
        let found = whole_levels()
            .rev()
            .filter(|&level| level <= effort_for(most))
            .find(|&level| self.takes_within(work, level, bodies));
        found.unwrap_or(0)
    }

    fn takes_within(&self, work: usize, level: u8, bodies: usize) -> bool {
        let effort = &SUBSTEP_LEVELS[usize::from(level)];
        bodies << effort.doublings <= work
            && effort.substeps(self.def.substeps) <= self.def.max_substeps
    }

    /// Says whether an island of so many bodies may be solved with this level of effort.
    pub(super) fn is_affordable(&self, level: u8, bodies: usize) -> bool {
        self.takes_within(MAX_WORK, level, bodies)
    }

    /// Returns the most by which links of `island` would yield to the load of the last step, at the world's substeps.
    fn loaded_yield(&self, island: u32, rates: &Rates) -> Yield {
        let bodies = &self.islands.slots[island as usize].bodies;
        if !self.may_double(island) {
            return Yield::default();
        }
        // Turns add up in what stands, not in what topples or is stirred.
        let matters = if self.is_quiet(island) {
            FREE_YIELD.max(rates.least_yield(bodies.len()))
        } else {
            f32::INFINITY
        };
        let about = |&slot: &u32| self.yield_about(slot, matters, rates);
        let most = |most: Yield, of: Yield| most.greatest(&of);
        bodies.iter().map(about).fold(Yield::default(), most)
    }

    /// Returns the most by which links of the body in `slot` would yield to the load of the last step, at the
    /// world's substeps. Of a contact of two dynamic bodies A tells.
    fn yield_about(&self, slot: u32, matters: f32, rates: &Rates) -> Yield {
        let body = &self.bodies.slots[slot];
        let contacts = body.contacts.iter().map(|&contact| {
            let body_a = self.contacts.constraints[contact as usize].body_a;
            let seen_from_a = body_a != slot && self.bodies.is_dynamic(body_a);
            if seen_from_a || self.contacts.slots[contact].graph == GraphPlace::NONE {
                return 0.0;
            }
            self.contact_acceleration(contact, matters * rates.contact_sq) / rates.contact_sq
        });
        let joints = body.joints.iter().map(|&joint| {
            if self.joints.slots[joint].graph == GraphPlace::NONE {
                return 0.0;
            }
            self.joint_acceleration(joint) / rates.joint_sq
        });
        Yield {
            contacts: contacts.fold(0.0, f32::max),
            joints: joints.fold(0.0, f32::max),
        }
    }

    /// Acceleration by which the load of a contact would part its bodies where it bears most, and as much again as that is more than where
    /// it bears least [m/s^2]: what is pressed at one edge turns, and opens at the other. A column only sinks into itself; in an
    /// arch turns add up, and one that yields by 5 mm from stone to stone sags by 60. Contacts with what does not move are four times
    /// as stiff, so a quarter counts. Of what cannot reach `matters` the latter is left out.
    fn contact_acceleration(&self, slot: u32, matters: f32) -> f32 {
        let constraint = &self.contacts.constraints[slot as usize];
        let noted = constraint.substep > 0.0;
        let substep = if noted {
            constraint.substep
        } else {
            self.history.last_h
        };
        if substep <= 0.0 {
            return 0.0;
        }
        let [a, b] =
            [constraint.body_a, constraint.body_b].map(|body| &self.bodies.masses[body as usize]);
        let share = if a.inv_mass == 0.0 || b.inv_mass == 0.0 {
            0.25
        } else {
            1.0
        };
        let points = &constraint.points[..constraint.count as usize];
        let impulse: f32 = points.iter().map(|point| point.normal_impulse).sum();
        let sinks = share * impulse * (a.inv_mass + b.inv_mass) / substep;
        if MAX_UNEVEN * sinks < matters {
            return sinks;
        }
        sinks + share * self.opening(constraint) / substep
    }

    /// Velocity that the turns of a contact's bodies by its impulses add where it bears most, and the difference to where it bears
    /// least [m/s].
    fn opening(&self, constraint: &ContactConstraint) -> f32 {
        let [a, b] = [constraint.body_a, constraint.body_b].map(|body| body as usize);
        let [pose_a, pose_b] = [a, b].map(|body| &self.bodies.poses[body]);
        let inv_inertias = [a, b].map(|body| self.bodies.masses[body].inv_inertia);
        let normal_in_b = pose_b.unrotate(pose_a.rotate(constraint.normal));
        let points = &constraint.points[..constraint.count as usize];
        let arms = |point: &ConstraintPoint| {
            [
                cross(&point.anchor_a, &constraint.normal),
                cross(&point.anchor_b, &normal_in_b),
            ]
        };
        let mut turns = [0.0; 2];
        for point in points {
            let arms = arms(point);
            for end in 0..2 {
                turns[end] += inv_inertias[end] * arms[end] * point.normal_impulse;
            }
        }
        let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
        for [arm_a, arm_b] in points.iter().map(arms) {
            let parts = turns[0] * arm_a + turns[1] * arm_b;
            (least, most) = (least.min(parts), most.max(parts));
        }
        most + (most - least)
    }

    /// Acceleration by which the load of a joint would part its bodies, at their outermost points if it is a torque
    /// [m/s^2].
    fn joint_acceleration(&self, slot: u32) -> f32 {
        let joint = &self.joints.sims[slot as usize];
        let ends = [joint.base.body_a, joint.base.body_b];
        let reaction = joint.reaction();
        let [a, b] = ends.map(|body| self.inv_mass(body));
        let [turn_a, turn_b] = ends.map(|body| {
            let inv_inertia = self.bodies.masses[body as usize].inv_inertia;
            inv_inertia * self.bodies.tracks[body as usize].max_extent
        });
        reaction.force.norm() * (a + b) + reaction.torque.abs() * (turn_a + turn_b)
    }

    fn inv_mass(&self, body: u32) -> f32 {
        self.bodies.masses[body as usize].inv_mass
    }

    /// Sorts bodies and constraints by level of effort. What moves as it likes is in all batches.
    pub(crate) fn fill_batches(
        &self,
        batches: &mut Batches,
        awake: &[u32],
        graph: &ConstraintGraph,
    ) {
        let mut is_used = [false; SUBSTEP_LEVELS.len()];
        is_used[0] = true;
        for &slot in awake {
            if let Some(effort) = self.effort_of(slot) {
                is_used[effort] = true;
            }
        }
        batches.start(&is_used);
        for &slot in awake {
            match self.effort_of(slot) {
                Some(effort) => batches.of_level_mut(effort).bodies.push(slot),
                None => {
                    let used = batches.pool.iter_mut();
                    used.for_each(|batch| batch.bodies.push(slot));
                }
            }
        }
        let effort = |owner| match owner {
            NO_SLOT => 0,
            body => self.effort_of(body).unwrap_or(0),
        };
        for (place, color) in graph.colors.iter().enumerate() {
            for (slot, owner) in color.contacts.iter() {
                batches.of_level_mut(effort(owner)).contacts[place].push(slot, owner);
            }
            for (slot, owner) in color.joints.iter() {
                batches.of_level_mut(effort(owner)).joints[place].push(slot, owner);
            }
        }
    }

    /// Returns the level of effort for the body in `slot`; `None` if it is in no island.
    fn effort_of(&self, slot: u32) -> Option<usize> {
        let island = self.bodies.tracks[slot as usize].island;
        (island != NO_ISLAND).then(|| self.islands.effort_in_use(island))
    }

    /// Returns the number of substeps in which a contact was last solved.
    pub(crate) fn substeps_of(&self, constraint: &ContactConstraint) -> f32 {
        if constraint.substep > 0.0 {
            (self.history.last_dt() / constraint.substep).round()
        } else {
            self.history.last_substeps
        }
    }

    /// Puts kinematic bodies back to where the step began: each batch moves them.
    pub(crate) fn put_back_kinematic(&mut self, bodies: &[u32]) {
        for &slot in bodies {
            if self.bodies.tracks[slot as usize].flags & track_flags::DYNAMIC == 0 {
                let state = &mut self.bodies.states[slot as usize];
                state.delta_position = Vec2::zeros();
                state.delta_rotation = Vec2::new(1.0, 0.0);
            }
        }
    }
}

/// What links yield by at the world's substeps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rates {
    /// Squares of the angular frequencies of contacts and joints [1/s^2].
    pub(crate) contact_sq: f32,
    pub(crate) joint_sq: f32,
    /// [m/s^2]
    pub(crate) gravity: f32,
}

impl Rates {
    fn new(tuning: &Tuning, h: f32, gravity: Vec2) -> Self {
        let square = |hertz: f32| (2.0 * PI * hertz) * (2.0 * PI * hertz);
        Self {
            contact_sq: square(contact_hertz(
                tuning.contact_hertz,
                MAX_CONTACT_HERTZ_SHARE,
                h,
            )),
            joint_sq: square(joint_hertz(tuning.joint_hertz, h)),
            gravity: gravity.norm(),
        }
    }

    /// Least yield for which an island of so many bodies is not too broad to get more substeps [m].
    fn least_yield(&self, bodies: usize) -> f32 {
        bodies as f32 * self.own_yield() / MAX_BREADTH
    }

    /// The same where joints are what yields [m].
    fn least_yield_of_net(&self, bodies: usize) -> f32 {
        bodies as f32 * 2.0 * self.gravity / (self.joint_sq * MAX_NET_BREADTH)
    }

    /// Yield of a contact that bears one body like those it joins [m].
    fn own_yield(&self) -> f32 {
        2.0 * self.gravity / self.contact_sq
    }
}

/// Returns the level of effort for a link that yields by `most` [m].
///
/// A column of n links buckles under its own weight when n^3 exceeds a multiple of the stiffness. The yield grows
/// with n, and the stiffness with the square of the substeps.
fn effort_for(most: f32) -> u8 {
    let excess = most / FREE_YIELD;
    let stiffness = excess * excess * excess;
    let enough = |&level: &u8| {
        let factor = SUBSTEP_LEVELS[usize::from(level)].stiffness;
        stiffness <= factor * factor
    };
    whole_levels().find(enough).unwrap_or(LAST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::substep_level::RANKS;

    #[test]
    fn effort_grows_with_the_yield() {
        assert_eq!(effort_for(0.0), 0);
        assert_eq!(effort_for(FREE_YIELD), 0);
        // Twice the substeps at up to 4^(1/3) times the yield, and so on.
        assert_eq!(effort_for(1.5 * FREE_YIELD), RANKS);
        assert_eq!(effort_for(2.5 * FREE_YIELD), 2 * RANKS);
        assert_eq!(effort_for(4.0 * FREE_YIELD), 3 * RANKS);
        assert_eq!(effort_for(6.0 * FREE_YIELD), 4 * RANKS);
        assert_eq!(effort_for(10.0 * FREE_YIELD), LAST);
        assert_eq!(effort_for(f32::INFINITY), LAST);
    }
}
