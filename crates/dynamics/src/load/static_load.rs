//! Static loads of a new pile: its contacts get the impulses of its equilibrium before the first sweep.
//!
//! From the top down, each body is brought into equilibrium under its weight and its load, on the bodies below as if
//! they were immovable. The forces also become *rest loads*, so that a pile of any height stays as it was built. Only
//! a pile at rest gets loads, when many of its contacts begin in this very step, or a body was placed on one that has
//! them. If a body that supports others is not in equilibrium on the bodies below, such as one of two cards that lean on
//! each other, the whole pile is solved at once (`pile_equilibrium.rs`); if that has no equilibrium, it is left to the
//! sweeps.

use super::body_equilibrium::{BodyEquilibrium, BodyLoad};
use super::pile_equilibrium::PileEquilibrium;
use super::rest_load::{StaticContactForces, contact_deflections, write_forces};
use super::{LoadStage, LoadTables};
use crate::bitset::ones;
use crate::body::state::state_flags;
use crate::body::table::BodyTable;
use crate::contact::constraint::ContactConstraint;
use crate::contact::kinematics::PlacedPoint;
use crate::island::set::NO_ISLAND;
use crate::mechanisms::Mechanism;
use crate::step_context::StepContext;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::sort_compact;
use cairn2d_geometry::tolerance::LINEAR_SLOP;

/// Least number of contacts of a pile that begin in a step, unless a body was just placed on it.
const MIN_NEW_CONTACTS: u32 = 2;

/// Greatest number of bodies of a pile, relative to the contacts that begin in a step.
const MAX_BODIES_PER_NEW_CONTACT: usize = 2;

/// Greatest number of bodies of a pile that gets its loads again when a body is placed on it: a fifth of a millisecond.
const MAX_TOWER_BODIES: usize = 128;

/// Greatest speed of a body at rest, relative to the speed that it gains by falling for a step.
const MAX_QUIET_STEPS: f32 = 1.5;

/// Gap up to which a point supports a body [m].
const MAX_SUPPORT_GAP: f32 = LINEAR_SLOP;

/// Operations for the static equilibrium of all new piles of a step: about 5 ms. A pile comes into being once.
const MAX_PILE_FLOPS: u64 = 20_000_000;

/// Scratch memory for the loads of a pile.
#[derive(Clone, Debug, Default)]
pub(crate) struct StaticLoads {
    /// Contacts that have begun between bodies at rest, and those of bodies that were just placed, by island slot; all 0
    /// between steps.
    begun: Vec<[u32; 2]>,
    islands: Vec<u32>,
    /// Bodies of the island from the top down: height [m], slot.
    order: Vec<(f64, u32)>,
    /// By index in the island: the place in `order`, and the load so far.
    ranks: Vec<u32>,
    loads: Vec<BodyLoad>,
    /// By index in the island: the body supports others.
    is_loaded: Vec<bool>,
    forces: Vec<StaticContactForces>,
    body: BodyEquilibrium,
    pile: PileEquilibrium,
    /// Operations of this step that are left for piles.
    flops_left: u64,
}

impl LoadStage {
    /// Gives the contacts of piles that have just come into being their static impulses and rest loads.
    /// `begins` holds a bit for each contact that has begun to touch, in words with the slot of their first bit.
    pub(crate) fn propagate_loads(
        &mut self,
        ctx: &StepContext<'_>,
        tables: &mut LoadTables<'_>,
        begins: impl Iterator<Item = (u32, u64)> + Clone,
    ) {
        let count: u32 = begins.clone().map(|(_, bits)| bits.count_ones()).sum();
        let is_off = !ctx.def.warm_starting
            || ctx.def.gravity == Vec2::zeros()
            || !ctx.uses(Mechanism::StaticLoads);
        if count == 0 || is_off {
            return;
        }
        let loads = &mut self.static_loads;
        loads.list_new_piles(ctx, tables, begins);
        loads.flops_left = MAX_PILE_FLOPS;
        for i in 0..loads.islands.len() {
            loads.propagate(ctx, tables, loads.islands[i]);
        }
    }
}

