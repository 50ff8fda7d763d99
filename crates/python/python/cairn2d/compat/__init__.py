"""Stand-ins for other physics modules, so that programs that are written for them run unchanged."""

from __future__ import annotations

import sys

from cairn2d.compat import Box2D


def install(*, substeps: int | None = None, solver_budget: int | None = None) -> None:
    """Puts `cairn2d.compat.Box2D` in the place of the modules `Box2D` and `Box2D.b2`.

    `substeps` and `solver_budget` hold for worlds that are made from now on: they change `b2World.defaults`.

    Call it before anything imports `Box2D`: modules that did so keep the one that they imported. A `RuntimeError` says so if
    another `Box2D` is imported already.
    """
    present = sys.modules.get("Box2D")
    if present is not None and present is not Box2D:
        raise RuntimeError("another module Box2D is imported already: call cairn2d.compat.install() first")
    given = {"substeps": substeps, "solver_budget": solver_budget}
    Box2D.b2World.defaults.update((name, value) for name, value in given.items() if value is not None)
    sys.modules["Box2D"] = Box2D
    sys.modules["Box2D.b2"] = Box2D.b2


def uninstall() -> None:
    """Removes the stand-ins from `sys.modules`; modules that imported them keep them."""
    for name in ("Box2D", "Box2D.b2"):
        if sys.modules.get(name) in (Box2D, Box2D.b2):
            del sys.modules[name]


__all__ = ["Box2D", "install", "uninstall"]
