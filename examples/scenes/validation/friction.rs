//! Friction: Painlevé's rod, the ladder, the disc that slides and then rolls, the rope around a drum.

use super::Case;
use super::lab::{
    DT, Figure, G, Link, Maker, body, capsule, critical, disc, pin, place, relative, settings, slab,
};
use crate::engine::{BodyHandle, Engine};
use cairn2d::geometry::tolerance::LINEAR_SLOP;
use cairn2d::prelude::{BodyDef, Polygon, Shape, ShapeDef, point};
use std::f64::consts::PI;

pub(super) const CASES: &[Case] = &[
    Case {
        name: "painleve",
        measure: painleve,
    },
    Case {
        name: "ladder",
        measure: ladder,
    },
    Case {
        name: "slide_then_roll",
        measure: slide_then_roll,
    },
    Case {
        name: "capstan",
        measure: capstan,
    },
];

/// Friction above which a uniform rod has the paradox: the least mu with max over the angle of
/// cos (mu sin - cos) = (sqrt(1 + mu^2) - 1) / 2 equal to 1 / 3 \[Painleve95\].
pub const PAINLEVE_FRICTION: f64 = 4.0 / 3.0;

/// Radius of the ends of rods \[m\].
const END: f64 = 0.02;

/// Greatest gain of energy \[J\] over 2 s of a rod of 2 m and 1 kg that is thrown along a floor at `speed` [m/s], on its lower end
/// at `slope` \[rad\]; infinite if a coordinate is no number.
fn gain(make: &Maker<'_>, friction: f64, slope: f64, speed: f64) -> f64 {
    let mut engine = make(&settings(G));
    let surface = ShapeDef::default().friction(friction as f32);
    slab(&mut *engine, [-50.0, -1.0, 50.0, 0.0], &surface);
    let inertia = 1.0 / 3.0;
    let link = Link {
        velocity: [speed, 0.0],
        ..Link::at([0.0, libm::sin(slope) + END], slope, (1.0, inertia))
    };
    let rod = link.create(&mut *engine);
    engine.create_shape(rod, &capsule(1.0, END as f32), &surface.density(0.0));
    engine.set_mass(rod, 1.0, inertia as f32);
    let start = 0.5 * speed * speed + G * link.center[1];
    let mut gain = 0.0_f64;
    for _ in 0..120 {
        engine.step(DT as f32);
        let motion = engine.motion(rod);
        let (v, w) = (
            f64::from(motion.velocity.norm()),
            f64::from(motion.angular_velocity),
        );
        let energy = 0.5 * (v * v + inertia * w * w) + G * place(&*engine, rod)[1];
        gain = gain.max(if energy.is_finite() {
            energy - start
        } else {
            f64::INFINITY
        });
    }
    gain
}

fn painleve(make: &Maker<'_>) -> Vec<Figure> {
    let mut worst = 0.0_f64;
    for friction in [0.5, 1.0, 1.3, 1.5, 2.0, 2.5, 3.0] {
        for step in 1..18 {
            for speed in [-5.0, 5.0] {
                let slope = f64::from(step) * PI / 36.0;
                worst = worst.max(gain(make, friction, slope, speed));
            }
        }
    }
    vec![Figure::new(
        "Painlevé's rod, friction 0.5 to 3, all angles, 238 throws: greatest gain of energy [J]",
        "0, no NaN",
        worst,
        // Contacts resolve positions to a slop: lifting 1 kg by it.
        G * f64::from(LINEAR_SLOP),
    )]
}

/// Angle of the ladder with the floor at the start \[rad\].
const LADDER_ANGLE: f64 = 1.2;

/// Adds floor, wall and a ladder of 2 m on its end circles, without friction.
pub fn build_ladder(engine: &mut dyn Engine) -> BodyHandle {
    let surface = ShapeDef::default().friction(0.0);
    slab(engine, [-1.0, -1.0, 20.0, 0.0], &surface);
    slab(engine, [-1.0, 0.0, 0.0, 4.0], &surface);
    let (sin, cos) = libm::sincos(LADDER_ANGLE);
    let link = Link::at([cos + END, sin + END], PI - LADDER_ANGLE, (1.0, 1.0 / 3.0));
    let ladder = link.create(engine);
    engine.create_shape(ladder, &capsule(1.0, END as f32), &surface.density(0.0));
    engine.set_mass(ladder, 1.0, 1.0 / 3.0);
    ladder
}

