"""Debug drawing of the `Box2D` module: a world is drawn by the methods of the user's own class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cairn2d.compat._math import b2Vec2
from cairn2d.compat._matrices import b2Color
from cairn2d.compat._settings import e_convertVertices
from cairn2d.compat._shapes import b2_dynamicBody, b2_kinematicBody, b2_staticBody, b2ChainShape, b2CircleShape, b2EdgeShape

if TYPE_CHECKING:
    from cairn2d.compat._body import b2Body, b2Fixture
    from cairn2d.compat._math import b2Transform
    from cairn2d.compat._world import b2World

JOINT_COLOR = b2Color(0.5, 0.8, 0.8)
PAIR_COLOR = b2Color(0.3, 0.9, 0.9)
BOX_COLOR = b2Color(0.9, 0.3, 0.9)


class b2Draw:
    """Base of renderers: override the methods. `flags` is a dict of what is drawn; points are in the world [m]."""

    e_shapeBit, e_jointBit, e_aabbBit, e_pairBit, e_centerOfMassBit = 1, 2, 4, 8, 16

    FLAGS = {
        "drawShapes": e_shapeBit,
        "drawJoints": e_jointBit,
        "drawAABBs": e_aabbBit,
        "drawPairs": e_pairBit,
        "drawCOMs": e_centerOfMassBit,
        "convertVertices": e_convertVertices,
    }

    def __init__(self, **fields: Any) -> None:
        self._bits = 0
        for name, value in fields.items():
            getattr(type(self), name)
            setattr(self, name, value)

    @property
    def flags(self) -> dict[str, bool]:
        return {name: self._bits & bit == bit for name, bit in self.FLAGS.items()}

    @flags.setter
    def flags(self, flags: dict[str, Any]) -> None:
        self._bits = sum(bit for name, bit in self.FLAGS.items() if flags.get(name))

    def AppendFlags(self, flags: int) -> None:
        self._bits |= flags

    def ClearFlags(self, flags: int) -> None:
        self._bits &= ~flags

    def _point(self, point: b2Vec2) -> Any:
        """A point as the methods get it."""
        return point

    def _points(self, points: Sequence[b2Vec2]) -> tuple[tuple[float, float], ...]:
        """Corners as the methods get them."""
        return tuple(point.tuple for point in points)

    def DrawPolygon(self, vertices: Sequence[Sequence[float]], color: b2Color) -> None:
        raise NotImplementedError

    def DrawSolidPolygon(self, vertices: Sequence[Sequence[float]], color: b2Color) -> None:
        raise NotImplementedError

    def DrawCircle(self, center: Sequence[float], radius: float, color: b2Color) -> None:
        raise NotImplementedError

    def DrawSolidCircle(self, center: Sequence[float], radius: float, axis: b2Vec2, color: b2Color) -> None:
        raise NotImplementedError

    def DrawSegment(self, p1: Sequence[float], p2: Sequence[float], color: b2Color) -> None:
        raise NotImplementedError

    def DrawTransform(self, xf: b2Transform) -> None:
        raise NotImplementedError


class b2DrawExtended(b2Draw):
    """A renderer whose methods get pixels of a screen, if `convertVertices` is set: points are scaled by `zoom`, less `offset`."""

    convertVertices = False
    zoom = 1.0
    flipX = flipY = False
    center = offset = screenSize = b2Vec2()

    def to_screen(self, point: Sequence[float]) -> tuple[int, int]:
        """The pixel of a point of the world."""
        x, y = int(point[0] * self.zoom - self.offset[0]), int(point[1] * self.zoom - self.offset[1])
        return (
            int(self.screenSize[0]) - x if self.flipX else x,
            int(self.screenSize[1]) - y if self.flipY else y,
        )

    @property
    def _converts(self) -> bool:
        return self.convertVertices or self._bits & e_convertVertices != 0

    def _point(self, point: b2Vec2) -> Any:
        return self.to_screen(point) if self._converts else point

    def _points(self, points: Sequence[b2Vec2]) -> tuple[tuple[float, float], ...]:
        return tuple(map(self.to_screen, points)) if self._converts else super()._points(points)


def color_of(body: b2Body) -> b2Color:
    """Color of the fixtures of a body."""
    if not body.active:
        return b2Color(0.5, 0.5, 0.3)
    if body.type == b2_staticBody:
        return b2Color(0.5, 0.9, 0.5)
    if body.type == b2_kinematicBody:
        return b2Color(0.5, 0.5, 0.9)
    return b2Color(0.9, 0.7, 0.7) if body.awake else b2Color(0.6, 0.6, 0.6)


def draw_fixture(fixture: b2Fixture, xf: b2Transform, color: b2Color, draw: b2Draw) -> None:
    """Draws the shape of a fixture."""
    shape = fixture.shape
    if isinstance(shape, b2CircleShape):
        draw.DrawSolidCircle(draw._point(xf * shape.pos), shape.radius, xf.q.x_axis, color)
    elif isinstance(shape, (b2EdgeShape, b2ChainShape)):
        for edge in shape.edges if isinstance(shape, b2ChainShape) else [shape]:
            draw.DrawSegment(draw._point(xf * edge.vertex1), draw._point(xf * edge.vertex2), color)
    else:
        draw.DrawSolidPolygon(draw._points([xf * vertex for vertex in shape.vertices]), color)  # type: ignore[attr-defined]


def joint_lines(joint: Any) -> Iterator[tuple[b2Vec2, b2Vec2]]:
    """The lines that show a joint."""
    ends = joint.anchorA, joint.anchorB
    if hasattr(joint, "groundAnchorA"):
        wheels = joint.groundAnchorA, joint.groundAnchorB
        yield from ((wheels[0], ends[0]), (wheels[1], ends[1]), wheels)
    elif hasattr(joint, "maxLength") or hasattr(joint, "length"):
        yield ends
    else:
        origins = joint.bodyA.transform.position, joint.bodyB.transform.position
        yield from ((origins[0], ends[0]), ends, (origins[1], ends[1]))


def draw_world(world: b2World, draw: b2Draw) -> None:
    """Draws what the flags of a renderer ask for."""
    flags = draw.flags
    if flags["drawShapes"]:
        for body in world.bodies:
            xf, color = body.transform, color_of(body)
            for fixture in body.fixtures:
                draw_fixture(fixture, xf, color, draw)
    if flags["drawJoints"]:
        for joint in world.joints:
            for a, b in joint_lines(joint):
                draw.DrawSegment(draw._point(a), draw._point(b), JOINT_COLOR)
    if flags["drawPairs"]:
        for contact in world.contacts:
            centers = [fixture.GetAABB(0).center for fixture in (contact.fixtureA, contact.fixtureB)]
            draw.DrawSegment(*map(draw._point, centers), PAIR_COLOR)
    if flags["drawAABBs"]:
        for fixture in (fixture for body in world.bodies if body.active for fixture in body.fixtures):
            for index in range(fixture.shape.childCount):
                (x0, y0), (x1, y1) = (lambda box: (box.lowerBound, box.upperBound))(fixture.GetAABB(index))
                corners = [b2Vec2(x0, y0), b2Vec2(x1, y0), b2Vec2(x1, y1), b2Vec2(x0, y1)]
                draw.DrawPolygon(draw._points(corners), BOX_COLOR)
    if flags["drawCOMs"]:
        for body in world.bodies:
            xf = body.transform
            if body.type == b2_dynamicBody:
                xf.position = body.worldCenter
            draw.DrawTransform(xf)
