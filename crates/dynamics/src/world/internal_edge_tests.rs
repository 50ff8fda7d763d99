//! Internal edges, tested through the world's own records.

use crate::{BodyDef, ShapeDef, World, WorldDef};
use cairn2d_geometry::math::{PI, point, sin_cos};
use cairn2d_geometry::{Circle, Segment};

const DT: f32 = 1.0 / 60.0;

#[test]
fn body_in_a_bowl_of_many_segments_is_looked_at_within_bounds() {
    const SEGMENTS: usize = 400;
    const RADIUS: f32 = 50.0;
    let mut world = World::new(WorldDef::weightless());
    let bowl = world.create_body(BodyDef::static_());
    let corner = |i: usize| {
        let (sin, cos) = sin_cos(PI + PI * i as f32 / SEGMENTS as f32);
        point(RADIUS * cos, RADIUS * sin)
    };
    for i in 0..SEGMENTS {
        let segment = Segment::new(corner(i), corner(i + 1));
        world.create_shape(bowl, segment, ShapeDef::default());
    }
    let ball = world.create_body(BodyDef::dynamic());
    let shape = Circle::new(point(0.0, 0.0), RADIUS);
    world.create_shape(ball, shape, ShapeDef::default());
    let before = crate::contact::internal_edges::tests::PAIRS.get();
    world.step(DT);
    let contacts = world.bodies.slots[ball.index()].static_touches as usize;
    assert!(contacts > 300, "{contacts}");
    let pairs = crate::contact::internal_edges::tests::PAIRS.get() - before;
    assert!(pairs > 0 && pairs <= 1 << 16, "{pairs}");
}
