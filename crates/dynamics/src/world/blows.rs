//! What is heavy comes to rest on something light: its island gets its substeps at once.
//!
//! A pass over contacts takes from a heavy body the share of its momentum that the light one below has of its mass. A
//! blow of a thousand times the mass is over, and the light body lies in the heavy one, before loads are looked at. So where a link
//! joins a body to one much lighter, the island is looked at in the step in which it gains the link, or another one later. It
//! gets what its build asks for at once: nothing has sunk in yet that would be thrown back. And what meets fast is stopped
//! before the substeps, by all contacts of the island together: impulses that are found sweep by sweep go on when the blow
//! is over, and throw the heavy body up again.

use super::corners::Corner;
use crate::bitset::BitSet;
use crate::body::state::state_flags;
use crate::contact::constraint::ContactConstraint;
use crate::graph::GraphPlace;
use crate::id::NO_SLOT;
use crate::linear::lcp::LcpProblem;
use crate::solver::MIN_RESTITUTION;
use crate::world::World;
use cairn2d_geometry::math::{Vec2, cross, left_perp};

/// Ratio of the masses of two bodies that touch from which on a blow is looked for.
///
/// Below, the passes of some steps stop it: at 20 to 1, a third of the speed in each step.
const STEEP: f32 = 20.0;

/// Speed at which points come together from which on they are stopped before the substeps [m/s]: those stop what is slower within
/// millimetres.
const BLOW: f64 = 1.0;

/// Most by which the far end of what comes down on a corner gets faster, with some room: that of a rod by a half.
const MOST_SWING: f32 = 2.0;

/// Most points of an island that are stopped together: the equations of so many take a fifth of a millisecond.
const MAX_ROWS: usize = 96;

/// Rounds in which friction is found: it may be as much as the pushes of the round before allow.
const RUBBING_ROUNDS: u32 = 4;

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
    pub(super) rows: Vec<Row>,
    /// Friction of some of the rows: the index of the row, and the most of its impulse as a share of the row's.
    rubs: Vec<(usize, f64)>,
    corners: Vec<Corner>,
    problem: LcpProblem,
    given: Vec<Given>,
    /// Bodies that are moved up to what they hit [m].
    shifts: Vec<(u32, Vec2)>,
}

/// Whether points of a contact, and corners that these turn down, come together too fast for the substeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Landing {
    pub(super) points: bool,
    pub(super) corners: bool,
}

