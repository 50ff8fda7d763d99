//! Fluids against Archimedes' principle and closed forms.

use crate::support::*;
use cairn2d_dynamics::{
    BodyDef, BodyId, Fluid, Locks, Recording, RecordingDef, ShapeDef, World, WorldDef,
};
use cairn2d_geometry::math::{PI, point, vec2};
use cairn2d_geometry::{Aabb, Ellipse, Polygon, Shape};

/// The exponentials of -2 and -3.
const DECAYS: [f32; 2] = [0.135_335_28, 0.049_787_07];

/// Water as dense as the usual shape, with its surface at this height.
fn water(height: f32) -> Fluid {
    Fluid::new((0.0, height), 1.0)
}

fn float(world: &mut World, fluid: &Fluid, steps: usize) {
    for _ in 0..steps {
        world.apply_fluid(fluid);
        step(world);
    }
}

/// The two slept while they bobbed: each counted as the support of the other.
#[test]
fn raft_with_cargo_sleeps_in_balance() {
    for half in [1.0, 5.0, 25.0] {
        let mut world = world();
        let sea = Fluid::new((0.0, 0.0), 10.0).drag(1.0, 1.0);
        let (height, cargo) = (0.16 * half, 0.052 * half);
        let hull = add(
            &mut world,
            BodyDef::dynamic().position(0.0, -0.04 * half),
            rect(half, height),
            ShapeDef::default().density(3.0),
        );
        add(
            &mut world,
            BodyDef::dynamic().position(0.0, -0.04 * half + height + cargo),
            rect(0.24 * half, cargo),
            ShapeDef::default().density(18.0),
        );
        float(&mut world, &sea, 3000);
        let mass: f32 = world.bodies().map(|body| body.mass()).sum();
        let submerged = world.body(hull).submerged_share(&sea) * 4.0 * half * height;
        close(10.0 * submerged / mass, 1.0, 2.0e-3);
        assert_eq!(awake_dynamic(&world), 0, "raft of {half} m");
    }
}

/// Adds a body that cannot turn.
fn upright(world: &mut World, shape: Shape, density: f32) -> BodyId {
    let def = BodyDef {
        locks: Locks::ROTATION,
        ..BodyDef::dynamic().position(0.0, 0.3)
    };
    let body = world.create_body(def);
    world.create_shape(body, shape, ShapeDef::default().density(density));
    body
}

/// Returns the height of the surface over the lowest point at which the share `ratio` of the area is below it, by
/// bisection of a sum of strips of the given width.
fn draft(ratio: f64, height: f64, width: impl Fn(f64) -> f64) -> f64 {
    let strips = 20_000;
    let thick = height / f64::from(strips);
    let at = |i: i32| width((f64::from(i) + 0.5) * thick) * thick;
    let whole: f64 = (0..strips).map(at).sum();
    let (mut sum, mut i) = (0.0, 0);
    while sum + at(i) < ratio * whole {
        sum += at(i);
        i += 1;
    }
    // Within the last strip.
    (f64::from(i) + (ratio * whole - sum) / at(i)) * thick
}

/// Width of a disc of the radius `r` at the height `z` over its lowest point.
fn chord(r: f64, z: f64) -> f64 {
    2.0 * (r * r - (z - r) * (z - r)).max(0.0).sqrt()
}

/// A shape, its lowest point in its frame, its height, and its width at a height over its lowest point.
struct Hull {
    shape: Shape,
    low: f64,
    height: f64,
    width: Box<dyn Fn(f64) -> f64>,
}

fn hulls() -> Vec<Hull> {
    let hull = |shape: Shape, low: f64, height: f64, width: Box<dyn Fn(f64) -> f64>| Hull {
        shape,
        low,
        height,
        width,
    };
    let cone = [point(0.0, -1.0), point(0.8, 0.6), point(-0.8, 0.6)];
    let ellipse = Ellipse::new(point(0.0, 0.0), 0.9, 0.4, 0.0);
    let standing = cairn2d_geometry::Capsule::new(point(0.0, -0.4), point(0.0, 0.4), 0.3);
    // A rounded rectangle: the width of its core, and a chord of its corners.
    let rounded = Polygon::rounded_rectangle(0.5, 0.3, 0.2);
    let corners = |z: f64| {
        let (r, whole) = (0.2, 1.0);
        let reach = if z < r {
            chord(r, z)
        } else if z > whole - r {
            chord(r, whole - z)
        } else {
            2.0 * r
        };
        1.0 + reach
    };
    vec![
        hull(disc(0.5).into(), -0.5, 1.0, Box::new(|z| chord(0.5, z))),
        hull(rect(0.7, 0.4).into(), -0.4, 0.8, Box::new(|_| 1.4)),
        hull(
            capsule(0.6, 0.25).into(),
            -0.25,
            0.5,
            Box::new(|z| 1.2 + chord(0.25, z)),
        ),
        hull(
            standing.into(),
            -0.7,
            1.4,
            Box::new(|z| {
                let near = if z < 0.3 {
                    z
                } else if z > 1.1 {
                    z - 0.8
                } else {
                    0.3
                };
                chord(0.3, near)
            }),
        ),
        hull(
            ellipse.into(),
            -0.4,
            0.8,
            Box::new(|z| 0.9 / 0.4 * chord(0.4, z)),
        ),
        hull(hull_of(&cone), -1.0, 1.6, Box::new(|z| z)),
        hull(rounded.into(), -0.5, 1.0, Box::new(corners)),
    ]
}

