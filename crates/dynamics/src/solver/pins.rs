//! Revolute joints in lanes: prepare, warm start, solve, store.
//!
//! This is a second copy, for lanes, of the formulas of `joint::parts`; see `joint::parts::row` and `point`.
//! Its reason is measured: revolute joints are the majority in ragdolls, chains and nets. A grid of 19 800
//! spends three quarters of a step here, and one by one they took several times as long.
//!
//! A pin has only the point; a hinge has spring, motor and limit, too. They have separate blocks, as most
//! revolute joints are pins.

use super::joint_ends::{JointArms, JointBodies, JointEnds, put, put_two, two_at};
use super::states::SharedStates;
use crate::id::NO_SLOT;
use crate::joint::base::{FULL_RATE_ANGLE, JointContext};
use crate::joint::parts::angle::turn_between;
use crate::joint::parts::row::Pass;
use crate::joint::parts::spring::SpringRate;
use crate::joint::revolute::{RevoluteJoint, TwistImpulses};
use crate::joint::sim::{JointKind, JointSim};
use crate::shared::SharedSlice;
use crate::softness::Softness;
use cairn2d_simd::{Kernel, Lanes, Simd, prefetch};

/// `L::WIDTH` pins, prepared for one step. 20 floats a pin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PinBlock<L: Lanes> {
    ends: JointEnds<L>,
    bias_rate: L,
    mass_scale: L,
    impulse_scale: L,
    impulse: [L; 2],
}

/// `L::WIDTH` hinges: pins with parts on the angle. Missing parts have no effect: a spring without stiffness,
/// a motor without torque, limits out of reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HingeBlock<L: Lanes> {
    pin: PinBlock<L>,
    /// Angle at the start of the step [rad].
    angle: L,
    /// Spring: pull per angle [1/s], factor on the velocity, and rest angle [rad].
    pull: L,
    brake: L,
    target: L,
    /// Motor: speed [rad/s] and greatest impulse [N m s].
    speed: L,
    max_impulse: L,
    /// Limits [rad].
    lower: L,
    upper: L,
    /// Impulses: spring, motor, lower and upper limit.
    x_spring: L,
    x_motor: L,
    x_lower: L,
    x_upper: L,
}

/// Limit of a joint without one [rad]: beyond any angle.
const NO_LIMIT: f32 = 1.0e9;

impl<L: Lanes> PinBlock<L> {
    /// No joints.
    pub(crate) fn empty(simd: L::Simd) -> Self {
        Self {
            ends: JointEnds::empty(simd),
            bias_rate: simd.zero(),
            mass_scale: simd.zero(),
            impulse_scale: simd.zero(),
            impulse: [simd.zero(); 2],
        }
    }

    /// Fills a lane.
    fn set(
        &mut self,
        lane: usize,
        slot: u32,
        sim: &JointSim,
        joint: &RevoluteJoint,
        context: &JointContext<'_>,
        states: SharedStates<'_>,
    ) {
        let step = sim.base.measure(context);
        self.ends.set(lane, slot, &sim.base, &step, states);
        let closing = step.closing();
        let rigid = sim.base.rigid(context, closing);
        put(&mut self.bias_rate, lane, rigid.bias_rate);
        put(&mut self.mass_scale, lane, rigid.mass_scale);
        put(&mut self.impulse_scale, lane, rigid.impulse_scale);
        let impulse = sim.base.carried_share(context, closing) * joint.point_impulse;
        put_two(&mut self.impulse, lane, impulse);
    }
}

impl<L: Lanes> HingeBlock<L> {
    /// No joints.
    pub(crate) fn empty(simd: L::Simd) -> Self {
        Self {
            pin: PinBlock::empty(simd),
            angle: simd.zero(),
            pull: simd.zero(),
            brake: simd.zero(),
            target: simd.zero(),
            speed: simd.zero(),
            max_impulse: simd.zero(),
            lower: simd.zero(),
            upper: simd.zero(),
            x_spring: simd.zero(),
            x_motor: simd.zero(),
            x_lower: simd.zero(),
            x_upper: simd.zero(),
        }
    }

