//! Prepare: blocks of contacts are filled from contact constraints, once a step.

use super::block::{
    BlockFeatures, ContactBlock, FixedEnds, FrictionLanes, PointLanes, RollingLanes,
};
use super::constants::StepConstants;
use super::gather::{GatheredContacts, StoredContact, StoredPoint, gather};
use super::rocking::turn_rocking_arms;
use super::shared_world::SharedWorld;
use super::velocities::{VelocityPair, inverse_or_zero, normal_velocity};
use crate::mechanisms::{Mechanism, Mechanisms};
use crate::records::load_row;
use crate::tuning::{LOADED_DEPTH, MIN_LOAD_ACCELERATION};
use cairn2d_simd::{Kernel, Lanes, Mask, Simd};

/// Share by which the coupling of two points stays below the geometric mean of their own inverse masses.
///
/// Two points close together make nearly the same row, and the inverse of both would amplify rounding. With
/// this bound the condition stays below 2000. It only slows the convergence of the difference of the two
/// impulses; points further apart than a hundredth of the body are not affected.
const DECOUPLING: f32 = 1.0e-3;

/// Sine of the largest angle by which the arms of impulses lag behind their bodies: 2 degrees.
///
/// A body on a moving support tips later by this angle: a box at 16.7 degrees instead of 14.8. With 1 degree a tower
/// of 20 boxes falls when its top is pushed at 2 m/s; with 0.1 degrees it falls by itself.
const MAX_ARM_LAG: f32 = 0.035;

/// Separation of a missing or inactive point \[m\]: out of reach of any body in a step.
pub(crate) const FAR_SEPARATION: f32 = 1.0e6;

/// Blocks ahead of which constraints are prefetched. They lie in order of creation, blocks in order of
/// colors.
const PREPARE_PREFETCH_DISTANCE: usize = 1;

/// Fills blocks from the constraints of one color.
pub(crate) struct PrepareContacts<'a, L: Lanes> {
    pub(crate) world: &'a SharedWorld<'a>,
    /// Slots, `L::WIDTH` a block, with `NO_SLOT` after the last.
    pub(crate) contacts: &'a [u32],
    pub(crate) blocks: &'a mut [ContactBlock<L>],
    pub(crate) features: &'a mut [BlockFeatures],
}

impl<L: Lanes> Kernel<L::Simd> for PrepareContacts<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        let chunks = self.contacts.chunks(L::WIDTH);
        for (((chunk, block), features), i) in chunks.zip(self.blocks).zip(self.features).zip(0..) {
            let ahead = i + PREPARE_PREFETCH_DISTANCE;
            self.world.prefetch_constraints::<L>(self.contacts, ahead);
            prepare_block(self.world, chunk, block);
            *features = features_of(block, chunk.len(), self.world.constants.mechanisms);
        }
    }
}

/// Cosine and sine of the rotation of one body a lane.
type RotationLanes<L> = [L; 2];

#[inline(always)]
fn load_rotation<L: Lanes>(
    simd: L::Simd,
    world: &SharedWorld<'_>,
    bodies: &L::Indices,
) -> RotationLanes<L> {
    let [c, s, _, _] = load_row::<L, _>(simd, world.poses, bodies.as_ref(), 4);
    [c, s]
}

#[inline(always)]
fn rotate<L: Lanes>([c, s]: RotationLanes<L>, [x, y]: [L; 2]) -> [L; 2] {
    [c * x - s * y, s * x + c * y]
}

/// Returns cosine and sine of the rotation of A from the present one, `[c, s]`, back to that at which the manifold was
/// computed, of which `t` is the tangent of half the angle; by at most [`MAX_ARM_LAG`].
///
/// A load that turns with a leaning tower has a moment about the contact below, and a column of soft contacts buckles
/// under its own weight: 16 boxes of 1 m fell. With arms that stay as they were, towers of 60 stand.
#[inline(always)]
fn turn_back<L: Lanes>([c, s]: RotationLanes<L>, t: L) -> RotationLanes<L> {
    let simd = c.simd();
    let (one, limit) = (simd.splat(1.0), simd.splat(MAX_ARM_LAG));
    let scale = one / (one + t * t);
    let [cos, sin] = [(one - t * t) * scale, (t + t) * scale];
    let lag = (sin * c - cos * s).min(limit).max(-limit);
    [(one - lag * lag).sqrt(), lag]
}

