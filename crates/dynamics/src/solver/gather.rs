//! Loads of contact constraints and their bodies into lanes, for prepare.

use super::integrate::acceleration;
use super::shared_world::SharedWorld;
use crate::body::state::BodyMass;
use crate::contact::constraint::{ContactConstraint, FIRST_IMPULSES, constraint_flags};
use crate::id::NO_SLOT;
use crate::records::{Record, load_shared_row};
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{Lanes, Simd};

// SAFETY: repr(C), 128 bytes of floats and integers without padding; the size is asserted next to the type.
unsafe impl Record for ContactConstraint {
    const NONE: &'static Self = &NO_CONSTRAINT;
}

/// A constraint without points between no bodies, for lanes without a contact.
const NO_CONSTRAINT: ContactConstraint = ContactConstraint {
    body_a: NO_SLOT,
    body_b: NO_SLOT,
    ..ContactConstraint::EMPTY
};

/// Values of the contacts of one block that are gathered lane by lane: they depend on flags.
pub(super) struct GatheredContacts<L: Lanes> {
    pub(super) contacts: L::Indices,
    /// Body slots, for poses.
    pub(super) body_a: L::Indices,
    pub(super) body_b: L::Indices,
    /// Places of the states; `NO_SLOT` for static bodies.
    pub(super) state_a: L::Indices,
    pub(super) state_b: L::Indices,
    pub(super) inv_mass_a: L,
    pub(super) inv_mass_b: L,
    pub(super) inv_inertia_a: L,
    pub(super) inv_inertia_b: L,
    /// Vector between the centers of mass, from A to B \[m\].
    pub(super) between_x: L,
    pub(super) between_y: L,
    /// Acceleration of B relative to A by gravity and forces, where the contact bounces \[m/s^2\].
    pub(super) acceleration_x: L,
    pub(super) acceleration_y: L,
    /// 1 where there is a second point, and in lanes without a contact.
    pub(super) has_second: L,
    /// 1 where the contact is inactive.
    pub(super) is_inactive: L,
    /// 1 where the contact has an initial error, and the motion of B relative to A by depenetration \[m\].
    pub(super) has_initial_error: L,
    pub(super) depenetration_x: L,
    pub(super) depenetration_y: L,
}

impl<L: Lanes> GatheredContacts<L> {
    #[inline(always)]
    fn empty(simd: L::Simd) -> Self {
        Self {
            contacts: L::indices(NO_SLOT),
            body_a: L::indices(NO_SLOT),
            body_b: L::indices(NO_SLOT),
            state_a: L::indices(NO_SLOT),
            state_b: L::indices(NO_SLOT),
            inv_mass_a: simd.zero(),
            inv_mass_b: simd.zero(),
            inv_inertia_a: simd.zero(),
            inv_inertia_b: simd.zero(),
            between_x: simd.zero(),
            between_y: simd.zero(),
            acceleration_x: simd.zero(),
            acceleration_y: simd.zero(),
            has_second: simd.splat(1.0),
            is_inactive: simd.zero(),
            has_initial_error: simd.zero(),
            depenetration_x: simd.zero(),
            depenetration_y: simd.zero(),
        }
    }
}

/// Gathers the contacts of one block. Lanes without a contact keep the empty values.
#[inline(always)]
pub(super) fn gather<L: Lanes>(
    simd: L::Simd,
    world: &SharedWorld<'_>,
    chunk: &[u32],
) -> GatheredContacts<L> {
    let mut gathered = GatheredContacts::<L>::empty(simd);
    for (lane, &contact) in chunk.iter().enumerate().take(L::WIDTH) {
        if contact == NO_SLOT {
            break;
        }
        // SAFETY: constraints are written when the impulses are stored, and the result does not live that
        // long.
        let constraint = unsafe { world.constraint(contact) };
        gathered.contacts.as_mut()[lane] = contact;
        gather_bodies(&mut gathered, lane, world, constraint);
        if constraint.count < 2 {
            gathered.has_second.as_mut_slice()[lane] = 0.0;
        }
        if constraint.flags & constraint_flags::INACTIVE != 0 {
            gathered.is_inactive.as_mut_slice()[lane] = 1.0;
        }
        if constraint.flags & constraint_flags::INITIAL_ERROR != 0 {
            let [slot_a, slot_b] = constraint.moving_slots();
            // SAFETY: no one writes states while constraints are prepared.
            let state = |slot: u32| unsafe { world.states.get(slot) };
            let [a, b] = [slot_a, slot_b].map(|slot| state(slot).delta_position);
            gathered.has_initial_error.as_mut_slice()[lane] = 1.0;
            gathered.depenetration_x.as_mut_slice()[lane] = b.x - a.x;
            gathered.depenetration_y.as_mut_slice()[lane] = b.y - a.y;
        }
        if constraint.restitution > 0.0 {
            let (a, b) = (constraint.body_a, constraint.body_b);
            let relative = acceleration_of(world, b) - acceleration_of(world, a);
            gathered.acceleration_x.as_mut_slice()[lane] = relative.x;
            gathered.acceleration_y.as_mut_slice()[lane] = relative.y;
        }
    }
    gathered
}

