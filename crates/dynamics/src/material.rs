//! Surfaces, collision filters and query filters, and the mix rules for the surfaces of two shapes.

use crate::body::def::BodyKind;
use crate::id::{BodyId, ShapeId};
use cairn2d_geometry::math::Vec2;
use cairn2d_geometry::{state_choice, state_record};
use core::fmt;

/// Rule that combines a number of two surfaces. If the rules of two surfaces differ, the later one in this
/// list applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MixRule {
    /// The mean of the two.
    Average,
    /// The square root of their product, which is 0 if one of them is 0.
    GeometricMean,
    /// The smaller: ice is slippery for all shapes.
    Minimum,
    /// Their product.
    Product,
    /// The larger: a rubber ball bounces off all shapes.
    Maximum,
}

state_choice!(MixRule {
    Average,
    GeometricMean,
    Minimum,
    Product,
    Maximum,
});

impl MixRule {
    /// Returns the combined number; negative numbers count as 0.
    #[must_use]
    #[inline]
    pub fn mix(self, a: f32, b: f32) -> f32 {
        let (a, b) = (a.max(0.0), b.max(0.0));
        match self {
            Self::Average => 0.5 * a + 0.5 * b,
            Self::GeometricMean => (a * b).sqrt(),
            Self::Minimum => a.min(b),
            Self::Product => a * b,
            Self::Maximum => a.max(b),
        }
    }

    /// Returns the rule between two surfaces; `usual` if neither has one.
    #[inline]
    fn between(a: Option<Self>, b: Option<Self>, usual: Self) -> Self {
        a.max(b).unwrap_or(usual)
    }
}

/// Surface of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Material {
    /// Coulomb coefficient, 0 to [`MAX_FRICTION`](crate::MAX_FRICTION). By default the geometric mean of two surfaces
    /// applies.
    pub friction: f32,
    /// Coefficient of restitution, usually 0 to 1, at most [`MAX_RESTITUTION`](crate::MAX_RESTITUTION). By default the
    /// larger of two surfaces applies.
    pub restitution: f32,
    /// Mix rule for friction; `None`: that of the other surface, by default the geometric mean.
    #[doc(alias("CoefficientCombineRule", "frictionCallback"))]
    pub friction_rule: Option<MixRule>,
    /// Mix rule for restitution; `None`: that of the other surface, by default the maximum.
    pub restitution_rule: Option<MixRule>,
    /// Rolling resistance as a share of the radius, 0 to [`MAX_FRICTION`](crate::MAX_FRICTION); the larger of two surfaces
    /// applies. The radius is that of a circle, capsule or rounded polygon, and of a circle with the area of an ellipse;
    /// other shapes have none and do not roll.
    pub rolling_resistance: f32,
    /// Speed of the surface along the outline, counter-clockwise around the shape: a conveyor belt [m/s]. At most
    /// [`MAX_DRIVE_SPEED`](crate::MAX_DRIVE_SPEED) in either direction.
    pub surface_speed: f32,
    /// Direction in the body's frame in which shapes pass through this one: only the side to which it points
    /// is solid. `None`: solid from all sides. The length does not matter.
    pub one_way: Option<Vec2>,
    /// An identifier of the material for your own use.
    pub user_id: u64,
}

state_record!(Material {
    friction,
    restitution,
    friction_rule,
    restitution_rule,
    rolling_resistance,
    surface_speed,
    one_way,
    user_id,
});

impl Default for Material {
    fn default() -> Self {
        Self {
            friction: 0.6,
            restitution: 0.0,
            friction_rule: None,
            restitution_rule: None,
            rolling_resistance: 0.0,
            surface_speed: 0.0,
            one_way: None,
            user_id: 0,
        }
    }
}

impl Material {
    /// Returns the friction coefficient of two surfaces.
    #[must_use]
    #[inline]
    pub fn friction_with(&self, other: &Self) -> f32 {
        let (a, b) = (self.friction_rule, other.friction_rule);
        MixRule::between(a, b, MixRule::GeometricMean).mix(self.friction, other.friction)
    }

