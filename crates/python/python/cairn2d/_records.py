"""Answers of queries and events of a step, as named tuples. Units: meters, seconds, kilograms, radians."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cairn2d._native import Agent, Body, Joint, Shape

Vec = tuple[float, float]


class MassData(NamedTuple):
    """Mass [kg], center of mass [m] and inertia about it [kg m^2]."""

    mass: float
    center: Vec
    inertia: float


class ContactPoint(NamedTuple):
    """A point of a contact: place [m], signed gap [m], impulses of the last step [N s]."""

    point: Vec
    separation: float
    normal_impulse: float
    tangent_impulse: float


class Contact(NamedTuple):
    """Two shapes that touch; `normal` is a unit vector from A to B."""

    shape_a: Shape
    shape_b: Shape
    body_a: Body
    body_b: Body
    normal: Vec
    points: list[ContactPoint]
    friction: float
    restitution: float


class ContactBegin(NamedTuple):
    """Two shapes began to touch: center of the points [m], normal from A to B, approach speed [m/s], impulse [N s]."""

    shape_a: Shape
    shape_b: Shape
    body_a: Body
    body_b: Body
    point: Vec
    normal: Vec
    approach_speed: float
    impulse: float


class ContactHit(ContactBegin):
    """Two shapes came together at the threshold of hits or faster."""


class ContactEnd(NamedTuple):
    """Two shapes ceased to touch; handles of removed ones are stale."""

    shape_a: Shape
    shape_b: Shape
    body_a: Body
    body_b: Body


class ContactForce(NamedTuple):
    """The mean normal force of a contact [N] exceeded the threshold of a shape; `started` if it did not in the step before."""

    shape_a: Shape
    shape_b: Shape
    body_a: Body
    body_b: Body
    point: Vec
    normal: Vec
    force: float
    started: bool


class SensorEvent(NamedTuple):
    """A shape, the visitor, began or ceased to overlap a sensor."""

    sensor: Shape
    visitor: Shape
    sensor_body: Body
    visitor_body: Body


class JointBreak(NamedTuple):
    """A joint broke under a mean force [N] and torque [N m]; its handle is stale."""

    joint: Joint
    body_a: Body
    body_b: Body
    force: Vec
    torque: float
    user_data: int


class SleepEvent(NamedTuple):
    """A body fell asleep, or woke."""

    body: Body
    fell_asleep: bool


class ShapeHit(NamedTuple):
    """Hit of a ray or a cast shape: share of the translation, point [m], outward unit normal (zero if a ray starts inside)."""

    shape: Shape
    body: Body
    fraction: float
    point: Vec
    normal: Vec


class Nearest(NamedTuple):
    """Surface nearest to a point: nearest point [m], signed distance, negative inside [m], outward unit normal."""

    shape: Shape
    body: Body
    point: Vec
    distance: float
    normal: Vec


class CharacterGround(NamedTuple):
    """Ground under a character: point of support [m], unit normal, velocity of the ground there [m/s]."""

    shape: Shape
    body: Body
    point: Vec
    normal: Vec
    velocity: Vec


class CharacterHit(NamedTuple):
    """Shape that a character ran into: point [m], normal towards the character, lengths of the stopped and desired motion [m]."""

    shape: Shape
    body: Body
    point: Vec
    normal: Vec
    blocked: float
    approach: float


class CharacterMove(NamedTuple):
    """Motion of a character in a step: translation [m], footing ("ground", "slope" or "air"), ground, hits."""

    translation: Vec
    footing: str
    ground: CharacterGround | None
    hits: list[CharacterHit]

    @property
    def is_grounded(self) -> bool:
        """Whether the character stands on ground that it can walk on."""
        return self.footing == "ground"


class CrowdEvent(NamedTuple):
    """Event of an agent: "arrived", "left", "stuck" or "freed"."""

    agent: Agent
    kind: str


class ControllerEvent(NamedTuple):
    """Event of a body with an agent: "body_gone", "agent_gone", "parked" or "unparked"; the handle may be stale."""

    body: Body
    kind: str


class ContactArrays(NamedTuple):
    """All contact points as arrays of m rows; forces act on body B, and in the opposite direction on A."""

    bodies: NDArray[np.int64]
    """Rows of bodies A and B in the order of `World.bodies`, (m, 2)."""
    points: NDArray[np.float64]
    """Places [m], (m, 2)."""
    normals: NDArray[np.float32]
    """Unit normals from A to B, (m, 2)."""
    forces: NDArray[np.float32]
    """Mean forces along the normal and along the tangent, which is the normal turned clockwise [N], (m, 2)."""
    separations: NDArray[np.float32]
    """Signed gaps [m], (m,)."""


class HookShape(NamedTuple):
    """A side of a pair in the call of a hook; `shape_id` and `body_id` are the `id` of handles."""

    shape_id: int
    body_id: int
    user_data: int
    body_user_data: int
    position: tuple[float, float]
    """Origin of the body [m]."""
    velocity: tuple[float, float]
    """Velocity of the center of mass [m/s]."""
    angular_velocity: float
    """Angular velocity of the body [rad/s]."""
    angle: float
    """Angle of the body [rad]."""
    kind: str
    """Kind of the body."""
