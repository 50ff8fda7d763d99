//! Heavy loads: islands whose links would yield too far get more substeps, and others pay nothing.

use approx::assert_abs_diff_eq;
use cairn2d_dynamics::{
    BodyDef, BodyId, JointFrame, Limit, RevoluteJointDef, ShapeDef, World, WorldDef,
};
use cairn2d_geometry::math::{Vec2, point, sin_cos, vec2};
use cairn2d_geometry::tolerance::LINEAR_SLOP as SLOP;
use cairn2d_geometry::{Circle, Polygon, Shape};

/// The usual step [s].
const DT: f32 = 1.0 / 60.0;

/// Gravity, downward [m/s^2].
const G: f32 = 10.0;

/// Returns an empty world in which nothing falls asleep.
fn sleepless() -> World {
    World::new(WorldDef {
        sleeping: false,
        ..WorldDef::default()
    })
}

/// One usual step, with every invariant checked.
fn step(world: &mut World) {
    world.step(DT);
    world.assert_consistent();
}

fn run(world: &mut World, steps: usize) {
    (0..steps).for_each(|_| step(world));
}

/// Steps without checks but the last.
fn run_unchecked(world: &mut World, steps: usize) {
    (0..steps).for_each(|_| world.step(DT));
    world.assert_consistent();
}

fn rect(half_width: f32, half_height: f32) -> Polygon {
    Polygon::rectangle(half_width, half_height)
}

fn disc(radius: f32) -> Circle {
    Circle::new(point(0.0, 0.0), radius)
}

fn add(world: &mut World, body: BodyDef, shape: impl Into<Shape>, def: ShapeDef) -> BodyId {
    let id = world.create_body(body);
    world.create_shape(id, shape, def);
    id
}

fn solid(world: &mut World, body: BodyDef, shape: impl Into<Shape>) -> BodyId {
    add(world, body, shape, ShapeDef::default())
}

fn crate_at(world: &mut World, x: f32, y: f32, half: f32) -> BodyId {
    solid(world, BodyDef::dynamic().position(x, y), rect(half, half))
}

/// A static box whose top is at y = 0.
fn ground(world: &mut World) {
    solid(
        world,
        BodyDef::static_().position(0.0, -1.0),
        rect(50.0, 1.0),
    );
}

/// A column of unit boxes on y = 0; the lowest comes first.
fn column(world: &mut World, x: f32, count: usize) -> Vec<BodyId> {
    (0..count)
        .map(|i| crate_at(world, x, 0.5 + i as f32, 0.5))
        .collect()
}

fn x(world: &World, body: BodyId) -> f32 {
    world.body(body).position().x
}

fn y(world: &World, body: BodyId) -> f32 {
    world.body(body).position().y
}

#[track_caller]
fn close(value: f32, expected: f32, tolerance: f32) {
    let off = (value - expected).abs();
    assert!(
        off <= tolerance,
        "{value} is not within {tolerance} of {expected}"
    );
}

/// A column of unit boxes on y = 0, each off the middle by `offset` to one side or the other.
fn uneven_column(world: &mut World, at: f32, count: u32, offset: f32) -> Vec<BodyId> {
    let side = |i: u32| if (i * 7) % 5 < 2 { -offset } else { offset };
    (0..count)
        .map(|i| crate_at(world, at + side(i), 0.5 + i as f32, 0.5))
        .collect()
}

/// Greatest way of the bodies sideways from `at` [m].
fn drift(world: &World, bodies: &[BodyId], at: f32) -> f32 {
    let off = |&body: &BodyId| (x(world, body) - at).abs();
    bodies.iter().map(off).fold(0.0, f32::max)
}

#[test]
fn uneven_column_of_fifty_stands() {
    let mut world = sleepless();
    ground(&mut world);
    let column = uneven_column(&mut world, 0.0, 50, 0.02);
    run_unchecked(&mut world, 600);
    // At the world's substeps it buckles within five seconds.
    assert!(drift(&world, &column, 0.0) < 0.03);
    // Each of 50 links bears up to 50 boxes: sunk by the sum of yields, a quarter of a slop each at most.
    close(y(&world, column[49]), 49.5, 50.0 * 0.25 * SLOP);
    assert_eq!(world.counters().newton_islands, 1);
}

