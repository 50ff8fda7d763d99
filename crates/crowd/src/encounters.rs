//! All encounters of an agent with its neighbours, in lanes: what does not depend on the horizon is
//! computed once, the half-planes for each horizon that is tried.
//!
//! The same formulae as in [`crate::velocity_obstacle`], and the same bits.

use crate::agent::Model;
use crate::lanes::{LANES, Lanes, first, lesser, select};
use crate::neighbors::{BLOCKS, Column, Neighbors};
use crate::planes::{Block, Planes};
use crate::separate::{Recovery, Touch};
use crate::tuning::LEG_LEAN;
use crate::velocity_obstacle::Encounter;
use cairn2d_geometry::math::{Vec2, vec2};

/// What the neighbours tell beside their places and sizes, one number each.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    /// Their velocity [m/s].
    pub(crate) velocity_x: Column,
    pub(crate) velocity_y: Column,
    /// Not read where the agent's own share is given for all.
    pub(crate) weight: Column,
    /// Part of the change that the agent takes, 0 to 1, whatever the weights; [`BY_WEIGHT`] if they decide.
    pub(crate) share: Column,
}

/// Share that is left to the weights.
pub(crate) const BY_WEIGHT: f32 = -1.0;

impl Default for Columns {
    fn default() -> Self {
        let zero = [Lanes::splat(0.0); BLOCKS];
        Self {
            velocity_x: zero,
            velocity_y: zero,
            weight: zero,
            share: zero,
        }
    }
}

/// The agent that has the encounters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Own {
    /// Velocity [m/s].
    pub(crate) velocity: Vec2,
    /// Radius [m].
    pub(crate) radius: f32,
    pub(crate) weight: f32,
    /// Part of the change that the agent takes in all encounters; `None` if they differ.
    pub(crate) share: Option<f32>,
}

/// Four encounters, as far as they do not depend on the horizon.
#[derive(Clone, Copy, Debug, Default)]
struct Four {
    /// From the agent's center to theirs [m].
    x: Lanes,
    y: Lanes,
    distance_sq: Lanes,
    distance: Lanes,
    /// Velocity of the agent relative to theirs [m/s].
    velocity_x: Lanes,
    velocity_y: Lanes,
    /// Sum of the radii [m].
    radius: Lanes,
    share: Lanes,
    /// Length of the tangent, and sum of the radii, over the squared distance [1/m].
    tangent: Lanes,
    sine: Lanes,
}

/// An agent's encounters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encounters {
    fours: [Four; BLOCKS],
    len: usize,
    velocity: Vec2,
    /// Whether a neighbour stands on the very same spot.
    coincide: bool,
    /// Whether the agent has no share in an encounter.
    unshared: bool,
}

impl Encounters {
    /// Takes in the neighbours as an agent sees them.
    pub(crate) fn read(&mut self, neighbors: &Neighbors, columns: &Columns, own: &Own) {
        self.len = neighbors.len();
        self.velocity = own.velocity;
        (self.coincide, self.unshared) = (false, false);
        let blocks = self.len.div_ceil(LANES);
        for (i, four) in self.fours[..blocks].iter_mut().enumerate() {
            let at = |column: &Column| column[i];
            let (x, y) = (at(&neighbors.x), at(&neighbors.y));
            let distance_sq = x * x + y * y;
            let radius = Lanes::splat(own.radius) + at(&neighbors.radius);
            let tangent = (distance_sq - radius * radius).sqrt();
            let share = match own.share {
                Some(share) => Lanes::splat(share),
                None => shares(own.weight, at(&columns.weight), at(&columns.share)),
            };
            *four = Four {
                x,
                y,
                distance_sq,
                distance: distance_sq.sqrt(),
                velocity_x: Lanes::splat(own.velocity.x) - at(&columns.velocity_x),
                velocity_y: Lanes::splat(own.velocity.y) - at(&columns.velocity_y),
                radius,
                share,
                tangent: tangent / distance_sq,
                sine: radius / distance_sq,
            };
            let zero = Lanes::splat(0.0);
            let used = u32::MAX >> (u32::BITS as usize - LANES.min(self.len - LANES * i));
            self.coincide |= distance_sq.simd_le(zero).to_bitmask() & used != 0;
            self.unshared |= share.simd_le(zero).to_bitmask() & used != 0;
        }
    }

