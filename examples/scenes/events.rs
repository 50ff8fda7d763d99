//! Events of a world: sensors, touches, hits, sleep; and forces of the user.

use crate::kit::{
    bin, circle, drop_in, floor, hull, line, place, rectangle, rectangle_at, thing, tinted,
    usual_world,
};
use crate::mark::{Mark, Tone};
use crate::random::Random;
use crate::scene::{Category, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::geometry::math::PI;
use cairn2d::prelude::{
    BodyDef, ExplosionDef, ShapeDef, ShapeId, SleepChange, Vec2, Wind, World, WorldPoint, vec2,
};

const CATEGORY: Category = Category::Events;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "sensor_gates",
        "Sensors",
        Frame::new(-8.0, -1.0, 8.0, 8.5),
        sensor_gates,
    )
    .about("Bodies that fall through a gate take its color: sensors detect and do not collide.")
    .steps(200),
    Scene::new(
        CATEGORY,
        "hits",
        "Hits",
        Frame::new(-8.0, -1.0, 8.0, 8.0),
        hits,
    )
    .about("Fast impacts leave marks.")
    .steps(110),
    Scene::new(
        CATEGORY,
        "loads",
        "Loads",
        Frame::new(-8.0, -1.5, 8.0, 7.5),
        loads,
    )
    .about("Panes report loads above 40 N, and break under a total of more than 150 N.")
    .steps(300),
    Scene::new(
        CATEGORY,
        "sleepers",
        "Falling asleep",
        Frame::new(-9.0, -1.0, 9.0, 7.0),
        sleepers,
    )
    .about("Piles at rest sleep (pale) while one beside them still moves.")
    .steps(300),
    Scene::new(
        CATEGORY,
        "blast",
        "A blast",
        Frame::new(-11.0, -1.0, 11.0, 10.5),
        blast,
    )
    .about("An explosion that fades with distance blasts a wall of boxes.")
    .steps(100)
    .shown_at(75)
    .overlap(8.0)
    .with_exits(),
    Scene::new(
        CATEGORY,
        "wind",
        "Wind",
        Frame::new(-9.0, -1.0, 9.0, 8.0),
        wind,
    )
    .about("Gusts push the surfaces that face them, and lift inclined ones: flags of pinned strips, and balls.")
    .steps(260)
    .with_exits(),
];

/// Gates that color the bodies that they detect.
#[derive(Clone, Debug)]
struct Gates {
    gates: Vec<(ShapeId, u64)>,
}

impl Script for Gates {
    fn before_step(&mut self, world: &mut World, _step: u64) {
        let noticed: Vec<_> = world.sensor_begins().to_vec();
        for event in noticed {
            let gate = self.gates.iter().find(|(gate, _)| *gate == event.sensor);
            if let Some(&(_, tint)) = gate {
                world.body_mut(event.visitor_body).set_user_data(tint);
            }
        }
    }
}

fn sensor_gates() -> Stage {
    let mut world = usual_world();
    let ground = bin(&mut world, 7.0, 2.0);
    let gate = ShapeDef {
        sensor: true,
        ..ShapeDef::default()
    };
    let gates = [(-4.5, 1), (0.0, 2), (4.5, 3)]
        .into_iter()
        .map(|(x, tint)| {
            let shape = rectangle_at(1.5, 0.4, x, 3.5, 0.0);
            (world.create_shape(ground, shape, gate), tint)
        })
        .collect();
    for i in 0..27_u64 {
        let (x, y) = (-6.0 + 1.5 * (i % 9) as f32, 6.0 + 1.0 * (i / 9) as f32);
        match i % 2 {
            0 => drop_in(&mut world, thing(x, y), circle(0.35)),
            _ => drop_in(&mut world, thing(x, y).angle(0.3), rectangle(0.3, 0.3)),
        };
    }
    Stage::new(world).with(Gates { gates })
}

/// Steps for which a hit is shown.
const HIT_STEPS: u64 = 40;

/// Length of a hit's mark per speed [s].
const HIT_TIME: f32 = 0.08;

/// Remembers recent hits.
#[derive(Clone, Debug, Default)]
struct Hits {
    recent: Vec<(u64, WorldPoint, Vec2)>,
}

impl Script for Hits {
    fn before_step(&mut self, world: &mut World, step: u64) {
        self.recent.retain(|(then, _, _)| step < then + HIT_STEPS);
        for hit in world.contact_hits() {
            let mark = hit.normal * (hit.approach_speed * HIT_TIME);
            self.recent.push((step, hit.point, mark));
        }
    }

