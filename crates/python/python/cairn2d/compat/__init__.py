"""Stand-ins for other physics modules, so that programs that are written for them run unchanged."""

from __future__ import annotations

import json
import os
import pathlib
import sys

from cairn2d.compat import Box2D

SETTINGS = "CAIRN2D_BOX2D"
"""Environment variable with the settings of `install`, for processes that are spawned."""

PATH = str(pathlib.Path(__file__).parent / "spawned")
"""Directory with a module `Box2D` that makes way for the stand-in: spawned processes get the paths of their parent."""


def install(*, substeps: int | None = None, solver_budget: int | None = None) -> None:
    """Puts `cairn2d.compat.Box2D` in the place of the modules `Box2D` and `Box2D.b2`, here and in processes that are spawned.

    `substeps` and `solver_budget` hold for worlds that are made from now on: they change `b2World.defaults`. Processes that
    `multiprocessing` spawns or forks have the stand-in and its settings, too; others call `install` themselves.

    Call it before anything imports `Box2D`: modules that did so keep the one that they imported. A `RuntimeError` says so if
    another `Box2D` is imported already.
    """
    present = sys.modules.get("Box2D")
    if present is not None and present is not Box2D:
        raise RuntimeError("another module Box2D is imported already: call cairn2d.compat.install() first")
    given = {"substeps": substeps, "solver_budget": solver_budget}
    Box2D.b2World.defaults.update((name, value) for name, value in given.items() if value is not None)
    _replace()
    os.environ[SETTINGS] = json.dumps(Box2D.b2World.defaults)
    if PATH not in sys.path:
        sys.path.insert(0, PATH)


def _replace() -> None:
    sys.modules["Box2D"] = Box2D
    sys.modules["Box2D.b2"] = Box2D.b2


def _install_spawned() -> None:
    """Installs the stand-in in a process whose parent did so: it is called while `Box2D` is imported."""
    Box2D.b2World.defaults.update(json.loads(os.environ.get(SETTINGS, "{}")))
    _replace()


def uninstall() -> None:
    """Removes the stand-ins from `sys.modules`; modules that imported them keep them."""
    for name in ("Box2D", "Box2D.b2"):
        if sys.modules.get(name) in (Box2D, Box2D.b2):
            del sys.modules[name]
    os.environ.pop(SETTINGS, None)
    if PATH in sys.path:
        sys.path.remove(PATH)


__all__ = ["Box2D", "install", "uninstall"]
