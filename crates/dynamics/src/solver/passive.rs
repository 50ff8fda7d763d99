//! The energy of linkages that nothing drives: no step adds to it.
//!
//! Exact impulses of joints add no energy, but those of a few sweeps may: the impulse that a joint stores for the
//! next substep is wrong once its neighbors have changed theirs. In ropes, bridges and ragdolls the errors shrink.
//! Where bodies carry several joints they may grow, in any graph and with any softness. So the energy of such
//! linkages is measured over each step. If it has grown beyond the work of the forces, the velocities are moved
//! toward the rigid motion of the linkage, which keeps its momentum, and the stored impulses are forgotten.
//!
//! Contacts with static bodies do no work. A contact with another moving body does at most the work of its normal
//! impulses and its greatest friction, along the mean of the velocities before and after.

use crate::body::def::BodyKind;
use crate::body::state::{BodyMass, BodyMotion, BodyState, state_flags};
use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::joint::linkage::{Linkage, LinkageSearch, connects};
use crate::joint::table::JointTable;
use crate::solver::acceleration;
use crate::solver::crowded::CrowdedJoints;
use cairn2d_geometry::math::{Vec2, cross};

/// Share of the velocities below which the stored impulses are forgotten: rounding and slow growth leave more.
const MIN_KEPT_SHARE: f64 = 0.9995;

/// A linkage whose energy is measured.
#[derive(Clone, Copy, Debug)]
struct Watched {
    linkage: Linkage,
    /// Its bodies end here in the list of the search.
    end: usize,
    /// The energy that it may have after the step \[J\].
    budget: f64,
    /// The excess up to which its joints keep their impulses \[J\].
    rebound: f64,
}

/// The forces of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ForceStep {
    /// Step and substep \[s\].
    pub(crate) dt: f32,
    pub(crate) h: f32,
    pub(crate) gravity: Vec2,
}

/// The linkages that are watched in a step. They are not part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct PassiveLinkages {
    search: LinkageSearch,
    linkages: Vec<Watched>,
    /// Velocities before the step, by the place in the list of the search.
    before: Vec<Velocity>,
}

/// A velocity: x, y, angular.
type Velocity = [f64; 3];

/// A rigid motion.
#[derive(Clone, Copy, Debug, Default)]
struct RigidMotion {
    center: [f64; 2],
    velocity: Velocity,
}

/// The energy of a linkage in terms of the share `s` of its velocities relative to a rigid motion:
/// `fixed + s linear + s^2 square` \[J\].
#[derive(Clone, Copy, Debug, Default)]
struct Energy {
    fixed: f64,
    linear: f64,
    square: f64,
}

impl Energy {
    fn whole(&self) -> f64 {
        self.fixed + self.linear + self.square
    }

    /// Returns the greatest share, at most 1, whose energy is at most `most`, or the share of least energy if there
    /// is none.
    fn share_within(&self, most: f64) -> f64 {
        let root = self.linear * self.linear - 4.0 * self.square * (self.fixed - most);
        let share = (root.max(0.0).sqrt() - self.linear) / (2.0 * self.square);
        // A linkage without relative motion keeps it.
        if share >= 0.0 { share.min(1.0) } else { 0.0 }
    }
}

