//! Who meets whom, when: pairs of shapes whose ways come together, and the first time of impact of each.

use super::ahead::TOUCH;
use super::{Hunt, NO_FLIGHT};
use crate::body::track_flags;
use crate::contact::patch::patch_flags;
use crate::material::one_way_stops;
use crate::solver::MIN_APPROACH;
use crate::world::World;
use crate::world::finalize::{FAST_SHARE, turn_of};
use cairn2d_broadphase::ProxyKind;
use cairn2d_geometry::math::{Vec2, cross_scalar};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{
    Aabb, ManifoldCache, Sweep, TimeOfImpact, ToiState, collide, time_of_impact,
};
use core::ops::ControlFlow;

/// A shape of a fast body, and a box around its way.
pub(crate) type SweptShape = (u32, Aabb);

/// Two shapes that come together within the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meeting {
    /// Fraction of the step.
    pub(crate) fraction: f32,
    /// Slots; the first is of a dynamic body.
    pub(crate) shapes: [u32; 2],
    /// Theirs.
    pub(crate) bodies: [u32; 2],
    /// The search for the time gave up: nothing touches before it, what follows is not known.
    pub(crate) gave_up: bool,
}

impl World {
    /// Finds the first meeting of each pair, of flights with each other and with all else.
    pub(super) fn find_first_meetings(&mut self, hunt: &mut Hunt) {
        for index in 0..hunt.flights.len() {
            self.meet_others(hunt, index);
        }
        let mut order = core::mem::take(&mut hunt.order);
        order.clear();
        order.extend(0..hunt.areas.len() as u32);
        order.sort_unstable_by(|&i, &j| {
            let left = |i: u32| hunt.areas[i as usize].1.min.x;
            left(i).total_cmp(&left(j)).then(i.cmp(&j))
        });
        for (place, &i) in order.iter().enumerate() {
            let (mine, area) = hunt.areas[i as usize];
            for &j in &order[place + 1..] {
                let (other, its_area) = hunt.areas[j as usize];
                if its_area.min.x > area.max.x {
                    break;
                }
                if area.overlaps(&its_area) {
                    self.meet(hunt, mine, other);
                }
            }
        }
        hunt.order = order;
    }

    /// Finds the meetings of a flight anew.
    pub(super) fn find_meetings_again(&mut self, hunt: &mut Hunt, body: u32) {
        hunt.meetings
            .retain(|meeting| !meeting.bodies.contains(&body));
        if !self.is_followed(hunt, body) {
            return;
        }
        let index = hunt.flight_of[body as usize] as usize;
        self.meet_others(hunt, index);
        let range = hunt.flights[index].areas.clone();
        for i in range.clone() {
            let (mine, area) = hunt.areas[i as usize];
            for j in 0..hunt.areas.len() as u32 {
                let (other, its_area) = hunt.areas[j as usize];
                if !range.contains(&j) && area.overlaps(&its_area) {
                    self.meet(hunt, mine, other);
                }
            }
        }
    }

    /// Finds what of a flight meets bodies that have none.
    fn meet_others(&mut self, hunt: &mut Hunt, index: usize) {
        let flight = &hunt.flights[index];
        let kinds = self.kinds_on_the_way(flight.slot);
        let mut found = core::mem::take(&mut hunt.found);
        for place in flight.areas.clone() {
            let (mine, area) = hunt.areas[place as usize];
            found.clear();
            let flight_of = &hunt.flight_of;
            self.broad.query_kinds(kinds, &area, u64::MAX, |other| {
                if flight_of[self.shapes[other].body as usize] == NO_FLIGHT {
                    found.push(other);
                }
                ControlFlow::Continue(())
            });
            for &other in &found {
                self.meet(hunt, mine, other);
            }
        }
        hunt.found = found;
    }

