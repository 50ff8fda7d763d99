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

#[test]
fn net_that_hangs_by_every_fourth_knot_stays_calm() {
    // Left alone such a net must lose its swing: joints that pump energy show in hundreds of metres a second.
    const KNOTS: usize = 50;
    let mut world = World::new(WorldDef {
        sleeping: Switch::Off,
        ..WorldDef::default()
    });
    let mut knots: Vec<BodyId> = Vec::new();
    for column in 0..KNOTS {
        for row in 0..KNOTS {
            let held = row == 0 && column % 4 == 0;
            let def = match held {
                true => BodyDef::fixed(),
                false => BodyDef::dynamic(),
            };
            let knot = world.create_body(def.at(column as f32, -(row as f32)));
            let circle = Circle::new(point(0.0, 0.0), 0.4).unwrap();
            world.create_shape(knot, circle, ShapeDef::default());
            if row > 0 {
                pin(&mut world, knots[column * KNOTS + row - 1], knot, 0.0, -0.5);
            }
            if column > 0 {
                pin(
                    &mut world,
                    knots[(column - 1) * KNOTS + row],
                    knot,
                    0.5,
                    0.0,
                );
            }
            knots.push(knot);
        }
    }
    for _ in 0..NET_STEPS {
        world.step(1.0 / 60.0);
        assert!(world.body_freezes().is_empty());
    }
    for body in world.bodies() {
        let (place, speed) = (body.position().coords.norm(), body.velocity().norm());
        assert!(place < 200.0 && speed < 20.0, "{place} m, {speed} m/s");
    }
}

/// Steps that the net is left alone: 8000 were run by hand.
const NET_STEPS: usize = 300;
