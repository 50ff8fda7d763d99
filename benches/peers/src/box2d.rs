//! Box2D behind the [`Engine`] trait.

use boxdd_sys::ffi;
use cairn2d::prelude::*;
use scenes::engine::{
    BodyHandle, BodyMotion, Brake, Counts, DistanceSpring, Engine, EngineSettings, Grip, Hinge,
    JointHandle, Rod, Slider, Weld, Wheel,
};

/// A world of Box2D.
pub(crate) struct Box2d {
    world: ffi::b2WorldId,
    substeps: i32,
    bodies: Vec<ffi::b2BodyId>,
    joints: Vec<ffi::b2JointId>,
    kept: Vec<u8>,
}

impl Box2d {
    pub(crate) fn new(settings: &EngineSettings) -> Self {
        // SAFETY: plain calls; the definition comes from the library's own default.
        let world = unsafe {
            let mut def = ffi::b2DefaultWorldDef();
            def.gravity = vector(settings.gravity);
            def.enableSleep = settings.sleeping;
            def.workerCount = settings.threads as i32;
            ffi::b2CreateWorld(&def)
        };
        Self {
            world,
            substeps: settings.substeps as i32,
            bodies: Vec::new(),
            joints: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// Returns the stage times of the last step [ms].
    pub(crate) fn profile(&self) -> ffi::b2Profile {
        // SAFETY: the world lives as long as `self`.
        unsafe { ffi::b2World_GetProfile(self.world) }
    }

    /// Returns the number of contacts that touch; each is in the lists of both its bodies.
    fn touching(&self) -> usize {
        let of_body = |&body: &ffi::b2BodyId| {
            // SAFETY: Box2D recognizes the id of a destroyed body, and the buffer has the given capacity.
            unsafe {
                if !ffi::b2Body_IsValid(body) {
                    return 0;
                }
                let capacity = ffi::b2Body_GetContactCapacity(body);
                let mut contacts = Vec::with_capacity(capacity as usize);
                ffi::b2Body_GetContactData(body, contacts.as_mut_ptr(), capacity) as usize
            }
        };
        self.bodies.iter().map(of_body).sum::<usize>() / 2
    }

    fn keep(&mut self, joint: ffi::b2JointId) -> JointHandle {
        self.joints.push(joint);
        JointHandle(self.joints.len() as u32 - 1)
    }

    fn id(&self, body: BodyHandle) -> ffi::b2BodyId {
        self.bodies[body.0 as usize]
    }
}

impl Drop for Box2d {
    fn drop(&mut self) {
        // SAFETY: the world was made in `new` and is not used after this.
        unsafe { ffi::b2DestroyWorld(self.world) }
    }
}

impl Engine for Box2d {
    fn create_body(&mut self, def: &BodyDef) -> BodyHandle {
        // SAFETY: the world is alive; the definition comes from the library's own default.
        let id = unsafe {
            let mut raw = ffi::b2DefaultBodyDef();
            raw.type_ = match def.kind {
                BodyKind::Static => ffi::b2BodyType_b2_staticBody,
                BodyKind::Kinematic => ffi::b2BodyType_b2_kinematicBody,
                BodyKind::Dynamic => ffi::b2BodyType_b2_dynamicBody,
            };
            raw.position = ffi::b2Vec2 {
                x: def.position.x as f32,
                y: def.position.y as f32,
            };
            raw.rotation = turn(def.angle);
            raw.linearVelocity = vector(def.velocity);
            raw.angularVelocity = def.angular_velocity;
            raw.linearDamping = def.linear_damping;
            raw.angularDamping = def.angular_damping;
            raw.gravityScale = def.gravity_scale;
            raw.sleepThreshold = def.sleep_speed;
            raw.enableSleep = def.can_sleep;
            raw.isAwake = def.initial_state != InitialState::Asleep;
            raw.isEnabled = def.initial_state != InitialState::Disabled;
            raw.isBullet = def.bullet;
            raw.allowFastRotation = def.fast_rotation;
            raw.motionLocks = ffi::b2MotionLocks {
                linearX: def.locks.x,
                linearY: def.locks.y,
                angularZ: def.locks.rotation,
            };
            ffi::b2CreateBody(self.world, &raw)
        };
        self.bodies.push(id);
        BodyHandle(self.bodies.len() as u32 - 1)
    }

    fn create_shape(&mut self, body: BodyHandle, shape: &Shape, def: &ShapeDef) {
        let body = self.id(body);
        let def = &shape_def(def);
        // SAFETY: the body is alive, definitions and shapes outlive the calls.
        unsafe {
            match shape {
                Shape::Circle(circle) => {
                    let circle = ffi::b2Circle {
                        center: place(circle.center()),
                        radius: circle.radius(),
                    };
                    ffi::b2CreateCircleShape(body, def, &circle);
                }
                Shape::Capsule(capsule) => {
                    let capsule = ffi::b2Capsule {
                        center1: place(capsule.a()),
                        center2: place(capsule.b()),
                        radius: capsule.radius(),
                    };
                    ffi::b2CreateCapsuleShape(body, def, &capsule);
                }
                Shape::Segment(segment) => {
                    let segment = ffi::b2Segment {
                        point1: place(segment.a()),
                        point2: place(segment.b()),
                    };
                    ffi::b2CreateSegmentShape(body, def, &segment);
                }
                Shape::Polygon(polygon) => {
                    ffi::b2CreatePolygonShape(body, def, &convex(polygon));
                }
                _ => {
                    unreachable!("no scene has one on its own")
                }
            }
        }
    }

    fn create_chain(&mut self, body: BodyHandle, chain: &Chain, def: &ShapeDef) {
        assert_eq!(
            chain.kind(),
            ChainKind::Loop,
            "open chains need ghost points"
        );
        let points: Vec<_> = chain
            .segments()
            .iter()
            .map(|segment| place(segment.a()))
            .collect();
        let material = surface(&def.material);
        // SAFETY: the body is alive; points and material outlive the call, which copies them.
        unsafe {
            let mut raw = ffi::b2DefaultChainDef();
            raw.points = points.as_ptr();
            raw.count = points.len() as i32;
            raw.materials = &material;
            raw.materialCount = 1;
            raw.filter = filter(&def.filter);
            raw.isLoop = true;
            ffi::b2CreateChain(self.id(body), &raw);
        }
    }

    fn create_hinge(&mut self, hinge: &Hinge) -> JointHandle {
        // SAFETY: world and bodies are alive; the definition comes from the library's own default.
        let id = unsafe {
            let mut raw = ffi::b2DefaultRevoluteJointDef();
            raw.base.bodyIdA = self.id(hinge.body_a);
            raw.base.bodyIdB = self.id(hinge.body_b);
            raw.base.localFrameA = frame(&hinge.frame_a);
            raw.base.localFrameB = frame(&hinge.frame_b);
            if let Some(limit) = hinge.limit {
                raw.enableLimit = true;
                raw.lowerAngle = limit.lower;
                raw.upperAngle = limit.upper;
            }
            if let Some(motor) = hinge.motor {
                raw.enableMotor = true;
                raw.motorSpeed = motor.speed;
                raw.maxMotorTorque = motor.max_effort.min(f32::MAX);
            }
            if let Some(spring) = hinge.spring {
                raw.enableSpring = true;
                raw.hertz = spring.hertz;
                raw.dampingRatio = spring.damping_ratio;
                raw.targetAngle = spring.target;
            }
            ffi::b2CreateRevoluteJoint(self.world, &raw)
        };
        self.keep(id)
    }

    fn create_spring(&mut self, spring: &DistanceSpring) -> JointHandle {
        // SAFETY: world and bodies are alive; the definition comes from the library's own default.
        let id = unsafe {
            let mut raw = ffi::b2DefaultDistanceJointDef();
            raw.base.bodyIdA = self.id(spring.body_a);
            raw.base.bodyIdB = self.id(spring.body_b);
            raw.length = spring.length;
            raw.enableSpring = true;
            raw.hertz = spring.spring.hertz;
            raw.dampingRatio = spring.spring.damping_ratio;
            ffi::b2CreateDistanceJoint(self.world, &raw)
        };
        self.keep(id)
    }

    fn create_slider(&mut self, slider: &Slider) -> JointHandle {
        // SAFETY: world and bodies are alive; the definition comes from the library's own default.
        let id = unsafe {
            let mut raw = ffi::b2DefaultPrismaticJointDef();
            raw.base.bodyIdA = self.id(slider.body_a);
            raw.base.bodyIdB = self.id(slider.body_b);
            raw.base.localFrameA = frame(&slider.frame_a);
            raw.base.localFrameB = frame(&slider.frame_b);
            ffi::b2CreatePrismaticJoint(self.world, &raw)
        };
        self.keep(id)
    }

    fn create_wheel(&mut self, wheel: &Wheel) -> JointHandle {
        // SAFETY: world and bodies are alive; the definition comes from the library's own default.
        let id = unsafe {
            let mut raw = ffi::b2DefaultWheelJointDef();
            raw.base.bodyIdA = self.id(wheel.body_a);
            raw.base.bodyIdB = self.id(wheel.body_b);
            raw.base.localFrameA = frame(&wheel.frame_a);
            raw.enableSpring = true;
            raw.hertz = wheel.spring.hertz;
            raw.dampingRatio = wheel.spring.damping_ratio;
            if let Some(limit) = wheel.limit {
                raw.enableLimit = true;
                raw.lowerTranslation = limit.lower;
                raw.upperTranslation = limit.upper;
            }
            raw.enableMotor = true;
            raw.motorSpeed = wheel.motor.speed;
            raw.maxMotorTorque = wheel.motor.max_effort;
            ffi::b2CreateWheelJoint(self.world, &raw)
        };
        self.keep(id)
    }

    fn create_rod(&mut self, rod: &Rod) -> JointHandle {
        // SAFETY: world and bodies are alive; the definition comes from the library's own default.
        let id = unsafe {
            let mut raw = ffi::b2DefaultDistanceJointDef();
            raw.base.bodyIdA = self.id(rod.body_a);
            raw.base.bodyIdB = self.id(rod.body_b);
            raw.length = rod.length;
            ffi::b2CreateDistanceJoint(self.world, &raw)
        };
        self.keep(id)
    }

    fn create_weld(&mut self, weld: &Weld) -> JointHandle {
        // SAFETY: world and bodies are alive; the definition comes from the library's own default.
        let id = unsafe {
            let mut raw = ffi::b2DefaultWeldJointDef();
            raw.base.bodyIdA = self.id(weld.body_a);
            raw.base.bodyIdB = self.id(weld.body_b);
            raw.base.localFrameA = frame(&weld.frame_a);
            raw.base.localFrameB = frame(&weld.frame_b);
            ffi::b2CreateWeldJoint(self.world, &raw)
        };
        self.keep(id)
    }

    fn create_grip(&mut self, grip: &Grip) -> JointHandle {
        // SAFETY: world and bodies are alive; the definition comes from the library's own default.
        let id = unsafe {
            let mut raw = ffi::b2DefaultMotorJointDef();
            raw.base.bodyIdA = self.id(grip.body_a);
            raw.base.bodyIdB = self.id(grip.body_b);
            raw.base.collideConnected = true;
            raw.linearHertz = grip.spring.hertz;
            raw.linearDampingRatio = grip.spring.damping_ratio;
            raw.maxSpringForce = grip.max_force;
            ffi::b2CreateMotorJoint(self.world, &raw)
        };
        self.keep(id)
    }

    fn create_brake(&mut self, brake: &Brake) -> JointHandle {
        // SAFETY: world and bodies are alive; the definition comes from the library's own default.
        let id = unsafe {
            let mut raw = ffi::b2DefaultMotorJointDef();
            raw.base.bodyIdA = self.id(brake.body_a);
            raw.base.bodyIdB = self.id(brake.body_b);
            raw.base.collideConnected = true;
            raw.maxVelocityForce = brake.max_force;
            raw.maxVelocityTorque = brake.max_torque;
            ffi::b2CreateMotorJoint(self.world, &raw)
        };
        self.keep(id)
    }

    fn destroy_joint(&mut self, joint: JointHandle) {
        // SAFETY: scenes destroy a joint once.
        unsafe { ffi::b2DestroyJoint(self.joints[joint.0 as usize], true) }
    }

    fn set_motor_speed(&mut self, hinge: JointHandle, speed: f32) {
        let joint = self.joints[hinge.0 as usize];
        // SAFETY: the joint is alive and revolute. Unlike the other engines, the call does not wake.
        unsafe {
            ffi::b2RevoluteJoint_SetMotorSpeed(joint, speed);
            ffi::b2Joint_WakeBodies(joint);
        }
    }

    fn ray_cast(&self, origin: Point, translation: Vec2) -> Option<f32> {
        // SAFETY: the world is alive; the filter is the library's own default.
        let hit = unsafe {
            let filter = ffi::b2DefaultQueryFilter();
            ffi::b2World_CastRayClosest(self.world, place(origin), vector(translation), filter)
        };
        hit.hit.then_some(hit.fraction)
    }

    fn overlaps(&self, shape: &Shape, at: Point) -> usize {
        unsafe extern "C" fn count(_: ffi::b2ShapeId, context: *mut core::ffi::c_void) -> bool {
            // SAFETY: the context is the counter below, which outlives the query.
            unsafe { *context.cast::<usize>() += 1 };
            true
        }
        let mut found = 0_usize;
        let context = core::ptr::from_mut(&mut found).cast();
        let proxy = proxy(shape);
        // SAFETY: the world is alive; proxy and counter outlive the call.
        unsafe {
            let filter = ffi::b2DefaultQueryFilter();
            ffi::b2World_OverlapShape(self.world, place(at), &proxy, filter, Some(count), context);
        }
        found
    }

    fn shape_cast(&self, shape: &Shape, from: Point, translation: Vec2) -> Option<f32> {
        unsafe extern "C" fn nearest(
            _: ffi::b2ShapeId,
            _: ffi::b2Vec2,
            _: ffi::b2Vec2,
            fraction: f32,
            context: *mut core::ffi::c_void,
        ) -> f32 {
            // SAFETY: the context is the fraction below, which outlives the query.
            unsafe { *context.cast::<f32>() = fraction };
            fraction
        }
        let mut fraction = f32::INFINITY;
        let context = core::ptr::from_mut(&mut fraction).cast();
        let proxy = proxy(shape);
        // SAFETY: the world is alive; proxy and fraction outlive the call.
        unsafe {
            let filter = ffi::b2DefaultQueryFilter();
            ffi::b2World_CastShape(
                self.world,
                place(from),
                &proxy,
                vector(translation),
                filter,
                Some(nearest),
                context,
            );
        }
        fraction.is_finite().then_some(fraction)
    }

    fn keep(&mut self) {
        // SAFETY: the world is alive; the image is as large as the first call says.
        unsafe {
            let size = ffi::b2World_Snapshot(self.world, core::ptr::null_mut(), 0);
            self.kept.resize(size as usize, 0);
            ffi::b2World_Snapshot(self.world, self.kept.as_mut_ptr(), size);
        }
    }

    fn restore(&mut self) {
        let size = self.kept.len() as i32;
        // SAFETY: the image is of this world.
        let is_restored = unsafe { ffi::b2World_Restore(self.world, self.kept.as_ptr(), size) };
        assert!(is_restored, "the image is whole");
    }

    fn set_mass(&mut self, body: BodyHandle, mass: f32, inertia: f32) {
        let data = ffi::b2MassData {
            mass,
            center: ffi::b2Vec2 { x: 0.0, y: 0.0 },
            rotationalInertia: inertia,
        };
        // SAFETY: the body is alive.
        unsafe { ffi::b2Body_SetMassData(self.id(body), data) }
    }

    fn apply_force(&mut self, body: BodyHandle, force: Vec2, at: Point) {
        // SAFETY: the body is alive.
        unsafe { ffi::b2Body_ApplyForce(self.id(body), vector(force), place(at), true) }
    }

    fn apply_torque(&mut self, body: BodyHandle, torque: f32) {
        // SAFETY: the body is alive.
        unsafe { ffi::b2Body_ApplyTorque(self.id(body), torque, true) }
    }

    fn apply_impulse(&mut self, body: BodyHandle, impulse: Vec2) {
        // SAFETY: the body is alive.
        unsafe { ffi::b2Body_ApplyLinearImpulseToCenter(self.id(body), vector(impulse), true) }
    }

    fn set_velocity(&mut self, body: BodyHandle, velocity: Vec2) {
        // SAFETY: the body is alive.
        unsafe { ffi::b2Body_SetLinearVelocity(self.id(body), vector(velocity)) }
    }

    fn set_restitution_threshold(&mut self, speed: f32) {
        // SAFETY: the world lives as long as `self`.
        unsafe { ffi::b2World_SetRestitutionThreshold(self.world, speed) }
    }

    fn destroy_body(&mut self, body: BodyHandle) {
        // SAFETY: scenes destroy a body once.
        unsafe { ffi::b2DestroyBody(self.id(body)) }
    }

    fn move_to(&mut self, body: BodyHandle, position: Point, angle: f32, dt: f32) {
        let target = ffi::b2Transform {
            p: place(position),
            q: turn(angle),
        };
        // SAFETY: the body is alive.
        unsafe { ffi::b2Body_SetTargetTransform(self.id(body), target, dt, true) }
    }

    fn step(&mut self, dt: f32) {
        // SAFETY: the world lives as long as `self`.
        unsafe { ffi::b2World_Step(self.world, dt, self.substeps) }
    }

    fn motion(&self, body: BodyHandle) -> BodyMotion {
        let body = self.id(body);
        // SAFETY: the body is alive.
        unsafe {
            let pose = ffi::b2Body_GetTransform(body);
            let velocity = ffi::b2Body_GetLinearVelocity(body);
            BodyMotion {
                position: point(pose.p.x, pose.p.y),
                rotation: math::rotation_from_parts(pose.q.c, pose.q.s),
                velocity: vec2(velocity.x, velocity.y),
                angular_velocity: ffi::b2Body_GetAngularVelocity(body),
            }
        }
    }

    fn counts(&self) -> Counts {
        // SAFETY: the world lives as long as `self`.
        let (counters, awake) = unsafe {
            (
                ffi::b2World_GetCounters(self.world),
                ffi::b2World_GetAwakeBodyCount(self.world),
            )
        };
        Counts {
            bodies: counters.bodyCount as usize,
            shapes: counters.shapeCount as usize,
            joints: counters.jointCount as usize,
            contacts: counters.contactCount as usize,
            touching: self.touching(),
            awake_bodies: awake as usize,
        }
    }
}

fn vector(v: Vec2) -> ffi::b2Vec2 {
    ffi::b2Vec2 { x: v.x, y: v.y }
}

fn place(p: Point) -> ffi::b2Vec2 {
    ffi::b2Vec2 { x: p.x, y: p.y }
}

fn turn(angle: f32) -> ffi::b2Rot {
    let (s, c) = math::sin_cos(angle);
    ffi::b2Rot { c, s }
}

fn frame(frame: &JointFrame) -> ffi::b2Transform {
    ffi::b2Transform {
        p: place(frame.anchor),
        q: turn(frame.angle),
    }
}

fn convex(polygon: &Polygon) -> ffi::b2Polygon {
    let corners: Vec<_> = polygon
        .vertices()
        .iter()
        .map(|&corner| place(corner))
        .collect();
    // SAFETY: the corners are copied.
    unsafe {
        let hull = ffi::b2ComputeHull(corners.as_ptr(), corners.len() as i32);
        assert_eq!(hull.count as usize, corners.len(), "the hull lost corners");
        ffi::b2MakePolygon(&hull, polygon.radius())
    }
}

/// Returns the points and the radius of a shape, for queries.
fn proxy(shape: &Shape) -> ffi::b2ShapeProxy {
    let mut points = [place(Point::origin()); 8];
    let mut put = |corners: &[Point]| {
        for (point, &corner) in points.iter_mut().zip(corners) {
            *point = place(corner);
        }
        corners.len()
    };
    let (count, radius) = match shape {
        Shape::Circle(circle) => (put(&[circle.center()]), circle.radius()),
        Shape::Capsule(capsule) => (put(&[capsule.a(), capsule.b()]), capsule.radius()),
        Shape::Polygon(polygon) => (put(polygon.vertices()), polygon.radius()),
        _ => unreachable!("no scene asks with one"),
    };
    // SAFETY: the points are copied.
    unsafe { ffi::b2MakeProxy(points.as_ptr(), count as i32, radius) }
}

fn filter(filter: &Filter) -> ffi::b2Filter {
    ffi::b2Filter {
        categoryBits: filter.category,
        maskBits: filter.mask,
        groupIndex: filter.group,
    }
}

fn surface(material: &Material) -> ffi::b2SurfaceMaterial {
    ffi::b2SurfaceMaterial {
        friction: material.friction,
        restitution: material.restitution,
        rollingResistance: material.rolling_resistance,
        tangentSpeed: material.surface_speed,
        userMaterialId: material.user_id,
        customColor: 0,
    }
}

fn shape_def(def: &ShapeDef) -> ffi::b2ShapeDef {
    // SAFETY: a plain call.
    let mut raw = unsafe { ffi::b2DefaultShapeDef() };
    raw.material = surface(&def.material);
    raw.density = def.density;
    raw.filter = filter(&def.filter);
    raw.isSensor = def.sensor;
    // As in the other engines, every sensor sees every shape.
    raw.enableSensorEvents = true;
    raw
}
