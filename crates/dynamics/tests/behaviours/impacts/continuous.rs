//! Fast bodies do not pass through things.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, ShapeDef, World, WorldDef};
use cairn2d_geometry::math::{WorldPoint, point, sin_cos, vec2};
use cairn2d_geometry::{Chain, ChainKind, Polygon};

/// A weightless world with a wall 0.1 m thick at the origin.
fn walled() -> World {
    let mut world = weightless();
    solid(&mut world, BodyDef::static_(), rect(0.05, 5.0));
    world
}

#[test]
fn fast_box_stops_at_a_thin_wall_that_is_static_or_kinematic() {
    for kinematic in [false, true] {
        let mut world = walled();
        if kinematic {
            let wall = world.bodies().next().unwrap().id();
            world
                .body_mut(wall)
                .set_kind(cairn2d_dynamics::BodyKind::Kinematic);
        }
        let body = solid(
            &mut world,
            BodyDef::dynamic().position(-3.0, 0.0).velocity(200.0, 0.0),
            rect(0.1, 0.1),
        );
        for _ in 0..120 {
            step(&mut world);
            assert!(x(&world, body) < 0.0);
        }
    }
}

#[test]
fn usual_boxes_that_meet_head_on_do_not_pass_each_other() {
    let mut world = weightless();
    let [a, b] = [-3.0, 3.0].map(|x: f32| {
        let def = BodyDef::dynamic()
            .position(x, 0.0)
            .velocity(-200.0 * x.signum(), 0.0);
        solid(&mut world, def, rect(0.1, 0.1))
    });
    for _ in 0..30 {
        step(&mut world);
        assert!(x(&world, a) < x(&world, b));
    }
}

#[test]
fn fast_box_passes_when_sweeping_is_off() {
    // Proves that the scene above is fast enough to mean something.
    let mut world = World::new(WorldDef {
        continuous: false,
        ..WorldDef::weightless()
    });
    solid(&mut world, BodyDef::static_(), rect(0.05, 5.0));
    let body = solid(
        &mut world,
        BodyDef::dynamic().position(-3.0, 0.0).velocity(200.0, 0.0),
        rect(0.1, 0.1),
    );
    run(&mut world, 60);
    assert!(x(&world, body) > 1.0);
}

#[test]
fn bullet_stops_at_a_wall_wherever_it_is() {
    for base in [0.0, 1.0e7] {
        let mut world = weightless();
        let at = |x: f64, def: BodyDef| BodyDef {
            position: WorldPoint::new(base + x, base),
            ..def
        };
        solid(&mut world, at(0.0, BodyDef::static_()), rect(0.05, 5.0));
        let def = BodyDef {
            bullet: true,
            ..BodyDef::dynamic().velocity(-200.0, 0.0)
        };
        let bullet = solid(&mut world, at(10.0, def), disc(0.1));
        run(&mut world, 30);
        let place = world.body(bullet).position_exact().x - base;
        assert!((0.0..0.5).contains(&place), "{place}");
    }
}

#[test]
fn bullet_hits_a_dynamic_body() {
    let mut world = weightless();
    let target = solid(&mut world, BodyDef::dynamic(), rect(0.2, 0.2));
    let def = BodyDef {
        bullet: true,
        ..BodyDef::dynamic().position(-5.0, 0.0).velocity(200.0, 0.0)
    };
    let bullet = solid(&mut world, def, rect(0.1, 0.1));
    run(&mut world, 60);
    assert!(x(&world, target) > 0.05);
    assert!(x(&world, bullet) < x(&world, target));
}

#[test]
fn impact_takes_no_velocity_before_it_is_solved() {
    let mut world = weightless();
    solid(&mut world, BodyDef::static_(), rect(0.1, 10.0));
    let def = BodyDef::dynamic().position(-4.0, 0.0).velocity(400.0, 0.0);
    let body = solid(&mut world, def, disc(0.2));
    step(&mut world);
    assert!((-1.0..0.0).contains(&x(&world, body)));
    close(world.body(body).velocity().x, 400.0, 1.0e-3);
}

