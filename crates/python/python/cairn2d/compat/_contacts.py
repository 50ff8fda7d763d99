"""Contacts and contact listeners of the `Box2D` module."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cairn2d._errors import WorldBusy
from cairn2d._native import _sincos
from cairn2d.compat._manifold import b2Manifold, collide_shapes, manifold_of
from cairn2d.compat._math import b2Transform, b2Vec2
from cairn2d.compat._settings import b2_maxManifoldPoints, b2MixFriction, b2MixRestitution
from cairn2d.compat._shapes import b2ChainShape, b2Shape

if TYPE_CHECKING:
    from cairn2d._native import PreSolve
    from cairn2d._records import Contact, HookShape
    from cairn2d.compat._body import b2Fixture
    from cairn2d.compat._joints import b2Joint
    from cairn2d.compat._world import b2World


class b2WorldManifold(NamedTuple):
    """Unit normal from A to B, and two points in the world [m]: those that the manifold does not have are zero, as in the original."""

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


RANKS = {b2Shape.e_edge: 0, b2Shape.e_chain: 0, b2Shape.e_polygon: 1, b2Shape.e_circle: 2}
"""Which of two shapes is the first of a contact: lines before polygons, and these before circles; else the older one."""


def is_swapped(fixture_a: b2Fixture, fixture_b: b2Fixture) -> bool:
    """Whether Box2D has two fixtures in the other order."""
    return RANKS[fixture_a.shape.type] > RANKS[fixture_b.shape.type]


class Touch:
    """What `b2Contact` has, within a step and after it."""

    fixtureA: b2Fixture
    fixtureB: b2Fixture
    _ids: tuple[int, int]

    childIndexA = property(lambda self: child_index(self.fixtureA, self._ids[0]))
    childIndexB = property(lambda self: child_index(self.fixtureB, self._ids[1]))

    def _impulses(self) -> list[tuple[float, float]]:
        return []

    @property
    def manifold(self) -> b2Manifold:
        """The points in the frame of the second body, and the normal in that of the first one."""
        normal, points = self._normal_and_points()
        return manifold_of([self.fixtureA.body, self.fixtureB.body], normal, points, self._impulses())

    @property
    def worldManifold(self) -> b2WorldManifold:
        normal, points = self._normal_and_points()
        return b2WorldManifold(normal, [*points, (0.0, 0.0), (0.0, 0.0)][:b2_maxManifoldPoints])

    def _normal_and_points(self) -> tuple[b2Vec2, list[tuple[float, float]]]:
        raise NotImplementedError

    def Evaluate(self, manifold: b2Manifold, xfA: b2Transform, xfB: b2Transform) -> None:
        """Writes the manifold of the two shapes at other poses."""
        shapes = [
            shape.getChildEdge(index) if isinstance(shape, b2ChainShape) else shape
            for shape, index in ((self.fixtureA.shape, self.childIndexA), (self.fixtureB.shape, self.childIndexB))
        ]
        collide_shapes(manifold, shapes[0], xfA, shapes[1], xfB)


class b2Contact(Touch):
    """Two fixtures that touch."""

    def __init__(self, fixtureA: b2Fixture, fixtureB: b2Fixture, ids: tuple[int, int]) -> None:
        if is_swapped(fixtureA, fixtureB):
            fixtureA, fixtureB, ids = fixtureB, fixtureA, ids[::-1]
        self.fixtureA, self.fixtureB = fixtureA, fixtureB
        self._ids = ids
        self.touching = True

    enabled = True
    tangentSpeed = 0.0
    """Has an effect in `PreSolve` only, for the step, as friction and restitution have."""

    def _find(self) -> Contact | None:
        """The contact of the engine; `None` of a sensor, and once it has ended."""
        a, b = (f._natives[place_of(f, ident)] for f, ident in zip((self.fixtureA, self.fixtureB), self._ids))
        if a.is_valid and b.is_valid:
            for contact in a.contacts():
                if b in (contact.shape_a, contact.shape_b):
                    return contact
        return None

    def _normal_and_points(self) -> tuple[b2Vec2, list[tuple[float, float]]]:
        contact = self._find()
        if contact is None:
            return b2Vec2(), []
        normal = b2Vec2(contact.normal)
        if contact.shape_a.id != self._ids[0]:
            normal = -normal
        return normal, [point.point for point in contact.points]

    def _impulses(self) -> list[tuple[float, float]]:
        impulse = self.impulse
        return list(zip(impulse.normalImpulses, impulse.tangentImpulses))

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

    @property
    def next(self) -> b2Contact | None:
        """The contact of the world that began before."""
        contacts = self.fixtureA.body.world.contacts
        place = contacts.index(self) if self in contacts else 0
        return contacts[place - 1] if place else None


class b2ContactListener:
    """Base of contact listeners: override `BeginContact` and `EndContact`, and perhaps `PostSolve`."""

    def __init__(self, **fields: Any) -> None:
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


class BodyInStep:
    """A body within a step, in place of the engine's handle: its pose and velocities can be read."""

    def __init__(self, contact: PreSolve, side: str) -> None:
        self._contact, self._side = contact, side

    def __getattr__(self, name: str) -> Any:
        state = getattr(self._contact, self._side)
        if not hasattr(state, name):
            raise WorldBusy(f"{name} of a body cannot be read or set in PreSolve: the world is in its step")
        return getattr(state, name)

    def _turn(self) -> tuple[float, float]:
        return _sincos(self.angle)

    def to_world(self, point: Sequence[float]) -> tuple[float, float]:
        (s, c), (x, y) = self._turn(), self.position
        return c * point[0] - s * point[1] + x, s * point[0] + c * point[1] + y

    def to_local(self, point: Sequence[float]) -> tuple[float, float]:
        (s, c), (x, y) = self._turn(), self.position
        x, y = point[0] - x, point[1] - y
        return c * x + s * y, -s * x + c * y


