//! Contact constraints become constraints.

use super::block::{ContactBlock, Extras, FrictionLanes, Grounded, PointLanes, RollingLanes};
use super::contacts::{Pair, inverse_or_zero, normal_velocity};
use super::context::Context;
use super::integrate::acceleration;
use super::states::SharedStates;
use crate::body::state::{BodyMass, BodyMotion, BodyPose};
use crate::contact::constraint::{ContactConstraint, FIRST_IMPULSES, constraint_flags};
use crate::id::NO_SLOT;
use crate::records::{load_row, load_shared_row};
use crate::shared::SharedSlice;
use crate::tuning::{LOADED, SUNK};
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{Kernel, Lanes, Mask, Simd, prefetch};

/// Share by which the coupling of two points stays below the geometric mean of their own inverse masses.
///
/// Two points close together make nearly the same row, and the inverse of both would amplify rounding. With this bound
/// the condition stays below 2000. It only slows the convergence of the difference of the two impulses; points
/// further apart than a hundredth of the body are not affected.
const DECOUPLING: f32 = 1.0e-3;

/// Separation given to a point that is not there [m]: out of reach of any body in a step.
pub(crate) const FAR: f32 = 1.0e6;

/// What prepare reads.
#[derive(Clone, Copy)]
pub(crate) struct PrepareInput<'a> {
    pub(crate) context: &'a Context,
    pub(crate) states: SharedStates<'a>,
    pub(crate) poses: &'a [BodyPose],
    pub(crate) masses: &'a [BodyMass],
    pub(crate) motions: &'a [BodyMotion],
    /// [m/s^2]
    pub(crate) gravity: Vec2,
    /// Those of the contacts that are prepared are written by nobody meanwhile.
    pub(crate) constraints: SharedSlice<'a, ContactConstraint>,
    /// Share of the stored impulses that is applied first: 1, or 0 without warm starting.
    pub(crate) warm_share: f32,
}

/// Fills blocks from the constraints of one color.
pub(crate) struct PrepareContacts<'a, L: Lanes> {
    pub(crate) input: PrepareInput<'a>,
    /// Slots, `L::WIDTH` a block, with `NO_SLOT` after the last.
    pub(crate) contacts: &'a [u32],
    pub(crate) blocks: &'a mut [ContactBlock<L>],
    pub(crate) extras: &'a mut [Extras],
}

impl<L: Lanes> Kernel<L::Simd> for PrepareContacts<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        let chunks = self.contacts.chunks(L::WIDTH);
        for (((chunk, block), extras), i) in chunks.zip(self.blocks).zip(self.extras).zip(0..) {
            self.input.prefetch::<L>(self.contacts, i + BLOCKS_AHEAD);
            prepare_block(&self.input, chunk, block);
            *extras = extras_of(block);
        }
    }
}

/// How many blocks ahead constraints are asked for. They lie in the order in which contacts came, blocks in that of colors.
const BLOCKS_AHEAD: usize = 1;

impl<'a> PrepareInput<'a> {
    /// Returns the constraint of a contact.
    ///
    /// # Safety
    /// No one writes the constraint while the result lives.
    #[inline(always)]
    pub(crate) unsafe fn constraint(&self, contact: u32) -> &'a ContactConstraint {
        // SAFETY: in bounds; the caller excludes writers.
        unsafe { &*self.constraints.address(contact) }
    }

    /// Asks for the constraints of block `block`.
    #[inline(always)]
    fn prefetch<L: Lanes>(&self, contacts: &[u32], block: usize) {
        for &contact in contacts.iter().skip(block * L::WIDTH).take(L::WIDTH) {
            if contact != NO_SLOT {
                prefetch::<2, _>(self.constraints.address(contact));
            }
        }
    }
}

