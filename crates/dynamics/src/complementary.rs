//! Linear complementarity problems that sweeps do not solve: `w = A x + b`, and of each row `w = 0`, or `w >= 0` where x is at its least, or
//! `w <= 0` where x is at its most. By pivoting.
//!
//! Block principal pivoting ([Judice94]): guess which rows are at no bound, solve for these, and exchange all rows of the wrong sign. When
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
    /// Least and most of each impulse; 0 and infinite for rows that have none.
    pub(crate) bounds: Vec<[f64; 2]>,
    /// The answer.
    pub(crate) impulses: Vec<f64>,
    states: Vec<State>,
    wrong: Vec<usize>,
    rows: Vec<usize>,
    factor: Vec<f64>,
    right: Vec<f64>,
}

/// Where the impulse of a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Least,
    Between,
    Most,
}

/// Bounds of what only pushes.
const PUSHES: [f64; 2] = [0.0, f64::INFINITY];

impl Problem {
    /// Solves the problem; says whether it could.
    pub(crate) fn solve(&mut self) -> bool {
        let count = self.bias.len();
        let largest = self.bias.iter().fold(0.0_f64, |most, b| most.max(b.abs()));
        self.bounds.resize(count, PUSHES);
        self.states.clear();
        let guess = |(&b, &[least, most]): (&f64, &[f64; 2])| match least < 0.0 || b < 0.0 {
            true if least < most => State::Between,
            _ => State::Least,
        };
        self.states
            .extend(self.bias.iter().zip(&self.bounds).map(guess));
        let (mut fewest, mut patience) = (count + 1, PATIENCE);
        for _ in 0..MAX_ROUNDS {
            if !self.solve_between() {
                return false;
            }
            self.list_wrong(TOLERANCE * largest);
            let Some(&last) = self.wrong.last() else {
                return true;
            };
            patience = if self.wrong.len() < fewest {
                PATIENCE
            } else {
                patience.saturating_sub(1)
            };
            fewest = fewest.min(self.wrong.len());
            if patience == 0 {
                self.wrong.clear();
                self.wrong.push(last);
            }
            for i in 0..self.wrong.len() {
                let row = self.wrong[i];
                self.states[row] = self.exchanged(row);
            }
        }
        false
    }

    fn list_wrong(&mut self, tolerance: f64) {
        let mut wrong = core::mem::take(&mut self.wrong);
        wrong.clear();
        wrong.extend((0..self.bias.len()).filter(|&row| self.is_wrong(row, tolerance)));
        self.wrong = wrong;
    }

    /// Says whether a row between its bounds is beyond one, or one at a bound is pulled off it.
    fn is_wrong(&self, row: usize, tolerance: f64) -> bool {
        let [least, most] = self.bounds[row];
        match self.states[row] {
            State::Between => self.impulses[row] < least || self.impulses[row] > most,
            State::Least => least < most && self.reached(row) < -tolerance,
            State::Most => least < most && self.reached(row) > tolerance,
        }
    }

    /// Returns w of a row.
    fn reached(&self, row: usize) -> f64 {
        let count = self.bias.len();
        let coefficients = &self.matrix[row * count..(row + 1) * count];
        let products = coefficients.iter().zip(&self.impulses);
        let reached: f64 = products.map(|(a, x)| a * x).sum();
        reached + self.bias[row]
    }

    /// Returns where a row goes that is wrong.
    fn exchanged(&self, row: usize) -> State {
        match self.states[row] {
            State::Between if self.impulses[row] < self.bounds[row][0] => State::Least,
            State::Between => State::Most,
            _ => State::Between,
        }
    }

    /// Puts the rows at a bound there, and the others at 0.
    fn set_bounded(&mut self) {
        self.impulses.clear();
        for (state, &[least, most]) in self.states.iter().zip(&self.bounds) {
            self.impulses.push(match state {
                State::Least => least,
                State::Between => 0.0,
                State::Most => most,
            });
        }
    }

    /// Solves the rows between their bounds as equations, by Cholesky's method; says whether that is possible.
    fn solve_between(&mut self) -> bool {
        let count = self.bias.len();
        self.set_bounded();
        self.rows.clear();
        self.rows
            .extend((0..count).filter(|&row| self.states[row] == State::Between));
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
            let bias = self.reached(self.rows[i]);
            self.right.push((-bias - done) / self.factor[i * n + i]);
        }
        for i in (0..n).rev() {
            let done: f64 = (i + 1..n)
                .map(|k| self.factor[k * n + i] * self.right[k])
                .sum();
            self.right[i] = (self.right[i] - done) / self.factor[i * n + i];
        }
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
        for round in 0..100 {
            let mut share = || {
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                (random >> 40) as f64 / f64::from(1_u32 << 24)
            };
            let matrix = chain(count);
            // In half of the rounds every other row has bounds on both sides, as friction has.
            let rubs = |row: usize| round % 2 == 1 && row % 2 == 1;
            let bounds: Vec<[f64; 2]> = (0..count)
                .map(|row| if rubs(row) { [-0.3, 0.3] } else { PUSHES })
                .collect();
            let answer: Vec<f64> = bounds
                .iter()
                .map(|&[least, most]| (share() - 0.4).clamp(least, most))
                .collect();
            // A row at its least has a speed that is not negative, one at its most a speed that is not positive.
            let bias: Vec<f64> = (0..count)
                .map(|i| {
                    let row = &matrix[i * count..(i + 1) * count];
                    let reached: f64 = row.iter().zip(&answer).map(|(a, x)| a * x).sum();
                    let speed = match answer[i] {
                        x if x == bounds[i][0] => share(),
                        x if x == bounds[i][1] => -share(),
                        _ => 0.0,
                    };
                    speed - reached
                })
                .collect();
            let mut problem = Problem {
                matrix,
                bias,
                bounds,
                ..Problem::default()
            };
            assert!(problem.solve());
            for (x, expected) in problem.impulses.iter().zip(&answer) {
                assert!((x - expected).abs() < 1.0e-9, "{x} {expected}");
            }
        }
    }
}