    /// Returns the restitution of two surfaces.
    #[must_use]
    #[inline]
    pub fn restitution_with(&self, other: &Self) -> f32 {
        let (a, b) = (self.restitution_rule, other.restitution_rule);
        MixRule::between(a, b, MixRule::Maximum).mix(self.restitution, other.restitution)
    }
}

/// Collision filter of a shape.
///
/// Two shapes of the same nonzero `group` collide if it is positive, and do not if it is negative. All other
/// pairs collide if each one's `category` is in the other's `mask`.
#[doc(alias("b2Filter", "InteractionGroups", "collision_layer"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Filter {
    /// Category bits of this shape; usually one.
    #[doc(alias("categoryBits", "memberships"))]
    pub category: u64,
    /// Categories that it collides with.
    #[doc(alias = "maskBits")]
    pub mask: u64,
    /// Overrides the bits between shapes of the same group; 0 = no group.
    #[doc(alias = "groupIndex")]
    pub group: i32,
}

state_record!(Filter {
    category,
    mask,
    group,
});

impl Default for Filter {
    fn default() -> Self {
        Self {
            category: 1,
            mask: u64::MAX,
            group: 0,
        }
    }
}

impl Filter {
    /// Returns the filter of a shape in `category` that collides with the categories in `mask`, without a group.
    ///
    /// ```
    /// use cairn2d_dynamics::{Filter, ShapeDef};
    ///
    /// const PLAYER: u64 = 1;
    /// const ENEMY: u64 = 2;
    /// let def = ShapeDef::default().filter(Filter::new(PLAYER, ENEMY));
    /// assert!(def.filter.meets(&Filter::new(ENEMY, PLAYER | ENEMY)));
    /// ```
    #[doc(alias("InteractionGroups", "collision_groups"))]
    #[doc(alias("collision_mask", "b2Filter", "CollisionGroups"))]
    #[must_use]
    pub const fn new(category: u64, mask: u64) -> Self {
        Self {
            category,
            mask,
            group: 0,
        }
    }

    /// Returns `true` if shapes with these filters collide. Symmetric.
    #[must_use]
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        if self.group == other.group && self.group != 0 {
            return self.group > 0;
        }
        self.mask & other.category != 0 && other.mask & self.category != 0
    }
}

/// A set of body kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyKinds {
    /// Static bodies.
    pub fixed: bool,
    /// Kinematic bodies.
    pub kinematic: bool,
    /// Dynamic bodies.
    pub dynamic: bool,
}

impl BodyKinds {
    /// All kinds.
    pub const ALL: Self = Self {
        fixed: true,
        kinematic: true,
        dynamic: true,
    };

    /// Static bodies only.
    pub const FIXED: Self = Self {
        kinematic: false,
        dynamic: false,
        ..Self::ALL
    };

    /// Dynamic bodies only.
    pub const DYNAMIC: Self = Self {
        fixed: false,
        kinematic: false,
        ..Self::ALL
    };

    /// Kinematic and dynamic bodies.
    pub const MOVING: Self = Self {
        fixed: false,
        ..Self::ALL
    };

    /// Returns `true` if `kind` is in the set.
    #[must_use]
    pub const fn contains(self, kind: BodyKind) -> bool {
        match kind {
            BodyKind::Static => self.fixed,
            BodyKind::Kinematic => self.kinematic,
            BodyKind::Dynamic => self.dynamic,
        }
    }
}

