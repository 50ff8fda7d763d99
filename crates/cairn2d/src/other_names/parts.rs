//! Names of functions that read or change a shape or a joint.

use super::{SetLimit, SetMotor, SetSpring, UseShapesAt};
use cairn2d_dynamics::{BodyId, Filter, JointDef, JointMut, JointRef, Limit, ShapeMut, ShapeRef};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{Aabb, Shape};

names! { ShapeRefNames for ShapeRef<'_> {
    "use `is_sensor`"
    fn is_trigger(&self) -> bool { self.is_sensor() }
    "use `material().friction`"
    fn friction(&self) -> f32 { self.material().friction }
    "use `material().restitution`"
    fn restitution(&self) -> f32 { self.material().restitution }
    "use `geometry`"
    fn shape_type(&self) -> &Shape { self.geometry() }
    "use `geometry`"
    fn shape(&self) -> &Shape { self.geometry() }
    "use `body`"
    fn parent(&self) -> BodyId { self.body() }
    "use `aabb`"
    fn compute_aabb(&self) -> Aabb { self.aabb() }
    "use `World::shapes_at`, which finds all shapes at a point"
    fn test_point(&self, _point: impl UseShapesAt) -> bool { false }
} }

names! { ShapeMutNames for ShapeMut<'_> {
    "use `enable` or `disable`"
    fn set_enabled(&mut self, enabled: bool) { if enabled { self.enable(); } else { self.disable(); } }
    "use `set_restitution`"
    fn set_bounciness(&mut self, restitution: f32) { self.set_restitution(restitution); }
    "use `set_filter`"
    fn set_collision_groups(&mut self, filter: Filter) { self.set_filter(filter); }
    "use `set_filter(Filter::new(category, mask))`"
    fn set_collision_layer(&mut self, category: u64) {
        let filter = Filter { category, ..self.as_ref().filter() };
        self.set_filter(filter);
    }
    "use `set_filter(Filter::new(category, mask))`"
    fn set_collision_mask(&mut self, mask: u64) {
        let filter = Filter { mask, ..self.as_ref().filter() };
        self.set_filter(filter);
    }
    "use `set_geometry`"
    fn set_shape(&mut self, shape: impl Into<Shape>) { self.set_geometry(shape); }
    "use `set_sensor`"
    fn set_trigger(&mut self, sensor: bool) { self.set_sensor(sensor); }
} }

names! { JointRefNames for JointRef<'_> {
    "use `angle`"
    fn joint_angle(&self) -> f32 { self.angle() }
    "use `angle`"
    fn get_angle(&self) -> f32 { self.angle() }
    "use `translation`"
    fn joint_translation(&self) -> f32 { self.translation() }
    "use `angular_speed` or `translation_speed`"
    fn joint_speed(&self) -> f32 {
        match self.def() {
        JointDef::Revolute(_) | JointDef::Wheel(_) => self.angular_speed(),
        _ => self.translation_speed(),
        }
    }
    "use `efforts`, which has spring, motor and limit in this order"
    fn get_motor_torque(&self, _inverse_dt: f32) -> f32 { self.efforts().map_or(0.0, |efforts| efforts[1]) }
    "use `efforts`, which has spring, motor and limit in this order"
    fn get_motor_force(&self, _inverse_dt: f32) -> f32 { self.efforts().map_or(0.0, |efforts| efforts[1]) }
    "use `reaction().force`"
    fn get_reaction_force(&self, _inverse_dt: f32) -> Vec2 { self.reaction().force }
    "use `reaction().torque`"
    fn get_reaction_torque(&self, _inverse_dt: f32) -> f32 { self.reaction().torque }
    "use `bodies`"
    fn body_a(&self) -> BodyId { self.bodies()[0] }
    "use `bodies`"
    fn body_b(&self) -> BodyId { self.bodies()[1] }
    "use `bodies`"
    fn body1(&self) -> BodyId { self.bodies()[0] }
    "use `bodies`"
    fn body2(&self) -> BodyId { self.bodies()[1] }
} }

names! { JointMutNames for JointMut<'_> {
    "use `enable` or `disable`"
    fn set_enabled(&mut self, enabled: bool) { if enabled { self.enable(); } else { self.disable(); } }
    "use `set_limit(Some(Limit::new(lower, upper)))`"
    fn set_limits(&mut self, lower: f32, upper: f32) { self.set_limit(Some(Limit::new(lower, upper))); }
    "use `set_motor(Some(Motor::new(speed, max_effort)))`, or `set_motor(None)`"
    fn enable_motor(&mut self, _enabled: impl SetMotor) {}
    "use `set_motor(Some(Motor::new(speed, max_effort)))`"
    fn set_max_motor_torque(&mut self, _torque: impl SetMotor) {}
    "use `set_motor(Some(Motor::new(speed, max_effort)))`"
    fn set_max_motor_force(&mut self, _force: impl SetMotor) {}
    "use `set_limit(Some(Limit::new(lower, upper)))`, or `set_limit(None)`"
    fn enable_limit(&mut self, _enabled: impl SetLimit) {}
    "use `set_spring(Some(Spring::new(hertz, damping_ratio)))`, or `set_spring(None)`"
    fn enable_spring(&mut self, _enabled: impl SetSpring) {}
    "use `set_motor_speed`"
    fn set_motor_velocity(&mut self, speed: f32) { self.set_motor_speed(speed); }
    "use `set_spring`"
    fn set_motor_position(&mut self, _target: impl SetSpring) {}
} }
