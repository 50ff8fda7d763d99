//! Velocity obstacles of eight encounters, one per lane, and the half-planes that avoid them.
//!
//! In the frame of A, B is at `offset`; velocities are relative, A's minus B's. The relative velocities that bring
//! the centers closer than the sum of the radii `R` within the horizon `tau` fill a truncated cone: from the origin,
//! tangent to the disc of radius `R` around `offset`, cut off by the disc of radius `R / tau` around `offset / tau`.
//! ORCA moves the relative velocity to the nearest point of its boundary, and each of the two takes its share of the
//! change [vdBerg11, sec. 4]. Values that do not depend on the horizon are computed once, the half-planes for each
//! horizon.

use crate::contacts::ContactLanes;
use crate::half_plane::PlaneRow;
use crate::lanes::{dot, select};
use crate::tuning::{LEFT_LEG_SINE, REACTION_TIME};
use cairn2d_geometry::math::Vec2;
use cairn2d_simd::{F32x8, Lanes8, Mask, Simd, Vector};

/// The subjects of the encounters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subjects<L: Vector> {
    /// Velocity [m/s].
    pub(crate) velocity: [L; 2],
    /// Radius [m].
    pub(crate) radius: L,
    /// Resolution of overlaps: time constant [s], and greatest speed [m/s].
    pub(crate) recovery: [L; 2],
    /// Greatest closing speed of a gap [m/s].
    pub(crate) top_closing: L,
    /// Lanes whose agents use another model than ORCA; `None` if none does.
    pub(crate) cones: Option<Cones<L>>,
}

/// Agents that avoid cones without a cut-off: masks of the models, and preferred velocities [m/s].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cones<L: Vector> {
    pub(crate) all: L::Mask,
    /// Agents that take the whole change, and agents that select a leg.
    pub(crate) full: L::Mask,
    pub(crate) hybrid: L::Mask,
    pub(crate) wanted: [L; 2],
}

/// Boundaries of velocity obstacles.
#[derive(Clone, Copy)]
struct Borders<L> {
    /// Unit normals, out of the velocity obstacles.
    normal: [L; 2],
    /// Distances from the relative velocities to the boundaries along the normals [m/s]; positive inside.
    change: L,
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

impl<L: Lanes8> Borders<L> {
    /// Returns the violations of the half-planes by velocities `wanted`, for agents with the velocities `own` that take
    /// these shares of the changes [m/s].
    #[inline(always)]
    fn violation(&self, own: [L; 2], share: L, wanted: [L; 2]) -> L {
        let offset = dot(self.normal, own) + share * self.change;
        offset - dot(self.normal, wanted)
    }
}

/// Eight encounters, without the values that depend on the horizon.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EncounterGroup {
    /// From the agent's center to theirs [m]; a unit vector for agents at one position (see [`Self::part`]).
    x: F32x8,
    y: F32x8,
    distance: F32x8,
    distance_sq: F32x8,
    /// Velocity of the agent relative to theirs [m/s].
    velocity_x: F32x8,
    velocity_y: F32x8,
    /// Sum of the radii [m].
    radius: F32x8,
    pub(crate) share: F32x8,
    /// Length of the tangent, and sum of the radii, over the squared distance [1/m].
    tangent: F32x8,
    sine: F32x8,
}

