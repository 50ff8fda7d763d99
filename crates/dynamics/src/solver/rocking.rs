//! Arms of contacts on which bodies rock.

use super::block::ContactBlock;
use super::velocities::VelocityPair;
use cairn2d_simd::{Lanes, Mask, Simd};

/// Turns the arms of bodies that rock to the middle of the step: at contacts with one point, where `may_rock`, of a body whose
/// round center is on the other side of its center of mass than the point.
///
/// The arms stay as they are during the substeps. Those of the start of the step would give a rocking body the torque of
/// the start for the whole step, as explicit Euler does: with the frequency `w`, its energy grows by `w^2 dt / 2` a
/// second. With those of the middle the step conserves area in the space of angle and spin, and so the energy. A body that
/// tips over a corner keeps the arms of the start: they take some of its energy, and piles come to rest sooner.
///
/// A center at `y` along the normal turns to the side, and the point moves with it on both bodies, so that they keep their
/// angular momentum. The separation at the end of the step stays that of an arc: `turn x - turn^2 y / 2`, which is `turn x'`
/// for the arm `x' = x - turn y / 2` of the middle.
#[inline(always)]
pub(super) fn turn_rocking_arms<L: Lanes>(
    block: &mut ContactBlock<L>,
    velocities: &VelocityPair<L>,
    dt: f32,
    may_rock: L::Mask,
) {
    let simd = block.normal_x.simd();
    if !may_rock.any() {
        return;
    }
    let zero = simd.zero();
    let (a, b) = (&velocities.a, &velocities.b);
    let (nx, ny) = (block.normal_x, block.normal_y);
    // The normal of ground that spins turns with it, which the separation of such an arm leaves out.
    let stands = |spin: L| simd.splat(f32::MIN_POSITIVE).gt(spin.max(-spin));
    let keeps_a = block.inv_mass_a.gt(zero).or(stands(a.w));
    let keeps_b = block.inv_mass_b.gt(zero).or(stands(b.w));
    let may_rock = may_rock.and(keeps_a).and(keeps_b);
    let [p, q] = &mut block.points;
    let y_a = p.arm_a_x * nx + p.arm_a_y * ny;
    let y_b = p.arm_b_x * nx + p.arm_b_y * ny;
    let rocks_a = may_rock.and((-y_a * block.inv_mass_a).gt(zero));
    let rocks_b = may_rock.and((y_b * block.inv_mass_b).gt(zero));
    let (height_a, height_b) = (L::select(rocks_a, y_a, zero), L::select(rocks_b, y_b, zero));
    // Along the normal turned left.
    let side = simd.splat(0.5 * dt) * (a.w * height_a + b.w * height_b);
    let (side_x, side_y) = (-side * ny, side * nx);
    let rocks = rocks_a.or(rocks_b);
    // Selected, since adding 0 would remove the sign of a zero in lanes that share a block with such contacts.
    let shift = |arm_x: &mut L, arm_y: &mut L, down: L| {
        *arm_x = L::select(rocks, (*arm_x + side_x) - down * nx, *arm_x);
        *arm_y = L::select(rocks, (*arm_y + side_y) - down * ny, *arm_y);
    };
    shift(&mut p.arm_a_x, &mut p.arm_a_y, height_a);
    shift(&mut p.arm_b_x, &mut p.arm_b_y, height_b);
    shift(&mut q.arm_a_x, &mut q.arm_a_y, -height_a);
    shift(&mut q.arm_b_x, &mut q.arm_b_y, -height_b);
    let mass = simd.splat(1.0) / block.inv_mass_of(&block.points[0]);
    block.points[0].mass = L::select(rocks, mass, block.points[0].mass);
}
