"""Vectors and transforms of the `Box2D` module."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence


class b2Vec2:
    """Vector of two numbers: mutable, a sequence, with arithmetic."""

    __slots__ = ("x", "y")
    __hash__ = None  # type: ignore[assignment]  # mutable

    def __init__(self, x: float | Sequence[float] = (0.0, 0.0), y: float | None = None) -> None:
        """Takes two numbers, or a sequence of two."""
        if y is None:
            x, y = x  # type: ignore[misc]
        self.x, self.y = float(x), float(y)  # type: ignore[arg-type]

    def __getitem__(self, index: int) -> float:
        return (self.x, self.y)[index]

    def __setitem__(self, index: int, value: float) -> None:
        if index in (0, -2):
            self.x = float(value)
        elif index in (1, -1):
            self.y = float(value)
        else:
            raise IndexError("a b2Vec2 has two items")

    def __iter__(self) -> Iterator[float]:
        yield self.x
        yield self.y

    def __len__(self) -> int:
        return 2

    def __add__(self, other: Sequence[float]) -> b2Vec2:
        return b2Vec2(self.x + other[0], self.y + other[1])

    __radd__ = __add__

    def __sub__(self, other: Sequence[float]) -> b2Vec2:
        return b2Vec2(self.x - other[0], self.y - other[1])

    def __rsub__(self, other: Sequence[float]) -> b2Vec2:
        return b2Vec2(other[0] - self.x, other[1] - self.y)

    def __mul__(self, factor: float) -> b2Vec2:
        return b2Vec2(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> b2Vec2:
        return b2Vec2(self.x / divisor, self.y / divisor)

    def __neg__(self) -> b2Vec2:
        return b2Vec2(-self.x, -self.y)

    def __eq__(self, other: object) -> bool:
        try:
            return len(other) == 2 and self.x == other[0] and self.y == other[1]  # type: ignore
        except TypeError:
            return NotImplemented

    def __bool__(self) -> bool:
        return self.x != 0.0 or self.y != 0.0

    def __iadd__(self, other: Sequence[float]) -> b2Vec2:
        self.x, self.y = self.x + other[0], self.y + other[1]
        return self

    def __isub__(self, other: Sequence[float]) -> b2Vec2:
        self.x, self.y = self.x - other[0], self.y - other[1]
        return self

    def __imul__(self, factor: float) -> b2Vec2:
        self.x, self.y = self.x * factor, self.y * factor
        return self

    def __copy__(self) -> b2Vec2:
        return b2Vec2(self.x, self.y)

    def __reduce__(self) -> tuple:
        return b2Vec2, (self.x, self.y)

    def __repr__(self) -> str:
        return f"b2Vec2({self.x:g},{self.y:g})"

    def copy(self) -> b2Vec2:
        return b2Vec2(self.x, self.y)

    def Set(self, x: float, y: float) -> None:
        self.x, self.y = float(x), float(y)

    def SetZero(self) -> None:
        self.x = self.y = 0.0

    @property
    def tuple(self) -> tuple[float, float]:
        return self.x, self.y

    @tuple.setter
    def tuple(self, numbers: Sequence[float]) -> None:
        self.x, self.y = map(float, numbers)

    @property
    def length(self) -> float:
        return math.hypot(self.x, self.y)

    @property
    def lengthSquared(self) -> float:
        return self.x * self.x + self.y * self.y

    @property
    def skew(self) -> b2Vec2:
        return b2Vec2(-self.y, self.x)

    @property
    def valid(self) -> bool:
        return math.isfinite(self.x) and math.isfinite(self.y)

    def Normalize(self) -> float:
        """Scales the vector to length 1, and returns its length before; a zero vector stays."""
        length = self.length
        if length > 0.0:
            self.x, self.y = self.x / length, self.y / length
        return length

    def dot(self, other: Sequence[float]) -> float:
        return self.x * other[0] + self.y * other[1]

    def cross(self, other: Sequence[float] | float) -> float | b2Vec2:
        """Cross product with a vector, a number; or with a number about z, a vector."""
        if isinstance(other, (int, float)):
            return b2Vec2(other * self.y, -other * self.x)
        return self.x * other[1] - self.y * other[0]


class b2Rot:
    """Rotation: sine and cosine of an angle [rad]."""

    __slots__ = ("c", "s")

    def __init__(self, angle: float = 0.0) -> None:
        self.angle = angle

    @property
    def angle(self) -> float:
        return math.atan2(self.s, self.c)

    @angle.setter
    def angle(self, angle: float) -> None:
        self.s, self.c = math.sin(angle), math.cos(angle)

    def SetIdentity(self) -> None:
        self.angle = 0.0

    def __mul__(self, v: Sequence[float]) -> b2Vec2:
        return b2Vec2(self.c * v[0] - self.s * v[1], self.s * v[0] + self.c * v[1])

    @property
    def inverse(self) -> b2Rot:
        """The rotation back; the original has `b2MulT`."""
        back = b2Rot()
        back.c, back.s = self.c, -self.s
        return back

    @property
    def x_axis(self) -> b2Vec2:
        return b2Vec2(self.c, self.s)

    @property
    def y_axis(self) -> b2Vec2:
        return b2Vec2(-self.s, self.c)

    def GetXAxis(self) -> b2Vec2:
        return self.x_axis

    def GetYAxis(self) -> b2Vec2:
        return self.y_axis


class b2Transform:
    """Rotation and translation: `transform * point` maps local points to the world."""

    __slots__ = ("_position", "q")

    def __init__(self, position: Sequence[float] = (0.0, 0.0), angle: float | b2Rot = 0.0) -> None:
        self._position = b2Vec2(position)
        self.q = angle if isinstance(angle, b2Rot) else b2Rot(angle)

    def __mul__(self, v: Sequence[float]) -> b2Vec2:
        q, p = self.q, self._position
        return b2Vec2(q.c * v[0] - q.s * v[1] + p.x, q.s * v[0] + q.c * v[1] + p.y)

    @property
    def position(self) -> b2Vec2:
        return self._position

    @position.setter
    def position(self, position: Sequence[float]) -> None:
        self._position = b2Vec2(position)

    @property
    def R(self) -> b2Rot:
        return self.q

    @R.setter
    def R(self, rotation: b2Rot) -> None:
        self.q = rotation

    @property
    def angle(self) -> float:
        return self.q.angle

    @angle.setter
    def angle(self, angle: float) -> None:
        self.q.angle = angle

    def Set(self, position: Sequence[float], angle: float) -> None:
        self._position, self.q = b2Vec2(position), b2Rot(angle)

    def SetIdentity(self) -> None:
        self.Set((0.0, 0.0), 0.0)


b2Vec2_zero = b2Vec2()


def b2Dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b))


def b2Cross(a, b):  # type: ignore[no-untyped-def]
    """Cross product of two vectors of two or three numbers, or of such a vector and a number about z."""
    if isinstance(a, (int, float)):
        return b2Vec2(-a * b[1], a * b[0])
    if len(a) == 3:
        return a.cross(b)
    return b2Vec2(a).cross(b)


def b2DistanceSquared(a: Sequence[float], b: Sequence[float]) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def b2Mul(a, b):  # type: ignore[no-untyped-def]
    """Product of a matrix, a rotation or a transform with another one, or with a vector."""
    if isinstance(a, b2Transform) and isinstance(b, b2Transform):
        out = b2Transform(a * b.position)
        out.q = b2Mul(a.q, b.q)
        return out
    if isinstance(a, b2Rot) and isinstance(b, b2Rot):
        out = b2Rot()
        out.c, out.s = a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s
        return out
    return a * b


def b2MulT(a, b):  # type: ignore[no-untyped-def]
    """Product of the transpose of a matrix or rotation, or of the inverse of a transform, with another one or a vector."""
    if isinstance(a, b2Rot):
        return b2Mul(a.inverse, b)
    if not isinstance(a, b2Transform):
        return a.transposed() * b
    if not isinstance(b, b2Transform):
        return a.q.inverse * (b2Vec2(b) - a.position)
    out = b2Transform(a.q.inverse * (b.position - a.position))
    out.q = b2Mul(a.q.inverse, b.q)
    return out


def b2Mul22(matrix, v: Sequence[float]) -> b2Vec2:  # type: ignore[no-untyped-def]
    """Product of the upper two rows and columns of a `b2Mat33` with a vector."""
    (a, c, _), (b, d, _) = matrix.col1, matrix.col2
    return b2Vec2(a * v[0] + b * v[1], c * v[0] + d * v[1])


def b2Abs(a):  # type: ignore[no-untyped-def]
    return abs(a) if isinstance(a, (int, float)) else b2Vec2(abs(a[0]), abs(a[1]))


def b2Min(a, b):  # type: ignore[no-untyped-def]
    return min(a, b) if isinstance(a, (int, float)) else b2Vec2(min(a[0], b[0]), min(a[1], b[1]))


def b2Max(a, b):  # type: ignore[no-untyped-def]
    return max(a, b) if isinstance(a, (int, float)) else b2Vec2(max(a[0], b[0]), max(a[1], b[1]))


def b2Clamp(a, low, high):  # type: ignore[no-untyped-def]
    return b2Max(low, b2Min(a, high))
