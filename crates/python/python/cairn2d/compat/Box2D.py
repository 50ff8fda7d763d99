"""The module `Box2D` of pybox2d 2.3.10, on the cairn2d engine.

`cairn2d.compat.install()` puts it in the place of `Box2D`. Names without the prefix are in `Box2D.b2`. A name that is not here
raises an `AttributeError` that says so: those of the original's memory and tree, such as `b2Alloc` and `b2TreeNode`.
"""

from __future__ import annotations

import types

from cairn2d.compat._body import b2Body, b2ContactEdge, b2Fixture, b2JointEdge
from cairn2d.compat._collision import (
    b2AABB,
    b2Distance,
    b2DistanceInput,
    b2DistanceOutput,
    b2DistanceProxy,
    b2DistanceResult,
    b2RayCastInput,
    b2RayCastOutput,
    b2Sweep,
    b2TOIInput,
    b2TOIOutput,
    b2TestOverlap,
    b2TimeOfImpact,
)
from cairn2d.compat._contacts import (
    b2Contact,
    b2ContactFilter,
    b2ContactImpulse,
    b2ContactListener,
    b2DestructionListener,
    b2WorldManifold,
)
from cairn2d.compat._draw import b2Draw, b2DrawExtended
from cairn2d.compat._joint_defs import (
    b2DistanceJointDef,
    b2FrictionJointDef,
    b2GearJointDef,
    b2JointDef,
    b2MotorJointDef,
    b2MouseJointDef,
    b2PrismaticJointDef,
    b2PulleyJointDef,
    b2RevoluteJointDef,
    b2RopeJointDef,
    b2WeldJointDef,
    b2WheelJointDef,
)
from cairn2d.compat._joints import (
    b2DistanceJoint,
    b2FrictionJoint,
    b2GearJoint,
    b2Joint,
    b2MotorJoint,
    b2MouseJoint,
    b2PrismaticJoint,
    b2PulleyJoint,
    b2RevoluteJoint,
    b2RopeJoint,
    b2WeldJoint,
    b2WheelJoint,
)
from cairn2d.compat._manifold import (
    b2ClipSegmentToLine,
    b2ClipVertex,
    b2CollideCircles,
    b2CollideEdgeAndCircle,
    b2CollideEdgeAndPolygon,
    b2CollidePolygonAndCircle,
    b2CollidePolygons,
    b2ContactFeature,
    b2ContactID,
    b2ContactPoint,
    b2GetPointStates,
    b2Manifold,
    b2ManifoldPoint,
)
from cairn2d.compat._math import (
    b2Abs,
    b2Clamp,
    b2Cross,
    b2DistanceSquared,
    b2Dot,
    b2Max,
    b2Min,
    b2Mul,
    b2Mul22,
    b2MulT,
    b2Rot,
    b2Transform,
    b2Vec2,
    b2Vec2_zero,
)
from cairn2d.compat._matrices import b2Color, b2Mat22, b2Mat33, b2Vec3
from cairn2d.compat._settings import (
    RAND_LIMIT,
    b2Globals,
    b2InvSqrt,
    b2IsPowerOfTwo,
    b2IsValid,
    b2MixFriction,
    b2MixRestitution,
    b2NextPowerOfTwo,
    b2Random,
    b2Version,
    b2_aabbExtension,
    b2_aabbMultiplier,
    b2_addState,
    b2_angularSleepTolerance,
    b2_angularSlop,
    b2_baumgarte,
    b2_blockSizes,
    b2_chunkArrayIncrement,
    b2_chunkSize,
    b2_epsilon,
    b2_linearSleepTolerance,
    b2_linearSlop,
    b2_maxAngularCorrection,
    b2_maxBlockSize,
    b2_maxLinearCorrection,
    b2_maxManifoldPoints,
    b2_maxPolygonVertices,
    b2_maxRotation,
    b2_maxRotationSquared,
    b2_maxStackEntries,
    b2_maxSubSteps,
    b2_maxTOIContacts,
    b2_maxTranslation,
    b2_maxTranslationSquared,
    b2_minPulleyLength,
    b2_nullFeature,
    b2_nullNode,
    b2_nullState,
    b2_persistState,
    b2_pi,
    b2_polygonRadius,
    b2_removeState,
    b2_stackSize,
    b2_timeToSleep,
    b2_toiBaugarte,
    b2_velocityThreshold,
    e_convertVertices,
    e_ropeJoint,
    e_wheelJoint,
)
from cairn2d.compat._shapes import (
    b2AssertException,
    b2BodyDef,
    b2ChainShape,
    b2CheckPolygon,
    b2CheckVertices,
    b2CircleShape,
    b2EdgeShape,
    b2Filter,
    b2FixtureDef,
    b2LoopShape,
    b2MassData,
    b2PolygonShape,
    b2Shape,
    b2_dynamicBody,
    b2_kinematicBody,
    b2_staticBody,
)
from cairn2d.compat._world import b2BroadPhase, b2ContactManager, b2Profile, b2QueryCallback, b2RayCastCallback, b2World

__version__ = "2.3.10"
__version_info__ = (2, 3, 10)
__author__ = "cairn2d"


def b2BodyCompare(a: object, b: object) -> bool:
    """Whether two objects are the same."""
    return a is b


b2FixtureCompare = b2JointCompare = b2ShapeCompare = b2BodyCompare


class _ShortNames(types.ModuleType):
    """The module `Box2D.b2`: names without the prefix."""

    def __getattr__(self, name: str) -> object:
        for long in (f"b2{name[:1].upper()}{name[1:]}", f"b2_{name}"):
            if long in globals():
                return globals()[long]
        raise AttributeError(f"cairn2d.compat.Box2D has no b2.{name}")


