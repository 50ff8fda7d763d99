//! Islands that get stiffer: what is pressed together then pushes no more than before.
//!
//! A contact stores half its stiffness times the square of its overlap. One that gets sixteen times the substeps while a fall presses it
//! together would push with 256 times the load, and give back 256 times what it was given: a column of a hundred boxes that fell by 5 cm
//! rose by 6 m. So each contact is *spared* the part of its overlap that the new stiffness makes more than it needs to push as
//! before: prepare reckons the overlap from there, as under a load at rest (`loads.rs`), of the other sign. Energy that is stored
//! becomes less then, never more. What is spared comes back little by little, so that a column is lifted, not thrown.

use super::substeps::LOOK_STEPS;
use crate::contact::constraint::{ConstraintPoint, constraint_flags};
use crate::island::NO_ISLAND;
use crate::softness::yield_at;
use crate::substep_level::SUBSTEP_LEVELS;
use crate::world::World;
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use core::cmp::Ordering;

/// How fast contacts get back what they are spared, relative to a fall by all of it.
///
/// What lifts a column by x in `sqrt(x)` seconds, slower and slower, brakes it with a constant share of gravity, here an eighth, and so throws nothing. With a
/// quarter of what is spared at each look a hundred boxes rose above where they fell from, and with a thirtieth a small pile slept overlapped.
const EASING: f32 = 0.5;

/// Most of what it is spared that a contact gets back at a look.
const MOST_EASED: f32 = 0.25;

/// What it gets back besides \[m\], so that there is an end, without gravity, too.
const EASED: f32 = 0.02 * LINEAR_SLOP;

impl World {
    /// Has `island` solved with this level of effort from now on, in steps of `dt` \[s\].
    pub(crate) fn lead_effort(&mut self, island: u32, level: u8, dt: f32) {
        let before = self.islands.slots[island as usize].effort;
        self.spare(island, before, level, dt);
        self.keep_pulls(island, before, level, dt);
        self.islands.set_effort(island, level);
    }

    /// Has the contacts of the softer of two islands that become one push no more than before.
    pub(crate) fn spare_the_softer(&mut self, [one, other]: [u32; 2]) {
        let [a, b] = [one, other].map(|island| self.islands.slots[island as usize].effort);
        // Nothing has been pressed together before the first step.
        let dt = self.history.last_h * self.def.substeps as f32;
        match a.cmp(&b) {
            _ if dt == 0.0 => {}
            Ordering::Less => {
                self.spare(one, a, b, dt);
                self.keep_pulls(one, a, b, dt);
            }
            Ordering::Greater => {
                self.spare(other, b, a, dt);
                self.keep_pulls(other, b, a, dt);
            }
            Ordering::Equal => {}
        }
    }

    /// Has contacts of `island` push no more than before as they go from one level of effort to another.
    fn spare(&mut self, island: u32, from: u8, to: u8, dt: f32) {
        if from == to {
            return;
        }
        let [old, new] = [from, to].map(|level| self.yields_at(level.into(), dt));
        let mut spared = 0.0;
        self.each_point(island, |is_fixed, point, separation, inv_mass| {
            let (old, new) = (old[is_fixed], new[is_fixed]);
            if new > old {
                // The overlap that it is spared stays the same.
                if point.rest_load < 0.0 {
                    point.rest_load *= old / new;
                }
            } else if separation < 0.0 {
                point.rest_load += separation / inv_mass * (1.0 / new - 1.0 / old);
            }
            spared += (-point.rest_load * new * inv_mass).max(0.0);
        });
        self.islands.slots[island as usize].spared = spared;
    }

    /// Leaves to `piece`, which was split off `island`, its part of what the contacts of both are spared.
    pub(crate) fn share_spared(&mut self, island: u32, piece: u32) {
        let all = self.islands.slots[island as usize].spared;
        if all <= 0.0 {
            return;
        }
        let dt = self.history.last_h * self.def.substeps as f32;
        let spared = self.spared_of(piece, dt);
        self.islands.slots[piece as usize].spared = spared;
        // Poses have changed since the sum was taken.
        self.islands.slots[island as usize].spared = (all - spared).max(0.0);
    }

