//! Loads handed down: what the contacts of a pile bear that has just come together, before the first sweep.
//!
//! When a pile is put up its contacts know no impulse, and the few sweeps of a step do not carry its weight through it: it falls into
//! itself, as far as soft contacts yield, and bounces for seconds. But what rests on each contact can be told from the top down. Each body is settled on what is below it as if that were
//! fixed, with its weight and with what was handed to it; what its contacts push with is handed on. The impulses are those with which
//! the solver starts, and the loads those under which the contacts rest where they are: a contact yields by what it
//! bears beyond, so a pile of whatever height stands as it was put up. Friction begins as strained as it will be.
//!
//! Only in a pile at rest, of which much has begun to touch in this very step: what is poured or thrown is left alone. Where something that
//! bears others does not stand by what is below it, such as two cards that lean on each other, the whole pile is settled at once (`balance.rs`); if it does not stand
//! then, it is left to the sweeps: what is above would push it away.

use super::balance::{At, Balance};
use super::settle::{Load, Settling};
use super::substeps::LOOK_STEPS;
use crate::bitset::{WORD, ones};
use crate::body::state::state_flags;
use crate::contact::constraint::{ConstraintPoint, ContactConstraint, STICK_RANGE};
use crate::contact::kinematics::PlacedPoint;
use crate::island::NO_ISLAND;
use crate::softness::{Softness, yield_at};
use crate::substep_level::{SUBSTEP_LEVELS, whole_levels};
use crate::world::World;
use crate::world_def::Switch;
use cairn2d_geometry::math::{Vec2, right_perp};
use cairn2d_geometry::tolerance::LINEAR_SLOP;

/// Least number of contacts that begin in a step in one pile.
const FEWEST: usize = 2;

/// Times the number of contacts that begin in a step that a pile may have bodies.
const MOST_BODIES: usize = 2;

/// Speed up to which bodies are at rest, relative to what they gain by falling for a step.
const QUIET_STEPS: f32 = 1.5;

/// Gap up to which a body is held by what is below it [m].
const HELD_GAP: f32 = LINEAR_SLOP;

/// Most by which friction may be taken to have crept [m]: half of what it remembers, so that it goes on to hold what comes to it.
const MOST_CREPT: f32 = 0.5 * STICK_RANGE;

/// How many times as far contacts may yield as they do before what leans on each other would fall. Smaller: it sways on them as on springs, each time further. Larger:
/// more substeps than it needs.
const SWAY: f32 = 4.0;

/// Share of a load at rest that a contact need not bear. Smaller: a pile that sways loses it. Larger: what has lost its load hovers,
/// at most as high as it would have sunk in.
const SPARED: f32 = 0.5;

/// Share of what is not borne that is taken back at a look: gone in half a second, so that what hovers comes down gently.
const EASED_SHARE: f32 = 0.25;

/// Load at rest, over the mass that bears it, that is as good as none [m/s^2]: it holds a contact 2 nm above where it would lie, the
/// spacing of the grid that centres are on.
const NEXT_TO_NOTHING: f32 = 1.0e-4;

/// Looks that follow one at which something has changed: loads take a second to come down a pile.
const LOOKS_TO_EASE: u8 = 15;

/// One look of so many is made though nothing has changed: of each second.
const PATIENCE: u64 = 15;

/// Memory for handing down. No part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoadLists {
    /// Contacts that have begun between bodies at rest, by island slot; all 0 between steps.
    begun: Vec<u32>,
    islands: Vec<u32>,
    /// Bodies of the island from the top down: height [m], slot.
    order: Vec<(f64, u32)>,
    /// By place in the island: how many come before, and what was handed down to the body.
    ranks: Vec<u32>,
    loads: Vec<Load>,
    /// By place in the island: whether something was handed down to the body.
    burdened: Vec<bool>,
    borne: Vec<Borne>,
    settling: Settling,
    balance: Balance,
}

/// What a contact pushes with.
#[derive(Clone, Copy, Debug)]
struct Borne {
    contact: u32,
    /// At each point along the normal, and of friction [N].
    forces: [[f32; 2]; 2],
}

/// What is the same for all bodies of an island.
struct Pile {
    /// How far contacts between moving bodies, and with what is fixed, yield to an acceleration of 1 [s^2].
    yields: [f32; 2],
    /// Against gravity.
    up: Vec2,
}

