//! Sensors that fast bodies crossed within the step: begun and ended.
//!
//! A way that was broken by an impact is followed leg by leg: what lies before a wall is noticed, what lies behind it is not.

use super::Hunt;
use super::flight::{Flight, Leg, Ways};
use crate::body::table::sweep_between;
use crate::event::Overlap;
use crate::world::World;
use cairn2d_geometry::{Aabb, ToiState, overlaps, time_of_impact};
use core::ops::ControlFlow;

impl World {
    /// Reports the sensors that shapes of the flights, or visitors that they as sensors, crossed. What overlaps at the end of
    /// the step is found by its contact at the next one.
    pub(super) fn sense_on_the_ways(&mut self, hunt: &mut Hunt) {
        hunt.trail.sort_by_key(|leg| leg.slot);
        let mut crossed = core::mem::take(&mut self.scratch.crossed);
        for flight in &hunt.flights.list {
            let first = hunt.trail.partition_point(|leg| leg.slot < flight.slot);
            let legs = hunt.trail[first..].iter();
            let legs = legs.take_while(|leg| leg.slot == flight.slot);
            for place in flight.area_range() {
                let (mine, area) = hunt.areas[place];
                for leg in legs.clone() {
                    let area = self.area_between(mine, &leg.start, &leg.end);
                    self.cross_on_leg(hunt, (mine, area), leg, &mut crossed);
                }
                self.cross_on_leg(hunt, (mine, area), &last_leg(flight), &mut crossed);
            }
        }
        self.report_crossed(&mut crossed);
        self.scratch.crossed = crossed;
    }

    /// Lists the shapes that the moving shape `mine` crosses on a leg within `area`.
    fn cross_on_leg(
        &self,
        hunt: &Hunt,
        (mine, area): (u32, Aabb),
        leg: &Leg,
        crossed: &mut Vec<(u32, u32)>,
    ) {
        self.broad.query(&area, u64::MAX, |other| {
            if self.crosses(hunt, mine, other, leg) {
                crossed.push((mine.min(other), mine.max(other)));
            }
            ControlFlow::Continue(())
        });
    }

    /// Says whether the moving shape `mine` and `other`, one of them a sensor, overlap on the leg but neither before nor after
    /// the step.
    fn crosses(&self, hunt: &Hunt, mine: u32, other: u32, leg: &Leg) -> bool {
        let (a, b) = (&self.shapes.slots[mine], &self.shapes.slots[other]);
        let noticed = (a.sensor || b.sensor) && a.body != b.body;
        if !noticed || !self.pair_rules().allow(mine, other) || self.overlap_is_known(mine, other) {
            return false;
        }
        let base = leg.start.center;
        let its_piece = self.piece_of(Ways::of(&hunt.flights), b.body);
        let sweep = sweep_between(&leg.start, &leg.end, base);
        let its_sweep = sweep_between(
            &its_piece.pose_at(leg.from),
            &its_piece.pose_at(leg.to),
            base,
        );
        let impact = time_of_impact(&a.geometry, &sweep, &b.geometry, &its_sweep, 1.0);
        if impact.state != ToiState::Touching {
            return false;
        }
        let poses = [a.body, b.body].map(|body| &self.bodies.poses[body as usize]);
        !overlaps(&a.geometry, &b.geometry, &poses[0].pose_of(poses[1]))
    }

    /// Reports what was crossed, each pair once though both fly or one comes by again, in order of slots.
    fn report_crossed(&mut self, crossed: &mut Vec<(u32, u32)>) {
        crossed.sort_unstable();
        crossed.dedup();
        for (low, high) in crossed.drain(..) {
            for overlap in [Overlap::Begins, Overlap::Ends] {
                for pair in [[low, high], [high, low]] {
                    self.events
                        .report_overlap(&self.bodies, &self.shapes, pair, overlap);
                }
            }
        }
    }
}

/// Returns what is left of the way of a flight.
fn last_leg(flight: &Flight) -> Leg {
    Leg {
        slot: flight.slot,
        from: flight.piece.from,
        to: 1.0,
        start: flight.piece.start,
        end: flight.piece.end,
    }
}
