//! Common parts of the cases: worlds, bodies, and measures of motion.

use crate::engine::{BodyHandle, BodyMotion, Engine, EngineSettings, Hinge};
use cairn2d::prelude::*;

/// Makes an empty world of some engine.
pub type Maker<'a> = dyn Fn(&EngineSettings) -> Box<dyn Engine> + 'a;

/// Gravitational acceleration of the reference problems [m/s^2].
pub const G: f64 = 9.81;

/// Usual step \[s\].
pub const DT: f64 = 1.0 / 60.0;

/// One figure: an error, and the bound that the method or the goal of the case sets for this engine.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The measured quantity, with the unit of the error.
    pub what: &'static str,
    /// The value that is known, with its unit.
    pub reference: String,
    /// Difference of the measured value from it; infinite if there was none.
    pub error: f64,
    /// Most that it may be.
    pub bound: f64,
}

impl Figure {
    /// Returns a figure with a bound.
    #[must_use]
    pub fn new(what: &'static str, reference: impl Into<String>, error: f64, bound: f64) -> Self {
        Self {
            what,
            reference: reference.into(),
            error,
            bound,
        }
    }

    /// Says whether the error is within the bound.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.error <= self.bound
    }
}

impl core::fmt::Display for Figure {
    /// Writes the error, bold if it is within the bound.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let error = number(self.error);
        if self.is_met() {
            write!(f, "**{error}**")
        } else {
            f.write_str(&error)
        }
    }
}

/// Writes a number with two digits, a whole one without decimals.
#[must_use]
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1000.0 {
        format!("{value:.0}")
    } else if !value.is_finite() {
        "fails".into()
    } else if (0.01..1000.0).contains(&value.abs()) {
        let digits = (1.0 - value.abs().log10().floor()).max(0.0);
        format!("{value:.0$}", digits as usize)
    } else {
        format!("{value:.1e}")
    }
}

/// Work with which the converging solvers may solve all linkages of a problem.
pub(crate) const EXACT_BUDGET: u32 = 20_000;

/// Returns settings with a gravity downward [m/s^2]: four substeps, one thread, no sleep, and the budget of machines that must
/// be exact.
#[must_use]
pub const fn settings(gravity: f64) -> EngineSettings {
    EngineSettings {
        gravity: vec2(0.0, -gravity as f32),
        sleeping: false,
        substeps: 4,
        solver_budget: Some(EXACT_BUDGET),
        // The reference problems have none.
        linkage_drag: Some(0.0),
        threads: 1,
    }
}

/// A body with a mass of its own: pose of its center of mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub center: [f64; 2],
    pub angle: f64,
    pub velocity: [f64; 2],
    pub spin: f64,
    pub mass: f64,
    pub inertia: f64,
}

impl Link {
    /// Returns the link at rest.
    pub(crate) const fn at(center: [f64; 2], angle: f64, (mass, inertia): (f64, f64)) -> Self {
        Self {
            center,
            angle,
            velocity: [0.0; 2],
            spin: 0.0,
            mass,
            inertia,
        }
    }

    pub(crate) fn create(&self, engine: &mut dyn Engine) -> BodyHandle {
        let def = BodyDef {
            can_sleep: false,
            fast_rotation: true,
            angular_velocity: self.spin as f32,
            ..BodyDef::dynamic()
        }
        .world_position(self.center)
        .angle(self.angle as f32)
        .velocity(self.velocity[0] as f32, self.velocity[1] as f32);
        let body = engine.create_body(&def);
        engine.set_mass(body, self.mass as f32, self.inertia as f32);
        body
    }
}

/// Adds a static body at the origin.
pub(crate) fn ground(engine: &mut dyn Engine) -> BodyHandle {
    engine.create_body(&BodyDef::static_())
}

/// Adds a static box that fills a rectangle.
pub(crate) fn slab(
    engine: &mut dyn Engine,
    [min_x, min_y, max_x, max_y]: [f32; 4],
    surface: &ShapeDef,
) -> BodyHandle {
    let (x, y) = (0.5 * (min_x + max_x), 0.5 * (min_y + max_y));
    let body = engine.create_body(&BodyDef::static_().position(x, y));
    engine.create_shape(
        body,
        &rectangle(0.5 * (max_x - min_x), 0.5 * (max_y - min_y)),
        surface,
    );
    body
}

