//! Reads an island: its bodies, joints and contacts become the rows of a system.

use super::model::JOINT_REGULARIZATION;
use super::system::NewtonSystem;
use super::{IslandLists, NewtonTables};
use crate::articulation::body::DirectBody;
use crate::articulation::vector::{DVec, small_angle_of};
use crate::body::state::state_flags;
use crate::contact::constraint::constraint_flags;
use crate::id::NO_SLOT;
use crate::joint::base::joint_flags;
use crate::solver::IntegrationStep;
use crate::step_context::StepContext;

/// Speed scale in a world without gravity and forces, relative to the greatest speed.
const SPEED_SHARE: f64 = 0.01;

/// Least scale of velocities \[m/s\].
const MIN_SCALE: f64 = 1.0e-5;

impl IslandLists {
    /// Lists the bodies of an island that constraints act on, its contacts and its joints.
    pub(crate) fn fill(&mut self, tables: &NewtonTables<'_>, island: u32) {
        self.bodies.clear();
        self.contacts.clear();
        self.joints.clear();
        let is_free = |&slot: &u32| {
            tables.bodies.states[slot as usize].flags & state_flags::UNCONSTRAINED == 0
        };
        let bodies = &tables.islands.slots[island as usize].bodies;
        self.bodies.extend(bodies.iter().copied().filter(is_free));
        self.bodies.sort_unstable();
        for &slot in &self.bodies {
            let body = &tables.bodies.slots[slot];
            let contacts = body.contacts.iter().copied();
            self.contacts.extend(contacts.filter(|&contact| {
                let flags = tables.contacts.constraints[contact as usize].flags;
                tables.contacts.is_solved(contact) && flags & constraint_flags::INACTIVE == 0
            }));
            self.joints.extend(tables.joints.solved_joints_of(body));
        }
        for list in [&mut self.contacts, &mut self.joints] {
            list.sort_unstable();
            list.dedup();
        }
    }
}

impl NewtonSystem {
    /// Reads the listed bodies and constraints for `count` substeps. Returns `false` if a joint cannot be expressed by rows.
    pub(crate) fn gather(
        &mut self,
        ctx: &StepContext<'_>,
        tables: &mut NewtonTables<'_>,
        lists: &mut IslandLists,
        count: u32,
    ) -> bool {
        if lists.bodies.is_empty() {
            return false;
        }
        let h = ctx.dt / count as f32;
        let coarseness = f64::from(ctx.def.substeps) / f64::from(count);
        self.joint_share = JOINT_REGULARIZATION / (coarseness * coarseness);
        self.gather_bodies(ctx, tables, lists);
        self.rows.clear();
        self.joints.clear();
        self.joint_rows.clear();
        self.contacts.clear();
        let mut is_solvable = true;
        let poses = &tables.bodies.poses;
        for &joint in &lists.joints {
            let sim = &mut tables.joints.sims[joint as usize];
            let ends = [sim.base.body_a, sim.base.body_b].map(|body| lists.places[body as usize]);
            is_solvable &= sim.base.flags & joint_flags::INITIAL_ERROR == 0
                && self.add_joint(joint, sim, poses, ends, h);
        }
        for &slot in &lists.contacts {
            let constraint = &tables.contacts.constraints[slot as usize];
            let ends = constraint.bodies().map(|body| lists.places[body as usize]);
            self.add_contact(slot, constraint, poses, ends, f64::from(h / ctx.last_h));
        }
        for body in &self.bodies {
            lists.places[body.slot as usize] = NO_SLOT;
        }
        self.analyze();
        self.scale = self.velocity_scale(ctx, f64::from(h));
        is_solvable
    }

    /// Lists the bodies, and the fixed and kinematic ones that constraints connect them to.
    fn gather_bodies(
        &mut self,
        ctx: &StepContext<'_>,
        tables: &NewtonTables<'_>,
        lists: &mut IslandLists,
    ) {
        let h = ctx.dt / ctx.def.substeps as f32;
        let drive = IntegrationStep::new(ctx.dt, h, ctx.def.gravity);
        let bodies = &tables.bodies;
        let places = &mut lists.places;
        places.resize(bodies.states.len().max(places.len()), NO_SLOT);
        self.bodies.clear();
        let origin = &bodies.poses[lists.bodies[0] as usize];
        let mut add = |slot: u32| {
            let i = slot as usize;
            if places[i] != NO_SLOT {
                return;
            }
            places[i] = self.bodies.len() as u32;
            let state = &bodies.states[i];
            let mut body = DirectBody::new(
                slot,
                (&bodies.poses[i], origin),
                state,
                (&bodies.masses[i], &bodies.motions[i]),
                &drive,
            );
            if body.is_free() {
                // Depenetration has moved the body.
                let turn = DVec::wide(state.delta_rotation);
                body.shift(DVec::wide(state.delta_position), small_angle_of(turn));
            }
            self.bodies.push(body);
        };
        lists.bodies.iter().for_each(|&slot| add(slot));
        for &joint in &lists.joints {
            tables.joints.slots[joint]
                .bodies()
                .into_iter()
                .for_each(&mut add);
        }
        for &contact in &lists.contacts {
            let ends = tables.contacts.constraints[contact as usize].bodies();
            ends.into_iter().for_each(&mut add);
        }
    }

    fn velocity_scale(&self, ctx: &StepContext<'_>, h: f64) -> f64 {
        let gravity = h * f64::from(ctx.def.gravity.norm());
        if gravity > 0.0 {
            return gravity;
        }
        let speeds = self.bodies.iter().map(|body| body.velocity.norm());
        MIN_SCALE.max(SPEED_SHARE * speeds.fold(0.0, f64::max))
    }
}
