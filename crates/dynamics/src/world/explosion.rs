//! Explosions: impulses on dynamic bodies around a point.

use crate::body::def::check_position;
use crate::error::{ValueError, demand, finite, not_negative};
use crate::material::{BodyKinds, QueryFilter};
use crate::world::query::box_around_point;
use crate::world::{BodyMut, World, WorldError};
use cairn2d_broadphase::ProxyKind;
use cairn2d_geometry::Shape;
use cairn2d_geometry::math::{Point, Pose, Vec2, WorldPoint, cross, rotation_from_parts};
use core::ops::ControlFlow;

/// Definition of an explosion: plain data, reusable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExplosionDef {
    /// Center of the explosion in the world \[m\].
    pub position: WorldPoint,
    /// Distance up to which it acts in full \[m\].
    pub radius: f32,
    /// Distance beyond the radius over which it fades linearly to zero \[m\].
    pub falloff: f32,
    /// Impulse per width of a shape across the direction from the center [N s/m]; negative pulls inward.
    pub impulse_per_length: f32,
    /// Filter of the shapes on which it acts; only shapes on dynamic bodies count.
    pub filter: QueryFilter<'static>,
}

impl ExplosionDef {
    /// Starts a definition of an explosion at `position` \[m\] with a radius \[m\] and an impulse per
    /// projected width [N s/m], without falloff.
    #[must_use]
    pub fn new(position: impl Into<WorldPoint>, radius: f32, impulse_per_length: f32) -> Self {
        Self {
            position: position.into(),
            radius,
            falloff: 0.0,
            impulse_per_length,
            filter: QueryFilter::default(),
        }
    }

    /// Sets the distance beyond the radius over which it fades to zero \[m\].
    #[must_use]
    pub fn falloff(mut self, falloff: f32) -> Self {
        self.falloff = falloff;
        self
    }

    /// Sets the filter of the shapes on which it acts.
    #[must_use]
    pub fn filter(mut self, filter: QueryFilter<'static>) -> Self {
        self.filter = filter;
        self
    }

    /// Checks all numbers.
    ///
    /// # Errors
    /// Names the first field that is not finite, negative where it must not be, or outside of the world.
    pub fn validate(&self) -> Result<(), ValueError> {
        check_position("position", self.position)?;
        not_negative("radius", self.radius)?;
        not_negative("falloff", self.falloff)?;
        finite("impulse_per_length", self.impulse_per_length)
    }

    /// Returns the share of the impulse at `distance` \[m\].
    fn share_at(&self, distance: f32) -> f32 {
        let beyond = distance - self.radius;
        if beyond <= 0.0 {
            1.0
        } else if beyond < self.falloff {
            1.0 - beyond / self.falloff
        } else {
            0.0
        }
    }
}

/// The impulse of an explosion on one shape.
struct ExplosionImpulse {
    /// Slot of the body.
    body: u32,
    /// [N s]
    impulse: Vec2,
    /// Point of application in the world \[m\].
    point: WorldPoint,
}

/// # Explosions
impl World {
    /// Applies impulses to dynamic bodies away from a point, at once, and wakes them. The impulse on a shape
    /// is proportional to its projected width as seen from the center, and acts at the nearest point of the
    /// shape; for a shape that contains the center, at the center of the shape. Nothing shields a shape from
    /// the explosion.
    ///
    /// ```
    /// use cairn2d_dynamics::{BodyDef, ExplosionDef, ShapeDef, World};
    /// use cairn2d_geometry::Polygon;
    ///
    /// let mut world = World::default();
    /// let crate_ = world.create_body(BodyDef::dynamic().position(3.0, 0.0));
    /// world.create_shape(crate_, Polygon::rectangle(0.5, 0.5), ShapeDef::default());
    ///
    /// // 10 N s per meter: the crate of 1 kg is 1 m wide.
    /// world.explode(&ExplosionDef::new((0.0, 0.0), 5.0, 10.0));
    /// assert!((world.body(crate_).velocity().x - 10.0).abs() < 1.0e-4);
    /// ```
    ///
    /// # Panics
    /// If a number of `def` is invalid, or a velocity would not be finite; [`try_explode`](Self::try_explode)
    /// returns the error instead.
    #[doc(alias("b2World_Explode", "AddExplosionForce"))]
    #[track_caller]
    pub fn explode(&mut self, def: &ExplosionDef) {
        demand(self.try_explode(def), "explode");
    }

