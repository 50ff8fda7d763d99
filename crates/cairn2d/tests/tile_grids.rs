//! Tile grids: ghost-free surfaces, edits, slopes, one-way cells, queries, saves.

use approx::assert_abs_diff_eq;
use cairn2d::geometry::tolerance::LINEAR_SLOP as SLOP;
use cairn2d::math::sin_cos;
use cairn2d::{
    BodyDef, BodyId, Chain, Circle, Polygon, QueryFilter, Shape, ShapeDef, Tile, TileGrid, Vec2,
    World, WorldDef, WorldPoint, point, vec2,
};
use proptest::prelude::*;

/// The usual step [s].
const DT: f32 = 1.0 / 60.0;

fn world() -> World {
    World::default()
}

/// Steps, and checks every invariant after each step.
fn run(world: &mut World, steps: usize) {
    for _ in 0..steps {
        step(world);
    }
}

fn step(world: &mut World) {
    world.step(DT);
    world.assert_consistent();
}

fn rect(half_width: f32, half_height: f32) -> Polygon {
    Polygon::rectangle(half_width, half_height)
}

fn disc(radius: f32) -> Circle {
    Circle::of_radius(radius)
}

/// Adds a body with one shape.
fn solid(world: &mut World, body: BodyDef, shape: impl Into<Shape>) -> BodyId {
    let id = world.create_body(body);
    world.create_shape(id, shape, ShapeDef::default());
    id
}

fn crate_at(world: &mut World, x: f32, y: f32, half: f32) -> BodyId {
    solid(world, BodyDef::dynamic().position(x, y), rect(half, half))
}

fn is_awake(world: &World, body: BodyId) -> bool {
    world.body(body).is_awake()
}

fn x(world: &World, body: BodyId) -> f32 {
    world.body(body).position().x
}

fn y(world: &World, body: BodyId) -> f32 {
    world.body(body).position().y
}

fn speed(world: &World, body: BodyId) -> f32 {
    world.body(body).velocity().norm()
}

/// Returns the same numbers on each run: a linear congruential generator (Knuth's MMIX constants).
struct Random(u64);

impl Random {
    /// Returns the next number in [`low`, `high`).
    fn range(&mut self, low: f32, high: f32) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let share = (self.0 >> 40) as f32 / (1_u32 << 24) as f32;
        low + share * (high - low)
    }

    /// Returns a vector with both components in [`-size`, `size`).
    fn vector(&mut self, size: f32) -> Vec2 {
        vec2(self.range(-size, size), self.range(-size, size))
    }
}

#[track_caller]
fn close(value: f32, expected: f32, tolerance: f32) {
    assert_abs_diff_eq!(value, expected, epsilon = tolerance);
}

/// A grid from rows of characters, the top row first.
fn map_of(rows: &[&str], cell: f32) -> TileGrid {
    TileGrid::from_text(&rows.join("\n"), cell)
}

/// A wide level floor of cells of half a meter.
fn floor(world: &mut World) -> TileGrid {
    let mut grid = TileGrid::new([200, 4], 0.5).at((-50.0, -2.0));
    for column in 0..200 {
        for row in 0..4 {
            grid.set([column, row], Tile::Solid);
        }
    }
    grid.update(world);
    grid
}

fn rough(world: &mut World, x: f32, y: f32, speed: f32) -> BodyId {
    let body = world.create_body(BodyDef::dynamic().position(x, y).velocity(speed, 0.0));
    world.create_shape(body, rect(0.3, 0.2), ShapeDef::default().friction(0.0));
    body
}

#[test]
fn level_cells_are_one_piece_for_each_block() {
    let mut world = world();
    let grid = floor(&mut world);
    // Seven blocks of 32 columns: top and bottom each, and the two ends.
    assert_eq!(grid.piece_count(), 7 * 2 + 2);
    assert_eq!(world.shape_count(), grid.piece_count());
}

#[test]
fn sliding_body_keeps_its_speed_over_all_cells_and_blocks() {
    let mut world = world();
    let _grid = floor(&mut world);
    let body = rough(&mut world, -45.0, 0.2, 20.0);
    for _ in 0..240 {
        step(&mut world);
        assert!(speed(&world, body) > 19.999 && speed(&world, body) < 20.001);
        assert_abs_diff_eq!(y(&world, body), 0.2, epsilon = SLOP);
    }
    assert!(x(&world, body) > 30.0);
}