    /// Returns one encounter.
    pub(crate) fn get(&self, index: usize) -> Encounter {
        let (four, lane) = (&self.fours[index / LANES], index % LANES);
        let at = |lanes: &Lanes| lanes.as_array()[lane];
        Encounter {
            offset: vec2(at(&four.x), at(&four.y)),
            relative_velocity: vec2(at(&four.velocity_x), at(&four.velocity_y)),
            velocity: self.velocity,
            radius: at(&four.radius),
            share: at(&four.share),
        }
    }

    /// Returns the distance of the centers [m].
    pub(crate) fn distance(&self, index: usize) -> f32 {
        self.fours[index / LANES].distance.as_array()[index % LANES]
    }

    /// Returns where the throng about the agent leaves room: the sum of the unit vectors away from its neighbours,
    /// each times its closeness, which is 1 in contact and less farther off, down to 0 at a gap of `reach` sums of the
    /// radii. With it goes the sum of the closenesses.
    pub(crate) fn away(&self, reach: f32) -> (Vec2, f32) {
        let (zero, one) = (Lanes::splat(0.0), Lanes::splat(1.0));
        let (mut x, mut y, mut all) = (zero, zero, zero);
        for (i, four) in self.fours[..self.len.div_ceil(LANES)].iter().enumerate() {
            let gap = four.distance - four.radius;
            let closeness = lesser(one - gap / (four.radius * Lanes::splat(reach)), one);
            let counts =
                first(self.len - LANES * i) & closeness.simd_gt(zero) & four.distance.simd_gt(zero);
            let part = select(counts, closeness / four.distance, zero);
            all += select(counts, closeness, zero);
            x -= four.x * part;
            y -= four.y * part;
        }
        let sum = |lanes: Lanes| lanes.to_array().iter().sum();
        (vec2(sum(x), sum(y)), sum(all))
    }

    /// Calls `visit` with the blocks of neighbours of whom some could touch within a step: those with less room than
    /// `limit`, which is the speed at which the gap may close [m/s].
    ///
    /// `apart` tells the direction to a neighbour on the very same spot.
    pub(crate) fn touching(
        &self,
        step: f32,
        limit: f32,
        recovery: &Recovery,
        apart: impl Fn(usize) -> Vec2,
        mut visit: impl FnMut(usize, Touch),
    ) {
        for (i, four) in self.fours[..self.len.div_ceil(LANES)].iter().enumerate() {
            let gap = four.distance - four.radius;
            let near = gap.simd_lt(Lanes::splat(limit * step)) & first(self.len - LANES * i);
            if !near.any() {
                // Nearest first: those behind are farther still.
                break;
            }
            let is_apart = gap.simd_ge(Lanes::splat(0.0));
            let room = select(is_apart, gap / Lanes::splat(step), -four.parting(recovery));
            let within = near & room.simd_lt(Lanes::splat(limit));
            let (zero, far) = (Lanes::splat(0.0), Lanes::splat(f32::INFINITY));
            let mut touch = Touch {
                x: select(within, four.x / four.distance, zero),
                y: select(within, four.y / four.distance, zero),
                room: select(within, room, far),
                share: four.share,
            };
            if self.coincide {
                for k in 0..LANES.min(self.len - LANES * i) {
                    if self.distance(LANES * i + k) <= 0.0 {
                        let towards = apart(LANES * i + k);
                        touch.x.as_mut_array()[k] = towards.x;
                        touch.y.as_mut_array()[k] = towards.y;
                    }
                }
            }
            visit(i, touch);
        }
    }

    /// Appends the half-planes of all encounters in which the agent has a share.
    ///
    /// `apart` tells the direction to a neighbour on the very same spot.
    pub(crate) fn half_planes(
        &self,
        model: Model,
        wanted: &Vec2,
        horizon: f32,
        recovery: &Recovery,
        apart: impl Fn(usize) -> Vec2,
        planes: &mut Planes,
    ) {
        let blocks = planes.append(self.len);
        for (block, four) in blocks.iter_mut().zip(&self.fours) {
            *block = four.orca(&self.velocity, horizon, recovery);
        }
        if model != Model::Orca || self.coincide || self.unshared {
            for (i, block) in blocks.iter_mut().enumerate() {
                if model != Model::Orca {
                    self.put_model(block, LANES * i, model, wanted);
                }
                self.put_apart(block, LANES * i, recovery, &apart);
                let has_share = self.fours[i].share.simd_gt(Lanes::splat(0.0));
                block.offset = select(has_share, block.offset, Lanes::splat(f32::NEG_INFINITY));
            }
        }
        if let Some(last) = blocks.last_mut() {
            *last = last.up_to(self.len - (self.len - 1) / LANES * LANES);
        }
    }

