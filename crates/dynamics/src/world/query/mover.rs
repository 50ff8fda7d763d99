//! Mover queries: planes of the surfaces near a shape, and casts that ignore surfaces it slides along.

use crate::body::state::BodyPose;
use crate::id::{BodyId, ShapeId};
use crate::material::QueryFilter;
use crate::shape::BodyShape;
use crate::world::query::cast::{CastPath, RayReport, ShapeHit, is_solid_along, solid_hit};
use crate::world::query::scene::{QueryScene, box_around, query_pose};
use cairn2d_geometry::math::{Point, Pose, Vec2, WorldPoint};
use cairn2d_geometry::tolerance::{LINEAR_SLOP, SPECULATIVE_DISTANCE};
use cairn2d_geometry::{
    CollisionPlane, Inflated, ManifoldCache, Shape, collide, penetration, shape_cast_to_gap,
};
use core::ops::ControlFlow;

/// A shape that the program moves, such as that of a character, and its pose. It need not belong to a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mover<'a> {
    /// The shape: usually a capsule.
    pub shape: &'a Shape,
    /// Origin of the shape's frame in the world \[m\].
    pub position: WorldPoint,
    /// Angle of the shape's frame, counter-clockwise \[rad\].
    pub angle: f32,
}

impl<'a> Mover<'a> {
    /// Returns the mover with `shape` at `position` \[m\], at angle 0.
    #[must_use]
    pub fn new(shape: &'a Shape, position: impl Into<WorldPoint>) -> Self {
        Self {
            shape,
            position: position.into(),
            angle: 0.0,
        }
    }

    /// Returns the mover moved by `translation` \[m\].
    #[must_use]
    pub fn moved(mut self, translation: Vec2) -> Self {
        self.position += translation;
        self
    }

    fn is_finite(&self) -> bool {
        self.position.is_finite() && self.angle.is_finite()
    }
}

/// A surface near a mover, as a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MoverPlane {
    /// The shape.
    pub shape: ShapeId,
    /// The body of that shape.
    pub body: BodyId,
    /// Point of the surface nearest to the mover, or deepest in it, in the world \[m\].
    pub point: WorldPoint,
    /// Unit normal out of the shape, toward the mover, in the world.
    pub normal: Vec2,
    /// Signed gap between mover and shape, negative = overlap \[m\].
    pub separation: f32,
}

impl MoverPlane {
    /// Returns the rigid plane that keeps a gap of `skin` \[m\] to the shape, for
    /// [`solve_planes`](cairn2d_geometry::solve_planes).
    #[must_use]
    pub fn rigid(&self, skin: f32) -> CollisionPlane {
        CollisionPlane::rigid(self.normal, self.separation - skin)
    }

    /// Returns the soft plane that keeps a gap of `skin` \[m\] to the shape and pushes by at most `max_push`
    /// \[m\].
    #[must_use]
    pub fn soft(&self, skin: f32, max_push: f32) -> CollisionPlane {
        CollisionPlane::soft(self.normal, self.separation - skin, max_push)
    }
}

/// Sine of the angle between a translation and a touched surface up to which the mover slides along the
/// surface.
///
/// Smaller: rounding of the position stops a mover that slides along a floor. A step of 10 cm sinks in by 0.1
/// mm.
const MAX_SLIDING_SINE: f32 = 1.0e-3;

/// Least cosine of the angle between the normals of a chain segment and of a plane that belongs to this
/// segment. Where the normals differ by more, at an end of the segment, the plane belongs to the next one.
const MIN_CHAIN_COSINE: f32 = 0.999;

impl QueryScene<'_> {
    /// Lists the planes near a mover: see [`World::mover_planes`](crate::World::mover_planes).
    pub(super) fn mover_planes(
        &self,
        mover: &Mover<'_>,
        reach: f32,
        filter: QueryFilter<'_>,
        planes: &mut Vec<MoverPlane>,
    ) {
        planes.clear();
        if !mover.is_finite() || !reach.is_finite() || reach < 0.0 {
            return;
        }
        let pose = query_pose(mover.position, mover.angle);
        let area = box_around(mover.shape, &pose, reach);
        self.broad.query(&area, filter.mask, |slot| {
            planes.extend(self.mover_plane(slot, mover.shape, &pose, reach, filter));
            ControlFlow::Continue(())
        });
        planes.sort_unstable_by_key(|plane| plane.shape);
    }

    fn mover_plane(
        &self,
        slot: u32,
        shape: &Shape,
        pose: &BodyPose,
        reach: f32,
        filter: QueryFilter<'_>,
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

    /// Casts a mover: see [`World::mover_cast`](crate::World::mover_cast).
    pub(super) fn mover_cast(
        &self,
        mover: &Mover<'_>,
        translation: Vec2,
        skin: f32,
        filter: QueryFilter<'_>,
    ) -> Option<ShapeHit> {
        if !mover.is_finite() || !skin.is_finite() {
            return None;
        }
        let pose = query_pose(mover.position, mover.angle);
        let path = CastPath {
            start: box_around(mover.shape, &pose, skin.max(0.0)),
            translation,
        };
        let hit_test = |other: &BodyShape, body: &BodyPose, limit: f32| {
            let in_body = body.pose_of(&pose);
            let local = body.unrotate(translation);
            let hit =
                shape_cast_to_gap(&other.geometry, mover.shape, &in_body, local, limit, skin)?;
            let leads_out = hit.normal.dot(&local) >= -MAX_SLIDING_SINE * local.norm();
            if hit.fraction == 0.0 && leads_out {
                return None;
            }
            solid_hit(other, body, mover.shape, &in_body, &hit)
        };
        self.first_hit(&path, filter, RayReport::Closest, hit_test)
    }
}

/// The surface of a shape near a mover, in the frame of the body of the shape.
struct NearSurface {
    point: Point,
    normal: Vec2,
    separation: f32,
}

/// Returns the surface of `other` near `shape` if their gap is at most `reach` \[m\].
fn surface_near(other: &Shape, shape: &Shape, in_other: &Pose, reach: f32) -> Option<NearSurface> {
    let margin = reach.max(SPECULATIVE_DISTANCE);
    // The penetration of the inflated shape gives both the gap and the overlap.
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
                let is_on_segment = near.normal.dot(&segment.normal()) > MIN_CHAIN_COSINE;
                return (is_far && is_on_segment && near.separation <= reach).then_some(near);
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