#[test]
fn single_cells_do_not_catch_either() {
    // The worst case: an alternating pattern below, so that every run is a cell or two long.
    let mut world = world();
    let mut grid = TileGrid::new([120, 2], 0.5).at((-10.0, -1.0));
    for column in 0..120 {
        grid.set([column, 1], Tile::Solid);
        let below = if column % 2 == 0 {
            Tile::Solid
        } else {
            Tile::Empty
        };
        grid.set([column, 0], below);
    }
    grid.update(&mut world);
    let body = rough(&mut world, -8.0, 0.2, 15.0);
    run(&mut world, 150);
    close(speed(&world, body), 15.0, 1.0e-3);
}

#[test]
fn solid_ground_and_one_way_ground_join_without_a_catch() {
    let mut world = world();
    let mut grid = map_of(
        &[
            "####====####====####====####====",
            "####    ####    ####    ####    ",
        ],
        1.0,
    );
    grid.update(&mut world);
    let body = rough(&mut world, 1.0, 2.2, 10.0);
    run(&mut world, 150);
    close(speed(&world, body), 10.0, 1.0e-3);
    close(y(&world, body), 2.2, SLOP);
}

#[test]
fn wheel_rolls_up_a_slope_and_down_again() {
    let mut world = world();
    let rows = [
        "            ",
        "      /\\    ",
        "     /##\\   ",
        "############",
    ];
    map_of(&rows, 1.0).update(&mut world);
    let body = world.create_body(BodyDef::dynamic().position(2.0, 1.3).velocity(14.0, 0.0));
    world.create_shape(body, disc(0.3), ShapeDef::default());
    let mut highest = 0.0_f32;
    for _ in 0..120 {
        step(&mut world);
        highest = highest.max(y(&world, body));
    }
    assert!(highest > 3.2, "{highest}");
    assert!(x(&world, body) > 9.0);
}

#[test]
fn box_rests_on_a_slope_and_below_a_slanted_ceiling_nothing_gets_stuck() {
    let mut world = world();
    let rows = ["######", "#F  7#", "#    #", "#    #", "#\\  /#", "######"];
    map_of(&rows, 1.0).update(&mut world);
    let ball = world.create_body(BodyDef::dynamic().position(3.0, 3.5).velocity(12.0, 9.0));
    world.create_shape(
        ball,
        disc(0.25),
        ShapeDef::default().restitution(0.5).rolling_resistance(0.2),
    );
    for _ in 0..600 {
        step(&mut world);
        let at = world.body(ball).position();
        assert!(
            (1.0..5.0).contains(&at.x) && (1.0..5.0).contains(&at.y),
            "{at}"
        );
    }
    assert!(speed(&world, ball) < 0.01);
}

#[test]
fn one_way_cells_are_passed_from_below_and_stood_on() {
    let mut world = world();
    map_of(&["        ", "  ====  ", "        ", "########"], 1.0).update(&mut world);
    let body = solid(
        &mut world,
        BodyDef::dynamic().position(4.0, 1.3).velocity(0.0, 9.0),
        rect(0.3, 0.3),
    );
    let mut highest = 0.0_f32;
    for _ in 0..240 {
        step(&mut world);
        highest = highest.max(y(&world, body));
    }
    assert!(highest > 4.0);
    close(y(&world, body), 3.3, SLOP);
}

#[test]
fn fast_bodies_do_not_tunnel_through_a_cell() {
    let mut world = World::new(WorldDef::weightless());
    let mut grid = TileGrid::new([3, 9], 0.1);
    for row in 0..9 {
        grid.set([1, row], Tile::Solid);
    }
    grid.update(&mut world);
    for speed in [50.0, 500.0, 3000.0] {
        let shot = world.create_body(BodyDef::dynamic().position(-1.0, 0.45).velocity(speed, 0.0));
        world.create_shape(shot, disc(0.02), ShapeDef::default());
        run(&mut world, 30);
        assert!(x(&world, shot) < 0.1, "{speed}");
        world.destroy_body(shot);
    }
}

