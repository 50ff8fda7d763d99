//! The state hash: a fingerprint of everything that later steps read, to compare runs and machines.
//!
//! Two worlds with equal hashes go on with equal hashes under the same calls. So the hash must cover all state, and state
//! only: what follows from other state may be left out, scratch and what the number of threads decides must be.
//! Each record has its [`HashState`] beside it, which names every field and says why one is left out; a new field does not compile
//! until someone has decided. In short:
//!
//! | field of the world | |
//! |---|---|
//! | `def` | state, but for threads and clock |
//! | `bodies` | state: records, hot records, generations and free slots; `island` and its place follow from the islands' lists |
//! | `shapes` | state; names of proxies are only names |
//! | `contacts` | state: impulses, anchors, loads at rest, flags, the recycling budget, what the narrow phase remembers; slots of bodies and shapes are hashed once, places in lists follow from the lists |
//! | `joints` | state: definitions, impulses, followed angles, settings of this step; what prepare writes before it is read is scratch |
//! | `broad` | state: boxes as they are and as they were paired last, known pairs, the shape of trees, since it decides the order of answers |
//! | `graph` | the color of each constraint and the order of the overflow are with the constraints, the bodies of each color here; the order within a color is left out: threads change it, and it changes nothing |
//! | `islands` | state: lists and their order, counters, levels, free slots; also of free slots, of which some fields outlive the island |
//! | `ignores`, `presses`, `outside`, `depenetration`, `steep`, `struck` | state |
//! | `bouncing`, `inv_masses`, `any_hammers`, `history` | state |
//! | `events` | what is collected for the next step is state; what the last one reported is not read again |
//! | `hooks` | code, which has no hash: the caller gives equal ones |
//! | `solver`, `scratch`, `pool` | scratch: written before it is read. The list of covered contacts repeats a flag of the constraints |
//! | `counters`, `profile` | reports |
//!
//! Records of free slots are left out, as they are written anew when the slot is used again.

use crate::world::World;
use cairn2d_geometry::{HashState, StateHasher};

impl World {
    /// Returns a number that is equal for equal states: everything that later steps read, from poses and velocities to
    /// the impulses of contacts and joints, timers, counters, pending events and the order in which slots are reused.
    ///
    /// Two worlds built by the same calls and stepped alike have equal hashes after each step, on any
    /// machine and with any number of threads. Two worlds with equal hashes go on with equal hashes under the same
    /// calls, if their hooks do the same. Not part of it: hooks, threads, clock and pool, the marks that make the ids of two
    /// worlds foreign to each other, and what the last step reported (events, counters, profile).
    ///
    /// It reads the whole world once, asleep or awake: its time grows with the number of bodies, shapes, contacts and joints. Its
    /// values belong to one version of the engine.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        StateHasher::new().add(self).finish()
    }
}

/// See [`World::state_hash`].
impl HashState for World {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            def,
            bodies,
            shapes,
            contacts,
            joints,
            // Read by users only.
            joint_loads: _,
            broad,
            graph,
            islands,
            solver: _,
            hooks: _,
            ignores,
            presses,
            outside,
            events,
            counters: _,
            profile: _,
            depenetration,
            steep,
            scratch: _,
            pool: _,
            bouncing,
            inv_masses,
            any_hammers,
            struck,
            history,
        } = self;
        hash.add(def).add(bodies).add(shapes);
        hash.add(contacts).add(joints);
        hash.add(broad).add(graph).add(islands).add(events);
        hash.add(ignores).add(presses).add(outside);
        hash.add(depenetration).add(steep).add(struck);
        hash.add(bouncing)
            .add(inv_masses)
            .add(any_hammers)
            .add(history);
    }
}

#[cfg(test)]
mod tests;