fn ladder(make: &Maker<'_>) -> Vec<Figure> {
    // On both, w^2 = (3 g / 2) (sin a0 - sin a) for the half length 1 m, and the speed along the floor sin a w is
    // greatest, so the wall's force zero, at sin a = 2/3 sin a0. Without the wall it stays.
    let speed = (2.0 / 9.0 * G * LADDER_ANGLE.sin().powi(3)).sqrt();
    let mut engine = make(&settings(G));
    let ladder = build_ladder(&mut *engine);
    let (mut fastest, mut height) = (0.0_f64, f64::INFINITY);
    let mut last = [0.0; 2];
    for _ in 0..240 {
        engine.step(DT as f32);
        let motion = engine.motion(ladder);
        let v = f64::from(motion.velocity.x);
        let top = f64::from(motion.position.y) - END;
        // The sine of its angle is the height of the center over the half length. A hundredth below the final speed the
        // speed of the motion along the wall is known: sin a sqrt(3 g / 2 (sin a0 - sin a)).
        let mark = 0.99 * speed;
        if last[0] < mark && v >= mark && height.is_infinite() {
            height = last[1] + (top - last[1]) * (mark - last[0]) / (v - last[0]);
        }
        last = [v, top];
        if top < 0.05 {
            break;
        }
        fastest = fastest.max(v);
    }
    let on_wall = |s: f64| s * (1.5 * G * (LADDER_ANGLE.sin() - s)).sqrt();
    let expected = critical((2.0 / 3.0 * LADDER_ANGLE.sin(), LADDER_ANGLE.sin()), |s| {
        on_wall(s) >= 0.99 * speed
    });
    vec![
        Figure::new(
            "ladder without friction: relative error of the speed with which it leaves the wall",
            format!("{speed:.6} m/s"),
            relative(fastest, speed),
            0.01,
        ),
        Figure::new(
            "relative error of its height at 0.99 of that speed",
            format!("{expected:.4} m"),
            relative(height, expected),
            0.01,
        ),
    ]
}

fn slide_then_roll(make: &Maker<'_>) -> Vec<Figure> {
    const START: f64 = 6.0;
    const FRICTION: f64 = 0.2;
    let mut engine = make(&settings(G));
    let surface = ShapeDef::default().friction(FRICTION as f32);
    slab(&mut *engine, [-5.0, -1.0, 50.0, 0.0], &surface);
    let def = BodyDef::dynamic()
        .position(0.0, 0.5)
        .velocity(START as f32, 0.0);
    let ball = body(&mut *engine, def, &disc(0.5), &surface);
    let expected = START / (3.0 * FRICTION * G);
    let (mut last, mut time) = (START, f64::INFINITY);
    for step in 1..=240 {
        engine.step(DT as f32);
        let motion = engine.motion(ball);
        let slip = f64::from(motion.velocity.x) + 0.5 * f64::from(motion.angular_velocity);
        // The slip falls at a constant rate; a thousandth of it is the end of sliding.
        let end = 1.0e-3 * START;
        if last > end && slip <= end {
            // The rate of the last step would take it below zero, so the time follows from that before.
            time = f64::from(step - 1) * DT + last / (3.0 * FRICTION * G);
        }
        last = slip;
    }
    let speed = f64::from(engine.motion(ball).velocity.x);
    vec![
        Figure::new(
            "disc slides, then rolls: relative error of the final speed",
            format!("{:.4} m/s", 2.0 / 3.0 * START),
            relative(speed, 2.0 / 3.0 * START),
            1.0e-3,
        ),
        Figure::new(
            "relative error of the time of sliding",
            format!("{expected:.6} s"),
            relative(time, expected),
            1.0e-3,
        ),
    ]
}

/// Friction on the drum.
const DRUM_FRICTION: f64 = 0.3;
/// Links on the half circle.
const WRAPPED: usize = 32;
/// Straight links on either side.
const HANGING: usize = 4;
/// Radius of the drum \[m\].
const DRUM: f64 = 1.0;
/// Mass of the lighter weight \[kg\], 20 times that of a link.
const WEIGHT: f64 = 1.0;

/// Ratio of the tensions at which a belt of links slips. A link touches in its middle and bends the belt by the angle `b`, so
/// T2 / T1 = (1 + mu tan(b / 2)) / (1 - mu tan(b / 2)); many links have e^(mu phi).
#[must_use]
pub fn capstan_ratio(links: usize) -> f64 {
    let t = DRUM_FRICTION * (0.5 * PI / links as f64).tan();
    ((1.0 + t) / (1.0 - t)).powi(links as i32)
}

/// Returns a link with pins `half` from its middle. Its inner face is on the line of the pins: friction on a thicker belt would
/// act at a smaller radius than the tension, which lowers the exponent.
fn belt_link(half: f64) -> Shape {
    let (x, y) = ((0.9 * half) as f32, (0.6 * half) as f32);
    let corners = [(-x, 0.0), (x, 0.0), (x, y), (-x, y)].map(|(x, y)| point(x, y));
    Shape::Polygon(Polygon::hull(&corners))
}

