//! Nets of joints under thousands of times the weight of a link stay in one piece.

use cairn2d_dynamics::{
    BodyDef, BodyId, DistanceJointDef, Filter, JointFrame, Limit, RevoluteJointDef, ShapeDef,
    World, WorldDef,
};
use cairn2d_geometry::Circle;
use cairn2d_geometry::math::point;

/// Links along a side of a large net.
const SIDE: usize = 100;

/// Pins a body at `anchor` and another at the opposite anchor together.
fn pin(world: &mut World, a: BodyId, b: BodyId, x: f32, y: f32) {
    let mut def = RevoluteJointDef::new(a, b);
    def.base.frame_a = JointFrame::at(x, y);
    def.base.frame_b = JointFrame::at(-x, -y);
    world.create_joint(def);
}

/// Widest gap of a joint [m].
fn widest_gap(world: &World) -> f32 {
    let gap = |[a, b]: [cairn2d_geometry::math::WorldPoint; 2]| (b - a).norm();
    let gaps = world.joints().map(|joint| gap(joint.anchors()));
    gaps.fold(0.0, f32::max)
}

/// A square net that hangs on the seven links in the middle of its upper edge.
fn hanging_net(side: usize) -> World {
    let mut world = World::new(WorldDef {
        sleeping: false,
        solver_budget: 20_000,
        ..WorldDef::default()
    });
    let apart = Filter {
        category: 2,
        mask: !2,
        group: 0,
    };
    let mut links: Vec<BodyId> = Vec::new();
    for column in 0..side {
        for row in 0..side {
            let held = row == 0 && column.abs_diff(side / 2) <= 3;
            let def = if held {
                BodyDef::static_()
            } else {
                BodyDef::dynamic()
            };
            let link = world.create_body(def.position(column as f32, -(row as f32)));
            let shape = ShapeDef {
                filter: apart,
                ..ShapeDef::default()
            };
            world.create_shape(link, Circle::new(point(0.0, 0.0), 0.4), shape);
            if row > 0 {
                pin(&mut world, links[column * side + row - 1], link, 0.0, -0.5);
            }
            if column > 0 {
                pin(&mut world, links[(column - 1) * side + row], link, 0.5, 0.0);
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
    let mut world = hanging_net(SIDE);
    for _ in 0..110 {
        world.step(1.0 / 60.0);
        assert!(world.body_freezes().is_empty());
    }
    let widest = widest_gap(&world);
    assert!(widest < 1.0, "widest gap {widest} m");
}

#[test]
fn net_that_hangs_by_every_fourth_knot_stays_calm() {
    // Left alone such a net must lose its swing: joints that pump energy show in hundreds of meters a second.
    const KNOTS: usize = 50;
    let mut world = World::new(WorldDef {
        sleeping: false,
        ..WorldDef::default()
    });
    let mut knots: Vec<BodyId> = Vec::new();
    for column in 0..KNOTS {
        for row in 0..KNOTS {
            let held = row == 0 && column % 4 == 0;
            let def = match held {
                true => BodyDef::static_(),
                false => BodyDef::dynamic(),
            };
            let knot = world.create_body(def.position(column as f32, -(row as f32)));
            let circle = Circle::new(point(0.0, 0.0), 0.4);
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

#[test]
fn net_on_few_knots_hangs_together() {
    // The pins at the knots bear a seventh of it each, and opened by 4 cm at the world's substeps.
    let mut world = hanging_net(30);
    let mut widest = 0.0_f32;
    for step in 0..300 {
        world.step(1.0 / 60.0);
        if step >= 240 {
            widest = widest.max(widest_gap(&world));
        }
    }
    assert_eq!(world.counters().newton_islands, 1);
    assert!(widest < 1.0e-3, "widest gap {widest} m");
}

#[test]
fn net_of_ten_thousand_knots_has_the_substeps_of_the_world() {
    let mut world = hanging_net(SIDE);
    for _ in 0..20 {
        world.step(1.0 / 60.0);
        assert_eq!(world.counters().newton_islands, 0);
    }
}

#[test]
fn nets_of_strings_come_to_rest_and_sleep() {
    // Joints lift a net that has sagged. Taken for energy from nothing, this made nets of 13 by 12 knots and larger ones
    // forget their impulses in every third step, and they never slept.
    for (columns, rows) in [(13, 12), (20, 8), (20, 12), (20, 20)] {
        let mut world = World::new(WorldDef::default());
        let mut knots: Vec<BodyId> = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                let is_held = row == 0 && (column % 6 == 0 || column == columns - 1);
                let def = if is_held {
                    BodyDef::static_()
                } else {
                    BodyDef::dynamic()
                };
                let knot = world.create_body(def.position(0.6 * column as f32, -0.6 * row as f32));
                let mut cord = ShapeDef::default();
                cord.filter.group = -1;
                world.create_shape(knot, Circle::new(point(0.0, 0.0), 0.15), cord);
                let left = (column > 0).then(|| knots[knots.len() - 1]);
                let above = (row > 0).then(|| knots[knots.len() - columns]);
                for other in [left, above].into_iter().flatten() {
                    world.create_joint(DistanceJointDef {
                        length: 0.6,
                        limit: Some(Limit::new(0.0, 0.6)),
                        ..DistanceJointDef::new(other, knot)
                    });
                }
                knots.push(knot);
            }
        }
        for _ in 0..20 * 60 {
            world.step(1.0 / 60.0);
        }
        let awake = world.counters().awake_bodies;
        assert_eq!(awake, 0, "bodies of {columns} by {rows} knots are awake");
    }
}
