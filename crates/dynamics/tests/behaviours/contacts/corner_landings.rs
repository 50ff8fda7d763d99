//! Bodies that land fast on a corner: they turn like rigid bodies, whatever the ground is made of.

use crate::support::*;
use cairn2d_dynamics::{BodyDef, BodyId, ShapeDef, World};
use cairn2d_geometry::math::{Vec2, point, sin_cos, vec2};
use cairn2d_geometry::{HalfSpace, Polygon};

/// Grounds with their surface at y = 0.
const GROUNDS: [&str; 4] = ["polygon", "segment", "half-space", "heavy body"];

/// Shapes with the corners of a rectangle of 2 x 1 m.
const SHAPES: [&str; 3] = ["rectangle", "two squares", "rounded"];

fn reporting() -> ShapeDef {
    slippery().force_event_threshold(0.0)
}

fn add_ground(world: &mut World, kind: &str) {
    let def = reporting();
    let slab = Polygon::offset_rectangle(40.0, 1.0, point(0.0, -1.0), 0.0);
    let body = BodyDef::static_();
    match kind {
        "polygon" => add(world, body, slab, def),
        "segment" => add(world, body, segment((-40.0, 0.0), (40.0, 0.0)), def),
        "half-space" => {
            let ground = HalfSpace::new(point(0.0, 0.0), vec2(0.0, 1.0));
            add(world, body, ground, def)
        }
        _ => add(world, BodyDef::dynamic(), slab, def.density(1.0e6)),
    };
}

/// Adds a crate that falls; it is swept against dynamic bodies, too.
fn add_crate(world: &mut World, kind: &str, angle: f32, speed: f32) -> BodyId {
    let def = BodyDef {
        bullet: true,
        ..BodyDef::dynamic()
            .position(0.0, 3.0)
            .angle(angle)
            .velocity(0.0, -speed)
    };
    let body = world.create_body(def);
    match kind {
        "rectangle" => {
            world.create_shape(body, rect(1.0, 0.5), reporting());
        }
        "two squares" => {
            for x in [-0.5, 0.5] {
                let square = Polygon::offset_rectangle(0.5, 0.5, point(x, 0.0), 0.0);
                world.create_shape(body, square, reporting());
            }
        }
        _ => {
            let rounded = Polygon::rounded_rectangle(0.99, 0.49, 0.01);
            world.create_shape(body, rounded, reporting());
        }
    }
    body
}

/// Velocity and spin after a frictionless impact at the lowest corner: the impulse v / (1/m + x^2/I) at the arm x.
fn rigid_impact(mass: f32, inertia: f32, angle: f32, speed: f32) -> (f32, f32) {
    let (s, c) = sin_cos(angle);
    let corners = [(-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)];
    let placed = corners.map(|(x, y)| vec2(c * x - s * y, s * x + c * y));
    let lowest = |a: Vec2, b: Vec2| if b.y < a.y { b } else { a };
    let arm = placed.into_iter().reduce(lowest).unwrap().x;
    let impulse = speed / (1.0 / mass + arm * arm / inertia);
    (impulse / mass - speed, arm * impulse / inertia)
}

#[test]
fn crate_that_lands_on_a_corner_is_turned_by_the_impact() {
    // Cause: vertices above the ground were stopped at a distance, and a crate of 28 m/s stood still on its corner.
    for ground in GROUNDS {
        for shape in SHAPES {
            for (angle, speed) in [
                (0.3, 8.0),
                (0.45, 28.0),
                (0.7, 40.0),
                (-0.6, 28.0),
                (2.6, 15.0),
            ] {
                let mut world = weightless();
                add_ground(&mut world, ground);
                let body = add_crate(&mut world, shape, angle, speed);
                let (mass, inertia) = (world.body(body).mass(), world.body(body).inertia());
                let (v, spin) = rigid_impact(mass, inertia, angle, speed);
                let hit = (0..60).find(|_| {
                    step(&mut world);
                    !world.contact_forces().is_empty()
                });
                assert!(hit.is_some());
                let found = world.body(body);
                let case = format!("{shape} on {ground} at {angle} rad, {speed} m/s");
                // The arm changes while the crate turns within the step.
                let off = (found.velocity().y - v).abs() / speed;
                assert!(off < 0.06, "{case}: {} of {v} m/s", found.velocity().y);
                let off = (found.angular_velocity() - spin).abs() / spin.abs();
                assert!(
                    off < 0.1,
                    "{case}: {} of {spin} rad/s",
                    found.angular_velocity()
                );
            }
        }
    }
}

#[test]
fn reported_impulses_of_a_landing_are_its_change_of_momentum() {
    let mut random = Random::new(4);
    for ground in GROUNDS {
        for shape in SHAPES {
            for _ in 0..8 {
                let mut world = weightless();
                add_ground(&mut world, ground);
                let (angle, speed) = (random.range(0.0, 6.0), random.range(2.0, 50.0));
                let body = add_crate(&mut world, shape, angle, speed);
                let mass = world.body(body).mass();
                for _ in 0..40 {
                    let before = world.body(body).velocity().y;
                    world.step(DT);
                    let change = mass * (world.body(body).velocity().y - before);
                    let forces: f32 = world.contact_forces().iter().map(|event| event.force).sum();
                    let missing = (forces * DT - change).abs() / (mass * speed);
                    assert!(
                        missing < 1.0e-4,
                        "{shape} on {ground} at {angle} rad, {speed} m/s: {missing}"
                    );
                }
            }
        }
    }
}