    /// Returns what the body in `slot` is swept against. Dynamic bodies, which are many, only by what moved further than
    /// its own half thickness: less leads through nothing.
    fn kinds_on_the_way(&self, slot: u32) -> &'static [ProxyKind] {
        let (track, way) = (
            &self.bodies.tracks[slot as usize],
            self.bodies.moved[slot as usize],
        );
        if track.flags & track_flags::DYNAMIC == 0 {
            return &[ProxyKind::Dynamic];
        }
        let all = track_flags::BULLET | track_flags::SUBSTEP;
        if track.flags & all != 0 || way > track.min_extent {
            &ProxyKind::ALL
        } else {
            &[ProxyKind::Static, ProxyKind::Kinematic]
        }
    }

    /// Notes when two shapes meet, if they do.
    fn meet(&mut self, hunt: &mut Hunt, first: u32, second: u32) {
        let [a, b] = [first, second].map(|shape| self.shapes[shape].body);
        let shapes = match (self.bodies.is_dynamic(a), self.bodies.is_dynamic(b)) {
            (true, true) => [first.min(second), first.max(second)],
            (true, false) => [first, second],
            (false, true) => [second, first],
            (false, false) => return,
        };
        let bodies = shapes.map(|shape| self.shapes[shape].body);
        let thickness = self.free_way(bodies);
        if !self.may_pass_each_other(bodies, thickness) || !self.is_obstacle(shapes) {
            return;
        }
        if let Some(impact) = self.impact_of(hunt, shapes, bodies, thickness) {
            hunt.meetings.push(impact);
        }
    }

    /// Returns how far two bodies may move into each other in a step without being swept \[m\].
    fn free_way(&self, bodies: [u32; 2]) -> f32 {
        let [a, b] = bodies.map(|body| &self.bodies.tracks[body as usize]);
        if (a.flags | b.flags) & track_flags::SUBSTEP != 0 {
            return TOUCH;
        }
        let bullets = [a, b].into_iter();
        let bullets = bullets.filter(|track| track.flags & track_flags::BULLET != 0);
        let thin = bullets.map(|track| track.min_extent).reduce(f32::min);
        let both_move = b.flags & track_flags::DYNAMIC != 0;
        FAST_SHARE
            * match thin {
                Some(thin) => thin,
                None if both_move => a.min_extent + b.min_extent,
                None => a.min_extent,
            }
    }

    /// Says whether two bodies, the second one dynamic, move so far against each other.
    fn may_pass_each_other(&self, [a, b]: [u32; 2], thickness: f32) -> bool {
        if !self.bodies.is_dynamic(b) {
            return true;
        }
        let [mine, its] = [a, b].map(|body| {
            let index = body as usize;
            if !self.bodies.awake.contains(body) {
                return (Vec2::zeros(), 0.0);
            }
            let state = &self.bodies.states[index];
            let turn = turn_of(state) * self.bodies.tracks[index].max_extent;
            (state.delta_position, turn)
        });
        (mine.0 - its.0).norm() + mine.1 + its.1 > thickness
    }

    /// Says whether the shape in `slot` stops what lies along `normal` out of it, as far as it is one-way.
    fn stops_along(&self, slot: u32, normal: Vec2) -> bool {
        let shape = &self.shapes[slot];
        let rotation = self.bodies.poses[shape.body as usize].rotation;
        one_way_stops(shape.material.one_way, rotation, normal)
    }

    /// Says whether the shapes stop each other: they may meet, and do not touch yet.
    fn is_obstacle(&self, [mine, other]: [u32; 2]) -> bool {
        let (a, b) = (&self.shapes[mine], &self.shapes[other]);
        !a.sensor
            && !b.sensor
            && a.body != b.body
            && !self.touches(mine, other)
            && self.pair_rules().allow(mine, other)
    }

    /// Says whether the substeps have kept the two shapes apart.
    fn touches(&self, mine: u32, other: u32) -> bool {
        let [body, partner] = [mine, other].map(|shape| self.shapes[shape].body);
        self.bodies.slots[body].contacts.iter().any(|&slot| {
            self.partner(body, slot) == partner && {
                let contact = &self.contacts[slot];
                let pair = (contact.shape_a, contact.shape_b);
                contact.pushes()
                    && (pair == (mine, other) || pair == (other, mine))
                    && self.patches[slot as usize].flags & patch_flags::LEFT_OUT == 0
            }
        })
    }

    /// Returns when two shapes meet, unless they do not go further than `thickness` into each other.
    fn impact_of(
        &mut self,
        hunt: &Hunt,
        shapes: [u32; 2],
        bodies: [u32; 2],
        thickness: f32,
    ) -> Option<Meeting> {
        let (from_a, start) = self.piece_of(hunt, bodies[0]);
        let (from_b, _) = self.piece_of(hunt, bodies[1]);
        let from = from_a.max(from_b);
        let base = start.center;
        let [mine, its] = bodies.map(|body| self.sweep_from(hunt, body, from, base));
        if self.has_just_met(hunt, shapes, bodies) {
            self.hold_back_from(hunt, shapes, bodies);
            return None;
        }
        self.counters.impacts_tested += 1;
        let [geometry, its_geometry] = shapes.map(|shape| &self.shapes[shape].geometry);
        let impact = time_of_impact(its_geometry, &its, geometry, &mine, 1.0);
        let gave_up = match impact.state {
            ToiState::Failed => true,
            ToiState::Touching => {
                // The normal leads from the second shape to the first.
                let one_way = self.stops_along(shapes[1], impact.normal)
                    && self.stops_along(shapes[0], -impact.normal);
                let stops = || one_way && !self.lies_behind(hunt, bodies, shapes[1]);
                if self.way_in(bodies, [&mine, &its], &impact) <= thickness {
                    if stops() {
                        self.hold_before(shapes, bodies, [&mine, &its], &impact);
                    }
                    return None;
                }
                if !stops() {
                    return None;
                }
                false
            }
            // What rounding made overlap is met at once.
            ToiState::Overlapped if thickness == TOUCH => {
                if !self.comes_closer(bodies, shapes, [&mine, &its]) {
                    return None;
                }
                false
            }
            // Entered a little before, by less than an impact: then its core must not follow.
            ToiState::Overlapped if !self.bodies.is_dynamic(bodies[1]) => {
                self.hold_back_from(hunt, shapes, bodies);
                return None;
            }
            _ => return None,
        };
        Some(Meeting {
            fraction: from + (1.0 - from) * impact.fraction,
            shapes,
            bodies,
            gave_up,
        })
    }

    /// Says whether the impact of the two shapes began the present pieces of both bodies' ways.
    fn has_just_met(&self, hunt: &Hunt, shapes: [u32; 2], bodies: [u32; 2]) -> bool {
        let pair = [shapes[0].min(shapes[1]), shapes[0].max(shapes[1])];
        let [met_a, met_b] = bodies.map(|body| {
            // What has no flight goes on as it did.
            hunt.flight(body)
                .is_none_or(|f| f.met == Some(pair) || !self.bodies.is_dynamic(body))
        });
        let any = bodies
            .iter()
            .any(|&body| hunt.flight(body).is_some_and(|f| f.met == Some(pair)));
        met_a && met_b && any
    }

    /// Says whether two shapes that just touch come together as fast as an impact.
    fn comes_closer(&self, bodies: [u32; 2], shapes: [u32; 2], sweeps: [&Sweep; 2]) -> bool {
        let [mine, its] = sweeps.map(|sweep| sweep.pose_at(0.0));
        let [a, b] = shapes.map(|shape| &self.shapes[shape].geometry);
        let mut cache = ManifoldCache::default();
        let manifold = collide(a, b, &mine.inv_mul(&its), &mut cache);
        let normal = mine.rotation * manifold.normal;
        manifold.points().iter().any(|point| {
            let place = mine * point.point;
            let [va, vb] = [0, 1].map(|i| {
                let state = &self.bodies.states[bodies[i] as usize];
                let arm = place - sweeps[i].start;
                state.velocity + cross_scalar(state.angular_velocity, &arm)
            });
            point.separation > -LINEAR_SLOP && (va - vb).dot(&normal) > MIN_APPROACH
        })
    }

    /// Returns how far the bodies move into each other at the place of an impact \[m\].
    ///
    /// Of a dynamic body its centre counts: what grazes, slides over a seam or rolls along a chain is left to the contact
    /// that it makes in the next step, and loses no time. Of a kinematic one, which may turn, the point that is hit.
    fn way_in(&self, bodies: [u32; 2], [mine, its]: [&Sweep; 2], impact: &TimeOfImpact) -> f32 {
        let its_way = if self.bodies.is_dynamic(bodies[1]) {
            its.end - its.start
        } else {
            let local = its.pose_at(impact.fraction).inverse() * impact.point;
            its.pose_at(1.0) * local - its.pose_at(0.0) * local
        };
        -((mine.end - mine.start) - its_way).dot(&impact.normal)
    }
}
