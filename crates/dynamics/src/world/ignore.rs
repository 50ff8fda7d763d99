//! Ignored pairs: bodies without collision between them, for a time, until they are apart, or until revoked.

use crate::error::{demand, not_negative};
use crate::id::{BodyId, ShapeId};
use crate::ignored_pairs::IgnoreFor;
use crate::shape::BodyShape;
use crate::world::record::call::WorldCall;
use crate::world::{World, WorldError};
use cairn2d_geometry::math::vec2;
use cairn2d_geometry::tolerance::SPECULATIVE_DISTANCE;
use cairn2d_geometry::{Aabb, SimplexCache, distance};
use core::ops::ControlFlow;

/// Distance up to which a body counts as standing on a one-way surface that it is to drop through \[m\]: above the skin
/// of a character. Larger: platforms that lie close under each other are passed together.
const DROP_REACH: f32 = 4.0 * SPECULATIVE_DISTANCE;

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
        if how_long == IgnoreFor::OneWay {
            self.remove_one_way_contacts(slot_a, slot_b);
            // They may have ignored each other altogether before.
            self.pair_again(slot_a);
        } else {
            self.remove_contacts_between(slot_a, slot_b);
        }
        self.wake_body(slot_a);
        self.wake_body(slot_b);
        Ok(())
    }

    /// Lets a body drop through the one-way surfaces on which it stands. It ignores the one-way shapes of their bodies
    /// until it is past them, see [`IgnoreFor::OneWay`]. Solid shapes of the same bodies still stop it, such as the
    /// solid cells of a tile grid, and so does the next platform. Wakes the body.
    ///
    /// Returns `true` if there was such a surface; a stale id has no effect.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, World};
    /// use cairn2d_geometry::{Circle, Segment, math::point};
    ///
    /// let mut world = World::default();
    /// let level = world.create_body(BodyDef::static_());
    /// let deck = Segment::new(point(0.0, 4.0), point(4.0, 4.0));
    /// world.create_shape(level, deck, ShapeDef::default().one_way((0.0, 1.0)));
    /// let ground = Segment::new(point(0.0, 1.0), point(4.0, 1.0));
    /// world.create_shape(level, ground, ShapeDef::default());
    /// let ball = world.create_body(BodyDef::dynamic().position(2.0, 4.5));
    /// world.create_shape(ball, Circle::of_radius(0.4), ShapeDef::default());
    /// let run = |world: &mut World| {
    ///     (0..90).for_each(|_| world.step(1.0 / 60.0));
    ///     world.body(ball).position().y
    /// };
    /// assert!((run(&mut world) - 4.4).abs() < 0.01); // on the platform
    /// assert!(world.drop_through(ball));
    /// assert!((run(&mut world) - 1.4).abs() < 0.01); // on the ground of the same body
    /// ```
    pub fn drop_through(&mut self, body: BodyId) -> bool {
        let Some(slot) = self.bodies.slots.find(body) else {
            return false;
        };
        let decks = self.one_way_bodies_near(slot);
        for &deck in &decks {
            let deck = self.bodies.slots.id_at(deck);
            // Both exist, and there is no time to check.
            let _ = self.try_ignore_pair(body, deck, IgnoreFor::OneWay);
        }
        !decks.is_empty()
    }

    /// Returns the bodies that have a one-way shape near the body in `slot`, in order of slot.
    fn one_way_bodies_near(&self, slot: u32) -> Vec<u32> {
        let mut decks = Vec::new();
        for &shape in &self.bodies.slots[slot].shapes {
            let region = grown(&self.shapes.slots[shape].fat_box, DROP_REACH);
            self.broad.query(&region, u64::MAX, |other| {
                let other = &self.shapes.slots[other];
                if other.is_one_way() && other.body != slot {
                    decks.push(other.body);
                }
                ControlFlow::Continue(())
            });
        }
        decks.sort_unstable();
        decks.dedup();
        decks.retain(|&deck| self.is_near_one_way(slot, deck));
        decks
    }

    /// Removes the contacts of one-way shapes between two bodies.
    fn remove_one_way_contacts(&mut self, a: u32, b: u32) {
        for place in (0..self.bodies.slots[a].contacts.len()).rev() {
            let contact = self.bodies.slots[a].contacts[place];
            let record = &self.contacts.slots[contact];
            let shapes = [record.shape_a, record.shape_b].map(|shape| &self.shapes.slots[shape]);
            let is_between = record.body_a == b || record.body_b == b;
            if is_between && shapes.iter().any(|shape| shape.is_one_way()) {
                self.remove_contact(contact);
            }
        }
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

    /// Returns `true` if the pair is ignored, or its one-way shapes are; `false` for stale ids.
    #[must_use]
    pub fn ignores_pair(&self, a: BodyId, b: BodyId) -> bool {
        let slots = self.bodies.slots.find(a).zip(self.bodies.slots.find(b));
        slots.is_some_and(|(a, b)| self.ignores.contains(a, b))
    }

    /// Returns `true` if a body ignores a shape of another body: any shape of a body that it
    /// [ignores](Self::ignore_pair), or a one-way shape of one that it [drops through](Self::drop_through). `false` for
    /// stale ids.
    #[must_use]
    pub fn ignores_shape(&self, body: BodyId, shape: ShapeId) -> bool {
        let body = self.bodies.slots.find(body);
        let shape = self.shapes.slots.find(shape);
        let slots = body.zip(shape);
        slots.is_some_and(|(body, shape)| {
            let shape = &self.shapes.slots[shape];
            let is_one_way = || shape.is_one_way();
            self.ignores.contains_shapes(body, shape.body, is_one_way)
        })
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
                IgnoreFor::OneWay => self.is_near_one_way(entry.pair.0, entry.pair.1),
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
        self.any_near(a, b, SPECULATIVE_DISTANCE, |_, _| true)
    }

    /// Returns `true` if two bodies have shapes near each other of which one is one-way.
    fn is_near_one_way(&self, a: u32, b: u32) -> bool {
        self.any_near(a, b, DROP_REACH, |p, q| p.is_one_way() || q.is_one_way())
    }

    /// Returns `true` if two bodies have shapes within `reach` of each other \[m\] that `counts` accepts.
    fn any_near(
        &self,
        a: u32,
        b: u32,
        reach: f32,
        counts: impl Fn(&BodyShape, &BodyShape) -> bool,
    ) -> bool {
        let in_a = self.bodies.poses[a as usize].pose_of(&self.bodies.poses[b as usize]);
        let touches = |p: u32, q: u32| {
            let (p, q) = (&self.shapes.slots[p], &self.shapes.slots[q]);
            let cache = &mut SimplexCache::default();
            counts(p, q)
                && grown(&p.fat_box, reach).overlaps(&q.fat_box)
                && distance(&p.geometry, &q.geometry, &in_a, cache).distance <= reach
        };
        let of_b = &self.bodies.slots[b].shapes;
        let shapes = self.bodies.slots[a].shapes.iter();
        shapes
            .flat_map(|&p| of_b.iter().map(move |&q| (p, q)))
            .any(|(p, q)| touches(p, q))
    }
}

/// Returns the box with a margin \[m\] on each side.
fn grown(aabb: &Aabb, margin: f32) -> Aabb {
    let margin = vec2(margin, margin);
    Aabb::new(aabb.min - margin, aabb.max + margin)
}
