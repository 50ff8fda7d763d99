//! Figures of how agents choose: velocity obstacles and half-planes, as the crowd computes them.
//!
//! A figure is a scene whose plane is that of velocities: one meter is one meter per second.

use crate::kit::{Labels, circle, hull, tinted};
use crate::mark::{Mark, Tone};
use crate::scene::{Category, Scene, Script, Stage};
use crate::view::Frame;
use cairn2d::crowd::{AgentDef, AgentId, Crowd, HalfPlane, Model, ObstacleDef, Target};
use cairn2d::geometry::math::{left_perp, right_perp};
use cairn2d::prelude::{
    BodyDef, Capsule, Circle, Filter, Point, Shape, ShapeDef, Vec2, World, WorldDef, WorldPoint,
    vec2,
};

const CATEGORY: Category = Category::Crowd;

pub(crate) const SCENES: &[Scene] = &[
    Scene::new(
        CATEGORY,
        "orca_velocity_obstacle",
        "Velocity obstacle of a pair",
        Frame::new(-1.5, -1.0, 6.5, 3.7),
        velocity_obstacle,
    )
    .about("Relative velocities that lead to contact within the horizon: a cone truncated by a disc. The change u is the shortest way out.")
    .steps(1),
    Scene::new(
        CATEGORY,
        "orca_half_planes",
        "Half-planes of a pair",
        Frame::new(-6.4, -2.4, 6.4, 2.9),
        half_planes,
    )
    .about("Each of two agents takes half of the change: its allowed velocities are a half-plane, and it chooses the one nearest to its preferred velocity.")
    .steps(1),
    Scene::new(
        CATEGORY,
        "orca_crowded",
        "Half-planes of a crowd",
        Frame::new(-4.2, -2.3, 4.2, 2.6),
        crowded,
    )
    .about("Half-planes of seven neighbors leave one region; the velocity nearest to the preferred one is a corner of it.")
    .steps(1)
    // The outermost neighbor is beside the frame, in the picture's border.
    .with_exits(),
    Scene::new(
        CATEGORY,
        "orca_edge",
        "Half-plane of a wall",
        Frame::new(-5.0, -2.2, 5.0, 4.2),
        edge,
    )
    .about("The forbidden velocities are the edge divided by the horizon, inflated by the radius over the horizon, and all behind it between two legs.")
    .steps(1),
    Scene::new(
        CATEGORY,
        "orca_models",
        "Four models of velocity obstacles",
        Frame::new(-10.5, -7.3, 10.5, 7.3),
        models,
    )
    .about("Two agents meet almost head on. Speed aside over time: with plain velocity obstacles both oscillate.")
    .steps(1),
    Scene::new(
        CATEGORY,
        "orca_turning",
        "Paths of agents that turn slowly",
        Frame::new(-1.2, -1.6, 15.0, 5.6),
        turning,
    )
    .about("All agents walk to the right at first; their goals (dots) are above, or behind. The lower the turn limit, the more an agent slows down; to go back it turns on the spot.")
    .steps(1),
];

/// A sheet of paper: shapes that touch nothing, lines and words.
struct Sheet {
    world: World,
    ink: Ink,
}

/// Marks over the shapes.
#[derive(Clone, Default)]
struct Ink {
    marks: Vec<Mark>,
    labels: Labels,
}

impl Script for Ink {
    fn before_step(&mut self, _world: &mut World, _step: u64) {}

    fn marks(&self, world: &World) -> Vec<Mark> {
        let mut marks = self.marks.clone();
        marks.extend(self.labels.marks(world));
        marks
    }
}

impl Sheet {
    fn new() -> Self {
        Self {
            world: World::new(WorldDef::weightless()),
            ink: Ink::default(),
        }
    }

    /// Adds a translucent area with a dashed border.
    fn area(&mut self, shape: impl Into<Shape>) {
        let body = self.world.create_body(BodyDef::static_());
        let def = ShapeDef {
            density: 0.0,
            ..ShapeDef::sensor()
        };
        self.world.create_shape(body, shape, def);
    }

