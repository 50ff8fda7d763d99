//! Stage 6 of the step: bodies that moved far for their size are swept against what they could have
//! passed through, and stopped at the first impact.
//!
//! The body keeps its velocity: the next step finds the contact and solves it. Bodies are swept
//! against static and kinematic shapes; bullets also against dynamic ones that are not bullets.

use crate::body::def::BodyKind;
use crate::body::state::{BodyPose, BodyState};
use crate::world::World;
use crate::world::shapes::place_box;
use cairn2d_geometry::math::{Point, Vec2, WorldPoint, rotation_from_parts};
use cairn2d_geometry::{Sweep, ToiState, time_of_impact};
use core::ops::ControlFlow;

impl World {
    /// Sweeps the fast bodies of this step, in order of slot, and brings their boxes up to date.
    pub(crate) fn continuous(&mut self) {
        let fast = core::mem::take(&mut self.scratch.fast);
        for &slot in &fast {
            if self.bodies.slots[slot].disabled {
                continue;
            }
            if self.bodies.is_dynamic(slot) {
                self.stop_at_first_impact(slot);
            }
            let base = self.start_of_step(slot).center;
            let sweep = self.sweep_of(slot, base);
            self.sense_on_the_way(slot, &sweep, base);
            self.grow_boxes(slot);
        }
        self.counters.continuous_bodies = fast.len();
        self.scratch.fast = fast;
    }

    /// Takes the body in `slot` back to the time of its first impact in this step, if it had one.
    fn stop_at_first_impact(&mut self, slot: u32) {
        let base = self.start_of_step(slot).center;
        let sweep = self.sweep_of(slot, base);
        let mut fraction = 1.0;
        for place in 0..self.bodies.slots[slot].shapes.len() {
            let shape = self.bodies.slots[slot].shapes[place];
            fraction = self.first_impact(shape, &sweep, base, fraction);
        }
        if fraction < 1.0 {
            self.shorten_step(slot, &sweep, base, fraction);
        }
        for place in 0..self.bodies.slots[slot].contacts.len() {
            let contact = self.bodies.slots[slot].contacts[place];
            if self.contacts[contact].pushes() {
                self.hold_back_core(slot, contact);
            }
        }
    }

    /// Leaves the body in `slot` where it was at `fraction` of its way; its deltas become those of the
    /// shorter way.
    fn shorten_step(&mut self, slot: u32, sweep: &Sweep, base: WorldPoint, fraction: f32) {
        let turned = sweep.pose_at(fraction).rotation / sweep.start_rotation;
        let stopped = turned * sweep.start_rotation;
        let state = &mut self.bodies.states[slot as usize];
        state.delta_position *= fraction;
        state.delta_rotation = Vec2::new(turned.re, turned.im);
        let pose = &mut self.bodies.poses[slot as usize];
        pose.center = base + state.delta_position;
        pose.rotation = Vec2::new(stopped.re, stopped.im).normalize();
    }

    /// Returns the fraction at which the shape in `slot`, moving with `sweep`, first meets something; `limit` if
    /// it does not before that.
    fn first_impact(&mut self, slot: u32, sweep: &Sweep, base: WorldPoint, limit: f32) -> f32 {
        let shape = &self.shapes[slot];
        if shape.sensor {
            return limit;
        }
        let start = shape.geometry.aabb(&sweep.pose_at(0.0));
        let end = shape.geometry.aabb(&sweep.pose_at(1.0));
        let swept = place_box(&start.union(&end), base, 0.0);
        let mut first = limit;
        let mut tested = 0;
        self.broad.query(&swept, u64::MAX, |other| {
            if self.is_obstacle(slot, other) {
                tested += 1;
                let target = &self.shapes[other];
                let its_sweep = self.sweep_of(target.body, base);
                let impact =
                    time_of_impact(&target.geometry, &its_sweep, &shape.geometry, sweep, first);
                // Where the search gave up nothing touches before the fraction: stopping there is safe.
                if matches!(impact.state, ToiState::Touching | ToiState::Failed) {
                    first = first.min(impact.fraction);
                }
            }
            ControlFlow::Continue(())
        });
        self.counters.impacts_tested += tested;
        first
    }

