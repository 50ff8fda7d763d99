//! Static equilibrium of all bodies of a pile at once. Two cards that lean on each other stand, although neither
//! could stand on the other if that counted as immovable.
//!
//! Each point is a spring of the same stiffness along its normal, which only pushes, and each contact one along its tangent.
//! At fixed friction limits the displacements minimize a convex energy, by a damped Newton method. The limits follow from
//! the normal forces, until a fixed point is reached; it converges slowly where one sliding contact loads another, so
//! the step is chosen from the last changes \[Irons69\].

use super::body_equilibrium::{
    BodyLoad, MAX_REGULARIZATION_LOAD, REGULARIZATION, row_along, share_friction,
};
use crate::bounded::bounded_f64;
use crate::linear::block_sparse::{BlockFactor, Triple};
use crate::linear::small::{add_square, dot_3, norm};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::sort_compact;
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use core::ops::Range;

/// Greatest number of Newton steps for a pile: a house of forty cards takes 35 to 180.
const MAX_NEWTON_STEPS: usize = 300;

/// Most bodies of a pile: the order of elimination takes a time with their square.
const MAX_BODIES: usize = 1024;

/// Deflection of the springs under the mean weight of a body [m]: much wider gaps carry nothing unless they
/// must.
const SPRING_DEFLECTION: f64 = 0.02 * LINEAR_SLOP as f64;

/// Damping of the first Newton step, relative to the stiffness of a spring, and the factor by which it
/// changes.
const FIRST_DAMPING: f64 = 1.0e-2;
const DAMPING_FACTOR: f64 = 10.0;

/// Residual force, and excess of friction, that is accepted, relative to the total weight.
const MAX_RESIDUAL: f64 = 1.0e-6;

/// Difference of energies that may be rounding, relative to the energy.
const ENERGY_ROUNDING: f64 = 1.0e-10;

/// Share of its excess by which a friction limit changes in the first round, and the range of later shares.
const FIRST_RELAXATION: f64 = 0.5;
const RELAXATION_RANGE: [f64; 2] = [0.1, 4.0];

/// The share while the excess grows, because other contacts begin to slide.
const DIVERGING_RELAXATION: f64 = 1.0;

/// The edge of a contact with an immovable body.
const NO_EDGE: u32 = u32::MAX;

/// A point at which two bodies push each other apart.
#[derive(Clone, Copy, Debug)]
struct PileSpring {
    /// Index of the point in its contact.
    point: usize,
    /// On A and on B.
    rows: [Triple; 2],
    /// [m].
    gap: f64,
    /// [N].
    force: f64,
}

/// A contact between two bodies of the pile, or with an immovable one.
#[derive(Clone, Debug)]
pub(crate) struct PileContact {
    pub(crate) contact: u32,
    /// Ranks of A and B; `None` is immovable.
    ends: [Option<u32>; 2],
    normal: Vec2,
    friction: f64,
    /// Index of the pair of its bodies in the matrix; `NO_EDGE` with an immovable one.
    edge: u32,
    /// Range in the list of all springs.
    springs: Range<usize>,
    /// Rows of the friction force, along the tangent, on A and on B.
    rows: [Triple; 2],
    /// Along the tangent on B [N].
    friction_force: f64,
    /// Greatest friction in this round [N].
    limit: f64,
    /// Error of the limit in the last round; positive: it was too low [N].
    excess: f64,
}

/// The bodies of a pile, by rank, and the contacts between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct PileEquilibrium {
    loads: Vec<Triple>,
    lengths: Vec<f64>,
    springs: Vec<PileSpring>,
    pub(crate) contacts: Vec<PileContact>,
    /// Sum of all loads [N].
    weight: f64,
    /// Displacements and rotations of all bodies, times a spring stiffness of 1 [N].
    displacements: Vec<Triple>,
    old_displacements: Vec<Triple>,
    /// Residual forces at these displacements [N], and the Newton step.
    residuals: Vec<Triple>,
    step: Vec<Triple>,
    /// The stiffness, and its pattern.
    factor: BlockFactor,
    edges: Vec<[u32; 2]>,
    steps_left: usize,
}

