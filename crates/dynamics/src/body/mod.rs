//! Bodies: what moves. The cold record, and the tracking record that finalize works through.

pub(crate) mod def;
pub(crate) mod state;
pub(crate) mod states;
pub(crate) mod grid;
pub(crate) mod filtered_velocity;
pub(crate) mod mass_ratio;
pub(crate) mod shape_sum;
pub(crate) mod table;
mod runaway;

use crate::body::def::{BodyKind, Continuous, Locks};
use crate::body::shape_sum::ShapeSum;
use crate::island::set::NO_ISLAND;
use cairn2d_geometry::MassData;
use cairn2d_geometry::{HashState, StateHasher};
use smallvec::SmallVec;

/// What is rarely needed of a body.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) kind: BodyKind,
    /// Not part of the simulation: no proxies, no contacts.
    pub(crate) disabled: bool,
    pub(crate) can_sleep: bool,
    pub(crate) bullet: bool,
    pub(crate) continuous: Continuous,
    pub(crate) locks: Locks,
    pub(crate) user_data: u64,
    /// Whether the user set a greatest speed; if not, the body has the world's.
    pub(crate) has_own_speed_cap: bool,
    /// Mass, centre and inertia about the centre, as if the body were dynamic.
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
    pub(crate) contacts: Vec<u32>,
    /// Number of these that touch, and push against, what is not dynamic.
    pub(crate) firm_touches: u32,
    /// Joint slots, in order of creation.
    pub(crate) joints: SmallVec<[u32; 4]>,
    /// The island, and the place in it, of a dynamic enabled body.
    pub(crate) island: u32,
    pub(crate) island_place: u32,
}

impl HashState for Body {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
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
            has_own_speed_cap,
            shape_sum,
            shapes,
            contacts,
            firm_touches,
            joints,
            // Both follow from the lists of the islands.
            island: _,
            // See `island`.
            island_place: _,
        } = self;
        hash.add(kind).add(disabled).add(can_sleep).add(bullet);
        hash.add(continuous)
            .add(locks)
            .add(user_data)
            .add(mass_data);
        hash.add(mass_override)
            .add(gravity_scale)
            .add(shapes)
            .add(contacts);
        hash.add(firm_touches).add(joints);
        hash.add(has_own_speed_cap).add(shape_sum);
    }
}

/// What finalize, sleep and continuous collision need of each awake body once a step: half a cache
/// line, indexed by body slot.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct BodyTrack {
    /// How long the body has been slow [s]. 4 bytes.
    pub(crate) slow_time: f32,
    /// Speed below which it counts as slow [m/s]; negative: never. 4 bytes.
    pub(crate) sleep_speed: f32,
    /// Distance of the outermost point from the centre of mass [m]. 4 bytes.
    pub(crate) max_extent: f32,
    /// Smallest half thickness of its shapes [m]; infinite without solid shapes. 4 bytes.
    pub(crate) min_extent: f32,
    /// How far any point may still move before a shape can leave its fat box [m]. 4 bytes.
    pub(crate) slack: f32,
    /// Copy of [`Body::island`]. 4 bytes.
    pub(crate) island: u32,
    /// [`track_flags`]. 4 bytes.
    pub(crate) flags: u32,
    /// Contacts and joints of the body in the constraint graph, if it is dynamic. 4 bytes.
    pub(crate) constraints: u32,
}

impl HashState for BodyTrack {
    fn hash_state(&self, hash: &mut StateHasher) {
        let Self {
            slow_time,
            sleep_speed,
            max_extent,
            min_extent,
            slack,
            island,
            flags,
            constraints,
        } = self;
        hash.add(slow_time)
            .add(sleep_speed)
            .add(max_extent)
            .add(min_extent);
        hash.add(slack).add(island).add(flags).add(constraints);
    }
}

const _: () = assert!(size_of::<BodyTrack>() == 32);

/// Bits of [`BodyTrack::flags`].
pub(crate) mod track_flags {
    /// The body is dynamic.
    pub(crate) const DYNAMIC: u32 = 1;
    /// Continuous collision sees everything that moves.
    pub(crate) const BULLET: u32 = 2;
    /// The body has joints.
    pub(crate) const JOINTED: u32 = 4;
    /// Impacts of the body are solved when they happen.
    pub(crate) const SUBSTEP: u32 = 8;
    /// So are those in which it bounces.
    pub(crate) const AUTO: u32 = 16;
    /// A shape of the body bounces off everything that has no other rule.
    pub(crate) const BOUNCY: u32 = 32;
    /// The body may bounce in this step, and is looked after.
    pub(crate) const BOUNCE_CANDIDATE: u32 = 64;
    /// The substeps leave out a contact of the body.
    pub(crate) const HAS_DEFERRED_CONTACTS: u32 = 128;
    /// Nothing holds the body at the start of the step: it touches only what it comes to fast, or parts from.
    pub(crate) const AIRBORNE: u32 = 256;
    /// The body touches nothing, and is heavy beside something in the world.
    pub(crate) const AIRBORNE_HEAVY: u32 = 512;
    /// Nothing holds the body where it is: it must be much slower to count as slow.
    pub(crate) const UNSUPPORTED: u32 = 1024;
    /// What does not follow from kind, definition and joints.
    pub(crate) const OTHERS: u32 =
        BOUNCY | BOUNCE_CANDIDATE | HAS_DEFERRED_CONTACTS | AIRBORNE | AIRBORNE_HEAVY | UNSUPPORTED;
}

impl BodyTrack {
    /// Of an empty slot.
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
