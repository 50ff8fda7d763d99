//! Asks three engines the same random questions and settles every disagreement with the judge.
//!
//! `differential [operation|all] [count] [seed] [show]`: prints one line per operation, and `show` cases of each cause
//! for which a peer disagrees. The exit code is 1 if an answer of ours is wrong.

use boxdd_sys::ffi::*;
use cairn2d_differential::generate::{KINDS, Kind, Random, placed, shape};
use cairn2d_differential::oracle::{self, Body, Frame, V, wide};
use cairn2d_differential::{box2d, parry};
use cairn2d_geometry::math::{Point, Pose, Vec2, rotation};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::*;
use std::collections::BTreeMap;

/// Counts of one operation.
#[derive(Default)]
struct Tally {
    asked: u64,
    wrong: u64,
    worst: f64,
    peers: BTreeMap<&'static str, u64>,
    /// Disagreements of each cause to print.
    show: u64,
    shown: u32,
}

impl Tally {
    /// Judges our answer: `error` in units of its tolerance.
    fn ours(&mut self, error: f64, case: impl FnOnce() -> String) {
        self.asked += 1;
        self.worst = self.worst.max(error);
        if !(error <= 1.0) {
            self.wrong += 1;
            if self.shown < 5 {
                self.shown += 1;
                println!("  wrong by {error} tolerances: {}", case());
            }
        }
    }

    /// Counts a disagreement of a peer under its cause, and shows the first few if asked to.
    fn peer(&mut self, cause: &'static str, is_off: bool, case: impl FnOnce() -> String) {
        if !is_off {
            return;
        }
        let count = self.peers.entry(cause).or_default();
        *count += 1;
        if *count <= self.show {
            println!("  {cause}: {}", case());
        }
    }
}

struct Query {
    kinds: (Kind, Kind),
    a: Shape,
    b: Shape,
    pose: Pose,
    bodies: (Body, Body),
    scale: f64,
}

fn query(random: &mut Random, gap: f32, size: f32) -> Query {
    let kinds = (
        KINDS[random.below(5) as usize],
        KINDS[random.below(5) as usize],
    );
    let (kinds, a, b, pose) = if random.below(5) == 0 {
        structured(random, size)
    } else {
        let (a, b) = (shape(random, kinds.0, size), shape(random, kinds.1, size));
        let pose = placed(random, &a, &b, gap);
        (kinds, a, b, pose)
    };
    let bodies = (
        Body::new(&box2d::hull_of(&a), &Frame::new(&Pose::identity())),
        Body::new(&box2d::hull_of(&b), &Frame::new(&pose)),
    );
    let scale = bodies
        .0
        .core
        .iter()
        .chain(&bodies.1.core)
        .flatten()
        .fold(1.0, |m: f64, x| m.max(x.abs()));
    Query {
        kinds,
        a,
        b,
        pose,
        bodies,
        scale,
    }
}

/// Upright boxes on a grid: parallel and collinear edges, shared corners, one in the other, exact touch.
fn structured(random: &mut Random, size: f32) -> ((Kind, Kind), Shape, Shape, Pose) {
    let unit = size / 8.0;
    let mut half = || unit * (1 + random.below(8)) as f32;
    let [a, b] = [(half(), half()), (half(), half())]
        .map(|(x, y)| Shape::from(Polygon::rectangle(x, y).expect("positive")));
    let mut steps = || unit * (random.below(33) as f32 - 16.0);
    let (x, y) = (steps(), steps());
    let quarter = random.below(4) as f32 * std::f32::consts::FRAC_PI_2;
    let pose = cairn2d_geometry::math::pose(x, y, quarter);
    ((Kind::Polygon, Kind::Polygon), a, b, pose)
}

/// Mostly of the size of things about us, sometimes of that of a hill.
fn size(random: &mut Random) -> f32 {
    if random.below(20) == 0 {
        return random.log_between(100.0, 1000.0);
    }
    random.log_between(0.3, 5.0)
}

