"""Shapes and definitions of the `Box2D` module."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cairn2d._native import _BOX2D_SKIN, Body, Geometry, Shape
from cairn2d.compat._collision import (
    b2AABB,
    b2RayCastInput,
    b2RayCastOutput,
    ray_cast_circle,
    ray_cast_edge,
    ray_cast_polygon,
)
from cairn2d.compat._math import b2Transform, b2Vec2
from cairn2d.compat._settings import b2_maxPolygonVertices, b2_polygonRadius

Points = list[tuple[float, float]]

Surface = tuple[float, float, float]
"""Density [kg/m^2], friction and restitution."""

Bits = tuple[int, int, int]
"""Category, mask and group."""

MIN_RADIUS = 1.0e-3
"""Radius of a circle that was given as a point [m]: below all that the engine tells from contact."""


def take_fields(target: object, fields: dict[str, Any]) -> None:
    """Sets attributes by name; a name that the object does not have is an error."""
    for name, value in fields.items():
        if not hasattr(target, name):
            raise AttributeError(f"{type(target).__name__} has no field {name!r}")
        setattr(target, name, value)


class VectorField:
    """A field of a definition that is a vector of its own, whatever pair it is set to; or `None`."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, definition: object, owner: type | None = None) -> Any:
        return self if definition is None else definition.__dict__[self._name]

    def __set__(self, definition: object, value: Sequence[float] | None) -> None:
        definition.__dict__[self._name] = None if value is None else b2Vec2(value)


def skin_of(body: Body) -> float:
    """Radius of the polygons and edges of a body [m]: static ones have that of both sides, since it adds to masses."""
    return _BOX2D_SKIN if body.kind == "static" else 0.0


class b2AssertException(AssertionError):
    """An assertion of the original library: a polygon that is too small."""


class b2MassData:
    """Mass [kg], center [m] and inertia about the origin [kg m^2]."""

    def __init__(self, mass: float = 0.0, center: Sequence[float] = (0.0, 0.0), I: float = 0.0) -> None:  # noqa: E741
        self.mass, self.center, self.I = mass, b2Vec2(center), I

    def __repr__(self) -> str:
        return f"b2MassData(I={self.I},center={self.center},mass={self.mass})"


def point_list(vertices: Iterable[Sequence[float]], name: str = "vertices") -> Points:
    """Points as pairs of floats; anything else is a `ValueError`."""
    points = []
    for vertex in vertices:
        if not hasattr(vertex, "__len__") or len(vertex) != 2:
            raise ValueError(f"{name} has {vertex!r}, which is not a pair of numbers")
        points.append((float(vertex[0]), float(vertex[1])))
    return points


def hull_of(points: Points) -> Points:
    """Corners of the convex hull, counter-clockwise from the one furthest to the right, as Box2D lists them."""
    ordered = sorted(set(points), key=lambda point: (-point[0], point[1]))
    chains = []
    for chain_points in (ordered, ordered[::-1]):
        chain: Points = []
        for x, y in chain_points:
            while len(chain) > 1:
                (ax, ay), (bx, by) = chain[-2:]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                    break
                chain.pop()
            chain.append((x, y))
        chains.append(chain[:-1])
    hull = chains[0] + chains[1]
    if len(hull) < 3:
        raise b2AssertException(f"the polygon of {points} has no area")
    return hull


