//! A figure that walks through a small course: a slope, stairs, crates, a ferry, a lift, and a ledge open from below.

use crate::kit::{
    circle, drop_in, hull, place, rectangle, rectangle_at, standing_capsule, thing, tinted,
    usual_world,
};
use crate::mark::{Mark, Tone};
use crate::scene::{Category, DT, Scene, Script, Stage, Steering};
use crate::view::Frame;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{BodyDef, BodyId, CharacterController, ShapeDef, World, WorldPoint, vec2};

const CATEGORY: Category = Category::Queries;

pub(crate) const SCENES: &[Scene] = &[Scene::new(
    CATEGORY,
    "platformer",
    "A character controller",
    Frame::new(-16.5, -2.5, 16.5, 9.0),
    platformer,
)
.about("The character walks over a slope and stairs, pushes crates and jumps over them, and rides a ferry and a lift to a one-way ledge. The path is red where it stands. Arrow keys take over in the testbed and on the web page.")
.steps(1150)];

/// Walking speed [m/s].
const SPEED: f32 = 3.0;

/// Speed at which it leaves the ground [m/s].
const JUMP: f32 = 7.0;

/// Mass with which it pushes, that of three crates [kg].
const MASS: f32 = 3.0;

/// Half the length of the figure's middle line, and its radius \[m\].
const TRUNK: (f32, f32) = (0.35, 0.3);

/// Distance at which a place counts as reached \[m\].
const NEAR: f32 = 0.1;

/// Share of its way within which a ferry counts as at an end.
const LANDED: f32 = 0.02;

/// A platform that moves back and forth.
#[derive(Clone, Debug)]
struct Ferry {
    body: BodyId,
    from: (f32, f32),
    to: (f32, f32),
    /// Time for the way there and back \[s\].
    period: f32,
}

impl Ferry {
    /// Fraction of the way there after `steps`.
    fn share(&self, steps: u64) -> f32 {
        let time = steps as f32 * DT;
        0.5 - 0.5 * sin_cos(2.0 * PI * time / self.period).1
    }

    /// Sends the platform to where it is to be after the coming step.
    fn go(&self, world: &mut World, step: u64) {
        let share = self.share(step + 1);
        let between = |a: f32, b: f32| a + share * (b - a);
        let (x, y) = (
            between(self.from.0, self.to.0),
            between(self.from.1, self.to.1),
        );
        world.body_mut(self.body).move_to((x, y), 0.0, DT);
    }
}

/// Task of the figure.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// To go to this x \[m\].
    Walk(f32),
    /// To wait until a ferry is where it starts.
    Await(usize),
    /// To go to the middle of a ferry.
    Board(usize),
    /// To stand until a ferry is where it goes.
    Ride(usize),
    /// To jump.
    Jump,
}

/// The figure, the ferry that it rides, and its last position.
#[derive(Clone, Debug)]
struct Hero {
    body: BodyId,
    controller: CharacterController<'static>,
    /// Speed upward [m/s].
    rise: f32,
    ferries: Vec<Ferry>,
    tasks: Vec<Task>,
    /// Keys that the user holds down, in place of the tasks.
    steering: Option<Steering>,
    is_grounded: bool,
    way: Vec<(WorldPoint, Tone)>,
}

impl Hero {
    /// Returns the desired speed to the right, of the user or the next task, and removes a finished task.
    fn run(&mut self, world: &World, step: u64) -> f32 {
        if let Some(steering) = self.steering {
            if steering.up && self.is_grounded {
                self.rise = JUMP;
            }
            return SPEED * steering.right;
        }
        let x = world.body(self.body).position().x;
        let share = |ferry: usize| self.ferries[ferry].share(step);
        let to = |target: f32| {
            let way = target - x;
            let is_there = way.abs() < NEAR;
            (is_there, (way / DT).clamp(-SPEED, SPEED))
        };
        let Some(&task) = self.tasks.first() else {
            return 0.0;
        };
        let (is_done, speed) = match task {
            Task::Walk(target) => to(target),
            Task::Await(ferry) => (share(ferry) < LANDED, 0.0),
            Task::Board(ferry) => to(world.body(self.ferries[ferry].body).position().x),
            Task::Ride(ferry) => (share(ferry) > 1.0 - LANDED, 0.0),
            Task::Jump => {
                self.rise = JUMP;
                (true, 0.0)
            }
        };
        if is_done {
            self.tasks.remove(0);
        }
        speed
    }
}

impl Script for Hero {
    fn before_step(&mut self, world: &mut World, step: u64) {
        for ferry in &self.ferries {
            ferry.go(world, step);
        }
        self.rise += world.gravity().y * DT;
        let speed = self.run(world, step);
        let wish = vec2(speed, self.rise) * DT;
        let walk = self.controller.move_body(world, self.body, wish, DT);
        self.controller.push(world, &walk, MASS, DT);
        self.is_grounded = walk.is_grounded();
        if self.is_grounded {
            self.rise = 0.0;
        }
        let tone = if self.is_grounded {
            Tone::Hit
        } else {
            Tone::Miss
        };
        let feet = vec2(0.0, -TRUNK.0 - TRUNK.1);
        let at = world.body(self.body).position_exact();
        self.way.push((at + feet, tone));
    }

