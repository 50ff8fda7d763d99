//! Integration of bodies, one in each lane: acceleration, damping, speed limits and motion in a substep.
//!
//! A body with constraints is advanced by semi-implicit Euler, since constraints act on the new velocity: `v
//! += h a`, constraints, `x += h v`. Its position is then ahead by half a substep of the change of its
//! velocity. A body that only fixed ground touches (flag `GROUNDED`) subtracts this in the last substep, if
//! the change is no more than its forces explain. A body without constraints (flag `UNCONSTRAINED`) uses the
//! mean of old and new velocity, which is exact for a constant acceleration. Rotation is exact for the
//! angular velocity: the turn by `h w`, not its tangent.

use super::shared_world::SharedWorld;
use super::states::{Deltas, SharedStates, Velocities};
use crate::body::state::{BodyMass, BodyMotion, BodyState, state_flags};
use crate::id::NO_SLOT;
use crate::tuning::MAX_ROTATION;
use cairn2d_geometry::math::{Vec2, sin_cos};
use cairn2d_simd::{Kernel, Lanes, Mask, Portable, Simd};

/// Parameters of the integration, the same for all bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntegrationStep {
    /// Length of the step and of a substep [s].
    pub(crate) dt: f32,
    pub(crate) h: f32,
    /// Acceleration of all dynamic bodies [m/s^2].
    pub(crate) gravity: Vec2,
    /// Greatest angular speed of a body without `FAST_ROTATION` [rad/s].
    pub(crate) max_angular_speed: f32,
}

impl IntegrationStep {
    pub(crate) fn new(dt: f32, h: f32, gravity: Vec2) -> Self {
        Self {
            dt,
            h,
            gravity,
            max_angular_speed: MAX_ROTATION / dt,
        }
    }
}

/// Returns the acceleration of a dynamic body's center by gravity and the user's force [m/s^2].
#[inline(always)]
pub(crate) fn acceleration(mass: &BodyMass, motion: &BodyMotion, gravity: Vec2) -> Vec2 {
    motion.gravity_scale * gravity + mass.inv_mass * motion.force
}

/// `L::WIDTH` bodies and the data of their integration, the same in every substep. 18 numbers a body.
///
/// Written: once a step, and the velocities by each substep. Read: twice a substep, down to `some_grounded`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodyBlock<L: Lanes> {
    /// Places of the states; `NO_SLOT` in lanes without a body, or with one that is not advanced by substeps.
    bodies: L::Indices,
    /// Change of the velocity by gravity, force and torque in a time `h`: x, y, angular.
    push: [L; 3],
    /// `1 + h d` for the linear and angular damping `d`.
    damping: [L; 2],
    /// Greatest speed and angular speed.
    max_speed: L,
    max_spin: L,
    /// 1 where the body may not move along x, y.
    locks: [L; 2],
    /// Velocity in this substep before any constraint acted: x, y, angular.
    start: [L; 3],
    /// `true` if fixed ground alone constrains some body. The fields below are only for such bodies.
    some_grounded: bool,
    /// Velocity at the start of the step: x, y, angular.
    first: [L; 3],
    /// Square of the radius of gyration \[m^2\]: the weight of angular velocity against velocity; infinite
    /// where something else constrains the body, too.
    gyration_sq: L,
}

/// Change of velocity relative to that by the forces on a body alone. A larger change is taken for an impact.
///
/// Constraints without friction make the change smaller [Lanczos70, ch. IV]; friction may reverse it. Larger:
/// a landing body is moved into the ground by a part of its last substep.
const MAX_CHANGE_SHARE: f32 = 1.5;

impl<L: Lanes> BodyBlock<L> {
    /// No bodies.
    pub(crate) fn empty(simd: L::Simd) -> Self {
        Self {
            bodies: L::indices(NO_SLOT),
            push: [simd.zero(); 3],
            damping: [simd.zero(); 2],
            max_speed: simd.zero(),
            max_spin: simd.zero(),
            locks: [simd.zero(); 2],
            start: [simd.zero(); 3],
            some_grounded: false,
            first: [simd.zero(); 3],
            gyration_sq: simd.zero(),
        }
    }

