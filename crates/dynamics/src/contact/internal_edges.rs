//! Internal edges: edges between static shapes that lie side by side, such as tiles, at which nothing may
//! catch.
//!
//! A body that slides over tiles has sunk into them a little, so it also collides with the side of the next
//! tile. That contact is right for the next tile alone. But all of that tile lies behind the face on which
//! the body slides, so the contact is a *ghost contact*: the solver skips it in this step.
//!
//! Two tiles below one body have almost the same normal, but not exactly: that of a ball at the end of a tile
//! is the normal of the corner, that of a slightly tilted box the normal of its own side. Such normals are
//! *snapped* to that of the tile's face.

use crate::bitset::{WORD, ones};
use crate::body::table::BodyTable;
use crate::contact::constraint::constraint_flags;
use crate::contact::table::ContactTable;
use crate::mechanisms::{Mechanism, Mechanisms};
use crate::shape::table::ShapeTable;
use cairn2d_geometry::math::{Pose, Vec2, WorldPoint, cross, cross_scalar};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use cairn2d_geometry::{Shape, sort_compact};
use smallvec::SmallVec;

/// Height up to which a shape may rise over a face and still counts as behind it [m]: rounding, and tiles
/// placed inexactly. Larger: real steps of the ground lose their contacts.
const MAX_TILE_STEP: f32 = 0.2 * LINEAR_SLOP;

/// Cosine of the angle up to which two normals count as equal: 0.26 degrees.
const MIN_SNAP_COSINE: f32 = 0.999_99;

/// Cosine of the angle between the normals of a contact and of its face: 5 degrees. Larger: at deep impacts
/// bodies catch at the sides of the next tiles. Smaller: corners with slight angles count as faces.
const MIN_FACE_COSINE: f32 = 0.996;

/// Speed at which a point of a body may approach a face while another contact on that face still stops it
/// [m/s].
///
/// A body that tips or falls needs all of its contacts. Larger: the far end of a long body passes through the
/// floor.
const MAX_CLOSING_SPEED: f32 = 0.5;

/// Cosine of the angle between two normals from which each contact may stop a motion toward the face of the
/// other. Larger: ghost contacts at slight corners are missed. Smaller: every ghost contact needs the test of
/// the motion.
const MIN_SHARED_COSINE: f32 = 0.9;

/// Gauss-Seidel sweeps over the two points of a contact that stops a body. A box or capsule that lands flat
/// needs them: the impulse at one end lets the other approach faster.
const STOP_SWEEPS: u32 = 8;

/// Pairs of contacts of one body that are tested in a step, at most: 256 contacts with all others, a
/// millisecond. With more contacts, only the first of them are tested as faces.
const MAX_GHOST_TESTS: usize = 1 << 16;

/// The ghost contacts, and the memory of the stage.
#[derive(Clone, Debug, Default)]
pub(crate) struct InternalEdges {
    /// Contacts that are marked as ghosts: repeats a flag of their constraints.
    ghosts: Vec<u32>,
    /// Contacts of one body.
    contacts: Vec<GroundContact>,
}

/// A contact of a dynamic body with a body that is not dynamic.
#[derive(Clone, Debug)]
struct GroundContact {
    contact: u32,
    /// Shape of the dynamic body, and the other one.
    own_shape: u32,
    ground_shape: u32,
    /// Unit normal toward the dynamic body, in the world.
    normal: Vec2,
    /// Penetration depth of the deepest point [m].
    depth: f32,
    is_ghost: bool,
    /// Normal of the face of the ground, if the contact must get it.
    snapped_normal: Option<Vec2>,
}

/// The plane of the face of a contact, relative to the center of the dynamic body.
struct FacePlane {
    /// Unit normal toward the dynamic body.
    normal: Vec2,
    /// Greatest extent of the ground shape along the normal [m].
    height: f32,
    /// Least extent of the dynamic body's shape along the normal [m].
    lowest: f32,
}

impl InternalEdges {
    /// Restores the list of ghosts of a world that was read from a save.
    pub(crate) fn restore(&mut self, contacts: &ContactTable) {
        let is_ghost =
            |&slot: &u32| contacts.constraints[slot as usize].flags & constraint_flags::GHOST != 0;
        let slots = contacts.slots.iter().map(|(slot, _)| slot);
        self.ghosts = slots.filter(is_ghost).collect();
    }