def _short_name(name: str) -> str:
    """`vec2` of `b2Vec2`, `pi` of `b2_pi`, and `AABB` of `b2AABB`."""
    rest = name[3:] if name.startswith("b2_") else name[2:]
    return rest if rest[:2].isupper() or name.startswith("b2_") else rest[:1].lower() + rest[1:]


b2 = _ShortNames("Box2D.b2", "Names of `Box2D` without their prefix.")

__all__ = [
    "RAND_LIMIT",
    "b2",
    "b2AABB",
    "b2Abs",
    "b2AssertException",
    "b2Body",
    "b2BodyCompare",
    "b2BodyDef",
    "b2BroadPhase",
    "b2ChainShape",
    "b2CheckPolygon",
    "b2CheckVertices",
    "b2CircleShape",
    "b2Clamp",
    "b2ClipSegmentToLine",
    "b2ClipVertex",
    "b2CollideCircles",
    "b2CollideEdgeAndCircle",
    "b2CollideEdgeAndPolygon",
    "b2CollidePolygonAndCircle",
    "b2CollidePolygons",
    "b2Color",
    "b2Contact",
    "b2ContactEdge",
    "b2ContactFeature",
    "b2ContactFilter",
    "b2ContactID",
    "b2ContactImpulse",
    "b2ContactListener",
    "b2ContactManager",
    "b2ContactPoint",
    "b2Cross",
    "b2DestructionListener",
    "b2Distance",
    "b2DistanceInput",
    "b2DistanceJoint",
    "b2DistanceJointDef",
    "b2DistanceOutput",
    "b2DistanceProxy",
    "b2DistanceResult",
    "b2DistanceSquared",
    "b2Dot",
    "b2Draw",
    "b2DrawExtended",
    "b2EdgeShape",
    "b2Filter",
    "b2Fixture",
    "b2FixtureCompare",
    "b2FixtureDef",
    "b2FrictionJoint",
    "b2FrictionJointDef",
    "b2GearJoint",
    "b2GearJointDef",
    "b2GetPointStates",
    "b2Globals",
    "b2InvSqrt",
    "b2IsPowerOfTwo",
    "b2IsValid",
    "b2Joint",
    "b2JointCompare",
    "b2JointDef",
    "b2JointEdge",
    "b2LoopShape",
    "b2Manifold",
    "b2ManifoldPoint",
    "b2MassData",
    "b2Mat22",
    "b2Mat33",
    "b2Max",
    "b2Min",
    "b2MixFriction",
    "b2MixRestitution",
    "b2MotorJoint",
    "b2MotorJointDef",
    "b2MouseJoint",
    "b2MouseJointDef",
    "b2Mul",
    "b2Mul22",
    "b2MulT",
    "b2NextPowerOfTwo",
    "b2PolygonShape",
    "b2PrismaticJoint",
    "b2PrismaticJointDef",
    "b2Profile",
    "b2PulleyJoint",
    "b2PulleyJointDef",
    "b2QueryCallback",
    "b2Random",
    "b2RayCastCallback",
    "b2RayCastInput",
    "b2RayCastOutput",
    "b2RevoluteJoint",
    "b2RevoluteJointDef",
    "b2RopeJoint",
    "b2RopeJointDef",
    "b2Rot",
    "b2Shape",
    "b2ShapeCompare",
    "b2Sweep",
    "b2TOIInput",
    "b2TOIOutput",
    "b2TestOverlap",
    "b2TimeOfImpact",
    "b2Transform",
    "b2Vec2",
    "b2Vec2_zero",
    "b2Vec3",
    "b2Version",
    "b2WeldJoint",
    "b2WeldJointDef",
    "b2WheelJoint",
    "b2WheelJointDef",
    "b2World",
    "b2WorldManifold",
    "b2_aabbExtension",
    "b2_aabbMultiplier",
    "b2_addState",
    "b2_angularSleepTolerance",
    "b2_angularSlop",
    "b2_baumgarte",
    "b2_blockSizes",
    "b2_chunkArrayIncrement",
    "b2_chunkSize",
    "b2_dynamicBody",
    "b2_epsilon",
    "b2_kinematicBody",
    "b2_linearSleepTolerance",
    "b2_linearSlop",
    "b2_maxAngularCorrection",
    "b2_maxBlockSize",
    "b2_maxLinearCorrection",
    "b2_maxManifoldPoints",
    "b2_maxPolygonVertices",
    "b2_maxRotation",
    "b2_maxRotationSquared",
    "b2_maxStackEntries",
    "b2_maxSubSteps",
    "b2_maxTOIContacts",
    "b2_maxTranslation",
    "b2_maxTranslationSquared",
    "b2_minPulleyLength",
    "b2_nullFeature",
    "b2_nullNode",
    "b2_nullState",
    "b2_persistState",
    "b2_pi",
    "b2_polygonRadius",
    "b2_removeState",
    "b2_stackSize",
    "b2_staticBody",
    "b2_timeToSleep",
    "b2_toiBaugarte",
    "b2_velocityThreshold",
    "e_convertVertices",
    "e_ropeJoint",
    "e_wheelJoint",
]

for _name in __all__:
    if _name.startswith("b2") and _name != "b2":
        setattr(b2, _short_name(_name), globals()[_name])
b2.__dict__["__all__"] = [_name for _name in vars(b2) if not _name.startswith("_")]


def __getattr__(name: str) -> object:
    raise AttributeError(f"cairn2d.compat.Box2D has no {name}")
