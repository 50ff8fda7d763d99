//! Time-of-impact (TOI) events: when two shapes collide within the step.

use super::deferred::TOUCH_DEPTH;
use super::sweep::SweepView;
use super::tables::CcdScene;
use super::threshold::{FAST_SHARE, free_share};
use crate::body::state::angle_bound;
use crate::body::track_flags;
use crate::contact::constraint::constraint_flags;
use crate::contact::recycle::contact_flags;
use crate::material::one_way_stops;
use crate::solver::MIN_APPROACH;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{
    ChainSegment, ManifoldCache, Shape, Sweep, TimeOfImpact, ToiState, collide, surface_normal,
    time_of_impact,
};
use core::cmp::Ordering;

/// A collision of two shapes within the step. The later event compares as smaller: a max-heap returns the
/// earliest.
#[derive(Clone, Copy, Debug)]
pub(super) struct ToiEvent {
    /// Fraction of the step.
    pub(super) fraction: f32,
    /// Slots; the first shape is on a dynamic body.
    pub(super) shapes: [u32; 2],
    /// Their bodies.
    pub(super) bodies: [u32; 2],
    /// Unit normal of the surfaces, from the second shape to the first; `None` if unknown.
    pub(super) normal: Option<Vec2>,
    /// Revisions of the bodies' sweeps for which the event holds.
    pub(super) revisions: [u32; 2],
    /// The search did not converge: there is no contact before the fraction; the rest is unknown.
    pub(super) is_uncertain: bool,
    /// The surfaces touch at the fraction; otherwise a small gap is left there.
    pub(super) is_exact: bool,
}

impl Ord for ToiEvent {
    fn cmp(&self, other: &Self) -> Ordering {
        let time = self.fraction.total_cmp(&other.fraction);
        time.then(self.shapes.cmp(&other.shapes)).reverse()
    }
}

impl PartialOrd for ToiEvent {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ToiEvent {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for ToiEvent {}

/// Result of the test of two moving shapes.
#[derive(Clone, Copy, Debug)]
pub(super) enum ToiOutcome {
    /// The shapes do not collide.
    Nothing,
    Event(ToiEvent),
    /// The shapes enter each other by less than an event needs. The ends of the two bodies' motions are
    /// shifted [m], or stay.
    Shallow([u32; 2], [Option<Vec2>; 2]),
}

/// Returns the normal of an impact, from the second shape to the first; on a chain segment, with regard to its neighbors.
pub(super) fn surface_normal_of(
    impact: &TimeOfImpact,
    shapes: [&Shape; 2],
    sweeps: [&Sweep; 2],
) -> Vec2 {
    let on_chain = |segment: &ChainSegment, sweep: &Sweep, out: Vec2| {
        let rotation = sweep.pose_at(impact.fraction).rotation;
        rotation * surface_normal(segment, rotation.inverse() * out)
    };
    match (shapes, impact.state) {
        ([_, Shape::ChainSegment(segment)], ToiState::Touching) => {
            on_chain(segment, sweeps[1], impact.normal)
        }
        ([Shape::ChainSegment(segment), _], ToiState::Touching) => {
            -on_chain(segment, sweeps[0], -impact.normal)
        }
        _ => impact.normal,
    }
}

/// Returns the numbers of changes of the motions of two bodies.
pub(super) fn revisions_of(view: SweepView<'_>, bodies: [u32; 2]) -> [u32; 2] {
    bodies.map(|body| view.sweep(body).map_or(0, |sweep| sweep.revision))
}

impl CcdScene<'_> {
    /// Tests two shapes until the fraction `limit` of the step. Adds the number of computed times of impact
    /// to `tested`.
    pub(super) fn test_pair(
        &self,
        view: SweepView<'_>,
        [first, second]: [u32; 2],
        limit: f32,
        tested: &mut usize,
    ) -> ToiOutcome {
        let [a, b] = [first, second].map(|shape| self.shapes.slots[shape].body);
        let shapes = match (self.bodies.is_dynamic(a), self.bodies.is_dynamic(b)) {
            (true, true) => [first.min(second), first.max(second)],
            (true, false) => [first, second],
            (false, true) => [second, first],
            (false, false) => return ToiOutcome::Nothing,
        };
        let bodies = shapes.map(|shape| self.shapes.slots[shape].body);
        let free_travel = self.free_travel(shapes, bodies);
        if !self.may_exceed(view, bodies, free_travel) || !self.is_obstacle(shapes) {
            return ToiOutcome::Nothing;
        }
        if self.has_just_collided(view, shapes, bodies) {
            let from = self.shared_start(view, bodies);
            return self.test_other_points(view, shapes, bodies, from, tested);
        }
        *tested += 1;
        self.sweep_pair(view, shapes, bodies, (free_travel, limit), tested)
    }

