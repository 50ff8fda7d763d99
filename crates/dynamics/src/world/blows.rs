//! What is heavy comes to rest on something light: its island gets its substeps at once.
//!
//! A pass over contacts takes from a heavy body the share of its momentum that the light one below has of its mass. A
//! blow of a thousand times the mass is over, and the light body lies in the heavy one, before loads are looked at. So where a link
//! joins a body to one much lighter, the island is looked at in the step in which it gains the link, or another one later. It
//! gets what its build asks for at once: nothing has sunk in yet that would be thrown back. And what meets fast is stopped
//! before the substeps, by all contacts of the island together: impulses that are found sweep by sweep go on when the blow
//! is over, and throw the heavy body up again.

use super::substeps::Rates;
use crate::bitset::BitSet;
use crate::body::state::state_flags;
use crate::complementary::Problem;
use crate::contact::patch::{ContactPatch, PatchPoint, patch_flags};
use crate::graph::GraphPlace;
use crate::solver::MIN_RESTITUTION;
use crate::world::World;
use cairn2d_geometry::math::{Vec2, cross};

/// Ratio of the masses of two bodies that touch from which on a blow is looked for.
///
/// Below, the passes of some steps stop it: at 20 to 1, a third of the speed in each step.
const STEEP: f32 = 20.0;

/// Most bodies for each level of an island that is braced: columns, bridges, a block on two others.
///
/// What is broader passes a blow to and fro, and throws it back: a box of 300 times the density that falls by two boxes onto a pyramid
/// of ten rows came up again with six sevenths of its speed. Pressed in first, it settles.
const MOST_A_LEVEL: usize = 2;

/// Speed at which points come together from which on they are stopped before the substeps [m/s]: those stop what is slower within
/// millimetres.
const BLOW: f64 = 1.0;

/// Most points of an island that are stopped together: the equations of so many take a fifth of a millisecond.
const MAX_ROWS: usize = 96;

/// What is added to the diagonal of the equations, relative to it: a box on four points is held more often than it can move.
const COMPLIANCE: f64 = 1.0e-7;

/// Contacts between two bodies of which one is much heavier, by slot. Most worlds have none.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steep {
    contacts: BitSet,
    count: usize,
}

impl Steep {
    /// Forgets the contact in `slot`.
    pub(crate) fn remove(&mut self, slot: u32) {
        if self.count > 0 && self.contacts.contains(slot) {
            self.contacts.remove(slot);
            self.count -= 1;
        }
    }
}

/// Lists of what is stopped together. No part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlowLists {
    contacts: Vec<u32>,
    rows: Vec<Row>,
    problem: Problem,
    given: Vec<Given>,
    /// Bodies that are moved up to what they hit [m].
    shifts: Vec<(u32, Vec2)>,
}

/// A point at which two bodies push each other.
#[derive(Clone, Copy, Debug)]
struct Row {
    contact: u32,
    /// Index of the point in its contact.
    point: usize,
    /// A is pushed against the normal, B along it.
    ends: [End; 2],
    /// Normal velocity of B against A [m/s].
    speed: f64,
    /// Speed at which the points may come together, as there is a gap [m/s].
    allowed: f64,
}

/// What an impulse of a row does to a body.
#[derive(Clone, Copy, Debug)]
struct End {
    body: u32,
    /// Change of its velocity and spin for an impulse of 1 [1/kg, 1/(kg m)].
    push: [f64; 2],
    spin: f64,
    /// The row's derivatives by these.
    normal: [f64; 2],
    turn: f64,
}

/// What a contact was given before the substeps.
#[derive(Clone, Copy, Debug)]
struct Given {
    contact: u32,
    point: usize,
    /// [N s]
    impulse: f32,
    /// [m/s]
    speed: f32,
}

/// Says whether a body is heavy beside another one, by the inverses of their masses [1/kg].
pub(crate) fn is_steep(heavy: f32, light: f32) -> bool {
    light > STEEP * heavy
}

impl World {
    /// Notes whether the contact in `slot`, of two dynamic bodies, has a heavy and a light side.
    pub(crate) fn note_steep(&mut self, slot: u32, [a, b]: [u32; 2]) {
        let [a, b] = [a, b].map(|body| self.bodies.masses[body as usize].inv_mass);
        if is_steep(a.min(b), a.max(b)) {
            self.steep.contacts.insert(slot);
            self.steep.count += 1;
        }
    }

