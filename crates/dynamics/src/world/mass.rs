//! Mass of bodies: the sum over their shapes, or what the user set.

use crate::body::def::BodyKind;
use crate::body::grid;
use crate::body::state::BodyMass;
use crate::ccd::update_bouncy;
use crate::error::{ValueError, finite};
use crate::tuning::{MAX_INERTIA, MAX_MASS, MIN_MASS};
use crate::world::World;
use cairn2d_geometry::MassData;
use cairn2d_geometry::math::cross_scalar;

impl World {
    /// Brings mass, centre and extents of the body in `slot` up to date with its shapes, kind and locks.
    pub(crate) fn update_mass(&mut self, slot: u32) {
        let sum = self.sum_of_shapes(slot);
        let body = &mut self.bodies.slots[slot];
        body.mass_data = body.mass_override.unwrap_or(sum);
        let data = body.mass_data;
        let dynamic = body.kind == BodyKind::Dynamic;
        // A tiny inertia without mass would be larger, inverted, than the solver can square.
        let turns = !body.locks.rotation && data.mass > MIN_MASS;
        self.move_center(slot, &data);
        self.bodies.masses[slot as usize] = if dynamic {
            BodyMass {
                inv_mass: inverse(data.mass, MIN_MASS),
                inv_inertia: if turns {
                    inverse(data.inertia, 0.0)
                } else {
                    0.0
                },
            }
        } else {
            BodyMass::default()
        };
        self.note_mass(self.bodies.masses[slot as usize].inv_mass);
        self.update_gravity(slot);
        self.update_extents(slot);
        self.invalidate_contacts(slot);
        for place in 0..self.bodies.slots[slot].joints.len() {
            let joint = self.bodies.slots[slot].joints[place];
            self.note_joint_traits(joint);
        }
    }

    fn note_mass(&mut self, inv_mass: f32) {
        if inv_mass > 0.0 {
            let [heaviest, lightest] = self.inv_masses;
            self.inv_masses = [heaviest.min(inv_mass), lightest.max(inv_mass)];
        }
    }

    /// Brings the hot copy of the gravity scale up to date. Without mass, nothing pulls a body.
    pub(crate) fn update_gravity(&mut self, slot: u32) {
        let scale = self.bodies.slots[slot].gravity_scale;
        let has_mass = self.bodies.masses[slot as usize].inv_mass > 0.0;
        self.bodies.motions[slot as usize].gravity_scale = if has_mass { scale } else { 0.0 };
    }

    pub(crate) fn sum_of_shapes(&self, slot: u32) -> MassData {
        self.bodies.slots[slot]
            .shapes
            .iter()
            .map(|&shape| &self.shapes.slots[shape])
            .filter(|shape| shape.density > 0.0)
            .map(|shape| shape.geometry.mass(shape.density))
            .sum()
    }

    /// Moves the centre of mass within the body. The body stays where it is; the velocity becomes that
    /// of the new centre.
    fn move_center(&mut self, slot: u32, data: &MassData) {
        let pose = &mut self.bodies.poses[slot as usize];
        let shift = pose.rotate(data.center.coords - pose.local_center);
        pose.center = grid::moved(pose.center, shift);
        pose.local_center = data.center.coords;
        let state = &mut self.bodies.states[slot as usize];
        state.velocity += cross_scalar(state.angular_velocity, &shift);
    }

    fn update_extents(&mut self, slot: u32) {
        let center = self.bodies.slots[slot].mass_data.center;
        let (mut max, mut min) = (0.0_f32, f32::INFINITY);
        for &shape in &self.bodies.slots[slot].shapes {
            let geometry = &self.shapes.slots[shape].geometry;
            max = max.max(geometry.extent_about(&center));
            min = min.min(geometry.min_extent());
        }
        let track = &mut self.bodies.tracks[slot as usize];
        track.max_extent = max;
        track.min_extent = min;
        track.slack = 0.0;
        update_bouncy(&mut self.bodies, &mut self.shapes, slot);
    }

    /// Has the manifolds of a body made anew at the next step.
    pub(crate) fn invalidate_contacts(&mut self, slot: u32) {
        for &contact in &self.bodies.slots[slot].contacts {
            self.contacts.budgets[contact as usize].remaining = -1.0;
            self.contacts.keys[contact as usize].invalidate();
        }
    }
}

/// Returns 1 / `x`, or 0 where `x` is not above `least` or too small to divide by.
fn inverse(x: f32, least: f32) -> f32 {
    let inverse = 1.0 / x;
    if x > least && inverse.is_finite() {
        inverse
    } else {
        0.0
    }
}

/// Checks that a body can have this mass.
///
/// # Errors
/// If mass or inertia is negative, too large or not a number, or the centre is not finite.
pub(crate) fn check_mass(data: &MassData) -> Result<(), ValueError> {
    in_range("mass", data.mass, MAX_MASS)?;
    in_range("inertia", data.inertia, MAX_INERTIA)?;
    finite("center of mass.x", data.center.x)?;
    finite("center of mass.y", data.center.y)
}

fn in_range(name: &'static str, value: f32, max: f32) -> Result<(), ValueError> {
    if (0.0..=max).contains(&value) {
        return Ok(());
    }
    Err(ValueError::OutOfRange {
        name,
        value: value.into(),
        min: 0.0,
        max: max.into(),
    })
}
