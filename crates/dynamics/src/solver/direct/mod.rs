//! Islands that only joints hold together, solved directly: all rows of all joints at once, in `f64`.
//!
//! Each substep is a step of RATTLE ([Andersen83]): half of the forces, impulses that make the places at the end of the
//! substep fit, the drift, the other half, impulses that make the velocities fit. It is symplectic and the same forwards and
//! backwards, so a pendulum keeps its energy; and its matrix, J M^-1 J^T, is factorised once a substep, so a chain holds a
//! thousand times its weight, and welded beams are one.
//! Errors that are there already (joints that were made apart, rounding of places between steps) are taken out by a shift
//! that has no velocity.

mod vector;
mod factor;
mod body;
mod row;
mod net;
mod settle;
mod substep;

use super::integrate::IntegrationStep;
use crate::body::state::{BodyMass, BodyMotion, BodyPose, BodyState, state_flags};
use crate::id::NO_SLOT;
use crate::joint::ask::{Answers, Asks};
use crate::joint::sim::JointSim;
use body::{Body, Place};
use cairn2d_geometry::math::Vec2;
use net::{Matrix, Net};
use row::{Link, Row};
use settle::Aim;
use substep::Whips;

/// Everything that is read and written where an island is solved directly.
pub(crate) struct DirectInput<'a> {
    /// Length of the step [s], and the number of the world's substeps.
    pub(crate) dt: f32,
    pub(crate) substeps: u32,
    /// [m/s^2]
    pub(crate) gravity: Vec2,
    /// Share of an error that a substep of the world takes out.
    pub(crate) correction: f32,
    /// By body slot.
    pub(crate) states: &'a mut [BodyState],
    pub(crate) poses: &'a [BodyPose],
    pub(crate) masses: &'a [BodyMass],
    pub(crate) motions: &'a [BodyMotion],
    /// By joint slot.
    pub(crate) joints: &'a mut [JointSim],
    /// Slots of the island's bodies and joints.
    pub(crate) body_slots: &'a [u32],
    pub(crate) joint_slots: &'a [u32],
}

/// Memory of an island while it is solved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    bodies: Vec<Body>,
    links: Vec<Link>,
    /// Rows of all links, in the order of elimination, and where those of each link begin.
    rows: Vec<Row>,
    first_rows: Vec<u32>,
    net: Net,
    pairs: Vec<[u32; 2]>,
    matrix: Matrix,
    /// Whether the matrix is that of the rows as they are now.
    is_fresh: bool,
    has_dampers: bool,
    /// Whether all rounds have come to an end, and no shift was out of proportion.
    is_settled: bool,
    /// By row: changes of rates, then impulses.
    wishes: Vec<f64>,
    /// By body: where they would be, and by how much they are shifted.
    trial: Vec<Place>,
    shifts: Vec<[f64; 3]>,
    /// Place by body slot; `NO_SLOT` between uses.
    places: Vec<u32>,
    /// Joint slots in the order of elimination.
    order: Vec<u32>,
}

impl Island {
    /// Advances the bodies of an island by the step, and gives its joints their impulses. Returns false, and changes nothing,
    /// if that is not possible.
    pub(crate) fn solve(&mut self, input: &mut DirectInput<'_>) -> bool {
        if !self.gather(input) {
            return false;
        }
        let Some(mut substeps) = self.substeps_for(input) else {
            return false;
        };
        self.update_rows();
        if !self.is_close() {
            return false;
        }
        let most = self.most_substeps(substeps);
        while !self.gets_through(input, substeps, most) {
            substeps *= 2;
            if substeps > most || !self.gather(input) {
                return false;
            }
            self.update_rows();
        }
        self.store(input, substeps);
        true
    }

    /// Runs so many substeps; says whether the island is where it belongs then.
    fn gets_through(&mut self, input: &DirectInput<'_>, substeps: u32, most: u32) -> bool {
        let whips = if substeps < most {
            Whips::AreStopped
        } else {
            Whips::GoOn
        };
        self.run(input, substeps, whips);
        self.is_settled && self.is_close() && self.bodies.iter().all(Body::is_sound)
    }

    /// Changes velocities to those of `time` \[s\] later or earlier, places left as they are. Iterated substeps kick and then
    /// drift, so their velocities are those of half a substep before their places. Those of a body that flies freely are not.
    pub(crate) fn shift_phase(&mut self, input: &mut DirectInput<'_>, time: f64) {
        if !self.gather(input) {
            return;
        }
        self.update_rows();
        self.wishes.clear();
        self.wishes.resize(self.rows.len(), 0.0);
        self.kick(time);
        self.settle(Aim::Rate, time.abs());
        if self.bodies.iter().all(Body::is_sound) {
            for body in self.bodies.iter().filter(|body| body.is_free()) {
                let state = &mut input.states[body.slot as usize];
                if state.flags & state_flags::UNCONSTRAINED != 0 {
                    continue;
                }
                (state.velocity, state.angular_velocity) =
                    (body.velocity.narrow(), body.spin as f32);
            }
        }
    }

