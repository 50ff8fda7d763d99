//! Drawing of joints: anchors and lines, and their parts: axes, limits, motors and springs.

use super::color::{Color, Dash, Style};
use super::options::{DrawOptions, Layer};
use super::pen::DebugDraw;
use cairn2d_dynamics::{BodyKind, JointDef, JointRef, Limit, World};
use cairn2d_geometry::math::{PI, Rotation, Vec2, WorldPoint, left_perp, rotation, vec2};

/// Radius of the ring at a joint's anchor \[px\].
const ANCHOR_RADIUS: f32 = 2.6;

/// Maximum radius of the ring in the world \[m\]: at small scales, joints must not hide bodies.
const ANCHOR_SIZE: f32 = 0.12;

/// Radius of the arc of an angle \[px\].
const ARC_RADIUS: f32 = 15.0;

/// Maximum radius of the arc in the world \[m\].
const MAX_ARC: f32 = 0.6;

/// Angle between two corners of an arc \[rad\].
const ARC_STEP: f32 = 0.2;

/// Half the length of the mark at a limit of a translation, as a share of the radius of an arc.
const MARK_SHARE: f32 = 0.5;

/// Bends of a spring.
const BENDS: u16 = 8;

/// Draws rings at the anchors, thin lines from the centers of moving bodies to them, and a line between the
/// anchors; and the parts of the joints.
pub(super) fn draw_joints(world: &World, pen: &mut impl DebugDraw, options: &DrawOptions) {
    for joint in world.joints().filter(|joint| sees(joint, options)) {
        let is_line = !matches!(joint.def(), JointDef::Gear(_) | JointDef::Filter(_));
        if options.shows(Layer::Joints) && is_line {
            draw_lines(world, &joint, pen, options);
        }
        if options.shows(Layer::JointParts) {
            Parts::new(world, &joint, pen, options).draw(&joint);
        }
    }
}

fn sees(joint: &JointRef<'_>, options: &DrawOptions) -> bool {
    let ends = joint.anchors().map(WorldPoint::to_point);
    options.sees(&cairn2d_geometry::Aabb::from_points(&ends))
}

fn draw_lines(
    world: &World,
    joint: &JointRef<'_>,
    pen: &mut impl DebugDraw,
    options: &DrawOptions,
) {
    let anchors = joint.anchors();
    let scale = pen.pixels_per_meter();
    let near = (ANCHOR_SIZE * scale / ANCHOR_RADIUS).min(1.0);
    let color = match joint.color().filter(|_| options.shows(Layer::Graph)) {
        Some(number) => options.palette.by_index(number),
        None => options.palette.joint.faded(0.75),
    };
    let arm = Style::line(color.faded(0.45), near);
    let ring = Style::line(color, 1.1 * near);
    for (id, anchor) in joint.bodies().into_iter().zip(anchors) {
        let body = world.body(id);
        if body.kind() != BodyKind::Static {
            pen.segment(body.center_exact(), anchor, &arm);
        }
        pen.circle(anchor, ANCHOR_RADIUS * near / scale, &ring);
    }
    let rod = Style::line(color, 1.4 * near);
    match joint.def() {
        JointDef::Pulley(rope) => {
            pen.segment(anchors[0], rope.wheel_a, &rod);
            pen.segment(rope.wheel_a, rope.wheel_b, &rod);
            pen.segment(rope.wheel_b, anchors[1], &rod);
        }
        _ => pen.segment(anchors[0], anchors[1], &rod),
    }
}

/// The parts of one joint, in colors of their own.
struct Parts<'a, P> {
    pen: &'a mut P,
    anchors: [WorldPoint; 2],
    /// Rotation of the joint frame on A.
    turn: Rotation,
    /// Center of mass of A.
    center_a: WorldPoint,
    /// Radius of arcs \[m\].
    radius: f32,
    axis: Style,
    limit: Style,
    motor: Style,
    spring: Style,
}

