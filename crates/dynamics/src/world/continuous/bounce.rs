//! Policy *substep*: an impact is solved when it happens, and the rest of the step spent with the new velocities.

use super::ahead::TOUCH;
use super::flight::Ways;
use super::meetings::Meeting;
use super::{Group, Hunt};
use crate::body::grid;
use crate::body::state::{BodyPose, BodyState, state_flags};
use crate::contact::constraint::{ContactConstraint, constraint_flags};
use crate::contact::update::store_manifold;
use crate::solver::{ImpactInput, MIN_APPROACH, SolverWorld, acceleration};
use crate::tuning::{MAX_ROTATION, Tuning};
use crate::world::World;
use cairn2d_geometry::math::{Vec2, sin_cos};
use smallvec::SmallVec;

/// Contacts through which an impact is passed on within the step; the next step goes on from there.
const MAX_CONTACTS: usize = 64;

/// Part of a step within which meetings happen at the same time: rounding, and the gap that is left.
const SAME_TIME: f32 = 1.0e-3;

/// Tangents along which the time at which surfaces touch is looked for. Head-on one is enough; what grazes takes more, and is
/// left half a slop apart at most.
const MAX_TANGENTS: u32 = 6;

/// Whether two shapes that come together touch.
enum Touch {
    /// At this fraction of the step.
    At(f32),
    /// In the next step.
    Later,
    /// They come together too slowly for an impact.
    Slow,
    /// They graze each other without touching.
    Past,
    /// A chain is met from its open side.
    FromBehind,
}

