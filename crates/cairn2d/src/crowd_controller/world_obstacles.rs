//! Obstacles of the crowd that represent shapes of the world near walkers, added, moved and removed as
//! needed.

use super::obstacle_outline::outline;
use super::query_areas::QueryArea;
use cairn2d_crowd::{Crowd, Motion, ObstacleDef, ObstacleId, Outline};
use cairn2d_dynamics::{BodyId, BodyKind, BodyRef, ShapeId, ShapeRef, World};
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::{Point, Rotation, WorldPoint};
use std::collections::BTreeMap;

/// Steps after which a static shape without walkers near it is removed.
///
/// Adding or removing a static obstacle rebuilds the tree of static edges, so shapes are kept for a while; a
/// traveling crowd must not keep all of its way.
const FORGET_STEPS: u64 = 600;

/// Rule that decides which bodies are obstacles.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObstacleRule<'a> {
    /// Bodies with agents, sorted.
    pub(super) walkers: &'a [BodyId],
    /// Mass up to which walkers push dynamic bodies out of the way \[kg\].
    pub(super) push_mass: f32,
}

impl ObstacleRule<'_> {
    fn is_obstacle(&self, body: &BodyRef<'_>) -> bool {
        let stands = match body.kind() {
            BodyKind::Static | BodyKind::Kinematic => true,
            BodyKind::Dynamic => {
                let locks = body.locks();
                body.mass() > self.push_mass || (locks.x && locks.y)
            }
        };
        stands && body.is_enabled() && self.walkers.binary_search(&body.id()).is_err()
    }
}

/// The state of a shape when it was added as an obstacle.
#[derive(Clone, Debug)]
struct ObstacleSource {
    /// The segments of a chain share one obstacle; `None` for a shape too small for one.
    obstacle: Option<ObstacleId>,
    body: BodyId,
    /// Geometry from which the obstacle was made.
    geometry: Shape,
    layers: u32,
    position: WorldPoint,
    rotation: Rotation,
    moves: bool,
    /// Segment of a chain of several: kept while the chain is unchanged.
    chained: bool,
    /// Last step with a walker near it.
    seen: u64,
}

/// The obstacles of a crowd that represent shapes of a world.
#[derive(Clone, Debug, Default)]
pub(super) struct WorldObstacles {
    /// In order of shape id, which is the order of processing.
    known: BTreeMap<ShapeId, ObstacleSource>,
    step: u64,
}

impl WorldObstacles {
    /// Updates the obstacles of the crowd from the shapes in `areas`.
    pub(super) fn update(
        &mut self,
        world: &World,
        crowd: &mut Crowd,
        areas: &[QueryArea],
        rule: &ObstacleRule<'_>,
    ) {
        self.step += 1;
        self.forget_stale(world, crowd, rule);
        for area in areas {
            for id in world.shapes_near(&area.bounds, area.filter) {
                self.learn_shape(world, crowd, id, rule);
            }
        }
        self.move_obstacles(world, crowd);
    }

    /// Removes obstacles whose shape is gone or changed, or had no walker near it for `FORGET_STEPS`.
    fn forget_stale(&mut self, world: &World, crowd: &mut Crowd, rule: &ObstacleRule<'_>) {
        let mut gone = Vec::new();
        let step = self.step;
        self.known.retain(|&id, source| {
            let near = source.chained || source.moves || source.seen + FORGET_STEPS >= step;
            let stays = near && source.is_current(world, id, rule);
            if !stays {
                gone.extend(source.obstacle);
            }
            stays
        });
        self.drop_obstacles(crowd, gone);
    }

    fn drop_obstacles(&mut self, crowd: &mut Crowd, mut gone: Vec<ObstacleId>) {
        if gone.is_empty() {
            return;
        }
        gone.sort_unstable();
        gone.dedup();
        for &id in &gone {
            crowd.destroy_obstacle(id);
        }
        // The other segments of a broken chain are added again.
        let is_gone = |id: &ObstacleId| gone.binary_search(id).is_ok();
        self.known
            .retain(|_, source| !source.obstacle.as_ref().is_some_and(is_gone));
    }

