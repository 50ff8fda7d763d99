"""A 2D rigid-body physics engine: fast, stable and repeatable to the bit.

>>> import cairn2d
>>> world = cairn2d.World(gravity=(0.0, -10.0))
>>> ground = world.create_body("static", position=(0.0, -1.0))
>>> _ = ground.create_shape(cairn2d.Geometry.rectangle(20.0, 1.0))
>>> ball = world.create_body("dynamic", position=(0.0, 4.0))
>>> _ = ball.create_shape(cairn2d.Geometry.circle(0.5), friction=0.4)
>>> world.step(1 / 60, count=180)
>>> round(ball.position[1], 2)
0.5

SI units, radians, y up, angles counter-clockwise; normals point from A to B. A `World` continues with the same bits after
`copy.deepcopy`, `pickle` and `World.save`. Modules: `cairn2d.compat` (the `Box2D` module), `cairn2d.vector` (batches of
environments), `cairn2d.draw` (pictures).
"""

from cairn2d._errors import Error, InvalidValue, LoadError, StaleHandle, WorldBusy
from cairn2d._native import (
    Agent,
    Body,
    CharacterController,
    Crowd,
    CrowdController,
    Geometry,
    Joint,
    Linkage,
    Obstacle,
    Player,
    PreSolve,
    Shape,
    TileGrid,
    World,
    spring_of_stiffness,
)
from cairn2d._records import (
    CharacterGround,
    CharacterHit,
    CharacterMove,
    Contact,
    ContactArrays,
    ContactBegin,
    ContactEnd,
    ContactForce,
    ContactHit,
    ContactPoint,
    ControllerEvent,
    CrowdEvent,
    HookShape,
    JointBreak,
    MassData,
    Nearest,
    SensorEvent,
    ShapeHit,
    SleepEvent,
)

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Body",
    "CharacterController",
    "CharacterGround",
    "CharacterHit",
    "CharacterMove",
    "Contact",
    "ContactArrays",
    "ContactBegin",
    "ContactEnd",
    "ContactForce",
    "ContactHit",
    "ContactPoint",
    "ControllerEvent",
    "Crowd",
    "CrowdController",
    "CrowdEvent",
    "Error",
    "Geometry",
    "HookShape",
    "InvalidValue",
    "Joint",
    "JointBreak",
    "Linkage",
    "LoadError",
    "MassData",
    "Nearest",
    "Obstacle",
    "Player",
    "PreSolve",
    "SensorEvent",
    "Shape",
    "ShapeHit",
    "SleepEvent",
    "StaleHandle",
    "TileGrid",
    "World",
    "WorldBusy",
    "spring_of_stiffness",
]
