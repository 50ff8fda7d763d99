//! The input of queries: the tables of bodies and shapes, and the broad phase.

use crate::body::state::BodyPose;
use crate::body::table::BodyTable;
use crate::fat_box::place_box;
use crate::id::ShapeId;
use crate::material::{BodyKinds, QueryFilter, Sensors};
use crate::shape::BodyShape;
use crate::shape::table::ShapeTable;
use cairn2d_broadphase::BroadPhase;
use cairn2d_geometry::math::{Point, Vec2, WorldPoint, sin_cos};
use cairn2d_geometry::{Aabb, IntoVec2, Shape, sort_compact};
use core::ops::ControlFlow;

/// A shape at a pose, to be cast or tested for overlaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeQuery<'a> {
    /// The shape.
    pub shape: &'a Shape,
    /// Origin of the shape's frame in the world \[m\].
    pub position: WorldPoint,
    /// Angle of the shape's frame, counter-clockwise \[rad\].
    pub angle: f32,
    /// Translation of a cast \[m\]; an overlap query ignores it.
    pub translation: Vec2,
}

impl<'a> ShapeQuery<'a> {
    /// Returns the query of `shape` at `position` \[m\], at angle 0, with a cast along `translation` \[m\].
    #[must_use]
    pub fn new(
        shape: &'a Shape,
        position: impl Into<WorldPoint>,
        translation: impl IntoVec2,
    ) -> Self {
        Self {
            shape,
            position: position.into(),
            angle: 0.0,
            translation: translation.into_vec2(),
        }
    }

    /// Returns the query with the shape at `angle` \[rad\].
    pub(super) fn turned_to(self, angle: f32) -> Self {
        Self { angle, ..self }
    }

    /// Returns `true` if position and angle are finite.
    pub(super) fn is_placed(&self) -> bool {
        self.position.is_finite() && self.angle.is_finite()
    }

    /// Returns the pose of the shape, as that of a body with its center of mass at the origin of the shape.
    pub(super) fn pose(&self) -> BodyPose {
        query_pose(self.position, self.angle)
    }
}

/// The tables that queries read.
#[derive(Clone, Copy)]
pub(in crate::world) struct QueryScene<'a> {
    pub(in crate::world) bodies: &'a BodyTable,
    pub(in crate::world) shapes: &'a ShapeTable,
    pub(in crate::world) broad: &'a BroadPhase,
}

impl<'a> QueryScene<'a> {
    /// Returns the shape in `slot` if `filter` lets a query see it.
    pub(in crate::world) fn visible_shape(
        &self,
        slot: u32,
        filter: QueryFilter<'_>,
    ) -> Option<&'a BodyShape> {
        let shape = &self.shapes.slots[slot];
        let passes_masks =
            shape.filter.category & filter.mask != 0 && shape.filter.mask & filter.category != 0;
        let passes_sensors = !shape.sensor || filter.sensors == Sensors::Included;
        let passes_kinds = filter.kinds == BodyKinds::ALL
            || filter.kinds.contains(self.bodies.slots[shape.body].kind);
        let is_excluded = filter
            .exclude
            .is_some_and(|body| self.bodies.slots.id_at(shape.body) == body);
        let passes = passes_masks && passes_sensors && passes_kinds && !is_excluded;
        (passes && filter.accepts(self.shapes.slots.id_at(slot))).then_some(shape)
    }

    /// Lists the shapes whose fat boxes overlap `area` and for which `is_hit` returns `true`, in order of id. An area
    /// that is not finite has none.
    pub(super) fn collect_shapes(
        &self,
        area: &Aabb,
        filter: QueryFilter<'_>,
        found: &mut Vec<ShapeId>,
        mut is_hit: impl FnMut(&BodyShape, &BodyPose) -> bool,
    ) {
        found.clear();
        if !area.is_finite() {
            return;
        }
        self.broad.query(area, filter.mask, |slot| {
            if let Some(shape) = self.visible_shape(slot, filter)
                && is_hit(shape, &self.bodies.poses[shape.body as usize])
            {
                found.push(self.shapes.slots.id_at(slot));
            }
            ControlFlow::Continue(())
        });
        sort_compact(found, Ord::cmp);
    }
}

/// Returns the pose of a query's shape, as that of a body with its center of mass at the origin of the shape.
pub(super) fn query_pose(position: WorldPoint, angle: f32) -> BodyPose {
    let (sin, cos) = sin_cos(angle);
    BodyPose {
        center: position,
        rotation: Vec2::new(cos, sin),
        local_center: Vec2::zeros(),
    }
}

/// Returns the box of `shape` at `pose`, expanded by `margin` \[m\].
pub(super) fn box_around(shape: &Shape, pose: &BodyPose, margin: f32) -> Aabb {
    let around = shape.aabb(&pose.relative_to(pose.center));
    place_box(&around, pose.center, margin)
}

/// Returns the square box around `point` with half the side `half` \[m\].
pub(in crate::world) fn box_around_point(point: WorldPoint, half: f32) -> Aabb {
    let near = Aabb::from_center_half(Point::origin(), Vec2::new(half, half));
    place_box(&near, point, 0.0)
}

/// Returns the distance from `x` to the next `f32` of greater magnitude.
pub(super) fn spacing(x: f32) -> f32 {
    x.abs().next_up() - x.abs()
}