    fn learn_shape(
        &mut self,
        world: &World,
        crowd: &mut Crowd,
        id: ShapeId,
        rule: &ObstacleRule<'_>,
    ) {
        if let Some(source) = self.known.get_mut(&id) {
            source.seen = self.step;
            return;
        }
        let shape = world.shape(id);
        let body = world.body(shape.body());
        if !rule.is_obstacle(&body) {
            return;
        }
        let (members, points, kind) = match shape.geometry() {
            Shape::ChainSegment(_) => chain_of(&body, id),
            geometry => {
                let (points, kind) = outline(geometry);
                (vec![id], points, kind)
            }
        };
        let layers = layers_of(&shape);
        let obstacle = crowd.try_create_obstacle(&ObstacleDef {
            points,
            outline: kind,
            position: body.position_exact(),
            rotation: body.rotation(),
            layers,
            ..ObstacleDef::default()
        });
        for &member in &members {
            let source = ObstacleSource {
                obstacle: obstacle.ok(),
                body: body.id(),
                geometry: world.shape(member).geometry().clone(),
                layers,
                position: body.position_exact(),
                rotation: body.rotation(),
                moves: body.kind() != BodyKind::Static,
                chained: members.len() > 1,
                seen: self.step,
            };
            self.known.insert(member, source);
        }
    }

    /// Moves the obstacles of moving bodies, and removes those without a walker near them.
    fn move_obstacles(&mut self, world: &World, crowd: &mut Crowd) {
        let mut gone = Vec::new();
        let mut last = None;
        for source in self.known.values().filter(|source| source.moves) {
            let Some(obstacle) = source.obstacle else {
                continue;
            };
            if source.seen < self.step && !source.chained {
                gone.push(obstacle);
            } else if last != Some(obstacle) {
                // The user may have removed the obstacle from the crowd: then there is nothing to move.
                if let Some(mut obstacle) = crowd.get_obstacle_mut(obstacle) {
                    let _ = obstacle.try_set_motion(motion_of(&world.body(source.body)));
                }
                last = Some(obstacle);
            }
        }
        self.drop_obstacles(crowd, gone);
    }
}

impl ObstacleSource {
    /// Returns `true` if the shape is unchanged since it was added.
    fn is_current(&self, world: &World, id: ShapeId, rule: &ObstacleRule<'_>) -> bool {
        let Some(shape) = world.get_shape(id) else {
            return false;
        };
        // After a rollback of the world alone, another body may have got a shape with this id.
        if shape.body() != self.body {
            return false;
        }
        let body = world.body(self.body);
        let moves = body.kind() != BodyKind::Static;
        let in_place = self.moves
            || (self.position == body.position_exact() && self.rotation == body.rotation());
        in_place
            && moves == self.moves
            && rule.is_obstacle(&body)
            && layers_of(&shape) == self.layers
            && *shape.geometry() == self.geometry
    }
}

/// Returns the layers of the obstacle of a shape: the first 32 bits of its category.
fn layers_of(shape: &ShapeRef<'_>) -> u32 {
    shape.filter().category as u32
}

fn motion_of(body: &BodyRef<'_>) -> Motion {
    let position = body.position_exact();
    Motion {
        position,
        rotation: body.rotation(),
        velocity: body.velocity_at(position),
        angular_velocity: body.angular_velocity(),
    }
}