impl PileEquilibrium {
    pub(crate) fn clear(&mut self) {
        self.loads.clear();
        self.lengths.clear();
        self.springs.clear();
        self.contacts.clear();
    }

    /// Adds the body of the next rank under a load. Rotations count as the displacement at `length` from its
    /// center; a body of infinite length does not rotate.
    pub(crate) fn add_body(&mut self, load: BodyLoad, length: f32) {
        let length = length.into();
        self.loads.push(load.per_length(length));
        self.lengths.push(length);
    }

    /// Adds a contact; its normal points from A to B. Friction acts at `friction_arms` from their centers \[m\].
    pub(crate) fn add_contact(
        &mut self,
        contact: u32,
        ends: [Option<u32>; 2],
        normal: Vec2,
        friction_arms: [Vec2; 2],
        friction: f32,
    ) {
        let start = self.springs.len();
        let tangent = Vec2::new(normal.y, -normal.x);
        self.contacts.push(PileContact {
            contact,
            ends,
            normal,
            friction: friction.into(),
            edge: NO_EDGE,
            springs: start..start,
            rows: rows_along(tangent, ends, friction_arms, &self.lengths),
            friction_force: 0.0,
            limit: f64::INFINITY,
            excess: 0.0,
        });
    }

    /// Adds a point to the last contact, at `arms` from the centers of A and B \[m\].
    pub(crate) fn add_spring(&mut self, point: usize, arms: [Vec2; 2], separation: f32) {
        let Some(contact) = self.contacts.last_mut() else {
            return;
        };
        self.springs.push(PileSpring {
            point,
            rows: rows_along(contact.normal, contact.ends, arms, &self.lengths),
            gap: separation.max(0.0).into(),
            force: 0.0,
        });
        contact.springs.end += 1;
    }

    /// Finds the forces of all contacts. Factorizations take their operations from `flops_left`. Returns `true` if the
    /// pile is in equilibrium.
    pub(crate) fn solve(&mut self, flops_left: &mut u64) -> bool {
        self.weight = self.loads.iter().map(|load| norm(load)).sum();
        if self.loads.len() > MAX_BODIES || self.weight >= f32::MAX.into() {
            return false;
        }
        self.list_edges();
        self.factor.analyze(self.loads.len(), &self.edges);
        self.steps_left = MAX_NEWTON_STEPS;
        self.displacements.clear();
        self.displacements.resize(self.loads.len(), [0.0; 3]);
        let mut relaxation = FIRST_RELAXATION;
        while self.find_displacements(flops_left) && self.is_held() {
            if self.update_friction_limits(&mut relaxation) {
                return true;
            }
        }
        false
    }

    /// Lists the pairs of bodies that touch, ascending, and the pair of each contact.
    fn list_edges(&mut self) {
        self.edges.clear();
        self.edges
            .extend(self.contacts.iter().filter_map(PileContact::pair));
        sort_compact(&mut self.edges, Ord::cmp);
        self.edges.dedup();
        for contact in &mut self.contacts {
            let edge = contact
                .pair()
                .and_then(|pair| self.edges.binary_search(&pair).ok());
            contact.edge = edge.map_or(NO_EDGE, |edge| edge as u32);
        }
    }

    /// Factors the matrix, if its work is left. Returns `true` if it is positive definite.
    fn factor(&mut self, flops_left: &mut u64) -> bool {
        let flops = self.factor.flops();
        let is_affordable = flops <= *flops_left;
        *flops_left = flops_left.saturating_sub(flops);
        is_affordable && self.factor.compute(0.0)
    }

