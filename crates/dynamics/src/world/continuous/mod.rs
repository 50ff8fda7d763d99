//! Stage 6 of the step: bodies that moved far for their size are swept against what they could have passed through.
//!
//! Each fast body has a *flight*: the piece of its way that is left of the step. The first meeting of all flights is
//! dealt with, by one of two policies; flights that it changes are looked at again from there; until nothing is met any
//! more.
//!
//! * *Clamp*: what met goes on together until the step ends, with its velocities; the next step finds the contact and
//!   solves it.
//! * *Substep*: the impact is solved, passed on through all that touches, and the rest of the step is spent with
//!   the new velocities.
//!
//! The order of meetings is that of their time, then of their shapes, so nothing depends on who was found first.

mod area_tree;
mod flight;
mod lively;
mod hammers;
mod ahead;
mod behind;
mod cores;
mod guard;
mod meetings;
mod change;
mod find;
mod clamp;
mod struck;
mod bounce;
mod sense;

use crate::body::state::BodyState;
use crate::contact::constraint::ContactConstraint;
use crate::event::ContactHit;
use crate::fat_box::ShapeBoxes;
use crate::workers::StepWorkers;
use crate::world::World;
use area_tree::AreaTree;
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::Vec2;
use find::Block;
use flight::{Flight, Flights, Leg, NO_FLIGHT};
use lively::Spent;
use meetings::Meeting;
use std::collections::BinaryHeap;
use std::panic::{AssertUnwindSafe, catch_unwind};
pub(crate) use struck::Struck;

/// A shape of a fast body, and a box around its way.
pub(crate) type SweptShape = (u32, Aabb);

/// Impacts of a body in one step that are solved when they happen; at the next it is clamped.
///
/// A ball that loses nothing in a corridor 1 m wide makes 8 at 480 m/s. Two bodies that meet again and again come to
/// this bound, and to the end of the step.
const MAX_IMPACTS: u32 = 8;

/// Meetings of a body in one step that are looked at. It is left where it is then, which nothing can make it leave.
const MAX_MEETINGS: u32 = 16;

pub(super) use crate::step::ccd_input::MAX_SWEPT_AGAINST_DYNAMIC as MAX_HUNTERS;

/// The flights and meetings of a step. Memory only: no state of the simulation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hunt {
    /// Slots of the bodies that fly, ascending.
    slots: Vec<u32>,
    flights: Flights,
    /// Flights that end where the substeps have not brought them, in no order, some twice.
    moved: Vec<u32>,
    /// Flights of bodies that touched something firm when the step began, ascending.
    firm: Vec<u32>,
    /// Boxes around the shapes of each flight on its way.
    areas: Vec<SweptShape>,
    /// Of the areas with which the flights began, if any flight hunts.
    tree: AreaTree,
    /// What is still to be dealt with; what is out of date is left where it is.
    meetings: BinaryHeap<Meeting>,
    blocks: Vec<Block>,
    /// Of the flight whose way was changed last.
    again: Block,
    /// Bodies without a flight that something goes into.
    entered: Vec<(u32, Vec2)>,
    near: Vec<u32>,
    /// Bodies whose flights are swept against dynamic ones.
    hunters: Vec<u32>,
    group: Group,
    spent: Spent,
    /// Impacts of shapes that did not touch when the step began.
    struck: Vec<([u32; 2], ContactHit)>,
    /// Pieces of ways that were ended by an impact, if there are sensors: in order of time.
    trail: Vec<Leg>,
}

/// Bodies that an impact is passed on to, and through what.
#[derive(Clone, Debug, Default)]
struct Group {
    /// What is struck, all at the same time.
    meetings: Vec<Meeting>,
    bodies: Vec<u32>,
    before: Vec<BodyState>,
    /// Those of the bodies whose velocities it changed.
    changed: Vec<u32>,
    contacts: Vec<u32>,
    joints: Vec<u32>,
    constraints: Vec<ContactConstraint>,
}

impl World {
    /// Sweeps the fast bodies of this step of `dt` [s], and brings their boxes up to date, also if the user's filter panics.
    ///
    /// # Errors
    /// If the filter panicked: what it said. Bodies that were not swept yet are where their velocities took them.
    pub(crate) fn continuous(&mut self, workers: &StepWorkers, dt: f32) -> std::thread::Result<()> {
        let fast = core::mem::take(&mut self.scratch.ccd_input.swept);
        self.counters.continuous_bodies = fast.len();
        self.struck.clear();
        let swept = match fast.is_empty() {
            true => Ok(()),
            false => catch_unwind(AssertUnwindSafe(|| self.sweep_all(workers, &fast, dt))),
        };
        if swept.is_err() {
            // Boxes that the sweeps have grown must reach the broad phase before they are replaced.
            self.refit();
            for &slot in &fast {
                self.replace_boxes(slot);
            }
        }
        self.scratch.ccd_input.swept = fast;
        swept
    }

