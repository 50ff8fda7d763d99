//! Passes over contact constraints: warm start, solve, relax.
//!
//! Symbols: `n` normal, `t` tangent (the normal turned right), `ra rb` arms, `m i` inverse masses, `k`
//! inverse effective mass, `g` residual, `x` impulse. The two points of a contact are solved together
//! as a linear complementarity problem of two unknowns, so that neither comes first: a box that lands flat stays
//! level, and a row of boxes does not lean.

use super::block::{ContactBlock, Extras, Grounded, PointLanes, Stream};
use super::context::Context;
use super::states::{Deltas, SharedStates, Velocities};
use crate::contact::constraint::STICK_RANGE;
use crate::joint::parts::row::Pass;
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_simd::{Kernel, Lanes, Mask, Simd};

/// Applies the impulses of the substep before.
pub(crate) struct WarmStart<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    pub(crate) blocks: &'a [ContactBlock<L>],
    pub(crate) extras: &'a [Extras],
    pub(crate) stream: Stream,
}

/// Solves or relaxes contacts.
pub(crate) struct SolveContacts<'a, L: Lanes> {
    pub(crate) states: SharedStates<'a>,
    pub(crate) context: &'a Context,
    pub(crate) pass: Pass,
    pub(crate) blocks: &'a mut [ContactBlock<L>],
    pub(crate) extras: &'a [Extras],
    pub(crate) stream: Stream,
}

impl<L: Lanes> Kernel<L::Simd> for WarmStart<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        for (block, extras) in self.blocks.iter().zip(self.extras) {
            self.stream.ask_ahead(block);
            let mut pair = Pair::read(self.states, block);
            let [p, q] = &block.points;
            push_normal(block, &mut pair, p.impulse, q.impulse);
            push_tangent(block, &mut pair, block.friction.impulse);
            if extras.turns_or_runs {
                push_spin(block, &mut pair, block.rolling.impulse);
            }
            pair.write(self.states, block);
        }
    }
}

impl<L: Lanes> Kernel<L::Simd> for SolveContacts<'_, L> {
    type Output = ();
    #[inline(always)]
    fn run(self, _: L::Simd) {
        match self.pass {
            Pass::Solve => {
                for (block, extras) in self.blocks.iter_mut().zip(self.extras) {
                    self.stream.ask_ahead(block);
                    solve_block::<L, true>(block, *extras, self.states, self.context);
                }
            }
            Pass::Relax => {
                for (block, extras) in self.blocks.iter_mut().zip(self.extras) {
                    self.stream.ask_ahead(block);
                    solve_block::<L, false>(block, *extras, self.states, self.context);
                }
            }
        }
    }
}

/// Velocities of the two bodies of each contact.
#[derive(Clone, Copy)]
pub(crate) struct Pair<L> {
    pub(crate) a: Velocities<L>,
    pub(crate) b: Velocities<L>,
}

impl<L: Lanes> Pair<L> {
    #[inline(always)]
    pub(crate) fn read(states: SharedStates<'_>, block: &ContactBlock<L>) -> Self {
        let simd = block.normal_x.simd();
        // SAFETY: prepare asked for the places.
        unsafe {
            Self {
                a: states.velocities(simd, &block.body_a),
                b: states.velocities(simd, &block.body_b),
            }
        }
    }

    #[inline(always)]
    pub(crate) fn write(self, states: SharedStates<'_>, block: &ContactBlock<L>) {
        // SAFETY: prepare asked for the places; a color holds no moving body
        // twice.
        unsafe {
            states.set_velocities(&block.body_a, self.a);
            states.set_velocities(&block.body_b, self.b);
        }
    }
}

/// Velocity of B against A along the normal at a point.
#[inline(always)]
pub(crate) fn normal_velocity<L: Lanes>(
    block: &ContactBlock<L>,
    pair: &Pair<L>,
    p: &PointLanes<L>,
) -> L {
    let (rn_a, rn_b) = block.normal_arms(p);
    let (vx, vy) = (pair.b.x - pair.a.x, pair.b.y - pair.a.y);
    (vx * block.normal_x + vy * block.normal_y) + (pair.b.w * rn_b - pair.a.w * rn_a)
}

