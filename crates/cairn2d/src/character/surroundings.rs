//! The surroundings of a character: surfaces near it, casts, and the test for walkable ground.

use super::def::CharacterController;
use super::report::{CharacterGround, Footing};
use cairn2d_dynamics::{
    BodyId, BodyKind, BodyKinds, Mover, MoverPlane, QueryFilter, ShapeHit, ShapeId, World,
};
use cairn2d_geometry::math::{Vec2, WorldPoint, rotation, sin_cos};
use cairn2d_geometry::{CollisionPlane, Shape};
use smallvec::SmallVec;

/// Translations and overlaps shorter than this are ignored \[m\]: a hundred times the rounding of a
/// coordinate of some meters.
pub(super) const MIN_DISTANCE: f32 = 1.0e-5;

/// Sine of the angle from the upright up to which a surface is a vertical wall: rounding of its normal is no
/// slope.
pub(super) const MAX_UPRIGHT_SINE: f32 = 1.0e-3;

/// Gap beyond the skin up to which ground supports the character, as a share of the skin.
const FOOT_REACH: f32 = 0.5;

/// Distance from an edge at which its top is probed, as a share of the skin.
const EDGE_INSET: f32 = 0.5;

/// The settings of a controller in the form that the algorithm uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct CharacterLimits {
    /// Unit vector.
    pub(super) up: Vec2,
    pub(super) skin: f32,
    /// Minimum upward component of the normal of a slope that is climbed.
    pub(super) climb_cosine: f32,
    /// Minimum upward component of the normal of a slope on which it stands still.
    pub(super) hold_cosine: f32,
    pub(super) step_height: f32,
    pub(super) step_width: f32,
    pub(super) step_onto: BodyKinds,
    pub(super) snap: f32,
}

/// Tolerance of cosines: a slope of exactly the limit is climbed.
const COSINE_ROUNDING: f32 = 1.0e-5;

impl CharacterLimits {
    pub(super) fn new(controller: &CharacterController<'_>) -> Self {
        let cosine = |angle: f32| sin_cos(angle).1 - COSINE_ROUNDING;
        Self {
            up: controller.up.normalize(),
            skin: controller.skin,
            climb_cosine: cosine(controller.max_climb_angle),
            hold_cosine: cosine(controller.min_slide_angle),
            step_height: controller.max_step_height,
            step_width: controller.min_step_width,
            step_onto: controller.step_onto,
            snap: controller.snap_distance,
        }
    }

    /// Returns the part of `v` perpendicular to up.
    pub(super) fn flat(&self, v: Vec2) -> Vec2 {
        v - self.up * v.dot(&self.up)
    }
}

/// A surface near the character.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearbySurface {
    pub(super) shape: ShapeId,
    pub(super) body: BodyId,
    pub(super) kind: BodyKind,
    pub(super) point: WorldPoint,
    pub(super) normal: Vec2,
    /// Distance beyond the skin, negative where the surface is within it \[m\].
    pub(super) gap: f32,
}

impl NearbySurface {
    /// Returns the plane of the surface. Dynamic bodies block the character but do not push it, so their
    /// plane is never violated.
    pub(super) fn plane(&self) -> CollisionPlane {
        let yields = self.kind == BodyKind::Dynamic;
        let gap = if yields { self.gap.max(0.0) } else { self.gap };
        CollisionPlane::rigid(self.normal, gap)
    }
}

/// Surfaces near a character.
pub(super) type NearbySurfaces = SmallVec<[NearbySurface; 8]>;

/// A character and the scene around it.
#[derive(Clone, Copy)]
pub(super) struct Surroundings<'a> {
    pub(super) world: &'a World,
    pub(super) shapes: &'a [&'a Shape],
    pub(super) position: WorldPoint,
    pub(super) angle: f32,
    pub(super) limits: CharacterLimits,
    pub(super) filter: QueryFilter<'a>,
}

impl<'a> Surroundings<'a> {
    /// Returns the surroundings with kinematic bodies only.
    pub(super) fn kinematic_only(mut self) -> Self {
        let kinds = &mut self.filter.kinds;
        (kinds.fixed, kinds.dynamic) = (false, false);
        self
    }

