//! Reference solution of pinned bodies in `f64`: accelerations from Lagrange multipliers, Runge-Kutta of order 4, and a
//! projection onto the pins after each step. It shares nothing with the engine.

use super::exact::solve;
use super::lab::Link;

/// A pin between the point `anchor_a` of a body, or of the ground, and `anchor_b` of another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pin {
    pub a: Option<usize>,
    pub anchor_a: [f64; 2],
    pub b: usize,
    pub anchor_b: [f64; 2],
}

/// Bodies, pins, and the state: three coordinates and three velocities a body.
#[derive(Clone, Debug)]
pub(crate) struct Assembly {
    inv_masses: Vec<f64>,
    pub pins: Vec<Pin>,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

/// Forces on the bodies (fx, fy, torque) from coordinates.
pub(crate) type Forces<'a> = &'a dyn Fn(&[f64]) -> Vec<f64>;

impl Assembly {
    pub(crate) fn new(links: &[Link], pins: &[Pin]) -> Self {
        let three = |of: fn(&Link) -> [f64; 3]| links.iter().flat_map(of).collect::<Vec<f64>>();
        Self {
            inv_masses: three(|link| [1.0 / link.mass, 1.0 / link.mass, 1.0 / link.inertia]),
            pins: pins.to_vec(),
            q: three(|link| [link.center[0], link.center[1], link.angle]),
            v: three(|link| [link.velocity[0], link.velocity[1], link.spin]),
        }
    }

    /// Arm from the center of a body to an anchor, in the world \[m\].
    fn arm(q: &[f64], body: usize, [x, y]: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = q[3 * body + 2].sin_cos();
        [cos * x - sin * y, sin * x + cos * y]
    }

    /// Ends of a pin with their signs: (sign, body, arm).
    fn ends(pin: &Pin, q: &[f64]) -> Vec<(f64, usize, [f64; 2])> {
        let b = (1.0, pin.b, Self::arm(q, pin.b, pin.anchor_b));
        let a = pin.a.map(|a| (-1.0, a, Self::arm(q, a, pin.anchor_a)));
        a.into_iter().chain([b]).collect()
    }

    /// Gaps of the pins \[m\].
    pub(crate) fn gaps(&self, q: &[f64]) -> Vec<f64> {
        let gap = |pin: &Pin| {
            let fixed = if pin.a.is_none() {
                pin.anchor_a
            } else {
                [0.0; 2]
            };
            let mut gap = [-fixed[0], -fixed[1]];
            for (sign, body, arm) in Self::ends(pin, q) {
                gap[0] += sign * (q[3 * body] + arm[0]);
                gap[1] += sign * (q[3 * body + 1] + arm[1]);
            }
            gap
        };
        self.pins.iter().flat_map(gap).collect()
    }

    /// Rows of the Jacobian, each with its coordinates and values.
    fn jacobian(&self, q: &[f64]) -> Vec<Vec<(usize, f64)>> {
        let mut rows = Vec::new();
        for pin in &self.pins {
            let (mut x, mut y) = (Vec::new(), Vec::new());
            for (sign, body, arm) in Self::ends(pin, q) {
                x.extend([(3 * body, sign), (3 * body + 2, -sign * arm[1])]);
                y.extend([(3 * body + 1, sign), (3 * body + 2, sign * arm[0])]);
            }
            rows.extend([x, y]);
        }
        rows
    }

    /// Adds M^-1 J^T x to `target`, for the x that makes the rates of the rows -`rates`.
    fn push(&self, rows: &[Vec<(usize, f64)>], rates: Vec<f64>, target: &mut [f64]) {
        let n = rows.len();
        let mut matrix = vec![0.0; n * n];
        for (i, a) in rows.iter().enumerate() {
            for (j, b) in rows.iter().enumerate() {
                for &(at, x) in a {
                    for &(other, y) in b {
                        if at == other {
                            matrix[i * n + j] += x * self.inv_masses[at] * y;
                        }
                    }
                }
            }
        }
        let impulses = solve(matrix, rates);
        for (row, impulse) in rows.iter().zip(impulses) {
            for &(at, x) in row {
                target[at] -= self.inv_masses[at] * x * impulse;
            }
        }
    }

