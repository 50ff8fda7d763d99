//! Piles that are created at rest stand from the first step, under their loads.

use crate::support::*;
use approx::assert_abs_diff_eq;
use cairn2d_dynamics::{BodyDef, BodyId, Locks, ShapeDef, World};
use cairn2d_geometry::math::{sin_cos, vec2};
use proptest::prelude::*;

/// Share by which forces may be off: rounding of sums of some dozen loads in `f32`.
const ROUNDING: f32 = 1.0e-5;

/// Adds a box of this half width and half height, of 1 kg per square meter.
fn slab(world: &mut World, x: f32, y: f32, [half_width, half_height]: [f32; 2]) -> BodyId {
    let body = world.create_body(BodyDef::dynamic().position(x, y));
    world.create_shape(body, rect(half_width, half_height), ShapeDef::default());
    body
}

fn unit_box(world: &mut World, x: f32, y: f32) -> BodyId {
    slab(world, x, y, [0.5, 0.5])
}

/// Normal forces of the contact between two bodies in the last step, by place along x.
fn forces_between(world: &World, a: BodyId, b: BodyId) -> Vec<f32> {
    let contact = world.contacts().find(|contact| {
        let ends = contact.bodies();
        ends == [a, b] || ends == [b, a]
    });
    let mut points: Vec<_> = contact
        .expect("a contact")
        .points()
        .map(|point| (point.point.x, point.normal_impulse / DT))
        .collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points.into_iter().map(|(_, force)| force).collect()
}

fn assert_close(found: f32, expected: f32) {
    let off = (found - expected).abs();
    assert!(off <= ROUNDING * expected.abs(), "{found}, not {expected}");
}

fn fastest(world: &World) -> f32 {
    let speed = |body: cairn2d_dynamics::BodyRef<'_>| body.velocity().norm();
    world.bodies().map(speed).fold(0.0, f32::max)
}

/// No body moves faster than rounding of the greatest load moves the lightest body in a substep.
fn assert_still(world: &World, most_loads: f32) {
    let rounding = most_loads * G * DT * 4.0 * f32::EPSILON;
    assert!(fastest(world) <= rounding, "{} m/s", fastest(world));
}

#[test]
fn column_bears_what_is_above_from_the_first_step() {
    let mut world = sleepless();
    let floor = ground(&mut world);
    let count = 40_u32;
    let mut below = floor;
    let boxes: Vec<_> = (0..count)
        .map(|row| unit_box(&mut world, 0.0, 0.5 + row as f32))
        .collect();
    step(&mut world);
    for (row, &body) in boxes.iter().enumerate() {
        let weight = (count as usize - row) as f32 * G;
        for force in forces_between(&world, below, body) {
            assert_close(force, 0.5 * weight);
        }
        below = body;
    }
    run(&mut world, 120);
    assert_still(&world, count as f32);
}

#[test]
fn uneven_load_is_borne_by_the_law_of_the_lever() {
    let mut world = sleepless();
    let floor = ground(&mut world);
    let base = slab(&mut world, 0.0, 0.5, [2.0, 0.5]);
    // 1 kg at 1.5 m to the right of the middle, on 4 kg; the lower slab rests at -2 and 2 m.
    let load = slab(&mut world, 1.5, 1.5, [0.5, 0.5]);
    step(&mut world);
    let forces = forces_between(&world, floor, base);
    assert_close(forces[0], 2.0 * G + G * (2.0 - 1.5) / 4.0);
    assert_close(forces[1], 2.0 * G + G * (2.0 + 1.5) / 4.0);
    for force in forces_between(&world, base, load) {
        assert_close(force, 0.5 * G);
    }
}

#[test]
fn pyramid_stands_still_from_the_first_step() {
    let mut world = sleepless();
    ground(&mut world);
    let rows = 12_u32;
    for row in 0..rows {
        for column in 0..rows - row {
            let x = column as f32 - 0.5 * (rows - row - 1) as f32;
            unit_box(&mut world, x, 0.5 + row as f32);
        }
    }
    for _ in 0..60 {
        step(&mut world);
        assert_still(&world, rows as f32);
    }
}

