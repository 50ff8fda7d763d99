//! Fast things: nothing is passed through, no time is lost at an impact, and nothing is caught on seams.

use super::Question;
use super::rig::{Figure, awake};
use crate::kit::{circle, place, rectangle, thing, usual_world, weightless_world};
use crate::random::Random;
use crate::scene::DT;
use cairn2d::prelude::{
    BodyDef, BodyId, ChainKind, Continuous, Point, Polygon, Segment, Shape, ShapeDef, World, point,
};

pub(super) const QUESTIONS: &[Question] = &[
    Question {
        name: "launch",
        measure: launch,
    },
    Question {
        name: "static_walls",
        measure: static_walls,
    },
    Question {
        name: "plate",
        measure: plate,
    },
    Question {
        name: "plates_at_once",
        measure: plates_at_once,
    },
    Question {
        name: "turning_bar",
        measure: turning_bar,
    },
    Question {
        name: "bullets",
        measure: bullets,
    },
    Question {
        name: "impact_time",
        measure: impact_time,
    },
    Question {
        name: "grazing",
        measure: grazing,
    },
    Question {
        name: "landings",
        measure: landings,
    },
];

/// Shots of each kind.
const SHOTS: u32 = 200;
const POLICIES: [Continuous; 2] = [Continuous::Auto, Continuous::Substep];
/// Half thickness of thin things \[m\].
const THIN: f32 = 0.01;

/// Returns the definition of a shot body: at the world's cap on speed, or above it if `speed` is.
fn shot(def: BodyDef, speed: f32, policy: Continuous) -> BodyDef {
    BodyDef {
        max_linear_speed: (speed > usual_world().def().tuning.max_linear_speed)
            .then_some(f32::INFINITY),
        continuous: policy,
        ..awake(def)
    }
}

fn missile(which: u32) -> Shape {
    match which % 3 {
        0 => circle(0.1).into(),
        1 => rectangle(0.1, 0.1).into(),
        _ => rectangle(0.3, 0.02).into(),
    }
}

fn launch() -> Vec<Figure> {
    let mut world = weightless_world();
    let ball = place(
        &mut world,
        awake(thing(0.0, 0.0).velocity(1000.0, 0.0)),
        circle(0.2),
        ShapeDef::default(),
    );
    for _ in 0..60 {
        world.step(DT);
    }
    vec![Figure::new(
        "launch at 1000 m/s: error of the speed [m/s]",
        (f64::from(world.body(ball).velocity().x) - 1000.0).abs(),
        0.1,
        "0 (Chipmunk)",
    )]
}

/// A wall of one of four kinds along the y axis.
fn wall(world: &mut World, kind: u32) {
    let body = world.create_body(BodyDef::static_());
    let surface = ShapeDef::default();
    match kind % 4 {
        0 => {
            let thin = rectangle(THIN, 60.0);
            world.create_shape(body, thin, surface);
        }
        1 => {
            let line = Segment::new(point(0.0, -60.0), point(0.0, 60.0));
            world.create_shape(body, line, surface);
        }
        2 => {
            // Solid on the right of its way: downward, that is the side that shots come from.
            let points: Vec<Point> = (-12..=12_i8)
                .rev()
                .map(|i| point(0.0, 5.0 * f32::from(i)))
                .collect();
            crate::kit::chain(world, body, &points, ChainKind::Open, surface);
        }
        _ => {
            for i in -30..30_i32 {
                let middle = point(0.0, 2.0 * THIN * (i as f32 + 0.5));
                let tile = Polygon::offset_rectangle(THIN, THIN, middle, 0.0);
                world.create_shape(body, tile, surface);
            }
        }
    }
}

fn passes_a_wall(shot_index: u32, random: &mut Random) -> bool {
    let mut world = weightless_world();
    wall(&mut world, shot_index / 3);
    let speed = random.range(20.0, 5000.0);
    let def = thing(random.range(-5.0, -1.0), random.range(-0.2, 0.2))
        .angle(random.range(-3.0, 3.0))
        .angular_velocity(random.range(-20.0, 20.0))
        .velocity(speed, 0.0);
    let def = shot(def, speed, POLICIES[(shot_index / 12 % 2) as usize]);
    let body = place(&mut world, def, missile(shot_index), ShapeDef::default());
    (0..20).any(|_| {
        world.step(DT);
        let place = world.body(body).position();
        place.x > 0.0 && place.y.abs() < 0.6
    })
}

