//! Falling columns: without restitution they gain no energy.

use cairn2d_dynamics::{BodyDef, BodyId, ShapeDef, World, WorldDef};
use cairn2d_geometry::Polygon;

/// The usual step [s].
const DT: f32 = 1.0 / 60.0;

/// Gravity, downward [m/s^2].
const G: f64 = 10.0;

/// Energy that may be gained, relative to that at the start: integration and rounding.
const GAIN: f64 = 1.0e-3;

fn add(world: &mut World, def: BodyDef, half_width: f32, half_height: f32) -> BodyId {
    let id = world.create_body(def);
    let shape = Polygon::rectangle(half_width, half_height);
    world.create_shape(id, shape, ShapeDef::default());
    id
}

/// Unit boxes above the ground at y = 0, the lowest by `drop`, each other by `gap` above the one below.
fn column(count: u8, gap: f32, drop: f32) -> (World, Vec<BodyId>) {
    let mut world = World::new(WorldDef {
        sleeping: false,
        solver_budget: 20_000,
        ..WorldDef::default()
    });
    add(
        &mut world,
        BodyDef::static_().position(0.0, -1.0),
        50.0,
        1.0,
    );
    let heights = (0..count).map(|i| 0.5 + drop + f32::from(i) * (1.0 + gap));
    let boxes = heights
        .map(|y| add(&mut world, BodyDef::dynamic().position(0.0, y), 0.5, 0.5))
        .collect();
    (world, boxes)
}

/// Energy and height of the center of mass of unit boxes of unit density, for each of them [J, m].
fn energy_and_height(world: &World, boxes: &[BodyId]) -> [f64; 2] {
    let (mut energy, mut height) = (0.0, 0.0);
    for &id in boxes {
        let body = world.body(id);
        let velocity = body.velocity();
        let parts = [velocity.x, velocity.y, body.angular_velocity()].map(f64::from);
        let [x_sq, y_sq, spin_sq] = parts.map(|part| part * part);
        let y = f64::from(body.position().y);
        energy += 0.5 * (x_sq + y_sq) + 0.5 * spin_sq / 6.0 + G * y;
        height += y;
    }
    [energy, height].map(|sum| sum / boxes.len() as f64)
}

#[test]
fn columns_that_fall_gain_no_energy() {
    // They got stiffer while they were pressed together: those of a hundred gained 14 to 19 % and rose by 6 m.
    for (count, gap, drop) in [
        (100, 0.05, 0.05),
        (100, 0.05, 0.0),
        (100, 0.2, 0.2),
        (100, 0.01, 0.01),
        (100, 0.0, 0.05),
        (100, 0.0, 0.3),
        (60, 0.05, 0.05),
        (50, 0.0, 1.0),
        (30, 0.15, 0.15),
        (10, 0.3, 0.3),
    ] {
        let (mut world, boxes) = column(count, gap, drop);
        let [energy, height] = energy_and_height(&world, &boxes);
        for step in 0..600 {
            world.step(DT);
            let [now, at] = energy_and_height(&world, &boxes);
            let case = format!("{count} with gaps of {gap} from {drop}, step {step}");
            assert!(now <= (1.0 + GAIN) * energy, "{case}: {now} of {energy} J");
            assert!(at <= height, "{case}: {at} above {height} m");
        }
        world.assert_consistent();
    }
}

#[test]
fn column_that_fell_stands_as_high_as_its_boxes_are() {
    // The load that its contacts lacked while it was compressed is back.
    let (mut world, boxes) = column(100, 0.0, 0.3);
    (0..900).for_each(|_| world.step(DT));
    world.assert_consistent();
    let top = f64::from(world.body(boxes[99]).position().y);
    assert!((top - 99.5).abs() < 0.01, "{top} m");
}
