//! Surfaces: restitution, friction, rolling resistance and conveyor belts.

use crate::kit::{
    Labels, chain, circle, drop_in, floor, hull, line, place, rectangle, rectangle_at, thing,
    tinted, usual_world,
};
use crate::scene::{Category, DT, Knob, Scene, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{BodyDef, ChainKind, Material, ShapeDef, World};

const CATEGORY: Category = Category::Contacts;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "restitution_row",
        "Bounce",
        Frame::new(-11.0, -1.0, 11.0, 11.0),
        restitution_row,
    )
    .about("Balls with a restitution of 0, 0.1, ... 1, dropped from 10 m, at the first rebound.")
    .steps(160),
    Scene::new(
        CATEGORY,
        "friction_slopes",
        "Friction",
        Frame::new(-12.0, -1.0, 12.0, 10.5),
        friction_slopes,
    )
    .about("Boxes of friction 0.1 to 0.7 on slopes of 20 degrees: those above tan 20 = 0.36 hold.")
    .steps(120),
    Scene::new(
        CATEGORY,
        "rolling_resistance",
        "Rolling resistance",
        Frame::new(-12.0, -1.0, 12.0, 11.5),
        rolling_resistance,
    )
    .about("Balls with the same initial speed; the more rolling resistance, the sooner they stop.")
    .steps(300),
    Scene::new(
        CATEGORY,
        "conveyor",
        "Conveyor belts",
        Frame::new(-10.0, -1.0, 10.0, 8.5),
        conveyor,
    )
    .about("Surfaces with a speed carry boxes from belt to belt.")
    .steps(600),
    Scene::new(
        CATEGORY,
        "gravity_scales",
        "Scales of gravity",
        Frame::new(-9.0, -1.0, 9.0, 9.0),
        gravity_scales,
    )
    .about("Balls with gravity scales from -0.5 to 1.5, after 0.8 s.")
    .steps(48),
    Scene::new(
        CATEGORY,
        "damping",
        "Damping",
        Frame::new(-2.0, -1.0, 18.0, 8.5),
        damping,
    )
    .about("Sliders on ice, slowed by damping rates of 0 to 3 per second.")
    .steps(100),
    Scene::new(
        CATEGORY,
        "lift",
        "A kinematic lift",
        Frame::new(-8.0, -1.0, 8.0, 8.5),
        lift,
    )
    .about("A kinematic platform carries a stack up and down.")
    .steps(560),
    Scene::new(
        CATEGORY,
        "spinner_bar",
        "A stirring bar",
        Frame::new(-9.0, -1.0, 9.0, 8.5),
        spinner_bar,
    )
    .about("A kinematic bar turns in a heap of balls.")
    .steps(480)
    .overlap(20.0)
    .with_knobs(BAR_KNOBS, |values| spinner_bar_of(values[0])),
    Scene::new(
        CATEGORY,
        "running_walls",
        "Walls with a surface speed",
        Frame::new(-9.0, -5.2, 9.0, 5.2),
        running_walls,
    )
    .about("A room whose wall has a clockwise surface speed carries bodies up its side.")
    .steps(300)
    .overlap(12.0)
    .with_knobs(WALL_KNOBS, |values| running_walls_of(values[0], values[1])),
];

fn restitution_row() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 11.0);
    let mut labels = Labels::default();
    for i in 0..=10 {
        let x = -9.5 + 1.9 * i as f32;
        let restitution = 0.1 * i as f32;
        let bouncy = ShapeDef::default().restitution(restitution);
        place(
            &mut world,
            tinted(thing(x, 10.0), i % 6),
            circle(0.5),
            bouncy,
        );
        labels.add(x, -0.65, format!("{restitution:.1}"));
    }
    Stage::new(world).with(labels)
}

/// Slope of the ramps [rad].
const SLOPE: f32 = 20.0 * PI / 180.0;

