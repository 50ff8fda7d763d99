//! Worlds of the environments: bodies, fixtures and joints as the `Box2D` module makes them.

use crate::box2d::{self, Rules, SKIN, SolverSettings};
use crate::opening::Iterations;
use cairn2d::{
    BodyDef, BodyId, BodyKind, Capsule, Filter, JointFrame, Limit, Material, Motor, Point, Polygon,
    RevoluteJointDef, Shape, ShapeDef, Vec2, World, WorldDef, WorldError, WorldPoint,
};

/// Scale of the environments: pixels in a meter.
pub(crate) const SCALE: f64 = 30.0;

/// Steps in a second.
pub(crate) const FPS: f64 = 50.0;

/// Size of the picture [px], which the observations are scaled by.
pub(crate) const VIEWPORT: [f64; 2] = [600.0, 400.0];

/// Iterations that the environments ask for.
const ITERATIONS: Iterations = Iterations {
    velocity: 6 * 30,
    position: 2 * 30,
};

/// Bits of fixtures that collide with the ground only.
pub(crate) const GROUND_ONLY: u64 = 0x001;

/// A world with the rules of Box2D. All numbers are finite and in range, so no call fails.
#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) world: World,
    pub(crate) rules: Rules,
}

/// Surface and bits of a fixture; the others are the defaults of Box2D.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fixture {
    pub(crate) density: f64,
    pub(crate) friction: f64,
    pub(crate) category: u64,
    pub(crate) mask: u64,
    pub(crate) group: i32,
    pub(crate) is_sensor: bool,
}

impl Default for Fixture {
    fn default() -> Self {
        Self {
            density: 0.0,
            friction: 0.2,
            category: 0x0001,
            mask: 0xFFFF,
            group: 0,
            is_sensor: false,
        }
    }
}

impl Fixture {
    fn def(&self) -> ShapeDef {
        ShapeDef {
            density: self.density as f32,
            material: Material {
                friction: self.friction as f32,
                restitution: 0.0,
                ..Material::default()
            },
            filter: Filter {
                category: self.category,
                mask: self.mask,
                group: self.group,
            },
            sensor: self.is_sensor,
            ..ShapeDef::default()
        }
    }
}

/// Definition of a motorized hinge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hinge {
    pub(crate) bodies: [BodyId; 2],
    pub(crate) anchors: [[f64; 2]; 2],
    pub(crate) limit: [f64; 2],
    pub(crate) motor: [f64; 2],
}

fn point([x, y]: [f64; 2]) -> Point {
    Point::new(x as f32, y as f32)
}

/// Returns the vector of two numbers.
pub(crate) fn vector(x: f64, y: f64) -> Vec2 {
    Vec2::new(x as f32, y as f32)
}

/// Returns the corners of a box as `b2PolygonShape(box=(hx, hy))` has them.
pub(crate) const fn corners(hx: f64, hy: f64) -> [[f64; 2]; 4] {
    [[-hx, -hy], [hx, -hy], [hx, hy], [-hx, hy]]
}

/// Returns a polygon with a radius [m], whose corners are known to be valid.
fn polygon(vertices: &[[f64; 2]], radius: f32) -> Shape {
    let vertices: Vec<Point> = vertices.iter().copied().map(point).collect();
    Polygon::rounded_hull(&vertices, radius).into()
}

/// Returns a polygon of a dynamic body.
pub(crate) fn body_polygon(vertices: &[[f64; 2]]) -> Shape {
    polygon(vertices, 0.0)
}

/// Returns a polygon of the ground.
pub(crate) fn ground_polygon(vertices: &[[f64; 2]]) -> Shape {
    polygon(vertices, SKIN)
}

/// Returns an edge of the ground, whose ends differ.
pub(crate) fn ground_edge(ends: [[f64; 2]; 2]) -> Shape {
    let [a, b] = ends.map(point);
    Capsule::new(a, b, SKIN).into()
}

/// Returns the definition of a body, as the `Box2D` module has it.
fn body_def(kind: BodyKind, [x, y]: [f64; 2], angle: f64) -> BodyDef {
    BodyDef {
        kind,
        position: WorldPoint::new(x, y),
        angle: angle as f32,
        // The rules of Box2D put it to sleep.
        sleep_speed: 0.0,
        ..BodyDef::default()
    }
}

