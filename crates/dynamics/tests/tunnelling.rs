//! Fast bodies do not pass through what stands in their way.

use cairn2d_dynamics::{BodyDef, ShapeDef, World, WorldDef};
use cairn2d_geometry::math::{Vec2, point};
use cairn2d_geometry::{Circle, Polygon, Segment, Shape};

fn thin_walls() -> Vec<Shape> {
    vec![
        Polygon::rectangle(0.01, 500.0).unwrap().into(),
        Segment::new(point(0.0, -500.0), point(0.0, 500.0))
            .unwrap()
            .into(),
    ]
}

fn missiles() -> Vec<Shape> {
    vec![
        Circle::new(point(0.0, 0.0), 0.1).unwrap().into(),
        Polygon::rectangle(0.1, 0.1).unwrap().into(),
        Polygon::rectangle(0.3, 0.02).unwrap().into(),
    ]
}

#[test]
fn nothing_passes_a_thin_static_wall() {
    for wall in thin_walls() {
        for missile in missiles() {
            for shot in 0..60 {
                let speed = 20.0 + 6.3 * shot as f32;
                let mut world = World::new(WorldDef::weightless());
                let fixed = world.create_body(BodyDef::fixed());
                world.create_shape(fixed, wall.clone(), ShapeDef::default());
                let start = -3.0 - 0.07 * shot as f32;
                let spin = 0.7 * shot as f32 - 20.0;
                let body = world.create_body(BodyDef {
                    velocity: Vec2::new(speed, 0.1 * shot as f32),
                    angular_velocity: spin,
                    ..BodyDef::dynamic().at(start, -1.0).turned(0.3 * shot as f32)
                });
                world.create_shape(body, missile.clone(), ShapeDef::default());
                for _ in 0..60 {
                    world.step(1.0 / 60.0);
                    let x = world.body(body).position().x;
                    assert!(
                        x < 0.0,
                        "{missile:?} at {speed} m/s passed {wall:?}: x = {x}"
                    );
                }
                world.validate();
            }
        }
    }
}
