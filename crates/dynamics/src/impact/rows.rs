//! Rows of an impact problem: contact points, speculative vertices and friction.

use super::ImpactScene;
use super::speculative_vertices::{SpeculativeVertex, list_speculative_vertices};
use crate::body::table::BodyTable;
use crate::id::NO_SLOT;
use cairn2d_geometry::math::{Vec2, cross};

/// Approach speed of points above which their impact is solved before the substeps [m/s]. The substeps stop
/// slower bodies within millimeters.
pub(crate) const MIN_IMPACT_SPEED: f64 = 1.0;

/// Greatest factor, with a margin, by which an impact at one vertex accelerates the other end of a body: a
/// rod gains a half.
const MAX_SPEED_GAIN: f32 = 2.0;

/// Rows of an impact, and memory to list them.
#[derive(Clone, Debug, Default)]
pub(crate) struct ImpactRows {
    pub(crate) rows: Vec<ImpactRow>,
    vertices: Vec<SpeculativeVertex>,
}

/// A row: two points of bodies A and B, and a line along which impulses act.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpactRow {
    pub(crate) contact: u32,
    /// Index of the point in its contact; `None` for speculative vertices and friction.
    pub(crate) point: Option<usize>,
    /// Of a normal row, A is pushed against the normal and B along it.
    pub(crate) ends: [ImpactRowEnd; 2],
    /// Velocity of B relative to A along the line [m/s].
    pub(crate) speed: f64,
    /// Approach speed that closes the gap within the step [m/s].
    pub(crate) allowed_speed: f64,
}

/// A body of a row, and its response to an impulse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ImpactRowEnd {
    pub(crate) body: u32,
    /// Unit vector along which the body is pushed: derivative of the speed by the velocity.
    pub(crate) line: [f64; 2],
    /// Moment arm of the line about the center of mass \[m\]: derivative of the speed by the angular
    /// velocity.
    moment_arm: f64,
    /// Change of velocity by a unit impulse [1/kg].
    pub(crate) velocity_change: [f64; 2],
    /// Change of angular velocity by a unit impulse [1/(kg m)].
    pub(crate) spin_change: f64,
}

impl ImpactScene<'_> {
    /// Returns an upper bound of the relative speed of any two points of the bodies of a contact [m/s].
    pub(crate) fn max_relative_speed(&self, contact: u32) -> f32 {
        let constraint = &self.contacts.constraints[contact as usize];
        let [a, b] = constraint.bodies().map(|body| body as usize);
        let spin = |body: usize| {
            let spin = self.bodies.states[body].angular_velocity.abs();
            spin * self.bodies.tracks[body].max_extent
        };
        let relative = self.bodies.states[a].velocity - self.bodies.states[b].velocity;
        relative.norm() + spin(a) + spin(b)
    }
}

impl ImpactRows {
    /// Adds the points of a contact.
    pub(crate) fn list_points(&mut self, scene: &ImpactScene<'_>, contact: u32) {
        let constraint = &scene.contacts.constraints[contact as usize];
        let normal = constraint.world_normal(&scene.bodies.poses);
        for index in 0..constraint.count as usize {
            let placed = constraint.placed_point(index, &scene.bodies.poses);
            let allowed_speed = placed.separation.max(0.0) / scene.dt;
            let bodies = constraint.bodies();
            let row = ImpactRow::new(scene.bodies, bodies, normal, placed.arms, allowed_speed);
            self.rows.push(ImpactRow {
                contact,
                point: Some(index),
                ..row
            });
        }
    }

    /// Adds the vertices that an impact at the points of a contact may turn onto the other shape within the
    /// step.
    pub(crate) fn list_vertices(&mut self, scene: &ImpactScene<'_>, contact: u32) {
        let constraint = &scene.contacts.constraints[contact as usize];
        let max_gap = MAX_SPEED_GAIN * scene.max_relative_speed(contact) * scene.dt;
        list_speculative_vertices(scene, contact, max_gap, &mut self.vertices);
        let normal = constraint.world_normal(&scene.bodies.poses);
        for vertex in &self.vertices {
            let SpeculativeVertex { gap, distance, .. } = *vertex;
            // The vertex moves on an arc about the contact point, where its normal velocity grows by up to 1
            // / share. With the allowed speed, even the final velocity only closes the gap.
            let share = distance / (distance * distance + gap * gap).sqrt();
            let allowed_speed = share * gap / scene.dt;
            let bodies = constraint.bodies();
            let row = ImpactRow::new(scene.bodies, bodies, normal, vertex.arms, allowed_speed);
            self.rows.push(ImpactRow {
                contact,
                point: None,
                ..row
            });
        }
    }
}

impl ImpactRow {
    /// Returns the row of the points at `arms` from the centers of mass of two bodies, along the unit vector
    /// `line`. They may approach at `allowed_speed` [m/s].
    pub(crate) fn new(
        bodies: &BodyTable,
        [a, b]: [u32; 2],
        line: Vec2,
        [arm_a, arm_b]: [Vec2; 2],
        allowed_speed: f32,
    ) -> Self {
        let ends = [
            ImpactRowEnd::new(bodies, a, -line, arm_a),
            ImpactRowEnd::new(bodies, b, line, arm_b),
        ];
        let speed = |end: &ImpactRowEnd| {
            let state = &bodies.states[end.body as usize];
            let [x, y] = end.line;
            f64::from(state.velocity.x) * x
                + f64::from(state.velocity.y) * y
                + f64::from(state.angular_velocity) * end.moment_arm
        };
        Self {
            contact: NO_SLOT,
            point: None,
            speed: ends.iter().map(speed).sum(),
            allowed_speed: allowed_speed.into(),
            ends,
        }
    }

    /// Returns `true` if the points approach too fast for the substeps.
    pub(crate) fn is_fast(&self) -> bool {
        self.speed + self.allowed_speed < -MIN_IMPACT_SPEED
    }

    /// Returns the change of this row's speed by a unit impulse of `other` [1/kg].
    pub(crate) fn coupling(&self, other: &Self) -> f64 {
        let of_ends = |end: &ImpactRowEnd, pushed: &ImpactRowEnd| {
            if end.body != pushed.body {
                return 0.0;
            }
            let linear =
                end.line[0] * pushed.velocity_change[0] + end.line[1] * pushed.velocity_change[1];
            linear + end.moment_arm * pushed.spin_change
        };
        let pairs = self.ends.iter().flat_map(|end| {
            let of_end = move |pushed| of_ends(end, pushed);
            other.ends.iter().map(of_end)
        });
        pairs.sum()
    }
}

impl ImpactRowEnd {
    fn new(bodies: &BodyTable, body: u32, line: Vec2, arm: Vec2) -> Self {
        let mass = &bodies.masses[body as usize];
        let line_64 = [f64::from(line.x), f64::from(line.y)];
        let moment_arm = f64::from(cross(&arm, &line));
        Self {
            body,
            line: line_64,
            moment_arm,
            velocity_change: line_64.map(|component| component * f64::from(mass.inv_mass)),
            spin_change: moment_arm * f64::from(mass.inv_inertia),
        }
    }
}
