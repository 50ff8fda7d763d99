//! What a kind of joint consists of: a record in the solver, and rows in lanes.
//!
//! A new kind is a file with its definition and these two, and a line in each list of `def.rs`, `sim.rs` and `rows.rs`.

use super::base::{JointBase, JointContext, JointStep, RowContext};
use super::parts::drive::PartSet;
use super::parts::lane_vec::{Empty, put};
use super::parts::pair::{BodyPair, JointEnds};
use super::parts::row::PassSettings;
use super::row_request::{MAX_ROWS, RowRequests};
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{Lanes, Simd};

/// The record of a kind of joint in the solver: settings and impulses.
pub(crate) trait KindJoint {
    /// The settings.
    type Def;

    /// Returns the joint of `def`, which must be valid.
    fn new(def: &Self::Def) -> Self;

    /// Takes over the settings of `def`; impulses and unwrapped angles stay.
    fn configure(&mut self, def: &Self::Def);

    /// Iterates over the impulses of all rows that the kind may have, in the order of [`list_rows`](Self::list_rows).
    fn impulses(&mut self) -> impl Iterator<Item = &mut f32>;

    /// Returns for each of the impulses whether the joint has its row.
    fn present(&self) -> [bool; MAX_ROWS] {
        [true; MAX_ROWS]
    }

    /// Prepares for a step. Gears have their own function: they read other joints.
    fn prepare(&mut self, _: &JointBase, _: &JointStep, _: &JointContext<'_>) {}

    /// Returns the linear and angular impulse on B of the last substep.
    fn reaction(&self) -> (Vec2, f32);

    /// Returns its optional parts.
    fn parts(&self) -> PartSet {
        PartSet::default()
    }

    /// Requests the rows for the direct solver. Returns `false` if that cannot solve the joint.
    fn list_rows(&self, _: &mut RowRequests) -> bool {
        false
    }

    /// Stores the direction of the rows as the direct solver left it.
    fn set_direction(&mut self, _: Vec2) {}

    /// Scales the impulses for the warm start by `share`, and forgets those of rows that the joint no longer has.
    fn carry_impulses(&mut self, share: f32) {
        let present = self.present();
        for (x, is_present) in self.impulses().zip(present) {
            *x *= if is_present { share } else { 0.0 };
        }
    }
}

/// The rows of the joints of a block, one joint a lane: all of one kind and with the same parts.
pub(crate) trait KindRows<L: Lanes>: Empty<L> {
    type Joint: KindJoint;

    /// Iterates over the impulses, in the order of those of the joint.
    fn impulses(&mut self) -> impl Iterator<Item = &mut L>;

    /// Fills a lane with the settings of a joint; its impulses are there already.
    fn put(&mut self, lane: usize, joint: &Self::Joint, context: &RowContext<'_>);

    /// Stores the directions to which the impulses of a lane belong.
    fn store_direction(&self, _lane: usize, _: &mut Self::Joint) {}

    /// Applies the impulses.
    fn warm_start(&mut self, parts: PartSet, ends: &JointEnds<L>, pair: &mut BodyPair<L>);

    /// Solves or relaxes.
    fn solve(&mut self, ends: &JointEnds<L>, pair: &mut BodyPair<L>, settings: &PassSettings<L>);

    /// Sets the impulses of springs to 0.
    #[inline(always)]
    fn forget_springs(&mut self, _: PartSet) {}

    /// Sets the impulses to 0.
    #[inline(always)]
    fn forget_impulses(&mut self) {
        self.impulses().for_each(|x| *x = x.simd().zero());
    }

    /// Fills a lane with a prepared joint.
    fn load(&mut self, lane: usize, joint: &mut Self::Joint, context: &RowContext<'_>) {
        for (lanes, x) in self.impulses().zip(joint.impulses()) {
            put(lanes, lane, *x);
        }
        self.put(lane, joint, context);
    }

    /// Writes the impulses of a lane back to its joint.
    fn store(&mut self, lane: usize, joint: &mut Self::Joint) {
        for (lanes, x) in self.impulses().zip(joint.impulses()) {
            *x = lanes.as_slice()[lane];
        }
        self.store_direction(lane, joint);
    }
}
