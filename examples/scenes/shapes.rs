//! Kinds of shapes.

use crate::kit::{
    Labels, bin, chain, circle, drop_in, floor, hull, line, lying_capsule, place, rectangle,
    rectangle_at, thing, tinted, usual_world,
};
use crate::random::Random;
use crate::scene::{Category, Scene, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::{PI, sin_cos};
use cairn2d::prelude::{
    BodyDef, BodyId, ChainKind, Ellipse, Filter, HalfSpace, Point, Polygon, ShapeDef, Vec2, World,
    point, vec2,
};

const CATEGORY: Category = Category::Shapes;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "shape_kinds",
        "Every kind of shape",
        Frame::new(-9.0, -1.0, 9.0, 4.5),
        shape_kinds,
    )
    .about("Circle, capsule, ellipse, sharp and rounded polygons, and a compound on a floor.")
    .steps(180),
    Scene::new(
        CATEGORY,
        "compound",
        "Compounds",
        Frame::new(-8.0, -1.0, 8.0, 7.0),
        compound,
    )
    .about("Bodies of several shapes: crosses, rings with a gap, and tables.")
    .steps(360),
    Scene::new(
        CATEGORY,
        "rounded",
        "Rounded boxes",
        Frame::new(-9.0, -1.0, 9.0, 7.5),
        rounded,
    )
    .about("Boxes of one size, rounded more and more from left to right.")
    .steps(300),
    Scene::new(
        CATEGORY,
        "ellipses",
        "Ellipses",
        Frame::new(-9.0, -2.0, 9.0, 7.5),
        ellipses,
    )
    .about("True ellipses, from round to long, roll and rock in a bowl.")
    .steps(480)
    .overlap(4.0),
    Scene::new(
        CATEGORY,
        "many_corners",
        "Many corners",
        Frame::new(-9.0, -1.0, 9.0, 4.5),
        many_corners,
    )
    .about("Regular polygons of 3 to 64 corners roll down a gentle slope.")
    .steps(150),
    Scene::new(
        CATEGORY,
        "terrain",
        "Chain terrain",
        Frame::new(-15.0, -4.0, 15.0, 9.0),
        terrain,
    )
    .about("Bodies roll over hills made of a chain without catching on internal edges.")
    .steps(480)
    .overlap(4.0),
    Scene::new(
        CATEGORY,
        "bowl",
        "A loop of chain",
        Frame::new(-9.0, -5.2, 9.0, 5.2),
        bowl,
    )
    .about("Balls roll around in a room: a closed chain that is solid inward.")
    .steps(300)
    .overlap(4.0),
    Scene::new(
        CATEGORY,
        "half_spaces",
        "Half-spaces",
        Frame::new(-9.0, -1.5, 9.0, 8.0),
        half_spaces,
    )
    .about("Two half-spaces make an endless valley that is solid below; a third one, which is kinematic, pushes the heap. Three balls hit the slope at 300 m/s and stay on it.")
    .steps(240)
    .overlap(4.0),
    Scene::new(
        CATEGORY,
        "filters",
        "Filters",
        Frame::new(-9.0, -1.0, 9.0, 8.0),
        filters,
    )
    .about("Blue bodies collide with the blue shelf only, orange ones with the orange shelf; green ones pass both.")
    .steps(240),
];

fn shape_kinds() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 9.0);
    let mut labels = Labels::default();
    let at = |i: u64| tinted(thing(-7.5 + 2.5 * i as f32, 1.5).angle(0.4), i % 6);
    for (i, name) in [
        "circle", "capsule", "ellipse", "polygon", "rounded", "triangle", "compound",
    ]
    .iter()
    .enumerate()
    {
        labels.add(-7.5 + 2.5 * i as f32, 2.4, *name);
    }
    drop_in(&mut world, at(0), circle(0.7));
    drop_in(&mut world, at(1), lying_capsule(0.6, 0.4));
    drop_in(
        &mut world,
        at(2),
        Ellipse::new(Point::origin(), 0.9, 0.5, 0.0),
    );
    drop_in(&mut world, at(3), Polygon::regular(5, 0.8));
    drop_in(
        &mut world,
        at(4),
        Polygon::rounded_rectangle(0.5, 0.35, 0.25),
    );
    drop_in(
        &mut world,
        at(5),
        hull(&[(-0.8, -0.4), (0.8, -0.4), (0.0, 0.9)]),
    );
    let body = world.create_body(at(6));
    for shape in [rectangle(0.8, 0.2), rectangle(0.2, 0.8)] {
        world.create_shape(body, shape, ShapeDef::default());
    }
    Stage::new(world).with(labels)
}