impl Scene {
    /// Makes a world of this gravity [m/s^2].
    pub(crate) fn new(gravity: f64, solver: SolverSettings) -> Self {
        let def = WorldDef {
            gravity: vector(0.0, gravity),
            substeps: solver.substeps,
            solver_budget: solver.solver_budget,
            tuning: box2d::tuning(),
            ..WorldDef::default()
        };
        Self {
            world: World::new(def),
            rules: Rules::default(),
        }
    }

    /// Adds a dynamic body with a polygon.
    pub(crate) fn dynamic(
        &mut self,
        place: [f64; 2],
        angle: f64,
        vertices: &[[f64; 2]],
        fixture: Fixture,
    ) -> BodyId {
        let id = self
            .world
            .create_body(body_def(BodyKind::Dynamic, place, angle));
        self.rules.add(&self.world, id, angle);
        self.add(id, body_polygon(vertices), fixture);
        id
    }

    /// Adds a static body without shapes.
    pub(crate) fn ground(&mut self) -> BodyId {
        self.world
            .create_body(body_def(BodyKind::Static, [0.0, 0.0], 0.0))
    }

    /// Adds a static body for each shape.
    pub(crate) fn grounds(&mut self, shapes: Vec<Shape>, fixture: Fixture) -> Vec<BodyId> {
        let bodies = shapes.into_iter().map(|shape| {
            let def = body_def(BodyKind::Static, [0.0, 0.0], 0.0);
            (def, [(shape, fixture.def())])
        });
        self.world.create_bodies(bodies)
    }

    /// Adds a shape to a body.
    pub(crate) fn add(&mut self, body: BodyId, shape: Shape, fixture: Fixture) {
        self.world.create_shape(body, shape, fixture.def());
    }

    /// Adds a hinge with limits and a motor.
    pub(crate) fn hinge(&mut self, hinge: &Hinge) -> cairn2d::JointId {
        let [a, b] = hinge.bodies;
        let mut def = RevoluteJointDef::new(a, b);
        // The bodies as they are now have the angle 0.
        let angles = [self.angle(b) - self.angle(a), 0.0];
        let frame = |i: usize| JointFrame {
            anchor: point(hinge.anchors[i]),
            angle: angles[i] as f32,
        };
        let [frame_a, frame_b] = [0, 1].map(frame);
        (def.base.frame_a, def.base.frame_b) = (frame_a, frame_b);
        def.limit = Some(Limit::new(hinge.limit[0] as f32, hinge.limit[1] as f32));
        def.motor = Some(Motor::new(hinge.motor[0] as f32, hinge.motor[1] as f32));
        self.rules.note_joint();
        self.world.create_joint(def)
    }

    /// Steps by a frame.
    pub(crate) fn step(&mut self) -> Result<(), WorldError> {
        self.rules
            .step(&mut self.world, (1.0 / FPS) as f32, ITERATIONS)
    }

    /// Angle of a body with all its turns [rad].
    pub(crate) fn angle(&self, body: BodyId) -> f64 {
        self.rules.angle(body).unwrap_or(0.0)
    }

    /// Reports the pairs of bodies that began (`true`) and that ceased to touch in the last step.
    pub(crate) fn touches(&self, mut report: impl FnMut(bool, [BodyId; 2])) {
        let touches = &self.rules.touches;
        for (began, pairs) in [(true, &touches.begins), (false, &touches.ends)] {
            for pair in pairs {
                report(began, pair.bodies);
            }
        }
    }

    /// Reports the pairs of bodies, sensor first, that began (`true`) and that ceased to overlap in the last step.
    pub(crate) fn overlaps(&self, mut report: impl FnMut(bool, [BodyId; 2])) {
        for event in self.world.sensor_begins() {
            report(true, [event.sensor_body, event.visitor_body]);
        }
        for event in self.world.sensor_ends() {
            report(false, [event.sensor_body, event.visitor_body]);
        }
    }
}