    /// Fills the parts on the angle of a lane.
    fn set_twist(
        &mut self,
        lane: usize,
        sim: &JointSim,
        joint: &RevoluteJoint,
        context: &JointContext<'_>,
    ) {
        put(&mut self.angle, lane, joint.angle(&sim.base));
        let (rate, target) = match &joint.spring {
            Some(spring) => (
                SpringRate::new(spring.hertz, spring.damping_ratio, context.h),
                spring.target,
            ),
            None => (SpringRate::default(), 0.0),
        };
        put(&mut self.pull, lane, rate.pull);
        put(&mut self.brake, lane, rate.brake);
        put(&mut self.target, lane, target);
        let (speed, torque) = joint.motor.map_or((0.0, 0.0), |m| (m.speed, m.max_effort));
        put(&mut self.speed, lane, speed);
        put(&mut self.max_impulse, lane, context.h * torque);
        let (lower, upper) = joint
            .limit
            .map_or((-NO_LIMIT, NO_LIMIT), |l| (l.lower, l.upper));
        put(&mut self.lower, lane, lower.max(-NO_LIMIT));
        put(&mut self.upper, lane, upper.min(NO_LIMIT));
        let warm = context.warm_share;
        put(&mut self.x_spring, lane, warm * joint.twist.spring);
        put(&mut self.x_motor, lane, warm * joint.twist.motor);
        put(&mut self.x_lower, lane, warm * joint.twist.lower);
        put(&mut self.x_upper, lane, warm * joint.twist.upper);
    }
}

/// Prefetches the joints of block `block`, three cache lines each. It did not speed up pins, which use one
/// line and are often in order.
pub(crate) fn prefetch_hinges<L: Lanes>(
    joints: SharedSlice<'_, JointSim>,
    slots: &[u32],
    block: usize,
) {
    let slots = slots.iter().skip(block * L::WIDTH).take(L::WIDTH);
    for &slot in slots.filter(|&&slot| slot != NO_SLOT) {
        prefetch::<3, _>(joints.address(slot));
    }
}

fn revolute(joint: &mut JointSim) -> Option<&mut RevoluteJoint> {
    match &mut joint.kind {
        JointKind::Revolute(revolute) => Some(revolute),
        _ => None,
    }
}

/// Fills a block with the pins in `slots`, up to the first `NO_SLOT`. `joint` returns that in a slot.
///
/// # Panics
/// If there is no such body.
pub(crate) fn prepare_pins<'a, L: Lanes>(
    block: &mut PinBlock<L>,
    slots: &[u32],
    mut joint: impl FnMut(u32) -> &'a mut JointSim,
    context: &JointContext<'_>,
    states: SharedStates<'_>,
) {
    *block = PinBlock::empty(block.mass_scale.simd());
    for (lane, &slot) in slots.iter().enumerate() {
        if slot == NO_SLOT {
            break;
        }
        let sim = joint(slot);
        if let JointKind::Revolute(joint) = &mut sim.kind {
            joint.update_angle(&sim.base, context.poses);
        }
        let context = context.after(sim.base.substep);
        if let JointKind::Revolute(joint) = &sim.kind {
            block.set(lane, slot, sim, joint, &context, states);
        }
        sim.base.substep = context.h;
    }
}

/// Fills a block with the hinges in `slots`, up to the first `NO_SLOT`. `joint` returns that in a slot.
///
/// # Panics
/// If there is no such body.
pub(crate) fn prepare_hinges<'a, L: Lanes>(
    block: &mut HingeBlock<L>,
    slots: &[u32],
    mut joint: impl FnMut(u32) -> &'a mut JointSim,
    context: &JointContext<'_>,
    states: SharedStates<'_>,
) {
    *block = HingeBlock::empty(block.angle.simd());
    for (lane, &slot) in slots.iter().enumerate() {
        if slot == NO_SLOT {
            break;
        }
        let sim = joint(slot);
        if let JointKind::Revolute(joint) = &mut sim.kind {
            joint.update_angle(&sim.base, context.poses);
        }
        let context = context.after(sim.base.substep);
        if let JointKind::Revolute(joint) = &sim.kind {
            block.pin.set(lane, slot, sim, joint, &context, states);
            block.set_twist(lane, sim, joint, &context);
        }
        sim.base.substep = context.h;
    }
}

/// Writes the impulses of a block back to its joints. `joint` returns that in a slot.
pub(crate) fn store_pins<'a, L: Lanes>(
    block: &PinBlock<L>,
    mut joint: impl FnMut(u32) -> &'a mut JointSim,
) {
    for (lane, &slot) in block.ends.joints.as_ref().iter().enumerate() {
        if slot == NO_SLOT {
            break;
        }
        if let Some(revolute) = revolute(joint(slot)) {
            revolute.point_impulse = two_at(&block.impulse, lane);
        }
    }
}