/// Adds a drum and a belt of links without weight, with a weight of 1 kg at the left end and `ratio` kg at the right one.
/// The middle of the drum is at `middle` on the x axis \[m\]. Returns the belt and the weights.
pub fn build_capstan(
    engine: &mut dyn Engine,
    ratio: f64,
    middle: f64,
) -> (Vec<BodyHandle>, [BodyHandle; 2]) {
    let surface = ShapeDef::default().friction(DRUM_FRICTION as f32);
    let drum = engine.create_body(&BodyDef::static_().world_position([middle, 0.0]));
    engine.create_shape(drum, &disc(DRUM as f32), &surface);
    let radius = DRUM;
    let bend = 0.5 * PI / WRAPPED as f64;
    let half = radius * libm::tan(bend);
    // Straight links continue where the first and the last wrapped one end, beside the drum.
    let side = radius / libm::cos(bend);
    // Middles and directions from the left end over the top to the right one.
    let mut poses = Vec::new();
    for i in (0..HANGING).rev() {
        poses.push(([-side, -half * (2 * i + 1) as f64], 0.5 * PI));
    }
    for i in 0..WRAPPED {
        let at = PI * (1.0 - (i as f64 + 0.5) / WRAPPED as f64);
        let (sin, cos) = libm::sincos(at);
        poses.push(([radius * cos, radius * sin], at - 0.5 * PI));
    }
    for i in 0..HANGING {
        poses.push(([side, -half * (2 * i + 1) as f64], -0.5 * PI));
    }
    let link_mass = 0.05 * WEIGHT;
    let link = |&([x, y], angle): &([f64; 2], f64), engine: &mut dyn Engine| {
        let def = BodyDef {
            can_sleep: false,
            ..BodyDef::dynamic()
        };
        let def = def
            .world_position([middle + x, y])
            .angle(angle as f32)
            .gravity_scale(0.0);
        let link = engine.create_body(&def);
        let shape = belt_link(half);
        engine.create_shape(link, &shape, &surface.density(0.0));
        engine.set_mass(
            link,
            link_mass as f32,
            (link_mass * half * half / 3.0) as f32,
        );
        link
    };
    let belt: Vec<_> = poses.iter().map(|pose| link(pose, engine)).collect();
    for pair in belt.windows(2) {
        pin(engine, (pair[0], [half, 0.0]), (pair[1], [-half, 0.0]));
    }
    let low = -half * (2 * HANGING) as f64;
    let weights = [(-side, WEIGHT), (side, ratio * WEIGHT)]
        .map(|(x, mass)| Link::at([middle + x, low], 0.0, (mass, 0.01 * mass)).create(engine));
    pin(engine, (weights[0], [0.0; 2]), (belt[0], [-half, 0.0]));
    let last = belt[belt.len() - 1];
    pin(engine, (weights[1], [0.0; 2]), (last, [half, 0.0]));
    (belt, weights)
}

fn capstan(make: &Maker<'_>) -> Vec<Figure> {
    let holds = |ratio: f64| {
        let mut engine = make(&settings(G));
        let (_, [light, heavy]) = build_capstan(&mut *engine, ratio, 0.0);
        // A belt that stretches lowers both weights, one that slips lifts the lighter.
        let lift = |engine: &dyn Engine| place(engine, light)[1] - place(engine, heavy)[1];
        let start = lift(&*engine);
        (0..300).all(|_| {
            engine.step(DT as f32);
            (lift(&*engine) - start).abs() < 0.1
        })
    };
    let exact = (DRUM_FRICTION * PI).exp();
    let found = critical((1.0, 2.0 * exact), holds);
    vec![Figure::new(
        "rope of 32 links around half a drum, friction 0.3: relative error of the ratio at which it slips",
        format!("{exact:.4}"),
        relative(found, exact),
        0.03,
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fine_links_approach_the_exponential() {
        let exact = (DRUM_FRICTION * PI).exp();
        assert!((capstan_ratio(WRAPPED) / exact - 1.0).abs() < 2.0e-3);
        assert!((capstan_ratio(1000) / exact - 1.0).abs() < 2.0e-6);
    }

    #[test]
    fn paradox_begins_at_four_thirds() {
        let greatest = |friction: f64| {
            let at = |i: u32| {
                let (sin, cos) = (f64::from(i) * 1.0e-4).sin_cos();
                cos * (friction * sin - cos)
            };
            (0..15_708).map(at).fold(0.0, f64::max)
        };
        assert!((greatest(PAINLEVE_FRICTION) - 1.0 / 3.0).abs() < 1.0e-7);
    }
}
