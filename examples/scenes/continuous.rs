//! Fast things, and things that others catch on.

use crate::kit::{
    Labels, chain, circle, drop_in, floor, hull, line, pin, place, rectangle, rectangle_at, thing,
    tinted, usual_world,
};
use crate::random::Random;
use crate::scene::{Category, DT, Scene, Script, Stage, Steering};
use crate::view::Frame;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{
    BodyDef, BodyId, ChainKind, Continuous, Limit, Motor, Point, ShapeDef, World, WorldDef, point,
};

const CATEGORY: Category = Category::Continuous;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "bullets",
        "Bullets",
        Frame::new(-12.0, -1.0, 12.0, 9.0),
        bullets,
    )
    .about("Balls at 200 m/s against walls of 10 cm: none tunnels.")
    .steps(120)
    .shown_at(9),
    Scene::new(
        CATEGORY,
        "bounce_house",
        "Bounce house",
        Frame::new(-8.5, -0.2, 8.5, 10.2),
        bounce_house,
    )
    .about("Fast elastic balls between four thin walls.")
    .steps(300),
    Scene::new(
        CATEGORY,
        "chain_drop",
        "Dropped on a thin floor",
        Frame::new(-7.0, -1.0, 7.0, 8.0),
        chain_drop,
    )
    .about("A pinned loop and boxes fall at 20 m/s onto a floor without thickness.")
    .steps(180)
    .shown_at(25)
    .overlap(6.0),
    Scene::new(
        CATEGORY,
        "ghost_bumps",
        "No ghost bumps",
        Frame::new(-15.0, -1.0, 15.0, 8.5),
        ghost_bumps,
    )
    .about("Bodies slide over the internal edges of chains, at 10 m/s, without a hop.")
    .steps(110),
    Scene::new(
        CATEGORY,
        "pinball",
        "Pinball",
        Frame::new(-5.5, -0.3, 5.5, 12.2),
        pinball,
    )
    .about("Fast balls among bumpers and flippers. Arrow keys move the flippers in the testbed and on the web page.")
    .steps(100),
    Scene::new(
        CATEGORY,
        "wedge",
        "Into the wedge",
        Frame::new(-5.0, -0.5, 5.0, 5.5),
        wedge,
    )
    .about("Balls shot into a narrow corner stop there.")
    .steps(180)
    .shown_at(20)
    .overlap(4.0),
    Scene::new(
        CATEGORY,
        "skinny_box",
        "Skinny boxes",
        Frame::new(-6.0, -0.6, 6.0, 5.5),
        skinny_box,
    )
    .about("Thrown and spinning boxes of 2 cm land on a line.")
    .steps(240)
    .shown_at(30)
    // Boxes that cross each other as they land stay in each other: by more than two slops in one pour of fifty.
    .overlap(3.0),
    Scene::new(
        CATEGORY,
        "fast_spin",
        "Spinning rods",
        Frame::new(-10.0, -1.0, 10.0, 9.5),
        fast_spin,
    )
    .about("Rods that spin at 40 rad/s fall on pillars.")
    .steps(300)
    .shown_at(70),
    Scene::new(
        CATEGORY,
        "keeping_time",
        "Keeping time",
        Frame::new(-9.5, -1.3, 9.5, 10.5),
        keeping_time,
    )
    .about(
        "Balls of 7 to 89 m/s between two walls, in phase again after two seconds: on the left impacts wait for the \
         end of the step, on the right they are solved at their time.",
    )
    .steps(120),
    Scene::new(
        CATEGORY,
        "head_on",
        "Bullets head on",
        Frame::new(-10.0, -0.5, 10.0, 8.5),
        head_on,
    )
    .about(
        "Bullets collide head on at up to 390 m/s, the upper ones repeatedly. None passes the other: each stays on its \
         side.",
    )
    .steps(12),
    Scene::new(
        CATEGORY,
        "sweeping_bar",
        "A bar that sweeps",
        Frame::new(-9.0, -9.0, 9.0, 9.0),
        sweeping_bar,
    )
    .about(
        "A bar at 20 rad/s makes half a turn in a field of balls at rest: it passes through none and clears the area \
         within its reach.",
    )
    .steps(240),
];

