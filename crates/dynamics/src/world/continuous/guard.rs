//! The last guard: whatever else became of a body that has met something, its middle does not pass what stands still.
//!
//! Contacts hold back the cores of what they are between. But seams leave contacts out, what lies behind a plane stops
//! nothing, and what overlaps by a little is let go; a body that is thrown from tile to tile within a step, spinning, may do
//! all of it in turn. So the ways of such bodies are looked at once more, by a smaller core and without exceptions.

use super::Hunt;
use super::cores::Face;
use super::flight::{Piece, turn_between};
use crate::body::grid;
use crate::body::state::angle_bound;
use crate::fat_box::place_box;
use crate::shape::BodyShape;
use crate::world::World;
use cairn2d_broadphase::ProxyKind;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{Circle, Shape, Sweep, TimeOfImpact, ToiState, time_of_impact};
use core::ops::ControlFlow;
use smallvec::SmallVec;

/// Radius of what is guarded, as a share of the core's, and of what is guarded where that much is in a thing already: little
/// more than the middle.
///
/// Larger: what slides over a bump is stopped there. Smaller: thin walls are entered deeper before.
const SHARES: [f32; 2] = [0.5, 0.02];

/// Times that a way is led along what is in it; then it ends there.
const SLIDES: u32 = 2;

/// Part of the core of a shape.
struct Middle {
    circle: Circle,
    shape: Shape,
}

impl Middle {
    fn of(record: &BodyShape, share: f32) -> Option<Self> {
        let core = record.core?;
        let circle = Circle::new(core.center(), share * core.radius()).ok()?;
        Some(Self {
            circle,
            shape: circle.into(),
        })
    }
}

impl World {
    /// Ends the flights whose middles would pass what stands still: those that met something, or touched it from the start.
    pub(super) fn guard_flights(&mut self, hunt: &mut Hunt) {
        let mut list = core::mem::take(&mut hunt.firm);
        list.extend_from_slice(&hunt.moved);
        list.sort_unstable();
        list.dedup();
        for &i in &list {
            let mut flight = hunt.flights.list[i as usize];
            let touches_firm = self.bodies.slots[flight.slot].static_touches > 0;
            if (touches_firm || flight.changes > 0)
                && self.bodies.is_dynamic(flight.slot)
                && self.guard_middles(flight.slot, &mut flight.piece)
            {
                flight.moved = true;
                self.put_back(hunt, flight);
            }
        }
        hunt.firm = list;
    }

    /// Keeps the middle of each shape of a body from passing what stands still, on a piece of its way: where there is
    /// something, it slides along it. Says whether there was.
    pub(super) fn guard_middles(&self, slot: u32, piece: &mut Piece) -> bool {
        for pass in 0..=SLIDES {
            let Some((impact, slide)) = self.first_in_the_way(slot, piece) else {
                return pass > 0;
            };
            if pass < SLIDES {
                piece.end.center = grid::moved(piece.end.center, slide);
            } else {
                piece.end = piece.pose_at(piece.from + (1.0 - piece.from) * impact.fraction);
            }
        }
        true
    }

    /// Returns what the middle of a shape of the body meets first, and how the end of its way must be moved so that it
    /// does not go further.
    fn first_in_the_way(&self, slot: u32, piece: &Piece) -> Option<(TimeOfImpact, Vec2)> {
        let way = (piece.end.center - piece.start.center).norm();
        let turn = angle_bound(turn_between(piece.start.rotation, piece.end.rotation));
        let sweep = piece.sweep_from(piece.from, piece.start.center);
        let mut first: Option<(TimeOfImpact, Vec2)> = None;
        for &shape in &self.bodies.slots[slot].shapes {
            let record = &self.shapes.slots[shape];
            let Some(middle) = Middle::of(record, SHARES[0]) else {
                continue;
            };
            if record.sensor
                || way + turn * record.core_offset(&piece.end) <= middle.circle.radius()
            {
                continue;
            }
            for other in self.still_shapes_near(piece, &middle.shape) {
                if let Some(found) = self.in_the_way([shape, other], piece, &sweep)
                    && first.is_none_or(|(impact, _)| found.0.fraction < impact.fraction)
                {
                    first = Some(found);
                }
            }
        }
        first
    }

    /// Lists the shapes of static bodies near the way of a part of the body, in order of slot.
    fn still_shapes_near(&self, piece: &Piece, part: &Shape) -> SmallVec<[u32; 8]> {
        let ends = [&piece.start, &piece.end];
        let [start, end] = ends.map(|pose| {
            let near = part.aabb(&pose.relative_to(pose.center));
            place_box(&near, pose.center, 0.0)
        });
        let mut near = SmallVec::new();
        let area = start.union(&end);
        self.broad
            .query_kinds(&[ProxyKind::Static], &area, u64::MAX, |other| {
                near.push(other);
                ControlFlow::Continue(())
            });
        near.sort_unstable();
        near
    }

    /// Returns when the middle of the first shape meets the second one, which is static, and how the end of its way must be
    /// moved.
    fn in_the_way(
        &self,
        [shape, other]: [u32; 2],
        piece: &Piece,
        sweep: &Sweep,
    ) -> Option<(TimeOfImpact, Vec2)> {
        let (record, target) = (&self.shapes.slots[shape], &self.shapes.slots[other]);
        // What decides by the contact, or by the side, is no wall.
        let decides = |shape: &BodyShape| shape.pre_solve || shape.material.one_way.is_some();
        if target.sensor || decides(record) || decides(target) {
            return None;
        }
        let base = piece.start.center;
        let still = self.bodies.poses[target.body as usize];
        let its_sweep = crate::body::table::sweep_between(&still, &still, base);
        for share in SHARES {
            let middle = Middle::of(record, share)?;
            let impact = time_of_impact(&target.geometry, &its_sweep, &middle.shape, sweep, 1.0);
            match impact.state {
                ToiState::Overlapped => {}
                ToiState::Touching
                    if self.stops_along(other, impact.normal)
                        && self.pair_rules().allow(shape, other) =>
                {
                    let back = Face::of_impact(&impact).way_out(&middle.shape, [sweep, &its_sweep]);
                    return (back != Vec2::zeros()).then_some((impact, back));
                }
                _ => return None,
            }
        }
        None
    }
}
