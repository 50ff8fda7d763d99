//! Reference values that are computed, not copied: elliptic integrals, Runge-Kutta, stability of Mathieu's equation.

/// Complete elliptic integral of the first kind with modulus `k`, below 1: by the arithmetic-geometric mean.
#[must_use]
pub fn elliptic_k(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    while (a - b).abs() > 1.0e-15 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    core::f64::consts::FRAC_PI_2 / a
}

/// One step of the classical Runge-Kutta method of order 4 for y' = f(t, y).
#[must_use]
pub fn runge_kutta<const N: usize>(
    y: [f64; N],
    t: f64,
    h: f64,
    f: impl Fn(f64, [f64; N]) -> [f64; N],
) -> [f64; N] {
    let add = |k: [f64; N], share: f64| core::array::from_fn(|i| y[i] + share * h * k[i]);
    let k1 = f(t, y);
    let k2 = f(t + 0.5 * h, add(k1, 0.5));
    let k3 = f(t + 0.5 * h, add(k2, 0.5));
    let k4 = f(t + h, add(k3, 1.0));
    core::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]))
}

/// Solves the square system `a x = b` by elimination with pivots; `a` is stored by rows.
///
/// # Panics
/// If the matrix is singular.
#[must_use]
pub fn solve(mut a: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs()));
        let pivot = pivot.unwrap_or(k);
        assert!(a[pivot * n + k] != 0.0, "the system is singular");
        for j in 0..n {
            a.swap(k * n + j, pivot * n + j);
        }
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i * n + k] / a[k * n + k];
            for j in k..n {
                a[i * n + j] -= factor * a[k * n + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k * n + j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k * n + k];
    }
    b
}

/// Order of convergence that errors at steps of ratio 2 show: the mean binary logarithm of their ratios.
#[must_use]
pub fn order(errors: &[f64]) -> f64 {
    let count = errors.len() - 1;
    (errors[0] / errors[count]).log2() / count as f64
}

/// Returns whether the upright pendulum of length `l` \[m\] is stable when its pivot moves by `a sin(w t)` \[m, rad/s\]:
/// by Floquet, the matrix of one period of `x'' = (g - a w^2 sin(w t)) x / l` has a trace between -2 and 2.
#[must_use]
pub fn upright_is_stable(g: f64, l: f64, a: f64, w: f64) -> bool {
    const STEPS: u32 = 2000;
    let period = core::f64::consts::TAU / w;
    let h = period / f64::from(STEPS);
    let end = |mut y: [f64; 2]| {
        for i in 0..STEPS {
            y = runge_kutta(y, f64::from(i) * h, h, |t, [x, v]| {
                [v, (g - a * w * w * (w * t).sin()) / l * x]
            });
        }
        y
    };
    let trace = end([1.0, 0.0])[0] + end([0.0, 1.0])[1];
    trace.abs() < 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elliptic_integral_has_its_tabulated_values() {
        // Abramowitz and Stegun, table 17.1: m = 0.5, 0.9.
        let table = [(0.5, 1.854_074_677_301_372), (0.9, 2.578_092_113_348_173)];
        for (m, k) in table {
            assert!((elliptic_k(f64::sqrt(m)) - k).abs() < 1.0e-14);
        }
    }

    #[test]
    fn runge_kutta_has_order_four() {
        let error = |steps: u32| {
            let h = 1.0 / f64::from(steps);
            let end = (0..steps).fold([1.0], |y, _| runge_kutta(y, 0.0, h, |_, [y]| [y]));
            (end[0] - 1.0_f64.exp()).abs()
        };
        let order = order(&[error(10), error(20), error(40)]);
        assert!((order - 4.0).abs() < 0.1, "{order}");
    }

    #[test]
    fn planted_solution_of_a_system_is_found() {
        let a = vec![0.0, 2.0, 1.0, 1.0, -1.0, 0.0, 3.0, 0.0, -2.0];
        let planted = [1.0, -2.0, 0.5];
        let b = (0..3).map(|i| (0..3).map(|j| a[3 * i + j] * planted[j]).sum());
        let found = solve(a.clone(), b.collect());
        for (found, planted) in found.iter().zip(planted) {
            assert!((found - planted).abs() < 1.0e-14);
        }
    }

    #[test]
    fn threshold_of_kapitza_approaches_its_mean_value_for_small_amplitudes() {
        // a^2 w^2 = 2 g l holds up to terms of order (a / l)^2.
        for ratio in [0.02_f64, 0.05] {
            let w = (2.0 * 9.81_f64).sqrt() / ratio;
            assert!(upright_is_stable(
                9.81,
                1.0,
                ratio,
                w * (1.0 + 2.0 * ratio * ratio)
            ));
            assert!(!upright_is_stable(
                9.81,
                1.0,
                ratio,
                w * (1.0 - 2.0 * ratio * ratio)
            ));
        }
    }
}
