"""Manifolds: the points at which shapes touch, in the frames of their bodies, for the `Box2D` module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cairn2d import _native
from cairn2d.compat._collision import b2DistanceProxy, geometry_of, set_fields
from cairn2d.compat._math import b2Dot, b2Transform, b2Vec2
from cairn2d.compat._settings import b2_addState, b2_maxManifoldPoints, b2_nullState, b2_persistState, b2_removeState


class b2ContactFeature:
    """The corners or sides that make a point."""

    e_vertex, e_face = 0, 1

    def __init__(self) -> None:
        self.indexA = self.indexB = self.typeA = self.typeB = 0


class b2ContactID:
    """Names a point of a manifold: the place among its points."""

    def __init__(self, key: int = 0) -> None:
        self.key = key
        self.cf = b2ContactFeature()


class b2ManifoldPoint:
    """A point of a manifold: its place in the frame of the second body [m], and its impulses [N s]."""

    def __init__(self, **fields: Any) -> None:
        self.localPoint = b2Vec2()
        self.normalImpulse = self.tangentImpulse = 0.0
        self.id = b2ContactID()
        set_fields(self, fields)


class b2Manifold:
    """Points at which two shapes touch, and the normal in the frame of the first body."""

    e_circles, e_faceA, e_faceB = 0, 1, 2

    def __init__(self, **fields: Any) -> None:
        self.points: list[b2ManifoldPoint] = []
        self.localNormal, self.localPoint = b2Vec2(), b2Vec2()
        self.type_ = self.e_faceA
        set_fields(self, fields)

    @property
    def pointCount(self) -> int:
        return len(self.points)

    @pointCount.setter
    def pointCount(self, count: int) -> None:
        self.points = self.points[:count]

    def __repr__(self) -> str:
        points = [point.localPoint for point in self.points]
        return f"b2Manifold(localNormal={self.localNormal},localPoint={self.localPoint},points={points})"


def manifold_of(
    bodies: Sequence[Any], normal: b2Vec2, points: Sequence[Sequence[float]], impulses: Sequence[tuple[float, float]] = ()
) -> b2Manifold:
    """The manifold of a normal and points in the world, for two bodies or transforms."""
    (from_a, turn_a), (from_b, _) = ((frame.GetLocalPoint, frame.GetLocalVector) for frame in bodies)
    manifold = b2Manifold(localNormal=turn_a(normal))
    for i, point in enumerate(points):
        normal_impulse, tangent_impulse = impulses[i] if i < len(impulses) else (0.0, 0.0)
        manifold.points.append(
            b2ManifoldPoint(
                localPoint=from_b(point), normalImpulse=normal_impulse, tangentImpulse=tangent_impulse, id=b2ContactID(i)
            )
        )
    if points:
        manifold.localPoint = from_a(points[0])
    return manifold


def b2GetPointStates(
    manifold1: b2Manifold | None, manifold2: b2Manifold | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """States of the points of an old and of a new manifold: removed, persisting or added."""
    before = manifold1.points if manifold1 is not None else []
    now = manifold2.points if manifold2 is not None else []
    old, new = ({point.id.key for point in points} for points in (before, now))
    removed = [b2_persistState if point.id.key in new else b2_removeState for point in before]
    added = [b2_persistState if point.id.key in old else b2_addState for point in now]
    empty = [b2_nullState] * b2_maxManifoldPoints
    states = ((states + empty)[:b2_maxManifoldPoints] for states in (removed, added))
    first, second = map(tuple, states)
    return first, second


class Frame:
    """Maps points of the world to the frame of a transform."""

    def __init__(self, xf: b2Transform) -> None:
        self._xf = xf

    def GetLocalPoint(self, point: Sequence[float]) -> b2Vec2:
        return self._xf.q.inverse * (b2Vec2(point) - self._xf.position)

    def GetLocalVector(self, v: Sequence[float]) -> b2Vec2:
        return self._xf.q.inverse * v


def collide_shapes(manifold: b2Manifold, shapeA: Any, xfA: b2Transform, shapeB: Any, xfB: b2Transform) -> None:
    """Writes the manifold of two placed shapes."""
    placed = [(geometry_of(b2DistanceProxy(shape)), xf.position, xf.angle) for shape, xf in ((shapeA, xfA), (shapeB, xfB))]
    normal, points = _native._collide(*placed)
    touching = [point for point, separation, _ in points if separation <= 0.0]
    found = manifold_of([Frame(xfA), Frame(xfB)], b2Vec2(normal), touching)
    manifold.points, manifold.localNormal, manifold.localPoint = found.points, found.localNormal, found.localPoint


b2CollideCircles = b2CollidePolygonAndCircle = b2CollidePolygons = collide_shapes
b2CollideEdgeAndCircle = b2CollideEdgeAndPolygon = collide_shapes


class b2ClipVertex:
    """A corner of a segment that is clipped."""

    def __init__(self, **fields: Any) -> None:
        self.v: Sequence[float] = b2Vec2()
        self.id = b2ContactID()
        set_fields(self, fields)


def b2ClipSegmentToLine(
    vOut: list[b2ClipVertex], vIn: Sequence[b2ClipVertex], normal: Sequence[float], offset: float, vertexIndexA: int
) -> int:
    """Clips a segment by a line into `vOut`, a list; returns the number of corners."""
    first, second = (b2Dot(normal, one.v) - offset for one in vIn)
    vOut[:] = [one for one, gap in zip(vIn, (first, second)) if gap <= 0.0]
    if first * second < 0.0:
        share = first / (first - second)
        cut = b2ClipVertex(v=b2Vec2(vIn[0].v) + share * (b2Vec2(vIn[1].v) - vIn[0].v))
        cut.id.cf.indexA, cut.id.cf.typeB = vertexIndexA, b2ContactFeature.e_face
        vOut.append(cut)
    return len(vOut)


class b2ContactPoint:
    """A point of contact, for the user's own lists."""

    def __init__(self, **fields: Any) -> None:
        self.fixtureA: Any = None
        self.fixtureB: Any = None
        self.normal, self.position = b2Vec2(), b2Vec2()
        self.state = b2_nullState
        set_fields(self, fields)