    /// Moves to the displacements of least energy, with friction within its limits. Returns `true` if they
    /// were found.
    fn find_displacements(&mut self, flops_left: &mut u64) -> bool {
        let mut energy = self.update_forces();
        let mut residual = norm(self.residuals.as_flattened());
        let mut damping = FIRST_DAMPING;
        while residual > MAX_RESIDUAL * self.weight {
            if self.steps_left == 0 {
                return false;
            }
            self.steps_left -= 1;
            self.write_stiffness(damping);
            if !self.factor(flops_left) {
                return false;
            }
            self.step.clone_from(&self.residuals);
            self.factor.solve(&mut self.step);
            self.old_displacements.clone_from(&self.displacements);
            let steps = self.step.as_flattened();
            for (displacement, step) in self.displacements.as_flattened_mut().iter_mut().zip(steps)
            {
                *displacement += step;
            }
            let new_energy = self.update_forces();
            let new_residual = norm(self.residuals.as_flattened());
            // Near the minimum energies differ by less than their rounding.
            let is_level = new_energy - energy <= ENERGY_ROUNDING * energy.abs();
            if new_energy < energy || is_level && new_residual < 0.5 * residual {
                (energy, residual) = (new_energy, new_residual);
                damping /= DAMPING_FACTOR;
            } else {
                self.displacements.clone_from(&self.old_displacements);
                self.update_forces();
                damping *= DAMPING_FACTOR;
            }
        }
        true
    }

    /// Sets the forces and residuals at the displacements; returns the energy.
    fn update_forces(&mut self) -> f64 {
        let displacements = &self.displacements;
        let residuals = &mut self.residuals;
        let stiffness = self.weight / (self.loads.len() as f64 * SPRING_DEFLECTION);
        let loads = self.loads.iter().zip(displacements);
        let mut energy: f64 = loads
            .clone()
            .flat_map(|(load, x)| load.iter().zip(x))
            .map(|(load, x)| (0.5 * REGULARIZATION * x - load) * x)
            .sum();
        residuals.clear();
        residuals.extend(
            loads.map(|(load, x)| core::array::from_fn(|k| load[k] - REGULARIZATION * x[k])),
        );
        for contact in &mut self.contacts {
            for spring in &mut self.springs[contact.springs.clone()] {
                let elongation = elongation(displacements, &contact.ends, &spring.rows);
                spring.force = (-elongation - stiffness * spring.gap).max(0.0);
                energy += 0.5 * spring.force * spring.force;
                add_force(residuals, &contact.ends, &spring.rows, spring.force);
            }
            let sticking = -elongation(displacements, &contact.ends, &contact.rows);
            let force = bounded_f64(sticking, contact.limit);
            energy += force * (sticking - 0.5 * force);
            add_force(residuals, &contact.ends, &contact.rows, force);
            contact.friction_force = force;
        }
        energy
    }

    /// Writes the stiffness of the active springs.
    fn write_stiffness(&mut self, damping: f64) {
        self.factor.clear();
        for body in 0..self.loads.len() as u32 {
            for (k, line) in self.factor.diagonal_mut(body).iter_mut().enumerate() {
                line[k] = REGULARIZATION + damping;
            }
        }
        for contact in &self.contacts {
            let springs = &self.springs[contact.springs.clone()];
            for spring in springs.iter().filter(|spring| spring.force > 0.0) {
                add_line(&mut self.factor, contact, &spring.rows);
            }
            if !contact.is_sliding() {
                add_line(&mut self.factor, contact, &contact.rows);
            }
        }
    }

    /// Returns `true` if contacts hold every body.
    fn is_held(&self) -> bool {
        let max_load = MAX_REGULARIZATION_LOAD * self.weight / self.loads.len() as f64;
        let mut displacements = self.displacements.iter();
        displacements.all(|x| REGULARIZATION * norm(x) <= max_load)
    }

