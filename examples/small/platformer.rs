//! A character runs, jumps over a gap and rides a lift to the goal.

use cairn2d::prelude::*;

const DT: f32 = 1.0 / 60.0;
const RUN_SPEED: f32 = 5.0;
const JUMP_SPEED: f32 = 7.0;

/// Input of the player in a frame.
#[derive(Clone, Copy, Default)]
struct Input {
    right: f32,
    jumps: bool,
}

struct Player {
    body: BodyId,
    rise: f32,
    is_grounded: bool,
}

impl Player {
    fn new(world: &mut World) -> Self {
        let body = world.create_body(BodyDef::kinematic().position(0.0, 0.9));
        let trunk = Capsule::new(point(0.0, -0.4), point(0.0, 0.4), 0.3);
        world.create_shape(body, trunk, ShapeDef::default());
        Self {
            body,
            rise: 0.0,
            is_grounded: false,
        }
    }

    /// Moves the player for one step; call it before `World::step`.
    fn advance(&mut self, world: &mut World, input: Input) {
        let controller = CharacterController::default().steps(0.3, 0.2);
        if input.jumps && self.is_grounded {
            self.rise = JUMP_SPEED;
        }
        self.rise += world.gravity().y * DT;
        let desired = vec2(input.right * RUN_SPEED, self.rise) * DT;
        let walk = controller.move_body(world, self.body, desired, DT);
        self.is_grounded = walk.is_grounded();
        if self.is_grounded || (self.rise > 0.0 && walk.translation.y < 0.5 * desired.y) {
            self.rise = 0.0; // landed, or hit the ceiling
        }
        controller.push(world, &walk, 80.0, DT);
    }
}

fn level(world: &mut World) -> (BodyId, ShapeId) {
    let ground = world.create_body(BodyDef::static_());
    for (x, half) in [(0.0, 4.0), (12.0, 6.0)] {
        let block = Polygon::offset_rectangle(half, 0.5, point(x, -0.5), 0.0);
        world.create_shape(ground, block, ShapeDef::default());
    }
    let lift = world.create_body(BodyDef::kinematic().position(20.0, -0.1));
    let plate = Polygon::rectangle(2.0, 0.1);
    world.create_shape(lift, plate, ShapeDef::default());
    let goal = Polygon::offset_rectangle(0.5, 1.0, point(20.0, 6.0), 0.0);
    let goal = world.create_shape(ground, goal, ShapeDef::sensor());
    (lift, goal)
}

/// Plays until the player reaches the goal; returns the time [s], or `None` after 20 s.
fn play() -> Option<f32> {
    let mut world = World::default();
    let (lift, goal) = level(&mut world);
    let mut player = Player::new(&mut world);
    for frame in 0..1200 {
        let at = world.body(player.body).position();
        let input = Input {
            right: if at.x < 19.5 { 1.0 } else { 0.0 },
            jumps: (3.0..3.5).contains(&at.x),
        };
        let is_aboard = at.x > 19.0 && at.y < 6.0;
        let climb = if is_aboard { 1.5 } else { 0.0 };
        world.body_mut(lift).set_velocity(vec2(0.0, climb));
        player.advance(&mut world, input);
        world.step(DT);
        if world
            .sensor_begins()
            .iter()
            .any(|begin| begin.sensor == goal)
        {
            return Some(frame as f32 * DT);
        }
    }
    None
}

fn main() {
    match play() {
        Some(time) => println!("goal after {time:.1} s"),
        None => println!("the player got stuck"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn player_reaches_the_goal() {
        let time = super::play().unwrap();
        assert!((5.0..10.0).contains(&time), "{time}");
    }
}
