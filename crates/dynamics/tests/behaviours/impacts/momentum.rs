//! Impacts: momentum of each body, order, and conserved quantities.

use crate::support::*;
use approx::assert_abs_diff_eq;
use cairn2d_dynamics::{
    BodyDef, BodyId, Continuous, FilterJointDef, JointDef, Locks, PrismaticJointDef,
    RevoluteJointDef, ShapeDef, WeldJointDef, World, WorldDef,
};
use cairn2d_geometry::math::{Vec2, point, vec2};

/// A surface that gives back everything and does not rub.
fn steel() -> ShapeDef {
    slippery().restitution(1.0)
}

/// Hangs `count` balls of radius 0.5 that touch on pins 4 m above; the first `pulled` are pulled up by `angle`.
fn cradle(count: usize, pulled: usize, angle: f32) -> (World, Vec<BodyId>) {
    let mut world = world();
    let frame = world.create_body(BodyDef::static_());
    let balls = (0..count)
        .map(|i| {
            let turn = if i < pulled { -angle } else { 0.0 };
            let hook = i as f32;
            let place = (hook + 4.0 * sine(turn), -4.0 * cosine(turn));
            let ball = BodyDef::dynamic().position(place.0, place.1);
            let ball = add(&mut world, ball, disc(0.5), steel());
            let mut joint = RevoluteJointDef::new(frame, ball);
            joint.base.frame_a.anchor = point(hook, 0.0);
            joint.base.frame_b.anchor = point(hook - place.0, -place.1);
            world.create_joint(joint);
            ball
        })
        .collect();
    (world, balls)
}

/// Runs until the last ball has come out, and returns the speeds after it over the speed before.
fn passed_on(count: usize, pulled: usize) -> Vec<f32> {
    let (mut world, balls) = cradle(count, pulled, 0.6);
    let mut before = 0.0_f32;
    for _ in 0..120 {
        before = before.max(speed(&world, balls[0]));
        step(&mut world);
        if speed(&world, balls[count - 1]) > 0.5 * before {
            return balls
                .iter()
                .map(|&ball| speed(&world, ball) / before)
                .collect();
        }
    }
    panic!("the last of {count} balls stayed where it was");
}

#[test]
fn cradle_passes_on_all_its_speed() {
    for count in [2, 3, 5, 10] {
        let shares = passed_on(count, 1);
        let (last, rest) = shares.split_last().unwrap();
        close(*last, 1.0, 1.0e-3);
        for share in rest {
            close(*share, 0.0, 1.0e-3);
        }
    }
}

#[test]
fn cradle_sends_out_as_many_balls_as_come_in() {
    for pulled in 1..5 {
        let shares = passed_on(5, pulled);
        for (i, share) in shares.iter().enumerate() {
            let expected = if i + pulled >= 5 { 1.0 } else { 0.0 };
            close(*share, expected, 5.0e-3);
        }
    }
}

#[test]
fn cradle_keeps_swinging_and_its_pins_hold() {
    let (mut world, balls) = cradle(5, 1, 0.6);
    let start = energy(&world);
    let rest = 5.0 * 40.0 * f64::from(world.body(balls[0]).mass());
    for _ in 0..600 {
        step(&mut world);
        for (i, &ball) in balls.iter().enumerate() {
            let hook = vec2(i as f32, 0.0);
            let length = (world.body(ball).position() - hook).coords.norm();
            close(length, 4.0, 2.0e-3);
        }
    }
    let kept = (energy(&world) + rest) / (start + rest);
    // At each impact the ball that comes in is too far by up to a step, and is pushed back out of that.
    assert!((0.9..1.01).contains(&kept), "{kept}");
}

/// Sends a ball of mass `m` at 10 m/s against one of mass 1 at rest, e given; returns momentum before and after, and
/// the velocities after.
fn head_on(mass: f32, e: f32) -> ([f64; 2], [f32; 2]) {
    let mut world = weightless();
    let area = core::f32::consts::PI * 0.25;
    let ball = |world: &mut World, def: BodyDef, mass: f32| {
        let surface = slippery().restitution(e).density(mass / area);
        add(world, def, disc(0.5), surface)
    };
    let a = ball(
        &mut world,
        BodyDef::dynamic().position(-1.5, 0.0).velocity(10.0, 0.0),
        mass,
    );
    let b = ball(&mut world, BodyDef::dynamic(), 1.0);
    let before = momentum(&world)[0];
    run(&mut world, 20);
    let after = momentum(&world)[0];
    let velocities = [a, b].map(|id| world.body(id).velocity().x);
    ([before, after], velocities)
}