/// Gap for the mix of streams: far, near touch on both sides, deep.
fn gap(random: &mut Random) -> f32 {
    match random.below(10) {
        0..=3 => random.log_between(1e-4, 10.0),
        4 | 5 => random.log_between(1e-6, 1e-2),
        6 => -random.log_between(1e-6, 1e-2),
        _ => -random.log_between(1e-4, 0.5),
    }
}

const EPS: f64 = f32::EPSILON as f64;

/// Says whether parry2d sees the shape as a smooth support map, and not by its corners.
fn is_rounded(kind: Kind) -> bool {
    matches!(kind, Kind::Capsule | Kind::Rounded)
}

fn distances(random: &mut Random, tally: &mut Tally) {
    let (gap, size) = (gap(random), size(random));
    let q = query(random, gap, size);
    let exact = oracle::separation(&q.bodies.0, &q.bodies.1).max(0.0);
    let mut cache = SimplexCache::default();
    for _ in 0..2 {
        let ours = distance(&q.a, &q.b, &q.pose, &mut cache);
        let error = (f64::from(ours.distance) - exact).abs() / (8.0 * EPS * q.scale);
        tally.ours(error, || {
            format!("{ours:?} exact {exact} {:?} {:?} {:?}", q.a, q.b, q.pose)
        });
    }
    let input = b2DistanceInput {
        proxyA: box2d::proxy(&q.a),
        proxyB: box2d::proxy(&q.b),
        transform: box2d::transform(&q.pose),
        useRadii: true,
    };
    let theirs = unsafe {
        let mut cache: b2SimplexCache = std::mem::zeroed();
        b2ShapeDistance(&input, &mut cache, std::ptr::null_mut(), 0)
    };
    let off = f64::from(theirs.distance) - exact;
    tally.peer("box2d", off.abs() > 1e-5 * q.scale, || {
        format!("off by {off:e} of {exact} {:?} {:?} {:?}", q.a, q.b, q.pose)
    });
    let ((a, at_a), (b, at_b)) = (parry::make(&q.a), parry::make(&q.b));
    let theirs = parry2d::query::distance(
        &parry::shifted(&Pose::identity(), at_a),
        &*a.0,
        &parry::shifted(&q.pose, at_b),
        &*b.0,
    );
    if let Ok(theirs) = theirs {
        let off = f64::from(theirs.distance) - exact;
        let is_support_map = is_rounded(q.kinds.0) || is_rounded(q.kinds.1);
        let cause = match (off > 0.0, theirs.distance == 0.0, is_support_map) {
            (true, _, true) => "parry2d: too far, capsule or rounded polygon",
            (true, _, false) => "parry2d: too far, other kinds",
            (_, true, _) => "parry2d: says they touch",
            _ => "parry2d: too near",
        };
        tally.peer(cause, off.abs() > 1e-5 * q.scale, || {
            format!("off by {off:e} of {exact} {:?} {:?} {:?}", q.a, q.b, q.pose)
        });
    }
}

fn penetrations(random: &mut Random, tally: &mut Tally) {
    let (depth, size) = (random.log_between(1e-4, 0.5), size(random));
    let q = query(random, -depth, size);
    let exact = -oracle::separation(&q.bodies.0, &q.bodies.1);
    if exact <= 1e-5 {
        return;
    }
    let Some(ours) = penetration(&q.a, &q.b, &q.pose) else {
        // No overlap is a depth of zero, right or wrong by as much.
        let off = exact / (8.0 * EPS * q.scale);
        return tally.ours(off, || {
            format!("none, exact {exact} {:?} {:?} {:?}", q.a, q.b, q.pose)
        });
    };
    let off = (f64::from(ours.depth) - exact).abs() / (8.0 * EPS * q.scale);
    let n = wide(ours.normal);
    let along = q.bodies.0.reach(n) + q.bodies.1.reach([-n[0], -n[1]]);
    let off = off.max((along - exact) / (1e-5 * q.scale));
    tally.ours(off, || {
        format!("{ours:?} exact {exact} {:?} {:?} {:?}", q.a, q.b, q.pose)
    });
    let ((a, at_a), (b, at_b)) = (parry::make(&q.a), parry::make(&q.b));
    let theirs = parry2d::query::contact(
        &parry::shifted(&Pose::identity(), at_a),
        &*a.0,
        &parry::shifted(&q.pose, at_b),
        &*b.0,
        0.0,
    );
    if let Ok(theirs) = theirs {
        let found = theirs.map_or(0.0, |c| -f64::from(c.dist));
        let off = found - exact;
        let is_support_map = is_rounded(q.kinds.0) || is_rounded(q.kinds.1);
        let cause = match (theirs.is_none(), off > 0.0, is_support_map) {
            (true, _, true) => "parry2d: no contact, capsule or rounded polygon",
            (true, _, false) => "parry2d: no contact, other kinds",
            (_, true, true) => "parry2d: too deep, capsule or rounded polygon",
            (_, true, false) => "parry2d: too deep, other kinds",
            (_, false, true) => "parry2d: not deep enough, capsule or rounded polygon",
            (_, false, false) => "parry2d: not deep enough, other kinds",
        };
        tally.peer(cause, off.abs() > 1e-4 * q.scale, || {
            format!("off by {off:e} of {exact} {:?} {:?} {:?}", q.a, q.b, q.pose)
        });
    }
}

