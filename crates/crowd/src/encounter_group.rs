//! Eight encounters in lanes: of one agent with eight others, or of eight agents with one other each.
//!
//! Values that do not depend on the horizon are computed once, the half-planes for each horizon. Same formulas and
//! bits as in [`crate::velocity_obstacle`].

use crate::planes::Block;
use crate::separation::ContactLanes;
use crate::tuning::LEFT_LEG_SINE;
use cairn2d_simd::{F32x8, Lanes8, Mask, Simd};

/// Partial sums over an agent's neighbors: every fourth neighbor from the first on, and so on. So the order is the
/// same for neighbors in lanes and for neighbors in rows.
pub(crate) const PARTS: usize = 4;

/// The subjects of the encounters; one agent in all lanes, or one per lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Selves<L> {
    /// Velocity [m/s].
    pub(crate) velocity: [L; 2],
    /// Radius [m].
    pub(crate) radius: L,
    /// How overlaps are resolved: time constant [s], and greatest speed [m/s].
    pub(crate) recovery: [L; 2],
    /// Greatest closing speed of a gap [m/s].
    pub(crate) top_closing: L,
}

/// The other agents of the encounters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Others<L> {
    /// Offset of their centers from the agent's center [m].
    pub(crate) offset: [L; 2],
    /// Radius [m].
    pub(crate) radius: L,
    /// Velocity [m/s].
    pub(crate) velocity: [L; 2],
    /// Share of the agent, 0 to 1.
    pub(crate) share: L,
}

/// Eight encounters, without the values that depend on the horizon.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EncounterGroup {
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

impl EncounterGroup {
    /// Returns the encounters of agents with others.
    #[inline(always)]
    pub(crate) fn of<L: Lanes8>(own: &Selves<L>, others: &Others<L>) -> Self {
        let [x, y] = others.offset;
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

    /// Returns the mask of encounters with equal positions.
    #[inline(always)]
    pub(crate) fn coincide<L: Lanes8>(&self, simd: L::Simd) -> u32 {
        L::load(simd, &self.distance).le(simd.splat(0.0)).bits()
    }

    /// Returns the mask of overlaps, in which nothing depends on the horizon.
    #[inline(always)]
    pub(crate) fn overlaps<L: Lanes8>(&self, simd: L::Simd) -> u32 {
        let radius = L::load(simd, &self.radius);
        L::load(simd, &self.distance_sq).le(radius * radius).bits()
    }

    /// Returns the closeness of the others in the mask `counts`: 1 in contact, falling to 0 at a gap of `reach` sums
    /// of the radii; and the unit vectors away from them times the closeness.
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

    /// Returns the encounters in the mask `counts` that could touch within a step: their gap is less than it may
    /// close by. `None` if there are none.
    #[inline(always)]
    pub(crate) fn touch<L: Lanes8>(
        &self,
        own: &Selves<L>,
        counts: L::Mask,
        step: f32,
    ) -> Option<ContactLanes> {
        let simd = own.radius.simd();
        let distance = L::load(simd, &self.distance);
        let gap = distance - L::load(simd, &self.radius);
        let near = gap.lt(own.top_closing * simd.splat(step)).and(counts);
        if near.bits() == 0 {
            return None;
        }
        let is_apart = gap.ge(simd.splat(0.0));
        let room = L::select(is_apart, gap / simd.splat(step), -self.opening_speed(own));
        let within = near.and(room.lt(own.top_closing));
        let (zero, x, y) = (
            simd.splat(0.0),
            L::load(simd, &self.x),
            L::load(simd, &self.y),
        );
        Some(ContactLanes {
            set: within.bits(),
            x: L::select(within, x / distance, zero).store(),
            y: L::select(within, y / distance, zero).store(),
            room: L::select(within, room, simd.splat(f32::INFINITY)).store(),
            share: self.share,
        })
    }

    /// Returns the speeds at which overlaps are resolved [m/s].
    #[inline(always)]
    fn opening_speed<L: Lanes8>(&self, own: &Selves<L>) -> L {
        let simd = own.radius.simd();
        let depth = L::load(simd, &self.radius) - L::load(simd, &self.distance);
        (depth / own.recovery[0]).min(own.recovery[1])
    }

    /// Returns the half-planes of ORCA for a horizon of `1 / rate`, and the half-planes that resolve overlaps;
    /// trivial half-planes outside the mask `counts`.
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
        let lean = simd.splat(LEFT_LEG_SINE) * (speed * distance);
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
            change = L::select(overlap, self.opening_speed(own) - away_speed, change);
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
