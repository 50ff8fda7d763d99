//! Mass of bodies: the sum over their shapes, or the user's value.

use crate::body::Body;
use crate::body::def::BodyKind;
use crate::body::grid;
use crate::body::shape_sum::ShapeSum;
use crate::body::state::BodyMass;
use crate::ccd::update_bouncy;
use crate::error::{ValueError, finite};
use crate::tuning::{MAX_INERTIA, MAX_MASS, MIN_MASS};
use crate::world::World;
use cairn2d_geometry::MassData;
use cairn2d_geometry::math::cross_scalar;

/// Number of shapes of a body up to which their masses are summed again after each removal, so that the
/// result has the bits of a body that never had the shape. Larger: more time, 20 ns a shape.
const MAX_RESUMMED_SHAPES: usize = 64;

impl World {
    /// Updates mass and center of the body in `slot` from its shapes, kind and locks. Records that only the
    /// step reads are updated at its beginning: see [`refresh_changed_bodies`](Self::refresh_changed_bodies).
    pub(crate) fn update_mass(&mut self, slot: u32) {
        let body = &mut self.bodies.slots[slot];
        body.mass_data = body.mass_override.unwrap_or_else(|| body.shape_sum.total());
        let data = body.mass_data;
        let mass = mass_of(body);
        self.move_center(slot, &data);
        let before = self.bodies.masses[slot as usize];
        self.bodies.masses[slot as usize] = mass;
        self.bodies.note_massless(slot);
        self.update_gravity(slot);
        self.bodies.tracks[slot as usize].slack = 0.0;
        self.bodies.note_changed(slot);
        if mass == BodyMass::default() && before == mass {
            // Joints of a body without mass do not depend on its center.
            return;
        }
        for place in 0..self.bodies.slots[slot].joints.len() {
            let joint = self.bodies.slots[slot].joints[place];
            self.joints.update_traits(joint, &self.bodies);
        }
    }

    /// Updates the records that only the step reads for the bodies that were changed since the last one
    /// began. So a thousand shapes that are added to one body are visited once.
    pub(crate) fn refresh_changed_bodies(&mut self) {
        if !core::mem::take(&mut self.bodies.any_changed) {
            return;
        }
        let changed = core::mem::take(&mut self.bodies.changed);
        for slot in changed.iter() {
            self.refresh_body(slot);
            self.invalidate_contacts(slot);
            self.list_quiet_pairs_of(slot);
        }
        self.bodies.changed = changed;
        self.bodies.changed.clear();
    }

    /// Updates the hot copy of the gravity scale: 0 for a body without mass.
    pub(crate) fn update_gravity(&mut self, slot: u32) {
        let scale = self.bodies.slots[slot].gravity_scale;
        let has_mass = self.bodies.masses[slot as usize].inv_mass > 0.0;
        self.bodies.motions[slot as usize].gravity_scale = if has_mass { scale } else { 0.0 };
    }

    /// Removes the shape in `slot` from the list of its body, and its mass from the sum.
    pub(crate) fn remove_mass_of(&mut self, slot: u32) {
        let shape = &self.shapes.slots[slot];
        let (body, density) = (shape.body, shape.density);
        let part = shape.geometry.mass(density);
        let record = &mut self.bodies.slots[body];
        // From the end: of many shapes the newest are often removed first.
        if let Some(place) = record.shapes.iter().rposition(|&listed| listed == slot) {
            record.shapes.remove(place);
        }
        if density <= 0.0 {
            return;
        }
        if record.shapes.len() > MAX_RESUMMED_SHAPES {
            if record.shape_sum.remove(&part) {
                return;
            }
            if record.shape_sum.total().mass == 0.0 {
                let last = self.last_part(body);
                self.bodies.slots[body].shape_sum = ShapeSum::new(last);
                return;
            }
        }
        let sum = self.sum_of_shapes(body);
        self.bodies.slots[body].shape_sum = ShapeSum::new(sum);
    }

    /// Returns the mass of the newest shape with density: it is the sum if no shape has area.
    fn last_part(&self, slot: u32) -> MassData {
        let shapes = self.bodies.slots[slot].shapes.iter().rev();
        let mut with_density = shapes
            .map(|&shape| &self.shapes.slots[shape])
            .filter(|shape| shape.density > 0.0);
        let last = with_density.next();
        last.map_or(MassData::ZERO, |shape| shape.geometry.mass(shape.density))
    }

    /// Sums the masses of the shapes of the body in `slot`, in order of creation.
    pub(crate) fn sum_of_shapes(&self, slot: u32) -> MassData {
        count_visits(self.bodies.slots[slot].shapes.len());
        self.bodies.slots[slot]
            .shapes
            .iter()
            .map(|&shape| &self.shapes.slots[shape])
            .filter(|shape| shape.density > 0.0)
            .map(|shape| shape.geometry.mass(shape.density))
            .sum()
    }

    /// Moves the center of mass within the body. The body stays where it is; the velocity becomes that
    /// of the new center.
    fn move_center(&mut self, slot: u32, data: &MassData) {
        let pose = &mut self.bodies.poses[slot as usize];
        let shift = pose.rotate(data.center.coords - pose.local_center);
        pose.center = grid::moved(pose.center, shift);
        pose.local_center = data.center.coords;
        let state = &mut self.bodies.states[slot as usize];
        let velocity = state.velocity + cross_scalar(state.angular_velocity, &shift);
        // A spin near the largest number must not make the velocity infinite: the next step caps or freezes
        // the body.
        state.velocity = velocity.map(|v| v.clamp(f32::MIN, f32::MAX));
    }

