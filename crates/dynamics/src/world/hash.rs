//! The state hash: a fingerprint of the state that later steps read, to compare runs and machines.
//!
//! Two worlds with equal hashes continue with equal hashes under the same calls. So the hash covers all state
//! and nothing else: redundant state may be omitted; scratch memory, and results that depend on the number of
//! threads, must be. Each record implements [`HashState`] next to its definition, names every field and gives
//! the reason for each omission: a new field does not compile until it is hashed or omitted. In short:
//!
//! | field of the world | |
//! |---|---|
//! | `def` | state, except threads and clock |
//! | `bodies` | state: records, hot records, generations and free slots; `island` and its place follow from the islands' lists |
//! | `shapes` | state, except the indices of proxies |
//! | `contacts` | state: impulses, anchors, loads at rest, flags, the recycling budget, manifold caches; slots of bodies and shapes are hashed once, places in lists follow from the lists |
//! | `joints` | state: definitions, impulses, followed angles, settings of this step; the results of preparation are scratch |
//! | `broad` | state: present boxes, boxes of the last pairing, known pairs, and the shape of trees, since it decides the order of query results |
//! | `graph` | the color of each constraint and the order of the overflow are with the constraints, the bodies of each color here; the order within a color is omitted: it depends on threads, and no result depends on it |
//! | `islands` | state: lists and their order, counters, strain, free slots; also fields of free slots |
//! | `ignores`, `force_events`, `outside`, `depenetration`, `recent_impacts` | state |
//! | `bouncing`, `history` | state |
//! | `events` | those collected for the next step are state; those of the last step are not read again |
//! | `base` | notes of differences from a base are no state |
//! | `hooks` | code, which has no hash: the caller sets equal hooks |
//! | `scratch`, `pool` | scratch: written before it is read. The list of ghost contacts repeats a flag of the constraints |
//! | `counters`, `profile`, `recorder` | reports |
//!
//! Records of free slots are omitted: they are overwritten when the slot is used again.

use crate::world::World;
use cairn2d_geometry::{HashState, StateHasher};

/// # Comparing worlds
impl World {
    /// Returns a hash of the state that later steps read: poses, velocities, impulses of contacts and joints,
    /// timers, counters, pending events and the order in which slots are reused.
    ///
    /// Two worlds that are built by the same calls and take the same steps have equal hashes after each step,
    /// on any machine and with any number of threads. Two worlds with equal hashes continue with equal hashes
    /// under the same calls, if their hooks are equal. Not hashed: hooks, threads, clock and pool, the marks
    /// by which ids of other worlds are recognized, and the reports of the last step (events, counters,
    /// profile).
    ///
    /// Takes time proportional to the number of bodies, shapes, contacts and joints, asleep or awake. Values
    /// may change between versions of the engine.
    #[doc(alias = "checksum")]
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
            broad,
            graph,
            islands,
            hooks: _,
            ignores,
            force_events,
            outside,
            events,
            counters: _,
            profile: _,
            depenetration,
            scratch: _,
            pool: _,
            bouncing,
            recent_impacts,
            history,
            recorder: _,
            base: _,
        } = self;
        hash.add(def).add(bodies).add(shapes);
        hash.add(contacts).add(joints);
        hash.add(broad).add(graph).add(islands).add(events);
        hash.add(ignores).add(force_events).add(outside);
        hash.add(depenetration).add(recent_impacts);
        hash.add(bouncing).add(history);
    }
}

#[cfg(test)]
mod tests;
