//! Direct solver of articulations: islands that only joints hold together, all rows at once, in `f64`.
//!
//! Each substep is a step of RATTLE ([Andersen83]): a half kick by the forces, position impulses, drift, a
//! half kick, velocity impulses. It is symplectic and time-reversible, so a pendulum keeps its energy. The
//! matrix J M^-1 J^T is factored once a substep, so a chain holds a thousand times its weight, and welded
//! beams are rigid. Existing errors (joints created with a gap, rounding of poses between steps) are
//! corrected without velocity.

pub(crate) mod vector;
pub(crate) mod body;
pub(crate) mod row;
mod structure;
mod active_set;
pub(crate) mod substep;
pub(crate) mod choice;

use crate::body::state::{BodyMass, BodyMotion, BodyPose, BodyState, state_flags};
use crate::id::NO_SLOT;
use crate::joint::row_request::{JointCoordinate, RowRequests, RowTarget};
use crate::joint::sim::JointSim;
use crate::linear::block_sparse::Triple;
use crate::solver::IntegrationStep;
use active_set::DirectStage;
use body::{DirectBody, DirectPose};
use cairn2d_geometry::math::Vec2;
use row::{DirectJoint, DirectRow};
use structure::{JointShape, MAX_FACTOR_FLOPS, RowPair, Structures};
use vector::DVec;

/// Input and output of the direct solver for one island.
struct DirectInput<'a> {
    /// Length of the step [s], and the number of the world's substeps.
    dt: f32,
    substeps: u32,
    /// [m/s^2]
    gravity: Vec2,
    /// Share of an error that is corrected in a substep of the world.
    correction: f32,
    /// By body slot.
    states: &'a mut [BodyState],
    poses: &'a [BodyPose],
    masses: &'a [BodyMass],
    motions: &'a [BodyMotion],
    /// By joint slot.
    joints: &'a mut [JointSim],
    /// Slots of the island's bodies and joints.
    body_slots: &'a [u32],
    joint_slots: &'a [u32],
}

/// Scratch memory of the direct solver.
#[derive(Clone, Debug, Default)]
struct DirectSolver {
    bodies: Vec<DirectBody>,
    joints: Vec<DirectJoint>,
    /// Rows of all joints.
    rows: Vec<DirectRow>,
    structures: Structures,
    /// Whether the factor belongs to the present Jacobians and states of the rows.
    is_matrix_current: bool,
    /// Addition to the diagonal of the matrix, relative to it; 0 unless the substep is near a singular position.
    regularization: f64,
    /// Whether a substep that does not converge is regularized. Else the step can be repeated with more substeps.
    can_regularize: bool,
    has_dampers: bool,
    has_springs: bool,
    /// Whether there are motors, or limits: rows with a bounded impulse.
    has_motors: bool,
    has_limits: bool,
    /// Whether all iterations converged, and all corrections and spins were small enough.
    is_converged: bool,
    /// Operations that are left for the step.
    flops_left: u64,
    /// By block of rows: velocity changes, then impulses.
    changes: Vec<RowPair>,
    /// By body: velocities and spins before a stage.
    velocities: Vec<(DVec, f64)>,
    /// By body: trial poses, and corrections (x, y, angle).
    trial: Vec<DirectPose>,
    shifts: Vec<Triple>,
    /// Index of the body by body slot; `NO_SLOT` between uses.
    places: Vec<u32>,
    /// Shapes of the joints.
    shapes: Vec<JointShape>,
}

/// Greatest error of an island that is solved directly [m] or [rad]; iterated soft rows close larger gaps.
const MAX_DIRECT_ERROR: f64 = 0.1;

/// Operations of a round of the iterations for a row.
const ROUND_FLOPS: u64 = 125;

impl DirectSolver {
    /// Advances the bodies of an island by the step and stores the impulses of its joints. Returns `false`,
    /// and changes nothing, if that is not possible.
    fn solve(&mut self, input: &mut DirectInput<'_>) -> bool {
        if !self.gather(input) {
            return false;
        }
        let Some(mut substeps) = self.substeps_for(input) else {
            return false;
        };
        self.update_rows();
        if !self.is_close() {
            return false;
        }
        let most = self.most_substeps(substeps);
        while !self.try_substeps(input, substeps, most) {
            substeps *= 2;
            if substeps > most || self.is_exhausted() || !self.gather(input) {
                return false;
            }
            self.update_rows();
        }
        self.store(input, substeps);
        true
    }

    /// Runs a step of `substeps` substeps; returns `true` if its result can be used.
    fn try_substeps(&mut self, input: &DirectInput<'_>, substeps: u32, most: u32) -> bool {
        self.can_regularize = substeps >= most;
        self.run(input, substeps);
        self.is_converged
            && !self.is_exhausted()
            && self.is_close()
            && self.bodies.iter().all(DirectBody::is_finite)
    }

    /// Returns `true` if the work of the step has been used.
    fn is_exhausted(&self) -> bool {
        self.flops_left == 0
    }

    /// Counts the operations of a round of the iterations.
    fn count_round(&mut self) {
        let flops = ROUND_FLOPS * self.rows.len() as u64;
        self.flops_left = self.flops_left.saturating_sub(flops);
    }

