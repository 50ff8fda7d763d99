//! Every kind of joint, and mechanisms with them: lifts, pulleys, soft bodies.

use crate::kit::{
    Labels, bin, circle, drop_in, floor, frame_on, lying_capsule, pin, place, rectangle,
    rectangle_at, thing, tinted, usual_world,
};
use crate::scene::{Category, DT, Scene, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{
    BodyDef, BodyId, DistanceJointDef, GearJointDef, JointFrame, JointSoftness, Limit, Motor,
    MouseJointDef, Polygon, PrismaticJointDef, PulleyJointDef, RevoluteJointDef, ShapeDef, Spring,
    WeldJointDef, WheelJointDef, World, WorldPoint, point,
};

const CATEGORY: Category = Category::Joints;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "joint_kinds",
        "Kinds of joints",
        Frame::new(-10.5, -1.0, 10.5, 6.0),
        joint_kinds,
    )
    .about("A pin, a rod, a spring, a slider, a sprung wheel, a rigid and a soft weld.")
    .steps(100),
    Scene::new(
        CATEGORY,
        "scissor_lift",
        "A scissor lift",
        Frame::new(-8.0, -1.0, 8.0, 10.0),
        scissor_lift,
    )
    .about("A ram pulls the feet of crossed bars together, and they lift a load.")
    .steps(480),
    Scene::new(
        CATEGORY,
        "pulleys",
        "Pulleys",
        Frame::new(-8.0, -1.0, 8.0, 8.0),
        pulleys,
    )
    .about("Ropes over wheels: equal loads, a heavier one, and a tackle of ratio 2.")
    .steps(140),
    Scene::new(
        CATEGORY,
        "gear_lift",
        "Rack and pinion",
        Frame::new(-7.0, -1.0, 7.0, 8.0),
        gear_lift,
    )
    .about("A driven wheel is geared to a second one, and that one to a platform on a slider.")
    .steps(300),
    Scene::new(
        CATEGORY,
        "soft_body",
        "Soft bodies",
        Frame::new(-8.0, -1.0, 8.0, 7.0),
        soft_body,
    )
    .about("Rings of capsules held together by soft welds fall on each other.")
    .steps(240),
    Scene::new(
        CATEGORY,
        "breakable",
        "A bridge that breaks",
        Frame::new(-9.0, -6.0, 9.0, 4.0),
        breakable,
    )
    .about("Welds that hold planks break under a falling weight.")
    .steps(78)
    .with_exits(),
    Scene::new(
        CATEGORY,
        "mouse_drag",
        "A mouse joint",
        Frame::new(-8.0, -1.0, 8.0, 7.5),
        mouse_drag,
    )
    .about("A mouse joint drags a box through a heap.")
    .steps(300),
];

/// Pins two bodies together at a place in the world.
pub(crate) fn tie(world: &mut World, a: BodyId, b: BodyId, at: (f32, f32)) {
    let joint = pin(world, a, b, at);
    world.create_joint(joint);
}

/// Returns the frames of a joint on two bodies at a place in the world, its axis at `angle` [rad].
fn frames(world: &World, a: BodyId, b: BodyId, at: (f32, f32), angle: f32) -> [JointFrame; 2] {
    [a, b].map(|body| JointFrame {
        angle: angle - world.body(body).angle(),
        ..frame_on(world, body, at)
    })
}

/// Returns a slider at a place in the world, along `angle` [rad].
fn slide(world: &World, a: BodyId, b: BodyId, at: (f32, f32), angle: f32) -> PrismaticJointDef {
    let mut def = PrismaticJointDef::new(a, b);
    [def.base.frame_a, def.base.frame_b] = frames(world, a, b, at, angle);
    def
}

/// Returns a wheel at a place in the world, its suspension along `angle` [rad].
fn wheel(world: &World, a: BodyId, b: BodyId, at: (f32, f32), angle: f32) -> WheelJointDef {
    let mut def = WheelJointDef::new(a, b);
    [def.base.frame_a, def.base.frame_b] = frames(world, a, b, at, angle);
    def
}

/// Returns a rod between places on two bodies, as long as they are apart now.
pub(crate) fn rod(
    world: &World,
    a: (BodyId, (f32, f32)),
    b: (BodyId, (f32, f32)),
) -> DistanceJointDef {
    let mut def = DistanceJointDef::new(a.0, b.0);
    def.base.frame_a = frame_on(world, a.0, a.1);
    def.base.frame_b = frame_on(world, b.0, b.1);
    def.length = (WorldPoint::from(b.1) - WorldPoint::from(a.1)).norm();
    def
}

