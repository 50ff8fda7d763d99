//! Calls of a renderer.

use approx::assert_abs_diff_eq;
use cairn2d::crowd::{AgentDef, Crowd, ObstacleDef};
use cairn2d::draw::{Color, DebugDraw, Draw, DrawOptions, Layer, Layers, Palette, Style};
use cairn2d::math::PI;
use cairn2d::prelude::*;

const DT: f32 = 1.0 / 60.0;

/// Keeps the calls.
#[derive(Default)]
struct Recorder {
    polygons: Vec<(Vec<WorldPoint>, Style)>,
    segments: Vec<(WorldPoint, WorldPoint, Style)>,
    arrows: Vec<(Vec2, Style)>,
    points: Vec<(WorldPoint, Color)>,
    words: Vec<String>,
}

impl DebugDraw for Recorder {
    fn polygon(&mut self, corners: &[WorldPoint], style: &Style) {
        self.polygons.push((corners.to_vec(), *style));
    }

    fn segment(&mut self, a: WorldPoint, b: WorldPoint, style: &Style) {
        self.segments.push((a, b, *style));
    }

    fn point(&mut self, at: WorldPoint, _size: f32, color: Color) {
        self.points.push((at, color));
    }

    fn text(&mut self, _at: WorldPoint, text: &str, _color: Color) {
        self.words.push(text.to_owned());
    }

    fn arrow(&mut self, from: WorldPoint, to: WorldPoint, style: &Style) {
        self.arrows.push((to - from, *style));
    }
}

fn drawn(what: &impl Draw, options: &DrawOptions) -> Recorder {
    let mut recorder = Recorder::default();
    what.draw(&mut recorder, options);
    recorder
}

fn only(layer: Layer) -> DrawOptions {
    DrawOptions {
        layers: Layers::NONE.with(layer),
        ..DrawOptions::default()
    }
}

/// A box of 1 kg at rest on a ground, `x` meters from the origin.
fn resting_box(x: f64, steps: u32) -> (World, BodyId) {
    let mut world = World::default();
    let ground = world.create_body(BodyDef {
        position: WorldPoint::new(x, -1.0),
        ..BodyDef::static_()
    });
    let floor = Polygon::rectangle(10.0, 1.0);
    world.create_shape(ground, floor, ShapeDef::default());
    let body = world.create_body(BodyDef {
        position: WorldPoint::new(x, 0.5),
        ..BodyDef::dynamic()
    });
    let shape = Polygon::rectangle(0.5, 0.5);
    world.create_shape(body, shape, ShapeDef::default());
    for _ in 0..steps {
        world.step(DT);
    }
    (world, body)
}

#[test]
fn shapes_are_drawn_where_their_bodies_are() {
    let far = 3.0e6;
    let (world, body) = resting_box(far, 10);
    let recorder = drawn(&world, &only(Layer::Shapes));
    assert_eq!(recorder.polygons.len(), 2, "ground first, then the box");
    let corner = recorder.polygons[1].0[2];
    let expected = world.body(body).to_world_exact(point(0.5, 0.5));
    assert_eq!(corner, expected);
    assert!((corner.x - far - 0.5).abs() < 1.0e-3, "{corner:?}");
}

#[test]
fn sleepers_are_paler_only_if_asked_for() {
    let (world, body) = resting_box(0.0, 200);
    assert!(!world.body(body).is_awake());
    let palette = Palette::dark();
    let fill_of = |options: &DrawOptions| drawn(&world, options).polygons[1].1.fill.unwrap();
    let plain = fill_of(&only(Layer::Shapes));
    let pale = fill_of(&DrawOptions {
        layers: Layers::NONE.with(Layer::Shapes).with(Layer::Sleep),
        ..DrawOptions::default()
    });
    assert_eq!(plain, palette.dynamic.faded(palette.fill_share));
    assert_eq!(
        pale,
        palette.asleep(palette.dynamic).faded(palette.fill_share)
    );
}

