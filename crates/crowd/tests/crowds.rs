//! Whole crowds: no agent is stuck, none overlap, and nothing depends on order or threads.

#[expect(dead_code, reason = "the quality table uses more of it")]
mod scenes;

use cairn2d_crowd::{AgentDef, AgentId, Crowd, CrowdDef, Model};
use cairn2d_geometry::math::{PI, Vec2, WorldPoint, vec2};
use proptest::prelude::*;
use scenes::run::Run;
use scenes::{Scene, blocks, circle, corridor, crossing, mirrored_circle, pair, random, ring};

const STEP: f32 = 0.25;

fn free_time(scene: &Scene) -> f32 {
    (scene.goals[0] - scene.agents[0].position).norm() - scene.reach
}

/// Exactly symmetric rings stop forever if all yield alike; the bias lets them turn.
#[test]
fn no_symmetric_ring_sticks() {
    for (step, most) in [(STEP, 1.4), (1.0 / 60.0, 1.32)] {
        let mut sum = 0.0;
        for n in 2..=30 {
            let scene = ring(n, (0.8 * n as f32).max(10.0));
            let free = free_time(&scene);
            let report = Run::new(&scene).until_all_arrive(step, 5.0 * free);
            assert_eq!(report.arrived(), 1.0, "ring of {n}");
            assert!(
                report.deepest < 1e-2,
                "ring of {n} overlaps by {}",
                report.deepest
            );
            sum += report.mean_time() / free;
        }
        let mean = sum / 29.0;
        assert!(mean < most, "mean time over free time {mean} at {step} s");
    }
}

#[test]
fn no_mirrored_circle_sticks() {
    for n in (8..=128).step_by(8) {
        let scene = mirrored_circle(n);
        let report = Run::new(&scene).until_all_arrive(STEP, 4.0 * free_time(&scene));
        assert_eq!(report.arrived(), 1.0, "{n} agents");
        assert!(
            report.deepest < 1e-2,
            "{n} agents overlap by {}",
            report.deepest
        );
    }
}

#[test]
fn two_head_on_pass_in_every_direction() {
    for degrees in 0..360 {
        let scene = pair(degrees as f32 * PI / 180.0);
        let report = Run::new(&scene).until_all_arrive(STEP, 60.0);
        assert_eq!(report.arrived(), 1.0, "{degrees} degrees");
        // Alone they need 18.5 s. When rounding chose the side, some needed 23.
        let last = report.time_of(1.0);
        assert!(last <= 19.2, "{degrees} degrees: {last} s");
        assert!(
            report.deepest < 1e-3 / 3.0,
            "{degrees} degrees: {}",
            report.deepest
        );
    }
}

#[test]
fn a_circle_of_a_hundred_crosses_in_time_without_overlap() {
    let report = Run::new(&circle(100)).until_all_arrive(STEP, 400.0);
    assert!(report.time_of(1.0) <= 220.0, "{}", report.time_of(1.0));
    assert!(report.deepest <= 1e-2, "{}", report.deepest);
}

#[test]
fn streams_pass_through_each_other() {
    for scene in [corridor(), crossing()] {
        let report = Run::new(&scene).until_all_arrive(STEP, 200.0);
        assert_eq!(report.arrived(), 1.0);
        let free = free_time(&scene);
        assert!(report.time_of(1.0) <= 1.5 * free, "{}", report.time_of(1.0));
        assert!(report.deepest <= 1e-2, "{}", report.deepest);
        assert!(report.wall <= 1e-3, "{}", report.wall);
    }
}

/// A jam forms where all paths cross. Packed tightly, and with preferred velocities that stayed turned, 95 % took 109, 82 and
/// 99 s, and all of them 134 to 144 s; now 64 to 90 s and 79 to 114 s.
#[test]
fn dense_crowds_come_through_their_jam() {
    let mut most = 0.0;
    for seed in 1..=3 {
        let report = Run::new(&random(300, 0.3, seed)).until_all_arrive(STEP, 200.0);
        assert_eq!(report.arrived(), 1.0, "seed {seed}");
        most += report.time_of(0.95);
    }
    assert!(most / 3.0 <= 85.0, "95 % arrived after {} s", most / 3.0);
}

/// An agent used to be wedged between a wall and an arrived agent, which saw no other move: for half a minute at this
/// step, forever at 1/60 s. An agent at rest now expects others to move at their preferred velocity.
#[test]
fn no_agent_is_wedged_by_arrived_ones() {
    for step in [STEP, 1.0 / 60.0] {
        let report = Run::new(&corridor()).until_all_arrive(step, 100.0);
        let last = report.time_of(1.0);
        assert!(last <= 60.0, "{last} s at steps of {step} s");
    }
}