    fn marks(&self, _world: &World) -> Vec<Mark> {
        let mark = |&(_, point, mark): &(u64, WorldPoint, Vec2)| {
            let line = Mark::Line {
                from: point - mark,
                to: point + mark,
                tone: Tone::Hit,
            };
            let dot = Mark::Dot {
                at: point,
                tone: Tone::Hit,
            };
            [line, dot]
        };
        self.recent.iter().flat_map(mark).collect()
    }
}

fn hits() -> Stage {
    let mut world = usual_world();
    bin(&mut world, 7.0, 3.0);
    let mut random = Random::new(12);
    for i in 0..20_u64 {
        let (x, y) = (-5.5 + 1.2 * (i % 10) as f32, 2.0 + 2.5 * (i / 10) as f32);
        let def = tinted(thing(x, y).angle(random.range(-PI, PI)), i % 6);
        let bouncy = ShapeDef::default().restitution(0.4);
        match i % 3 {
            0 => place(&mut world, def, circle(0.4), bouncy),
            1 => place(&mut world, def, rectangle(0.45, 0.3), bouncy),
            _ => place(
                &mut world,
                def,
                hull(&[(-0.4, -0.3), (0.4, -0.3), (0.0, 0.5)]),
                bouncy,
            ),
        };
    }
    Stage::new(world).with(Hits::default())
}

/// Load above which a pane reports an event [N].
const PANE_TELLS: f32 = 40.0;

/// Load that breaks a pane [N].
const PANE_BREAKS: f32 = 150.0;

/// Length of a load's mark per force [m/N].
const LOAD_LENGTH: f32 = 0.012;

/// Shows loads, and breaks panes that bear too much.
#[derive(Clone, Debug, Default)]
struct Loads {
    panes: Vec<ShapeId>,
    loads: Vec<(WorldPoint, f32)>,
    started: usize,
    broken: usize,
}

impl Script for Loads {
    fn before_step(&mut self, world: &mut World, _step: u64) {
        self.loads.clear();
        for load in world.contact_forces() {
            self.loads.push((load.point, load.force));
            self.started += usize::from(load.started);
        }
        let borne = |pane: ShapeId| {
            let loads = world.contact_forces().iter();
            let on_it = loads.filter(|load| [load.shape_a, load.shape_b].contains(&pane));
            on_it.map(|load| load.force).sum::<f32>()
        };
        let (broken, whole) = self
            .panes
            .iter()
            .partition(|&&pane| borne(pane) > PANE_BREAKS);
        self.panes = whole;
        let broken: Vec<ShapeId> = broken;
        self.broken += broken.len();
        for pane in broken {
            world.destroy_shape(pane);
        }
    }

    fn marks(&self, _world: &World) -> Vec<Mark> {
        let mark = |&(at, force): &(WorldPoint, f32)| Mark::Line {
            from: at,
            to: at - vec2(0.0, LOAD_LENGTH * force),
            tone: Tone::Hit,
        };
        let mut marks: Vec<_> = self.loads.iter().map(mark).collect();
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let (started, broken) = (self.started, self.broken);
        marks.push(Mark::Text {
            at: WorldPoint::from((0.0, 7.0)),
            text: format!(
                "{started} load{} began, {broken} pane{} broke",
                plural(started),
                plural(broken)
            ),
        });
        marks
    }
}

fn loads() -> Stage {
    let mut world = usual_world();
    let ground = bin(&mut world, 7.0, 2.0);
    let glass = ShapeDef::default().force_event_threshold(PANE_TELLS);
    let mut panes = Vec::new();
    for x in [-5.0, -1.7, 1.6, 4.9] {
        panes.push(world.create_shape(ground, rectangle_at(1.2, 0.08, x, 2.0, 0.0), glass));
        for side in [-1.3, 1.3] {
            let post = rectangle_at(0.1, 1.04, x + side, 1.04, 0.0);
            world.create_shape(ground, post, ShapeDef::default());
        }
    }
    // 29 N, 58 N, 115 N, and three of 64 N one after the other.
    for (x, size) in [(-5.0, 0.27), (-1.7, 0.38), (1.6, 0.535)] {
        // Sleepers press in silence.
        let lying = BodyDef {
            can_sleep: false,
            ..tinted(thing(x, 2.08 + size), 1)
        };
        place(
            &mut world,
            lying,
            rectangle(size, size),
            ShapeDef::default().density(10.0),
        );
    }
    for i in 0..3 {
        let falling = tinted(thing(4.3 + 0.6 * i as f32, 3.0 + 1.5 * i as f32), 2);
        place(
            &mut world,
            falling,
            rectangle(0.4, 0.4),
            ShapeDef::default().density(10.0),
        );
    }
    Stage::new(world).with(Loads {
        panes,
        ..Loads::default()
    })
}

