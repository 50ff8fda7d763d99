//! The contact constraint: as many contacts side by side as there are lanes.

use crate::simd::Lanes;

/// `L::WIDTH` contacts, each with two points, prepared for one step. 42 floats a contact.
///
/// Written: by prepare once a step; the impulses by every pass. Read: by every pass, in order, once each.
/// Everything that stays fixed within a step is here, so that a pass reads nothing else but body states.
/// A contact with one point has a second one that never touches; a lane without a contact has bodies
/// without mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactBlock<L: Lanes> {
    /// Body slots; `NO_SLOT` where static or without contact.
    pub(crate) body_a: L::Slots,
    pub(crate) body_b: L::Slots,
    /// Contact slots; `NO_SLOT` where there is none.
    pub(crate) contacts: L::Slots,
    pub(crate) inv_mass_a: L,
    pub(crate) inv_mass_b: L,
    pub(crate) inv_inertia_a: L,
    pub(crate) inv_inertia_b: L,
    /// Unit normal from A to B, in the world.
    pub(crate) normal_x: L,
    pub(crate) normal_y: L,
    /// Softness: speed asked for per overlap [1/s], share of the effective mass, and compliance relative to
    /// the inverse effective mass, `(1 - mass_scale) / mass_scale`.
    pub(crate) bias_rate: L,
    pub(crate) mass_scale: L,
    pub(crate) compliance: L,
    pub(crate) restitution: L,
    /// Inverse effective mass that couples the two points [1/kg].
    pub(crate) coupling: L,
    pub(crate) points: [PointLanes<L>; 2],
    pub(crate) friction: FrictionLanes<L>,
    pub(crate) rolling: RollingLanes<L>,
}

/// One point of each contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointLanes<L> {
    /// From the centres of mass to the point at the start of the step, in the world [m].
    pub(crate) arm_a_x: L,
    pub(crate) arm_a_y: L,
    pub(crate) arm_b_x: L,
    pub(crate) arm_b_y: L,
    /// Separation at the start of the step [m].
    pub(crate) separation: L,
    /// Inverse effective mass along the normal [1/kg], and its inverse.
    pub(crate) inv_mass: L,
    pub(crate) mass: L,
    /// Impulse of the current substep, and the sum over the step [N s].
    pub(crate) impulse: L,
    pub(crate) total_impulse: L,
    /// Normal velocity at which the point would meet, negative = approach [m/s].
    pub(crate) approach: L,
}

/// Friction of each contact: one row at the middle of its points.
///
/// The friction forces of two points share one line of action, along the face, so one row with the sum
/// of their normal impulses gives the same motion as two, and takes half the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrictionLanes<L> {
    /// Torque arms of the tangent [m].
    pub(crate) arm_a: L,
    pub(crate) arm_b: L,
    /// Effective mass along the tangent [kg].
    pub(crate) mass: L,
    /// Coulomb coefficient.
    pub(crate) coefficient: L,
    /// Speed of the surface of B against that of A [m/s].
    pub(crate) surface_speed: L,
    /// Way of B's anchors against A's along the tangent, at the start of the step [m]: 0 where friction has held.
    pub(crate) crept: L,
    /// Weight of the second point in the middle: a half, or 0 where there is none.
    pub(crate) second_share: L,
    /// Impulse of the current substep [N s].
    pub(crate) impulse: L,
}

/// Rolling resistance of each contact: a row on the relative spin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RollingLanes<L> {
    /// Greatest torque impulse per normal impulse [m].
    pub(crate) radius: L,
    /// Effective mass of the relative spin [kg m^2].
    pub(crate) mass: L,
    /// Impulse of the current substep [N m s].
    pub(crate) impulse: L,
}

impl<L: Lanes> ContactBlock<L> {
    /// No contacts.
    pub(crate) const EMPTY: Self = Self {
        body_a: L::NO_SLOTS,
        body_b: L::NO_SLOTS,
        contacts: L::NO_SLOTS,
        inv_mass_a: L::ZERO,
        inv_mass_b: L::ZERO,
        inv_inertia_a: L::ZERO,
        inv_inertia_b: L::ZERO,
        normal_x: L::ZERO,
        normal_y: L::ZERO,
        bias_rate: L::ZERO,
        mass_scale: L::ZERO,
        compliance: L::ZERO,
        restitution: L::ZERO,
        coupling: L::ZERO,
        points: [PointLanes::EMPTY; 2],
        friction: FrictionLanes {
            arm_a: L::ZERO,
            arm_b: L::ZERO,
            mass: L::ZERO,
            coefficient: L::ZERO,
            surface_speed: L::ZERO,
            crept: L::ZERO,
            second_share: L::ZERO,
            impulse: L::ZERO,
        },
        rolling: RollingLanes {
            radius: L::ZERO,
            mass: L::ZERO,
            impulse: L::ZERO,
        },
    };
}

impl<L: Lanes> PointLanes<L> {
    /// No point.
    pub(crate) const EMPTY: Self = Self {
        arm_a_x: L::ZERO,
        arm_a_y: L::ZERO,
        arm_b_x: L::ZERO,
        arm_b_y: L::ZERO,
        separation: L::ZERO,
        inv_mass: L::ZERO,
        mass: L::ZERO,
        impulse: L::ZERO,
        total_impulse: L::ZERO,
        approach: L::ZERO,
    };
}