#[test]
fn four_groups_cross_between_blocks_without_touching_them() {
    let report = Run::new(&blocks(3, 1)).until_all_arrive(STEP, 600.0);
    assert_eq!(report.arrived(), 1.0);
    assert!(report.wall <= 1e-3, "{}", report.wall);
    assert!(report.deepest <= 1e-2, "{}", report.deepest);
}

#[test]
fn a_single_agent_walks_straight() {
    let mut scene = ring(2, 30.0);
    scene.agents.truncate(1);
    scene.goals.truncate(1);
    // The last step leads past the bound of arrival, by up to its own length of 17 mm in 58 m.
    let report = Run::new(&scene).until_all_arrive(1.0 / 60.0, 100.0);
    assert!(
        (report.path_ratio - 1.0).abs() <= 1e-3,
        "{}",
        report.path_ratio
    );
}

fn run_hash(scene: &Scene, steps: usize, threads: u32) -> u64 {
    let mut run = Run::with(scene, on_threads(threads));
    for _ in 0..steps {
        run.step(STEP);
    }
    run.crowd.assert_consistent();
    run.crowd.state_hash()
}

#[test]
fn the_number_of_threads_does_not_show() {
    // Enough agents for all parallel loops; of one size, and of many.
    let alike = random(4000, 0.3, 7);
    let mut others = random(3000, 0.1, 8);
    for (i, agent) in (0..).zip(&mut others.agents) {
        agent.radius = 0.05 * f32::from(1 + i % 31_u16);
        agent.weight = f32::from(1 + i % 3);
    }
    for scene in [alike, others] {
        let one = run_hash(&scene, 40, 1);
        for threads in [2, 4, 8] {
            let many = run_hash(&scene, 40, threads);
            assert_eq!(many, one, "{threads} threads");
        }
    }
}

/// Returns the definition of a crowd that uses some threads.
fn on_threads(threads: u32) -> CrowdDef {
    CrowdDef {
        threads,
        ..CrowdDef::default()
    }
}

#[test]
fn parallel_preferred_velocities_equal_serial_ones() {
    for count in [100, 5000] {
        let scene = random(count, 0.3, 7);
        let mut crowd = Run::new(&scene).crowd;
        let wish = |id: AgentId, place| scenes::wish(place, scene.goals[id.index() as usize]);
        let mut want = crowd.clone();
        want.set_preferred_velocities(wish);
        crowd.set_def(on_threads(2));
        crowd.set_preferred_velocities(wish);
        assert_eq!(crowd.state_hash(), want.state_hash());
        let bad = |id: AgentId, _| Vec2::new(0.0, if id.index() == 70 { f32::NAN } else { 1.0 });
        let refused = std::panic::AssertUnwindSafe(|| {
            crowd.set_preferred_velocities(bad);
        });
        let refused = std::panic::catch_unwind(refused).unwrap_err();
        let text = refused.downcast_ref::<String>().unwrap();
        assert!(text.contains("preferred_velocity.y"), "{text}");
    }
}

#[test]
fn a_clone_is_a_snapshot() {
    for scene in [random(400, 0.3, 8), circle(40), corridor(), blocks(3, 1)] {
        let mut run = Run::new(&scene);
        for _ in 0..300 {
            run.step(STEP);
        }
        let mut copy = run.crowd.clone();
        for _ in 0..1000 {
            copy.step(STEP);
            run.crowd.step(STEP);
        }
        assert_eq!(copy.state_hash(), run.crowd.state_hash());
    }
}

/// Adds the agents in the given order and returns where they are after some steps, by agent.
fn walk_in_order(scene: &Scene, order: &[usize]) -> Vec<(u64, u64)> {
    let mut crowd = Crowd::default();
    let mut ids: Vec<Option<AgentId>> = vec![None; order.len()];
    for &i in order {
        let def = AgentDef {
            preferred_velocity: scenes::wish(scene.agents[i].position, scene.goals[i]),
            ..scene.agents[i]
        };
        ids[i] = Some(crowd.create_agent(def));
    }
    for _ in 0..60 {
        crowd.step(STEP);
    }
    let place = |id: &Option<AgentId>| {
        let p = crowd.agent(id.unwrap()).position();
        (p.x.to_bits(), p.y.to_bits())
    };
    ids.iter().map(place).collect()
}