/// Pushes the bodies apart with the impulses `p` and `q` at the two points.
#[inline(always)]
pub(crate) fn push_normal<L: Lanes>(block: &ContactBlock<L>, pair: &mut Pair<L>, p: L, q: L) {
    let (p_a, p_b) = block.normal_arms(&block.points[0]);
    let (q_a, q_b) = block.normal_arms(&block.points[1]);
    let sum = p + q;
    let (x, y) = (sum * block.normal_x, sum * block.normal_y);
    pair.a.x = pair.a.x - block.inv_mass_a * x;
    pair.a.y = pair.a.y - block.inv_mass_a * y;
    pair.a.w = pair.a.w - block.inv_inertia_a * (p_a * p + q_a * q);
    pair.b.x = pair.b.x + block.inv_mass_b * x;
    pair.b.y = pair.b.y + block.inv_mass_b * y;
    pair.b.w = pair.b.w + block.inv_inertia_b * (p_b * p + q_b * q);
}

#[inline(always)]
fn push_tangent<L: Lanes>(block: &ContactBlock<L>, pair: &mut Pair<L>, impulse: L) {
    let (arm_a, arm_b) = block.tangent_arms();
    let (x, y) = (impulse * block.normal_y, -(impulse * block.normal_x));
    pair.a.x = pair.a.x - block.inv_mass_a * x;
    pair.a.y = pair.a.y - block.inv_mass_a * y;
    pair.a.w = pair.a.w - block.inv_inertia_a * (arm_a * impulse);
    pair.b.x = pair.b.x + block.inv_mass_b * x;
    pair.b.y = pair.b.y + block.inv_mass_b * y;
    pair.b.w = pair.b.w + block.inv_inertia_b * (arm_b * impulse);
}

#[inline(always)]
fn push_spin<L: Lanes>(block: &ContactBlock<L>, pair: &mut Pair<L>, impulse: L) {
    pair.a.w = pair.a.w - block.inv_inertia_a * impulse;
    pair.b.w = pair.b.w + block.inv_inertia_b * impulse;
}

#[inline(always)]
fn solve_block<L: Lanes, const BIAS: bool>(
    block: &mut ContactBlock<L>,
    extras: Extras,
    states: SharedStates<'_>,
    context: &Context,
) {
    let simd = block.normal_x.simd();
    let mut pair = Pair::read(states, block);
    // SAFETY: prepare asked for the places.
    let (da, db) = unsafe {
        (
            states.deltas::<L>(simd, &block.body_a),
            states.deltas::<L>(simd, &block.body_b),
        )
    };
    let [p, q] = &block.points;
    let ways = [way_of_point(p, &da, &db), way_of_point(q, &da, &db)];
    let mut surface_speed = simd.zero();
    if extras.turns_or_runs {
        solve_rolling(block, &mut pair);
        surface_speed = block.surface_speed;
    }
    let rows = Rows {
        ways: &ways,
        surface_speed,
        context,
    };
    let settled = match extras.grounded {
        Grounded::All if !BIAS => at_once(block, pair, &rows),
        Grounded::Some if !BIAS => {
            let others = one_by_one::<L, BIAS>(block, pair, &rows);
            at_once(block, pair, &rows).or_else(others, block.has_fixed_end())
        }
        _ => one_by_one::<L, BIAS>(block, pair, &rows),
    };
    settled.store::<BIAS>(block);
    settled.pair.write(states, block);
}

/// What the rows of a contact read besides its block and the velocities.
struct Rows<'a, L> {
    /// Of B's points against A's since the start of the step [m].
    ways: &'a [[L; 2]; 2],
    /// Slip that is aimed at, turned round [m/s].
    surface_speed: L,
    context: &'a Context,
}

/// The impulses of contacts after a pass, and their bodies' velocities.
#[derive(Clone, Copy)]
struct Settled<L> {
    pair: Pair<L>,
    normal: (L, L),
    tangent: L,
}

