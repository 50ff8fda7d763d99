//! Sparse LDL^T of a symmetric matrix without negative eigenvalue, in `f64` ([Davis05]).
//!
//! The pattern alone decides which entries of L are not zero: it is analyzed once a step, and the numbers are
//! computed in every substep. Row k of L has an entry in column i where the matrix has one, and in the
//! ancestors of i in the elimination tree: the parent of a column is the first row below it that has an entry
//! there. An order that eliminates the leaves of a tree first causes no fill-in.

use core::ops::Range;

/// The columns of the entries below the diagonal of a matrix, row by row, ascending.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparsePattern {
    starts: Vec<u32>,
    columns: Vec<u32>,
}

impl SparsePattern {
    /// Removes all rows.
    pub(crate) fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.columns.clear();
    }

    /// Adds a row with entries in `columns`, all left of the diagonal; sorts them and drops duplicates.
    pub(crate) fn push_row(&mut self, columns: impl Iterator<Item = u32>) {
        let start = self.columns.len();
        self.columns.extend(columns);
        self.columns[start..].sort_unstable();
        let mut kept = start;
        for place in start..self.columns.len() {
            if place == start || self.columns[place] != self.columns[kept - 1] {
                self.columns[kept] = self.columns[place];
                kept += 1;
            }
        }
        self.columns.truncate(kept);
        self.starts.push(kept as u32);
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of entries.
    pub(crate) fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Indices of the entries of `row`.
    pub(crate) fn row(&self, row: usize) -> Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// Column of the entry at index `place`.
    pub(crate) fn column(&self, place: usize) -> usize {
        self.columns[place] as usize
    }
}

/// Pivot that counts as zero, relative to the diagonal of its row: the rest is rounding, and the row depends
/// on others.
const MIN_PIVOT_SHARE: f64 = 1.0e-10;

const NO_PARENT: u32 = u32::MAX;

/// The factors L and D.
#[derive(Clone, Debug, Default)]
pub(crate) struct SparseFactor {
    /// Columns in which each row of L has entries, ascending.
    rows: SparsePattern,
    /// Start of each column of L, and the number of its entries that are computed.
    starts: Vec<u32>,
    filled: Vec<u32>,
    /// Entries of L, column by column, rows ascending.
    below: Vec<u32>,
    values: Vec<f64>,
    /// 1 / D; 0 for a row that depends on earlier rows.
    inv_pivots: Vec<f64>,
    /// Scratch: the current row, the elimination tree, and marks.
    row: Vec<f64>,
    parents: Vec<u32>,
    seen: Vec<u32>,
    reached: Vec<u32>,
}

impl SparseFactor {
    /// Finds the pattern of L. Returns the number of its entries.
    pub(crate) fn analyze(&mut self, pattern: &SparsePattern) -> usize {
        let n = pattern.rows();
        self.parents.clear();
        self.parents.resize(n, NO_PARENT);
        self.seen.clear();
        self.seen.resize(n, NO_PARENT);
        self.filled.clear();
        self.filled.resize(n, 0);
        self.rows.clear();
        for row in 0..n {
            self.seen[row] = row as u32;
            self.reached.clear();
            for place in pattern.row(row) {
                let mut column = pattern.column(place);
                while self.seen[column] != row as u32 {
                    self.seen[column] = row as u32;
                    self.reached.push(column as u32);
                    self.filled[column] += 1;
                    if self.parents[column] == NO_PARENT {
                        self.parents[column] = row as u32;
                    }
                    column = self.parents[column] as usize;
                }
            }
            self.rows.push_row(self.reached.drain(..));
        }
        self.make_room(n)
    }

    fn make_room(&mut self, n: usize) -> usize {
        self.starts.clear();
        let mut start = 0;
        for &count in &self.filled {
            self.starts.push(start);
            start += count;
        }
        self.below.resize(start as usize, 0);
        self.values.resize(start as usize, 0.0);
        self.inv_pivots.resize(n, 0.0);
        self.row.clear();
        self.row.resize(n, 0.0);
        start as usize
    }

    /// Computes L and D from the diagonal and the entries of a matrix with the analyzed pattern.
    pub(crate) fn compute(&mut self, pattern: &SparsePattern, diagonal: &[f64], entries: &[f64]) {
        self.filled.fill(0);
        for (row, &own) in diagonal.iter().enumerate() {
            for place in pattern.row(row) {
                self.row[pattern.column(place)] = entries[place];
            }
            let mut pivot = own;
            for place in self.rows.row(row) {
                let column = self.rows.column(place);
                let value = core::mem::take(&mut self.row[column]);
                let (start, end) = self.column_so_far(column);
                for at in start..end {
                    self.row[self.below[at] as usize] -= self.values[at] * value;
                }
                let entry = value * self.inv_pivots[column];
                pivot -= entry * value;
                self.below[end] = row as u32;
                self.values[end] = entry;
                self.filled[column] += 1;
            }
            let enough = pivot > MIN_PIVOT_SHARE * own;
            self.inv_pivots[row] = if enough { 1.0 / pivot } else { 0.0 };
        }
    }

