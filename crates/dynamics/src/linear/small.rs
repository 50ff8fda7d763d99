//! Vectors and equations of three unknowns, in `f64`.

/// Returns the dot product.
pub(crate) fn dot_3(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the Euclidean length of a vector.
pub(crate) fn norm(a: &[f64]) -> f64 {
    a.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// Adds `factor` times the outer product of `left` and `right` to a matrix.
pub(crate) fn add_outer_product(
    matrix: &mut [[f64; 3]; 3],
    factor: f64,
    left: &[f64; 3],
    right: &[f64; 3],
) {
    for (line, l) in matrix.iter_mut().zip(left) {
        for (entry, r) in line.iter_mut().zip(right) {
            *entry += factor * l * r;
        }
    }
}

/// Adds the lower triangle of `factor` times the outer product of `part` with itself to a symmetric matrix.
pub(crate) fn add_square(matrix: &mut [[f64; 3]; 3], factor: f64, part: &[f64; 3]) {
    for (i, line) in matrix.iter_mut().enumerate() {
        let left = factor * part[i];
        for (entry, right) in line.iter_mut().zip(part).take(i + 1) {
            *entry += left * right;
        }
    }
}

/// Solves `m x = right` by Cramer's rule; `None` if the matrix is singular.
pub(crate) fn solve_3(m: [[f64; 3]; 3], right: [f64; 3]) -> Option<[f64; 3]> {
    let cross = |a: &[f64; 3], b: &[f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let cofactors = [
        cross(&m[1], &m[2]),
        cross(&m[2], &m[0]),
        cross(&m[0], &m[1]),
    ];
    let det = dot_3(&m[0], &cofactors[0]);
    (det != 0.0).then(|| {
        [0, 1, 2].map(|i| {
            let column = [cofactors[0][i], cofactors[1][i], cofactors[2][i]];
            dot_3(&column, &right) / det
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_solution_is_found() {
        let matrix = [[2.0, -1.0, 0.5], [0.25, 3.0, 1.0], [-1.0, 0.0, 4.0]];
        let planted = [1.0, -2.0, 3.0];
        let right = matrix.map(|row| dot_3(&row, &planted));
        let found = solve_3(matrix, right).expect("the matrix is regular");
        for (found, planted) in found.iter().zip(planted) {
            assert!((found - planted).abs() < 1.0e-14);
        }
    }

    #[test]
    fn singular_matrix_has_no_solution() {
        let mut matrix = [[0.0; 3]; 3];
        add_outer_product(&mut matrix, 2.0, &[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]);
        assert_eq!(solve_3(matrix, [1.0; 3]), None);
    }
}
