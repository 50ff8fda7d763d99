//! Seams: edges between shapes that lie side by side, such as tiles, at which nothing may catch.
//!
//! What slides over tiles has sunk into them by a little, and meets the side of the next one. Seen by itself that contact is
//! right; seen beside the contact with the tile before it is not, since all of the next tile lies behind the face that the
//! body slides on. Such a contact is covered: the solver leaves it out in this step.
//!
//! Contacts with two tiles that both bear have almost the same normal, but not quite: a ball that rolls off a tile has that of
//! its corner, a box that lies a little askew that of its own side. Such a contact is levelled: it pushes along the normal of
//! the tile's face.

use crate::bitset::{WORD, ones};
use crate::contact::constraint::constraint_flags;
use crate::contact::level::{SAME_NORMAL, side_near};
use crate::world::World;
use cairn2d_geometry::math::{Pose, Vec2, WorldPoint, cross, cross_scalar};
use cairn2d_geometry::tolerance::LINEAR_SLOP;
use smallvec::SmallVec;

/// Height up to which a shape may rise over a face and still lies behind it [m]: rounding, and tiles placed with little care.
/// Larger steps are obstacles.
const LEVEL: f32 = 0.2 * LINEAR_SLOP;

/// Cosine of the angle between the normal of a contact and that of the face that it is on: 5 degrees. Larger: at deep landings
/// the sides of the next tiles catch. Smaller: corners with slight angles count as faces.
const SAME_FACE: f32 = 0.996;

/// Speed at which a point of a body may come down on a face and is still held by the contact elsewhere on that face [m/s].
///
/// What tips or slams down needs each of its contacts. Larger: the far end of a long thing goes through the floor.
const MAX_CLOSING: f32 = 0.5;

/// Cosine of the angle between two normals up to which either contact may hold what comes down on the face of one.
const ALSO_HOLDS: f32 = 0.9;

/// Sweeps over the two points of a contact that tell how it stops a body. A box or capsule that lands flat needs them: what
/// stops one end lets the other come down faster.
const HOLDING_SWEEPS: u32 = 8;

/// A contact of a body with something that is not dynamic.
#[derive(Clone, Debug)]
pub(crate) struct Touch {
    contact: u32,
    /// Shape of the body, and the other one.
    mine: u32,
    other: u32,
    /// Toward the body.
    normal: Vec2,
    /// Depth of the deepest point [m].
    depth: f32,
    covered: bool,
    /// Normal of the face that the contact is on, if it has another one.
    leveled: Option<Vec2>,
}

/// The plane of the face that a contact is on, as seen from the body's centre.
struct Plane {
    /// Normal, toward the body.
    out: Vec2,
    /// How far the other shape, and at its lowest the body's, reach along the normal [m].
    level: f32,
    lowest: f32,
}

/// Most pairs of contacts of one body that are looked at in a step: 256 contacts with all others, a millisecond. Of a body with more
/// contacts, only the first are looked at as faces.
const MAX_COVER_WORK: usize = 1 << 16;

impl World {
    /// Marks the contacts that others cover.
    pub(crate) fn cover_seams(&mut self) {
        let mut covered = core::mem::take(&mut self.scratch.covered);
        let mut touches = core::mem::take(&mut self.scratch.touches);
        for &contact in &covered {
            self.contacts.constraints[contact as usize].flags &= !constraint_flags::GHOST;
        }
        covered.clear();
        for word in 0..self.bodies.between_static.words().len() {
            let between = self.bodies.between_static.words()[word];
            let awake = self.bodies.awake.words().get(word).copied();
            for bit in ones(between & awake.unwrap_or(0)) {
                self.find_covered((word * WORD) as u32 + bit, &mut touches, &mut covered);
            }
        }
        for &contact in &covered {
            self.contacts.constraints[contact as usize].flags |= constraint_flags::GHOST;
        }
        self.scratch.covered = covered;
        self.scratch.touches = touches;
    }