#[test]
fn two_bodies_keep_their_momentum_to_rounding() {
    for mass in [0.001_f32, 0.1, 1.0, 7.0, 1000.0] {
        for e in [0.0_f32, 0.5, 1.0] {
            let ([before, after], [va, vb]) = head_on(mass, e);
            // Each velocity is rounded once per change of it.
            let rounding = f64::from(4.0 * f32::EPSILON) * before.abs().max(f64::from(vb));
            assert!(
                (after - before).abs() <= rounding,
                "{mass} {e}: {before} {after}"
            );
            let expected = 10.0 * mass * (1.0 + e) / (1.0 + mass);
            close(vb / expected, 1.0, 2.0e-4);
            close(vb - va, 10.0 * e, 1.0e-3 * 10.0);
        }
    }
}

#[test]
fn one_hits_two_that_touch_it_alike_and_they_part_alike() {
    let mut world = weightless();
    let h = 0.75_f32.sqrt();
    let cue = BodyDef::dynamic().position(-1.0, 0.0).velocity(5.0, 0.0);
    let cue = add(&mut world, cue, disc(0.5), steel());
    let pair = [-0.5, 0.5].map(|y| {
        let ball = BodyDef::dynamic().position(-1.0 + 1.05 * (2.0 * h), y * 2.0 * 0.525);
        add(&mut world, ball, disc(0.5), steel())
    });
    let start = energy(&world);
    run(&mut world, 60);
    let [low, high] = pair.map(|id| world.body(id).velocity());
    close(low.x, high.x, 1.0e-3);
    close(low.y, -high.y, 1.0e-3);
    close(world.body(cue).velocity().y, 0.0, 1.0e-3);
    assert!(low.x > 1.0);
    assert_abs_diff_eq!(energy(&world) / start, 1.0, epsilon = 1.0e-3);
}

/// Drops a body from `height` onto the ground of several pieces with top 0, and returns the greatest turn in ten bounces
/// and the apexes over the height.
fn ten_bounces(tiles: &[(f32, f32)], e: f32, height: f32) -> (f32, Vec<f32>) {
    let mut world = sleepless();
    let surface = ShapeDef::default().restitution(e);
    let floor = world.create_body(BodyDef::static_());
    for &(from, to) in tiles {
        let tile = cairn2d_geometry::Polygon::offset_rectangle(
            0.5 * (to - from),
            0.5,
            point(0.5 * (from + to), -0.5),
            0.0,
        );
        world.create_shape(floor, tile, surface);
    }
    let body = BodyDef::dynamic().position(0.0, 0.5 + height);
    let body = add(&mut world, body, rect(0.5, 0.5), surface);
    let (mut turn, mut apexes, mut rising) = (0.0_f32, Vec::new(), false);
    for _ in 0..6000 {
        step(&mut world);
        turn = turn.max(world.body(body).angle().abs());
        let up = world.body(body).velocity().y > 0.0;
        if rising && !up {
            apexes.push((y(&world, body) - 0.5) / height);
        }
        rising = up;
        if apexes.len() == 10 {
            break;
        }
    }
    (turn, apexes)
}

#[test]
fn box_dropped_flat_keeps_level_and_regains_its_height() {
    for tiles in [&[(-20.0, 20.0)][..], &[(-20.0, 0.0), (0.0, 20.0)]] {
        let (turn, apexes) = ten_bounces(tiles, 1.0, 5.0);
        assert!(turn < 1.0e-3, "turned by {turn}");
        assert_eq!(apexes.len(), 10);
        for apex in apexes {
            close(apex, 1.0, 5.0e-3);
        }
    }
}

#[test]
fn each_bounce_of_a_box_reaches_the_square_of_its_restitution() {
    for e in [0.5_f32, 0.9] {
        let (turn, apexes) = ten_bounces(&[(-20.0, 20.0)], e, 5.0);
        assert!(turn < 1.0e-3, "turned by {turn}");
        let mut expected = 1.0;
        for apex in apexes {
            expected *= e * e;
            // Below the threshold of 1 m/s nothing bounces: v^2 / (2 g) = 0.05 m of 5 m.
            if expected > 0.02 {
                close(apex, expected, 0.01 * expected + 1.0e-3);
            }
        }
    }
}

#[test]
fn ball_keeps_its_apex_for_a_minute() {
    let mut world = sleepless();
    ground_of(&mut world, steel());
    let body = add(
        &mut world,
        BodyDef::dynamic().position(0.0, 4.5),
        disc(0.5),
        steel(),
    );
    let (mut rising, mut apex) = (false, 0.0);
    for _ in 0..3600 {
        step(&mut world);
        let up = world.body(body).velocity().y > 0.0;
        if rising && !up {
            apex = y(&world, body) - 0.5;
            close(apex / 4.0, 1.0, 5.0e-3);
        }
        rising = up;
    }
    assert!(apex > 0.0);
}

