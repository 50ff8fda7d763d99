use cairn2d_dynamics::*;
use cairn2d_geometry::*;
fn main() {
    let mut world = World::new(WorldDef {
        sleeping: false,
        threads: 1,
        ..WorldDef::default()
    });
    let rail = world.create_body(BodyDef::static_());
    let add = |world: &mut World, s: Polygon, y: f32| {
        let b = world.create_body(BodyDef::dynamic().position(0.0, y));
        world.create_shape(b, s, ShapeDef::default());
        b
    };
    let cart = add(&mut world, Polygon::rectangle(0.4, 0.2), 0.0);
    world.create_joint(PrismaticJointDef::new(rail, cart));
    let pole = add(&mut world, Polygon::rectangle(0.05, 0.5), 0.5);
    let mut hinge = RevoluteJointDef::new(cart, pole);
    hinge.base.frame_b = JointFrame::at(0.0, -0.5);
    world.create_joint(hinge);
    world.body_mut(pole).set_angular_velocity(0.1);
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    for _ in 0..n {
        world.step(1.0 / 60.0);
    }
    println!("{:x}", world.state_hash());
}