    /// Lists the contacts of a dynamic body that others of it cover.
    fn find_covered(&mut self, body: u32, touches: &mut Vec<Touch>, covered: &mut Vec<u32>) {
        let contacts = self.bodies.slots[body].contacts.iter();
        touches.clear();
        touches.extend(contacts.filter_map(|&contact| self.firm_touch(body, contact)));
        if touches.len() < 2 {
            return;
        }
        self.level_all(touches, body);
        let first = touches[0].normal;
        let is_seam = |touch: &Touch| touch.normal.dot(&first) < SAME_NORMAL;
        if !touches.iter().any(is_seam) {
            return;
        }
        touches.sort_unstable_by_key(|touch| touch.contact);
        let faces = touches.len().min(MAX_COVER_WORK / touches.len());
        for face in 0..faces {
            if touches[face].covered {
                continue;
            }
            let plane = self.face_plane_of(&touches[face], body);
            for edge in 0..touches.len() {
                if !touches[edge].covered
                    && self.covers(&touches[face], &plane, &touches[edge], body)
                {
                    touches[edge].covered = true;
                    covered.push(touches[edge].contact);
                }
            }
        }
    }

    /// Returns the contact of a body if the other one is not dynamic.
    fn firm_touch(&self, body: u32, contact: u32) -> Option<Touch> {
        let constraint = &self.contacts.constraints[contact as usize];
        // What is asked first is near in memory: most contacts of a body are with dynamic ones.
        if self
            .bodies
            .is_dynamic(self.contacts.other_body(contact, body))
            || constraint.count == 0
        {
            return None;
        }
        let record = &self.contacts.slots[contact];
        if !record.pushes() {
            return None;
        }
        let is_b = record.body_b == body;
        let points = constraint.points[..constraint.count as usize].iter();
        let depth = points
            .map(|point| -point.base_separation)
            .fold(0.0, f32::max);
        let normal = self.bodies.poses[record.body_a as usize].rotate(constraint.normal);
        let (mine, other) = if is_b {
            (record.shape_b, record.shape_a)
        } else {
            (record.shape_a, record.shape_b)
        };
        Some(Touch {
            contact,
            mine,
            other,
            normal: if is_b { normal } else { -normal },
            depth,
            covered: false,
            leveled: None,
        })
    }

    /// Turns the normals of contacts that are almost those of the faces that they are on, by less than anybody sees: into those.
    fn level_all(&mut self, touches: &mut [Touch], body: u32) {
        for index in 0..touches.len() {
            touches[index].leveled = self.level_normal(touches, index, body);
        }
        for touch in touches {
            if let Some(out) = touch.leveled {
                touch.normal = out;
                let constraint = &mut self.contacts.constraints[touch.contact as usize];
                let from_a = if constraint.body_b == body { out } else { -out };
                constraint.normal = self.bodies.poses[constraint.body_a as usize].unrotate(from_a);
            }
        }
    }

    /// Returns the normal of the face that a contact is on, if it has another one. A single point must have another face beside
    /// its own, at the same height: else it may be at a corner that things go over.
    fn level_normal(&self, touches: &[Touch], index: usize, body: u32) -> Option<Vec2> {
        let touch = &touches[index];
        let constraint = &self.contacts.constraints[touch.contact as usize];
        let bears = constraint.count == 2;
        if bears && constraint.flags & constraint_flags::STATIC_A != 0 {
            // Its manifold was made so.
            return None;
        }
        let out = self.normal_near(touch.other, touch.normal, SAME_NORMAL)?;
        if out == touch.normal {
            return None;
        }
        let base = self.bodies.poses[body as usize].center;
        let level = self.farthest(touch.other, base, out);
        let is_beside = |next: &Touch| {
            next.other != touch.other
                && next.normal.dot(&out) > SAME_NORMAL
                && (self.farthest(next.other, base, out) - level).abs() < LEVEL
        };
        (bears || touches.iter().any(is_beside)).then_some(out)
    }

    /// Says whether the other shape of `edge` lies behind the face that `face` is on, and the body's no further behind it
    /// than `face` pushes it out.
    fn covers(&self, face: &Touch, plane: &Plane, edge: &Touch, body: u32) -> bool {
        #[cfg(test)]
        tests::PAIRS.set(tests::PAIRS.get() + 1);
        if face.other == edge.other || face.normal.dot(&edge.normal) > SAME_NORMAL {
            return false;
        }
        let base = self.bodies.poses[body as usize].center;
        let stays_above = |lowest: f32| lowest > plane.level - face.depth - LINEAR_SLOP;
        let is_above = if edge.mine == face.mine {
            stays_above(plane.lowest)
        } else {
            stays_above(-self.farthest(edge.mine, base, -plane.out))
        };
        is_above
            && self.farthest(edge.other, base, plane.out) < plane.level + LEVEL
            && (face.normal.dot(&edge.normal) < ALSO_HOLDS || self.is_held_by(face, edge, body))
    }

