//! Islands: dynamic bodies that hang together by touching contacts and joints, and so sleep together.
//!
//! Islands persist. A new link merges two (the smaller into the larger); a removed link only counts
//! as a wound, and a wounded island is searched for pieces when it would like to sleep.

use crate::bitset::BitSet;
use crate::growth;
use cairn2d_geometry::{HashState, StateHasher};
use core::cmp::Ordering;

/// No island: static, kinematic and disabled bodies.
pub(crate) const NO_ISLAND: u32 = u32::MAX;

/// One island.
#[derive(Clone, Debug, Default)]
pub(crate) struct Island {
    /// Body slots; each body knows its place here. Empty: the slot is free.
    pub(crate) bodies: Vec<u32>,
    /// Links removed since the island was last known to be in one piece.
    pub(crate) wounds: u32,
    /// Step from which on it may be searched for pieces.
    pub(crate) search_from: u64,
    pub(crate) asleep: bool,
    /// Level of effort it is solved with; 0 is the world's.
    pub(crate) effort: u8,
    /// Level of effort that it is led to.
    pub(crate) goal: u8,
    /// Looks in a row at which its loads asked for more effort, or, below 0, for less.
    pub(crate) streak: i8,
    /// The wish of a streak that is nearest to the goal.
    pub(crate) nearest_wish: u8,
    /// Whether links were added or removed since its build was last looked at.
    pub(crate) changed: bool,
    /// Most that links will yield to what rests on them, by its build.
    pub(crate) expected_yield: Yield,
    /// Looks for which it is not solved directly, since something touched its bodies.
    pub(crate) touched: u8,
    /// Whether contacts of its bodies have loads under which they rest.
    pub(crate) has_rest_loads: bool,
    /// What points of its contacts are spared of their overlaps, all together [m].
    pub(crate) spared: f32,
    /// Whether pins of its bodies are spared part of their gaps.
    pub(crate) spares_pins: bool,
    /// The greatest of these, over the effective mass that bears it, up to twice as much [m/s^2].
    pub(crate) rest_acceleration: f32,
    /// Level of effort at which what leans on each other stands under its loads: 0 where nothing is known to need more.
    pub(crate) rest_effort: u8,
    /// Looks for which these are looked at, since something has changed.
    pub(crate) easing: u8,
}

impl HashState for Island {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            bodies,
            wounds,
            search_from,
            asleep,
            effort,
            goal,
            streak,
            nearest_wish,
            changed,
            expected_yield,
            touched,
            has_rest_loads,
            spared,
            spares_pins,
            rest_acceleration,
            rest_effort,
            easing,
        } = self;
        hash.add(bodies).add(wounds).add(search_from).add(asleep);
        hash.add(effort).add(goal).add(streak).add(nearest_wish);
        hash.add(changed)
            .add(expected_yield)
            .add(touched)
            .add(has_rest_loads);
        hash.add(spared)
            .add(spares_pins)
            .add(rest_acceleration)
            .add(rest_effort);
        hash.add(easing);
    }
}

/// By how much links yield to a load, the one that does so most, at the world's substeps [m].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Yield {
    pub(crate) contacts: f32,
    pub(crate) joints: f32,
}

impl HashState for Yield {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self { contacts, joints } = self;
        hash.add(contacts).add(joints);
    }
}

impl Yield {
    /// That of all links.
    pub(crate) fn most(&self) -> f32 {
        self.contacts.max(self.joints)
    }

    /// The greater of each.
    pub(crate) fn greatest(&self, other: &Self) -> Self {
        Self {
            contacts: self.contacts.max(other.contacts),
            joints: self.joints.max(other.joints),
        }
    }

    /// The less of each.
    pub(crate) fn least(&self, other: &Self) -> Self {
        Self {
            contacts: self.contacts.min(other.contacts),
            joints: self.joints.min(other.joints),
        }
    }
}

/// Looks in a row that must ask for more until it is given: 0.8 s.
///
/// Impacts, piles that tumble down and bridges that swing up and down load links for shorter. Stiffness that is given to
/// a link while it is drawn apart throws what hangs on it.
const LOOKS_TO_RISE: i8 = 12;

/// Looks in a row that must ask for less until it is given: 2 s, more than the period of what swings under its own load.
/// A bridge that was eased whenever it flew up, and stiffened when it came down, would never come to rest.
const LOOKS_TO_EASE: i8 = 30;

impl Island {
    /// Takes note of the effort that a look asked for. A streak of wishes for more, or for less, sets the goal to the one of
    /// them that is nearest.
    pub(crate) fn note_wish(&mut self, wish: u8) {
        match wish.cmp(&self.goal) {
            Ordering::Equal => self.streak = 0,
            Ordering::Greater if self.streak > 0 => {
                self.streak += 1;
                self.nearest_wish = self.nearest_wish.min(wish);
            }
            Ordering::Greater => (self.streak, self.nearest_wish) = (1, wish),
            Ordering::Less if self.streak < 0 => {
                self.streak -= 1;
                self.nearest_wish = self.nearest_wish.max(wish);
            }
            Ordering::Less => (self.streak, self.nearest_wish) = (-1, wish),
        }
        if self.streak >= LOOKS_TO_RISE || self.streak <= -LOOKS_TO_EASE {
            (self.streak, self.goal) = (0, self.nearest_wish);
        }
    }
}