#[test]
fn sliding_fast_on_the_floor_does_not_freeze() {
    let mut world = world();
    ground_of(&mut world, slippery());
    let def = BodyDef::dynamic().position(-5.0, 0.195).velocity(50.0, 0.0);
    let body = add(&mut world, def, disc(0.2), slippery());
    run(&mut world, 30);
    assert!(x(&world, body) > 15.0);
}

#[test]
fn long_steps_make_no_hitch_in_mid_air() {
    let mut world = weightless();
    solid(
        &mut world,
        BodyDef::static_().position(13.2, 0.0),
        rect(1.0, 10.0),
    );
    let body = solid(
        &mut world,
        BodyDef::dynamic().velocity(20.0, 0.0),
        disc(0.5),
    );
    for i in 1..=10 {
        world.step(0.25);
        world.assert_consistent();
        if i <= 2 {
            close(x(&world, body), 5.0 * i as f32, 1.0e-3);
        }
    }
    assert!(
        (11.35..11.71).contains(&x(&world, body)),
        "{}",
        x(&world, body)
    );
    assert!(speed(&world, body) < 0.1);
}

#[test]
fn walls_of_one_line_hold_from_their_solid_side() {
    for chain in [false, true] {
        let mut world = weightless();
        let wall = world.create_body(BodyDef::static_());
        if chain {
            // Solid on the right of its direction: downward, that is the side of -x.
            let points = [(0.0, 15.0), (0.0, 5.0), (0.0, -5.0), (0.0, -15.0)];
            add_chain(&mut world, wall, &points, ChainKind::Open);
        } else {
            let line = segment((0.0, 15.0), (0.0, -15.0));
            world.create_shape(wall, line, ShapeDef::default());
        }
        let def = BodyDef::dynamic().position(-4.0, 0.0).velocity(400.0, 0.0);
        let body = solid(&mut world, def, disc(0.2));
        run(&mut world, 120);
        assert!(x(&world, body) < 0.2, "chain {chain}: {}", x(&world, body));
    }
}

#[test]
fn tiny_sliver_far_from_its_origin_lands() {
    let mut world = world();
    solid(
        &mut world,
        BodyDef::static_(),
        segment((-20.0, 0.0), (20.0, 0.0)),
    );
    let shape = hull(&[(48.76, -60.57), (48.74, -60.54), (48.68, -60.56)]);
    let body = solid(&mut world, BodyDef::dynamic().position(-48.0, 62.0), shape);
    for _ in 0..600 {
        step(&mut world);
        assert!(world.body(body).center().y > 0.0);
    }
    assert!(world.body(body).center().y < 0.03);
    assert!(!is_awake(&world, body));
}

#[test]
fn spinning_rods_shot_at_the_floor_stay_above_it() {
    let mut random = Random::new(6);
    for i in 0..200 {
        let mut world = world();
        solid(
            &mut world,
            BodyDef::static_(),
            segment((-20.0, 0.0), (20.0, 0.0)),
        );
        solid(
            &mut world,
            BodyDef::static_().position(0.0, 0.1),
            rect(0.1, 0.1),
        );
        let def = BodyDef {
            angular_velocity: random.range(-50.0, 50.0),
            ..BodyDef::dynamic().position(0.0, 8.0).velocity(0.0, -100.0)
        };
        let body = if i % 2 == 0 {
            solid(&mut world, def, rect(0.1, 1.0))
        } else {
            solid(&mut world, def, capsule(1.0, 0.1))
        };
        for _ in 0..60 {
            world.step(DT);
            // The floor ends at 20 m.
            let place = world.body(body).position();
            assert!(place.y > 0.0 || place.x.abs() > 19.0, "shot {i}: {place}");
        }
    }
}