    /// Looks at the islands in which something heavy touches something light, if they have new links.
    pub(crate) fn brace_for_blows(&mut self, dt: f32, rates: &Rates) {
        self.scratch.blows.given.clear();
        self.scratch.blows.shifts.clear();
        if self.steep.count == 0 {
            return;
        }
        let mut islands = core::mem::take(&mut self.scratch.islands);
        islands.clear();
        let island_of = |slot: u32| {
            let body = self.contacts[slot].body_a;
            self.bodies.tracks[body as usize].island
        };
        islands.extend(self.steep.contacts.iter().map(island_of));
        islands.retain(|&island| {
            self.islands.awake.contains(island) && self.islands.slots[island as usize].changed
        });
        islands.sort_unstable();
        islands.dedup();
        for &island in &islands {
            self.brace(island, dt, rates);
        }
        self.scratch.islands = islands;
    }

    /// Gives `island` at once the effort that its build asks for, however fast its bodies are.
    fn brace(&mut self, island: u32, dt: f32, rates: &Rates) {
        let expected = self.expected_yield(island, rates);
        let bodies = self.islands.slots[island as usize].bodies.len();
        if bodies > MOST_A_LEVEL * self.scratch.levels.count() {
            return;
        }
        let needed = self.affordable_effort(island, expected, rates);
        let record = &mut self.islands.slots[island as usize];
        record.expected_yield = record.expected_yield.greatest(&expected);
        record.goal = record.goal.max(needed);
        if needed > record.effort {
            self.islands.set_effort(island, needed);
        }
        let mut lists = core::mem::take(&mut self.scratch.blows);
        if self.list_rows(island, dt, &mut lists) {
            self.close_gaps(dt, &mut lists);
            self.stop_blow(&mut lists);
        }
        self.scratch.blows = lists;
    }

    /// Lists the points at which the bodies of `island` push each other; says whether some of them come together fast, and
    /// nothing but contacts without bounce holds the bodies.
    fn list_rows(&self, island: u32, dt: f32, lists: &mut BlowLists) -> bool {
        let BlowLists { contacts, rows, .. } = lists;
        contacts.clear();
        rows.clear();
        let locks = state_flags::LOCK_X | state_flags::LOCK_Y;
        for &slot in &self.islands.slots[island as usize].bodies {
            let body = &self.bodies.slots[slot];
            if !body.joints.is_empty() || self.bodies.states[slot as usize].flags & locks != 0 {
                return false;
            }
            contacts.extend(body.contacts.iter().copied());
        }
        contacts.sort_unstable();
        contacts.dedup();
        for &contact in &*contacts {
            let patch = &self.patches[contact as usize];
            let idle = patch.flags & patch_flags::IDLE != 0;
            if idle || self.contacts[contact].graph == GraphPlace::NONE {
                continue;
            }
            if patch.restitution >= MIN_RESTITUTION {
                return false;
            }
            for index in 0..patch.count as usize {
                rows.push(self.row_of(contact, patch, index, dt));
            }
            if rows.len() > MAX_ROWS {
                return false;
            }
        }
        rows.iter().any(|row| row.speed + row.allowed < -BLOW)
    }

    fn row_of(&self, contact: u32, patch: &ContactPatch, point: usize, dt: f32) -> Row {
        let PatchPoint {
            anchor_a,
            anchor_b,
            base_separation,
            ..
        } = patch.points[point];
        let [a, b] = [patch.body_a, patch.body_b];
        let [pose_a, pose_b] = [a, b].map(|body| &self.bodies.poses[body as usize]);
        let normal = pose_a.rotate(patch.normal);
        let (arm_a, arm_b) = (pose_a.rotate(anchor_a), pose_b.rotate(anchor_b));
        let gap = (pose_b.center - pose_a.center) + (arm_b - arm_a);
        let separation = base_separation + gap.dot(&normal);
        let ends = [
            self.end_of(a, -normal, arm_a),
            self.end_of(b, normal, arm_b),
        ];
        let speed = |end: &End| {
            let state = &self.bodies.states[end.body as usize];
            let [x, y] = end.normal;
            f64::from(state.velocity.x) * x
                + f64::from(state.velocity.y) * y
                + f64::from(state.angular_velocity) * end.turn
        };
        Row {
            contact,
            point,
            speed: ends.iter().map(speed).sum(),
            allowed: f64::from(separation.max(0.0) / dt),
            ends,
        }
    }