pub(crate) fn weld(world: &World, a: BodyId, b: BodyId, at: (f32, f32)) -> WeldJointDef {
    let mut def = WeldJointDef::new(a, b);
    [def.base.frame_a, def.base.frame_b] = frames(world, a, b, at, 0.0);
    def
}

fn joint_kinds() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 10.5);
    let beam = world.create_body(BodyDef::static_());
    world.create_shape(
        beam,
        rectangle_at(10.0, 0.15, 0.0, 5.5, 0.0),
        ShapeDef::default(),
    );
    let mut labels = Labels::default();
    let names = [
        "pin",
        "rod",
        "spring",
        "slider",
        "wheel",
        "weld",
        "soft weld",
    ];
    let at = |i: usize| -9.0 + 3.0 * i as f32;
    let bodies: Vec<BodyId> = (0..names.len())
        .map(|i| {
            labels.add(at(i), -0.65, names[i]);
            let def = tinted(
                thing(at(i) + 0.6, if i == 4 { 0.5 } else { 3.5 }),
                i as u64 % 6,
            );
            drop_in(&mut world, def, circle(0.5))
        })
        .collect();
    tie(&mut world, beam, bodies[0], (at(0), 5.3));
    let hang = rod(
        &world,
        (beam, (at(1), 5.3)),
        (bodies[1], (at(1) + 0.6, 4.0)),
    );
    world.create_joint(hang);
    let mut bungee = rod(
        &world,
        (beam, (at(2), 5.3)),
        (bodies[2], (at(2) + 0.6, 4.0)),
    );
    bungee.spring = Some(Spring::new(1.0, 0.1));
    world.create_joint(bungee);
    let mut slider = slide(&world, beam, bodies[3], (at(3) + 0.6, 3.5), 0.5 * PI);
    slider.limit = Some(Limit::new(-2.0, 1.0));
    world.create_joint(slider);
    let cart = drop_in(
        &mut world,
        tinted(thing(at(4) + 0.6, 1.2), 3),
        rectangle(0.9, 0.25),
    );
    let mut axle = wheel(&world, cart, bodies[4], (at(4) + 0.6, 0.5), 0.5 * PI);
    axle.spring = Some(Spring::new(3.0, 0.5));
    world.create_joint(axle);
    let upright = slide(&world, ground, cart, (at(4) + 0.6, 1.2), 0.5 * PI);
    world.create_joint(upright);
    let rigid = weld(&world, beam, bodies[5], (at(5), 5.3));
    world.create_joint(rigid);
    let mut soft = weld(&world, beam, bodies[6], (at(6), 5.3));
    soft.angular = Some(JointSoftness {
        hertz: 2.0,
        damping_ratio: 0.3,
    });
    world.create_joint(soft);
    Stage::new(world).with(labels)
}

/// Half length of a bar of the lift [m].
const BAR: f32 = 2.5;

/// Angle of the bars at the start [rad].
const BAR_ANGLE: f32 = 0.3;

/// Storeys of the lift.
const STOREYS: u32 = 3;

fn scissor_lift() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 7.0);
    let (sin, cos) = sin_cos(BAR_ANGLE);
    let (half_span, story) = (BAR * cos, 2.0 * BAR * sin);
    let mut below: Option<[BodyId; 2]> = None;
    for level in 0..STOREYS {
        let base = 0.2 + story * level as f32;
        let middle = (0.0, base + 0.5 * story);
        let bars = [BAR_ANGLE, -BAR_ANGLE].map(|turn| {
            let mut steel = ShapeDef::default().density(2.0);
            steel.filter.group = -1;
            let def = tinted(thing(middle.0, middle.1).angle(turn), u64::from(level % 2));
            place(&mut world, def, rectangle(BAR, 0.1), steel)
        });
        tie(&mut world, bars[0], bars[1], middle);
        if let Some([rising, falling]) = below {
            tie(&mut world, falling, bars[0], (-half_span, base));
            tie(&mut world, rising, bars[1], (half_span, base));
        } else {
            hold_feet(&mut world, ground, bars, half_span, base);
        }
        below = Some(bars);
    }
    if let Some([rising, falling]) = below {
        let top = 0.2 + story * STOREYS as f32;
        let deck = drop_in(
            &mut world,
            tinted(thing(0.0, top + 0.1), 2),
            rectangle(2.8, 0.1),
        );
        tie(&mut world, falling, deck, (-half_span, top));
        let mut runner = wheel(&world, deck, rising, (half_span, top), 0.0);
        runner.spring = None;
        world.create_joint(runner);
        for x in [-0.9, 0.1] {
            drop_in(
                &mut world,
                tinted(thing(x, top + 0.6), 3),
                rectangle(0.4, 0.4),
            );
        }
    }
    Stage::new(world)
}

