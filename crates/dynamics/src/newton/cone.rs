//! Contacts in the merit: pushes of one or two points, coupled with friction by Coulomb's cone.
//!
//! A contact has the normal rates `u_1`, `u_2` and the tangential rate `u_t`. With the multipliers `m`, targets `c` and
//! compliances `R` of its rows, its impulse is the projection of
//!
//! ```text
//! y = m - (u - c) / R      on      gamma_i >= 0,  |gamma_t| <= mu (gamma_1 + gamma_2)
//! ```
//!
//! in the norm of R, which is the negative gradient of the convex function `1/2 |gamma|_R^2` of the rates ([Todorov14],
//! [Castro22]). The projection has a closed form with three cases, in each of which it is linear: see [`project`].

use super::contact::NewtonContact;
use super::row::NewtonRow;
use crate::linear::block_sparse::Triple;
use crate::linear::small::dot_3;

/// The case of a projection: which points push, and what friction does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ConeCase {
    pub(super) pushes: [bool; 2],
    pub(super) friction: Friction,
}

/// What the tangent of a contact does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Friction {
    /// The impulse of friction is inside the cone.
    #[default]
    Sticks,
    /// It is on the cone, with the sign of the tangential impulse.
    Slides { is_positive: bool },
}

impl ConeCase {
    pub(super) fn is_apart(self) -> bool {
        self.pushes == [false; 2]
    }
}

/// A contact at the present rates, or along the search direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    /// Impulses before the projection: of the points, and of the tangent.
    free: Triple,
    /// Compliances of these rows, the inverses of their stiffnesses.
    compliance: Triple,
    friction: f64,
    has_second: bool,
}

/// Returns the impulse in the cone nearest to `free`, and its case.
///
/// Inside the cone each coordinate is projected alone. On its side `gamma_t = s mu (gamma_1 + gamma_2)`, and the rest is
/// a problem of two unknowns with the matrix of [`side_matrix`].
pub(super) fn project(cone: &Cone) -> (Triple, ConeCase) {
    let [y_1, y_2, y_t] = cone.free;
    let mu = cone.friction;
    let (n_1, n_2) = (
        y_1.max(0.0),
        if cone.has_second { y_2.max(0.0) } else { 0.0 },
    );
    if mu > 0.0 && y_t.abs() <= mu * (n_1 + n_2) {
        let case = ConeCase {
            pushes: [n_1 > 0.0, n_2 > 0.0],
            friction: Friction::Sticks,
        };
        return ([n_1, n_2, y_t], case);
    }
    // Without friction the sign means nothing, and may not change the case.
    let is_positive = y_t > 0.0 || mu == 0.0;
    let on_side = |g_1: f64, g_2: f64| {
        let tangent = mu * (g_1 + g_2);
        let case = ConeCase {
            pushes: [g_1 > 0.0, g_2 > 0.0],
            friction: Friction::Slides { is_positive },
        };
        let tangent = if is_positive { tangent } else { -tangent };
        ([g_1, g_2, tangent], case)
    };
    let [r_1, r_2, r_t] = cone.compliance;
    let shared = r_t * mu * mu;
    let pull = r_t * mu * y_t.abs();
    let (p_1, h_1) = (r_1 * y_1 + pull, r_1 + shared);
    if !cone.has_second {
        return on_side((p_1 / h_1).max(0.0), 0.0);
    }
    let (p_2, h_2) = (r_2 * y_2 + pull, r_2 + shared);
    let det = h_1 * h_2 - shared * shared;
    let both = [
        (h_2 * p_1 - shared * p_2) / det,
        (h_1 * p_2 - shared * p_1) / det,
    ];
    if both[0] >= 0.0 && both[1] >= 0.0 {
        return on_side(both[0], both[1]);
    }
    let (alone_1, alone_2) = (p_1 / h_1, p_2 / h_2);
    if alone_1 > 0.0 && shared * alone_1 >= p_2 {
        on_side(alone_1, 0.0)
    } else if alone_2 > 0.0 && shared * alone_2 >= p_1 {
        on_side(0.0, alone_2)
    } else {
        on_side(0.0, 0.0)
    }
}

/// A row of the Hessian of a contact, as a sum of its own rows: points and tangent.
#[derive(Clone, Copy, Debug)]
struct Term {
    stiffness: f64,
    shares: Triple,
}

/// Returns the rows of the Hessian in the present case.
///
/// On the side of the cone these are the rows `e_i = J_i + s mu J_t`, coupled by the inverse of
/// `[[R_1 + a, a], [a, R_2 + a]]` with `a = R_t mu^2`: the sum of two squares.
fn terms(cone: &Cone, case: ConeCase) -> [Option<Term>; 3] {
    let term = |stiffness: f64, shares: Triple| Some(Term { stiffness, shares });
    let [r_1, r_2, r_t] = cone.compliance;
    if case.is_apart() {
        return [None; 3];
    }
    let Friction::Slides { is_positive } = case.friction else {
        return [
            if case.pushes[0] {
                term(1.0 / r_1, [1.0, 0.0, 0.0])
            } else {
                None
            },
            if case.pushes[1] {
                term(1.0 / r_2, [0.0, 1.0, 0.0])
            } else {
                None
            },
            term(1.0 / r_t, [0.0, 0.0, 1.0]),
        ];
    };
    let slope = if is_positive {
        cone.friction
    } else {
        -cone.friction
    };
    let shared = r_t * slope * slope;
    let (h_1, h_2) = (r_1 + shared, r_2 + shared);
    match case.pushes {
        [true, true] => {
            let det = h_1 * h_2 - shared * shared;
            let ratio = shared / h_2;
            [
                term(h_2 / det, [1.0, -ratio, slope * (1.0 - ratio)]),
                term(1.0 / h_2, [0.0, 1.0, slope]),
                None,
            ]
        }
        [true, false] => [term(1.0 / h_1, [1.0, 0.0, slope]), None, None],
        _ => [term(1.0 / h_2, [0.0, 1.0, slope]), None, None],
    }
}

