//! Checks of the numbers of a save that a step reads: those that no call of the interface and no step can make.
//!
//! Readers of records refuse what is not a number, and vectors and points that are infinite. Here are the bounds of single
//! numbers. Settings of joints and what follows from the geometry of shapes are derived again instead: see
//! `restore.rs`.

use crate::body::def::BodyKind;
use crate::body::table::BodyTable;
use crate::error::{limit, not_negative, not_negative_up_to};
use crate::material::Surface;
use crate::shape::def::check_material;
use crate::tuning::{
    MAX_COORDINATE, MAX_DRIVE_SPEED, MAX_FRICTION, MAX_RESTITUTION, MAX_STEP, MIN_STEP,
};
use crate::world::World;
use crate::world::consistency::{Defect, ensure};
use crate::world::mass::{check_mass, mass_of};
use crate::world_def::MAX_SUBSTEPS;

/// Difference of the length of a unit vector from 1 that counts as rounding.
const UNIT_TOLERANCE: f32 = 1.0e-3;

/// Most steps of a world: 9 billion years at 60 steps a second. Numbers of later steps are calculated from it.
const MAX_STEPS: u64 = u64::MAX / 2;

impl World {
    /// Checks the numbers of all records.
    ///
    /// # Errors
    /// Names the first record with a number that is out of range.
    pub(crate) fn check_numbers(&self) -> Result<(), Defect> {
        for (slot, _) in self.bodies.slots.iter() {
            ensure(is_pose_in_range(&self.bodies, slot), "pose of body", slot)?;
            ensure(has_valid_motion(&self.bodies, slot), "motion of body", slot)?;
            ensure(has_valid_mass(&self.bodies, slot), "mass of body", slot)?;
        }
        for (slot, shape) in self.shapes.slots.iter() {
            let is_valid = not_negative("density", shape.density).is_ok()
                && limit("threshold", shape.force_event_threshold).is_ok();
            ensure(is_valid, "numbers of shape", slot)?;
            let is_valid = check_material(&shape.material).is_ok();
            ensure(is_valid, "material of shape", slot)?;
        }
        for (slot, _) in self.contacts.slots.iter() {
            ensure(self.has_valid_numbers(slot), "numbers of contact", slot)?;
        }
        for (slot, _) in self.joints.slots.iter() {
            let sim = &self.joints.sims[slot as usize];
            ensure(is_substep(sim.base.substep), "substep of joint", slot)?;
            for load in [sim.reaction(), self.joints.loads[slot as usize]] {
                let numbers = [load.force.x, load.force.y, load.torque];
                let is_finite = numbers.iter().all(|number| number.is_finite());
                ensure(is_finite, "impulses of joint", slot)?;
            }
        }
        for (slot, island) in (0..).zip(&*self.islands.slots) {
            let is_valid = island.strain.is_valid() && island.newton.pause.is_finite();
            ensure(is_valid, "strain of island", slot)?;
        }
        let history = &self.history;
        let is_valid = history.steps <= MAX_STEPS
            && is_substep(history.last_h)
            && (0.0..=MAX_SUBSTEPS as f32).contains(&history.last_substeps);
        ensure(is_valid, "history of steps", 0)
    }

    fn has_valid_numbers(&self, contact: u32) -> bool {
        let constraint = &self.contacts.constraints[contact as usize];
        let key = &self.contacts.keys[contact as usize];
        let mut points = constraint.points.iter().take(constraint.count.into());
        let is_unit = (constraint.normal.norm() - 1.0).abs() <= UNIT_TOLERANCE;
        is_valid_surface(&constraint.surface())
            && constraint.rolling_impulse.is_finite()
            && key.is_valid()
            && (constraint.count == 0 || is_unit)
            && points.all(|point| point.has_finite_numbers())
    }
}

/// Returns `true` for the length of a substep \[s\], or 0.
fn is_substep(h: f32) -> bool {
    // The shortest, with a margin for its rounding.
    let shortest = 0.5 * MIN_STEP / MAX_SUBSTEPS as f32;
    h == 0.0 || (shortest..=MAX_STEP).contains(&h)
}

/// Returns `true` for a surface between two materials. Their rule may be the product.
fn is_valid_surface(surface: &Surface) -> bool {
    let within = |value: f32, most: f32| not_negative_up_to("surface", value, most).is_ok();
    within(surface.friction, MAX_FRICTION * MAX_FRICTION)
        && within(surface.restitution, MAX_RESTITUTION * MAX_RESTITUTION)
        && not_negative("rolling resistance", surface.rolling_resistance).is_ok()
        && surface.tangent_speed.abs() <= 2.0 * MAX_DRIVE_SPEED
}

/// Returns `true` if a body is in the world: its origin or its center of mass, which may be as far from the origin.
fn is_pose_in_range(bodies: &BodyTable, slot: u32) -> bool {
    let pose = &bodies.poses[slot as usize];
    let most = 2.0 * MAX_COORDINATE;
    let is_near = |coordinate: f64| coordinate.abs() <= most;
    let local = pose.local_center;
    is_near(pose.center.x)
        && is_near(pose.center.y)
        && is_near(local.x.into())
        && is_near(local.y.into())
}

/// Returns `true` if the settings of the motion of a body are those of a valid definition.
fn has_valid_motion(bodies: &BodyTable, slot: u32) -> bool {
    let motion = &bodies.motions[slot as usize];
    let track = &bodies.tracks[slot as usize];
    let rates = [motion.linear_damping, motion.angular_damping];
    let caps = [motion.max_linear_speed, motion.max_angular_speed];
    let extents = [track.max_extent, track.min_extent, track.slow_time];
    rates.iter().all(|&rate| not_negative("rate", rate).is_ok())
        && caps.iter().all(|&cap| limit("cap", cap).is_ok())
        && extents
            .iter()
            .all(|&extent| limit("extent", extent).is_ok())
        && motion.gravity_scale.is_finite()
        && bodies.slots[slot].gravity_scale.is_finite()
        && track.sleep_speed.is_finite()
}