impl<L: Lanes> Settled<L> {
    /// Returns `self` where the mask is true, else `other`.
    #[inline(always)]
    fn or_else(self, other: Self, mask: L::Mask) -> Self {
        let (p, q) = self.normal;
        let (other_p, other_q) = other.normal;
        Self {
            pair: Pair {
                a: self.pair.a.or_else(other.pair.a, (mask, mask)),
                b: self.pair.b.or_else(other.pair.b, (mask, mask)),
            },
            normal: (L::select(mask, p, other_p), L::select(mask, q, other_q)),
            tangent: L::select(mask, self.tangent, other.tangent),
        }
    }

    #[inline(always)]
    fn store<const BIAS: bool>(&self, block: &mut ContactBlock<L>) {
        block.friction.impulse = self.tangent;
        let [p, q] = &mut block.points;
        (p.impulse, q.impulse) = self.normal;
        if !BIAS {
            p.total_impulse = p.total_impulse + p.impulse;
            q.total_impulse = q.total_impulse + q.impulse;
        }
    }
}

/// Solves friction, then the normals of both points together.
#[inline(always)]
fn one_by_one<L: Lanes, const BIAS: bool>(
    block: &ContactBlock<L>,
    mut pair: Pair<L>,
    rows: &Rows<'_, L>,
) -> Settled<L> {
    let friction = friction_row::<L, BIAS>(block, &pair, rows);
    let [p, q] = &block.points;
    let wanted = friction.wanted(block.friction.mass);
    let tangent = block.bounded_friction(wanted, p.impulse + q.impulse);
    push_tangent(block, &mut pair, tangent - friction.old);
    let [first, second] = normal_rows::<L, BIAS>(block, &pair, rows);
    let normal = complementary(&first, &second, block.coupling, p.impulse, q.impulse);
    push_normal(block, &mut pair, normal.0 - p.impulse, normal.1 - q.impulse);
    Settled {
        pair,
        normal,
        tangent,
    }
}

/// Relaxes friction and normals of what stands on fixed ground at once: normals, friction that leaves their equations
/// true, and normals again, should a point have begun or ceased to push.
///
/// Friction turns a body, and where it stands on two points their normal impulses take the turn back; so the effective
/// mass of friction is that of the Schur complement, of the points that push. One row after the other, with the mass for two points, a box a
/// degree below the slope at which it topples was kicked off its upper point in the first step, rattled and fell. In piles turns go on into
/// the neighbours, and there the rows are solved one by one. So they are in the solve pass: it costs more, and tells as little.
#[inline(always)]
fn at_once<L: Lanes>(block: &ContactBlock<L>, mut pair: Pair<L>, rows: &Rows<'_, L>) -> Settled<L> {
    let [mut first, mut second] = normal_rows::<L, false>(block, &pair, rows);
    let friction = friction_row::<L, false>(block, &pair, rows);
    let [p, q] = &block.points;
    let (old_p, old_q, pq) = (p.impulse, q.impulse, block.coupling);
    let arms = block.tangent_arms();
    let (tp, tq) = (turn_coupling(block, p, arms), turn_coupling(block, q, arms));
    let alone = block.inv_mass_along(arms);

    let carried = block.bounded_friction(friction.old, old_p + old_q);
    let let_go = carried - friction.old;
    first.residual = first.residual + tp * let_go;
    second.residual = second.residual + tq * let_go;
    let (new_p, new_q) = complementary(&first, &second, pq, old_p, old_q);
    let slip = friction.slip + alone * let_go + (tp * (new_p - old_p) + tq * (new_q - old_q));
    let held = alone - taken_back(&first, &second, pq, [(tp, new_p), (tq, new_q)]);
    // No normal impulse takes back a way along the ground.
    let held = held.max(block.inv_mass_a + block.inv_mass_b);
    let wanted = carried - inverse_or_zero(held) * slip;
    let tangent = block.bounded_friction(wanted, new_p + new_q);

    let change = tangent - carried;
    first.residual = first.residual + tp * change;
    second.residual = second.residual + tq * change;
    let normal = complementary(&first, &second, pq, old_p, old_q);
    push_tangent(block, &mut pair, tangent - friction.old);
    push_normal(block, &mut pair, normal.0 - old_p, normal.1 - old_q);
    Settled {
        pair,
        normal,
        tangent,
    }
}