    /// Adds a colored disc that touches nothing.
    fn disc(&mut self, at: WorldPoint, radius: f32, tint: u64) {
        let at = at.to_point();
        let body = self
            .world
            .create_body(tinted(BodyDef::dynamic().position(at.x, at.y), tint));
        let filter = Filter {
            mask: 0,
            ..Filter::default()
        };
        self.world
            .create_shape(body, circle(radius), ShapeDef::default().filter(filter));
    }

    fn line(&mut self, from: Vec2, to: Vec2, tone: Tone) {
        let [from, to] = [from, to].map(WorldPoint::from);
        self.ink.marks.push(Mark::Line { from, to, tone });
    }

    /// Draws a line with two strokes at its end.
    fn arrow(&mut self, from: Vec2, to: Vec2, tone: Tone) {
        const HEAD: f32 = 0.13;
        self.line(from, to, tone);
        if let Some(along) = (to - from).try_normalize(0.0) {
            for side in [left_perp(&along), right_perp(&along)] {
                self.line(to, to + (side * 0.5 - along) * HEAD, tone);
            }
        }
    }

    fn dot(&mut self, at: Vec2, tone: Tone) {
        self.ink.marks.push(Mark::Dot {
            at: at.into(),
            tone,
        });
    }

    fn text(&mut self, at: Vec2, text: &str) {
        self.ink.labels.add(at.x, at.y, text);
    }

    /// Draws the border of a half-plane about `origin`, hatched on the forbidden side.
    fn half_plane(&mut self, origin: Vec2, plane: &HalfPlane, half_length: f32) {
        const TICK: f32 = 0.14;
        let middle = origin + plane.foot();
        let along = plane.direction();
        self.line(
            middle - along * half_length,
            middle + along * half_length,
            Tone::Hit,
        );
        let count = (half_length / TICK) as i16;
        for i in -count..count {
            let from = middle + along * (TICK * (f32::from(i) + 0.5));
            self.line(
                from,
                from - (plane.normal + along) * (0.6 * TICK),
                Tone::Hit,
            );
        }
    }

    /// Draws the axes about `origin`, the speed limit, and preferred and chosen velocity of an agent.
    fn choice(&mut self, origin: Vec2, crowd: &Crowd, agent: AgentId) {
        let def = crowd.agent(agent).def();
        let reach = 1.1 * def.max_speed;
        for axis in [vec2(reach, 0.0), vec2(0.0, reach)] {
            self.line(origin - axis, origin + axis, Tone::Miss);
        }
        self.area(Circle::new(Point::from(origin), def.max_speed));
        let wish = origin + def.preferred_velocity;
        let chosen = origin + crowd.agent(agent).new_velocity();
        self.arrow(origin, wish, Tone::Note);
        self.arrow(origin, chosen, Tone::Hit);
        self.dot(chosen, Tone::Hit);
        let (above, below) = (vec2(0.0, 0.1), vec2(0.0, -0.3));
        let upper = wish.y >= chosen.y;
        self.text(wish + if upper { above } else { below }, "preferred");
        self.text(chosen + if upper { below } else { above }, "choice");
    }

    fn show(self) -> Stage {
        Stage::new(self.world).with(self.ink)
    }
}

/// Returns the points where the tangents from the origin touch the disc, the left one first.
fn tangents(center: Vec2, radius: f32) -> [Vec2; 2] {
    let length_sq = center.norm_squared() - radius * radius;
    let (along, across) = (length_sq.sqrt(), radius);
    let point = |side: Vec2| (center * along + side * across) * (along / center.norm_squared());
    [point(left_perp(&center)), point(right_perp(&center))]
}

