//! One body settled on what is below it, as on springs.
//!
//! A body on more than two points could rest on them in many ways. Here each point is a spring of the same stiffness along its normal, and each
//! contact one along its tangent; so what is even bears evenly, whatever comes first. Springs only push, and tangents hold as far as friction does: an active set of few rounds, each an
//! equation of three unknowns, the way and the turn of the body.

use cairn2d_geometry::math::{Vec2, cross};
use core::ops::Range;

/// Stiffness of the springs that hold a body to its place, relative to those that hold it up: with these the equations have a solution
/// where nothing else resists.
pub(super) const LEAK: f64 = 1.0e-9;

/// Share of a load that these may bear of a body that stands.
pub(super) const MOST_LEAK: f64 = 1.0e-3;

/// Cosine of the angle between the normal and upward below which what holds a body is beside it, not below.
const BESIDE: f32 = 0.1;

/// Rounds until springs must be known that push and tangents that slip.
const ROUNDS: usize = 16;

/// Force and torque on a body [N, N m].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Load([f64; 3]);

impl Load {
    pub(crate) fn new(force: Vec2, torque: f32) -> Self {
        Self([force.x, force.y, torque].map(f64::from))
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (sum, part) in self.0.iter_mut().zip(other.0) {
            *sum += part;
        }
    }

    /// Returns the load with its torque as a force at `length` from the centre.
    pub(super) fn per_length(&self, length: f64) -> Row {
        let [x, y, torque] = self.0;
        [x, y, torque / length]
    }
}

/// What a force of 1 along a line does to the body: force, and torque per length.
pub(super) type Row = [f64; 3];

/// A point at which something holds the body.
#[derive(Clone, Copy, Debug)]
struct Hold {
    /// Index of the point in its contact.
    point: usize,
    /// From the centres of the contact's bodies.
    arms: [Vec2; 2],
    row: Row,
    /// Normal force on the body [N].
    force: f64,
    pushes: bool,
}

/// A contact with something that holds the body.
#[derive(Clone, Debug)]
pub(crate) struct Support {
    pub(crate) contact: u32,
    /// Which of the contact's bodies it is that is held: 0 is A.
    pub(crate) side: usize,
    /// Towards the body that is held.
    normal: Vec2,
    friction: f64,
    is_beside: bool,
    is_used: bool,
    /// In the list of all points.
    holds: Range<usize>,
    row: Row,
    /// Along the contact's tangent on B [N].
    friction_force: f64,
    /// 0 while friction holds, else the sign of its force.
    slips: f64,
}

/// The body and what holds it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settling {
    load: [f64; 3],
    up: Vec2,
    length: f64,
    holds: Vec<Hold>,
    pub(crate) supports: Vec<Support>,
}

impl Settling {
    /// Begins with a body under a load. Turns count by the way of what is `length` from its centre; one of infinite length does not turn.
    pub(crate) fn start(&mut self, load: Load, length: f32, up: Vec2) {
        self.up = up;
        self.length = length.into();
        self.load = load.per_length(self.length);
        self.holds.clear();
        self.supports.clear();
    }

    pub(crate) fn add_support(&mut self, contact: u32, side: usize, normal: Vec2, friction: f32) {
        let start = self.holds.len();
        self.supports.push(Support {
            contact,
            side,
            normal,
            friction: friction.into(),
            is_beside: normal.dot(&self.up) < BESIDE,
            is_used: true,
            holds: start..start,
            row: [0.0; 3],
            friction_force: 0.0,
            slips: 0.0,
        });
    }

    /// Adds a point to the last support.
    pub(crate) fn add_hold(&mut self, point: usize, arms: [Vec2; 2]) {
        let Some(support) = self.supports.last_mut() else {
            return;
        };
        self.holds.push(Hold {
            point,
            arms,
            row: row(support.normal, arms[support.side], self.length),
            force: 0.0,
            pushes: true,
        });
        support.holds.end += 1;
        let middle = support.middle(&self.holds, support.side);
        support.row = row(support.tangent(), middle, self.length);
    }

    /// Returns the force along the normal and friction at a point of a support's contact [N]: points share friction as they bear.
    pub(crate) fn forces_at(&self, support: &Support, point: usize) -> [f32; 2] {
        let holds = self.holds[support.holds.clone()].iter();
        let forces = holds.map(|hold| (hold.point, hold.force));
        share_friction(forces, support.friction_force, point)
    }

