//! A pile in balance: all its bodies settled on each other at once, as on springs.
//!
//! Two cards that lean on each other stand, and neither stands on the other as on something fixed: what they bear cannot be told from the top
//! down. Here each body has a way and a turn; each point is a spring of the same stiffness along its normal, and each contact one along its
//! tangent, between two bodies of the pile or from one to what is fixed. Springs only push, those of points that are apart begin to where the gap is closed,
//! and tangents hold as far as friction does.
//!
//! With given bounds of friction the ways are the least of a convex energy, found by Newton's method, damped where a step would
//! go too far. Then friction is bounded by what the contacts bear, and so on, until that changes nothing; it comes near slowly
//! where one slipping contact bears by another, so bounds are changed by a share that follows from the last changes \[Irons69\].

use super::envelope::{BLOCK, Envelope, push};
use super::settle::{LEAK, Load, MOST_LEAK, Row, dot, norm, row, share_friction};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use core::ops::Range;

/// Equations that may be solved for a pile: a house of forty cards takes 35 to 180.
const STEPS: usize = 300;

/// Multiplications that these may take in all: some 20 ms.
const MOST_WORK: usize = 20_000_000;

/// How far springs yield under the mean weight of a body [m]: gaps much wider than that bear nothing, as long as something else does.
const YIELD: f64 = 0.02 * LINEAR_SLOP as f64;

/// Damping of the first step, relative to the stiffness of a spring, and by what it changes.
const DAMPING: f64 = 1.0e-2;
const DAMPING_FACTOR: f64 = 10.0;

/// Loads that may be left unbalanced, and friction beyond what holds, relative to the weight of all.
const UNBALANCED: f64 = 1.0e-6;

/// Difference of energies by which they may be rounded, relative to them.
const LEVEL: f64 = 1.0e-10;

/// Share of their excess by which bounds are changed at first, and the least and most later.
const FIRST_SHARE: f64 = 0.5;
const SHARES: [f64; 2] = [0.1, 4.0];

/// That share where excess grows: onward, to where others slip.
const ONWARD_SHARE: f64 = 1.0;

/// Where two bodies push each other along a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    /// From the centres of A and B [m].
    pub(crate) arms: [Vec2; 2],
    /// Of both bodies, along the line [1/kg].
    pub(crate) inv_mass: f32,
}

/// A point at which two bodies push each other apart.
#[derive(Clone, Copy, Debug)]
struct Spring {
    /// Index of the point in its contact.
    point: usize,
    at: At,
    /// On A and on B.
    rows: [Row; 2],
    /// [m].
    gap: f64,
    /// [N].
    force: f64,
}

/// A contact between two bodies of the pile, or with something that is fixed.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub(crate) contact: u32,
    /// Ranks of A and B; `None` is fixed.
    ends: [Option<u32>; 2],
    normal: Vec2,
    friction: f64,
    /// In the list of all springs.
    springs: Range<usize>,
    /// Where friction acts, and along the tangent, on A and on B.
    middle: At,
    rows: [Row; 2],
    /// Along the tangent on B [N].
    friction_force: f64,
    /// What friction holds at most [N].
    bound: f64,
    /// By what the bound was too low in the last round [N].
    excess: f64,
}

/// The bodies of a pile, by rank, and what is between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Balance {
    loads: Vec<Row>,
    lengths: Vec<f64>,
    springs: Vec<Spring>,
    pub(crate) links: Vec<Link>,
    /// Of all loads [N].
    weight: f64,
    /// Ways and turns of all bodies, by springs of a stiffness of 1 [N].
    ways: Vec<f64>,
    old_ways: Vec<f64>,
    /// What is unbalanced at these ways [N], and the step that balances it.
    unbalanced: Vec<f64>,
    step: Vec<f64>,
    matrix: Envelope,
    steps_left: usize,
}

impl Balance {
    pub(crate) fn clear(&mut self) {
        self.loads.clear();
        self.lengths.clear();
        self.springs.clear();
        self.links.clear();
    }

    /// Adds the body of the next rank under a load. Turns count by the way of what is `length` from its centre; one of infinite length
    /// does not turn.
    pub(crate) fn add_body(&mut self, load: Load, length: f32) {
        let length = length.into();
        self.loads.push(load.per_length(length));
        self.lengths.push(length);
    }

    /// Adds a contact; its normal points from A to B. Friction acts in the middle of its points.
    pub(crate) fn add_link(
        &mut self,
        contact: u32,
        ends: [Option<u32>; 2],
        normal: Vec2,
        middle: At,
        friction: f32,
    ) {
        let start = self.springs.len();
        let tangent = Vec2::new(normal.y, -normal.x);
        self.links.push(Link {
            contact,
            ends,
            normal,
            friction: friction.into(),
            springs: start..start,
            rows: rows_along(tangent, ends, middle.arms, &self.lengths),
            middle,
            friction_force: 0.0,
            bound: f64::INFINITY,
            excess: 0.0,
        });
    }