/// Writes the impulses of a block back to its joints. `joint` returns that in a slot.
pub(crate) fn store_hinges<'a, L: Lanes>(
    block: &HingeBlock<L>,
    mut joint: impl FnMut(u32) -> &'a mut JointSim,
) {
    for (lane, &slot) in block.pin.ends.joints.as_ref().iter().enumerate() {
        if slot == NO_SLOT {
            break;
        }
        let at = |lanes: &L| lanes.as_slice()[lane];
        if let Some(revolute) = revolute(joint(slot)) {
            revolute.point_impulse = two_at(&block.pin.impulse, lane);
            revolute.twist = TwistImpulses {
                spring: at(&block.x_spring),
                motor: at(&block.x_motor),
                lower: at(&block.x_lower),
                upper: at(&block.x_upper),
            };
        }
    }
}

/// Applies the impulse [x, y] to B at its anchor, and the opposite to A.
#[inline(always)]
fn push<L: Lanes>(
    bodies: &mut JointBodies<L>,
    ends: &JointEnds<L>,
    arms: &JointArms<L>,
    [x, y]: [L; 2],
) {
    let (ra, rb) = (arms.a, arms.b);
    let (va, vb) = (&mut bodies.va, &mut bodies.vb);
    va.x = va.x - ends.inv_mass_a * x;
    va.y = va.y - ends.inv_mass_a * y;
    va.w = va.w - ends.inv_inertia_a * (ra[0] * y - ra[1] * x);
    vb.x = vb.x + ends.inv_mass_b * x;
    vb.y = vb.y + ends.inv_mass_b * y;
    vb.w = vb.w + ends.inv_inertia_b * (rb[0] * y - rb[1] * x);
}

/// Applies the torque impulse `x` to B, and the opposite to A.
#[inline(always)]
fn twist<L: Lanes>(bodies: &mut JointBodies<L>, ends: &JointEnds<L>, x: L) {
    bodies.va.w = bodies.va.w - ends.inv_inertia_a * x;
    bodies.vb.w = bodies.vb.w + ends.inv_inertia_b * x;
}

/// Returns the angular velocity of B relative to A.
#[inline(always)]
fn spin<L: Lanes>(bodies: &JointBodies<L>) -> L {
    bodies.vb.w - bodies.va.w
}

/// Applies the stored impulses.
pub(crate) struct WarmStartPins<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    pub(crate) pins: &'a [PinBlock<L>],
    pub(crate) hinges: &'a [HingeBlock<L>],
}

impl<L: Lanes> Kernel<L::Simd> for WarmStartPins<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        for pin in self.pins {
            let mut bodies = JointBodies::read(self.states, &pin.ends);
            let arms = JointArms::of(&pin.ends, &bodies);
            push(&mut bodies, &pin.ends, &arms, pin.impulse);
            bodies.write(self.states, &pin.ends);
        }
        for hinge in self.hinges {
            let pin = &hinge.pin;
            let mut bodies = JointBodies::read(self.states, &pin.ends);
            let arms = JointArms::of(&pin.ends, &bodies);
            push(&mut bodies, &pin.ends, &arms, pin.impulse);
            let sum = (hinge.x_spring + hinge.x_motor) + (hinge.x_lower - hinge.x_upper);
            twist(&mut bodies, &pin.ends, sum);
            bodies.write(self.states, &pin.ends);
        }
    }
}

/// Solves or relaxes.
pub(crate) struct SolvePins<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    pub(crate) inv_h: f32,
    pub(crate) pass: Pass,
    pub(crate) pins: &'a mut [PinBlock<L>],
    pub(crate) hinges: &'a mut [HingeBlock<L>],
}

impl<L: Lanes> Kernel<L::Simd> for SolvePins<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        match self.pass {
            Pass::Solve => self.run_pass::<true>(),
            Pass::Relax => self.run_pass::<false>(),
        }
    }
}

impl<L: Lanes> SolvePins<'_, L> {
    #[inline(always)]
    fn run_pass<const BIAS: bool>(self) {
        for pin in self.pins {
            let mut bodies = JointBodies::read(self.states, &pin.ends);
            solve_point::<L, BIAS>(pin, &mut bodies);
            bodies.write(self.states, &pin.ends);
        }
        for hinge in self.hinges {
            let mut bodies = JointBodies::read(self.states, &hinge.pin.ends);
            solve_twist::<L, BIAS>(hinge, &mut bodies, self.inv_h);
            solve_point::<L, BIAS>(&mut hinge.pin, &mut bodies);
            bodies.write(self.states, &hinge.pin.ends);
        }
    }
}

