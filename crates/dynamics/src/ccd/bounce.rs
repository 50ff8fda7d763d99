//! Policy *substep*: an impact is solved at its time, and the rest of the step is spent with the new
//! velocities.

use super::deferred::{TOUCH_DEPTH, bounce_threshold};
use super::step::{CcdStep, ImpactGroup};
use super::sweep::{SweepSegment, SweepView};
use super::tables::{CcdScene, CcdTables};
use super::toi::{ToiEvent, ToiOutcome};
use crate::body::def::BodyKind;
use crate::body::grid;
use crate::body::state::{BodyPose, BodyState, state_flags};
use crate::body::table::BodyTable;
use crate::contact::constraint::{ContactConstraint, constraint_flags};
use crate::contact::update::{half_angle_tangent, rolling_radii, store_manifold};
use crate::solver::{ImpactInput, MIN_APPROACH, SolverWorld, acceleration};
use crate::tuning::{MAX_ROTATION, Tuning};
use cairn2d_geometry::math::{Vec2, cross_scalar, sin_cos};
use smallvec::SmallVec;

/// Contacts, and joints, through which an impact is propagated within the step; the next step continues from
/// there.
const MAX_GROUP_CONTACTS: usize = 64;

/// Fraction of a step within which events are simultaneous: rounding, and the gap that is left.
const SIMULTANEOUS: f32 = 1.0e-3;

/// Newton steps to the time at which surfaces touch. A head-on impact needs one; a grazing one needs more and
/// is left half a slop apart at most.
const MAX_NEWTON_STEPS: u32 = 6;

/// When the surfaces of two approaching shapes touch.
enum TouchTime {
    /// At this fraction of the step.
    At(f32),
    /// They approach too slowly for an impact.
    Slow,
    /// Not in this step: they pass each other, touch later, or one is on the side of a chain that is not solid.
    Never,
}

/// Removes the velocity along locked axes.
fn stop_locked_axes(state: &mut BodyState) {
    if state.flags & state_flags::LOCK_X != 0 {
        state.velocity.x = 0.0;
    }
    if state.flags & state_flags::LOCK_Y != 0 {
        state.velocity.y = 0.0;
    }
}

/// Returns the rotation `q` (cosine, sine) turned by `angle` [rad].
fn turned(q: Vec2, angle: f32) -> Vec2 {
    let (s, c) = sin_cos(angle);
    Vec2::new(c * q.x - s * q.y, s * q.x + c * q.y).normalize()
}

/// Returns the acceleration of an unconstrained body in this step [m/s^2]; zero for others, whose velocity
/// the substeps have found.
pub(super) fn free_acceleration(bodies: &BodyTable, gravity: Vec2, body: u32) -> Vec2 {
    let index = body as usize;
    let state = &bodies.states[index];
    if state.flags & state_flags::UNCONSTRAINED == 0 || !bodies.is_dynamic(body) {
        return Vec2::zeros();
    }
    acceleration(&bodies.masses[index], &bodies.motions[index], gravity)
}

impl CcdTables<'_> {
    fn free_acceleration(&self, body: u32) -> Vec2 {
        free_acceleration(self.bodies, self.ctx.def.gravity, body)
    }
}

impl CcdStep {
    /// Returns the fraction of the step at which an impact is to be solved now; lists its simultaneous events
    /// and their bodies. Otherwise delays, clamps or drops the event: a time of impact leaves a small gap,
    /// and other events before the surfaces touch are resolved first.
    pub(super) fn begin_impact(
        &mut self,
        tables: &mut CcdTables<'_>,
        event: &ToiEvent,
    ) -> Option<f32> {
        let touch = if event.is_exact {
            TouchTime::At(event.fraction)
        } else {
            tables
                .scene()
                .touch_time(SweepView::of(&self.sweeps), event)
        };
        match touch {
            TouchTime::At(at) if at > event.fraction => self.events.push(ToiEvent {
                fraction: at,
                is_exact: true,
                ..*event
            }),
            TouchTime::At(at) => {
                self.list_simultaneous(tables, event);
                tables.counters.impacts += self.group.events.len();
                return Some(at);
            }
            // A rotating bar may come closer though no point of it approaches now.
            TouchTime::Slow => {
                tables.counters.impacts += 1;
                self.clamp(tables, event);
            }
            TouchTime::Never => self.find_other_point(tables, event),
        }
        None
    }

