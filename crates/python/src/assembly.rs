//! Assembly: brings the bodies of revolute joints together before their first step, as Box2D does.
//!
//! Programs for Box2D create linkages whose anchors are far apart, and its position solver joins them within a step or two,
//! without speed. The engine closes gaps by forces, which would throw the bodies. So a world of the `Box2D` module solves
//! positions once after joints were created: nonlinear Gauss-Seidel over contacts with static shapes, limits and anchors.
//!
//! Source: the position constraints of Box2D 2.3 (`b2RevoluteJoint`, `b2ContactSolver`).

use cairn2d::geometry::{ManifoldCache, collide};
use cairn2d::math::{Pose, Vec2, rotation};
use cairn2d::nalgebra::{Isometry2, Matrix2, Translation2};
use cairn2d::{Aabb, BodyId, JointDef, QueryFilter, RevoluteJointDef, ShapeId, WorldPoint, vec2};

/// Gap of anchors from which bodies are assembled [m]: ten times the slop of Box2D. Smaller gaps the engine closes by itself.
const MIN_GAP: f32 = 0.05;

/// Greatest number of passes over all constraints: as many as the environments request.
const MAX_PASSES: usize = 60;

/// Error that stays [m]: `b2_linearSlop`.
const SLOP: f32 = 0.005;

/// Gap of anchors that stays after the last passes [m]. The engine counts a joint that was created open as open until its
/// gap is below 0.02 mm, and its substeps bear no load by such a gap: a walker sank into its joints by 5 cm.
const CLOSED: f32 = 1.0e-5;

/// Greatest number of last passes, over anchors alone.
const MAX_LAST_PASSES: usize = 400;

/// Greatest correction of an angle in a pass [rad]: `b2_maxAngularCorrection`, 8 degrees.
const MAX_TURN: f32 = 8.0 / 180.0 * cairn2d::math::PI;

/// Greatest correction of an overlap in a pass [m]: `b2_maxLinearCorrection`.
const MAX_PUSH: f32 = 0.2;

/// Share of an overlap that a pass corrects: `b2_baumgarte`.
const PUSH_SHARE: f32 = 0.2;

/// Distance around a body within which static shapes are considered [m]: a body moves by less during assembly.
const REACH: f32 = 1.0;

/// A body that is moved; immovable ones have no mass.
#[derive(Clone, Copy, Debug)]
struct Part {
    id: BodyId,
    /// Center of mass, relative to the first body [m].
    center: Vec2,
    angle: f32,
    inv_mass: f32,
    inv_inertia: f32,
    local_center: Vec2,
}

/// A shape of a part, and a static shape near it.
#[derive(Clone, Copy, Debug)]
struct Touch {
    part: usize,
    shape: ShapeId,
    ground: ShapeId,
}

/// A joint of two parts.
#[derive(Clone, Copy, Debug)]
struct Link {
    parts: [usize; 2],
    def: RevoluteJointDef,
}

/// The bodies and constraints of an assembly.
#[derive(Debug, Default)]
struct Assembly {
    base: WorldPoint,
    parts: Vec<Part>,
    links: Vec<Link>,
    touches: Vec<Touch>,
}

/// Moves the bodies of revolute joints together, if any of these is open.
pub(crate) fn assemble(world: &mut cairn2d::World) {
    if world.joints().all(|joint| joint.gap() < MIN_GAP) {
        return;
    }
    let mut assembly = Assembly::new(world);
    for _ in 0..MAX_PASSES {
        if assembly.pass(world) {
            break;
        }
    }
    assembly.close_gaps();
    for part in assembly.parts.iter().filter(|part| part.inv_mass > 0.0) {
        let origin = assembly.base + (part.center - rotation(part.angle) * part.local_center);
        // A pose beyond the edge of the world is left as it was.
        let _ = world.body_mut(part.id).try_set_pose(origin, part.angle);
    }
}

impl Assembly {
    fn new(world: &cairn2d::World) -> Self {
        let mut assembly = Self::default();
        for joint in world.joints() {
            if let JointDef::Revolute(def) = joint.def() {
                if assembly.parts.is_empty() {
                    assembly.base = world.body(def.base.body_a).center_exact();
                }
                let parts = [def.base.body_a, def.base.body_b].map(|id| assembly.part(world, id));
                assembly.links.push(Link { parts, def: *def });
            }
        }
        for at in 0..assembly.parts.len() {
            assembly.add_touches(world, at);
        }
        assembly
    }

    /// Returns the place of a body among the parts.
    fn part(&mut self, world: &cairn2d::World, id: BodyId) -> usize {
        if let Some(at) = self.parts.iter().position(|part| part.id == id) {
            return at;
        }
        let body = world.body(id);
        let inverse = |x: f32| if x > 0.0 { 1.0 / x } else { 0.0 };
        self.parts.push(Part {
            id,
            center: body.center_exact() - self.base,
            angle: body.angle(),
            inv_mass: inverse(body.mass()),
            inv_inertia: inverse(body.inertia()),
            local_center: body.local_center().coords,
        });
        self.parts.len() - 1
    }

