"""Contacts and contact listeners of the `Box2D` module."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from cairn2d.compat._math import b2Vec2

if TYPE_CHECKING:
    from cairn2d._native import PreSolve
    from cairn2d._records import Contact
    from cairn2d.compat._world import b2Fixture, b2World


class b2WorldManifold(NamedTuple):
    """Unit normal from A to B, and the points in the world [m]."""

    normal: b2Vec2
    points: list[tuple[float, float]]


class b2ContactImpulse(NamedTuple):
    """Impulses of the last step [N s], for each point."""

    normalImpulses: list[float]
    tangentImpulses: list[float]


def place_of(fixture: b2Fixture, ident: int) -> int:
    """Place of the shape of this id among those of a fixture."""
    return next(place for place, shape in enumerate(fixture._natives) if shape.id == ident)


def child_index(fixture: b2Fixture, ident: int) -> int:
    """Index of the edge of a chain whose shape has this id; 0 of other fixtures."""
    place = place_of(fixture, ident)
    # The other sides of the edges follow in reverse.
    return min(place, len(fixture._natives) - 1 - place)


class b2Contact:
    """Two fixtures that touch."""

    def __init__(self, fixtureA: b2Fixture, fixtureB: b2Fixture, ids: tuple[int, int]) -> None:
        self.fixtureA, self.fixtureB = fixtureA, fixtureB
        self._ids = ids
        self.touching = True

    enabled = True

    def _find(self) -> Contact | None:
        """The contact of the engine; `None` of a sensor, and once it has ended."""
        a, b = (f._natives[place_of(f, ident)] for f, ident in zip((self.fixtureA, self.fixtureB), self._ids))
        if a.is_valid and b.is_valid:
            for contact in a.contacts():
                if b in (contact.shape_a, contact.shape_b):
                    return contact
        return None

    childIndexA = property(lambda self: child_index(self.fixtureA, self._ids[0]))
    childIndexB = property(lambda self: child_index(self.fixtureB, self._ids[1]))

    @property
    def worldManifold(self) -> b2WorldManifold:
        contact = self._find()
        if contact is None:
            return b2WorldManifold(b2Vec2(), [])
        normal = b2Vec2(contact.normal)
        if contact.shape_a.id != self._ids[0]:
            normal = -normal
        return b2WorldManifold(normal, [point.point for point in contact.points])

    @property
    def impulse(self) -> b2ContactImpulse:
        contact = self._find()
        points = [] if contact is None else contact.points
        return b2ContactImpulse([p.normal_impulse for p in points], [p.tangent_impulse for p in points])

    @property
    def friction(self) -> float:
        contact = self._find()
        return 0.0 if contact is None else contact.friction

    @property
    def restitution(self) -> float:
        contact = self._find()
        return 0.0 if contact is None else contact.restitution


class b2ContactListener:
    """Base of contact listeners: override `BeginContact` and `EndContact`, and perhaps `PostSolve`."""

    def __init__(self) -> None:
        pass

    def BeginContact(self, contact: b2Contact) -> None:
        """Two fixtures began to touch in the step."""

    def EndContact(self, contact: b2Contact) -> None:
        """Two fixtures ceased to touch, or one of them is about to be destroyed."""

    def PreSolve(self, contact: b2Contact, oldManifold: object) -> None:
        """Two fixtures touch: `contact.enabled = False` lets them pass through each other in this step.

        It runs within the step: fixtures, attributes, and of bodies position and velocities can be read.
        """

    def PostSolve(self, contact: b2Contact, impulse: b2ContactImpulse) -> None:
        """Two fixtures touch: impulses of the step."""


def overrides(listener: b2ContactListener | None, name: str) -> bool:
    """Whether a listener has a method of its own."""
    return listener is not None and getattr(type(listener), name) is not getattr(b2ContactListener, name)


class PreSolveContact:
    """A contact within a step: the argument of `PreSolve`. Friction and restitution hold for this step."""

    def __init__(self, fixtureA: b2Fixture, fixtureB: b2Fixture, native: PreSolve) -> None:
        self.fixtureA, self.fixtureB, self._native = fixtureA, fixtureB, native
        self._ids = native.shape_a.shape_id, native.shape_b.shape_id
        self.touching = self.enabled = True

    childIndexA = property(lambda self: child_index(self.fixtureA, self._ids[0]))
    childIndexB = property(lambda self: child_index(self.fixtureB, self._ids[1]))

    @property
    def worldManifold(self) -> b2WorldManifold:
        return b2WorldManifold(b2Vec2(self._native.normal), [point for point, _ in self._native.points])

    @property
    def friction(self) -> float:
        return self._native.friction

    @friction.setter
    def friction(self, friction: float) -> None:
        self._native.friction = float(friction)

    @property
    def restitution(self) -> float:
        return self._native.restitution

    @restitution.setter
    def restitution(self, restitution: float) -> None:
        self._native.restitution = float(restitution)

    @property
    def tangentSpeed(self) -> float:
        return self._native.surface_speed

    @tangentSpeed.setter
    def tangentSpeed(self, speed: float) -> None:
        self._native.surface_speed = float(speed)


def pre_solve_hook(world: b2World) -> Callable[[PreSolve], None]:
    """The hook that calls `PreSolve` of the listener of a world. It does not keep the world alive."""
    reference = weakref.ref(world)

    def hook(native: PreSolve) -> None:
        owner = reference()
        if owner is None or owner.contactListener is None:
            return
        sides = native.shape_a, native.shape_b
        fixtures = [owner._fixtures[side.shape_id] for side in sides]
        bodies = [fixture.body for fixture in fixtures]
        natives = [body._native for body in bodies]
        contact = PreSolveContact(*fixtures, native)
        # The world is in a step: bodies are read from the sides of the contact.
        for body, side in zip(bodies, sides):
            body._native = side
        try:
            owner.contactListener.PreSolve(contact, None)
        finally:
            for body, handle in zip(bodies, natives):
                body._native = handle
        if not contact.enabled:
            native.ignore()

    return hook
