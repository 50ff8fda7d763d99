"""Scenes of worlds, recordings, tile grids, hooks and crowd controllers."""

import copy
import gc
import json
import pickle

import pytest

import cairn2d
from cairn2d import Geometry, TileGrid

DT = 1 / 60


def world_with_ball(height=3.0, **shape):
    world = cairn2d.World()
    ground = world.create_body("static", position=(0.0, -1.0))
    ground.create_shape(Geometry.rectangle(20.0, 1.0), user_data=7)
    ball = world.create_body("dynamic", position=(0.5, height))
    ball.create_shape(Geometry.circle(0.4), user_data=8, **shape)
    return world, ball


def test_scene_of_a_world_makes_it_again():
    world, ball = world_with_ball()
    pivot = world.create_body("static", position=(0.0, 6.0))
    world.create_joint("revolute", pivot, ball, anchor=(0.0, 6.0), limit=(-1.0, 1.0))
    world.step(DT, 10)
    scene = world.to_scene()
    again = cairn2d.World.from_scene(json.loads(json.dumps(scene)))
    assert (again.body_count, again.shape_count, again.joint_count) == (3, 2, 1)
    assert again.bodies()[1].position == ball.position and again.bodies()[1].velocity == ball.velocity
    assert again.to_scene() == scene


def test_recordings_repeat_to_the_bit():
    world, ball = world_with_ball()
    assert not world.is_recording and world.take_recording() == b""
    world.start_recording()
    assert world.is_recording
    hashes, recording = [], b""
    for step in range(60):
        if step == 30:
            ball.apply_impulse((1.0, 2.0))
        world.step(DT)
        hashes.append(world.state_hash)
        recording += world.take_recording()
    recording += world.stop_recording()
    assert not world.is_recording
    player = cairn2d.Player(recording)
    assert (player.step, player.step_count) == (0, 60)
    for state_hash in hashes[:5]:
        assert player.advance()
        assert player.world().state_hash == state_hash
    player.seek(45)
    assert player.world().state_hash == hashes[44]
    player.seek(1000)
    assert player.step == 60 and player.world().state_hash == world.state_hash and not player.advance()
    with pytest.raises(cairn2d.LoadError):
        cairn2d.Player(b"no recording")
    assert cairn2d.Player(recording[:-20]).step_count < 60


def test_recordings_repeat_the_answers_of_hooks():
    world, _ = world_with_ball(pre_solve=True)
    world.start_recording()
    world.set_pre_solve(lambda contact: contact.ignore())
    world.step(DT, 60)
    player = cairn2d.Player(world.stop_recording())
    player.seek(60)
    assert player.world().state_hash == world.state_hash


MAP = r"""
#   ==  #
#  /#\  #
#########
"""


def test_tile_grid_carries_bodies_and_is_edited_in_place():
    world = cairn2d.World()
    grid = TileGrid(10, 4, 1.0, origin=(-5.0, 0.0), friction=0.9)
    for column in range(10):
        grid[column, 0] = "solid"
    assert grid.size == (10, 4) and grid[3, 0] == "solid" and grid[3, 1] == "empty"
    assert grid.update(world) == grid.piece_count > 0
    assert grid.cell_at((0.5, 0.5)) == (5, 0) and grid.cell_at((0.5, -0.5)) is None
    ball = world.create_body("dynamic", position=(0.5, 3.0))
    ball.create_shape(Geometry.circle(0.4))
    world.step(DT, 120)
    assert ball.position[1] == pytest.approx(1.4, abs=0.01)
    twin_world, twin = pickle.loads(pickle.dumps((world, grid)))
    other = copy.deepcopy(grid)
    grid[5, 0] = "empty"
    assert other[5, 0] == twin[5, 0] == "solid"
    assert grid.update(world) > 0
    world.step(DT, 60)
    assert ball.position[1] < 0.0
    assert twin.update(twin_world) == 0
    twin[5, 0] = "empty"
    twin.update(twin_world)
    twin_world.step(DT, 60)
    assert twin_world.state_hash == world.state_hash
    grid.remove_from(world)
    assert grid.piece_count == 0 and world.body_count == 1


def test_tile_grid_of_a_text():
    grid = TileGrid.from_text(MAP, 0.5)
    assert grid.size == (9, 3)
    assert [grid[column, 1] for column in (2, 3, 4, 5)] == ["empty", "slope_lower_right", "solid", "slope_lower_left"]
    assert grid[4, 2] == "one_way" and grid[0, 2] == "solid"
    for call, error in [
        (lambda: cairn2d.World().set_pair_filter(0.5), "hook"),
        (lambda: TileGrid.from_text("?", 1.0), "no tile"),
        (lambda: TileGrid(3, 3, float("nan")), "cell"),
        (lambda: TileGrid(3, 3, 1.0, origin=(float("inf"), 0.0)), "origin"),
        (lambda: TileGrid(3, 3, 1.0, fricton=1.0), "fricton"),
        (lambda: grid.__setitem__((9, 0), "solid"), "column"),
        (lambda: grid.__setitem__((0, 0), "lava"), "tile"),
    ]:
        with pytest.raises(cairn2d.InvalidValue, match=error):
            call()
    with pytest.raises((OverflowError, TypeError)):
        grid[-1, 0] = "solid"


