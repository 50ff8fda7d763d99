"""Collision of shapes without a world: boxes, distances, times of impact and manifolds of the `Box2D` module."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from cairn2d import _native
from cairn2d.compat._math import b2Cross, b2Dot, b2Rot, b2Transform, b2Vec2
from cairn2d.compat._settings import b2_epsilon, b2_linearSlop


def set_fields(target: object, fields: dict[str, Any]) -> None:
    """Sets the attributes of a record; a name that it does not have is an error."""
    for name, value in fields.items():
        getattr(target, name)
        setattr(target, name, value)


class b2RayCastInput:
    """A ray from `p1` to `p2`, up to a fraction of it."""

    def __init__(self, **fields: Any) -> None:
        self.p1: Sequence[float] = b2Vec2()
        self.p2: Sequence[float] = b2Vec2()
        self.maxFraction = 1.0
        set_fields(self, fields)


class b2RayCastOutput:
    """Where a ray hits."""

    def __init__(self, **fields: Any) -> None:
        self.normal = b2Vec2()
        self.fraction = 0.0
        set_fields(self, fields)


class b2AABB:
    """Box along the axes."""

    def __init__(self, lowerBound: Sequence[float] = (0.0, 0.0), upperBound: Sequence[float] = (0.0, 0.0)) -> None:
        self.lowerBound, self.upperBound = lowerBound, upperBound  # type: ignore[assignment]

    lowerBound = property(lambda self: self._lower, lambda self, corner: setattr(self, "_lower", b2Vec2(corner)))
    upperBound = property(lambda self: self._upper, lambda self, corner: setattr(self, "_upper", b2Vec2(corner)))
    center = property(lambda self: 0.5 * (self._lower + self._upper))
    extents = property(lambda self: 0.5 * (self._upper - self._lower))
    perimeter = property(lambda self: 2.0 * sum(self._upper - self._lower))

    @property
    def valid(self) -> bool:
        size = self._upper - self._lower
        return min(size) >= 0.0 and self._lower.valid and self._upper.valid  # type: ignore[no-any-return]

    def Combine(self, *boxes: b2AABB) -> None:
        """Grows the box around another one, or makes it the box around two."""
        boxes = boxes if len(boxes) > 1 else (self, *boxes)
        x0, y0 = zip(*(box.lowerBound for box in boxes))
        x1, y1 = zip(*(box.upperBound for box in boxes))
        self.lowerBound, self.upperBound = (min(x0), min(y0)), (max(x1), max(y1))

    def __contains__(self, other: b2AABB) -> bool:
        lower, upper = self._lower, self._upper
        a, b = other.lowerBound, other.upperBound
        return lower.x <= a.x and lower.y <= a.y and b.x <= upper.x and b.y <= upper.y  # type: ignore[no-any-return]

    def overlaps(self, other: b2AABB) -> bool:
        a, b = other.lowerBound - self._upper, self._lower - other.upperBound
        return max(*a, *b) <= 0.0

    def RayCast(self, output: b2RayCastOutput, input: b2RayCastInput) -> bool:
        (x0, y0), (x1, y1) = self._lower, self._upper
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
        return ray_cast_polygon(corners, b2Transform(), output, input)

    def __repr__(self) -> str:
        return f"b2AABB(lowerBound={self._lower},upperBound={self._upper})"


def ray_cast_polygon(
    corners: Sequence[Sequence[float]], xf: b2Transform, output: b2RayCastOutput, input: b2RayCastInput
) -> bool:
    """Casts a ray against a convex polygon, counter-clockwise: it is clipped by each side."""
    back = xf.q.inverse
    start = back * (b2Vec2(input.p1) - xf.position)
    along = back * (b2Vec2(input.p2) - input.p1)
    lower, upper, hit = 0.0, input.maxFraction, None
    for a, b in zip(corners, [*corners[1:], corners[0]]):
        normal = b2Vec2(b[1] - a[1], a[0] - b[0])
        gap, rate = normal.dot((a[0] - start.x, a[1] - start.y)), normal.dot(along)
        if rate == 0.0:
            if gap < 0.0:
                return False
        elif rate < 0.0 and gap < lower * rate:
            lower, hit = gap / rate, normal
        elif rate > 0.0 and gap < upper * rate:
            upper = gap / rate
        if upper < lower:
            return False
    if hit is None:
        return False
    hit.Normalize()
    output.fraction, output.normal = lower, xf.q * hit
    return True


def ray_cast_circle(center: b2Vec2, radius: float, output: b2RayCastOutput, input: b2RayCastInput) -> bool:
    """Casts a ray against a circle in the world."""
    offset = b2Vec2(input.p1) - center
    along = b2Vec2(input.p2) - input.p1
    c, length = offset.dot(along), along.lengthSquared
    root = c * c - length * (offset.lengthSquared - radius * radius)
    if root < 0.0 or length < b2_epsilon:
        return False
    fraction = -(c + math.sqrt(root)) / length
    if not 0.0 <= fraction <= input.maxFraction:
        return False
    output.fraction, output.normal = fraction, offset + fraction * along
    output.normal.Normalize()
    return True


def ray_cast_edge(a: b2Vec2, b: b2Vec2, output: b2RayCastOutput, input: b2RayCastInput) -> bool:
    """Casts a ray against a line in the world, from both sides."""
    side, along, start = b - a, b2Vec2(input.p2) - input.p1, b2Vec2(input.p1)
    normal = b2Vec2(side.y, -side.x)
    normal.Normalize()
    rate, gap = normal.dot(along), normal.dot(a - start)
    if rate == 0.0 or side.lengthSquared == 0.0:
        return False
    fraction = gap / rate
    share = (start + fraction * along - a).dot(side) / side.lengthSquared
    if not 0.0 <= fraction <= input.maxFraction or not 0.0 <= share <= 1.0:
        return False
    output.fraction, output.normal = fraction, -normal if gap > 0.0 else normal
    return True


class b2DistanceProxy:
    """Corners and radius of a shape, or of one edge of a chain."""

    def __init__(self, shape: Any = None, index: int = 0) -> None:
        self.vertices: list[b2Vec2] = []
        self.m_radius = 0.0
        if shape is not None:
            self.Set(shape, index)

    def Set(self, shape: Any, index: int = 0) -> None:
        part = shape.getChildEdge(index) if hasattr(shape, "getChildEdge") else shape
        corners = [part.pos] if hasattr(part, "pos") else part.vertices
        self.vertices, self.m_radius = [b2Vec2(v) for v in corners], part.radius

    def GetSupport(self, direction: Sequence[float]) -> int:
        """Index of the corner that is furthest in a direction."""
        along = [v.dot(direction) for v in self.vertices]
        return along.index(max(along))

    def GetSupportVertex(self, direction: Sequence[float]) -> b2Vec2:
        return self.vertices[self.GetSupport(direction)]


class b2DistanceInput:
    """The placed shapes whose distance is measured."""

    def __init__(self, **fields: Any) -> None:
        self.proxyA, self.proxyB = b2DistanceProxy(), b2DistanceProxy()
        self.transformA, self.transformB = b2Transform(), b2Transform()
        self.useRadii = True
        set_fields(self, fields)


class b2DistanceResult(NamedTuple):
    """Nearest points [m], distance [m] and iterations."""

    pointA: tuple[float, float]
    pointB: tuple[float, float]
    distance: float
    iterations: int


b2DistanceOutput = b2DistanceResult

MAX_ITERATIONS = 20
"""Iterations of a distance at most."""


class Corner(NamedTuple):
    """A corner of the difference B - A, and the corners that make it."""

    offset: b2Vec2
    a: int
    b: int


def nearest_part(simplex: list[Corner]) -> tuple[list[Corner], list[float]]:
    """The corners of the least part of a simplex that is nearest to the origin, with the weights of the nearest point."""
    best = None
    for count in range(1, len(simplex) + 1):
        for part in parts_of(simplex, count):
            weights = weights_of([corner.offset for corner in part])
            if weights is None or min(weights) < 0.0:
                continue
            point = point_of(weights, [corner.offset for corner in part])
            if best is None or point.lengthSquared < best[0]:
                best = point.lengthSquared, part, weights
    assert best is not None
    return best[1], best[2]


def parts_of(simplex: list[Corner], count: int) -> list[list[Corner]]:
    """The parts of `count` corners of a simplex of at most three."""
    if count == len(simplex):
        return [simplex]
    if count == 1:
        return [[corner] for corner in simplex]
    return [[simplex[0], simplex[1]], [simplex[0], simplex[2]], [simplex[1], simplex[2]]]


def weights_of(points: list[b2Vec2]) -> list[float] | None:
    """Weights of the point of the affine hull of points that is nearest to the origin; `None` if they are degenerate."""
    if len(points) == 1:
        return [1.0]
    if len(points) == 2:
        a, b = points
        side = b - a
        length = side.lengthSquared
        share = -a.dot(side) / length if length > 0.0 else -1.0
        return [1.0 - share, share]
    a, b, c = points
    area = b2Cross(b - a, c - a)
    if area == 0.0:
        return None
    return [b2Cross(b, c) / area, b2Cross(c, a) / area, b2Cross(a, b) / area]


def point_of(weights: list[float], points: Iterable[Sequence[float]]) -> b2Vec2:
    """The weighted mean of points."""
    out = b2Vec2()
    for weight, (x, y) in zip(weights, points):
        out += (weight * x, weight * y)
    return out


def corner_distance(input: b2DistanceInput) -> b2DistanceResult:
    """Distance of two shapes, by the method of Gilbert, Johnson and Keerthi; it starts from the first corners."""
    a, b, xf_a, xf_b = input.proxyA, input.proxyB, input.transformA, input.transformB

    def corner(at_a: int, at_b: int) -> Corner:
        return Corner(xf_b * b.vertices[at_b] - xf_a * a.vertices[at_a], at_a, at_b)

    simplex, weights, iterations = [corner(0, 0)], [1.0], 0
    while iterations < MAX_ITERATIONS:
        simplex, weights = nearest_part(simplex)
        nearest = point_of(weights, [one.offset for one in simplex])
        if len(simplex) == 3 or nearest.lengthSquared < b2_epsilon**2:
            break
        found = corner(a.GetSupport(xf_a.q.inverse * nearest), b.GetSupport(xf_b.q.inverse * -nearest))
        iterations += 1
        if any((found.a, found.b) == (one.a, one.b) for one in simplex):
            break
        simplex = [*simplex, found]
    simplex, weights = nearest_part(simplex)
    point_a = point_of(weights, [xf_a * a.vertices[one.a] for one in simplex])
    point_b = point_of(weights, [xf_b * b.vertices[one.b] for one in simplex])
    distance = (point_b - point_a).length
    if input.useRadii:
        radii, normal = a.m_radius + b.m_radius, point_b - point_a
        normal.Normalize()
        if distance > radii and distance > b2_epsilon:
            distance, point_a, point_b = distance - radii, point_a + a.m_radius * normal, point_b - b.m_radius * normal
        else:
            point_a = point_b = 0.5 * (point_a + point_b)
            distance = 0.0
    return b2DistanceResult(tuple(point_a), tuple(point_b), distance, iterations)


def b2Distance(  # type: ignore[no-untyped-def]
    shapeA=None, idxA=0, shapeB=None, idxB=0, transformA=None, transformB=None, useRadii: bool = True
):
    """Nearest points of two placed shapes, or of a `b2DistanceInput`; the distance of two vectors [m], as a number."""
    if isinstance(shapeA, b2DistanceInput):
        return corner_distance(shapeA)
    if shapeB is None:
        return math.hypot(shapeA[0] - idxA[0], shapeA[1] - idxA[1])
    proxies = {"proxyA": b2DistanceProxy(shapeA, idxA), "proxyB": b2DistanceProxy(shapeB, idxB)}
    placed = {"transformA": transformA or b2Transform(), "transformB": transformB or b2Transform()}
    return corner_distance(b2DistanceInput(**proxies, **placed, useRadii=useRadii))


def b2TestOverlap(a, indexA, b=None, indexB=0, xfA=None, xfB=None) -> bool:  # type: ignore[no-untyped-def]
    """Whether two boxes, or two placed shapes, overlap."""
    if b is None:
        return a.overlaps(indexA)  # type: ignore[no-any-return]
    distance = b2Distance(a, indexA, b, indexB, xfA, xfB).distance
    return distance < 10.0 * b2_epsilon  # type: ignore[no-any-return]


class b2Sweep:
    """Motion of a body: center of mass and angle at the start (`c0`, `a0`) and at the end (`c`, `a`)."""

    def __init__(self, **fields: Any) -> None:
        self.localCenter: Sequence[float] = b2Vec2()
        self.c0: Sequence[float] = b2Vec2()
        self.c: Sequence[float] = b2Vec2()
        self.a0 = self.a = self.alpha0 = 0.0
        set_fields(self, fields)

    def GetTransform(self, beta: float) -> b2Transform:
        """The pose at a fraction of the motion."""
        center = (1.0 - beta) * b2Vec2(self.c0) + beta * b2Vec2(self.c)
        q = b2Rot((1.0 - beta) * self.a0 + beta * self.a)
        return b2Transform(center - q * self.localCenter, q)

    def Advance(self, alpha: float) -> None:
        """Moves the start of the motion on to `alpha`."""
        share = (alpha - self.alpha0) / (1.0 - self.alpha0)
        self.c0 = b2Vec2(self.c0) + share * (b2Vec2(self.c) - self.c0)
        self.a0 += share * (self.a - self.a0)
        self.alpha0 = alpha

    def Normalize(self) -> None:
        """Takes full turns off both angles."""
        turns = 2.0 * math.pi * math.floor(self.a0 / (2.0 * math.pi))
        self.a0, self.a = self.a0 - turns, self.a - turns


class b2TOIInput:
    """Two moving shapes."""

    def __init__(self, **fields: Any) -> None:
        self.proxyA, self.proxyB = b2DistanceProxy(), b2DistanceProxy()
        self.sweepA, self.sweepB = b2Sweep(), b2Sweep()
        self.tMax = 0.0
        set_fields(self, fields)


class b2TOIOutput:
    """State and fraction of a time of impact."""

    e_unknown, e_failed, e_overlapped, e_touching, e_separated = range(5)

    def __init__(self) -> None:
        self.state, self.t = self.e_unknown, 0.0


def geometry_of(proxy: b2DistanceProxy) -> _native.Geometry:
    """The geometry of the engine that a proxy describes."""
    points = [(v.x, v.y) for v in proxy.vertices]
    # Polygons and edges keep a distance of a slop, less than the sum of their radii.
    radius = max(proxy.m_radius - 0.5 * b2_linearSlop, 0.0)
    if len(points) == 1:
        return _native.Geometry.circle(max(radius, b2_linearSlop), points[0])
    if len(points) == 2:
        return _native.Geometry.capsule(*points, max(radius, b2_linearSlop))
    return _native.Geometry.polygon(points, radius=radius)


def b2TimeOfImpact(  # type: ignore[no-untyped-def]
    shapeA=None, idxA=0, shapeB=None, idxB=0, sweepA=None, sweepB=None, tMax: float = 0.0
) -> tuple[int, float]:
    """When two moving shapes, or those of a `b2TOIInput`, first touch: a state of `b2TOIOutput`, and the fraction."""
    if isinstance(shapeA, b2TOIInput):
        given = shapeA
        proxies, sweeps, tMax = (given.proxyA, given.proxyB), (given.sweepA, given.sweepB), given.tMax
    else:
        # Without `idxA` and `idxB` the arguments may be given in this order, too.
        if shapeB is None or not hasattr(shapeB, "radius"):
            shapeA, shapeB, sweepA, sweepB, tMax, idxA, idxB = shapeA, idxA, shapeB, idxB, sweepA, 0, 0
        proxies = b2DistanceProxy(shapeA, idxA), b2DistanceProxy(shapeB, idxB)
        sweeps = sweepA, sweepB
    moving = [
        (geometry_of(proxy), sweep.localCenter, [sweep.c0, sweep.c], [sweep.a0, sweep.a])
        for proxy, sweep in zip(proxies, sweeps)
    ]
    state, fraction = _native._time_of_impact(*moving, tMax)
    return getattr(b2TOIOutput, f"e_{state}"), fraction
