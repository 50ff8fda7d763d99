//! Components of colliders: shapes of bodies, their surfaces and filters.

use crate::changes::{collider_changed, collider_removed};
use crate::convert::to_engine;
use crate::key::PhysicsKey;
use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_reflect::Reflect;
use bevy_transform::components::Transform;
use cairn2d::math::{Point, point};
use cairn2d::{
    Capsule, Chain, Circle, Ellipse, Filter, Material, Polygon, Segment, Shape, ShapeDef,
};
use core::ops::{Deref, DerefMut};
use std::sync::Arc;

/// The shapes of a collider, in the frame of its entity \[m\].
///
/// They belong to the body of the entity, or of its nearest ancestor with a [`RigidBody`](crate::RigidBody): a body
/// with several colliders is compound. A collider without such a body gets [`RigidBody::Static`](crate::RigidBody).
/// Scales of transforms are for pictures: they change neither shapes nor their places.
///
/// Clones share their shapes.
///
/// ```
/// use bevy_cairn2d::Collider;
/// use cairn2d::Ellipse;
/// use cairn2d::math::point;
///
/// let crate_ = Collider::rectangle(1.0, 0.5);
/// let egg = Collider::from(Ellipse::new(point(0.0, 0.0), 0.3, 0.4, 0.0));
/// assert_ne!(crate_, egg);
/// ```
#[derive(Component, Clone, Debug, PartialEq)]
#[require(PhysicsKey, Transform, SurfaceMaterial, CollisionFilter, Density)]
#[component(on_remove = collider_removed)]
pub struct Collider {
    shapes: Arc<[Shape]>,
}

impl Collider {
    /// Returns a collider of several shapes: any that the engine has.
    #[must_use]
    pub fn compound(shapes: impl IntoIterator<Item = Shape>) -> Self {
        Self {
            shapes: shapes.into_iter().collect(),
        }
    }

    /// Returns a disk of `radius` \[m\].
    ///
    /// # Panics
    /// If `radius` is not positive and finite; [`try_of_radius`](Circle::try_of_radius) returns the error instead, or the shape.
    #[must_use]
    #[track_caller]
    pub fn circle(radius: f32) -> Self {
        Circle::of_radius(radius).into()
    }

    /// Returns a box of `width` and `height` \[m\].
    ///
    /// # Panics
    /// If a length is not positive and finite; [`try_rectangle`](Polygon::try_rectangle) returns the error instead, or the shape.
    #[must_use]
    #[track_caller]
    pub fn rectangle(width: f32, height: f32) -> Self {
        Polygon::rectangle(0.5 * width, 0.5 * height).into()
    }

    /// Returns an upright capsule of `radius` around a segment of `length` \[m\].
    ///
    /// # Panics
    /// If a length is not positive and finite; [`try_new`](Capsule::try_new) returns the error instead, or the shape.
    #[must_use]
    #[track_caller]
    pub fn capsule(radius: f32, length: f32) -> Self {
        let (low, high) = (point(0.0, -0.5 * length), point(0.0, 0.5 * length));
        Capsule::new(low, high, radius).into()
    }

    /// Returns the convex hull of `points` \[m\].
    ///
    /// # Panics
    /// If the points have no area, or a number is not finite; [`try_hull`](Polygon::try_hull) returns the error instead, or the
    /// shape.
    #[must_use]
    #[track_caller]
    pub fn hull(points: &[Vec2]) -> Self {
        Polygon::hull(&engine_points(points)).into()
    }

    /// Returns a ground line through `points` \[m\], solid from above.
    ///
    /// # Panics
    /// If there are fewer than two points, neighbors are equal, or a number is not finite; [`try_ground`](Chain::try_ground)
    /// returns the error instead, or the chain.
    #[must_use]
    #[track_caller]
    pub fn ground(points: &[Vec2]) -> Self {
        Chain::ground(&engine_points(points)).into()
    }

    /// Returns the shapes.
    #[must_use]
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }
}

fn engine_points(points: &[Vec2]) -> Vec<Point> {
    points.iter().map(|&p| to_engine(p).into()).collect()
}

macro_rules! from_shapes {
    ($($shape:ty),*) => {
        $(impl From<$shape> for Collider {
            fn from(shape: $shape) -> Self {
                Self::compound([shape.into()])
            }
        })*
    };
}

from_shapes!(Shape, Circle, Capsule, Segment, Polygon, Ellipse);

impl From<Chain> for Collider {
    fn from(chain: Chain) -> Self {
        Self::compound(chain.segments().iter().map(|&segment| segment.into()))
    }
}

/// Makes the collider a sensor: it reports overlaps and has no contacts.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[component(on_insert = collider_changed, on_remove = collider_changed)]
#[reflect(Component)]
pub struct Sensor;

/// Mass per area [kg/m^2]; 0 adds no mass.
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component)]
pub struct Density(pub f32);

impl Default for Density {
    fn default() -> Self {
        Self(ShapeDef::default().density)
    }
}

/// Surface of a collider: the engine's [`Material`].
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct SurfaceMaterial(pub Material);

impl SurfaceMaterial {
    /// Returns the default surface with this Coulomb coefficient.
    #[must_use]
    pub fn friction(friction: f32) -> Self {
        Self(Material {
            friction,
            ..Material::default()
        })
    }

    /// Returns the default surface with this coefficient of restitution.
    #[must_use]
    pub fn restitution(restitution: f32) -> Self {
        Self(Material {
            restitution,
            ..Material::default()
        })
    }

    /// Returns the surface after `change`.
    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Material)) -> Self {
        change(&mut self.0);
        self
    }
}

/// Selects the colliders with which a collider collides: the engine's [`Filter`].
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CollisionFilter(pub Filter);

impl CollisionFilter {
    /// Returns the filter of a collider in these categories that collides with those of `mask`; one bit each.
    #[must_use]
    pub fn new(category: u64, mask: u64) -> Self {
        Self(Filter {
            category,
            mask,
            ..Filter::default()
        })
    }
}

/// Optional reports of a collider.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(on_insert = collider_changed, on_remove = collider_changed)]
pub struct ContactReports {
    /// Normal force above which a contact is reported in each step, as [`ContactForce`](crate::ContactForce) \[N\].
    pub force_threshold: f32,
    /// Whether the world's pre-solve hook is called for contacts of this collider.
    pub pre_solve: bool,
}

impl Default for ContactReports {
    fn default() -> Self {
        Self {
            force_threshold: f32::INFINITY,
            pre_solve: false,
        }
    }
}

macro_rules! deref_to {
    ($component:ty, $target:ty) => {
        impl Deref for $component {
            type Target = $target;

            fn deref(&self) -> &$target {
                &self.0
            }
        }

        impl DerefMut for $component {
            fn deref_mut(&mut self) -> &mut $target {
                &mut self.0
            }
        }
    };
}

deref_to!(Density, f32);
deref_to!(SurfaceMaterial, Material);
deref_to!(CollisionFilter, Filter);
