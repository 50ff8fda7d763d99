//! Hooks that panic, in programs that catch the panic and go on.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, ShapeDef, World};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the hook panics when it is called.
#[derive(Clone, Default)]
struct Fault(Arc<AtomicBool>);

impl Fault {
    fn set(&self, on: bool) {
        self.0.store(on, Ordering::Relaxed);
    }

    fn strike(&self) {
        assert!(!self.0.load(Ordering::Relaxed), "a fault of the hook");
    }
}

/// Steps, checks every invariant, and returns whether the hook panicked.
fn step_catching(world: &mut World) -> bool {
    let stepped = catch_unwind(AssertUnwindSafe(|| world.step(DT)));
    world.assert_consistent();
    stepped.is_err()
}

/// Steps with a fault of the hook in every other step, so that a failed step is tried again at once.
fn step_with_faults(world: &mut World, fault: &Fault, steps: u32) {
    let mut panics = 0;
    for i in 0..steps {
        fault.set(i % 2 == 0);
        panics += usize::from(step_catching(world));
    }
    assert!(panics >= 10, "{panics} panics");
}

/// Checks that boxes of half a height of 0.5 m lie on the ground.
fn assert_on_ground(world: &World, bodies: &[BodyId]) {
    for &body in bodies {
        close(y(world, body), 0.5, 2.0 * SLOP);
    }
}

#[test]
fn no_body_is_lost_when_the_pair_filter_panics() {
    let mut world = world();
    ground(&mut world);
    let fault = Fault::default();
    let of_filter = fault.clone();
    world.set_pair_filter(move |_, _| {
        of_filter.strike();
        true
    });
    // They come near the ground one after the other.
    let bodies: Vec<BodyId> = (0_u8..40)
        .map(|i| {
            let i = f32::from(i);
            crate_at(&mut world, 1.2 * i - 24.0, 0.7 + 0.15 * i, 0.5)
        })
        .collect();
    step_with_faults(&mut world, &fault, 300);
    assert_on_ground(&world, &bodies);
}

#[test]
fn pairs_accepted_before_the_panic_are_found_again() {
    let mut world = world();
    ground(&mut world);
    let bodies = row(&mut world, 0.0, 4);
    let last = bodies[3];
    let fault = Fault::default();
    let of_filter = fault.clone();
    // Pairs come in order of slots: that of the last body comes after others.
    world.set_pair_filter(move |a, b| {
        if a.body() == last || b.body() == last {
            of_filter.strike();
        }
        true
    });
    fault.set(true);
    assert!(step_catching(&mut world));
    fault.set(false);
    run(&mut world, 60);
    assert_on_ground(&world, &bodies);
}

#[test]
fn touches_found_before_the_pre_solve_hook_panics_are_kept() {
    let mut world = world();
    ground(&mut world);
    let fault = Fault::default();
    let of_hook = fault.clone();
    world.set_pre_solve(move |contact| {
        if contact.shapes().iter().any(|shape| shape.user_data() == 6) {
            of_hook.strike();
        }
    });
    let bodies: Vec<BodyId> = (0_u8..10)
        .map(|i| {
            let def = BodyDef::dynamic().position(1.5 * f32::from(i) - 6.0, 0.6);
            let shape = ShapeDef::default().user_data(i.into()).pre_solve();
            add(&mut world, def, rect(0.5, 0.5), shape)
        })
        .collect();
    step_with_faults(&mut world, &fault, 200);
    assert_on_ground(&world, &bodies);
}

#[test]
fn boxes_are_up_to_date_after_the_filter_panics_in_a_sweep() {
    let mut world = weightless();
    // A slow body leaves its fat box in one of the steps.
    for i in 0_u8..60 {
        let def = BodyDef::dynamic().position(2.0 * f32::from(i), 50.0);
        let def = def.velocity(0.0, 1.0 + 0.02 * f32::from(i));
        solid(&mut world, def, disc(0.5));
    }
    let thin = solid(
        &mut world,
        BodyDef::static_().position(4.0, 0.0),
        rect(0.05, 5.0),
    );
    let wall = solid(
        &mut world,
        BodyDef::static_().position(30.0, 0.0),
        rect(0.05, 5.0),
    );
    let def = BodyDef::dynamic().position(-60.0, 0.0).velocity(300.0, 0.0);
    let fast = solid(&mut world, def, disc(0.1));
    let fault = Fault::default();
    let of_filter = fault.clone();
    // Only a sweep calls the filter for the thin wall and the body beyond it: bodies move before they are swept.
    world.set_pair_filter(move |a, b| {
        let is_swept = a.body() == thin && b.body() == fast && b.position().x > 4.5;
        if is_swept {
            of_filter.strike();
        }
        true
    });
    fault.set(true);
    let mut steps = 0;
    while !step_catching(&mut world) {
        steps += 1;
        assert!(x(&world, fast) < 4.5, "not asked in the sweep");
    }
    assert_eq!(world.step_count(), steps + 1, "the step is complete");
    fault.set(false);
    run(&mut world, 30);
    assert!(x(&world, fast) > 4.0 && x(&world, fast) < x(&world, wall));
}