#[test]
fn columns_side_by_side_bear_their_own_loads() {
    // 1 cm apart: the boxes of neighbors have contacts that do not touch. Cause of an index out of its list: the other end of such a contact
    // is of another island, and its place there was looked up here.
    let mut world = sleepless();
    let floor = ground(&mut world);
    let heights = [2, 9, 4_u32];
    let feet: Vec<_> = (0..)
        .zip(heights)
        .map(|(place, height)| {
            let x = 1.01 * place as f32;
            let rows: Vec<_> = (0..height)
                .map(|row| unit_box(&mut world, x, 0.5 + row as f32))
                .collect();
            (rows[0], height)
        })
        .collect();
    step(&mut world);
    for (foot, height) in feet {
        for force in forces_between(&world, floor, foot) {
            assert_close(force, 0.5 * height as f32 * G);
        }
    }
}

#[test]
fn what_lies_askew_is_held_by_friction() {
    let mut world = sleepless();
    let slope = 0.2_f32;
    let floor = world.create_body(BodyDef::static_().angle(slope));
    let rough = ShapeDef::default().friction(0.9);
    world.create_shape(floor, rect(10.0, 0.5), rough);
    let (sin, cos) = sin_cos(slope);
    let up = vec2(-sin, cos);
    let boxes: Vec<_> = (0..3)
        .map(|i| {
            let center = (1.0 + i as f32) * up;
            let def = BodyDef::dynamic().position(center.x, center.y).angle(slope);
            let body = world.create_body(def);
            world.create_shape(body, rect(0.5, 0.5), rough);
            body
        })
        .collect();
    step(&mut world);
    let sum: f32 = forces_between(&world, floor, boxes[0]).iter().sum();
    let expected = 3.0 * G * cos;
    assert!(
        (sum - expected).abs() < 1.0e-3 * expected,
        "{sum}, not {expected}"
    );
    // Friction creeps to where it holds: by 0.17 mm in all.
    run(&mut world, 240);
    for (i, &body) in boxes.iter().enumerate() {
        let way = world.body(body).position() - (1.0 + i as f32) * up;
        assert!(way.coords.norm() < 0.05 * SLOP, "{way:?}");
    }
}

#[test]
fn body_that_may_not_turn_is_held_where_it_would_tip() {
    let mut world = sleepless();
    let floor = ground(&mut world);
    let post = slab(&mut world, 0.0, 0.5, [0.25, 0.5]);
    let def = BodyDef {
        locks: Locks::ROTATION,
        ..BodyDef::dynamic().position(0.6, 1.25)
    };
    let beam = world.create_body(def);
    world.create_shape(beam, rect(0.75, 0.25), ShapeDef::default());
    step(&mut world);
    let on_post: f32 = forces_between(&world, post, beam).iter().sum();
    assert_close(on_post, 0.75 * G);
    let on_floor: f32 = forces_between(&world, floor, post).iter().sum();
    assert_abs_diff_eq!(on_floor, 1.25 * G, epsilon = 1.0e-2 * G);
}

#[test]
fn what_does_not_stand_falls() {
    let mut world = sleepless();
    ground(&mut world);
    unit_box(&mut world, 0.0, 0.5);
    let beyond = unit_box(&mut world, 0.7, 1.5);
    run(&mut world, 60);
    assert!(world.body(beyond).position().y < 1.2);
}

#[test]
fn what_has_lost_its_load_comes_down() {
    let mut world = sleepless();
    ground(&mut world);
    let boxes: Vec<_> = (0..14)
        .map(|row| unit_box(&mut world, 0.0, 0.5 + row as f32))
        .collect();
    run(&mut world, 30);
    for &body in &boxes[2..] {
        world.destroy_body(body);
    }
    run(&mut world, 180);
    let height = world.body(boxes[1]).position().y - 1.5;
    // It had rested under twelve boxes more, which press a contact in by a slop.
    assert!(height.abs() < 0.2 * SLOP, "{height}");
}

/// Half width of each slab of a column, and its place along the free way of the one below, -1 to 1.
fn column() -> impl Strategy<Value = Vec<(f32, f32)>> {
    prop::collection::vec((0.3_f32..1.0, -0.15_f32..0.15), 2..14)
}