fn compound() -> Stage {
    let mut world = usual_world();
    // As high as the heap: a table that came to lie on the wall tipped over its outer edge.
    bin(&mut world, 6.0, 6.0);
    let mut random = Random::new(7);
    for i in 0..24_u64 {
        let x = -4.5 + 3.0 * (i % 4) as f32 + random.range(-0.2, 0.2);
        let y = 1.5 + 2.2 * (i / 4) as f32;
        let body = world.create_body(tinted(thing(x, y).angle(random.range(-PI, PI)), i % 3));
        match i % 3 {
            0 => cross(&mut world, body),
            1 => claw(&mut world, body),
            _ => table(&mut world, body),
        }
    }
    Stage::new(world)
}

fn cross(world: &mut World, body: BodyId) {
    world.create_shape(body, rectangle(0.7, 0.15), ShapeDef::default());
    world.create_shape(body, rectangle(0.15, 0.7), ShapeDef::default());
}

/// Adds most of a ring, made of boxes.
fn claw(world: &mut World, body: BodyId) {
    for i in 0..9 {
        let angle = 2.0 * PI * i as f32 / 12.0;
        let (sin, cos) = sin_cos(angle);
        let piece = rectangle_at(0.12, 0.24, 0.7 * cos, 0.7 * sin, angle);
        world.create_shape(body, piece, ShapeDef::default());
    }
}

fn table(world: &mut World, body: BodyId) {
    world.create_shape(
        body,
        rectangle_at(0.8, 0.1, 0.0, 0.4, 0.0),
        ShapeDef::default(),
    );
    for x in [-0.65, 0.65] {
        world.create_shape(
            body,
            rectangle_at(0.1, 0.4, x, -0.1, 0.0),
            ShapeDef::default(),
        );
    }
}

fn rounded() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 7.5, 3.0);
    for column in 0..6 {
        let radius = 0.1 * column as f32;
        for row in 0..4 {
            let x = -5.5 + 2.2 * column as f32;
            let y = 1.0 + 1.6 * row as f32;
            let half = 0.6 - radius;
            let shape = Polygon::rounded_rectangle(half.max(0.1), half.max(0.1), radius);
            let def = tinted(thing(x, y).angle(0.1 * row as f32), column);
            drop_in(&mut world, def, shape);
        }
    }
    Stage::new(world)
}

/// Returns points of an arc about (0, `y`), from the angle `start` [rad] over `angle`.
fn arc_points(radius: f32, y: f32, start: f32, angle: f32, count: u32) -> Vec<Point> {
    let at = |i: u32| {
        let (sin, cos) = sin_cos(start + angle * i as f32 / count as f32);
        point(radius * cos, y + radius * sin)
    };
    (0..=count).map(at).collect()
}

fn ellipses() -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    // Solid to the right of the way: inside a bowl that is walked from right to left.
    let walls = arc_points(8.0, 7.0, 0.0, -PI, 48);
    chain(
        &mut world,
        ground,
        &walls,
        ChainKind::Open,
        ShapeDef::default(),
    );
    for row in 0..5 {
        for column in 0..8 {
            let x = -5.25 + 1.5 * column as f32;
            let y = 3.2 + 1.2 * row as f32;
            let long = 0.4 + 0.06 * column as f32;
            let shape = Ellipse::new(Point::origin(), long, 0.16 / long, 0.0);
            let def = tinted(thing(x, y).angle(0.3 * row as f32), column % 6);
            drop_in(&mut world, def, shape);
        }
    }
    Stage::new(world)
}

fn many_corners() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 9.0);
    let slope = hull(&[(-9.0, 0.0), (2.0, 0.0), (-9.0, 1.6)]);
    world.create_shape(ground, slope, ShapeDef::default());
    for (i, corners) in [3, 4, 5, 6, 8, 12, 24, 64].into_iter().enumerate() {
        let x = -8.2 + 1.3 * i as f32;
        let shape = Polygon::regular(corners, 0.5);
        drop_in(
            &mut world,
            tinted(thing(x, 2.8 - 0.12 * i as f32), i as u64 % 6),
            shape,
        );
    }
    world.create_shape(
        ground,
        rectangle_at(0.2, 0.6, 8.8, 0.6, 0.0),
        ShapeDef::default(),
    );
    Stage::new(world)
}

