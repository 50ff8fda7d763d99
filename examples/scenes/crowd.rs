//! Crowds of agents that walk in bodies, seen from above.

use crate::kit::{circle, place, rectangle, rectangle_at, tinted};
use crate::mark::Mark;
use crate::random::Random;
use crate::roadmap::Roadmap;
use crate::scene::{Category, DT, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::crowd::{AgentId, Crowd};
use cairn2d::geometry::math::{PI, rotation};
use cairn2d::prelude::{
    BodyDef, CrowdBodyDef, CrowdController, Polygon, Route, ShapeDef, Vec2, World, WorldDef,
    WorldPoint, vec2,
};

const CATEGORY: Category = Category::Crowd;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "crowd_circle",
        "Across the circle",
        Frame::new(-31.0, -31.0, 31.0, 31.0),
        circle_of_250,
    )
    .about("250 walkers exchange places with those opposite: exactly symmetric, without noise, and none gets stuck.")
    .steps(3000),
    Scene::new(
        CATEGORY,
        "crowd_blocks",
        "Four streams at a crossing",
        Frame::new(-20.0, -16.0, 20.0, 16.0),
        crossing,
    )
    .about("A hundred and twenty walkers from four streets cross between the corners of four houses.")
    .steps(3000),
    Scene::new(
        CATEGORY,
        "crowd_corridor",
        "Two streams in a corridor",
        Frame::new(-24.0, -5.0, 24.0, 5.0),
        corridor,
    )
    .about("Two streams meet head on in a corridor and form lanes.")
    .steps(2700),
    Scene::new(
        CATEGORY,
        "crowd_doorway",
        "Out through the door",
        Frame::new(-8.0, -7.0, 20.0, 7.0),
        doorway,
    )
    .about("Sixty walkers leave a room through a door of 1.4 m.")
    .steps(2700),
    Scene::new(
        CATEGORY,
        "crowd_boxes",
        "Through a field of boxes",
        Frame::new(-16.0, -8.0, 18.0, 8.0),
        boxes,
    )
    .about("Walkers push light boxes aside and walk around heavy ones (dark, with an inner square).")
    .steps(1500)
    // A box may be pushed out to the right.
    .with_exits(),
    Scene::new(
        CATEGORY,
        "crowd_roadmap",
        "A roadmap",
        Frame::new(-16.0, -9.0, 16.0, 9.0),
        roadmap,
    )
    .about("A user's path finder, a roadmap of dots, leads each walker around walls and pillars.")
    .steps(2700),
];

/// Radius of a walker \[m\].
const RADIUS: f32 = 0.3;

/// Walkers, and their marks.
#[derive(Clone)]
struct Walking {
    controller: CrowdController,
    roadmap: Roadmap,
    /// Place of the number of walkers that have arrived.
    tally: Option<WorldPoint>,
}

impl Script for Walking {
    fn before_step(&mut self, world: &mut World, _step: u64) {
        self.controller.update_with(world, DT, &mut self.roadmap);
    }

    fn walkers(&self) -> Option<&Crowd> {
        Some(self.controller.crowd())
    }

    fn marks(&self, _world: &World) -> Vec<Mark> {
        let mut marks = self.roadmap.marks();
        if let Some(at) = self.tally {
            let crowd = self.controller.crowd();
            let all = crowd.agent_count();
            let there = crowd.agents().filter(|agent| agent.has_arrived()).count();
            let text = format!("{there} of {all} there");
            marks.push(Mark::Text { at, text });
        }
        marks
    }
}

/// A world seen from above with walkers in it.
struct Plaza {
    world: World,
    controller: CrowdController,
}

impl Plaza {
    fn new() -> Self {
        Self {
            world: World::new(WorldDef::weightless()),
            controller: CrowdController::default(),
        }
    }

    /// Adds an upright static rectangle from (`left`, `bottom`) to (`right`, `top`).
    fn house(&mut self, left: f32, bottom: f32, right: f32, top: f32) {
        let half = [0.5 * (right - left), 0.5 * (top - bottom)];
        let body = BodyDef::static_().position(0.5 * (left + right), 0.5 * (bottom + top));
        place(
            &mut self.world,
            body,
            rectangle(half[0], half[1]),
            ShapeDef::default(),
        );
    }

