"""Shapes and definitions of the `Box2D` module."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from cairn2d._native import _BOX2D_SKIN, Body, Geometry, Shape
from cairn2d.compat._math import b2Vec2

Points = list[tuple[float, float]]


def take_fields(target: object, fields: dict[str, Any]) -> None:
    """Sets attributes by name; a name that the object does not have is an error."""
    for name, value in fields.items():
        if not hasattr(target, name):
            raise AttributeError(f"{type(target).__name__} has no field {name!r}")
        setattr(target, name, value)


def skin_of(body: Body) -> float:
    """Radius of the polygons and edges of a body [m]: static ones have that of both sides, since it adds to masses."""
    return _BOX2D_SKIN if body.kind == "static" else 0.0


class b2Shape:
    """Base of shapes."""

    def geometry(self, skin: float) -> Geometry:
        """The geometry of the engine, with a skin about polygons and edges [m]."""
        raise NotImplementedError

    def create(self, body: Body, **fields: Any) -> list[Shape]:
        """Makes the shapes of the engine."""
        return [body.create_shape(self.geometry(skin_of(body)), **fields)]

    def copy(self) -> b2Shape:
        """A shape of its own for a fixture: definitions are reused and changed."""
        raise NotImplementedError


class b2CircleShape(b2Shape):
    """Circle."""

    def __init__(self, radius: float = 0.0, pos: Sequence[float] = (0.0, 0.0)) -> None:
        self.radius = float(radius)
        self.pos = b2Vec2(pos)

    def geometry(self, skin: float) -> Geometry:
        return Geometry.circle(self.radius, (self.pos.x, self.pos.y))

    def copy(self) -> b2CircleShape:
        return b2CircleShape(self.radius, self.pos)


class b2PolygonShape(b2Shape):
    """Convex polygon: `vertices`, or `box` as half width, half height and then perhaps center and angle."""

    def __init__(self, vertices: Iterable[Sequence[float]] = (), box: Sequence[Any] | None = None) -> None:
        self.vertices = vertices  # type: ignore[assignment]
        if box is not None:
            self.SetAsBox(*box)

    @property
    def vertices(self) -> Points:
        return self._vertices

    @vertices.setter
    def vertices(self, vertices: Iterable[Sequence[float]]) -> None:
        self._vertices: Points = [(float(v[0]), float(v[1])) for v in vertices]

    @property
    def vertexCount(self) -> int:
        return len(self._vertices)

    @property
    def box(self) -> Points:
        return self._vertices

    @box.setter
    def box(self, box: Sequence[Any]) -> None:
        self.SetAsBox(*box)

    def SetAsBox(self, hx: float, hy: float, center: Sequence[float] = (0.0, 0.0), angle: float = 0.0) -> None:
        c, s = math.cos(angle), math.sin(angle)
        corners = ((-hx, -hy), (hx, -hy), (hx, hy), (-hx, hy))
        self.vertices = [(center[0] + c * x - s * y, center[1] + s * x + c * y) for x, y in corners]

    def geometry(self, skin: float) -> Geometry:
        return Geometry.polygon(self._vertices, radius=skin)

    def copy(self) -> b2PolygonShape:
        return b2PolygonShape(self._vertices)


class b2EdgeShape(b2Shape):
    """Line, solid from both sides."""

    def __init__(self, vertices: Iterable[Sequence[float]] = ((0.0, 0.0), (1.0, 0.0))) -> None:
        self.vertices = vertices  # type: ignore[assignment]

    @property
    def vertices(self) -> Points:
        return self._vertices

    @vertices.setter
    def vertices(self, vertices: Iterable[Sequence[float]]) -> None:
        points = [(float(v[0]), float(v[1])) for v in vertices]
        if len(points) != 2:
            raise ValueError(f"an edge has two vertices, not {len(points)}")
        self._vertices: Points = points

    vertex1 = property(lambda self: b2Vec2(self._vertices[0]))
    vertex2 = property(lambda self: b2Vec2(self._vertices[1]))

    def geometry(self, skin: float) -> Geometry:
        return Geometry.capsule(*self._vertices, skin) if skin else Geometry.segment(*self._vertices)

    def copy(self) -> b2EdgeShape:
        return b2EdgeShape(self._vertices)


class b2ChainShape(b2Shape):
    """Chain of edges, solid from both sides: `vertices_chain`, or closed as `vertices` or `vertices_loop`."""

    def __init__(
        self,
        vertices: Iterable[Sequence[float]] = (),
        vertices_chain: Iterable[Sequence[float]] = (),
        vertices_loop: Iterable[Sequence[float]] = (),
    ) -> None:
        self.vertices = vertices or vertices_loop  # type: ignore[assignment]
        if vertices_chain:
            self.vertices_chain = vertices_chain  # type: ignore[assignment]

    def _set(self, vertices: Iterable[Sequence[float]], is_loop: bool) -> None:
        self._vertices: Points = [(float(v[0]), float(v[1])) for v in vertices]
        self._is_loop = is_loop

    vertices = property(lambda self: list(self._vertices), lambda self, vertices: self._set(vertices, True))
    vertices_loop = vertices
    vertices_chain = property(lambda self: list(self._vertices), lambda self, vertices: self._set(vertices, False))
    vertexCount = property(lambda self: len(self._vertices) + self._is_loop)
    childCount = property(lambda self: self.vertexCount - 1)

    def getChildEdge(self, index: int) -> b2EdgeShape:
        """One of the edges."""
        if not 0 <= index < self.childCount:
            raise ValueError(f"index is {index}, and the chain has {self.childCount} edges")
        return b2EdgeShape([self._vertices[index], self._vertices[(index + 1) % len(self._vertices)]])

    @property
    def edges(self) -> list[b2EdgeShape]:
        return [self.getChildEdge(index) for index in range(self.childCount)]

    def create(self, body: Body, **fields: Any) -> list[Shape]:
        return body.create_chain(self._vertices, self._is_loop, two_sided=True, **fields)

    def copy(self) -> b2ChainShape:
        return b2ChainShape(self._vertices) if self._is_loop else b2ChainShape(vertices_chain=self._vertices)


class b2Filter:
    """Bits of collision filtering."""

    def __init__(self, categoryBits: int = 0x0001, maskBits: int = 0xFFFF, groupIndex: int = 0) -> None:
        self.categoryBits, self.maskBits, self.groupIndex = categoryBits, maskBits, groupIndex


class b2FixtureDef:
    """Definition of a fixture."""

    def __init__(self, **fields: Any) -> None:
        self.shape: b2Shape | None = None
        self.density = 0.0
        self.friction = 0.2
        self.restitution = 0.0
        self.isSensor = False
        self.categoryBits = 0x0001
        self.maskBits = 0xFFFF
        self.groupIndex = 0
        self.userData: Any = None
        take_fields(self, fields)

    @property
    def filter(self) -> b2Filter:
        return b2Filter(self.categoryBits, self.maskBits, self.groupIndex)

    @filter.setter
    def filter(self, bits: b2Filter) -> None:
        self.categoryBits, self.maskBits, self.groupIndex = bits.categoryBits, bits.maskBits, bits.groupIndex


b2_staticBody, b2_kinematicBody, b2_dynamicBody = 0, 1, 2
KINDS = ("static", "kinematic", "dynamic")


class b2BodyDef:
    """Definition of a body."""

    def __init__(self, **fields: Any) -> None:
        self.type = b2_staticBody
        self.position: Sequence[float] = (0.0, 0.0)
        self.angle = 0.0
        self.linearVelocity: Sequence[float] = (0.0, 0.0)
        self.angularVelocity = 0.0
        self.linearDamping = 0.0
        self.angularDamping = 0.0
        self.gravityScale = 1.0
        self.allowSleep = True
        self.awake = True
        self.active = True
        self.fixedRotation = False
        self.bullet = False
        self.userData: Any = None
        self.fixtures: Any = None
        self.shapes: Any = None
        self.shapeFixture: b2FixtureDef | None = None
        take_fields(self, fields)
