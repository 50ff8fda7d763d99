//! Properties: no walker in a wall in random worlds, and the same bits for any number of threads.

use crate::support::*;
use cairn2d::geometry::tolerance::LINEAR_SLOP;
use cairn2d::prelude::*;
use proptest::prelude::*;

/// Returns the depth of a disc in a square of `half` side at (`x`, `y`) [m]; negative outside.
fn depth(place: Point, square: (f32, f32, f32)) -> f32 {
    let (x, y, half) = square;
    let beyond = vec2((place.x - x).abs() - half, (place.y - y).abs() - half);
    let outside = vec2(beyond.x.max(0.0), beyond.y.max(0.0)).norm();
    let inside = beyond.x.max(beyond.y).min(0.0);
    RADIUS - (outside + inside)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// In random worlds all numbers stay finite, no walker that was not thrown is in a wall by more than the
    /// slop, no force is exceeded, and the controller is consistent.
    #[test]
    fn walkers_in_random_worlds_keep_out_of_walls(
        walls in prop::collection::vec((-6i8..7, -6i8..7, 0.2f32..0.9), 0..10),
        crates in prop::collection::vec((-6i8..7, -6i8..7, 0.05f32..4.0), 0..6),
        wishes in prop::collection::vec((-2.5f32..2.5, -2.5f32..2.5, -8.0f32..8.0, -8.0f32..8.0), 12),
        kinematic in prop::bits::u16::ANY,
    ) {
        let (mut world, mut crowd) = plane();
        let squares: Vec<_> = walls.iter().map(|&(x, y, half)| (2.0 * f32::from(x), 2.0 * f32::from(y), half)).collect();
        for &(x, y, half) in &squares {
            add(&mut world, BodyDef::static_().position(x, y), block(half, half));
        }
        for &(x, y, density) in &crates {
            // Between the walls, which are at even coordinates.
            let def = BodyDef { linear_damping: 1.0, ..BodyDef::dynamic().position(2.0 * f32::from(x) + 1.0, 2.0 * f32::from(y) + 1.0) };
            let body = world.create_body(def);
            world.create_shape(body, block(0.4, 0.3), ShapeDef::default().density(density));
        }
        for (i, &(vx, vy, x, y)) in wishes.iter().enumerate() {
            let start = (2.0 * i as f32 - 11.0, if i % 2 == 0 { 15.0 } else { -15.0 });
            let def = if kinematic >> i & 1 == 1 { BodyDef::kinematic() } else { BodyDef::dynamic() };
            let body = add(&mut world, def.position(start.0, start.1), disc(RADIUS));
            let agent = crowd.attach(&world, body, &CrowdBodyDef::around(&world, body));
            crowd.crowd_mut().agent_mut(agent).set_preferred_velocity(vec2(vx, vy));
            if i % 3 > 0 {
                crowd.follow(agent, Route::through([(x, y), (-x, -y)]).speed(1.9));
            }
        }
        for _ in 0..600 {
            crowd.update(&mut world, DT);
            let before: Vec<Vec2> = crowd.walkers().map(|(_, body)| world.body(body).velocity()).collect();
            world.step(DT);
            for ((agent, body), before) in crowd.walkers().zip(before) {
                let now = world.body(body);
                prop_assert!(now.center_exact().is_finite() && now.velocity().norm().is_finite());
                for &square in &squares {
                    let depth = depth(now.position(), square);
                    prop_assert!(depth <= LINEAR_SLOP, "{agent:?} is {depth} in {square:?}");
                }
                if now.kind() == BodyKind::Dynamic && now.contacts().next().is_none() {
                    let change = (now.velocity() - before).norm() / DT;
                    prop_assert!(change < 5.01, "{agent:?} accelerates by {change}");
                }
            }
        }
        crowd.assert_consistent();
        world.assert_consistent();
    }
}

/// Two groups of walkers, larger than one task of the pool, that exchange places, and crates between them.
fn crossing(threads: u32) -> (World, CrowdController) {
    let mut world = World::new(WorldDef {
        threads,
        ..WorldDef::weightless()
    });
    let mut crowd = CrowdController::default();
    for i in 0..320u16 {
        let side = if i % 2 == 0 { -1.0 } else { 1.0 };
        let (column, row) = (f32::from(i / 2 % 10), f32::from(i / 20));
        let (x, y) = (side * (4.0 + 0.8 * column), 0.8 * row);
        let (agent, _) = walker(&mut world, &mut crowd, x, y);
        crowd.follow(agent, Route::through([(-x, y)]));
    }
    for i in 0..8u8 {
        let crate_ = BodyDef {
            linear_damping: 1.0,
            ..BodyDef::dynamic().position(0.0, 1.5 * f32::from(i))
        };
        add(&mut world, crate_, block(0.3, 0.3));
    }
    (world, crowd)
}

#[test]
fn same_bits_for_any_thread_count_and_after_a_clone() {
    let run_with = |threads: u32| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads as usize)
            .build()
            .unwrap();
        pool.install(|| {
            let (mut world, mut crowd) = crossing(threads);
            run(&mut world, &mut crowd, 2.0);
            let mut copies = (world.clone(), crowd.clone());
            run(&mut world, &mut crowd, 2.0);
            run(&mut copies.0, &mut copies.1, 2.0);
            let state = [world.state_hash(), crowd.crowd().state_hash()];
            assert_eq!(
                state,
                [copies.0.state_hash(), copies.1.crowd().state_hash()]
            );
            state
        })
    };
    let alone = run_with(1);
    assert_eq!(alone, run_with(2));
    assert_eq!(alone, run_with(4));
}
