"""Exceptions of the package."""

from __future__ import annotations


class Error(Exception):
    """Base of all exceptions of the engine. Nothing has changed when it is raised.

    `name` is the refused argument or field, `value` its value; each is `None` where the error has none.
    """

    def __init__(self, message: str, name: str | None = None, value: float | None = None) -> None:
        super().__init__(message)
        self.name = name
        self.value = value

    def __reduce__(self) -> tuple:
        return type(self), (str(self), self.name, self.value)


class InvalidValue(Error, ValueError):
    """A number, an array or a field is invalid: NaN, negative, out of range, of the wrong shape, or unknown."""


class StaleHandle(Error, LookupError):
    """The object of a handle does not exist any more."""


class LoadError(Error, ValueError):
    """A save is damaged or of an unknown format."""


class WorldBusy(Error, RuntimeError):
    """Another thread steps the world, or the call is made within another call of the same world."""
