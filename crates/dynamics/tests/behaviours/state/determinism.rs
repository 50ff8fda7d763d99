//! The same calls give the same bits, for any threads, clones and times.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, Continuous, JointBaseDef, JointFrame, Limit, Motor, RevoluteJointDef,
    ShapeDef, Spring, World, WorldDef,
};
use cairn2d_geometry::Polygon;
use cairn2d_geometry::math::{PI, point, vec2};

/// Columns of boxes that hang together in pairs by hinges with a limit, a spring and a motor.
fn falling_hinges(threads: u32) -> World {
    let mut world = World::new(WorldDef {
        threads,
        ..WorldDef::default()
    });
    ground(&mut world);
    for column in 0..4 {
        let x = 4.0 * column as f32 - 6.0;
        let mut below: Option<BodyId> = None;
        for i in 0..20 {
            let shift = 0.1 * (i % 2) as f32;
            let def = BodyDef::dynamic().position(x + shift, 0.5 + 0.6 * i as f32);
            let body = solid(&mut world, def.angle(0.03 * i as f32), rect(0.25, 0.25));
            below = match below {
                Some(other) => {
                    hinge(&mut world, other, body);
                    None
                }
                None => Some(body),
            };
        }
    }
    world
}

fn hinge(world: &mut World, a: BodyId, b: BodyId) {
    world.create_joint(RevoluteJointDef {
        base: JointBaseDef {
            frame_a: JointFrame::at(0.25, 0.3),
            frame_b: JointFrame::at(0.25, -0.3),
            ..JointBaseDef::new(a, b)
        },
        limit: Some(Limit::new(-0.1 * PI, 0.2 * PI)),
        motor: Some(Motor::new(0.0, 0.2)),
        spring: Some(Spring::new(0.5, 0.5)),
    });
}

/// A pile that is poured, cut and stirred while it is stepped: `act` at each step.
fn stirred(threads: u32, mut each: impl FnMut(&World)) -> World {
    let mut world = World::new(WorldDef {
        threads,
        ..WorldDef::default()
    });
    ground(&mut world);
    let zone = ShapeDef {
        sensor: true,
        ..ShapeDef::default()
    };
    add(
        &mut world,
        BodyDef::static_().position(0.0, 3.0),
        rect(2.0, 0.5),
        zone,
    );
    let mut random = Random::new(77);
    let mut bodies = Vec::new();
    for i in 0..300 {
        if i % 3 == 0 {
            let def = BodyDef::dynamic().position(random.range(-3.0, 3.0), 6.0);
            let def = def.angle(random.range(-3.0, 3.0));
            bodies.push(match i % 9 {
                0 => solid(&mut world, def, disc(0.3)),
                3 => solid(&mut world, def, capsule(0.3, 0.15)),
                _ => solid(&mut world, def, rect(0.3, 0.2)),
            });
        }
        if i % 20 == 19 {
            world.destroy_body(bodies.remove(bodies.len() / 2));
            let pushed = bodies[bodies.len() / 3];
            world.body_mut(pushed).apply_impulse(vec2(0.3, 0.5));
        }
        world.step(DT);
        each(&world);
    }
    world.assert_consistent();
    world
}

/// Adds a pile of crooked boxes at `x`, which lands on the ground or on a lift.
fn pile(world: &mut World, number: u32) -> Vec<BodyId> {
    let x = 12.0 * number as f32;
    let floor = BodyDef {
        velocity: vec2(0.2, 0.5),
        ..BodyDef::kinematic()
    };
    let floor = if number % 10 == 3 {
        floor
    } else {
        BodyDef::static_()
    };
    solid(world, floor.position(x, 0.0), rect(4.0, 0.5));
    let boxes = (0..6).map(|i| {
        let (column, row) = (i % 2, i / 2);
        let def = BodyDef::dynamic().position(x + 1.1 * column as f32, 1.1 + 1.05 * row as f32);
        let def = def.angle(0.02 * i as f32 + 0.001 * number as f32);
        solid(world, def, rect(0.5, 0.5))
    });
    boxes.collect()
}

