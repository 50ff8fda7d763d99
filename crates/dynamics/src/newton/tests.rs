//! Scenes that iterations do not solve, solved by Newton's method.

use crate::{
    BodyDef, BodyId, JointId, Limit, Motor, RevoluteJointDef, ShapeDef, WeldJointDef, World,
    WorldDef,
};
use cairn2d_geometry::Polygon;
use cairn2d_geometry::math::Vec2;

const DT: f32 = 1.0 / 60.0;

/// A world without sleep, in which the method may do what it needs.
fn world() -> World {
    World::new(WorldDef {
        sleeping: false,
        solver_budget: 20_000,
        ..WorldDef::default()
    })
}

fn put(world: &mut World, def: BodyDef, half: [f32; 2], density: f32) -> BodyId {
    let body = world.create_body(def);
    let shape = Polygon::rectangle(half[0], half[1]);
    world.create_shape(body, shape, ShapeDef::default().density(density));
    body
}

fn floor(world: &mut World) {
    put(
        world,
        BodyDef::static_().position(0.0, -1.0),
        [20.0, 1.0],
        1.0,
    );
}

fn hinge(world: &mut World, a: BodyId, b: BodyId, at: [f32; 2], reach: f32) -> JointId {
    let mut def = RevoluteJointDef::new(a, b);
    [def.base.frame_a, def.base.frame_b] = world.joint_frames(a, b, at, 0.0);
    def.limit = Some(Limit::new(-reach, reach));
    world.create_joint(def)
}

fn weld(world: &mut World, a: BodyId, b: BodyId, at: [f32; 2]) -> JointId {
    let mut def = WeldJointDef::new(a, b);
    [def.base.frame_a, def.base.frame_b] = world.joint_frames(a, b, at, 0.0);
    world.create_joint(def)
}

fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        world.step(DT);
        world.assert_consistent();
    }
}

fn fastest(world: &World) -> f32 {
    let speeds = world.bodies().map(|body| body.velocity().norm());
    speeds.fold(0.0, f32::max)
}

fn widest_gap(world: &World) -> f64 {
    let gaps = world.joints().map(|joint| {
        let [a, b] = joint.anchors();
        ((b.x - a.x).powi(2) + (b.y - a.y).powi(2)).sqrt()
    });
    gaps.fold(0.0, f64::max)
}

fn is_solved_by_newton(world: &World) -> bool {
    world.islands.is_any_newton()
}

#[test]
fn hanging_chain_holds_a_thousand_times_the_mass_of_a_link() {
    let mut world = world();
    let mut last = put(&mut world, BodyDef::static_(), [0.1, 0.1], 1.0);
    let mut weight = 0.0;
    let mut first = None;
    for i in 0..40 {
        let top = -0.5 * i as f32;
        let density = if i == 39 { 1000.0 } else { 1.0 };
        let def = BodyDef::dynamic().position(0.0, top - 0.25);
        let link = put(&mut world, def, [0.05, 0.25], density);
        let joint = hinge(&mut world, last, link, [0.0, top], 1.0);
        first = first.or(Some(joint));
        weight += 10.0 * world.body(link).mass();
        last = link;
    }
    run(&mut world, 120);
    assert!(is_solved_by_newton(&world));
    assert!(widest_gap(&world) < 1.0e-6, "{}", widest_gap(&world));
    assert!(fastest(&world) < 1.0e-4, "{}", fastest(&world));
    let force = world.joint(first.expect("a joint")).reaction().force.y;
    assert!((force - weight).abs() < 1.0e-4 * weight, "{force} {weight}");
}

#[test]
fn column_with_offsets_neither_sinks_nor_sways() {
    let mut world = world();
    floor(&mut world);
    let mut top = None;
    for i in 0..60 {
        let offset = 0.02 * [0.3, -0.8, 1.0, -0.1, -0.6][i % 5];
        let def = BodyDef::dynamic().position(offset, 0.5 + i as f32);
        top = Some(put(&mut world, def, [0.5, 0.5], 1.0));
    }
    let top = top.expect("a box");
    let start = world.body(top).position();
    run(&mut world, 600);
    assert!(is_solved_by_newton(&world));
    // The rounding that is not corrected, at each contact.
    let moved = (world.body(top).position() - start).norm();
    assert!(moved < 60.0 * 1.0e-6, "{moved}");
    assert!(fastest(&world) < 1.0e-4, "{}", fastest(&world));
}

