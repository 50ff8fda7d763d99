//! Names of functions that read or change a body.

use super::{IgnorePair, MoveTo, SetDensity};
use cairn2d_dynamics::{BodyId, BodyKind, BodyMut, BodyRef, Locks, ShapeRef};
use cairn2d_geometry::math::{Point, Pose, Rotation, Vec2, WorldPoint};
use cairn2d_geometry::{IntoPoint, IntoVec2};

names! { BodyRefNames for BodyRef<'_> {
    "use `position`"
    fn translation(&self) -> Point { self.position() }
    "use `position`"
    fn get_position(&self) -> Point { self.position() }
    "use `angle`"
    fn get_angle(&self) -> f32 { self.angle() }
    "use `rotation`"
    fn get_rotation(&self) -> Rotation { self.rotation() }
    "use `velocity`"
    fn linvel(&self) -> Vec2 { self.velocity() }
    "use `velocity`"
    fn linear_velocity(&self) -> Vec2 { self.velocity() }
    "use `velocity`"
    fn get_linear_velocity(&self) -> Vec2 { self.velocity() }
    "use `angular_velocity`"
    fn angvel(&self) -> f32 { self.angular_velocity() }
    "use `angular_velocity`"
    fn get_angular_velocity(&self) -> f32 { self.angular_velocity() }
    "use `mass`"
    fn get_mass(&self) -> f32 { self.mass() }
    "use `inertia`"
    fn rotational_inertia(&self) -> f32 { self.inertia() }
    "use `center`"
    fn center_of_mass(&self) -> Point { self.center() }
    "use `center`"
    fn world_center_of_mass(&self) -> Point { self.center() }
    "use `center`"
    fn world_center(&self) -> Point { self.center() }
    "use `to_local`"
    fn local_point(&self, point: impl Into<WorldPoint>) -> Point { self.to_local(point) }
    "use `to_world`"
    fn world_point(&self, local: impl IntoPoint) -> Point { self.to_world(local.into_point()) }
    "use `to_local`"
    fn get_local_point(&self, point: impl Into<WorldPoint>) -> Point { self.to_local(point) }
    "use `to_world`"
    fn get_world_point(&self, local: impl IntoPoint) -> Point { self.to_world(local.into_point()) }
    "use `rotation() * vector`"
    fn get_world_vector(&self, local: impl IntoVec2) -> Vec2 { self.rotation() * local.into_vec2() }
    "use `rotation().inverse() * vector`"
    fn get_local_vector(&self, vector: impl IntoVec2) -> Vec2 { self.rotation().inverse() * vector.into_vec2() }
    "use `contacts`, and `other` of each contact"
    fn is_touching(&self, body: BodyId) -> bool {
        self.contacts().any(|contact| contact.other(self.id()) == Some(body))
    }
    "use `contacts`, and `other` of each contact"
    fn get_colliding_bodies(&self) -> Vec<BodyId> {
        let mut bodies = Vec::new();
        for body in self.contacts().filter_map(|contact| contact.other(self.id())) {
            if !bodies.contains(&body) { bodies.push(body); }
        }
        bodies
    }
    "use `!is_awake()`"
    fn is_sleeping(&self) -> bool { !self.is_awake() }
    "use `kind() == BodyKind::Dynamic`"
    fn is_dynamic(&self) -> bool { self.kind() == BodyKind::Dynamic }
    "use `kind() == BodyKind::Kinematic`"
    fn is_kinematic(&self) -> bool { self.kind() == BodyKind::Kinematic }
    "use `kind() == BodyKind::Static`"
    fn is_fixed(&self) -> bool { self.kind() == BodyKind::Static }
    "use `kind() == BodyKind::Static`"
    fn is_static(&self) -> bool { self.kind() == BodyKind::Static }
    "use `kind`"
    fn body_type(&self) -> BodyKind { self.kind() }
    "use `is_enabled`, or `is_awake`"
    fn is_active(&self) -> bool { self.is_enabled() }
    "not needed: `World::get_body` returns `None` for a body that was destroyed"
    fn is_valid(&self) -> bool { true }
    "use `position` and `rotation`"
    fn transform(&self) -> Pose { Pose::from_parts(self.position().into(), self.rotation()) }
    "use `position` and `rotation`"
    fn isometry(&self) -> Pose { Pose::from_parts(self.position().into(), self.rotation()) }
    "use `velocity_at`"
    fn velocity_at_point(&self, point: impl Into<WorldPoint>) -> Vec2 { self.velocity_at(point) }
    "use `velocity_at`"
    fn linear_velocity_at_point(&self, point: impl Into<WorldPoint>) -> Vec2 { self.velocity_at(point) }
    "use `velocity_at`"
    fn get_point_velocity(&self, point: impl Into<WorldPoint>) -> Vec2 { self.velocity_at(point) }
    "use `shapes`"
    fn colliders(&self) -> impl Iterator<Item = ShapeRef<'_>> { self.shapes() }
    "use `shapes`"
    fn fixtures(&self) -> impl Iterator<Item = ShapeRef<'_>> { self.shapes() }
    "use `velocity().norm()`"
    fn speed(&self) -> f32 { self.velocity().norm() }
} }

