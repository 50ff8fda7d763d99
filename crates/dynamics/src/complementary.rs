//! Linear complementarity problems that sweeps do not solve: `w = A x + b >= 0`, `x >= 0`, `x . w = 0`, by pivoting.
//!
//! Block principal pivoting ([Judice94]): guess which rows push, solve for these, and exchange all rows of the wrong sign. When
//! that gets no nearer for some rounds, only the last of them is exchanged, which ends for every positive definite `A`.

/// Rounds after which the answer is given up.
const MAX_ROUNDS: usize = 200;

/// Rounds without progress until rows are exchanged one by one.
const PATIENCE: u32 = 8;

/// Share of the greatest `b` that a row may be wrong by.
const TOLERANCE: f64 = 1.0e-9;

/// A problem of some rows, and the memory to solve it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    /// Row by row, symmetric and positive definite.
    pub(crate) matrix: Vec<f64>,
    pub(crate) bias: Vec<f64>,
    /// The answer.
    pub(crate) impulses: Vec<f64>,
    pushes: Vec<bool>,
    rows: Vec<usize>,
    factor: Vec<f64>,
    right: Vec<f64>,
}

impl Problem {
    /// Solves the problem; says whether it could.
    pub(crate) fn solve(&mut self) -> bool {
        let count = self.bias.len();
        let largest = self.bias.iter().fold(0.0_f64, |most, b| most.max(b.abs()));
        self.pushes.clear();
        self.pushes.extend(self.bias.iter().map(|&b| b < 0.0));
        let (mut fewest, mut patience) = (count + 1, PATIENCE);
        for _ in 0..MAX_ROUNDS {
            if !self.solve_pushing() {
                return false;
            }
            let wrong = |&row: &usize| self.is_wrong(row, TOLERANCE * largest);
            let wrong: Vec<usize> = (0..count).filter(wrong).collect();
            let Some(&last) = wrong.last() else {
                return true;
            };
            patience = if wrong.len() < fewest {
                PATIENCE
            } else {
                patience.saturating_sub(1)
            };
            fewest = fewest.min(wrong.len());
            let exchanged = if patience > 0 { &wrong[..] } else { &[last] };
            for &row in exchanged {
                self.pushes[row] = !self.pushes[row];
            }
        }
        false
    }

    /// Says whether a row that pushes pulls, or one that does not is violated.
    fn is_wrong(&self, row: usize, tolerance: f64) -> bool {
        if self.pushes[row] {
            return self.impulses[row] < 0.0;
        }
        let count = self.bias.len();
        let coefficients = &self.matrix[row * count..(row + 1) * count];
        let products = coefficients.iter().zip(&self.impulses);
        let reached: f64 = products.map(|(a, x)| a * x).sum();
        reached + self.bias[row] < -tolerance
    }

    /// Solves the rows that push as equations, by Cholesky's method; says whether that is possible.
    fn solve_pushing(&mut self) -> bool {
        let count = self.bias.len();
        self.rows.clear();
        self.rows.extend((0..count).filter(|&row| self.pushes[row]));
        let n = self.rows.len();
        self.factor.clear();
        self.right.clear();
        for i in 0..n {
            let row = &self.matrix[self.rows[i] * count..][..count];
            for j in 0..=i {
                let done: f64 = (0..j)
                    .map(|k| self.factor[i * n + k] * self.factor[j * n + k])
                    .sum();
                let rest = row[self.rows[j]] - done;
                let entry = if i == j {
                    rest.sqrt()
                } else {
                    rest / self.factor[j * n + j]
                };
                self.factor.push(entry);
            }
            let pivot = self.factor[i * n + i];
            if pivot.is_nan() || pivot == 0.0 {
                return false;
            }
            self.factor.resize((i + 1) * n, 0.0);
            let done: f64 = (0..i).map(|k| self.factor[i * n + k] * self.right[k]).sum();
            self.right
                .push((-self.bias[self.rows[i]] - done) / self.factor[i * n + i]);
        }
        for i in (0..n).rev() {
            let done: f64 = (i + 1..n)
                .map(|k| self.factor[k * n + i] * self.right[k])
                .sum();
            self.right[i] = (self.right[i] - done) / self.factor[i * n + i];
        }
        self.impulses.clear();
        self.impulses.resize(count, 0.0);
        for (&row, &impulse) in self.rows.iter().zip(&self.right) {
            self.impulses[row] = impulse;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a chain of bodies of masses 1, 1000, 1, ...: neighbours push each other.
    fn chain(count: usize) -> Vec<f64> {
        let inv_mass = |body: usize| if body.is_multiple_of(2) { 1.0 } else { 1.0e-3 };
        let mut matrix = vec![0.0; count * count];
        for row in 0..count {
            matrix[row * count + row] = inv_mass(row) + inv_mass(row + 1);
            if row + 1 < count {
                matrix[row * count + row + 1] = -inv_mass(row + 1);
                matrix[(row + 1) * count + row] = -inv_mass(row + 1);
            }
        }
        matrix
    }

    #[test]
    fn planted_answers_are_found() {
        let count = 24;
        let mut random = 1_u64;
        for _ in 0..50 {
            let mut share = || {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (random >> 40) as f64 / f64::from(1_u32 << 24)
            };
            let matrix = chain(count);
            // A row either pushes, or has a speed that is not negative.
            let answer: Vec<f64> = (0..count).map(|_| (share() - 0.4).max(0.0)).collect();
            let bias: Vec<f64> = (0..count)
                .map(|i| {
                    let row = &matrix[i * count..(i + 1) * count];
                    let reached: f64 = row.iter().zip(&answer).map(|(a, x)| a * x).sum();
                    let speed = if answer[i] > 0.0 { 0.0 } else { share() };
                    speed - reached
                })
                .collect();
            let mut problem = Problem {
                matrix,
                bias,
                ..Problem::default()
            };
            assert!(problem.solve());
            for (x, expected) in problem.impulses.iter().zip(&answer) {
                assert!((x - expected).abs() < 1.0e-9, "{x} {expected}");
            }
        }
    }
}
