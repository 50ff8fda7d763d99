//! Stage 6 of the step: bodies that moved far for their size are swept against what they could have
//! passed through, and stopped at the first impact.
//!
//! The body keeps its velocity: the next step finds the contact and solves it. Bodies are swept
//! against static and kinematic shapes; bullets also against dynamic ones that are not bullets.

use crate::body::state::{BodyPose, BodyState};
use crate::body::track_flags;
use crate::contact::patch::PatchPoint;
use crate::material::one_way_stops;
use crate::world::World;
use crate::world::finalize::{FAST_SHARE, turn_of};
use cairn2d_broadphase::ProxyKind;
use cairn2d_geometry::math::{Point, Vec2, WorldPoint, rotation_from_parts};
use cairn2d_geometry::{Aabb, Sweep, ToiState, time_of_impact};
use core::ops::ControlFlow;

/// Says whether a body of half thickness `thickness` \[m\] moves so far against the normal of what it meets that it
/// could get through, all of it: what grazes, slides over a seam or rolls along a chain is left to the contact that
/// it makes in the next step, and loses no time.
fn goes_in(mine: &Sweep, other: &Sweep, normal: &Vec2, thickness: f32) -> bool {
    let way = (mine.end - mine.start) - (other.end - other.start);
    -way.dot(normal) > FAST_SHARE * thickness
}

/// A shape of a fast body, and a box around its way in this step.
pub(crate) type SweptShape = (u32, Aabb);

impl World {
    /// Brings the boxes of the fast bodies of this step up to date, in order of slot, and sweeps those bodies.
    pub(crate) fn continuous(&mut self) {
        let fast = core::mem::take(&mut self.scratch.fast);
        let mut swept = core::mem::take(&mut self.scratch.swept);
        for &slot in &fast {
            if self.bodies.slots[slot].disabled {
                continue;
            }
            self.sweep_boxes(slot, &mut swept);
            if self.bodies.tracks[slot as usize].flags & track_flags::DYNAMIC != 0 {
                self.stop_at_first_impact(slot, &swept);
                self.hold_back_cores(slot);
            }
            if self.sensors > 0 {
                self.sense_on_the_way(slot, &swept);
            }
        }
        self.counters.continuous_bodies = fast.len();
        self.scratch.fast = fast;
        self.scratch.swept = swept;
    }

    /// Grows the boxes of the body's shapes to where it is now, and lists boxes around what they were and are:
    /// on its way the body is in them.
    fn sweep_boxes(&mut self, slot: u32, swept: &mut Vec<SweptShape>) {
        let shapes = &self.bodies.slots[slot].shapes;
        swept.clear();
        swept.extend(
            shapes
                .iter()
                .map(|&shape| (shape, self.shapes[shape].fat_box)),
        );
        self.grow_boxes(slot);
        for (shape, area) in swept {
            *area = area.union(&self.shapes[*shape].fat_box);
        }
    }

