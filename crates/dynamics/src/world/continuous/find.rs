//! Who meets whom: all meetings of the flights, first of all of them, then of those whose ways were changed.
//!
//! What a flight meets among things that have none does not depend on other flights: these meetings are found by one thread
//! or several, block by block. What flights meet among each other is found afterwards.

use super::flight::{Flight, Flights, Ways};
use super::meetings::{Found, Meeting};
use super::{Hunt, MAX_HUNTERS, SweptShape};
use crate::body::state::angle_bound;
use crate::body::track_flags;
use crate::fat_box::{GrownBox, ShapeBoxes, box_lead, prefetch_boxes};
use crate::workers::{Chunks, StepWorkers};
use crate::world::World;
use cairn2d_broadphase::{ProxyId, ProxyKind};
use cairn2d_geometry::math::Vec2;
use core::ops::ControlFlow;

/// Fast bodies that a thread takes at a time, of some 300 ns.
const BLOCK: usize = 32;

/// How many flights ahead records are asked for.
const FLIGHTS_AHEAD: usize = 2;

/// Flights that hunt, up to which all others are looked at one by one: a tree over them costs more.
const FEW_HUNTERS: usize = 32;

/// What was found of some flights, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    areas: Vec<SweptShape>,
    grown: Vec<GrownBox>,
    meetings: Vec<Meeting>,
    /// Bodies without a flight that something goes into.
    entered: Vec<(u32, Vec2)>,
    /// Shapes on the way of the one at hand.
    near: Vec<u32>,
    /// Those of the flights that hunt.
    hunters: Vec<u32>,
    /// Places in the block of flights of bodies that touch something firm.
    firm: Vec<u32>,
    tested: usize,
}

impl Block {
    fn clear(&mut self) {
        self.areas.clear();
        self.grown.clear();
        self.meetings.clear();
        self.entered.clear();
        self.hunters.clear();
        self.firm.clear();
        self.tested = 0;
    }
}

impl World {
    /// Begins the flights of the bodies in `hunt.bodies`, and finds what they meet among all that has none.
    pub(super) fn begin_flights(&mut self, workers: &StepWorkers, hunt: &mut Hunt) {
        let slots = &hunt.slots;
        let mut list = core::mem::take(&mut hunt.flights.list);
        list.resize(slots.len(), Flight::NONE);
        let count = slots.len().div_ceil(BLOCK);
        if hunt.blocks.len() < count {
            hunt.blocks.resize_with(count, Block::default);
        }
        let (world, flights): (&Self, &Flights) = (self, &hunt.flights);
        let pieces = (
            Chunks::new(&mut list, BLOCK),
            Chunks::new(&mut hunt.blocks[..count], 1),
        );
        workers.share(pieces, |place, (list, block)| {
            let slots = &slots[place * BLOCK..][..list.len()];
            world.begin_block(flights, slots, list, &mut block[0]);
        });
        hunt.flights.list = list;
        self.take_blocks(hunt, count);
    }

    fn begin_block(
        &self,
        flights: &Flights,
        slots: &[u32],
        list: &mut [Flight],
        block: &mut Block,
    ) {
        block.clear();
        for (place, (&slot, flight)) in slots.iter().zip(list).enumerate() {
            prefetch_boxes(
                &self.bodies.slots,
                &self.shapes.slots,
                &slots[place..],
                FLIGHTS_AHEAD,
            );
            let end = self.bodies.poses[slot as usize];
            let start = self.bodies.states[slot as usize].start_of(&end);
            *flight = Flight::of_step(slot, start, end);
            if self.bodies.is_dynamic(slot) {
                self.hold_back_cores(flights, flight);
            }
            if self.bodies.slots[slot].static_touches > 0 {
                block.firm.push(place as u32);
            }
            self.sweep_boxes(flight, block);
            self.meet_others(flights, flight, block);
        }
    }

    /// Lists the boxes of the ways of the body's shapes; grows the fat ones that their shapes have left.
    fn sweep_boxes(&self, flight: &mut Flight, block: &mut Block) {
        let first = block.areas.len();
        let mut slack = f32::INFINITY;
        let body = &self.bodies.slots[flight.slot];
        let way = flight.way();
        let ahead = box_lead(body, way);
        let extent = self.bodies.tracks[flight.slot as usize].max_extent;
        let turned = extent * angle_bound(flight.turn());
        for &shape in &body.shapes {
            let record = &self.shapes.slots[shape];
            if record.proxy == ProxyId::NULL {
                continue;
            }
            let boxes = ShapeBoxes::of(record, &flight.piece.end, ahead, &mut slack);
            block
                .areas
                .push((shape, boxes.swept(way, turned.max(record.margin))));
            if boxes.fat != record.fat_box {
                block.grown.push(GrownBox {
                    shape,
                    proxy: record.proxy,
                    fat_box: boxes.fat,
                });
            }
        }
        flight.slack = slack.max(0.0);
        flight.areas = (first as u32, (block.areas.len() - first) as u32);
    }

