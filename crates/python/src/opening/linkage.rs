//! Open linkages of a world, and their steps.

use super::hinge::OpenHinge;
use super::impact::solve_impacts;
use super::part::Part;
use super::touch::{Correction, Touch};
use super::{ANGULAR_SLOP, Iterations, SLOP};
use cairn2d::math::{rotation, vec2};
use cairn2d::nalgebra::{Isometry2, Translation2};
use cairn2d::{
    Aabb, BodyId, BodyKind, BodyKinds, JointDef, JointRef, QueryFilter, ShapeId, World, WorldError,
    WorldPoint,
};

/// Gap of anchors from which on a linkage is open [m]. Smaller gaps the engine closes by itself.
const MIN_GAP: f32 = 2.0 * SLOP;

/// Angle beyond a limit from which on a linkage whose anchors were apart is open [rad].
const MIN_EXCESS: f32 = 2.0 * ANGULAR_SLOP;

/// Gap of anchors of a linkage that is closed [m]. The engine counts a joint that was created open as open until its
/// gap is below 0.02 mm, and its substeps bear no load by such a gap: a walker sank into its joints by 5 cm.
const CLOSED: f32 = 1.0e-5;

/// Greatest number of passes over the anchors of a linkage that is closed.
const MAX_PASSES: usize = 400;

/// Distance around a body within which static shapes are considered [m]: a body moves by less in a step.
const REACH: f32 = 1.0;

/// A linkage in its first steps.
#[derive(Debug)]
pub(crate) struct Opening {
    base: WorldPoint,
    parts: Vec<Part>,
    hinges: Vec<OpenHinge>,
    touches: Vec<Touch>,
    /// Whether it has joints of other kinds, of which these rules know nothing.
    is_mixed: bool,
    /// Whether it came to touch something within the step, and touched nothing before.
    lands: bool,
}

/// Finds the linkages that are open among bodies in the order of their creation, with their angles with all turns [rad].
/// Linkages of the bodies `was_open` are open until their limits hold, too.
pub(crate) fn open_linkages(
    world: &World,
    bodies: &[(BodyId, f32)],
    was_open: &[BodyId],
) -> Vec<Opening> {
    let mut open = Vec::new();
    let mut seen: Vec<BodyId> = Vec::new();
    // Box2D begins an island with the body that was created last.
    for &(root, _) in bodies.iter().rev() {
        let body = world.body(root);
        let was = was_open.contains(&root);
        let may_open = |joint: JointRef<'_>| joint.is_enabled() && joint.gap() >= MIN_GAP;
        if body.kind() != BodyKind::Dynamic
            || seen.contains(&root)
            || !(was || body.joints().any(may_open))
        {
            continue;
        }
        let linkage = Opening::new(world, root, bodies);
        seen.extend(linkage.bodies());
        if linkage.is_open(was) {
            open.push(linkage);
        }
    }
    open
}

impl Opening {
    /// Collects bodies and joints as Box2D does, whose iterations depend on their order.
    fn new(world: &World, root: BodyId, bodies: &[(BodyId, f32)]) -> Self {
        let mut opening = Self {
            base: world.body(root).center_exact(),
            parts: Vec::new(),
            hinges: Vec::new(),
            touches: Vec::new(),
            is_mixed: false,
            lands: false,
        };
        let mut stack = vec![opening.part(world, root, bodies)];
        while let Some(at) = stack.pop() {
            let count = opening.parts.len();
            opening.add_joints(world, at, bodies);
            let is_dynamic = |&new: &usize| opening.parts[new].inv_mass > 0.0;
            stack.extend((count..opening.parts.len()).filter(is_dynamic));
        }
        for at in 0..opening.parts.len() {
            opening.add_touches(world, at);
        }
        opening
    }

    /// Returns the place of a body among the parts.
    fn part(&mut self, world: &World, id: BodyId, bodies: &[(BodyId, f32)]) -> usize {
        if let Some(at) = self.parts.iter().position(|part| part.id == id) {
            return at;
        }
        let body = world.body(id);
        let known = bodies.iter().find(|(known, _)| *known == id);
        let angle = known.map_or_else(|| body.angle(), |&(_, angle)| angle);
        self.parts
            .push(Part::new(&body, angle, self.base, world.def().gravity));
        self.parts.len() - 1
    }

    /// Adds the joints of a body, the last one first.
    fn add_joints(&mut self, world: &World, at: usize, bodies: &[(BodyId, f32)]) {
        let joints: Vec<_> = world.body(self.parts[at].id).joints().collect();
        for joint in joints.into_iter().rev() {
            if !joint.is_enabled() || self.hinges.iter().any(|hinge| hinge.id == joint.id()) {
                continue;
            }
            let JointDef::Revolute(def) = joint.def() else {
                self.is_mixed = true;
                continue;
            };
            let parts = [def.base.body_a, def.base.body_b].map(|id| self.part(world, id, bodies));
            self.hinges.push(OpenHinge::new(joint.id(), parts, *def));
        }
    }

    /// Lists the static shapes near a part with which its shapes collide.
    fn add_touches(&mut self, world: &World, at: usize) {
        if self.parts[at].inv_mass == 0.0 {
            return;
        }
        let is_static = QueryFilter::default().kinds(BodyKinds::FIXED);
        for shape in world
            .body(self.parts[at].id)
            .shapes()
            .filter(|shape| !shape.is_sensor())
        {
            let (aabb, reach) = (shape.aabb(), vec2(REACH, REACH));
            let area = Aabb {
                min: aabb.min - reach,
                max: aabb.max + reach,
            };
            // The contact that was made last comes first, as in Box2D.
            for ground in world.shapes_near(&area, is_static).into_iter().rev() {
                let other = world.shape(ground);
                if other.filter().meets(&shape.filter()) && !other.is_sensor() {
                    let friction = shape.material().friction * other.material().friction;
                    self.add_touch(world, at, [ground, shape.id()], friction.sqrt());
                }
            }
        }
    }