    /// Returns what contacts of `island` are spared, all together \[m\].
    pub(super) fn spared_of(&mut self, island: u32, dt: f32) -> f32 {
        let yields = self.yields_at(self.islands.slots[island as usize].effort.into(), dt);
        let mut spared = 0.0;
        self.each_point(island, |is_fixed, point, _, inv_mass| {
            spared += (-point.rest_load * yields[is_fixed] * inv_mass).max(0.0);
        });
        spared
    }

    /// Takes back a share of what contacts of `island` are spared, and all that is more than their overlap.
    pub(crate) fn ease_spared(&mut self, island: u32, dt: f32) {
        let most = self.islands.slots[island as usize].spared;
        if most <= 0.0 {
            return;
        }
        let falling = LOOK_STEPS as f32 * dt * (self.def.gravity.norm() / most).sqrt();
        let share = (EASING * falling).min(MOST_EASED);
        let yields = self.yields_at(self.islands.slots[island as usize].effort.into(), dt);
        let mut left = 0.0;
        self.each_point(island, |is_fixed, point, separation, inv_mass| {
            let yield_of_1 = yields[is_fixed] * inv_mass;
            if point.rest_load < 0.0 {
                let spared = (point.rest_load * yield_of_1).max(separation.min(0.0));
                let kept = ((1.0 - share) * spared + EASED).min(0.0);
                point.rest_load = kept / yield_of_1;
                left -= kept;
            }
        });
        self.islands.slots[island as usize].spared = left;
    }

    /// How far contacts between moving bodies, and with what is fixed, yield to an acceleration of 1 at a level of effort [s^2].
    pub(super) fn yields_at(&self, level: usize, dt: f32) -> [f32; 2] {
        let effort = &SUBSTEP_LEVELS[level];
        let hertz = effort.contact_hertz(&self.def.tuning, dt, self.def.substeps);
        [hertz, 2.0 * hertz].map(yield_at)
    }

    /// Changes the points of the contacts of an island that may be spared something. `change` is told whether one of the bodies is fixed (1) or none (0), the
    /// point, its separation \[m\], and its inverse effective mass [1/kg].
    fn each_point(
        &mut self,
        island: u32,
        mut change: impl FnMut(usize, &mut ConstraintPoint, f32, f32),
    ) {
        let bodies = core::mem::take(&mut self.islands.slots[island as usize].bodies);
        for &slot in &bodies {
            for &contact in &self.bodies.slots[slot].contacts {
                if self.is_anothers(contact, slot) || !self.may_be_spared(contact) {
                    continue;
                }
                let constraint = &self.contacts.constraints[contact as usize];
                let is_fixed = usize::from(self.is_on_fixed(contact));
                let (placed, normal) = (
                    constraint.placed_points(&self.bodies.poses),
                    constraint.world_normal(&self.bodies.poses),
                );
                let inv_masses = placed
                    .map(|at| constraint.inv_effective_mass(&self.bodies.masses, at.arms, normal));
                let constraint = &mut self.contacts.constraints[contact as usize];
                let count = constraint.count.into();
                for (i, point) in constraint.points.iter_mut().enumerate().take(count) {
                    if inv_masses[i] > 0.0 {
                        change(is_fixed, point, placed[i].separation, inv_masses[i]);
                    }
                }
            }
        }
        self.islands.slots[island as usize].bodies = bodies;
    }

    /// Says whether a contact is come by at the other of its bodies, not at the one in `slot`: one of two bodies in islands is at B.
    pub(super) fn is_anothers(&self, contact: u32, slot: u32) -> bool {
        let end = self.contacts.constraints[contact as usize].body_b;
        end != slot && self.bodies.tracks[end as usize].island != NO_ISLAND
    }

    /// Says whether a contact of what was not put wrong, and does not hang on joints, pushes: those get stiffer, too, and bodies that were put into
    /// each other have been moved apart without a velocity.
    fn may_be_spared(&self, contact: u32) -> bool {
        let constraint = &self.contacts.constraints[contact as usize];
        let mut ends = [constraint.body_a, constraint.body_b].into_iter();
        constraint.flags & constraint_flags::INITIAL_ERROR == 0
            && self.contacts.is_solved(contact)
            && ends.all(|body| self.bodies.slots[body].joints.is_empty())
    }

    pub(super) fn is_on_fixed(&self, contact: u32) -> bool {
        let constraint = &self.contacts.constraints[contact as usize];
        let mut ends = [constraint.body_a, constraint.body_b].into_iter();
        ends.any(|body| self.bodies.masses[body as usize].inv_mass == 0.0)
    }
}
