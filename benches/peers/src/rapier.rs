//! Rapier behind the [`Engine`] trait.

use cairn2d::prelude::*;
use rapier2d::parry::query::ShapeCastOptions;
use rapier2d::parry::shape::Shape as AnyShape;
use rapier2d::prelude as rp;
use scenes::engine::{
    BodyHandle, BodyMotion, Brake, Counts, DistanceSpring, Engine, EngineSettings, Grip, Hinge,
    JointHandle, Rod, Slider, Weld, Wheel,
};

/// A world of Rapier.
pub(crate) struct Rapier {
    world: rp::PhysicsWorld,
    sleeping: bool,
    bodies: Vec<rp::RigidBodyHandle>,
    joints: Vec<rp::ImpulseJointHandle>,
    kept: Vec<u8>,
    /// Bodies with a force or torque for the next step: Rapier keeps these until they are reset.
    pushed: Vec<rp::RigidBodyHandle>,
}

impl Rapier {
    pub(crate) fn new(settings: &EngineSettings) -> Self {
        let mut world = rp::PhysicsWorld::new();
        world.gravity = vector(settings.gravity);
        world.integration_parameters.num_solver_iterations = settings.substeps as usize;
        set_threads(&mut world, settings.threads);
        Self {
            world,
            sleeping: settings.sleeping,
            bodies: Vec::new(),
            joints: Vec::new(),
            kept: Vec::new(),
            pushed: Vec::new(),
        }
    }

    fn id(&self, body: BodyHandle) -> rp::RigidBodyHandle {
        self.bodies[body.0 as usize]
    }

    fn join(
        &mut self,
        a: BodyHandle,
        b: BodyHandle,
        joint: impl Into<rp::GenericJoint>,
    ) -> JointHandle {
        let (a, b) = (self.id(a), self.id(b));
        self.joints
            .push(self.world.insert_impulse_joint(a, b, joint));
        JointHandle(self.joints.len() as u32 - 1)
    }

    fn add(&mut self, body: BodyHandle, collider: rp::ColliderBuilder, def: &ShapeDef) {
        let collider = collider
            .density(def.density)
            .friction(def.material.friction)
            .friction_combine_rule(rp::CoefficientCombineRule::GeometricMean)
            .restitution(def.material.restitution)
            .restitution_combine_rule(rp::CoefficientCombineRule::Max)
            .sensor(def.sensor)
            .collision_groups(groups(&def.filter));
        let body = self.id(body);
        self.world.insert_collider(collider, Some(body));
    }
}

impl Rapier {
    /// Replaces the content of `save` with the world as serde and bincode write it.
    pub(crate) fn save_into(&self, save: &mut Vec<u8>) {
        save.clear();
        bincode::serialize_into(save, &self.world).expect("a world");
    }

    /// Makes a world from the bytes of `save_into`.
    pub(crate) fn loaded(save: &[u8]) -> rp::PhysicsWorld {
        bincode::deserialize(save).expect("a world")
    }
}

#[cfg(feature = "rapier-parallel")]
fn set_threads(world: &mut rp::PhysicsWorld, threads: usize) {
    world.configure_thread_pool(threads).expect("threads");
}

#[cfg(not(feature = "rapier-parallel"))]
fn set_threads(_: &mut rp::PhysicsWorld, threads: usize) {
    assert_eq!(threads, 1, "built without the feature rapier-parallel");
}

