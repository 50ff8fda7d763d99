"""Debug drawing with matplotlib and pygame: both paint the items of `World.draw_items`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pygame
    from matplotlib.axes import Axes

    from cairn2d._native import World

Color = tuple[int, int, int, int]


def share(color: Color | None) -> tuple[float, ...] | str:
    """A color of matplotlib."""
    return "none" if color is None else tuple(part / 255 for part in color)


def matplotlib(world: World, axes: Axes, layers: Sequence[str] | None = None) -> None:
    """Draws a world into `axes`, in meters, with equal scales."""
    from matplotlib.patches import Polygon

    for kind, points, fill, line, width, text in world.draw_items(layers=None if layers is None else list(layers)):
        if kind == "polygon":
            axes.add_patch(Polygon(points, closed=True, facecolor=share(fill), edgecolor=share(line), linewidth=0.72 * width))
        elif kind == "line":
            axes.plot(*zip(*points), color=share(line), linewidth=0.72 * width)
        elif kind == "dot":
            axes.plot(*zip(*points), "o", color=share(line), markersize=0.72 * width)
        else:
            axes.annotate(text, points[0], color=share(line), ha="center", fontsize=0.72 * width)
    axes.set_aspect("equal")
    axes.autoscale_view()


class PygamePen:
    """Draws worlds onto a pygame surface: `center` [m] is in its middle, at `scale` [px/m]."""

    def __init__(self, surface: pygame.Surface, center: Sequence[float] = (0.0, 0.0), scale: float = 40.0) -> None:
        self.surface, self.center, self.scale = surface, (float(center[0]), float(center[1])), float(scale)
        self._font: Any = None

    def pixel(self, point: Sequence[float]) -> tuple[float, float]:
        """Place of a point of the world on the surface [px]."""
        width, height = self.surface.get_size()
        x = 0.5 * width + (point[0] - self.center[0]) * self.scale
        return x, 0.5 * height - (point[1] - self.center[1]) * self.scale

    def draw(self, world: World, layers: Sequence[str] | None = None) -> None:
        """Draws a world; fills are mixed with the colors of the surface."""
        import pygame

        veil = pygame.Surface(self.surface.get_size(), pygame.SRCALPHA)
        for kind, points, fill, line, width, text in world.draw_items(self.scale, None if layers is None else list(layers)):
            pixels = [self.pixel(point) for point in points]
            if kind == "polygon":
                if fill is not None:
                    pygame.draw.polygon(veil, fill, pixels)
                pygame.draw.lines(veil, line, True, pixels, max(1, round(width)))
            elif kind == "line":
                pygame.draw.line(veil, line, *pixels, max(1, round(width)))
            elif kind == "dot":
                pygame.draw.circle(veil, line, pixels[0], max(1.0, 0.5 * width))
            else:
                self._write(veil, text, pixels[0], line, width)
        self.surface.blit(veil, (0, 0))

    def _write(self, veil: pygame.Surface, text: str, at: tuple[float, float], color: Color, size: float) -> None:
        import pygame

        if self._font is None:
            pygame.font.init()
            self._font = pygame.font.Font(None, round(1.4 * size))
        image = self._font.render(text, True, color)
        veil.blit(image, (at[0] - 0.5 * image.get_width(), at[1] - 0.5 * image.get_height()))
