//! Sparse LDL^T of a symmetric matrix of blocks without negative eigenvalues, in `f64`.
//!
//! Nodes are bodies and edges pairs of bodies that a constraint couples, or nodes are pairs of rows and edges rows of a
//! common body.

use super::block_pattern::{BlockPattern, DIAGONAL};

/// A block of the matrix.
pub(crate) type Block<const N: usize> = [[f64; N]; N];

/// A vector of a node.
pub(crate) type Triple = [f64; 3];

/// The pattern of a matrix, and the factors of one matrix of that pattern.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockFactor<const N: usize = 3> {
    pattern: BlockPattern,
    /// By place: the diagonal, and its factors by [`compute`](Self::compute).
    diagonal: Vec<Block<N>>,
    /// Pivots that count as zero.
    least: Vec<[f64; N]>,
    pivots: Vec<Pivot<N>>,
    below: Vec<Block<N>>,
    lower: Vec<Block<N>>,
    /// Scratch: a right-hand side by place.
    values: Vec<[f64; N]>,
}

impl<const N: usize> BlockFactor<N> {
    /// Analyzes the pattern of `edges` between different nodes, unless it is the present one.
    pub(crate) fn analyze(&mut self, nodes: usize, edges: &[[u32; 2]]) {
        if self.pattern.analyze(nodes, edges) {
            self.diagonal.resize(nodes, zero());
            self.pivots.resize(nodes, Pivot::ZERO);
            self.below.resize(self.pattern.rows.len(), zero());
            self.lower.resize(self.pattern.rows.len(), zero());
        }
    }

    /// Floating-point operations of one factorization: multiplications of blocks, with their additions.
    pub(crate) fn flops(&self) -> u64 {
        2 * (N * N * N) as u64 * self.pattern.products
    }

    /// Sets the matrix to zero.
    pub(crate) fn clear(&mut self) {
        self.diagonal.fill(zero());
        self.below.fill(zero());
    }

    /// Returns the diagonal block of a node, of which only the lower triangle is read.
    pub(crate) fn diagonal_mut(&mut self, node: u32) -> &mut Block<N> {
        &mut self.diagonal[self.pattern.places[node as usize] as usize]
    }

    /// Adds a block whose rows belong to the first node of an edge.
    pub(crate) fn add_block_to_edge(&mut self, edge: u32, block: &Block<N>) {
        let (entry, is_first_row) = self.pattern.entries[edge as usize];
        for (i, line) in self.below[entry as usize].iter_mut().enumerate() {
            for (k, value) in line.iter_mut().enumerate() {
                let (row, column) = if is_first_row { (i, k) } else { (k, i) };
                *value += block[row][column];
            }
        }
    }

    /// Factors the matrix. Returns `true` if it is positive definite. If it is not, a row whose pivot is at most the
    /// given share of its diagonal counts as one that depends on others: its unknown is 0.
    pub(crate) fn compute(&mut self, least_share: f64) -> bool {
        let mut update = 0;
        let mut is_positive = true;
        self.least.clear();
        let least = |block: &Block<N>| core::array::from_fn(|i| least_share * block[i][i]);
        self.least.extend(self.diagonal.iter().map(least));
        for column in 0..self.pattern.nodes {
            let pivot = Pivot::new(&self.diagonal[column], &self.least[column]);
            is_positive &= pivot.is_positive();
            self.pivots[column] = pivot;
            let (start, end) = self.pattern.column(column);
            for first in start..end {
                let mut lower = self.below[first];
                for line in &mut lower {
                    pivot.solve(line);
                }
                self.lower[first] = lower;
                for second in start..=first {
                    let right = self.below[second];
                    let target = match self.pattern.updates[update] {
                        DIAGONAL => &mut self.diagonal[self.pattern.rows[first] as usize],
                        entry => &mut self.below[entry as usize],
                    };
                    subtract_product_transposed(target, &lower, &right);
                    update += 1;
                }
            }
        }
        is_positive
    }

