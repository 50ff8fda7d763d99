//! Static equilibrium of one body on its supports, taken as immovable.
//!
//! A body on more than two points is statically indeterminate. So each point is a spring of the same stiffness along
//! its normal, and each contact is one along its tangent. Equal supports then carry equal loads, in whatever order
//! they are listed. Normal springs only push, and tangents hold up to the friction limit. An active set finds the
//! forces in a few rounds, each of which solves an equation of three unknowns, the displacement and rotation of the
//! body.

use crate::bounded::bounded_f64;
use crate::linear::block_sparse::Triple;
use crate::linear::small::{add_outer_product, dot_3, norm, solve_3};
use cairn2d_geometry::math::{Vec2, cross};
use core::ops::Range;

/// Stiffness of the springs that hold a body in place, relative to its supports: without them the equations
/// would be singular where nothing else resists.
pub(crate) const REGULARIZATION: f64 = 1.0e-9;

/// Greatest share of a load that these springs may carry of a body that is in equilibrium.
pub(crate) const MAX_REGULARIZATION_LOAD: f64 = 1.0e-3;

/// Cosine of the angle between normal and upward direction below which a support is lateral: it is used only
/// if the others do not suffice.
const LATERAL_COSINE: f32 = 0.1;

/// Rounds after which the active set counts as not found.
const MAX_ACTIVE_SET_ROUNDS: usize = 16;

/// Force and torque on a body [N, N m].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BodyLoad([f64; 3]);

impl BodyLoad {
    pub(crate) fn new(force: Vec2, torque: f32) -> Self {
        Self([force.x, force.y, torque].map(f64::from))
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (sum, part) in self.0.iter_mut().zip(other.0) {
            *sum += part;
        }
    }

    /// Returns the load with its torque as a force at `length` from the center.
    pub(crate) fn per_length(&self, length: f64) -> Triple {
        let [x, y, torque] = self.0;
        [x, y, torque / length]
    }
}

/// A point of a support.
#[derive(Clone, Copy, Debug)]
struct SupportPoint {
    /// Index of the point in its contact.
    point: usize,
    /// From the centers of the contact's bodies.
    arms: [Vec2; 2],
    row: Triple,
    /// Normal force on the body [N].
    force: f64,
    is_active: bool,
}

/// A contact that supports the body.
#[derive(Clone, Debug)]
pub(crate) struct SupportContact {
    pub(crate) contact: u32,
    /// Side of the contact on which the supported body is: 0 is A.
    pub(crate) side: usize,
    /// Toward the supported body.
    normal: Vec2,
    friction: f64,
    is_lateral: bool,
    is_used: bool,
    /// Range in the list of all points.
    points: Range<usize>,
    row: Triple,
    /// Along the contact's tangent on B [N].
    friction_force: f64,
    /// 0 while friction holds, otherwise the sign of its force.
    sliding: f64,
}

/// One body under a load, and its supports.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodyEquilibrium {
    load: [f64; 3],
    up: Vec2,
    length: f64,
    points: Vec<SupportPoint>,
    pub(crate) supports: Vec<SupportContact>,
}

impl BodyEquilibrium {
    /// Starts with a body under a load. Rotations count as the displacement at `length` from its center; a
    /// body of infinite length does not rotate.
    pub(crate) fn start(&mut self, load: BodyLoad, length: f32, up: Vec2) {
        self.up = up;
        self.length = length.into();
        self.load = load.per_length(self.length);
        self.points.clear();
        self.supports.clear();
    }

    pub(crate) fn add_support(&mut self, contact: u32, side: usize, normal: Vec2, friction: f32) {
        let start = self.points.len();
        self.supports.push(SupportContact {
            contact,
            side,
            normal,
            friction: friction.into(),
            is_lateral: normal.dot(&self.up) < LATERAL_COSINE,
            is_used: true,
            points: start..start,
            row: [0.0; 3],
            friction_force: 0.0,
            sliding: 0.0,
        });
    }

    /// Adds a point to the last support.
    pub(crate) fn add_point(&mut self, point: usize, arms: [Vec2; 2]) {
        let Some(support) = self.supports.last_mut() else {
            return;
        };
        self.points.push(SupportPoint {
            point,
            arms,
            row: row_along(support.normal, arms[support.side], self.length),
            force: 0.0,
            is_active: true,
        });
        support.points.end += 1;
        let middle = support.middle(&self.points, support.side);
        support.row = row_along(support.tangent(), middle, self.length);
    }

