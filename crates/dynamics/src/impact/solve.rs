//! The impact problem: all contact points of an impact, with friction, as a linear complementarity problem.
//!
//! Normal rows are solved first, without friction. Then friction rows are added whose bounds follow from the
//! normal impulses, and all rows are solved again for some rounds: a fixed-point iteration of Coulomb's law.

use super::rows::{ImpactRow, ImpactRows};
use crate::body::table::BodyTable;
use crate::contact::table::ContactTable;
use crate::linear::lcp::LcpProblem;
use cairn2d_geometry::math::{Vec2, left_perp};

/// Greatest number of rows, friction included: a problem of this size takes a fifth of a millisecond.
pub(crate) const MAX_IMPACT_ROWS: usize = 96;

/// Rounds in which the bounds of friction follow from the normal impulses of the round before.
const FRICTION_ROUNDS: u32 = 4;

/// Share of the diagonal that is added to it. A box on four points has more rows than degrees of freedom, so
/// that the matrix would be singular.
const IMPACT_REGULARIZATION: f64 = 1.0e-7;

/// Rows of an impact, their problem, and the impulses of this step.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImpactProblem {
    pub(crate) normals: ImpactRows,
    /// Friction of some of the normal rows; its rows follow these.
    friction: Vec<ImpactFriction>,
    lcp: LcpProblem,
    /// Impulses of the round before.
    last_impulses: Vec<f64>,
    /// Normal impulses of this step, of all impacts.
    impulses: Vec<ImpactImpulse>,
}

/// Friction at the point of a normal row.
#[derive(Clone, Copy, Debug)]
struct ImpactFriction {
    /// Index of the normal row.
    normal: usize,
    coefficient: f64,
}

/// The normal impulse of an impact on a contact point.
#[derive(Clone, Copy, Debug)]
struct ImpactImpulse {
    contact: u32,
    point: usize,
    /// [N s]
    impulse: f32,
    /// Normal velocity before the impact, negative = approach [m/s].
    speed: f32,
}

impl ImpactProblem {
    /// Drops the impulses of the last step.
    pub(crate) fn clear_impulses(&mut self) {
        self.impulses.clear();
    }

    /// Stops the approach in all listed rows, with friction, and changes the velocities of the bodies.
    /// Changes nothing if no solution is found.
    pub(crate) fn solve(&mut self, bodies: &mut BodyTable, contacts: &ContactTable) {
        let normal_count = self.normals.rows.len();
        self.lcp.bounds.clear();
        if !self.solve_rows() {
            return;
        }
        self.list_friction(bodies, contacts);
        for _ in 0..FRICTION_ROUNDS {
            self.last_impulses.clone_from(&self.lcp.impulses);
            self.lcp.bounds.truncate(normal_count);
            for friction in &self.friction {
                let limit = friction.coefficient * self.lcp.impulses[friction.normal];
                self.lcp.bounds.push([-limit, limit]);
            }
            if self.friction.is_empty() || !self.solve_rows() {
                core::mem::swap(&mut self.lcp.impulses, &mut self.last_impulses);
                break;
            }
        }
        self.apply_impulses(normal_count, bodies);
    }

    /// Finds the impulses of all rows. Returns `true` if a solution was found.
    fn solve_rows(&mut self) -> bool {
        let (rows, lcp) = (&self.normals.rows, &mut self.lcp);
        lcp.matrix.clear();
        lcp.bias.clear();
        for (i, row) in rows.iter().enumerate() {
            lcp.bias.push(row.speed + row.allowed_speed);
            let couplings = rows.iter().map(|other| row.coupling(other));
            lcp.matrix.extend(couplings);
            lcp.matrix[i * rows.len() + i] *= 1.0 + IMPACT_REGULARIZATION;
        }
        lcp.solve()
    }

    /// Adds friction rows at the contact points with an impulse, unless there would be too many rows.
    fn list_friction(&mut self, bodies: &BodyTable, contacts: &ContactTable) {
        let rows = &mut self.normals.rows;
        self.friction.clear();
        if 2 * rows.len() > MAX_IMPACT_ROWS {
            return;
        }
        for i in 0..rows.len() {
            let ImpactRow { contact, point, .. } = rows[i];
            let Some(point) = point.filter(|_| self.lcp.impulses[i] > 0.0) else {
                continue;
            };
            let constraint = &contacts.constraints[contact as usize];
            let tangent = left_perp(&constraint.world_normal(&bodies.poses));
            let arms = constraint.placed_point(point, &bodies.poses).arms;
            self.friction.push(ImpactFriction {
                normal: i,
                coefficient: constraint.friction.into(),
            });
            rows.push(ImpactRow::new(
                bodies,
                constraint.bodies(),
                tangent,
                arms,
                0.0,
            ));
        }
    }

    /// Changes the velocities of the bodies, and notes the impulses of contact points.
    fn apply_impulses(&mut self, normal_count: usize, bodies: &mut BodyTable) {
        let rows = self.normals.rows.iter().zip(&self.lcp.impulses);
        for (i, (row, &impulse)) in rows.enumerate() {
            if impulse == 0.0 {
                continue;
            }
            for end in &row.ends {
                let state = &mut bodies.states[end.body as usize];
                let [x, y] = end.velocity_change.map(|change| (change * impulse) as f32);
                state.velocity += Vec2::new(x, y);
                state.angular_velocity += (end.spin_change * impulse) as f32;
            }
            if let (Some(point), true) = (row.point, i < normal_count) {
                self.impulses.push(ImpactImpulse {
                    contact: row.contact,
                    point,
                    impulse: impulse as f32,
                    speed: row.speed as f32,
                });
            }
        }
    }

    /// Adds the impulses of this step to the totals of the substeps, and their contacts to `hits`.
    pub(crate) fn store_impulses(&self, contacts: &mut ContactTable, hits: &mut Vec<u32>) {
        for of_impact in &self.impulses {
            contacts.add_impact(
                of_impact.contact,
                of_impact.point,
                of_impact.impulse,
                of_impact.speed,
            );
            hits.push(of_impact.contact);
        }
    }
}
