//! The save format: the page that describes it names every field, and saves that were made once still load.

use crate::state::saves::everything;
use crate::support::*;
use cairn2d_broadphase::BroadPhaseKind;
use cairn2d_dynamics::*;
use cairn2d_geometry::math::{point, vec2};
use cairn2d_geometry::{Circle, HalfSpace, MassData, Number, Persist, Place, Polygon, Sink};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

/// Variable that has the tables written anew instead of compared.
const BLESS: &str = "CAIRN_BLESS";

/// Collects the fields of a save, each with its type: lists without their indices.
#[derive(Default)]
struct Layout {
    path: Vec<Place>,
    seen: BTreeSet<String>,
    fields: Vec<String>,
}

impl Sink for Layout {
    fn number(&mut self, number: Number) {
        let mut line = String::new();
        for place in &self.path {
            match place {
                Place::Field(name) if line.is_empty() => line.push_str(name),
                Place::Field(name) => write!(line, ".{name}").unwrap(),
                Place::Item(_) => line.push_str("[]"),
            }
        }
        let debug = format!("{number:?}");
        let kind = debug.split('(').next().unwrap().to_lowercase();
        write!(line, ": {kind}").unwrap();
        if self.seen.insert(line.clone()) {
            self.fields.push(line);
        }
    }

    fn enter(&mut self, place: Place) {
        self.path.push(place);
    }

    fn leave(&mut self) {
        self.path.pop();
    }
}

