//! Eight encounters side by side: of one agent with eight others, or of eight agents with one other each.
//!
//! What does not depend on the horizon is computed once, the half-planes for each horizon that is tried. The same
//! formulae as in [`crate::velocity_obstacle`], and the same bits.

use crate::planes::Block;
use crate::separate::Touch;
use crate::tuning::LEG_LEAN;
use cairn2d_simd::{F32x8, Lanes8, Mask, Simd};

/// Sums in which those over an agent's neighbours are put together: every fourth neighbour from the first on, and so
/// on. So there is one order, whether neighbours lie side by side or one in each row.
pub(crate) const PARTS: usize = 4;

/// The agents that have the encounters; one in all lanes, or one in each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selves<L> {
    /// Velocity [m/s].
    pub(crate) velocity: [L; 2],
    /// Radius [m].
    pub(crate) radius: L,
    /// How overlaps are undone: time constant [s], and greatest speed [m/s].
    pub(crate) recovery: [L; 2],
    /// Speed at which a gap may close at most [m/s].
    pub(crate) top_closing: L,
}

/// Whom they meet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Others<L> {
    /// Way from the agent's center to theirs [m].
    pub(crate) way: [L; 2],
    /// Radius [m].
    pub(crate) radius: L,
    /// Velocity [m/s].
    pub(crate) velocity: [L; 2],
    /// Part of the change that the agent takes, 0 to 1.
    pub(crate) share: L,
}

/// Eight encounters, as far as they do not depend on the horizon.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Group {
    /// From the agent's center to theirs [m].
    pub(crate) x: F32x8,
    pub(crate) y: F32x8,
    pub(crate) distance: F32x8,
    distance_sq: F32x8,
    /// Velocity of the agent relative to theirs [m/s].
    pub(crate) velocity_x: F32x8,
    pub(crate) velocity_y: F32x8,
    /// Sum of the radii [m].
    pub(crate) radius: F32x8,
    pub(crate) share: F32x8,
    /// Length of the tangent, and sum of the radii, over the squared distance [1/m].
    tangent: F32x8,
    sine: F32x8,
}

impl Group {
    /// Returns the encounters of agents with others.
    #[inline(always)]
    pub(crate) fn of<L: Lanes8>(own: &Selves<L>, others: &Others<L>) -> Self {
        let [x, y] = others.way;
        let distance_sq = x * x + y * y;
        let radius = own.radius + others.radius;
        let tangent = (distance_sq - radius * radius).sqrt();
        Self {
            x: x.store(),
            y: y.store(),
            distance: distance_sq.sqrt().store(),
            distance_sq: distance_sq.store(),
            velocity_x: (own.velocity[0] - others.velocity[0]).store(),
            velocity_y: (own.velocity[1] - others.velocity[1]).store(),
            radius: radius.store(),
            share: others.share.store(),
            tangent: (tangent / distance_sq).store(),
            sine: (radius / distance_sq).store(),
        }
    }

    /// Returns the set of lanes in which both stand on the very same spot.
    #[inline(always)]
    pub(crate) fn coincide<L: Lanes8>(&self, simd: L::Simd) -> u32 {
        L::load(simd, &self.distance).le(simd.splat(0.0)).bits()
    }

    /// Returns the set of lanes in which the two overlap: there nothing depends on the horizon.
    #[inline(always)]
    pub(crate) fn overlaps<L: Lanes8>(&self, simd: L::Simd) -> u32 {
        let radius = L::load(simd, &self.radius);
        L::load(simd, &self.distance_sq).le(radius * radius).bits()
    }

    /// Returns how close the others are, of those that count: 1 in contact and less farther off, down to 0 at a gap of
    /// `reach` sums of the radii; and the unit vectors away from them times that.
    #[inline(always)]
    pub(crate) fn closeness<L: Lanes8>(
        &self,
        simd: L::Simd,
        counts: L::Mask,
        reach: f32,
    ) -> [L; 3] {
        let (zero, one) = (simd.splat(0.0), simd.splat(1.0));
        let (distance, radius) = (L::load(simd, &self.distance), L::load(simd, &self.radius));
        let gap = distance - radius;
        let closeness = (one - gap / (radius * simd.splat(reach))).min(one);
        let is_some = closeness.gt(zero).and(distance.gt(zero));
        let counts = counts.and(is_some);
        let part = L::select(counts, closeness / distance, zero);
        [
            L::select(counts, closeness, zero),
            -(L::load(simd, &self.x) * part),
            -(L::load(simd, &self.y) * part),
        ]
    }

