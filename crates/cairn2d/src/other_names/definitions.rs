//! Names of settings of bodies, shapes and joints before they are created.
#![expect(
    clippy::wrong_self_convention,
    reason = "the names are those of other engines"
)]

use super::{PlaceJoint, SetDensity};
use cairn2d_dynamics::{
    BodyDef, BodyKind, DistanceJointDef, Filter, Limit, Locks, Motor, PrismaticJointDef,
    RevoluteJointDef, ShapeDef, WeldJointDef, WheelJointDef,
};
use cairn2d_geometry::{IntoPoint, IntoVec2};

names! { BodyDefNames for BodyDef {
    "use `static_`"
    fn fixed() -> Self { Self::static_() }
    "use `position(x, y)`"
    fn translation(self, to: impl IntoVec2) -> Self { let to = to.into_vec2(); self.position(to.x, to.y) }
    "use `velocity(x, y)`"
    fn linvel(self, velocity: impl IntoVec2) -> Self {
        let velocity = velocity.into_vec2();
        self.velocity(velocity.x, velocity.y)
    }
    "use `velocity(x, y)`"
    fn linear_velocity(self, velocity: impl IntoVec2) -> Self {
        let velocity = velocity.into_vec2();
        self.velocity(velocity.x, velocity.y)
    }
    "use `angular_velocity`"
    fn angvel(self, angular_velocity: f32) -> Self { self.angular_velocity(angular_velocity) }
    "use `angle`"
    fn rotation(self, angle: f32) -> Self { self.angle(angle) }
    "use `locks(Locks::ROTATION)`"
    fn lock_rotations(self) -> Self { self.locks(Locks::ROTATION) }
    "use `locks(Locks::ROTATION)`"
    fn fixed_rotation(self, fixed: bool) -> Self { let mut this = self; this.locks.rotation = fixed; this }
    "not needed: bodies never pass through static shapes; `bullet` is for fast bodies that meet moving ones"
    fn ccd_enabled(self, bullet: bool) -> Self { let mut this = self; this.bullet = bullet; this }
    "not needed: pass the definition to `create_body`"
    fn build(self) -> Self { self }
    "use `ShapeDef::density`"
    fn mass(self, _mass: impl SetDensity) -> Self { self }
    "use `linear_damping`"
    fn linear_drag(self, rate: f32) -> Self { self.linear_damping(rate) }
    "use `angular_damping`"
    fn angular_drag(self, rate: f32) -> Self { self.angular_damping(rate) }
    "use `static_`, `kinematic` or `dynamic`"
    fn new(kind: BodyKind) -> Self { Self { kind, ..Self::default() } }
} }

names! { ShapeDefNames for ShapeDef {
    "use `ShapeDef::sensor()`, or the field `sensor`"
    fn is_trigger(self, sensor: bool) -> Self { let mut this = self; this.sensor = sensor; this }
    "use `restitution`"
    fn bounciness(self, restitution: f32) -> Self { self.restitution(restitution) }
    "use `filter`"
    fn collision_groups(self, filter: Filter) -> Self { self.filter(filter) }
    "use `filter(Filter::new(category, mask))`"
    fn collision_layer(self, category: u64) -> Self { let mut this = self; this.filter.category = category; this }
    "use `filter(Filter::new(category, mask))`"
    fn collision_mask(self, mask: u64) -> Self { let mut this = self; this.filter.mask = mask; this }
    "use `one_way(direction)`"
    fn one_way_collision(self, one_way: bool) -> Self { if one_way { self.one_way((0.0, 1.0)) } else { self } }
    "not needed: pass the definition to `create_shape`"
    fn build(self) -> Self { self }
    "use `ShapeDef::sensor()`, or the field `sensor`"
    fn is_sensor(self, sensor: bool) -> Self { let mut this = self; this.sensor = sensor; this }
    "use `filter`, with the field `group` of a `Filter`"
    fn group(self, group: i32) -> Self { let mut this = self; this.filter.group = group; this }
    "use `density`"
    fn mass(self, _mass: impl SetDensity) -> Self { self }
    "use `ShapeDef::default()`"
    fn new() -> Self { Self::default() }
} }

names! { RevoluteNames for RevoluteJointDef {
    "set `base.frame_a`, or place the joint with `at` or `between`"
    fn local_anchor1(self, anchor: impl IntoPoint) -> Self {
        let mut this = self;
        this.base.frame_a.anchor = anchor.into_point();
        this
    }
    "set `base.frame_b`, or place the joint with `at` or `between`"
    fn local_anchor2(self, anchor: impl IntoPoint) -> Self {
        let mut this = self;
        this.base.frame_b.anchor = anchor.into_point();
        this
    }
    "set `base.collide_connected`, which is false by default"
    fn contacts_enabled(self, collide: bool) -> Self {
        let mut this = self;
        this.base.collide_connected = collide;
        this
    }
    "use `limit`"
    fn limits(self, limits: impl Into<Limit>) -> Self { let mut this = self; this.limit = Some(limits.into()); this }
    "use `.motor(Motor::new(speed, max_effort))`"
    fn motor_velocity(self, speed: f32, _factor: f32) -> Self {
        let mut this = self;
        this.motor = Some(Motor::new(speed, f32::INFINITY));
        this
    }
    "use `at(&world, point)`, or `base.frame_a` and `base.frame_b`"
    fn anchor(self, _anchor: impl PlaceJoint) -> Self { self }
} }

