//! A fingerprint of the state, to compare runs and machines.

use crate::world::World;

/// Hashes words in the order they come: FNV-1a over bytes, with a fixed start (FNV in docs/references.md).
struct StateHash(u64);

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl StateHash {
    fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(PRIME);
        }
    }

    fn float(&mut self, x: f32) {
        self.word(u64::from(x.to_bits()));
    }
}

impl World {
    /// Returns a number that is equal for equal states: poses and velocities of all bodies, which are
    /// awake, the impulses of the touching contacts and the loads under which they rest, which islands get more substeps, and
    /// which are solved directly.
    ///
    /// Two worlds built by the same calls and stepped alike have equal hashes after each step, on any
    /// machine and with any number of threads.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = StateHash(OFFSET);
        for (slot, _) in self.bodies.slots.iter() {
            let pose = &self.bodies.poses[slot as usize];
            let state = &self.bodies.states[slot as usize];
            hash.word(u64::from(slot));
            hash.word(pose.center.x.to_bits());
            hash.word(pose.center.y.to_bits());
            hash.float(pose.rotation.x);
            hash.float(pose.rotation.y);
            hash.float(state.velocity.x);
            hash.float(state.velocity.y);
            hash.float(state.angular_velocity);
            hash.word(u64::from(self.bodies.awake.contains(slot)));
        }
        for island in self.islands.substepped.iter() {
            let record = &self.islands.slots[island as usize];
            hash.word(u64::from(island));
            hash.word(u64::from(record.level));
        }
        for island in self.islands.direct.iter() {
            hash.word(u64::from(island));
        }
        for (slot, contact) in self
            .contacts
            .slots
            .iter()
            .filter(|(_, contact)| contact.touching)
        {
            let constraint = &self.contacts.constraints[slot as usize];
            hash.word(u64::from(contact.shape_a) << 32 | u64::from(contact.shape_b));
            for point in &constraint.points[..constraint.count as usize] {
                hash.float(point.normal_impulse);
                hash.float(point.tangent_impulse);
                hash.float(point.rest_load);
            }
        }
        hash.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_of_the_empty_world_is_the_start() {
        let world = World::new(crate::world::WorldDef::default());
        assert_eq!(world.state_hash(), OFFSET);
    }
    #[test]
    fn words_are_hashed_byte_by_byte_from_the_lowest() {
        // On every machine: what the bytes 1 to 8 give, whatever order the processor keeps them in.
        let mut hash = StateHash(OFFSET);
        hash.word(0x0807_0605_0403_0201);
        let of_bytes = (1..=8_u64).fold(OFFSET, |h, byte| (h ^ byte).wrapping_mul(PRIME));
        assert_eq!(hash.0, of_bytes);
        let mut hash = StateHash(OFFSET);
        hash.float(1.5);
        let bytes = [0, 0, 0xc0, 0x3f, 0, 0, 0, 0_u64];
        let of_bytes = bytes
            .iter()
            .fold(OFFSET, |h, byte| (h ^ byte).wrapping_mul(PRIME));
        assert_eq!(hash.0, of_bytes);
    }
}
