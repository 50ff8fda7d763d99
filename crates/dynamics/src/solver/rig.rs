//! A minimal world for tests of the solver: bodies, contacts with fixed anchors, joints.

use super::{BodyOrder, Bouncing, ColorLists, SolveInput, Solver, SolverWorld, WarmStarting};
use crate::body::state::{BodyMass, BodyMotion, BodyPose, BodyState, state_flags};
use crate::body::states::BodyStates;
use crate::contact::constraint::{ConstraintPoint, ContactConstraint, constraint_flags};
use crate::graph::{COLORS, ConstraintList};
use crate::joint::base::joint_flags;
use crate::joint::sim::JointSim;
use crate::solver::batches::IslandBatches;
use crate::tuning::Tuning;
use crate::workers::StepWorkers;
use cairn2d_geometry::math::{Vec2, WorldPoint, sin_cos, vec2};
use cairn2d_simd::Width;

/// The arrays of a world, and the work of a world between steps.
pub(crate) struct Rig {
    pub(crate) dt: f32,
    pub(crate) substeps: u32,
    pub(crate) gravity: Vec2,
    pub(crate) tuning: Tuning,
    pub(crate) states: BodyStates,
    pub(crate) poses: Vec<BodyPose>,
    pub(crate) masses: Vec<BodyMass>,
    pub(crate) motions: Vec<BodyMotion>,
    pub(crate) statics: Vec<bool>,
    pub(crate) constraints: Vec<ContactConstraint>,
    pub(crate) joints: Vec<JointSim>,
    /// Contact and joint slots of each color, then those of the overflow.
    pub(crate) colors: Vec<(Vec<u32>, Vec<u32>)>,
    pub(crate) overflow: (Vec<u32>, Vec<u32>),
    pub(crate) solver: Solver,
    pub(crate) threads: usize,
    pub(crate) batches: IslandBatches,
    pub(crate) order: BodyOrder,
}

/// Kind and mass of a body.
#[derive(Clone, Copy)]
pub(crate) enum Made {
    Static,
    Kinematic,
    /// Of this mass [kg] and inertia [kg m^2].
    Dynamic(f32, f32),
}

impl Rig {
    /// Returns a world without bodies, with gravity and 60 steps a second.
    pub(crate) fn new(width: Width) -> Self {
        Self {
            dt: 1.0 / 60.0,
            substeps: 4,
            gravity: vec2(0.0, -10.0),
            tuning: Tuning::default(),
            states: BodyStates::default(),
            poses: Vec::new(),
            masses: Vec::new(),
            motions: Vec::new(),
            statics: Vec::new(),
            constraints: Vec::new(),
            joints: Vec::new(),
            colors: Vec::new(),
            overflow: (Vec::new(), Vec::new()),
            solver: Solver::new(width),
            threads: 1,
            batches: IslandBatches::default(),
            order: BodyOrder::Slots,
        }
    }

    /// Adds a body at (`x`, `y`) rotated by `angle` \[rad\], and returns its slot.
    pub(crate) fn body(&mut self, made: Made, x: f64, y: f64, angle: f32) -> u32 {
        let (s, c) = sin_cos(angle);
        let mut state = BodyState::IDENTITY;
        let mut mass = BodyMass::default();
        if let Made::Dynamic(kilograms, inertia) = made {
            state.flags = state_flags::DYNAMIC;
            mass.inv_mass = 1.0 / kilograms;
            mass.inv_inertia = 1.0 / inertia;
        }
        self.states.push(state);
        self.masses.push(mass);
        self.statics.push(matches!(made, Made::Static));
        self.poses.push(BodyPose {
            center: WorldPoint::new(x, y),
            rotation: vec2(c, s),
            local_center: vec2(0.0, 0.0),
        });
        self.motions.push(BodyMotion {
            force: vec2(0.0, 0.0),
            torque: 0.0,
            gravity_scale: 1.0,
            linear_damping: 0.0,
            angular_damping: 0.0,
            max_linear_speed: 400.0,
            max_angular_speed: f32::INFINITY,
        });
        self.states.len() as u32 - 1
    }