impl World {
    /// Gives the contacts of piles that have just come together the impulses and loads that they will have.
    pub(crate) fn hand_down_loads(&mut self, dt: f32) {
        let begins = self.scratch.changes.iter().map(|change| change.begins);
        let count: u32 = begins.map(u64::count_ones).sum();
        let is_off = self.def.warm_starting == Switch::Off || self.def.gravity == Vec2::zeros();
        if (count as usize) < FEWEST || is_off {
            return;
        }
        let mut lists = core::mem::take(&mut self.scratch.loads);
        self.list_new_piles(dt, &mut lists);
        for i in 0..lists.islands.len() {
            self.hand_down(lists.islands[i], dt, &mut lists);
        }
        self.scratch.loads = lists;
    }

    /// Lists the islands in which so many contacts have begun between bodies at rest.
    fn list_new_piles(&self, dt: f32, lists: &mut LoadLists) {
        let LoadLists { begun, islands, .. } = lists;
        islands.clear();
        begun.resize(self.islands.slots.len(), 0);
        let quiet = QUIET_STEPS * self.def.gravity.norm() * dt;
        for (word, change) in self.scratch.changes.iter().enumerate() {
            for bit in ones(change.begins) {
                let slot = (word * WORD) as u32 + bit;
                let Some(island) = self.island_at_rest(slot, quiet) else {
                    continue;
                };
                begun[island as usize] += 1;
                if begun[island as usize] == FEWEST as u32 {
                    islands.push(island);
                }
            }
        }
        islands.retain(|&island| {
            let bodies = &self.islands.slots[island as usize].bodies;
            bodies.len() <= MOST_BODIES * begun[island as usize] as usize
                && bodies
                    .iter()
                    .all(|&body| self.is_loose_at_rest(body, quiet))
        });
        begun.fill(0);
    }

    /// Returns the island of a contact's bodies if these are at rest.
    fn island_at_rest(&self, contact: u32, quiet: f32) -> Option<u32> {
        let record = &self.contacts.slots[contact];
        let ends = [record.body_a, record.body_b];
        let speed_sq = |slot: u32| self.bodies.states[slot as usize].velocity.norm_squared();
        if record.sensor || ends.iter().any(|&slot| speed_sq(slot) > quiet * quiet) {
            return None;
        }
        let islands = ends.map(|slot| self.bodies.tracks[slot as usize].island);
        islands.into_iter().find(|&island| island != NO_ISLAND)
    }

    /// Says whether a body is at rest, and nothing but contacts holds it.
    fn is_loose_at_rest(&self, slot: u32, quiet: f32) -> bool {
        let state = &self.bodies.states[slot as usize];
        let spin = state.angular_velocity * self.bodies.tracks[slot as usize].max_extent;
        let locks = state_flags::LOCK_X | state_flags::LOCK_Y | state_flags::DIRECT;
        state.velocity.norm_squared() + spin * spin <= quiet * quiet
            && state.flags & locks == 0
            && self.bodies.slots[slot].joints.is_empty()
            && self.bodies.masses[slot as usize].inv_mass > 0.0
    }

    #[cold]
    fn hand_down(&mut self, island: u32, dt: f32, lists: &mut LoadLists) {
        let mut pile = Pile {
            yields: self.yields_at(self.islands.effort_in_use(island), dt),
            up: -self.def.gravity.normalize(),
        };
        self.order_bodies(island, pile.up, lists);
        lists.borne.clear();
        for i in 0..lists.order.len() {
            let slot = lists.order[i].1;
            self.list_supports(slot, &pile, lists);
            let place = self.bodies.slots[slot].island_place as usize;
            if !lists.settling.solve() && lists.burdened[place] {
                if !self.balance(lists) {
                    return;
                }
                self.stiffen_what_leans(island, dt, &mut lists.balance);
                pile.yields = self.yields_at(self.islands.effort_in_use(island), dt);
                break;
            }
            self.hand_on(lists);
        }
        let mut greatest = 0.0_f32;
        for borne in &lists.borne {
            greatest = greatest.max(self.write_loads(borne, &pile));
        }
        let record = &mut self.islands.slots[island as usize];
        record.has_rest_loads = true;
        record.rest_acceleration = greatest.max(record.rest_acceleration);
    }

    /// Sorts the bodies of `island` from the top down, and gives each its weight.
    fn order_bodies(&self, island: u32, up: Vec2, lists: &mut LoadLists) {
        let LoadLists {
            order,
            ranks,
            loads,
            burdened,
            ..
        } = lists;
        let bodies = &self.islands.slots[island as usize].bodies;
        order.clear();
        order.extend(bodies.iter().map(|&slot| {
            let center = self.bodies.poses[slot as usize].center;
            let height = center.x * f64::from(up.x) + center.y * f64::from(up.y);
            (height, slot)
        }));
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        ranks.clear();
        ranks.resize(bodies.len(), 0);
        for (rank, &(_, slot)) in (0..).zip(&*order) {
            ranks[self.bodies.slots[slot].island_place as usize] = rank;
        }
        burdened.clear();
        burdened.resize(bodies.len(), false);
        loads.clear();
        loads.extend(bodies.iter().map(|&slot| self.own_load(slot)));
    }

