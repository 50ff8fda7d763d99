//! Deltas: the differences of a world from an earlier save. The bytes are described in `docs/format.md`.
//!
//! Tables note which records may have been written since the base: all that were awake since then, and all that were
//! borrowed for writing. The others have the bytes of the base, and are not looked at. A world knows its base by the
//! checksum of the save, so a clone has the base of the original, and a world that is set back to an earlier clone has
//! the base of that.

use crate::world::World;
use crate::world::save::{self, CHECKSUM, HEADER, SaveKind};
use cairn2d_geometry::{
    Compared, DeltaSink, LoadError, LoadReason, Persist, PlacesSink, RecordPlaces, apply_delta,
    clone_fields,
};

/// A full save as the base of deltas: see [`World::save_base`].
#[derive(Debug)]
pub struct BaseSave {
    save: Vec<u8>,
    places: RecordPlaces,
}

clone_fields!(BaseSave { save, places });

impl BaseSave {
    /// The bytes of the save, for [`World::load`] and [`World::load_delta`].
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.save
    }

    fn name(&self) -> BaseName {
        name_of(&self.save)
    }
}

/// The checksum of a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BaseName([u8; 8]);

/// Returns the name of a save with a whole head.
fn name_of(save: &[u8]) -> BaseName {
    BaseName(save[CHECKSUM].try_into().expect("eight bytes"))
}

impl World {
    /// Saves the world as the base of deltas. Until the next base, [`save_delta`](Self::save_delta) against it reads only
    /// the parts that were awake or changed since.
    ///
    /// The world does not change, except for its bookkeeping for deltas. The bytes are those of [`save`](Self::save).
    #[must_use]
    pub fn save_base(&mut self) -> BaseSave {
        let mut base = BaseSave {
            save: Vec::new(),
            places: RecordPlaces::default(),
        };
        self.save_base_into(&mut base);
        base
    }

    /// Replaces `base` by the world: see [`save_base`](Self::save_base). Does not allocate if the memory of `base` is
    /// large enough.
    pub fn save_base_into(&mut self, base: &mut BaseSave) {
        save::begin(SaveKind::World, &mut base.save);
        self.write(&mut PlacesSink::new(&mut base.save, &mut base.places));
        save::seal(&mut base.save);
        self.begin_base(base.name());
    }

    /// From now on the tables note differences from the present world, whose save has the given name.
    fn begin_base(&mut self, name: BaseName) {
        self.base = Some(name);
        self.bodies.begin_base();
        self.shapes.slots.begin_base();
        self.contacts.begin_base();
        self.joints.begin_base();
        self.joints.note_solved();
        self.islands.begin_base();
        self.broad.begin_base();
    }

    /// Returns the differences of the world from `base`, a save of the same or of any other world.
    ///
    /// [`load_delta`](Self::load_delta) makes the world from both. If `base` is the last base of this world, or of the
    /// world from which it was cloned, only the parts that were awake or changed since are compared. Otherwise
    /// everything is compared, which takes somewhat longer than a save.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ShapeDef, World};
    /// use cairn2d_geometry::{Circle, math::vec2};
    ///
    /// let mut world = World::default();
    /// let ball = world.create_body(BodyDef::dynamic());
    /// world.create_shape(ball, Circle::of_radius(0.5), ShapeDef::default());
    /// let base = world.save_base();
    ///
    /// world.body_mut(ball).apply_impulse(vec2(1.0, 0.0));
    /// world.step(1.0 / 60.0);
    /// let delta = world.save_delta(&base);
    /// assert!(delta.len() < base.bytes().len());
    ///
    /// let loaded = World::load_delta(base.bytes(), &delta).unwrap();
    /// assert_eq!(loaded.state_hash(), world.state_hash());
    /// ```
    #[must_use]
    pub fn save_delta(&self, base: &BaseSave) -> Vec<u8> {
        let mut delta = Vec::new();
        self.save_delta_into(base, &mut delta);
        delta
    }

    /// Replaces the content of `delta` with the differences of the world from `base`: see
    /// [`save_delta`](Self::save_delta). Does not allocate if the capacity is large enough.
    pub fn save_delta_into(&self, base: &BaseSave, delta: &mut Vec<u8>) {
        let compared = if self.base == Some(base.name()) {
            Compared::Written
        } else {
            Compared::All
        };
        save::begin(SaveKind::Delta, delta);
        delta.extend_from_slice(&base.save[CHECKSUM]);
        let mut sink = DeltaSink::new(delta, &base.save, HEADER, &base.places, compared);
        self.write(&mut sink);
        sink.finish();
        save::seal(delta);
    }

    /// Makes a world from `base`, the bytes of a save, and the bytes of [`save_delta`](Self::save_delta) against it.
    /// The result is the world from which the delta was made, as if it had been saved and [loaded](Self::load).
    ///
    /// Any bytes may be given, as with `load`.
    ///
    /// # Errors
    /// See [`apply_delta`](Self::apply_delta) and [`load`](Self::load).
    pub fn load_delta(base: &[u8], delta: &[u8]) -> Result<Self, LoadError> {
        let mut save = Vec::new();
        Self::apply_delta(base, delta, &mut save)?;
        Self::load(&save)
    }

    /// Replaces the content of `save` with the save of the world from which `delta` was made: the same bytes as from
    /// [`save`](Self::save), computed from the base and the delta. Does not allocate if the capacity is large enough.
    ///
    /// # Errors
    /// If `base` is not a save or was changed; if `delta` is not a delta, was changed, has another base, or its
    /// instructions do not fit the base. The offset of an error refers to the bytes that contain it. The world in the
    /// save is checked when it is loaded.
    pub fn apply_delta(base: &[u8], delta: &[u8], save: &mut Vec<u8>) -> Result<(), LoadError> {
        save::open(SaveKind::World, base)?;
        let mut reader = save::open(SaveKind::Delta, delta)?;
        let place = reader;
        if BaseName(reader.take()?) != name_of(base) {
            return Err(place.error(LoadReason::OtherBase));
        }
        save::begin(SaveKind::World, save);
        save::copy_versions(delta, save);
        apply_delta(&base[HEADER..], &mut reader, save)?;
        save::seal(save);
        Ok(())
    }
}