class b2Shape:
    """Base of shapes."""

    e_circle, e_edge, e_polygon, e_chain, e_typeCount = range(5)

    type: int
    radius = b2_polygonRadius
    childCount = 1

    def geometry(self, skin: float) -> Geometry:
        """The geometry of the engine, with a skin about polygons and edges [m]."""
        raise NotImplementedError

    def create(self, body: Body, surface: Surface, flags: tuple[bool, bool], bits: Bits) -> list[Shape]:
        """Makes the shapes of the engine; the flags are those of sensors and of shapes with `PreSolve`."""
        return [body._create_box2d_shape(self.geometry(skin_of(body)), *surface, flags, bits)]

    def copy(self) -> b2Shape:
        """A shape of its own for a fixture: definitions are reused and changed."""
        raise NotImplementedError

    def getAsType(self) -> b2Shape:
        return self

    def _corners(self, index: int) -> Points:
        """Corners of a part in the frame of the body."""
        raise NotImplementedError

    def getAABB(self, transform: b2Transform, childIndex: int) -> b2AABB:
        """Box around a part of the placed shape."""
        if not 0 <= childIndex < self.childCount:
            raise ValueError(f"childIndex is {childIndex}, and the shape has {self.childCount} parts")
        xs, ys = zip(*(transform * corner for corner in self._corners(childIndex)))
        r = self.radius
        return b2AABB((min(xs) - r, min(ys) - r), (max(xs) + r, max(ys) + r))

    def getMass(self, density: float) -> b2MassData:
        """Mass, center, and inertia about the origin of the frame."""
        mass, center, inertia = self.geometry(0.0).mass(density)
        return b2MassData(mass, center, inertia + mass * b2Vec2(center).lengthSquared)

    def TestPoint(self, xf: b2Transform, p: Sequence[float]) -> bool:
        """Whether a point of the world is in the placed shape; never in an edge or a chain."""
        return False

    def RayCast(
        self, output: b2RayCastOutput, input: b2RayCastInput, transform: b2Transform, childIndex: int = 0
    ) -> bool:
        """Casts a ray against a part of the placed shape."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[tuple[float, float]]:
        return iter(self.vertices)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(vertices: {self.vertices})"  # type: ignore[attr-defined]


class b2CircleShape(b2Shape):
    """Circle."""

    type = b2Shape.e_circle

    def __init__(self, radius: float = 0.0, pos: Sequence[float] = (0.0, 0.0), **fields: Any) -> None:
        self.radius = float(radius)
        self.pos = pos  # type: ignore[assignment]
        take_fields(self, fields)

    @property
    def pos(self) -> b2Vec2:
        return self._pos

    @pos.setter
    def pos(self, pos: Sequence[float]) -> None:
        self._pos = b2Vec2(pos)

    def geometry(self, skin: float) -> Geometry:
        # A circle of radius 0 is a point: the engine has none.
        return Geometry.circle(max(float(self.radius), MIN_RADIUS), (self.pos.x, self.pos.y))

    def copy(self) -> b2CircleShape:
        return b2CircleShape(self.radius, self.pos)

    def _corners(self, index: int) -> Points:
        return [self.pos.tuple]

    def getMass(self, density: float) -> b2MassData:
        return super().getMass(density) if self.radius > 0.0 else b2MassData(center=self.pos)

    def TestPoint(self, xf: b2Transform, p: Sequence[float]) -> bool:
        return (xf * self.pos - p).lengthSquared <= self.radius**2

    def RayCast(
        self, output: b2RayCastOutput, input: b2RayCastInput, transform: b2Transform, childIndex: int = 0
    ) -> bool:
        return ray_cast_circle(transform * self.pos, self.radius, output, input)

    def __iter__(self) -> Iterator[tuple[float, float]]:
        raise TypeError("a b2CircleShape has no vertices")

    def __repr__(self) -> str:
        return f"b2CircleShape(radius={self.radius:g},pos={self.pos})"


class b2PolygonShape(b2Shape):
    """Convex polygon: `vertices`, of which it is the hull, or `box` as half width, half height and then perhaps center and angle."""

    type = b2Shape.e_polygon

    def __init__(self, vertices: Iterable[Sequence[float]] = (), box: Sequence[Any] | None = None, **fields: Any) -> None:
        self.vertices = vertices  # type: ignore[assignment]
        if box is not None:
            self.SetAsBox(*box)
        if self._vertices:
            # They have the count already, that of their hull.
            fields.pop("vertexCount", None)
        take_fields(self, fields)

    @property
    def vertices(self) -> Points:
        return list(self._hull)

    @vertices.setter
    def vertices(self, vertices: Iterable[Sequence[float]]) -> None:
        points = point_list(vertices)
        if points and not 3 <= len(points) <= b2_maxPolygonVertices:
            raise ValueError(f"a polygon has 3 to {b2_maxPolygonVertices} vertices, not {len(points)}")
        # The engine gets the vertices in the order in which they are given, since its batches do, too.
        self._vertices, self._hull = points, hull_of(points) if points else []

    @property
    def vertexCount(self) -> int:
        return len(self._hull)

    @vertexCount.setter
    def vertexCount(self, count: int) -> None:
        self._vertices = self._hull = (self._hull + [(0.0, 0.0)] * count)[:count]

    def set_vertex(self, index: int, *vertex: Any) -> None:
        """Sets a vertex, given as a vector or as two numbers; the hull is that of the next `vertices`."""
        ((x, y),) = point_list(vertex if len(vertex) == 1 else [vertex])
        vertices = [*self._hull]
        vertices[index] = x, y
        self._vertices = self._hull = vertices

    @property
    def box(self) -> Points:
        return self.vertices

    @box.setter
    def box(self, box: Sequence[Any]) -> None:
        self.SetAsBox(*box)

    def SetAsBox(self, hx: float, hy: float, center: Sequence[float] = (0.0, 0.0), angle: float = 0.0) -> None:
        c, s = math.cos(angle), math.sin(angle)
        corners = ((-hx, -hy), (hx, -hy), (hx, hy), (-hx, hy))
        points = [(float(center[0] + c * x - s * y), float(center[1] + s * x + c * y)) for x, y in corners]
        self._vertices = self._hull = points

    @property
    def normals(self) -> Points:
        """Outward normals of the sides."""
        sides = zip(self._hull, self._hull[1:] + self._hull[:1])
        lengths = [(bx - ax, by - ay, math.hypot(bx - ax, by - ay)) for (ax, ay), (bx, by) in sides]
        return [(y / length, -x / length) for x, y, length in lengths]

    @property
    def centroid(self) -> b2Vec2:
        return b2Vec2(self.geometry(0.0).mass(1.0).center)

    @property
    def valid(self) -> bool:
        return b2CheckPolygon(self)

    def Validate(self) -> bool:
        """Whether the polygon is convex."""
        return self.valid

    def geometry(self, skin: float) -> Geometry:
        return Geometry.polygon(self._vertices, radius=skin)

    def copy(self) -> b2PolygonShape:
        shape = b2PolygonShape()
        shape._vertices, shape._hull = self._vertices, self._hull
        return shape

    def _corners(self, index: int) -> Points:
        return self._hull

    def TestPoint(self, xf: b2Transform, p: Sequence[float]) -> bool:
        x, y = xf.q.inverse * (b2Vec2(p) - xf.position)
        return all(nx * (x - vx) + ny * (y - vy) <= 0.0 for (nx, ny), (vx, vy) in zip(self.normals, self._hull))

    def RayCast(
        self, output: b2RayCastOutput, input: b2RayCastInput, transform: b2Transform, childIndex: int = 0
    ) -> bool:
        return ray_cast_polygon(self._hull, transform, output, input)


def b2CheckVertices(vertices: Iterable[Sequence[float]], additional_checks: bool = True) -> bool:
    """Whether a polygon is convex and counter-clockwise; a `ValueError` says why it is not."""
    points = point_list(vertices)
    if not 3 <= len(points) <= b2_maxPolygonVertices:
        raise ValueError(f"a polygon has 3 to {b2_maxPolygonVertices} vertices, not {len(points)}")
    for (ax, ay), (bx, by) in zip(points, points[1:] + points[:1]):
        others = [point for point in points if point not in ((ax, ay), (bx, by))]
        if additional_checks and any((bx - ax) * (y - ay) <= (by - ay) * (x - ax) for x, y in others):
            raise ValueError("the polygon is not convex, or three of its vertices are on a line")
    return True


def b2CheckPolygon(shape: b2PolygonShape, additional_checks: bool = True) -> bool:
    """Whether a polygon can be made; a `ValueError` says why it cannot."""
    return b2CheckVertices(shape._hull, additional_checks)


def ghost(index: int) -> property:
    """A vertex of the edges beside an edge: it is kept, and the engine finds such edges by itself."""

    def change(self: b2EdgeShape, vertex: Sequence[float] | None) -> None:
        self._ghosts[index] = None if vertex is None else point_list([vertex])[0]

    return property(lambda self: b2Vec2(self._ghosts[index] or (0.0, 0.0)), change)


class b2EdgeShape(b2Shape):
    """Line, solid from both sides: two vertices, and perhaps those of the edges beside it, as `[None, v1, v2, v3]`."""

    type = b2Shape.e_edge

    def __init__(self, vertices: Iterable[Sequence[float] | None] = ((0.0, 0.0), (0.0, 0.0)), **fields: Any) -> None:
        self.vertices = vertices  # type: ignore[assignment]
        take_fields(self, fields)

    @property
    def vertices(self) -> Points:
        return list(self._vertices)

    @vertices.setter
    def vertices(self, vertices: Iterable[Sequence[float] | None]) -> None:
        given = list(vertices)
        if not 2 <= len(given) <= 4:
            raise ValueError(f"an edge has 2 to 4 vertices, not {len(given)}")
        own = given if len(given) == 2 else given[1:3]
        self._vertices: Points = point_list(own)  # type: ignore[arg-type]
        self._ghosts: list[tuple[float, float] | None] = [None, None]
        if len(given) > 2:
            self.vertex0, self.vertex3 = given[0], given[3] if len(given) > 3 else None

    vertex0, vertex3 = ghost(0), ghost(1)
    hasVertex0 = property(lambda self: self._ghosts[0] is not None)
    hasVertex3 = property(lambda self: self._ghosts[1] is not None)
    vertexCount = property(lambda self: 2 + self.hasVertex0 + self.hasVertex3)
    all_vertices = property(lambda self: [v.tuple for v in (self.vertex0, self.vertex1, self.vertex2, self.vertex3)])

    @property
    def vertex1(self) -> b2Vec2:
        return b2Vec2(self._vertices[0])

    @vertex1.setter
    def vertex1(self, vertex: Sequence[float]) -> None:
        self._vertices[0] = point_list([vertex])[0]

    @property
    def vertex2(self) -> b2Vec2:
        return b2Vec2(self._vertices[1])

    @vertex2.setter
    def vertex2(self, vertex: Sequence[float]) -> None:
        self._vertices[1] = point_list([vertex])[0]

    def geometry(self, skin: float) -> Geometry:
        return Geometry.capsule(*self._vertices, skin) if skin else Geometry.segment(*self._vertices)

    def copy(self) -> b2EdgeShape:
        shape = b2EdgeShape.__new__(b2EdgeShape)
        shape._vertices, shape._ghosts = list(self._vertices), list(self._ghosts)
        return shape

    def _corners(self, index: int) -> Points:
        return self._vertices

    def getMass(self, density: float) -> b2MassData:
        return b2MassData(center=0.5 * (self.vertex1 + self.vertex2))

    def RayCast(
        self, output: b2RayCastOutput, input: b2RayCastInput, transform: b2Transform, childIndex: int = 0
    ) -> bool:
        return ray_cast_edge(transform * self.vertex1, transform * self.vertex2, output, input)


class b2ChainShape(b2Shape):
    """Chain of edges, solid from both sides: `vertices_chain`, or closed as `vertices` or `vertices_loop`."""

    type = b2Shape.e_chain
    # The engine knows the edges beside an edge by itself.
    m_prevVertex = m_nextVertex = b2Vec2()
    m_hasPrevVertex = m_hasNextVertex = False

    def __init__(
        self,
        vertices: Iterable[Sequence[float]] | None = None,
        vertices_chain: Iterable[Sequence[float]] | None = None,
        vertices_loop: Iterable[Sequence[float]] | None = None,
    ) -> None:
        self._vertices: Points = []
        self._is_loop = True
        loop = vertices if vertices is not None else vertices_loop
        if loop is not None:
            self._set(loop, True)
        if vertices_chain is not None:
            self._set(vertices_chain, False)

    def _set(self, vertices: Iterable[Sequence[float]], is_loop: bool) -> None:
        points = point_list(vertices)
        if len(points) < 2:
            raise ValueError(f"a chain has at least 2 vertices, not {len(points)}")
        self._vertices, self._is_loop = points, is_loop

    def CreateLoop(self, vertices: Iterable[Sequence[float]], count: int | None = None) -> None:
        self._set(list(vertices)[:count], True)

    def CreateChain(self, vertices: Iterable[Sequence[float]], count: int | None = None) -> None:
        self._set(list(vertices)[:count], False)

    def SetPrevVertex(self, vertex: Sequence[float]) -> None:
        """Has no effect: the engine finds the edges beside an edge."""

    SetNextVertex = SetPrevVertex

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

    def create(self, body: Body, surface: Surface, flags: tuple[bool, bool], bits: Bits) -> list[Shape]:
        names = ("density", "friction", "restitution", "sensor", "pre_solve", "category", "mask", "group")
        fields = dict(zip(names, (*surface, *flags, *bits)))
        return body.create_chain(self._vertices, self._is_loop, two_sided=True, **fields)

    def copy(self) -> b2ChainShape:
        shape = b2ChainShape()
        shape._vertices, shape._is_loop = self._vertices, self._is_loop
        return shape

    def _corners(self, index: int) -> Points:
        return self.getChildEdge(index).vertices

    def getMass(self, density: float) -> b2MassData:
        return b2MassData()

    def RayCast(
        self, output: b2RayCastOutput, input: b2RayCastInput, transform: b2Transform, childIndex: int = 0
    ) -> bool:
        return self.getChildEdge(childIndex).RayCast(output, input, transform)


b2LoopShape = b2ChainShape


class b2Filter:
    """Bits of collision filtering."""

    def __init__(self, categoryBits: int = 0x0001, maskBits: int = 0xFFFF, groupIndex: int = 0) -> None:
        self.categoryBits, self.maskBits, self.groupIndex = categoryBits, maskBits, groupIndex


def filter_bits(name: str) -> property:
    """A field of the filter of a definition."""
    return property(lambda self: getattr(self.filter, name), lambda self, bits: setattr(self.filter, name, bits))


class b2FixtureDef:
    """Definition of a fixture."""

    categoryBits, maskBits, groupIndex = map(filter_bits, ("categoryBits", "maskBits", "groupIndex"))

    def __init__(self, **fields: Any) -> None:
        self.shape: b2Shape | None = None
        self.density = 0.0
        self.friction = 0.2
        self.restitution = 0.0
        self.isSensor = False
        self.filter = b2Filter()
        self.userData: Any = None
        take_fields(self, fields)

    def ClearUserData(self) -> None:
        self.userData = None


b2_staticBody, b2_kinematicBody, b2_dynamicBody = 0, 1, 2
KINDS = ("static", "kinematic", "dynamic")


class b2BodyDef:
    """Definition of a body."""

    position, linearVelocity = VectorField(), VectorField()

    def __init__(self, **fields: Any) -> None:
        self.type = b2_staticBody
        self.position = (0.0, 0.0)
        self.angle = 0.0
        self.linearVelocity = (0.0, 0.0)
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
        # Fields that only `CreateBody` takes.
        self.massData: b2MassData | None = None
        self.localCenter: Sequence[float] | None = None
        self.inertia: float | None = None
        self.mass: float | None = None
        take_fields(self, fields)

    def ClearUserData(self) -> None:
        self.userData = None
