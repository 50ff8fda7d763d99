//! Nets of joints under thousands of times the weight of a link stay in one piece.

use cairn2d_dynamics::{
    BodyDef, BodyId, Filter, JointFrame, RevoluteJointDef, ShapeDef, Switch, World, WorldDef,
};
use cairn2d_geometry::Circle;
use cairn2d_geometry::math::point;

/// Links along a side of the net.
const SIDE: usize = 100;

/// Pins a body at `anchor` and another at the opposite anchor together.
fn pin(world: &mut World, a: BodyId, b: BodyId, x: f32, y: f32) {
    let mut def = RevoluteJointDef::new(a, b);
    def.base.frame_a = JointFrame::at(x, y);
    def.base.frame_b = JointFrame::at(-x, -y);
    world.create_joint(def);
}

/// A square net that hangs on the seven links in the middle of its upper edge.
fn hanging_net() -> World {
    let mut world = World::new(WorldDef {
        sleeping: Switch::Off,
        ..WorldDef::default()
    });
    let apart = Filter {
        category: 2,
        mask: !2,
        group: 0,
    };
    let mut links: Vec<BodyId> = Vec::new();
    for column in 0..SIDE {
        for row in 0..SIDE {
            let held = row == 0 && column.abs_diff(SIDE / 2) <= 3;
            let def = if held {
                BodyDef::fixed()
            } else {
                BodyDef::dynamic()
            };
            let link = world.create_body(def.at(column as f32, -(row as f32)));
            let shape = ShapeDef {
                filter: apart,
                ..ShapeDef::default()
            };
            world.create_shape(link, Circle::new(point(0.0, 0.0), 0.4).unwrap(), shape);
            if row > 0 {
                pin(&mut world, links[column * SIDE + row - 1], link, 0.0, -0.5);
            }
            if column > 0 {
                pin(&mut world, links[(column - 1) * SIDE + row], link, 0.5, 0.0);
            }
            links.push(link);
        }
    }
    world
}

#[test]
fn links_that_flutter_under_a_large_load_are_not_torn_off() {
    // A link between two anchors under tension T swings at sqrt(2 T r / I), here up to 400 rad/s. The swing of the
    // arms, which grows with the square of the spin, drove it until it blew up after 93 steps.
    let mut world = hanging_net();
    for _ in 0..110 {
        world.step(1.0 / 60.0);
        assert!(world.body_freezes().is_empty());
    }
    let gap = |[a, b]: [cairn2d_geometry::math::WorldPoint; 2]| (b - a).norm();
    let widest = world
        .joints()
        .map(|joint| gap(joint.anchors()))
        .fold(0.0, f32::max);
    assert!(widest < 1.0, "widest gap {widest} m");
}