/// Builds the column, mirrored by `sign`, its bodies made in this order; returns them from below.
fn build(column: &[(f32, f32)], sign: f32, order: &[usize]) -> (World, Vec<BodyId>) {
    let mut world = sleepless();
    let mut bodies = vec![ground(&mut world); column.len()];
    for &row in order {
        let (half_width, offset) = column[row];
        bodies[row] = slab(
            &mut world,
            sign * offset,
            0.25 + 0.5 * row as f32,
            [half_width, 0.25],
        );
    }
    (world, bodies)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn columns_stand_in_any_order_of_creation_and_in_the_mirror(column in column(), seed in 0_usize..1000) {
        let mut shuffled: Vec<_> = (0..column.len()).collect();
        shuffled.sort_by_key(|&row| (row * 7919 + seed) % 31);
        let forth: Vec<_> = (0..column.len()).collect();
        for (sign, order) in [(1.0, &forth), (1.0, &shuffled), (-1.0, &forth)] {
            let (mut world, bodies) = build(&column, sign, order);
            let start: Vec<_> = bodies.iter().map(|&body| world.body(body).position()).collect();
            run(&mut world, 30);
            for (&body, start) in bodies.iter().zip(start) {
                let way = (world.body(body).position() - start).norm();
                // As far as rounding of the greatest load moves the stiffest body in half a second.
                prop_assert!(way < 1.0e-5, "{way} m");
            }
        }
    }
}

/// Cards of a house lean on each other across a gap of a millimeter: no card stands on the cards below alone, and each carries the cards above.
#[test]
fn what_leans_on_its_like_is_not_pushed_away_by_what_it_bears() {
    let mut world = sleepless();
    ground(&mut world);
    let (half_length, half_thickness, slope) = (0.2, 0.001_5, 0.44_f32);
    let (sin, cos) = sin_cos(slope);
    let storey = 2.0 * (half_length * cos + half_thickness * (sin + 1.0));
    let pitch = 4.0 * half_length * sin + 0.006;
    let card = |world: &mut World, x: f32, y: f32, angle: f32, half: [f32; 2]| {
        let body = world.create_body(BodyDef::dynamic().position(x, y).angle(angle));
        let def = ShapeDef::default().friction(0.7);
        world.create_shape(body, rect(half[0], half[1]), def);
    };
    for level in 0..5_u32 {
        let (base, tents) = (storey * level as f32, 5 - level);
        for i in 0..tents {
            let x = pitch * (i as f32 - 0.5 * (tents - 1) as f32);
            for side in [-1.0, 1.0] {
                let away = half_length * sin + half_thickness * cos + 0.000_5;
                let y = base + 0.5 * storey - half_thickness;
                let upright = [half_thickness, half_length];
                card(&mut world, x + side * away, y, side * slope, upright);
            }
            if i + 1 < tents {
                let y = base + storey - half_thickness;
                let lying = [half_length, half_thickness];
                card(&mut world, x + 0.5 * pitch, y, 0.0, lying);
            }
        }
    }
    for _ in 0..30 {
        step(&mut world);
        // A fall by the height of the gap is slower; pushed away, cards flew at 4 m/s.
        assert!(fastest(&world) < 0.5, "{} m/s", fastest(&world));
    }
}

/// Lets two planks lean on each other under a third and a box of `share` times their mass; returns how far one of them moves in ten
/// seconds \[m\].
fn way_of_leaning(slope: f32, thickness: f32, share: f32) -> f32 {
    let mut world = sleepless();
    ground(&mut world);
    let (sin, cos) = sin_cos(slope);
    let (half, thin) = (0.5, 0.5 * thickness);
    let burden = 0.5 * (share * thickness).sqrt();
    let [foot, rise] = [half * sin + thin * cos, half * cos + thin * sin];
    let plank =
        |world: &mut World, x: f32, y: f32, angle: f32, [half_width, half_height]: [f32; 2]| {
            let body = world.create_body(BodyDef::dynamic().position(x, y).angle(angle));
            let def = ShapeDef::default().friction(0.7);
            world.create_shape(body, rect(half_width, half_height), def);
            body
        };
    let placed = [
        plank(&mut world, -foot, rise, -slope, [thin, half]),
        plank(&mut world, foot, rise, slope, [thin, half]),
        plank(&mut world, 0.0, 2.0 * rise + thin, 0.0, [half, thin]),
        plank(
            &mut world,
            0.0,
            2.0 * rise + thickness + burden,
            0.0,
            [burden, burden],
        ),
    ];
    let start = placed.map(|body| world.body(body).position_exact());
    run(&mut world, 600);
    let ways = placed.into_iter().zip(start);
    ways.map(|(body, start)| (world.body(body).position_exact() - start).norm())
        .fold(0.0, f32::max)
}

