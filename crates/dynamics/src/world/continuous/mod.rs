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

mod ahead;
mod behind;
mod bounce;
mod clamp;
mod cores;
mod flight;
mod meetings;

pub(crate) use meetings::SweptShape;

use crate::body::state::BodyState;
use crate::body::track_flags;
use crate::contact::patch::ContactPatch;
use crate::world::World;
use core::ops::Range;
use flight::Flight;
use meetings::Meeting;

/// Impacts of a body in one step that are solved when they happen; at the next it is clamped.
///
/// A ball that loses nothing in a corridor 1 m wide makes 8 at 480 m/s. Two bodies that meet again and again come to
/// this bound, and to the end of the step.
const MAX_IMPACTS: u32 = 8;

/// Meetings of a body in one step that are looked at. It is left where it is then, which nothing can make it leave.
const MAX_MEETINGS: u32 = 16;

/// The flights and meetings of a step. Memory only: no state of the simulation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hunt {
    flights: Vec<Flight>,
    /// Of each body slot its flight, or [`NO_FLIGHT`].
    flight_of: Vec<u32>,
    /// Boxes around the shapes of each flight on its way.
    areas: Vec<SweptShape>,
    /// Areas by their left edge.
    order: Vec<u32>,
    meetings: Vec<Meeting>,
    found: Vec<u32>,
    group: Group,
}

/// Bodies that an impact is passed on to, and through what.
#[derive(Clone, Debug, Default)]
struct Group {
    bodies: Vec<u32>,
    before: Vec<BodyState>,
    contacts: Vec<u32>,
    joints: Vec<u32>,
    patches: Vec<ContactPatch>,
}

/// Of a body without a flight.
const NO_FLIGHT: u32 = u32::MAX;

impl World {
    /// Sweeps the fast bodies of this step of `dt` [s], and brings their boxes up to date.
    pub(crate) fn continuous(&mut self, dt: f32) {
        let fast = core::mem::take(&mut self.scratch.fast);
        self.counters.continuous_bodies = fast.len();
        if !fast.is_empty() {
            let mut hunt = core::mem::take(&mut self.scratch.hunt);
            self.begin_flights(&mut hunt, &fast);
            self.find_first_meetings(&mut hunt);
            while let Some(meeting) = hunt.take_first() {
                self.deal_with(&mut hunt, &meeting, dt);
            }
            self.end_flights(&mut hunt);
            self.scratch.hunt = hunt;
        }
        self.scratch.fast = fast;
    }

    /// Starts the flights of the fast bodies, in order of slot, with their whole way.
    fn begin_flights(&mut self, hunt: &mut Hunt, fast: &[u32]) {
        hunt.clear(self.bodies.states.len());
        for &slot in fast {
            if self.bodies.slots[slot].disabled {
                continue;
            }
            let first = hunt.areas.len() as u32;
            self.sweep_boxes(slot, &mut hunt.areas);
            let areas = first..hunt.areas.len() as u32;
            let start = self.start_of_step(slot);
            hunt.begin(slot, 0.0, start, areas);
            if self.bodies.is_dynamic(slot) && self.hold_back_cores(hunt, slot) {
                self.grow_boxes(slot);
            }
        }
    }

    /// Brings boxes and sensors up to date with where the flights have ended.
    fn end_flights(&mut self, hunt: &mut Hunt) {
        for flight in &hunt.flights {
            if flight.meetings > 0 {
                self.grow_boxes(flight.slot);
            }
            if self.sensors > 0 {
                let areas = &hunt.areas[flight.areas.start as usize..flight.areas.end as usize];
                self.sense_on_the_way(flight.slot, areas);
            }
            hunt.flight_of[flight.slot as usize] = NO_FLIGHT;
        }
    }

    /// Lists boxes around what the shapes of the body in `slot` were and are: on its way the body is in them.
    fn sweep_boxes(&mut self, slot: u32, swept: &mut Vec<SweptShape>) {
        let first = swept.len();
        let shapes = &self.bodies.slots[slot].shapes;
        let before = shapes
            .iter()
            .map(|&shape| (shape, self.shapes[shape].fat_box));
        swept.extend(before);
        self.grow_boxes(slot);
        for (shape, area) in &mut swept[first..] {
            *area = area.union(&self.shapes[*shape].fat_box);
        }
    }

    /// Deals with a meeting by the policy of its bodies.
    fn deal_with(&mut self, hunt: &mut Hunt, meeting: &Meeting, dt: f32) {
        self.counters.impacts += 1;
        let policy = |body: u32| self.bodies.tracks[body as usize].flags & track_flags::SUBSTEP;
        // Only the contact of the next step asks the user's hook.
        let hooked = meeting
            .shapes
            .iter()
            .any(|&shape| self.shapes[shape].pre_solve);
        let substep = !hooked && meeting.bodies.iter().any(|&body| policy(body) != 0);
        let spent = |body: u32| hunt.flight(body).is_some_and(|f| f.impacts >= MAX_IMPACTS);
        let spent = meeting.bodies.iter().any(|&body| spent(body));
        if substep && !spent && !meeting.gave_up {
            self.bounce(hunt, meeting, dt);
        } else {
            self.counters.impacts_cut += usize::from(substep);
            self.clamp(hunt, meeting);
        }
    }
}

impl Hunt {
    fn clear(&mut self, bodies: usize) {
        self.flight_of.resize(bodies, NO_FLIGHT);
        self.flights.clear();
        self.areas.clear();
        self.meetings.clear();
    }

    /// Returns the flight of a body that has one.
    fn flight(&self, body: u32) -> Option<&Flight> {
        self.flights.get(self.flight_of[body as usize] as usize)
    }

    fn flight_mut(&mut self, body: u32) -> Option<&mut Flight> {
        self.flights.get_mut(self.flight_of[body as usize] as usize)
    }

    /// Starts a flight at the fraction `from` of the step.
    fn begin(
        &mut self,
        slot: u32,
        from: f32,
        start: crate::body::state::BodyPose,
        areas: Range<u32>,
    ) {
        self.flight_of[slot as usize] = self.flights.len() as u32;
        self.flights.push(Flight {
            slot,
            from,
            start,
            origin: start,
            impacts: 0,
            meetings: 0,
            met: None,
            areas,
        });
    }

    /// Takes out the meeting that comes first.
    fn take_first(&mut self) -> Option<Meeting> {
        let first = (0..self.meetings.len()).min_by(|&i, &j| {
            let (a, b) = (&self.meetings[i], &self.meetings[j]);
            let time = a.fraction.total_cmp(&b.fraction);
            time.then(a.shapes.cmp(&b.shapes))
        })?;
        Some(self.meetings.swap_remove(first))
    }
}