fn manifolds(random: &mut Random, tally: &mut Tally) {
    let gap = match random.below(3) {
        0 => random.between(0.0, 0.03),
        1 => -random.log_between(1e-6, 1e-2),
        _ => -random.log_between(1e-4, 0.3),
    };
    let size = size(random);
    let q = query(random, gap, size);
    let exact = oracle::separation(&q.bodies.0, &q.bodies.1);
    let ours = collide(&q.a, &q.b, &q.pose, &mut ManifoldCache::default());
    let reach = f64::from(tolerance::SPECULATIVE_DISTANCE);
    let tol = 1e-4 * q.scale;
    let error = match ours.min_separation() {
        None => (reach - exact) / tol,
        Some(least) => {
            let n = wide(ours.normal);
            let along = -q.bodies.0.reach(n) - q.bodies.1.reach([-n[0], -n[1]]);
            let is_unit = (oracle::dot(n, n).sqrt() - 1.0).abs() < 1e-5;
            let off = (f64::from(least) - exact).abs() / tol;
            if is_unit {
                off.max((exact - along) / tol)
            } else {
                f64::INFINITY
            }
        }
    };
    tally.ours(error, || {
        format!("{ours:?} exact {exact} {:?} {:?} {:?}", q.a, q.b, q.pose)
    });
    let (a, b) = (box2d::make(&q.a), box2d::make(&q.b));
    if let Some(theirs) = box2d::collide(&a, &b, box2d::transform(&q.pose)) {
        let points = &theirs.points[..theirs.pointCount as usize];
        let least = points
            .iter()
            .map(|p| f64::from(p.separation))
            .reduce(f64::min);
        let is_off = least.map_or(exact < reach - tol, |least| (least - exact).abs() > tol);
        let is_zero = theirs.normal.x == 0.0 && theirs.normal.y == 0.0;
        let cause = match least {
            None if exact > 0.0 => "box2d: no points, apart",
            None => "box2d: no points, overlapping",
            Some(_) if is_zero => "box2d: no normal",
            Some(least) if least > exact => "box2d: not deep enough",
            Some(_) => "box2d: too deep",
        };
        tally.peer(cause, is_off, || {
            format!("{least:?} for {exact} {:?} {:?} {:?}", q.a, q.b, q.pose)
        });
    }
}