    /// Lists the static shapes near a part with which its shapes collide.
    fn add_touches(&mut self, world: &cairn2d::World, part: usize) {
        let is_static = QueryFilter::default().kinds(cairn2d::BodyKinds::FIXED);
        for shape in world
            .body(self.parts[part].id)
            .shapes()
            .filter(|shape| !shape.is_sensor())
        {
            let aabb = shape.aabb();
            let reach = vec2(REACH, REACH);
            let area = Aabb {
                min: aabb.min - reach,
                max: aabb.max + reach,
            };
            for ground in world.shapes_near(&area, is_static) {
                if world.shape(ground).filter().meets(&shape.filter()) {
                    self.touches.push(Touch {
                        part,
                        shape: shape.id(),
                        ground,
                    });
                }
            }
        }
    }

    /// Solves each constraint once; returns whether all errors were small.
    fn pass(&mut self, world: &cairn2d::World) -> bool {
        let mut solved = true;
        for at in 0..self.touches.len() {
            solved &= self.push_out(world, self.touches[at]);
        }
        for at in 0..self.links.len() {
            let link = self.links[at];
            solved &= self.turn_to_limit(&link);
            solved &= self.join(&link) <= SLOP;
        }
        solved
    }

    /// Closes the gaps of anchors that are left.
    fn close_gaps(&mut self) {
        for _ in 0..MAX_LAST_PASSES {
            let gaps = (0..self.links.len()).map(|at| {
                let link = self.links[at];
                self.join(&link)
            });
            if gaps.fold(0.0, f32::max) <= CLOSED {
                return;
            }
        }
    }

    /// Moves a part out of a static shape.
    fn push_out(&mut self, world: &cairn2d::World, touch: Touch) -> bool {
        let ground = world.shape(touch.ground);
        let body = world.body(ground.body());
        let from = Isometry2::from_parts(
            Translation2::from(body.position_exact() - self.base),
            body.rotation(),
        );
        let part = &mut self.parts[touch.part];
        let manifold = collide(
            ground.geometry(),
            world.shape(touch.shape).geometry(),
            &(from.inverse() * part.pose()),
            &mut ManifoldCache::default(),
        );
        let normal = from.rotation * manifold.normal;
        let mut solved = true;
        for point in manifold.points() {
            let error = point.separation;
            solved &= error >= -3.0 * SLOP;
            let arm = (from * point.point).coords - part.center;
            let turn = arm.x * normal.y - arm.y * normal.x;
            let stiffness = part.inv_mass + part.inv_inertia * turn * turn;
            let correction = (PUSH_SHARE * (error + SLOP)).clamp(-MAX_PUSH, 0.0);
            if stiffness > 0.0 {
                part.shift(normal, arm, -correction / stiffness);
            }
        }
        solved
    }

    /// Turns two parts into the limit of their joint.
    fn turn_to_limit(&mut self, link: &Link) -> bool {
        let Some(limit) = link.def.limit else {
            return true;
        };
        let [a, b] = link.parts.map(|at| self.parts[at]);
        let stiffness = a.inv_inertia + b.inv_inertia;
        let base = &link.def.base;
        let angle = (b.angle + base.frame_b.angle) - (a.angle + base.frame_a.angle);
        let error = if angle < limit.lower {
            angle - limit.lower
        } else {
            (angle - limit.upper).max(0.0)
        };
        if error == 0.0 || stiffness == 0.0 {
            return true;
        }
        let impulse = -error.clamp(-MAX_TURN, MAX_TURN) / stiffness;
        self.parts[link.parts[0]].angle -= a.inv_inertia * impulse;
        self.parts[link.parts[1]].angle += b.inv_inertia * impulse;
        error.abs() <= 2.0 / 180.0 * cairn2d::math::PI
    }

    /// Moves two parts so that their anchors meet; returns the gap before [m].
    fn join(&mut self, link: &Link) -> f32 {
        let [a, b] = link.parts.map(|at| self.parts[at]);
        let frames = [link.def.base.frame_a, link.def.base.frame_b];
        let arm_a = rotation(a.angle) * (frames[0].anchor.coords - a.local_center);
        let arm_b = rotation(b.angle) * (frames[1].anchor.coords - b.local_center);
        let gap = b.center + arm_b - a.center - arm_a;
        let mass = a.inv_mass + b.inv_mass;
        let (ia, ib) = (a.inv_inertia, b.inv_inertia);
        let off = -ia * arm_a.x * arm_a.y - ib * arm_b.x * arm_b.y;
        let stiffness = Matrix2::new(
            mass + ia * arm_a.y * arm_a.y + ib * arm_b.y * arm_b.y,
            off,
            off,
            mass + ia * arm_a.x * arm_a.x + ib * arm_b.x * arm_b.x,
        );
        let Some(inverse) = stiffness.try_inverse() else {
            return 0.0;
        };
        let impulse = -(inverse * gap);
        self.parts[link.parts[0]].shift(impulse, arm_a, -1.0);
        self.parts[link.parts[1]].shift(impulse, arm_b, 1.0);
        gap.norm()
    }
}

impl Part {
    /// Moves the part as by `scale` times an impulse at `arm`.
    fn shift(&mut self, impulse: Vec2, arm: Vec2, scale: f32) {
        self.center += self.inv_mass * scale * impulse;
        self.angle += self.inv_inertia * scale * (arm.x * impulse.y - arm.y * impulse.x);
    }

    /// Pose of the body's frame, relative to the base.
    fn pose(&self) -> Pose {
        let turn = rotation(self.angle);
        Isometry2::from_parts(
            Translation2::from(self.center - turn * self.local_center),
            turn,
        )
    }
}
