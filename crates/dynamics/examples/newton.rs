//! Measures scenes in which iterations converge slowly, with and without Newton's method.
//!
//! `cargo run --release -p cairn2d-dynamics --example newton [scene ...]`

use cairn2d_dynamics::{
    BodyDef, BodyId, Limit, Mechanism, Mechanisms, RevoluteJointDef, ShapeDef, Tuning,
    WeldJointDef, World, WorldDef,
};
use cairn2d_geometry::Polygon;
use cairn2d_geometry::math::atan2;
use std::time::Instant;

const DT: f32 = 1.0 / 60.0;

/// Action before a step.
type Action = Box<dyn FnMut(&mut World, usize)>;

/// Makes a scene, with or without Newton's method.
type Maker = Box<dyn Fn(bool) -> Scene>;

/// A scene: the world, the action before a step, and the time to measure [s].
struct Scene {
    world: World,
    before: Action,
    seconds: f32,
    tracked: BodyId,
}

impl Scene {
    fn new(world: World, seconds: f32, tracked: BodyId) -> Self {
        let before = Box::new(|_: &mut World, _: usize| {});
        Self {
            world,
            before,
            seconds,
            tracked,
        }
    }
}

/// Returns the settings of a scene, with or without Newton's method.
fn settings(newton: bool) -> WorldDef {
    let all = Mechanisms::ALL;
    let mechanisms = if newton {
        all
    } else {
        all.without(Mechanism::NewtonIslands)
    };
    let tuning = Tuning {
        mechanisms,
        ..Tuning::default()
    };
    WorldDef {
        tuning,
        ..WorldDef::default()
    }
}

fn world(newton: bool) -> World {
    World::new(settings(newton))
}

fn sleepless(newton: bool) -> World {
    World::new(WorldDef {
        sleeping: false,
        ..settings(newton)
    })
}

fn put(world: &mut World, def: BodyDef, half: [f32; 2], density: f32) -> BodyId {
    let body = world.create_body(def);
    let shape = Polygon::rectangle(half[0], half[1]);
    world.create_shape(body, shape, ShapeDef::default().density(density));
    body
}

fn ground(world: &mut World) -> BodyId {
    put(
        world,
        BodyDef::static_().position(0.0, -1.0),
        [100.0, 1.0],
        1.0,
    )
}

fn at(x: f32, y: f32) -> BodyDef {
    BodyDef::dynamic().position(x, y)
}

/// A column of `n` boxes with `gap`; on top a box of `density` with `speed` downward, if the density is not 0.
fn column(newton: bool, n: usize, gap: f32, density: f32, speed: f32) -> Scene {
    let mut world = world(newton);
    ground(&mut world);
    let mut top = None;
    for i in 0..n {
        let y = 0.5 + gap + i as f32 * (1.0 + gap);
        top = Some(put(&mut world, at(0.0, y), [0.5, 0.5], 1.0));
    }
    if density > 0.0 {
        let y = n as f32 * (1.0 + gap) + 0.6;
        let def = at(0.0, y).velocity(0.0, -speed);
        top = Some(put(&mut world, def, [0.5, 0.5], density));
    }
    Scene::new(world, 5.0, top.expect("a body"))
}

/// A column of boxes with offsets to both sides.
fn jittered(newton: bool, n: usize, offset: f32) -> Scene {
    let mut world = sleepless(newton);
    ground(&mut world);
    let mut top = None;
    let mut seed = 1_u32;
    for i in 0..n {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let share = (seed >> 8) as f32 / (1 << 23) as f32 - 1.0;
        top = Some(put(
            &mut world,
            at(offset * share, 0.5 + i as f32),
            [0.5, 0.5],
            1.0,
        ));
    }
    Scene::new(world, 20.0, top.expect("a body"))
}