    /// Finds what a flight meets among bodies that have none.
    fn meet_others(&self, flights: &Flights, flight: &mut Flight, block: &mut Block) {
        let hunts = self.hunts(flight.slot);
        if hunts && !flight.hunts {
            flight.hunts = true;
            block.hunters.push(flight.slot);
        }
        let kinds = self.kinds_on_the_way(flight, hunts);
        let mut near = core::mem::take(&mut block.near);
        let mut limit = 1.0;
        for place in flight.area_range() {
            let (mine, area) = block.areas[place];
            near.clear();
            self.broad.query_kinds(kinds, &area, u64::MAX, |other| {
                if !flights.has(self.shapes.slots[other].body) {
                    near.push(other);
                }
                ControlFlow::Continue(())
            });
            // What is entered by little moves the way that the next is tested with: not in the order of the tree.
            near.sort_unstable();
            for &other in &near {
                self.meet_other(flights, flight, ([mine, other], &mut limit), block);
            }
        }
        block.near = near;
    }

    fn meet_other(
        &self,
        flights: &Flights,
        flight: &mut Flight,
        (shapes, limit): ([u32; 2], &mut f32),
        block: &mut Block,
    ) {
        let ways = Ways {
            flights,
            own: Some(flight),
        };
        match self.look_for_meeting(ways, shapes, *limit, &mut block.tested) {
            Found::Nothing => {}
            // One after the other: pressed into a corner by both sides at once it would jam.
            Found::Meeting(meeting) if flight.slides && meeting.bodies[0] == flight.slot => {
                flight.wait();
            }
            Found::Meeting(meeting) => {
                if meeting.bodies[0] == flight.slot && self.ends_the_way(&meeting) {
                    *limit = limit.min(meeting.fraction);
                }
                block.meetings.push(meeting);
            }
            Found::Entering(bodies, shifts) => {
                for (body, shift) in bodies.into_iter().zip(shifts) {
                    if body == flight.slot && flight.slides && shift != Vec2::zeros() {
                        flight.wait();
                    } else if body == flight.slot {
                        flight.shift(shift);
                    } else if shift != Vec2::zeros() {
                        block.entered.push((body, shift));
                    }
                }
            }
        }
    }

    /// Says whether nothing that comes after a meeting of a flight with something that has none needs to be known: the
    /// first body waits there, and the second one has no other way.
    fn ends_the_way(&self, meeting: &Meeting) -> bool {
        !self.bodies.is_dynamic(meeting.bodies[1]) && !self.shapes_solve_at_once(meeting.shapes)
    }