#[test]
fn the_order_of_creation_does_not_show() {
    for scene in [random(200, 0.3, 3), circle(40)] {
        let forward: Vec<usize> = (0..scene.agents.len()).collect();
        let mut shuffled = forward.clone();
        let mut random = scenes::Random(11);
        shuffled.sort_by_cached_key(|_| random.unit().to_bits());
        assert_eq!(
            walk_in_order(&scene, &forward),
            walk_in_order(&scene, &shuffled)
        );
    }
}

/// A quarter turn is exact in floating-point numbers, and no formula prefers an axis.
#[test]
fn a_quarter_turn_of_the_crowd_turns_every_way() {
    let scene = random(150, 0.3, 12);
    let turn = |p: WorldPoint| WorldPoint::new(-p.y, p.x);
    let mut turned = scene.clone();
    turned
        .agents
        .iter_mut()
        .for_each(|a| a.position = turn(a.position));
    turned.goals.iter_mut().for_each(|g| *g = turn(*g));
    let (mut a, mut b) = (Run::new(&scene), Run::new(&turned));
    for _ in 0..60 {
        a.step(STEP);
        b.step(STEP);
    }
    for (a_id, b_id) in a.ids.iter().zip(&b.ids) {
        assert_eq!(
            turn(a.crowd.agent(*a_id).position()),
            b.crowd.agent(*b_id).position()
        );
    }
}

/// Two crowds that ignore each other walk as if each were alone, to the bit.
#[test]
fn crowds_of_disjoint_layers_are_two_crowds() {
    let (one, two) = (random(80, 0.3, 1), random(60, 0.3, 2));
    let mut both = Scene {
        agents: Vec::new(),
        goals: Vec::new(),
        ..one.clone()
    };
    let mut alone = Vec::new();
    for (scene, layer) in [(one, 1), (two, 2)] {
        let mut scene = scene;
        for def in &mut scene.agents {
            (def.layers, def.mask) = (layer, layer);
        }
        both.agents.extend(&scene.agents);
        both.goals.extend(&scene.goals);
        alone.push(Run::new(&scene));
    }
    let mut together = Run::new(&both);
    for _ in 0..60 {
        together.step(STEP);
        alone.iter_mut().for_each(|run| run.step(STEP));
    }
    let apart = alone
        .iter()
        .flat_map(|run| run.ids.iter().map(|id| run.crowd.agent(*id).position()));
    for (id, place) in together.ids.iter().zip(apart) {
        assert_eq!(together.crowd.agent(*id).position(), place);
    }
}

#[test]
fn a_crowd_far_away_behaves_as_at_the_origin() {
    let scene = random(100, 0.3, 4);
    let mut far = scene.clone();
    let shift = 1024.0 * 1024.0;
    far.agents.iter_mut().for_each(|a| a.position.x += shift);
    far.goals.iter_mut().for_each(|g| g.x += shift);
    let (mut near, mut far) = (Run::new(&scene), Run::new(&far));
    for _ in 0..40 {
        near.step(STEP);
        far.step(STEP);
    }
    for (a, b) in near.ids.iter().zip(&far.ids) {
        let (a, b) = (
            near.crowd.agent(*a).position(),
            far.crowd.agent(*b).position(),
        );
        assert!((b.x - shift - a.x).abs() < 0.05 && (b.y - a.y).abs() < 0.05);
    }
}

#[test]
fn agents_on_one_spot_part() {
    let mut crowd = Crowd::default();
    let ids: Vec<AgentId> = (0..40)
        .map(|_| crowd.create_agent(AgentDef::default()))
        .collect();
    for _ in 0..10 {
        crowd.step(0.1);
    }
    for (i, a) in ids.iter().enumerate() {
        for b in &ids[i + 1..] {
            assert!((crowd.agent(*a).position() - crowd.agent(*b).position()).norm() > 0.0);
        }
    }
    for _ in 0..200 {
        crowd.step(0.1);
    }
    let mut overlaps = 0;
    for (i, a) in ids.iter().enumerate() {
        for b in &ids[i + 1..] {
            overlaps += i32::from(
                (crowd.agent(*a).position() - crowd.agent(*b).position()).norm() < 0.6 * 0.99,
            );
        }
    }
    assert_eq!(overlaps, 0);
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![4 => -3.0f32..3.0, 1 => Just(0.0f32), 1 => -1e6f32..1e6]
}

