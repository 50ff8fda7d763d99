//! Linear complementarity problems with bounds on both sides, by block principal pivoting.
//!
//! Finds x with `w = A x + b` so that in each row `w = 0`, or x is at its lower bound and `w >= 0`, or x is
//! at its upper bound and `w <= 0`. Gauss-Seidel sweeps converge too slowly at high mass ratios.
//!
//! Block principal pivoting ([Judice94]): guess which rows are free (at no bound), solve their equations, and
//! exchange all rows that violate their condition. If the number of violations does not fall for some rounds,
//! only the last violated row is exchanged, which terminates for every positive definite `A`.

/// Rounds after which the problem counts as unsolved.
const MAX_PIVOT_ROUNDS: usize = 200;

/// Rounds without progress after which rows are exchanged one by one.
const BLOCK_PATIENCE: u32 = 8;

/// Violation that is accepted, relative to the largest `b`.
const PIVOT_TOLERANCE: f64 = 1.0e-9;

/// A linear complementarity problem, and the memory to solve it.
#[derive(Clone, Debug, Default)]
pub(crate) struct LcpProblem {
    /// `A`, row by row: symmetric and positive definite.
    pub(crate) matrix: Vec<f64>,
    /// `b`.
    pub(crate) bias: Vec<f64>,
    /// Lower and upper bound of each impulse; rows beyond the end of the list get 0 and infinity.
    pub(crate) bounds: Vec<[f64; 2]>,
    /// The solution x.
    pub(crate) impulses: Vec<f64>,
    states: Vec<LcpState>,
    violated: Vec<usize>,
    free: Vec<usize>,
    factor: Vec<f64>,
    right: Vec<f64>,
}

/// Position of a row's impulse relative to its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LcpState {
    AtLower,
    Free,
    AtUpper,
}

/// Bounds of a unilateral row.
const UNILATERAL: [f64; 2] = [0.0, f64::INFINITY];

impl LcpProblem {
    /// Solves the problem. Returns `true` if a solution was found.
    pub(crate) fn solve(&mut self) -> bool {
        let count = self.bias.len();
        let largest = self.bias.iter().fold(0.0_f64, |max, b| max.max(b.abs()));
        self.bounds.resize(count, UNILATERAL);
        self.states.clear();
        let guess = |(&b, &[lower, upper]): (&f64, &[f64; 2])| match lower < 0.0 || b < 0.0 {
            true if lower < upper => LcpState::Free,
            _ => LcpState::AtLower,
        };
        self.states
            .extend(self.bias.iter().zip(&self.bounds).map(guess));
        let (mut fewest, mut patience) = (count + 1, BLOCK_PATIENCE);
        for _ in 0..MAX_PIVOT_ROUNDS {
            if !self.solve_free_rows() {
                return false;
            }
            self.list_violated(PIVOT_TOLERANCE * largest);
            let Some(&last) = self.violated.last() else {
                return true;
            };
            patience = if self.violated.len() < fewest {
                BLOCK_PATIENCE
            } else {
                patience.saturating_sub(1)
            };
            fewest = fewest.min(self.violated.len());
            if patience == 0 {
                self.violated.clear();
                self.violated.push(last);
            }
            for &row in &self.violated {
                self.states[row] =
                    exchanged(self.states[row], self.impulses[row], self.bounds[row]);
            }
        }
        false
    }

    fn list_violated(&mut self, tolerance: f64) {
        let mut violated = core::mem::take(&mut self.violated);
        violated.clear();
        violated.extend((0..self.bias.len()).filter(|&row| self.is_violated(row, tolerance)));
        self.violated = violated;
    }

    /// Returns `true` if a free row is beyond a bound, or a row at a bound would be pulled off it.
    fn is_violated(&self, row: usize, tolerance: f64) -> bool {
        let [lower, upper] = self.bounds[row];
        match self.states[row] {
            LcpState::Free => self.impulses[row] < lower || self.impulses[row] > upper,
            LcpState::AtLower => lower < upper && self.residual(row) < -tolerance,
            LcpState::AtUpper => lower < upper && self.residual(row) > tolerance,
        }
    }