#[test]
fn passing_by_a_corner_changes_no_velocity() {
    // 15 mm beyond the corner: nearer than the distance at which contacts are made, and still no touch.
    let mut world = weightless();
    solid(
        &mut world,
        BodyDef::static_().position(0.0, 0.9),
        rect(1.0, 0.1),
    );
    let gap = 0.015 / core::f32::consts::SQRT_2;
    let (dx, dy) = (1.25 + gap, 1.25 + gap);
    let start = vec2(dx - 1.0, dy + 1.0);
    let def = BodyDef::dynamic()
        .position(start.x, start.y)
        .velocity(7.5, -7.5);
    let body = solid(&mut world, def, rect(0.25, 0.25));
    run(&mut world, 30);
    assert_eq!(world.body(body).velocity(), vec2(7.5, -7.5));
}

#[test]
fn filtered_shapes_do_not_stop_a_fast_body() {
    let mut world = weightless();
    add(&mut world, BodyDef::static_(), disc(0.5), filtered(2, 2));
    let def = BodyDef {
        bullet: true,
        ..BodyDef::dynamic().position(-5.0, 0.0).velocity(200.0, 0.0)
    };
    let body = add(&mut world, def, disc(0.5), filtered(1, 1));
    run(&mut world, 5);
    assert!(x(&world, body) > 10.0);
}

#[test]
fn slab_made_dynamic_and_turned_static_stops_a_bullet() {
    // Catches a local center or sweep that is stale after the change of kind.
    let mut world = world();
    let slab = world.create_body(BodyDef::dynamic());
    let far = Polygon::offset_rectangle(10.0, 1.0, point(58.0, 69.0), 0.0);
    world.create_shape(slab, far, ShapeDef::default());
    world
        .body_mut(slab)
        .set_kind(cairn2d_dynamics::BodyKind::Static);
    let def = BodyDef {
        bullet: true,
        ..BodyDef::dynamic()
            .position(52.0, 90.0)
            .velocity(50.0, -281.07)
    };
    let bullet = solid(&mut world, def, disc(0.3));
    for _ in 0..30 {
        step(&mut world);
        let place = world.body(bullet).position();
        assert!(place.x > 68.0 || place.y > 70.25, "{place}");
    }
}
#[test]
fn sliver_does_not_fall_through_a_line() {
    let mut world = world();
    solid(
        &mut world,
        BodyDef::static_(),
        segment((-20.0, 0.0), (20.0, 0.0)),
    );
    let sliver = hull(&[(-2.0, 0.0), (-1.0, 0.0), (2.0, 0.5)]);
    let def = BodyDef::dynamic().position(0.0, 8.0).velocity(0.0, -100.0);
    let body = solid(&mut world, def, sliver);
    for _ in 0..300 {
        step(&mut world);
        assert!(world.body(body).center().y > 0.0);
    }
    assert!(!is_awake(&world, body));
}

#[test]
fn seams_of_tiles_do_not_hold_a_rolling_bullet() {
    let mut world = world();
    let floor = world.create_body(BodyDef::static_());
    for i in 0..60 {
        let tile = Polygon::offset_rectangle(0.5, 0.5, point(i as f32, -0.5), 0.0);
        world.create_shape(floor, tile, slippery());
    }
    let def = BodyDef {
        bullet: true,
        ..BodyDef::dynamic().position(1.0, 0.2).velocity(30.0, 0.0)
    };
    let body = add(&mut world, def, disc(0.2), slippery());
    for _ in 0..90 {
        let before = x(&world, body);
        step(&mut world);
        assert!(x(&world, body) - before >= 0.2 * 30.0 * DT);
    }
}