    /// Takes the body in `slot` back to the time of its first impact in this step, if it had one.
    fn stop_at_first_impact(&mut self, slot: u32, swept: &[SweptShape]) {
        let base = self.start_of_step(slot).center;
        let sweep = self.sweep_of(slot, base);
        let mut fraction = 1.0;
        for (shape, area) in swept {
            fraction = self.first_impact(*shape, area, &sweep, base, fraction);
        }
        if fraction < 1.0 {
            self.shorten_step(slot, &sweep, base, fraction);
            self.grow_boxes(slot);
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

    /// Returns the fraction at which the shape in `slot`, moving with `sweep` within `area`, first meets something;
    /// `limit` if it does not before that.
    fn first_impact(
        &mut self,
        slot: u32,
        area: &Aabb,
        sweep: &Sweep,
        base: WorldPoint,
        limit: f32,
    ) -> f32 {
        let shape = &self.shapes[slot];
        if shape.sensor {
            return limit;
        }
        let flags = self.bodies.tracks[shape.body as usize].flags;
        let kinds: &[ProxyKind] = if flags & track_flags::BULLET != 0 {
            &ProxyKind::ALL
        } else {
            &[ProxyKind::Static, ProxyKind::Kinematic]
        };
        let thickness = self.bodies.tracks[shape.body as usize].min_extent;
        let (mut first, mut tested) = (limit, 0);
        self.broad.query_kinds(kinds, area, u64::MAX, |other| {
            if self.is_obstacle(slot, other) {
                tested += 1;
                let target = &self.shapes[other];
                let its_sweep = self.sweep_of(target.body, base);
                let impact =
                    time_of_impact(&target.geometry, &its_sweep, &shape.geometry, sweep, first);
                // Where the search gave up nothing touches before the fraction: stopping there is safe.
                let hit = match impact.state {
                    ToiState::Touching => {
                        goes_in(sweep, &its_sweep, &impact.normal, thickness)
                            && self.stops_along(other, impact.normal)
                            && self.stops_along(slot, -impact.normal)
                    }
                    ToiState::Failed => true,
                    _ => false,
                };
                if hit {
                    first = first.min(impact.fraction);
                }
            }
            ControlFlow::Continue(())
        });
        self.counters.impacts_tested += tested;
        first
    }

    /// Says whether the shape in `slot` stops what lies along `normal` out of it, as far as it is one-way.
    fn stops_along(&self, slot: u32, normal: Vec2) -> bool {
        let shape = &self.shapes[slot];
        let rotation = self.bodies.poses[shape.body as usize].rotation;
        one_way_stops(shape.material.one_way, rotation, normal)
    }

    /// Says whether the bodies in these slots are swept against each other, the first one moving.
    fn stops(&self, mine: u32, other: u32) -> bool {
        let flags = |body: u32| self.bodies.tracks[body as usize].flags;
        let its = flags(other);
        if its & track_flags::DYNAMIC == 0 {
            return true;
        }
        flags(mine) & track_flags::BULLET != 0 && its & track_flags::BULLET == 0
    }

    /// Says whether the moving shape `mine` is stopped by the shape `other`, which it does not touch yet.
    fn is_obstacle(&self, mine: u32, other: u32) -> bool {
        let (a, b) = (&self.shapes[mine], &self.shapes[other]);
        !b.sensor
            && a.body != b.body
            && self.stops(a.body, b.body)
            && !self.touches(mine, other)
            && self.pair_rules().allow(mine, other)
    }

    /// Keeps the cores of the body's shapes from passing what they touch.
    fn hold_back_cores(&mut self, slot: u32) {
        let mut moved = false;
        for place in 0..self.bodies.slots[slot].contacts.len() {
            let contact = self.bodies.slots[slot].contacts[place];
            // In a pile nearly all end here: what is asked first must be near in memory.
            let partner = self.partner(slot, contact);
            if self.stops(slot, partner)
                && self.contacts[contact].pushes()
                && self.may_pass(slot, contact)
            {
                moved |= self.hold_back_core(slot, contact);
            }
        }
        if moved {
            self.grow_boxes(slot);
        }
    }

    /// Returns the body that the one in `slot` has `contact` with.
    fn partner(&self, slot: u32, contact: u32) -> u32 {
        let watch = &self.watches[contact as usize];
        if watch.body_a == slot {
            watch.body_b
        } else {
            watch.body_a
        }
    }

    /// Says whether a core may have come to what its shape touches in `contact`.
    ///
    /// Cheap and on the safe side: the other shape lies behind the plane of the contact, no further before it than
    /// the overlap. A core that stays in front by its radius has not met it.
    fn may_pass(&self, slot: u32, contact: u32) -> bool {
        let patch = &self.patches[contact as usize];
        let [start_a, start_b] = [patch.body_a, patch.body_b].map(|body| self.start_of_step(body));
        let is_a = patch.body_a == slot;
        let sign = if is_a { -1.0 } else { 1.0 };
        let away = start_a.rotate(patch.normal) * sign;
        let record = &self.contacts[contact];
        let mine = &self.shapes[if is_a { record.shape_a } else { record.shape_b }];
        let Some(core) = &mine.core else {
            return true;
        };
        let my_start = if is_a { &start_a } else { &start_b };
        // Height of my centre of mass over each point, less the overlap there.
        let height = |point: &PatchPoint| {
            let on_a = start_a.rotate(point.anchor_a);
            let on_b = (start_b.center - start_a.center) + start_b.rotate(point.anchor_b);
            let overlap = (point.base_separation + (on_b - on_a).dot(&away) * sign).min(0.0);
            ((my_start.center - start_a.center) - on_a).dot(&away) + overlap
        };
        let points = &patch.points[..patch.count as usize];
        let lowest = points.iter().map(height).fold(f32::INFINITY, f32::min);
        // About a centre of mass that is not its own, a core also moves by turning; and what it touches may move.
        let offset = mine.core_offset(&self.bodies.poses[slot as usize]);
        let state = &self.bodies.states[slot as usize];
        let other = if is_a { patch.body_b } else { patch.body_a };
        let comes_nearer = (-state.delta_position.dot(&away)).max(0.0)
            + (1.0 + turn_of(state)) * offset
            + self.bodies.moved[other as usize];
        lowest - comes_nearer < core.radius()
    }

    /// Takes back the way of a core into the shape that it touches in `contact`. The contact was solved in this
    /// step and the shape may slide and turn on it: only the way is taken back, not the time. Returns whether there
    /// was any.
    fn hold_back_core(&mut self, slot: u32, contact: u32) -> bool {
        let contact = &self.contacts[contact];
        let (mine, other) = if contact.body_a == slot {
            (contact.shape_a, contact.shape_b)
        } else {
            (contact.shape_b, contact.shape_a)
        };
        let base = self.start_of_step(slot).center;
        let (mover, target) = (&self.shapes[mine], &self.shapes[other]);
        let sweep = self.sweep_of(slot, base);
        let its_sweep = self.sweep_of(target.body, base);
        let impact = time_of_impact(&target.geometry, &its_sweep, &mover.core_shape(), &sweep, 1.0);
        if impact.state != ToiState::Touching {
            return false;
        }
        let way = self.bodies.states[slot as usize].delta_position;
        let into = (way.dot(&impact.normal) * (1.0 - impact.fraction)).min(0.0);
        let back = impact.normal * into;
        self.bodies.states[slot as usize].delta_position -= back;
        self.bodies.poses[slot as usize].center -= back;
        true
    }

    /// Says whether a contact of the two shapes touches.
    fn touches(&self, mine: u32, other: u32) -> bool {
        let [body, partner] = [mine, other].map(|shape| self.shapes[shape].body);
        self.bodies.slots[body].contacts.iter().any(|&contact| {
            self.partner(body, contact) == partner && {
                let contact = &self.contacts[contact];
                let pair = (contact.shape_a, contact.shape_b);
                contact.pushes() && (pair == (mine, other) || pair == (other, mine))
            }
        })
    }

    /// Returns the pose that the body in `slot` had before this step.
    pub(crate) fn start_of_step(&self, slot: u32) -> BodyPose {
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