#[test]
fn spinning_ball_is_turned_round_by_the_friction_of_its_bounce() {
    // Without slip at the end: m v + I w / r is kept, with v = w r. A disc has I = m r^2 / 2.
    let mut world = weightless();
    let surface = ShapeDef::default().restitution(1.0).friction(1.0);
    ground_of(&mut world, surface);
    let def = BodyDef {
        angular_velocity: -8.0,
        ..BodyDef::dynamic().position(0.0, 1.0).velocity(0.0, -6.0)
    };
    let ball = add(&mut world, def, disc(0.5), surface);
    run(&mut world, 30);
    let v = world.body(ball).velocity();
    close(v.y, 6.0, 1.0e-3);
    close(v.x, 8.0 * 0.5 / 3.0, 1.0e-3);
    close(world.body(ball).angular_velocity(), -8.0 / 3.0, 1.0e-2);
}

/// Returns a body that solves its impacts when they happen.
fn on_time(def: BodyDef) -> BodyDef {
    BodyDef {
        continuous: Continuous::Substep,
        ..def
    }
}

/// Apexes of a body that bounces at y = `rest`: time \[s\] and height \[m\], extrapolated from the step after each.
fn apexes(world: &mut World, body: BodyId, rest: f32, count: usize) -> Vec<(f64, f64)> {
    let (mut found, mut rising) = (Vec::new(), false);
    for i in 1..20_000 {
        step(world);
        let v = f64::from(world.body(body).velocity().y);
        if rising && v <= 0.0 {
            let g = f64::from(G);
            let height = world.body(body).position_exact().y - f64::from(rest);
            found.push((f64::from(i as f32) / 60.0 + v / g, height + 0.5 * v * v / g));
            if found.len() == count {
                break;
            }
        }
        rising = v > 0.0;
    }
    found
}

#[test]
fn bounces_on_time_follow_the_closed_form() {
    // Apex n: height e^2n h, at t0 + 2 v / g (e + .. + e^(n-1)) + v e^n / g with v^2 = 2 g h and t0 = v / g.
    for (e, count) in [(0.5_f32, 3), (0.9, 5), (1.0, 5)] {
        for round in [true, false] {
            let mut world = sleepless();
            let surface = ShapeDef::default().restitution(e);
            ground_of(&mut world, surface);
            let def = on_time(BodyDef::dynamic().position(0.0, 5.5));
            let body = if round {
                add(&mut world, def, disc(0.5), surface)
            } else {
                add(&mut world, def, rect(0.5, 0.5), surface)
            };
            let found = apexes(&mut world, body, 0.5, count);
            assert_eq!(found.len(), count);
            let (e, mut share, mut time) = (f64::from(e), 1.0, 1.0);
            for (t, height) in found {
                share *= e;
                time += share;
                let height_error = (height / (5.0 * share * share) - 1.0).abs();
                assert!(
                    height_error < 2.0e-3,
                    "e {e}: {height} of {}",
                    5.0 * share * share
                );
                assert!((t - time).abs() < 1.0e-3, "e {e}: {t} s, not {time} s");
                time += share;
            }
            close(world.body(body).angle(), 0.0, 1.0e-3);
        }
    }
}

#[test]
fn ball_on_time_keeps_its_apex_for_a_minute_to_a_thousandth() {
    let mut world = sleepless();
    ground_of(&mut world, steel());
    let def = on_time(BodyDef::dynamic().position(0.0, 5.5));
    let body = add(&mut world, def, disc(0.5), steel());
    for (_, height) in apexes(&mut world, body, 0.5, 30) {
        close(height as f32 / 5.0, 1.0, 1.0e-3);
    }
}

#[test]
fn a_bouncing_throw_does_not_depend_on_the_step() {
    let place_after = |rate: usize| {
        let mut world = sleepless();
        let surface = ShapeDef::default().restitution(0.8).friction(0.0);
        ground_of(&mut world, surface);
        let def = on_time(BodyDef::dynamic().position(-10.0, 3.0).velocity(4.0, 2.0));
        let body = add(&mut world, def, disc(0.25), surface);
        for _ in 0..4 * rate {
            world.step(1.0 / rate as f32);
        }
        world.body(body).position()
    };
    let way = place_after(60) - place_after(240);
    assert!(way.norm() < 1.0e-3, "{way}");
}

