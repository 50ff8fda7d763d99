//! A recorded run is looked at again from any step, in any order.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, QueryFilter, ShapeDef, World};
use cairn2d_geometry::math::vec2;

/// Steps from keyframe to keyframe.
const KEY: usize = 30;

/// Actions of a player before a step.
#[derive(Clone, Copy)]
enum Input {
    Nothing,
    Kick(f32),
    Throw(f32),
    Blast,
}

/// A pile, a door that swings, and a sensor; and queries of them.
struct Game {
    world: World,
    ball: BodyId,
}

impl Game {
    fn new() -> Self {
        let mut world = world();
        ground(&mut world);
        for x in [0.0, 3.0] {
            column(&mut world, x, 4);
        }
        let ball = ball_at(&mut world, -4.0, 0.5, 0.5);
        add(
            &mut world,
            BodyDef::static_().position(1.5, 2.0),
            rect(1.0, 2.0),
            ShapeDef::sensor(),
        );
        Self { world, ball }
    }

    /// One step; a game would act on its result.
    fn step(&mut self, input: Input) {
        match input {
            Input::Nothing => {}
            Input::Kick(speed) => {
                let mass = self.world.body(self.ball).mass();
                let mut ball = self.world.body_mut(self.ball);
                ball.apply_impulse(vec2(mass * speed, 0.0));
            }
            Input::Throw(x) => {
                crate_at(&mut self.world, x, 8.0, 0.3);
            }
            // The result of a query decides the next action.
            Input::Blast => {
                let ray = vec2(20.0, 0.0);
                let hit = self
                    .world
                    .ray_cast((-6.0, 1.5), ray, QueryFilter::default());
                if let Some(hit) = hit {
                    let body = self.world.shape(hit.shape).body();
                    self.world.destroy_body(body);
                }
            }
        }
        self.world.step(DT);
    }

    fn seen(&self) -> (u64, Vec<u64>) {
        let begins = self.world.contact_begins().iter();
        let mut ids: Vec<u64> = begins.map(|begin| begin.contact.to_bits()).collect();
        let sensed = self.world.sensor_begins().iter();
        ids.extend(sensed.map(|begin| begin.visitor.to_bits()));
        (self.world.state_hash(), ids)
    }
}

fn input_of(step: usize) -> Input {
    match step {
        20 => Input::Kick(9.0),
        70 | 130 => Input::Blast,
        step if step % 25 == 24 => Input::Throw(0.1 * step as f32 - 5.0),
        _ => Input::Nothing,
    }
}

#[test]
fn any_step_is_found_again_in_any_order() {
    let mut game = Game::new();
    let mut keyframes = Vec::new();
    let mut seen = Vec::new();
    for i in 0..200 {
        if i % KEY == 0 {
            keyframes.push(game.world.clone());
        }
        game.step(input_of(i));
        seen.push(game.seen());
    }
    let ball = game.ball;
    let look = |step: usize| {
        let world = keyframes[step / KEY].clone();
        let mut game = Game { world, ball };
        for i in step / KEY * KEY..=step {
            game.step(input_of(i));
        }
        game
    };
    let mut random = Random::new(3);
    for _ in 0..40 {
        let step = random.range(0.0, 200.0) as usize;
        assert!(look(step).seen() == seen[step], "step {step}");
    }
    // From where one looks, the run goes on as it went.
    let mut game = look(61);
    for (i, expected) in seen.iter().enumerate().skip(62) {
        game.step(input_of(i));
        assert!(game.seen() == *expected, "step {i} after step 61");
    }
    game.world.assert_consistent();
}