fn rays(random: &mut Random, tally: &mut Tally) {
    let kind = KINDS[random.below(5) as usize];
    let size = size(random);
    let s = shape(random, kind, size);
    let origin = Point::from(random.direction() * (size * random.between(0.0, 6.0)));
    let aim = Point::from(random.direction() * (size * random.between(0.0, 1.2)));
    let ray = Ray::new(origin, (aim - origin) * random.between(0.5, 3.0));
    let length = f64::from(ray.translation.norm());
    if length < 1e-3 {
        return;
    }
    let hull = box2d::hull_of(&s);
    let core: Vec<V> = hull.vertices.iter().map(|v| wide(v.coords)).collect();
    let radius = f64::from(hull.radius);
    let (exact, margin) = oracle::ray(
        &oracle::hull(core),
        radius,
        wide(ray.origin.coords),
        wide(ray.translation),
    );
    let scale = f64::from(size).max(length).max(1.0);
    let judge = |found: Option<f64>, normal: Option<V>, tol: f64| -> f64 {
        match (found, exact) {
            (Some(t), Some(e)) => {
                // Grazing: the point moves fast along the surface, the surface itself is met.
                let slope = normal.map_or(1.0, |n| {
                    (-oracle::dot(n, wide(ray.translation)) / length).abs()
                });
                (t - e).abs() * length * slope.max(1e-3) / (tol * scale)
            }
            (None, None) => 0.0,
            // A segment has no inside to be hit by: it is crossed, however little of the ray is behind.
            _ if kind == Kind::Segment => 0.0,
            _ => margin.abs() / (tol * scale),
        }
    };
    let ours = s.ray_cast(&ray);
    let error = judge(
        ours.map(|h| h.fraction.into()),
        ours.map(|h| wide(h.normal)),
        1e-5,
    );
    tally.ours(error, || format!("{ours:?} exact {exact:?} {s:?} {ray:?}"));
    if exact == Some(0.0) {
        return;
    }
    let input = b2RayCastInput {
        origin: box2d::at(&ray.origin),
        translation: box2d::vec(&ray.translation),
        maxFraction: 1.0,
    };
    let theirs = box2d::ray_cast(&box2d::make(&s), &input);
    let found = theirs.hit.then_some(f64::from(theirs.fraction));
    let verdict = |found: Option<f64>| match (found, exact) {
        (None, _) => 0,
        (_, None) => 1,
        (Some(t), Some(e)) if t > e => 2,
        _ => 3,
    };
    let cause = match (kind, verdict(found)) {
        (Kind::Rounded, 0) => "box2d: rounded polygon missed",
        (Kind::Rounded, 1) => "box2d: rounded polygon hit beside it",
        (Kind::Rounded, 2) => "box2d: rounded polygon late",
        (Kind::Rounded, _) => "box2d: rounded polygon early",
        _ => "box2d: other kinds",
    };
    let show = |found: Option<f64>| format!("{found:?} for {exact:?} {s:?} {ray:?}");
    tally.peer(cause, judge(found, None, 1e-5) > 1.0, || show(found));
    let (made, at) = parry::make(&s);
    let start = parry::at(&ray.origin) - at;
    let theirs = made.cast_local_ray_and_get_normal(
        &parry2d::query::Ray::new(start, parry::vec(&ray.translation)),
        1.0,
        true,
    );
    let found = theirs.map(|h| f64::from(h.time_of_impact));
    let cause = match (is_rounded(kind), kind, verdict(found)) {
        (true, _, 0) => "parry2d: capsule or rounded polygon missed",
        (true, _, 1) => "parry2d: capsule or rounded polygon hit beside it",
        (true, _, 2) => "parry2d: capsule or rounded polygon late",
        (true, _, _) => "parry2d: capsule or rounded polygon early",
        (_, Kind::Polygon, 0) => "parry2d: polygon missed",
        (_, Kind::Polygon, _) => "parry2d: polygon off",
        (_, Kind::Segment, _) => "parry2d: segment",
        _ => "parry2d: circle",
    };
    tally.peer(cause, judge(found, None, 2e-5) > 1.0, || show(found));
}

