//! Shapes on bodies: geometry with a material and a filter.

pub(crate) mod def;
pub(crate) mod table;

use crate::body::state::BodyPose;
use crate::material::{Filter, Material, Surface};
use cairn2d_broadphase::ProxyId;
use cairn2d_geometry::math::Pose;
use cairn2d_geometry::state_record;
use cairn2d_geometry::{Aabb, Circle, Shape};

/// A shape on a body: read when its contacts or mass are computed, and by queries.
///
/// Records are read in random order, and each read costs a cache line or more. The first 48 bytes hold the
/// fields that are read for every pair; those for fat boxes that a body left and the geometry follow.
///
/// Not aligned to cache lines: an allocator can then extend a large table in place. With lines, growth copied it to new
/// memory each time, a third of the pages that the creation of 100 000 bodies touched.
#[derive(Clone, Debug)]
#[repr(C, align(16))]
pub(crate) struct BodyShape {
    /// Box in the broad phase, larger than the shape by the margin [m].
    pub(crate) fat_box: Aabb,
    pub(crate) filter: Filter,
    pub(crate) body: u32,
    pub(crate) sensor: bool,
    /// [`shape_flags`].
    pub(crate) flags: u8,
    /// Null while the body or the shape is disabled.
    pub(crate) proxy: ProxyId,
    /// Margin of the fat box [m].
    pub(crate) margin: f32,
    pub(crate) geometry: Shape,
    /// Circle inside the shape for sweeps of touching shapes; `None` for shapes without area, which are their
    /// own core.
    pub(crate) core: Option<Circle>,
    /// [`Shape::min_extent`], which the narrow phase would compute for each new manifold [m].
    pub(crate) min_extent: f32,
    pub(crate) material: Material,
    /// Mean normal force above which contacts are listed [N]; infinite: never.
    pub(crate) force_event_threshold: f32,
    pub(crate) density: f32,
    pub(crate) user_data: u64,
}

/// Bits of [`BodyShape::flags`].
pub(crate) mod shape_flags {
    /// The pre-solve hook is called for its contacts.
    pub(crate) const PRE_SOLVE: u8 = 1;
    /// The user has disabled the shape.
    pub(crate) const DISABLED: u8 = 2;
    pub(crate) const ALL: u8 = PRE_SOLVE | DISABLED;
}

state_record!(
    BodyShape {
        fat_box,
        filter,
        // An index of the broad phase; whether there is one follows from the body and the flags.
        proxy: derived(ProxyId::NULL),
        body,
        margin,
        sensor,
        flags,
        geometry,
        core,
        // Follows from the geometry.
        min_extent: derived(0.0),
        material,
        force_event_threshold,
        density,
        user_data,
    },
    has_known_flags
);

const _: () = assert!(size_of::<usize>() < 8 || size_of::<Option<BodyShape>>() == 256);

impl BodyShape {
    /// Sets what follows from the geometry.
    pub(crate) fn measure(&mut self) {
        self.min_extent = self.geometry.min_extent();
        self.core = core_of(&self.geometry, self.min_extent);
        self.margin = box_margin(&self.geometry);
    }

    /// Returns `true` if the record, read from a save, has only flags that this version knows.
    fn has_known_flags(&self) -> bool {
        self.flags & !shape_flags::ALL == 0
    }

    /// Returns `true` if the pre-solve hook is called for its contacts.
    pub(crate) fn asks_pre_solve(&self) -> bool {
        self.flags & shape_flags::PRE_SOLVE != 0
    }

    /// Returns `true` if other shapes pass through it from one side, and there is nothing solid behind it.
    pub(crate) fn is_one_way(&self) -> bool {
        let is_platform = |shape: &Shape| match shape {
            Shape::ChainSegment(segment) => segment.is_platform(),
            _ => false,
        };
        self.material.one_way.is_some() || is_platform(&self.geometry)
    }

    /// Returns `true` unless the user has disabled the shape.
    pub(crate) fn is_enabled(&self) -> bool {
        self.flags & shape_flags::DISABLED == 0
    }

    /// Sets or clears a flag.
    pub(crate) fn set_flag(&mut self, flag: u8, is_set: bool) {
        self.flags = self.flags & !flag | if is_set { flag } else { 0 };
    }

    /// Returns the surface between two shapes.
    #[inline]
    pub(crate) fn surface_with(&self, other: &Self) -> Surface {
        let radius = rolling_radius(&self.geometry).max(rolling_radius(&other.geometry));
        Surface::mixed(&self.material, &other.material, radius)
    }

    /// Returns the distance of the core's center from the center of mass of its body at `pose` [m].
    pub(crate) fn core_offset(&self, pose: &BodyPose) -> f32 {
        match &self.core {
            Some(core) => (core.center().coords - pose.local_center).norm(),
            None => self.geometry.extent_about(&pose.local_center.into()),
        }
    }

    /// Returns the core as a shape.
    pub(crate) fn core_shape(&self) -> Shape {
        self.core.map_or_else(|| self.geometry.clone(), Shape::from)
    }
}

/// Largest margin of a fat box [m].
///
/// A box that its shape leaves must be enlarged and paired again. Larger: fewer such boxes, more pairs that
/// never touch.
const BOX_MARGIN: f32 = 0.1;

/// Margin of a fat box as a share of the shape's larger half extent, for small shapes.
const BOX_MARGIN_SHARE: f32 = 0.125;

/// Returns the margin of a shape's fat box [m].
fn box_margin(geometry: &Shape) -> f32 {
    let tight = geometry.aabb(&Pose::identity());
    let extent = 0.5 * (tight.max - tight.min).max();
    BOX_MARGIN.min(BOX_MARGIN_SHARE * extent)
}

/// Radius of the core as a share of the shape's half thickness.
///
/// Larger: a body that slides fast over a bump stops there. Smaller: it enters a thin wall deeper before it
/// stops.
const CORE_SHARE: f32 = 0.5;

/// The same share for circles: they slide over a bump without rotation, so nearly the whole circle is the
/// core.
const ROUND_CORE_SHARE: f32 = 0.95;

/// Returns the circle about the center of `geometry` that must not pass through shapes; `None` without
/// thickness.
fn core_of(geometry: &Shape, min_extent: f32) -> Option<Circle> {
    let mass = geometry.mass(1.0);
    let center = if mass.mass > 0.0 {
        mass.center
    } else {
        geometry.aabb(&Pose::identity()).center()
    };
    let share = match geometry {
        Shape::Circle(_) => ROUND_CORE_SHARE,
        _ => CORE_SHARE,
    };
    Circle::try_new(center, share * min_extent).ok()
}

/// Returns the radius to which rolling resistance refers: of an ellipse that of a circle of its area, of other shapes their
/// rounding \[m\].
fn rolling_radius(shape: &Shape) -> f32 {
    match shape {
        Shape::Ellipse(ellipse) => ellipse.radii().product().sqrt(),
        _ => shape.radius(),
    }
}