#[test]
fn edits_keep_the_rest_and_wake_what_stood_there() {
    let mut world = world();
    let mut grid = floor(&mut world);
    let near = crate_at(&mut world, 0.25, 0.5, 0.5);
    let far = crate_at(&mut world, 30.0, 0.5, 0.5);
    run(&mut world, 300);
    let before = world.shape_count();
    // A hole as wide as the crate.
    for column in 99..=101 {
        for row in 0..4 {
            grid.set([column, row], Tile::Empty);
        }
    }
    assert!(grid.update(&mut world) > 0);
    assert_eq!(grid.update(&mut world), 0);
    world.assert_consistent();
    assert!(is_awake(&world, near) && !is_awake(&world, far));
    run(&mut world, 120);
    assert!(y(&world, near) < -3.0);
    close(y(&world, far), 0.5, SLOP);
    // Filled again, the surface is the same as before.
    for column in 99..=101 {
        for row in 0..4 {
            grid.set([column, row], Tile::Solid);
        }
    }
    grid.update(&mut world);
    assert_eq!(world.shape_count(), before);
    grid.remove_from(&mut world);
    assert_eq!((world.shape_count(), grid.piece_count()), (2, 0));
    grid.update(&mut world);
    assert_eq!(world.shape_count(), before);
}

/// The same random map as tiles, as boxes and as outlines: rays hit at the same places.
#[test]
fn rays_hit_where_they_hit_boxes_and_outlines() {
    let mut random = Random(7);
    let [columns, rows] = [70, 40];
    let mut grid = TileGrid::new([columns, rows], 0.5);
    let mut worlds = [world(), world(), world()];
    let ground = worlds
        .each_mut()
        .map(|world| world.create_body(BodyDef::static_()));
    for column in 0..columns {
        for row in 0..rows {
            if random.range(0.0, 1.0) < 0.4 {
                grid.set([column, row], Tile::Solid);
                let middle = point(0.5 * column as f32 + 0.25, 0.5 * row as f32 + 0.25);
                let shape = Polygon::offset_rectangle(0.25, 0.25, middle, 0.0);
                worlds[1].create_shape(ground[1], shape, ShapeDef::default());
            }
        }
    }
    grid.update(&mut worlds[0]);
    let is_solid = |column, row| grid.get([column, row]) == Tile::Solid;
    for outline in Chain::outlines_of_grid([columns, rows], 0.5, is_solid) {
        worlds[2].create_chain(ground[2], &outline, ShapeDef::default());
    }
    let mut hits = 0;
    for _ in 0..2000 {
        let from = (random.range(0.0, 35.0), random.range(0.0, 20.0));
        if grid
            .cell_at(from)
            .is_some_and(|[column, row]| is_solid(column, row))
        {
            continue;
        }
        let along = random.vector(10.0);
        let found = worlds.each_ref().map(|world| {
            world
                .ray_cast(from, along, QueryFilter::default())
                .map(|hit| hit.fraction)
        });
        for other in &found[1..] {
            match (found[0], *other) {
                (None, None) => {}
                (Some(a), Some(b)) => {
                    hits += 1;
                    assert!((a - b).abs() < 1.0e-4, "{from:?} {along}: {found:?}");
                }
                _ => panic!("{from:?} {along}: {found:?}"),
            }
        }
    }
    assert!(hits > 1000);
}