#[test]
fn ten_boxes_bear_one_of_a_hundred_times_their_density() {
    let mut world = sleepless();
    ground(&mut world);
    column(&mut world, 0.0, 10);
    let def = BodyDef::dynamic().position(0.0, 10.5);
    let top = add(
        &mut world,
        def,
        rect(0.5, 0.5),
        ShapeDef::default().density(100.0),
    );
    run_unchecked(&mut world, 600);
    close(y(&world, top), 10.5, 0.01);
}

#[test]
fn light_boxes_bear_a_million_times_their_mass_awake_or_asleep() {
    // A load at rest is an overlap to the solver, of up to meters here, and overlaps are pushed out at 3 m/s: the box sank through those
    // below, from 30 000 times their mass on.
    for ratio in [1.0e4, 1.0e5, 1.0e6] {
        for count in [1_u8, 10] {
            for sleeping in [true, false] {
                let mut world = World::new(WorldDef {
                    sleeping,
                    ..WorldDef::default()
                });
                ground(&mut world);
                column(&mut world, 0.0, count.into());
                let height = 0.5 + f32::from(count);
                let heavy = ShapeDef::default().density(ratio);
                let top = BodyDef::dynamic().position(0.0, height);
                let top = add(&mut world, top, rect(0.5, 0.5), heavy);
                run_unchecked(&mut world, 300);
                close(y(&world, top), height, 0.01 * SLOP);
                close(x(&world, top), 0.0, 0.01 * SLOP);
                assert_eq!(world.body(top).is_awake(), !sleeping);
            }
        }
    }
}

#[test]
fn small_foot_bears_a_pyramid_on_its_tip() {
    // Each box twice as wide as that below: masses of 1 to 1024.
    let mut world = sleepless();
    ground(&mut world);
    let (mut height, mut top) = (0.0, None);
    for half in [0.25, 0.5, 1.0, 2.0, 4.0, 8.0] {
        top = Some(crate_at(&mut world, 0.0, height + half, half));
        height += 2.0 * half;
    }
    run_unchecked(&mut world, 600);
    close(y(&world, top.unwrap()), height - 8.0, SLOP);
}

/// A chain of `count` links of 1 m down from (0, 0), with a ball of `ratio` times a link's mass at its end.
fn loaded_chain(world: &mut World, count: u32, ratio: f32) -> BodyId {
    let mut above = world.create_body(BodyDef::static_());
    let mut frame_a = JointFrame::at(0.0, 0.0);
    let pin = |world: &mut World, a, b, frame_a, frame_b| {
        let mut def = RevoluteJointDef::new(a, b);
        (def.base.frame_a, def.base.frame_b) = (frame_a, frame_b);
        world.create_joint(def);
    };
    for i in 0..count {
        let link = solid(
            world,
            BodyDef::dynamic().position(0.0, -0.5 - i as f32),
            rect(0.05, 0.5),
        );
        pin(world, above, link, frame_a, JointFrame::at(0.0, 0.5));
        (above, frame_a) = (link, JointFrame::at(0.0, -0.5));
    }
    let link_mass = world.body(above).mass();
    let radius = 0.5;
    let def = BodyDef::dynamic().position(0.0, -(count as f32) - radius);
    let density = ratio * link_mass / (core::f32::consts::PI * radius * radius);
    let ball = add(
        world,
        def,
        disc(radius),
        ShapeDef::default().density(density),
    );
    pin(world, above, ball, frame_a, JointFrame::at(0.0, radius));
    ball
}

/// Widest gap between the anchors of a joint [m].
fn widest_gap(world: &World) -> f32 {
    let gap = |joint: cairn2d_dynamics::JointRef<'_>| {
        let [a, b] = joint.anchors();
        (b - a).norm()
    };
    world.joints().map(gap).fold(0.0, f32::max)
}

