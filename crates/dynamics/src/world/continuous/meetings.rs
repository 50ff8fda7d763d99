//! When two shapes meet: the first time of impact of what comes together.

use super::ahead::TOUCH;
use super::flight::Ways;
use crate::body::state::angle_bound;
use crate::body::track_flags;
use crate::contact::constraint::constraint_flags;
use crate::material::one_way_stops;
use crate::solver::MIN_APPROACH;
use crate::step::sweep_threshold::{FAST_SHARE, free_share};
use crate::world::World;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{
    ChainSegment, ManifoldCache, Shape, Sweep, TimeOfImpact, ToiState, collide, surface_normal,
    time_of_impact,
};
use core::cmp::Ordering;

/// Two shapes that come together within the step. The greater comes first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// Fraction of the step.
    pub(super) fraction: f32,
    /// Slots; the first is of a dynamic body.
    pub(super) shapes: [u32; 2],
    /// Theirs.
    pub(super) bodies: [u32; 2],
    /// Unit normal of the surfaces, from the second shape to the first; zero where it is not known.
    pub(super) normal: Vec2,
    /// How often the ways of the bodies had been changed when the meeting was found.
    pub(super) changes: [u32; 2],
    /// The search for the time gave up: nothing touches before it, what follows is not known.
    pub(super) gave_up: bool,
    /// The surfaces touch at the fraction; else there is a small gap then.
    pub(super) timed: bool,
}

impl Ord for Meeting {
    fn cmp(&self, other: &Self) -> Ordering {
        let time = self.fraction.total_cmp(&other.fraction);
        time.then(self.shapes.cmp(&other.shapes)).reverse()
    }
}

impl PartialOrd for Meeting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Meeting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Meeting {}

/// What becomes of two shapes on their ways.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found {
    Nothing,
    Meeting(Meeting),
    /// They go into each other by less than would be an impact: the ends of the bodies' ways are to be moved by this.
    Entering([u32; 2], [Vec2; 2]),
}

/// Returns the normal of an impact, which leads from the second shape to the first, as the chain has it that one of them may
/// be part of.
fn surface_normal_of(impact: &TimeOfImpact, shapes: [&Shape; 2], sweeps: [&Sweep; 2]) -> Vec2 {
    let turned = |segment: &ChainSegment, sweep: &Sweep, out: Vec2| {
        let rotation = sweep.pose_at(impact.fraction).rotation;
        rotation * surface_normal(segment, rotation.inverse() * out)
    };
    match (shapes, impact.state) {
        ([_, Shape::ChainSegment(segment)], ToiState::Touching) => {
            turned(segment, sweeps[1], impact.normal)
        }
        ([Shape::ChainSegment(segment), _], ToiState::Touching) => {
            -turned(segment, sweeps[0], -impact.normal)
        }
        _ => impact.normal,
    }
}

impl World {
    /// Finds out what becomes of two shapes until the fraction `limit` of the step; counts the times of impact computed.
    pub(super) fn look_for_meeting(
        &self,
        ways: Ways<'_>,
        [first, second]: [u32; 2],
        limit: f32,
        tested: &mut usize,
    ) -> Found {
        let [a, b] = [first, second].map(|shape| self.shapes.slots[shape].body);
        let shapes = match (self.bodies.is_dynamic(a), self.bodies.is_dynamic(b)) {
            (true, true) => [first.min(second), first.max(second)],
            (true, false) => [first, second],
            (false, true) => [second, first],
            (false, false) => return Found::Nothing,
        };
        let bodies = shapes.map(|shape| self.shapes.slots[shape].body);
        let thickness = self.free_way(shapes, bodies);
        if !self.may_pass_each_other(ways, bodies, thickness) || !self.is_obstacle(shapes) {
            return Found::Nothing;
        }
        if self.has_just_met(ways, shapes, bodies) {
            return Found::Entering(bodies, self.ways_back(ways, shapes, bodies));
        }
        *tested += 1;
        self.impact_of(ways, (shapes, bodies), thickness, limit)
    }

    /// Returns how far two bodies may move into each other in a step without being swept \[m\].
    fn free_way(&self, shapes: [u32; 2], bodies: [u32; 2]) -> f32 {
        if self.shapes_solve_at_once(shapes) {
            return TOUCH;
        }
        let [a, b] = bodies.map(|body| &self.bodies.tracks[body as usize]);
        let bullets = [a, b].into_iter();
        let bullets = bullets.filter(|track| track.flags & track_flags::BULLET != 0);
        let thin = bullets.map(|track| track.min_extent).reduce(f32::min);
        let both_move = b.flags & track_flags::DYNAMIC != 0;
        match thin {
            Some(thin) => FAST_SHARE * thin,
            None if both_move && self.is_hammer_blow(bodies) => LINEAR_SLOP,
            None if both_move => FAST_SHARE * (a.min_extent + b.min_extent),
            None => free_share(a) * a.min_extent,
        }
    }