/// The scalars of the contacts of one block: what is looked up lane by lane.
struct Sides<L: Lanes> {
    contacts: L::Indices,
    /// Slots for poses and masses; those of static bodies too.
    body_a: L::Indices,
    body_b: L::Indices,
    /// Where the states are of those that are not.
    moving_a: L::Indices,
    moving_b: L::Indices,
    inv_mass_a: L,
    inv_mass_b: L,
    inv_inertia_a: L,
    inv_inertia_b: L,
    between_x: L,
    between_y: L,
    /// Acceleration of B against A by gravity and forces, where the contact bounces [m/s^2].
    pull_x: L,
    pull_y: L,
    /// 1 where there is a second point, and where there is no contact.
    has_second: L,
    /// 1 where the substeps leave the contact alone.
    left_out: L,
    /// 1 where they let its overlap be, and the way of B against A with which the step began [m].
    put: L,
    put_x: L,
    put_y: L,
}

#[inline(always)]
fn look_up<L: Lanes>(simd: L::Simd, input: &PrepareInput<'_>, chunk: &[u32]) -> Sides<L> {
    let mut sides = Sides::<L> {
        contacts: L::indices(NO_SLOT),
        body_a: L::indices(NO_SLOT),
        body_b: L::indices(NO_SLOT),
        moving_a: L::indices(NO_SLOT),
        moving_b: L::indices(NO_SLOT),
        inv_mass_a: simd.zero(),
        inv_mass_b: simd.zero(),
        inv_inertia_a: simd.zero(),
        inv_inertia_b: simd.zero(),
        between_x: simd.zero(),
        between_y: simd.zero(),
        pull_x: simd.zero(),
        pull_y: simd.zero(),
        has_second: simd.splat(1.0),
        left_out: simd.zero(),
        put: simd.zero(),
        put_x: simd.zero(),
        put_y: simd.zero(),
    };
    for (lane, &contact) in chunk.iter().enumerate().take(L::WIDTH) {
        if contact == NO_SLOT {
            break;
        }
        // SAFETY: constraints are written when the impulses are stored, and the result does not live that long.
        let constraint = unsafe { input.constraint(contact) };
        let (a, b) = (constraint.body_a, constraint.body_b);
        let between = input.poses[b as usize].center - input.poses[a as usize].center;
        let (static_a, static_b) = (
            constraint.flags & constraint_flags::STATIC_A != 0,
            constraint.flags & constraint_flags::STATIC_B != 0,
        );
        sides.contacts.as_mut()[lane] = contact;
        sides.body_a.as_mut()[lane] = a;
        sides.body_b.as_mut()[lane] = b;
        sides.moving_a.as_mut()[lane] = if static_a {
            NO_SLOT
        } else {
            input.states.place(a)
        };
        sides.moving_b.as_mut()[lane] = if static_b {
            NO_SLOT
        } else {
            input.states.place(b)
        };
        let (mass_a, mass_b) = (&input.masses[a as usize], &input.masses[b as usize]);
        sides.inv_mass_a.as_mut_slice()[lane] = mass_a.inv_mass;
        sides.inv_mass_b.as_mut_slice()[lane] = mass_b.inv_mass;
        sides.inv_inertia_a.as_mut_slice()[lane] = mass_a.inv_inertia;
        sides.inv_inertia_b.as_mut_slice()[lane] = mass_b.inv_inertia;
        sides.between_x.as_mut_slice()[lane] = between.x;
        sides.between_y.as_mut_slice()[lane] = between.y;
        if constraint.count < 2 {
            sides.has_second.as_mut_slice()[lane] = 0.0;
        }
        if constraint.flags & constraint_flags::INACTIVE != 0 {
            sides.left_out.as_mut_slice()[lane] = 1.0;
        }
        if constraint.flags & constraint_flags::INITIAL_ERROR != 0 {
            let [slot_a, slot_b] = constraint.moving_slots();
            // SAFETY: no one writes states while constraints are prepared.
            let state = |slot: u32| unsafe { input.states.get(slot) };
            let [a, b] = [slot_a, slot_b].map(|slot| state(slot).delta_position);
            sides.put.as_mut_slice()[lane] = 1.0;
            sides.put_x.as_mut_slice()[lane] = b.x - a.x;
            sides.put_y.as_mut_slice()[lane] = b.y - a.y;
        }
        if constraint.restitution > 0.0 {
            let pull = acceleration_of(input, b) - acceleration_of(input, a);
            sides.pull_x.as_mut_slice()[lane] = pull.x;
            sides.pull_y.as_mut_slice()[lane] = pull.y;
        }
    }
    sides
}