    /// Sweeps the fast bodies of this step of `dt` [s].
    fn sweep_all(&mut self, workers: &StepWorkers, fast: &[u32], dt: f32) {
        let mut hunt = core::mem::take(&mut self.scratch.hunt);
        self.list_flights(&mut hunt, fast);
        self.begin_flights(workers, &mut hunt);
        self.meet_each_other(&mut hunt);
        while let Some(meeting) = hunt.take_first() {
            self.deal_with(&mut hunt, &meeting, dt);
        }
        self.guard_flights(&mut hunt);
        self.end_flights(&mut hunt);
        self.report_struck(&mut hunt);
        self.scratch.hunt = hunt;
    }

    /// Lists which of the fast bodies fly, in order of slot.
    fn list_flights(&self, hunt: &mut Hunt, fast: &[u32]) {
        hunt.clear(self.bodies.states.len());
        for (flight, &slot) in fast.iter().enumerate() {
            debug_assert!(!self.bodies.slots[slot].disabled);
            hunt.flights.of_body[slot as usize] = flight as u32;
        }
        hunt.slots.extend_from_slice(fast);
    }

    /// Brings boxes and sensors up to date with where the flights have ended.
    fn end_flights(&mut self, hunt: &mut Hunt) {
        hunt.moved.sort_unstable();
        hunt.moved.dedup();
        for &flight in &hunt.moved {
            self.grow_boxes(&hunt.flights.list[flight as usize]);
        }
        for &slot in &hunt.slots {
            hunt.flights.of_body[slot as usize] = NO_FLIGHT;
        }
        if self.shapes.sensors > 0 {
            self.sense_on_the_ways(hunt);
        }
    }

    /// Grows the boxes that shapes of a flight have left at its end.
    fn grow_boxes(&mut self, flight: &Flight) {
        let mut slack = f32::INFINITY;
        for &shape in &self.bodies.slots[flight.slot].shapes {
            let record = &mut self.shapes.slots[shape];
            if record.proxy == ProxyId::NULL {
                continue;
            }
            let fat_box = ShapeBoxes::of(record, &flight.piece.end, Vec2::zeros(), &mut slack).fat;
            if fat_box != record.fat_box {
                record.fat_box = fat_box;
                self.scratch.grown.push((record.proxy, fat_box));
            }
        }
        self.bodies.tracks[flight.slot as usize].slack = slack.max(0.0);
    }

    /// Deals with a meeting by the policy of its bodies.
    fn deal_with(&mut self, hunt: &mut Hunt, meeting: &Meeting, dt: f32) {
        // Only the contact of the next step asks the user's hook.
        let hooked = meeting
            .shapes
            .iter()
            .any(|&shape| self.shapes.slots[shape].pre_solve);
        let substep = !hooked && self.shapes_solve_at_once(meeting.shapes);
        let spent = |body: u32| {
            hunt.flights
                .of(body)
                .is_some_and(|f| f.impacts >= MAX_IMPACTS)
        };
        let spent = meeting.bodies.iter().any(|&body| spent(body))
            || hunt.spent.is_all() && !self.asks_for_substep(meeting.bodies);
        if substep && !spent && !meeting.gave_up {
            self.bounce(hunt, meeting, dt);
        } else {
            self.counters.impacts += 1;
            self.counters.impacts_cut += usize::from(substep);
            self.clamp(hunt, meeting, dt);
        }
    }
}

impl Hunt {
    fn clear(&mut self, bodies: usize) {
        self.flights.of_body.resize(bodies, NO_FLIGHT);
        self.slots.clear();
        self.moved.clear();
        self.firm.clear();
        self.areas.clear();
        self.tree.clear();
        self.meetings.clear();
        self.entered.clear();
        self.hunters.clear();
        self.trail.clear();
        self.spent = Spent::default();
        self.struck.clear();
    }

    /// Takes out the meeting that comes first.
    fn take_first(&mut self) -> Option<Meeting> {
        while let Some(meeting) = self.meetings.pop() {
            if meeting.bodies.map(|body| self.flights.changes_of(body)) == meeting.changes {
                return Some(meeting);
            }
        }
        None
    }
}
