//! The graph of bodies and joints of an island, and an elimination order with little fill-in.
//!
//! Joints are visited breadth first and eliminated in reverse order. In a tree the leaves come first, and the
//! rest is a tree again, so the factor has no entry that the matrix does not have. In a net the factor is as
//! wide as the front of the search.

use super::body::DirectBody;
use super::row::{DirectJoint, DirectRow, RowState};
use crate::linear::sparse::{SparseFactor, SparsePattern};

/// The joints at each body, by indices within the island.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointNet {
    starts: Vec<u32>,
    at_body: Vec<u32>,
    order: Vec<u32>,
    seen: Vec<bool>,
}

impl JointNet {
    /// Lists the joints at each body, given the two body indices of each joint. Bodies that are not free
    /// connect nothing.
    pub(crate) fn fill(&mut self, pairs: &[[u32; 2]], bodies: &[DirectBody]) {
        self.starts.clear();
        self.starts.resize(bodies.len() + 1, 0);
        for (_, body) in free_ends(pairs, bodies) {
            self.starts[body as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.at_body.clear();
        self.at_body.resize(sum as usize, 0);
        for (joint, body) in free_ends(pairs, bodies).rev() {
            let start = &mut self.starts[body as usize];
            *start -= 1;
            self.at_body[*start as usize] = joint;
        }
    }

    /// Returns the joints at the body, ascending.
    pub(crate) fn joints_at(&self, body: u32) -> &[u32] {
        let range = self.starts[body as usize] as usize..self.starts[body as usize + 1] as usize;
        &self.at_body[range]
    }

    /// Returns the joints in elimination order.
    pub(crate) fn order(&mut self, pairs: &[[u32; 2]], bodies: &[DirectBody]) -> &[u32] {
        let mut order = core::mem::take(&mut self.order);
        order.clear();
        self.seen.clear();
        self.seen.resize(pairs.len(), false);
        for seed in 0..pairs.len() {
            if self.seen[seed] {
                continue;
            }
            let mut next = order.len();
            self.seen[seed] = true;
            order.push(seed as u32);
            while next < order.len() {
                let ends = pairs[order[next] as usize];
                next += 1;
                for body in ends.into_iter().filter(|&b| bodies[b as usize].is_free()) {
                    let range = self.starts[body as usize] as usize
                        ..self.starts[body as usize + 1] as usize;
                    for &joint in &self.at_body[range] {
                        if !core::mem::replace(&mut self.seen[joint as usize], true) {
                            order.push(joint);
                        }
                    }
                }
            }
        }
        order.reverse();
        self.order = order;
        &self.order
    }
}

/// Iterates over joints and their free bodies, ascending.
fn free_ends<'a>(
    pairs: &'a [[u32; 2]],
    bodies: &'a [DirectBody],
) -> impl DoubleEndedIterator<Item = (u32, u32)> + 'a {
    let ends = |(joint, pair): (usize, &'a [u32; 2])| {
        pair.iter()
            .filter(|&&body| bodies[body as usize].is_free())
            .map(move |&body| (joint as u32, body))
    };
    pairs.iter().enumerate().flat_map(ends)
}

/// The matrix J M^-1 J^T of the rows and its factor. Rows at their bounds are decoupled from the others.
#[derive(Clone, Debug, Default)]
pub(crate) struct DirectMatrix {
    pattern: SparsePattern,
    factor: SparseFactor,
    diagonal: Vec<f64>,
    entries: Vec<f64>,
}

impl DirectMatrix {
    /// Finds the pattern of the matrix. `joints` are in elimination order, `net` was filled with them, and
    /// `first_rows` are the first row of each and the number of rows. Returns the number of entries of the
    /// factor.
    pub(crate) fn analyze(
        &mut self,
        joints: &[DirectJoint],
        net: &JointNet,
        first_rows: &[u32],
    ) -> usize {
        self.pattern.clear();
        for (place, joint) in joints.iter().enumerate() {
            for row in first_rows[place]..first_rows[place + 1] {
                let neighbors = net.joints_at(joint.a).iter().chain(net.joints_at(joint.b));
                let before = neighbors.filter(|&&other| (other as usize) < place);
                let of_others = before
                    .flat_map(|&other| first_rows[other as usize]..first_rows[other as usize + 1]);
                self.pattern
                    .push_row(of_others.chain(first_rows[place]..row));
            }
        }
        self.factor.analyze(&self.pattern)
    }

    /// Computes the matrix, with an addition to its diagonal relative to it, and its factor.
    pub(crate) fn compute(&mut self, rows: &[DirectRow], regularization: f64) {
        self.diagonal.clear();
        self.entries.clear();
        self.entries.resize(self.pattern.entries(), 0.0);
        for (i, row) in rows.iter().enumerate() {
            if row.state == RowState::AtBound {
                self.diagonal.push(1.0);
                continue;
            }
            let own = row.coupling(row);
            self.diagonal
                .push(own + row.compliance + regularization * own);
            for place in self.pattern.row(i) {
                let other = &rows[self.pattern.column(place)];
                if other.state == RowState::Active {
                    self.entries[place] = row.coupling(other);
                }
            }
        }
        self.factor
            .compute(&self.pattern, &self.diagonal, &self.entries);
    }

    /// Replaces velocity changes by the impulses that cause them.
    pub(crate) fn solve(&self, rates: &mut [f64]) {
        self.factor.solve(rates);
    }
}