impl<'a, P: DebugDraw> Parts<'a, P> {
    fn new(world: &World, joint: &JointRef<'_>, pen: &'a mut P, options: &DrawOptions) -> Self {
        let body_a = world.body(joint.bodies()[0]);
        let scale = pen.pixels_per_meter();
        let near = (MAX_ARC * scale / ARC_RADIUS).min(1.0);
        let line = |color: Color| Style::line(color, 1.4 * near);
        let palette = &options.palette;
        Self {
            pen,
            anchors: joint.anchors(),
            turn: body_a.rotation() * rotation(joint.def().base().frame_a.angle),
            center_a: body_a.center_exact(),
            radius: ARC_RADIUS * near / scale,
            axis: Style {
                dash: Dash::Dashed,
                ..line(palette.joint.faded(0.6))
            },
            limit: line(palette.contact),
            motor: line(palette.velocity),
            spring: line(palette.impulse),
        }
    }

    fn draw(mut self, joint: &JointRef<'_>) {
        let [a, b] = self.anchors;
        let along = self.turn * Vec2::x();
        match joint.def() {
            JointDef::Revolute(def) => {
                self.angle_limit(def.limit, joint.angle());
                self.turning(def.motor.map(|motor| motor.speed));
                if def.spring.is_some() {
                    self.coil();
                }
            }
            JointDef::Prismatic(def) => {
                self.slider(def.limit);
                if let Some(motor) = def.motor {
                    self.pushing(along, motor.speed);
                }
                if def.spring.is_some() {
                    self.zigzag(a, b);
                }
            }
            JointDef::Wheel(def) => {
                self.slider(def.limit);
                self.turning(def.motor.map(|motor| motor.speed));
                if def.spring.is_some() {
                    let up = (self.center_a - a).dot(&along);
                    self.zigzag(a + along * up, b);
                }
            }
            JointDef::Distance(def) => {
                let along = (b - a).try_normalize(f32::EPSILON).unwrap_or(along);
                self.marks(along, def.limit);
                if let Some(motor) = def.motor {
                    self.pushing(along, motor.speed);
                }
                if def.spring.is_some() {
                    self.zigzag(a, b);
                }
            }
            JointDef::Weld(def) => self.block(def.linear.is_some() || def.angular.is_some()),
            JointDef::Motor(def) => {
                if def.linear_spring.is_some() {
                    self.zigzag(a, b);
                }
                self.pen.arrow(b, b + def.linear_velocity, &self.motor);
                let turns = def.max_velocity_torque > 0.0;
                self.turning(turns.then_some(def.angular_velocity));
            }
            JointDef::Mouse(_) => self.zigzag(a, b),
            _ => {}
        }
    }

    /// Draws an arc about B's anchor, from one angle to another against the x axis of A's frame.
    fn arc(&mut self, radius: f32, from: f32, to: f32, style: &Style) -> WorldPoint {
        let (center, turn) = (self.anchors[1], self.turn);
        let at = |angle: f32| center + turn * rotation(angle) * vec2(radius, 0.0);
        let count = ((to - from).abs() / ARC_STEP).ceil().max(1.0);
        let mut last = at(from);
        for i in 1..=count as u32 {
            let next = at(from + (to - from) * i as f32 / count);
            self.pen.segment(last, next, style);
            last = next;
        }
        last
    }

    /// Draws the range of an angle as a sector, and a hand at the angle.
    fn angle_limit(&mut self, limit: Option<Limit>, angle: f32) {
        let Some(limit) = limit else {
            return;
        };
        let (center, turn, radius) = (self.anchors[1], self.turn, self.radius);
        let lower = limit.lower.max(angle - 2.0 * PI);
        let upper = limit.upper.min(angle + 2.0 * PI).max(lower);
        let style = self.limit;
        self.arc(radius, lower, upper, &style);
        for end in [limit.lower, limit.upper] {
            if end.is_finite() {
                let rim = center + turn * rotation(end) * vec2(radius, 0.0);
                self.pen.segment(center, rim, &style);
            }
        }
        let hand = center + turn * rotation(angle) * vec2(1.2 * radius, 0.0);
        self.pen.segment(center, hand, &self.axis);
    }