fn boxes_in_a_row(newton: bool, n: usize) -> Scene {
    let mut world = world(newton);
    ground(&mut world);
    for i in 0..n {
        let x = (i as f32 - 0.5 * (n - 1) as f32) * 1.001;
        put(&mut world, at(x, 0.5), [0.5, 0.5], 1.0);
    }
    let width = 0.5 * n as f32;
    let def = at(0.0, 1.6).velocity(0.0, -10.0);
    let top = put(&mut world, def, [width, 0.5], 1000.0);
    Scene::new(world, 4.0, top)
}

fn one_per_step(newton: bool, every: usize) -> Scene {
    let mut world = world(newton);
    ground(&mut world);
    let first = put(&mut world, at(0.0, 0.5), [0.5, 0.5], 1.0);
    let mut scene = Scene::new(world, 5.0 + every as f32 * 100.0 * DT, first);
    scene.before = Box::new(move |world, step| {
        if step % every == 0 && (1..100).contains(&(step / every)) {
            let y = 0.5 + (step / every) as f32;
            put(world, at(0.0, y), [0.5, 0.5], 1.0);
        }
    });
    scene
}

fn hinge(world: &mut World, a: BodyId, b: BodyId, at: [f32; 2], limit: Option<Limit>) {
    let mut def = RevoluteJointDef::new(a, b);
    [def.base.frame_a, def.base.frame_b] = world.joint_frames(a, b, at, 0.0);
    def.limit = limit;
    world.create_joint(def);
}

fn weld(world: &mut World, a: BodyId, b: BodyId, at: [f32; 2]) {
    let mut def = WeldJointDef::new(a, b);
    [def.base.frame_a, def.base.frame_b] = world.joint_frames(a, b, at, 0.0);
    world.create_joint(def);
}

const LIMIT: Option<Limit> = Some(Limit {
    lower: -0.1,
    upper: 0.1,
});

fn bracket(newton: bool, nx: usize, ny: usize, density: f32) -> Scene {
    let mut world = world(newton);
    let wall = put(
        &mut world,
        BodyDef::static_().position(-0.5, 0.0),
        [0.2, 5.0],
        1.0,
    );
    let mut boxes = Vec::new();
    for j in 0..ny {
        for i in 0..nx {
            let density = if (i + j) % 2 == 1 { density } else { 1.0 };
            let def = at(0.5 * i as f32, 0.5 * j as f32);
            boxes.push(put(&mut world, def, [0.24, 0.24], density));
        }
    }
    weld(&mut world, wall, boxes[0], [-0.25, 0.0]);
    for j in 0..ny {
        for i in 0..nx {
            let (x, y, q) = (0.5 * i as f32, 0.5 * j as f32, boxes[j * nx + i]);
            if i + 1 < nx {
                let next = boxes[j * nx + i + 1];
                if (i + j) % 4 == 1 {
                    hinge(&mut world, q, next, [x + 0.25, y], LIMIT);
                } else {
                    weld(&mut world, q, next, [x + 0.25, y]);
                }
            }
            if j + 1 < ny {
                weld(&mut world, q, boxes[(j + 1) * nx + i], [x, y + 0.25]);
            }
        }
    }
    Scene::new(world, 10.0, boxes[nx - 1])
}