    /// Adds a square box of 1 m and 1 kg.
    pub(crate) fn unit_box(&mut self, x: f64, y: f64) -> u32 {
        self.body(Made::Dynamic(1.0, 1.0 / 6.0), x, y, 0.0)
    }

    /// Adds a contact with the normal `normal` in A's frame and points given as (anchor on A, anchor on B).
    pub(crate) fn contact(&mut self, a: u32, b: u32, normal: Vec2, points: &[(Vec2, Vec2)]) -> u32 {
        let mut flags = 0;
        if self.statics[a as usize] {
            flags |= constraint_flags::STATIC_A;
        }
        if self.statics[b as usize] {
            flags |= constraint_flags::STATIC_B;
        }
        let mut stored = [ConstraintPoint::default(); 2];
        for (slot, (anchor_a, anchor_b)) in stored.iter_mut().zip(points) {
            slot.anchor_a = *anchor_a;
            slot.anchor_b = *anchor_b;
        }
        if let [(anchor_a, anchor_b)] = *points {
            // Without round parts, the centers are the anchors.
            (stored[1].anchor_a, stored[1].anchor_b) = (anchor_a, anchor_b);
        }
        self.constraints.push(ContactConstraint {
            body_a: a,
            body_b: b,
            flags,
            count: points.len() as u16,
            features: [0, 1],
            normal,
            friction: 0.6,
            restitution: 0.0,
            rolling_resistance: 0.0,
            tangent_speed: 0.0,
            rolling_impulse: 0.0,
            half_angle: 0.0,
            points: stored,
        });
        self.constraints.len() as u32 - 1
    }

    /// Adds a joint.
    pub(crate) fn joint(&mut self, mut joint: JointSim) -> u32 {
        if self.statics[joint.base.body_a as usize] {
            joint.base.flags |= joint_flags::STATIC_A;
        }
        if self.statics[joint.base.body_b as usize] {
            joint.base.flags |= joint_flags::STATIC_B;
        }
        self.joints.push(joint);
        self.joints.len() as u32 - 1
    }

    /// Adds every constraint to the first of `max` colors that has neither of its bodies, or else to the
    /// overflow.
    pub(crate) fn color(&mut self, max: usize) {
        self.colors = vec![(Vec::new(), Vec::new()); max];
        self.overflow = (Vec::new(), Vec::new());
        let mut used = vec![vec![false; self.states.len()]; max];
        let joints = self.joints.iter().map(|j| (j.base.body_a, j.base.body_b));
        let contacts = self.constraints.iter().map(|p| (p.body_a, p.body_b));
        for (i, (a, b)) in joints.enumerate() {
            match take_color(&mut used, &self.statics, a, b) {
                Some(color) => self.colors[color].1.push(i as u32),
                None => self.overflow.1.push(i as u32),
            }
        }
        for (i, (a, b)) in contacts.enumerate() {
            match take_color(&mut used, &self.statics, a, b) {
                Some(color) => self.colors[color].0.push(i as u32),
                None => self.overflow.0.push(i as u32),
            }
        }
    }

    /// Sorts the constraints of `color` into `count` batches; `batch_of` returns the batch of a body.
    pub(crate) fn sort(&mut self, count: usize, batch_of: impl Fn(u32) -> u32) {
        let mut lists: Vec<[ConstraintList; 2]> = vec![Default::default(); COLORS + 1];
        let owner = |a: u32, b: u32| if self.statics[a as usize] { b } else { a };
        let places = self.colors.iter().enumerate();
        for (color, (contacts, joints)) in places.chain([(COLORS, &self.overflow)]) {
            for &slot in contacts {
                let constraint = &self.constraints[slot as usize];
                lists[color][0].push(slot, owner(constraint.body_a, constraint.body_b));
            }
            for &slot in joints {
                let base = &self.joints[slot as usize].base;
                lists[color][1].push(slot, owner(base.body_a, base.body_b));
            }
        }
        let colors: Vec<_> = lists.iter().map(|list| list.each_ref()).collect();
        let (awake, bound) = (self.awake(), self.states.len());
        self.batches.sort(count, &awake, bound, &colors, batch_of);
    }

