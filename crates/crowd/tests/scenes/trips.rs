//! Scenes of trips: agents that walk through gates to their places, or cannot.

use super::{Random, Scene};
use cairn2d_crowd::{AgentDef, ObstacleDef};
use cairn2d_geometry::math::{PI, Vec2, WorldPoint, cross, point, right_perp, sin_cos, vec2};

/// Part of a trip.
#[derive(Clone, Copy, Debug)]
pub enum Leg {
    /// A segment to cross, from its left to its right side.
    Gate([WorldPoint; 2]),
    /// A place to reach.
    Place(WorldPoint),
}

/// Distance from the ends of a gate, and behind it, at which agents aim [m]: a little more than a radius.
const GATE_MARGIN: f32 = 0.3;

impl Leg {
    /// Returns the point to walk to.
    pub fn aim(&self, from: WorldPoint) -> WorldPoint {
        match *self {
            Self::Place(place) => place,
            Self::Gate([a, b]) => {
                let (span, offset) = (b - a, from - a);
                let margin = GATE_MARGIN / span.norm();
                let fraction = offset.dot(&span) / span.norm_squared();
                a + span * fraction.clamp(margin, 1.0 - margin) + right_perp(&span) * margin
            }
        }
    }

    /// Returns whether an agent has completed the leg; `reach` is the distance from a place that counts [m].
    pub fn is_done(&self, at: WorldPoint, reach: f32) -> bool {
        match *self {
            Self::Place(place) => (place - at).norm() <= reach,
            Self::Gate([a, b]) => cross(&(b - a), &(at - a)) < 0.0,
        }
    }
}

/// A scene in which each agent completes legs, one after the other.
#[derive(Clone, Debug)]
pub struct Trips {
    /// Agents and obstacles; the goals are the last places.
    pub scene: Scene,
    /// Legs of each agent; the last one is a place.
    pub legs: Vec<Vec<Leg>>,
    /// Preferred speed [m/s].
    pub speed: f32,
}

/// A person that walks at 1.3 m/s.
fn person() -> AgentDef {
    AgentDef {
        radius: 0.25,
        neighbor_range: 8.0,
        ..AgentDef::default()
    }
}

impl Trips {
    fn new(reach: f32) -> Self {
        Self {
            scene: Scene::empty(reach),
            legs: Vec::new(),
            speed: 1.3,
        }
    }

    fn add(&mut self, from: (f32, f32), gates: &[Leg], to: (f32, f32)) {
        self.scene.walk(person(), from, to);
        let place = Leg::Place(to.into());
        self.legs
            .push(gates.iter().copied().chain([place]).collect());
    }

    fn wall(&mut self, points: &[(f32, f32)]) {
        let points: Vec<_> = points.iter().map(|&(x, y)| point(x, y)).collect();
        self.scene.obstacles.push(ObstacleDef::line(points));
    }

    fn block(&mut self, [left, bottom, right, top]: [f32; 4]) {
        let ring = [(left, bottom), (right, bottom), (right, top), (left, top)];
        let ring = ring.map(|(x, y)| point(x, y));
        self.scene.obstacles.push(ObstacleDef::ring(ring));
    }
}

fn gate(a: (f32, f32), b: (f32, f32)) -> Leg {
    Leg::Gate([a.into(), b.into()])
}

/// Thickness of walls with a door [m].
const WALL: f32 = 0.3;

/// Adds a room 12 m wide and high to the left of x = 0, and a wall with a door to its right.
fn add_room(trips: &mut Trips, door: f32) {
    trips.wall(&[(0.0, 6.0), (-12.0, 6.0), (-12.0, -6.0), (0.0, -6.0)]);
    trips.block([0.0, 0.5 * door, WALL, 6.0]);
    trips.block([0.0, -6.0, WALL, -0.5 * door]);
}

/// 300 agents leave a room through a door 1.2 m wide.
pub fn door(seed: u64) -> Trips {
    let mut trips = Trips::new(0.5);
    let (mut random, width) = (Random(seed), 1.2);
    let gates = [gate((WALL, -0.5 * width), (WALL, 0.5 * width))];
    for i in 0..300 {
        let (column, row) = ((i / 15) as f32, (i % 15) as f32);
        let x = -11.6 + 0.57 * column + random.between(-0.02, 0.02);
        let y = -5.39 + 0.77 * row + random.between(-0.1, 0.1);
        trips.add((x, y), &gates, (4.0 + column, row - 7.0));
    }
    add_room(&mut trips, width);
    trips
}

/// 200 agents walk through a door 1.2 m wide to the next room, and back.
pub fn there_and_back() -> Trips {
    let mut trips = Trips::new(0.5);
    let (mut random, width) = (Random(22), 1.2);
    let (low, high) = ((WALL, -0.5 * width), (WALL, 0.5 * width));
    let back = [(0.0, high.1), (0.0, low.1)];
    for i in 0..200 {
        let (column, row) = (0.75 * (i / 14) as f32, 0.8 * (i % 14) as f32 - 5.2);
        let x = column - 11.5 + random.between(-0.1, 0.1);
        let y = row + random.between(-0.1, 0.1);
        let there = Leg::Place(WorldPoint::new((column + 1.5).into(), row.into()));
        let legs = [gate(low, high), there, gate(back[0], back[1])];
        trips.add((x, y), &legs, (x, y));
    }
    add_room(&mut trips, width);
    trips.wall(&[(WALL, 6.0), (12.0, 6.0), (12.0, -6.0), (WALL, -6.0)]);
    trips
}