fn bridge(newton: bool, density: f32) -> Scene {
    const LINKS: usize = 30;
    let mut world = world(newton);
    let (span, sag) = (28.0_f32, 4.58_f32);
    let left = put(
        &mut world,
        BodyDef::static_().position(-0.5 * span - 1.0, 0.0),
        [1.0, 0.2],
        1.0,
    );
    let right = put(
        &mut world,
        BodyDef::static_().position(0.5 * span + 1.0, 0.0),
        [1.0, 0.2],
        1.0,
    );
    // Chords of equal length on a parabola, found by marching.
    let y = |x: f32| -sag * (1.0 - (2.0 * x / span) * (2.0 * x / span));
    let march = |length: f32| {
        let mut points = vec![[-0.5 * span, 0.0]];
        for _ in 0..LINKS {
            let [x0, y0] = points[points.len() - 1];
            let (mut low, mut high) = (0.0, length);
            for _ in 0..40 {
                let mid: f32 = 0.5 * (low + high);
                let rise = y(x0 + mid) - y0;
                if mid * mid + rise * rise > length * length {
                    high = mid
                } else {
                    low = mid
                }
            }
            points.push([x0 + low, y(x0 + low)]);
        }
        points
    };
    let (mut low, mut high) = (0.8, 1.3);
    for _ in 0..40 {
        let mid = 0.5 * (low + high);
        if march(mid)[LINKS][0] > 0.5 * span {
            high = mid
        } else {
            low = mid
        }
    }
    let points = march(low);
    let mut last = left;
    for pair in points.windows(2) {
        let [[x0, y0], [x1, y1]] = [pair[0], pair[1]];
        let def = at(0.5 * (x0 + x1), 0.5 * (y0 + y1)).angle(atan2(y1 - y0, x1 - x0));
        let body = world.create_body(def);
        let shape = Polygon::rectangle(0.5 * low, 0.1);
        world.create_shape(body, shape, ShapeDef::default());
        hinge(&mut world, last, body, [x0, y0], None);
        last = body;
    }
    hinge(&mut world, last, right, points[LINKS], None);
    let top = put(
        &mut world,
        at(0.0, -sag + 2.6),
        [0.5, 0.5],
        density * low * 0.2,
    );
    Scene::new(world, 8.0, top)
}

fn cranes(newton: bool, count: usize, links: usize) -> Scene {
    let mut world = world(newton);
    let mut last = put(
        &mut world,
        BodyDef::static_().position(0.0, 0.0),
        [1.0, 0.2],
        1.0,
    );
    let wall = last;
    for k in 0..count {
        let x0 = 40.0 * k as f32;
        last = wall;
        for i in 0..links {
            let x = x0 + 0.5 + i as f32;
            let body = put(&mut world, at(x, 0.0), [0.45, 0.1], 1.0);
            hinge(&mut world, last, body, [x - 0.5, 0.0], LIMIT);
            last = body;
        }
    }
    Scene::new(world, 5.0, last)
}

fn crate_on_boxes(newton: bool, n: usize) -> Scene {
    let mut world = world(newton);
    ground(&mut world);
    let mut y = 0.0;
    for i in 0..n {
        let half = 0.15 + 0.05 * ((i * 7) % 5) as f32;
        y += half;
        put(
            &mut world,
            at(0.02 * ((i * 3) % 5) as f32, y),
            [half, half],
            1.0,
        );
        y += half;
    }
    let top = put(&mut world, at(0.05, y + 2.0), [1.0, 1.0], 1.0);
    Scene::new(world, 5.0, top)
}

fn chain(newton: bool, n: usize, tip: f32) -> Scene {
    let mut world = world(newton);
    let mut last = put(
        &mut world,
        BodyDef::static_().position(0.0, 0.0),
        [0.1, 0.1],
        1.0,
    );
    for i in 0..n {
        let y = -0.5 * i as f32;
        let density = if i + 1 == n { tip } else { 1.0 };
        let body = put(&mut world, at(0.0, y - 0.25), [0.05, 0.25], density);
        hinge(
            &mut world,
            last,
            body,
            [0.0, y],
            Some(Limit {
                lower: -1.0,
                upper: 1.0,
            }),
        );
        last = body;
    }
    Scene::new(world, 5.0, last)
}