names! { PrismaticNames for PrismaticJointDef {
    "set `base.frame_a`, or place the joint with `at` or `between`"
    fn local_anchor1(self, anchor: impl IntoPoint) -> Self {
        let mut this = self;
        this.base.frame_a.anchor = anchor.into_point();
        this
    }
    "set `base.frame_b`, or place the joint with `at` or `between`"
    fn local_anchor2(self, anchor: impl IntoPoint) -> Self {
        let mut this = self;
        this.base.frame_b.anchor = anchor.into_point();
        this
    }
    "set `base.collide_connected`, which is false by default"
    fn contacts_enabled(self, collide: bool) -> Self {
        let mut this = self;
        this.base.collide_connected = collide;
        this
    }
    "use `limit`"
    fn limits(self, limits: impl Into<Limit>) -> Self { let mut this = self; this.limit = Some(limits.into()); this }
    "use `.motor(Motor::new(speed, max_effort))`"
    fn motor_velocity(self, speed: f32, _factor: f32) -> Self {
        let mut this = self;
        this.motor = Some(Motor::new(speed, f32::INFINITY));
        this
    }
    "use `at(&world, point, axis)`, or `base.frame_a.angle` and `base.frame_b.angle`"
    fn axis(self, _axis: impl PlaceJoint) -> Self { self }
} }

names! { WheelNames for WheelJointDef {
    "set `base.frame_a`, or place the joint with `at` or `between`"
    fn local_anchor1(self, anchor: impl IntoPoint) -> Self {
        let mut this = self;
        this.base.frame_a.anchor = anchor.into_point();
        this
    }
    "set `base.frame_b`, or place the joint with `at` or `between`"
    fn local_anchor2(self, anchor: impl IntoPoint) -> Self {
        let mut this = self;
        this.base.frame_b.anchor = anchor.into_point();
        this
    }
    "set `base.collide_connected`, which is false by default"
    fn contacts_enabled(self, collide: bool) -> Self {
        let mut this = self;
        this.base.collide_connected = collide;
        this
    }
    "use `limit`"
    fn limits(self, limits: impl Into<Limit>) -> Self { let mut this = self; this.limit = Some(limits.into()); this }
    "use `.motor(Motor::new(speed, max_effort))`"
    fn motor_velocity(self, speed: f32, _factor: f32) -> Self {
        let mut this = self;
        this.motor = Some(Motor::new(speed, f32::INFINITY));
        this
    }
    "use `at(&world, point, axis)`, or `base.frame_a.angle` and `base.frame_b.angle`"
    fn axis(self, _axis: impl PlaceJoint) -> Self { self }
} }

names! { DistanceNames for DistanceJointDef {
    "set `base.frame_a`, or place the joint with `at` or `between`"
    fn local_anchor1(self, anchor: impl IntoPoint) -> Self {
        let mut this = self;
        this.base.frame_a.anchor = anchor.into_point();
        this
    }
    "set `base.frame_b`, or place the joint with `at` or `between`"
    fn local_anchor2(self, anchor: impl IntoPoint) -> Self {
        let mut this = self;
        this.base.frame_b.anchor = anchor.into_point();
        this
    }
    "set `base.collide_connected`, which is false by default"
    fn contacts_enabled(self, collide: bool) -> Self {
        let mut this = self;
        this.base.collide_connected = collide;
        this
    }
} }

names! { WeldNames for WeldJointDef {
    "set `base.frame_a`, or place the joint with `at` or `between`"
    fn local_anchor1(self, anchor: impl IntoPoint) -> Self {
        let mut this = self;
        this.base.frame_a.anchor = anchor.into_point();
        this
    }
    "set `base.frame_b`, or place the joint with `at` or `between`"
    fn local_anchor2(self, anchor: impl IntoPoint) -> Self {
        let mut this = self;
        this.base.frame_b.anchor = anchor.into_point();
        this
    }
    "set `base.collide_connected`, which is false by default"
    fn contacts_enabled(self, collide: bool) -> Self {
        let mut this = self;
        this.base.collide_connected = collide;
        this
    }
    "use `at(&world, point)`, or `base.frame_a` and `base.frame_b`"
    fn anchor(self, _anchor: impl PlaceJoint) -> Self { self }
} }
