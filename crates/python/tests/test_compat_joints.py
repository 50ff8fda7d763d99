"""Joints of `cairn2d.compat.Box2D`: each does what it does in Box2D."""

import copy
import math

import pytest

import cairn2d.compat

cairn2d.compat.install()
import Box2D  # noqa: E402
from Box2D import b2  # noqa: E402


def world_with(*places, gravity=(0, -10)):
    """A world, its ground, and a box of 1 kg at each place."""
    world = Box2D.b2World(gravity=gravity)
    ground = world.CreateStaticBody(shapes=b2.edgeShape(vertices=[(-50, -20), (50, -20)]))
    fixture = b2.fixtureDef(shape=b2.polygonShape(box=(0.5, 0.5)), density=1.0)
    return world, ground, [world.CreateDynamicBody(position=place, fixtures=fixture) for place in places]


def run(world, seconds):
    for _ in range(round(seconds * 60)):
        world.Step(1 / 60, 10, 10)


def test_distance_joint_holds_a_length_or_is_a_spring():
    world, ground, (box,) = world_with((3, 0))
    rod = world.CreateDistanceJoint(bodyA=ground, bodyB=box, anchorA=(0, 0), anchorB=(3, 0))
    assert rod.length == pytest.approx(3.0) and rod.anchorA == (0, 0)
    run(world, 1.0)
    assert (box.position - (0, 0)).length == pytest.approx(3.0, abs=1e-3)
    rod.length = 2.0
    run(world, 2.0)
    assert (box.position - (0, 0)).length == pytest.approx(2.0, abs=0.02)
    world, ground, (box,) = world_with((0, -2))
    spring = world.CreateDistanceJoint(
        bodyA=ground, bodyB=box, anchorA=(0, 0), anchorB=(0, -2), frequencyHz=1.0, dampingRatio=1.0
    )
    run(world, 4.0)
    assert box.position.y == pytest.approx(-2.0 - 10.0 / (2 * math.pi) ** 2, abs=0.01)
    spring.frequency = 2.0
    run(world, 4.0)
    assert spring.frequency == 2.0 and box.position.y == pytest.approx(-2.0 - 10.0 / (4 * math.pi) ** 2, abs=0.01)


def test_rope_is_slack_until_it_is_tight():
    world, ground, (box,) = world_with((0, -1))
    rope = world.CreateRopeJoint(bodyA=ground, bodyB=box, localAnchorA=(0, 0), localAnchorB=(0, 0), maxLength=3.0)
    world.Step(0.1, 10, 10)
    assert box.linearVelocity.y == pytest.approx(-1.0)
    run(world, 2.0)
    assert box.position.y == pytest.approx(-3.0, abs=0.01) and rope.GetReactionForce(60).y == pytest.approx(10.0, rel=0.02)
    rope.maxLength = 4.0
    run(world, 2.0)
    assert box.position.y == pytest.approx(-4.0, abs=0.01)


def test_prismatic_joint_slides_along_its_axis():
    world, ground, (box,) = world_with((1, 0))
    slider = world.CreatePrismaticJoint(
        bodyA=ground, bodyB=box, anchor=(1, 0), axis=(1, 0), lowerTranslation=-1.0, upperTranslation=2.0, enableLimit=True,
        motorSpeed=3.0, maxMotorForce=100.0, enableMotor=True,
    )
    run(world, 0.3)
    assert slider.speed == pytest.approx(3.0, abs=0.01) and box.position.y == pytest.approx(0.0, abs=1e-3)
    run(world, 2.0)
    assert slider.translation == pytest.approx(2.0, abs=0.01) and slider.limits == (-1.0, 2.0)
    slider.motorSpeed = -3.0
    run(world, 2.0)
    assert slider.translation == pytest.approx(-1.0, abs=0.01) and slider.maxMotorForce == 100.0
    tilted, _, (a, b) = world_with((0, 0), (0, 2), gravity=(0, 0))
    a.angle = 0.5
    tilted.CreatePrismaticJoint(bodyA=a, bodyB=b, localAxisA=(0, 1))
    run(tilted, 1.0)
    assert b.angle - a.angle == pytest.approx(-0.5, abs=1e-3)
    assert a.GetLocalPoint(b.position).x == pytest.approx(0.0, abs=1e-3)


