"""`cairn2d.compat.Box2D`: contacts, listeners, queries and collision; expected numbers are those of the original, 2.3.10."""

import copy
import math
import pickle

import pytest

import cairn2d
from cairn2d.compat import Box2D as B


class Silent(B.b2ContactListener):
    def PreSolve(self, contact, oldManifold):
        pass


@pytest.mark.parametrize("bullet", [False, True])
@pytest.mark.parametrize("speed", [20.0, 60.0, 400.0])
@pytest.mark.parametrize("obstacle", ["edge", "chain", "polygon"])
def test_fast_bodies_do_not_pass_thin_shapes_although_a_listener_has_pre_solve(bullet, speed, obstacle):
    world = B.b2World(gravity=(0, 0), contactListener=Silent())
    shapes = {
        "edge": B.b2EdgeShape(vertices=[(-5, 0), (5, 0)]),
        "chain": B.b2ChainShape(vertices_chain=[(-5, 0), (0, 0), (5, 0)]),
        "polygon": B.b2PolygonShape(box=(5, 0.02)),
    }
    world.CreateStaticBody(shapes=shapes[obstacle])
    ball = world.CreateDynamicBody(position=(0, 3), linearVelocity=(0, -speed), bullet=bullet)
    ball.CreateCircleFixture(radius=0.25, density=1)
    for _ in range(60):
        world.Step(1 / 60, 8, 3)
        assert ball.position.y > 0.2
    assert ball.position.y < 0.4


def test_a_body_that_pre_solve_lets_pass_stops_for_one_step_at_most():
    class Ghost(B.b2ContactListener):
        def PreSolve(self, contact, oldManifold):
            contact.enabled = False

    world = B.b2World(gravity=(0, 0), contactListener=Ghost())
    world.CreateStaticBody(shapes=B.b2PolygonShape(box=(5, 0.1)))
    ball = world.CreateDynamicBody(position=(0, 3), linearVelocity=(0, -60), bullet=True)
    ball.CreateCircleFixture(radius=0.25, density=1)
    for _ in range(30):
        world.Step(1 / 60, 8, 3)
    # 30 steps of one meter, less one.
    assert -27.01 < ball.position.y <= -26.0 and abs(ball.linearVelocity.y + 60) < 1e-3


@pytest.mark.parametrize("speed", [5.0, -3.0])
@pytest.mark.parametrize("belt_first", [True, False])
def test_tangent_speed_moves_bodies_as_in_box2d(speed, belt_first):
    """Along the normal turned clockwise, whichever fixture is the first: the original moves the box to +x by a positive speed."""

    class Belt(B.b2ContactListener):
        def PreSolve(self, contact, oldManifold):
            contact.tangentSpeed = speed
            assert contact.tangentSpeed == pytest.approx(speed)

    world = B.b2World(contactListener=Belt())

    def belt():
        world.CreateStaticBody(shapes=B.b2PolygonShape(box=(50, 1)))

    if belt_first:
        belt()
    box = world.CreateDynamicBody(position=(0, 1.515))
    box.CreatePolygonFixture(box=(0.5, 0.5), density=1, friction=0.8)
    if not belt_first:
        belt()
    for _ in range(120):
        world.Step(1 / 60, 8, 3)
    # If the box is the first, the normal points down, but the box also moves against the belt as A, not as B.
    assert box.linearVelocity.x == pytest.approx(speed, abs=0.01)


def test_lines_are_before_polygons_and_these_before_circles():
    world = B.b2World()
    ball = world.CreateDynamicBody(position=(0, 0.4))
    ball.CreateCircleFixture(radius=0.5, density=1)
    box = world.CreateDynamicBody(position=(3, 0.4))
    box.CreatePolygonFixture(box=(0.5, 0.5), density=1)
    upper = world.CreateDynamicBody(position=(3, 1.3))
    upper.CreateCircleFixture(radius=0.5, density=1)
    ground = world.CreateStaticBody(shapes=B.b2EdgeShape(vertices=[(-9, 0), (9, 0)]))
    world.Step(1 / 60, 8, 3)
    pairs = {(contact.fixtureA.body, contact.fixtureB.body) for contact in world.contacts}
    assert {(ground, ball), (ground, box), (box, upper)} <= pairs
    for contact in world.contacts:
        assert contact.worldManifold.normal.y > 0.9