    /// Updates the records of the body in `slot` that only the step reads, without those of its contacts: the extents, by
    /// which finalization and continuous collision bound its motion, and the flag for a shape that bounces.
    fn refresh_body(&mut self, slot: u32) {
        update_bouncy(&mut self.bodies, &mut self.shapes, slot);
        count_visits(self.bodies.slots[slot].shapes.len());
        let center = self.bodies.slots[slot].mass_data.center;
        let (mut max, mut min) = (0.0_f32, f32::INFINITY);
        for &shape in &self.bodies.slots[slot].shapes {
            let shape = &self.shapes.slots[shape];
            max = max.max(shape.geometry.extent_about(&center));
            min = min.min(shape.min_extent);
        }
        let track = &mut self.bodies.tracks[slot as usize];
        track.max_extent = max;
        track.min_extent = min;
    }

    /// Invalidates the manifolds of a body: the next step computes them again.
    pub(crate) fn invalidate_contacts(&mut self, slot: u32) {
        for &contact in &self.bodies.slots[slot].contacts {
            self.contacts.invalidate_manifold(contact);
        }
    }
}

/// Returns 1 / `x`, or 0 if `x` is not above `min` or the inverse overflows.
fn inverse(x: f32, min: f32) -> f32 {
    let inverse = 1.0 / x;
    if x > min && inverse.is_finite() {
        inverse
    } else {
        0.0
    }
}

/// Returns the inverses of the mass data of a body, by its kind and locks.
pub(crate) fn mass_of(body: &Body) -> BodyMass {
    if body.kind != BodyKind::Dynamic {
        return BodyMass::default();
    }
    let data = &body.mass_data;
    // The inverse of a tiny inertia without mass overflows when the solver squares it.
    let turns = !body.locks.rotation && data.mass > MIN_MASS;
    BodyMass {
        inv_mass: inverse(data.mass, MIN_MASS),
        inv_inertia: if turns {
            inverse(data.inertia, 0.0)
        } else {
            0.0
        },
    }
}

/// Checks the mass of a body.
///
/// # Errors
/// If mass or inertia is negative, too large or NaN, or the center is not finite.
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

/// Counts the visits of shapes for sums and extents: for tests.
#[cfg(test)]
fn count_visits(count: usize) {
    tests::VISITS.set(tests::VISITS.get() + count);
}

#[cfg(not(test))]
fn count_visits(_: usize) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BodyDef, ShapeDef};
    use cairn2d_geometry::math::point;
    use cairn2d_geometry::{Chain, Circle};
    use core::cell::Cell;

    thread_local! {
        pub(super) static VISITS: Cell<usize> = const { Cell::new(0) };
    }

    /// Shapes of a body that has many.
    const MANY: usize = 2_000;

    fn visits_in(work: impl FnOnce()) -> usize {
        let before = VISITS.get();
        work();
        VISITS.get() - before
    }

    /// Balls in a row, of masses that the sum rounds.
    fn add_balls(world: &mut World, body: crate::BodyId) -> Vec<crate::ShapeId> {
        let ball = |i: usize| Circle::new(point(0.3 * i as f32, 0.0), 0.1 + 0.01 * (i % 7) as f32);
        (0..MANY)
            .map(|i| world.create_shape(body, ball(i), ShapeDef::default()))
            .collect()
    }

    #[test]
    fn many_shapes_on_one_body_are_visited_a_few_times_each() {
        for def in [BodyDef::dynamic(), BodyDef::static_()] {
            let mut world = World::default();
            let body = world.create_body(def);
            let mut shapes = Vec::new();
            let added = visits_in(|| {
                shapes = add_balls(&mut world, body);
                world.step(1.0 / 60.0);
            });
            assert!(added <= 2 * MANY, "{added}");
            let sum = world.sum_of_shapes(body.index());
            assert_eq!(world.bodies.slots[body.index()].mass_data, sum);
            // A row loses half of its inertia with each fifth of its length: the sums taken anew are a
            // geometric series.
            let removed = visits_in(|| {
                for shape in shapes {
                    world.destroy_shape(shape);
                }
            });
            assert!(removed <= 12 * MANY, "{removed}");
            assert_eq!(world.bodies.slots[body.index()].mass_data, MassData::ZERO);
        }
    }

    #[test]
    fn chain_of_many_segments_is_built_and_destroyed_segment_by_segment() {
        let corners: Vec<_> = (0..=MANY + 2)
            .map(|i| point(i as f32, (i % 2) as f32))
            .collect();
        let chain = Chain::ground(&corners);
        let mut world = World::default();
        let body = world.create_body(BodyDef::static_());
        let visits = visits_in(|| {
            let segments = world.create_chain(body, &chain, ShapeDef::default());
            world.step(1.0 / 60.0);
            for segment in segments {
                world.destroy_shape(segment);
            }
            world.step(1.0 / 60.0);
        });
        assert!(visits <= 4 * MANY, "{visits}");
    }

    #[test]
    fn mass_after_removals_is_that_of_the_shapes_that_are_left() {
        let mut world = World::default();
        let body = world.create_body(BodyDef::dynamic());
        let shapes = add_balls(&mut world, body);
        for (i, &shape) in shapes.iter().enumerate() {
            if i % 3 == 0 {
                world.destroy_shape(shape);
            }
            if i % 100 != 0 {
                continue;
            }
            let expected = world.sum_of_shapes(body.index());
            let found = world.bodies.slots[body.index()].mass_data;
            // Each of the terms of the sum over the list is rounded by 6e-8.
            let near = |a: f32, b: f32| (a - b).abs() <= 6.0e-8 * MANY as f32 * b;
            assert!(near(found.mass, expected.mass), "{found:?} {expected:?}");
            assert!(
                near(found.inertia, expected.inertia),
                "{found:?} {expected:?}"
            );
            assert!(near(found.center.x, expected.center.x));
        }
    }
}
