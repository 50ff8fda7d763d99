"""Joints of the `Box2D` module."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cairn2d.compat._joint_defs import (
    b2DistanceJointDef,
    b2FrictionJointDef,
    b2GearJointDef,
    b2JointDef,
    b2MouseJointDef,
    b2PrismaticJointDef,
    b2PulleyJointDef,
    b2RevoluteJointDef,
    b2RopeJointDef,
    b2WeldJointDef,
    b2WheelJointDef,
    floats,
)
from cairn2d.compat._math import b2Vec2

if TYPE_CHECKING:
    from cairn2d._native import Joint
    from cairn2d.compat._world import b2World


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


class MotorizedJoint(b2Joint):
    """A joint with a motor."""

    def __init__(self, world: b2World, native: Joint, definition: Any) -> None:
        super().__init__(world, native, definition)
        effort = getattr(definition, "maxMotorTorque", None)
        effort = definition.maxMotorForce if effort is None else effort
        self._motor = (float(definition.motorSpeed), float(effort))
        self._motor_enabled = bool(definition.enableMotor)

    def _set_motor(self) -> None:
        self._native.motor = self._motor if self._motor_enabled else None

    def _set_effort(self, effort: float) -> None:
        self._motor = (self._motor[0], float(effort))
        self._set_motor()

    @property
    def motorSpeed(self) -> float:
        return self._motor[0]

    @motorSpeed.setter
    def motorSpeed(self, speed: float) -> None:
        self._motor = (float(speed), self._motor[1])
        self._set_motor()

    @property
    def motorEnabled(self) -> bool:
        return self._motor_enabled

    @motorEnabled.setter
    def motorEnabled(self, enabled: bool) -> None:
        self._motor_enabled = bool(enabled)
        self._set_motor()


class LimitedJoint(MotorizedJoint):
    """A joint with a motor and a limit."""

    def __init__(self, world: b2World, native: Joint, definition: Any) -> None:
        super().__init__(world, native, definition)
        lower = getattr(definition, "lowerAngle", None)
        is_angle = lower is not None
        ends = (lower, definition.upperAngle) if is_angle else (definition.lowerTranslation, definition.upperTranslation)
        self._limits = (float(ends[0]), float(ends[1]))
        self._limit_enabled = bool(definition.enableLimit)

    def _set_limit(self) -> None:
        self._native.limit = self._limits if self._limit_enabled else None

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


class b2RevoluteJoint(LimitedJoint):
    """Revolute joint: angle [rad] and speed [rad/s] of B relative to A."""

    @property
    def angle(self) -> float:
        return self._native.angle

    @property
    def speed(self) -> float:
        return self._native.angular_speed

    @property
    def maxMotorTorque(self) -> float:
        return self._motor[1]

    @maxMotorTorque.setter
    def maxMotorTorque(self, torque: float) -> None:
        self._set_effort(torque)


class b2PrismaticJoint(LimitedJoint):
    """Prismatic joint: translation [m] and speed [m/s] of B along A's axis."""

    @property
    def translation(self) -> float:
        return self._native.translation

    @property
    def speed(self) -> float:
        return self._native.translation_speed

    @property
    def maxMotorForce(self) -> float:
        return self._motor[1]

    @maxMotorForce.setter
    def maxMotorForce(self, force: float) -> None:
        self._set_effort(force)


class b2WheelJoint(MotorizedJoint):
    """Wheel joint: translation of the suspension [m] and speed of the spin [rad/s]."""

    def __init__(self, world: b2World, native: Joint, definition: b2WheelJointDef) -> None:
        super().__init__(world, native, definition)
        self._spring = (float(definition.frequencyHz), float(definition.dampingRatio))

    @property
    def translation(self) -> float:
        return self._native.translation

    @property
    def speed(self) -> float:
        return self._native.angular_speed

    @property
    def maxMotorTorque(self) -> float:
        return self._motor[1]

    @maxMotorTorque.setter
    def maxMotorTorque(self, torque: float) -> None:
        self._set_effort(torque)

    def _set_spring(self, hertz: float, ratio: float) -> None:
        self._spring = (float(hertz), float(ratio))
        self._native.spring = (*self._spring, 0.0) if hertz > 0.0 else None

    @property
    def springFrequencyHz(self) -> float:
        return self._spring[0]

    @springFrequencyHz.setter
    def springFrequencyHz(self, hertz: float) -> None:
        self._set_spring(hertz, self._spring[1])

    @property
    def springDampingRatio(self) -> float:
        return self._spring[1]

    @springDampingRatio.setter
    def springDampingRatio(self, ratio: float) -> None:
        self._set_spring(self._spring[0], ratio)