fn casts(random: &mut Random, tally: &mut Tally) {
    let (gap, size) = (random.log_between(1e-3, 3.0), size(random));
    let q = query(random, gap, size);
    let exact_gap = oracle::separation(&q.bodies.0, &q.bodies.1);
    if exact_gap <= 1e-4 {
        return;
    }
    let apart = distance(&q.a, &q.b, &q.pose, &mut SimplexCache::default());
    let turn = rotation(random.between(-0.8, 0.8));
    let step: Vec2 = turn * -apart.normal * (gap * random.between(0.9, 3.5));
    let length = f64::from(step.norm());
    // B moving by t step meets A where zero meets the difference moved: a ray against the difference.
    let difference = q
        .bodies
        .0
        .core
        .iter()
        .flat_map(|p| {
            q.bodies
                .1
                .core
                .iter()
                .map(move |r| [p[0] - r[0], p[1] - r[1]])
        })
        .collect();
    let radii = q.bodies.0.radius + q.bodies.1.radius;
    let (exact, margin) = oracle::ray(&oracle::hull(difference), radii, [0.0; 2], wide(step));
    let ours = shape_cast(&q.a, &q.b, &q.pose, step, 1.0);
    let scale = q.scale.max(length);
    let judge = |found: Option<(f64, V)>, tol: f64| match (found, exact) {
        (Some((t, n)), Some(e)) => {
            let slope = (oracle::dot(n, wide(step)) / length).abs();
            (t - e).abs() * length * slope.max(1e-3) / (tol * scale)
        }
        (None, None) => 0.0,
        // The ends of a gap that closes in the last moment, and lines that only graze.
        (_, Some(e)) => margin.abs().min((1.0 - e) * length) / (tol * scale),
        _ => margin.abs() / (tol * scale),
    };
    let error = judge(ours.map(|h| (h.fraction.into(), wide(h.normal))), 1e-5);
    tally.ours(error, || {
        format!(
            "{ours:?} exact {exact:?} {:?} {:?} {:?} {step:?}",
            q.a, q.b, q.pose
        )
    });
    let input = b2ShapeCastPairInput {
        proxyA: box2d::proxy(&q.a),
        proxyB: box2d::proxy(&q.b),
        transform: box2d::transform(&q.pose),
        translationB: box2d::vec(&step),
        maxFraction: 1.0,
        canEncroach: false,
    };
    let theirs = unsafe { b2ShapeCast(&input) };
    let found = theirs.hit.then(|| {
        (
            f64::from(theirs.fraction),
            wide(box2d::ours(&theirs.normal)),
        )
    });
    // How far apart the shapes are where it stops, and how near they come if it misses.
    let slop = f64::from(LINEAR_SLOP);
    let at = |t: f64| {
        let mut pose = q.pose;
        pose.translation.vector += step * t as f32;
        let there = Body::new(&box2d::hull_of(&q.b), &Frame::new(&pose));
        oracle::separation(&q.bodies.0, &there)
    };
    let cause = match (found, exact) {
        (Some((t, _)), _) if at(t).abs() <= 1.5 * slop => {
            "box2d: stops within a slop of the surface"
        }
        (Some((t, _)), _) if at(t) > 0.0 => "box2d: stops farther out",
        (Some(_), _) => "box2d: stops deeper in",
        (None, Some(_)) if margin.abs() <= slop => {
            "box2d: misses what is less than a slop in its way"
        }
        (None, Some(e)) if (1.0 - e) * length <= slop => {
            "box2d: misses what the last slop of the way meets"
        }
        _ => "box2d: misses",
    };
    tally.peer(cause, judge(found, 1e-3) > 1.0, || {
        format!(
            "{found:?} for {exact:?} {:?} {:?} {:?} {step:?}",
            q.a, q.b, q.pose
        )
    });
}