    fn gather(&mut self, input: &mut DirectInput<'_>) -> bool {
        let drive = IntegrationStep::new(input.dt, input.dt / input.substeps as f32, input.gravity);
        self.gather_bodies(input, &drive);
        let listed = self.gather_links(input);
        for body in &self.bodies {
            self.places[body.slot as usize] = NO_SLOT;
        }
        listed
    }

    /// Says whether no error is so large that it has to come back little by little.
    fn is_close(&self) -> bool {
        let close = |row: &Row| row.open_error().abs() <= MAX_ERROR;
        self.rows.iter().all(close)
    }

    fn gather_bodies(&mut self, input: &DirectInput<'_>, drive: &IntegrationStep) {
        self.places
            .resize(input.states.len().max(self.places.len()), NO_SLOT);
        self.bodies.clear();
        let origin = input.body_slots[0];
        let mut add = |slot: u32| {
            let i = slot as usize;
            if self.places[i] == NO_SLOT {
                self.places[i] = self.bodies.len() as u32;
                let poses = (&input.poses[i], &input.poses[origin as usize]);
                let masses = (&input.masses[i], &input.motions[i]);
                self.bodies
                    .push(Body::new(slot, poses, &input.states[i], masses, drive));
            }
        };
        input.body_slots.iter().for_each(|&slot| add(slot));
        for &joint in input.joint_slots {
            let base = &input.joints[joint as usize].base;
            add(base.body_a);
            add(base.body_b);
        }
    }

    /// Lists links and rows in the order of elimination. Returns false if a joint has parts that cannot be held, or the
    /// factor would be too large.
    fn gather_links(&mut self, input: &mut DirectInput<'_>) -> bool {
        let pair = |slot: u32| {
            let base = &input.joints[slot as usize].base;
            [base.body_a, base.body_b].map(|body| self.places[body as usize])
        };
        self.pairs.clear();
        self.pairs
            .extend(input.joint_slots.iter().map(|&s| pair(s)));
        self.net.fill(&self.pairs, &self.bodies);
        let order = self.net.order(&self.pairs, &self.bodies);
        self.order.clear();
        self.order
            .extend(order.iter().map(|&joint| input.joint_slots[joint as usize]));
        self.pairs.clear();
        self.pairs.extend(self.order.iter().map(|&s| pair(s)));
        self.net.fill(&self.pairs, &self.bodies);

        self.links.clear();
        self.rows.clear();
        self.first_rows.clear();
        self.first_rows.push(0);
        let mut asks = Asks::new();
        for (&slot, &[a, b]) in self.order.iter().zip(&self.pairs) {
            let sim = &mut input.joints[slot as usize];
            if !sim.ask(&mut asks) {
                return false;
            }
            let link = Link::new(slot, sim, input.poses, (a, b), &self.bodies);
            self.links.push(link);
            for ask in &asks {
                self.rows.push(Row::new((a, b), ask.coordinate, ask.wish));
            }
            self.first_rows.push(self.rows.len() as u32);
        }
        let entries = self
            .matrix
            .analyse(&self.links, &self.net, &self.first_rows);
        entries <= MAX_ENTRIES
    }

    /// Writes velocities, ways and impulses back.
    fn store(&self, input: &mut DirectInput<'_>, substeps: u32) {
        for body in self.bodies.iter().filter(|body| body.is_free()) {
            body.store(&mut input.states[body.slot as usize]);
        }
        let h = input.dt / substeps as f32;
        for (place, link) in self.links.iter().enumerate() {
            let range = self.first_rows[place] as usize..self.first_rows[place + 1] as usize;
            let rows = &self.rows[range];
            let frames = link.frames(|body| self.bodies[body as usize].place);
            let direction = match rows.first() {
                Some(row) => frames.direction(row.coordinate).narrow(),
                None => Vec2::new(1.0, 0.0),
            };
            let mut answers = Answers {
                impulses: &mut rows.iter().map(|row| row.total as f32),
                direction,
            };
            input.joints[link.slot as usize].answer(&mut answers, h);
        }
    }
}

/// Greatest error of what is solved directly [m] or [rad]: what is further apart is drawn together by soft rows.
const MAX_ERROR: f64 = 0.1;

/// Most entries of a factor off its diagonal: those of a chain of 256 welds, or of a net of some 80 pins.
const MAX_ENTRIES: usize = 4096;