/// Pins one foot to the ground, lets the other run along it, and pulls them together by a ram.
fn hold_feet(world: &mut World, ground: BodyId, bars: [BodyId; 2], half_span: f32, base: f32) {
    let (left, right) = ((-half_span, base), (half_span, base));
    tie(world, ground, bars[0], left);
    let mut runner = wheel(world, ground, bars[1], right, 0.0);
    runner.spring = None;
    world.create_joint(runner);
    let mut ram = rod(world, (bars[0], left), (bars[1], right));
    ram.spring = Some(Spring::new(0.0, 0.0));
    ram.limit = Some(Limit::new(4.2, 5.0));
    ram.motor = Some(Motor::new(-0.25, 2000.0));
    world.create_joint(ram);
}

fn pulleys() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 8.0);
    for (i, (density, ratio)) in [(1.0, 1.0), (1.5, 1.0), (2.0, 2.0)].into_iter().enumerate() {
        let x = -5.0 + 5.0 * i as f32;
        let wheels = [-0.9, 0.9].map(|side| (x + side, 7.0));
        for wheel in wheels {
            let mut thin = ShapeDef::default();
            thin.filter.mask = 0;
            let hub = world.create_body(BodyDef::static_().position(wheel.0, wheel.1));
            world.create_shape(hub, circle(0.2), thin);
        }
        let loads = [(-0.9, 1.0, 0), (0.9, density, 3)].map(|(side, density, tint)| {
            let def = tinted(thing(x + side, 3.5), tint);
            place(
                &mut world,
                def,
                rectangle(0.5, 0.5),
                ShapeDef::default().density(density),
            )
        });
        let length = 3.0 + ratio * 3.0;
        let [a, b] = wheels.map(WorldPoint::from);
        let mut rope = PulleyJointDef::new(loads[0], loads[1], a, b, length);
        rope.base.frame_a.anchor = point(0.0, 0.5);
        rope.base.frame_b.anchor = point(0.0, 0.5);
        rope.ratio = ratio;
        world.create_joint(rope);
        for (load, side) in loads.into_iter().zip([-0.9, 0.9]) {
            let mut rail = slide(&world, ground, load, (x + side, 3.5), 0.5 * PI);
            rail.limit = Some(Limit::new(-3.0, 2.8));
            world.create_joint(rail);
        }
    }
    Stage::new(world)
}

fn gear_lift() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 7.0);
    let (small, large) = (0.7, 1.4);
    let hubs = [(-3.0, 2.5), (-3.0 + small + large, 2.5)];
    let wheels = [(hubs[0], small, 0), (hubs[1], large, 1)].map(|((x, y), radius, tint)| {
        let mut thin = ShapeDef::default();
        thin.filter.mask = 0;
        place(&mut world, tinted(thing(x, y), tint), circle(radius), thin)
    });
    let axles = [0, 1].map(|i| {
        let mut axle: RevoluteJointDef = pin(&world, ground, wheels[i], hubs[i]);
        axle.motor = (i == 0).then(|| Motor::new(2.0, 200.0));
        world.create_joint(axle)
    });
    let mut mesh = GearJointDef::new(wheels[0], wheels[1], axles[0], axles[1]);
    mesh.ratio = large / small;
    world.create_joint(mesh);
    let rack = (hubs[1].0 + large + 0.15, 1.0);
    let deck = world.create_body(tinted(thing(rack.0, rack.1), 2));
    world.create_shape(
        deck,
        rectangle_at(0.15, 1.5, 0.0, 1.5, 0.0),
        ShapeDef::default(),
    );
    world.create_shape(
        deck,
        rectangle_at(1.3, 0.12, 1.3, 0.0, 0.0),
        ShapeDef::default(),
    );
    let mut rail = slide(&world, ground, deck, rack, 0.5 * PI);
    rail.limit = Some(Limit::new(-0.5, 4.5));
    let rail = world.create_joint(rail);
    // The rack is to the right of the wheel: if the wheel turns clockwise, the rack goes down.
    let mut drive = GearJointDef::new(wheels[1], deck, axles[1], rail);
    drive.ratio = 1.0 / large;
    world.create_joint(drive);
    drop_in(
        &mut world,
        tinted(thing(rack.0 + 1.4, 1.6), 3),
        rectangle(0.45, 0.45),
    );
    Stage::new(world)
}

