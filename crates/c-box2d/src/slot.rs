//! A world of the table: the engine's world, and what C attached to its objects.

use crate::abi::{Fault, Outcome};
use crate::chain_table::ChainTable;
use crate::events::Events;
use crate::joint_settings::JointSettings;
use crate::types::*;
use cairn2d::{BodyMut, BodyRef, JointId, JointRef, ShapeMut, ShapeRef, World};
use core::ffi::c_int;
use std::ffi::CString;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// What a shape is asked to report: the bits of the engine's user data of shapes, so that events and hooks have them at hand.
pub(crate) mod shape_flags {
    pub(crate) const SENSOR_EVENTS: u64 = 1;
    pub(crate) const CONTACT_EVENTS: u64 = 2;
    pub(crate) const HIT_EVENTS: u64 = 4;
    pub(crate) const PRE_SOLVE_EVENTS: u64 = 8;
    pub(crate) const CUSTOM_FILTERING: u64 = 16;
}

/// What C attached to a shape.
#[derive(Clone, Copy, Default)]
pub(crate) struct ShapeExtra {
    pub(crate) user_data: usize,
    pub(crate) color: u32,
    /// Number of the chain to which the segment belongs, from 1; 0: none.
    pub(crate) chain: u32,
}

/// What C attached to a body. Its user pointer is the engine's user data.
#[derive(Clone)]
pub(crate) struct BodyExtra {
    pub(crate) name: Option<CString>,
    pub(crate) sleep_threshold: f32,
    pub(crate) recycles_contacts: bool,
}

impl BodyExtra {
    pub(crate) const DEFAULT: Self = Self {
        name: None,
        sleep_threshold: 0.05,
        recycles_contacts: true,
    };
}

/// What C attached to the shapes of a world, by slot. Hooks of a step read it beside the borrowed world.
pub(crate) type ShapeExtras = Arc<RwLock<Vec<ShapeExtra>>>;

/// Functions of the user that a step calls.
#[derive(Clone, Copy, Default)]
pub(crate) struct Callbacks {
    /// With their context's address.
    pub(crate) filter: Option<(CustomFilter, usize)>,
    pub(crate) pre_solve: Option<(PreSolve, usize)>,
    pub(crate) friction: b2FrictionCallback,
    pub(crate) restitution: b2RestitutionCallback,
}

pub(crate) type CustomFilter = extern "C" fn(b2ShapeId, b2ShapeId, *mut core::ffi::c_void) -> bool;
pub(crate) type PreSolve =
    extern "C" fn(b2ShapeId, b2ShapeId, b2Pos, b2Vec2, *mut core::ffi::c_void) -> bool;

impl Callbacks {
    /// Returns `true` if each contact must be shown before it is solved.
    pub(crate) fn mixes(&self) -> bool {
        self.friction.is_some() || self.restitution.is_some()
    }
}

pub(crate) struct Slot {
    pub(crate) world: World,
    pub(crate) world0: u16,
    pub(crate) user_data: usize,
    pub(crate) recycle_distance: f32,
    pub(crate) shapes: ShapeExtras,
    pub(crate) bodies: Vec<BodyExtra>,
    pub(crate) joints: Vec<Option<JointSettings>>,
    /// An event may be due for a joint. Else a step need not go through all of them.
    pub(crate) watches_joints: bool,
    pub(crate) chains: ChainTable,
    pub(crate) callbacks: Callbacks,
    pub(crate) events: Events,
    /// Largest counts of objects so far.
    pub(crate) most: b2Capacity,
    /// Address of the recording that goes on.
    pub(crate) recording: Option<usize>,
}

/// Returns the item of a slot, after filling the list up to it.
pub(crate) fn item_at<T: Clone>(list: &mut Vec<T>, slot: u32, filler: T) -> &mut T {
    let slot = slot as usize;
    if list.len() <= slot {
        list.resize(slot + 1, filler);
    }
    &mut list[slot]
}