fn friction_slopes() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 12.0);
    let mut labels = Labels::default();
    let (sin, cos) = sin_cos(SLOPE);
    let kerb = rectangle_at(0.1, 1.5, -11.9, 1.5, 0.0);
    world.create_shape(ground, kerb, ShapeDef::default());
    for i in 0..7 {
        let friction = 0.1 * (i + 1) as f32;
        let left = -11.4 + 3.3 * i as f32;
        let (low, high) = ((left, 1.0), (left + 2.9, 1.0 + 2.9 * sin / cos));
        let ramp = ShapeDef::default().friction(friction);
        world.create_shape(
            ground,
            hull(&[(low.0, 0.0), low, high, (high.0, 0.0)]),
            ramp,
        );
        let (x, y) = (high.0 - 0.5, high.1 - 0.5 * sin / cos);
        let def = thing(x - 0.25 * sin, y + 0.25 * cos).angle(SLOPE);
        place(&mut world, tinted(def, i % 6), rectangle(0.3, 0.25), ramp);
        labels.add(left + 1.9, 0.4, format!("{friction:.1}"));
    }
    Stage::new(world).with(labels)
}

fn rolling_resistance() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 12.0);
    let mut labels = Labels::default();
    for i in 0..6 {
        let y = 1.75 * i as f32;
        let resistance = 0.02 * i as f32;
        let rough = ShapeDef {
            material: Material {
                rolling_resistance: resistance,
                ..Material::default()
            },
            ..ShapeDef::default()
        };
        if i > 0 {
            line(
                &mut world,
                ground,
                (-12.0, y),
                (12.0, y),
                ShapeDef::default(),
            );
        }
        world.create_shape(
            ground,
            rectangle_at(0.1, 0.5, 11.8, y + 0.5, 0.0),
            ShapeDef::default(),
        );
        let def = tinted(thing(-11.0, y + 0.4).velocity(3.0, 0.0), i % 6);
        let ball = place(&mut world, def, circle(0.4), rough);
        world.body_mut(ball).set_angular_velocity(-3.0 / 0.4);
        labels.add(-10.8, y + 1.1, format!("{resistance:.2}"));
    }
    Stage::new(world).with(labels)
}

fn conveyor() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 10.0);
    for side in [-1.0, 1.0] {
        world.create_shape(
            ground,
            rectangle_at(0.2, 1.0, side * 9.8, 1.0, 0.0),
            ShapeDef::default(),
        );
    }
    // The outline runs counter-clockwise, so the top of a belt of positive speed moves to the left.
    for (x, y, speed) in [(-1.5, 5.0, -2.0), (1.5, 2.5, 2.5)] {
        let belt = ShapeDef {
            material: Material {
                friction: 0.9,
                surface_speed: speed,
                ..Material::default()
            },
            ..ShapeDef::default()
        };
        let bed = cairn2d::prelude::Polygon::rounded_rectangle(5.5, 0.05, 0.25);
        let body = world.create_body(BodyDef::static_().position(x, y));
        world.create_shape(body, bed, belt);
    }
    Stage::new(world).with(|world: &mut World, step: u64| {
        if step.is_multiple_of(60) && step < 600 {
            let def = tinted(thing(-6.0, 6.4), step / 60 % 6);
            drop_in(world, def, rectangle(0.35, 0.35));
        }
    })
}

fn gravity_scales() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 9.0);
    world.create_shape(
        ground,
        rectangle_at(9.0, 0.1, 0.0, 8.9, 0.0),
        ShapeDef::default(),
    );
    let mut labels = Labels::default();
    for i in 0..9 {
        let x = -8.0 + 2.0 * i as f32;
        let scale = -0.5 + 0.25 * i as f32;
        let def = BodyDef {
            gravity_scale: scale,
            ..thing(x, 5.5)
        };
        drop_in(&mut world, tinted(def, i % 6), circle(0.4));
        labels.add(x, -0.65, format!("{scale:.2}"));
    }
    Stage::new(world).with(labels)
}

fn damping() -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    let ice = ShapeDef::default().friction(0.0);
    let mut labels = Labels::default();
    for i in 0..5 {
        let y = 1.7 * i as f32;
        let damping = [0.0, 0.3, 0.6, 1.2, 3.0][i];
        line(&mut world, ground, (-2.0, y), (18.0, y), ice);
        world.create_shape(ground, rectangle_at(0.1, 0.5, 17.9, y + 0.5, 0.0), ice);
        let def = BodyDef {
            linear_damping: damping,
            ..thing(-1.0, y + 0.4).velocity(9.0, 0.0)
        };
        place(&mut world, tinted(def, i as u64), rectangle(0.5, 0.4), ice);
        labels.add(-1.4, y + 1.1, format!("{damping:.1}"));
    }
    Stage::new(world).with(labels)
}

