//! Bodies: the cold record, and the tracking record that finalization walks.

pub(crate) mod def;
pub(crate) mod state;
pub(crate) mod states;
pub(crate) mod grid;
pub(crate) mod shape_sum;
pub(crate) mod table;
mod runaway;

use crate::body::def::{BodyKind, Continuous, Locks};
use crate::body::shape_sum::ShapeSum;
use crate::island::set::NO_ISLAND;
use cairn2d_geometry::MassData;
use cairn2d_geometry::state_record;
use smallvec::SmallVec;

/// The cold record of a body: read by structural edits, queries and the views of the user.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) kind: BodyKind,
    /// Not part of the simulation: no proxies, no contacts.
    pub(crate) disabled: bool,
    pub(crate) can_sleep: bool,
    pub(crate) bullet: bool,
    pub(crate) continuous: Continuous,
    pub(crate) locks: Locks,
    pub(crate) user_data: u64,
    /// The user set a speed cap; if not, the body has the world's.
    pub(crate) has_own_speed_cap: bool,
    /// Mass, center and inertia about the center, also of bodies that are not dynamic.
    pub(crate) mass_data: MassData,
    /// Mass of all shapes together.
    pub(crate) shape_sum: ShapeSum,
    /// Replaces the sum over the shapes.
    pub(crate) mass_override: Option<MassData>,
    /// Factor on the world's gravity; the hot copy is 0 while the body has no mass.
    pub(crate) gravity_scale: f32,
    /// Shape slots, in order of creation.
    pub(crate) shapes: SmallVec<[u32; 4]>,
    /// Contact slots, in no particular order; each contact knows its place here.
    pub(crate) contacts: SmallVec<[u32; 4]>,
    /// Number of these that push against a static or kinematic body.
    pub(crate) static_touches: u32,
    /// Joint slots, in order of creation.
    pub(crate) joints: SmallVec<[u32; 4]>,
    /// The island of a dynamic enabled body, else [`NO_ISLAND`].
    pub(crate) island: u32,
    /// Place in the island's list.
    pub(crate) island_place: u32,
}

state_record!(clone Body {
    kind,
    disabled,
    can_sleep,
    bullet,
    continuous,
    locks,
    user_data,
    mass_data,
    mass_override,
    gravity_scale,
    shapes,
    contacts,
    static_touches,
    joints,
    // Both follow from the lists of the islands.
    island: derived(NO_ISLAND),
    // See `island`.
    island_place: derived(0),
    has_own_speed_cap,
    shape_sum,
});

/// The record that finalization, sleep and continuous collision read of each awake body once a step: half a
/// cache line, indexed by body slot.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct BodyTrack {
    /// Time for which the body has been slow [s]. 4 bytes.
    pub(crate) slow_time: f32,
    /// Speed of the fastest point below which the body counts as slow [m/s]; negative: never. 4 bytes.
    pub(crate) sleep_speed: f32,
    /// Distance of the outermost point from the center of mass [m]. 4 bytes.
    pub(crate) max_extent: f32,
    /// Smallest half thickness of its shapes [m]; infinite without solid shapes. 4 bytes.
    pub(crate) min_extent: f32,
    /// Distance that any point may still move before a shape can leave its fat box [m]. 4 bytes.
    pub(crate) slack: f32,
    /// Copy of [`Body::island`]. 4 bytes.
    pub(crate) island: u32,
    /// [`track_flags`]. 4 bytes.
    pub(crate) flags: u32,
    /// Contacts and joints of the body in the constraint graph, if it is dynamic. 4 bytes.
    pub(crate) constraints: u32,
}

state_record!(BodyTrack {
    slow_time,
    sleep_speed,
    max_extent,
    min_extent,
    slack,
    island,
    flags,
    constraints,
});

const _: () = assert!(size_of::<BodyTrack>() == 32);

/// Bits of [`BodyTrack::flags`].
pub(crate) mod track_flags {
    /// The body is dynamic.
    pub(crate) const DYNAMIC: u32 = 1;
    /// Continuous collision also sweeps the body against dynamic bodies.
    pub(crate) const BULLET: u32 = 2;
    /// The body has joints.
    pub(crate) const JOINTED: u32 = 4;
    /// Impacts of the body are solved at their time: [`Continuous::Substep`].
    pub(crate) const SUBSTEP: u32 = 8;
    /// Impacts in which the body bounces are solved at their time: [`Continuous::Auto`].
    pub(crate) const AUTO: u32 = 16;
    /// A shape of the body bounces off all shapes without a mix rule of their own.
    pub(crate) const BOUNCY: u32 = 32;
    /// The body may bounce in this step, and its impacts are solved at their time.
    pub(crate) const BOUNCE_CANDIDATE: u32 = 64;
    /// The substeps skip a contact of the body.
    pub(crate) const HAS_DEFERRED_CONTACTS: u32 = 128;
    /// Nothing supports the body at the start of the step: all its contacts approach fast or separate.
    pub(crate) const AIRBORNE: u32 = 256;
    /// The body has too few supports to stay in place: it must be almost at rest to count as slow.
    pub(crate) const UNSUPPORTED: u32 = 1024;
    /// Flags that stages set: they do not follow from kind, definition and joints.
    pub(crate) const OTHERS: u32 =
        BOUNCY | BOUNCE_CANDIDATE | HAS_DEFERRED_CONTACTS | AIRBORNE | UNSUPPORTED;
}

impl BodyTrack {
    /// The record of an empty slot.
    pub(crate) const EMPTY: Self = Self {
        slow_time: 0.0,
        sleep_speed: 0.0,
        max_extent: 0.0,
        min_extent: f32::INFINITY,
        slack: 0.0,
        island: NO_ISLAND,
        flags: 0,
        constraints: 0,
    };
}