    /// Adds a point to the last contact.
    pub(crate) fn add_spring(&mut self, point: usize, at: At, separation: f32) {
        let Some(link) = self.links.last_mut() else {
            return;
        };
        self.springs.push(Spring {
            point,
            at,
            rows: rows_along(link.normal, link.ends, at.arms, &self.lengths),
            gap: separation.max(0.0).into(),
            force: 0.0,
        });
        link.springs.end += 1;
    }

    /// Finds the forces that hold all bodies; says whether there are any.
    pub(crate) fn solve(&mut self) -> bool {
        let pairs = self.links.iter().filter_map(|link| match link.ends {
            [Some(a), Some(b)] => Some([a, b]),
            _ => None,
        });
        self.matrix.shape(self.loads.len(), pairs);
        self.weight = self.loads.iter().map(|load| norm(load)).sum();
        self.steps_left = STEPS.min(MOST_WORK / self.matrix.work().max(1));
        self.ways.clear();
        self.ways.resize(BLOCK * self.loads.len(), 0.0);
        if self.weight >= f32::MAX.into() {
            return false;
        }
        let mut share = FIRST_SHARE;
        while self.find_ways() && self.is_held() {
            if self.bound_friction(&mut share) {
                return true;
            }
        }
        false
    }

    /// Goes to the ways at which all forces are in balance, friction within its bounds; says whether they were found.
    fn find_ways(&mut self) -> bool {
        let mut energy = self.take_forces();
        let mut unbalanced = norm(&self.unbalanced);
        let mut damping = DAMPING;
        while unbalanced > UNBALANCED * self.weight {
            if self.steps_left == 0 {
                return false;
            }
            self.steps_left -= 1;
            self.write_stiffness(damping);
            if !self.matrix.factor() {
                return false;
            }
            self.step.clone_from(&self.unbalanced);
            self.matrix.solve(&mut self.step);
            self.old_ways.clone_from(&self.ways);
            for (way, step) in self.ways.iter_mut().zip(&self.step) {
                *way += step;
            }
            let reached = self.take_forces();
            let left = norm(&self.unbalanced);
            // Near the least, energies differ by less than they are rounded.
            let is_level = reached - energy <= LEVEL * energy.abs();
            if reached < energy || is_level && left < 0.5 * unbalanced {
                (energy, unbalanced) = (reached, left);
                damping /= DAMPING_FACTOR;
            } else {
                self.ways.clone_from(&self.old_ways);
                self.take_forces();
                damping *= DAMPING_FACTOR;
            }
        }
        true
    }

    /// Takes the forces at the ways, and what is unbalanced there; returns the energy.
    fn take_forces(&mut self) -> f64 {
        let ways = &self.ways;
        let unbalanced = &mut self.unbalanced;
        let stiffness = self.weight / (self.loads.len() as f64 * YIELD);
        let loads = self.loads.iter().flatten().zip(ways);
        let mut energy: f64 = loads
            .clone()
            .map(|(load, way)| (0.5 * LEAK * way - load) * way)
            .sum();
        unbalanced.clear();
        unbalanced.extend(loads.map(|(load, way)| load - LEAK * way));
        for link in &mut self.links {
            for spring in &mut self.springs[link.springs.clone()] {
                let stretch = stretch(ways, &link.ends, &spring.rows);
                spring.force = (-stretch - stiffness * spring.gap).max(0.0);
                energy += 0.5 * spring.force * spring.force;
                push(unbalanced, &link.ends, &spring.rows, spring.force);
            }
            let wanted = -stretch(ways, &link.ends, &link.rows);
            let force = wanted.clamp(-link.bound, link.bound);
            energy += force * (wanted - 0.5 * force);
            push(unbalanced, &link.ends, &link.rows, force);
            link.friction_force = force;
        }
        energy
    }

    /// Writes the stiffness of what holds at the ways.
    fn write_stiffness(&mut self, damping: f64) {
        self.matrix.clear(LEAK + damping);
        for link in &self.links {
            let springs = &self.springs[link.springs.clone()];
            for spring in springs.iter().filter(|spring| spring.force > 0.0) {
                self.matrix.add_products(&link.ends, &spring.rows);
            }
            if !link.slips() {
                self.matrix.add_products(&link.ends, &link.rows);
            }
        }
    }

    /// Says whether every body is held by what touches it.
    fn is_held(&self) -> bool {
        let most = MOST_LEAK * self.weight / self.loads.len() as f64;
        let mut ways = self.ways.chunks_exact(BLOCK);
        ways.all(|way| LEAK * norm(way) <= most)
    }