    /// Returns the bodies that are not static. Spatial order is some other order: even slots first.
    fn awake(&self) -> Vec<u32> {
        let mut slots: Vec<u32> = (0..self.states.len() as u32)
            .filter(|&slot| !self.statics[slot as usize])
            .collect();
        if self.order == BodyOrder::Places {
            slots.sort_by_key(|slot| slot % 2);
        }
        slots
    }

    /// Advances by one step, and applies the motions to the poses.
    pub(crate) fn step(&mut self) {
        let awake = self.awake();
        let lists = |(contacts, joints): &(Vec<u32>, Vec<u32>)| -> (Vec<u32>, Vec<u32>) {
            (contacts.clone(), joints.clone())
        };
        let all = self.colors.iter().chain([&self.overflow]);
        let owned: Vec<_> = all.map(lists).collect();
        let colors: Vec<ColorLists<'_>> = owned
            .iter()
            .map(|(contacts, joints)| ColorLists { contacts, joints })
            .collect();
        let joint_traits: Vec<_> = self.joints.iter().map(JointSim::traits).collect();
        self.solver.begin_step();
        let (solver, threads) = (&mut self.solver, self.threads);
        StepWorkers::with(threads, None, |workers| {
            solver.solve(SolveInput {
                world: SolverWorld {
                    gravity: self.gravity,
                    tuning: &self.tuning,
                    states: &mut self.states,
                    poses: &self.poses,
                    masses: &self.masses,
                    motions: &self.motions,
                    constraints: &mut self.constraints,
                    joints: &mut self.joints,
                },
                dt: self.dt,
                substeps: self.substeps,
                last_h: self.dt / self.substeps as f32,
                carried_growth: 1.0,
                awake: &awake,
                order: self.order,
                joint_traits: &joint_traits,
                lists: &colors,
                batches: &self.batches,
                warm_start: WarmStarting::On,
                bouncing: Bouncing::Perhaps,
                workers,
            })
        });
        for slot in awake {
            self.finalize(slot as usize);
        }
    }

    fn finalize(&mut self, slot: usize) {
        let (state, pose) = (&mut self.states[slot], &mut self.poses[slot]);
        pose.center += state.delta_position;
        let (d, q) = (state.delta_rotation, pose.rotation);
        let turned = vec2(d.x * q.x - d.y * q.y, d.x * q.y + d.y * q.x);
        pose.rotation = turned / turned.norm();
        state.delta_position = vec2(0.0, 0.0);
        state.delta_rotation = vec2(1.0, 0.0);
    }

    /// Advances by `seconds`.
    pub(crate) fn run(&mut self, seconds: f32) {
        for _ in 0..(seconds / self.dt).round() as u32 {
            self.step();
        }
    }

    /// Returns the bits of all results of a step.
    pub(crate) fn bits(&self) -> Vec<u64> {
        let mut bits = Vec::new();
        for (state, pose) in self.states.iter().zip(&self.poses) {
            bits.extend([pose.center.x.to_bits(), pose.center.y.to_bits()]);
            bits.extend(pose.rotation.iter().map(|v| u64::from(v.to_bits())));
            bits.extend(state.velocity.iter().map(|v| u64::from(v.to_bits())));
            bits.push(state.angular_velocity.to_bits().into());
        }
        for constraint in &self.constraints {
            bits.push(constraint.rolling_impulse.to_bits().into());
        }
        for point in self.constraints.iter().flat_map(|p| p.points) {
            bits.push(point.normal_impulse.to_bits().into());
            bits.push(point.tangent_impulse.to_bits().into());
            bits.push(point.total_normal_impulse.to_bits().into());
        }
        bits
    }
}

fn take_color(used: &mut [Vec<bool>], statics: &[bool], a: u32, b: u32) -> Option<usize> {
    let (a, b) = (a as usize, b as usize);
    let taken = |color: &Vec<bool>| (!statics[a] && color[a]) || (!statics[b] && color[b]);
    let color = used.iter().position(|color| !taken(color))?;
    used[color][a] = true;
    used[color][b] = true;
    Some(color)
}
