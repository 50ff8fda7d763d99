//! Bodies that a kinematic body squeezes, so that they cannot yield.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, ShapeDef, World};
use cairn2d_geometry::Polygon;
use cairn2d_geometry::math::point;

/// A shaft with `count` boxes of half-width `half`, and a plate above them that comes down at `speed` \[m/s\].
fn shaft(count: u32, half: f32, speed: f32) -> (World, Vec<BodyId>) {
    let mut world = world();
    let frame = world.create_body(BodyDef::static_());
    for part in [
        Polygon::offset_rectangle(3.0, 20.0, point(0.0, -20.0), 0.0),
        Polygon::offset_rectangle(0.5, 6.0, point(-2.5, 5.0), 0.0),
        Polygon::offset_rectangle(0.5, 6.0, point(2.5, 5.0), 0.0),
    ] {
        world.create_shape(frame, part, ShapeDef::default());
    }
    let boxes = (0..count)
        .map(|i| crate_at(&mut world, 0.0, half * (2 * i + 1) as f32, half))
        .collect();
    let plate = BodyDef::kinematic()
        .position(0.0, 2.0 * half * count as f32 + 0.6)
        .velocity(0.0, -speed);
    solid(&mut world, plate, rect(1.0, 0.3));
    (world, boxes)
}

#[test]
fn squeezed_boxes_are_not_shot_off() {
    // The converging solver shot them off at 140 to 4000 m/s, when it solved the squeeze, or when the sweeps were warm
    // started with the loads that it had piled up.
    for count in 2..6 {
        for half in [0.3, 0.4, 0.5, 0.6] {
            for plate_speed in [0.2, 0.5] {
                let (mut world, boxes) = shaft(count, half, plate_speed);
                let squeezed = 0.6 * half * count as f32;
                for _ in 0..(squeezed / plate_speed / DT) as usize {
                    step(&mut world);
                    for &body in &boxes {
                        let found = speed(&world, body);
                        assert!(
                            found < 4.0 * plate_speed + 1.0,
                            "{count} boxes of {half} m, plate at {plate_speed} m/s: {found} m/s"
                        );
                    }
                }
            }
        }
    }
}