    /// Bounds friction by what the contacts bear, changing bounds by `share` of their excess; says whether it kept within that before.
    fn bound_friction(&mut self, share: &mut f64) -> bool {
        let (mut along, mut square, mut worst) = (0.0, 0.0, 0.0_f64);
        for link in &mut self.links {
            let springs = &self.springs[link.springs.clone()];
            let most = link.friction * springs.iter().map(|spring| spring.force).sum::<f64>();
            let excess = if link.slips() {
                most - link.bound
            } else {
                (most - link.friction_force.abs()).min(0.0)
            };
            if !link.slips() {
                link.bound = most;
            }
            let change = excess - link.excess;
            along += link.excess * change;
            square += change * change;
            worst = worst.max(excess.abs());
            link.excess = excess;
        }
        if square > 0.0 {
            let secant = -*share * along / square;
            *share = if secant > 0.0 {
                secant.clamp(SHARES[0], SHARES[1])
            } else {
                ONWARD_SHARE
            };
        }
        for link in self.links.iter_mut().filter(|link| link.slips()) {
            link.bound = (link.bound + *share * link.excess).max(0.0);
        }
        worst <= UNBALANCED * self.weight
    }

    /// Says whether what [`solve`](Self::solve) found would stay so on springs as soft as contacts are, which yield so far to an acceleration of 1
    /// \[s^2\]: between bodies that move, and with what is fixed. That is where no ways make the forces do more work than the springs take.
    ///
    /// A force turns the body that it acts on, the further the longer its arm: `0.5 f . r` for the square of the turn, against its stand where the
    /// force points to the centre.
    pub(crate) fn stays(&mut self, yields: [f32; 2]) -> bool {
        let Self {
            lengths,
            springs,
            links,
            matrix,
            ..
        } = self;
        let [moving, fixed] = yields.map(f64::from);
        matrix.clear(0.0);
        for link in links {
            let normal_yields = if link.ends.contains(&None) {
                fixed
            } else {
                moving
            };
            let tangent = Vec2::new(link.normal.y, -link.normal.x);
            let springs = springs[link.springs.clone()].iter();
            let pushes = springs.map(|spring| {
                let holds = spring.force > 0.0;
                let yields = holds.then_some(normal_yields);
                (&spring.at, &spring.rows, link.normal, spring.force, yields)
            });
            // Friction holds as softly wherever it is.
            let yields = (!link.slips()).then_some(fixed);
            let rub = (
                &link.middle,
                &link.rows,
                tangent,
                link.friction_force,
                yields,
            );
            for (at, rows, along, force, yields) in pushes.chain([rub]) {
                if let Some(yields) = yields {
                    let share = (f64::from(at.inv_mass) * yields).sqrt().recip();
                    let rows = rows.map(|row| row.map(|part| share * part));
                    matrix.add_products(&link.ends, &rows);
                }
                for (side, body) in link.ends.into_iter().enumerate() {
                    let Some(body) = body else { continue };
                    let arm = [-1.0, 1.0][side] * f64::from(at.arms[side].dot(&along));
                    let length = lengths[body as usize];
                    matrix.add_turn(body, force * arm / (length * length));
                }
            }
        }
        // What does not turn needs no hold.
        for (body, _) in (0..)
            .zip(lengths)
            .filter(|(_, length)| length.is_infinite())
        {
            matrix.add_turn(body, 1.0);
        }
        matrix.factor()
    }

    /// Returns the force along the normal and friction at a point of a contact [N]: points share friction as they bear.
    pub(crate) fn forces_at(&self, link: &Link, point: usize) -> [f32; 2] {
        let springs = self.springs[link.springs.clone()].iter();
        let forces = springs.map(|spring| (spring.point, spring.force));
        share_friction(forces, link.friction_force, point)
    }
}

impl Link {
    fn slips(&self) -> bool {
        self.friction_force.abs() >= self.bound
    }
}

fn rows_along(along: Vec2, ends: [Option<u32>; 2], arms: [Vec2; 2], lengths: &[f64]) -> [Row; 2] {
    [0, 1].map(|side| match ends[side] {
        Some(rank) => row(along, arms[side], lengths[rank as usize]),
        None => [0.0; 3],
    })
}