fn acceleration_of(input: &PrepareInput<'_>, body: u32) -> Vec2 {
    let mass = &input.masses[body as usize];
    if mass.inv_mass > 0.0 {
        acceleration(mass, &input.motions[body as usize], input.gravity)
    } else {
        Vec2::new(0.0, 0.0)
    }
}

/// A point as the constraint stores it, in lanes.
struct StoredPoint<L> {
    anchor_a: [L; 2],
    anchor_b: [L; 2],
    base: L,
    rest_load: L,
    normal_impulse: L,
}

/// Rotation of one body a lane.
type Turn<L> = [L; 2];

#[inline(always)]
fn turn<L: Lanes>([c, s]: Turn<L>, [x, y]: [L; 2]) -> [L; 2] {
    [c * x - s * y, s * x + c * y]
}

#[inline(always)]
fn extras_of<L: Lanes>(block: &ContactBlock<L>) -> Extras {
    let simd = block.normal_x.simd();
    let runs = block.surface_speed * block.surface_speed;
    Extras {
        turns_or_runs: (block.rolling.radius + runs).gt(simd.zero()).any(),
        grounded: grounded_of(block),
    }
}

#[inline(always)]
fn grounded_of<L: Lanes>(block: &ContactBlock<L>) -> Grounded {
    if !block.has_fixed_end().any() {
        Grounded::None
    } else if block.both_move().any() {
        Grounded::Some
    } else {
        Grounded::All
    }
}

