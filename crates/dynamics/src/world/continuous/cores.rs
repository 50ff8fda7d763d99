//! What already touches is held back by its core: a small circle inside the shape that must not pass through anything,
//! so that the shape itself may slide and turn.

use super::flight::{Flight, Flights, Ways, turn_between};
use crate::body::grid;
use crate::body::state::angle_bound;
use crate::body::track_flags;
use crate::contact::constraint::{ConstraintPoint, constraint_flags};
use crate::world::World;
use cairn2d_geometry::math::{Point, Pose, Vec2, WorldPoint};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{Shape, Sweep, TimeOfImpact, ToiState, time_of_impact};

/// Times that the contacts of a body are gone over: in a narrow corner one side pushes the core into the other.
const HOLD_PASSES: u32 = 3;

/// Way below which a core was not held back: rounding [m].
const NO_WAY: f32 = 0.01 * LINEAR_SLOP;

/// A face that a core must not pass: a plane that moves and turns with what it belongs to.
pub(super) struct Face {
    /// Fraction of the sweeps at which it is as said here.
    fraction: f32,
    /// Unit vector toward the core, and a point of the plane.
    normal: Vec2,
    point: Point,
    /// Height over the plane that the core must keep [m].
    least: f32,
}

impl Face {
    /// The face that an impact is with.
    ///
    /// The core must not come nearer than half a slop: from nearer and nearer the search for the next impact has less and
    /// less to go by.
    pub(super) fn of_impact(impact: &TimeOfImpact) -> Self {
        Self {
            fraction: impact.fraction,
            normal: impact.normal,
            point: impact.point,
            least: 0.5 * impact.separation.max(LINEAR_SLOP),
        }
    }

    /// Returns how the end of a core's way must be moved so that it stays before the face.
    ///
    /// The face goes on, and turns, with what is met until the step ends: so a bar that turns pushes the core before it.
    pub(super) fn way_out(&self, core: &Shape, [mine, its]: [&Sweep; 2]) -> Vec2 {
        let (then, end) = (its.pose_at(self.fraction), its.pose_at(1.0));
        let normal = end.rotation * (then.rotation.inverse() * self.normal);
        let place = end * (then.inverse() * self.point);
        let height = height_of(core, &mine.pose_at(1.0), &place, &normal);
        normal * (self.least - height).max(0.0)
    }
}

/// Returns the least height of a shape at `pose` over the plane through `place` [m].
fn height_of(shape: &Shape, pose: &Pose, place: &Point, normal: &Vec2) -> f32 {
    let lowest = pose * shape.support(&(pose.rotation.inverse() * -normal));
    (lowest - place).dot(normal)
}

impl World {
    /// Says whether the core of the first body is held back by the second one.
    fn stops(&self, mine: u32, other: u32) -> bool {
        let flags = |body: u32| self.bodies.tracks[body as usize].flags;
        flags(other) & track_flags::DYNAMIC == 0
            || flags(mine) & track_flags::BULLET != 0
            || self.sweeps_past(other, mine)
    }

    /// Says whether a dynamic body is so long and spins so fast that it may turn past another one that it pushes: the normal
    /// of their contact stays during a step.
    pub(super) fn sweeps_past(&self, body: u32, other: u32) -> bool {
        if !self.scratch.ccd_input.spinning.contains(body) {
            return false;
        }
        let [track, its] = [body, other].map(|body| &self.bodies.tracks[body as usize]);
        let turn = self.bodies.states[body as usize].rotation_bound();
        turn * track.max_extent > track.min_extent + its.min_extent
    }

    /// Keeps the cores of the body's shapes from passing what they touch, on what is left of its way.
    pub(super) fn hold_back_cores(&self, flights: &Flights, mine: &mut Flight) {
        let flags = self.bodies.tracks[mine.slot as usize].flags;
        let touches_firm = self.bodies.slots[mine.slot].static_touches > 0;
        let may_be_swept_past = self.scratch.ccd_input.beside_spinning.contains(mine.slot);
        if !touches_firm && !may_be_swept_past && flags & track_flags::BULLET == 0 {
            return;
        }
        for _ in 0..HOLD_PASSES {
            if self.hold_back_once(flights, mine).is_none() {
                return;
            }
        }
        // In a narrow corner each side pushes into the other: there the body waits.
        if let Some(fraction) = self.hold_back_once(flights, mine) {
            let from = mine.piece.from;
            let stop = mine.piece.pose_at(from + (1.0 - from) * fraction);
            mine.shift(stop.center - mine.piece.end.center);
        }
    }

