//! Policy *clamp*: two colliding bodies move on together until the step ends.
//!
//! Velocities stay: the next step solves the contact. At a wall the body stops or slides along. On a rotating
//! bar it is carried, as the bar would pass a body at rest. With a slow body it stays beside it. Two fast
//! bodies both move with their common center of mass, so the result does not depend on their order.

use super::bounce::free_acceleration;
use super::step::CcdStep;
use super::sweep::{SweepSegment, SweepView, rotation_between};
use super::tables::{CcdScene, CcdTables};
use super::toi::ToiEvent;
use crate::body::grid;
use crate::body::state::{BodyPose, state_flags};
use crate::mechanisms::Mechanism;
use cairn2d_geometry::math::Vec2;

/// Returns the pose to which a body at `pose` is carried by another one that moves from `start` to `end`.
fn carried(pose: &BodyPose, start: &BodyPose, end: &BodyPose) -> BodyPose {
    if start == end {
        // Exact: a body at rest has the same pose twice, and a body that it stops must count as at rest, too.
        return *pose;
    }
    let turn = rotation_between(start.rotation, end.rotation);
    let rotate = |v: Vec2| Vec2::new(turn.x * v.x - turn.y * v.y, turn.y * v.x + turn.x * v.y);
    BodyPose {
        center: grid::moved(end.center, rotate(pose.center - start.center)),
        rotation: rotate(pose.rotation).normalize(),
        local_center: pose.local_center,
    }
}

impl CcdStep {
    /// Moves the bodies of an event on together.
    pub(super) fn clamp(&mut self, tables: &mut CcdTables<'_>, event: &ToiEvent) {
        let from = event.fraction;
        let [a, b] = event.bodies;
        let scene = tables.scene();
        let view = SweepView::of(&self.sweeps);
        let segments = event.bodies.map(|body| scene.segment_of(view, body));
        let [pose_a, pose_b] = segments.each_ref().map(|segment| segment.pose_at(from));
        let [end_a, end_b] = segments.map(|segment| segment.end);
        let segment = |start: BodyPose, end: BodyPose| SweepSegment { from, start, end };
        let both_dynamic = scene.bodies.is_dynamic(b);
        let [fast_a, fast_b] = event.bodies.map(|body| self.sweeps.has(body));
        if !both_dynamic || !fast_b {
            let mut end = carried(&pose_a, &pose_b, &end_b);
            let flags = scene.bodies.states[a as usize].flags;
            let mut slide = Vec2::zeros();
            if flags & state_flags::UNCONSTRAINED != 0 && pose_b.rotation == end_b.rotation {
                slide = scene.slide(event, end_a.center - end.center);
                end.center = grid::moved(end.center, slide);
            }
            if let Some(sweep) = self.sweeps.of_mut(a) {
                sweep.slides = slide != Vec2::zeros();
            }
            self.continue_clamped(tables, a, segment(pose_a, end));
        } else if !fast_a {
            let end = carried(&pose_b, &pose_a, &end_a);
            self.continue_clamped(tables, b, segment(pose_b, end));
        } else {
            let rest_a = end_a.center - pose_a.center;
            let rest_b = end_b.center - pose_b.center;
            let translation = scene.common_translation([a, b], [rest_a, rest_b]);
            for (body, start) in [(a, pose_a), (b, pose_b)] {
                let end = BodyPose {
                    center: grid::moved(start.center, translation),
                    ..start
                };
                self.continue_clamped(tables, body, segment(start, end));
            }
        }
    }

    /// Changes the motion of a body after a clamped event. Its free acceleration no longer applies: it keeps
    /// the velocity of the impact and bounces as high as it came from.
    fn continue_clamped(&mut self, tables: &mut CcdTables<'_>, body: u32, next: SweepSegment) {
        let rest = (1.0 - next.from) * tables.ctx.dt;
        let gained = rest * free_acceleration(tables.bodies, tables.ctx.def.gravity, body);
        let state = &mut tables.bodies.states[body as usize];
        state.velocity -= gained;
        state.flags &= !state_flags::UNCONSTRAINED;
        tables.bodies.cap_speeds(body);
        self.change_sweep(tables, body, next);
        if let Some(sweep) = self.sweeps.of_mut(body) {
            sweep.last_impact = None;
        }
        self.find_again(tables, body);
    }
}

impl CcdScene<'_> {
    /// Returns how far the first body of an event slides along the second one \[m\]: the tangential part of
    /// `rest`, its remaining translation, less the friction of the impact.
    fn slide(&self, event: &ToiEvent, rest: Vec2) -> Vec2 {
        let into = -rest.dot(&event.normal);
        let along = rest + into * event.normal;
        let length = along.norm();
        if !self.ctx.uses(Mechanism::ClampSlide)
            || into <= 0.0
            || length <= 0.0
            || event.normal == Vec2::zeros()
        {
            return Vec2::zeros();
        }
        let [a, b] = event.shapes.map(|shape| &self.shapes.slots[shape].material);
        let lost = a.friction_with(b) * (1.0 + a.restitution_with(b)) * into;
        along * (1.0 - lost / length).max(0.0)
    }

    /// Returns the translation of the common center of mass of two bodies with the given translations \[m\].
    fn common_translation(&self, bodies: [u32; 2], translations: [Vec2; 2]) -> Vec2 {
        let [a, b] = bodies.map(|body| self.bodies.masses[body as usize].inv_mass);
        if a + b > 0.0 {
            (translations[0] * b + translations[1] * a) / (a + b)
        } else {
            0.5 * (translations[0] + translations[1])
        }
    }
}