fn measure() -> impl Strategy<Value = f32> {
    prop_oneof![4 => 0.0f32..3.0, 1 => Just(0.0f32), 1 => 0.0f32..1e4]
}

fn any_agent() -> impl Strategy<Value = AgentDef> {
    (
        (number(), number(), number(), number(), number(), number()),
        (
            measure(),
            measure(),
            measure(),
            measure(),
            measure(),
            measure(),
        ),
        (
            0usize..=32,
            0u8..3,
            prop_oneof![Just(f32::INFINITY), measure()],
            -1.5f32..1.5,
        ),
        (
            measure(),
            measure(),
            0usize..4,
            prop_oneof![Just(f32::INFINITY), measure()],
        ),
    )
        .prop_map(|(m, n, o, r)| AgentDef {
            position: (m.0, m.1).into(),
            velocity: vec2(m.2, m.3),
            preferred_velocity: vec2(m.4, m.5),
            radius: n.0,
            max_speed: n.1,
            neighbor_range: n.2,
            time_horizon: n.3,
            obstacle_horizon: n.4,
            weight: n.5,
            neighbor_limit: o.0,
            priority: o.1,
            max_acceleration: o.2,
            bias: o.3,
            recovery_time: r.0,
            recovery_speed: r.1,
            model: [
                Model::Orca,
                Model::Reciprocal,
                Model::Hybrid,
                Model::VelocityObstacle,
            ][r.2],
            max_turn_rate: r.3,
            ..AgentDef::default()
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// All accepted definitions lead to finite velocities within the limit.
    #[test]
    fn any_crowd_stays_finite_and_within_its_speed(
        agents in proptest::collection::vec(any_agent(), 1..12),
        walls in proptest::collection::vec(proptest::collection::vec((number(), number()), 2..6), 0..3),
        dt in prop_oneof![Just(0.0f32), 0.001f32..1.0],
    ) {
        let mut crowd = Crowd::default();
        let ids: Vec<AgentId> = agents.iter().map(|def| crowd.create_agent(def)).collect();
        for (i, wall) in walls.iter().enumerate() {
            let points: Vec<_> = wall.iter().map(|&(x, y)| cairn2d_geometry::math::point(x, y)).collect();
            let def = cairn2d_crowd::ObstacleDef::ring(points);
            let def = cairn2d_crowd::ObstacleDef { velocity: vec2(i as f32, 0.5), ..def };
            let _ = crowd.try_create_obstacle(&def);
        }
        for _ in 0..3 {
            crowd.step(dt);
            crowd.assert_consistent();
        }
        for (id, def) in ids.iter().zip(&agents) {
            let v: Vec2 = crowd.agent(*id).velocity();
            prop_assert!(v.x.is_finite() && v.y.is_finite());
            if def.max_acceleration.is_infinite() {
                prop_assert!(v.norm() <= def.max_speed * (1.0 + 1e-5) + 1e-6, "{} above {}", v.norm(), def.max_speed);
            }
        }
    }

    /// Agents that are apart do not come to overlap by more than the sweeps leave in a jam: 2 % of the sum of the radii.
    #[test]
    fn separate_agents_stay_apart(
        agents in proptest::collection::vec(
            ((-0.1f32..0.1, -0.1f32..0.1), 0.2f32..0.45, (-2.0f32..2.0, -2.0f32..2.0), 0u8..4), 2..30),
        dt in 0.01f32..0.25, spread in 1.1f32..2.0,
    ) {
        let mut crowd = Crowd::default();
        let def = |i: usize| {
            let (jitter, radius, preferred, model) = agents[i];
            AgentDef {
                radius,
                preferred_velocity: vec2(preferred.0, preferred.1),
                model: if model == 0 { Model::Reciprocal } else { Model::Orca },
                ..AgentDef::at((spread * (i % 5) as f32 + jitter.0, spread * (i / 5) as f32 + jitter.1))
            }
        };
        let ids: Vec<AgentId> = (0..agents.len()).map(|i| crowd.create_agent(def(i))).collect();
        for _ in 0..20 {
            crowd.step(dt);
            for (i, &a) in ids.iter().enumerate() {
                let a = crowd.agent(a);
                prop_assert!(a.velocity().norm() <= a.max_speed() * (1.0 + 1e-5));
                for &b in &ids[..i] {
                    let b = crowd.agent(b);
                    let reach = a.radius() + b.radius();
                    let depth = reach - (a.position() - b.position()).norm();
                    prop_assert!(depth <= 0.02 * reach, "{} of {}", depth, reach);
                }
            }
        }
    }
}