#[test]
fn bodies_have_the_users_color_where_there_is_one() {
    let (world, _) = resting_box(0.0, 1);
    let red = Color::rgb(255, 0, 0);
    let options = DrawOptions {
        body_color: |body| (body.kind() == BodyKind::Dynamic).then_some(Color::rgb(255, 0, 0)),
        ..only(Layer::Shapes)
    };
    let fills: Vec<Color> = drawn(&world, &options)
        .polygons
        .iter()
        .map(|(_, style)| style.fill.unwrap())
        .collect();
    let palette = options.palette;
    let share = palette.fill_share;
    assert_eq!(fills, [palette.fixed.faded(share), red.faded(share)]);
}

#[test]
fn impulses_add_up_to_the_weight() {
    let (world, _) = resting_box(0.0, 20);
    let options = only(Layer::Impulses);
    let recorder = drawn(&world, &options);
    let pushes = recorder
        .arrows
        .iter()
        .filter(|(_, style)| style.line == options.palette.impulse);
    let sum: f32 = pushes.map(|(way, _)| way.y).sum();
    let weight = 10.0 * DT * options.impulse_scale;
    assert!((sum.abs() - weight).abs() < 0.01 * weight, "{sum}");
}

#[test]
fn each_layer_draws_its_own() {
    let (world, body) = resting_box(0.0, 5);
    let count = |layer: Layer| {
        let recorder = drawn(&world, &only(layer));
        [
            recorder.polygons.len(),
            recorder.arrows.len(),
            recorder.points.len(),
            recorder.words.len(),
        ]
    };
    assert_eq!(count(Layer::Contacts), [0, 0, 2, 0]);
    assert_eq!(count(Layer::Normals), [0, 2, 0, 0]);
    assert_eq!(count(Layer::Graph), [0, 0, 2, 0]);
    assert_eq!(count(Layer::FatBoxes), [2, 0, 0, 0]);
    assert_eq!(count(Layer::Islands), [1, 0, 0, 0]);
    assert_eq!(count(Layer::Velocities), [0, 1, 0, 0]);
    assert_eq!(count(Layer::Centers), [0, 0, 1, 0]);
    assert!(count(Layer::Tree)[0] >= 2);
    assert_eq!(
        drawn(&world, &only(Layer::Ids)).words,
        [format!("{body:?}")]
    );
}

#[test]
fn bodies_with_a_warning_are_marked() {
    let (mut world, _) = resting_box(0.0, 1);
    assert!(drawn(&world, &only(Layer::Warnings)).segments.is_empty());
    let empty = world.create_body(BodyDef::dynamic().position(3.0, 4.0));
    let options = DrawOptions::default();
    assert!(options.layers.contains(Layer::Warnings));
    let crosses = drawn(&world, &options).segments;
    assert_eq!(crosses.len(), 2);
    for (a, b, style) in crosses {
        assert_eq!(style.line, options.palette.warning);
        let middle = a + 0.5 * (b - a);
        assert!((middle - world.body(empty).center_exact()).norm() < 1.0e-6);
    }
    let def = ShapeDef::default().density(0.0);
    world.create_shape(empty, Circle::new(point(0.0, 0.0), 0.5), def);
    let pink = options.palette.warning.faded(options.palette.fill_share);
    let fills = |world: &World, options: &DrawOptions| -> Vec<Option<Color>> {
        let polygons = drawn(world, options).polygons;
        polygons.iter().map(|(_, style)| style.fill).collect()
    };
    assert!(fills(&world, &options).contains(&Some(pink)));
    assert!(!fills(&world, &only(Layer::Shapes)).contains(&Some(pink)));

    // The other warnings of bodies have the same color.
    world.destroy_body(empty);
    assert!(!fills(&world, &options).contains(&Some(pink)));
    let body = world.create_body(BodyDef::dynamic().angle(45.0));
    world.create_shape(body, Circle::of_radius(0.5), ShapeDef::default());
    assert!(fills(&world, &options).contains(&Some(pink)));
}

