"""Definitions of joints of the `Box2D` module.

Each definition names the kind of the engine's joint and its fields. What differs from the original: the rope of a pulley only
pulls.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cairn2d.compat._shapes import VectorField, take_fields

if TYPE_CHECKING:
    from cairn2d.compat._joints import b2Joint
    from cairn2d.compat._world import b2Body

Fields = dict[str, Any]


def floats(numbers: Sequence[float]) -> tuple[float, ...]:
    """The numbers as floats of Python: arguments may be NumPy's."""
    return tuple(map(float, numbers))


def finite(name: str, numbers: Sequence[float]) -> tuple[float, ...]:
    """The numbers as floats, if they are finite; else an error that names them."""
    if not all(map(math.isfinite, numbers)):
        raise ValueError(f"{name} is {numbers}, which is not finite")
    return floats(numbers)


def distance(a: Sequence[float], b: Sequence[float]) -> float:
    """Distance of two points [m]."""
    return math.hypot(b[0] - a[0], b[1] - a[1])


class b2JointDef:
    """Fields that all joints share."""

    kind: str | None = None
    type = 0
    """Number of the kind in Box2D."""

    # Points of the world, from which a definition computes fields: no fields themselves.
    PLACES = ("anchor", "anchorA", "anchorB", "axis")

    def to_kwargs(self) -> Fields:
        """The fields, as keyword arguments: computed from the points of the world, if these were given."""
        if self.bodyA is not None and self.bodyB is not None:
            self.complete()
        names = vars(builtins.type(self)()).keys() - set(self.PLACES)
        return {name: getattr(self, name) for name in sorted(names)}

    def ClearUserData(self) -> None:
        self.userData = None

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

    def complete(self) -> None:
        """Computes fields from others, before the joint is made."""

    def fields(self) -> Fields:
        """The fields of the engine's definition."""
        return {}

    def frame_fields(self) -> Fields:
        """The frames of the engine's definition."""
        angle_a, angle_b = self.frame_angles()
        return {
            "frame_a": {"anchor": floats(self.localAnchorA), "angle": angle_a},  # type: ignore[attr-defined]
            "frame_b": {"anchor": floats(self.localAnchorB), "angle": angle_b},  # type: ignore[attr-defined]
        }

    def frame_angles(self) -> tuple[float, float]:
        """Angles of the frames in their bodies [rad]."""
        return 0.0, 0.0


class AnchoredDef(b2JointDef):
    """A definition with local anchors, which may be given in the world as `anchor`, or as `anchorA` and `anchorB`."""

    localAnchorA, localAnchorB = VectorField(), VectorField()

    def set_defaults(self) -> None:
        self.localAnchorA = (0.0, 0.0)
        self.localAnchorB = (0.0, 0.0)
        self.anchor: Sequence[float] | None = None
        self.anchorA: Sequence[float] | None = None
        self.anchorB: Sequence[float] | None = None

    def complete(self) -> None:
        a = self.anchor if self.anchorA is None else self.anchorA
        b = self.anchor if self.anchorB is None else self.anchorB
        if a is not None:
            self.localAnchorA = self.bodyA.GetLocalPoint(a)  # type: ignore[union-attr]
        if b is not None:
            self.localAnchorB = self.bodyB.GetLocalPoint(b)  # type: ignore[union-attr]

    def _place(self, bodyA: b2Body, bodyB: b2Body, anchorA: Sequence[float], anchorB: Sequence[float]) -> None:
        self.bodyA, self.bodyB = bodyA, bodyB
        self.anchor = self.anchorA = self.anchorB = None
        self.localAnchorA, self.localAnchorB = bodyA.GetLocalPoint(anchorA), bodyB.GetLocalPoint(anchorB)
        if hasattr(self, "referenceAngle"):
            self.referenceAngle = bodyB.angle - bodyA.angle


