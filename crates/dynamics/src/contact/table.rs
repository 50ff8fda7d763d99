//! All contacts of a world: cold records under ids, hot records in arrays beside them.
//!
//! The methods here and the narrow phase are the only writers of the hot records; the solver gets the
//! constraints by [`ContactTable::solver_constraints`].

use crate::contact::Contact;
use crate::contact::constraint::ContactConstraint;
use crate::contact::records::ReadOnlyRecords;
use crate::contact::recycle::{RecycleBudget, RecycleKey, contact_flags};
use crate::graph::GraphPlace;
use crate::id::{ContactId, Slots, WorldMark, kind};
use crate::material::Surface;
use crate::tracked::{TrackedSet, state_table};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{LoadError, Persist, Reader, Sink};

/// Contacts by slot; the arrays are as long as the largest slot ever used.
#[derive(Debug)]
pub(crate) struct ContactTable {
    pub(crate) slots: Slots<kind::Contact, Contact>,
    pub(crate) budgets: ReadOnlyRecords<RecycleBudget>,
    pub(crate) keys: ReadOnlyRecords<RecycleKey>,
    pub(crate) constraints: ReadOnlyRecords<ContactConstraint>,
    /// Contacts with a body that is awake.
    pub(crate) awake: TrackedSet,
}

state_table!(ContactTable {
    sets: [awake],
    fields: [],
    hot: [
        budgets "budget" RecycleBudget::new([0, 0]),
        keys "key" RecycleKey::new([0, 0]),
        constraints "constraint" ContactConstraint::EMPTY,
    ],
    reports: [],
    omitted: [],
});

/// Slots of bodies and shapes are saved once, with the contact.
impl Persist for ContactTable {
    fn write<S: Sink>(&self, sink: &mut S) {
        self.write_state(sink);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let mut table = Self {
            slots: reader.read()?,
            awake: reader.read()?,
            ..Self::new(WorldMark(0))
        };
        table.grow_records();
        for (slot, contact) in table.slots.iter() {
            let (mut budget, mut key) = reader.read::<(RecycleBudget, RecycleKey)>()?;
            let constraint = reader.read::<ContactConstraint>()?;
            let [body_a, body_b] = [contact.body_a, contact.body_b];
            (budget.body_a, budget.body_b) = (body_a, body_b);
            (key.shape_a, key.shape_b) = (contact.shape_a, contact.shape_b);
            *table.budgets.write(slot) = budget;
            *table.keys.write(slot) = key;
            *table.constraints.write(slot) = ContactConstraint {
                body_a,
                body_b,
                ..constraint
            };
        }
        Ok(table)
    }
}

impl ContactTable {
    /// Returns an id for an impact of two shapes within a step, after which no contact remains: it is stale at once.
    pub(crate) fn transient_id(&mut self, shapes: [u32; 2], bodies: [u32; 2]) -> ContactId {
        let id = self.slots.insert_with(|_| Contact {
            shape_a: shapes[0],
            shape_b: shapes[1],
            body_a: bodies[0],
            body_b: bodies[1],
            places: [0; 2],
            graph: GraphPlace::NONE,
            touching: false,
            sensor: false,
            linked: false,
        });
        self.slots.remove(id.index());
        id
    }

    /// Returns the contact of two shapes among `list`, in either order.
    pub(crate) fn find_pair(&self, list: &[u32], shapes: [u32; 2]) -> Option<u32> {
        list.iter()
            .copied()
            .find(|&contact| self.slots[contact].is_between(shapes))
    }
}

/// Writers of the hot records.
impl ContactTable {
    /// Stores a new contact and resets its hot records; `static_flags` are those of its constraint. Returns
    /// its slot.
    pub(crate) fn insert(&mut self, contact: Contact, static_flags: u16) -> u32 {
        let slot = self.slots.insert_with(|_| contact).index();
        self.grow_records();
        *self.budgets.write(slot) = RecycleBudget::new([contact.body_a, contact.body_b]);
        *self.keys.write(slot) = RecycleKey::new([contact.shape_a, contact.shape_b]);
        if contact.sensor {
            self.keys.write(slot).flags |= contact_flags::SENSOR;
        }
        *self.constraints.write(slot) = ContactConstraint {
            body_a: contact.body_a,
            body_b: contact.body_b,
            flags: static_flags,
            ..ContactConstraint::EMPTY
        };
        slot
    }

    /// Sets the place of a contact in the list of `body`. Returns `false` if the contact does not exist, or `body` is none
    /// of its bodies.
    pub(crate) fn restore_place(&mut self, contact: u32, body: u32, place: u32) -> bool {
        let Some(contact) = self.slots.get_mut(contact) else {
            return false;
        };
        if contact.body_a == body {
            contact.places[0] = place;
        }
        if contact.body_b == body {
            contact.places[1] = place;
        }
        contact.body_a == body || contact.body_b == body
    }