    /// Changes the friction limits by the share `relaxation` of their excess over those of the normal forces.
    /// Returns `true` if friction was within the latter.
    fn update_friction_limits(&mut self, relaxation: &mut f64) -> bool {
        let (mut along, mut square, mut worst) = (0.0, 0.0, 0.0_f64);
        for contact in &mut self.contacts {
            let springs = &self.springs[contact.springs.clone()];
            let limit = contact.friction * springs.iter().map(|spring| spring.force).sum::<f64>();
            let excess = if contact.is_sliding() {
                limit - contact.limit
            } else {
                (limit - contact.friction_force.abs()).min(0.0)
            };
            if !contact.is_sliding() {
                contact.limit = limit;
            }
            let change = excess - contact.excess;
            along += contact.excess * change;
            square += change * change;
            worst = worst.max(excess.abs());
            contact.excess = excess;
        }
        if square > 0.0 {
            let secant = -*relaxation * along / square;
            *relaxation = if secant > 0.0 {
                secant.clamp(RELAXATION_RANGE[0], RELAXATION_RANGE[1])
            } else {
                DIVERGING_RELAXATION
            };
        }
        let sliding = self
            .contacts
            .iter_mut()
            .filter(|contact| contact.is_sliding());
        for contact in sliding {
            contact.limit = (contact.limit + *relaxation * contact.excess).max(0.0);
        }
        worst <= MAX_RESIDUAL * self.weight
    }

    /// Returns the normal force and the friction at a point of a contact [N].
    pub(crate) fn forces_at(&self, contact: &PileContact, point: usize) -> [f32; 2] {
        let springs = self.springs[contact.springs.clone()].iter();
        let forces = springs.map(|spring| (spring.point, spring.force));
        share_friction(forces, contact.friction_force, point)
    }
}

impl PileContact {
    /// Returns the ranks of its bodies, ascending, if both are movable.
    fn pair(&self) -> Option<[u32; 2]> {
        let [a, b] = self.ends;
        let (a, b) = (a?, b?);
        Some([a.min(b), a.max(b)])
    }

    fn is_sliding(&self) -> bool {
        self.friction_force.abs() >= self.limit
    }
}

/// Adds the stiffness of a spring of stiffness 1 along rows of a contact.
fn add_line(factor: &mut BlockFactor, contact: &PileContact, rows: &[Triple; 2]) {
    for (body, row) in contact.ends.iter().zip(rows) {
        if let Some(body) = *body {
            add_square(factor.diagonal_mut(body), 1.0, row);
        }
    }
    if contact.edge != NO_EDGE {
        let [a, b] = rows;
        let is_ascending = contact.ends[0] < contact.ends[1];
        factor.add_to_edge(
            contact.edge,
            -1.0,
            if is_ascending { [a, b] } else { [b, a] },
        );
    }
}

/// Adds a force along `[-rows[0], rows[1]]` to the forces on the bodies of a contact.
fn add_force(forces: &mut [Triple], ends: &[Option<u32>; 2], rows: &[Triple; 2], force: f64) {
    for ((body, row), sign) in ends.iter().zip(rows).zip([-1.0, 1.0]) {
        if let Some(body) = *body {
            for (sum, part) in forces[body as usize].iter_mut().zip(row) {
                *sum += sign * part * force;
            }
        }
    }
}

fn rows_along(
    along: Vec2,
    ends: [Option<u32>; 2],
    arms: [Vec2; 2],
    lengths: &[f64],
) -> [Triple; 2] {
    [0, 1].map(|side| match ends[side] {
        Some(rank) => row_along(along, arms[side], lengths[rank as usize]),
        None => [0.0; 3],
    })
}