impl Engine for Rapier {
    fn create_body(&mut self, def: &BodyDef) -> BodyHandle {
        let builder = match def.kind {
            BodyKind::Static => rp::RigidBodyBuilder::fixed(),
            BodyKind::Kinematic => rp::RigidBodyBuilder::kinematic_velocity_based(),
            BodyKind::Dynamic => rp::RigidBodyBuilder::dynamic(),
        };
        let mut body = builder
            .translation(rp::Vector::new(
                def.position.x as f32,
                def.position.y as f32,
            ))
            .rotation(def.angle)
            .linvel(vector(def.velocity))
            .angvel(def.angular_velocity)
            .linear_damping(def.linear_damping)
            .angular_damping(def.angular_damping)
            .gravity_scale(def.gravity_scale)
            .can_sleep(def.can_sleep && self.sleeping)
            .sleeping(def.initial_state == InitialState::Asleep)
            .ccd_enabled(def.bullet)
            .allow_fast_rotation(def.fast_rotation)
            .build();
        let locked = [
            (def.locks.x, rp::LockedAxes::TRANSLATION_LOCKED_X),
            (def.locks.y, rp::LockedAxes::TRANSLATION_LOCKED_Y),
            (def.locks.rotation, rp::LockedAxes::ROTATION_LOCKED),
        ];
        for (_, axis) in locked.into_iter().filter(|(is_locked, _)| *is_locked) {
            body.set_locked_axes(body.locked_axes() | axis, false);
        }
        if def.can_sleep && self.sleeping {
            body.activation_mut().normalized_linear_threshold = def.sleep_speed;
        }
        self.bodies.push(self.world.insert_body(body));
        BodyHandle(self.bodies.len() as u32 - 1)
    }

    fn create_shape(&mut self, body: BodyHandle, shape: &Shape, def: &ShapeDef) {
        self.add(body, shape_of(shape), def);
    }

    fn create_chain(&mut self, body: BodyHandle, chain: &Chain, def: &ShapeDef) {
        assert_eq!(chain.kind(), ChainKind::Loop, "only loops are closed here");
        let mut points: Vec<_> = chain
            .segments()
            .iter()
            .map(|segment| vector(segment.a().coords))
            .collect();
        points.push(points[0]);
        self.add(
            body,
            rp::ColliderBuilder::oriented_polyline(points, None),
            def,
        );
    }

    fn create_hinge(&mut self, hinge: &Hinge) -> JointHandle {
        let mut joint = rp::RevoluteJointBuilder::new().contacts_enabled(false);
        if let Some(limit) = hinge.limit {
            joint = joint.limits([limit.lower, limit.upper]);
        }
        // Rapier has one motor for drive and spring: with both, the spring is used, which moves the bones.
        if let Some(spring) = hinge.spring {
            let [stiffness, damping] = gains(&spring);
            joint = joint.motor_position(spring.target, stiffness, damping);
        } else if let Some(motor) = hinge.motor {
            // A damping so stiff that the speed is reached within a substep.
            let max = motor.max_effort.min(f32::MAX);
            joint = joint
                .motor_velocity(motor.speed, 1.0e6)
                .motor_max_force(max);
        }
        let mut joint: rp::GenericJoint = joint.build().into();
        joint.set_local_frame1(frame(&hinge.frame_a));
        joint.set_local_frame2(frame(&hinge.frame_b));
        self.join(hinge.body_a, hinge.body_b, joint)
    }

    fn create_spring(&mut self, spring: &DistanceSpring) -> JointHandle {
        let [stiffness, damping] = gains(&spring.spring);
        let joint = rp::SpringJointBuilder::new(spring.length, stiffness, damping)
            .spring_model(rp::MotorModel::AccelerationBased)
            .contacts_enabled(false);
        self.join(spring.body_a, spring.body_b, joint)
    }

    fn create_slider(&mut self, slider: &Slider) -> JointHandle {
        let axes = rp::JointAxesMask::LIN_Y | rp::JointAxesMask::ANG_X;
        let mut joint = rp::GenericJointBuilder::new(axes)
            .contacts_enabled(false)
            .build();
        joint.set_local_frame1(frame(&slider.frame_a));
        joint.set_local_frame2(frame(&slider.frame_b));
        self.join(slider.body_a, slider.body_b, joint)
    }

