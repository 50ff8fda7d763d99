//! Bodies that rock: their energy neither grows nor soon vanishes.

use cairn2d_dynamics::{BodyDef, ShapeDef, World, WorldDef};
use cairn2d_geometry::math::Point;
use cairn2d_geometry::{Circle, Ellipse, Polygon, Shape};

/// Seconds that a body rocks.
const SECONDS: f32 = 10.0;

/// Shares of the energy of the first second that are left at most at any time, and at the end.
struct Shares {
    greatest: f64,
    last: f64,
}

impl Shares {
    /// Within a swing the energy goes up and down by a hundredth; an ellipse is taken for its arc, which costs some.
    fn check(&self, name: &str) {
        let Self { greatest, last } = *self;
        assert!(greatest < 1.02, "{name}: {greatest:.3} of the first energy");
        assert!(last > 0.75, "{name}: {last:.3} of the first energy is left");
    }
}

/// Lets a body with `shapes` go at `height` and `tilt` on fixed ground, whose lowest potential energy is that of
/// `lowest`, and returns the shares of its energy of rocking, after a second for its landing.
fn rocked(shapes: &[(Shape, f32)], height: f32, tilt: f32, lowest: f32, hz: f32) -> Shares {
    let mut world = World::new(WorldDef::default());
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    world.create_shape(ground, Polygon::rectangle(20.0, 1.0), ShapeDef::default());
    let body = world.create_body(BodyDef::dynamic().position(0.0, height).angle(tilt));
    for (shape, density) in shapes {
        world.create_shape(body, shape.clone(), ShapeDef::default().density(*density));
    }
    world.body_mut(body).set_can_sleep(false);
    let energy = |world: &World| {
        let body = world.body(body);
        let fall = 10.0 * (body.center_exact().y - f64::from(lowest));
        let (speed, spin) = (
            f64::from(body.velocity().norm()),
            f64::from(body.angular_velocity()),
        );
        f64::from(body.mass()) * (fall + 0.5 * speed * speed)
            + 0.5 * f64::from(body.inertia()) * spin * spin
    };
    let steps = |seconds: f32| (seconds * hz) as u32;
    for _ in 0..steps(1.0) {
        world.step(1.0 / hz);
    }
    let first = energy(&world);
    let mut greatest = first;
    for _ in 0..steps(SECONDS) {
        world.step(1.0 / hz);
        greatest = greatest.max(energy(&world));
    }
    Shares {
        greatest: greatest / first,
        last: energy(&world) / first,
    }
}

#[test]
fn rocking_ellipses_keep_their_energy() {
    for (rx, ry) in [(0.38, 0.22), (1.0, 0.5), (0.1, 0.08)] {
        for hz in [30.0, 60.0, 120.0] {
            let ellipse = Ellipse::new(Point::origin(), rx, ry, 0.0).into();
            let shares = rocked(&[(ellipse, 1.0)], 1.02 * ry, 0.15, ry, hz);
            shares.check(&format!("{rx} x {ry} m at {hz} Hz"));
        }
    }
}

#[test]
fn rocking_roly_polies_keep_their_energy() {
    for hz in [30.0, 60.0, 120.0] {
        let round = (Circle::new(Point::origin(), 0.5).into(), 0.2);
        let weight = (Circle::new(Point::new(0.0, -0.3), 0.15).into(), 5.0);
        let shares = rocked(&[round, weight], 0.5, 0.5, 0.0, hz);
        shares.check(&format!("roly-poly at {hz} Hz"));
    }
}

#[test]
fn ellipse_on_a_plank_that_moves_gains_no_energy() {
    for hz in [30.0, 60.0, 120.0] {
        let mut world = World::new(WorldDef::default());
        let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
        world.create_shape(ground, Polygon::rectangle(20.0, 1.0), ShapeDef::default());
        let plank = world.create_body(BodyDef::dynamic().position(0.0, 0.25));
        world.create_shape(plank, Polygon::rectangle(1.5, 0.25), ShapeDef::default());
        let ellipse = world.create_body(BodyDef::dynamic().position(0.0, 0.75).angle(0.2));
        let shape = Ellipse::new(Point::origin(), 0.38, 0.22, 0.0);
        world.create_shape(ellipse, shape, ShapeDef::default());
        world.body_mut(ellipse).set_can_sleep(false);
        let energy = |world: &World| {
            let of_body = |body| {
                let body = world.body(body);
                let spin = f64::from(body.angular_velocity());
                let height = body.center_exact().y;
                f64::from(body.mass())
                    * (10.0 * height + 0.5 * f64::from(body.velocity().norm_squared()))
                    + 0.5 * f64::from(body.inertia()) * spin * spin
            };
            of_body(plank) + of_body(ellipse)
        };
        let run = |world: &mut World, seconds: f32| {
            for _ in 0..(seconds * hz) as u32 {
                world.step(1.0 / hz);
            }
        };
        run(&mut world, 1.0);
        let first = energy(&world);
        run(&mut world, 20.0);
        let gain = energy(&world) - first;
        assert!(gain < 1.0e-3, "{hz} Hz: {gain} J");
    }
}