    fn rates(rows: &[Vec<(usize, f64)>], v: &[f64]) -> Vec<f64> {
        let rate = |row: &Vec<(usize, f64)>| row.iter().map(|&(at, x)| x * v[at]).sum();
        rows.iter().map(rate).collect()
    }

    /// Accelerations under forces and pins.
    fn acceleration(&self, q: &[f64], v: &[f64], forces: Forces<'_>) -> Vec<f64> {
        let rows = self.jacobian(q);
        let mut a: Vec<f64> = forces(q)
            .iter()
            .zip(&self.inv_masses)
            .map(|(f, w)| f * w)
            .collect();
        // J' v: each arm turns, so its end accelerates by -w^2 arm.
        let centripetal = self.pins.iter().flat_map(|pin| {
            let mut sum = [0.0; 2];
            for (sign, body, arm) in Self::ends(pin, q) {
                let w = v[3 * body + 2];
                sum[0] -= sign * w * w * arm[0];
                sum[1] -= sign * w * w * arm[1];
            }
            sum
        });
        let rates = Self::rates(&rows, &a)
            .into_iter()
            .zip(centripetal)
            .map(|(r, c)| r + c);
        let rates = rates.collect();
        self.push(&rows, rates, &mut a);
        a
    }

    /// Advances by `h` \[s\].
    pub(crate) fn step(&mut self, h: f64, forces: Forces<'_>) {
        let add = |x: &[f64], rate: &[f64], share: f64| -> Vec<f64> {
            x.iter()
                .zip(rate)
                .map(|(x, rate)| x + share * h * rate)
                .collect()
        };
        let a1 = self.acceleration(&self.q, &self.v, forces);
        let (q2, v2) = (add(&self.q, &self.v, 0.5), add(&self.v, &a1, 0.5));
        let a2 = self.acceleration(&q2, &v2, forces);
        let (q3, v3) = (add(&self.q, &v2, 0.5), add(&self.v, &a2, 0.5));
        let a3 = self.acceleration(&q3, &v3, forces);
        let (q4, v4) = (add(&self.q, &v3, 1.0), add(&self.v, &a3, 1.0));
        let a4 = self.acceleration(&q4, &v4, forces);
        for i in 0..self.q.len() {
            let velocity = self.v[i] + 2.0 * v2[i] + 2.0 * v3[i] + v4[i];
            self.q[i] += h / 6.0 * velocity;
            self.v[i] += h / 6.0 * (a1[i] + 2.0 * a2[i] + 2.0 * a3[i] + a4[i]);
        }
        self.project();
    }

    /// Moves onto the pins, and removes velocities that would open them.
    fn project(&mut self) {
        let rows = self.jacobian(&self.q);
        let gaps = self.gaps(&self.q);
        let mut q = core::mem::take(&mut self.q);
        self.push(&rows, gaps, &mut q);
        self.q = q;
        let rates = Self::rates(&rows, &self.v);
        let mut v = core::mem::take(&mut self.v);
        self.push(&rows, rates, &mut v);
        self.v = v;
    }

    pub(crate) fn kinetic_energy(&self) -> f64 {
        let energy = self.v.iter().zip(&self.inv_masses).map(|(v, w)| v * v / w);
        0.5 * energy.sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validation::exact::{elliptic_k, order};

    /// Angle after a quarter of the period of a pendulum of 1 m released from level, less that of the bottom.
    fn error(steps: u32) -> f64 {
        let link = Link::at([0.5, 0.0], 0.0, (1.0, 0.25));
        let pin = Pin {
            a: None,
            anchor_a: [0.0; 2],
            b: 0,
            anchor_b: [-0.5, 0.0],
        };
        let mut pendulum = Assembly::new(&[link], &[pin]);
        let quarter = elliptic_k(0.5_f64.sqrt()) / 9.81_f64.sqrt();
        for _ in 0..steps {
            pendulum.step(quarter / f64::from(steps), &|_| vec![0.0, -9.81, 0.0]);
        }
        (pendulum.q[2] + core::f64::consts::FRAC_PI_2).abs()
    }

    #[test]
    fn pendulum_converges_with_order_four_to_the_elliptic_integral() {
        let errors = [error(32), error(64), error(128)];
        assert!(errors[2] < 1.0e-7, "{errors:?}");
        assert!((order(&errors) - 4.0).abs() < 0.3, "{errors:?}");
    }
}