fn velocity_obstacle() -> Stage {
    const HORIZON: f32 = 2.5;
    let (way, radius) = (vec2(4.5, 2.0), 1.0);
    let mut sheet = Sheet::new();
    for axis in [
        (vec2(-1.2, 0.0), vec2(6.3, 0.0)),
        (vec2(0.0, -0.8), vec2(0.0, 3.2)),
    ] {
        sheet.line(axis.0, axis.1, Tone::Miss);
    }
    let (tip, tip_radius) = (way / HORIZON, radius / HORIZON);
    let [near, far] = [
        tangents(tip, tip_radius),
        tangents(way, radius).map(|p| p * 1.3),
    ];
    let corners = [near[0], near[1], far[1], far[0]].map(|p| (p.x, p.y));
    sheet.area(hull(&corners));
    sheet.area(Circle::new(Point::from(tip), tip_radius));
    sheet.area(Circle::new(Point::from(way), radius));
    for (from, to) in near.into_iter().zip(far) {
        sheet.line(from, to, Tone::Note);
        sheet.line(Vec2::zeros(), from, Tone::Miss);
    }
    sheet.text(way + vec2(0.0, 0.1), "(p, R)");
    sheet.dot(way, Tone::Note);
    sheet.dot(tip, Tone::Note);
    sheet.text(tip - vec2(0.1, 0.75), "(p, R) / tau");
    sheet.text(far[0] + vec2(-0.7, -0.15), "left leg");
    sheet.text(far[1] + vec2(0.05, -0.4), "right leg");
    // The half-planes of the crowd, if both take half of the change.
    let velocity = vec2(2.6, 1.3);
    let plane = plane_of_pair(way, radius, velocity, HORIZON);
    let out = velocity + plane.normal * (2.0 * plane.violation(&velocity));
    sheet.dot(velocity, Tone::Hit);
    sheet.arrow(velocity, out, Tone::Hit);
    sheet.text(velocity + vec2(0.15, -0.05), "v");
    sheet.text(0.5 * (velocity + out) - vec2(0.12, 0.0), "u");
    sheet.show()
}

/// Returns the half-plane of an agent with `velocity` for a neighbor at rest at the offset `way`.
fn plane_of_pair(way: Vec2, radii: f32, velocity: Vec2, horizon: f32) -> HalfPlane {
    let mut crowd = Crowd::default();
    let def = AgentDef {
        radius: 0.5 * radii,
        time_horizon: horizon,
        max_speed: 9.0,
        preferred_velocity: velocity,
        velocity,
        bias: 0.0,
        ..AgentDef::default()
    };
    let agent = crowd.create_agent(def);
    let position = WorldPoint::ORIGIN + way;
    crowd.create_agent(AgentDef {
        position,
        velocity: Vec2::zeros(),
        ..def
    });
    planes(&mut crowd, agent)[0]
}

/// Step for which figures are computed \[s\].
const STEP: f32 = 0.1;

/// Lets the crowd decide, and returns the half-planes that an agent has from others.
fn planes(crowd: &mut Crowd, agent: AgentId) -> Vec<HalfPlane> {
    crowd.solve(STEP);
    crowd
        .agent(agent)
        .constraints(STEP)
        .map_or_else(Vec::new, |bounds| bounds.agents)
}

fn half_planes() -> Stage {
    let mut crowd = Crowd::default();
    let def = AgentDef {
        time_horizon: 4.0,
        bias: 0.0,
        radius: 0.5,
        ..AgentDef::default()
    };
    let agents = [(0.0, 0.0, 1.5, 0.1), (2.6, 0.5, -1.4, -0.3)].map(|(x, y, vx, vy)| {
        let velocity = vec2(vx, vy);
        crowd.create_agent(AgentDef {
            position: (x, y).into(),
            velocity,
            preferred_velocity: velocity,
            ..def
        })
    });
    let mut sheet = Sheet::new();
    for (agent, (x, name)) in agents.into_iter().zip([(-3.3, "A"), (3.3, "B")]) {
        let origin = vec2(x, 0.0);
        let plane = planes(&mut crowd, agent)[0];
        sheet.choice(origin, &crowd, agent);
        sheet.half_plane(origin, &plane, 2.3);
        sheet.text(origin + vec2(-1.5, 1.75), name);
    }
    sheet.show()
}

