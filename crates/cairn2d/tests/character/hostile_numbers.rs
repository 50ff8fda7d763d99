//! Every number of a controller and of its calls, at every hostile value: it is refused, or the world steps on without a
//! panic and without a NaN.

use crate::support::*;
use cairn2d::prelude::*;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

/// Numbers that programs pass by mistake, and those at the edges of `f32`.
#[rustfmt::skip]
const VALUES: [f32; 24] = [
    0.0, -0.0, 1.0e-45, 1.0e-40, f32::MIN_POSITIVE, 1.0e-20, 1.0e-6, 1.0, 90.0, 1.0e6, 1.0e9, 1.0e12, 1.0e16, 1.0e20,
    1.0e30, 1.0e38, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -1.0e-45, -1.0, -1.0e12, f32::MIN,
];

/// A number of a call, and the call that passes it; `true`: it was accepted.
type Field = (&'static str, fn(&mut World, f32) -> bool);

#[rustfmt::skip]
const FIELDS: [Field; 9] = [
    ("desired", |w, v| walk_body(w, v, DT)),
    ("dt", |w, v| walk_body(w, 0.1, v)),
    ("up", |w, v| walk(w, |c| c.up = vec2(v, v))),
    ("skin", |w, v| walk(w, |c| c.skin = v)),
    ("max_climb_angle", |w, v| walk(w, |c| c.max_climb_angle = v)),
    ("min_slide_angle", |w, v| walk(w, |c| c.min_slide_angle = v)),
    ("max_step_height", |w, v| walk(w, |c| c.max_step_height = v)),
    ("min_step_width", |w, v| walk(w, |c| (c.min_step_width, c.max_step_height) = (v, 0.3))),
    ("snap_distance", |w, v| walk(w, |c| c.snap_distance = v)),
];

/// A heavy box on a light one, and a ball that falls beside them.
fn boxes_and_a_ball() -> World {
    let mut world = world();
    ground(&mut world);
    crate_at(&mut world, 0.0, 0.5, 0.5);
    let heavy = ShapeDef::default().density(500.0);
    add(
        &mut world,
        BodyDef::dynamic().position(0.2, 1.5),
        rect(0.5, 0.5),
        heavy,
    );
    let ball = BodyDef::dynamic().position(1.3, 0.6).velocity(-1.0, -2.0);
    solid(&mut world, ball, disc(0.4));
    world
}

/// Moves a shape with settings that `set` changes.
fn walk(world: &mut World, set: impl FnOnce(&mut CharacterController<'static>)) -> bool {
    let mut controller = CharacterController::default();
    set(&mut controller);
    let shape = Shape::from(disc(0.5));
    let mover = Mover::new(&shape, (2.5, 0.52));
    let Ok(walk) = controller.try_walk(world, &mover, vec2(-1.5, -0.3), DT) else {
        return false;
    };
    let way = walk.translation;
    assert!(way.x.is_finite() && way.y.is_finite(), "walk to NaN");
    true
}

/// Moves a character that is a body by `x` in a step of `dt`.
fn walk_body(world: &mut World, x: f32, dt: f32) -> bool {
    let hero = solid(world, BodyDef::kinematic().position(3.0, 1.0), disc(0.5));
    let controller = CharacterController::default();
    controller
        .try_move_body(world, hero, vec2(x, -0.1), dt)
        .is_ok()
}

/// Steps as a game does, or in steps of the greatest length.
fn run_on(world: &mut World, dt: f32) {
    let count = if dt > DT { 20 } else { 60 };
    for step in 0..count {
        world.step(dt);
        for body in world.bodies() {
            let (position, velocity) = (body.position(), body.velocity());
            let numbers = [
                position.x,
                position.y,
                velocity.x,
                velocity.y,
                body.angular_velocity(),
            ];
            assert!(
                numbers.iter().all(|number| number.is_finite()),
                "step {step}: {numbers:?}"
            );
        }
    }
    world.assert_consistent();
}

#[test]
fn every_number_is_refused_or_harmless() {
    for (name, set) in FIELDS {
        for (value, dt) in VALUES
            .iter()
            .flat_map(|&value| [(value, DT), (value, 0.25)])
        {
            let tried = catch_unwind(AssertUnwindSafe(|| {
                let mut world = boxes_and_a_ball();
                if set(&mut world, value) {
                    run_on(&mut world, dt);
                }
            }));
            assert!(tried.is_ok(), "{name} = {value:e}, dt {dt}");
        }
    }
}

thread_local! {
    /// File of the last panic of this thread.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

#[test]
fn refused_call_shows_the_line_of_the_caller() {
    let usual = take_hook();
    set_hook(Box::new(move |info| {
        let file = info.location().map_or("", |location| location.file());
        PLACE.with(|place| *place.borrow_mut() = file.to_owned());
        usual(info);
    }));
    let nan = vec2(f32::NAN, 0.0);
    let controller = CharacterController::default();
    type Act<'a> = &'a dyn Fn(&mut World, BodyId);
    let acts: [(&str, Act<'_>); 2] = [
        ("walk", &|world, _| {
            let shape = Shape::from(disc(0.5));
            let _ = controller.walk(world, &Mover::new(&shape, (0.0, 0.0)), nan, DT);
        }),
        ("move_body", &|world, body| {
            controller.move_body(world, body, nan, DT);
        }),
    ];
    for (name, act) in acts {
        let mut world = world();
        let body = hero(&mut world, 0.0, 0.0);
        let panic = catch_unwind(AssertUnwindSafe(|| act(&mut world, body)));
        assert!(panic.is_err(), "{name}: accepted");
        let file = PLACE.with(|place| place.borrow().clone());
        assert!(file.ends_with("hostile_numbers.rs"), "{name}: {file}");
    }
}
