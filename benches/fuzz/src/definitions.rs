//! Random definitions of bodies, shapes, worlds and filters: ordinary ones, some of whose fields are then replaced by anything.

use crate::values::Values;
use cairn2d::{
    BodyDef, BodyId, BodyKind, BodyKinds, BroadPhaseKind, Continuous, Filter, InitialState, Locks,
    Material, MixRule, QueryFilter, Sensors, ShapeDef, Tuning, WorldDef,
};

/// Functions that set one number of a definition each.
pub(crate) type Fields<T> = [fn(&mut T, f32)];

const BODY_NUMBERS: &Fields<BodyDef> = &[
    |def, x| def.position.x = x.into(),
    |def, x| def.position.y = x.into(),
    |def, x| def.angle = x,
    |def, x| def.velocity.x = x,
    |def, x| def.velocity.y = x,
    |def, x| def.angular_velocity = x,
    |def, x| def.linear_damping = x,
    |def, x| def.angular_damping = x,
    |def, x| def.gravity_scale = x,
    |def, x| def.max_linear_speed = Some(x),
    |def, x| def.max_angular_speed = x,
    |def, x| def.sleep_speed = x,
];

const SHAPE_NUMBERS: &Fields<ShapeDef> = &[
    |def, x| def.density = x,
    |def, x| def.force_event_threshold = x,
    |def, x| def.material.friction = x,
    |def, x| def.material.restitution = x,
    |def, x| def.material.rolling_resistance = x,
    |def, x| def.material.surface_speed = x,
    |def, x| def.material.one_way = Some(cairn2d::vec2(x, 1.0)),
];

const WORLD_NUMBERS: &Fields<WorldDef> = &[
    |def, x| def.gravity.x = x,
    |def, x| def.gravity.y = x,
    |def, x| def.substeps = x as u32,
    |def, x| def.solver_budget = x as u32,
    |def, x| def.tuning.contact_hertz = x,
    |def, x| def.tuning.contact_damping_ratio = x,
    |def, x| def.tuning.contact_push_speed = x,
    |def, x| def.tuning.restitution_threshold = x,
    |def, x| def.tuning.hit_event_threshold = x,
    |def, x| def.tuning.max_linear_speed = x,
    |def, x| def.tuning.joint_hertz = x,
    |def, x| def.tuning.joint_damping_ratio = x,
    |def, x| def.tuning.linkage_drag = x,
];

/// Kinds of bodies, dynamic ones most often.
const KINDS: [BodyKind; 5] = [
    BodyKind::Dynamic,
    BodyKind::Dynamic,
    BodyKind::Dynamic,
    BodyKind::Kinematic,
    BodyKind::Static,
];

impl Values {
    /// Replaces some fields of a definition by numbers of any kind, in few definitions of a tame world and most of a wild one.
    pub(crate) fn spoil<T>(&mut self, def: &mut T, fields: &Fields<T>) {
        if !self.chance(4.0 * self.temper.extreme) {
            return;
        }
        for _ in 0..=self.below(2) {
            let field = fields[self.below(fields.len())];
            let value = if self.flag() {
                self.any()
            } else {
                self.usual()
            };
            field(def, value);
        }
    }

    pub(crate) fn kind(&mut self) -> BodyKind {
        self.pick(&KINDS)
    }

    pub(crate) fn locks(&mut self) -> Locks {
        Locks {
            x: self.below(8) == 0,
            y: self.below(8) == 0,
            rotation: self.below(4) == 0,
        }
    }

    pub(crate) fn continuous(&mut self) -> Continuous {
        self.pick(&[Continuous::Auto, Continuous::Clamp, Continuous::Substep])
    }

