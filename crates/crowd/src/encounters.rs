//! All encounters of one agent with its neighbors, eight at a time.

use crate::agent::Model;
use crate::encounter_group::{EncounterGroup, PARTS, Selves};
use crate::neighbors::{BLOCKS, Column, Neighbors};
use crate::planes::{Block, Planes};
use crate::region::within;
use crate::separation::{ContactLanes, Recovery};
use crate::tuning::{MAX_SEPARATION_SHARE, SEPARATION_GAIN, SEPARATION_GAP};
use crate::velocity_obstacle::Encounter;
use cairn2d_geometry::math::{Vec2, vec2};
use cairn2d_simd::{F32x8, LANES, Lanes8, Mask, Simd};

/// The subject of the encounters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Own {
    /// Velocity [m/s].
    pub(crate) velocity: Vec2,
    /// Radius [m].
    pub(crate) radius: f32,
    /// How its overlaps are resolved.
    pub(crate) recovery: Recovery,
    /// Greatest closing speed of a gap [m/s].
    pub(crate) top_closing: f32,
    /// Share of the agent in all encounters; `None` if they differ.
    pub(crate) share: Option<f32>,
}

/// Encounters of an agent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Encounters {
    groups: [EncounterGroup; BLOCKS],
    len: usize,
    own: Own,
    /// Whether a neighbor has the same position.
    coincide: bool,
    /// Whether the share of the agent is zero in an encounter.
    unshared: bool,
    /// Whether it overlaps with all neighbors, so that no half-plane depends on the horizon.
    pub(crate) all_overlap: bool,
}

impl Encounters {
    /// Reads the neighbors as an agent sees them; `shares` are its shares unless they are common to all encounters.
    #[inline(always)]
    pub(crate) fn read<L: Lanes8>(
        &mut self,
        simd: L::Simd,
        neighbors: &Neighbors,
        shares: &Column,
        own: &Own,
    ) {
        self.len = neighbors.len();
        self.own = *own;
        let selves = own.selves::<L>(simd);
        let (mut coincide, mut unshared, mut distant) = (0, 0, 0);
        let blocks = self.len.div_ceil(LANES);
        for (i, group) in self.groups[..blocks].iter_mut().enumerate() {
            let share = match own.share {
                Some(share) => simd.splat(share),
                None => L::load(simd, &shares[i]),
            };
            *group = EncounterGroup::of::<L>(&selves, &neighbors.others(i, share));
            let used = u32::MAX >> (u32::BITS as usize - LANES.min(self.len - LANES * i));
            coincide |= group.coincide::<L>(simd) & used;
            distant |= !group.overlaps::<L>(simd) & used;
            unshared |= share.le(simd.splat(0.0)).bits() & used;
        }
        (self.coincide, self.unshared) = (coincide != 0, unshared != 0);
        self.all_overlap = distant == 0;
    }

    /// Returns one encounter.
    pub(crate) fn get(&self, index: usize) -> Encounter {
        let (group, lane) = (&self.groups[index / LANES], index % LANES);
        let at = |numbers: &F32x8| numbers.0[lane];
        Encounter {
            offset: vec2(at(&group.x), at(&group.y)),
            relative_velocity: vec2(at(&group.velocity_x), at(&group.velocity_y)),
            velocity: self.own.velocity,
            radius: at(&group.radius),
            share: at(&group.share),
        }
    }

    /// Returns the distance of the centers [m].
    pub(crate) fn distance(&self, index: usize) -> f32 {
        self.groups[index / LANES].distance.0[index % LANES]
    }

    /// Returns the separation vector: the sum of the unit vectors away from the neighbors, each times its closeness
    /// (see [`EncounterGroup::closeness`]); and the sum of the closenesses.
    #[inline(always)]
    pub(crate) fn away<L: Lanes8>(&self, simd: L::Simd, reach: f32) -> (Vec2, f32) {
        let mut sums = [(Vec2::zeros(), 0.0f32); PARTS];
        for (i, group) in self.groups[..self.len.div_ceil(LANES)].iter().enumerate() {
            let counts = L::mask_first(simd, self.len - LANES * i);
            let [closeness, x, y] = group.closeness::<L>(simd, counts, reach);
            let (closeness, x, y) = (closeness.store(), x.store(), y.store());
            for lane in 0..LANES {
                let (away, all) = &mut sums[lane % PARTS];
                *away += vec2(x.0[lane], y.0[lane]);
                *all += closeness.0[lane];
            }
        }
        let [first, rest @ ..] = sums;
        let add = |a: (Vec2, f32), b: (Vec2, f32)| (a.0 + b.0, a.1 + b.1);
        rest.into_iter().fold(first, add)
    }