/// Returns the rectangle of the given half extents about the origin.
pub(crate) fn rectangle(half_width: f32, half_height: f32) -> Shape {
    let shape = Polygon::rectangle(half_width, half_height);
    Shape::Polygon(shape)
}

/// Returns the disc about the origin.
pub(crate) fn disc(radius: f32) -> Shape {
    Shape::Circle(Circle::new(Point::origin(), radius))
}

/// Returns the capsule along x about the origin.
pub(crate) fn capsule(half_length: f32, radius: f32) -> Shape {
    let ends = (point(-half_length, 0.0), point(half_length, 0.0));
    Shape::Capsule(Capsule::new(ends.0, ends.1, radius))
}

/// Adds a body that never sleeps, with one shape.
pub(crate) fn body(
    engine: &mut dyn Engine,
    def: BodyDef,
    shape: &Shape,
    surface: &ShapeDef,
) -> BodyHandle {
    let def = BodyDef {
        can_sleep: false,
        ..def
    };
    let body = engine.create_body(&def);
    engine.create_shape(body, shape, surface);
    body
}

/// Pins two bodies together at local anchors.
pub(crate) fn pin(
    engine: &mut dyn Engine,
    (a, anchor_a): (BodyHandle, [f64; 2]),
    (b, anchor_b): (BodyHandle, [f64; 2]),
) {
    let frame = |[x, y]: [f64; 2]| JointFrame {
        anchor: point(x as f32, y as f32),
        angle: 0.0,
    };
    engine.create_hinge(&Hinge::new((a, frame(anchor_a)), (b, frame(anchor_b))));
}

/// Angle of a body in -pi to pi \[rad\].
pub(crate) fn angle(motion: &BodyMotion) -> f64 {
    libm::atan2(motion.rotation.im.into(), motion.rotation.re.into())
}

/// An angle followed over full turns \[rad\].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unwound(pub f64);

impl Unwound {
    /// Follows the angle to one that is known up to full turns, less than half a turn away.
    pub(crate) fn follow(&mut self, wound: f64) -> f64 {
        let turn = std::f64::consts::TAU;
        let delta = (wound - self.0 + 0.5 * turn).rem_euclid(turn) - 0.5 * turn;
        self.0 += delta;
        self.0
    }
}

/// Position of a body \[m\].
pub(crate) fn place(engine: &dyn Engine, body: BodyHandle) -> [f64; 2] {
    let at = engine.motion(body).position;
    [at.x.into(), at.y.into()]
}

/// Greatest distance of a body from where it was \[m\]; infinite if one has no position.
pub(crate) fn shift(engine: &dyn Engine, start: &[(BodyHandle, [f64; 2])]) -> f64 {
    let way = |&(body, [x, y]): &(BodyHandle, [f64; 2])| {
        let [now_x, now_y] = place(engine, body);
        let way = (now_x - x).hypot(now_y - y);
        if way.is_finite() { way } else { f64::INFINITY }
    };
    start.iter().map(way).fold(0.0, f64::max)
}

/// Steps until a body has shifted by more than `limit` \[m\] or `seconds` have passed. Returns whether all stayed.
pub(crate) fn stays(
    engine: &mut dyn Engine,
    bodies: &[BodyHandle],
    (limit, seconds): (f64, f64),
) -> bool {
    let start: Vec<_> = bodies
        .iter()
        .map(|&body| (body, place(engine, body)))
        .collect();
    for _ in 0..(seconds / DT) as u32 {
        engine.step(DT as f32);
        if shift(engine, &start) > limit {
            return false;
        }
    }
    true
}

/// Relative error; infinite if `measured` is no number.
pub(crate) fn relative(measured: f64, expected: f64) -> f64 {
    let error = (measured / expected - 1.0).abs();
    if error.is_nan() { f64::INFINITY } else { error }
}

/// Bisects for the value at which `holds` turns from true to false, to a part in a thousand of the range. Returns an
/// end of the range if it does not turn.
pub(crate) fn critical((low, high): (f64, f64), mut holds: impl FnMut(f64) -> bool) -> f64 {
    const HALVINGS: u32 = 10;
    if !holds(low) {
        return low;
    }
    if holds(high) {
        return high;
    }
    let (mut good, mut bad) = (low, high);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (good + bad);
        if holds(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    0.5 * (good + bad)
}

/// Counts the wrong outcomes: one below the critical value that does not hold, one above that does.
pub(crate) fn wrong_outcomes(below: bool, above: bool) -> f64 {
    f64::from(u8::from(!below) + u8::from(above))
}