#[test]
fn cradle_on_time_keeps_its_balls_apart() {
    let (mut world, balls) = cradle(5, 1, 0.6);
    for &ball in &balls {
        world.body_mut(ball).set_continuous(Continuous::Substep);
    }
    let (start, rest) = (
        energy(&world),
        5.0 * 40.0 * f64::from(world.body(balls[0]).mass()),
    );
    for _ in 0..600 {
        step(&mut world);
        for pair in balls.windows(2) {
            let [a, b] = [0, 1].map(|i| world.body(pair[i]).position());
            assert!((b - a).norm() > 1.0 - SLOP, "{a} {b}");
        }
    }
    let kept = (energy(&world) + rest) / (start + rest);
    assert!((0.98..1.002).contains(&kept), "{kept}");
}

/// Lets 40 balls fly about in a box for `seconds`; returns the share of energy that is left and the deepest overlap.
fn gas(speed: f32, policy: Continuous, seconds: usize) -> (f64, f32) {
    let mut world = sleepless();
    world.set_gravity(vec2(0.0, 0.0));
    for (x, y, w, h) in [
        (-5.5, 0.0, 0.5, 6.0),
        (5.5, 0.0, 0.5, 6.0),
        (0.0, -5.5, 6.0, 0.5),
        (0.0, 5.5, 6.0, 0.5),
    ] {
        add(
            &mut world,
            BodyDef::static_().position(x, y),
            rect(w, h),
            steel(),
        );
    }
    let mut random = Random::new(9);
    let balls: Vec<BodyId> = (0..40)
        .map(|i| {
            let direction = random.vector(1.0).normalize() * speed;
            let def = BodyDef {
                continuous: policy,
                velocity: direction,
                ..BodyDef::dynamic()
                    .position(-4.2 + 1.2 * (i % 8) as f32, -4.0 + 1.5 * (i / 8) as f32)
            };
            add(&mut world, def, disc(0.25), steel())
        })
        .collect();
    let start = energy(&world);
    let mut deepest = 0.0_f32;
    for _ in 0..60 * seconds {
        world.step(DT);
        for &ball in &balls {
            let place = world.body(ball).position();
            deepest = deepest.max(place.coords.amax() - 4.75);
        }
        for (i, &a) in balls.iter().enumerate() {
            for &b in &balls[i + 1..] {
                let between = world.body(b).position() - world.body(a).position();
                deepest = deepest.max(0.5 - between.norm());
            }
        }
    }
    world.assert_consistent();
    (energy(&world) / start, deepest)
}

#[test]
fn gas_of_balls_on_time_keeps_its_energy_and_its_balls_apart() {
    let (kept, deepest) = gas(5.0, Continuous::Substep, 10);
    assert!((kept - 1.0).abs() < 1.0e-5, "{kept}");
    assert!(deepest < 0.02 * SLOP, "{deepest}");
}

#[test]
fn slow_ball_close_to_a_wall_bounces_on_time() {
    // Its contact is known and left to continuous collision; it must not count as the plane that the ball slides on, behind
    // which the wall itself lies.
    for speed in [0.05, 0.2, 0.5, 0.9] {
        for gap in [0.001, 0.003, 0.005] {
            let mut world = World::new(WorldDef::weightless());
            add(
                &mut world,
                BodyDef::static_().position(0.5, 0.0),
                rect(0.5, 6.0),
                steel(),
            );
            let def = BodyDef {
                continuous: Continuous::Substep,
                ..BodyDef::dynamic()
                    .position(-0.25 - gap, 0.0)
                    .velocity(speed, 0.0)
            };
            let ball = add(&mut world, def, disc(0.25), steel());
            for step in 1..=30 {
                world.step(DT);
                let way = step as f32 * DT * speed - gap;
                let expected = -0.25 - way.abs();
                let off = world.body(ball).position().x - expected;
                assert!(
                    off.abs() < 0.02 * SLOP,
                    "{speed} m/s, {gap} m, step {step}: {off}"
                );
            }
            assert!((world.body(ball).velocity().x + speed).abs() < 1.0e-5 * speed);
        }
    }
}

#[test]
fn balls_that_graze_without_touching_lose_no_time() {
    // They come within half a slop, which is near enough to be looked at.
    for speed in [10.0, 100.0, 390.0] {
        for gap in [0.0002, 0.001, 0.002] {
            let mut world = World::new(WorldDef::weightless());
            let mut ball = |x: f32, y: f32, velocity: f32| {
                let def = BodyDef {
                    continuous: Continuous::Substep,
                    ..BodyDef::dynamic().position(x, y).velocity(velocity, 0.0)
                };
                add(&mut world, def, disc(0.25), steel())
            };
            let balls = [ball(-1.0, 0.0, speed), ball(1.0, 0.5 + gap, -speed)];
            for _ in 0..20 {
                world.step(DT);
            }
            for (ball, sense) in balls.into_iter().zip([1.0, -1.0]) {
                let body = world.body(ball);
                assert_eq!(
                    body.velocity(),
                    vec2(sense * speed, 0.0),
                    "{speed} m/s, {gap} m"
                );
                let way = body.position().x + sense - sense * 20.0 * DT * speed;
                assert!(
                    way.abs() < 1.0e-6 * 20.0 * speed,
                    "{speed} m/s, {gap} m: {way}"
                );
            }
        }
    }
}

