"""Linkages that are created open start as on Box2D, and shapes touch by its measure."""

import copy
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import cairn2d.compat
from cairn2d.compat import Box2D as box2d

cairn2d.compat.install()
import gymnasium as gym  # noqa: E402

STEPS = 9

# Poses of hull and legs after each step, and which feet touch the ground.
PROGRAM = """
import json, sys
if sys.argv[1] == "stand-in":
    import cairn2d.compat
    cairn2d.compat.install()
import gymnasium as gym, numpy as np

env, rows = gym.make("BipedalWalker-v3").unwrapped, []
env.reset(seed=1)
for _ in range(int(sys.argv[2])):
    poses = [[*map(float, body.position), float(body.angle)] for body in (env.hull, *env.legs)]
    rows.append([poses, [bool(leg.ground_contact) for leg in env.legs[1::2]]])
    env.step(np.zeros(4, dtype=np.float32))
print(json.dumps(rows))
"""


def start_of_walker(engine):
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy"}
    # What the parent has installed is not for the original.
    environment = {name: value for name, value in environment.items() if name != cairn2d.compat.SETTINGS}
    command = [sys.executable, "-c", PROGRAM, engine, str(STEPS)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def test_walker_starts_as_on_the_original():
    """Its hips are created open by half a meter, and its legs go through the ground before all joints are closed."""
    if subprocess.run([sys.executable, "-c", "import Box2D._Box2D"], capture_output=True, check=False).returncode != 0:
        pytest.skip("the original Box2D is not installed")
    ours, theirs = start_of_walker("stand-in"), start_of_walker("original")
    for (poses, touching), (their_poses, their_touching) in zip(ours, theirs):
        gaps = np.abs(np.array(poses) - np.array(their_poses))
        assert gaps[:, :2].max() < 0.02 and gaps[:, 2].max() < 0.03
        assert touching == their_touching
    # The first step, before contacts push, is the same.
    gaps = np.abs(np.array(ours[0][0]) - np.array(theirs[0][0]))
    assert gaps.max() < 2.0e-3


def walker():
    env = gym.make("BipedalWalker-v3").unwrapped
    env.reset(seed=1)
    return env


def gaps(env):
    return [(joint.anchorA - joint.anchorB).length for joint in env.joints]


def test_positions_join_without_velocity_and_impacts_open_joints_again():
    env = walker()
    # The hull has fallen for one step, whatever its joints did.
    assert env.hull.linearVelocity.y == pytest.approx(-10.0 / 50, rel=1e-3)
    # The hips are closed; the lower legs met the ground on their way, which opened the knees.
    hips, knees = gaps(env)[::2], gaps(env)[1::2]
    assert max(hips) < 0.02 and min(knees) > 0.1
    assert [leg.ground_contact for leg in env.legs[1::2]] == [True, True]
    for _ in range(6):
        env.step(np.zeros(4, dtype=np.float32))
    assert max(gaps(env)) < 1e-4
    assert all(-1.65 < env.joints[at].angle < -0.05 for at in (1, 3))


def test_a_clone_of_an_open_linkage_goes_on_with_the_same_bits():
    env = walker()
    twin = object.__new__(type(env))
    vars(twin).update(copy.deepcopy(vars(env), {id(env): twin}))
    rng = np.random.default_rng(1)
    for _ in range(20):
        action = rng.uniform(-1, 1, 4).astype(np.float32)
        (ours, *_), (theirs, *_) = env.step(action), twin.step(action)
        np.testing.assert_array_equal(ours, theirs)


def test_a_linkage_with_other_joints_is_joined_too():
    world = box2d.b2World(gravity=(0, -10))
    a, b, c = (world.CreateDynamicBody(position=(x, 0), fixtures=box2d.b2FixtureDef(shape=box2d.b2CircleShape(radius=0.1), density=1.0))
               for x in (0.0, 2.0, 4.0))
    joint = world.CreateRevoluteJoint(bodyA=a, bodyB=b, localAnchorA=(0.5, 0), localAnchorB=(-0.5, 0))
    world.CreateRopeJoint(bodyA=b, bodyB=c, localAnchorA=(0, 0), localAnchorB=(0, 0), maxLength=5.0)
    world.Step(1 / 60, 8, 3)
    assert (joint.anchorA - joint.anchorB).length < 1e-3
    for body in (a, b, c):
        assert body.linearVelocity.y == pytest.approx(-10 / 60, abs=0.01) and abs(body.linearVelocity.x) < 0.01


class Listener(box2d.b2ContactListener):
    def __init__(self):
        super().__init__()
        self.events = []

    def BeginContact(self, contact):
        self.events.append("begin")

    def EndContact(self, contact):
        self.events.append("end")


def bottom_of_drifting_box(speed):
    """A box that drifts towards the ground or from it: its heights and events in each step."""
    listener = Listener()
    world = box2d.b2World(gravity=(0, 0), contactListener=listener)
    world.CreateStaticBody(shapes=box2d.b2EdgeShape(vertices=[(-5, 0), (5, 0)]))
    start = 0.06 if speed < 0.0 else 0.015
    box = world.CreateDynamicBody(position=(0, 0.5 + start), fixedRotation=True, linearVelocity=(0, speed))
    box.CreatePolygonFixture(box=(0.5, 0.5), density=1.0)
    rows = []
    for _ in range(60):
        height, count = box.position.y - 0.5, len(listener.events)
        world.Step(1 / 60, 8, 3)
        rows.append((height, listener.events[count:]))
    return rows


def test_shapes_begin_to_touch_within_a_slop_of_where_they_rest():
    rows = bottom_of_drifting_box(-0.06)
    heights = [height for height, events in rows if "begin" in events]
    assert len(heights) == 1 and 0.018 < heights[0] < 0.0201


def test_shapes_cease_to_touch_a_slop_above_where_they_rest():
    rows = bottom_of_drifting_box(0.06)
    assert rows[0][1] == ["begin"]
    heights = [height for height, events in rows if "end" in events]
    assert len(heights) == 1 and 0.0199 < heights[0] < 0.022


class Impulses(Listener):
    def PostSolve(self, contact, impulse):
        self.events.append(max(impulse.normalImpulses))


def test_a_bar_that_lands_on_an_end_touches_in_that_step_only():
    """It turns away from the ground by more than a slop within the step, as if nothing had been near."""
    listener = Impulses()
    world = box2d.b2World(gravity=(0, 0), contactListener=listener)
    world.CreateStaticBody(shapes=box2d.b2EdgeShape(vertices=[(-40, 0), (40, 0)]))
    bar = world.CreateDynamicBody(position=(0, 2.0), angle=0.7854, linearVelocity=(0, -27.0))
    bar.CreatePolygonFixture(box=(1.0, 0.5), density=1.0)
    while bar.linearVelocity.y < -26.0:
        assert not listener.events
        world.Step(1 / 60, 8, 3)
    begin, impulse = listener.events
    assert begin == "begin" and impulse == pytest.approx(bar.mass * (27.0 + bar.linearVelocity.y), rel=0.02)
    lowest = min(bar.GetWorldPoint(corner).y for corner in bar.fixtures[0].shape.vertices)
    assert lowest > 0.0201
    world.Step(1 / 60, 8, 3)
    assert listener.events[2:] == ["end"]