def test_wheel_joint_is_sprung_and_driven():
    world, ground, (car, wheel) = world_with((0, 2), (0, 1))
    joint = world.CreateWheelJoint(
        bodyA=car, bodyB=wheel, anchor=(0, 1), axis=(0, 1), motorSpeed=5.0, maxMotorTorque=50.0, enableMotor=True,
        frequencyHz=4.0, dampingRatio=0.7,
    )
    run(world, 0.5)
    assert joint.speed == pytest.approx(5.0, abs=0.01)
    joint.motorEnabled, joint.springFrequencyHz = False, 6.0
    run(world, 0.5)
    assert joint.springFrequencyHz == 6.0 and abs(joint.translation) < 0.2 and not joint.motorEnabled


def test_weld_holds_pose_and_angle():
    world, ground, (box,) = world_with((1, 0))
    box.angle = 0.3
    weld = world.CreateWeldJoint(bodyA=ground, bodyB=box, anchor=(0, 0))
    run(world, 2.0)
    assert box.angle == pytest.approx(0.3, abs=2e-3) and box.position.y == pytest.approx(0.0, abs=2e-3)
    assert weld.GetReactionTorque(60) == pytest.approx(10.0, rel=0.05)
    weld.frequency = 1.0
    weld.dampingRatio = 1.0
    run(world, 3.0)
    assert box.angle < 0.2


def test_friction_joint_brakes():
    world, ground, (box,) = world_with((0, 0), gravity=(0, 0))
    box.linearVelocity, box.angularVelocity = (6, 0), 2.0
    brake = world.CreateFrictionJoint(bodyA=ground, bodyB=box, anchor=(0, 0), maxForce=2.0, maxTorque=0.1)
    run(world, 1.0)
    assert box.linearVelocity.x == pytest.approx(4.0, abs=0.05)
    assert box.angularVelocity == pytest.approx(2.0 - 0.1 / box.inertia, abs=0.05)
    brake.maxForce = 100.0
    run(world, 0.5)
    assert box.linearVelocity.length < 0.01


def test_mouse_joint_pulls_to_its_target():
    world, ground, (box,) = world_with((0, 0))
    mouse = world.CreateMouseJoint(bodyA=ground, bodyB=box, target=(0.2, 0), maxForce=1000.0)
    assert mouse.target == (pytest.approx(0.2), 0)
    mouse.target = (3, 1)
    run(world, 3.0)
    assert (box.GetWorldPoint((0.2, 0)) - (3, 1)).length < 0.05
    mouse.maxForce = 5.0
    run(world, 1.0)
    assert box.position.y < 0.5


def test_motor_joint_closes_a_share_of_its_error_in_a_step():
    world, ground, (box,) = world_with((1, 0), gravity=(0, 0))
    joint = world.CreateMotorJoint(bodyA=ground, bodyB=box, linearOffset=(3, 1), angularOffset=0.5, maxForce=1e6, maxTorque=1e6)
    for step in range(1, 20):
        world.Step(1 / 60, 10, 10)
        assert (box.position - (3, 1)).length == pytest.approx(math.sqrt(5) * 0.7**step, abs=1e-3)
        assert box.angle == pytest.approx(0.5 - 0.5 * 0.7**step, abs=1e-3)
    run(world, 3.0)
    assert not box.awake and joint.linearOffset == (3, 1) and joint.angularOffset == 0.5
    joint.linearOffset = (3, 2)
    twin = copy.deepcopy(world)
    run(world, 1.0)
    run(twin, 1.0)
    assert box.position.y == pytest.approx(2.0, abs=1e-3) and twin.bodies[1].position == box.position
    world.DestroyJoint(joint)
    box.linearVelocity = (1, 0)
    run(world, 1.0)
    assert box.position.x == pytest.approx(4.0, abs=1e-3)


def test_motor_joint_is_as_strong_as_it_says_and_follows_body_a():
    world, ground, (box,) = world_with((2, 0))
    joint = world.CreateJoint(b2.motorJointDef(bodyA=ground, bodyB=box))
    assert joint.linearOffset == (2, 0)
    joint.maxForce = 6.0
    run(world, 0.5)
    # 1 kg falls by 10 - 6 m/s^2.
    assert box.linearVelocity.y == pytest.approx(-2.0, abs=0.01)
    carrier = world.CreateKinematicBody(position=(0, 5), angularVelocity=1.0)
    box.position, box.linearVelocity = (1, 5), (0, 0)
    world.DestroyJoint(joint)
    follower = world.CreateMotorJoint(bodyA=carrier, bodyB=box, linearOffset=(1, 0), maxForce=1000.0, maxTorque=1000.0)
    run(world, 1.0)
    assert (box.position - carrier.GetWorldPoint((1, 0))).length < 0.06 and box.angle == pytest.approx(1.0, abs=0.05)
    assert follower.maxForce == 1000.0
    for call in (
        lambda: world.CreateMotorJoint(bodyA=ground, bodyB=box, linearOffset=(math.nan, 0)),
        lambda: setattr(follower, "angularOffset", math.inf),
        lambda: setattr(follower, "maxForce", math.nan),
    ):
        with pytest.raises(ValueError):
            call()
    assert follower.angularOffset == 0.0 and follower.maxForce == 1000.0


