//! A car with sprung wheels and driven axles crosses hills.

use cairn2d::prelude::*;

const DT: f32 = 1.0 / 60.0;

struct Car {
    chassis: BodyId,
    axles: [JointId; 2],
}

impl Car {
    fn new(world: &mut World, x: f32, y: f32) -> Self {
        let chassis = world.create_body(BodyDef::dynamic().position(x, y));
        let hull = Polygon::rounded_rectangle(1.3, 0.25, 0.1);
        world.create_shape(chassis, hull, ShapeDef::default());
        let axles = [-0.9, 0.9].map(|side| {
            let place = (x + side, y - 0.5);
            let wheel = world.create_body(BodyDef::dynamic().position(place.0, place.1));
            let tire = Circle::of_radius(0.4);
            world.create_shape(wheel, tire, ShapeDef::default().friction(1.5));
            let mut axle = WheelJointDef::new(chassis, wheel).at(world, place, vec2(0.0, 1.0));
            axle.spring = Some(Spring::new(4.0, 0.7));
            axle.limit = Some(Limit::new(-0.25, 0.25));
            world.create_joint(axle)
        });
        Self { chassis, axles }
    }

    /// Drives with `throttle` from -1 to 1; 0 brakes.
    fn drive(&self, world: &mut World, throttle: f32) {
        for axle in self.axles {
            // Clockwise wheels drive to the right.
            let motor = Motor::new(-25.0 * throttle, 12.0);
            world.joint_mut(axle).set_motor(Some(motor));
        }
    }
}

/// Drives for 20 s over hills; returns the end of the drive [m] and the speed after braking [m/s].
fn run() -> (f32, f32) {
    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_());
    let height = |i: i32| 0.8 * math::sin_cos(0.35 * i as f32).0;
    let hills: Vec<Point> = (-20..400).map(|i| point(i as f32, height(i))).collect();
    let hills = Chain::ground(&hills);
    world.create_chain(ground, &hills, ShapeDef::default().friction(0.9));
    let car = Car::new(&mut world, 0.0, 2.0);
    for frame in 0..1200 {
        car.drive(&mut world, if frame < 900 { 1.0 } else { 0.0 });
        world.step(DT);
    }
    let body = world.body(car.chassis);
    (body.position().x, body.velocity().norm())
}

fn main() {
    let (distance, speed) = run();
    println!("{distance:.0} m in 15 s, {speed:.2} m/s after 5 s of braking");
}

#[cfg(test)]
mod tests {
    #[test]
    fn car_crosses_the_hills_and_stops() {
        let (distance, speed) = super::run();
        assert!(distance > 60.0, "{distance}");
        assert!(speed < 0.2, "{speed}");
    }
}