class States(B.b2ContactListener):
    def __init__(self):
        super().__init__()
        self.seen = []

    def PreSolve(self, contact, oldManifold):
        body = contact.fixtureB.body
        assert contact.fixtureA.body.world.locked
        manifold = contact.manifold
        self.seen.append((B.b2GetPointStates(oldManifold, manifold), manifold.pointCount, body.position.y, body.angle))
        local = [tuple(point.localPoint) for point in manifold.points]
        assert all(abs(y + 0.5) < 0.05 and abs(abs(x) - 0.5) < 0.05 for x, y in local)
        with pytest.raises(cairn2d.WorldBusy):
            body.mass


def test_manifolds_and_their_states_within_and_after_a_step():
    listener = States()
    world = B.b2World(contactListener=listener)
    ground = world.CreateStaticBody(shapes=B.b2PolygonShape(box=(50, 1)))
    box = world.CreateDynamicBody(position=(0, 1.6))
    box.CreatePolygonFixture(box=(0.5, 0.5), density=1, friction=0.8)
    for _ in range(30):
        world.Step(1 / 60, 8, 3)
    assert not world.locked
    added, kept = (B.b2_addState, B.b2_addState), (B.b2_persistState, B.b2_persistState)
    assert listener.seen[0][:2] == (((0, 0), added), 2)
    assert all(states == (kept, kept) for states, *_ in listener.seen[1:])
    (contact,) = world.contacts
    assert contact.fixtureA.body is ground and contact.touching and contact.enabled
    manifold = contact.manifold
    assert manifold.pointCount == 2 and tuple(manifold.localNormal) == pytest.approx((0, 1), abs=1e-3)
    assert sum(point.normalImpulse for point in manifold.points) == pytest.approx(10 / 60, rel=0.02)
    edge = box.contacts[0]
    assert edge.other is ground and edge.contact is contact
    with_other_pose = B.b2Manifold()
    lifted = B.b2Transform((0, 9), 0.0)
    contact.Evaluate(with_other_pose, ground.transform, lifted)
    assert with_other_pose.pointCount == 0


def test_copies_of_worlds_keep_filter_and_listener():
    class Never(B.b2ContactFilter):
        def ShouldCollide(self, fixtureA, fixtureB):
            return "ghost" not in (fixtureA.body.userData, fixtureB.body.userData)

    world = B.b2World(contactFilter=Never())
    world.CreateStaticBody(shapes=B.b2PolygonShape(box=(5, 1)))
    ghost = world.CreateDynamicBody(position=(0, 2), userData="ghost")
    ghost.CreateCircleFixture(radius=0.5, density=1)
    solid = world.CreateDynamicBody(position=(3, 2))
    solid.CreateCircleFixture(radius=0.5, density=1)
    twin = copy.deepcopy(world)
    for one in (world, twin):
        for _ in range(60):
            one.Step(1 / 60, 8, 3)
        assert one.bodies[1].position.y < -1 and one.bodies[2].position.y > 1.4
    world.contactFilter = None
    assert world.contactFilter is None


def test_the_filter_of_a_definition_can_be_changed_in_place():
    definition = B.b2FixtureDef(shape=B.b2CircleShape(radius=1), filter=B.b2Filter(groupIndex=1))
    world = B.b2World()
    first = world.CreateDynamicBody(fixtures=definition).fixtures[0]
    definition.filter.groupIndex = -1
    definition.maskBits = 0x0F
    second = world.CreateDynamicBody(fixtures=definition).fixtures[0]
    assert (first.filterData.groupIndex, first.filterData.maskBits) == (1, 0xFFFF)
    assert (second.filterData.groupIndex, second.filterData.maskBits) == (-1, 0x0F)


