//! Walkers at links of their ways: a stream that they jump, and a door that has to be opened for them.

use crate::kit::{circle, place, rectangle, tinted};
use crate::mark::Mark;
use crate::scene::{Category, DT, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::crowd::{AgentId, Crowd};
use cairn2d::prelude::{
    BodyDef, BodyId, ControllerEventKind, CrowdBodyDef, CrowdController, Route, ShapeDef, World,
    WorldDef, WorldPoint, vec2,
};

pub(crate) const SCENES: &[Scene] = &[Scene::new(
    Category::Crowd,
    "crowd_links",
    "A jump and a door",
    Frame::new(-11.0, -4.0, 15.0, 4.0),
    links,
)
.about("Walkers stop at a stream, jump over it one by one, and wait at a door until it opens.")
.steps(1800)];

/// Kinds of links.
const JUMP: u32 = 1;
const DOOR: u32 = 2;

/// Speed of a jump, and of the door [m/s].
const JUMP_SPEED: f32 = 4.0;
const DOOR_SPEED: f32 = 0.8;

/// Half the width of the stream, and of the door [m].
const HALF_STREAM: f32 = 1.0;
const HALF_DOOR: f32 = 0.8;

/// Place of the door along the hall [m].
const DOOR_PLACE: f32 = 7.0;

#[derive(Clone)]
struct Crossing {
    controller: CrowdController,
    door: BodyId,
    jumping: Vec<AgentId>,
    waiting: Vec<AgentId>,
}

impl Script for Crossing {
    fn before_step(&mut self, world: &mut World, _step: u64) {
        self.controller.update(world, DT);
        for event in self.controller.events().to_vec() {
            match event.kind {
                ControllerEventKind::AtLink { kind: JUMP } => {
                    self.controller.suspend(event.agent);
                    self.jumping.push(event.agent);
                }
                ControllerEventKind::AtLink { .. } => self.waiting.push(event.agent),
                _ => {}
            }
        }
        self.jump(world);
        self.open(world);
    }

    fn walkers(&self) -> Option<&Crowd> {
        Some(self.controller.crowd())
    }

    fn marks(&self, _world: &World) -> Vec<Mark> {
        let at = WorldPoint::new(7.4, 3.5);
        let text = format!("{} at the door", self.waiting.len());
        vec![Mark::Text { at, text }]
    }
}

impl Crossing {
    /// Moves the agents that jump, and ends the jumps of agents on the other side.
    fn jump(&mut self, world: &mut World) {
        let controller = &mut self.controller;
        self.jumping.retain(|&agent| {
            let Some(body) = controller.body_of(agent) else {
                return false;
            };
            world.body_mut(body).set_velocity(vec2(JUMP_SPEED, 0.0));
            let is_over = world.body(body).position().x > 1.5 * HALF_STREAM;
            if is_over {
                controller.resume(agent);
            }
            !is_over
        });
    }

    /// Opens the door as soon as an agent waits, and lets the waiting agents through.
    fn open(&mut self, world: &mut World) {
        let is_open = world.body(self.door).position().y >= 2.0 * HALF_DOOR;
        let speed = match self.waiting.is_empty() {
            false if !is_open => DOOR_SPEED,
            _ => 0.0,
        };
        world.body_mut(self.door).set_velocity(vec2(0.0, speed));
        if is_open {
            for agent in self.waiting.drain(..) {
                self.controller.cross_on_foot(agent);
            }
        }
    }
}

fn wall(world: &mut World, left: f32, bottom: f32, right: f32, top: f32) {
    let body = BodyDef::static_().position(0.5 * (left + right), 0.5 * (bottom + top));
    let shape = rectangle(0.5 * (right - left), 0.5 * (top - bottom));
    place(world, body, shape, ShapeDef::default());
}

fn links() -> Stage {
    let mut world = World::new(WorldDef::weightless());
    wall(&mut world, -10.0, 3.0, 14.5, 3.4);
    wall(&mut world, -10.0, -3.4, 14.5, -3.0);
    wall(
        &mut world,
        DOOR_PLACE - 0.2,
        HALF_DOOR,
        DOOR_PLACE + 0.2,
        3.0,
    );
    wall(
        &mut world,
        DOOR_PLACE - 0.2,
        -3.0,
        DOOR_PLACE + 0.2,
        -HALF_DOOR,
    );
    // Nobody touches the stream; a walker would not see it either.
    let stream = rectangle(HALF_STREAM, 3.0);
    place(&mut world, BodyDef::static_(), stream, ShapeDef::sensor());
    let door = BodyDef::kinematic().position(DOOR_PLACE, 0.0);
    let door = place(
        &mut world,
        tinted(door, 2),
        rectangle(0.1, HALF_DOOR),
        ShapeDef::default(),
    );
    let mut controller = CrowdController::default();
    for i in 0u8..12 {
        let (column, row) = (f32::from(i / 3), f32::from(i % 3));
        let y = 1.4 * (row - 1.0);
        let body = BodyDef::dynamic().position(-5.0 - 1.3 * column, y);
        let body = place(
            &mut world,
            tinted(body, (i % 3).into()),
            circle(0.3),
            ShapeDef::default(),
        );
        let agent = controller.attach(&world, body, &CrowdBodyDef::around(&world, body));
        let way = [
            (-1.6 * HALF_STREAM, y),
            (1.6 * HALF_STREAM, y),
            (DOOR_PLACE - 1.2, 0.4 * y),
            (DOOR_PLACE + 1.2, 0.4 * y),
            (13.5 - 1.2 * column, 1.3 * y),
        ];
        let route = Route::through(way).link(0, JUMP).link(2, DOOR);
        // Behind others it is near enough to wait at the door.
        controller.follow(
            agent,
            Route {
                arrival_radius: 0.5,
                ..route
            },
        );
    }
    Stage::new(world).with(Crossing {
        controller,
        door,
        jumping: Vec::new(),
        waiting: Vec::new(),
    })
}