/// Worlds in which every record of the format occurs.
fn worlds() -> Vec<World> {
    let mut worlds = Vec::new();
    for &kind in BroadPhaseKind::ALL {
        let mut world = everything(kind);
        let crate_ = crate_at(&mut world, 4.0, 9.0, 0.3);
        let hook = world.create_body(BodyDef::static_().position(4.0, 9.5));
        let mut weak = WeldJointDef::new(hook, crate_);
        weak.base.break_force = 0.5;
        weak.base.softness = Some(JointSoftness {
            hertz: 20.0,
            damping_ratio: 1.0,
        });
        world.create_joint(weak);
        let mut motor = MotorJointDef::new(hook, crate_);
        motor.linear_spring = Some(JointSoftness {
            hertz: 2.0,
            damping_ratio: 1.0,
        });
        motor.angular_spring = motor.linear_spring;
        world.create_joint(motor);
        world.create_joint(WheelJointDef {
            limit: Some(Limit::new(-1.0, 1.0)),
            motor: Some(Motor::new(1.0, 1.0)),
            ..WheelJointDef::new(hook, crate_)
        });
        crate_at(&mut world, -10.0, 0.3, 0.3);
        let heavy = world.create_body(BodyDef::dynamic().position(-10.0, 0.9));
        world.create_shape(heavy, rect(0.3, 0.3), ShapeDef::default().density(100.0));
        let leaver =
            world.create_body(BodyDef::dynamic().position(49.0, 20.0).velocity(100.0, 0.0));
        world.create_shape(leaver, Circle::of_radius(0.2), ShapeDef::default());
        let runaway = crate_at(&mut world, -30.0, 20.0, 0.3);
        world.body_mut(runaway).set_velocity(vec2(f32::MAX, 0.0));
        let owned = crate_at(&mut world, -20.0, 20.0, 0.3);
        world.body_mut(owned).set_mass(Some(MassData {
            mass: 2.0,
            ..MassData::ZERO
        }));
        let shape = shape_of(&world, owned);
        world.shape_mut(shape).set_material(Material {
            one_way: Some(vec2(0.0, 1.0)),
            ..Material::default()
        });
        let overlap = crate_at(&mut world, -20.0, 20.1, 0.3);
        let ceiling = HalfSpace::new(point(0.0, 90.0), vec2(0.0, -1.0));
        let above = world.create_body(BodyDef::static_());
        world.create_shape(above, ceiling, ShapeDef::default());
        for step in 0..120 {
            if step % 10 == 0 {
                worlds.push(world.clone());
            }
            if step == 100 {
                world.destroy_body(overlap);
                worlds.push(world.clone());
            }
            world.step(DT);
            if step < 12 {
                worlds.push(world.clone());
            }
        }
    }
    worlds
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn page_of_the_format_names_every_field_in_order() {
    let mut layout = Layout::default();
    for world in worlds() {
        world.write(&mut layout);
    }
    // In the order of the format: each field behind the one that precedes it in some save.
    let listed = layout.fields.into_iter().collect::<BTreeSet<_>>();
    let listed: String = listed.into_iter().map(|field| field + "\n").collect();
    let path = root().join("../../docs/format.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (head, rest) = page.split_once("```text\n").expect("a list of fields");
    let (old, tail) = rest.split_once("```").expect("the end of the list");
    if std::env::var_os(BLESS).is_some() {
        std::fs::write(path, format!("{head}```text\n{listed}```{tail}")).unwrap();
        return;
    }
    let missing: Vec<_> = listed
        .lines()
        .filter(|line| !old.lines().any(|l| l == *line))
        .collect();
    let gone: Vec<_> = old
        .lines()
        .filter(|line| !listed.lines().any(|l| l == *line))
        .collect();
    assert!(
        missing.is_empty() && gone.is_empty(),
        "docs/format.md lacks {missing:#?} and lists {gone:#?}"
    );
}

/// Steps after which the worlds of the golden saves are compared.
const STEPS: usize = 100;

/// Small worlds, the saves of which are kept for good.
fn golden_worlds() -> Vec<(&'static str, World)> {
    let pile = |kind| {
        let mut world = World::new(WorldDef {
            broad_phase: kind,
            ..WorldDef::default()
        });
        ground(&mut world);
        for i in 0..6 {
            crate_at(&mut world, 0.1 * i as f32, 0.6 + 1.05 * i as f32, 0.5);
        }
        let shape = Polygon::regular(5, 0.4);
        let body = world.create_body(BodyDef::dynamic().position(3.0, 3.0).velocity(-4.0, 0.0));
        world.create_shape(body, shape, ShapeDef::default());
        run(&mut world, 30);
        world
    };
    let mut everything = everything(BroadPhaseKind::Tree);
    everything.step(DT);
    vec![
        ("pile-tree", pile(BroadPhaseKind::Tree)),
        ("pile-sweep", pile(BroadPhaseKind::SweepAndPrune)),
        ("pile-grid", pile(BroadPhaseKind::Grid)),
        ("everything", everything),
    ]
}

#[test]
fn saves_of_every_format_load_and_go_on_as_they_did() {
    for format in 1..=SAVE_FORMAT {
        check_saves(format);
    }
}

fn check_saves(format: u32) {
    let folder = root().join(format!("tests/behaviours/state/saves_of_format_{format}"));
    let bless = std::env::var_os(BLESS).is_some();
    let mut table = String::from("# save, steps, state hash\n");
    for (name, world) in golden_worlds() {
        let path = folder.join(name).with_extension("save");
        if bless && !path.exists() && format == SAVE_FORMAT {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, world.save()).unwrap();
        }
        let save = std::fs::read(&path).unwrap();
        assert_eq!(SaveInfo::of(&save).unwrap().format, format);
        let mut loaded = World::load(&save).unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = loaded.save();
        if format == SAVE_FORMAT {
            assert!(again == save, "{name}: saved again");
        } else {
            let reloaded = World::load(&again).unwrap();
            assert_eq!(reloaded.state_hash(), loaded.state_hash(), "{name}");
            assert!(reloaded.save() == again, "{name}: saved again");
        }
        run(&mut loaded, STEPS);
        writeln!(table, "{name} {STEPS} {:016x}", loaded.state_hash()).unwrap();
    }
    let path = folder.join("hashes.txt");
    if bless {
        std::fs::write(path, table).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(
        table, expected,
        "saves go on to other states. If the solver was changed on purpose, run\n  \
         {BLESS}=1 cargo test -p cairn2d-dynamics --test behaviours state::save_format\n\
         which writes the table of hashes anew, and never a save."
    );
}