#[test]
fn bracket_of_welds_and_limited_hinges_stays_at_rest() {
    let mut world = world();
    let def = BodyDef::static_().position(-0.5, 0.0);
    let wall = put(&mut world, def, [0.2, 5.0], 1.0);
    let place = |i: usize, j: usize| [0.5 * i as f32, 0.5 * j as f32];
    let mut boxes = Vec::new();
    for j in 0..3 {
        for i in 0..6 {
            let [x, y] = place(i, j);
            let def = BodyDef::dynamic().position(x, y);
            boxes.push(put(&mut world, def, [0.24, 0.24], 1.0));
        }
    }
    weld(&mut world, wall, boxes[0], [-0.25, 0.0]);
    for j in 0..3 {
        for i in 0..6 {
            let ([x, y], own) = (place(i, j), boxes[6 * j + i]);
            if i < 5 {
                let (next, at) = (boxes[6 * j + i + 1], [x + 0.25, y]);
                if (i + j) % 4 == 1 {
                    hinge(&mut world, own, next, at, 0.1);
                } else {
                    weld(&mut world, own, next, at);
                }
            }
            if j < 2 {
                weld(&mut world, own, boxes[6 * (j + 1) + i], [x, y + 0.25]);
            }
        }
    }
    for _ in 0..300 {
        world.step(DT);
        assert!(fastest(&world) < 1.0e-3, "{}", fastest(&world));
    }
    assert!(is_solved_by_newton(&world));
    assert!(widest_gap(&world) < 1.0e-6, "{}", widest_gap(&world));
}

#[test]
fn heavy_box_stops_on_light_ones_without_a_rebound() {
    for count in [1, 3, 10] {
        let mut world = world();
        floor(&mut world);
        for i in 0..count {
            let def = BodyDef::dynamic().position(0.0, 0.5 + i as f32);
            put(&mut world, def, [0.5, 0.5], 1.0);
        }
        let height = count as f32 + 0.5;
        let def = BodyDef::dynamic()
            .position(0.0, height + 0.1)
            .velocity(0.0, -10.0);
        let heavy = put(&mut world, def, [0.5, 0.5], 1000.0);
        let mut rebound = 0.0_f32;
        for _ in 0..120 {
            world.step(DT);
            rebound = rebound.max(world.body(heavy).velocity().y);
        }
        assert!(is_solved_by_newton(&world));
        assert!(rebound < 0.05, "{count}: {rebound}");
        let sunk = height - world.body(heavy).position().y;
        assert!(sunk.abs() < 1.0e-3, "{count}: {sunk}");
    }
}

#[test]
fn breakable_joint_of_a_solved_island_breaks_by_its_mean_load() {
    let mut world = world();
    let base = put(&mut world, BodyDef::static_(), [0.1, 0.1], 1.0);
    let def = BodyDef::dynamic().position(0.0, -0.5);
    let body = put(&mut world, def, [0.1, 0.5], 1.0);
    let load = BodyDef::dynamic().position(0.0, -1.1);
    let load = put(&mut world, load, [0.1, 0.1], 100.0);
    hinge(&mut world, body, load, [0.0, -1.0], 0.5);
    let mut def = RevoluteJointDef::new(base, body);
    [def.base.frame_a, def.base.frame_b] = world.joint_frames(base, body, [0.0, 0.0], 0.0);
    let weight = 10.0 * (world.body(body).mass() + world.body(load).mass());
    def.base.break_force = 1.01 * weight;
    // The direct solver takes short arms with limits, but none with motors.
    def.motor = Some(Motor::new(0.0, 1.0e-3));
    let joint = world.create_joint(def);
    run(&mut world, 60);
    assert!(is_solved_by_newton(&world));
    assert!(world.get_joint(joint).is_some());
    world
        .body_mut(body)
        .apply_force(Vec2::new(0.0, -0.1 * weight));
    world.step(DT);
    assert_eq!(world.joint_breaks().len(), 1);
}

