//! Where a body is within the step: the pieces of its way.

use super::MAX_MEETINGS;
use crate::body::grid;
use crate::body::state::BodyPose;
use crate::body::table::sweep_between;
use crate::world::World;
use cairn2d_geometry::Sweep;
use cairn2d_geometry::math::{Vec2, WorldPoint};

/// A straight way that ends with the step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Fraction of the step at which it begins.
    pub(super) from: f32,
    pub(super) start: BodyPose,
    pub(super) end: BodyPose,
}

impl Piece {
    /// Returns where the body is at the fraction `at` of the step, not before the piece begins.
    pub(super) fn pose_at(&self, at: f32) -> BodyPose {
        if at >= 1.0 || self.from >= 1.0 || self.rests() {
            return self.end;
        }
        if at <= self.from {
            return self.start;
        }
        between(&self.start, &self.end, (at - self.from) / (1.0 - self.from))
    }

    /// Returns the motion from the fraction `at` to the end of the step, relative to `base`.
    pub(super) fn sweep_from(&self, at: f32, base: WorldPoint) -> Sweep {
        sweep_between(&self.pose_at(at), &self.end, base)
    }

    /// Says whether the body stands still.
    pub(super) fn rests(&self) -> bool {
        self.start.center == self.end.center && self.start.rotation == self.end.rotation
    }
}

/// A straight part of a body's way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    pub(super) slot: u32,
    /// Fractions of the step at which it begins and ends.
    pub(super) from: f32,
    pub(super) to: f32,
    pub(super) start: BodyPose,
    pub(super) end: BodyPose,
}

/// Returns the pose at `share` of the way from `start` to `end`, as a sweep has it.
fn between(start: &BodyPose, end: &BodyPose, share: f32) -> BodyPose {
    let rotation = start.rotation * (1.0 - share) + end.rotation * share;
    let length = rotation.norm();
    BodyPose {
        center: grid::moved(start.center, (end.center - start.center) * share),
        rotation: if length > 0.0 {
            rotation / length
        } else {
            start.rotation
        },
        local_center: end.local_center,
    }
}

/// Returns the turn from one rotation to the other, as (cosine, sine).
pub(super) fn turn_between(a: Vec2, b: Vec2) -> Vec2 {
    Vec2::new(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x)
}

/// What a fast body does in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flight {
    pub(super) slot: u32,
    /// What is left of its way.
    pub(super) piece: Piece,
    /// Where the body was when the step began.
    pub(super) origin: BodyPose,
    /// Impacts of the body in this step that were solved.
    pub(super) impacts: u32,
    /// How often its way was changed by what it met; meetings found before are out of date.
    pub(super) changes: u32,
    /// The shapes whose impact began the piece: ascending slots.
    pub(super) met: Option<[u32; 2]>,
    /// Its boxes: the first, and how many.
    pub(super) areas: (u32, u32),
    /// How far it may go on before it leaves the boxes of the broad phase [m].
    pub(super) slack: f32,
    /// Whether it is swept against dynamic bodies, and listed for it.
    pub(super) hunts: bool,
    /// Whether it slides along what it met, as long as nothing else is in the way.
    pub(super) slides: bool,
    /// Whether the end of its way is not where the substeps have brought it.
    pub(super) moved: bool,
}

impl Flight {
    /// Of no body.
    pub(super) const NONE: Self = Self {
        slot: u32::MAX,
        piece: Piece {
            from: 0.0,
            start: BodyPose::IDENTITY,
            end: BodyPose::IDENTITY,
        },
        origin: BodyPose::IDENTITY,
        impacts: 0,
        changes: 0,
        met: None,
        areas: (0, 0),
        slack: 0.0,
        hunts: false,
        slides: false,
        moved: false,
    };

    /// Returns the flight of a body that goes from `start` to `end` in the step.
    pub(super) fn of_step(slot: u32, start: BodyPose, end: BodyPose) -> Self {
        Self {
            slot,
            piece: Piece {
                from: 0.0,
                start,
                end,
            },
            origin: start,
            ..Self::NONE
        }
    }

    /// Returns the indices of its boxes.
    pub(super) fn area_range(&self) -> core::ops::Range<usize> {
        let first = self.areas.0 as usize;
        first..first + self.areas.1 as usize
    }

    /// Returns how far it has gone, or will have, when the step ends [m].
    pub(super) fn way(&self) -> Vec2 {
        self.piece.end.center - self.origin.center
    }

    /// Returns how it has turned, or will have, when the step ends, as (cosine, sine).
    pub(super) fn turn(&self) -> Vec2 {
        turn_between(self.origin.rotation, self.piece.end.rotation)
    }

    /// Has it stay where its way began.
    pub(super) fn wait(&mut self) {
        self.piece.end = self.piece.start;
        self.moved = true;
    }

    /// Moves the end of its way.
    pub(super) fn shift(&mut self, change: Vec2) {
        if change != Vec2::zeros() {
            let end = &mut self.piece.end;
            end.center = grid::moved(end.center, change);
            self.moved = true;
        }
    }

    /// Says whether its meetings are still looked at.
    pub(super) fn is_followed(&self) -> bool {
        self.changes < MAX_MEETINGS
    }
}

/// Of a body without a flight.
pub(super) const NO_FLIGHT: u32 = u32::MAX;

/// All flights of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Flights {
    pub(super) list: Vec<Flight>,
    /// Of each body slot its flight, or [`NO_FLIGHT`].
    pub(super) of_body: Vec<u32>,
}

impl Flights {
    /// Says whether a body has a flight.
    pub(super) fn has(&self, body: u32) -> bool {
        self.of_body[body as usize] != NO_FLIGHT
    }

    /// Returns the flight of a body that has one, once it has begun.
    pub(super) fn of(&self, body: u32) -> Option<&Flight> {
        self.list.get(self.of_body[body as usize] as usize)
    }

    pub(super) fn of_mut(&mut self, body: u32) -> Option<&mut Flight> {
        self.list.get_mut(self.of_body[body as usize] as usize)
    }

    /// Returns how often the way of a body was changed.
    pub(super) fn changes_of(&self, body: u32) -> u32 {
        self.of(body).map_or(0, |flight| flight.changes)
    }
}

/// The flights, with one that is not in the list yet.
#[derive(Clone, Copy)]
pub(super) struct Ways<'a> {
    pub(super) flights: &'a Flights,
    pub(super) own: Option<&'a Flight>,
}

impl<'a> Ways<'a> {
    /// All flights, as they are in the list.
    pub(super) fn of(flights: &'a Flights) -> Self {
        Self { flights, own: None }
    }

    /// Returns the flight of a body that has one.
    pub(super) fn flight(&self, body: u32) -> Option<&'a Flight> {
        match self.own {
            Some(own) if own.slot == body => Some(own),
            _ => self.flights.of(body),
        }
    }
}

impl World {
    /// Returns what is left of the way of the body in `slot`.
    pub(super) fn piece_of(&self, ways: Ways<'_>, slot: u32) -> Piece {
        match ways.flight(slot) {
            Some(flight) => flight.piece,
            None => Piece {
                from: 0.0,
                start: self.bodies.start_of_step(slot),
                end: self.bodies.poses[slot as usize],
            },
        }
    }
}