fn static_walls() -> Vec<Figure> {
    let mut random = Random::new(1);
    let passed = (0..12 * SHOTS).filter(|&i| passes_a_wall(i, &mut random));
    vec![Figure::new(
        "shots at thin walls, segments, chains and tiles, 20 to 5000 m/s: tunneled, of 2400",
        passed.count() as f64,
        0.0,
        "0 (4 at a segment)",
    )]
}

fn passes_a_plate(shot_index: u32, random: &mut Random) -> bool {
    let mut world = weightless_world();
    let surface = ShapeDef::default().density(if shot_index < SHOTS { 50.0 } else { 1.0 });
    let plate = place(
        &mut world,
        awake(thing(0.0, 0.0)),
        rectangle(THIN, 3.0),
        surface,
    );
    let speed = random.range(100.0, 5000.0);
    let def = thing(random.range(-6.0, -1.0), random.range(-0.3, 0.3)).velocity(speed, 0.0);
    let def = shot(def, speed, POLICIES[(shot_index / 3 % 2) as usize]);
    let body = place(&mut world, def, missile(shot_index), ShapeDef::default());
    let mut before = true;
    (0..60).any(|_| {
        world.step(DT);
        let local: Point = world
            .body(plate)
            .to_local(world.body(body).position_exact());
        let is_struck = world.body(plate).velocity().norm() > 0.0;
        // A plate that was struck beside its middle spins: distant shots may then be on its other side without a passage.
        let near = local.coords.norm() < 2.9;
        let passed = before && local.x > 0.0 && local.y.abs() < 2.9 && (near || !is_struck);
        before = local.x < 0.0 && (near || !is_struck);
        passed
    })
}

fn plate() -> Vec<Figure> {
    let mut random = Random::new(4);
    let passed = (0..2 * SHOTS).filter(|&i| passes_a_plate(i, &mut random));
    vec![Figure::new(
        "shots at a thin dynamic plate, 100 to 5000 m/s: tunneled, of 400",
        passed.count() as f64,
        0.0,
        "184 of 200",
    )]
}

/// Returns the number of balls of 5 cm that pass, of `count` shot at 300 m/s at as many plates at once.
fn passed_of(count: u32) -> usize {
    let mut world = weightless_world();
    let mut random = Random::new(9);
    let pairs: Vec<[BodyId; 2]> = (0..count)
        .map(|row| {
            let y = 3.0 * row as f32;
            let plate = place(
                &mut world,
                awake(thing(0.0, y)),
                rectangle(THIN, 1.0),
                ShapeDef::default(),
            );
            let from = thing(random.range(-10.0, -2.0), y + random.range(-0.3, 0.3));
            let def = awake(from.velocity(300.0, 0.0));
            [
                plate,
                place(&mut world, def, circle(0.025), ShapeDef::default()),
            ]
        })
        .collect();
    let mut passed = vec![false; pairs.len()];
    for _ in 0..6 {
        world.step(DT);
        for (passed, &[plate, ball]) in passed.iter_mut().zip(&pairs) {
            let local = world
                .body(plate)
                .to_local(world.body(ball).position_exact());
            *passed |= local.x > 0.0 && local.y.abs() < 1.0;
        }
    }
    passed.into_iter().filter(|&passed| passed).count()
}

fn plates_at_once() -> Vec<Figure> {
    let passed: usize = [16, 64, 65, 200].into_iter().map(passed_of).sum();
    vec![Figure::new(
        "16, 64, 65 and 200 balls at as many plates of 2 cm at once, 300 m/s: tunneled, of 345",
        passed as f64,
        0.0,
        "-",
    )]
}

/// Half length of the bar \[m\].
const BAR: f32 = 10.0;