    /// Returns `w` of a row.
    fn residual(&self, row: usize) -> f64 {
        let count = self.bias.len();
        let coefficients = &self.matrix[row * count..(row + 1) * count];
        let products = coefficients.iter().zip(&self.impulses);
        let sum: f64 = products.map(|(a, x)| a * x).sum();
        sum + self.bias[row]
    }

    /// Puts the rows at a bound there, and the free rows at 0.
    fn set_bounded(&mut self) {
        self.impulses.clear();
        for (state, &[lower, upper]) in self.states.iter().zip(&self.bounds) {
            self.impulses.push(match state {
                LcpState::AtLower => lower,
                LcpState::Free => 0.0,
                LcpState::AtUpper => upper,
            });
        }
    }

    /// Solves the equations of the free rows by a dense Cholesky factorization. Returns `true` if that is
    /// possible.
    fn solve_free_rows(&mut self) -> bool {
        let count = self.bias.len();
        self.set_bounded();
        self.free.clear();
        self.free
            .extend((0..count).filter(|&row| self.states[row] == LcpState::Free));
        let n = self.free.len();
        self.factor.clear();
        self.right.clear();
        for i in 0..n {
            let row = &self.matrix[self.free[i] * count..][..count];
            for j in 0..=i {
                let done: f64 = (0..j)
                    .map(|k| self.factor[i * n + k] * self.factor[j * n + k])
                    .sum();
                let rest = row[self.free[j]] - done;
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
            let bias = self.residual(self.free[i]);
            self.right.push((-bias - done) / self.factor[i * n + i]);
        }
        for i in (0..n).rev() {
            let done: f64 = (i + 1..n)
                .map(|k| self.factor[k * n + i] * self.right[k])
                .sum();
            self.right[i] = (self.right[i] - done) / self.factor[i * n + i];
        }
        for (&row, &impulse) in self.free.iter().zip(&self.right) {
            self.impulses[row] = impulse;
        }
        true
    }
}

/// Returns the next guess for a row that violates its condition.
fn exchanged(state: LcpState, impulse: f64, [lower, _]: [f64; 2]) -> LcpState {
    match state {
        LcpState::Free if impulse < lower => LcpState::AtLower,
        LcpState::Free => LcpState::AtUpper,
        _ => LcpState::Free,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of a chain of bodies of masses 1, 1000, 1, ...: neighbors push each other.
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
    fn planted_solutions_are_found() {
        let count = 24;
        let mut random = 1_u64;
        for round in 0..100 {
            let mut share = || {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (random >> 40) as f64 / f64::from(1_u32 << 24)
            };
            let matrix = chain(count);
            // In half of the rounds every other row has bounds on both sides, like friction.
            let is_friction = |row: usize| round % 2 == 1 && row % 2 == 1;
            let bounds: Vec<[f64; 2]> = (0..count)
                .map(|row| {
                    if is_friction(row) {
                        [-0.3, 0.3]
                    } else {
                        UNILATERAL
                    }
                })
                .collect();
            let planted: Vec<f64> = bounds
                .iter()
                .map(|&[lower, upper]| (share() - 0.4).clamp(lower, upper))
                .collect();
            // `w` is not negative at a lower bound, and not positive at an upper one.
            let bias: Vec<f64> = (0..count)
                .map(|i| {
                    let row = &matrix[i * count..(i + 1) * count];
                    let product: f64 = row.iter().zip(&planted).map(|(a, x)| a * x).sum();
                    let speed = match planted[i] {
                        x if x == bounds[i][0] => share(),
                        x if x == bounds[i][1] => -share(),
                        _ => 0.0,
                    };
                    speed - product
                })
                .collect();
            let mut problem = LcpProblem {
                matrix,
                bias,
                bounds,
                ..LcpProblem::default()
            };
            assert!(problem.solve());
            for (x, expected) in problem.impulses.iter().zip(&planted) {
                assert!((x - expected).abs() < 1.0e-9, "{x} {expected}");
            }
        }
    }
}