#[test]
fn shot_into_a_wedge_stays_inside() {
    for speed in [35.0, 50.0, 70.0, 100.0, 200.0, 400.0] {
        let mut world = world();
        let wedge = world.create_body(BodyDef::static_());
        for (a, b) in [((-4.0, 8.0), (0.0, 0.0)), ((0.0, 0.0), (0.0, 8.0))] {
            world.create_shape(wedge, segment(a, b), ShapeDef::default());
        }
        let def = BodyDef::dynamic()
            .position(-0.45, 10.75)
            .velocity(0.0, -speed);
        let body = solid(&mut world, def, disc(0.3));
        for _ in 0..300 {
            step(&mut world);
            // The sweeps solve one side after the other: for a step it is in the wall by an eighth of its radius.
            let wall = x(&world, body) + 0.3;
            assert!(wall < 0.15 * 0.3, "{speed} m/s: {wall} m into the wall");
            assert!(y(&world, body) > 0.0);
        }
        // It jams where the shot left it: the angle of the wedge is less than twice that of friction. The slope
        // y = -2 x is a radius away.
        close(x(&world, body), -0.3, 0.08 * 0.3);
        let distance = (2.0 * x(&world, body) + y(&world, body)) / 5.0_f32.sqrt();
        close(distance, 0.3, 0.08 * 0.3);
    }
}

#[test]
fn what_falls_is_not_seen_in_the_ground() {
    // A body that touches nothing may enter things by a fifth of its half thickness.
    for i in 0..20 {
        let mut world = world();
        ground(&mut world);
        let height = 0.5 + 0.5 + 0.73 * i as f32;
        let (ball, block) = (disc(0.5), rect(0.5, 0.5));
        let bodies = [
            solid(&mut world, BodyDef::dynamic().position(-5.0, height), ball),
            solid(&mut world, BodyDef::dynamic().position(5.0, height), block),
        ];
        for _ in 0..180 {
            step(&mut world);
            for body in bodies {
                let overlap = 0.5 - y(&world, body);
                assert!(overlap < 0.2 * 0.5 + SLOP, "from {height} m: {overlap}");
            }
        }
    }
}

#[test]
fn fast_body_passes_a_chain_from_its_open_side_in_time() {
    for speed in [10.0, 60.0, 300.0] {
        let mut world = weightless();
        let chain = world.create_body(BodyDef::static_());
        let points = [-4.0, -2.0, 0.0, 2.0, 4.0].map(|x| point(x, 0.0));
        let points = Chain::ground(&points);
        world.create_chain(chain, &points, ShapeDef::default());
        let def = BodyDef::dynamic().position(0.3, -5.0).velocity(0.0, speed);
        let body = solid(&mut world, def, disc(0.3));
        run(&mut world, 60);
        close(y(&world, body), speed - 5.0, 1.0e-3 * speed);
        world.body_mut(body).set_velocity(vec2(0.0, -speed));
        run(&mut world, 60);
        assert!(y(&world, body) > 0.2);
    }
}

#[test]
fn small_ball_that_is_swept_at_each_bounce_keeps_its_apex() {
    // It falls by its diameter and more in a step: each bounce begins with a step cut short.
    let mut world = sleepless();
    let steel = ShapeDef::default().restitution(1.0).friction(0.0);
    ground_of(&mut world, steel);
    let body = add(
        &mut world,
        BodyDef::dynamic().position(0.0, 5.05),
        disc(0.05),
        steel,
    );
    let (mut rising, mut apexes) = (false, 0);
    for _ in 0..1200 {
        step(&mut world);
        let up = world.body(body).velocity().y > 0.0;
        if rising && !up {
            close((y(&world, body) - 0.05) / 5.0, 1.0, 5.0e-3);
            apexes += 1;
        }
        rising = up;
    }
    assert!(apexes > 8, "{apexes}");
}