fn bullets() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 12.0);
    for side in [-1.0, 1.0] {
        let wall = rectangle_at(0.05, 4.0, side * 11.5, 4.0, 0.0);
        world.create_shape(ground, wall, ShapeDef::default());
    }
    for row in 0..6_u64 {
        drop_in(
            &mut world,
            tinted(thing(4.0, 0.5 + row as f32), 1),
            rectangle(0.05, 0.5),
        );
    }
    for i in 0..8 {
        let bullet = BodyDef {
            bullet: true,
            ..thing(-10.0, 0.6 + 0.7 * i as f32).velocity(200.0, 0.0)
        };
        place(
            &mut world,
            tinted(bullet, 3),
            circle(0.1),
            ShapeDef::default().density(2.0),
        );
    }
    Stage::new(world)
}

/// Two halls, 8 m wide, with balls that lose no energy; in 2 s each crosses the hall and returns a whole number of times.
fn keeping_time() -> Stage {
    let mut world = World::new(WorldDef::weightless());
    let walls = world.create_body(BodyDef::static_());
    let springy = ShapeDef::default().restitution(1.0).friction(0.0);
    for (side, continuous) in [(-1.0, Continuous::Clamp), (1.0, Continuous::Substep)] {
        let (left, right) = (5.0 * side - 4.0, 5.0 * side + 4.0);
        for x in [left, right] {
            line(&mut world, walls, (x, -0.2), (x, 10.2), springy);
        }
        for i in 0..12 {
            let radius = 0.3;
            let around = 2.0 * (8.0 - 2.0 * radius);
            let speed = (i + 1) as f32 * around / 2.0;
            let def = BodyDef {
                continuous,
                ..thing(5.0 * side, 0.4 + 0.84 * i as f32).velocity(speed, 0.0)
            };
            place(&mut world, tinted(def, i), circle(radius), springy);
        }
    }
    let mut labels = Labels::default();
    labels.add(-5.0, -0.8, "solved at the end of the step");
    labels.add(5.0, -0.8, "solved at their time");
    Stage::new(world).with(labels)
}

/// Pairs of bullets between walls, a row for each restitution from 0 to 1.
fn head_on() -> Stage {
    let mut world = World::new(WorldDef::weightless());
    let walls = world.create_body(BodyDef::static_());
    for side in [-1.0, 1.0] {
        let wall = rectangle_at(0.2, 4.5, side * 9.7, 4.0, 0.0);
        world.create_shape(walls, wall, ShapeDef::default().friction(0.0));
    }
    for row in 0..9_u64 {
        let springy = ShapeDef::default()
            .restitution(row as f32 / 8.0)
            .friction(0.0);
        for side in [-1.0, 1.0] {
            let def = BodyDef {
                bullet: true,
                continuous: Continuous::Substep,
                ..thing(side * 9.0, row as f32).velocity(-side * (150.0 + 30.0 * row as f32), 0.0)
            };
            let tint = if side < 0.0 { 1 } else { 3 };
            place(&mut world, tinted(def, tint), circle(0.15), springy);
        }
    }
    Stage::new(world)
}

/// A bar that stops after half a turn, in a room.
fn sweeping_bar() -> Stage {
    let mut world = World::new(WorldDef::weightless());
    let walls = world.create_body(BodyDef::static_());
    for (x, y, w, h) in [
        (-8.8, 0.0, 0.2, 9.0),
        (8.8, 0.0, 0.2, 9.0),
        (0.0, -8.8, 9.0, 0.2),
        (0.0, 8.8, 9.0, 0.2),
    ] {
        let wall = rectangle_at(w, h, x, y, 0.0);
        world.create_shape(walls, wall, ShapeDef::default().friction(1.0));
    }
    let bar = BodyDef {
        angular_velocity: 20.0,
        ..BodyDef::kinematic()
    };
    let bar = place(
        &mut world,
        tinted(bar, 2),
        rectangle(6.0, 0.05),
        ShapeDef::default(),
    );
    for i in 0..9 {
        for j in 0..9 {
            let (x, y) = (1.2 * (i as f32 - 4.0), 1.2 * (j as f32 - 4.0));
            if y.abs() > 0.5 {
                let def = BodyDef {
                    linear_damping: 1.0,
                    angular_damping: 1.0,
                    ..tinted(thing(x, y), if y > 0.0 { 0 } else { 4 })
                };
                place(&mut world, def, circle(0.12), ShapeDef::default());
            }
        }
    }
    let half_a_turn = 9;
    Stage::new(world).with(move |world: &mut World, step| {
        if step == half_a_turn {
            world.body_mut(bar).set_angular_velocity(0.0);
        }
    })
}