    fn add_touch(&mut self, world: &World, part: usize, shapes: [ShapeId; 2], friction: f32) {
        let body = world.body(world.shape(shapes[0]).body());
        let place = Translation2::from(body.position_exact() - self.base);
        let pose = Isometry2::from_parts(place, body.rotation());
        self.touches.push(Touch::new(part, shapes, pose, friction));
    }

    fn is_open(&self, was_open: bool) -> bool {
        let beyond = |hinge: &OpenHinge| was_open && hinge.excess(&self.parts) > MIN_EXCESS;
        self.hinges
            .iter()
            .any(|hinge| hinge.gap(&self.parts) >= MIN_GAP || beyond(hinge))
    }

    /// Bodies that move.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.parts
            .iter()
            .filter(|part| part.inv_mass > 0.0)
            .map(|part| part.id)
    }

    /// Moves the linkage by a step of `dt` [s]; returns whether it is still open.
    pub(crate) fn step(&mut self, world: &World, dt: f32, iterations: Iterations) -> bool {
        if self.is_mixed {
            self.correct_positions(world, iterations.position);
            self.close_gaps();
            return false;
        }
        for part in &mut self.parts {
            part.accelerate(dt);
        }
        self.solve_velocities(world, dt, iterations.velocity);
        for part in &mut self.parts {
            part.advance(dt);
        }
        self.solve_positions(iterations.position);
        let touched = self.touches.iter().any(Touch::is_touching);
        let parts = &mut self.parts;
        let hit = solve_impacts(world, parts, &mut self.touches, dt, iterations.velocity);
        self.lands = hit && !touched;
        let is_open = self.is_open(true);
        if !is_open {
            self.close_gaps();
        }
        is_open
    }

    fn solve_velocities(&mut self, world: &World, dt: f32, iterations: u32) {
        let parts = &mut self.parts;
        for touch in &mut self.touches {
            touch.find(world, parts);
            touch.prepare(parts);
        }
        self.hinges
            .iter_mut()
            .for_each(|hinge| hinge.prepare(parts));
        for _ in 0..iterations {
            for hinge in &mut self.hinges {
                hinge.solve_velocity(parts, dt);
            }
            for touch in &mut self.touches {
                touch.solve_velocity(parts);
            }
        }
    }

    fn solve_positions(&mut self, iterations: u32) {
        for _ in 0..iterations {
            if self.solve_positions_once() {
                return;
            }
        }
    }

    /// Corrects positions once; returns whether they were right.
    fn solve_positions_once(&mut self) -> bool {
        let parts = &mut self.parts;
        let least = self
            .touches
            .iter()
            .map(|touch| touch.solve_position(parts, Correction::Step))
            .fold(0.0, f32::min);
        let mut solved = least >= -3.0 * SLOP;
        for hinge in &self.hinges {
            solved &= hinge.solve_position(parts);
        }
        solved
    }

    /// Corrects positions alone, with the contacts and limits of each iteration.
    fn correct_positions(&mut self, world: &World, iterations: u32) {
        for _ in 0..iterations {
            for touch in &mut self.touches {
                touch.find(world, &self.parts);
            }
            self.hinges
                .iter_mut()
                .for_each(|hinge| hinge.prepare(&self.parts));
            if self.solve_positions_once() {
                return;
            }
        }
    }

    /// Closes the gaps of anchors that are left.
    fn close_gaps(&mut self) {
        for _ in 0..MAX_PASSES {
            let parts = &mut self.parts;
            let gaps = self.hinges.iter().map(|hinge| hinge.join(parts));
            if gaps.fold(0.0, f32::max) <= CLOSED {
                return;
            }
        }
    }

    /// Leaves the linkage out of a step of the world, which lists what its bodies touch: where they were, as Box2D does, or where they
    /// landed within the step. One that was only moved together takes part in the step.
    pub(crate) fn begin_step(&self, world: &mut World) -> Result<(), WorldError> {
        if !self.is_mixed {
            for hinge in &self.hinges {
                world.joint_mut(hinge.id).disable();
            }
        }
        if self.is_mixed || self.lands {
            self.place(world)
        } else {
            Ok(())
        }
    }

    /// Puts the linkage where it is after the step, and lets its joints act again.
    pub(crate) fn end_step(&self, world: &mut World) -> Result<(), WorldError> {
        if self.is_mixed {
            return Ok(());
        }
        self.place(world)?;
        for hinge in &self.hinges {
            world.joint_mut(hinge.id).enable();
        }
        Ok(())
    }

    /// Gives the bodies of the world their poses and velocities.
    fn place(&self, world: &mut World) -> Result<(), WorldError> {
        for part in self.parts.iter().filter(|part| part.inv_mass > 0.0) {
            let origin = self.base + (part.center - rotation(part.angle) * part.local_center);
            let mut body = world.body_mut(part.id);
            body.try_set_pose(origin, part.angle)?;
            body.try_set_velocity(part.velocity)?;
            body.try_set_angular_velocity(part.spin)?;
        }
        Ok(())
    }
}