    /// Replaces the right-hand side, by node, by the solution.
    pub(crate) fn solve(&mut self, x: &mut [[f64; N]]) {
        let mut values = core::mem::take(&mut self.values);
        values.clear();
        values.resize(self.pattern.nodes, [0.0; N]);
        for (value, &place) in x.iter().zip(&self.pattern.places) {
            values[place as usize] = *value;
        }
        for column in 0..self.pattern.nodes {
            let value = values[column];
            let (start, end) = self.pattern.column(column);
            for entry in start..end {
                let target = &mut values[self.pattern.rows[entry] as usize];
                for (target, line) in target.iter_mut().zip(&self.lower[entry]) {
                    *target -= dot(line, &value);
                }
            }
        }
        for column in (0..self.pattern.nodes).rev() {
            let mut value = values[column];
            self.pivots[column].solve(&mut value);
            let (start, end) = self.pattern.column(column);
            for entry in start..end {
                let lower = &self.lower[entry];
                let other = &values[self.pattern.rows[entry] as usize];
                for (i, value) in value.iter_mut().enumerate() {
                    *value -= sum::<N>(|k| lower[k][i] * other[k]);
                }
            }
            values[column] = value;
        }
        for (value, &place) in x.iter_mut().zip(&self.pattern.places) {
            *value = values[place as usize];
        }
        self.values = values;
    }
}

const fn zero<const N: usize>() -> Block<N> {
    [[0.0; N]; N]
}

/// Returns the sum of N terms in their order.
#[inline(always)]
fn sum<const N: usize>(term: impl Fn(usize) -> f64) -> f64 {
    let mut sum = term(0);
    for k in 1..N {
        sum += term(k);
    }
    sum
}

#[inline(always)]
fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    sum::<N>(|k| a[k] * b[k])
}

#[inline(always)]
fn subtract_product_transposed<const N: usize>(target: &mut Block<N>, a: &Block<N>, b: &Block<N>) {
    for (line, a) in target.iter_mut().zip(a) {
        for (entry, b) in line.iter_mut().zip(b) {
            *entry -= dot(a, b);
        }
    }
}

/// LDL^T of a symmetric block, of which only the lower triangle is read. An inverse would lose the digits of its condition:
/// a stiff joint leaves one soft direction, and each iteration would have to be followed by one that removes the rounding.
#[derive(Clone, Copy, Debug)]
struct Pivot<const N: usize> {
    /// L below its diagonal.
    lower: Block<N>,
    /// 1 / D.
    inverse: [f64; N],
}

impl<const N: usize> Pivot<N> {
    const ZERO: Self = Self {
        lower: zero(),
        inverse: [0.0; N],
    };

    /// Pivots of at most `least` count as zero.
    #[inline(always)]
    fn new(block: &Block<N>, least: &[f64; N]) -> Self {
        let mut rest = *block;
        let mut found = Self::ZERO;
        for j in 0..N {
            let pivot = rest[j][j];
            found.inverse[j] = if pivot > least[j] { 1.0 / pivot } else { 0.0 };
            for i in j + 1..N {
                let share = rest[i][j] * found.inverse[j];
                found.lower[i][j] = share;
                let column: [f64; N] = core::array::from_fn(|k| rest[k][j]);
                for (entry, other) in rest[i][j + 1..=i].iter_mut().zip(&column[j + 1..]) {
                    *entry -= share * other;
                }
            }
        }
        found
    }

    /// Returns whether the block is positive definite.
    fn is_positive(&self) -> bool {
        // If the sum of positive numbers is finite, all of them are.
        self.inverse.iter().all(|&inverse| inverse > 0.0)
            && sum::<N>(|k| self.inverse[k]) < f64::INFINITY
    }

    /// Replaces a right-hand side by the solution.
    #[inline(always)]
    fn solve(&self, x: &mut [f64; N]) {
        for i in 1..N {
            for k in 0..i {
                x[i] -= self.lower[i][k] * x[k];
            }
        }
        for i in (0..N).rev() {
            x[i] *= self.inverse[i];
            for k in i + 1..N {
                x[i] -= self.lower[k][i] * x[k];
            }
        }
    }
}