def test_pair_filter_decides_who_collides():
    world, ball = world_with_ball()
    seen, ids = [], {body.id for body in world.bodies()}

    def differ(a, b):
        seen.append({a.user_data, b.user_data})
        assert {a.body_id, b.body_id} == ids
        return False

    world.set_pair_filter(differ)
    world.step(DT, 90)
    assert ball.position[1] < -1.0 and seen[0] == {7, 8}
    world, ball = world_with_ball()
    world.set_pair_filter(differ)
    world.set_pair_filter(None)
    world.step(DT, 90)
    assert ball.position[1] == pytest.approx(0.4, abs=0.01)


def test_pre_solve_reads_and_changes_contacts():
    world, ball = world_with_ball(pre_solve=True, friction=0.8)
    ball.velocity = (4.0, 0.0)
    seen = []

    def ice(contact):
        seen.append((contact.normal, contact.points[0][1], contact.friction))
        contact.friction = 0.0

    world.set_pre_solve(ice)
    assert ball.shapes()[0].pre_solve
    world.step(DT, 120)
    assert ball.velocity[0] == pytest.approx(4.0, rel=1e-3) and abs(ball.angular_velocity) < 1e-3
    assert abs(seen[0][0][1]) == 1.0 and seen[0][2] > 0.5
    world.set_pre_solve(lambda contact: contact.ignore())
    world.step(DT, 60)
    assert ball.position[1] < -1.0


@pytest.mark.parametrize("setter", ["set_pair_filter", "set_pre_solve"])
def test_exceptions_of_hooks_reach_the_caller(setter):
    world, ball = world_with_ball(pre_solve=True)

    def fails(*_):
        raise KeyError("hook")

    getattr(world, setter)(fails)
    with pytest.raises(KeyError, match="hook"):
        world.step(DT, 120)
    getattr(world, setter)(None)
    world.step(DT)

    def uses_the_world(*_):
        ball.position = (0.0, 0.0)

    ball.position = (0.5, 3.0)
    getattr(world, setter)(uses_the_world)
    with pytest.raises(cairn2d.WorldBusy):
        world.step(DT, 120)


def test_hooks_work_with_threads_and_in_copies():
    world = cairn2d.World(threads=2)
    ground = world.create_body("static", position=(0.0, -1.0))
    ground.create_shape(Geometry.rectangle(200.0, 1.0))
    for i in range(300):
        body = world.create_body("dynamic", position=(i - 150.0, 0.45))
        body.create_shape(Geometry.rectangle(0.4, 0.4), pre_solve=True, friction=0.7)
        body.velocity = (1.0, 0.0)

    def ice(contact):
        contact.friction = 0.0

    world.set_pre_solve(ice)
    twin = copy.copy(world)
    world.step(DT, 20)
    twin.configure(threads=1)
    twin.step(DT, 20)
    assert twin.state_hash == world.state_hash
    assert world.bodies()[1].velocity[0] == pytest.approx(1.0, abs=1e-3)
    del world, twin, ice
    gc.collect()


def test_crowd_controller_moves_bodies_around_obstacles():
    world = cairn2d.World(gravity=(0.0, 0.0))
    wall = world.create_body("static", position=(3.0, 0.0))
    wall.create_shape(Geometry.rectangle(0.2, 1.0))
    walkers = cairn2d.CrowdController(world)
    people = []
    for i, kind in enumerate(["dynamic", "kinematic", "dynamic"]):
        body = world.create_body(kind, position=(0.0, 0.9 * i - 0.9))
        body.create_shape(Geometry.circle(0.3), density=80.0)
        walkers.attach(body, max_speed=2.5)
        walkers.follow(body, [(3.0, 1.8), (6.0, 0.9 * i - 0.9)], speed=2.0)
        people.append(body)
    assert walkers.bodies() == people and not walkers.has_arrived(people[0])
    assert walkers.remaining_path(people[2])[-1] == pytest.approx((6.0, 0.9))
    for _ in range(600):
        walkers.update(DT)
        world.step(DT)
        gaps = [abs(complex(*a.position) - complex(*b.position)) for a in people for b in people if a is not b]
        assert min(gaps) > 0.55
    for i, body in enumerate(people):
        assert walkers.has_arrived(body) and body.position == pytest.approx((6.0, 0.9 * i - 0.9), abs=0.3)
    walkers.halt(people[0])
    walkers.detach(people[0])
    people[1].destroy()
    walkers.update(DT)
    assert [event.kind for event in walkers.events()] == ["body_gone"] and walkers.bodies() == [people[2]]
    for call, error in [
        (lambda: walkers.follow(people[0], [(0.0, 0.0)]), cairn2d.InvalidValue),
        (lambda: walkers.follow(people[2], []), cairn2d.InvalidValue),
        (lambda: walkers.follow(people[2], [(float("nan"), 0.0)]), cairn2d.InvalidValue),
        (lambda: walkers.attach(people[1]), cairn2d.StaleHandle),
        (lambda: walkers.attach(wall), cairn2d.InvalidValue),
        (lambda: walkers.attach(people[2]), cairn2d.InvalidValue),
        (lambda: walkers.attach(people[0], radius=-1.0), cairn2d.InvalidValue),
        (lambda: walkers.attach(cairn2d.World().create_body("dynamic")), cairn2d.InvalidValue),
        (lambda: walkers.update(float("inf")), cairn2d.InvalidValue),
    ]:
        with pytest.raises(error):
            call()