/// What the normal impulses of the points that push take back of the tangent's inverse effective mass [1/kg], given each point's
/// coupling with the tangent and its impulse.
#[inline(always)]
fn taken_back<L: Lanes>(
    first: &NormalRow<L>,
    second: &NormalRow<L>,
    coupling: L,
    [(tp, p), (tq, q)]: [(L, L); 2],
) -> L {
    let simd = coupling.simd();
    let (pp, qq) = (tp * tp, tq * tq);
    let det = first.inv_mass * second.inv_mass - coupling * coupling;
    let by_both =
        (pp * second.inv_mass + qq * first.inv_mass) - simd.splat(2.0) * (tp * tq * coupling);
    let by_p = L::select(p.gt(simd.zero()), pp * first.mass, simd.zero());
    let by_q = L::select(q.gt(simd.zero()), qq * second.mass, simd.zero());
    let both_push = p.gt(simd.zero()).and(q.gt(simd.zero()));
    L::select(both_push, by_both / det, by_p + by_q)
}

/// Inverse effective mass between a point's normal and the tangent [1/kg]: by turns only.
#[inline(always)]
fn turn_coupling<L: Lanes>(block: &ContactBlock<L>, p: &PointLanes<L>, arms: (L, L)) -> L {
    let (p_a, p_b) = block.normal_arms(p);
    block.inv_inertia_a * (arms.0 * p_a) + block.inv_inertia_b * (arms.1 * p_b)
}

/// Returns 1 / `x`, and 0 where `x` is not positive.
#[inline(always)]
pub(crate) fn inverse_or_zero<L: Lanes>(x: L) -> L {
    let simd = x.simd();
    L::select(x.gt(simd.zero()), simd.splat(1.0) / x, simd.zero())
}

/// Brakes the relative spin, at most by the rolling radius times the normal impulse.
#[inline(always)]
fn solve_rolling<L: Lanes>(block: &mut ContactBlock<L>, pair: &mut Pair<L>) {
    let [p, q] = &block.points;
    let limit = block.rolling.radius * (p.impulse + q.impulse);
    let old = block.rolling.impulse;
    let mass = inverse_or_zero(block.inv_inertia_a + block.inv_inertia_b);
    let new = old - mass * (pair.b.w - pair.a.w);
    let new = new.min(limit).max(-limit);
    block.rolling.impulse = new;
    push_spin(block, pair, new - old);
}

/// Friction of each contact for this substep.
struct FrictionRow<L> {
    /// Velocity error along the tangent, with bias [m/s].
    slip: L,
    /// Share of the carried impulse, and of the effective mass.
    share: L,
    /// The carried impulse [N s].
    old: L,
}

impl<L: Lanes> FrictionRow<L> {
    /// Returns the impulse that would take all of the slip, with an effective mass of `mass`.
    #[inline(always)]
    fn wanted(&self, mass: L) -> L {
        self.share * (self.old - mass * self.slip)
    }
}

/// Returns what is to brake the slip along the tangent.
///
/// The solve pass also takes out what the anchors have crept apart, as long as that is little: friction that
/// knows velocity only lets a pile walk by the noise of its impulses. What has slid further has let go.
///
/// It holds as softly as a contact with the ground, so it takes back a share of the carried impulse. A rigid row that is warm
/// started adds up what the anchors have crept: an integral controller. One sweep a substep does not reach along a row of more than
/// some ten bodies, and then it drives the swaying that it should end: with `g` for the share of a pile's slow motion that a
/// row's impulse takes away at once, an oscillation grows where `g < bias_rate h / 8`, 0.015. A pyramid of base 100 swayed at 0.1 m/s
/// for ever.
#[inline(always)]
fn friction_row<L: Lanes, const BIAS: bool>(
    block: &ContactBlock<L>,
    pair: &Pair<L>,
    rows: &Rows<'_, L>,
) -> FrictionRow<L> {
    let simd = block.normal_x.simd();
    let friction = &block.friction;
    let mut slip = tangent_velocity(block, pair) + rows.surface_speed;
    let mut share = simd.splat(1.0);
    if BIAS {
        let (tx, ty) = (block.normal_y, -block.normal_x);
        let softness = &rows.context.static_contact;
        let half = simd.splat(0.5);
        let [way_p, way_q] = rows.ways;
        let (x, y) = (half * (way_p[0] + way_q[0]), half * (way_p[1] + way_q[1]));
        let crept = friction.crept + (x * tx + y * ty);
        let range = simd.splat(STICK_RANGE);
        let sticks = range.ge(crept).and(crept.ge(-range));
        let rate = simd.splat(softness.bias_rate);
        slip = slip + L::select(sticks, rate * crept, simd.zero());
        share = L::select(sticks, simd.splat(softness.mass_scale), share);
    }
    FrictionRow {
        slip,
        share,
        old: friction.impulse,
    }
}