class PlainJoint(b2Joint):
    """A joint whose fields are those of its definition: setting one sets it in the engine."""

    def __init__(self, world: b2World, native: Joint, definition: b2JointDef) -> None:
        super().__init__(world, native, definition)
        self._definition = definition

    def _get(self, name: str) -> Any:
        return getattr(self._definition, name)

    def _set(self, name: str, value: Any) -> None:
        before = getattr(self._definition, name)
        setattr(self._definition, name, value)
        try:
            self._native.configure(**self._definition.fields())
        except Exception:
            setattr(self._definition, name, before)
            raise


def field(name: str) -> property:
    """A property that is the field `name` of the definition."""
    return property(lambda self: self._get(name), lambda self, value: self._set(name, value))


class b2DistanceJoint(PlainJoint):
    """Distance joint."""

    frequency = field("frequencyHz")
    dampingRatio = field("dampingRatio")
    length = field("length")


class b2RopeJoint(PlainJoint):
    """Rope."""

    maxLength = field("maxLength")


class b2WeldJoint(PlainJoint):
    """Weld."""

    frequency = field("frequencyHz")
    dampingRatio = field("dampingRatio")


class b2FrictionJoint(PlainJoint):
    """Joint that brakes."""

    maxForce = field("maxForce")
    maxTorque = field("maxTorque")


class b2MouseJoint(PlainJoint):
    """Spring that pulls a point of body B to a target."""

    maxForce = field("maxForce")
    frequency = field("frequencyHz")
    dampingRatio = field("dampingRatio")

    @property
    def target(self) -> b2Vec2:
        return b2Vec2(self._native.anchors[0])

    @target.setter
    def target(self, target: Sequence[float]) -> None:
        self._native.target = floats(target)


class b2PulleyJoint(PlainJoint):
    """Pulley: `length1` and `length2` are the present lengths of the two sides of the rope [m]."""

    @property
    def groundAnchorA(self) -> b2Vec2:
        return b2Vec2(self._get("groundAnchorA"))

    @property
    def groundAnchorB(self) -> b2Vec2:
        return b2Vec2(self._get("groundAnchorB"))

    @property
    def ratio(self) -> float:
        return float(self._get("ratio"))

    @property
    def length1(self) -> float:
        return (self.anchorA - self.groundAnchorA).length

    @property
    def length2(self) -> float:
        return (self.anchorB - self.groundAnchorB).length


class b2GearJoint(PlainJoint):
    """Gear: keeps `coordinate1 + ratio * coordinate2`."""

    ratio = field("ratio")


CLASSES: dict[type[b2JointDef], type[b2Joint]] = {
    b2RevoluteJointDef: b2RevoluteJoint,
    b2PrismaticJointDef: b2PrismaticJoint,
    b2WheelJointDef: b2WheelJoint,
    b2DistanceJointDef: b2DistanceJoint,
    b2RopeJointDef: b2RopeJoint,
    b2WeldJointDef: b2WeldJoint,
    b2FrictionJointDef: b2FrictionJoint,
    b2MouseJointDef: b2MouseJoint,
    b2PulleyJointDef: b2PulleyJoint,
    b2GearJointDef: b2GearJoint,
}
"""The class of joint that each definition makes."""


def create_joint(world: b2World, definition: b2JointDef) -> b2Joint:
    """Makes a joint of its definition."""
    # Definitions may be used again, and changed.
    definition = copy.copy(definition)
    kinds = (kind for kind in CLASSES if isinstance(definition, kind))
    kind = next(kinds, None)
    if kind is None:
        raise NotImplementedError(f"cairn2d.compat.Box2D has no {type(definition).__name__}: use cairn2d.World.create_joint")
    if not isinstance(definition, b2GearJointDef) and (definition.bodyA is None or definition.bodyB is None):
        raise ValueError("a joint definition needs bodyA and bodyB")
    definition.complete()
    native = world._native.create_joint(
        definition.kind,
        definition.bodyA._native,  # type: ignore[union-attr]
        definition.bodyB._native,  # type: ignore[union-attr]
        collide_connected=bool(definition.collideConnected),
        **definition.frame_fields(),
        **definition.fields(),
    )
    return CLASSES[kind](world, native, definition)
