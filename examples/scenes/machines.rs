//! Machines: drums, cars, doors, lifts, walkers and figures.

use crate::kit::{
    bin, chain, circle, drop_in, floor, frame_on, hull, pin, place, rectangle, rectangle_at, thing,
    tinted, usual_world,
};
use crate::ragdoll::ragdoll;
use crate::scene::{Category, Scene, Script, Stage, Steering};
use crate::view::Frame;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{
    BodyDef, BodyId, ChainKind, JointDef, JointId, Limit, Motor, Point, RevoluteJointDef, ShapeDef,
    Spring, World, WorldPoint, point,
};

const CATEGORY: Category = Category::Joints;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "tumbler",
        "A tumbling drum",
        Frame::new(-13.0, -7.3, 13.0, 7.3),
        tumbler,
    )
    .about("A motor turns a drum full of boxes.")
    .steps(600)
    // A known gap: boxes still in motion overlap by 8.8 slops in the last step, 4.3 with earlier contacts. The
    // cause is not known; bring it back down.
    .overlap(10.0),
    Scene::new(
        CATEGORY,
        "ragdoll_stairs",
        "Down the stairs",
        Frame::new(-6.2, -0.8, 5.4, 5.6),
        ragdoll_stairs,
    )
    .about("Jointed figures with springs and limits fall down a flight of stairs.")
    .steps(150)
    .overlap(4.0),
    Scene::new(
        CATEGORY,
        "car",
        "A car over hills",
        Frame::new(-8.0, -3.0, 24.0, 10.0),
        car,
    )
    .about(
        "Two driven wheels and a chassis on a chain of hills, without bumps at its internal edges. Arrow keys take over in the testbed and on the web page.",
    )
    .steps(330)
    .shown_at(200),
    Scene::new(
        CATEGORY,
        "doors",
        "Doors",
        Frame::new(-6.0, -4.0, 6.0, 4.0),
        doors,
    )
    .about("Seen from above: balls push doors that springs close again.")
    .steps(240),
    Scene::new(
        CATEGORY,
        "soft_ring",
        "Soft rings",
        Frame::new(-9.0, -1.0, 9.0, 6.5),
        soft_ring,
    )
    .about("Rings of capsules with springs at their pins bend under their own weight.")
    .steps(360),
    Scene::new(
        CATEGORY,
        "gear_pair",
        "Gears",
        Frame::new(-7.0, -4.5, 7.0, 4.5),
        gear_pair,
    )
    .about("Two toothed wheels mesh by contacts of their teeth; a motor turns one.")
    .steps(360)
    .overlap(4.0),
    Scene::new(
        CATEGORY,
        "windmill",
        "A mill",
        Frame::new(-8.0, -1.0, 8.0, 9.0),
        windmill,
    )
    .about("Balls that fall from a chute turn the free wheel of a mill.")
    .steps(480)
    .overlap(8.0)
    .with_exits(),
];

fn tumbler() -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    let drum = world.create_body(tinted(thing(0.0, 0.0), 5));
    let heavy = ShapeDef::default().density(50.0);
    for side in [-1.0, 1.0] {
        world.create_shape(drum, rectangle_at(0.3, 5.0, side * 5.0, 0.0, 0.0), heavy);
        world.create_shape(drum, rectangle_at(5.0, 0.3, 0.0, side * 5.0, 0.0), heavy);
    }
    let mut motor = RevoluteJointDef::new(ground, drum);
    motor.motor = Some(Motor::new(25.0 * PI / 180.0, 1.0e8));
    world.create_joint(motor);
    for row in 0..18 {
        for column in 0..18 {
            let (x, y) = (-4.25 + 0.5 * column as f32, -4.25 + 0.5 * row as f32);
            drop_in(
                &mut world,
                tinted(thing(x, y), (row + column) % 2),
                rectangle(0.18, 0.18),
            );
        }
    }
    Stage::new(world)
}

fn ragdoll_stairs() -> Stage {
    let mut world = usual_world();
    let stairs = floor(&mut world, 6.0);
    for step in 0..10 {
        let half_height = 0.2 * (10 - step) as f32;
        let x = -5.6 + 0.8 * step as f32;
        let block = rectangle_at(0.4, half_height, x, half_height, 0.0);
        world.create_shape(stairs, block, ShapeDef::default());
    }
    for i in 0..6_u32 {
        let feet = WorldPoint::from((-5.0 + 0.7 * i as f32, 4.6 + 0.35 * i as f32));
        let bones = ragdoll(&mut world, feet, i as i32 + 1, u64::from(i));
        for bone in bones {
            world
                .body_mut(bone)
                .set_velocity(cairn2d::prelude::vec2(2.0, 0.0));
        }
    }
    Stage::new(world)
}