impl PassiveLinkages {
    /// Begins to watch the linkages of crowded bodies, and of others that nothing touches, if nothing drives them.
    pub(crate) fn begin(
        &mut self,
        crowded: &CrowdedJoints,
        step: &ForceStep,
        (bodies, contacts, joints): (&BodyTable, &ContactTable, &JointTable),
    ) {
        self.search.clear();
        self.before.clear();
        let touchable = crowded.bodies.iter().map(|&body| (body, true));
        let others = crowded.watched.iter().map(|&body| (body, false));
        for (body, is_touchable) in touchable.chain(others) {
            let Some(linkage) = self.search.find(body, bodies, joints) else {
                continue;
            };
            let end = self.search.bodies.len();
            let listed = &self.search.bodies[linkage.start..end];
            let velocities = listed
                .iter()
                .map(|&body| velocity_of(&bodies.states[body as usize]));
            self.before.extend(velocities);
            let is_passive = |&body: &u32| is_touched_passively(body, bodies, contacts, joints);
            if linkage.is_driven
                || linkage.kinematic.is_some()
                || linkage.is_touched && !(is_touchable && listed.iter().all(is_passive))
            {
                continue;
            }
            let at_rest = RigidMotion::default();
            // Half of the work of the forces counts with the velocities before, half with those after.
            let energy = energy(&linkage, listed, &at_rest, (step, 0.5), bodies, joints);
            let rest = if linkage.is_touched {
                energy_of_fall(listed, step.h, step, bodies)
            } else {
                0.0
            };
            self.linkages.push(Watched {
                linkage,
                end,
                budget: energy.whole() + rest,
                rebound: 2.0 * energy_of_fall(listed, step.dt, step, bodies),
            });
        }
    }

    /// Takes the energy away that the step has added.
    pub(crate) fn end(
        &mut self,
        step: &ForceStep,
        (bodies, contacts, joints): (&mut BodyTable, &ContactTable, &mut JointTable),
    ) {
        for watched in self.linkages.drain(..) {
            let (linkage, mut budget) = (&watched.linkage, watched.budget);
            let listed = &self.search.bodies[linkage.start..watched.end];
            let free = (!linkage.is_on_static).then(|| rigid_motion(listed, bodies));
            let rigid = free.unwrap_or_default();
            let energy = energy(linkage, listed, &rigid, (step, -0.5), bodies, joints);
            if energy.whole() > budget && linkage.is_touched {
                let before = &self.before[linkage.start..watched.end];
                budget += most_work_of_contacts(listed, before, bodies, contacts);
                budget -= lift(listed, before, step, bodies).max(0.0);
            }
            if energy.whole() <= budget {
                continue;
            }
            let share = energy.share_within(budget);
            let mut rigid = rigid;
            if share == 0.0 {
                // Forces at both ends of a wide gap turn the linkage, too: there is no telling how fast it should.
                rigid.velocity[2] = 0.0;
            }
            for &body in listed {
                let velocity = rigid.velocity_of(body, bodies);
                let state = &mut bodies.states[body as usize];
                let now = velocity_of(state);
                let [x, y, spin] =
                    core::array::from_fn(|i| (velocity[i] + share * (now[i] - velocity[i])) as f32);
                (state.velocity, state.angular_velocity) = (Vec2::new(x, y), spin);
            }
            // Joints lift a net that has sagged for a step as fast as it fell. Were they to forget their impulses then,
            // it would sag again: a net of 13 by 12 knots never came to rest.
            if share < MIN_KEPT_SHARE && energy.whole() > budget + watched.rebound {
                for &body in listed {
                    for &joint in &bodies.slots[body].joints {
                        joints.sims[joint as usize].forget_impulses();
                    }
                }
            }
        }
    }
}

/// Returns `true` if, besides the joints of its linkage, only contacts that do no work act on a body.
fn is_touched_passively(
    body: u32,
    bodies: &BodyTable,
    contacts: &ContactTable,
    joints: &JointTable,
) -> bool {
    let record = &bodies.slots[body];
    let mut links = joints
        .solved_joints_of(record)
        .filter(|&joint| connects(&joints.slots[joint].def))
        .count() as u32;
    for &contact in record
        .contacts
        .iter()
        .filter(|&&contact| contacts.is_solved(contact))
    {
        let constraint = &contacts.constraints[contact as usize];
        let is_kinematic = |&end: &u32| bodies.slots[end].kind == BodyKind::Kinematic;
        if constraint.tangent_speed != 0.0 || constraint.bodies().iter().any(is_kinematic) {
            return false;
        }
        links += 1;
    }
    bodies.tracks[body as usize].constraints == links
}