    /// Finds the forces that hold the body, and says whether it stands: else there are none. What it stands beside takes part only if it
    /// would fall without.
    pub(crate) fn solve(&mut self) -> bool {
        let has_beside = self.supports.iter().any(|support| support.is_beside);
        let holds = self.find_forces(false) || has_beside && self.find_forces(true);
        if !holds {
            self.holds.iter_mut().for_each(|hold| hold.force = 0.0);
            let supports = self.supports.iter_mut();
            supports.for_each(|support| support.friction_force = 0.0);
        }
        holds
    }

    fn find_forces(&mut self, with_beside: bool) -> bool {
        let tiny = LEAK * norm(&self.load);
        for support in &mut self.supports {
            support.is_used = with_beside || !support.is_beside;
            (support.slips, support.friction_force) = (0.0, 0.0);
            for hold in &mut self.holds[support.holds.clone()] {
                (hold.pushes, hold.force) = (support.is_used, 0.0);
            }
        }
        for _ in 0..ROUNDS {
            let Some(way) = self.way() else {
                return false;
            };
            if !self.follow(&way, tiny) {
                return self.is_held(&way);
            }
        }
        false
    }

    /// Returns the way of the body at which the springs hold it as they are.
    fn way(&self) -> Option<[f64; 3]> {
        let mut matrix = [[LEAK, 0.0, 0.0], [0.0, LEAK, 0.0], [0.0, 0.0, LEAK]];
        for support in self.supports.iter().filter(|support| support.is_used) {
            for hold in &self.holds[support.holds.clone()] {
                if !hold.pushes {
                    continue;
                }
                add_product(&mut matrix, 1.0, &hold.row, &hold.row);
                let slipping = support.slips * support.friction;
                add_product(&mut matrix, slipping, &support.row, &hold.row);
            }
            if support.slips == 0.0 && !support.holds.is_empty() {
                add_product(&mut matrix, 1.0, &support.row, &support.row);
            }
        }
        solve_3(matrix, self.load)
    }

    /// Takes the forces at a way; says whether a spring has begun or ceased to push, or a tangent to slip.
    fn follow(&mut self, way: &[f64; 3], tiny: f64) -> bool {
        let mut changed = false;
        for support in self.supports.iter_mut().filter(|support| support.is_used) {
            let mut total = 0.0;
            for hold in &mut self.holds[support.holds.clone()] {
                let force = -dot(&hold.row, way);
                let pushes = force > tiny;
                changed |= pushes != hold.pushes;
                hold.pushes = pushes;
                hold.force = force.max(0.0);
                total += hold.force;
            }
            let wanted = -dot(&support.row, way);
            let most = support.friction * total;
            let slips = if wanted.abs() > most * (1.0 + LEAK) + tiny {
                wanted.signum()
            } else {
                0.0
            };
            changed |= slips != support.slips;
            support.slips = slips;
            support.friction_force = wanted.clamp(-most, most);
        }
        changed
    }

    /// Says whether the body stands, under a load that has a number.
    fn is_held(&self, way: &[f64; 3]) -> bool {
        let load = norm(&self.load);
        load < f32::MAX.into() && LEAK * norm(way) <= MOST_LEAK * load
    }

    /// Returns what a support hands down to the other body.
    pub(crate) fn handed(&self, support: usize) -> Load {
        let support = &self.supports[support];
        let other = 1 - support.side;
        let mut load = Load::default();
        let mut push = |along: Vec2, arm: Vec2, force: f64| {
            load.add(&Load(row(along, arm, 1.0).map(|part| -force * part)));
        };
        for hold in &self.holds[support.holds.clone()] {
            push(support.normal, hold.arms[other], hold.force);
        }
        let middle = support.middle(&self.holds, other);
        push(support.tangent(), middle, support.friction_force);
        load
    }
}

impl Support {
    /// Along which friction acts on the body that is held: the normal turned right.
    fn tangent(&self) -> Vec2 {
        Vec2::new(self.normal.y, -self.normal.x)
    }

    /// Returns the arm of the middle of the points, of one of the contact's bodies.
    fn middle(&self, holds: &[Hold], side: usize) -> Vec2 {
        let holds = &holds[self.holds.clone()];
        let sum: Vec2 = holds.iter().map(|hold| hold.arms[side]).sum();
        sum / holds.len().max(1) as f32
    }
}

