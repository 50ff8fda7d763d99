//! What keeps discs apart in the very next step: all velocities at once.
//!
//! Half-planes are each agent's own affair; where many press on each other they contradict, and
//! where they forbid all approach nothing moves any more. So pairs about to touch are settled
//! jointly after everyone has chosen: along the line of centers the gap may close by its own width in
//! the step and no more. Each sweep takes back what is too much, in parts that follow the shares of
//! the two, from velocities of the sweep before (Jacobi), so no order shows [Weiss17, sec. 4].
//! Overlaps open at a bounded speed in the same way.

use crate::half_plane::HalfPlane;
use crate::region::Region;
use crate::simd::{Eight, LANES};
use cairn2d_geometry::math::{Vec2, sin_cos};
use core::ops::Range;
use wide::f32x4;

/// How overlaps are undone.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Recovery {
    /// Time constant [s].
    pub(crate) time: f32,
    /// Greatest speed [m/s].
    pub(crate) speed: f32,
}

impl Recovery {
    /// Returns the speed at which an overlap of `depth` [m] is undone [m/s].
    #[inline]
    pub(crate) fn parting(&self, depth: f32) -> f32 {
        // A time of zero gives infinity (or NaN for no depth): `min` then takes the speed.
        (depth / self.time).min(self.speed)
    }
}

/// Those of eight other agents who are within reach of this step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Touch {
    /// Who of them is, a bit each.
    pub(crate) set: u32,
    /// Unit vectors to them.
    pub(crate) x: Eight,
    pub(crate) y: Eight,
    /// Speeds at which the gaps may close [m/s]; negative where an overlap has to open.
    pub(crate) room: Eight,
    /// Parts of what is too much that this agent takes back.
    pub(crate) share: Eight,
}

/// Others in contact side by side: most agents have no more, and a register of four is had everywhere.
const FOUR: usize = 4;

/// Up to four others in contact; 80 bytes.
#[derive(Clone, Copy, Debug)]
struct Contact {
    x: f32x4,
    y: f32x4,
    /// As in [`Touch`]; infinite for nobody.
    room: f32x4,
    share: f32x4,
    /// Their indices in the grid.
    others: [u32; FOUR],
}

const _: () = assert!(size_of::<Contact>() == 80);

impl Contact {
    /// Nobody yet.
    const NOBODY: Self = Self {
        x: f32x4::ZERO,
        y: f32x4::ZERO,
        room: f32x4::splat(f32::INFINITY),
        share: f32x4::ZERO,
        others: [0; FOUR],
    };
}

/// An agent with contacts.
#[derive(Clone, Copy, Debug)]
struct Member {
    /// Index in the grid.
    agent: u32,
    contacts_end: u32,
    planes_end: u32,
}

/// The contacts of some agents, in order of the grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    members: Vec<Member>,
    contacts: Vec<Contact>,
    /// Walls about to be touched.
    planes: Vec<HalfPlane>,
    /// Contacts noted of the agent that is named next, in each lane.
    noted: [u32; FOUR],
}

impl Contacts {
    pub(crate) fn clear(&mut self) {
        self.members.clear();
        self.contacts.clear();
        self.planes.clear();
        self.noted = [0; FOUR];
    }

    /// Notes contacts of the agent that [`Self::add`] names next.
    pub(crate) fn push(&mut self, touch: &Touch, others: &[u32; LANES]) {
        let mut set = touch.set;
        while set != 0 {
            let lane = set.trailing_zeros() as usize % LANES;
            set &= set - 1;
            self.push_one(touch, lane, lane, others[lane]);
        }
    }

    /// Notes a contact of the agent that is named next: what is in one lane, of the neighbour with this number.
    ///
    /// Every fourth neighbour comes into the same lane, so that sums over them do not depend on who else is in contact.
    #[inline]
    pub(crate) fn push_one(&mut self, touch: &Touch, from: usize, neighbor: usize, other: u32) {
        let to = neighbor % FOUR;
        let start = self.members.last().map_or(0, |last| last.contacts_end);
        let place = (start + self.noted[to]) as usize;
        if place == self.contacts.len() {
            self.contacts.push(Contact::NOBODY);
        }
        self.noted[to] += 1;
        let contact = &mut self.contacts[place];
        contact.x.as_mut_array()[to] = touch.x.0[from];
        contact.y.as_mut_array()[to] = touch.y.0[from];
        contact.room.as_mut_array()[to] = touch.room.0[from];
        contact.share.as_mut_array()[to] = touch.share.0[from];
        contact.others[to] = other;
    }