impl StaticLoads {
    /// Lists the islands at rest in which enough contacts have begun.
    fn list_new_piles(
        &mut self,
        ctx: &StepContext<'_>,
        tables: &LoadTables<'_>,
        begins: impl Iterator<Item = (u32, u64)>,
    ) {
        let Self { begun, islands, .. } = self;
        islands.clear();
        begun.resize(tables.islands.slots.len(), [0; 2]);
        let quiet_speed = MAX_QUIET_STEPS * ctx.def.gravity.norm() * ctx.dt;
        for (first, bits) in begins {
            for bit in ones(bits) {
                let slot = first + bit;
                let Some(island) = island_at_rest(tables, slot, quiet_speed) else {
                    continue;
                };
                let [begun, placed] = &mut begun[island as usize];
                if *begun == 0 {
                    islands.push(island);
                }
                *begun += 1;
                // One is enough: this visits all contacts of the bodies, a cube for bodies created at one point.
                if *placed == 0 {
                    *placed = u32::from(is_of_placed_body(tables, slot));
                }
            }
        }
        islands.retain(|&island| {
            let record = &tables.islands.slots[island as usize];
            let (bodies, [begun, placed]) = (&record.bodies, begun[island as usize]);
            let is_new = bodies.len() <= MAX_BODIES_PER_NEW_CONTACT * begun as usize;
            let is_held = record.has_rest_loads || tables.islands.newton.contains(island);
            let is_tower = is_held && bodies.len() <= MAX_TOWER_BODIES;
            let is_placed_on = placed > 0 && (is_new || is_tower);
            let has_cause = is_placed_on || is_new && begun >= MIN_NEW_CONTACTS;
            has_cause
                && bodies
                    .iter()
                    .all(|&body| is_unjointed_at_rest(tables.bodies, body, quiet_speed))
        });
        begun.fill([0; 2]);
    }

    #[cold]
    fn propagate(&mut self, ctx: &StepContext<'_>, tables: &mut LoadTables<'_>, island: u32) {
        let up = -ctx.def.gravity.normalize();
        self.order_bodies(ctx, tables, island, up);
        self.forces.clear();
        for i in 0..self.order.len() {
            let slot = self.order[i].1;
            self.list_supports(tables, slot, up);
            let place = tables.bodies.slots[slot].island_place as usize;
            if !self.body.solve() && self.is_loaded[place] {
                // A house that leans is solved when it comes into being, not again for each card.
                let has_loads = tables.islands.slots[island as usize].has_rest_loads;
                if has_loads || !self.solve_pile(ctx, tables) {
                    return;
                }
                break;
            }
            self.transmit(tables);
        }
        let deflections = contact_deflections(ctx);
        for forces in &self.forces {
            write_forces(forces, ctx, deflections, tables.bodies, tables.contacts);
        }
        tables.islands.slots[island as usize].has_rest_loads = true;
    }

    /// Sorts the bodies of `island` from the top down, and gives each its weight.
    fn order_bodies(
        &mut self,
        ctx: &StepContext<'_>,
        tables: &LoadTables<'_>,
        island: u32,
        up: Vec2,
    ) {
        let table = tables.bodies;
        let bodies = &tables.islands.slots[island as usize].bodies;
        self.order.clear();
        self.order.extend(bodies.iter().map(|&slot| {
            let center = table.poses[slot as usize].center;
            let height = center.x * f64::from(up.x) + center.y * f64::from(up.y);
            (height, slot)
        }));
        sort_compact(&mut self.order, |a, b| {
            b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
        });
        self.ranks.clear();
        self.ranks.resize(bodies.len(), 0);
        for (rank, &(_, slot)) in (0..).zip(&self.order) {
            self.ranks[table.slots[slot].island_place as usize] = rank;
        }
        self.is_loaded.clear();
        self.is_loaded.resize(bodies.len(), false);
        self.loads.clear();
        self.loads
            .extend(bodies.iter().map(|&slot| own_load(ctx, table, slot)));
    }