/// Returns the segments of a body that form one chain with `id`, the vertices of the chain, and whether it is
/// a ring or a line.
///
/// A closed chain is solid on one side; an open one becomes a line, which blocks from both sides.
fn chain_of(body: &BodyRef<'_>, id: ShapeId) -> (Vec<ShapeId>, Vec<Point>, Outline) {
    let segments: Vec<(ShapeId, [Point; 2])> = body
        .shapes()
        .filter_map(|shape| match shape.geometry() {
            Shape::ChainSegment(s) => Some((shape.id(), [s.a(), s.b()])),
            _ => None,
        })
        .collect();
    let mut runs = segments.chunk_by(|(_, [_, end]), (_, [start, _])| end == start);
    let run = runs.find(|run| run.iter().any(|(member, _)| *member == id));
    let run = run.expect("the shape is on its body");
    let members = run.iter().map(|(member, _)| *member).collect();
    let mut points: Vec<Point> = run.iter().map(|(_, [start, _])| *start).collect();
    let end = run[run.len() - 1].1[1];
    if run.len() > 2 && end == points[0] {
        // Chains are solid on their right side, rings on their left.
        points.reverse();
        return (members, points, Outline::Ring);
    }
    points.push(end);
    (members, points, Outline::Line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_crowd::AgentDef;
    use cairn2d_dynamics::{BodyDef, Filter, QueryFilter, ShapeDef, WorldDef};
    use cairn2d_geometry::math::{point, vec2};
    use cairn2d_geometry::{Aabb, Chain, ChainKind, Polygon};

    const RULE: ObstacleRule<'static> = ObstacleRule {
        walkers: &[],
        push_mass: 10.0,
    };

    fn around_origin() -> [QueryArea; 1] {
        let bounds = Aabb::from_center_half(Point::origin(), vec2(5.0, 5.0));
        [QueryArea {
            bounds,
            filter: QueryFilter::default(),
        }]
    }

    fn add(world: &mut World, def: BodyDef, half: f32) -> BodyId {
        let body = world.create_body(def);
        let shape = Polygon::rectangle(half, half);
        world.create_shape(body, shape, ShapeDef::default());
        body
    }

    #[test]
    fn walls_come_move_and_go_with_the_world() {
        let mut world = World::new(WorldDef::weightless());
        let mut crowd = Crowd::default();
        let mut obstacles = WorldObstacles::default();
        let pillar = add(&mut world, BodyDef::static_(), 1.0);
        add(&mut world, BodyDef::static_().position(50.0, 0.0), 1.0);
        let gate = add(&mut world, BodyDef::kinematic().position(3.0, 0.0), 0.5);
        let light = add(&mut world, BodyDef::dynamic().position(-3.0, 0.0), 0.5);
        let count = |world: &World, crowd: &mut Crowd, obstacles: &mut WorldObstacles| {
            obstacles.update(world, crowd, &around_origin(), &RULE);
            crowd.obstacle_count()
        };
        // The far pillar is out of reach; the light box is pushed.
        assert_eq!(count(&world, &mut crowd, &mut obstacles), 2);
        let shape = world.body(light).shapes().next().unwrap().id();
        world.shape_mut(shape).set_density(20.0);
        assert_eq!(count(&world, &mut crowd, &mut obstacles), 3);
        world.destroy_body(light);
        assert_eq!(count(&world, &mut crowd, &mut obstacles), 2);
        world.body_mut(gate).set_pose((30.0, 0.0), 0.0);
        assert_eq!(count(&world, &mut crowd, &mut obstacles), 1);
        world.body_mut(pillar).set_pose((2.0, 0.0), 0.0);
        assert_eq!(count(&world, &mut crowd, &mut obstacles), 1);
        crowd.update_obstacles();
        let see = |x: f32| crowd.is_visible((x, -9.0), (x, 9.0), 0.1, 1);
        assert!(see(0.0) && !see(2.0));
    }

    #[test]
    fn wall_of_a_time_that_was_taken_back_is_forgotten() {
        let mut world = World::new(WorldDef::weightless());
        let lasting = world.create_body(BodyDef::static_());
        let before = world.clone();
        add(&mut world, BodyDef::static_().position(0.5, 0.0), 1.0);
        let (mut crowd, mut walls) = (Crowd::default(), WorldObstacles::default());
        walls.update(&world, &mut crowd, &around_origin(), &RULE);
        assert_eq!(crowd.obstacle_count(), 1);
        world = before;
        // The shape gets the id of the one that was taken back, and its body does not exist.
        let shape = Polygon::rectangle(1.0, 1.0);
        world.create_shape(lasting, shape, ShapeDef::default());
        walls.update(&world, &mut crowd, &around_origin(), &RULE);
        assert_eq!(crowd.obstacle_count(), 1);
        crowd.update_obstacles();
        assert!(!crowd.is_visible((-0.9f32, 9.0), (-0.9f32, -9.0), 0.01, 1));
    }

    #[test]
    fn chain_is_one_obstacle_and_learnt_anew_when_it_breaks() {
        let mut world = World::new(WorldDef::weightless());
        let body = world.create_body(BodyDef::static_());
        let corners = [(-2., -2.), (-2., 2.), (2., 2.), (2., -2.)].map(|(x, y)| point(x, y));
        let chain = Chain::new(&corners, ChainKind::Loop);
        let parts = chain.segments().iter();
        let parts: Vec<ShapeId> = parts
            .map(|part| world.create_shape(body, *part, ShapeDef::default()))
            .collect();
        let (mut crowd, mut obstacles) = (Crowd::default(), WorldObstacles::default());
        obstacles.update(&world, &mut crowd, &around_origin(), &RULE);
        assert_eq!(crowd.obstacle_count(), 1);
        // A room: its solid side is outside, so that agents stay inside.
        let (_, ring, kind) = chain_of(&world.body(body), parts[0]);
        assert_eq!((ring.len(), kind), (4, Outline::Ring));
        world.destroy_shape(parts[1]);
        obstacles.update(&world, &mut crowd, &around_origin(), &RULE);
        assert_eq!(crowd.obstacle_count(), 2);
    }

    #[test]
    fn same_walls_by_hand_and_from_shapes_steer_alike() {
        let mut world = World::new(WorldDef::weightless());
        add(&mut world, BodyDef::static_().position(0.0, 0.3), 1.0);
        let mut taken = Crowd::default();
        WorldObstacles::default().update(&world, &mut taken, &around_origin(), &RULE);
        let mut by_hand = Crowd::default();
        let corners = [(-1., -1.), (1., -1.), (1., 1.), (-1., 1.)].map(|(x, y)| point(x, y));
        let position = (0.0f32, 0.3).into();
        by_hand.create_obstacle(&ObstacleDef {
            position,
            ..ObstacleDef::ring(corners)
        });
        let run = |crowd: &mut Crowd| {
            let wish = vec2(1.5, 0.0);
            let def = AgentDef {
                preferred_velocity: wish,
                ..AgentDef::at((-4.0, 1.0))
            };
            crowd.create_agent(def);
            for _ in 0..200 {
                crowd.step(1.0 / 60.0);
            }
            crowd.state_hash()
        };
        assert_eq!(run(&mut taken), run(&mut by_hand));
    }

    #[test]
    fn category_of_a_shape_is_the_layer_of_its_obstacle() {
        let mut world = World::new(WorldDef::weightless());
        let body = add(&mut world, BodyDef::static_(), 1.0);
        let shape = world.body(body).shapes().next().unwrap().id();
        world.shape_mut(shape).set_filter(Filter {
            category: 4,
            ..Filter::default()
        });
        let (mut crowd, mut obstacles) = (Crowd::default(), WorldObstacles::default());
        obstacles.update(&world, &mut crowd, &around_origin(), &RULE);
        crowd.update_obstacles();
        let see = |mask| crowd.is_visible((-9.0f32, 0.0), (9.0f32, 0.0), 0.1, mask);
        assert!(!see(4) && see(1));
    }
}
