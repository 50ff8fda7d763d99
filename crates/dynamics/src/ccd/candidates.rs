//! Candidates of continuous collision: bodies that may bounce by the policy *auto*.
//!
//! A bounce candidate may bounce in this step. Its impacts are solved at their time while it is airborne:
//! nothing holds it.

use super::budget::{MAX_BOUNCE_PAIRS, Need, keep_first_of_pairs};
use super::deferred::{bounce_threshold, has_no_resting_point};
use super::tables::{CcdInput, CcdScene};
use crate::body::table::BodyTable;
use crate::body::{BodyTrack, track_flags};
use crate::contact::table::ContactTable;
use crate::mechanisms::Mechanism;
use crate::shape::table::ShapeTable;
use crate::solver::{MIN_APPROACH, MIN_RESTITUTION};
use crate::step_context::StepContext;
use crate::world_def::WorldDef;

/// Marks the bounce candidates of this step: the fastest airborne bodies that may bounce. A body that rests on
/// another one, or is too slow for a fast impact, costs no sweep.
pub(crate) fn mark_bounce_candidates(
    ctx: &StepContext<'_>,
    input: &mut CcdInput,
    bodies: &mut BodyTable,
    shapes: &ShapeTable,
    contacts: &ContactTable,
    awake: &[u32],
) {
    input.substep_bounces = false;
    if !shapes.bouncy || !ctx.def.continuous {
        return;
    }
    input.substep_bounces = ctx.uses(Mechanism::ToiImpacts);
    let min_speed = min_swept_travel(ctx.def, ctx.dt) / ctx.dt;
    input.needs.clear();
    for &slot in awake {
        let flags = &mut bodies.tracks[slot as usize].flags;
        *flags &= !(track_flags::BOUNCE_CANDIDATE | track_flags::AIRBORNE);
        if !input.substep_bounces || !may_bounce(bodies, contacts, slot) {
            continue;
        }
        if !is_airborne(ctx, bodies, contacts, slot) {
            continue;
        }
        let state = &bodies.states[slot as usize];
        let track = &mut bodies.tracks[slot as usize];
        track.flags |= track_flags::AIRBORNE;
        let turning = state.angular_velocity.abs() * track.max_extent;
        if state.velocity.norm() + turning > min_speed {
            input.needs.push(Need::of_speed(bodies, slot));
        }
    }
    keep_first_of_pairs(&mut input.needs, MAX_BOUNCE_PAIRS);
    for need in &input.needs {
        bodies.tracks[need.slot as usize].flags |= track_flags::BOUNCE_CANDIDATE;
    }
}

/// Returns `true` if the body in `slot` bounces off most shapes, or off a shape nearby.
fn may_bounce(bodies: &BodyTable, contacts: &ContactTable, slot: u32) -> bool {
    let flags = bodies.tracks[slot as usize].flags;
    let bounces =
        |&contact: &u32| contacts.constraints[contact as usize].restitution >= MIN_RESTITUTION;
    flags & track_flags::AUTO != 0
        && (flags & track_flags::BOUNCY != 0 || bodies.slots[slot].contacts.iter().any(bounces))
}

/// Returns `true` if the bounce candidate in `slot` touches only shapes that it bounces off in this step, or
/// has bounced off.
fn is_airborne(
    ctx: &StepContext<'_>,
    bodies: &BodyTable,
    contacts: &ContactTable,
    slot: u32,
) -> bool {
    let track = &bodies.tracks[slot as usize];
    let bounces = |&&contact: &&u32| {
        contacts.slots[contact].pushes()
            && contacts.constraints[contact as usize].restitution >= MIN_RESTITUTION
            && has_no_resting_point(ctx, bodies, contacts, contact)
    };
    let list = &bodies.slots[slot].contacts;
    list.len() >= track.constraints as usize
        && list.iter().filter(bounces).count() == track.constraints as usize
}

/// Returns the travel in a step of `dt` \[s\] up to which a body has no fast impact \[m\]: half of the
/// threshold, as two bodies may approach each other.
pub(crate) fn min_swept_travel(def: &WorldDef, dt: f32) -> f32 {
    0.5 * dt * bounce_threshold(def).max(MIN_APPROACH)
}

/// Returns `true` if a body of the policy *auto* is held by no contact or joint in this step.
fn is_unheld(track: &BodyTrack) -> bool {
    let is_held = track.constraints > 0 && track.flags & track_flags::AIRBORNE == 0;
    track.flags & track_flags::AUTO != 0 && !is_held
}

/// Returns `true` if impacts of two bodies, with the given restitution of their shapes, are solved at their
/// time. In a pile, where other bodies hold both, the time is invisible.
#[inline]
pub(super) fn is_substep_impact(
    def: &WorldDef,
    input: &CcdInput,
    bodies: &BodyTable,
    pair: [u32; 2],
    restitution: impl FnOnce() -> f32,
) -> bool {
    let [a, b] = pair.map(|body| &bodies.tracks[body as usize]);
    def.tuning.uses(Mechanism::ToiImpacts) && (a.flags | b.flags) & track_flags::SUBSTEP != 0
        || input.substep_bounces
            && (is_unheld(a) || is_unheld(b))
            && restitution() >= MIN_RESTITUTION
}

impl CcdScene<'_> {
    /// Returns `true` if impacts of two shapes are solved at their time.
    #[inline]
    pub(super) fn is_substep_pair(&self, shapes: [u32; 2]) -> bool {
        let [a, b] = shapes.map(|shape| &self.shapes.slots[shape]);
        is_substep_impact(
            self.ctx.def,
            self.input,
            self.bodies,
            [a.body, b.body],
            || a.material.restitution_with(&b.material),
        )
    }

    /// Returns `true` if the policy of one of the bodies is *substep*.
    pub(super) fn requests_substep(&self, pair: [u32; 2]) -> bool {
        let flags = |body: u32| self.bodies.tracks[body as usize].flags;
        pair.iter()
            .any(|&body| flags(body) & track_flags::SUBSTEP != 0)
    }
}

/// Updates the flag of the body in `slot` for a shape that bounces.
pub(crate) fn update_bouncy(bodies: &mut BodyTable, shapes: &mut ShapeTable, slot: u32) {
    let list = bodies.slots[slot].shapes.iter();
    let is_bouncy = list
        .copied()
        .any(|shape| shapes.slots[shape].material.restitution >= MIN_RESTITUTION);
    let flags = &mut bodies.tracks[slot as usize].flags;
    *flags &= !track_flags::BOUNCY;
    if is_bouncy {
        *flags |= track_flags::BOUNCY;
        shapes.bouncy = true;
    }
}