    #[cfg(test)]
    pub(crate) fn ghosts(&self) -> &[u32] {
        &self.ghosts
    }

    /// Snaps normals and marks ghost contacts of all awake bodies that touch the ground in several places.
    /// `last_dt` is the length of the last step [s].
    pub(crate) fn mark_ghosts(
        &mut self,
        mechanisms: Mechanisms,
        last_dt: f32,
        bodies: &BodyTable,
        shapes: &ShapeTable,
        contacts: &mut ContactTable,
    ) {
        for contact in self.ghosts.drain(..) {
            contacts.clear_flags(contact, constraint_flags::GHOST);
        }
        if !mechanisms.has(Mechanism::InternalEdges) {
            return;
        }
        for (word, awake) in bodies.awake.used_words() {
            for bit in ones(bodies.between_static.word(word) & awake) {
                let body = (word * WORD) as u32 + bit;
                self.list_contacts(&Ground {
                    body,
                    last_dt,
                    bodies,
                    shapes,
                    contacts,
                });
                if self.contacts.len() < 2 {
                    continue;
                }
                snap_normals(&mut self.contacts, body, bodies, contacts);
                self.find_ghosts(&Ground {
                    body,
                    last_dt,
                    bodies,
                    shapes,
                    contacts,
                });
            }
        }
        for &contact in &self.ghosts {
            contacts.set_flags(contact, constraint_flags::GHOST);
        }
    }

    /// Lists the contacts of a body with the ground, with the normals to which they must be snapped.
    fn list_contacts(&mut self, ground: &Ground<'_>) {
        self.contacts.clear();
        let of_body = ground.bodies.slots[ground.body].contacts.iter();
        self.contacts
            .extend(of_body.filter_map(|&contact| ground.contact(contact)));
        if self.contacts.len() < 2 {
            return;
        }
        for index in 0..self.contacts.len() {
            self.contacts[index].snapped_normal = ground.snapped_normal(&self.contacts, index);
        }
    }

    /// Adds the ghosts among the listed contacts of a body.
    fn find_ghosts(&mut self, ground: &Ground<'_>) {
        let Self { ghosts, contacts } = self;
        let first = contacts[0].normal;
        let differs = |contact: &GroundContact| contact.normal.dot(&first) < MIN_SNAP_COSINE;
        if !contacts.iter().any(differs) {
            return;
        }
        sort_compact(contacts, |one, other| one.contact.cmp(&other.contact));
        let faces = contacts.len().min(MAX_GHOST_TESTS / contacts.len());
        for face in 0..faces {
            if contacts[face].is_ghost {
                continue;
            }
            let plane = ground.face_plane(&contacts[face]);
            for edge in 0..contacts.len() {
                if !contacts[edge].is_ghost
                    && ground.is_ghost_of(&contacts[edge], &contacts[face], &plane)
                {
                    contacts[edge].is_ghost = true;
                    ghosts.push(contacts[edge].contact);
                }
            }
        }
    }
}

/// Writes the snapped normals of the contacts of `body`. The change is too small to see.
fn snap_normals(
    list: &mut [GroundContact],
    body: u32,
    bodies: &BodyTable,
    contacts: &mut ContactTable,
) {
    for contact in list {
        if let Some(normal) = contact.snapped_normal {
            contact.normal = normal;
            let [a, b] = contacts.constraints[contact.contact as usize].bodies();
            let from_a = if b == body { normal } else { -normal };
            contacts.snap_normal(contact.contact, bodies.poses[a as usize].unrotate(from_a));
        }
    }
}

/// Returns the outward normal of a face whose angle to `direction` has at least the cosine `min_cosine`, in
/// the frame of the shape. Polygons, segments and half-spaces have faces.
fn face_normal_near(shape: &Shape, direction: Vec2, min_cosine: f32) -> Option<Vec2> {
    let is_near = |normal: &Vec2| normal.dot(&direction) > min_cosine;
    match shape {
        Shape::Polygon(polygon) => polygon.normals().iter().copied().find(is_near),
        Shape::Segment(segment) => {
            let normal = segment.normal();
            [normal, -normal].into_iter().find(is_near)
        }
        Shape::HalfSpace(half_space) => Some(half_space.normal()).filter(is_near),
        _ => None,
    }
}