/// Their corners meet on one spot, 0.3 micrometers apart by rounding: the line between them, which points anywhere, was taken for the normal, and
/// all fell.
#[test]
fn what_leans_corner_on_corner_stands() {
    for step in 0..9_u8 {
        let thickness = 0.034_953_386 * (1.0 + 1e-5 * (f32::from(step) - 5.0));
        let way = way_of_leaning(0.475_917_8, thickness, 3.050_184_5);
        assert!(way < 0.2 * SLOP, "{thickness}: {way}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Bricks in layers, some of which tip or fall and some of which are created tilted into their neighbors: their computed loads
    /// add no energy. Tilted bricks reach 10 mm into others, and may lift them by that.
    #[test]
    fn no_pile_is_thrown_apart_by_its_loads(
        layers in prop::collection::vec(prop::collection::vec((0.05_f32..0.5, 0.0_f32..0.25), 3..7), 2..7),
        tilt in -0.02_f32..0.02,
    ) {
        let mut world = sleepless();
        ground(&mut world);
        for (layer, bricks) in layers.iter().enumerate() {
            let y = 0.1 + 0.2 * layer as f32;
            let mut x = -1.0;
            for (i, &(half_width, gap)) in bricks.iter().enumerate() {
                // Half of the gaps are closed.
                x += half_width + if gap < 0.125 { 0.0 } else { gap };
                let angle = if i % 3 == 2 { tilt } else { 0.0 };
                let body = world.create_body(BodyDef::dynamic().position(x, y).angle(angle));
                world.create_shape(body, rect(half_width, 0.1), ShapeDef::default());
                x += half_width;
            }
        }
        let mass: f64 = world.bodies().map(|body| f64::from(body.mass())).sum();
        let start = energy(&world);
        for count in 1..=30 {
            step(&mut world);
            let gained = (energy(&world) - start) / (mass * f64::from(G));
            prop_assert!(gained < 0.01, "as if lifted by {gained} m after {count} steps");
        }
    }

    /// Two planks that lean on each other, and a third on their tips, bear a box of up to twenty times the mass of one of them, and nothing moves; friction of 0.7
    /// holds feet whose planks lean by less than 35 degrees.
    #[test]
    fn what_leans_on_each_other_stands_as_it_was_put_up(
        slope in 0.2_f32..0.5,
        thickness in 0.005_f32..0.06,
        share in 0.1_f32..20.0,
    ) {
        let way = way_of_leaning(slope, thickness, share);
        prop_assert!(way < 0.2 * SLOP, "moved by {way} m");
    }
}

/// Builds a pyramid of boxes of a size \[m\], the base first, one box in so many steps; returns the greatest way of a box from
/// its place after another ten seconds, relative to its size.
fn way_of_built_pyramid(base: u32, size: f32, interval: usize, rate: f32) -> f32 {
    let mut world = sleepless();
    ground(&mut world);
    let step_by = |world: &mut World, steps: usize| {
        for _ in 0..steps {
            world.step(1.0 / rate);
        }
    };
    let mut boxes = Vec::new();
    for level in 0..base {
        let count = base - level;
        for i in 0..count {
            let x = size * (i as f32 - 0.5 * (count - 1) as f32);
            let y = size * (level as f32 + 0.5);
            let body = slab(&mut world, x, y, [0.5 * size, 0.5 * size]);
            boxes.push((body, vec2(x, y)));
            step_by(&mut world, interval);
        }
    }
    step_by(&mut world, 10 * rate as usize);
    let ways = boxes.iter().map(|&(body, start)| {
        let now = world.body(body).position();
        (vec2(now.x as f32, now.y as f32) - start).norm()
    });
    ways.fold(0.0, f32::max) / size
}

#[test]
fn what_is_built_box_by_box_does_not_sink() {
    let cases = [
        (1.0, 1, 60.0),
        (1.0, 10, 60.0),
        (0.2, 3, 60.0),
        (2.0, 2, 60.0),
        (1.0, 4, 120.0),
        (1.0, 1, 30.0),
    ];
    for (size, interval, rate) in cases {
        let way = way_of_built_pyramid(14, size, interval, rate);
        assert!(way < 1.0e-4, "{size} m, {interval} steps, {rate} Hz: {way}");
    }
}

#[test]
fn what_was_built_box_by_box_comes_down_without_its_foot() {
    let mut world = sleepless();
    ground(&mut world);
    let tower: Vec<_> = (0..30)
        .map(|row| {
            let body = unit_box(&mut world, 0.0, 0.5 + row as f32);
            run(&mut world, 1);
            body
        })
        .collect();
    world.destroy_body(tower[0]);
    run(&mut world, 40);
    let height = world.body(tower[1]).position().y;
    assert!(height < 0.6, "{height}");
}