    /// Returns the weight of a body and what the user pushes it with.
    fn own_load(&self, slot: u32) -> Load {
        let mass = 1.0 / self.bodies.masses[slot as usize].inv_mass;
        let motion = &self.bodies.motions[slot as usize];
        let force = (mass * motion.gravity_scale) * self.def.gravity + motion.force;
        Load::new(force, motion.torque)
    }

    /// Returns the place in its island of a body that a contact in the graph may hand its load to; `None` if it is fixed. What
    /// touches is of one island; a contact that does not touch may be with another's body, whose place means nothing here.
    fn place_of(&self, slot: u32) -> Option<usize> {
        let is_in_island = self.bodies.tracks[slot as usize].island != NO_ISLAND;
        is_in_island.then(|| self.bodies.slots[slot].island_place as usize)
    }

    /// Returns the distance from a body's centre by which its turns count [m]: infinite for one that does not turn.
    fn turning_length(&self, slot: u32) -> f32 {
        if self.bodies.masses[slot as usize].inv_inertia > 0.0 {
            self.bodies.tracks[slot as usize].max_extent
        } else {
            f32::INFINITY
        }
    }

    /// Lists what holds the body in `slot`: its contacts with what comes later.
    fn list_supports(&self, slot: u32, pile: &Pile, lists: &mut LoadLists) {
        let LoadLists {
            ranks,
            loads,
            settling,
            ..
        } = lists;
        let body = &self.bodies.slots[slot];
        let rank = ranks[body.island_place as usize];
        let load = loads[body.island_place as usize];
        settling.start(load, self.turning_length(slot), pile.up);
        for &contact in &body.contacts {
            let constraint = &self.contacts.constraints[contact as usize];
            if !self.contacts.is_solved(contact) {
                continue;
            }
            let side = usize::from(constraint.body_b == slot);
            let other = [constraint.body_b, constraint.body_a][side];
            let is_above = self.place_of(other).is_some_and(|at| ranks[at] < rank);
            if !is_above {
                self.add_support(contact, side, settling);
            }
        }
    }

    fn add_support(&self, contact: u32, side: usize, settling: &mut Settling) {
        let constraint = &self.contacts.constraints[contact as usize];
        let sign = [-1.0, 1.0][side];
        let normal = sign * self.bodies.poses[constraint.body_a as usize].rotate(constraint.normal);
        settling.add_support(contact, side, normal, constraint.friction);
        for (i, point) in constraint
            .placed_points(&self.bodies.poses)
            .into_iter()
            .enumerate()
        {
            if i < constraint.count.into() && point.separation <= HELD_GAP {
                settling.add_hold(i, point.arms);
            }
        }
    }

    /// Settles all bodies of an island at once, and notes what their contacts push with; says whether they stand.
    fn balance(&self, lists: &mut LoadLists) -> bool {
        let LoadLists {
            order,
            ranks,
            borne,
            balance,
            ..
        } = lists;
        balance.clear();
        for &(_, slot) in &*order {
            balance.add_body(self.own_load(slot), self.turning_length(slot));
        }
        for (rank, &(_, slot)) in (0..).zip(&*order) {
            for &contact in &self.bodies.slots[slot].contacts {
                if !self.contacts.is_solved(contact) {
                    continue;
                }
                let constraint = &self.contacts.constraints[contact as usize];
                let ends = [constraint.body_a, constraint.body_b]
                    .map(|end| self.place_of(end).map(|place| ranks[place]));
                // The upper of two bodies comes first, and lists their contact.
                if ends.iter().flatten().all(|&other| other >= rank) {
                    self.add_link(contact, ends, balance);
                }
            }
        }
        let stands = balance.solve();
        if stands {
            borne.clear();
            borne.extend(balance.links.iter().map(|link| Borne {
                contact: link.contact,
                forces: [0, 1].map(|index| balance.forces_at(link, index)),
            }));
        }
        stands
    }