    /// Returns the normal force and the friction at a point of a support [N].
    pub(crate) fn forces_at(&self, support: &SupportContact, point: usize) -> [f32; 2] {
        let points = self.points[support.points.clone()].iter();
        let forces = points.map(|point| (point.point, point.force));
        share_friction(forces, support.friction_force, point)
    }

    /// Finds the forces of the supports. Returns `true` if the body is in equilibrium; else all forces are 0.
    /// Lateral supports are used only if the body would fall without them.
    pub(crate) fn solve(&mut self) -> bool {
        let has_lateral = self.supports.iter().any(|support| support.is_lateral);
        let is_held = self.find_forces(false) || has_lateral && self.find_forces(true);
        if !is_held {
            self.points.iter_mut().for_each(|point| point.force = 0.0);
            let supports = self.supports.iter_mut();
            supports.for_each(|support| support.friction_force = 0.0);
        }
        is_held
    }

    fn find_forces(&mut self, with_lateral: bool) -> bool {
        let tiny = REGULARIZATION * norm(&self.load);
        for support in &mut self.supports {
            support.is_used = with_lateral || !support.is_lateral;
            (support.sliding, support.friction_force) = (0.0, 0.0);
            for point in &mut self.points[support.points.clone()] {
                (point.is_active, point.force) = (support.is_used, 0.0);
            }
        }
        for _ in 0..MAX_ACTIVE_SET_ROUNDS {
            let Some(displacement) = self.displacement() else {
                return false;
            };
            if !self.update_forces(&displacement, tiny) {
                return self.is_in_equilibrium(&displacement);
            }
        }
        false
    }

    /// Returns the displacement of the body at which the active springs carry the load.
    fn displacement(&self) -> Option<[f64; 3]> {
        let mut matrix = [
            [REGULARIZATION, 0.0, 0.0],
            [0.0, REGULARIZATION, 0.0],
            [0.0, 0.0, REGULARIZATION],
        ];
        for support in self.supports.iter().filter(|support| support.is_used) {
            for point in &self.points[support.points.clone()] {
                if !point.is_active {
                    continue;
                }
                add_outer_product(&mut matrix, 1.0, &point.row, &point.row);
                let sliding = support.sliding * support.friction;
                add_outer_product(&mut matrix, sliding, &support.row, &point.row);
            }
            if support.sliding == 0.0 && !support.points.is_empty() {
                add_outer_product(&mut matrix, 1.0, &support.row, &support.row);
            }
        }
        solve_3(matrix, self.load)
    }

    /// Sets the forces at a displacement. Returns `true` if a spring has become active or inactive, or a
    /// tangent has begun or ceased to slide.
    fn update_forces(&mut self, displacement: &[f64; 3], tiny: f64) -> bool {
        let mut changed = false;
        for support in self.supports.iter_mut().filter(|support| support.is_used) {
            let mut total = 0.0;
            for point in &mut self.points[support.points.clone()] {
                let force = -dot_3(&point.row, displacement);
                let is_active = force > tiny;
                changed |= is_active != point.is_active;
                point.is_active = is_active;
                point.force = force.max(0.0);
                total += point.force;
            }
            let sticking = -dot_3(&support.row, displacement);
            let limit = support.friction * total;
            let sliding = if sticking.abs() > limit * (1.0 + REGULARIZATION) + tiny {
                sticking.signum()
            } else {
                0.0
            };
            changed |= sliding != support.sliding;
            support.sliding = sliding;
            support.friction_force = bounded_f64(sticking, limit);
        }
        changed
    }

    /// Returns `true` if the load is finite and the supports carry it.
    fn is_in_equilibrium(&self, displacement: &[f64; 3]) -> bool {
        let load = norm(&self.load);
        load < f32::MAX.into()
            && REGULARIZATION * norm(displacement) <= MAX_REGULARIZATION_LOAD * load
    }

    /// Returns the load that a support transmits to its other body.
    pub(crate) fn transmitted_load(&self, support: usize) -> BodyLoad {
        let support = &self.supports[support];
        let other = 1 - support.side;
        let mut load = BodyLoad::default();
        let mut add = |along: Vec2, arm: Vec2, force: f64| {
            load.add(&BodyLoad(
                row_along(along, arm, 1.0).map(|part| -force * part),
            ));
        };
        for point in &self.points[support.points.clone()] {
            add(support.normal, point.arms[other], point.force);
        }
        let middle = support.middle(&self.points, other);
        add(support.tangent(), middle, support.friction_force);
        load
    }
}