    /// Iterates over the shapes of the character, moved by `offset` \[m\].
    fn movers(&self, offset: Vec2) -> impl Iterator<Item = Mover<'a>> {
        let (position, angle) = (self.position + offset, self.angle);
        self.shapes.iter().map(move |&shape| Mover {
            shape,
            position,
            angle,
        })
    }

    /// Returns the surfaces within `reach` beyond the skin \[m\].
    pub(super) fn surfaces(&self, offset: Vec2, reach: f32) -> NearbySurfaces {
        let (skin, filter) = (self.limits.skin, self.filter);
        let planes = self
            .movers(offset)
            .flat_map(|mover| self.world.mover_planes(&mover, skin + reach, filter));
        planes.map(|plane| self.surface(&plane)).collect()
    }

    fn surface(&self, plane: &MoverPlane) -> NearbySurface {
        NearbySurface {
            shape: plane.shape,
            body: plane.body,
            kind: self.world.body(plane.body).kind(),
            point: plane.point,
            normal: plane.normal,
            gap: plane.separation - self.limits.skin,
        }
    }

    /// Returns the surface of a hit.
    pub(super) fn surface_of(&self, hit: &ShapeHit) -> NearbySurface {
        NearbySurface {
            shape: hit.shape,
            body: hit.body,
            kind: self.world.body(hit.body).kind(),
            point: hit.point,
            normal: hit.normal,
            gap: 0.0,
        }
    }

    /// Casts the character with its skin along `translation`, among the shapes for which `also` returns
    /// `true`.
    pub(super) fn cast_among(
        &self,
        offset: Vec2,
        translation: Vec2,
        also: impl Fn(&ShapeId) -> bool + Sync,
    ) -> Option<ShapeHit> {
        let accept = |shape: ShapeId| also(&shape) && self.filter.accepts(shape);
        self.cast_with(offset, translation, self.filter.accept(&accept))
    }

    fn cast_with(
        &self,
        offset: Vec2,
        translation: Vec2,
        filter: QueryFilter<'_>,
    ) -> Option<ShapeHit> {
        let skin = self.limits.skin;
        let hits = self
            .movers(offset)
            .filter_map(|mover| self.world.mover_cast(&mover, translation, skin, filter));
        hits.reduce(|a, b| if b.fraction < a.fraction { b } else { a })
    }

    /// Casts the character with its skin along `translation`.
    pub(super) fn cast(&self, offset: Vec2, translation: Vec2) -> Option<ShapeHit> {
        self.cast_with(offset, translation, self.filter)
    }

    /// Returns the normal of the ground if the surface, or the top of the step whose edge it is, can be
    /// walked on.
    pub(super) fn walkable(&self, surface: &NearbySurface, offset: Vec2) -> Option<Vec2> {
        let rise = surface.normal.dot(&self.limits.up);
        if rise >= self.limits.climb_cosine.max(self.limits.hold_cosine) {
            return Some(surface.normal);
        }
        let is_low = self.height_of(surface, offset) <= self.limits.step_height + MIN_DISTANCE;
        let is_step = rise > MAX_UPRIGHT_SINE && self.limits.step_height > 0.0 && is_low;
        let top = is_step.then(|| self.top_of(surface)).flatten();
        top.or_else(|| (rise >= self.limits.climb_cosine).then_some(surface.normal))
    }

    /// Returns the normal of the top of the edge if it can be walked on.
    fn top_of(&self, surface: &NearbySurface) -> Option<Vec2> {
        let CharacterLimits { up, skin, .. } = self.limits;
        let inward = -self.limits.flat(surface.normal).normalize();
        let inset = EDGE_INSET * skin;
        // On a slope of 60 degrees beyond the edge the ray still ends below the surface.
        let (above, below) = (2.0 * inset, 4.0 * inset);
        let from = surface.point + inward * inset + up * above;
        let is_it = |shape| shape == surface.shape;
        let filter = self.filter.accept(&is_it);
        let hit = self.world.ray_cast(from, up * -below, filter)?;
        (hit.normal.dot(&up) >= self.limits.climb_cosine).then_some(hit.normal)
    }

    /// Returns the height of a surface above the ground level of the character at `offset` \[m\].
    pub(super) fn height_of(&self, surface: &NearbySurface, offset: Vec2) -> f32 {
        let above_origin = (surface.point - (self.position + offset)).dot(&self.limits.up);
        above_origin - self.feet() + self.limits.skin
    }

    /// Returns the height of the lowest point of the shapes above their origin, usually negative \[m\].
    fn feet(&self) -> f32 {
        let turn = rotation(self.angle);
        let down = turn.inverse() * -self.limits.up;
        let lowest = self.shapes.iter().map(|shape| {
            let foot = turn * shape.support(&down).coords;
            foot.dot(&self.limits.up)
        });
        lowest.reduce(f32::min).unwrap_or(0.0)
    }

    /// Returns the support of the character at `offset`, and the most horizontal ground.
    pub(super) fn footing(&self, offset: Vec2) -> (Footing, Option<CharacterGround>) {
        let mut footing = Footing::Air;
        let mut best: Option<CharacterGround> = None;
        for surface in self.surfaces(offset, FOOT_REACH * self.limits.skin) {
            let Some(normal) = self.walkable(&surface, offset) else {
                if surface.normal.dot(&self.limits.up) > MAX_UPRIGHT_SINE && footing == Footing::Air
                {
                    footing = Footing::Slope;
                }
                continue;
            };
            footing = Footing::Ground;
            let rise = |normal: Vec2| normal.dot(&self.limits.up);
            if best.is_none_or(|before| rise(normal) > rise(before.normal)) {
                best = Some(CharacterGround {
                    shape: surface.shape,
                    body: surface.body,
                    point: surface.point,
                    normal,
                    velocity: self.world.body(surface.body).velocity_at(surface.point),
                });
            }
        }
        (footing, best)
    }
}