fn crowded() -> Stage {
    let mut crowd = Crowd::default();
    let wish = vec2(1.3, 0.3);
    let def = AgentDef {
        time_horizon: 2.0,
        bias: 0.0,
        radius: 0.4,
        ..AgentDef::default()
    };
    let agent = crowd.create_agent(AgentDef {
        velocity: vec2(0.5, 0.0),
        preferred_velocity: wish,
        ..def
    });
    let others = [
        (1.6, 0.9, -0.6, -0.3),
        (1.9, -0.4, -0.3, 0.1),
        (0.4, -1.5, 0.2, 0.6),
        (-1.5, 0.5, 0.4, 0.0),
        (0.2, 1.7, 0.1, -0.5),
        (-1.2, -1.3, 0.3, 0.5),
        (3.0, 0.6, -0.9, 0.0),
    ];
    for (x, y, vx, vy) in others {
        crowd.create_agent(AgentDef {
            position: (x, y).into(),
            velocity: vec2(vx, vy),
            ..def
        });
    }
    let found = planes(&mut crowd, agent);
    let mut sheet = Sheet::new();
    let origin = vec2(-2.0, 0.0);
    sheet.choice(origin, &crowd, agent);
    for plane in &found {
        sheet.half_plane(origin, plane, 1.7);
    }
    // Beside it, the positions of the agents.
    let beside = vec2(2.2, 0.0);
    for other in crowd.agents() {
        let at = WorldPoint::from(beside + (other.position() - WorldPoint::ORIGIN) * 0.7);
        sheet.disc(at, 0.7 * def.radius, u64::from(other.id() == agent));
        let way = other.velocity() * 0.7;
        let from = at - WorldPoint::ORIGIN;
        sheet.arrow(from, from + way, Tone::Note);
    }
    sheet.show()
}

fn edge() -> Stage {
    const HORIZON: f32 = 2.2;
    let ends = [vec2(3.0, 3.2), vec2(-2.2, 3.8)];
    let mut crowd = Crowd::default();
    crowd.create_obstacle(ObstacleDef::line(ends.map(Point::from)));
    let wish = vec2(0.9, 1.75);
    let agent = crowd.create_agent(AgentDef {
        velocity: wish,
        preferred_velocity: wish,
        obstacle_horizon: HORIZON,
        radius: 0.6,
        ..AgentDef::default()
    });
    let radius = 0.6;
    crowd.solve(STEP);
    let bounds = crowd.agent(agent).constraints(STEP).unwrap_or_default();
    let mut sheet = Sheet::new();
    sheet.choice(Vec2::zeros(), &crowd, agent);
    let scaled = ends.map(|end| Point::from(end / HORIZON));
    sheet.area(Capsule::new(scaled[0], scaled[1], radius / HORIZON));
    let legs = [tangents(ends[0], radius)[1], tangents(ends[1], radius)[0]];
    for leg in legs {
        sheet.line(leg / HORIZON, leg * 1.2, Tone::Note);
    }
    sheet.line(scaled[0].coords, scaled[1].coords, Tone::Note);
    sheet.line(ends[0], ends[1], Tone::Miss);
    sheet.text(0.5 * (ends[0] + ends[1]) + vec2(0.0, 0.12), "edge");
    sheet.text(scaled[1].coords + vec2(-0.9, -0.3), "edge / tau");
    sheet.text(vec2(-3.1, 3.0), "left leg");
    sheet.text(vec2(3.9, 2.7), "right leg");
    for plane in &bounds.walls {
        sheet.half_plane(Vec2::zeros(), plane, 2.6);
    }
    sheet.show()
}

fn models() -> Stage {
    let readings = [
        (Model::VelocityObstacle, "velocity obstacle"),
        (Model::Reciprocal, "reciprocal velocity obstacle"),
        (Model::Hybrid, "hybrid reciprocal"),
        (Model::Orca, "optimal reciprocal (ORCA)"),
    ];
    let mut sheet = Sheet::new();
    for (i, (model, name)) in (0u8..).zip(readings) {
        let height = 4.9 - 3.6 * f32::from(i);
        sheet.text(vec2(-6.5, height + 1.2), name);
        meeting(&mut sheet, model, height);
    }
    sheet.show()
}

