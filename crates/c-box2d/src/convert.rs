//! Conversions between the C types and the engine's.

use crate::abi::{Fault, Outcome};
use crate::types::*;
use cairn2d::geometry::math::rotation_from_parts;
use cairn2d::{
    Aabb, BodyId, BodyKind, ContactId, Filter, JointId, Locks, MassData, Material, Point, Pose,
    QueryFilter, Rotation, ShapeId, Vec2, WorldPoint, math,
};

impl b2Vec2 {
    pub(crate) const ZERO: Self = Self { x: 0.0, y: 0.0 };

    pub(crate) const fn vec(self) -> Vec2 {
        Vec2::new(self.x, self.y)
    }

    pub(crate) const fn point(self) -> Point {
        Point::new(self.x, self.y)
    }

    pub(crate) fn place(self) -> WorldPoint {
        WorldPoint::new(self.x.into(), self.y.into())
    }

    pub(crate) const fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }

    /// Returns the vector, or a fault that names it if a number is not finite.
    pub(crate) const fn finite(self, name: &'static str) -> Outcome<Self> {
        if self.is_finite() {
            Ok(self)
        } else {
            Err(Fault::Value(name))
        }
    }
}

impl From<Vec2> for b2Vec2 {
    fn from(v: Vec2) -> Self {
        Self { x: v.x, y: v.y }
    }
}

impl From<Point> for b2Vec2 {
    fn from(p: Point) -> Self {
        Self { x: p.x, y: p.y }
    }
}

impl From<WorldPoint> for b2Vec2 {
    fn from(p: WorldPoint) -> Self {
        p.to_point().into()
    }
}

impl b2Rot {
    pub(crate) const IDENTITY: Self = Self { c: 1.0, s: 0.0 };

    pub(crate) fn rotation(self) -> Rotation {
        let length = (self.c * self.c + self.s * self.s).sqrt();
        if length > 0.0 && length.is_finite() {
            rotation_from_parts(self.c / length, self.s / length)
        } else {
            Rotation::identity()
        }
    }

    /// Angle \[rad\]; a fault if it is none.
    pub(crate) fn angle(self) -> Outcome<f32> {
        if self.c.is_finite() && self.s.is_finite() {
            Ok(math::atan2(self.s, self.c))
        } else {
            Err(Fault::Value("rotation"))
        }
    }

    pub(crate) fn of_angle(angle: f32) -> Self {
        math::rotation(angle).into()
    }
}

impl From<Rotation> for b2Rot {
    fn from(r: Rotation) -> Self {
        Self { c: r.re, s: r.im }
    }
}

impl b2Transform {
    pub(crate) const IDENTITY: Self = Self {
        p: b2Vec2::ZERO,
        q: b2Rot::IDENTITY,
    };

    pub(crate) fn new(p: impl Into<b2Vec2>, q: impl Into<b2Rot>) -> Self {
        Self {
            p: p.into(),
            q: q.into(),
        }
    }

    pub(crate) fn pose(self) -> Pose {
        Pose::from_parts(self.p.vec().into(), self.q.rotation())
    }
}

impl From<Aabb> for b2AABB {
    fn from(b: Aabb) -> Self {
        Self {
            lowerBound: b.min.into(),
            upperBound: b.max.into(),
        }
    }
}

impl b2AABB {
    pub(crate) fn aabb(self) -> Aabb {
        Aabb::new(self.lowerBound.point(), self.upperBound.point())
    }

    /// Returns the box moved by `offset`.
    pub(crate) fn moved(self, offset: b2Vec2) -> Self {
        let shifted = |v: b2Vec2| b2Vec2 {
            x: v.x + offset.x,
            y: v.y + offset.y,
        };
        Self {
            lowerBound: shifted(self.lowerBound),
            upperBound: shifted(self.upperBound),
        }
    }
}

