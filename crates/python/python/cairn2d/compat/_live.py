"""Vectors that follow a body: those of the original are references into its memory, and programs rely on it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cairn2d._errors import StaleHandle
from cairn2d.compat._math import b2Vec2

if TYPE_CHECKING:
    from cairn2d.compat._body import b2Body


class LiveVector(b2Vec2):
    """A vector of a body: it has the value that the body has when it is read.

    Copies keep the present value. So does the vector itself once it is changed; the body stays as it is. The vector of a body
    that was destroyed has its last value.
    """

    __slots__ = ("_body", "_name", "_own")
    __hash__ = None  # type: ignore[assignment]  # mutable

    def __init__(self, body: b2Body, name: str) -> None:
        self._body, self._name = body, name
        self._own: tuple[float, float] | None = None

    def _read(self) -> tuple[float, float]:
        if self._own is not None:
            return self._own
        try:
            return getattr(self._body._native, self._name)  # type: ignore[no-any-return]
        except StaleHandle:
            return self._body._last[self._name]

    def _write(self, x: float, y: float) -> None:
        self._own = x, y

    x = property(lambda self: self._read()[0], lambda self, x: self._write(float(x), self._read()[1]))  # type: ignore
    y = property(lambda self: self._read()[1], lambda self, y: self._write(self._read()[0], float(y)))  # type: ignore

    def __iter__(self) -> Iterator[float]:
        return iter(self._read())

    def __getitem__(self, index: int) -> float:
        # As `_read`, in less time.
        if self._own is None:
            try:
                return getattr(self._body._native, self._name)[index]  # type: ignore[no-any-return]
            except StaleHandle:
                pass
        return self._read()[index]


class LiveVelocity(LiveVector):
    """The velocity of a body: a change of it changes the body."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]  # mutable

    def _write(self, x: float, y: float) -> None:
        self._body._native.velocity = x, y