    /// Starts the equilibrium of the body in `slot` on its supports: its contacts with bodies of higher rank.
    fn list_supports(&mut self, tables: &LoadTables<'_>, slot: u32, up: Vec2) {
        let table = tables.bodies;
        let body = &table.slots[slot];
        let rank = self.ranks[body.island_place as usize];
        let load = self.loads[body.island_place as usize];
        self.body.start(load, rotation_length(table, slot), up);
        for &contact in &body.contacts {
            let constraint = &tables.contacts.constraints[contact as usize];
            if !tables.contacts.is_solved(contact) {
                continue;
            }
            let side = usize::from(constraint.body_b == slot);
            let other = constraint.bodies()[1 - side];
            let is_above = place_of(table, other).is_some_and(|at| self.ranks[at] < rank);
            if is_above {
                continue;
            }
            let sign = [-1.0, 1.0][side];
            let normal = sign * constraint.world_normal(&table.poses);
            self.body
                .add_support(contact, side, normal, constraint.friction);
            for (i, point) in support_points(constraint, table) {
                self.body.add_point(i, point.arms);
            }
        }
    }

    /// Solves the equilibrium of all bodies of the island at once. Returns `true` if there is one.
    fn solve_pile(&mut self, ctx: &StepContext<'_>, tables: &LoadTables<'_>) -> bool {
        if !ctx.uses(Mechanism::PileEquilibrium) {
            return false;
        }
        let Self {
            order,
            ranks,
            forces,
            pile,
            flops_left,
            ..
        } = self;
        let table = tables.bodies;
        pile.clear();
        for &(_, slot) in &*order {
            pile.add_body(own_load(ctx, table, slot), rotation_length(table, slot));
        }
        for (rank, &(_, slot)) in (0..).zip(&*order) {
            for &contact in &table.slots[slot].contacts {
                if !tables.contacts.is_solved(contact) {
                    continue;
                }
                let constraint = &tables.contacts.constraints[contact as usize];
                let ends = constraint
                    .bodies()
                    .map(|end| place_of(table, end).map(|place| ranks[place]));
                // The upper of two bodies lists their contact.
                if ends.iter().flatten().all(|&other| other >= rank) {
                    add_contact(pile, contact, ends, constraint, table);
                }
            }
        }
        let has_equilibrium = pile.solve(flops_left);
        if has_equilibrium {
            forces.clear();
            forces.extend(pile.contacts.iter().map(|contact| StaticContactForces {
                contact: contact.contact,
                points: [0, 1].map(|index| pile.forces_at(contact, index)),
            }));
        }
        has_equilibrium
    }

    /// Records the forces of the supports of a body in equilibrium, and adds them to the loads of the bodies
    /// below.
    fn transmit(&mut self, tables: &LoadTables<'_>) {
        for (i, support) in self.body.supports.iter().enumerate() {
            let points = [0, 1].map(|index| self.body.forces_at(support, index));
            self.forces.push(StaticContactForces {
                contact: support.contact,
                points,
            });
            let constraint = &tables.contacts.constraints[support.contact as usize];
            let other = constraint.bodies()[1 - support.side];
            if let Some(place) = place_of(tables.bodies, other) {
                self.loads[place].add(&self.body.transmitted_load(i));
                self.is_loaded[place] |= points.iter().any(|&[force, _]| force > 0.0);
            }
        }
    }
}

/// Returns the island of a contact's bodies if they are at rest.
fn island_at_rest(tables: &LoadTables<'_>, contact: u32, quiet_speed: f32) -> Option<u32> {
    let record = &tables.contacts.slots[contact];
    let ends = [record.body_a, record.body_b];
    let speed_sq = |slot: u32| tables.bodies.states[slot as usize].velocity.norm_squared();
    let is_fast = |&slot: &u32| speed_sq(slot) > quiet_speed * quiet_speed;
    if record.sensor || ends.iter().any(is_fast) {
        return None;
    }
    let islands = ends.map(|slot| tables.bodies.tracks[slot as usize].island);
    islands.into_iter().find(|&island| island != NO_ISLAND)
}

