//! Skyline Cholesky: symmetric positive definite equations in blocks of three, factored within their
//! envelope.
//!
//! Each row keeps its entries from the first one that is not 0 to the diagonal; elimination fills no others
//! \[George81\], chapter 4.

/// Unknowns of a body: two of translation and one of rotation.
pub(crate) const BODY_UNKNOWNS: usize = 3;

/// The part of a constraint row that acts on one body.
pub(crate) type BlockRow = [f64; BODY_UNKNOWNS];

/// The lower half of a symmetric positive definite matrix, replaced by its Cholesky factor in the same
/// memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct SkylineMatrix {
    /// First column of each row, and the end of the row in `entries`.
    firsts: Vec<usize>,
    ends: Vec<usize>,
    entries: Vec<f64>,
}

impl SkylineMatrix {
    /// Sets the shape for `count` bodies, of which `pairs` are coupled.
    pub(crate) fn shape(&mut self, count: usize, pairs: impl Iterator<Item = [u32; 2]>) {
        self.firsts.clear();
        self.firsts
            .extend((0..BODY_UNKNOWNS * count).map(|row| row / BODY_UNKNOWNS * BODY_UNKNOWNS));
        for [a, b] in pairs {
            let [low, high] = [a.min(b), a.max(b)].map(|body| BODY_UNKNOWNS * body as usize);
            for first in &mut self.firsts[high..high + BODY_UNKNOWNS] {
                *first = low.min(*first);
            }
        }
        self.ends.clear();
        let mut end = 0;
        for (row, first) in self.firsts.iter().enumerate() {
            end += row + 1 - first;
            self.ends.push(end);
        }
    }

    /// Returns an upper bound of the multiplications of a factorization.
    pub(crate) fn work(&self) -> usize {
        let widths = self
            .firsts
            .iter()
            .enumerate()
            .map(|(row, first)| row + 1 - first);
        widths.map(|width| width * width).sum()
    }

    /// Sets the matrix to `diagonal` times the unit matrix.
    pub(crate) fn clear(&mut self, diagonal: f64) {
        self.entries.clear();
        self.entries
            .resize(self.ends.last().copied().unwrap_or(0), 0.0);
        for &end in &self.ends {
            self.entries[end - 1] = diagonal;
        }
    }

    /// Adds the outer product of `[-rows[0], rows[1]]` with itself in the blocks of two bodies; `None` is
    /// immovable.
    pub(crate) fn add_products(&mut self, bodies: &[Option<u32>; 2], rows: &[BlockRow; 2]) {
        for (i, a) in bodies.iter().enumerate() {
            for (j, b) in bodies.iter().enumerate() {
                if let (Some(a), Some(b)) = (*a, *b)
                    && a >= b
                {
                    let sign = if i == j { 1.0 } else { -1.0 };
                    self.add_block(a as usize, b as usize, sign, &rows[i], &rows[j]);
                }
            }
        }
    }

    /// Adds to the diagonal entry of the rotation of a body.
    pub(crate) fn add_rotational(&mut self, body: u32, stiffness: f64) {
        let end = self.ends[BODY_UNKNOWNS * body as usize + BODY_UNKNOWNS - 1];
        self.entries[end - 1] += stiffness;
    }

    fn add_block(&mut self, a: usize, b: usize, sign: f64, left: &BlockRow, right: &BlockRow) {
        for (i, l) in left.iter().enumerate() {
            for (j, r) in right.iter().enumerate() {
                let [row, column] = [BODY_UNKNOWNS * a + i, BODY_UNKNOWNS * b + j];
                if column <= row {
                    self.entries[self.ends[row] - 1 - (row - column)] += sign * l * r;
                }
            }
        }
    }

