//! Linkages: the dynamic bodies that joints connect to each other.

use super::JointDef;
use super::table::JointTable;
use crate::bitset::BitSet;
use crate::body::def::BodyKind;
use crate::body::table::BodyTable;
use cairn2d_geometry::math::Vec2;

/// Finds linkages, each once. No part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinkageSearch {
    /// Bodies of the linkages that were found.
    found: BitSet,
    /// The same bodies, one linkage after the other.
    pub(crate) bodies: Vec<u32>,
}

/// How a linkage is connected to the bodies that it does not contain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Linkage {
    /// Place of the first of its bodies in the list; its last body ends the list.
    pub(crate) start: usize,
    pub(crate) is_on_static: bool,
    /// The first kinematic body that holds it.
    pub(crate) kinematic: Option<u32>,
    /// A motor moves it.
    pub(crate) is_driven: bool,
    /// A joint of it may have a spring.
    pub(crate) may_have_springs: bool,
    /// Something else acts on it: contacts, gears, the mouse.
    pub(crate) is_touched: bool,
}

impl LinkageSearch {
    /// Forgets all linkages.
    pub(crate) fn clear(&mut self) {
        self.found.clear();
        self.bodies.clear();
    }

    /// Lists the bodies of the linkage of `first`; `None` if they are listed already.
    pub(crate) fn find(
        &mut self,
        first: u32,
        bodies: &BodyTable,
        joints: &JointTable,
    ) -> Option<Linkage> {
        if self.found.contains(first) {
            return None;
        }
        let start = self.bodies.len();
        let mut linkage = Linkage {
            start,
            ..Linkage::default()
        };
        self.found.insert(first);
        self.bodies.push(first);
        let mut next = start;
        while let Some(&body) = self.bodies.get(next) {
            next += 1;
            let mut links = 0;
            for joint in joints.solved_joints_of(&bodies.slots[body]) {
                let record = &joints.slots[joint];
                if !connects(&record.def) {
                    continue;
                }
                links += 1;
                linkage.is_driven |= drives(&record.def);
                linkage.may_have_springs |= may_have_springs(&record.def);
                let other = record.other_body(body);
                match bodies.slots[other].kind {
                    BodyKind::Static => linkage.is_on_static = true,
                    BodyKind::Kinematic => {
                        linkage.kinematic.get_or_insert(other);
                    }
                    BodyKind::Dynamic if !self.found.contains(other) => {
                        self.found.insert(other);
                        self.bodies.push(other);
                    }
                    BodyKind::Dynamic => {}
                }
            }
            linkage.is_touched |= bodies.tracks[body as usize].constraints != links;
        }
        Some(linkage)
    }
}

/// Returns `true` if a joint makes its two bodies part of one linkage: it is no mouse, and no gear, which turns bodies
/// that may be far apart.
pub(crate) fn connects(def: &JointDef) -> bool {
    !matches!(
        def,
        JointDef::Mouse(_) | JointDef::Gear(_) | JointDef::Filter(_)
    )
}

/// Returns `true` if a joint may have a spring.
pub(crate) fn may_have_springs(def: &JointDef) -> bool {
    def.spring().is_some() || matches!(def, JointDef::Weld(_) | JointDef::Motor(_))
}

/// Returns `true` if a joint has a motor that moves its bodies.
fn drives(def: &JointDef) -> bool {
    match def {
        JointDef::Motor(def) => def.linear_velocity != Vec2::zeros() || def.angular_velocity != 0.0,
        _ => def.motor().is_some_and(|motor| motor.speed != 0.0),
    }
}