impl BlockFactor<3> {
    /// Adds `factor` times the outer product of the vectors of both nodes of an edge.
    pub(crate) fn add_to_edge(&mut self, edge: u32, factor: f64, [a, b]: [&Triple; 2]) {
        let (entry, is_first_row) = self.pattern.entries[edge as usize];
        let (left, right) = if is_first_row { (a, b) } else { (b, a) };
        super::small::add_outer_product(&mut self.below[entry as usize], factor, left, right);
    }

    /// Adds the same of vectors whose only parts are angles: `product` is `factor` times both.
    pub(crate) fn add_angles_to_edge(&mut self, edge: u32, product: f64) {
        self.below[self.pattern.entries[edge as usize].0 as usize][2][2] += product;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the product of a matrix, given as M plus weighted rows, and a vector.
    fn product_of(masses: &[f64], rows: &[Row], x: &[Triple]) -> Vec<Triple> {
        let mut result: Vec<Triple> = x
            .iter()
            .zip(masses)
            .map(|(x, m)| x.map(|x| m * x))
            .collect();
        for row in rows {
            let dot = |j: &Triple, x: &Triple| j[0] * x[0] + j[1] * x[1] + j[2] * x[2];
            let [a, b] = row.ends.map(|end| end as usize);
            let rate = row.weight * (dot(&row.first, &x[a]) + dot(&row.second, &x[b]));
            for (end, part) in [(a, &row.first), (b, &row.second)] {
                for (result, part) in result[end].iter_mut().zip(part) {
                    *result += rate * part;
                }
            }
        }
        result
    }

    #[derive(Clone, Debug)]
    struct Row {
        ends: [u32; 2],
        first: Triple,
        second: Triple,
        weight: f64,
    }

    fn row() -> impl Strategy<Value = Row> {
        let part = || prop::array::uniform3(-1.0..1.0_f64);
        (0..12_u32, 1..12_u32, part(), part(), -2.0..6.0_f64).prop_map(
            |(a, offset, first, second, exponent)| Row {
                ends: [a, (a + offset) % 12],
                first,
                second,
                weight: 10.0_f64.powf(exponent),
            },
        )
    }

    proptest! {
        #[test]
        fn planted_solution_is_found(
            rows in prop::collection::vec(row(), 0..30),
            masses in prop::collection::vec(0.1..10.0_f64, 12),
            planted in prop::collection::vec(prop::array::uniform3(-1.0..1.0_f64), 12),
        ) {
            let edges: Vec<_> = rows.iter().map(|row| row.ends).collect();
            let mut factor = BlockFactor::<3>::default();
            factor.analyze(12, &edges);
            factor.clear();
            for (node, &m) in masses.iter().enumerate() {
                let block = factor.diagonal_mut(node as u32);
                for (i, line) in block.iter_mut().enumerate() {
                    line[i] += m;
                }
            }
            for (edge, row) in rows.iter().enumerate() {
                let [a, b] = row.ends;
                let add = crate::linear::small::add_square;
                add(factor.diagonal_mut(a), row.weight, &row.first);
                add(factor.diagonal_mut(b), row.weight, &row.second);
                factor.add_to_edge(edge as u32, row.weight, [&row.first, &row.second]);
            }
            prop_assert!(factor.compute(0.0));
            let right = product_of(&masses, &rows, &planted);
            let mut x = right.clone();
            factor.solve(&mut x);
            // The residual is rounding relative to the matrix, times the condition of the pivots that are
            // inverted: up to 1e7 here.
            let size: f64 = 10.0 + rows.iter().map(|row| 9.0 * row.weight).sum::<f64>();
            let found = product_of(&masses, &rows, &x);
            for (found, right) in found.iter().flatten().zip(right.iter().flatten()) {
                prop_assert!((found - right).abs() < 1.0e7 * f64::EPSILON * size, "{found} {right}");
            }
        }
    }

    #[test]
    fn chain_has_no_fill_in() {
        let edges: Vec<_> = (1..40).map(|i| [i - 1, i]).collect();
        let mut factor = BlockFactor::<3>::default();
        factor.analyze(40, &edges);
        assert_eq!(factor.pattern.rows.len(), edges.len());
    }
}