    /// Finds the event of another point of two shapes, if the nearest one does not touch in this step.
    fn find_other_point(&mut self, tables: &mut CcdTables<'_>, event: &ToiEvent) {
        let scene = tables.scene();
        if !event
            .bodies
            .iter()
            .any(|&body| scene.is_surface_turning(body))
        {
            return;
        }
        let (view, mut tested) = (SweepView::of(&self.sweeps), 0);
        let (shapes, bodies) = (event.shapes, event.bodies);
        let other = scene.test_other_points(view, shapes, bodies, event.fraction, &mut tested);
        tables.counters.impacts_tested += tested;
        if let ToiOutcome::Event(other) = other {
            self.events.push(other);
        }
    }

    /// Lists an event and the simultaneous ones of its bodies: they are solved together, so that a ball that
    /// hits two alike goes to neither side.
    fn list_simultaneous(&mut self, tables: &CcdTables<'_>, event: &ToiEvent) {
        let scene = tables.scene();
        self.group.events.clear();
        self.group.events.push(*event);
        let mut others: SmallVec<[ToiEvent; 4]> = SmallVec::new();
        while let Some(next) = self.take_first() {
            if next.fraction > event.fraction + SIMULTANEOUS || others.len() >= MAX_GROUP_CONTACTS {
                others.push(next);
                break;
            }
            let is_shared =
                |body: &u32| event.bodies.contains(body) && scene.bodies.is_dynamic(*body);
            let is_joined = next.is_exact && next.bodies.iter().any(is_shared);
            if is_joined && scene.is_substep_pair(next.shapes) {
                self.group.events.push(next);
            } else {
                others.push(next);
            }
        }
        self.events.extend(others);
        self.group.bodies.clear();
        self.group.kinematic.clear();
        for place in 0..self.group.events.len() {
            let bodies = self.group.events[place].bodies;
            self.group.add_bodies(scene.bodies, bodies);
        }
    }

    /// Returns the dynamic bodies of the impact that [`next_impact`](Self::next_impact) found.
    pub(crate) fn impact_bodies(&self) -> &[u32] {
        &self.group.bodies
    }

    /// Solves the impact that [`next_impact`](Self::next_impact) found at the fraction `at` of the step.
    pub(crate) fn solve_impact(&mut self, tables: &mut CcdTables<'_>, at: f32) {
        let rest = (1.0 - at) * tables.ctx.dt;
        let mut group = core::mem::take(&mut self.group);
        group.gather(tables);
        for &body in &group.bodies {
            let gained = rest * tables.free_acceleration(body);
            tables.bodies.states[body as usize].velocity -= gained;
        }
        let ends = self.place_at_impact(tables, &group.events, at);
        for (event, constraint) in group.events.iter().zip(&mut group.constraints) {
            *constraint = tables.scene().constraint_of(event);
        }
        group.save_states(tables.bodies);
        self.work.impacts += 1;
        self.work.bounces += group.solve(tables, rest);
        for (event, constraint) in group.events.iter().zip(&group.constraints) {
            self.report_impact(tables, event, constraint);
        }
        for (body, end) in ends {
            tables.bodies.poses[body as usize] = end;
        }
        self.continue_bounced(tables, &mut group, at);
        let event = group.events[0];
        let has_changed = event.bodies.iter().any(|body| group.changed.contains(body));
        // Simultaneous events of bodies that the impact left as they were are still valid.
        self.events.extend(group.events.drain(1..));
        self.group = group;
        if !has_changed {
            // Joints, locks or too many contacts let nothing change: the event would repeat without end.
            tables.counters.impacts_cut += 1;
            self.clamp(tables, &event);
        }
    }