fn impacts(random: &mut Random, tally: &mut Tally) {
    let (gap, size) = (random.log_between(0.02, 3.0), size(random));
    let q = query(random, gap, size);
    if oracle::separation(&q.bodies.0, &q.bodies.1) <= 0.01 {
        return;
    }
    let mut turn = |sweep: &mut Sweep| {
        let angle = if random.below(2) == 0 {
            0.0
        } else {
            random.between(-1.2, 1.2)
        };
        sweep.end_rotation = sweep.start_rotation * rotation(angle);
        sweep.local_center = Point::from(random.direction() * (size * 0.3));
        sweep.start += sweep.start_rotation * sweep.local_center.coords;
    };
    let mut a = Sweep::resting(&Pose::identity());
    turn(&mut a);
    a.end = a.start;
    let mut b = Sweep::resting(&q.pose);
    turn(&mut b);
    let apart = distance(&q.a, &q.b, &q.pose, &mut SimplexCache::default());
    let aim =
        rotation(random.between(-0.6, 0.6)) * -apart.normal * (gap * random.between(0.3, 3.0));
    b.end = b.start + aim;
    let (hull_a, hull_b) = (box2d::hull_of(&q.a), box2d::hull_of(&q.b));
    let exact = |t: f64| {
        let at = |hull: &RoundedHull<'_>, s: &Sweep| Body::new(hull, &Frame::of_sweep(s, t));
        oracle::separation(&at(&hull_a, &a), &at(&hull_b, &b))
    };
    let ours = time_of_impact(&q.a, &a, &q.b, &b, 1.0);
    let end = f64::from(ours.fraction);
    let slop = f64::from(LINEAR_SLOP);
    let mut least = f64::INFINITY;
    for i in 0..=64 {
        least = least.min(exact(end * f64::from(i) / 64.0));
    }
    // Nothing touches up to the fraction; at a hit the gap is within two slops; else all is free.
    let mut error = if least > 0.0 { 0.0 } else { 2.0 + -least };
    match ours.state {
        ToiState::Touching => error = f64::max(error, exact(end) / (2.0 * slop)),
        ToiState::Separated => error = f64::max(error, if end == 1.0 { 0.0 } else { 9.0 }),
        _ => error = 99.0,
    }
    tally.ours(error, || {
        format!("{ours:?} least {least} {:?} {:?} {a:?} {b:?}", q.a, q.b)
    });
    let input = b2TOIInput {
        proxyA: box2d::proxy(&q.a),
        proxyB: box2d::proxy(&q.b),
        sweepA: box2d::sweep(&a),
        sweepB: box2d::sweep(&b),
        maxFraction: 1.0,
    };
    let theirs = unsafe { b2TimeOfImpact(&input) };
    let is_hit = theirs.state == b2TOIState_b2_toiStateHit;
    let is_off = match ours.state {
        ToiState::Touching => !is_hit || exact(theirs.fraction.into()) < -slop - 1e-3,
        _ => is_hit && exact(theirs.fraction.into()) > 2.0 * slop,
    };
    let there = exact(theirs.fraction.into());
    let cause = match (ours.state, is_hit) {
        (ToiState::Touching, false) if theirs.state == b2TOIState_b2_toiStateOverlapped => {
            "box2d: says they overlap from the start"
        }
        (ToiState::Touching, false) if theirs.state == b2TOIState_b2_toiStateFailed => {
            "box2d: gives up"
        }
        (ToiState::Touching, false) if least > 0.0 && exact(1.0) > 0.0 => {
            "box2d: misses what turns past"
        }
        (ToiState::Touching, false) if exact(1.0) >= -slop => "box2d: ends less than a slop deep",
        (ToiState::Touching, false) => "box2d: misses what it ends in",
        (ToiState::Touching, true) => "box2d: stops more than a slop deep",
        _ => "box2d: hit too far away",
    };
    tally.peer(cause, is_off, || {
        format!(
            "{:?} {there} for {ours:?} {:?} {:?} {a:?} {b:?}",
            theirs.state, q.a, q.b
        )
    });
}

