//! A jointed figure falls down a flight of stairs.

use cairn2d::prelude::*;

const DT: f32 = 1.0 / 60.0;

/// A limb between two points, in meters over the feet of the standing figure.
struct Limb {
    from: (f32, f32),
    to: (f32, f32),
    radius: f32,
    /// The limb to which it is joined, at `from`, and the range of the joint [rad].
    parent: Option<(usize, f32, f32)>,
}

const fn limb(
    from: (f32, f32),
    to: (f32, f32),
    radius: f32,
    parent: Option<(usize, f32, f32)>,
) -> Limb {
    Limb {
        from,
        to,
        radius,
        parent,
    }
}

const LIMBS: [Limb; 8] = [
    limb((0.0, 0.9), (0.0, 1.4), 0.15, None),
    limb((0.0, 1.5), (0.0, 1.65), 0.12, Some((0, -0.6, 0.6))),
    limb((0.0, 1.4), (0.0, 1.1), 0.07, Some((0, -2.5, 2.5))),
    limb((0.0, 1.1), (0.0, 0.8), 0.06, Some((2, 0.0, 2.3))),
    limb((0.0, 0.9), (0.0, 0.5), 0.1, Some((0, -0.6, 1.8))),
    limb((0.0, 0.5), (0.0, 0.1), 0.08, Some((4, -2.3, 0.0))),
    limb((0.0, 0.9), (0.0, 0.5), 0.1, Some((0, -0.6, 1.8))),
    limb((0.0, 0.5), (0.0, 0.1), 0.08, Some((6, -2.3, 0.0))),
];

/// Creates a figure with its feet at (`x`, `y`) [m]. Its limbs do not collide with each other.
fn figure(world: &mut World, x: f32, y: f32, group: i32) -> Vec<BodyId> {
    let mut bodies: Vec<BodyId> = Vec::new();
    for limb in &LIMBS {
        let (a, b) = (
            point(0.0, 0.0),
            point(limb.to.0 - limb.from.0, limb.to.1 - limb.from.1),
        );
        let place = (x + limb.from.0, y + limb.from.1);
        let body = world.create_body(BodyDef::dynamic().position(place.0, place.1));
        let shape = Capsule::new(a, b, limb.radius);
        let filter = Filter {
            group: -group,
            ..Filter::default()
        };
        world.create_shape(
            body,
            shape,
            ShapeDef::default().density(20.0).filter(filter),
        );
        if let Some((parent, lower, upper)) = limb.parent {
            let mut joint = RevoluteJointDef::new(bodies[parent], body).at(world, place);
            joint.limit = Some(Limit::new(lower, upper));
            // A little stiffness, as of muscles.
            joint.spring = Some(Spring::new(1.0, 0.5));
            world.create_joint(joint);
        }
        bodies.push(body);
    }
    bodies
}

/// Drops the figure and lets it fall for 8 s; returns the height of its trunk, and the widest gap of its joints in the
/// fall and at the end [m].
fn run() -> (f32, [f32; 2]) {
    let mut world = World::default();
    let stairs = world.create_body(BodyDef::static_());
    for i in 0..8_u8 {
        let (x, top) = (f32::from(i), 4.0 - 0.5 * f32::from(i));
        let stair = Polygon::offset_rectangle(0.5, 2.5, point(x, top - 2.5), 0.0);
        world.create_shape(stairs, stair, ShapeDef::default());
    }
    let floor = Polygon::offset_rectangle(20.0, 0.5, point(15.0, -0.5), 0.0);
    world.create_shape(stairs, floor, ShapeDef::default());
    let limbs = figure(&mut world, 0.0, 4.1, 1);
    for &limb in &limbs {
        world.body_mut(limb).set_velocity(vec2(4.0, 0.0));
    }
    let widest = |world: &World| {
        let gaps = world.joints().map(|joint| joint.gap());
        gaps.fold(0.0, f32::max)
    };
    let mut in_fall = 0.0_f32;
    for _ in 0..480 {
        world.step(DT);
        in_fall = in_fall.max(widest(&world));
    }
    (world.body(limbs[0]).position().y, [in_fall, widest(&world)])
}

fn main() {
    let (height, [in_fall, at_end]) = run();
    let [in_fall, at_end] = [in_fall, at_end].map(|gap| 1000.0 * gap);
    println!(
        "the trunk lies at {height:.2} m; joints opened by {in_fall:.1} mm, at the end {at_end:.2} mm"
    );
}

#[cfg(test)]
mod tests {
    #[test]
    fn figure_falls_down_and_its_joints_hold() {
        let (height, [in_fall, at_end]) = super::run();
        assert!((0.0..3.5).contains(&height), "{height}");
        // Hard impacts pull joints apart for some steps; they close again.
        assert!(in_fall < 0.1 && at_end < 0.002, "{in_fall} {at_end}");
    }
}
