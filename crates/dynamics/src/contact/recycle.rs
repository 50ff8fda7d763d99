//! The recycle test: has the relative pose of two shapes changed enough to need a new manifold?

use crate::contact::Cache;
use cairn2d_geometry::math::{Pose, Vec2};
use cairn2d_geometry::{HashState, StateHasher};

/// What collide looks at for every awake contact, every step: a quarter of a cache line, indexed by contact
/// slot.
///
/// Most contacts of a settled pile stop here: nothing else of theirs is read. Read and written every step.
/// The bodies' ways are summed up without direction, so a contact whose bodies move together runs out
/// of budget though it stays as it was; the pose in its [`RecycleKey`] then says so, and fills the budget up.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(crate) struct RecycleBudget {
    /// Slots of the two bodies. 8 bytes.
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    /// How far the bodies may still move, in sum, with the manifold as it is [m]. 4 bytes.
    pub(crate) remaining: f32,
    /// 4 bytes, free.
    reserved: u32,
}

impl HashState for RecycleBudget {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            // Both follow from the contact.
            body_a: _,
            // See `body_a`.
            body_b: _,
            remaining,
            // Never read.
            reserved: _,
        } = self;
        hash.add(remaining);
    }
}

const _: () = assert!(size_of::<RecycleBudget>() == 16);

impl RecycleBudget {
    /// Returns the budget of a contact whose manifold was never made.
    pub(crate) fn new([body_a, body_b]: [u32; 2]) -> Self {
        Self {
            body_a,
            body_b,
            remaining: -1.0,
            reserved: 0,
        }
    }
}

/// The pose at which a contact's manifold was made: one cache line, indexed by contact slot.
///
/// Read when the budget of the contact's [`RecycleBudget`] is used up; written when the manifold is made.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct RecycleKey {
    /// Slots of the two shapes. 8 bytes.
    pub(crate) shape_a: u32,
    pub(crate) shape_b: u32,
    /// Pose of B's body in A's body when the manifold was made. 16 bytes.
    translation: Vec2,
    rotation: Vec2,
    /// Square of the shift up to which the manifold is kept [m^2]; negative: never kept. 4 bytes.
    max_shift_sq: f32,
    /// [`contact_flags`]. 4 bytes.
    pub(crate) flags: u32,
    /// What the narrow phase remembers. 16 bytes.
    pub(crate) cache: Cache,
}

impl HashState for RecycleKey {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            // Both follow from the contact.
            shape_a: _,
            // See `shape_a`.
            shape_b: _,
            translation,
            rotation,
            max_shift_sq,
            flags,
            cache,
        } = self;
        hash.add(translation)
            .add(rotation)
            .add(max_shift_sq)
            .add(flags);
        hash.add(cache);
    }
}

const _: () = assert!(size_of::<RecycleKey>() == 64);

/// Bits of [`RecycleKey::flags`].
pub(crate) mod contact_flags {
    /// The shapes touch.
    pub(crate) const TOUCHING: u32 = 1;
    /// One of the shapes is a sensor.
    pub(crate) const SENSOR: u32 = 2;
    /// One of the shapes is one-way.
    pub(crate) const ONE_WAY: u32 = 4;
    /// The shapes stop each other: what is one-way was come to from its open side.
    pub(crate) const SOLID: u32 = 8;
    /// The pre-solve hook is asked.
    pub(crate) const HOOKED: u32 = 16;
}

/// Shift of two touching shapes against each other up to which their manifold is kept [m].
///
/// Anchors are frozen so long; they then sit this far off where they would be found anew. Larger:
/// forces act visibly beside the touching place. Smaller: more manifolds are made, and tall stacks
/// lose the steadiness that frozen anchors give.
pub(crate) const RECYCLE_SHIFT: f32 = 0.05;

/// The same as a share of the thinner shape's half thickness, for small things.
pub(crate) const RECYCLE_SHARE: f32 = 0.1;

/// Sine of the relative rotation up to which a manifold is kept: 11.5 degrees.
const RECYCLE_SINE: f32 = 0.2;

impl RecycleKey {
    /// Returns the key of a contact whose manifold was never made.
    pub(crate) fn new(shapes: [u32; 2]) -> Self {
        Self {
            shape_a: shapes[0],
            shape_b: shapes[1],
            translation: Vec2::zeros(),
            rotation: Vec2::zeros(),
            max_shift_sq: -1.0,
            flags: 0,
            cache: Cache::default(),
        }
    }

    /// Asks for a new manifold at the next step.
    pub(crate) fn invalidate(&mut self) {
        self.max_shift_sq = -1.0;
    }

    /// Remembers that the manifold was made at `b_in_a` and stays good for shifts up to `max_shift` [m];
    /// `None`: only for this step.
    pub(crate) fn made_at(&mut self, b_in_a: &Pose, max_shift: Option<f32>) {
        self.translation = b_in_a.translation.vector;
        self.rotation = Vec2::new(b_in_a.rotation.re, b_in_a.rotation.im);
        self.max_shift_sq = max_shift.map_or(-1.0, |shift| shift * shift);
    }

    /// Returns how far the bodies may move from here with the manifold as it is [m]; `None` if it is no longer
    /// good with B's body at `b_in_a`.
    pub(crate) fn budget_at(&self, b_in_a: &Pose) -> Option<f32> {
        let shift = b_in_a.translation.vector - self.translation;
        let (re, im) = (b_in_a.rotation.re, b_in_a.rotation.im);
        let sine = self.rotation.x * im - self.rotation.y * re;
        let cosine = self.rotation.x * re + self.rotation.y * im;
        let shift_sq = shift.norm_squared();
        let fresh = shift_sq <= self.max_shift_sq && sine.abs() <= RECYCLE_SINE && cosine > 0.0;
        fresh.then(|| self.max_shift_sq.sqrt() - shift_sq.sqrt())
    }
}