    /// Moves the bodies of events to their poses at the impact. Returns the poses that they had.
    fn place_at_impact(
        &self,
        tables: &mut CcdTables<'_>,
        events: &[ToiEvent],
        at: f32,
    ) -> SmallVec<[(u32, BodyPose); 4]> {
        let mut poses: SmallVec<[(u32, BodyPose); 4]> = SmallVec::new();
        for body in events.iter().flat_map(|event| event.bodies) {
            if !poses.iter().any(|&(other, _)| other == body) {
                poses.push((
                    body,
                    tables
                        .scene()
                        .free_flight_pose(SweepView::of(&self.sweeps), body, at),
                ));
            }
        }
        for (body, pose) in &mut poses {
            core::mem::swap(&mut tables.bodies.poses[*body as usize], pose);
        }
        poses
    }

    /// Moves the bodies that the impact has changed on with their new velocities.
    fn continue_bounced(&mut self, tables: &mut CcdTables<'_>, group: &mut ImpactGroup, at: f32) {
        group.changed.clear();
        let rest = (1.0 - at) * tables.ctx.dt;
        for (&body, before) in group.bodies.iter().zip(&group.before) {
            let state = &mut tables.bodies.states[body as usize];
            stop_locked_axes(state);
            // Values are compared, since locked axes undo changes by the impact. Without an impulse on the body
            // the solver writes the same velocity back.
            let has_changed = state.velocity != before.velocity
                || state.angular_velocity != before.angular_velocity;
            if !has_changed {
                let gained = rest * tables.free_acceleration(body);
                tables.bodies.states[body as usize].velocity += gained;
                continue;
            }
            group.changed.push(body);
            tables.bodies.cap_speeds(body);
            let start = tables
                .scene()
                .free_flight_pose(SweepView::of(&self.sweeps), body, at);
            let next = advance(tables, body, start, at);
            self.change_sweep(tables, body, next);
            let sweep = self.sweeps.of_mut(body).expect("a sweep that was begun");
            sweep.impacts += 1;
            let mut events = group.events.iter();
            let own = events.find(|event| event.bodies.contains(&body));
            sweep.last_impact = own.map(|event| {
                let [a, b] = event.shapes;
                [a.min(b), a.max(b)]
            });
        }
        for &body in &group.changed {
            self.find_again(tables, body);
        }
    }
}

/// Returns the motion of a body with its velocity from `start` at the fraction `at` of the step on; the velocity
/// becomes that at the end.
fn advance(tables: &mut CcdTables<'_>, body: u32, start: BodyPose, at: f32) -> SweepSegment {
    let rest = (1.0 - at) * tables.ctx.dt;
    let gained = rest * tables.free_acceleration(body);
    let state = &mut tables.bodies.states[body as usize];
    let translation = rest * (state.velocity + 0.5 * gained);
    state.velocity += gained;
    state.cap_speeds(&tables.bodies.motions[body as usize]);
    let mut turn = rest * state.angular_velocity;
    if state.flags & state_flags::FAST_ROTATION == 0 {
        turn = turn.clamp(-MAX_ROTATION, MAX_ROTATION);
    }
    SweepSegment {
        from: at,
        start,
        end: BodyPose {
            center: grid::moved(start.center, translation),
            rotation: turned(start.rotation, turn),
            local_center: start.local_center,
        },
        rotates: turn != 0.0,
    }
}

impl ImpactGroup {
    fn add_bodies(&mut self, bodies: &BodyTable, pair: [u32; 2]) {
        for body in pair {
            let list = match bodies.slots[body].kind {
                BodyKind::Dynamic => &mut self.bodies,
                BodyKind::Kinematic => &mut self.kinematic,
                BodyKind::Static => continue,
            };
            if !list.contains(&body) {
                list.push(body);
            }
        }
    }