class b2PreSolveContact(Touch):
    """A contact within a step: the argument of `PreSolve`. Friction, restitution and tangent speed hold for this step."""

    def __init__(self, fixtureA: b2Fixture, fixtureB: b2Fixture, native: PreSolve, ids: tuple[int, int], step: int) -> None:
        self._is_swapped = is_swapped(fixtureA, fixtureB)
        if self._is_swapped:
            fixtureA, fixtureB, ids = fixtureB, fixtureA, ids[::-1]
        self.fixtureA, self.fixtureB, self._native, self._ids, self._step = fixtureA, fixtureB, native, ids, step
        self.touching = self.enabled = True

    def _normal_and_points(self) -> tuple[b2Vec2, list[tuple[float, float]]]:
        normal = b2Vec2(self._native.normal)
        return -normal if self._is_swapped else normal, [point for point, _ in self._native.points]

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

    def ResetFriction(self) -> None:
        self.friction = b2MixFriction(self.fixtureA.friction, self.fixtureB.friction)

    def ResetRestitution(self) -> None:
        self.restitution = b2MixRestitution(self.fixtureA.restitution, self.fixtureB.restitution)

    @property
    def tangentSpeed(self) -> float:
        """Speed at which B moves relative to A, along the normal turned clockwise, when it does not slip [m/s]."""
        # The engine has the speed of the surface, against which the body moves.
        return -self._native.surface_speed

    @tangentSpeed.setter
    def tangentSpeed(self, speed: float) -> None:
        self._native.surface_speed = -float(speed)


class OldManifold(b2Manifold):
    """The manifold of the step before, made once its points are asked for."""

    def __init__(self, contact: b2PreSolveContact) -> None:
        self._contact: b2PreSolveContact | None = contact

    def __getattr__(self, name: str) -> Any:
        contact = self.__dict__.pop("_contact", None)
        if contact is None:
            raise AttributeError(name)
        with_sides(contact, lambda: self.__dict__.update(vars(contact.manifold)))
        return getattr(self, name)


def with_sides(contact: b2PreSolveContact, call: Callable[[], Any]) -> None:
    """Calls a function while the bodies of a contact are read from its sides: the world is in a step."""
    body_a, body_b = contact.fixtureA.body, contact.fixtureB.body
    native_a, native_b = body_a._native, body_b._native
    sides = ("shape_b", "shape_a") if contact._is_swapped else ("shape_a", "shape_b")
    body_a._native = BodyInStep(contact._native, sides[0])  # type: ignore[assignment]
    body_b._native = BodyInStep(contact._native, sides[1])  # type: ignore[assignment]
    try:
        call()
    finally:
        body_a._native, body_b._native = native_a, native_b


def pre_solve_hook(world: b2World) -> Callable[[PreSolve], None]:
    """The hook that calls `PreSolve` of the listener of a world. It does not keep the world alive."""
    reference = weakref.ref(world)

    def hook(native: PreSolve) -> None:
        owner = reference()
        if owner is None or owner.contactListener is None:
            return
        listener, ids, step = owner.contactListener, native._shape_ids, owner._step_count
        contact = b2PreSolveContact(owner._fixtures[ids[0]], owner._fixtures[ids[1]], native, ids, step)
        before = owner._pre_solved.get(ids)
        old = OldManifold(before) if before is not None and before._step == step - 1 else b2Manifold()
        owner._pre_solved[ids] = contact
        with_sides(contact, lambda: listener.PreSolve(contact, old))
        if not contact.enabled:
            native.ignore()

    return hook


class b2ContactFilter:
    """Base of contact filters: override `ShouldCollide`. It is asked about pairs whose filter bits let them collide."""

    def __init__(self, **fields: Any) -> None:
        pass

    def ShouldCollide(self, fixtureA: b2Fixture, fixtureB: b2Fixture) -> bool:
        """Whether two fixtures collide: by their groups, or else by their categories and masks."""
        a, b = fixtureA.filterData, fixtureB.filterData
        if a.groupIndex == b.groupIndex != 0:
            return a.groupIndex > 0
        return a.maskBits & b.categoryBits != 0 and a.categoryBits & b.maskBits != 0


def pair_filter_hook(world: b2World) -> Callable[[HookShape, HookShape], bool]:
    """The hook that asks the contact filter of a world. It does not keep the world alive."""
    reference = weakref.ref(world)

    def hook(a: HookShape, b: HookShape) -> bool:
        owner = reference()
        if owner is None or owner.contactFilter is None:
            return True
        fixtures = [owner._fixtures.get(side.shape_id) for side in (a, b)]
        return None in fixtures or bool(owner.contactFilter.ShouldCollide(*fixtures))

    return hook


class b2DestructionListener:
    """Base of destruction listeners: override `SayGoodbye`."""

    def __init__(self, **fields: Any) -> None:
        pass

    def SayGoodbye(self, obj: b2Joint | b2Fixture) -> None:
        """A joint or a fixture is destroyed because its body is."""