/// Brakes the slip along the tangent, at most by the Coulomb coefficient times the normal impulse.
#[inline(always)]
pub(crate) fn brake<L: Lanes>(block: &mut ContactBlock<L>, pair: &mut Pair<L>) {
    let slip = tangent_velocity(block, pair) + block.surface_speed;
    let [p, q] = &block.points;
    let old = block.friction.impulse;
    let wanted = old - block.friction.mass * slip;
    let new = block.bounded_friction(wanted, p.impulse + q.impulse);
    block.friction.impulse = new;
    push_tangent(block, pair, new - old);
}

/// Velocity of B against A along the tangent in the middle of the points.
#[inline(always)]
fn tangent_velocity<L: Lanes>(block: &ContactBlock<L>, pair: &Pair<L>) -> L {
    let (arm_a, arm_b) = block.tangent_arms();
    let (tx, ty) = (block.normal_y, -block.normal_x);
    let (vx, vy) = (pair.b.x - pair.a.x, pair.b.y - pair.a.y);
    let spin = pair.b.w * arm_b - pair.a.w * arm_a;
    (vx * tx + vy * ty) + spin
}

/// Way of B's point against A's since the start of the step.
///
/// Uses the change of the arms, `(cos - 1, sin)` times the arm, not the arms: small numbers stay exact.
#[inline(always)]
fn way_of_point<L: Lanes>(p: &PointLanes<L>, da: &Deltas<L>, db: &Deltas<L>) -> [L; 2] {
    let simd = da.c.simd();
    let one = simd.splat(1.0);
    let (ca, cb) = (da.c - one, db.c - one);
    let ax = da.x + (ca * p.arm_a_x - da.s * p.arm_a_y);
    let ay = da.y + (da.s * p.arm_a_x + ca * p.arm_a_y);
    let bx = db.x + (cb * p.arm_b_x - db.s * p.arm_b_y);
    let by = db.y + (db.s * p.arm_b_x + cb * p.arm_b_y);
    [bx - ax, by - ay]
}

/// One point's row for this substep: `residual + k (change of impulse) >= 0`.
pub(crate) struct NormalRow<L> {
    /// Velocity error, with bias and compliance [m/s].
    pub(crate) residual: L,
    /// Inverse effective mass, compliance included [1/kg], and its inverse.
    pub(crate) inv_mass: L,
    pub(crate) mass: L,
}

/// Softness of each contact: speed asked for per overlap [1/s], share of the effective mass, and compliance relative to
/// the inverse effective mass, `(1 - mass_scale) / mass_scale`.
struct Soft<L> {
    bias_rate: L,
    mass_scale: L,
    compliance: L,
}

impl<L: Lanes> Soft<L> {
    #[inline(always)]
    fn of(block: &ContactBlock<L>, context: &Context) -> Self {
        let simd = block.normal_x.simd();
        let (moving, fixed) = (&context.contact, &context.static_contact);
        let both = block.both_move();
        // Not a closure for the three: it would be compiled without the instruction set.
        Self {
            bias_rate: L::select(
                both,
                simd.splat(moving.bias_rate),
                simd.splat(fixed.bias_rate),
            ),
            mass_scale: L::select(
                both,
                simd.splat(moving.mass_scale),
                simd.splat(fixed.mass_scale),
            ),
            compliance: L::select(
                both,
                simd.splat(moving.compliance()),
                simd.splat(fixed.compliance()),
            ),
        }
    }
}

