//! All bodies of a world: cold records under ids, hot records in arrays beside them.

use crate::bitset::BitSet;
use crate::body::def::{BodyKind, Continuous};
use crate::body::state::{BodyMass, BodyMotion, BodyPose, BodyState};
use crate::body::states::BodyStates;
use crate::body::{Body, BodyTrack, track_flags};
use crate::graph::DynamicEnds;
use crate::id::{BodyId, Slots, WorldMark, kind};
use crate::tracked::{TrackedRecords, TrackedSet, state_table};
use cairn2d_geometry::math::{Point, Vec2, WorldPoint};
use cairn2d_geometry::{LoadError, Persist, Reader, Sink, Sweep};

/// Bodies by slot; the arrays are as long as the largest slot ever used.
#[derive(Debug)]
pub(crate) struct BodyTable {
    pub(crate) slots: Slots<kind::Body, Body>,
    pub(crate) states: BodyStates,
    pub(crate) poses: TrackedRecords<BodyPose>,
    pub(crate) masses: TrackedRecords<BodyMass>,
    pub(crate) motions: TrackedRecords<BodyMotion>,
    pub(crate) tracks: TrackedRecords<BodyTrack>,
    /// Upper bound of the travel of the fastest point in the last step [m]; 0 for bodies that did not move.
    /// Read by the narrow phase, twice a contact.
    pub(crate) moved: TrackedRecords<f32>,
    /// Awake kinematic and dynamic bodies: the simulated ones.
    pub(crate) awake: TrackedSet,
    /// Bodies with several touching contacts with static or kinematic bodies.
    pub(crate) between_static: BitSet,
    /// Dynamic bodies without mass, also disabled ones: forces do not move them.
    pub(crate) massless: BitSet,
    /// Bodies that were created with an angle of more than a full turn, for warnings only.
    pub(crate) large_angles: BitSet,
    /// Bodies whose mass or shapes changed since the last step began: see `World::refresh_changed_bodies`.
    pub(crate) changed: BitSet,
    /// A body was changed or removed since then.
    pub(crate) any_changed: bool,
}

state_table!(BodyTable {
    sets: [awake],
    fields: [between_static, changed, any_changed],
    hot: [
        states "state" BodyState::IDENTITY,
        poses "pose" BodyPose::IDENTITY,
        masses "mass" BodyMass::default(),
        motions "motion" BodyMotion::NONE,
        tracks "track" BodyTrack::EMPTY,
        moved "moved" 0.0,
    ],
    reports: [],
    // The former follow from kinds and masses; a save does without the latter, a report for the user.
    omitted: [massless, large_angles],
});

/// Records of free slots are not saved: they are as after the removal of a body.
impl Persist for BodyTable {
    fn write<S: Sink>(&self, sink: &mut S) {
        self.write_state(sink);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let mut table = Self {
            slots: reader.read()?,
            awake: reader.read()?,
            between_static: reader.read()?,
            changed: reader.read()?,
            any_changed: reader.read()?,
            ..Self::new(WorldMark(0))
        };
        table.grow();
        for slot in 0..table.slots.bound() {
            if table.slots.get(slot as u32).is_none() {
                continue;
            }
            table.states[slot] = reader.read()?;
            table.poses[slot] = reader.read()?;
            table.masses[slot] = reader.read()?;
            table.motions[slot] = reader.read()?;
            table.tracks[slot] = reader.read()?;
            table.moved[slot] = reader.read()?;
            table.note_massless(slot as u32);
        }
        Ok(table)
    }
}

/// The hot records of a new body.
pub(crate) struct HotRecords {
    pub(crate) state: BodyState,
    pub(crate) pose: BodyPose,
    pub(crate) motion: BodyMotion,
    pub(crate) track: BodyTrack,
}

impl BodyTable {
    /// Stores a new body.
    pub(crate) fn insert(&mut self, body: Body, hot: HotRecords) -> BodyId {
        let id = self.slots.insert_with(|_| body);
        self.grow();
        let slot = id.index() as usize;
        self.states[slot] = hot.state;
        self.poses[slot] = hot.pose;
        self.motions[slot] = hot.motion;
        self.tracks[slot] = hot.track;
        self.masses[slot] = BodyMass::default();
        self.update_track_flags(id.index());
        self.note_massless(id.index());
        id
    }

    fn grow(&mut self) {
        self.grow_records();
        self.between_static.grow(self.slots.bound());
        self.massless.grow(self.slots.bound());
    }

    /// Removes the body in `slot`; its hot records become those of an empty slot.
    pub(crate) fn remove(&mut self, slot: u32) -> Body {
        let index = slot as usize;
        self.states[index] = BodyState::IDENTITY;
        self.tracks[index] = BodyTrack::EMPTY;
        self.masses[index] = BodyMass::default();
        self.moved[index] = 0.0;
        self.awake.remove(slot);
        self.massless.remove(slot);
        self.large_angles.remove(slot);
        self.changed.remove(slot);
        self.any_changed = true;
        self.slots.remove(slot)
    }