/// Height of the hills at `x` [m].
fn hill(x: f32) -> f32 {
    let (slow, _) = sin_cos(0.35 * x);
    let (quick, _) = sin_cos(0.9 * x);
    let rise = (0.1 * x).clamp(0.0, 1.0);
    rise * (0.9 * slow + 0.35 * quick)
}

/// Speed of driven wheels [rad/s].
const SPIN: f32 = 14.0;

/// Torque of a motor, and that of a brake [N m].
const TORQUE: f32 = 8.0;

/// Motors of a car, which go by themselves until the user takes over.
#[derive(Clone, Debug)]
struct Driver {
    chassis: BodyId,
    axles: Vec<JointId>,
    steering: Option<Steering>,
}

impl Script for Driver {
    fn before_step(&mut self, world: &mut World, _step: u64) {
        let Some(steering) = self.steering else {
            return;
        };
        let motor = match steering {
            Steering { down: true, .. } => Motor::new(0.0, TORQUE),
            Steering { right: 0.0, .. } => Motor::new(0.0, 0.0),
            Steering { right, .. } => Motor::new(-SPIN * right, TORQUE),
        };
        for &axle in &self.axles {
            let mut def = *world.joint(axle).def();
            if let JointDef::Revolute(pin) = &mut def
                && pin.motor != Some(motor)
            {
                pin.motor = Some(motor);
                world.set_joint(axle, def);
            }
        }
    }

    fn hero(&self) -> Option<BodyId> {
        Some(self.chassis)
    }

    fn steer(&mut self, steering: Steering) -> bool {
        self.steering = Some(steering);
        true
    }

    fn keys(&self) -> &'static str {
        "left and right drive, down brakes"
    }
}

fn car() -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    // The solid side is to the right of the way along a chain: a floor runs from right to left.
    let points: Vec<Point> = (0..=64)
        .rev()
        .map(|i| 0.5 * i as f32 - 8.0)
        .map(|x| point(x, hill(x)))
        .collect();
    chain(
        &mut world,
        ground,
        &points,
        ChainKind::Open,
        ShapeDef::default(),
    );
    for (x, height) in [(-8.0, 2.0), (24.0, 2.0)] {
        let wall = rectangle_at(0.3, 0.5 * height, x, hill(x) + 0.5 * height, 0.0);
        world.create_shape(ground, wall, ShapeDef::default());
    }
    let chassis = hull(&[
        (-1.5, -0.4),
        (1.5, -0.4),
        (1.5, 0.0),
        (0.2, 0.6),
        (-1.1, 0.6),
        (-1.5, 0.1),
    ]);
    let body = drop_in(&mut world, tinted(thing(-4.0, 1.2), 3), chassis);
    let mut axles = Vec::new();
    for x in [-1.0, 1.0] {
        let tire = ShapeDef::default().friction(1.2);
        let wheel = place(
            &mut world,
            tinted(thing(-4.0 + x, 0.6), 0),
            circle(0.45),
            tire,
        );
        let mut axle = pin(&world, body, wheel, (-4.0 + x, 0.6));
        axle.motor = Some(Motor::new(-SPIN, TORQUE));
        axles.push(world.create_joint(axle));
    }
    for i in 0..3 {
        let x = 11.0 + 0.7 * i as f32;
        drop_in(
            &mut world,
            tinted(thing(x, hill(x) + 0.5), 1),
            rectangle(0.25, 0.25),
        );
    }
    Stage::new(world).with(Driver {
        chassis: body,
        axles,
        steering: None,
    })
}

fn doors() -> Stage {
    let mut world = World::new(cairn2d::prelude::WorldDef::weightless());
    let frame = world.create_body(BodyDef::static_());
    for (half_width, half_height, x, y) in [
        (6.0, 0.2, 0.0, 3.8),
        (6.0, 0.2, 0.0, -3.8),
        (0.2, 3.6, -5.8, 0.0),
        (0.2, 3.6, 5.8, 0.0),
    ] {
        world.create_shape(
            frame,
            rectangle_at(half_width, half_height, x, y, 0.0),
            ShapeDef::default(),
        );
    }
    for x in [-2.0, 2.0] {
        for side in [-1.0, 1.0] {
            world.create_shape(
                frame,
                rectangle_at(0.15, 0.8, x, side * 2.8, 0.0),
                ShapeDef::default(),
            );
            let leaf = drop_in(&mut world, tinted(thing(x, side), 1), rectangle(0.1, 0.95));
            let mut hinge = pin(&world, frame, leaf, (x, side * 1.95));
            hinge.spring = Some(Spring::new(0.6, 0.5));
            hinge.limit = Some(Limit::new(-0.6 * PI, 0.6 * PI));
            world.create_joint(hinge);
        }
    }
    for (i, y) in [-0.6, 0.9].into_iter().enumerate() {
        let def = tinted(thing(-5.0, y).velocity(8.0, 0.3), 3 + i as u64);
        let bouncy = ShapeDef::default().restitution(0.6).density(2.0);
        place(&mut world, def, circle(0.4), bouncy);
    }
    Stage::new(world)
}

