"""Pictures: arrays, SVG, matplotlib, pygame."""

import os
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import cairn2d
from cairn2d import Geometry, draw

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
VIEW = (-4.0, -1.0, 4.0, 5.0)


def scene():
    world = cairn2d.World()
    world.create_body("static", position=(0.0, -0.5)).create_shape(Geometry.rectangle(8.0, 0.5))
    box = world.create_body("dynamic", position=(1.0, 1.0))
    box.create_shape(Geometry.rectangle(1.0, 1.0))
    ball = world.create_body("dynamic", position=(-2.0, 2.0))
    ball.create_shape(Geometry.circle(0.75))
    world.create_joint("distance", box, ball, anchor=(1.0, 1.0), anchor_b=(-2.0, 2.0))
    world.step(1 / 60, 30)
    return world


def test_picture_shows_shapes_at_their_places():
    world = scene()
    picture = world.render(width=400, height=300, view=VIEW)
    assert picture.shape == (300, 400, 3) and picture.dtype == np.uint8
    background = picture[5, 5]

    def color(x, y):
        return picture[int((VIEW[3] - y) * 50), int((x - VIEW[0]) * 50)]

    box, ball = world.bodies()[1], world.bodies()[2]
    assert (color(*box.to_world((0.3, 0.5))) != background).any()
    assert (color(*ball.to_world((0.4, -0.4))) != background).any()
    assert (color(3.0, -0.3) != background).any()
    assert (color(3.0, 3.0) == background).all()
    inside = (picture != background).any(axis=2).sum()
    areas = 4.0 + np.pi * 0.75**2 + 8.0 * 1.0
    assert inside / 50**2 == pytest.approx(areas, rel=0.08)
    assert (world.render(400, 300, VIEW) == picture).all()


def test_svg_has_one_polygon_for_each_shape():
    world = scene()
    root = ElementTree.fromstring(world.to_svg(layers=["shapes"]))
    tag = "{http://www.w3.org/2000/svg}"
    assert root.tag == tag + "svg" and root.get("width") == "640"
    assert len(root.findall(tag + "polygon")) >= 3
    assert world._repr_svg_().startswith("<svg")
    more = ElementTree.fromstring(world.to_svg(layers=["shapes", "joints", "contacts", "ids", "velocities"]))
    assert len(list(more)) > len(list(root)) and more.find(tag + "text") is not None


def test_empty_world_is_drawn():
    world = cairn2d.World()
    assert len(np.unique(world.render(8, 8))) <= 3
    assert world.draw_items() == []


def test_matplotlib_draws_the_items():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    draw.matplotlib(scene(), axes, layers=["shapes", "joints", "contacts", "ids"])
    assert len(axes.patches) >= 3 and len(axes.texts) == 2
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())
    assert len(np.unique(pixels.reshape(-1, 4), axis=0)) > 10
    pyplot.close(figure)


def test_pygame_draws_the_items():
    pygame = pytest.importorskip("pygame")
    surface = pygame.Surface((400, 300))
    surface.fill((255, 255, 255))
    pen = draw.PygamePen(surface, center=(0.0, 2.0), scale=50.0)
    pen.draw(scene(), layers=["shapes", "joints", "contacts", "ids"])
    pixels = pygame.surfarray.array3d(surface)
    drawn = (pixels != 255).any(axis=2).mean()
    assert 0.2 < drawn < 0.6


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda w: w.render(0, 10), "width"),
        (lambda w: w.render(10, 10**6), "height"),
        (lambda w: w.render(view=(0.0, 0.0, -1.0, 1.0)), "view"),
        (lambda w: w.render(view=(0.0, 0.0, float("nan"), 1.0)), "view"),
        (lambda w: w.render(layers=["no such layer"]), "layers"),
        (lambda w: w.draw_items(float("inf")), "pixels_per_meter"),
    ],
)
def test_bad_input_raises(call, name):
    with pytest.raises(cairn2d.InvalidValue) as caught:
        call(scene())
    assert caught.value.name == name