#[test]
fn piles_move_to_the_same_bits_alone_and_among_many() {
    let run = |numbers: core::ops::Range<u32>, threads: u32| {
        let mut world = World::new(WorldDef {
            threads,
            ..WorldDef::default()
        });
        let piles: Vec<_> = numbers.map(|number| pile(&mut world, number)).collect();
        for _ in 0..90 {
            world.step(DT);
        }
        world.assert_consistent();
        let bits = |&body: &BodyId| {
            let body = world.body(body);
            let (place, velocity) = (body.position_exact(), body.velocity());
            let turn = body.rotation();
            (
                [place.x.to_bits(), place.y.to_bits()],
                [velocity.x, velocity.y, turn.re, turn.im].map(f32::to_bits),
            )
        };
        let of_pile = |pile: &Vec<BodyId>| pile.iter().map(bits).collect::<Vec<_>>();
        piles.iter().map(of_pile).collect::<Vec<_>>()
    };
    let many = run(0..240, 1);
    for threads in [2, 5] {
        assert!(run(0..240, threads) == many, "{threads} threads");
    }
    for number in [0, 3, 77, 93, 239] {
        let alone = run(number..number + 1, 1);
        assert!(alone[0] == many[number as usize], "pile {number}");
    }
}

#[test]
fn runs_on_any_number_of_threads_give_the_same_bits_and_events_in_order() {
    let record = |threads: u32| {
        let mut log = Vec::new();
        stirred(threads, |world| {
            let begins: Vec<_> = world
                .contact_begins()
                .iter()
                .map(|begin| {
                    (
                        begin.shape_a.index(),
                        begin.shape_b.index(),
                        begin.impulse.to_bits(),
                    )
                })
                .collect();
            let ends: Vec<_> = world
                .contact_ends()
                .iter()
                .map(|end| (end.shape_a.index(), end.shape_b.index()))
                .collect();
            let hits: Vec<_> = world
                .contact_hits()
                .iter()
                .map(|hit| {
                    (
                        hit.shape_a.index(),
                        hit.shape_b.index(),
                        hit.impulse.to_bits(),
                    )
                })
                .collect();
            let sensed: Vec<_> = world
                .sensor_begins()
                .iter()
                .map(|begin| (begin.sensor.index(), begin.visitor.index()))
                .collect();
            let changes: Vec<_> = world
                .sleep_changes()
                .iter()
                .map(|event| (event.body.index(), event.change))
                .collect();
            log.push((world.state_hash(), begins, ends, hits, sensed, changes));
        });
        log
    };
    let one = record(1);
    assert!(one.iter().map(|step| step.4.len()).sum::<usize>() > 10);
    for threads in [1, 2, 4, 8] {
        assert!(record(threads) == one, "{threads} threads");
    }
}