/// Returns `true` if a contact is of a body that was just placed: it does not move, and nothing has held it yet.
fn is_of_placed_body(tables: &LoadTables<'_>, contact: u32) -> bool {
    let holds =
        |&contact: &u32| tables.contacts.constraints[contact as usize].total_normal_impulse() > 0.0;
    let mut ends = tables.contacts.constraints[contact as usize]
        .bodies()
        .into_iter();
    ends.any(|slot| {
        let state = &tables.bodies.states[slot as usize];
        let is_still = state.velocity == Vec2::zeros() && state.angular_velocity == 0.0;
        let contacts = &tables.bodies.slots[slot].contacts;
        is_still && tables.bodies.is_dynamic(slot) && !contacts.iter().any(holds)
    })
}

/// Returns `true` if a body is at rest, and only contacts hold it.
fn is_unjointed_at_rest(bodies: &BodyTable, slot: u32, quiet_speed: f32) -> bool {
    let state = &bodies.states[slot as usize];
    let spin = state.angular_velocity * bodies.tracks[slot as usize].max_extent;
    let locks = state_flags::LOCK_X | state_flags::LOCK_Y | state_flags::DIRECT;
    state.velocity.norm_squared() + spin * spin <= quiet_speed * quiet_speed
        && state.flags & locks == 0
        && bodies.slots[slot].joints.is_empty()
        && bodies.masses[slot as usize].inv_mass > 0.0
}

/// Returns the weight of a body and the forces of the user on it.
fn own_load(ctx: &StepContext<'_>, bodies: &BodyTable, slot: u32) -> BodyLoad {
    let mass = 1.0 / bodies.masses[slot as usize].inv_mass;
    let motion = &bodies.motions[slot as usize];
    let force = (mass * motion.gravity_scale) * ctx.def.gravity + motion.force;
    BodyLoad::new(force, motion.torque)
}

/// Returns the index of a body in its island; `None` if it is in no island. Both bodies of a touching contact
/// are in the same island; other contacts may be with a body of another island, whose index means nothing
/// here.
fn place_of(bodies: &BodyTable, slot: u32) -> Option<usize> {
    let is_in_island = bodies.tracks[slot as usize].island != NO_ISLAND;
    is_in_island.then(|| bodies.slots[slot].island_place as usize)
}

/// Returns the distance from a body's center at which its rotation counts as displacement [m]: infinite if it
/// cannot rotate.
fn rotation_length(bodies: &BodyTable, slot: u32) -> f32 {
    if bodies.masses[slot as usize].inv_inertia > 0.0 {
        bodies.tracks[slot as usize].max_extent
    } else {
        f32::INFINITY
    }
}

/// Iterates over the points of a contact at which its bodies touch, with their indices.
fn support_points(
    constraint: &ContactConstraint,
    bodies: &BodyTable,
) -> impl Iterator<Item = (usize, PlacedPoint)> {
    let count = constraint.count.into();
    let placed = constraint.placed_points(&bodies.poses).into_iter();
    let points = placed.enumerate().take(count);
    points.filter(|(_, point)| point.separation <= MAX_SUPPORT_GAP)
}

fn add_contact(
    pile: &mut PileEquilibrium,
    contact: u32,
    ends: [Option<u32>; 2],
    constraint: &ContactConstraint,
    bodies: &BodyTable,
) {
    let normal = constraint.world_normal(&bodies.poses);
    let placed = constraint.placed_points(&bodies.poses);
    let friction_arms = constraint.friction_arms(&placed);
    pile.add_contact(contact, ends, normal, friction_arms, constraint.friction);
    for (i, point) in support_points(constraint, bodies) {
        pile.add_spring(i, point.arms, point.separation);
    }
}