/// Converts ids: C counts slots from 1, so that zero bytes are the null id.
macro_rules! id_conversions {
    ($($c:ident, $engine:ident, $generation:ty;)*) => {
        $(impl $c {
            pub(crate) const fn of(id: $engine, world0: u16) -> Self {
                Self::of_parts(id.index() as i32 + 1, world0, id.generation() as $generation)
            }

            /// Returns the engine's id, which names nothing if this is the null id.
            pub(crate) const fn engine(self) -> $engine {
                let slot = self.index1.wrapping_sub(1) as u32;
                $engine::from_bits(((self.generation as u16 as u64) << 32) | slot as u64)
            }
        })*
    };
}

macro_rules! plain_ids {
    ($($c:ident),*) => {
        $(impl $c {
            pub(crate) const fn of_parts(index1: i32, world0: u16, generation: u16) -> Self {
                Self { index1, world0, generation }
            }
        })*
    };
}

plain_ids!(b2BodyId, b2ShapeId, b2JointId, b2ChainId);

impl b2BodyId {
    /// Names nothing.
    pub(crate) const NULL: Self = Self::of_parts(0, 0, 0);
}

impl b2ContactId {
    const fn of_parts(index1: i32, world0: u16, generation: u32) -> Self {
        Self {
            index1,
            world0,
            padding: 0,
            generation,
        }
    }
}

id_conversions! {
    b2BodyId, BodyId, u16;
    b2ShapeId, ShapeId, u16;
    b2JointId, JointId, u16;
    b2ContactId, ContactId, u32;
}

pub(crate) const fn body_kind(kind: b2BodyType) -> Outcome<BodyKind> {
    match kind {
        b2_staticBody => Ok(BodyKind::Static),
        b2_kinematicBody => Ok(BodyKind::Kinematic),
        b2_dynamicBody => Ok(BodyKind::Dynamic),
        _ => Err(Fault::Value("body type")),
    }
}

pub(crate) const fn body_type(kind: BodyKind) -> b2BodyType {
    match kind {
        BodyKind::Static => b2_staticBody,
        BodyKind::Kinematic => b2_kinematicBody,
        BodyKind::Dynamic => b2_dynamicBody,
    }
}

impl b2MotionLocks {
    pub(crate) const fn locks(self) -> Locks {
        Locks {
            x: self.linearX.is_set(),
            y: self.linearY.is_set(),
            rotation: self.angularZ.is_set(),
        }
    }
}

impl From<Locks> for b2MotionLocks {
    fn from(locks: Locks) -> Self {
        Self {
            linearX: locks.x.into(),
            linearY: locks.y.into(),
            angularZ: locks.rotation.into(),
        }
    }
}

impl b2Filter {
    pub(crate) const fn filter(self) -> Filter {
        Filter {
            category: self.categoryBits,
            mask: self.maskBits,
            group: self.groupIndex,
        }
    }
}

impl From<Filter> for b2Filter {
    fn from(filter: Filter) -> Self {
        Self {
            categoryBits: filter.category,
            maskBits: filter.mask,
            groupIndex: filter.group,
        }
    }
}

impl b2QueryFilter {
    pub(crate) fn filter(self) -> QueryFilter<'static> {
        QueryFilter {
            category: self.categoryBits,
            mask: self.maskBits,
            ..QueryFilter::default()
        }
    }
}

impl b2SurfaceMaterial {
    pub(crate) fn material(self) -> Material {
        Material {
            friction: self.friction,
            restitution: self.restitution,
            rolling_resistance: self.rollingResistance,
            // The engine counts it counter-clockwise around the shape.
            surface_speed: -self.tangentSpeed,
            user_id: self.userMaterialId,
            ..Material::default()
        }
    }

    pub(crate) const fn of(material: &Material, color: u32) -> Self {
        Self {
            friction: material.friction,
            restitution: material.restitution,
            rollingResistance: material.rolling_resistance,
            tangentSpeed: -material.surface_speed,
            userMaterialId: material.user_id,
            customColor: color,
        }
    }
}

impl b2MassData {
    pub(crate) const fn mass(self) -> MassData {
        MassData {
            mass: self.mass,
            center: self.center.point(),
            inertia: self.rotationalInertia,
        }
    }
}

impl From<MassData> for b2MassData {
    fn from(mass: MassData) -> Self {
        Self {
            mass: mass.mass,
            center: mass.center.into(),
            rotationalInertia: mass.inertia,
        }
    }
}