/// Returns the features of a block with contacts in its first `count` lanes.
#[inline(always)]
fn features_of<L: Lanes>(
    block: &ContactBlock<L>,
    count: usize,
    mechanisms: Mechanisms,
) -> BlockFeatures {
    let simd = block.normal_x.simd();
    // Not the square: that of a tiny speed is 0, and the speed would count only in blocks with other such contacts.
    let surface_speed = block.surface_speed.max(-block.surface_speed);
    BlockFeatures {
        has_rolling_or_surface_speed: (block.rolling.radius + surface_speed).gt(simd.zero()).any(),
        fixed_ends: if mechanisms.has(Mechanism::CoupledGroundContacts) {
            fixed_ends_of(block, count)
        } else {
            FixedEnds::None
        },
    }
}

/// A contact between two bodies that nothing moves (one without mass and a kinematic one) counts as having no fixed
/// end. Otherwise its zeros would change their signs when it shares a block with contacts that have one.
#[inline(always)]
fn fixed_ends_of<L: Lanes>(block: &ContactBlock<L>, count: usize) -> FixedEnds {
    match block.has_fixed_end().bits() {
        0 => FixedEnds::None,
        fixed if fixed == (1 << count) - 1 => FixedEnds::All,
        _ => FixedEnds::Some,
    }
}

/// Fills a block: bodies, points, coupling, rest offsets, friction, rolling.
#[inline(always)]
fn prepare_block<L: Lanes>(world: &SharedWorld<'_>, chunk: &[u32], block: &mut ContactBlock<L>) {
    let simd = block.normal_x.simd();
    let gathered = gather::<L>(simd, world, chunk);
    let stored = StoredContact::<L>::load(simd, world, &gathered.contacts);
    let rotations = [
        load_rotation::<L>(simd, world, &gathered.body_a),
        load_rotation::<L>(simd, world, &gathered.body_b),
    ];
    let has_second = gathered.has_second.gt(simd.zero());
    set_bodies(block, &gathered);
    [block.normal_x, block.normal_y] = rotate(rotations[0], stored.local_normal);
    block.restitution = stored.restitution;

    let warm = warm_start_share(simd, world);
    let inputs = PointInputs {
        world,
        gathered: &gathered,
        rotations,
        arm_rotation: arm_rotation(block, rotations[0], &stored),
        // `gather_bodies` compared the places with the number of states.
        velocities: VelocityPair::read(world.states, block),
        warm,
    };
    let rest_offsets = prepare_points(block, &stored.points, &inputs);
    block.coupling = couple(block);
    separate_single_points(block, has_second);
    let is_loaded = stored.points[0].normal_impulse.gt(simd.zero());
    let may_rock = simd.splat(0.5).gt(gathered.has_second).and(is_loaded);
    turn_rocking_arms(block, &inputs.velocities, world.constants.dt, may_rock);
    // Under its rest load, a point is in equilibrium at the rest offset: separations are measured from there.
    for (point, rest_offset) in block.points.iter_mut().zip(rest_offsets) {
        point.separation = point.separation - rest_offset;
    }
    let is_inactive = gathered.is_inactive.gt(simd.zero());
    deactivate_points(block, is_inactive);

    let warm = L::select(is_inactive, simd.zero(), warm);
    prepare_friction(block, &stored, has_second, warm);
    // Adding 0 removes the sign of a zero, to agree with blocks that skip the surface speed.
    block.surface_speed = stored.surface_speed + simd.zero();
    block.rolling = RollingLanes {
        radius: stored.rolling_radius,
        impulse: stored.rolling_impulse * warm,
    };
}

/// Returns the rotation from the present arms to those of impulses. Only those of loads lag, so that impacts conserve
/// angular momentum; those at a fixed end do not, so that a body on the ground tips at the angle that statics gives.
#[inline(always)]
fn arm_rotation<L: Lanes>(
    block: &ContactBlock<L>,
    rotation_a: RotationLanes<L>,
    stored: &StoredContact<L>,
) -> RotationLanes<L> {
    let simd = stored.half_angle.simd();
    let [cos, sin] = turn_back(rotation_a, stored.half_angle);
    let [first, second] = &stored.points;
    let is_loaded = (first.normal_impulse + second.normal_impulse).gt(simd.zero());
    let lags = block.both_move().and(is_loaded);
    [
        L::select(lags, cos, simd.splat(1.0)),
        L::select(lags, sin, simd.zero()),
    ]
}