/// Gap up to which a point is taken to touch [m]: well above rounding, and less than anybody sees.
///
/// What comes down closes its gap exactly, so from then on the last bit would tell whether the contact is rigid or soft. A small
/// pyramid that lands slept a step later ten thousand kilometres away.
const TOUCH: f32 = 0.002 * LINEAR_SLOP;

#[inline(always)]
fn normal_row<L: Lanes, const BIAS: bool>(
    block: &ContactBlock<L>,
    p: &PointLanes<L>,
    pair: &Pair<L>,
    [way_x, way_y]: [L; 2],
    context: &Context,
) -> NormalRow<L> {
    let simd = block.normal_x.simd();
    let separation = p.separation + (way_x * block.normal_x + way_y * block.normal_y);
    let velocity = normal_velocity(block, pair, p);
    // A gap may be closed within the substep, not more.
    let closing = separation * simd.splat(context.inv_h);
    let inv_mass = block.inv_mass_of(p);
    if BIAS {
        let apart = separation.gt(simd.splat(TOUCH));
        let softness = Soft::of(block, context);
        let push = (softness.bias_rate * separation).max(simd.splat(-context.push_speed));
        let bias = L::select(apart, closing, push);
        let compliance = L::select(apart, simd.zero(), softness.compliance);
        let scale = L::select(apart, simd.splat(1.0), softness.mass_scale);
        let soft = compliance * inv_mass;
        NormalRow {
            residual: (velocity + bias) + soft * p.impulse,
            inv_mass: inv_mass + soft,
            mass: p.mass * scale,
        }
    } else {
        NormalRow {
            residual: velocity + closing.max(simd.zero()),
            inv_mass,
            mass: p.mass,
        }
    }
}

#[inline(always)]
fn normal_rows<L: Lanes, const BIAS: bool>(
    block: &ContactBlock<L>,
    pair: &Pair<L>,
    rows: &Rows<'_, L>,
) -> [NormalRow<L>; 2] {
    let [p, q] = &block.points;
    let [way_p, way_q] = rows.ways;
    // Not a closure: it would be compiled without the instruction set.
    [
        normal_row::<L, BIAS>(block, p, pair, *way_p, rows.context),
        normal_row::<L, BIAS>(block, q, pair, *way_q, rows.context),
    ]
}

/// Returns the impulses that solve two coupled rows, neither negative:
/// `w = residual + K (x - old) >= 0`, `x >= 0`, `x . w = 0`.
///
/// Tried in order: both rows push; only the first; only the second, or none. One of them holds, as K is
/// positive definite.
#[inline(always)]
pub(crate) fn complementary<L: Lanes>(
    first: &NormalRow<L>,
    second: &NormalRow<L>,
    coupling: L,
    old_p: L,
    old_q: L,
) -> (L, L) {
    let simd = coupling.simd();
    let (g_p, g_q) = (first.residual, second.residual);
    let det = first.inv_mass * second.inv_mass - coupling * coupling;
    let inv_det = simd.splat(1.0) / det;
    let both_p = old_p + (coupling * g_q - second.inv_mass * g_p) * inv_det;
    let both_q = old_q + (coupling * g_p - first.inv_mass * g_q) * inv_det;
    let both = both_p.ge(simd.zero()).and(both_q.ge(simd.zero()));

    // With the other point's impulse gone, the residual changes by -coupling * old.
    let only_p = (old_p - (g_p - coupling * old_q) * first.mass).max(simd.zero());
    let only_q = (old_q - (g_q - coupling * old_p) * second.mass).max(simd.zero());
    let w_q = g_q + (coupling * (only_p - old_p) - second.inv_mass * old_q);
    let first_only = w_q.ge(simd.zero());
    let single_p = L::select(first_only, only_p, simd.zero());
    let single_q = L::select(first_only, simd.zero(), only_q);
    (
        L::select(both, both_p, single_p),
        L::select(both, both_q, single_q),
    )
}