fn bounce_house() -> Stage {
    let mut world = World::new(WorldDef::weightless());
    let walls = world.create_body(BodyDef::static_());
    let corners = [(-8.0, 0.2), (8.0, 0.2), (8.0, 9.8), (-8.0, 9.8)];
    let springy = ShapeDef::default().restitution(1.0).friction(0.0);
    for i in 0..4 {
        line(&mut world, walls, corners[i], corners[(i + 1) % 4], springy);
    }
    for i in 0..6 {
        let (sin, cos) = sin_cos(0.7 + i as f32);
        let def = thing(-5.0 + 2.0 * i as f32, 5.0).velocity(30.0 * cos, 30.0 * sin);
        place(&mut world, tinted(def, i), circle(0.3), springy);
    }
    let def = thing(0.0, 2.0).velocity(20.0, 25.0);
    place(&mut world, tinted(def, 1), rectangle(0.4, 0.4), springy);
    Stage::new(world)
}

fn chain_drop() -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    line(
        &mut world,
        ground,
        (-7.0, 0.0),
        (7.0, 0.0),
        ShapeDef::default(),
    );
    for side in [-1.0, 1.0] {
        // As high as the frame: a box that the next one hits at 40 m/s flew over less.
        line(
            &mut world,
            ground,
            (side * 6.8, 0.0),
            (side * 6.8, 8.0),
            ShapeDef::default(),
        );
    }
    let mut links: Vec<BodyId> = Vec::new();
    let count = 24;
    for i in 0..count {
        let angle = 2.0 * PI * i as f32 / count as f32;
        let (sin, cos) = sin_cos(angle);
        let def = thing(-2.0 + 2.0 * cos, 5.0 + 2.0 * sin)
            .angle(angle - 1.5 * PI)
            .velocity(0.0, -20.0);
        // Links pass each other: the scene tests the floor, and only bullets are swept against
        // moving shapes.
        let apart = cairn2d::Filter {
            group: -1,
            ..cairn2d::Filter::default()
        };
        let link = world.create_body(tinted(def, i % 2));
        let bone = crate::kit::lying_capsule(0.2, 0.1);
        world.create_shape(link, bone, ShapeDef::default().filter(apart));
        links.push(link);
    }
    for i in 0..count as usize {
        let angle = 2.0 * PI * (i as f32 + 0.5) / count as f32;
        let (sin, cos) = sin_cos(angle);
        let joint = pin(
            &world,
            links[i],
            links[(i + 1) % count as usize],
            (-2.0 + 2.0 * cos, 5.0 + 2.0 * sin),
        );
        world.create_joint(joint);
    }
    for i in 0..4 {
        let def = thing(3.0 + 0.9 * i as f32 - 1.0, 5.0 + i as f32)
            .velocity(0.0, -40.0)
            .angle(0.3);
        drop_in(&mut world, tinted(def, 3), rectangle(0.3, 0.3));
    }
    Stage::new(world)
}

fn ghost_bumps() -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    let smooth = ShapeDef::default().friction(0.0);
    for (row, base) in [0.0_f32, 3.5].into_iter().enumerate() {
        let shape = |x: f32| base + if row == 0 { 0.0 } else { 0.04 * x * x * 0.2 };
        let points: Vec<Point> = (0..=60)
            .map(|i| 15.0 - 0.5 * i as f32)
            .map(|x| point(x, shape(x)))
            .collect();
        chain(&mut world, ground, &points, ChainKind::Open, smooth);
        world.create_shape(
            ground,
            rectangle_at(0.15, 0.6, 14.8, shape(14.8) + 0.6, 0.0),
            smooth,
        );
        for i in 0..3_u64 {
            let x = -14.0 + 1.6 * i as f32;
            let def = tinted(thing(x, shape(x) + 0.42).velocity(10.0, 0.0), i);
            match i {
                0 => place(&mut world, def, rectangle(0.4, 0.4), smooth),
                1 => place(&mut world, def, circle(0.4), smooth),
                _ => place(&mut world, def, crate::kit::lying_capsule(0.3, 0.4), smooth),
            };
        }
    }
    Stage::new(world)
}

