//! Questions of a shape that is moved by hand: how near are the surfaces round it, and how far can it go.

use crate::body::state::BodyPose;
use crate::id::{BodyId, ShapeId};
use crate::material::QueryFilter;
use crate::shape::BodyShape;
use crate::world::World;
use crate::world::query_cast::{CastPath, RayReport, ShapeHit};
use crate::world::query_shape::{accepted_hit, box_around, is_solid_along, query_pose};
use cairn2d_geometry::math::{Point, Pose, Vec2, WorldPoint};
use cairn2d_geometry::tolerance::{LINEAR_SLOP, SPECULATIVE_DISTANCE};
use cairn2d_geometry::{
    CollisionPlane, Inflated, ManifoldCache, Shape, collide, penetration, shape_cast_to_gap,
};
use core::ops::ControlFlow;

/// A shape that is moved by hand, and where it is. It need not belong to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover<'a> {
    /// The shape: usually a capsule.
    pub shape: &'a Shape,
    /// Where its origin is \[m\].
    pub position: WorldPoint,
    /// How it is turned \[rad\].
    pub angle: f32,
}

impl<'a> Mover<'a> {
    /// Returns the mover with `shape` at `position` \[m\], not turned.
    #[must_use]
    pub fn new(shape: &'a Shape, position: impl Into<WorldPoint>) -> Self {
        Self {
            shape,
            position: position.into(),
            angle: 0.0,
        }
    }

    /// Returns the same mover `way` \[m\] farther on.
    #[must_use]
    pub fn moved(mut self, way: Vec2) -> Self {
        self.position += way;
        self
    }

    fn is_finite(&self) -> bool {
        self.position.is_finite() && self.angle.is_finite()
    }
}

/// A surface near a mover, seen as a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoverPlane {
    /// The shape.
    pub shape: ShapeId,
    /// Its body.
    pub body: BodyId,
    /// Place on the surface of the shape that is nearest to the mover, or deepest in it \[m\].
    pub point: WorldPoint,
    /// Unit normal out of the shape, towards the mover.
    pub normal: Vec2,
    /// Gap between mover and shape, negative where they overlap \[m\].
    pub separation: f32,
}

impl MoverPlane {
    /// Returns the plane that keeps a gap of `skin` \[m\] to the shape and does not give way: for
    /// [`solve_planes`](cairn2d_geometry::solve_planes).
    #[must_use]
    pub fn rigid(&self, skin: f32) -> CollisionPlane {
        CollisionPlane::rigid(self.normal, self.separation - skin)
    }

    /// Returns the plane that keeps a gap of `skin` \[m\] to the shape, and pushes no farther than `max_push` \[m\].
    #[must_use]
    pub fn soft(&self, skin: f32, max_push: f32) -> CollisionPlane {
        CollisionPlane::soft(self.normal, self.separation - skin, max_push)
    }
}

/// Sine of the angle up to which a way counts as along a surface that is touched, not into it: what slides along a
/// floor is not held by the rounding of its place. A thousandth: a step of 10 cm sinks in by a tenth of a millimetre.
const GRAZE: f32 = 1.0e-3;

/// Cosine of the angle between the normals of a chain segment and of the surface that its neighbors would not have: a
/// thing near the end of a segment overlaps_area to the next one.
const ALONG_CHAIN: f32 = 0.999;

impl World {
    /// Returns the surfaces that are no more than `reach` \[m\] away from a mover, one for each shape, in order of id.
    ///
    /// A chain segment is seen from its solid side only, with normals that its whole chain has there. A one-way shape is seen
    /// only from its open side, and not by what is in it already. Numbers that are not finite see nothing.
    #[must_use]
    pub fn mover_planes(
        &self,
        mover: &Mover<'_>,
        reach: f32,
        filter: QueryFilter,
    ) -> Vec<MoverPlane> {
        self.mover_planes_where(mover, reach, filter, |_| true)
    }

    /// Like [`mover_planes`](Self::mover_planes), of the shapes that `accept` takes.
    #[must_use]
    pub fn mover_planes_where(
        &self,
        mover: &Mover<'_>,
        reach: f32,
        filter: QueryFilter,
        mut accept: impl FnMut(ShapeId) -> bool,
    ) -> Vec<MoverPlane> {
        let mut planes = Vec::new();
        if !mover.is_finite() || !reach.is_finite() || reach < 0.0 {
            return planes;
        }
        let pose = query_pose(mover.position, mover.angle);
        let area = box_around(mover.shape, &pose, reach);
        self.broad.query(&area, filter.mask, |slot| {
            let plane = self.mover_plane(slot, mover.shape, &pose, reach, filter);
            planes.extend(plane.filter(|plane| accept(plane.shape)));
            ControlFlow::Continue(())
        });
        planes.sort_unstable_by_key(|plane| plane.shape);
        planes
    }

