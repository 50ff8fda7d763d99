//! What is written down when the way of a body changes.

use super::flight::{Flight, Leg, Piece};
use super::{Hunt, SweptShape};
use crate::body::state::BodyPose;
use crate::body::state::angle_bound;
use crate::fat_box::place_box;
use crate::world::World;
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::Vec2;

impl World {
    /// Has the body in `slot` go from `start`, at the fraction `from`, to `end`. Its meetings must be found anew.
    pub(super) fn change_way(
        &mut self,
        hunt: &mut Hunt,
        slot: u32,
        from: f32,
        (start, end): (BodyPose, BodyPose),
    ) {
        let mut flight = self.flight_or_new(hunt, slot);
        if self.shapes.sensors > 0 && from > flight.piece.from {
            hunt.trail.push(Leg {
                slot,
                from: flight.piece.from,
                to: from,
                start: flight.piece.start,
                end: start,
            });
        }
        flight.changes += 1;
        // Meetings on a way that is not looked at any more would be missed.
        let end = if flight.is_followed() { end } else { start };
        flight.piece = self.guarded(slot, flight.piece.start, Piece { from, start, end });
        flight.moved = true;
        if !flight.piece.rests() {
            self.hold_back_cores(&hunt.flights, &mut flight);
        }
        self.put_back(hunt, flight);
        for place in flight.area_range() {
            let area = self.area_of_piece(hunt.areas[place].0, &flight.piece);
            hunt.areas[place].1 = area;
            if place < hunt.tree.len() {
                hunt.tree.grow(place, &area);
            }
        }
    }

    /// Returns the next piece of a body's way; if the one so far, from `before`, leads through what stands still, it ends there.
    fn guarded(&self, slot: u32, before: BodyPose, next: Piece) -> Piece {
        let mut leg = Piece {
            from: 0.0,
            start: before,
            end: next.start,
        };
        if !self.bodies.is_dynamic(slot) || !self.guard_middles(slot, &mut leg) {
            return next;
        }
        Piece {
            from: next.from,
            start: leg.end,
            end: leg.end,
        }
    }

    /// Moves the end of the way of a body.
    pub(super) fn shift(&mut self, hunt: &mut Hunt, slot: u32, change: Vec2) {
        if change != Vec2::zeros() {
            let mut flight = self.flight_or_new(hunt, slot);
            flight.shift(change);
            self.put_back(hunt, flight);
        }
    }

    /// Returns the flight of a body, which begins one if it has none.
    fn flight_or_new(&self, hunt: &mut Hunt, slot: u32) -> Flight {
        if let Some(&flight) = hunt.flights.of(slot) {
            return flight;
        }
        let first = hunt.areas.len();
        let boxes = self.bodies.slots[slot].shapes.iter();
        let boxes = boxes.map(|&shape| -> SweptShape { (shape, self.shapes.slots[shape].fat_box) });
        hunt.areas.extend(boxes);
        let (start, end) = (
            self.bodies.start_of_step(slot),
            self.bodies.poses[slot as usize],
        );
        let flight = Flight {
            areas: (first as u32, (hunt.areas.len() - first) as u32),
            ..Flight::of_step(slot, start, end)
        };
        hunt.flights.of_body[slot as usize] = hunt.flights.list.len() as u32;
        hunt.slots.push(slot);
        hunt.flights.list.push(flight);
        flight
    }

    /// Writes a changed flight down.
    pub(super) fn put_back(&mut self, hunt: &mut Hunt, flight: Flight) {
        if flight.moved {
            self.place_within(&flight);
            hunt.moved.push(hunt.flights.of_body[flight.slot as usize]);
        }
        *hunt
            .flights
            .of_mut(flight.slot)
            .expect("a flight that began") = flight;
    }

    /// Puts the body of a flight where its way ends.
    pub(super) fn place_within(&mut self, flight: &Flight) {
        let index = flight.slot as usize;
        let state = &mut self.bodies.states[index];
        state.delta_position = flight.way();
        state.delta_rotation = flight.turn();
        self.bodies.poses[index] = flight.piece.end;
        let extent = self.bodies.tracks[index].max_extent;
        let travel = flight.way().norm() + angle_bound(flight.turn()) * extent;
        // What collide counts must not be less than what was moved.
        self.bodies.moved[index] = self.bodies.moved[index].max(travel);
        self.bodies.tracks[index].slack = 0.0;
    }

    /// Returns a box around a shape on a piece of its way.
    fn area_of_piece(&self, shape: u32, piece: &Piece) -> Aabb {
        self.area_between(shape, &piece.start, &piece.end)
    }

    /// Returns a box around a shape on its way from one pose of its body to another.
    pub(super) fn area_between(&self, shape: u32, start: &BodyPose, end: &BodyPose) -> Aabb {
        let shape = &self.shapes.slots[shape];
        let at = |pose: &BodyPose| {
            let near = shape.geometry.aabb(&pose.relative_to(pose.center));
            place_box(&near, pose.center, shape.margin)
        };
        at(start).union(&at(end))
    }
}