/// Takes away the velocity that a body is kept from.
fn stop_locked(state: &mut BodyState) {
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

impl World {
    /// Solves a meeting when it happens. The time of impact is that of a small gap: what comes before the surfaces touch is
    /// dealt with first.
    pub(super) fn bounce(&mut self, hunt: &mut Hunt, meeting: &Meeting, dt: f32) {
        let touch = if meeting.timed {
            Touch::At(meeting.fraction)
        } else {
            self.time_of_touch(hunt, meeting, dt)
        };
        match touch {
            Touch::At(at) if at > meeting.fraction => hunt.meetings.push(Meeting {
                fraction: at,
                timed: true,
                ..*meeting
            }),
            Touch::At(at) => {
                self.counters.impacts += 1;
                self.bounce_at(hunt, meeting, (at, dt));
            }
            // A bar that turns comes nearer though no point of it does so now.
            Touch::Slow => {
                self.counters.impacts += 1;
                self.clamp(hunt, meeting, dt);
            }
            Touch::Later | Touch::Past | Touch::FromBehind => {}
        }
    }

    fn bounce_at(&mut self, hunt: &mut Hunt, meeting: &Meeting, (at, dt): (f32, f32)) {
        let rest = (1.0 - at) * dt;
        let mut group = core::mem::take(&mut hunt.group);
        self.take_company(hunt, &mut group, meeting);
        self.gather_group(&mut group);
        self.rewind(&group, -rest);
        let ends = self.put_where_they_meet(hunt, &group, (at, dt));
        for place in 0..group.meetings.len() {
            group.constraints[place] = self.patch_of_meeting(&group.meetings[place]);
        }
        group.before.clear();
        let states = group.bodies.iter();
        group
            .before
            .extend(states.map(|&body| self.bodies.states[body as usize]));
        let bounces = self.counters.bounces;
        self.strike(&mut group, (dt, rest));
        hunt.spent.impacts += 1;
        hunt.spent.bounces += self.counters.bounces - bounces;
        for (meeting, constraint) in group.meetings.iter().zip(&group.constraints) {
            self.report_impact(hunt, meeting, constraint);
        }
        for (body, end) in ends {
            self.bodies.poses[body as usize] = end;
        }
        self.fly_on(hunt, &mut group, (at, dt));
        let changed = |body: &u32| group.changed.contains(body);
        let moved_on = meeting.bodies.iter().any(changed);
        // Those that nothing came of are as they were.
        hunt.meetings.extend(group.meetings.drain(1..));
        hunt.group = group;
        if !moved_on {
            // Joints, locks or too many contacts let nothing change. It would be met again, at once and without end.
            self.counters.impacts_cut += 1;
            self.clamp(hunt, meeting, dt);
        }
    }

    /// Lists a meeting and those that one of its bodies has at the same time: they are solved together, so that a ball which
    /// hits two alike goes to neither side.
    fn take_company(&mut self, hunt: &mut Hunt, group: &mut Group, meeting: &Meeting) {
        group.meetings.clear();
        group.meetings.push(*meeting);
        let mut others: SmallVec<[Meeting; 4]> = SmallVec::new();
        while let Some(next) = hunt.take_first() {
            if next.fraction > meeting.fraction + SAME_TIME || others.len() >= MAX_CONTACTS {
                others.push(next);
                break;
            }
            let is_shared =
                |body: &u32| meeting.bodies.contains(body) && self.bodies.is_dynamic(*body);
            let joins = next.timed && next.bodies.iter().any(is_shared);
            if joins && self.shapes_solve_at_once(next.shapes) {
                group.meetings.push(next);
            } else {
                others.push(next);
            }
        }
        hunt.meetings.extend(others);
        self.counters.impacts += group.meetings.len() - 1;
        for meeting in &group.meetings {
            for body in meeting.bodies {
                if self.bodies.is_dynamic(body) {
                    self.wake_body(body);
                }
            }
        }
    }

    /// Puts the bodies of the group's meetings where they are then; returns where they were.
    fn put_where_they_meet(
        &mut self,
        hunt: &Hunt,
        group: &Group,
        when: (f32, f32),
    ) -> SmallVec<[(u32, BodyPose); 4]> {
        let mut poses: SmallVec<[(u32, BodyPose); 4]> = SmallVec::new();
        for body in group.meetings.iter().flat_map(|meeting| meeting.bodies) {
            if !poses.iter().any(|&(other, _)| other == body) {
                poses.push((body, self.flown_pose(hunt, body, when)));
            }
        }
        for (body, pose) in &mut poses {
            core::mem::swap(&mut self.bodies.poses[*body as usize], pose);
        }
        poses
    }

    /// Returns when the surfaces touch, from the time of impact on. Tangents of their gap over time lead there: what does not
    /// turn comes together ever more slowly, and no tangent goes too far.
    fn time_of_touch(&self, hunt: &Hunt, meeting: &Meeting, dt: f32) -> Touch {
        let mut at = meeting.fraction;
        for tangent in 0..MAX_TANGENTS {
            let Some((gap, approach)) = self.gap_and_approach(hunt, meeting, (at, dt)) else {
                return Touch::FromBehind;
            };
            if approach <= MIN_APPROACH {
                let is_near = tangent == 0 || meeting.bodies.iter().any(|&body| self.turns(body));
                return if is_near { Touch::Slow } else { Touch::Past };
            }
            if gap <= TOUCH && tangent > 0 {
                break;
            }
            at += gap.max(0.0) / (approach * dt);
            if at >= 1.0 {
                return Touch::Later;
            }
        }
        Touch::At(at)
    }

    /// Says whether the turn of a body changes where its surface is.
    fn turns(&self, body: u32) -> bool {
        let track = &self.bodies.tracks[body as usize];
        let is_round = track.max_extent - track.min_extent <= TOUCH;
        self.bodies.states[body as usize].angular_velocity != 0.0 && !is_round
    }

    /// Returns the gap between the shapes of a meeting \[m\] and how fast they come together where they are nearest [m/s], at a
    /// fraction of the step; none if a chain is met from its open side.
    fn gap_and_approach(
        &self,
        hunt: &Hunt,
        meeting: &Meeting,
        (at, dt): (f32, f32),
    ) -> Option<(f32, f32)> {
        let poses = meeting
            .bodies
            .map(|body| self.flown_pose(hunt, body, (at, dt)));
        let manifold = self.manifold_at(meeting.shapes, &poses);
        let normal = poses[0].rotate(manifold.normal);
        let nearest = manifold
            .points()
            .iter()
            .min_by(|p, q| p.separation.total_cmp(&q.separation))?;
        // The middle between the surfaces, seen from both centres of mass.
        let place = poses[0].to_world(nearest.point);
        let [velocity_a, velocity_b] = [0, 1].map(|i| {
            let (linear, spin) = self.velocity_before(meeting.bodies[i], (1.0 - at) * dt);
            let arm = place - poses[i].center;
            linear + cairn2d_geometry::math::cross_scalar(spin, &arm)
        });
        let approach = (velocity_a - velocity_b).dot(&normal);
        Some((nearest.separation, approach))
    }

    /// Returns velocity and spin of a body `rest` \[s\] before the end of the step, as far as free flight tells.
    fn velocity_before(&self, body: u32, rest: f32) -> (Vec2, f32) {
        let state = &self.bodies.states[body as usize];
        (
            state.velocity - rest * self.free_acceleration(body),
            state.angular_velocity,
        )
    }

    /// Returns what accelerates a body that flies freely in this step [m/s^2]; of others the substeps have made their
    /// velocity fit.
    pub(super) fn free_acceleration(&self, body: u32) -> Vec2 {
        let index = body as usize;
        let state = &self.bodies.states[index];
        if state.flags & state_flags::UNCONSTRAINED == 0 || !self.bodies.is_dynamic(body) {
            return Vec2::zeros();
        }
        let (mass, motion) = (&self.bodies.masses[index], &self.bodies.motions[index]);
        acceleration(mass, motion, self.def.gravity)
    }

    /// Returns the pose of a body at a fraction of the step. Sweeps are straight; a body that flies freely goes higher than
    /// that in between.
    fn flown_pose(&self, hunt: &Hunt, body: u32, (at, dt): (f32, f32)) -> BodyPose {
        let piece = self.piece_of(Ways::of(&hunt.flights), body);
        let pose = piece.pose_at(at);
        let times = ((at - piece.from).max(0.0) * dt) * ((1.0 - at) * dt);
        BodyPose {
            center: grid::moved(pose.center, -(0.5 * times) * self.free_acceleration(body)),
            ..pose
        }
    }

    /// Makes the contact of the meeting, with the bodies where they are.
    fn patch_of_meeting(&self, meeting: &Meeting) -> ContactConstraint {
        let [body_a, body_b] = meeting.bodies;
        let poses = meeting.bodies.map(|body| self.bodies.poses[body as usize]);
        let manifold = self.manifold_at(meeting.shapes, &poses);
        let [a, b] = meeting.shapes.map(|shape| &self.shapes.slots[shape]);
        let is_static = self.bodies.slots[body_b].kind == crate::body::def::BodyKind::Static;
        let mut constraint = ContactConstraint {
            body_a,
            body_b,
            flags: if is_static {
                constraint_flags::STATIC_B
            } else {
                0
            },
            ..ContactConstraint::EMPTY
        };
        constraint.set_surface(&a.surface_with(b));
        let centers = poses.map(|pose| pose.local_center);
        let radii = [a, b].map(|shape| shape.geometry.radius());
        let b_in_a = poses[0].pose_of(&poses[1]);
        store_manifold(&mut constraint, &manifold, &b_in_a, centers, radii);
        constraint
    }

    /// Lists the bodies that the impact may be passed on to, and the contacts and joints through which it is.
    fn gather_group(&self, group: &mut Group) {
        group.bodies.clear();
        group.contacts.clear();
        group.joints.clear();
        for place in 0..group.meetings.len() {
            self.add_to_group(group, group.meetings[place].bodies);
        }
        let mut next = 0;
        while let Some(&body) = group.bodies.get(next) {
            next += 1;
            for &contact in &self.bodies.slots[body].contacts {
                let record = &self.contacts.slots[contact];
                let pair = [record.shape_a, record.shape_b];
                let is_of_pair =
                    |meeting: &Meeting| pair.iter().all(|shape| meeting.shapes.contains(shape));
                let is_meeting = group.meetings.iter().any(is_of_pair);
                let rests = self.contacts.constraints[contact as usize].flags
                    & constraint_flags::DEFERRED
                    == 0;
                if !record.pushes() || is_meeting || !rests || group.contacts.contains(&contact) {
                    continue;
                }
                if group.contacts.len() >= MAX_CONTACTS {
                    break;
                }
                group.contacts.push(contact);
                self.add_to_group(group, [record.body_a, record.body_b]);
            }
            for &joint in &self.bodies.slots[body].joints {
                let record = &self.joints.slots[joint];
                let is_full = group.joints.len() >= MAX_CONTACTS;
                // A joint to a disabled body does not act, nor does a filter.
                if !record.active || is_full || group.joints.contains(&joint) {
                    continue;
                }
                group.joints.push(joint);
                self.add_to_group(group, [record.body_a, record.body_b]);
            }
        }
        group.contacts.sort_unstable();
        group.joints.sort_unstable();
        group.constraints.clear();
        let meetings = group.meetings.iter();
        group
            .constraints
            .extend(meetings.map(|_| ContactConstraint::EMPTY));
        let contacts = group.contacts.iter();
        group
            .constraints
            .extend(contacts.map(|&contact| self.contacts.constraints[contact as usize]));
    }

    fn add_to_group(&self, group: &mut Group, bodies: [u32; 2]) {
        for body in bodies {
            if self.bodies.is_dynamic(body) && !group.bodies.contains(&body) {
                group.bodies.push(body);
            }
        }
    }

    /// Changes the velocities of what flies freely by what `time` \[s\] of its acceleration adds.
    fn rewind(&mut self, group: &Group, time: f32) {
        for &body in &group.bodies {
            let change = time * self.free_acceleration(body);
            self.bodies.states[body as usize].velocity += change;
        }
    }

    fn strike(&mut self, group: &mut Group, (dt, rest): (f32, f32)) {
        let tuning = Tuning {
            restitution_threshold: self.least_bounce(),
            ..self.def.tuning
        };
        let bounces = self.solver.solve_impact(ImpactInput {
            world: SolverWorld {
                gravity: self.def.gravity,
                tuning: &tuning,
                states: &mut self.bodies.states,
                poses: &self.bodies.poses,
                masses: &self.bodies.masses,
                motions: &self.bodies.motions,
                constraints: &mut group.constraints,
                joints: &mut self.joints.sims,
            },
            dt,
            rest,
            substeps: self.def.substeps,
            struck: group.meetings.len() as u32,
            joint_slots: &group.joints,
        });
        self.counters.bounces += bounces;
        let passed_on = &group.constraints[group.meetings.len()..];
        for (&contact, struck) in group.contacts.iter().zip(passed_on) {
            self.contacts.constraints[contact as usize].take_totals_of(struck);
        }
    }

    /// Has what the impact has changed spend the rest of the step with its new velocity.
    fn fly_on(&mut self, hunt: &mut Hunt, group: &mut Group, (at, dt): (f32, f32)) {
        group.changed.clear();
        let rest = (1.0 - at) * dt;
        for (&body, before) in group.bodies.iter().zip(&group.before) {
            let state = &mut self.bodies.states[body as usize];
            stop_locked(state);
            let changed = state.velocity != before.velocity
                || state.angular_velocity != before.angular_velocity;
            if !changed {
                let gained = rest * self.free_acceleration(body);
                self.bodies.states[body as usize].velocity += gained;
                continue;
            }
            group.changed.push(body);
            self.bodies.cap_speeds(body);
            let start = self.flown_pose(hunt, body, (at, dt));
            let end = self.fly_from(body, &start, rest);
            self.change_way(hunt, body, at, (start, end));
            let flight = hunt.flights.of_mut(body).expect("a flight that was begun");
            flight.impacts += 1;
            let mut meetings = group.meetings.iter();
            let met = meetings.find(|meeting| meeting.bodies.contains(&body));
            flight.met = met.map(|meeting| {
                let [low, high] = meeting.shapes;
                [low.min(high), low.max(high)]
            });
        }
        for &body in &group.changed {
            self.find_meetings_again(hunt, body);
        }
    }

    /// Moves a body from `start` over `rest` \[s\] with its velocity, which becomes that at the end; returns where it is
    /// then.
    fn fly_from(&mut self, body: u32, start: &BodyPose, rest: f32) -> BodyPose {
        let gained = rest * self.free_acceleration(body);
        let state = &mut self.bodies.states[body as usize];
        let way = rest * (state.velocity + 0.5 * gained);
        state.velocity += gained;
        state.cap_speeds(&self.bodies.motions[body as usize]);
        let mut turn = rest * state.angular_velocity;
        if state.flags & state_flags::FAST_ROTATION == 0 {
            turn = turn.clamp(-MAX_ROTATION, MAX_ROTATION);
        }
        BodyPose {
            center: grid::moved(start.center, way),
            rotation: turned(start.rotation, turn),
            local_center: start.local_center,
        }
    }
}
