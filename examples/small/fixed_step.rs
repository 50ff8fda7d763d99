//! Fixed time steps under an uneven screen: positions drawn between two steps move evenly.

use cairn2d::prelude::*;

/// Lengths of frames [s]: of a screen that skips now and then.
const FRAMES: [f32; 6] = [0.007, 0.007, 0.013, 0.007, 0.021, 0.006];

/// The largest difference of the drawn speed from 6 m/s, with interpolation and without [m/s].
fn run() -> [f32; 2] {
    let mut world = World::new(WorldDef::weightless());
    let ball = world.create_body(BodyDef::dynamic().velocity(6.0, 0.0));
    world.create_shape(ball, Circle::of_radius(0.5), ShapeDef::default());
    let mut time = FixedTimestep::per_second(60.0);
    let (mut worst, mut last) = ([0.0_f32; 2], [0.0_f32; 2]);
    for frame in 0..300 {
        let elapsed = FRAMES[frame % FRAMES.len()];
        for _ in 0..time.take(elapsed) {
            // Input and forces belong here, once a step.
            world.step(time.step());
        }
        // Drawing belongs here: all bodies of the last step, interpolated.
        let smooth = world.placements(time.alpha()).next();
        let smooth = smooth.map_or(0.0, |placement| placement.position.x as f32);
        let drawn = [smooth, world.body(ball).position().x];
        for (i, x) in drawn.into_iter().enumerate() {
            let speed = (x - last[i]) / elapsed;
            if frame > 10 {
                worst[i] = worst[i].max((speed - 6.0).abs());
            }
            last[i] = x;
        }
    }
    worst
}

fn main() {
    let [smooth, raw] = run();
    println!(
        "drawn speed is off by {smooth:.3} m/s at most; by {raw:.1} m/s without interpolation"
    );
}

#[cfg(test)]
mod tests {
    #[test]
    fn interpolated_motion_is_even() {
        let [smooth, raw] = super::run();
        assert!(smooth < 0.01, "{smooth}");
        assert!(raw > 3.0, "{raw}");
    }
}