    /// Says whether two bodies, the second one dynamic, move so far against each other.
    fn may_pass_each_other(&self, ways: Ways<'_>, [a, b]: [u32; 2], thickness: f32) -> bool {
        if !self.bodies.is_dynamic(b) {
            return true;
        }
        let [mine, its] = [a, b].map(|body| {
            let index = body as usize;
            if !self.bodies.awake.contains(body) {
                return (Vec2::zeros(), 0.0);
            }
            let extent = self.bodies.tracks[index].max_extent;
            if let Some(flight) = ways.flight(body) {
                return (flight.way(), angle_bound(flight.turn()) * extent);
            }
            let state = &self.bodies.states[index];
            (state.delta_position, state.rotation_bound() * extent)
        });
        (mine.0 - its.0).norm() + mine.1 + its.1 > thickness
    }

    /// Says whether the shape in `slot` stops what lies along `normal` out of it, as far as it is one-way or a chain.
    pub(super) fn stops_along(&self, slot: u32, normal: Vec2) -> bool {
        let shape = &self.shapes.slots[slot];
        let pose = &self.bodies.poses[shape.body as usize];
        let is_solid = match &shape.geometry {
            Shape::ChainSegment(segment) => pose.rotate(segment.normal()).dot(&normal) > 0.0,
            _ => true,
        };
        is_solid && one_way_stops(shape.material.one_way, pose.rotation, normal)
    }

    /// Says whether the shapes stop each other: they may meet, and do not touch yet.
    fn is_obstacle(&self, [mine, other]: [u32; 2]) -> bool {
        let (a, b) = (&self.shapes.slots[mine], &self.shapes.slots[other]);
        !a.sensor
            && !b.sensor
            && a.body != b.body
            && !self.touches(mine, other)
            && self.pair_rules().allow(mine, other)
    }

    /// Says whether the substeps have kept the two shapes apart.
    fn touches(&self, mine: u32, other: u32) -> bool {
        let [body, partner] = [mine, other].map(|shape| self.shapes.slots[shape].body);
        self.bodies.slots[body].contacts.iter().any(|&slot| {
            self.contacts.other_body(slot, body) == partner && {
                let contact = &self.contacts.slots[slot];
                let pair = (contact.shape_a, contact.shape_b);
                contact.pushes()
                    && (pair == (mine, other) || pair == (other, mine))
                    && self.contacts.constraints[slot as usize].flags & constraint_flags::DEFERRED
                        == 0
            }
        })
    }