impl SupportContact {
    /// Direction of friction on the supported body: the normal turned right.
    fn tangent(&self) -> Vec2 {
        Vec2::new(self.normal.y, -self.normal.x)
    }

    /// Returns the arm of the middle of the points, from the center of the body on `side`.
    fn middle(&self, points: &[SupportPoint], side: usize) -> Vec2 {
        let points = &points[self.points.clone()];
        let sum: Vec2 = points.iter().map(|point| point.arms[side]).sum();
        sum / points.len().max(1) as f32
    }
}

/// Returns the force, and the torque per length, of a unit force along a line at `arm`.
pub(crate) fn row_along(along: Vec2, arm: Vec2, length: f64) -> Triple {
    [
        along.x.into(),
        along.y.into(),
        f64::from(cross(&arm, &along)) / length,
    ]
}

/// Returns the normal force and the friction at a point of a contact [N]: points share the friction of the
/// contact in proportion to their normal forces, which are given with the indices of the points.
pub(crate) fn share_friction(
    mut forces: impl Iterator<Item = (usize, f64)> + Clone,
    friction: f64,
    point: usize,
) -> [f32; 2] {
    let total: f64 = forces.clone().map(|(_, force)| force).sum();
    let Some((_, force)) = forces.find(|&(at, _)| at == point) else {
        return [0.0; 2];
    };
    let share = if total > 0.0 { force / total } else { 0.0 };
    [force, share * friction].map(|force| force as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: Vec2 = Vec2::new(0.0, 1.0);

    /// Normal forces on a body with a radius of 1 m under a load, on points below it at these positions along
    /// x: one contact for each list.
    fn normal_forces(load: [f32; 3], contacts: &[&[f32]]) -> Vec<f64> {
        let mut body = BodyEquilibrium::default();
        let [x, y, torque] = load;
        body.start(BodyLoad::new(Vec2::new(x, y), torque), 1.0, UP);
        for (slot, points) in (0..).zip(contacts) {
            body.add_support(slot, 1, UP, 0.5);
            for (i, &x) in points.iter().enumerate() {
                body.add_point(i, [Vec2::new(x, 0.5), Vec2::new(x, -0.5)]);
            }
        }
        body.solve();
        body.points.iter().map(|point| point.force).collect()
    }

    fn assert_near(found: &[f64], expected: &[f64]) {
        let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(
            off.fold(0.0, f64::max) < 1.0e-6,
            "{found:?}, not {expected:?}"
        );
    }

    #[test]
    fn two_points_share_a_load_by_the_law_of_the_lever() {
        assert_near(
            &normal_forces([0.0, -12.0, 0.0], &[&[-0.5, 1.0]]),
            &[8.0, 4.0],
        );
    }

    #[test]
    fn equal_points_carry_equally_in_any_grouping() {
        let equal = [3.0; 4];
        assert_near(
            &normal_forces([0.0, -12.0, 0.0], &[&[-0.5, 0.0], &[0.0, 0.5]]),
            &equal,
        );
        assert_near(
            &normal_forces([0.0, -12.0, 0.0], &[&[0.0, 0.5], &[-0.5, 0.0]]),
            &equal,
        );
    }

    #[test]
    fn load_beyond_the_middle_third_rests_on_one_side() {
        // The load acts at 0.875: the first point would pull, so the others carry it alone.
        let forces = normal_forces([0.0, -12.0, -10.5], &[&[-1.0, 0.5, 1.0]]);
        assert_near(&forces, &[0.0, 3.0, 9.0]);
    }

    #[test]
    fn body_that_tips_is_not_held() {
        assert_near(
            &normal_forces([0.0, -12.0, -9.0], &[&[-0.5, 0.5]]),
            &[0.0, 0.0],
        );
    }

    #[test]
    fn friction_holds_up_to_the_cone() {
        // A push at the height of the ground: 5 of 12 N are held by a coefficient of 0.5, and 7 are not.
        assert_near(
            &normal_forces([5.0, -12.0, 2.5], &[&[-0.5, 0.5]]),
            &[6.0, 6.0],
        );
        assert_near(
            &normal_forces([7.0, -12.0, 3.5], &[&[-0.5, 0.5]]),
            &[0.0, 0.0],
        );
    }

    #[test]
    fn infinite_load_is_not_held() {
        assert_near(
            &normal_forces([0.0, -f32::INFINITY, 0.0], &[&[-0.5, 0.5]]),
            &[0.0, 0.0],
        );
    }

    #[test]
    fn body_without_supports_has_no_forces() {
        assert!(normal_forces([0.0, -12.0, 0.0], &[]).is_empty());
    }
}