    /// Notes whether the body in `slot` is dynamic and has no mass.
    pub(crate) fn note_massless(&mut self, slot: u32) {
        let is_dynamic = self.slots[slot].kind == BodyKind::Dynamic;
        if is_dynamic && self.masses[slot as usize].inv_mass == 0.0 {
            self.massless.insert(slot);
        } else {
            self.massless.remove(slot);
        }
    }

    /// Notes that mass or shapes of the body in `slot` changed: the next step updates the records that only
    /// it reads.
    pub(crate) fn note_changed(&mut self, slot: u32) {
        self.changed.insert(slot);
        self.any_changed = true;
    }

    /// Clears the forces collected for the next step: the body is not part of it.
    pub(crate) fn forget_forces(&mut self, slot: u32) {
        self.motions[slot as usize].forget_forces();
    }

    /// Reduces the velocities of the body in `slot` to its caps.
    pub(crate) fn cap_speeds(&mut self, slot: u32) {
        let index = slot as usize;
        self.states[index].cap_speeds(&self.motions[index]);
    }

    /// Returns `true` if the body in `slot` is dynamic.
    #[inline]
    pub(crate) fn is_dynamic(&self, slot: u32) -> bool {
        self.tracks[slot as usize].flags & track_flags::DYNAMIC != 0
    }

    /// Updates the flags of the tracking record from the cold record.
    pub(crate) fn update_track_flags(&mut self, slot: u32) {
        let body = &self.slots[slot];
        let bit = |on: bool, flag: u32| if on { flag } else { 0 };
        let is_dynamic = body.kind == BodyKind::Dynamic;
        let policy = match body.continuous {
            Continuous::Substep => track_flags::SUBSTEP,
            Continuous::Auto => track_flags::AUTO,
            Continuous::Clamp => 0,
        };
        let flags = &mut self.tracks[slot as usize].flags;
        *flags = *flags & track_flags::OTHERS
            | bit(is_dynamic, track_flags::DYNAMIC)
            | bit(body.bullet, track_flags::BULLET)
            | bit(!body.joints.is_empty(), track_flags::JOINTED)
            | bit(is_dynamic, policy);
    }

    /// Returns the two bodies of a constraint, each with its slot if it is dynamic.
    pub(crate) fn dynamic_ends(&self, a: u32, b: u32) -> DynamicEnds {
        [a, b].map(|slot| self.is_dynamic(slot).then_some(slot))
    }

    /// Counts a touch of two bodies that begins (1) or ends (-1) for each body whose partner is static or
    /// kinematic.
    pub(crate) fn count_static_touch(&mut self, [a, b]: [u32; 2], change: i32) {
        for (body, partner) in [(a, b), (b, a)] {
            if self.is_dynamic(partner) {
                continue;
            }
            let count = &mut self.slots[body].static_touches;
            *count = count.saturating_add_signed(change);
            if *count > 1 {
                self.between_static.insert(body);
            } else {
                self.between_static.remove(body);
            }
        }
    }

    /// Returns `true` if all dynamic bodies of a constraint are awake: only then is it solved.
    pub(crate) fn are_ends_awake(&self, a: u32, b: u32) -> bool {
        let ends = self.dynamic_ends(a, b).into_iter();
        ends.flatten().all(|body| self.awake.contains(body))
    }

    /// Returns the pose that the body in `slot` had before this step.
    pub(crate) fn start_of_step(&self, slot: u32) -> BodyPose {
        let pose = &self.poses[slot as usize];
        if self.awake.contains(slot) {
            self.states[slot as usize].start_of(pose)
        } else {
            *pose
        }
    }

    /// Returns `true` if the body in `slot` has rotated in this step.
    pub(crate) fn has_rotated(&self, slot: u32) -> bool {
        self.awake.contains(slot) && self.states[slot as usize].has_rotated()
    }

    /// Returns the velocity of the material point at `arm` from the center of mass [m/s].
    pub(crate) fn velocity_at(&self, slot: u32, arm: Vec2) -> Vec2 {
        self.states[slot as usize].velocity_at(arm)
    }
}

/// Returns the motion of a body from `start` to `end`, relative to `base`.
pub(crate) fn sweep_between(start: &BodyPose, end: &BodyPose, base: WorldPoint) -> Sweep {
    Sweep {
        local_center: Point::from(end.local_center),
        start: Point::from(start.center - base),
        end: Point::from(end.center - base),
        start_rotation: start.rotation(),
        end_rotation: end.rotation(),
    }
}