fn pinball() -> Stage {
    let mut world = usual_world();
    let table = world.create_body(BodyDef::static_());
    let outline = [
        (-0.8, 0.0),
        (-5.0, 2.2),
        (-5.0, 12.0),
        (5.0, 12.0),
        (5.0, 2.2),
        (0.8, 0.0),
    ];
    // Clockwise from the drain: the inside is free.
    let points: Vec<Point> = outline.iter().map(|&(x, y)| point(x, y)).collect();
    chain(
        &mut world,
        table,
        &points,
        ChainKind::Loop,
        ShapeDef::default().restitution(0.4),
    );
    for (x, y) in [(-2.0, 8.5), (2.0, 8.5), (0.0, 6.5), (-3.2, 6.0), (3.2, 6.0)] {
        let def = BodyDef::static_().position(x, y);
        place(
            &mut world,
            def,
            circle(0.6),
            ShapeDef::default().restitution(1.2),
        );
    }
    let flippers = [-1.0, 1.0].map(|side| flipper(&mut world, table, side));
    let balls = [0, 1, 2, 3, 4].map(|i| {
        let def = BodyDef {
            bullet: true,
            ..thing(-3.5 + 1.7 * i as f32, 10.5).velocity(9.0 - 3.0 * i as f32, 2.0)
        };
        place(
            &mut world,
            tinted(def, 3),
            circle(0.2),
            ShapeDef::default().restitution(0.3).friction(0.1),
        )
    });
    Stage::new(world).with(Table {
        flippers,
        balls,
        steering: None,
    })
}

/// Height below which a ball is lost \[m\]: the flippers do not reach it there.
const DRAIN: f32 = 0.6;

/// Flippers that beat by themselves until the user takes over. A lost ball then comes back at the top.
#[derive(Clone, Debug)]
struct Table {
    flippers: [BodyId; 2],
    balls: [BodyId; 5],
    steering: Option<Steering>,
}

impl Script for Table {
    fn before_step(&mut self, world: &mut World, step: u64) {
        let up = match self.steering {
            // Both flippers beat every second and a half.
            None => [step % 90 < 15; 2],
            Some(keys) => [keys.right < 0.0, keys.right > 0.0].map(|side| side || keys.up),
        };
        for ((flipper, side), up) in self.flippers.into_iter().zip([-1.0, 1.0]).zip(up) {
            let push = if up { -side * 6.0 } else { side * 0.5 };
            world
                .body_mut(flipper)
                .apply_angular_impulse(push * DT * 20.0);
        }
        if self.steering.is_some() {
            self.serve(world);
        }
    }

    fn steer(&mut self, steering: Steering) -> bool {
        self.steering = Some(steering);
        true
    }

    fn keys(&self) -> &'static str {
        "left and right move a flipper, up moves both"
    }
}

impl Table {
    /// Puts lost balls back into play, in different directions.
    fn serve(&self, world: &mut World) {
        for (ball, speed) in self.balls.into_iter().zip([-4.0, -2.0, 1.0, 3.0, 5.0]) {
            if world.body(ball).position().y < DRAIN {
                let mut ball = world.body_mut(ball);
                ball.set_pose((0.0, 11.0), 0.0);
                ball.set_velocity((speed, 0.0));
            }
        }
    }
}

fn flipper(world: &mut World, table: BodyId, side: f32) -> BodyId {
    let pivot = (side * 2.4, 1.5);
    let arm = hull(&[
        (0.0, -0.15),
        (-side * 1.6, -0.08),
        (-side * 1.6, 0.08),
        (0.0, 0.15),
    ]);
    let body = place(
        world,
        tinted(thing(pivot.0, pivot.1), 1),
        arm,
        ShapeDef::default().density(2.0),
    );
    let mut hinge = pin(world, table, body, pivot);
    hinge.limit = Some(Limit::new(-0.5, 0.5));
    hinge.motor = Some(Motor::new(0.0, 0.5));
    world.create_joint(hinge);
    body
}