/// Writes how many fell asleep.
#[derive(Clone, Debug, Default)]
struct Sleepers {
    asleep: i64,
}

impl Script for Sleepers {
    fn before_step(&mut self, world: &mut World, _step: u64) {
        for event in world.sleep_changes() {
            self.asleep += match event.change {
                SleepChange::FellAsleep => 1,
                SleepChange::Woke => -1,
            };
        }
    }

    fn marks(&self, _world: &World) -> Vec<Mark> {
        vec![Mark::Text {
            at: WorldPoint::from((0.0, 6.0)),
            text: format!("{} asleep by their events", self.asleep),
        }]
    }
}

fn sleepers() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 9.0);
    for pile in 0..4_u64 {
        let x = -7.0 + 4.6 * pile as f32;
        for row in 0..4 {
            drop_in(
                &mut world,
                tinted(thing(x, 0.5 + row as f32), pile),
                rectangle(0.5, 0.5),
            );
        }
    }
    let paddle = world.create_body(BodyDef {
        angular_velocity: 3.0,
        ..BodyDef::kinematic().position(4.6, 1.09)
    });
    world.create_shape(paddle, rectangle(0.6, 0.1), ShapeDef::default());
    for i in 0..3 {
        drop_in(
            &mut world,
            tinted(thing(4.2 + 0.4 * i as f32, 3.0 + i as f32), 5),
            circle(0.25),
        );
    }
    for x in [3.6, 5.6] {
        let wall = world.create_body(BodyDef::static_());
        world.create_shape(
            wall,
            rectangle_at(0.05, 1.5, x, 1.5, 0.0),
            ShapeDef::default(),
        );
    }
    Stage::new(world).with(Sleepers::default())
}

/// Step of the blast.
const BLAST_STEP: u64 = 60;

/// Distance up to which the blast is felt [m].
const BLAST_REACH: f32 = 8.0;

/// Impulse on a meter of width at the middle of the blast [N s/m].
const BLAST_IMPULSE: f32 = 14.0;

fn blast() -> Stage {
    let mut world = usual_world();
    floor(&mut world, 11.0);
    for row in 0..8_u64 {
        for column in 0..12 {
            let (x, y) = (-5.5 + 1.0 * column as f32, 0.4 + 0.8 * row as f32);
            drop_in(
                &mut world,
                tinted(thing(x, y), row % 2 + 1),
                rectangle(0.49, 0.4),
            );
        }
    }
    Stage::new(world).with(|world: &mut World, step: u64| {
        if step != BLAST_STEP {
            return;
        }
        let blast = ExplosionDef::new((0.0, 0.2), 0.0, BLAST_IMPULSE);
        world.explode(&blast.falloff(BLAST_REACH));
    })
}

/// Mass of the air per area [kg/m^2]: thin, as the cloth is light.
const AIR: f32 = 0.03;

fn wind() -> Stage {
    let mut world = usual_world();
    let ground = floor(&mut world, 9.0);
    for (i, x) in [-7.0, -2.5, 2.0].into_iter().enumerate() {
        line(&mut world, ground, (x, 0.0), (x, 6.0), ShapeDef::default());
        let mut last = ground;
        for piece in 0..10_u64 {
            let left = x + 0.3 * piece as f32;
            let def = tinted(thing(left + 0.15, 5.8), i as u64);
            let mut cloth = ShapeDef::default().density(0.4);
            cloth.filter.group = -1;
            let strip = place(
                &mut world,
                def,
                crate::kit::lying_capsule(0.13, 0.05),
                cloth,
            );
            let joint = crate::kit::pin(&world, last, strip, (left, 5.8));
            world.create_joint(joint);
            last = strip;
        }
    }
    for i in 0..12_u64 {
        let def = tinted(thing(-8.0 + 0.9 * i as f32, 0.3), 5);
        place(
            &mut world,
            def,
            circle(0.25),
            ShapeDef::default().density(0.3),
        );
    }
    Stage::new(world).with(|world: &mut World, step: u64| {
        let (gust, _) = cairn2d::geometry::math::sin_cos(0.06 * step as f32);
        let air = vec2(9.0 + 4.0 * gust, 0.8 * gust);
        let wind = Wind {
            density: AIR,
            ..Wind::new(air).coefficients(1.2, 1.0)
        };
        let bodies: Vec<_> = world.bodies().map(|body| body.id()).collect();
        for body in bodies {
            world.body_mut(body).apply_wind(&wind);
        }
    })
}