    /// Removes a contact. Its hot records stay until the slot is used again.
    pub(crate) fn remove(&mut self, contact: u32) -> Contact {
        self.awake.remove(contact);
        self.slots.remove(contact)
    }

    /// Adds a contact to the list of the narrow phase.
    pub(crate) fn mark_awake(&mut self, contact: u32) {
        self.awake.insert(contact);
    }

    /// Sets the surface of a contact and the flags that follow from its shapes, `ONE_WAY` and `HOOKED`.
    pub(crate) fn set_surface(&mut self, contact: u32, surface: &Surface, shape_flags: u32) {
        self.constraint_mut(contact).set_surface(surface);
        let flags = &mut self.keys.write(contact).flags;
        *flags = *flags & !(contact_flags::ONE_WAY | contact_flags::HOOKED) | shape_flags;
    }

    /// Discards the manifold of a contact: the next step computes a new one.
    pub(crate) fn invalidate_manifold(&mut self, contact: u32) {
        self.budgets.write(contact).remaining = -1.0;
        self.keys.write(contact).invalidate();
    }

    /// Sets bits of the [`constraint_flags`](crate::contact::constraint::constraint_flags) of a contact.
    pub(crate) fn set_flags(&mut self, contact: u32, flags: u16) {
        self.constraint_mut(contact).flags |= flags;
    }

    /// Clears bits of the [`constraint_flags`](crate::contact::constraint::constraint_flags) of a contact.
    pub(crate) fn clear_flags(&mut self, contact: u32, flags: u16) {
        self.constraint_mut(contact).flags &= !flags;
    }

    /// Replaces the normal of a contact by a unit vector from A to B in the frame of A. The points stay.
    pub(crate) fn snap_normal(&mut self, contact: u32, normal: Vec2) {
        self.constraint_mut(contact).normal = normal;
    }

    /// Drops the stored cache of the narrow phase.
    pub(crate) fn clear_cache(&mut self, contact: u32) {
        self.keys.write(contact).cache = Default::default();
    }

    /// Charges a motion of the bodies \[m\] to the budget of a contact.
    pub(crate) fn charge_budget(&mut self, contact: u32, travel: f32) {
        self.budgets.write(contact).remaining -= travel;
    }

    /// Adds the impulses and approach speeds of a later solve in the same step.
    pub(crate) fn add_totals(&mut self, contact: u32, later: &ContactConstraint) {
        self.constraint_mut(contact).add_totals_of(later);
    }

    /// Stores the impulses of a static equilibrium, normal and tangent \[N s\] of each point, for substeps of
    /// the world.
    pub(crate) fn store_static_impulses(&mut self, contact: u32, impulses: [[f32; 2]; 2]) {
        let constraint = self.constraint_mut(contact);
        for (point, [normal, tangent]) in constraint.points.iter_mut().zip(impulses) {
            (point.normal_impulse, point.tangent_impulse) = (normal, tangent);
        }
    }

    /// Returns the stored impulses of a contact: normal and tangent \[N s\] of each point, and rolling [N m s].
    pub(crate) fn stored_impulses(&self, contact: u32) -> [f32; 5] {
        let constraint = &self.constraints[contact as usize];
        let [p, q] = &constraint.points;
        [
            p.normal_impulse,
            p.tangent_impulse,
            q.normal_impulse,
            q.tangent_impulse,
            constraint.rolling_impulse,
        ]
    }

    /// Stores impulses: see [`stored_impulses`](Self::stored_impulses).
    pub(crate) fn store_impulses(&mut self, contact: u32, impulses: [f32; 5]) {
        let constraint = self.constraint_mut(contact);
        let [p, q] = &mut constraint.points;
        [
            p.normal_impulse,
            p.tangent_impulse,
            q.normal_impulse,
            q.tangent_impulse,
            constraint.rolling_impulse,
        ] = impulses;
    }

    /// Sets the rest load of a point \[N\].
    pub(crate) fn set_rest_load(&mut self, contact: u32, point: usize, load: f32) {
        self.constraint_mut(contact).points[point].rest_load = load;
    }

    /// Returns all constraints for the solver, which stores impulses in those of awake contacts.
    pub(crate) fn solver_constraints(&mut self) -> &mut [ContactConstraint] {
        self.constraints.write_awake()
    }

    fn constraint_mut(&mut self, contact: u32) -> &mut ContactConstraint {
        self.constraints.write(contact)
    }
}
