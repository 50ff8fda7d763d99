"""Rules of Box2D that the engine alone does not have: live vectors, thresholds, caps of motion, accuracy by iterations."""

import copy
import math

import pytest

from cairn2d.compat import Box2D as B


def ball(world, **fields):
    body = world.CreateDynamicBody(**fields)
    body.CreateCircleFixture(radius=0.5, density=1.0, restitution=0.5)
    return body


def test_vectors_of_a_body_follow_it():
    world = B.b2World(gravity=(0, -10))
    body = ball(world, position=(0, 5))
    place, velocity, center, kept = body.position, body.linearVelocity, body.worldCenter, body.position.copy()
    body.linearVelocity = (3, 0)
    world.Step(0.1, 8, 3)
    assert place == body.position == center and place[0] == place.x == pytest.approx(0.3) and kept == (0, 5)
    assert velocity == (3, pytest.approx(-1)) and list(velocity) == list(velocity.tuple) and len(velocity) == 2
    twin = copy.deepcopy(velocity)
    body.linearVelocity = (1, 2)
    assert twin == (3, pytest.approx(-1)) and velocity == (1, 2)


def test_changes_of_a_velocity_change_the_body_and_changes_of_a_place_do_not():
    world = B.b2World(gravity=(0, 0))
    body = ball(world)
    body.linearVelocity.x = 7
    velocity = body.linearVelocity
    velocity *= 2
    velocity += (0, 1)
    assert body.linearVelocity == (14, 1)
    place = body.position
    place += (1, 1)
    place.y = 4
    assert place == (1, 4) and body.position == (0, 0)
    body.position += (2, 3)
    assert body.position == (2, 3)


def test_vectors_of_a_destroyed_body_have_their_last_values():
    world = B.b2World(gravity=(0, 0))
    body = ball(world, position=(1, 2), linearVelocity=(3, 4))
    vectors = body.position, body.worldCenter, body.localCenter, body.linearVelocity
    world.DestroyBody(body)
    assert [v.tuple for v in vectors] == [(1, 2), (1, 2), (0, 0), (3, 4)] and vectors[0][1] == 2


def test_nothing_slows_the_fall_of_a_chain():
    """The engine has a drag for chains of ten bodies and more, Box2D none: the free end of a chain falls freely."""
    world = B.b2World(gravity=(0, -10))
    previous = world.CreateStaticBody()
    for i in range(20):
        link = world.CreateDynamicBody(position=(i + 0.5, 0))
        link.CreatePolygonFixture(box=(0.5, 0.1), density=1.0)
        world.CreateRevoluteJoint(bodyA=previous, bodyB=link, anchor=(i, 0))
        previous = link
    for _ in range(60):
        world.Step(1 / 60, 8, 3)
    assert previous.position.y == pytest.approx(-5.0, rel=0.01) and previous.linearVelocity.y == pytest.approx(-10.0, rel=0.01)


@pytest.mark.parametrize(("speed", "bounces"), [(0.9, False), (1.2, True)])
def test_shapes_bounce_from_the_threshold_of_box2d_on(speed, bounces):
    world = B.b2World(gravity=(0, 0))
    world.CreateStaticBody().CreateEdgeFixture(vertices=[(-5, 0), (5, 0)])
    body = ball(world, position=(0, 0.6), linearVelocity=(0, -speed))
    for _ in range(30):
        world.Step(1 / 60, 8, 3)
    assert body.linearVelocity.y == pytest.approx(0.5 * speed if bounces else 0.0, abs=0.02)


@pytest.mark.parametrize("rate", [60, 30])
def test_motion_of_a_step_is_capped_as_in_box2d(rate):
    world = B.b2World(gravity=(0, 0))
    body = ball(world, linearVelocity=(500, 0), angularVelocity=400)
    world.Step(1 / rate, 8, 3)
    assert body.position.x == pytest.approx(B.b2_maxTranslation, rel=1e-4) and body.linearVelocity.x == pytest.approx(2 * rate, rel=1e-4)
    assert body.angularVelocity == pytest.approx(B.b2_maxRotation * rate, rel=1e-4)
    slower = ball(world, position=(0, 9), linearVelocity=(50, 0), angularVelocity=60)
    world.Step(1 / rate, 8, 3)
    assert (slower.linearVelocity.x, slower.angularVelocity) == (50, pytest.approx(min(60, 0.5 * math.pi * rate), rel=1e-4))


def test_iterations_of_a_step_choose_the_accuracy():
    settings = lambda world: (world.substeps, world.solver_budget)  # noqa: E731
    world, own = B.b2World(), B.b2World(substeps=3)
    assert settings(world) == (2, 20_000)
    for iterations, expected in [(8, (4, 1000)), (180, (2, 20_000)), (6, (4, 1000))]:
        world.Step(1 / 60, iterations, 3)
        own.Step(1 / 60, iterations, 3)
        assert settings(world) == expected and settings(own) == (3, expected[1])
    own.solver_budget = 7
    own.Step(1 / 60, 180, 60)
    assert settings(own) == (3, 7)


def test_shapes_take_their_attributes_as_keywords():
    square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    assert B.b2PolygonShape(vertices=square, vertexCount=4).vertexCount == 4
    # As in the original, the hull of the vertices counts.
    assert B.b2PolygonShape(vertices=[*square, (0, 1)], vertexCount=5).vertexCount == 4
    edge = B.b2EdgeShape(vertex1=(0, 1), vertex2=(2, 3))
    assert edge.vertices == [(0, 1), (2, 3)]
    for kind in (B.b2PolygonShape, B.b2CircleShape, B.b2EdgeShape):
        with pytest.raises(AttributeError):
            kind(corners=4)


def test_vectors_of_definitions_are_their_own():
    world = B.b2World(gravity=(0, 0))
    body = ball(world, position=(1, 2))
    definition = B.b2BodyDef(type=B.b2_dynamicBody, position=body.position)
    definition.position.x += 4
    definition.linearVelocity.Set(1, 0)
    other = world.CreateBody(definition)
    assert body.position == (1, 2) and other.position == (5, 2) and other.linearVelocity == (1, 0)
    joint = B.b2RevoluteJointDef(bodyA=body, bodyB=other, localAnchorA=(1, 1))
    made = world.CreateJoint(joint)
    joint.localAnchorA.x = 7
    assert made.GetLocalAnchorA() == (1, 1) and joint.localAnchorB == (0, 0)
    rod = B.b2DistanceJointDef()
    rod.Initialize(body, other, (1, 2), (4, 6))
    rod.length *= 2
    assert rod.length == 10 and world.CreateJoint(rod).length == 10


def test_motors_have_their_own_effort_at_a_limit():
    world = B.b2World(gravity=(0, -10))
    ground = world.CreateStaticBody()
    arm = world.CreateDynamicBody(position=(1, 0), allowSleep=False)
    arm.CreatePolygonFixture(box=(1, 0.1), density=2)
    hinge = world.CreateRevoluteJoint(
        bodyA=ground, bodyB=arm, anchor=(0, 0), enableMotor=True, maxMotorTorque=3, motorSpeed=1, enableLimit=True
    )
    for _ in range(60):
        world.Step(1 / 60, 8, 3)
    # The weight of 0.8 kg at 1 m is 8 N m: 3 are the motor's, the limit has the rest.
    assert hinge.GetMotorTorque(60.0) == pytest.approx(3.0, rel=0.01)
    assert hinge.GetReactionTorque(60.0) == pytest.approx(8.0, rel=0.01)
