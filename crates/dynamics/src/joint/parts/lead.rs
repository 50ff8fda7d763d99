//! A row that is solved right before another part of its joint, and counts on the answer of that part.
//!
//! Where both parts turn the same body, each undoes what the other has done. With springs too stiff for the substep that
//! adds energy: one weld with springs of 20 Hz at a long arm did in substeps of 1/60 s. So the other part is eliminated, as
//! in a block: a unit impulse of the row moves it by t, it answers with the impulse `-s M t`, and the row yields by
//! `k - s t M t` instead of k. M is the mass of the other part, s the share of it that acts: less than 1 for soft ones.

use super::block::MIN_BLOCK_PIVOT_SHARE;
use super::lane_vec::LaneVec;
use super::pair::{BodyPair, JointArms};
use super::point::{change_of_point, solve_point};
use super::row::{JointRow, PassSettings, Row, Twist};
use super::spring::Springs;
use cairn2d_simd::{Lanes, Mask, Simd};

/// A row with the answer of the part after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lead<L, R> {
    row: R,
    /// What the other part will add to C' without an impulse of this row.
    speed: L,
    inv_mass: L,
}

impl<L: Lanes, R: Row<L>> Lead<L, R> {
    /// Returns `row` before a part that will add `speed` to its C', and yields `answer` for a unit impulse.
    #[inline(always)]
    fn new(row: R, pair: &BodyPair<L>, speed: L, answer: L) -> Self {
        let own = row.inv_mass(pair);
        let simd = own.simd();
        let rest = own - answer;
        // Otherwise the other part holds this one, too.
        let is_free = rest.gt(own * simd.splat(MIN_BLOCK_PIVOT_SHARE));
        Self {
            row,
            speed,
            inv_mass: L::select(is_free, rest, simd.zero()),
        }
    }
}

impl<L: Lanes, R: Row<L>> Lead<L, R> {
    /// Returns `row` before parts that do not answer it.
    #[inline(always)]
    pub(crate) fn alone(row: R, pair: &BodyPair<L>) -> Self {
        let inv_mass = row.inv_mass(pair);
        Self {
            row,
            speed: inv_mass.simd().zero(),
            inv_mass,
        }
    }

    /// Returns the `lead` of the springs on `row` that are too stiff for the substep, and the row alone for others.
    #[inline(always)]
    pub(crate) fn if_stiff(
        row: R,
        springs: &Springs<L>,
        pair: &BodyPair<L>,
        lead: impl FnOnce() -> Self,
    ) -> Self {
        let alone = Self::alone(row, pair);
        let stiff = springs.are_stiff();
        if !stiff.any() {
            return alone;
        }
        let lead = lead();
        Self {
            row,
            speed: L::select(stiff, lead.speed, alone.speed),
            inv_mass: L::select(stiff, lead.inv_mass, alone.inv_mass),
        }
    }
}

impl<L: Lanes> Lead<L, Twist> {
    /// Returns the row on the angle before the point at `arms` changes its impulse by `change`, of which the share `s`
    /// answers the row.
    #[inline(always)]
    pub(crate) fn of_twist(
        pair: &BodyPair<L>,
        arms: JointArms<L>,
        change: LaneVec<L>,
        s: L,
    ) -> Self {
        let t = (arms.a * pair.a.inv_inertia + arms.b * pair.b.inv_inertia).left();
        let answer = s * t.dot(solve_point(pair, arms, t));
        Self::new(Twist, pair, t.dot(change), answer)
    }

    /// Returns the row on the angle before the gap `c` of the point is held by the impulse `x`.
    #[inline(always)]
    pub(crate) fn before_point(
        pair: &BodyPair<L>,
        arms: JointArms<L>,
        c: LaneVec<L>,
        settings: &PassSettings<L>,
        x: LaneVec<L>,
    ) -> Self {
        let change = change_of_point(pair, arms, c, settings, x);
        Self::of_twist(pair, arms, change, settings.share_of_mass())
    }
}

impl<L: Lanes> Lead<L, JointRow<L>> {
    /// Returns `row` before the error `c` of another row is held by the impulse `x`.
    #[inline(always)]
    pub(crate) fn before_row(
        (row, other): (JointRow<L>, JointRow<L>),
        pair: &BodyPair<L>,
        c: L,
        settings: &PassSettings<L>,
        x: L,
    ) -> Self {
        let t = row.coupling(&other, pair);
        let change = other.change_to_hold(pair, c, settings, x);
        let answer = settings.share_of_mass() * other.mass(pair) * t * t;
        Self::new(row, pair, t * change, answer)
    }
}

impl<L: Lanes, R: Row<L>> Row<L> for Lead<L, R> {
    #[inline(always)]
    fn velocity(&self, pair: &BodyPair<L>) -> L {
        self.row.velocity(pair) + self.speed
    }

    #[inline(always)]
    fn inv_mass(&self, _: &BodyPair<L>) -> L {
        self.inv_mass
    }

    #[inline(always)]
    fn own_inv_mass(&self, pair: &BodyPair<L>) -> L {
        self.row.inv_mass(pair)
    }

    #[inline(always)]
    fn inv_inertia(&self, pair: &BodyPair<L>) -> L {
        self.row.inv_inertia(pair)
    }

    #[inline(always)]
    fn push(&self, pair: &mut BodyPair<L>, x: L) {
        self.row.push(pair, x);
    }
}
