//! Looks along a ray: the nearest shape, then all of them.

use cairn2d::prelude::*;

fn main() {
    let mut world = World::new(WorldDef::default());
    for x in [3.0, 6.0, 9.0] {
        let body = world.create_body(BodyDef::static_().position(x, 0.0));
        world.create_shape(body, Polygon::rectangle(0.5, 2.0), ShapeDef::default());
    }
    // Queries find new shapes, without a step in between.
    let along = vec2(12.0, 1.0);
    let filter = QueryFilter::default();
    if let Some(hit) = world.ray_cast((0.0, 0.0), along, filter) {
        println!(
            "nearest at x = {:.2} m, normal {:?}",
            hit.point.x, hit.normal
        );
    }
    for hit in world.ray_cast_all((0.0, 0.0), along, filter) {
        println!(
            "{:?} at {:.0} % of the way",
            hit.shape,
            100.0 * hit.fraction
        );
    }
}