/// Filter of a query: it finds shapes whose category is in `mask` and whose mask has `category`, on bodies of
/// the given kinds.
///
/// ```
/// use cairn2d_dynamics::{BodyDef, BodyKinds, QueryFilter, World};
///
/// let mut world = World::default();
/// let me = world.create_body(BodyDef::dynamic());
/// let others_that_move = QueryFilter::default().exclude(me).kinds(BodyKinds::MOVING);
/// assert_eq!(others_that_move.exclude, Some(me));
/// ```
///
/// A predicate decides about single shapes:
///
/// ```
/// use cairn2d_dynamics::{BodyDef, QueryFilter, ShapeDef, World};
/// use cairn2d_geometry::Circle;
/// use cairn2d_geometry::math::vec2;
///
/// let mut world = World::default();
/// for x in [2.0, 4.0] {
///     let body = world.create_body(BodyDef::static_().position(x, 0.0));
///     world.create_shape(body, Circle::of_radius(0.5), ShapeDef::default().user_data(x as u64));
/// }
/// let is_fourth = |shape| world.shape(shape).user_data() == 4;
/// let hit = world.ray_cast((0.0, 0.0), vec2(9.0, 0.0), QueryFilter::default().accept(&is_fourth));
/// assert!((hit.unwrap().point.x - 3.5).abs() < 1.0e-5);
/// ```
#[doc(alias("b2QueryFilter", "LayerMask"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct QueryFilter<'a> {
    /// Category bits of the query.
    pub category: u64,
    /// Categories that the query finds.
    pub mask: u64,
    /// Whether the query finds sensors.
    pub sensors: Sensors,
    /// Kinds of bodies whose shapes it finds.
    pub kinds: BodyKinds,
    /// Body that it ignores, such as the one that casts a ray.
    pub exclude: Option<BodyId>,
    /// Predicate that the shapes must pass: see [`accept`](Self::accept). It is not part of serialized data.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub predicate: Option<ShapePredicate<'a>>,
}

/// A function that accepts or rejects shapes of a query: see [`QueryFilter::accept`].
///
/// Two predicates are equal if they are the same object.
#[derive(Clone, Copy)]
pub struct ShapePredicate<'a>(&'a (dyn Fn(ShapeId) -> bool + Sync));

impl fmt::Debug for ShapePredicate<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("ShapePredicate")
    }
}

impl PartialEq for ShapePredicate<'_> {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::addr_eq(self.0, other.0)
    }
}

impl Eq for ShapePredicate<'_> {}

/// Whether a query finds sensors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Sensors {
    /// Sensors are ignored.
    #[default]
    Ignored,
    /// Sensors are found like solid shapes.
    Included,
}

impl Default for QueryFilter<'_> {
    fn default() -> Self {
        Self {
            category: u64::MAX,
            mask: u64::MAX,
            sensors: Sensors::Ignored,
            kinds: BodyKinds::ALL,
            exclude: None,
            predicate: None,
        }
    }
}

impl<'a> QueryFilter<'a> {
    /// Finds only shapes for which `predicate` returns `true`. It replaces an earlier predicate.
    ///
    /// It is called in no particular order, for shapes that pass the rest of the filter and are near the
    /// searched region: they need not be hit. Batches of queries call it on several threads.
    #[must_use]
    pub fn accept<'b>(self, predicate: &'b (dyn Fn(ShapeId) -> bool + Sync)) -> QueryFilter<'b>
    where
        'a: 'b,
    {
        QueryFilter {
            predicate: Some(ShapePredicate(predicate)),
            ..self
        }
    }

    /// Returns `true` if the [predicate](Self::accept) accepts a shape, or there is none. The other fields of the filter
    /// are not compared.
    ///
    /// A new predicate replaces the old one. To add a condition, call the old one in the new.
    #[inline]
    #[must_use]
    pub fn accepts(&self, shape: ShapeId) -> bool {
        self.predicate.is_none_or(|predicate| predicate.0(shape))
    }

    /// Sets the categories that the query finds.
    #[must_use]
    pub fn mask(mut self, mask: u64) -> Self {
        self.mask = mask;
        self
    }

    /// Ignores a body, such as the one that casts a ray.
    #[must_use]
    pub fn exclude(mut self, body: BodyId) -> Self {
        self.exclude = Some(body);
        self
    }

    /// Finds only bodies of these kinds.
    #[must_use]
    pub fn kinds(mut self, kinds: BodyKinds) -> Self {
        self.kinds = kinds;
        self
    }

    /// Sets whether sensors are found.
    #[must_use]
    pub fn sensors(mut self, sensors: Sensors) -> Self {
        self.sensors = sensors;
        self
    }
}

/// Cosine of the largest angle between a one-way shape's direction and a normal at which it is solid: 60
/// degrees.
///
/// Smaller: a body that walks against the end of a platform stops. Larger: a body that lands on the rounded
/// end of one falls through.
const ONE_WAY_COSINE: f32 = 0.5;