#[test]
fn bullet_passes_a_gap_of_a_few_millimeters_without_a_touch() {
    for (gap, bullet) in [(0.0033, false), (0.0033, true), (0.001, true)] {
        let mut world = weightless();
        let wall = 0.5;
        solid(
            &mut world,
            BodyDef::static_().position(1.0 + 0.5 * wall, 0.0),
            rect(0.5 * wall, 2.0),
        );
        let core = 0.4 - gap - 0.1;
        let rounded = Polygon::rounded_rectangle(core, core, 0.1);
        let def = BodyDef {
            bullet,
            ..BodyDef::dynamic().position(0.6, -6.0).velocity(0.0, 15.0)
        };
        let box_ = solid(&mut world, def, rounded);
        run(&mut world, 120);
        let body = world.body(box_);
        assert_eq!(body.velocity(), vec2(0.0, 15.0), "gap {gap}");
        assert_eq!(body.angular_velocity(), 0.0);
    }
}

#[test]
fn two_that_are_held_at_their_impact_keep_their_common_centre() {
    // Bodies that collided move on together until the step ends: neither is moved back at the other's cost.
    for (mass_a, mass_b) in [(1.0, 1.0), (1.0, 3.0), (1000.0, 1.0)] {
        let mut world = weightless();
        let shot = |world: &mut World, x: f32, speed: f32, mass: f32| {
            let def = BodyDef {
                bullet: true,
                ..BodyDef::dynamic().position(x, 0.0).velocity(speed, 0.0)
            };
            let shape = ShapeDef::default().density(mass / 0.16);
            add(world, def, rect(0.2, 0.2), shape)
        };
        let a = shot(&mut world, -1.0, 90.0, mass_a);
        let b = shot(&mut world, 1.0, -60.0, mass_b);
        let share = mass_b / (mass_a + mass_b);
        let center = |world: &World| {
            let (a, b) = (world.body(a).center(), world.body(b).center());
            a.x + share * (b.x - a.x)
        };
        let start = center(&world);
        let speed = 90.0 * (1.0 - share) - 60.0 * share;
        for i in 1..=10 {
            step(&mut world);
            // Overlaps of rounding size are pushed apart by less than a slop.
            close(center(&world), start + speed * DT * i as f32, 1.0e-3);
            assert!(x(&world, b) > x(&world, a));
        }
    }
}

#[test]
fn thin_plate_hung_far_from_its_centre_does_not_pass_a_wedge() {
    let mut world = world();
    solid(
        &mut world,
        BodyDef::static_(),
        hull(&[(-0.1, 0.0), (0.1, 0.0), (0.0, 4.1)]),
    );
    solid(
        &mut world,
        BodyDef::static_(),
        segment((-20.0, 0.0), (20.0, 0.0)),
    );
    let plate = Polygon::offset_rectangle(2.0, 0.05, point(-8.0, 0.0), 0.0);
    let def = BodyDef::dynamic().position(8.0, 12.0).velocity(0.0, -100.0);
    let body = solid(&mut world, def, plate);
    for _ in 0..60 {
        step(&mut world);
        let center = world.body(body).center();
        assert!(center.y > 4.145, "{center}");
    }
}

#[test]
fn box_that_lands_on_a_corner_does_not_turn_into_the_ground() {
    // Its other corner was beyond the points of the contact, and was turned into the ground within the step: by 8 cm at 10 m/s and 44 at 100.
    for tilt in [0.01_f32, 0.05, 0.1, 0.3] {
        for speed in [10.0, 30.0, 100.0] {
            let mut world = sleepless();
            ground(&mut world);
            let (sin, cos) = sin_cos(tilt);
            let def = BodyDef::dynamic()
                .position(0.0, 0.1 + 0.5 * (sin + cos))
                .angle(tilt)
                .velocity(0.0, -speed);
            let body = solid(&mut world, def, rect(0.5, 0.5));
            for _ in 0..120 {
                step(&mut world);
                for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
                    let corner = world.body(body).to_world(point(x, y));
                    assert!(corner.y > -SLOP, "tilt {tilt}, {speed} m/s: {}", corner.y);
                }
            }
            assert!(world.body(body).velocity().norm() < 0.1);
        }
    }
}
