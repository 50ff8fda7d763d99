//! Energy of bounces with friction: a round of impacts may not create any.
//!
//! Newton's law `v' = -e v` prescribes the velocity after an impact, whatever friction does meanwhile. Where
//! friction reverses the slip, as at the end of a spinning rod, it adds up to half of the energy again
//! ([Stronge90]). An impact without bounce always loses energy: its impulses do the work
//! `x (v + v') / 2 = x v' - x W x / 2`, and neither stopped normals nor friction have a positive `x v'`. Between it and
//! the bounce of Newton's law the work is a quadratic function of the share of the bounce. So a round that would create
//! energy bounces by the share at which it keeps it exactly. All shares satisfy the law of friction and the joints,
//! which are convex.

use super::block::ContactBlock;
use super::restitution::contact_velocities;
use super::states::SharedStates;
use crate::body::state::BodyState;
use cairn2d_simd::{F32, Lanes, Simd, Single, Vector};

/// Share of the work of all impulses that counts as rounding.
const WORK_ROUNDING: f64 = 1.0e-6;

/// Bodies and contacts of a round at one time: before it, or after an impact with or without bounce.
#[derive(Debug, Default)]
pub(super) struct RoundState {
    bodies: Vec<BodyState>,
    /// Of each contact: the impulses of both points and of friction [N s].
    impulses: Vec<[f32; 3]>,
    /// The velocities on which these impulses act [m/s].
    velocities: Vec<[f32; 3]>,
}

/// Work of the impulses of a round as a function of the share of the bounce: `plastic + linear s + square s^2` [J].
#[derive(Clone, Copy, Debug)]
struct BounceWork {
    plastic: f64,
    linear: f64,
    square: f64,
}

impl BounceWork {
    /// Returns the share in 0 to 1 at which the work is zero. It is negative at 0 and positive at 1.
    fn lossless_share(self) -> f32 {
        let Self {
            plastic,
            linear,
            square,
        } = self;
        let root = (linear * linear - 4.0 * square * plastic).max(0.0).sqrt();
        // Of the two forms of the root, the one that does not cancel.
        let share = if linear > 0.0 {
            -2.0 * plastic / (linear + root)
        } else {
            (root - linear) / (2.0 * square)
        };
        if share >= 0.0 {
            share.min(1.0) as f32
        } else {
            0.0
        }
    }
}

impl RoundState {
    /// Reads the present states of the bodies and contacts of a round.
    pub(super) fn read(
        &mut self,
        states: SharedStates<'_>,
        bodies: &[u32],
        contacts: &[ContactBlock<F32<Single>>],
    ) {
        self.bodies.clear();
        // SAFETY: one thread solves impacts.
        let state = |&body: &u32| unsafe { states.get(body) };
        self.bodies.extend(bodies.iter().map(state));
        let of = |lanes: F32<Single>| lanes.as_slice()[0];
        self.impulses.clear();
        self.velocities.clear();
        for block in contacts {
            let [p, q] = &block.points;
            let impulses = [p.impulse, q.impulse, block.friction.impulse];
            self.impulses.push(impulses.map(of));
            self.velocities
                .push(contact_velocities(block, states).map(of));
        }
    }

    /// Writes the states of the bodies back.
    pub(super) fn write_bodies(&self, states: SharedStates<'_>, bodies: &[u32]) {
        for (&body, state) in bodies.iter().zip(&self.bodies) {
            // SAFETY: as above.
            unsafe { states.set(body, state) };
        }
    }

    /// Returns `true` if the impulses that led here from `start` have added energy.
    pub(super) fn has_gained(&self, start: &Self) -> bool {
        let (mut work, mut size) = (0.0, 0.0);
        for (impulses, [before, after]) in self.rows(start) {
            for i in 0..3 {
                let impulse = f64::from(impulses[i]);
                work += 0.5 * impulse * f64::from(before[i] + after[i]);
                size += (impulse * f64::from(before[i])).abs();
            }
        }
        work > WORK_ROUNDING * size
    }

    fn rows<'a>(
        &'a self,
        start: &'a Self,
    ) -> impl Iterator<Item = (&'a [f32; 3], [&'a [f32; 3]; 2])> {
        let velocities = start.velocities.iter().zip(&self.velocities);
        let pairs = velocities.map(|(before, after)| [before, after]);
        self.impulses.iter().zip(pairs)
    }

    /// Moves from the impact without bounce toward `bounced` as far as the impulses add no energy to `start`.
    pub(super) fn bounce_without_gain(&mut self, start: &Self, bounced: &Self) {
        let mut work = BounceWork {
            plastic: 0.0,
            linear: 0.0,
            square: 0.0,
        };
        let both = self.rows(start).zip(bounced.rows(start));
        for ((plastic, [before, stopped]), (elastic, [_, thrown])) in both {
            for i in 0..3 {
                let [x, v, v_stopped] = [plastic[i], before[i], stopped[i]].map(f64::from);
                let (dx, dv) = (f64::from(elastic[i]) - x, f64::from(thrown[i]) - v_stopped);
                work.plastic += 0.5 * x * (v + v_stopped);
                work.linear += 0.5 * (dx * (v + v_stopped) + x * dv);
                work.square += 0.5 * dx * dv;
            }
        }
        let share = work.lossless_share();
        for (body, bounced) in self.bodies.iter_mut().zip(&bounced.bodies) {
            body.velocity += share * (bounced.velocity - body.velocity);
            body.angular_velocity += share * (bounced.angular_velocity - body.angular_velocity);
        }
        for (impulses, bounced) in self.impulses.iter_mut().zip(&bounced.impulses) {
            for (impulse, bounced) in impulses.iter_mut().zip(bounced) {
                *impulse += share * (bounced - *impulse);
            }
        }
    }

    /// Writes the impulses to the contacts.
    pub(super) fn write_impulses(&self, contacts: &mut [ContactBlock<F32<Single>>]) {
        for (block, &impulses) in contacts.iter_mut().zip(&self.impulses) {
            let simd = block.normal_x.simd();
            let [p, q] = &mut block.points;
            [p.impulse, q.impulse, block.friction.impulse] =
                impulses.map(|impulse| simd.splat(impulse));
        }
    }
}