    /// Goes once over the contacts of the body; returns the fraction of its way at which the first core was held
    /// back, if one was.
    fn hold_back_once(&self, flights: &Flights, mine: &mut Flight) -> Option<f32> {
        let mut first: Option<f32> = None;
        for &contact in &self.bodies.slots[mine.slot].contacts {
            // In a pile nearly all end here: what is asked first must be near in memory.
            let partner = self.contacts.other_body(contact, mine.slot);
            if self.stops(mine.slot, partner)
                && self.contacts.slots[contact].pushes()
                && self.contacts.constraints[contact as usize].flags & constraint_flags::INACTIVE
                    == 0
                && self.may_pass(mine, contact)
                && let Some(fraction) = self.hold_back_core(flights, mine, contact)
            {
                first = Some(first.map_or(fraction, |other| other.min(fraction)));
            }
        }
        first
    }

    /// Says whether a core may have come to what its shape touches in `contact`.
    ///
    /// Cheap and on the safe side: the other shape lies behind the plane of the contact, no further before it than
    /// the overlap. A core that stays in front by its radius has not met it.
    fn may_pass(&self, flight: &Flight, contact: u32) -> bool {
        let constraint = &self.contacts.constraints[contact as usize];
        let is_a = constraint.body_a == flight.slot;
        let other = if is_a {
            constraint.body_b
        } else {
            constraint.body_a
        };
        let (my_start, its_start) = (&flight.origin, self.bodies.start_of_step(other));
        let (start_a, start_b) = if is_a {
            (my_start, &its_start)
        } else {
            (&its_start, my_start)
        };
        let sign = if is_a { -1.0 } else { 1.0 };
        let away = start_a.rotate(constraint.normal) * sign;
        let record = &self.contacts.slots[contact];
        let mine = &self.shapes.slots[if is_a { record.shape_a } else { record.shape_b }];
        let Some(core) = &mine.core else {
            return true;
        };
        // Height of my centre of mass over each point, less the overlap there.
        let height = |point: &ConstraintPoint| {
            let on_a = start_a.rotate(point.anchor_a);
            let on_b = (start_b.center - start_a.center) + start_b.rotate(point.anchor_b);
            let overlap = (point.base_separation + (on_b - on_a).dot(&away) * sign).min(0.0);
            ((my_start.center - start_a.center) - on_a).dot(&away) + overlap
        };
        let points = &constraint.points[..constraint.count as usize];
        let lowest = points.iter().map(height).fold(f32::INFINITY, f32::min);
        // About a centre of mass that is not its own, a core also moves by turning; and what it touches may move.
        let end = &flight.piece.end;
        let offset = mine.core_offset(end);
        let turn = angle_bound(turn_between(my_start.rotation, end.rotation));
        let comes_nearer = (-flight.way().dot(&away)).max(0.0)
            + (1.0 + turn) * offset
            + self.bodies.moved[other as usize];
        lowest - comes_nearer < core.radius()
    }

    /// Takes back the way of a core into the shape that it touches in `contact`. The contact was solved in this
    /// step and the shape may slide and turn on it: only the way is taken back, not the time. Returns when it met it, if it
    /// did.
    fn hold_back_core(&self, flights: &Flights, mine: &mut Flight, index: u32) -> Option<f32> {
        let contact = &self.contacts.slots[index];
        let (shape, other) = if contact.body_a == mine.slot {
            (contact.shape_a, contact.shape_b)
        } else {
            (contact.shape_b, contact.shape_a)
        };
        let (core, target) = (
            self.shapes.slots[shape].core_shape(),
            &self.shapes.slots[other],
        );
        let (from, base) = (mine.piece.from, mine.piece.start.center);
        let sweep = mine.piece.sweep_from(from, base);
        let its_piece = self.piece_of(Ways::of(flights), target.body);
        let its_sweep = its_piece.sweep_from(from, base);
        let impact = time_of_impact(&target.geometry, &its_sweep, &core, &sweep, 1.0);
        let face = match impact.state {
            ToiState::Touching => Face::of_impact(&impact),
            ToiState::Overlapped => {
                let mut face = self.face_of_contact(index, mine, base);
                let pose = sweep.pose_at(0.0);
                let height = height_of(&core, &pose, &face.point, &face.normal);
                // No deeper than it is.
                face.least = height.min(0.0);
                face
            }
            _ => return None,
        };
        let back = face.way_out(&core, [&sweep, &its_sweep]);
        mine.shift(back);
        // Who waits for what moves is passed by it: it is pushed to the end of the step.
        let waits = !self.bodies.awake.contains(target.body);
        let fraction = if waits { face.fraction } else { 1.0 };
        (back.norm() > NO_WAY).then_some(fraction)
    }

