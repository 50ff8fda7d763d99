"""Contacts and contact listeners of the `Box2D` module."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cairn2d.compat._math import b2Vec2

if TYPE_CHECKING:
    from cairn2d._records import Contact
    from cairn2d.compat._world import b2Fixture


class b2WorldManifold(NamedTuple):
    """Unit normal from A to B, and the points in the world [m]."""

    normal: b2Vec2
    points: list[tuple[float, float]]


class b2ContactImpulse(NamedTuple):
    """Impulses of the last step [N s], for each point."""

    normalImpulses: list[float]
    tangentImpulses: list[float]


class b2Contact:
    """Two fixtures that touch."""

    def __init__(self, fixtureA: b2Fixture, fixtureB: b2Fixture) -> None:
        self.fixtureA, self.fixtureB = fixtureA, fixtureB
        self.touching = True

    enabled = True

    def _find(self) -> Contact | None:
        """The contact of the engine; `None` of a sensor, and once it has ended."""
        a, b = self.fixtureA._native, self.fixtureB._native
        if a.is_valid and b.is_valid:
            for contact in a.contacts():
                if b in (contact.shape_a, contact.shape_b):
                    return contact
        return None

    @property
    def worldManifold(self) -> b2WorldManifold:
        contact = self._find()
        if contact is None:
            return b2WorldManifold(b2Vec2(), [])
        normal = b2Vec2(contact.normal)
        if contact.shape_a != self.fixtureA._native:
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
        """Not called: a world refuses listeners that override it."""

    def PostSolve(self, contact: b2Contact, impulse: b2ContactImpulse) -> None:
        """Two fixtures touch: impulses of the step."""