    /// Replaces the half-planes of a block by those of another model, where there is no overlap.
    fn put_model(&self, block: &mut Block, start: usize, model: Model, wanted: &Vec2) {
        for i in start..self.len.min(start + LANES) {
            if let Some(plane) = self.get(i).half_plane(model, wanted, 1.0) {
                block.set(i - start, &plane);
            }
        }
    }

    /// Replaces the half-planes of neighbours on the very same spot.
    fn put_apart(
        &self,
        block: &mut Block,
        start: usize,
        recovery: &Recovery,
        apart: &impl Fn(usize) -> Vec2,
    ) {
        for i in start..self.len.min(start + LANES) {
            if self.distance(i) <= 0.0 {
                block.set(i - start, &self.get(i).parting(&apart(i), 0.0, recovery));
            }
        }
    }
}

/// Returns the parts of the change that the agent takes: those given, or else by weight.
#[inline]
fn shares(own: f32, weight: Lanes, given: Lanes) -> Lanes {
    let sum = weight + Lanes::splat(own);
    let some = sum.simd_gt(Lanes::splat(0.0));
    let by_weight = select(some, Lanes::splat(own) / sum, Lanes::splat(0.5));
    select(given.simd_lt(Lanes::splat(0.0)), by_weight, given)
}

impl Four {
    /// Returns the speed at which overlaps are undone [m/s].
    #[inline]
    fn parting(&self, recovery: &Recovery) -> Lanes {
        let depth = self.radius - self.distance;
        lesser(
            depth / Lanes::splat(recovery.time),
            Lanes::splat(recovery.speed),
        )
    }