#[test]
fn chain_of_forty_bears_a_hundred_times_the_mass_of_a_link() {
    let mut world = sleepless();
    loaded_chain(&mut world, 40, 100.0);
    run_unchecked(&mut world, 600);
    assert!(widest_gap(&world) < 0.01, "{}", widest_gap(&world));
}

#[test]
fn reaction_of_a_strained_joint_is_the_weight_below_it() {
    let mut world = sleepless();
    let ball = loaded_chain(&mut world, 10, 200.0);
    // With a limit it is no linkage, which the direct solver would take.
    let first = world.joints().next().unwrap().id();
    let limit = Some(Limit::new(-3.0, 3.0));
    world.joint_mut(first).set_limit(limit);
    run_unchecked(&mut world, 600);
    assert_eq!(world.counters().newton_islands, 1);
    let total: f32 = world.bodies().map(|body| body.mass()).sum();
    let first = world.joints().next().unwrap();
    close(first.reaction().force.y, total * G, 0.01 * total * G);
    let last = world.joints().last().unwrap();
    let weight = world.body(ball).mass() * G;
    close(last.reaction().force.y, weight, 0.01 * weight);
}

#[test]
fn impulse_of_a_strained_contact_is_the_weight_above_it() {
    let mut world = sleepless();
    ground(&mut world);
    let boxes = column(&mut world, 0.0, 30);
    run_unchecked(&mut world, 300);
    assert_eq!(world.counters().newton_islands, 1);
    let weight = 30.0 * world.body(boxes[0]).mass() * G;
    let contacts = world.contacts();
    let heaviest = contacts.map(|contact| contact.impulse().y.abs() / DT);
    close(heaviest.fold(0.0, f32::max), weight, 0.01 * weight);
}

#[test]
fn usual_piles_are_not_strained() {
    let mut world = sleepless();
    ground(&mut world);
    column(&mut world, 0.0, 12);
    for row in 0..16 {
        for i in 0..16 - row {
            let across = i as f32 - 0.5 * (15 - row) as f32;
            crate_at(&mut world, 25.0 + across, 0.5 + row as f32, 0.5);
        }
    }
    for _ in 0..120 {
        step(&mut world);
        assert_eq!(world.counters().newton_islands, 0);
    }
}

#[test]
fn impacts_do_not_strain() {
    let mut world = sleepless();
    ground(&mut world);
    column(&mut world, 0.0, 5);
    solid(
        &mut world,
        BodyDef::dynamic().position(0.0, 30.0),
        disc(0.5),
    );
    for _ in 0..300 {
        step(&mut world);
        assert_eq!(world.counters().newton_islands, 0);
    }
}

#[test]
fn world_without_a_budget_iterates_all() {
    let mut world = World::new(WorldDef {
        solver_budget: 0,
        ..WorldDef::default()
    });
    ground(&mut world);
    column(&mut world, 0.0, 40);
    for _ in 0..60 {
        step(&mut world);
        assert_eq!(world.counters().newton_islands, 0);
    }
}

#[test]
fn strained_island_eases_when_its_load_goes() {
    let mut world = sleepless();
    ground(&mut world);
    let boxes = column(&mut world, 0.0, 30);
    run(&mut world, 60);
    assert_eq!(world.counters().newton_islands, 1);
    for &body in &boxes[8..] {
        world.destroy_body(body);
    }
    // It waits for 2 s, and then takes a level of stiffness at a time.
    run(&mut world, 240);
    assert_eq!(world.counters().newton_islands, 0);
}