/// Returns `true` if the mass of a body is valid, and its inverses follow from it.
fn has_valid_mass(bodies: &BodyTable, slot: u32) -> bool {
    let body = &bodies.slots[slot];
    let is_dynamic = body.kind == BodyKind::Dynamic;
    let mass_override = body.mass_override.as_ref();
    check_mass(&body.mass_data).is_ok()
        && mass_override.is_none_or(|mass| check_mass(mass).is_ok())
        && check_mass(&body.shape_sum.total()).is_ok()
        && (!is_dynamic || bodies.masses[slot as usize] == mass_of(body))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::def::BodyDef;
    use crate::joint::{RevoluteJointDef, Spring, WeldJointDef};
    use crate::shape::def::ShapeDef;
    use cairn2d_geometry::math::vec2;
    use cairn2d_geometry::{LoadReason, Polygon};

    const DT: f32 = 1.0 / 60.0;

    /// Two boxes on the ground with a soft hinge and a weld, after some steps.
    fn settled() -> World {
        let mut world = World::default();
        let ground = world.create_body(BodyDef::static_().position(0.0, -1.0));
        world.create_shape(ground, Polygon::rectangle(9.0, 1.0), ShapeDef::default());
        let [a, b] = [-0.6, 0.6].map(|x| {
            let body = world.create_body(BodyDef::dynamic().position(x, 0.5));
            world.create_shape(body, Polygon::rectangle(0.5, 0.5), ShapeDef::default());
            body
        });
        let mut hinge = RevoluteJointDef::new(a, b);
        hinge.spring = Some(Spring::new(2.0, 0.5));
        world.create_joint(hinge);
        world.create_joint(WeldJointDef::new(ground, a));
        for _ in 0..10 {
            world.step(DT);
        }
        world
    }

    /// A change of a record that no call makes.
    type Forgery = fn(&mut World);

    #[test]
    fn forged_numbers_are_refused() {
        let forgeries: [(&str, Forgery); 24] = [
            ("motion", |w| w.bodies.motions[1].max_angular_speed = -1.0),
            ("motion", |w| w.bodies.motions[1].max_linear_speed = -1.0),
            ("motion", |w| w.bodies.motions[1].linear_damping = -1.0),
            ("motion", |w| {
                w.bodies.motions[1].angular_damping = f32::INFINITY
            }),
            ("motion", |w| {
                w.bodies.motions[1].gravity_scale = f32::INFINITY
            }),
            ("motion", |w| {
                w.bodies.slots[1].gravity_scale = f32::INFINITY
            }),
            ("motion", |w| w.bodies.tracks[1].sleep_speed = f32::INFINITY),
            ("motion", |w| w.bodies.tracks[1].max_extent = -1.0),
            ("pose", |w| w.bodies.poses[1].center.x = 1.0e30),
            ("pose", |w| w.bodies.poses[1].local_center.x = 1.0e30),
            ("mass", |w| w.bodies.masses[1].inv_mass = 1.0e30),
            ("mass", |w| w.bodies.slots[1].mass_data.mass = -1.0),
            ("numbers of shape", |w| {
                w.shapes.slots[1].density = f32::INFINITY
            }),
            ("numbers of shape", |w| {
                w.shapes.slots[1].force_event_threshold = -1.0
            }),
            ("material", |w| w.shapes.slots[1].material.friction = 1.0e30),
            ("contact", |w| w.contacts.constraints[0].friction = -1.0),
            ("contact", |w| {
                w.contacts.constraints[0].restitution = f32::INFINITY
            }),
            ("contact", |w| {
                w.contacts.constraints[0].tangent_speed = f32::MAX
            }),
            ("contact", |w| {
                w.contacts.constraints[0].normal = vec2(1.0e30, 0.0)
            }),
            ("contact", |w| {
                w.contacts.constraints[0].points[0].normal_impulse = f32::INFINITY
            }),
            ("substep", |w| w.joints.sims[0].base.substep = 1.0e-45),
            ("impulses", |w| w.joints.loads[0].torque = f32::INFINITY),
            ("strain", |w| {
                w.islands.slots[0].newton.pause = f32::INFINITY
            }),
            ("history", |w| w.history.last_h = -1.0),
        ];
        for (number, (part, forge)) in forgeries.into_iter().enumerate() {
            let mut world = settled();
            forge(&mut world);
            let refused = World::load(&world.save()).map(|_| ());
            let reason = refused.map_err(|error| error.reason);
            let is_named = matches!(
                reason,
                Err(LoadReason::Inconsistent { what, .. }) if what.contains(part)
            );
            assert!(is_named, "{number}, {part}: {reason:?}");
        }
    }

    #[test]
    fn what_follows_from_definitions_is_not_read() {
        let original = settled();
        let forgeries: [Forgery; 4] = [
            |w| w.shapes.slots[1].margin = 1.0e30,
            |w| w.shapes.slots[1].core = None,
            |w| w.joints.sims[0].base.frame_a.angle = 1.0e30,
            |w| w.joints.sims[1].base.break_force = -1.0,
        ];
        for forge in forgeries {
            let mut world = original.clone();
            forge(&mut world);
            let loaded = World::load(&world.save()).map(|world| world.state_hash());
            assert_eq!(loaded, Ok(original.state_hash()));
        }
    }
}
