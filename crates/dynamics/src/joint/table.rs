//! All joints of a world: cold records under ids, hot records in arrays beside them.

use crate::body::Body;
use crate::body::state::BodyMass;
use crate::body::table::BodyTable;
use crate::graph::GraphPlace;
use crate::id::{JointId, Slots, WorldMark, kind};
use crate::joint::rows::RowKind;
use crate::joint::sim::{JointClass, JointKind, JointSim, JointTraits};
use crate::joint::{JointDef, JointReaction};
use crate::tracked::{TrackedRecords, state_table};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{LoadError, Persist, Reader, Sink, state_record};

/// The cold record of a joint.
#[derive(Clone, Debug)]
pub(crate) struct JointRecord {
    pub(crate) def: JointDef,
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    /// Place in the constraint graph, while awake.
    pub(crate) graph: GraphPlace,
    /// The joint and both bodies are enabled, and at least one body is dynamic.
    pub(crate) active: bool,
}

state_record!(JointRecord {
    def,
    body_a,
    body_b,
    graph,
    active,
});

impl JointRecord {
    /// Returns the slots of bodies A and B.
    pub(crate) fn bodies(&self) -> [u32; 2] {
        [self.body_a, self.body_b]
    }

    /// Returns the other body of the joint at `body`.
    pub(crate) fn other_body(&self, body: u32) -> u32 {
        if self.body_a == body {
            self.body_b
        } else {
            self.body_a
        }
    }

    /// Returns `true` if `body` is one of its bodies.
    pub(crate) fn has_body(&self, body: u32) -> bool {
        self.body_a == body || self.body_b == body
    }
}

/// Joints by slot; the arrays are as long as the largest slot ever used.
#[derive(Debug)]
pub(crate) struct JointTable {
    pub(crate) slots: Slots<kind::Joint, JointRecord>,
    pub(crate) sims: TrackedRecords<JointSim>,
    pub(crate) traits: TrackedRecords<JointTraits>,
    /// Loads of joints with a break limit in the last step; meaningless for others.
    pub(crate) loads: TrackedRecords<JointReaction>,
}

state_table!(JointTable {
    sets: [],
    fields: [],
    hot: [
        sims "sim" JointSim::UNUSED,
        traits "traits" JointTraits::default(),
    ],
    reports: [loads "load" JointReaction::NONE],
    omitted: [],
});

impl Persist for JointTable {
    fn write<S: Sink>(&self, sink: &mut S) {
        self.write_state(sink);
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let mut table = Self {
            slots: reader.read()?,
            ..Self::new(WorldMark(0))
        };
        table.grow_records();
        for (slot, _) in table.slots.iter() {
            let slot = slot as usize;
            table.sims[slot] = reader.read()?;
            table.traits[slot] = JointTraits {
                lanes: table.sims[slot].traits().lanes,
                ..reader.read()?
            };
            table.loads[slot] = reader.read()?;
        }
        Ok(table)
    }
}

impl JointTable {
    /// Notes the joints in the graph as written: the solver writes them without a note.
    pub(crate) fn note_solved(&mut self) {
        for slot in 0..self.slots.bound() as u32 {
            if self.slots.get(slot).is_some() && self.is_solved(slot) {
                self.slots.note_written(slot);
            }
        }
    }

    /// Adds the joint of `def`, which must be valid, between the bodies in the given slots. It is not active
    /// yet.
    pub(crate) fn insert(&mut self, def: JointDef, [body_a, body_b]: [u32; 2]) -> JointId {
        let id = self.slots.insert_with(|_| JointRecord {
            def,
            body_a,
            body_b,
            graph: GraphPlace::NONE,
            active: false,
        });
        let slot = id.index() as usize;
        self.grow_records();
        self.sims[slot] = JointSim::new(&def, body_a, body_b);
        self.traits[slot] = JointTraits::default();
        // Saves hold loads: none of the joint that was here before.
        self.loads[slot] = JointReaction::NONE;
        id
    }

    /// Removes the joint in `slot`.
    pub(crate) fn remove(&mut self, slot: u32) -> JointRecord {
        self.sims[slot as usize] = JointSim::UNUSED;
        self.slots.remove(slot)
    }

    /// Returns `true` if the joint in `slot` is in the constraint graph: its bodies are awake and it acts on
    /// them.
    pub(crate) fn is_solved(&self, slot: u32) -> bool {
        self.slots[slot].graph != GraphPlace::NONE
    }

    /// Returns `true` if the substeps iterate the joint in `slot` between its two bodies: it is no gear, and no mouse.
    pub(crate) fn is_iterated(&self, slot: u32) -> bool {
        let is_left = self.traits[slot as usize].class != JointClass::Direct;
        let is_pair = !matches!(
            self.sims[slot as usize].kind,
            JointKind::None | JointKind::Mouse(_) | JointKind::Gear(_)
        );
        is_left && is_pair && self.is_solved(slot)
    }

    /// Returns `true` if a joint has a spring beside other rows.
    pub(crate) fn is_sprung(&self, slot: u32) -> bool {
        let lanes = self.traits[slot as usize].lanes;
        match lanes.rows {
            RowKind::Weld | RowKind::Motor => true,
            RowKind::Hinge | RowKind::LongHinge | RowKind::Prismatic => lanes.parts.has_spring(),
            _ => false,
        }
    }

    /// Iterates over the joints of `body` that are in the constraint graph.
    pub(crate) fn solved_joints_of(&self, body: &Body) -> impl Iterator<Item = u32> {
        let joints = body.joints.iter().copied();
        joints.filter(|&joint| self.is_solved(joint))
    }

    /// Returns the masses and the local centers \[m\] of a joint's bodies.
    pub(crate) fn masses_at(&self, slot: u32, bodies: &BodyTable) -> [(BodyMass, Vec2); 2] {
        self.slots[slot].bodies().map(|body| {
            let center = bodies.poses[body as usize].local_center;
            (bodies.masses[body as usize], center)
        })
    }

    /// Updates the traits of a joint after a change of its settings or the masses of its bodies.
    pub(crate) fn update_traits(&mut self, slot: u32, bodies: &BodyTable) {
        let masses = self.masses_at(slot, bodies);
        let joint = &mut self.sims[slot as usize];
        joint.base.update_long_arm(masses);
        let now = joint.traits();
        let before = core::mem::replace(&mut self.traits[slot as usize], now);
        if now.can_break && !before.can_break {
            // Until a step measures it.
            self.loads[slot as usize] = joint.reaction();
        }
    }

    /// Returns the load of a joint in the last step: that compared with its break limits, if it has any.
    pub(crate) fn load(&self, slot: u32) -> JointReaction {
        if self.traits[slot as usize].can_break {
            self.loads[slot as usize]
        } else {
            self.sims[slot as usize].reaction()
        }
    }
}