#[test]
fn what_is_out_of_view_is_skipped() {
    let (world, _) = resting_box(0.0, 1);
    let options = DrawOptions {
        view: Some(Aabb::new(point(-0.2, 0.4), point(0.2, 0.6))),
        ..only(Layer::Shapes)
    };
    assert_eq!(drawn(&world, &options).polygons.len(), 1);
}

#[test]
fn joints_are_a_line_between_their_anchors() {
    let mut world = World::default();
    let wall = world.create_body(BodyDef::static_());
    let bob = world.create_body(BodyDef::dynamic().position(0.0, -2.0));
    let mut rod = DistanceJointDef::new(wall, bob);
    rod.base.frame_b.anchor = point(0.0, 0.5);
    world.create_joint(rod);
    let lines = drawn(&world, &only(Layer::Joints)).segments;
    let (a, b, _) = lines.last().unwrap();
    assert_eq!(a.to_point(), point(0.0, 0.0));
    assert_eq!(b.to_point(), point(0.0, -1.5));
}

#[test]
fn parts_of_joints_lie_where_they_act() {
    let palette = Palette::dark();
    let parts = |with: &dyn Fn(BodyId, BodyId) -> JointDef| {
        let mut world = World::default();
        let wall = world.create_body(BodyDef::static_().position(1.0, 2.0));
        let body = world.create_body(BodyDef::dynamic().position(1.0, 2.0));
        world.create_joint(with(wall, body));
        drawn(&world, &only(Layer::JointParts))
    };
    let lines = |recorder: &Recorder, color: Color| {
        let own = |(_, _, style): &&(WorldPoint, WorldPoint, Style)| style.line == color;
        recorder.segments.iter().filter(own).count()
    };
    let is_at = |p: WorldPoint, x: f64, y: f64| (p - WorldPoint::new(x, y)).norm() < 1.0e-5;

    let free = parts(&|a, b| RevoluteJointDef::new(a, b).into());
    assert!(free.segments.is_empty() && free.arrows.is_empty());

    let hinge = parts(&|a, b| {
        let mut def = RevoluteJointDef::new(a, b);
        def.limit = Some(Limit::new(0.0, PI / 2.0));
        def.motor = Some(Motor::new(2.0, 10.0));
        def.spring = Some(Spring::new(1.0, 0.5));
        def.into()
    });
    // The sector is as wide as the limit: its spokes go to the right and up, of 15 pixels at 40 a meter.
    let spokes = hinge
        .segments
        .iter()
        .filter(|(a, _, _)| is_at(*a, 1.0, 2.0));
    let ends: Vec<WorldPoint> = spokes.map(|(_, b, _)| *b).collect();
    assert!(ends.iter().any(|&p| is_at(p, 1.375, 2.0)), "{ends:?}");
    assert!(ends.iter().any(|&p| is_at(p, 1.0, 2.375)), "{ends:?}");
    assert_eq!(hinge.arrows.len(), 1, "the motor");
    assert!(lines(&hinge, palette.impulse) > 4, "the spring");

    let slider = parts(&|a, b| {
        let mut def = PrismaticJointDef::new(a, b);
        def.base.frame_a.angle = PI / 2.0;
        def.limit = Some(Limit::new(-1.0, 3.0));
        def.into()
    });
    let axis = slider
        .segments
        .iter()
        .find(|(_, _, style)| style.line != palette.contact);
    let (low, high, _) = axis.unwrap();
    assert!(
        is_at(*low, 1.0, 1.0) && is_at(*high, 1.0, 5.0),
        "{low:?} {high:?}"
    );
    assert_eq!(lines(&slider, palette.contact), 2, "a mark at each limit");

    let rope = parts(&|a, b| {
        let mut def = DistanceJointDef::new(a, b);
        def.limit = Some(Limit::new(0.0, f32::INFINITY));
        def.into()
    });
    assert_eq!(lines(&rope, palette.contact), 1, "no mark at infinity");
    let weld = parts(&|a, b| WeldJointDef::new(a, b).into());
    assert_eq!(weld.polygons.len(), 1);
}

