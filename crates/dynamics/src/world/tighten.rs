//! Pins of islands that get stiffer: they pull no more than before, and close little by little.
//!
//! A pin stores half its stiffness times the square of its gap. A taut bridge that has come down by its own weight, its pins open by centimetres, threw
//! a ball that fell on it ten times as high as it came from when it got 16 times the substeps at once. So each pin is *spared* the part of its
//! gap that the new stiffness makes more than it needs to pull as before: prepare reckons the gap from there.
//!
//! In an island with more effort than the world's, what is spared then becomes less by a share of the gap at each look, and less than nothing under a
//! load that stays: what the pin bears without a gap, the multiplier of an augmented Lagrangian ([NocedalWright06, sec. 17.3]).

use super::substeps::LOOK_STEPS;
use crate::graph::GraphPlace;
use crate::joint::base::joint_flags;
use crate::joint::sim::JointSim;
use crate::softness::{joint_hertz, yield_at};
use crate::substep_level::SUBSTEP_LEVELS;
use crate::world::World;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::tolerance::LINEAR_SLOP;

/// Time in which gaps close [s]: slow beside what hangs and swings, so that closing does not drive it.
const CLOSING_TIME: f32 = 2.0;

/// Speed, on average over the masses, up to which pins of an island close under their load [m/s]: what swings and bounces would be driven.
const CREEPING: f32 = 0.4;

/// Most of its gap that a pin is spared less, or more, at a look.
const MOST_CLOSED: f32 = 0.25;

/// Most gap that a load without one is worth [m].
const MOST_BORNE: f32 = 4.0 * LINEAR_SLOP;

/// What is spared and does not count [m].
const NEXT_TO_NOTHING: f32 = 1.0e-3 * LINEAR_SLOP;

impl World {
    /// Has pins of `island` pull as before as they go from one level of effort to another.
    pub(super) fn keep_pulls(&mut self, island: u32, from: u8, to: u8, dt: f32) {
        if from == to {
            return;
        }
        let [old, new] = [from, to].map(|level| self.yield_of_pins(level, dt));
        if old == 0.0 {
            return;
        }
        let share = new / old;
        self.each_pin(island, |pin, gap| {
            let spared = pin.base.rest_offset();
            pin.base.set_rest_offset(within(
                gap - share * (gap - spared),
                spared.norm().max(gap.norm()),
            ));
            true
        });
    }

    /// Has pins of `island` close little by little: where it gets more effort than the world's and is next to rest, whatever they bear; else until
    /// all of their gaps pulls.
    pub(super) fn tighten(&mut self, island: u32, dt: f32) {
        let record = &self.islands.slots[island as usize];
        let is_direct = self.islands.direct.contains(island);
        let bears = record.effort > 0 && !is_direct && self.hardly_moves(island);
        if !bears && !record.spares_pins {
            return;
        }
        let share = (LOOK_STEPS as f32 * dt / CLOSING_TIME).min(MOST_CLOSED);
        self.each_pin(island, |pin, gap| {
            let spared = pin.base.rest_offset();
            let way = if bears { gap } else { spared };
            let left = within(spared - share * way, spared.norm());
            if is_direct || !bears && left.norm() < NEXT_TO_NOTHING {
                pin.base.clear_rest_offset();
                return false;
            }
            pin.base.set_rest_offset(left);
            true
        });
    }

    /// Says whether the bodies of `island`, by their masses, are next to rest: planks may tremble under what they bear.
    fn hardly_moves(&self, island: u32) -> bool {
        let (mut mass, mut energy) = (0.0, 0.0);
        for &body in &self.islands.slots[island as usize].bodies {
            let inv_mass = self.bodies.masses[body as usize].inv_mass;
            if inv_mass > 0.0 {
                mass += 1.0 / inv_mass;
                energy += self.bodies.states[body as usize].velocity.norm_squared() / inv_mass;
            }
        }
        energy < CREEPING * CREEPING * mass
    }

    /// How far a pin yields to an acceleration of 1 at a level of effort [s^2].
    fn yield_of_pins(&self, level: u8, dt: f32) -> f32 {
        let effort = &SUBSTEP_LEVELS[usize::from(level)];
        let h = dt / effort.substeps(self.def.substeps) as f32;
        let [hertz, _] = effort.joints(&self.def.tuning);
        yield_at(joint_hertz(hertz, h))
    }

    /// Changes the pins of `island` that have been solved and are as stiff as the world's. `change` is told the gap \[m\], and says whether the pin is spared anything.
    fn each_pin(&mut self, island: u32, mut change: impl FnMut(&mut JointSim, Vec2) -> bool) {
        let bodies = core::mem::take(&mut self.islands.slots[island as usize].bodies);
        let mut is_any_spared = false;
        for &body in &bodies {
            for &joint in &self.bodies.slots[body].joints {
                let record = &self.joints.slots[joint];
                let is_anothers = record.body_a != body && self.bodies.is_dynamic(record.body_a);
                let sim = &mut self.joints.sims[joint as usize];
                if is_anothers || record.graph == GraphPlace::NONE || !is_pin(sim) {
                    continue;
                }
                let gap = sim.base.gap(&self.bodies.poses);
                is_any_spared |= change(sim, gap);
            }
        }
        let record = &mut self.islands.slots[island as usize];
        record.bodies = bodies;
        record.spares_pins = is_any_spared;
    }
}

/// Says whether the joint holds its anchors together with the world's stiffness, and has done so before.
fn is_pin(joint: &JointSim) -> bool {
    joint.is_pinned()
        && joint.base.flags & joint_flags::INITIAL_ERROR == 0
        && joint.base.substep > 0.0
}

/// Returns `way`, no longer than `most` or what a load may be worth.
fn within(way: Vec2, most: f32) -> Vec2 {
    let (length, most) = (way.norm(), most.max(MOST_BORNE));
    if length > most {
        (most / length) * way
    } else {
        way
    }
}