    /// Returns the face of what the body touches, relative to `base`, as it is when the step begins: through the deepest
    /// point of the contact.
    fn face_of_contact(&self, contact: u32, mine: &Flight, base: WorldPoint) -> Face {
        let constraint = &self.contacts.constraints[contact as usize];
        let [a, b] = [constraint.body_a, constraint.body_b].map(|body| {
            if body == mine.slot {
                mine.origin
            } else {
                self.bodies.start_of_step(body)
            }
        });
        let normal = a.rotate(constraint.normal);
        let toward_core = if constraint.body_b == mine.slot {
            normal
        } else {
            -normal
        };
        let places = constraint.points[..constraint.count as usize]
            .iter()
            .map(|point| {
                let on_a = a.center + a.rotate(point.anchor_a);
                let on_b = b.center + b.rotate(point.anchor_b);
                let separation = point.base_separation + (on_b - on_a).dot(&normal);
                let middle = if constraint.body_b == mine.slot {
                    on_a
                } else {
                    on_b
                };
                // Anchors are halfway between the surfaces.
                (separation, middle - toward_core * (0.5 * separation))
            });
        let deepest = places.min_by(|p, q| p.0.total_cmp(&q.0));
        let (_, place) = deepest.unwrap_or((0.0, mine.piece.start.center));
        Face {
            fraction: 0.0,
            normal: toward_core,
            point: Point::from(place - base),
            least: 0.0,
        }
    }

    /// Returns how the end of the way of a shape's core must be moved so that it stays before a face which the body enters
    /// by less than would be an impact: only the way is taken back, no time.
    pub(super) fn way_back(&self, shape: u32, sweeps: [&Sweep; 2], impact: &TimeOfImpact) -> Vec2 {
        let core = self.shapes.slots[shape].core_shape();
        Face::of_impact(impact).way_out(&core, sweeps)
    }

    /// Returns how the ends of the ways of two bodies must be moved so that their shapes, whose impact was just solved, do
    /// not turn deep into each other in what is left of the step.
    pub(super) fn ways_back(
        &self,
        ways: Ways<'_>,
        shapes: [u32; 2],
        bodies: [u32; 2],
    ) -> [Vec2; 2] {
        let mut pieces = bodies.map(|body| self.piece_of(ways, body));
        let mut shifts = [Vec2::zeros(); 2];
        for [i, j] in [[0, 1], [1, 0]] {
            if !self.bodies.is_dynamic(bodies[i]) {
                continue;
            }
            let (from, base) = (pieces[i].from, pieces[i].start.center);
            let [sweep, its_sweep] = [i, j].map(|k: usize| pieces[k].sweep_from(from, base));
            let (core, target) = (
                self.shapes.slots[shapes[i]].core_shape(),
                &self.shapes.slots[shapes[j]],
            );
            let impact = time_of_impact(&target.geometry, &its_sweep, &core, &sweep, 1.0);
            let stops = impact.state == ToiState::Touching
                && self.stops_along(shapes[j], impact.normal)
                && self.stops_along(shapes[i], -impact.normal);
            if stops {
                shifts[i] = Face::of_impact(&impact).way_out(&core, [&sweep, &its_sweep]);
                let end = &mut pieces[i].end;
                end.center = grid::moved(end.center, shifts[i]);
            }
        }
        shifts
    }
}