    /// Gives `island` the effort at which it stays as it leans, if there is one: what is round is not known to stay anyhow.
    fn stiffen_what_leans(&mut self, island: u32, dt: f32, balance: &mut Balance) {
        let bodies = self.islands.slots[island as usize].bodies.len();
        let stays = |&level: &u8| {
            let yields = self.yields_at(level.into(), dt);
            self.is_affordable(level, bodies) && balance.stays(yields.map(|of| SWAY * of))
        };
        let Some(level) = whole_levels().find(stays) else {
            return;
        };
        let record = &mut self.islands.slots[island as usize];
        record.rest_effort = level;
        record.goal = record.goal.max(level);
        if level > record.effort {
            self.lead_effort(island, level, dt);
        }
    }

    fn add_link(&self, contact: u32, ends: [Option<u32>; 2], balance: &mut Balance) {
        let constraint = &self.contacts.constraints[contact as usize];
        let normal = constraint.world_normal(&self.bodies.poses);
        let placed = constraint.placed_points(&self.bodies.poses);
        let at = |arms: [Vec2; 2], line: Vec2| At {
            arms,
            inv_mass: constraint.inv_effective_mass(&self.bodies.masses, arms, line),
        };
        let rubs_at = at(middle(constraint, &placed), right_perp(&normal));
        balance.add_link(contact, ends, normal, rubs_at, constraint.friction);
        for (i, point) in placed.into_iter().enumerate() {
            if i < constraint.count.into() && point.separation <= HELD_GAP {
                balance.add_spring(i, at(point.arms, normal), point.separation);
            }
        }
    }

    /// Notes what the contacts of a settled body push with, and hands it to the bodies below.
    fn hand_on(&self, lists: &mut LoadLists) {
        for (i, support) in lists.settling.supports.iter().enumerate() {
            let forces = [0, 1].map(|index| lists.settling.forces_at(support, index));
            lists.borne.push(Borne {
                contact: support.contact,
                forces,
            });
            let constraint = &self.contacts.constraints[support.contact as usize];
            let other = [constraint.body_b, constraint.body_a][support.side];
            if let Some(place) = self.place_of(other) {
                lists.loads[place].add(&lists.settling.handed(i));
                lists.burdened[place] |= forces.iter().any(|&[force, _]| force > 0.0);
            }
        }
    }

    /// Writes what a contact pushes with. A load that an overlap bears already is none to rest under. Returns the greatest load at
    /// rest over the effective mass that bears it [m/s^2].
    fn write_loads(&mut self, borne: &Borne, pile: &Pile) -> f32 {
        let slot = borne.contact as usize;
        let placed = self.contacts.constraints[slot].placed_points(&self.bodies.poses);
        let normal = self.contacts.constraints[slot].world_normal(&self.bodies.poses);
        let inv_masses = placed.map(|point| {
            self.contacts.constraints[slot].inv_effective_mass(
                &self.bodies.masses,
                point.arms,
                normal,
            )
        });
        self.write_friction(borne, pile, &placed, normal);
        let last_h = self.history.last_h;
        let yields = pile.yields[usize::from(self.is_on_fixed(borne.contact))];
        let constraint = &mut self.contacts.constraints[slot];
        constraint.substep = 0.0;
        let mut greatest = 0.0_f32;
        for (index, point) in constraint.points.iter_mut().enumerate() {
            let [force, friction] = borne.forces[index];
            point.normal_impulse = force * last_h;
            point.tangent_impulse = friction * last_h;
            let yield_of_1 = yields * inv_masses[index];
            let depth = (-placed[index].separation).max(0.0);
            point.rest_load = if yield_of_1 > 0.0 {
                // What it is spared of its overlap goes on to be so.
                (force - depth / yield_of_1).max(point.rest_load.min(0.0))
            } else {
                0.0
            };
            greatest = greatest.max(point.rest_load * inv_masses[index]);
        }
        greatest
    }

    /// Returns the speed at which contacts must be able to push so that those of `level` rest under their loads \[m/s\]: a load at rest
    /// is an overlap to them, and overlaps are pushed out at a bounded speed. A box of 100 000 times the mass sank through the one below.
    pub(crate) fn push_speed_under_loads(&self, level: usize, dt: f32) -> f32 {
        let tuning = &self.def.tuning;
        let strained = self.islands.strained_awake();
        let greatest = strained
            .filter(|&island| self.islands.effort_in_use(island) == level)
            .map(|island| self.islands.slots[island as usize].rest_acceleration)
            .fold(0.0, f32::max);
        let effort = &SUBSTEP_LEVELS[level];
        let hertz = effort.contact_hertz(tuning, dt, self.def.substeps);
        let h = dt / effort.substeps(self.def.substeps) as f32;
        // Twice as stiff against what is fixed, they push by half as much.
        let rate = Softness::new(hertz, tuning.contact_damping_ratio, h).bias_rate;
        tuning.contact_push_speed + rate * yield_at(hertz) * greatest
    }