    /// Says whether bodies of these shapes are swept against each other, the first one moving.
    fn stops(&self, mine: u32, other: u32) -> bool {
        let bullet = self.bodies.slots[self.shapes[mine].body].bullet;
        let body = &self.bodies.slots[self.shapes[other].body];
        match body.kind {
            BodyKind::Static | BodyKind::Kinematic => true,
            BodyKind::Dynamic => bullet && !body.bullet,
        }
    }

    /// Says whether the moving shape `mine` is stopped by the shape `other`, which it may meet.
    fn is_obstacle(&self, mine: u32, other: u32) -> bool {
        let (a, b) = (&self.shapes[mine], &self.shapes[other]);
        self.stops(mine, other)
            && !self.touches(mine, other)
            && a.body != b.body
            && !b.sensor
            && a.filter.meets(&b.filter)
            && super::joints::may_collide(&self.bodies, &self.joints, a.body, b.body)
    }

    /// Keeps the core of the body's shape from passing what it touches in `contact`.
    ///
    /// The contact was solved in this step and the shape may slide and turn on it: only the way of the core into
    /// the other shape is taken back, not the time.
    fn hold_back_core(&mut self, slot: u32, contact: u32) {
        let contact = &self.contacts[contact];
        let (mine, other) = if contact.body_a == slot {
            (contact.shape_a, contact.shape_b)
        } else {
            (contact.shape_b, contact.shape_a)
        };
        if !self.stops(mine, other) {
            return;
        }
        let base = self.start_of_step(slot).center;
        let (mover, target) = (&self.shapes[mine], &self.shapes[other]);
        let sweep = self.sweep_of(slot, base);
        let its_sweep = self.sweep_of(target.body, base);
        let impact = time_of_impact(&target.geometry, &its_sweep, &mover.core, &sweep, 1.0);
        if impact.state == ToiState::Touching {
            let way = self.bodies.states[slot as usize].delta_position;
            let into = (way.dot(&impact.normal) * (1.0 - impact.fraction)).min(0.0);
            let back = impact.normal * into;
            self.bodies.states[slot as usize].delta_position -= back;
            self.bodies.poses[slot as usize].center -= back;
        }
    }

    /// Says whether a contact of the two shapes touches.
    fn touches(&self, mine: u32, other: u32) -> bool {
        self.bodies.slots[self.shapes[mine].body]
            .contacts
            .iter()
            .any(|&contact| {
                let contact = &self.contacts[contact];
                let pair = (contact.shape_a, contact.shape_b);
                contact.pushes() && (pair == (mine, other) || pair == (other, mine))
            })
    }

    /// Returns the pose that the body in `slot` had before this step.
    fn start_of_step(&self, slot: u32) -> BodyPose {
        let pose = &self.bodies.poses[slot as usize];
        if !self.bodies.awake.contains(slot) {
            return *pose;
        }
        let state: &BodyState = &self.bodies.states[slot as usize];
        let (c, s) = (state.delta_rotation.x, state.delta_rotation.y);
        let (re, im) = (pose.rotation.x, pose.rotation.y);
        BodyPose {
            center: pose.center - state.delta_position,
            rotation: Vec2::new(c * re + s * im, c * im - s * re),
            local_center: pose.local_center,
        }
    }

    /// Returns the motion of the body in `slot` in this step, relative to `base`.
    pub(crate) fn sweep_of(&self, slot: u32, base: WorldPoint) -> Sweep {
        let start = self.start_of_step(slot);
        let end = &self.bodies.poses[slot as usize];
        Sweep {
            local_center: Point::from(end.local_center),
            start: Point::from(start.center - base),
            end: Point::from(end.center - base),
            start_rotation: rotation_from_parts(start.rotation.x, start.rotation.y),
            end_rotation: end.rotation(),
        }
    }
}