    fn hero(&self) -> Option<BodyId> {
        Some(self.body)
    }

    fn steer(&mut self, steering: Steering) -> bool {
        self.steering = Some(steering);
        true
    }

    fn keys(&self) -> &'static str {
        "left and right walk, up jumps"
    }

    fn marks(&self, _world: &World) -> Vec<Mark> {
        let dot = |&(at, tone): &(WorldPoint, Tone)| Mark::Dot { at, tone };
        self.way.iter().step_by(6).map(dot).collect()
    }
}

/// Adds the ground with its slope, stairs, pit and ledge.
fn course(world: &mut World) {
    let ground = world.create_body(BodyDef::static_());
    let solid = ShapeDef::default();
    for (left, right, top) in [(-16.0, 0.0, 0.0), (0.0, 6.0, -2.0), (6.0, 16.0, 0.0)] {
        let (x, half) = (0.5 * (left + right), 0.5 * (right - left));
        let height = 0.5 * (top + 2.5);
        world.create_shape(
            ground,
            rectangle_at(half, height, x, top - height, 0.0),
            solid,
        );
    }
    let hill = hull(&[(-12.5, 0.0), (-9.5, 1.5), (-8.0, 1.5), (-8.0, 0.0)]);
    world.create_shape(ground, hill, solid);
    for i in 0..5 {
        let half = 0.125 * (5 - i) as f32;
        let x = -7.8 + 0.4 * i as f32;
        world.create_shape(ground, rectangle_at(0.2, half, x, half, 0.0), solid);
    }
    let open_below = solid.one_way(vec2(0.0, 1.0));
    world.create_shape(ground, rectangle_at(4.5, 0.1, 6.5, 5.4, 0.0), open_below);
    for side in [-1.0, 1.0] {
        world.create_shape(
            ground,
            rectangle_at(0.25, 2.0, 15.75 * side, 2.0, 0.0),
            solid,
        );
    }
}

/// Adds a platform of `half` its width whose top is at the given places.
fn ferry(world: &mut World, half: f32, from: (f32, f32), to: (f32, f32), period: f32) -> Ferry {
    let thick = 0.15;
    let (from, to) = ((from.0, from.1 - thick), (to.0, to.1 - thick));
    let def = BodyDef::kinematic().position(from.0, from.1);
    let body = place(world, def, rectangle(half, thick), ShapeDef::default());
    Ferry {
        body,
        from,
        to,
        period,
    }
}

fn platformer() -> Stage {
    let mut world = usual_world();
    course(&mut world);
    for i in 0..2_u64 {
        let def = tinted(thing(-4.6 + 0.9 * i as f32, 0.4), i);
        drop_in(&mut world, def, rectangle(0.4, 0.4));
    }
    drop_in(&mut world, tinted(thing(12.5, 0.5), 3), circle(0.5));
    let ferries = vec![
        ferry(&mut world, 1.0, (1.05, 0.0), (4.95, 0.0), 6.0),
        ferry(&mut world, 1.2, (9.0, 0.3), (9.0, 3.6), 5.0),
    ];
    let body = place(
        &mut world,
        BodyDef::kinematic().position(-15.0, 0.66),
        standing_capsule(TRUNK.0, TRUNK.1),
        ShapeDef::default(),
    );
    Stage::new(world).with(Hero {
        body,
        controller: CharacterController::default().steps(0.3, 0.2),
        rise: 0.0,
        ferries,
        tasks: vec![
            // Pushes the crates, and jumps over them: pushed on, they would be crushed between the character and the ferry.
            Task::Walk(-4.2),
            Task::Jump,
            Task::Walk(-0.45),
            Task::Await(0),
            Task::Board(0),
            Task::Ride(0),
            Task::Walk(7.4),
            Task::Await(1),
            Task::Board(1),
            Task::Ride(1),
            Task::Jump,
            Task::Walk(3.0),
        ],
        steering: None,
        is_grounded: false,
        way: Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_walks_and_jumps_instead_of_the_tasks() {
        let mut stage = platformer();
        let hero = stage.world.bodies().last().unwrap().id();
        let place = |stage: &Stage| stage.world.body(hero).position();
        let mut hold = |right: f32, up: bool| {
            let steering = Steering {
                right,
                up,
                down: false,
            };
            assert!(stage.steer(steering));
            let before = place(&stage);
            let mut top = before.y;
            for _ in 0..30 {
                stage.step();
                top = top.max(place(&stage).y);
            }
            (place(&stage).x - before.x, top - before.y)
        };
        hold(0.0, false);
        let (aside, _) = hold(0.0, false);
        assert!(aside.abs() < 1.0e-3, "stands: {aside}");
        let (aside, up) = hold(0.5, false);
        assert!(
            (aside - 0.25 * SPEED).abs() < 0.02 && up < 0.05,
            "{aside} {up}"
        );
        let (_, up) = hold(0.0, true);
        assert!(up > 1.5, "jumps: {up}");
    }
}
