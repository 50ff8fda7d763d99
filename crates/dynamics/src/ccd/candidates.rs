//! Candidates of continuous collision: bodies that may bounce by the policy *auto*, and heavy airborne bodies.
//!
//! A bounce candidate may bounce in this step. Its impacts are solved at their time while it is airborne:
//! nothing holds it.
//!
//! A heavy airborne body must be stopped at the surface of a light one. Contacts push a body out of another one of
//! the same mass after a few centimeters, which nobody sees. But only all contacts below the light body together can
//! stop a much heavier one, and if that were inside the light body by then, it would be thrown up when the overlap is
//! pushed apart.

use super::budget::{MAX_AIRBORNE_HEAVY, MAX_BOUNCE_PAIRS, Need, keep_first, keep_first_of_pairs};
use super::deferred::{bounce_threshold, has_no_resting_point};
use super::tables::{CcdInput, CcdScene};
use crate::body::mass_ratio::is_high_mass_ratio;
use crate::body::table::BodyTable;
use crate::body::{BodyTrack, track_flags};
use crate::contact::table::ContactTable;
use crate::mechanisms::Mechanism;
use crate::shape::table::ShapeTable;
use crate::solver::{MIN_APPROACH, MIN_RESTITUTION};
use crate::step_context::StepContext;
use crate::tuning::Tuning;
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

    /// Returns `true` if one of two bodies is heavy and airborne, and the other one is much lighter and
    /// without joints: the substeps solve impacts on joints.
    pub(super) fn is_heavy_impact(&self, [a, b]: [u32; 2]) -> bool {
        let flags = |body: u32| self.bodies.tracks[body as usize].flags;
        let inv_mass = |body: u32| self.bodies.masses[body as usize].inv_mass;
        let is_hit_by = |heavy: u32, light: u32| {
            flags(heavy) & track_flags::AIRBORNE_HEAVY != 0
                && flags(light) & track_flags::JOINTED == 0
                && is_high_mass_ratio(inv_mass(heavy), inv_mass(light))
        };
        is_hit_by(a, b) || is_hit_by(b, a)
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

/// Marks the fastest airborne bodies that are heavy beside the lightest body. `inv_masses` are those of the heaviest and
/// the lightest dynamic body of the world [1/kg]. `is_any_marked`: a body may have the mark from an earlier
/// step.
pub(crate) fn mark_airborne_heavy(
    tuning: &Tuning,
    input: &mut CcdInput,
    bodies: &mut BodyTable,
    inv_masses: [f32; 2],
    is_any_marked: &mut bool,
    awake: &[u32],
) {
    let [heaviest, lightest] = inv_masses;
    let is_off = !tuning.uses(Mechanism::HeavySweeps);
    if is_off || !is_high_mass_ratio(heaviest, lightest) {
        // The light bodies are gone. Sleeping bodies may have the mark, too.
        if core::mem::take(is_any_marked) {
            for slot in 0..bodies.tracks.len() {
                if bodies.tracks[slot].flags & track_flags::AIRBORNE_HEAVY != 0 {
                    bodies.tracks[slot].flags &= !track_flags::AIRBORNE_HEAVY;
                }
            }
        }
        return;
    }
    let needs = &mut input.needs;
    needs.clear();
    for &slot in awake {
        let inv_mass = bodies.masses[slot as usize].inv_mass;
        let track = &mut bodies.tracks[slot as usize];
        track.flags &= !track_flags::AIRBORNE_HEAVY;
        let is_heavy =
            track.flags & track_flags::DYNAMIC != 0 && is_high_mass_ratio(inv_mass, lightest);
        if is_heavy && track.constraints == 0 {
            needs.push(Need::of_speed(bodies, slot));
        }
    }
    *is_any_marked |= !needs.is_empty();
    keep_first(needs, MAX_AIRBORNE_HEAVY);
    for need in needs.iter() {
        bodies.tracks[need.slot as usize].flags |= track_flags::AIRBORNE_HEAVY;
    }
}
