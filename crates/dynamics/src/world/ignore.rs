//! Ignored pairs: bodies without collision between them, for a time, until they are apart, or until revoked.

use crate::error::{demand, not_negative};
use crate::id::BodyId;
use crate::ignored_pairs::IgnoreFor;
use crate::world::record::call::WorldCall;
use crate::world::{World, WorldError};
use cairn2d_geometry::tolerance::SPECULATIVE_DISTANCE;
use cairn2d_geometry::{SimplexCache, distance};

/// # Pairs that ignore each other
impl World {
    /// Ignores the collision between two bodies: they have no contacts, no sensor events and no continuous
    /// collision. Existing contacts end at once, and the bodies wake. A later call replaces an earlier one.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, IgnoreFor, World};
    ///
    /// let mut world = World::default();
    /// let shooter = world.create_body(BodyDef::dynamic());
    /// let bullet = world.create_body(BodyDef::dynamic().bullet());
    /// world.ignore_pair(shooter, bullet, IgnoreFor::Time(0.2));
    /// for _ in 0..13 {
    ///     world.step(1.0 / 60.0);
    /// }
    /// assert!(!world.ignores_pair(shooter, bullet));
    /// ```
    ///
    /// # Panics
    /// If a body is stale, or the time is negative or not finite; [`try_ignore_pair`](Self::try_ignore_pair)
    /// returns the error instead.
    #[track_caller]
    pub fn ignore_pair(&mut self, a: BodyId, b: BodyId, how_long: IgnoreFor) {
        demand(self.try_ignore_pair(a, b, how_long), "ignore the pair");
    }

    /// Ignores the collision between two bodies: see [`ignore_pair`](Self::ignore_pair).
    ///
    /// # Errors
    /// If a body is stale, or the time is negative or not finite. The world is then unchanged.
    pub fn try_ignore_pair(
        &mut self,
        a: BodyId,
        b: BodyId,
        how_long: IgnoreFor,
    ) -> Result<(), WorldError> {
        let find = |id: BodyId| self.bodies.slots.find(id).ok_or(WorldError::NoSuchBody(id));
        let (slot_a, slot_b) = (find(a)?, find(b)?);
        if let IgnoreFor::Time(time) = how_long {
            not_negative("time", time)?;
        }
        if slot_a == slot_b {
            // Shapes of one body never collide.
            return Ok(());
        }
        self.record_own(|| WorldCall::IgnorePair { a, b, how_long });
        self.ignores.insert(slot_a, slot_b, how_long);
        self.remove_contacts_between(slot_a, slot_b);
        self.wake_body(slot_a);
        self.wake_body(slot_b);
        Ok(())
    }

    /// Revokes [`ignore_pair`](Self::ignore_pair): overlapping shapes begin to touch at the next step.
    /// Returns `true` if the pair was ignored; stale ids have no effect.
    pub fn unignore_pair(&mut self, a: BodyId, b: BodyId) -> bool {
        let slots = self.bodies.slots.find(a).zip(self.bodies.slots.find(b));
        let Some((slot_a, slot_b)) = slots else {
            return false;
        };
        self.record_own(|| WorldCall::UnignorePair { a, b });
        let ignored = self.ignores.remove(slot_a, slot_b);
        if ignored {
            self.restore_pairing(slot_a, slot_b);
        }
        ignored
    }

    /// Returns `true` if the pair is ignored; `false` for stale ids.
    #[must_use]
    pub fn ignores_pair(&self, a: BodyId, b: BodyId) -> bool {
        let slots = self.bodies.slots.find(a).zip(self.bodies.slots.find(b));
        slots.is_some_and(|(a, b)| self.ignores.contains(a, b))
    }

    /// Advances the times of ignored pairs by `dt` \[s\] and removes the pairs that expire.
    pub(crate) fn expire_ignores(&mut self, dt: f32) {
        if self.ignores.list.is_empty() {
            return;
        }
        let mut expired = Vec::new();
        let mut list = core::mem::take(&mut self.ignores.list);
        list.retain_mut(|entry| {
            let stays = match &mut entry.how_long {
                IgnoreFor::Forever => true,
                IgnoreFor::Time(left) => {
                    let stays = *left >= 0.5 * dt;
                    // The last of the time may be shorter than the step: less than none would be no valid time.
                    *left = (*left - dt).max(0.0);
                    stays
                }
                IgnoreFor::Overlap => self.overlap(entry.pair.0, entry.pair.1),
            };
            if !stays {
                expired.push(entry.pair);
            }
            stays
        });
        self.ignores.list = list;
        for (a, b) in expired {
            self.restore_pairing(a, b);
        }
    }

    /// Makes the broad phase find the pairs of two bodies again; the bodies wake if they overlap.
    fn restore_pairing(&mut self, a: u32, b: u32) {
        self.pair_again(a);
        self.pair_again(b);
        if self.overlap(a, b) {
            self.wake_body(a);
            self.wake_body(b);
        }
    }

    /// Returns `true` if two bodies have shapes within the speculative distance of each other.
    fn overlap(&self, a: u32, b: u32) -> bool {
        let in_a = self.bodies.poses[a as usize].pose_of(&self.bodies.poses[b as usize]);
        let touches = |p: u32, q: u32| {
            let (p, q) = (&self.shapes.slots[p], &self.shapes.slots[q]);
            let near = p.fat_box.overlaps(&q.fat_box);
            let cache = &mut SimplexCache::default();
            near && distance(&p.geometry, &q.geometry, &in_a, cache).distance
                <= SPECULATIVE_DISTANCE
        };
        let of_b = &self.bodies.slots[b].shapes;
        let shapes = self.bodies.slots[a].shapes.iter();
        shapes
            .flat_map(|&p| of_b.iter().map(move |&q| (p, q)))
            .any(|(p, q)| touches(p, q))
    }
}
