//! Box2D behind the [`Engine`] trait.

use boxdd_sys::ffi;
use cairn2d::prelude::*;
use scenes::engine::{
    BodyHandle, BodyMotion, Counts, DistanceSpring, Engine, EngineSettings, Hinge, Slider, Wheel,
};

/// A world of Box2D.
pub(crate) struct Box2d {
    world: ffi::b2WorldId,
    substeps: i32,
    bodies: Vec<ffi::b2BodyId>,
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

    fn create_hinge(&mut self, hinge: &Hinge) {
        // SAFETY: world and bodies are alive; the definition comes from the library's own default.
        unsafe {
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
            ffi::b2CreateRevoluteJoint(self.world, &raw);
        }
    }

    fn create_spring(&mut self, spring: &DistanceSpring) {
        // SAFETY: world and bodies are alive; the definition comes from the library's own default.
        unsafe {
            let mut raw = ffi::b2DefaultDistanceJointDef();
            raw.base.bodyIdA = self.id(spring.body_a);
            raw.base.bodyIdB = self.id(spring.body_b);
            raw.length = spring.length;
            raw.enableSpring = true;
            raw.hertz = spring.spring.hertz;
            raw.dampingRatio = spring.spring.damping_ratio;
            ffi::b2CreateDistanceJoint(self.world, &raw);
        }
    }

    fn create_slider(&mut self, slider: &Slider) {
        // SAFETY: world and bodies are alive; the definition comes from the library's own default.
        unsafe {
            let mut raw = ffi::b2DefaultPrismaticJointDef();
            raw.base.bodyIdA = self.id(slider.body_a);
            raw.base.bodyIdB = self.id(slider.body_b);
            raw.base.localFrameA = frame(&slider.frame_a);
            raw.base.localFrameB = frame(&slider.frame_b);
            ffi::b2CreatePrismaticJoint(self.world, &raw);
        }
    }

    fn create_wheel(&mut self, wheel: &Wheel) {
        // SAFETY: world and bodies are alive; the definition comes from the library's own default.
        unsafe {
            let mut raw = ffi::b2DefaultWheelJointDef();
            raw.base.bodyIdA = self.id(wheel.body_a);
            raw.base.bodyIdB = self.id(wheel.body_b);
            raw.base.localFrameA = frame(&wheel.frame_a);
            raw.enableSpring = true;
            raw.hertz = wheel.spring.hertz;
            raw.dampingRatio = wheel.spring.damping_ratio;
            raw.enableMotor = true;
            raw.motorSpeed = wheel.motor.speed;
            raw.maxMotorTorque = wheel.motor.max_effort;
            ffi::b2CreateWheelJoint(self.world, &raw);
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