    /// Replaces the matrix by its factor. Returns `true` if it is positive definite.
    pub(crate) fn factor(&mut self) -> bool {
        for row in 0..self.firsts.len() {
            let first = self.firsts[row];
            let (before, rest) = self
                .entries
                .split_at_mut(self.ends[row] - (row + 1 - first));
            let line = &mut rest[..row + 1 - first];
            for column in first..row {
                let start = self.firsts[column].max(first);
                let end = self.ends[column];
                let other = &before[end - 1 - (column - start)..end - 1];
                let sum = product(&line[start - first..column - first], other);
                line[column - first] = (line[column - first] - sum) / before[end - 1];
            }
            let (diagonal, line) = line.split_last_mut().expect("a row has a diagonal");
            let pivot = *diagonal - product(line, line);
            if !(pivot > 0.0 && pivot.is_finite()) {
                return false;
            }
            *diagonal = pivot.sqrt();
        }
        true
    }

    /// Solves in place for a right-hand side. The matrix must be factored.
    pub(crate) fn solve(&self, right: &mut [f64]) {
        for row in 0..self.firsts.len() {
            let (first, line) = self.line(row);
            let (diagonal, line) = line.split_last().expect("a row has a diagonal");
            right[row] = (right[row] - product(line, &right[first..row])) / diagonal;
        }
        for row in (0..self.firsts.len()).rev() {
            let (first, line) = self.line(row);
            let (diagonal, line) = line.split_last().expect("a row has a diagonal");
            let solved = right[row] / diagonal;
            right[row] = solved;
            for (entry, right) in line.iter().zip(&mut right[first..row]) {
                *right -= entry * solved;
            }
        }
    }

    /// Returns the first column of a row and its entries.
    fn line(&self, row: usize) -> (usize, &[f64]) {
        let first = self.firsts[row];
        let end = self.ends[row];
        (first, &self.entries[end - (row + 1 - first)..end])
    }
}

/// Adds a force along `[-rows[0], rows[1]]` to the forces on two bodies; `None` is immovable.
pub(crate) fn add_force(
    forces: &mut [f64],
    bodies: &[Option<u32>; 2],
    rows: &[BlockRow; 2],
    force: f64,
) {
    for ((body, row), sign) in bodies.iter().zip(rows).zip([-1.0, 1.0]) {
        if let Some(body) = body {
            let at = BODY_UNKNOWNS * *body as usize;
            for (sum, part) in forces[at..at + BODY_UNKNOWNS].iter_mut().zip(row) {
                *sum += sign * part * force;
            }
        }
    }
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_solution_is_found() {
        let pairs = [[0, 1], [1, 3], [2, 3]];
        let mut matrix = SkylineMatrix::default();
        matrix.shape(4, pairs.into_iter());
        matrix.clear(0.5);
        let rows = [[1.0, 2.0, -1.0], [0.5, -1.0, 3.0]];
        for [a, b] in pairs {
            matrix.add_products(&[Some(a), Some(b)], &rows);
        }
        matrix.add_products(&[None, Some(2)], &rows);
        // The same products of a vector, by hand.
        let x: Vec<f64> = (0..12).map(|i| f64::from(i) - 4.5).collect();
        let mut right: Vec<f64> = x.iter().map(|x| 0.5 * x).collect();
        let ends = pairs.map(|[a, b]| [Some(a), Some(b)]);
        for ends in ends.into_iter().chain([[None, Some(2)]]) {
            let entries: Vec<(usize, f64)> = ends
                .iter()
                .zip(rows)
                .zip([-1.0, 1.0])
                .filter_map(|((end, row), sign)| {
                    end.map(|end| (end as usize, row.map(|r| sign * r)))
                })
                .flat_map(|(end, row)| [0, 1, 2].map(|i| (3 * end + i, row[i])))
                .collect();
            let elongation: f64 = entries.iter().map(|&(at, entry)| entry * x[at]).sum();
            entries
                .iter()
                .for_each(|&(at, entry)| right[at] += entry * elongation);
        }
        assert!(matrix.factor());
        matrix.solve(&mut right);
        let off = x.iter().zip(&right).map(|(x, found)| (x - found).abs());
        assert!(off.fold(0.0, f64::max) < 1.0e-9, "{right:?}");
    }

    #[test]
    fn indefinite_matrix_is_refused() {
        let mut matrix = SkylineMatrix::default();
        matrix.shape(1, core::iter::empty());
        matrix.clear(0.0);
        assert!(!matrix.factor());
    }
}