#[inline(always)]
fn prepare_block<L: Lanes>(input: &PrepareInput<'_>, chunk: &[u32], block: &mut ContactBlock<L>) {
    let simd = block.normal_x.simd();
    let sides = look_up::<L>(simd, input, chunk);
    // Not a closure: it would be compiled without the instruction set.
    let (constraints, contacts) = (input.constraints, sides.contacts.as_ref());
    // The layout of `ConstraintPoint`: anchors, impulses, separation; the second point begins at 22.
    // SAFETY: nobody writes a constraint before its impulses are stored.
    let [
        surface,
        rolling,
        first,
        first_impulses,
        between,
        second,
        last,
    ]: [[L; 4]; 7] = unsafe {
        [
            load_shared_row(simd, constraints, contacts, 4),
            load_shared_row(simd, constraints, contacts, 8),
            load_shared_row(simd, constraints, contacts, 12),
            load_shared_row(simd, constraints, contacts, FIRST_IMPULSES),
            load_shared_row(simd, constraints, contacts, 20),
            load_shared_row(simd, constraints, contacts, 24),
            load_shared_row(simd, constraints, contacts, 28),
        ]
    };
    let [local_normal_x, local_normal_y, friction, restitution] = surface;
    let [rolling_radius, surface_speed, rolling_impulse, substep] = rolling;
    let [ax0, ay0, bx0, by0] = first;
    let [normal0, tangent0, _, _] = first_impulses;
    let [base0, rest0, ax1, ay1] = between;
    let [bx1, by1, normal1, tangent1] = second;
    let [_, _, base1, rest1] = last;
    let stored = [
        StoredPoint {
            anchor_a: [ax0, ay0],
            anchor_b: [bx0, by0],
            base: base0,
            rest_load: rest0,
            normal_impulse: normal0,
        },
        StoredPoint {
            anchor_a: [ax1, ay1],
            anchor_b: [bx1, by1],
            base: base1,
            rest_load: rest1,
            normal_impulse: normal1,
        },
    ];
    let [ca, sa, _, _] = load_row::<L, _>(simd, input.poses, sides.body_a.as_ref(), 4);
    let [cb, sb, _, _] = load_row::<L, _>(simd, input.poses, sides.body_b.as_ref(), 4);
    let (turn_a, turn_b) = ([ca, sa], [cb, sb]);
    let [nx, ny] = turn(turn_a, [local_normal_x, local_normal_y]);

    let has_second = sides.has_second.gt(simd.zero());
    block.contacts = sides.contacts;
    block.body_a = sides.moving_a;
    block.body_b = sides.moving_b;
    block.inv_mass_a = sides.inv_mass_a;
    block.inv_mass_b = sides.inv_mass_b;
    block.inv_inertia_a = sides.inv_inertia_a;
    block.inv_inertia_b = sides.inv_inertia_b;
    block.normal_x = nx;
    block.normal_y = ny;
    block.restitution = restitution;

    // `look_up` compared the slots of moving bodies with the number of states.
    let pair = Pair::read(input.states, block);
    // Forces go on, so impulses grow with the substeps.
    let usual = simd.splat(input.context.last_h);
    let last_h = L::select(substep.gt(simd.zero()), substep, usual);
    let warm = simd.splat(input.warm_share) * (simd.splat(input.context.h) / last_h);
    let (mut crept, mut rests) = ([simd.zero(); 2], [simd.zero(); 2]);
    let yields = L::select(
        block.both_move(),
        simd.splat(input.context.contact_yield),
        simd.splat(input.context.static_contact_yield),
    );
    for (i, point) in stored.iter().enumerate() {
        let [arm_a_x, arm_a_y] = turn(turn_a, point.anchor_a);
        let [arm_b_x, arm_b_y] = turn(turn_b, point.anchor_b);
        let gap_x = sides.between_x + (arm_b_x - arm_a_x);
        let gap_y = sides.between_y + (arm_b_y - arm_a_y);
        let separation = point.base + (gap_x * nx + gap_y * ny);
        let known = separation.max(known_depth(block, point, input.context))
            - (sides.put_x * nx + sides.put_y * ny);
        let separation = L::select(sides.put.gt(simd.zero()), known, separation);
        crept[i] = gap_x * ny - gap_y * nx;
        let pull = sides.pull_x * nx + sides.pull_y * ny;
        let mut ready = PointLanes {
            arm_a_x,
            arm_a_y,
            arm_b_x,
            arm_b_y,
            separation,
            impulse: point.normal_impulse * warm,
            ..PointLanes::empty(simd)
        };
        let inv_mass = block.inv_mass_of(&ready);
        ready.mass = simd.splat(1.0) / inv_mass;
        let velocity = normal_velocity(block, &pair, &ready);
        block.approach[i] = approach_at_surface(velocity, separation, pull);
        rests[i] = point.rest_load * (yields * inv_mass);
        block.points[i] = ready;
    }
    block.coupling = couple(block);
    part_single_points(block, has_second);
    // What a load would press together rests where it is: the overlap is reckoned from there.
    for (point, rest) in block.points.iter_mut().zip(rests) {
        point.separation = point.separation - rest;
    }
    let left_out = sides.left_out.gt(simd.zero());
    if left_out.any() {
        for point in &mut block.points {
            point.separation = L::select(left_out, simd.splat(FAR), point.separation);
            point.impulse = L::select(left_out, simd.zero(), point.impulse);
        }
    }
    let warm = L::select(left_out, simd.zero(), warm);
    let tangent = (tangent0 + L::select(has_second, tangent1, simd.zero())) * warm;
    block.friction = FrictionLanes {
        mass: inverse_or_zero(block.inv_mass_along(block.tangent_arms())),
        coefficient: friction,
        crept: simd.zero(),
        impulse: tangent,
    };
    // On a running surface the anchors part by design; what rolls finds others at each step.
    let at_rest = surface_speed
        .ge(simd.zero())
        .and((-surface_speed).ge(simd.zero()));
    let crept = simd.splat(0.5) * (crept[0] + crept[1]);
    block.friction.crept = L::select(at_rest.and(has_second), crept, simd.splat(FAR));
    block.surface_speed = surface_speed;
    block.rolling = RollingLanes {
        radius: rolling_radius,
        impulse: rolling_impulse * warm,
    };
}