    pub(crate) fn body_def(&mut self) -> BodyDef {
        let mut def = BodyDef {
            kind: self.kind(),
            position: self.place(),
            angle: self.usual(),
            velocity: self.usual_vector(),
            angular_velocity: self.usual(),
            bullet: self.below(8) == 0,
            fast_rotation: self.below(8) == 0,
            can_sleep: self.below(8) != 0,
            initial_state: self.pick(&[
                InitialState::Awake,
                InitialState::Awake,
                InitialState::Asleep,
                InitialState::Disabled,
            ]),
            user_data: self.bits(),
            ..BodyDef::default()
        };
        if self.below(4) == 0 {
            def.locks = self.locks();
            def.continuous = self.continuous();
        }
        self.spoil(&mut def, BODY_NUMBERS);
        def
    }

    pub(crate) fn filter(&mut self) -> Filter {
        match self.below(3) {
            0 => Filter {
                category: 1 << self.below(64),
                mask: self.bits() | self.bits(),
                group: self.pick(&[0, 1, -1, i32::MIN, i32::MAX]),
            },
            _ => Filter::default(),
        }
    }

    fn rule(&mut self) -> Option<MixRule> {
        self.pick(&[
            None,
            Some(MixRule::Average),
            Some(MixRule::GeometricMean),
            Some(MixRule::Minimum),
            Some(MixRule::Product),
            Some(MixRule::Maximum),
        ])
    }

    pub(crate) fn material(&mut self) -> Material {
        let mut def = self.shape_def();
        def.material.friction_rule = self.rule();
        def.material.restitution_rule = self.rule();
        def.material
    }

    pub(crate) fn shape_def(&mut self) -> ShapeDef {
        let mut def = ShapeDef {
            density: self.pick(&[1.0, 1.0, 0.0, 0.01, 1000.0]),
            sensor: self.below(8) == 0,
            pre_solve: self.below(4) == 0,
            filter: self.filter(),
            user_data: self.bits(),
            ..ShapeDef::default()
        };
        def.material.restitution = self.pick(&[0.0, 0.0, 0.5, 1.0]);
        if self.below(8) == 0 {
            def.force_event_threshold = self.usual().abs();
            def.material.surface_speed = self.usual();
            def.material.rolling_resistance = 0.1;
        }
        if self.below(16) == 0 {
            def.material.one_way = Some(self.usual_vector());
        }
        self.spoil(&mut def, SHAPE_NUMBERS);
        def
    }

    pub(crate) fn switch(&mut self) -> bool {
        self.pick(&[true, true, false])
    }

    pub(crate) fn world_def(&mut self) -> WorldDef {
        let mut def = WorldDef {
            gravity: self.pick(&[WorldDef::default().gravity, WorldDef::weightless().gravity]),
            substeps: self.pick(&[4, 4, 1, 2, 8]),
            sleeping: self.switch(),
            continuous: self.switch(),
            warm_starting: self.switch(),
            broad_phase: self.pick(BroadPhaseKind::ALL),
            ..WorldDef::default()
        };
        if self.below(4) == 0 {
            let area = self.area();
            def.bounds = self.maybe(area);
        }
        self.spoil(&mut def, WORLD_NUMBERS);
        // More substeps than the usual most cost time and find nothing else.
        def.substeps = def.substeps.min(16);
        if def.tuning == Tuning::default() && self.below(8) == 0 {
            def.clock = Some(cairn2d::std_clock);
        }
        def
    }

    pub(crate) fn query_filter(&mut self, exclude: BodyId) -> QueryFilter<'static> {
        if self.flag() {
            return QueryFilter::default();
        }
        QueryFilter {
            category: self.pick(&[u64::MAX, 1, 0]),
            mask: self.pick(&[u64::MAX, u64::MAX, 1, 0]),
            sensors: self.pick(&[Sensors::Ignored, Sensors::Included]),
            kinds: BodyKinds {
                fixed: self.below(4) != 0,
                kinematic: self.below(4) != 0,
                dynamic: self.below(4) != 0,
            },
            exclude: self.maybe(exclude),
            predicate: None,
        }
    }
}