/// 20 against 20 in a corridor 1.5 m wide, two abreast.
pub fn narrow_corridor() -> Trips {
    let mut trips = Trips::new(0.5);
    let mut random = Random(23);
    for i in 0..20 {
        let x = 4.0 + (i / 2) as f32 + random.between(-0.1, 0.1);
        let y = -0.35 + 0.7 * (i % 2) as f32 + random.between(-0.1, 0.1);
        trips.add((-x, y), &[], (x, y));
        trips.add((x, -y), &[], (-x, -y));
    }
    trips.wall(&[(-30.0, 0.75), (30.0, 0.75)]);
    trips.wall(&[(-30.0, -0.75), (30.0, -0.75)]);
    trips
}

/// 25 agents leave a room through a spiral corridor 1.5 m wide.
pub fn spiral() -> Trips {
    let mut trips = Trips::new(0.5);
    let mut random = Random(24);
    let (a, w) = (4.5, 1.5);
    let corners = [
        (0.0, 0.0),
        (a, 0.0),
        (a, a),
        (-w, a),
        (-w, -w),
        (a + w, -w),
        (a + w, a + w),
        (-2.0 * w, a + w),
        (-2.0 * w, -2.0 * w),
        (a + 2.0 * w, -2.0 * w),
    ];
    trips.wall(&corners);
    let gates = [
        gate((-w, 0.0), (0.0, 0.0)),
        gate((a, -w), (a, 0.0)),
        gate((a + w, 0.0), (a, 0.0)),
        gate((a + w, a), (a, a)),
        gate((a, a + w), (a, a)),
        gate((-w, a + w), (-w, a)),
        gate((-2.0 * w, a), (-w, a)),
        gate((-w, -w), (-2.0 * w, -w)),
        gate((-w, -2.0 * w), (-w, -w)),
        gate((a + w, -2.0 * w), (a + w, -w)),
    ];
    for i in 0..25 {
        let x = 0.6 + 0.8 * (i / 5) as f32 + random.between(-0.1, 0.1);
        let y = 0.6 + 0.8 * (i % 5) as f32 + random.between(-0.1, 0.1);
        let to = (11.0 + (i / 5) as f32, -4.0 + (i % 5) as f32);
        trips.add((x, y), &gates, to);
    }
    trips
}

/// 20 agents whose straight way leads into a U-shaped wall 6 m wide and 4 m deep.
pub fn dead_end() -> Trips {
    let mut trips = Trips::new(0.5);
    for i in 0..20 {
        let (column, row) = ((i / 4) as f32, (i % 4) as f32);
        let y = 0.8 * row - 1.17;
        trips.add((-14.0 + 0.8 * column, y), &[], (6.0 + column, y));
    }
    trips.wall(&[(-4.0, 3.0), (0.0, 3.0), (0.0, -3.0), (-4.0, -3.0)]);
    trips
}

/// 24 agents around a block with their common goal in its middle.
pub fn goal_in_block() -> Trips {
    let mut trips = Trips::new(0.1);
    for i in 0..24 {
        let (sin, cos) = sin_cos(2.0 * PI * (i as f32 + 0.3) / 24.0);
        trips.add((6.0 * cos, 6.0 * sin), &[], (0.0, 0.0));
    }
    trips.block([-2.0, -2.0, 2.0, 2.0]);
    trips
}

/// One agent in a closed room 2 m wide and high whose goal is outside.
pub fn walled_in() -> Trips {
    let mut trips = Trips::new(0.1);
    trips.add((0.1, 0.2), &[], (50.0, 0.0));
    let ring = [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)];
    let ring = ring.map(|(x, y)| point(x, y));
    trips.scene.obstacles.push(ObstacleDef::ring(ring));
    trips
}

/// Two streams of 200 head on in a corridor 8 m wide, each agent to its own place.
pub fn streams() -> Trips {
    let mut trips = Trips::new(0.5);
    let mut random = Random(25);
    for i in 0..200 {
        let x = 8.0 + (i / 8) as f32 + random.between(-0.1, 0.1);
        let y = -3.15 + 0.9 * (i % 8) as f32 + random.between(-0.1, 0.1);
        trips.add((-x, y), &[], (x, y));
        trips.add((x, -y), &[], (-x, -y));
    }
    trips.wall(&[(-40.0, 4.0), (40.0, 4.0)]);
    trips.wall(&[(-40.0, -4.0), (40.0, -4.0)]);
    trips
}

/// Four streams of 50 in streets 4 m wide that cross.
pub fn crossroads() -> Trips {
    let (scene, speed) = (super::crossing(), 1.3);
    let legs = scene.goals.iter().map(|&goal| vec![Leg::Place(goal)]);
    let mut trips = Trips {
        legs: legs.collect(),
        scene: scene.clone(),
        speed,
    };
    for [left, bottom] in [[2.0, 2.0], [-22.0, 2.0], [2.0, -22.0], [-22.0, -22.0]] {
        trips.block([left, bottom, left + 20.0, bottom + 20.0]);
    }
    trips
}

/// 5 agents per square meter in a room, each bound for the opposite place.
pub fn packed_room() -> Trips {
    let scene = super::packed();
    let legs = scene.goals.iter().map(|&goal| vec![Leg::Place(goal)]);
    Trips {
        legs: legs.collect(),
        scene: scene.clone(),
        speed: 1.3,
    }
}

/// Returns the velocity towards a point: at `speed`, slower within the last meter.
pub fn velocity_to(aim: WorldPoint, from: WorldPoint, speed: f32, is_last: bool) -> Vec2 {
    let way = aim - from;
    let length = way.norm();
    if length <= 0.0 {
        return vec2(0.0, 0.0);
    }
    let speed = if is_last { speed.min(length) } else { speed };
    way * (speed / length)
}