    /// Returns those who could touch within a step, of those that count: with less room than their gap may close by;
    /// `None` if nobody is so near.
    #[inline(always)]
    pub(crate) fn touch<L: Lanes8>(
        &self,
        own: &Selves<L>,
        counts: L::Mask,
        step: f32,
    ) -> Option<Touch> {
        let simd = own.radius.simd();
        let distance = L::load(simd, &self.distance);
        let gap = distance - L::load(simd, &self.radius);
        let near = gap.lt(own.top_closing * simd.splat(step)).and(counts);
        if near.bits() == 0 {
            return None;
        }
        let is_apart = gap.ge(simd.splat(0.0));
        let room = L::select(is_apart, gap / simd.splat(step), -self.parting(own));
        let within = near.and(room.lt(own.top_closing));
        let (zero, x, y) = (
            simd.splat(0.0),
            L::load(simd, &self.x),
            L::load(simd, &self.y),
        );
        Some(Touch {
            set: within.bits(),
            x: L::select(within, x / distance, zero).store(),
            y: L::select(within, y / distance, zero).store(),
            room: L::select(within, room, simd.splat(f32::INFINITY)).store(),
            share: self.share,
        })
    }

    /// Returns the speed at which overlaps are undone [m/s].
    #[inline(always)]
    fn parting<L: Lanes8>(&self, own: &Selves<L>) -> L {
        let simd = own.radius.simd();
        let depth = L::load(simd, &self.radius) - L::load(simd, &self.distance);
        (depth / own.recovery[0]).min(own.recovery[1])
    }

    /// Returns the half-planes of ORCA for a horizon of one over `rate`, and those that open overlaps; all velocities
    /// for those that do not count.
    #[inline(always)]
    pub(crate) fn orca<L: Lanes8>(&self, own: &Selves<L>, rate: L, counts: L::Mask) -> Block {
        let simd = rate.simd();
        let (offset_x, offset_y) = (L::load(simd, &self.x), L::load(simd, &self.y));
        let (velocity_x, velocity_y) = (
            L::load(simd, &self.velocity_x),
            L::load(simd, &self.velocity_y),
        );
        let (radius, distance) = (L::load(simd, &self.radius), L::load(simd, &self.distance));
        let (x, y) = (velocity_x - offset_x * rate, velocity_y - offset_y * rate);
        let speed_sq = x * x + y * y;
        let speed = speed_sq.sqrt();
        let along = x * offset_x + y * offset_y;
        let before_tip = along
            .lt(simd.splat(0.0))
            .and((along * along).gt(radius * radius * speed_sq));
        // The left leg, or the right one.
        let lean = simd.splat(LEG_LEAN) * (speed * distance);
        let left = (offset_x * y - offset_y * x).gt(lean);
        let (tangent, sine) = (L::load(simd, &self.tangent), L::load(simd, &self.sine));
        let tangent = L::select(left, tangent, -tangent);
        let leg_x = -offset_y * tangent - offset_x * sine;
        let leg_y = offset_x * tangent - offset_y * sine;
        let leg_change = -(leg_x * velocity_x + leg_y * velocity_y);
        let mut normal_x = L::select(before_tip, x / speed, leg_x);
        let mut normal_y = L::select(before_tip, y / speed, leg_y);
        let mut change = L::select(before_tip, radius * rate - speed, leg_change);
        let overlap = L::load(simd, &self.distance_sq).le(radius * radius);
        if overlap.bits() != 0 {
            let (away_x, away_y) = (-offset_x / distance, -offset_y / distance);
            let away_speed = away_x * velocity_x + away_y * velocity_y;
            normal_x = L::select(overlap, away_x, normal_x);
            normal_y = L::select(overlap, away_y, normal_y);
            change = L::select(overlap, self.parting(own) - away_speed, change);
        }
        let kept = normal_x * own.velocity[0] + normal_y * own.velocity[1];
        let offset = kept + L::load(simd, &self.share) * change;
        Block {
            normal_x: normal_x.store(),
            normal_y: normal_y.store(),
            offset: L::select(counts, offset, simd.splat(f32::NEG_INFINITY)).store(),
        }
    }
}
