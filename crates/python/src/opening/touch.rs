//! A contact of a body of an open linkage with a static shape: `b2ContactSolver` of Box2D 2.3.

use super::manifold::Manifold;
use super::part::{Part, cross};
use super::{MAX_PUSH, SLOP};
use cairn2d::math::{Pose, Vec2};
use cairn2d::{Shape, ShapeId, World};

/// Condition number up to which two points are solved at once.
const MAX_CONDITION: f32 = 1000.0;

/// Shares of an overlap that an iteration corrects: in a step (`b2_baumgarte`), and after a sweep (`b2_toiBaugarte`).
const PUSH_SHARES: [f32; 2] = [0.2, 0.75];

/// One point while velocities are solved.
#[derive(Clone, Copy, Debug, Default)]
struct TouchRow {
    arm: Vec2,
    normal_mass: f32,
    tangent_mass: f32,
    normal_impulse: f32,
    tangent_impulse: f32,
}

/// A shape of a body, and a static shape near it.
#[derive(Clone, Debug)]
pub(super) struct Touch {
    pub(super) part: usize,
    pub(super) shapes: [ShapeId; 2],
    pub(super) ground_pose: Pose,
    friction: f32,
    manifold: Option<Manifold>,
    normal: Vec2,
    rows: [TouchRow; 2],
    count: usize,
    /// Inverse effective masses of two points: of each, and of both.
    block: [f32; 3],
}

/// Which iterations of positions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Correction {
    Step,
    Sweep,
}

impl Touch {
    pub(super) fn new(part: usize, shapes: [ShapeId; 2], ground_pose: Pose, friction: f32) -> Self {
        Self {
            part,
            shapes,
            ground_pose,
            friction,
            manifold: None,
            normal: Vec2::zeros(),
            rows: [TouchRow::default(); 2],
            count: 0,
            block: [0.0; 3],
        }
    }

    pub(super) fn geometry<'a>(&self, world: &'a World) -> [&'a Shape; 2] {
        self.shapes.map(|shape| world.shape(shape).geometry())
    }

    /// Finds the points; returns whether there are any.
    pub(super) fn find(&mut self, world: &World, parts: &[Part]) -> bool {
        let [ground, shape] = self.geometry(world);
        self.manifold = Manifold::find(ground, &self.ground_pose, shape, &parts[self.part]);
        self.manifold.is_some()
    }

    pub(super) const fn is_touching(&self) -> bool {
        self.manifold.is_some()
    }

    /// Prepares the iterations of velocities.
    pub(super) fn prepare(&mut self, parts: &[Part]) {
        let Some(manifold) = &self.manifold else {
            self.count = 0;
            return;
        };
        let part = &parts[self.part];
        self.count = manifold.count;
        self.normal = manifold.contact(0, part).normal;
        let tangent = Vec2::new(self.normal.y, -self.normal.x);
        let stiffness = |turn: f32| part.inv_mass + part.inv_inertia * turn * turn;
        for at in 0..self.count {
            let arm = manifold.middle(at, part) - part.center;
            let [along, across] = [self.normal, tangent].map(|axis| stiffness(cross(arm, axis)));
            let inverse = |x: f32| if x > 0.0 { 1.0 / x } else { 0.0 };
            self.rows[at] = TouchRow {
                arm,
                normal_mass: inverse(along),
                tangent_mass: inverse(across),
                ..TouchRow::default()
            };
        }
        if self.count == 2 {
            let [one, other] = [0, 1].map(|at| cross(self.rows[at].arm, self.normal));
            let both = part.inv_mass + part.inv_inertia * one * other;
            self.block = [stiffness(one), stiffness(other), both];
            let [k11, k22, k12] = self.block;
            // Points that say almost the same are one.
            if k11 * k11 >= MAX_CONDITION * (k11 * k22 - k12 * k12) {
                self.count = 1;
            }
        }
    }

    /// The impulses, which iterations change.
    pub(super) fn impulses(&self) -> impl Iterator<Item = f32> {
        let rows = self.rows[..self.count].iter();
        rows.flat_map(|row| [row.normal_impulse, row.tangent_impulse])
    }

    /// Corrects the velocities.
    pub(super) fn solve_velocity(&mut self, parts: &mut [Part]) {
        let part = &mut parts[self.part];
        let tangent = Vec2::new(self.normal.y, -self.normal.x);
        for row in &mut self.rows[..self.count] {
            let speed = part.velocity_at(row.arm).dot(&tangent);
            let most = self.friction * row.normal_impulse;
            let before = row.tangent_impulse;
            row.tangent_impulse = (before - row.tangent_mass * speed).clamp(-most, most);
            part.push(tangent, row.arm, row.tangent_impulse - before);
        }
        match self.count {
            0 => {}
            1 => {
                let row = &mut self.rows[0];
                let speed = part.velocity_at(row.arm).dot(&self.normal);
                let before = row.normal_impulse;
                row.normal_impulse = (before - row.normal_mass * speed).max(0.0);
                part.push(self.normal, row.arm, row.normal_impulse - before);
            }
            _ => self.solve_both(part),
        }
    }

    /// Solves two points at once: the impulses push, and where one does, the point does not approach.
    fn solve_both(&mut self, part: &mut Part) {
        let before = [0, 1].map(|at| self.rows[at].normal_impulse);
        let speeds = [0, 1].map(|at| part.velocity_at(self.rows[at].arm).dot(&self.normal));
        let [k11, k22, k12] = self.block;
        // Speeds without the impulses so far.
        let free = [
            speeds[0] - (k11 * before[0] + k12 * before[1]),
            speeds[1] - (k12 * before[0] + k22 * before[1]),
        ];
        let determinant = k11 * k22 - k12 * k12;
        let both = [
            -(k22 * free[0] - k12 * free[1]) / determinant,
            -(k11 * free[1] - k12 * free[0]) / determinant,
        ];
        let (first, second) = (-free[0] / k11, -free[1] / k22);
        let impulses = if both[0] >= 0.0 && both[1] >= 0.0 {
            both
        } else if first >= 0.0 && k12 * first + free[1] >= 0.0 {
            [first, 0.0]
        } else if second >= 0.0 && k12 * second + free[0] >= 0.0 {
            [0.0, second]
        } else if free[0] >= 0.0 && free[1] >= 0.0 {
            [0.0, 0.0]
        } else {
            return;
        };
        for (at, impulse) in impulses.into_iter().enumerate() {
            let arm = self.rows[at].arm;
            part.push(self.normal, arm, impulse - before[at]);
            self.rows[at].normal_impulse = impulse;
        }
    }

    /// Corrects the positions; returns the least separation before [m].
    pub(super) fn solve_position(&self, parts: &mut [Part], correction: Correction) -> f32 {
        let Some(manifold) = &self.manifold else {
            return 0.0;
        };
        let share = PUSH_SHARES[usize::from(correction == Correction::Sweep)];
        let part = &mut parts[self.part];
        let mut least = 0.0_f32;
        for at in 0..manifold.count {
            let contact = manifold.contact(at, part);
            least = least.min(contact.separation);
            let arm = contact.point - part.center;
            let turn = cross(arm, contact.normal);
            let stiffness = part.inv_mass + part.inv_inertia * turn * turn;
            let push = (share * (contact.separation + SLOP)).clamp(-MAX_PUSH, 0.0);
            if stiffness > 0.0 {
                part.shift(contact.normal, arm, -push / stiffness);
            }
        }
        least
    }
}