fn terrain() -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    let hill = |x: f32| 0.02 * x * x + 0.7 * sin_cos(1.1 * x).0;
    let points: Vec<Point> = (0..=100)
        .map(|i| 14.5 - 0.29 * i as f32)
        .map(|x| point(x, hill(x) - 2.0))
        .collect();
    chain(
        &mut world,
        ground,
        &points,
        ChainKind::Open,
        ShapeDef::default(),
    );
    let mut random = Random::new(8);
    for i in 0..50_u64 {
        let (x, y) = (-9.0 + 2.0 * (i % 10) as f32, 3.0 + 1.1 * (i / 10) as f32);
        let def = tinted(thing(x + random.range(-0.2, 0.2), y), i % 4);
        match i % 4 {
            0 => drop_in(&mut world, def, circle(0.4)),
            1 => drop_in(&mut world, def, rectangle(0.4, 0.3)),
            2 => drop_in(&mut world, def, lying_capsule(0.3, 0.25)),
            _ => drop_in(
                &mut world,
                def,
                hull(&[(-0.4, -0.3), (0.4, -0.3), (0.0, 0.5)]),
            ),
        };
    }
    Stage::new(world)
}

fn bowl() -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    // Clockwise, so that the inside of the loop is free.
    let mut points = arc_points(4.5, 0.0, PI / 2.0, -PI, 24);
    for p in &mut points {
        p.x += 3.5;
    }
    let left = arc_points(4.5, 0.0, -PI / 2.0, -PI, 24);
    points.extend(left.iter().map(|p| point(p.x - 3.5, p.y)));
    chain(
        &mut world,
        ground,
        &points,
        ChainKind::Loop,
        ShapeDef::default(),
    );
    for i in 0..40_u64 {
        let (x, y) = (-3.6 + 0.8 * (i % 10) as f32, -2.4 + 0.9 * (i / 10) as f32);
        let def = tinted(thing(x, y).velocity(6.0, 0.0), i % 6);
        place(
            &mut world,
            def,
            circle(0.35),
            ShapeDef::default().friction(0.2),
        );
    }
    Stage::new(world)
}

/// Outward direction of the gentle slope.
const GENTLE: Vec2 = vec2(0.2, 1.0);

fn half_spaces() -> Stage {
    let mut world = usual_world();
    let ground = world.create_body(BodyDef::static_());
    for outward in [vec2(-0.45, 1.0), GENTLE] {
        let slope = HalfSpace::new(Point::origin(), outward);
        world.create_shape(ground, slope, ShapeDef::default());
    }
    let piston = world.create_body(BodyDef::kinematic().position(8.0, 0.0).velocity(-0.7, 0.0));
    let face = HalfSpace::new(Point::origin(), -Vec2::x());
    world.create_shape(piston, face, ShapeDef::default());
    let mut random = Random::new(12);
    for i in 0..35_u64 {
        let (x, y) = (4.0 - 1.2 * (i % 7) as f32, 3.2 + 1.0 * (i / 7) as f32);
        let def = thing(x, y).angle(random.range(-PI, PI));
        let def = tinted(def, i % 6);
        match i % 5 {
            0 => drop_in(&mut world, def, circle(0.4)),
            1 => drop_in(&mut world, def, rectangle(0.4, 0.3)),
            2 => drop_in(&mut world, def, lying_capsule(0.3, 0.25)),
            3 => drop_in(
                &mut world,
                def,
                Ellipse::new(Point::origin(), 0.5, 0.3, 0.0),
            ),
            _ => drop_in(&mut world, def, Polygon::regular(5, 0.45)),
        };
    }
    let fast = -300.0 * GENTLE.normalize();
    for i in 0..3 {
        let ball = thing(-5.2 - 1.0 * i as f32, 5.5).velocity(fast.x, fast.y);
        drop_in(&mut world, tinted(ball, 3), circle(0.3));
    }
    Stage::new(world)
}

/// Bit of blue things.
const BLUE: u64 = 2;

/// Bit of orange things.
const ORANGE: u64 = 4;

fn filters() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 9.0);
    let with = |category: u64, mask: u64| ShapeDef {
        filter: Filter {
            category,
            mask,
            group: 0,
        },
        ..ShapeDef::default()
    };
    line(&mut world, ground, (-7.0, 2.0), (7.0, 2.0), with(1, ORANGE));
    line(&mut world, ground, (-7.0, 4.0), (7.0, 4.0), with(1, BLUE));
    let mut labels = Labels::default();
    labels.add(7.9, 1.9, "orange");
    labels.add(7.8, 3.9, "blue");
    for i in 0..12_u64 {
        let (tint, category) = [(0, BLUE), (1, ORANGE), (2, 1)][(i % 3) as usize];
        // Green things have the floor's category, which no shelf meets.
        let def = tinted(
            thing(-6.0 + 1.1 * i as f32, 6.0 + 0.2 * (i % 2) as f32),
            tint,
        );
        place(
            &mut world,
            def,
            rectangle(0.4, 0.4),
            with(category, u64::MAX),
        );
    }
    Stage::new(world).with(labels)
}