/// Bodies of an island for which, after a search, one step goes by without another.
///
/// A heap that is stirred loses links in every step, and would be searched in every step for what may sleep. So
/// searches take the time of this many bodies a step on average.
const BODIES_PER_STEP: usize = 256;

/// Longest pause between two searches: half a second's steps, as long as a body takes to fall asleep.
const MAX_PAUSE: usize = 30;

impl Island {
    /// Notes that the island was searched at the given step.
    pub(crate) fn searched_at(&mut self, step: u64) {
        let pause = (self.bodies.len() / BODIES_PER_STEP).min(MAX_PAUSE);
        self.search_from = step + pause as u64;
    }
}

/// Bodies for which the list of a freed island keeps its memory: 64 bytes. If all lists kept theirs, every slot would come to have the
/// memory of the largest island in the course of hours. Smaller: what touches now and then asks for memory each time.
const MAX_KEPT: usize = 16;

/// All islands, by slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    pub(crate) slots: Vec<Island>,
    /// Free slots, last freed last.
    free: Vec<u32>,
    /// Slots of islands that are awake.
    pub(crate) awake: BitSet,
    /// Slots of islands that are solved with more effort than the world's.
    pub(crate) strained: BitSet,
    /// Slots of islands whose joints are solved directly.
    pub(crate) direct: BitSet,
}

impl HashState for Islands {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            slots,
            free,
            awake,
            // Those with an effort above 0.
            strained: _,
            direct,
        } = self;
        hash.add(slots).add(free).add(awake).add(direct);
    }
}

impl Islands {
    /// Opens an awake island without bodies.
    pub(crate) fn create(&mut self) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            growth::push(&mut self.slots, Island::default());
            (self.slots.len() - 1) as u32
        });
        self.awake.insert(slot);
        slot
    }

    /// Frees the slot of an island that has no bodies left; its list keeps its memory, unless that is much.
    pub(crate) fn free(&mut self, slot: u32) {
        let island = &mut self.slots[slot as usize];
        debug_assert!(island.bodies.is_empty());
        let mut bodies = core::mem::take(&mut island.bodies);
        if bodies.capacity() > MAX_KEPT {
            bodies = Vec::new();
        }
        *island = Island {
            bodies,
            ..Island::default()
        };
        self.strained.remove(slot);
        self.direct.remove(slot);
        self.awake.remove(slot);
        self.free.push(slot);
    }

    /// Sets the level of effort of an island.
    pub(crate) fn set_effort(&mut self, slot: u32, effort: u8) {
        self.slots[slot as usize].effort = effort;
        if effort > 0 {
            self.strained.insert(slot);
        } else {
            self.strained.remove(slot);
        }
    }

    /// Iterates over the islands that are awake and need more effort than the world's.
    pub(crate) fn strained_awake(&self) -> impl Iterator<Item = u32> {
        self.strained
            .iter()
            .filter(|&slot| self.awake.contains(slot))
    }

    /// Iterates over the islands that are awake and solved directly.
    pub(crate) fn direct_awake(&self) -> impl Iterator<Item = u32> {
        self.direct.iter().filter(|&slot| self.awake.contains(slot))
    }

    /// Says whether an awake island is iterated with more effort than the world's.
    pub(crate) fn is_any_strained(&self) -> bool {
        self.strained_awake()
            .any(|slot| !self.direct.contains(slot))
    }

    /// Returns the level of effort that an island is iterated with; that of one that is solved directly stands by.
    pub(crate) fn effort_in_use(&self, slot: u32) -> usize {
        if self.direct.contains(slot) {
            0
        } else {
            self.slots[slot as usize].effort.into()
        }
    }

    /// Has `to`, which takes bodies from `from`, solved with the effort of that, if it is more; and its loads at rest looked after.
    pub(crate) fn follow(&mut self, from: u32, to: u32) {
        self.slots[to as usize].has_rest_loads |= self.slots[from as usize].has_rest_loads;
        self.slots[to as usize].spared += self.slots[from as usize].spared;
        self.slots[to as usize].spares_pins |= self.slots[from as usize].spares_pins;
        let acceleration = self.slots[from as usize].rest_acceleration;
        let greatest = &mut self.slots[to as usize].rest_acceleration;
        *greatest = acceleration.max(*greatest);
        let rest_effort = self.slots[from as usize].rest_effort;
        let most = &mut self.slots[to as usize].rest_effort;
        *most = rest_effort.max(*most);
        let (effort, goal) = (
            self.slots[from as usize].effort,
            self.slots[from as usize].goal,
        );
        let target = &mut self.slots[to as usize].goal;
        *target = goal.max(*target);
        if effort > self.slots[to as usize].effort {
            self.set_effort(to, effort);
        }
    }

    /// Number of islands.
    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}
