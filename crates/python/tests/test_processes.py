"""Worlds in other processes: forked ones have no threads of their parent, and spawned ones no modules of it."""

import multiprocessing
import os
import sys

import pytest

import cairn2d
import cairn2d.compat


def pile(threads):
    """A pile that is large enough to be stepped by several threads."""
    world = cairn2d.World(threads=threads)
    world.create_body().create_shape(cairn2d.Geometry.half_space())
    for i in range(400):
        body = world.create_body("dynamic", position=(1.1 * (i % 40), 0.5 + 1.05 * (i // 40)))
        body.create_shape(cairn2d.Geometry.circle(0.5))
    return world


def steps_and_reports(queue, world, count):
    world.step(1 / 60, count)
    queue.put(world.state_hash)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_processes_step_although_their_parent_used_threads():
    """A fork has the memory of the pool of threads, and none of its threads: a job for these would wait forever."""
    world = pile(threads=2)
    world.step(1 / 60, 5)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=steps_and_reports, args=(queue, world, 20)) for _ in range(2)]
    for child in children:
        child.start()
    try:
        hashes = {queue.get(timeout=60) for _ in children}
    finally:
        for child in children:
            child.kill()
            child.join()
    world.step(1 / 60, 20)
    assert hashes == {world.state_hash}


def box2d_module(queue):
    from Box2D import b2, b2World

    queue.put((b2World.__module__, dict(b2World.defaults), b2.world is b2World))


def test_spawned_workers_have_the_stand_in_with_its_settings():
    cairn2d.compat.install(substeps=3)
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    child = context.Process(target=box2d_module, args=(queue,))
    child.start()
    try:
        module, defaults, is_short_name = queue.get(timeout=60)
    finally:
        child.join()
        cairn2d.compat.install(substeps=2)
    assert module == "cairn2d.compat._world" and defaults["substeps"] == 3 and is_short_name


def test_uninstall_leaves_no_trace():
    cairn2d.compat.install()
    path, environment = list(sys.path), dict(os.environ)
    cairn2d.compat.uninstall()
    try:
        assert len(sys.path) == len(path) - 1 and len(os.environ) == len(environment) - 1
    finally:
        cairn2d.compat.install()
