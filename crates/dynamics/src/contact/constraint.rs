//! The hot record of a touching contact: input of the solver's prepare stage, and where it stores the
//! impulses.

use crate::id::NO_SLOT;
use crate::material::Surface;
use cairn2d_geometry::FeatureId;
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{HashState, LoadError, Persist, Reader, Sink, StateHasher, state_record};

/// Persistent manifold, surface and impulses of a contact: two cache lines, indexed by contact slot.
///
/// Written by the narrow phase when the relative pose has changed so much that it computes a new manifold;
/// the solver writes the impulses at the end of each step. Read by the prepare stage once a step.
///
/// Anchors are *frozen*: they stay fixed in both bodies until the next manifold, so the separation at any
/// time is `base + (anchor_b - anchor_a) . normal`, with anchors and normal turned with their bodies. Frozen
/// anchors keep piles stable: with new anchors in each step, small errors of clipping add up to a drift, and
/// tall stacks topple.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct ContactConstraint {
    /// Slots of the two bodies. 8 bytes.
    pub(crate) body_a: u32,
    pub(crate) body_b: u32,
    /// [`constraint_flags`]. 2 bytes.
    pub(crate) flags: u16,
    /// Number of points in use, 0 to 2. 2 bytes.
    pub(crate) count: u16,
    /// Features of each point: see [`short_feature`]. 4 bytes.
    pub(crate) features: [u16; 2],
    /// Unit normal from A to B, in A's frame. 8 bytes.
    pub(crate) normal: Vec2,
    /// Coulomb coefficient. 4 bytes.
    pub(crate) friction: f32,
    /// Share of the approach speed given back. 4 bytes.
    pub(crate) restitution: f32,
    /// Lever arm of rolling friction: rolling resistance times radius [m]. 4 bytes.
    pub(crate) rolling_resistance: f32,
    /// Speed of the surface of B relative to that of A along the tangent [m/s]. 4 bytes.
    pub(crate) tangent_speed: f32,
    /// Rolling impulse of the last step [N m s]. 4 bytes.
    pub(crate) rolling_impulse: f32,
    /// Tangent of half the angle of A when the manifold was computed: see `turn_back` in `solver/prepare.rs`. 4 bytes.
    pub(crate) half_angle: f32,
    /// The points. With one point in use, the second holds the centers of the rounded surfaces. 80 bytes.
    pub(crate) points: [ConstraintPoint; 2],
}

const _: () = assert!(size_of::<ContactConstraint>() == 128);

/// First format of saves with the half-angle. Without it, arms are turned back by the limit until the manifold is computed
/// anew.
const FORMAT_OF_HALF_ANGLE: u32 = 2;

/// Bits of [`ContactConstraint::flags`].
pub(crate) mod constraint_flags {
    /// Body A / body B is static: it has no state in the solver.
    pub(crate) const STATIC_A: u16 = 1;
    pub(crate) const STATIC_B: u16 = 2;
    /// Continuous collision solves the contact in this step: the substeps skip it.
    pub(crate) const DEFERRED: u16 = 4;
    /// Ghost contact at an internal edge: the other shape lies behind the face of another contact of the same
    /// body.
    pub(crate) const GHOST: u16 = 8;
    /// Initial penetration: depenetration separates the bodies before the substeps, which ignore the overlap.
    pub(crate) const INITIAL_ERROR: u16 = 16;
    /// The substeps skip the contact.
    pub(crate) const INACTIVE: u16 = DEFERRED | GHOST;
}

/// One point of a contact. 40 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub(crate) struct ConstraintPoint {
    /// The point relative to the center of mass of A in the frame of A, and likewise of B [m]. 16 bytes.
    pub(crate) anchor_a: Vec2,
    pub(crate) anchor_b: Vec2,
    /// Impulses of the last substep, for warm starting [N s]. 8 bytes.
    pub(crate) normal_impulse: f32,
    pub(crate) tangent_impulse: f32,
    /// Sum of the normal impulses over the substeps of the last step, restitution included [N s]. 4 bytes.
    pub(crate) total_normal_impulse: f32,
    /// Normal velocity before the step, negative = approach [m/s]. 4 bytes.
    pub(crate) relative_velocity: f32,
    /// Separation where the anchors coincide [m]; negative = overlap. 4 bytes.
    pub(crate) base_separation: f32,
    /// Rest load: the load at which the overlap of the point does not change [N], see `load/rest_load.rs`. 4 bytes.
    pub(crate) rest_load: f32,
}