    fn mover_plane(
        &self,
        slot: u32,
        shape: &Shape,
        pose: &BodyPose,
        reach: f32,
        filter: QueryFilter,
    ) -> Option<MoverPlane> {
        let other = self.visible_shape(slot, filter)?;
        let body = &self.bodies.poses[other.body as usize];
        let surface = surface_near(&other.geometry, shape, &body.pose_of(pose), reach)?;
        let normal = body.rotate(surface.normal);
        let is_inside = surface.separation < -LINEAR_SLOP;
        is_solid_along(other, body, normal, || is_inside).then(|| MoverPlane {
            shape: self.shapes.slots.id_at(slot),
            body: self.bodies.slots.id_at(other.body),
            point: body.to_world(surface.point),
            normal,
            separation: surface.separation,
        })
    }

    /// Moves a mover along `translation` \[m\] and returns where it first comes within `skin` \[m\] of a shape; of two at one
    /// fraction, that of the lesser slot.
    ///
    /// Unlike [`shape_cast`](Self::shape_cast) it passes over what it touches or overlaps already, as far as the way
    /// does not lead deeper in. One-way shapes are hit only from their open side, and not by what is in them already.
    /// Numbers that are not finite hit nothing.
    #[must_use]
    pub fn mover_cast(
        &self,
        mover: &Mover<'_>,
        translation: Vec2,
        skin: f32,
        filter: QueryFilter,
    ) -> Option<ShapeHit> {
        self.mover_cast_where(mover, translation, skin, filter, |_| true)
    }

    /// Like [`mover_cast`](Self::mover_cast), among the shapes that `accept` takes.
    #[must_use]
    pub fn mover_cast_where(
        &self,
        mover: &Mover<'_>,
        translation: Vec2,
        skin: f32,
        filter: QueryFilter,
        accept: impl FnMut(ShapeId) -> bool,
    ) -> Option<ShapeHit> {
        if !mover.is_finite() || !skin.is_finite() {
            return None;
        }
        let pose = query_pose(mover.position, mover.angle);
        let way = CastPath {
            start: box_around(mover.shape, &pose, skin.max(0.0)),
            translation,
        };
        let hit_test = |other: &BodyShape, body: &BodyPose, limit: f32| {
            let in_body = body.pose_of(&pose);
            let way = body.unrotate(translation);
            let hit = shape_cast_to_gap(&other.geometry, mover.shape, &in_body, way, limit, skin)?;
            let leads_out = hit.normal.dot(&way) >= -GRAZE * way.norm();
            if hit.fraction == 0.0 && leads_out {
                return None;
            }
            accepted_hit(other, body, mover.shape, &in_body, &hit)
        };
        self.cast_first(&way, filter, RayReport::Closest, accept, hit_test)
    }
}

/// A surface in the frame of its shape.
struct NearSurface {
    point: Point,
    normal: Vec2,
    separation: f32,
}

/// Returns how near the surface of `other` is to `shape`, if that is at most `reach`.
fn surface_near(other: &Shape, shape: &Shape, in_other: &Pose, reach: f32) -> Option<NearSurface> {
    let margin = reach.max(SPECULATIVE_DISTANCE);
    // Inflated, both questions are one: how near is it, or how deep.
    let found = penetration(other, &Inflated::new(shape, margin), in_other)?;
    let near = NearSurface {
        point: found.point_a,
        normal: found.normal,
        separation: margin - found.depth,
    };
    let near = match other {
        Shape::ChainSegment(segment) => {
            let manifold = collide(other, shape, in_other, &mut ManifoldCache::default());
            let Some(separation) = manifold.min_separation() else {
                let is_far = near.separation > SPECULATIVE_DISTANCE;
                let is_before = near.normal.dot(&segment.normal()) > ALONG_CHAIN;
                return (is_far && is_before && near.separation <= reach).then_some(near);
            };
            let deepest = manifold
                .points()
                .iter()
                .find(|p| p.separation == separation);
            NearSurface {
                point: deepest.map_or(near.point, |p| {
                    p.point - manifold.normal * (0.5 * separation)
                }),
                normal: manifold.normal,
                separation,
            }
        }
        _ => near,
    };
    (near.separation <= reach).then_some(near)
}
