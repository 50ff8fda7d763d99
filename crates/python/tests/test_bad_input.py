"""Bad input: every method of every class is called with nonsense. Only exceptions may come of it, and no world may break."""

import inspect
import itertools
import math
import pickle

import numpy as np
import pytest

import cairn2d
from cairn2d import Geometry, _native

NONSENSE = [
    math.nan,
    math.inf,
    -math.inf,
    1e300,
    -1,
    -1.5,
    0,
    2**63,
    2**70,
    None,
    "",
    "nonsense",
    b"nonsense",
    [],
    {},
    (math.nan, 0.0),
    (math.inf, 1.0),
    (1e30, 1e30),
    (1.0,),
    (1.0, 2.0, 3.0),
    ("a", "b"),
    np.zeros(3),
    np.zeros((0, 2)),
    np.full((4, 2), math.nan),
    np.full((7, 3), math.inf),
    np.zeros((7, 2, 2)),
    np.array(["x", "y"]),
    object(),
    lambda *_: 1 / 0,
    {"lower": math.nan, "upper": 1.0},
    True,
]


def scene():
    world = cairn2d.World()
    ground = world.create_body("static", position=(0.0, -1.0))
    ground.create_shape(Geometry.rectangle(20.0, 1.0))
    boxes = []
    for row in range(5):
        body = world.create_body("dynamic", position=(0.0, 0.5 + row))
        body.create_shape(Geometry.rectangle(0.5, 0.5), pre_solve=True)
        boxes.append(body)
    hinge = world.create_joint("revolute", boxes[0], boxes[1], anchor=(0.0, 1.0), motor=(1.0, 2.0))
    hero = world.create_body("kinematic", position=(3.0, 2.0))
    hero.create_shape(Geometry.circle(0.5))
    contacts = []
    world.set_pre_solve(contacts.append)
    world.start_recording()
    world.step(1 / 60, 2)
    recording = world.stop_recording()
    world.set_pre_solve(None)
    grid = cairn2d.TileGrid.from_text("###", 1.0, origin=(30.0, 0.0))
    crowd = cairn2d.Crowd()
    agent = crowd.create_agent(position=(0.0, 0.0))
    walkers = cairn2d.CrowdController(world)
    walkers.attach(boxes[4])
    obstacle = crowd.create_obstacle([(0, 2), (1, 2), (1, 3)])
    return {
        "World": world,
        "Body": boxes[2],
        "Shape": boxes[1].shapes()[0],
        "Joint": hinge,
        "Geometry": Geometry.circle(0.5),
        "CharacterController": cairn2d.CharacterController(),
        "Crowd": crowd,
        "Agent": agent,
        "Obstacle": obstacle,
        "CrowdController": walkers,
        "TileGrid": grid,
        "Player": cairn2d.Player(recording),
        "PreSolve": contacts[0],
        "_Batch": _native._Batch("lunar_lander", 3, 1, 100),
        "_Box2dRules": _native._Box2dRules(),
    }


CLASSES = sorted(scene())
SKIPPED = {"__class__", "__init_subclass__", "__subclasshook__", "__getattribute__", "__dir__", "__sizeof__", "__doc__",
           "__init__", "__new__", "__reduce_ex__", "__getstate__", "__delattr__", "__setattr__", "__getnewargs__"}
FIELDS = ["position", "velocity", "angle", "density", "friction", "gravity", "substeps", "threads", "limit", "motor", "spring",
          "one_way", "bounds", "tuning", "kind", "anchor", "axis", "frame_a", "length", "radius", "mask", "exclude", "accept",
          "kinds", "sensors", "target", "max_speed", "neighbor_limit", "no_such_field"]


def attempt(call, *args, **kwargs):
    """Calls, and lets pass what an exception of Python may be: but not a panic, which is a `BaseException`."""
    try:
        call(*args, **kwargs)
    except Exception as error:
        assert str(error) or isinstance(error, (KeyError, AssertionError, ZeroDivisionError)), repr(error)