fn hull_of(points: &[cairn2d_geometry::math::Point]) -> Shape {
    Polygon::hull(points).into()
}

#[test]
fn every_shape_floats_at_the_depth_of_archimedes() {
    for hull in hulls() {
        for density in [0.1_f32, 0.35, 0.5, 0.8] {
            let mut world = world();
            let body = upright(&mut world, hull.shape.clone(), density);
            float(&mut world, &water(0.0), 1500);
            let expected = draft(density.into(), hull.height, &hull.width);
            let depth = -(f64::from(y(&world, body)) + hull.low);
            let error = (depth - expected).abs() / expected;
            assert!(
                error < 1.0e-3,
                "{:?} {density}: {depth} {expected}",
                hull.shape
            );
        }
    }
}

#[test]
fn floating_bodies_fall_asleep_and_stay_at_their_depth() {
    let mut world = world();
    let body = upright(&mut world, rect(0.5, 0.5).into(), 0.5);
    let fluid = water(0.0);
    float(&mut world, &fluid, 1500);
    assert!(!is_awake(&world, body));
    float(&mut world, &fluid, 60);
    assert!(!is_awake(&world, body));
    close(y(&world, body), 0.0, 5.0e-4);
    // The tide wakes it.
    float(
        &mut world,
        &Fluid {
            wakes: true,
            ..water(1.0)
        },
        1,
    );
    assert!(is_awake(&world, body));
    float(&mut world, &water(1.0), 1500);
    close(y(&world, body), 1.0, 5.0e-4);
}

#[test]
fn bobbing_without_drag_neither_grows_nor_dies() {
    // A box of half the density: m y'' = -density width g y, so the square of the rate is 2 g / height.
    let mut world = sleepless();
    let body = upright(&mut world, rect(0.5, 0.5).into(), 0.5);
    world.body_mut(body).set_pose((0.0, 0.2), 0.0);
    let fluid = water(0.0).drag(0.0, 0.0);
    let mut highest = [0.0_f32; 2];
    for i in 0..3600 {
        float(&mut world, &fluid, 1);
        let half = usize::from(i >= 3000);
        highest[half] = highest[half].max(y(&world, body));
    }
    assert!(highest[0] < 0.202 && highest[1] > 0.18, "{highest:?}");
}

#[test]
fn tilted_box_rights_itself_and_a_tall_one_falls_over() {
    // The metacenter of a box of breadth b and height h that floats at the share s is above its center if
    // b^2 / (12 s h) > (1 - s) h / 2.
    for (half_width, is_stable) in [(1.0, true), (0.3, false)] {
        let mut world = world();
        let def = BodyDef::dynamic().angle(0.1);
        let body = world.create_body(def);
        world.create_shape(
            body,
            rect(half_width, 0.5),
            ShapeDef::default().density(0.5),
        );
        float(&mut world, &water(0.0), 1200);
        let tilt = world.body(body).angle().abs();
        if is_stable {
            close(tilt, 0.0, 1.0e-3);
        } else {
            close(tilt, 0.5 * PI, 0.01);
        }
    }
}

#[test]
fn drag_takes_bodies_along_with_the_flow_at_its_rate() {
    // As dense as the fluid: v' = rate (flow - v).
    let mut world = weightless();
    let body = upright(&mut world, disc(0.5).into(), 1.0);
    let fluid = water(10.0).drag(2.0, 3.0).flow(vec2(4.0, 0.0));
    float(&mut world, &fluid, 60);
    close(world.body(body).velocity().x, 4.0 * (1.0 - DECAYS[0]), 0.05);
    let mut world = weightless();
    let spinning = solid(
        &mut world,
        BodyDef::dynamic().angular_velocity(5.0),
        rect(1.0, 0.2),
    );
    float(&mut world, &water(10.0).drag(0.0, 3.0), 60);
    close(
        world.body(spinning).angular_velocity(),
        5.0 * DECAYS[1],
        0.03,
    );
}