    /// Draws an arrow that turns like the motor; an arc without a head for a brake.
    fn turning(&mut self, speed: Option<f32>) {
        let Some(speed) = speed else {
            return;
        };
        let (radius, style) = (0.7 * self.radius, self.motor);
        let sweep = if speed < 0.0 { -1.5 * PI } else { 1.5 * PI };
        let end = self.arc(radius, 0.0, sweep, &style);
        if speed != 0.0 {
            let outward = (end - self.anchors[1]) / radius;
            let ahead = left_perp(&outward) * speed.signum();
            let tail = end - ahead * (0.1 * radius);
            self.pen.arrow(tail, end + ahead * (0.4 * radius), &style);
        }
    }

    /// Draws an arrow along the axis at B's anchor.
    fn pushing(&mut self, along: Vec2, speed: f32) {
        let b = self.anchors[1];
        let end = b + along * (2.0 * self.radius * speed.signum());
        if speed == 0.0 {
            let half = along * (0.5 * self.radius);
            self.pen.segment(b - half, b + half, &self.motor);
        } else {
            self.pen.arrow(b, end, &self.motor);
        }
    }

    /// Draws the axis of a slider as far as its limits, or through both anchors.
    fn slider(&mut self, limit: Option<Limit>) {
        let (a, along) = (self.anchors[0], self.turn * Vec2::x());
        let way = (self.anchors[1] - a).dot(&along);
        let ends = limit.map_or([0.0, 0.0], |limit| [limit.lower, limit.upper]);
        let reach = |end: f32, side: f32| {
            let usual = side * 2.0 * self.radius;
            if limit.is_some() && end.is_finite() {
                end
            } else if side < 0.0 {
                way.min(0.0) + usual
            } else {
                way.max(0.0) + usual
            }
        };
        let [low, high] = [reach(ends[0], -1.0), reach(ends[1], 1.0)];
        self.pen
            .segment(a + along * low, a + along * high, &self.axis);
        self.marks(along, limit);
    }

    /// Draws a mark across the axis at each finite limit of a distance from A's anchor.
    fn marks(&mut self, along: Vec2, limit: Option<Limit>) {
        let across = left_perp(&along) * (MARK_SHARE * self.radius);
        for end in limit.iter().flat_map(|limit| [limit.lower, limit.upper]) {
            if end.is_finite() {
                let at = self.anchors[0] + along * end;
                self.pen.segment(at - across, at + across, &self.limit);
            }
        }
    }

    /// Draws a spring between two points.
    fn zigzag(&mut self, from: WorldPoint, to: WorldPoint) {
        let whole = to - from;
        let Some(along) = whole.try_normalize(f32::EPSILON) else {
            return;
        };
        let side = left_perp(&along) * (0.35 * self.radius);
        let mut last = from;
        for bend in 1..=BENDS {
            let share = (f32::from(bend) - 0.5) / f32::from(BENDS);
            let sign = if bend % 2 == 0 { -1.0 } else { 1.0 };
            let next = from + whole * share + side * sign;
            self.pen.segment(last, next, &self.spring);
            last = next;
        }
        self.pen.segment(last, to, &self.spring);
    }

    /// Draws a torsion spring: a spiral about the anchor.
    fn coil(&mut self) {
        let style = self.spring;
        for turn in 0..2_u8 {
            let radius = (0.3 + 0.18 * f32::from(turn)) * self.radius;
            let start = PI * f32::from(turn);
            self.arc(radius, start, start + 1.5 * PI, &style);
        }
    }

    /// Draws the block of a weld, dashed if it gives way.
    fn block(&mut self, is_soft: bool) {
        let (b, half) = (self.anchors[1], 0.3 * self.radius);
        let corner = |x: f32, y: f32| b + self.turn * vec2(x * half, y * half);
        let corners = [
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
            corner(1.0, 1.0),
            corner(-1.0, 1.0),
        ];
        let style = if is_soft {
            Style {
                dash: Dash::Dashed,
                ..self.spring
            }
        } else {
            Style {
                dash: Dash::Solid,
                ..self.axis
            }
        };
        self.pen.polygon(&corners, &style);
    }
}