#[inline(always)]
fn set_bodies<L: Lanes>(block: &mut ContactBlock<L>, gathered: &GatheredContacts<L>) {
    block.contacts = gathered.contacts;
    block.body_a = gathered.state_a;
    block.body_b = gathered.state_b;
    block.inv_mass_a = gathered.inv_mass_a;
    block.inv_mass_b = gathered.inv_mass_b;
    block.inv_inertia_a = gathered.inv_inertia_a;
    block.inv_inertia_b = gathered.inv_inertia_b;
}

/// Returns the share of the stored impulses that is applied first. Forces persist, so impulses scale with the
/// length of the substeps.
#[inline(always)]
fn warm_start_share<L: Lanes>(simd: L::Simd, world: &SharedWorld<'_>) -> L {
    let last_h = simd.splat(world.constants.last_h);
    simd.splat(world.joint_context.warm_share) * (simd.splat(world.constants.h) / last_h)
}

/// Input from which the points of a block are prepared, besides the block and the stored points.
struct PointInputs<'a, L: Lanes> {
    world: &'a SharedWorld<'a>,
    gathered: &'a GatheredContacts<L>,
    /// Cosine and sine of A and of B.
    rotations: [RotationLanes<L>; 2],
    /// From the present arms to those of impulses.
    arm_rotation: RotationLanes<L>,
    velocities: VelocityPair<L>,
    /// Share of the stored impulses that is applied first.
    warm: L,
}

/// Fills the points and their approach velocities. Returns the rest offset of each point \[m\].
#[inline(always)]
fn prepare_points<L: Lanes>(
    block: &mut ContactBlock<L>,
    stored: &[StoredPoint<L>; 2],
    inputs: &PointInputs<'_, L>,
) -> [L; 2] {
    let simd = block.normal_x.simd();
    let (nx, ny) = (block.normal_x, block.normal_y);
    let (constants, gathered) = (&inputs.world.constants, inputs.gathered);
    let deflection = L::select(
        block.both_move(),
        simd.splat(constants.contact_deflection),
        simd.splat(constants.static_contact_deflection),
    );
    let mut rest_offsets = [simd.zero(); 2];
    for (i, point) in stored.iter().enumerate() {
        let [arm_a_x, arm_a_y] = rotate(inputs.rotations[0], point.anchor_a);
        let [arm_b_x, arm_b_y] = rotate(inputs.rotations[1], point.anchor_b);
        let gap_x = gathered.between_x + (arm_b_x - arm_a_x);
        let gap_y = gathered.between_y + (arm_b_y - arm_a_y);
        let separation = point.base_separation + (gap_x * nx + gap_y * ny);
        let separation = without_initial_error(block, gathered, point, separation, constants);
        let acceleration = gathered.acceleration_x * nx + gathered.acceleration_y * ny;
        let [arm_a_x, arm_a_y] = rotate(inputs.arm_rotation, [arm_a_x, arm_a_y]);
        let [arm_b_x, arm_b_y] = rotate(inputs.arm_rotation, [arm_b_x, arm_b_y]);
        let mut lanes = PointLanes {
            arm_a_x,
            arm_a_y,
            arm_b_x,
            arm_b_y,
            separation,
            impulse: point.normal_impulse * inputs.warm,
            ..PointLanes::empty(simd)
        };
        let inv_mass = block.inv_mass_of(&lanes);
        lanes.mass = simd.splat(1.0) / inv_mass;
        let velocity = normal_velocity(block, &inputs.velocities, &lanes);
        block.approach[i] = approach_at_surface(velocity, separation, acceleration);
        rest_offsets[i] = point.rest_load * (deflection * inv_mass);
        block.points[i] = lanes;
    }
    rest_offsets
}

/// Returns the separation that the substeps correct: where a contact has an initial error, at most a small
/// overlap, and as it was before depenetration moved the bodies, since the motion of the step includes that.
#[inline(always)]
fn without_initial_error<L: Lanes>(
    block: &ContactBlock<L>,
    gathered: &GatheredContacts<L>,
    point: &StoredPoint<L>,
    separation: L,
    constants: &StepConstants,
) -> L {
    let simd = separation.simd();
    let (nx, ny) = (block.normal_x, block.normal_y);
    let bounded = separation.max(deepest_corrected(block, point, constants))
        - (gathered.depenetration_x * nx + gathered.depenetration_y * ny);
    let has_initial_error = gathered.has_initial_error.gt(simd.zero());
    L::select(has_initial_error, bounded, separation)
}

