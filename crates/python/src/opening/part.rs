//! A body of an open linkage while it is moved.

use super::MAX_MOTION;
use cairn2d::math::{Pose, Vec2, rotation};
use cairn2d::nalgebra::{Isometry2, Translation2};
use cairn2d::{BodyId, BodyKind, BodyRef, WorldPoint};

/// Cross product of two vectors.
pub(super) fn cross(a: Vec2, b: Vec2) -> f32 {
    a.x * b.y - a.y * b.x
}

/// Velocity of a point at `arm` of a body that turns at `spin`.
pub(super) fn turned(spin: f32, arm: Vec2) -> Vec2 {
    Vec2::new(-spin * arm.y, spin * arm.x)
}

/// A body; static and kinematic ones have no inverse mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) id: BodyId,
    /// Center of mass, relative to the base of the linkage [m].
    pub(super) center: Vec2,
    /// Angle with all turns [rad].
    pub(super) angle: f32,
    pub(super) velocity: Vec2,
    pub(super) spin: f32,
    pub(super) inv_mass: f32,
    pub(super) inv_inertia: f32,
    pub(super) local_center: Vec2,
    /// Velocities that forces and gravity give it in a second.
    pub(super) acceleration: (Vec2, f32),
    pub(super) damping: [f32; 2],
    /// Center and angle at the share `start` of the step, from which a sweep begins.
    pub(super) from: (Vec2, f32),
    pub(super) start: f32,
}

impl Part {
    pub(super) fn new(body: &BodyRef<'_>, angle: f32, base: WorldPoint, gravity: Vec2) -> Self {
        let is_dynamic = body.kind() == BodyKind::Dynamic;
        let inverse = |x: f32| if is_dynamic && x > 0.0 { 1.0 / x } else { 0.0 };
        let turns = !body.locks().rotation;
        let inv_inertia = if turns { inverse(body.inertia()) } else { 0.0 };
        let inv_mass = inverse(body.mass());
        let center = body.center_exact() - base;
        let (force, torque) = body.applied_force();
        let weight = if is_dynamic {
            body.gravity_scale() * gravity
        } else {
            Vec2::zeros()
        };
        Self {
            id: body.id(),
            center,
            angle,
            velocity: body.velocity(),
            spin: body.angular_velocity(),
            inv_mass,
            inv_inertia,
            local_center: body.local_center().coords,
            acceleration: (weight + inv_mass * force, inv_inertia * torque),
            damping: body.damping(),
            from: (center, angle),
            start: 0.0,
        }
    }

    /// Takes over forces, gravity and damping of a step of `dt` [s].
    pub(super) fn accelerate(&mut self, dt: f32) {
        self.velocity += dt * self.acceleration.0;
        self.spin += dt * self.acceleration.1;
        self.velocity /= 1.0 + dt * self.damping[0];
        self.spin /= 1.0 + dt * self.damping[1];
    }

    /// Moves by its velocities for `dt` [s], as far as a body may move in a step.
    pub(super) fn advance(&mut self, dt: f32) {
        let [most, widest] = MAX_MOTION;
        let way = dt * self.velocity.norm();
        if way > most {
            self.velocity *= most / way;
        }
        let turn = (dt * self.spin).abs();
        if turn > widest {
            self.spin *= widest / turn;
        }
        self.center += dt * self.velocity;
        self.angle += dt * self.spin;
    }

    /// Changes the velocities by `scale` times an impulse at `arm`.
    pub(super) fn push(&mut self, impulse: Vec2, arm: Vec2, scale: f32) {
        self.velocity += self.inv_mass * scale * impulse;
        self.spin += self.inv_inertia * scale * cross(arm, impulse);
    }

    /// Changes center and angle by `scale` times an impulse at `arm`.
    pub(super) fn shift(&mut self, impulse: Vec2, arm: Vec2, scale: f32) {
        self.center += self.inv_mass * scale * impulse;
        self.angle += self.inv_inertia * scale * cross(arm, impulse);
    }

    /// Arm of a point of the body [m].
    pub(super) fn arm(&self, point: Vec2) -> Vec2 {
        rotation(self.angle) * (point - self.local_center)
    }

    /// The velocities, which iterations change.
    pub(super) fn motion(&self) -> [f32; 3] {
        [self.velocity.x, self.velocity.y, self.spin]
    }

    /// Velocity at `arm`.
    pub(super) fn velocity_at(&self, arm: Vec2) -> Vec2 {
        self.velocity + turned(self.spin, arm)
    }

    /// Pose of the body's frame, relative to the base.
    pub(super) fn pose(&self) -> Pose {
        let turn = rotation(self.angle);
        Isometry2::from_parts(
            Translation2::from(self.center - turn * self.local_center),
            turn,
        )
    }
}