fn lift() -> Stage {
    let mut world = usual_world();
    crate::kit::bin(&mut world, 7.0, 1.0);
    let platform = world.create_body(BodyDef::kinematic().position(0.0, 1.0));
    world.create_shape(platform, rectangle(2.5, 0.2), ShapeDef::default());
    for row in 0..4_u64 {
        drop_in(
            &mut world,
            tinted(thing(0.0, 1.7 + row as f32), row % 2),
            rectangle(0.5, 0.5),
        );
    }
    for x in [-1.8, 1.8] {
        drop_in(&mut world, tinted(thing(x, 1.6), 2), circle(0.4));
    }
    Stage::new(world).with(move |world: &mut World, step: u64| {
        let time = (step + 1) as f32 * DT;
        // Up by 3 m and aside by 2.4 m and back, in six seconds, starting from rest.
        let (_, cos) = sin_cos(2.0 * PI * time / 6.0);
        world
            .body_mut(platform)
            .move_to((1.2 - 1.2 * cos, 2.5 - 1.5 * cos), 0.0, DT);
    })
}

const BAR_KNOBS: &[Knob] = &[Knob::measure("speed [rad/s]", -6.0, 1.5, 6.0)];

fn spinner_bar() -> Stage {
    spinner_bar_of(1.5)
}

fn spinner_bar_of(speed: f32) -> Stage {
    let mut world = usual_world();
    crate::kit::bin(&mut world, 6.5, 6.5);
    let bar = world.create_body(BodyDef {
        angular_velocity: speed,
        ..BodyDef::kinematic().position(0.0, 2.6)
    });
    world.create_shape(bar, rectangle(2.4, 0.15), ShapeDef::default());
    for row in 0..12_u64 {
        for column in 0..14 {
            let (x, y) = (-5.85 + 0.9 * column as f32, 1.5 + 0.75 * row as f32);
            let blocked = (x * x + (y - 2.6) * (y - 2.6)).sqrt() < 2.9;
            if !blocked {
                let shift = 0.2 * (row % 2) as f32;
                drop_in(
                    &mut world,
                    tinted(thing(x + shift, y), row % 6),
                    circle(0.3),
                );
            }
        }
    }
    Stage::new(world)
}

const WALL_KNOBS: &[Knob] = &[
    Knob::measure("speed [m/s]", -10.0, 5.0, 10.0),
    Knob::measure("friction", 0.0, 0.8, 2.0),
];

fn running_walls() -> Stage {
    running_walls_of(5.0, 0.8)
}

fn running_walls_of(speed: f32, friction: f32) -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    // Clockwise, so that the inside of the loop is free: two half circles and the lines between.
    let corner = |side: f32, i: u32| {
        let (sin, cos) = sin_cos(0.5 * PI * side - PI * i as f32 / 24.0);
        cairn2d::prelude::point(side * 3.5 + 4.5 * cos, 4.5 * sin)
    };
    let points: Vec<_> = [1.0, -1.0]
        .into_iter()
        .flat_map(|side| (0..=24).map(move |i| corner(side, i)))
        .collect();
    let running = ShapeDef {
        material: Material {
            friction,
            surface_speed: speed,
            ..Material::default()
        },
        ..ShapeDef::default()
    };
    chain(&mut world, ground, &points, ChainKind::Loop, running);
    for i in 0..30_u64 {
        let (x, y) = (-3.6 + 0.8 * (i % 10) as f32, -3.0 + 0.9 * (i / 10) as f32);
        let def = tinted(thing(x, y), i % 6);
        let rough = ShapeDef::default().friction(friction);
        match i % 3 {
            0 => place(&mut world, def, circle(0.33), rough),
            _ => place(&mut world, def, rectangle(0.33, 0.28), rough),
        };
    }
    Stage::new(world)
}