impl ConstraintPoint {
    /// Returns `true` if no number is infinite.
    pub(crate) fn has_finite_numbers(&self) -> bool {
        let impulses = [
            self.normal_impulse,
            self.tangent_impulse,
            self.total_normal_impulse,
        ];
        let others = [self.base_separation, self.rest_load];
        let mut numbers = impulses.into_iter().chain(others);
        // The approach speed of bodies at the edge of the numbers overflows; it is only compared with thresholds.
        numbers.all(f32::is_finite) && !self.relative_velocity.is_nan()
    }
}

state_record!(ConstraintPoint {
    anchor_a,
    anchor_b,
    normal_impulse,
    tangent_impulse,
    total_normal_impulse,
    relative_velocity,
    base_separation,
    rest_load,
});

const _: () = assert!(size_of::<ConstraintPoint>() == 40);

/// Offsets of the four numbers that the solver stores for each point, `normal_impulse` to
/// `relative_velocity`, in units of 4 bytes.
pub(crate) const FIRST_IMPULSES: usize = 16;
pub(crate) const SECOND_IMPULSES: usize = 26;

const _: () = {
    const AT: usize = core::mem::offset_of!(ConstraintPoint, normal_impulse) / 4;
    const POINTS: usize = core::mem::offset_of!(ContactConstraint, points) / 4;
    assert!(POINTS + AT == FIRST_IMPULSES && POINTS + 10 + AT == SECOND_IMPULSES);
};

/// Returns a feature id in 16 bits: the lowest byte of each vertex index. That is enough to tell the two
/// points of a contact apart.
pub(crate) fn short_feature(feature: FeatureId) -> u16 {
    let vertices = feature.0;
    (vertices >> 8 & 0xff00 | vertices & 0xff) as u16
}

/// With one point in use, the second has anchors only: the centers of the rounded surfaces. The bodies follow from the contact. A
/// field that is missing does not compile in `write`.
impl HashState for ContactConstraint {
    fn hash_state(&self, hash: &mut StateHasher) {
        let [first, second] = &self.points;
        hash.add(&self.flags).add(&self.count).add(&self.features);
        hash.add(&self.normal).add(&self.friction);
        hash.add(&self.restitution).add(&self.rolling_resistance);
        hash.add(&self.tangent_speed).add(&self.rolling_impulse);
        hash.add(&self.half_angle).add(first);
        if self.count > 1 {
            hash.add(second);
        } else {
            hash.add(&second.anchor_a).add(&second.anchor_b);
        }
    }
}

/// As hashed.
impl Persist for ContactConstraint {
    #[inline]
    fn write<S: Sink>(&self, sink: &mut S) {
        let Self {
            // Both follow from the contact.
            body_a: _,
            body_b: _,
            flags,
            count,
            features,
            normal,
            friction,
            restitution,
            rolling_resistance,
            tangent_speed,
            rolling_impulse,
            half_angle,
            points: [first, second],
        } = self;
        sink.field("flags", flags);
        sink.field("count", count);
        sink.field("features", features);
        sink.field("normal", normal);
        sink.field("friction", friction);
        sink.field("restitution", restitution);
        sink.field("rolling_resistance", rolling_resistance);
        sink.field("tangent_speed", tangent_speed);
        sink.field("rolling_impulse", rolling_impulse);
        sink.field("half_angle", half_angle);
        sink.field("first", first);
        if *count > 1 {
            sink.field("second", second);
        } else {
            sink.field("anchor_a", &second.anchor_a);
            sink.field("anchor_b", &second.anchor_b);
        }
    }

    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, LoadError> {
        let mut constraint = Self {
            flags: reader.read()?,
            count: reader.read()?,
            features: reader.read()?,
            normal: reader.read()?,
            friction: reader.read()?,
            restitution: reader.read()?,
            rolling_resistance: reader.read()?,
            tangent_speed: reader.read()?,
            rolling_impulse: reader.read()?,
            half_angle: if reader.format() < FORMAT_OF_HALF_ANGLE {
                0.0
            } else {
                reader.read()?
            },
            ..Self::EMPTY
        };
        reader.in_range("number of points", constraint.count <= 2)?;
        constraint.points[0] = reader.read()?;
        let second = &mut constraint.points[1];
        if constraint.count > 1 {
            *second = reader.read()?;
        } else {
            (second.anchor_a, second.anchor_b) = reader.read()?;
        }
        Ok(constraint)
    }
}

