//! The equations of one island in a substep: bodies, rows, and the matrix that couples them.

use super::cone::LineCone;
use super::contact::NewtonContact;
use super::joint::NewtonJoint;
use super::row::{LineRow, NO_EDGE, NewtonRow};
use crate::articulation::body::DirectBody;
use crate::articulation::row::DirectRow;
use crate::linear::block_sparse::{BlockFactor, Triple};
use cairn2d_geometry::sort_compact;

/// Island and rows of the factor of the Hessian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum FactorState {
    /// Another island.
    #[default]
    None,
    /// Jacobians and stiffness of an earlier substep: good for a direction along which the merit falls, which is
    /// nearly Newton's while the island is calm.
    Lagged,
    /// Those of this substep.
    Current,
}

/// Bodies, rows and scratch memory. Results do not depend on its contents.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewtonSystem {
    pub(crate) bodies: Vec<DirectBody>,
    pub(crate) joints: Vec<NewtonJoint>,
    /// Errors and Jacobians of the rows of joints, which come first in `rows`.
    pub(crate) joint_rows: Vec<DirectRow>,
    pub(crate) contacts: Vec<NewtonContact>,
    pub(crate) rows: Vec<NewtonRow>,
    /// Rows and contacts with a kink on the search direction.
    pub(crate) kinks: Vec<LineRow>,
    pub(crate) cone_kinks: Vec<LineCone>,
    /// Pairs of nodes that rows couple, without repetition.
    pub(crate) edges: Vec<[u32; 2]>,
    pub(crate) factor: BlockFactor,
    pub(crate) factor_state: FactorState,
    /// The active rows and cases of contacts are those that were factored.
    pub(crate) has_factored_rows: bool,
    /// Change of velocity by gravity in a substep \[m/s\]: the unit of all tolerances.
    pub(crate) scale: f64,
    /// Regularization of joints relative to their inverse mass.
    pub(crate) joint_share: f64,
    /// By body: node of the matrix, unless the body is fixed or kinematic.
    pub(crate) nodes: Vec<Option<u32>>,
    /// By body: mass, mass and inertia; 0 for coordinates that impulses do not move.
    pub(crate) masses: Vec<Triple>,
    /// Speed of the edge of a body by a unit impulse along each coordinate [1/kg].
    pub(crate) weights: Vec<Triple>,
    /// Radius of gyration, by which rates of turn are compared with speeds \[m\].
    pub(crate) extents: Vec<f64>,
    /// Geometric stiffness in use, and that of the impulses that were found [kg m^2].
    pub(crate) geometric: Vec<f64>,
    pub(crate) found_geometric: Vec<f64>,
    /// Present velocities, and the velocities after the forces alone.
    pub(crate) velocities: Vec<Triple>,
    pub(crate) free_velocities: Vec<Triple>,
    pub(crate) gradient: Vec<Triple>,
    pub(crate) changes: Vec<Triple>,
    pub(crate) right: Vec<Triple>,
}

impl NewtonSystem {
    /// Prepares the bodies and the pattern of the matrix, when all bodies and rows are listed.
    pub(crate) fn analyze(&mut self) {
        self.list_nodes();
        self.list_edges();
        let nodes = self.nodes.iter().flatten().count();
        self.factor.analyze(nodes, &self.edges);
        self.factor_state = FactorState::None;
    }

    fn list_nodes(&mut self) {
        self.nodes.clear();
        self.masses.clear();
        self.extents.clear();
        self.weights.clear();
        let mut count = 0;
        for body in &self.bodies {
            let inverse = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
            let (mass, inertia) = (inverse(body.inv_mass), inverse(body.inv_inertia));
            self.nodes.push(body.is_free().then_some(count));
            count += u32::from(body.is_free());
            self.masses.push([mass, mass, inertia]);
            let extent = (inertia * body.inv_mass).sqrt();
            self.extents.push(extent);
            self.weights
                .push([body.inv_mass, body.inv_mass, body.inv_inertia * extent]);
        }
        let bodies = self.bodies.len();
        for list in [
            &mut self.velocities,
            &mut self.free_velocities,
            &mut self.changes,
        ] {
            list.clear();
            list.resize(bodies, [0.0; 3]);
        }
        self.geometric.clear();
        self.geometric.resize(bodies, 0.0);
    }

    /// Lists the pairs of nodes that rows couple, ascending, and the edge of each row.
    fn list_edges(&mut self) {
        let pair = |row: &NewtonRow| {
            let [a, b] = row.ends.map(|end| self.nodes[end as usize]);
            let (a, b) = (a?, b?);
            (a != b).then(|| [a.min(b), a.max(b)])
        };
        self.edges.clear();
        self.edges.extend(self.rows.iter().filter_map(pair));
        // The rows of a joint or contact follow each other.
        self.edges.dedup();
        sort_compact(&mut self.edges, Ord::cmp);
        self.edges.dedup();
        let mut last = (None, NO_EDGE);
        for i in 0..self.rows.len() {
            let pair = pair(&self.rows[i]);
            if pair != last.0 {
                let edge = pair.and_then(|pair| self.edges.binary_search(&pair).ok());
                last = (pair, edge.map_or(NO_EDGE, |edge| edge as u32));
            }
            self.rows[i].edge = last.1;
        }
    }

    /// Removes coordinates that impulses do not move from the Jacobian of a row, and computes its inverse mass.
    pub(crate) fn complete_row(&mut self, row: usize) {
        let row = &mut self.rows[row];
        row.inv_mass = 0.0;
        for (end, jacobian) in row.ends.into_iter().zip(&mut row.jacobian) {
            let body = &self.bodies[end as usize];
            let inverse = [body.inv_mass, body.inv_mass, body.inv_inertia];
            for (part, inverse) in jacobian.iter_mut().zip(inverse) {
                if inverse == 0.0 && body.is_free() {
                    *part = 0.0;
                }
                row.inv_mass += inverse * *part * *part;
            }
        }
        let [a, b] = row.jacobian;
        row.is_angular = a[0] == 0.0 && a[1] == 0.0 && b[0] == 0.0 && b[1] == 0.0;
        if row.is_angular {
            let extents = row.ends.map(|end| self.extents[end as usize]);
            row.length = extents[0].max(extents[1]);
        }
    }

    /// Returns the kinetic energy at the given velocities.
    pub(crate) fn kinetic_energy(&self, velocities: &[Triple]) -> f64 {
        let of = |(mass, v): (&Triple, &Triple)| {
            let parts = mass.iter().zip(v).map(|(m, v)| m * v * v);
            0.5 * parts.sum::<f64>()
        };
        self.masses.iter().zip(velocities).map(of).sum()
    }
}