/// Returns the smallest separation that the substeps correct of an initial error: 0, so that the bodies separate
/// without velocity, or the overlap of a loaded soft contact.
#[inline(always)]
fn deepest_corrected<L: Lanes>(
    block: &ContactBlock<L>,
    point: &StoredPoint<L>,
    constants: &StepConstants,
) -> L {
    let simd = block.normal_x.simd();
    let velocity = point.normal_impulse * (block.inv_mass_a + block.inv_mass_b);
    let is_loaded = velocity.gt(simd.splat(MIN_LOAD_ACCELERATION * constants.h));
    L::select(is_loaded, simd.splat(-LOADED_DEPTH), simd.zero())
}

/// Normal velocity at which a point reaches the surface, or reached it, from the velocity at the start of the
/// step, the separation, and the acceleration: v^2 grows by twice the acceleration times the distance.
///
/// Without this correction a ball would get back the speed that it had a fraction of a step before or after
/// the impact, and lose the height of that distance at each bounce.
#[inline(always)]
fn approach_at_surface<L: Lanes>(velocity: L, separation: L, acceleration: L) -> L {
    let simd = velocity.simd();
    let gained = simd.splat(-2.0) * acceleration * separation;
    let speed_sq = (velocity * velocity + gained).max(simd.zero());
    L::select(simd.zero().gt(velocity), -speed_sq.sqrt(), velocity)
}

/// Inverse effective mass that couples the normals of the two points.
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

/// Where a contact has one point, moves the second one out of reach, and places the two symmetrically about
/// the contact.
///
/// The second stored point then holds the centers of round parts. A rolling ball does not turn its surface
/// out of the ground, so its separation must follow from the motion of its center; the torque of a normal
/// impulse is the same there. Friction acts midway between both points: where the shapes touch. Where only
/// one body moves, that is its surface, not the middle of the overlap: the arm of friction is then the
/// radius, and a ball that sinks in as it rolls keeps its speed.
#[inline(always)]
fn separate_single_points<L: Lanes>(block: &mut ContactBlock<L>, has_second: L::Mask) {
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
    (p.arm_a_x, q.arm_a_x) = mirror_single(has_second, p.arm_a_x, q.arm_a_x, gap_x);
    (p.arm_a_y, q.arm_a_y) = mirror_single(has_second, p.arm_a_y, q.arm_a_y, gap_y);
    (p.arm_b_x, q.arm_b_x) = mirror_single(has_second, p.arm_b_x, q.arm_b_x, gap_x);
    (p.arm_b_y, q.arm_b_y) = mirror_single(has_second, p.arm_b_y, q.arm_b_y, gap_y);
    q.mass = L::select(has_second, q.mass, p.mass);
    q.separation = L::select(has_second, q.separation, simd.splat(FAR_SEPARATION));
    q.impulse = L::select(has_second, q.impulse, simd.zero());
}

/// Returns both points where there are two; else the round center and its mirror image at the point, moved by
/// `shift`.
#[inline(always)]
fn mirror_single<L: Lanes>(has_second: L::Mask, point: L, second: L, shift: L) -> (L, L) {
    let beyond = (point + (point - second)) + shift;
    (
        L::select(has_second, point, second),
        L::select(has_second, second, beyond),
    )
}

/// Moves the points of inactive contacts out of reach: the substeps ignore them.
#[inline(always)]
fn deactivate_points<L: Lanes>(block: &mut ContactBlock<L>, is_inactive: L::Mask) {
    let simd = block.normal_x.simd();
    if is_inactive.any() {
        for point in &mut block.points {
            point.separation = L::select(is_inactive, simd.splat(FAR_SEPARATION), point.separation);
            point.impulse = L::select(is_inactive, simd.zero(), point.impulse);
        }
    }
}

/// Fills friction, given the share of the stored impulses that is applied first.
#[inline(always)]
fn prepare_friction<L: Lanes>(
    block: &mut ContactBlock<L>,
    stored: &StoredContact<L>,
    has_second: L::Mask,
    warm: L,
) {
    let simd = block.normal_x.simd();
    let [first, second] = &stored.points;
    let second_tangent = L::select(has_second, second.tangent_impulse, simd.zero());
    let tangent = (first.tangent_impulse + second_tangent) * warm;
    block.friction = FrictionLanes {
        mass: inverse_or_zero(block.inv_mass_along(block.tangent_arms())),
        coefficient: stored.friction,
        impulse: tangent,
    };
}