    /// Returns when two shapes meet, unless they do not go further than `thickness` into each other.
    fn impact_of(
        &self,
        ways: Ways<'_>,
        (shapes, bodies): ([u32; 2], [u32; 2]),
        thickness: f32,
        limit: f32,
    ) -> Found {
        let pieces = bodies.map(|body| self.piece_of(ways, body));
        let from = pieces[0].from.max(pieces[1].from);
        let base = pieces[0].start.center;
        let [mine, its] = pieces.map(|piece| piece.sweep_from(from, base));
        let [geometry, its_geometry] = shapes.map(|shape| &self.shapes.slots[shape].geometry);
        let last = if limit < 1.0 {
            ((limit - from) / (1.0 - from)).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let mut impact = time_of_impact(its_geometry, &its, geometry, &mine, last);
        impact.normal = surface_normal_of(&impact, [geometry, its_geometry], [&mine, &its]);
        let (mut gave_up, mut touch, mut normal) = (false, impact.fraction, Vec2::zeros());
        match impact.state {
            ToiState::Failed => gave_up = true,
            ToiState::Touching => {
                let way_in = self.way_in(bodies, [&mine, &its], &impact);
                let goes_in = way_in > thickness;
                normal = impact.normal;
                touch = self.touch_of(bodies, [&mine, &its], &impact, way_in);
                let holds = !goes_in && self.bodies.is_dynamic(bodies[1]);
                if holds || !self.stops_at(ways, shapes, bodies, &impact) {
                    return Found::Nothing;
                }
                if !goes_in {
                    let back = self.way_back(shapes[0], [&mine, &its], &impact);
                    return Found::Entering(bodies, [back, Vec2::zeros()]);
                }
            }
            // What rounding made overlap is met at once.
            ToiState::Overlapped if thickness == TOUCH => {
                if !self.comes_closer(bodies, shapes, [&mine, &its]) {
                    return Found::Nothing;
                }
            }
            // Entered a little before, by less than an impact: then its core must not follow.
            ToiState::Overlapped if !self.bodies.is_dynamic(bodies[1]) => {
                return Found::Entering(bodies, self.ways_back(ways, shapes, bodies));
            }
            _ => return Found::Nothing,
        }
        Found::Meeting(Meeting {
            fraction: from + (1.0 - from) * touch,
            shapes,
            bodies,
            normal,
            changes: bodies.map(|body| ways.flight(body).map_or(0, |flight| flight.changes)),
            gave_up,
            timed: false,
        })
    }

    /// Returns the fraction at which a body touches what stands still, or what it must not bounce on: the impact is that of a
    /// small gap. Exact for what does not turn; what turns may come faster, by the arm of its outermost point over the nearest,
    /// and stops with a part of the gap.
    fn touch_of(
        &self,
        bodies: [u32; 2],
        sweeps: [&Sweep; 2],
        impact: &TimeOfImpact,
        way_in: f32,
    ) -> f32 {
        if self.bodies.awake.contains(bodies[1]) && !self.is_hammer_blow(bodies) {
            return impact.fraction;
        }
        let turned = |i: usize| {
            let track = &self.bodies.tracks[bodies[i] as usize];
            let (out, near) = (track.max_extent, track.min_extent);
            let arm = (out * out - near * near).max(0.0).sqrt();
            let turn = sweeps[i].start_rotation.inverse() * sweeps[i].end_rotation;
            arm * angle_bound(Vec2::new(turn.re, turn.im))
        };
        let mut way = way_in + turned(0);
        if self.bodies.is_dynamic(bodies[1]) {
            way += turned(1);
        }
        let gap = (impact.separation - TOUCH).max(0.0);
        if gap < way {
            (impact.fraction + gap / way).min(1.0)
        } else {
            impact.fraction
        }
    }

    /// Says whether an impact stops the shapes, as far as they are one-way or lie behind what is touched.
    fn stops_at(
        &self,
        ways: Ways<'_>,
        shapes: [u32; 2],
        bodies: [u32; 2],
        impact: &TimeOfImpact,
    ) -> bool {
        // The normal leads from the second shape to the first.
        self.stops_along(shapes[1], impact.normal)
            && self.stops_along(shapes[0], -impact.normal)
            && !self.lies_behind(ways, bodies, shapes[1])
    }

    /// Says whether the impact of the two shapes began the present pieces of both bodies' ways.
    fn has_just_met(&self, ways: Ways<'_>, shapes: [u32; 2], bodies: [u32; 2]) -> bool {
        let pair = Some([shapes[0].min(shapes[1]), shapes[0].max(shapes[1])]);
        let met = |body: u32| ways.flight(body).map(|flight| flight.met == pair);
        // What has no flight goes on as it did.
        let follows = |body: u32| met(body) != Some(false) || !self.bodies.is_dynamic(body);
        bodies.iter().any(|&body| met(body) == Some(true))
            && bodies.iter().all(|&body| follows(body))
    }

    /// Says whether two shapes that touch come together as fast as an impact. They may overlap by a little: an impact is put
    /// off until the surfaces touch, and a body may meet something else by then.
    fn comes_closer(&self, bodies: [u32; 2], shapes: [u32; 2], sweeps: [&Sweep; 2]) -> bool {
        let [mine, its] = sweeps.map(|sweep| sweep.pose_at(0.0));
        let [a, b] = shapes.map(|shape| &self.shapes.slots[shape].geometry);
        let mut cache = ManifoldCache::default();
        let manifold = collide(a, b, &mine.inv_mul(&its), &mut cache);
        let normal = mine.rotation * manifold.normal;
        let thin = self.bodies.tracks[bodies[0] as usize].min_extent;
        let least = -(FAST_SHARE * thin).max(LINEAR_SLOP);
        manifold.points().iter().any(|point| {
            let place = mine * point.point;
            let [va, vb] =
                [0, 1].map(|i| self.bodies.velocity_at(bodies[i], place - sweeps[i].start));
            point.separation > least && (va - vb).dot(&normal) > MIN_APPROACH
        })
    }

    /// Returns how far the bodies move into each other at the place of an impact \[m\].
    ///
    /// Of a dynamic body its centre counts: what grazes, slides over a seam or rolls along a chain is left to the contact
    /// that it makes in the next step, and loses no time. Of a kinematic one, which may turn, the point that is hit; and where
    /// something long spins, the points of both, if that is more: else it would sweep past what lies in its way.
    fn way_in(&self, bodies: [u32; 2], [mine, its]: [&Sweep; 2], impact: &TimeOfImpact) -> f32 {
        let of_center = |sweep: &Sweep| sweep.end - sweep.start;
        let of_point = |sweep: &Sweep| {
            let local = sweep.pose_at(impact.fraction).inverse() * impact.point;
            sweep.pose_at(1.0) * local - sweep.pose_at(0.0) * local
        };
        let into = |mine: Vec2, its: Vec2| (its - mine).dot(&impact.normal);
        if !self.bodies.is_dynamic(bodies[1]) {
            return into(of_center(mine), of_point(its));
        }
        let of_centers = into(of_center(mine), of_center(its));
        let [a, b] = bodies;
        if self.sweeps_past(a, b) || self.sweeps_past(b, a) {
            of_centers.max(into(of_point(mine), of_point(its)))
        } else {
            of_centers
        }
    }
}
