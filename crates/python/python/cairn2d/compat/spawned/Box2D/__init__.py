"""Makes way for `cairn2d.compat.Box2D` in a process that was spawned after `cairn2d.compat.install()`."""

from cairn2d.compat import _install_spawned

_install_spawned()