/// Returns by how much B goes away from A along rows.
fn stretch(ways: &[f64], ends: &[Option<u32>; 2], rows: &[Row; 2]) -> f64 {
    let part = |side: usize| match ends[side] {
        Some(rank) => {
            let at = BLOCK * rank as usize;
            dot(&rows[side], &[ways[at], ways[at + 1], ways[at + 2]])
        }
        None => 0.0,
    };
    part(1) - part(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::math::sin_cos;

    fn tan(angle: f32) -> f32 {
        let (sin, cos) = sin_cos(angle);
        sin / cos
    }

    const DOWN: Vec2 = Vec2::new(0.0, -1.0);

    /// Of an effective mass of 1.
    fn at(arms: [Vec2; 2]) -> At {
        At {
            arms,
            inv_mass: 1.0,
        }
    }

    /// Two bars that lean on each other at an angle of `slope` from the vertical: half length 1, weight 1, centres at height
    /// `cos`. Returns the forces at the left foot, at the top and at the right foot, normal and friction.
    fn lean(slope: f32, friction: f32) -> Option<[[f32; 2]; 3]> {
        let (sin, cos) = sin_cos(slope);
        let mut balance = Balance::default();
        for _ in 0..2 {
            balance.add_body(Load::new(DOWN, 0.0), 1.0);
        }
        let mut touch = |contact, ends, normal, arms: [Vec2; 2]| {
            balance.add_link(contact, ends, normal, at(arms), friction);
            balance.add_spring(0, at(arms), 0.0);
        };
        let [low, high] = [-1.0, 1.0].map(|side| Vec2::new(side * sin, -cos));
        touch(0, [None, Some(0)], -DOWN, [Vec2::zeros(), low]);
        touch(1, [Some(0), Some(1)], Vec2::x(), [-low, -high]);
        touch(2, [None, Some(1)], -DOWN, [Vec2::zeros(), high]);
        balance.solve().then(|| {
            let links = [0, 1, 2].map(|i| &balance.links[i]);
            links.map(|link| balance.forces_at(link, 0))
        })
    }

    #[test]
    fn leaning_bars_push_each_other_as_far_as_they_lean() {
        // Moments about the foot: the push at the height of twice the centre holds the weight at its arm.
        let slope = 0.4;
        let push = 0.5 * tan(slope);
        let found = lean(slope, 0.7).expect("friction holds the feet");
        // On B, along the tangent, which points to the right at the feet.
        let expected = [[1.0, push], [push, 0.0], [1.0, -push]];
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - expected).abs() < 1.0e-5, "{found}, not {expected}");
        }
    }

    #[test]
    fn leaning_bars_slide_apart_where_friction_is_too_low() {
        let slope = 0.4;
        let needed = 0.5 * tan(slope);
        assert!(lean(slope, needed + 0.01).is_some());
        assert!(lean(slope, needed - 0.01).is_none());
    }

    #[test]
    fn what_is_apart_bears_only_where_it_must() {
        // A plank on three posts, of which one is a millimetre low: the law of the lever for the others.
        let plank = |gaps: [f32; 3]| {
            let mut balance = Balance::default();
            balance.add_body(Load::new(6.0 * DOWN, 0.0), 1.0);
            for (contact, (x, gap)) in (0..).zip([-1.0, 0.5, 1.0].into_iter().zip(gaps)) {
                let arms = [Vec2::zeros(), Vec2::new(x, 0.0)];
                balance.add_link(contact, [None, Some(0)], -DOWN, at(arms), 0.5);
                balance.add_spring(0, at(arms), gap);
            }
            assert!(balance.solve());
            let links = [0, 1, 2].map(|i| &balance.links[i]);
            links.map(|link| balance.forces_at(link, 0)[0])
        };
        for (gaps, expected) in [
            ([0.0, 0.001, 0.0], [3.0, 0.0, 3.0]),
            ([0.0, 0.0, 0.001], [2.0, 4.0, 0.0]),
        ] {
            for (found, expected) in plank(gaps).iter().zip(expected) {
                assert!((found - expected).abs() < 1.0e-4, "{found}, not {expected}");
            }
        }
    }

    #[test]
    fn what_stands_stays_where_its_feet_are_stiff_enough() {
        // Springs of stiffness k under two feet 2 b apart take a turn back with 2 k b^2; a weight of 1 at the height h drives it on with h.
        let (foot, height) = (0.1_f32, 0.7_f32);
        let critical = 2.0 * foot * foot / height;
        for turns in [true, false] {
            let mut balance = Balance::default();
            balance.add_body(
                Load::new(DOWN, 0.0),
                if turns { 0.7 } else { f32::INFINITY },
            );
            let middle = [Vec2::zeros(), Vec2::new(0.0, -height)];
            balance.add_link(0, [None, Some(0)], -DOWN, at(middle), 0.5);
            for (point, x) in [-foot, foot].into_iter().enumerate() {
                let arms = [Vec2::zeros(), Vec2::new(x, -height)];
                balance.add_spring(point, at(arms), 0.0);
            }
            assert!(balance.solve());
            for share in [0.5, 0.999, 1.001, 2.0] {
                let expected = share < 1.0 || !turns;
                assert_eq!(balance.stays([share * critical; 2]), expected, "{share}");
            }
        }
    }

    #[test]
    fn nothing_holds_what_falls() {
        let mut balance = Balance::default();
        balance.add_body(Load::new(DOWN, 0.0), 1.0);
        assert!(!balance.solve());
    }
}