def test_query_reports_fixtures_until_it_is_stopped():
    class Found(B.b2QueryCallback):
        def __init__(self, limit):
            super().__init__()
            self.fixtures, self.limit = [], limit

        def ReportFixture(self, fixture):
            self.fixtures.append(fixture)
            return len(self.fixtures) < self.limit

    world = B.b2World()
    bodies = [world.CreateDynamicBody(position=(3 * i, 0)) for i in range(4)]
    for body in bodies:
        body.CreatePolygonFixture(box=(1, 1), density=1)
    for limit, count in ((9, 3), (2, 2)):
        found = Found(limit)
        world.QueryAABB(found, B.b2AABB(lowerBound=(-0.5, -0.5), upperBound=(5.5, 0.5)))
        assert len(found.fixtures) == len(set(map(id, found.fixtures))) == count
    assert bodies[3].fixtures[0] not in found.fixtures


def test_destruction_listener_hears_of_what_goes_with_a_body():
    class Goodbyes(B.b2DestructionListener):
        def __init__(self):
            super().__init__()
            self.heard = []

        def SayGoodbye(self, obj):
            self.heard.append(obj)

    listener = Goodbyes()
    world = B.b2World(destructionListener=listener)
    ground, body = world.CreateStaticBody(), world.CreateDynamicBody()
    fixture = body.CreateCircleFixture(radius=1, density=1)
    joint = world.CreateRevoluteJoint(bodyA=ground, bodyB=body, anchor=(0, 0))
    other = world.CreateRevoluteJoint(bodyA=ground, bodyB=body, anchor=(1, 0))
    world.DestroyJoint(other)
    world.DestroyBody(body)
    assert listener.heard == [joint, fixture]


def test_bodies_without_density_fall_and_do_not_turn():
    world = B.b2World()
    bodies = [world.CreateDynamicBody(position=(9 * i, 0)) for i in range(3)]
    bodies[1].CreateCircleFixture()
    bodies[2].CreatePolygonFixture(box=(1, 1))
    assert [body.mass for body in bodies] == [1.0] * 3 and bodies[2].inertia == 0.0
    for _ in range(60):
        for body in bodies:
            body.ApplyTorque(5.0)
        world.Step(1 / 60, 8, 3)
    for body in bodies:
        assert body.linearVelocity.y == pytest.approx(-10, abs=0.2) and body.angle == 0.0
    bodies[0].CreateCircleFixture(radius=1, density=2)
    assert bodies[0].mass == pytest.approx(2 * math.pi, rel=1e-5)


def test_mass_data_can_be_set():
    world = B.b2World(gravity=(0, 0))
    body = world.CreateDynamicBody()
    body.CreateCircleFixture(radius=1, density=1, pos=(1, 0))
    assert body.massData.I == pytest.approx(4.712389, rel=1e-5) and tuple(body.massData.center) == (1, 0)
    body.mass = 2.0
    assert body.mass == 2.0
    body.massData = B.b2MassData(mass=2, center=(0, 0), I=3)
    assert (body.mass, body.inertia, tuple(body.localCenter)) == (2, 3, (0, 0))
    body.ResetMassData()
    assert body.mass == pytest.approx(math.pi, rel=1e-5)
    ground = world.CreateStaticBody()
    ground.mass = 3.0
    assert ground.mass == 0.0


def test_forces_last_until_they_are_cleared_if_the_world_does_not_clear_them():
    world = B.b2World(gravity=(0, 0))
    body = world.CreateDynamicBody()
    body.CreateCircleFixture(radius=1, density=1 / math.pi)
    world.autoClearForces = False
    body.ApplyForceToCenter((6, 0), True)
    for expected in (0.1, 0.2, 0.3):
        world.Step(1 / 60, 8, 3)
        assert body.linearVelocity.x == pytest.approx(expected, rel=1e-4)
    world.ClearForces()
    world.Step(1 / 60, 8, 3)
    assert body.linearVelocity.x == pytest.approx(0.3, rel=1e-4)


def placed(x, y, angle=0.0):
    return B.b2Transform((x, y), angle)