    /// Returns how far two bodies may move into each other in a step without an event \[m\].
    fn free_travel(&self, shapes: [u32; 2], bodies: [u32; 2]) -> f32 {
        if self.is_substep_pair(shapes) {
            return TOUCH_DEPTH;
        }
        let [a, b] = bodies.map(|body| &self.bodies.tracks[body as usize]);
        if b.flags & track_flags::DYNAMIC == 0 {
            return free_share(a) * a.min_extent;
        }
        let bullets = [a, b].into_iter();
        let bullets = bullets.filter(|track| track.flags & track_flags::BULLET != 0);
        match bullets.map(|track| track.min_extent).reduce(f32::min) {
            Some(thinnest) => FAST_SHARE * thinnest,
            None => FAST_SHARE * (a.min_extent + b.min_extent),
        }
    }

    /// Returns `true` if the relative motion of two bodies, the second one dynamic, may exceed the free
    /// travel.
    fn may_exceed(&self, view: SweepView<'_>, [a, b]: [u32; 2], free_travel: f32) -> bool {
        if !self.bodies.is_dynamic(b) {
            return true;
        }
        // Not `map` over both: it does not inline, and this runs for each pair.
        let (own, its) = (self.motion_of(view, a), self.motion_of(view, b));
        (own.0 - its.0).norm() + own.1 + its.1 > free_travel
    }

    /// Returns the remaining translation of the body in `slot`, and a bound of how far its rotation moves its
    /// points \[m\].
    #[inline(always)]
    fn motion_of(&self, view: SweepView<'_>, slot: u32) -> (Vec2, f32) {
        if !self.bodies.awake.contains(slot) {
            return (Vec2::zeros(), 0.0);
        }
        let extent = self.bodies.tracks[slot as usize].max_extent;
        if let Some(sweep) = view.sweep(slot) {
            return (sweep.translation(), angle_bound(sweep.rotation()) * extent);
        }
        let state = &self.bodies.states[slot as usize];
        (state.delta_position, state.rotation_bound() * extent)
    }

    /// Returns `true` if the shape in `slot` stops a motion against its outward `normal`: one-way shapes and
    /// chains stop one side only.
    pub(super) fn is_solid_along(&self, slot: u32, normal: Vec2) -> bool {
        let shape = &self.shapes.slots[slot];
        let pose = &self.bodies.poses[shape.body as usize];
        let is_solid = match &shape.geometry {
            Shape::ChainSegment(segment) => pose.rotate(segment.normal()).dot(&normal) > 0.0,
            _ => true,
        };
        is_solid && one_way_stops(shape.material.one_way, pose.rotation, normal)
    }

    /// Returns `true` if two shapes may collide, and neither the substeps nor the user's hook dealt with their contact.
    fn is_obstacle(&self, [own, other]: [u32; 2]) -> bool {
        let (a, b) = (&self.shapes.slots[own], &self.shapes.slots[other]);
        !a.sensor
            && !b.sensor
            && a.body != b.body
            && !self.is_settled_pair(own, other)
            && self.rules.allow(own, other)
    }

    /// Returns `true` if the substeps have kept the two shapes apart, or the pre-solve hook lets them pass.
    fn is_settled_pair(&self, own: u32, other: u32) -> bool {
        let [body, its_body] = [own, other].map(|shape| self.shapes.slots[shape].body);
        self.bodies.slots[body].contacts.iter().any(|&contact| {
            self.contacts.other_body(contact, body) == its_body && {
                let record = &self.contacts.slots[contact];
                let (contact, is_between) = (contact as usize, record.is_between([own, other]));
                let flags = self.contacts.constraints[contact].flags;
                let is_solved = record.pushes() && flags & constraint_flags::DEFERRED == 0;
                is_between
                    && (is_solved
                        || self.contacts.keys[contact].flags & contact_flags::IGNORED != 0)
            }
        })
    }