    /// Adds a walker at `start` with the direction of x turned by `angle`, and sends it on `route`.
    fn walker(&mut self, start: Vec2, angle: f32, tint: u64, route: Route) -> AgentId {
        let body = tinted(
            BodyDef::dynamic().position(start.x, start.y).angle(angle),
            tint,
        );
        let body = place(&mut self.world, body, circle(RADIUS), ShapeDef::default());
        let def = CrowdBodyDef::around(&self.world, body);
        let agent = self.controller.attach(&self.world, body, &def);
        self.controller.follow(agent, route);
        agent
    }

    fn open(self, tally: Option<(f32, f32)>) -> Stage {
        self.open_with(Roadmap::default(), tally)
    }

    fn open_with(self, roadmap: Roadmap, tally: Option<(f32, f32)>) -> Stage {
        Stage::new(self.world).with(Walking {
            controller: self.controller,
            roadmap,
            tally: tally.map(WorldPoint::from),
        })
    }
}

fn circle_of_250() -> Stage {
    const COUNT: u32 = 250;
    const CIRCLE: f32 = 29.0;
    let mut plaza = Plaza::new();
    for i in 0..COUNT {
        let angle = 2.0 * PI * i as f32 / COUNT as f32;
        let start = rotation(angle) * vec2(CIRCLE, 0.0);
        let tint = u64::from(6 * i / COUNT);
        let route = Route::through([WorldPoint::from(-start)]).speed(1.8);
        plaza.walker(start, angle - PI, tint, route);
    }
    plaza.open(None)
}

/// Half the width of the streets \[m\].
const HALF_STREET: f32 = 3.0;

fn crossing() -> Stage {
    let mut plaza = Plaza::new();
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        let [near, far_x, far_y] = [HALF_STREET, 20.0, 16.0];
        let (left, right) = if x < 0.0 {
            (-far_x, -near)
        } else {
            (near, far_x)
        };
        let (bottom, top) = if y < 0.0 {
            (-far_y, -near)
        } else {
            (near, far_y)
        };
        plaza.house(left, bottom, right, top);
    }
    for street in 0u8..4 {
        let turn = rotation(0.5 * PI * f32::from(street));
        // The streets up and down are shorter.
        let first = if street % 2 == 0 { 10.5 } else { 6.5 };
        for i in 0u8..30 {
            let (row, column) = (f32::from(i % 5), f32::from(i / 5));
            let [x, y] = [-first - 1.5 * column, 0.95 * (row - 2.0)];
            let start = turn * vec2(x, y);
            let goal = turn * vec2(-x, y);
            let route = Route::to(WorldPoint::from(goal));
            plaza.walker(start, 0.5 * PI * f32::from(street), street.into(), route);
        }
    }
    // For agents that are carried off into another street.
    let roadmap = Roadmap::grid(&plaza.world, (-18.0, -14.0), (18.0, 14.0), 2.0, RADIUS);
    plaza.open_with(roadmap, Some((11.5, 9.0)))
}

fn corridor() -> Stage {
    let mut plaza = Plaza::new();
    plaza.house(-24.0, 2.5, 24.0, 3.5);
    plaza.house(-24.0, -3.5, 24.0, -2.5);
    let mut random = Random::new(5);
    for (side, tint) in [(-1.0, 0), (1.0, 1)] {
        for i in 0u8..50 {
            let (row, column) = (f32::from(i % 5), f32::from(i / 5));
            let x = side * (5.0 + 1.6 * column + random.range(-0.3, 0.3));
            let y = 0.9 * (row - 2.0) + random.range(-0.1, 0.1);
            // To the mirror image of the place, so that all have one to stand on.
            let route = Route::through([(-x, y)]);
            plaza.walker(vec2(x, y), if side < 0.0 { 0.0 } else { PI }, tint, route);
        }
    }
    plaza.open(Some((0.0, 4.1)))
}

fn doorway() -> Stage {
    const HALF_DOOR: f32 = 0.7;
    let mut plaza = Plaza::new();
    plaza.house(-7.0, 6.0, 7.0, 6.5);
    plaza.house(-7.0, -6.5, 7.0, -6.0);
    plaza.house(-7.5, -6.5, -7.0, 6.5);
    plaza.house(7.0, HALF_DOOR, 7.5, 6.5);
    plaza.house(7.0, -6.5, 7.5, -HALF_DOOR);
    for i in 0u8..60 {
        let (column, row) = (f32::from(i % 10), f32::from(i / 10));
        let start = vec2(-6.2 + 1.1 * column, 1.8 * (row - 2.5));
        // A place outside for each, in three rows one behind the other.
        let goal = (
            15.0 - 1.5 * f32::from(i % 3),
            0.62 * (f32::from(i / 3) - 9.5),
        );
        let route = Route::through([(6.0, 0.0), (8.5, 0.0), goal]);
        let agent = plaza.walker(start, 0.0, u64::from(i / 10), route);
        // Blocked agents turn to their own side of the door, not all to the right.
        let mut agent = plaza.controller.crowd_mut().agent_mut(agent);
        let mut def = agent.as_ref().def();
        def.bias = if row < 2.5 { -def.bias } else { def.bias };
        agent.set_def(def);
    }
    plaza.open(Some((0.0, 6.6)))
}