/// Returns the greatest depth that the substeps know of where bodies were put into each other, as a separation: none, so that
/// they part without a velocity; but what bears a load needs some to bear it with.
#[inline(always)]
fn known_depth<L: Lanes>(block: &ContactBlock<L>, point: &StoredPoint<L>, context: &Context) -> L {
    let simd = block.normal_x.simd();
    let gained = point.normal_impulse * (block.inv_mass_a + block.inv_mass_b);
    let bears = gained.gt(simd.splat(LOADED * context.h));
    L::select(bears, simd.splat(-SUNK), simd.zero())
}

/// Normal velocity at which a point will meet the surface, or has met it, given that at the start of the step, the gap
/// until there, and the acceleration: v^2 grows by twice the acceleration times the way.
///
/// Without it a ball would get back the speed that it had a fraction of a step before the impact, or after, and lose
/// the height of that way at each bounce.
#[inline(always)]
fn approach_at_surface<L: Lanes>(velocity: L, separation: L, pull: L) -> L {
    let simd = velocity.simd();
    let gained = simd.splat(-2.0) * pull * separation;
    let speed_sq = (velocity * velocity + gained).max(simd.zero());
    L::select(simd.zero().gt(velocity), -speed_sq.sqrt(), velocity)
}

/// Inverse effective mass between the two points.
#[inline(always)]
fn couple<L: Lanes>(block: &ContactBlock<L>) -> L {
    let simd = block.normal_x.simd();
    let [p, q] = &block.points;
    let (p_a, p_b) = block.normal_arms(p);
    let (q_a, q_b) = block.normal_arms(q);
    let coupling = (block.inv_mass_a + block.inv_mass_b)
        + (block.inv_inertia_a * (p_a * q_a) + block.inv_inertia_b * (p_b * q_b));
    let own = (block.inv_mass_of(p) * block.inv_mass_of(q)).sqrt();
    coupling.min(own * simd.splat(1.0 - DECOUPLING))
}

/// Where a contact has one point, makes the second one never touch, and puts the two on either side of the place.
///
/// The constraint has the middles of what is round there for a second point. A ball that rolls does not turn its surface out of
/// the ground, so its gap must follow from the way of its middle; the torque of a normal impulse is the same there. Friction
/// acts at the middle of both points: where the shapes touch. Where only one body moves that is its surface, not the middle of the
/// overlap: friction's arm is the radius then, and a ball that rolls as it sinks in keeps its speed.
#[inline(always)]
fn part_single_points<L: Lanes>(block: &mut ContactBlock<L>, has_second: L::Mask) {
    let simd = block.normal_x.simd();
    if has_second.all() {
        return;
    }
    block.coupling = L::select(has_second, block.coupling, simd.zero());
    block.approach[1] = L::select(has_second, block.approach[1], simd.zero());
    let on_fixed = block.has_fixed_end();
    let (nx, ny) = (block.normal_x, block.normal_y);
    let sign = L::select(
        block.inv_mass_b.gt(simd.zero()),
        simd.splat(1.0),
        simd.splat(-1.0),
    );
    let [p, q] = &mut block.points;
    let gap = L::select(on_fixed, sign * p.separation, simd.zero());
    let (gap_x, gap_y) = (gap * nx, gap * ny);
    (p.arm_a_x, q.arm_a_x) = part(has_second, p.arm_a_x, q.arm_a_x, gap_x);
    (p.arm_a_y, q.arm_a_y) = part(has_second, p.arm_a_y, q.arm_a_y, gap_y);
    (p.arm_b_x, q.arm_b_x) = part(has_second, p.arm_b_x, q.arm_b_x, gap_x);
    (p.arm_b_y, q.arm_b_y) = part(has_second, p.arm_b_y, q.arm_b_y, gap_y);
    q.mass = L::select(has_second, q.mass, p.mass);
    q.separation = L::select(has_second, q.separation, simd.splat(FAR));
    q.impulse = L::select(has_second, q.impulse, simd.zero());
}

/// Returns both points where there are two; else the middle of what is round, and what lies beyond the point by as much and
/// by `shift`.
#[inline(always)]
fn part<L: Lanes>(has_second: L::Mask, point: L, second: L, shift: L) -> (L, L) {
    let beyond = (point + (point - second)) + shift;
    (
        L::select(has_second, point, second),
        L::select(has_second, second, beyond),
    )
}