/// Things thrown into a random cave neither enter the cells nor leave the map.
#[test]
fn nothing_enters_the_cells_of_a_random_cave() {
    let mut random = Random(11);
    let mut world = world();
    let [columns, rows] = [40, 40];
    let mut grid = TileGrid::new([columns, rows], 1.0);
    let kinds = [
        Tile::Solid,
        Tile::SlopeLowerRight,
        Tile::SlopeLowerLeft,
        Tile::SlopeUpperLeft,
        Tile::SlopeUpperRight,
    ];
    for column in 0..columns {
        for row in 0..rows {
            let is_border = column == 0 || row == 0 || column == columns - 1 || row == rows - 1;
            if is_border {
                grid.set([column, row], Tile::Solid);
            } else if random.range(0.0, 1.0) < 0.2 {
                grid.set([column, row], kinds[random.range(0.0, 4.99) as usize]);
            }
        }
    }
    grid.update(&mut world);
    let mut bodies = Vec::new();
    while bodies.len() < 60 {
        let at = (random.range(1.0, 39.0), random.range(1.0, 39.0));
        let [column, row] = grid.cell_at(at).unwrap();
        if grid.get([column, row]) == Tile::Empty {
            let at = (column as f32 + 0.5, row as f32 + 0.5);
            let velocity = random.vector(20.0);
            let def = BodyDef::dynamic()
                .position(at.0, at.1)
                .velocity(velocity.x, velocity.y);
            bodies.push(solid(&mut world, def, disc(0.2)));
        }
    }
    for _ in 0..300 {
        step(&mut world);
        for &body in &bodies {
            let at = world.body(body).position();
            let cell = grid.cell_at((at.x, at.y)).expect("inside of the map");
            assert!(grid.get(cell) != Tile::Solid, "{at}");
        }
    }
}

#[test]
fn grid_goes_on_after_loading_with_its_world() {
    let mut world = world();
    let mut grid = floor(&mut world);
    crate_at(&mut world, 0.25, 0.5, 0.5);
    run(&mut world, 30);
    let mut save = Vec::new();
    grid.save_into(&mut save);
    let mut loaded = World::load(&world.save()).unwrap();
    let mut grid_loaded = TileGrid::load(&save).unwrap();
    for (world, grid) in [(&mut world, &mut grid), (&mut loaded, &mut grid_loaded)] {
        grid.set([100, 3], Tile::Empty);
        grid.set([100, 2], Tile::SlopeLowerLeft);
        grid.update(world);
        run(world, 60);
    }
    assert_eq!(world.state_hash(), loaded.state_hash());
    save.push(0);
    assert!(TileGrid::load(&save).is_err());
    for end in 0..save.len() - 1 {
        assert!(TileGrid::load(&save[..end]).is_err());
    }
}

#[test]
fn large_grid_costs_a_byte_a_cell_and_little_surface() {
    let mut world = world();
    let mut grid = TileGrid::new([1000, 1000], 0.5);
    for column in 0..1000 {
        let height = 500 + (sin_cos(0.05 * column as f32).0 * 20.0) as usize;
        for row in 0..height {
            grid.set([column, row], Tile::Solid);
        }
    }
    grid.update(&mut world);
    assert_eq!(size_of::<Tile>(), 1);
    // The surface, the border, and the steps of the hills.
    assert!(grid.piece_count() < 3000, "{}", grid.piece_count());
    let before = grid.piece_count();
    // An edit deep inside renews near pieces only.
    grid.set([500, 100], Tile::Empty);
    assert_eq!(grid.update(&mut world), 4);
    assert_eq!(grid.piece_count(), before + 4);
    let hit = world.ray_cast((250.25, 50.25), vec2(0.0, -10.0), QueryFilter::default());
    close(hit.unwrap().point.y as f32, 50.0, 1.0e-4);
}

#[test]
#[should_panic(expected = "cannot create the tile grid: cell is -1")]
fn negative_cells_are_refused() {
    let _ = TileGrid::new([10, 10], -1.0);
}

#[test]
#[should_panic(expected = "cannot set the tile: column is 10, which is not in 0 to 9")]
fn cells_outside_are_refused() {
    TileGrid::new([10, 10], 1.0).set([10, 3], Tile::Solid);
}

/// Columns and rows of the random maps.
const MAP_SIZE: [usize; 2] = [9, 7];