impl EncounterGroup {
    /// Returns the encounters of agents with others.
    #[inline(always)]
    pub(crate) fn of<L: Lanes8>(own: &Subjects<L>, others: &Others<L>) -> Self {
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

    /// Sets the direction in which the agents of a lane, which are at one position, part: the unit vector from the
    /// subject to the other.
    pub(crate) fn part(&mut self, lane: usize, towards: Vec2) {
        (self.x.0[lane], self.y.0[lane]) = (towards.x, towards.y);
    }

    /// Returns the unit vectors to the others.
    #[inline(always)]
    fn towards<L: Lanes8>(&self, simd: L::Simd) -> [L; 2] {
        let (x, y) = (L::load(simd, &self.x), L::load(simd, &self.y));
        let distance = L::load(simd, &self.distance);
        let is_apart = distance.gt(simd.splat(0.0));
        select(is_apart, [x / distance, y / distance], [x, y])
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
        let closeness = (one - self.gap::<L>(simd) / (radius * simd.splat(reach))).min(one);
        let is_some = closeness.gt(zero).and(distance.gt(zero));
        let counts = counts.and(is_some);
        let part = L::select(counts, closeness / distance, zero);
        [
            L::select(counts, closeness, zero),
            -(L::load(simd, &self.x) * part),
            -(L::load(simd, &self.y) * part),
        ]
    }

    /// Returns the mask of encounters in the mask `counts` that could touch within a `time`: their gap is less than it may
    /// close by.
    #[inline(always)]
    pub(crate) fn near<L: Lanes8>(&self, own: &Subjects<L>, counts: L::Mask, time: f32) -> L::Mask {
        let simd = own.radius.simd();
        let reach = own.top_closing * simd.splat(time);
        self.gap::<L>(simd).lt(reach).and(counts)
    }

    /// Returns the gaps between the discs [m]; negative for overlaps.
    #[inline(always)]
    fn gap<L: Lanes8>(&self, simd: L::Simd) -> L {
        L::load(simd, &self.distance) - L::load(simd, &self.radius)
    }

    /// Returns the encounters in the mask `counts` that could touch within a step, or `None` if there are none. A gap may close
    /// by its own width in the reaction time, and in a step if that is longer.
    #[inline(always)]
    pub(crate) fn touch<L: Lanes8>(
        &self,
        own: &Subjects<L>,
        counts: L::Mask,
        step: f32,
    ) -> Option<ContactLanes> {
        let simd = own.radius.simd();
        let near = self.near(own, counts, step);
        if near.bits() == 0 {
            return None;
        }
        let (zero, [x, y]) = (simd.splat(0.0), self.towards::<L>(simd));
        let gap = self.gap::<L>(simd);
        let closing = gap / simd.splat(step.max(REACTION_TIME));
        let room = L::select(gap.ge(zero), closing, -self.opening_speed(own));
        Some(ContactLanes {
            set: near.bits(),
            x: L::select(near, x, zero).store(),
            y: L::select(near, y, zero).store(),
            room: L::select(near, room, simd.splat(f32::INFINITY)).store(),
            share: self.share,
        })
    }

    /// Returns the speeds at which overlaps are resolved [m/s].
    #[inline(always)]
    fn opening_speed<L: Lanes8>(&self, own: &Subjects<L>) -> L {
        let simd = own.radius.simd();
        (-self.gap::<L>(simd) / own.recovery[0]).min(own.recovery[1])
    }

    /// Returns the half-planes for a horizon of `1 / rate`: of ORCA or another model, and for overlaps.
    /// Trivial half-planes outside the mask `counts`.
    #[inline(always)]
    pub(crate) fn half_planes<L: Lanes8>(
        &self,
        own: &Subjects<L>,
        rate: L,
        counts: L::Mask,
    ) -> PlaneRow {
        let simd = rate.simd();
        let mut borders = self.orca(rate);
        let own_share = L::load(simd, &self.share);
        let mut share = own_share;
        if let Some(cones) = &own.cones {
            let (cone, cone_share) = self.cone(own, cones);
            borders = Borders {
                normal: select(cones.all, cone.normal, borders.normal),
                change: L::select(cones.all, cone.change, borders.change),
            };
            share = L::select(cones.all, cone_share, share);
        }
        let Borders {
            mut normal,
            mut change,
        } = borders;
        let radius = L::load(simd, &self.radius);
        let overlap = L::load(simd, &self.distance_sq).le(radius * radius);
        if overlap.any() {
            let [x, y] = self.towards::<L>(simd);
            let away = [-x, -y];
            let opening = self.opening_speed(own) - dot(away, self.velocity(simd));
            normal = select(overlap, away, normal);
            change = L::select(overlap, opening, change);
            share = L::select(overlap, own_share, share);
        }
        let offset = dot(normal, own.velocity) + share * change;
        PlaneRow {
            normal_x: normal[0].store(),
            normal_y: normal[1].store(),
            offset: L::select(counts, offset, simd.splat(f32::NEG_INFINITY)).store(),
        }
    }

    /// Returns the nearest boundaries of the truncated cones.
    #[inline(always)]
    fn orca<L: Lanes8>(&self, rate: L) -> Borders<L> {
        let simd = rate.simd();
        let (offset_x, offset_y) = (L::load(simd, &self.x), L::load(simd, &self.y));
        let velocity = self.velocity::<L>(simd);
        let radius = L::load(simd, &self.radius);
        let (x, y) = (velocity[0] - offset_x * rate, velocity[1] - offset_y * rate);
        let speed_sq = x * x + y * y;
        let speed = speed_sq.sqrt();
        let along = x * offset_x + y * offset_y;
        let before_tip = along
            .lt(simd.splat(0.0))
            .and((along * along).gt(radius * radius * speed_sq));
        let leg = self.leg(self.tangents(self.is_left([x, y], speed), simd));
        Borders {
            normal: select(before_tip, [x / speed, y / speed], leg.normal),
            change: L::select(before_tip, radius * rate - speed, leg.change),
        }
    }

    /// Returns the boundaries of cones without a cut-off, and the shares of the subjects in the changes.
    ///
    /// Hybrid agents have the reciprocal leg on the side of passing, the full one on the other side: the one that the
    /// preferred velocity violates less.
    #[inline(always)]
    fn cone<L: Lanes8>(&self, own: &Subjects<L>, cones: &Cones<L>) -> (Borders<L>, L) {
        let simd = own.radius.simd();
        let (one, share) = (simd.splat(1.0), L::load(simd, &self.share));
        let velocity = self.velocity::<L>(simd);
        let left = self.is_left(velocity, dot(velocity, velocity).sqrt());
        let tangent = self.tangents::<L>(left, simd);
        let (here, there) = (self.leg(tangent), self.leg(-tangent));
        let share = L::select(cones.full, one, share);
        let violation = here.violation(own.velocity, share, cones.wanted);
        let other = there.violation(own.velocity, one, cones.wanted);
        let passes = violation.gt(other).and(cones.hybrid);
        let borders = Borders {
            normal: select(passes, there.normal, here.normal),
            change: L::select(passes, there.change, here.change),
        };
        (borders, L::select(passes, one, share))
    }

    /// Returns where velocities relative to the axes of the cones are nearer to the left legs; head-on velocities are
    /// nearer to the right ones.
    #[inline(always)]
    fn is_left<L: Lanes8>(&self, [x, y]: [L; 2], speed: L) -> L::Mask {
        let simd = x.simd();
        let lean = simd.splat(LEFT_LEG_SINE) * (speed * L::load(simd, &self.distance));
        (L::load(simd, &self.x) * y - L::load(simd, &self.y) * x).gt(lean)
    }

    /// Returns the lengths of the tangents over the squared distances, positive on the left legs [1/m].
    #[inline(always)]
    fn tangents<L: Lanes8>(&self, left: L::Mask, simd: L::Simd) -> L {
        let tangent = L::load(simd, &self.tangent);
        L::select(left, tangent, -tangent)
    }

    /// Returns the boundaries on the legs with these signed `tangents`.
    ///
    /// The normal of the left leg is `(-R p + l perp(p)) / |p|^2` with `l` the length of the tangent; the right one is
    /// its mirror image.
    #[inline(always)]
    fn leg<L: Lanes8>(&self, tangent: L) -> Borders<L> {
        let simd = tangent.simd();
        let (x, y) = (L::load(simd, &self.x), L::load(simd, &self.y));
        let sine = L::load(simd, &self.sine);
        let normal = [-y * tangent - x * sine, x * tangent - y * sine];
        Borders {
            normal,
            change: -dot(normal, self.velocity(simd)),
        }
    }

    /// Returns the relative velocities [m/s].
    #[inline(always)]
    fn velocity<L: Lanes8>(&self, simd: L::Simd) -> [L; 2] {
        [
            L::load(simd, &self.velocity_x),
            L::load(simd, &self.velocity_y),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::half_plane::HalfPlane;
    use crate::store::agent::Model;
    use cairn2d_geometry::math::{cross, sin_cos, vec2};
    use cairn2d_simd::{Kernel, LANES, Level, each_lane};
    use proptest::prelude::*;

    /// An encounter of one agent.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct One {
        offset: Vec2,
        relative: Vec2,
        velocity: Vec2,
        radius: f32,
        share: f32,
        model: Model,
        horizon: f32,
    }

    /// Half-planes of eight encounters, and which of them overlap.
    struct Meet([One; LANES]);

    impl<S: Simd<F32: Lanes8>> Kernel<S> for Meet {
        type Output = ([HalfPlane; LANES], u32);
        #[inline(always)]
        fn run(self, simd: S) -> Self::Output {
            let Self(all) = self;
            let column =
                |of: fn(&One) -> f32| S::F32::load(simd, &F32x8(each_lane(|lane| of(&all[lane]))));
            let set = |is: fn(Model) -> bool| {
                let bit = |lane: usize| u32::from(is(all[lane].model)) << lane;
                S::F32::mask_from_bits(simd, (0..LANES).map(bit).sum())
            };
            let velocity = [column(|e| e.velocity.x), column(|e| e.velocity.y)];
            let subjects = Subjects {
                velocity,
                radius: column(|e| 0.5 * e.radius),
                recovery: [simd.splat(0.2), simd.splat(1.0)],
                top_closing: simd.splat(4.0),
                cones: Some(Cones {
                    all: set(|model| model != Model::Orca),
                    full: set(|model| model == Model::VelocityObstacle),
                    hybrid: set(|model| model == Model::Hybrid),
                    wanted: velocity,
                }),
            };
            let others = Others {
                offset: [column(|e| e.offset.x), column(|e| e.offset.y)],
                radius: column(|e| 0.5 * e.radius),
                velocity: [
                    column(|e| e.velocity.x - e.relative.x),
                    column(|e| e.velocity.y - e.relative.y),
                ],
                share: column(|e| e.share),
            };
            let group = EncounterGroup::of(&subjects, &others);
            let rate = simd.splat(1.0) / column(|e| e.horizon);
            let row = group.half_planes(&subjects, rate, S::F32::mask_first(simd, LANES));
            (
                each_lane(|lane| row.get(lane)),
                group.overlaps::<S::F32>(simd),
            )
        }
    }

    /// Returns the half-plane of an encounter, beside others that must not matter.
    fn half_plane(one: One) -> HalfPlane {
        let turned = |lane: usize| One {
            offset: Vec2::new(-one.offset.y, one.offset.x) * (lane as f32 * 0.3),
            model: [Model::Orca, Model::Hybrid][lane % 2],
            ..one
        };
        let all = each_lane(|lane| if lane == 5 { one } else { turned(lane) });
        Level::detect().enter(Meet(all)).0[5]
    }

    /// Returns whether the relative velocity brings the discs together within the horizon: by the
    /// closest approach, not by any tangent.
    fn collides(e: &One, velocity: &Vec2) -> bool {
        let (p, v) = (e.offset.cast::<f64>(), velocity.cast::<f64>());
        let time = p.dot(&v) / v.norm_squared().max(1e-30);
        (p - v * time.clamp(0.0, e.horizon.into())).norm() < e.radius.into()
    }

    fn encounter() -> impl Strategy<Value = One> {
        let direction = (-9.0f32..9.0, 0.1f32..3.0, 1.02f32..8.0);
        (direction, -3.0f32..3.0, -3.0f32..3.0, 0.3f32..8.0).prop_map(
            |((angle, radius, far), x, y, horizon)| {
                let (sin, cos) = sin_cos(angle);
                One {
                    offset: vec2(cos, sin) * (radius * far),
                    relative: vec2(x, y),
                    velocity: vec2(y, -x),
                    radius,
                    share: 1.0,
                    model: Model::Orca,
                    horizon,
                }
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// The border point lies on the border: a little inside collides, a little outside not,
        /// and no nearer velocity changes from one to the other.
        #[test]
        fn the_orca_border_is_the_nearest_of_the_sampled_velocity_obstacle(e in encounter()) {
            let plane = half_plane(e);
            let change = plane.violation(&e.velocity);
            let inside = collides(&e, &e.relative);
            let slop = 2e-3 * (1.0 + e.relative.norm());
            if change.abs() > slop {
                prop_assert_eq!(change > 0.0, inside);
            }
            // Samples nearer than the border are all on one side.
            for i in 0..64 {
                let (sin, cos) = sin_cos(i as f32 * 0.0982);
                let near = e.relative + vec2(cos, sin) * (change.abs() - slop).max(0.0);
                prop_assert_eq!(collides(&e, &near), inside);
            }
            let past = change + if inside { slop } else { -slop };
            let beyond = e.relative + plane.normal * past;
            prop_assert_eq!(collides(&e, &beyond), !inside);
        }

        /// Two agents that both keep their half-planes are together outside the velocity obstacle.
        #[test]
        fn shares_of_two_agents_add_up(e in encounter(), weight in 0.0f32..1.0) {
            let full = One { horizon: 2.0, ..e };
            let a = One { share: weight, ..full };
            let b = One {
                offset: -e.offset,
                relative: -e.relative,
                velocity: e.velocity - e.relative,
                share: 1.0 - weight,
                ..full
            };
            let (pa, pb) = (half_plane(a), half_plane(b));
            let change = half_plane(full).violation(&e.velocity);
            let sum = pa.violation(&a.velocity) + pb.violation(&b.velocity);
            // Tangent points slide along a leg when the axis is hit within rounding.
            if cross(&e.offset, &(e.relative - e.offset * 0.5)).abs() > 1e-3 {
                prop_assert!((pa.normal + pb.normal).norm() < 1e-3);
                prop_assert!((sum - change).abs() < 1e-3 * (1.0 + change.abs()));
            }
        }

        /// The leg of the plain velocity obstacle is the limit of ORCA for a long horizon; of the reciprocal one, with
        /// the share of the agent.
        #[test]
        fn cones_are_orca_without_the_cut_off(e in encounter()) {
            let cone = half_plane(One { model: Model::VelocityObstacle, share: 0.5, ..e });
            let reciprocal = half_plane(One { model: Model::Reciprocal, share: 0.5, ..e });
            let long = One { horizon: 1.0e6, ..e };
            if cross(&e.offset, &e.relative).abs() > 1e-2 && e.relative.dot(&e.offset) > 0.0 {
                for (cone, share) in [(cone, 1.0), (reciprocal, 0.5)] {
                    let orca = half_plane(One { share, ..long });
                    prop_assert!((cone.normal - orca.normal).norm() < 1e-3);
                    prop_assert!((cone.offset - orca.offset).abs() < 1e-3);
                }
            }
        }

        /// A hybrid agent has one of the two legs, and the one that its preferred velocity violates less.
        #[test]
        fn hybrid_agents_have_the_leg_that_hinders_less(e in encounter()) {
            let e = One { share: 0.5, ..e };
            let here = half_plane(One { model: Model::Reciprocal, ..e });
            let hybrid = half_plane(One { model: Model::Hybrid, ..e });
            prop_assert!(hybrid.violation(&e.velocity) <= here.violation(&e.velocity));
            prop_assert!(hybrid == here || (hybrid.normal - here.normal).norm() > 1e-3);
        }

        /// All widths give the same bits.
        #[test]
        fn widths_change_no_bit(all in proptest::collection::vec(encounter(), LANES), models in 0usize..9) {
            const MODELS: [Model; 4] =
                [Model::Orca, Model::Reciprocal, Model::Hybrid, Model::VelocityObstacle];
            let all = each_lane(|lane| One { model: MODELS[(models * lane) % 4], ..all[lane] });
            let want = Level::detect().enter(Meet(all));
            for width in Level::available() {
                prop_assert_eq!(width.enter(Meet(all)), want);
            }
        }
    }

    /// Closeness of eight others, and the unit vectors away from them times it.
    struct Closeness([Vec2; LANES]);

    impl<S: Simd<F32: Lanes8>> Kernel<S> for Closeness {
        type Output = [(f32, Vec2); LANES];
        #[inline(always)]
        fn run(self, simd: S) -> Self::Output {
            let (zero, half) = (simd.splat(0.0), simd.splat(0.5));
            let subjects = Subjects {
                velocity: [zero; 2],
                radius: half,
                recovery: [half; 2],
                top_closing: half,
                cones: None,
            };
            let others = Others {
                offset: crate::lanes::load(simd, &self.0),
                radius: half,
                velocity: [zero; 2],
                share: half,
            };
            let group = EncounterGroup::of(&subjects, &others);
            let seven = S::F32::mask_first(simd, 7);
            let [closeness, x, y] = group.closeness::<S::F32>(simd, seven, 1.0);
            let (closeness, x, y) = (closeness.store(), x.store(), y.store());
            each_lane(|lane| (closeness.0[lane], vec2(x.0[lane], y.0[lane])))
        }
    }

    #[test]
    fn separation_points_away_from_near_neighbors() {
        // In contact to the right, half-way off above, out of reach to the left, at one position, and beyond the mask.
        let mut offsets = [vec2(-2.0, 0.0); LANES];
        (offsets[0], offsets[1], offsets[3]) = (vec2(1.0, 0.0), vec2(0.0, 1.5), Vec2::zeros());
        offsets[7] = vec2(1.0, 0.0);
        let found = Level::detect().enter(Closeness(offsets));
        assert_eq!(found[0], (1.0, vec2(-1.0, 0.0)));
        assert!((found[1].0 - 0.5).abs() < 1e-6 && (found[1].1 - vec2(0.0, -0.5)).norm() < 1e-6);
        assert!(
            found[2..].iter().all(|one| *one == (0.0, Vec2::zeros())),
            "{found:?}"
        );
    }

    #[test]
    fn overlapping_agents_part_instead() {
        let one = One {
            offset: vec2(0.5, 0.0),
            relative: vec2(1.0, 0.0),
            velocity: vec2(1.0, 0.0),
            radius: 1.0,
            share: 0.5,
            model: Model::Orca,
            horizon: 1.0,
        };
        for model in [Model::Orca, Model::VelocityObstacle] {
            let (planes, overlaps) = Level::detect().enter(Meet([One { model, ..one }; LANES]));
            assert_eq!(overlaps, 0xff);
            // Half of the change from 1 m/s of approach to 1 m/s apart.
            assert_eq!(planes[0], HalfPlane::new(vec2(-1.0, 0.0), 0.0));
        }
    }
}