fn masses(random: &mut Random, tally: &mut Tally) {
    let kind =
        [Kind::Circle, Kind::Capsule, Kind::Polygon, Kind::Rounded][random.below(4) as usize];
    let size = size(random);
    let s = shape(random, kind, size);
    let hull = box2d::hull_of(&s);
    let core: Vec<V> = hull.vertices.iter().map(|v| wide(v.coords)).collect();
    let (area, center, inertia) = oracle::mass(&oracle::hull(core), hull.radius.into());
    let ours = s.mass(1.0);
    // The judge's arcs are chords: off by a millionth.
    let off = |found: f64, exact: f64, tol: f64| (found - exact).abs() / (tol * exact);
    let judge = |mass: f64, at: V, about: f64| {
        let c = [at[0] - center[0], at[1] - center[1]];
        off(mass, area, 1e-5)
            .max(oracle::dot(c, c).sqrt() / (1e-5 * f64::from(size).max(1.0)))
            .max(off(about, inertia, 1e-4))
    };
    let error = judge(
        ours.mass.into(),
        wide(ours.center.coords),
        ours.inertia.into(),
    );
    tally.ours(error, || {
        format!("{ours:?} exact {area} {center:?} {inertia} {s:?}")
    });
    let theirs = unsafe {
        match box2d::make(&s) {
            box2d::Made::Circle(c) => b2ComputeCircleMass(&c, 1.0),
            box2d::Made::Capsule(c) => b2ComputeCapsuleMass(&c, 1.0),
            box2d::Made::Polygon(p) => b2ComputePolygonMass(&p, 1.0),
            box2d::Made::Segment(_) => return,
        }
    };
    let about = f64::from(theirs.rotationalInertia);
    let cause = match kind {
        Kind::Rounded => "box2d: rounded polygon, corners pushed out",
        _ => "box2d: other kinds",
    };
    let off = judge(theirs.mass.into(), wide(box2d::ours(&theirs.center)), about);
    tally.peer(cause, off > 1.0, || format!("{off} tolerances {s:?}"));
    let (made, at) = parry::make(&s);
    let theirs = made.mass_properties(1.0);
    let at = [
        f64::from(theirs.local_com.x + at.x),
        f64::from(theirs.local_com.y + at.y),
    ];
    let cause = match kind {
        Kind::Rounded => "parry2d: rounded polygon, rounding left out",
        Kind::Capsule => "parry2d: capsule, inertia too small",
        _ => "parry2d: other kinds",
    };
    let off = judge(theirs.mass().into(), at, theirs.principal_inertia().into());
    tally.peer(cause, off > 1.0, || format!("{off} tolerances {s:?}"));
}

fn hulls(random: &mut Random, tally: &mut Tally) {
    let count = 3 + random.below(6) as usize;
    let grid = random.below(2) == 0;
    let points: Vec<Point> = (0..count)
        .map(|_| {
            let mut x = || {
                let x = random.between(-4.0, 4.0);
                if grid { x.round() } else { x }
            };
            Point::new(x(), x())
        })
        .collect();
    let ours = convex_hull(&points);
    let exact = oracle::hull(points.iter().map(|p| wide(p.coords)).collect());
    let is_same =
        ours.len() == exact.len() && ours.iter().zip(&exact).all(|(p, e)| wide(p.coords) == *e);
    tally.ours(if is_same { 0.0 } else { 2.0 }, || {
        format!("{ours:?} exact {exact:?}")
    });
    let made: Vec<b2Vec2> = points.iter().map(box2d::at).collect();
    let theirs = unsafe { b2ComputeHull(made.as_ptr(), count as i32) };
    let show = || format!("{points:?} exact {exact:?}");
    let is_area = exact.len() > 2;
    let found = theirs.count as usize;
    let kept: Vec<V> = theirs.points[..found]
        .iter()
        .map(|p| wide(box2d::ours(p)))
        .collect();
    // By how much the farthest corner sticks out of what it made of them.
    let lost = exact
        .iter()
        .map(|p| oracle::signed_distance(&kept, *p))
        .fold(0.0, f64::max);
    let slop = f64::from(LINEAR_SLOP);
    let cause = match found {
        0 => "box2d: refuses what is thinner than two slops or has a weld left",
        _ if found < exact.len() && lost <= 2.0 * slop => "box2d: welds within two slops",
        _ if found < exact.len() => "box2d: loses a corner",
        _ => "box2d: keeps what is no corner",
    };
    tally.peer(cause, is_area && found != exact.len(), show);
    let made: Vec<_> = points.iter().map(parry::at).collect();
    let theirs = std::panic::catch_unwind(|| parry2d::transformation::convex_hull(&made).len());
    let found = *theirs.as_ref().unwrap_or(&0);
    let cause = match (&theirs, found < exact.len()) {
        (Err(_), _) => "parry2d: panics",
        (_, true) => "parry2d: loses a corner",
        _ => "parry2d: keeps points on an edge, or twice",
    };
    tally.peer(
        cause,
        theirs.is_err() || is_area && found != exact.len(),
        show,
    );
}

