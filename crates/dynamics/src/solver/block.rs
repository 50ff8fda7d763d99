//! Blocks of contacts: one contact in each lane.

use crate::id::NO_SLOT;
use cairn2d_simd::{Lanes, Mask, Simd, prefetch_start};
use core::mem::offset_of;

/// `L::WIDTH` contacts, each with two points, prepared for one step. 35 floats a contact, of which a pass
/// reads 29.
///
/// Written: by prepare once a step; the impulses by every pass. Read: by every pass, in order, once each,
/// down to `friction`; the fields below are for prepare, restitution, store and the few blocks with
/// [`BlockFeatures`]. All that stays fixed within a step is here, so that a pass reads only blocks and body
/// states. Large worlds do not fit into the cache, and then a pass takes as long as reading its blocks:
/// values that follow from other fields in a few operations (inverse effective masses, softness, torque arms)
/// are computed again. A contact with one point has a second one that is out of reach: see `prepare`; a lane
/// without a contact has bodies without mass.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct ContactBlock<L: Lanes> {
    /// Places of the body states; `NO_SLOT` for static bodies and in lanes without a contact.
    pub(crate) body_a: L::Indices,
    pub(crate) body_b: L::Indices,
    pub(crate) inv_mass_a: L,
    pub(crate) inv_mass_b: L,
    pub(crate) inv_inertia_a: L,
    pub(crate) inv_inertia_b: L,
    /// Unit normal from A to B, in the world.
    pub(crate) normal_x: L,
    pub(crate) normal_y: L,
    /// Inverse effective mass that couples the two points [1/kg].
    pub(crate) coupling: L,
    pub(crate) points: [PointLanes<L>; 2],
    pub(crate) friction: FrictionLanes<L>,
    /// Contact slots; `NO_SLOT` in lanes without a contact.
    pub(crate) contacts: L::Indices,
    pub(crate) restitution: L,
    /// Normal velocity at which each point reaches the surface, negative = approach \[m/s\].
    pub(crate) approach: [L; 2],
    pub(crate) rolling: RollingLanes<L>,
    /// Speed of the surface of B relative to that of A \[m/s\].
    pub(crate) surface_speed: L,
}

/// Features of a block that most blocks do not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockFeatures {
    /// Some contact has rolling resistance or a moving surface.
    pub(crate) has_rolling_or_surface_speed: bool,
    /// Contacts with a body that no force moves.
    pub(crate) fixed_ends: FixedEnds,
}

/// Number of contacts of a block with a body that no force moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FixedEnds {
    #[default]
    None,
    Some,
    All,
}

/// One point of each contact.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct PointLanes<L> {
    /// From the centers of mass to the point at the start of the step, in the world [m]; to the center of the
    /// round part, if it is the only point.
    pub(crate) arm_a_x: L,
    pub(crate) arm_a_y: L,
    pub(crate) arm_b_x: L,
    pub(crate) arm_b_y: L,
    /// Separation at the start of the step [m].
    pub(crate) separation: L,
    /// Effective mass along the normal [kg].
    pub(crate) mass: L,
    /// Impulse of the current substep, and the sum over the step [N s].
    pub(crate) impulse: L,
    pub(crate) total_impulse: L,
}

/// Friction of each contact: one row midway between its points.
///
/// The friction forces of two points share one line of action, along the face, so one row with the sum
/// of their normal impulses gives the same motion as two, and takes half the time.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct FrictionLanes<L> {
    /// Effective mass along the tangent [kg].
    pub(crate) mass: L,
    /// Coulomb coefficient.
    pub(crate) coefficient: L,
    /// Impulse of the current substep [N s].
    pub(crate) impulse: L,
}

/// Rolling resistance of each contact: a row on the relative spin.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct RollingLanes<L> {
    /// Greatest torque impulse per normal impulse [m].
    pub(crate) radius: L,
    /// Impulse of the current substep [N m s].
    pub(crate) impulse: L,
}

/// Expected location of the blocks of the passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockLocation {
    /// In the cache of the processor.
    Cache,
    /// In memory: blocks are prefetched. The hardware prefetcher stops at the end of each page, which holds
    /// less than two blocks of sixteen contacts; without prefetches, passes over 22 000 contacts took a tenth
    /// longer on a Zen 4.
    Memory,
}

/// Bytes of blocks that are expected to stay in the cache: the usual size of a second-level cache.
const CACHE_BYTES: usize = 2 << 20;

/// Blocks ahead of which a pass prefetches: some 10 kB.
const PASS_PREFETCH_DISTANCE: usize = 5;

impl BlockLocation {
    /// Returns the location of this many blocks in repeated passes.
    pub(crate) fn of<L: Lanes>(blocks: usize) -> Self {
        if blocks * size_of::<ContactBlock<L>>() > CACHE_BYTES {
            Self::Memory
        } else {
            Self::Cache
        }
    }

