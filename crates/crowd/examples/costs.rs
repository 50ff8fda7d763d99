//! Prints other costs of a crowd: obstacles, visibility, piles, creation and removal, features.
//!
//! `cargo run --release -p cairn2d-crowd --example costs`; all on one thread; the minimum or the median of several runs.

#[path = "../tests/scenes/mod.rs"]
#[expect(dead_code, reason = "the tests use more of it")]
mod scenes;

use cairn2d_crowd::{AgentDef, AgentId, Crowd, CrowdDef, Motion, ObstacleDef, ObstacleId};
use cairn2d_geometry::math::{PI, Point, WorldPoint, point, rotation, sin_cos, vec2};
use cpu_time::ThreadTime;
use scenes::{Random, Scene, random};

/// Distance of the hexagons of a field [m].
const PITCH: f32 = 4.0;

/// Milliseconds that `run` takes.
fn time(run: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    run();
    start.elapsed().as_secs_f64() * 1e3
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times[times.len() / 2]
}

fn hexagon(radius: f32) -> [Point; 6] {
    core::array::from_fn(|i| {
        let (sin, cos) = sin_cos(PI / 3.0 * i as f32);
        point(radius * cos, radius * sin)
    })
}

/// `side` times `side` hexagons.
fn field(side: usize) -> Vec<ObstacleDef> {
    let place = |i: usize| {
        WorldPoint::new(
            (PITCH * (i % side) as f32).into(),
            (PITCH * (i / side) as f32).into(),
        )
    };
    (0..side * side)
        .map(|i| ObstacleDef {
            position: place(i),
            ..ObstacleDef::ring(hexagon(1.0))
        })
        .collect()
}

fn set_up(side: usize) {
    let defs = field(side);
    let times = (0..7).map(|_| {
        let mut crowd = Crowd::default();
        time(|| {
            for def in &defs {
                crowd.create_obstacle(def);
            }
            crowd.update_obstacles();
        })
    });
    println!(
        "set-up of {} edges: {:.2} ms",
        6 * side * side,
        median(times.collect())
    );
}

/// 1000 moving hexagons, without agents.
fn moving() {
    let mut crowd = Crowd::default();
    let ids: Vec<ObstacleId> = field(32)[..1000]
        .iter()
        .map(|def| crowd.create_obstacle(def))
        .collect();
    let mut step = |i: usize| {
        let motion = |k: usize| Motion {
            position: WorldPoint::new(
                (PITCH * (k % 32) as f32 + 0.01 * i as f32).into(),
                (PITCH * (k / 32) as f32).into(),
            ),
            rotation: rotation(0.01 * i as f32),
            velocity: vec2(1.0, 0.0),
            angular_velocity: 1.0,
        };
        time(|| {
            for (k, id) in ids.iter().enumerate() {
                crowd.obstacle_mut(*id).set_motion(motion(k));
            }
            crowd.update_obstacles();
        })
    };
    let times = (0..60).map(&mut step).collect();
    println!("1000 moving hexagons: {:.3} ms a step", median(times));
}

fn sight() {
    let mut crowd = Crowd::default();
    for def in field(40) {
        crowd.create_obstacle(&def);
    }
    crowd.update_obstacles();
    for length in [10.0f32, 100.0] {
        let mut random = Random(9);
        let queries: Vec<(WorldPoint, WorldPoint)> = (0..100_000)
            .map(|_| {
                let from: WorldPoint =
                    (random.between(0.0, 160.0), random.between(0.0, 160.0)).into();
                let (sin, cos) = sin_cos(random.between(-PI, PI));
                (from, from + vec2(cos, sin) * length)
            })
            .collect();
        let mut clear = 0;
        let times = (0..5).map(|_| {
            clear = 0;
            time(|| {
                for (from, to) in &queries {
                    clear += usize::from(crowd.is_visible(*from, *to, 0.5, u32::MAX));
                }
            })
        });
        let per_query = median(times.collect()) * 1e6 / queries.len() as f64;
        println!(
            "sight over {length} m among 9600 edges: {per_query:.0} ns, {clear} of 100000 clear"
        );
    }
}

/// `count` agents at one position, and a crowd of as many scattered at 0.1 per square meter.
fn pile(count: usize) {
    let mut usual = walkers(&random(count, 0.1, 1), |def| def);
    let mut pile = Crowd::default();
    let ids: Vec<AgentId> = (0..count)
        .map(|_| {
            pile.create_agent(AgentDef {
                radius: 0.5,
                ..AgentDef::at((3.0, 4.0))
            })
        })
        .collect();
    let normal = median((0..10).map(|_| time(|| usual.step(0.25))).collect());
    let times: Vec<f64> = (0..10).map(|_| time(|| pile.step(0.25))).collect();
    let mut places: Vec<(u64, u64)> = ids
        .iter()
        .map(|id| pile.agent(*id).position())
        .map(|p| (p.x.to_bits(), p.y.to_bits()))
        .collect();
    places.sort_unstable();
    places.dedup();
    println!(
        "{count} on one spot: {:.1} ms the first step, {:.1} ms the tenth, strewn {normal:.1} ms; {} places after ten",
        times[0],
        times[9],
        places.len()
    );
}

