//! Stability of a pile in equilibrium on soft contacts.

use super::pile_equilibrium::{ContactSite, PileEquilibrium, add_line};
use crate::linear::block_sparse::Triple;
use cairn2d_geometry::math::Vec2;

/// A force along a line, and its stiffness.
struct LoadedLine<'a> {
    site: &'a ContactSite,
    rows: &'a [Triple; 2],
    along: Vec2,
    /// [N]
    force: f64,
    /// Deflection per acceleration [s^2]; `None`: the line gives way.
    deflection: Option<f64>,
}

impl PileEquilibrium {
    /// Returns `true` if the equilibrium found by [`solve`](Self::solve) is stable on springs with the
    /// deflection of contacts per acceleration \[s^2\]: between moving bodies, and with immovable ones.
    ///
    /// It is stable if the tangent stiffness is positive definite, with the geometric stiffness of the
    /// forces: a force turns the body on which it acts, by `0.5 f . r` per square of the rotation, against it
    /// if the force points to the center.
    pub(crate) fn is_stable(&mut self, deflections: [f32; 2]) -> bool {
        self.factor.clear();
        for index in 0..self.contacts.len() {
            self.add_tangent_stiffness(index, deflections.map(f64::from));
        }
        // A body that does not rotate needs no support.
        for (body, _) in (0..)
            .zip(&self.lengths)
            .filter(|(_, length)| length.is_infinite())
        {
            self.factor.diagonal_mut(body)[2][2] += 1.0;
        }
        self.factor.compute()
    }

    fn add_tangent_stiffness(&mut self, index: usize, [moving, immovable]: [f64; 2]) {
        let contact = &self.contacts[index];
        let normal_deflection = if contact.ends.contains(&None) {
            immovable
        } else {
            moving
        };
        let tangent = Vec2::new(contact.normal.y, -contact.normal.x);
        let springs = self.springs[contact.springs.clone()].iter();
        let normals = springs.map(|spring| LoadedLine {
            site: &spring.site,
            rows: &spring.rows,
            along: contact.normal,
            force: spring.force,
            deflection: (spring.force > 0.0).then_some(normal_deflection),
        });
        // Friction is equally soft between all bodies.
        let friction = LoadedLine {
            site: &contact.friction_site,
            rows: &contact.rows,
            along: tangent,
            force: contact.friction_force,
            deflection: (!contact.is_sliding()).then_some(immovable),
        };
        for line in normals.chain([friction]) {
            if let Some(deflection) = line.deflection {
                let share = (f64::from(line.site.inv_mass) * deflection).sqrt().recip();
                let rows = line.rows.map(|row| row.map(|part| share * part));
                add_line(&mut self.factor, contact, &rows);
            }
            for (side, body) in contact.ends.into_iter().enumerate() {
                let Some(body) = body else { continue };
                let arm = [-1.0, 1.0][side] * f64::from(line.site.arms[side].dot(&line.along));
                let length = self.lengths[body as usize];
                self.factor.diagonal_mut(body)[2][2] += line.force * arm / (length * length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::body_equilibrium::BodyLoad;
    use super::*;

    const DOWN: Vec2 = Vec2::new(0.0, -1.0);

    /// A place with an effective mass of 1 kg.
    fn at(arms: [Vec2; 2]) -> ContactSite {
        ContactSite {
            arms,
            inv_mass: 1.0,
        }
    }

    #[test]
    fn body_on_stiff_feet_is_stable() {
        // Springs of stiffness k under two feet 2 b apart resist a rotation with 2 k b^2; a weight of 1 at
        // the height h drives it with h.
        let (foot, height) = (0.1_f32, 0.7_f32);
        let critical = 2.0 * foot * foot / height;
        for turns in [true, false] {
            let mut pile = PileEquilibrium::default();
            pile.add_body(
                BodyLoad::new(DOWN, 0.0),
                if turns { 0.7 } else { f32::INFINITY },
            );
            let middle = [Vec2::zeros(), Vec2::new(0.0, -height)];
            pile.add_contact(0, [None, Some(0)], -DOWN, at(middle), 0.5);
            for (point, x) in [-foot, foot].into_iter().enumerate() {
                let arms = [Vec2::zeros(), Vec2::new(x, -height)];
                pile.add_spring(point, at(arms), 0.0);
            }
            assert!(pile.solve(&mut { u64::MAX }));
            for share in [0.5, 0.999, 1.001, 2.0] {
                let expected = share < 1.0 || !turns;
                assert_eq!(pile.is_stable([share * critical; 2]), expected, "{share}");
            }
        }
    }
}