#[test]
fn platform_under_a_strained_and_an_easy_island_moves_once() {
    let mut world = sleepless();
    let def = BodyDef::kinematic().position(0.0, -0.5).velocity(0.5, 0.0);
    let platform = solid(&mut world, def, rect(20.0, 0.5));
    // Strained by its masses: a load that the platform carries is no cause.
    let mut tall = column(&mut world, 0.0, 3);
    let heavy = world.create_body(BodyDef::dynamic().position(0.0, 3.5));
    world.create_shape(heavy, rect(0.5, 0.5), ShapeDef::default().density(20.0));
    tall.push(heavy);
    let low = crate_at(&mut world, 10.0, 0.5, 0.5);
    for &body in tall.iter().chain([&low]) {
        world.body_mut(body).set_velocity(vec2(0.5, 0.0));
    }
    run(&mut world, 120);
    assert_eq!(world.counters().newton_islands, 1);
    close(x(&world, platform), 1.0, 1.0e-4);
    for body in [tall[0], tall[3], low] {
        close(world.body(body).velocity().x, 0.5, 0.01);
    }
}

#[test]
fn strained_world_goes_on_alike_from_a_snapshot_and_on_threads() {
    let mut world = sleepless();
    ground(&mut world);
    uneven_column(&mut world, 0.0, 30, 0.02);
    column(&mut world, 0.0, 5);
    run_unchecked(&mut world, 30);
    let mut twin = world.clone();
    twin.set_def(WorldDef {
        threads: 2,
        ..twin.def().clone()
    });
    for _ in 0..120 {
        world.step(DT);
        twin.step(DT);
        assert_eq!(world.state_hash(), twin.state_hash());
    }
}

#[test]
fn pyramid_holds_when_something_heavy_falls_on_it() {
    for ratio in [50.0, 150.0, 400.0] {
        let mut world = World::new(WorldDef::default());
        ground(&mut world);
        for row in 0..6 {
            for i in 0..7 - row {
                let across = i as f32 - 0.5 * (6 - row) as f32;
                crate_at(&mut world, across, 0.5 + row as f32, 0.5);
            }
        }
        let def = BodyDef::dynamic().position(0.0, 6.5 + 0.5);
        let top = add(
            &mut world,
            def,
            rect(0.5, 0.5),
            ShapeDef::default().density(ratio),
        );
        run_unchecked(&mut world, 900);
        assert!(!world.body(top).is_awake(), "{ratio}");
        let off: Vec2 = world.body(top).position() - point(0.0, 6.5);
        assert!(off.norm() < 0.2, "{ratio}: {off}");
    }
}

#[test]
fn what_flies_up_from_a_strained_column_falls_again() {
    // Its island has lost all links and keeps its substeps for a while: such bodies hung in the air.
    let mut world = sleepless();
    ground(&mut world);
    let boxes = column(&mut world, 0.0, 30);
    run(&mut world, 60);
    assert_eq!(world.counters().newton_islands, 1);
    for &body in &boxes {
        let up = vec2(0.0, 5.0 + world.body(body).position().y);
        world.body_mut(body).set_velocity(up);
    }
    for _ in 0..30 {
        let before: Vec<f32> = boxes.iter().map(|&b| world.body(b).velocity().y).collect();
        world.step(DT);
        let touching = world.contacts().count();
        for (&body, before) in boxes.iter().zip(before) {
            let change = world.body(body).velocity().y - before;
            assert!(
                touching > 0 || (change + 10.0 * DT).abs() < 1.0e-4,
                "{change}"
            );
        }
    }
    assert_eq!(world.contacts().count(), 0);
}

#[test]
fn blow_of_hundreds_of_times_the_mass_is_stopped_and_reported() {
    for density in [30.0, 100.0, 1000.0] {
        let mut world = sleepless();
        ground(&mut world);
        let column = column(&mut world, 0.0, 3);
        let heavy = ShapeDef::default().density(density);
        let hammer = add(
            &mut world,
            BodyDef::dynamic().position(0.0, 8.5),
            rect(0.5, 0.5),
            heavy,
        );
        let (mut deepest, mut rebound) = (0.0_f32, 0.0_f32);
        let mut hits = Vec::new();
        for _ in 0..180 {
            step(&mut world);
            rebound = rebound.max(world.body(hammer).velocity().y);
            for contact in world.contacts() {
                for point in contact.points() {
                    deepest = deepest.max(-point.separation);
                }
            }
            let of_hammer =
                |hit: &&cairn2d_dynamics::ContactHit| [hit.body_a, hit.body_b].contains(&hammer);
            hits.extend(world.contact_hits().iter().filter(of_hammer).copied());
        }
        assert!(deepest < SLOP, "{density}: {deepest}");
        // A fall of 5 m; all of the momentum is taken.
        let speed = f32::sqrt(2.0 * G * 5.0);
        assert!(rebound < 0.1, "{density}: {rebound}");
        assert_abs_diff_eq!(hits[0].approach_speed, speed, epsilon = 0.05 * speed);
        assert!(
            hits[0].impulse > 0.9 * density * speed,
            "{}",
            hits[0].impulse
        );
        assert!(world.body(column[0]).position().x.abs() < SLOP);
    }
}