/// Returns the energy that bodies have at the speed that gravity adds in `time` \[s\]. Soft contacts leave that of a substep
/// even at rest.
fn energy_of_fall(listed: &[u32], time: f32, step: &ForceStep, bodies: &BodyTable) -> f64 {
    let speed = f64::from(time * step.gravity.norm());
    let masses = listed
        .iter()
        .map(|&body| inertia_of(&bodies.masses[body as usize])[0]);
    0.5 * speed * speed * masses.sum::<f64>()
}

/// Returns the potential energy that corrections have added by moving bodies in other ways than by their velocities.
fn lift(listed: &[u32], before: &[Velocity], step: &ForceStep, bodies: &BodyTable) -> f64 {
    let mut sum = 0.0;
    for (&body, before) in listed.iter().zip(before) {
        let state = &bodies.states[body as usize];
        let now = velocity_of(state);
        let dt = f64::from(step.dt);
        let [x, y] =
            [0, 1].map(|i| f64::from(state.delta_position[i]) - 0.5 * dt * (before[i] + now[i]));
        let [mass, _] = inertia_of(&bodies.masses[body as usize]);
        sum -= mass * (f64::from(step.gravity.x) * x + f64::from(step.gravity.y) * y);
    }
    sum
}

/// Returns the most work that contacts with other moving bodies have done on a linkage in the step.
fn most_work_of_contacts(
    listed: &[u32],
    before: &[Velocity],
    bodies: &BodyTable,
    contacts: &ContactTable,
) -> f64 {
    let mut sum = 0.0;
    for (&body, before) in listed.iter().zip(before) {
        let now = velocity_of(&bodies.states[body as usize]);
        let [x, y, spin] = core::array::from_fn(|i| (0.5 * (before[i] + now[i])) as f32);
        for &contact in &bodies.slots[body].contacts {
            let constraint = &contacts.constraints[contact as usize];
            let [a, b] = constraint.bodies();
            let (side, other) = if a == body { (0, b) } else { (1, a) };
            let is_other = bodies.is_dynamic(other) && !listed.contains(&other);
            if !is_other || !contacts.is_solved(contact) {
                continue;
            }
            let normal = constraint.world_normal(&bodies.poses);
            let outward = if side == 0 { -normal } else { normal };
            for (index, point) in constraint.points_in_use().iter().enumerate() {
                let arm = constraint.placed_point(index, &bodies.poses).arms[side];
                let velocity = Vec2::new(x - spin * arm.y, y + spin * arm.x);
                let along = cross(&outward, &velocity).abs();
                let speed = velocity.dot(&outward).max(0.0) + constraint.friction * along;
                sum += f64::from(point.total_normal_impulse * speed);
            }
        }
    }
    sum
}

impl RigidMotion {
    /// Returns the velocity of a body that takes part in the motion.
    fn velocity_of(&self, body: u32, bodies: &BodyTable) -> Velocity {
        let [vx, vy, spin] = self.velocity;
        let [x, y] = center_of(body, bodies);
        [
            vx - spin * (y - self.center[1]),
            vy + spin * (x - self.center[0]),
            spin,
        ]
    }
}

/// Returns the center of a body where the step has moved it.
fn center_of(body: u32, bodies: &BodyTable) -> [f64; 2] {
    let center = bodies.poses[body as usize].center;
    let moved = bodies.states[body as usize].delta_position;
    [center.x + f64::from(moved.x), center.y + f64::from(moved.y)]
}

fn velocity_of(state: &BodyState) -> Velocity {
    [state.velocity.x, state.velocity.y, state.angular_velocity].map(f64::from)
}

/// Returns mass and inertia; 0 for a body that does not move, or turn.
fn inertia_of(mass: &BodyMass) -> [f64; 2] {
    [mass.inv_mass, mass.inv_inertia].map(|x| if x > 0.0 { 1.0 / f64::from(x) } else { 0.0 })
}

