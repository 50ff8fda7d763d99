//! Far from the origin things fly and swing as at the origin.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, Filter, RevoluteJointDef, ShapeDef, World, WorldDef};
use cairn2d_geometry::math::WorldPoint;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Places relative to a base, and velocities of bodies: numbers that are compared to the bit.
type Ends = Vec<(f64, f64, f32, f32)>;

fn ends(world: &World, bodies: &[BodyId], base: f64) -> Ends {
    let end = |&body: &BodyId| {
        let body = world.body(body);
        let place = body.center_exact();
        let (x, y) = (place.x - base, place.y - base);
        (x, y, body.angle(), body.velocity().x)
    };
    bodies.iter().map(end).collect()
}

/// One thing that flies, alone or pinned to the one before.
#[derive(Clone, Debug)]
struct Thing {
    at: (f64, f64),
    angle: f32,
    velocity: (f32, f32),
    spin: f32,
    half: f32,
    is_pinned: bool,
}

fn things() -> impl Strategy<Value = Vec<Thing>> {
    // Multiples of the spacing of an f64 far out: places that both worlds can tell apart.
    let place = (-1024..1024_i32, -1024..1024_i32);
    let place = place.prop_map(|(x, y)| (f64::from(x) / 512.0, f64::from(y) / 512.0));
    let motion = ((-90.0..90.0_f32, -60.0..60.0_f32), -9.0..9.0_f32);
    let thing = (place, -3.0..3.0_f32, motion, 0.1..0.6_f32, any::<bool>());
    let thing = thing.prop_map(|(at, angle, (velocity, spin), half, is_pinned)| Thing {
        at,
        angle,
        velocity,
        spin,
        half,
        is_pinned,
    });
    prop::collection::vec(thing, 1..24)
}

/// Lets the things go around (`base`, `base`), and returns where they are after two seconds.
fn flown(things: &[Thing], base: f64) -> Ends {
    let mut world = World::new(WorldDef::default());
    let mut bodies: Vec<BodyId> = Vec::new();
    let mut lane = 0.0;
    for thing in things {
        let held = bodies.last().copied().filter(|_| thing.is_pinned);
        // Bodies without pins are far from the others, so that nothing touches.
        lane += if held.is_none() { 1000.0 } else { 0.0 };
        let position = WorldPoint::new(base + lane + thing.at.0, base + thing.at.1);
        let def = BodyDef {
            position,
            angle: thing.angle,
            angular_velocity: thing.spin,
            ..BodyDef::dynamic().velocity(thing.velocity.0, thing.velocity.1)
        };
        let nothing = ShapeDef::default().filter(Filter {
            mask: 0,
            ..Filter::default()
        });
        let body = add(&mut world, def, rect(thing.half, 0.5 * thing.half), nothing);
        if let Some(before) = held {
            let joint = RevoluteJointDef::new(before, body).at(&world, position);
            world.create_joint(joint);
        }
        bodies.push(body);
    }
    run(&mut world, 120);
    ends(&world, &bodies, base)
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(7), cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_flies_far_out_is_where_it_would_be_at_the_origin_to_the_bit(
        things in things(),
        base in prop::sample::select(vec![1.0e5, 1.0e6, 5.0e6, 1.0e7, -1.6e7]),
    ) {
        prop_assert_eq!(flown(&things, 0.0), flown(&things, base));
    }
}