#[test]
fn hammer_comes_to_rest_on_a_light_box_wherever_it_starts() {
    // In the midst of a step, or over a gap that is a contact already when the step begins: it enters the box by half the way of
    // a step at most, and does not strike it with the speed that a gap allows. Faster hammers are swept and do not enter.
    for density in [30.0, 1000.0] {
        for speed in [2.0, 10.0, 60.0] {
            for i in 0..6 {
                let gap = 0.03 + 0.061 * i as f32;
                let (deepest, rebound) = struck_box(density, gap, speed);
                let what = format!("{density} at {speed} m/s over {gap} m");
                let most = if speed > 30.0 { SLOP } else { 0.6 * speed * DT };
                assert!(deepest < most, "{what}: {deepest}");
                assert!(rebound < 0.05, "{what}: {rebound}");
            }
        }
    }
}

/// Strikes a box with another one of `density` times its mass; returns the deepest overlap \[m\] and the rebound [m/s].
fn struck_box(density: f32, gap: f32, speed: f32) -> (f32, f32) {
    let mut world = sleepless();
    ground(&mut world);
    crate_at(&mut world, 0.0, 0.5, 0.5);
    let heavy = ShapeDef::default().density(density);
    let hammer = BodyDef::dynamic()
        .position(0.0, 1.5 + gap)
        .velocity(0.0, -speed);
    let hammer = add(&mut world, hammer, rect(0.5, 0.5), heavy);
    let (mut deepest, mut rebound) = (0.0_f32, 0.0_f32);
    for _ in 0..60 {
        step(&mut world);
        rebound = rebound.max(world.body(hammer).velocity().y);
        for contact in world.contacts() {
            for point in contact.points() {
                deepest = deepest.max(-point.separation);
            }
        }
    }
    (deepest, rebound)
}

#[test]
fn hammer_that_comes_down_on_a_corner_hardly_enters_a_light_box() {
    // Its other corner was turned into the light box within the step of the blow, by up to 93 cm at 100 m/s, and the light box slipped away under
    // a blow without friction. The steepest blow enters most: friction holds the light box under it.
    for (tilt, speed, most) in [
        (0.01_f32, 5.0, 0.025),
        (0.03, 10.0, 0.05),
        (0.03, 100.0, 0.025),
        (0.1, 30.0, 0.025),
        (0.2, 10.0, 0.05),
        (0.2, 100.0, 0.025),
        (0.5, 100.0, 0.035),
    ] {
        let mut world = sleepless();
        ground(&mut world);
        let light = crate_at(&mut world, 0.0, 0.5, 0.5);
        let (sin, cos) = sin_cos(tilt);
        let lowest = 0.5 * (sin + cos);
        let def = BodyDef::dynamic()
            .position(0.0, 1.1 + lowest)
            .angle(tilt)
            .velocity(0.0, -speed);
        let heavy = ShapeDef::default().density(1000.0);
        add(&mut world, def, rect(0.5, 0.5), heavy);
        let mut deepest = 0.0_f32;
        for _ in 0..30 {
            step(&mut world);
            for contact in world.contacts() {
                let depths = contact.points().map(|point| -point.separation);
                deepest = depths.fold(deepest, f32::max);
            }
        }
        assert!(deepest < most, "tilt {tilt}, {speed} m/s: {deepest} m");
        assert!(world.body(light).position().y > 0.4);
    }
}