impl Slot {
    pub(crate) fn body(&self, id: b2BodyId) -> Outcome<BodyRef<'_>> {
        let found = self.world.get_body(id.engine());
        found.ok_or(Fault::Stale("body"))
    }

    pub(crate) fn body_mut(&mut self, id: b2BodyId) -> Outcome<BodyMut<'_>> {
        let found = self.world.get_body_mut(id.engine());
        found.ok_or(Fault::Stale("body"))
    }

    pub(crate) fn shape(&self, id: b2ShapeId) -> Outcome<ShapeRef<'_>> {
        let found = self.world.get_shape(id.engine());
        found.ok_or(Fault::Stale("shape"))
    }

    pub(crate) fn shape_mut(&mut self, id: b2ShapeId) -> Outcome<ShapeMut<'_>> {
        let found = self.world.get_shape_mut(id.engine());
        found.ok_or(Fault::Stale("shape"))
    }

    pub(crate) fn joint(&self, id: b2JointId) -> Outcome<JointRef<'_>> {
        let found = self.world.get_joint(id.engine());
        found.ok_or(Fault::Stale("joint"))
    }

    /// Returns what C attached to a body.
    pub(crate) fn body_extra(&self, id: b2BodyId) -> Outcome<BodyExtra> {
        let slot = self.body(id)?.id().index() as usize;
        let extra = self.bodies.get(slot);
        Ok(extra.cloned().unwrap_or(BodyExtra::DEFAULT))
    }

    pub(crate) fn body_extra_mut(&mut self, id: b2BodyId) -> Outcome<&mut BodyExtra> {
        let slot = self.body(id)?.id().index();
        Ok(item_at(&mut self.bodies, slot, BodyExtra::DEFAULT))
    }

    pub(crate) fn shape_extras(&self) -> RwLockReadGuard<'_, Vec<ShapeExtra>> {
        self.shapes.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn shape_extras_mut(&self) -> RwLockWriteGuard<'_, Vec<ShapeExtra>> {
        self.shapes.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what C attached to a shape.
    pub(crate) fn shape_extra(&self, id: b2ShapeId) -> Outcome<ShapeExtra> {
        let slot = self.shape(id)?.id().index() as usize;
        Ok(self.shape_extras().get(slot).copied().unwrap_or_default())
    }

    pub(crate) fn set_shape_extra(
        &self,
        id: b2ShapeId,
        change: impl FnOnce(&mut ShapeExtra),
    ) -> Outcome<()> {
        let slot = self.shape(id)?.id().index();
        change(item_at(
            &mut self.shape_extras_mut(),
            slot,
            ShapeExtra::default(),
        ));
        Ok(())
    }

    /// Returns the settings of a joint.
    pub(crate) fn settings(&self, id: b2JointId) -> Outcome<&JointSettings> {
        let slot = self.joint(id)?.id().index() as usize;
        let settings = self.joints.get(slot).and_then(Option::as_ref);
        settings.ok_or(Fault::Stale("joint"))
    }

    /// Changes the settings of a joint, and the engine's joint with them.
    pub(crate) fn edit_joint(
        &mut self,
        id: b2JointId,
        change: impl FnOnce(&mut JointSettings) -> Outcome<()>,
    ) -> Outcome<()> {
        let mut settings = *self.settings(id)?;
        change(&mut settings)?;
        let def = settings.engine_def()?;
        self.world.try_set_joint(id.engine(), def)?;
        self.joints[id.engine().index() as usize] = Some(settings);
        Ok(())
    }

    /// Simulates a step.
    pub(crate) fn step(&mut self, dt: f32, substeps: c_int) -> Outcome<()> {
        if substeps < 1 {
            return Err(Fault::Count(substeps));
        }
        let substeps = (substeps as u32).min(cairn2d::MAX_SUBSTEPS);
        if self.world.def().substeps != substeps {
            self.change_def(|def| def.substeps = substeps)?;
        }
        self.events.clear();
        self.world.try_step(dt)?;
        if dt > 0.0 && self.watches_joints {
            self.events
                .note_joints(&self.world, self.world0, &self.joints);
        }
        self.note_counts();
        self.record_step(dt);
        Ok(())
    }

    /// Changes the engine's settings of the world.
    pub(crate) fn change_def(
        &mut self,
        change: impl FnOnce(&mut cairn2d::WorldDef),
    ) -> Outcome<()> {
        let mut def = self.world.def().clone();
        change(&mut def);
        Ok(self.world.try_set_def(def)?)
    }

    fn note_counts(&mut self) {
        let contacts = self.world.counters().contacts as c_int;
        self.most.contactCount = self.most.contactCount.max(contacts);
    }

    /// Returns the id of an engine's joint.
    pub(crate) const fn joint_id(&self, id: JointId) -> b2JointId {
        b2JointId::of(id, self.world0)
    }
}