#[test]
fn taut_bridge_that_loses_the_method_is_not_thrown() {
    // Its joints kept impulses of a hundred times the tension of soft pins: 99 m/s.
    let mut world = World::new(WorldDef {
        sleeping: false,
        solver_budget: 2_000,
        ..WorldDef::default()
    });
    let banks = world.create_body(BodyDef::static_());
    let mut last = banks;
    for i in 0..=40 {
        let x = -10.0 + 0.5 * i as f32;
        let next = if i == 40 {
            banks
        } else {
            put(
                &mut world,
                BodyDef::dynamic().position(x + 0.25, 0.0),
                [0.25, 0.125],
                20.0,
            )
        };
        let mut def = RevoluteJointDef::new(last, next);
        [def.base.frame_a, def.base.frame_b] = world.joint_frames(last, next, [x, 0.0], 0.0);
        world.create_joint(def);
        last = next;
    }
    run(&mut world, 60);
    assert!(is_solved_by_newton(&world));
    let def = WorldDef {
        solver_budget: 0,
        ..world.def().clone()
    };
    world.set_def(def);
    for _ in 0..60 {
        world.step(DT);
        let speeds = world.bodies().map(|body| body.velocity().norm());
        let top = speeds.fold(0.0, f32::max);
        // It sags as in a fall of a second.
        assert!(top < 10.0, "{top} m/s");
    }
    assert!(!is_solved_by_newton(&world));
}

/// Builds a taut bridge of thirty planks at the given height, and puts a box on it, with twenty times a plank's mass
/// for each unit of density. Returns the box.
fn loaded_bridge(world: &mut World, y: f32, density: f32) -> BodyId {
    let posts = put(world, BodyDef::static_().position(-1.0, y), [0.5, 0.1], 1.0);
    let mut last = posts;
    for i in 0..30 {
        let def = BodyDef::dynamic().position(0.5 + i as f32, y);
        let plank = put(world, def, [0.5, 0.1], 1.0);
        hinge(world, last, plank, [i as f32, y], 3.0);
        last = plank;
    }
    hinge(world, last, posts, [30.0, y], 3.0);
    let def = BodyDef::dynamic().position(15.0, y + 1.1);
    put(world, def, [1.0, 1.0], density)
}

#[test]
fn taut_bridge_rests_under_a_load() {
    let mut world = world();
    let load = loaded_bridge(&mut world, 0.0, 5.0);
    run(&mut world, 180);
    assert!(is_solved_by_newton(&world));
    let start = world.body(load).position();
    assert!(start.y > 1.05, "{start:?}");
    run(&mut world, 60);
    let moved = (world.body(load).position() - start).norm();
    assert!(moved < 1.0e-4, "{moved}");
    // The regularization of its hinges once gave the planks 0.14 m/s, so that no bridge fell asleep.
    assert!(fastest(&world) < 1.0e-3, "{}", fastest(&world));
}

#[test]
fn calm_island_takes_one_substep_and_bears_the_same_load() {
    let mut world = world();
    floor(&mut world);
    for i in 0..20 {
        put(
            &mut world,
            BodyDef::dynamic().position(0.0, 0.5 + i as f32),
            [0.5, 0.5],
            1.0,
        );
    }
    run(&mut world, 60);
    assert!(is_solved_by_newton(&world));
    let island = world.islands.awake.iter().next().expect("an island") as usize;
    let calm = world.islands.slots[island].newton.work;
    let constraints = &world.contacts.constraints;
    let mut loads: Vec<f32> = world
        .contacts
        .slots
        .iter()
        .map(|(slot, _)| constraints[slot as usize].total_normal_impulse())
        .collect();
    loads.sort_by(f32::total_cmp);
    assert_eq!(loads.len(), 20);
    for (i, load) in loads.iter().enumerate() {
        let weight = 10.0 * (i + 1) as f32 * DT;
        assert!(
            (load - weight).abs() < 1.0e-3 * weight,
            "{i}: {load} {weight}"
        );
    }
    // A kick at the top makes it work in substeps.
    let top = world.bodies().last().expect("a body").id();
    world.body_mut(top).apply_impulse(Vec2::new(0.3, 0.0));
    world.step(DT);
    let kicked = world.islands.slots[island].newton.work;
    assert!(kicked > calm, "{kicked} {calm}");
}

#[test]
fn costly_newcomers_take_no_work_from_islands_that_rest() {
    let mut world = World::new(WorldDef {
        sleeping: false,
        solver_budget: 2000,
        ..WorldDef::default()
    });
    let resting = loaded_bridge(&mut world, 0.0, 5.0);
    run(&mut world, 240);
    let height = world.body(resting).position().y;
    for i in 1..=6 {
        loaded_bridge(&mut world, 100.0 * i as f32, 8.0);
    }
    run(&mut world, 240);
    let sunk = height - world.body(resting).position().y;
    assert!(sunk.abs() < 1.0e-3, "{sunk}");
}

