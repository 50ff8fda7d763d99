//! All bodies of a world: cold records under ids, hot records in arrays beside them.

use crate::bitset::BitSet;
use crate::body::def::BodyKind;
use crate::body::state::{BodyMass, BodyMotion, BodyPose, BodyState};
use crate::body::{Body, BodyTrack};
use crate::graph::DynamicEnds;
use crate::id::{BodyId, Slots, WorldMark, kind};
use cairn2d_geometry::math::Vec2;

/// Bodies by slot; the arrays are as long as the largest slot ever used.
#[derive(Clone, Debug)]
pub(crate) struct BodyTable {
    pub(crate) slots: Slots<kind::Body, Body>,
    pub(crate) states: Vec<BodyState>,
    pub(crate) poses: Vec<BodyPose>,
    pub(crate) masses: Vec<BodyMass>,
    pub(crate) motions: Vec<BodyMotion>,
    pub(crate) tracks: Vec<BodyTrack>,
    /// Kinematic and dynamic bodies that are simulated.
    pub(crate) awake: BitSet,
}

/// The hot records of a new body.
pub(crate) struct HotRecords {
    pub(crate) state: BodyState,
    pub(crate) pose: BodyPose,
    pub(crate) motion: BodyMotion,
    pub(crate) track: BodyTrack,
}

impl BodyTable {
    pub(crate) fn new(mark: WorldMark) -> Self {
        Self {
            slots: Slots::new(mark),
            states: Vec::new(),
            poses: Vec::new(),
            masses: Vec::new(),
            motions: Vec::new(),
            tracks: Vec::new(),
            awake: BitSet::default(),
        }
    }

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
        id
    }

    fn grow(&mut self) {
        let bound = self.slots.bound();
        self.states.resize(bound, BodyState::IDENTITY);
        self.poses.resize(bound, BodyPose::IDENTITY);
        self.masses.resize(bound, BodyMass::default());
        self.motions.resize(bound, BodyMotion::NONE);
        self.tracks.resize(bound, BodyTrack::EMPTY);
        self.awake.grow(bound);
    }

    /// Removes the body in `slot`; its hot records become those of an empty slot.
    pub(crate) fn remove(&mut self, slot: u32) -> Body {
        let index = slot as usize;
        self.states[index] = BodyState::IDENTITY;
        self.tracks[index] = BodyTrack::EMPTY;
        self.masses[index] = BodyMass::default();
        self.awake.remove(slot);
        self.slots.remove(slot)
    }

    /// Forgets the forces collected for the next step: it will not come for this body.
    pub(crate) fn forget_forces(&mut self, slot: u32) {
        let motion = &mut self.motions[slot as usize];
        motion.force = Vec2::zeros();
        motion.torque = 0.0;
    }

    /// Says whether the body in `slot` is dynamic.
    #[inline]
    pub(crate) fn is_dynamic(&self, slot: u32) -> bool {
        self.slots[slot].kind == BodyKind::Dynamic
    }

    /// Returns the two bodies of a constraint, each with its slot if it is dynamic.
    pub(crate) fn dynamic_ends(&self, a: u32, b: u32) -> DynamicEnds {
        [a, b].map(|slot| self.is_dynamic(slot).then_some(slot))
    }

    /// Returns the velocity of the material point that is at `arm` from the centre of mass [m/s].
    pub(crate) fn velocity_at(&self, slot: u32, arm: Vec2) -> Vec2 {
        let state = &self.states[slot as usize];
        state.velocity + cairn2d_geometry::math::cross_scalar(state.angular_velocity, &arm)
    }
}