#[test]
fn default_circles_are_round_and_closed_by_the_renderer() {
    let mut recorder = Recorder::default();
    let center = WorldPoint::new(4.0, 5.0);
    recorder.circle(center, 2.0, &Style::line(Color::rgb(0, 0, 0), 1.0));
    let (corners, _) = &recorder.polygons[0];
    assert!(corners.len() >= 12);
    for corner in corners {
        assert_abs_diff_eq!((*corner - center).norm(), 2.0, epsilon = 1.0e-5);
    }
    assert_ne!(corners.first(), corners.last());
}

#[test]
fn agents_obstacles_and_half_planes_are_drawn() {
    let mut crowd = Crowd::default();
    for side in [-1.0_f32, 1.0] {
        crowd.create_agent(AgentDef {
            preferred_velocity: vec2(-1.5 * side, 0.0),
            ..AgentDef::at([2.0 * side, 0.0])
        });
    }
    crowd.create_obstacle(ObstacleDef::line([point(-3.0, 2.0), point(3.0, 2.0)]));
    crowd.step(DT);
    let agents = drawn(&crowd, &only(Layer::Agents));
    assert_eq!(agents.polygons.len(), 2);
    assert!(
        agents.segments.len() >= 4,
        "a wall there and back, and noses"
    );
    let planes = drawn(&crowd, &only(Layer::HalfPlanes));
    assert!(!planes.polygons.is_empty());
}

#[test]
fn agent_without_radius_is_drawn_as_a_polygon() {
    for radius in [0.0, -0.0] {
        let mut crowd = Crowd::default();
        crowd.create_agent(AgentDef {
            radius,
            ..AgentDef::at((1.0, 2.0))
        });
        let recorder = drawn(&crowd, &only(Layer::Agents));
        let (corners, _) = &recorder.polygons[0];
        assert!(corners.len() >= 3, "{} corners", corners.len());
    }
}

#[test]
fn half_spaces_fill_the_view_below_their_surface() {
    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_().position(3.0, 1.0));
    world.create_shape(ground, HalfSpace::ground(), ShapeDef::default());
    let view = Aabb::new(point(500.0, -20.0), point(560.0, 20.0));
    let options = DrawOptions {
        view: Some(view),
        ..only(Layer::Shapes)
    };
    let recorder = drawn(&world, &options);
    let corners = recorder.polygons[0].0.clone();
    let [right, left] = [corners[0], corners[1]];
    assert!(left.x < 500.0 && right.x > 560.0, "{left:?} {right:?}");
    assert_abs_diff_eq!(left.y, 1.0, epsilon = 1.0e-4);
    assert!(corners[2].y < -20.0);
    assert_eq!(drawn(&world, &only(Layer::Shapes)).polygons.len(), 1);
}

#[test]
fn one_way_shapes_have_an_arrow_and_thin_long_ones_are_lines() {
    let mut world = World::default();
    let deck = world.create_body(BodyDef::static_().position(3.0, 1.0).angle(0.5 * PI));
    let to_the_side = ShapeDef::default().one_way(vec2(1.0, 0.0));
    world.create_shape(deck, Polygon::rectangle(0.5, 0.5), to_the_side);
    let card = world.create_body(BodyDef::dynamic());
    world.create_shape(card, Polygon::rectangle(0.5, 1.0e-4), ShapeDef::default());
    let options = only(Layer::Shapes);
    let recorder = drawn(&world, &options);
    let [(arrow, _)] = recorder.arrows[..] else {
        panic!("one arrow, not {}", recorder.arrows.len());
    };
    assert_abs_diff_eq!(arrow.x, 0.0, epsilon = 1.0e-6);
    assert!(arrow.y > 0.0, "the direction turns with its body");
    assert_eq!(recorder.polygons[1].1.width, options.line_width);
}