#[test]
fn plate_that_lands_aslant_squeezes_no_box_out() {
    // Cause: new contacts had no friction in the first solve, whose frictionless result was kept if it had not converged.
    let mut world = world();
    floor(&mut world);
    for x in [-1.01, 0.0, 1.01] {
        put(
            &mut world,
            BodyDef::dynamic().position(x, 0.5),
            [0.5, 0.5],
            1.0,
        );
    }
    let plate = BodyDef::dynamic()
        .position(0.03, 1.65)
        .angle(0.05)
        .velocity(0.0, -10.0);
    put(&mut world, plate, [1.5, 0.4], 1000.0);
    let mut was_solved = false;
    for _ in 0..60 {
        world.step(DT);
        was_solved |= is_solved_by_newton(&world);
        let fastest = fastest(&world);
        assert!(fastest < 11.0, "{fastest} m/s");
    }
    assert!(was_solved);
}

#[test]
fn legs_that_motors_press_against_limits_rest_by_sweeps() {
    let mut world = world();
    floor(&mut world);
    let hull = put(
        &mut world,
        BodyDef::dynamic().position(0.0, 6.0),
        [0.6, 0.4],
        1.0,
    );
    for side in [-1.0, 1.0] {
        let at = BodyDef::dynamic().position(0.7 * side, 5.5);
        let leg = put(&mut world, at, [0.1, 0.4], 1.0);
        let joint = hinge(&mut world, hull, leg, [0.6 * side, 5.8], 0.2);
        let motor = Motor::new(0.5 * side, 40.0);
        world.joint_mut(joint).set_motor(Some(motor));
    }
    run(&mut world, 50);
    assert!(fastest(&world) > 7.0);
    run(&mut world, 190);
    assert!(fastest(&world) < 0.01 && !is_solved_by_newton(&world));
}

#[test]
fn pile_that_leaves_keeps_the_loads_of_its_weight() {
    let mut world = world();
    floor(&mut world);
    for row in 0..12 {
        for column in 0..12 - row {
            let x = column as f32 - 0.5 * (11 - row) as f32;
            let density = if row == 11 { 30.0 } else { 1.0 };
            let def = BodyDef::dynamic().position(1.05 * x, 0.5 + row as f32);
            put(&mut world, def, [0.5, 0.5], density);
        }
    }
    // The pile rests under sweeps, is solved for a few steps, and has to leave.
    world.def.solver_budget = 0;
    run(&mut world, 240);
    world.def.solver_budget = 20_000;
    run(&mut world, 4);
    assert!(
        is_solved_by_newton(&world),
        "the heavy box strains the pile"
    );
    world.def.solver_budget = 0;
    run(&mut world, 1);
    assert!(!is_solved_by_newton(&world));
    let mut speeds: Vec<f32> = world.bodies().map(|body| body.velocity().norm()).collect();
    speeds.sort_by(f32::total_cmp);
    let median = speeds[speeds.len() / 2];
    // A step of free fall gives 0.167 m/s; without the loads the median was 0.097.
    assert!(median < 0.06, "the pile falls at {median} m/s");
}

#[test]
fn bounce_in_a_slot_has_the_impulse_of_its_momentum() {
    // Both walls of a snug slot ask the boxes to leave them. Each solution made the rows stiffer, and boxes at 1 m/s got impulses of
    // 1e9 to 1e11 N s. At the speeds of a fuzzer they were infinite, and its save was refused.
    for (gap, wall_speed) in [
        (0.0, 0.0),
        (-0.01, 0.0),
        (0.0, 1.0),
        (-0.01, 1.0),
        (0.001, 1.0),
    ] {
        let mut world = world();
        let material = |density| ShapeDef::default().density(density).restitution(0.5);
        for side in [-1.0, 1.0] {
            let def = BodyDef::kinematic()
                .position(side * (1.5 + gap), 0.0)
                .velocity(-wall_speed, 0.0);
            let wall = world.create_body(def);
            world.create_shape(wall, Polygon::rectangle(1.0, 5.0), material(1.0));
        }
        let mut momentum = 0.0;
        for (y, density) in [(0.0, 1.0), (1.0, 30.0)] {
            let def = BodyDef::dynamic().position(0.0, y).velocity(1.0, 0.0);
            let body = world.create_body(def);
            world.create_shape(body, Polygon::rectangle(0.5, 0.5), material(density));
            momentum += world.body(body).mass() * (1.0 + wall_speed);
        }
        world.step(DT);
        assert!(is_solved_by_newton(&world));
        let impulses = world.contacts().map(|contact| contact.impulse().norm());
        let most = impulses.fold(0.0, f32::max);
        assert!(most < 2.0 * momentum, "{gap}, {wall_speed}: {most}");
    }
}