impl NewtonContact {
    /// Returns the indices of the rows of its points and its tangent; of one point twice.
    fn row_indices(&self) -> [usize; 3] {
        let tangent = self.friction_row();
        [self.first_row, tangent - 1, tangent]
    }

    /// Returns its rows at the present rates.
    fn cone(&self, rows: &[NewtonRow]) -> Cone {
        let own = self.row_indices().map(|index| &rows[index]);
        Cone {
            free: own.map(NewtonRow::free),
            compliance: own.map(NewtonRow::compliance),
            friction: self.friction,
            has_second: self.count == 2,
        }
    }

    /// Sets the impulses of its rows at the present rates. In a wide Hessian, a contact that carries no load belongs to it even
    /// if it parts, up to the rate `reach`. Returns `true` if its case is that of the factored Hessian.
    pub(super) fn update_impulses(&mut self, rows: &mut [NewtonRow], reach: f64) -> bool {
        let cone = self.cone(rows);
        let (impulse, mut case) = project(&cone);
        let own = &mut rows[self.first_row..=self.friction_row()];
        let carried: f64 = own[..self.count].iter().map(|row| row.multiplier).sum();
        if reach > 0.0 && carried == 0.0 && case.is_apart() {
            let is_near = |i: usize| cone.free[i] * cone.compliance[i] > -reach;
            case.pushes = [is_near(0), self.count == 2 && is_near(1)];
            if cone.friction > 0.0 {
                case.friction = Friction::Sticks;
            }
        }
        for (i, row) in own[..self.count].iter_mut().enumerate() {
            row.impulse = impulse[i];
        }
        own[self.count].impulse = impulse[2];
        self.case = case;
        case == self.factored
    }

    /// Hands over the rows of the Hessian in the present case: a row with the same bodies, stiffness, Jacobian, and the rate
    /// of motion that corrects its error.
    pub(super) fn each_term(
        &self,
        rows: &[NewtonRow],
        mut with: impl FnMut(&NewtonRow, f64, [Triple; 2], f64),
    ) {
        if self.case.is_apart() {
            return;
        }
        let own = self.row_indices().map(|index| &rows[index]);
        for term in terms(&self.cone(rows), self.case).into_iter().flatten() {
            let mut jacobian = [[0.0; 3]; 2];
            let mut correction = 0.0;
            for (row, share) in own.into_iter().zip(term.shares) {
                correction += share * row.correction;
                for (sums, parts) in jacobian.iter_mut().zip(&row.jacobian) {
                    for (sum, part) in sums.iter_mut().zip(parts) {
                        *sum += share * part;
                    }
                }
            }
            with(own[0], term.stiffness, jacobian, correction);
        }
    }

    /// Returns the rise of its part of the slope at the full step along the search direction if the case is the same there;
    /// else the data of a line search.
    pub(super) fn rise_on_line(&self, rows: &[NewtonRow]) -> Result<f64, LineCone> {
        let own = self.row_indices().map(|index| &rows[index]);
        let line = LineCone {
            cone: self.cone(rows),
            fall: own.map(|row| row.stiffness * row.change),
            change: own.map(|row| row.change),
        };
        let ((start, case), (end, case_at_end)) = (line.project_at(0.0), line.project_at(1.0));
        if case != case_at_end {
            return Err(line);
        }
        let parts = (0..3).filter(|&i| i != 1 || self.count == 2);
        Ok(parts.map(|i| (start[i] - end[i]) * line.change[i]).sum())
    }

    /// Returns its part of the merit function at the present rates.
    #[cfg(test)]
    pub(super) fn merit(&self, rows: &[NewtonRow]) -> f64 {
        let cone = self.cone(rows);
        let (impulse, _) = project(&cone);
        let parts = impulse.iter().zip(cone.compliance);
        parts
            .map(|(impulse, compliance)| 0.5 * compliance * impulse * impulse)
            .sum()
    }
}

/// A contact along the search direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineCone {
    cone: Cone,
    /// Fall of the impulses before the projection, and changes of the rates, at the full step.
    fall: Triple,
    change: Triple,
}

impl LineCone {
    fn project_at(&self, share: f64) -> (Triple, ConeCase) {
        let mut cone = self.cone;
        for (free, fall) in cone.free.iter_mut().zip(self.fall) {
            *free -= share * fall;
        }
        project(&cone)
    }

    /// Returns its part of the slope of the merit at a step of `share`.
    pub(super) fn slope_at(&self, share: f64) -> f64 {
        let (impulse, _) = self.project_at(share);
        // The second of one point is zero.
        -dot_3(&impulse, &self.change)
    }
}
