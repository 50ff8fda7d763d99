//! Joints that drive, and joints that only keep bodies from meeting.

use crate::kit::{
    Labels, circle, drop_in, floor, place, rectangle, rectangle_at, thing, tinted, usual_world,
};
use crate::mark::{Mark, Tone};
use crate::scene::{Category, DT, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::sin_cos;
use cairn2d::prelude::{
    BodyDef, FilterJointDef, JointDef, JointId, JointSoftness, MotorJointDef, Point, ShapeDef,
    World, WorldDef, point,
};

const CATEGORY: Category = Category::Joints;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "motor_joint",
        "Motor joints",
        Frame::new(-10.0, -1.0, 10.0, 9.5),
        motor_joint,
    )
    .about("Motor joints pull boxes around an eight; the weaker the pull, the more they lag.")
    .steps(260),
    Scene::new(
        CATEGORY,
        "table_friction",
        "Friction on a table",
        Frame::new(-10.0, -6.0, 10.0, 6.0),
        table_friction,
    )
    .about("Seen from above: motor joints to the table brake pucks with different forces.")
    .steps(150),
    Scene::new(
        CATEGORY,
        "filter_joint",
        "A filter joint",
        Frame::new(-9.0, -1.0, 9.0, 8.0),
        filter_joint,
    )
    .about("Balls fall on trays; a filter joint lets every second one through.")
    .steps(120),
];

/// Targets that go around an eight, and the joints that follow them.
#[derive(Clone, Debug)]
struct Eight {
    joints: Vec<JointId>,
    turn: f32,
}

impl Eight {
    fn target(&self, i: usize) -> Point {
        let (sin, cos) = sin_cos(self.turn + 1.2 * i as f32);
        point(6.5 * cos, 4.2 + 4.6 * sin * cos)
    }
}

impl Script for Eight {
    fn before_step(&mut self, world: &mut World, _step: u64) {
        self.turn += 1.1 * DT;
        for (i, &joint) in self.joints.iter().enumerate() {
            let mut def: JointDef = *world.joint(joint).def();
            def.base_mut().frame_a.anchor = self.target(i);
            def.base_mut().frame_a.angle = 0.5 * self.turn;
            world.set_joint(joint, def);
        }
    }

    fn marks(&self, _world: &World) -> Vec<Mark> {
        let dot = |i: usize| Mark::Dot {
            at: self.target(i).into(),
            tone: Tone::Hit,
        };
        (0..self.joints.len()).map(dot).collect()
    }
}

fn motor_joint() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 10.0);
    let mut eight = Eight {
        joints: Vec::new(),
        turn: 0.0,
    };
    for (i, hertz) in [6.0, 3.0, 1.5, 0.8].into_iter().enumerate() {
        let at = eight.target(i);
        let def = tinted(thing(at.x, at.y), i as u64);
        let driven = drop_in(&mut world, def, rectangle(0.6, 0.35));
        let spring = JointSoftness {
            hertz,
            damping_ratio: 0.7,
        };
        let mut joint = MotorJointDef {
            linear_spring: Some(spring),
            angular_spring: Some(spring),
            ..MotorJointDef::new(ground, driven)
        };
        joint.base.frame_a.anchor = at;
        eight.joints.push(world.create_joint(joint));
    }
    for i in 0..16_u64 {
        let def = tinted(thing(-7.5 + i as f32, 0.3), 5);
        drop_in(&mut world, def, circle(0.3));
    }
    Stage::new(world).with(eight)
}

fn table_friction() -> Stage {
    let mut world = World::new(WorldDef::weightless());
    let table = world.create_body(BodyDef::static_());
    for (x, y, half_width, half_height) in [
        (0.0, 5.7, 10.0, 0.3),
        (0.0, -5.7, 10.0, 0.3),
        (9.7, 0.0, 0.3, 6.0),
        (-9.7, 0.0, 0.3, 6.0),
    ] {
        let rail = rectangle_at(half_width, half_height, x, y, 0.0);
        world.create_shape(table, rail, ShapeDef::default());
    }
    let mut labels = Labels::default();
    for i in 0..6_u64 {
        let y = 4.4 - 1.75 * i as f32;
        let force = [0.0, 0.5, 1.0, 2.0, 4.0, 8.0][i as usize];
        let def = BodyDef {
            angular_velocity: 6.0,
            ..thing(-8.0, y).velocity(9.0, 0.0)
        };
        let puck = place(
            &mut world,
            tinted(def, i),
            rectangle(0.5, 0.5),
            ShapeDef::default().restitution(0.4),
        );
        world.create_joint(MotorJointDef {
            max_velocity_force: force,
            max_velocity_torque: 0.3 * force,
            ..MotorJointDef::new(table, puck)
        });
        labels.add(-8.65, y - 0.1, format!("{force} N"));
    }
    Stage::new(world).with(labels)
}

fn filter_joint() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 9.0);
    let mut labels = Labels::default();
    for i in 0..6_u64 {
        let x = -7.0 + 2.8 * i as f32;
        let tray = world.create_body(BodyDef::static_().position(x, 3.5));
        world.create_shape(tray, rectangle(0.9, 0.12), ShapeDef::default());
        let ball = drop_in(&mut world, tinted(thing(x, 6.5), i % 2 + 1), circle(0.45));
        if i % 2 == 1 {
            world.create_joint(FilterJointDef::new(tray, ball));
        }
        let words = if i % 2 == 1 { "through" } else { "meets" };
        labels.add(x, 2.9, words);
    }
    Stage::new(world).with(labels)
}
