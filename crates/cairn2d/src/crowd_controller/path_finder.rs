//! The path finder interface, and the test for paths clear of static shapes.

use super::off_mesh_link::Path;
use cairn2d_crowd::{AgentId, Crowd};
use cairn2d_dynamics::{BodyKind, QueryFilter, ShapeRef, World};
use cairn2d_geometry::math::{Point, Pose, Vec2, WorldPoint};
use cairn2d_geometry::{Aabb, Capsule, Circle, Shape, SimplexCache, distance};

/// Share of the radius of an agent that must fit through for a point to count as visible.
///
/// With the whole radius, an agent that touches a wall would find no free path along it.
pub(super) const SIGHT_SHARE: f32 = 0.9;

/// A request to a path finder.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PathQuery<'a> {
    /// The world.
    pub world: &'a World,
    /// The crowd.
    pub crowd: &'a Crowd,
    /// The agent.
    pub agent: AgentId,
    /// Present position of the agent \[m\].
    pub from: WorldPoint,
    /// Goal \[m\].
    pub goal: WorldPoint,
    /// Radius of the agent \[m\].
    pub radius: f32,
    /// Filter of the shapes that the body of the agent collides with.
    pub filter: QueryFilter<'static>,
}

impl PathQuery<'_> {
    /// Returns `true` if the agent can move straight between two points of the world \[m\] without touching a
    /// static shape.
    #[must_use]
    pub fn is_clear(&self, from: WorldPoint, to: WorldPoint) -> bool {
        is_path_clear(self.world, from, to, SIGHT_SHARE * self.radius, self.filter)
    }
}

/// A path finder. Closures that take a [`PathQuery`] and return points or a [`Path`] implement it.
pub trait PathFinder {
    /// Returns the path: its points, the goal last, and its off-mesh links. `None` if there is no path: the
    /// walker then waits for a second before the next request.
    fn find_path(&mut self, query: &PathQuery<'_>) -> Option<Path>;
}

impl<W: Into<Path>, F: FnMut(&PathQuery<'_>) -> Option<W>> PathFinder for F {
    fn find_path(&mut self, query: &PathQuery<'_>) -> Option<Path> {
        self(query).map(Into::into)
    }
}

/// The default path finder: a straight line to the goal.
pub(super) struct StraightPath;

impl PathFinder for StraightPath {
    fn find_path(&mut self, query: &PathQuery<'_>) -> Option<Path> {
        Some(vec![query.goal].into())
    }
}

/// Returns `true` if a disc of `radius` \[m\] can move straight between two points without touching a shape
/// on a static body that `filter` includes; `false` for points that are not finite.
#[must_use]
pub fn is_path_clear(
    world: &World,
    from: WorldPoint,
    to: WorldPoint,
    radius: f32,
    filter: QueryFilter<'_>,
) -> bool {
    let translation = to - from;
    let Some(swept) = swept_disc(translation, radius) else {
        return false;
    };
    let near = from.to_point();
    let reach = Vec2::repeat(radius + f32::EPSILON * near.coords.abs().max());
    let area = Aabb::from_points(&[near, near + translation]);
    let area = Aabb::new(area.min - reach, area.max + reach);
    let touches = |shape: &ShapeRef<'_>| {
        let body = world.body(shape.body());
        if body.kind() != BodyKind::Static {
            return false;
        }
        let offset = body.position_exact() - from;
        let pose = Pose::from_parts(offset.into(), body.rotation());
        let gap = distance(
            &swept,
            shape.geometry(),
            &pose,
            &mut SimplexCache::default(),
        );
        gap.distance <= 0.0
    };
    let mut shapes = world.shapes_near(&area, filter).into_iter();
    !shapes.any(|id| touches(&world.shape(id)))
}

/// Returns the swept volume of a disc in a frame at its start.
fn swept_disc(translation: Vec2, radius: f32) -> Option<Shape> {
    let end = Point::from(translation);
    match Capsule::try_new(Point::origin(), end, radius) {
        Ok(capsule) => Some(capsule.into()),
        Err(_) if translation.norm().is_finite() => {
            Some(Circle::try_new(Point::origin(), radius).ok()?.into())
        }
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_dynamics::{BodyDef, ShapeDef, WorldDef};
    use cairn2d_geometry::Polygon;

    #[test]
    fn only_static_shapes_that_are_met_stand_in_the_way() {
        let mut world = World::new(WorldDef::weightless());
        for (body, x) in [(BodyDef::static_(), 0.0), (BodyDef::dynamic(), 6.0)] {
            let body = world.create_body(body.position(x, 0.0));
            let shape = Polygon::rectangle(0.5, 2.0);
            world.create_shape(body, shape, ShapeDef::default());
        }
        let clear = |x: f32, y: f32, to_x: f32, to_y: f32, filter| {
            is_path_clear(&world, (x, y).into(), (to_x, to_y).into(), 0.3, filter)
        };
        let all = QueryFilter::default();
        assert!(!clear(-3.0, 0.0, 3.0, 0.0, all));
        assert!(!clear(-3.0, 2.2, 3.0, 2.2, all));
        assert!(clear(-3.0, 2.4, 3.0, 2.4, all));
        assert!(clear(3.0, 0.0, 9.0, 0.0, all));
        assert!(clear(-3.0, 0.0, 3.0, 0.0, QueryFilter { mask: 2, ..all }));
        assert!(!clear(0.0, 0.0, 0.0, 0.0, all));
        assert!(!clear(f32::NAN, 0.0, 3.0, 0.0, all));
    }
}
