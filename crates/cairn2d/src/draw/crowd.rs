//! Drawing of agents, obstacles and the half-planes that bound the velocity of an agent.

use super::color::Style;
use super::options::{DrawOptions, Layer};
use super::pen::DebugDraw;
use cairn2d_crowd::{AgentRef, Crowd, HalfPlane};
use cairn2d_geometry::Aabb;
use cairn2d_geometry::math::{WorldPoint, left_perp};

/// Step for which half-planes are computed again \[s\]: that of most programs.
const USUAL_STEP: f32 = 1.0 / 60.0;

/// Half the length of the line of a half-plane, in multiples of the maximum speed of the agent times 1 s.
const HALF_PLANE_REACH: f32 = 1.5;

/// Width of the band on the forbidden side, in multiples of the maximum speed of the agent times 1 s.
const FORBIDDEN_BAND: f32 = 0.15;

/// Maximum number of agents with drawn half-planes: each needs a neighbor query.
const MAX_AGENTS_WITH_PLANES: usize = 60;

pub(super) fn draw_crowd(crowd: &Crowd, pen: &mut impl DebugDraw, options: &DrawOptions) {
    if options.shows(Layer::Agents) {
        draw_obstacles(crowd, pen, options);
        for agent in crowd.agents() {
            draw_agent(&agent, pen, options);
        }
    }
    if options.shows(Layer::HalfPlanes) {
        let seen = crowd.agents().filter(|agent| sees(agent, options));
        for agent in seen.take(MAX_AGENTS_WITH_PLANES) {
            draw_half_planes(&agent, pen, options);
        }
    }
}

fn draw_obstacles(crowd: &Crowd, pen: &mut impl DebugDraw, options: &DrawOptions) {
    let style = Style::line(options.palette.obstacle, 2.0 * options.line_width);
    for obstacle in crowd.obstacles() {
        let ring: Vec<WorldPoint> = obstacle.corners().collect();
        let next = ring.iter().cycle().skip(1);
        for (&a, &b) in ring.iter().zip(next) {
            pen.segment(a, b, &style);
        }
    }
}

fn sees(agent: &AgentRef<'_>, options: &DrawOptions) -> bool {
    let at = agent.position().to_point();
    options.sees(&Aabb::new(at, at).expanded(agent.radius()))
}

/// Draws the disc of an agent and its direction of motion.
fn draw_agent(agent: &AgentRef<'_>, pen: &mut impl DebugDraw, options: &DrawOptions) {
    if !sees(agent, options) {
        return;
    }
    let (at, radius) = (agent.position(), agent.radius());
    let style = options
        .palette
        .body(options.palette.agent, options.line_width);
    pen.circle(at, radius, &style);
    let ahead = agent.velocity().try_normalize(f32::EPSILON);
    if let Some(ahead) = ahead {
        let nose = at + ahead * radius;
        pen.segment(
            at,
            nose,
            &Style {
                fill: None,
                ..style
            },
        );
    }
    if options.shows(Layer::Velocities) {
        let to = at + agent.velocity() * options.velocity_time;
        pen.arrow(at, to, &Style::line(options.palette.velocity, 1.0));
    }
}

/// Draws the forbidden velocities of an agent relative to its position: 1 m per 1 m/s.
fn draw_half_planes(agent: &AgentRef<'_>, pen: &mut impl DebugDraw, options: &DrawOptions) {
    let Some(bounds) = agent.constraints(USUAL_STEP) else {
        return;
    };
    let (at, speed) = (agent.position(), agent.max_speed());
    for plane in bounds.walls.iter().chain(&bounds.agents) {
        draw_half_plane(at, speed, plane, pen, options);
    }
    let chosen = at + agent.velocity();
    pen.point(chosen, 3.0, options.palette.velocity);
}

fn draw_half_plane(
    at: WorldPoint,
    speed: f32,
    plane: &HalfPlane,
    pen: &mut impl DebugDraw,
    options: &DrawOptions,
) {
    if plane.offset < -HALF_PLANE_REACH * speed {
        return;
    }
    let color = options.palette.half_plane;
    let foot = at + plane.foot();
    let reach = plane.direction() * (HALF_PLANE_REACH * speed);
    let behind = plane.normal * (-FORBIDDEN_BAND * speed);
    let (a, b) = (foot - reach, foot + reach);
    let band = Style {
        fill: Some(color.faded(0.2)),
        ..Style::line(color.faded(0.0), 0.0)
    };
    let quad = if left_perp(&(b - a)).dot(&behind) > 0.0 {
        [a, b, b + behind, a + behind]
    } else {
        [b, a, a + behind, b + behind]
    };
    pen.polygon(&quad, &band);
    pen.segment(a, b, &Style::line(color, 1.0));
}