/// Draws over time the speed aside of two agents that meet almost head on: one line an agent, at `height`.
fn meeting(sheet: &mut Sheet, model: Model, height: f32) {
    const STEPS: u16 = 95;
    /// Width of a step in the figure [m].
    const WIDTH: f32 = 0.2;
    /// Height of a speed of 1 m/s in the figure [m].
    const TALL: f32 = 5.0;
    let mut crowd = Crowd::default();
    let agents = [(-6.0, -0.05, 1.3), (6.0, 0.05, -1.3)].map(|(x, y, speed)| {
        crowd.create_agent(AgentDef {
            model,
            bias: 0.0,
            time_horizon: 3.0,
            velocity: vec2(speed, 0.0),
            preferred_velocity: vec2(speed, 0.0),
            ..AgentDef::at((x, y))
        })
    });
    let place = |step: u16, speed: f32| vec2(WIDTH * f32::from(step) - 9.5, height + TALL * speed);
    sheet.line(place(0, 0.0), place(STEPS, 0.0), Tone::Miss);
    for step in 0..STEPS {
        let before = agents.map(|agent| crowd.agent(agent).velocity().y);
        crowd.step(STEP);
        for ((agent, tone), from) in agents.into_iter().zip([Tone::Hit, Tone::Note]).zip(before) {
            let to = crowd.agent(agent).velocity().y;
            sheet.line(place(step, from), place(step + 1, to), tone);
        }
    }
}

fn turning() -> Stage {
    let rates = [
        (f32::INFINITY, "no limit"),
        (2.0, "2 rad/s"),
        (1.0, "1 rad/s"),
        (0.5, "0.5 rad/s"),
    ];
    let mut sheet = Sheet::new();
    for (i, (rate, name)) in (0u8..).zip(rates) {
        let start = vec2(3.8 * f32::from(i), 0.0);
        sheet.text(start + vec2(0.6, -1.2), name);
        for goal in [vec2(1.4, 4.6), vec2(-0.6, 1.6)] {
            turned_way(&mut sheet, rate, start, start + goal);
        }
    }
    sheet.show()
}

/// Draws the way of an agent that turns by `rate` at most, and where it faces each third of a second.
fn turned_way(sheet: &mut Sheet, rate: f32, start: Vec2, goal: Vec2) {
    const STEPS: u16 = 720;
    const STEP: f32 = 1.0 / 60.0;
    const FACING_STEPS: u16 = 20;
    let mut crowd = Crowd::default();
    let target = Target {
        point: goal.into(),
        radius: 0.05,
        speed: 1.0,
    };
    let agent = crowd.create_agent(AgentDef {
        velocity: vec2(1.0, 0.0),
        target: Some(target),
        max_turn_rate: rate,
        ..AgentDef::at((start.x, start.y))
    });
    let place = |crowd: &Crowd| crowd.agent(agent).position().to_point().coords;
    sheet.dot(goal, Tone::Note);
    for step in 0..STEPS {
        let from = place(&crowd);
        let facing = crowd.agent(agent).heading();
        if let Some(facing) = facing
            .filter(|_| step.is_multiple_of(FACING_STEPS) && !crowd.agent(agent).has_arrived())
        {
            sheet.arrow(from, from + facing * 0.35, Tone::Note);
        }
        crowd.step(STEP);
        sheet.line(from, place(&crowd), Tone::Hit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tangents_touch_the_disc() {
        let (center, radius) = (vec2(4.5, 2.0), 1.0);
        for touch in tangents(center, radius) {
            assert!(((touch - center).norm() - radius).abs() < 1.0e-6);
            assert!(touch.dot(&(touch - center)).abs() < 1.0e-5);
        }
    }

    #[test]
    fn change_leads_to_the_border_of_the_velocity_obstacle() {
        // On the border the way passes the disc by its radius, or is on the cut-off disc.
        let (way, radius, horizon) = (vec2(4.5, 2.0), 1.0, 2.5);
        let velocity = vec2(2.6, 1.3);
        let plane = plane_of_pair(way, radius, velocity, horizon);
        let out = velocity + plane.normal * (2.0 * plane.violation(&velocity));
        let along = out.normalize();
        let leg = (way - along * way.dot(&along)).norm();
        let tip = (out - way / horizon).norm() * horizon;
        assert!((leg - radius).abs() < 1.0e-3 || (tip - radius).abs() < 1.0e-3);
    }
}
