//! The recycle test: a manifold is kept until the relative pose of its shapes has changed too much.

use crate::contact::Cache;
use cairn2d_geometry::math::{Pose, Vec2};
use cairn2d_geometry::state_record;

/// Motion budget of a contact: a quarter of a cache line, indexed by contact slot, read and written in each
/// step for every awake contact.
///
/// For most contacts of a settled pile the narrow phase reads nothing else. The path lengths of both bodies
/// are subtracted, so the budget also runs out when the bodies move together; the pose in the [`RecycleKey`]
/// then shows that the manifold is still good, and the budget is filled up again.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(crate) struct RecycleBudget {
    /// Slots of the two bodies. 8 bytes.
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    /// Remaining sum of the path lengths of both bodies for which the manifold stays good [m]. 4 bytes.
    pub(crate) remaining: f32,
    /// Unused, 4 bytes.
    reserved: u32,
}

state_record!(RecycleBudget {
    // Both follow from the contact.
    body_a: derived(0),
    // See `body_a`.
    body_b: derived(0),
    remaining,
    // Never read.
    reserved: derived(0),
});

const _: () = assert!(size_of::<RecycleBudget>() == 16);

impl RecycleBudget {
    /// Returns the budget of a contact without manifold.
    pub(crate) fn new([body_a, body_b]: [u32; 2]) -> Self {
        Self {
            body_a,
            body_b,
            remaining: -1.0,
            reserved: 0,
        }
    }
}

/// The relative pose for which a manifold was computed: one cache line, indexed by contact slot.
///
/// Read when the [`RecycleBudget`] of the contact is used up; written with each new manifold.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct RecycleKey {
    /// Slots of the two shapes. 8 bytes.
    pub(crate) shape_a: u32,
    pub(crate) shape_b: u32,
    /// Pose of body B in the frame of body A for which the manifold was computed. 16 bytes.
    translation: Vec2,
    rotation: Vec2,
    /// Square of the translation up to which the manifold is kept [m^2]; negative: never kept. 4 bytes.
    max_shift_sq: f32,
    /// [`contact_flags`]. 4 bytes.
    pub(crate) flags: u32,
    /// Cache of the narrow phase. 16 bytes.
    pub(crate) cache: Cache,
}

state_record!(RecycleKey {
    // Both follow from the contact.
    shape_a: derived(0),
    // See `shape_a`.
    shape_b: derived(0),
    translation,
    rotation,
    max_shift_sq,
    flags,
    cache,
});

const _: () = assert!(size_of::<RecycleKey>() == 64);

/// Bits of [`RecycleKey::flags`].
pub(crate) mod contact_flags {
    /// The shapes touch.
    pub(crate) const TOUCHING: u32 = 1;
    /// One of the shapes is a sensor.
    pub(crate) const SENSOR: u32 = 2;
    /// One of the shapes is one-way.
    pub(crate) const ONE_WAY: u32 = 4;
    /// The shapes stop each other: the one-way shape was approached from its solid side.
    pub(crate) const SOLID: u32 = 8;
    /// The pre-solve hook is called.
    pub(crate) const HOOKED: u32 = 16;
    /// The pre-solve hook lets the shapes pass through each other in this step.
    pub(crate) const IGNORED: u32 = 32;
}

/// Relative translation of two touching shapes up to which their manifold is kept [m].
///
/// The anchors are frozen until then, and may be off by this much. Larger: forces visibly act beside the point of
/// contact. Smaller: more manifolds are computed, and tall stacks lose the stability of frozen anchors.
pub(crate) const RECYCLE_SHIFT: f32 = 0.05;

/// The same limit for small shapes, as a share of the half thickness of the thinner shape.
pub(crate) const RECYCLE_SHARE: f32 = 0.1;

/// Sine of the relative rotation up to which a manifold is kept: 11.5 degrees. Larger: as for
/// [`RECYCLE_SHIFT`].
const RECYCLE_SINE: f32 = 0.2;

impl RecycleKey {
    /// Returns the key of a contact without manifold.
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

    /// Returns `true` if the numbers, read from a save, can be those of a manifold.
    pub(crate) fn is_valid(&self) -> bool {
        self.max_shift_sq <= RECYCLE_SHIFT * RECYCLE_SHIFT
    }

    /// Discards the manifold: the next step computes a new one.
    pub(crate) fn invalidate(&mut self) {
        self.max_shift_sq = -1.0;
    }

    /// Stores the relative pose `b_in_a` of a new manifold, which is kept for translations up to `max_shift`
    /// [m]; `None`: for this step only.
    pub(crate) fn store_pose(&mut self, b_in_a: &Pose, max_shift: Option<f32>) {
        self.translation = b_in_a.translation.vector;
        self.rotation = Vec2::new(b_in_a.rotation.re, b_in_a.rotation.im);
        self.max_shift_sq = max_shift.map_or(-1.0, |shift| shift * shift);
    }

    /// Returns the motion budget left at the relative pose `b_in_a` [m]; `None` if the manifold is no longer
    /// good there.
    pub(crate) fn budget_at(&self, b_in_a: &Pose) -> Option<f32> {
        let shift = b_in_a.translation.vector - self.translation;
        let (re, im) = (b_in_a.rotation.re, b_in_a.rotation.im);
        let sine = self.rotation.x * im - self.rotation.y * re;
        let cosine = self.rotation.x * re + self.rotation.y * im;
        let shift_sq = shift.norm_squared();
        let is_good = shift_sq <= self.max_shift_sq && sine.abs() <= RECYCLE_SINE && cosine > 0.0;
        is_good.then(|| self.max_shift_sq.sqrt() - shift_sq.sqrt())
    }
}