/// Returns the rigid motion of bodies that has their momentum. It has no rotation if one of them cannot rotate, and
/// is zero if one of them cannot move along an axis.
fn rigid_motion(listed: &[u32], bodies: &BodyTable) -> RigidMotion {
    let locks = listed
        .iter()
        .fold(0, |flags, &body| flags | bodies.states[body as usize].flags);
    let mut sums = [0.0; 5];
    for &body in listed {
        let [mass, _] = inertia_of(&bodies.masses[body as usize]);
        let ([x, y], [vx, vy, _]) = (
            center_of(body, bodies),
            velocity_of(&bodies.states[body as usize]),
        );
        for (sum, value) in sums.iter_mut().zip([1.0, x, y, vx, vy]) {
            *sum += mass * value;
        }
    }
    let [mass, ..] = sums;
    if mass == 0.0 || locks & (state_flags::LOCK_X | state_flags::LOCK_Y) != 0 {
        return RigidMotion::default();
    }
    let [_, cx, cy, vx, vy] = sums.map(|sum| sum / mass);
    let (mut momentum, mut inertia) = (0.0, 0.0);
    for &body in listed {
        let [mass, own] = inertia_of(&bodies.masses[body as usize]);
        let [x, y] = center_of(body, bodies);
        let [x, y] = [x - cx, y - cy];
        let [ux, uy, spin] = velocity_of(&bodies.states[body as usize]);
        momentum += mass * (x * (uy - vy) - y * (ux - vx)) + own * spin;
        inertia += mass * (x * x + y * y) + own;
    }
    let turns = locks & state_flags::LOCK_ROTATION == 0 && inertia > 0.0;
    let spin = if turns { momentum / inertia } else { 0.0 };
    RigidMotion {
        center: [cx, cy],
        velocity: [vx, vy, spin],
    }
}

/// Returns the energy of a linkage: that of motion, of its springs, and `weight` times the work of the forces in a step
/// at the present velocities. To ask each pin of a net for its springs took a quarter of a step.
fn energy(
    linkage: &Linkage,
    listed: &[u32],
    rigid: &RigidMotion,
    (step, weight): (&ForceStep, f64),
    bodies: &BodyTable,
    joints: &JointTable,
) -> Energy {
    let mut sum = Energy::default();
    for &body in listed {
        let slot = body as usize;
        let (mass, motion) = (&bodies.masses[slot], &bodies.motions[slot]);
        let rigid = rigid.velocity_of(body, bodies);
        let velocity = velocity_of(&bodies.states[slot]);
        let relative: Velocity = core::array::from_fn(|i| velocity[i] - rigid[i]);
        let work = |v: Velocity| weight * work(v, mass, motion, step);
        sum.fixed += kinetic_energy(rigid, mass) + work(rigid);
        sum.square += kinetic_energy(relative, mass);
        sum.linear += work(relative);
        if !linkage.may_have_springs {
            continue;
        }
        for joint in joints.solved_joints_of(&bodies.slots[body]) {
            let record = &joints.slots[joint];
            // Each joint once.
            if record.body_a == body || !bodies.is_dynamic(record.body_a) {
                let springs = joints.sims[joint as usize].spring_energy(bodies, step.h);
                sum.fixed += springs.of_length;
                sum.linear += springs.of_speed;
            }
        }
    }
    sum
}

fn kinetic_energy([x, y, spin]: Velocity, mass: &BodyMass) -> f64 {
    let [mass, inertia] = inertia_of(mass);
    0.5 * (mass * (x * x + y * y) + inertia * spin * spin)
}

/// Returns the work of the forces on a body in a step at a velocity.
fn work([x, y, spin]: Velocity, mass: &BodyMass, motion: &BodyMotion, step: &ForceStep) -> f64 {
    let push = acceleration(mass, motion, step.gravity);
    let [mass, _] = inertia_of(mass);
    let power = mass * (f64::from(push.x) * x + f64::from(push.y) * y);
    f64::from(step.dt) * (power + f64::from(motion.torque) * spin)
}