    /// Returns the preferred velocity with separation: an agent whose preferred velocity is turned moves away from its
    /// neighbors.
    #[inline(always)]
    pub(crate) fn with_separation<L: Lanes8>(
        &self,
        simd: L::Simd,
        preferred: &Vec2,
        turn: f32,
    ) -> Vec2 {
        let speed = preferred.norm();
        if turn == 0.0 || speed <= 0.0 {
            return *preferred;
        }
        let (away, closeness) = self.away::<L>(simd, SEPARATION_GAP);
        // No separation from a single neighbor: two agents that meet just pass.
        let density = (closeness - 1.0).clamp(0.0, 1.0);
        let push = away * (SEPARATION_GAIN * density * speed);
        within(
            &(preferred + within(&push, MAX_SEPARATION_SHARE * speed)),
            speed,
        )
    }

    /// Calls `visit` with the blocks of neighbors of which some could touch within a step.
    ///
    /// `apart` returns the direction to a neighbor at the same position.
    #[inline(always)]
    pub(crate) fn touching<L: Lanes8>(
        &self,
        simd: L::Simd,
        step: f32,
        apart: impl Fn(usize) -> Vec2,
        mut visit: impl FnMut(usize, &ContactLanes),
    ) {
        let selves = self.own.selves::<L>(simd);
        for (i, group) in self.groups[..self.len.div_ceil(LANES)].iter().enumerate() {
            let counts = L::mask_first(simd, self.len - LANES * i);
            let Some(mut touch) = group.touch::<L>(&selves, counts, step) else {
                // Nearest first: later blocks are farther away.
                break;
            };
            if self.coincide {
                for k in 0..LANES.min(self.len - LANES * i) {
                    if self.distance(LANES * i + k) <= 0.0 {
                        let towards = apart(LANES * i + k);
                        (touch.x.0[k], touch.y.0[k]) = (towards.x, towards.y);
                    }
                }
            }
            visit(i, &touch);
        }
    }

    /// Appends the half-planes of all encounters in which the share of the agent is not zero.
    ///
    /// `apart` returns the direction to a neighbor at the same position.
    #[inline(always)]
    pub(crate) fn half_planes<L: Lanes8>(
        &self,
        simd: L::Simd,
        model: Model,
        wanted: &Vec2,
        horizon: f32,
        apart: impl Fn(usize) -> Vec2,
        planes: &mut Planes,
    ) {
        let blocks = planes.append(self.len);
        let (selves, rate) = (self.own.selves::<L>(simd), simd.splat(1.0 / horizon));
        for (i, (block, group)) in blocks.iter_mut().zip(&self.groups).enumerate() {
            *block = group.orca::<L>(&selves, rate, L::mask_first(simd, self.len - LANES * i));
        }
        if model != Model::Orca || self.coincide || self.unshared {
            self.put_others(blocks, model, wanted, apart);
        }
    }

    /// Replaces the half-planes of other models, of neighbors at the same position, and of encounters with a share of
    /// zero.
    fn put_others(
        &self,
        blocks: &mut [Block],
        model: Model,
        wanted: &Vec2,
        apart: impl Fn(usize) -> Vec2,
    ) {
        for i in 0..self.len {
            let (block, lane, one) = (&mut blocks[i / LANES], i % LANES, self.get(i));
            if model != Model::Orca
                && let Some(plane) = one.half_plane(model, wanted, 1.0)
            {
                block.set(lane, &plane);
            }
            if self.distance(i) <= 0.0 {
                block.set(lane, &one.opening_plane(&apart(i), 0.0, &self.own.recovery));
            }
            if one.share <= 0.0 {
                block.offset.0[lane] = f32::NEG_INFINITY;
            }
        }
    }
}

