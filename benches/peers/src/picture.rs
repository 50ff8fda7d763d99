//! Pictures of scenes in any engine: whether a scene is the one described, and the same in all engines, is seen.

use crate::engines::Kind;
use cairn2d::prelude::*;
use plotters::prelude::*;
use scenes::benchmark::{BenchmarkScene, STEP};
use scenes::engine::{
    BodyHandle, BodyMotion, Brake, Counts, DistanceSpring, Engine, EngineSettings, Grip, Hinge,
    JointHandle, Rod, Slider, Weld, Wheel,
};
use std::path::Path;

/// An engine, and the outlines of the shapes that it was given.
struct Sketch {
    engine: Box<dyn Engine>,
    /// By body, in its frame; a destroyed body has none.
    outlines: Vec<Vec<Vec<Point>>>,
}

/// Draws the first world of a scene after some steps with an engine, the area from `min` to `max`.
pub(crate) fn draw(
    scene: &BenchmarkScene,
    kind: Kind,
    settings: &EngineSettings,
    steps: u32,
    path: &Path,
    area: Option<Aabb>,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut sketch = Sketch {
        engine: kind.make(settings),
        outlines: Vec::new(),
    };
    let mut cast = (scene.build)(&mut sketch);
    for step in 0..steps {
        (scene.before_step)(&mut cast, &mut sketch, step);
        sketch.step(STEP);
    }
    sketch.paint(path, area.unwrap_or_else(|| sketch.area(cast.bodies())))
}

impl Sketch {
    /// Returns the box about some bodies, with a margin.
    fn area(&self, bodies: impl Iterator<Item = BodyHandle>) -> Aabb {
        let mut points = bodies.map(|body| self.engine.motion(body).position);
        let first = points.next().unwrap_or_else(Point::origin);
        let (min, max) = points.fold((first, first), |(min, max), p| (min.inf(&p), max.sup(&p)));
        let margin = vec2(1.0, 1.0);
        Aabb {
            min: min - margin,
            max: max + margin,
        }
    }

    fn paint(&self, path: &Path, area: Aabb) -> Result<(), Box<dyn std::error::Error>> {
        const WIDTH: f32 = 1200.0;
        let size = area.max - area.min;
        let scale = (WIDTH / size.x).min(WIDTH / size.y);
        let pixels = ((size.x * scale) as u32, (size.y * scale) as u32);
        let canvas = BitMapBackend::new(path, pixels).into_drawing_area();
        canvas.fill(&WHITE)?;
        for (i, outlines) in self.outlines.iter().enumerate() {
            if outlines.is_empty() {
                continue;
            }
            let motion = self.engine.motion(BodyHandle(i as u32));
            let color = Palette99::pick(i).mix(0.8);
            for outline in outlines {
                let place = |p: &Point| {
                    let at = motion.position + motion.rotation * p.coords - area.min;
                    ((at.x * scale) as i32, ((size.y - at.y) * scale) as i32)
                };
                let points: Vec<_> = outline.iter().chain(outline.first()).map(place).collect();
                canvas.draw(&PathElement::new(points, color))?;
            }
        }
        canvas.present()?;
        Ok(())
    }

    fn keep(&mut self, body: BodyHandle, outline: Vec<Point>) {
        self.outlines[body.0 as usize].push(outline);
    }
}

/// Returns the corners of a shape, those of a round one by the dozen; the last joins the first.
fn outline(shape: &Shape) -> Vec<Point> {
    let arc = |center: Point, radius: f32, from: f32, to: f32| {
        (0..=12).map(move |i| {
            let (s, c) = math::sin_cos(from + (to - from) * i as f32 / 12.0);
            center + radius * vec2(c, s)
        })
    };
    match shape {
        Shape::Circle(circle) => {
            let rim = arc(circle.center(), circle.radius(), 0.0, 2.0 * math::PI);
            rim.chain([circle.center()]).collect()
        }
        Shape::Capsule(capsule) => {
            let way = capsule.b() - capsule.a();
            let angle = math::atan2(way.y, way.x);
            let (quarter, radius) = (0.5 * math::PI, capsule.radius());
            let end = arc(capsule.b(), radius, angle - quarter, angle + quarter);
            let start = arc(capsule.a(), radius, angle + quarter, angle + 3.0 * quarter);
            end.chain(start).collect()
        }
        Shape::Segment(segment) => vec![segment.a(), segment.b()],
        Shape::Polygon(polygon) => polygon.vertices().to_vec(),
        _ => unreachable!("no scene has one on its own"),
    }
}