class DrivenDef(AnchoredDef):
    """A definition with a motor, and perhaps a limit."""

    effort_field = "maxMotorTorque"
    limit_fields: tuple[str, str] | None = None

    def set_defaults(self) -> None:
        super().set_defaults()
        self.enableMotor = False
        self.motorSpeed = 0.0
        setattr(self, self.effort_field, 0.0)
        if self.limit_fields is not None:
            self.enableLimit = False
            for name in self.limit_fields:
                setattr(self, name, 0.0)

    def motor(self) -> tuple[float, ...] | None:
        """The motor of the engine's definition."""
        return (float(self.motorSpeed), float(getattr(self, self.effort_field))) if self.enableMotor else None

    def limit(self) -> tuple[float, ...] | None:
        """The limit of the engine's definition."""
        lower, upper = self.limit_fields  # type: ignore[misc]
        return (float(getattr(self, lower)), float(getattr(self, upper))) if self.enableLimit else None

    def fields(self) -> Fields:
        return {"motor": self.motor(), "limit": self.limit()}


class b2RevoluteJointDef(DrivenDef):
    """Definition of a revolute joint."""

    kind = "revolute"
    type = 1
    limit_fields = ("lowerAngle", "upperAngle")

    def set_defaults(self) -> None:
        super().set_defaults()
        self.referenceAngle = 0.0

    def Initialize(self, bodyA: b2Body, bodyB: b2Body, anchor: Sequence[float]) -> None:
        """Joins two bodies as they are now, at a point of the world."""
        self._place(bodyA, bodyB, anchor, anchor)

    def frame_angles(self) -> tuple[float, float]:
        return float(self.referenceAngle), 0.0


class AxisDef(DrivenDef):
    """A definition with an axis: `axis` is in the world, `localAxisA` in body A."""

    localAxisA = VectorField()

    def set_defaults(self) -> None:
        super().set_defaults()
        self.axis: Sequence[float] | None = None
        self.localAxisA = (1.0, 0.0)

    def Initialize(self, bodyA: b2Body, bodyB: b2Body, anchor: Sequence[float], axis: Sequence[float]) -> None:
        """Joins two bodies as they are now, at a point of the world."""
        self._place(bodyA, bodyB, anchor, anchor)
        self.axis = axis

    def complete(self) -> None:
        super().complete()
        if self.axis is not None:
            self.localAxisA = self.bodyA.GetLocalVector(self.axis)  # type: ignore[union-attr]

    def axis_angle(self) -> float:
        """Angle of the axis in body A [rad]."""
        return math.atan2(self.localAxisA[1], self.localAxisA[0])


class b2PrismaticJointDef(AxisDef):
    """Definition of a prismatic joint."""

    kind = "prismatic"
    type = 2
    effort_field = "maxMotorForce"
    limit_fields = ("lowerTranslation", "upperTranslation")

    def set_defaults(self) -> None:
        super().set_defaults()
        self.referenceAngle = 0.0

    def frame_angles(self) -> tuple[float, float]:
        return self.axis_angle(), self.axis_angle() - float(self.referenceAngle)


class b2WheelJointDef(AxisDef):
    """Definition of a wheel joint."""

    kind = "wheel"
    type = 7

    def set_defaults(self) -> None:
        super().set_defaults()
        self.frequencyHz = 2.0
        self.dampingRatio = 0.7

    def frame_angles(self) -> tuple[float, float]:
        return self.axis_angle(), 0.0

    def spring(self) -> tuple[float, ...] | None:
        """The spring of the engine's definition."""
        return (float(self.frequencyHz), float(self.dampingRatio), 0.0) if self.frequencyHz > 0.0 else None

    def fields(self) -> Fields:
        return {"motor": self.motor(), "spring": self.spring()}