    /// Lists the bodies that the impact may be propagated to, and the contacts and joints between them.
    fn gather(&mut self, tables: &CcdTables<'_>) {
        self.contacts.clear();
        self.joints.clear();
        let mut next = 0;
        while let Some(&body) = self.bodies.get(next) {
            next += 1;
            let record = &tables.bodies.slots[body];
            for &contact in &record.contacts {
                if !self.is_propagating(tables, contact) {
                    continue;
                }
                if self.contacts.len() >= MAX_GROUP_CONTACTS {
                    break;
                }
                self.contacts.push(contact);
                let record = &tables.contacts.slots[contact];
                self.add_bodies(tables.bodies, [record.body_a, record.body_b]);
            }
            for &joint in &record.joints {
                let record = &tables.joints.slots[joint];
                let is_full = self.joints.len() >= MAX_GROUP_CONTACTS;
                // Joints to disabled bodies and filter joints have no effect.
                if !record.active || is_full || self.joints.contains(&joint) {
                    continue;
                }
                self.joints.push(joint);
                self.add_bodies(tables.bodies, [record.body_a, record.body_b]);
            }
        }
        self.contacts.sort_unstable();
        self.joints.sort_unstable();
        self.constraints.clear();
        self.constraints
            .resize(self.events.len(), ContactConstraint::EMPTY);
        for &contact in &self.contacts {
            let mut constraint = tables.contacts.constraints[contact as usize];
            // The impulses of this impact are added to those of the substeps.
            constraint.clear_totals();
            self.constraints.push(constraint);
        }
    }

    /// Returns `true` if a contact propagates the impact and is not in the group yet.
    fn is_propagating(&self, tables: &CcdTables<'_>, contact: u32) -> bool {
        let record = &tables.contacts.slots[contact];
        let flags = tables.contacts.constraints[contact as usize].flags;
        let is_of_event = |event: &ToiEvent| record.is_between(event.shapes);
        record.pushes()
            && flags & constraint_flags::DEFERRED == 0
            && !self.events.iter().any(is_of_event)
            && !self.contacts.contains(&contact)
    }

    fn moving_bodies(&self) -> impl Iterator<Item = u32> {
        self.bodies.iter().chain(&self.kinematic).copied()
    }

    fn save_states(&mut self, bodies: &BodyTable) {
        let mut before = core::mem::take(&mut self.before);
        before.clear();
        before.extend(
            self.moving_bodies()
                .map(|body| bodies.states[body as usize]),
        );
        self.before = before;
    }

    /// Changes velocities by the impact, `rest` \[s\] before the end of the step. Returns the number of
    /// bounces. If an impulse overflows, nothing changes: with a restitution above 1, or joints between bodies
    /// without mass, velocities may grow in each round.
    fn solve(&mut self, tables: &mut CcdTables<'_>, rest: f32) -> usize {
        let def = tables.ctx.def;
        let tuning = Tuning {
            restitution_threshold: bounce_threshold(def),
            ..def.tuning
        };
        let bounces = tables.solver.solve_impact(ImpactInput {
            world: SolverWorld {
                gravity: def.gravity,
                tuning: &tuning,
                states: &mut tables.bodies.states,
                poses: &tables.bodies.poses,
                masses: &tables.bodies.masses,
                motions: &tables.bodies.motions,
                constraints: &mut self.constraints,
                joints: tables.joints.sims.write_awake(),
            },
            dt: tables.ctx.dt,
            rest,
            substeps: def.substeps,
            struck: self.events.len() as u32,
            joint_slots: &self.joints,
        });
        let states = &mut tables.bodies.states;
        if !self
            .moving_bodies()
            .all(|body| states[body as usize].has_finite_velocity())
        {
            for (body, before) in self.moving_bodies().zip(&self.before) {
                states[body as usize] = *before;
            }
            for (event, constraint) in self.events.iter().zip(&mut self.constraints) {
                *constraint = tables.scene().constraint_of(event);
            }
            return 0;
        }
        tables.counters.bounces += bounces;
        let propagated = &self.constraints[self.events.len()..];
        for (&contact, solved) in self.contacts.iter().zip(propagated) {
            tables.contacts.add_totals(contact, solved);
        }
        bounces
    }
}

