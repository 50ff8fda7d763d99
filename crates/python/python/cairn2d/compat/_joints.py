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
    b2MotorJointDef,
    b2MouseJointDef,
    b2PrismaticJointDef,
    b2PulleyJointDef,
    b2RevoluteJointDef,
    b2RopeJointDef,
    b2WeldJointDef,
    b2WheelJointDef,
    finite,
    floats,
)
from cairn2d.compat._math import b2Vec2
from cairn2d.compat._settings import b2_linearSlop
from cairn2d.compat._shapes import b2_staticBody

if TYPE_CHECKING:
    from cairn2d._native import Joint
    from cairn2d.compat._world import b2World


class b2Joint:
    """Base of joints. A field of the definition that is set is set in the engine."""

    def __init__(self, world: b2World, native: Joint, definition: Any) -> None:
        self._world, self._native, self._definition = world, native, definition
        self.bodyA, self.bodyB = definition.bodyA, definition.bodyB
        self.userData = definition.userData

    def _set(self, name: str, value: Any, part: str | None) -> None:
        """Sets a field of the definition, and then all fields of the engine, or only its `part`."""
        definition = self._definition
        before = getattr(definition, name)
        if isinstance(value, float) and value == before:
            return
        setattr(definition, name, value)
        try:
            if part is None:
                self._native.configure(**definition.fields())
            else:
                setattr(self._native, part, getattr(definition, part)())
        except Exception:
            setattr(definition, name, before)
            raise

    type = property(lambda self: self._definition.type)
    collideConnected = property(lambda self: self._definition.collideConnected)

    def getAsType(self) -> b2Joint:
        return self

    def _release(self) -> None:
        """Destroys the joint of the engine; the wrapper keeps nothing of it."""
        if self._native.is_valid:
            self._native.destroy()

    def ClearUserData(self) -> None:
        self.userData = None

    def Dump(self) -> None:
        """Prints the joint."""
        print(repr(self))

    def ShiftOrigin(self, newOrigin: Sequence[float]) -> None:
        """Does nothing: `b2World.ShiftOrigin` moves the joints, too."""

    @property
    def next(self) -> b2Joint | None:
        """The joint of the world that was made before."""
        place = self._world.joints.index(self)
        return self._world.joints[place - 1] if place else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(bodyA={self.bodyA},bodyB={self.bodyB})"

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


def field(name: str, part: str | None = None) -> property:
    """A property that is the field `name` of the definition; setting it sets `part` in the engine, or all fields."""
    return property(lambda self: getattr(self._definition, name), lambda self, value: self._set(name, value, part))


class AnchoredJoint(b2Joint):
    """A joint with an anchor on each body."""

    def GetLocalAnchorA(self) -> b2Vec2:
        return b2Vec2(self._definition.localAnchorA)

    def GetLocalAnchorB(self) -> b2Vec2:
        return b2Vec2(self._definition.localAnchorB)

    def GetLocalAxisA(self) -> b2Vec2:
        """Axis in the frame of A, of a joint that has one."""
        return b2Vec2(self._definition.localAxisA)

    def GetReferenceAngle(self) -> float:
        """Angle of B relative to A that counts as 0 [rad], of a joint that has one."""
        return float(self._definition.referenceAngle)

    def _motor_effort(self) -> float:
        """Effort of the motor on B in the last step, of a joint that has one [N m] or [N]."""
        _, motor, _ = self._native.efforts  # type: ignore[misc]
        return motor


class LimitedJoint(AnchoredJoint):
    """A joint with a limit."""

    def SetLimits(self, lower: float, upper: float) -> None:
        self.limits = lower, upper

    limitEnabled = field("enableLimit", "limit")

    @property
    def limits(self) -> tuple[float, float]:
        lower, upper = self._definition.limit_fields
        return getattr(self._definition, lower), getattr(self._definition, upper)

    @limits.setter
    def limits(self, limits: Sequence[float]) -> None:
        before = self.limits
        lower, upper = self._definition.limit_fields
        setattr(self._definition, lower, limits[0])
        try:
            self._set(upper, limits[1], "limit")
        except Exception:
            setattr(self._definition, lower, before[0])
            raise

    @property
    def lowerLimit(self) -> float:
        return self.limits[0]

    @lowerLimit.setter
    def lowerLimit(self, lower: float) -> None:
        self.limits = (lower, self.limits[1])

    @property
    def upperLimit(self) -> float:
        return self.limits[1]

    @upperLimit.setter
    def upperLimit(self, upper: float) -> None:
        self.limits = (self.limits[0], upper)