impl Own {
    /// Returns the agent in all lanes.
    #[inline(always)]
    fn selves<L: Lanes8>(&self, simd: L::Simd) -> Selves<L> {
        Selves {
            velocity: [simd.splat(self.velocity.x), simd.splat(self.velocity.y)],
            radius: simd.splat(self.radius),
            recovery: [
                simd.splat(self.recovery.time),
                simd.splat(self.recovery.speed),
            ],
            top_closing: simd.splat(self.top_closing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbors::column;
    use crate::tuning::MAX_NEIGHBORS;
    use cairn2d_geometry::math::sin_cos;
    use cairn2d_simd::{BASELINE8, Baseline8, F32, Kernel, Lanes8, Level, Simd};
    use proptest::prelude::*;

    const RECOVERY: Recovery = Recovery {
        time: 0.2,
        speed: 1.0,
    };

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// Lanes give the bits of the formulas for single encounters, overlapping or not.
        #[test]
        fn lanes_change_no_bit(
            others in proptest::collection::vec(
                (0.0f32..6.3, 0.0f32..9.0, -2.0f32..2.0, -2.0f32..2.0, 0.1f32..3.0, 0.0f32..1.0), 1..14),
            vx in -2.0f32..2.0, vy in -2.0f32..2.0, horizon in 0.02f32..9.0,
        ) {
            let mut offsets = Vec::new();
            let mut radii = [0.0; MAX_NEIGHBORS];
            for (i, &(angle, distance, .., radius, _)) in others.iter().enumerate() {
                let (sin, cos) = sin_cos(angle);
                offsets.push(vec2(cos * distance, sin * distance));
                radii[i] = radius;
            }
            let shares = column(|i| others.get(i).map_or(0.0, |other| other.5));
            let own = Own { velocity: vec2(vx, vy), radius: 0.5, recovery: RECOVERY, ..Own::default() };
            let velocity = own.velocity;
            let mut neighbors = Neighbors::of(&offsets, radii);
            neighbors.velocity_x = column(|i| others.get(i).map_or(0.0, |other| other.2));
            neighbors.velocity_y = column(|i| others.get(i).map_or(0.0, |other| other.3));
            for model in [Model::Orca, Model::Reciprocal, Model::Hybrid, Model::VelocityObstacle] {
                for width in Level::available() {
                    let (encounters, planes) =
                        width.enter(Meet { neighbors: &neighbors, shares: &shares, own: &own, model, horizon });
                    for i in 0..others.len() {
                        let single = encounters.get(i);
                        let distance = single.offset.norm_squared().sqrt();
                        let towards = if distance > 0.0 { single.offset / distance } else { SPOT };
                        let want = single
                            .half_plane(model, &velocity, horizon)
                            .unwrap_or_else(|| single.opening_plane(&towards, distance, &RECOVERY));
                        if single.share > 0.0 {
                            prop_assert_eq!(planes.get(i), want);
                        } else {
                            prop_assert_eq!(planes.get(i).offset, f32::NEG_INFINITY);
                        }
                    }
                }
            }
        }
    }

    /// Direction to agents at the same position.
    const SPOT: Vec2 = Vec2::new(0.6, 0.8);

    /// Encounters of an agent and their half-planes.
    struct Meet<'a> {
        neighbors: &'a Neighbors,
        shares: &'a Column,
        own: &'a Own,
        model: Model,
        horizon: f32,
    }

    impl<S: Simd<F32: Lanes8>> Kernel<S> for Meet<'_> {
        type Output = (Encounters, Planes);
        #[inline(always)]
        fn run(self, simd: S) -> Self::Output {
            let (mut encounters, mut planes) = (Encounters::default(), Planes::default());
            encounters.read::<S::F32>(simd, self.neighbors, self.shares, self.own);
            let (wanted, horizon) = (&self.own.velocity, self.horizon);
            encounters.half_planes::<S::F32>(
                simd,
                self.model,
                wanted,
                horizon,
                |_| SPOT,
                &mut planes,
            );
            (encounters, planes)
        }
    }

    #[test]
    fn separation_points_away_from_neighbors() {
        // In contact to the right, half-way off above, out of reach to the left; five times, over two blocks.
        let offsets = [vec2(1.0, 0.0), vec2(0.0, 1.5), vec2(-2.0, 0.0)];
        let check = |offsets: &[Vec2], want: Vec2, closeness: f32| {
            let own = Own {
                radius: 0.5,
                share: Some(0.5),
                ..Own::default()
            };
            let mut encounters = Encounters::default();
            let neighbors = Neighbors::of(offsets, [0.5; MAX_NEIGHBORS]);
            encounters.read::<F32<Baseline8>>(BASELINE8, &neighbors, &Column::default(), &own);
            let (away, all) = encounters.away::<F32<Baseline8>>(BASELINE8, 1.0);
            assert!((away - want).norm() < 1e-6, "{away}");
            assert!((all - closeness).abs() < 1e-6, "{all}");
        };
        check(&offsets, vec2(-1.0, -0.5), 1.5);
        check(&offsets.repeat(2), vec2(-2.0, -1.0), 3.0);
        check(&[Vec2::zeros()], Vec2::zeros(), 0.0);
        check(&[], Vec2::zeros(), 0.0);
    }
}
