//! Debug drawing.

use crate::abi::{In, Out, Outcome, Zeroed};
use crate::contact::touching;
use crate::draw_list::{Draw, play};
use crate::slot::Slot;
use crate::types::*;
use crate::worlds::world;
use cairn2d::{
    Aabb, BodyKind, BodyRef, ContactRef, JointRef, Pose, Shape, ShapeRef, Vec2, WorldPoint,
};
use core::ffi::{c_char, c_int, c_void};
use std::collections::BTreeMap;
use std::ffi::CString;

/// Colors as 0xRRGGBB.
mod color {
    use crate::types::b2HexColor;

    pub(super) const SENSOR: b2HexColor = 0xf5deb3;
    pub(super) const DISABLED: b2HexColor = 0x708090;
    pub(super) const MASSLESS: b2HexColor = 0xff0000;
    pub(super) const STATIC: b2HexColor = 0x98fb98;
    pub(super) const KINEMATIC: b2HexColor = 0x4169e1;
    pub(super) const BULLET: b2HexColor = 0x40e0d0;
    pub(super) const AWAKE: b2HexColor = 0xffc0cb;
    pub(super) const ASLEEP: b2HexColor = 0x808080;
    pub(super) const JOINT: b2HexColor = 0x66cdaa;
    pub(super) const BOUNDS: b2HexColor = 0xdaa520;
    pub(super) const TEXT: b2HexColor = 0xffffff;
    pub(super) const NAME: b2HexColor = 0x8a2be2;
    pub(super) const SPECULATIVE: b2HexColor = 0xd3d3d3;
    pub(super) const TOUCHING: b2HexColor = 0x0000ff;
    pub(super) const NORMAL: b2HexColor = 0xf8f8ff;
    pub(super) const FORCE: b2HexColor = 0xff00ff;
    pub(super) const FRICTION: b2HexColor = 0xffff00;
    pub(super) const ISLAND: b2HexColor = 0xff4500;
}

/// Colors of the constraint graph's groups.
const GRAPH_COLORS: [b2HexColor; 24] = [
    0xff0000, 0xffa500, 0xffff00, 0x32cd32, 0x00ff7f, 0x00ffff, 0x1e90ff, 0x8a2be2, 0xff00ff,
    0xff1493, 0xdc143c, 0xff7f50, 0xffd700, 0xadff2f, 0x3cb371, 0x40e0d0, 0x00bfff, 0x6495ed,
    0x7b68ee, 0xba55d3, 0xff69b4, 0xff6347, 0xf0e68c, 0xc0c0c0,
];

/// Sizes of points [pixels] and lengths of normals [m].
const POINT_SIZE: f32 = 5.0;
const NORMAL_LENGTH: f32 = 0.3;

fn graph_color(index: usize) -> b2HexColor {
    GRAPH_COLORS[index.min(GRAPH_COLORS.len() - 1)]
}

fn color_of(shape: ShapeRef<'_>, body: BodyRef<'_>, custom: u32) -> b2HexColor {
    if custom != 0 {
        custom as b2HexColor
    } else if body.kind() == BodyKind::Dynamic && body.is_massless() {
        color::MASSLESS
    } else if !body.is_enabled() {
        color::DISABLED
    } else if shape.is_sensor() {
        color::SENSOR
    } else {
        match body.kind() {
            BodyKind::Static => color::STATIC,
            BodyKind::Kinematic => color::KINEMATIC,
            BodyKind::Dynamic if body.is_bullet() && body.is_awake() => color::BULLET,
            BodyKind::Dynamic if body.is_awake() => color::AWAKE,
            BodyKind::Dynamic => color::ASLEEP,
        }
    }
}

/// What is drawn of a world.
struct Drawing<'a> {
    slot: &'a Slot,
    options: &'a b2DebugDraw,
    list: Vec<Draw>,
}