    /// Returns the plane of the face that `face` is on.
    fn face_plane_of(&self, face: &Touch, body: u32) -> Plane {
        let base = self.bodies.poses[body as usize].center;
        let out = self.face_normal(face);
        Plane {
            out,
            level: self.farthest(face.other, base, out),
            lowest: -self.farthest(face.mine, base, -out),
        }
    }

    /// Returns the normal of the face that a contact is on: where the side of a box lies on it a little askew, the contact has
    /// the normal of that side, and the next tile rises over it.
    fn face_normal(&self, face: &Touch) -> Vec2 {
        let side = self.normal_near(face.mine, -face.normal, SAME_NORMAL);
        let other = side.and_then(|_| self.normal_near(face.other, face.normal, SAME_FACE));
        other.unwrap_or(face.normal)
    }

    /// Returns the normal of a side, of a polygon or a segment, that is near `direction` by the cosine `least`, if there is one.
    fn normal_near(&self, shape: u32, direction: Vec2, least: f32) -> Option<Vec2> {
        let record = &self.shapes.slots[shape];
        let pose = &self.bodies.poses[record.body as usize];
        let near = side_near(&record.geometry, pose.unrotate(direction), least);
        near.map(|normal| pose.rotate(normal))
    }

    /// Says whether the body, stopped where `face` holds it, no longer comes down on the face at any point of `edge`.
    ///
    /// A ball that lands on a seam is held by one tile; a slab with one end on the floor is not, while the other comes down.
    fn is_held_by(&self, face: &Touch, edge: &Touch, body: u32) -> bool {
        let state = &self.bodies.states[body as usize];
        let (mass, center) = (
            &self.bodies.masses[body as usize],
            self.bodies.poses[body as usize].center,
        );
        let ground = self.shapes.slots[edge.other].body;
        let base = self.bodies.poses[ground as usize].center;
        let (mut linear, mut spin) = (state.velocity, state.angular_velocity);
        let closing = |linear: Vec2, spin: f32, place: WorldPoint| {
            let velocity = linear + cross_scalar(spin, &(place - center));
            (self.bodies.velocity_at(ground, place - base) - velocity).dot(&face.normal)
        };
        let places = self.places_of(face.contact);
        let mut impulses = [0.0_f32; 2];
        for _ in 0..HOLDING_SWEEPS {
            for (&place, total) in places.iter().zip(&mut impulses) {
                let turn = cross(&(place - center), &face.normal);
                let inv_mass = mass.inv_mass + mass.inv_inertia * turn * turn;
                if inv_mass > 0.0 {
                    let pushed = (*total + closing(linear, spin, place) / inv_mass).max(0.0);
                    let impulse = pushed - core::mem::replace(total, pushed);
                    linear += impulse * mass.inv_mass * face.normal;
                    spin += impulse * mass.inv_inertia * turn;
                }
            }
        }
        // Faster than its own size in a step, only the sweep of its core holds it.
        let dt = self.history.last_dt();
        let fastest = self.bodies.tracks[body as usize].max_extent / dt;
        let comes_down = |&place: &WorldPoint| {
            let left = closing(linear, spin, place);
            left > MAX_CLOSING && left < fastest
        };
        !self.places_of(edge.contact).iter().any(comes_down)
    }

    /// Returns where the points of a contact are.
    fn places_of(&self, contact: u32) -> SmallVec<[WorldPoint; 2]> {
        let constraint = &self.contacts.constraints[contact as usize];
        let pose = &self.bodies.poses[constraint.body_a as usize];
        let points = constraint.points[..constraint.count as usize].iter();
        points
            .map(|point| pose.center + pose.rotate(point.anchor_a))
            .collect()
    }

    /// Returns how far a shape reaches along `direction`, from `base` [m].
    fn farthest(&self, shape: u32, base: WorldPoint, direction: Vec2) -> f32 {
        let record = &self.shapes.slots[shape];
        let pose: Pose = self.bodies.poses[record.body as usize].relative_to(base);
        let local = pose.rotation.inverse() * direction;
        (pose * record.geometry.support(&local))
            .coords
            .dot(&direction)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use core::cell::Cell;

    thread_local! {
        /// Pairs of contacts that were looked at.
        pub(crate) static PAIRS: Cell<usize> = const { Cell::new(0) };
    }
}