def check_alive(objects):
    world, crowd = objects["World"], objects["Crowd"]
    # A hook that raises is valid, and its exception comes from the step.
    world.set_pair_filter(None)
    world.set_pre_solve(None)
    world.step(1 / 60)
    assert np.isfinite(world.positions()).all() and np.isfinite(world.velocities()).all()
    crowd.step(1 / 60)
    assert np.isfinite(crowd.positions()).all()


def arguments(objects, count):
    pool = NONSENSE + list(objects.values())
    yield ()
    for value in pool:
        yield (value,) * count
    rng = np.random.default_rng(count)
    for _ in range(60):
        yield tuple(pool[i] for i in rng.integers(len(pool), size=count))


@pytest.mark.parametrize("name", CLASSES)
def test_methods_refuse_nonsense(name):
    kind = getattr(_native, name)
    methods = [m for m in dir(kind) if callable(getattr(kind, m)) and m not in SKIPPED]
    assert len(methods) > 2
    for method in methods:
        for count in (1, 2, 3, 4):
            objects = scene()
            for values in arguments(objects, count):
                # A step with a count of 2**31 is valid, and takes days.
                if method == "step" and len(values) > 1 and isinstance(values[1], int) and values[1] > 1:
                    continue
                attempt(getattr(objects[name], method), *values)
                if name != "World" and not getattr(objects[name], "is_valid", True):
                    objects = scene()
            check_alive(objects)


@pytest.mark.parametrize("name", CLASSES)
def test_keyword_arguments_refuse_nonsense(name):
    kind = getattr(_native, name)
    methods = [m for m in dir(kind) if callable(getattr(kind, m)) and not m.startswith("__")]
    objects = scene()
    bodies = objects["World"].bodies()
    first = {"create_joint": ("revolute", bodies[1], bodies[3]), "create_body": ("dynamic",),
             "create_shape": (Geometry.circle(1.0),), "ray_cast": ((0.0, 0.0), (1.0, 1.0))}
    for method, field, value in itertools.product(methods, FIELDS, NONSENSE):
        if method in ("destroy", "clear"):
            continue
        attempt(getattr(objects[name], method), *first.get(method, ()), **{field: value})
    check_alive(objects)


@pytest.mark.parametrize("name", CLASSES)
def test_constructors_and_static_methods_refuse_nonsense(name):
    kind = getattr(_native, name)
    objects = scene()
    for field, value in itertools.product(FIELDS, NONSENSE):
        if field == "threads" and value is True:
            continue
        attempt(kind, **{field: value})
    for values in arguments(objects, 1):
        attempt(kind, *values)
        for method in ("load", "from_scene", "_of_data", "_of_id"):
            if hasattr(kind, method):
                attempt(getattr(kind, method), *values)


@pytest.mark.parametrize("name", CLASSES)
def test_properties_refuse_nonsense(name):
    kind = getattr(_native, name)
    names = [p for p in dir(kind) if inspect.isdatadescriptor(getattr(kind, p)) and not p.startswith("__")]
    for prop in names:
        objects = scene()
        for value in NONSENSE + list(objects.values()):
            attempt(setattr, objects[name], prop, value)
            attempt(getattr, objects[name], prop)
        check_alive(objects)


def test_stale_handles_raise():
    objects = scene()
    body, shape, joint = objects["Body"], objects["Shape"], objects["Joint"]
    joint.destroy()
    shape.destroy()
    body.destroy()
    objects["Agent"].destroy()
    objects["Obstacle"].destroy()
    for handle in (body, shape, joint):
        assert not handle.is_valid
    for handle in (body, shape, joint, objects["Agent"], objects["Obstacle"]):
        for name in dir(type(handle)):
            if name.startswith("_") or name in ("is_valid", "id", "index", "world", "unignore"):
                continue
            member = getattr(type(handle), name)
            if inspect.isdatadescriptor(member):
                try:
                    getattr(handle, name)
                except cairn2d.StaleHandle:
                    continue
                except AttributeError as error:
                    assert "not readable" in str(error) or "has no getter" in str(error), (name, error)
                    continue
                raise AssertionError(f"{name} of a stale handle")
        with pytest.raises(cairn2d.StaleHandle):
            handle.destroy()
    with pytest.raises(cairn2d.StaleHandle):
        body.create_shape(Geometry.circle(0.5))
    with pytest.raises(cairn2d.StaleHandle):
        objects["World"].create_joint("weld", body, objects["World"].bodies()[0])
    with pytest.raises(cairn2d.StaleHandle):
        cairn2d.CharacterController().move_body(body, (0.0, 0.0), 0.1)