impl Drawing<'_> {
    fn is_in_view(&self, aabb: &Aabb) -> bool {
        self.options.drawingBounds.aabb().overlaps(aabb)
    }

    fn shape(&mut self, shape: ShapeRef<'_>, body: BodyRef<'_>, color: b2HexColor) {
        let transform = crate::body::transform(body);
        let pose: Pose = transform.pose();
        let placed = |point: cairn2d::Point| -> b2Vec2 { (pose * point).into() };
        match shape.geometry() {
            Shape::Circle(circle) => self.list.push(Draw::SolidCircle(
                transform,
                circle.center().into(),
                circle.radius(),
                color,
            )),
            Shape::Capsule(capsule) => self.list.push(Draw::SolidCapsule(
                [placed(capsule.a()), placed(capsule.b())],
                capsule.radius(),
                color,
            )),
            Shape::Segment(segment) => {
                let ends = [placed(segment.a()), placed(segment.b())];
                self.list.push(Draw::Line(ends, color));
            }
            Shape::ChainSegment(chain) => {
                let ends = [placed(chain.a()), placed(chain.b())];
                self.list.push(Draw::Line(ends, color));
                if self.options.drawChainNormals.is_set() {
                    let middle = pose * (chain.a() + 0.5 * (chain.b() - chain.a()));
                    let tip = middle + NORMAL_LENGTH * (pose.rotation * chain.normal());
                    self.list
                        .push(Draw::Line([middle.into(), tip.into()], color::NORMAL));
                }
            }
            Shape::Polygon(polygon) => {
                let vertices = polygon.vertices().iter().map(|&v| v.into()).collect();
                let radius = polygon.radius();
                self.list
                    .push(Draw::SolidPolygon(transform, vertices, radius, color));
            }
            _ => {}
        }
    }

    fn shapes(&mut self) {
        let slot = self.slot;
        let extras = slot.shape_extras();
        for shape in slot.world.shapes() {
            let aabb = shape.aabb();
            let Some(body) = slot.world.get_body(shape.body()) else {
                continue;
            };
            if !self.is_in_view(&aabb) {
                continue;
            }
            if self.options.drawShapes.is_set() {
                let extra = extras.get(shape.id().index() as usize);
                let custom = extra.map_or(0, |extra| extra.color);
                self.shape(shape, body, color_of(shape, body, custom));
            }
            if self.options.drawBounds.is_set() {
                let fat = shape.fat_box().into();
                self.list.push(Draw::Bounds(fat, color::BOUNDS));
            }
        }
    }

    fn bodies(&mut self) {
        let slot = self.slot;
        for body in slot.world.bodies() {
            let is_dynamic = body.kind() == BodyKind::Dynamic;
            if self.options.drawMass.is_set() && is_dynamic {
                let center: b2Vec2 = body.center_exact().into();
                self.list
                    .push(Draw::Transform(b2Transform::new(center, body.rotation())));
                self.text(center, &format!("  {:.2}", body.mass()), color::TEXT);
            }
            let extra = slot.bodies.get(body.id().index() as usize);
            let name = extra.and_then(|extra| extra.name.clone());
            if let Some(name) = name.filter(|_| self.options.drawBodyNames.is_set()) {
                let place = body.position_exact().into();
                self.list.push(Draw::Text(place, name, color::NAME));
            }
        }
    }

    fn text(&mut self, place: b2Vec2, text: &str, color: b2HexColor) {
        if let Ok(text) = CString::new(text) {
            self.list.push(Draw::Text(place, text, color));
        }
    }

    fn joint(&mut self, joint: JointRef<'_>) {
        let [a, b] = joint.anchors();
        let [body_a, body_b] = joint.bodies().map(|id| {
            self.slot
                .world
                .get_body(id)
                .map(|body| body.position_exact())
        });
        let color = match joint.color() {
            Some(index) if self.options.drawGraphColors.is_set() => graph_color(index as usize),
            _ => color::JOINT,
        };
        let mut line = |from: Option<WorldPoint>, to: WorldPoint| {
            if let Some(from) = from {
                self.list.push(Draw::Line([from.into(), to.into()], color));
            }
        };
        line(body_a, a);
        line(Some(a), b);
        line(body_b, b);
        let size = POINT_SIZE * self.options.jointScale;
        self.list.push(Draw::Point(a.into(), size, color));
        if self.options.drawJointExtras.is_set() {
            let force = joint.reaction().force.norm();
            self.text(b.into(), &format!("{force:.2} N"), color::TEXT);
        }
    }

    fn contact(&mut self, contact: ContactRef<'_>) {
        let options = self.options;
        let normal = contact.normal();
        let tangent = Vec2::new(normal.y, -normal.x);
        for point in contact.points() {
            let color = match contact.color() {
                Some(index) if options.drawGraphColors.is_set() => graph_color(index as usize),
                _ if point.separation > 0.0 => color::SPECULATIVE,
                _ => color::TOUCHING,
            };
            let place = point.point;
            let mut line = |by: Vec2, color| {
                self.list
                    .push(Draw::Line([place.into(), (place + by).into()], color));
            };
            if options.drawContactNormals.is_set() {
                line(NORMAL_LENGTH * normal, color::NORMAL);
            }
            if options.drawContactForces.is_set() {
                line(
                    options.forceScale * point.normal_impulse * normal,
                    color::FORCE,
                );
            }
            if options.drawFrictionForces.is_set() {
                let force = options.forceScale * point.tangent_impulse;
                line(force * tangent, color::FRICTION);
            }
            self.list.push(Draw::Point(place.into(), POINT_SIZE, color));
        }
    }

    fn islands(&mut self) {
        let mut boxes: BTreeMap<u32, Aabb> = BTreeMap::new();
        for body in self.slot.world.bodies() {
            if let (Some(island), Some(aabb)) = (body.island(), body.aabb()) {
                let all = boxes.entry(island).or_insert(aabb);
                *all = all.union(&aabb);
            }
        }
        let calls = boxes
            .into_values()
            .map(|aabb| Draw::Bounds(aabb.into(), color::ISLAND));
        self.list.extend(calls);
    }
}

