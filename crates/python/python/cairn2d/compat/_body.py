"""Bodies and fixtures of the `Box2D` module, on those of the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cairn2d import _native
from cairn2d._native import Body, Shape
from cairn2d.compat._collision import b2AABB, b2RayCastInput, b2RayCastOutput
from cairn2d.compat._contacts import b2Contact
from cairn2d.compat._joint_defs import floats
from cairn2d.compat._joints import b2Joint
from cairn2d.compat._live import LiveVector, LiveVelocity
from cairn2d.compat._math import b2Transform, b2Vec2
from cairn2d.compat._shapes import (
    KINDS,
    b2BodyDef,
    b2ChainShape,
    b2CircleShape,
    b2EdgeShape,
    b2Filter,
    b2FixtureDef,
    b2MassData,
    b2PolygonShape,
    b2Shape,
    b2_dynamicBody,
    b2_staticBody,
    skin_of,
    take_fields,
)

if TYPE_CHECKING:
    from cairn2d.compat._world import b2World


def as_list(items: Any) -> list:
    """One item, or several."""
    if items is None:
        return []
    return list(items) if isinstance(items, (list, tuple)) else [items]


def native(name: str, convert: Callable[[Any], Any] = float) -> property:
    """A property that is `name` of the engine's objects: arguments may be NumPy's numbers."""

    def change(self: b2Body | b2Fixture, value: Any) -> None:
        for one in self._natives:
            setattr(one, name, convert(value))

    return property(lambda self: getattr(self._native, name), change)


class b2Fixture:
    """A shape on a body; takes arbitrary attributes."""

    def __init__(self, body: b2Body, definition: b2FixtureDef) -> None:
        if definition.shape is None:
            raise ValueError("a fixture definition needs a shape")
        self.body = body
        self.shape = definition.shape.copy()
        self.userData = definition.userData
        bits = definition.filter
        self._filter = b2Filter(bits.categoryBits, bits.maskBits, bits.groupIndex)
        # A chain has two for each edge, one for each side; the others have one.
        self._natives: list[Shape] = self.shape.create(
            body._native,
            (float(definition.density or 0.0), float(definition.friction), float(definition.restitution)),
            (bool(definition.isSensor), body.world._has_pre_solve),
            (bits.categoryBits, bits.maskBits, bits.groupIndex),
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

    type = property(lambda self: self.shape.type)
    massData = property(lambda self: self.shape.getMass(self.density))

    def TestPoint(self, point: Sequence[float]) -> bool:
        """Whether a point of the world is inside."""
        return self.shape.TestPoint(self.body.transform, point)

    def RayCast(self, output: b2RayCastOutput, input: b2RayCastInput, childIndex: int = 0) -> bool:
        """Casts a ray against the fixture."""
        return self.shape.RayCast(output, input, self.body.transform, childIndex)

    def GetAABB(self, childIndex: int = 0) -> b2AABB:
        """Box around a part in the world [m]."""
        return self.shape.getAABB(self.body.transform, childIndex)

    def Refilter(self) -> None:
        """Filters the pairs of the fixture again; setting `filterData` does so, too."""
        self.filterData = self._filter

    def ClearUserData(self) -> None:
        self.userData = None

    def Dump(self, body: int = 0) -> None:
        """Prints the fixture."""
        print(repr(self))

    @property
    def next(self) -> b2Fixture | None:
        """The fixture of the body that was made before."""
        place = self.body.fixtures.index(self)
        return self.body.fixtures[place - 1] if place else None

    def __repr__(self) -> str:
        return f"b2Fixture(shape={self.shape},density={self.density:g},sensor={self.sensor})"


class Edge:
    """A contact or joint of a body, and the other body."""

    def __init__(self, other: b2Body) -> None:
        self.other = other


class b2ContactEdge(Edge):
    """A contact of a body."""

    def __init__(self, other: b2Body, contact: b2Contact) -> None:
        super().__init__(other)
        self.contact = contact


class b2JointEdge(Edge):
    """A joint of a body."""

    def __init__(self, other: b2Body, joint: b2Joint) -> None:
        super().__init__(other)
        self.joint = joint


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
        self._joints: list[b2Joint] = []
        # Vectors of the body once it is destroyed.
        self._last: dict[str, tuple[float, float]] = {}
        # Whether the body has the mass that Box2D gives to one without density.
        self._has_unit_mass = False
        self._native = world._native._create_box2d_body(
            KINDS[definition.type],
            floats(definition.position),
            float(definition.angle),
            floats(definition.linearVelocity),
            float(definition.angularVelocity),
            (float(definition.linearDamping), float(definition.angularDamping)),
            float(definition.gravityScale),
            (bool(definition.allowSleep), bool(definition.bullet), bool(definition.fixedRotation)),
        )
        if definition.type != b2_staticBody:
            world._rules.add(self._native, float(definition.angle))
        for fixture in as_list(definition.fixtures):
            self._add_fixture(fixture)
        for shape in as_list(definition.shapes):
            self._add_shape(shape, definition.shapeFixture)
        self._complete_mass()
        for name in ("massData", "localCenter", "inertia", "mass"):
            if getattr(definition, name) is not None:
                setattr(self, name, getattr(definition, name))
        if not definition.active:
            self._native.is_enabled = False
        elif not definition.awake:
            self._native.is_awake = False

    @property
    def _natives(self) -> list[Body]:
        return [self._native]

    def _add_fixture(self, definition: b2FixtureDef) -> b2Fixture:
        fixture = b2Fixture(self, definition)
        self.fixtures.append(fixture)
        self.world._fixtures.update((shape.id, fixture) for shape in fixture._natives)
        return fixture

    def _add_shape(self, shape: b2Shape, definition: b2FixtureDef | None) -> b2Fixture:
        definition = b2FixtureDef() if definition is None else definition
        before, definition.shape = definition.shape, shape
        try:
            return self._add_fixture(definition)
        finally:
            definition.shape = before

    def _complete_mass(self) -> None:
        """Gives a dynamic body without mass 1 kg and no inertia, as Box2D does: it moves, and does not turn."""
        if self._has_unit_mass:
            self._native.reset_mass()
        self._has_unit_mass = self._native.is_massless
        if self._has_unit_mass:
            self._native.set_mass(1.0, 0.0)

    def CreateFixture(self, definition: b2FixtureDef | None = None, **fields: Any) -> b2Fixture:
        fixture = self._add_fixture(b2FixtureDef(**fields) if definition is None else definition)
        self._complete_mass()
        return fixture

    def CreateFixturesFromShapes(self, shapes: Any, shapeFixture: b2FixtureDef | None = None) -> Any:
        """Makes a fixture of a shape, or a list of fixtures of several."""
        if shapes is None:
            raise TypeError("CreateFixturesFromShapes needs a shape")
        created = [self._add_shape(shape, shapeFixture) for shape in as_list(shapes)]
        self._complete_mass()
        return created if isinstance(shapes, (list, tuple)) else created[0]

    def CreateEdgeChain(self, edge_list: Sequence[Sequence[float]]) -> None:
        """Makes an edge between each two neighbors of a list of points."""
        if len(edge_list) < 2:
            raise ValueError(f"an edge chain has at least 2 points, not {len(edge_list)}")
        for ends in zip(edge_list, edge_list[1:]):
            self._add_shape(b2EdgeShape(ends), None)

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
        self._complete_mass()

    @property
    def position(self) -> b2Vec2:
        return LiveVector(self, "position")

    @position.setter
    def position(self, position: Sequence[float]) -> None:
        self._native.position = (float(position[0]), float(position[1]))

    @property
    def angle(self) -> float:
        """Angle with all turns [rad]; without them within a step."""
        if self._native.kind == "static" or self.world.locked:
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
        return LiveVector(self, "center")

    @property
    def localCenter(self) -> b2Vec2:
        return LiveVector(self, "local_center")

    @property
    def linearVelocity(self) -> b2Vec2:
        return LiveVelocity(self, "velocity")

    @linearVelocity.setter
    def linearVelocity(self, velocity: Sequence[float]) -> None:
        self._native.velocity = (float(velocity[0]), float(velocity[1]))

    @localCenter.setter
    def localCenter(self, center: Sequence[float]) -> None:
        self.massData = b2MassData(self.mass, center, self.inertia)

    @property
    def mass(self) -> float:
        return self._native.mass

    @mass.setter
    def mass(self, mass: float) -> None:
        self.massData = b2MassData(mass, self.localCenter, self.inertia)

    @property
    def inertia(self) -> float:
        """Inertia about the origin of the body [kg m^2], as in Box2D."""
        x, y = self._native.local_center
        return self._native.inertia + self._native.mass * (x * x + y * y)

    @inertia.setter
    def inertia(self, inertia: float) -> None:
        self.massData = b2MassData(self.mass, self.localCenter, inertia)

    @property
    def massData(self) -> b2MassData:
        """Mass, center, and inertia about the origin; setting it has no effect on a body that is not dynamic."""
        return b2MassData(self.mass, self.localCenter, self.inertia)

    @massData.setter
    def massData(self, data: b2MassData) -> None:
        if self.type != b2_dynamicBody:
            return
        mass, (x, y) = float(data.mass) if data.mass > 0.0 else 1.0, data.center
        inertia = max(float(data.I) - mass * (x * x + y * y), 0.0)
        self._has_unit_mass = False
        self._native.set_mass(mass, inertia, (x, y))

    def GetMassData(self, data: b2MassData) -> None:
        """Writes mass, center and inertia about the origin to `data`."""
        data.mass, data.center, data.I = self.mass, self.localCenter, self.inertia

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
        self._complete_mass()

    @property
    def contacts(self) -> list[b2ContactEdge]:
        """The contacts that touch, and the other bodies."""
        pairs = ((contact, contact.fixtureA.body, contact.fixtureB.body) for contact in self.world.contacts)
        return [b2ContactEdge(b if a is self else a, contact) for contact, a, b in pairs if self in (a, b)]

    @property
    def joints(self) -> list[b2JointEdge]:
        """The joints, and the other bodies."""
        return [b2JointEdge(joint.bodyB if joint.bodyA is self else joint.bodyA, joint) for joint in self._joints]

    contacts_gen = property(lambda self: iter(self.contacts))
    joints_gen = property(lambda self: iter(self.joints))
    fixtures_gen = property(lambda self: iter(self.fixtures))

    def __iter__(self) -> Iterator[b2Fixture]:
        return iter(list(self.fixtures))

    @property
    def next(self) -> b2Body | None:
        """The body of the world that was made before."""
        place = self.world.bodies.index(self)
        return self.world.bodies[place - 1] if place else None

    def _destroy(self) -> None:
        """Destroys the body of the engine; vectors of the body keep their values."""
        self._last = dict(zip(("position", "center", "local_center", "velocity"), self._native._destroy_box2d()))

    def ClearUserData(self) -> None:
        self.userData = None

    def Dump(self) -> None:
        """Prints the body."""
        print(repr(self))

    def __repr__(self) -> str:
        return f"b2Body(type={self.type},position={self.position},angle={self.angle:g},userData={self.userData!r})"

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

    def GetWorldPoint(self, localPoint: Sequence[float]) -> b2Vec2:
        return b2Vec2(*self._native.to_world(localPoint))

    def GetLocalPoint(self, worldPoint: Sequence[float]) -> b2Vec2:
        return b2Vec2(*self._native.to_local(worldPoint))

    def GetWorldVector(self, localVector: Sequence[float]) -> b2Vec2:
        s, c = _native._sincos(self._native.angle)
        return b2Vec2(c * localVector[0] - s * localVector[1], s * localVector[0] + c * localVector[1])

    def GetLocalVector(self, worldVector: Sequence[float]) -> b2Vec2:
        s, c = _native._sincos(self._native.angle)
        return b2Vec2(c * worldVector[0] + s * worldVector[1], -s * worldVector[0] + c * worldVector[1])

    def GetLinearVelocityFromWorldPoint(self, worldPoint: Sequence[float]) -> b2Vec2:
        return b2Vec2(*self._native.velocity_at(worldPoint))

    def GetLinearVelocityFromLocalPoint(self, localPoint: Sequence[float]) -> b2Vec2:
        return self.GetLinearVelocityFromWorldPoint(self.GetWorldPoint(localPoint))

    def ResetMassData(self) -> None:
        self._has_unit_mass = False
        self._native.reset_mass()
        self._complete_mass()