fn passes_the_bar(shot_index: u32, random: &mut Random) -> bool {
    let mut world = weightless_world();
    let sense = if shot_index.is_multiple_of(2) {
        20.0
    } else {
        -20.0
    };
    let def = BodyDef::kinematic().angular_velocity(sense);
    let bar = place(&mut world, def, rectangle(BAR, 0.05), ShapeDef::default());
    let (least, most) = [(0.0, 1.0), (20.0, 390.0), (390.0, 5000.0)][(shot_index % 3) as usize];
    let speed = random.range(least, most);
    let def = thing(random.range(-8.0, 8.0), random.range(0.5, 4.0))
        .velocity(random.range(-20.0, 20.0), -speed);
    let def = shot(def, speed + 20.0, POLICIES[(shot_index / 6 % 2) as usize]);
    let body = place(
        &mut world,
        def,
        missile(shot_index / 3),
        ShapeDef::default(),
    );
    let side = |world: &World| {
        let local = world.body(bar).to_local(world.body(body).position_exact());
        // Between two places in the disc that the bar sweeps, the way is in it.
        (local.coords.norm() < BAR).then_some(local.y > 0.0)
    };
    let mut before = side(&world);
    (0..20).any(|_| {
        world.step(DT);
        let now = side(&world);
        let passed = before.is_some() && now.is_some() && before != now;
        before = now;
        passed
    })
}

fn turning_bar() -> Vec<Figure> {
    let mut random = Random::new(2);
    let passed = (0..3 * SHOTS).filter(|&i| passes_the_bar(i, &mut random));
    vec![Figure::new(
        "shots at a bar that rotates at 20 rad/s, 0 to 5000 m/s: tunneled, of 600",
        passed.count() as f64,
        0.0,
        "7 of 200 (bullets)",
    )]
}

fn pass_each_other(shot_index: u32, random: &mut Random) -> bool {
    let mut world = weightless_world();
    let surface = ShapeDef::default().restitution((shot_index % 3) as f32 * 0.5);
    let policy = POLICIES[(shot_index % 2) as usize];
    let [a, b] = [-1.0, 1.0].map(|side| {
        let def = thing(4.0 * side, random.range(-0.03, 0.03))
            .velocity(-side * random.range(20.0, 390.0), 0.0);
        let def = BodyDef {
            bullet: shot_index % 4 < 2,
            ..shot(def, 0.0, policy)
        };
        place(&mut world, def, circle(0.1), surface)
    });
    (0..40).any(|_| {
        world.step(DT);
        let [a, b] = [a, b].map(|id| world.body(id).position());
        // Hit beside their middle, they may slide off each other, a diameter apart.
        a.x >= b.x && (a.y - b.y).abs() < 0.15
    })
}

fn bullets() -> Vec<Figure> {
    let mut random = Random::new(3);
    let passed = (0..SHOTS).filter(|&i| pass_each_other(i, &mut random));
    vec![Figure::new(
        "bullets head on, 20 to 390 m/s each: pass each other, of 200",
        passed.count() as f64,
        0.0,
        "176",
    )]
}

/// Lets a ball with e = 1 fly between two walls 20 m apart for 200 steps. Returns its distance from the place in the
/// closed form, as a time of flight, in steps for each impact: on average and at most.
fn time_lost(speed: f32, start: f32, policy: Continuous) -> (f64, f64) {
    let mut world = weightless_world();
    let surface = ShapeDef::default().restitution(1.0).friction(0.0);
    for side in [-1.0, 1.0] {
        let wall = BodyDef::static_().position(side * 10.5, 0.0);
        place(&mut world, wall, rectangle(0.5, 5.0), surface);
    }
    let def = shot(thing(start, 0.0).velocity(speed, 0.0), speed, policy);
    let ball = place(&mut world, def, circle(0.25), surface);
    let half = 10.0 - 0.25;
    let (mut sum, mut most, mut count) = (0.0, 0.0_f64, 0.0);
    for step in 1..=200_u32 {
        world.step(DT);
        // The way, unfolded: each impact is a wall passed.
        let way = f64::from(start) + f64::from(speed) * f64::from(DT) * f64::from(step) + half;
        let impacts = (way / (2.0 * half)).floor();
        if impacts < 1.0 {
            continue;
        }
        let folded = half - (way.rem_euclid(4.0 * half) - 2.0 * half).abs();
        let off = (world.body(ball).position_exact().x - folded).abs();
        let lost = off / f64::from(speed) / f64::from(DT) / impacts;
        (sum, most, count) = (sum + lost, most.max(lost), count + 1.0);
    }
    (sum / f64::max(count, 1.0), most)
}