    /// Fills a lane with the integration of a body over a time `h` \[s\].
    fn set(
        &mut self,
        lane: usize,
        state: &BodyState,
        mass: &BodyMass,
        motion: &BodyMotion,
        step: &IntegrationStep,
        h: f32,
    ) {
        let put = |lanes: &mut L, value: f32| lanes.as_mut_slice()[lane] = value;
        let has = |flag: u32| state.flags & flag != 0;
        let (mut push, mut damping) = ([0.0; 3], [1.0; 2]);
        if has(state_flags::DYNAMIC) {
            let linear = h * acceleration(mass, motion, step.gravity);
            push = [linear.x, linear.y, h * (mass.inv_inertia * motion.torque)];
            damping = [motion.linear_damping, motion.angular_damping].map(|d| 1.0 + h * d);
        }
        for (lanes, value) in self.push.iter_mut().zip(push) {
            put(lanes, value);
        }
        for (lanes, value) in self.damping.iter_mut().zip(damping) {
            put(lanes, value);
        }
        put(&mut self.max_speed, motion.max_linear_speed);
        let max_spin = if has(state_flags::LOCK_ROTATION) {
            0.0
        } else if has(state_flags::FAST_ROTATION) {
            motion.max_angular_speed
        } else {
            motion.max_angular_speed.min(step.max_angular_speed)
        };
        put(&mut self.max_spin, max_spin);
        let locks = [state_flags::LOCK_X, state_flags::LOCK_Y];
        for (lanes, flag) in self.locks.iter_mut().zip(locks) {
            put(lanes, f32::from(u8::from(has(flag))));
        }
    }

    /// Fills a lane with the start of the step of a body on fixed ground, for its last substep.
    fn keep_initial_velocity(&mut self, lane: usize, state: &BodyState, mass: &BodyMass) {
        let simd = self.max_speed.simd();
        if !self.some_grounded {
            self.some_grounded = true;
            self.gyration_sq = simd.splat(f32::INFINITY);
        }
        let put = |lanes: &mut L, value: f32| lanes.as_mut_slice()[lane] = value;
        let turns = mass.inv_inertia > 0.0;
        let gyration_sq = if turns {
            mass.inv_mass / mass.inv_inertia
        } else {
            0.0
        };
        put(&mut self.gyration_sq, gyration_sq);
        let first = [state.velocity.x, state.velocity.y, state.angular_velocity];
        for (lanes, value) in self.first.iter_mut().zip(first) {
            put(lanes, value);
        }
    }

    /// Applies forces, damping in its implicit form `v / (1 + h d)`, which never reverses a velocity, speed
    /// limits and locks.
    #[inline(always)]
    fn advance(&self, v: &mut Velocities<L>) {
        let [linear, angular] = self.damping;
        v.x = (v.x + self.push[0]) / linear;
        v.y = (v.y + self.push[1]) / linear;
        v.w = (v.w + self.push[2]) / angular;
        let speed_sq = v.x * v.x + v.y * v.y;
        let fast = speed_sq.gt(self.max_speed * self.max_speed);
        if fast.any() {
            let scale = self.max_speed / speed_sq.sqrt();
            v.x = L::select(fast, v.x * scale, v.x);
            v.y = L::select(fast, v.y * scale, v.y);
        }
        v.w = v.w.min(self.max_spin).max(-self.max_spin);
        self.stop_locked(v);
    }

    #[inline(always)]
    fn stop_locked(&self, v: &mut Velocities<L>) {
        let simd = self.max_speed.simd();
        let [x, y] = self.locks;
        v.x = L::select(x.gt(simd.zero()), simd.zero(), v.x);
        v.y = L::select(y.gt(simd.zero()), simd.zero(), v.y);
    }

