//! Cores: the part of a shape below a small depth. The core must not pass through a shape that the whole shape
//! already touches; the whole shape may slide on that shape, and rotate.
//!
//! The substeps solve the points of a manifold. An impact at one of them turns the body, and its other end
//! comes down within the same step, where no manifold has a point yet. Against a shape at rest the core is
//! therefore the whole shape, inset by less than two slops. Against one that moves it is a circle, and the moving
//! shape pushes it ahead: it would pass a body that is stopped in front of it.

use super::sweep::{BodySweep, BodySweeps, SweepView, rotation_between};
use super::tables::CcdScene;
use super::toi::surface_normal_of;
use crate::body::grid;
use crate::body::state::angle_bound;
use crate::body::track_flags;
use crate::contact::constraint::{ConstraintPoint, constraint_flags};
use crate::shape::BodyShape;
use cairn2d_geometry::math::{Point, Pose, Vec2, WorldPoint};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{Shape, Sweep, TimeOfImpact, ToiState, time_of_impact};

/// Passes over the contacts of a body: in a narrow wedge one side pushes the core into the other one.
const MAX_CORE_PASSES: u32 = 3;

/// Correction below which a core counts as unconstrained \[m\]: rounding.
const MIN_CORRECTION: f32 = 0.01 * LINEAR_SLOP;

/// Depth of the core below the surface of its shape \[m\], where the shape is thick enough.
///
/// A time of impact leaves half of this distance to the core, within a quarter. So a shape is entered by less
/// than a slop.
const CORE_DEPTH: f32 = 1.5 * LINEAR_SLOP;

/// Greatest depth of the core as a share of the shape's half thickness.
pub(super) const MAX_CORE_SHARE: f32 = 0.5;

/// Depth of the core of a circle as a share of its radius.
const ROUND_CORE_SHARE: f32 = 0.05;

/// Returns the depth of the core of a shape below its surface \[m\].
fn core_depth(shape: &BodyShape) -> f32 {
    let half_thickness = shape.min_extent;
    match shape.geometry {
        Shape::Circle(_) => ROUND_CORE_SHARE * half_thickness,
        _ => CORE_DEPTH.min(MAX_CORE_SHARE * half_thickness),
    }
}

/// Returns the core of a shape against shapes at rest.
fn inset_core(shape: &BodyShape) -> Shape {
    shape.geometry.inset(core_depth(shape))
}

/// A plane that a core must not pass; it moves and rotates with the body of its shape.
pub(super) struct CorePlane {
    /// Fraction of the sweeps at which normal and point are given.
    fraction: f32,
    /// Unit normal toward the core.
    normal: Vec2,
    point: Point,
    /// Height over the plane that the core must keep [m].
    min_height: f32,
}

impl CorePlane {
    /// Returns the plane of an impact.
    ///
    /// The core keeps half a slop of distance: the closer it is, the fewer digits the next time of impact
    /// has.
    pub(super) fn of_impact(impact: &TimeOfImpact) -> Self {
        Self {
            fraction: impact.fraction,
            normal: impact.normal,
            point: impact.point,
            min_height: 0.5 * impact.separation.max(LINEAR_SLOP),
        }
    }

    /// Returns the correction of the end of a core's motion that keeps it in front of the plane \[m\]; `None` if
    /// it is there already.
    ///
    /// The plane moves with its shape until the step ends, so a rotating bar pushes the core ahead of it.
    pub(super) fn correction(&self, core: &Shape, [own, its]: [&Sweep; 2]) -> Option<Vec2> {
        let (then, end) = (its.pose_at(self.fraction), its.pose_at(1.0));
        let normal = end.rotation * (then.rotation.inverse() * self.normal);
        let place = end * (then.inverse() * self.point);
        let height = min_height_of(core, &own.pose_at(1.0), &place, &normal);
        let missing = self.min_height - height;
        (missing > 0.0).then(|| normal * missing)
    }
}

/// Returns the smallest height of a shape at `pose` over the plane through `place` [m].
fn min_height_of(shape: &Shape, pose: &Pose, place: &Point, normal: &Vec2) -> f32 {
    let lowest = pose * shape.support(&(pose.rotation.inverse() * -normal));
    (lowest - place).dot(normal)
}