/// Mean and greatest time lost an impact \[steps\], from 2 to 2000 m/s.
fn times_lost(policy: Continuous) -> (f64, f64) {
    let mut random = Random::new(5);
    let (mut sum, mut most) = (0.0, 0.0_f64);
    // Each shot is an eighth faster than the one before.
    let mut speed = 2.0;
    for _ in 0..60 {
        // Slow ones start near the wall, so that all meet it.
        let start = if speed < 20.0 {
            9.0
        } else {
            random.range(-5.0, 5.0)
        };
        let (mean, worst) = time_lost(speed, start, policy);
        (sum, most) = (sum + mean / 60.0, most.max(worst));
        speed *= 1.125;
    }
    (sum, most)
}

fn impact_time() -> Vec<Figure> {
    let (usual, on_time) = (
        times_lost(Continuous::default()),
        times_lost(Continuous::Substep),
    );
    vec![
        Figure::new(
            "ball between two walls, e = 1, 2 to 2000 m/s: time lost per impact, mean [steps]",
            usual.0,
            0.01,
            "1.47 (0.24 in a variant)",
        ),
        Figure::new("maximum [steps]", usual.1, 0.02, "2.0 (0.5)"),
        Figure::new(
            "with `Continuous::Substep`, mean [steps]",
            on_time.0,
            0.01,
            "-",
        ),
        Figure::new("maximum [steps]", on_time.1, 0.02, "-"),
    ]
}

/// Lets a ball without friction come down on a floor at a slant, at 100 m/s along it; returns the time by which it is
/// behind along the floor \[steps\].
fn lost_along(policy: Continuous, down: f32, e: f32) -> f64 {
    let mut world = weightless_world();
    let surface = ShapeDef::default().restitution(e).friction(0.0);
    let floor = BodyDef::static_().position(0.0, -0.5);
    place(&mut world, floor, rectangle(1000.0, 0.5), surface);
    let def = shot(thing(0.0, 1.0).velocity(100.0, -down), 100.0, policy);
    let ball = place(&mut world, def, circle(0.25), surface);
    for _ in 0..60 {
        world.step(DT);
    }
    let way = 100.0 * 60.0 * f64::from(DT);
    (world.body(ball).position_exact().x - way).abs() / (100.0 * f64::from(DT))
}

fn grazing() -> Vec<Figure> {
    let most = |policy| {
        let each = [2.0, 5.0, 20.0, 50.0].map(|down| {
            let [dead, lively] = [0.0, 1.0].map(|e| lost_along(policy, down, e));
            dead.max(lively)
        });
        each.into_iter().fold(0.0, f64::max)
    };
    vec![
        Figure::new(
            "ball grazes a smooth floor at 100 m/s, 2 to 50 m/s down: time lost along it [steps]",
            most(Continuous::default()),
            0.01,
            "0.44 (0 without CCD: Chipmunk)",
        ),
        Figure::new(
            "with `Continuous::Substep`",
            most(Continuous::Substep),
            0.01,
            "-",
        ),
    ]
}

/// Lets something without friction come down on a floor of tiles of 1 m; returns whether it has lost more than a hundredth
/// of its speed along the floor.
fn is_caught(landing: u32, random: &mut Random) -> bool {
    let mut world = usual_world();
    let smooth = ShapeDef::default().friction(0.0);
    let floor = world.create_body(BodyDef::static_());
    for i in -10..110_i32 {
        let tile = Polygon::offset_rectangle(0.5, 0.5, point(i as f32, -0.5), 0.0);
        world.create_shape(floor, tile, smooth);
    }
    let speed = random.range(2.0, 30.0);
    let def = awake(thing(random.range(-3.0, 3.0), random.range(0.6, 3.0)).velocity(speed, 0.0));
    let body: BodyId = match landing % 4 {
        0 => place(&mut world, def, circle(0.5), smooth),
        1 => place(&mut world, def, rectangle(0.25, 0.25), smooth),
        2 => place(&mut world, def, rectangle(0.5, 0.5), smooth),
        _ => {
            let capsule = crate::kit::lying_capsule(0.4, 0.2);
            place(&mut world, def, capsule, smooth)
        }
    };
    for _ in 0..120 {
        world.step(DT);
    }
    (world.body(body).velocity().x / speed - 1.0).abs() > 0.01
}

fn landings() -> Vec<Figure> {
    let mut random = Random::new(6);
    let caught = (0..SHOTS).filter(|&i| is_caught(i, &mut random));
    vec![Figure::new(
        "landings on smooth tiles: lose more than 1 % of their speed, of 200",
        caught.count() as f64,
        0.0,
        "96 (Chipmunk)",
    )]
}