fn soft_ring() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 8.0, 1.0);
    for (i, hertz) in [12.0, 20.0, 60.0].into_iter().enumerate() {
        let center = (-5.2 + 5.2 * i as f32, 2.0);
        ring(&mut world, center, 1.3, hertz, i as u64);
    }
    Stage::new(world)
}

/// Builds a ring of pinned pieces with a torsion spring of `hertz` at each pin.
fn ring(world: &mut World, center: (f32, f32), radius: f32, hertz: f32, tint: u64) {
    let count = 20;
    let at = |i: f32| {
        let (sin, cos) = sin_cos(2.0 * PI * i / count as f32);
        (center.0 + radius * cos, center.1 + radius * sin)
    };
    let half = 0.5 * 2.0 * PI * radius / count as f32;
    let pieces: Vec<BodyId> = (0..count)
        .map(|i| {
            let (x, y) = at(i as f32 + 0.5);
            let angle = 2.0 * PI * (i as f32 + 0.5) / count as f32 - 1.5 * PI;
            let def = tinted(thing(x, y).angle(angle), tint);
            drop_in(world, def, crate::kit::lying_capsule(0.8 * half, 0.15))
        })
        .collect();
    for i in 0..count {
        let (a, b) = (pieces[(i + count - 1) % count], pieces[i]);
        let mut joint = pin(world, a, b, at(i as f32));
        // At rest the ring is round: each piece is turned by one share against the one before.
        joint.base.frame_a.angle = 2.0 * PI / count as f32;
        joint.spring = Some(Spring::new(hertz, 0.7));
        world.create_joint(joint);
    }
}

/// Teeth of a gear.
const TEETH: u32 = 16;

fn gear_pair() -> Stage {
    let mut world = usual_world();
    let frame = world.create_body(BodyDef::static_());
    let half_tooth = PI / TEETH as f32;
    let gears = [(-2.75, 0.0), (2.75, half_tooth)].map(|(x, turn)| gear(&mut world, x, turn));
    for (i, gear) in gears.into_iter().enumerate() {
        let mut axle = RevoluteJointDef::new(frame, gear);
        axle.base.frame_a = frame_on(&world, frame, world.body(gear).position());
        axle.motor = (i == 0).then(|| Motor::new(1.0, 1.0e4));
        world.create_joint(axle);
    }
    Stage::new(world)
}

/// Adds a gear of pitch radius 2.75 m.
fn gear(world: &mut World, x: f32, turn: f32) -> BodyId {
    let body = world.create_body(tinted(
        thing(x, 0.0).angle(turn),
        if x < 0.0 { 0 } else { 1 },
    ));
    let smooth = ShapeDef::default().friction(0.1);
    world.create_shape(body, circle(2.4), smooth);
    for i in 0..TEETH {
        let (sin, cos) = sin_cos(2.0 * PI * i as f32 / TEETH as f32);
        let at = |along: f32, across: f32| (along * cos - across * sin, along * sin + across * cos);
        let tooth = hull(&[at(2.3, -0.3), at(3.02, -0.13), at(3.02, 0.13), at(2.3, 0.3)]);
        world.create_shape(body, tooth, smooth);
    }
    body
}

fn windmill() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 8.0);
    world.create_shape(
        ground,
        rectangle_at(2.0, 0.1, -3.2, 7.6, -0.25),
        ShapeDef::default(),
    );
    let wheel = world.create_body(tinted(thing(0.0, 4.0), 5));
    for i in 0..4 {
        let paddle = rectangle_at(2.6, 0.08, 0.0, 0.0, 0.25 * PI * i as f32);
        world.create_shape(wheel, paddle, ShapeDef::default());
    }
    let axle = pin(&world, ground, wheel, (0.0, 4.0));
    world.create_joint(axle);
    Stage::new(world).with(|world: &mut World, step: u64| {
        if step.is_multiple_of(24) && step < 480 {
            let def = tinted(thing(-4.7, 8.6), step / 24 % 4);
            drop_in(world, def, circle(0.28));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_drives_brakes_and_turns_back() {
        let mut stage = car();
        let chassis = stage.world.joints().next().unwrap().bodies()[0];
        let mut hold = |right: f32, down: bool, steps: u32| {
            let steering = Steering {
                right,
                up: false,
                down,
            };
            assert!(stage.steer(steering));
            for _ in 0..steps {
                stage.step();
            }
            stage.world.body(chassis).velocity().x
        };
        let forward = hold(1.0, false, 90);
        assert!(forward > 3.0, "{forward}");
        let braked = hold(0.0, true, 90);
        assert!(braked.abs() < 0.3, "{braked}");
        let back = hold(-1.0, false, 60);
        assert!(back < -1.0, "{back}");
    }
}