impl ContactConstraint {
    /// Sets the impulses for warm starting to 0.
    pub(crate) fn forget_impulses(&mut self) {
        self.rolling_impulse = 0.0;
        for point in &mut self.points {
            point.normal_impulse = 0.0;
            point.tangent_impulse = 0.0;
        }
    }

    /// Returns the points that the manifold has.
    #[inline]
    pub(crate) fn points_in_use(&self) -> &[ConstraintPoint] {
        &self.points[..self.count as usize]
    }

    /// Returns the sum of the normal impulses of the last step [N s].
    pub(crate) fn total_normal_impulse(&self) -> f32 {
        let points = self.points_in_use().iter();
        points.map(|point| point.total_normal_impulse).sum()
    }

    /// Returns the surface between the two shapes.
    pub(crate) fn surface(&self) -> Surface {
        Surface {
            friction: self.friction,
            restitution: self.restitution,
            rolling_resistance: self.rolling_resistance,
            tangent_speed: self.tangent_speed,
        }
    }

    /// Takes over the surface between the two shapes.
    pub(crate) fn set_surface(&mut self, surface: &Surface) {
        self.friction = surface.friction;
        self.restitution = surface.restitution;
        self.rolling_resistance = surface.rolling_resistance;
        self.tangent_speed = surface.tangent_speed;
        if self.rolling_resistance == 0.0 {
            self.rolling_impulse = 0.0;
        }
    }

    /// Adds the total impulses of a later solution of the same step, point by point; the greatest approach
    /// speeds stay. If the numbers of points differ, everything goes into the first point.
    pub(crate) fn add_totals_of(&mut self, later: &Self) {
        if self.count == later.count {
            for (point, later) in self.points.iter_mut().zip(&later.points) {
                point.total_normal_impulse += later.total_normal_impulse;
                point.relative_velocity = point.relative_velocity.min(later.relative_velocity);
            }
        } else {
            let [first, _] = &mut self.points;
            let sum: f32 = later.points.iter().map(|p| p.total_normal_impulse).sum();
            first.total_normal_impulse += sum;
            let fastest = later.points.iter().map(|p| p.relative_velocity);
            first.relative_velocity = fastest.fold(first.relative_velocity, f32::min);
        }
    }

    /// Drops the total impulses of the last step.
    pub(crate) fn clear_totals(&mut self) {
        for point in &mut self.points {
            point.total_normal_impulse = 0.0;
        }
    }

    /// Returns the slots of the body states: `NO_SLOT` for static bodies.
    pub(crate) fn moving_slots(&self) -> [u32; 2] {
        let slot = |flag: u16, body: u32| {
            if self.flags & flag != 0 {
                NO_SLOT
            } else {
                body
            }
        };
        [
            slot(constraint_flags::STATIC_A, self.body_a),
            slot(constraint_flags::STATIC_B, self.body_b),
        ]
    }

    /// The constraint of an empty slot.
    pub(crate) const EMPTY: Self = Self {
        body_a: 0,
        body_b: 0,
        flags: 0,
        count: 0,
        features: [0; 2],
        normal: Vec2::new(0.0, 0.0),
        friction: 0.0,
        restitution: 0.0,
        rolling_resistance: 0.0,
        tangent_speed: 0.0,
        rolling_impulse: 0.0,
        half_angle: 0.0,
        points: [ConstraintPoint::ZERO; 2],
    };
}

impl ConstraintPoint {
    /// A point at the centers of mass, without impulse.
    pub(crate) const ZERO: Self = Self {
        anchor_a: Vec2::new(0.0, 0.0),
        anchor_b: Vec2::new(0.0, 0.0),
        base_separation: 0.0,
        normal_impulse: 0.0,
        tangent_impulse: 0.0,
        total_normal_impulse: 0.0,
        relative_velocity: 0.0,
        rest_load: 0.0,
    };
}