/// Returns the displacement of B away from A along rows.
fn elongation(displacements: &[Triple], ends: &[Option<u32>; 2], rows: &[Triple; 2]) -> f64 {
    let part = |side: usize| match ends[side] {
        Some(rank) => dot_3(&rows[side], &displacements[rank as usize]),
        None => 0.0,
    };
    part(1) - part(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::sin_cos;

    fn tan(angle: f32) -> f32 {
        let (sin, cos) = sin_cos(angle);
        sin / cos
    }

    const DOWN: Vec2 = Vec2::new(0.0, -1.0);

    /// Two bars that lean on each other at an angle of `slope` from the vertical: half length 1, weight 1,
    /// centers at height `cos`. Returns the forces at the left foot, at the top and at the right foot, normal
    /// and friction.
    fn lean(slope: f32, friction: f32) -> Option<[[f32; 2]; 3]> {
        let (mut pile, mut flops) = (leaning_bars(slope, friction), u64::MAX);
        pile.solve(&mut flops).then(|| {
            let contacts = [0, 1, 2].map(|i| &pile.contacts[i]);
            contacts.map(|contact| pile.forces_at(contact, 0))
        })
    }

    fn leaning_bars(slope: f32, friction: f32) -> PileEquilibrium {
        let (sin, cos) = sin_cos(slope);
        let mut pile = PileEquilibrium::default();
        for _ in 0..2 {
            pile.add_body(BodyLoad::new(DOWN, 0.0), 1.0);
        }
        let mut touch = |contact, ends, normal, arms: [Vec2; 2]| {
            pile.add_contact(contact, ends, normal, arms, friction);
            pile.add_spring(0, arms, 0.0);
        };
        let [low, high] = [-1.0, 1.0].map(|side| Vec2::new(side * sin, -cos));
        touch(0, [None, Some(0)], -DOWN, [Vec2::zeros(), low]);
        touch(1, [Some(0), Some(1)], Vec2::x(), [-low, -high]);
        touch(2, [None, Some(1)], -DOWN, [Vec2::zeros(), high]);
        pile
    }

    #[test]
    fn leaning_bars_push_each_other_in_proportion_to_their_slope() {
        // Moments about the foot: the push at the height of twice the center holds the weight at its arm.
        let slope = 0.4;
        let push = 0.5 * tan(slope);
        let found = lean(slope, 0.7).expect("friction holds the feet");
        // On B, along the tangent, which points to the right at the feet.
        let expected = [[1.0, push], [push, 0.0], [1.0, -push]];
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - expected).abs() < 1.0e-5, "{found}, not {expected}");
        }
    }

    #[test]
    fn leaning_bars_slide_apart_where_friction_is_too_low() {
        let slope = 0.4;
        let needed = 0.5 * tan(slope);
        assert!(lean(slope, needed + 0.01).is_some());
        assert!(lean(slope, needed - 0.01).is_none());
    }

    #[test]
    fn pile_is_given_up_when_the_work_of_the_step_is_used() {
        let mut left = 1_000_000;
        assert!(leaning_bars(0.4, 0.7).solve(&mut left));
        let used = 1_000_000 - left;
        assert!(used > 0);
        for (mut given, is_found) in [(used, true), (used - 1, false), (0, false)] {
            assert_eq!(leaning_bars(0.4, 0.7).solve(&mut given), is_found);
        }
    }

    #[test]
    fn open_point_carries_only_if_needed() {
        // A plank on three posts, of which one is a millimeter low: the law of the lever for the others.
        let forces = |gaps: [f32; 3]| {
            let mut pile = PileEquilibrium::default();
            pile.add_body(BodyLoad::new(6.0 * DOWN, 0.0), 1.0);
            for (contact, (x, gap)) in (0..).zip([-1.0, 0.5, 1.0].into_iter().zip(gaps)) {
                let arms = [Vec2::zeros(), Vec2::new(x, 0.0)];
                pile.add_contact(contact, [None, Some(0)], -DOWN, arms, 0.5);
                pile.add_spring(0, arms, gap);
            }
            assert!(pile.solve(&mut { u64::MAX }));
            let contacts = [0, 1, 2].map(|i| &pile.contacts[i]);
            contacts.map(|contact| pile.forces_at(contact, 0)[0])
        };
        for (gaps, expected) in [
            ([0.0, 0.001, 0.0], [3.0, 0.0, 3.0]),
            ([0.0, 0.0, 0.001], [2.0, 4.0, 0.0]),
        ] {
            for (found, expected) in forces(gaps).iter().zip(expected) {
                assert!((found - expected).abs() < 1.0e-4, "{found}, not {expected}");
            }
        }
    }

    #[test]
    fn body_without_contacts_is_not_held() {
        let mut pile = PileEquilibrium::default();
        pile.add_body(BodyLoad::new(DOWN, 0.0), 1.0);
        assert!(!pile.solve(&mut { u64::MAX }));
    }
}
