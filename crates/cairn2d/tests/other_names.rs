//! Names of other engines: a program that uses them runs as ours does, and the compiler names ours.
#![expect(deprecated, reason = "these names are deprecated from the start")]

use cairn2d::prelude::*;

const DT: f32 = 1.0 / 60.0;

#[test]
fn program_with_names_of_other_engines_is_the_same_program() {
    let mut guessed = World::default();
    let ground = guessed.insert_body(BodyDef::fixed().translation((0.0, -1.0)).build());
    guessed.create_polygon_shape(ground, ShapeDef::new(), Polygon::cuboid(9.0, 1.0));
    let ball = guessed.add_body(BodyDef::dynamic().linvel((1.0, 0.5)).lock_rotations());
    let bouncy = ShapeDef::default().bounciness(0.5).collision_layer(2);
    guessed.add_shape(ball, Circle::ball(0.5), bouncy);
    guessed.body_mut(ball).set_translation((0.5, 2.0), true);
    guessed.body_mut(ball).apply_central_impulse((0.1, 0.2));

    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    world.create_shape(ground, Polygon::rectangle(9.0, 1.0), ShapeDef::default());
    let def = BodyDef::dynamic().velocity(1.0, 0.5).locks(Locks::ROTATION);
    let same = world.create_body(def);
    let bouncy = ShapeDef::default()
        .restitution(0.5)
        .filter(Filter::new(2, u64::MAX));
    world.create_shape(same, Circle::of_radius(0.5), bouncy);
    world.body_mut(same).set_pose((0.5, 2.0), 0.0);
    world.body_mut(same).apply_impulse((0.1, 0.2));

    for _ in 0..60 {
        guessed.simulate(DT);
        world.step(DT);
    }
    assert_eq!(guessed.first_difference(&world), None);
    let (guess, body) = (guessed.body(ball), world.body(same));
    assert_eq!(guess.translation(), body.position());
    assert_eq!(guess.linvel(), body.velocity());
    assert_eq!(guess.is_sleeping(), !body.is_awake());
    let ray = guessed.cast_ray((0.0, 5.0), (0.0, -9.0), QueryFilter::new());
    assert_eq!(
        ray,
        world.ray_cast((0.0, 5.0), (0.0, -9.0), QueryFilter::default())
    );
}