impl CcdScene<'_> {
    /// Returns `true` if the second body stops the cores of the first one.
    fn stops_cores(&self, body: u32, other: u32) -> bool {
        let flags = |body: u32| self.bodies.tracks[body as usize].flags;
        flags(other) & track_flags::DYNAMIC == 0
            || flags(body) & track_flags::BULLET != 0
            || self.may_spin_past(other, body)
    }

    /// Returns `true` if a dynamic body is so long and spins so fast that it may rotate past another one that
    /// it pushes: the normal of their contact is constant in a step.
    pub(super) fn may_spin_past(&self, body: u32, other: u32) -> bool {
        if !self.input.spinning.contains(body) {
            return false;
        }
        let [track, its] = [body, other].map(|body| &self.bodies.tracks[body as usize]);
        let rotation = self.bodies.states[body as usize].rotation_bound();
        rotation * track.max_extent > track.min_extent + its.min_extent
    }

    /// Keeps the cores of a body from passing shapes that it touches in its remaining motion.
    pub(super) fn constrain_cores(&self, sweeps: &BodySweeps, own: &mut BodySweep) {
        let flags = self.bodies.tracks[own.slot as usize].flags;
        let touches_static = self.bodies.slots[own.slot].static_touches > 0;
        let is_beside_spinning = self.input.beside_spinning.contains(own.slot);
        if !touches_static && !is_beside_spinning && flags & track_flags::BULLET == 0 {
            return;
        }
        for _ in 0..MAX_CORE_PASSES {
            if self.constrain_cores_once(sweeps, own).is_none() {
                return;
            }
        }
        // Each side of a narrow wedge pushes into the other one: the body stops at the first of them.
        if let Some(fraction) = self.constrain_cores_once(sweeps, own) {
            let from = own.segment.from;
            own.segment.end_at(from + (1.0 - from) * fraction);
            own.moved = true;
        }
    }

    /// Makes one pass over the contacts of the body. Returns the fraction of the segment at which the first
    /// core was stopped, if one was.
    fn constrain_cores_once(&self, sweeps: &BodySweeps, own: &mut BodySweep) -> Option<f32> {
        let mut first: Option<f32> = None;
        for &contact in &self.bodies.slots[own.slot].contacts {
            // In a pile nearly all contacts end at the first test, so it must read memory nearby.
            let other = self.contacts.other_body(contact, own.slot);
            if self.stops_cores(own.slot, other)
                && self.contacts.slots[contact].pushes()
                && self.contacts.constraints[contact as usize].flags & constraint_flags::INACTIVE
                    == 0
                && self.may_reach(own, contact)
                && let Some(fraction) = self.constrain_core(sweeps, own, contact)
            {
                first = Some(first.map_or(fraction, |other| other.min(fraction)));
            }
        }
        first
    }

    /// Returns `true` if a core may have reached the other shape of `contact`: a cheap, conservative test.
    ///
    /// The other shape lies behind the plane of the contact, and in front of it by at most the overlap.
    fn may_reach(&self, sweep: &BodySweep, contact: u32) -> bool {
        let constraint = &self.contacts.constraints[contact as usize];
        let is_a = constraint.body_a == sweep.slot;
        let other = self.contacts.other_body(contact, sweep.slot);
        let (own_start, its_start) = (&sweep.origin, self.bodies.start_of_step(other));
        let (start_a, start_b) = if is_a {
            (own_start, &its_start)
        } else {
            (&its_start, own_start)
        };
        let normal = start_a.rotate(constraint.normal);
        let between = start_b.center - start_a.center;
        let separation = |point: &ConstraintPoint| {
            let on_a = start_a.rotate(point.anchor_a);
            let on_b = between + start_b.rotate(point.anchor_b);
            point.base_separation + (on_b - on_a).dot(&normal)
        };
        let points = constraint.points_in_use().iter();
        let nearest = points.map(separation).fold(f32::INFINITY, f32::min);
        let end = &sweep.segment.end;
        let away = if is_a { -normal } else { normal };
        let turn = angle_bound(rotation_between(own_start.rotation, end.rotation));
        let approach = (-sweep.translation().dot(&away)).max(0.0)
            + turn * self.bodies.tracks[sweep.slot as usize].max_extent
            + self.bodies.moved[other as usize];
        let record = &self.contacts.slots[contact];
        let shape = &self.shapes.slots[if is_a { record.shape_a } else { record.shape_b }];
        approach > core_depth(shape) - LINEAR_SLOP + nearest
    }

    /// Moves a core back out of the other shape of `contact`. Returns the fraction of
    /// the impact, if there was one.
    fn constrain_core(
        &self,
        sweeps: &BodySweeps,
        own: &mut BodySweep,
        contact: u32,
    ) -> Option<f32> {
        let record = &self.contacts.slots[contact];
        let (shape, other) = if record.body_a == own.slot {
            (record.shape_a, record.shape_b)
        } else {
            (record.shape_b, record.shape_a)
        };
        let record = &self.shapes.slots[shape];
        let target = &self.shapes.slots[other];
        let (from, base) = (own.segment.from, own.segment.start.center);
        let sweep = own.segment.sweep_from(from, base);
        let its_segment = self.segment_of(SweepView::of(sweeps), target.body);
        let is_at_rest = its_segment.is_at_rest();
        let core = if is_at_rest {
            inset_core(record)
        } else {
            record.core_shape()
        };
        let its_sweep = its_segment.sweep_from(from, base);
        let mut impact = time_of_impact(&target.geometry, &its_sweep, &core, &sweep, 1.0);
        impact.normal = surface_normal_of(&impact, [&core, &target.geometry], [&sweep, &its_sweep]);
        let plane = match impact.state {
            ToiState::Touching => CorePlane::of_impact(&impact),
            ToiState::Overlapped => {
                let mut plane = self.plane_of_contact(contact, own, base);
                let pose = sweep.pose_at(0.0);
                let height = min_height_of(&core, &pose, &plane.point, &plane.normal);
                // The overlap must not become deeper.
                plane.min_height = height.min(0.0);
                plane
            }
            _ => return None,
        };
        let correction = plane.correction(&core, [&sweep, &its_sweep])?;
        let approach =
            (its_sweep.end - its_sweep.start - (sweep.end - sweep.start)).dot(&plane.normal);
        if is_at_rest && correction.norm() > approach.max(0.0) + LINEAR_SLOP {
            // Rotation has moved the core into the shape, and a shift would lift the whole body: it stops to
            // rotate and to approach.
            let end = own.segment.end.center;
            own.segment.end_at(from + (1.0 - from) * plane.fraction);
            let rest = end - own.segment.end.center;
            own.shift(rest - rest.dot(&plane.normal).min(0.0) * plane.normal);
        } else {
            own.shift(correction);
        }
        // A body that stops early in front of a moving one would be passed by it: it is pushed until the step
        // ends.
        let is_other_asleep = !self.bodies.awake.contains(target.body);
        let fraction = if is_other_asleep { plane.fraction } else { 1.0 };
        (correction.norm() > MIN_CORRECTION).then_some(fraction)
    }

    /// Returns the plane through the deepest point of a contact at the start of the step, relative to `base`.
    fn plane_of_contact(&self, contact: u32, own: &BodySweep, base: WorldPoint) -> CorePlane {
        let constraint = &self.contacts.constraints[contact as usize];
        let is_b = constraint.body_b == own.slot;
        let [a, b] = constraint.bodies().map(|body| {
            if body == own.slot {
                own.origin
            } else {
                self.bodies.start_of_step(body)
            }
        });
        let normal = a.rotate(constraint.normal);
        let toward_core = if is_b { normal } else { -normal };
        let points = constraint.points_in_use().iter();
        let places = points.map(|point| {
            let on_a = a.center + a.rotate(point.anchor_a);
            let on_b = b.center + b.rotate(point.anchor_b);
            let separation = point.base_separation + (on_b - on_a).dot(&normal);
            let anchor = if is_b { on_a } else { on_b };
            // Anchors are halfway between the surfaces.
            (separation, anchor - toward_core * (0.5 * separation))
        });
        let deepest = places.min_by(|p, q| p.0.total_cmp(&q.0));
        let (_, place) = deepest.unwrap_or((0.0, own.segment.start.center));
        CorePlane {
            fraction: 0.0,
            normal: toward_core,
            point: Point::from(place - base),
            min_height: 0.0,
        }
    }

    /// Returns the correction of the end of a body's motion that keeps the core of its shape in front of an
    /// impact too shallow for an event \[m\]: only translation is undone, no time is lost.
    pub(super) fn core_correction(
        &self,
        shape: u32,
        sweeps: [&Sweep; 2],
        impact: &TimeOfImpact,
    ) -> Option<Vec2> {
        let core = inset_core(&self.shapes.slots[shape]);
        CorePlane::of_impact(impact).correction(&core, sweeps)
    }

    /// Returns the corrections of the ends of two bodies' motions that keep the core of each shape out of the
    /// other one in the rest of the step \[m\]. Their impact was just solved, or they overlap a little.
    pub(super) fn mutual_corrections(
        &self,
        view: SweepView<'_>,
        shapes: [u32; 2],
        bodies: [u32; 2],
    ) -> [Option<Vec2>; 2] {
        let mut segments = bodies.map(|body| self.segment_of(view, body));
        let mut shifts = [None; 2];
        for [i, j] in [[0, 1], [1, 0]] {
            if !self.bodies.is_dynamic(bodies[i]) {
                continue;
            }
            let (from, base) = (segments[i].from, segments[i].start.center);
            let [sweep, its_sweep] = [i, j].map(|k: usize| segments[k].sweep_from(from, base));
            let core = self.shapes.slots[shapes[i]].core_shape();
            let target = &self.shapes.slots[shapes[j]];
            let impact = time_of_impact(&target.geometry, &its_sweep, &core, &sweep, 1.0);
            let stops = impact.state == ToiState::Touching
                && self.is_solid_along(shapes[j], impact.normal)
                && self.is_solid_along(shapes[i], -impact.normal);
            if stops {
                shifts[i] = CorePlane::of_impact(&impact).correction(&core, [&sweep, &its_sweep]);
            }
            if let Some(shift) = shifts[i] {
                let end = &mut segments[i].end;
                end.center = grid::moved(end.center, shift);
            }
        }
        shifts
    }
}