def test_distances_overlaps_and_manifolds_of_shapes():
    a, b = B.b2PolygonShape(box=(10, 0.2)), B.b2PolygonShape(box=(2, 0.1))
    result = B.b2Distance(shapeA=a, transformA=placed(0, -0.2), shapeB=b, transformB=placed(12.017401, 0.13678508, -0.0109265))
    assert (result.distance, result.iterations) == (pytest.approx(0.0409012, abs=1e-6), 2)
    assert B.b2Distance((0, 0), (3, 4)) == 5.0
    big, small = B.b2PolygonShape(box=(1, 1)), B.b2PolygonShape(box=(0.5, 0.5))
    assert B.b2TestOverlap(big, 0, small, 0, placed(0, 0), placed(0.3, 1.45))
    assert not B.b2TestOverlap(big, 0, small, 0, placed(0, 0), placed(0.3, 1.6))
    manifold = B.b2Manifold()
    B.b2CollidePolygons(manifold, big, placed(0, 0), small, placed(0.3, 1.45))
    assert manifold.pointCount == 2 and tuple(manifold.localNormal) == pytest.approx((0, 1))


def test_times_of_impact_are_those_of_the_original():
    falling = B.b2Sweep(c0=(0, 5), c=(0, -5), a=0, a0=0.3, localCenter=(0, 0))
    resting = B.b2Sweep()
    shapes = B.b2PolygonShape(box=(1, 1)), B.b2PolygonShape(box=(0.5, 0.5))
    state, time = B.b2TimeOfImpact(shapeA=shapes[0], shapeB=shapes[1], sweepA=resting, sweepB=falling, tMax=1.0)
    assert state == B.b2TOIOutput.e_touching and time == pytest.approx(0.34065, abs=2e-3)
    proxies = [B.b2DistanceProxy(shape) for shape in shapes]
    given = B.b2TOIInput(proxyA=proxies[0], proxyB=proxies[1], sweepA=resting, sweepB=falling, tMax=0.2)
    assert B.b2TimeOfImpact(given)[0] == B.b2TOIOutput.e_separated


def test_rays_hit_shapes_as_in_the_original():
    ray = B.b2RayCastInput(p1=(-3, 0.2), p2=(3, 0.1), maxFraction=1.0)
    cases = [
        (B.b2PolygonShape(box=(1, 1)), 0.33333),
        (B.b2CircleShape(radius=1), 0.33566),
        (B.b2EdgeShape(vertices=[(0, -1), (0, 1)]), 0.5),
    ]
    for shape, fraction in cases:
        hit = B.b2RayCastOutput()
        assert shape.RayCast(hit, ray, placed(0, 0), 0)
        assert hit.fraction == pytest.approx(fraction, abs=1e-4) and hit.normal.x < -0.98
        assert not shape.RayCast(hit, ray, placed(0, 5), 0)
    body = B.b2World().CreateDynamicBody(position=(1, 0))
    fixture = body.CreatePolygonFixture(box=(1, 1), density=1)
    hit = B.b2RayCastOutput()
    assert fixture.RayCast(hit, ray, 0) and hit.fraction == pytest.approx(0.5, abs=1e-4)
    assert fixture.TestPoint((1.9, 0.9)) and not fixture.TestPoint((2.1, 0))


def test_efforts_of_motors_are_those_of_the_original():
    world = B.b2World()
    ground = world.CreateStaticBody()
    arm = world.CreateDynamicBody(position=(1, 0))
    arm.CreatePolygonFixture(box=(1, 0.1), density=2)
    hinge = world.CreateRevoluteJoint(bodyA=ground, bodyB=arm, anchor=(0, 0), enableMotor=True, maxMotorTorque=100)
    lift = world.CreateDynamicBody(position=(1, 5))
    lift.CreatePolygonFixture(box=(1, 0.1), density=2)
    slider = world.CreatePrismaticJoint(bodyA=ground, bodyB=lift, anchor=(1, 5), axis=(0, 1), enableMotor=True, maxMotorForce=100)
    for _ in range(60):
        world.Step(1 / 60, 8, 3)
    assert hinge.GetMotorTorque(60.0) == pytest.approx(8.0, rel=0.01)
    assert slider.GetMotorForce(60.0) == pytest.approx(8.0, rel=0.01)
    hinge.motorEnabled = False
    assert hinge.GetMotorTorque(60.0) == 0.0
    assert [edge.joint for edge in arm.joints] == [hinge] and arm.joints[0].other is ground
    assert (hinge.type, slider.type) == (1, 2)