    fn end_of(&self, body: u32, normal: Vec2, arm: Vec2) -> End {
        let mass = &self.bodies.masses[body as usize];
        let normal_64 = [f64::from(normal.x), f64::from(normal.y)];
        let turn = f64::from(cross(&arm, &normal));
        End {
            body,
            push: normal_64.map(|n| n * f64::from(mass.inv_mass)),
            spin: turn * f64::from(mass.inv_inertia),
            normal: normal_64,
            turn,
        }
    }

    /// Has what is heavy, and comes to a light body over a gap, be there already: with the speed that a gap allows it would
    /// strike the light body within the substeps, which throw it back.
    fn close_gaps(&self, dt: f32, lists: &mut BlowLists) {
        let BlowLists { rows, shifts, .. } = lists;
        for of_contact in rows.chunk_by_mut(|row, next| row.contact == next.contact) {
            let [a, b] = of_contact[0].ends.map(|end| end.body);
            let [mass_a, mass_b] = [a, b].map(|body| self.bodies.masses[body as usize].inv_mass);
            let heavy = usize::from(mass_b < mass_a);
            let end = of_contact[0].ends[heavy];
            let least = of_contact.iter().map(|row| row.allowed);
            let least = least.fold(f64::INFINITY, f64::min);
            let comes = of_contact.iter().all(|row| row.speed + row.allowed < 0.0);
            let touches_more = self.bodies.tracks[end.body as usize].constraints > 1;
            let is_light = self.steep.contacts.contains(of_contact[0].contact);
            if touches_more || !is_light || !comes || least <= 0.0 {
                continue;
            }
            of_contact.iter_mut().for_each(|row| row.allowed -= least);
            let [x, y] = end.normal.map(|n| (-n * least) as f32 * dt);
            shifts.push((end.body, Vec2::new(x, y)));
        }
    }

    /// Moves what was heavy up to what it hits.
    pub(crate) fn move_hammers(&mut self) {
        for &(body, shift) in &self.scratch.blows.shifts {
            self.bodies.states[body as usize].delta_position += shift;
        }
    }

    /// Stops what comes together, all rows at once, without friction.
    fn stop_blow(&mut self, lists: &mut BlowLists) {
        let BlowLists {
            rows,
            problem,
            given,
            ..
        } = lists;
        problem.matrix.clear();
        problem.bias.clear();
        for (i, row) in rows.iter().enumerate() {
            problem.bias.push(row.speed + row.allowed);
            problem
                .matrix
                .extend(rows.iter().map(|other| row.coupling(other)));
            problem.matrix[i * rows.len() + i] *= 1.0 + COMPLIANCE;
        }
        if !problem.solve() {
            return;
        }
        for (row, &impulse) in rows.iter().zip(&problem.impulses) {
            if impulse <= 0.0 {
                continue;
            }
            for end in &row.ends {
                let state = &mut self.bodies.states[end.body as usize];
                let [x, y] = end.push.map(|push| (push * impulse) as f32);
                state.velocity += Vec2::new(x, y);
                state.angular_velocity += (end.spin * impulse) as f32;
            }
            given.push(Given {
                contact: row.contact,
                point: row.point,
                impulse: impulse as f32,
                speed: row.speed as f32,
            });
        }
    }

    /// Adds what blows gave to what the substeps have stored, and lists the contacts.
    pub(crate) fn add_blows(&mut self, hits: &mut Vec<u32>) {
        for given in &self.scratch.blows.given {
            let point = &mut self.patches[given.contact as usize].points[given.point];
            point.total_normal_impulse += given.impulse;
            point.relative_velocity = point.relative_velocity.min(given.speed);
            hits.push(given.contact);
        }
    }
}

impl Row {
    /// Change of this row's speed by an impulse of 1 of `other` [1/kg].
    fn coupling(&self, other: &Self) -> f64 {
        let of_ends = |end: &End, pushed: &End| {
            if end.body != pushed.body {
                return 0.0;
            }
            let along = end.normal[0] * pushed.push[0] + end.normal[1] * pushed.push[1];
            along + end.turn * pushed.spin
        };
        let pairs = self.ends.iter().flat_map(|end| {
            let of_end = move |pushed| of_ends(end, pushed);
            other.ends.iter().map(of_end)
        });
        pairs.sum()
    }
}