impl CcdScene<'_> {
    /// Returns when the surfaces touch, from the time of impact on, by Newton's method on their gap. Without
    /// rotation the approach slows down, so no step overshoots.
    fn touch_time(&self, view: SweepView<'_>, event: &ToiEvent) -> TouchTime {
        let mut at = event.fraction;
        for pass in 0..MAX_NEWTON_STEPS {
            let found = self.gap_and_approach(view, event.shapes, event.bodies, at);
            let Some((gap, approach)) = found else {
                return TouchTime::Never;
            };
            if approach <= MIN_APPROACH {
                let turns = |&body: &u32| self.is_surface_turning(body);
                let is_near = pass == 0 || event.bodies.iter().any(turns);
                return if is_near {
                    TouchTime::Slow
                } else {
                    TouchTime::Never
                };
            }
            if gap <= TOUCH_DEPTH && pass > 0 {
                break;
            }
            at += gap.max(0.0) / (approach * self.ctx.dt);
            if at >= 1.0 {
                return TouchTime::Never;
            }
        }
        TouchTime::At(at)
    }

    /// Returns `true` if the rotation of a body moves its surface.
    fn is_surface_turning(&self, body: u32) -> bool {
        let track = &self.bodies.tracks[body as usize];
        let is_round = track.max_extent - track.min_extent <= TOUCH_DEPTH;
        self.bodies.states[body as usize].angular_velocity != 0.0 && !is_round
    }

    /// Returns the gap \[m\] between two shapes and their approach speed \[m/s\] at the closest point, at a fraction of
    /// the step; `None` on the side of a chain that is not solid.
    pub(super) fn gap_and_approach(
        &self,
        view: SweepView<'_>,
        shapes: [u32; 2],
        bodies: [u32; 2],
        at: f32,
    ) -> Option<(f32, f32)> {
        let poses = bodies.map(|body| self.free_flight_pose(view, body, at));
        let manifold = self.shapes.manifold_at(shapes, &poses);
        let normal = poses[0].rotate(manifold.normal);
        let points = manifold.points().iter();
        let nearest = points.min_by(|p, q| p.separation.total_cmp(&q.separation))?;
        // Halfway between the surfaces.
        let place = poses[0].to_world(nearest.point);
        let rest = (1.0 - at) * self.ctx.dt;
        let [velocity_a, velocity_b] = [0, 1].map(|i| {
            let body = bodies[i];
            let state = &self.bodies.states[body as usize];
            let velocity = state.velocity - rest * self.free_acceleration(body);
            let arm = place - poses[i].center;
            velocity + cross_scalar(state.angular_velocity, &arm)
        });
        let approach = (velocity_a - velocity_b).dot(&normal);
        Some((nearest.separation, approach))
    }

    fn free_acceleration(&self, body: u32) -> Vec2 {
        free_acceleration(self.bodies, self.ctx.def.gravity, body)
    }

    /// Returns the pose of a body at a fraction of the step. Sweeps are straight; a body in free flight is
    /// above its sweep in between.
    fn free_flight_pose(&self, view: SweepView<'_>, body: u32, at: f32) -> BodyPose {
        let dt = self.ctx.dt;
        let segment = self.segment_of(view, body);
        let pose = segment.pose_at(at);
        let times = ((at - segment.from).max(0.0) * dt) * ((1.0 - at) * dt);
        let bulge = -(0.5 * times) * self.free_acceleration(body);
        BodyPose {
            center: grid::moved(pose.center, bulge),
            ..pose
        }
    }

    /// Returns the constraint of an event with the bodies at their present poses.
    fn constraint_of(&self, event: &ToiEvent) -> ContactConstraint {
        let [body_a, body_b] = event.bodies;
        let poses = event.bodies.map(|body| self.bodies.poses[body as usize]);
        let manifold = self.shapes.manifold_at(event.shapes, &poses);
        let [a, b] = event.shapes.map(|shape| &self.shapes.slots[shape]);
        let flags = match self.bodies.slots[body_b].kind {
            BodyKind::Static => constraint_flags::STATIC_B,
            _ => 0,
        };
        let mut constraint = ContactConstraint {
            body_a,
            body_b,
            flags,
            ..ContactConstraint::EMPTY
        };
        constraint.set_surface(&a.surface_with(b));
        let centers = poses.map(|pose| pose.local_center);
        let b_in_a = poses[0].pose_of(&poses[1]);
        let radii = rolling_radii([a, b], &manifold.normal, &b_in_a);
        let mechanisms = self.ctx.def.tuning.mechanisms;
        store_manifold(
            &mut constraint,
            &manifold,
            &b_in_a,
            centers,
            radii,
            mechanisms,
        );
        constraint.half_angle = half_angle_tangent(poses[0].rotation);
        constraint
    }
}