/// Closes the gap of the anchors.
#[inline(always)]
fn solve_point<L: Lanes, const BIAS: bool>(pin: &mut PinBlock<L>, bodies: &mut JointBodies<L>) {
    let simd = pin.mass_scale.simd();
    let ends = &pin.ends;
    let arms = JointArms::of(ends, bodies);
    let ([ax, ay], [bx, by]) = (arms.a, arms.b);
    let (wa, wb) = (bodies.va.w, bodies.vb.w);
    let mut rate_x = (bodies.vb.x - bodies.va.x) + (wa * ay - wb * by);
    let mut rate_y = (bodies.vb.y - bodies.va.y) + (wb * bx - wa * ax);
    if BIAS {
        let [gap_x, gap_y] = ends.present_gap(bodies);
        rate_x = rate_x + pin.bias_rate * gap_x;
        rate_y = rate_y + pin.bias_rate * gap_y;
    }
    let mass = ends.inv_mass_a + ends.inv_mass_b;
    let (ia, ib) = (ends.inv_inertia_a, ends.inv_inertia_b);
    let xx = mass + (ia * ay * ay + ib * by * by);
    let yy = mass + (ia * ax * ax + ib * bx * bx);
    let xy = ia * ax * ay + ib * bx * by;
    let det = xx * yy - xy * xy;
    let inv_det = L::select(det.gt(simd.zero()), simd.splat(1.0) / det, simd.zero());
    let mut change_x = -(inv_det * (yy * rate_x + xy * rate_y));
    let mut change_y = -(inv_det * (xx * rate_y + xy * rate_x));
    if BIAS {
        change_x = pin.mass_scale * change_x - pin.impulse_scale * pin.impulse[0];
        change_y = pin.mass_scale * change_y - pin.impulse_scale * pin.impulse[1];
    }
    pin.impulse[0] = pin.impulse[0] + change_x;
    pin.impulse[1] = pin.impulse[1] + change_y;
    push(bodies, &pin.ends, &arms, [change_x, change_y]);
}

/// Spring, motor and limits on the angle.
#[inline(always)]
fn solve_twist<L: Lanes, const BIAS: bool>(
    hinge: &mut HingeBlock<L>,
    bodies: &mut JointBodies<L>,
    inv_h: f32,
) {
    let simd = hinge.angle.simd();
    let (da, db) = (&bodies.da, &bodies.db);
    let angle = hinge.angle + turn_between([da.c, da.s], [db.c, db.s]);
    let one = simd.splat(1.0);
    let ends = &hinge.pin.ends;
    let k = ends.inv_inertia_a + ends.inv_inertia_b;
    let can_move = k.gt(simd.zero());
    let mass = L::select(can_move, one / k, simd.zero());
    if BIAS {
        let unsprung = spin(bodies) - k * hinge.x_spring;
        let drive = hinge.pull * (angle - hinge.target) + hinge.brake * unsprung;
        // Where nothing can move, `drive` may be infinite.
        let new = -(drive * mass) / (one + hinge.brake);
        let new = L::select(can_move, new, hinge.x_spring);
        twist(bodies, ends, new - hinge.x_spring);
        hinge.x_spring = new;
    }
    let new = hinge.x_motor - mass * (spin(bodies) - hinge.speed);
    let new = new.min(hinge.max_impulse).max(-hinge.max_impulse);
    twist(bodies, ends, new - hinge.x_motor);
    hinge.x_motor = new;

    let (above, below) = (angle - hinge.lower, hinge.upper - angle);
    let old = hinge.x_lower;
    let new = limited::<L, BIAS>(&hinge.pin, above, spin(bodies), mass, old, inv_h);
    twist(bodies, ends, new - old);
    hinge.x_lower = new;
    let old = hinge.x_upper;
    let new = limited::<L, BIAS>(&hinge.pin, below, -spin(bodies), mass, old, inv_h);
    twist(bodies, ends, old - new);
    hinge.x_upper = new;
}

/// Returns the impulse, never negative, that keeps `c` of rate `velocity` from falling below zero.
#[inline(always)]
fn limited<L: Lanes, const BIAS: bool>(
    pin: &PinBlock<L>,
    c: L,
    velocity: L,
    mass: L,
    old: L,
    inv_h: f32,
) -> L {
    let simd = c.simd();
    let free = c.gt(simd.zero());
    let closing = c * simd.splat(inv_h);
    let (bias, mass_scale, impulse_scale) = if BIAS {
        (
            L::select(
                free,
                closing,
                pin.bias_rate * c.max(simd.splat(-FULL_RATE_ANGLE)),
            ),
            L::select(free, simd.splat(1.0), pin.mass_scale),
            L::select(free, simd.zero(), pin.impulse_scale),
        )
    } else {
        let rigid = Softness::RIGID;
        (
            L::select(free, closing, simd.zero()),
            simd.splat(rigid.mass_scale),
            simd.splat(rigid.impulse_scale),
        )
    };
    let change = -(mass_scale * (mass * (velocity + bias))) - impulse_scale * old;
    (old + change).max(simd.zero())
}