/// A random map of solid cells as a grid, and as a box for each cell.
fn map_and_boxes(solid: &[bool]) -> [World; 2] {
    let [mut on_grid, mut of_boxes] = [world(), world()];
    let mut grid = TileGrid::new(MAP_SIZE, 1.0);
    for (i, _) in solid.iter().enumerate().filter(|(_, is_solid)| **is_solid) {
        let cell = [i % MAP_SIZE[0], i / MAP_SIZE[0]];
        grid.set(cell, Tile::Solid);
        let middle = cell.map(|index| index as f32 + 0.5);
        let body = of_boxes.create_body(BodyDef::static_().position(middle[0], middle[1]));
        of_boxes.create_shape(body, rect(0.5, 0.5), ShapeDef::default());
    }
    grid.update(&mut on_grid);
    [on_grid, of_boxes]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn casts_hit_a_grid_where_they_hit_boxes(
        solid in prop::collection::vec(prop::bool::weighted(0.35), MAP_SIZE[0] * MAP_SIZE[1]),
        starts in prop::collection::vec((0.0_f32..9.0, 0.0_f32..7.0), 20),
        steps in prop::collection::vec((-9.0_f32..9.0, -7.0_f32..7.0), 20),
        size in 0.05_f32..0.6,
    ) {
        let [on_grid, of_boxes] = map_and_boxes(&solid);
        let filter = QueryFilter::default();
        let shapes: [Shape; 2] = [disc(size).into(), rect(size, 0.7 * size).into()];
        for (&(x, y), &(dx, dy)) in starts.iter().zip(&steps) {
            let (start, step) = (WorldPoint::from((x, y)), vec2(dx, dy));
            if of_boxes.shapes_at(start, filter).is_empty() {
                let hits = [&on_grid, &of_boxes].map(|world| world.ray_cast(start, step, filter));
                prop_assert_eq!(hits[0].is_some(), hits[1].is_some(), "ray from {} {}", x, y);
                if let [Some(a), Some(b)] = hits {
                    prop_assert!((a.fraction - b.fraction).abs() < 1.0e-5);
                }
            }
            for shape in &shapes {
                let free = of_boxes.closest_shape(start, 2.0 * size, filter).is_none();
                if !free {
                    continue;
                }
                let hits = [&on_grid, &of_boxes].map(|world| world.shape_cast(shape, start, 0.0, step, filter));
                prop_assert_eq!(hits[0].is_some(), hits[1].is_some(), "{:?} from {} {}", shape, x, y);
                if let [Some(a), Some(b)] = hits {
                    prop_assert!((a.fraction - b.fraction).abs() < 1.0e-5, "{} {}", a.fraction, b.fraction);
                }
            }
        }
    }
}

#[test]
fn grids_that_no_world_or_memory_can_hold_are_refused() {
    let too_many = [[1 << 20, 1 << 20], [1 << 16, 1 << 16], [(1 << 20) + 1, 1]];
    for size in too_many {
        assert!(TileGrid::try_new(size, 1.0).is_err(), "{size:?}");
    }
    assert!(TileGrid::try_new([1 << 20, 64], 1.0).is_ok());
    let grid = TileGrid::new([10, 10], 1.0);
    for far in [f64::NAN, f64::INFINITY, 1.0e9, -1.1e9] {
        let error = grid.clone().try_at((far, 0.0)).unwrap_err().to_string();
        assert!(error.contains("corner of the grid"), "{error}");
    }
    let slippery = ShapeDef::default().friction(f32::NAN);
    assert!(grid.clone().try_surface(slippery).is_err());
    let mut save = Vec::new();
    grid.at((9.9e8, -9.9e8)).save_into(&mut save);
    assert!(TileGrid::load(&save).is_ok());
}

#[test]
#[should_panic(expected = "cannot place the tile grid: lower left corner of the grid is NaN")]
fn grid_at_no_place_is_refused() {
    let _ = TileGrid::new([10, 10], 1.0).at((f64::NAN, 0.0));
}

#[test]
fn cell_that_is_built_into_a_sleeper_wakes_it() {
    let mut world = world();
    let mut grid = TileGrid::new([10, 4], 1.0).at((-5.0, -1.0));
    for column in 0..10 {
        grid.set([column, 0], Tile::Solid);
    }
    grid.update(&mut world);
    let [sleeper, far] = [0.2, 4.2].map(|x| crate_at(&mut world, x, 0.5, 0.5));
    run(&mut world, 60);
    assert!(!is_awake(&world, sleeper) && !is_awake(&world, far));
    grid.set([4, 1], Tile::Solid);
    grid.update(&mut world);
    step(&mut world);
    assert!(is_awake(&world, sleeper));
    run(&mut world, 240);
    assert!(x(&world, sleeper) > 0.5 - SLOP, "{}", x(&world, sleeper));
    assert!(y(&world, far) > 0.49);
}