fn soft_body() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 6.5, 2.5);
    for (i, (x, y, hertz)) in [(-3.0, 2.2, 8.0), (1.8, 2.2, 12.0), (-0.8, 5.0, 18.0)]
        .into_iter()
        .enumerate()
    {
        donut(&mut world, (x, y), 1.4, hertz, i as u64 * 2);
    }
    Stage::new(world)
}

/// Capsules of a ring.
const PIECES: usize = 14;

/// Adds a ring of capsules, each welded to the next with an angular spring of `hertz`.
fn donut(world: &mut World, center: (f32, f32), radius: f32, hertz: f32, tint: u64) {
    let half = PI * radius / PIECES as f32;
    let at = |i: f32| {
        let angle = 2.0 * PI * i / PIECES as f32;
        let (sin, cos) = sin_cos(angle);
        ((center.0 + radius * cos, center.1 + radius * sin), angle)
    };
    let pieces: Vec<BodyId> = (0..PIECES)
        .map(|i| {
            let ((x, y), angle) = at(i as f32);
            let mut flesh = ShapeDef::default();
            flesh.filter.group = -1 - tint as i32;
            let def = tinted(thing(x, y).angle(angle - 1.5 * PI), tint);
            place(world, def, lying_capsule(half, 0.25), flesh)
        })
        .collect();
    for i in 0..PIECES {
        let (a, b) = (pieces[i], pieces[(i + 1) % PIECES]);
        let mut joint = weld(world, a, b, at(i as f32 + 0.5).0);
        joint.angular = Some(JointSoftness {
            hertz,
            damping_ratio: 0.5,
        });
        world.create_joint(joint);
    }
}

fn breakable() -> Stage {
    let mut world = usual_world();
    let banks = world.create_body(BodyDef::static_());
    for side in [-1.0, 1.0] {
        let bank = rectangle_at(1.5, 2.0, side * 7.5, -2.1, 0.0);
        world.create_shape(banks, bank, ShapeDef::default());
    }
    let mut last = banks;
    for i in 0..12 {
        let x = -5.5 + i as f32;
        let plank = drop_in(&mut world, tinted(thing(x, 0.0), 1), rectangle(0.5, 0.1));
        let mut joint = weld(&world, last, plank, (x - 0.5, 0.0));
        joint.base.break_force = 1000.0;
        joint.base.break_torque = 130.0;
        world.create_joint(joint);
        last = plank;
    }
    let joint = weld(&world, last, banks, (6.0, 0.0));
    world.create_joint(joint);
    let ball = tinted(thing(1.5, 3.0), 3);
    place(
        &mut world,
        ball,
        circle(0.6),
        ShapeDef::default().density(8.0),
    );
    for x in [-4.0, -2.5] {
        drop_in(&mut world, tinted(thing(x, 0.4), 0), rectangle(0.3, 0.3));
    }
    Stage::new(world)
}

fn mouse_drag() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 7.0, 6.5);
    for row in 0..6_u64 {
        for column in 0..9 {
            let (x, y) = (-5.0 + 1.25 * column as f32, 0.45 + 0.9 * row as f32);
            let shape = Polygon::regular(3 + (row as usize + column) % 5, 0.45);
            let def = tinted(thing(x, y), row);
            drop_in(&mut world, def, shape);
        }
    }
    let dragged = tinted(thing(-6.0, 6.5), 3);
    let dragged = place(
        &mut world,
        dragged,
        rectangle(0.6, 0.4),
        ShapeDef::default().density(3.0),
    );
    let hand = world.create_body(BodyDef::kinematic().position(-6.0, 6.5));
    let mut pull = MouseJointDef::new(hand, dragged);
    pull.max_force = 1500.0;
    world.create_joint(pull);
    Stage::new(world).with(move |world: &mut World, step: u64| {
        let time = (step + 1) as f32 * DT;
        let (sin, cos) = sin_cos(2.0 * PI * time / 5.0);
        world
            .body_mut(hand)
            .move_to((-6.0 * cos, 3.5 + 3.0 * cos * cos + 0.3 * sin), 0.0, DT);
    })
}