fn wedge() -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    line(
        &mut world,
        ground,
        (-4.5, 5.0),
        (0.0, 0.0),
        ShapeDef::default(),
    );
    line(
        &mut world,
        ground,
        (0.0, 0.0),
        (0.9, 5.0),
        ShapeDef::default(),
    );
    for i in 0..5_u64 {
        let def = tinted(
            thing(-1.4 + 0.3 * i as f32, 3.2 + 0.5 * i as f32).velocity(3.0, -30.0),
            i,
        );
        drop_in(&mut world, def, circle(0.2));
    }
    Stage::new(world)
}

fn skinny_box() -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    line(
        &mut world,
        ground,
        (-6.0, 0.0),
        (6.0, 0.0),
        ShapeDef::default(),
    );
    for side in [-1.0, 1.0] {
        line(
            &mut world,
            ground,
            (side * 5.9, 0.0),
            (side * 5.9, 3.0),
            ShapeDef::default(),
        );
    }
    let mut random = Random::new(22);
    for i in 0..24_u64 {
        let def = BodyDef {
            angular_velocity: random.range(-20.0, 20.0),
            ..thing(random.range(-4.5, 4.5), random.range(1.5, 5.0))
                .angle(random.range(-PI, PI))
                .velocity(random.range(-5.0, 5.0), -20.0)
        };
        drop_in(&mut world, tinted(def, i % 6), rectangle(0.5, 0.01));
    }
    Stage::new(world)
}

fn fast_spin() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 10.0);
    for i in 0..5 {
        let x = -6.0 + 3.0 * i as f32;
        world.create_shape(
            ground,
            rectangle_at(0.1, 1.0, x, 1.0, 0.0),
            ShapeDef::default(),
        );
    }
    for side in [-1.0, 1.0] {
        world.create_shape(
            ground,
            rectangle_at(0.2, 2.0, side * 9.8, 2.0, 0.0),
            ShapeDef::default(),
        );
    }
    for i in 0..9_u64 {
        let def = BodyDef {
            angular_velocity: if i % 2 == 0 { 40.0 } else { -40.0 },
            fast_rotation: true,
            ..thing(-6.4 + 1.6 * i as f32, 4.5 + 0.5 * (i % 3) as f32)
        };
        drop_in(
            &mut world,
            tinted(def, i % 6),
            crate::kit::lying_capsule(0.6, 0.08),
        );
    }
    Stage::new(world)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_user_moves_one_flipper_or_both_and_lost_balls_come_back() {
        let mut stage = pinball();
        let flippers: Vec<BodyId> = stage
            .world
            .joints()
            .map(|joint| joint.bodies()[1])
            .collect();
        let mut hold = |right: f32, up: bool, steps: u32| {
            let steering = Steering {
                right,
                up,
                down: false,
            };
            assert!(stage.steer(steering));
            for _ in 0..steps {
                stage.step();
            }
            let angle = |&flipper: &BodyId| stage.world.body(flipper).angle();
            let angles: Vec<f32> = flippers.iter().map(angle).collect();
            let lowest = stage
                .world
                .bodies()
                .filter(|body| body.kind() == cairn2d::prelude::BodyKind::Dynamic)
                .map(|body| body.position().y)
                .fold(f32::INFINITY, f32::min);
            // A flipper that is up has turned to its limit: the left one counter-clockwise.
            (angles[0] > 0.3, angles[1] < -0.3, lowest)
        };
        let still = hold(0.0, false, 60);
        assert_eq!((still.0, still.1), (false, false));
        let left = hold(-1.0, false, 30);
        assert_eq!((left.0, left.1), (true, false));
        let both = hold(0.0, true, 30);
        assert_eq!((both.0, both.1), (true, true));
        // With the flippers down, balls go down the drain within seconds, and none stays there.
        for _ in 0..10 {
            let (_, _, lowest) = hold(0.0, false, 60);
            assert!(lowest > DRAIN - 0.6, "{lowest}");
        }
    }
}