impl Engine for Sketch {
    fn create_body(&mut self, def: &BodyDef) -> BodyHandle {
        self.outlines.push(Vec::new());
        self.engine.create_body(def)
    }

    fn create_shape(&mut self, body: BodyHandle, shape: &Shape, def: &ShapeDef) {
        self.keep(body, outline(shape));
        self.engine.create_shape(body, shape, def);
    }

    fn create_chain(&mut self, body: BodyHandle, chain: &Chain, def: &ShapeDef) {
        self.keep(
            body,
            chain.segments().iter().map(|segment| segment.a()).collect(),
        );
        self.engine.create_chain(body, chain, def);
    }

    fn create_hinge(&mut self, hinge: &Hinge) -> JointHandle {
        self.engine.create_hinge(hinge)
    }

    fn create_spring(&mut self, spring: &DistanceSpring) -> JointHandle {
        self.engine.create_spring(spring)
    }

    fn create_slider(&mut self, slider: &Slider) -> JointHandle {
        self.engine.create_slider(slider)
    }

    fn create_wheel(&mut self, wheel: &Wheel) -> JointHandle {
        self.engine.create_wheel(wheel)
    }

    fn create_rod(&mut self, rod: &Rod) -> JointHandle {
        self.engine.create_rod(rod)
    }

    fn create_weld(&mut self, weld: &Weld) -> JointHandle {
        self.engine.create_weld(weld)
    }

    fn create_grip(&mut self, grip: &Grip) -> JointHandle {
        self.engine.create_grip(grip)
    }

    fn create_brake(&mut self, brake: &Brake) -> JointHandle {
        self.engine.create_brake(brake)
    }

    fn destroy_joint(&mut self, joint: JointHandle) {
        self.engine.destroy_joint(joint);
    }

    fn set_motor_speed(&mut self, hinge: JointHandle, speed: f32) {
        self.engine.set_motor_speed(hinge, speed);
    }

    fn ray_cast(&self, origin: Point, translation: Vec2) -> Option<f32> {
        self.engine.ray_cast(origin, translation)
    }

    fn overlaps(&self, shape: &Shape, at: Point) -> usize {
        self.engine.overlaps(shape, at)
    }

    fn shape_cast(&self, shape: &Shape, from: Point, translation: Vec2) -> Option<f32> {
        self.engine.shape_cast(shape, from, translation)
    }

    fn keep(&mut self) {
        self.engine.keep();
    }

    fn restore(&mut self) {
        self.engine.restore();
    }

    fn set_mass(&mut self, body: BodyHandle, mass: f32, inertia: f32) {
        self.engine.set_mass(body, mass, inertia);
    }

    fn apply_force(&mut self, body: BodyHandle, force: Vec2, at: Point) {
        self.engine.apply_force(body, force, at);
    }

    fn apply_torque(&mut self, body: BodyHandle, torque: f32) {
        self.engine.apply_torque(body, torque);
    }

    fn apply_impulse(&mut self, body: BodyHandle, impulse: Vec2) {
        self.engine.apply_impulse(body, impulse);
    }

    fn set_velocity(&mut self, body: BodyHandle, velocity: Vec2) {
        self.engine.set_velocity(body, velocity);
    }

    fn set_restitution_threshold(&mut self, speed: f32) {
        self.engine.set_restitution_threshold(speed);
    }

    fn destroy_body(&mut self, body: BodyHandle) {
        self.outlines[body.0 as usize].clear();
        self.engine.destroy_body(body);
    }

    fn move_to(&mut self, body: BodyHandle, position: Point, angle: f32, dt: f32) {
        self.engine.move_to(body, position, angle, dt);
    }

    fn step(&mut self, dt: f32) {
        self.engine.step(dt);
    }

    fn motion(&self, body: BodyHandle) -> BodyMotion {
        self.engine.motion(body)
    }

    fn counts(&self) -> Counts {
        self.engine.counts()
    }
}