/// Returns `true` if a shape with this one-way direction, on a body of this rotation, is solid for contacts
/// along `normal`, its outward unit normal in the world.
pub(crate) fn one_way_stops(one_way: Option<Vec2>, rotation: Vec2, normal: Vec2) -> bool {
    one_way.is_none_or(|local| {
        let (c, s) = (rotation.x, rotation.y);
        let out = Vec2::new(c * local.x - s * local.y, s * local.x + c * local.y);
        out.dot(&normal) >= ONE_WAY_COSINE * local.norm()
    })
}

/// Surface between two shapes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Surface {
    /// Coulomb coefficient.
    pub(crate) friction: f32,
    /// Coefficient of restitution.
    pub(crate) restitution: f32,
    /// Rolling resistance times radius [m].
    pub(crate) rolling_resistance: f32,
    /// Speed of the surface of B against that of A along the tangent [m/s].
    pub(crate) tangent_speed: f32,
}

impl Surface {
    /// Returns the surface between two shapes of the given materials; `radius` is the larger of their radii
    /// [m].
    #[inline]
    pub(crate) fn mixed(a: &Material, b: &Material, radius: f32) -> Self {
        Self {
            friction: a.friction_with(b),
            restitution: a.restitution_with(b),
            rolling_resistance: a.rolling_resistance.max(b.rolling_resistance) * radius,
            tangent_speed: mix_surface_speed(a.surface_speed, b.surface_speed),
        }
    }
}

/// Returns the speed of B's surface relative to A's along the contact tangent, the normal turned right [m/s].
///
/// Each belt runs counter-clockwise around its own shape. At a contact the two outlines run in
/// opposite directions, so the speeds add.
#[must_use]
pub(crate) fn mix_surface_speed(a: f32, b: f32) -> f32 {
    a + b
}

/// Returns the direction along which tangential quantities are measured: `normal` turned right.
#[must_use]
pub(crate) fn tangent(normal: Vec2) -> Vec2 {
    Vec2::new(normal.y, -normal.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mix_rules_never_give_nan() {
        use MixRule::{Average, GeometricMean, Maximum, Minimum, Product};
        for (a, b, mean) in [
            (0.25, 1.0, 0.5),
            (0.7, 0.0, 0.0),
            (-0.5, 0.5, 0.0),
            (-0.5, -0.5, 0.0),
        ] {
            assert_eq!(GeometricMean.mix(a, b), mean);
        }
        for rule in [Average, GeometricMean, Minimum, Product, Maximum] {
            for (a, b) in [(0.0, f32::MAX), (f32::MAX, f32::MIN_POSITIVE), (0.3, 0.7)] {
                assert!(rule.mix(a, b).is_finite(), "{rule:?}");
                assert_eq!(rule.mix(a, b), rule.mix(b, a), "{rule:?}");
            }
        }
    }

    #[test]
    fn stronger_rule_of_two_decides_and_none_is_the_weakest() {
        use MixRule::{Average, GeometricMean, Maximum, Minimum, Product};
        let of = |friction, friction_rule| Material {
            friction,
            friction_rule,
            restitution: friction,
            restitution_rule: friction_rule,
            ..Material::default()
        };
        for (a, b, friction, restitution) in [
            (None, None, 0.4, 0.8),
            (None, Some(Average), 0.5, 0.5),
            (Some(Minimum), None, 0.2, 0.2),
            (Some(Average), Some(GeometricMean), 0.4, 0.4),
            (Some(Product), Some(Minimum), 0.16, 0.16),
            (Some(Maximum), Some(Product), 0.8, 0.8),
        ] {
            let (a, b) = (of(0.2, a), of(0.8, b));
            for (a, b) in [(a, b), (b, a)] {
                assert!((a.friction_with(&b) - friction).abs() < 1.0e-6);
                assert!((a.restitution_with(&b) - restitution).abs() < 1.0e-6);
            }
        }
    }

    #[test]
    fn group_overrules_bits() {
        let mut a = Filter::default();
        assert!(a.meets(&a));
        a.group = -1;
        assert!(!a.meets(&a));
        a.group = 2;
        a.mask = 0;
        assert!(a.meets(&a));
        assert!(!a.meets(&Filter::default()));
    }
}
