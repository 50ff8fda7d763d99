"""Worlds of the `Box2D` module, on worlds of the engine.

What differs from the original: contact callbacks but `PreSolve` are called after the step, not within it, so that bodies may be
destroyed in them; `velocityIterations` only chooses between two settings of the solver, and `positionIterations` has no effect.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from cairn2d import _native
from cairn2d.compat._body import b2Body, b2Fixture
from cairn2d.compat._collision import b2AABB
from cairn2d.compat._contacts import (
    b2Contact,
    b2ContactFilter,
    b2ContactListener,
    b2DestructionListener,
    b2PreSolveContact,
    overrides,
    pair_filter_hook,
    pre_solve_hook,
)
from cairn2d.compat._joint_defs import (
    b2DistanceJointDef,
    b2FrictionJointDef,
    b2GearJointDef,
    b2JointDef,
    b2MotorJointDef,
    b2MouseJointDef,
    b2PrismaticJointDef,
    b2PulleyJointDef,
    b2RevoluteJointDef,
    b2RopeJointDef,
    b2WeldJointDef,
    b2WheelJointDef,
)
from cairn2d.compat._joints import CLASSES, b2Joint, b2MotorJoint, create_joint
from cairn2d.compat._draw import b2Draw, draw_world
from cairn2d.compat._math import b2Vec2
from cairn2d.compat._shapes import b2_dynamicBody, b2_kinematicBody, b2_staticBody, b2BodyDef, take_fields


def creator(kind: type[b2JointDef]) -> Callable[..., Any]:
    """A method of a world that makes a joint of this kind."""

    def create(self: b2World, **fields: Any) -> b2Joint:
        return self.CreateJoint(kind(**fields))

    create.__doc__ = f"Makes a joint; the keyword arguments are the fields of a `{kind.__name__}`."
    return create


FEW_ITERATIONS = 29
"""Velocity iterations of a step up to which a program is content with the accuracy of a game."""

PRECISE: dict[str, int] = {"substeps": _native._BOX2D_SUBSTEPS, "solver_budget": _native._BOX2D_SOLVER_BUDGET}
"""Solver settings of steps with more iterations, such as the 180 of Gymnasium: all is solved to convergence, at any cost."""

QUICK: dict[str, int] = {"substeps": 4, "solver_budget": 1000}
"""Solver settings of steps with few iterations: small linkages are solved to convergence, and piles and nets are iterated."""


def setting(name: str, convert: Callable[[Any], Any] = int) -> property:
    """A property of a world that is a setting of the solver, as `cairn2d.World` has it. Once it is set, it stays."""

    def change(self: b2World, value: Any) -> None:
        self._by_iterations.discard(name)
        # Programs set them before each step.
        if self._native.definition[name] != convert(value):
            self._native.configure(**{name: convert(value)})

    return property(lambda self: self._native.definition[name], change)


class b2RayCastCallback:
    """Base of ray-cast callbacks: override `ReportFixture`."""

    def __init__(self, **fields: Any) -> None:
        pass

    def ReportFixture(self, fixture: b2Fixture, point: b2Vec2, normal: b2Vec2, fraction: float) -> float:
        """Returns -1 to ignore the fixture, 0 to stop, `fraction` to shorten the ray, 1 to go on."""
        raise NotImplementedError


class b2QueryCallback:
    """Base of callbacks of `QueryAABB`: override `ReportFixture`."""

    def __init__(self, **fields: Any) -> None:
        pass

    def ReportFixture(self, fixture: b2Fixture) -> bool:
        """Returns whether the query goes on."""
        raise NotImplementedError


class b2Profile:
    """Times of a step [ms]; all are 0, since the engine has no clock."""

    step = collide = solve = solveInit = solveVelocity = solvePosition = broadphase = solveTOI = 0.0


class b2BroadPhase:
    """Figures of the broad phase of a world. Height and balance are those of a balanced tree."""

    e_nullProxy = -1
    treeBalance = 1
    treeQuality = 1.0

    def __init__(self, world: b2World) -> None:
        self._world = world

    proxyCount = property(lambda self: self._world._native.shape_count)
    treeHeight = property(lambda self: max(self.proxyCount - 1, 0).bit_length())


class b2ContactManager:
    """Broad phase and contacts of a world."""

    def __init__(self, world: b2World) -> None:
        self._world = world
        self.broadPhase = b2BroadPhase(world)

    contactCount = property(lambda self: self._world.contactCount)
    contactList = property(lambda self: next(reversed(self._world.contacts), None))
    contactFilter = property(lambda self: self._world.contactFilter)
    contactListener = property(lambda self: self._world.contactListener)


class b2World:
    """A world; takes arbitrary attributes. Steps, saves and copies are those of `cairn2d.World`."""

    defaults: dict[str, int | None] = {"substeps": None, "solver_budget": None}
    """Settings of worlds that are made from now on: `install` sets them. `None`: the iterations of a step decide."""

    substeps = setting("substeps")
    solver_budget = setting("solver_budget")
    continuousPhysics = setting("continuous", bool)
    warmStarting = setting("warm_starting", bool)
    subStepping = False
    """Has no effect, as little as the numbers of iterations."""
    autoClearForces = True
    """Whether forces last for one step; else they last until `ClearForces`."""
    locked = False
    """Whether the world is in a step: in `PreSolve`."""
    destructionListener: b2DestructionListener | None = None
    renderer: b2Draw | None = None

    def __init__(
        self,
        gravity: Sequence[float] = (0.0, -10.0),
        doSleep: bool = True,
        contactListener: b2ContactListener | None = None,
        **fields: Any,
    ) -> None:
        self._native = _native.World(
            gravity=(float(gravity[0]), float(gravity[1])),
            sleeping=bool(doSleep),
            tuning=_native._BOX2D_TUNING,
            **{name: PRECISE[name] if value is None else value for name, value in self.defaults.items()},
        )
        # Settings that the iterations of a step decide, and those that they chose last.
        self._by_iterations = {name for name, value in self.defaults.items() if value is None}
        self._chosen = PRECISE
        self._fixtures: dict[int, b2Fixture] = {}
        self._contacts: dict[tuple[int, int], b2Contact] = {}
        self._rules = _native._Box2dRules()
        self._has_pre_solve = False
        self._step_count = 0
        # The last call of `PreSolve` for each pair of shapes.
        self._pre_solved: dict[tuple[int, int], b2PreSolveContact] = {}
        self._filter: b2ContactFilter | None = None
        self.bodies: list[b2Body] = []
        self.joints: list[b2Joint] = []
        self._motor_joints: list[b2MotorJoint] = []
        self._ground_body: _native.Body | None = None
        self.contactListener = contactListener
        take_fields(self, fields)

    @property
    def contactListener(self) -> b2ContactListener | None:
        return self._listener

    @contactListener.setter
    def contactListener(self, listener: b2ContactListener | None) -> None:
        self._listener = listener
        self._reports_impulses = overrides(listener, "PostSolve")
        had_pre_solve, self._has_pre_solve = self._has_pre_solve, overrides(listener, "PreSolve")
        if self._has_pre_solve != had_pre_solve:
            self._native.set_pre_solve(pre_solve_hook(self) if self._has_pre_solve else None)
            self._pre_solved.clear()
            for fixture in self._fixtures.values():
                for shape in fixture._natives:
                    shape.pre_solve = self._has_pre_solve

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Takes the state of a copy or a pickle; its hook calls its own listener."""
        self.__dict__.update(state)
        if self._has_pre_solve:
            self._native._restore_pre_solve(pre_solve_hook(self))
        if self._filter is not None:
            self._native.set_pair_filter(pair_filter_hook(self))

    @property
    def contactFilter(self) -> b2ContactFilter | None:
        return self._filter

    @contactFilter.setter
    def contactFilter(self, contact_filter: b2ContactFilter | None) -> None:
        self._filter = contact_filter
        self._native.set_pair_filter(None if contact_filter is None else pair_filter_hook(self))

    @property
    def allowSleeping(self) -> bool:
        return self._native.definition["sleeping"]  # type: ignore[no-any-return]

    @allowSleeping.setter
    def allowSleeping(self, allow: bool) -> None:
        self._native.configure(sleeping=bool(allow))
        if not allow:
            for body in self.bodies:
                body.awake = body.awake or body.type != b2_staticBody

    def GetAllowSleeping(self) -> bool:
        return self.allowSleeping

    def SetAllowSleeping(self, flag: bool) -> None:
        self.allowSleeping = flag

    @property
    def gravity(self) -> b2Vec2:
        return b2Vec2(*self._native.gravity)

    @gravity.setter
    def gravity(self, gravity: Sequence[float]) -> None:
        self._native.gravity = (float(gravity[0]), float(gravity[1]))

    @property
    def contacts(self) -> list[b2Contact]:
        """The contacts that touch."""
        return list(self._contacts.values())

    bodyCount = property(lambda self: len(self.bodies))
    jointCount = property(lambda self: len(self.joints))
    contactCount = property(lambda self: len(self._contacts))
    proxyCount = property(lambda self: self._native.shape_count)
    contactManager = property(b2ContactManager)
    bodies_gen = property(lambda self: iter(self.bodies))
    joints_gen = property(lambda self: iter(self.joints))
    contacts_gen = property(lambda self: iter(self.contacts))

    def __iter__(self) -> Iterator[b2Body]:
        return iter(list(self.bodies))

    def GetTreeHeight(self) -> int:
        return self.contactManager.broadPhase.treeHeight  # type: ignore[no-any-return]

    def GetTreeBalance(self) -> int:
        return b2BroadPhase.treeBalance

    def GetTreeQuality(self) -> float:
        return b2BroadPhase.treeQuality

    def GetProfile(self) -> b2Profile:
        return b2Profile()

    def Dump(self) -> None:
        """Prints the bodies and joints."""
        for item in (*self.bodies, *self.joints):
            print(repr(item))

    def ShiftOrigin(self, newOrigin: Sequence[float]) -> None:
        """Moves the origin to a point: the bodies stay where they are in space."""
        self._native.shift_origin(newOrigin)

    def CreateBody(self, definition: b2BodyDef | None = None, **fields: Any) -> b2Body:
        if definition is None:
            definition = b2BodyDef(**fields)
        body = b2Body(self, definition)
        self.bodies.append(body)
        return body

    def CreateStaticBody(self, **fields: Any) -> b2Body:
        return self.CreateBody(type=b2_staticBody, **fields)

    def CreateKinematicBody(self, **fields: Any) -> b2Body:
        return self.CreateBody(type=b2_kinematicBody, **fields)

    def CreateDynamicBody(self, **fields: Any) -> b2Body:
        return self.CreateBody(type=b2_dynamicBody, **fields)

    def CreateJoint(self, defn: Any = None, type: type | None = None, **fields: Any) -> b2Joint:
        """Makes a joint of a definition, or of the class of a joint or a definition and its fields.

        With a definition, the type is ignored.
        """
        kind = defn if isinstance(defn, builtins.type) else type if defn is None else None
        if kind is not None:
            kind = next((definition for definition, joint in CLASSES.items() if joint is kind), kind)
            definition = kind(**fields)
        else:
            definition = defn
        if not isinstance(definition, b2JointDef):
            raise TypeError(f"CreateJoint needs a definition, or the class of a joint, not {definition!r}")
        joint = create_joint(self, definition)
        self._rules.note_joint()
        self.joints.append(joint)
        if isinstance(joint, b2MotorJoint):
            self._motor_joints.append(joint)
        for body in (joint.bodyA, joint.bodyB):
            body._joints.append(joint)
        return joint

    CreateRevoluteJoint = creator(b2RevoluteJointDef)
    CreatePrismaticJoint = creator(b2PrismaticJointDef)
    CreateWheelJoint = creator(b2WheelJointDef)
    CreateDistanceJoint = creator(b2DistanceJointDef)
    CreateRopeJoint = creator(b2RopeJointDef)
    CreateWeldJoint = creator(b2WeldJointDef)
    CreateFrictionJoint = creator(b2FrictionJointDef)
    CreateMotorJoint = creator(b2MotorJointDef)
    CreateMouseJoint = creator(b2MouseJointDef)
    CreatePulleyJoint = creator(b2PulleyJointDef)
    CreateGearJoint = creator(b2GearJointDef)

    def _ground(self) -> _native.Body:
        """A static body without fixtures, which is not among `bodies`."""
        if self._ground_body is None:
            self._ground_body = self._native.create_body()
        return self._ground_body

    def DestroyJoint(self, joint: b2Joint) -> None:
        self._forget_joint(joint)
        joint._release()

    def _forget_joint(self, joint: b2Joint) -> None:
        self.joints.remove(joint)
        if isinstance(joint, b2MotorJoint):
            self._motor_joints.remove(joint)
        for body in (joint.bodyA, joint.bodyB):
            body._joints.remove(joint)

    def DestroyBody(self, body: b2Body) -> None:
        self._end_contacts(lambda contact: body in (contact.fixtureA.body, contact.fixtureB.body))
        for joint in list(body._joints):
            self._say_goodbye(joint)
            self._forget_joint(joint)
            joint._release()
        for fixture in body.fixtures:
            self._say_goodbye(fixture)
            for shape in fixture._natives:
                del self._fixtures[shape.id]
        self.bodies.remove(body)
        body._destroy()

    def _say_goodbye(self, item: b2Joint | b2Fixture) -> None:
        if self.destructionListener is not None:
            self.destructionListener.SayGoodbye(item)

    def _end_contacts(self, ends: Callable[[b2Contact], bool]) -> None:
        """Ends contacts before their fixtures are removed."""
        for key, contact in list(self._contacts.items()):
            if ends(contact):
                del self._contacts[key]
                contact.touching = False
                if self._listener is not None:
                    self._listener.EndContact(contact)

    def Step(self, timeStep: float, velocityIterations: int = 8, positionIterations: int = 3) -> None:
        """Moves the world on by `timeStep` [s], and calls the contact listener."""
        if timeStep <= 0.0:
            return
        chosen = PRECISE if velocityIterations > FEW_ITERATIONS else QUICK
        if chosen is not self._chosen:
            self._choose(chosen)
        for joint in self._motor_joints:
            joint._aim(timeStep)
        lasting = [] if self.autoClearForces else [(body, body._native.applied_force) for body in self.bodies]
        self._step_count += 1
        self.locked = True
        try:
            begins, ends = self._rules.step(self._native, timeStep, velocityIterations, positionIterations)
        finally:
            self.locked = False
        for body, (x, y, torque) in lasting:
            if x or y or torque:
                body._native.apply_force((x, y))
                body._native.apply_torque(torque)
        if begins or ends:
            self._report_contacts(begins, ends)
        if self._reports_impulses:
            for contact in self.contacts:
                self._report_impulse(contact)

    def _choose(self, settings: dict[str, int]) -> None:
        """Takes these settings of the solver, but for those that the program set."""
        self._chosen = settings
        for name in self._by_iterations:
            self._native.configure(**{name: settings[name]})

    def _report_impulse(self, contact: b2Contact) -> None:
        impulse = contact.impulse
        # Sensors have none, nor have contacts that `PreSolve` let pass.
        if impulse.normalImpulses:
            self._listener.PostSolve(contact, impulse)  # type: ignore[union-attr]

    def _report_contacts(self, begins: Iterable[tuple[int, int]], ends: Iterable[tuple[int, int]]) -> None:
        # New contacts come first, as in the list of contacts of Box2D.
        for key in begins:
            fixtures = self._fixtures.get(key[0]), self._fixtures.get(key[1])
            if None in fixtures or key in self._contacts:
                continue
            contact = self._contacts[key] = b2Contact(*fixtures, key)
            if self._listener is not None:
                self._listener.BeginContact(contact)
        for key in ends:
            contact = self._contacts.pop(key, None)
            if contact is None:
                continue
            contact.touching = False
            if self._listener is not None:
                self._listener.EndContact(contact)

    def ClearForces(self) -> None:
        """Removes the forces that were applied: with `autoClearForces` they last for one step."""
        if not self.autoClearForces:
            for body in self.bodies:
                x, y, torque = body._native.applied_force
                if x or y or torque:
                    body._native.apply_force((-x, -y))
                    body._native.apply_torque(-torque)

    def DrawDebugData(self) -> None:
        """Draws the world with its `renderer`."""
        if self.renderer is not None:
            draw_world(self, self.renderer)

    def QueryAABB(self, callback: Any, aabb: b2AABB) -> None:
        """Reports the fixtures whose boxes overlap a box, until the callback returns False."""
        report = getattr(callback, "ReportFixture", callback)
        shapes = self._native.shapes_in(aabb.lowerBound.tuple, aabb.upperBound.tuple, sensors=True)
        for fixture in dict.fromkeys(self._fixtures[shape.id] for shape in shapes):
            if not report(fixture):
                return

    def RayCast(self, callback: Any, point1: Sequence[float], point2: Sequence[float]) -> None:
        """Reports the fixtures on the way from one point to the other, nearest first."""
        report = getattr(callback, "ReportFixture", callback)
        # Vectors of bodies are read once.
        (x1, y1), (x2, y2) = point1, point2
        furthest = 1.0
        for shape, x, y, nx, ny, fraction in self._native._ray_hits((x1, y1), (x2 - x1, y2 - y1)):
            if fraction > furthest:
                return
            # Box2D does not report a fixture that contains the start.
            if nx == 0.0 and ny == 0.0:
                continue
            answer = report(self._fixtures[shape], b2Vec2(x, y), b2Vec2(nx, ny), fraction)
            if answer == 0.0:
                return
            if answer is not None and answer > 0.0:
                furthest = min(furthest, answer)