    /// Returns what a body is swept against. Dynamic bodies, which are many, only by what hunts.
    fn kinds_on_the_way(&self, flight: &Flight, hunts: bool) -> &'static [ProxyKind] {
        if !self.bodies.is_dynamic(flight.slot) {
            return &[ProxyKind::Dynamic];
        }
        match (hunts, flight.changes > 0 && flight.piece.rests()) {
            (true, true) => &[ProxyKind::Kinematic, ProxyKind::Dynamic],
            (true, false) => &ProxyKind::ALL,
            (false, true) => &[ProxyKind::Kinematic],
            (false, false) => &[ProxyKind::Static, ProxyKind::Kinematic],
        }
    }

    /// Says whether the body in `slot`, which has a flight, is swept against dynamic bodies. What moved no further than its
    /// own half thickness passes through nothing that did not either.
    pub(super) fn hunts(&self, slot: u32) -> bool {
        let track = &self.bodies.tracks[slot as usize];
        let always = track_flags::BULLET
            | track_flags::SUBSTEP
            | track_flags::BOUNCE_CANDIDATE
            | track_flags::HAS_DEFERRED_CONTACTS
            | track_flags::AIRBORNE_HEAVY;
        track.flags & track_flags::DYNAMIC == 0
            || track.flags & always != 0
            || self.scratch.ccd_input.far <= MAX_HUNTERS
                && self.bodies.moved[slot as usize] > track.min_extent
    }

    /// Writes down what the blocks have found, in the order of the flights.
    fn take_blocks(&mut self, hunt: &mut Hunt, count: usize) {
        let lists = hunt.flights.list.chunks_mut(BLOCK);
        for (i, (list, block)) in lists.zip(&hunt.blocks[..count]).enumerate() {
            let first_flight = (i * BLOCK) as u32;
            let first = hunt.areas.len() as u32;
            for (flight, number) in list.iter_mut().zip(first_flight..) {
                flight.areas.0 += first;
                let index = flight.slot as usize;
                self.bodies.tracks[index].slack = flight.slack;
                if flight.moved {
                    self.place_within(flight);
                    hunt.moved.push(number);
                }
            }
            let firm = block.firm.iter();
            hunt.firm.extend(firm.map(|place| first_flight + place));
            hunt.areas.extend_from_slice(&block.areas);
            hunt.meetings.extend(block.meetings.iter().copied());
            hunt.entered.extend_from_slice(&block.entered);
            self.shapes
                .store_boxes(&block.grown, &mut self.scratch.grown);
            hunt.hunters.extend_from_slice(&block.hunters);
            self.counters.impacts_tested += block.tested;
        }
        let entered = core::mem::take(&mut hunt.entered);
        for &(body, shift) in &entered {
            self.shift(hunt, body, shift);
        }
        hunt.entered = entered;
    }

    /// Finds the meetings of flights with each other.
    pub(super) fn meet_each_other(&mut self, hunt: &mut Hunt) {
        if hunt.flights.list.len() > 1 && hunt.hunters.len() > FEW_HUNTERS {
            let areas = &hunt.areas;
            hunt.tree.build(areas.len(), |i| areas[i as usize].1);
        }
        let hunters = core::mem::take(&mut hunt.hunters);
        for &slot in &hunters {
            // Of two that hunt the first one looks.
            self.meet_flights(hunt, slot, |world, other| {
                other > slot || !world.hunts(other)
            });
        }
        hunt.hunters = hunters;
    }

    /// Finds the meetings of the flight of `body` with those of other bodies that `counts` allows.
    fn meet_flights(&mut self, hunt: &mut Hunt, body: u32, counts: impl Fn(&Self, u32) -> bool) {
        let Some(&flight) = hunt.flights.of(body) else {
            return;
        };
        let mut near = core::mem::take(&mut hunt.near);
        for place in flight.area_range() {
            let (mine, area) = hunt.areas[place];
            near.clear();
            hunt.tree.query(&area, &mut near);
            // What is in no leaf: all, if there is no tree, or what began to fly within the step.
            for i in hunt.tree.len()..hunt.areas.len() {
                if area.overlaps(&hunt.areas[i].1) {
                    near.push(i as u32);
                }
            }
            for &i in &near {
                let (other, its_area) = hunt.areas[i as usize];
                let its_body = self.shapes.slots[other].body;
                if its_body != body && area.overlaps(&its_area) && counts(self, its_body) {
                    self.meet(hunt, [mine, other]);
                }
            }
        }
        hunt.near = near;
    }

    /// Finds the meetings of the flight of `body` with those that hunt.
    fn meet_hunters(&mut self, hunt: &mut Hunt, body: u32) {
        let Some(&flight) = hunt.flights.of(body) else {
            return;
        };
        for i in 0..hunt.hunters.len() {
            let its_range = match hunt.flights.of(hunt.hunters[i]) {
                Some(its) if its.slot != body => its.area_range(),
                _ => continue,
            };
            for place in flight.area_range() {
                for its_place in its_range.clone() {
                    let (mine, area) = hunt.areas[place];
                    let (other, its_area) = hunt.areas[its_place];
                    if area.overlaps(&its_area) {
                        self.meet(hunt, [mine, other]);
                    }
                }
            }
        }
    }

    /// Finds what becomes of two shapes of flights.
    fn meet(&mut self, hunt: &mut Hunt, shapes: [u32; 2]) {
        let mut tested = 0;
        let ways = Ways::of(&hunt.flights);
        let found = self.look_for_meeting(ways, shapes, 1.0, &mut tested);
        self.counters.impacts_tested += tested;
        match found {
            Found::Nothing => {}
            Found::Meeting(meeting) => hunt.meetings.push(meeting),
            Found::Entering(bodies, shifts) => {
                for (body, shift) in bodies.into_iter().zip(shifts) {
                    self.shift(hunt, body, shift);
                }
            }
        }
    }

    /// Finds the meetings of a body anew after its way was changed.
    pub(super) fn find_meetings_again(&mut self, hunt: &mut Hunt, body: u32) {
        let Some(&flight) = hunt.flights.of(body) else {
            return;
        };
        if !flight.is_followed() {
            return;
        }
        self.meet_others_again(hunt, flight);
        if self.hunts(body) {
            self.meet_flights(hunt, body, |_, _| true);
        } else if hunt.hunters.len() <= FEW_HUNTERS {
            self.meet_hunters(hunt, body);
        } else {
            self.meet_flights(hunt, body, Self::hunts);
        }
    }

    fn meet_others_again(&mut self, hunt: &mut Hunt, mut flight: Flight) {
        let mut block = core::mem::take(&mut hunt.again);
        block.clear();
        let areas = flight.areas;
        block
            .areas
            .extend_from_slice(&hunt.areas[flight.area_range()]);
        flight.areas.0 = 0;
        self.meet_others(&hunt.flights, &mut flight, &mut block);
        flight.areas = areas;
        self.counters.impacts_tested += block.tested;
        hunt.meetings.extend(block.meetings.iter().copied());
        // What was struck may hunt from now on.
        hunt.hunters.extend_from_slice(&block.hunters);
        self.put_back(hunt, flight);
        for &(body, shift) in &block.entered {
            self.shift(hunt, body, shift);
        }
        hunt.again = block;
    }
}