class b2DistanceJointDef(AnchoredDef):
    """Definition of a distance joint; `length` is the distance of the anchors if it is not given."""

    kind = "distance"
    type = 3

    def set_defaults(self) -> None:
        super().set_defaults()
        self.length: float | None = None
        self.frequencyHz = 0.0
        self.dampingRatio = 0.0

    def Initialize(self, bodyA: b2Body, bodyB: b2Body, anchorA: Sequence[float], anchorB: Sequence[float]) -> None:
        """Joins two points of the world, at their present distance."""
        self._place(bodyA, bodyB, anchorA, anchorB)
        self.length = distance(anchorA, anchorB)

    def complete(self) -> None:
        super().complete()
        if self.length is None:
            anchors = self.bodyA.GetWorldPoint(self.localAnchorA), self.bodyB.GetWorldPoint(self.localAnchorB)  # type: ignore
            self.length = (anchors[1] - anchors[0]).length

    def fields(self) -> Fields:
        spring = (self.frequencyHz, self.dampingRatio, 0.0)
        spring_field = floats(spring) if self.frequencyHz > 0.0 else None
        return {"length": float(self.length), "spring": spring_field}  # type: ignore[arg-type]


class b2RopeJointDef(AnchoredDef):
    """Definition of a rope: the greatest distance of two anchors."""

    kind = "distance"
    type = 10

    def set_defaults(self) -> None:
        super().set_defaults()
        self.maxLength = 0.0

    def fields(self) -> Fields:
        return {"limit": (0.0, float(self.maxLength))}


class b2WeldJointDef(AnchoredDef):
    """Definition of a weld; with a frequency its angle is a spring."""

    kind = "weld"
    type = 8

    def set_defaults(self) -> None:
        super().set_defaults()
        self.referenceAngle = 0.0
        self.frequencyHz = 0.0
        self.dampingRatio = 0.0

    Initialize = b2RevoluteJointDef.Initialize
    frame_angles = b2RevoluteJointDef.frame_angles

    def fields(self) -> Fields:
        spring = {"hertz": float(self.frequencyHz), "damping_ratio": float(self.dampingRatio)}
        return {"angular": spring if self.frequencyHz > 0.0 else None}


class b2FrictionJointDef(AnchoredDef):
    """Definition of a joint that brakes by at most a force and a torque."""

    kind = "motor"
    type = 9

    def set_defaults(self) -> None:
        super().set_defaults()
        self.maxForce = 0.0
        self.maxTorque = 0.0

    Initialize = b2RevoluteJointDef.Initialize

    def fields(self) -> Fields:
        return {"max_velocity_force": float(self.maxForce), "max_velocity_torque": float(self.maxTorque)}


class b2MotorJointDef(b2JointDef):
    """Definition of a joint that moves body B to a pose relative to body A, by at most a force and a torque.

    A step closes `correctionFactor` of the error. Without fields the bodies keep their relative pose.
    """

    linearOffset = VectorField()
    kind = "motor"
    type = 11

    def __init__(self, bodyA: b2Body | None = None, bodyB: b2Body | None = None, **fields: Any) -> None:
        super().__init__(bodyA=bodyA, bodyB=bodyB, **fields)
        if bodyA is not None and bodyB is not None and not fields:
            self.Initialize(bodyA, bodyB)

    def set_defaults(self) -> None:
        self.linearOffset = (0.0, 0.0)
        self.angularOffset = 0.0
        self.maxForce = 1.0
        self.maxTorque = 1.0
        self.correctionFactor = 0.3

    def Initialize(self, bodyA: b2Body, bodyB: b2Body) -> None:
        """Holds two bodies as they are now."""
        self.bodyA, self.bodyB = bodyA, bodyB
        self.linearOffset, self.angularOffset = bodyA.GetLocalPoint(bodyB.position), bodyB.angle - bodyA.angle

    def complete(self) -> None:
        self.linearOffset = finite("linearOffset", self.linearOffset)
        (self.angularOffset,) = finite("angularOffset", (self.angularOffset,))
        (self.correctionFactor,) = finite("correctionFactor", (self.correctionFactor,))

    def frame_fields(self) -> Fields:
        return {}

    def fields(self) -> Fields:
        return {"max_velocity_force": float(self.maxForce), "max_velocity_torque": float(self.maxTorque)}


