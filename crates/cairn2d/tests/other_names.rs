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

#[test]
fn readings_and_filters_by_names_of_other_engines_are_ours() {
    let mut world = World::default();
    let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
    let floor = world.create_shape(ground, Polygon::rectangle(9.0, 1.0), ShapeDef::default());
    let crate_ = world.create_body(BodyDef::dynamic().position(0.0, 0.5).angle(0.1));
    let side = world.create_shape(crate_, Polygon::rectangle(0.5, 0.5), ShapeDef::default());
    let arm = world.create_body(BodyDef::dynamic().position(4.0, 3.0));
    world.create_shape(arm, Polygon::rectangle(1.0, 0.1), ShapeDef::default());
    let pin = RevoluteJointDef::new(ground, arm).at(&world, (3.0, 3.0));
    let pin = world.create_joint(pin.motor(Motor::new(0.0, 100.0)));
    for _ in 0..60 {
        world.step(DT);
    }

    let (body, below) = (world.body(crate_), world.body(ground));
    assert_eq!(
        body.get_world_point((0.5, 0.0)),
        body.to_world(point(0.5, 0.0))
    );
    assert_eq!(body.get_local_point((0.5, 0.0)), body.to_local((0.5, 0.0)));
    let (there, back) = (
        body.get_world_vector((1.0, 2.0)),
        body.rotation() * vec2(1.0, 2.0),
    );
    assert_eq!(there, back);
    assert!((body.get_local_vector(there) - vec2(1.0, 2.0)).norm() < 1.0e-6);
    assert!(body.is_touching(ground) && below.is_touching(crate_) && !body.is_touching(arm));
    assert_eq!(body.get_colliding_bodies(), [ground]);
    assert_eq!(below.get_colliding_bodies(), [crate_]);
    let pair = world
        .contact_pair(floor, side)
        .map(|contact| contact.bodies());
    assert_eq!(
        pair,
        world.body(crate_).contacts().next().map(|c| c.bodies())
    );
    assert!(world.contact_pair(floor, floor).is_none());

    let joint = world.joint(pin);
    assert_eq!(joint.get_motor_torque(60.0), joint.efforts().unwrap()[1]);
    assert_eq!(joint.get_reaction_force(60.0), joint.reaction().force);
    assert_eq!(joint.get_reaction_torque(60.0), joint.reaction().torque);

    let cast = |filter| world.ray_cast((0.0, 9.0), (0.0, -20.0), filter).unwrap();
    assert_eq!(cast(QueryFilter::default().exclude_sensors()).body, crate_);
    assert_eq!(cast(QueryFilter::exclude_dynamic()).body, ground);
    assert_eq!(cast(QueryFilter::exclude_fixed()).body, crate_);

    world.shape_mut(side).set_collision_layer(2);
    world.shape_mut(side).set_collision_mask(4);
    assert_eq!(world.shape(side).filter(), Filter::new(2, 4));
    let hero = world.create_body(BodyDef::kinematic().position(20.0, 20.0));
    world.create_shape(hero, Circle::of_radius(0.5), ShapeDef::default());
    let mut same = world.clone();
    let controller = CharacterController::default();
    let moved = controller.move_and_slide(&mut world, hero, (0.1, 0.0), DT);
    assert_eq!(moved, controller.move_body(&mut same, hero, (0.1, 0.0), DT));
}