/// A scene's walking crowd; `change` is applied to each definition.
fn walkers(scene: &Scene, change: impl Fn(AgentDef) -> AgentDef) -> Crowd {
    let mut crowd = Crowd::default();
    for (def, goal) in scene.agents.iter().zip(&scene.goals) {
        let wish = scenes::wish(def.position, *goal);
        crowd.create_agent(change(AgentDef {
            preferred_velocity: wish,
            ..*def
        }));
    }
    crowd
}

fn come_and_go() {
    let scene = random(20_000, 0.1, 1);
    let mut crowd = walkers(&scene, |def| def);
    let mut ids: Vec<AgentId> = crowd.agents().map(|agent| agent.id()).collect();
    let defs: Vec<AgentDef> = ids.iter().map(|id| crowd.agent(*id).def()).collect();
    let mut next = 0;
    let times = (0..20).map(|_| {
        crowd.step(0.25);
        time(|| {
            for _ in 0..10_000 {
                let slot = (next * 7919) % ids.len();
                crowd.destroy_agent(ids[slot]);
                ids[slot] = crowd.create_agent(defs[slot]);
                next += 1;
            }
        })
    });
    println!("10000 removed and added: {:.2} ms", median(times.collect()));
}

/// Median milliseconds of a step of several crowds that alternate.
fn in_turns<const N: usize>(
    crowds: &mut [Crowd; N],
    goals: &[WorldPoint],
    dt: f32,
    rounds: usize,
) -> [f64; N] {
    let mut times: [Vec<f64>; N] = core::array::from_fn(|_| Vec::new());
    for round in 0..rounds {
        for (crowd, times) in crowds.iter_mut().zip(&mut times) {
            crowd.set_preferred_velocities(|id, place| {
                scenes::wish(place, goals[id.index() as usize])
            });
            let took = time(|| crowd.step(dt));
            if round >= rounds / 3 {
                times.push(took);
            }
        }
    }
    times.map(median)
}

fn features(density: f32) {
    let scene = random(10_000, density, 1);
    let plain = |def: AgentDef| AgentDef { bias: 0.0, ..def };
    let all = |def: AgentDef| AgentDef {
        max_acceleration: 4.0,
        weight: if def.position.x < 50.0 { 1.0 } else { 2.0 },
        mask: 0xffff,
        ..def
    };
    let mut crowds = [
        walkers(&scene, plain),
        walkers(&scene, |def| def),
        walkers(&scene, all),
    ];
    let [off, usual, on] = in_turns(&mut crowds, &scene.goals, 0.25, 45);
    println!(
        "10000 at {density}: {off:.2} ms without bias, {usual:.2} ms as usual, {on:.2} ms with masks, weights, acceleration limit and bias"
    );
}

fn finer(density: f32) {
    let scene = random(10_000, density, 1);
    let coarse = in_turns(&mut [walkers(&scene, |def| def)], &scene.goals, 0.25, 60);
    let mut crowds = [walkers(&scene, |def| def), walkers(&scene, |def| def)];
    crowds[1].set_def(CrowdDef {
        steering_interval: 3,
        ..CrowdDef::default()
    });
    let fine = in_turns(&mut crowds, &scene.goals, 1.0 / 60.0, 240);
    println!(
        "10000 at {density}: {:.2} ms a step of 0.25 s, {:.2} ms one of 1/60 s, {:.2} ms deciding in turns of three",
        coarse[0], fine[0], fine[1]
    );
}

fn flat(density: f32) {
    for count in [1000, 10_000, 100_000] {
        let scene = random(count, density, 1);
        let rounds = if count > 20_000 { 12 } else { 60 };
        let [ms] = in_turns(
            &mut [walkers(&scene, |def| def)],
            &scene.goals,
            0.25,
            rounds,
        );
        println!(
            "{count} at {density}: {:.0} ns an agent and step",
            ms * 1e6 / count as f64
        );
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|word| word == name);
    let parts: [(&str, fn()); 7] = [
        ("obstacles", || [40, 80].into_iter().for_each(set_up)),
        ("moving", moving),
        ("sight", sight),
        ("pile", || [10_000, 100_000].into_iter().for_each(pile)),
        ("change", come_and_go),
        ("features", || [0.1, 0.3].into_iter().for_each(features)),
        ("fine", || [0.1, 0.3].into_iter().for_each(finer)),
    ];
    for (name, part) in parts {
        if wanted(name) {
            part();
        }
    }
    if wanted("flat") {
        flat(0.1);
    }
}