/// Containment, box and support of one shape.
fn places(random: &mut Random, tally: &mut Tally) {
    let kind = KINDS[random.below(5) as usize];
    let size = size(random);
    let s = shape(random, kind, size);
    let at = random.direction() * (size * random.between(0.0, 3.0));
    let pose = cairn2d_geometry::math::pose(at.x, at.y, random.between(-3.14, 3.14));
    let hull = box2d::hull_of(&s);
    let core = oracle::hull(hull.vertices.iter().map(|v| wide(v.coords)).collect());
    let radius = f64::from(hull.radius);
    let p = Point::from(random.direction() * (size * random.between(0.0, 1.5)));
    let scale = f64::from(size).max(1.0) * 4.0;
    // A point that lies within rounding of the surface may be said to be on either side.
    let margin = oracle::signed_distance(&core, wide(p.coords)) - radius;
    let is_wrong = s.contains(&p) != (margin <= 0.0);
    let mut error = if is_wrong {
        margin.abs() / (EPS * scale)
    } else {
        0.0
    };
    let on = s.project(&p);
    error = error.max((f64::from(on.separation) - margin).abs() / (4.0 * EPS * scale));
    // The box holds the shape, and is no larger than 16 roundings.
    let placed = Body::new(&hull, &Frame::new(&pose));
    let aabb = s.aabb(&pose);
    for (axis, sign) in [(0, -1.0), (0, 1.0), (1, -1.0), (1, 1.0)] {
        let exact = placed
            .core
            .iter()
            .map(|v| v[axis] * sign)
            .fold(f64::MIN, f64::max)
            + radius;
        let corner = if sign > 0.0 { aabb.max } else { aabb.min };
        let over = f64::from(corner[axis]) * sign - exact;
        error = error.max(if over < 0.0 {
            f64::INFINITY
        } else {
            over / (16.0 * EPS * scale)
        });
    }
    let n = wide(random.direction());
    let reach = core
        .iter()
        .map(|v| oracle::dot(*v, n))
        .fold(f64::MIN, f64::max)
        + radius * oracle::dot(n, n).sqrt();
    let direction = Vec2::new(n[0] as f32, n[1] as f32);
    let found = oracle::dot(wide(s.support(&direction).coords), n);
    error = error.max((found - reach).abs() / (4.0 * EPS * scale));
    tally.ours(error, || {
        format!("margin {margin} {aabb:?} {on:?} {s:?} {pose:?} {p:?} {n:?}")
    });
}

type Operation = (&'static str, fn(&mut Random, &mut Tally));

const OPERATIONS: [Operation; 9] = [
    ("place", places),
    ("distance", distances),
    ("penetration", penetrations),
    ("manifold", manifolds),
    ("ray", rays),
    ("cast", casts),
    ("impact", impacts),
    ("mass", masses),
    ("hull", hulls),
];

fn main() {
    std::panic::set_hook(Box::new(|_| ()));
    let args: Vec<String> = std::env::args().collect();
    let wanted = args.get(1).map_or("all", |s| s.as_str());
    let count: u64 = args.get(2).and_then(|s| s.parse().ok()).unwrap_or(10_000);
    let seed: u64 = args.get(3).and_then(|s| s.parse().ok()).unwrap_or(1);
    let show: u64 = args.get(4).and_then(|s| s.parse().ok()).unwrap_or(0);
    let mut wrong = 0;
    for (name, ask) in OPERATIONS {
        if wanted != "all" && wanted != name {
            continue;
        }
        let mut random = Random(seed);
        let mut tally = Tally {
            show,
            ..Tally::default()
        };
        for _ in 0..count {
            ask(&mut random, &mut tally);
        }
        println!(
            "{name}: {} asked, {} of ours wrong (worst {:.3} tolerances), peers differ: {:?}",
            tally.asked, tally.wrong, tally.worst, tally.peers
        );
        wrong += tally.wrong;
    }
    std::process::exit(i32::from(wrong > 0));
}
