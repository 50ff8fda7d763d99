//! Crowd scenes as plain data: positions and targets of the agents, and obstacles.
//!
//! Shared by tests, the quality table and the benches.

#![expect(
    unreachable_pub,
    reason = "taken in by path; each program uses its own part"
)]

pub mod run;
pub mod trips;
pub mod conduct;

use cairn2d_crowd::{AgentDef, ObstacleDef};
use cairn2d_geometry::math::{PI, WorldPoint, point, sin_cos, vec2};

/// A crowd to be created, and the goal of each agent.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Agents in order.
    pub agents: Vec<AgentDef>,
    /// Goal of each agent [m].
    pub goals: Vec<WorldPoint>,
    /// Obstacles.
    pub obstacles: Vec<ObstacleDef>,
    /// Distance from the goal that counts as arrival [m].
    pub reach: f32,
}

/// Repeatable random numbers: a 64-bit counter, mixed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns the next number in 0..1.
    pub fn unit(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Returns the next number in `low..high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }
}

/// The agent of the circle scenes.
fn circle_agent() -> AgentDef {
    AgentDef {
        radius: 1.5,
        max_speed: 2.0,
        neighbor_limit: 10,
        neighbor_range: 15.0 - 1.5,
        time_horizon: 10.0,
        obstacle_horizon: 10.0,
        ..AgentDef::default()
    }
}

impl Scene {
    fn empty(reach: f32) -> Self {
        Self {
            agents: Vec::new(),
            goals: Vec::new(),
            obstacles: Vec::new(),
            reach,
        }
    }

    fn walk(&mut self, def: AgentDef, from: (f32, f32), to: (f32, f32)) {
        self.agents.push(AgentDef {
            position: from.into(),
            ..def
        });
        self.goals.push(to.into());
    }
}

/// `count` agents on a circle of `radius` meters, each bound for the opposite side.
///
/// Positions of opposite agents are exactly opposite, so that even counts are exactly symmetric.
pub fn ring(count: usize, radius: f32) -> Scene {
    let mut scene = Scene::empty(1.5);
    for i in 0..count {
        let (sin, cos) = sin_cos(2.0 * PI * i as f32 / count as f32);
        let at = (radius * cos, radius * sin);
        scene.walk(circle_agent(), at, (-at.0, -at.1));
    }
    scene
}

/// The antipodal circle: 0.8 m of radius per agent.
pub fn circle(count: usize) -> Scene {
    ring(count, 0.8 * count as f32)
}

/// `count` agents (a multiple of 8) on a circle, exactly symmetric under all mirror images of a
/// square.
pub fn mirrored_circle(count: usize) -> Scene {
    let mut scene = Scene::empty(1.5);
    let radius = (0.8 * count as f32).max(10.0);
    for i in 0..count / 8 {
        let angle = 0.25 * PI * (i as f32 + 0.5) / (count / 8) as f32;
        let (sin, cos) = sin_cos(angle);
        let (x, y) = (radius * cos, radius * sin);
        let images = [
            (x, y),
            (y, x),
            (-y, x),
            (-x, y),
            (-x, -y),
            (-y, -x),
            (y, -x),
            (x, -y),
        ];
        for at in images {
            scene.walk(circle_agent(), at, (-at.0, -at.1));
        }
    }
    scene
}

/// Two agents 20 m apart that walk at each other in a direction [rad].
pub fn pair(direction: f32) -> Scene {
    let mut scene = Scene::empty(1.5);
    let (sin, cos) = sin_cos(direction);
    let at = (10.0 * cos, 10.0 * sin);
    scene.walk(circle_agent(), at, (-at.0, -at.1));
    scene.walk(circle_agent(), (-at.0, -at.1), at);
    scene
}

/// A person in a dense crowd.
fn person() -> AgentDef {
    AgentDef {
        radius: 0.5,
        max_speed: 2.0,
        neighbor_limit: 10,
        neighbor_range: 15.0,
        time_horizon: 5.0,
        obstacle_horizon: 5.0,
        ..AgentDef::default()
    }
}

/// Agents scattered over a square at `density` [1/m^2], each with another random place as its goal.
pub fn random(count: usize, density: f32, seed: u64) -> Scene {
    let mut scene = Scene::empty(0.5);
    let side = (count as f32 / density).sqrt();
    let mut random = Random(seed);
    let starts = strew(count, side, 1.0, &mut random);
    let goals = strew(count, side, 1.0, &mut random);
    for (from, to) in starts.into_iter().zip(goals) {
        scene.walk(person(), from, to);
    }
    scene
}

/// Scatters points over a square, no two nearer than `apart`, with a table of cells.
fn strew(count: usize, side: f32, apart: f32, random: &mut Random) -> Vec<(f32, f32)> {
    let cells = (side / apart).ceil().max(1.0) as usize;
    let mut table: Vec<Vec<(f32, f32)>> = vec![Vec::new(); cells * cells];
    let cell = |v: f32| ((v / apart) as usize).min(cells - 1);
    let mut points = Vec::with_capacity(count);
    while points.len() < count {
        let p = (random.between(0.0, side), random.between(0.0, side));
        let (cx, cy) = (cell(p.0), cell(p.1));
        let mut free = true;
        for y in cy.saturating_sub(1)..=(cy + 1).min(cells - 1) {
            for x in cx.saturating_sub(1)..=(cx + 1).min(cells - 1) {
                let near = |q: &(f32, f32)| vec2(p.0 - q.0, p.1 - q.1).norm() < apart;
                free &= !table[y * cells + x].iter().any(near);
            }
        }
        if free {
            table[cy * cells + cx].push(p);
            points.push(p);
        }
    }
    points
}

/// Four groups of `side` times `side` agents cross between four blocks to the opposite corner.
///
/// The seeds differ by random deviations of the starts below 0.1 mm.
pub fn blocks(side: usize, seed: u64) -> Scene {
    let mut scene = Scene::empty(20.0);
    add_blocks(&mut scene, side, (0.0, 0.0), &mut Random(seed));
    scene
}

/// `count` scenes of four blocks beside each other, 300 m apart.
pub fn tiles(count: usize, seed: u64) -> Scene {
    let mut scene = Scene::empty(20.0);
    let mut random = Random(seed);
    let columns = (count as f32).sqrt().ceil() as usize;
    for i in 0..count {
        let at = (300.0 * (i % columns) as f32, 300.0 * (i / columns) as f32);
        add_blocks(&mut scene, 5, at, &mut random);
    }
    scene
}

fn add_blocks(scene: &mut Scene, side: usize, (cx, cy): (f32, f32), random: &mut Random) {
    let def = AgentDef {
        radius: 2.0,
        neighbor_range: 15.0 - 2.0,
        ..person()
    };
    for i in 0..side * side {
        let (x, y) = (
            55.0 + 10.0 * (i % side) as f32,
            55.0 + 10.0 * (i / side) as f32,
        );
        for (sx, sy) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)] {
            let from = (
                cx + sx * x + 1e-4 * random.unit(),
                cy + sy * y + 1e-4 * random.unit(),
            );
            scene.walk(def, from, (cx - sx * 75.0, cy - sy * 75.0));
        }
    }
    for (x, y) in [(10.0, 10.0), (-40.0, 10.0), (-40.0, -40.0), (10.0, -40.0)] {
        let corners = [(0.0, 0.0), (30.0, 0.0), (30.0, 30.0), (0.0, 30.0)];
        let ring = corners.map(|(dx, dy)| point(cx + x + dx, cy + y + dy));
        scene.obstacles.push(ObstacleDef::ring(ring));
    }
}

/// Two agents that walk at each other, with a block squarely across their way: `half_width` meters to either
/// side, 1 m thick.
pub fn across(half_width: f32) -> Scene {
    let mut scene = Scene::empty(0.5);
    let def = AgentDef {
        radius: 0.3,
        ..AgentDef::default()
    };
    scene.walk(def, (-8.0, 0.0), (8.0, 0.0));
    scene.walk(def, (8.0, 0.0), (-8.0, 0.0));
    let (x, y) = (0.5, half_width);
    let corners = [point(-x, -y), point(x, -y), point(x, y), point(-x, y)];
    scene.obstacles.push(ObstacleDef::ring(corners));
    scene
}

/// Two streams of 50 in a corridor 4 m wide, head on.
pub fn corridor() -> Scene {
    let mut scene = Scene::empty(1.0);
    let mut random = Random(5);
    let def = AgentDef {
        radius: 0.25,
        neighbor_range: 8.0,
        time_horizon: 3.0,
        obstacle_horizon: 1.0,
        ..person()
    };
    for i in 0..50 {
        let x = 10.0 + 1.0 * (i / 4) as f32 + random.between(-0.1, 0.1);
        let y = -1.35 + 0.9 * (i % 4) as f32 + random.between(-0.1, 0.1);
        scene.walk(def, (x, y), (-30.0 + x - 10.0, y));
        scene.walk(def, (-x, -y), (30.0 - x + 10.0, -y));
    }
    for y in [-2.0, 2.0] {
        scene
            .obstacles
            .push(ObstacleDef::line([point(-60.0, y), point(60.0, y)]));
    }
    scene
}

/// Four streams of 50, each 4 m wide, that cross in the middle of a square.
pub fn crossing() -> Scene {
    let mut scene = Scene::empty(1.0);
    let mut random = Random(6);
    let def = AgentDef {
        radius: 0.25,
        neighbor_range: 8.0,
        time_horizon: 3.0,
        ..person()
    };
    for i in 0..50 {
        let along = 10.0 + 1.0 * (i / 4) as f32 + random.between(-0.1, 0.1);
        let across = -1.35 + 0.9 * (i % 4) as f32 + random.between(-0.1, 0.1);
        let end = -30.0 + along - 10.0;
        scene.walk(def, (along, across), (end, across));
        scene.walk(def, (-along, -across), (-end, -across));
        scene.walk(def, (across, -along), (across, -end));
        scene.walk(def, (-across, along), (-across, end));
    }
    scene
}

/// 196 agents in a room, 5 per square meter, each bound for the opposite place.
pub fn packed() -> Scene {
    let mut scene = Scene::empty(0.3);
    let mut random = Random(13);
    let def = AgentDef {
        radius: 0.2,
        neighbor_range: 8.0,
        time_horizon: 3.0,
        ..AgentDef::default()
    };
    for i in 0..196 {
        let x = 0.447 * ((i / 14) as f32 - 6.5) + random.between(-0.02, 0.02);
        let y = 0.447 * ((i % 14) as f32 - 6.5) + random.between(-0.02, 0.02);
        scene.walk(def, (x, y), (-x, -y));
    }
    let (low, high) = (-3.3, 3.3);
    let corners = [
        point(low, low),
        point(low, high),
        point(high, high),
        point(high, low),
    ];
    scene.obstacles.push(ObstacleDef::ring(corners));
    scene
}

/// Returns the velocity towards a goal: 1 m/s, slower within the last meter.
pub fn wish(from: WorldPoint, goal: WorldPoint) -> cairn2d_geometry::math::Vec2 {
    let way = goal - from;
    let length = way.norm();
    if length > 1.0 {
        way / length
    } else {
        vec2(way.x, way.y)
    }
}
