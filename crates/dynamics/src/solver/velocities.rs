//! Velocities of the two bodies of each contact, and the impulses that change them.

use super::block::{ContactBlock, PointLanes};
use super::states::{SharedStates, Velocities};
pub(super) use crate::joint::parts::row::inverse_or_zero;
use cairn2d_simd::Lanes;

/// Velocities of the two bodies of each contact.
#[derive(Clone, Copy)]
pub(crate) struct VelocityPair<L> {
    pub(crate) a: Velocities<L>,
    pub(crate) b: Velocities<L>,
}

impl<L: Lanes> VelocityPair<L> {
    #[inline(always)]
    pub(crate) fn read(states: SharedStates<'_>, block: &ContactBlock<L>) -> Self {
        let simd = block.normal_x.simd();
        // SAFETY: the places are those of prepare.
        unsafe {
            Self {
                a: states.velocities(simd, &block.body_a),
                b: states.velocities(simd, &block.body_b),
            }
        }
    }

    #[inline(always)]
    pub(crate) fn write(self, states: SharedStates<'_>, block: &ContactBlock<L>) {
        // SAFETY: the places are those of prepare; a color holds no dynamic body twice.
        unsafe {
            states.set_pushed(&block.body_a, block.inv_mass_a, self.a);
            states.set_pushed(&block.body_b, block.inv_mass_b, self.b);
        }
    }
}

/// Velocity of B relative to A along the normal at a point.
#[inline(always)]
pub(super) fn normal_velocity<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &VelocityPair<L>,
    p: &PointLanes<L>,
) -> L {
    let (rn_a, rn_b) = block.normal_arms(p);
    let (vx, vy) = (pair.b.x - pair.a.x, pair.b.y - pair.a.y);
    (vx * block.normal_x + vy * block.normal_y) + (pair.b.w * rn_b - pair.a.w * rn_a)
}

/// Velocity of B relative to A along the tangent, midway between the points.
#[inline(always)]
pub(super) fn tangent_velocity<L: Lanes>(block: &ContactBlock<L>, pair: &VelocityPair<L>) -> L {
    let (arm_a, arm_b) = block.tangent_arms();
    let (tx, ty) = (block.normal_y, -block.normal_x);
    let (vx, vy) = (pair.b.x - pair.a.x, pair.b.y - pair.a.y);
    let spin = pair.b.w * arm_b - pair.a.w * arm_a;
    (vx * tx + vy * ty) + spin
}

/// Applies the normal impulses `p` and `q` of the two points to the velocities.
#[inline(always)]
pub(super) fn apply_normal_impulses<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &mut VelocityPair<L>,
    p: L,
    q: L,
) {
    let (p_a, p_b) = block.normal_arms(&block.points[0]);
    let (q_a, q_b) = block.normal_arms(&block.points[1]);
    let sum = p + q;
    let (x, y) = (sum * block.normal_x, sum * block.normal_y);
    pair.a.x = pair.a.x - block.inv_mass_a * x;
    pair.a.y = pair.a.y - block.inv_mass_a * y;
    pair.a.w = pair.a.w - block.inv_inertia_a * (p_a * p + q_a * q);
    pair.b.x = pair.b.x + block.inv_mass_b * x;
    pair.b.y = pair.b.y + block.inv_mass_b * y;
    pair.b.w = pair.b.w + block.inv_inertia_b * (p_b * p + q_b * q);
}

#[inline(always)]
pub(super) fn apply_tangent_impulse<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &mut VelocityPair<L>,
    impulse: L,
) {
    let (arm_a, arm_b) = block.tangent_arms();
    let (x, y) = (impulse * block.normal_y, -(impulse * block.normal_x));
    pair.a.x = pair.a.x - block.inv_mass_a * x;
    pair.a.y = pair.a.y - block.inv_mass_a * y;
    pair.a.w = pair.a.w - block.inv_inertia_a * (arm_a * impulse);
    pair.b.x = pair.b.x + block.inv_mass_b * x;
    pair.b.y = pair.b.y + block.inv_mass_b * y;
    pair.b.w = pair.b.w + block.inv_inertia_b * (arm_b * impulse);
}

#[inline(always)]
pub(super) fn apply_angular_impulse<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &mut VelocityPair<L>,
    impulse: L,
) {
    pair.a.w = pair.a.w - block.inv_inertia_a * impulse;
    pair.b.w = pair.b.w + block.inv_inertia_b * impulse;
}