class b2RevoluteJoint(LimitedJoint):
    """Revolute joint: angle [rad] and speed [rad/s] of B relative to A."""

    motorSpeed = field("motorSpeed", "motor")
    motorEnabled = field("enableMotor", "motor")
    maxMotorTorque = field("maxMotorTorque", "motor")
    angle = property(lambda self: self._native.angle)
    speed = property(lambda self: self._native.angular_speed)

    def GetMaxMotorTorque(self) -> float:
        return float(self.maxMotorTorque)

    def GetMotorTorque(self, inv_dt: float) -> float:
        """Torque of the motor in the last step [N m], without that of the limit; `inv_dt` is unused."""
        return self._motor_effort()


class b2PrismaticJoint(LimitedJoint):
    """Prismatic joint: translation [m] and speed [m/s] of B along A's axis."""

    motorSpeed = field("motorSpeed", "motor")
    motorEnabled = field("enableMotor", "motor")
    maxMotorForce = field("maxMotorForce", "motor")
    translation = property(lambda self: self._native.translation)
    speed = property(lambda self: self._native.translation_speed)

    def GetMotorForce(self, inv_dt: float) -> float:
        """Force of the motor in the last step [N], without that of the limit; `inv_dt` is unused."""
        return self._motor_effort()


class b2WheelJoint(AnchoredJoint):
    """Wheel joint: translation of the suspension [m] and speed of the spin [rad/s]."""

    motorSpeed = field("motorSpeed", "motor")
    motorEnabled = field("enableMotor", "motor")
    maxMotorTorque = field("maxMotorTorque", "motor")
    springFrequencyHz = field("frequencyHz", "spring")
    springDampingRatio = field("dampingRatio", "spring")
    translation = property(lambda self: self._native.translation)
    speed = property(lambda self: self._native.angular_speed)

    def GetMotorTorque(self, inv_dt: float) -> float:
        """Torque of the motor in the last step [N m]; `inv_dt` is unused."""
        return self._motor_effort()


class b2DistanceJoint(AnchoredJoint):
    """Distance joint."""

    frequency = field("frequencyHz")
    dampingRatio = field("dampingRatio")
    length = field("length")


class b2RopeJoint(AnchoredJoint):
    """Rope."""

    maxLength = field("maxLength")

    def SetMaxLength(self, length: float) -> None:
        self.maxLength = length

    @property
    def limitState(self) -> int:
        """0 while the rope is slack, 2 while it is tight."""
        length = (self.anchorB - self.anchorA).length
        return 2 if length >= self.maxLength - b2_linearSlop else 0


class b2WeldJoint(AnchoredJoint):
    """Weld."""

    frequency = field("frequencyHz")
    dampingRatio = field("dampingRatio")

    def GetFrequency(self) -> float:
        return float(self.frequency)

    def SetFrequency(self, hz: float) -> None:
        self.frequency = hz

    def GetDampingRatio(self) -> float:
        return float(self.dampingRatio)

    def SetDampingRatio(self, ratio: float) -> None:
        self.dampingRatio = ratio


class b2FrictionJoint(AnchoredJoint):
    """Joint that brakes."""

    maxForce = field("maxForce")
    maxTorque = field("maxTorque")


class b2MotorJoint(b2Joint):
    """Joint that moves body B to a pose relative to body A."""

    maxForce = field("maxForce")
    maxTorque = field("maxTorque")

    @property
    def linearOffset(self) -> b2Vec2:
        """Place of B in the frame of A [m]."""
        return b2Vec2(self._definition.linearOffset)

    @linearOffset.setter
    def linearOffset(self, offset: Sequence[float]) -> None:
        self._move_target("linearOffset", finite("linearOffset", offset))

    @property
    def angularOffset(self) -> float:
        """Angle of B relative to A [rad]."""
        return self._definition.angularOffset

    @angularOffset.setter
    def angularOffset(self, angle: float) -> None:
        self._move_target("angularOffset", *finite("angularOffset", (angle,)))

    def _move_target(self, name: str, value: Any) -> None:
        if getattr(self._definition, name) != value:
            for body in (self.bodyA, self.bodyB):
                body.awake = body.awake or body.type != b2_staticBody
            setattr(self._definition, name, value)

    def _aim(self, dt: float) -> None:
        """Sets the velocity that closes a share of the error in a step of `dt` [s]."""
        a, b, definition = self.bodyA, self.bodyB, self._definition
        if not (a.awake or b.awake) or dt <= 0.0:
            return
        rate = definition.correctionFactor / dt
        error = a.GetWorldPoint(definition.linearOffset) - b.position
        self._native.set_velocity(rate * error, rate * (definition.angularOffset - (b.angle - a.angle)))