    /// Computes the event of two shapes, unless they move into each other by less than the free travel.
    fn sweep_pair(
        &self,
        view: SweepView<'_>,
        shapes: [u32; 2],
        bodies: [u32; 2],
        (free_travel, limit): (f32, f32),
        tested: &mut usize,
    ) -> ToiOutcome {
        // Not `map` over both, as above.
        let first = self.segment_of(view, bodies[0]);
        let second = self.segment_of(view, bodies[1]);
        let (from, base) = (first.from.max(second.from), first.start.center);
        let own = first.sweep_from(from, base);
        let its = second.sweep_from(from, base);
        let [geometry, its_geometry] = shapes.map(|shape| &self.shapes.slots[shape].geometry);
        let last = if limit < 1.0 {
            ((limit - from) / (1.0 - from)).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let mut impact = time_of_impact(its_geometry, &its, geometry, &own, last);
        impact.normal = surface_normal_of(&impact, [geometry, its_geometry], [&own, &its]);
        let (mut is_uncertain, mut touch, mut normal) = (false, impact.fraction, None);
        match impact.state {
            ToiState::Failed => is_uncertain = true,
            ToiState::Touching => {
                let approach = self.approach_travel(bodies, [&own, &its], &impact);
                let is_deep = approach > free_travel;
                normal = Some(impact.normal);
                touch = self.touch_fraction(bodies, [&own, &its], &impact, approach);
                if !is_deep && free_travel == TOUCH_DEPTH {
                    // This point only grazes; another one may come down.
                    let at = from + (1.0 - from) * impact.fraction;
                    let other = self.test_other_points(view, shapes, bodies, at, tested);
                    if let ToiOutcome::Event(_) = other {
                        return other;
                    }
                }
                let is_ignored = !is_deep && self.bodies.is_dynamic(bodies[1]);
                if is_ignored || !self.stops(view, shapes, bodies, &impact) {
                    return ToiOutcome::Nothing;
                }
                if !is_deep {
                    let back = self.core_correction(shapes[0], [&own, &its], &impact);
                    return ToiOutcome::Shallow(bodies, [back, None]);
                }
            }
            // An overlap of the size of rounding is an impact at once.
            ToiState::Overlapped if free_travel == TOUCH_DEPTH => {
                if !self.is_approaching(bodies, shapes, [&own, &its]) {
                    let other = self.test_other_points(view, shapes, bodies, from, tested);
                    return match other {
                        ToiOutcome::Event(_) => other,
                        _ => ToiOutcome::Nothing,
                    };
                }
            }
            // The shape has entered by less than an event needs: its core must not follow.
            ToiState::Overlapped if !self.bodies.is_dynamic(bodies[1]) => {
                let shifts = self.mutual_corrections(view, shapes, bodies);
                return ToiOutcome::Shallow(bodies, shifts);
            }
            _ => return ToiOutcome::Nothing,
        }
        ToiOutcome::Event(ToiEvent {
            fraction: from + (1.0 - from) * touch,
            shapes,
            bodies,
            normal,
            revisions: revisions_of(view, bodies),
            is_uncertain,
            is_exact: false,
        })
    }

    /// Returns the fraction of the step from which on the present segments of both bodies hold.
    fn shared_start(&self, view: SweepView<'_>, bodies: [u32; 2]) -> f32 {
        let [first, second] = [0, 1].map(|i: usize| self.segment_of(view, bodies[i]).from);
        first.max(second)
    }

    /// Returns the fraction at which a body touches one at rest, or a light one: a time of impact leaves a
    /// small gap.
    ///
    /// Exact without rotation. With rotation the gap may close faster, by the arm of the outermost point over
    /// that of the nearest one: then a part of the gap is left.
    fn touch_fraction(
        &self,
        bodies: [u32; 2],
        sweeps: [&Sweep; 2],
        impact: &TimeOfImpact,
        approach: f32,
    ) -> f32 {
        if self.bodies.awake.contains(bodies[1]) {
            return impact.fraction;
        }
        let rotational = |i: usize| {
            let track = &self.bodies.tracks[bodies[i] as usize];
            let (outer, inner) = (track.max_extent, track.min_extent);
            let arm = (outer * outer - inner * inner).max(0.0).sqrt();
            let rotation = sweeps[i].start_rotation.inverse() * sweeps[i].end_rotation;
            arm * angle_bound(Vec2::new(rotation.re, rotation.im))
        };
        let mut travel = approach + rotational(0);
        if self.bodies.is_dynamic(bodies[1]) {
            travel += rotational(1);
        }
        let gap = (impact.separation - TOUCH_DEPTH).max(0.0);
        if gap < travel {
            (impact.fraction + gap / travel).min(1.0)
        } else {
            impact.fraction
        }
    }

    /// Returns `true` if an impact stops the shapes: both are solid there, and the second is not behind a
    /// support plane.
    pub(super) fn stops(
        &self,
        view: SweepView<'_>,
        shapes: [u32; 2],
        bodies: [u32; 2],
        impact: &TimeOfImpact,
    ) -> bool {
        // The normal points from the second shape to the first.
        self.is_solid_along(shapes[1], impact.normal)
            && self.is_solid_along(shapes[0], -impact.normal)
            && !self.is_behind_support(view, bodies, shapes[1])
    }

    /// Returns `true` if an impact of the two shapes began the present segments of both bodies.
    fn has_just_collided(&self, view: SweepView<'_>, shapes: [u32; 2], bodies: [u32; 2]) -> bool {
        let pair = Some([shapes[0].min(shapes[1]), shapes[0].max(shapes[1])]);
        let began = |body: u32| view.sweep(body).map(|sweep| sweep.last_impact == pair);
        // A body without a sweep moves as before.
        let is_unchanged = |body: u32| began(body) != Some(false) || !self.bodies.is_dynamic(body);
        bodies.iter().any(|&body| began(body) == Some(true))
            && bodies.iter().all(|&body| is_unchanged(body))
    }

    /// Returns `true` if two touching shapes approach at the speed of an impact. They may overlap a little:
    /// an impact is delayed until the surfaces touch, and a body may have another one before.
    fn is_approaching(&self, bodies: [u32; 2], shapes: [u32; 2], sweeps: [&Sweep; 2]) -> bool {
        let [own, its] = sweeps.map(|sweep| sweep.pose_at(0.0));
        let [a, b] = shapes.map(|shape| &self.shapes.slots[shape].geometry);
        let mut cache = ManifoldCache::default();
        let manifold = collide(a, b, &own.inv_mul(&its), &mut cache);
        let normal = own.rotation * manifold.normal;
        let thin = self.bodies.tracks[bodies[0] as usize].min_extent;
        let min_separation = -(FAST_SHARE * thin).max(LINEAR_SLOP);
        manifold.points().iter().any(|point| {
            let place = own * point.point;
            let [va, vb] =
                [0, 1].map(|i| self.bodies.velocity_at(bodies[i], place - sweeps[i].start));
            point.separation > min_separation && (va - vb).dot(&normal) > MIN_APPROACH
        })
    }

    /// Returns how far the bodies move into each other at the point of an impact \[m\].
    ///
    /// Two dynamic bodies count with their centers: grazing and rolling are left to the contact of the next
    /// step and lose no time. If one of them is long and spins, or the second is not dynamic, the points of the
    /// impact count where that is more: a body that rotates would sweep past an obstacle.
    fn approach_travel(
        &self,
        bodies: [u32; 2],
        [own, its]: [&Sweep; 2],
        impact: &TimeOfImpact,
    ) -> f32 {
        let of_center = |sweep: &Sweep| sweep.end - sweep.start;
        let of_point = |sweep: &Sweep| {
            let local = sweep.pose_at(impact.fraction).inverse() * impact.point;
            sweep.pose_at(1.0) * local - sweep.pose_at(0.0) * local
        };
        let into = |own: Vec2, its: Vec2| (its - own).dot(&impact.normal);
        let [a, b] = bodies;
        let is_dynamic = self.bodies.is_dynamic(b);
        let its_way = if is_dynamic {
            of_center(its)
        } else {
            of_point(its)
        };
        let of_centers = into(of_center(own), its_way);
        if !is_dynamic || self.may_spin_past(a, b) || self.may_spin_past(b, a) {
            of_centers.max(into(of_point(own), of_point(its)))
        } else {
            of_centers
        }
    }
}
