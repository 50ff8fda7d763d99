"""Worlds, bodies and fixtures of the `Box2D` module, on worlds of the engine.

What differs from the original: contact callbacks but `PreSolve` are called after the step, not within it, so that bodies may be
destroyed in them; `velocityIterations` and `positionIterations` have no effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cairn2d import _native
from cairn2d._native import Body, Shape
from cairn2d.compat._contacts import b2Contact, b2ContactListener, overrides, pre_solve_hook
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
from cairn2d.compat._joints import b2Joint, b2MotorJoint, create_joint
from cairn2d.compat._math import b2Transform, b2Vec2
from cairn2d.compat._shapes import (
    KINDS,
    b2BodyDef,
    b2ChainShape,
    b2CircleShape,
    b2EdgeShape,
    b2Filter,
    b2FixtureDef,
    b2PolygonShape,
    b2Shape,
    b2_dynamicBody,
    b2_kinematicBody,
    b2_staticBody,
    skin_of,
    take_fields,
)


def as_list(items: Any) -> list:
    """One item, or several."""
    if items is None:
        return []
    return list(items) if isinstance(items, (list, tuple)) else [items]


def creator(kind: type[b2JointDef]) -> Callable[..., Any]:
    """A method of a world that makes a joint of this kind."""

    def create(self: b2World, **fields: Any) -> b2Joint:
        return self.CreateJoint(kind(**fields))

    create.__doc__ = f"Makes a joint; the keyword arguments are the fields of a `{kind.__name__}`."
    return create


def native(name: str, convert: Callable[[Any], Any] = float) -> property:
    """A property that is `name` of the engine's objects: arguments may be NumPy's numbers."""

    def change(self: b2Body | b2Fixture, value: Any) -> None:
        for one in self._natives:
            setattr(one, name, convert(value))

    return property(lambda self: getattr(self._native, name), change)


def setting(name: str) -> property:
    """A property of a world that is a setting of the solver, as `cairn2d.World` has it."""

    def change(self: b2World, value: int) -> None:
        self._native.configure(**{name: int(value)})

    return property(lambda self: self._native.definition[name], change)


class b2Fixture:
    """A shape on a body; takes arbitrary attributes."""

    def __init__(self, body: b2Body, definition: b2FixtureDef) -> None:
        if definition.shape is None:
            raise ValueError("a fixture definition needs a shape")
        self.body = body
        self.shape = definition.shape.copy()
        self.userData = definition.userData
        self._filter = definition.filter
        bits = self._filter
        # A chain has two for each edge, one for each side; the others have one.
        self._natives: list[Shape] = self.shape.create(
            body._native,
            density=float(definition.density or 0.0),
            friction=float(definition.friction),
            restitution=float(definition.restitution),
            sensor=bool(definition.isSensor),
            pre_solve=body.world._has_pre_solve,
            category=bits.categoryBits,
            mask=bits.maskBits,
            group=bits.groupIndex,
        )

    @property
    def _native(self) -> Shape:
        return self._natives[0]

    @property
    def filterData(self) -> b2Filter:
        return self._filter

    @filterData.setter
    def filterData(self, bits: b2Filter) -> None:
        self._filter = bits
        for shape in self._natives:
            shape.category, shape.mask, shape.group = bits.categoryBits, bits.maskBits, bits.groupIndex

    sensor = native("is_sensor", bool)
    density = native("density")
    friction = native("friction")
    restitution = native("restitution")

    def TestPoint(self, point: Sequence[float]) -> bool:
        """Whether a point of the world is inside."""
        found = self.body.world._native.shapes_at((float(point[0]), float(point[1])), sensors=True)
        return any(shape in found for shape in self._natives)


class b2Body:
    """A body; takes arbitrary attributes."""

    angularVelocity = native("angular_velocity")
    linearDamping = native("linear_damping")
    angularDamping = native("angular_damping")
    gravityScale = native("gravity_scale")
    awake = native("is_awake", bool)
    active = native("is_enabled", bool)
    bullet = native("is_bullet", bool)
    sleepingAllowed = native("can_sleep", bool)

    def __init__(self, world: b2World, definition: b2BodyDef) -> None:
        self.world = world
        self.userData = definition.userData
        self.fixtures: list[b2Fixture] = []
        self.joints: list[b2Joint] = []
        self._native = world._native.create_body(
            KINDS[definition.type],
            position=(float(definition.position[0]), float(definition.position[1])),
            angle=float(definition.angle),
            velocity=(float(definition.linearVelocity[0]), float(definition.linearVelocity[1])),
            angular_velocity=float(definition.angularVelocity),
            linear_damping=float(definition.linearDamping),
            angular_damping=float(definition.angularDamping),
            gravity_scale=float(definition.gravityScale),
            can_sleep=bool(definition.allowSleep),
            bullet=bool(definition.bullet),
            locks=(False, False, bool(definition.fixedRotation)),
            # The rules of Box2D put it to sleep.
            sleep_speed=0.0,
        )
        if definition.type != b2_staticBody:
            world._rules.add(self._native, float(definition.angle))
        for fixture in as_list(definition.fixtures):
            self.CreateFixture(fixture)
        for shape in as_list(definition.shapes):
            self.CreateFixturesFromShapes(shape, definition.shapeFixture)
        if not definition.active:
            self._native.is_enabled = False
        elif not definition.awake:
            self._native.is_awake = False

    @property
    def _natives(self) -> list[Body]:
        return [self._native]

    def CreateFixture(self, definition: b2FixtureDef | None = None, **fields: Any) -> b2Fixture:
        if definition is None:
            definition = b2FixtureDef(**fields)
        fixture = b2Fixture(self, definition)
        self.fixtures.append(fixture)
        self.world._fixtures.update((shape.id, fixture) for shape in fixture._natives)
        return fixture

    def CreateFixturesFromShapes(self, shapes: Any, shapeFixture: b2FixtureDef | None = None) -> list[b2Fixture]:
        created = []
        for shape in as_list(shapes):
            definition = b2FixtureDef() if shapeFixture is None else shapeFixture
            before, definition.shape = definition.shape, shape
            created.append(self.CreateFixture(definition))
            definition.shape = before
        return created

    def _create(self, shape: b2Shape, fields: dict[str, Any]) -> b2Fixture:
        own = {name: fields.pop(name) for name in list(fields) if hasattr(shape, name)}
        take_fields(shape, own)
        return self.CreateFixture(shape=shape, **fields)

    def CreateEdgeFixture(self, **fields: Any) -> b2Fixture:
        return self._create(b2EdgeShape(), fields)

    def CreatePolygonFixture(self, **fields: Any) -> b2Fixture:
        return self._create(b2PolygonShape(), fields)

    def CreateCircleFixture(self, **fields: Any) -> b2Fixture:
        return self._create(b2CircleShape(), fields)

    def CreateChainFixture(self, **fields: Any) -> b2Fixture:
        return self._create(b2ChainShape(), fields)

    CreateLoopFixture = CreateChainFixture

    def DestroyFixture(self, fixture: b2Fixture) -> None:
        self.world._end_contacts(lambda contact: fixture in (contact.fixtureA, contact.fixtureB))
        self.fixtures.remove(fixture)
        for shape in fixture._natives:
            del self.world._fixtures[shape.id]
            shape.destroy()

    @property
    def position(self) -> b2Vec2:
        return b2Vec2(*self._native.position)

    @position.setter
    def position(self, position: Sequence[float]) -> None:
        self._native.position = (float(position[0]), float(position[1]))

    @property
    def angle(self) -> float:
        """Angle with all turns [rad]."""
        if self._native.kind == "static":
            return self._native.angle
        return self.world._rules.angle(self._native)

    @angle.setter
    def angle(self, angle: float) -> None:
        self._native.angle = float(angle)
        if self._native.kind != "static":
            self.world._rules.add(self._native, float(angle))

    @property
    def transform(self) -> b2Transform:
        return b2Transform(self._native.position, self._native.angle)

    @transform.setter
    def transform(self, pose: Sequence[Any]) -> None:
        position, angle = pose
        self.position = position
        self.angle = angle

    @property
    def worldCenter(self) -> b2Vec2:
        return b2Vec2(*self._native.center)

    @property
    def localCenter(self) -> b2Vec2:
        return b2Vec2(*self._native.local_center)

    @property
    def linearVelocity(self) -> b2Vec2:
        return b2Vec2(*self._native.velocity)

    @linearVelocity.setter
    def linearVelocity(self, velocity: Sequence[float]) -> None:
        self._native.velocity = (float(velocity[0]), float(velocity[1]))

    @property
    def mass(self) -> float:
        return self._native.mass

    @property
    def inertia(self) -> float:
        """Inertia about the origin of the body [kg m^2], as in Box2D."""
        x, y = self._native.local_center
        return self._native.inertia + self._native.mass * (x * x + y * y)

    @property
    def fixedRotation(self) -> bool:
        return self._native.locks[2]

    @fixedRotation.setter
    def fixedRotation(self, fixed: bool) -> None:
        self._native.locks = (False, False, bool(fixed))

    @property
    def type(self) -> int:
        return KINDS.index(self._native.kind)

    @type.setter
    def type(self, kind: int) -> None:
        angle = self.angle
        self._native.kind = KINDS[kind]
        for fixture in self.fixtures:
            if not isinstance(fixture.shape, b2ChainShape):
                fixture._native.geometry = fixture.shape.geometry(skin_of(self._native))
        if kind != b2_staticBody:
            self.world._rules.add(self._native, angle)

    @property
    def contacts(self) -> list[b2Contact]:
        """The contacts that touch."""
        return [c for c in self.world.contacts if self in (c.fixtureA.body, c.fixtureB.body)]

    def _acts(self, wake: bool) -> bool:
        """Whether a force acts: one that does not wake has no effect on a sleeping body."""
        return wake or self._native.is_awake

    def ApplyForce(self, force: Sequence[float], point: Sequence[float], wake: bool = True) -> None:
        if self._acts(wake):
            self._native.apply_force(force, point)

    def ApplyForceToCenter(self, force: Sequence[float], wake: bool = True) -> None:
        if self._acts(wake):
            self._native.apply_force(force)

    def ApplyTorque(self, torque: float, wake: bool = True) -> None:
        if self._acts(wake):
            self._native.apply_torque(torque)

    def ApplyLinearImpulse(self, impulse: Sequence[float], point: Sequence[float], wake: bool = True) -> None:
        if self._acts(wake):
            self._native.apply_impulse(impulse, point)

    def ApplyAngularImpulse(self, impulse: float, wake: bool = True) -> None:
        if self._acts(wake):
            self._native.apply_angular_impulse(impulse)

    def GetWorldPoint(self, point: Sequence[float]) -> b2Vec2:
        return b2Vec2(*self._native.to_world(point))

    def GetLocalPoint(self, point: Sequence[float]) -> b2Vec2:
        return b2Vec2(*self._native.to_local(point))

    def GetWorldVector(self, vector: Sequence[float]) -> b2Vec2:
        s, c = _native._sincos(self._native.angle)
        return b2Vec2(c * vector[0] - s * vector[1], s * vector[0] + c * vector[1])

    def GetLocalVector(self, vector: Sequence[float]) -> b2Vec2:
        s, c = _native._sincos(self._native.angle)
        return b2Vec2(c * vector[0] + s * vector[1], -s * vector[0] + c * vector[1])

    def GetLinearVelocityFromWorldPoint(self, point: Sequence[float]) -> b2Vec2:
        return b2Vec2(*self._native.velocity_at(point))

    def GetLinearVelocityFromLocalPoint(self, point: Sequence[float]) -> b2Vec2:
        return self.GetLinearVelocityFromWorldPoint(self.GetWorldPoint(point))

    def ResetMassData(self) -> None:
        self._native.reset_mass()


class b2RayCastCallback:
    """Base of ray-cast callbacks: override `ReportFixture`."""

    def ReportFixture(self, fixture: b2Fixture, point: b2Vec2, normal: b2Vec2, fraction: float) -> float:
        """Returns -1 to ignore the fixture, 0 to stop, `fraction` to shorten the ray, 1 to go on."""
        raise NotImplementedError


class b2World:
    """A world; takes arbitrary attributes. Steps, saves and copies are those of `cairn2d.World`."""

    defaults = {"substeps": _native._BOX2D_SUBSTEPS, "solver_budget": _native._BOX2D_SOLVER_BUDGET}
    """Settings of worlds that are made from now on: `install` sets them."""

    substeps = setting("substeps")
    solver_budget = setting("solver_budget")

    def __init__(
        self,
        gravity: Sequence[float] = (0.0, -10.0),
        doSleep: bool = True,
        contactListener: b2ContactListener | None = None,
        **fields: Any,
    ) -> None:
        self._native = _native.World(
            gravity=(float(gravity[0]), float(gravity[1])), sleeping=bool(doSleep), **self.defaults
        )
        self._fixtures: dict[int, b2Fixture] = {}
        self._contacts: dict[tuple[int, int], b2Contact] = {}
        self._rules = _native._Box2dRules()
        self._has_pre_solve = False
        self.bodies: list[b2Body] = []
        self.joints: list[b2Joint] = []
        self._motor_joints: list[b2MotorJoint] = []
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
            # Sweeps do not call the hook: they would stop fast bodies at shapes that it lets them pass.
            self._native.configure(continuous=not self._has_pre_solve)
            for fixture in self._fixtures.values():
                for shape in fixture._natives:
                    shape.pre_solve = self._has_pre_solve

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Takes the state of a copy or a pickle; its hook calls its own listener."""
        self.__dict__.update(state)
        if self._has_pre_solve:
            self._native._restore_pre_solve(pre_solve_hook(self))

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
    locked = False

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

    def CreateJoint(self, definition: b2JointDef, **fields: Any) -> b2Joint:
        if isinstance(definition, type):
            definition = definition(**fields)
        joint = create_joint(self, definition)
        self._rules.note_joint()
        self.joints.append(joint)
        if isinstance(joint, b2MotorJoint):
            self._motor_joints.append(joint)
        for body in (joint.bodyA, joint.bodyB):
            body.joints.append(joint)
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

    def DestroyJoint(self, joint: b2Joint) -> None:
        self._forget_joint(joint)
        joint._native.destroy()

    def _forget_joint(self, joint: b2Joint) -> None:
        self.joints.remove(joint)
        if isinstance(joint, b2MotorJoint):
            self._motor_joints.remove(joint)
        for body in (joint.bodyA, joint.bodyB):
            body.joints.remove(joint)

    def DestroyBody(self, body: b2Body) -> None:
        self._end_contacts(lambda contact: body in (contact.fixtureA.body, contact.fixtureB.body))
        for joint in list(body.joints):
            self._forget_joint(joint)
        for fixture in body.fixtures:
            for shape in fixture._natives:
                del self._fixtures[shape.id]
        self.bodies.remove(body)
        body._native.destroy()

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
        for joint in self._motor_joints:
            joint._aim(timeStep)
        begins, ends = self._rules.step(self._native, timeStep)
        if begins or ends:
            self._report_contacts(begins, ends)
        if self._reports_impulses:
            for contact in self.contacts:
                self._listener.PostSolve(contact, contact.impulse)  # type: ignore[union-attr]

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
        """Does nothing: forces last one step."""

    def RayCast(self, callback: Any, point1: Sequence[float], point2: Sequence[float]) -> None:
        """Reports the fixtures on the way from one point to the other, nearest first."""
        report = getattr(callback, "ReportFixture", callback)
        along = (point2[0] - point1[0], point2[1] - point1[1])
        furthest = 1.0
        for shape, x, y, nx, ny, fraction in self._native._ray_hits(point1, along):
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