/// A dynamic body and the tables in which its contacts with the ground are.
struct Ground<'a> {
    body: u32,
    /// Length of the last step [s].
    last_dt: f32,
    bodies: &'a BodyTable,
    shapes: &'a ShapeTable,
    contacts: &'a ContactTable,
}

impl Ground<'_> {
    /// Returns a contact of the body, if it touches a body that is not dynamic.
    fn contact(&self, contact: u32) -> Option<GroundContact> {
        let constraint = &self.contacts.constraints[contact as usize];
        // The cheapest test comes first: most contacts of a body are with dynamic bodies.
        if self
            .bodies
            .is_dynamic(self.contacts.other_body(contact, self.body))
            || constraint.count == 0
        {
            return None;
        }
        let record = &self.contacts.slots[contact];
        if !record.pushes() {
            return None;
        }
        let is_b = record.body_b == self.body;
        let points = constraint.points_in_use().iter();
        let depth = points
            .map(|point| -point.base_separation)
            .fold(0.0, f32::max);
        let normal = constraint.world_normal(&self.bodies.poses);
        let (own_shape, ground_shape) = if is_b {
            (record.shape_b, record.shape_a)
        } else {
            (record.shape_a, record.shape_b)
        };
        Some(GroundContact {
            contact,
            own_shape,
            ground_shape,
            normal: if is_b { normal } else { -normal },
            depth,
            is_ghost: false,
            snapped_normal: None,
        })
    }

    /// Returns the normal of the face of a contact, if the contact has another normal. With one point, there
    /// must be another face beside this one at the same height: otherwise the point may be at a real corner.
    fn snapped_normal(&self, list: &[GroundContact], index: usize) -> Option<Vec2> {
        let contact = &list[index];
        let constraint = &self.contacts.constraints[contact.contact as usize];
        let has_two_points = constraint.count == 2;
        let normal = self.face_normal_of(contact.ground_shape, contact.normal, MIN_SNAP_COSINE)?;
        if normal == contact.normal {
            return None;
        }
        let height = self.extent(contact.ground_shape, normal);
        let is_beside = |next: &GroundContact| {
            next.ground_shape != contact.ground_shape
                && next.normal.dot(&normal) > MIN_SNAP_COSINE
                && (self.extent(next.ground_shape, normal) - height).abs() < MAX_TILE_STEP
        };
        (has_two_points || list.iter().any(is_beside)).then_some(normal)
    }

    /// Returns `true` if the ground shape of `edge` lies behind the plane of `face`, and the body's shape no
    /// deeper behind it than `face` pushes it out.
    fn is_ghost_of(&self, edge: &GroundContact, face: &GroundContact, plane: &FacePlane) -> bool {
        #[cfg(test)]
        tests::PAIRS.set(tests::PAIRS.get() + 1);
        if face.ground_shape == edge.ground_shape || face.normal.dot(&edge.normal) > MIN_SNAP_COSINE
        {
            return false;
        }
        let stays_above = |lowest: f32| lowest > plane.height - face.depth - LINEAR_SLOP;
        let is_above = if edge.own_shape == face.own_shape {
            stays_above(plane.lowest)
        } else {
            stays_above(-self.extent(edge.own_shape, -plane.normal))
        };
        is_above
            && self.extent(edge.ground_shape, plane.normal) < plane.height + MAX_TILE_STEP
            && (face.normal.dot(&edge.normal) < MIN_SHARED_COSINE || self.is_stopped_by(face, edge))
    }

    /// Returns the plane of the face of a contact.
    fn face_plane(&self, contact: &GroundContact) -> FacePlane {
        let normal = self.face_normal(contact);
        FacePlane {
            normal,
            height: self.extent(contact.ground_shape, normal),
            lowest: -self.extent(contact.own_shape, -normal),
        }
    }

    /// Returns the normal of the face of a contact. The contact of a slightly tilted box has the normal of
    /// the box's side, over which the next tile rises.
    fn face_normal(&self, contact: &GroundContact) -> Vec2 {
        let own = self.face_normal_of(contact.own_shape, -contact.normal, MIN_SNAP_COSINE);
        let ground = own.and_then(|_| {
            self.face_normal_of(contact.ground_shape, contact.normal, MIN_FACE_COSINE)
        });
        ground.unwrap_or(contact.normal)
    }

    /// Returns the outward normal of a face of a shape whose angle to `direction` has at least the cosine
    /// `min_cosine`, in the world.
    fn face_normal_of(&self, shape: u32, direction: Vec2, min_cosine: f32) -> Option<Vec2> {
        let record = &self.shapes.slots[shape];
        let pose = &self.bodies.poses[record.body as usize];
        let near = face_normal_near(&record.geometry, pose.unrotate(direction), min_cosine);
        near.map(|normal| pose.rotate(normal))
    }

    /// Returns `true` if the body, once the contact `face` stops it, no longer approaches that face at any
    /// point of `edge`.
    ///
    /// One tile stops a ball that lands on an internal edge. It does not stop a slab with one end on the
    /// floor, whose other end falls.
    fn is_stopped_by(&self, face: &GroundContact, edge: &GroundContact) -> bool {
        let body = self.body as usize;
        let state = &self.bodies.states[body];
        let (mass, center) = (&self.bodies.masses[body], self.bodies.poses[body].center);
        let ground = self.shapes.slots[edge.ground_shape].body;
        let base = self.bodies.poses[ground as usize].center;
        let (mut linear, mut spin) = (state.velocity, state.angular_velocity);
        let closing_speed = |linear: Vec2, spin: f32, point: WorldPoint| {
            let velocity = linear + cross_scalar(spin, &(point - center));
            (self.bodies.velocity_at(ground, point - base) - velocity).dot(&face.normal)
        };
        let points = self.points_of(face.contact);
        let mut impulses = [0.0_f32; 2];
        for _ in 0..STOP_SWEEPS {
            for (&point, total) in points.iter().zip(&mut impulses) {
                let turn = cross(&(point - center), &face.normal);
                let inv_mass = mass.inv_mass + mass.inv_inertia * turn * turn;
                if inv_mass > 0.0 {
                    let pushed = (*total + closing_speed(linear, spin, point) / inv_mass).max(0.0);
                    let impulse = pushed - core::mem::replace(total, pushed);
                    linear += impulse * mass.inv_mass * face.normal;
                    spin += impulse * mass.inv_inertia * turn;
                }
            }
        }
        // A body that moves by more than its own size in a step is stopped by the sweep of its core alone.
        let max_speed = self.bodies.tracks[body].max_extent / self.last_dt;
        let approaches = |&point: &WorldPoint| {
            let speed = closing_speed(linear, spin, point);
            speed > MAX_CLOSING_SPEED && speed < max_speed
        };
        !self.points_of(edge.contact).iter().any(approaches)
    }

    /// Returns the points of a contact in the world.
    fn points_of(&self, contact: u32) -> SmallVec<[WorldPoint; 2]> {
        let constraint = &self.contacts.constraints[contact as usize];
        let pose = &self.bodies.poses[constraint.body_a as usize];
        let points = constraint.points_in_use().iter();
        points
            .map(|point| pose.center + pose.rotate(point.anchor_a))
            .collect()
    }

    /// Returns the greatest extent of a shape along `direction`, from the center of the body [m].
    fn extent(&self, shape: u32, direction: Vec2) -> f32 {
        let base = self.bodies.poses[self.body as usize].center;
        let record = &self.shapes.slots[shape];
        let pose: Pose = self.bodies.poses[record.body as usize].relative_to(base);
        let local = pose.rotation.inverse() * direction;
        (pose * record.geometry.support(&local))
            .coords
            .dot(&direction)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use core::cell::Cell;

    thread_local! {
        /// Pairs of contacts that were tested.
        pub(crate) static PAIRS: Cell<usize> = const { Cell::new(0) };
    }
}