    /// Has friction rest under its load: its anchors lie as if it had crept to where it holds that. What would have to creep further than friction
    /// remembers is left to creep.
    fn write_friction(
        &mut self,
        borne: &Borne,
        pile: &Pile,
        placed: &[PlacedPoint; 2],
        normal: Vec2,
    ) {
        let constraint = &self.contacts.constraints[borne.contact as usize];
        let force = borne.forces[0][1] + borne.forces[1][1];
        if constraint.count < 2 || force == 0.0 {
            return;
        }
        let along = right_perp(&normal);
        let [arm_a, arm_b] = middle(constraint, placed);
        let held_at = -force
            * pile.yields[1]
            * constraint.inv_effective_mass(&self.bodies.masses, [arm_a, arm_b], along);
        if held_at.abs() > MOST_CREPT {
            return;
        }
        let [a, b] =
            [constraint.body_a, constraint.body_b].map(|body| &self.bodies.poses[body as usize]);
        let crept = ((b.center - a.center) + (arm_b - arm_a)).dot(&along);
        let way = b.unrotate((held_at - crept) * along);
        self.contacts.constraints[borne.contact as usize].creep(way);
    }

    /// Takes back loads at rest in `island` that contacts no longer bear: what has lost its load would hover on them. Looked for while
    /// links have changed, and from time to time, as forces change too.
    pub(crate) fn ease_rest_loads(&mut self, island: u32) {
        let record = &mut self.islands.slots[island as usize];
        if !record.has_rest_loads {
            return;
        }
        let look = self.history.steps / LOOK_STEPS;
        if record.changed {
            record.easing = LOOKS_TO_EASE;
        } else if record.easing > 0 {
            record.easing -= 1;
        } else if !look.is_multiple_of(PATIENCE) {
            return;
        }
        let bodies = core::mem::take(&mut record.bodies);
        let (mut eased, mut greatest) = (false, 0.0_f32);
        for &slot in &bodies {
            for &contact in &self.bodies.slots[slot].contacts {
                // A contact of two bodies of the island would be come by twice.
                if !self.is_anothers(contact, slot) {
                    eased |= self.contacts.constraints[contact as usize].ease(self.history.last_h);
                    greatest = greatest.max(self.rest_acceleration_of(contact));
                }
            }
        }
        let record = &mut self.islands.slots[island as usize];
        record.bodies = bodies;
        if eased {
            record.easing = LOOKS_TO_EASE;
        }
        record.has_rest_loads = greatest > NEXT_TO_NOTHING;
        if greatest <= SPARED * record.rest_acceleration {
            record.rest_acceleration = greatest;
        }
    }

    /// Returns the greatest load at rest of a contact over the effective mass that bears it [m/s^2].
    fn rest_acceleration_of(&self, contact: u32) -> f32 {
        let constraint = &self.contacts.constraints[contact as usize];
        let points = &constraint.points[..constraint.count.into()];
        if points.iter().all(|point| point.rest_load <= 0.0) {
            return 0.0;
        }
        let (placed, normal) = (
            constraint.placed_points(&self.bodies.poses),
            constraint.world_normal(&self.bodies.poses),
        );
        let of_point = |(point, at): (&ConstraintPoint, PlacedPoint)| {
            point.rest_load * constraint.inv_effective_mass(&self.bodies.masses, at.arms, normal)
        };
        let accelerations = points.iter().zip(placed).map(of_point);
        accelerations.fold(0.0, f32::max)
    }
}

/// Returns the arms of where friction acts: in the middle of the points.
fn middle(constraint: &ContactConstraint, placed: &[PlacedPoint; 2]) -> [Vec2; 2] {
    let [first, second] = placed.map(|point| point.arms);
    if constraint.count == 2 {
        [0, 1].map(|end| 0.5 * (first[end] + second[end]))
    } else {
        first
    }
}

impl ContactConstraint {
    /// Takes back a share of loads at rest much greater than what the points bear; says whether there are any. Impulses are those of
    /// substeps of `last_h` [s], unless there is a note.
    fn ease(&mut self, last_h: f32) -> bool {
        let substep = if self.substep > 0.0 {
            self.substep
        } else {
            last_h
        };
        let mut eased = false;
        for point in &mut self.points {
            let excess = point.rest_load - point.normal_impulse / substep;
            if excess > SPARED * point.rest_load {
                point.rest_load -= EASED_SHARE * excess;
                eased = true;
            }
        }
        eased
    }
}