    /// Notes whose the last contacts are, an index in the grid, and the walls that it is about to touch; one without
    /// contacts needs no sweep.
    pub(crate) fn add(&mut self, agent: usize, planes: impl Iterator<Item = HalfPlane>) {
        if core::mem::take(&mut self.noted) == [0; FOUR] {
            return;
        }
        self.planes.extend(planes);
        self.members.push(Member {
            agent: agent as u32,
            contacts_end: self.contacts.len() as u32,
            planes_end: self.planes.len() as u32,
        });
    }

    /// Returns the number of agents with contacts.
    pub(crate) fn len(&self) -> usize {
        self.members.len()
    }

    /// Returns the index in the grid of a member.
    #[inline]
    pub(crate) fn agent(&self, member: usize) -> usize {
        self.members[member].agent as usize
    }

    /// Goes through all contacts: member and the index in the grid of whom it has in contact.
    #[inline]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(u32, u32)) {
        let mut start = 0;
        for (member, of) in (0..).zip(&self.members) {
            let contacts = &self.contacts[start..of.contacts_end as usize];
            start = of.contacts_end as usize;
            for contact in contacts {
                let room = contact.room.to_array();
                for (other, room) in contact.others.into_iter().zip(room) {
                    if room < f32::INFINITY {
                        visit(member, other);
                    }
                }
            }
        }
    }

    /// Returns the number of contacts, filling included.
    pub(crate) fn contact_count(&self) -> usize {
        FOUR * self.contacts.len()
    }

    #[inline]
    fn range(&self, member: usize, end: impl Fn(&Member) -> u32) -> Range<usize> {
        let start = member.checked_sub(1).map_or(0, |i| end(&self.members[i]));
        start as usize..end(&self.members[member]) as usize
    }

    /// Returns a member's velocity after one sweep from everyone's [m/s]; `region` is what it can do at all.
    #[inline]
    pub(crate) fn settled(
        &self,
        member: usize,
        velocities: &[Vec2],
        how: &Sweep,
        region: impl Fn(usize) -> Region,
    ) -> Vec2 {
        let contacts = &self.contacts[self.range(member, |m| m.contacts_end)];
        let agent = self.members[member].agent as usize;
        let velocity = velocities[agent];
        match relax(velocity, contacts, velocities, how) {
            Some(relaxed) => {
                let planes = &self.planes[self.range(member, |m| m.planes_end)];
                region(agent).nearest(&push_off(relaxed, planes))
            }
            None => velocity,
        }
    }
}

/// How a sweep goes about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sweep {
    /// Speed at a contact that may be too much [m/s].
    pub(crate) slop: f32,
    /// Part of what is too much that is taken back.
    pub(crate) gain: f32,
}

/// Takes back this agent's part of what is too much; `None` if nothing is.
///
/// A contact that is right within the slop is left alone, so that agents far off do not show: however
/// many sweeps they need, this one's result stays.
#[inline]
fn relax(velocity: Vec2, contacts: &[Contact], velocities: &[Vec2], how: &Sweep) -> Option<Vec2> {
    let zero = f32x4::ZERO;
    let (mut x, mut y, mut count) = (zero, zero, zero);
    for contact in contacts {
        let theirs = contact.others.map(|other| velocities[other as usize]);
        let closing_x = f32x4::splat(velocity.x) - f32x4::new(theirs.map(|v| v.x));
        let closing_y = f32x4::splat(velocity.y) - f32x4::new(theirs.map(|v| v.y));
        let excess = contact.x * closing_x + contact.y * closing_y - contact.room;
        // Selected, not branched on: in a jam nobody can foretell it.
        let too_much = excess.simd_gt(f32x4::splat(how.slop));
        let part = too_much & (excess * contact.share);
        x += contact.x * part;
        y += contact.y * part;
        count += too_much & f32x4::ONE;
    }
    let count = sum(count);
    // One contact is settled at once; more of them share the way, or they would overshoot together.
    let back = how.gain * 2.0 / (count + 1.0);
    (count > 0.0).then(|| velocity - Vec2::new(sum(x), sum(y)) * back)
}

/// Returns the sum of four, of the first two and the last two first.
#[inline]
fn sum(four: f32x4) -> f32 {
    let [a, b, c, d] = four.to_array();
    (a + b) + (c + d)
}

