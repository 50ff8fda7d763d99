//! Calls on joints: create, destroy, exchange the definition, every setter and getter.

use crate::arguments::Arguments;
use crate::episode::Episode;
use cairn2d::prelude::*;
use std::hint::black_box;

/// A setter and its name.
type Setter = (&'static str, fn(&mut JointMut<'_>, &Arguments));

/// All of them refuse joints of other kinds, and numbers, by a panic.
const SETTERS: &[Setter] = &[
    ("set_motor", |joint, a| {
        joint.set_motor(a.flag.then(|| Motor::new(a.number, a.measure)));
    }),
    ("set_motor_speed", |joint, a| {
        joint.set_motor_speed(a.number)
    }),
    ("set_limit", |joint, a| {
        joint.set_limit(a.flag.then(|| Limit::new(a.number, a.other)));
    }),
    ("set_spring", |joint, a| {
        joint.set_spring(a.flag.then(|| Spring::new(a.measure, a.rate)));
    }),
    ("set_spring_target", |joint, a| {
        joint.set_spring_target(a.number);
    }),
    ("set_target", |joint, a| joint.set_target(a.place)),
    ("set_target_angle", |joint, a| {
        joint.set_target_angle(a.number)
    }),
    ("set_velocity", |joint, a| {
        joint.set_velocity(a.vector, a.number)
    }),
    ("set_length", |joint, a| joint.set_length(a.measure)),
    ("set_ratio", |joint, a| joint.set_ratio(a.number)),
    ("set_break_limits", |joint, a| {
        joint.set_break_limits(a.measure, a.rate);
    }),
    ("set_collide_connected", |joint, a| {
        joint.set_collide_connected(a.flag);
    }),
    ("enable", |joint, _| joint.enable()),
    ("disable", |joint, _| joint.disable()),
    ("set_user_data", |joint, a| joint.set_user_data(a.bits)),
];

impl Episode {
    pub(crate) fn call_joint(&mut self) {
        match self.values.below(20) {
            0..=4 => self.create_joint(),
            5 => self.create_placed_joint(),
            6..=8 => self.destroy_joint(),
            9 => self.exchange_joint(),
            10 => self.edit_joint(),
            11 => self.read_joint(),
            12 => self.set_frames(),
            _ => self.set_joint(),
        }
    }

    fn ends(&mut self) -> [BodyId; 2] {
        [self.body(), self.body()]
    }

    fn joint_def(&mut self) -> JointDef {
        let ends = self.ends();
        let geared = [self.joint(), self.joint()];
        let fits = self.values.flag();
        let mut def = self.values.joint_def(ends, geared);
        if let JointDef::Gear(gear) = &mut def {
            let second = |joint| Some(self.world.get_joint(joint)?.bodies()[1]);
            let ends = second(gear.joint_a).zip(second(gear.joint_b));
            if let Some((a, b)) = ends.filter(|_| fits) {
                (gear.base.body_a, gear.base.body_b) = (a, b);
            }
        }
        def
    }

    fn create(&mut self, def: JointDef) {
        if self.world.joint_count() >= 30 {
            return self.destroy_joint();
        }
        self.note(|| format!("try_create_joint({def:?})"));
        let made = self.world.try_create_joint(def);
        if let Some(id) = self.settle(made) {
            self.ids.joints.keep(id, &mut self.values);
        }
    }

    fn create_joint(&mut self) {
        let def = self.joint_def();
        self.create(def);
    }

    fn create_placed_joint(&mut self) {
        let ends = self.ends();
        if ends.iter().all(|&end| self.world.get_body(end).is_some()) {
            let def = self.values.placed_joint_def(&self.world, ends);
            self.create(def);
        }
    }

    fn destroy_joint(&mut self) {
        let id = self.joint();
        self.note(|| format!("destroy_joint({id:?})"));
        if !self.world.destroy_joint(id) {
            self.expect_unchanged("no such joint");
        }
        assert!(self.world.get_joint(id).is_none(), "{id:?} is destroyed");
    }

    /// Gives a joint another definition of its kind, or of another, which is refused.
    fn exchange_joint(&mut self) {
        let id = self.joint();
        let mut def = self.joint_def();
        if let Some(joint) = self.world.get_joint(id)
            && self.values.below(4) != 0
        {
            let [a, b] = joint.bodies();
            (def.base_mut().body_a, def.base_mut().body_b) = (a, b);
        }
        self.note(|| format!("try_set_joint({id:?}, {def:?})"));
        let done = self.world.try_set_joint(id, def);
        self.settle(done);
    }

    fn edit_joint(&mut self) {
        let id = self.joint();
        let (limit, motor, spring) = (
            self.values.limit(),
            self.values.motor(),
            self.values.spring(),
        );
        let softness = self.values.some_softness();
        let fails = self.values.below(8) == 0;
        self.note(|| format!("joint_mut({id:?}).try_edit: {limit:?}, {motor:?}, {spring:?}, {softness:?}, fails: {fails}"));
        let Some(mut joint) = self.world.get_joint_mut(id) else {
            return;
        };
        let done = joint.try_edit(|def| {
            def.base_mut().softness = softness;
            if let Some(part) = def.limit_mut() {
                *part = limit;
            }
            if let Some(part) = def.motor_mut() {
                *part = motor;
            }
            if let Some(part) = def.spring_mut() {
                *part = spring;
            }
            if fails {
                return Err(JointDefError::SameBody);
            }
            Ok(())
        });
        self.settle(done);
    }

    fn set_joint(&mut self) {
        let id = self.joint();
        let arguments = self.values.arguments(self.panics);
        let (name, set) = SETTERS[self.values.below(SETTERS.len())];
        self.note(|| format!("joint_mut({id:?}).{name}: {arguments:?}"));
        self.may_panic(|world| {
            if let Some(mut joint) = world.get_joint_mut(id) {
                set(&mut joint, &arguments);
            }
        });
    }

    fn set_frames(&mut self) {
        let (id, frames) = (self.joint(), self.values.frames());
        let (softness, which) = (self.values.some_softness(), self.values.flag());
        self.note(|| format!("joint_mut({id:?}): {frames:?} or {softness:?}: {which}"));
        self.may_panic(|world| {
            if let Some(mut joint) = world.get_joint_mut(id) {
                if which {
                    joint.set_frames(frames);
                } else {
                    joint.set_softness(softness);
                }
            }
        });
    }

    fn read_joint(&mut self) {
        let id = self.joint();
        self.note(|| format!("joint({id:?}): all getters"));
        let Some(joint) = self.world.get_joint(id) else {
            return;
        };
        assert_eq!(joint.id(), id);
        for body in joint.bodies() {
            assert!(self.world.get_body(body).is_some(), "{body:?} is an end");
        }
        black_box((joint.def().motor(), joint.def().limit(), joint.anchors()));
        black_box((joint.reaction(), joint.angle(), joint.angular_speed()));
        black_box((joint.translation(), joint.translation_speed()));
        black_box((joint.length(), joint.user_data(), joint.color()));
    }
}
