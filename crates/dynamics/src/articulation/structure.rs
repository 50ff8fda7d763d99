//! The part of the direct solver that depends on the shape of a linkage alone: its blocks of rows, which of them couple, and the
//! order in which they are eliminated. It is found once, and linkages of the same shape share it.

use super::body::DirectBody;
use super::row::{DirectRow, RowState};
use crate::linear::block_sparse::{Block, BlockFactor, Triple};
use crate::linear::small::dot_3;
use core::ops::Range;

/// Most operations of a factorization: somewhat more than those of a chain of 256 welds. They bound the time of a step.
pub(crate) const MAX_FACTOR_FLOPS: u64 = 90_000;

/// Most structures that are kept: more would hold memory for linkages that are gone.
const MAX_STRUCTURES: usize = 2;

/// Pivot that counts as zero, relative to the diagonal of its row: the rest is rounding, and the row depends
/// on others.
const MIN_PIVOT_SHARE: f64 = 1.0e-10;

/// A joint as far as its structure goes: indices of its two bodies, and its number of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JointShape {
    pub(crate) ends: [u32; 2],
    pub(crate) rows: u32,
}

/// Rows of a block: those of a pin or a slider. A weld has two blocks.
pub(crate) const BLOCK_ROWS: usize = 2;

/// A number for each row of a block.
pub(crate) type RowPair = [f64; BLOCK_ROWS];

/// Up to two rows of a joint, which are eliminated together.
#[derive(Clone, Debug)]
pub(crate) struct DirectBlock {
    pub(crate) joint: u32,
    ends: [u32; 2],
    pub(crate) rows: Range<usize>,
    /// Jacobians and responses of the rows at each of the two bodies; missing rows are zero.
    jacobian: [[Triple; BLOCK_ROWS]; 2],
    response: [[Triple; BLOCK_ROWS]; 2],
    /// 1 for active rows, 0 for rows that are missing or at their bound.
    active: RowPair,
}

impl DirectBlock {
    fn new(joint: usize, ends: [u32; 2], rows: Range<usize>) -> Self {
        Self {
            joint: joint as u32,
            ends,
            rows,
            jacobian: [[[0.0; 3]; BLOCK_ROWS]; 2],
            response: [[[0.0; 3]; BLOCK_ROWS]; 2],
            active: [0.0; BLOCK_ROWS],
        }
    }

    /// Reads Jacobians and responses of its rows.
    pub(crate) fn read(&mut self, rows: &[DirectRow]) {
        for (i, row) in rows[self.rows.clone()].iter().enumerate() {
            for side in 0..2 {
                self.jacobian[side][i] = row.jacobian[side];
                self.response[side][i] = row.response[side];
            }
        }
    }

    /// Reads which of its rows are active.
    fn read_states(&mut self, rows: &[DirectRow]) {
        for (active, row) in self.active.iter_mut().zip(&rows[self.rows.clone()]) {
            *active = f64::from(u8::from(row.state == RowState::Active));
        }
    }

    /// Returns the rates of its rows.
    pub(crate) fn velocity(&self, bodies: &[DirectBody]) -> RowPair {
        let [a, b] = self.ends.map(|body| bodies[body as usize].velocities());
        let [ja, jb] = &self.jacobian;
        core::array::from_fn(|i| dot_3(&ja[i], &a) + dot_3(&jb[i], &b))
    }

    /// Iterates over its bodies and the changes of their velocities by the impulses `x`.
    pub(crate) fn changes(&self, x: &RowPair) -> impl Iterator<Item = (usize, Triple)> {
        let ends = self.ends.into_iter().zip(&self.response);
        ends.map(|(body, response)| {
            let change = core::array::from_fn(|k| response[0][k] * x[0] + response[1][k] * x[1]);
            (body as usize, change)
        })
    }

    /// Applies the impulses `x`.
    pub(crate) fn push(&self, bodies: &mut [DirectBody], x: &RowPair) {
        for (body, change) in self.changes(x) {
            bodies[body].add_velocities(&change);
        }
    }
}

/// Returns the couplings of rows with these Jacobians to rows with these responses, at one body.
fn couplings(
    jacobian: &[Triple; BLOCK_ROWS],
    response: &[Triple; BLOCK_ROWS],
) -> Block<BLOCK_ROWS> {
    core::array::from_fn(|i| core::array::from_fn(|k| dot_3(&jacobian[i], &response[k])))
}

/// Two blocks that couple by a body, and the body's side in both.
#[derive(Clone, Copy, Debug)]
struct Coupling {
    blocks: [u32; 2],
    sides: [u8; 2],
    edge: u32,
}

/// The structure of a linkage, and the matrix J M^-1 J^T of its rows with its factor. Rows at their bounds are decoupled from the
/// others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structure {
    /// Which bodies impulses move, and the joints.
    free: Vec<bool>,
    shapes: Vec<JointShape>,
    /// The first row of each joint, and the number of rows.
    first_rows: Vec<u32>,
    /// The joints at each body, ascending; none if impulses do not move it.
    pub(crate) joints_at: Vec<Vec<u32>>,
    pub(crate) blocks: Vec<DirectBlock>,
    couplings: Vec<Coupling>,
    factor: BlockFactor<BLOCK_ROWS>,
}