/// Moves a velocity out of the walls.
fn push_off(mut velocity: Vec2, planes: &[HalfPlane]) -> Vec2 {
    for plane in planes {
        velocity += plane.normal * plane.violation(&velocity).max(0.0);
    }
    velocity
}

/// Returns a unit vector for two agents on one spot, from `own` to `other`; opposite for the two.
///
/// Taken from the names, for nothing else tells the two apart.
pub(crate) fn apart(own: u32, other: u32) -> Vec2 {
    let (low, high) = (own.min(other), own.max(other));
    // Golden-ratio hash of the pair: neighbouring names point far apart.
    let hash = (low.wrapping_mul(0x9E37_79B9) ^ high).wrapping_mul(0x85EB_CA6B);
    let turn = (hash >> 8) as f32 / (1u32 << 24) as f32;
    let (sin, cos) = sin_cos(turn * (2.0 * core::f32::consts::PI));
    if own == low {
        Vec2::new(cos, sin)
    } else {
        Vec2::new(-cos, -sin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RECOVERY: Recovery = Recovery {
        time: 0.2,
        speed: 1.0,
    };

    #[test]
    fn overlaps_part_at_a_bounded_speed() {
        assert_eq!(RECOVERY.parting(0.1), 0.5);
        assert_eq!(RECOVERY.parting(5.0), 1.0);
        assert_eq!(
            Recovery {
                time: 0.0,
                speed: 1.0
            }
            .parting(0.1),
            1.0
        );
    }

    /// Takes back what is too much, one contact after the other; each lane keeps a sum of its own.
    fn relax_singly(
        velocity: Vec2,
        contacts: &[Contact],
        velocities: &[Vec2],
        how: &Sweep,
    ) -> Option<Vec2> {
        let mut sums = [(Vec2::zeros(), 0.0f32); FOUR];
        for contact in contacts {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let of = |lanes: &f32x4| lanes.as_array()[lane];
                let towards = Vec2::new(of(&contact.x), of(&contact.y));
                let closing = velocity - velocities[contact.others[lane] as usize];
                let excess = towards.x * closing.x + towards.y * closing.y - of(&contact.room);
                if excess > how.slop {
                    sum.0 += towards * (excess * of(&contact.share));
                    sum.1 += 1.0;
                }
            }
        }
        let back = (sums[0].0 + sums[1].0) + (sums[2].0 + sums[3].0);
        let count: f32 = sums.iter().map(|sum| sum.1).sum();
        (count > 0.0).then(|| velocity - back * (how.gain * 2.0 / (count + 1.0)))
    }

    proptest! {
        #[test]
        fn lanes_change_no_bit(
            others in proptest::collection::vec((0.0f32..6.3, -1.0f32..2.0, -2.0f32..2.0, -2.0f32..2.0, 0.0f32..1.0), 0..5),
            x in -2.0f32..2.0, y in -2.0f32..2.0,
        ) {
            let contacts: Vec<Contact> = others.iter().map(|&(angle, room, _, _, share)| {
                let lane = |of: &dyn Fn(f32) -> f32| f32x4::new([0.0, 1.0, 2.0, 3.0].map(of));
                Contact {
                    x: lane(&|i| sin_cos(angle + i).1),
                    y: lane(&|i| sin_cos(angle + i).0),
                    room: lane(&|i| if i > 2.5 { f32::INFINITY } else { room - 0.3 * i }),
                    share: f32x4::splat(share),
                    others: [0, 1, 2, 3],
                }
            }).collect();
            let velocities: Vec<Vec2> =
                (0..4).map(|i| others.get(i).map_or(Vec2::zeros(), |o| Vec2::new(o.2, o.3))).collect();
            let (velocity, how) = (Vec2::new(x, y), Sweep { slop: 0.001, gain: 1.5 });
            prop_assert_eq!(
                relax(velocity, &contacts, &velocities, &how),
                relax_singly(velocity, &contacts, &velocities, &how)
            );
        }
    }

    #[test]
    fn agents_on_one_spot_have_opposite_directions() {
        for (a, b) in [(0, 1), (1, 2), (7, 100_000)] {
            assert_eq!(apart(a, b), -apart(b, a));
            assert!((apart(a, b).norm() - 1.0).abs() < 1e-6);
        }
    }
}
