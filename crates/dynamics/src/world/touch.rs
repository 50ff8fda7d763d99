//! Where a contact is after the solver has moved its bodies.

use crate::body::state::BodyPose;
use crate::contact::constraint::{ConstraintPoint, ContactConstraint};
use crate::world::World;
use cairn2d_geometry::math::{Vec2, WorldPoint};
use smallvec::SmallVec;

/// A contact as the bodies lie now: the normal from A to B, and each point's place and separation [m].
pub(crate) struct Touch {
    pub(crate) normal: Vec2,
    pub(crate) points: SmallVec<[(WorldPoint, f32); 2]>,
}

impl Touch {
    /// Returns the middle of the points.
    pub(crate) fn middle(&self) -> WorldPoint {
        match self.points[..] {
            [(first, _), (second, _)] => first + (second - first) * 0.5,
            [(only, _)] => only,
            _ => WorldPoint::ORIGIN,
        }
    }
}

/// A body at the end of the step, and turned as it was when the step began.
struct Side {
    now: BodyPose,
    start: BodyPose,
}

impl Side {
    /// Returns where a single point is: its middle turns with the body, the surface round it does not.
    fn place(&self, anchor: Vec2, middle: Vec2) -> WorldPoint {
        self.now.center + self.now.rotate(middle) + self.start.rotate(anchor - middle)
    }
}

impl World {
    /// Returns where the contact with this constraint is.
    ///
    /// A single point was found when the step began, and what is round may have turned by half a radian since: its normal is
    /// the one that was solved. The faces of two points have turned together.
    pub(crate) fn contact_now(&self, constraint: &ContactConstraint) -> Touch {
        let [a, b] = [constraint.body_a, constraint.body_b].map(|body| Side {
            now: self.bodies.poses[body as usize],
            start: self.bodies.start_of_step(body),
        });
        match &constraint.points[..constraint.count as usize] {
            [single] => single_point(&a, &b, constraint.normal, single, &constraint.points[1]),
            points => face(&a.now, &b.now, constraint.normal, points),
        }
    }
}

fn single_point(
    a: &Side,
    b: &Side,
    normal: Vec2,
    point: &ConstraintPoint,
    middle: &ConstraintPoint,
) -> Touch {
    let normal = a.start.rotate(normal);
    let on_a = a.place(point.anchor_a, middle.anchor_a);
    let on_b = b.place(point.anchor_b, middle.anchor_b);
    let separation = point.base_separation + (on_b - on_a).dot(&normal);
    let place = on_a + (on_b - on_a) * 0.5;
    Touch {
        normal,
        points: SmallVec::from_slice(&[(place, separation)]),
    }
}

fn face(a: &BodyPose, b: &BodyPose, normal: Vec2, points: &[ConstraintPoint]) -> Touch {
    let normal = a.rotate(normal);
    let place = |point: &ConstraintPoint| {
        let on_a = a.center + a.rotate(point.anchor_a);
        let on_b = b.center + b.rotate(point.anchor_b);
        let separation = point.base_separation + (on_b - on_a).dot(&normal);
        (on_a + (on_b - on_a) * 0.5, separation)
    };
    Touch {
        normal,
        points: points.iter().map(place).collect(),
    }
}

#[cfg(test)]
mod tests {
    use crate::body::def::BodyDef;
    use crate::shape::def::ShapeDef;
    use crate::world::{World, WorldDef};
    use cairn2d_geometry::Circle;
    use cairn2d_geometry::math::Point;

    const RADIUS: f32 = 0.5;

    /// Two balls side by side, without weight and friction, of which the first turns by a third of a radian a step.
    #[test]
    fn normal_of_a_ball_that_turns_points_to_what_it_touches() {
        let mut world = World::new(WorldDef::weightless());
        let smooth = ShapeDef::default().friction(0.0);
        for (x, spin) in [(0.0, 20.0), (2.0 * RADIUS, 0.0)] {
            let def = BodyDef {
                angular_velocity: spin,
                ..BodyDef::dynamic().at(x, 0.0)
            };
            let ball = world.create_body(def);
            world.create_shape(ball, Circle::new(Point::origin(), RADIUS).unwrap(), smooth);
        }
        for _ in 0..3 {
            world.step(1.0 / 60.0);
        }
        let contact = world.contacts().next().unwrap();
        let point = contact.points().next().unwrap();
        assert!((contact.normal().x - 1.0).abs() < 1.0e-6);
        assert!(point.separation.abs() < 1.0e-6, "{}", point.separation);
        let place = point.point - cairn2d_geometry::math::WorldPoint::ORIGIN;
        assert!((place.x - RADIUS).abs() < 1.0e-6 && place.y.abs() < 1.0e-6);
    }
}
