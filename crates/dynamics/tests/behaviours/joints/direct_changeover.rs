//! Velocities of islands that begin or cease to be solved directly.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, DistanceJointDef, JointFrame, JointId, RevoluteJointDef, World, WorldDef,
};
use cairn2d_geometry::math::Vec2;

/// Steps between two choices of the islands that are solved directly.
const STEPS_BETWEEN_CHOICES: usize = 4;

/// Half of the speed that gravity adds in a substep [m/s]: iterated velocities lag behind positions by that.
const PHASE: f32 = 0.5 * G * DT / 4.0;

/// A rod of 1 m that starts level, on a pin at its left end.
fn pendulum(world: &mut World, x: f32) -> (BodyId, JointId) {
    let frame = world.create_body(BodyDef::static_().position(x, 0.0));
    let rod = solid(
        world,
        BodyDef::dynamic().position(x + 0.5, 0.0),
        rect(0.5, 0.05),
    );
    let mut pin = RevoluteJointDef::new(frame, rod);
    pin.base.frame_b = JointFrame::at(-0.5, 0.0);
    let pin = world.create_joint(pin);
    (rod, pin)
}

/// Leaves no work for the direct solver.
fn take_budget(world: &mut World) {
    let def = WorldDef {
        solver_budget: 0,
        ..world.def().clone()
    };
    world.set_def(def);
}

#[test]
fn linkages_leave_the_direct_solver_after_one_lost_its_joint() {
    // Cause: the joints of an island were not listed when it left, so those of the island before were used, and one of them was gone.
    let mut world = world();
    pendulum(&mut world, 0.0);
    let (second, pin) = pendulum(&mut world, 50.0);
    run(&mut world, 50 * STEPS_BETWEEN_CHOICES);
    assert_eq!(world.counters().direct_islands, 2);
    let before = world.body(second).velocity();
    world.destroy_joint(pin);
    take_budget(&mut world);
    step(&mut world);
    assert_eq!(world.counters().direct_islands, 0);
    close(world.body(second).velocity().y, before.y - G * DT, 1.0e-5);
}

/// Velocities of some pendulums after the step in which they leave the direct solver for lack of work.
fn velocities_without_work(pendulums: usize) -> Vec<Vec2> {
    let mut world = world();
    let rods: Vec<_> = (0..pendulums)
        .map(|i| pendulum(&mut world, 50.0 * i as f32).0)
        .collect();
    run(&mut world, 5 * STEPS_BETWEEN_CHOICES);
    assert_eq!(world.counters().direct_islands, pendulums);
    take_budget(&mut world);
    step(&mut world);
    assert_eq!(world.counters().direct_islands, 0);
    rods.iter().map(|&rod| world.body(rod).velocity()).collect()
}

#[test]
fn each_linkage_leaves_the_direct_solver_with_its_own_joints() {
    let alone = velocities_without_work(1)[0];
    for count in [2, 3] {
        for velocity in velocities_without_work(count) {
            close((velocity - alone).norm(), 0.0, 0.01 * PHASE);
        }
    }
}

#[test]
fn softened_joints_leave_the_direct_solver_as_others_without_work_do() {
    let without_work = velocities_without_work(1)[0];
    let mut world = world();
    let (rod, _) = pendulum(&mut world, 0.0);
    run(&mut world, 5 * STEPS_BETWEEN_CHOICES);
    assert_eq!(world.counters().direct_islands, 1);
    let mut def: WorldDef = world.def().clone();
    def.tuning.joint_hertz *= 0.999;
    world.set_def(def);
    step(&mut world);
    assert_eq!(world.counters().direct_islands, 0);
    let velocity = world.body(rod).velocity();
    close((velocity - without_work).norm(), 0.0, 0.05 * PHASE);
}

#[test]
fn body_flies_on_with_the_velocity_that_it_had_on_its_joint() {
    // A body that nothing holds moves by the mean of its velocities, so its velocity is not older than its place.
    for has_other_joint in [false, true] {
        for extra_steps in 0..STEPS_BETWEEN_CHOICES {
            let mut world = world();
            let (rod, pin) = pendulum(&mut world, 0.0);
            if has_other_joint {
                pendulum(&mut world, 50.0);
            }
            run(&mut world, 3 * STEPS_BETWEEN_CHOICES + extra_steps);
            let before = world.body(rod).velocity();
            world.destroy_joint(pin);
            step(&mut world);
            let gained = world.body(rod).velocity() - before;
            close(gained.x, 0.0, 1.0e-3 * PHASE);
            close(gained.y, -G * DT, 1.0e-3 * PHASE);
        }
    }
}

#[test]
fn island_that_outgrew_the_direct_solver_leaves_it_with_all_its_joints() {
    // Cause: the list of joints was cut, so the velocities of bodies on the others were shifted as without joints.
    for steps in [2 * STEPS_BETWEEN_CHOICES + 1, 2 * STEPS_BETWEEN_CHOICES] {
        // Enough for three joints.
        let mut world = World::new(WorldDef {
            sleeping: false,
            solver_budget: 100,
            ..WorldDef::default()
        });
        let mut last = world.create_body(BodyDef::static_());
        let mut links = Vec::new();
        for i in 0..600 {
            let link = BodyDef::dynamic().position(0.0, -1.0 - i as f32);
            let link = solid(&mut world, link, disc(0.2));
            world.create_joint(DistanceJointDef::new(last, link));
            links.push(link);
            last = link;
            if i == 0 {
                run(&mut world, steps);
                assert_eq!(world.counters().direct_islands, 1);
            }
        }
        step(&mut world);
        assert_eq!(world.counters().direct_islands, 0);
        // All hung at rest, so there was nothing to shift. In the first step no pass reaches a link so far from the first one.
        for &link in &links[100..] {
            close(world.body(link).velocity().y, -G * DT, 0.05 * PHASE);
        }
    }
}

#[test]
fn linkage_that_turns_too_fast_for_the_work_of_a_step_is_iterated() {
    const LINKS: usize = 8;
    // The second budget is enough for eight joints at rest.
    for (solver_budget, direct_islands) in [(20_000, 1), (400, 0)] {
        let mut world = World::new(WorldDef {
            solver_budget,
            ..WorldDef::default()
        });
        let mut last = world.create_body(BodyDef::static_());
        let mut anchor = JointFrame::at(0.0, 0.0);
        for i in 0..LINKS {
            let y = -0.5 - i as f32;
            let link = solid(
                &mut world,
                BodyDef::dynamic().position(0.0, y),
                rect(0.05, 0.5),
            );
            let mut pin = RevoluteJointDef::new(last, link);
            (pin.base.frame_a, pin.base.frame_b) = (anchor, JointFrame::at(0.0, 0.5));
            world.create_joint(pin);
            (last, anchor) = (link, JointFrame::at(0.0, -0.5));
        }
        run(&mut world, STEPS_BETWEEN_CHOICES);
        assert_eq!(world.counters().direct_islands, 1);
        world.body_mut(last).set_angular_velocity(60.0);
        step(&mut world);
        assert_eq!(world.counters().direct_islands, direct_islands);
        run(&mut world, 60);
        assert!(world.body(last).position().y.abs() < 1.01 * LINKS as f32);
    }
}