    /// Subtracts from `v` half the change of the velocity since the step began, unless there was an impact.
    /// With this velocity in the last of `substeps`, bodies reach the position of a constant acceleration.
    ///
    /// The change is measured without the last substep, which also pushes overlaps out.
    #[inline(always)]
    fn subtract_half_change(&self, v: &mut Velocities<L>, substeps: f32) {
        let simd = self.max_speed.simd();
        let [linear, angular] = self.damping;
        let whole = simd.splat(substeps / (substeps - 1.0));
        let x = whole * ((self.start[0] * linear - self.push[0]) - self.first[0]);
        let y = whole * ((self.start[1] * linear - self.push[1]) - self.first[1]);
        let w = whole * ((self.start[2] * angular - self.push[2]) - self.first[2]);
        let [push_x, push_y, _] = self.push;
        let share = simd.splat(MAX_CHANGE_SHARE * substeps);
        let most_sq = (share * share) * (push_x * push_x + push_y * push_y);
        // With an infinite radius of gyration this is infinite or not a number, and `ge` is false.
        let change_sq = (x * x + y * y) + self.gyration_sq * (w * w);
        let by_forces = most_sq.ge(change_sq);
        let half = L::select(by_forces, simd.splat(0.5), simd.zero());
        v.x = v.x - half * x;
        v.y = v.y - half * y;
        v.w = v.w - half * w;
    }

    #[inline(always)]
    fn has_locks(&self) -> bool {
        let simd = self.max_speed.simd();
        (self.locks[0] + self.locks[1]).gt(simd.zero()).any()
    }
}

/// Prepares the bodies of a step: unconstrained bodies are advanced to its end, the others fill blocks.
pub(crate) struct PrepareBodies<'a, L: Lanes> {
    pub(crate) world: &'a SharedWorld<'a>,
    /// Slots, `L::WIDTH` for each block.
    pub(crate) bodies: &'a [u32],
    pub(crate) blocks: &'a mut [BodyBlock<L>],
}

impl<L: Lanes> PrepareBodies<'_, L> {
    pub(crate) fn run(self) {
        let world = self.world;
        let step = &world.integration;
        for (slots, block) in self.bodies.chunks(L::WIDTH).zip(self.blocks) {
            block.bodies = L::indices(NO_SLOT);
            block.some_grounded = false;
            for (lane, &slot) in slots.iter().enumerate() {
                // SAFETY: a body is in one block, and a block belongs to one worker.
                let state = unsafe { world.states.get(slot) };
                let (mass, motion) = (&world.masses[slot as usize], &world.motions[slot as usize]);
                if state.flags & state_flags::DIRECT != 0 {
                    continue;
                }
                if state.flags & state_flags::UNCONSTRAINED == 0 {
                    block.bodies.as_mut()[lane] = world.states.place(slot);
                    block.set(lane, &state, mass, motion, step, step.h);
                    if state.flags & state_flags::GROUNDED != 0 {
                        block.keep_initial_velocity(lane, &state, mass);
                    }
                } else {
                    advance_unconstrained(slot, world, mass, motion);
                }
            }
        }
    }
}

/// Advances an unconstrained body by the whole step: at once, which rounds least, or in substeps if it is
/// damped, so that damping does not change when something touches the body.
fn advance_unconstrained(slot: u32, world: &SharedWorld<'_>, mass: &BodyMass, motion: &BodyMotion) {
    let (states, step) = (world.states, &world.integration);
    let damped = motion.linear_damping != 0.0 || motion.angular_damping != 0.0;
    let count = if damped { world.constants.substeps } else { 1 };
    let h = if damped { step.h } else { step.dt };
    let simd = Portable::<1>::BASELINE;
    let mut body = BodyBlock::empty(simd);
    // SAFETY: as in `run`.
    body.set(0, &unsafe { states.get(slot) }, mass, motion, step, h);
    let place = [states.place(slot)];
    // SAFETY: a place, of one body.
    unsafe {
        let mut v = states.velocities(simd, &place);
        let mut deltas = states.deltas(simd, &place);
        let half = simd.splat(0.5);
        for _ in 0..count {
            let before = v;
            body.advance(&mut v);
            let mut mean = v;
            mean.x = half * (before.x + v.x);
            mean.y = half * (before.y + v.y);
            mean.w = half * (before.w + v.w);
            body.stop_locked(&mut mean);
            advance_position(&mut deltas, &mean, h);
        }
        states.set_velocities(&place, v);
        states.set_deltas(&place, deltas);
    }
}

/// The impulses of the last substep that a body carries over besides its velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CarriedImpulses {
    /// None: constraints apply their impulses themselves.
    None,
    /// The sum of all: constraint forces persist, with the same arms.
    All,
}