pub(super) fn row(along: Vec2, arm: Vec2, length: f64) -> Row {
    [
        along.x.into(),
        along.y.into(),
        f64::from(cross(&arm, &along)) / length,
    ]
}

pub(super) fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn norm(a: &[f64]) -> f64 {
    a.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// Returns the force along the normal and friction at a point of a contact [N], given the forces at its points and the friction of
/// all: points share it as they bear.
pub(super) fn share_friction(
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

fn add_product(matrix: &mut [[f64; 3]; 3], factor: f64, left: &Row, right: &Row) {
    for (line, l) in matrix.iter_mut().zip(left) {
        for (entry, r) in line.iter_mut().zip(right) {
            *entry += factor * l * r;
        }
    }
}

/// Solves three equations by Cramer's rule; `None` where they are singular.
fn solve_3(m: [[f64; 3]; 3], right: [f64; 3]) -> Option<[f64; 3]> {
    let product = |a: &[f64; 3], b: &[f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let cofactors = [
        product(&m[1], &m[2]),
        product(&m[2], &m[0]),
        product(&m[0], &m[1]),
    ];
    let det = dot(&m[0], &cofactors[0]);
    (det != 0.0).then(|| {
        [0, 1, 2].map(|i| {
            let column = [cofactors[0][i], cofactors[1][i], cofactors[2][i]];
            dot(&column, &right) / det
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const UP: Vec2 = Vec2::new(0.0, 1.0);

    /// A body of 1 m from its middle to its outermost point, under a force, on points below it at these places along x: one contact for
    /// each list.
    fn settle(load: [f32; 3], contacts: &[&[f32]]) -> Vec<f64> {
        let mut settling = Settling::default();
        let [x, y, torque] = load;
        settling.start(Load::new(Vec2::new(x, y), torque), 1.0, UP);
        for (slot, points) in (0..).zip(contacts) {
            settling.add_support(slot, 1, UP, 0.5);
            for (i, &x) in points.iter().enumerate() {
                settling.add_hold(i, [Vec2::new(x, 0.5), Vec2::new(x, -0.5)]);
            }
        }
        settling.solve();
        settling.holds.iter().map(|hold| hold.force).collect()
    }

    fn assert_near(found: &[f64], expected: &[f64]) {
        let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
        assert!(
            off.fold(0.0, f64::max) < 1.0e-6,
            "{found:?}, not {expected:?}"
        );
    }

    #[test]
    fn two_points_bear_by_the_law_of_the_lever() {
        assert_near(&settle([0.0, -12.0, 0.0], &[&[-0.5, 1.0]]), &[8.0, 4.0]);
    }

    #[test]
    fn points_alike_bear_alike_in_whatever_contacts() {
        let alike = [3.0; 4];
        assert_near(
            &settle([0.0, -12.0, 0.0], &[&[-0.5, 0.0], &[0.0, 0.5]]),
            &alike,
        );
        assert_near(
            &settle([0.0, -12.0, 0.0], &[&[0.0, 0.5], &[-0.5, 0.0]]),
            &alike,
        );
    }

    #[test]
    fn what_is_loaded_beyond_the_middle_third_bears_on_one_side() {
        // The load acts at 0.875: the first point would pull, so the others bear alone.
        let forces = settle([0.0, -12.0, -10.5], &[&[-1.0, 0.5, 1.0]]);
        assert_near(&forces, &[0.0, 3.0, 9.0]);
    }

    #[test]
    fn what_would_tip_is_not_held() {
        assert_near(&settle([0.0, -12.0, -9.0], &[&[-0.5, 0.5]]), &[0.0, 0.0]);
    }

    #[test]
    fn friction_holds_up_to_the_cone() {
        // A push at the height of the ground: 5 of 12 N are held by a coefficient of 0.5, and 7 are not.
        assert_near(&settle([5.0, -12.0, 2.5], &[&[-0.5, 0.5]]), &[6.0, 6.0]);
        assert_near(&settle([7.0, -12.0, 3.5], &[&[-0.5, 0.5]]), &[0.0, 0.0]);
    }

    #[test]
    fn load_beyond_all_numbers_is_held_by_none() {
        assert_near(
            &settle([0.0, -f32::INFINITY, 0.0], &[&[-0.5, 0.5]]),
            &[0.0, 0.0],
        );
    }

    #[test]
    fn nothing_holds_what_is_in_the_air() {
        assert!(settle([0.0, -12.0, 0.0], &[]).is_empty());
    }
}