#[test]
fn light_bodies_under_strong_drag_stay_calm() {
    for density in [1.0e-4, 1.0e-2] {
        let mut world = world();
        let body = upright(&mut world, rect(0.5, 0.1).into(), density);
        world.body_mut(body).set_pose((0.0, -0.5), 0.0);
        let fluid = water(0.0).drag(200.0, 200.0).flow(vec2(1.0, 0.0));
        for _ in 0..600 {
            float(&mut world, &fluid, 1);
            assert!(speed(&world, body) < 40.0);
        }
        close(world.body(body).velocity().x, 1.0, 0.05);
    }
}

#[test]
fn fluid_ends_at_its_bounds_and_skips_sensors_and_disabled_shapes() {
    let mut world = world();
    let pool = Aabb::new(point(-1.0, -10.0), point(1.0, 0.0));
    let fluid = water(0.0).within(pool);
    let inside = crate_at(&mut world, 0.0, -1.0, 0.5);
    let outside = crate_at(&mut world, 5.0, -1.0, 0.5);
    assert_eq!(world.body(inside).submerged_share(&fluid), 1.0);
    assert_eq!(world.body(outside).submerged_share(&fluid), 0.0);
    close(
        world.body(inside).submerged_share(&water(-1.0)),
        0.5,
        1.0e-6,
    );
    let sensor = world.create_body(BodyDef::dynamic().position(0.0, -5.0));
    world.create_shape(sensor, rect(0.4, 0.4), ShapeDef::sensor());
    float(&mut world, &fluid, 1);
    // A body as dense as water hovers; bodies outside, and sensors, fall.
    close(world.body(inside).velocity().y, 0.0, 1.0e-5);
    close(world.body(outside).velocity().y, -G * DT, 1.0e-5);
    close(world.body(sensor).velocity().y, -G * DT, 1.0e-5);
    let shape = shape_of(&world, inside);
    world.shape_mut(shape).disable();
    float(&mut world, &fluid, 1);
    close(world.body(inside).velocity().y, -G * DT, 1.0e-5);
}

#[test]
fn compounds_and_far_bodies_float_alike() {
    let mut heights = Vec::new();
    for x in [0.0, 1.0e6] {
        let mut world = World::new(WorldDef::default());
        let def = BodyDef {
            locks: Locks::ROTATION,
            ..BodyDef::dynamic().position(x, 0.4)
        };
        let raft = world.create_body(def);
        for side in [-0.6, 0.6] {
            let log = Polygon::offset_rectangle(0.3, 0.4, point(side, 0.0), 0.0);
            world.create_shape(raft, log, ShapeDef::default().density(0.25));
        }
        float(&mut world, &Fluid::new((x, 0.0), 1.0), 1500);
        heights.push(world.body(raft).position_exact().y);
    }
    close(heights[0] as f32, 0.2, 2.0e-4);
    assert_eq!(heights[0], heights[1]);
}

#[test]
fn force_beyond_the_range_of_numbers_is_left_out_of_bodies_and_recordings() {
    let mut world = world();
    let body = ball_at(&mut world, 0.0, -1.0, 0.5);
    world.start_recording(RecordingDef::default());
    let storm = Fluid {
        velocity: vec2(3.0e28, 0.0),
        ..Fluid::new((0.0, 0.0), 1.0e10).drag(1.0e12, 0.5)
    };
    world.apply_fluid(&storm);
    step(&mut world);
    close(world.body(body).velocity().y, -G * DT, 1.0e-5);
    let recording = Recording::new(world.stop_recording());
    assert!(recording.is_ok(), "{recording:?}");
}

#[test]
#[should_panic(expected = "cannot apply the fluid: density is -1, which is negative")]
fn fluid_with_a_negative_density_is_refused() {
    world().apply_fluid(&Fluid::new((0.0, 0.0), -1.0));
}

#[test]
#[should_panic(expected = "length of up is 2")]
fn fluid_without_a_unit_normal_is_refused() {
    let fluid = Fluid {
        up: vec2(0.0, 2.0),
        ..water(0.0)
    };
    world().apply_fluid(&fluid);
}