fn drawing(slot: &Slot, options: &b2DebugDraw) -> Vec<Draw> {
    let mut drawing = Drawing {
        slot,
        options,
        list: Vec::new(),
    };
    drawing.shapes();
    if options.drawJoints.is_set() {
        slot.world.joints().for_each(|joint| drawing.joint(joint));
    }
    drawing.bodies();
    if options.drawContacts.is_set() {
        touching(&slot.world).for_each(|contact| drawing.contact(contact));
    }
    if options.drawIslands.is_set() {
        drawing.islands();
    }
    drawing.list
}

extern "C" fn no_polygon(_: b2Transform, _: In<b2Vec2>, _: c_int, _: b2HexColor, _: *mut c_void) {}
extern "C" fn no_solid_polygon(
    _: b2Transform,
    _: In<b2Vec2>,
    _: c_int,
    _: f32,
    _: b2HexColor,
    _: *mut c_void,
) {
}
extern "C" fn no_circle(_: b2Pos, _: f32, _: b2HexColor, _: *mut c_void) {}
extern "C" fn no_solid_circle(_: b2Transform, _: b2Vec2, _: f32, _: b2HexColor, _: *mut c_void) {}
extern "C" fn no_capsule(_: b2Pos, _: b2Pos, _: f32, _: b2HexColor, _: *mut c_void) {}
extern "C" fn no_line(_: b2Pos, _: b2Pos, _: b2HexColor, _: *mut c_void) {}
extern "C" fn no_transform(_: b2Transform, _: *mut c_void) {}
extern "C" fn no_point(_: b2Pos, _: f32, _: b2HexColor, _: *mut c_void) {}
extern "C" fn no_string(_: b2Pos, _: In<c_char>, _: b2HexColor, _: *mut c_void) {}
extern "C" fn no_bounds(_: b2AABB, _: b2HexColor, _: *mut c_void) {}

fn world_drawing(id: b2WorldId, options: &b2DebugDraw) -> Outcome<Vec<Draw>> {
    world(id, |slot| Ok(drawing(slot, options)))
}

c_functions! {
    fn b2World_Draw(id: b2WorldId, draw: Out<b2DebugDraw>) {
        let options = draw.get()?;
        play(&world_drawing(id, &options)?, &options)
    }

    fn b2GetGraphColor(index: c_int) -> b2HexColor { graph_color(usize::try_from(index).unwrap_or(0)) }

    /// All functions do nothing, so that a program may set some.
    fn b2DefaultDebugDraw() -> b2DebugDraw {
        b2DebugDraw {
            DrawPolygonFcn: Some(no_polygon),
            DrawSolidPolygonFcn: Some(no_solid_polygon),
            DrawCircleFcn: Some(no_circle),
            DrawSolidCircleFcn: Some(no_solid_circle),
            DrawSolidCapsuleFcn: Some(no_capsule),
            DrawLineFcn: Some(no_line),
            DrawTransformFcn: Some(no_transform),
            DrawPointFcn: Some(no_point),
            DrawStringFcn: Some(no_string),
            DrawBoundsFcn: Some(no_bounds),
            drawingBounds: b2AABB {
                lowerBound: b2Vec2 { x: f32::MIN, y: f32::MIN },
                upperBound: b2Vec2 { x: f32::MAX, y: f32::MAX },
            },
            forceScale: 1.0,
            jointScale: 1.0,
            drawShapes: true.into(),
            ..b2DebugDraw::zeroed()
        }
    }
}