    /// Prefetches the part of a later block that a pass reads, given the current one.
    #[inline(always)]
    pub(crate) fn prefetch_ahead<L: Lanes>(self, block: &ContactBlock<L>) {
        if self == Self::Memory {
            let next = (&raw const *block).wrapping_add(PASS_PREFETCH_DISTANCE);
            prefetch_start(next, offset_of!(ContactBlock<L>, contacts));
        }
    }
}

impl BlockFeatures {
    /// No feature.
    pub(crate) const NONE: Self = Self {
        has_rolling_or_surface_speed: false,
        fixed_ends: FixedEnds::None,
    };
}

impl<L: Lanes> ContactBlock<L> {
    /// No contacts.
    pub(crate) fn empty(simd: L::Simd) -> Self {
        Self {
            body_a: L::indices(NO_SLOT),
            body_b: L::indices(NO_SLOT),
            inv_mass_a: simd.zero(),
            inv_mass_b: simd.zero(),
            inv_inertia_a: simd.zero(),
            inv_inertia_b: simd.zero(),
            normal_x: simd.zero(),
            normal_y: simd.zero(),
            coupling: simd.zero(),
            points: [PointLanes::empty(simd); 2],
            friction: FrictionLanes {
                mass: simd.zero(),
                coefficient: simd.zero(),
                impulse: simd.zero(),
            },
            contacts: L::indices(NO_SLOT),
            restitution: simd.zero(),
            approach: [simd.zero(); 2],
            rolling: RollingLanes {
                radius: simd.zero(),
                impulse: simd.zero(),
            },
            surface_speed: simd.zero(),
        }
    }

    /// Torque arms of a point's normal about the two centers [m].
    #[inline(always)]
    pub(crate) fn normal_arms(&self, p: &PointLanes<L>) -> (L, L) {
        let (nx, ny) = (self.normal_x, self.normal_y);
        (
            p.arm_a_x * ny - p.arm_a_y * nx,
            p.arm_b_x * ny - p.arm_b_y * nx,
        )
    }

    /// Torque arms of the tangent, the normal turned right, midway between the points about the two centers
    /// [m].
    #[inline(always)]
    pub(crate) fn tangent_arms(&self) -> (L, L) {
        let simd = self.normal_x.simd();
        let (tx, ty) = (self.normal_y, -self.normal_x);
        let [p, q] = &self.points;
        let half = simd.splat(0.5);
        let (ax, ay) = (
            half * (p.arm_a_x + q.arm_a_x),
            half * (p.arm_a_y + q.arm_a_y),
        );
        let (bx, by) = (
            half * (p.arm_b_x + q.arm_b_x),
            half * (p.arm_b_y + q.arm_b_y),
        );
        (ax * ty - ay * tx, bx * ty - by * tx)
    }

    /// Inverse effective mass along a direction with the given torque arms [1/kg].
    #[inline(always)]
    pub(crate) fn inv_mass_along(&self, (arm_a, arm_b): (L, L)) -> L {
        (self.inv_mass_a + self.inv_mass_b)
            + (self.inv_inertia_a * (arm_a * arm_a) + self.inv_inertia_b * (arm_b * arm_b))
    }

    /// Inverse effective mass of a point along the normal [1/kg]; 1 in lanes without mass, against division
    /// by zero: their impulses stay 0.
    #[inline(always)]
    pub(crate) fn inv_mass_of(&self, p: &PointLanes<L>) -> L {
        let simd = self.normal_x.simd();
        let inv_mass = self.inv_mass_along(self.normal_arms(p));
        L::select(inv_mass.gt(simd.zero()), inv_mass, simd.splat(1.0))
    }

    /// Clamps a friction impulse to the Coulomb limit, given the sum of the normal impulses.
    #[inline(always)]
    pub(crate) fn clamp_friction(&self, impulse: L, normal: L) -> L {
        let limit = self.friction.coefficient * normal;
        impulse.min(limit).max(-limit)
    }

    /// Returns the mask of the lanes where forces move one of the bodies and not the other.
    #[inline(always)]
    pub(crate) fn has_fixed_end(&self) -> L::Mask {
        let simd = self.normal_x.simd();
        let product = self.inv_mass_a * self.inv_mass_b;
        let sum = self.inv_mass_a + self.inv_mass_b;
        sum.gt(simd.zero()).and(simd.zero().ge(product))
    }

    /// Returns the mask of the lanes where forces move both bodies: neither is static or kinematic.
    #[inline(always)]
    pub(crate) fn both_move(&self) -> L::Mask {
        let simd = self.normal_x.simd();
        self.inv_mass_a
            .gt(simd.zero())
            .and(self.inv_mass_b.gt(simd.zero()))
    }
}

impl<L: Lanes> PointLanes<L> {
    /// No point.
    pub(crate) fn empty(simd: L::Simd) -> Self {
        Self {
            arm_a_x: simd.zero(),
            arm_a_y: simd.zero(),
            arm_b_x: simd.zero(),
            arm_b_y: simd.zero(),
            separation: simd.zero(),
            mass: simd.zero(),
            impulse: simd.zero(),
            total_impulse: simd.zero(),
        }
    }
}