    fn create_wheel(&mut self, wheel: &Wheel) -> JointHandle {
        let [stiffness, damping] = gains(&wheel.spring);
        let mut joint = rp::GenericJointBuilder::new(rp::JointAxesMask::LIN_Y)
            .contacts_enabled(false)
            .motor_position(rp::JointAxis::LinX, 0.0, stiffness, damping)
            .motor_velocity(rp::JointAxis::AngX, wheel.motor.speed, 1.0e6)
            .motor_max_force(rp::JointAxis::AngX, wheel.motor.max_effort)
            .build();
        if let Some(limit) = wheel.limit {
            joint.set_limits(rp::JointAxis::LinX, [limit.lower, limit.upper]);
        }
        joint.set_local_frame1(frame(&wheel.frame_a));
        // The angle of the wheel is measured from the frame on the first body.
        joint.set_local_frame2(frame(&JointFrame {
            angle: wheel.frame_a.angle,
            ..JointFrame::at(0.0, 0.0)
        }));
        self.join(wheel.body_a, wheel.body_b, joint)
    }

    fn create_rod(&mut self, rod: &Rod) -> JointHandle {
        // Rapier has ropes, whose length is only limited, and springs: this one is as good as rigid.
        let [stiffness, damping] = gains(&Spring::new(1.0e3, 1.0));
        let joint = rp::SpringJointBuilder::new(rod.length, stiffness, damping)
            .spring_model(rp::MotorModel::AccelerationBased)
            .contacts_enabled(false);
        self.join(rod.body_a, rod.body_b, joint)
    }

    fn create_weld(&mut self, weld: &Weld) -> JointHandle {
        let joint = rp::FixedJointBuilder::new()
            .local_frame1(frame(&weld.frame_a))
            .local_frame2(frame(&weld.frame_b))
            .contacts_enabled(false);
        self.join(weld.body_a, weld.body_b, joint)
    }

    fn create_grip(&mut self, grip: &Grip) -> JointHandle {
        // The bound holds for each axis, where the other engines bound the length of the force.
        let [stiffness, damping] = gains(&grip.spring);
        let mut joint = rp::GenericJointBuilder::new(rp::JointAxesMask::empty());
        for axis in [rp::JointAxis::LinX, rp::JointAxis::LinY] {
            joint = joint
                .motor_position(axis, 0.0, stiffness, damping)
                .motor_max_force(axis, grip.max_force);
        }
        self.join(grip.body_a, grip.body_b, joint)
    }

    fn create_brake(&mut self, brake: &Brake) -> JointHandle {
        use rp::JointAxis::{AngX, LinX, LinY};
        let mut joint = rp::GenericJointBuilder::new(rp::JointAxesMask::empty());
        let bounds = [
            (LinX, brake.max_force),
            (LinY, brake.max_force),
            (AngX, brake.max_torque),
        ];
        for (axis, bound) in bounds {
            joint = joint
                .motor_velocity(axis, 0.0, 1.0e6)
                .motor_max_force(axis, bound);
        }
        self.join(brake.body_a, brake.body_b, joint)
    }

    fn destroy_joint(&mut self, joint: JointHandle) {
        let joint = self.joints[joint.0 as usize];
        self.world
            .remove_impulse_joint(joint)
            .expect("scenes destroy a joint once");
    }

    fn set_motor_speed(&mut self, hinge: JointHandle, speed: f32) {
        let joint = self.joints[hinge.0 as usize];
        let joint = self.world.impulse_joints.get_mut(joint, true);
        let data = &mut joint.expect("the hinge exists").data;
        data.set_motor_velocity(rp::JointAxis::AngX, speed, 1.0e6);
    }

    fn ray_cast(&self, origin: Point, translation: Vec2) -> Option<f32> {
        let ray = rp::Ray::new(vector(origin.coords), vector(translation));
        let hit = self
            .world
            .cast_ray(&ray, 1.0, true, rp::QueryFilter::default());
        hit.map(|(_, share)| share)
    }

    fn overlaps(&self, shape: &Shape, at: Point) -> usize {
        ask(shape, |shape| {
            let filter = rp::QueryFilter::default();
            let found = self.world.intersect_shape(placed(at), shape, filter);
            found.count()
        })
    }