names! { BodyMutNames for BodyMut<'_> {
    "use `set_velocity`, which wakes the body"
    fn set_linvel(&mut self, velocity: impl IntoVec2, _wake: bool) { self.set_velocity(velocity); }
    "use `set_velocity`"
    fn set_linear_velocity(&mut self, velocity: impl IntoVec2) { self.set_velocity(velocity); }
    "use `set_angular_velocity`, which wakes the body"
    fn set_angvel(&mut self, angular_velocity: f32, _wake: bool) { self.set_angular_velocity(angular_velocity); }
    "use `set_pose(position, angle)`"
    fn set_translation(&mut self, position: impl Into<WorldPoint>, _wake: bool) {
        let angle = self.as_ref().angle();
        self.set_pose(position, angle);
    }
    "use `set_pose(position, angle)`"
    fn set_position(&mut self, position: impl Into<WorldPoint>) {
        let angle = self.as_ref().angle();
        self.set_pose(position, angle);
    }
    "use `set_pose(position, angle)`"
    fn set_rotation(&mut self, angle: f32) {
        let position = self.as_ref().position_exact();
        self.set_pose(position, angle);
    }
    "use `set_pose`"
    fn set_transform(&mut self, position: impl Into<WorldPoint>, angle: f32) { self.set_pose(position, angle); }
    "use `wake` or `sleep`"
    fn set_awake(&mut self, awake: bool) { if awake { self.wake(); } else { self.sleep(); } }
    "use `wake`"
    fn wake_up(&mut self, _strong: bool) { self.wake(); }
    "use `enable` or `disable`"
    fn set_enabled(&mut self, enabled: bool) { if enabled { self.enable(); } else { self.disable(); } }
    "use `set_locks(Locks::ROTATION)`"
    fn set_fixed_rotation(&mut self, fixed: bool) {
        let locks = Locks {
        rotation: fixed,
        ..self.as_ref().locks()
        };
        self.set_locks(locks);
    }
    "use `set_locks(Locks::ROTATION)`"
    fn lock_rotations(&mut self, locked: bool, _wake: bool) {
        let locks = Locks {
        rotation: locked,
        ..self.as_ref().locks()
        };
        self.set_locks(locks);
    }
    "use `set_kind`"
    fn set_type(&mut self, kind: BodyKind) { self.set_kind(kind); }
    "use `set_kind`"
    fn set_body_type(&mut self, kind: BodyKind) { self.set_kind(kind); }
    "use `apply_force`, which lasts one step"
    fn add_force(&mut self, force: impl IntoVec2, _wake: bool) { self.apply_force(force); }
    "use `apply_torque`, which lasts one step"
    fn add_torque(&mut self, torque: f32, _wake: bool) { self.apply_torque(torque); }
    "use `apply_force`"
    fn apply_force_to_center(&mut self, force: impl IntoVec2) { self.apply_force(force); }
    "use `apply_force`"
    fn apply_central_force(&mut self, force: impl IntoVec2) { self.apply_force(force); }
    "use `apply_impulse_at`"
    fn apply_linear_impulse(&mut self, impulse: impl IntoVec2, point: impl Into<WorldPoint>) {
        self.apply_impulse_at(impulse, point);
    }
    "use `apply_impulse`"
    fn apply_linear_impulse_to_center(&mut self, impulse: impl IntoVec2) { self.apply_impulse(impulse); }
    "use `apply_impulse`"
    fn apply_central_impulse(&mut self, impulse: impl IntoVec2) { self.apply_impulse(impulse); }
    "use `apply_angular_impulse`"
    fn apply_torque_impulse(&mut self, impulse: f32) { self.apply_angular_impulse(impulse); }
    "use `disable` or `enable`"
    fn set_freeze(&mut self, frozen: bool) { if frozen { self.disable(); } else { self.enable(); } }
    "use `move_to(position, angle, dt)`"
    fn move_position(&mut self, _position: impl MoveTo) {}
    "use `move_to(position, angle, dt)`"
    fn move_rotation(&mut self, _angle: impl MoveTo) {}
    "use `move_to(position, angle, dt)`"
    fn set_next_kinematic_position(&mut self, _position: impl MoveTo) {}
    "use `move_to(position, angle, dt)`"
    fn set_next_kinematic_translation(&mut self, _position: impl MoveTo) {}
    "use `set_pose(position, angle)`"
    fn set_angle(&mut self, angle: f32) {
        let position = self.as_ref().position_exact();
        self.set_pose(position, angle);
    }
    "use `set_pose`, or a velocity: a body that is moved passes through others"
    fn translate(&mut self, by: impl IntoVec2) {
        let (mut position, by) = (self.as_ref().position_exact(), by.into_vec2());
        position.x += f64::from(by.x);
        position.y += f64::from(by.y);
        let angle = self.as_ref().angle();
        self.set_pose(position, angle);
    }
    "use `set_pose`, or an angular velocity: a body that is turned passes through others"
    fn rotate(&mut self, by: f32) {
        let body = self.as_ref();
        let (position, angle) = (body.position_exact(), body.angle());
        self.set_pose(position, angle + by);
    }
    "use `set_mass` with the whole mass, or `ShapeDef::density`"
    fn set_additional_mass(&mut self, _mass: impl SetDensity, _wake: bool) {}
    "use `World::ignore_pair(a, b, IgnoreFor::Forever)`"
    fn add_collision_exception_with(&mut self, _body: impl IgnorePair) {}
    "use `apply_force_at`"
    fn add_force_at_position(&mut self, force: impl IntoVec2, point: impl Into<WorldPoint>) {
        self.apply_force_at(force, point);
    }
    "use `apply_force_at`"
    fn add_force_at_point(&mut self, force: impl IntoVec2, point: impl Into<WorldPoint>, _wake: bool) {
        self.apply_force_at(force, point);
    }
    "use `apply_local_force`"
    fn add_relative_force(&mut self, force: impl IntoVec2) { self.apply_local_force(force); }
    "not needed: forces last one step"
    fn reset_forces(&mut self, _wake: bool) {}
    "not needed: torques last one step"
    fn reset_torques(&mut self, _wake: bool) {}
    "use `set_can_sleep`"
    fn set_sleeping_allowed(&mut self, allowed: bool) { self.set_can_sleep(allowed); }
    "use `set_can_sleep`"
    fn enable_sleep(&mut self, allowed: bool) { self.set_can_sleep(allowed); }
    "use `sleep`"
    fn put_to_sleep(&mut self) { self.sleep(); }
    "use `set_bullet`; static shapes are never passed through"
    fn enable_ccd(&mut self, bullet: bool) { self.set_bullet(bullet); }
    "use `set_bullet`; static shapes are never passed through"
    fn set_ccd(&mut self, bullet: bool) { self.set_bullet(bullet); }
    "use `set_pose(position, angle)`"
    fn teleport(&mut self, position: impl Into<WorldPoint>) {
        let angle = self.as_ref().angle();
        self.set_pose(position, angle);
    }
    "use `set_locks(Locks::ROTATION)`"
    fn freeze_rotation(&mut self, frozen: bool) {
        let locks = Locks {
        rotation: frozen,
        ..self.as_ref().locks()
        };
        self.set_locks(locks);
    }
} }