fn boxes() -> Stage {
    let mut plaza = Plaza::new();
    plaza.house(-16.0, 7.0, 18.0, 7.5);
    plaza.house(-16.0, -7.5, 18.0, -7.0);
    let mut random = Random::new(11);
    for column in 0u8..6 {
        for row in 0u8..6 {
            let heavy = (column + 2 * row) % 5 == 0;
            let x = 2.2 * (f32::from(column) - 2.5) + random.range(-0.3, 0.3);
            let y = 2.2 * (f32::from(row) - 2.5) + random.range(-0.3, 0.3);
            let half = random.range(0.3, 0.45);
            let body = BodyDef {
                linear_damping: 2.0,
                angular_damping: 2.0,
                ..BodyDef::dynamic()
                    .position(x, y)
                    .angle(random.range(0.0, PI))
            };
            let density = if heavy { 20.0 } else { random.range(0.2, 0.5) };
            let material = ShapeDef::default().density(density).friction(0.3);
            let tint = if heavy { 5 } else { 1 };
            let body = place(
                &mut plaza.world,
                tinted(body, tint),
                rectangle(half, half),
                material,
            );
            if heavy {
                let inner = rectangle_at(0.5 * half, 0.5 * half, 0.0, 0.0, 0.0);
                plaza.world.create_shape(
                    body,
                    inner,
                    ShapeDef {
                        density: 0.0,
                        ..material
                    },
                );
            }
        }
    }
    for i in 0u8..40 {
        let (row, column) = (f32::from(i % 10), f32::from(i / 10));
        let [x, y] = [-15.2 + 1.4 * column, 1.3 * (row - 4.5)];
        plaza.walker(vec2(x, y), 0.0, 0, Route::through([(x + 26.0, y)]));
    }
    plaza.open(None)
}

fn roadmap() -> Stage {
    let mut plaza = Plaza::new();
    plaza.house(-16.0, 8.5, 16.0, 9.0);
    plaza.house(-16.0, -9.0, 16.0, -8.5);
    // Three long walls with gaps at different heights, a few pillars, and a slanted block.
    plaza.house(-7.0, -8.5, -6.4, 3.0);
    plaza.house(-0.3, -2.5, 0.3, 8.5);
    plaza.house(6.4, -8.5, 7.0, -1.5);
    plaza.house(6.4, 1.5, 7.0, 8.5);
    for (x, y, radius) in [
        (-3.4, 5.0, 1.0),
        (-3.4, -1.0, 1.4),
        (3.4, 3.5, 1.2),
        (3.8, -6.5, 0.9),
    ] {
        place(
            &mut plaza.world,
            BodyDef::static_().position(x, y),
            circle(radius),
            ShapeDef::default(),
        );
    }
    let slanted = Polygon::rounded_rectangle(1.1, 0.3, 0.2);
    place(
        &mut plaza.world,
        BodyDef::static_().position(-3.2, -5.4).angle(0.6),
        slanted,
        ShapeDef::default(),
    );
    let roadmap = Roadmap::grid(&plaza.world, (-15.0, -7.5), (15.0, 7.5), 2.0, RADIUS);
    for i in 0u8..40 {
        let side = if i % 2 == 0 { -1.0 } else { 1.0 };
        let (row, column) = (f32::from(i / 2 % 8), f32::from(i / 16));
        let [x, y] = [side * (9.0 + 1.8 * column), 1.8 * (row - 3.5)];
        let tint = if side < 0.0 { 0 } else { 1 };
        plaza.walker(
            vec2(x, y),
            if side < 0.0 { 0.0 } else { PI },
            tint,
            Route::to((-x, -y)),
        );
    }
    plaza.open_with(roadmap.shown(), Some((0.0, 8.55)))
}