class b2MouseJointDef(b2JointDef):
    """Definition of a spring that pulls a point of body B to a target, a place in the world; body A is any other body."""

    target = VectorField()
    kind = "mouse"
    type = 5

    def set_defaults(self) -> None:
        self.target = (0.0, 0.0)
        self.maxForce = 0.0
        self.frequencyHz = 5.0
        self.dampingRatio = 0.7

    def frame_fields(self) -> Fields:
        bodies = self.bodyA, self.bodyB
        a, b = (floats(body.GetLocalPoint(self.target)) for body in bodies)  # type: ignore[union-attr]
        return {"frame_a": {"anchor": a}, "frame_b": {"anchor": b}}

    def fields(self) -> Fields:
        spring = {"hertz": float(self.frequencyHz), "damping_ratio": float(self.dampingRatio)}
        return {"spring": spring, "max_force": float(self.maxForce)}


class b2PulleyJointDef(AnchoredDef):
    """Definition of a pulley; lengths that are not given are the present ones."""

    groundAnchorA, groundAnchorB = VectorField(), VectorField()
    kind = "pulley"
    type = 4

    def set_defaults(self) -> None:
        super().set_defaults()
        self.groundAnchorA = (-1.0, 1.0)
        self.groundAnchorB = (1.0, 1.0)
        self.lengthA: float | None = None
        self.lengthB: float | None = None
        self.ratio = 1.0
        self.collideConnected = True

    def Initialize(
        self,
        bodyA: b2Body,
        bodyB: b2Body,
        groundAnchorA: Sequence[float],
        groundAnchorB: Sequence[float],
        anchorA: Sequence[float],
        anchorB: Sequence[float],
        ratio: float,
    ) -> None:
        """Joins two points of the world over two wheels, with a rope of the present length."""
        self._place(bodyA, bodyB, anchorA, anchorB)
        self.groundAnchorA, self.groundAnchorB, self.ratio = groundAnchorA, groundAnchorB, ratio
        self.lengthA, self.lengthB = distance(anchorA, groundAnchorA), distance(anchorB, groundAnchorB)

    def complete(self) -> None:
        super().complete()
        if self.lengthA is None:
            self.lengthA = (self.bodyA.GetWorldPoint(self.localAnchorA) - self.groundAnchorA).length  # type: ignore[union-attr]
        if self.lengthB is None:
            self.lengthB = (self.bodyB.GetWorldPoint(self.localAnchorB) - self.groundAnchorB).length  # type: ignore[union-attr]

    def fields(self) -> Fields:
        return {
            "wheel_a": floats(self.groundAnchorA),
            "wheel_b": floats(self.groundAnchorB),
            "length": float(self.lengthA + self.ratio * self.lengthB),  # type: ignore[operator]
            "ratio": float(self.ratio),
        }


class b2GearJointDef(b2JointDef):
    """Definition of a gear of two revolute or prismatic joints, each of a dynamic body B."""

    kind = "gear"
    type = 6

    def set_defaults(self) -> None:
        self.joint1: b2Joint | None = None
        self.joint2: b2Joint | None = None
        self.ratio = 1.0

    def complete(self) -> None:
        if self.joint1 is None or self.joint2 is None:
            raise ValueError("a gear needs joint1 and joint2")
        self.bodyA, self.bodyB = self.joint1.bodyB, self.joint2.bodyB

    def frame_fields(self) -> Fields:
        return {}

    def fields(self) -> Fields:
        joints = {"joint_a": self.joint1._native, "joint_b": self.joint2._native}  # type: ignore[union-attr]
        return {**joints, "ratio": float(self.ratio)}
