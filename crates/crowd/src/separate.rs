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
use cairn2d_geometry::math::{Vec2, sin_cos};
use core::ops::Range;

/// How overlaps are undone.
#[derive(Clone, Copy, Debug)]
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

/// Another agent within reach of this step; 20 bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    /// Index in the grid.
    pub(crate) other: u32,
    /// Unit vector to it.
    pub(crate) towards: Vec2,
    /// Speed at which the gap may close [m/s]; negative where an overlap has to open.
    pub(crate) room: f32,
    /// Part of what is too much that this agent takes back.
    pub(crate) share: f32,
}

/// An agent with contacts.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    /// Index in the grid.
    agent: u32,
    contacts_end: u32,
    planes_end: u32,
    region: Region,
}

/// The contacts of some agents, in order of the grid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contacts {
    members: Vec<Member>,
    contacts: Vec<Contact>,
    /// Walls about to be touched.
    planes: Vec<HalfPlane>,
}

impl Contacts {
    pub(crate) fn clear(&mut self) {
        self.members.clear();
        self.contacts.clear();
        self.planes.clear();
    }

    /// Notes a sorted agent; one without contacts needs no sweep.
    pub(crate) fn add(
        &mut self,
        agent: usize,
        contacts: &[Contact],
        planes: impl Iterator<Item = HalfPlane>,
        region: Region,
    ) {
        if contacts.is_empty() {
            return;
        }
        self.contacts.extend_from_slice(contacts);
        self.planes.extend(planes);
        self.members.push(Member {
            agent: agent as u32,
            contacts_end: self.contacts.len() as u32,
            planes_end: self.planes.len() as u32,
            region,
        });
    }

    /// Appends the contacts of agents that come after these.
    pub(crate) fn append(&mut self, other: &Self) {
        let (contacts, planes) = (self.contacts.len() as u32, self.planes.len() as u32);
        self.contacts.extend_from_slice(&other.contacts);
        self.planes.extend_from_slice(&other.planes);
        self.members
            .extend(other.members.iter().map(|member| Member {
                contacts_end: member.contacts_end + contacts,
                planes_end: member.planes_end + planes,
                ..member.clone()
            }));
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

    /// Goes through the sorted agents in contact with anyone, with the member who has them in contact.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (usize, u32)> + '_ {
        (0..self.len()).flat_map(|member| {
            let others = self.contacts[self.range(member, |m| m.contacts_end)].iter();
            others.map(move |contact| (member, contact.other))
        })
    }

    #[inline]
    fn range(&self, member: usize, end: impl Fn(&Member) -> u32) -> Range<usize> {
        let start = member.checked_sub(1).map_or(0, |i| end(&self.members[i]));
        start as usize..end(&self.members[member]) as usize
    }

    /// Returns a member's velocity after one sweep from everyone's [m/s].
    #[inline]
    pub(crate) fn settled(&self, member: usize, velocities: &[Vec2], how: &Sweep) -> Vec2 {
        let contacts = &self.contacts[self.range(member, |m| m.contacts_end)];
        let velocity = velocities[self.agent(member)];
        match relax(velocity, contacts, velocities, how) {
            Some(relaxed) => {
                let planes = &self.planes[self.range(member, |m| m.planes_end)];
                let pushed = push_off(relaxed, planes);
                self.members[member].region.nearest(&pushed)
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
fn relax(velocity: Vec2, contacts: &[Contact], velocities: &[Vec2], how: &Sweep) -> Option<Vec2> {
    let (mut back, mut count) = (Vec2::zeros(), 0.0f32);
    for contact in contacts {
        let closing = contact
            .towards
            .dot(&(velocity - velocities[contact.other as usize]));
        let excess = closing - contact.room;
        // Selected, not branched on: in a jam nobody can foretell it.
        let (part, one) = if excess > how.slop {
            (excess * contact.share, 1.0)
        } else {
            (0.0, 0.0)
        };
        back += contact.towards * part;
        count += one;
    }
    // One contact is settled at once; more of them share the way, or they would overshoot together.
    (count > 0.0).then(|| velocity - back * (how.gain * 2.0 / (count + 1.0)))
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

    #[test]
    fn agents_on_one_spot_have_opposite_directions() {
        for (a, b) in [(0, 1), (1, 2), (7, 100_000)] {
            assert_eq!(apart(a, b), -apart(b, a));
            assert!((apart(a, b).norm() - 1.0).abs() < 1e-6);
        }
    }
}