fn scenes() -> Vec<(String, Maker)> {
    let mut all: Vec<(String, Maker)> = Vec::new();
    for (nx, ny) in [(3, 2), (4, 3), (5, 3), (6, 3)] {
        all.push((
            format!("bracket {nx}x{ny}"),
            Box::new(move |on| bracket(on, nx, ny, 1.0)),
        ));
    }
    all.push((
        "bracket 6x3 1:10".into(),
        Box::new(|on| bracket(on, 6, 3, 10.0)),
    ));
    for n in [1, 2, 3, 6, 12] {
        all.push((
            format!("row {n} under 1000:1"),
            Box::new(move |on| boxes_in_a_row(on, n)),
        ));
    }
    for n in [1, 3, 10] {
        let make = move |on| column(on, n, 0.0, 1000.0, 10.0);
        all.push((format!("column {n} under 1000:1"), Box::new(make)));
    }
    for gap in [0.0, 0.005, 0.02, 0.05] {
        let make = move |on| column(on, 100, gap, 0.0, 0.0);
        all.push((format!("column 100 gap {gap}"), Box::new(make)));
    }
    for every in [1, 10] {
        all.push((
            format!("column 100 one per {every}"),
            Box::new(move |on| one_per_step(on, every)),
        ));
    }
    all.push(("bridge 1000:1".into(), Box::new(|on| bridge(on, 1000.0))));
    for (n, offset) in [(50, 0.02), (100, 0.05)] {
        let make = move |on| jittered(on, n, offset);
        all.push((format!("jittered {n} by {offset}"), Box::new(make)));
    }
    all.push(("crane 1x30".into(), Box::new(|on| cranes(on, 1, 30))));
    all.push(("crane 1x5".into(), Box::new(|on| cranes(on, 1, 5))));
    all.push(("cranes 40x30".into(), Box::new(|on| cranes(on, 40, 30))));
    all.push((
        "chain 40 1000:1".into(),
        Box::new(|on| chain(on, 40, 1000.0)),
    ));
    for n in [5, 10, 16, 24] {
        all.push((
            format!("crate on {n}"),
            Box::new(move |on| crate_on_boxes(on, n)),
        ));
    }
    all
}

/// Runs a scene and prints its figures.
fn measure(name: &str, newton: bool, mut scene: Scene) {
    let steps = (scene.seconds / DT) as usize;
    let start = scene.world.body(scene.tracked).position();
    let (mut fastest, mut gap, mut overlap, mut highest) = (0.0_f32, 0.0_f64, 0.0_f32, 0.0_f32);
    let mut times = Vec::new();
    let mut last = 0.0_f32;
    for step in 0..steps {
        (scene.before)(&mut scene.world, step);
        let clock = Instant::now();
        scene.world.step(DT);
        times.push(clock.elapsed().as_secs_f64());
        last = 0.0;
        for body in scene.world.bodies() {
            fastest = fastest.max(body.velocity().norm());
            last = last.max(body.velocity().norm());
        }
        for joint in scene.world.joints() {
            let [a, b] = joint.anchors();
            gap = gap.max(((b.x - a.x).powi(2) + (b.y - a.y).powi(2)).sqrt());
        }
        for contact in scene.world.contacts() {
            for point in contact.points() {
                overlap = overlap.max(-point.separation);
            }
        }
        highest = highest.max(scene.world.body(scene.tracked).position().y - start.y);
    }
    let end = scene.world.body(scene.tracked).position();
    times.sort_by(f64::total_cmp);
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    println!(
        "{name:<24}{:>4} fast {fastest:>8.3} end {last:>9.2e} gap {:>9.3} pen {:>8.3} mm  rise {highest:>7.4} dy {:>9.5} dx {:>8.4}  us {:>7.0} median {:>7.0} slowest {:>8.0} islands {}",
        if newton { "on" } else { "off" },
        1e3 * gap,
        1e3 * overlap,
        end.y - start.y,
        end.x - start.x,
        1e6 * mean,
        1e6 * times[times.len() / 2],
        1e6 * times[times.len() - 1],
        scene.world.counters().newton_islands,
    );
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let only = wanted.iter().find_map(|word| match word.as_str() {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    });
    let names: Vec<&String> = wanted
        .iter()
        .filter(|word| *word != "on" && *word != "off")
        .collect();
    for (name, make) in scenes() {
        if !names.is_empty() && !names.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        for newton in [false, true] {
            if only.is_none_or(|only| only == newton) {
                measure(&name, newton, make(newton));
            }
        }
    }
}