def test_pulley_exchanges_heights():
    world, ground, (light, heavy) = world_with((-2, 0), (2, 0))
    heavy.CreatePolygonFixture(box=(0.5, 0.5), density=1.0)
    pulley = world.CreatePulleyJoint(
        bodyA=light, bodyB=heavy, anchorA=(-2, 0.5), anchorB=(2, 0.5), groundAnchorA=(-2, 8), groundAnchorB=(2, 8), ratio=1.0
    )
    assert pulley.length1 == pytest.approx(7.5) and pulley.length2 == pytest.approx(7.5)
    run(world, 0.5)
    # Atwood's machine: masses 1 and 2.
    assert light.position.y == pytest.approx(0.5 * (10 / 3) * 0.25, rel=0.05)
    assert pulley.length1 + pulley.length2 == pytest.approx(15.0, abs=0.01)


def test_gear_turns_two_wheels():
    world, ground, (a, b) = world_with((-2, 0), (2, 0), gravity=(0, 0))
    joints = [world.CreateRevoluteJoint(bodyA=ground, bodyB=body, anchor=body.position) for body in (a, b)]
    gear = world.CreateGearJoint(joint1=joints[0], joint2=joints[1], ratio=2.0)
    a.angularVelocity = 4.0
    run(world, 0.5)
    assert joints[0].angle + 2.0 * joints[1].angle == pytest.approx(0.0, abs=1e-3) and abs(joints[1].angle) > 0.1
    assert gear.ratio == 2.0 and gear.bodyA is a and gear.bodyB is b


def test_definitions_are_used_again_and_joints_copied():
    world, ground, boxes = world_with((1, 0), (2, 0))
    definition = b2.distanceJointDef(bodyA=ground, localAnchorA=(0, 0), localAnchorB=(0, 0))
    rods = []
    for box in boxes:
        definition.bodyB = box
        rods.append(world.CreateJoint(definition))
    assert [round(rod.length, 5) for rod in rods] == [1.0, 2.0]
    twin = copy.deepcopy(world)
    for _ in range(30):
        world.Step(1 / 60, 10, 10)
        twin.Step(1 / 60, 10, 10)
    assert twin._native.state_hash == world._native.state_hash
    rods[0].frequency = 3.0
    assert definition.frequencyHz == 0.0 and twin.joints[0].frequency == 0.0


def test_bad_joints_are_refused():
    world, ground, (box,) = world_with((1, 0))
    with pytest.raises(ValueError):
        world.CreateDistanceJoint(bodyA=ground, bodyB=box, length=math.nan)
    with pytest.raises(ValueError):
        world.CreateDistanceJoint(bodyA=ground)
    with pytest.raises(ValueError):
        world.CreateGearJoint(ratio=1.0)
    with pytest.raises(AttributeError, match="lenght"):
        world.CreateDistanceJoint(lenght=1.0)
    rod = world.CreateDistanceJoint(bodyA=ground, bodyB=box)
    with pytest.raises(ValueError):
        rod.length = math.nan
    assert rod.length == pytest.approx(1.0)
    run(world, 0.1)


def test_targets_of_mouse_joints_stay_although_their_first_body_moves():
    world = Box2D.b2World(gravity=(0, 0))
    first = world.CreateDynamicBody(position=(5, 5), linearVelocity=(9, 0), angularVelocity=2)
    ball = world.CreateDynamicBody(position=(2, 1))
    for body in (first, ball):
        body.CreateCircleFixture(radius=0.5, density=1)
    joint = world.CreateMouseJoint(bodyA=first, bodyB=ball, target=(2, 1), maxForce=100)
    for _ in range(60):
        world.Step(1 / 60, 8, 3)
    assert joint.target == (2, 1) and tuple(ball.position) == pytest.approx((2, 1), abs=1e-3)
    assert first.linearVelocity == (9, 0) and world.bodyCount == 2