/// Advances velocities by a substep.
pub(crate) struct AdvanceVelocities<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    pub(crate) carried: CarriedImpulses,
    pub(crate) blocks: &'a mut [BodyBlock<L>],
}

impl<L: Lanes> Kernel<L::Simd> for AdvanceVelocities<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, simd: L::Simd) {
        for block in self.blocks {
            // SAFETY: places, each of a body that is in one block.
            let mut v = unsafe { self.states.velocities(simd, &block.bodies) };
            let [x, y, w] = block.start;
            let mut carried = v;
            carried.x = v.x - x;
            carried.y = v.y - y;
            carried.w = v.w - w;
            block.advance(&mut v);
            block.start = [v.x, v.y, v.w];
            if self.carried == CarriedImpulses::All {
                block.stop_locked(&mut carried);
                v.x = v.x + carried.x;
                v.y = v.y + carried.y;
                v.w = v.w + carried.w;
            }
            // SAFETY: as above.
            unsafe { self.states.set_velocities(&block.bodies, v) };
        }
    }
}

/// Moves bodies by their velocities over a substep.
pub(crate) struct AdvancePositions<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    /// [s]
    pub(crate) h: f32,
    /// In the last of several substeps, their number.
    pub(crate) last_of: Option<u32>,
    pub(crate) blocks: &'a [BodyBlock<L>],
}

impl<L: Lanes> Kernel<L::Simd> for AdvancePositions<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, simd: L::Simd) {
        for block in self.blocks {
            // SAFETY: places, each of a body that is in one block.
            unsafe {
                let mut v = self.states.velocities(simd, &block.bodies);
                let mut deltas = self.states.deltas(simd, &block.bodies);
                if block.has_locks() {
                    block.stop_locked(&mut v);
                    self.states.set_velocities(&block.bodies, v);
                }
                if let Some(substeps) = self.last_of.filter(|_| block.some_grounded) {
                    block.subtract_half_change(&mut v, substeps as f32);
                    block.stop_locked(&mut v);
                }
                advance_position(&mut deltas, &v, self.h);
                self.states.set_deltas(&block.bodies, deltas);
            }
        }
    }
}

#[inline(always)]
fn advance_position<L: Lanes>(deltas: &mut Deltas<L>, v: &Velocities<L>, h: f32) {
    let simd = v.x.simd();
    let h = simd.splat(h);
    deltas.x = deltas.x + h * v.x;
    deltas.y = deltas.y + h * v.y;
    let (s, c) = sin_cos_of_turn(h * v.w);
    let (x, y) = (deltas.c, deltas.s);
    deltas.c = c * x - s * y;
    deltas.s = s * x + c * y;
}

/// Turn up to which the tangent's series is used [rad]. There its error, 0.022 x^9 of the half angle x, is
/// under the rounding of an `f32`.
const SERIES_TURN: f32 = 0.4;

/// Returns sine and cosine of a turn.
///
/// With t = tan(angle / 2), cosine and sine are (1 - t^2) / (1 + t^2) and 2 t / (1 + t^2): a unit vector
/// whatever the error of t, so that the length of a rotation does not drift.
#[inline(always)]
fn sin_cos_of_turn<L: Lanes>(angle: L) -> (L, L) {
    let simd = angle.simd();
    let one = simd.splat(1.0);
    let x = simd.splat(0.5) * angle;
    let x2 = x * x;
    // tan x = x + x^3 / 3 + 2 x^5 / 15 + 17 x^7 / 315 + ..
    let tail = simd.splat(2.0 / 15.0) + x2 * simd.splat(17.0 / 315.0);
    let t = x * (one + x2 * (simd.splat(1.0 / 3.0) + x2 * tail));
    let t2 = t * t;
    let scale = one / (one + t2);
    let (mut s, mut c) = ((t + t) * scale, (one - t2) * scale);
    if angle.max(-angle).gt(simd.splat(SERIES_TURN)).any() {
        for (lane, &turn) in angle.as_slice().iter().enumerate() {
            if turn.abs() > SERIES_TURN {
                (s.as_mut_slice()[lane], c.as_mut_slice()[lane]) = sin_cos(turn);
            }
        }
    }
    (s, c)
}