#[test]
fn hinges_fall_to_the_same_bits_for_any_number_of_threads() {
    let run = |threads: u32| {
        let mut world = falling_hinges(threads);
        let steps = run_until_asleep(&mut world, 900);
        (steps, world.state_hash())
    };
    let one = run(1);
    assert!(one.0.is_some());
    for threads in [1, 2, 3, 5, 8, 15] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

/// A box full of balls that are all swept: bullets, bodies that solve their impacts when they happen, and usual ones, with
/// a bar that turns among them.
fn shots(threads: u32) -> World {
    let mut world = World::new(WorldDef {
        threads,
        ..WorldDef::weightless()
    });
    let walls = world.create_body(BodyDef::static_());
    for (x, y, w, h) in [
        (-16.0, 0.0, 1.0, 17.0),
        (16.0, 0.0, 1.0, 17.0),
        (0.0, -16.0, 17.0, 1.0),
        (0.0, 16.0, 17.0, 1.0),
    ] {
        let wall = Polygon::offset_rectangle(w, h, point(x, y), 0.0);
        world.create_shape(walls, wall, ShapeDef::default().restitution(0.9));
    }
    let bar = BodyDef {
        angular_velocity: 20.0,
        ..BodyDef::kinematic()
    };
    solid(&mut world, bar, rect(12.0, 0.05));
    let mut random = Random::new(4);
    for i in 0..600 {
        let place = ((i % 25) as f32 - 12.0, (i / 25) as f32 - 11.75);
        let velocity = random.vector(60.0);
        let def = BodyDef {
            bullet: i % 3 == 0,
            continuous: if i % 4 == 0 {
                Continuous::Substep
            } else {
                Continuous::Clamp
            },
            ..BodyDef::dynamic()
                .position(place.0, place.1)
                .velocity(velocity.x, velocity.y)
        };
        add(
            &mut world,
            def,
            disc(0.1),
            ShapeDef::default().restitution(0.9),
        );
    }
    world
}

#[test]
fn shots_end_in_the_same_bits_for_any_number_of_threads() {
    let run = |threads: u32| {
        let mut world = shots(threads);
        let mut impacts = 0;
        let hashes: Vec<u64> = (0..40)
            .map(|_| {
                step(&mut world);
                impacts += world.counters().impacts;
                world.state_hash()
            })
            .collect();
        assert!(impacts > 500, "{impacts}");
        hashes
    };
    let one = run(1);
    for threads in [2, 3, 8] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

#[test]
fn copy_goes_on_with_the_same_bits() {
    for at in [0, 10, 60, 150] {
        let mut world = falling_hinges(1);
        run_unchecked(&mut world, at);
        let mut copy = world.clone();
        assert_eq!(copy.state_hash(), world.state_hash());
        for i in 0..100 {
            if i == 50 {
                for world in [&mut world, &mut copy] {
                    let first = world.bodies().nth(3).unwrap().id();
                    world.destroy_body(first);
                    crate_at(world, 0.0, 9.0, 0.5);
                }
            }
            world.step(DT);
            copy.step(DT);
            assert_eq!(copy.state_hash(), world.state_hash());
        }
        copy.assert_consistent();
    }
}

#[test]
fn held_ids_are_good_in_a_copy() {
    let mut world = world();
    ground(&mut world);
    let body = crate_at(&mut world, 0.0, 3.0, 0.5);
    let other = crate_at(&mut world, 5.0, 3.0, 0.5);
    let joint = world.create_joint(RevoluteJointDef::new(body, other));
    let shape = shape_of(&world, body);
    let saved = world.clone();
    run(&mut world, 30);
    world.destroy_body(body);
    let world = saved;
    assert_eq!(world.body(body).position(), point(0.0, 3.0));
    assert_eq!(world.shape(shape).body(), body);
    assert_eq!(world.joint(joint).bodies(), [body, other]);
}

#[test]
fn rollback_and_replay_give_the_same_bits() {
    let mut world = falling_hinges(1);
    run_unchecked(&mut world, 40);
    let saved = world.clone();
    let play = |world: &mut World| {
        for i in 0..60 {
            if i % 10 == 0 {
                let body = world.bodies().nth(5).unwrap().id();
                world.body_mut(body).apply_impulse(vec2(0.2, 0.4));
            }
            world.step(DT);
        }
        world.state_hash()
    };
    let first = play(&mut world);
    let mut again = saved;
    assert_eq!(play(&mut again), first);
}

#[test]
fn order_of_creation_does_not_decide_where_things_rest() {
    // Not the same bits: the order of the solution differs. The same places, to a centimeter.
    let build = |order: &[usize]| {
        let mut world = world();
        ground(&mut world);
        let mut ids = vec![None; 10];
        for &i in order {
            let (level, place) = [
                (0, 0),
                (0, 1),
                (0, 2),
                (0, 3),
                (1, 0),
                (1, 1),
                (1, 2),
                (2, 0),
                (2, 1),
                (3, 0),
            ][i];
            let x = place as f32 * 1.05 + 0.525 * level as f32;
            ids[i] = Some(crate_at(&mut world, x, 0.5 + level as f32, 0.5));
        }
        run_unchecked(&mut world, 300);
        let ids: Vec<_> = ids.into_iter().map(Option::unwrap).collect();
        let places: Vec<_> = ids.iter().map(|&id| world.body(id).position()).collect();
        (places, awake_dynamic(&world))
    };
    let forward: Vec<usize> = (0..10).collect();
    let shuffled = [7, 2, 9, 0, 4, 6, 1, 8, 3, 5];
    let (here, there) = (build(&forward), build(&shuffled));
    assert_eq!((here.1, there.1), (0, 0));
    for (a, b) in here.0.iter().zip(&there.0) {
        assert!((a - b).norm() < 0.01);
    }
}

#[test]
fn bodies_made_before_or_between_steps_of_no_time_are_the_same() {
    let build = |idle: bool| {
        let mut world = world();
        ground(&mut world);
        for i in 0..10 {
            crate_at(&mut world, 0.3 * i as f32, 0.5 + 1.1 * i as f32, 0.5);
            if idle {
                world.step(0.0);
            }
        }
        run_unchecked(&mut world, 100);
        world.state_hash()
    };
    assert_eq!(build(false), build(true));
}

#[test]
fn queries_do_not_disturb() {
    let run = |asks: bool| {
        let mut world = falling_hinges(1);
        for i in 0..60 {
            world.step(DT);
            if asks {
                let x = i as f32 * 0.2 - 6.0;
                let _ = world.ray_cast((x, 20.0), vec2(0.0, -30.0), Default::default());
                let _ = world.shapes_at((x, 1.0), Default::default());
                world.assert_consistent();
            }
        }
        world.state_hash()
    };
    assert_eq!(run(false), run(true));
}

#[test]
fn scene_is_the_same_far_out() {
    // As long as f64 resolves the added f32 deltas, the run is the same in every relative bit.
    let run = |base: f64| {
        let mut world = world();
        let at = |x: f64, y: f64, def: BodyDef| BodyDef {
            position: cairn2d_geometry::math::WorldPoint::new(base + x, base + y),
            ..def
        };
        add(
            &mut world,
            at(0.0, -1.0, BodyDef::static_()),
            rect(20.0, 1.0),
            ShapeDef::default(),
        );
        let slider = at(-8.0, 0.5, BodyDef::dynamic().velocity(3.0, 0.0));
        let mut ids = vec![solid(
            &mut world,
            BodyDef {
                position: at(-8.0, 0.5, BodyDef::static_()).position,
                ..slider
            },
            rect(0.5, 0.5),
        )];
        for i in 0..4 {
            let def = at(0.0, 0.5 + f64::from(i), BodyDef::dynamic());
            ids.push(solid(&mut world, def, rect(0.5, 0.5)));
        }
        run_unchecked(&mut world, 120);
        let origin = cairn2d_geometry::math::WorldPoint::new(base, base);
        let places: Vec<_> = ids
            .iter()
            .map(|&id| world.body(id).position_exact() - origin)
            .collect();
        places
    };
    for (a, b) in run(0.0).iter().zip(&run(1.0e7)) {
        assert!((a - b).norm() < 1.0e-3, "{a} {b}");
    }
}

#[test]
fn threads_may_change_from_step_to_step() {
    let run = |threads: &[u32]| {
        let mut world = falling_hinges(1);
        for i in 0..100 {
            let mut def = world.def().clone();
            def.threads = threads[i % threads.len()];
            world.set_def(def);
            world.step(DT);
        }
        world.state_hash()
    };
    let one = run(&[1]);
    assert_eq!(run(&[4, 4, 1, 2, cairn2d_dynamics::MAX_THREADS, 3]), one);
    let mut world = world();
    let mut def = world.def().clone();
    for threads in [0, cairn2d_dynamics::MAX_THREADS + 1] {
        def.threads = threads;
        assert!(world.try_set_def(def.clone()).is_err(), "{threads} threads");
    }
    assert_eq!(world.def().threads, 1);
}