    /// Applies impulses to dynamic bodies away from a point: see [`explode`](Self::explode).
    ///
    /// # Errors
    /// If a number of `def` is invalid: see [`ExplosionDef::validate`], or a velocity would not be finite.
    /// The world is then unchanged.
    pub fn try_explode(&mut self, def: &ExplosionDef) -> Result<(), WorldError> {
        def.validate()?;
        let area = box_around_point(def.position, def.radius + def.falloff);
        let mut near = Vec::new();
        let kinds = [ProxyKind::Dynamic];
        self.broad
            .query_kinds(&kinds, &area, def.filter.mask, |slot| {
                near.push(slot);
                ControlFlow::Continue(())
            });
        near.sort_unstable();
        let impulses: Vec<ExplosionImpulse> = near
            .into_iter()
            .filter_map(|slot| self.impulse_on_shape(slot, def))
            .collect();
        self.check_impulses(&impulses)?;
        for push in impulses {
            BodyMut {
                world: self,
                slot: push.body,
            }
            .try_apply_impulse_at(push.impulse, push.point)?;
        }
        Ok(())
    }

    /// Checks that all velocities stay finite under these impulses.
    fn check_impulses(&self, impulses: &[ExplosionImpulse]) -> Result<(), WorldError> {
        // The impulses on one body add up in the order of its shapes, as when they are applied.
        let mut by_body: Vec<&ExplosionImpulse> = impulses.iter().collect();
        by_body.sort_by_key(|push| push.body);
        for on_body in by_body.chunk_by(|a, b| a.body == b.body) {
            let slot = on_body[0].body;
            let (state, mass) = (
                &self.bodies.states[slot as usize],
                &self.bodies.masses[slot as usize],
            );
            let (mut velocity, mut spin) = (state.velocity, state.angular_velocity);
            for push in on_body {
                let arm = push.point - self.bodies.poses[slot as usize].center;
                let angular = cross(&arm, &push.impulse);
                velocity += push.impulse * mass.inv_mass;
                spin += angular * mass.inv_inertia;
                let numbers = [push.impulse.x, push.impulse.y, angular];
                let sums = [velocity.x, velocity.y, spin];
                if !numbers.into_iter().chain(sums).all(f32::is_finite) {
                    let body = self.bodies.slots.id_at(slot);
                    return Err(WorldError::TooLargeImpulse(body));
                }
            }
        }
        Ok(())
    }

    /// Returns the impulse on the shape in `slot`; `None` if it is zero.
    fn impulse_on_shape(&self, slot: u32, def: &ExplosionDef) -> Option<ExplosionImpulse> {
        let filter = QueryFilter {
            kinds: BodyKinds {
                fixed: false,
                kinematic: false,
                ..def.filter.kinds
            },
            ..def.filter
        };
        let shape = self.query_scene().visible_shape(slot, filter)?;
        let body = shape.body;
        let pose = self.bodies.poses[body as usize];
        let local = pose.to_local(def.position);
        let nearest = shape.geometry.project(&local);
        let share = def.share_at(nearest.separation);
        let target = if nearest.separation > 0.0 {
            nearest.point
        } else {
            center_of(&shape.geometry)
        };
        let away = (target - local).try_normalize(0.0)?;
        let impulse = def.impulse_per_length * share * projected_width(&shape.geometry, away);
        (impulse != 0.0).then(|| ExplosionImpulse {
            body,
            impulse: pose.rotate(away) * impulse,
            point: pose.to_world(target),
        })
    }
}

/// Returns the center of mass of a shape, or the center of its box if it has no area.
fn center_of(geometry: &Shape) -> Point {
    let mass = geometry.mass(1.0);
    if mass.mass > 0.0 {
        mass.center
    } else {
        geometry.aabb(&Pose::identity()).center()
    }
}

/// Returns the width \[m\] of a shape across `direction`, a unit vector.
fn projected_width(geometry: &Shape, direction: Vec2) -> f32 {
    let rotated = Pose::from_parts(
        Vec2::zeros().into(),
        rotation_from_parts(direction.x, -direction.y),
    );
    let extent = geometry.aabb(&rotated);
    extent.max.y - extent.min.y
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn2d_geometry::Polygon;
    use cairn2d_geometry::math::vec2;

    #[test]
    fn width_is_that_across_the_direction() {
        let plank = Shape::from(Polygon::rectangle(2.0, 0.25));
        let diagonal = 0.5_f32.sqrt();
        for (direction, expected) in [
            (vec2(1.0, 0.0), 0.5),
            (vec2(0.0, -1.0), 4.0),
            (vec2(diagonal, diagonal), 4.5 * diagonal),
        ] {
            let width = projected_width(&plank, direction);
            assert!((width - expected).abs() < 1.0e-5, "{direction}: {width}");
        }
    }
}