    /// Counts the operations of a matrix and its factor.
    fn count_factor(&mut self) {
        let flops = self.structures.present().flops();
        self.flops_left = self.flops_left.saturating_sub(flops);
    }

    /// Advances velocities, not poses, by `time` \[s\], which may be negative.
    ///
    /// Iterated substeps kick and then drift, so their velocities lag half a substep behind their poses.
    /// The velocities of bodies in free flight do not.
    fn shift_phase(&mut self, input: &mut DirectInput<'_>, time: f64) {
        if !self.gather(input) {
            return;
        }
        self.update_rows();
        self.kick(time);
        // Not a part of the step that the budget could leave out.
        let flops_left = core::mem::replace(&mut self.flops_left, u64::MAX);
        self.solve_rows(DirectStage::Velocity, time.abs());
        self.flops_left = flops_left;
        if self.bodies.iter().all(DirectBody::is_finite) {
            for body in self.bodies.iter().filter(|body| body.is_free()) {
                let state = &mut input.states[body.slot as usize];
                if state.flags & state_flags::UNCONSTRAINED == 0 {
                    body.store_velocity(state);
                }
            }
        }
    }

    /// Reads bodies and joints. Returns `false` if a joint cannot be solved directly, or the factor would be
    /// too large.
    fn gather(&mut self, input: &mut DirectInput<'_>) -> bool {
        let drive = IntegrationStep::new(input.dt, input.dt / input.substeps as f32, input.gravity);
        self.regularization = 0.0;
        self.can_regularize = false;
        self.gather_bodies(input, &drive);
        let is_solvable = self.gather_joints(input);
        for body in &self.bodies {
            self.places[body.slot as usize] = NO_SLOT;
        }
        is_solvable
    }

    /// Returns `true` if no error is too large to be corrected here.
    fn is_close(&self) -> bool {
        let is_close = |row: &DirectRow| row.open_error().abs() <= MAX_DIRECT_ERROR;
        self.rows.iter().all(is_close)
    }

    fn gather_bodies(&mut self, input: &DirectInput<'_>, drive: &IntegrationStep) {
        self.places
            .resize(input.states.len().max(self.places.len()), NO_SLOT);
        self.bodies.clear();
        let origin = input.body_slots[0];
        let mut add = |slot: u32| {
            let i = slot as usize;
            if self.places[i] == NO_SLOT {
                self.places[i] = self.bodies.len() as u32;
                let poses = (&input.poses[i], &input.poses[origin as usize]);
                let masses = (&input.masses[i], &input.motions[i]);
                let state = &input.states[i];
                self.bodies
                    .push(DirectBody::new(slot, poses, state, masses, drive));
            }
        };
        input.body_slots.iter().for_each(|&slot| add(slot));
        for &joint in input.joint_slots {
            let base = &input.joints[joint as usize].base;
            add(base.body_a);
            add(base.body_b);
        }
    }

    /// Lists joints and rows. Returns `false` if a joint has parts that cannot be solved
    /// directly, or the factor would be too large.
    fn gather_joints(&mut self, input: &mut DirectInput<'_>) -> bool {
        self.shapes.clear();
        self.joints.clear();
        self.rows.clear();
        let mut requests = RowRequests::new();
        for &slot in input.joint_slots {
            let sim = &mut input.joints[slot as usize];
            if !sim.list_rows(&mut requests) {
                return false;
            }
            let ends = [sim.base.body_a, sim.base.body_b].map(|body| self.places[body as usize]);
            self.shapes.push(JointShape {
                ends,
                rows: requests.len() as u32,
            });
            let ends = ends.into();
            let mut joint = DirectJoint::new(slot, sim, input.poses, ends, &self.bodies);
            for request in requests.iter() {
                if let (JointCoordinate::Length, RowTarget::Equal(length)) =
                    (request.coordinate, request.target)
                {
                    joint.length = length;
                }
            }
            self.joints.push(joint);
            let rows = requests.iter().map(|request| DirectRow::new(ends, request));
            self.rows.extend(rows);
        }
        let has = |is: fn(&RowTarget) -> bool| self.rows.iter().any(|row| is(&row.target));
        self.has_motors = has(|target| matches!(target, RowTarget::Velocity(_)));
        self.has_limits = has(RowTarget::is_limit);
        self.has_springs = has(|target| matches!(target, RowTarget::Spring(_)));
        self.structures.choose(&self.shapes, &self.bodies);
        self.structures.present().flops() <= MAX_FACTOR_FLOPS
    }

    /// Writes velocities, motions and impulses back.
    fn store(&self, input: &mut DirectInput<'_>, substeps: u32) {
        for body in self.bodies.iter().filter(|body| body.is_free()) {
            body.store(&mut input.states[body.slot as usize]);
        }
        let h = input.dt / substeps as f32;
        for (place, joint) in self.joints.iter().enumerate() {
            let rows = &self.rows[self.structures.present().rows_of(place)];
            let frames = joint.frames(|body| self.bodies[body as usize].pose);
            let direction = match rows.first() {
                Some(row) => frames.direction(row.coordinate).narrow(),
                None => Vec2::new(1.0, 0.0),
            };
            let impulses = rows.iter().map(|row| row.total as f32);
            input.joints[joint.slot as usize].store_impulses(impulses, direction, h);
        }
    }
}