/// Fills the bodies of a lane.
#[inline(always)]
fn gather_bodies<L: Lanes>(
    gathered: &mut GatheredContacts<L>,
    lane: usize,
    world: &SharedWorld<'_>,
    constraint: &ContactConstraint,
) {
    let (a, b) = (constraint.body_a, constraint.body_b);
    let between = world.poses[b as usize].center - world.poses[a as usize].center;
    let (static_a, static_b) = (
        constraint.flags & constraint_flags::STATIC_A != 0,
        constraint.flags & constraint_flags::STATIC_B != 0,
    );
    gathered.body_a.as_mut()[lane] = a;
    gathered.body_b.as_mut()[lane] = b;
    let (mass_a, mass_b) = (&world.masses[a as usize], &world.masses[b as usize]);
    let place = |is_static: bool, slot: u32, mass: &BodyMass| {
        let slot = if is_static { NO_SLOT } else { slot };
        world.states.place_of(slot, mass.inv_mass)
    };
    gathered.state_a.as_mut()[lane] = place(static_a, a, mass_a);
    gathered.state_b.as_mut()[lane] = place(static_b, b, mass_b);
    gathered.inv_mass_a.as_mut_slice()[lane] = mass_a.inv_mass;
    gathered.inv_mass_b.as_mut_slice()[lane] = mass_b.inv_mass;
    gathered.inv_inertia_a.as_mut_slice()[lane] = mass_a.inv_inertia;
    gathered.inv_inertia_b.as_mut_slice()[lane] = mass_b.inv_inertia;
    gathered.between_x.as_mut_slice()[lane] = between.x;
    gathered.between_y.as_mut_slice()[lane] = between.y;
}

fn acceleration_of(world: &SharedWorld<'_>, body: u32) -> Vec2 {
    let mass = &world.masses[body as usize];
    if mass.inv_mass > 0.0 {
        let motion = &world.motions[body as usize];
        acceleration(mass, motion, world.integration.gravity)
    } else {
        Vec2::new(0.0, 0.0)
    }
}

/// The stored constraint of each contact.
pub(super) struct StoredContact<L> {
    pub(super) local_normal: [L; 2],
    pub(super) friction: L,
    pub(super) restitution: L,
    pub(super) rolling_radius: L,
    pub(super) surface_speed: L,
    pub(super) rolling_impulse: L,
    pub(super) half_angle: L,
    pub(super) points: [StoredPoint<L>; 2],
}

/// A stored point of each contact.
pub(super) struct StoredPoint<L> {
    pub(super) anchor_a: [L; 2],
    pub(super) anchor_b: [L; 2],
    pub(super) base_separation: L,
    pub(super) rest_load: L,
    pub(super) normal_impulse: L,
    pub(super) tangent_impulse: L,
}

impl<L: Lanes> StoredContact<L> {
    #[inline(always)]
    pub(super) fn load(simd: L::Simd, world: &SharedWorld<'_>, contacts: &L::Indices) -> Self {
        // Not a closure: it would be compiled without the instruction set.
        let (constraints, contacts) = (world.constraints, contacts.as_ref());
        // The layout of `ConstraintPoint`: anchors, impulses, separation; the second point begins at 22.
        // SAFETY: no one writes a constraint before its impulses are stored.
        let [
            surface,
            rolling,
            first,
            first_impulses,
            between,
            second,
            last,
        ]: [[L; 4]; 7] = unsafe {
            [
                load_shared_row(simd, constraints, contacts, 4),
                load_shared_row(simd, constraints, contacts, 8),
                load_shared_row(simd, constraints, contacts, 12),
                load_shared_row(simd, constraints, contacts, FIRST_IMPULSES),
                load_shared_row(simd, constraints, contacts, 20),
                load_shared_row(simd, constraints, contacts, 24),
                load_shared_row(simd, constraints, contacts, 28),
            ]
        };
        let [local_normal_x, local_normal_y, friction, restitution] = surface;
        let [rolling_radius, surface_speed, rolling_impulse, half_angle] = rolling;
        let [ax0, ay0, bx0, by0] = first;
        let [normal0, tangent0, _, _] = first_impulses;
        let [base0, rest0, ax1, ay1] = between;
        let [bx1, by1, normal1, tangent1] = second;
        let [_, _, base1, rest1] = last;
        Self {
            local_normal: [local_normal_x, local_normal_y],
            friction,
            restitution,
            rolling_radius,
            surface_speed,
            rolling_impulse,
            half_angle,
            points: [
                StoredPoint {
                    anchor_a: [ax0, ay0],
                    anchor_b: [bx0, by0],
                    base_separation: base0,
                    rest_load: rest0,
                    normal_impulse: normal0,
                    tangent_impulse: tangent0,
                },
                StoredPoint {
                    anchor_a: [ax1, ay1],
                    anchor_b: [bx1, by1],
                    base_separation: base1,
                    rest_load: rest1,
                    normal_impulse: normal1,
                    tangent_impulse: tangent1,
                },
            ],
        }
    }
}