def test_joints_are_made_of_kinds_and_of_their_own_fields():
    world = B.b2World()
    a, b = world.CreateStaticBody(), world.CreateDynamicBody(position=(1, 1))
    made = [
        world.CreateJoint(type=kind, bodyA=a, bodyB=b, localAnchorA=(1, 1))
        for kind in (B.b2RevoluteJoint, B.b2RevoluteJointDef, B.b2WeldJoint, B.b2FrictionJointDef)
    ]
    assert [type(joint) for joint in made] == [B.b2RevoluteJoint, B.b2RevoluteJoint, B.b2WeldJoint, B.b2FrictionJoint]
    definition = B.b2PrismaticJointDef()
    definition.Initialize(a, b, (1, 1), (0, 1))
    fields = definition.to_kwargs()
    assert tuple(fields["localAxisA"]) == (0, 1) and "anchor" not in fields
    assert world.CreatePrismaticJoint(**fields).GetLocalAxisA() == (0, 1)
    for wrong in ({}, {"type": int}):
        with pytest.raises(TypeError):
            world.CreateJoint(**wrong, bodyA=a, bodyB=b)
    # With a definition, the original does not look at the type: loaders of scenes pass its name.
    assert world.CreateJoint(definition, "prismatic").GetLocalAxisA() == (0, 1)
    with pytest.raises(TypeError):
        world.CreateJoint("prismatic", B.b2PrismaticJointDef)


def test_a_renderer_draws_what_its_flags_say():
    class Pen(B.b2DrawExtended):
        def __init__(self, **fields):
            super().__init__(**fields)
            self.calls = []

        def __getattribute__(self, name):
            if name.startswith("Draw"):
                return lambda *args: self.calls.append((name, args))
            return super().__getattribute__(name)

    world = B.b2World()
    ground = world.CreateStaticBody(shapes=B.b2EdgeShape(vertices=[(-5, 0), (5, 0)]))
    ball = world.CreateDynamicBody(position=(1, 2))
    ball.CreateCircleFixture(radius=0.5, density=1)
    ball.CreatePolygonFixture(box=(1, 1), density=1)
    world.CreateDistanceJoint(bodyA=ground, bodyB=ball, anchorA=(0, 0), anchorB=(1, 2))
    world.renderer = pen = Pen(zoom=10.0, flipY=True, screenSize=B.b2Vec2(640, 480))
    pen.flags = {"drawShapes": True, "convertVertices": True}
    world.DrawDebugData()
    assert sorted(name for name, _ in pen.calls) == ["DrawSegment", "DrawSolidCircle", "DrawSolidPolygon"]
    center = next(args[0] for name, args in pen.calls if name == "DrawSolidCircle")
    assert center == pen.to_screen((1, 2)) == (10, 460)
    pen.calls.clear()
    pen.flags = {"drawJoints": True, "drawAABBs": True, "drawCOMs": True}
    world.DrawDebugData()
    assert {name for name, _ in pen.calls} == {"DrawSegment", "DrawPolygon", "DrawTransform"}
    color = B.b2Color(0.5, 1.0, 0.0)
    assert color.bytes == [127, 255, 0] and (color / 2).bytes == [63, 127, 0]


def test_figures_of_a_world():
    world = B.b2World()
    body = world.CreateDynamicBody()
    body.CreateCircleFixture(radius=1)
    assert world.proxyCount == world.contactManager.broadPhase.proxyCount == 1
    assert list(world) == list(world.bodies_gen) == [body] and list(body) == body.fixtures
    assert world.warmStarting and world.continuousPhysics and not world.subStepping
    world.warmStarting = world.continuousPhysics = False
    assert not world.warmStarting and not world.continuousPhysics
    world.allowSleeping = False
    assert not world.GetAllowSleeping()
    world.ShiftOrigin((1, 2))
    assert tuple(body.position) == (-1, -2)
    world.Step(0.0, 8, 3)
    assert pickle.loads(pickle.dumps(world)).bodies[0].position == body.position