    fn shape_cast(&self, shape: &Shape, from: Point, translation: Vec2) -> Option<f32> {
        let hit = ask(shape, |shape| {
            self.world.cast_shape(
                &placed(from),
                vector(translation),
                shape,
                ShapeCastOptions::with_max_time_of_impact(1.0),
                rp::QueryFilter::default(),
            )
        });
        hit.map(|(_, hit)| hit.time_of_impact)
    }

    fn keep(&mut self) {
        let mut kept = core::mem::take(&mut self.kept);
        self.save_into(&mut kept);
        self.kept = kept;
    }

    fn restore(&mut self) {
        self.world = Self::loaded(&self.kept);
    }

    fn set_mass(&mut self, body: BodyHandle, mass: f32, inertia: f32) {
        let data = rp::MassProperties::new(rp::Vector::ZERO, mass, inertia);
        let body = self.id(body);
        // Additional mass adds to that of the shapes, so these must have none.
        for collider in self.world.bodies[body].colliders().to_vec() {
            self.world.colliders[collider].set_density(0.0);
        }
        self.world.bodies[body].set_additional_mass_properties(data, true);
    }

    fn apply_force(&mut self, body: BodyHandle, force: Vec2, at: Point) {
        let body = self.id(body);
        self.world.bodies[body].add_force_at_point(vector(force), vector(at.coords), true);
        self.pushed.push(body);
    }

    fn apply_torque(&mut self, body: BodyHandle, torque: f32) {
        let body = self.id(body);
        self.world.bodies[body].add_torque(torque, true);
        self.pushed.push(body);
    }

    fn apply_impulse(&mut self, body: BodyHandle, impulse: Vec2) {
        let body = self.id(body);
        self.world.bodies[body].apply_impulse(vector(impulse), true);
    }

    fn set_velocity(&mut self, body: BodyHandle, velocity: Vec2) {
        let body = self.id(body);
        self.world.bodies[body].set_linvel(vector(velocity), true);
    }

    fn set_restitution_threshold(&mut self, _speed: f32) {}

    fn destroy_body(&mut self, body: BodyHandle) {
        let body = self.id(body);
        self.world.remove_body(body);
    }

    fn move_to(&mut self, body: BodyHandle, position: Point, angle: f32, dt: f32) {
        let id = self.id(body);
        let body = &mut self.world.bodies[id];
        let way = vector(position.coords) - body.translation();
        let turn = rp::Rotation::new(angle) * body.rotation().inverse();
        body.set_linvel(way / dt, true);
        body.set_angvel(turn.angle() / dt, true);
    }

    fn step(&mut self, dt: f32) {
        self.world.integration_parameters.dt = dt;
        self.world.step();
        for body in core::mem::take(&mut self.pushed) {
            self.world.bodies[body].reset_forces(false);
            self.world.bodies[body].reset_torques(false);
        }
    }

    fn motion(&self, body: BodyHandle) -> BodyMotion {
        let body = &self.world.bodies[self.id(body)];
        let (place, velocity) = (body.translation(), body.linvel());
        BodyMotion {
            position: point(place.x, place.y),
            rotation: rotation(body.rotation().angle()),
            velocity: vec2(velocity.x, velocity.y),
            angular_velocity: body.angvel(),
        }
    }

    fn counts(&self) -> Counts {
        Counts {
            bodies: self.world.bodies.len(),
            shapes: self.world.colliders.len(),
            joints: self.world.impulse_joints.len(),
            contacts: self.world.contact_pairs().count(),
            touching: self
                .world
                .contact_pairs()
                .filter(|pair| pair.has_any_active_contact())
                .count(),
            awake_bodies: self.world.islands.num_active_bodies(),
        }
    }
}

/// Returns stiffness and damping of a spring for a unit of mass.
fn gains(spring: &Spring) -> [f32; 2] {
    let rate = 2.0 * math::PI * spring.hertz;
    [rate * rate, 2.0 * spring.damping_ratio * rate]
}

