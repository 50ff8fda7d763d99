//! Points and vectors of glam and mint go in and come out, with the features of their names.

use cairn2d::prelude::*;

#[test]
fn glam_points_place_bodies_and_come_back() {
    let mut world = World::new(WorldDef::default());
    let at = glam033::Vec2::new(3.0, -2.0);
    let body = world.create_body(BodyDef::dynamic());
    world.body_mut(body).set_pose(at, 0.0);
    let velocity: Vec2 = glam033::Vec2::new(0.5, 4.0).into();
    world.body_mut(body).set_velocity(velocity);

    let read = world.body(body);
    assert_eq!(glam033::Vec2::from(read.position()), at);
    assert_eq!(
        glam033::Vec2::from(read.velocity()),
        glam033::Vec2::new(0.5, 4.0)
    );
    assert_eq!(glam033::DVec2::from(read.position_exact()), at.as_dvec2());
    assert_eq!(glam030::DVec2::from(read.position_exact()).x, 3.0);
}

#[test]
fn world_points_of_double_precision_keep_every_bit() {
    let far = glam030::DVec2::new(1.0e9 + 0.125, -1.0 / 3.0);
    let point = WorldPoint::from(far);
    assert_eq!(glam030::DVec2::from(point), far);

    let far = mint::Point2 {
        x: 1.0e9 + 0.125,
        y: -1.0 / 3.0,
    };
    let point = WorldPoint::from(far);
    assert_eq!(mint::Point2::<f64>::from(point), far);
}

#[test]
fn mint_types_convert_both_ways() {
    let there: Point = mint::Point2 { x: 1.0, y: 2.0 }.into();
    let back: mint::Point2<f32> = there.into();
    assert_eq!(back, mint::Point2 { x: 1.0, y: 2.0 });
    let there: Vec2 = mint::Vector2 { x: 3.0, y: 4.0 }.into();
    let back: mint::Vector2<f32> = there.into();
    assert_eq!(back, mint::Vector2 { x: 3.0, y: 4.0 });
    let single = mint::Point2 { x: 1.0_f32, y: 2.0 };
    assert_eq!(WorldPoint::from(single), WorldPoint::new(1.0, 2.0));
}

#[test]
fn characters_and_agents_take_vectors_of_every_kind() {
    use cairn2d::crowd::{AgentDef, Crowd};

    let controller = CharacterController::default();
    let up = |act: &dyn Fn(&mut World, BodyId) -> CharacterMove| {
        let mut world = World::new(WorldDef::weightless());
        let hero = world.create_body(BodyDef::kinematic());
        world.create_shape(hero, Circle::of_radius(0.3), ShapeDef::default());
        act(&mut world, hero).translation
    };
    let glam = glam033::Vec2::new(0.0, 0.1);
    let moved = [
        up(&|world, hero| controller.move_body(world, hero, vec2(0.0, 0.1), 0.1)),
        up(&|world, hero| controller.move_body(world, hero, (0.0, 0.1), 0.1)),
        up(&|world, hero| controller.move_body(world, hero, glam, 0.1)),
    ];
    assert_eq!(moved, [vec2(0.0, 0.1); 3]);

    let disk = Shape::from(Circle::of_radius(0.3));
    let mover = Mover::new(&disk, (0.0, 0.0));
    let walk = controller.walk(&World::default(), &mover, [0.0, 0.1], 0.1);
    assert_eq!(walk.translation, vec2(0.0, 0.1));

    let mut crowd = Crowd::default();
    let agent = crowd.create_agent(AgentDef::at((0.0, 0.0)));
    crowd.agent_mut(agent).set_preferred_velocity((1.0, 0.5));
    crowd.agent_mut(agent).set_motion((2.0, 0.0), [0.5, 0.25]);
    assert_eq!(crowd.agent(agent).preferred_velocity(), vec2(1.0, 0.5));
    assert_eq!(crowd.agent(agent).velocity(), vec2(0.5, 0.25));
}