#[test]
fn fast_gas_of_balls_on_time_keeps_its_energy_and_its_balls_apart() {
    // A ball that is struck just before a wall is in it a little when both impacts have their time: it must still hit it. And
    // events before the gap has closed come first.
    for speed in [20.0, 50.0, 100.0] {
        let (kept, deepest) = gas(speed, Continuous::Substep, 10);
        assert!((kept - 1.0).abs() < 1.0e-4, "{speed} m/s: {kept}");
        assert!(deepest < 0.02 * SLOP, "{speed} m/s: {deepest}");
    }
}

#[test]
fn gas_of_clamped_balls_keeps_its_energy() {
    let (kept, deepest) = gas(5.0, Continuous::Clamp, 10);
    assert!((kept - 1.0).abs() < 0.02, "{kept}");
    assert!(deepest < 0.25, "{deepest}");
}

#[test]
fn what_cannot_give_way_is_met_once_and_ends_the_step() {
    // A ball that is locked and a bar that comes: the impact changes nothing, and would be met at once again.
    let mut world = World::new(WorldDef::weightless());
    let locks = Locks {
        x: true,
        y: true,
        rotation: true,
    };
    let def = BodyDef {
        continuous: Continuous::Substep,
        locks,
        ..BodyDef::dynamic()
    };
    add(&mut world, def, disc(0.25), steel());
    let bar = BodyDef::kinematic()
        .position(-2.5, 0.0)
        .velocity(100.0, 0.0);
    add(&mut world, bar, rect(0.1, 2.0), steel());
    world.step(DT);
    assert_eq!(world.counters().impacts_cut, 0, "not there yet");
    world.step(DT);
    assert_eq!(
        (world.counters().impacts, world.counters().impacts_cut),
        (1, 1)
    );
    world.assert_consistent();
}

/// Velocity and spin of a box at rest after a ball of 30 m/s hit it above its middle, with a joint to another body.
fn hit_box(
    is_other_enabled: bool,
    joint: impl FnOnce(&World, BodyId, BodyId) -> Option<JointDef>,
) -> (Vec2, f32) {
    let mut world = weightless();
    let surface = slippery().restitution(0.8);
    let body = add(&mut world, BodyDef::dynamic(), rect(0.5, 0.5), surface);
    let other = crate_at(&mut world, 3.0, 20.0, 0.5);
    if let Some(def) = joint(&world, other, body) {
        world.create_joint(def);
    }
    if !is_other_enabled {
        world.body_mut(other).disable();
    }
    let ball = BodyDef {
        continuous: Continuous::Substep,
        ..BodyDef::dynamic().position(-5.0, 0.2).velocity(30.0, 0.0)
    };
    add(&mut world, ball, disc(0.5), surface);
    run(&mut world, 20);
    assert_eq!(world.counters().bodies, 3);
    let body = world.body(body);
    (body.velocity(), body.angular_velocity())
}

#[test]
fn joint_that_does_not_act_takes_no_part_in_an_impact() {
    // Cause: an impact within a step included all joints of the struck body, also joints to disabled bodies.
    let free = hit_box(true, |_, _, _| None);
    assert!(free.0.x > 10.0);
    let weld = |world: &World, a, b| Some(WeldJointDef::new(a, b).at(world, (0.0, 0.0)).into());
    let pin = |world: &World, a, b| Some(RevoluteJointDef::new(a, b).at(world, (0.0, 0.0)).into());
    let slider = |world: &World, a, b| {
        let slider = PrismaticJointDef::new(a, b).at(world, (0.0, 0.0), vec2(0.0, 1.0));
        Some(slider.into())
    };
    let filter = |_: &World, a, b| Some(FilterJointDef::new(a, b).into());
    assert_eq!(hit_box(false, weld), free);
    assert_eq!(hit_box(false, pin), free);
    assert_eq!(hit_box(false, slider), free);
    assert_eq!(hit_box(false, filter), free);
    assert_eq!(hit_box(true, filter), free);
    assert!(hit_box(true, weld) != free);
}