/// Returns the collider of a shape.
fn shape_of(shape: &Shape) -> rp::ColliderBuilder {
    match shape {
        Shape::Circle(circle) => {
            rp::ColliderBuilder::ball(circle.radius()).translation(vector(circle.center().coords))
        }
        Shape::Capsule(capsule) => {
            let (a, b) = (vector(capsule.a().coords), vector(capsule.b().coords));
            rp::ColliderBuilder::capsule_from_endpoints(a, b, capsule.radius())
        }
        Shape::Segment(segment) => {
            let (a, b) = (segment.a().coords, segment.b().coords);
            rp::ColliderBuilder::segment(vector(a), vector(b))
        }
        Shape::Polygon(polygon) => convex(polygon),
        _ => {
            unreachable!("no scene has one on its own")
        }
    }
}

/// Answers a question with a shape about its own origin, without memory of its own.
fn ask<T>(shape: &Shape, question: impl FnOnce(&dyn AnyShape) -> T) -> T {
    match shape {
        Shape::Circle(circle) => question(&rp::Ball::new(circle.radius())),
        Shape::Polygon(polygon) => {
            let (_, half) = upright_box(polygon).expect("scenes ask with boxes");
            question(&rp::Cuboid::new(vector(half)))
        }
        _ => unreachable!("no scene asks with one"),
    }
}

fn placed(at: Point) -> rp::Pose {
    rp::Pose::new(vector(at.coords), 0.0)
}

fn vector(v: Vec2) -> rp::Vector {
    rp::Vector::new(v.x, v.y)
}

fn frame(frame: &JointFrame) -> rp::Pose {
    rp::Pose::new(vector(frame.anchor.coords), frame.angle)
}

/// Returns the collider of a polygon: a cuboid if it is one, which is faster.
fn convex(polygon: &Polygon) -> rp::ColliderBuilder {
    let radius = polygon.radius();
    if let Some((center, half)) = upright_box(polygon) {
        let collider = if radius > 0.0 {
            rp::ColliderBuilder::round_cuboid(half.x, half.y, radius)
        } else {
            rp::ColliderBuilder::cuboid(half.x, half.y)
        };
        return collider.translation(vector(center.coords));
    }
    let corners = polygon
        .vertices()
        .iter()
        .map(|corner| vector(corner.coords))
        .collect();
    let collider = if radius > 0.0 {
        rp::ColliderBuilder::round_convex_polyline(corners, radius)
    } else {
        rp::ColliderBuilder::convex_polyline(corners)
    };
    collider.expect("a convex polygon")
}

/// Returns the middle and the half extents of a polygon that is a box along the axes.
fn upright_box(polygon: &Polygon) -> Option<(Point, Vec2)> {
    let corners = polygon.vertices();
    let center = polygon.centroid();
    let half = (corners.first()? - center).abs();
    let fits = |corner: &Point| ((corner - center).abs() - half).norm() <= 1.0e-6 * half.norm();
    (corners.len() == 4 && corners.iter().all(fits)).then_some((center, half))
}

/// Bit of the first negative group; each has a bit of its own.
const GROUP_BIT: u32 = 16;

/// Rapier has no groups of shapes that pass through each other: a negative group becomes a bit of its
/// own in the category, and only the group's own mask lacks it.
fn groups(filter: &Filter) -> rp::InteractionGroups {
    let all_groups = u32::MAX << GROUP_BIT;
    let own = match filter.group {
        0 => None,
        group => Some(1 << (GROUP_BIT - 1 + group.unsigned_abs())),
    };
    let mut sees = filter.mask as u32 & !all_groups;
    // Groups stand for category 2 in these scenes.
    if filter.mask & 2 != 0 {
        sees |= all_groups;
    }
    let is = own.unwrap_or(filter.category as u32);
    rp::InteractionGroups::new(
        rp::Group::from_bits_retain(is),
        rp::Group::from_bits_retain(sees & !own.unwrap_or(0)),
        rp::InteractionTestMode::And,
    )
}
