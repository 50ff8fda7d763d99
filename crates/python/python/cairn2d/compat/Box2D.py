"""The part of the module `Box2D` that the environments of Gymnasium and PettingZoo use, on the cairn2d engine.

`cairn2d.compat.install()` puts it in the place of `Box2D`. Names without the prefix are in `Box2D.b2`. A name that is not here
raises an `AttributeError` that says so.
"""

from __future__ import annotations

import types

from cairn2d.compat._contacts import b2Contact, b2ContactImpulse, b2ContactListener, b2WorldManifold
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
from cairn2d.compat._math import b2Cross, b2Distance, b2Dot, b2Rot, b2Transform, b2Vec2
from cairn2d.compat._shapes import (
    b2_dynamicBody,
    b2_kinematicBody,
    b2_staticBody,
    b2BodyDef,
    b2ChainShape,
    b2CircleShape,
    b2EdgeShape,
    b2Filter,
    b2FixtureDef,
    b2PolygonShape,
    b2Shape,
)
from cairn2d.compat._world import b2Body, b2Fixture, b2RayCastCallback, b2World

__version__ = "2.3.10"
__author__ = "cairn2d"

b2_pi = 3.14159265359
b2_epsilon = 1.1920928955078125e-07


class _ShortNames(types.ModuleType):
    """The module `Box2D.b2`: names without the prefix."""

    def __getattr__(self, name: str) -> object:
        for long in (f"b2{name[:1].upper()}{name[1:]}", f"b2_{name}"):
            if long in globals():
                return globals()[long]
        raise AttributeError(f"cairn2d.compat.Box2D has no b2.{name}")


b2 = _ShortNames("Box2D.b2", "Names of `Box2D` without their prefix.")


def __getattr__(name: str) -> object:
    raise AttributeError(f"cairn2d.compat.Box2D has no {name}")