def test_handles_of_another_world_are_refused():
    a, b = scene(), scene()
    with pytest.raises(cairn2d.InvalidValue, match="body_b is of another world"):
        a["World"].create_joint("weld", a["Body"], b["Body"])
    with pytest.raises(cairn2d.InvalidValue, match="exclude is of another world"):
        a["World"].ray_cast((0, 0), (1, 1), exclude=b["Body"])


@pytest.mark.parametrize(
    ("call", "name", "value"),
    [
        (lambda o: o["World"].step(math.nan), "dt", math.nan),
        (lambda o: o["World"].create_body("dynamic", linear_damping=-1.0), "linear_damping", -1.0),
        (lambda o: o["World"].create_body("dynamic", position=(math.nan, 0.0)), "position", math.nan),
        (lambda o: o["Body"].apply_force((math.inf, 0.0)), "force.x", math.inf),
        (lambda o: setattr(o["Shape"], "friction", -2.0), "friction", -2.0),
        (lambda o: Geometry.circle(-1.0), "radius", -1.0),
        (lambda o: o["World"].ray_cast((math.nan, 0.0), (1.0, 0.0)), "origin", math.nan),
        (lambda o: setattr(o["Joint"], "motor", (math.nan, 1.0)), "motor.speed", math.nan),
        (lambda o: o["World"].apply_forces(np.zeros((2, 3))), "forces", None),
        (lambda o: o["World"].apply_forces(np.full((7, 3), math.nan)), "forces", math.nan),
        (lambda o: o["World"].create_body("flying"), "kind", None),
        (lambda o: o["World"].create_body("dynamic", weight=3), "weight", None),
        (lambda o: o["World"].create_body("dynamic", velocity="fast"), "velocity", None),
        (lambda o: cairn2d.World(substeps=1000), "substeps", 1000.0),
        (lambda o: o["Crowd"].create_agent(radius=-1.0), "radius", -1.0),
        (lambda o: cairn2d.CharacterController(skin=1.0), "skin", 1.0),
    ],
)
def test_exceptions_carry_name_and_value(call, name, value):
    with pytest.raises(cairn2d.InvalidValue) as caught:
        call(scene())
    error = caught.value
    assert error.name == name and name.split(".")[-1] in str(error)
    assert error.value == value or (value is not None and math.isnan(value) and math.isnan(error.value))
    twin = pickle.loads(pickle.dumps(error))
    assert (type(twin), str(twin), twin.name) == (type(error), str(error), error.name)


def test_damaged_saves_are_refused():
    save = scene()["World"].save()
    rng = np.random.default_rng(5)
    for end in rng.integers(len(save), size=50):
        with pytest.raises(cairn2d.LoadError):
            cairn2d.World.load(save[:end])
    for _ in range(300):
        damaged = bytearray(save)
        damaged[rng.integers(len(save))] ^= 1 << int(rng.integers(8))
        with pytest.raises(cairn2d.LoadError):
            cairn2d.World.load(bytes(damaged))


def test_arguments_that_change_the_world_while_they_are_read():
    objects = scene()
    world, body = objects["World"], objects["Body"]

    class Sly:
        def __array__(self, *_args, **_kwargs):
            body.destroy()
            return np.zeros((7, 3)) + 1.0

    with pytest.raises(cairn2d.StaleHandle):
        world.apply_forces(Sly())
    world.step(1 / 60)

    def destroy(shape):
        shape.destroy()
        return True

    with pytest.raises(cairn2d.WorldBusy):
        world.ray_cast((0.0, 9.0), (0.0, -20.0), accept=destroy)
    world.step(1 / 60)
