//! Many worlds on several threads: cart-poles with different controllers, as in a search for the best one.

use cairn2d::prelude::*;
use std::thread;

const DT: f32 = 1.0 / 60.0;
const STEPS: usize = 600;

/// Balances a pole on a cart with these gains; returns the number of steps until it falls.
fn balance([push_angle, push_spin, push_place]: [f32; 3]) -> usize {
    let mut world = World::default();
    let rail = world.create_body(BodyDef::static_());
    let cart = world.create_body(BodyDef::dynamic());
    world.create_shape(cart, Polygon::rectangle(0.4, 0.2), ShapeDef::default());
    world.create_joint(PrismaticJointDef::new(rail, cart));
    let pole = world.create_body(BodyDef::dynamic().angle(0.05));
    let rod = Capsule::new(point(0.0, 0.0), point(0.0, 1.5), 0.05);
    world.create_shape(pole, rod, ShapeDef::default());
    world.create_joint(RevoluteJointDef::new(cart, pole));
    for step in 0..STEPS {
        let (angle, spin) = (
            world.body(pole).angle(),
            world.body(pole).angular_velocity(),
        );
        let (x, speed) = (world.body(cart).position().x, world.body(cart).velocity().x);
        if angle.abs() > 0.5 || x.abs() > 3.0 {
            return step;
        }
        // A pole that leans to the left has a positive angle: the cart must go left.
        let push = -push_angle * angle - push_spin * spin + push_place * (x + speed);
        world
            .body_mut(cart)
            .apply_force(vec2(push.clamp(-20.0, 20.0), 0.0));
        world.step(DT);
    }
    STEPS
}

/// Tries all gains on `threads` threads; each has worlds of its own. Results are in the order of the gains.
fn search(gains: &[[f32; 3]], threads: usize) -> Vec<usize> {
    let share = gains.len().div_ceil(threads);
    thread::scope(|scope| {
        let parts: Vec<_> = gains
            .chunks(share)
            .map(|part| scope.spawn(move || part.iter().map(|&gain| balance(gain)).collect()))
            .collect();
        let results = parts.into_iter().map(|part| part.join().expect("no panic"));
        results.collect::<Vec<Vec<usize>>>().concat()
    })
}

fn gains() -> Vec<[f32; 3]> {
    let mut all = Vec::new();
    for angle in [0.0, 15.0, 30.0, 60.0] {
        for spin in [0.0, 4.0, 8.0] {
            for place in [0.0, 1.0] {
                all.push([angle, spin, place]);
            }
        }
    }
    all
}

fn main() {
    let gains = gains();
    let results = search(&gains, 4);
    for (gain, steps) in gains.iter().zip(&results) {
        println!("{gain:?}: {steps} steps");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_change_no_result_and_some_gains_balance() {
        let results = search(&gains(), 4);
        assert_eq!(results, search(&gains(), 1));
        assert!(results.contains(&STEPS));
        assert!(results[0] < STEPS / 2, "the pole falls without a push");
    }
}
