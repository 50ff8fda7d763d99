"""Joints of the `Box2D` module: revolute joints with motor and limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cairn2d.compat._math import b2Vec2
from cairn2d.compat._shapes import take_fields

if TYPE_CHECKING:
    from cairn2d._native import Joint
    from cairn2d.compat._world import b2Body, b2World


class b2JointDef:
    """Fields that all joints share."""

    def __init__(self, **fields: Any) -> None:
        self.bodyA: b2Body | None = None
        self.bodyB: b2Body | None = None
        self.collideConnected = False
        self.userData: Any = None
        self.set_defaults()
        take_fields(self, fields)
        # Without one, the bodies as they are now have the angle 0.
        if "referenceAngle" not in fields and hasattr(self, "referenceAngle") and self.bodyA and self.bodyB:
            self.referenceAngle = self.bodyB.angle - self.bodyA.angle

    def set_defaults(self) -> None:
        """Sets the fields of the kind."""


class b2RevoluteJointDef(b2JointDef):
    """Definition of a revolute joint: local anchors, or one `anchor` in the world."""

    def set_defaults(self) -> None:
        self.localAnchorA: Sequence[float] = (0.0, 0.0)
        self.localAnchorB: Sequence[float] = (0.0, 0.0)
        self.anchor: Sequence[float] | None = None
        self.referenceAngle = 0.0
        self.enableLimit = False
        self.lowerAngle = 0.0
        self.upperAngle = 0.0
        self.enableMotor = False
        self.motorSpeed = 0.0
        self.maxMotorTorque = 0.0

    def Initialize(self, bodyA: b2Body, bodyB: b2Body, anchor: Sequence[float]) -> None:
        """Joins two bodies as they are now, at a point of the world."""
        self.bodyA, self.bodyB, self.anchor = bodyA, bodyB, None
        self.localAnchorA, self.localAnchorB = bodyA.GetLocalPoint(anchor), bodyB.GetLocalPoint(anchor)
        self.referenceAngle = bodyB.angle - bodyA.angle


class b2Joint:
    """Base of joints."""

    def __init__(self, world: b2World, native: Joint, definition: b2JointDef) -> None:
        self._world, self._native = world, native
        self.bodyA, self.bodyB = definition.bodyA, definition.bodyB
        self.userData = definition.userData

    @property
    def anchorA(self) -> b2Vec2:
        return b2Vec2(self._native.anchors[0])

    @property
    def anchorB(self) -> b2Vec2:
        return b2Vec2(self._native.anchors[1])

    @property
    def active(self) -> bool:
        return self._native.is_enabled

    def GetReactionForce(self, inv_dt: float) -> b2Vec2:
        """Mean force on B in the last step [N]; `inv_dt` is unused, since the engine gives forces."""
        x, y, _ = self._native.reaction
        return b2Vec2(x, y)

    def GetReactionTorque(self, inv_dt: float) -> float:
        """Mean torque on B in the last step [N m]."""
        return self._native.reaction[2]


class b2RevoluteJoint(b2Joint):
    """Revolute joint: angle and speed of B relative to A."""

    def __init__(self, world: b2World, native: Joint, definition: b2RevoluteJointDef) -> None:
        super().__init__(world, native, definition)
        self._motor = (float(definition.motorSpeed), float(definition.maxMotorTorque))
        self._motor_enabled = bool(definition.enableMotor)
        self._limits = (float(definition.lowerAngle), float(definition.upperAngle))
        self._limit_enabled = bool(definition.enableLimit)

    @property
    def angle(self) -> float:
        return self._native.angle

    @property
    def speed(self) -> float:
        return self._native.angular_speed

    def _set_motor(self) -> None:
        self._native.motor = self._motor if self._motor_enabled else None

    def _set_limit(self) -> None:
        self._native.limit = self._limits if self._limit_enabled else None

    @property
    def motorSpeed(self) -> float:
        return self._motor[0]

    @motorSpeed.setter
    def motorSpeed(self, speed: float) -> None:
        self._motor = (float(speed), self._motor[1])
        self._set_motor()

    @property
    def maxMotorTorque(self) -> float:
        return self._motor[1]

    @maxMotorTorque.setter
    def maxMotorTorque(self, torque: float) -> None:
        self._motor = (self._motor[0], float(torque))
        self._set_motor()

    @property
    def motorEnabled(self) -> bool:
        return self._motor_enabled

    @motorEnabled.setter
    def motorEnabled(self, enabled: bool) -> None:
        self._motor_enabled = bool(enabled)
        self._set_motor()

    @property
    def limits(self) -> tuple[float, float]:
        return self._limits

    @limits.setter
    def limits(self, limits: Sequence[float]) -> None:
        self._limits = (float(limits[0]), float(limits[1]))
        self._set_limit()

    @property
    def lowerLimit(self) -> float:
        return self._limits[0]

    @lowerLimit.setter
    def lowerLimit(self, lower: float) -> None:
        self.limits = (lower, self._limits[1])

    @property
    def upperLimit(self) -> float:
        return self._limits[1]

    @upperLimit.setter
    def upperLimit(self, upper: float) -> None:
        self.limits = (self._limits[0], upper)

    @property
    def limitEnabled(self) -> bool:
        return self._limit_enabled

    @limitEnabled.setter
    def limitEnabled(self, enabled: bool) -> None:
        self._limit_enabled = bool(enabled)
        self._set_limit()


def create_joint(world: b2World, definition: b2JointDef) -> b2Joint:
    """Makes a joint of its definition."""
    if not isinstance(definition, b2RevoluteJointDef):
        raise NotImplementedError(f"cairn2d.compat.Box2D has no {type(definition).__name__}: use cairn2d.World.create_joint")
    a, b = definition.bodyA, definition.bodyB
    if a is None or b is None:
        raise ValueError("a joint definition needs bodyA and bodyB")
    if definition.anchor is not None:
        definition.Initialize(a, b, definition.anchor)
    native = world._native.create_joint(
        "revolute",
        a._native,
        b._native,
        frame_a={"anchor": tuple(map(float, definition.localAnchorA)), "angle": float(definition.referenceAngle)},
        frame_b={"anchor": tuple(map(float, definition.localAnchorB))},
        collide_connected=bool(definition.collideConnected),
        limit=(float(definition.lowerAngle), float(definition.upperAngle)) if definition.enableLimit else None,
        motor=(float(definition.motorSpeed), float(definition.maxMotorTorque)) if definition.enableMotor else None,
    )
    return b2RevoluteJoint(world, native, definition)
