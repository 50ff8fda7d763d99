//! Policy *clamp*: two colliding bodies move on together until the step ends.
//!
//! The bodies keep their velocities, and the next step solves the contact. At a wall a body stops or slides along it.
//! A rotating bar carries a body along, since it would pass through a body at rest. A fast body stays beside a slow
//! one that it hits. Two fast bodies both move with their common center of mass, so the result does not depend on
//! their order.
//!
//! A body with joints keeps its motion when it hits another dynamic body, since a stop would open its joints by up to
//! its travel in the step. The other body is carried along instead. If both have joints, neither is stopped.

use super::bounce::free_acceleration;
use super::step::CcdStep;
use super::sweep::{SweepSegment, SweepView, rotation_between};
use super::tables::{CcdScene, CcdTables};
use super::toi::ToiEvent;
use crate::body::grid;
use crate::body::state::{BodyPose, state_flags};
use crate::body::track_flags;
use crate::mechanisms::Mechanism;
use cairn2d_geometry::math::Vec2;

/// Returns the motion of a body at `pose` that another one carries along on the rest of its segment, from the
/// fraction `from` of the step on.
fn carried(pose: &BodyPose, carrier: &SweepSegment, from: f32) -> SweepSegment {
    if carrier.rests_from(from) {
        return SweepSegment::at_rest(from, *pose);
    }
    let (start, end) = (carrier.pose_at(from), &carrier.end);
    let turn = rotation_between(start.rotation, end.rotation);
    let rotate = |v: Vec2| Vec2::new(turn.x * v.x - turn.y * v.y, turn.y * v.x + turn.x * v.y);
    SweepSegment {
        from,
        start: *pose,
        end: BodyPose {
            center: grid::moved(end.center, rotate(pose.center - start.center)),
            rotation: rotate(pose.rotation).normalize(),
            local_center: pose.local_center,
        },
        rotates: carrier.rotates,
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
        let both_dynamic = scene.bodies.is_dynamic(b);
        let [fast_a, fast_b] = event.bodies.map(|body| self.sweeps.has(body));
        let [jointed_a, jointed_b] = event.bodies.map(|body| scene.is_jointed(body));
        if both_dynamic && jointed_a && jointed_b {
            return;
        }
        if !both_dynamic || jointed_b || !fast_b && !jointed_a {
            let mut next = carried(&pose_a, &segments[1], from);
            let flags = scene.bodies.states[a as usize].flags;
            let mut slide = None;
            if flags & state_flags::UNCONSTRAINED != 0 && !segments[1].rotates_from(from) {
                slide = scene.slide(event, segments[0].end.center - next.end.center);
            }
            if let Some(slide) = slide {
                next.end.center = grid::moved(next.end.center, slide);
            }
            if let Some(sweep) = self.sweeps.of_mut(a) {
                sweep.slides = slide.is_some();
            }
            self.continue_clamped(tables, a, next);
        } else if jointed_a || !fast_a {
            let next = carried(&pose_b, &segments[0], from);
            self.continue_clamped(tables, b, next);
        } else {
            let rest_a = segments[0].end.center - pose_a.center;
            let rest_b = segments[1].end.center - pose_b.center;
            let translation = scene.common_translation([a, b], [rest_a, rest_b]);
            for (body, start) in [(a, pose_a), (b, pose_b)] {
                let end = BodyPose {
                    center: grid::moved(start.center, translation),
                    ..start
                };
                let next = SweepSegment {
                    from,
                    start,
                    end,
                    rotates: false,
                };
                self.continue_clamped(tables, body, next);
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
    fn is_jointed(&self, body: u32) -> bool {
        self.bodies.tracks[body as usize].flags & track_flags::JOINTED != 0
    }

    /// Returns how far the first body of an event slides along the second one \[m\]: the tangential part of
    /// `rest`, its remaining translation, less the friction of the impact. `None` if it does not slide.
    fn slide(&self, event: &ToiEvent, rest: Vec2) -> Option<Vec2> {
        let normal = event.normal?;
        let into = -rest.dot(&normal);
        let along = rest + into * normal;
        let length = along.norm();
        if !self.ctx.uses(Mechanism::ClampSlide) || into <= 0.0 || length <= 0.0 {
            return None;
        }
        let [a, b] = event.shapes.map(|shape| &self.shapes.slots[shape].material);
        let lost = a.friction_with(b) * (1.0 + a.restitution_with(b)) * into;
        let share = 1.0 - lost / length;
        (share > 0.0).then(|| along * share)
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
