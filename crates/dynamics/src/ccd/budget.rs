//! Bounds of the work of continuous collision in a step. Where more bodies need it, the fastest come first.

use crate::body::state::angle_bound;
use crate::body::table::BodyTable;
use core::cmp::Ordering;

/// Impacts of a body in one step that are solved at their time; later ones are clamped.
///
/// An elastic ball in a corridor 1 m wide has 8 at 480 m/s. Two bodies that collide again and again reach
/// this bound, and the end of the step.
pub(super) const MAX_BODY_IMPACTS: u32 = 8;

/// Events of a body in one step after which it stays where it is. No further event can move it.
pub(super) const MAX_BODY_EVENTS: u32 = 16;

/// Pairs of far movers and sweeps against dynamic bodies in one step: of up to 256 bodies that move farther than
/// their half thickness all are swept, of 1024 the 64 fastest.
///
/// A sweep costs more among many: in a rain of thousands 256 of them took a tenth of the step, and a missed
/// collision of two drops is invisible. Bullets are not counted.
pub(super) const MAX_FAR_PAIRS: usize = 65_536;

/// Bodies in one step that are swept by the points of a long spinning shape.
pub(super) const MAX_SPINNING: usize = 64;

/// Pairs of moving bounce candidates in one step: of up to 1024 all are swept, of 4096 the 256 fastest. The impacts of
/// others are late by a part of the step, and lose as much energy as a substep changes.
///
/// Each candidate is swept at any speed against everything that moves, which takes about a microsecond. A gas of 1000
/// balls keeps its energy to 1e-7; in a stirred pile of thousands late bounces are invisible.
pub(super) const MAX_BOUNCE_PAIRS: usize = 1 << 20;

/// Impacts of the policy *auto* in one step that are solved at their time; later ones are clamped.
///
/// With [`MAX_AUTO_BOUNCES`], half a millisecond of work. 200 bodies poured into a bin would otherwise bounce
/// 9000 times in a step, in 20 ms.
const MAX_AUTO_IMPACTS: u32 = 64;

/// Bounces that these impacts may cause: an impact propagates through all touching contacts.
const MAX_AUTO_BOUNCES: usize = 256;

/// Work of the impacts of a step.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ImpactWork {
    pub(super) impacts: u32,
    pub(super) bounces: usize,
}

impl ImpactWork {
    /// Returns `true` if further impacts of the policy *auto* are clamped.
    pub(super) fn is_exhausted(self) -> bool {
        self.impacts >= MAX_AUTO_IMPACTS || self.bounces >= MAX_AUTO_BOUNCES
    }
}

/// Need of a body for a sweep: the greater, the likelier it passes through another one in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Need {
    /// Travel or speed relative to the half thickness of the body.
    travel: f32,
    pub(super) slot: u32,
}

impl Need {
    /// A need that is less than that of any body.
    pub(super) const ANY: Self = Self {
        travel: 0.0,
        slot: u32::MAX,
    };

    /// Returns the need of a body from the travel of its fastest point.
    #[inline]
    pub(super) fn of_travel(bodies: &BodyTable, slot: u32) -> Self {
        Self::new(bodies, slot, bodies.moved[slot as usize])
    }

    /// Returns the need of a body by its speed, before it moves.
    pub(super) fn of_speed(bodies: &BodyTable, slot: u32) -> Self {
        let speed = bodies.states[slot as usize].velocity.norm();
        Self::new(bodies, slot, speed)
    }

    /// Returns the need of a body by the way of its ends in its rotation.
    pub(super) fn of_rotation(bodies: &BodyTable, slot: u32) -> Self {
        let rotation = bodies.states[slot as usize].delta_rotation;
        let extent = bodies.tracks[slot as usize].max_extent;
        Self::new(bodies, slot, extent * angle_bound(rotation))
    }

    fn new(bodies: &BodyTable, slot: u32, travel: f32) -> Self {
        let travel = travel / bodies.tracks[slot as usize].min_extent;
        Self { travel, slot }
    }

    /// Orders greater needs first, equal ones by slot.
    #[inline]
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let by_travel = other.travel.total_cmp(&self.travel);
        by_travel.then(self.slot.cmp(&other.slot))
    }
}

/// Keeps the greatest needs, in any order, so many that they have at most `max_pairs` pairs with all needs, and
/// returns the least of those kept if some were removed.
pub(super) fn keep_first_of_pairs(needs: &mut Vec<Need>, max_pairs: usize) -> Need {
    let max = max_pairs / needs.len().max(1);
    keep_first(needs, max.max(1))
}

/// Keeps the `max` greatest needs, in any order, and returns the least of those kept if some were removed.
pub(super) fn keep_first(needs: &mut Vec<Need>, max: usize) -> Need {
    if needs.len() <= max {
        return Need::ANY;
    }
    let (_, &mut last, _) = needs.select_nth_unstable_by(max - 1, Need::order);
    needs.truncate(max);
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn greatest_needs_are_kept_and_equal_ones_by_slot() {
        let need = |travel: f32, slot: u32| Need { travel, slot };
        let all = [need(2.0, 4), need(3.0, 3), need(2.0, 1), need(1.5, 0)];
        let kept = |max: usize| {
            let mut needs = all.to_vec();
            let least = keep_first(&mut needs, max);
            needs.sort_unstable_by_key(|need| need.slot);
            let slots: Vec<u32> = needs.iter().map(|need| need.slot).collect();
            (slots, least)
        };
        assert_eq!(kept(1), (vec![3], need(3.0, 3)));
        assert_eq!(kept(2), (vec![1, 3], need(2.0, 1)));
        assert_eq!(kept(3), (vec![1, 3, 4], need(2.0, 4)));
        assert_eq!(kept(4).1, Need::ANY);
    }
}