impl Structure {
    fn find(shapes: &[JointShape], bodies: &[DirectBody]) -> Self {
        let mut found = Self {
            free: bodies.iter().map(DirectBody::is_free).collect(),
            shapes: shapes.to_vec(),
            first_rows: vec![0],
            joints_at: vec![Vec::new(); bodies.len()],
            ..Self::default()
        };
        let mut blocks_at = vec![Vec::new(); bodies.len()];
        let mut edges: Vec<[u32; 2]> = Vec::new();
        let mut first = 0;
        for (joint, shape) in shapes.iter().enumerate() {
            let end = first + shape.rows;
            found.first_rows.push(end);
            for start in (first..end).step_by(BLOCK_ROWS) {
                let block = found.blocks.len() as u32;
                let rows = start as usize..end.min(start + BLOCK_ROWS as u32) as usize;
                found.blocks.push(DirectBlock::new(joint, shape.ends, rows));
                for (side, &body) in shape.ends.iter().enumerate() {
                    if !found.free[body as usize] {
                        continue;
                    }
                    for &(other, other_side) in &blocks_at[body as usize] {
                        let pair = [block, other];
                        let known = edges.iter().rposition(|&edge| edge == pair);
                        found.couplings.push(Coupling {
                            blocks: pair,
                            sides: [side as u8, other_side],
                            edge: known.unwrap_or(edges.len()) as u32,
                        });
                        if known.is_none() {
                            edges.push(pair);
                        }
                    }
                }
                for (side, &body) in shape.ends.iter().enumerate() {
                    blocks_at[body as usize].push((block, side as u8));
                }
            }
            for body in shape.ends {
                if found.free[body as usize] {
                    found.joints_at[body as usize].push(joint as u32);
                }
            }
            first = end;
        }
        found.factor.analyze(found.blocks.len(), &edges);
        found
    }

    /// Returns `true` if it is the structure of these joints and bodies.
    fn is_of(&self, shapes: &[JointShape], bodies: &[DirectBody]) -> bool {
        let is_free = bodies.iter().map(DirectBody::is_free);
        self.shapes == shapes && self.free.iter().copied().eq(is_free)
    }

    /// Returns the indices of the rows of a joint.
    pub(crate) fn rows_of(&self, joint: usize) -> Range<usize> {
        self.first_rows[joint] as usize..self.first_rows[joint + 1] as usize
    }

    /// Returns the operations of a factorization.
    pub(crate) fn flops(&self) -> u64 {
        self.factor.flops()
    }

    /// Computes the matrix, with an addition to its diagonal relative to it, and its factor.
    pub(crate) fn compute(&mut self, rows: &[DirectRow], regularization: f64) {
        self.factor.clear();
        let mut all_active = true;
        for (i, block) in self.blocks.iter_mut().enumerate() {
            block.read_states(rows);
            all_active &= block.active == [1.0; BLOCK_ROWS];
            let [a, b] = [0, 1].map(|side| couplings(&block.jacobian[side], &block.response[side]));
            let diagonal = self.factor.diagonal_mut(i as u32);
            for j in 0..BLOCK_ROWS {
                for k in 0..j {
                    diagonal[j][k] = block.active[j] * block.active[k] * (a[j][k] + b[j][k]);
                }
                diagonal[j][j] = if block.active[j] > 0.0 {
                    let own = a[j][j] + b[j][j];
                    own + rows[block.rows.start + j].compliance + regularization * own
                } else {
                    1.0
                };
            }
        }
        for coupling in &self.couplings {
            let [one, other] = coupling.blocks.map(|block| &self.blocks[block as usize]);
            let [side, other_side] = coupling.sides.map(usize::from);
            let mut product = couplings(&one.jacobian[side], &other.response[other_side]);
            if !all_active {
                for (line, active) in product.iter_mut().zip(one.active) {
                    for (entry, other_active) in line.iter_mut().zip(other.active) {
                        *entry *= active * other_active;
                    }
                }
            }
            self.factor.add_block_to_edge(coupling.edge, &product);
        }
        self.factor.compute(MIN_PIVOT_SHARE);
    }

    /// Replaces velocity changes by the impulses that cause them. Rows that depend on others get 0.
    pub(crate) fn solve(&mut self, changes: &mut [RowPair]) {
        self.factor.solve(changes);
    }
}

/// The structures of recent linkages, the present one last. No part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structures {
    kept: Vec<Structure>,
}

impl Structures {
    /// Makes the structure of these joints and bodies the present one, in place of the one that was not used for longest.
    pub(crate) fn choose(&mut self, shapes: &[JointShape], bodies: &[DirectBody]) {
        if let Some(place) = self.kept.iter().rposition(|one| one.is_of(shapes, bodies)) {
            self.kept[place..].rotate_left(1);
            return;
        }
        if self.kept.len() == MAX_STRUCTURES {
            self.kept.remove(0);
        }
        self.kept.push(Structure::find(shapes, bodies));
    }

    pub(crate) fn present(&self) -> &Structure {
        self.kept.last().expect("a structure was chosen")
    }

    pub(crate) fn present_mut(&mut self) -> &mut Structure {
        self.kept.last_mut().expect("a structure was chosen")
    }
}