    fn column_so_far(&self, column: usize) -> (usize, usize) {
        let start = self.starts[column] as usize;
        (start, start + self.filled[column] as usize)
    }

    /// Replaces the right-hand side `x` by the solution. Rows that depend on others get 0.
    pub(crate) fn solve(&self, x: &mut [f64]) {
        for column in 0..x.len() {
            let value = x[column];
            let (start, end) = self.column_so_far(column);
            for at in start..end {
                x[self.below[at] as usize] -= self.values[at] * value;
            }
        }
        for (value, inverse) in x.iter_mut().zip(&self.inv_pivots) {
            *value *= inverse;
        }
        for column in (0..x.len()).rev() {
            let (start, end) = self.column_so_far(column);
            let mut value = x[column];
            for at in start..end {
                value -= self.values[at] * x[self.below[at] as usize];
            }
            x[column] = if self.inv_pivots[column] > 0.0 {
                value
            } else {
                0.0
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Factors a matrix given by its full rows; returns the number of entries of L, too.
    fn factor_of(matrix: &[Vec<f64>]) -> (SparseFactor, usize) {
        let (mut pattern, mut entries) = (SparsePattern::default(), Vec::new());
        pattern.clear();
        for (i, row) in matrix.iter().enumerate() {
            let used = |&j: &u32| row[j as usize] != 0.0;
            pattern.push_row((0..i as u32).filter(used));
            for place in pattern.row(i) {
                entries.push(row[pattern.column(place)]);
            }
        }
        let diagonal: Vec<_> = (0..matrix.len()).map(|i| matrix[i][i]).collect();
        let mut factor = SparseFactor::default();
        let count = factor.analyze(&pattern);
        factor.compute(&pattern, &diagonal, &entries);
        (factor, count)
    }

    fn product(matrix: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
        let row = |row: &Vec<f64>| row.iter().zip(x).map(|(a, b)| a * b).sum();
        matrix.iter().map(row).collect()
    }

    #[test]
    fn chain_eliminated_from_its_end_has_no_fill_in() {
        let n = 30;
        let entry = |i: usize, j: usize| match i.abs_diff(j) {
            0 => 2.0,
            1 => -1.0,
            _ => 0.0,
        };
        let matrix: Vec<Vec<f64>> = (0..n)
            .map(|i| (0..n).map(|j| entry(i, j)).collect())
            .collect();
        assert_eq!(factor_of(&matrix).1, n - 1);
    }

    #[test]
    fn dependent_row_gets_zero() {
        let matrix = vec![
            vec![2.0, 1.0, 2.0],
            vec![1.0, 3.0, 1.0],
            vec![2.0, 1.0, 2.0],
        ];
        let (factor, _) = factor_of(&matrix);
        let mut x = product(&matrix, &[1.0, -1.0, 0.5]);
        let expected = x.clone();
        factor.solve(&mut x);
        assert_eq!(x[2], 0.0);
        for (found, expected) in product(&matrix, &x).iter().zip(expected) {
            assert!((found - expected).abs() < 1.0e-14);
        }
    }

    proptest! {
        /// J M^-1 J^T of random sparse J with dependent rows, like that of a net of joints.
        #[test]
        fn consistent_equations_are_solved(
            rows in prop::collection::vec(prop::collection::vec((0..12_usize, -1.0..1.0_f64), 1..5), 1..24),
            planted in prop::collection::vec(-1.0..1.0_f64, 24),
        ) {
            let dense: Vec<[f64; 12]> = rows.iter().map(|row| {
                let mut dense = [0.0; 12];
                for &(at, value) in row {
                    dense[at] += value + 0.1_f64.copysign(value);
                }
                dense
            }).collect();
            let dot = |a: &[f64; 12], b: &[f64; 12]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let matrix: Vec<Vec<f64>> = dense.iter().map(|a| dense.iter().map(|b| dot(a, b)).collect()).collect();
            let (factor, _) = factor_of(&matrix);
            let mut x = product(&matrix, &planted[..matrix.len()]);
            let expected = x.clone();
            factor.solve(&mut x);
            for (found, expected) in product(&matrix, &x).iter().zip(expected) {
                prop_assert!((found - expected).abs() < 1.0e-4, "{found} {expected}");
            }
        }
    }
}