    /// Returns the half-planes of ORCA, and those that open overlaps.
    #[inline]
    fn orca(&self, velocity: &Vec2, horizon: f32, recovery: &Recovery) -> Block {
        let rate = 1.0 / horizon;
        let (x, y) = (
            self.velocity_x - self.x * rate,
            self.velocity_y - self.y * rate,
        );
        let speed_sq = x * x + y * y;
        let speed = speed_sq.sqrt();
        let along = x * self.x + y * self.y;
        let before_tip = along.simd_lt(Lanes::splat(0.0))
            & (along * along).simd_gt(self.radius * self.radius * speed_sq);
        // The left leg, or the right one.
        let lean = Lanes::splat(LEG_LEAN) * (speed * self.distance);
        let left = (self.x * y - self.y * x).simd_gt(lean);
        let tangent = select(left, self.tangent, -self.tangent);
        let leg_x = -self.y * tangent - self.x * self.sine;
        let leg_y = self.x * tangent - self.y * self.sine;
        let leg_change = -(leg_x * self.velocity_x + leg_y * self.velocity_y);
        let choose = |disc, leg| select(before_tip, disc, leg);
        let mut normal_x = choose(x / speed, leg_x);
        let mut normal_y = choose(y / speed, leg_y);
        let mut change = choose(self.radius * rate - speed, leg_change);
        let overlap = self.distance_sq.simd_le(self.radius * self.radius);
        if overlap.any() {
            let (away_x, away_y) = (-self.x / self.distance, -self.y / self.distance);
            let away_speed = away_x * self.velocity_x + away_y * self.velocity_y;
            normal_x = select(overlap, away_x, normal_x);
            normal_y = select(overlap, away_y, normal_y);
            change = select(overlap, self.parting(recovery) - away_speed, change);
        }
        Block {
            normal_x,
            normal_y,
            offset: normal_x * velocity.x + normal_y * velocity.y + self.share * change,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::column;
    use crate::tuning::MAX_NEIGHBORS;
    use cairn2d_geometry::math::sin_cos;
    use proptest::prelude::*;

    const RECOVERY: Recovery = Recovery {
        time: 0.2,
        speed: 1.0,
    };

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// Lanes give the bits of the formulae for single encounters, overlapping or not.
        #[test]
        fn lanes_change_no_bit(
            others in proptest::collection::vec(
                (0.0f32..6.3, 0.0f32..9.0, -2.0f32..2.0, -2.0f32..2.0, 0.1f32..3.0, 0.0f32..1.0), 1..14),
            vx in -2.0f32..2.0, vy in -2.0f32..2.0, horizon in 0.02f32..9.0,
        ) {
            let mut ways = Vec::new();
            let mut radii = [0.0; MAX_NEIGHBORS];
            for (i, &(angle, distance, .., radius, _)) in others.iter().enumerate() {
                let (sin, cos) = sin_cos(angle);
                ways.push(vec2(cos * distance, sin * distance));
                radii[i] = radius;
            }
            let columns = Columns {
                velocity_x: column(|i| others.get(i).map_or(0.0, |other| other.2)),
                velocity_y: column(|i| others.get(i).map_or(0.0, |other| other.3)),
                share: column(|i| others.get(i).map_or(0.0, |other| other.5)),
                ..Columns::default()
            };
            let own = Own { velocity: vec2(vx, vy), radius: 0.5, ..Own::default() };
            let velocity = own.velocity;
            let mut encounters = Encounters::default();
            encounters.read(&Neighbors::of(&ways, radii), &columns, &own);
            let spot = vec2(0.6, 0.8);
            for model in [Model::Orca, Model::Reciprocal, Model::Hybrid, Model::VelocityObstacle] {
                let mut planes = Planes::default();
                encounters.half_planes(model, &velocity, horizon, &RECOVERY, |_| spot, &mut planes);
                for i in 0..others.len() {
                    let single = encounters.get(i);
                    let distance = single.offset.norm_squared().sqrt();
                    let towards = if distance > 0.0 { single.offset / distance } else { spot };
                    let want = single
                        .half_plane(model, &velocity, horizon)
                        .unwrap_or_else(|| single.parting(&towards, distance, &RECOVERY));
                    if single.share > 0.0 {
                        prop_assert_eq!(planes.get(i), want);
                    } else {
                        prop_assert_eq!(planes.get(i).offset, f32::NEG_INFINITY);
                    }
                }
            }
        }
    }

    #[test]
    fn a_throng_leaves_room_where_nobody_is_near() {
        // In contact to the right, half-way off above, out of reach to the left; five times, over two blocks.
        let ways = [vec2(1.0, 0.0), vec2(0.0, 1.5), vec2(-2.0, 0.0)];
        let check = |ways: &[Vec2], want: Vec2, closeness: f32| {
            let own = Own {
                radius: 0.5,
                share: Some(0.5),
                ..Own::default()
            };
            let mut encounters = Encounters::default();
            let neighbors = Neighbors::of(ways, [0.5; MAX_NEIGHBORS]);
            encounters.read(&neighbors, &Columns::default(), &own);
            let (away, all) = encounters.away(1.0);
            assert!((away - want).norm() < 1e-6, "{away}");
            assert!((all - closeness).abs() < 1e-6, "{all}");
        };
        check(&ways, vec2(-1.0, -0.5), 1.5);
        check(&ways.repeat(2), vec2(-2.0, -1.0), 3.0);
        check(&[Vec2::zeros()], Vec2::zeros(), 0.0);
        check(&[], Vec2::zeros(), 0.0);
    }

    #[test]
    fn weights_decide_unless_a_share_is_given() {
        let columns = Columns {
            weight: column(|i| i as f32),
            share: column(|i| if i == 2 { 1.0 } else { BY_WEIGHT }),
            ..Columns::default()
        };
        let shares = |weight| {
            let own = Own {
                weight,
                ..Own::default()
            };
            let mut encounters = Encounters::default();
            let neighbors = Neighbors::of(&[vec2(1.0, 0.0); 4], [0.3; MAX_NEIGHBORS]);
            encounters.read(&neighbors, &columns, &own);
            encounters.fours[0].share.to_array()
        };
        assert_eq!(shares(1.0), [1.0, 0.5, 1.0, 0.25]);
        assert_eq!(shares(0.0), [0.5, 0.0, 1.0, 0.0]);
    }
}
