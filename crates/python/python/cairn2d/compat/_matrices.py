"""Three-dimensional vectors, matrices and colors of the `Box2D` module."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from cairn2d.compat._math import b2Vec2


class Triple:
    """Three numbers with arithmetic; subclasses name them."""

    __slots__ = ("_numbers",)
    __hash__ = None  # type: ignore[assignment]  # mutable

    def __init__(self, *args: float | Sequence[float]) -> None:
        if len(args) == 1:
            args = tuple(args[0])  # type: ignore[arg-type]
        if len(args) not in (0, 3):
            raise TypeError(f"{type(self).__name__} takes three numbers, or a sequence of them")
        self._numbers = [float(x) for x in args] or [0.0, 0.0, 0.0]  # type: ignore[arg-type]

    def __getitem__(self, index: int) -> float:
        return self._numbers[index]

    def __setitem__(self, index: int, value: float) -> None:
        self._numbers[index] = float(value)

    def __iter__(self) -> Iterator[float]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return 3

    def __eq__(self, other: object) -> bool:
        try:
            return list(self) == [float(x) for x in other]  # type: ignore[attr-defined]
        except (TypeError, ValueError):
            return NotImplemented

    def __bool__(self) -> bool:
        return any(self._numbers)

    def __add__(self, other: Iterable[float]):  # type: ignore[no-untyped-def]
        return type(self)(*(a + b for a, b in zip(self, other)))

    def __sub__(self, other: Iterable[float]):  # type: ignore[no-untyped-def]
        return type(self)(*(a - b for a, b in zip(self, other)))

    def __mul__(self, factor: float):  # type: ignore[no-untyped-def]
        return type(self)(*(a * factor for a in self))

    __rmul__ = __mul__

    def __truediv__(self, divisor: float):  # type: ignore[no-untyped-def]
        return type(self)(*(a / divisor for a in self))

    def __iadd__(self, other: Iterable[float]):  # type: ignore[no-untyped-def]
        self._numbers = list(self + other)
        return self

    def __isub__(self, other: Iterable[float]):  # type: ignore[no-untyped-def]
        self._numbers = list(self - other)
        return self

    def __imul__(self, factor: float):  # type: ignore[no-untyped-def]
        self._numbers = list(self * factor)
        return self

    def __itruediv__(self, divisor: float):  # type: ignore[no-untyped-def]
        self._numbers = list(self / divisor)
        return self

    def __repr__(self) -> str:
        return "{}({:g},{:g},{:g})".format(type(self).__name__, *self)

    def copy(self):  # type: ignore[no-untyped-def]
        """A copy of its own."""
        return type(self)(*self)

    __copy__ = copy

    def __reduce__(self) -> tuple:
        return type(self), tuple(self)

    def Set(self, first: float, second: float, third: float) -> None:
        self._numbers = [float(first), float(second), float(third)]


def item(index: int) -> property:
    """The number of this index."""
    return property(lambda self: self[index], lambda self, value: self.__setitem__(index, value))


class b2Vec3(Triple):
    """Vector of three numbers."""

    __slots__ = ()

    x, y, z = item(0), item(1), item(2)

    def __init__(self, *args: float | Sequence[float]) -> None:
        if len(args) == 1 and len(args[0]) == 2:  # type: ignore[arg-type]
            args = (*args[0], 0.0)  # type: ignore[misc]
        super().__init__(*args)

    def __neg__(self) -> b2Vec3:
        return b2Vec3(-self.x, -self.y, -self.z)

    @property
    def tuple(self) -> tuple[float, float, float]:
        return self.x, self.y, self.z

    @tuple.setter
    def tuple(self, numbers: Sequence[float]) -> None:
        self.Set(*numbers)

    @property
    def lengthSquared(self) -> float:
        return self.dot(self)

    @property
    def length(self) -> float:
        return math.sqrt(self.lengthSquared)

    @property
    def valid(self) -> bool:
        return all(map(math.isfinite, self))

    def SetZero(self) -> None:
        self.Set(0.0, 0.0, 0.0)

    def dot(self, other: Iterable[float]) -> float:
        return sum(a * b for a, b in zip(self, other))

    def cross(self, other: Sequence[float]) -> b2Vec3:
        (a, b, c), (x, y, z) = self, other
        return b2Vec3(b * z - c * y, c * x - a * z, a * y - b * x)


class b2Color(Triple):
    """Red, green and blue, from 0 to 1."""

    __slots__ = ()

    r, g, b = item(0), item(1), item(2)

    @property
    def bytes(self) -> list[int]:
        """The three numbers, from 0 to 255."""
        return [int(255 * part) for part in self]

    @bytes.setter
    def bytes(self, numbers: Sequence[int]) -> None:
        self.Set(*(number / 255 for number in numbers))

    @property
    def list(self) -> list[float]:
        return [*self]

    @list.setter
    def list(self, numbers: Sequence[float]) -> None:
        self.Set(*numbers)


class b2Mat22:
    """Matrix of two columns; the unit matrix without arguments, and a rotation of an angle [rad]."""

    __slots__ = ("col1", "col2")

    def __init__(self, *args: float | Sequence[float]) -> None:
        if len(args) == 1:
            self.angle = args[0]
        elif len(args) == 4:
            a, b, c, d = args  # type: ignore[misc]
            self.col1, self.col2 = b2Vec2(a, c), b2Vec2(b, d)  # type: ignore[arg-type]
        elif args:
            self.col1, self.col2 = map(b2Vec2, args)
        else:
            self.SetIdentity()

    ex = property(lambda self: self.col1, lambda self, column: setattr(self, "col1", b2Vec2(column)))
    ey = property(lambda self: self.col2, lambda self, column: setattr(self, "col2", b2Vec2(column)))

    @property
    def angle(self) -> float:
        return math.atan2(self.col1.y, self.col1.x)

    @angle.setter
    def angle(self, angle: float) -> None:
        c, s = math.cos(angle), math.sin(angle)
        self.col1, self.col2 = b2Vec2(c, s), b2Vec2(-s, c)

    def set(self, angle: float) -> None:
        """Makes it a rotation of this angle [rad]."""
        self.angle = angle

    def SetIdentity(self) -> None:
        self.col1, self.col2 = b2Vec2(1.0, 0.0), b2Vec2(0.0, 1.0)

    def SetZero(self) -> None:
        self.col1, self.col2 = b2Vec2(), b2Vec2()

    @property
    def inverse(self) -> b2Mat22:
        """The inverse; zero of a singular matrix."""
        (a, c), (b, d) = self.col1, self.col2
        det = a * d - b * c
        det = 1.0 / det if det != 0.0 else 0.0
        return b2Mat22((det * d, -det * c), (-det * b, det * a))

    def Solve(self, b: Sequence[float]) -> b2Vec2:
        """The vector whose image is `b`."""
        return self.inverse * b  # type: ignore[no-any-return]

    def __mul__(self, other):  # type: ignore[no-untyped-def]
        if isinstance(other, b2Mat22):
            return b2Mat22(self * other.col1, self * other.col2)
        return other[0] * self.col1 + other[1] * self.col2

    def __add__(self, other: b2Mat22) -> b2Mat22:
        return b2Mat22(self.col1 + other.col1, self.col2 + other.col2)

    def __sub__(self, other: b2Mat22) -> b2Mat22:
        return b2Mat22(self.col1 - other.col1, self.col2 - other.col2)

    def transposed(self) -> b2Mat22:
        """The transpose."""
        (a, c), (b, d) = self.col1, self.col2
        return b2Mat22((a, b), (c, d))

    def __repr__(self) -> str:
        return f"b2Mat22({self.col1}, {self.col2})"


class b2Mat33:
    """Matrix of three columns; the unit matrix without arguments."""

    __slots__ = ("col1", "col2", "col3")

    def __init__(self, *columns: Sequence[float]) -> None:
        self.col1, self.col2, self.col3 = map(b2Vec3, columns or ((1, 0, 0), (0, 1, 0), (0, 0, 1)))

    ex = property(lambda self: self.col1, lambda self, column: setattr(self, "col1", b2Vec3(column)))
    ey = property(lambda self: self.col2, lambda self, column: setattr(self, "col2", b2Vec3(column)))
    ez = property(lambda self: self.col3, lambda self, column: setattr(self, "col3", b2Vec3(column)))

    def SetZero(self) -> None:
        self.col1, self.col2, self.col3 = b2Vec3(), b2Vec3(), b2Vec3()

    def __mul__(self, v: Sequence[float]) -> b2Vec3:
        return v[0] * self.col1 + v[1] * self.col2 + v[2] * self.col3

    def __add__(self, other: b2Mat33) -> b2Mat33:
        return b2Mat33(self.col1 + other.col1, self.col2 + other.col2, self.col3 + other.col3)

    def __sub__(self, other: b2Mat33) -> b2Mat33:
        return b2Mat33(self.col1 - other.col1, self.col2 - other.col2, self.col3 - other.col3)

    def _upper(self) -> b2Mat22:
        return b2Mat22((self.col1.x, self.col1.y), (self.col2.x, self.col2.y))

    def Solve22(self, b: Sequence[float]) -> b2Vec2:
        """The vector whose image under the upper two rows and columns is `b`."""
        return self._upper().Solve(b)

    def Solve33(self, b: Sequence[float]) -> b2Vec3:
        """The vector whose image is `b`; zero if the matrix is singular."""
        x, y, z = self.col1, self.col2, self.col3
        det = x.dot(y.cross(z))
        det = 1.0 / det if det != 0.0 else 0.0
        b = b2Vec3(*b)
        return b2Vec3(det * b.dot(y.cross(z)), det * x.dot(b.cross(z)), det * x.dot(y.cross(b)))

    def GetInverse22(self, M: b2Mat33) -> None:
        """Writes the inverse of the upper two rows and columns to `M`; the rest is zero."""
        inverse = self._upper().inverse
        M.col1, M.col2, M.col3 = b2Vec3(*inverse.col1, 0.0), b2Vec3(*inverse.col2, 0.0), b2Vec3()

    def GetSymInverse33(self, M: b2Mat33) -> None:
        """Writes the inverse of this symmetric matrix to `M`."""
        M.col1, M.col2, M.col3 = (self.Solve33(unit) for unit in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))

    def __repr__(self) -> str:
        return f"b2Mat33({self.col1}, {self.col2}, {self.col3})"
