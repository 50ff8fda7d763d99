"""Arrays everywhere: what takes numbers takes tuples, lists, NumPy's arrays and vectors of the `Box2D` module, and NumPy's numbers."""

import os
import subprocess
import sys

import numpy as np
import pytest

import cairn2d
import cairn2d.compat
from cairn2d import Geometry

FORMS = {
    "tuple": tuple,
    "list": list,
    "float64": lambda row: np.array(row, dtype=np.float64),
    "float32": lambda row: np.array(row, dtype=np.float32),
    "numbers": lambda row: [np.float32(x) for x in row],
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_constructors_and_setters_take_rows_of_every_form(form):
    world = cairn2d.World(gravity=form([0.0, -5.0]), substeps=np.int64(3), sleeping=np.bool_(False))
    assert world.gravity == (0.0, -5.0) and world.definition["substeps"] == 3
    world.gravity = form([1.0, -2.0])
    assert world.gravity == (1.0, -2.0)
    world.configure(gravity=form([0.0, -3.0]))
    assert world.gravity == (0.0, -3.0)
    body = world.create_body("dynamic", position=form([1.0, 2.0]), velocity=form([3.0, 4.0]), angle=np.float64(0.5))
    assert (body.position, body.velocity) == ((1.0, 2.0), (3.0, 4.0))
    body.position, body.velocity = form([5.0, 6.0]), form([7.0, 8.0])
    assert (body.position, body.velocity) == ((5.0, 6.0), (7.0, 8.0))
    shape = body.create_shape(Geometry.circle(np.float32(0.5), center=form([0.0, 0.0])), one_way=form([0.0, 1.0]))
    assert shape.one_way == (0.0, 1.0)
    shape.one_way = form([1.0, 0.0])
    assert shape.one_way == (1.0, 0.0)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_joints_take_rows_of_every_form(form):
    world = cairn2d.World()
    ground, arm = world.create_body(), world.create_body("dynamic", position=form([1.0, 0.0]))
    arm.create_shape(Geometry.circle(0.2))
    joint = world.create_joint(
        "prismatic", ground, arm, form([0.0, 0.0]), form([0.0, 1.0]),
        limit=form([-1.0, 1.0]), motor=form([2.0, 3.0]), spring=form([4.0, 0.5]),
        frame_a={"anchor": form([0.5, 0.0])},
    )
    assert (joint.limit, joint.motor, joint.spring) == ((-1.0, 1.0), (2.0, 3.0), (4.0, 0.5, 0.0))
    joint.limit, joint.motor, joint.spring = form([-2.0, 2.0]), form([1.0, 5.0]), form([3.0, 0.25, 0.5])
    assert (joint.limit, joint.motor, joint.spring) == ((-2.0, 2.0), (1.0, 5.0), (3.0, 0.25, 0.5))
    joint.configure(limit=form([-3.0, 3.0]))
    assert joint.limit == (-3.0, 3.0)
    joint.limit = joint.motor = joint.spring = None
    assert joint.limit is joint.motor is joint.spring is None


def test_locks_and_other_rows():
    world = cairn2d.World()
    body = world.create_body("dynamic", locks=np.array([True, False, True]))
    assert body.locks == (True, False, True)
    body.locks = [False, True, False]
    assert body.locks == (False, True, False)
    body.locks = np.array([False, False, True])
    assert body.locks == (False, False, True)
    crowd = cairn2d.Crowd()
    agent = crowd.create_agent(position=np.zeros(2), target=[np.array([3.0, 0.0]), 0.1, 1.0])
    agent.preferred_velocity = np.array([1.0, 0.0])
    assert agent.preferred_velocity == (1.0, 0.0)
    assert world.render(40, 30, view=np.array([-1.0, -1.0, 1.0, 1.0])).shape == (30, 40, 3)


@pytest.mark.parametrize("wrong", [np.zeros(3), [1.0], "ab", 1.0, np.zeros((2, 2)), {"x": 1.0}])
def test_rows_of_another_shape_are_refused(wrong):
    world = cairn2d.World()
    body = world.create_body("dynamic")
    with pytest.raises((TypeError, ValueError)):
        body.velocity = wrong
    with pytest.raises((TypeError, ValueError)):
        world.create_body("dynamic", velocity=wrong)
    joint = world.create_joint("revolute", world.create_body(), body)
    with pytest.raises((TypeError, ValueError)):
        joint.limit = wrong


def test_vectors_of_the_stand_in_are_rows_too():
    vector = cairn2d.compat.Box2D.b2Vec2(1.0, 2.0)
    world = cairn2d.World(gravity=vector)
    assert world.gravity == world.create_body(position=vector).position == (1.0, 2.0)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_the_stand_in_takes_rows_of_every_form(form):
    box2d = cairn2d.compat.Box2D
    world = box2d.b2World(gravity=form([0.0, -5.0]))
    body = world.CreateDynamicBody(position=form([1.0, 2.0]), linearVelocity=form([1.0, 0.0]))
    body.CreatePolygonFixture(vertices=[form(v) for v in ([0, 0], [1, 0], [0, 1])], density=np.float32(1.0))
    body.CreateCircleFixture(radius=np.float32(0.5), pos=form([0.0, 0.0]))
    body.position, body.linearVelocity, body.transform = form([2.0, 3.0]), form([0.0, 1.0]), (form([4.0, 5.0]), 0.5)
    assert tuple(body.position) == (4.0, 5.0)
    body.ApplyForce(form([1.0, 0.0]), form([0.0, 0.0]))
    joint = world.CreateMouseJoint(bodyA=world.CreateStaticBody(), bodyB=body, target=form([4.0, 5.0]), maxForce=np.float64(5.0))
    joint.target = form([3.0, 3.0])
    world.Step(1 / 60, 8, 3)
    assert body.position.valid


PROGRAM = """
import numpy as np

import cairn2d
import cairn2d.compat.Box2D as box2d
from cairn2d.pettingzoo import MultiwalkerBatch, MultiwalkerEnv
from cairn2d.sb3 import BatchVecEnv
from cairn2d.vector import CartPoleVectorEnv, LunarLanderVectorEnv

world = cairn2d.World(gravity=np.array([0.0, -10.0]))
body = world.create_body("dynamic", position=[0.0, 1.0], locks=[False, False, True])
shape = body.create_shape(cairn2d.Geometry.circle(0.5), one_way=np.array([0.0, 1.0]))
body.velocity = np.array([1.0, 0.0])
body.position = [1.0, 2.0]
joint = world.create_joint("revolute", world.create_body(), body, limit=[-1.0, 1.0], motor=np.array([1.0, 2.0]))
joint.limit = np.array([-2.0, 2.0])
joint.spring = (3.0, 0.5)
joint.spring = cairn2d.spring_of_stiffness(10.0, 1.0, joint.spring_mass or 1.0)
linkage = cairn2d.Linkage(joint.body_a, [joint])
efforts: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = linkage.inverse_dynamics([1.0])
linkage.apply_efforts(efforts)
world.step(1 / 60)
x: float = body.position[0]

old = box2d.b2World(gravity=(0, -10))
ball = old.CreateDynamicBody(position=(0, 4))
ball.CreateCircleFixture(radius=0.5, density=1.0)
old.Step(1 / 60, 8, 3)
height: float = ball.position.y
ball.linearVelocity.x = 1.0

envs = LunarLanderVectorEnv(num_envs=2, render_mode="rgb_array")
observations, infos = envs.reset(seed=1)
learner = BatchVecEnv(CartPoleVectorEnv(num_envs=2, autoreset_mode="SameStep"))
learner.seed(1)
rows, rewards, dones, details = learner.step(np.ones(2, dtype=int))

walkers = MultiwalkerBatch(num_envs=4)
seen, _ = walkers.reset(seed=1)
actions = {agent: np.zeros((4, 4)) for agent in walkers.agents}
seen, gains, ends, cuts, _ = walkers.step(actions)
first: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = seen["walker_0"]
single = MultiwalkerEnv(n_walkers=2)
single.reset(seed=1)
height = single.step({agent: np.zeros(4) for agent in single.agents})[1]["walker_0"]
"""


@pytest.mark.parametrize("checker", [["mypy", "--strict"], ["pyright", "--pythonpath", sys.executable]], ids=["mypy", "pyright"])
def test_type_checkers_are_silent_on_a_program(checker, tmp_path):
    pytest.importorskip(checker[0])
    # The package `pyright` fetches its program when it first runs.
    fetched = subprocess.run([sys.executable, "-m", checker[0], "--version"], capture_output=True, check=False).returncode == 0
    if not fetched and not os.environ.get("CAIRN2D_NEEDS_PYPI"):
        pytest.skip(f"{checker[0]} does not run here")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run([sys.executable, "-m", *checker, str(program)], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