/// A point at which two bodies push each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    contact: u32,
    /// Index of the point in its contact; none of a corner that is not in the manifold yet.
    point: Option<usize>,
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
    pub(crate) fn brace_for_blows(&mut self, dt: f32) {
        self.scratch.blows.given.clear();
        self.scratch.blows.shifts.clear();
        if self.steep.count == 0 {
            return;
        }
        let mut islands = core::mem::take(&mut self.scratch.islands);
        islands.clear();
        let mut lists = core::mem::take(&mut self.scratch.blows);
        for contact in self.steep.contacts.iter() {
            let body = self.contacts.slots[contact].body_a;
            let island = self.bodies.tracks[body as usize].island;
            if !self.islands.awake.contains(island) {
                continue;
            }
            let record = &self.islands.slots[island as usize];
            let is_small = record.bodies.len() <= MAX_ROWS;
            if record.links_changed || is_small && self.strikes(contact, dt, &mut lists) {
                islands.push(island);
            }
        }
        self.scratch.blows = lists;
        islands.sort_unstable();
        islands.dedup();
        for &island in &islands {
            self.brace(island, dt);
        }
        self.scratch.islands = islands;
    }

    /// Says whether the bodies of a contact come together fast.
    fn strikes(&self, contact: u32, dt: f32, lists: &mut BlowLists) -> bool {
        let is_fast = f64::from(self.greatest_speed(contact)) > BLOW;
        if !is_fast || self.contacts.slots[contact].graph == GraphPlace::NONE {
            return false;
        }
        lists.rows.clear();
        self.list_rows_of(contact, dt, lists);
        lists.rows.iter().any(Row::is_fast)
    }

    /// Returns a speed that no two places of the bodies of a contact have against each other [m/s].
    fn greatest_speed(&self, contact: u32) -> f32 {
        let constraint = &self.contacts.constraints[contact as usize];
        let [a, b] = [constraint.body_a, constraint.body_b].map(|body| body as usize);
        let spin = |body: usize| {
            let spin = self.bodies.states[body].angular_velocity.abs();
            spin * self.bodies.tracks[body].max_extent
        };
        let ahead = self.bodies.states[a].velocity - self.bodies.states[b].velocity;
        ahead.norm() + spin(a) + spin(b)
    }

    /// Gives `island`, if it is narrow, at once the substep level that its support requires, and stops its impacts.
    fn brace(&mut self, island: u32, dt: f32) {
        let (load, ctx, mut tables) = self.load_stage(dt);
        if !load.raise_level_for_impact(&ctx, &mut tables, island) {
            return;
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
        let mut contacts = core::mem::take(&mut lists.contacts);
        contacts.clear();
        lists.rows.clear();
        let listed = self.list_contacts(island, &mut contacts);
        let found = listed && contacts.iter().all(|&c| self.may_list(c, dt, lists));
        lists.contacts = contacts;
        found && lists.rows.iter().any(Row::is_fast)
    }

    /// Lists the contacts of the bodies of `island`, unless joints or locks hold one of them.
    fn list_contacts(&self, island: u32, contacts: &mut Vec<u32>) -> bool {
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
        true
    }

    /// Lists the rows of a contact that pushes; says whether it does not bounce, and they are not too many.
    fn may_list(&self, contact: u32, dt: f32, lists: &mut BlowLists) -> bool {
        if !self.contacts.is_solved(contact) {
            return true;
        }
        self.list_rows_of(contact, dt, lists);
        self.contacts.constraints[contact as usize].restitution < MIN_RESTITUTION
            && lists.rows.len() <= MAX_ROWS
    }

    /// Lists the points of a contact, and of one with a light side the corners that come down within the step.
    fn list_rows_of(&self, contact: u32, dt: f32, lists: &mut BlowLists) {
        self.list_points_of(contact, dt, lists);
        if self.steep.contacts.contains(contact) {
            self.list_corners_of(contact, dt, lists);
        }
    }

    fn list_points_of(&self, contact: u32, dt: f32, lists: &mut BlowLists) {
        let constraint = &self.contacts.constraints[contact as usize];
        for index in 0..constraint.count as usize {
            lists.rows.push(self.row_of(contact, constraint, index, dt));
        }
    }

    /// Lists the corners that a contact's points may turn down within the step.
    fn list_corners_of(&self, contact: u32, dt: f32, lists: &mut BlowLists) {
        let constraint = &self.contacts.constraints[contact as usize];
        let reach = MOST_SWING * self.greatest_speed(contact) * dt;
        self.list_corners(contact, reach, &mut lists.corners);
        let bodies = [constraint.body_a, constraint.body_b];
        let normal = self.bodies.poses[bodies[0] as usize].rotate(constraint.normal);
        for corner in &lists.corners {
            // On its arc it comes down faster and faster: as if it did so all the way.
            let share = corner.way / (corner.way * corner.way + corner.gap * corner.gap).sqrt();
            let allowed = share * corner.gap / dt;
            let row = self.row_between(bodies, normal, corner.arms, allowed);
            lists.rows.push(Row {
                contact,
                point: None,
                ..row
            });
        }
    }

    /// Lists the points of a contact and the corners that these may turn down, after those that are listed; says which come together too fast for
    /// the substeps.
    pub(super) fn list_landing(&self, contact: u32, dt: f32, lists: &mut BlowLists) -> Landing {
        let first = lists.rows.len();
        self.list_points_of(contact, dt, lists);
        let points = lists.rows.len();
        self.list_corners_of(contact, dt, lists);
        Landing {
            points: lists.rows[first..points].iter().any(Row::is_fast),
            corners: lists.rows[points..].iter().any(Row::is_fast),
        }
    }

    fn row_of(&self, contact: u32, constraint: &ContactConstraint, point: usize, dt: f32) -> Row {
        let placed = constraint.placed_point(point, &self.bodies.poses);
        let normal = constraint.world_normal(&self.bodies.poses);
        let allowed = placed.separation.max(0.0) / dt;
        let row = self.row_between(constraint.bodies(), normal, placed.arms, allowed);
        Row {
            contact,
            point: Some(point),
            ..row
        }
    }

    /// Returns the row of two places on A and B that may come together at the speed `allowed` [m/s].
    fn row_between(
        &self,
        [a, b]: [u32; 2],
        normal: Vec2,
        [arm_a, arm_b]: [Vec2; 2],
        allowed: f32,
    ) -> Row {
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
            contact: NO_SLOT,
            point: None,
            speed: ends.iter().map(speed).sum(),
            allowed: allowed.into(),
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
            let mut points = of_contact.iter().filter(|row| row.point.is_some());
            let least = points.clone().map(|row| row.allowed);
            let least = least.fold(f64::INFINITY, f64::min);
            let comes = points.all(|row| row.speed + row.allowed < 0.0);
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

    /// Stops what comes together, all rows at once, with the friction that they allow.
    pub(super) fn stop_blow(&mut self, lists: &mut BlowLists) {
        let pushes = lists.rows.len();
        lists.problem.bounds.clear();
        if !lists.solve() {
            return;
        }
        self.list_rubs(lists);
        for _ in 0..RUBBING_ROUNDS {
            let before = lists.problem.impulses.clone();
            lists.problem.bounds.truncate(pushes);
            for &(of, share) in &lists.rubs {
                let most = share * lists.problem.impulses[of];
                lists.problem.bounds.push([-most, most]);
            }
            if lists.rubs.is_empty() || !lists.solve() {
                lists.problem.impulses = before;
                break;
            }
        }
        for (i, (row, &impulse)) in lists.rows.iter().zip(&lists.problem.impulses).enumerate() {
            if impulse == 0.0 {
                continue;
            }
            for end in &row.ends {
                let state = &mut self.bodies.states[end.body as usize];
                let [x, y] = end.push.map(|push| (push * impulse) as f32);
                state.velocity += Vec2::new(x, y);
                state.angular_velocity += (end.spin * impulse) as f32;
            }
            if let (Some(point), true) = (row.point, i < pushes) {
                lists.given.push(Given {
                    contact: row.contact,
                    point,
                    impulse: impulse as f32,
                    speed: row.speed as f32,
                });
            }
        }
    }

    /// Adds the rows of friction where something pushes, unless they are too many.
    fn list_rubs(&self, lists: &mut BlowLists) {
        let BlowLists {
            rows,
            rubs,
            problem,
            ..
        } = lists;
        rubs.clear();
        if 2 * rows.len() > MAX_ROWS {
            return;
        }
        for i in 0..rows.len() {
            let Row { contact, point, .. } = rows[i];
            let Some(point) = point.filter(|_| problem.impulses[i] > 0.0) else {
                continue;
            };
            let constraint = &self.contacts.constraints[contact as usize];
            let [pose_a, pose_b] = [constraint.body_a, constraint.body_b]
                .map(|body| &self.bodies.poses[body as usize]);
            let along = left_perp(&pose_a.rotate(constraint.normal));
            let arms = [
                pose_a.rotate(constraint.points[point].anchor_a),
                pose_b.rotate(constraint.points[point].anchor_b),
            ];
            rubs.push((i, constraint.friction.into()));
            rows.push(self.row_between([constraint.body_a, constraint.body_b], along, arms, 0.0));
        }
    }

    /// Adds what blows gave to what the substeps have stored, and lists the contacts.
    pub(crate) fn add_blows(&mut self, hits: &mut Vec<u32>) {
        for given in &self.scratch.blows.given {
            let point = &mut self.contacts.constraints[given.contact as usize].points[given.point];
            point.total_normal_impulse += given.impulse;
            point.relative_velocity = point.relative_velocity.min(given.speed);
            hits.push(given.contact);
        }
    }
}

impl BlowLists {
    /// Finds the impulses of all rows; says whether it could.
    fn solve(&mut self) -> bool {
        let Self { rows, problem, .. } = self;
        problem.matrix.clear();
        problem.bias.clear();
        for (i, row) in rows.iter().enumerate() {
            problem.bias.push(row.speed + row.allowed);
            let couplings = rows.iter().map(|other| row.coupling(other));
            problem.matrix.extend(couplings);
            problem.matrix[i * rows.len() + i] *= 1.0 + COMPLIANCE;
        }
        problem.solve()
    }
}

impl Row {
    /// Says whether the places come together too fast for the substeps.
    fn is_fast(&self) -> bool {
        self.speed + self.allowed < -BLOW
    }

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
