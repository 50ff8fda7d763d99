//! Random definitions of joints of all kinds.

use crate::definitions::Fields;
use crate::values::Values;
use cairn2d::math::{WorldPoint, point};
use cairn2d::prelude::*;

const REVOLUTE_NUMBERS: &Fields<RevoluteJointDef> = &[
    |def, x| def.base.frame_a.angle = x,
    |def, x| def.base.frame_b.angle = x,
    |def, x| def.base.break_force = x,
    |def, x| def.base.break_torque = x,
    |def, x| def.limit = Some(Limit::new(x, 1.0)),
    |def, x| def.motor = Some(Motor::new(x, 10.0)),
    |def, x| def.motor = Some(Motor::new(2.0, x)),
    |def, x| def.spring = Some(Spring::new(x, 0.7)),
];

impl Values {
    fn frame(&mut self) -> JointFrame {
        JointFrame {
            anchor: point(0.2 * self.any(), 0.2 * self.any()),
            angle: self.any(),
        }
    }

    pub(crate) fn frames(&mut self) -> [JointFrame; 2] {
        [self.frame(), self.frame()]
    }

    pub(crate) fn softness(&mut self) -> JointSoftness {
        JointSoftness {
            hertz: self.any().abs(),
            damping_ratio: self.any().abs(),
        }
    }

    pub(crate) fn some_softness(&mut self) -> Option<JointSoftness> {
        let softness = self.softness();
        self.maybe(softness)
    }

    pub(crate) fn limit(&mut self) -> Option<Limit> {
        let (a, b) = (self.any(), self.any());
        let crosses = self.chance(self.temper.invalid);
        let limit = if crosses {
            Limit::new(a, b)
        } else {
            Limit::new(a.min(b), a.max(b))
        };
        self.maybe(limit)
    }

    pub(crate) fn motor(&mut self) -> Option<Motor> {
        let motor = Motor::new(self.any(), 10.0 * self.any().abs());
        self.maybe(motor)
    }

    pub(crate) fn spring(&mut self) -> Option<Spring> {
        let mut spring = Spring::new(self.any().abs(), self.any().abs());
        spring.target = self.any();
        self.maybe(spring)
    }

    fn base(&mut self, [a, b]: [BodyId; 2]) -> JointBaseDef {
        let mut base = JointBaseDef::new(a, b);
        [base.frame_a, base.frame_b] = self.frames();
        base.collide_connected = self.flag();
        base.user_data = self.bits();
        if self.below(4) == 0 {
            base.softness = self.some_softness();
        }
        if self.below(8) == 0 {
            base.break_force = 100.0 * self.any().abs();
            base.break_torque = 100.0 * self.any().abs();
        }
        base
    }

    /// A definition of any kind between two bodies; gears connect the two joints.
    pub(crate) fn joint_def(&mut self, ends: [BodyId; 2], geared: [JointId; 2]) -> JointDef {
        let [a, b] = ends;
        let base = self.base(ends);
        let (limit, motor, spring) = (self.limit(), self.motor(), self.spring());
        match self.below(12) {
            0..=2 => {
                let mut def = RevoluteJointDef::new(a, b);
                (def.base, def.limit, def.motor, def.spring) = (base, limit, motor, spring);
                self.spoil(&mut def, REVOLUTE_NUMBERS);
                def.into()
            }
            3 => PrismaticJointDef {
                base,
                limit,
                motor,
                spring,
            }
            .into(),
            4 => DistanceJointDef {
                base,
                length: self.size(),
                limit: self.span(),
                motor,
                spring,
            }
            .into(),
            5 => WeldJointDef {
                base,
                linear: self.some_softness(),
                angular: self.some_softness(),
            }
            .into(),
            6 => WheelJointDef {
                base,
                limit,
                motor,
                spring,
            }
            .into(),
            7 => self.motor_joint(base).into(),
            8 => MouseJointDef {
                base,
                spring: self.softness(),
                max_force: 100.0 * self.any().abs(),
            }
            .into(),
            9 => self.pulley(base).into(),
            10 => {
                let mut def = GearJointDef::new(a, b, geared[0], geared[1]);
                def.ratio = self.any();
                def.base.break_force = base.break_force;
                def.into()
            }
            _ => FilterJointDef { base }.into(),
        }
    }

    /// A limit on a length.
    fn span(&mut self) -> Option<Limit> {
        let (a, b) = (self.size(), self.size());
        self.maybe(Limit::new(a.min(b), a.max(b)))
    }

    fn motor_joint(&mut self, base: JointBaseDef) -> MotorJointDef {
        MotorJointDef {
            base,
            linear_velocity: self.any_vector(),
            angular_velocity: self.any(),
            max_velocity_force: self.any().abs(),
            max_velocity_torque: self.any().abs(),
            linear_spring: self.some_softness(),
            angular_spring: self.some_softness(),
            max_spring_force: self.any().abs(),
            max_spring_torque: self.any().abs(),
        }
    }

    fn pulley(&mut self, base: JointBaseDef) -> PulleyJointDef {
        let wheel = |x: f64| WorldPoint::new(x, 8.0);
        let mut def = PulleyJointDef::new(base.body_a, base.body_b, wheel(-2.0), wheel(2.0), 8.0);
        def.base = base;
        if self.flag() {
            (def.wheel_a, def.wheel_b) = (self.any_place(), self.any_place());
        }
        def.length = 10.0 * self.size();
        def.ratio = self.size();
        def
    }

    /// A definition placed at a point of the world; the two bodies must be there.
    pub(crate) fn placed_joint_def(&mut self, world: &World, [a, b]: [BodyId; 2]) -> JointDef {
        let (place, end, axis) = (self.place(), self.place(), self.usual_vector());
        match self.below(7) {
            0 => RevoluteJointDef::new(a, b).at(world, place).into(),
            1 => WeldJointDef::new(a, b).at(world, place).into(),
            2 => PrismaticJointDef::new(a, b).at(world, place, axis).into(),
            3 => WheelJointDef::new(a, b).at(world, place, axis).into(),
            4 => DistanceJointDef::new(a, b)
                .between(world, place, end)
                .into(),
            5 => MouseJointDef::new(a, b).at(world, place).into(),
            _ => MotorJointDef::new(a, b).at(world, place).into(),
        }
    }
}