class b2MouseJoint(b2Joint):
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


class b2PulleyJoint(b2Joint):
    """Pulley: `length1` and `length2` are the present lengths of the two sides of the rope [m]."""

    @property
    def groundAnchorA(self) -> b2Vec2:
        return b2Vec2(self._definition.groundAnchorA)

    @property
    def groundAnchorB(self) -> b2Vec2:
        return b2Vec2(self._definition.groundAnchorB)

    @property
    def ratio(self) -> float:
        return float(self._definition.ratio)

    @property
    def length1(self) -> float:
        return (self.anchorA - self.groundAnchorA).length

    @property
    def length2(self) -> float:
        return (self.anchorB - self.groundAnchorB).length

    def GetCurrentLengthA(self) -> float:
        return self.length1

    def GetCurrentLengthB(self) -> float:
        return self.length2

    @property
    def lengthA(self) -> float:
        """Length of the side of A when the joint was made [m]."""
        return float(self._definition.lengthA)

    @property
    def lengthB(self) -> float:
        """Length of the side of B when the joint was made [m]."""
        return float(self._definition.lengthB)


class b2GearJoint(b2Joint):
    """Gear: keeps `coordinate1 + ratio * coordinate2`."""

    ratio = field("ratio")

    def GetJoint1(self) -> b2Joint:
        return self._definition.joint1  # type: ignore[no-any-return]

    def GetJoint2(self) -> b2Joint:
        return self._definition.joint2  # type: ignore[no-any-return]


CLASSES: dict[type[b2JointDef], type[b2Joint]] = {
    b2RevoluteJointDef: b2RevoluteJoint,
    b2PrismaticJointDef: b2PrismaticJoint,
    b2WheelJointDef: b2WheelJoint,
    b2DistanceJointDef: b2DistanceJoint,
    b2RopeJointDef: b2RopeJoint,
    b2WeldJointDef: b2WeldJoint,
    b2FrictionJointDef: b2FrictionJoint,
    b2MotorJointDef: b2MotorJoint,
    b2MouseJointDef: b2MouseJoint,
    b2PulleyJointDef: b2PulleyJoint,
    b2GearJointDef: b2GearJoint,
}
"""The class of joint that each definition makes."""


def create_joint(world: b2World, definition: b2JointDef) -> b2Joint:
    """Makes a joint of its definition."""
    # Definitions may be used again, and changed.
    definition = copy.copy(definition)
    vars(definition).update((name, value.copy()) for name, value in vars(definition).items() if isinstance(value, b2Vec2))
    kinds = (kind for kind in CLASSES if isinstance(definition, kind))
    kind = next(kinds, None)
    if kind is None:
        raise NotImplementedError(f"cairn2d.compat.Box2D has no {type(definition).__name__}: use cairn2d.World.create_joint")
    if not isinstance(definition, b2GearJointDef) and (definition.bodyA is None or definition.bodyB is None):
        raise ValueError("a joint definition needs bodyA and bodyB")
    definition.complete()
    body_a, frames = definition.bodyA._native, definition.frame_fields()  # type: ignore[union-attr]
    if isinstance(definition, b2MouseJointDef) and body_a.kind != "static":
        # The target is a place in the world, whichever body is the first.
        body_a = world._ground()
        frames["frame_a"] = {"anchor": body_a.to_local(floats(definition.target))}
    native = world._native.create_joint(
        definition.kind,
        body_a,
        definition.bodyB._native,  # type: ignore[union-attr]
        collide_connected=bool(definition.collideConnected),
        **frames,
        **definition.fields(),
    )
    return CLASSES[kind](world, native, definition)
